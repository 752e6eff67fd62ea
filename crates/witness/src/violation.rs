//! From an execution to a witness: the inputs it takes, the threads it starts, and where threads are when
//! they do something to each other.

use std::collections::HashMap;

use ravelin_base::SrcPos;
use ravelin_cfa::{Edge, HavocKind, Op, Program};
use ravelin_frontend::outline::{Item, Kind};
use ravelin_interp::{Deed, Event, ObjectRef, Run, ThreadId, Value, WriteTarget};

use crate::model::{Location, Segment, Waypoint, WaypointKind};

/// The waypoints of a run of the program as it stands in the source, of which `items` is the outline. The
/// last is the error.
pub fn segments(program: &Program, run: &Run, items: &[Item]) -> Vec<Segment> {
    let has_threads = program.is_concurrent();
    let mut path = Path { program, items, has_threads, at: HashMap::new(), segments: Vec::new() };
    for event in &run.trace {
        path.event(event);
    }
    if let Some(last) = run.trace.last() {
        path.target(last);
    }
    path.segments.into_iter().filter(|(_, is_told)| *is_told).map(|(segment, _)| segment).collect()
}

struct Path<'a> {
    program: &'a Program,
    items: &'a [Item],
    has_threads: bool,
    /// The frames of each thread.
    at: HashMap<ThreadId, Vec<Frame>>,
    /// Whether they are told is known later, for those that begin a statement.
    segments: Vec<(Segment, bool)>,
}

/// Where a call is.
#[derive(Clone, Debug, Default)]
struct Frame {
    statement: Option<usize>,
    /// The segment in which it came there, if that can be told.
    arrival: Option<usize>,
    /// The edges it took since it came there.
    taken: Vec<Edge>,
}

impl Path<'_> {
    fn event(&mut self, event: &Event) {
        self.arrive(event);
        let frames = self.at.entry(event.thread).or_default();
        let Some(edge) = event.edge else {
            frames.pop();
            return;
        };
        if self.has_threads && event.accesses.iter().any(|access| is_told(&access.deed)) {
            self.tell_arrival(event.thread);
        }
        for label in &self.program.procs[event.proc].edges[edge].labels {
            match &label.op {
                Op::Havoc { dst, kind: HavocKind::Input(name) | HavocKind::Extern(name) } => {
                    let name = self.program.name(*name).to_owned();
                    let write = event.writes.iter().find(|it| it.target == WriteTarget::Var(*dst));
                    let signed = self.program.vars[*dst].signed;
                    // Of a value that C has no word for there is nothing to tell.
                    if let Some(value) = write.and_then(|write| literal(write.value, signed)) {
                        let value = Some(format!("\\result == {value}"));
                        self.call(event.thread, label.pos, &name, |name| {
                            WaypointKind::FunctionReturn(name, value)
                        });
                    }
                }
                Op::Start { .. } => {
                    let name = "pthread_create";
                    self.call(event.thread, label.pos, name, WaypointKind::FunctionEnter);
                }
                Op::Call { .. } => {
                    self.at.entry(event.thread).or_default().push(Frame::default());
                }
                Op::Return { .. } => {
                    self.at.entry(event.thread).or_default().pop();
                }
                _ => {}
            }
        }
    }

    fn push(&mut self, thread: ThreadId, kind: WaypointKind, location: Location) {
        let thread = self.has_threads.then_some(thread.0);
        self.segments.push((Segment::to(Waypoint { kind, location, thread }), true));
    }

    fn arrive(&mut self, event: &Event) {
        let Some(statement) = self.statement_at(event.pos) else { return };
        let is_branch = self.is_branch(statement);
        let frames = self.at.entry(event.thread).or_default();
        if frames.is_empty() {
            frames.push(Frame::default());
        }
        let Some(frame) = frames.last_mut() else { return };
        // Who has to wait comes to the same edge again, without having been elsewhere.
        let is_again = event.edge.is_some_and(|edge| {
            let data = &self.program.procs[event.proc].edges[edge];
            let waits = frame.taken.last() == Some(&edge) && data.source != data.target;
            frame.taken.contains(&edge) && !waits
        });
        let is_there = frame.statement == Some(statement);
        // Who takes an edge again came again; where a macro makes the statement, it may be a loop inside.
        if is_there && !(is_again && self.items[statement].is_verbatim) {
            frame.taken.extend(event.edge);
            return;
        }
        // Who comes back from inside of a statement was there before.
        let is_back = !is_there
            && frame.statement.is_some_and(|before| {
                let (inner, outer) = (&self.items[before].range, &self.items[statement].range);
                outer.start <= inner.start && inner.end <= outer.end
            });
        let taken = event.edge.into_iter().collect();
        let is_new = self.has_threads && !is_back && !is_branch;
        let arrival = is_new.then_some(self.segments.len());
        *frame = Frame { statement: Some(statement), arrival, taken };
        if is_new {
            let location = start_of(&self.items[statement]);
            self.push(event.thread, WaypointKind::Assumption("1".to_owned()), location);
            if let Some((_, is_told)) = self.segments.last_mut() {
                *is_told = false;
            }
        }
    }

    /// To a loop a thread comes once, however often it goes round; so nothing is told of branches.
    fn is_branch(&self, statement: usize) -> bool {
        let (item, next) = (&self.items[statement], self.items.get(statement + 1));
        next.is_some_and(|next| {
            matches!(next.kind, Kind::Branch { .. }) && next.range == item.range
        })
    }

    /// Tells that a thread came to the statement it is in, at the time when it came: what it calls there comes
    /// after that.
    fn tell_arrival(&mut self, thread: ThreadId) {
        let frame = self.at.get(&thread).and_then(|frames| frames.last());
        if let Some(arrival) = frame.and_then(|frame| frame.arrival) {
            self.segments[arrival].1 = true;
        }
    }

    fn call(
        &mut self,
        thread: ThreadId,
        pos: SrcPos,
        name: &str,
        kind: impl FnOnce(Option<String>) -> WaypointKind,
    ) {
        let is_it = |item: &&Item| matches!(&item.kind, Kind::Call { name: Some(called), .. } if called == name);
        let (file, line, column) = self.place(pos);
        let mut calls = self.items.iter().filter(is_it);
        let exact = calls.clone().find(|item| {
            (item.start.file.as_str(), item.start.line, item.start.column) == (file, line, column)
        });
        let found = exact.or_else(|| calls.rfind(|item| item.contains(file, line, column)));
        if let Some(item) = found {
            let location = Location {
                file: item.end.file.clone(),
                line: item.end.line,
                column: item.is_verbatim.then_some(item.end.column),
                function: Some(item.function.clone()),
            };
            self.tell_arrival(thread);
            self.push(thread, kind(Some(name.to_owned())), location);
        }
    }

    fn target(&mut self, last: &Event) {
        let location = match self.statement_at(last.pos) {
            Some(statement) => start_of(&self.items[statement]),
            None => {
                let (file, line, column) = self.place(last.pos);
                let (file, column) = (file.to_owned(), Some(column));
                Location { file, line, column, function: None }
            }
        };
        self.push(last.thread, WaypointKind::Target, location);
    }

    fn place(&self, pos: SrcPos) -> (&str, u32, u32) {
        (self.program.name(pos.file), pos.line, pos.column)
    }

    /// The innermost statement or declaration around a place; of those that a macro makes, the outermost
    /// in the line.
    fn statement_at(&self, pos: SrcPos) -> Option<usize> {
        if pos.is_none() {
            return None;
        }
        let (file, line, column) = self.place(pos);
        let is_around = |item: &Item| {
            matches!(item.kind, Kind::Statement | Kind::Declaration)
                && item.contains(file, line, column)
        };
        let innermost = self.items.iter().rposition(is_around)?;
        if self.items[innermost].is_verbatim {
            return Some(innermost);
        }
        let in_line = |item: &Item| is_around(item) && item.start.line == line;
        self.items.iter().position(in_line).or(Some(innermost))
    }
}

fn start_of(item: &Item) -> Location {
    let start = item.start.clone();
    let function = Some(item.function.clone());
    let column = item.is_verbatim.then_some(start.column);
    Location { file: start.file, line: start.line, column, function }
}

/// Whether other threads may notice, or have done something that matters here.
fn is_told(deed: &Deed) -> bool {
    match deed {
        Deed::ReadVar { .. }
        | Deed::WriteVar { .. }
        | Deed::ReadMemory { .. }
        | Deed::WriteMemory { .. }
        | Deed::Join { .. }
        | Deed::Sync(_) => true,
        // A start is told as such, and what is atomic by what it does.
        Deed::Start { .. } | Deed::End | Deed::AtomicBegin | Deed::AtomicEnd => false,
    }
}

/// A value as C spells it, if it does in a word.
pub fn literal(value: Value, signed: bool) -> Option<String> {
    match value {
        Value::Bool(value) => Some(u8::from(value).to_string()),
        Value::Bv { width, bits } if width <= 64 => {
            let number = value.as_signed().filter(|_| signed).unwrap_or(bits as i128);
            Some(match number {
                // The number without its sign is too large for any type.
                -9_223_372_036_854_775_808 => "(-9223372036854775807LL - 1)".to_owned(),
                _ if i32::try_from(number).is_ok() => number.to_string(),
                _ if number <= i64::MAX.into() => format!("{number}LL"),
                _ => format!("{number}ULL"),
            })
        }
        // Infinities and what is no number have names only in headers.
        Value::Float(..) => {
            let text = value.to_string();
            text.chars().all(|c| c.is_ascii_digit() || "+-.e".contains(c)).then_some(text)
        }
        Value::Ptr { object: ObjectRef::NONE, offset: 0 } => Some("0".to_owned()),
        Value::Bv { .. } | Value::Ptr { .. } => None,
    }
}
