//! Synchronisation as accesses to memory.
//!
//! What a synchronisation object holds is kept in its first four bytes, which are zero as static
//! initialisers leave them. An operation reads them, goes on only if it may, and writes them, all in one
//! step. Where an operation is not modelled, it does nothing and has any result: more executions than
//! there are, and never fewer.
//!
//! | object | its word |
//! |---|---|
//! | mutex, spinlock | 0 free, 1 locked |
//! | read-write lock | 0 free, n readers, or [`WRITER`] |
//! | semaphore | its value |
//! | condition variable | nothing: waits may end without reason (POSIX), so signals tell nobody anything |
//! | barrier | nothing: it lets everybody pass |

use ravelin_base::SrcPos;
use ravelin_cfa::{HavocKind, Label, MemoryOrder, Op, SyncOp};
use ravelin_term::{BinOp, Sort, Term, TermKind, Var};

use crate::space::Space;

/// In a read-write lock: somebody writes.
const WRITER: u128 = 1 << 31;

/// Error numbers of Linux.
const EBUSY: u128 = 16;
const ETIMEDOUT: u128 = 110;

/// Which objects can be modelled. A word that the program writes by itself says nothing of who holds
/// the object: to wait for it could mean to wait for ever where the program goes on. Of such objects
/// nothing is known, and operations on them do nothing.
#[derive(Clone, Debug)]
pub struct SyncObjects {
    /// Also, whether all mutexes are normal ones: to lock one again blocks.
    mutexes: bool,
    rwlocks: bool,
    semaphores: bool,
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
        let mut are_normal = true;
        let (mut mutexes, mut rwlocks, mut semaphores) = (Vec::new(), Vec::new(), Vec::new());
        program.for_each_label(|_, label| {
            let Op::Sync { op, args, .. } = &label.op else { return };
            let Some(&first) = args.first() else { return };
            match op {
                SyncOp::MutexInit => {
                    let kind = args.get(1).and_then(|&kind| program.terms.as_bv(kind));
                    are_normal &= kind == Some(0);
                }
                SyncOp::MutexLock
                | SyncOp::MutexTryLock
                | SyncOp::MutexTimedLock
                | SyncOp::MutexUnlock => mutexes.extend([(first, 0), (first, kind_at)]),
                SyncOp::CondWait | SyncOp::CondTimedWait => {
                    mutexes
                        .extend(args.get(1).into_iter().flat_map(|&it| [(it, 0), (it, kind_at)]));
                }
                SyncOp::RwReadLock
                | SyncOp::RwWriteLock
                | SyncOp::RwTryReadLock
                | SyncOp::RwTryWriteLock
                | SyncOp::RwUnlock => rwlocks.push((first, 0)),
                SyncOp::SemWait | SyncOp::SemTryWait | SyncOp::SemPost | SyncOp::SemGetValue => {
                    semaphores.push((first, 0));
                }
                SyncOp::MutexDestroy
                | SyncOp::RwInit
                | SyncOp::RwDestroy
                | SyncOp::SemInit
                | SyncOp::SemDestroy
                | SyncOp::CondInit
                | SyncOp::CondDestroy
                | SyncOp::CondSignal
                | SyncOp::CondBroadcast
                | SyncOp::BarrierInit
                | SyncOp::BarrierDestroy
                | SyncOp::BarrierWait => {}
            }
        });
        for words in [&mut mutexes, &mut rwlocks, &mut semaphores] {
            words.sort_unstable();
            words.dedup();
        }
        let starts_at_zero = |space: &mut Space<'_>, words: &[WordAt]| {
            words.iter().all(|&(pointer, behind)| space.is_zero_at_start(pointer, behind))
        };
        SyncObjects {
            mutexes: are_normal
                && starts_at_zero(space, &mutexes)
                && !writes_to(space, &mutexes, Zeros::AreFine),
            rwlocks: starts_at_zero(space, &rwlocks) && !writes_to(space, &rwlocks, Zeros::AreFine),
            // A semaphore of value zero waits.
            semaphores: !writes_to(space, &semaphores, Zeros::Count),
        }
    }

    /// Adds what an operation does.
    pub fn lower(
        &self,
        space: &mut Space<'_>,
        (op, args, dst): Operation<'_>,
        scratch: Var,
        pos: SrcPos,
        labels: &mut Vec<Label>,
    ) {
        let Some(&object) = args.first() else { return };
        let mut word = Word { space, object, scratch, pos, labels };
        let done = match op {
            SyncOp::MutexInit | SyncOp::RwInit => {
                word.set(0);
                Some(0)
            }
            SyncOp::SemInit => match args.get(1) {
                Some(&value) => {
                    word.store(value);
                    Some(0)
                }
                None => None,
            },
            SyncOp::MutexLock if self.mutexes => {
                word.wait_for(0);
                word.set(1);
                Some(0)
            }
            SyncOp::MutexTryLock | SyncOp::MutexTimedLock if self.mutexes => {
                // Who waits for some time gives up at a moment nobody knows.
                let error = if op == SyncOp::MutexTryLock { EBUSY } else { ETIMEDOUT };
                let value = word.load();
                let refused = word.is(value, 1);
                word.try_to_change(dst, value, refused, 1, error);
                return;
            }
            SyncOp::MutexUnlock if self.mutexes => {
                word.set(0);
                Some(0)
            }
            SyncOp::RwWriteLock if self.rwlocks => {
                word.wait_for(0);
                word.set(WRITER);
                Some(0)
            }
            SyncOp::RwTryWriteLock if self.rwlocks => {
                let value = word.load();
                let free = word.is(value, 0);
                let refused = word.space.terms.not(free);
                word.try_to_change(dst, value, refused, WRITER, EBUSY);
                return;
            }
            SyncOp::RwReadLock if self.rwlocks => {
                word.add_reader();
                Some(0)
            }
            SyncOp::RwUnlock if self.rwlocks => {
                word.leave();
                Some(0)
            }
            SyncOp::RwTryReadLock if self.rwlocks => {
                let value = word.load();
                let refused = word.is(value, WRITER);
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
                word.change(value, 1);
                Some(0)
            }
            SyncOp::SemGetValue if self.semaphores => {
                let value = word.load();
                if let Some(dst) = dst {
                    word.push(Op::Assign { dst, value });
                }
                return;
            }
            SyncOp::MutexDestroy
            | SyncOp::RwDestroy
            | SyncOp::SemDestroy
            | SyncOp::CondDestroy
            | SyncOp::BarrierDestroy
            | SyncOp::CondInit
            | SyncOp::CondSignal
            | SyncOp::CondBroadcast => Some(0),
            SyncOp::MutexLock
            | SyncOp::MutexTryLock
            | SyncOp::MutexTimedLock
            | SyncOp::MutexUnlock
            | SyncOp::RwReadLock
            | SyncOp::RwWriteLock
            | SyncOp::RwTryReadLock
            | SyncOp::RwTryWriteLock
            | SyncOp::RwUnlock
            | SyncOp::SemWait
            | SyncOp::SemTryWait
            | SyncOp::SemPost
            | SyncOp::SemGetValue
            | SyncOp::CondWait
            | SyncOp::CondTimedWait
            | SyncOp::BarrierInit
            | SyncOp::BarrierWait => None,
        };
        let Some(dst) = dst else { return };
        let op = match done {
            Some(result) => {
                let value = word.space.terms.bv(32, result);
                Op::Assign { dst, value }
            }
            None => Op::Havoc { dst, kind: HavocKind::Unspecified },
        };
        word.push(op);
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

/// Makes the labels that read and write the word of an object.
struct Word<'a, 's, 'p> {
    space: &'s mut Space<'p>,
    object: Term,
    scratch: Var,
    pos: SrcPos,
    labels: &'a mut Vec<Label>,
}

impl Word<'_, '_, '_> {
    fn push(&mut self, op: Op) {
        self.labels.push(Label::new(op, self.pos));
    }

    fn load(&mut self) -> Term {
        debug_assert_eq!(self.space.sort(self.scratch), Sort::Bv(32));
        let order = MemoryOrder::Atomic;
        self.push(Op::Load { dst: self.scratch, addr: self.object, order });
        self.space.read_var(self.scratch)
    }

    fn store(&mut self, value: Term) {
        self.push(Op::Store { addr: self.object, value, order: MemoryOrder::Atomic });
    }

    fn set(&mut self, value: u128) {
        let value = self.space.terms.bv(32, value);
        self.store(value);
    }

    fn assume(&mut self, condition: Term) {
        self.push(Op::Assume(condition));
    }

    fn is(&mut self, value: Term, number: u128) -> Term {
        let number = self.space.terms.bv(32, number);
        self.space.terms.eq(value, number)
    }

    fn wait_for(&mut self, number: u128) {
        let value = self.load();
        let is_it = self.is(value, number);
        self.assume(is_it);
    }

    /// Writes a value that is so much larger.
    fn change(&mut self, value: Term, by: u128) {
        let by = self.space.terms.bv(32, by);
        let value = self.space.terms.binary(BinOp::BvAdd, value, by);
        self.store(value);
    }

    /// Makes the word so much larger, or fails with an error.
    fn try_to_change(
        &mut self,
        dst: Option<Var>,
        value: Term,
        refused: Term,
        by: u128,
        error: u128,
    ) {
        let by = self.space.terms.bv(32, by);
        let changed = self.space.terms.binary(BinOp::BvAdd, value, by);
        let order = MemoryOrder::Atomic;
        let store = Op::Store { addr: self.object, value: changed, order };
        let accepted = self.space.terms.not(refused);
        let branches = [(accepted, Some(store), 0), (refused, None, error)];
        let branches = branches.map(|(condition, store, result)| {
            let mut ops = vec![Op::Assume(condition)];
            ops.extend(store);
            if let Some(dst) = dst {
                let value = self.space.terms.bv(32, result);
                ops.push(Op::Assign { dst, value });
            }
            ops.into_iter().map(|op| Label::new(op, self.pos)).collect()
        });
        self.push(Op::Choice(branches.into()));
    }

    fn add_reader(&mut self) {
        let value = self.load();
        let writes = self.is(value, WRITER);
        let free = self.space.terms.not(writes);
        self.assume(free);
        self.change(value, 1);
    }

    /// The writer leaves, or one of the readers; to leave what nobody holds is undefined, and changes
    /// nothing.
    fn leave(&mut self) {
        let value = self.load();
        let (free, writes) = (self.is(value, 0), self.is(value, WRITER));
        let is_zero_after = self.space.terms.or(free, writes);
        let zero = self.space.terms.bv(32, 0);
        let one_less = {
            let by = self.space.terms.bv(32, u32::MAX.into());
            self.space.terms.binary(BinOp::BvAdd, value, by)
        };
        let after = self.space.terms.ite(is_zero_after, zero, one_less);
        self.store(after);
    }
}
