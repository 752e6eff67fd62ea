//! What operations do to locks.

use ravelin_cfa::{Op, SyncOp};
use ravelin_term::{BinOp, Term, TermKind, TermPool, Var};

use super::state::Mode;

/// How an operation takes a lock, and whether it surely has it afterwards; otherwise it has if the result is 0.
pub fn taking(op: SyncOp) -> Option<(Mode, bool)> {
    match op {
        SyncOp::MutexLock | SyncOp::RwWriteLock => Some((Mode::Exclusive, true)),
        SyncOp::RwReadLock => Some((Mode::Shared, true)),
        SyncOp::MutexTryLock | SyncOp::MutexTimedLock | SyncOp::RwTryWriteLock => {
            Some((Mode::Exclusive, false))
        }
        SyncOp::RwTryReadLock => Some((Mode::Shared, false)),
        SyncOp::MutexInit
        | SyncOp::MutexDestroy
        | SyncOp::MutexUnlock
        | SyncOp::RwInit
        | SyncOp::RwDestroy
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
        | SyncOp::SemWait
        | SyncOp::SemTryWait
        | SyncOp::SemPost
        | SyncOp::SemGetValue => None,
    }
}

/// The lock that an operation takes, perhaps.
pub fn taken(op: &Op) -> Option<(Term, Mode)> {
    let Op::Sync { op, args, .. } = op else { return None };
    taking(*op).map(|(mode, _)| (args[0], mode))
}

/// The lock that an operation releases.
pub fn released(op: &Op) -> Option<Term> {
    let Op::Sync { op, args, .. } = op else { return None };
    released_by(*op, args)
}

pub fn released_by(op: SyncOp, args: &[Term]) -> Option<Term> {
    matches!(op, SyncOp::MutexUnlock | SyncOp::RwUnlock).then(|| args[0])
}

/// The variable that a condition says to be zero.
pub fn zero_variable(terms: &TermPool, cond: Term) -> Option<Var> {
    let TermKind::Binary(BinOp::Eq, a, b) = terms.kind(cond) else { return None };
    let (var, value) = match (terms.kind(a), terms.kind(b)) {
        (TermKind::Var(var), _) => (var, b),
        (_, TermKind::Var(var)) => (var, a),
        _ => return None,
    };
    (terms.as_bv(value) == Some(0)).then_some(var)
}
