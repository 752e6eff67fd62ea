//! POSIX and C11 threads. Functions that need more than one operation are C models.

use ravelin_cfa::SyncOp;

use super::super::intrinsic::{Intrinsic, ThreadFunction};
use super::{Model, Row, ZERO, sig};

const fn thread(function: ThreadFunction) -> Model {
    Model::Intrinsic(Intrinsic::Thread(function))
}

const fn sync(op: SyncOp, args: &'static [u8]) -> Model {
    Model::Intrinsic(Intrinsic::Sync { op, args })
}

const CANCEL: Model = Model::Unsupported("clean-up handlers of old libraries");
const SCHEDULING: Model = Model::Unsupported("scheduling of threads");
const ATTRIBUTE: Model = Model::Unsupported("reading attributes of threads");
const FORK: Model = Model::Unsupported("processes");

pub(super) const THREADS: &[Row] = &[
    (
        "pthread_create",
        thread(ThreadFunction::Create { routine: 2, arg: 3 }),
        sig!(Int(Pointer, Pointer, Pointer, Pointer)),
    ),
    (
        "thrd_create",
        thread(ThreadFunction::Create { routine: 1, arg: 2 }),
        sig!(Int(Pointer, Pointer, Pointer)),
    ),
    ("pthread_exit", thread(ThreadFunction::Exit), sig!(Void(Pointer))),
    ("thrd_exit", thread(ThreadFunction::Exit), sig!(Void(Int))),
    ("pthread_self", thread(ThreadFunction::Current), sig!(UnsignedLong())),
    ("thrd_current", thread(ThreadFunction::Current), sig!(UnsignedLong())),
    ("pthread_yield", ZERO, sig!(Int())),
    ("thrd_yield", ZERO, sig!(Void())),
    ("pthread_getattr_np", ATTRIBUTE, sig!(Int(UnsignedLong, Pointer))),
    ("pthread_getschedparam", ATTRIBUTE, sig!(Int(UnsignedLong, Pointer, Pointer))),
    ("pthread_setschedparam", SCHEDULING, sig!(Int(UnsignedLong, Int, Pointer))),
    ("pthread_setschedprio", SCHEDULING, sig!(Int(UnsignedLong, Int))),
    // The expansions of pthread_cleanup_push and pthread_cleanup_pop: see `lower/posix.rs`.
    ("__pthread_register_cancel", Model::Intrinsic(Intrinsic::PushCleanup), sig!(Void(Pointer))),
    ("__pthread_unregister_cancel", Model::Intrinsic(Intrinsic::PopCleanup), sig!(Void(Pointer))),
    ("__pthread_unwind_next", CANCEL, sig!(Void(Pointer))),
    ("_pthread_cleanup_push", CANCEL, sig!(Void(Pointer, Pointer, Pointer))),
    ("_pthread_cleanup_pop", CANCEL, sig!(Void(Pointer, Int))),
    (
        "pthread_tryjoin_np",
        Model::Unsupported("joins that give up"),
        sig!(Int(UnsignedLong, Pointer)),
    ),
    (
        "pthread_timedjoin_np",
        Model::Unsupported("joins that give up"),
        sig!(Int(UnsignedLong, Pointer, Pointer)),
    ),
    ("pthread_atfork", FORK, sig!(Int(Pointer, Pointer, Pointer))),
];

const CEILING: Model = Model::Unsupported("priority ceilings of mutexes");

pub(super) const MUTEXES: &[Row] = &[
    ("pthread_mutex_destroy", sync(SyncOp::MutexDestroy, &[0]), sig!(Int(Pointer))),
    ("pthread_mutex_lock", sync(SyncOp::MutexLock, &[0]), sig!(Int(Pointer))),
    ("pthread_mutex_trylock", sync(SyncOp::MutexTryLock, &[0]), sig!(Int(Pointer))),
    ("pthread_mutex_unlock", sync(SyncOp::MutexUnlock, &[0]), sig!(Int(Pointer))),
    ("pthread_mutex_consistent", Model::Unsupported("robust mutexes"), sig!(Int(Pointer))),
    ("pthread_mutex_getprioceiling", CEILING, sig!(Int(Pointer, Pointer))),
    ("pthread_mutex_setprioceiling", CEILING, sig!(Int(Pointer, Int, Pointer))),
    ("pthread_mutexattr_destroy", ZERO, sig!(Int(Pointer))),
    ("pthread_mutexattr_setprioceiling", CEILING, sig!(Int(Pointer, Int))),
    ("mtx_lock", sync(SyncOp::MutexLock, &[0]), sig!(Int(Pointer))),
    ("mtx_unlock", sync(SyncOp::MutexUnlock, &[0]), sig!(Int(Pointer))),
    ("mtx_destroy", sync(SyncOp::MutexDestroy, &[0]), sig!(Void(Pointer))),
    // A spin lock is a mutex with busy waiting.
    ("pthread_spin_destroy", sync(SyncOp::MutexDestroy, &[0]), sig!(Int(Pointer))),
    ("pthread_spin_lock", sync(SyncOp::MutexLock, &[0]), sig!(Int(Pointer))),
    ("pthread_spin_trylock", sync(SyncOp::MutexTryLock, &[0]), sig!(Int(Pointer))),
    ("pthread_spin_unlock", sync(SyncOp::MutexUnlock, &[0]), sig!(Int(Pointer))),
];

pub(super) const READ_WRITE_LOCKS: &[Row] = &[
    ("pthread_rwlock_init", sync(SyncOp::RwInit, &[0]), sig!(Int(Pointer, Pointer))),
    ("pthread_rwlock_destroy", sync(SyncOp::RwDestroy, &[0]), sig!(Int(Pointer))),
    ("pthread_rwlock_rdlock", sync(SyncOp::RwReadLock, &[0]), sig!(Int(Pointer))),
    ("pthread_rwlock_tryrdlock", sync(SyncOp::RwTryReadLock, &[0]), sig!(Int(Pointer))),
    ("pthread_rwlock_wrlock", sync(SyncOp::RwWriteLock, &[0]), sig!(Int(Pointer))),
    ("pthread_rwlock_trywrlock", sync(SyncOp::RwTryWriteLock, &[0]), sig!(Int(Pointer))),
    ("pthread_rwlock_unlock", sync(SyncOp::RwUnlock, &[0]), sig!(Int(Pointer))),
    ("pthread_rwlockattr_destroy", ZERO, sig!(Int(Pointer))),
];

pub(super) const CONDITIONS: &[Row] = &[
    ("pthread_cond_init", sync(SyncOp::CondInit, &[0]), sig!(Int(Pointer, Pointer))),
    ("pthread_cond_destroy", sync(SyncOp::CondDestroy, &[0]), sig!(Int(Pointer))),
    ("pthread_cond_wait", sync(SyncOp::CondWait, &[0, 1]), sig!(Int(Pointer, Pointer))),
    ("pthread_cond_signal", sync(SyncOp::CondSignal, &[0]), sig!(Int(Pointer))),
    ("pthread_cond_broadcast", sync(SyncOp::CondBroadcast, &[0]), sig!(Int(Pointer))),
    ("pthread_condattr_destroy", ZERO, sig!(Int(Pointer))),
    ("cnd_init", sync(SyncOp::CondInit, &[0]), sig!(Int(Pointer))),
    ("cnd_destroy", sync(SyncOp::CondDestroy, &[0]), sig!(Void(Pointer))),
    ("cnd_wait", sync(SyncOp::CondWait, &[0, 1]), sig!(Int(Pointer, Pointer))),
    ("cnd_signal", sync(SyncOp::CondSignal, &[0]), sig!(Int(Pointer))),
    ("cnd_broadcast", sync(SyncOp::CondBroadcast, &[0]), sig!(Int(Pointer))),
];

pub(super) const BARRIERS: &[Row] = &[
    (
        "pthread_barrier_init",
        sync(SyncOp::BarrierInit, &[0, 2]),
        sig!(Int(Pointer, Pointer, Unsigned)),
    ),
    ("pthread_barrier_destroy", sync(SyncOp::BarrierDestroy, &[0]), sig!(Int(Pointer))),
    ("pthread_barrier_wait", sync(SyncOp::BarrierWait, &[0]), sig!(Int(Pointer))),
    ("pthread_barrierattr_destroy", ZERO, sig!(Int(Pointer))),
];

const NAMED: Model = Model::Unsupported("semaphores with names");

pub(super) const SEMAPHORES: &[Row] = &[
    ("sem_init", sync(SyncOp::SemInit, &[0, 2]), sig!(Int(Pointer, Int, Unsigned))),
    ("sem_destroy", sync(SyncOp::SemDestroy, &[0]), sig!(Int(Pointer))),
    ("sem_wait", sync(SyncOp::SemWait, &[0]), sig!(Int(Pointer))),
    ("sem_post", sync(SyncOp::SemPost, &[0]), sig!(Int(Pointer))),
    ("sem_open", NAMED, sig!(Pointer(Pointer, Int, ...))),
    ("sem_close", NAMED, sig!(Int(Pointer))),
    ("sem_unlink", NAMED, sig!(Int(Pointer))),
];
