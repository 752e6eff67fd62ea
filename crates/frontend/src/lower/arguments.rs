//! Arguments that a library function forbids: copies between memory that overlaps (C11 7.24.1, 6.7.3.1), and formats that do not
//! fit the arguments behind them (7.21.6.1p9, 7.21.6.2p10).
//!
//! Formats are checked where the call has a string literal; what differs only in signedness, or is a pointer to void,
//! fits. Copies are checked by models that are called before the function (`models/overlap.c`). Calls through pointers and
//! those of other models are not checked.

use lang_c::span::Span;
use ravelin_cfa::{ErrorKind, Property};
use ravelin_term::{BinOp, FloatKind};

use super::global::Func;
use super::{Lowerer, Val};
use crate::library::{self, Direction, Directive, Meaningless, Pointee, Wanted, Width, directives};
use crate::types::{Ty, TypeKind};

/// The functions with formats: which argument it is. The next one is its first value.
const FORMATS: &[(&str, Direction, usize)] = &[
    ("printf", Direction::Output, 0),
    ("fprintf", Direction::Output, 1),
    ("dprintf", Direction::Output, 1),
    ("sprintf", Direction::Output, 1),
    ("snprintf", Direction::Output, 2),
    ("asprintf", Direction::Output, 1),
    ("__printf_chk", Direction::Output, 1),
    ("__fprintf_chk", Direction::Output, 2),
    ("__sprintf_chk", Direction::Output, 3),
    ("__snprintf_chk", Direction::Output, 4),
    ("syslog", Direction::Output, 1),
    ("err", Direction::Output, 1),
    ("errx", Direction::Output, 1),
    ("warn", Direction::Output, 0),
    ("warnx", Direction::Output, 0),
    ("scanf", Direction::Input, 0),
    ("fscanf", Direction::Input, 1),
    ("sscanf", Direction::Input, 1),
];

/// The functions that copy, each with the model that looks for an overlap and how many of its arguments that gets.
const COPIES: &[(&str, &str, usize)] = &[
    ("memcpy", "__ravelin_memcpy_overlaps", 3),
    ("__memcpy_chk", "__ravelin_memcpy_overlaps", 3),
    ("mempcpy", "__ravelin_memcpy_overlaps", 3),
    ("strcpy", "__ravelin_strcpy_overlaps", 2),
    ("__strcpy_chk", "__ravelin_strcpy_overlaps", 2),
    ("stpcpy", "__ravelin_strcpy_overlaps", 2),
    ("strncpy", "__ravelin_strncpy_overlaps", 3),
    ("__strncpy_chk", "__ravelin_strncpy_overlaps", 3),
    ("stpncpy", "__ravelin_strncpy_overlaps", 3),
    ("strcat", "__ravelin_strcat_overlaps", 2),
    ("__strcat_chk", "__ravelin_strcat_overlaps", 2),
    ("strncat", "__ravelin_strncat_overlaps", 3),
    ("__strncat_chk", "__ravelin_strncat_overlaps", 3),
];

/// The functions whose models leave out that they read a buffer: which argument it is, and those whose product is its
/// length.
const READERS: &[(&str, usize, &[usize])] =
    &[("write", 1, &[2]), ("pwrite", 1, &[2]), ("send", 1, &[2]), ("fwrite", 0, &[1, 2])];

impl Lowerer<'_> {
    /// Reads what a library function reads, where that may race.
    pub fn read_arguments(&mut self, func: Func, args: &[Val]) {
        if !self.is_checked(Property::NoDataRace) || self.functions[func].proc.is_some() {
            return;
        }
        let name = self.program.name(self.functions[func].name).to_owned();
        let Some(&(_, buffer, lengths)) = READERS.iter().find(|(known, ..)| *known == name) else {
            return;
        };
        let Some(&buffer) = args.get(buffer) else { return };
        let mut length = self.program.terms.offset(1);
        for &index in lengths {
            let Some(factor) = args.get(index) else { return };
            let bits = self.program.terms.pointer_bits();
            let factor = self.program.terms.resize(factor.term, bits, false);
            length = self.program.terms.binary(BinOp::BvMul, length, factor);
        }
        let length = Val { term: length, ty: self.types.size };
        // A comparison with itself reads all of it.
        self.call_model("memcmp", vec![buffer, buffer, length]);
    }

    /// Checks a call of a library function, whose arguments it may keep as they are now: other threads may change what they
    /// read.
    pub fn check_arguments(&mut self, func: Func, args: &mut [Val], span: Span) {
        if !self.is_checked(Property::ValidArguments) {
            return;
        }
        let name = self.program.name(self.functions[func].name).to_owned();
        let Some(usual) = library::lookup(&name).map(|entry| entry.name) else { return };
        let symbol = self.intern(usual);
        if self.functions[func].proc.is_some() || self.program_defines(symbol) {
            return;
        }
        if let Some(&(_, direction, format)) = FORMATS.iter().find(|(known, ..)| *known == usual) {
            self.check_directives(direction, args, format, span);
        }
        if let Some(&(_, check, count)) = COPIES.iter().find(|(known, ..)| *known == usual)
            && args.len() >= count
        {
            for arg in args.iter_mut() {
                *arg = self.snapshot_if_global(*arg);
            }
            let Some(overlaps) = self.call_model(check, args[..count].to_vec()) else { return };
            let overlaps = self.program.terms.is_nonzero(overlaps.term);
            let are_apart = self.program.terms.not(overlaps);
            self.check(are_apart, ErrorKind::OverlappingCopy);
        }
    }

    fn check_directives(&mut self, direction: Direction, args: &[Val], format: usize, span: Span) {
        let Some(text) = args.get(format).and_then(|arg| self.literal_bytes(arg.term)) else {
            return;
        };
        let values = args.get(format + 1..).unwrap_or_default();
        let problem = match directives(text, direction) {
            Err(Meaningless(text)) => Some(format!("the format has '{text}', which means nothing")),
            Ok(found) => found.iter().find_map(|directive| self.misfit(directive, values)),
        };
        let Some(problem) = problem else { return };
        self.warn(span, problem);
        let never = self.program.terms.bool(false);
        self.check(never, ErrorKind::UnfitFormat);
    }

    /// Why a directive does not fit its argument.
    fn misfit(&self, directive: &Directive, values: &[Val]) -> Option<String> {
        let text = &directive.text;
        let Some(value) = values.get(directive.argument) else {
            return Some(format!("the format has '{text}', for which there is no argument"));
        };
        let fits = match directive.wants {
            Wanted::Integer(width) => self.is_integer_of(value.ty, width),
            Wanted::Float => self.is_float_of(value.ty, FloatKind::F64),
            Wanted::LongDouble => self.is_float_of(value.ty, FloatKind::F80),
            Wanted::Pointer => self.types.is_pointer(value.ty),
            Wanted::To(kind) => {
                self.types.pointee(value.ty).is_some_and(|to| self.is_pointee(to, kind))
            }
        };
        let ty = self.spell(value.ty);
        (!fits).then(|| {
            format!("the format has '{text}', which does not fit an argument of type '{ty}'")
        })
    }

    fn is_pointee(&self, to: Ty, kind: Pointee) -> bool {
        self.types.is_void(to)
            || match kind {
                Pointee::Integer(width) => self.is_integer_of(to, width),
                Pointee::Float => self.is_float_of(to, FloatKind::F32),
                Pointee::Double => self.is_float_of(to, FloatKind::F64),
                Pointee::LongDouble => self.is_float_of(to, FloatKind::F80),
                Pointee::Pointer => self.types.is_pointer(to),
            }
    }

    fn is_integer_of(&self, ty: Ty, width: Width) -> bool {
        let bits = match width {
            Width::Char => 8,
            Width::Short => 16,
            Width::Int => 32,
            Width::Long | Width::Pointer => self.program.terms.pointer_bits(),
            Width::LongLong => 64,
        };
        self.types.is_integer(ty) && self.types.int_width(ty) == Some(bits)
    }

    fn is_float_of(&self, ty: Ty, kind: FloatKind) -> bool {
        matches!(self.types.kind(ty), TypeKind::Float(found) if *found == kind)
    }
}
