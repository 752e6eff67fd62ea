//! Synchronisation as accesses to memory.
//!
//! What a synchronisation object holds is kept in its first four bytes, which are zero as static
//! initialisers leave them. An operation reads them, goes on only if it may, and writes them, all in one
//! step. Where an operation is not modelled, it does nothing and has any result: more executions than
//! there are, and never fewer.
//!
//! | object | its word |
//! |---|---|
//! | mutex, spinlock | 0 free, 1 locked; if not all mutexes are normal ones, see [`Kinds`] |
//! | read-write lock | 0 free, n readers, or [`WRITER`] and its handle |
//! | semaphore | its value |
//! | condition variable | nothing: waits may end without reason (POSIX), so signals tell nobody anything |
//! | barrier | how many it waits for, how many of them wait, and more: see [`barrier`] |

mod barrier;
mod word;

use ravelin_base::SrcPos;
use ravelin_cfa::{HavocKind, Op, SyncOp, sync_ops};
use ravelin_term::{Term, TermKind, Var};

pub use self::barrier::Arrival;
use self::word::Word;
use crate::model::space::{Space, Thread};
use crate::model::statement::{Statement, Update};

/// In a read-write lock: the thread with the handle in the other bits writes.
const WRITER: u128 = 1 << 31;

/// The largest value of a semaphore (glibc).
const SEM_VALUE_MAX: u128 = 0x7fff_ffff;

/// Error numbers of Linux.
const EPERM: u128 = 1;
const EBUSY: u128 = 16;
const EDEADLK: u128 = 35;
const ETIMEDOUT: u128 = 110;

/// Which objects can be modelled. A word that the program writes by itself says nothing of who holds
/// the object: to wait for it could mean to wait for ever where the program goes on. Of such objects
/// nothing is known, and operations on them do nothing.
#[derive(Clone, Debug)]
pub struct SyncObjects {
    mutexes: Mutexes,
    rwlocks: bool,
    /// Whether there are read-write locks that somebody locks to write.
    has_writers: bool,
    semaphores: bool,
    /// Whether barriers keep threads waiting; if not, they let everybody pass.
    barriers: bool,
    /// Whether somebody looks at which thread is the serial one.
    has_serial: bool,
}

/// What is known of all mutexes of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mutexes {
    /// To lock one again blocks.
    AreNormal,
    /// Some are recursive or check for errors.
    HaveKinds,
    Unknown,
}

/// The word of a mutex if there are different kinds: the kind in the upper two bits, the handle of the owner
/// in the next eighteen, and how often it is locked: the largest number stands for all from there on.
struct Kinds;

impl Kinds {
    const RECURSIVE: u128 = 1;
    const CHECKING: u128 = 2;
    const KIND_AT: u128 = 30;
    const OWNER_AT: u128 = 12;
    const KIND: u128 = 3 << Self::KIND_AT;
    const DEPTH: u128 = (1 << Self::OWNER_AT) - 1;
    /// The handles that there is room for.
    const OWNERS: u128 = 1 << (Self::KIND_AT - Self::OWNER_AT);
}

/// An operation: what, on what, and where its result goes.
type Operation<'a> = (SyncOp, &'a [Term], Option<Var>);

/// A word of objects: a pointer of a label to them, and how far behind it.
type WordAt = (Term, u64);

impl SyncObjects {
    pub fn of(space: &mut Space<'_>) -> Self {
        let program = space.program;
        // The field `__kind` of glibc's `struct __pthread_mutex_s`, which static initialisers set.
        let kind_at = if space.terms.pointer_bits() == 64 { 16 } else { 12 };
        let (mut are_normal, mut waits, mut has_writers) = (true, false, false);
        let (mut mutexes, mut rwlocks, mut semaphores) = (Vec::new(), Vec::new(), Vec::new());
        let (mut barriers, mut has_serial) = (Vec::new(), false);
        program.for_each_label(|_, label| {
            let Op::Sync { op, args, dst } = &label.op else { return };
            let Some(&first) = args.first() else { return };
            has_serial |= *op == SyncOp::BarrierWait && dst.is_some();
            has_writers |= matches!(op, SyncOp::RwWriteLock | SyncOp::RwTryWriteLock);
            match op {
                SyncOp::MutexInit => {
                    let kind = args.get(1).and_then(|&kind| program.terms.as_bv(kind));
                    are_normal &= kind == Some(0);
                }
                sync_ops!(mutex) => mutexes.extend([(first, 0), (first, kind_at)]),
                sync_ops!(wait) => {
                    waits = true;
                    mutexes
                        .extend(args.get(1).into_iter().flat_map(|&it| [(it, 0), (it, kind_at)]));
                }
                sync_ops!(rwlock) => rwlocks.push((first, 0)),
                sync_ops!(semaphore) => semaphores.push((first, 0)),
                SyncOp::BarrierInit | SyncOp::BarrierWait => barriers.push((first, 0)),
                SyncOp::MutexDestroy
                | SyncOp::RwInit
                | SyncOp::RwDestroy
                | SyncOp::SemInit
                | SyncOp::SemDestroy
                | SyncOp::CondInit
                | SyncOp::CondDestroy
                | SyncOp::BarrierDestroy
                | sync_ops!(signal) => {}
            }
        });
        for words in [&mut mutexes, &mut rwlocks, &mut semaphores, &mut barriers] {
            words.sort_unstable();
            words.dedup();
        }
        let starts_at_zero = |space: &mut Space<'_>, words: &[WordAt]| {
            words.iter().all(|&(pointer, behind)| space.is_zero_at_start(pointer, behind))
        };
        let are_known =
            starts_at_zero(space, &mutexes) && !writes_to(space, &mutexes, Zeros::AreFine);
        SyncObjects {
            mutexes: match (are_known, are_normal) {
                (true, true) => Mutexes::AreNormal,
                // A wait with a mutex that is not the thread's own may be refused, and go on at once.
                (true, false) if !waits => Mutexes::HaveKinds,
                (true, false) | (false, _) => Mutexes::Unknown,
            },
            rwlocks: starts_at_zero(space, &rwlocks) && !writes_to(space, &rwlocks, Zeros::AreFine),
            has_writers,
            // A semaphore of value zero waits.
            semaphores: !writes_to(space, &semaphores, Zeros::Count),
            barriers: starts_at_zero(space, &barriers)
                && !writes_to(space, &barriers, Zeros::Count)
                && barrier::waits_are_alone(program),
            has_serial,
        }
    }

    /// Whether what objects hold says which thread holds them.
    pub fn name_threads(&self) -> bool {
        self.mutexes == Mutexes::HaveKinds || (self.rwlocks && self.has_writers)
    }

    /// The bits of a mutex that are its kind, and say nothing of who holds it.
    fn kind_bits(&self) -> u128 {
        match self.mutexes {
            Mutexes::HaveKinds => Kinds::KIND,
            Mutexes::AreNormal | Mutexes::Unknown => 0,
        }
    }

    /// Adds what an operation of a thread does.
    pub fn lower(
        &self,
        space: &mut Space<'_>,
        thread: Thread,
        (op, args, dst): Operation<'_>,
        pos: SrcPos,
        statements: &mut Vec<Statement>,
    ) {
        let Some(&object) = args.first() else { return };
        let scratch = space.scratch(thread);
        let mut word = Word { space, object, scratch, pos, statements };
        // Of threads that there is no room for, nothing is known.
        let has_room = thread.handle() < Kinds::OWNERS;
        let mutexes = match self.mutexes {
            Mutexes::HaveKinds if !has_room => Mutexes::Unknown,
            mutexes => mutexes,
        };
        if mutexes == Mutexes::HaveKinds {
            match op {
                SyncOp::MutexInit => {
                    word.initialise_by_kind(args.get(1).copied());
                    return word.result(dst, 0);
                }
                SyncOp::MutexLock | SyncOp::MutexTryLock | SyncOp::MutexTimedLock => {
                    return word.lock_by_kind(op, thread.handle(), dst);
                }
                SyncOp::MutexUnlock => return word.unlock_by_kind(thread, dst),
                _ => {}
            }
        }
        let are_normal = mutexes == Mutexes::AreNormal;
        let done = match op {
            SyncOp::MutexInit | SyncOp::RwInit => {
                word.set(0);
                Some(0)
            }
            SyncOp::SemInit => match args.get(1) {
                Some(&value) => return word.set_semaphore(dst, value),
                None => None,
            },
            SyncOp::BarrierInit if self.barriers => match args.get(1) {
                Some(&count) => return word.set_barrier(dst, count),
                None => None,
            },
            SyncOp::MutexLock if are_normal => {
                word.wait_for(0);
                word.set(1);
                Some(0)
            }
            SyncOp::MutexTryLock | SyncOp::MutexTimedLock if are_normal => {
                // Who waits for some time gives up at a moment nobody knows.
                let error = if op == SyncOp::MutexTryLock { EBUSY } else { ETIMEDOUT };
                let value = word.load();
                let refused = word.is(value, 1);
                word.try_to_change(dst, value, refused, 1, error);
                return;
            }
            SyncOp::MutexUnlock if are_normal && dst.is_some() => {
                return word.release(dst, |word, _| word.space.terms.bv(32, 0));
            }
            SyncOp::MutexUnlock if are_normal => {
                word.set(0);
                Some(0)
            }
            SyncOp::RwWriteLock | SyncOp::RwReadLock if self.rwlocks => {
                return word.lock_to_read_or_write(op, thread.handle(), dst);
            }
            SyncOp::RwTryWriteLock if self.rwlocks => {
                let value = word.load();
                let free = word.is(value, 0);
                let refused = word.space.terms.not(free);
                word.try_to_change(dst, value, refused, WRITER | thread.handle(), EBUSY);
                return;
            }
            SyncOp::RwUnlock if self.rwlocks && dst.is_some() => {
                return word.release(dst, Word::after_leaving);
            }
            SyncOp::RwUnlock if self.rwlocks => {
                let value = word.load();
                let after = word.after_leaving(value);
                word.store(after);
                Some(0)
            }
            SyncOp::RwTryReadLock if self.rwlocks => {
                let value = word.load();
                let refused = word.is_written(value);
                word.try_to_change(dst, value, refused, 1, EBUSY);
                return;
            }
            SyncOp::SemTryWait if self.semaphores => {
                let value = word.load();
                let refused = word.is(value, 0);
                word.try_to_change(dst, value, refused, u32::MAX.into(), u32::MAX.into());
                return;
            }
            SyncOp::SemWait if self.semaphores => {
                let value = word.load();
                let zero = word.space.terms.bv(32, 0);
                let is_zero = word.space.terms.eq(value, zero);
                let is_positive = word.space.terms.not(is_zero);
                word.assume(is_positive);
                word.change(value, u32::MAX.into());
                Some(0)
            }
            SyncOp::SemPost if self.semaphores => {
                let value = word.load();
                let refused = word.is(value, SEM_VALUE_MAX);
                word.try_to_change(dst, value, refused, 1, u32::MAX.into());
                return;
            }
            SyncOp::SemGetValue if self.semaphores => {
                let value = word.load();
                if let Some(dst) = dst {
                    word.push(Update::Assign { dst, value });
                }
                return;
            }
            SyncOp::MutexDestroy if dst.is_some() && mutexes != Mutexes::Unknown => {
                return word.destroy(dst, u128::from(u32::MAX) & !self.kind_bits());
            }
            SyncOp::RwDestroy if dst.is_some() && self.rwlocks => {
                return word.destroy(dst, u32::MAX.into());
            }
            sync_ops!(signal) | SyncOp::SemDestroy | SyncOp::CondInit => Some(0),
            sync_ops!(mutex, rwlock, semaphore, wait)
            | SyncOp::BarrierInit
            | SyncOp::BarrierWait
            // To destroy what is in use is undefined: whatever the result, it is not relied on.
            | SyncOp::MutexDestroy
            | SyncOp::RwDestroy
            | SyncOp::CondDestroy
            | SyncOp::BarrierDestroy => None,
        };
        match (done, dst) {
            (Some(result), dst) => word.result(dst, result),
            (None, Some(dst)) => word.push(Update::Havoc { dst, kind: HavocKind::Unspecified }),
            (None, None) => {}
        }
    }
}

/// Whether to write zeros changes anything.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Zeros {
    AreFine,
    Count,
}

/// Whether the program writes to one of these words other than by synchronising.
fn writes_to(space: &Space<'_>, words: &[WordAt], zeros: Zeros) -> bool {
    let program = space.program;
    let is_zero = |value: Term| {
        let is_null = program.terms.kind(value) == TermKind::Null;
        zeros == Zeros::AreFine && (is_null || program.terms.as_bv(value) == Some(0))
    };
    let mut found = false;
    program.for_each_label(|_, label| {
        let (to, bytes) = match &label.op {
            Op::Store { value, .. } if is_zero(*value) => return,
            Op::Store { addr, value, .. } => (*addr, program.bytes_of(program.terms.sort(*value))),
            Op::Fill { byte, .. } if is_zero(*byte) => return,
            Op::Fill { dst, .. } | Op::Copy { dst, .. } => (*dst, None),
            Op::HavocMemory { .. } => {
                found = true;
                return;
            }
            _ => return,
        };
        found |= words.iter().any(|&(word, behind)| space.may_overlap(to, bytes, word, behind));
    });
    found
}
