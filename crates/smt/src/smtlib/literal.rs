//! Literals: how SMT-LIB writes constants, and how constants in replies become terms.

use ravelin_term::{
    BinOp, DYNAMIC_OBJECTS, FloatKind, Object, Sort, Term, TermKind, TermPool, term_kinds,
};

use super::sexpr::Sexpr;

/// The widths of a float's exponent field and of its significand with the hidden bit, which are the
/// parameters of its SMT-LIB sort.
pub(super) fn float_format(kind: FloatKind) -> (u16, u16) {
    match kind {
        FloatKind::F32 => (8, 24),
        FloatKind::F64 => (11, 53),
        FloatKind::F80 => (15, 64),
        FloatKind::F128 => (15, 113),
    }
}

/// A bit-vector constant.
pub(super) fn bv(width: u16, value: u128) -> String {
    let digits = usize::from(width);
    if width.is_multiple_of(4) {
        format!("#x{value:0width$x}", width = digits / 4)
    } else {
        format!("#b{value:0digits$b}")
    }
}

/// A float constant, from the bits of its interchange format. NaNs lose what tells them apart, as
/// SMT-LIB has but one.
pub(super) fn float(kind: FloatKind, bits: u128) -> String {
    let (exponent_bits, significand_bits) = float_format(kind);
    match float_fields(kind, bits) {
        None => format!("(_ NaN {exponent_bits} {significand_bits})"),
        Some((sign, 0, 0)) => {
            let sign = if sign == 0 { '+' } else { '-' };
            format!("(_ {sign}zero {exponent_bits} {significand_bits})")
        }
        Some((sign, exponent, fraction)) => format!(
            "(fp #b{sign:b} {} {})",
            bv(exponent_bits, exponent),
            bv(significand_bits - 1, fraction)
        ),
    }
}

/// The power of two as a float constant; `None` where it overflows.
pub(super) fn power_of_two(kind: FloatKind, exponent: u16, negative: bool) -> Option<String> {
    let (exponent_bits, significand_bits) = float_format(kind);
    let bias = (1u128 << (exponent_bits - 1)) - 1;
    let biased = u128::from(exponent) + bias;
    (biased <= 2 * bias).then(|| {
        let sign = u8::from(negative);
        format!("(fp #b{sign} {} {})", bv(exponent_bits, biased), bv(significand_bits - 1, 0))
    })
}

/// Sign, exponent and fraction as IEEE formats have them; `None` for NaNs.
fn float_fields(kind: FloatKind, bits: u128) -> Option<(u128, u128, u128)> {
    let (exponent_bits, significand_bits) = float_format(kind);
    let low = |value: u128, width: u16| value & ((1 << width) - 1);
    let sign = bits >> (kind.bits() - 1);
    let highest = low(u128::MAX, exponent_bits);
    let fraction = low(bits, significand_bits - 1);
    let stored_fraction_bits = match kind {
        FloatKind::F80 => 64,
        FloatKind::F32 | FloatKind::F64 | FloatKind::F128 => significand_bits - 1,
    };
    let mut exponent = low(bits >> stored_fraction_bits, exponent_bits);
    if kind == FloatKind::F80 {
        let integer = bits >> 63 & 1;
        // The x87 takes a number without its integer bit as invalid, and one with it but the exponent
        // of denormals as having the exponent 1 (Intel SDM volume 1, 8.2.2).
        match (exponent, integer) {
            (0, 1) => exponent = 1,
            (1.., 0) => return None,
            _ => {}
        }
    }
    (exponent < highest || fraction == 0).then_some((sign, exponent, fraction))
}

/// The interchange format of IEEE fields.
fn float_bits(kind: FloatKind, sign: u128, exponent: u128, fraction: u128) -> u128 {
    let (exponent_bits, significand_bits) = float_format(kind);
    let mut exponent_and_fraction = exponent << (significand_bits - 1) | fraction;
    if kind == FloatKind::F80 {
        let integer = u128::from(exponent != 0);
        exponent_and_fraction = exponent << 64 | integer << 63 | fraction;
    }
    let highest = (1u128 << exponent_bits) - 1;
    if exponent == highest && fraction != 0 {
        return quiet_nan(kind);
    }
    sign << (kind.bits() - 1) | exponent_and_fraction
}

/// The NaN that stands for all of them: what x86 makes, but positive.
fn quiet_nan(kind: FloatKind) -> u128 {
    match kind {
        FloatKind::F32 => 0x7fc0_0000,
        FloatKind::F64 => 0x7ff8 << 48,
        FloatKind::F80 => 0x7fff_c000 << 48,
        FloatKind::F128 => 0x7fff_8000 << 96,
    }
}

/// The number of the object and the offset of a constant pointer, as one bit-vector of
/// 32 + `pointer_bits` bits.
pub(super) fn pointer_value(pool: &TermPool, term: Term) -> Option<u128> {
    let mut base = term;
    let mut moved = 0;
    if let TermKind::Binary(BinOp::PtrAdd, pointer, offset) = pool.kind(term) {
        (base, moved) = (pointer, pool.as_bv(offset)?);
    }
    let (number, offset) = match pool.kind(base) {
        TermKind::Null => (0, 0),
        TermKind::Address(object) => (u128::from(object.as_u32()) + 1, 0),
        TermKind::Binary(BinOp::PtrMake, number, offset) => {
            (pool.as_bv(number)?, pool.as_bv(offset)?)
        }
        term_kinds!(inner)
        | TermKind::Bool(_)
        | TermKind::Bv(_)
        | TermKind::Float(_)
        | TermKind::Var(_) => return None,
    };
    let bits = pool.pointer_bits();
    Some(number << bits | (offset + moved) & ((1 << bits) - 1))
}

/// The constant of the given sort that a reply states.
pub(super) fn parse(pool: &mut TermPool, sort: Sort, reply: &Sexpr) -> Option<Term> {
    match sort {
        Sort::Bool => match reply.as_atom()? {
            "true" => Some(pool.bool(true)),
            "false" => Some(pool.bool(false)),
            _ => None,
        },
        Sort::Bv(width) => {
            let value = parse_bv(width, reply)?;
            Some(pool.bv(width, value))
        }
        Sort::Float(kind) => {
            let bits = parse_float(kind, reply)?;
            Some(pool.float(kind, bits))
        }
        Sort::Ptr => {
            let value = parse_bv(32 + pool.pointer_bits(), reply)?;
            Some(make_pointer(pool, value))
        }
        Sort::Mem => None,
    }
}

fn make_pointer(pool: &mut TermPool, value: u128) -> Term {
    let number = (value >> pool.pointer_bits()) as u32;
    let offset = pool.bv(pool.pointer_bits(), value);
    match number {
        0 if value == 0 => pool.null(),
        0 | DYNAMIC_OBJECTS.. => {
            let number = pool.bv(32, u128::from(number));
            pool.binary(BinOp::PtrMake, number, offset)
        }
        _ => {
            let base = pool.address(Object::from_u32(number - 1));
            pool.ptr_add(base, offset)
        }
    }
}

fn parse_bv(width: u16, reply: &Sexpr) -> Option<u128> {
    let value = match reply {
        Sexpr::Atom(literal) => {
            let (digits, radix, bits_per_digit) = match literal.split_at_checked(2)? {
                ("#b", digits) => (digits, 2, 1),
                ("#x", digits) => (digits, 16, 4),
                _ => return None,
            };
            if digits.len() * bits_per_digit != usize::from(width) {
                return None;
            }
            u128::from_str_radix(digits, radix).ok()?
        }
        Sexpr::List(items) => {
            let [underscore, value, stated_width] = items.as_slice() else { return None };
            let stated_width: u16 = stated_width.as_atom()?.parse().ok()?;
            if underscore.as_atom()? != "_" || stated_width != width {
                return None;
            }
            value.as_atom()?.strip_prefix("bv")?.parse().ok()?
        }
        Sexpr::Text(_) => return None,
    };
    (width >= 128 || value >> width == 0).then_some(value)
}

fn parse_float(kind: FloatKind, reply: &Sexpr) -> Option<u128> {
    let (exponent_bits, significand_bits) = float_format(kind);
    let [head, a, b, c] = reply.as_list()? else { return None };
    if head.as_atom()? == "fp" {
        let sign = parse_bv(1, a)?;
        let exponent = parse_bv(exponent_bits, b)?;
        let fraction = parse_bv(significand_bits - 1, c)?;
        return Some(float_bits(kind, sign, exponent, fraction));
    }
    let stated = (b.as_atom()?.parse().ok()?, c.as_atom()?.parse().ok()?);
    if head.as_atom()? != "_" || stated != float_format(kind) {
        return None;
    }
    let highest = (1u128 << exponent_bits) - 1;
    match a.as_atom()? {
        "NaN" => Some(quiet_nan(kind)),
        "+oo" => Some(float_bits(kind, 0, highest, 0)),
        "-oo" => Some(float_bits(kind, 1, highest, 0)),
        "+zero" => Some(float_bits(kind, 0, 0, 0)),
        "-zero" => Some(float_bits(kind, 1, 0, 0)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::sexpr::Reader;
    use super::*;

    fn sexpr(text: &str) -> Sexpr {
        let mut whole = Vec::new();
        let mut reader = Reader::default();
        reader.feed(text.as_bytes(), &mut whole).expect("well-formed");
        reader.finish(&mut whole).expect("well-formed");
        whole.remove(0)
    }

    #[test]
    fn bit_vectors_are_read_in_every_notation() {
        for (width, text, value) in [
            (8, "#b00001111", Some(15)),
            (8, "#x0f", Some(15)),
            (8, "(_ bv15 8)", Some(15)),
            (1, "#b1", Some(1)),
            (128, "#xffffffffffffffffffffffffffffffff", Some(u128::MAX)),
            (128, "(_ bv340282366920938463463374607431768211455 128)", Some(u128::MAX)),
            (8, "#x00f", None),
            (8, "#xzz", None),
            (8, "(_ bv256 8)", None),
            (8, "(_ bv15 9)", None),
            (8, "(_ bv15)", None),
            (8, "x", None),
            (8, "#", None),
            (8, "\"#x0f\"", None),
        ] {
            assert_eq!(parse_bv(width, &sexpr(text)), value, "{text}");
        }
    }

    #[test]
    fn bit_vectors_are_written_with_their_width() {
        assert_eq!(bv(32, 255), "#x000000ff");
        assert_eq!(bv(3, 5), "#b101");
        assert_eq!(bv(128, 1), "#x00000000000000000000000000000001");
    }

    /// Special and ordinary values of every format, as the bits of the interchange format.
    fn floats() -> Vec<(FloatKind, u128)> {
        use FloatKind::{F32, F64, F80, F128};
        let single = [0.0, -0.0, 1.5, -2.25, f32::MAX, f32::MIN_POSITIVE, 1e-45, f32::INFINITY];
        let double = [0.0, -0.0, 0.1, -1e300, f64::MAX, 5e-324, f64::NEG_INFINITY];
        let mut floats = Vec::new();
        floats.extend(single.map(|value: f32| (F32, u128::from(value.to_bits()))));
        floats.extend(double.map(|value: f64| (F64, u128::from(value.to_bits()))));
        let extended = [0, 1 << 79, 0x3fff_c000 << 48, 1, 0x7fff_8000 << 48, 0xbffe_ffff << 48];
        floats.extend(extended.map(|bits: u128| (F80, bits)));
        floats.extend([0, 1 << 127, 0x3fff << 112 | 7, 1, 0xffff << 112].map(|bits| (F128, bits)));
        floats
    }

    #[test]
    fn floats_are_read_as_they_are_written() {
        for (kind, bits) in floats() {
            let text = float(kind, bits);
            assert_eq!(parse_float(kind, &sexpr(&text)), Some(bits), "{text} for {bits:#x}");
        }
    }

    #[test]
    fn nan_is_one_of_the_nans() {
        for kind in [FloatKind::F32, FloatKind::F64, FloatKind::F80, FloatKind::F128] {
            let (exponent_bits, significand_bits) = float_format(kind);
            let name = format!("(_ NaN {exponent_bits} {significand_bits})");
            let bits = parse_float(kind, &sexpr(&name)).expect("a NaN");
            assert_eq!(float(kind, bits), name);
            // The same NaN in the notation that cvc5 prefers.
            let ones = "1".repeat(usize::from(exponent_bits));
            let fraction = format!("1{}", "0".repeat(usize::from(significand_bits) - 2));
            let fields = sexpr(&format!("(fp #b1 #b{ones} #b{fraction})"));
            assert_eq!(parse_float(kind, &fields), Some(bits));
        }
    }

    #[test]
    fn special_floats_have_names() {
        for (text, value) in [
            ("(_ +oo 11 53)", f64::INFINITY),
            ("(_ -oo 11 53)", f64::NEG_INFINITY),
            ("(_ +zero 11 53)", 0.0),
            ("(_ -zero 11 53)", -0.0),
        ] {
            let bits = parse_float(FloatKind::F64, &sexpr(text));
            assert_eq!(bits, Some(u128::from(value.to_bits())), "{text}");
        }
        assert_eq!(parse_float(FloatKind::F32, &sexpr("(_ +oo 11 53)")), None);
    }

    #[test]
    fn x87_oddities_mean_what_the_hardware_takes_them_for() {
        // A pseudo-denormal is the smallest normal number, an unnormal is invalid.
        let smallest_normal = float(FloatKind::F80, 1 << 64 | 1 << 63);
        assert_eq!(float(FloatKind::F80, 1 << 63), smallest_normal);
        assert_eq!(float(FloatKind::F80, 0x3fff << 64), "(_ NaN 15 64)");
    }

    #[test]
    fn powers_of_two_end_where_the_format_ends() {
        assert_eq!(power_of_two(FloatKind::F32, 128, false), None);
        assert_eq!(
            power_of_two(FloatKind::F32, 127, true),
            Some(float(FloatKind::F32, u128::from((-(2f32.powi(127))).to_bits())))
        );
        assert_eq!(
            power_of_two(FloatKind::F64, 64, false),
            Some(float(FloatKind::F64, u128::from(2f64.powi(64).to_bits())))
        );
        assert!(power_of_two(FloatKind::F80, 128, false).is_some());
    }

    #[test]
    fn pointers_are_read_as_they_are_written() {
        for pointer_bits in [32, 64] {
            let pool = &mut TermPool::new(pointer_bits);
            let address = pool.address(Object::from_u32(4));
            let inside = pool.ptr_add_const(address, 12);
            let (heap, nowhere) = (pool.bv(32, 0x8000_0001), pool.bv(32, 0));
            let offset = pool.offset(8);
            let heap = pool.binary(BinOp::PtrMake, heap, offset);
            let integer = pool.binary(BinOp::PtrMake, nowhere, offset);
            for pointer in [pool.null(), address, inside, heap, integer] {
                let value = pointer_value(pool, pointer).expect("a constant");
                let text = bv(32 + pointer_bits, value);
                assert_eq!(parse(pool, Sort::Ptr, &sexpr(&text)), Some(pointer), "{text}");
            }
        }
    }
}
