//! Which path is followed next.
//!
//! Phases take turns, and become longer: some follow one path as far as it goes, beginning with the deepest; others follow
//! paths that have just taken a branch that was taken least, and any paths. One order alone is easily caught in a loop whose
//! exits come again and again. Of those that follow one path, some leave loops as if by chance, and others stay in them,
//! because some errors need a few rounds of many loops, and others many rounds of one.

use std::rc::Rc;

use ravelin_base::Exhausted;
use ravelin_cfa::{Proc, Reason};

use super::machine::{Machine, Stop};
use super::state::State;
use super::step::Flow;

/// A path is followed for so many instructions, or until so many others wait, before the next has its turn.
const TURN: u32 = 20_000;

/// More paths than these do not wait: others are left out. Fewer wait if a frame is large.
const MAX_WAITING: usize = 20_000;

/// About how many bytes the paths that wait may take.
const WAITING_BYTES: usize = 256 << 20;

/// About how many bytes a path takes besides the locals of its frame.
const PATH_BYTES: usize = 8 << 10;

/// The search ends when there are so many terms: they are never dropped.
const MAX_TERMS: usize = 10_000_000;

/// The number of branches in the first phases.
const FIRST_PHASE: u32 = 256;

/// What orders the paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// The newest: one path as far as it goes.
    Newest,
    /// The one with the branch that was taken least, and any, in turns.
    Spread,
}

/// A part of the search.
#[derive(Clone, Copy, Debug)]
struct Phase {
    number: u32,
    left: u32,
}

impl Phase {
    fn numbered(number: u32) -> Phase {
        let cycle = number / 4;
        let phase = Phase { number, left: 0 };
        // A phase that stays in loops meets few ends, which take time, but has to go far.
        let doublings = if phase.goes_on() { (4 * cycle).min(9) } else { cycle.min(9) };
        Phase { left: FIRST_PHASE << doublings, ..phase }
    }

    fn order(self) -> Order {
        match self.number % 2 {
            0 => Order::Newest,
            _ => Order::Spread,
        }
    }

    /// Whether it stays in loops.
    fn goes_on(self) -> bool {
        self.number % 4 == 2
    }
}

/// Numbers that are the same in every run.
#[derive(Debug, Default)]
pub(super) struct Random(u64);

impl Random {
    /// SplitMix64 (Steele, Lea, Flood 2014).
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ z >> 31) * bound as u128) >> 64) as usize
    }
}

impl Machine<'_, '_> {
    /// Follows all paths from the beginning of a procedure, until an error is found.
    pub(super) fn search(&mut self, entry: Proc) -> Result<(), Exhausted> {
        let pc = self.code.of_proc(entry).entry;
        let start = State::start(self.program, &self.slots, entry, pc);
        self.waiting = vec![start];
        let locals = self.slots.locals.values().copied().max().unwrap_or(0) as usize;
        let max_waiting = MAX_WAITING.min(WAITING_BYTES / (PATH_BYTES + 8 * locals)).max(100);
        let mut phase = Phase::numbered(0);
        while let Some(state) = self.next(&mut phase) {
            match self.follow(state) {
                Ok(None) => {}
                Ok(Some(state)) => self.waiting.push(state),
                Err(Stop::Ended) => {}
                Err(Stop::LeftOut(reason)) => self.leave_out(reason),
                Err(Stop::Exhausted(exhausted)) => return Err(exhausted),
                Err(Stop::Error) => return Ok(()),
            }
            if self.waiting.len() > max_waiting {
                // The oldest are the ones that random choices missed for long.
                self.waiting.drain(..max_waiting / 10);
                self.leave_out(Reason::OutOfMemory);
            }
            if self.terms.len() > MAX_TERMS {
                self.leave_out(Reason::OutOfMemory);
                return Ok(());
            }
        }
        Ok(())
    }

    fn next(&mut self, phase: &mut Phase) -> Option<State> {
        if phase.left == 0 {
            *phase = Phase::numbered(phase.number + 1);
            self.goes_on = phase.goes_on();
            if phase.order() == Order::Newest
                && let Some(deepest) = self.deepest()
            {
                let deepest = self.waiting.swap_remove(deepest);
                self.waiting.push(deepest);
            }
        }
        phase.left -= 1;
        let last = self.waiting.len().checked_sub(1)?;
        let index = match phase.order() {
            Order::Newest => last,
            Order::Spread if phase.left.is_multiple_of(2) => self.least_taken()?,
            Order::Spread => self.random.below(last + 1),
        };
        Some(self.waiting.swap_remove(index))
    }

    /// The newest of the paths with most conditions.
    fn deepest(&self) -> Option<usize> {
        let count = self.waiting.len();
        (0..count).max_by_key(|&index| self.waiting[index].path.conditions().len())
    }

    /// The newest of the paths whose last branches were taken least.
    fn least_taken(&self) -> Option<usize> {
        let count = self.waiting.len();
        (0..count).rev().min_by_key(|&index| self.visits.of(self.waiting[index].goal))
    }

    /// Follows a path for a turn; gives it back if it goes on.
    fn follow(&mut self, mut state: State) -> Result<Option<State>, Stop> {
        let code = Rc::clone(&self.code);
        let waiting = self.waiting.len();
        for _ in 0..TURN {
            self.budget.tick()?;
            self.counts.steps += 1;
            let (proc, pc) = (state.top().proc, state.top().pc);
            let Some(inst) = code.of_proc(proc).insts.get(pc as usize) else {
                return Err(Stop::LeftOut(Reason::InternalError));
            };
            let flow = self.step(&mut state, inst)?;
            state.tried = 0;
            match flow {
                Flow::Next => state.frame().pc += 1,
                Flow::At(target) => state.frame().pc = target,
                Flow::Moved => {}
            }
            if self.waiting.len() > waiting {
                return Ok(Some(state));
            }
        }
        Ok(Some(state))
    }
}
