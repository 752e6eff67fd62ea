//! Reads the text format that [`crate::print`] describes and writes.
//!
//! The parser checks only what it needs to build a program: names, sorts of terms, indices without
//! gaps. [`crate::verify()`] checks the rest.

mod declare;
mod labels;
mod lex;
mod terms;

use std::fmt;

use ravelin_base::SrcPos;
use rustc_hash::FxHashMap;

use crate::model::{ObjectData, Procedure, Program, VarData};
use lex::{Lexer, Place, Token};

/// Parses a program.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut parser = Parser::new(text)?;
    parser.program()?;
    parser.finish()
}

/// A message about a text, with its position; line and column count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub line: u32,
    pub column: u32,
    pub message: String,
}

impl ParseError {
    fn new(place: Place, message: impl Into<String>) -> Self {
        ParseError { line: place.line, column: place.column, message: message.into() }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The current token and its position.
    token: Token,
    place: Place,
    program: Program,
    /// Declarations by index: a text may give them in any order.
    vars: FxHashMap<u32, VarData>,
    objects: FxHashMap<u32, ObjectData>,
    procs: FxHashMap<u32, Procedure>,
    /// The first name of each index, and its position.
    names: FxHashMap<(char, u32), (String, Place)>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Result<Self, ParseError> {
        let mut lexer = Lexer::new(text);
        let (token, place) = lexer.next()?;
        Ok(Parser {
            lexer,
            token,
            place,
            program: Program::new(ravelin_base::DataModel::default()),
            vars: FxHashMap::default(),
            objects: FxHashMap::default(),
            procs: FxHashMap::default(),
            names: FxHashMap::default(),
        })
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError::new(self.place, message))
    }

    fn unexpected<T>(&self, expected: &str) -> Result<T, ParseError> {
        let found = match &self.token {
            Token::Word(word) => format!("'{word}'"),
            Token::Named(name, kind, index) => format!("'{name}.{kind}{index}'"),
            Token::Number(digits) => format!("'{digits}'"),
            Token::Quoted(_) => "a string".to_owned(),
            Token::Position(..) => "a position".to_owned(),
            Token::Bound(number) => format!("'${number}'"),
            Token::Punct(punct) => format!("'{punct}'"),
            Token::End => "the end of the text".to_owned(),
        };
        self.error(format!("expected {expected}, found {found}"))
    }

    /// Takes the current token.
    fn bump(&mut self) -> Result<Token, ParseError> {
        let (next, place) = self.lexer.next()?;
        self.place = place;
        Ok(std::mem::replace(&mut self.token, next))
    }

    fn at_word(&self, word: &str) -> bool {
        matches!(&self.token, Token::Word(found) if found == word)
    }

    fn at_punct(&self, punct: &str) -> bool {
        matches!(&self.token, Token::Punct(found) if *found == punct)
    }

    fn eat_word(&mut self, word: &str) -> Result<bool, ParseError> {
        let found = self.at_word(word);
        if found {
            self.bump()?;
        }
        Ok(found)
    }

    fn eat_punct(&mut self, punct: &str) -> Result<bool, ParseError> {
        let found = self.at_punct(punct);
        if found {
            self.bump()?;
        }
        Ok(found)
    }

    fn expect_word(&mut self, word: &str) -> Result<(), ParseError> {
        if self.eat_word(word)? { Ok(()) } else { self.unexpected(&format!("'{word}'")) }
    }

    fn expect_punct(&mut self, punct: &str) -> Result<(), ParseError> {
        if self.eat_punct(punct)? { Ok(()) } else { self.unexpected(&format!("'{punct}'")) }
    }

    /// Any word; `what` names the expected kind of word in messages.
    fn word(&mut self, what: &str) -> Result<String, ParseError> {
        match &self.token {
            Token::Word(_) => match self.bump()? {
                Token::Word(word) => Ok(word),
                _ => self.unexpected(what),
            },
            _ => self.unexpected(what),
        }
    }

    fn quoted(&mut self) -> Result<String, ParseError> {
        match &self.token {
            Token::Quoted(_) => match self.bump()? {
                Token::Quoted(text) => Ok(text),
                _ => self.unexpected("a string"),
            },
            _ => self.unexpected("a string"),
        }
    }

    fn number<T: std::str::FromStr>(&mut self) -> Result<T, ParseError> {
        let Token::Number(digits) = &self.token else {
            return self.unexpected("a number");
        };
        match digits.parse() {
            Ok(number) => {
                self.bump()?;
                Ok(number)
            }
            Err(_) => self.unexpected("a number in range"),
        }
    }

    /// The index of a name of the given kind; an index must have the same name everywhere.
    fn name(&mut self, kind: char, what: &str) -> Result<u32, ParseError> {
        let place = self.place;
        match &self.token {
            Token::Named(_, found, _) if *found == kind => {}
            _ => return self.unexpected(what),
        }
        let Token::Named(name, _, index) = self.bump()? else {
            return self.unexpected(what);
        };
        let (known, _) = self.names.entry((kind, index)).or_insert_with(|| (name.clone(), place));
        if *known != name {
            let message = format!("{kind}{index} is called '{known}' before");
            return Err(ParseError::new(place, message));
        }
        Ok(index)
    }

    fn position(&mut self) -> Result<SrcPos, ParseError> {
        if !matches!(self.token, Token::Position(..)) {
            return Ok(SrcPos::NONE);
        }
        let Token::Position(file, line, column) = self.bump()? else {
            return self.unexpected("a position");
        };
        let file = self.program.names.intern(&file);
        Ok(SrcPos { file, line, column })
    }
}
