//! From an execution to a witness: the inputs it takes, the threads it starts, and the statements in which threads
//! interact.

use std::collections::HashMap;

use ravelin_base::SrcPos;
use ravelin_cfa::{Edge, HavocKind, Op, Program};
use ravelin_evidence::Execution;
use ravelin_frontend::outline::{Item, Kind};
use ravelin_interp::{Action, Event, ObjectRef, ThreadId, Value, WriteTarget};
use ravelin_term::FloatKind;

use crate::columns::Positions;
use crate::model::{Location, Segment, Waypoint, WaypointKind};
use crate::places::{self, Place, Sought, UnitText};
use crate::target::STARTS;

/// The waypoints of an execution of the program as it stands in the source. The last is the error.
pub fn segments(execution: &Execution, units: &[UnitText<'_>]) -> Vec<Segment> {
    let program = &execution.program;
    let has_threads = program.is_concurrent();
    let mut path = Path {
        program,
        units,
        positions: units.iter().map(|unit| Positions::of(*unit)).collect(),
        has_threads,
        is_clear: HashMap::new(),
        at: HashMap::new(),
        segments: Vec::new(),
    };
    for event in &execution.events {
        path.event(event);
    }
    if let Some(last) = execution.events.last() {
        path.target(last);
    }
    path.segments.into_iter().filter(|(_, is_kept)| *is_kept).map(|(segment, _)| segment).collect()
}

struct Path<'a> {
    program: &'a Program,
    units: &'a [UnitText<'a>],
    /// Of each unit.
    positions: Vec<Positions>,
    has_threads: bool,
    /// Whether the location of an item identifies it. Items that one macro makes share their location.
    is_clear: HashMap<Place, bool>,
    /// The frames of each thread.
    at: HashMap<ThreadId, Vec<Frame>>,
    /// Whether a segment that begins a statement is kept is known later.
    segments: Vec<(Segment, bool)>,
}

/// Where a call is.
#[derive(Clone, Debug, Default)]
struct Frame {
    statement: Option<Place>,
    /// The segment of its arrival there, if there is one.
    arrival: Option<usize>,
    /// The edges it took since its arrival.
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
        if self.has_threads && event.accesses.iter().any(|access| is_interaction(&access.action)) {
            self.keep_arrival(event.thread);
        }
        for label in &self.program.procs[event.proc].edges[edge].labels {
            match &label.op {
                Op::Havoc { dst, kind: HavocKind::Input(name) | HavocKind::Extern(name) } => {
                    let name = self.program.name(*name).to_owned();
                    let write = event.writes.iter().find(|it| it.target == WriteTarget::Var(*dst));
                    let signed = self.program.vars[*dst].signed;
                    // C has no literal for some values: the witness leaves these inputs out.
                    if let Some(value) = write.and_then(|write| literal(write.value, signed)) {
                        let value = Some(format!("\\result == {value}"));
                        self.call(event.thread, label.pos, &name, |name| {
                            WaypointKind::FunctionReturn(name, value)
                        });
                    }
                }
                Op::Start { .. } => {
                    let mut names = STARTS.iter();
                    let enter = WaypointKind::FunctionEnter;
                    if !names.any(|name| self.call(event.thread, label.pos, name, enter)) {
                        self.start_somehow(event.thread, label.pos);
                    }
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

    /// Adds a waypoint at an item. If its location is not clear, the waypoint has only the line, and is not strict: it
    /// may mean any item of that line.
    fn push(&mut self, thread: ThreadId, kind: WaypointKind, place: Place) {
        let sought = Sought::by(&kind);
        let is_clear = self.is_clear(place, &sought);
        let mut location = location_of(item_at(self.units, place), &sought);
        location.column = location.column.filter(|_| is_clear);
        self.push_at(thread, kind, location, is_clear);
    }

    fn push_at(
        &mut self,
        thread: ThreadId,
        kind: WaypointKind,
        location: Location,
        is_strict: bool,
    ) {
        let thread = self.has_threads.then_some(thread.0);
        let follow = Waypoint { kind, location, thread };
        self.segments.push((Segment { is_strict, ..Segment::to(follow) }, true));
    }

    /// A thread is started, but not by a call of a function of this name.
    fn start_somehow(&mut self, thread: ThreadId, pos: SrcPos) {
        let kind = WaypointKind::FunctionEnter(STARTS.first().map(|&name| name.to_owned()));
        let file = self.program.name(pos.file).to_owned();
        let location = Location { file, line: pos.line, column: None, function: None };
        self.push_at(thread, kind, location, false);
    }

    fn arrive(&mut self, event: &Event) {
        let Some(statement) = self.statement_at(event.pos) else { return };
        let is_branch = self.is_branch(statement);
        let units = self.units;
        let item = item_at(units, statement);
        let frames = self.at.entry(event.thread).or_default();
        if frames.is_empty() {
            frames.push(Frame::default());
        }
        let Some(frame) = frames.last_mut() else { return };
        // A thread that has to wait takes the same edge again, without another in between.
        let is_again = event.edge.is_some_and(|edge| {
            let data = &self.program.procs[event.proc].edges[edge];
            let waits = frame.taken.last() == Some(&edge) && data.source != data.target;
            frame.taken.contains(&edge) && !waits
        });
        let is_there = frame.statement == Some(statement);
        // A thread that takes an edge again arrived again; if a macro makes the statement, it may be a loop inside.
        if is_there && !(is_again && item.is_verbatim) {
            frame.taken.extend(event.edge);
            return;
        }
        // A thread that returns from inside a statement was there before.
        let is_back = !is_there
            && frame.statement.is_some_and(|before| {
                before.0 == statement.0 && item.encloses(item_at(units, before))
            });
        let taken = event.edge.into_iter().collect();
        let is_new = self.has_threads && !is_back && !is_branch;
        let arrival = is_new.then_some(self.segments.len());
        *frame = Frame { statement: Some(statement), arrival, taken };
        if is_new {
            self.push(event.thread, WaypointKind::Assumption("1".to_owned()), statement);
            if let Some((_, is_kept)) = self.segments.last_mut() {
                *is_kept = false;
            }
        }
    }

    /// A thread arrives at a loop once, however many rounds it takes; so branches have no waypoints.
    fn is_branch(&self, (unit, statement): Place) -> bool {
        let items = &self.units[unit].outline.items;
        let (item, next) = (&items[statement], items.get(statement + 1));
        next.is_some_and(|next| {
            matches!(next.kind, Kind::Branch { .. }) && next.range == item.range
        })
    }

    /// Keeps the segment in which a thread arrived at its statement: calls in the statement come after it.
    fn keep_arrival(&mut self, thread: ThreadId) {
        let frame = self.at.get(&thread).and_then(|frames| frames.last());
        if let Some(arrival) = frame.and_then(|frame| frame.arrival) {
            self.segments[arrival].1 = true;
        }
    }

    /// Adds a call of a function of this name, if there is one.
    fn call(
        &mut self,
        thread: ThreadId,
        pos: SrcPos,
        name: &str,
        kind: impl FnOnce(Option<String>) -> WaypointKind,
    ) -> bool {
        let units = self.units;
        let is_it = |item: &Item| matches!(&item.kind, Kind::Call { name: Some(called), .. } if called == name);
        let offsets = self.offsets_of(pos);
        let calls = |fits: &dyn Fn(&Item, usize) -> bool| -> Vec<Place> {
            let found = offsets.iter().filter_map(|&(unit, offset)| {
                let items = &units[unit].outline.items;
                let item = items.iter().rposition(|item| is_it(item) && fits(item, offset))?;
                Some((unit, item))
            });
            found.collect()
        };
        let mut found = calls(&|item, offset| item.range.start == offset);
        if found.is_empty() {
            found = calls(&|item, offset| item.range.contains(&offset));
        }
        let &[place] = found.as_slice() else { return false };
        self.keep_arrival(thread);
        self.push(thread, kind(Some(name.to_owned())), place);
        true
    }

    fn target(&mut self, last: &Event) {
        match self.statement_at(last.pos) {
            Some(statement) => self.push(last.thread, WaypointKind::Target, statement),
            None => {
                let file = self.program.name(last.pos.file).to_owned();
                let line = last.pos.line;
                let location = Location { file, line, column: None, function: None };
                self.push_at(last.thread, WaypointKind::Target, location, true);
            }
        }
    }

    /// Whether the location of an item is that of nothing else.
    fn is_clear(&mut self, place: Place, sought: &Sought) -> bool {
        let units = self.units;
        *self.is_clear.entry(place).or_insert_with(|| {
            let location = location_of(item_at(units, place), sought);
            // YAML witnesses do not name the function that is called.
            let sought = match sought {
                Sought::Call(_) => &Sought::Call(None),
                Sought::Statement | Sought::Condition | Sought::Switch | Sought::Loop => sought,
            };
            places::find(units, &location, sought).is_ok_and(|found| found == place)
        })
    }

    /// The tokens that may be at a position, and their units.
    fn offsets_of(&self, pos: SrcPos) -> Vec<(usize, usize)> {
        if pos.is_none() {
            return Vec::new();
        }
        let file = self.program.name(pos.file);
        let of_unit = |(unit, positions): (usize, &Positions)| -> Vec<(usize, usize)> {
            let offsets = positions.tokens_at(file, pos.line, pos.column);
            offsets.into_iter().map(|offset| (unit, offset)).collect()
        };
        self.positions.iter().enumerate().flat_map(of_unit).collect()
    }

    /// The innermost statement or declaration around a place; of those that a macro makes, the outermost
    /// in the line. None if it is not known which.
    fn statement_at(&self, pos: SrcPos) -> Option<Place> {
        let mut found = self.offsets_of(pos).into_iter().filter_map(|(unit, offset)| {
            let is_around = |item: &Item| item.is_statement() && item.range.contains(&offset);
            let items = &self.units[unit].outline.items;
            let innermost = items.iter().rposition(is_around)?;
            if items[innermost].is_verbatim {
                return Some((unit, innermost));
            }
            let in_line = |item: &Item| is_around(item) && item.start.line == pos.line;
            Some((unit, items.iter().position(in_line).unwrap_or(innermost)))
        });
        let first = found.next()?;
        found.all(|other| other == first).then_some(first)
    }
}

fn item_at<'a>(units: &[UnitText<'a>], (unit, item): Place) -> &'a Item {
    &units[unit].outline.items[item]
}

/// The location of an item in the source.
fn location_of(item: &Item, sought: &Sought) -> Location {
    let spot = sought.spot(item);
    Location {
        file: spot.file.clone(),
        line: spot.line,
        column: Some(spot.told),
        function: Some(item.function.clone()),
    }
}

/// Whether other threads may notice an action, or its result depends on them.
fn is_interaction(action: &Action) -> bool {
    match action {
        Action::ReadVar { .. }
        | Action::WriteVar { .. }
        | Action::ReadMemory { .. }
        | Action::WriteMemory { .. }
        | Action::Join { .. }
        | Action::Sync(_) => true,
        // A start has a waypoint of its own, and atomic sections have those of their accesses.
        Action::Start { .. } | Action::End | Action::AtomicBegin | Action::AtomicEnd => false,
    }
}

/// A value as a C literal, if C has one.
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
        Value::Float(kind, _) => float_literal(&value.to_string(), kind),
        Value::Ptr { object: ObjectRef::NONE, offset: 0 } => Some("0".to_owned()),
        Value::Bv { .. } | Value::Ptr { .. } => None,
    }
}

/// A float as a C literal: with the suffix of its type, or C would read another number, and with a point or an
/// exponent, or it would be an integer. Infinities and NaNs have names only in headers.
fn float_literal(text: &str, kind: FloatKind) -> Option<String> {
    let suffix = match kind {
        FloatKind::F32 => "f",
        FloatKind::F64 => "",
        FloatKind::F80 => "L",
        // Its suffix is not one of C.
        FloatKind::F128 => return None,
    };
    // Zeros are equal, whatever their signs, and the negation would have to be computed.
    let text = if text.trim_matches(['-', '0', '.']).is_empty() { "0" } else { text };
    let is_number = text.chars().all(|c| c.is_ascii_digit() || "+-.e".contains(c));
    let point = if text.contains(['.', 'e']) { "" } else { ".0" };
    is_number.then(|| format!("{text}{point}{suffix}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_have_the_type_they_had() {
        let float =
            |value: f32| literal(Value::Float(FloatKind::F32, value.to_bits().into()), true);
        let double =
            |value: f64| literal(Value::Float(FloatKind::F64, value.to_bits().into()), true);
        assert_eq!(float(0.1).as_deref(), Some("0.1f"));
        assert_eq!(float(-3.0).as_deref(), Some("-3.0f"));
        assert_eq!(double(0.1).as_deref(), Some("0.1"));
        assert_eq!(double(-0.0).as_deref(), Some("0.0"));
        assert!(double(1e20).is_some_and(|text| text.contains(['.', 'e'])));
        assert_eq!(double(f64::INFINITY), None);
        assert_eq!(float(f32::NAN), None);
    }
}
