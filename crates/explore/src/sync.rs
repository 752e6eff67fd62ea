//! Synchronisation objects: mutexes, read-write locks, condition variables, barriers, semaphores.
//!
//! Their state stands beside the bytes of memory, by the pointer to them, with the threads by number.
//! An object that was never initialised by a call is one that was initialised statically.

use ravelin_cfa::SyncOp;
use smallvec::SmallVec;

use crate::word::object_of;

pub(crate) const EPERM: i32 = 1;
pub(crate) const EBUSY: i32 = 16;
pub(crate) const EINVAL: i32 = 22;
pub(crate) const EDEADLK: i32 = 35;
pub(crate) const ETIMEDOUT: i32 = 110;
const SEM_VALUE_MAX: u32 = i32::MAX as u32;
/// The most threads that a barrier of glibc can wait for.
const BARRIER_MAX: u64 = (u32::MAX / 2) as u64;

pub(crate) type Threads = SmallVec<[u32; 4]>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MutexKind {
    Normal,
    Recursive,
    ErrorChecking,
}

impl MutexKind {
    pub(crate) fn from_number(kind: u64) -> Self {
        match kind {
            1 => MutexKind::Recursive,
            2 => MutexKind::ErrorChecking,
            _ => MutexKind::Normal,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Object {
    Mutex {
        kind: MutexKind,
        owner: u32,
        depth: u32,
    },
    /// A reader is listed once per lock.
    Rw {
        readers: Threads,
        writer: Option<u32>,
    },
    Cond {
        waiters: Threads,
    },
    Barrier {
        count: u32,
        waiting: Threads,
    },
    Sem {
        value: u32,
    },
    Destroyed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    key: u64,
    /// Made by a call: it stays when it is unused.
    explicit: bool,
    object: Object,
}

/// All synchronisation objects that are not in the state of their static initialiser, by address.
#[derive(Clone, Debug, Default)]
pub(crate) struct SyncTable {
    entries: Vec<Entry>,
}

/// What an operation led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Done(i32),
    Blocked,
    WaitForSignal,
    WaitAtBarrier,
    /// One of these threads is to be chosen, and leaves its wait.
    WakeOne(Threads),
    WakeAll(Threads),
    /// The barrier is complete: these threads and the running one go on.
    Release(Threads),
}

/// A use that POSIX does not define.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Misuse;

type Result<T> = std::result::Result<T, Misuse>;

impl SyncTable {
    /// Forgets the objects inside a piece of memory that is no more; whether there were any.
    pub(crate) fn forget(&mut self, object: u32) -> bool {
        let before = self.entries.len();
        self.entries.retain(|entry| object_of(entry.key) != object);
        before != self.entries.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = u64> + '_ {
        self.entries.iter().map(|entry| entry.key)
    }

    /// The mutexes that a thread holds.
    pub(crate) fn held_by(&self, thread: u32) -> impl Iterator<Item = u64> + '_ {
        self.entries.iter().filter_map(move |entry| match entry.object {
            Object::Mutex { owner, depth: 1.., .. } if owner == thread => Some(entry.key),
            _ => None,
        })
    }

    fn find(&self, key: u64) -> Option<&Object> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.object)
    }

    fn set(&mut self, key: u64, object: Object, explicit: bool) -> &mut Object {
        let index = self.entries.partition_point(|entry| entry.key < key);
        let entry = Entry { key, explicit, object };
        match self.entries.get(index) {
            Some(old) if old.key == key => self.entries[index] = entry,
            Some(_) | None => self.entries.insert(index, entry),
        }
        &mut self.entries[index].object
    }

    /// The object at `key`, which is `initial` if no call initialised it.
    fn object(&mut self, key: u64, initial: impl FnOnce() -> Object) -> Result<&mut Object> {
        let index = self.entries.partition_point(|entry| entry.key < key);
        if self.entries.get(index).is_none_or(|entry| entry.key != key) {
            self.entries.insert(index, Entry { key, explicit: false, object: initial() });
        }
        match &mut self.entries[index].object {
            Object::Destroyed => Err(Misuse),
            object => Ok(object),
        }
    }

    /// Performs an operation of `thread` on the object at `key`. `number` is the second argument of
    /// those that take one; `kind` is what the bytes say about a mutex.
    pub(crate) fn perform(
        &mut self,
        op: SyncOp,
        key: u64,
        thread: u32,
        number: u64,
        kind: MutexKind,
    ) -> Result<Effect> {
        let yes_no = |ok: bool, error: i32| Effect::Done(if ok { 0 } else { error });
        let done = |()| Effect::Done(0);
        let effect = match op {
            SyncOp::MutexInit => {
                let kind = MutexKind::from_number(number);
                done(self.initialise(key, Object::Mutex { kind, owner: 0, depth: 0 })?)
            }
            SyncOp::MutexLock | SyncOp::MutexTimedLock => self.lock(key, thread, kind)?,
            SyncOp::MutexTryLock => match self.lock(key, thread, kind)? {
                Effect::Done(0) => Effect::Done(0),
                _ => Effect::Done(EBUSY),
            },
            SyncOp::MutexUnlock => Effect::Done(self.unlock(key, thread, kind)?),
            SyncOp::RwInit => {
                done(self.initialise(key, Object::Rw { readers: Threads::new(), writer: None })?)
            }
            // glibc tells the writer that it would wait for itself.
            SyncOp::RwReadLock | SyncOp::RwWriteLock if *self.rw(key)?.1 == Some(thread) => {
                Effect::Done(EDEADLK)
            }
            SyncOp::RwReadLock => match self.read_lock(key, thread)? {
                true => Effect::Done(0),
                false => Effect::Blocked,
            },
            SyncOp::RwWriteLock => match self.write_lock(key, thread)? {
                true => Effect::Done(0),
                false => Effect::Blocked,
            },
            SyncOp::RwTryReadLock => yes_no(self.read_lock(key, thread)?, EBUSY),
            SyncOp::RwTryWriteLock => yes_no(self.write_lock(key, thread)?, EBUSY),
            SyncOp::RwUnlock => done(self.rw_unlock(key, thread)?),
            SyncOp::CondInit => {
                done(self.initialise(key, Object::Cond { waiters: Threads::new() })?)
            }
            SyncOp::CondWait | SyncOp::CondTimedWait => {
                insert_sorted(self.waiters(key)?, thread);
                Effect::WaitForSignal
            }
            SyncOp::CondSignal => match self.waiters(key)? {
                waiters if waiters.is_empty() => Effect::Done(0),
                waiters => Effect::WakeOne(waiters.clone()),
            },
            SyncOp::CondBroadcast => Effect::WakeAll(std::mem::take(self.waiters(key)?)),
            SyncOp::BarrierInit if number == 0 || number > BARRIER_MAX => Effect::Done(EINVAL),
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

    /// Drops an object that is as its static initialiser left it, so that equal states are equal.
    fn tidy(&mut self, key: u64) {
        self.entries
            .retain(|entry| entry.key != key || entry.explicit || !entry.object.is_unused());
    }

    fn initialise(&mut self, key: u64, object: Object) -> Result<()> {
        if self.find(key).is_some_and(Object::is_in_use) {
            return Err(Misuse);
        }
        self.set(key, object, true);
        Ok(())
    }

    fn destroy(&mut self, op: SyncOp, key: u64) -> Result<()> {
        if let Some(object) = self.find(key)
            && (!object.is_destroyed_by(op) || object.is_in_use())
        {
            return Err(Misuse);
        }
        self.set(key, Object::Destroyed, true);
        Ok(())
    }

    fn lock(&mut self, key: u64, thread: u32, kind: MutexKind) -> Result<Effect> {
        let free = || Object::Mutex { kind, owner: 0, depth: 0 };
        let Object::Mutex { kind, owner, depth } = self.object(key, free)? else {
            return Err(Misuse);
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

    fn unlock(&mut self, key: u64, thread: u32, kind: MutexKind) -> Result<i32> {
        let free = || Object::Mutex { kind, owner: 0, depth: 0 };
        let Object::Mutex { kind, owner, depth } = self.object(key, free)? else {
            return Err(Misuse);
        };
        if *depth == 0 || *owner != thread {
            return match kind {
                MutexKind::Normal => Err(Misuse),
                MutexKind::Recursive | MutexKind::ErrorChecking => Ok(EPERM),
            };
        }
        *depth -= 1;
        if *depth == 0 {
            // Who had it last must not tell states apart.
            *owner = 0;
        }
        Ok(0)
    }

    /// Releases the mutex of a wait; an error number if that is refused.
    pub(crate) fn release_for_wait(
        &mut self,
        mutex: u64,
        thread: u32,
        kind: MutexKind,
    ) -> Result<i32> {
        let result = self.unlock(mutex, thread, kind)?;
        self.tidy(mutex);
        Ok(result)
    }

    fn rw(&mut self, key: u64) -> Result<(&mut Threads, &mut Option<u32>)> {
        match self.object(key, || Object::Rw { readers: Threads::new(), writer: None })? {
            Object::Rw { readers, writer } => Ok((readers, writer)),
            _ => Err(Misuse),
        }
    }

    fn read_lock(&mut self, key: u64, thread: u32) -> Result<bool> {
        let (readers, writer) = self.rw(key)?;
        if writer.is_none() {
            insert_sorted(readers, thread);
        }
        Ok(writer.is_none())
    }

    fn write_lock(&mut self, key: u64, thread: u32) -> Result<bool> {
        let (readers, writer) = self.rw(key)?;
        let free = readers.is_empty() && writer.is_none();
        if free {
            *writer = Some(thread);
        }
        Ok(free)
    }

    fn rw_unlock(&mut self, key: u64, thread: u32) -> Result<()> {
        let (readers, writer) = self.rw(key)?;
        if *writer == Some(thread) {
            *writer = None;
        } else if let Ok(index) = readers.binary_search(&thread) {
            readers.remove(index);
        } else {
            return Err(Misuse);
        }
        Ok(())
    }

    fn waiters(&mut self, key: u64) -> Result<&mut Threads> {
        match self.object(key, || Object::Cond { waiters: Threads::new() })? {
            Object::Cond { waiters } => Ok(waiters),
            _ => Err(Misuse),
        }
    }

    /// Takes a thread that wakes up off the list of a condition variable.
    pub(crate) fn stop_waiting(&mut self, key: u64, thread: u32) {
        for entry in &mut self.entries {
            if entry.key == key
                && let Object::Cond { waiters } = &mut entry.object
            {
                waiters.retain(|waiter| *waiter != thread);
            }
        }
        self.tidy(key);
    }

    fn barrier_wait(&mut self, key: u64, thread: u32) -> Result<Effect> {
        let entry = self.entries.iter_mut().find(|entry| entry.key == key).ok_or(Misuse)?;
        match &mut entry.object {
            Object::Barrier { count, waiting } if waiting.len() as u32 + 1 >= *count => {
                Ok(Effect::Release(std::mem::take(waiting)))
            }
            Object::Barrier { waiting, .. } => {
                insert_sorted(waiting, thread);
                Ok(Effect::WaitAtBarrier)
            }
            _ => Err(Misuse),
        }
    }

    fn semaphore(&mut self, key: u64) -> Result<&mut u32> {
        match self.object(key, || Object::Sem { value: 0 })? {
            Object::Sem { value } => Ok(value),
            _ => Err(Misuse),
        }
    }

    /// The table as words.
    pub(crate) fn encode(&self, words: &mut Vec<u64>) {
        words.clear();
        for Entry { key, explicit, object } in &self.entries {
            let (tag, a, b, threads): (u64, u32, u32, &[u32]) = match object {
                Object::Mutex { kind, owner, depth } => {
                    let tag = match kind {
                        MutexKind::Normal => 0,
                        MutexKind::Recursive => 1,
                        MutexKind::ErrorChecking => 2,
                    };
                    (tag, *owner, *depth, &[])
                }
                Object::Rw { readers, writer } => {
                    (3, writer.map_or(0, |writer| writer + 1), 0, readers)
                }
                Object::Cond { waiters } => (4, 0, 0, waiters),
                Object::Barrier { count, waiting } => (5, *count, 0, waiting),
                Object::Sem { value } => (6, *value, 0, &[]),
                Object::Destroyed => (7, 0, 0, &[]),
            };
            words.push(*key);
            words.push(tag | u64::from(*explicit) << 8 | (threads.len() as u64) << 16);
            words.push(u64::from(a) << 32 | u64::from(b));
            words.extend(threads.iter().map(|&thread| u64::from(thread)));
        }
    }

    /// Reads the table from words.
    pub(crate) fn decode(&mut self, words: &[u64]) {
        self.entries.clear();
        let mut rest = words;
        while let [key, head, data, more @ ..] = rest {
            let count = (head >> 16) as usize;
            let (threads, later) = more.split_at(count.min(more.len()));
            let threads: Threads = threads.iter().map(|&thread| thread as u32).collect();
            rest = later;
            let (a, b) = ((data >> 32) as u32, *data as u32);
            let mutex = |kind| Object::Mutex { kind, owner: a, depth: b };
            let object = match head & 0xff {
                0 => mutex(MutexKind::Normal),
                1 => mutex(MutexKind::Recursive),
                2 => mutex(MutexKind::ErrorChecking),
                3 => Object::Rw { readers: threads, writer: a.checked_sub(1) },
                4 => Object::Cond { waiters: threads },
                5 => Object::Barrier { count: a, waiting: threads },
                6 => Object::Sem { value: a },
                _ => Object::Destroyed,
            };
            self.entries.push(Entry { key: *key, explicit: head >> 8 & 1 == 1, object });
        }
    }
}

impl Object {
    /// Whether it is held or waited for.
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
            // Destroying again is refused too.
            Object::Destroyed => false,
        }
    }
}

fn insert_sorted(threads: &mut Threads, thread: u32) {
    let index = threads.partition_point(|&other| other < thread);
    threads.insert(index, thread);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_come_back_from_words() {
        let mut table = SyncTable::default();
        let normal = MutexKind::Normal;
        let steps = [
            (SyncOp::MutexLock, 1 << 32, 1, 0),
            (SyncOp::RwReadLock, 2 << 32, 2, 0),
            (SyncOp::RwReadLock, 2 << 32, 1, 0),
            (SyncOp::CondWait, 3 << 32, 2, 0),
            (SyncOp::BarrierInit, 4 << 32, 0, 3),
            (SyncOp::BarrierWait, 4 << 32, 1, 0),
            (SyncOp::SemInit, 5 << 32, 0, 7),
            (SyncOp::MutexDestroy, 6 << 32, 0, 0),
            (SyncOp::RwWriteLock, 7 << 32, 3, 0),
        ];
        for (op, key, thread, number) in steps {
            table.perform(op, key, thread, number, normal).unwrap();
        }
        let (mut words, mut again) = (Vec::new(), Vec::new());
        table.encode(&mut words);
        let mut copy = SyncTable::default();
        copy.decode(&words);
        assert_eq!(copy.entries, table.entries);
        copy.encode(&mut again);
        assert_eq!(words, again);
    }

    #[test]
    fn a_mutex_that_is_free_again_leaves_no_trace() {
        let mut table = SyncTable::default();
        let lock = table.perform(SyncOp::MutexLock, 8, 3, 0, MutexKind::Normal);
        assert_eq!(lock, Ok(Effect::Done(0)));
        let blocked = table.perform(SyncOp::MutexLock, 8, 1, 0, MutexKind::Normal);
        assert_eq!(blocked, Ok(Effect::Blocked));
        assert_eq!(table.perform(SyncOp::MutexUnlock, 8, 1, 0, MutexKind::Normal), Err(Misuse));
        table.perform(SyncOp::MutexUnlock, 8, 3, 0, MutexKind::Normal).unwrap();
        assert!(table.is_empty());
    }
}
