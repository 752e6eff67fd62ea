//! All runs of a small program: every schedule, every value of a given domain, without reduction.
//!
//! States are visited once. A state is known again by its fingerprint, for which names of threads
//! and objects are canonical ([`crate::layout`]), dead local variables have no value, and dead
//! objects that nothing points to are forgotten.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use ravelin_base::{Budget, Exhausted, SrcPos};
use ravelin_cfa::{Program, Sort};
use rustc_hash::FxHashSet;

use crate::chooser::{Chooser, Pick, ValueOrigin, ValueRequest};
use crate::code::Place;
use crate::compile::Compiled;
use crate::layout::Naming;
use crate::log::Picked;
use crate::machine::{Machine, Progress, Stop};
use crate::memory::Memory;
use crate::outcome::{Limit, Outcome};
use crate::run::RunConfig;
use crate::schedule::{Move, MoveKind, Schedule};
use crate::shared::Fingerprint;
use crate::state::State;
use crate::thread::ThreadId;

/// What an exploration may use.
#[derive(Clone, Debug)]
pub struct ExploreConfig {
    /// A step of a thread is a tick.
    pub budget: Budget,
    pub max_states: usize,
    /// Whether waits on condition variables may end without a signal (POSIX allows it).
    pub spurious_wakeups: bool,
}

impl Default for ExploreConfig {
    fn default() -> Self {
        ExploreConfig { budget: Budget::unlimited(), max_states: 4_000_000, spurious_wakeups: true }
    }
}

/// The values an open value may have; `None` if they are too many to try.
pub type InputDomain<'a> = &'a dyn Fn(&ValueRequest) -> Option<Vec<i128>>;

/// Both Booleans, and nothing else.
pub fn booleans(request: &ValueRequest) -> Option<Vec<i128>> {
    match request.sort {
        Sort::Bool | Sort::Bv(1) => Some(vec![0, 1]),
        Sort::Bv(_) | Sort::Float(_) | Sort::Ptr | Sort::Mem => None,
    }
}

/// Why an exploration is incomplete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExploreError {
    /// The domain of this open value was not given.
    OpenValue { origin: ValueOrigin, sort: Sort, pos: SrcPos },
    /// There are more states than allowed.
    TooManyStates(usize),
    /// Another limit was reached.
    Limit(Limit),
}

impl From<Exhausted> for ExploreError {
    fn from(exhausted: Exhausted) -> Self {
        ExploreError::Limit(exhausted.into())
    }
}

impl fmt::Display for ExploreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExploreError::OpenValue { sort, pos, .. } => {
                write!(f, "any value of sort {sort} is possible at line {}", pos.line)
            }
            ExploreError::TooManyStates(count) => write!(f, "more than {count} states"),
            ExploreError::Limit(limit) => limit.fmt(f),
        }
    }
}

impl std::error::Error for ExploreError {}

/// The result of an exploration.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// The outcomes of all runs, each with a schedule that leads to it. Violated assumptions are
    /// not among them: they end what is no run.
    pub outcomes: BTreeMap<Outcome, Schedule>,
    /// How many states there are.
    pub states: usize,
    /// How many steps lead from one to another or to an outcome.
    pub steps: usize,
}

/// The outcomes of all runs.
pub fn all_outcomes(
    program: &Program,
    config: &ExploreConfig,
    domain: InputDomain<'_>,
) -> Result<BTreeSet<Outcome>, ExploreError> {
    explore(program, config, domain).map(|exploration| exploration.outcomes.into_keys().collect())
}

/// Visits all states.
pub fn explore(
    program: &Program,
    config: &ExploreConfig,
    domain: InputDomain<'_>,
) -> Result<Exploration, ExploreError> {
    let code = Compiled::new(program);
    let choices = Choices { domain, taken: Vec::new(), at: 0, open: None };
    let quota = RunConfig::default().quota();
    let machine = match Machine::new(&code, choices, Naming::Canonical, quota) {
        Ok(machine) => machine,
        Err(stop) => {
            let outcomes = BTreeMap::from([(*stop, Schedule::default())]);
            return Ok(Exploration { outcomes, states: 0, steps: 0 });
        }
    };
    let initial = machine.state.clone();
    let mut explorer = Explorer {
        machine,
        seen: FxHashSet::from_iter([Fingerprint::of(&initial)]),
        work: vec![(initial.clone(), None)],
        arrivals: Vec::new(),
        outcomes: BTreeMap::new(),
        steps: 0,
    };
    explorer.visit_all(config)?;
    let outcomes = std::mem::take(&mut explorer.outcomes);
    Ok(Exploration {
        outcomes: outcomes
            .into_iter()
            .map(|(outcome, last)| (outcome, explorer.schedule(&initial, last)))
            .collect(),
        states: explorer.seen.len(),
        steps: explorer.steps,
    })
}

struct Explorer<'p, 'd> {
    machine: Machine<'p, Choices<'d>>,
    seen: FxHashSet<Fingerprint>,
    /// States to go on from, and how they were reached.
    work: Vec<(State, Option<u32>)>,
    arrivals: Vec<Arrival>,
    /// The last step before each outcome.
    outcomes: BTreeMap<Outcome, Option<u32>>,
    steps: usize,
}

/// A step by which a state was reached first.
struct Arrival {
    before: Option<u32>,
    next: Move,
    choices: Box<[usize]>,
}

impl Explorer<'_, '_> {
    fn visit_all(&mut self, config: &ExploreConfig) -> Result<(), ExploreError> {
        let mut budget = config.budget.clone();
        let mut moves = Vec::new();
        while let Some((state, arrival)) = self.work.pop() {
            let Machine { code, layout, scratch, .. } = &mut self.machine;
            state.moves(code, layout, scratch, config.spurious_wakeups, &mut moves);
            if state.live.is_empty() {
                self.end(Outcome::Exit(0), arrival)?;
            } else if moves.first().is_none_or(|first| first.kind == MoveKind::Spurious) {
                // That somebody wakes up without reason may happen, but need not.
                let waiting = state.waiting(code, layout, scratch);
                self.end(Outcome::Deadlock(waiting), arrival)?;
            }
            for &next in &moves {
                self.machine.chooser.taken.clear();
                loop {
                    budget.tick()?;
                    self.make(&state, arrival, next)?;
                    if self.seen.len() > config.max_states {
                        return Err(ExploreError::TooManyStates(config.max_states));
                    }
                    if !self.machine.chooser.advance() {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes a move with the choices of this round.
    fn make(&mut self, state: &State, before: Option<u32>, next: Move) -> Result<(), ExploreError> {
        self.steps += 1;
        let result = step(&mut self.machine, state, next);
        if let Some(ValueRequest { origin, sort, pos, .. }) = self.machine.chooser.open {
            return Err(ExploreError::OpenValue { origin, sort, pos });
        }
        let choices = self.machine.chooser.taken.iter().map(|&(index, _)| index).collect();
        let arrival = Arrival { before, next, choices };
        match result {
            Ok(()) => {
                if self.seen.insert(Fingerprint::of(&self.machine.state)) {
                    self.work.push((self.machine.state.clone(), Some(self.arrivals.len() as u32)));
                    self.arrivals.push(arrival);
                }
                Ok(())
            }
            Err(stop) if self.outcomes.contains_key(&stop) => Ok(()),
            Err(stop) => {
                self.arrivals.push(arrival);
                self.end(*stop, Some(self.arrivals.len() as u32 - 1))
            }
        }
    }

    fn end(&mut self, outcome: Outcome, last: Option<u32>) -> Result<(), ExploreError> {
        match outcome {
            Outcome::AssumeViolated { .. } => {}
            Outcome::OutOfBudget(limit) => return Err(ExploreError::Limit(limit)),
            Outcome::Exit(_)
            | Outcome::Error { .. }
            | Outcome::Aborted { .. }
            | Outcome::Deadlock(_)
            | Outcome::InvalidMemory { .. }
            | Outcome::Leak { .. }
            | Outcome::Race(_)
            | Outcome::Undefined { .. }
            | Outcome::Unsupported { .. } => {
                self.outcomes.entry(outcome).or_insert(last);
            }
        }
        Ok(())
    }

    /// The schedule of the steps up to `last`, by making them again.
    fn schedule(&mut self, initial: &State, last: Option<u32>) -> Schedule {
        let mut path = Vec::new();
        let mut at = last;
        while let Some(index) = at {
            path.push(index);
            at = self.arrivals[index as usize].before;
        }
        let (mut moves, mut values) = (Vec::new(), Vec::new());
        let mut state = initial.clone();
        // A run numbers threads in the order of their creation.
        let mut order = state.live.clone();
        for index in path.into_iter().rev() {
            let Arrival { next, choices, .. } = &self.arrivals[index as usize];
            let number = order.iter().position(|id| *id == next.thread).unwrap_or(0);
            moves.push(Move { thread: ThreadId(number as u32), kind: next.kind });
            // How many there were does not matter for making them again.
            let taken = &mut self.machine.chooser.taken;
            taken.clear();
            taken.extend(choices.iter().map(|&choice| (choice, choice + 1)));
            let result = step(&mut self.machine, &state, *next);
            let begun = values.len();
            values.extend_from_slice(self.machine.log.schedule.values());
            for Picked { at, among } in &self.machine.log.picks {
                renumber(&mut values[begun + at], among, &order);
            }
            if result.is_err() {
                break;
            }
            let new = self.machine.state.live.iter().filter(|id| !order.contains(id));
            let new: Vec<ThreadId> = new.copied().collect();
            order.extend(new);
            state.clone_from(&self.machine.state);
        }
        Schedule::new(moves, values)
    }
}

/// Makes an index into threads in the order of their canonical names one into the same threads in the
/// order of their creation, as a run has them.
fn renumber(index: &mut i128, among: &[ThreadId], order: &[ThreadId]) {
    let created = |id: &ThreadId| order.iter().position(|other| other == id);
    // Behind them is what is no thread of the list.
    if let Some(picked) = usize::try_from(*index).ok().and_then(|index| among.get(index)) {
        let before = among.iter().filter(|other| created(other) < created(picked)).count();
        *index = before as i128;
    }
}

/// Makes the state after a move that of the machine.
fn step(machine: &mut Machine<'_, Choices<'_>>, state: &State, next: Move) -> Result<(), Stop> {
    machine.state.clone_from(state);
    machine.chooser.at = 0;
    machine.log.output.clear();
    machine.log.schedule = Schedule::default();
    machine.log.picks.clear();
    // A blocked move changes nothing, and the state is known.
    let _: Progress = machine.step(next)?;
    normalise(machine, next.thread);
    Ok(())
}

/// Removes from a state what cannot matter any more.
fn normalise<C: Chooser>(machine: &mut Machine<'_, C>, id: ThreadId) {
    if let Some(Some(shared)) = machine.state.threads.get_mut(id.index()) {
        let thread = shared.get_mut();
        for (index, frame) in thread.frames.iter().enumerate() {
            let liveness = machine.code.liveness(frame.proc);
            let base = frame.base as usize;
            // A variable of the source tracks memory until its frame ends, whether it is read or not.
            let program = machine.code.program;
            let tracks = program.tracks_memory();
            let vars = &machine.code.names.slots.frames[frame.proc].vars;
            let stays = |slot: usize| tracks && !program.is_temporary(vars[slot]);
            for slot in 0..machine.code.names.slots.frames[frame.proc].vars.len() {
                if !liveness.is_live(frame.pc, slot as u32) && !stays(slot) {
                    thread.locals.clear(base + slot);
                }
            }
            // The result of the call above will overwrite what is there.
            let result = thread.frames.get(index + 1).and_then(|callee| callee.result);
            if let Some(Place::Local(slot)) = result
                && !stays(slot as usize)
            {
                thread.locals.clear(base + slot as usize);
            }
        }
    }
    let placeholder = Memory::new(machine.state.memory.pointer_bytes());
    let mut memory = std::mem::replace(&mut machine.state.memory, placeholder);
    memory.bury(|index| machine.state.references(index));
    machine.state.memory = memory;
}

/// Goes through all choices of one step, one after the other.
struct Choices<'a> {
    domain: InputDomain<'a>,
    /// The choices of this round: which of how many.
    taken: Vec<(usize, usize)>,
    at: usize,
    /// A value whose domain is not known.
    open: Option<ValueRequest>,
}

impl Choices<'_> {
    fn choose(&mut self, count: usize) -> usize {
        if self.at == self.taken.len() {
            self.taken.push((0, count));
        }
        self.at += 1;
        self.taken[self.at - 1].0
    }

    /// Turns to the next round; whether there is one.
    fn advance(&mut self) -> bool {
        while let Some((index, count)) = self.taken.pop() {
            if index + 1 < count {
                self.taken.push((index + 1, count));
                return true;
            }
        }
        false
    }
}

impl Chooser for Choices<'_> {
    fn next(&mut self, _: &[Move]) -> usize {
        0
    }

    fn value(&mut self, request: &ValueRequest) -> i128 {
        let domain = (self.domain)(request).unwrap_or_default();
        if domain.is_empty() {
            self.open = self.open.or(Some(*request));
            return 0;
        }
        let index = self.choose(domain.len());
        domain.get(index).copied().unwrap_or(0)
    }

    fn pick(&mut self, _: Pick, count: usize) -> usize {
        self.choose(count)
    }
}
