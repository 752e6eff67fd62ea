//! What it takes to refine the precision of an analysis. The domains implement it, each beside its states.

use std::rc::Rc;

use crate::algorithm::arg::{Arg, Node};
use crate::algorithm::graph::Listed;
use crate::algorithm::refine::chain::{Chain, GuardOf};
use crate::algorithm::refine::interpolate::Method;
use crate::domain::explicit::transfer::Way;
use crate::domain::predicate::AbstractionStatistics;
use crate::domain::predicate::precision::Pieces;
use crate::domain::{Analysis, Context, Stop};
use crate::model::block::Block;
use crate::model::space::Space;
use crate::model::step::{Site, Step};
use crate::reduction::TrackedPlaces;

/// How the graph is cut back after a refinement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pruning {
    /// Below the first node whose precision changed.
    Lazy,
    /// All of it.
    Full,
}

/// How precisions are refined.
#[derive(Clone, Copy, Debug)]
pub struct Refinement {
    pub method: Method,
    pub pieces: Pieces,
    pub pruning: Pruning,
}

/// A path of the graph to a target.
#[derive(Debug)]
pub struct Trace {
    pub nodes: Vec<Node>,
    pub steps: Vec<Rc<Step>>,
    /// The branches taken in each step, for analyses that tell them apart.
    pub ways: Vec<Way>,
    /// The places in `nodes` where blocks meet: the first is the root, the last the target.
    pub points: Vec<usize>,
    /// The blocks before each of the points.
    pub chain: Chain,
}

/// A trace that no execution takes.
#[derive(Clone, Copy, Debug)]
pub struct Refuted<'a> {
    pub trace: &'a Trace,
    /// Conditions along the trace that cannot hold together.
    pub core: &'a [GuardOf],
    /// Where its nodes are.
    pub sites: &'a [Site],
}

/// What a refinement did.
#[derive(Clone, Copy, Debug)]
pub struct Refined {
    /// The first node, as a place in the trace, that must be made again.
    pub first: usize,
    /// Whether anything is tracked that was not before. If not, the nodes of the trace may still be from
    /// before it was.
    pub new: bool,
}

/// An analysis whose precision can be refined.
pub trait Refinable: Analysis + Sized {
    /// The path to a target.
    fn trace(&self, cx: &mut Context<'_, '_>, arg: &Arg<Self>, target: Node) -> Trace;

    /// Refines the precision so that the trace is excluded. `None` if the method has nothing to say.
    fn refine(
        &mut self,
        cx: &mut Context<'_, '_>,
        refuted: &Refuted<'_>,
        refinement: &Refinement,
    ) -> Result<Option<Refined>, Stop>;

    fn precision_size(&self) -> usize;

    /// How much is tracked that differs in more than its numbers: this grows as long as refinement leads
    /// anywhere.
    fn learnt(&self) -> usize;

    /// What is tracked somewhere.
    fn tracked(&self, space: &Space<'_>) -> TrackedPlaces;

    /// What is tracked where.
    fn listed(&self, space: &mut Space<'_>) -> Vec<Listed>;

    /// What computing abstractions took, for analyses that do.
    fn abstraction_statistics(&self) -> AbstractionStatistics {
        AbstractionStatistics::default()
    }

    /// The block since the last point, in the middle of one.
    fn block_of<'s>(&self, state: &'s Self::State) -> Option<&'s Block>;
}

/// Collects where something is to be tracked.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    first: Option<usize>,
    first_new: Option<usize>,
}

impl Changes {
    pub(crate) fn note(&mut self, at: usize, new: bool) {
        self.first.get_or_insert(at);
        if new {
            self.first_new.get_or_insert(at);
        }
    }

    pub(crate) fn refined(&self) -> Option<Refined> {
        match (self.first_new, self.first) {
            (Some(first), _) => Some(Refined { first, new: true }),
            (None, Some(first)) => Some(Refined { first, new: false }),
            (None, None) => None,
        }
    }
}
