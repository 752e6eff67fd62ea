//! Arithmetic on sets of bit-vectors. A result contains the result for every choice of operands.

use ravelin_term::{BinOp, UnOp, bin_ops, un_ops};

use crate::num::{Num, gcd, mask, power_of_two_part, signed_min, to_signed};

/// The bits that are the same in all values: those that are one, and those that are zero.
#[derive(Clone, Copy)]
struct Bits {
    ones: u128,
    zeros: u128,
}

impl Bits {
    fn of(num: &Num) -> Bits {
        let all = mask(num.width);
        let differing = num.lo ^ num.hi;
        let low = match differing {
            0 => 0,
            _ => u128::MAX >> differing.leading_zeros(),
        };
        let mut known = all & !low;
        let mut value = num.lo & known;
        let step = if num.stride == 0 { 0 } else { power_of_two_part(num.stride) };
        if step > 1 {
            let bits = step - 1;
            known |= bits & all;
            value |= num.rem & bits;
        }
        Bits { ones: value & known, zeros: !value & known }
    }

    fn into_num(self, width: u16) -> Num {
        let all = mask(width);
        let known = self.ones | self.zeros;
        let step = power_of_two_part(!known & all);
        if step == 0 {
            return Num::constant(width, self.ones);
        }
        let num = Num { lo: self.ones, hi: all & !self.zeros, ..Num::top(width) };
        let num = num.reduced().unwrap_or(Num::top(width));
        if step > 1 { num.with_stride(step, self.ones & (step - 1)).unwrap_or(num) } else { num }
    }
}

/// `value` within `bound`. Both contain the result, so the intersection is not empty.
fn both(value: Num, bound: Num) -> Num {
    value.meet(&bound).unwrap_or(value)
}

fn strided(value: Num, stride: u128, rem: u128) -> Num {
    let all = mask(value.width);
    match stride {
        0 if rem <= all => Num::constant(value.width, rem),
        0 | 1 => value,
        _ => value.with_stride(stride, rem % stride).unwrap_or(value),
    }
}

fn wide(a: u128) -> Option<i128> {
    i128::try_from(a).ok()
}

/// The values between two unsigned bounds modulo the width, where the bounds can be computed.
fn by_bounds(width: u16, lo: Option<i128>, hi: Option<i128>) -> Num {
    match (lo, hi) {
        (Some(lo), Some(hi)) => Num::wrapped(width, lo, hi),
        _ => Num::top(width),
    }
}

fn by_corners(width: u16, corners: &[Option<i128>]) -> Num {
    let Some(all) = corners.iter().copied().collect::<Option<Vec<i128>>>() else {
        return Num::top(width);
    };
    by_bounds(width, all.iter().min().copied(), all.iter().max().copied())
}

/// A stride after results may have wrapped around.
fn after_wrap(stride: u128, wraps: bool) -> u128 {
    if wraps { power_of_two_part(stride) } else { stride }
}

fn add(a: &Num, b: &Num) -> Num {
    let width = a.width;
    if let (Some(a), Some(b)) = (a.as_constant(), b.as_constant()) {
        return Num::constant(width, a.wrapping_add(b));
    }
    let unsigned = by_bounds(
        width,
        wide(a.lo).zip(wide(b.lo)).and_then(|(a, b)| a.checked_add(b)),
        wide(a.hi).zip(wide(b.hi)).and_then(|(a, b)| a.checked_add(b)),
    );
    let signed = by_bounds(width, a.smin.checked_add(b.smin), a.smax.checked_add(b.smax));
    let wraps = a.hi.checked_add(b.hi).is_none_or(|most| most > mask(width));
    let stride = after_wrap(gcd(a.stride, b.stride), wraps);
    let rem = a.rem.wrapping_add(b.rem);
    let result = both(unsigned, signed);
    if stride > 1 && rem >= a.rem { strided(result, stride, rem % stride) } else { result }
}

fn sub(a: &Num, b: &Num) -> Num {
    let width = a.width;
    if let (Some(a), Some(b)) = (a.as_constant(), b.as_constant()) {
        return Num::constant(width, a.wrapping_sub(b));
    }
    let unsigned = by_bounds(
        width,
        wide(a.lo).zip(wide(b.hi)).and_then(|(a, b)| a.checked_sub(b)),
        wide(a.hi).zip(wide(b.lo)).and_then(|(a, b)| a.checked_sub(b)),
    );
    let signed = by_bounds(width, a.smin.checked_sub(b.smax), a.smax.checked_sub(b.smin));
    let stride = after_wrap(gcd(a.stride, b.stride), a.lo < b.hi);
    let result = both(unsigned, signed);
    if stride > 1 {
        let rem = (a.rem % stride + stride - b.rem % stride) % stride;
        strided(result, stride, rem)
    } else {
        result
    }
}

fn mul(a: &Num, b: &Num) -> Num {
    let width = a.width;
    if let (Some(a), Some(b)) = (a.as_constant(), b.as_constant()) {
        return Num::constant(width, a.wrapping_mul(b));
    }
    let product = |a: Option<i128>, b: Option<i128>| a?.checked_mul(b?);
    let unsigned =
        by_bounds(width, product(wide(a.lo), wide(b.lo)), product(wide(a.hi), wide(b.hi)));
    let corners = [(a.smin, b.smin), (a.smin, b.smax), (a.smax, b.smin), (a.smax, b.smax)]
        .map(|(a, b)| a.checked_mul(b));
    let result = both(unsigned, by_corners(width, &corners));
    let wraps = a.hi.checked_mul(b.hi).is_none_or(|most| most > mask(width));
    let parts =
        [a.stride.checked_mul(b.stride), a.stride.checked_mul(b.rem), b.stride.checked_mul(a.rem)];
    match (parts, a.rem.checked_mul(b.rem)) {
        ([Some(x), Some(y), Some(z)], Some(rem)) => {
            let stride = after_wrap(gcd(gcd(x, y), z), wraps);
            if stride > 1 { strided(result, stride, rem % stride) } else { result }
        }
        _ => result,
    }
}

/// Division by zero gives all ones; C leaves it undefined.
fn udiv(a: &Num, b: &Num) -> Num {
    let width = a.width;
    let quotient = |a: u128, b: u128| a.checked_div(b).unwrap_or(mask(width));
    if let (Some(a), Some(b)) = (a.as_constant(), b.as_constant()) {
        return Num::constant(width, quotient(a, b));
    }
    let zero = (b.lo == 0).then(|| Num::constant(width, mask(width)));
    let rest = (b.hi > 0)
        .then(|| Num::unsigned(width, quotient(a.lo, b.hi), quotient(a.hi, b.lo.max(1))))
        .flatten();
    join_all(width, &[zero, rest])
}

fn join_all(width: u16, parts: &[Option<Num>]) -> Num {
    let parts = parts.iter().flatten().copied();
    parts.reduce(|a, b| a.join(&b)).unwrap_or(Num::top(width))
}

/// Division by zero gives 1 or -1; C leaves it undefined.
fn sdiv(a: &Num, b: &Num) -> Num {
    let width = a.width;
    let by = |from: i128, to: i128| {
        (from <= to).then(|| {
            let corners = [(a.smin, from), (a.smin, to), (a.smax, from), (a.smax, to)];
            let mut numbers: Vec<Option<i128>> =
                corners.iter().map(|&(a, b)| a.checked_div(b)).collect();
            if a.smin <= 0 && a.smax >= 0 {
                numbers.push(Some(0));
            }
            by_corners(width, &numbers)
        })
    };
    let zero = b.contains(0).then(|| {
        let least = if a.smax >= 0 { -1 } else { 1 };
        let most = if a.smin < 0 { 1 } else { -1 };
        Num::signed(width, least, most).unwrap_or(Num::top(width))
    });
    let positive = by(b.smin.max(1), b.smax);
    let negative = by(b.smin, b.smax.min(-1));
    join_all(width, &[zero, positive, negative])
}

fn urem(a: &Num, b: &Num) -> Num {
    let width = a.width;
    if b.hi == 0 || a.hi < b.lo {
        return *a;
    }
    let most = if b.lo == 0 { a.hi } else { a.hi.min(b.hi - 1) };
    let result = Num::unsigned(width, 0, most).unwrap_or(Num::top(width));
    match b.as_constant() {
        Some(by) if by != 0 => {
            // The quotient is the same for all.
            if a.lo / by == a.hi / by {
                let shifted = a.lo / by * by;
                return sub(a, &Num::constant(width, shifted));
            }
            let stride = gcd(a.stride, by);
            strided(result, stride, a.rem % stride)
        }
        Some(_) | None => result,
    }
}

fn srem(a: &Num, b: &Num) -> Num {
    let width = a.width;
    if a.is_natural() && b.is_natural() {
        return urem(a, b);
    }
    let largest = b.smin.unsigned_abs().max(b.smax.unsigned_abs());
    let least_divisor = match (b.smin > 0, b.smax < 0) {
        (true, _) => b.smin.unsigned_abs(),
        (_, true) => b.smax.unsigned_abs(),
        (false, false) => 0,
    };
    if a.smin.unsigned_abs().max(a.smax.unsigned_abs()) < least_divisor {
        return *a;
    }
    let most = if b.contains(0) || largest == 0 {
        i128::MAX
    } else {
        i128::try_from(largest - 1).unwrap_or(i128::MAX)
    };
    let least = if a.smin >= 0 { 0 } else { a.smin.max(-most) };
    let most = if a.smax <= 0 { 0 } else { a.smax.min(most) };
    Num::signed(width, least, most).unwrap_or(Num::top(width))
}

fn shl(a: &Num, b: &Num) -> Num {
    let width = a.width;
    match b.as_constant() {
        Some(by) if by >= u128::from(width) => return Num::constant(width, 0),
        Some(by) => {
            let factor = Num::constant(width, 1 << by);
            // A shift into the sign is a factor that is negative as a signed number.
            let step = 1u128 << by;
            return strided(mul(a, &factor), step, 0);
        }
        None => {}
    }
    let step = u32::try_from(b.lo).ok().filter(|by| *by < u32::from(width)).map_or(0, |by| by);
    let most = u32::try_from(b.hi).ok().filter(|by| *by < u32::from(width));
    let shifted =
        |value: u128, by: u32| value.checked_mul(1u128 << by).filter(|value| *value <= mask(width));
    let unsigned = match most.and_then(|by| shifted(a.hi, by)) {
        Some(hi) => Num::unsigned(width, a.lo << step, hi).unwrap_or(Num::top(width)),
        None => Num::top(width),
    };
    if b.lo < u128::from(width) { strided(unsigned, 1 << step, 0) } else { unsigned }
}

fn lshr(a: &Num, b: &Num) -> Num {
    let width = a.width;
    let shift = |value: u128, by: u128| if by >= u128::from(width) { 0 } else { value >> by };
    let result = Num::unsigned(width, shift(a.lo, b.hi), shift(a.hi, b.lo));
    let result = result.unwrap_or(Num::top(width));
    match b.as_constant() {
        Some(by) if by < u128::from(width) && a.stride.is_multiple_of(1 << by) && a.stride != 0 => {
            strided(result, a.stride >> by, a.rem >> by)
        }
        Some(_) | None => result,
    }
}

fn ashr(a: &Num, b: &Num) -> Num {
    let width = a.width;
    let shift = |value: i128, by: u128| value >> by.min(127);
    let corners = [(a.smin, b.lo), (a.smin, b.hi), (a.smax, b.lo), (a.smax, b.hi)]
        .map(|(value, by)| Some(shift(value, by)));
    by_corners(width, &corners)
}

fn and(a: &Num, b: &Num) -> Num {
    let (x, y) = (Bits::of(a), Bits::of(b));
    let bits = Bits { ones: x.ones & y.ones, zeros: x.zeros | y.zeros };
    let bound = Num::unsigned(a.width, 0, a.hi.min(b.hi)).unwrap_or(Num::top(a.width));
    let result = both(bits.into_num(a.width), bound);
    for (value, bits) in [(a, b), (b, a)] {
        if let Some(low) = bits.as_constant() {
            if (low.wrapping_add(1) & low) == 0 && low < mask(a.width) {
                return both(result, urem(value, &Num::constant(a.width, low + 1)));
            }
            // All bits from one on: rounds down.
            let step = power_of_two_part(low);
            if low != 0 && low == mask(a.width) & !(step - 1) {
                let rounded = Num { lo: value.lo & low, hi: value.hi & low, ..Num::top(a.width) };
                return both(result, rounded.reduced().unwrap_or(Num::top(a.width)));
            }
        }
    }
    result
}

fn or(a: &Num, b: &Num) -> Num {
    let (x, y) = (Bits::of(a), Bits::of(b));
    let bits = Bits { ones: x.ones | y.ones, zeros: x.zeros & y.zeros };
    let bound = Num::unsigned(a.width, a.lo.max(b.lo), mask(a.width)).unwrap_or(Num::top(a.width));
    both(bits.into_num(a.width), bound)
}

fn xor(a: &Num, b: &Num) -> Num {
    let (x, y) = (Bits::of(a), Bits::of(b));
    let ones = (x.ones & y.zeros) | (x.zeros & y.ones);
    let zeros = (x.ones & y.ones) | (x.zeros & y.zeros);
    Bits { ones, zeros }.into_num(a.width)
}

fn concat(a: &Num, b: &Num) -> Num {
    let width = a.width + b.width;
    let by = u32::from(b.width);
    let joined = |a: u128, b: u128| a << by | b;
    let result = Num { lo: joined(a.lo, b.lo), hi: joined(a.hi, b.hi), ..Num::top(width) };
    let result = result.reduced().unwrap_or(Num::top(width));
    // The stride of the upper part may have too many bits.
    let upper = if a.stride.leading_zeros() > by { a.stride << by } else { 1 };
    let stride = gcd(upper, b.stride);
    if stride > 1 { strided(result, stride, joined(a.rem, b.rem) % stride) } else { result }
}

fn truncate(a: &Num, width: u16) -> Num {
    let unsigned = by_bounds(width, wide(a.lo), wide(a.hi));
    let signed = by_bounds(width, Some(a.smin), Some(a.smax));
    let stride = after_wrap(a.stride, a.hi > mask(width));
    let result = both(unsigned, signed);
    if a.stride == 0 {
        return Num::constant(width, a.rem);
    }
    if stride > 1 && stride <= mask(width) {
        return strided(result, stride, a.rem % stride);
    }
    if stride > mask(width) { Num::constant(width, a.rem) } else { result }
}

fn zero_extend(a: &Num, width: u16) -> Num {
    let result = Num { lo: a.lo, hi: a.hi, ..Num::top(width) };
    let result = result.reduced().unwrap_or(Num::top(width));
    strided(result, a.stride, a.rem)
}

fn sign_extend(a: &Num, width: u16) -> Num {
    if a.is_natural() {
        return zero_extend(a, width);
    }
    let result = Num { smin: a.smin, smax: a.smax, ..Num::top(width) };
    let result = result.reduced().unwrap_or(Num::top(width));
    match a.as_constant() {
        Some(value) => Num::constant(width, to_signed(value, a.width) as u128),
        None => {
            let stride = power_of_two_part(a.stride);
            if stride > 1 { strided(result, stride, a.rem % stride) } else { result }
        }
    }
}

/// The values of an operation with one bit-vector operand and a bit-vector as result; `None` for others.
pub(crate) fn unary(op: UnOp, a: &Num) -> Option<Num> {
    let width = a.width;
    Some(match op {
        UnOp::Not => Num::constant(1, 1).map_constant(a),
        UnOp::BvNot => {
            let (lo, hi) = (mask(width) - a.hi, mask(width) - a.lo);
            let (smin, smax) = (-1 - a.smax, -1 - a.smin);
            let result = Num { width, lo, hi, smin, smax, stride: 1, rem: 0 };
            let result = result.reduced().unwrap_or(Num::top(width));
            match a.stride {
                0 => Num::constant(width, !a.rem),
                1 => result,
                stride => strided(result, stride, (mask(width) % stride + stride - a.rem) % stride),
            }
        }
        UnOp::BvNeg => sub(&Num::constant(width, 0), a),
        UnOp::ZeroExt(to) => zero_extend(a, to),
        UnOp::SignExt(to) => sign_extend(a, to),
        UnOp::Extract { hi, lo: 0 } => truncate(a, hi + 1),
        UnOp::Extract { hi, lo } => {
            truncate(&lshr(a, &Num::constant(width, u128::from(lo))), hi - lo + 1)
        }
        un_ops!(float, float_test, int_to_float, float_to_int, pointer_part)
        | UnOp::FToBits
        | UnOp::BitsToF(_)
        | UnOp::PtrToInt
        | UnOp::IntToPtr => return None,
    })
}

impl Num {
    /// The negation of a Boolean.
    fn map_constant(self, a: &Num) -> Num {
        match a.as_constant() {
            Some(value) => Num::constant(1, 1 - (value & 1)),
            None => Num::top(1),
        }
    }
}

/// The values of an operation with two bit-vector operands and a bit-vector as result; `None` for others.
pub(crate) fn binary(op: BinOp, a: &Num, b: &Num) -> Option<Num> {
    Some(match op {
        BinOp::BvAdd => add(a, b),
        BinOp::BvSub => sub(a, b),
        BinOp::BvMul => mul(a, b),
        BinOp::BvUdiv => udiv(a, b),
        BinOp::BvSdiv => sdiv(a, b),
        BinOp::BvUrem => urem(a, b),
        BinOp::BvSrem => srem(a, b),
        BinOp::BvShl => shl(a, b),
        BinOp::BvLshr => lshr(a, b),
        BinOp::BvAshr => ashr(a, b),
        BinOp::BvAnd => and(a, b),
        BinOp::BvOr => or(a, b),
        BinOp::BvXor => xor(a, b),
        BinOp::Concat => concat(a, b),
        bin_ops!(logic, bv_order, float_arithmetic, float_order, pointer_order)
        | BinOp::Eq
        | BinOp::PtrAdd
        | BinOp::PtrDiff
        | BinOp::PtrMake => return None,
    })
}

/// Whether a comparison holds for all values, or for none.
pub(crate) fn compare(op: BinOp, a: &Num, b: &Num) -> Option<bool> {
    let decide = |always: bool, never: bool| match (always, never) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        (false, false) => None,
    };
    match op {
        BinOp::Eq => decide(
            a.as_constant().is_some() && a.as_constant() == b.as_constant(),
            a.meet(b).is_none(),
        ),
        BinOp::BvUlt => decide(a.hi < b.lo, a.lo >= b.hi),
        BinOp::BvUle => decide(a.hi <= b.lo, a.lo > b.hi),
        BinOp::BvSlt => decide(a.smax < b.smin, a.smin >= b.smax),
        BinOp::BvSle => decide(a.smax <= b.smin, a.smin > b.smax),
        bin_ops!(logic, bv_arithmetic, bv_division)
        | bin_ops!(float_arithmetic, float_order, pointer_order)
        | BinOp::Concat
        | BinOp::PtrAdd
        | BinOp::PtrDiff
        | BinOp::PtrMake => None,
    }
}

/// The values of the first operand for which a comparison can hold; `None` if there are none.
pub(crate) fn restrict(op: BinOp, a: &Num, b: &Num) -> Option<Num> {
    match op {
        BinOp::Eq => a.meet(b),
        BinOp::BvUlt => Num { hi: a.hi.min(b.hi.checked_sub(1)?), ..*a }.reduced(),
        BinOp::BvUle => Num { hi: a.hi.min(b.hi), ..*a }.reduced(),
        BinOp::BvSlt if b.smax == signed_min(b.width) => None,
        BinOp::BvSlt => Num { smax: a.smax.min(b.smax - 1), ..*a }.reduced(),
        BinOp::BvSle => Num { smax: a.smax.min(b.smax), ..*a }.reduced(),
        bin_ops!(logic, bv_arithmetic, bv_division)
        | bin_ops!(float_arithmetic, float_order, pointer_order)
        | BinOp::Concat
        | BinOp::PtrAdd
        | BinOp::PtrDiff
        | BinOp::PtrMake => Some(*a),
    }
}

/// The values of the second operand for which a comparison can hold; `None` if there are none.
pub(crate) fn restrict_second(op: BinOp, a: &Num, b: &Num) -> Option<Num> {
    match op {
        BinOp::Eq => a.meet(b),
        BinOp::BvUlt => Num { lo: b.lo.max(a.lo.checked_add(1)?), ..*b }.reduced(),
        BinOp::BvUle => Num { lo: b.lo.max(a.lo), ..*b }.reduced(),
        BinOp::BvSlt => Num { smin: b.smin.max(a.smin.checked_add(1)?), ..*b }.reduced(),
        BinOp::BvSle => Num { smin: b.smin.max(a.smin), ..*b }.reduced(),
        bin_ops!(logic, bv_arithmetic, bv_division)
        | bin_ops!(float_arithmetic, float_order, pointer_order)
        | BinOp::Concat
        | BinOp::PtrAdd
        | BinOp::PtrDiff
        | BinOp::PtrMake => Some(*b),
    }
}

/// The values of `a` that are not the constant.
pub(crate) fn without(a: &Num, constant: u128) -> Option<Num> {
    let mut rest = *a;
    if rest.lo == constant {
        rest.lo = rest.lo.checked_add(1)?;
    }
    if rest.hi == constant {
        rest.hi = rest.hi.checked_sub(1)?;
    }
    let signed = to_signed(constant, a.width);
    if rest.smin == signed {
        rest.smin = rest.smin.checked_add(1)?;
    }
    if rest.smax == signed {
        rest.smax = rest.smax.checked_sub(1)?;
    }
    if a.as_constant() == Some(constant) {
        return None;
    }
    rest.reduced()
}

#[cfg(test)]
mod tests;
