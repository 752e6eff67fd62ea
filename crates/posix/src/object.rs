//! Synchronisation objects and their operations.

use ravelin_cfa::SyncOp;
use smallvec::SmallVec;

/// A set of threads, ascending. A thread that holds a read lock several times is listed as often.
pub type Threads<T> = SmallVec<[T; 4]>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MutexKind {
    Normal,
    Recursive,
    ErrorChecking,
}

impl MutexKind {
    pub fn from_number(kind: u128) -> Self {
        match kind {
            1 => MutexKind::Recursive,
            2 => MutexKind::ErrorChecking,
            _ => MutexKind::Normal,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Object<T> {
    /// Locked `depth` times by `owner`. A free mutex has no owner, so that the last owner does not
    /// distinguish states.
    Mutex {
        kind: MutexKind,
        owner: Option<T>,
        depth: u32,
    },
    Rw {
        readers: Threads<T>,
        writer: Option<T>,
    },
    Cond {
        waiters: Threads<T>,
    },
    Barrier {
        count: u32,
        waiting: Threads<T>,
    },
    Sem {
        value: u32,
    },
    Destroyed,
}

impl<T: Copy + Ord> Object<T> {
    pub(crate) fn mutex(kind: MutexKind) -> Self {
        Object::Mutex { kind, owner: None, depth: 0 }
    }

    pub(crate) fn rw() -> Self {
        Object::Rw { readers: Threads::new(), writer: None }
    }

    pub(crate) fn cond() -> Self {
        Object::Cond { waiters: Threads::new() }
    }

    /// Whether threads hold it or wait for it.
    pub(crate) fn is_in_use(&self) -> bool {
        match self {
            Object::Mutex { depth, .. } => *depth > 0,
            Object::Rw { readers, writer } => !readers.is_empty() || writer.is_some(),
            Object::Cond { waiters } => !waiters.is_empty(),
            Object::Barrier { waiting, .. } => !waiting.is_empty(),
            Object::Sem { .. } | Object::Destroyed => false,
        }
    }

    /// Whether it is in the state of its static initialiser.
    pub(crate) fn is_unused(&self) -> bool {
        match self {
            Object::Sem { value } => *value == 0,
            Object::Destroyed => false,
            Object::Mutex { .. }
            | Object::Rw { .. }
            | Object::Cond { .. }
            | Object::Barrier { .. } => !self.is_in_use(),
        }
    }

    /// Whether the operation destroys objects of this kind.
    pub(crate) fn is_destroyed_by(&self, op: SyncOp) -> bool {
        match self {
            Object::Mutex { .. } => op == SyncOp::MutexDestroy,
            Object::Rw { .. } => op == SyncOp::RwDestroy,
            Object::Cond { .. } => op == SyncOp::CondDestroy,
            Object::Barrier { .. } => op == SyncOp::BarrierDestroy,
            Object::Sem { .. } => op == SyncOp::SemDestroy,
            Object::Destroyed => true,
        }
    }
}

pub(crate) fn insert_sorted<T: Copy + Ord>(threads: &mut Threads<T>, thread: T) {
    let index = threads.partition_point(|&other| other < thread);
    threads.insert(index, thread);
}
