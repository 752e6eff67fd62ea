//! The search through all states.

use std::collections::BTreeSet;

use ravelin_base::{Budget, SrcPos};
use ravelin_cfa::ErrorKind;
use ravelin_interp::MoveKind;

use crate::Options;
use crate::machine::{
    FINISHED, JOINED, Machine, PAST_BARRIER, REACQUIRING, RUNNING, Stop, WAITING, WAITING_TIMED,
};
use crate::path;
use crate::reduce::Reducer;
use crate::result::{Answer, Ending, Exploration, Reason};

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
    pub(crate) error: (Ending, SrcPos),
}

/// The clock and the memory are looked at once per so many states.
const STATES_PER_LOOK: usize = 256;

pub(crate) struct Search<'c, 'p, 'r> {
    pub(crate) machine: Machine<'c, 'p>,
    options: &'r Options,
    reducer: Option<Reducer<'r>>,
    arrivals: Vec<(u32, u32)>,
    is_expanded: Vec<bool>,
    work: Vec<u32>,
    endings: BTreeSet<Ending>,
    transitions: u64,
    found: Option<Found>,
    /// The positions of the threads that could move in the state at hand, of those looked at.
    was_enabled: u64,
}

/// What became of the moves of one thread.
#[derive(Clone, Copy, Debug, Default)]
struct Expanded {
    /// Whether it can move.
    enabled: bool,
    /// Whether a move led to a state from which the search has yet to go on.
    progressed: bool,
}

impl<'c, 'p, 'r> Search<'c, 'p, 'r> {
    pub(crate) fn new(
        machine: Machine<'c, 'p>,
        options: &'r Options,
        reducer: Option<Reducer<'r>>,
    ) -> Self {
        Search {
            machine,
            options,
            reducer,
            arrivals: Vec::new(),
            is_expanded: Vec::new(),
            work: Vec::new(),
            endings: BTreeSet::new(),
            transitions: 0,
            found: None,
            was_enabled: 0,
        }
    }

    pub(crate) fn run(mut self, initial: u32, budget: &mut Budget) -> Exploration {
        self.arrivals.push((u32::MAX, 0));
        self.is_expanded.push(false);
        self.work.push(initial);
        let limit = self.visit_all(budget).err();
        let left_out = limit.clone().or_else(|| self.machine.incomplete.clone());
        let answer = match self.found.take() {
            Some(found) => {
                let (ending, pos) = found.error;
                let kind = match ending {
                    Ending::AssertFailed => ErrorKind::AssertFailed,
                    _ => ErrorKind::ReachError,
                };
                match path::schedule(&mut self, initial, &found) {
                    Some(schedule) => Answer::Error { kind, pos, schedule },
                    None => Answer::Incomplete(Reason::PathLost),
                }
            }
            None => match left_out.clone() {
                Some(reason) => Answer::Incomplete(reason),
                None => Answer::Complete,
            },
        };
        Exploration {
            answer,
            left_out,
            states: self.arrivals.len(),
            transitions: self.transitions,
            bytes: self.machine.store.bytes() + 9 * self.arrivals.len(),
            endings: self.endings,
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
            + 4 * self.work.capacity()
    }

    fn visit_all(&mut self, budget: &mut Budget) -> Result<(), Reason> {
        let mut visited = 0;
        while let Some(state) = self.work.pop() {
            if std::mem::replace(&mut self.is_expanded[state as usize], true) {
                continue;
            }
            visited += 1;
            budget.tick().map_err(Reason::Exhausted)?;
            if visited % STATES_PER_LOOK == 0 && self.reserved_bytes() > self.options.max_bytes {
                return Err(Reason::Memory);
            }
            if self.arrivals.len() > self.options.max_states {
                return Err(Reason::TooManyStates(self.options.max_states));
            }
            self.expand(state, budget)?;
            if self.found.is_some() && !self.options.all_endings {
                return Ok(());
            }
        }
        Ok(())
    }

    fn expand(&mut self, state: u32, budget: &mut Budget) -> Result<(), Reason> {
        self.machine.restore(state);
        let count = self.machine.thread_count();
        let atomic = self.machine.atomic;
        let may_move = |machine: &Machine<'_, '_>, position: usize| {
            let (tid, status) = machine.head(position);
            !matches!(status, FINISHED | JOINED) && atomic.is_none_or(|(owner, _)| owner == tid)
        };
        let live = (0..count)
            .filter(|&position| !matches!(self.machine.head(position).1, FINISHED | JOINED))
            .count();
        if live == 0 {
            self.endings.insert(Ending::Exit(0));
            return Ok(());
        }
        let movers: u64 = (0..count.min(64))
            .filter(|&position| may_move(&self.machine, position))
            .fold(0, |set, position| set | 1 << position);
        let mut done: u64 = 0;
        self.was_enabled = 0;
        if count <= 64
            && atomic.is_none()
            && movers.count_ones() > 1
            && let Some(mut reducer) = self.reducer.take()
        {
            let sets = reducer.sets(&mut self.machine, movers);
            self.reducer = Some(reducer);
            for set in sets {
                let mut all = Expanded::default();
                for position in positions(set & !done) {
                    let one = self.expand_thread(state, position, budget)?;
                    self.was_enabled |= u64::from(one.enabled) << position;
                    all.enabled |= one.enabled;
                    all.progressed |= one.progressed;
                }
                done |= set;
                // A set without a move stands for nothing, and to wake up without
                // reason is none that a run has to make. One that leads nowhere new might put the others
                // off for ever, or ends the run before they come to what they would do. One that leads
                // to a state whose turn is still to come does neither: whatever the others would do,
                // they can do it from there.
                if all.enabled && all.progressed {
                    return Ok(());
                }
                // Sets are sorted by size: after one that failed for another reason than being
                // blocked, the rest is not worth the trouble.
                if all.enabled {
                    break;
                }
            }
        }
        let mut enabled = false;
        for position in 0..count {
            if (position >= 64 || done >> position & 1 == 0) && may_move(&self.machine, position) {
                enabled |= self.expand_thread(state, position, budget)?.enabled;
            } else if position < 64 && done >> position & 1 == 1 {
                enabled |= self.was_enabled >> position & 1 == 1;
            }
        }
        if !enabled {
            // That somebody wakes up without reason may happen, but need not.
            self.endings.insert(Ending::Deadlock);
        }
        Ok(())
    }

    /// All moves of one thread in a state, which is the working state before and after.
    fn expand_thread(
        &mut self,
        state: u32,
        position: usize,
        budget: &mut Budget,
    ) -> Result<Expanded, Reason> {
        let mut result = Expanded::default();
        let (_, status) = self.machine.head(position);
        match status {
            RUNNING => {
                let moved = self.make_all(state, position, MoveKind::Step, &mut result, budget)?;
                if !moved && self.machine.may_time_out {
                    self.make_all(state, position, MoveKind::Timeout, &mut result, budget)?;
                }
            }
            REACQUIRING | PAST_BARRIER => {
                self.make_all(state, position, MoveKind::Step, &mut result, budget)?;
            }
            WAITING_TIMED => {
                self.make_all(state, position, MoveKind::Timeout, &mut result, budget)?;
            }
            // Somebody else has to move first, or it has ended.
            _ => {}
        }
        if self.options.spurious
            && matches!(status, WAITING | WAITING_TIMED)
            && self.machine.atomic.is_none()
        {
            let before = result.enabled;
            self.make_all(state, position, MoveKind::Spurious, &mut result, budget)?;
            result.enabled = before;
        }
        Ok(result)
    }

    /// A move of a thread, with all choices it leaves; whether it is possible.
    fn make_all(
        &mut self,
        state: u32,
        position: usize,
        kind: MoveKind,
        result: &mut Expanded,
        budget: &mut Budget,
    ) -> Result<bool, Reason> {
        self.machine.taken.clear();
        loop {
            budget.tick().map_err(Reason::Exhausted)?;
            let (thread, _) = self.machine.head(position);
            let made = self.make(state, position, kind);
            match made {
                Ok(()) => {
                    self.transitions += 1;
                    result.enabled = true;
                    let (next, is_new) = self.machine.commit();
                    if is_new {
                        self.arrivals.push(Arrival { before: state, thread, kind }.pack());
                        self.is_expanded.push(false);
                        self.work.push(next);
                    }
                    result.progressed |= !self.is_expanded[next as usize];
                }
                Err(Stop::Blocked) => {
                    let may_time_out = self.machine.may_time_out;
                    self.machine.restore(state);
                    self.machine.may_time_out = may_time_out;
                    return Ok(false);
                }
                Err(Stop::End(ending, pos)) => {
                    self.transitions += 1;
                    result.enabled = true;
                    if ending.is_error() && self.found.is_none() {
                        let choices = self.machine.taken.clone();
                        let error = (ending, pos);
                        self.found = Some(Found { state, thread, kind, choices, error });
                    }
                    self.endings.insert(ending);
                }
                Err(Stop::Assume | Stop::Cut) => {
                    self.transitions += 1;
                    result.enabled = true;
                }
                Err(Stop::Incomplete(reason)) => {
                    result.enabled = true;
                    self.machine.note(reason);
                }
            }
            self.machine.restore(state);
            if !self.machine.advance() {
                return Ok(true);
            }
        }
    }

    /// Makes one move from the working state, which is `state`. A step that would end the run after
    /// something else ends before that.
    pub(crate) fn make(&mut self, state: u32, position: usize, kind: MoveKind) -> Result<(), Stop> {
        let mut result = self.machine.step(position, kind);
        loop {
            let safe_edges = self.machine.safe_edges;
            match result {
                Err(Stop::End(..) | Stop::Assume | Stop::Cut | Stop::Incomplete(_))
                    if safe_edges > 0 =>
                {
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

/// The members of a set of positions.
fn positions(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let position = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            position
        })
    })
}
