//! Finds an execution of the analysed automaton in that of the source, and records it.
//!
//! Passes made the analysed automaton from that of the source: they dropped what does not matter, put callees in place
//! of calls, and joined steps. Both automata share the actions of threads on each other: which global variables and
//! memory they read and write, in which order, which locks they take and which threads they start. The script of an
//! execution is the list of these actions. Each thread of the source moves until it has done its next action, in the
//! order of the list. On the way it may do more, which the passes dropped. Inputs are matched by the places that take
//! them, thread by thread.
//!
//! No answer depends on this: the result is an execution of the source, and it counts only if it ends with the error.

use std::collections::{BTreeMap, VecDeque};

use ravelin_analysis::race_mark;
use ravelin_analysis::verdict::Unconfirmed;
use ravelin_base::{Budget, SrcPos};
use ravelin_cfa::{HavocKind, Program, Property, Reason, Sort, VarKind, print};
use ravelin_interp::{
    Action, Cell, Chooser, EnvironmentChoice, Event, Interpreter, Move, MoveKind, NextAccess,
    ObservedObject, Pick, Run, RunConfig, ThreadId, Value, ValueOrigin, ValueRequest,
};

use crate::replay::{Replayed, judged};

/// The most steps of one thread: `ravelin run` stops after as many.
const MAX_STEPS: u64 = 10_000_000;

/// The most steps of several threads: those that leave the script may run without end, and every step is recorded.
const MAX_STEPS_OF_THREADS: u64 = 1_000_000;

/// Runs `source`, from which passes made `program`, so that it does what `run` did in `program`, and records every
/// access. `run` has its trace. The error does not depend on code that the passes dropped, so an input that is not the
/// next one of the script is zero.
pub fn record_in_source(
    source: &Program,
    program: &Program,
    run: &Run,
    budget: Budget,
) -> Result<Replayed, Unconfirmed> {
    let config = RunConfig { budget, trace: true, accesses: true, ..RunConfig::default() };
    let script = Script::of(program, run);
    let interpreter = Interpreter::new(source);
    let concurrent = program.is_concurrent();
    let max_steps = if concurrent { MAX_STEPS_OF_THREADS } else { MAX_STEPS };
    let mut failure = None;
    for likeness in [Likeness::Place, Likeness::Value, Likeness::Kind] {
        let mut chooser = Follower::new(source, script.clone(), likeness);
        let budget = config.budget.clone().with_steps(max_steps);
        let run = interpreter.run(&mut chooser, &RunConfig { budget, ..config.clone() });
        match judged(source, run) {
            Ok(replayed) => return Ok(replayed),
            Err(unconfirmed) => failure = failure.or(Some(unconfirmed)),
        }
        // One thread has no order of actions to compare.
        if !concurrent {
            break;
        }
    }
    // There is a failure: the list above is not empty.
    Err(failure
        .unwrap_or(Unconfirmed { outcome: "nothing".to_owned(), reason: Reason::Diverged(None) }))
}

/// How alike two actions have to be to count as the same. A stricter comparison is more reliable, but passes change some
/// positions: if a function was put in place of its call and its result is assigned to a global, the write is where
/// the function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Likeness {
    /// The same kind, object, value and place.
    Place,
    /// The same kind, object and value.
    Value,
    /// The same kind and object.
    Kind,
}

/// An execution as its environment inputs and the actions of its threads on each other.
#[derive(Clone, Debug, Default)]
struct Script {
    marks: Vec<Mark>,
    inputs: BTreeMap<ThreadId, VecDeque<(Place, i128)>>,
    /// Variables that were read before anything was assigned; globals have no thread.
    variables: BTreeMap<(Option<ThreadId>, String), VecDeque<i128>>,
    picks: VecDeque<usize>,
    /// Whether functions without body changed memory.
    changes_memory: bool,
}

/// The next thing that a thread does and others may notice.
#[derive(Clone, Debug)]
struct Mark {
    thread: ThreadId,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    /// It stops waiting for a condition variable without a signal.
    WakesUp,
    Does(Sign),
    /// It is about to access something for which it has a mark.
    Approaches(Approach),
    /// It reaches the error.
    Ends,
}

/// The access that a thread waits before while it has a mark (`ravelin_analysis::check_races`): the source has no marks.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Approach {
    writes: bool,
    file: String,
    line: u32,
    column: u32,
}

impl Approach {
    fn of(program: &Program, pos: SrcPos, writes: bool) -> Approach {
        let file = if pos.is_none() { String::new() } else { program.name(pos.file).to_owned() };
        Approach { writes, file, line: pos.line, column: pos.column }
    }
}

/// An action in words that two automata of the same source share.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sign {
    kind: &'static str,
    object: String,
    value: Option<Value>,
    file: String,
    line: u32,
    column: u32,
}

impl Sign {
    fn of(program: &Program, action: &Action, pos: SrcPos) -> Sign {
        let var = |var| program.name(program.vars[var].name).to_owned();
        // The numbers of objects are not the same in another program.
        let comparable = |value: Value| match value {
            Value::Ptr { .. } => None,
            Value::Bool(_) | Value::Bv { .. } | Value::Float(..) => Some(value),
        };
        let (kind, object, value) = match action {
            Action::ReadVar { var: read, value } => ("read", var(*read), comparable(*value)),
            Action::WriteVar { var: written, value } => {
                ("write", var(*written), comparable(*value))
            }
            Action::ReadMemory { cell, length: _, value } => {
                ("load", place(program, cell), value.and_then(comparable))
            }
            Action::WriteMemory { cell, length: _, value } => {
                ("store", place(program, cell), value.and_then(comparable))
            }
            Action::Start { thread: _, routine } => {
                ("start", program.name(program.procs[*routine].name).to_owned(), None)
            }
            Action::Join { thread } => ("join", thread.to_string(), None),
            Action::End => ("end", String::new(), None),
            Action::AtomicBegin => ("atomic begin", String::new(), None),
            Action::AtomicEnd => ("atomic end", String::new(), None),
            Action::Sync(sync) => (sync.op.info().name, place(program, &sync.object), None),
        };
        let file = if pos.is_none() { String::new() } else { program.name(pos.file).to_owned() };
        Sign { kind, object, value, file, line: pos.line, column: pos.column }
    }

    fn is_like(&self, other: &Sign, likeness: Likeness) -> bool {
        let same_kind = self.kind == other.kind && self.object == other.object;
        let same_value = || self.value == other.value;
        let same_place = || {
            // A return and the end of a routine give different positions for the end of a thread.
            matches!(self.kind, "write" | "end")
                || (&self.file, self.line, self.column) == (&other.file, other.line, other.column)
        };
        match likeness {
            Likeness::Place => same_kind && same_value() && same_place(),
            Likeness::Value => same_kind && same_value(),
            Likeness::Kind => same_kind,
        }
    }
}

/// Where in memory, by names.
fn place(program: &Program, cell: &Cell) -> String {
    let object = match cell.object {
        None => String::new(),
        Some(ObservedObject::Object(object)) => {
            program.name(program.objects[object].name).to_owned()
        }
        Some(ObservedObject::Allocated(pos)) => print::position(program, pos).to_string(),
        Some(ObservedObject::Environment(number)) => format!("environment {number}"),
    };
    format!("{object}+{}", cell.offset)
}

impl Script {
    fn of(program: &Program, run: &Run) -> Script {
        let mut script = Script::default();
        for event in &run.trace {
            let thread = event.thread;
            if event.kind == MoveKind::Spurious {
                script.marks.push(Mark { thread, what: What::WakesUp });
            }
            for choice in &event.choices {
                script.note_choice(program, choice);
            }
            for access in &event.accesses {
                if program.checked.contains(Property::NoDataRace)
                    && let Some(what) = instrumented(program, &access.action, access.pos)
                {
                    script.marks.extend(what.map(|what| Mark { thread, what }));
                    continue;
                }
                let sign = Sign::of(program, &access.action, access.pos);
                script.marks.push(Mark { thread, what: What::Does(sign) });
            }
        }
        if let Some(last) = run.trace.last() {
            script.marks.push(Mark { thread: last.thread, what: What::Ends });
        }
        script
    }

    fn note_choice(&mut self, program: &Program, choice: &EnvironmentChoice) {
        match choice {
            EnvironmentChoice::Value { request, value } => match variable_of(program, request) {
                Some(key) => self.variables.entry(key).or_default().push_back(*value),
                None => {
                    let place = Place::of(program, request);
                    self.inputs.entry(request.thread).or_default().push_back((place, *value));
                }
            },
            EnvironmentChoice::Pick(index) => self.picks.push_back(*index),
            EnvironmentChoice::ChangedMemory => self.changes_memory = true,
        }
    }
}

/// What an action comes to in the source, if it may be one of the checks for races.
fn instrumented(program: &Program, action: &Action, pos: SrcPos) -> Option<Option<What>> {
    match action {
        // Marks are set and taken back in sections of their own, which look like others.
        Action::AtomicBegin | Action::AtomicEnd => Some(None),
        Action::ReadVar { var, .. } if program.is_temporary(*var) => Some(None),
        Action::WriteVar { var, value } if program.is_temporary(*var) => {
            let about_to = match (race_mark(program, *var), value) {
                (true, Value::Bv { bits: 1, .. }) => Some(false),
                (true, Value::Bv { bits: 2, .. }) => Some(true),
                _ => None,
            };
            let approach = about_to.map(|writes| Approach::of(program, pos, writes));
            Some(approach.map(What::Approaches))
        }
        _ => None,
    }
}

/// The variable that a request asks the value of, and its thread.
fn variable_of(program: &Program, request: &ValueRequest) -> Option<(Option<ThreadId>, String)> {
    match request.origin {
        ValueOrigin::Variable(var) => {
            let data = &program.vars[var];
            let owner = match data.kind {
                VarKind::Global { .. } => None,
                VarKind::ThreadLocal { .. } | VarKind::Local(_) => Some(request.thread),
            };
            Some((owner, program.name(data.name).to_owned()))
        }
        ValueOrigin::Havoc(_) | ValueOrigin::Memory => None,
    }
}

/// Where an input is taken, in words that two automata of the same source share.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    kind: &'static str,
    function: String,
    sort: Sort,
    file: String,
    line: u32,
    column: u32,
}

impl Place {
    fn of(program: &Program, request: &ValueRequest) -> Self {
        let name = |symbol| program.name(symbol).to_owned();
        let (kind, function) = match request.origin {
            ValueOrigin::Memory => ("memory", String::new()),
            ValueOrigin::Variable(_) => ("variable", String::new()),
            ValueOrigin::Havoc(HavocKind::Input(function)) => ("input", name(function)),
            ValueOrigin::Havoc(HavocKind::Extern(function)) => ("extern", name(function)),
            ValueOrigin::Havoc(HavocKind::Uninitialised) => ("uninitialised", String::new()),
            ValueOrigin::Havoc(HavocKind::Unspecified) => ("unspecified", String::new()),
            ValueOrigin::Havoc(HavocKind::NotModelled(what)) => ("not modelled", name(what)),
        };
        let pos = request.pos;
        let file = if pos.is_none() { String::new() } else { name(pos.file) };
        Place { kind, function, sort: request.sort, file, line: pos.line, column: pos.column }
    }
}

/// Makes the threads of the source follow the script.
struct Follower<'a> {
    source: &'a Program,
    script: Script,
    likeness: Likeness,
    /// The next mark.
    at: usize,
    /// How many atomic sections are open. No other thread can move then, whichever the script names.
    atomic: usize,
    last: ThreadId,
    /// What threads are about to access.
    next: Vec<NextAccess>,
}

impl<'a> Follower<'a> {
    fn new(source: &'a Program, script: Script, likeness: Likeness) -> Self {
        Follower {
            source,
            script,
            likeness,
            at: 0,
            atomic: 0,
            last: ThreadId::MAIN,
            next: Vec::new(),
        }
    }

    /// The move that brings the next mark nearer, if there is one.
    fn toward_mark(&self, moves: &[Move]) -> Option<usize> {
        let mark = self.script.marks.get(self.at)?;
        let wakes_up = matches!(mark.what, What::WakesUp);
        moves.iter().position(|next| {
            next.thread == mark.thread && (next.kind == MoveKind::Spurious) == wakes_up
        })
    }

    /// Passes marks of threads that are where these want them.
    fn arrive(&mut self) {
        while let Some(Mark { thread, what: What::Approaches(wanted) }) =
            self.script.marks.get(self.at)
            && self.next.iter().any(|next| {
                next.thread == *thread
                    && Approach::of(self.source, next.pos, next.writes) == *wanted
            })
        {
            self.at += 1;
        }
    }

    /// Moves on to the following mark if the next one happened.
    fn advance(&mut self, thread: ThreadId, happened: impl Fn(&What) -> bool) {
        let next = self.script.marks.get(self.at);
        if next.is_some_and(|mark| mark.thread == thread && happened(&mark.what)) {
            self.at += 1;
        }
    }
}

impl Chooser for Follower<'_> {
    fn next(&mut self, moves: &[Move]) -> usize {
        loop {
            if let Some(index) = self.toward_mark(moves) {
                return index;
            }
            if self.atomic > 0 || self.at >= self.script.marks.len() {
                return moves.iter().position(|next| next.thread == self.last).unwrap_or(0);
            }
            // The thread cannot do this now, so it probably did it before in another form.
            self.at += 1;
        }
    }

    fn wake_up(&mut self, wakeups: &[Move]) -> Option<usize> {
        self.toward_mark(wakeups)
    }

    fn value(&mut self, request: &ValueRequest) -> i128 {
        let Script { inputs, variables, .. } = &mut self.script;
        if let Some(key) = variable_of(self.source, request) {
            return variables.get_mut(&key).and_then(VecDeque::pop_front).unwrap_or(0);
        }
        let place = Place::of(self.source, request);
        match inputs.get_mut(&request.thread) {
            Some(inputs) if inputs.front().is_some_and(|(next, _)| *next == place) => {
                inputs.pop_front().map_or(0, |(_, value)| value)
            }
            Some(_) | None => 0,
        }
    }

    fn pick(&mut self, _: Pick, count: usize) -> usize {
        self.script.picks.pop_front().unwrap_or(0).min(count - 1)
    }

    fn changes_memory(&mut self) -> bool {
        self.script.changes_memory
    }

    fn about_to(&mut self, next: &[NextAccess]) {
        self.next = next.to_vec();
    }

    fn moved(&mut self, next: Move) {
        self.last = next.thread;
    }

    fn traced(&mut self, event: &Event) {
        if event.kind == MoveKind::Spurious {
            self.advance(event.thread, |what| matches!(what, What::WakesUp));
        }
        for access in &event.accesses {
            match access.action {
                Action::AtomicBegin => self.atomic += 1,
                Action::AtomicEnd => self.atomic = self.atomic.saturating_sub(1),
                // Only this thread can be in an atomic section, and it leaves it.
                Action::End => self.atomic = 0,
                Action::ReadVar { .. }
                | Action::WriteVar { .. }
                | Action::ReadMemory { .. }
                | Action::WriteMemory { .. }
                | Action::Start { .. }
                | Action::Join { .. }
                | Action::Sync(_) => {}
            }
            let sign = Sign::of(self.source, &access.action, access.pos);
            let likeness = self.likeness;
            self.advance(event.thread, |what| match what {
                What::Does(wanted) => wanted.is_like(&sign, likeness),
                What::WakesUp | What::Approaches(_) | What::Ends => false,
            });
        }
        // With one move alone, nobody is asked which is next.
        self.arrive();
    }
}
