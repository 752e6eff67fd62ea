//! The search through all states: the moves of threads, and which of them are made where the choice is made
//! in each state for itself.

use std::collections::BTreeSet;

use ravelin_base::{Budget, SrcPos};
use ravelin_cfa::ErrorKind;
use ravelin_interp::MoveKind;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::machine::{
    FINISHED, JOINED, Machine, PAST_BARRIER, REACQUIRING, RUNNING, Stop, WAITING, WAITING_TIMED,
};
use crate::order::Work;
use crate::path;
use crate::reduce::Reducer;
use crate::result::{Answer, Ending, Exploration, Reason};
use crate::{Options, Order, Reduction};

/// How a state was reached first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) before: u32,
    pub(crate) thread: u32,
    pub(crate) kind: MoveKind,
}

impl Arrival {
    fn pack(self) -> (u32, u32) {
        let kind = match self.kind {
            MoveKind::Step => 0,
            MoveKind::Timeout => 1,
            MoveKind::Spurious => 2,
        };
        (self.before, self.thread << 2 | kind)
    }

    fn unpack((before, word): (u32, u32)) -> Self {
        let kind = match word & 3 {
            0 => MoveKind::Step,
            1 => MoveKind::Timeout,
            _ => MoveKind::Spurious,
        };
        Arrival { before, thread: word >> 2, kind }
    }
}

/// An error that was found: from which state, by which move.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) state: u32,
    pub(crate) thread: u32,
    pub(crate) kind: MoveKind,
    pub(crate) choices: Vec<(u32, u32)>,
    pub(crate) error: (ErrorKind, SrcPos),
}

/// The clock and the memory are looked at once per so many states.
const STATES_PER_LOOK: usize = 256;

pub(crate) struct Search<'c, 'p, 'r> {
    pub(crate) machine: Machine<'c, 'p>,
    options: &'r Options,
    pub(crate) reducer: Option<Reducer<'r>>,
    arrivals: Vec<(u32, u32)>,
    is_expanded: Vec<bool>,
    work: Work,
    /// Where the global variable is that tells how far a state has come.
    goal: Option<usize>,
    pub(crate) endings: BTreeSet<Ending>,
    transitions: u64,
    /// Whether anything was ever left open.
    pub(crate) has_drawn: bool,
    found: Option<Found>,
    /// States that were searched for lost memory.
    searched: FxHashSet<u32>,
    /// Where the moves made last led.
    pub(crate) reached: Vec<Reached>,
}

/// Where a move led.
#[derive(Clone, Debug)]
pub(crate) struct Reached {
    pub(crate) state: u32,
    pub(crate) is_new: bool,
    /// How far it has come to the goal.
    progress: u16,
    /// Whether the thread is in the middle of an atomic section, where it has to wait: then nobody moves.
    pub(crate) is_stuck: bool,
    /// The threads that the move started.
    pub(crate) started: SmallVec<[u32; 2]>,
    /// The mutexes known by name that the thread holds now.
    pub(crate) held: u64,
}

impl<'c, 'p, 'r> Search<'c, 'p, 'r> {
    pub(crate) fn new(
        machine: Machine<'c, 'p>,
        options: &'r Options,
        reducer: Option<Reducer<'r>>,
    ) -> Self {
        let goal = match options.order {
            Order::Furthest(var) => machine.code.slots.globals.iter().position(|&it| it == var),
            Order::DepthFirst | Order::FewPreemptions => None,
        };
        Search {
            machine,
            options,
            reducer,
            arrivals: Vec::new(),
            is_expanded: Vec::new(),
            work: Work::new(options.order),
            goal,
            endings: BTreeSet::new(),
            transitions: 0,
            has_drawn: false,
            found: None,
            searched: FxHashSet::default(),
            reached: Vec::new(),
        }
    }

    pub(crate) fn run(mut self, initial: u32, budget: &mut Budget) -> Exploration {
        self.arrivals.push((u32::MAX, 0));
        let (own_bytes, result) = match self.options.reduction {
            Reduction::None | Reduction::Static => (0, self.visit_all(initial, budget)),
            Reduction::Dynamic => self.visit_dynamically(initial, budget),
        };
        let limit = result.err();
        let left_out = limit.clone().or_else(|| self.machine.incomplete.clone());
        let answer = match self.found.take() {
            Some(found) => {
                let (kind, pos) = found.error;
                match path::schedule(&mut self, initial, &found) {
                    Some(schedule) => Answer::Error { kind, pos, schedule },
                    None => Answer::Incomplete(Reason::PathLost),
                }
            }
            None => match left_out.clone().or_else(|| self.machine.doubt.clone()) {
                Some(reason) => Answer::Incomplete(reason),
                None => Answer::Complete,
            },
        };
        Exploration {
            answer,
            left_out,
            states: self.arrivals.len(),
            transitions: self.transitions,
            bytes: self.machine.store.bytes() + 9 * self.arrivals.len() + own_bytes,
            endings: self.endings,
            has_inputs: self.has_drawn,
            has_more_threads: self.machine.has_more_threads,
        }
    }

    pub(crate) fn arrival(&self, state: u32) -> Option<Arrival> {
        let arrival = self.arrivals[state as usize];
        (arrival.0 != u32::MAX).then(|| Arrival::unpack(arrival))
    }

    fn reserved_bytes(&self) -> usize {
        self.machine.store.reserved_bytes()
            + 8 * self.arrivals.capacity()
            + self.is_expanded.capacity()
            + self.work.reserved_bytes()
    }

    /// Whether an error was found that ends the search.
    pub(crate) fn is_over(&self) -> bool {
        self.found.is_some() && !self.options.all_endings
    }

    /// Counts a state that is visited; `own` are bytes beside those of the store.
    pub(crate) fn tick(
        &mut self,
        visited: &mut usize,
        own: usize,
        budget: &mut Budget,
    ) -> Result<(), Reason> {
        *visited += 1;
        budget.tick().map_err(Reason::Exhausted)?;
        if visited.is_multiple_of(STATES_PER_LOOK)
            && self.reserved_bytes() + own > self.options.max_bytes
        {
            return Err(Reason::Memory);
        }
        if self.arrivals.len() > self.options.max_states {
            return Err(Reason::TooManyStates(self.options.max_states));
        }
        match self.machine.incomplete.as_ref().or(self.machine.doubt.as_ref()) {
            Some(reason) if self.options.only_complete => Err(reason.clone()),
            Some(_) | None => Ok(()),
        }
    }

    fn visit_all(&mut self, initial: u32, budget: &mut Budget) -> Result<(), Reason> {
        let mut visited = 0;
        self.is_expanded.push(false);
        self.work.push(initial, 0, 0);
        while let Some(state) = self.work.pop() {
            if std::mem::replace(&mut self.is_expanded[state as usize], true) {
                continue;
            }
            self.tick(&mut visited, 0, budget)?;
            self.expand(state, budget)?;
            if self.is_over() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The positions of the threads that may move as far as atomic sections are concerned; `None` if all
    /// threads have ended.
    pub(crate) fn candidates(&self) -> Option<Vec<usize>> {
        let atomic = self.machine.atomic;
        let mut any = false;
        let mut candidates = Vec::new();
        for position in 0..self.machine.thread_count() {
            let (tid, status) = self.machine.head(position);
            if !matches!(status, FINISHED | JOINED) {
                any = true;
                if atomic.is_none_or(|(owner, _)| owner == tid) {
                    candidates.push(position);
                }
            }
        }
        any.then_some(candidates)
    }

    fn expand(&mut self, state: u32, budget: &mut Budget) -> Result<(), Reason> {
        self.machine.restore(state);
        let Some(candidates) = self.candidates() else {
            self.endings.insert(Ending::Exit(0));
            return Ok(());
        };
        let count = candidates.len();
        let mut expansion = Expansion { candidates, done: 0, enabled: 0, later: Vec::new() };
        if self.machine.atomic.is_none()
            && (2..=64).contains(&count)
            && let Some(mut reducer) = self.reducer.take()
        {
            let sets = reducer.persistent_sets(&mut self.machine, &expansion.candidates);
            self.reducer = Some(reducer);
            for set in sets {
                let (mut enabled, mut progressed) = (false, false);
                for index in members(set & !expansion.done) {
                    let one = self.expand_into(state, index, &mut expansion, budget)?;
                    enabled |= one.enabled;
                    progressed |= one.progressed;
                }
                expansion.done |= set;
                // A set without a move stands for nothing, and to wake up without
                // reason is none that a run has to make. One that leads nowhere new might put the others
                // off for ever, or ends the run before they come to what they would do. One that leads
                // to a state whose turn is still to come does neither: whatever the others would do,
                // they can do it from there. (A run from here that has no move of the set is one from
                // there, and states whose turn comes later are ever fewer; a run that has one is shorter
                // from behind the first. So this holds for whatever order the turns come in.)
                if enabled && progressed {
                    self.queue(state, expansion);
                    return Ok(());
                }
                // Sets are sorted by size: after one that failed for another reason than being
                // blocked, the rest is not worth the trouble.
                if enabled {
                    break;
                }
            }
        }
        let mut enabled = expansion.enabled != 0;
        for index in 0..count {
            if index >= 64 || expansion.done >> index & 1 == 0 {
                enabled |= self.expand_into(state, index, &mut expansion, budget)?.enabled;
            }
        }
        self.queue(state, expansion);
        if !enabled {
            // That somebody wakes up without reason may happen, but need not.
            self.endings.insert(Ending::Deadlock);
            if self.machine.code.program.tracks_memory() {
                self.look_for_lost_memory(state);
            }
        }
        Ok(())
    }

    /// The moves of one thread, as part of the expansion of a state.
    fn expand_into(
        &mut self,
        state: u32,
        index: usize,
        expansion: &mut Expansion,
        budget: &mut Budget,
    ) -> Result<Expanded, Reason> {
        let position = expansion.candidates[index];
        let enabled = self.expand_thread(state, position, None, budget)?;
        let mut progressed = false;
        for reached in &self.reached {
            if reached.is_new {
                self.is_expanded.push(false);
                expansion.later.push((reached.state, position, reached.progress));
            }
            progressed |= !reached.is_stuck && !self.is_expanded[reached.state as usize];
        }
        if index < 64 {
            expansion.done |= 1 << index;
            expansion.enabled |= u64::from(enabled) << index;
        }
        Ok(Expanded { enabled, progressed })
    }

    /// Makes the states that an expansion found wait for their turn.
    fn queue(&mut self, state: u32, expansion: Expansion) {
        let Expansion { candidates, done, enabled, later } = expansion;
        let last = self.arrival(state).and_then(|arrival| {
            let position = self.machine.position_of(arrival.thread)?;
            let index = candidates.iter().position(|&candidate| candidate == position)?;
            let status = self.machine.head(position).1;
            let may_go_on = matches!(status, RUNNING | REACQUIRING | PAST_BARRIER);
            let is_blocked = index < 64 && (done & !enabled) >> index & 1 == 1;
            (may_go_on && !is_blocked).then_some(position)
        });
        let before = self.work.preemptions(state);
        for (next, position, progress) in later {
            let preempts = last.is_some_and(|last| last != position);
            self.work.push(next, before.saturating_add(u16::from(preempts)), progress);
        }
    }

    /// All moves of one thread in a state, which is the working state before and after. Where they lead is
    /// in `reached`, with the mutexes held there if there is a `reducer` that knows them; whether there is
    /// one that is not a wake-up without reason is the result.
    pub(crate) fn expand_thread(
        &mut self,
        state: u32,
        position: usize,
        reducer: Option<&Reducer<'_>>,
        budget: &mut Budget,
    ) -> Result<bool, Reason> {
        self.reached.clear();
        let (thread, status) = self.machine.head(position);
        let enabled = match status {
            RUNNING => {
                self.make_all(state, position, MoveKind::Step, reducer, budget)?
                    || self.machine.may_time_out
                        && self.make_all(state, position, MoveKind::Timeout, reducer, budget)?
            }
            REACQUIRING | PAST_BARRIER => {
                self.make_all(state, position, MoveKind::Step, reducer, budget)?
            }
            WAITING_TIMED => self.make_all(state, position, MoveKind::Timeout, reducer, budget)?,
            // Somebody else has to move first, or it has ended.
            _ => false,
        };
        if self.options.spurious
            && matches!(status, WAITING | WAITING_TIMED)
            && self.machine.atomic.is_none_or(|(owner, _)| owner == thread)
        {
            self.make_all(state, position, MoveKind::Spurious, reducer, budget)?;
        }
        Ok(enabled)
    }

    /// A move of a thread, with all choices it leaves; whether it is possible.
    fn make_all(
        &mut self,
        state: u32,
        position: usize,
        kind: MoveKind,
        reducer: Option<&Reducer<'_>>,
        budget: &mut Budget,
    ) -> Result<bool, Reason> {
        self.machine.taken.clear();
        loop {
            budget.tick().map_err(Reason::Exhausted)?;
            let (thread, _) = self.machine.head(position);
            let made = self.make(state, position, kind);
            self.has_drawn |= !self.machine.drawn.is_empty();
            match made {
                Ok(()) => {
                    self.transitions += 1;
                    let (next, is_new) = self.machine.commit();
                    if !is_new && self.machine.code.program.tracks_memory() {
                        self.look_for_lost_memory(next);
                    }
                    if is_new {
                        self.arrivals.push(Arrival { before: state, thread, kind }.pack());
                    }
                    let held = reducer.map_or(0, |reducer| reducer.held(&self.machine, thread));
                    self.reached.push(Reached {
                        state: next,
                        is_new,
                        progress: self.progress(),
                        is_stuck: self.machine.atomic.is_some(),
                        started: self.machine.started.iter().copied().collect(),
                        held,
                    });
                }
                Err(Stop::Blocked) => {
                    let may_time_out = self.machine.may_time_out;
                    self.machine.restore(state);
                    self.machine.may_time_out = may_time_out;
                    return Ok(false);
                }
                Err(stop @ (Stop::End(ending, pos) | Stop::Undefined(ending, pos))) => {
                    self.transitions += 1;
                    let violation = ending.violation(self.machine.code.program.checked);
                    if let (Some(error), None) = (violation, &self.found) {
                        let choices = self.machine.taken.clone();
                        let error = (error, pos);
                        self.found = Some(Found { state, thread, kind, choices, error });
                    }
                    if violation.is_none()
                        && let Stop::Undefined(..) = stop
                    {
                        self.machine.doubt(Reason::Undefined(ending, pos));
                    }
                    self.endings.insert(ending);
                }
                Err(Stop::Assume | Stop::Cut) => self.transitions += 1,
                Err(Stop::Incomplete(reason)) => self.machine.note(reason),
            }
            self.machine.restore(state);
            if !self.machine.advance() {
                return Ok(true);
            }
        }
    }

    /// Looks for memory that is lost in the working state, which the search came to before.
    ///
    /// An execution that does not end comes to such states, and what it lost stays lost. One that ends is judged at
    /// its end, so nothing that the interpreter could confirm is found here.
    pub(crate) fn look_for_lost_memory(&mut self, state: u32) {
        if self.searched.insert(state) && self.machine.has_lost_memory() {
            let what = "memory that is lost in executions without end";
            self.machine.doubt(Reason::Beyond(what, SrcPos::NONE));
        }
    }

    /// How far the working state has come to the goal.
    fn progress(&self) -> u16 {
        self.goal.map_or(0, |index| self.machine.globals[index].try_into().unwrap_or(u16::MAX))
    }

    /// Makes one move from the working state, which is `state`. A step that would end the run after
    /// something else ends before that.
    pub(crate) fn make(&mut self, state: u32, position: usize, kind: MoveKind) -> Result<(), Stop> {
        let mut result = self.machine.step(position, kind);
        loop {
            let safe_edges = self.machine.safe_edges;
            match result {
                Err(
                    Stop::End(..)
                    | Stop::Undefined(..)
                    | Stop::Assume
                    | Stop::Cut
                    | Stop::Incomplete(_),
                ) if safe_edges > 0 => {
                    self.machine.restore(state);
                    // What was drawn in the part that is left out is drawn again later.
                    result = self.machine.step_up_to(position, kind, safe_edges);
                    let used = self.machine.taken_at;
                    self.machine.taken.truncate(used);
                }
                result => return result,
            }
        }
    }
}

/// What became of the moves of one thread.
#[derive(Clone, Copy, Debug)]
struct Expanded {
    /// Whether it can move.
    enabled: bool,
    /// Whether a move led to a state from which the search has yet to go on, and others with it.
    progressed: bool,
}

/// What became of a state so far. Sets are of indices into `candidates` below 64.
struct Expansion {
    /// The positions of the threads that may move.
    candidates: Vec<usize>,
    /// The threads whose moves were made.
    done: u64,
    /// Those of them that can move.
    enabled: u64,
    /// The new states, the positions of the threads that led there, and how far that is.
    later: Vec<(u32, usize, u16)>,
}

/// The members of a set.
pub(crate) fn members(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let member = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            member
        })
    })
}
