//! Who decides what a program leaves open: the next thread, inputs, values without initialisation.

use ravelin_base::SrcPos;
use ravelin_cfa::{HavocKind, Sort, Var};
use ravelin_term::FloatKind;

use crate::float;
use crate::log::Event;
use crate::schedule::{Move, MoveKind, Schedule};
use crate::thread::ThreadId;
use crate::value::ones;

/// A value that the program leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueRequest {
    pub sort: Sort,
    pub signed: bool,
    pub origin: ValueOrigin,
    pub pos: SrcPos,
    pub thread: ThreadId,
}

/// Where an open value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueOrigin {
    /// The operation that asks for any value.
    Havoc(HavocKind),
    /// A variable that is read before anything was assigned to it.
    Variable(Var),
    /// Bytes that are read before anything was written to them.
    Memory,
}

/// Set in values that are pointers to objects of the environment: above all addresses.
const ENVIRONMENT: i128 = 1 << 96;

/// The value of a pointer to an object that is none of the program's: its environment has it. The same
/// number is the same object.
pub fn environment_pointer(number: u32, offset: u64) -> i128 {
    ENVIRONMENT | i128::from(number) << 64 | i128::from(offset)
}

/// Number and offset, if a value is an [`environment_pointer`].
pub(crate) fn as_environment_pointer(value: i128) -> Option<(u32, u64)> {
    (value >> 96 << 96 == ENVIRONMENT).then_some(((value >> 64) as u32, value as u64))
}

/// Stands in a schedule where a function without body changed memory: above all values.
pub(crate) const CHANGED_MEMORY: i128 = 1 << 98;

/// A choice between a few equal things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pick {
    /// Which waiting thread a signal wakes.
    SignalledThread,
    /// Which thread's barrier wait returns `PTHREAD_BARRIER_SERIAL_THREAD`.
    SerialThread,
}

/// Makes the choices of a run.
pub trait Chooser {
    /// One of at least two moves. Spurious wake-ups come last.
    fn next(&mut self, moves: &[Move]) -> usize;

    /// Any value: the bits of the sort count, whether given as a signed or an unsigned number. A
    /// pointer is given by its address, or as [`environment_pointer`].
    fn value(&mut self, request: &ValueRequest) -> i128;

    /// A number below `count`, which is at least two.
    fn pick(&mut self, what: Pick, count: usize) -> usize;

    /// Whether a function without body changes the memory that it can reach. If it does, bytes there have no value
    /// until one is asked for, where they are read.
    fn changes_memory(&mut self) -> bool {
        false
    }

    /// One of these wake-ups without reason, which are all that can happen; or none of them, and the
    /// run ends as a deadlock.
    fn wake_up(&mut self, _wakeups: &[Move]) -> Option<usize> {
        None
    }

    /// Is told of every move, also of those without alternative.
    fn moved(&mut self, _next: Move) {}

    /// Is told what every move did, in runs that record it.
    fn traced(&mut self, _event: &Event) {}

    /// Is told after every move what threads are about to access, in runs that look for races.
    fn about_to(&mut self, _next: &[NextAccess]) {}
}

/// An access that a thread is about to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextAccess {
    pub thread: ThreadId,
    pub pos: SrcPos,
    pub writes: bool,
}

impl<C: Chooser + ?Sized> Chooser for &mut C {
    fn next(&mut self, moves: &[Move]) -> usize {
        (**self).next(moves)
    }

    fn value(&mut self, request: &ValueRequest) -> i128 {
        (**self).value(request)
    }

    fn pick(&mut self, what: Pick, count: usize) -> usize {
        (**self).pick(what, count)
    }

    fn changes_memory(&mut self) -> bool {
        (**self).changes_memory()
    }

    fn about_to(&mut self, next: &[NextAccess]) {
        (**self).about_to(next);
    }

    fn wake_up(&mut self, wakeups: &[Move]) -> Option<usize> {
        (**self).wake_up(wakeups)
    }

    fn moved(&mut self, next: Move) {
        (**self).moved(next);
    }

    fn traced(&mut self, event: &Event) {
        (**self).traced(event);
    }
}

/// Random choices, the same for the same seed on every machine.
#[derive(Clone, Debug)]
pub struct RandomChooser {
    state: u64,
    current: Option<ThreadId>,
    /// A thread goes on but for one time in so many.
    switch_every: u64,
}

impl RandomChooser {
    pub fn new(seed: u64) -> Self {
        let mut chooser = RandomChooser { state: seed, current: None, switch_every: 2 };
        // Some bugs need many switches, some need few: let the seed decide.
        chooser.switch_every = [2, 4, 16, 64][chooser.below(4) as usize];
        chooser
    }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, bound: u64) -> u64 {
        // The bias is bound / 2^64.
        ((u128::from(self.word()) * u128::from(bound)) >> 64) as u64
    }

    /// A number of `width` bits; programs branch on the small and the extreme ones.
    fn integer(&mut self, width: u16) -> u128 {
        let limit = ones(width);
        let bits = match self.below(8) {
            0 => 0,
            1 => 1,
            2 => limit,
            3 => u128::from(self.below(16)),
            4 => u128::from(self.below(16)).wrapping_neg(),
            5 => limit >> 1,
            6 => {
                let bit = self.below(u64::from(width)) as u32;
                let near = u128::from(self.below(3));
                (1u128 << bit).wrapping_add(near).wrapping_sub(1)
            }
            _ => u128::from(self.word()) << 64 | u128::from(self.word()),
        };
        bits & limit
    }

    fn float(&mut self, kind: FloatKind) -> u128 {
        match self.below(4) {
            0 => self.integer(kind.bits()),
            _ => {
                let number = float::from_signed(i128::from(self.below(41)) - 20, kind);
                if self.below(3) > 0 {
                    return number;
                }
                let quarter = float::from_unsigned(4, kind);
                float::arithmetic(ravelin_term::BinOp::FDiv, kind, number, quarter)
                    .unwrap_or(number)
            }
        }
    }
}

impl Chooser for RandomChooser {
    fn next(&mut self, moves: &[Move]) -> usize {
        let steps = moves.iter().take_while(|next| next.kind != MoveKind::Spurious).count();
        if let Some(current) = self.current
            && let Some(index) = moves[..steps].iter().position(|next| next.thread == current)
            && self.below(self.switch_every) != 0
        {
            return index;
        }
        let spurious = steps == 0 || self.below(16) == 0;
        self.below(if spurious { moves.len() } else { steps } as u64) as usize
    }

    fn value(&mut self, request: &ValueRequest) -> i128 {
        let bits = match request.sort {
            Sort::Bool => u128::from(self.below(2)),
            Sort::Bv(width) => self.integer(width),
            Sort::Float(kind) => self.float(kind),
            // An arbitrary address is hardly ever that of an object.
            Sort::Ptr => u128::from(self.below(4)).saturating_sub(2),
            // No variable of a verified automaton holds a memory.
            Sort::Mem => 0,
        };
        bits as i128
    }

    fn pick(&mut self, _: Pick, count: usize) -> usize {
        self.below(count as u64) as usize
    }

    fn moved(&mut self, next: Move) {
        self.current = Some(next.thread);
    }
}

/// Makes the choices of a [`Schedule`]. After its end, the thread goes on that moved last, and
/// values are zero.
#[derive(Clone, Debug)]
pub struct Replay {
    schedule: Schedule,
    at: usize,
    /// How often the move at `at` was made already.
    repeated: u64,
    value: usize,
    last: Option<ThreadId>,
    diverged: bool,
}

impl Replay {
    pub fn new(schedule: Schedule) -> Self {
        Replay { schedule, at: 0, repeated: 0, value: 0, last: None, diverged: false }
    }

    /// Whether the program could not follow the schedule, which then is that of another program.
    pub fn diverged(&self) -> bool {
        self.diverged
    }

    /// Whether all moves and values of the schedule were used.
    pub fn is_finished(&self) -> bool {
        self.at == self.schedule.moves().len() && self.value >= self.schedule.values().len()
    }

    fn next_value(&mut self) -> Option<i128> {
        let value = self.schedule.values().get(self.value).copied();
        self.value += 1;
        value
    }
}

impl Chooser for Replay {
    fn next(&mut self, moves: &[Move]) -> usize {
        match self.schedule.moves().get(self.at) {
            Some((wanted, _)) => {
                let found = moves.iter().position(|next| next == wanted);
                self.diverged |= found.is_none();
                found.unwrap_or(0)
            }
            None => moves.iter().position(|next| Some(next.thread) == self.last).unwrap_or(0),
        }
    }

    fn value(&mut self, _: &ValueRequest) -> i128 {
        self.next_value().unwrap_or(0)
    }

    fn pick(&mut self, _: Pick, count: usize) -> usize {
        let value = self.next_value().unwrap_or(0);
        let index = usize::try_from(value).ok().filter(|&index| index < count);
        self.diverged |= index.is_none();
        index.unwrap_or(0)
    }

    fn changes_memory(&mut self) -> bool {
        let changes = self.schedule.values().get(self.value) == Some(&CHANGED_MEMORY);
        self.value += usize::from(changes);
        changes
    }

    fn wake_up(&mut self, wakeups: &[Move]) -> Option<usize> {
        let (wanted, _) = self.schedule.moves().get(self.at)?;
        wakeups.iter().position(|next| next == wanted)
    }

    fn moved(&mut self, next: Move) {
        self.last = Some(next.thread);
        if let Some(&(wanted, count)) = self.schedule.moves().get(self.at) {
            self.diverged |= wanted != next;
            self.repeated += 1;
            if self.repeated >= count {
                self.at += 1;
                self.repeated = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_choices_depend_on_the_seed_alone() {
        let words = |seed| {
            let mut chooser = RandomChooser::new(seed);
            (0..20).map(|_| chooser.integer(32)).collect::<Vec<_>>()
        };
        assert_eq!(words(1), words(1));
        assert_ne!(words(1), words(2));
        assert!(words(3).iter().all(|&bits| bits <= 0xffff_ffff));
    }

    #[test]
    fn replay_notices_that_it_does_not_fit() {
        let moves = [0, 1].map(|thread| Move::step(ThreadId(thread)));
        let mut replay = Replay::new("1,0".parse().unwrap());
        assert_eq!(replay.next(&moves), 1);
        replay.moved(moves[1]);
        replay.moved(moves[0]);
        assert!(!replay.diverged());
        // Beyond the end, the last thread goes on.
        assert_eq!(replay.next(&moves), 0);
        assert!(!replay.diverged());
        let mut replay = Replay::new("2".parse().unwrap());
        replay.next(&moves);
        assert!(replay.diverged());
    }
}
