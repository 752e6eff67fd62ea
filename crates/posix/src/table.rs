//! The objects of a program, by their addresses.

use std::fmt;

use ravelin_cfa::SyncOp;

use crate::object::{MutexKind, Object, Threads, insert_sorted};
use crate::{BARRIER_MAX, EBUSY, EDEADLK, EINVAL, EPERM, SEM_VALUE_MAX};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry<K, T> {
    pub key: K,
    /// Initialised by a call, so it stays in the table when it is unused.
    pub explicit: bool,
    pub object: Object<T>,
}

/// All synchronisation objects that are not in the state of their static initialiser, by address.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SyncTable<K, T> {
    entries: Vec<Entry<K, T>>,
}

impl<K, T> Default for SyncTable<K, T> {
    fn default() -> Self {
        SyncTable { entries: Vec::new() }
    }
}

/// The effect of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect<T> {
    /// The operation is done, with this result.
    Done(i32),
    /// The operation is blocked now.
    Blocked,
    /// The thread waits for the condition variable; the mutex is released.
    WaitForSignal,
    WaitAtBarrier,
    /// The caller chooses one of these threads, which leaves its wait.
    WakeOne(Threads<T>),
    WakeAll(Threads<T>),
    /// The barrier is complete: these threads and the running one continue.
    Release(Threads<T>),
}

/// A use that POSIX does not define.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Misuse {
    /// An operation on an object of another kind.
    WrongKind,
    /// An operation on a destroyed or never initialised object.
    NotInitialised,
    /// An object in use is destroyed or initialised again.
    InUse,
    /// An unlock by a thread that does not hold the lock.
    NotLocked,
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Misuse::WrongKind => "synchronisation object of another kind",
            Misuse::NotInitialised => "synchronisation object not initialised",
            Misuse::InUse => "synchronisation object in use",
            Misuse::NotLocked => "unlock of a lock that the thread does not hold",
        })
    }
}

type Result<T> = std::result::Result<T, Misuse>;

impl<K: Copy + Ord, T: Copy + Ord> SyncTable<K, T> {
    /// Takes all objects out.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Appends an object; keys must ascend.
    pub fn push(&mut self, entry: Entry<K, T>) {
        debug_assert!(self.entries.last().is_none_or(|last| last.key < entry.key));
        self.entries.push(entry);
    }

    pub fn entries(&self) -> &[Entry<K, T>] {
        &self.entries
    }

    /// Forgets the objects in memory whose lifetime ended; returns whether there were any.
    pub fn forget(&mut self, is_gone: impl Fn(K) -> bool) -> bool {
        let before = self.entries.len();
        self.entries.retain(|entry| !is_gone(entry.key));
        before != self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn keys(&self) -> impl Iterator<Item = K> + '_ {
        self.entries.iter().map(|entry| entry.key)
    }

    /// The mutexes that a thread holds.
    pub fn held_by(&self, thread: T) -> impl Iterator<Item = K> + '_ {
        self.entries.iter().filter_map(move |entry| match entry.object {
            Object::Mutex { owner, .. } if owner == Some(thread) => Some(entry.key),
            _ => None,
        })
    }

    fn find(&self, key: K) -> Option<&Object<T>> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.object)
    }

    fn set(&mut self, key: K, object: Object<T>, explicit: bool) -> &mut Object<T> {
        let index = self.entries.partition_point(|entry| entry.key < key);
        let entry = Entry { key, explicit, object };
        match self.entries.get(index) {
            Some(old) if old.key == key => self.entries[index] = entry,
            Some(_) | None => self.entries.insert(index, entry),
        }
        &mut self.entries[index].object
    }

    /// The object at `key`, or `initial` if no call initialised it.
    fn object(&mut self, key: K, initial: impl FnOnce() -> Object<T>) -> Result<&mut Object<T>> {
        let index = self.entries.partition_point(|entry| entry.key < key);
        if self.entries.get(index).is_none_or(|entry| entry.key != key) {
            self.entries.insert(index, Entry { key, explicit: false, object: initial() });
        }
        match &mut self.entries[index].object {
            Object::Destroyed => Err(Misuse::NotInitialised),
            object => Ok(object),
        }
    }

    /// Performs an operation of `thread` on the object at `key`. `number` is the second argument of
    /// operations that take one; `kind` is the kind of mutex according to the bytes.
    pub fn perform(
        &mut self,
        op: SyncOp,
        key: K,
        thread: T,
        number: u128,
        kind: MutexKind,
    ) -> Result<Effect<T>> {
        let yes_no = |ok: bool, error: i32| Effect::Done(if ok { 0 } else { error });
        let done = |()| Effect::Done(0);
        let effect = match op {
            SyncOp::MutexInit => {
                let kind = MutexKind::from_number(number);
                done(self.initialise(key, Object::mutex(kind))?)
            }
            SyncOp::MutexLock | SyncOp::MutexTimedLock => self.lock(key, thread, kind)?,
            SyncOp::MutexTryLock => match self.lock(key, thread, kind)? {
                Effect::Done(0) => Effect::Done(0),
                _ => Effect::Done(EBUSY),
            },
            SyncOp::MutexUnlock => Effect::Done(self.unlock(key, thread, kind)?),
            SyncOp::RwInit => done(self.initialise(key, Object::rw())?),
            // glibc returns an error to a writer that would wait for itself.
            SyncOp::RwReadLock | SyncOp::RwWriteLock if *self.rw(key)?.1 == Some(thread) => {
                Effect::Done(EDEADLK)
            }
            SyncOp::RwReadLock if !self.read_lock(key, thread)? => Effect::Blocked,
            SyncOp::RwWriteLock if !self.write_lock(key, thread)? => Effect::Blocked,
            SyncOp::RwReadLock | SyncOp::RwWriteLock => Effect::Done(0),
            SyncOp::RwTryReadLock => yes_no(self.read_lock(key, thread)?, EBUSY),
            SyncOp::RwTryWriteLock => yes_no(self.write_lock(key, thread)?, EBUSY),
            SyncOp::RwUnlock => done(self.rw_unlock(key, thread)?),
            SyncOp::CondInit => done(self.initialise(key, Object::cond())?),
            SyncOp::CondWait | SyncOp::CondTimedWait => {
                insert_sorted(self.waiters(key)?, thread);
                Effect::WaitForSignal
            }
            SyncOp::CondSignal => match self.waiters(key)? {
                waiters if waiters.is_empty() => Effect::Done(0),
                waiters => Effect::WakeOne(waiters.clone()),
            },
            SyncOp::CondBroadcast => Effect::WakeAll(std::mem::take(self.waiters(key)?)),
            SyncOp::BarrierInit if number == 0 || number > BARRIER_MAX.into() => {
                Effect::Done(EINVAL)
            }
            SyncOp::BarrierInit => {
                let object = Object::Barrier { count: number as u32, waiting: Threads::new() };
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

    /// Drops an object in the state of its static initialiser, so that equal states have equal
    /// tables.
    fn tidy(&mut self, key: K) {
        self.entries
            .retain(|entry| entry.key != key || entry.explicit || !entry.object.is_unused());
    }

    fn initialise(&mut self, key: K, object: Object<T>) -> Result<()> {
        if self.find(key).is_some_and(Object::is_in_use) {
            return Err(Misuse::InUse);
        }
        self.set(key, object, true);
        Ok(())
    }

    fn destroy(&mut self, op: SyncOp, key: K) -> Result<()> {
        match self.find(key) {
            Some(Object::Destroyed) => return Err(Misuse::NotInitialised),
            Some(object) if !object.is_destroyed_by(op) => return Err(Misuse::WrongKind),
            Some(object) if object.is_in_use() => return Err(Misuse::InUse),
            Some(_) | None => {}
        }
        self.set(key, Object::Destroyed, true);
        Ok(())
    }

    fn lock(&mut self, key: K, thread: T, kind: MutexKind) -> Result<Effect<T>> {
        let Object::Mutex { kind, owner, depth } = self.object(key, || Object::mutex(kind))? else {
            return Err(Misuse::WrongKind);
        };
        Ok(match kind {
            _ if *depth == 0 => {
                (*owner, *depth) = (Some(thread), 1);
                Effect::Done(0)
            }
            MutexKind::Recursive if *owner == Some(thread) => {
                *depth += 1;
                Effect::Done(0)
            }
            MutexKind::ErrorChecking if *owner == Some(thread) => Effect::Done(EDEADLK),
            MutexKind::Normal | MutexKind::Recursive | MutexKind::ErrorChecking => Effect::Blocked,
        })
    }

    fn unlock(&mut self, key: K, thread: T, kind: MutexKind) -> Result<i32> {
        let Object::Mutex { kind, owner, depth } = self.object(key, || Object::mutex(kind))? else {
            return Err(Misuse::WrongKind);
        };
        if *depth == 0 || *owner != Some(thread) {
            return match kind {
                MutexKind::Normal => Err(Misuse::NotLocked),
                MutexKind::Recursive | MutexKind::ErrorChecking => Ok(EPERM),
            };
        }
        *depth -= 1;
        if *depth == 0 {
            *owner = None;
        }
        Ok(0)
    }

    /// Releases the mutex of a wait; returns an error number if that fails.
    pub fn release_for_wait(&mut self, mutex: K, thread: T, kind: MutexKind) -> Result<i32> {
        let result = self.unlock(mutex, thread, kind)?;
        self.tidy(mutex);
        Ok(result)
    }

    /// Whether `thread` could lock the mutex now.
    pub fn can_lock(&self, mutex: K, thread: T) -> bool {
        match self.find(mutex) {
            Some(Object::Mutex { kind, owner, depth }) => {
                *depth == 0 || *owner == Some(thread) && *kind != MutexKind::Normal
            }
            // A missing object is a free mutex. The step itself reports any misuse of the others.
            Some(_) | None => true,
        }
    }

    /// Whether the operation is enabled now.
    pub fn is_enabled(&self, op: SyncOp, key: K, thread: T) -> bool {
        let object = self.find(key);
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
    pub fn holders(&self, key: K) -> Vec<T> {
        match self.find(key) {
            Some(Object::Mutex { owner, .. }) => owner.iter().copied().collect(),
            Some(Object::Rw { readers, writer }) => {
                let mut holders: Vec<_> = readers.iter().copied().chain(*writer).collect();
                holders.dedup();
                holders
            }
            Some(_) | None => Vec::new(),
        }
    }

    fn rw(&mut self, key: K) -> Result<(&mut Threads<T>, &mut Option<T>)> {
        match self.object(key, Object::rw)? {
            Object::Rw { readers, writer } => Ok((readers, writer)),
            _ => Err(Misuse::WrongKind),
        }
    }

    fn read_lock(&mut self, key: K, thread: T) -> Result<bool> {
        let (readers, writer) = self.rw(key)?;
        if writer.is_none() {
            insert_sorted(readers, thread);
        }
        Ok(writer.is_none())
    }

    fn write_lock(&mut self, key: K, thread: T) -> Result<bool> {
        let (readers, writer) = self.rw(key)?;
        let free = readers.is_empty() && writer.is_none();
        if free {
            *writer = Some(thread);
        }
        Ok(free)
    }

    fn rw_unlock(&mut self, key: K, thread: T) -> Result<()> {
        let (readers, writer) = self.rw(key)?;
        if *writer == Some(thread) {
            *writer = None;
        } else if let Ok(index) = readers.binary_search(&thread) {
            readers.remove(index);
        } else {
            return Err(Misuse::NotLocked);
        }
        Ok(())
    }

    fn waiters(&mut self, key: K) -> Result<&mut Threads<T>> {
        match self.object(key, Object::cond)? {
            Object::Cond { waiters } => Ok(waiters),
            _ => Err(Misuse::WrongKind),
        }
    }

    /// Removes a thread that wakes up from the list of a condition variable.
    pub fn stop_waiting(&mut self, key: K, thread: T) {
        for entry in &mut self.entries {
            if entry.key == key
                && let Object::Cond { waiters } = &mut entry.object
            {
                waiters.retain(|waiter| *waiter != thread);
            }
        }
        self.tidy(key);
    }

    fn barrier_wait(&mut self, key: K, thread: T) -> Result<Effect<T>> {
        let entry =
            self.entries.iter_mut().find(|entry| entry.key == key).ok_or(Misuse::NotInitialised)?;
        match &mut entry.object {
            Object::Barrier { count, waiting } if waiting.len() as u32 + 1 >= *count => {
                Ok(Effect::Release(std::mem::take(waiting)))
            }
            Object::Barrier { waiting, .. } => {
                insert_sorted(waiting, thread);
                Ok(Effect::WaitAtBarrier)
            }
            Object::Destroyed => Err(Misuse::NotInitialised),
            _ => Err(Misuse::WrongKind),
        }
    }

    fn semaphore(&mut self, key: K) -> Result<&mut u32> {
        match self.object(key, || Object::Sem { value: 0 })? {
            Object::Sem { value } => Ok(value),
            _ => Err(Misuse::WrongKind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutex_that_is_free_again_leaves_no_trace() {
        let mut table = SyncTable::<u64, u32>::default();
        let lock = table.perform(SyncOp::MutexLock, 8, 3, 0, MutexKind::Normal);
        assert_eq!(lock, Ok(Effect::Done(0)));
        let blocked = table.perform(SyncOp::MutexLock, 8, 1, 0, MutexKind::Normal);
        assert_eq!(blocked, Ok(Effect::Blocked));
        assert_eq!(
            table.perform(SyncOp::MutexUnlock, 8, 1, 0, MutexKind::Normal),
            Err(Misuse::NotLocked)
        );
        table.perform(SyncOp::MutexUnlock, 8, 3, 0, MutexKind::Normal).unwrap();
        assert!(table.is_empty());
    }
}
