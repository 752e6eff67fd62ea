//! The directives that may be left in preprocessed text: line markers and pragmas.

use std::borrow::Cow;

use crate::symbols::SymbolPragma;

/// The meaning of a directive.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Directive<'s> {
    /// `# 12 "file.c"` or `#line 12 "file.c"`: the number of the next line.
    Line {
        line: u32,
        file: Option<Cow<'s, str>>,
        /// Flag 3: the text comes from a system header.
        is_system: bool,
    },
    Ignored,
    Pack(PackAction),
    Symbol(SymbolPragma),
    Unsupported(&'static str),
    /// A directive that only the preprocessor can treat.
    Conditional,
}

/// The effect of `#pragma pack(...)`.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PackAction {
    /// `pack(4)`; 0 stands for `pack()`, which restores the default.
    Set(u32),
    /// `pack(push)` or `pack(push, 4)`.
    Push(Option<u32>),
    Pop,
}

/// Reads a directive without its `#`.
pub(super) fn read(text: &[u8]) -> Directive<'_> {
    let text = text.trim_ascii();
    let (word, rest) = split_word(text);
    match word {
        b"" if text.is_empty() => Directive::Ignored,
        b"line" => read_line(rest.trim_ascii_start()).unwrap_or(Directive::Conditional),
        b"pragma" => read_pragma(rest.trim_ascii_start()),
        // `gcc -E -dD` leaves definitions of macros that are expanded already, but what a file
        // defines itself must be expanded first.
        b"ident" | b"sccs" | b"warning" => Directive::Ignored,
        word if word.first().is_some_and(u8::is_ascii_digit) => {
            read_line(text).unwrap_or(Directive::Conditional)
        }
        _ => Directive::Conditional,
    }
}

fn split_word(text: &[u8]) -> (&[u8], &[u8]) {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    text.split_at(text.iter().position(|byte| !is_word(byte)).unwrap_or(text.len()))
}

fn read_line(text: &[u8]) -> Option<Directive<'_>> {
    let (number, rest) = split_word(text);
    let line = std::str::from_utf8(number).ok()?.parse().ok()?;
    let rest = rest.trim_ascii_start();
    let Some(rest) = rest.strip_prefix(b"\"") else {
        return rest.is_empty().then_some(Directive::Line { line, file: None, is_system: false });
    };
    // A quote inside a name is escaped, and nothing after the name has quotes.
    let end = rest.iter().rposition(|&byte| byte == b'"')?;
    let is_system = rest[end + 1..].split(u8::is_ascii_whitespace).any(|flag| flag == b"3");
    Some(Directive::Line { line, file: Some(unescape(&rest[..end])), is_system })
}

/// Undoes the preprocessor's escapes in a file name: `\\`, `\"` and three octal digits.
fn unescape(name: &[u8]) -> Cow<'_, str> {
    if !name.contains(&b'\\') {
        return String::from_utf8_lossy(name);
    }
    let mut bytes = Vec::with_capacity(name.len());
    let mut at = 0;
    while at < name.len() {
        let (byte, length) = match &name[at..] {
            [b'\\', a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', ..] => {
                ((a - b'0') * 64 + (b - b'0') * 8 + (c - b'0'), 4)
            }
            [b'\\', byte, ..] => (*byte, 2),
            rest => (rest[0], 1),
        };
        bytes.push(byte);
        at += length;
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

fn read_pragma(text: &[u8]) -> Directive<'_> {
    let (word, rest) = split_word(text);
    match word {
        b"pack" => read_pack(rest).map_or(
            Directive::Unsupported("#pragma pack in a form that Ravelin does not know"),
            Directive::Pack,
        ),
        b"scalar_storage_order" => {
            Directive::Unsupported("#pragma scalar_storage_order is not supported")
        }
        b"weak" => read_weak(rest).map_or(Directive::Ignored, Directive::Symbol),
        b"redefine_extname" => read_rename(rest).map_or(Directive::Ignored, Directive::Symbol),
        // Others change warnings or code generation. OpenMP's parallel regions may be run
        // by a single thread, and are if the compiler does not know them.
        _ => Directive::Ignored,
    }
}

/// `name` or `name = target`; gcc ignores other forms.
fn read_weak(text: &[u8]) -> Option<SymbolPragma> {
    let (name, rest) = read_name(text)?;
    let target = match rest.strip_prefix(b"=") {
        Some(rest) => Some(read_name(rest)?.0),
        None => None,
    };
    Some(SymbolPragma::Weak { name, target })
}

fn read_rename(text: &[u8]) -> Option<SymbolPragma> {
    let (name, rest) = read_name(text)?;
    let (symbol, _) = read_name(rest)?;
    Some(SymbolPragma::Rename { name, symbol })
}

fn read_name(text: &[u8]) -> Option<(String, &[u8])> {
    let (word, rest) = split_word(text.trim_ascii_start());
    let name = std::str::from_utf8(word).ok().filter(|name| !name.is_empty())?;
    Some((name.to_owned(), rest.trim_ascii_start()))
}

fn read_pack(text: &[u8]) -> Option<PackAction> {
    let inner = text.trim_ascii().strip_prefix(b"(")?.strip_suffix(b")")?;
    let inner = std::str::from_utf8(inner).ok()?;
    let words: Vec<&str> = inner.split(',').map(str::trim).collect();
    let limit = |word: &str| word.parse().ok().filter(|&n: &u32| n.is_power_of_two() && n <= 16);
    match words[..] {
        [""] => Some(PackAction::Set(0)),
        ["push"] => Some(PackAction::Push(None)),
        ["push", word] => Some(PackAction::Push(Some(limit(word)?))),
        ["pop"] => Some(PackAction::Pop),
        [word] => Some(PackAction::Set(limit(word)?)),
        _ => None,
    }
}

/// The limits on the alignment of members that `#pragma pack` has set.
#[derive(Debug, Default)]
pub(super) struct PackStack {
    current: u32,
    saved: Vec<u32>,
}

impl PackStack {
    /// The limit in force after the action; 0 if there is none.
    pub fn apply(&mut self, action: PackAction) -> u32 {
        match action {
            PackAction::Set(limit) => self.current = limit,
            PackAction::Push(limit) => {
                self.saved.push(self.current);
                self.current = limit.unwrap_or(self.current);
            }
            // gcc too ignores a pop without a push.
            PackAction::Pop => self.current = self.saved.pop().unwrap_or(self.current),
        }
        self.current
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_line_markers() {
        let line = |line, file: &'static str, is_system| {
            let file = Some(file.into());
            Directive::Line { line, file, is_system }
        };
        assert_eq!(read(b" 12 \"a.c\" 1 3"), line(12, "a.c", true));
        assert_eq!(read(b" 12 \"a.c\" 2 3 4"), line(12, "a.c", true));
        assert_eq!(read(b" 12 \"a.c\" 2"), line(12, "a.c", false));
        assert_eq!(read(b"line 7 \"d/a b.h\""), line(7, "d/a b.h", false));
        assert_eq!(read(b" 1 \"a\\\"b\\\\c\\303\\251\""), line(1, "a\"b\\cé", false));
        assert_eq!(read(b"line 7"), Directive::Line { line: 7, file: None, is_system: false });
        assert_eq!(read(b" 99999999999 \"a\""), Directive::Conditional);
        assert_eq!(read(b"line N"), Directive::Conditional);
    }

    #[test]
    fn knows_what_to_leave_to_the_preprocessor() {
        for directive in ["include <a.h>", " define X", "if 0", "else", "undef X", "error no"] {
            assert_eq!(read(directive.as_bytes()), Directive::Conditional, "{directive}");
        }
        for directive in ["", " ", "ident \"x\"", "pragma GCC poison x", "pragma omp parallel"] {
            assert_eq!(read(directive.as_bytes()), Directive::Ignored, "{directive}");
        }
    }

    #[test]
    fn reads_pragmas_about_symbols() {
        let weak = |name: &str, target: Option<&str>| {
            let (name, target) = (name.to_owned(), target.map(str::to_owned));
            Directive::Symbol(SymbolPragma::Weak { name, target })
        };
        assert_eq!(read(b"pragma weak f"), weak("f", None));
        assert_eq!(read(b"pragma weak f=g"), weak("f", Some("g")));
        assert_eq!(
            read(b"pragma redefine_extname a b"),
            Directive::Symbol(SymbolPragma::Rename { name: "a".into(), symbol: "b".into() })
        );
        assert_eq!(read(b"pragma weak"), Directive::Ignored);
    }

    #[test]
    fn follows_pack() {
        let mut stack = PackStack::default();
        let mut run = |pragma: &str| match read(pragma.as_bytes()) {
            Directive::Pack(action) => stack.apply(action),
            other => panic!("{other:?}"),
        };
        assert_eq!(run("pragma pack(push, 1)"), 1);
        assert_eq!(run("pragma pack(4)"), 4);
        assert_eq!(run("pragma pack( push )"), 4);
        assert_eq!(run("pragma pack()"), 0);
        assert_eq!(run("pragma pack(pop)"), 4);
        assert_eq!(run("pragma pack(pop)"), 0);
        assert_eq!(run("pragma pack(2)"), 2);
        assert_eq!(run("pragma pack(pop)"), 2);
        assert!(matches!(read(b"pragma pack(3)"), Directive::Unsupported(_)));
    }
}
