//! Reading s-expressions from a stream: the replies of solvers.
//!
//! Bytes go in as they arrive, and whole expressions come out, so that a reply is known to be there
//! the moment its last byte is.

use std::fmt;

/// An expression of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sexpr {
    /// A symbol, keyword or literal; quoted symbols without their bars.
    Atom(String),
    /// A string, without its quotes.
    Text(String),
    List(Vec<Sexpr>),
}

impl Sexpr {
    pub(super) fn as_atom(&self) -> Option<&str> {
        match self {
            Sexpr::Atom(name) => Some(name),
            Sexpr::Text(_) | Sexpr::List(_) => None,
        }
    }

    pub(super) fn as_list(&self) -> Option<&[Sexpr]> {
        match self {
            Sexpr::List(items) => Some(items),
            Sexpr::Atom(_) | Sexpr::Text(_) => None,
        }
    }
}

impl fmt::Display for Sexpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sexpr::Atom(name) => f.write_str(name),
            Sexpr::Text(text) => write!(f, "\"{text}\""),
            // The reader bounds the depth, so this recursion is bounded too.
            Sexpr::List(items) => {
                f.write_str("(")?;
                for (position, item) in items.iter().enumerate() {
                    let space = if position == 0 { "" } else { " " };
                    write!(f, "{space}{item}")?;
                }
                f.write_str(")")
            }
        }
    }
}

/// Why a stream is no sequence of s-expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Malformed {
    /// A closing parenthesis without an opening one.
    Unbalanced,
    /// Nesting that no reply to our commands has.
    TooDeep,
    /// A reply longer than any to our commands.
    TooLong,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Malformed::Unbalanced => "unbalanced parenthesis",
            Malformed::TooDeep => "expression nested too deep",
            Malformed::TooLong => "reply too long",
        })
    }
}

/// Values nest a handful of levels. The bound keeps expressions safe to drop and print, which
/// recurse.
const MAX_DEPTH: usize = 256;

/// In bytes. Values are short and cores have some bytes per assumption; what is longer is a solver
/// that fills the memory.
const MAX_LENGTH: usize = 1 << 28;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Between,
    Atom,
    Text,
    /// After a quote inside a string: a second one stands for itself, all else ends the string.
    TextQuote,
    /// Inside a symbol in bars.
    Bars,
    Comment,
}

/// Takes bytes and gives expressions.
#[derive(Debug, Default)]
pub(super) struct Reader {
    mode: Mode,
    /// The bytes of the atom or string that has begun.
    token: Vec<u8>,
    /// The lists that have begun, outermost first.
    open: Vec<Vec<Sexpr>>,
    /// The bytes since the last whole expression.
    length: usize,
}

impl Reader {
    /// Takes the next bytes and appends the expressions that end in them.
    pub(super) fn feed(&mut self, bytes: &[u8], whole: &mut Vec<Sexpr>) -> Result<(), Malformed> {
        for &byte in bytes {
            self.take(byte, whole)?;
            self.length += 1;
            if self.length > MAX_LENGTH {
                return Err(Malformed::TooLong);
            }
        }
        Ok(())
    }

    /// Says that the stream has ended, which ends an atom too.
    pub(super) fn finish(&mut self, whole: &mut Vec<Sexpr>) -> Result<(), Malformed> {
        self.feed(b"\n", whole)
    }

    fn take(&mut self, byte: u8, whole: &mut Vec<Sexpr>) -> Result<(), Malformed> {
        match (self.mode, byte) {
            (Mode::Text, b'"') => self.mode = Mode::TextQuote,
            (Mode::TextQuote, b'"') => {
                self.token.push(byte);
                self.mode = Mode::Text;
            }
            (Mode::Bars, b'|') => self.end_token(Sexpr::Atom, whole),
            (Mode::Text | Mode::Bars, _) => self.token.push(byte),
            (Mode::Comment, b'\n') => self.mode = Mode::Between,
            (Mode::Comment, _) => {}
            (Mode::TextQuote, _) => {
                self.end_token(Sexpr::Text, whole);
                self.take_between(byte, whole)?;
            }
            (Mode::Atom, b'(' | b')' | b'"' | b'|' | b';') => {
                self.end_token(Sexpr::Atom, whole);
                self.take_between(byte, whole)?;
            }
            (Mode::Atom, _) if byte.is_ascii_whitespace() => self.end_token(Sexpr::Atom, whole),
            (Mode::Atom, _) => self.token.push(byte),
            (Mode::Between, _) => self.take_between(byte, whole)?,
        }
        Ok(())
    }

    fn take_between(&mut self, byte: u8, whole: &mut Vec<Sexpr>) -> Result<(), Malformed> {
        match byte {
            b'(' => {
                if self.open.len() == MAX_DEPTH {
                    return Err(Malformed::TooDeep);
                }
                self.open.push(Vec::new());
            }
            b')' => {
                let items = self.open.pop().ok_or(Malformed::Unbalanced)?;
                self.end_expression(Sexpr::List(items), whole);
            }
            b'"' => self.mode = Mode::Text,
            b'|' => self.mode = Mode::Bars,
            b';' => self.mode = Mode::Comment,
            _ if byte.is_ascii_whitespace() => {}
            _ => {
                self.token.push(byte);
                self.mode = Mode::Atom;
            }
        }
        Ok(())
    }

    fn end_token(&mut self, make: fn(String) -> Sexpr, whole: &mut Vec<Sexpr>) {
        let token = String::from_utf8_lossy(&self.token).into_owned();
        self.token.clear();
        self.mode = Mode::Between;
        self.end_expression(make(token), whole);
    }

    fn end_expression(&mut self, expression: Sexpr, whole: &mut Vec<Sexpr>) {
        match self.open.last_mut() {
            Some(items) => items.push(expression),
            None => {
                self.length = 0;
                whole.push(expression);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(chunks: &[&[u8]]) -> Result<Vec<String>, Malformed> {
        let (mut reader, mut whole) = (Reader::default(), Vec::new());
        for chunk in chunks {
            reader.feed(chunk, &mut whole)?;
        }
        reader.finish(&mut whole)?;
        Ok(whole.iter().map(Sexpr::to_string).collect())
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(read(&[text.as_bytes()]).as_deref(), Ok(expected_strings(expected).as_slice()));
        // However the bytes arrive, the expressions are the same.
        let single: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(read(&single).as_deref(), Ok(expected_strings(expected).as_slice()));
    }

    fn expected_strings(expected: &[&str]) -> Vec<String> {
        expected.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn replies_are_split_into_expressions() {
        check("", &[]);
        check("sat\n", &["sat"]);
        check("sat", &["sat"]);
        check("unsat\n(a1 a2)\n", &["unsat", "(a1 a2)"]);
        check("((x #x0f)\n (y (_ bv3 8)))", &["((x #x0f) (y (_ bv3 8)))"]);
        check("a(b)c", &["a", "(b)", "c"]);
        check("()", &["()"]);
    }

    #[test]
    fn quoted_text_hides_parentheses() {
        check("(error \"line 3: ) expected\")", &["(error \"line 3: ) expected\")"]);
        check("\"say \"\"so\"\"\"\n", &["\"say \"so\"\""]);
        check("(|a b)| c)", &["(a b) c)"]);
        check("sat ; not (really\nunsat", &["sat", "unsat"]);
    }

    #[test]
    fn an_unfinished_list_is_no_expression() {
        check("sat (a (b", &["sat"]);
    }

    #[test]
    fn junk_is_refused() {
        assert_eq!(read(&[b"sat )"]), Err(Malformed::Unbalanced));
        assert_eq!(read(&[&[b'('; 1_000_000]]), Err(Malformed::TooDeep));
        assert_eq!(read(&[b"\xff\xfe"]), Ok(vec!["\u{fffd}\u{fffd}".to_owned()]));
    }
}
