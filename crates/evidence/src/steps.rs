//! The steps of an execution with several threads, as lines of source with the actions of threads on each other.

use std::collections::{BTreeMap, HashMap};

use ravelin_base::{SrcPos, Symbol};
use ravelin_cfa::{HavocKind, Op, Proc, Program, SyncOp, Var, sync_ops};
use ravelin_interp::{
    Action, Cell, Event, MoveKind, ObjectRef, ObservedObject, SyncAction, ThreadId, Value,
    WriteTarget,
};

use crate::execution::Execution;
use crate::trace::{Flow, flow, value_text};

/// What a thread did on a line, without another thread or line in between.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) key: Key,
    pub(crate) pos: SrcPos,
    /// It reached the end of the procedure, which is on no line.
    pub(crate) is_end: bool,
    pub(crate) marks: Vec<Mark>,
    /// The threads that hold locks after it.
    pub(crate) locks: Locks,
}

/// Distinguishes rows, whatever the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) thread: ThreadId,
    pub(crate) proc: Proc,
    pub(crate) file: Symbol,
    pub(crate) line: u32,
    /// How many calls are open.
    pub(crate) depth: usize,
}

/// An annotation of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) kind: MarkKind,
    /// The variable or memory that the text is about, where the last of several counts.
    what: Option<String>,
    pub(crate) text: String,
    /// The function that gave an input, and its value.
    pub(crate) input: Option<(String, String)>,
}

impl Mark {
    fn new(kind: MarkKind, what: Option<String>, text: String) -> Mark {
        Mark { kind, what, text, input: None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkKind {
    /// A change that no other thread sees in this execution.
    Private,
    /// A read or write of memory that several threads access.
    Shared,
    Sync,
    /// The beginning, end or join of a thread.
    Thread,
    Input,
}

/// The holders of the locks that are held.
pub(crate) type Locks = BTreeMap<Lock, Vec<ThreadId>>;

/// A lock; several may have the same name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Lock {
    pub(crate) name: String,
    pub(crate) instance: ObjectRef,
    offset: u64,
}

impl Row {
    /// Whether neither other threads nor a reader of the trace need to know it.
    pub(crate) fn is_private(&self) -> bool {
        self.marks.iter().all(|mark| mark.kind == MarkKind::Private)
    }

    pub(crate) fn begins_or_ends_threads(&self) -> bool {
        self.marks.iter().any(|mark| mark.kind == MarkKind::Thread)
    }
}

/// The names of the threads: the function that each began with, and a number where several began with the
/// same.
pub(crate) fn thread_names(execution: &Execution) -> BTreeMap<ThreadId, String> {
    let program = &execution.program;
    let mut routines = BTreeMap::new();
    if let Some(entry) = program.entry {
        routines.insert(ThreadId::MAIN, program.name(program.procs[entry].name));
    }
    for access in execution.events.iter().flat_map(|event| &event.accesses) {
        if let Action::Start { thread, routine } = access.action {
            routines.insert(thread, program.name(program.procs[routine].name));
        }
    }
    let several = |name: &str| routines.values().filter(|other| **other == name).count() > 1;
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    routines
        .iter()
        .map(|(&thread, &name)| {
            let number = numbers.entry(name).or_default();
            *number += 1;
            let name = if several(name) { format!("{name} {number}") } else { name.to_owned() };
            (thread, name)
        })
        .collect()
}

/// The rows of an execution.
pub(crate) fn rows_of(execution: &Execution, names: &BTreeMap<ThreadId, String>) -> Vec<Row> {
    let mut annotator = Annotator::new(execution, names);
    let mut rows: Vec<Row> = Vec::new();
    for event in &execution.events {
        let place = annotator.place(event);
        let marks = annotator.marks(event, place.in_model);
        let Place { key, pos, in_model: _ } = place;
        let is_end = event.edge.is_none();
        match rows.last_mut() {
            Some(last) if last.key == key || is_end && last.key.thread == key.thread => {
                marks.into_iter().for_each(|mark| add(&mut last.marks, mark));
            }
            // The end of a procedure needs no row.
            _ if (is_end || pos.is_none()) && marks.is_empty() => continue,
            _ => rows.push(Row { key, pos, is_end, marks, locks: Locks::new() }),
        }
        if let Some(last) = rows.last_mut() {
            last.locks.clone_from(&annotator.locks);
        }
    }
    for row in &mut rows {
        // The write of the handle adds nothing to the start of the thread.
        if row.begins_or_ends_threads() {
            row.marks.retain(|mark| mark.kind != MarkKind::Private);
        }
    }
    rows
}

/// Of several values of a private variable, the last counts; equal marks in a row are one.
fn add(marks: &mut Vec<Mark>, mark: Mark) {
    if mark.kind == MarkKind::Shared && marks.last() == Some(&mark) {
        return;
    }
    match marks.iter_mut().find(|old| old.what.is_some() && old.what == mark.what) {
        Some(old) => old.text = mark.text,
        None => marks.push(mark),
    }
}

/// The place that a trace gives for a step.
pub(crate) struct Place {
    pub(crate) key: Key,
    pub(crate) pos: SrcPos,
    /// The step is inside a library function; its place is the call.
    pub(crate) in_model: bool,
}

/// Makes the marks of events, in order: tracks open calls and held locks.
pub(crate) struct Annotator<'a> {
    program: &'a Program,
    names: &'a BTreeMap<ThreadId, String>,
    pub(crate) objects: Objects<'a>,
    pub(crate) shared: Shared,
    /// The open calls, with the place of each.
    frames: HashMap<ThreadId, Vec<(Key, SrcPos)>>,
    pub(crate) locks: Locks,
}

impl<'a> Annotator<'a> {
    pub(crate) fn new(
        execution: &'a Execution,
        names: &'a BTreeMap<ThreadId, String>,
    ) -> Annotator<'a> {
        Annotator {
            program: &execution.program,
            names,
            objects: Objects::of(execution),
            shared: Shared::of(execution),
            frames: HashMap::new(),
            locks: Locks::new(),
        }
    }

    pub(crate) fn place(&mut self, event: &Event) -> Place {
        let frames = self.frames.entry(event.thread).or_default();
        let pos = event.pos;
        // Names in angle brackets are not files.
        let in_model = self.program.name(pos.file).starts_with('<');
        let own = Key {
            thread: event.thread,
            proc: event.proc,
            file: pos.file,
            line: pos.line,
            depth: frames.len(),
        };
        let (key, pos) = match frames.last() {
            Some(&call) if in_model => call,
            Some(_) | None => (own, pos),
        };
        match flow(self.program, event) {
            Flow::Call => frames.push((key, pos)),
            Flow::Return => {
                frames.pop();
            }
            Flow::On => {}
        }
        Place { key, pos, in_model }
    }

    pub(crate) fn marks(&mut self, event: &Event, in_model: bool) -> Vec<Mark> {
        let mut marks = Vec::new();
        let mut add_text = |kind, text: String| marks.push(Mark::new(kind, None, text));
        match event.kind {
            MoveKind::Step => {}
            MoveKind::Timeout => add_text(MarkKind::Sync, "gives up waiting".to_owned()),
            MoveKind::Spurious => add_text(MarkKind::Sync, "wakes up without a signal".to_owned()),
        }
        self.variables(event, in_model, &mut marks);
        for access in &event.accesses {
            if let Some(mark) = self.action(event.thread, &access.action) {
                add(&mut marks, mark);
            }
        }
        marks
    }

    /// Inputs, and the variables of the thread that change.
    fn variables(&self, event: &Event, in_model: bool, marks: &mut Vec<Mark>) {
        let program = self.program;
        let mut inputs = Vec::new();
        if let Some(edge) = event.edge {
            for label in &program.procs[event.proc].edges[edge].labels {
                label.walk(&mut |label| {
                    if let Op::Havoc {
                        dst,
                        kind: HavocKind::Input(name) | HavocKind::Extern(name),
                    } = label.op
                    {
                        inputs.push((dst, program.name(name)));
                    }
                });
            }
        }
        for write in &event.writes {
            let WriteTarget::Var(var) = write.target else { continue };
            let data = &program.vars[var];
            let name = program.name(data.name);
            let value = self.objects.value(write.value, data.signed);
            if let Some((_, input)) = inputs.iter().find(|(dst, _)| *dst == var) {
                // Columns are narrow.
                let input = input.strip_prefix("__VERIFIER_").unwrap_or(input);
                let (kind, input) = (MarkKind::Input, format!("{input}()"));
                let text = format!("{input} = {value}");
                marks.push(Mark { input: Some((input, value)), ..Mark::new(kind, None, text) });
            } else if !program.is_shared_var(var) && !name.contains('%') && !in_model {
                let what = Some(name.to_owned());
                add(marks, Mark::new(MarkKind::Private, what, format!("{name} = {value}")));
            }
        }
    }

    fn action(&mut self, thread: ThreadId, action: &Action) -> Option<Mark> {
        let other = |thread: &ThreadId| match self.names.get(thread) {
            Some(name) => name.clone(),
            None => thread.to_string(),
        };
        let about = |kind, text: String| Some(Mark::new(kind, None, text));
        match action {
            Action::ReadVar { var, value } if self.shared.has_var(*var) => {
                let data = &self.program.vars[*var];
                let value = self.objects.value(*value, data.signed);
                about(MarkKind::Shared, format!("R {} = {value}", self.program.name(data.name)))
            }
            Action::ReadVar { .. } => None,
            Action::WriteVar { var, value } => {
                let data = &self.program.vars[*var];
                let name = self.program.name(data.name);
                let value = self.objects.value(*value, data.signed);
                Some(written(name.to_owned(), Some(value), self.shared.has_var(*var)))
            }
            Action::ReadMemory { cell, length: _, value } if self.shared.has(cell) => {
                let name = self.objects.cell(cell);
                let value = value.map(|value| self.objects.value(value, true));
                about(MarkKind::Shared, format!("R {}", equation(&name, value)))
            }
            Action::ReadMemory { .. } => None,
            Action::WriteMemory { cell, length: _, value } => {
                // The type is not known here; most integers are signed.
                let value = value.map(|value| self.objects.value(value, true));
                let shared = self.shared.has(cell);
                Some(written(self.objects.cell(cell), value, shared))
            }
            Action::Start { thread, routine: _ } => {
                about(MarkKind::Thread, format!("starts {}", other(thread)))
            }
            Action::Join { thread } => about(MarkKind::Thread, format!("joins {}", other(thread))),
            Action::End => about(MarkKind::Thread, "ends".to_owned()),
            Action::AtomicBegin | Action::AtomicEnd => None,
            Action::Sync(sync) => {
                let name = self.objects.cell(&sync.object);
                let woken: Vec<String> = sync.woken.iter().map(other).collect();
                let text = sync_text(sync, thread, &name, &woken.join(", "))?;
                let Cell { instance, offset, object: _ } = sync.object;
                let lock = Lock { name, instance, offset };
                if sync.holders.is_empty() {
                    self.locks.remove(&lock);
                } else {
                    self.locks.insert(lock, sync.holders.clone());
                }
                about(MarkKind::Sync, text)
            }
        }
    }
}

fn equation(name: &str, value: Option<String>) -> String {
    match value {
        Some(value) => format!("{name} = {value}"),
        None => format!("{name} …"),
    }
}

fn written(name: String, value: Option<String>, shared: bool) -> Mark {
    let text = equation(&name, value);
    match shared {
        true => Mark::new(MarkKind::Shared, None, format!("W {text}")),
        false => Mark::new(MarkKind::Private, Some(name), text),
    }
}

/// What an operation on a synchronisation object does, if a trace shows it.
fn sync_text(sync: &SyncAction, thread: ThreadId, name: &str, woken: &str) -> Option<String> {
    let done = sync.result == Some(0);
    let text = match sync.op {
        SyncOp::MutexLock | SyncOp::MutexTryLock | SyncOp::MutexTimedLock => {
            if done {
                format!("locks {name}")
            } else {
                format!("does not get {name}")
            }
        }
        SyncOp::RwReadLock | SyncOp::RwTryReadLock if done => format!("locks {name} to read"),
        SyncOp::RwWriteLock | SyncOp::RwTryWriteLock if done => format!("locks {name} to write"),
        SyncOp::RwReadLock
        | SyncOp::RwTryReadLock
        | SyncOp::RwWriteLock
        | SyncOp::RwTryWriteLock => format!("does not get {name}"),
        // A recursive mutex may still be held.
        SyncOp::MutexUnlock | SyncOp::RwUnlock if sync.holders.contains(&thread) => {
            format!("unlocks {name} once")
        }
        SyncOp::MutexUnlock | SyncOp::RwUnlock => format!("unlocks {name}"),
        SyncOp::CondWait | SyncOp::CondTimedWait => format!("waits for {name}"),
        SyncOp::CondSignal | SyncOp::CondBroadcast if woken.is_empty() => {
            format!("signals {name}, nobody waits")
        }
        SyncOp::CondSignal | SyncOp::CondBroadcast => format!("signals {name}, wakes {woken}"),
        SyncOp::BarrierWait if sync.result.is_none() => format!("waits at {name}"),
        SyncOp::BarrierWait if woken.is_empty() => format!("passes {name}"),
        SyncOp::BarrierWait => format!("passes {name} with {woken}"),
        SyncOp::SemWait | SyncOp::SemTryWait if done => format!("takes one from {name}"),
        SyncOp::SemWait | SyncOp::SemTryWait => format!("finds {name} at 0"),
        SyncOp::SemPost => format!("adds one to {name}"),
        sync_ops!(life) | SyncOp::SemGetValue => return None,
    };
    Some(text)
}

/// The variables and memory that threads share in an execution: more than one thread reads or writes them. Reads of
/// the last line count, too, for they are why the execution ends.
pub(crate) struct Shared {
    vars: HashMap<Var, Toucher>,
    objects: HashMap<ObjectRef, Toucher>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Toucher {
    One(ThreadId),
    Several,
}

impl Shared {
    fn of(execution: &Execution) -> Shared {
        let mut shared = Shared { vars: HashMap::new(), objects: HashMap::new() };
        for event in &execution.events {
            shared.touch(event, Toucher::One(event.thread));
        }
        if let Some(last) = execution.events.last() {
            let line = |event: &Event| (event.thread, event.pos.file, event.pos.line);
            let of_last = |event: &&Event| line(event) == line(last);
            for event in execution.events.iter().rev().take_while(of_last) {
                shared.touch(event, Toucher::Several);
            }
        }
        shared
    }

    fn touch(&mut self, event: &Event, by: Toucher) {
        for access in &event.accesses {
            let toucher = match &access.action {
                Action::ReadVar { var, .. } | Action::WriteVar { var, .. } => {
                    self.vars.entry(*var).or_insert(by)
                }
                Action::ReadMemory { cell, .. } | Action::WriteMemory { cell, .. } => {
                    self.objects.entry(cell.instance).or_insert(by)
                }
                Action::Start { .. }
                | Action::Join { .. }
                | Action::End
                | Action::AtomicBegin
                | Action::AtomicEnd
                | Action::Sync(_) => continue,
            };
            if *toucher != by {
                *toucher = Toucher::Several;
            }
        }
    }

    pub(crate) fn has_var(&self, var: Var) -> bool {
        self.vars.get(&var) == Some(&Toucher::Several)
    }

    pub(crate) fn has(&self, cell: &Cell) -> bool {
        self.objects.get(&cell.instance) == Some(&Toucher::Several)
    }
}

/// The names of objects in memory.
pub(crate) struct Objects<'a> {
    program: &'a Program,
    /// The origin of each instance, and its number among those that were allocated at the same place.
    known: HashMap<ObjectRef, (ObservedObject, usize)>,
}

impl<'a> Objects<'a> {
    pub(crate) fn of(execution: &'a Execution) -> Objects<'a> {
        let mut known = HashMap::new();
        let mut numbers: HashMap<(Symbol, u32), usize> = HashMap::new();
        let mut meet = |instance: ObjectRef, object: ObservedObject| {
            known.entry(instance).or_insert_with(|| {
                let number = match object {
                    ObservedObject::Allocated(pos) => {
                        let number = numbers.entry((pos.file, pos.line)).or_default();
                        *number += 1;
                        *number
                    }
                    ObservedObject::Object(_) | ObservedObject::Environment(_) => 1,
                };
                (object, number)
            });
        };
        for event in &execution.events {
            let params = event.begins.iter().flat_map(|begins| &begins.params);
            for write in params.chain(&event.writes) {
                if let (Value::Ptr { object, .. }, Some(observed)) = (write.value, write.object) {
                    meet(object, observed);
                }
                if let Some(Cell { instance, object: Some(observed), .. }) = write.cell.as_deref() {
                    meet(*instance, *observed);
                }
            }
            for access in &event.accesses {
                let cell = match &access.action {
                    Action::ReadMemory { cell, .. } | Action::WriteMemory { cell, .. } => cell,
                    Action::Sync(sync) => &sync.object,
                    Action::ReadVar { .. }
                    | Action::WriteVar { .. }
                    | Action::Start { .. }
                    | Action::Join { .. }
                    | Action::End
                    | Action::AtomicBegin
                    | Action::AtomicEnd => continue,
                };
                if let Some(object) = cell.object {
                    meet(cell.instance, object);
                }
            }
        }
        Objects { program: &execution.program, known }
    }

    /// The origin of an instance.
    pub(crate) fn origin(&self, instance: ObjectRef) -> Option<ObservedObject> {
        self.known.get(&instance).map(|(object, _)| *object)
    }

    pub(crate) fn cell(&self, cell: &Cell) -> String {
        self.place(cell.instance, cell.offset)
    }

    pub(crate) fn place(&self, instance: ObjectRef, offset: u64) -> String {
        let name = match self.known.get(&instance) {
            Some((ObservedObject::Object(object), _)) => {
                self.program.name(self.program.objects[*object].name).to_owned()
            }
            Some((ObservedObject::Allocated(pos), 1)) => format!("heap:{}", pos.line),
            Some((ObservedObject::Allocated(pos), number)) => format!("heap:{}#{number}", pos.line),
            Some((ObservedObject::Environment(number), _)) => format!("environment:{number}"),
            None => "memory".to_owned(),
        };
        if offset == 0 { name } else { format!("{name}+{offset}") }
    }

    pub(crate) fn value(&self, value: Value, signed: bool) -> String {
        match value {
            Value::Ptr { object, offset } if self.known.contains_key(&object) => {
                format!("&{}", self.place(object, offset))
            }
            Value::Ptr { .. } | Value::Bool(_) | Value::Bv { .. } | Value::Float(..) => {
                value_text(value, signed)
            }
        }
    }
}
