//! Where the pointers of next steps lead in a state, as far as the state knows.
//!
//! What a thread's next access touches depends on the thread's own variables, and others leave those as
//! they are: what a state says of the pointer stays true until the thread moves.

use ravelin_base::EntityRef;
use ravelin_por::Bits;

use crate::domain::{Analysis, Context};
use crate::model::step::{Ambiguous, Control, KnownObjects};

/// The objects to which pointers lead that could lead to several, in a state at a control state.
pub fn known_objects<A: Analysis>(
    analysis: &A,
    cx: &mut Context<'_, '_>,
    state: &A::State,
    control: Control,
) -> KnownObjects {
    let ambiguous = cx.steps.ambiguous(cx.space, control);
    let mut known = KnownObjects::new();
    for pointer in ambiguous.iter() {
        let objects = by_value(analysis, cx, state, pointer)
            .or_else(|| by_solver(analysis, cx, state, pointer));
        known.extend(objects.map(|objects| (pointer.position, objects)));
    }
    known
}

fn by_value<A: Analysis>(
    analysis: &A,
    cx: &mut Context<'_, '_>,
    state: &A::State,
    ambiguous: &Ambiguous,
) -> Option<Bits> {
    let value = analysis.value_of(cx, state, ambiguous.pointer)?;
    let object = cx.space.object_behind(value)?;
    Some([object.index()].into_iter().collect())
}

fn by_solver<A: Analysis>(
    analysis: &A,
    cx: &mut Context<'_, '_>,
    state: &A::State,
    ambiguous: &Ambiguous,
) -> Option<Bits> {
    if !cx.steps.asks_solver() {
        return None;
    }
    let facts = analysis.facts(cx, state);
    let mut possible = |pointer| {
        let is_it = cx.space.terms.eq(ambiguous.pointer, pointer);
        let mut question = facts.clone();
        question.push(is_it);
        cx.solver.satisfiable(cx.space, &question) != Some(false)
    };
    let objects = ambiguous.objects.iter().filter(|(_, pointers)| match pointers {
        Some(pointers) => pointers.iter().any(|&pointer| possible(pointer)),
        None => true,
    });
    Some(objects.map(|(object, _)| object.index()).collect())
}
