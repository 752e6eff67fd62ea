//! The text trace of several threads: a column for each thread, or a list if they are too many.
//!
//! ```text
//!   line  main                         │ worker
//!     12  pthread_create(&t, 0, …      │
//!           starts worker              │
//!   ─────────────────────────────────────────────────
//!      5                               │ counter++;
//!                                      │   R counter = 0
//! ```
//!
//! Rows of one thread stand together; a rule ends them, and shows which threads hold which locks at that time.
//! `R` and `W` are reads and writes of memory that several threads access in this execution; other changes have no
//! letter. Rounds that pass the same lines are counted, and so are long rows of steps that no other thread notices.

use std::collections::BTreeMap;
use std::fmt::Write;

use ravelin_cfa::Program;
use ravelin_interp::{Outcome, ThreadId};

use crate::execution::Execution;
use crate::rounds::{Piece, fold};
use crate::steps::{Locks, Row, rows_of, thread_names};
use crate::trace::{SourceLine, shortened};

/// Columns narrower than this cannot be read: a list takes their place.
const MIN_COLUMN: usize = 26;

/// The greatest width of positions, where they have file names.
const MAX_POSITION: usize = 20;

/// Of private steps in a row, this many are printed at the beginning and at the end.
const KEPT_FIRST: usize = 3;
const KEPT_LAST: usize = 2;

/// Fewer steps than this are not left out: the note would say less than the steps.
const MIN_LEFT_OUT: usize = 3;

/// Calls deeper than this are not indented further in a list.
const MAX_INDENT: usize = 20;

/// Between columns.
const BORDER: &str = " │ ";

/// The trace of an execution in which several threads move. No line with columns is wider than `room`. The end is the
/// outcome.
pub(crate) fn render(execution: &Execution, source: SourceLine<'_>, room: usize) -> String {
    let program = &execution.program;
    let names = thread_names(execution);
    let rows = rows_of(execution, &names);
    let mut threads: Vec<ThreadId> = rows.iter().map(|row| row.key.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let mut files: Vec<_> =
        rows.iter().filter(|row| !row.pos.is_none()).map(|row| row.pos.file).collect();
    files.sort_unstable();
    files.dedup();
    let many_files = files.len() > 1;
    let table = Table { program, source, names: &names, threads, many_files, room };
    let mut out = Vec::new();
    if let [file] = files[..] {
        out.push(program.name(file).to_owned());
    }
    let layout = table.layout(&rows);
    out.extend(table.header(&layout));
    out.extend(shortened(table.body(&rows, &layout)));
    let mut text = String::new();
    for line in out {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {}", line.trim_end());
    }
    if let Some(last) = rows.last() {
        if let Some(held) = table.held(&last.locks) {
            let _ = writeln!(text, "  {held}");
        }
        let outcome = execution.outcome.display(program);
        let _ = match &execution.outcome {
            // It names its threads.
            Outcome::Race(_) => writeln!(text, "  {outcome}"),
            _ => writeln!(text, "  {outcome} in {}", table.name(last.key.thread)),
        };
    }
    text
}

struct Table<'a> {
    program: &'a Program,
    source: SourceLine<'a>,
    names: &'a BTreeMap<ThreadId, String>,
    /// The threads that move, in order.
    threads: Vec<ThreadId>,
    many_files: bool,
    /// The greatest width of a line.
    room: usize,
}

/// How rows are laid out; widths are in characters.
enum Layout {
    Columns { position: usize, column: usize },
    List { position: usize, name: usize },
}

/// A printed row, or a note on rows that are left out.
enum Item<'r> {
    Row(&'r Row),
    /// This many rounds are left out, and the first begins with this thread.
    Rounds(usize, ThreadId),
    /// This many steps of this thread are left out.
    Steps(usize, ThreadId),
}

impl Table<'_> {
    fn name(&self, thread: ThreadId) -> String {
        self.names.get(&thread).cloned().unwrap_or_else(|| thread.to_string())
    }

    fn layout(&self, rows: &[Row]) -> Layout {
        let widest = rows.iter().map(|row| width(&self.position(row))).max().unwrap_or(0);
        let position = widest.clamp("line".len(), MAX_POSITION);
        let count = self.threads.len();
        let borders = width(BORDER) * count.saturating_sub(1);
        // Two spaces before the line and two after the position.
        let column = self.room.saturating_sub(2 + position + 2 + borders) / count.max(1);
        if column >= MIN_COLUMN {
            return Layout::Columns { position, column };
        }
        let name = self.threads.iter().map(|&thread| width(&self.name(thread))).max();
        Layout::List { position, name: name.unwrap_or(0) }
    }

    fn header(&self, layout: &Layout) -> Option<String> {
        let Layout::Columns { position, column } = *layout else { return None };
        let names = self.threads.iter().map(|&thread| padded(&self.name(thread), column));
        let names: Vec<String> = names.collect();
        Some(format!("{}  {}", padded("line", position), names.join(BORDER)))
    }

    fn body(&self, rows: &[Row], layout: &Layout) -> Vec<String> {
        let mut out = Vec::new();
        let mut last: Option<&Row> = None;
        let mut moving: Option<ThreadId> = None;
        for item in items(rows) {
            let thread = match item {
                Item::Row(row) => row.key.thread,
                Item::Rounds(_, thread) | Item::Steps(_, thread) => thread,
            };
            if moving.is_some_and(|moving| moving != thread) {
                let held = last.and_then(|row| self.held(&row.locks));
                out.push(rule(held.as_deref(), self.room));
            }
            match item {
                Item::Row(row) => {
                    out.extend(self.row(row, layout));
                    last = Some(row);
                }
                Item::Rounds(count, thread) => {
                    let text = format!("… {count} more rounds …");
                    out.extend(self.cell(layout, "", thread, &[text]));
                }
                Item::Steps(count, thread) => {
                    let text = format!("… {count} more steps …");
                    out.extend(self.cell(layout, "", thread, &[text]));
                }
            }
            moving = Some(thread);
        }
        out
    }

    /// The threads that hold locks, if any thread does.
    fn held(&self, locks: &Locks) -> Option<String> {
        let held: Vec<String> = locks
            .iter()
            .map(|(lock, holders)| {
                let mut holders: Vec<String> = holders.iter().map(|&it| self.name(it)).collect();
                holders.dedup();
                format!("{} held by {}", lock.name, holders.join(", "))
            })
            .collect();
        (!held.is_empty()).then(|| cut(&held.join("; "), self.room.saturating_sub(10)))
    }

    fn row(&self, row: &Row, layout: &Layout) -> Vec<String> {
        let position = self.position(row);
        let marks: Vec<&str> = row.marks.iter().map(|mark| mark.text.as_str()).collect();
        let text = self.text(row);
        match *layout {
            Layout::Columns { column, .. } => {
                let lines = cell_lines(&text, row.key.depth, &marks, column);
                self.cell(layout, &position, row.key.thread, &lines)
            }
            Layout::List { .. } => {
                let mut line = format!("{}{text}", "  ".repeat(row.key.depth.min(MAX_INDENT)));
                if !marks.is_empty() {
                    let _ = write!(line, "  // {}", marks.join(", "));
                }
                self.cell(layout, &position, row.key.thread, &[line])
            }
        }
    }

    /// Lines in the column of a thread, the first with a position.
    fn cell(
        &self,
        layout: &Layout,
        position: &str,
        thread: ThreadId,
        lines: &[String],
    ) -> Vec<String> {
        let positions = std::iter::once(position).chain(std::iter::repeat(""));
        let lines = positions.zip(lines);
        match *layout {
            Layout::Columns { position: wide, column } => lines
                .map(|(position, line)| {
                    let cells: Vec<String> = self
                        .threads
                        .iter()
                        .map(|&other| padded(if other == thread { line } else { "" }, column))
                        .collect();
                    format!("{}  {}", right(position, wide), cells.join(BORDER))
                })
                .collect(),
            Layout::List { position: wide, name } => lines
                .map(|(position, line)| {
                    let name = padded(&self.name(thread), name);
                    format!("{name}  {}  {line}", right(position, wide))
                })
                .collect(),
        }
    }

    fn position(&self, row: &Row) -> String {
        if row.pos.is_none() || row.is_end {
            return String::new();
        }
        if !self.many_files {
            return row.pos.line.to_string();
        }
        let file = self.program.name(row.pos.file);
        let file = file.rsplit('/').next().unwrap_or(file);
        format!("{file}:{}", row.pos.line)
    }

    fn text(&self, row: &Row) -> String {
        let procedure = self.program.name(self.program.procs[row.key.proc].name);
        if row.is_end {
            return format!("end of {procedure}");
        }
        let line = (!row.pos.is_none())
            .then(|| (self.source)(self.program.name(row.pos.file), row.pos.line))
            .flatten();
        let text = line.map(|text| text.trim().replace('\t', " ")).unwrap_or_default();
        if text.is_empty() { format!("in {procedure}") } else { text }
    }
}

/// The rows that are printed, and how many are left out.
fn items(rows: &[Row]) -> Vec<Item<'_>> {
    // Rows that begin or end threads are always printed: no other row equals them.
    let own_number = |(number, row): (usize, &Row)| row.begins_or_ends_threads().then_some(number);
    let keys: Vec<_> = rows.iter().enumerate().map(|it| (it.1.key, own_number(it))).collect();
    let mut items = Vec::new();
    let mut private: Vec<&Row> = Vec::new();
    for piece in fold(&keys) {
        match piece {
            Piece::Line(at) => {
                let row = &rows[at];
                let goes_on = private.last().is_none_or(|last| last.key.thread == row.key.thread);
                if !(row.is_private() && goes_on) {
                    add_private(&mut private, &mut items);
                }
                if row.is_private() {
                    private.push(row);
                } else {
                    items.push(Item::Row(row));
                }
            }
            Piece::More { rounds, at } => {
                add_private(&mut private, &mut items);
                items.push(Item::Rounds(rounds, rows[at].key.thread));
            }
        }
    }
    add_private(&mut private, &mut items);
    items
}

/// Adds private steps in a row; of many, only the first and last.
fn add_private<'r>(private: &mut Vec<&'r Row>, items: &mut Vec<Item<'r>>) {
    let rows = std::mem::take(private);
    let left_out = rows.len().saturating_sub(KEPT_FIRST + KEPT_LAST);
    if left_out < MIN_LEFT_OUT {
        items.extend(rows.into_iter().map(Item::Row));
        return;
    }
    let thread = rows[0].key.thread;
    items.extend(rows[..KEPT_FIRST].iter().copied().map(Item::Row));
    items.push(Item::Steps(left_out, thread));
    items.extend(rows[KEPT_FIRST + left_out..].iter().copied().map(Item::Row));
}

/// A line across all columns, with a text in it.
fn rule(text: Option<&str>, room: usize) -> String {
    let width_of_rule = room.saturating_sub(2);
    match text {
        None => "─".repeat(width_of_rule),
        Some(text) => {
            let rest = width_of_rule.saturating_sub(width(text) + 4);
            format!("── {text} {}", "─".repeat(rest))
        }
    }
}

/// The lines of a cell: the statement, cut where it is too long, and the marks behind it, or where there
/// is no room, below it.
fn cell_lines(text: &str, depth: usize, marks: &[&str], column: usize) -> Vec<String> {
    let indent = "  ".repeat(depth.min(column / 8));
    let first = format!("{indent}{text}");
    let all = marks.join(", ");
    if !marks.is_empty() && width(&first) + 2 + width(&all) <= column {
        return vec![format!("{first}  {all}")];
    }
    let mut lines = vec![cut(&first, column)];
    let room = column.saturating_sub(width(&indent) + 2);
    let mut line = String::new();
    for (index, mark) in marks.iter().enumerate() {
        let comma = if index + 1 < marks.len() { "," } else { "" };
        let mark = format!("{mark}{comma}");
        // A mark stays in one line if it can.
        if !line.is_empty() && width(&line) + 1 + width(&mark) > room {
            lines.push(format!("{indent}  {line}"));
            line.clear();
        }
        for word in mark.split(' ') {
            if !line.is_empty() && width(&line) + 1 + width(word) > room {
                lines.push(format!("{indent}  {line}"));
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line += &cut(word, room);
        }
    }
    if !line.is_empty() {
        lines.push(format!("{indent}  {line}"));
    }
    lines
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// The text, its end replaced by an ellipsis if it is too long.
fn cut(text: &str, room: usize) -> String {
    if width(text) <= room {
        return text.to_owned();
    }
    let kept: String = text.chars().take(room.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

fn padded(text: &str, room: usize) -> String {
    let text = cut(text, room);
    let missing = room - width(&text).min(room);
    text + &" ".repeat(missing)
}

fn right(text: &str, room: usize) -> String {
    let text = cut(text, room);
    " ".repeat(room - width(&text).min(room)) + &text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_by_characters() {
        assert_eq!(cut("größer", 6), "größer");
        assert_eq!(cut("größer als", 6), "größe…");
        assert_eq!(cut("ab cd", 4), "ab…");
        assert_eq!(padded("ä", 3), "ä  ");
        assert_eq!(right("ä", 3), "  ä");
    }

    #[test]
    fn marks_stand_behind_the_statement_or_below_it() {
        assert_eq!(cell_lines("x++;", 0, &["R x = 0"], 20), ["x++;  R x = 0"]);
        assert_eq!(
            cell_lines("x = y;", 1, &["R y = 1", "W x = 1"], 22),
            ["  x = y;", "    R y = 1, W x = 1"]
        );
        assert_eq!(
            cell_lines("x = y;", 0, &["R y = 1000", "W x = 1000"], 20),
            ["x = y;", "  R y = 1000,", "  W x = 1000"]
        );
        assert_eq!(
            cell_lines("signal(&c);", 0, &["signals c, wakes consumer"], 20),
            ["signal(&c);", "  signals c, wakes", "  consumer"]
        );
        assert_eq!(cell_lines("a long statement;", 0, &[], 10), ["a long st…"]);
    }

    #[test]
    fn no_rule_is_wider_than_the_rest() {
        for text in [None, Some("m held by main")] {
            assert_eq!(width(&rule(text, 80)), 78);
        }
    }
}
