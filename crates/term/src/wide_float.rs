//! Arithmetic on constants of the formats that the host has no type for: the x87 extended format and
//! quadruple precision, and conversions from and to them, in software.
//!
//! Remainders and square roots are not folded: the library has no version that is exact for all
//! operands, and constants of these kinds are rare enough to leave to the solver. NaN results are
//! not folded, as in [`crate::fold`].

use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

use crate::{BinOp, FloatKind, Rounding, UnOp};

/// A float of either wide format.
enum Wide {
    Extended(X87DoubleExtended),
    Quadruple(Quad),
}

/// The float with these bits; `None` for bits of the x87 format whose integer bit contradicts the
/// exponent, because no operation produces them and processors disagree on their meaning.
fn parse(kind: FloatKind, bits: u128) -> Option<Wide> {
    match kind {
        FloatKind::F80 => {
            let (exponent, integer_bit) = (bits >> 64 & 0x7fff, bits >> 63 & 1);
            ((exponent != 0) == (integer_bit == 1))
                .then(|| Wide::Extended(X87DoubleExtended::from_bits(bits)))
        }
        FloatKind::F128 => Some(Wide::Quadruple(Quad::from_bits(bits))),
        FloatKind::F32 | FloatKind::F64 => None,
    }
}

fn number<F: Float>(value: F) -> Option<u128> {
    (!value.is_nan()).then(|| value.to_bits())
}

pub(crate) fn binary(op: BinOp, kind: FloatKind, a: u128, b: u128) -> Option<u128> {
    fn compute<F: Float>(op: BinOp, a: F, b: F) -> Option<u128> {
        let nearest = Round::NearestTiesToEven;
        number(match op {
            BinOp::FAdd => a.add_r(b, nearest).value,
            BinOp::FSub => a.sub_r(b, nearest).value,
            BinOp::FMul => a.mul_r(b, nearest).value,
            BinOp::FDiv => a.div_r(b, nearest).value,
            _ => return None,
        })
    }
    match (parse(kind, a)?, parse(kind, b)?) {
        (Wide::Extended(a), Wide::Extended(b)) => compute(op, a, b),
        (Wide::Quadruple(a), Wide::Quadruple(b)) => compute(op, a, b),
        (Wide::Extended(_), Wide::Quadruple(_)) | (Wide::Quadruple(_), Wide::Extended(_)) => None,
    }
}

pub(crate) fn compare(op: BinOp, kind: FloatKind, a: u128, b: u128) -> Option<bool> {
    let order = match (parse(kind, a)?, parse(kind, b)?) {
        (Wide::Extended(a), Wide::Extended(b)) => a.partial_cmp(&b),
        (Wide::Quadruple(a), Wide::Quadruple(b)) => a.partial_cmp(&b),
        (Wide::Extended(_), Wide::Quadruple(_)) | (Wide::Quadruple(_), Wide::Extended(_)) => {
            return None;
        }
    };
    match op {
        BinOp::FEq => Some(order.is_some_and(|order| order.is_eq())),
        BinOp::FLt => Some(order.is_some_and(|order| order.is_lt())),
        BinOp::FLe => Some(order.is_some_and(|order| order.is_le())),
        _ => None,
    }
}

pub(crate) fn round(rounding: Rounding, kind: FloatKind, bits: u128) -> Option<u128> {
    let mode = match rounding {
        Rounding::Floor => Round::TowardNegative,
        Rounding::Ceil => Round::TowardPositive,
        Rounding::Trunc => Round::TowardZero,
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::NearestAway => Round::NearestTiesToAway,
    };
    match parse(kind, bits)? {
        Wide::Extended(value) => number(value.round_to_integral(mode).value),
        Wide::Quadruple(value) => number(value.round_to_integral(mode).value),
    }
}

/// `op` is [`UnOp::FIsNan`] or [`UnOp::FIsInf`].
pub(crate) fn test(op: UnOp, kind: FloatKind, bits: u128) -> Option<bool> {
    let (is_nan, is_infinite) = match parse(kind, bits)? {
        Wide::Extended(value) => (value.is_nan(), value.is_infinite()),
        Wide::Quadruple(value) => (value.is_nan(), value.is_infinite()),
    };
    match op {
        UnOp::FIsNan => Some(is_nan),
        UnOp::FIsInf => Some(is_infinite),
        _ => None,
    }
}

/// Between two formats of which at least one is wide.
pub(crate) fn convert(from: FloatKind, bits: u128, to: FloatKind) -> Option<u128> {
    fn convert_from<F>(value: F, to: FloatKind) -> Option<u128>
    where
        F: Float
            + FloatConvert<Single>
            + FloatConvert<Double>
            + FloatConvert<X87DoubleExtended>
            + FloatConvert<Quad>,
    {
        let (mut lossy, nearest) = (false, Round::NearestTiesToEven);
        match to {
            FloatKind::F32 => {
                number(FloatConvert::<Single>::convert_r(value, nearest, &mut lossy).value)
            }
            FloatKind::F64 => {
                number(FloatConvert::<Double>::convert_r(value, nearest, &mut lossy).value)
            }
            FloatKind::F80 => number(
                FloatConvert::<X87DoubleExtended>::convert_r(value, nearest, &mut lossy).value,
            ),
            FloatKind::F128 => {
                number(FloatConvert::<Quad>::convert_r(value, nearest, &mut lossy).value)
            }
        }
    }
    match from {
        FloatKind::F32 => convert_from(Single::from_bits(bits), to),
        FloatKind::F64 => convert_from(Double::from_bits(bits), to),
        FloatKind::F80 | FloatKind::F128 => match parse(from, bits)? {
            Wide::Extended(value) => convert_from(value, to),
            Wide::Quadruple(value) => convert_from(value, to),
        },
    }
}

pub(crate) fn from_integer(signed: bool, value: i128, to: FloatKind) -> Option<u128> {
    fn make<F: Float>(signed: bool, value: i128) -> Option<u128> {
        let nearest = Round::NearestTiesToEven;
        number(if signed {
            F::from_i128_r(value, nearest).value
        } else {
            F::from_u128_r(value as u128, nearest).value
        })
    }
    match to {
        FloatKind::F80 => make::<X87DoubleExtended>(signed, value),
        FloatKind::F128 => make::<Quad>(signed, value),
        FloatKind::F32 | FloatKind::F64 => None,
    }
}

/// Towards zero; `Some(None)` when out of range.
pub(crate) fn to_integer(
    signed: bool,
    width: u16,
    kind: FloatKind,
    bits: u128,
) -> Option<Option<u128>> {
    fn make<F: Float>(signed: bool, width: u16, value: F) -> Option<u128> {
        let (mut exact, width) = (false, usize::from(width));
        let zero = Round::TowardZero;
        let (status, value) = if signed {
            let result = value.to_i128_r(width, zero, &mut exact);
            (result.status, result.value as u128)
        } else {
            let result = value.to_u128_r(width, zero, &mut exact);
            (result.status, result.value)
        };
        (!status.contains(Status::INVALID_OP)).then_some(value)
    }
    Some(match parse(kind, bits)? {
        Wide::Extended(value) => make(signed, width, value),
        Wide::Quadruple(value) => make(signed, width, value),
    })
}
