//! Evaluation of terms.

use std::cmp::Ordering;

use ravelin_term::{BinOp, Sort, UnOp, bin_ops, un_ops};

use crate::code::{Operand, ProcCode, TermCode, TermInst};
use crate::float;
use crate::layout::Layout;
use crate::memory::Memory;
use crate::value::{self, Bits, Trap, ones, to_signed};

/// Where a term finds its variables and what it needs of the memory.
pub(crate) trait Env {
    /// The value of an operand other than [`Operand::Top`] and [`Operand::Const`].
    fn read(&mut self, operand: Operand) -> Result<Bits, Trap>;
    fn memory(&self) -> &Memory;
    fn layout(&self) -> &Layout;

    /// The address of a pointer.
    fn address(&self, pointer: Bits) -> u64 {
        self.memory().address(self.layout(), pointer)
    }

    /// The pointer to an address.
    fn pointer_to(&self, address: u64) -> Bits {
        self.memory().pointer_to(self.layout(), address)
    }

    /// The pointer moved by a number of bytes.
    fn moved(&self, pointer: Bits, by: Bits) -> Bits {
        self.memory().moved(pointer, by)
    }

    fn pointer_bits(&self) -> u16 {
        8 * self.memory().pointer_bytes() as u16
    }
}

/// Working space, kept from one evaluation to the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    stack: Vec<Bits>,
    shared: Vec<Option<Bits>>,
    returns: Vec<usize>,
    handlers: Vec<Handler>,
    traps: Vec<Trap>,
}

/// Where to go on after a trap, and how high the stacks were.
#[derive(Clone, Copy, Debug)]
struct Handler {
    target: usize,
    stack: usize,
    returns: usize,
}

/// The value of `term`. `And`, `Or` and `Ite` evaluate only what decides them; nothing recurses,
/// since terms may be deeper than the host's stack.
///
/// The pool orders the operands of `And` and `Or` as it likes. So a division by zero in the one is
/// none if the other decides: `n != 0 && m / n > 1` has to work either way round.
#[inline]
pub(crate) fn eval(
    code: &ProcCode,
    term: TermCode,
    scratch: &mut Scratch,
    env: &mut impl Env,
) -> Result<Bits, Trap> {
    match term {
        TermCode::Leaf(operand) => read(code, operand, scratch, env),
        TermCode::Body { start, length, shared } => {
            let insts = &code.terms[start as usize..(start + length) as usize];
            scratch.stack.clear();
            scratch.handlers.clear();
            scratch.traps.clear();
            if shared > 0 {
                scratch.returns.clear();
                scratch.shared.clear();
                scratch.shared.resize(shared as usize, None);
            }
            run(code, insts, scratch, env)
        }
    }
}

#[inline]
fn read(
    code: &ProcCode,
    operand: Operand,
    scratch: &mut Scratch,
    env: &mut impl Env,
) -> Result<Bits, Trap> {
    match operand {
        Operand::Top => Ok(scratch.stack.pop().unwrap_or(0)),
        Operand::Const(index) => Ok(code.consts[index as usize]),
        Operand::Place(_) | Operand::LocalObject(_) | Operand::ThreadObject(_) => env.read(operand),
    }
}

fn run(
    code: &ProcCode,
    insts: &[TermInst],
    scratch: &mut Scratch,
    env: &mut impl Env,
) -> Result<Bits, Trap> {
    let mut pc = 0;
    loop {
        match run_from(code, insts, pc, scratch, env) {
            Err(trap) if !scratch.handlers.is_empty() => {
                let Some(handler) = scratch.handlers.pop() else { return Err(trap) };
                scratch.stack.truncate(handler.stack);
                scratch.returns.truncate(handler.returns);
                scratch.traps.push(trap);
                pc = handler.target;
            }
            result => return result,
        }
    }
}

#[inline]
fn run_from(
    code: &ProcCode,
    insts: &[TermInst],
    mut pc: usize,
    scratch: &mut Scratch,
    env: &mut impl Env,
) -> Result<Bits, Trap> {
    loop {
        let inst = &insts[pc];
        pc += 1;
        match *inst {
            TermInst::Push(operand) => {
                let value = read(code, operand, scratch, env)?;
                scratch.stack.push(value);
            }
            TermInst::Unary { op, sort, a } => {
                let a = read(code, a, scratch, env)?;
                let value = unary(op, sort, a, env);
                scratch.stack.push(value);
            }
            TermInst::Binary { op, sort, sort_b, a, b } => {
                // From left to right, but what is on top of the stack comes off first.
                let (a, b) = if b == Operand::Top {
                    let b = read(code, b, scratch, env)?;
                    (read(code, a, scratch, env)?, b)
                } else {
                    (read(code, a, scratch, env)?, read(code, b, scratch, env)?)
                };
                let value = binary(op, sort, sort_b, a, b, env)?;
                scratch.stack.push(value);
            }
            TermInst::ShortCut { a, value, target } => {
                if (read(code, a, scratch, env)? != 0) == value {
                    scratch.stack.push(value.into());
                    pc = target as usize;
                }
            }
            TermInst::JumpUnless { cond, target } => {
                if read(code, cond, scratch, env)? == 0 {
                    pc = target as usize;
                }
            }
            TermInst::Jump(target) => pc = target as usize,
            TermInst::Try { target } => scratch.handlers.push(Handler {
                target: target as usize,
                stack: scratch.stack.len(),
                returns: scratch.returns.len(),
            }),
            TermInst::EndTry => {
                scratch.handlers.pop();
            }
            TermInst::Rethrow { unless } => {
                let trap = scratch.traps.pop();
                if scratch.stack.last().is_some_and(|&top| (top != 0) != unless)
                    && let Some(trap) = trap
                {
                    return Err(trap);
                }
            }
            TermInst::Shared { index, target } => match scratch.shared[index as usize] {
                Some(value) => scratch.stack.push(value),
                None => {
                    scratch.returns.push(pc);
                    pc = target as usize;
                }
            },
            TermInst::EndShared { index } => {
                scratch.shared[index as usize] = scratch.stack.last().copied();
                pc = scratch.returns.pop().unwrap_or(insts.len() - 1);
            }
            TermInst::End => return Ok(scratch.stack.pop().unwrap_or(0)),
        }
    }
}

fn unary(op: UnOp, sort: Sort, a: Bits, env: &impl Env) -> Bits {
    match (op, sort) {
        (UnOp::Not, _) => (a == 0).into(),
        (UnOp::BvNot, Sort::Bv(width)) => !a & ones(width),
        (UnOp::BvNeg, Sort::Bv(width)) => a.wrapping_neg() & ones(width),
        (UnOp::SignExt(to), Sort::Bv(width)) => to_signed(a, width) as Bits & ones(to),
        (UnOp::Extract { hi, lo }, _) => a >> lo & ones(hi - lo + 1),
        (UnOp::FNeg, Sort::Float(kind)) => a ^ float::sign_bit(kind),
        (UnOp::FAbs, Sort::Float(kind)) => a & !float::sign_bit(kind),
        (UnOp::FSqrt, Sort::Float(kind)) => float::square_root(kind, a),
        (UnOp::FRound(rounding), Sort::Float(kind)) => float::round(kind, rounding, a),
        (UnOp::FIsNan, Sort::Float(kind)) => float::is_nan(kind, a).into(),
        (UnOp::FIsInf, Sort::Float(kind)) => float::is_infinite(kind, a).into(),
        (UnOp::FIsNegative, Sort::Float(kind)) => float::is_negative(kind, a).into(),
        (UnOp::FToF(to), Sort::Float(kind)) => float::convert(kind, a, to),
        (UnOp::FToS(width), Sort::Float(kind)) => float::to_signed_integer(kind, a, width),
        (UnOp::FToU(width), Sort::Float(kind)) => float::to_unsigned_integer(kind, a, width),
        (UnOp::SToF(to), Sort::Bv(width)) => float::from_signed(to_signed(a, width), to),
        (UnOp::UToF(to), Sort::Bv(_)) => float::from_unsigned(a, to),
        (UnOp::PtrToInt, _) => env.address(a).into(),
        (UnOp::IntToPtr, _) => env.pointer_to(a as u64),
        (UnOp::ZeroExt(_) | UnOp::FToBits | UnOp::BitsToF(_), _) => a,
        // The pool admits no other sorts (`TermPool::unary_sort`), and programs have no parts of pointers.
        (
            un_ops!(bv, float, float_test, float_to_int, int_to_float, pointer_part)
            | UnOp::SignExt(_),
            Sort::Bool | Sort::Bv(_) | Sort::Float(_) | Sort::Ptr | Sort::Mem,
        ) => a,
    }
}

#[inline]
fn binary(
    op: BinOp,
    sort: Sort,
    sort_b: Sort,
    a: Bits,
    b: Bits,
    env: &impl Env,
) -> Result<Bits, Trap> {
    let width = sort.width().unwrap_or(1);
    let compare_floats = |holds: fn(Ordering) -> bool| match sort {
        Sort::Float(kind) => float::compare(kind, a, b).is_some_and(holds),
        Sort::Bool | Sort::Bv(_) | Sort::Ptr | Sort::Mem => false,
    };
    let holds = match op {
        bin_ops!(bv_arithmetic, bv_division) => {
            return value::bit_vector(op, width, a, b).unwrap_or(Ok(a));
        }
        bin_ops!(float_arithmetic) => {
            return Ok(match sort {
                Sort::Float(kind) => float::arithmetic(op, kind, a, b).unwrap_or(a),
                Sort::Bool | Sort::Bv(_) | Sort::Ptr | Sort::Mem => a,
            });
        }
        BinOp::Concat => return Ok(a << sort_b.width().unwrap_or(1) | b),
        BinOp::PtrAdd => return Ok(env.moved(a, b)),
        // Verified automata have none.
        BinOp::PtrMake => return Ok(a),
        BinOp::PtrDiff => {
            let difference = Bits::from(env.address(a)).wrapping_sub(env.address(b).into());
            return Ok(difference & ones(env.pointer_bits()));
        }
        BinOp::And => a != 0 && b != 0,
        BinOp::Or => a != 0 || b != 0,
        BinOp::Eq => a == b || sort == Sort::Ptr && env.address(a) == env.address(b),
        BinOp::BvUlt => a < b,
        BinOp::BvUle => a <= b,
        BinOp::BvSlt => to_signed(a, width) < to_signed(b, width),
        BinOp::BvSle => to_signed(a, width) <= to_signed(b, width),
        BinOp::FEq => compare_floats(Ordering::is_eq),
        BinOp::FLt => compare_floats(Ordering::is_lt),
        BinOp::FLe => compare_floats(Ordering::is_le),
        BinOp::PtrLt => env.address(a) < env.address(b),
        BinOp::PtrLe => env.address(a) <= env.address(b),
    };
    Ok(holds.into())
}
