//! The product of two analyses, in which the second learns from the first; and its refinement, for values and
//! predicates.

use ravelin_term::Term;

use super::explicit::Explicit;
use super::explicit::refine::{refine_by_values, ways_of};
use super::predicate::precision::Pieces;
use super::predicate::{AbstractionStatistics, Predicates};
use super::{Analysis, Context, States, Stop, Strengthen};
use crate::algorithm::arg::{Arg, Node};
use crate::algorithm::graph::Listed;
use crate::algorithm::refine::refinable::{Refinable, Refined, Refinement, Refuted, Trace};
use crate::model::block::Block;
use crate::model::space::Space;
use crate::model::step::{Control, Site, Step};
use crate::reduction::TrackedPlaces;

impl<A: Analysis, B: Strengthen<A>> Analysis for (A, B)
where
    A::State: Eq,
{
    type State = (A::State, B::State);
    type Shape = (A::Shape, B::Shape);

    fn initial(&mut self, cx: &mut Context<'_, '_>, at: Control) -> Self::State {
        (self.0.initial(cx, at), self.1.initial(cx, at))
    }

    fn post(
        &mut self,
        cx: &mut Context<'_, '_>,
        state: &Self::State,
        step: &Step,
    ) -> Result<States<Self::State>, Stop> {
        let mut states = States::new();
        let seconds = self.1.post(cx, &state.1, step)?;
        for first in self.0.post(cx, &state.0, step)? {
            for second in &seconds {
                let mut second = second.clone();
                self.1.strengthen(cx, &mut second, &state.0, &first);
                states.push((first.clone(), second));
            }
        }
        Ok(states)
    }

    fn adjust(
        &mut self,
        cx: &mut Context<'_, '_>,
        state: Self::State,
        step: &Step,
        site: Site,
    ) -> Result<Option<Self::State>, Stop> {
        // The second first: it was strengthened by what the first knows before it forgets.
        let Some(second) = self.1.adjust(cx, state.1, step, site)? else {
            return Ok(None);
        };
        Ok(self.0.adjust(cx, state.0, step, site)?.map(|first| (first, second)))
    }

    fn merge(
        &mut self,
        cx: &mut Context<'_, '_>,
        new: &Self::State,
        old: &Self::State,
    ) -> Option<Self::State> {
        if new.0 != old.0 {
            return None;
        }
        self.1.merge(cx, &new.1, &old.1).map(|second| (old.0.clone(), second))
    }

    fn covers(
        &mut self,
        cx: &mut Context<'_, '_>,
        larger: &Self::State,
        smaller: &Self::State,
    ) -> Result<bool, Stop> {
        Ok(self.0.covers(cx, &larger.0, &smaller.0)? && self.1.covers(cx, &larger.1, &smaller.1)?)
    }

    fn facts(&self, cx: &mut Context<'_, '_>, state: &Self::State) -> Vec<Term> {
        let mut facts = self.0.facts(cx, &state.0);
        facts.extend(self.1.facts(cx, &state.1));
        facts
    }

    fn value_of(&self, cx: &mut Context<'_, '_>, state: &Self::State, term: Term) -> Option<Term> {
        self.0.value_of(cx, &state.0, term).or_else(|| self.1.value_of(cx, &state.1, term))
    }

    fn ends_block(&self, state: &Self::State) -> bool {
        self.0.ends_block(&state.0) && self.1.ends_block(&state.1)
    }

    fn shape(&self, state: &Self::State) -> Self::Shape {
        (self.0.shape(&state.0), self.1.shape(&state.1))
    }

    fn projection(&self, state: &Self::State, shape: &Self::Shape) -> Option<u64> {
        let first = self.0.projection(&state.0, &shape.0)?;
        let second = self.1.projection(&state.1, &shape.1)?;
        Some(first.rotate_left(1) ^ second)
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
        refuted: &Refuted<'_>,
        refinement: &Refinement,
    ) -> Result<Option<Refined>, Stop> {
        // Values first: they cost next to nothing to track.
        if let Some(refined) = refine_by_values(&mut self.0, cx, refuted.trace, refuted.sites)
            && (refined.new || refinement.pieces == Pieces::Atoms)
        {
            return Ok(Some(refined));
        }
        self.1.refine(cx, refuted, refinement)
    }

    fn precision_size(&self) -> usize {
        self.0.precision.size() + self.1.precision.size()
    }

    fn learnt(&self) -> usize {
        self.0.learnt() + self.1.learnt()
    }

    fn tracked(&self, space: &Space<'_>) -> TrackedPlaces {
        let mut groups = self.0.precision.tracked(space);
        groups.extend(self.1.precision.tracked(space));
        TrackedPlaces { groups }
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
