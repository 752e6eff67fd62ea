//! The refinement of predicates: interpolants at the abstraction points of an infeasible path.

use std::rc::Rc;

use super::{AbstractionStatistics, PredicateState, Predicates, start};
use crate::algorithm::arg::{Arg, Node};
use crate::algorithm::graph::Listed;
use crate::algorithm::refine::chain::Chain;
use crate::algorithm::refine::interpolate::interpolate;
use crate::algorithm::refine::refinable::{
    Changes, Refinable, Refined, Refinement, Refuted, Trace,
};
use crate::domain::explicit::transfer::Way;
use crate::domain::{Analysis, Context, Stop};
use crate::model::block::Block;
use crate::model::space::Space;
use crate::model::step::Step;
use crate::reduction::TrackedPlaces;

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
        refuted: &Refuted<'_>,
        refinement: &Refinement,
    ) -> Result<Option<Refined>, Stop> {
        let Refuted { trace, core, sites } = *refuted;
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

    fn tracked(&self, space: &Space<'_>) -> TrackedPlaces {
        TrackedPlaces { groups: self.precision.tracked(space) }
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
    pub(crate) fn chain<'s>(
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
