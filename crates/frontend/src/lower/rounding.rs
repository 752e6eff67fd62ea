//! The rounding mode of floats as state (C11 7.6.3). Only programs that name a function which changes
//! it have a variable for it; in all others everything rounds to nearest, without a test.
//!
//! Terms round to nearest. Another mode gives the same number or a neighbour of it: the exact
//! result decides, and a wider format holds it for `float` and `double`.

use lang_c::span::Span;
use ravelin_base::SrcPos;
use ravelin_cfa::{Sort, Term, Var, VarData, VarKind};
use ravelin_term::{BinOp, FloatKind, Rounding, UnOp};

use super::{Lowerer, Result, Val};
use crate::types::TypeKind;

/// The values of glibc's `FE_…` on x86, 0 being to nearest.
const DOWNWARD: u128 = 0x400;
const UPWARD: u128 = 0x800;
const TOWARD_ZERO: u128 = 0xc00;

/// An operation that rounds, with operands of the kind of its result but for the last.
#[derive(Clone, Copy)]
pub(crate) enum Inexact {
    Add(Term, Term),
    Multiply(Term, Term),
    Divide(Term, Term),
    SquareRoot(Term),
    /// From a wider float.
    Narrow(FloatKind, Term),
    FromInteger {
        signed: bool,
        value: Term,
    },
}

/// How the exact result lies to the rounded one.
struct Exact {
    above: Term,
    below: Term,
    /// Whether a result of zero is negative when rounded downward.
    negative_zero: Option<Term>,
}

impl Lowerer<'_> {
    /// Makes the variable for the mode, if the program may change it.
    pub fn declare_rounding_mode(&mut self) {
        if self.facts.changes_rounding {
            let name = self.intern("%rounding");
            let init = Some(self.program.terms.bv(32, 0));
            let kind = VarKind::ThreadLocal { init };
            let data = VarData { name, sort: Sort::Bv(32), signed: false, kind, pos: SrcPos::NONE };
            self.rounding = Some(self.program.vars.push(data));
        }
    }

    /// `int fegetround(void)`.
    pub fn get_rounding(&mut self) -> Val {
        let term = match self.rounding {
            Some(mode) => self.program.read(mode),
            None => self.program.terms.bv(32, 0),
        };
        let value = Val { term, ty: self.types.int };
        self.snapshot(value)
    }

    /// `int fesetround(int mode)`: 0 if there is such a mode, 1 otherwise, as glibc.
    pub fn set_rounding(&mut self, args: &[Val], span: Span) -> Result<Val> {
        let int = self.types.int;
        let wanted = self.argument(args, 0, int, span)?;
        let wanted = self.snapshot(Val { term: wanted, ty: int }).term;
        let Some(mode) = self.rounding else {
            // Reached in library models only, which belong to programs that name the function.
            return Ok(self.unsupported_value("the rounding mode of floats", int));
        };
        let zero = self.program.terms.bv(32, 0);
        if self.facts.starts_threads {
            // A thread begins with the mode of the one that starts it, which is not modelled.
            let unchanged = self.program.terms.eq(wanted, zero);
            self.unsupported_unless(unchanged, "another rounding mode in a program with threads");
        }
        let others = self.program.terms.bv(32, !TOWARD_ZERO);
        let invalid = self.program.terms.binary(BinOp::BvAnd, wanted, others);
        let valid = self.program.terms.eq(invalid, zero);
        let current = self.program.read(mode);
        let new = self.program.terms.ite(valid, wanted, current);
        self.assign(mode, new);
        let failed = self.program.terms.not(valid);
        Ok(self.bool_value(failed))
    }

    /// To an integral value, by the current mode.
    pub fn round_by_mode(&mut self, x: Term) -> Term {
        let round =
            |lowerer: &mut Self, rounding| lowerer.program.terms.unary(UnOp::FRound(rounding), x);
        let mut rounded = round(self, Rounding::NearestEven);
        let Some(mode) = self.rounding else { return rounded };
        for (value, rounding) in
            [(DOWNWARD, Rounding::Floor), (UPWARD, Rounding::Ceil), (TOWARD_ZERO, Rounding::Trunc)]
        {
            let is_mode = self.is_mode(mode, value);
            let other = round(self, rounding);
            rounded = self.program.terms.ite(is_mode, other, rounded);
        }
        rounded
    }

    fn is_mode(&mut self, mode: Var, value: u128) -> Term {
        let current = self.program.read(mode);
        let value = self.program.terms.bv(32, value);
        self.program.terms.eq(current, value)
    }

    /// The result of the operation in the current mode; `nearest` is its result rounded to nearest.
    pub fn follow_rounding(&mut self, nearest: Val, operation: Inexact) -> Val {
        let (Some(mode), TypeKind::Float(kind)) = (self.rounding, self.types.kind(nearest.ty))
        else {
            return nearest;
        };
        let kind = *kind;
        // gcc computes constant expressions itself, to nearest.
        if self.program.terms.is_literal(nearest.term) {
            return nearest;
        }
        let dst = self.temp(Sort::Float(kind), false);
        let (to_nearest, otherwise, end) =
            (self.body.new_loc(), self.body.new_loc(), self.body.new_loc());
        let is_nearest = self.is_mode(mode, 0);
        self.emit_branch(is_nearest, to_nearest, otherwise);
        self.body.here = to_nearest;
        self.assign(dst, nearest.term);
        self.body.jump(end);
        self.body.here = otherwise;
        let in_model = self.external_functions.in_model;
        let exact = if in_model { None } else { self.exact(kind, nearest.term, operation) };
        let value = match exact {
            Some(exact) => self.directed(mode, kind, nearest.term, &exact),
            None => {
                self.unsupported("floats of this kind in another rounding mode");
                nearest.term
            }
        };
        self.assign(dst, value);
        self.body.jump(end);
        self.body.here = end;
        Val { term: self.program.read(dst), ty: nearest.ty }
    }

    /// Reaching this makes the answer UNKNOWN where the condition does not hold.
    fn unsupported_unless(&mut self, condition: Term, what: &str) {
        let (no, end) = (self.body.new_loc(), self.body.new_loc());
        self.emit_branch(condition, end, no);
        self.body.here = no;
        self.unsupported(what);
        self.body.jump(end);
        self.body.here = end;
    }

    /// Compares the exact result with the rounded one. 113 bits hold products of two `double`s, and
    /// the error of a sum of two is again a number of that format.
    fn exact(&mut self, kind: FloatKind, nearest: Term, operation: Inexact) -> Option<Exact> {
        if !matches!(kind, FloatKind::F32 | FloatKind::F64) {
            return None;
        }
        let terms = &mut self.program.terms;
        let wide = FloatKind::F128;
        let rounded = terms.unary(UnOp::FToF(wide), nearest);
        let mut negative_zero = None;
        let (above, below) = match operation {
            Inexact::Add(a, b) => {
                let (a_negative, b_negative) =
                    (terms.unary(UnOp::FIsNegative, a), terms.unary(UnOp::FIsNegative, b));
                negative_zero = Some(terms.or(a_negative, b_negative));
                let (a, b) = (terms.unary(UnOp::FToF(wide), a), terms.unary(UnOp::FToF(wide), b));
                // The sum is `sum + error`, exactly (Knuth's two-sum).
                let sum = terms.binary(BinOp::FAdd, a, b);
                let second = terms.binary(BinOp::FSub, sum, a);
                let first = terms.binary(BinOp::FSub, sum, second);
                let (from_a, from_b) =
                    (terms.binary(BinOp::FSub, a, first), terms.binary(BinOp::FSub, b, second));
                let error = terms.binary(BinOp::FAdd, from_a, from_b);
                let zero = terms.float(wide, 0);
                let same = terms.eq(sum, rounded);
                let mut compare = |less: (Term, Term), error: (Term, Term)| {
                    let differs = terms.binary(BinOp::FLt, less.0, less.1);
                    let by_error = terms.binary(BinOp::FLt, error.0, error.1);
                    let by_error = terms.and(same, by_error);
                    terms.or(differs, by_error)
                };
                let above = compare((rounded, sum), (zero, error));
                let below = compare((sum, rounded), (error, zero));
                (above, below)
            }
            Inexact::Multiply(a, b) => {
                let (a, b) = (terms.unary(UnOp::FToF(wide), a), terms.unary(UnOp::FToF(wide), b));
                let exact = terms.binary(BinOp::FMul, a, b);
                (terms.binary(BinOp::FLt, rounded, exact), terms.binary(BinOp::FLt, exact, rounded))
            }
            Inexact::Divide(a, b) => {
                // a / b > r exactly if a > r * b, or a < r * b where b is negative.
                let negative = terms.unary(UnOp::FIsNegative, b);
                let (a, b) = (terms.unary(UnOp::FToF(wide), a), terms.unary(UnOp::FToF(wide), b));
                let product = terms.binary(BinOp::FMul, rounded, b);
                let more = terms.binary(BinOp::FLt, product, a);
                let less = terms.binary(BinOp::FLt, a, product);
                (terms.ite(negative, less, more), terms.ite(negative, more, less))
            }
            Inexact::SquareRoot(x) => {
                let x = terms.unary(UnOp::FToF(wide), x);
                let square = terms.binary(BinOp::FMul, rounded, rounded);
                (terms.binary(BinOp::FLt, square, x), terms.binary(BinOp::FLt, x, square))
            }
            Inexact::Narrow(from, x) => {
                let rounded = terms.unary(UnOp::FToF(from), nearest);
                (terms.binary(BinOp::FLt, rounded, x), terms.binary(BinOp::FLt, x, rounded))
            }
            Inexact::FromInteger { signed, value } => {
                if terms.sort(value).width().is_none_or(|width| width > 64) {
                    return None;
                }
                let op = if signed { UnOp::SToF(wide) } else { UnOp::UToF(wide) };
                let exact = terms.unary(op, value);
                (terms.binary(BinOp::FLt, rounded, exact), terms.binary(BinOp::FLt, exact, rounded))
            }
        };
        Some(Exact { above, below, negative_zero })
    }

    /// The rounded result, or its neighbour if the exact one lies on the other side.
    fn directed(&mut self, mode: Var, kind: FloatKind, nearest: Term, exact: &Exact) -> Term {
        let (down, up) = (self.is_mode(mode, DOWNWARD), self.is_mode(mode, UPWARD));
        let terms = &mut self.program.terms;
        let width = kind.bits();
        let sign = 1u128 << (width - 1);
        let bits = terms.unary(UnOp::FToBits, nearest);
        let negative = terms.unary(UnOp::FIsNegative, nearest);
        let zero = terms.float(kind, 0);
        let is_zero = terms.eq(nearest, zero);
        let one = terms.bv(width, 1);
        // Floats of one sign are ordered as their bits.
        let outward = terms.binary(BinOp::BvAdd, bits, one);
        let inward = terms.binary(BinOp::BvSub, bits, one);
        let least = terms.bv(width, sign | 1);
        let next_up = terms.ite(negative, inward, outward);
        let next_up = terms.ite(is_zero, one, next_up);
        let next_up = terms.unary(UnOp::BitsToF(kind), next_up);
        let next_down = terms.ite(negative, outward, inward);
        let next_down = terms.ite(is_zero, least, next_down);
        let next_down = terms.unary(UnOp::BitsToF(kind), next_down);

        let upward = terms.ite(exact.above, next_up, nearest);
        let mut downward = terms.ite(exact.below, next_down, nearest);
        if let Some(negative_zero) = exact.negative_zero {
            let minus_zero = terms.float(kind, sign);
            let is_minus_zero = terms.and(is_zero, negative_zero);
            downward = terms.ite(is_minus_zero, minus_zero, downward);
        }
        let not_zero = terms.not(is_zero);
        let too_low = terms.and(negative, exact.above);
        let too_low = terms.and(not_zero, too_low);
        let positive = terms.not(negative);
        let too_high = terms.and(positive, exact.below);
        let too_high = terms.and(not_zero, too_high);
        let toward_zero = terms.ite(too_high, next_down, nearest);
        let toward_zero = terms.ite(too_low, next_up, toward_zero);
        let result = terms.ite(up, upward, toward_zero);
        terms.ite(down, downward, result)
    }
}
