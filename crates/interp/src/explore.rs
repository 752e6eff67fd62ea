//! All runs of a small program: every schedule, every value of a given domain, without reduction.
//!
//! States are visited once. A state is known again by its fingerprint, for which names of threads
//! and objects are canonical ([`crate::layout`]), dead local variables have no value, and dead
//! objects that nothing points to are forgotten.

use std::collections::BTreeSet;
use std::fmt;

use ravelin_base::{Budget, Exhausted, SrcPos};
use ravelin_cfa::{Program, Sort};
use rustc_hash::FxHashSet;

use crate::chooser::{Chooser, Pick, ValueOrigin, ValueRequest};
use crate::code::Place;
use crate::compile::Compiled;
use crate::layout::Naming;
use crate::machine::{Machine, Progress, Stop};
use crate::outcome::Outcome;
use crate::run::RunConfig;
use crate::schedule::{Move, MoveKind};
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
        Sort::Bv(_) | Sort::Float(_) | Sort::Ptr => None,
    }
}

/// Why an exploration is incomplete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExploreError {
    /// The domain of this open value was not given.
    OpenValue { origin: ValueOrigin, sort: Sort, pos: SrcPos },
    /// A limit was reached.
    Exhausted(Exhausted),
    /// There are more states than allowed.
    TooManyStates(usize),
}

impl fmt::Display for ExploreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExploreError::OpenValue { sort, pos, .. } => {
                write!(f, "any value of sort {sort} is possible at line {}", pos.line)
            }
            ExploreError::Exhausted(exhausted) => exhausted.fmt(f),
            ExploreError::TooManyStates(count) => write!(f, "more than {count} states"),
        }
    }
}

impl std::error::Error for ExploreError {}

/// The result of an exploration.
#[derive(Clone, Debug)]
pub struct Exploration {
    pub outcomes: BTreeSet<Outcome>,
    /// How many states there are.
    pub states: usize,
    /// How many steps lead from one to another.
    pub steps: usize,
}

/// The outcomes of all runs.
pub fn all_outcomes(
    program: &Program,
    config: &ExploreConfig,
    domain: InputDomain<'_>,
) -> Result<BTreeSet<Outcome>, ExploreError> {
    explore(program, config, domain).map(|exploration| exploration.outcomes)
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
    let mut result = Exploration { outcomes: BTreeSet::new(), states: 0, steps: 0 };
    let mut machine = match Machine::new(&code, choices, Naming::Canonical, quota) {
        Ok(machine) => machine,
        Err(stop) => {
            result.outcomes.insert(*stop);
            return Ok(result);
        }
    };
    let mut budget = config.budget.clone();
    let mut seen = FxHashSet::default();
    let mut work = vec![machine.state.clone()];
    let mut moves = Vec::new();
    seen.insert(Fingerprint::of(&machine.state));
    while let Some(state) = work.pop() {
        state.moves(
            &code,
            &machine.layout,
            &mut machine.scratch,
            config.spurious_wakeups,
            &mut moves,
        );
        if state.live.is_empty() {
            result.outcomes.insert(Outcome::Exit(0));
        } else if moves.first().is_none_or(|first| first.kind == MoveKind::Spurious) {
            // That somebody wakes up without reason may happen, but need not.
            let waiting = state.waiting(&code, &machine.layout, &mut machine.scratch);
            result.outcomes.insert(Outcome::Deadlock(waiting));
        }
        for &next in &moves {
            machine.chooser.taken.clear();
            loop {
                budget.tick().map_err(ExploreError::Exhausted)?;
                result.steps += 1;
                match step(&mut machine, &state, next) {
                    Ok(()) => {
                        if seen.insert(Fingerprint::of(&machine.state)) {
                            work.push(machine.state.clone());
                        }
                    }
                    Err(stop) => {
                        result.outcomes.insert(*stop);
                    }
                }
                if let Some(request) = machine.chooser.open {
                    let ValueRequest { origin, sort, pos, .. } = request;
                    return Err(ExploreError::OpenValue { origin, sort, pos });
                }
                if !machine.chooser.advance() {
                    break;
                }
            }
        }
        if seen.len() > config.max_states {
            return Err(ExploreError::TooManyStates(config.max_states));
        }
    }
    result.states = seen.len();
    Ok(result)
}

/// Makes the state after a move that of the machine.
fn step(machine: &mut Machine<'_, Choices<'_>>, state: &State, next: Move) -> Result<(), Stop> {
    machine.state.clone_from(state);
    machine.chooser.at = 0;
    machine.log.output.clear();
    machine.log.schedule = Default::default();
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
            for slot in 0..machine.code.names.procs[frame.proc].vars.len() {
                if !liveness.is_live(frame.pc, slot) {
                    thread.locals.clear(base + slot);
                }
            }
            // The result of the call above will overwrite what is there.
            let result = thread.frames.get(index + 1).and_then(|callee| callee.result);
            if let Some(Place::Local(slot)) = result {
                thread.locals.clear(base + slot as usize);
            }
        }
    }
    let mut memory = std::mem::replace(&mut machine.state.memory, crate::memory::Memory::new(8));
    memory.bury(|index| machine.state.references(index));
    machine.state.memory = memory;
}

/// Goes through all choices of one step, one after the other.
#[derive(Clone)]
struct Choices<'a> {
    domain: InputDomain<'a>,
    /// The choices of this round: which of how many.
    taken: Vec<(usize, usize)>,
    at: usize,
    /// A value whose domain is not known.
    open: Option<ValueRequest>,
}

impl fmt::Debug for Choices<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Choices").field("taken", &self.taken).finish_non_exhaustive()
    }
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
