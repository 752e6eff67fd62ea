//! Pieces of C: how tightly they bind, which types they have, how literals are written.

use ravelin_base::DataModel;
use ravelin_term::FloatKind;

/// How tightly an expression binds, loosest first (C11 6.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Conditional,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Order,
    Shift,
    Sum,
    Product,
    Unary,
    Postfix,
}

/// A text and how tightly it binds.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) level: Level,
}

impl Piece {
    pub(super) fn new(text: impl Into<String>, level: Level) -> Self {
        Piece { text: text.into(), level }
    }

    /// The text where an operand that binds at least so tightly is expected.
    pub(super) fn at(self, level: Level) -> String {
        if self.level >= level { self.text } else { format!("({})", self.text) }
    }

    /// As the operand of a binary operator. Where readers tend to err about precedence, gcc's
    /// `-Wparentheses` asks for parentheses, and so does this.
    pub(super) fn operand(self, operator: Level, side: Side) -> String {
        let is_bitwise = |level: Level| {
            matches!(level, Level::BitOr | Level::BitXor | Level::BitAnd | Level::Shift)
        };
        let is_relation = |level: Level| matches!(level, Level::Equality | Level::Order);
        let confusing = is_bitwise(operator) && self.level < Level::Unary
            || is_bitwise(self.level)
            || is_relation(operator) && is_relation(self.level)
            || operator == Level::Or && self.level == Level::And;
        let same_is_fine = match side {
            Side::Left => true,
            Side::Right => matches!(operator, Level::Or | Level::And),
        };
        let binds = self.level > operator || self.level == operator && same_is_fine;
        if binds && !confusing || self.level >= Level::Unary {
            self.text
        } else {
            format!("({})", self.text)
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// An expression of integer type. Its value, taken modulo 2 to the width of the term, is the term's.
#[derive(Clone, Debug)]
pub(super) struct Integer {
    pub(super) piece: Piece,
    /// The width of the C type; below that of `int`, the value is promoted wherever it is used.
    pub(super) width: u16,
    pub(super) signed: bool,
    /// The value, if it is a literal: that has whichever type is needed.
    pub(super) literal: Option<u128>,
    /// A shorter text of the same width, whose signedness is not known.
    pub(super) plain: Option<String>,
}

impl Integer {
    pub(super) fn new(piece: Piece, width: u16, signed: bool) -> Self {
        Integer { piece, width, signed, literal: None, plain: None }
    }
}

/// The width of `int`.
pub(super) const INT: u16 = 32;

pub(super) fn cast_text(name: &str, operand: Piece) -> Piece {
    Piece::new(format!("({name}){}", operand.at(Level::Unary)), Level::Unary)
}

/// A literal of a type of this signedness.
pub(super) fn literal(value: u128, width: u16, signed: bool) -> Integer {
    const INT_MAX: u128 = i32::MAX as u128;
    const LONG_MAX: u128 = i64::MAX as u128;
    let number = if signed { sign_extended(value, width) } else { value as i128 };
    let magnitude = if signed { number.unsigned_abs() } else { value };
    let suffix = match (signed, magnitude) {
        (_, 0..=INT_MAX) => "",
        (true, _) if magnitude <= INT_MAX + 1 => "",
        (true, _) => "LL",
        (false, _) if width <= INT => "U",
        (false, _) => "ULL",
    };
    // C has no negative literals, and the smallest number has no positive counterpart.
    let (text, level) = match (signed && number < 0, magnitude) {
        (true, m) if m == INT_MAX + 1 => (format!("(-{INT_MAX} - 1)"), Level::Postfix),
        (true, m) if m == LONG_MAX + 1 => (format!("(-{LONG_MAX}LL - 1)"), Level::Postfix),
        (true, m) => (format!("-{m}{suffix}"), Level::Unary),
        (false, m) => (format!("{m}{suffix}"), Level::Postfix),
    };
    let own = if magnitude <= INT_MAX { INT.min(width) } else { width };
    Integer { literal: Some(value), ..Integer::new(Piece::new(text, level), own, signed) }
}

pub(super) fn float_literal(kind: FloatKind, bits: u128) -> Option<Piece> {
    let (text, negative) = match kind {
        FloatKind::F32 => {
            let value = f32::from_bits(bits as u32);
            value.is_finite().then(|| (format!("{value:?}f"), value.is_sign_negative()))?
        }
        FloatKind::F64 => {
            let value = f64::from_bits(bits as u64);
            value.is_finite().then(|| (format!("{value:?}"), value.is_sign_negative()))?
        }
        FloatKind::F80 | FloatKind::F128 => return None,
    };
    Some(Piece::new(text, if negative { Level::Unary } else { Level::Postfix }))
}

pub(super) fn type_name(model: DataModel, width: u16, signed: bool) -> Option<&'static str> {
    let long_bits = match model {
        DataModel::Ilp32 => 32,
        DataModel::Lp64 => 64,
    };
    Some(match (width, signed) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned int",
        (64, true) if long_bits == 64 => "long",
        (64, false) if long_bits == 64 => "unsigned long",
        (64, true) => "long long",
        (64, false) => "unsigned long long",
        (128, true) => "__int128",
        (128, false) => "unsigned __int128",
        _ => return None,
    })
}

pub(super) fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::F32 => "float",
        FloatKind::F64 => "double",
        FloatKind::F80 => "long double",
        FloatKind::F128 => "_Float128",
    }
}

pub(super) fn ones(width: u16) -> u128 {
    u128::MAX >> (128 - u32::from(width.clamp(1, 128)))
}

pub(super) fn sign_extended(value: u128, width: u16) -> i128 {
    let unused = 128 - u32::from(width.clamp(1, 128));
    ((value << unused) as i128) >> unused
}
