//! The loop: explore an abstraction, check what it finds, refine it.

use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};

use ravelin_base::{Budget, Deadline, Exhausted};
use ravelin_smt::NoAnswer;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Statistics;
use crate::algorithm::approximated;
use crate::algorithm::arg::{Arg, Found, Node, Order};
use crate::algorithm::concretise::inputs_along;
use crate::algorithm::graph::StateGraph;
use crate::algorithm::invariants::proof;
use crate::algorithm::refine::chain::{Feasibility, Inputs};
use crate::algorithm::refine::interpolate::Method;
use crate::algorithm::refine::refinable::{
    Pruning, Refinable, Refined, Refinement, Refuted, Trace,
};
use crate::domain::predicate::precision::Pieces;
use crate::domain::predicate::{AbstractionStatistics, start};
use crate::domain::{Context, Stop};
use crate::model::block::place;
use crate::model::control_flow::ControlFlowFacts;
use crate::model::space::Thread;
use crate::model::step::{Control, Step, Target};
use crate::progress::Progress;
use crate::reduction::statements::StatementCounts;
use crate::verdict::{Counterexample, Judge, Reason, Verdict};

/// Counts and times of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct CegarStatistics {
    pub states: u64,
    pub merges: u64,
    pub refinements: u64,
    pub abstraction: Duration,
    /// What it took to make successors; part of the time for abstraction.
    pub successors: Duration,
    pub refinement: Duration,
    /// What it took to find out what has to be evaluated; part of the time for abstraction.
    pub reduction: Duration,
    /// What was left out of steps.
    pub statements: StatementCounts,
    /// Size of the precision at the end.
    pub precision: usize,
}

impl CegarStatistics {
    /// Counts another run, too.
    pub(crate) fn add(&mut self, other: &CegarStatistics) {
        let CegarStatistics {
            states,
            merges,
            refinements,
            abstraction,
            successors,
            refinement,
            reduction,
            statements,
            precision,
        } = *other;
        self.states += states;
        self.merges += merges;
        self.refinements += refinements;
        self.abstraction += abstraction;
        self.successors += successors;
        self.refinement += refinement;
        self.reduction += reduction;
        self.statements.add(statements);
        self.precision += precision;
    }
}

/// The loop with what stays the same in all rounds.
pub struct Search<'a> {
    control_flow: &'a ControlFlowFacts,
    order: Order,
    refinement: &'a Refinement,
    /// How long it goes on without learning anything; to the end of its budget if there is none.
    patience: Option<Patience>,
    progress: &'a Progress,
    judge: Judge<'a>,
    statistics: CegarStatistics,
    /// What others had counted before.
    at_begin: AtBegin,
    /// Since when a path is looked at.
    refining: Option<Instant>,
    /// How often something new was tracked.
    changes: u64,
    /// The paths whose nodes were made again since: a path may come although all that refutes it is
    /// tracked, if its nodes are older than that.
    made_again: FxHashSet<(u64, u64)>,
    /// Whether paths that the analysis cannot refute are set aside, too.
    stuck: Stuck,
    /// Why paths that the analysis cannot exclude are no answer; the first counts.
    set_aside: Vec<Reason>,
    /// Those paths: they come again when their nodes are made again.
    aside: FxHashSet<u64>,
}

/// What becomes of a search when refinement finds nothing to track that would refute a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// It ends: something else is tried next.
    Ends,
    /// The path is set aside, and an error is sought by others. There will be no proof.
    GoesOn,
}

/// Counts that go on from one search to the next.
#[derive(Clone, Copy, Default)]
struct AtBegin {
    statements: StatementCounts,
    reduction: Duration,
    abstraction: AbstractionStatistics,
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Search").field("statistics", &self.statistics).finish_non_exhaustive()
    }
}

/// A budget that ends when nothing was learnt for some time, and at the latest with another one.
#[derive(Debug)]
pub struct Patience {
    length: Duration,
    latest: Budget,
    latest_for_solver: Deadline,
    learnt: usize,
}

impl Patience {
    /// From now on the context has this budget.
    pub fn begin(cx: &mut Context<'_, '_>, length: Duration) -> Patience {
        let (latest, latest_for_solver) = (cx.budget.clone(), cx.solver.deadline);
        let patience = Patience { length, latest, latest_for_solver, learnt: 0 };
        patience.renew(cx);
        patience
    }

    /// The time begins anew where more is known than ever before.
    fn renew_if_learnt(&mut self, cx: &mut Context<'_, '_>, learnt: usize) {
        if learnt > self.learnt {
            self.learnt = learnt;
            self.renew(cx);
        }
    }

    fn renew(&self, cx: &mut Context<'_, '_>) {
        *cx.budget = self.latest.clone().sooner(self.length);
        cx.solver.deadline = self.latest_for_solver.sooner(self.length);
    }
}

/// After so many paths that are no answer the search is given up: something else is tried next.
const MAX_SET_ASIDE: usize = 30;

/// The same where nothing else is left to try.
const MAX_SET_ASIDE_AT_LAST: usize = 200;

impl<'a> Search<'a> {
    pub fn new(
        control_flow: &'a ControlFlowFacts,
        order: Order,
        refinement: &'a Refinement,
        patience: Option<Patience>,
        progress: &'a Progress,
        judge: Judge<'a>,
        stuck: Stuck,
    ) -> Self {
        Search {
            control_flow,
            order,
            refinement,
            patience,
            progress,
            judge,
            statistics: CegarStatistics::default(),
            at_begin: AtBegin::default(),
            refining: None,
            changes: 0,
            made_again: FxHashSet::default(),
            stuck,
            set_aside: Vec::new(),
            aside: FxHashSet::default(),
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
        self.at_begin = AtBegin {
            statements: cx.steps.statements,
            reduction: cx.steps.reduction_time(),
            abstraction: analysis.abstraction_statistics(),
        };
        let result = self.rounds(analysis, cx, start_control, &mut arg);
        // It may have ended in the middle.
        self.end_refining();
        self.publish(analysis, cx, &arg);
        self.progress.settle();
        match result {
            Ok(verdict) => verdict,
            Err(stop) => Verdict::Unknown(match stop {
                Stop::Exhausted(Exhausted::Time) => Reason::Timeout,
                Stop::Exhausted(Exhausted::Cancelled) => Reason::Interrupted,
                Stop::Exhausted(Exhausted::Steps) => Reason::StepLimit,
                // A solver that was interrupted knows no other reason.
                Stop::Solver(reason) => match cx.budget.check_now() {
                    Err(Exhausted::Time) => Reason::Timeout,
                    Err(Exhausted::Cancelled) => Reason::Interrupted,
                    Err(Exhausted::Steps) => Reason::StepLimit,
                    Ok(()) => match reason {
                        NoAnswer::GaveUp(_) => Reason::HardQuestion,
                        NoAnswer::Failed(words) => Reason::Solver(words),
                    },
                },
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
        refuted: &Refuted<'_>,
    ) -> Result<Option<usize>, Stop> {
        for strategy in strategies(self.refinement) {
            cx.budget.check_now()?;
            match analysis.refine(cx, refuted, &strategy)? {
                Some(Refined { first, new: true }) => {
                    self.changes += 1;
                    return Ok(Some(first));
                }
                Some(Refined { first, new: false })
                    if self.made_again.insert((hash_of(refuted.trace), self.changes)) =>
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
        self.statistics.successors = arg.making;
        self.statistics.precision = analysis.precision_size();
        self.statistics.statements = cx.steps.statements.since(self.at_begin.statements);
        self.statistics.reduction =
            cx.steps.reduction_time().saturating_sub(self.at_begin.reduction);
        self.progress.publish(Statistics {
            cegar: self.statistics,
            solver: cx.solver.statistics,
            abstraction: analysis.abstraction_statistics().since(self.at_begin.abstraction),
            ..Statistics::default()
        });
    }

    fn rounds<A: Refinable>(
        &mut self,
        analysis: &mut A,
        cx: &mut Context<'_, '_>,
        start_control: Control,
        arg: &mut Arg<A>,
    ) -> Result<Verdict, Stop> {
        let (control_flow, refinement) = (self.control_flow, self.refinement);
        if cx.steps.are_reduced() {
            cx.steps.track(analysis.tracked(cx.space));
        }
        loop {
            let started = Instant::now();
            let found = arg.explore(analysis, cx, control_flow, start_control);
            self.statistics.abstraction += started.elapsed();
            self.publish(analysis, cx, arg);
            let target = match found? {
                Found::Nothing => {
                    if let Some(reason) = self.set_aside.first() {
                        if self.stuck == Stuck::GoesOn && arg.uncover_doubtful(cx, control_flow) {
                            continue;
                        }
                        return Ok(Verdict::Unknown(reason.clone()));
                    }
                    // A proof with a hole would be the worst of defects.
                    assert!(
                        arg.is_complete(analysis, cx),
                        "a state was neither expanded nor covered"
                    );
                    self.progress.publish_graph(|| StateGraph::of(analysis, arg, cx));
                    return Ok(Verdict::True(proof(analysis, cx, control_flow, arg)));
                }
                Found::Target(target) => target,
            };
            self.refining = Some(Instant::now());
            let trace = analysis.trace(cx, arg, target);
            let core = match self.is_aside(&trace) {
                true => {
                    self.end_refining();
                    arg.set_aside(target);
                    continue;
                }
                false => trace.chain.check(cx),
            };
            let core = match core {
                Ok(Feasibility::Feasible(inputs)) => {
                    self.end_refining();
                    let verdict = feasible(analysis, cx, arg, &trace, target, &inputs);
                    let reason = match self.confirmed(verdict) {
                        Verdict::Unknown(reason) => reason,
                        answer @ (Verdict::True(_) | Verdict::False(_)) => {
                            self.progress.publish_graph(|| StateGraph::of(analysis, arg, cx));
                            return Ok(answer);
                        }
                    };
                    // Another path may still be an answer.
                    if let Some(reason) = self.set_aside(&trace, reason) {
                        return Ok(Verdict::Unknown(reason));
                    }
                    arg.set_aside(target);
                    continue;
                }
                Ok(Feasibility::Infeasible(core)) => core,
                Err(Stop::Solver(NoAnswer::GaveUp(_))) if self.stuck == Stuck::GoesOn => {
                    self.end_refining();
                    cx.budget.check_now()?;
                    if let Some(reason) = self.set_aside(&trace, Reason::HardQuestion) {
                        return Ok(Verdict::Unknown(reason));
                    }
                    arg.set_aside(target);
                    continue;
                }
                Err(stop) => return Err(stop),
            };
            self.statistics.refinements += 1;
            let sites: Vec<_> =
                trace.nodes.iter().map(|&node| cx.steps.site(arg.nodes[node].control)).collect();
            let refuted = Refuted { trace: &trace, core: &core, sites: &sites };
            let Some(changed) = self.refine(analysis, cx, &refuted)? else {
                // A path may come again because what refutes it was not evaluated.
                if cx.steps.evaluate_all() {
                    cx.steps.track(analysis.tracked(cx.space));
                    arg.clear();
                    continue;
                }
                // A solver that does not answer leaves refinement nothing to work with.
                let trouble = cx.solver.trouble.take().map(Reason::Solver);
                let reason = trouble.unwrap_or(Reason::RefinementStuck);
                if self.stuck == Stuck::Ends {
                    return Ok(Verdict::Unknown(reason));
                }
                self.end_refining();
                if let Some(reason) = self.set_aside(&trace, reason) {
                    return Ok(Verdict::Unknown(reason));
                }
                arg.set_aside(target);
                continue;
            };
            if let Some(patience) = &mut self.patience {
                patience.renew_if_learnt(cx, analysis.learnt());
            }
            let pivot = trace.points.iter().copied().rfind(|&point| point < changed);
            match pivot {
                Some(point) if refinement.pruning == Pruning::Lazy => {
                    arg.prune_below(trace.nodes[point], cx, control_flow);
                }
                _ => arg.clear(),
            }
            if cx.steps.are_reduced() && cx.steps.track(analysis.tracked(cx.space)) {
                arg.reconsider(analysis, cx, control_flow);
            }
            self.end_refining();
        }
    }

    /// Sets a path aside for a reason; the first one if there are too many.
    fn set_aside(&mut self, trace: &Trace, reason: Reason) -> Option<Reason> {
        self.progress.sets_aside(&reason);
        self.set_aside.push(reason);
        self.aside.insert(hash_of(trace));
        let limit = match self.stuck {
            Stuck::Ends => MAX_SET_ASIDE,
            Stuck::GoesOn => MAX_SET_ASIDE_AT_LAST,
        };
        (self.set_aside.len() > limit).then(|| self.set_aside.swap_remove(0))
    }

    fn is_aside(&self, trace: &Trace) -> bool {
        !self.aside.is_empty() && self.aside.contains(&hash_of(trace))
    }

    fn end_refining(&mut self) {
        let time = self.refining.take().map(|began| began.elapsed());
        self.statistics.refinement += time.unwrap_or_default();
    }

    /// FALSE is said only of executions that were seen.
    fn confirmed(&mut self, verdict: Verdict) -> Verdict {
        let Verdict::False(counterexample) = verdict else {
            return verdict;
        };
        match (self.judge)(&counterexample) {
            Ok(()) => Verdict::False(counterexample),
            Err(mut unconfirmed) => {
                if let Reason::Diverged(why) = &mut unconfirmed.reason {
                    *why = counterexample.approximated;
                }
                Verdict::Unknown(unconfirmed.reason)
            }
        }
    }
}

/// What is tried on a path, one after the other until something new is tracked.
fn strategies(refinement: &Refinement) -> Vec<Refinement> {
    let mut all = vec![*refinement];
    for method in [
        Method::WeakestPrecondition,
        Method::StrongestPostcondition,
        Method::Sequence,
        Method::Backward,
    ] {
        if method != refinement.method {
            all.push(Refinement { method, ..*refinement });
        }
    }
    let whole = Refinement { pieces: Pieces::Whole, ..*refinement };
    all.insert(1, Refinement { method: Method::WeakestPrecondition, ..whole });
    all.push(Refinement { method: Method::Sequence, ..whole });
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
        (Some(Target::Unsupported(gap)), Some(step)) => {
            return Verdict::Unknown(Reason::of_gap(cx.space.program, gap, step.pos));
        }
        (Some(Target::StartElsewhere), Some(step)) => {
            let what = "a thread of a function that is not in the program";
            return Verdict::Unknown(Reason::unsupported(cx.space.program, what, step.pos));
        }
        // Paths end at targets, and a step leads to each.
        (Some(Target::Control(_) | Target::End) | None, _) | (_, None) => {
            return Verdict::Unknown(Reason::InternalError);
        }
    };
    let path = taken_path(analysis, cx, arg, trace, target, inputs);
    let start = start(cx);
    let inputs = inputs_along(cx.space, start, &path, inputs);
    let approximated = approximated::first_along(cx.space, &path, &inputs);
    let schedule = schedule(path.iter().map(|(step, _)| &**step));
    Verdict::False(Counterexample { error, pos, inputs, schedule, approximated })
}

/// Which thread makes each step, threads numbered as they are started.
fn schedule<'s>(path: impl Iterator<Item = &'s Step>) -> Vec<u32> {
    let mut numbers = FxHashMap::from_iter([(Thread::MAIN, 0)]);
    path.map(|step| {
        if let Some(started) = step.starts {
            let next = numbers.len() as u32;
            numbers.entry(started).or_insert(next);
        }
        numbers.get(&step.thread).copied().unwrap_or(0)
    })
    .collect()
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
