//! Where the analysis takes more for possible than there is: what a path that is no execution may be due to.

use ravelin_cfa::{AllocKind, Place};
use ravelin_term::{TermKind, UnOp};

use crate::algorithm::concretise::Numbered;
use crate::model::bulk::MAX_BYTES;
use crate::model::space::Space;
use crate::model::statement::{Action, Statement, Update};
use crate::verdict::{Approximated, Coarse, Input, InputValue};

/// The first operation along a path that the analysis does not follow exactly. Addresses come last: programs that
/// turn them into numbers seldom depend on their values.
pub fn first_along(space: &Space<'_>, path: &[Numbered], inputs: &[Input]) -> Option<Approximated> {
    let approximated = |what, pos| Approximated { what, at: Place::of(space.program, pos) };
    let statements = || path.iter().flat_map(|(step, _)| step.statements.iter());
    let find = |look: &dyn Fn(&Statement) -> Option<Coarse>| {
        let mut found = None;
        statements().for_each(|statement| {
            statement.walk(&mut |inner| {
                found = found.take().or_else(|| Some(approximated(look(inner)?, inner.pos)));
            });
        });
        found
    };
    let pointer = || {
        let input = inputs.iter().find(|input| matches!(input.value, InputValue::Pointer(_)))?;
        Some(approximated(Coarse::Address, input.pos))
    };
    find(&|statement| match &statement.action {
        Action::Assume(_) | Action::Choice(_) => None,
        Action::Update(update) => coarse(space, update),
    })
    .or_else(pointer)
    .or_else(|| find(&|statement| shows_address(space, statement).then_some(Coarse::Address)))
}

fn coarse(space: &Space<'_>, update: &Update) -> Option<Coarse> {
    let is_long = |size| space.terms.as_bv(size).is_none_or(|size| size > u128::from(MAX_BYTES));
    match update {
        Update::HavocMemory { .. } => Some(Coarse::MemoryFromOutside),
        Update::Copy { size, .. } | Update::Fill { size, .. } => {
            is_long(*size).then_some(Coarse::LongCopy)
        }
        Update::Alloc { size, kind: AllocKind::HeapZeroed, .. } => {
            is_long(*size).then_some(Coarse::LongCopy)
        }
        Update::Realloc { .. } => Some(Coarse::Realloc),
        Update::Inspect { memory, .. } => memory.is_none().then_some(Coarse::ObjectState),
        Update::Load { .. } => space.forgets_memory.then_some(Coarse::Memory),
        Update::Assign { .. }
        | Update::Havoc { .. }
        | Update::Store { .. }
        | Update::ScopeBegin(_)
        | Update::ScopeEnd(_)
        | Update::Alloc { .. }
        | Update::Free { .. }
        | Update::Mark { .. } => None,
    }
}

fn shows_address(space: &Space<'_>, statement: &Statement) -> bool {
    let mut shows = false;
    statement.for_each_term(&mut |term| {
        space.terms.for_each_subterm(term, |_, kind| {
            shows |= matches!(kind, TermKind::Unary(UnOp::PtrToInt, _));
        });
    });
    shows
}
