//! `printf`: formats as glibc does (C11 7.21.6.1).

use ravelin_base::DataModel;
use ravelin_cfa::Sort;
use ravelin_term::FloatKind;

use crate::chooser::Chooser;
use crate::code::TermCode;
use crate::decimal::{self, Style};
use crate::float;
use crate::machine::{At, Machine, Stop, undefined};
use crate::outcome::{Limit, Outcome, Undefined};
use crate::thread::Thread;
use crate::value::{Bits, ones, to_signed};

/// Why there is no output.
#[derive(Debug)]
pub(crate) enum PrintError {
    /// The arguments do not fit the format.
    Arguments,
    /// A conversion that is not modelled.
    Unsupported,
    /// The end of the run, while a string was read.
    Stop(Stop),
}

/// What formatting needs of the memory.
pub(crate) trait PrintMemory {
    /// The bytes up to the first zero, at most `limit`.
    fn string(&mut self, pointer: Bits, limit: usize) -> Result<Vec<u8>, Stop>;
    fn address(&self, pointer: Bits) -> u64;
    /// `%n`: stores how many bytes were written.
    fn store_count(&mut self, pointer: Bits, sort: Sort, count: usize) -> Result<(), Stop>;
}

/// The part of a conversion specification before its letter.
#[derive(Clone, Copy, Debug, Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    length: Length,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Length {
    #[default]
    Int,
    Char,
    Short,
    Long,
    LongLong,
    /// `z` and `t`.
    Size,
    LongDouble,
}

/// The largest width or precision that is taken: more is a mistake or an attack on the memory.
const MAX_WIDTH: usize = 1 << 20;

struct Args<'a> {
    args: &'a [(Bits, Sort)],
    next: usize,
}

impl Args<'_> {
    fn next(&mut self) -> Result<(Bits, Sort), PrintError> {
        let arg = self.args.get(self.next).copied().ok_or(PrintError::Arguments)?;
        self.next += 1;
        Ok(arg)
    }

    fn integer(&mut self, width: u16) -> Result<Bits, PrintError> {
        match self.next()? {
            (bits, Sort::Bv(found)) if found == width => Ok(bits),
            _ => Err(PrintError::Arguments),
        }
    }

    fn pointer(&mut self) -> Result<Bits, PrintError> {
        match self.next()? {
            (bits, Sort::Ptr) => Ok(bits),
            _ => Err(PrintError::Arguments),
        }
    }
}

/// Appends the formatted text to `output`.
pub(crate) fn format(
    format: &[u8],
    args: &[(Bits, Sort)],
    data_model: DataModel,
    memory: &mut dyn PrintMemory,
    output: &mut Vec<u8>,
) -> Result<(), PrintError> {
    let start = output.len();
    let mut args = Args { args, next: 0 };
    let mut rest = format;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            output.push(byte);
            continue;
        }
        let spec = parse_spec(&mut rest, &mut args)?;
        let (&letter, tail) = rest.split_first().ok_or(PrintError::Arguments)?;
        rest = tail;
        let int_width = spec.length.width(data_model);
        match letter {
            b'%' => output.push(b'%'),
            b'd' | b'i' => {
                let bits = args.integer(int_width)?;
                let value = to_signed(bits, spec.length.value_width(int_width));
                let digits = value.unsigned_abs().to_string();
                integer(&spec, spec.sign(value < 0), "", &digits, output);
            }
            b'u' | b'x' | b'X' | b'o' => {
                let bits = args.integer(int_width)?;
                let value = bits & ones(spec.length.value_width(int_width));
                let (digits, prefix) = match letter {
                    b'u' => (value.to_string(), ""),
                    b'x' => (format!("{value:x}"), "0x"),
                    b'X' => (format!("{value:X}"), "0X"),
                    _ => (format!("{value:o}"), ""),
                };
                let octal = letter == b'o' && spec.alternative;
                let digits = if octal && value != 0 { format!("0{digits}") } else { digits };
                let prefix = if spec.alternative && value != 0 { prefix } else { "" };
                integer(&spec, "", prefix, &digits, output);
            }
            b'c' if spec.length == Length::Int => {
                let byte = args.integer(32)? as u8;
                pad(&spec, &[byte], output);
            }
            b's' if spec.length == Length::Int => {
                let limit = spec.precision.unwrap_or(usize::MAX);
                let text = memory.string(args.pointer()?, limit).map_err(PrintError::Stop)?;
                pad(&spec, &text, output);
            }
            b'p' => {
                let address = memory.address(args.pointer()?);
                let text = if address == 0 { "(nil)".into() } else { format!("{address:#x}") };
                pad(&spec, text.as_bytes(), output);
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                floating(&spec, letter, args.next()?, output)?;
            }
            b'n' => {
                let sort = Sort::Bv(spec.length.value_width(int_width));
                let count = output.len() - start;
                let stored = memory.store_count(args.pointer()?, sort, count);
                stored.map_err(PrintError::Stop)?;
            }
            b'c' | b's' => return Err(PrintError::Unsupported),
            _ => return Err(PrintError::Arguments),
        }
    }
    Ok(())
}

fn parse_spec(rest: &mut &[u8], args: &mut Args<'_>) -> Result<Spec, PrintError> {
    let mut spec = Spec::default();
    while let Some((&byte, tail)) = rest.split_first() {
        match byte {
            b'-' => spec.left = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alternative = true,
            b'0' => spec.zero = true,
            // Digit grouping: the "C" locale has none.
            b'\'' => {}
            _ => break,
        }
        *rest = tail;
    }
    if let Some(width) = number(rest, args)? {
        spec.left |= width < 0;
        spec.width = width.unsigned_abs() as usize;
    }
    if let Some(tail) = rest.strip_prefix(b".") {
        *rest = tail;
        // A negative precision is taken as none, a missing one as zero (C11 7.21.6.1p4-5).
        spec.precision = usize::try_from(number(rest, args)?.unwrap_or(0)).ok();
    }
    if spec.width > MAX_WIDTH || spec.precision.is_some_and(|precision| precision > MAX_WIDTH) {
        return Err(PrintError::Unsupported);
    }
    spec.length = Length::Int;
    for (prefix, length) in [
        (b"hh".as_slice(), Length::Char),
        (b"h", Length::Short),
        (b"ll", Length::LongLong),
        (b"l", Length::Long),
        (b"q", Length::LongLong),
        (b"j", Length::LongLong),
        (b"z", Length::Size),
        (b"t", Length::Size),
        (b"L", Length::LongDouble),
    ] {
        if let Some(tail) = rest.strip_prefix(prefix) {
            *rest = tail;
            spec.length = length;
            break;
        }
    }
    Ok(spec)
}

/// A number in the format, or the next argument for `*`.
fn number(rest: &mut &[u8], args: &mut Args<'_>) -> Result<Option<i64>, PrintError> {
    if let Some(tail) = rest.strip_prefix(b"*") {
        *rest = tail;
        return Ok(Some(to_signed(args.integer(32)?, 32) as i64));
    }
    let mut value = None;
    while let Some((digit @ b'0'..=b'9', tail)) = rest.split_first() {
        let digit = i64::from(digit - b'0');
        value = Some(value.unwrap_or(0i64).saturating_mul(10).saturating_add(digit));
        *rest = tail;
    }
    Ok(value)
}

impl Length {
    /// How wide the argument is, promoted.
    fn width(self, data_model: DataModel) -> u16 {
        match self {
            Length::Int | Length::Char | Length::Short => 32,
            Length::Long | Length::Size => data_model.pointer_bits(),
            Length::LongLong | Length::LongDouble => 64,
        }
    }

    /// How much of it counts.
    fn value_width(self, promoted: u16) -> u16 {
        match self {
            Length::Char => 8,
            Length::Short => 16,
            Length::Int | Length::Long | Length::LongLong | Length::Size | Length::LongDouble => {
                promoted
            }
        }
    }
}

impl Spec {
    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, _, _) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            (false, false, false) => "",
        }
    }
}

fn integer(spec: &Spec, sign: &str, prefix: &str, digits: &str, output: &mut Vec<u8>) {
    let digits = match spec.precision {
        Some(0) if digits == "0" => String::new(),
        Some(precision) => format!("{digits:0>precision$}"),
        // Zeros up to the width; a precision overrules them.
        None if spec.zero && !spec.left => {
            let width = spec.width.saturating_sub(sign.len() + prefix.len());
            format!("{digits:0>width$}")
        }
        None => digits.to_owned(),
    };
    pad(spec, format!("{sign}{prefix}{digits}").as_bytes(), output);
}

fn floating(
    spec: &Spec,
    letter: u8,
    (bits, sort): (Bits, Sort),
    output: &mut Vec<u8>,
) -> Result<(), PrintError> {
    let kind = match (sort, spec.length) {
        (Sort::Float(FloatKind::F64), Length::Int | Length::Long) => FloatKind::F64,
        (Sort::Float(kind @ (FloatKind::F80 | FloatKind::F128)), Length::LongDouble) => kind,
        _ => return Err(PrintError::Arguments),
    };
    let style = match letter.to_ascii_lowercase() {
        b'f' => Style::Fixed,
        b'e' => Style::Scientific,
        b'g' => Style::General,
        _ => Style::Hexadecimal,
    };
    let digits = spec.precision.map(|precision| precision as i64);
    let mut text = decimal::magnitude(kind, bits, style, digits, spec.alternative);
    let sign = spec.sign(float::is_negative(kind, bits));
    let finite = !float::is_nan(kind, bits) && !float::is_infinite(kind, bits);
    if spec.zero && !spec.left && finite {
        let at = if style == Style::Hexadecimal { 2 } else { 0 };
        let missing = spec.width.saturating_sub(sign.len() + text.len());
        text.insert_str(at, &"0".repeat(missing));
    }
    if letter.is_ascii_uppercase() {
        text.make_ascii_uppercase();
    }
    pad(spec, format!("{sign}{text}").as_bytes(), output);
    Ok(())
}

fn pad(spec: &Spec, text: &[u8], output: &mut Vec<u8>) {
    let missing = spec.width.saturating_sub(text.len());
    let spaces = std::iter::repeat_n(b' ', missing);
    if spec.left {
        output.extend_from_slice(text);
        output.extend(spaces);
    } else {
        output.extend(spaces);
        output.extend_from_slice(text);
    }
}

impl<'p, C: Chooser> Machine<'p, C> {
    pub(crate) fn print(
        &mut self,
        thread: &mut Thread,
        at: &At<'p>,
        terms: &[(TermCode, Sort)],
    ) -> Result<(), Stop> {
        let mut args = Vec::with_capacity(terms.len());
        for &(term, sort) in terms {
            args.push((self.eval(thread, at, term)?, sort));
        }
        let mut text = Vec::new();
        let result = match args.split_first() {
            Some((&(pointer, Sort::Ptr), args)) => {
                let mut memory = MachineMemory { machine: self, at };
                let template = memory.string(pointer, usize::MAX)?;
                format(&template, args, at_model(memory.machine), &mut memory, &mut text)
            }
            Some(_) | None => Err(PrintError::Arguments),
        };
        match result {
            Ok(()) => {}
            Err(PrintError::Arguments) => {
                return Err(undefined(Undefined::PrintArguments, at.pos()));
            }
            Err(PrintError::Unsupported) => {
                let what = "this conversion of printf".into();
                return Err(Box::new(Outcome::Unsupported { what, pos: at.pos() }));
            }
            Err(PrintError::Stop(stop)) => return Err(stop),
        }
        self.log.output.extend_from_slice(&text);
        if self.log.output.len() > self.quota.output {
            return Err(Box::new(Outcome::OutOfBudget(Limit::Output)));
        }
        Ok(())
    }
}

fn at_model<C>(machine: &Machine<'_, C>) -> DataModel {
    machine.code.program.data_model
}

struct MachineMemory<'a, 'p, C> {
    machine: &'a mut Machine<'p, C>,
    at: &'a At<'p>,
}

impl<C: Chooser> PrintMemory for MachineMemory<'_, '_, C> {
    fn string(&mut self, pointer: Bits, limit: usize) -> Result<Vec<u8>, Stop> {
        let mut text = Vec::new();
        while text.len() < limit {
            let byte_at = self.machine.state.memory.moved(pointer, text.len() as Bits);
            match self.machine.load(self.at, byte_at, Sort::Bv(8))? {
                0 => break,
                byte => text.push(byte as u8),
            }
        }
        Ok(text)
    }

    fn address(&self, pointer: Bits) -> u64 {
        self.machine.state.memory.address(&self.machine.layout, pointer)
    }

    fn store_count(&mut self, pointer: Bits, sort: Sort, count: usize) -> Result<(), Stop> {
        let bits = count as Bits & ones(sort.width().unwrap_or(32));
        self.machine.store(self.at, pointer, sort, bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Strings(Vec<&'static str>);

    impl PrintMemory for Strings {
        fn string(&mut self, pointer: Bits, limit: usize) -> Result<Vec<u8>, Stop> {
            let text = self.0[pointer as usize - 1].as_bytes();
            Ok(text[..text.len().min(limit)].to_vec())
        }

        fn address(&self, pointer: Bits) -> u64 {
            pointer as u64
        }

        fn store_count(&mut self, _: Bits, _: Sort, _: usize) -> Result<(), Stop> {
            Ok(())
        }
    }

    fn check(template: &str, args: &[(Bits, Sort)], expected: &str) {
        let (mut memory, mut output) = (Strings(vec!["abc", ""]), Vec::new());
        format(template.as_bytes(), args, DataModel::Lp64, &mut memory, &mut output).unwrap();
        assert_eq!(String::from_utf8(output).unwrap(), expected, "{template}");
    }

    fn refuse(template: &str, args: &[(Bits, Sort)]) {
        let (mut memory, mut output) = (Strings(Vec::new()), Vec::new());
        let result = format(template.as_bytes(), args, DataModel::Ilp32, &mut memory, &mut output);
        assert!(matches!(result, Err(PrintError::Arguments)), "{template}");
    }

    fn int(value: i32) -> (Bits, Sort) {
        (Bits::from(value as u32), Sort::Bv(32))
    }

    fn long(value: i64) -> (Bits, Sort) {
        (Bits::from(value as u64), Sort::Bv(64))
    }

    fn double(value: f64) -> (Bits, Sort) {
        (value.to_bits().into(), Sort::Float(FloatKind::F64))
    }

    #[test]
    fn integers() {
        check(
            "%d %i|%5d|%-5d|%05d",
            &[int(-1), int(7), int(42), int(42), int(-42)],
            "-1 7|   42|42   |-0042",
        );
        check("%+d % d %.3d %.0d|", &[int(5), int(5), int(5), int(0)], "+5  5 005 |");
        check(
            "%u %x %X %#x %o %#o",
            &[int(-1), int(255), int(255), int(255), int(8), int(8)],
            "4294967295 ff FF 0xff 10 010",
        );
        check("%#x %#o %#010x", &[int(0), int(0), int(0xabc)], "0 0 0x00000abc");
        check("%hhd %hhu %hd", &[int(300), int(-1), int(70000)], "44 255 4464");
        check(
            "%ld %lu %lld %zu %jd",
            &[long(-1), long(-1), long(i64::MIN), long(5), long(6)],
            "-1 18446744073709551615 -9223372036854775808 5 6",
        );
        check("%*d|%-*d|%.*d", &[int(4), int(1), int(4), int(1), int(2), int(1)], "   1|1   |01");
        check("%*d|", &[int(-4), int(1)], "1   |");
        check("%08.3d|", &[int(7)], "     007|");
    }

    #[test]
    fn characters_strings_and_pointers() {
        let text = (1, Sort::Ptr);
        check("%c%c%%", &[int(65), int(256 + 66)], "AB%");
        check("%s|%5s|%-5s|%.2s|%.0s", &[text; 5], "abc|  abc|abc  |ab|");
        check("%p %p", &[(0, Sort::Ptr), (0x1f, Sort::Ptr)], "(nil) 0x1f");
        check("a%nb", &[text], "ab");
    }

    #[test]
    fn floats() {
        check(
            "%f %.2f %e %g",
            &[double(1.5), double(-2.345), double(1234.5), double(0.0001)],
            "1.500000 -2.35 1.234500e+03 0.0001",
        );
        check(
            "%10.3f|%-10.3f|%010.3f|%+f",
            &[double(3.5); 4],
            "     3.500|3.500     |000003.500|+3.500000",
        );
        check(
            "%f %F %010f %a %A",
            &[
                double(f64::INFINITY),
                double(-f64::INFINITY),
                double(f64::INFINITY),
                double(0.5),
                double(-10.0),
            ],
            "inf -INF        inf 0x1p-1 -0X1.4P+3",
        );
        check("%f", &[double(-f64::NAN.copysign(1.0))], "-nan");
        check(
            "%G %#g %012a",
            &[double(1e-10), double(1.0), double(1.0)],
            "1E-10 1.00000 0x0000001p+0",
        );
        let half = float::convert(FloatKind::F64, 0.5f64.to_bits().into(), FloatKind::F80);
        check("%Lf %Lg", &[(half, Sort::Float(FloatKind::F80)); 2], "0.500000 0.5");
    }

    #[test]
    fn arguments_must_fit() {
        refuse("%d", &[]);
        refuse("%d", &[long(1)]);
        refuse("%ld", &[long(1)]);
        refuse("%s", &[int(1)]);
        refuse("%f", &[int(1)]);
        refuse("%Lf", &[double(1.0)]);
        refuse("%", &[]);
        refuse("%5", &[]);
        refuse("%y", &[int(1)]);
    }
}
