//! Floats as text, exactly: the decimal and hexadecimal forms of `printf`.

use ravelin_term::FloatKind;

use crate::float::{Class, classify, is_negative, precision};

/// The digits of a number that is not negative; the decimal point stands after `point` of them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Decimal {
    digits: Vec<u8>,
    point: i64,
}

impl Decimal {
    fn zero() -> Self {
        Decimal { digits: vec![0], point: 1 }
    }

    /// `significand` times two to the `exponent`, exactly.
    fn new(significand: u128, exponent: i32) -> Self {
        let zeros = significand.trailing_zeros();
        let (significand, exponent) = (significand >> zeros, exponent + zeros as i32);
        let mut number = Natural::from(significand);
        // A fraction m / 2^k is m * 5^k / 10^k.
        let decimals = if exponent >= 0 {
            number.shift_left(exponent as u32);
            0
        } else {
            number.multiply_by_power_of_5(exponent.unsigned_abs());
            i64::from(exponent.unsigned_abs())
        };
        let digits = number.digits();
        let point = digits.len() as i64 - decimals;
        Decimal { digits, point }
    }

    /// Keeps so many digits, rounding to nearest even.
    fn round(&mut self, keep: i64) {
        if keep >= self.digits.len() as i64 {
            return;
        }
        if keep < 0 {
            *self = Decimal::zero();
            return;
        }
        let keep = keep as usize;
        let rest = self.digits.split_off(keep);
        let half = rest[0] == 5 && rest[1..].iter().all(|&digit| digit == 0);
        let odd = self.digits.last().is_some_and(|digit| digit % 2 == 1);
        if rest[0] > 5 || rest[0] == 5 && (!half || odd) {
            self.increment();
        }
        if self.digits.is_empty() {
            *self = Decimal::zero();
        }
    }

    fn increment(&mut self) {
        for digit in self.digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
        self.digits.insert(0, 1);
        self.point += 1;
    }

    fn digit(&self, index: i64) -> u8 {
        let digit = usize::try_from(index).ok().and_then(|index| self.digits.get(index));
        digit.copied().unwrap_or(0)
    }

    fn is_zero(&self) -> bool {
        self.digits.iter().all(|&digit| digit == 0)
    }

    fn push_digits(&self, from: i64, count: i64, text: &mut String) {
        text.extend((from..from + count).map(|index| char::from(b'0' + self.digit(index))));
    }

    /// `ddd.ddd` with so many decimals.
    fn fixed(mut self, decimals: i64, keep_point: bool) -> String {
        self.round(self.point.saturating_add(decimals));
        let mut text = String::new();
        if self.point <= 0 {
            text.push('0');
        } else {
            self.push_digits(0, self.point, &mut text);
        }
        if decimals > 0 || keep_point {
            text.push('.');
        }
        self.push_digits(self.point, decimals, &mut text);
        text
    }

    /// `d.ddde±dd` with so many decimals.
    fn scientific(mut self, decimals: i64, keep_point: bool) -> String {
        self.round(decimals + 1);
        let exponent = if self.is_zero() { 0 } else { self.point - 1 };
        let mut text = String::new();
        self.push_digits(0, 1, &mut text);
        if decimals > 0 || keep_point {
            text.push('.');
        }
        self.push_digits(1, decimals, &mut text);
        let sign = if exponent < 0 { '-' } else { '+' };
        text + &format!("e{sign}{:02}", exponent.abs())
    }

    /// The shorter of both with so many significant digits (C11 7.21.6.1p8, `%g`).
    fn general(self, significant: i64, alternative: bool) -> String {
        let significant = significant.max(1);
        let mut rounded = self.clone();
        rounded.round(significant);
        let exponent = if rounded.is_zero() { 0 } else { rounded.point - 1 };
        let text = if (-4..significant).contains(&exponent) {
            self.fixed(significant - 1 - exponent, alternative)
        } else {
            self.scientific(significant - 1, alternative)
        };
        if alternative { text } else { without_trailing_zeros(&text) }
    }
}

fn without_trailing_zeros(text: &str) -> String {
    let (number, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
    let number = if number.contains('.') {
        number.trim_end_matches('0').trim_end_matches('.')
    } else {
        number
    };
    format!("{number}{exponent}")
}

/// A natural number of any size, the least significant limb first.
struct Natural {
    limbs: Vec<u32>,
}

impl From<u128> for Natural {
    fn from(value: u128) -> Self {
        Natural { limbs: (0..4).map(|index| (value >> (32 * index)) as u32).collect() }
    }
}

impl Natural {
    fn shift_left(&mut self, amount: u32) {
        self.multiply(1 << (amount % 32));
        let zeros = vec![0; (amount / 32) as usize];
        self.limbs.splice(0..0, zeros);
    }

    fn multiply(&mut self, factor: u32) {
        let mut carry = 0u64;
        for limb in &mut self.limbs {
            carry += u64::from(*limb) * u64::from(factor);
            *limb = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.limbs.push(carry as u32);
        }
    }

    fn multiply_by_power_of_5(&mut self, exponent: u32) {
        // The largest power of 5 in 32 bits is the 13th.
        for _ in 0..exponent / 13 {
            self.multiply(5u32.pow(13));
        }
        self.multiply(5u32.pow(exponent % 13));
    }

    /// The decimal digits without leading zeros; none for 0.
    fn digits(mut self) -> Vec<u8> {
        const CHUNK: u64 = 1_000_000_000;
        let mut reversed = Vec::new();
        loop {
            while self.limbs.last() == Some(&0) {
                self.limbs.pop();
            }
            if self.limbs.is_empty() {
                break;
            }
            let mut rest = 0u64;
            for limb in self.limbs.iter_mut().rev() {
                let value = rest << 32 | u64::from(*limb);
                *limb = (value / CHUNK) as u32;
                rest = value % CHUNK;
            }
            for _ in 0..9 {
                reversed.push((rest % 10) as u8);
                rest /= 10;
            }
        }
        while reversed.last() == Some(&0) {
            reversed.pop();
        }
        reversed.reverse();
        reversed
    }
}

/// The conversions of `printf` for floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Fixed,
    Scientific,
    General,
    Hexadecimal,
}

/// The magnitude of a float as text: no sign, lower case.
pub(crate) fn magnitude(
    kind: FloatKind,
    bits: u128,
    style: Style,
    digits: Option<i64>,
    alternative: bool,
) -> String {
    let decimal = match classify(kind, bits) {
        Class::Nan => return "nan".to_owned(),
        Class::Infinite => return "inf".to_owned(),
        Class::Zero if style == Style::Hexadecimal => {
            return hexadecimal(kind, bits, digits, alternative);
        }
        Class::Zero => Decimal::zero(),
        Class::Finite { significand, exponent } if style != Style::Hexadecimal => {
            Decimal::new(significand, exponent)
        }
        Class::Finite { .. } => return hexadecimal(kind, bits, digits, alternative),
    };
    let digits = digits.unwrap_or(6);
    match style {
        Style::Fixed => decimal.fixed(digits, alternative),
        Style::Scientific => decimal.scientific(digits, alternative),
        Style::General | Style::Hexadecimal => decimal.general(digits, alternative),
    }
}

/// `0xh.hhhp±d`, with the leading digit glibc chooses: the integer bit, but for x87's format the
/// upper four bits of the significand.
fn hexadecimal(kind: FloatKind, bits: u128, digits: Option<i64>, keep_point: bool) -> String {
    let (fraction_bits, exponent_bits, leading_bits) = match kind {
        FloatKind::F32 => (23u32, 8, 0),
        FloatKind::F64 => (52, 11, 0),
        FloatKind::F80 => (60, 15, 4),
        FloatKind::F128 => (112, 15, 0),
    };
    let stored_bits = fraction_bits + leading_bits;
    let biased = (bits >> stored_bits) as i64 & ((1 << exponent_bits) - 1);
    let stored = bits & ((1 << stored_bits) - 1);
    let integer_bit = if leading_bits == 0 && biased > 0 { 1 << fraction_bits } else { 0 };
    // Digits of four bits: fill up the fraction.
    let padding = fraction_bits.next_multiple_of(4) - fraction_bits;
    let mut significand = (stored | integer_bit) << padding;
    let mut places = i64::from((fraction_bits + padding) / 4);
    let bias = (1i64 << (exponent_bits - 1)) - 1;
    let exponent = if stored == 0 && biased == 0 {
        0
    } else {
        biased.max(1) - bias - i64::from(leading_bits.saturating_sub(1))
    };
    match digits {
        Some(wanted) if wanted < places => {
            let dropped = 4 * (places - wanted) as u32;
            let rest = significand & ((1 << dropped) - 1);
            significand >>= dropped;
            let half = 1 << (dropped - 1);
            if rest > half || rest == half && significand & 1 == 1 {
                significand += 1;
            }
            places = wanted;
        }
        Some(_) => {}
        None => {
            while places > 0 && significand & 15 == 0 {
                significand >>= 4;
                places -= 1;
            }
        }
    }
    let mut text = format!("0x{:x}", significand >> (4 * places));
    let wanted = digits.unwrap_or(places);
    if wanted > 0 || keep_point {
        text.push('.');
    }
    for place in (0..places).rev() {
        text += &format!("{:x}", significand >> (4 * place) & 15);
    }
    text.extend(std::iter::repeat_n('0', (wanted - places).max(0) as usize));
    let sign = if exponent < 0 { '-' } else { '+' };
    text + &format!("p{sign}{}", exponent.abs())
}

/// A float with as many digits as tell it from its neighbours.
pub(crate) fn shortest(kind: FloatKind, bits: u128) -> String {
    match kind {
        FloatKind::F32 => f32::from_bits(bits as u32).to_string(),
        FloatKind::F64 => f64::from_bits(bits as u64).to_string(),
        FloatKind::F80 | FloatKind::F128 => {
            // 1 + p * log10(2) digits suffice, rounded up.
            let digits = 2 + i64::from(precision(kind)) * 30103 / 100_000;
            let sign = if is_negative(kind, bits) { "-" } else { "" };
            format!("{sign}{}", magnitude(kind, bits, Style::General, Some(digits), false))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::float::{convert, from_signed};

    fn double(value: f64, style: Style, digits: Option<i64>) -> String {
        magnitude(FloatKind::F64, value.to_bits().into(), style, digits, false)
    }

    #[test]
    fn fixed_is_exact_and_rounds_to_even() {
        assert_eq!(double(0.0, Style::Fixed, None), "0.000000");
        assert_eq!(double(0.5, Style::Fixed, Some(0)), "0");
        assert_eq!(double(1.5, Style::Fixed, Some(0)), "2");
        assert_eq!(double(2.5, Style::Fixed, Some(0)), "2");
        assert_eq!(double(0.125, Style::Fixed, Some(2)), "0.12");
        assert_eq!(double(0.375, Style::Fixed, Some(2)), "0.38");
        assert_eq!(double(9.999, Style::Fixed, Some(2)), "10.00");
        assert_eq!(double(0.004, Style::Fixed, Some(2)), "0.00");
        assert_eq!(double(0.006, Style::Fixed, Some(2)), "0.01");
        assert_eq!(double(0.1, Style::Fixed, Some(20)), "0.10000000000000000555");
        assert_eq!(double(1e23, Style::Fixed, Some(1)), "99999999999999991611392.0");
    }

    #[test]
    fn fixed_agrees_with_the_host() {
        for value in [0.1, 1.0 / 3.0, 123456.789, 1e-7, 5e-324, 2.5e15, 1e100, f64::MAX] {
            for digits in [0, 1, 6, 17, 40] {
                let expected = format!("{value:.*}", digits as usize);
                assert_eq!(double(value, Style::Fixed, Some(digits)), expected);
            }
        }
    }

    #[test]
    fn scientific_and_general() {
        assert_eq!(double(0.0, Style::Scientific, None), "0.000000e+00");
        assert_eq!(double(12345.678, Style::Scientific, Some(2)), "1.23e+04");
        assert_eq!(double(9.9996, Style::Scientific, Some(3)), "1.000e+01");
        assert_eq!(double(1e-300, Style::Scientific, Some(0)), "1e-300");
        assert_eq!(double(100000.0, Style::General, None), "100000");
        assert_eq!(double(1000000.0, Style::General, None), "1e+06");
        assert_eq!(double(0.0001, Style::General, None), "0.0001");
        assert_eq!(double(0.00001, Style::General, None), "1e-05");
        assert_eq!(double(999999.5, Style::General, None), "1e+06");
        assert_eq!(double(0.0, Style::General, None), "0");
        let kept = magnitude(FloatKind::F64, 1f64.to_bits().into(), Style::General, None, true);
        assert_eq!(kept, "1.00000");
    }

    #[test]
    fn hexadecimal_as_glibc_prints_it() {
        assert_eq!(double(1.0, Style::Hexadecimal, None), "0x1p+0");
        assert_eq!(double(0.0, Style::Hexadecimal, None), "0x0p+0");
        assert_eq!(double(0.1, Style::Hexadecimal, None), "0x1.999999999999ap-4");
        assert_eq!(double(0.1, Style::Hexadecimal, Some(3)), "0x1.99ap-4");
        assert_eq!(double(1.0, Style::Hexadecimal, Some(2)), "0x1.00p+0");
        assert_eq!(double(5e-324, Style::Hexadecimal, None), "0x0.0000000000001p-1022");
        let extended = |value| {
            let bits = from_signed(value, FloatKind::F80);
            magnitude(FloatKind::F80, bits, Style::Hexadecimal, None, false)
        };
        assert_eq!(extended(1), "0x8p-3");
        assert_eq!(extended(25), "0xc.8p+1");
    }

    #[test]
    fn special_values_and_long_doubles() {
        assert_eq!(double(f64::INFINITY, Style::Fixed, None), "inf");
        assert_eq!(double(f64::NAN, Style::Hexadecimal, None), "nan");
        let tenth = convert(FloatKind::F64, 0.1f64.to_bits().into(), FloatKind::F80);
        let text = magnitude(FloatKind::F80, tenth, Style::Fixed, Some(18), false);
        assert_eq!(text, "0.100000000000000006");
        let smallest = magnitude(FloatKind::F80, 1, Style::Scientific, Some(3), false);
        assert_eq!(smallest, "3.645e-4951");
    }
}
