//! From C source text to lang-c's syntax tree, with positions, limits and errors.
//!
//! A file is preprocessed if it needs to be (`preprocess`), split into tokens (`lex`), checked
//! against the limits (`limits`), rewritten into what the parser takes (`normalise`) and parsed
//! (`parse`).

mod attribute;
mod declaration;
mod directive;
mod escape;
mod lex;
mod limits;
mod normalise;
mod output;
mod parse;
mod preprocess;
mod splice;
#[cfg(test)]
mod tests;
mod token;

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use lang_c::ast::TranslationUnit;
use ravelin_base::Diagnostic;
use ravelin_base::source::{OffsetMap, SourceMap};

use crate::symbols::SymbolPragma;
use declaration::Tokens;
use lex::{Lexed, Malformed, Stop};
use preprocess::Preprocessed;

pub use escape::original_name;
pub use lex::TextKind;
pub use limits::{MAX_DEPTH, MAX_NESTING, MAX_TEXT_BYTES, with_deep_stack};
pub use preprocess::{Direction, PathUse, SourceOptions};

/// A translation unit, parsed.
#[derive(Debug)]
pub struct ParsedUnit {
    pub path: PathBuf,
    /// Maps the offsets in the tree to the source.
    pub map: SourceMap,
    pub ast: TranslationUnit,
    /// What pragmas say of its symbols.
    pub(crate) pragmas: Vec<SymbolPragma>,
    /// The warnings of the preprocessor.
    pub warnings: Vec<Diagnostic>,
    /// A bound on the depth of the tree.
    depth: u32,
}

impl Drop for ParsedUnit {
    fn drop(&mut self) {
        /// Trees of this depth can be dropped on any stack.
        const HARMLESS_DEPTH: u32 = 500;
        if self.depth > HARMLESS_DEPTH {
            let ast = std::mem::replace(&mut self.ast, TranslationUnit(Vec::new()));
            // Without a stack for it, only the memory is lost.
            let _ = with_deep_stack(|| drop(ast));
        }
    }
}

/// Reads, preprocesses if needed, and parses a file.
pub fn load(path: &Path, options: &SourceOptions) -> Result<ParsedUnit, Vec<Diagnostic>> {
    let bytes = read_file(path)?;
    let name = path.display().to_string();
    if path.extension().is_some_and(|extension| extension == "i") {
        return parse_bytes(path, &name, bytes, TextKind::Preprocessed)
            .map_err(|failure| failure.errors);
    }
    if let Some(result) = parse_plain(path, &name, bytes, options) {
        return result;
    }
    parse_preprocessed(path, &name, preprocess::preprocess(path, options)?)
}

/// As [`load`], of a text that stands in no file. Files it includes by a quoted name are looked for in the
/// directories of the options.
pub fn load_text(
    path: &Path,
    text: &str,
    options: &SourceOptions,
) -> Result<ParsedUnit, Vec<Diagnostic>> {
    let name = path.display().to_string();
    if let Some(result) = parse_plain(path, &name, text.as_bytes().to_vec(), options) {
        return result;
    }
    parse_preprocessed(path, &name, preprocess::preprocess_text(path, text, options)?)
}

/// The result of parsing a text that needs no preprocessor.
fn parse_plain(
    path: &Path,
    name: &str,
    bytes: Vec<u8>,
    options: &SourceOptions,
) -> Option<Result<ParsedUnit, Vec<Diagnostic>>> {
    let is_plain = options.directions.is_empty() && options.standard.is_none();
    if !is_plain {
        return None;
    }
    match parse_bytes(path, name, bytes, TextKind::Source) {
        Err(Failure { needs_preprocessor: true, .. }) => None,
        result => Some(result.map_err(|failure| failure.errors)),
    }
}

fn parse_preprocessed(
    path: &Path,
    name: &str,
    preprocessed: Preprocessed,
) -> Result<ParsedUnit, Vec<Diagnostic>> {
    let unit = parse_bytes(path, name, preprocessed.text, TextKind::Preprocessed);
    let mut unit = unit.map_err(|failure| failure.errors)?;
    unit.warnings = preprocessed.warnings;
    Ok(unit)
}

/// Parses a text that needs no preprocessing. Line markers (`# 12 "file.c"`) may say where it
/// comes from; `name` is used up to the first.
pub fn parse_text(name: &str, text: &str, kind: TextKind) -> Result<ParsedUnit, Vec<Diagnostic>> {
    parse_bytes(Path::new(name), name, text.as_bytes().to_vec(), kind)
        .map_err(|failure| failure.errors)
}

fn read_file(path: &Path) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let reject = |message: String| Err(vec![Diagnostic::error(message).in_file(path)]);
    let read = || -> io::Result<Vec<u8>> {
        let file = std::fs::File::open(path)?;
        let mut bytes = Vec::with_capacity(file.metadata()?.len().min(1 << 20) as usize);
        file.take(MAX_TEXT_BYTES as u64 + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = match read() {
        Ok(bytes) => bytes,
        Err(error) => {
            return reject(match error.kind() {
                io::ErrorKind::NotFound => "no such file".to_owned(),
                io::ErrorKind::IsADirectory => "is a directory, not a C file".to_owned(),
                io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
                _ => format!("cannot read: {error}"),
            });
        }
    };
    if bytes.len() > MAX_TEXT_BYTES {
        let limit = MAX_TEXT_BYTES >> 20;
        return reject(format!("file too large: the limit is {limit} MB"));
    }
    Ok(bytes)
}

struct Failure {
    /// Whether the preprocessor may help.
    needs_preprocessor: bool,
    errors: Vec<Diagnostic>,
}

fn parse_bytes(
    path: &Path,
    name: &str,
    bytes: Vec<u8>,
    kind: TextKind,
) -> Result<ParsedUnit, Failure> {
    let (text, splices) = splice::splice_lines(&bytes);
    let (lexed, result) = lex::lex(&text, name, kind);
    let tokens = Tokens { source: &text, list: &lexed.tokens };
    let map = || source_map(name, bytes.clone(), splices.clone(), &lexed);
    let fail = |error| Failure { needs_preprocessor: false, errors: vec![error] };
    let reject = |error: Malformed| fail(error.into_diagnostic(&map()));
    match result {
        Ok(()) => {}
        Err(Stop::Malformed(error)) => return Err(reject(error)),
        Err(Stop::NeedsPreprocessor(at)) => {
            let (start, end) = (at as usize, at as usize + 1);
            let error = Malformed::new(start, end, "this must be preprocessed first");
            return Err(Failure { needs_preprocessor: true, ..reject(error) });
        }
    }
    let depth = limits::check_depth(tokens.list).map_err(reject)?;
    let normalised = normalise::normalise(&text, &lexed).map_err(reject)?;
    let parsed = match kind {
        TextKind::Library => parse::parse_trusted(normalised.text),
        TextKind::Source | TextKind::Preprocessed => parse::parse(normalised.text),
    };
    let ast = parsed.map_err(|failure| match failure {
        parse::Failure::Syntax(error) => {
            fail(parse::explain(&error, &normalised.map, tokens, &map()))
        }
        parse::Failure::Other(message) => fail(Diagnostic::error(message).in_file(path)),
    })?;
    drop(text);
    let mut map = source_map(name, bytes, splices, &lexed);
    map.add_rewriting(normalised.map);
    let pragmas = lexed.pragmas;
    Ok(ParsedUnit { path: path.to_owned(), map, ast, pragmas, warnings: Vec::new(), depth })
}

/// The map from the offsets of tokens to the source.
fn source_map(name: &str, bytes: Vec<u8>, splices: Option<OffsetMap>, lexed: &Lexed) -> SourceMap {
    let mut map = SourceMap::new(name, bytes);
    if let Some(splices) = splices {
        map.add_rewriting(splices);
    }
    map.add_markers(&lexed.markers);
    map
}
