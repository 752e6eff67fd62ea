//! Formatted output to strings whose format is a literal.
//!
//! The model of `snprintf` reads its format character by character, which costs an analysis
//! hundreds of steps and many loops. If the format is known, a call becomes one call for each of
//! its parts (`models/format.c`), as long as the parts are plain: text, `%s`, `%c`, and integers
//! without flags, widths or precisions. The general model handles the rest.

use ravelin_cfa::Callee;

use super::global::{Func, Function};
use super::{Lowerer, Val};
use crate::library::{self, Model};

/// A part of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// This many characters of the format, from this one on.
    Text {
        start: usize,
        length: usize,
    },
    String,
    Char,
    Integer(Integer),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Integer {
    size: Size,
    style: Style,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Int,
    Long,
    LongLong,
    Pointer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Signed,
    Unsigned,
    Hexadecimal { ten: u8 },
}

impl Lowerer<'_> {
    /// Calls `snprintf` or `sprintf` part by part. `None`: the general model has to be called.
    pub fn print_by_parts(&mut self, func: Func, args: &[Val]) -> Option<Val> {
        let Function { name, proc, .. } = self.functions[func];
        let text = self.program.name(name).to_owned();
        let usual = library::lookup(&text)?.name;
        let format_at = match usual {
            "snprintf" => 2,
            "sprintf" => 1,
            _ => return None,
        };
        let usual = self.intern(usual);
        if proc.is_some() || self.program_defines(usual) {
            return None;
        }
        let format = args.get(format_at)?;
        let parts = parts(self.literal_bytes(format.term)?)?;
        let values = args.get(format_at + 1..)?;
        if !self.fit(&parts, values) {
            return None;
        }
        // Arguments are evaluated before anything is written.
        let args: Vec<Val> = args.iter().map(|&arg| self.snapshot_if_global(arg)).collect();
        let unsigned_long = self.c_type(library::CType::UnsignedLong);
        let target = args[0];
        let size = match format_at {
            2 => self.convert_scalar(args[1], unsigned_long),
            _ => self.int_value(-1, unsigned_long),
        };
        let mut at = self.int_value(0, unsigned_long);
        let mut values = args[format_at + 1..].iter().copied();
        for part in parts {
            let (helper, operands) = match part {
                Part::Text { start, length } => {
                    let term = self.program.terms.ptr_add_const(args[format_at].term, start as u64);
                    let length = self.int_value(length as i128, unsigned_long);
                    ("__ravelin_print_text", vec![Val { term, ..args[format_at] }, length])
                }
                Part::String => ("__ravelin_print_string", vec![values.next()?]),
                Part::Char => ("__ravelin_print_char", vec![values.next()?]),
                Part::Integer(Integer { size, style }) => {
                    let value = values.next()?;
                    match (style, size) {
                        (Style::Signed, Size::Int) => ("__ravelin_print_int", vec![value]),
                        (Style::Signed, _) => ("__ravelin_print_llong", vec![value]),
                        (Style::Unsigned, Size::Int) => ("__ravelin_print_unsigned", vec![value]),
                        (Style::Unsigned, _) => {
                            ("__ravelin_print_ullong", vec![self.unsigned(value)])
                        }
                        (Style::Hexadecimal { ten }, _) => {
                            let ten = self.int_value(ten.into(), self.types.int);
                            ("__ravelin_print_hex", vec![self.unsigned(value), ten])
                        }
                    }
                }
            };
            let mut operands = operands;
            operands.splice(0..0, [target, size, at]);
            at = self.call_model(helper, operands)?;
        }
        self.call_model("__ravelin_print_end", vec![target, size, at])
    }

    /// Whether the arguments have the types that the parts require.
    fn fit(&self, parts: &[Part], values: &[Val]) -> bool {
        let mut values = values.iter();
        let pointer = self.program.terms.pointer_bits();
        parts.iter().all(|part| match part {
            Part::Text { .. } => true,
            Part::String => values.next().is_some_and(|v| self.types.pointee(v.ty).is_some()),
            Part::Char => values.next().is_some_and(|v| self.types.int_width(v.ty) == Some(32)),
            Part::Integer(Integer { size, .. }) => {
                let width = match size {
                    Size::Int => 32,
                    Size::Long | Size::Pointer => pointer,
                    Size::LongLong => 64,
                };
                values.next().is_some_and(|v| self.types.int_width(v.ty) == Some(width))
            }
        })
    }

    /// The same bits as an unsigned number.
    fn unsigned(&mut self, value: Val) -> Val {
        use library::CType::{Unsigned, UnsignedLong, UnsignedLongLong};
        let width = self.types.int_width(value.ty).unwrap_or(32);
        let pointer = self.program.terms.pointer_bits();
        let ty = match width {
            32 => Unsigned,
            _ if width == pointer => UnsignedLong,
            _ => UnsignedLongLong,
        };
        let ty = self.c_type(ty);
        self.convert_scalar(value, ty)
    }

    /// Calls an internal library function that a model defines.
    pub fn call_model(&mut self, name: &str, args: Vec<Val>) -> Option<Val> {
        let entry = library::lookup(name)?;
        let Model::C(model) = entry.model else { return None };
        let signature = entry.signature?;
        let proc = self.model_proc(name, model)?;
        let ty = self.signature_type(&signature);
        let params = self.types.as_function(ty)?.params.clone();
        let args: Vec<Val> = args
            .into_iter()
            .zip(params)
            .map(|(arg, param)| self.convert_scalar(arg, param))
            .collect();
        Some(self.emit_call(Callee::Direct(proc), ty, args))
    }
}

/// The parts of a format, if all of them are plain.
fn parts(format: &[u8]) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < format.len() {
        if format[at] != b'%' {
            let length = format[at..].iter().take_while(|&&c| c != b'%').count();
            parts.push(Part::Text { start: at, length });
            at += length;
            continue;
        }
        at += 1;
        let rest = &format[at..];
        let (size, letters) = match rest {
            [b'l', b'l', ..] => (Size::LongLong, 2),
            [b'l', ..] => (Size::Long, 1),
            [b'j', ..] => (Size::LongLong, 1),
            [b'z' | b't', ..] => (Size::Pointer, 1),
            _ => (Size::Int, 0),
        };
        let integer = |style| Part::Integer(Integer { size, style });
        let part = match (rest.get(letters)?, letters) {
            (b'%', 0) => Part::Text { start: at, length: 1 },
            (b's', 0) => Part::String,
            (b'c', 0) => Part::Char,
            (b'd' | b'i', _) => integer(Style::Signed),
            (b'u', _) => integer(Style::Unsigned),
            (b'x', _) => integer(Style::Hexadecimal { ten: b'a' }),
            (b'X', _) => integer(Style::Hexadecimal { ten: b'A' }),
            _ => return None,
        };
        parts.push(part);
        at += letters + 1;
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_formats_have_parts() {
        let text = |start, length| Part::Text { start, length };
        let signed = |size| Part::Integer(Integer { size, style: Style::Signed });
        let unsigned = |size| Part::Integer(Integer { size, style: Style::Unsigned });
        assert_eq!(parts(b""), Some(vec![]));
        assert_eq!(parts(b"a=%d;"), Some(vec![text(0, 2), signed(Size::Int), text(4, 1)]));
        assert_eq!(parts(b"%s%%%c"), Some(vec![Part::String, text(3, 1), Part::Char]));
        assert_eq!(parts(b"%lld%zu"), Some(vec![signed(Size::LongLong), unsigned(Size::Pointer)]));
        let hexadecimal =
            Part::Integer(Integer { size: Size::Long, style: Style::Hexadecimal { ten: b'A' } });
        assert_eq!(parts(b"%lX"), Some(vec![hexadecimal]));
        for format in
            ["%", "%5d", "%-d", "%.2s", "%hd", "%f", "%p", "%n", "%*d", "%ls", "%o", "% d"]
        {
            assert_eq!(parts(format.as_bytes()), None, "{format}");
        }
    }
}
