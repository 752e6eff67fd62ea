//! Where the analysis takes more for possible than there is: what a path that is no execution may be due to.

use ravelin_cfa::access::for_each_term;
use ravelin_cfa::{AllocKind, Label, Op, Place};
use ravelin_term::{TermKind, UnOp};

use crate::algorithm::concretise::Numbered;
use crate::model::bulk::MAX_BYTES;
use crate::model::space::Space;
use crate::verdict::{Approximated, Coarse, Input, InputValue};

/// The first operation along a path that the analysis does not follow exactly. Addresses come last: programs that
/// turn them into numbers seldom depend on their values.
pub fn first_along(space: &Space<'_>, path: &[Numbered], inputs: &[Input]) -> Option<Approximated> {
    let approximated = |what, pos| Approximated { what, at: Place::of(space.program, pos) };
    let labels = || path.iter().flat_map(|(step, _)| step.labels.iter());
    let find = |look: &dyn Fn(&Label) -> Option<Coarse>| {
        labels().find_map(|label| {
            let mut found = None;
            label.any(&mut |inner| {
                found = look(inner).map(|what| approximated(what, inner.pos));
                found.is_some()
            });
            found
        })
    };
    let pointer = || {
        let input = inputs.iter().find(|input| matches!(input.value, InputValue::Pointer(_)))?;
        Some(approximated(Coarse::Address, input.pos))
    };
    find(&|label| coarse(space, &label.op))
        .or_else(pointer)
        .or_else(|| find(&|label| shows_address(space, &label.op).then_some(Coarse::Address)))
}

fn coarse(space: &Space<'_>, op: &Op) -> Option<Coarse> {
    let is_long = |size| space.terms.as_bv(size).is_none_or(|size| size > u128::from(MAX_BYTES));
    match op {
        Op::HavocMemory { .. } => Some(Coarse::MemoryFromOutside),
        Op::Copy { size, .. } | Op::Fill { size, .. } => is_long(*size).then_some(Coarse::LongCopy),
        Op::Alloc { size, kind: AllocKind::HeapZeroed, .. } => {
            is_long(*size).then_some(Coarse::LongCopy)
        }
        Op::Realloc { .. } => Some(Coarse::Realloc),
        Op::Inspect { .. } => Some(Coarse::ObjectState),
        Op::Load { .. } => space.forgets_memory.then_some(Coarse::Memory),
        Op::Skip
        | Op::Assume(_)
        | Op::Assign { .. }
        | Op::Havoc { .. }
        | Op::Store { .. }
        | Op::ScopeBegin(_)
        | Op::ScopeEnd(_)
        | Op::Alloc { .. }
        | Op::Free { .. }
        | Op::Call { .. }
        | Op::Return { .. }
        | Op::Start { .. }
        | Op::Join { .. }
        | Op::ThreadExit { .. }
        | Op::ThreadSelf { .. }
        | Op::Sync { .. }
        | Op::AtomicBegin
        | Op::AtomicEnd
        | Op::Error(_)
        | Op::Exit { .. }
        | Op::Abort
        | Op::Unsupported { .. }
        | Op::Print { .. }
        | Op::External { .. }
        | Op::Choice(_) => None,
    }
}

fn shows_address(space: &Space<'_>, op: &Op) -> bool {
    let mut shows = false;
    for_each_term(op, |term| {
        space.terms.for_each_subterm(term, |_, kind| {
            shows |= matches!(kind, TermKind::Unary(UnOp::PtrToInt, _));
        });
    });
    shows
}
