//! Where things stand in the source, of which the parser sees what macros make of it.
//!
//! Witnesses speak of columns of the source. The preprocessor keeps lines, by markers, but no columns: where a
//! macro is expanded, what follows in the line is moved, and may even go on in another line of its text. So the
//! tokens of a line are compared with those that came out of it; those that are in both stand where they stood,
//! and what a macro made stands where the macro is called.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ravelin_frontend::outline::{Item, Outline, Spot};

use crate::places::UnitText;

/// A token of the text of a unit.
#[derive(Clone, Debug)]
struct Token {
    /// Its bytes in the text.
    range: Range<usize>,
    /// Where it stands in the text's line, from 1.
    column: u32,
}

impl Token {
    /// Whether a column of the text's line is in it.
    fn covers(&self, column: u32) -> bool {
        (self.column..self.column + self.range.len() as u32).contains(&column)
    }
}

/// The tokens of lines, by file and line.
type Lines = BTreeMap<(String, u32), Vec<Token>>;

/// More pairs of tokens than this are not compared: such lines are for machines.
const MAX_PAIRS: usize = 4_000_000;

/// The tokens of those lines that something in the outline begins or ends in. `name` is the file up to the
/// first marker.
fn lines(name: &str, text: &[u8], items: &[Item]) -> Lines {
    let spots = items.iter().flat_map(|item| [&item.start, &item.end]);
    let wanted: BTreeSet<(&str, u32)> = spots.map(|spot| (spot.file.as_str(), spot.line)).collect();
    let mut lines = Lines::new();
    let (mut file, mut number) = (name.to_owned(), 1);
    let mut offset = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let here = offset;
        offset += line.len();
        if let Some((marked, named)) = marker(line) {
            number = marked;
            file = named.unwrap_or(file);
            continue;
        }
        if wanted.contains(&(file.as_str(), number)) {
            let found = tokens(line).into_iter().map(|range| Token {
                range: here + range.start..here + range.end,
                column: range.start as u32 + 1,
            });
            lines.entry((file.clone(), number)).or_default().extend(found);
        }
        number += 1;
    }
    lines
}

/// Where positions of a unit are in its text.
#[derive(Debug)]
pub struct Positions {
    lines: Lines,
}

impl Positions {
    pub fn of(unit: UnitText<'_>) -> Positions {
        Positions { lines: lines(unit.name, unit.text, &unit.outline.items) }
    }

    /// The tokens that may be meant by a position. Where the preprocessor breaks lines, columns of one line come
    /// more than once.
    pub fn tokens_at(&self, file: &str, line: u32, column: u32) -> Vec<usize> {
        let tokens = || self.lines.get(&(file.to_owned(), line)).into_iter().flatten();
        let starting = |token: &&Token| token.column == column;
        let found: Vec<&Token> = match tokens().any(|token| starting(&token)) {
            true => tokens().filter(starting).collect(),
            false => tokens().filter(|token| token.covers(column)).collect(),
        };
        found.into_iter().map(|token| token.range.start).collect()
    }
}

/// What a line marker says (`# 12 "file.c" 3`): the number of the next line, and its file.
fn marker(line: &[u8]) -> Option<(u32, Option<String>)> {
    let line = str::from_utf8(line).ok()?.trim();
    let rest = line.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let number = rest[..digits].parse().ok()?;
    let file = rest[digits..].trim_start().strip_prefix('"').map(|quoted| {
        let mut file = String::new();
        let mut chars = quoted.chars();
        while let Some(c) = chars.next().filter(|&c| c != '"') {
            file.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
        }
        file
    });
    Some((number, file))
}

/// The tokens of a line, as far as they matter here: words, literals, and characters one by one.
fn tokens(line: &[u8]) -> Vec<Range<usize>> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&first) = line.get(at) {
        let rest = &line[at..];
        let length = match first {
            _ if first.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if rest.starts_with(b"//") => break,
            b'/' if rest.starts_with(b"/*") => {
                let end = rest.windows(2).skip(2).position(|pair| pair == b"*/");
                at += end.map_or(rest.len(), |end| end + 4);
                continue;
            }
            b'"' | b'\'' => quoted(rest),
            _ if is_word(first) => {
                rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len())
            }
            _ => 1,
        };
        found.push(at..at + length);
        at += length;
    }
    found
}

/// The length of the literal at the beginning.
fn quoted(text: &[u8]) -> usize {
    let mut at = 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            byte if byte == text[0] => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// Sets the columns in the source of all items of the outline, as far as the lines of the source are known, and whether
/// each item is there verbatim.
pub fn set_columns(
    outline: &mut Outline,
    name: &str,
    text: &[u8],
    source: impl Fn(&str, u32) -> Option<String>,
) {
    let mut told: BTreeMap<usize, u32> = BTreeMap::new();
    let mut moved: BTreeSet<(String, u32)> = BTreeSet::new();
    for ((file, number), made) in lines(name, text, &outline.items) {
        let Some(line) = source(&file, number) else { continue };
        let columns = source_columns(line.as_bytes(), text, &made);
        if columns.iter().zip(&made).any(|(&column, token)| column != token.column) {
            told.extend(
                made.iter().zip(&columns).map(|(token, &column)| (token.range.start, column)),
            );
            moved.insert((file, number));
        }
    }
    for item in &mut outline.items {
        let last = item.range.end.saturating_sub(1);
        for (spot, offset) in [(&mut item.start, item.range.start), (&mut item.end, last)] {
            if moved.contains(&(spot.file.clone(), spot.line))
                && let Some((_, &column)) = told.range(..=offset).next_back()
            {
                spot.told = column;
            }
        }
        let first_line = text[item.range.clone()].split(|&byte| byte == b'\n').next();
        let written = String::from_utf8_lossy(first_line.unwrap_or_default());
        let Spot { file, line, told, .. } = &item.start;
        item.is_verbatim = source(file, *line).is_some_and(|line| {
            let rest = line.get(told.saturating_sub(1) as usize..);
            rest.is_some_and(|rest| rest.starts_with(written.trim_end()))
        });
    }
}

/// The columns of the source line in which tokens stand that were made of it.
fn source_columns(line: &[u8], text: &[u8], made: &[Token]) -> Vec<u32> {
    let written = tokens(line);
    if written.is_empty() || written.len() * made.len() > MAX_PAIRS {
        return made.iter().map(|token| token.column).collect();
    }
    let same = |i: usize, j: usize| line[written[i].clone()] == text[made[j].range.clone()];
    // Tokens beside which the same stand in both are more likely to be the same ones.
    let is_beside = |i: Option<usize>, j: Option<usize>| match (i, j) {
        (Some(i), Some(j)) => i < written.len() && j < made.len() && same(i, j),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    let likeness = |i: usize, j: usize| {
        2 + u32::from(is_beside(i.checked_sub(1), j.checked_sub(1)))
            + u32::from(is_beside(Some(i + 1), Some(j + 1)))
    };
    // How much the first i and the first j tokens have in common, in order.
    let width = made.len() + 1;
    let mut common = vec![0u32; (written.len() + 1) * width];
    for i in 0..written.len() {
        for j in 0..made.len() {
            let without = common[i * width + j + 1].max(common[(i + 1) * width + j]);
            let with = if same(i, j) { common[i * width + j] + likeness(i, j) } else { 0 };
            common[(i + 1) * width + j + 1] = without.max(with);
        }
    }
    let mut found: Vec<Option<usize>> = vec![None; made.len()];
    let mut is_kept = vec![false; written.len()];
    let (mut i, mut j) = (written.len(), made.len());
    while i > 0 && j > 0 {
        let all = common[i * width + j];
        if same(i - 1, j - 1) && all == common[(i - 1) * width + j - 1] + likeness(i - 1, j - 1) {
            (i, j) = (i - 1, j - 1);
            found[j] = Some(i);
            is_kept[i] = true;
        } else if all == common[(i - 1) * width + j] {
            i -= 1;
        } else {
            j -= 1;
        }
    }
    let mut before: Option<usize> = None;
    let columns = found.into_iter().map(|found| {
        let next = before.map_or(0, |before| before + 1);
        let at = match found {
            Some(kept) => {
                before = found;
                kept
            }
            None if next < written.len() && !is_kept[next] => next,
            None => before.unwrap_or(0),
        };
        written[at].start as u32 + 1
    });
    columns.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of each token that is made of a line: its text and its column in the line.
    fn check(source: &str, made: &str) -> Vec<(String, u32)> {
        let wanted = Item {
            kind: ravelin_frontend::outline::Kind::Declaration,
            range: 0..0,
            start: Spot { file: "a.c".to_owned(), line: 9, column: 1, told: 1 },
            end: Spot { file: "a.c".to_owned(), line: 9, column: 1, told: 1 },
            function: "main".to_owned(),
            is_verbatim: true,
        };
        let text = format!("# 9 \"a.c\"\n{made}\n");
        let lines = lines("b.c", text.as_bytes(), &[wanted]);
        let made = &lines[&("a.c".to_owned(), 9)];
        let columns = source_columns(source.as_bytes(), text.as_bytes(), made);
        made.iter().map(|token| text[token.range.clone()].to_owned()).zip(columns).collect()
    }

    fn columns_of(found: &[(String, u32)], token: &str) -> Vec<u32> {
        found.iter().filter(|(text, _)| text == token).map(|(_, column)| *column).collect()
    }

    #[test]
    fn what_follows_a_macro_stands_where_it_stood() {
        let source = "  f(&t, NULL, g, NULL); f(&u, NULL, g, NULL);";
        let made = "  f(&t, \n# 9 \"a.c\" 3 4\n        ((void *)0)\n# 9 \"a.c\"\n            , g, \n\
                    # 9 \"a.c\" 3 4\n ((void *)0)\n# 9 \"a.c\"\n ); f(&u, ((void *)0), g, ((void *)0));";
        let found = check(source, made);
        assert_eq!(columns_of(&found, "f"), [3, 25]);
        assert_eq!(columns_of(&found, ";"), [23, 45]);
        let ends: Vec<u32> =
            found.windows(2).filter(|it| it[1].0 == ";").map(|it| it[0].1).collect();
        assert_eq!(ends, [22, 44]);
    }

    #[test]
    fn what_a_macro_makes_stands_where_it_is_called() {
        let found = check("int x = N, y = N; // N", "int x = input(), y = input();");
        assert_eq!(columns_of(&found, "input"), [9, 16]);
        assert_eq!(columns_of(&found, "y"), [12]);
        let found =
            check("if (x) assert(y);", "if (x) ((void)0, ({ if (y) ; else fail(\"y\"); }));");
        assert_eq!(found[4], ("(".to_owned(), 8));
        assert!(columns_of(&found, "fail").iter().all(|column| (8..17).contains(column)));
    }
}
