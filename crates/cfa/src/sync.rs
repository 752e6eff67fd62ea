//! The table of synchronisation operations: their arguments, results, and whether they may wait.
//!
//! The verifier, the text format and partial-order reduction read this table; none of them lists
//! the operations again.

use crate::op::SyncOp;

/// The kind of an argument of a synchronisation operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncArg {
    /// The address of a synchronisation object.
    Object,
    /// A number, a bit-vector of 32 bits.
    Number,
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct SyncInfo {
    /// The name in the text format.
    pub name: &'static str,
    pub args: &'static [SyncArg],
    /// Whether the operation may be disabled, or wait between its phases, until another thread
    /// moves.
    pub blocks: bool,
}

/// The bytes of a synchronisation object that its operations touch.
pub const SYNC_BYTES: u64 = 4;

impl SyncOp {
    /// Whether the operation initialises or destroys its object: a plain write. All others synchronise.
    pub fn is_setup(self) -> bool {
        matches!(
            self,
            SyncOp::MutexInit
                | SyncOp::MutexDestroy
                | SyncOp::RwInit
                | SyncOp::RwDestroy
                | SyncOp::CondInit
                | SyncOp::CondDestroy
                | SyncOp::BarrierInit
                | SyncOp::BarrierDestroy
                | SyncOp::SemInit
                | SyncOp::SemDestroy
        )
    }

    /// Every operation, in the order of the declaration.
    pub const ALL: [SyncOp; 28] = [
        SyncOp::MutexInit,
        SyncOp::MutexDestroy,
        SyncOp::MutexLock,
        SyncOp::MutexTryLock,
        SyncOp::MutexTimedLock,
        SyncOp::MutexUnlock,
        SyncOp::RwInit,
        SyncOp::RwDestroy,
        SyncOp::RwReadLock,
        SyncOp::RwTryReadLock,
        SyncOp::RwWriteLock,
        SyncOp::RwTryWriteLock,
        SyncOp::RwUnlock,
        SyncOp::CondInit,
        SyncOp::CondDestroy,
        SyncOp::CondWait,
        SyncOp::CondTimedWait,
        SyncOp::CondSignal,
        SyncOp::CondBroadcast,
        SyncOp::BarrierInit,
        SyncOp::BarrierDestroy,
        SyncOp::BarrierWait,
        SyncOp::SemInit,
        SyncOp::SemDestroy,
        SyncOp::SemWait,
        SyncOp::SemTryWait,
        SyncOp::SemPost,
        SyncOp::SemGetValue,
    ];

    /// The row of this operation.
    pub fn info(self) -> SyncInfo {
        use SyncArg::{Number, Object};
        const ONE: &[SyncArg] = &[Object];
        const SETUP: &[SyncArg] = &[Object, Number];
        const WAIT: &[SyncArg] = &[Object, Object];
        let (name, args, blocks) = match self {
            SyncOp::MutexInit => ("mutex_init", SETUP, false),
            SyncOp::MutexDestroy => ("mutex_destroy", ONE, false),
            SyncOp::MutexLock => ("mutex_lock", ONE, true),
            SyncOp::MutexTryLock => ("mutex_try_lock", ONE, false),
            // It gives up at an unknown time and waits until then.
            SyncOp::MutexTimedLock => ("mutex_timed_lock", ONE, true),
            SyncOp::MutexUnlock => ("mutex_unlock", ONE, false),
            SyncOp::RwInit => ("rw_init", ONE, false),
            SyncOp::RwDestroy => ("rw_destroy", ONE, false),
            SyncOp::RwReadLock => ("rw_read_lock", ONE, true),
            SyncOp::RwTryReadLock => ("rw_try_read_lock", ONE, false),
            SyncOp::RwWriteLock => ("rw_write_lock", ONE, true),
            SyncOp::RwTryWriteLock => ("rw_try_write_lock", ONE, false),
            SyncOp::RwUnlock => ("rw_unlock", ONE, false),
            SyncOp::CondInit => ("cond_init", ONE, false),
            SyncOp::CondDestroy => ("cond_destroy", ONE, false),
            SyncOp::CondWait => ("cond_wait", WAIT, true),
            SyncOp::CondTimedWait => ("cond_timed_wait", WAIT, true),
            SyncOp::CondSignal => ("cond_signal", ONE, false),
            SyncOp::CondBroadcast => ("cond_broadcast", ONE, false),
            SyncOp::BarrierInit => ("barrier_init", SETUP, false),
            SyncOp::BarrierDestroy => ("barrier_destroy", ONE, false),
            SyncOp::BarrierWait => ("barrier_wait", ONE, true),
            SyncOp::SemInit => ("sem_init", SETUP, false),
            SyncOp::SemDestroy => ("sem_destroy", ONE, false),
            SyncOp::SemWait => ("sem_wait", ONE, true),
            SyncOp::SemTryWait => ("sem_try_wait", ONE, false),
            SyncOp::SemPost => ("sem_post", ONE, false),
            SyncOp::SemGetValue => ("sem_get_value", ONE, false),
        };
        SyncInfo { name, args, blocks }
    }

    /// The operation with this name in the text format.
    pub fn from_name(name: &str) -> Option<SyncOp> {
        SyncOp::ALL.into_iter().find(|op| op.info().name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_listed_once_and_found_by_its_name() {
        assert!(SyncOp::ALL.is_sorted_by(|a, b| a < b));
        for op in SyncOp::ALL {
            assert_eq!(SyncOp::from_name(op.info().name), Some(op));
        }
    }
}
