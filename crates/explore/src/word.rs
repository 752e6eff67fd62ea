//! Words: pointers in them, and the arithmetic of bit-vectors of up to 64 bits.

use ravelin_term::{BinOp, UnOp, bin_ops, un_ops};

/// The pointer to an offset of an object; object 0 is none.
pub(crate) fn pointer(object: u32, offset: u32) -> u64 {
    u64::from(object) << 32 | u64::from(offset)
}

pub(crate) fn object_of(pointer: u64) -> u32 {
    (pointer >> 32) as u32
}

pub(crate) fn offset_of(pointer: u64) -> u32 {
    pointer as u32
}

/// All ones in `width` bits, which are 1 to 64.
pub(crate) fn ones(width: u16) -> u64 {
    u64::MAX >> (64 - u32::from(width.clamp(1, 64)))
}

/// The number that the low `width` bits are in two's complement.
pub(crate) fn signed(bits: u64, width: u16) -> i64 {
    let unused = 64 - u32::from(width.clamp(1, 64));
    ((bits << unused) as i64) >> unused
}

/// A division that the processor refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trap {
    DivisionByZero,
    DivisionOverflow,
    /// The address of a local object that is not alive in the frame.
    NotInScope,
}

/// The result of a division or remainder.
pub(crate) fn divide(op: BinOp, width: u16, a: u64, b: u64) -> Result<u64, Trap> {
    if b == 0 {
        return Err(Trap::DivisionByZero);
    }
    let (sa, sb) = (signed(a, width), signed(b, width));
    let smallest = signed(1 << (width - 1), width);
    let is_signed = matches!(op, BinOp::BvSdiv | BinOp::BvSrem);
    if is_signed && sb == -1 && sa == smallest {
        return Err(Trap::DivisionOverflow);
    }
    let result = match op {
        BinOp::BvUdiv => a / b,
        BinOp::BvUrem => a % b,
        BinOp::BvSdiv => sa.wrapping_div(sb) as u64,
        _ => sa.wrapping_rem(sb) as u64,
    };
    Ok(result & ones(width))
}

/// The result of a bit-vector operation other than a division.
#[inline]
pub(crate) fn arithmetic(op: BinOp, width: u16, a: u64, b: u64) -> Option<u64> {
    let in_range = b < u64::from(width);
    Some(match op {
        BinOp::BvAdd => a.wrapping_add(b) & ones(width),
        BinOp::BvSub => a.wrapping_sub(b) & ones(width),
        BinOp::BvMul => a.wrapping_mul(b) & ones(width),
        BinOp::BvAnd => a & b,
        BinOp::BvOr => a | b,
        BinOp::BvXor => a ^ b,
        BinOp::BvShl if in_range => (a << b) & ones(width),
        BinOp::BvLshr if in_range => a >> b,
        BinOp::BvShl | BinOp::BvLshr => 0,
        BinOp::BvAshr => {
            let by = b.min(u64::from(width) - 1);
            (signed(a, width) >> by) as u64 & ones(width)
        }
        BinOp::BvUlt => (a < b).into(),
        BinOp::BvUle => (a <= b).into(),
        BinOp::BvSlt => (signed(a, width) < signed(b, width)).into(),
        BinOp::BvSle => (signed(a, width) <= signed(b, width)).into(),
        BinOp::And => (a != 0 && b != 0).into(),
        BinOp::Or => (a != 0 || b != 0).into(),
        bin_ops!(bv_division, float_arithmetic, float_order, pointer_order)
        | BinOp::Eq
        | BinOp::Concat
        | BinOp::PtrAdd
        | BinOp::PtrDiff
        | BinOp::PtrMake => return None,
    })
}

/// The result of an operation on one bit-vector or Boolean with a bit-vector or Boolean as result.
#[inline]
pub(crate) fn unary(op: UnOp, width: u16, a: u64) -> Option<u64> {
    Some(match op {
        UnOp::Not => (a == 0).into(),
        UnOp::BvNot => !a & ones(width),
        UnOp::BvNeg => a.wrapping_neg() & ones(width),
        UnOp::ZeroExt(_) => a,
        UnOp::SignExt(to) => signed(a, width) as u64 & ones(to),
        UnOp::Extract { hi, lo } => a >> lo & ones(hi - lo + 1),
        un_ops!(float, float_test, int_to_float, float_to_int, pointer_part)
        | UnOp::FToBits
        | UnOp::BitsToF(_)
        | UnOp::PtrToInt
        | UnOp::IntToPtr => return None,
    })
}
