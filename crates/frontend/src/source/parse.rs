//! Runs the parser and explains its errors.

use std::collections::BTreeSet;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, SyntaxError, parse_preprocessed};
use ravelin_base::Diagnostic;
use ravelin_base::source::{OffsetMap, SourceMap, Span};

use super::declaration::Tokens;
use super::limits::PARSER_STACK_BYTES;
use super::token::Kind;

/// Why parsing failed.
#[derive(Debug)]
pub(super) enum Failure {
    Syntax(SyntaxError),
    Other(String),
}

/// Parses normalised text.
///
/// The parser backtracks, and some texts may take it far too long. Parsing such a text is abandoned
/// with its thread.
pub(super) fn parse(text: String) -> Result<TranslationUnit, Failure> {
    const PATIENCE: Duration = Duration::from_secs(10);
    const PATIENCE_PER_MEGABYTE: Duration = Duration::from_secs(1);
    let patience = PATIENCE + PATIENCE_PER_MEGABYTE * (text.len() >> 20) as u32;
    let (sender, receiver) = mpsc::channel();
    let builder = thread::Builder::new().name("parser".to_owned()).stack_size(PARSER_STACK_BYTES);
    let spawned = builder.spawn(move || {
        // The receiver is gone after a timeout.
        let _ = sender.send(parse_here(text));
    });
    if let Err(error) = spawned {
        return Err(Failure::Other(format!("no memory for the parser's stack: {error}")));
    }
    match receiver.recv_timeout(patience) {
        Ok(result) => result.map_err(Failure::Syntax),
        Err(RecvTimeoutError::Timeout) => {
            let seconds = patience.as_secs();
            Err(Failure::Other(format!("the parser did not finish within {seconds} s")))
        }
        Err(RecvTimeoutError::Disconnected) => {
            Err(Failure::Other("the parser failed for an internal reason".to_owned()))
        }
    }
}

/// As [`parse`], for text of which parsing is known to be fast.
pub(super) fn parse_trusted(text: String) -> Result<TranslationUnit, Failure> {
    parse_here(text).map_err(Failure::Syntax)
}

fn parse_here(text: String) -> Result<TranslationUnit, SyntaxError> {
    let config =
        Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    parse_preprocessed(&config, text).map(|parse| parse.unit)
}

/// Explains a syntax error: `normalised` maps offsets of the parser's text to the tokens, and `map`
/// those to the user's text.
pub(super) fn explain(
    error: &SyntaxError,
    normalised: &OffsetMap,
    tokens: Tokens<'_>,
    map: &SourceMap,
) -> Diagnostic {
    let offset = if error.offset < error.source.len() {
        normalised.original(error.offset as u32)
    } else {
        tokens.source.len() as u32
    };
    let mut found = tokens.list.partition_point(|token| token.end <= offset);
    // A keyword was tried as a name: the parser noticed at its end.
    if error.expected.contains("identifier") && found > 0 {
        found -= 1;
    }
    let Some(&token) = tokens.list.get(found) else {
        let end = tokens.list.last().map_or(0, |token| token.end);
        let message = format!("unexpected end of file{}", expectation(error));
        return Diagnostic::error(message).at(map, Span { start: end, end: end + 1 });
    };
    let span = Span { start: token.start, end: token.end };
    let text = String::from_utf8_lossy(token.text(tokens.source));
    if token.start < offset && matches!(token.kind, Kind::Number | Kind::OddNumber) {
        return Diagnostic::error(format!("invalid number '{text}'")).at(map, span);
    }
    if let Some(name) = unknown_type(error, tokens, found) {
        let token = tokens.list[name];
        let text = String::from_utf8_lossy(token.text(tokens.source));
        let span = Span { start: token.start, end: token.end };
        return Diagnostic::error(format!("unknown type name '{text}'")).at(map, span);
    }
    // A semicolon is missed at the end of the line before, not where the next statement begins.
    if let Some(before) = found.checked_sub(1).map(|before| tokens.list[before])
        && error.expected.contains(";")
        && tokens.source[before.end as usize..token.start as usize].contains(&b'\n')
    {
        let last = String::from_utf8_lossy(before.text(tokens.source));
        let span = Span { start: before.end, end: before.end + 1 };
        return Diagnostic::error(format!("expected ';' after '{last}'")).at(map, span);
    }
    let message = format!("unexpected '{text}'{}", expectation(error));
    Diagnostic::error(message).at(map, span)
}

/// The index of the name, if the parser failed because a name is not known to be a type.
fn unknown_type(error: &SyntaxError, tokens: Tokens<'_>, found: usize) -> Option<usize> {
    let expected = |text: &str| error.expected.contains(text);
    if expected("<typedef_name>") && !expected("\"") && tokens.kind(found) == Kind::Ident {
        return Some(found);
    }
    // `name name` or `name *name` at the beginning of a statement or parameter.
    let name = found.checked_sub(1)?;
    let before = name.checked_sub(1).map_or(Kind::Semi, |before| tokens.kind(before));
    let declares = tokens.kind(found) == Kind::Ident
        && matches!(before, Kind::Semi | Kind::LBrace | Kind::RBrace)
        && expected(";");
    let is_parameter = matches!(tokens.kind(found), Kind::Ident | Kind::Star)
        && matches!(before, Kind::LParen | Kind::Comma)
        && error.expected.iter().all(|text| matches!(*text, ")" | "," | "[_a-zA-Z0-9]"));
    (tokens.kind(name) == Kind::Ident && (declares || is_parameter)).then_some(name)
}

/// Tokens that may follow an expression, which are never worth listing.
const OPERATORS: &[&str] = &[
    "?", "||", "&&", "|", "^", "&", "==", "!=", "<", ">", "<=", ">=", "<<", ">>", "+", "-", "*",
    "/", "%", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", "(", "[", ".",
    "->", "++", "--",
];

/// What may begin an expression.
const OPERAND_STARTS: &[&str] =
    &["(", "\"", "[uUL]", "u8", "'", "[_a-zA-Z]", "++", "--", "&", "*", "+", "-", "!", "~"];

/// The parser's list of expected tokens, as text.
fn expectation(error: &SyntaxError) -> String {
    let mut expected: BTreeSet<&str> = error.expected.iter().copied().collect();
    let mut words: Vec<String> = Vec::new();
    // A string literal can stand wherever an expression can, and nearly nowhere else.
    if expected.contains("\"") && expected.contains("[_a-zA-Z]") {
        expected.retain(|text| !OPERAND_STARTS.contains(text));
        words.push("an expression".to_owned());
    }
    // Only what follows a complete expression can be an assignment and a comparison.
    if expected.contains("==") || expected.contains("/=") {
        expected.retain(|text| !OPERATORS.contains(text));
        if expected.iter().all(|text| is_continuation(text)) {
            words.push("an operator".to_owned());
        }
    }
    for text in expected {
        match text {
            "[_a-zA-Z]" => words.push("a name".to_owned()),
            "<typedef_name>" => words.push("a type".to_owned()),
            "\"" => words.push("a string literal".to_owned()),
            _ if is_continuation(text) => {}
            _ => words.push(format!("'{text}'")),
        }
    }
    match words.as_slice() {
        [] => String::new(),
        [word] => format!(", expected {word}"),
        [first @ .., last] if words.len() <= 6 => {
            format!(", expected {} or {last}", first.join(", "))
        }
        _ => String::new(),
    }
}

/// Whether the parser expected the token before the error to go on, or nothing in particular.
fn is_continuation(text: &str) -> bool {
    matches!(text, "" | "#" | "identifier" | "u8" | "[uUL]" | "integer suffix")
        || text == "float literal suffix"
        || text != "[_a-zA-Z]" && text.starts_with('[') && text.len() > 1
}
