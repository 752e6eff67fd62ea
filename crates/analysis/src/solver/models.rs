//! Models of earlier questions, which answer most of the later ones.
//!
//! Predicate abstraction asks mostly what is satisfiable, and mostly by values that a model had before. To evaluate terms
//! in a model takes a fraction of what the solver takes. Such an answer only ever says that a question is satisfiable.
//! Were the evaluation to differ from the solver's, an abstraction would be coarser and never wrong.

use ravelin_term::{Sort, Term, Var};
use rustc_hash::FxHashMap;

use crate::model::space::Space;

/// The number of models kept; one bit of a mask stands for each.
const CAPACITY: usize = u64::BITS as usize;

/// The number of models in which a question may meet terms that were not evaluated there yet.
const MAX_FRESH: usize = 24;

/// The number of terms whose truth is kept.
const MAX_TERMS: usize = 50_000;

/// The models of the last questions that the solver found satisfiable.
#[derive(Debug, Default)]
pub struct Models {
    assignments: Vec<FxHashMap<Var, Term>>,
    /// The slot of the newest model.
    newest: usize,
    truths: FxHashMap<Term, Truth>,
}

/// In which models a term holds.
#[derive(Clone, Copy, Debug, Default)]
struct Truth {
    evaluated: u64,
    holds: u64,
}

impl Models {
    /// Whether all terms hold in one of the models.
    pub fn satisfy(&mut self, space: &mut Space<'_>, terms: &[Term]) -> bool {
        let mut refuted = 0;
        for term in terms {
            let Truth { evaluated, holds } = self.truths.get(term).copied().unwrap_or_default();
            refuted |= evaluated & !holds;
        }
        let count = self.assignments.len();
        let newest_first = (0..count).map(|age| (self.newest + count - age) % count);
        let candidates: Vec<usize> =
            newest_first.filter(|slot| refuted >> slot & 1 == 0).take(MAX_FRESH).collect();
        candidates.into_iter().any(|slot| terms.iter().all(|&term| self.holds(space, slot, term)))
    }

    fn holds(&mut self, space: &mut Space<'_>, slot: usize, term: Term) -> bool {
        let truth = self.truths.entry(term).or_default();
        if truth.evaluated >> slot & 1 == 0 {
            let assignment = &mut self.assignments[slot];
            for var in space.terms.vars_of(term) {
                if !assignment.contains_key(&var)
                    && let Some(value) = default_value(space, var)
                {
                    assignment.insert(var, value);
                }
            }
            let value = space.terms.substitute(term, |_, var| assignment.get(&var).copied());
            truth.evaluated |= 1 << slot;
            truth.holds |= u64::from(space.terms.as_bool(value) == Some(true)) << slot;
        }
        truth.holds >> slot & 1 == 1
    }

    /// Adds a model. Variables without a value keep that of the newest model.
    pub fn add(&mut self, values: impl IntoIterator<Item = (Var, Term)>) {
        let mut assignment = self.assignments.get(self.newest).cloned().unwrap_or_default();
        assignment.extend(values);
        if self.truths.len() > MAX_TERMS {
            self.truths.clear();
        }
        if self.assignments.len() < CAPACITY {
            self.newest = self.assignments.len();
            self.assignments.push(assignment);
            return;
        }
        self.newest = (self.newest + 1) % CAPACITY;
        self.assignments[self.newest] = assignment;
        let others = !(1 << self.newest);
        for truth in self.truths.values_mut() {
            truth.evaluated &= others;
            truth.holds &= others;
        }
    }
}

/// The value of a variable to which a model gives none; nothing for sorts without an obvious choice.
fn default_value(space: &mut Space<'_>, var: Var) -> Option<Term> {
    match space.sort(var) {
        Sort::Bool => Some(space.terms.bool(false)),
        Sort::Bv(width) => Some(space.terms.bv(width, 0)),
        Sort::Ptr => Some(space.terms.null()),
        Sort::Float(_) | Sort::Mem => None,
    }
}
