//! Floats as IEEE floats of the logic.
//!
//! The x87 extended format is a float of 15 exponent and 64 significand bits; only where its bits
//! are in sight does the explicit integer bit show.

use ravelin_term::{BinOp, FloatKind, Rounding, UnOp, bin_ops, un_ops};
use rustc_hash::FxHashMap;
use z3::ast::{Ast, BV, Bool, Float, RoundingMode};
use z3::{FuncDecl, Solver, Sort};

use super::encode::{Encoded, bv_literal};

/// The bits of the exponent and the significand, the hidden bit among them.
pub(super) fn format(kind: FloatKind) -> (u32, u32) {
    match kind {
        FloatKind::F32 => (8, 24),
        FloatKind::F64 => (11, 53),
        FloatKind::F80 => (15, 64),
        FloatKind::F128 => (15, 113),
    }
}

/// The bits of a quiet NaN.
pub(super) fn nan_bits(kind: FloatKind) -> u128 {
    let (exponent, significand) = format(kind);
    let exponent = (1u128 << exponent) - 1;
    match kind {
        FloatKind::F80 => exponent << 64 | 0b11 << 62,
        FloatKind::F32 | FloatKind::F64 | FloatKind::F128 => {
            exponent << (significand - 1) | 1 << (significand - 2)
        }
    }
}

/// The conversions to floats that the bindings have no constructor for, by what they convert.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Conversion {
    Bits(FloatKind),
    Signed { width: u32, to: FloatKind },
    Unsigned { width: u32, to: FloatKind },
}

#[derive(Debug)]
pub(super) struct FloatEncoder {
    conversions: FxHashMap<Conversion, FuncDecl>,
    remainders: FxHashMap<FloatKind, FuncDecl>,
}

impl FloatEncoder {
    pub(super) fn new() -> Self {
        FloatEncoder { conversions: FxHashMap::default(), remainders: FxHashMap::default() }
    }

    pub(super) fn literal(&mut self, kind: FloatKind, bits: u128) -> Float {
        self.of_bits(&bv_literal(bits, kind.bits()), kind).simplify()
    }

    /// The float with these bits.
    pub(super) fn of_bits(&mut self, bits: &BV, kind: FloatKind) -> Float {
        match kind {
            FloatKind::F32 | FloatKind::F64 | FloatKind::F128 => self.of_ieee_bits(bits, kind),
            FloatKind::F80 => {
                let (sign_and_exponent, integer, fraction) =
                    (bits.extract(79, 64), bits.extract(63, 63), bits.extract(62, 0));
                let is_low = bits.extract(78, 64).eq(BV::from_u64(0, 15));
                let has_integer = integer.eq(BV::from_u64(1, 1));
                let as_is = self.of_ieee_bits(&sign_and_exponent.concat(&fraction), kind);
                // With the integer bit, the lowest exponent means the one above it.
                let up = sign_and_exponent.bvor(BV::from_u64(1, 16)).concat(&fraction);
                let up = self.of_ieee_bits(&up, kind);
                // Without it, no other exponent has a meaning.
                let valid = is_low.ite(&has_integer.ite(&up, &as_is), &as_is);
                let nan = Float::nan(&sort(kind));
                Bool::or(&[is_low, has_integer]).ite(&valid, &nan)
            }
        }
    }

    fn of_ieee_bits(&mut self, bits: &BV, kind: FloatKind) -> Float {
        as_float(&self.conversion(Conversion::Bits(kind)).apply(&[bits]))
    }

    pub(super) fn of_integer(&mut self, value: &BV, signed: bool, to: FloatKind) -> Float {
        let width = value.get_size();
        let conversion = if signed {
            Conversion::Signed { width, to }
        } else {
            Conversion::Unsigned { width, to }
        };
        let nearest = RoundingMode::round_nearest_ties_to_even();
        as_float(&self.conversion(conversion).apply(&[&nearest, value]))
    }

    /// The operator of a conversion, read from a text that uses it.
    fn conversion(&mut self, conversion: Conversion) -> &FuncDecl {
        self.conversions.entry(conversion).or_insert_with(|| {
            let (name, argument, width, to) = match conversion {
                Conversion::Bits(to) => {
                    let (exponent, significand) = format(to);
                    ("to_fp", "x", exponent + significand, to)
                }
                Conversion::Signed { width, to } => ("to_fp", "RNE x", width, to),
                Conversion::Unsigned { width, to } => ("to_fp_unsigned", "RNE x", width, to),
            };
            let (exponent, significand) = format(to);
            let reader = Solver::new();
            reader.from_string(format!(
                "(declare-const x (_ BitVec {width}))\n\
                 (assert (fp.isZero ((_ {name} {exponent} {significand}) {argument})))"
            ));
            let use_of_it = reader.get_assertions().pop().and_then(|test| test.nth_child(0));
            match use_of_it {
                Some(expr) => expr.decl(),
                None => unreachable!("Z3 reads {name} of {width} bits"),
            }
        })
    }

    /// The bits of a float. Those of a NaN are any that make a NaN.
    pub(super) fn bits(&mut self, kind: FloatKind, value: &Float, facts: &mut Vec<Bool>) -> BV {
        let bits = BV::fresh_const("bits", kind.bits().into());
        match kind {
            FloatKind::F32 | FloatKind::F64 | FloatKind::F128 => {
                facts.push(self.of_ieee_bits(&bits, kind).eq(value));
            }
            FloatKind::F80 => {
                // Operations set the integer bit of all but the lowest exponent.
                let ieee = bits.extract(79, 64).concat(bits.extract(62, 0));
                facts.push(self.of_ieee_bits(&ieee, kind).eq(value));
                let is_low = bits.extract(78, 64).eq(BV::from_u64(0, 15));
                let has_integer = bits.extract(63, 63).eq(BV::from_u64(1, 1));
                facts.push(is_low.xor(has_integer));
            }
        }
        bits
    }

    pub(super) fn unary(
        &mut self,
        op: UnOp,
        kind: FloatKind,
        a: &Float,
        facts: &mut Vec<Bool>,
    ) -> Encoded {
        match op {
            UnOp::FNeg => Encoded::Float(a.unary_neg()),
            UnOp::FAbs => Encoded::Float(a.unary_abs()),
            UnOp::FSqrt => Encoded::Float(
                a.sqrt_with_rounding_mode(&RoundingMode::round_nearest_ties_to_even()),
            ),
            UnOp::FRound(rounding) => {
                Encoded::Float(a.round_to_integral_with_rounding_mode(&mode(rounding)))
            }
            UnOp::FIsNan => Encoded::Bool(a.is_nan()),
            UnOp::FIsInf => Encoded::Bool(a.is_infinite()),
            // A NaN has a sign bit, but the logic's has none.
            UnOp::FIsNegative => {
                let either = Bool::fresh_const("sign");
                Encoded::Bool(a.is_nan().ite(&either, &a.is_negative()))
            }
            UnOp::FToF(to) => Encoded::Float(
                a.to_fp_with_rounding_mode(&RoundingMode::round_nearest_ties_to_even(), &sort(to)),
            ),
            UnOp::FToS(width) => {
                let value = a.to_sbv_with_rounding_mode(&mode(Rounding::Trunc), width.into());
                let smallest = bv_literal(1 << (width - 1), width);
                Encoded::Bv(self.is_in_range(true, width, kind, a).ite(&value, &smallest))
            }
            UnOp::FToU(width) => {
                let value = a.to_ubv_with_rounding_mode(&mode(Rounding::Trunc), width.into());
                let any = BV::fresh_const("unspecified", width.into());
                Encoded::Bv(self.is_in_range(false, width, kind, a).ite(&value, &any))
            }
            UnOp::FToBits => Encoded::Bv(self.bits(kind, a, facts)),
            un_ops!(bv, bv_width, int_to_float, pointer_part)
            | UnOp::Not
            | UnOp::BitsToF(_)
            | UnOp::PtrToInt
            | UnOp::IntToPtr => unreachable!("{op} takes no float"),
        }
    }

    /// Whether the value, without its fraction, is an integer of this width.
    fn is_in_range(&mut self, signed: bool, width: u16, kind: FloatKind, a: &Float) -> Bool {
        let whole = a.round_to_integral_with_rounding_mode(&mode(Rounding::Trunc));
        let limit = self.power_of_two(kind, if signed { width - 1 } else { width });
        let lowest = if signed { limit.unary_neg() } else { self.literal(kind, 0) };
        Bool::and(&[lowest.le(&whole), whole.lt(&limit)])
    }

    /// 2 to the given power, or infinity where that is too large.
    fn power_of_two(&mut self, kind: FloatKind, power: u16) -> Float {
        let (exponent_bits, significand) = format(kind);
        let highest = (1u128 << exponent_bits) - 1;
        let exponent = (highest / 2 + u128::from(power)).min(highest);
        let bits = match kind {
            FloatKind::F80 => exponent << 64 | 1 << 63,
            FloatKind::F32 | FloatKind::F64 | FloatKind::F128 => exponent << (significand - 1),
        };
        self.literal(kind, bits)
    }

    pub(super) fn binary(&mut self, op: BinOp, kind: FloatKind, a: &Float, b: &Float) -> Encoded {
        let nearest = RoundingMode::round_nearest_ties_to_even();
        match op {
            BinOp::FAdd => Encoded::Float(a.add_with_rounding_mode(b, &nearest)),
            BinOp::FSub => Encoded::Float(a.sub_with_rounding_mode(b, &nearest)),
            BinOp::FMul => Encoded::Float(a.mul_with_rounding_mode(b, &nearest)),
            BinOp::FDiv => Encoded::Float(a.div_with_rounding_mode(b, &nearest)),
            // The logic's remainder is the one that rounds to nearest, not C's `fmod`.
            BinOp::FRem => {
                let sort = sort(kind);
                let remainder = self.remainders.entry(kind).or_insert_with(|| {
                    FuncDecl::new(format!("fmod{}", kind.bits()), &[&sort, &sort], &sort)
                });
                Encoded::Float(as_float(&remainder.apply(&[a, b])))
            }
            BinOp::FEq => Encoded::Bool(a.eq_fpa(b)),
            BinOp::FLt => Encoded::Bool(a.lt(b)),
            BinOp::FLe => Encoded::Bool(a.le(b)),
            bin_ops!(logic, bv_arithmetic, bv_division, bv_order, pointer_order)
            | BinOp::Eq
            | BinOp::Concat
            | BinOp::PtrAdd
            | BinOp::PtrDiff
            | BinOp::PtrMake => unreachable!("{op} takes no floats"),
        }
    }
}

fn sort(kind: FloatKind) -> Sort {
    let (exponent, significand) = format(kind);
    Sort::float(exponent, significand)
}

fn as_float(expr: &z3::ast::Dynamic) -> Float {
    expr.as_float().unwrap_or_else(|| unreachable!("the operator makes a float"))
}

fn mode(rounding: Rounding) -> RoundingMode {
    match rounding {
        Rounding::Floor => RoundingMode::round_towards_negative(),
        Rounding::Ceil => RoundingMode::round_towards_positive(),
        Rounding::Trunc => RoundingMode::round_towards_zero(),
        Rounding::NearestEven => RoundingMode::round_nearest_ties_to_even(),
        Rounding::NearestAway => RoundingMode::round_nearest_ties_to_away(),
    }
}

/// The bits of a float in memory, of those in IEEE's interchange format.
pub(super) fn with_integer_bit(kind: FloatKind, bits: u128) -> u128 {
    match kind {
        FloatKind::F32 | FloatKind::F64 | FloatKind::F128 => bits,
        FloatKind::F80 => {
            let (sign_and_exponent, fraction) = (bits >> 63, bits & ((1 << 63) - 1));
            let integer = u128::from(sign_and_exponent & 0x7fff != 0);
            sign_and_exponent << 64 | integer << 63 | fraction
        }
    }
}
