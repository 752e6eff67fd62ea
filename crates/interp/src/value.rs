//! Values, and the arithmetic of bit-vectors.
//!
//! Inside the machine a value is 128 bare bits whose sort is known from the code; [`Value`] is the
//! form with its sort, for traces. Written apart from the constant folder of `ravelin-term` on
//! purpose: each is the check of the other.

use std::fmt;

use ravelin_term::{BinOp, FloatKind, Sort, bin_ops};

/// An object instance: an index into the table of instances and, since long runs use an index
/// again, the number of the use. All zero for "no object".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectRef(u64);

impl ObjectRef {
    /// No object: the first half of NULL and of integers cast to pointers.
    pub const NONE: ObjectRef = ObjectRef(0);

    pub(crate) fn new(index: u32, generation: u32) -> Self {
        ObjectRef(u64::from(generation) << 32 | u64::from(index))
    }

    pub(crate) fn index(self) -> usize {
        (self.0 & 0xffff_ffff) as usize
    }

    pub(crate) fn generation(self) -> u32 {
        (self.0 >> 32) as u32
    }
}

/// The bits of a value: a Boolean is 0 or 1, a bit-vector and a float are zero-extended, a pointer
/// has its object in the upper half and its offset in the lower.
pub(crate) type Bits = u128;

pub(crate) fn pointer(object: ObjectRef, offset: u64) -> Bits {
    u128::from(object.0) << 64 | u128::from(offset)
}

pub(crate) fn object_of(pointer: Bits) -> ObjectRef {
    ObjectRef((pointer >> 64) as u64)
}

pub(crate) fn offset_of(pointer: Bits) -> u64 {
    pointer as u64
}

/// All ones in `width` bits.
pub(crate) fn ones(width: u16) -> Bits {
    u128::MAX >> (128 - u32::from(width.clamp(1, 128)))
}

/// The number that the low `width` bits are in two's complement.
pub(crate) fn to_signed(bits: Bits, width: u16) -> i128 {
    let bits = bits & ones(width);
    let sign = ones(width) ^ (ones(width) >> 1);
    // Flipping the sign bit and subtracting its weight turns 0..2^w into -2^(w-1)..2^(w-1).
    (bits ^ sign).wrapping_sub(sign) as i128
}

/// An operation without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trap {
    DivisionByZero,
    /// The smallest number divided by -1, which x86 answers with the same signal.
    DivisionOverflow,
    /// The address of a local object that is not alive in the frame.
    NotInScope,
    /// A variable without a value, where none may be drawn.
    Indeterminate,
}

/// A bit-vector operation with a bit-vector as result; `None` for all other operations.
pub(crate) fn bit_vector(op: BinOp, width: u16, a: Bits, b: Bits) -> Option<Result<Bits, Trap>> {
    let smallest = ones(width) ^ (ones(width) >> 1);
    let by_width = |result: Bits| Some(Ok(result & ones(width)));
    let signed = |a: Bits| to_signed(a, width);
    match op {
        BinOp::BvAdd => by_width(a.wrapping_add(b)),
        BinOp::BvSub => by_width(a.wrapping_sub(b)),
        BinOp::BvMul => by_width(a.wrapping_mul(b)),
        BinOp::BvAnd => Some(Ok(a & b)),
        BinOp::BvOr => Some(Ok(a | b)),
        BinOp::BvXor => Some(Ok(a ^ b)),
        BinOp::BvUdiv | BinOp::BvUrem | BinOp::BvSdiv | BinOp::BvSrem if b == 0 => {
            Some(Err(Trap::DivisionByZero))
        }
        BinOp::BvSdiv | BinOp::BvSrem if a == smallest && b == ones(width) => {
            Some(Err(Trap::DivisionOverflow))
        }
        BinOp::BvUdiv => by_width(divide(a, b)),
        BinOp::BvUrem => by_width(remainder(a, b)),
        BinOp::BvSdiv => {
            let quotient = divide(signed(a).unsigned_abs(), signed(b).unsigned_abs());
            let negative = (signed(a) < 0) != (signed(b) < 0);
            by_width(if negative { quotient.wrapping_neg() } else { quotient })
        }
        BinOp::BvSrem => {
            let rest = remainder(signed(a).unsigned_abs(), signed(b).unsigned_abs());
            by_width(if signed(a) < 0 { rest.wrapping_neg() } else { rest })
        }
        BinOp::BvShl if b >= u128::from(width) => Some(Ok(0)),
        BinOp::BvLshr if b >= u128::from(width) => Some(Ok(0)),
        BinOp::BvShl => by_width(a << b),
        BinOp::BvLshr => Some(Ok(a >> b)),
        BinOp::BvAshr => {
            let amount = b.min(u128::from(width) - 1);
            by_width((signed(a) >> amount) as u128)
        }
        bin_ops!(logic, bv_order, float_arithmetic, float_order, pointer_order)
        | BinOp::Eq
        | BinOp::Concat
        | BinOp::PtrAdd
        | BinOp::PtrDiff
        | BinOp::PtrMake => None,
    }
}

/// The hardware divides 64 bits; 128 take a library call, which few values need.
fn divide(a: u128, b: u128) -> u128 {
    match (u64::try_from(a), u64::try_from(b)) {
        (Ok(a), Ok(b)) => u128::from(a / b),
        _ => a / b,
    }
}

fn remainder(a: u128, b: u128) -> u128 {
    match (u64::try_from(a), u64::try_from(b)) {
        (Ok(a), Ok(b)) => u128::from(a % b),
        _ => a % b,
    }
}

/// A value with its sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    Bool(bool),
    /// Bits above the width are zero.
    Bv {
        width: u16,
        bits: u128,
    },
    Float(FloatKind, u128),
    /// A byte offset from the start of an object; NULL and integers have no object.
    Ptr {
        object: ObjectRef,
        offset: u64,
    },
}

impl Value {
    pub(crate) fn from_bits(sort: Sort, bits: Bits) -> Self {
        match sort {
            Sort::Bool => Value::Bool(bits != 0),
            Sort::Bv(width) => Value::Bv { width, bits: bits & ones(width) },
            Sort::Float(kind) => Value::Float(kind, bits & ones(kind.bits())),
            // No variable of a verified automaton holds a memory.
            Sort::Ptr | Sort::Mem => {
                Value::Ptr { object: object_of(bits), offset: offset_of(bits) }
            }
        }
    }

    /// The number of a bit-vector in two's complement.
    pub fn as_signed(self) -> Option<i128> {
        match self {
            Value::Bv { width, bits } => Some(to_signed(bits, width)),
            Value::Bool(_) | Value::Float(..) | Value::Ptr { .. } => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Bv { bits, .. } => write!(f, "{bits}"),
            Value::Float(kind, bits) => f.write_str(&crate::decimal::shortest(kind, bits)),
            Value::Ptr { object: ObjectRef::NONE, offset: 0 } => f.write_str("NULL"),
            Value::Ptr { object: ObjectRef::NONE, offset } => write!(f, "{offset:#x}"),
            Value::Ptr { object, offset } => write!(f, "object {}+{offset}", object.index()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of interesting numbers in 32 bits.
    fn pairs() -> Vec<(u32, u32)> {
        let interesting = [
            0u32,
            1,
            2,
            3,
            7,
            31,
            32,
            33,
            100,
            0x7fff_ffff,
            0x8000_0000,
            0x8000_0001,
            0xffff_fffe,
            0xffff_ffff,
            0xdead_beef,
        ];
        interesting.iter().flat_map(|&a| interesting.iter().map(move |&b| (a, b))).collect()
    }

    fn apply(op: BinOp, a: u32, b: u32) -> Result<u32, Trap> {
        bit_vector(op, 32, a.into(), b.into()).unwrap().map(|bits| {
            assert!(bits <= 0xffff_ffff, "{op:?} leaves bits above the width");
            bits as u32
        })
    }

    #[test]
    fn arithmetic_agrees_with_the_host() {
        for (a, b) in pairs() {
            assert_eq!(apply(BinOp::BvAdd, a, b), Ok(a.wrapping_add(b)));
            assert_eq!(apply(BinOp::BvSub, a, b), Ok(a.wrapping_sub(b)));
            assert_eq!(apply(BinOp::BvMul, a, b), Ok(a.wrapping_mul(b)));
            assert_eq!(apply(BinOp::BvXor, a, b), Ok(a ^ b));
            let shl = if b < 32 { a << b } else { 0 };
            let shr = if b < 32 { a >> b } else { 0 };
            let sar = (a as i32) >> b.min(31);
            assert_eq!(apply(BinOp::BvShl, a, b), Ok(shl));
            assert_eq!(apply(BinOp::BvLshr, a, b), Ok(shr));
            assert_eq!(apply(BinOp::BvAshr, a, b), Ok(sar as u32));
        }
    }

    #[test]
    fn division_agrees_with_the_host_and_traps_where_it_traps() {
        for (a, b) in pairs() {
            let (sa, sb) = (a as i32, b as i32);
            assert_eq!(apply(BinOp::BvUdiv, a, b).ok(), a.checked_div(b));
            assert_eq!(apply(BinOp::BvUrem, a, b).ok(), a.checked_rem(b));
            assert_eq!(apply(BinOp::BvSdiv, a, b).ok(), sa.checked_div(sb).map(|q| q as u32));
            assert_eq!(apply(BinOp::BvSrem, a, b).ok(), sa.checked_rem(sb).map(|q| q as u32));
        }
        assert_eq!(apply(BinOp::BvSdiv, 5, 0), Err(Trap::DivisionByZero));
        assert_eq!(apply(BinOp::BvSrem, 0x8000_0000, u32::MAX), Err(Trap::DivisionOverflow));
    }

    #[test]
    fn the_widest_and_the_narrowest_vectors() {
        assert_eq!(ones(128), u128::MAX);
        assert_eq!(ones(1), 1);
        assert_eq!(to_signed(u128::MAX, 128), -1);
        assert_eq!(to_signed(1, 1), -1);
        assert_eq!(to_signed(0x80, 8), -128);
        assert_eq!(to_signed(0x17f, 8), 127);
        let wide = bit_vector(BinOp::BvMul, 128, u128::MAX, u128::MAX);
        assert_eq!(wide, Some(Ok(1)));
        let quotient = bit_vector(BinOp::BvSdiv, 128, (-7i128) as u128, 2);
        assert_eq!(quotient, Some(Ok((-3i128) as u128)));
        let smallest = i128::MIN as u128;
        assert_eq!(
            bit_vector(BinOp::BvSdiv, 128, smallest, u128::MAX),
            Some(Err(Trap::DivisionOverflow))
        );
    }
}
