//! Positions in the source text.
//!
//! The parser reads a *normalised* text, in which constructs that it cannot parse are rewritten.
//! [`OffsetMap`]s map offsets in that text back to the original text, and line markers of the
//! preprocessor map those to a file, a line and a column.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::interner::{Interner, Symbol};

/// A half-open byte range of a unit's normalised text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

/// A resolved position, as the automaton carries it: printing, parsing and reporting it need no
/// source text. Line and column count from 1; 0 means "nowhere".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SrcPos {
    pub file: Symbol,
    pub line: u32,
    pub column: u32,
}

impl SrcPos {
    pub const NONE: SrcPos = SrcPos { file: Interner::EMPTY, line: 0, column: 0 };

    pub fn is_none(self) -> bool {
        self.line == 0
    }
}

impl Default for SrcPos {
    fn default() -> Self {
        SrcPos::NONE
    }
}

/// A position in the user's file: line and column count from 1, columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position<'a> {
    pub file: &'a str,
    /// The file's index in its [`SourceMap`], for callers that keep their own table of names.
    pub file_index: u32,
    pub line: u32,
    pub column: u32,
}

/// Maps offsets of a derived text to the text it was made from.
///
/// The derived text is a sequence of pieces, each either copied from the original or inserted. An
/// empty map is the identity.
#[derive(Clone, Debug, Default)]
pub struct OffsetMap {
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    derived: u32,
    /// Where a copied piece comes from, or the place that an inserted piece ([`INSERTED`]) stands
    /// for.
    original: u32,
}

/// Marks inserted pieces: all of their offsets map to one place.
const INSERTED: u32 = 1 << 31;

impl OffsetMap {
    /// From `derived` on, the text is a copy of the original from `original` on.
    ///
    /// Pieces are added in the order of the derived text.
    pub fn copied(&mut self, derived: u32, original: u32) {
        debug_assert!(original < INSERTED);
        self.pieces.push(Piece { derived, original });
    }

    /// From `derived` on, the text stands for the original at `original`.
    pub fn inserted(&mut self, derived: u32, original: u32) {
        debug_assert!(original < INSERTED);
        self.pieces.push(Piece { derived, original: original | INSERTED });
    }

    /// The original offset of a derived one.
    pub fn original(&self, derived: u32) -> u32 {
        let next = self.pieces.partition_point(|piece| piece.derived <= derived);
        match next.checked_sub(1).map(|index| self.pieces[index]) {
            None => derived,
            Some(piece) if piece.original & INSERTED != 0 => piece.original & !INSERTED,
            Some(piece) => piece.original + (derived - piece.derived),
        }
    }

    /// The original end of a range that ends before `derived`: the end of the last byte inside.
    fn original_end(&self, derived: u32) -> u32 {
        match derived.checked_sub(1) {
            None => self.original(0),
            Some(last) => self.original(last) + 1,
        }
    }
}

/// A line marker (`# 12 "file.c"`): which file and line the physical lines from here on belong to.
#[derive(Clone, Debug)]
pub struct LineMarker {
    /// The offset of the first line after the marker.
    pub offset: u32,
    pub file: Arc<str>,
    pub line: u32,
    /// Whether these lines are of a system header: flag 3 of the preprocessor.
    pub is_system: bool,
}

/// Maps offsets of one unit's normalised text to the source.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    original: Vec<u8>,
    /// The offsets at which the lines of the original begin.
    line_starts: Vec<u32>,
    /// In order of their first line; the first covers the start of the text.
    markers: Vec<ResolvedMarker>,
    files: Vec<Arc<str>>,
    /// The maps from the normalised text to the original, one for each rewriting step.
    rewritings: Vec<OffsetMap>,
}

#[derive(Clone, Copy, Debug)]
struct ResolvedMarker {
    /// The index of the first physical line that the marker applies to.
    physical_line: u32,
    line: u32,
    file: u32,
    is_system: bool,
}

impl SourceMap {
    /// A map of the text `original` known as `name`, not rewritten yet.
    pub fn new(name: &str, original: Vec<u8>) -> Self {
        let mut line_starts = vec![0];
        line_starts
            .extend((1..).zip(&original).filter(|&(_, &byte)| byte == b'\n').map(|(next, _)| next));
        SourceMap {
            original,
            line_starts,
            markers: vec![ResolvedMarker { physical_line: 0, line: 1, file: 0, is_system: false }],
            files: vec![name.into()],
            rewritings: Vec::new(),
        }
    }

    /// The text as it was read.
    pub fn original(&self) -> &[u8] {
        &self.original
    }

    /// The names of all files that positions mention, by `file_index`.
    pub fn files(&self) -> &[Arc<str>] {
        &self.files
    }

    /// Adds the line markers of the text, in order; offsets are those of the latest rewriting.
    pub fn add_markers(&mut self, markers: &[LineMarker]) {
        let mut latest: Option<(&Arc<str>, u32)> = None;
        for marker in markers {
            let file = match latest {
                Some((name, index)) if Arc::ptr_eq(name, &marker.file) => index,
                _ => self.file_index(&marker.file),
            };
            latest = Some((&marker.file, file));
            let physical_line = self.physical_line(self.to_original(marker.offset));
            let LineMarker { line, is_system, .. } = *marker;
            self.markers.push(ResolvedMarker { physical_line, line, file, is_system });
        }
    }

    /// Adds a rewriting of the text on top of the earlier ones.
    pub fn add_rewriting(&mut self, rewriting: OffsetMap) {
        self.rewritings.push(rewriting);
    }

    /// The source position of an offset of the normalised text, in logarithmic time.
    pub fn position(&self, offset: u32) -> Position<'_> {
        self.original_position(self.to_original(offset))
    }

    /// Whether an offset of the normalised text lies in a system header.
    pub fn is_system(&self, offset: u32) -> bool {
        let marker = self.marker(self.physical_line(self.to_original(offset)));
        marker.is_some_and(|marker| {
            marker.is_system || is_system_path(&self.files[marker.file as usize])
        })
    }

    /// As [`SourceMap::position`], with the file's name interned.
    pub fn resolve(&self, offset: u32, interner: &mut Interner) -> SrcPos {
        let position = self.position(offset);
        SrcPos {
            file: interner.intern(position.file),
            line: position.line,
            column: position.column,
        }
    }

    /// The source text that a span stands for, as the user wrote it.
    pub fn text(&self, span: Span) -> Cow<'_, str> {
        let Range { start, end } = self.original_range(span);
        String::from_utf8_lossy(&self.original[start as usize..end as usize])
    }

    /// The bytes of the original that a span stands for; never past the end of the text.
    pub fn original_range(&self, span: Span) -> Range<u32> {
        let start = self.to_original(span.start);
        let end = self
            .rewritings
            .iter()
            .rev()
            .fold(span.end, |offset, rewriting| rewriting.original_end(offset));
        let limit = self.original.len() as u32;
        start.min(limit)..end.max(start).min(limit)
    }

    /// The physical line that holds an offset of the original: its text and its first offset.
    pub(crate) fn line_at(&self, original: u32) -> (&[u8], u32) {
        let line = self.physical_line(original) as usize;
        let start = self.line_starts.get(line).copied().unwrap_or(0);
        let end = self.line_starts.get(line + 1).map_or(self.original.len(), |&end| end as usize);
        let text = &self.original[start as usize..end];
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        (text.strip_suffix(b"\r").unwrap_or(text), start)
    }

    pub(crate) fn original_position(&self, original: u32) -> Position<'_> {
        let physical_line = self.physical_line(original);
        let start = self.line_starts.get(physical_line as usize).copied().unwrap_or(0);
        match self.marker(physical_line) {
            None => Position { file: "", file_index: 0, line: 0, column: 0 },
            Some(marker) => Position {
                file: &self.files[marker.file as usize],
                file_index: marker.file,
                line: marker.line.saturating_add(physical_line - marker.physical_line),
                column: original - start + 1,
            },
        }
    }

    /// The marker that applies to a physical line.
    fn marker(&self, physical_line: u32) -> Option<ResolvedMarker> {
        let next = self.markers.partition_point(|marker| marker.physical_line <= physical_line);
        next.checked_sub(1).map(|index| self.markers[index])
    }

    fn to_original(&self, offset: u32) -> u32 {
        self.rewritings.iter().rev().fold(offset, |offset, rewriting| rewriting.original(offset))
    }

    fn physical_line(&self, original: u32) -> u32 {
        let next = self.line_starts.partition_point(|&start| start <= original);
        next.saturating_sub(1) as u32
    }

    fn file_index(&mut self, name: &Arc<str>) -> u32 {
        // A unit has some hundred files, and the caller checks the latest one first.
        let known = self.files.iter().position(|file| file == name);
        known.unwrap_or_else(|| {
            self.files.push(Arc::clone(name));
            self.files.len() - 1
        }) as u32
    }
}

/// Whether headers at this path are system headers: preprocessed texts do not always have the
/// flags.
fn is_system_path(file: &str) -> bool {
    file.starts_with("/usr/include/") || file.contains("/lib/gcc/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(map: &SourceMap, offset: u32) -> (String, u32, u32) {
        let position = map.position(offset);
        (position.file.to_owned(), position.line, position.column)
    }

    #[test]
    fn a_fresh_map_counts_lines_and_columns() {
        let map = SourceMap::new("a.c", b"ab\n\ncd".to_vec());
        assert_eq!(at(&map, 0), ("a.c".to_owned(), 1, 1));
        assert_eq!(at(&map, 2), ("a.c".to_owned(), 1, 3));
        assert_eq!(at(&map, 3), ("a.c".to_owned(), 2, 1));
        assert_eq!(at(&map, 5), ("a.c".to_owned(), 3, 2));
        assert_eq!(at(&map, 6), ("a.c".to_owned(), 3, 3));
    }

    #[test]
    fn markers_take_effect_on_the_next_line() {
        let text = b"x\n# 10 \"h.h\" 1\ny\nz\n# 3 \"a.c\" 2\nw".to_vec();
        let offset_of = |byte: u8| text.iter().position(|&b| b == byte).unwrap() as u32;
        let (x, y, z, w) = (offset_of(b'x'), offset_of(b'y'), offset_of(b'z'), offset_of(b'w'));
        let mut map = SourceMap::new("a.c", text);
        map.add_markers(&[
            LineMarker { offset: y, file: "h.h".into(), line: 10, is_system: true },
            LineMarker { offset: w, file: "a.c".into(), line: 3, is_system: false },
        ]);
        assert_eq!(at(&map, x), ("a.c".to_owned(), 1, 1));
        assert_eq!(at(&map, y), ("h.h".to_owned(), 10, 1));
        assert_eq!(at(&map, z), ("h.h".to_owned(), 11, 1));
        assert_eq!(at(&map, w), ("a.c".to_owned(), 3, 1));
        assert_eq!(map.files().len(), 2);
        assert_eq!([x, y, z, w].map(|offset| map.is_system(offset)), [false, true, true, false]);
    }

    #[test]
    fn rewritings_compose() {
        // "abcdef" -> drop "b" -> "acdef" -> put "XY" before "d" -> "acXYdef".
        let mut map = SourceMap::new("a.c", b"abcdef".to_vec());
        let mut first = OffsetMap::default();
        first.copied(0, 0);
        first.copied(1, 2);
        let mut second = OffsetMap::default();
        second.copied(0, 0);
        second.inserted(2, 2);
        second.copied(4, 2);
        map.add_rewriting(first);
        map.add_rewriting(second);
        let columns: Vec<u32> = (0..7).map(|offset| map.position(offset).column).collect();
        assert_eq!(columns, [1, 3, 4, 4, 4, 5, 6]);
        assert_eq!(map.text(Span { start: 1, end: 7 }), "cdef");
        assert_eq!(map.text(Span { start: 4, end: 5 }), "d");
    }

    #[test]
    fn spans_beyond_the_text_are_cut() {
        let map = SourceMap::new("a.c", b"ab".to_vec());
        assert_eq!(map.text(Span { start: 1, end: 90 }), "b");
        assert_eq!(map.text(Span { start: 80, end: 90 }), "");
    }
}
