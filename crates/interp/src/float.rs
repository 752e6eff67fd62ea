//! Arithmetic of floats, as gcc's code for x86 computes it.
//!
//! Sums, products, quotients and rounding come from `rustc_apfloat`; remainder, square root and the
//! conversions to integers are done here on the integer significand, exactly. NaNs follow the SSE
//! unit: an operand's NaN goes on, quieted, the first operand's first; an operation without a
//! result makes the "default NaN", whose sign bit is set (Intel SDM vol. 1, 4.8.3.5 and 4.8.3.7).

use std::cmp::Ordering;

use ravelin_term::{BinOp, FloatKind, Rounding, bin_ops};
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};

use crate::value::{Bits, ones};

/// The significant bits, the integer bit among them.
pub(crate) fn precision(kind: FloatKind) -> u16 {
    match kind {
        FloatKind::F32 => 24,
        FloatKind::F64 => 53,
        FloatKind::F80 => 64,
        FloatKind::F128 => 113,
    }
}

/// The bits that hold the significand; x87's format alone stores the integer bit.
fn significand_bits(kind: FloatKind) -> u16 {
    match kind {
        FloatKind::F80 => 64,
        FloatKind::F32 | FloatKind::F64 | FloatKind::F128 => precision(kind) - 1,
    }
}

fn exponent_mask(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::F32 => 0xff,
        FloatKind::F64 => 0x7ff,
        FloatKind::F80 | FloatKind::F128 => 0x7fff,
    }
}

fn bias(kind: FloatKind) -> i32 {
    (exponent_mask(kind) >> 1) as i32
}

fn quiet_bit(kind: FloatKind) -> Bits {
    1 << (precision(kind) - 2)
}

/// The bits of an infinity or NaN but for sign and fraction.
fn special(kind: FloatKind) -> Bits {
    let integer_bit = if kind == FloatKind::F80 { 1 << 63 } else { 0 };
    Bits::from(exponent_mask(kind)) << significand_bits(kind) | integer_bit
}

pub(crate) fn sign_bit(kind: FloatKind) -> Bits {
    1 << (kind.bits() - 1)
}

fn default_nan(kind: FloatKind) -> Bits {
    sign_bit(kind) | special(kind) | quiet_bit(kind)
}

/// What a float's bits mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Nan,
    Infinite,
    Zero,
    /// `significand` times two to the `exponent`; the significand has the full precision.
    Finite {
        significand: u128,
        exponent: i32,
    },
}

pub(crate) fn classify(kind: FloatKind, bits: Bits) -> Class {
    let exponent = (bits >> significand_bits(kind)) as u32 & exponent_mask(kind);
    let stored = bits & ones(significand_bits(kind));
    if kind == FloatKind::F80 {
        let fraction = stored & ones(63);
        // The 387 and its successors refuse formats without integer bit but for denormals.
        match (exponent, stored >> 63) {
            (0, _) if stored == 0 => return Class::Zero,
            (0x7fff, 1) if fraction == 0 => return Class::Infinite,
            (0x7fff, _) | (1.., 0) => return Class::Nan,
            _ => {}
        }
    } else if exponent == exponent_mask(kind) {
        return if stored == 0 { Class::Infinite } else { Class::Nan };
    } else if exponent == 0 && stored == 0 {
        return Class::Zero;
    }
    let integer_bit =
        if kind == FloatKind::F80 || exponent == 0 { 0 } else { 1 << significand_bits(kind) };
    let significand = stored | integer_bit;
    let exponent = exponent.max(1) as i32 - bias(kind) - i32::from(precision(kind) - 1);
    let missing = significand.leading_zeros() - (128 - u32::from(precision(kind)));
    Class::Finite { significand: significand << missing, exponent: exponent - missing as i32 }
}

/// The float `significand` times two to the `exponent`, which must be one of the format's values or
/// too large for it.
fn compose(kind: FloatKind, negative: bool, significand: u128, exponent: i32) -> Bits {
    let sign = if negative { sign_bit(kind) } else { 0 };
    if significand == 0 {
        return sign;
    }
    let excess = significand.leading_zeros() as i32 - (128 - i32::from(precision(kind)));
    let (mut significand, mut exponent) = if excess >= 0 {
        (significand << excess, exponent - excess)
    } else {
        (significand >> -excess, exponent - excess)
    };
    let mut biased = exponent + i32::from(precision(kind) - 1) + bias(kind);
    if biased >= exponent_mask(kind) as i32 {
        return sign | special(kind);
    }
    if biased <= 0 {
        // Denormal: the exponent of the smallest normal numbers, without their integer bit.
        significand = significand.checked_shr((1 - biased) as u32).unwrap_or(0);
        exponent += 1 - biased;
        biased = 0;
    }
    debug_assert!(exponent >= i32::MIN / 2);
    let stored = significand & ones(significand_bits(kind));
    sign | (biased as u128) << significand_bits(kind) | stored
}

pub(crate) fn is_nan(kind: FloatKind, bits: Bits) -> bool {
    classify(kind, bits) == Class::Nan
}

pub(crate) fn is_infinite(kind: FloatKind, bits: Bits) -> bool {
    classify(kind, bits) == Class::Infinite
}

pub(crate) fn is_negative(kind: FloatKind, bits: Bits) -> bool {
    bits & sign_bit(kind) != 0
}

/// The NaN that an operation with NaN operands gives, if one is.
fn propagate(kind: FloatKind, a: Bits, b: Bits) -> Option<Bits> {
    let quiet = |nan: Bits| nan | special(kind) | quiet_bit(kind);
    match (is_nan(kind, a), is_nan(kind, b)) {
        (false, false) => None,
        (true, false) => Some(quiet(a)),
        (false, true) => Some(quiet(b)),
        // The x87 unit takes the NaN with the larger significand (SDM vol. 1, table 4-7).
        (true, true) if kind == FloatKind::F80 => {
            let larger = if a & ones(64) >= b & ones(64) { a } else { b };
            Some(quiet(larger))
        }
        (true, true) => Some(quiet(a)),
    }
}

/// An expression with `$float` as the type of the numbers of a format.
macro_rules! in_format {
    ($kind:expr, $float:ident => $result:expr) => {
        match $kind {
            FloatKind::F32 => in_format!($float is Single in $result),
            FloatKind::F64 => in_format!($float is Double in $result),
            FloatKind::F80 => in_format!($float is X87DoubleExtended in $result),
            FloatKind::F128 => in_format!($float is Quad in $result),
        }
    };
    ($float:ident is $format:ident in $result:expr) => {{
        type $float = $format;
        $result
    }};
}

/// `+ - * /` and `fmod`; `None` for operations that are not these.
pub(crate) fn arithmetic(op: BinOp, kind: FloatKind, a: Bits, b: Bits) -> Option<Bits> {
    in_format!(kind, F => arithmetic_in::<F>(op, kind, a, b))
}

fn arithmetic_in<F: Float>(op: BinOp, kind: FloatKind, a: Bits, b: Bits) -> Option<Bits> {
    if let Some(nan) = propagate(kind, a, b) {
        return Some(nan);
    }
    let (x, y) = (F::from_bits(a), F::from_bits(b));
    let nearest = Round::NearestTiesToEven;
    let result = match op {
        BinOp::FAdd => x.add_r(y, nearest),
        BinOp::FSub => x.sub_r(y, nearest),
        BinOp::FMul => x.mul_r(y, nearest),
        BinOp::FDiv => x.div_r(y, nearest),
        BinOp::FRem => return Some(remainder(kind, a, b)),
        bin_ops!(logic, bv_arithmetic, bv_division, bv_order, float_order, pointer_order)
        | BinOp::Eq
        | BinOp::Concat
        | BinOp::PtrAdd
        | BinOp::PtrDiff
        | BinOp::PtrMake => return None,
    };
    Some(if result.value.is_nan() { default_nan(kind) } else { result.value.to_bits() })
}

/// C's `fmod`: exact, with the sign of the dividend (C11 7.12.10.1, F.10.7.1).
fn remainder(kind: FloatKind, a: Bits, b: Bits) -> Bits {
    match (classify(kind, a), classify(kind, b)) {
        (Class::Infinite | Class::Nan, _) | (_, Class::Zero | Class::Nan) => default_nan(kind),
        (Class::Zero, _) | (_, Class::Infinite) => a,
        (
            Class::Finite { significand, exponent },
            Class::Finite { significand: divisor, exponent: divisor_exponent },
        ) => {
            // Both significands are normalised, so a smaller exponent is a smaller number.
            if exponent < divisor_exponent {
                return a;
            }
            let mut rest = significand % divisor;
            for _ in divisor_exponent..exponent {
                rest = (rest << 1) % divisor;
            }
            compose(kind, is_negative(kind, a), rest, divisor_exponent)
        }
    }
}

/// The order of two floats; `None` if one is NaN.
pub(crate) fn compare(kind: FloatKind, a: Bits, b: Bits) -> Option<Ordering> {
    in_format!(kind, F => F::from_bits(a).partial_cmp(&F::from_bits(b)))
}

/// The nearest integral value in the given direction.
pub(crate) fn round(kind: FloatKind, rounding: Rounding, bits: Bits) -> Bits {
    if let Some(nan) = propagate(kind, bits, bits) {
        return nan;
    }
    let mode = match rounding {
        Rounding::Floor => Round::TowardNegative,
        Rounding::Ceil => Round::TowardPositive,
        Rounding::Trunc => Round::TowardZero,
        Rounding::NearestEven => Round::NearestTiesToEven,
        Rounding::NearestAway => Round::NearestTiesToAway,
    };
    in_format!(kind, F => F::from_bits(bits).round_to_integral(mode).value.to_bits())
}

/// The correctly rounded square root.
pub(crate) fn square_root(kind: FloatKind, bits: Bits) -> Bits {
    if let Some(nan) = propagate(kind, bits, bits) {
        return nan;
    }
    let (significand, exponent) = match classify(kind, bits) {
        Class::Zero => return bits,
        _ if is_negative(kind, bits) => return default_nan(kind),
        Class::Infinite | Class::Nan => return bits,
        Class::Finite { significand, exponent } => (significand, exponent),
    };
    // An even exponent halves; the root of the significand is then found bit by bit, two bits of
    // the radicand at a time, until there is one bit more than the format holds.
    let odd = exponent & 1;
    let radicand = significand << odd;
    let radicand_bits = 128 - radicand.leading_zeros();
    let mut pairs_left = radicand_bits.div_ceil(2);
    let wanted = u32::from(precision(kind)) + 1;
    let (mut root, mut rest) = (0u128, 0u128);
    let mut extra = 0;
    for _ in 0..wanted {
        let pair = if pairs_left > 0 {
            pairs_left -= 1;
            radicand >> (2 * pairs_left) & 3
        } else {
            extra += 1;
            0
        };
        rest = rest << 2 | pair;
        let trial = root << 2 | 1;
        root <<= 1;
        if rest >= trial {
            rest -= trial;
            root |= 1;
        }
    }
    let (mut rounded, half) = (root >> 1, root & 1 == 1);
    if half && (rest != 0 || pairs_left > 0 || rounded & 1 == 1) {
        rounded += 1;
    }
    compose(kind, false, rounded, (exponent - odd) / 2 - extra + 1)
}

/// Float to float, to nearest even.
pub(crate) fn convert(from: FloatKind, bits: Bits, to: FloatKind) -> Bits {
    if is_nan(from, bits) {
        // The payload stays at the upper end of the fraction.
        let fraction = bits & ones(precision(from) - 2);
        let (from_bits, to_bits) = (precision(from) - 2, precision(to) - 2);
        let payload = if to_bits >= from_bits {
            fraction << (to_bits - from_bits)
        } else {
            fraction >> (from_bits - to_bits)
        };
        let sign = if is_negative(from, bits) { sign_bit(to) } else { 0 };
        return sign | special(to) | quiet_bit(to) | payload;
    }
    in_format!(from, F => convert_from(F::from_bits(bits), to))
}

fn convert_from<F>(value: F, to: FloatKind) -> Bits
where
    F: Float
        + FloatConvert<Single>
        + FloatConvert<Double>
        + FloatConvert<X87DoubleExtended>
        + FloatConvert<Quad>,
{
    let mut lossy = false;
    let nearest = Round::NearestTiesToEven;
    in_format!(to, T => FloatConvert::<T>::convert_r(value, nearest, &mut lossy).value.to_bits())
}

/// A signed integer as a float, to nearest even.
pub(crate) fn from_signed(value: i128, to: FloatKind) -> Bits {
    let nearest = Round::NearestTiesToEven;
    in_format!(to, F => F::from_i128_r(value, nearest).value.to_bits())
}

/// An unsigned integer as a float, to nearest even.
pub(crate) fn from_unsigned(value: u128, to: FloatKind) -> Bits {
    let nearest = Round::NearestTiesToEven;
    in_format!(to, F => F::from_u128_r(value, nearest).value.to_bits())
}

/// The magnitude without its fraction; `None` for NaN, infinity and from 2^128 on.
fn truncated_magnitude(kind: FloatKind, bits: Bits) -> Option<u128> {
    match classify(kind, bits) {
        Class::Nan | Class::Infinite => None,
        Class::Zero => Some(0),
        Class::Finite { significand, exponent } if exponent < 0 => {
            Some(significand.checked_shr(exponent.unsigned_abs()).unwrap_or(0))
        }
        Class::Finite { significand, exponent } => {
            let fits = (exponent as u32) <= significand.leading_zeros();
            fits.then(|| significand << exponent)
        }
    }
}

/// Float to signed integer, towards zero; the smallest integer where the value does not fit (the
/// "integer indefinite" of `cvttsd2si`).
pub(crate) fn to_signed_integer(kind: FloatKind, bits: Bits, width: u16) -> Bits {
    let smallest = ones(width) ^ (ones(width) >> 1);
    let negative = is_negative(kind, bits);
    match truncated_magnitude(kind, bits) {
        Some(magnitude) if negative && magnitude <= smallest => {
            magnitude.wrapping_neg() & ones(width)
        }
        Some(magnitude) if !negative && magnitude < smallest => magnitude,
        _ => smallest,
    }
}

/// Float to unsigned integer, towards zero. C leaves values out of range undefined; the result is
/// that of gcc's instruction sequences: up to 32 bits by way of a signed 64-bit integer, 64 bits by
/// subtracting 2^63 first where the value is that large.
pub(crate) fn to_unsigned_integer(kind: FloatKind, bits: Bits, width: u16) -> Bits {
    let negative = is_negative(kind, bits);
    match truncated_magnitude(kind, bits) {
        Some(magnitude) if !negative && magnitude <= ones(width) => magnitude,
        Some(magnitude) if negative && magnitude <= 1 << 63 => {
            magnitude.wrapping_neg() & ones(width)
        }
        Some(magnitude) if !negative && width < 64 && magnitude < 1 << 63 => {
            magnitude & ones(width)
        }
        // 2^63 less 2^63's own "indefinite" result is 0 for large positive values and infinity.
        _ if width == 64 && !negative && !is_nan(kind, bits) => 0,
        _ if width <= 32 => 0,
        _ => ones(width) ^ (ones(width) >> 1),
    }
}

#[cfg(test)]
mod tests {
    use std::ops::{Add, Div, Mul, Rem, Sub};

    use super::*;

    const OPS: [BinOp; 5] = [BinOp::FAdd, BinOp::FSub, BinOp::FMul, BinOp::FDiv, BinOp::FRem];

    fn doubles() -> Vec<f64> {
        let mut all = vec![
            0.0,
            1.0,
            1.5,
            2.0,
            3.0,
            0.1,
            10.0,
            1e300,
            1e-300,
            f64::MIN_POSITIVE,
            5e-324,
            4.9e-310,
            f64::MAX,
            f64::INFINITY,
            0.5,
            2.5,
            0.49999999999999994,
            4503599627370497.5,
            1e22,
            123456789.125,
        ];
        let negated: Vec<f64> = all.iter().map(|x| -x).collect();
        all.extend(negated);
        all
    }

    fn host<F>(op: BinOp, a: F, b: F) -> F
    where
        F: Add<Output = F> + Sub<Output = F> + Mul<Output = F> + Div<Output = F> + Rem<Output = F>,
    {
        match op {
            BinOp::FAdd => a + b,
            BinOp::FSub => a - b,
            BinOp::FMul => a * b,
            BinOp::FDiv => a / b,
            _ => a % b,
        }
    }

    #[test]
    fn arithmetic_agrees_with_the_host() {
        for a in doubles() {
            for b in doubles() {
                for op in OPS {
                    let got =
                        arithmetic(op, FloatKind::F64, a.to_bits().into(), b.to_bits().into());
                    let expected = host(op, a, b);
                    if expected.is_nan() {
                        assert_eq!(got, Some(0xfff8_0000_0000_0000), "{op:?} {a} {b}");
                    } else {
                        assert_eq!(got, Some(expected.to_bits().into()), "{op:?} {a} {b}");
                    }
                    let (a, b) = (a as f32, b as f32);
                    let got =
                        arithmetic(op, FloatKind::F32, a.to_bits().into(), b.to_bits().into());
                    let expected = host(op, a, b);
                    if expected.is_nan() {
                        assert_eq!(got, Some(0xffc0_0000), "{op:?} {a} {b}");
                    } else {
                        assert_eq!(got, Some(expected.to_bits().into()), "{op:?} {a} {b}");
                    }
                }
            }
        }
    }

    #[test]
    fn square_roots_and_rounding_agree_with_the_host() {
        for x in doubles() {
            let bits = Bits::from(x.to_bits());
            let root = square_root(FloatKind::F64, bits);
            if x.sqrt().is_nan() {
                assert_eq!(root, 0xfff8_0000_0000_0000);
            } else {
                assert_eq!(root, x.sqrt().to_bits().into(), "sqrt {x}");
            }
            let single = x as f32;
            if !single.sqrt().is_nan() {
                let root = square_root(FloatKind::F32, single.to_bits().into());
                assert_eq!(root, single.sqrt().to_bits().into(), "sqrtf {single}");
            }
            for (rounding, expected) in [
                (Rounding::Floor, x.floor()),
                (Rounding::Ceil, x.ceil()),
                (Rounding::Trunc, x.trunc()),
                (Rounding::NearestEven, x.round_ties_even()),
                (Rounding::NearestAway, x.round()),
            ] {
                let got = round(FloatKind::F64, rounding, bits);
                assert_eq!(got, expected.to_bits().into(), "{rounding:?} {x}");
            }
        }
    }

    #[test]
    fn wide_square_roots() {
        // sqrt(2) in extended and quadruple precision, from the tables of IEEE implementations.
        let two = from_unsigned(2, FloatKind::F80);
        assert_eq!(square_root(FloatKind::F80, two), 0x3fff_b504_f333_f9de_6484);
        let two = from_unsigned(2, FloatKind::F128);
        assert_eq!(square_root(FloatKind::F128, two), 0x3fff_6a09_e667_f3bc_c908_b2fb_1366_ea95);
        let square = from_unsigned(144, FloatKind::F128);
        assert_eq!(square_root(FloatKind::F128, square), from_unsigned(12, FloatKind::F128));
    }

    #[test]
    fn nans_go_on_quieted_and_the_first_wins() {
        let (signalling, other) = (0x7f80_1234, 0xffc0_5678);
        let add = |a, b| arithmetic(BinOp::FAdd, FloatKind::F32, a, b);
        assert_eq!(add(signalling, other), Some(0x7fc0_1234));
        assert_eq!(add(other, signalling), Some(0xffc0_5678));
        assert_eq!(add(0x3f80_0000, signalling), Some(0x7fc0_1234));
        assert_eq!(convert(FloatKind::F32, signalling, FloatKind::F64), 0x7ff8_0246_8000_0000);
        assert_eq!(convert(FloatKind::F64, 0xfff8_0246_8000_0000, FloatKind::F32), 0xffc0_1234);
    }

    #[test]
    fn conversions_agree_with_the_host_where_they_are_defined() {
        for x in doubles() {
            let bits = Bits::from(x.to_bits());
            let single = convert(FloatKind::F64, bits, FloatKind::F32);
            assert_eq!(single, (x as f32).to_bits().into(), "{x} to float");
            for wide in [FloatKind::F80, FloatKind::F128] {
                let there = convert(FloatKind::F64, bits, wide);
                assert_eq!(convert(wide, there, FloatKind::F64), bits, "{x} by way of {wide:?}");
            }
            if x.abs() < 2147483648.0 {
                let got = to_signed_integer(FloatKind::F64, bits, 32);
                assert_eq!(got as u32, x as i32 as u32, "{x} to int");
            }
            if x > -1.0 && x < 18446744073709551616.0 {
                let got = to_unsigned_integer(FloatKind::F64, bits, 64);
                assert_eq!(got as u64, x as u64, "{x} to unsigned long");
            }
        }
        let large = Bits::from(3e9f64.to_bits());
        assert_eq!(to_signed_integer(FloatKind::F64, large, 32), 0x8000_0000);
        assert_eq!(to_signed_integer(FloatKind::F64, large, 64), 3_000_000_000);
        let nan = Bits::from(f64::NAN.to_bits());
        assert_eq!(to_signed_integer(FloatKind::F64, nan, 64), 1 << 63);
        // gcc: (unsigned)-1.0 goes by way of a signed 64-bit integer.
        let minus_one = Bits::from((-1f64).to_bits());
        assert_eq!(to_unsigned_integer(FloatKind::F64, minus_one, 32), 0xffff_ffff);
        for value in [0i128, 1, -1, 16777217, -16777219, i64::MAX.into(), i128::MIN] {
            assert_eq!(from_signed(value, FloatKind::F32), (value as f32).to_bits().into());
            assert_eq!(from_signed(value, FloatKind::F64), (value as f64).to_bits().into());
        }
    }

    #[test]
    fn comparisons_fail_on_nan_only() {
        let of = |x: f64| Bits::from(x.to_bits());
        assert_eq!(compare(FloatKind::F64, of(-0.0), of(0.0)), Some(Ordering::Equal));
        assert_eq!(compare(FloatKind::F64, of(1.0), of(2.0)), Some(Ordering::Less));
        assert_eq!(compare(FloatKind::F64, of(f64::NAN), of(2.0)), None);
        let one = from_signed(1, FloatKind::F80);
        assert_eq!(one, 0x3fff_8000_0000_0000_0000);
        assert_eq!(compare(FloatKind::F80, one, 0), Some(Ordering::Greater));
    }

    #[test]
    fn extended_formats_without_integer_bit_are_no_numbers() {
        let unnormal = 0x3fff_4000_0000_0000_0000;
        assert_eq!(classify(FloatKind::F80, unnormal), Class::Nan);
        assert_eq!(classify(FloatKind::F80, 0x7fff_8000_0000_0000_0000), Class::Infinite);
        let denormal = classify(FloatKind::F80, 1);
        assert_eq!(denormal, Class::Finite { significand: 1 << 63, exponent: -16445 - 63 });
    }
}
