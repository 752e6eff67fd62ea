//! Which variables and cells must be tracked so that a path is seen to be infeasible.
//!
//! The path is executed with everything tracked. If a condition on it turns out false, the places it
//! depends on are followed back along the path: what is needed after each step is a valuation that
//! suffices to refute the rest, an interpolant made of values.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::transfer::{Observer, Way, follow, initial};
use super::valuation::{Place, Valuation};
use crate::cpa::Context;
use crate::step::Step;

/// A step of a path and the branches taken in it.
pub type Taken = (Rc<Step>, Way);

/// The places needed before each step of a path to refute it, up to the step with the refuted
/// condition; `None` if values alone do not refute it.
pub fn needed_places(cx: &mut Context<'_, '_>, path: &[Taken]) -> Option<Vec<BTreeSet<Place>>> {
    let mut values = everything_initial(cx);
    let mut record = Record::default();
    let mut starts = Vec::with_capacity(path.len());
    let mut refuted = false;
    for (step, way) in path {
        starts.push(record.definitions.len());
        let mut branches = way.iter().copied();
        if !follow(cx.space, &mut values, &step.labels, &mut branches, &mut record) {
            refuted = true;
            break;
        }
        for &var in step.left.iter().chain(&step.uninitialised) {
            values.forget(Place::Var(var));
        }
    }
    if !refuted {
        return None;
    }
    let mut needed: BTreeSet<Place> = record.refuted.iter().copied().collect();
    let mut before = vec![BTreeSet::new(); starts.len()];
    let mut end = record.definitions.len();
    for (number, &start) in starts.iter().enumerate().rev() {
        for (place, sources) in record.definitions[start..end].iter().rev() {
            if needed.remove(place) {
                needed.extend(sources.iter().copied());
            }
        }
        end = start;
        before[number] = needed.clone();
    }
    Some(before)
}

/// All that is known when the program starts.
fn everything_initial(cx: &mut Context<'_, '_>) -> Valuation {
    let mut values = Valuation::default();
    let program = cx.space.program;
    for var in program.vars.keys().chain([cx.space.next_object()]) {
        if let Some(value) = initial(cx.space, Place::Var(var))
            && cx.space.is_value(value)
        {
            values.set(Place::Var(var), value);
        }
    }
    for object in program.objects.keys() {
        for memory in cx.space.memories_of(object) {
            for (offset, value) in cx.space.initial_contents_in(object, memory) {
                if let Some(bytes) = program.bytes_of(cx.space.terms.sort(value))
                    && cx.space.is_value(value)
                {
                    let object = object.as_u32() + 1;
                    values.set(Place::Cell { memory, object, offset, bytes }, value);
                }
            }
        }
    }
    values
}

/// Who got its value from whom, in order.
#[derive(Debug, Default)]
struct Record {
    definitions: Vec<(Place, Box<[Place]>)>,
    refuted: Vec<Place>,
}

impl Observer for Record {
    fn defined(&mut self, place: Place, sources: &[Place]) {
        self.definitions.push((place, sources.into()));
    }

    fn refuted(&mut self, sources: &[Place]) {
        self.refuted = sources.to_vec();
    }
}
