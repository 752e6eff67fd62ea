//! From Z3 expressions back to terms: Booleans, bit-vectors, and pointers as far as they are moved
//! and compared as a whole.

use ravelin_term::{BinOp, Sort, Term, TermKind, TermPool, UnOp};
use rustc_hash::FxHashMap;
use z3::DeclKind;
use z3::ast::{Ast, AstKind, Dynamic};

use super::bits_of;
use super::encode::{OBJECT_BITS, name_of};

/// An expression that no term stands for, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotATerm(pub String);

/// Makes terms of expressions over known variables.
pub(super) struct Decoder<'a> {
    pool: &'a mut TermPool,
    vars: FxHashMap<String, Term>,
    done: FxHashMap<Dynamic, Term>,
}

impl<'a> Decoder<'a> {
    /// For expressions over the variables of these terms.
    pub(super) fn new(pool: &'a mut TermPool, terms: &[Term]) -> Self {
        let mut vars = FxHashMap::default();
        for &term in terms {
            pool.for_each_subterm(term, |subterm, kind| {
                if let TermKind::Var(var) = kind {
                    vars.insert(name_of(var), subterm);
                }
            });
        }
        Decoder { pool, vars, done: FxHashMap::default() }
    }

    /// The term of an expression, made without recursion.
    pub(super) fn decode(&mut self, expr: &Dynamic) -> Result<Term, NotATerm> {
        let mut work = vec![expr.clone()];
        while let Some(next) = work.last().cloned() {
            if self.done.contains_key(&next) {
                work.pop();
                continue;
            }
            if !matches!(next.kind(), AstKind::App | AstKind::Numeral) {
                return Err(NotATerm(next.to_string()));
            }
            let pending = work.len();
            let operands = self.operands(&next);
            work.extend(operands.into_iter().filter(|operand| !self.done.contains_key(operand)));
            if work.len() == pending {
                work.pop();
                let term = self.node(&next).ok_or_else(|| NotATerm(next.to_string()))?;
                self.done.insert(next, term);
            }
        }
        Ok(self.done[expr])
    }

    /// The width of pointers as bit-vectors. No bit-vector of C has it.
    fn pointer_width(&self) -> u32 {
        OBJECT_BITS + u32::from(self.pool.pointer_bits())
    }

    fn is_pointer(&self, expr: &Dynamic) -> bool {
        expr.as_bv().is_some_and(|bv| bv.get_size() == self.pointer_width())
    }

    /// What must be decoded before the expression.
    fn operands(&self, expr: &Dynamic) -> Vec<Dynamic> {
        match self.moved_pointer(expr) {
            Some((base, added)) => [base].into_iter().chain(added).collect(),
            None => expr.children(),
        }
    }

    /// The parts of a concatenation that is the object of a pointer and its offset plus something.
    fn moved_pointer(&self, expr: &Dynamic) -> Option<(Dynamic, Vec<Dynamic>)> {
        if expr.decl().kind() != DeclKind::Concat || !self.is_pointer(expr) {
            return None;
        }
        let [object, offset]: [Dynamic; 2] = expr.children().try_into().ok()?;
        let base = part_of_pointer(&object)?;
        let size = self.pointer_width();
        if !self.is_pointer(&base) || !is_extract(&object, &base, size - 1, size - OBJECT_BITS) {
            return None;
        }
        let is_offset = |expr: &Dynamic| is_extract(expr, &base, size - OBJECT_BITS - 1, 0);
        if is_offset(&offset) {
            return Some((base, Vec::new()));
        }
        if offset.decl().kind() != DeclKind::Badd {
            return None;
        }
        let (own, added): (Vec<Dynamic>, Vec<Dynamic>) =
            offset.children().into_iter().partition(|summand| is_offset(summand));
        (own.len() == 1).then_some((base, added))
    }

    fn node(&mut self, expr: &Dynamic) -> Option<Term> {
        if let Some((base, added)) = self.moved_pointer(expr) {
            let mut pointer = self.done[&base];
            for summand in added {
                pointer = self.pool.ptr_add(pointer, self.done[&summand]);
            }
            return Some(pointer);
        }
        let operands: Vec<Term> = expr.children().iter().map(|child| self.done[child]).collect();
        let kind = expr.decl().kind();
        match kind {
            DeclKind::True => Some(self.pool.bool(true)),
            DeclKind::False => Some(self.pool.bool(false)),
            DeclKind::And => Some(self.fold_bool(BinOp::And, &operands)),
            DeclKind::Or => Some(self.fold_bool(BinOp::Or, &operands)),
            DeclKind::Not => self.unary(UnOp::Not, &operands),
            DeclKind::Implies => {
                let &[a, b] = operands.as_slice() else { return None };
                let not_a = self.pool.not(a);
                Some(self.pool.or(not_a, b))
            }
            DeclKind::Eq | DeclKind::Iff => self.equal(&operands),
            DeclKind::Distinct | DeclKind::Xor if operands.len() == 2 => {
                let equal = self.equal(&operands)?;
                Some(self.pool.not(equal))
            }
            DeclKind::Ite => {
                let &[cond, a, b] = operands.as_slice() else { return None };
                (self.pool.sort(a) == self.pool.sort(b)).then(|| self.pool.ite(cond, a, b))
            }
            DeclKind::Uninterpreted if operands.is_empty() => {
                self.vars.get(&expr.decl().name()).copied()
            }
            DeclKind::Bnum => {
                let value = expr.as_bv()?;
                let bits = bits_of(&value)?;
                if value.get_size() == self.pointer_width() {
                    let pointer_bits = self.pool.pointer_bits();
                    let object = self.pool.bv(OBJECT_BITS as u16, bits >> pointer_bits);
                    let offset = self.pool.bv(pointer_bits, bits);
                    return Some(self.pool.binary(BinOp::PtrMake, object, offset));
                }
                Some(self.pool.bv(width(expr)?, bits))
            }
            _ => self.bit_vector(kind, expr, &operands),
        }
    }

    fn bit_vector(&mut self, kind: DeclKind, expr: &Dynamic, operands: &[Term]) -> Option<Term> {
        match kind {
            DeclKind::Bneg => self.unary(UnOp::BvNeg, operands),
            DeclKind::Bnot => self.unary(UnOp::BvNot, operands),
            DeclKind::Badd => self.fold(BinOp::BvAdd, operands),
            DeclKind::Bsub => self.fold(BinOp::BvSub, operands),
            DeclKind::Bmul => self.fold(BinOp::BvMul, operands),
            DeclKind::Band => self.fold(BinOp::BvAnd, operands),
            DeclKind::Bor => self.fold(BinOp::BvOr, operands),
            DeclKind::Bxor => self.fold(BinOp::BvXor, operands),
            // Those whose divisor is known not to be zero have the same value.
            DeclKind::Bsdiv | DeclKind::BsdivI => self.fold(BinOp::BvSdiv, operands),
            DeclKind::Budiv | DeclKind::BudivI => self.fold(BinOp::BvUdiv, operands),
            DeclKind::Bsrem | DeclKind::BsremI => self.fold(BinOp::BvSrem, operands),
            DeclKind::Burem | DeclKind::BuremI => self.fold(BinOp::BvUrem, operands),
            DeclKind::Bshl => self.fold(BinOp::BvShl, operands),
            DeclKind::Blshr => self.fold(BinOp::BvLshr, operands),
            DeclKind::Bashr => self.fold(BinOp::BvAshr, operands),
            DeclKind::Uleq => self.fold(BinOp::BvUle, operands),
            DeclKind::Sleq => self.fold(BinOp::BvSle, operands),
            DeclKind::Ult => self.fold(BinOp::BvUlt, operands),
            DeclKind::Slt => self.fold(BinOp::BvSlt, operands),
            DeclKind::Ugeq => self.reversed(BinOp::BvUle, operands),
            DeclKind::Sgeq => self.reversed(BinOp::BvSle, operands),
            DeclKind::Ugt => self.reversed(BinOp::BvUlt, operands),
            DeclKind::Sgt => self.reversed(BinOp::BvSlt, operands),
            DeclKind::Concat if self.is_pointer(expr) => {
                let &[object, offset] = operands else { return None };
                self.fold(BinOp::PtrMake, &[object, offset])
            }
            DeclKind::Concat => self.fold(BinOp::Concat, operands),
            DeclKind::ZeroExt => self.unary(UnOp::ZeroExt(width(expr)?), operands),
            DeclKind::SignExt => self.unary(UnOp::SignExt(width(expr)?), operands),
            DeclKind::Extract => {
                let lo = lowest_bit(expr)?;
                let hi = lo + width(expr)? - 1;
                if let &[pointer] = operands
                    && self.pool.sort(pointer) == Sort::Ptr
                {
                    let bits = self.pool.pointer_bits();
                    return match (hi + 1, lo) {
                        (width, 0) if width == bits => self.unary(UnOp::PtrOffset, operands),
                        (width, at) if at == bits && u32::from(width) == self.pointer_width() => {
                            self.unary(UnOp::PtrObject, operands)
                        }
                        _ => None,
                    };
                }
                self.unary(UnOp::Extract { hi, lo }, operands)
            }
            _ => None,
        }
    }

    fn unary(&mut self, op: UnOp, operands: &[Term]) -> Option<Term> {
        let &[a] = operands else { return None };
        self.pool.unary_sort(op, self.pool.sort(a))?;
        Some(self.pool.unary(op, a))
    }

    /// The operator between all operands, from the left.
    fn fold(&mut self, op: BinOp, operands: &[Term]) -> Option<Term> {
        let (&first, rest) = operands.split_first()?;
        rest.iter().try_fold(first, |left, &right| {
            self.pool.binary_sort(op, self.pool.sort(left), self.pool.sort(right))?;
            Some(self.pool.binary(op, left, right))
        })
    }

    fn fold_bool(&mut self, op: BinOp, operands: &[Term]) -> Term {
        let neutral = self.pool.bool(op == BinOp::And);
        operands.iter().fold(neutral, |left, &right| self.pool.binary(op, left, right))
    }

    fn reversed(&mut self, op: BinOp, operands: &[Term]) -> Option<Term> {
        let &[a, b] = operands else { return None };
        self.fold(op, &[b, a])
    }

    fn equal(&mut self, operands: &[Term]) -> Option<Term> {
        let &[a, b] = operands else { return None };
        (self.pool.sort(a) == self.pool.sort(b) && self.pool.sort(a) != Sort::Mem)
            .then(|| self.pool.eq(a, b))
    }
}

/// The width of a bit-vector that terms have.
fn width(expr: &Dynamic) -> Option<u16> {
    let size = u16::try_from(expr.as_bv()?.get_size()).ok()?;
    (size <= Sort::MAX_WIDTH).then_some(size)
}

/// What an extraction extracts from.
fn part_of_pointer(expr: &Dynamic) -> Option<Dynamic> {
    (expr.decl().kind() == DeclKind::Extract).then(|| expr.nth_child(0))?
}

fn is_extract(expr: &Dynamic, of: &Dynamic, hi: u32, lo: u32) -> bool {
    of.as_bv().is_some_and(|of| Dynamic::from(of.extract(hi, lo)).ast_eq(expr))
}

/// The lowest bit that an extraction extracts. The bindings do not tell, but equal expressions are
/// one: so all possible ones are tried.
fn lowest_bit(expr: &Dynamic) -> Option<u16> {
    let (size, of) = (expr.as_bv()?.get_size(), expr.nth_child(0)?);
    let last = of.as_bv()?.get_size().checked_sub(size)?;
    (0..=last).find(|&lo| is_extract(expr, &of, lo + size - 1, lo)).map(|lo| lo as u16)
}
