//! Functions of `<math.h>` and builtins on floats, as terms.

use lang_c::span::Span;
use ravelin_cfa::Term;
use ravelin_term::{BinOp, FloatKind, UnOp};

use super::rounding::Inexact;
use super::{Lowerer, Result, Val};
use crate::library::{FloatCompare, FloatFunction, FloatTest};
use crate::types::{Ty, TypeKind};

impl Lowerer<'_> {
    pub fn float_function(
        &mut self,
        function: FloatFunction,
        kind: Option<FloatKind>,
        args: &[Val],
        span: Span,
    ) -> Result<Val> {
        let kind = match kind {
            Some(kind) => kind,
            None => self.common_kind(args),
        };
        let ty = self.types.float(kind);
        let float = |lowerer: &mut Self, index| lowerer.argument(args, index, ty, span);
        let value = |term: Term| Ok(Val { term, ty });
        match function {
            FloatFunction::Abs => {
                let x = float(self, 0)?;
                value(self.program.terms.unary(UnOp::FAbs, x))
            }
            FloatFunction::Sqrt => {
                let x = float(self, 0)?;
                let term = self.program.terms.unary(UnOp::FSqrt, x);
                Ok(self.follow_rounding(Val { term, ty }, Inexact::SquareRoot(x)))
            }
            FloatFunction::Round(rounding) => {
                let x = float(self, 0)?;
                value(self.program.terms.unary(UnOp::FRound(rounding), x))
            }
            FloatFunction::RoundByMode => {
                let x = float(self, 0)?;
                value(self.round_by_mode(x))
            }
            FloatFunction::RoundByModeTo(to) => {
                let x = float(self, 0)?;
                let rounded = self.round_by_mode(x);
                let to = self.c_type(to);
                Ok(self.convert_scalar(Val { term: rounded, ty }, to))
            }
            FloatFunction::RoundTo(rounding, to) => {
                let x = float(self, 0)?;
                let rounded = self.program.terms.unary(UnOp::FRound(rounding), x);
                let to = self.c_type(to);
                Ok(self.convert_scalar(Val { term: rounded, ty }, to))
            }
            FloatFunction::Remainder => {
                let (x, y) = (float(self, 0)?, float(self, 1)?);
                value(self.program.terms.binary(BinOp::FRem, x, y))
            }
            FloatFunction::CopySign => {
                let (x, y) = (float(self, 0)?, float(self, 1)?);
                let terms = &mut self.program.terms;
                let magnitude = terms.unary(UnOp::FAbs, x);
                let negated = terms.unary(UnOp::FNeg, magnitude);
                let negative = terms.unary(UnOp::FIsNegative, y);
                value(terms.ite(negative, negated, magnitude))
            }
            FloatFunction::Test(test) => {
                let x = float(self, 0)?;
                let holds = self.float_test(test, x, kind);
                Ok(self.bool_value(holds))
            }
            FloatFunction::Compare(compare) => {
                let (x, y) = (float(self, 0)?, float(self, 1)?);
                let holds = self.float_compare(compare, x, y);
                Ok(self.bool_value(holds))
            }
            FloatFunction::InfinitySign => {
                let x = float(self, 0)?;
                let terms = &mut self.program.terms;
                let negative = terms.unary(UnOp::FIsNegative, x);
                let (minus, plus, zero) =
                    (terms.bv(32, u128::MAX), terms.bv(32, 1), terms.bv(32, 0));
                let sign = terms.ite(negative, minus, plus);
                let infinite = terms.unary(UnOp::FIsInf, x);
                Ok(Val { term: terms.ite(infinite, sign, zero), ty: self.types.int })
            }
            FloatFunction::Classify => {
                // (nan, inf, normal, subnormal, zero, x)
                let int = self.types.int;
                let mut answers = Vec::new();
                for index in 0..5 {
                    answers.push(self.argument(args, index, int, span)?);
                }
                let (ty, kind) = match args.get(5) {
                    Some(x) => {
                        let kind = self.common_kind(std::slice::from_ref(x));
                        (self.types.float(kind), kind)
                    }
                    None => (ty, kind),
                };
                let x = self.argument(args, 5, ty, span)?;
                Ok(self.classify(
                    x,
                    kind,
                    [answers[0], answers[1], answers[2], answers[3], answers[4]],
                ))
            }
            FloatFunction::GlibcClassify => {
                let x = float(self, 0)?;
                let answers = [0, 1, 4, 3, 2].map(|answer| self.program.terms.bv(32, answer));
                Ok(self.classify(x, kind, answers))
            }
            FloatFunction::Infinity => value(self.infinity(kind)),
            FloatFunction::Nan => {
                let quiet = quiet_bit(kind);
                let bits = exponent_mask(kind) | quiet;
                value(self.program.terms.float(kind, bits))
            }
        }
    }

    /// The float kind that the usual arithmetic conversions give; `double` for integers.
    fn common_kind(&mut self, args: &[Val]) -> FloatKind {
        let kind_of = |ty: Ty, lowerer: &Self| match lowerer.types.kind(ty) {
            TypeKind::Float(kind) => Some(*kind),
            _ => None,
        };
        args.iter().filter_map(|arg| kind_of(arg.ty, self)).max().unwrap_or(FloatKind::F64)
    }

    fn infinity(&mut self, kind: FloatKind) -> Term {
        let bits = exponent_mask(kind);
        self.program.terms.float(kind, bits)
    }

    fn float_test(&mut self, test: FloatTest, x: Term, kind: FloatKind) -> Term {
        let smallest = smallest_normal(kind);
        let terms = &mut self.program.terms;
        match test {
            FloatTest::Nan => terms.unary(UnOp::FIsNan, x),
            FloatTest::Infinite => terms.unary(UnOp::FIsInf, x),
            FloatTest::Negative => terms.unary(UnOp::FIsNegative, x),
            FloatTest::Finite => {
                let nan = terms.unary(UnOp::FIsNan, x);
                let infinite = terms.unary(UnOp::FIsInf, x);
                let either = terms.or(nan, infinite);
                terms.not(either)
            }
            FloatTest::Normal => {
                let magnitude = terms.unary(UnOp::FAbs, x);
                let smallest = terms.float(kind, smallest);
                let large = terms.binary(BinOp::FLe, smallest, magnitude);
                let infinite = terms.unary(UnOp::FIsInf, x);
                let not_infinite = terms.not(infinite);
                terms.and(large, not_infinite)
            }
        }
    }

    fn float_compare(&mut self, compare: FloatCompare, x: Term, y: Term) -> Term {
        let terms = &mut self.program.terms;
        match compare {
            FloatCompare::Greater => terms.binary(BinOp::FLt, y, x),
            FloatCompare::GreaterEqual => terms.binary(BinOp::FLe, y, x),
            FloatCompare::Less => terms.binary(BinOp::FLt, x, y),
            FloatCompare::LessEqual => terms.binary(BinOp::FLe, x, y),
            FloatCompare::LessGreater => {
                let less = terms.binary(BinOp::FLt, x, y);
                let greater = terms.binary(BinOp::FLt, y, x);
                terms.or(less, greater)
            }
            FloatCompare::Unordered => {
                let x = terms.unary(UnOp::FIsNan, x);
                let y = terms.unary(UnOp::FIsNan, y);
                terms.or(x, y)
            }
        }
    }

    /// One of the answers for NaN, infinite, normal, subnormal, zero.
    fn classify(&mut self, x: Term, kind: FloatKind, answers: [Term; 5]) -> Val {
        let [nan, infinite, normal, subnormal, zero] = answers;
        let is_nan = self.float_test(FloatTest::Nan, x, kind);
        let is_infinite = self.float_test(FloatTest::Infinite, x, kind);
        let is_normal = self.float_test(FloatTest::Normal, x, kind);
        let terms = &mut self.program.terms;
        let none = terms.float(kind, 0);
        let is_zero = terms.eq(x, none);
        let term = terms.ite(is_zero, zero, subnormal);
        let term = terms.ite(is_normal, normal, term);
        let term = terms.ite(is_infinite, infinite, term);
        let term = terms.ite(is_nan, nan, term);
        Val { term, ty: self.types.int }
    }
}

/// The bits of positive infinity. The x87 format has its integer bit explicit.
fn exponent_mask(kind: FloatKind) -> u128 {
    match kind {
        FloatKind::F32 => 0x7f80_0000,
        FloatKind::F64 => 0x7ff0_0000_0000_0000,
        FloatKind::F80 => 0x7fff_8000_0000_0000_0000,
        FloatKind::F128 => 0x7fff << 112,
    }
}

/// The bit that makes a NaN a quiet one.
fn quiet_bit(kind: FloatKind) -> u128 {
    match kind {
        FloatKind::F32 => 1 << 22,
        FloatKind::F64 => 1 << 51,
        FloatKind::F80 => 1 << 62,
        FloatKind::F128 => 1 << 111,
    }
}

/// The bits of the smallest positive normal number.
fn smallest_normal(kind: FloatKind) -> u128 {
    match kind {
        FloatKind::F32 => 1 << 23,
        FloatKind::F64 => 1 << 52,
        FloatKind::F80 => 1 << 64 | 1 << 63,
        FloatKind::F128 => 1 << 112,
    }
}
