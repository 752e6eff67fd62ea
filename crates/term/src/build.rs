//! Builders of terms. Each folds constants and applies the local rewrites that C code makes
//! frequent: conversions there and back, comparisons of `0`/`1` results, offsets added in steps.
//!
//! Every rewrite makes the term smaller or moves a constant to the right, so building ends, and
//! what is built is a normal form of these rules.

use crate::{BinOp, FloatKind, Sort, Term, TermKind, TermPool, UnOp, fold};

impl TermPool {
    /// `op` applied to `a`, simplified.
    ///
    /// # Panics
    /// When `op` does not apply to the sort of `a`: callers check sorts first.
    pub fn unary(&mut self, op: UnOp, a: Term) -> Term {
        let from = self.sort(a);
        let sort = self
            .unary_sort(op, from)
            .unwrap_or_else(|| panic!("{op:?} does not apply to a term of sort {from}"));
        if let Some(folded) = self.fold_unary(op, a, sort) {
            return folded;
        }
        if let Some(simpler) = self.rewrite_unary(op, a) {
            return simpler;
        }
        self.intern(TermKind::Unary(op, a), sort)
    }

    /// `op` applied to `a` and `b`, simplified.
    ///
    /// # Panics
    /// When `op` does not apply to the sorts of `a` and `b`: callers check sorts first.
    pub fn binary(&mut self, op: BinOp, a: Term, b: Term) -> Term {
        let (sort_a, sort_b) = (self.sort(a), self.sort(b));
        let sort = self
            .binary_sort(op, sort_a, sort_b)
            .unwrap_or_else(|| panic!("{op:?} does not apply to terms of sort {sort_a}, {sort_b}"));
        if let Some(folded) = self.fold_binary(op, a, b) {
            return folded;
        }
        let (a, b) = if is_commutative(op) && self.comes_after(a, b) { (b, a) } else { (a, b) };
        if let Some(simpler) = self.rewrite_binary(op, a, b, sort) {
            return simpler;
        }
        self.intern(TermKind::Binary(op, a, b), sort)
    }

    /// `if cond then a else b`, simplified.
    ///
    /// # Panics
    /// When `cond` is not Boolean or the sorts of `a` and `b` differ.
    pub fn ite(&mut self, cond: Term, a: Term, b: Term) -> Term {
        let sort = self.sort(a);
        assert_eq!(self.sort(cond), Sort::Bool, "the condition of ite must be Boolean");
        assert_eq!(sort, self.sort(b), "the branches of ite must have one sort");
        match self.kind(cond) {
            TermKind::Bool(true) => return a,
            TermKind::Bool(false) => return b,
            TermKind::Unary(UnOp::Not, inner) => return self.ite(inner, b, a),
            _ => {}
        }
        if a == b {
            return a;
        }
        match (self.kind(a), self.kind(b)) {
            (TermKind::Bool(true), TermKind::Bool(false)) => return cond,
            (TermKind::Bool(false), TermKind::Bool(true)) => return self.not(cond),
            (TermKind::Bool(true), _) => return self.or(cond, b),
            (TermKind::Bool(false), _) => {
                let not_cond = self.not(cond);
                return self.and(not_cond, b);
            }
            (_, TermKind::Bool(true)) => {
                let not_cond = self.not(cond);
                return self.or(not_cond, a);
            }
            (_, TermKind::Bool(false)) => return self.and(cond, a),
            _ => {}
        }
        self.intern(TermKind::Ite(cond, a, b), sort)
    }

    pub fn not(&mut self, a: Term) -> Term {
        self.unary(UnOp::Not, a)
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.binary(BinOp::And, a, b)
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.binary(BinOp::Or, a, b)
    }

    /// Equality of two terms of one sort; IEEE equality for floats.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        let op = if matches!(self.sort(a), Sort::Float(_)) { BinOp::FEq } else { BinOp::Eq };
        self.binary(op, a, b)
    }

    /// Whether the term differs from the zero of its sort: C's meaning of a scalar as a condition.
    pub fn is_nonzero(&mut self, a: Term) -> Term {
        let zero = self.zero(self.sort(a));
        let is_zero = self.eq(a, zero);
        self.not(is_zero)
    }

    /// 1 where the condition holds, else 0, in `width` bits.
    pub fn bool_to_bv(&mut self, cond: Term, width: u16) -> Term {
        let (one, zero) = (self.bv(width, 1), self.bv(width, 0));
        self.ite(cond, one, zero)
    }

    /// The low bits of `a`, or `a` extended by its sign or by zeros, in `width` bits.
    pub fn resize(&mut self, a: Term, width: u16, signed: bool) -> Term {
        let from = self.sort(a).width().expect("resize takes a bit-vector");
        match from.cmp(&width) {
            std::cmp::Ordering::Equal => a,
            std::cmp::Ordering::Greater => self.unary(UnOp::Extract { hi: width - 1, lo: 0 }, a),
            std::cmp::Ordering::Less if signed => self.unary(UnOp::SignExt(width), a),
            std::cmp::Ordering::Less => self.unary(UnOp::ZeroExt(width), a),
        }
    }

    /// `pointer` moved by `offset` bytes.
    pub fn ptr_add(&mut self, pointer: Term, offset: Term) -> Term {
        self.binary(BinOp::PtrAdd, pointer, offset)
    }

    /// `pointer` moved by a constant number of bytes.
    pub fn ptr_add_const(&mut self, pointer: Term, offset: u64) -> Term {
        let offset = self.offset(offset);
        self.ptr_add(pointer, offset)
    }

    fn fold_unary(&mut self, op: UnOp, a: Term, sort: Sort) -> Option<Term> {
        match (self.kind(a), self.sort(a)) {
            (TermKind::Bool(value), _) if op == UnOp::Not => Some(self.bool(!value)),
            (TermKind::Bv(value), Sort::Bv(width)) => match op {
                UnOp::BvNot => Some(self.bv(width, !value)),
                UnOp::BvNeg => Some(self.bv(width, value.wrapping_neg())),
                UnOp::ZeroExt(to) => Some(self.bv(to, value)),
                UnOp::SignExt(to) => Some(self.bv(to, fold::sign_extend(value, width) as u128)),
                UnOp::Extract { hi, lo } => Some(self.bv(hi - lo + 1, value >> lo)),
                UnOp::SToF(to) => self.fold_to_float(true, width, value, to),
                UnOp::UToF(to) => self.fold_to_float(false, width, value, to),
                UnOp::BitsToF(kind) => Some(self.float(kind, value)),
                UnOp::IntToPtr if value == 0 => Some(self.null()),
                _ => None,
            },
            (TermKind::Float(bits), Sort::Float(kind)) => match op {
                UnOp::FNeg | UnOp::FAbs | UnOp::FSqrt | UnOp::FRound(_) => {
                    let bits = fold::float_unary(op, kind, bits)?;
                    Some(self.float(kind, bits))
                }
                UnOp::FIsNan | UnOp::FIsInf | UnOp::FIsNegative => {
                    let value = fold::float_test(op, kind, bits)?;
                    Some(self.bool(value))
                }
                UnOp::FToF(to) => {
                    let bits = fold::float_to_float(kind, bits, to)?;
                    Some(self.float(to, bits))
                }
                UnOp::FToS(width) => {
                    let value = fold::float_to_int(true, width, kind, bits)?;
                    Some(self.bv(width, value))
                }
                UnOp::FToU(width) => {
                    let value = fold::float_to_int(false, width, kind, bits)?;
                    Some(self.bv(width, value))
                }
                UnOp::FToBits => Some(self.bv(kind.bits(), bits)),
                _ => None,
            },
            (TermKind::Null, _) if op == UnOp::PtrToInt => Some(self.zero(sort)),
            _ => None,
        }
    }

    fn fold_to_float(
        &mut self,
        signed: bool,
        width: u16,
        value: u128,
        to: FloatKind,
    ) -> Option<Term> {
        let bits = fold::int_to_float(signed, width, value, to)?;
        Some(self.float(to, bits))
    }

    fn rewrite_unary(&mut self, op: UnOp, a: Term) -> Option<Term> {
        match (op, self.kind(a)) {
            (UnOp::Not, TermKind::Unary(UnOp::Not, inner))
            | (UnOp::BvNot, TermKind::Unary(UnOp::BvNot, inner))
            | (UnOp::BvNeg, TermKind::Unary(UnOp::BvNeg, inner))
            | (UnOp::IntToPtr, TermKind::Unary(UnOp::PtrToInt, inner)) => Some(inner),
            (UnOp::FToF(kind), _) if self.sort(a) == Sort::Float(kind) => Some(a),
            // not (a < b) is b <= a; not so for floats, where both fail on NaN.
            (UnOp::Not, TermKind::Binary(BinOp::BvUlt, x, y)) => {
                Some(self.binary(BinOp::BvUle, y, x))
            }
            (UnOp::Not, TermKind::Binary(BinOp::BvSlt, x, y)) => {
                Some(self.binary(BinOp::BvSle, y, x))
            }
            (UnOp::Not, TermKind::Binary(BinOp::BvUle, x, y)) => {
                Some(self.binary(BinOp::BvUlt, y, x))
            }
            (UnOp::Not, TermKind::Binary(BinOp::BvSle, x, y)) => {
                Some(self.binary(BinOp::BvSlt, y, x))
            }
            (UnOp::ZeroExt(to), TermKind::Unary(UnOp::ZeroExt(_), inner)) => {
                Some(self.unary(UnOp::ZeroExt(to), inner))
            }
            (
                UnOp::SignExt(to),
                TermKind::Unary(op @ (UnOp::SignExt(_) | UnOp::ZeroExt(_)), inner),
            ) => {
                // A zero-extended value has a clear sign bit, so extending it again adds zeros.
                let op = if matches!(op, UnOp::SignExt(_)) {
                    UnOp::SignExt(to)
                } else {
                    UnOp::ZeroExt(to)
                };
                Some(self.unary(op, inner))
            }
            (UnOp::Extract { hi, lo }, inner) => self.rewrite_extract(hi, lo, a, inner),
            (
                UnOp::ZeroExt(_) | UnOp::SignExt(_) | UnOp::BvNeg,
                TermKind::Ite(cond, then, other),
            ) if self.is_literal(then) && self.is_literal(other) => {
                let (then, other) = (self.unary(op, then), self.unary(op, other));
                Some(self.ite(cond, then, other))
            }
            // The address of (0, n) is n: offsetof written by hand.
            (UnOp::PtrToInt, TermKind::Binary(BinOp::PtrAdd, base, offset))
                if self.kind(base) == TermKind::Null =>
            {
                Some(offset)
            }
            // (T *)((intptr_t)p + n) comes back to p's object: provenance is kept where it is seen.
            (UnOp::IntToPtr, TermKind::Binary(BinOp::BvAdd, x, y)) => {
                if let TermKind::Unary(UnOp::PtrToInt, p) = self.kind(x) {
                    Some(self.ptr_add(p, y))
                } else if let TermKind::Unary(UnOp::PtrToInt, p) = self.kind(y) {
                    Some(self.ptr_add(p, x))
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    fn rewrite_extract(&mut self, hi: u16, lo: u16, a: Term, kind: TermKind) -> Option<Term> {
        let width = self.sort(a).width()?;
        if lo == 0 && hi + 1 == width {
            return Some(a);
        }
        match kind {
            TermKind::Unary(UnOp::Extract { lo: inner_lo, .. }, inner) => {
                let op = UnOp::Extract { hi: hi + inner_lo, lo: lo + inner_lo };
                Some(self.unary(op, inner))
            }
            TermKind::Unary(op @ (UnOp::ZeroExt(_) | UnOp::SignExt(_)), inner) => {
                let inner_width = self.sort(inner).width()?;
                if hi < inner_width {
                    return Some(self.unary(UnOp::Extract { hi, lo }, inner));
                }
                if lo >= inner_width && matches!(op, UnOp::ZeroExt(_)) {
                    return Some(self.bv(hi - lo + 1, 0));
                }
                if lo == 0 {
                    let signed = matches!(op, UnOp::SignExt(_));
                    return Some(self.resize(inner, hi + 1, signed));
                }
                None
            }
            TermKind::Ite(cond, then, other) if self.is_literal(then) && self.is_literal(other) => {
                let op = UnOp::Extract { hi, lo };
                let (then, other) = (self.unary(op, then), self.unary(op, other));
                Some(self.ite(cond, then, other))
            }
            _ => None,
        }
    }

    fn fold_binary(&mut self, op: BinOp, a: Term, b: Term) -> Option<Term> {
        match (self.kind(a), self.kind(b), self.sort(a), self.sort(b)) {
            (TermKind::Bool(x), TermKind::Bool(y), ..) if op == BinOp::Eq => {
                Some(self.bool(x == y))
            }
            (TermKind::Bv(x), TermKind::Bv(y), Sort::Bv(width), Sort::Bv(low_width)) => {
                if op == BinOp::Concat {
                    return Some(self.bv(width + low_width, x << low_width | y));
                }
                if let Some(value) = fold::bv_binary(op, width, x, y) {
                    return Some(self.bv(width, value));
                }
                let value = fold::bv_compare(op, width, x, y)?;
                Some(self.bool(value))
            }
            (TermKind::Float(x), TermKind::Float(y), Sort::Float(kind), _) => {
                if let Some(bits) = fold::float_binary(op, kind, x, y) {
                    return Some(self.float(kind, bits));
                }
                let value = fold::float_compare(op, kind, x, y)?;
                Some(self.bool(value))
            }
            _ => None,
        }
    }

    fn rewrite_binary(&mut self, op: BinOp, a: Term, b: Term, sort: Sort) -> Option<Term> {
        match op {
            BinOp::And | BinOp::Or => self.rewrite_logical(op, a, b),
            BinOp::Eq => self.rewrite_eq(a, b),
            BinOp::BvUlt | BinOp::BvSlt | BinOp::PtrLt if a == b => Some(self.bool(false)),
            BinOp::BvUle | BinOp::BvSle | BinOp::PtrLe if a == b => Some(self.bool(true)),
            // Nothing is below zero.
            BinOp::BvUlt if self.as_bv(b) == Some(0) => Some(self.bool(false)),
            BinOp::BvUle if self.as_bv(a) == Some(0) => Some(self.bool(true)),
            BinOp::PtrAdd => self.rewrite_ptr_add(a, b),
            BinOp::PtrDiff => self.rewrite_ptr_diff(a, b),
            _ => self.rewrite_arithmetic(op, a, b, sort),
        }
    }

    fn rewrite_logical(&mut self, op: BinOp, a: Term, b: Term) -> Option<Term> {
        let absorbing = op == BinOp::Or;
        if a == b {
            return Some(a);
        }
        if let Some(value) = self.as_bool(b) {
            return Some(if value == absorbing { b } else { a });
        }
        let complementary = self.kind(a) == TermKind::Unary(UnOp::Not, b)
            || self.kind(b) == TermKind::Unary(UnOp::Not, a);
        complementary.then(|| self.bool(absorbing))
    }

    fn rewrite_eq(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.bool(true));
        }
        if let Some(value) = self.as_bool(b) {
            return Some(if value { a } else { self.not(a) });
        }
        match (self.kind(a), self.kind(b)) {
            // (c ? 1 : 0) == 0, which every C condition that goes through an int makes.
            (TermKind::Ite(cond, then, other), TermKind::Bv(_))
                if self.is_literal(then) && self.is_literal(other) =>
            {
                let (then, other) = (self.eq(then, b), self.eq(other, b));
                Some(self.ite(cond, then, other))
            }
            // Extended values compare as the narrow ones do, if the constant is such an extension.
            (
                TermKind::Unary(op @ (UnOp::ZeroExt(_) | UnOp::SignExt(_)), inner),
                TermKind::Bv(value),
            ) => {
                let (narrow, wide) = (self.sort(inner).width()?, self.sort(a).width()?);
                let low = self.bv(narrow, value);
                let signed = matches!(op, UnOp::SignExt(_));
                let restored = self.resize(low, wide, signed);
                Some(if restored == b { self.eq(inner, low) } else { self.bool(false) })
            }
            // C11 6.5.9p6: distinct objects have distinct addresses, none of them null.
            (TermKind::Address(_), TermKind::Null | TermKind::Address(_)) => Some(self.bool(false)),
            _ => None,
        }
    }

    fn rewrite_ptr_add(&mut self, pointer: Term, offset: Term) -> Option<Term> {
        if self.as_bv(offset) == Some(0) {
            return Some(pointer);
        }
        // (p + x) + c has the constant outermost; (p + c1) + c2 adds up.
        if let TermKind::Binary(BinOp::PtrAdd, base, inner) = self.kind(pointer)
            && self.as_bv(inner).is_some()
        {
            if self.as_bv(offset).is_some() {
                let sum = self.binary(BinOp::BvAdd, inner, offset);
                return Some(self.ptr_add(base, sum));
            }
            let moved = self.ptr_add(base, offset);
            return Some(self.ptr_add(moved, inner));
        }
        None
    }

    fn rewrite_ptr_diff(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.offset(0));
        }
        let split = |pool: &TermPool, term| match pool.kind(term) {
            TermKind::Binary(BinOp::PtrAdd, base, offset) => (base, Some(offset)),
            _ => (term, None),
        };
        let ((base_a, offset_a), (base_b, offset_b)) = (split(self, a), split(self, b));
        if base_a != base_b {
            return None;
        }
        let zero = self.offset(0);
        Some(self.binary(BinOp::BvSub, offset_a.unwrap_or(zero), offset_b.unwrap_or(zero)))
    }

    fn rewrite_arithmetic(&mut self, op: BinOp, a: Term, b: Term, sort: Sort) -> Option<Term> {
        let zero = |pool: &mut TermPool| pool.zero(sort);
        let all_ones = match sort {
            Sort::Bv(width) => fold::truncate(u128::MAX, width),
            Sort::Bool | Sort::Float(_) | Sort::Ptr => return None,
        };
        match (op, self.as_bv(b)) {
            (
                BinOp::BvAdd
                | BinOp::BvSub
                | BinOp::BvOr
                | BinOp::BvXor
                | BinOp::BvShl
                | BinOp::BvLshr
                | BinOp::BvAshr,
                Some(0),
            )
            | (BinOp::BvMul | BinOp::BvUdiv | BinOp::BvSdiv, Some(1)) => Some(a),
            (BinOp::BvMul | BinOp::BvAnd, Some(0)) | (BinOp::BvUrem | BinOp::BvSrem, Some(1)) => {
                Some(zero(self))
            }
            (BinOp::BvAnd, Some(mask)) if mask == all_ones => Some(a),
            (BinOp::BvOr, Some(mask)) if mask == all_ones => Some(b),
            (BinOp::BvSub | BinOp::BvXor, _) if a == b => Some(zero(self)),
            (BinOp::BvAnd | BinOp::BvOr, _) if a == b => Some(a),
            // x - c is x + (-c), and constants added in steps add up: i++ twice is i + 2.
            (BinOp::BvSub, Some(_)) => {
                let negated = self.unary(UnOp::BvNeg, b);
                Some(self.binary(BinOp::BvAdd, a, negated))
            }
            (BinOp::BvAdd, Some(_)) => match self.kind(a) {
                TermKind::Binary(BinOp::BvAdd, x, inner) if self.as_bv(inner).is_some() => {
                    let sum = self.binary(BinOp::BvAdd, inner, b);
                    Some(self.binary(BinOp::BvAdd, x, sum))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

fn is_commutative(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::And
            | BinOp::Or
            | BinOp::Eq
            | BinOp::BvAdd
            | BinOp::BvMul
            | BinOp::BvAnd
            | BinOp::BvOr
            | BinOp::BvXor
    )
}
