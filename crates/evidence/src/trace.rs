//! The text trace of an execution: the lines of source that it passes, its inputs, and the variables that change.

use std::fmt::Write;

use ravelin_base::{SrcPos, Symbol};
use ravelin_cfa::{HavocKind, Op, Proc, Program, ops};
use ravelin_interp::{Event, ObservedObject, Value, WriteTarget};

use crate::columns;
use crate::execution::Execution;
use crate::rounds::{Piece, fold};
use crate::steps::Objects;

/// The width of all columns together where the width of the terminal is not known.
pub const DEFAULT_WIDTH: usize = 100;

/// Lines beyond this many are left out of the middle.
const MAX_LINES: usize = 400;

/// Calls deeper than this are not indented further.
const MAX_INDENT: usize = 20;

/// Positions wider than this do not push the text of other lines to the right.
const MAX_POSITION: usize = 40;

/// Gives the text of a line of a source file, where there is one.
pub type SourceLine<'a> = &'a dyn Fn(&str, u32) -> Option<String>;

/// The trace of an execution: for each source line that it passes the position, the text, and after `//`
/// inputs and variables that changed. Calls are indented; of rounds of a loop that pass the same lines,
/// the first and last are printed and the others counted. The end is the outcome.
///
/// Where several threads move, each has a column, and `room` is the width of all columns together.
pub fn render(execution: &Execution, source: SourceLine<'_>, room: usize) -> String {
    if execution.has_several_threads() {
        return columns::render(execution, source, room);
    }
    let program = &execution.program;
    let lines = lines_of(execution);
    let written: Vec<Written> = lines.iter().map(|line| line.written(program, source)).collect();
    let width =
        written.iter().map(|line| line.position.len()).filter(|&width| width < MAX_POSITION);
    let width = width.max().unwrap_or(0);
    let mut out: Vec<String> = Vec::new();
    let keys: Vec<Key> = lines.iter().map(|line| line.key).collect();
    for piece in fold(&keys) {
        match piece {
            Piece::Line(at) => out.push(written[at].text(width, lines[at].key.depth)),
            Piece::More { rounds, at } => {
                let indent = indent(lines[at].key.depth);
                out.push(format!("{indent}… {rounds} more rounds …"));
            }
        }
    }
    let mut text = String::new();
    for line in shortened(out) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {}", line.trim_end());
    }
    let _ = writeln!(text, "  {}", execution.outcome.display(program));
    text
}

/// Leaves out the middle of too many lines.
pub(crate) fn shortened(mut lines: Vec<String>) -> Vec<String> {
    let skipped = lines.len().saturating_sub(MAX_LINES);
    if skipped > 0 {
        let middle = MAX_LINES / 2..MAX_LINES / 2 + skipped;
        lines.splice(middle, [format!("… {skipped} more lines …")]);
    }
    lines
}

fn indent(depth: usize) -> String {
    "  ".repeat(depth.min(MAX_INDENT))
}

/// Distinguishes the lines of a trace, whatever the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    proc: Proc,
    file: Symbol,
    line: u32,
    /// How many calls are open.
    depth: usize,
}

struct Line {
    key: Key,
    pos: SrcPos,
    notes: Vec<Note>,
}

/// A value to print beside a line.
struct Note {
    /// What has the value; for inputs, the function that gave it.
    what: String,
    value: String,
    is_input: bool,
}

impl Note {
    /// A change of a place.
    fn change(what: String, value: String) -> Note {
        Note { what, value, is_input: false }
    }
}

fn lines_of(execution: &Execution) -> Vec<Line> {
    let program = &execution.program;
    let objects = Objects::of(execution);
    let mut lines: Vec<Line> = Vec::new();
    let mut depth: usize = 0;
    for event in &execution.events {
        let Event { proc, pos, .. } = *event;
        let key = Key { proc, file: pos.file, line: pos.line, depth };
        match flow(program, event) {
            Flow::Call => depth += 1,
            Flow::Return => depth = depth.saturating_sub(1),
            Flow::On => {}
        }
        let notes = notes_of(program, &objects, event);
        match lines.last_mut() {
            Some(last) if last.key == key => add_notes(&mut last.notes, notes),
            // The end of a procedure has no place in the source.
            _ if event.pos.is_none() && notes.is_empty() => {}
            _ => lines.push(Line { key, pos: event.pos, notes }),
        }
    }
    lines
}

/// Where the thread goes after a step.
pub(crate) enum Flow {
    On,
    Call,
    Return,
}

pub(crate) fn flow(program: &Program, event: &Event) -> Flow {
    let Some(edge) = event.edge else {
        return Flow::Return;
    };
    let mut flow = Flow::On;
    for label in &program.procs[event.proc].edges[edge].labels {
        match label.op {
            Op::Call { .. } => flow = Flow::Call,
            Op::Return { .. } => flow = Flow::Return,
            ops!(data, access, scope, object, thread, section, remark, end)
            | Op::Claim(_)
            | Op::HavocMemory { .. }
            | Op::Sync { .. }
            | Op::Choice(_) => {}
        }
    }
    flow
}

/// Of several values of a variable, the last counts; every input is printed.
fn add_notes(notes: &mut Vec<Note>, more: Vec<Note>) {
    for note in more {
        match notes.iter_mut().find(|old| old.what == note.what && !note.is_input) {
            Some(old) => old.value = note.value,
            None => notes.push(note),
        }
    }
}

fn notes_of(program: &Program, objects: &Objects<'_>, event: &Event) -> Vec<Note> {
    let mut inputs = Vec::new();
    if let Some(edge) = event.edge {
        for label in &program.procs[event.proc].edges[edge].labels {
            label.walk(&mut |label| {
                if let Op::Havoc { dst, kind } = label.op {
                    match kind {
                        HavocKind::Input(name) | HavocKind::Extern(name) => {
                            inputs.push((dst, format!("{}()", program.name(name))));
                        }
                        HavocKind::Uninitialised
                        | HavocKind::Unspecified
                        | HavocKind::NotModelled(_) => {}
                    }
                }
            });
        }
    }
    let mut notes = Vec::new();
    for write in &event.writes {
        match &write.target {
            WriteTarget::Var(var) => {
                let data = &program.vars[*var];
                let name = program.name(data.name);
                let value = objects.value(write.value, data.signed);
                match inputs.iter().find(|(dst, _)| dst == var) {
                    Some((_, input)) => {
                        notes.push(Note { what: input.clone(), value, is_input: true });
                    }
                    // Temporaries are Ravelin's own.
                    None if name.contains('%') => {}
                    None => notes.push(Note::change(name.to_owned(), value)),
                }
            }
            WriteTarget::Memory(place) => {
                // The type is not known here; most integers are signed.
                let value = objects.value(write.value, true);
                let what = match write.cell.as_deref() {
                    Some(cell) if matches!(cell.object, Some(ObservedObject::Allocated(_))) => {
                        objects.cell(cell)
                    }
                    Some(_) | None => place.to_string(),
                };
                notes.push(Note::change(what, value));
            }
        }
    }
    notes
}

pub(crate) fn value_text(value: Value, signed: bool) -> String {
    match value.as_signed() {
        Some(number) if signed => number.to_string(),
        _ => value.to_string(),
    }
}

/// A line as it is printed, in parts.
struct Written {
    position: String,
    text: String,
    notes: String,
}

impl Line {
    fn written(&self, program: &Program, source: SourceLine<'_>) -> Written {
        let procedure = program.name(program.procs[self.key.proc].name);
        let (position, text) = if self.pos.is_none() {
            (String::new(), format!("in {procedure}"))
        } else {
            let file = program.name(self.pos.file);
            let text = source(file, self.pos.line).map(|text| text.trim().to_owned());
            let text = text.filter(|text| !text.is_empty());
            (format!("{file}:{}", self.pos.line), text.unwrap_or_else(|| format!("in {procedure}")))
        };
        let notes: Vec<String> =
            self.notes.iter().map(|note| format!("{} = {}", note.what, note.value)).collect();
        Written { position, text, notes: notes.join(", ") }
    }
}

impl Written {
    fn text(&self, width: usize, depth: usize) -> String {
        let Written { position, text, notes } = self;
        let mut line = format!("{position:width$}  {}{text}", indent(depth));
        if !notes.is_empty() {
            let _ = write!(line, "  // {notes}");
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_sign_of_their_type() {
        let minus_one = Value::Bv { width: 8, bits: 255 };
        assert_eq!(value_text(minus_one, true), "-1");
        assert_eq!(value_text(minus_one, false), "255");
        assert_eq!(value_text(Value::Bool(true), true), "true");
    }

    #[test]
    fn the_last_value_counts_but_every_input() {
        let note = |what: &str, value: &str| Note::change(what.into(), value.into());
        let input = |what, value| Note { is_input: true, ..note(what, value) };
        let mut notes = vec![note("x", "1"), input("f()", "3")];
        add_notes(&mut notes, vec![note("x", "2"), input("f()", "4")]);
        let printed: Vec<String> =
            notes.iter().map(|note| format!("{}={}", note.what, note.value)).collect();
        assert_eq!(printed, ["x=2", "f()=3", "f()=4"]);
    }
}
