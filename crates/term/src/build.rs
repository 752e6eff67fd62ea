//! Builders of terms. Each folds constants and applies the local rewrites that C code makes
//! frequent: conversions there and back, comparisons of `0`/`1` results, offsets added in steps.
//!
//! Every rewrite makes the term smaller or moves a constant to the right, so building terminates,
//! and the result is a normal form of these rules.

use crate::{BinOp, FloatKind, Sort, Term, TermKind, TermPool, UnOp, bin_ops, fold};

impl TermPool {
    /// `op` applied to `a`, simplified.
    ///
    /// # Panics
    /// If `op` does not apply to the sort of `a`: callers check sorts first.
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
    /// If `op` does not apply to the sorts of `a` and `b`: callers check sorts first.
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
    /// If `cond` is not Boolean or the sorts of `a` and `b` differ.
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
            // The condition is known in its own branches.
            (TermKind::Ite(inner, then, _), _) if inner == cond => return self.ite(cond, then, b),
            (_, TermKind::Ite(inner, _, other)) if inner == cond => {
                return self.ite(cond, a, other);
            }
            // A choice between two writes to one place becomes a write of a choice.
            (TermKind::Write(mem, pointer, x), TermKind::Write(mem_b, pointer_b, y))
                if (mem, pointer) == (mem_b, pointer_b) && self.sort(x) == self.sort(y) =>
            {
                let value = self.ite(cond, x, y);
                return self.write(mem, pointer, value);
            }
            _ => {}
        }
        if a == cond {
            return self.or(cond, b);
        }
        if b == cond {
            return self.and(cond, a);
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

    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
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
            | (UnOp::FNeg, TermKind::Unary(UnOp::FNeg, inner)) => Some(inner),
            (UnOp::PtrToInt, _) => self.rewrite_ptr_to_int(a),
            (UnOp::IntToPtr, _) => self.rewrite_int_to_ptr(a),
            (UnOp::PtrObject, _) => self.rewrite_ptr_object(a),
            (UnOp::PtrOffset, _) => self.rewrite_ptr_offset(a),
            // -(x + c) is (-c) - x, -(x - y) is y - x, and -(~x) is x + 1.
            (UnOp::BvNeg, TermKind::Binary(BinOp::BvAdd, x, c)) if self.is_literal(c) => {
                let negated = self.unary(UnOp::BvNeg, c);
                Some(self.binary(BinOp::BvSub, negated, x))
            }
            (UnOp::BvNeg, TermKind::Binary(BinOp::BvSub, x, y)) => {
                Some(self.binary(BinOp::BvSub, y, x))
            }
            (UnOp::BvNeg, TermKind::Unary(UnOp::BvNot, x)) => {
                let one = self.bv(self.sort(x).width()?, 1);
                Some(self.binary(BinOp::BvAdd, x, one))
            }
            (UnOp::BvNot, TermKind::Unary(UnOp::BvNeg, x)) => {
                let one = self.bv(self.sort(x).width()?, 1);
                Some(self.binary(BinOp::BvSub, x, one))
            }
            // The bits of a float made from bits are these bits.
            (UnOp::FToBits, TermKind::Unary(UnOp::BitsToF(_), bits)) => Some(bits),
            (UnOp::BitsToF(_), TermKind::Unary(UnOp::FToBits, float))
                if self.sort(float) == self.unary_sort(op, self.sort(a))? =>
            {
                Some(float)
            }
            (UnOp::FIsNan, _) if self.is_surely_nan(a) => Some(self.bool(true)),
            (UnOp::FIsInf, _) if self.is_surely_nan(a) => Some(self.bool(false)),
            (UnOp::FToF(kind), _) if self.sort(a) == Sort::Float(kind) => Some(a),
            // not (a < b) is b <= a. This does not hold for floats, where both fail on NaN.
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
            TermKind::Binary(BinOp::Concat, high, low) => {
                let low_width = self.sort(low).width()?;
                if hi < low_width {
                    Some(self.unary(UnOp::Extract { hi, lo }, low))
                } else if lo >= low_width {
                    let op = UnOp::Extract { hi: hi - low_width, lo: lo - low_width };
                    Some(self.unary(op, high))
                } else {
                    None
                }
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
            BinOp::BvUlt | BinOp::BvUle | BinOp::BvSlt | BinOp::BvSle => {
                self.rewrite_order(op, a, b)
            }
            BinOp::PtrLt | BinOp::PtrLe if a == b => Some(self.bool(op == BinOp::PtrLe)),
            BinOp::PtrLt | BinOp::PtrLe => self.rewrite_ptr_order(op, a, b),
            BinOp::PtrAdd => self.rewrite_ptr_add(a, b),
            BinOp::PtrDiff => self.rewrite_ptr_diff(a, b),
            BinOp::PtrMake => self.rewrite_ptr_make(a, b),
            BinOp::Concat => self.rewrite_concat(a, b),
            bin_ops!(float_arithmetic) => None,
            BinOp::FEq | BinOp::FLt | BinOp::FLe => {
                (self.is_surely_nan(a) || self.is_surely_nan(b)).then(|| self.bool(false))
            }
            bin_ops!(bv_arithmetic, bv_division) => self.rewrite_arithmetic(op, a, b, sort),
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
        if self.are_opposite(a, b) {
            return Some(self.bool(absorbing));
        }
        // x and (x and y), x and (x or y), x and (not x and y), and so with `or` outside.
        for (part, whole) in [(a, b), (b, a)] {
            if let TermKind::Binary(inner @ (BinOp::And | BinOp::Or), x, y) = self.kind(whole) {
                if x == part || y == part {
                    return Some(if inner == op { whole } else { part });
                }
                if inner == op && (self.are_opposite(part, x) || self.are_opposite(part, y)) {
                    return Some(self.bool(absorbing));
                }
            }
        }
        None
    }

    /// Whether one is the negation of the other, by syntax. The negation of an order is the
    /// reversed order.
    fn are_opposite(&self, a: Term, b: Term) -> bool {
        match (self.kind(a), self.kind(b)) {
            (TermKind::Unary(UnOp::Not, inner), _) if inner == b => true,
            (_, TermKind::Unary(UnOp::Not, inner)) if inner == a => true,
            (TermKind::Binary(op_a, x, y), TermKind::Binary(op_b, z, w)) => {
                (x, y) == (w, z)
                    && matches!(
                        (op_a, op_b),
                        (BinOp::BvUlt, BinOp::BvUle)
                            | (BinOp::BvUle, BinOp::BvUlt)
                            | (BinOp::BvSlt, BinOp::BvSle)
                            | (BinOp::BvSle, BinOp::BvSlt)
                    )
            }
            _ => false,
        }
    }

    fn rewrite_concat(&mut self, high: Term, low: Term) -> Option<Term> {
        let (high_width, low_width) = (self.sort(high).width()?, self.sort(low).width()?);
        if self.as_bv(high) == Some(0) {
            return Some(self.unary(UnOp::ZeroExt(high_width + low_width), low));
        }
        match (self.kind(high), self.kind(low)) {
            (
                TermKind::Unary(UnOp::Extract { hi, lo: middle }, of),
                TermKind::Unary(UnOp::Extract { hi: below, lo }, same),
            ) if of == same && below + 1 == middle => {
                Some(self.unary(UnOp::Extract { hi, lo }, of))
            }
            _ => None,
        }
    }

    fn rewrite_arithmetic(&mut self, op: BinOp, a: Term, b: Term, sort: Sort) -> Option<Term> {
        let zero = |pool: &mut TermPool| pool.zero(sort);
        let Sort::Bv(width) = sort else { return None };
        let all_ones = fold::truncate(u128::MAX, width);
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
            (BinOp::BvShl | BinOp::BvLshr, Some(by)) if by >= u128::from(width) => Some(zero(self)),
            (BinOp::BvShl | BinOp::BvLshr | BinOp::BvAshr, _) if self.as_bv(a) == Some(0) => {
                Some(a)
            }
            (BinOp::BvAnd, Some(mask)) if mask == all_ones => Some(a),
            (BinOp::BvAnd, Some(mask))
                if self.without_address(a, 128 - mask.leading_zeros()).is_some() =>
            {
                let bits = self.without_address(a, 128 - mask.leading_zeros())?;
                Some(self.binary(op, bits, b))
            }
            (BinOp::BvUrem, Some(divisor))
                if divisor.is_power_of_two()
                    && self.without_address(a, divisor.trailing_zeros()).is_some() =>
            {
                let bits = self.without_address(a, divisor.trailing_zeros())?;
                Some(self.binary(op, bits, b))
            }
            (BinOp::BvOr, Some(mask)) if mask == all_ones => Some(b),
            (BinOp::BvXor, Some(mask)) if mask == all_ones => Some(self.unary(UnOp::BvNot, a)),
            (BinOp::BvSub | BinOp::BvXor, _) if a == b => Some(zero(self)),
            (BinOp::BvAnd | BinOp::BvOr, _) if a == b => Some(a),
            (BinOp::BvSub, _) if self.as_bv(a) == Some(0) => Some(self.unary(UnOp::BvNeg, b)),
            // x - c is x + (-c), and constants added in steps add up: i++ twice is i + 2.
            (BinOp::BvSub, Some(_)) => {
                let negated = self.unary(UnOp::BvNeg, b);
                Some(self.binary(BinOp::BvAdd, a, negated))
            }
            (BinOp::BvAdd | BinOp::BvSub, _) => self.rewrite_sum(op, a, b),
            (BinOp::BvMul | BinOp::BvAnd | BinOp::BvOr | BinOp::BvXor, Some(_)) => {
                match self.kind(a) {
                    TermKind::Binary(inner, x, c) if inner == op && self.is_literal(c) => {
                        let constant = self.binary(op, c, b);
                        Some(self.binary(op, x, constant))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Constants stand rightmost in a sum, and equal terms with opposite signs cancel.
    fn rewrite_sum(&mut self, op: BinOp, a: Term, b: Term) -> Option<Term> {
        if let Some((x, constant)) = self.as_sum_with_constant(a) {
            return Some(if self.is_literal(b) {
                let sum = self.binary(BinOp::BvAdd, constant, b);
                self.binary(BinOp::BvAdd, x, sum)
            } else {
                let rest = self.binary(op, x, b);
                self.binary(BinOp::BvAdd, rest, constant)
            });
        }
        if let Some((x, constant)) = self.as_sum_with_constant(b) {
            let rest = self.binary(op, a, x);
            return Some(self.binary(op, rest, constant));
        }
        let opposite = if op == BinOp::BvAdd { BinOp::BvSub } else { BinOp::BvAdd };
        match (self.kind(a), self.kind(b)) {
            // (c - x) + d, and c - (d - x).
            (TermKind::Binary(BinOp::BvSub, constant, x), _)
                if self.is_literal(constant) && self.is_literal(b) =>
            {
                let constant = self.binary(op, constant, b);
                Some(self.binary(BinOp::BvSub, constant, x))
            }
            (_, TermKind::Binary(BinOp::BvSub, constant, x))
                if op == BinOp::BvSub && self.is_literal(constant) && self.is_literal(a) =>
            {
                let constant = self.binary(BinOp::BvSub, a, constant);
                Some(self.binary(BinOp::BvAdd, x, constant))
            }
            (TermKind::Binary(inner, x, y), _) if inner == opposite && y == b => Some(x),
            (TermKind::Binary(BinOp::BvAdd, x, y), _) if op == BinOp::BvSub && x == b => Some(y),
            (_, TermKind::Binary(BinOp::BvSub, x, y)) if y == a && op == BinOp::BvAdd => Some(x),
            // All other sums with a negated operand are differences.
            (_, TermKind::Unary(UnOp::BvNeg, y)) => Some(self.binary(opposite, a, y)),
            (TermKind::Unary(UnOp::BvNeg, x), _) if op == BinOp::BvAdd => {
                Some(self.binary(BinOp::BvSub, b, x))
            }
            _ => None,
        }
    }

    /// Splits `x + c` into `x` and `c`.
    pub(crate) fn as_sum_with_constant(&self, term: Term) -> Option<(Term, Term)> {
        match self.kind(term) {
            TermKind::Binary(BinOp::BvAdd, x, constant) if self.is_literal(constant) => {
                Some((x, constant))
            }
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
