//! Builtins that count and swap bits, and arithmetic with overflow checks, as terms.

use lang_c::span::Span;
use ravelin_cfa::{Sort, Term};
use ravelin_term::{BinOp, TermKind, UnOp};

use super::{Lowerer, Result, Val};
use crate::library::{BitOp, OverflowOp};
use crate::types::{Ty, TypeKind};

impl Lowerer<'_> {
    /// Counting bits, as a 32-bit term.
    pub fn count_bits(&mut self, op: BitOp, value: Term) -> Term {
        let width = self.program.terms.sort(value).width().unwrap_or(32);
        match op {
            BitOp::Population => self.population(value, width),
            BitOp::Parity => {
                let count = self.population(value, width);
                let one = self.program.terms.bv(32, 1);
                self.program.terms.binary(BinOp::BvAnd, count, one)
            }
            BitOp::CountTrailingZeros => {
                self.first_set(value, 0..width, |index| index, u128::from(width))
            }
            BitOp::FindFirstSet => self.first_set(value, 0..width, |index| index + 1, 0),
            BitOp::CountLeadingZeros => self.first_set(
                value,
                (0..width).rev(),
                move |index| width - 1 - index,
                u128::from(width),
            ),
            BitOp::CountRedundantSigns => {
                // The leading zeros of x ^ (x >> 1) (arithmetic), without the sign bit itself.
                let one = self.program.terms.bv(width, 1);
                let shifted = self.program.terms.binary(BinOp::BvAshr, value, one);
                let changes = self.program.terms.binary(BinOp::BvXor, value, shifted);
                self.first_set(
                    changes,
                    (0..width - 1).rev(),
                    move |index| width - 2 - index,
                    u128::from(width - 1),
                )
            }
        }
    }

    fn bit(&mut self, value: Term, index: u16) -> Term {
        self.program.terms.unary(UnOp::Extract { hi: index, lo: index }, value)
    }

    fn population(&mut self, value: Term, width: u16) -> Term {
        let mut sum = self.program.terms.bv(32, 0);
        for index in 0..width {
            let bit = self.bit(value, index);
            let bit = self.program.terms.resize(bit, 32, false);
            sum = self.program.terms.binary(BinOp::BvAdd, sum, bit);
        }
        sum
    }

    /// The value of `result` for the first index at which a bit is set, and `none` if no bit is.
    fn first_set(
        &mut self,
        value: Term,
        order: impl DoubleEndedIterator<Item = u16>,
        result: impl Fn(u16) -> u16,
        none: u128,
    ) -> Term {
        let mut term = self.program.terms.bv(32, none);
        for index in order.rev() {
            let bit = self.bit(value, index);
            let is_set = self.program.terms.is_nonzero(bit);
            let found = self.program.terms.bv(32, u128::from(result(index)));
            term = self.program.terms.ite(is_set, found, term);
        }
        term
    }

    pub fn swap_bytes(&mut self, value: Term) -> Term {
        let width = self.program.terms.sort(value).width().unwrap_or(8);
        let byte = |lowerer: &mut Self, lo: u16| {
            lowerer.program.terms.unary(UnOp::Extract { hi: lo + 7, lo }, value)
        };
        let mut swapped = byte(self, 0);
        for lo in (8..width).step_by(8) {
            let next = byte(self, lo);
            swapped = self.program.terms.binary(BinOp::Concat, swapped, next);
        }
        swapped
    }

    pub fn overflow_function(
        &mut self,
        op: OverflowOp,
        operand: Option<Ty>,
        args: &[Val],
        span: Span,
    ) -> Result<Val> {
        let [a, b, pointer] = args else {
            return self.error(span, "three arguments are needed");
        };
        let place = self.pointed_to(*pointer, span)?;
        let (mut a, mut b) = (*a, *b);
        let mut ty = self.types.unqualified(place.ty);
        if let Some(operand) = operand {
            a = self.convert(a, operand, span)?;
            b = self.convert(b, operand, span)?;
            ty = operand;
        }
        let (value, overflows) = self.overflow(op, a, b, ty, span)?;
        let overflows = self.bool_value(overflows);
        let overflows = self.snapshot(overflows);
        self.store(place, Val { term: value, ty }, false)?;
        let ty = self.types.bool;
        Ok(self.convert_scalar(overflows, ty))
    }

    /// The wrapped result in type `ty`, and whether the exact one does not fit. Computed in a width
    /// that holds every exact result, if there is one.
    pub fn overflow(
        &mut self,
        op: OverflowOp,
        a: Val,
        b: Val,
        ty: Ty,
        span: Span,
    ) -> Result<(Term, Term)> {
        let widths = [a.ty, b.ty, ty].map(|ty| self.types.int_width(ty));
        let [Some(wa), Some(wb), Some(wr)] = widths else {
            return self.error(span, "integers are needed");
        };
        let exact = match op {
            OverflowOp::Add | OverflowOp::Sub => wa.max(wb) + 2,
            // No product of unsigned numbers looks like a sign-extended one: it ends below the top.
            OverflowOp::Mul => wa + wb,
        }
        .max(wr + 2);
        if exact > Sort::MAX_WIDTH {
            return Ok(self.overflow_in_widest(op, a, b, ty));
        }
        let (sa, sb) = (self.types.is_signed(a.ty), self.types.is_signed(b.ty));
        let sr = self.types.is_signed(ty);
        let is_bool = matches!(self.types.kind(ty), TypeKind::Bool);
        let terms = &mut self.program.terms;
        let a = terms.resize(a.term, exact, sa);
        let b = terms.resize(b.term, exact, sb);
        let op = match op {
            OverflowOp::Add => BinOp::BvAdd,
            OverflowOp::Sub => BinOp::BvSub,
            OverflowOp::Mul => BinOp::BvMul,
        };
        let full = terms.binary(op, a, b);
        let value = terms.resize(full, if is_bool { 1 } else { wr }, false);
        let value = terms.resize(value, wr, false);
        let restored = terms.resize(value, exact, sr);
        let fits = terms.eq(full, restored);
        let overflows = terms.not(fits);
        Ok((value, overflows))
    }

    /// The number of type `ty` nearest to the exact result. Operands of that type exceed it upward
    /// by addition unless the second one is negative, and by subtraction if it is.
    pub fn saturating(
        &mut self,
        op: OverflowOp,
        a: Val,
        b: Val,
        ty: Ty,
        span: Span,
    ) -> Result<Val> {
        let [a, b] = [a, b].map(|val| self.convert_scalar(val, ty));
        let (value, overflows) = self.overflow(op, a, b, ty, span)?;
        let width = self.types.int_width(ty).unwrap_or(Sort::MAX_WIDTH);
        let signed = self.types.is_signed(ty);
        let terms = &mut self.program.terms;
        let all = terms.bv(width, u128::MAX >> (128 - u32::from(width)));
        let one = terms.bv(width, 1);
        let zero = terms.bv(width, 0);
        let (least, most) = match signed {
            true => (terms.bv(width, 1 << (width - 1)), terms.binary(BinOp::BvLshr, all, one)),
            false => (zero, all),
        };
        let is_negative = match signed {
            true => terms.binary(BinOp::BvSlt, b.term, zero),
            false => terms.bool(false),
        };
        let nearest = match op {
            OverflowOp::Add => terms.ite(is_negative, least, most),
            OverflowOp::Sub => terms.ite(is_negative, most, least),
            OverflowOp::Mul => return self.error(span, "a product does not saturate"),
        };
        let term = terms.ite(overflows, nearest, value);
        Ok(Val { term, ty })
    }

    /// As [`Self::overflow`] where no type holds the exact result: by the rules of 128-bit
    /// arithmetic, for operands that agree in their signs.
    fn overflow_in_widest(&mut self, op: OverflowOp, a: Val, b: Val, ty: Ty) -> (Term, Term) {
        const WIDTH: u16 = Sort::MAX_WIDTH;
        let is_widest_unsigned = |lowerer: &Self, ty: Ty| {
            lowerer.types.int_width(ty) == Some(WIDTH) && !lowerer.types.is_signed(ty)
        };
        // A value promoted from an unsigned type is signed, but never negative.
        let may_be_signed = |lowerer: &Self, val: Val| {
            lowerer.types.is_signed(val.ty) && !lowerer.is_non_negative(val.term)
        };
        let (sa, sb) = (may_be_signed(self, a), may_be_signed(self, b));
        let sr = self.types.is_signed(ty);
        let wr = self.types.int_width(ty).unwrap_or(WIDTH);
        let may_be_negative = sr && op == OverflowOp::Sub;
        let all_unsigned = !(sa || sb || may_be_negative);
        let fit_signed = ![a.ty, b.ty, ty].iter().any(|&ty| is_widest_unsigned(self, ty));
        if !all_unsigned && !fit_signed {
            self.unsupported("overflow arithmetic on 128-bit integers of different signs");
            return (self.program.terms.bv(wr, 0), self.program.terms.bool(false));
        }
        let signed = !all_unsigned;
        let terms = &mut self.program.terms;
        let (a, b) = (terms.resize(a.term, WIDTH, sa), terms.resize(b.term, WIDTH, sb));
        let zero = terms.bv(WIDTH, 0);
        let (result, wraps) = match (op, signed) {
            (OverflowOp::Add, false) => {
                let sum = terms.binary(BinOp::BvAdd, a, b);
                (sum, terms.binary(BinOp::BvUlt, sum, a))
            }
            (OverflowOp::Sub, false) => {
                (terms.binary(BinOp::BvSub, a, b), terms.binary(BinOp::BvUlt, a, b))
            }
            (OverflowOp::Add, true) => {
                // The sum's sign differs from that of both operands.
                let sum = terms.binary(BinOp::BvAdd, a, b);
                let (x, y) =
                    (terms.binary(BinOp::BvXor, a, sum), terms.binary(BinOp::BvXor, b, sum));
                let both = terms.binary(BinOp::BvAnd, x, y);
                (sum, terms.binary(BinOp::BvSlt, both, zero))
            }
            (OverflowOp::Sub, true) => {
                let difference = terms.binary(BinOp::BvSub, a, b);
                let x = terms.binary(BinOp::BvXor, a, b);
                let y = terms.binary(BinOp::BvXor, a, difference);
                let both = terms.binary(BinOp::BvAnd, x, y);
                (difference, terms.binary(BinOp::BvSlt, both, zero))
            }
            (OverflowOp::Mul, _) => {
                let product = terms.binary(BinOp::BvMul, a, b);
                return self.check_widest_product(product, a, b, signed, ty);
            }
        };
        self.narrow_result(result, wraps, signed, ty)
    }

    /// Whether a term's sign bit is clear according to its form.
    fn is_non_negative(&self, term: Term) -> bool {
        match self.program.terms.kind(term) {
            TermKind::Unary(UnOp::ZeroExt(_), _) => true,
            TermKind::Ite(_, a, b) => self.is_non_negative(a) && self.is_non_negative(b),
            _ => self.program.terms.as_signed(term).is_some_and(|value| value >= 0),
        }
    }

    /// A product did not wrap if the division gives the operand back. The division is guarded:
    /// against zero, and against the one quotient that does not fit.
    fn check_widest_product(
        &mut self,
        product: Term,
        a: Term,
        b: Term,
        signed: bool,
        ty: Ty,
    ) -> (Term, Term) {
        let width = Sort::MAX_WIDTH;
        let terms = &mut self.program.terms;
        let (zero, one) = (terms.bv(width, 0), terms.bv(width, 1));
        let (minus_one, least) = (terms.bv(width, u128::MAX), terms.bv(width, 1 << (width - 1)));
        let a_is_zero = terms.eq(a, zero);
        let a_negates = terms.eq(a, minus_one);
        let a_negates = if signed { a_negates } else { terms.bool(false) };
        let trivial = terms.or(a_is_zero, a_negates);
        let divisor = terms.ite(trivial, one, a);
        let op = if signed { BinOp::BvSdiv } else { BinOp::BvUdiv };
        let quotient = terms.binary(op, product, divisor);
        let returns = terms.eq(quotient, b);
        let differs = terms.not(returns);
        let b_is_least = terms.eq(b, least);
        let negation_wraps = terms.and(a_negates, b_is_least);
        let not_trivial = terms.not(trivial);
        let division_tells = terms.and(not_trivial, differs);
        let wraps = terms.or(negation_wraps, division_tells);
        self.narrow_result(product, wraps, signed, ty)
    }

    /// A 128-bit result converted to its type, and whether it wrapped before or wraps now.
    fn narrow_result(&mut self, result: Term, wraps: Term, signed: bool, ty: Ty) -> (Term, Term) {
        let width = self.types.int_width(ty).unwrap_or(Sort::MAX_WIDTH);
        let result_signed = self.types.is_signed(ty);
        let terms = &mut self.program.terms;
        let value = terms.resize(result, width, false);
        let restored = terms.resize(value, Sort::MAX_WIDTH, result_signed);
        let same = terms.eq(result, restored);
        let changes = terms.not(same);
        let zero = terms.bv(Sort::MAX_WIDTH, 0);
        // The same bits are a different number if their signedness differs.
        let is_negative = terms.binary(BinOp::BvSlt, result, zero);
        let misread = if signed == result_signed { terms.bool(false) } else { is_negative };
        let changes = terms.or(changes, misread);
        (value, terms.or(wraps, changes))
    }
}
