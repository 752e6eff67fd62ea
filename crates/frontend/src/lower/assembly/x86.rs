//! The effects of x86 instructions as labels: those that lock-free code uses.
//!
//! An instruction with the prefix `lock`, and `xchg` with memory, is an atomic block; others read
//! memory in one step and write it in another, so that threads may interleave. Values of the width
//! of a pointer stay pointers where they are moved, exchanged and compared.

use ravelin_cfa::{MemoryOrder, Op, Sort, Term};
use ravelin_term::{BinOp, UnOp};

use super::super::Lowerer;
use super::super::place::PlaceKind;
use super::operands::{
    Condition, Flags, Halt, Machine, OperandKind, Step, as_bits, as_pointer, bits_in, from_machine,
    to_machine, understood,
};
use super::template::{Base, Instruction, Operand, Register};
use crate::types::Qualifiers;

/// Where an operand of an instruction is.
#[derive(Clone, Copy, Debug)]
enum Target {
    Slot(usize),
    Immediate(Immediate),
    /// At this address.
    Memory(Term),
    /// An operand in memory that is a variable of the automaton.
    Variable(usize),
    /// The top of the stack, which holds no data of the program.
    Stack,
}

#[derive(Clone, Copy, Debug)]
enum Immediate {
    Number(i128),
    Term(Term),
}

/// Instructions that change nothing that a program can see.
const WITHOUT_EFFECT: &[&str] = &[
    "nop",
    "pause",
    "mfence",
    "lfence",
    "sfence",
    "prefetchw",
    "prefetch",
    "prefetcht0",
    "prefetcht1",
    "prefetcht2",
    "prefetchnta",
];

/// Instructions with one width, which a suffix may give; and those that accept the prefix `lock`,
/// in memory.
const WITH_WIDTH: &[(&str, bool)] = &[
    ("mov", false),
    ("xchg", true),
    ("xadd", true),
    ("cmpxchg", true),
    ("inc", true),
    ("dec", true),
    ("neg", true),
    ("not", true),
    ("add", true),
    ("sub", true),
    ("and", true),
    ("or", true),
    ("xor", true),
    ("sbb", false),
    ("cmp", false),
    ("test", false),
    ("bt", false),
    ("bts", true),
    ("btr", true),
    ("btc", true),
    ("lea", false),
];

impl Machine {
    pub fn execute(&mut self, l: &mut Lowerer<'_>, instruction: &Instruction) -> Step<()> {
        let Instruction { locked, name, operands } = instruction;
        if WITHOUT_EFFECT.contains(&name.as_str()) && !locked {
            return Ok(());
        }
        if let Some(condition) = name.strip_prefix("set").and_then(Condition::named) {
            let [target] = operands.as_slice() else { return Err(Halt::NotUnderstood) };
            self.check_widths(&[target], 8)?;
            let target = self.target(l, target)?;
            let holds = self.condition(l, condition)?;
            let value = l.program.terms.bool_to_bv(holds, 8);
            return if *locked { Err(Halt::NotUnderstood) } else { self.put(l, target, value) };
        }
        if let "cmpxchg8b" | "cmpxchg16b" = name.as_str() {
            let [target] = operands.as_slice() else { return Err(Halt::NotUnderstood) };
            let half = if name == "cmpxchg8b" { 32 } else { 64 };
            return self.exchange_pair(l, target, half, *locked);
        }
        if let Some((signed, from, to)) = widening(name) {
            let [source, target] = operands.as_slice() else { return Err(Halt::NotUnderstood) };
            self.check_widths(&[source], from)?;
            self.check_widths(&[target], to)?;
            let (source, target) = (self.target(l, source)?, self.target(l, target)?);
            let value = self.get(l, source, from, false)?;
            let value = l.program.terms.resize(value, to, signed);
            return if *locked { Err(Halt::NotUnderstood) } else { self.put(l, target, value) };
        }
        let (base, suffix) = understood(split(name))?;
        let operands: Vec<&Operand> = operands.iter().collect();
        // The bit index is an immediate, or a register with the width of the access.
        let width = match suffix {
            Some(width) => width,
            None => understood(operands.iter().find_map(|it| self.printed_width(it)))?,
        };
        if width > self.native() {
            return Err(Halt::NotUnderstood);
        }
        self.check_widths(&operands, width)?;
        let targets: Vec<Target> =
            operands.iter().map(|it| self.target(l, it)).collect::<Step<_>>()?;
        let in_memory =
            |it: &Target| matches!(it, Target::Memory(_) | Target::Variable(_) | Target::Stack);
        let places = targets.iter().filter(|it| in_memory(it)).count();
        let (_, may_lock) =
            WITH_WIDTH.iter().find(|it| it.0 == base).copied().unwrap_or(("", false));
        let is_destination = targets.last().is_some_and(in_memory) || base == "xchg";
        if places > 1 || *locked && !(may_lock && places == 1 && is_destination) {
            return Err(Halt::NotUnderstood);
        }
        let is_atomic = *locked || (base == "xchg" && places == 1);
        if is_atomic {
            l.emit(Op::AtomicBegin);
        }
        self.compute(l, base, &targets, width)?;
        if is_atomic {
            l.emit(Op::AtomicEnd);
        }
        Ok(())
    }

    fn compute(
        &mut self,
        l: &mut Lowerer<'_>,
        base: &str,
        targets: &[Target],
        width: u16,
    ) -> Step<()> {
        match (base, targets) {
            ("mov", &[source, target]) => {
                let pointer = [source, target].iter().any(|&it| self.prefers_pointer(l, it, width));
                let value = self.get(l, source, width, pointer)?;
                self.put(l, target, value)
            }
            ("lea", &[Target::Memory(address), target @ Target::Slot(_)])
                if width == self.native() =>
            {
                self.put(l, target, address)
            }
            ("xchg", &[first, second]) => {
                let pointer = [first, second].iter().any(|&it| self.prefers_pointer(l, it, width));
                let a = self.get(l, first, width, pointer)?;
                let b = self.get(l, second, width, pointer)?;
                // Both are read before either is written.
                let (to_first, to_second) = (b, a);
                self.put_both(l, (first, to_first), (second, to_second))
            }
            ("xadd", &[source @ Target::Slot(_), target]) => {
                let old = self.get(l, target, width, false)?;
                let added = self.get(l, source, width, false)?;
                let sum = self.sum(l, old, added);
                self.put_both(l, (target, sum), (source, old))
            }
            ("cmpxchg", &[source @ Target::Slot(_), target]) => {
                self.compare_exchange(l, source, target, width)
            }
            ("inc" | "dec", &[target]) => {
                let old = self.get(l, target, width, false)?;
                let carry = self.flags.carry;
                let one = l.program.terms.bv(width, 1);
                let new = match base {
                    "inc" => self.sum(l, old, one),
                    _ => self.difference(l, old, one),
                };
                // The carry flag does not change.
                self.flags.carry = carry;
                self.put(l, target, new)
            }
            ("neg", &[target]) => {
                let old = self.get(l, target, width, false)?;
                let zero = l.program.terms.bv(width, 0);
                let new = self.difference(l, zero, old);
                self.put(l, target, new)
            }
            ("not", &[target]) => {
                let old = self.get(l, target, width, false)?;
                let new = l.program.terms.unary(UnOp::BvNot, old);
                self.put(l, target, new)
            }
            // Adding zero to the top of the stack is a fence.
            (
                "add" | "or" | "sub" | "xor",
                &[Target::Immediate(Immediate::Number(0)), Target::Stack],
            ) => {
                self.flags = Flags::default();
                Ok(())
            }
            ("xor" | "sub", &[Target::Slot(a), target @ Target::Slot(b)]) if a == b => {
                let zero = l.program.terms.bv(width, 0);
                self.logic_flags(l, zero);
                self.put(l, target, zero)
            }
            ("sbb", &[Target::Slot(a), target @ Target::Slot(b)]) if a == b => {
                let carry = understood(self.flags.carry)?;
                let terms = &mut l.program.terms;
                let (ones, zero) = (terms.bv(width, u128::MAX), terms.bv(width, 0));
                let new = terms.ite(carry, ones, zero);
                self.flags = Flags { carry: Some(carry), ..Flags::default() };
                self.put(l, target, new)
            }
            ("add" | "sub" | "and" | "or" | "xor" | "cmp" | "test", &[source, target]) => {
                let operand = self.get(l, source, width, false)?;
                let old = self.get(l, target, width, false)?;
                let new = match base {
                    "add" => self.sum(l, old, operand),
                    "sub" | "cmp" => self.difference(l, old, operand),
                    _ => {
                        let op = match base {
                            "or" => BinOp::BvOr,
                            "xor" => BinOp::BvXor,
                            _ => BinOp::BvAnd,
                        };
                        let new = l.program.terms.binary(op, old, operand);
                        self.logic_flags(l, new);
                        new
                    }
                };
                match base {
                    "cmp" | "test" => Ok(()),
                    _ => self.put(l, target, new),
                }
            }
            ("bt" | "bts" | "btr" | "btc", &[bit, target]) => {
                let (target, mask) = self.bit(l, bit, target, width)?;
                let old = self.get(l, target, width, false)?;
                let terms = &mut l.program.terms;
                let masked = terms.binary(BinOp::BvAnd, old, mask);
                let was_set = terms.is_nonzero(masked);
                let inverse = terms.unary(UnOp::BvNot, mask);
                let new = match base {
                    "bts" => terms.binary(BinOp::BvOr, old, mask),
                    "btr" => terms.binary(BinOp::BvAnd, old, inverse),
                    _ => terms.binary(BinOp::BvXor, old, mask),
                };
                let zero = self.flags.zero;
                self.flags = Flags { carry: Some(was_set), zero, ..Flags::default() };
                if base == "bt" { Ok(()) } else { self.put(l, target, new) }
            }
            _ => Err(Halt::NotUnderstood),
        }
    }

    /// `cmpxchg`: `rax` holds the expected value and gets the old one.
    fn compare_exchange(
        &mut self,
        l: &mut Lowerer<'_>,
        source: Target,
        target: Target,
        width: u16,
    ) -> Step<()> {
        let accumulator = Target::Slot(Register::A.0);
        let pointer =
            [accumulator, source, target].iter().any(|&it| self.prefers_pointer(l, it, width));
        let expected = self.get(l, accumulator, width, pointer)?;
        let new = self.get(l, source, width, pointer)?;
        let old = self.get(l, target, width, pointer)?;
        match pointer {
            // Of addresses, only equality is known.
            true => {
                let zero = l.program.terms.eq(old, expected);
                self.flags = Flags { zero: Some(zero), ..Flags::default() };
            }
            false => {
                self.difference(l, expected, old);
            }
        }
        let equal = understood(self.flags.zero)?;
        let equal = self.kept(l, equal)?;
        self.flags.zero = Some(equal);
        let (success, end) = (l.body.new_loc(), l.body.new_loc());
        l.emit_branch(equal, success, end);
        l.body.start_at(success);
        if let Target::Slot(slot) = target {
            // A register has one value afterwards, on either path.
            l.body.jump(end);
            l.body.start_at(end);
            let value = l.program.terms.ite(equal, new, old);
            self.set_known(l, slot, value)?;
        } else {
            self.put(l, target, new)?;
            l.body.jump(end);
            l.body.start_at(end);
        }
        // If they were equal, the upper bits stay; otherwise they are cleared.
        self.set_known(l, Register::A.0, old)
    }

    /// `cmpxchg8b` and `cmpxchg16b`: `rdx:rax` is expected, `rcx:rbx` is new.
    fn exchange_pair(
        &mut self,
        l: &mut Lowerer<'_>,
        target: &Operand,
        half: u16,
        locked: bool,
    ) -> Step<()> {
        if half > self.native() {
            return Err(Halt::NotUnderstood);
        }
        let target = self.target(l, target)?;
        let registers = [Register::A, Register::D, Register::B, Register::C];
        let mut values = Vec::new();
        for register in registers {
            values.push(self.read(l, register.0, half)?);
        }
        if locked {
            l.emit(Op::AtomicBegin);
        }
        // A variable of twice the width is accessed whole, other memory by halves.
        let whole = 2 * half;
        let olds = match target {
            Target::Variable(_) => {
                let old = self.get(l, target, whole, false)?;
                let terms = &mut l.program.terms;
                [(half - 1, 0), (whole - 1, half)]
                    .map(|(hi, lo)| terms.unary(UnOp::Extract { hi, lo }, old))
            }
            Target::Memory(address) => {
                let mut olds = [address; 2];
                for (number, old) in olds.iter_mut().enumerate() {
                    let at =
                        l.program.terms.ptr_add_const(address, number as u64 * u64::from(half / 8));
                    let sort = l.program.terms.sort(values[number]);
                    *old = self.get(l, Target::Memory(at), half, sort == Sort::Ptr)?;
                }
                olds
            }
            Target::Slot(_) | Target::Immediate(_) | Target::Stack => {
                return Err(Halt::NotUnderstood);
            }
        };
        let terms = &mut l.program.terms;
        let low = terms.eq(olds[0], values[0]);
        let high = terms.eq(olds[1], values[1]);
        let equal = terms.and(low, high);
        let equal = self.kept(l, equal)?;
        self.flags.zero = Some(equal);
        let (success, end) = (l.body.new_loc(), l.body.new_loc());
        l.emit_branch(equal, success, end);
        l.body.start_at(success);
        match target {
            Target::Memory(address) => {
                for (number, &new) in values[2..].iter().enumerate() {
                    let at =
                        l.program.terms.ptr_add_const(address, number as u64 * u64::from(half / 8));
                    self.put(l, Target::Memory(at), new)?;
                }
            }
            _ => {
                let (low, high) = (as_bits(l, values[2]), as_bits(l, values[3]));
                let new = l.program.terms.binary(BinOp::Concat, high, low);
                self.put(l, target, new)?;
            }
        }
        l.body.jump(end);
        l.body.start_at(end);
        if locked {
            l.emit(Op::AtomicEnd);
        }
        self.set_known(l, Register::A.0, olds[0])?;
        self.set_known(l, Register::D.0, olds[1])
    }

    /// Stores a condition in a variable, so that it keeps its value.
    fn kept(&mut self, l: &mut Lowerer<'_>, condition: Term) -> Step<Term> {
        let value = l.bool_value(condition);
        let value = l.snapshot(value);
        let span = l.body.span;
        Ok(l.truth(value, span)?)
    }

    fn sum(&mut self, l: &mut Lowerer<'_>, a: Term, b: Term) -> Term {
        let (a, b) = (as_bits(l, a), as_bits(l, b));
        let terms = &mut l.program.terms;
        let sum = terms.binary(BinOp::BvAdd, a, b);
        let carry = terms.binary(BinOp::BvUlt, sum, a);
        // It overflows if the sign of both operands differs from that of the sum.
        let (x, y) = (terms.binary(BinOp::BvXor, a, sum), terms.binary(BinOp::BvXor, b, sum));
        let both = terms.binary(BinOp::BvAnd, x, y);
        self.result_flags(l, sum, carry, both);
        sum
    }

    fn difference(&mut self, l: &mut Lowerer<'_>, a: Term, b: Term) -> Term {
        let (a, b) = (as_bits(l, a), as_bits(l, b));
        let terms = &mut l.program.terms;
        let difference = terms.binary(BinOp::BvSub, a, b);
        let carry = terms.binary(BinOp::BvUlt, a, b);
        let (x, y) = (terms.binary(BinOp::BvXor, a, b), terms.binary(BinOp::BvXor, a, difference));
        let both = terms.binary(BinOp::BvAnd, x, y);
        self.result_flags(l, difference, carry, both);
        let equal = l.program.terms.eq(a, b);
        self.flags.zero = Some(equal);
        difference
    }

    fn logic_flags(&mut self, l: &mut Lowerer<'_>, result: Term) {
        let (no, zero) = (l.program.terms.bool(false), l.program.terms.bv(bits_in(l, result), 0));
        self.result_flags(l, result, no, zero);
    }

    /// The flags after `result`; it overflowed if the highest bit of `overflow` is set.
    fn result_flags(&mut self, l: &mut Lowerer<'_>, result: Term, carry: Term, overflow: Term) {
        let terms = &mut l.program.terms;
        let zero = terms.zero(terms.sort(result));
        let is_zero = terms.eq(result, zero);
        let sign = terms.binary(BinOp::BvSlt, result, zero);
        let overflow = terms.binary(BinOp::BvSlt, overflow, zero);
        self.flags = Flags {
            zero: Some(is_zero),
            carry: Some(carry),
            sign: Some(sign),
            overflow: Some(overflow),
        };
    }

    /// The place of the bit and its mask. A register may name a bit beyond the operand in memory.
    fn bit(
        &mut self,
        l: &mut Lowerer<'_>,
        bit: Target,
        target: Target,
        width: u16,
    ) -> Step<(Target, Term)> {
        let number = match bit {
            Target::Immediate(Immediate::Number(number)) => {
                l.program.terms.bv(width, number as u128)
            }
            Target::Immediate(Immediate::Term(_)) | Target::Slot(_) => {
                self.get(l, bit, width, false)?
            }
            Target::Memory(_) | Target::Variable(_) | Target::Stack => {
                return Err(Halt::NotUnderstood);
            }
        };
        let terms = &mut l.program.terms;
        let inside = terms.bv(width, u128::from(width - 1));
        let low = terms.binary(BinOp::BvAnd, number, inside);
        let one = terms.bv(width, 1);
        let mask = terms.binary(BinOp::BvShl, one, low);
        let target = match (target, bit) {
            (Target::Slot(_), _) => target,
            (Target::Memory(_) | Target::Variable(_), Target::Immediate(_)) => target,
            (Target::Memory(address), _) => {
                let shift = terms.bv(width, u128::from(width.trailing_zeros()));
                let units = terms.binary(BinOp::BvAshr, number, shift);
                let native = terms.pointer_bits();
                let units = terms.resize(units, native, true);
                let bytes = terms.bv(native, u128::from(width / 8));
                let offset = terms.binary(BinOp::BvMul, units, bytes);
                Target::Memory(terms.ptr_add(address, offset))
            }
            (Target::Variable(_), _) => {
                // Memory beyond the variable is unknown.
                let is_inside = terms.eq(low, number);
                let (yes, no) = (l.body.new_loc(), l.body.new_loc());
                l.emit_branch(is_inside, yes, no);
                l.body.start_at(no);
                l.unsupported("inline assembly");
                l.body.jump(yes);
                l.body.start_at(yes);
                target
            }
            (Target::Immediate(_) | Target::Stack, _) => return Err(Halt::NotUnderstood),
        };
        Ok((target, mask))
    }

    /// The width in which an operand is printed, if it has one.
    fn printed_width(&self, operand: &Operand) -> Option<u16> {
        match operand {
            Operand::Register(_, width) => Some(*width),
            Operand::Argument(argument, width) => {
                let operand = &self.operands[self.find(argument)?];
                match operand.kind {
                    OperandKind::Slot(_) => width.or(operand.width),
                    OperandKind::Memory(_)
                    | OperandKind::Pair
                    | OperandKind::Immediate(_)
                    | OperandKind::Flag(_) => None,
                }
            }
            Operand::Immediate(_) | Operand::Memory { .. } => None,
        }
    }

    /// The assembler rejects registers with a width other than the instruction's.
    fn check_widths(&self, operands: &[&Operand], width: u16) -> Step<()> {
        let fits = |it: &&Operand| self.printed_width(it).is_none_or(|printed| printed == width);
        if operands.iter().all(fits) { Ok(()) } else { Err(Halt::NotUnderstood) }
    }

    fn target(&mut self, l: &mut Lowerer<'_>, operand: &Operand) -> Step<Target> {
        match operand {
            Operand::Immediate(number) => Ok(Target::Immediate(Immediate::Number(*number))),
            Operand::Register(register, _) if self.is_declared(*register) => {
                Ok(Target::Slot(register.0))
            }
            Operand::Register(..) => Err(Halt::NotUnderstood),
            Operand::Argument(argument, _) => {
                let index = understood(self.find(argument))?;
                match self.operands[index].kind {
                    OperandKind::Slot(slot) => Ok(Target::Slot(slot)),
                    OperandKind::Immediate(term) => Ok(Target::Immediate(Immediate::Term(term))),
                    OperandKind::Memory(place) => match place.kind {
                        PlaceKind::Memory(address) => Ok(Target::Memory(address)),
                        PlaceKind::Var(_) => Ok(Target::Variable(index)),
                        PlaceKind::Bits(..) | PlaceKind::Function(_) => Err(Halt::NotUnderstood),
                    },
                    OperandKind::Pair | OperandKind::Flag(_) => Err(Halt::NotUnderstood),
                }
            }
            Operand::Memory { base: Base::Register(Register::STACK), .. } => Ok(Target::Stack),
            Operand::Memory { base, displacement } => {
                let slot = match base {
                    Base::Register(register) if self.is_declared(*register) => register.0,
                    Base::Register(_) => return Err(Halt::NotUnderstood),
                    Base::Argument(argument) => {
                        let index = understood(self.find(argument))?;
                        match self.operands[index].kind {
                            OperandKind::Slot(slot) => slot,
                            OperandKind::Memory(_)
                            | OperandKind::Pair
                            | OperandKind::Immediate(_)
                            | OperandKind::Flag(_) => return Err(Halt::NotUnderstood),
                        }
                    }
                };
                let native = self.native();
                let base = self.read(l, slot, native)?;
                let base = as_pointer(l, base);
                Ok(Target::Memory(l.program.terms.ptr_add_const(base, *displacement as u64)))
            }
        }
    }

    /// Whether an operand is a pointer, by its type or by its value.
    fn prefers_pointer(&self, l: &Lowerer<'_>, target: Target, width: u16) -> bool {
        if width != self.native() {
            return false;
        }
        let of_type = |kind: fn(&OperandKind, Target) -> bool| {
            self.operands.iter().any(|it| kind(&it.kind, target) && l.types.is_pointer(it.ty))
        };
        match target {
            Target::Slot(slot) => {
                self.holds_pointer(l, slot)
                    || of_type(
                        |kind, target| matches!((kind, target), (OperandKind::Slot(a), Target::Slot(b)) if *a == b),
                    )
            }
            Target::Memory(_) => of_type(|kind, target| match (kind, target) {
                (OperandKind::Memory(place), Target::Memory(address)) => {
                    matches!(place.kind, PlaceKind::Memory(other) if other == address)
                }
                _ => false,
            }),
            Target::Variable(index) => l.types.is_pointer(self.operands[index].ty),
            Target::Immediate(Immediate::Term(term)) => l.program.terms.sort(term) == Sort::Ptr,
            Target::Immediate(Immediate::Number(_)) | Target::Stack => false,
        }
    }

    /// The value of an operand; a pointer if `pointer` is set.
    fn get(
        &mut self,
        l: &mut Lowerer<'_>,
        target: Target,
        width: u16,
        pointer: bool,
    ) -> Step<Term> {
        let value = match target {
            Target::Slot(slot) => self.read(l, slot, width)?,
            Target::Immediate(Immediate::Number(number)) => {
                l.program.terms.bv(width, number as u128)
            }
            Target::Immediate(Immediate::Term(term)) if bits_in(l, term) == width => term,
            Target::Immediate(Immediate::Term(term)) => {
                // The assembler extends a number to the needed width.
                let value = understood(l.program.terms.as_bv(term))?;
                let bits = bits_in(l, term);
                let value = l.program.terms.bv(bits, value);
                l.program.terms.resize(value, width, true)
            }
            Target::Memory(address) => {
                self.use_address()?;
                let ty = if pointer { l.types.void_ptr } else { l.unsigned_of_width(width) };
                let ty = l.types.qualify(ty, Qualifiers::ATOMIC);
                l.load_scalar(address, ty)
            }
            Target::Variable(index) => {
                let OperandKind::Memory(place) = self.operands[index].kind else {
                    return Err(Halt::NotUnderstood);
                };
                let value = l.load(place)?;
                let value = l.snapshot(value);
                let value = understood(to_machine(l, value))?;
                understood((bits_in(l, value) == width).then_some(value))?
            }
            Target::Stack => return Err(Halt::NotUnderstood),
        };
        Ok(if pointer { as_pointer(l, value) } else { as_bits(l, value) })
    }

    /// Gives an operand a value of the instruction's width.
    fn put(&mut self, l: &mut Lowerer<'_>, target: Target, value: Term) -> Step<()> {
        match target {
            Target::Slot(slot) => self.write(l, slot, value),
            Target::Memory(addr) => {
                self.use_address()?;
                l.emit(Op::Store { addr, value, order: MemoryOrder::Atomic });
                Ok(())
            }
            Target::Variable(index) => {
                let operand = self.operands[index].clone();
                let OperandKind::Memory(place) = operand.kind else {
                    return Err(Halt::NotUnderstood);
                };
                if operand.width != Some(bits_in(l, value)) {
                    return Err(Halt::NotUnderstood);
                }
                let term = understood(from_machine(l, value, operand.ty))?;
                l.store(place, super::super::Val { term, ty: operand.ty }, false)?;
                Ok(())
            }
            Target::Immediate(_) | Target::Stack => Err(Halt::NotUnderstood),
        }
    }

    /// Gives two operands values; memory comes first, since its address may be in a register.
    fn put_both(
        &mut self,
        l: &mut Lowerer<'_>,
        first: (Target, Term),
        second: (Target, Term),
    ) -> Step<()> {
        let (memory, register) = match first.0 {
            Target::Slot(_) => (second, first),
            _ => (first, second),
        };
        self.put(l, memory.0, memory.1)?;
        self.put(l, register.0, register.1)
    }
}

/// The instruction without its width suffix, and the width.
fn split(name: &str) -> Option<(&str, Option<u16>)> {
    let is_known = |name: &str| WITH_WIDTH.iter().any(|it| it.0 == name);
    if is_known(name) {
        return Some((name, None));
    }
    let (base, suffix) = name.split_at_checked(name.len().checked_sub(1)?)?;
    is_known(base).then_some((base, Some(suffix_width(suffix)?)))
}

fn suffix_width(suffix: &str) -> Option<u16> {
    match suffix {
        "b" => Some(8),
        "w" => Some(16),
        "l" => Some(32),
        "q" => Some(64),
        _ => None,
    }
}

/// Whether an instruction such as `movzbl` keeps the sign, and its source and destination widths.
fn widening(name: &str) -> Option<(bool, u16, u16)> {
    let (signed, widths) = match (name.strip_prefix("movz"), name.strip_prefix("movs")) {
        (Some(widths), _) => (false, widths),
        (_, Some(widths)) => (true, widths),
        (None, None) => return None,
    };
    let (from, to) = widths.split_at_checked(1)?;
    let (from, to) = (suffix_width(from)?, suffix_width(to)?);
    (from < to && (from, signed) != (32, false)).then_some((signed, from, to))
}
