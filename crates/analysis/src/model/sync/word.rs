//! Statements that read and write the word of a synchronisation object.

use ravelin_base::SrcPos;
use ravelin_cfa::{HavocKind, SyncOp};
use ravelin_term::{BinOp, Sort, Term, Var};

use super::{EBUSY, EDEADLK, EPERM, ETIMEDOUT, Kinds, SEM_VALUE_MAX, WRITER};
use crate::model::space::{Space, Thread};
use crate::model::statement::{Action, Statement, Update};

/// Makes the statements that read and write the word of an object.
pub(super) struct Word<'a, 's, 'p> {
    pub(super) space: &'s mut Space<'p>,
    pub(super) object: Term,
    pub(super) scratch: Var,
    pub(super) pos: SrcPos,
    pub(super) statements: &'a mut Vec<Statement>,
}

impl Word<'_, '_, '_> {
    pub(super) fn push(&mut self, action: impl Into<Action>) {
        self.statements.push(Statement::new(action, self.pos));
    }

    pub(super) fn load(&mut self) -> Term {
        debug_assert_eq!(self.space.sort(self.scratch), Sort::Bv(32));
        self.push(Update::Load { dst: self.scratch, addr: self.object });
        self.space.read_var(self.scratch)
    }

    pub(super) fn store(&mut self, value: Term) {
        self.push(Update::Store { addr: self.object, value });
    }

    pub(super) fn set(&mut self, value: u128) {
        let value = self.space.terms.bv(32, value);
        self.store(value);
    }

    pub(super) fn result(&mut self, dst: Option<Var>, result: u128) {
        if let Some(dst) = dst {
            let value = self.space.terms.bv(32, result);
            self.push(Update::Assign { dst, value });
        }
    }

    pub(super) fn assume(&mut self, condition: Term) {
        self.push(Action::Assume(condition));
    }

    pub(super) fn is(&mut self, value: Term, number: u128) -> Term {
        let number = self.space.terms.bv(32, number);
        self.space.terms.eq(value, number)
    }

    pub(super) fn wait_for(&mut self, number: u128) {
        let value = self.load();
        let is_it = self.is(value, number);
        self.assume(is_it);
    }

    /// Writes a value that is so much larger.
    pub(super) fn change(&mut self, value: Term, by: u128) {
        let by = self.space.terms.bv(32, by);
        let value = self.space.terms.binary(BinOp::BvAdd, value, by);
        self.store(value);
    }

    /// Makes the word so much larger, or fails with an error.
    pub(super) fn try_to_change(
        &mut self,
        dst: Option<Var>,
        value: Term,
        refused: Term,
        by: u128,
        error: u128,
    ) {
        let by = self.space.terms.bv(32, by);
        let changed = self.space.terms.binary(BinOp::BvAdd, value, by);
        let accepted = self.space.terms.not(refused);
        let (done, error) = (self.space.terms.bv(32, 0), self.space.terms.bv(32, error));
        self.choose(dst, vec![(accepted, Some(changed), done), (refused, None, error)]);
    }

    /// Does one of several things: under a condition, writes the word or leaves it, and has a result. The
    /// conditions exclude each other, and one of them holds.
    pub(super) fn choose(&mut self, dst: Option<Var>, cases: Vec<(Term, Option<Term>, Term)>) {
        let addr = self.object;
        let branch = |(condition, word, result): (Term, Option<Term>, Term)| {
            let store = word.map(|value| Update::Store { addr, value }.into());
            let assign = dst.map(|dst| Update::Assign { dst, value: result }.into());
            let actions = [Action::Assume(condition)].into_iter().chain(store).chain(assign);
            actions.map(|action| Statement::new(action, self.pos)).collect()
        };
        let branches = cases.into_iter().map(branch).collect();
        self.push(Action::Choice(branches));
    }

    /// Gives a semaphore its first value, if there is room for it.
    pub(super) fn set_semaphore(&mut self, dst: Option<Var>, value: Term) {
        let largest = self.space.terms.bv(32, SEM_VALUE_MAX);
        let fits = self.space.terms.binary(BinOp::BvUle, value, largest);
        let refused = self.space.terms.not(fits);
        let (done, error) = (self.space.terms.bv(32, 0), self.space.terms.bv(32, u32::MAX.into()));
        self.choose(dst, vec![(fits, Some(value), done), (refused, None, error)]);
    }

    pub(super) fn combined(&mut self, op: BinOp, value: Term, number: u128) -> Term {
        let number = self.space.terms.bv(32, number);
        self.space.terms.binary(op, value, number)
    }

    /// What is told of a mutex by its word: whether it is free, whether the thread with this handle has it,
    /// and its kind.
    pub(super) fn state_of_mutex(&mut self, value: Term, handle: u128) -> (Term, Term, Term) {
        let held = self.combined(BinOp::BvAnd, value, u128::from(u32::MAX) & !Kinds::KIND);
        let free = self.is(held, 0);
        let owner = self.combined(BinOp::BvLshr, held, Kinds::OWNER_AT);
        let mine = self.is(owner, handle);
        let kind = self.combined(BinOp::BvLshr, value, Kinds::KIND_AT);
        (free, mine, kind)
    }

    /// Whether a mutex is locked as often as can be told, or more often.
    pub(super) fn is_locked_often(&mut self, value: Term) -> Term {
        let depth = self.combined(BinOp::BvAnd, value, Kinds::DEPTH);
        self.is(depth, Kinds::DEPTH)
    }

    /// A free mutex of this kind; what is no kind is a normal one.
    pub(super) fn initialise_by_kind(&mut self, kind: Option<Term>) {
        let mut value = self.space.terms.bv(32, 0);
        for number in [Kinds::RECURSIVE, Kinds::CHECKING] {
            let Some(kind) = kind else { break };
            let is_it = self.is(kind, number);
            let word = self.space.terms.bv(32, number << Kinds::KIND_AT);
            value = self.space.terms.ite(is_it, word, value);
        }
        self.store(value);
    }

    /// Locks a mutex that is free, or that is recursive and the thread's own already.
    pub(super) fn lock_by_kind(&mut self, op: SyncOp, handle: u128, dst: Option<Var>) {
        let value = self.load();
        let (free, mine, kind) = self.state_of_mutex(value, handle);
        let taken = self.space.terms.not(free);
        let recursive = self.is(kind, Kinds::RECURSIVE);
        let checking = self.is(kind, Kinds::CHECKING);
        let again = self.space.terms.and(mine, recursive);
        let again = self.space.terms.and(taken, again);
        let deadlock = self.space.terms.and(mine, checking);
        let deadlock = self.space.terms.and(taken, deadlock);
        let goes_on = self.space.terms.or(free, again);
        let refused = self.space.terms.not(goes_on);
        let error = match op {
            SyncOp::MutexTryLock => self.space.terms.bv(32, EBUSY),
            SyncOp::MutexTimedLock => {
                let (deadlocked, late) =
                    (self.space.terms.bv(32, EDEADLK), self.space.terms.bv(32, ETIMEDOUT));
                self.space.terms.ite(deadlock, deadlocked, late)
            }
            _ => {
                let returns = self.space.terms.or(goes_on, deadlock);
                self.assume(returns);
                self.space.terms.bv(32, EDEADLK)
            }
        };
        let first = self.combined(BinOp::BvOr, value, handle << Kinds::OWNER_AT | 1);
        let is_full = self.is_locked_often(value);
        let deeper = self.combined(BinOp::BvAdd, value, 1);
        let deeper = self.space.terms.ite(is_full, value, deeper);
        let done = self.space.terms.bv(32, 0);
        self.choose(
            dst,
            vec![(free, Some(first), done), (again, Some(deeper), done), (refused, None, error)],
        );
    }

    /// Unlocks a mutex once. One that somebody else has is not unlocked, and if it is a normal one, that is
    /// undefined.
    pub(super) fn unlock_by_kind(&mut self, thread: Thread, dst: Option<Var>) {
        let handle = thread.handle();
        let value = self.load();
        let (free, mine, kind) = self.state_of_mutex(value, handle);
        let taken = self.space.terms.not(free);
        let mine = self.space.terms.and(taken, mine);
        let others = self.space.terms.not(mine);
        let depth = self.combined(BinOp::BvAnd, value, Kinds::DEPTH);
        let is_last = self.is(depth, 1);
        let unlocked = self.combined(BinOp::BvAnd, value, Kinds::KIND);
        let one_less = self.combined(BinOp::BvSub, value, 1);
        let after = self.space.terms.ite(is_last, unlocked, one_less);
        // Locked so often or more often: which of them is open.
        let more_often = self.space.coin(thread);
        self.push(Update::Havoc { dst: more_often, kind: HavocKind::Unspecified });
        let more_often = self.space.read_var(more_often);
        let tail = self.space.terms.bv(8, 0);
        let more_often = self.space.terms.eq(more_often, tail);
        let is_full = self.is_locked_often(value);
        let stays = self.space.terms.and(is_full, more_often);
        let after = self.space.terms.ite(stays, value, after);
        let normal = self.is(kind, 0);
        let undefined = self.space.terms.and(others, normal);
        let has_kind = self.space.terms.not(normal);
        let refused = self.space.terms.and(others, has_kind);
        let (done, error) = (self.space.terms.bv(32, 0), self.space.terms.bv(32, EPERM));
        self.choose(
            dst,
            vec![
                (mine, Some(after), done),
                (undefined, Some(unlocked), done),
                (refused, None, error),
            ],
        );
    }

    pub(super) fn is_written(&mut self, value: Term) -> Term {
        let writer = self.combined(BinOp::BvAnd, value, WRITER);
        self.is(writer, WRITER)
    }

    /// Locks a read-write lock; the thread that writes already is told so (glibc).
    pub(super) fn lock_to_read_or_write(&mut self, op: SyncOp, handle: u128, dst: Option<Var>) {
        let value = self.load();
        let own = self.space.terms.bv(32, WRITER | handle);
        let mine = self.space.terms.eq(value, own);
        let (free, after) = match op {
            SyncOp::RwReadLock => {
                let written = self.is_written(value);
                (self.space.terms.not(written), self.combined(BinOp::BvAdd, value, 1))
            }
            _ => (self.is(value, 0), own),
        };
        let goes_on = self.space.terms.or(free, mine);
        self.assume(goes_on);
        let (done, error) = (self.space.terms.bv(32, 0), self.space.terms.bv(32, EDEADLK));
        self.choose(dst, vec![(free, Some(after), done), (mine, None, error)]);
    }

    /// What is left when the writer leaves, or one of the readers; to leave what nobody holds is undefined, and changes
    /// nothing.
    pub(super) fn after_leaving(&mut self, value: Term) -> Term {
        let (free, writes) = (self.is(value, 0), self.is_written(value));
        let is_zero_after = self.space.terms.or(free, writes);
        let zero = self.space.terms.bv(32, 0);
        let one_less = self.combined(BinOp::BvAdd, value, u32::MAX.into());
        self.space.terms.ite(is_zero_after, zero, one_less)
    }

    /// Unlocks, with a result that somebody looks at: any, where nobody holds the lock (undefined).
    pub(super) fn release(
        &mut self,
        dst: Option<Var>,
        after: impl FnOnce(&mut Self, Term) -> Term,
    ) {
        let value = self.load();
        let free = self.is(value, 0);
        let held = self.space.terms.not(free);
        let after = after(self, value);
        self.done_or_undefined(dst, held, free, Some(after));
    }

    /// Destroys what nobody holds, of which these bits tell; otherwise that is undefined, and has any result.
    pub(super) fn destroy(&mut self, dst: Option<Var>, holders: u128) {
        let value = self.load();
        let held = self.combined(BinOp::BvAnd, value, holders);
        let free = self.is(held, 0);
        let used = self.space.terms.not(free);
        self.done_or_undefined(dst, free, used, None);
    }

    pub(super) fn done_or_undefined(
        &mut self,
        dst: Option<Var>,
        defined: Term,
        undefined: Term,
        word: Option<Term>,
    ) {
        let Some(dst) = dst else { return };
        self.push(Update::Havoc { dst, kind: HavocKind::Unspecified });
        let any = self.space.read_var(dst);
        let done = self.space.terms.bv(32, 0);
        self.choose(Some(dst), vec![(defined, word, done), (undefined, word, any)]);
    }
}
