//! The steps of an execution for a report: what each reads and writes, where pointers lead, and which locks are held.

use std::collections::BTreeMap;

use ravelin_base::{EntityRef, SrcPos};
use ravelin_cfa::{Callee, Object, ObjectKind, Op, Proc, Program, Var, VarKind, ops};
use ravelin_interp::{
    Action, Cell, Event, ObjectRef, ObservedObject, ThreadId, Value, WriteTarget,
};
use ravelin_report::model::{
    Frame, LockChange, Place, Pointing, Position, Read, Step, Thread, Trace, Write,
};

use crate::execution::Execution;
use crate::frames::{Frames, Names};
use crate::steps::{Annotator, Key, Lock, Locks, MarkKind, thread_names};
use crate::trace::{Flow, flow};

/// The source files that a trace names, in the order of their first mention.
#[derive(Debug, Default)]
pub struct Files {
    pub names: Vec<String>,
}

impl Files {
    /// A position, if it is in a file.
    pub fn position(&mut self, program: &Program, pos: SrcPos) -> Option<Position> {
        let name = program.name(pos.file);
        if pos.is_none() || name.starts_with('<') {
            return None;
        }
        let file = self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        });
        Some(Position { file, line: pos.line, column: pos.column })
    }
}

/// The trace of an execution that was recorded with every access. Its steps have no text yet.
pub fn step_trace(execution: &Execution, files: &mut Files) -> Trace {
    let program = &execution.program;
    let names = thread_names(execution);
    let builder = Builder {
        program,
        files,
        threads: names.keys().copied().collect(),
        thread_names: names.values().cloned().collect(),
        annotator: Annotator::new(execution, &names),
        names: Names::of(program),
        frames: Frames::new(program),
        live: BTreeMap::new(),
        steps: Vec::new(),
        key: None,
    };
    let steps = builder.steps(&execution.events);
    let thread = |(id, name): (&ThreadId, &String)| Thread { number: id.0, name: name.clone() };
    Trace { threads: names.iter().map(thread).collect(), steps }
}

struct Builder<'a> {
    program: &'a Program,
    files: &'a mut Files,
    threads: Vec<ThreadId>,
    thread_names: Vec<String>,
    annotator: Annotator<'a>,
    names: Names<'a>,
    frames: Frames<'a>,
    /// The variables and cells that have a value now.
    live: BTreeMap<Spot, Live>,
    steps: Vec<Step>,
    /// Distinguishes the last step from others.
    key: Option<Key>,
}

/// A variable or a cell that has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Spot {
    /// A local variable of the call at this depth.
    Local(ThreadId, usize, Var),
    /// A thread-local variable.
    OfThread(ThreadId, Var),
    Shared(Var),
    Cell(ObjectRef, u64),
}

/// How a trace shows a variable or cell.
#[derive(Clone, Debug)]
struct Live {
    place: Place,
    /// In bytes; 0 for variables.
    length: u64,
    is_pointer: bool,
}

/// The calls, returns and ends of lifetimes in an event.
struct Turn {
    flow: Flow,
    /// The procedure that is called.
    callee: Option<Proc>,
    /// The variable that gets its result.
    result: Option<Var>,
    /// Objects whose scope ends.
    ended: Vec<Object>,
    /// Whether memory is freed.
    frees: bool,
}

impl Builder<'_> {
    fn steps(mut self, events: &[Event]) -> Vec<Step> {
        if let Some(entry) = self.program.entry {
            self.frames.enter(ThreadId::MAIN, self.thread(ThreadId::MAIN), entry, None);
        }
        let next = next_procs(events);
        for (event, next) in events.iter().zip(next) {
            self.event(event, next);
        }
        self.steps
    }

    /// Adds an event; `next` is the procedure that its thread is in afterwards.
    fn event(&mut self, event: &Event, next: Option<Proc>) {
        let thread = event.thread;
        let locks = self.annotator.locks.clone();
        let place = self.annotator.place(event);
        let marks = self.annotator.marks(event, place.in_model);
        let turn = self.turn(event, next);
        let mut step = Step {
            thread: self.thread(thread),
            at: self.files.position(self.program, place.pos),
            function: self.program.name(self.program.procs[place.key.proc].name).to_owned(),
            occurrence: self.frames.innermost_of_source(thread).map_or(1, |frame| frame.occurrence),
            ..Step::default()
        };
        for mark in marks {
            match mark.kind {
                MarkKind::Sync | MarkKind::Thread => step.notes.push(mark.text),
                MarkKind::Input => step.inputs.extend(mark.input),
                // The writes and reads below have these.
                MarkKind::Private | MarkKind::Shared => {}
            }
        }
        for &(object, instance) in event.begins.iter().flat_map(|begins| &begins.objects) {
            let earlier = self.frames.begin(thread, object, instance);
            earlier.into_iter().for_each(|earlier| self.end_object(earlier, &mut step));
        }
        self.variables(event, place.in_model, &turn, &mut step);
        for access in &event.accesses {
            self.action(event, &access.action, &turn, &mut step);
        }
        for object in &turn.ended {
            let ended = self.frames.end(thread, *object);
            ended.into_iter().for_each(|instance| self.end_object(instance, &mut step));
        }
        match (turn.flow, turn.callee) {
            (Flow::Call, Some(callee)) => {
                self.frames.enter(thread, step.thread, callee, turn.result);
                self.params(event, thread, &mut step);
            }
            (Flow::Return, _) => self.leave(thread, &mut step),
            (Flow::Call, None) | (Flow::On, _) => {}
        }
        self.locks(&locks, &mut step);
        self.add(place.key, step);
    }

    fn turn(&self, event: &Event, next: Option<Proc>) -> Turn {
        let mut turn = Turn {
            flow: flow(self.program, event),
            callee: None,
            result: None,
            ended: Vec::new(),
            frees: false,
        };
        let edge = event.edge.map(|edge| &self.program.procs[event.proc].edges[edge]);
        for label in edge.into_iter().flat_map(|edge| &edge.labels) {
            label.walk(&mut |label| match &label.op {
                Op::Call { dst, callee, .. } => {
                    turn.result = *dst;
                    turn.callee = match callee {
                        Callee::Direct(proc) => Some(*proc),
                        Callee::Pointer(_) => next,
                    };
                }
                Op::ScopeEnd(object) => turn.ended.push(*object),
                Op::Free { .. } | Op::Realloc { .. } => turn.frees = true,
                ops!(data, access, thread, section, remark, end)
                | Op::Claim(_)
                | Op::HavocMemory { .. }
                | Op::ScopeBegin(_)
                | Op::Alloc { .. }
                | Op::Return { .. }
                | Op::Inspect { .. }
                | Op::Sync { .. }
                | Op::Choice(_) => {}
            });
        }
        turn
    }

    fn locks(&self, before: &Locks, step: &mut Step) {
        let change = |lock: &Lock, owners: Vec<usize>| LockChange {
            lock: lock.name.clone(),
            local_to: self.frames.owner(lock.instance).cloned(),
            owners,
        };
        for (lock, holders) in &self.annotator.locks {
            if before.get(lock) != Some(holders) {
                let owners = holders.iter().map(|&holder| self.thread(holder)).collect();
                step.locks.push(change(lock, owners));
            }
        }
        for lock in before.keys().filter(|lock| !self.annotator.locks.contains_key(*lock)) {
            step.locks.push(change(lock, Vec::new()));
        }
    }

    /// Merges events on a line, without another thread or line in between, into one step.
    fn add(&mut self, key: Key, step: Step) {
        let is_empty = step.notes.is_empty()
            && step.inputs.is_empty()
            && step.reads.is_empty()
            && step.writes.iter().all(|write| write.value.is_none());
        match self.steps.last_mut() {
            // Ends of lifetimes that are on no line belong to the step before.
            Some(last) if self.key == Some(key) || step.at.is_none() && is_empty => {
                last.notes.extend(step.notes);
                last.inputs.extend(step.inputs);
                last.reads.extend(step.reads);
                last.writes.extend(step.writes);
                last.points_to.extend(step.points_to);
                last.locks.extend(step.locks);
            }
            None if step.at.is_none() && is_empty => {}
            Some(_) | None => {
                self.steps.push(step);
                self.key = Some(key);
            }
        }
    }

    /// The position of a thread in the list of threads.
    fn thread(&self, thread: ThreadId) -> usize {
        self.threads.iter().position(|&known| known == thread).unwrap_or(0)
    }

    /// Whether there is more than one thread.
    fn has_several(&self) -> bool {
        self.threads.len() > 1
    }

    /// Adds the changes of local variables. Shared variables are among the accesses.
    fn variables(&mut self, event: &Event, in_model: bool, turn: &Turn, step: &mut Step) {
        let thread = event.thread;
        let result_of = match turn.flow {
            Flow::Return => self.frames.top(thread).and_then(|open| open.result),
            Flow::Call | Flow::On => None,
        };
        let last = event.writes.len().saturating_sub(1);
        for (index, write) in event.writes.iter().enumerate() {
            let WriteTarget::Var(var) = write.target else { continue };
            let is_result = index == last && result_of == Some(var);
            let open = match is_result {
                true => self.frames.caller(thread),
                false => self.frames.top(thread),
            };
            let is_hidden = match is_result {
                true => open.is_some_and(|open| open.in_model),
                false => in_model,
            };
            if !is_hidden && let Some(frame) = open.map(|open| open.frame.clone()) {
                self.local(thread, frame, var, write.value, step);
            }
        }
    }

    /// Adds the parameters of the call that a thread is in now.
    fn params(&mut self, event: &Event, thread: ThreadId, step: &mut Step) {
        let Some(open) = self.frames.top(thread).filter(|open| !open.in_model) else { return };
        let frame = open.frame.clone();
        for write in event.begins.iter().flat_map(|begins| &begins.params) {
            let WriteTarget::Var(var) = write.target else { continue };
            self.local(thread, frame.clone(), var, write.value, step);
        }
    }

    /// Adds the value of a local or thread-local variable.
    fn local(&mut self, thread: ThreadId, frame: Frame, var: Var, value: Value, step: &mut Step) {
        let data = &self.program.vars[var];
        // Temporaries are Ravelin's own.
        if self.program.name(data.name).contains('%') {
            return;
        }
        let (spot, frame) = match data.kind {
            VarKind::Local(_) => (Spot::Local(thread, frame.depth, var), Some(frame)),
            VarKind::ThreadLocal { .. } => {
                (Spot::OfThread(thread, var), self.frames.first(thread).cloned())
            }
            VarKind::Global { .. } => return,
        };
        let place = Place { object: self.names.var(var), part: String::new(), local_to: frame };
        let text = self.value(value, data.signed, place.local_to.as_ref());
        let live = Live { place, length: 0, is_pointer: false };
        self.written(spot, live, text, Some(value), false, step);
    }

    fn action(&mut self, event: &Event, action: &Action, turn: &Turn, step: &mut Step) {
        match action {
            Action::ReadVar { var, value } => {
                let signed = self.program.vars[*var].signed;
                step.reads.push(Read {
                    place: self.names.var(*var),
                    local_to: None,
                    value: self.value(*value, signed, None),
                    shared: self.has_several() && self.annotator.shared.has_var(*var),
                });
            }
            Action::WriteVar { var, value } => {
                let signed = self.program.vars[*var].signed;
                let place =
                    Place { object: self.names.var(*var), part: String::new(), local_to: None };
                let text = self.value(*value, signed, None);
                let shared = self.has_several() && self.annotator.shared.has_var(*var);
                let live = Live { place, length: 0, is_pointer: false };
                self.written(Spot::Shared(*var), live, text, Some(*value), shared, step);
            }
            Action::ReadMemory { cell, value, .. } => {
                let Some(place) = self.cell(event.thread, cell) else { return };
                let holder = place.local_to.as_ref();
                let value = value.map(|value| self.value(value, true, holder));
                step.reads.push(Read {
                    place: text_of(&place),
                    local_to: place.local_to,
                    value: value.unwrap_or_else(|| "…".to_owned()),
                    shared: self.has_several() && self.annotator.shared.has(cell),
                });
            }
            Action::WriteMemory { cell, value: None, .. } if turn.frees => {
                self.end_object(cell.instance, step);
            }
            Action::WriteMemory { cell, length, value } => {
                let Some(place) = self.cell(event.thread, cell) else { return };
                self.overwrite(cell, *length, step);
                let holder = place.local_to.as_ref();
                let text = value.map(|value| self.value(value, true, holder));
                let shared = self.has_several() && self.annotator.shared.has(cell);
                let live = Live { place, length: *length, is_pointer: false };
                let spot = Spot::Cell(cell.instance, cell.offset);
                let text = text.unwrap_or_else(|| "…".to_owned());
                self.written(spot, live, text, *value, shared, step);
            }
            Action::Start { thread, routine } => {
                self.frames.enter(*thread, self.thread(*thread), *routine, None);
                self.params(event, *thread, step);
            }
            Action::End => {
                while self.frames.top(event.thread).is_some() {
                    self.leave(event.thread, step);
                }
            }
            Action::Join { .. } | Action::AtomicBegin | Action::AtomicEnd | Action::Sync(_) => {}
        }
    }

    /// The place of a cell; none if it is local to a library function.
    fn cell(&mut self, thread: ThreadId, cell: &Cell) -> Option<Place> {
        if let Some(ObservedObject::Object(object)) = cell.object
            && self.program.objects[object].kind == ObjectKind::ThreadLocal
        {
            self.frames.meet_of_thread(thread, cell.instance);
        }
        (!self.frames.is_of_model(cell.instance)).then(|| self.place(cell.instance, cell.offset))
    }

    fn place(&self, instance: ObjectRef, offset: u64) -> Place {
        let object = match self.annotator.objects.origin(instance) {
            Some(ObservedObject::Object(object)) => self.names.object(object),
            Some(ObservedObject::Allocated(_) | ObservedObject::Environment(_)) | None => {
                self.annotator.objects.place(instance, 0)
            }
        };
        let part = if offset == 0 { String::new() } else { format!("+{offset}") };
        Place { object, part, local_to: self.frames.owner(instance).cloned() }
    }

    /// A value as text. A pointer to a local names the call of that local, unless the pointer is local to the same
    /// call.
    fn value(&self, value: Value, signed: bool, holder: Option<&Frame>) -> String {
        let text = self.annotator.objects.value(value, signed);
        let Value::Ptr { object, .. } = value else { return text };
        match self.frames.owner(object) {
            Some(owner) if holder != Some(owner) => {
                format!("{text} of {}", self.call_name(owner))
            }
            Some(_) | None => text,
        }
    }

    /// The name of a call in texts.
    fn call_name(&self, frame: &Frame) -> String {
        let Frame { thread, function, occurrence, depth } = frame;
        let thread = self.thread_names.get(*thread).map_or("", String::as_str);
        if *depth == 0 {
            return thread.to_owned();
        }
        let number = if *occurrence > 1 { format!("#{occurrence}") } else { String::new() };
        match self.has_several() {
            true => format!("{function}{number} in {thread}"),
            false => format!("{function}{number}"),
        }
    }

    /// Adds a write, and a change of a pointer if the place held or holds one.
    fn written(
        &mut self,
        spot: Spot,
        mut live: Live,
        text: String,
        value: Option<Value>,
        shared: bool,
        step: &mut Step,
    ) {
        let target = value.and_then(|value| self.target(value));
        live.is_pointer = target.is_some();
        let place = live.place.clone();
        let was_pointer = self.live.insert(spot, live).is_some_and(|old| old.is_pointer);
        step.writes.push(Write {
            place: text_of(&place),
            local_to: place.local_to.clone(),
            value: Some(text),
            shared,
        });
        if target.is_some() || was_pointer {
            step.points_to.push(Pointing { from: place, to: target });
        }
    }

    /// The target of a value, if it is a pointer to an object or null.
    fn target(&self, value: Value) -> Option<Place> {
        let Value::Ptr { object, offset } = value else { return None };
        match object {
            ObjectRef::NONE if offset == 0 => {
                Some(Place { object: "NULL".to_owned(), part: String::new(), local_to: None })
            }
            ObjectRef::NONE => None,
            object => Some(self.place(object, offset)),
        }
    }

    /// Ends the innermost call of a thread, and its locals.
    fn leave(&mut self, thread: ThreadId, step: &mut Step) {
        let Some((frame, objects)) = self.frames.leave(thread) else { return };
        let (first, depth) = (Var::new(0), frame.depth);
        self.end_from(
            Spot::Local(thread, depth, first),
            |spot| matches!(*spot, Spot::Local(of, at, _) if (of, at) == (thread, depth)),
            step,
        );
        objects.into_iter().for_each(|instance| self.end_object(instance, step));
        if depth == 0 {
            let is_own = |spot: &Spot| matches!(*spot, Spot::OfThread(of, _) if of == thread);
            self.end_from(Spot::OfThread(thread, first), is_own, step);
        }
    }

    fn end_object(&mut self, instance: ObjectRef, step: &mut Step) {
        let is_inside = |spot: &Spot| matches!(*spot, Spot::Cell(of, _) if of == instance);
        self.end_from(Spot::Cell(instance, 0), is_inside, step);
    }

    /// Ends the values of other cells that overlap with these bytes: their new values are not known.
    fn overwrite(&mut self, cell: &Cell, length: u64, step: &mut Step) {
        let end = cell.offset.saturating_add(length);
        let range = Spot::Cell(cell.instance, 0)..Spot::Cell(cell.instance, end);
        let hit: Vec<Spot> = self
            .live
            .range(range)
            .filter_map(|(spot, live)| match *spot {
                Spot::Cell(_, offset) => {
                    let is_hit = offset != cell.offset && offset + live.length > cell.offset;
                    is_hit.then_some(*spot)
                }
                Spot::Local(..) | Spot::OfThread(..) | Spot::Shared(_) => None,
            })
            .collect();
        self.end(hit, step);
    }

    /// Ends the values of consecutive places from here on.
    fn end_from(&mut self, from: Spot, is_gone: impl Fn(&Spot) -> bool, step: &mut Step) {
        let gone = self.live.range(from..).map(|(spot, _)| *spot).take_while(is_gone).collect();
        self.end(gone, step);
    }

    fn end(&mut self, gone: Vec<Spot>, step: &mut Step) {
        for live in gone.into_iter().filter_map(|spot| self.live.remove(&spot)) {
            let place = live.place;
            let (text, local_to) = (text_of(&place), place.local_to.clone());
            // A parameter whose address is taken is a variable and an object, and ends once.
            let is_there = step.writes.iter().any(|write| {
                write.value.is_none() && write.place == text && write.local_to == local_to
            });
            if !is_there {
                step.writes.push(Write { place: text, local_to, value: None, shared: false });
            }
            if live.is_pointer {
                step.points_to.push(Pointing { from: place, to: None });
            }
        }
    }
}

fn text_of(place: &Place) -> String {
    format!("{}{}", place.object, place.part)
}

/// For each event the procedure that its thread is in at its next one.
fn next_procs(events: &[Event]) -> Vec<Option<Proc>> {
    let mut coming: BTreeMap<ThreadId, Proc> = BTreeMap::new();
    let mut next: Vec<Option<Proc>> =
        events.iter().rev().map(|event| coming.insert(event.thread, event.proc)).collect();
    next.reverse();
    next
}
