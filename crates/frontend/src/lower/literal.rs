//! Constants and string literals (C11 6.4.4, 6.4.5).

use lang_c::ast::{Constant, Float, FloatBase, FloatFormat, Integer, IntegerBase, IntegerSize};
use lang_c::span::{Node, Span};
use ravelin_cfa::{Init, Object, ObjectData, ObjectKind};
use ravelin_term::FloatKind;
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float as _, Round};

use super::{Lowerer, Result, Val};
use crate::types::{IntKind, Ty};

/// A string literal's characters, before their encoding.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    /// Code units of the element type, without the terminating zero.
    pub units: Vec<u32>,
    pub element: Ty,
}

impl Lowerer<'_> {
    pub fn constant(&mut self, node: &Node<Constant>) -> Result<Val> {
        match &node.node {
            Constant::Integer(integer) => self.integer_constant(integer, node.span),
            Constant::Float(float) => self.float_constant(float, node.span),
            Constant::Character(text) => self.character_constant(text, node.span),
        }
    }

    fn integer_constant(&mut self, integer: &Integer, span: Span) -> Result<Val> {
        let radix = match integer.base {
            IntegerBase::Decimal => 10,
            IntegerBase::Octal => 8,
            IntegerBase::Hexadecimal => 16,
            IntegerBase::Binary => 2,
        };
        let digits = if integer.number.is_empty() { "0" } else { &*integer.number };
        let Ok(value) = u128::from_str_radix(digits, radix) else {
            return self.error(span, "the integer constant is too large");
        };
        // C11 6.4.4.1p5: the first type of the list that holds the value.
        let candidates: &[IntKind] = match integer.suffix.size {
            IntegerSize::Int => &[
                IntKind::Int,
                IntKind::UInt,
                IntKind::Long,
                IntKind::ULong,
                IntKind::LongLong,
                IntKind::ULongLong,
            ],
            IntegerSize::Long => {
                &[IntKind::Long, IntKind::ULong, IntKind::LongLong, IntKind::ULongLong]
            }
            IntegerSize::LongLong => &[IntKind::LongLong, IntKind::ULongLong],
        };
        let data_model = self.types.data_model();
        let decimal = radix == 10;
        let kind = candidates.iter().copied().find(|kind| {
            let bits = kind.width(data_model) - u16::from(kind.is_signed());
            let allowed = if kind.is_signed() {
                !integer.suffix.unsigned
            } else {
                integer.suffix.unsigned || !decimal
            };
            allowed && value >> bits == 0
        });
        // gcc takes the widest type for what fits none.
        let kind = kind.unwrap_or(if value >> 64 == 0 && !decimal {
            IntKind::ULongLong
        } else if value >> 127 == 0 {
            IntKind::Int128
        } else {
            IntKind::UInt128
        });
        let ty = self.types.integer(kind);
        let value = self.int_value(value as i128, ty);
        Ok(if integer.suffix.imaginary { self.imaginary(value) } else { value })
    }

    fn float_constant(&mut self, float: &Float, span: Span) -> Result<Val> {
        let kind = match &float.suffix.format {
            FloatFormat::Float => FloatKind::F32,
            FloatFormat::Double => FloatKind::F64,
            FloatFormat::LongDouble => FloatKind::F80,
            FloatFormat::TS18661Format(ty) => match ty.width {
                32 => FloatKind::F32,
                64 => FloatKind::F64,
                128 => FloatKind::F128,
                _ => return self.error(span, "this floating constant is not supported"),
            },
        };
        let text = match float.base {
            FloatBase::Decimal => float.number.to_string(),
            FloatBase::Hexadecimal => format!("0x{}", float.number),
        };
        let bits = match kind {
            FloatKind::F32 => {
                Single::from_str_r(&text, Round::NearestTiesToEven).map(|f| f.value.to_bits())
            }
            FloatKind::F64 => {
                Double::from_str_r(&text, Round::NearestTiesToEven).map(|f| f.value.to_bits())
            }
            FloatKind::F80 => X87DoubleExtended::from_str_r(&text, Round::NearestTiesToEven)
                .map(|f| f.value.to_bits()),
            FloatKind::F128 => {
                Quad::from_str_r(&text, Round::NearestTiesToEven).map(|f| f.value.to_bits())
            }
        };
        match bits {
            Ok(bits) => {
                let ty = self.types.float(kind);
                let value = Val { term: self.program.terms.float(kind, bits), ty };
                Ok(if float.suffix.imaginary { self.imaginary(value) } else { value })
            }
            Err(_) => self.error(span, "malformed floating constant"),
        }
    }

    fn character_constant(&mut self, text: &str, span: Span) -> Result<Val> {
        let (prefix, quoted) = split_prefix(text);
        let inner = quoted.trim_start_matches('\'').strip_suffix('\'').unwrap_or(quoted);
        let wide = !prefix.is_empty();
        let units = self.unescape(inner, Encoding::of(prefix), span)?;
        let ty = match prefix {
            "L" => self.types.int,
            "u" => self.types.integer(IntKind::UShort),
            "U" => self.types.uint,
            _ => self.types.int,
        };
        let value = match (&units[..], wide) {
            ([], _) => return self.error(span, "empty character constant"),
            // C11 6.4.4.4p10: the value of a char, converted to int; char is signed here.
            ([unit], false) => i128::from(*unit as u8 as i8),
            ([.., unit], true) => i128::from(*unit),
            // gcc packs several characters, the last in the lowest byte.
            (units, false) => {
                let packed = units.iter().fold(0u32, |acc, &unit| acc << 8 | (unit & 0xff));
                i128::from(packed as i32)
            }
        };
        Ok(self.int_value(value, ty))
    }

    /// The characters of adjacent string literals.
    pub fn text(&mut self, parts: &[String], span: Span) -> Result<Text> {
        let prefix = parts
            .iter()
            .map(|part| split_prefix(part).0)
            .find(|prefix| !matches!(*prefix, "" | "u8"))
            .unwrap_or("");
        let element = match prefix {
            "L" => self.types.int,
            "u" => self.types.integer(IntKind::UShort),
            "U" => self.types.uint,
            _ => self.types.char,
        };
        let mut units = Vec::new();
        for part in parts {
            let quoted = split_prefix(part).1;
            let inner = quoted.strip_prefix('"').unwrap_or(quoted);
            let inner = inner.strip_suffix('"').unwrap_or(inner);
            units.extend(self.unescape(inner, Encoding::of(prefix), span)?);
        }
        Ok(Text { units, element })
    }

    /// Code units of the text.
    fn unescape(&mut self, text: &str, encoding: Encoding, span: Span) -> Result<Vec<u32>> {
        let mut units = Vec::with_capacity(text.len());
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '\\' {
                encoding.push(&mut units, c);
                continue;
            }
            let Some(escape) = chars.next() else {
                return self.error(span, "a backslash at the end of a literal");
            };
            match escape {
                'n' => units.push(10),
                't' => units.push(9),
                'r' => units.push(13),
                'a' => units.push(7),
                'b' => units.push(8),
                'f' => units.push(12),
                'v' => units.push(11),
                'e' | 'E' => units.push(27),
                '0'..='7' => {
                    let mut value = escape as u32 - '0' as u32;
                    for _ in 0..2 {
                        let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                        value = value * 8 + digit;
                        chars.next();
                    }
                    units.push(value & encoding.mask());
                }
                'x' => {
                    let mut value = 0u32;
                    while let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) {
                        value = value.wrapping_mul(16).wrapping_add(digit);
                        chars.next();
                    }
                    units.push(value & encoding.mask());
                }
                'u' | 'U' => {
                    let length = if escape == 'u' { 4 } else { 8 };
                    let mut value = 0u32;
                    for _ in 0..length {
                        let Some(digit) = chars.next().and_then(|c| c.to_digit(16)) else {
                            return self.error(span, "incomplete universal character name");
                        };
                        value = value << 4 | digit;
                    }
                    match char::from_u32(value) {
                        Some(c) => encoding.push(&mut units, c),
                        None => return self.error(span, "invalid universal character name"),
                    }
                }
                // \\ \' \" \? and, as gcc has it, any other character for itself.
                other => encoding.push(&mut units, other),
            }
        }
        Ok(units)
    }

    /// The object of a string literal; equal literals share one, as gcc makes them.
    pub fn string_object(&mut self, text: &Text) -> Object {
        let width = self.types.size_of(text.element).unwrap_or(1) as usize;
        let mut bytes = Vec::with_capacity((text.units.len() + 1) * width);
        for unit in text.units.iter().chain([&0]) {
            bytes.extend_from_slice(&unit.to_le_bytes()[..width]);
        }
        let bytes: Box<[u8]> = bytes.into();
        if let Some(&object) = self.strings.get(&bytes) {
            return object;
        }
        let name = self.intern("%string");
        let pos = self.position(self.body.span);
        let object = self.program.add_object(ObjectData {
            name,
            kind: ObjectKind::Constant,
            size: bytes.len() as u64,
            align: self.types.align_of(text.element),
            is_record: false,
            init: Init::Bytes(bytes.clone()),
            pos,
        });
        self.strings.insert(bytes, object);
        object
    }
}

/// An encoding prefix and the rest.
fn split_prefix(text: &str) -> (&str, &str) {
    let length = text.find(['"', '\'']).unwrap_or(0);
    text.split_at(length)
}

/// How the characters of a literal are stored (C11 6.4.5p6).
#[derive(Clone, Copy, Debug)]
enum Encoding {
    Utf8,
    Utf16,
    Utf32,
}

impl Encoding {
    /// The encoding that a prefix asks for.
    fn of(prefix: &str) -> Encoding {
        match prefix {
            "" | "u8" => Encoding::Utf8,
            "u" => Encoding::Utf16,
            _ => Encoding::Utf32,
        }
    }

    /// The bits of a code unit.
    fn mask(self) -> u32 {
        match self {
            Encoding::Utf8 => 0xff,
            Encoding::Utf16 => 0xffff,
            Encoding::Utf32 => u32::MAX,
        }
    }

    fn push(self, units: &mut Vec<u32>, c: char) {
        match self {
            Encoding::Utf8 => units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from)),
            Encoding::Utf16 => {
                units.extend(c.encode_utf16(&mut [0; 2]).iter().copied().map(u32::from));
            }
            Encoding::Utf32 => units.push(c as u32),
        }
    }
}
