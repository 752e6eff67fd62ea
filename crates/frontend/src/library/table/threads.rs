//! POSIX and C11 threads. What needs more than one operation is a C model.

use ravelin_cfa::SyncOp;

use super::super::intrinsic::{Intrinsic, ThreadFunction};
use super::{Model, Row, ZERO, sig};

const fn thread(function: ThreadFunction) -> Model {
    Model::Intrinsic(Intrinsic::Thread(function))
}

const fn sync(op: SyncOp, args: &'static [u8]) -> Model {
    Model::Intrinsic(Intrinsic::Sync { op, args })
}

const CANCEL: Model = Model::Unsupported("cancellation of threads");
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
    ("pthread_detach", ZERO, sig!(Int(UnsignedLong))),
    ("thrd_detach", ZERO, sig!(Int(UnsignedLong))),
    ("pthread_yield", ZERO, sig!(Int())),
    ("thrd_yield", ZERO, sig!(Void())),
    ("pthread_setconcurrency", ZERO, sig!(Int(Int))),
    ("pthread_setname_np", ZERO, sig!(Int(UnsignedLong, Pointer))),
    ("pthread_attr_init", ZERO, sig!(Int(Pointer))),
    ("pthread_attr_destroy", ZERO, sig!(Int(Pointer))),
    ("pthread_attr_setdetachstate", ZERO, sig!(Int(Pointer, Int))),
    ("pthread_attr_setguardsize", ZERO, sig!(Int(Pointer, Size))),
    ("pthread_attr_setinheritsched", ZERO, sig!(Int(Pointer, Int))),
    ("pthread_attr_setschedparam", ZERO, sig!(Int(Pointer, Pointer))),
    ("pthread_attr_setschedpolicy", ZERO, sig!(Int(Pointer, Int))),
    ("pthread_attr_setscope", ZERO, sig!(Int(Pointer, Int))),
    ("pthread_attr_setstack", ZERO, sig!(Int(Pointer, Pointer, Size))),
    ("pthread_attr_setstacksize", ZERO, sig!(Int(Pointer, Size))),
    ("pthread_attr_getdetachstate", ATTRIBUTE, sig!(Int(Pointer, Pointer))),
    ("pthread_attr_getguardsize", ATTRIBUTE, sig!(Int(Pointer, Pointer))),
    ("pthread_attr_getstack", ATTRIBUTE, sig!(Int(Pointer, Pointer, Pointer))),
    ("pthread_attr_getstacksize", ATTRIBUTE, sig!(Int(Pointer, Pointer))),
    ("pthread_getattr_np", ATTRIBUTE, sig!(Int(UnsignedLong, Pointer))),
    ("pthread_getschedparam", ATTRIBUTE, sig!(Int(UnsignedLong, Pointer, Pointer))),
    ("pthread_setschedparam", SCHEDULING, sig!(Int(UnsignedLong, Int, Pointer))),
    ("pthread_setschedprio", SCHEDULING, sig!(Int(UnsignedLong, Int))),
    ("pthread_cancel", CANCEL, sig!(Int(UnsignedLong))),
    ("pthread_setcancelstate", CANCEL, sig!(Int(Int, Pointer))),
    ("pthread_setcanceltype", CANCEL, sig!(Int(Int, Pointer))),
    // Nothing can have been cancelled.
    ("pthread_testcancel", ZERO, sig!(Void())),
    // What pthread_cleanup_push and pthread_cleanup_pop expand to.
    ("__pthread_register_cancel", CANCEL, sig!(Void(Pointer))),
    ("__pthread_unregister_cancel", CANCEL, sig!(Void(Pointer))),
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
    ("pthread_mutex_timedlock", sync(SyncOp::MutexTimedLock, &[0]), sig!(Int(Pointer, Pointer))),
    (
        "pthread_mutex_clocklock",
        sync(SyncOp::MutexTimedLock, &[0]),
        sig!(Int(Pointer, Int, Pointer)),
    ),
    ("pthread_mutex_unlock", sync(SyncOp::MutexUnlock, &[0]), sig!(Int(Pointer))),
    ("pthread_mutex_consistent", Model::Unsupported("robust mutexes"), sig!(Int(Pointer))),
    ("pthread_mutex_getprioceiling", CEILING, sig!(Int(Pointer, Pointer))),
    ("pthread_mutex_setprioceiling", CEILING, sig!(Int(Pointer, Int, Pointer))),
    ("pthread_mutexattr_destroy", ZERO, sig!(Int(Pointer))),
    ("pthread_mutexattr_setprotocol", ZERO, sig!(Int(Pointer, Int))),
    ("pthread_mutexattr_setprioceiling", CEILING, sig!(Int(Pointer, Int))),
    ("pthread_mutexattr_setpshared", ZERO, sig!(Int(Pointer, Int))),
    ("pthread_mutexattr_setrobust", Model::Unsupported("robust mutexes"), sig!(Int(Pointer, Int))),
    ("mtx_lock", sync(SyncOp::MutexLock, &[0]), sig!(Int(Pointer))),
    ("mtx_unlock", sync(SyncOp::MutexUnlock, &[0]), sig!(Int(Pointer))),
    ("mtx_destroy", sync(SyncOp::MutexDestroy, &[0]), sig!(Void(Pointer))),
    // A spin lock is a mutex that is waited for busily.
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
    ("pthread_rwlockattr_init", ZERO, sig!(Int(Pointer))),
    ("pthread_rwlockattr_destroy", ZERO, sig!(Int(Pointer))),
    ("pthread_rwlockattr_setpshared", ZERO, sig!(Int(Pointer, Int))),
    ("pthread_rwlockattr_setkind_np", ZERO, sig!(Int(Pointer, Int))),
];

pub(super) const CONDITIONS: &[Row] = &[
    ("pthread_cond_init", sync(SyncOp::CondInit, &[0]), sig!(Int(Pointer, Pointer))),
    ("pthread_cond_destroy", sync(SyncOp::CondDestroy, &[0]), sig!(Int(Pointer))),
    ("pthread_cond_wait", sync(SyncOp::CondWait, &[0, 1]), sig!(Int(Pointer, Pointer))),
    (
        "pthread_cond_timedwait",
        sync(SyncOp::CondTimedWait, &[0, 1]),
        sig!(Int(Pointer, Pointer, Pointer)),
    ),
    (
        "pthread_cond_clockwait",
        sync(SyncOp::CondTimedWait, &[0, 1]),
        sig!(Int(Pointer, Pointer, Int, Pointer)),
    ),
    ("pthread_cond_signal", sync(SyncOp::CondSignal, &[0]), sig!(Int(Pointer))),
    ("pthread_cond_broadcast", sync(SyncOp::CondBroadcast, &[0]), sig!(Int(Pointer))),
    ("pthread_condattr_init", ZERO, sig!(Int(Pointer))),
    ("pthread_condattr_destroy", ZERO, sig!(Int(Pointer))),
    ("pthread_condattr_setclock", ZERO, sig!(Int(Pointer, Int))),
    ("pthread_condattr_setpshared", ZERO, sig!(Int(Pointer, Int))),
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
    ("pthread_barrierattr_init", ZERO, sig!(Int(Pointer))),
    ("pthread_barrierattr_destroy", ZERO, sig!(Int(Pointer))),
    ("pthread_barrierattr_setpshared", ZERO, sig!(Int(Pointer, Int))),
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
