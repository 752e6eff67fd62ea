//! Rewrites of comparisons: equality, the orders of bit-vectors, and floats that are NaN.
//!
//! Equalities are simplified in a loop: terms nest deeper than the stack allows.

use smallvec::SmallVec;

use crate::{
    BinOp, FloatKind, Sort, Term, TermKind, TermPool, UnOp, bin_ops, fold, term_kinds, un_ops,
};

/// The maximum number of constants in a choice into which comparisons are moved.
const MAX_CONSTANTS: usize = 8;

impl TermPool {
    /// `a` is to the left of `b` in the order of commutative operands.
    pub(crate) fn rewrite_eq(&mut self, a: Term, b: Term) -> Option<Term> {
        let (mut left, mut right) = (a, b);
        loop {
            if left == right {
                return Some(self.bool(true));
            }
            if self.comes_after(left, right) {
                (left, right) = (right, left);
            }
            if let (TermKind::Bv(x), TermKind::Bv(y)) = (self.kind(left), self.kind(right)) {
                return Some(self.bool(x == y));
            }
            let step = match self.sort(left) {
                Sort::Bool => self.simplify_bool_eq(left, right),
                Sort::Bv(_) => self.simplify_bv_eq(left, right),
                Sort::Ptr => self
                    .rewrite_choice(BinOp::Eq, left, right)
                    .or_else(|| self.rewrite_ptr_eq(left, right))
                    .map_or(Equation::Same, Equation::Is),
                Sort::Float(_) | Sort::Mem => Equation::Same,
            };
            match step {
                Equation::Is(term) => return Some(term),
                Equation::Of(x, y) => (left, right) = (x, y),
                Equation::Same if (left, right) == (a, b) => return None,
                Equation::Same => {
                    return Some(self.intern(TermKind::Binary(BinOp::Eq, left, right), Sort::Bool));
                }
            }
        }
    }

    fn simplify_bool_eq(&mut self, a: Term, b: Term) -> Equation {
        if let Some(value) = self.as_bool(b) {
            return Equation::Is(if value { a } else { self.not(a) });
        }
        match (self.kind(a), self.kind(b)) {
            (TermKind::Unary(UnOp::Not, x), TermKind::Unary(UnOp::Not, y)) => Equation::Of(x, y),
            (TermKind::Unary(UnOp::Not, x), _) if x == b => Equation::Is(self.bool(false)),
            (_, TermKind::Unary(UnOp::Not, y)) if a == y => Equation::Is(self.bool(false)),
            _ => Equation::Same,
        }
    }

    fn simplify_bv_eq(&mut self, a: Term, b: Term) -> Equation {
        if let Some(term) = self.rewrite_choice(BinOp::Eq, a, b) {
            return Equation::Is(term);
        }
        match (self.as_bv(b), self.sort(a).width()) {
            (Some(value), Some(width)) => self.simplify_eq_constant(a, b, value, width),
            _ => self.simplify_eq_terms(a, b),
        }
    }

    /// A comparison of a choice of constants with a constant: `(c ? 1 : 0) == 0`. Every C condition
    /// that goes through an int yields one.
    fn rewrite_choice(&mut self, op: BinOp, a: Term, b: Term) -> Option<Term> {
        let (cond, cases) = match (self.kind(a), self.kind(b)) {
            (TermKind::Ite(cond, x, y), _) if self.is_constant(b) && self.is_choice(a) => {
                (cond, [(x, b), (y, b)])
            }
            (_, TermKind::Ite(cond, x, y)) if self.is_constant(a) && self.is_choice(b) => {
                (cond, [(a, x), (a, y)])
            }
            _ => return None,
        };
        let [then, other] = cases.map(|(a, b)| self.binary(op, a, b));
        Some(self.ite(cond, then, other))
    }

    fn is_constant(&self, term: Term) -> bool {
        self.is_literal(term) || self.is_constant_pointer(term)
    }

    /// Whether the term is a choice of few constants.
    fn is_choice(&self, term: Term) -> bool {
        let mut work: SmallVec<[Term; MAX_CONSTANTS]> = SmallVec::new();
        work.push(term);
        let mut constants = 0;
        while let Some(next) = work.pop() {
            match self.kind(next) {
                TermKind::Ite(_, a, b) => work.extend([a, b]),
                _ if self.is_constant(next) => constants += 1,
                _ => return false,
            }
            if constants + work.len() > MAX_CONSTANTS {
                return false;
            }
        }
        true
    }

    /// `b` is the constant `value`.
    fn simplify_eq_constant(&mut self, a: Term, b: Term, value: u128, width: u16) -> Equation {
        match self.kind(a) {
            // Extended values compare as the narrow ones do, if the constant is such an extension.
            TermKind::Unary(op @ (UnOp::ZeroExt(_) | UnOp::SignExt(_)), inner) => {
                let narrow = self.sort(inner).width().unwrap_or(width);
                let low = self.bv(narrow, value);
                let signed = matches!(op, UnOp::SignExt(_));
                if self.resize(low, width, signed) == b {
                    Equation::Of(inner, low)
                } else {
                    Equation::Is(self.bool(false))
                }
            }
            TermKind::Unary(op @ (UnOp::BvNeg | UnOp::BvNot), inner) => {
                Equation::Of(inner, self.unary(op, b))
            }
            TermKind::Binary(BinOp::BvAdd, x, constant) if self.is_literal(constant) => {
                Equation::Of(x, self.binary(BinOp::BvSub, b, constant))
            }
            TermKind::Binary(BinOp::BvSub, constant, x) if self.is_literal(constant) => {
                Equation::Of(x, self.binary(BinOp::BvSub, constant, b))
            }
            TermKind::Binary(BinOp::BvXor, x, constant) if self.is_literal(constant) => {
                Equation::Of(x, self.binary(BinOp::BvXor, b, constant))
            }
            TermKind::Binary(BinOp::BvSub | BinOp::BvXor, x, y) if value == 0 => Equation::Of(x, y),
            // Both parts are narrower, so the recursion is shallow.
            TermKind::Binary(BinOp::Concat, high, low) => {
                let low_width = self.sort(low).width().unwrap_or(width);
                let high_value = self.bv(width - low_width, value >> low_width);
                let low_value = self.bv(low_width, value);
                let (high, low) = (self.eq(high, high_value), self.eq(low, low_value));
                Equation::Is(self.and(high, low))
            }
            _ => Equation::Same,
        }
    }

    fn simplify_eq_terms(&mut self, a: Term, b: Term) -> Equation {
        match (self.kind(a), self.kind(b)) {
            // Both extensions keep different values apart.
            (TermKind::Unary(op, x), TermKind::Unary(same, y))
                if op == same
                    && matches!(op, UnOp::ZeroExt(_) | UnOp::SignExt(_))
                    && self.sort(x) == self.sort(y) =>
            {
                Equation::Of(x, y)
            }
            (TermKind::Binary(BinOp::BvAdd, x, y), _) if x == b || y == b => {
                let zero = self.zero(self.sort(b));
                Equation::Of(if x == b { y } else { x }, zero)
            }
            (_, TermKind::Binary(BinOp::BvAdd, x, y)) if x == a || y == a => {
                let zero = self.zero(self.sort(a));
                Equation::Of(if x == a { y } else { x }, zero)
            }
            (TermKind::Binary(BinOp::BvAdd, x, y), TermKind::Binary(BinOp::BvAdd, z, w)) => {
                let pairs = [(x, z, y, w), (x, w, y, z), (y, z, x, w), (y, w, x, z)];
                match pairs.into_iter().find(|(one, other, ..)| one == other) {
                    Some((.., left, right)) => Equation::Of(left, right),
                    None => Equation::Same,
                }
            }
            _ => Equation::Same,
        }
    }

    /// `op` is one of the orders of bit-vectors.
    pub(crate) fn rewrite_order(&mut self, op: BinOp, a: Term, b: Term) -> Option<Term> {
        let strict = matches!(op, BinOp::BvUlt | BinOp::BvSlt);
        let signed = matches!(op, BinOp::BvSlt | BinOp::BvSle);
        if a == b {
            return Some(self.bool(!strict));
        }
        let width = self.sort(a).width()?;
        let (lowest, highest) = if signed {
            (1 << (width - 1), fold::truncate(u128::MAX, width) >> 1)
        } else {
            (0, fold::truncate(u128::MAX, width))
        };
        // No value lies beyond the bounds of the type, and only the bound itself equals it.
        let (low, high) = (self.as_bv(a), self.as_bv(b));
        if strict && (high == Some(lowest) || low == Some(highest)) {
            return Some(self.bool(false));
        }
        if !strict && (low == Some(lowest) || high == Some(highest)) {
            return Some(self.bool(true));
        }
        if (low == Some(lowest) || high == Some(highest)) && strict {
            let same = self.eq(a, b);
            return Some(self.not(same));
        }
        if (low == Some(highest) || high == Some(lowest)) && !strict {
            return Some(self.eq(a, b));
        }
        self.rewrite_choice(op, a, b).or_else(|| self.rewrite_extended_order(op, a, b))
    }

    /// Orders of extended values are orders of the narrow ones.
    fn rewrite_extended_order(&mut self, op: BinOp, a: Term, b: Term) -> Option<Term> {
        let strict = matches!(op, BinOp::BvUlt | BinOp::BvSlt);
        let extension = |pool: &TermPool, term| match pool.kind(term) {
            TermKind::Unary(UnOp::ZeroExt(_), inner) => Some((inner, false)),
            TermKind::Unary(UnOp::SignExt(_), inner) => Some((inner, true)),
            _ => None,
        };
        // A zero-extended value is not negative, so both orders are the unsigned one of the narrow
        // values; a sign-extended one has the order of its sign.
        // (In the unsigned order too: sign extension moves the upper half up.)
        let narrow_op = |of_signed: bool| match (of_signed, strict) {
            (true, _) => op,
            (false, true) => BinOp::BvUlt,
            (false, false) => BinOp::BvUle,
        };
        match (extension(self, a), extension(self, b)) {
            (Some((x, kind)), Some((y, same))) if kind == same && self.sort(x) == self.sort(y) => {
                let op = narrow_op(kind);
                Some(self.binary(op, x, y))
            }
            (Some((x, of_signed)), None) if self.is_literal(b) => {
                self.rewrite_narrow(op, narrow_op(of_signed), (x, of_signed), b, false)
            }
            (None, Some((y, of_signed))) if self.is_literal(a) => {
                self.rewrite_narrow(op, narrow_op(of_signed), (y, of_signed), a, true)
            }
            _ => None,
        }
    }

    /// The order of the extension of `inner` and a constant, which stands on the left if `flipped`.
    fn rewrite_narrow(
        &mut self,
        op: BinOp,
        narrow_op: BinOp,
        (inner, of_signed): (Term, bool),
        constant: Term,
        flipped: bool,
    ) -> Option<Term> {
        let (narrow, wide) = (self.sort(inner).width()?, self.sort(constant).width()?);
        let low = self.bv(narrow, self.as_bv(constant)?);
        if self.resize(low, wide, of_signed) == constant {
            let (a, b) = if flipped { (low, inner) } else { (inner, low) };
            return Some(self.binary(narrow_op, a, b));
        }
        // The constant is not an extension. The extensions form an interval in the order, so the
        // constant is above or below all of them; but sign extensions form two intervals in the
        // unsigned order.
        if of_signed && matches!(op, BinOp::BvUlt | BinOp::BvUle) {
            return None;
        }
        let zero = self.bv(narrow, if of_signed { 1 << (narrow - 1) } else { 0 });
        let least = self.resize(zero, wide, of_signed);
        let (a, b) = if flipped { (constant, least) } else { (least, constant) };
        Some(self.binary(op, a, b))
    }

    /// Whether the term is NaN for all values of the variables. NaN results of operations are not
    /// literals, because their bits are the hardware's choice.
    pub(crate) fn is_surely_nan(&self, term: Term) -> bool {
        const LIMIT: usize = 16;
        let is_narrow =
            |term| matches!(self.sort(term), Sort::Float(FloatKind::F32 | FloatKind::F64));
        let mut work: SmallVec<[Term; LIMIT]> = SmallVec::new();
        work.push(term);
        for _ in 0..LIMIT {
            let Some(next) = work.pop() else { return false };
            match self.kind(next) {
                TermKind::Float(bits) => {
                    if let Sort::Float(kind) = self.sort(next)
                        && fold::float_test(UnOp::FIsNan, kind, bits) == Some(true)
                    {
                        return true;
                    }
                }
                // An operand that is NaN makes the result NaN. An operation on literals that does
                // not fold is NaN.
                TermKind::Unary(un_ops!(float), a) => {
                    if self.is_literal(a) && is_narrow(a) && is_narrow(next) {
                        return true;
                    }
                    work.push(a);
                }
                TermKind::Binary(bin_ops!(float_arithmetic), a, b) => {
                    if self.is_literal(a) && self.is_literal(b) && is_narrow(next) {
                        return true;
                    }
                    work.extend([a, b]);
                }
                term_kinds!(inner)
                | TermKind::Bool(_)
                | TermKind::Bv(_)
                | TermKind::Null
                | TermKind::Var(_)
                | TermKind::Address(_) => {}
            }
        }
        false
    }
}

/// The result of one step of simplifying an equality.
enum Equation {
    Is(Term),
    /// Equality of two other terms.
    Of(Term, Term),
    Same,
}
