//! Analyses whose precision can be refined: explicit values, predicates, and their product.

use std::rc::Rc;

use crate::algorithm::arg::{Arg, Node};
use crate::algorithm::graph::Listed;
use crate::algorithm::refine::chain::{Chain, GuardOf};
use crate::algorithm::refine::interpolate::{Method, core_variables, interpolate};
use crate::domain::explicit::transfer::{EITHER, Way};
use crate::domain::explicit::valuation::Place;
use crate::domain::explicit::{Explicit, State as ExplicitState};
use crate::domain::predicate::precision::Pieces;
use crate::domain::predicate::{AbstractionStatistics, Predicates, State as PredicateState, start};
use crate::domain::{Analysis, Context, Stop};
use crate::model::block::Block;
use crate::model::space::Space;
use crate::model::step::{Site, Step};
use crate::reduction::Tracked;

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
        trace: &Trace,
        core: &[GuardOf],
        refinement: &Refinement,
        sites: &[Site],
    ) -> Result<Option<Refined>, Stop>;

    fn precision_size(&self) -> usize;

    /// How much is tracked that differs in more than its numbers: this grows as long as refinement leads
    /// anywhere.
    fn learnt(&self) -> usize;

    /// What is tracked somewhere.
    fn tracked(&self, space: &Space<'_>) -> Tracked;

    /// What is tracked where.
    fn listed(&self, space: &mut Space<'_>) -> Vec<Listed>;

    /// What computing abstractions took, for analyses that do.
    fn abstraction_statistics(&self) -> AbstractionStatistics {
        AbstractionStatistics::default()
    }

    /// The block since the last point, in the middle of one.
    fn block_of<'s>(&self, state: &'s Self::State) -> Option<&'s Block>;
}

impl Refinable for Explicit<'_> {
    fn trace(&self, cx: &mut Context<'_, '_>, arg: &Arg<Self>, target: Node) -> Trace {
        let (nodes, steps) = arg.path_to(target);
        let ways = ways_of(&nodes, |node| &arg.nodes[node].state);
        let mut blocks = vec![Rc::new(start(cx))];
        for step in &steps {
            let mut block = Block::default();
            block.take(cx.space, step);
            blocks.push(Rc::new(block));
        }
        let points = (0..nodes.len()).collect();
        Trace { nodes, steps, ways, points, chain: Chain { blocks } }
    }

    fn refine(
        &mut self,
        cx: &mut Context<'_, '_>,
        trace: &Trace,
        core: &[GuardOf],
        _: &Refinement,
        sites: &[Site],
    ) -> Result<Option<Refined>, Stop> {
        if let Some(refined) = refine_by_values(self, cx, trace, sites) {
            return Ok(Some(refined));
        }
        let mut changes = Changes::default();
        for (cut, vars) in core_variables(cx.space, &trace.chain, core).into_iter().enumerate() {
            for var in vars {
                changes.note(cut, self.precision.add(cx.space, sites[cut], Place::Var(var)));
            }
        }
        Ok(changes.refined())
    }

    fn precision_size(&self) -> usize {
        self.precision.size()
    }

    fn learnt(&self) -> usize {
        self.precision.size()
    }

    fn tracked(&self, space: &Space<'_>) -> Tracked {
        Tracked { groups: self.precision.tracked(space) }
    }

    fn listed(&self, space: &mut Space<'_>) -> Vec<Listed> {
        self.precision.listed(space)
    }

    fn block_of<'s>(&self, _: &'s ExplicitState) -> Option<&'s Block> {
        None
    }
}

/// The branches taken in the step to each node but the first.
fn ways_of<'s>(nodes: &[Node], state: impl Fn(Node) -> &'s ExplicitState) -> Vec<Way> {
    nodes.iter().skip(1).map(|&node| state(node).way.clone()).collect()
}

/// Tracks the places whose values refute a path.
fn refine_by_values(
    explicit: &mut Explicit<'_>,
    cx: &mut Context<'_, '_>,
    trace: &Trace,
    sites: &[Site],
) -> Option<Refined> {
    let path: Vec<_> = trace.steps.iter().cloned().zip(trace.ways.iter().cloned()).collect();
    let needed = explicit.needed_places(cx, &path).or_else(|| {
        // It may be that none of the ways that were made one can be taken.
        let certain = |way: &Way| way.iter().map(|branch| branch & !EITHER).collect();
        let path: Vec<_> = path.iter().map(|(step, way)| (Rc::clone(step), certain(way))).collect();
        explicit.needed_places(cx, &path)
    })?;
    // Half of an explanation refutes nothing.
    if needed.iter().flatten().any(|&place| explicit.precision.is_banned(place)) {
        return None;
    }
    let mut changes = Changes::default();
    for (number, places) in needed.into_iter().enumerate() {
        for place in places {
            changes.note(number, explicit.precision.add(cx.space, sites[number], place));
        }
    }
    changes.refined()
}

/// Collects where something is to be tracked.
#[derive(Debug, Default)]
struct Changes {
    first: Option<usize>,
    first_new: Option<usize>,
}

impl Changes {
    fn note(&mut self, at: usize, new: bool) {
        self.first.get_or_insert(at);
        if new {
            self.first_new.get_or_insert(at);
        }
    }

    fn refined(&self) -> Option<Refined> {
        match (self.first_new, self.first) {
            (Some(first), _) => Some(Refined { first, new: true }),
            (None, Some(first)) => Some(Refined { first, new: false }),
            (None, None) => None,
        }
    }
}

impl Refinable for Predicates<'_> {
    fn trace(&self, cx: &mut Context<'_, '_>, arg: &Arg<Self>, target: Node) -> Trace {
        let (nodes, steps) = arg.path_to(target);
        let ways = vec![Way::new(); steps.len()];
        let (points, chain) = self.chain(cx, &nodes, &steps, |node| &arg.nodes[node].state);
        Trace { nodes, steps, ways, points, chain }
    }

    fn refine(
        &mut self,
        cx: &mut Context<'_, '_>,
        trace: &Trace,
        core: &[GuardOf],
        refinement: &Refinement,
        sites: &[Site],
    ) -> Result<Option<Refined>, Stop> {
        let Some(formulas) = interpolate(cx, &trace.chain, core, refinement.method) else {
            return Ok(None);
        };
        let mut changes = Changes::default();
        // At the root nothing is abstracted.
        for (cut, formula) in formulas.into_iter().enumerate().skip(1) {
            if cx.space.terms.as_bool(formula) == Some(true) {
                continue;
            }
            let point = trace.points[cut];
            let new = self.precision.add(cx.space, sites[point], formula, refinement.pieces);
            changes.note(point, new);
        }
        Ok(changes.refined())
    }

    fn precision_size(&self) -> usize {
        self.precision.size()
    }

    fn learnt(&self) -> usize {
        self.precision.shapes()
    }

    fn tracked(&self, space: &Space<'_>) -> Tracked {
        Tracked { groups: self.precision.tracked(space) }
    }

    fn listed(&self, _: &mut Space<'_>) -> Vec<Listed> {
        self.precision.listed()
    }

    fn abstraction_statistics(&self) -> AbstractionStatistics {
        self.statistics
    }

    fn block_of<'s>(&self, state: &'s PredicateState) -> Option<&'s Block> {
        (!self.ends_block(state)).then_some(&state.block)
    }
}

impl Predicates<'_> {
    /// The points of a path and the blocks before them.
    fn chain<'s>(
        &self,
        cx: &mut Context<'_, '_>,
        nodes: &[Node],
        steps: &[Rc<Step>],
        state: impl Fn(Node) -> &'s PredicateState,
    ) -> (Vec<usize>, Chain) {
        // Blocks have what was evaluated; where that is not all, each is a step.
        if cx.steps.are_reduced() {
            let mut blocks = vec![Rc::default()];
            for (number, step) in steps.iter().enumerate() {
                let mut block = if number == 0 { start(cx) } else { Block::default() };
                block.take(cx.space, step);
                blocks.push(Rc::new(block));
            }
            return ((0..nodes.len()).collect(), Chain { blocks });
        }
        let mut points = vec![0];
        let mut blocks = vec![Rc::default()];
        for (place, &node) in nodes.iter().enumerate().skip(1) {
            if self.ends_block(state(node)) {
                points.push(place);
                blocks.push(Rc::clone(&self.abstractions[state(node).abstraction].block));
            }
        }
        (points, Chain { blocks })
    }
}

impl Refinable for (Explicit<'_>, Predicates<'_>) {
    fn trace(&self, cx: &mut Context<'_, '_>, arg: &Arg<Self>, target: Node) -> Trace {
        let (nodes, steps) = arg.path_to(target);
        let ways = ways_of(&nodes, |node| &arg.nodes[node].state.0);
        let (points, chain) = self.1.chain(cx, &nodes, &steps, |node| &arg.nodes[node].state.1);
        Trace { nodes, steps, ways, points, chain }
    }

    fn refine(
        &mut self,
        cx: &mut Context<'_, '_>,
        trace: &Trace,
        core: &[GuardOf],
        refinement: &Refinement,
        sites: &[Site],
    ) -> Result<Option<Refined>, Stop> {
        // Values first: they cost next to nothing to track.
        if let Some(refined) = refine_by_values(&mut self.0, cx, trace, sites)
            && (refined.new || refinement.pieces == Pieces::Atoms)
        {
            return Ok(Some(refined));
        }
        self.1.refine(cx, trace, core, refinement, sites)
    }

    fn precision_size(&self) -> usize {
        self.0.precision.size() + self.1.precision.size()
    }

    fn learnt(&self) -> usize {
        self.0.learnt() + self.1.learnt()
    }

    fn tracked(&self, space: &Space<'_>) -> Tracked {
        let mut groups = self.0.precision.tracked(space);
        groups.extend(self.1.precision.tracked(space));
        Tracked { groups }
    }

    fn listed(&self, space: &mut Space<'_>) -> Vec<Listed> {
        let mut all = self.0.precision.listed(space);
        all.extend(self.1.precision.listed());
        all
    }

    fn abstraction_statistics(&self) -> AbstractionStatistics {
        self.1.statistics
    }

    fn block_of<'s>(&self, state: &'s Self::State) -> Option<&'s Block> {
        self.1.block_of(&state.1)
    }
}
