//! A thread: its frames, its local and thread-local values, and what it waits for.

use std::fmt;

use ravelin_cfa::Proc;

use crate::code::Place;
use crate::layout::Site;
use crate::value::{Bits, ObjectRef};

/// A thread of a run, numbered in the order of creation; 0 runs `main`.
///
/// In an exploration the number stands for the canonical name: parent, place and occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadId(pub u32);

impl ThreadId {
    pub const MAIN: ThreadId = ThreadId(0);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// The handle that the program sees, which is never zero.
    pub(crate) fn handle(self) -> Bits {
        Bits::from(self.0) + 1
    }

    pub(crate) fn from_handle(handle: Bits) -> Option<Self> {
        Some(ThreadId(u32::try_from(handle.checked_sub(1)?).ok()?))
    }
}

impl fmt::Display for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("main thread"),
            index => write!(f, "thread {index}"),
        }
    }
}

/// Values in places that may have none yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Values {
    bits: Vec<Bits>,
    set: Vec<bool>,
}

impl Values {
    pub(crate) fn unset(count: usize) -> Self {
        Values { bits: vec![0; count], set: vec![false; count] }
    }

    pub(crate) fn len(&self) -> usize {
        self.bits.len()
    }

    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<Bits> {
        if self.set[index] { Some(self.bits[index]) } else { None }
    }

    #[inline]
    pub(crate) fn set(&mut self, index: usize, bits: Bits) {
        self.bits[index] = bits;
        self.set[index] = true;
    }

    pub(crate) fn clear(&mut self, index: usize) {
        self.bits[index] = 0;
        self.set[index] = false;
    }

    /// Cuts off or adds places without value.
    pub(crate) fn resize(&mut self, count: usize) {
        self.bits.resize(count, 0);
        self.set.resize(count, false);
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = Bits> + '_ {
        self.bits.iter().copied()
    }
}

/// An activation of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Frame {
    pub(crate) proc: Proc,
    /// The next instruction.
    pub(crate) pc: u32,
    /// Where its values begin in [`Thread::locals`].
    pub(crate) base: u32,
    /// How many objects of [`Thread::stack_objects`] are older.
    pub(crate) stack_objects: u32,
    /// Where the caller wants the result.
    pub(crate) result: Option<Place>,
}

/// What a thread is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Status {
    Running,
    /// In a wait on this condition variable; a timed one may end by itself.
    Waiting {
        cond: Bits,
        mutex: Bits,
        timed: bool,
    },
    /// After a wait, until the mutex is free; then the wait returns `result`.
    Reacquiring {
        mutex: Bits,
        result: i32,
    },
    /// Before a barrier that is not complete.
    AtBarrier {
        barrier: Bits,
    },
    /// Behind a barrier, which returns `result`.
    PastBarrier {
        result: i32,
    },
    /// Ended with this pointer as its value.
    Finished {
        value: Bits,
    },
    /// Ended, and its value was taken.
    Joined,
}

#[derive(Clone, Debug, Hash)]
pub(crate) struct Thread {
    pub(crate) status: Status,
    pub(crate) frames: Vec<Frame>,
    /// The local variables of all frames, then their objects as pointers, frame by frame.
    pub(crate) locals: Values,
    pub(crate) thread_locals: Values,
    /// The instances of the program's thread-local objects.
    pub(crate) thread_objects: Vec<ObjectRef>,
    /// What `alloca` gave to the frames.
    pub(crate) stack_objects: Vec<ObjectRef>,
    /// How many threads it started, by place: part of their names.
    pub(crate) started: Vec<(Site, u32)>,
}

impl Thread {
    pub(crate) fn is_finished(&self) -> bool {
        match self.status {
            Status::Finished { .. } | Status::Joined => true,
            Status::Running
            | Status::Waiting { .. }
            | Status::Reacquiring { .. }
            | Status::AtBarrier { .. }
            | Status::PastBarrier { .. } => false,
        }
    }

    /// How many threads it started at `site` before; counts this one.
    pub(crate) fn count_start(&mut self, site: Site) -> u32 {
        match self.started.binary_search_by_key(&site, |&(site, _)| site) {
            Ok(index) => {
                self.started[index].1 += 1;
                self.started[index].1 - 1
            }
            Err(index) => {
                self.started.insert(index, (site, 1));
                0
            }
        }
    }

    /// The value with which it ended, until somebody takes it.
    pub(crate) fn result(&self) -> Option<Bits> {
        match self.status {
            Status::Finished { value } => Some(value),
            Status::Running
            | Status::Waiting { .. }
            | Status::Reacquiring { .. }
            | Status::AtBarrier { .. }
            | Status::PastBarrier { .. }
            | Status::Joined => None,
        }
    }

    /// All values that may be pointers.
    pub(crate) fn values(&self) -> impl Iterator<Item = Bits> + '_ {
        let waits_for = match self.status {
            Status::Waiting { cond, mutex, .. } => [cond, mutex],
            Status::Reacquiring { mutex, .. } => [mutex, 0],
            Status::AtBarrier { barrier } => [barrier, 0],
            Status::Finished { value } => [value, 0],
            Status::Running | Status::PastBarrier { .. } | Status::Joined => [0, 0],
        };
        self.locals.all().chain(self.thread_locals.all()).chain(waits_for)
    }
}
