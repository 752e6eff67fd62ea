//! Synchronisation objects: mutexes, read-write locks, condition variables, barriers, semaphores.
//!
//! Their state stands beside the bytes of memory, by the pointer to them. An object that was never
//! initialised by a call is one that was initialised statically; where glibc's static initialisers
//! tell the kinds of mutexes apart, the bytes say which it is.

use std::collections::BTreeMap;

use ravelin_cfa::SyncOp;

use crate::outcome::Undefined;
use crate::thread::ThreadId;
use crate::value::{self, Bits, ObjectRef};

/// Error numbers of Linux.
pub(crate) const EPERM: i32 = 1;
pub(crate) const EBUSY: i32 = 16;
pub(crate) const EINVAL: i32 = 22;
pub(crate) const EDEADLK: i32 = 35;
pub(crate) const ETIMEDOUT: i32 = 110;
const PTHREAD_BARRIER_SERIAL_THREAD: i32 = -1;
const SEM_VALUE_MAX: u32 = i32::MAX as u32;
/// The most threads that a barrier of glibc can wait for.
const BARRIER_MAX: u32 = u32::MAX / 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MutexKind {
    Normal,
    Recursive,
    ErrorChecking,
}

impl MutexKind {
    pub(crate) fn from_number(kind: Bits) -> Self {
        match kind {
            1 => MutexKind::Recursive,
            2 => MutexKind::ErrorChecking,
            _ => MutexKind::Normal,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Object {
    /// `depth` locks by `owner`.
    Mutex {
        kind: MutexKind,
        owner: ThreadId,
        depth: u32,
    },
    /// A reader is listed once per lock.
    Rw {
        readers: Vec<ThreadId>,
        writer: Option<ThreadId>,
    },
    Cond {
        waiters: Vec<ThreadId>,
    },
    Barrier {
        count: u32,
        waiting: Vec<ThreadId>,
    },
    Sem {
        value: u32,
    },
    Destroyed,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Entry {
    object: Object,
    /// Made by a call: it stays when it is unused.
    explicit: bool,
}

/// All synchronisation objects that are not in the state of their static initialiser.
#[derive(Clone, Debug, Default, Hash)]
pub(crate) struct SyncTable {
    entries: BTreeMap<Bits, Entry>,
}

/// What an operation led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// It is done, with this result.
    Done(i32),
    /// It cannot be taken now.
    Blocked,
    /// The thread waits for the condition variable; the mutex is released.
    WaitForSignal,
    /// The thread waits at the barrier.
    WaitAtBarrier,
    /// One of these threads, which leave their waits, is to be chosen.
    WakeOne(Vec<ThreadId>),
    WakeAll(Vec<ThreadId>),
    /// The barrier is complete: these threads and the running one go on.
    Release(Vec<ThreadId>),
}

type Result<T> = std::result::Result<T, Undefined>;

impl SyncTable {
    /// Forgets the objects inside a piece of memory that is no more.
    pub(crate) fn forget(&mut self, object: ObjectRef) {
        if self.entries.is_empty() {
            return;
        }
        let range = value::pointer(object, 0)..=value::pointer(object, u64::MAX);
        while let Some((&key, _)) = self.entries.range(range.clone()).next() {
            self.entries.remove(&key);
        }
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = Bits> + '_ {
        self.entries.keys().copied()
    }

    /// Performs an operation of `thread` on the object at `key`. `number` is the second argument of
    /// those that take one; `kind` is what the bytes say about a mutex.
    pub(crate) fn perform(
        &mut self,
        op: SyncOp,
        key: Bits,
        thread: ThreadId,
        number: Bits,
        kind: MutexKind,
    ) -> Result<Effect> {
        let done = |()| Effect::Done(0);
        let yes_no = |ok: bool, error: i32| Effect::Done(if ok { 0 } else { error });
        let effect = match op {
            SyncOp::MutexInit => {
                let kind = MutexKind::from_number(number);
                let object = Object::Mutex { kind, owner: ThreadId::MAIN, depth: 0 };
                done(self.initialise(key, object)?)
            }
            SyncOp::MutexLock | SyncOp::MutexTimedLock => self.lock(key, thread, kind)?,
            SyncOp::MutexTryLock => match self.lock(key, thread, kind)? {
                Effect::Done(0) => Effect::Done(0),
                _ => Effect::Done(EBUSY),
            },
            SyncOp::MutexUnlock => Effect::Done(self.unlock(key, thread, kind)?),
            SyncOp::RwInit => {
                done(self.initialise(key, Object::Rw { readers: Vec::new(), writer: None })?)
            }
            // glibc tells the writer that it would wait for itself.
            SyncOp::RwReadLock | SyncOp::RwWriteLock if *self.rw(key)?.1 == Some(thread) => {
                Effect::Done(EDEADLK)
            }
            SyncOp::RwReadLock if !self.read_lock(key, thread)? => Effect::Blocked,
            SyncOp::RwWriteLock if !self.write_lock(key, thread)? => Effect::Blocked,
            SyncOp::RwReadLock | SyncOp::RwWriteLock => Effect::Done(0),
            SyncOp::RwTryReadLock => yes_no(self.read_lock(key, thread)?, EBUSY),
            SyncOp::RwTryWriteLock => yes_no(self.write_lock(key, thread)?, EBUSY),
            SyncOp::RwUnlock => done(self.rw_unlock(key, thread)?),
            SyncOp::CondInit => done(self.initialise(key, Object::Cond { waiters: Vec::new() })?),
            SyncOp::CondWait | SyncOp::CondTimedWait => {
                insert_sorted(self.waiters(key)?, thread);
                Effect::WaitForSignal
            }
            SyncOp::CondSignal => match self.waiters(key)?.as_slice() {
                [] => Effect::Done(0),
                waiters => Effect::WakeOne(waiters.to_vec()),
            },
            SyncOp::CondBroadcast => Effect::WakeAll(std::mem::take(self.waiters(key)?)),
            SyncOp::BarrierInit if number == 0 || number > BARRIER_MAX.into() => {
                Effect::Done(EINVAL)
            }
            SyncOp::BarrierInit => {
                let object = Object::Barrier { count: number as u32, waiting: Vec::new() };
                done(self.initialise(key, object)?)
            }
            SyncOp::BarrierWait => self.barrier_wait(key, thread)?,
            SyncOp::SemInit if number > SEM_VALUE_MAX.into() => Effect::Done(-1),
            SyncOp::SemInit => done(self.initialise(key, Object::Sem { value: number as u32 })?),
            SyncOp::SemWait => match self.semaphore(key)? {
                0 => Effect::Blocked,
                value => {
                    *value -= 1;
                    Effect::Done(0)
                }
            },
            SyncOp::SemTryWait => match self.semaphore(key)? {
                0 => Effect::Done(-1),
                value => {
                    *value -= 1;
                    Effect::Done(0)
                }
            },
            SyncOp::SemPost => match self.semaphore(key)? {
                &mut SEM_VALUE_MAX => Effect::Done(-1),
                value => {
                    *value += 1;
                    Effect::Done(0)
                }
            },
            SyncOp::SemGetValue => Effect::Done(*self.semaphore(key)? as i32),
            SyncOp::MutexDestroy
            | SyncOp::RwDestroy
            | SyncOp::CondDestroy
            | SyncOp::BarrierDestroy
            | SyncOp::SemDestroy => done(self.destroy(op, key)?),
        };
        self.tidy(key);
        Ok(effect)
    }

    /// Drops an object that is as its static initialiser left it, so that equal states are equal.
    fn tidy(&mut self, key: Bits) {
        if let Some(entry) = self.entries.get(&key)
            && !entry.explicit
            && entry.object.is_unused()
        {
            self.entries.remove(&key);
        }
    }

    fn initialise(&mut self, key: Bits, object: Object) -> Result<()> {
        if let Some(entry) = self.entries.get(&key)
            && entry.object.is_in_use()
        {
            return Err(Undefined::SyncInUse);
        }
        self.entries.insert(key, Entry { object, explicit: true });
        Ok(())
    }

    fn destroy(&mut self, op: SyncOp, key: Bits) -> Result<()> {
        if let Some(entry) = self.entries.get(&key) {
            if !entry.object.is_destroyed_by(op) {
                return Err(Undefined::WrongSyncKind);
            }
            if entry.object == Object::Destroyed {
                return Err(Undefined::NotInitialised);
            }
            if entry.object.is_in_use() {
                return Err(Undefined::SyncInUse);
            }
        }
        self.entries.insert(key, Entry { object: Object::Destroyed, explicit: true });
        Ok(())
    }

    /// The object at `key`, which is `initial` if no call initialised it.
    fn object(&mut self, key: Bits, initial: impl FnOnce() -> Object) -> Result<&mut Object> {
        let implicit = || Entry { object: initial(), explicit: false };
        let object = &mut self.entries.entry(key).or_insert_with(implicit).object;
        if *object == Object::Destroyed { Err(Undefined::NotInitialised) } else { Ok(object) }
    }

    fn lock(&mut self, key: Bits, thread: ThreadId, kind: MutexKind) -> Result<Effect> {
        let free = || Object::Mutex { kind, owner: thread, depth: 0 };
        let Object::Mutex { kind, owner, depth } = self.object(key, free)? else {
            return Err(Undefined::WrongSyncKind);
        };
        Ok(match kind {
            _ if *depth == 0 => {
                (*owner, *depth) = (thread, 1);
                Effect::Done(0)
            }
            MutexKind::Recursive if *owner == thread => {
                *depth += 1;
                Effect::Done(0)
            }
            MutexKind::ErrorChecking if *owner == thread => Effect::Done(EDEADLK),
            MutexKind::Normal | MutexKind::Recursive | MutexKind::ErrorChecking => Effect::Blocked,
        })
    }

    fn unlock(&mut self, key: Bits, thread: ThreadId, kind: MutexKind) -> Result<i32> {
        let free = || Object::Mutex { kind, owner: thread, depth: 0 };
        let Object::Mutex { kind, owner, depth } = self.object(key, free)? else {
            return Err(Undefined::WrongSyncKind);
        };
        if *depth == 0 || *owner != thread {
            return match kind {
                MutexKind::Normal => Err(Undefined::NotLocked),
                MutexKind::Recursive | MutexKind::ErrorChecking => Ok(EPERM),
            };
        }
        *depth -= 1;
        if *depth == 0 {
            // Who had it last must not tell states apart.
            *owner = ThreadId::MAIN;
        }
        Ok(0)
    }

    /// Releases the mutex of a wait; an error number if that is refused.
    pub(crate) fn release_for_wait(
        &mut self,
        mutex: Bits,
        thread: ThreadId,
        kind: MutexKind,
    ) -> Result<i32> {
        let result = self.unlock(mutex, thread, kind)?;
        self.tidy(mutex);
        Ok(result)
    }

    /// Whether `thread` could lock the mutex now.
    pub(crate) fn can_lock(&self, mutex: Bits, thread: ThreadId) -> bool {
        match self.entries.get(&mutex).map(|entry| &entry.object) {
            Some(Object::Mutex { kind, owner, depth }) => {
                *depth == 0 || *owner == thread && *kind != MutexKind::Normal
            }
            // Absent is free; what is wrong with the others the step itself will say.
            Some(_) | None => true,
        }
    }

    /// Whether the operation could be taken now.
    pub(crate) fn is_enabled(&self, op: SyncOp, key: Bits, thread: ThreadId) -> bool {
        let object = self.entries.get(&key).map(|entry| &entry.object);
        match op {
            SyncOp::MutexLock | SyncOp::MutexTimedLock => self.can_lock(key, thread),
            SyncOp::RwReadLock => match object {
                Some(Object::Rw { writer, .. }) => writer.is_none_or(|writer| writer == thread),
                Some(_) | None => true,
            },
            SyncOp::RwWriteLock => match object {
                Some(Object::Rw { readers, writer }) => {
                    writer.map_or(readers.is_empty(), |writer| writer == thread)
                }
                Some(_) | None => true,
            },
            SyncOp::SemWait => match object {
                Some(Object::Sem { value }) => *value > 0,
                Some(_) => true,
                None => false,
            },
            SyncOp::MutexInit
            | SyncOp::MutexDestroy
            | SyncOp::MutexTryLock
            | SyncOp::MutexUnlock
            | SyncOp::RwInit
            | SyncOp::RwDestroy
            | SyncOp::RwTryReadLock
            | SyncOp::RwTryWriteLock
            | SyncOp::RwUnlock
            | SyncOp::CondInit
            | SyncOp::CondDestroy
            | SyncOp::CondWait
            | SyncOp::CondTimedWait
            | SyncOp::CondSignal
            | SyncOp::CondBroadcast
            | SyncOp::BarrierInit
            | SyncOp::BarrierDestroy
            | SyncOp::BarrierWait
            | SyncOp::SemInit
            | SyncOp::SemDestroy
            | SyncOp::SemTryWait
            | SyncOp::SemPost
            | SyncOp::SemGetValue => true,
        }
    }

    /// The threads that hold the lock.
    pub(crate) fn holders(&self, key: Bits) -> Vec<ThreadId> {
        match self.entries.get(&key).map(|entry| &entry.object) {
            Some(Object::Mutex { owner, depth: 1.., .. }) => vec![*owner],
            Some(Object::Rw { readers, writer }) => {
                let mut holders: Vec<_> = readers.iter().copied().chain(*writer).collect();
                holders.dedup();
                holders
            }
            Some(_) | None => Vec::new(),
        }
    }

    fn rw(&mut self, key: Bits) -> Result<(&mut Vec<ThreadId>, &mut Option<ThreadId>)> {
        match self.object(key, || Object::Rw { readers: Vec::new(), writer: None })? {
            Object::Rw { readers, writer } => Ok((readers, writer)),
            _ => Err(Undefined::WrongSyncKind),
        }
    }

    fn read_lock(&mut self, key: Bits, thread: ThreadId) -> Result<bool> {
        let (readers, writer) = self.rw(key)?;
        if writer.is_none() {
            insert_sorted(readers, thread);
        }
        Ok(writer.is_none())
    }

    fn write_lock(&mut self, key: Bits, thread: ThreadId) -> Result<bool> {
        let (readers, writer) = self.rw(key)?;
        let free = readers.is_empty() && writer.is_none();
        if free {
            *writer = Some(thread);
        }
        Ok(free)
    }

    fn rw_unlock(&mut self, key: Bits, thread: ThreadId) -> Result<()> {
        let (readers, writer) = self.rw(key)?;
        if *writer == Some(thread) {
            *writer = None;
        } else if let Ok(index) = readers.binary_search(&thread) {
            readers.remove(index);
        } else {
            return Err(Undefined::NotLocked);
        }
        Ok(())
    }

    fn waiters(&mut self, key: Bits) -> Result<&mut Vec<ThreadId>> {
        match self.object(key, || Object::Cond { waiters: Vec::new() })? {
            Object::Cond { waiters } => Ok(waiters),
            _ => Err(Undefined::WrongSyncKind),
        }
    }

    /// Takes a thread that wakes up off the list of a condition variable.
    pub(crate) fn stop_waiting(&mut self, key: Bits, thread: ThreadId) {
        if let Some(Entry { object: Object::Cond { waiters }, .. }) = self.entries.get_mut(&key) {
            waiters.retain(|&waiter| waiter != thread);
        }
        self.tidy(key);
    }

    fn barrier_wait(&mut self, key: Bits, thread: ThreadId) -> Result<Effect> {
        let entry = self.entries.get_mut(&key).ok_or(Undefined::NotInitialised)?;
        match &mut entry.object {
            Object::Barrier { count, waiting } if waiting.len() as u32 + 1 >= *count => {
                Ok(Effect::Release(std::mem::take(waiting)))
            }
            Object::Barrier { waiting, .. } => {
                insert_sorted(waiting, thread);
                Ok(Effect::WaitAtBarrier)
            }
            Object::Destroyed => Err(Undefined::NotInitialised),
            _ => Err(Undefined::WrongSyncKind),
        }
    }

    fn semaphore(&mut self, key: Bits) -> Result<&mut u32> {
        match self.object(key, || Object::Sem { value: 0 })? {
            Object::Sem { value } => Ok(value),
            _ => Err(Undefined::WrongSyncKind),
        }
    }
}

/// What a barrier wait returns to the thread that is `serial` or not.
pub(crate) fn barrier_result(serial: bool) -> i32 {
    if serial { PTHREAD_BARRIER_SERIAL_THREAD } else { 0 }
}

impl Object {
    /// Whether it holds or is waited for.
    fn is_in_use(&self) -> bool {
        match self {
            Object::Mutex { depth, .. } => *depth > 0,
            Object::Rw { readers, writer } => !readers.is_empty() || writer.is_some(),
            Object::Cond { waiters } => !waiters.is_empty(),
            Object::Barrier { waiting, .. } => !waiting.is_empty(),
            Object::Sem { .. } | Object::Destroyed => false,
        }
    }

    fn is_unused(&self) -> bool {
        match self {
            Object::Sem { value } => *value == 0,
            Object::Destroyed => false,
            Object::Mutex { .. }
            | Object::Rw { .. }
            | Object::Cond { .. }
            | Object::Barrier { .. } => !self.is_in_use(),
        }
    }

    fn is_destroyed_by(&self, op: SyncOp) -> bool {
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

fn insert_sorted(threads: &mut Vec<ThreadId>, thread: ThreadId) {
    let index = threads.partition_point(|&other| other < thread);
    threads.insert(index, thread);
}
