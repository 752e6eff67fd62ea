//! The predicate domain with adjustable blocks.
//!
//! Between two abstraction points a state carries the block of program since the last, as terms; at an
//! abstraction point the block is reduced to what it says about the predicates tracked there. Where
//! points are is decided by [`BlockOperator`]: after every step, or at loop heads and calls, or after
//! a number of steps (Beyer, Keremoglu, Wendler: "Predicate abstraction with adjustable-block
//! encoding", FMCAD 2010).

mod abstraction;
mod clusters;
pub mod literals;
pub mod precision;
mod refine;

use std::rc::Rc;

use ravelin_base::{PrimaryMap, entity_impl};
use ravelin_term::Term;

use self::clusters::PredicateClusters;
use self::literals::Literals;
use self::precision::Precision;
use crate::domain::explicit::{Explicit, ExplicitState, Scope, valuation::Valuation};
use crate::domain::{Analysis, Context, States, Stop, Strengthen};
use crate::model::block::Block;
use crate::model::control_flow::ControlFlowFacts;
use crate::model::step::{Control, Site, Step, Steps, Target};

/// How a block is reduced to predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Abstracting {
    /// Each predicate on its own: true, false or unknown.
    Cartesian,
    /// All combinations that are possible (ALL-SAT).
    Boolean,
}

/// Where abstraction points are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockOperator {
    /// After every step.
    EveryStep,
    /// At loop heads, if asked at calls and returns, and after so many steps; and wherever another thread may
    /// move, so that the ways through a block are all of one thread and exclude each other.
    Adjustable { calls: bool, max_steps: Option<u32> },
    /// Nowhere but at the end: the program is unrolled, and no round of a loop is taken for another.
    Never,
}

/// An abstraction that was computed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Abstraction(u32);
entity_impl!(Abstraction, "a");

/// What was found at an abstraction point, and the block that led there.
#[derive(Clone, Debug)]
pub struct AbstractionData {
    /// Literals that hold in all cases.
    pub literals: Literals,
    /// Which combinations of other predicates are possible, if that was asked for.
    cubes: Option<Term>,
    /// Where it was computed, and how many predicates were tracked there; nothing at the start.
    tracked: Option<(Site, usize)>,
    /// The block before it, as the program has it.
    pub block: Rc<Block>,
}

/// A state: the last abstraction and what happened since. The first state is in the middle of a block
/// that began with the program.
#[derive(Clone, Debug)]
pub struct PredicateState {
    pub abstraction: Abstraction,
    /// Empty at an abstraction point.
    pub block: Rc<Block>,
    steps: u32,
    /// Values that are known where the block starts.
    entry: Valuation,
    /// Values that are known after the last step.
    now: Valuation,
}

impl PredicateState {
    /// The end of a block of which nothing but itself is known.
    fn within(block: Block) -> Self {
        PredicateState {
            abstraction: Abstraction(0),
            block: Rc::new(block),
            steps: 1,
            entry: Valuation::default(),
            now: Valuation::default(),
        }
    }
}

/// How values that are known where a block starts are told to the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binding {
    /// They take the place of variables and of what is read.
    Substitution,
    /// They are equations beside the question.
    Equality,
}

/// Counts of what abstraction costs.
#[derive(Clone, Copy, Debug, Default)]
pub struct AbstractionStatistics {
    pub abstractions: u64,
    /// Predicates asked about, over all abstractions.
    pub predicates: u64,
    /// Solver calls for them.
    pub calls: u64,
}

impl AbstractionStatistics {
    /// What came since it was this much.
    pub fn since(self, before: AbstractionStatistics) -> AbstractionStatistics {
        AbstractionStatistics {
            abstractions: self.abstractions.saturating_sub(before.abstractions),
            predicates: self.predicates.saturating_sub(before.predicates),
            calls: self.calls.saturating_sub(before.calls),
        }
    }
}

/// The analysis.
#[derive(Debug)]
pub struct Predicates<'g> {
    pub precision: Precision,
    pub abstractions: PrimaryMap<Abstraction, AbstractionData>,
    pub statistics: AbstractionStatistics,
    /// How known values are told to the solver.
    pub binding: Binding,
    abstracting: Abstracting,
    operator: BlockOperator,
    control_flow: &'g ControlFlowFacts,
    clusters: PredicateClusters,
}

impl<'g> Predicates<'g> {
    pub fn new(
        scope: Scope,
        abstracting: Abstracting,
        operator: BlockOperator,
        control_flow: &'g ControlFlowFacts,
    ) -> Self {
        Predicates {
            precision: Precision::new(scope),
            abstractions: PrimaryMap::new(),
            statistics: AbstractionStatistics::default(),
            binding: Binding::Substitution,
            abstracting,
            operator,
            control_flow,
            clusters: PredicateClusters::default(),
        }
    }

    /// Whether an abstraction is computed after a step.
    fn is_point(&self, all: &Steps, step: &Step, steps: u32) -> bool {
        let control = match step.target {
            Target::Error(_) | Target::Unsupported(_) | Target::StartElsewhere | Target::End => {
                return true;
            }
            Target::Control(control) => control,
        };
        let (calls, max_steps) = match self.operator {
            BlockOperator::EveryStep => return true,
            BlockOperator::Never => return false,
            BlockOperator::Adjustable { calls, max_steps } => (calls, max_steps),
        };
        let Some(site) = all.site_of(control, step.thread).filter(|_| all.moves_alone(control))
        else {
            return true;
        };
        self.control_flow.is_loop_head(site.proc, site.loc)
            || (calls && (step.enters || step.leaves))
            || max_steps.is_some_and(|max| steps >= max)
            // Recursion is a cycle without loop head.
            || (step.enters && self.control_flow.is_recursive(site.proc))
    }
}

impl Analysis for Predicates<'_> {
    type State = PredicateState;
    type Shape = ();

    fn initial(&mut self, cx: &mut Context<'_, '_>, _: Control) -> PredicateState {
        // The start is part of the first block: nothing is lost of the initial values.
        let data = AbstractionData {
            literals: Literals::default(),
            cubes: None,
            tracked: None,
            block: Rc::default(),
        };
        PredicateState {
            abstraction: self.abstractions.push(data),
            block: Rc::new(start(cx)),
            steps: 1,
            entry: Valuation::default(),
            now: Valuation::default(),
        }
    }

    fn post(
        &mut self,
        cx: &mut Context<'_, '_>,
        state: &PredicateState,
        step: &Step,
    ) -> Result<States<PredicateState>, Stop> {
        let mut block = (*state.block).clone();
        block.take(cx.space, step);
        if block.is_blocked(cx.space) {
            return Ok(States::new());
        }
        let mut states = States::new();
        states.push(PredicateState {
            abstraction: state.abstraction,
            block: Rc::new(block),
            steps: state.steps + 1,
            entry: state.entry.clone(),
            now: Valuation::default(),
        });
        Ok(states)
    }

    fn adjust(
        &mut self,
        cx: &mut Context<'_, '_>,
        state: PredicateState,
        step: &Step,
        site: Site,
    ) -> Result<Option<PredicateState>, Stop> {
        if !self.is_point(cx.steps, step, state.steps) {
            // Rounds that cannot be would go on for ever.
            let begins_round = self.operator == BlockOperator::Never
                && (self.control_flow.is_loop_head(site.proc, site.loc) || step.enters);
            let possible = !begins_round || self.abstract_block(cx, &state, site)?.is_some();
            return Ok(possible.then_some(state));
        }
        let Some((literals, cubes)) = self.abstract_block(cx, &state, site)? else {
            return Ok(None);
        };
        let tracked = Some((site, self.precision.at(site).len()));
        let data = AbstractionData { literals, cubes, tracked, block: state.block };
        Ok(Some(PredicateState {
            abstraction: self.abstractions.push(data),
            block: Rc::default(),
            steps: 0,
            entry: state.now,
            now: Valuation::default(),
        }))
    }

    fn merge(
        &mut self,
        cx: &mut Context<'_, '_>,
        new: &PredicateState,
        old: &PredicateState,
    ) -> Option<PredicateState> {
        // The same abstraction means the same start of the block.
        if new.abstraction != old.abstraction || self.ends_block(new) || self.ends_block(old) {
            return None;
        }
        Some(PredicateState {
            block: Rc::new(Block::merge(cx.space, &old.block, &new.block)),
            steps: old.steps.max(new.steps),
            ..old.clone()
        })
    }

    fn covers(
        &mut self,
        cx: &mut Context<'_, '_>,
        larger: &PredicateState,
        smaller: &PredicateState,
    ) -> Result<bool, Stop> {
        let (more, less) =
            (&self.abstractions[larger.abstraction], &self.abstractions[smaller.abstraction]);
        if !more.literals.is_part_of(&less.literals) {
            return Ok(false);
        }
        let Some(cubes) = more.cubes.filter(|&cubes| less.cubes != Some(cubes)) else {
            return Ok(true);
        };
        let mut question = self.formula(cx.space, smaller.abstraction);
        question.push(cx.space.terms.not(cubes));
        Ok(cx.solver.satisfiable(cx.space, &question) == Some(false))
    }

    fn facts(&self, cx: &mut Context<'_, '_>, state: &PredicateState) -> Vec<Term> {
        self.formula(cx.space, state.abstraction)
    }

    fn value_of(&self, _: &mut Context<'_, '_>, _: &PredicateState, _: Term) -> Option<Term> {
        None
    }

    fn ends_block(&self, state: &PredicateState) -> bool {
        state.steps == 0
    }

    fn shape(&self, _: &PredicateState) -> Self::Shape {}

    fn projection(&self, _: &PredicateState, (): &Self::Shape) -> Option<u64> {
        Some(0)
    }
}

impl Strengthen<Explicit<'_>> for Predicates<'_> {
    fn strengthen(
        &mut self,
        _: &mut Context<'_, '_>,
        own: &mut PredicateState,
        before: &ExplicitState,
        after: &ExplicitState,
    ) {
        if own.steps == 1 {
            own.entry = before.values.clone();
        }
        own.now = after.values.clone();
    }
}

/// The start of the program as a block: every variable has its initial value.
pub fn start(cx: &mut Context<'_, '_>) -> Block {
    let mut block = Block::default();
    let mut vars: Vec<_> = cx.space.program.vars.keys().collect();
    vars.extend(cx.space.memories());
    vars.extend(cx.space.state_memories());
    vars.push(cx.space.next_object());
    for var in vars {
        if let Some(value) = cx.space.initial_value(var) {
            block.values.insert(var, value);
        }
    }
    block
}
