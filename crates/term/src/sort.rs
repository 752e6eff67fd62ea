//! The sorts of terms.

use std::fmt;
use std::str::FromStr;

/// The binary floating-point formats gcc uses on x86.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FloatKind {
    /// IEEE binary32, C's `float`.
    F32,
    /// IEEE binary64, C's `double`.
    F64,
    /// The x87 extended format with explicit integer bit, C's `long double`.
    F80,
    /// IEEE binary128, `_Float128`.
    F128,
}

impl FloatKind {
    /// The number of value bits in memory.
    pub fn bits(self) -> u16 {
        match self {
            FloatKind::F32 => 32,
            FloatKind::F64 => 64,
            FloatKind::F80 => 80,
            FloatKind::F128 => 128,
        }
    }
}

/// The sort of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    /// Bit-vector of 1 to 128 bits.
    Bv(u16),
    Float(FloatKind),
    /// A pair of an object and a byte offset.
    Ptr,
    /// The contents of memory: a function from pointers to bytes. Only analyses use such terms.
    Mem,
}

impl Sort {
    /// The widest bit-vector; C's widest integer is `__int128`.
    pub const MAX_WIDTH: u16 = 128;

    /// The width of a bit-vector sort.
    pub fn width(self) -> Option<u16> {
        match self {
            Sort::Bv(width) => Some(width),
            Sort::Bool | Sort::Float(_) | Sort::Ptr | Sort::Mem => None,
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("bool"),
            Sort::Bv(width) => write!(f, "bv{width}"),
            Sort::Float(kind) => write!(f, "f{}", kind.bits()),
            Sort::Ptr => f.write_str("ptr"),
            Sort::Mem => f.write_str("mem"),
        }
    }
}

impl FromStr for Sort {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "bool" => Sort::Bool,
            "ptr" => Sort::Ptr,
            "mem" => Sort::Mem,
            "f32" => Sort::Float(FloatKind::F32),
            "f64" => Sort::Float(FloatKind::F64),
            "f80" => Sort::Float(FloatKind::F80),
            "f128" => Sort::Float(FloatKind::F128),
            _ => match text.strip_prefix("bv").and_then(|digits| digits.parse().ok()) {
                Some(width) if (1..=Sort::MAX_WIDTH).contains(&width) => Sort::Bv(width),
                _ => return Err(format!("'{text}' is no sort")),
            },
        })
    }
}
