//! Tokens of the text format.

use super::ParseError;
use crate::print::{is_plain_path, is_plain_word};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A keyword, an operator's name (with its bracketed parameter) or a location.
    Word(String),
    /// A name with an index: `x.v3` is `Named("x", 'v', 3)`.
    Named(String, char, u32),
    /// The digits of a number, with sign, prefix, fraction and exponent.
    Number(String),
    Quoted(String),
    /// `@ file:line:column`.
    Position(String, u32, u32),
    /// A subterm's name: `$0` is `Bound(0)`.
    Bound(usize),
    /// Punctuation, at most two characters.
    Punct(&'static str),
    End,
}

/// A place in the text, counting from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub line: u32,
    pub column: u32,
}

pub(super) struct Lexer<'a> {
    rest: &'a str,
    place: Place,
}

/// The largest index of a variable, object, procedure or location: typed indices have reserved values
/// above.
pub(super) const MAX_INDEX: u32 = i32::MAX as u32;

const PUNCTUATION: [&str; 17] =
    ["->", ":=", "*[", "(", ")", "{", "}", "[", "]", ",", ";", ":", "=", "&", ".", "*", "-"];

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        Lexer { rest: text, place: Place { line: 1, column: 1 } }
    }

    /// The next token and where it begins.
    pub fn next(&mut self) -> Result<(Token, Place), ParseError> {
        self.skip_blanks();
        let place = self.place;
        let Some(first) = self.rest.chars().next() else {
            return Ok((Token::End, place));
        };
        let token = match first {
            '@' => self.position()?,
            '"' => {
                let name = self.quoted()?;
                match self.suffix()? {
                    Some((kind, index)) => Token::Named(name, kind, index),
                    None => Token::Quoted(name),
                }
            }
            '$' => {
                self.advance(1);
                let digits = self.take_while(|c| c.is_ascii_digit()).to_owned();
                let number = digits.parse().map_err(|_| self.error(place, "a number after '$'"))?;
                Token::Bound(number)
            }
            c if c.is_ascii_digit() => Token::Number(self.number()),
            '-' if self.rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                Token::Number(self.number())
            }
            c if is_plain_word(c.encode_utf8(&mut [0; 4])) => self.word()?,
            _ => {
                let found = PUNCTUATION.into_iter().find(|punct| self.rest.starts_with(punct));
                let punct = found.ok_or_else(|| {
                    ParseError::new(place, format!("unexpected character {first:?}"))
                })?;
                self.advance(punct.len());
                Token::Punct(punct)
            }
        };
        Ok((token, place))
    }

    fn error(&self, place: Place, expected: &str) -> ParseError {
        ParseError::new(place, format!("expected {expected}"))
    }

    fn advance(&mut self, bytes: usize) {
        let (taken, rest) = self.rest.split_at(bytes);
        for c in taken.chars() {
            if c == '\n' {
                self.place.line = self.place.line.saturating_add(1);
                self.place.column = 1;
            } else {
                self.place.column = self.place.column.saturating_add(1);
            }
        }
        self.rest = rest;
    }

    fn take_while(&mut self, test: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !test(c)).unwrap_or(self.rest.len());
        let taken = &self.rest[..end];
        self.advance(end);
        taken
    }

    fn skip_blanks(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if !self.rest.starts_with("//") {
                return;
            }
            self.take_while(|c| c != '\n');
        }
    }

    /// Sign, digits, letters (of a prefix or an exponent) and a fraction.
    fn number(&mut self) -> String {
        let mut digits = String::new();
        let is_hex = self.rest.starts_with("0x");
        loop {
            let sign = digits.is_empty() || (!is_hex && digits.ends_with('e'));
            let part = match self.rest.as_bytes().first() {
                Some(b'-' | b'+') if sign => &self.rest[..1],
                Some(b'.') => &self.rest[..1],
                Some(c) if c.is_ascii_alphanumeric() => &self.rest[..1],
                _ => return digits,
            };
            digits.push_str(part);
            self.advance(1);
        }
    }

    fn word(&mut self) -> Result<Token, ParseError> {
        let word = self.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '%' | '$'));
        if let Some((kind, index)) = self.suffix()? {
            return Ok(Token::Named(word.to_owned(), kind, index));
        }
        // An operator's parameter belongs to its name: `extract[7:0]`.
        let mut word = word.to_owned();
        if self.rest.starts_with('[') {
            let place = self.place;
            let end = self.rest.find(']').ok_or_else(|| self.error(place, "']'"))?;
            word.push_str(&self.rest[..=end]);
            self.advance(end + 1);
        }
        Ok(Token::Word(word))
    }

    /// The `.v3` that makes a word a name.
    fn suffix(&mut self) -> Result<Option<(char, u32)>, ParseError> {
        let mut chars = self.rest.chars();
        let (Some('.'), Some(kind @ ('v' | 'o' | 'p'))) = (chars.next(), chars.next()) else {
            return Ok(None);
        };
        self.advance(2);
        let place = self.place;
        let digits = self.take_while(|c| c.is_ascii_digit());
        match digits.parse() {
            Ok(index) if index <= MAX_INDEX => Ok(Some((kind, index))),
            _ => Err(self.error(place, "an index in range")),
        }
    }

    fn quoted(&mut self) -> Result<String, ParseError> {
        let start = self.place;
        let unfinished = || ParseError::new(start, "unfinished string");
        self.advance(1);
        let mut text = String::new();
        loop {
            let c = self.rest.chars().next().ok_or_else(unfinished)?;
            let place = self.place;
            self.advance(c.len_utf8());
            match c {
                '"' => return Ok(text),
                '\\' => {
                    let escape = self.rest.chars().next().ok_or_else(unfinished)?;
                    self.advance(escape.len_utf8());
                    match escape {
                        '"' | '\\' => text.push(escape),
                        'u' => text.push(self.unicode_escape(place)?),
                        _ => return Err(ParseError::new(place, "unknown escape")),
                    }
                }
                c => text.push(c),
            }
        }
    }

    fn unicode_escape(&mut self, place: Place) -> Result<char, ParseError> {
        let bad = || ParseError::new(place, "bad \\u{…} escape");
        if !self.rest.starts_with('{') {
            return Err(bad());
        }
        self.advance(1);
        let digits = self.take_while(|c| c.is_ascii_hexdigit());
        if !self.rest.starts_with('}') {
            return Err(bad());
        }
        self.advance(1);
        let code = u32::from_str_radix(digits, 16).map_err(|_| bad())?;
        char::from_u32(code).ok_or_else(bad)
    }

    fn position(&mut self) -> Result<Token, ParseError> {
        self.advance(1);
        self.take_while(|c| c == ' ');
        let place = self.place;
        let file = if self.rest.starts_with('"') {
            self.quoted()?
        } else {
            let is_part = |c: char| is_plain_path(c.encode_utf8(&mut [0; 4]));
            self.take_while(is_part).to_owned()
        };
        let mut numbers = [0; 2];
        for number in &mut numbers {
            if !self.rest.starts_with(':') {
                return Err(self.error(place, "file:line:column"));
            }
            self.advance(1);
            let digits = self.take_while(|c| c.is_ascii_digit());
            *number = digits.parse().map_err(|_| self.error(place, "file:line:column"))?;
        }
        Ok(Token::Position(file, numbers[0], numbers[1]))
    }
}
