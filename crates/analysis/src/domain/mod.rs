//! Abstract domains, and what an analysis is: configurable program analysis (Beyer, Henzinger, Théoduloz, CAV 2007).
//!
//! - [`explicit`]: values of variables and memory cells; [`predicate`]: predicates; `product`: both at once. Each folder
//!   has the states, the transfer relation, the precision and its refinement.
//!
//! An analysis has states, a transfer relation ([`Analysis::post`]), a precision that decides what is
//! kept ([`Analysis::adjust`]), and says how states are merged and when one covers another. One
//! algorithm, [`crate::algorithm::arg`], runs them all. A pair of analyses is an analysis, in which the second
//! learns from the first ([`Strengthen`]); everything is dispatched statically.

pub mod explicit;
pub mod predicate;
mod product;

use std::fmt;
use std::hash::Hash;

use ravelin_base::{Budget, Exhausted};
use ravelin_smt::NoAnswer;
use ravelin_term::Term;
use smallvec::SmallVec;

use crate::model::space::Space;
use crate::model::step::{Control, Site, Step, Steps};
use crate::solver::SolverFacade;

/// What every operator of an analysis may use.
#[derive(Debug)]
pub struct Context<'a, 'p> {
    pub space: &'a mut Space<'p>,
    pub steps: &'a mut Steps,
    pub solver: &'a mut SolverFacade,
    pub budget: &'a mut Budget,
}

/// Why an analysis ended without an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    Exhausted(Exhausted),
    /// The solver could not decide what had to be decided.
    Solver(NoAnswer),
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Self {
        Stop::Exhausted(exhausted)
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Exhausted(exhausted) => exhausted.fmt(f),
            Stop::Solver(reason) => write!(f, "solver: {reason}"),
        }
    }
}

/// The states after a step: mostly one.
pub type States<S> = SmallVec<[S; 1]>;

/// An analysis with its precision.
pub trait Analysis {
    type State: Clone + fmt::Debug;

    /// What states must share so that one of them can be found by hash where it covers the other.
    type Shape: Clone + Eq + Hash + fmt::Debug;

    /// The state in which the program starts.
    fn initial(&mut self, cx: &mut Context<'_, '_>, at: Control) -> Self::State;

    /// The states after a step: together they stand for everything that can follow.
    fn post(
        &mut self,
        cx: &mut Context<'_, '_>,
        state: &Self::State,
        step: &Step,
    ) -> Result<States<Self::State>, Stop>;

    /// Reduces the state after a step to what the precision keeps at `site`; `None` if it turns out
    /// that the step cannot be taken.
    fn adjust(
        &mut self,
        cx: &mut Context<'_, '_>,
        state: Self::State,
        step: &Step,
        site: Site,
    ) -> Result<Option<Self::State>, Stop>;

    /// The states after a step, reduced to what the precision keeps.
    fn successors(
        &mut self,
        cx: &mut Context<'_, '_>,
        state: &Self::State,
        step: &Step,
        site: Site,
    ) -> Result<States<Self::State>, Stop> {
        let mut successors = States::new();
        for next in self.post(cx, state, step)? {
            successors.extend(self.adjust(cx, next, step, site)?);
        }
        Ok(successors)
    }

    /// A state that stands for both of two at the same place, or `None` to keep them apart.
    fn merge(
        &mut self,
        cx: &mut Context<'_, '_>,
        new: &Self::State,
        old: &Self::State,
    ) -> Option<Self::State>;

    /// Whether all that `smaller` stands for, `larger` stands for too.
    fn covers(
        &mut self,
        cx: &mut Context<'_, '_>,
        larger: &Self::State,
        smaller: &Self::State,
    ) -> Result<bool, Stop>;

    /// What a state says, as terms over the program's variables.
    fn facts(&self, cx: &mut Context<'_, '_>, state: &Self::State) -> Vec<Term>;

    /// The value of a term in a state, if it is known.
    fn value_of(&self, cx: &mut Context<'_, '_>, state: &Self::State, term: Term) -> Option<Term>;

    /// Whether the state ends a block: only such are covered, and refined.
    fn ends_block(&self, state: &Self::State) -> bool;

    fn shape(&self, state: &Self::State) -> Self::Shape;

    /// A number that `state` has in common with all states of the shape that may cover it; `None`
    /// if none can.
    fn projection(&self, state: &Self::State, shape: &Self::Shape) -> Option<u64>;
}

/// An analysis that learns from another, `A`, that runs beside it.
pub trait Strengthen<A: Analysis>: Analysis {
    /// Adds to a state after a step, before it is adjusted, what the other analysis knows before and
    /// after it.
    fn strengthen(
        &mut self,
        cx: &mut Context<'_, '_>,
        own: &mut Self::State,
        before: &A::State,
        after: &A::State,
    );
}
