//! Runs an execution of the analysed automaton again in that of the source.
//!
//! Passes made the one from the other: they dropped what does not matter, put calls in place of their
//! callees and steps together. What both have in common is what threads do to each other: which global
//! variables and memory they read and write, in which order, what they lock and whom they start. So the
//! execution is written down as a list of such deeds, and the threads of the source are let go until
//! they have done the same in the same order. On the way they may do more, which the passes dropped.
//! Inputs are matched by where they are taken, thread by thread.
//!
//! Nothing depends on this being right: the execution that comes out is one of the source, and it counts
//! only if it ends with the error.

use std::collections::{BTreeMap, VecDeque};

use ravelin_analysis::verdict::Unconfirmed;
use ravelin_base::{Budget, SrcPos};
use ravelin_cfa::{HavocKind, Program, Reason, Sort, VarKind, print};
use ravelin_interp::{
    Cell, Chooser, Deed, Event, Interpreter, Move, MoveKind, ObservedObject, Pick, Replay, Run,
    RunConfig, ThreadId, Value, ValueOrigin, ValueRequest,
};

use crate::replay::{Replayed, judged};

/// No longer execution is followed: `ravelin run` ends by itself after so many steps.
const MAX_STEPS: u64 = 10_000_000;

/// Threads that went another way may go on without end, and every step is recorded.
const MAX_STEPS_OF_THREADS: u64 = 1_000_000;

/// Runs `source`, from which passes made `program`, so that it does what `run` did in that. What the
/// passes dropped does not matter, so an input that the script does not have next is zero.
pub fn replay_in_source(
    source: &Program,
    program: &Program,
    run: &Run,
    budget: Budget,
) -> Result<Replayed, Unconfirmed> {
    let config = RunConfig { budget, trace: true, ..RunConfig::default() };
    let script = Script::of(program, run, &config);
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
        // With one thread there is nothing to compare.
        if !concurrent {
            break;
        }
    }
    // There is one: the list above is not empty.
    Err(failure
        .unwrap_or(Unconfirmed { outcome: "nothing".to_owned(), reason: Reason::Diverged(None) }))
}

/// How much alike deeds have to be to count as the same. The more, the surer; but passes change
/// positions now and then: what a function that was put in place of its call returns to a global is
/// written where it returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Likeness {
    /// The same thing is done to the same object with the same value at the same place.
    Place,
    /// At any place.
    Value,
    /// With any value.
    Kind,
}

/// An execution by what it takes and what its threads do to each other.
#[derive(Clone, Debug, Default)]
struct Script {
    marks: Vec<Mark>,
    inputs: BTreeMap<ThreadId, VecDeque<(Place, i128)>>,
    /// Variables that were read before anything was assigned; globals are nobody's.
    variables: BTreeMap<(Option<ThreadId>, String), VecDeque<i128>>,
    picks: VecDeque<usize>,
    /// Whether functions without body changed memory.
    changes_memory: bool,
}

/// What a thread does next that others may notice.
#[derive(Clone, Debug)]
struct Mark {
    thread: ThreadId,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    /// It stops waiting for a condition variable, without reason.
    WakesUp,
    Does(Sign),
    /// It comes to the error.
    Ends,
}

/// A deed in words that two automata of the same source share.
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
    fn of(program: &Program, deed: &Deed, pos: SrcPos) -> Sign {
        let var = |var| program.name(program.vars[var].name).to_owned();
        // The numbers of objects are not the same in another program.
        let comparable = |value: Value| match value {
            Value::Ptr { .. } => None,
            Value::Bool(_) | Value::Bv { .. } | Value::Float(..) => Some(value),
        };
        let (kind, object, value) = match deed {
            Deed::ReadVar { var: read, value } => ("read", var(*read), comparable(*value)),
            Deed::WriteVar { var: written, value } => ("write", var(*written), comparable(*value)),
            Deed::ReadMemory { cell, length: _, value } => {
                ("load", place(program, cell), value.and_then(comparable))
            }
            Deed::WriteMemory { cell, length: _, value } => {
                ("store", place(program, cell), value.and_then(comparable))
            }
            Deed::Start { thread: _, routine } => {
                ("start", program.name(program.procs[*routine].name).to_owned(), None)
            }
            Deed::Join { thread } => ("join", thread.to_string(), None),
            Deed::End => ("end", String::new(), None),
            Deed::AtomicBegin => ("atomic begin", String::new(), None),
            Deed::AtomicEnd => ("atomic end", String::new(), None),
            Deed::Sync(sync) => (sync.op.info().name, place(program, &sync.object), None),
        };
        let file = if pos.is_none() { String::new() } else { program.name(pos.file).to_owned() };
        Sign { kind, object, value, file, line: pos.line, column: pos.column }
    }

    fn is_like(&self, other: &Sign, likeness: Likeness) -> bool {
        let same_kind = self.kind == other.kind && self.object == other.object;
        let same_value = || self.value == other.value;
        let same_place = || {
            // Where a thread ends is told differently by a return and by the end of its routine.
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
    /// Makes the run once more, to see what it takes.
    fn of(program: &Program, run: &Run, config: &RunConfig) -> Script {
        let replay = Replay::new(run.schedule.clone());
        let mut recorder = Recorder { program, replay, script: Script::default() };
        let again = Interpreter::new(program).run(&mut recorder, config);
        let mut script = recorder.script;
        for event in &again.trace {
            if event.kind == MoveKind::Spurious {
                script.marks.push(Mark { thread: event.thread, what: What::WakesUp });
            }
            for access in &event.accesses {
                let sign = Sign::of(program, &access.deed, access.pos);
                script.marks.push(Mark { thread: event.thread, what: What::Does(sign) });
            }
        }
        if let Some(last) = again.trace.last() {
            script.marks.push(Mark { thread: last.thread, what: What::Ends });
        }
        script
    }
}

/// Follows a schedule and notes what is asked.
struct Recorder<'a> {
    program: &'a Program,
    replay: Replay,
    script: Script,
}

impl Chooser for Recorder<'_> {
    fn next(&mut self, moves: &[Move]) -> usize {
        self.replay.next(moves)
    }

    fn value(&mut self, request: &ValueRequest) -> i128 {
        let value = self.replay.value(request);
        match variable_of(self.program, request) {
            Some(key) => self.script.variables.entry(key).or_default().push_back(value),
            None => {
                let place = Place::of(self.program, request);
                self.script.inputs.entry(request.thread).or_default().push_back((place, value));
            }
        }
        value
    }

    fn pick(&mut self, what: Pick, count: usize) -> usize {
        let index = self.replay.pick(what, count);
        self.script.picks.push_back(index);
        index
    }

    fn changes_memory(&mut self) -> bool {
        let changes = self.replay.changes_memory();
        self.script.changes_memory |= changes;
        changes
    }

    fn wake_up(&mut self, wakeups: &[Move]) -> Option<usize> {
        self.replay.wake_up(wakeups)
    }

    fn moved(&mut self, next: Move) {
        self.replay.moved(next);
    }
}

/// The variable that a request asks the value of, and whose it is.
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

/// Lets the threads of the source do what the script says.
struct Follower<'a> {
    source: &'a Program,
    script: Script,
    likeness: Likeness,
    /// The next mark.
    at: usize,
    /// How many atomic sections are open. Nobody else can move then, whoever is next.
    atomic: usize,
    last: ThreadId,
}

impl<'a> Follower<'a> {
    fn new(source: &'a Program, script: Script, likeness: Likeness) -> Self {
        Follower { source, script, likeness, at: 0, atomic: 0, last: ThreadId::MAIN }
    }

    /// The move that brings the next mark nearer, if there is one.
    fn toward_mark(&self, moves: &[Move]) -> Option<usize> {
        let mark = self.script.marks.get(self.at)?;
        let wakes_up = matches!(mark.what, What::WakesUp);
        moves.iter().position(|next| {
            next.thread == mark.thread && (next.kind == MoveKind::Spurious) == wakes_up
        })
    }

    /// Goes on to the mark after the next, if this was the next.
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
            // It cannot do this now, so it seems that it did it before, in other words.
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

    fn moved(&mut self, next: Move) {
        self.last = next.thread;
    }

    fn traced(&mut self, event: &Event) {
        if event.kind == MoveKind::Spurious {
            self.advance(event.thread, |what| matches!(what, What::WakesUp));
        }
        for access in &event.accesses {
            match access.deed {
                Deed::AtomicBegin => self.atomic += 1,
                Deed::AtomicEnd => self.atomic = self.atomic.saturating_sub(1),
                // If anybody is in such a section, it is this thread, and it leaves it.
                Deed::End => self.atomic = 0,
                Deed::ReadVar { .. }
                | Deed::WriteVar { .. }
                | Deed::ReadMemory { .. }
                | Deed::WriteMemory { .. }
                | Deed::Start { .. }
                | Deed::Join { .. }
                | Deed::Sync(_) => {}
            }
            let sign = Sign::of(self.source, &access.deed, access.pos);
            let likeness = self.likeness;
            self.advance(event.thread, |what| match what {
                What::Does(wanted) => wanted.is_like(&sign, likeness),
                What::WakesUp | What::Ends => false,
            });
        }
    }
}
