//! Arithmetic on constants: bit-vectors in `u128`, `float` and `double` by the host's IEEE hardware,
//! the wider formats in software.

use crate::{BinOp, FloatKind, Rounding, UnOp, wide_float};

fn is_wide(kind: FloatKind) -> bool {
    matches!(kind, FloatKind::F80 | FloatKind::F128)
}

/// `value` modulo 2^`width`.
pub(crate) fn truncate(value: u128, width: u16) -> u128 {
    if width >= 128 { value } else { value & ((1 << width) - 1) }
}

/// The value of the two's complement number in the low `width` bits.
pub(crate) fn sign_extend(value: u128, width: u16) -> i128 {
    let unused = 128 - u32::from(width);
    ((value << unused) as i128) >> unused
}

/// Whether the division is undefined in C (C11 6.5.5p5f) and traps on the machine. Such terms have
/// a value but are not folded, so that an execution detects the undefined behaviour.
fn traps(op: BinOp, width: u16, a: u128, b: u128) -> bool {
    match op {
        BinOp::BvUdiv | BinOp::BvUrem => b == 0,
        BinOp::BvSdiv | BinOp::BvSrem => {
            b == 0 || (b == truncate(u128::MAX, width) && a == 1 << (width - 1))
        }
        _ => false,
    }
}

/// The result of a bit-vector operation, before truncation to the width.
pub(crate) fn bv_binary(op: BinOp, width: u16, a: u128, b: u128) -> Option<u128> {
    let (sa, sb) = (sign_extend(a, width), sign_extend(b, width));
    let in_range = b < u128::from(width);
    if traps(op, width, a, b) {
        return None;
    }
    Some(match op {
        BinOp::BvAdd => a.wrapping_add(b),
        BinOp::BvSub => a.wrapping_sub(b),
        BinOp::BvMul => a.wrapping_mul(b),
        BinOp::BvUdiv => a.checked_div(b)?,
        BinOp::BvSdiv => sa.checked_div(sb)? as u128,
        BinOp::BvUrem => a.checked_rem(b)?,
        BinOp::BvSrem => sa.checked_rem(sb)? as u128,
        BinOp::BvShl => {
            if in_range {
                a << b
            } else {
                0
            }
        }
        BinOp::BvLshr => {
            if in_range {
                a >> b
            } else {
                0
            }
        }
        BinOp::BvAshr => (sa >> b.min(127)) as u128,
        BinOp::BvAnd => a & b,
        BinOp::BvOr => a | b,
        BinOp::BvXor => a ^ b,
        _ => return None,
    })
}

/// The result of a bit-vector comparison.
pub(crate) fn bv_compare(op: BinOp, width: u16, a: u128, b: u128) -> Option<bool> {
    let (sa, sb) = (sign_extend(a, width), sign_extend(b, width));
    Some(match op {
        BinOp::Eq => a == b,
        BinOp::BvUlt => a < b,
        BinOp::BvUle => a <= b,
        BinOp::BvSlt => sa < sb,
        BinOp::BvSle => sa <= sb,
        _ => return None,
    })
}

/// A float the host can compute with. `float` values widen to `f64` exactly, and for one operation
/// of `+ - * / sqrt` rounding the `f64` result to `f32` gives the correctly rounded `f32` result
/// (double rounding is innocuous because 53 ≥ 2·24 + 2).
pub(crate) fn to_host(kind: FloatKind, bits: u128) -> Option<f64> {
    match kind {
        FloatKind::F32 => Some(f64::from(f32::from_bits(bits as u32))),
        FloatKind::F64 => Some(f64::from_bits(bits as u64)),
        FloatKind::F80 | FloatKind::F128 => None,
    }
}

/// The bits of a host float in `kind`; `None` for NaNs, because their sign and payload are the
/// hardware's choice and a program may read them.
pub(crate) fn from_host(kind: FloatKind, value: f64) -> Option<u128> {
    if value.is_nan() {
        return None;
    }
    match kind {
        FloatKind::F32 => Some(u128::from((value as f32).to_bits())),
        FloatKind::F64 => Some(u128::from(value.to_bits())),
        FloatKind::F80 | FloatKind::F128 => None,
    }
}

pub(crate) fn float_binary(op: BinOp, kind: FloatKind, a: u128, b: u128) -> Option<u128> {
    if is_wide(kind) {
        return wide_float::binary(op, kind, a, b);
    }
    let (a, b) = (to_host(kind, a)?, to_host(kind, b)?);
    let value = match op {
        BinOp::FAdd => a + b,
        BinOp::FSub => a - b,
        BinOp::FMul => a * b,
        BinOp::FDiv => a / b,
        // The remainder of finite floats is exact, so it needs no rounding.
        BinOp::FRem => a % b,
        _ => return None,
    };
    from_host(kind, value)
}

pub(crate) fn float_compare(op: BinOp, kind: FloatKind, a: u128, b: u128) -> Option<bool> {
    if is_wide(kind) {
        return wide_float::compare(op, kind, a, b);
    }
    let (a, b) = (to_host(kind, a)?, to_host(kind, b)?);
    Some(match op {
        BinOp::FEq => a == b,
        BinOp::FLt => a < b,
        BinOp::FLe => a <= b,
        _ => return None,
    })
}

/// Float to float of the same kind.
pub(crate) fn float_unary(op: UnOp, kind: FloatKind, bits: u128) -> Option<u128> {
    let sign = 1u128 << (kind.bits() - 1);
    match op {
        // Sign operations act on the bits alone, of NaNs too (IEEE 754-2008 5.5.1).
        UnOp::FNeg => return Some(bits ^ sign),
        UnOp::FAbs => return Some(bits & !sign),
        UnOp::FRound(rounding) if is_wide(kind) => return wide_float::round(rounding, kind, bits),
        _ => {}
    }
    let value = to_host(kind, bits)?;
    let value = match op {
        UnOp::FSqrt => value.sqrt(),
        UnOp::FRound(Rounding::Floor) => value.floor(),
        UnOp::FRound(Rounding::Ceil) => value.ceil(),
        UnOp::FRound(Rounding::Trunc) => value.trunc(),
        UnOp::FRound(Rounding::NearestEven) => value.round_ties_even(),
        UnOp::FRound(Rounding::NearestAway) => value.round(),
        _ => return None,
    };
    from_host(kind, value)
}

pub(crate) fn float_test(op: UnOp, kind: FloatKind, bits: u128) -> Option<bool> {
    if op == UnOp::FIsNegative {
        return Some(bits >> (kind.bits() - 1) & 1 == 1);
    }
    if is_wide(kind) {
        return wide_float::test(op, kind, bits);
    }
    let value = to_host(kind, bits)?;
    match op {
        UnOp::FIsNan => Some(value.is_nan()),
        UnOp::FIsInf => Some(value.is_infinite()),
        _ => None,
    }
}

pub(crate) fn float_to_float(from: FloatKind, bits: u128, to: FloatKind) -> Option<u128> {
    if is_wide(from) || is_wide(to) {
        return wide_float::convert(from, bits, to);
    }
    from_host(to, to_host(from, bits)?)
}

/// Signed or unsigned integer to float. Converts to `f32` directly, because `f64` as an
/// intermediate step would round twice.
pub(crate) fn int_to_float(signed: bool, width: u16, value: u128, to: FloatKind) -> Option<u128> {
    let signed_value = sign_extend(value, width);
    match to {
        FloatKind::F32 => {
            let rounded = if signed { signed_value as f32 } else { value as f32 };
            Some(u128::from(rounded.to_bits()))
        }
        FloatKind::F64 => {
            let rounded = if signed { signed_value as f64 } else { value as f64 };
            Some(u128::from(rounded.to_bits()))
        }
        FloatKind::F80 | FloatKind::F128 => {
            wide_float::from_integer(signed, if signed { signed_value } else { value as i128 }, to)
        }
    }
}

/// Float to integer, towards zero. A value out of range gives the smallest signed value, and is not
/// folded if unsigned.
pub(crate) fn float_to_int(signed: bool, width: u16, from: FloatKind, bits: u128) -> Option<u128> {
    let smallest = signed.then(|| 1 << (width - 1));
    if is_wide(from) {
        return wide_float::to_integer(signed, width, from, bits)?.or(smallest);
    }
    let value = to_host(from, bits)?.trunc();
    let magnitude = |bits: u16| 2f64.powi(i32::from(bits));
    let (low, high) = if signed {
        (-magnitude(width - 1), magnitude(width - 1))
    } else {
        (0.0, magnitude(width))
    };
    if !(value >= low && value < high) {
        return smallest;
    }
    Some(if signed { value as i128 as u128 } else { value as u128 })
}
