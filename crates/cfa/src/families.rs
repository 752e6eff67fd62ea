//! Families of operations, as patterns.
//!
//! A match that treats whole families alike names them, for example `ops!(scope, object)`, and
//! names single operations where it treats them on their own. Such a match stays exhaustive: a new
//! operation is added to a family here, or else the compiler lists every match that must handle it.

/// Operations: `data` of variables alone; `access` to bytes of memory; `scope` of local objects;
/// `object`, which allocate, free or inspect objects; `procedure` and `thread` for control;
/// `section` for atomic sections; `remark`, which changes nothing; `end` of the program.
/// [`crate::Op::HavocMemory`], [`crate::Op::Sync`], [`crate::Op::Claim`] and [`crate::Op::Choice`] belong to no
/// family.
#[macro_export]
macro_rules! ops {
    (data) => {
        $crate::Op::Skip
            | $crate::Op::Assume(_)
            | $crate::Op::Assign { .. }
            | $crate::Op::Havoc { .. }
    };
    (access) => {
        $crate::Op::Load { .. }
            | $crate::Op::Store { .. }
            | $crate::Op::Copy { .. }
            | $crate::Op::Fill { .. }
    };
    (scope) => {
        $crate::Op::ScopeBegin(_) | $crate::Op::ScopeEnd(_)
    };
    (object) => {
        $crate::Op::Alloc { .. }
            | $crate::Op::Realloc { .. }
            | $crate::Op::Free { .. }
            | $crate::Op::Inspect { .. }
    };
    (procedure) => {
        $crate::Op::Call { .. } | $crate::Op::Return { .. }
    };
    (thread) => {
        $crate::Op::Start { .. }
            | $crate::Op::Join { .. }
            | $crate::Op::ThreadExit { .. }
            | $crate::Op::ThreadSelf { .. }
    };
    (section) => {
        $crate::Op::AtomicBegin | $crate::Op::AtomicEnd
    };
    (remark) => {
        $crate::Op::Print { .. } | $crate::Op::External { .. }
    };
    (end) => {
        $crate::Op::Error(_)
            | $crate::Op::Exit { .. }
            | $crate::Op::Abort
            | $crate::Op::Unsupported { .. }
    };
    ($family:ident, $($others:ident),+) => {
        $crate::ops!($family) | $crate::ops!($($others),+)
    };
}

/// Operations on synchronisation objects: `life` initialises and destroys them; those that use
/// a `mutex`, a read-write lock (`rwlock`) or a `semaphore`; those that wake threads at a condition variable
/// (`signal`) and those that wait for one (`wait`). [`crate::SyncOp::BarrierWait`] stands alone.
#[macro_export]
macro_rules! sync_ops {
    (mutex) => {
        $crate::SyncOp::MutexLock
            | $crate::SyncOp::MutexTryLock
            | $crate::SyncOp::MutexTimedLock
            | $crate::SyncOp::MutexUnlock
    };
    (rwlock) => {
        $crate::SyncOp::RwReadLock
            | $crate::SyncOp::RwTryReadLock
            | $crate::SyncOp::RwWriteLock
            | $crate::SyncOp::RwTryWriteLock
            | $crate::SyncOp::RwUnlock
    };
    (semaphore) => {
        $crate::SyncOp::SemWait
            | $crate::SyncOp::SemTryWait
            | $crate::SyncOp::SemPost
            | $crate::SyncOp::SemGetValue
    };
    (signal) => {
        $crate::SyncOp::CondSignal | $crate::SyncOp::CondBroadcast
    };
    (wait) => {
        $crate::SyncOp::CondWait | $crate::SyncOp::CondTimedWait
    };
    (life) => {
        $crate::SyncOp::MutexInit
            | $crate::SyncOp::MutexDestroy
            | $crate::SyncOp::RwInit
            | $crate::SyncOp::RwDestroy
            | $crate::SyncOp::CondInit
            | $crate::SyncOp::CondDestroy
            | $crate::SyncOp::BarrierInit
            | $crate::SyncOp::BarrierDestroy
            | $crate::SyncOp::SemInit
            | $crate::SyncOp::SemDestroy
    };
    ($family:ident, $($others:ident),+) => {
        $crate::sync_ops!($family) | $crate::sync_ops!($($others),+)
    };
}
