//! Arithmetic on `float` and `double`, by the host's hardware; NaNs as x86 makes and passes them on.

use std::cmp::Ordering;

use ravelin_term::{BinOp, FloatKind, Rounding, UnOp, un_ops};

use crate::word::{ones, signed};

fn sign_bit(kind: FloatKind) -> u64 {
    match kind {
        FloatKind::F32 => 1 << 31,
        FloatKind::F64 | FloatKind::F80 | FloatKind::F128 => 1 << 63,
    }
}

fn quiet_bit(kind: FloatKind) -> u64 {
    match kind {
        FloatKind::F32 => 1 << 22,
        FloatKind::F64 | FloatKind::F80 | FloatKind::F128 => 1 << 51,
    }
}

/// What an invalid operation gives.
fn default_nan(kind: FloatKind) -> u64 {
    match kind {
        FloatKind::F32 => 0xffc0_0000,
        FloatKind::F64 | FloatKind::F80 | FloatKind::F128 => 0xfff8_0000_0000_0000,
    }
}

/// Every `float` is a `double`.
fn value(kind: FloatKind, bits: u64) -> f64 {
    match kind {
        FloatKind::F32 => f64::from(f32::from_bits(bits as u32)),
        FloatKind::F64 | FloatKind::F80 | FloatKind::F128 => f64::from_bits(bits),
    }
}

/// Rounds to the kind. One rounding of an exact `double` operation on `float`s is the right one,
/// since 53 is at least twice 24 and 2 more.
fn bits(kind: FloatKind, value: f64) -> u64 {
    if value.is_nan() {
        return default_nan(kind);
    }
    match kind {
        FloatKind::F32 => u64::from((value as f32).to_bits()),
        FloatKind::F64 | FloatKind::F80 | FloatKind::F128 => value.to_bits(),
    }
}

fn is_nan(kind: FloatKind, a: u64) -> bool {
    value(kind, a).is_nan()
}

pub(crate) fn arithmetic(op: BinOp, kind: FloatKind, a: u64, b: u64) -> u64 {
    if is_nan(kind, a) {
        return a | quiet_bit(kind);
    }
    if is_nan(kind, b) {
        return b | quiet_bit(kind);
    }
    let (x, y) = (value(kind, a), value(kind, b));
    bits(
        kind,
        match op {
            BinOp::FAdd => x + y,
            BinOp::FSub => x - y,
            BinOp::FMul => x * y,
            BinOp::FDiv => x / y,
            _ => x % y,
        },
    )
}

pub(crate) fn compare(kind: FloatKind, a: u64, b: u64) -> Option<Ordering> {
    value(kind, a).partial_cmp(&value(kind, b))
}

/// The result of an operation on one operand of sort `kind`, or of an integer of `width` bits.
pub(crate) fn unary(op: UnOp, kind: FloatKind, a: u64) -> u64 {
    let quiet = |kind: FloatKind| a | quiet_bit(kind);
    match op {
        UnOp::FNeg => a ^ sign_bit(kind),
        UnOp::FAbs => a & !sign_bit(kind),
        UnOp::FIsNan => is_nan(kind, a).into(),
        UnOp::FIsInf => value(kind, a).is_infinite().into(),
        UnOp::FIsNegative => (a & sign_bit(kind) != 0).into(),
        UnOp::FSqrt | UnOp::FRound(_) if is_nan(kind, a) => quiet(kind),
        UnOp::FSqrt => bits(kind, value(kind, a).sqrt()),
        UnOp::FRound(rounding) => {
            let value = value(kind, a);
            let rounded = match rounding {
                Rounding::Floor => value.floor(),
                Rounding::Ceil => value.ceil(),
                Rounding::Trunc => value.trunc(),
                Rounding::NearestEven => value.round_ties_even(),
                Rounding::NearestAway => value.round(),
            };
            bits(kind, rounded)
        }
        UnOp::FToF(to) if is_nan(kind, a) => convert_nan(kind, to, a),
        UnOp::FToF(to) => bits(to, value(kind, a)),
        UnOp::FToS(width) => to_signed(value(kind, a), width),
        UnOp::FToU(width) => to_unsigned(value(kind, a), width),
        UnOp::FToBits | UnOp::BitsToF(_) => a,
        un_ops!(bv, bv_width, int_to_float, pointer_part)
        | UnOp::Not
        | UnOp::PtrToInt
        | UnOp::IntToPtr => a,
    }
}

/// A NaN keeps its sign and the upper bits of its payload.
fn convert_nan(from: FloatKind, to: FloatKind, a: u64) -> u64 {
    match (from, to) {
        (FloatKind::F32, FloatKind::F64) => {
            let (sign, payload) = (a >> 31 & 1, a & 0x7f_ffff);
            sign << 63 | 0x7ff8_0000_0000_0000 | payload << 29
        }
        (FloatKind::F64, FloatKind::F32) => {
            let (sign, payload) = (a >> 63, a >> 29 & 0x7f_ffff);
            sign << 31 | 0x7fc0_0000 | payload
        }
        _ => a | quiet_bit(from),
    }
}

pub(crate) fn from_signed(a: u64, width: u16, to: FloatKind) -> u64 {
    let number = signed(a, width);
    match to {
        FloatKind::F32 => u64::from((number as f32).to_bits()),
        FloatKind::F64 | FloatKind::F80 | FloatKind::F128 => (number as f64).to_bits(),
    }
}

pub(crate) fn from_unsigned(a: u64, to: FloatKind) -> u64 {
    match to {
        FloatKind::F32 => u64::from((a as f32).to_bits()),
        FloatKind::F64 | FloatKind::F80 | FloatKind::F128 => (a as f64).to_bits(),
    }
}

/// Towards zero; the smallest number where it does not fit.
fn to_signed(value: f64, width: u16) -> u64 {
    let smallest = ones(width) ^ (ones(width) >> 1);
    let limit = 2f64.powi(i32::from(width) - 1);
    let value = value.trunc();
    if value >= -limit && value < limit { value as i64 as u64 & ones(width) } else { smallest }
}

/// Towards zero; out of range as gcc's instruction sequences have it.
fn to_unsigned(value: f64, width: u16) -> u64 {
    let limit = 2f64.powi(i32::from(width));
    let (whole, half) = (value.trunc(), 2f64.powi(63));
    if whole >= 0.0 && whole < limit {
        whole as u64
    } else if whole < 0.0 && whole >= -half {
        (whole as i64 as u64) & ones(width)
    } else if whole >= 0.0 && width < 64 && whole < half {
        whole as u64 & ones(width)
    } else if (width == 64 && value > 0.0) || width <= 32 {
        0
    } else {
        ones(width) ^ (ones(width) >> 1)
    }
}
