//! Messages about the input.

use std::fmt::Write;
use std::path::Path;

use crate::source::{SourceMap, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Warning,
    Error,
}

/// One message about the input. It holds its source line, so that it can be shown without the
/// source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub severity: Severity,
    pub message: String,
    pub place: Option<Place>,
    /// The source line that the message is about.
    pub snippet: Option<Box<Snippet>>,
    /// Further lines that help to understand the message.
    pub notes: Vec<String>,
}

/// What a message is about: a position, or a whole file if the line is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

/// A source line and its marked part, ready to print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet {
    line: String,
    /// The number of characters before the marked part and inside it.
    before: usize,
    width: usize,
}

impl Diagnostic {
    pub fn error(message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Error, message)
    }

    pub fn warning(message: impl Into<String>) -> Self {
        Diagnostic::new(Severity::Warning, message)
    }

    pub fn new(severity: Severity, message: impl Into<String>) -> Self {
        let message = message.into();
        Diagnostic { severity, message, place: None, snippet: None, notes: Vec::new() }
    }

    /// Whether this message makes the input unusable.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Sets the position to a span of a unit's normalised text.
    #[must_use]
    pub fn at(self, map: &SourceMap, span: Span) -> Self {
        let range = map.original_range(span);
        self.at_original(map, range.start, range.end)
    }

    /// Sets the position to the bytes `start..end` of a unit's original text.
    #[must_use]
    pub fn at_original(mut self, map: &SourceMap, start: u32, end: u32) -> Self {
        let position = map.original_position(start);
        self.place = Some(Place {
            file: position.file.to_owned(),
            line: position.line,
            column: position.column,
        });
        let (line, line_start) = map.line_at(start);
        let from = (start - line_start) as usize;
        let to = end.saturating_sub(line_start) as usize;
        self.snippet = Some(Box::new(Snippet::new(line, from, to)));
        self
    }

    /// Sets the position to a whole file.
    #[must_use]
    pub fn in_file(mut self, path: &Path) -> Self {
        self.place = Some(Place { file: path.display().to_string(), line: 0, column: 0 });
        self
    }

    /// Adds a line of explanation.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }
}

/// The maximum number of characters shown before and after the start of the marked part.
const SNIPPET_BEFORE: usize = 60;
const SNIPPET_AFTER: usize = 60;

impl Snippet {
    /// Marks the bytes `from..to` of a line. Long lines are cut, because generated code has lines
    /// of megabytes; control characters are replaced.
    pub fn new(line: &[u8], from: usize, to: usize) -> Self {
        let from = from.min(line.len());
        let to = to.clamp(from, line.len());
        let first = from.saturating_sub(SNIPPET_BEFORE);
        let last = (from + SNIPPET_AFTER).min(line.len());
        let before = printable(&line[first..from]);
        let marked = printable(&line[from..to.min(last)]);
        let after = printable(&line[to.min(last)..last]);
        let cut_before = if first > 0 { "..." } else { "" };
        let cut_after = if last < line.len() { "..." } else { "" };
        Snippet {
            before: cut_before.len() + before.chars().count(),
            width: marked.chars().count().max(1),
            line: [cut_before, &before, &marked, &after, cut_after].concat(),
        }
    }
}

fn printable(bytes: &[u8]) -> String {
    let replace = |c: char| match c {
        '\t' => ' ',
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    String::from_utf8_lossy(bytes).chars().map(replace).collect()
}

/// Renders messages in the format of compilers, so that editors find the positions.
pub fn render(diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        render_one(&mut out, diagnostic);
    }
    out
}

fn render_one(out: &mut String, diagnostic: &Diagnostic) {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let message = &diagnostic.message;
    let mut margin = String::new();
    // Writing to a string cannot fail.
    let _ = match &diagnostic.place {
        None => writeln!(out, "{severity}: {message}"),
        Some(Place { file, line: 0, .. }) => writeln!(out, "{file}: {severity}: {message}"),
        Some(Place { file, line, column }) => {
            writeln!(out, "{file}:{line}:{column}: {severity}: {message}")
        }
    };
    if let (Some(place), Some(snippet)) = (&diagnostic.place, &diagnostic.snippet) {
        let number = place.line.to_string();
        margin = " ".repeat(number.len());
        let _ = writeln!(out, " {number} | {}", snippet.line.trim_end());
        let (before, tail) = (" ".repeat(snippet.before), "~".repeat(snippet.width - 1));
        let _ = writeln!(out, " {margin} | {before}^{tail}");
    }
    for note in &diagnostic.notes {
        let _ = writeln!(out, " {margin} = {note}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renders_place_line_and_caret() {
        let map = SourceMap::new("a.c", b"int x;\n\tint \xff = y;\n".to_vec());
        let error = Diagnostic::error("unknown name 'y'").at(&map, Span { start: 16, end: 17 });
        assert_eq!(
            render(&[error.note("declare it first"), Diagnostic::warning("no main")]),
            "a.c:2:10: error: unknown name 'y'\n\
             \u{20}2 |  int \u{fffd} = y;\n\
             \u{20}  |          ^\n\
             \u{20}  = declare it first\n\
             warning: no main\n"
        );
    }

    #[test]
    fn cuts_long_lines() {
        let line = [b"a".repeat(5000), b"xyz".to_vec(), b"b".repeat(5000)].concat();
        let map = SourceMap::new("a.c", line);
        let text = render(&[Diagnostic::error("here").at(&map, Span { start: 5000, end: 5003 })]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "a.c:1:5001: error: here");
        assert!(lines[1].len() < 150, "{}", lines[1]);
        assert_eq!(lines[1].find("xyz"), lines[2].find("^~~"));
    }

    #[test]
    fn speaks_of_whole_files() {
        let error = Diagnostic::error("is a directory").in_file(Path::new("dir"));
        assert_eq!(render(&[error]), "dir: error: is a directory\n");
    }
}
