//! Splits source text into tokens, matches brackets and reads the directives that remain after
//! preprocessing.

use std::sync::Arc;

use ravelin_base::Diagnostic;
use ravelin_base::source::{LineMarker, SourceMap, Span};

use super::directive::{self, Directive, PackStack};
use super::escape::RESERVED_PREFIX;
use super::token::{Kind, Token, classify_word};
use crate::symbols::SymbolPragma;

/// The origin of a text, which decides what it may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// A file that has not been through the preprocessor, and may not need to.
    Source,
    /// The preprocessor's output, or a file that claims to be that.
    Preprocessed,
    /// Text of Ravelin's own library models, which may use names of Ravelin's own name space.
    Library,
}

/// A text as tokens.
#[derive(Debug)]
pub(super) struct Lexed {
    pub tokens: Vec<Token>,
    pub markers: Vec<LineMarker>,
    /// From which token on `#pragma pack` limits the alignment of members, and to what (0: not).
    pub packs: Vec<(u32, u32)>,
    pub pragmas: Vec<SymbolPragma>,
}

/// Why a text could not be split into tokens.
#[derive(Debug)]
pub(super) enum Stop {
    /// There are directives or macros which the preprocessor must treat first; at this offset.
    NeedsPreprocessor(u32),
    Malformed(Malformed),
}

/// An error in the text, or something that Ravelin does not support.
#[derive(Debug)]
pub(super) struct Malformed {
    pub start: u32,
    pub end: u32,
    pub message: String,
    pub note: Option<String>,
}

impl Malformed {
    pub fn new(start: usize, end: usize, message: impl Into<String>) -> Self {
        Malformed { start: start as u32, end: end as u32, message: message.into(), note: None }
    }

    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// The message, where `map` leads from the offsets of tokens to the source.
    pub fn into_diagnostic(self, map: &SourceMap) -> Diagnostic {
        let span = Span { start: self.start, end: self.end };
        let mut diagnostic = Diagnostic::error(self.message).at(map, span);
        diagnostic.notes.extend(self.note);
        diagnostic
    }
}

impl From<Malformed> for Stop {
    fn from(malformed: Malformed) -> Self {
        Stop::Malformed(malformed)
    }
}

/// Splits `source`, known as `name`, into tokens: up to the place where it had to stop, if it had to.
pub(super) fn lex(source: &[u8], name: &str, kind: TextKind) -> (Lexed, Result<(), Stop>) {
    let mut lexer = Lexer {
        source,
        kind,
        // C source has a token for every four to five bytes.
        tokens: Vec::with_capacity(source.len() / 4 + 16),
        open: Vec::new(),
        markers: Vec::new(),
        file: name.into(),
        pack: PackStack::default(),
        packs: Vec::new(),
        pragmas: Vec::new(),
    };
    let result = lexer.run();
    let Lexer { tokens, markers, packs, pragmas, .. } = lexer;
    (Lexed { tokens, markers, packs, pragmas }, result)
}

struct Lexer<'s> {
    source: &'s [u8],
    kind: TextKind,
    tokens: Vec<Token>,
    /// Indices of the brackets that are open.
    open: Vec<u32>,
    markers: Vec<LineMarker>,
    /// The file that the latest line marker named.
    file: Arc<str>,
    pack: PackStack,
    packs: Vec<(u32, u32)>,
    pragmas: Vec<SymbolPragma>,
}

/// Bytes by what can begin with them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Letter,
    Digit,
    Punctuator,
    Quote,
    Other,
}

static CLASS: [Class; 256] = {
    let mut table = [Class::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => Class::Space,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'"' | b'\'' => Class::Quote,
            b'#' | b'$' | b'@' | b'`' | b'\\' => Class::Other,
            b'!'..=b'~' => Class::Punctuator,
            _ => Class::Other,
        };
        byte += 1;
    }
    table
};

fn class(byte: u8) -> Class {
    CLASS[byte as usize]
}

impl<'s> Lexer<'s> {
    fn run(&mut self) -> Result<(), Stop> {
        const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
        let mut at =
            if self.source.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        while let Some(&byte) = self.source.get(at) {
            at = match class(byte) {
                Class::Space => at + 1,
                Class::Letter => self.word(at)?,
                Class::Digit => self.number(at),
                Class::Quote => self.literal(at, at)?,
                Class::Punctuator => self.punctuator(at, byte)?,
                Class::Other => self.other(at, byte)?,
            };
        }
        match self.open.last() {
            None => Ok(()),
            Some(&open) => Err(self.unclosed(open, at, "the end of the file").into()),
        }
    }

    fn byte(&self, at: usize) -> u8 {
        self.source.get(at).copied().unwrap_or(0)
    }

    fn push(&mut self, start: usize, end: usize, kind: Kind) -> usize {
        self.tokens.push(Token { start: start as u32, end: end as u32, mate: 0, kind });
        end
    }

    fn word(&mut self, start: usize) -> Result<usize, Stop> {
        let rest = &self.source[start..];
        let length = rest
            .iter()
            .position(|&byte| !matches!(class(byte), Class::Letter | Class::Digit))
            .unwrap_or(rest.len());
        let end = start + length;
        let text = &rest[..length];
        match self.byte(end) {
            b'$' | b'\\' | 0x80.. => return self.odd_word(start, end),
            b'"' | b'\'' if matches!(text, b"L" | b"u" | b"U" | b"u8") => {
                return self.literal(start, end);
            }
            _ => {}
        }
        let mut kind = classify_word(text);
        if kind == Kind::Ident && text.starts_with(b"__") {
            if self.kind != TextKind::Library && text.starts_with(RESERVED_PREFIX) {
                kind = Kind::OddIdent;
            }
            // Nearly all macros that compilers predefine look like this. A name that is none of
            // them costs only a run of the preprocessor.
            if self.kind == TextKind::Source && self.may_be_predefined(text) {
                return Err(Stop::NeedsPreprocessor(start as u32));
            }
        } else if matches!(kind, Kind::PredefinedMacro | Kind::Pragma) {
            if self.kind == TextKind::Source {
                return Err(Stop::NeedsPreprocessor(start as u32));
            }
            if kind == Kind::PredefinedMacro {
                kind = Kind::Ident;
            }
        }
        Ok(self.push(start, end, kind))
    }

    fn may_be_predefined(&self, text: &[u8]) -> bool {
        let precedes = |&open: &u32, kind| {
            open.checked_sub(1).is_some_and(|before| self.tokens[before as usize].kind == kind)
        };
        text.ends_with(b"__")
            && !is_known_name(text)
            // Names of attributes and their arguments look the same, but are in small letters.
            && (text.iter().any(u8::is_ascii_uppercase)
                || !self.open.iter().any(|open| precedes(open, Kind::Attribute)))
    }

    /// An identifier with `$`, universal character names or characters beyond ASCII in it.
    fn odd_word(&mut self, start: usize, from: usize) -> Result<usize, Stop> {
        let mut at = from;
        loop {
            let rest = &self.source[at..];
            at += match rest.first() {
                Some(b'$') => 1,
                Some(b'\\') => match universal_character(rest) {
                    Some((_, length)) => length,
                    None => break,
                },
                Some(0x80..) => match first_char(rest) {
                    Some(c) if is_identifier_character(c) => c.len_utf8(),
                    Some(_) | None => break,
                },
                Some(&byte) if matches!(class(byte), Class::Letter | Class::Digit) => 1,
                Some(_) | None => break,
            };
        }
        if at == start {
            return Err(self.stray(start).into());
        }
        Ok(self.push(start, at, Kind::OddIdent))
    }

    /// A preprocessing number (C11 6.4.8), with the digit separators of C23.
    fn number(&mut self, start: usize) -> usize {
        let mut at = start + 1;
        let mut kind = Kind::Number;
        loop {
            let byte = self.byte(at);
            at += match byte {
                b'e' | b'E' | b'p' | b'P' if matches!(self.byte(at + 1), b'+' | b'-') => 2,
                b'.' => 1,
                b'\'' if matches!(class(self.byte(at + 1)), Class::Letter | Class::Digit) => {
                    kind = Kind::OddNumber;
                    1
                }
                _ if matches!(class(byte), Class::Letter | Class::Digit) => 1,
                _ => break,
            };
        }
        if matches!(self.byte(at - 1), b'q' | b'Q' | b'w' | b'W') {
            kind = Kind::OddNumber;
        }
        self.push(start, at, kind)
    }

    /// A string literal or character constant whose quote stands at `quote`.
    fn literal(&mut self, start: usize, quote: usize) -> Result<usize, Stop> {
        let delimiter = self.source[quote];
        let mut at = quote + 1;
        let mut kind = Kind::Literal;
        loop {
            let byte = self.byte(at);
            if byte == delimiter {
                break;
            }
            at += match byte {
                b'\\' => match self.byte(at + 1) {
                    b'\''
                    | b'"'
                    | b'?'
                    | b'\\'
                    | b'a'
                    | b'b'
                    | b'f'
                    | b'n'
                    | b'r'
                    | b't'
                    | b'v'
                    | b'0'..=b'7' => 2,
                    b'\n' | 0 => return Err(self.unterminated(start, at, delimiter).into()),
                    b'x' if self.byte(at + 2).is_ascii_hexdigit() => 3,
                    _ => {
                        kind = Kind::OddLiteral;
                        1
                    }
                },
                b'\n' => return Err(self.unterminated(start, at, delimiter).into()),
                0 if at >= self.source.len() => {
                    return Err(self.unterminated(start, at, delimiter).into());
                }
                0 | 0x80.. => {
                    kind = Kind::OddLiteral;
                    1
                }
                _ => 1,
            };
        }
        if delimiter == b'\'' {
            if at == quote + 1 {
                return Err(Malformed::new(start, at + 1, "empty character constant").into());
            }
            if self.source[start..].starts_with(b"u8") {
                kind = Kind::OddLiteral;
            }
        }
        Ok(self.push(start, at + 1, kind))
    }

    fn unterminated(&self, start: usize, end: usize, delimiter: u8) -> Malformed {
        let what = if delimiter == b'"' { "string literal" } else { "character constant" };
        let message = format!("unterminated {what}: closing {} missing", delimiter as char);
        Malformed::new(start, end, message)
    }

    fn punctuator(&mut self, at: usize, byte: u8) -> Result<usize, Stop> {
        let (next, third) = (self.byte(at + 1), self.byte(at + 2));
        let (kind, length) = match byte {
            b'(' => return Ok(self.open(at, 1, Kind::LParen)),
            b')' => return self.close(at, 1, Kind::RParen),
            b'[' => return Ok(self.open(at, 1, Kind::LBracket)),
            b']' => return self.close(at, 1, Kind::RBracket),
            b'{' => return Ok(self.open(at, 1, Kind::LBrace)),
            b'}' => return self.close(at, 1, Kind::RBrace),
            // The digraphs of C11 6.4.6.
            b'<' if next == b':' => return Ok(self.open(at, 2, Kind::LBracket)),
            b':' if next == b'>' => return self.close(at, 2, Kind::RBracket),
            b'<' if next == b'%' => return Ok(self.open(at, 2, Kind::LBrace)),
            b'%' if next == b'>' => return self.close(at, 2, Kind::RBrace),
            b';' => (Kind::Semi, 1),
            b',' => (Kind::Comma, 1),
            b':' => (Kind::Colon, 1),
            b'?' => (Kind::Question, 1),
            b'~' => (Kind::Not, 1),
            b'.' if next.is_ascii_digit() => return Ok(self.number(at)),
            b'.' if next == b'.' && third == b'.' => (Kind::Ellipsis, 3),
            b'.' => (Kind::Dot, 1),
            b'/' if next == b'*' => return self.block_comment(at),
            b'/' if next == b'/' => return Ok(self.end_of_line(at)),
            b'-' if next == b'>' => (Kind::Arrow, 2),
            b'+' | b'-' if next == byte => (Kind::Step, 2),
            b'+' | b'-' if next == b'=' => (Kind::Assign, 2),
            b'+' | b'-' => (Kind::Sign, 1),
            b'*' if next != b'=' => (Kind::Star, 1),
            b'&' if next == b'&' => (Kind::AmpAmp, 2),
            b'&' if next != b'=' => (Kind::Amp, 1),
            b'<' | b'>' if next == byte && third == b'=' => (Kind::Assign, 3),
            b'<' | b'>' if next == byte || next == b'=' => (Kind::Infix, 2),
            b'<' | b'>' => (Kind::Infix, 1),
            b'=' | b'!' if next == b'=' => (Kind::Infix, 2),
            b'=' => (Kind::Assign, 1),
            b'!' => (Kind::Not, 1),
            b'|' if next == b'|' => (Kind::Infix, 2),
            b'*' | b'/' | b'%' | b'&' | b'^' | b'|' if next == b'=' => (Kind::Assign, 2),
            _ => (Kind::Infix, 1),
        };
        Ok(self.push(at, at + length, kind))
    }

    fn open(&mut self, at: usize, length: usize, kind: Kind) -> usize {
        self.open.push(self.tokens.len() as u32);
        self.push(at, at + length, kind)
    }

    fn close(&mut self, at: usize, length: usize, kind: Kind) -> Result<usize, Stop> {
        let index = self.tokens.len() as u32;
        let opener = match kind {
            Kind::RParen => Kind::LParen,
            Kind::RBracket => Kind::LBracket,
            _ => Kind::LBrace,
        };
        let found = bracket_text(kind);
        let matches = |&open: &u32| self.tokens[open as usize].kind == opener;
        let open = match self.open.pop() {
            Some(open) if matches(&open) => open,
            // Of two brackets that do not match, the one that has no match elsewhere is wrong.
            Some(open) if self.open.iter().any(matches) => {
                return Err(self.unclosed(open, at, found).into());
            }
            Some(_) | None => {
                let message = format!("{found} without {}", bracket_text(opener));
                return Err(Malformed::new(at, at + length, message).into());
            }
        };
        self.tokens[open as usize].mate = index;
        self.tokens.push(Token { start: at as u32, end: (at + length) as u32, mate: open, kind });
        Ok(at + length)
    }

    /// The opening bracket with the index `open` is met by `found` at `at`, which does not close it.
    fn unclosed(&self, open: u32, at: usize, found: &str) -> Malformed {
        let open = self.tokens[open as usize];
        let opener = bracket_text(open.kind);
        let closer = match open.kind {
            Kind::LParen => "')'",
            Kind::LBracket => "']'",
            _ => "'}'",
        };
        let line = |at: usize| self.source[..at].iter().filter(|&&byte| byte == b'\n').count();
        let distance = line(at) - line(open.start as usize);
        let before = match distance {
            0 => "on the same line".to_owned(),
            1 => "one line below".to_owned(),
            _ => format!("{distance} lines below"),
        };
        Malformed::new(open.start as usize, open.end as usize, format!("{opener} is never closed"))
            .with_note(format!("expected {closer} before {found} {before}"))
    }

    fn other(&mut self, at: usize, byte: u8) -> Result<usize, Stop> {
        match byte {
            b'#' if self.begins_line(at) => self.directive(at),
            b'$' | b'\\' | 0x80.. => self.odd_word(at, at),
            _ => Err(self.stray(at).into()),
        }
    }

    fn begins_line(&self, at: usize) -> bool {
        let before = self.source[..at].iter().rev();
        let byte = before.copied().find(|&byte| byte == b'\n' || class(byte) != Class::Space);
        // A comment may precede; anything else before a '#' does not make sense anyway.
        matches!(byte, None | Some(b'\n') | Some(b'/')) || at == 3 && byte == Some(0xbf)
    }

    fn stray(&self, at: usize) -> Malformed {
        let byte = self.source[at];
        let note = "only comments, string literals and character constants may contain this";
        match first_char(&self.source[at..]) {
            Some('\0') => Malformed::new(at, at + 1, "NUL byte: this is not a C source file"),
            Some(c) if c.is_control() => {
                let message =
                    format!("control character 0x{byte:02x}: this is not a C source file");
                Malformed::new(at, at + 1, message)
            }
            Some(c @ '!'..='~') => Malformed::new(at, at + 1, format!("stray '{c}' in program")),
            Some(c) => {
                let message = format!("stray character '{c}' (U+{:04X}) in program", u32::from(c));
                Malformed::new(at, at + c.len_utf8(), message).with_note(note)
            }
            None => {
                let message = format!("byte 0x{byte:02x} is not valid UTF-8");
                Malformed::new(at, at + 1, message).with_note(note)
            }
        }
    }

    fn block_comment(&self, start: usize) -> Result<usize, Stop> {
        let mut at = start + 2;
        loop {
            match self.source[at..].iter().position(|&byte| byte == b'*') {
                None => {
                    return Err(Malformed::new(start, start + 2, "comment is never closed").into());
                }
                Some(star) => at += star + 1,
            }
            if self.byte(at) == b'/' {
                return Ok(at + 1);
            }
        }
    }

    fn end_of_line(&self, at: usize) -> usize {
        let rest = &self.source[at..];
        at + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
    }

    fn directive(&mut self, start: usize) -> Result<usize, Stop> {
        let end = self.end_of_line(start);
        let token = self.tokens.len() as u32;
        match directive::read(&self.source[start + 1..end]) {
            Directive::Line { line, file, is_system } => {
                if let Some(file) = file
                    && *self.file != *file
                {
                    self.file = file.into();
                }
                let file = Arc::clone(&self.file);
                let offset = (end + 1) as u32;
                self.markers.push(LineMarker { offset, file, line, is_system });
            }
            Directive::Ignored => {}
            Directive::Pack(action) => self.packs.push((token, self.pack.apply(action))),
            Directive::Symbol(pragma) => self.pragmas.push(pragma),
            Directive::Unsupported(message) => {
                return Err(Malformed::new(start, end, message).into());
            }
            Directive::Conditional if self.kind == TextKind::Source => {
                return Err(Stop::NeedsPreprocessor(start as u32));
            }
            Directive::Conditional => {
                let message = "preprocessing directive in preprocessed text";
                let note = "give the file the extension .c to have it preprocessed";
                return Err(Malformed::new(start, end, message).with_note(note).into());
            }
        }
        Ok(end)
    }
}

fn bracket_text(kind: Kind) -> &'static str {
    match kind {
        Kind::LParen => "'('",
        Kind::RParen => "')'",
        Kind::LBracket => "'['",
        Kind::RBracket => "']'",
        Kind::LBrace => "'{'",
        _ => "'}'",
    }
}

/// Names that begin and end with two underscores, and are no macros.
fn is_known_name(text: &[u8]) -> bool {
    matches!(
        text,
        b"__func__" | b"__FUNCTION__" | b"__PRETTY_FUNCTION__" | b"__real__" | b"__imag__"
    )
}

/// Whether a character beyond ASCII may be part of an identifier (C11 D.1).
fn is_identifier_character(c: char) -> bool {
    matches!(
        u32::from(c),
        0xa8 | 0xaa | 0xad | 0xaf | 0xb2..=0xb5 | 0xb7..=0xba | 0xbc..=0xbe | 0xc0..=0xd6
            | 0xd8..=0xf6 | 0xf8..=0x167f | 0x1681..=0x180d | 0x180f..=0x1fff | 0x200b..=0x200d
            | 0x202a..=0x202e | 0x203f..=0x2040 | 0x2054 | 0x2060..=0x218f | 0x2460..=0x24ff
            | 0x2776..=0x2793 | 0x2c00..=0x2dff | 0x2e80..=0x2fff | 0x3004..=0x3007
            | 0x3021..=0x302f | 0x3031..=0xd7ff | 0xf900..=0xfd3d | 0xfd40..=0xfdcf
            | 0xfdf0..=0xfe44 | 0xfe47..=0xfffd | 0x1_0000..=0xe_fffd
    )
}

/// The universal character name (C11 6.4.3) that `text` begins with, and its length.
pub(super) fn universal_character(text: &[u8]) -> Option<(char, usize)> {
    let digits = match text {
        [b'\\', b'u', ..] => 4,
        [b'\\', b'U', ..] => 8,
        _ => return None,
    };
    let digits = std::str::from_utf8(text.get(2..2 + digits)?).ok()?;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    Some((char::from_u32(value)?, 2 + digits.len()))
}

/// The character that `text` begins with, if it begins with valid UTF-8.
pub(super) fn first_char(text: &[u8]) -> Option<char> {
    let head = &text[..text.len().min(4)];
    let valid = match std::str::from_utf8(head) {
        Ok(valid) => valid,
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).ok()?,
    };
    valid.chars().next()
}
