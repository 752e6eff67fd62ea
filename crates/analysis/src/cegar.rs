//! The loop: explore an abstraction, check what it finds, refine it.

use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};

use ravelin_base::Exhausted;
use ravelin_cfa::ErrorKind;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Statistics;
use crate::block::{Block, place};
use crate::concretise::inputs_along;
use crate::cpa::{Analysis, Context, Stop};
use crate::explicit::refine::needed_places;
use crate::explicit::transfer::Way;
use crate::explicit::valuation::Place;
use crate::explicit::{Explicit, State as ExplicitState};
use crate::guide::Guide;
use crate::invariants::proof;
use crate::predicate::precision::Pieces;
use crate::predicate::{AbstractionStatistics, Predicates, State as PredicateState, start};
use crate::progress::Progress;
use crate::reach::{Arg, Found, Node, Order};
use crate::refine::chain::{Chain, Feasibility, GuardOf, Inputs};
use crate::refine::interpolate::{Method, core_variables, interpolate};
use crate::step::{Control, Step, Target};
use crate::verdict::{Counterexample, Judge, Reason, Verdict};

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

/// Counts and times of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct CegarStatistics {
    pub states: u64,
    pub merges: u64,
    pub refinements: u64,
    pub abstraction: Duration,
    pub refinement: Duration,
    /// Size of the precision at the end.
    pub precision: usize,
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
        sites: &[crate::step::Site],
    ) -> Result<Option<Refined>, Stop>;

    fn precision_size(&self) -> usize;

    /// What computing abstractions took, for analyses that do.
    fn abstraction_statistics(&self) -> AbstractionStatistics {
        AbstractionStatistics::default()
    }

    /// The block since the last point, in the middle of one.
    fn block_of<'s>(&self, state: &'s Self::State) -> Option<&'s Block>;

    /// What a state says, as terms over the program's variables.
    fn facts(&self, cx: &mut Context<'_, '_>, state: &Self::State) -> Vec<ravelin_term::Term>;
}

/// The loop with what stays the same in all rounds.
pub struct Search<'a> {
    guide: &'a Guide,
    order: Order,
    refinement: &'a Refinement,
    progress: &'a Progress,
    judge: Judge<'a>,
    statistics: CegarStatistics,
    /// How often something new was tracked.
    changes: u64,
    /// The paths whose nodes were made again since: a path may come although all that refutes it is
    /// tracked, if its nodes are older than that.
    made_again: FxHashSet<(u64, u64)>,
    /// Why paths that the analysis cannot exclude are no answer; the first counts.
    set_aside: Vec<Reason>,
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("statistics", &self.statistics).finish_non_exhaustive()
    }
}

/// After so many paths that are no answer the search is given up.
const MAX_SET_ASIDE: usize = 30;

impl<'a> Search<'a> {
    pub fn new(
        guide: &'a Guide,
        order: Order,
        refinement: &'a Refinement,
        progress: &'a Progress,
        judge: Judge<'a>,
    ) -> Self {
        Search {
            guide,
            order,
            refinement,
            progress,
            judge,
            statistics: CegarStatistics::default(),
            changes: 0,
            made_again: FxHashSet::default(),
            set_aside: Vec::new(),
        }
    }

    /// Runs the loop to a verdict.
    pub fn run<A: Refinable>(
        mut self,
        analysis: &mut A,
        cx: &mut Context<'_, '_>,
        start_control: Control,
    ) -> Verdict {
        let mut arg: Arg<A> = Arg::new(self.order);
        let result = self.rounds(analysis, cx, start_control, &mut arg);
        self.publish(analysis, cx, &arg);
        match result {
            Ok(verdict) => verdict,
            Err(stop) => Verdict::Unknown(match stop {
                Stop::Exhausted(Exhausted::Time) => Reason::Timeout,
                Stop::Exhausted(Exhausted::Cancelled) => Reason::Interrupted,
                Stop::Exhausted(Exhausted::Steps) => Reason::StepLimit,
                Stop::Solver(reason) => Reason::Solver(reason),
            }),
        }
    }

    /// Refines the analysis; says from which place in the trace on the nodes are to be made again. If
    /// a path still comes after its nodes were made again, it takes a stronger method. `None` if there
    /// is none left.
    fn refine<A: Refinable>(
        &mut self,
        analysis: &mut A,
        cx: &mut Context<'_, '_>,
        trace: &Trace,
        core: &[GuardOf],
        sites: &[crate::step::Site],
    ) -> Result<Option<usize>, Stop> {
        for strategy in strategies(self.refinement) {
            cx.budget.check_now()?;
            match analysis.refine(cx, trace, core, &strategy, sites)? {
                Some(Refined { first, new: true }) => {
                    self.changes += 1;
                    return Ok(Some(first));
                }
                Some(Refined { first, new: false })
                    if self.made_again.insert((hash_of(trace), self.changes)) =>
                {
                    return Ok(Some(first));
                }
                Some(_) | None => {}
            }
        }
        Ok(None)
    }

    /// Tells others how far it is.
    fn publish<A: Refinable>(&mut self, analysis: &A, cx: &Context<'_, '_>, arg: &Arg<A>) {
        self.statistics.states = arg.states;
        self.statistics.merges = arg.merges;
        self.statistics.precision = analysis.precision_size();
        self.progress.publish(Statistics {
            cegar: self.statistics,
            solver: cx.oracle.statistics,
            abstraction: analysis.abstraction_statistics(),
        });
    }

    fn rounds<A: Refinable>(
        &mut self,
        analysis: &mut A,
        cx: &mut Context<'_, '_>,
        start_control: Control,
        arg: &mut Arg<A>,
    ) -> Result<Verdict, Stop> {
        let (guide, refinement) = (self.guide, self.refinement);
        loop {
            let started = Instant::now();
            let found = arg.explore(analysis, cx, guide, start_control);
            self.statistics.abstraction += started.elapsed();
            self.publish(analysis, cx, arg);
            let target = match found? {
                Found::Nothing => {
                    if let Some(reason) = self.set_aside.first() {
                        return Ok(Verdict::Unknown(reason.clone()));
                    }
                    // A proof with a hole would be the worst of defects.
                    assert!(arg.is_complete(), "a state was neither expanded nor covered");
                    return Ok(Verdict::True(proof(analysis, cx, guide, arg)));
                }
                Found::Target(target) => target,
            };
            let started = Instant::now();
            let trace = analysis.trace(cx, arg, target);
            let core = match trace.chain.check(cx)? {
                Feasibility::Feasible(inputs) => {
                    self.statistics.refinement += started.elapsed();
                    let verdict = feasible(analysis, cx, arg, &trace, target, &inputs);
                    let reason = match self.confirmed(verdict) {
                        Verdict::Unknown(reason) => reason,
                        answer @ (Verdict::True(_) | Verdict::False(_)) => return Ok(answer),
                    };
                    // Another path may still be an answer.
                    self.set_aside.push(reason);
                    if self.set_aside.len() > MAX_SET_ASIDE {
                        return Ok(Verdict::Unknown(self.set_aside.swap_remove(0)));
                    }
                    arg.set_aside(target);
                    continue;
                }
                Feasibility::Infeasible(core) => core,
            };
            self.statistics.refinements += 1;
            let sites: Vec<_> =
                trace.nodes.iter().map(|&node| cx.steps.site(arg.nodes[node].control)).collect();
            let Some(changed) = self.refine(analysis, cx, &trace, &core, &sites)? else {
                // A solver that does not answer leaves refinement nothing to work with.
                let trouble = cx.oracle.trouble.take().map(Reason::Solver);
                return Ok(Verdict::Unknown(trouble.unwrap_or(Reason::RefinementStuck)));
            };
            let pivot = trace.points.iter().copied().rfind(|&point| point < changed);
            match pivot {
                Some(point) if refinement.pruning == Pruning::Lazy => {
                    arg.prune_below(trace.nodes[point], cx, guide);
                }
                _ => arg.clear(),
            }
            self.statistics.refinement += started.elapsed();
        }
    }
}

impl Search<'_> {
    /// FALSE is said only of executions that were seen.
    fn confirmed(&mut self, verdict: Verdict) -> Verdict {
        let Verdict::False(counterexample) = verdict else {
            return verdict;
        };
        match (self.judge)(&counterexample) {
            Ok(()) => Verdict::False(counterexample),
            Err(unconfirmed) => Verdict::Unknown(Reason::NotConfirmed(unconfirmed)),
        }
    }
}

/// What is tried on a path, one after the other until something new is tracked.
fn strategies(refinement: &Refinement) -> Vec<Refinement> {
    let mut all = vec![*refinement];
    for method in [
        Method::WeakestPrecondition,
        Method::StrongestPostcondition,
        Method::Spacer,
        Method::Backward,
    ] {
        if method != refinement.method {
            all.push(Refinement { method, ..*refinement });
        }
    }
    let whole = Refinement { pieces: Pieces::Whole, ..*refinement };
    all.insert(1, Refinement { method: Method::WeakestPrecondition, ..whole });
    all.push(Refinement { method: Method::Spacer, ..whole });
    all
}

fn hash_of(trace: &Trace) -> u64 {
    use std::hash::BuildHasher;
    let edges: Vec<_> = trace.steps.iter().map(|step| (step.source, step.edge)).collect();
    rustc_hash::FxBuildHasher.hash_one((edges, &trace.ways))
}

/// A feasible path: an error with its inputs, or something that is not modelled.
fn feasible<A: Refinable>(
    analysis: &A,
    cx: &mut Context<'_, '_>,
    arg: &Arg<A>,
    trace: &Trace,
    target: Node,
    inputs: &Inputs,
) -> Verdict {
    let (error, pos) = match (arg.nodes[target].target, trace.steps.last()) {
        (Some(Target::Error(kind)), Some(step)) => (kind, step.pos),
        (Some(Target::Unsupported(what)), Some(step)) => {
            let what = cx.space.program.name(what).to_owned();
            return Verdict::Unknown(Reason::Unsupported { what, pos: step.pos });
        }
        _ => (ErrorKind::ReachError, Default::default()),
    };
    let path = taken_path(analysis, cx, arg, trace, target, inputs);
    let start = start(cx);
    let inputs = inputs_along(cx.space, start, &path, inputs);
    Verdict::False(Counterexample { error, pos, inputs })
}

/// The one path through the blocks of a trace that the inputs take, with the number of each step's first
/// input.
fn taken_path<A: Refinable>(
    analysis: &A,
    cx: &mut Context<'_, '_>,
    arg: &Arg<A>,
    trace: &Trace,
    target: Node,
    inputs: &Inputs,
) -> Vec<(Rc<Step>, u32)> {
    let first_inputs = trace.chain.first_inputs();
    // The state where each block starts, as a function of inputs.
    let mut starts: Vec<FxHashMap<_, _>> = Vec::new();
    let mut state: FxHashMap<_, _> = FxHashMap::default();
    for (number, block) in trace.chain.blocks.iter().enumerate() {
        starts.push(state.clone());
        let mut renamed = FxHashMap::default();
        let values: Vec<_> = block
            .values
            .iter()
            .map(|(&var, &value)| {
                let first = first_inputs[number];
                (var, place(cx.space, value, first, &mut renamed, |var| state.get(&var).copied()))
            })
            .collect();
        state.extend(values);
    }
    let mut path = Vec::new();
    let mut at = target;
    for number in (1..trace.chain.blocks.len()).rev() {
        let begin = trace.nodes[trace.points[number - 1]];
        while at != begin {
            let parents = &arg.nodes[at].parents;
            let chosen = parents
                .iter()
                .position(|(parent, step)| {
                    parents.len() == 1 || {
                        let mut block = analysis
                            .block_of(&arg.nodes[*parent].state)
                            .cloned()
                            .unwrap_or_default();
                        block.take(cx.space, step);
                        block.guards.iter().all(|&guard| {
                            let mut renamed = FxHashMap::default();
                            let guard =
                                place(cx.space, guard, first_inputs[number], &mut renamed, |var| {
                                    starts[number].get(&var).copied()
                                });
                            let guard = inputs.evaluate(cx.space, guard);
                            cx.space.terms.as_bool(guard) == Some(true)
                        })
                    }
                })
                .unwrap_or(0);
            let Some((parent, step)) = parents.get(chosen) else {
                break;
            };
            let inside =
                analysis.block_of(&arg.nodes[*parent].state).map_or(0, |block| block.inputs);
            path.push((Rc::clone(step), first_inputs[number] + inside));
            at = *parent;
        }
    }
    path.reverse();
    path
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
        sites: &[crate::step::Site],
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

    fn block_of<'s>(&self, _: &'s ExplicitState) -> Option<&'s Block> {
        None
    }

    fn facts(&self, cx: &mut Context<'_, '_>, state: &ExplicitState) -> Vec<ravelin_term::Term> {
        explicit_facts(cx, state)
    }
}

fn explicit_facts(cx: &mut Context<'_, '_>, state: &ExplicitState) -> Vec<ravelin_term::Term> {
    let facts: Vec<(Place, ravelin_term::Term)> = state.values.iter().collect();
    let mut terms = Vec::with_capacity(facts.len());
    for (place, value) in facts {
        let read = match place {
            Place::Var(var) => cx.space.read_var(var),
            Place::Cell { object, offset, .. } => {
                let memory = cx.space.memory();
                let memory = cx.space.read_var(memory);
                let pointer = cx.space.pointer(object, offset);
                let sort = cx.space.terms.sort(value);
                cx.space.terms.read(memory, pointer, sort)
            }
        };
        if !matches!(cx.space.terms.sort(read), ravelin_term::Sort::Float(_)) {
            terms.push(cx.space.terms.eq(read, value));
        }
    }
    terms
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
    sites: &[crate::step::Site],
) -> Option<Refined> {
    let path: Vec<_> = trace.steps.iter().cloned().zip(trace.ways.iter().cloned()).collect();
    let needed = needed_places(cx, &path)?;
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
    fn trace(&self, _: &mut Context<'_, '_>, arg: &Arg<Self>, target: Node) -> Trace {
        let (nodes, steps) = arg.path_to(target);
        let ways = vec![Way::new(); steps.len()];
        let (points, chain) = self.chain(&nodes, |node| &arg.nodes[node].state);
        Trace { nodes, steps, ways, points, chain }
    }

    fn refine(
        &mut self,
        cx: &mut Context<'_, '_>,
        trace: &Trace,
        core: &[GuardOf],
        refinement: &Refinement,
        sites: &[crate::step::Site],
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

    fn abstraction_statistics(&self) -> AbstractionStatistics {
        self.statistics
    }

    fn block_of<'s>(&self, state: &'s PredicateState) -> Option<&'s Block> {
        (!self.ends_block(state)).then_some(&state.block)
    }

    fn facts(&self, _: &mut Context<'_, '_>, state: &PredicateState) -> Vec<ravelin_term::Term> {
        self.abstractions[state.abstraction].formula.clone()
    }
}

impl Predicates<'_> {
    /// The points of a path and the blocks before them.
    fn chain<'s>(
        &self,
        nodes: &[Node],
        state: impl Fn(Node) -> &'s PredicateState,
    ) -> (Vec<usize>, Chain) {
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
    fn trace(&self, _: &mut Context<'_, '_>, arg: &Arg<Self>, target: Node) -> Trace {
        let (nodes, steps) = arg.path_to(target);
        let ways = ways_of(&nodes, |node| &arg.nodes[node].state.0);
        let (points, chain) = self.1.chain(&nodes, |node| &arg.nodes[node].state.1);
        Trace { nodes, steps, ways, points, chain }
    }

    fn refine(
        &mut self,
        cx: &mut Context<'_, '_>,
        trace: &Trace,
        core: &[GuardOf],
        refinement: &Refinement,
        sites: &[crate::step::Site],
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

    fn abstraction_statistics(&self) -> AbstractionStatistics {
        self.1.statistics
    }

    fn block_of<'s>(&self, state: &'s Self::State) -> Option<&'s Block> {
        self.1.block_of(&state.1)
    }

    fn facts(&self, cx: &mut Context<'_, '_>, state: &Self::State) -> Vec<ravelin_term::Term> {
        let mut facts = explicit_facts(cx, &state.0);
        facts.extend(self.1.facts(cx, &state.1));
        facts
    }
}
