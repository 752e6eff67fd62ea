//! Effects of an operation besides reading and writing: it may wait for another thread, or stop.

use ravelin_term::{BinOp, Term, TermKind, TermPool, term_kinds};

use crate::access::{Access, for_each_access};
use crate::op::{Op, SyncOp};
use crate::ops;

/// Whether the operation may be disabled until another thread moves. Entering an atomic section
/// counts, because no block may hide its start.
pub fn may_wait(op: &Op) -> bool {
    match op {
        Op::Sync { op, .. } => op.info().blocks,
        Op::Join { .. } | Op::AtomicBegin => true,
        ops!(data, access, scope, object, procedure, remark, end)
        | Op::Claim(_)
        | Op::HavocMemory { .. }
        | Op::Start { .. }
        | Op::ThreadExit { .. }
        | Op::ThreadSelf { .. }
        | Op::AtomicEnd => false,
        Op::Choice(branches) => branches.iter().flatten().any(|label| may_wait(&label.op)),
    }
}

/// Whether the thread, or the whole program, may end with the operation: a failed assumption, an
/// error, an invalid access to memory, a division by zero. The first assumption of a choice's
/// branch is a guard and stops nothing: another branch is taken.
pub fn may_stop(terms: &TermPool, op: &Op) -> bool {
    match op {
        ops!(access, procedure, end)
        | Op::Assume(_)
        | Op::Realloc { .. }
        | Op::Free { .. }
        | Op::Join { .. }
        | Op::ThreadExit { .. }
        | Op::Sync { .. }
        | Op::Print { .. } => true,
        // A concrete execution that ends at a function without model is not a behaviour of the
        // program.
        Op::External { .. }
        | Op::Assign { .. }
        | Op::Alloc { .. }
        | Op::Inspect { .. }
        | Op::HavocMemory { .. }
        | Op::Start { .. } => {
            let mut trap = false;
            for_each_access(op, &mut |access| {
                if let Access::Evaluate(term) = access {
                    trap |= may_trap(terms, term);
                }
            });
            trap
        }
        ops!(scope, section)
        | Op::Claim(_)
        | Op::Skip
        | Op::Havoc { .. }
        | Op::ThreadSelf { .. } => false,
        Op::Choice(branches) => branches.iter().any(|branch| {
            let guard_may_trap = branch.first().is_some_and(|label| match label.op {
                Op::Assume(cond) => may_trap(terms, cond),
                _ => true,
            });
            guard_may_trap || branch.iter().skip(1).any(|label| may_stop(terms, &label.op))
        }),
    }
}

/// Whether nothing may follow the operation on its edge: it leaves the procedure, or it takes
/// several steps (a call, a wait in several phases), or other threads may move right after it.
pub fn closes_block(op: &Op) -> bool {
    match op {
        ops!(procedure, end) | Op::Start { .. } | Op::AtomicEnd | Op::ThreadExit { .. } => true,
        Op::Sync { op, .. } => {
            matches!(op, SyncOp::CondWait | SyncOp::CondTimedWait | SyncOp::BarrierWait)
        }
        Op::Claim(_) => true,
        ops!(data, access, scope, object, remark)
        | Op::HavocMemory { .. }
        | Op::Join { .. }
        | Op::ThreadSelf { .. }
        | Op::AtomicBegin => false,
        Op::Choice(branches) => branches.iter().flatten().any(|label| closes_block(&label.op)),
    }
}

/// Whether evaluating the term may divide by zero, or overflow in a division (C11 6.5.5p5-6).
pub fn may_trap(terms: &TermPool, term: Term) -> bool {
    let mut trap = false;
    terms.for_each_subterm(term, |_, kind| {
        trap |= match kind {
            TermKind::Binary(BinOp::BvUdiv | BinOp::BvUrem, _, divisor) => {
                terms.as_bv(divisor).is_none_or(|value| value == 0)
            }
            TermKind::Binary(BinOp::BvSdiv | BinOp::BvSrem, _, divisor) => {
                terms.as_signed(divisor).is_none_or(|value| value == 0 || value == -1)
            }
            term_kinds!(leaves, inner) => false,
        };
    });
    trap
}
