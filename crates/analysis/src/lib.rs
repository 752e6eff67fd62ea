//! Analyses of automata: abstraction, refinement and the loop between them.
//!
//! - [`model`]: the program as analyses see it: instances of variables, memory regions, control states, steps, blocks;
//! - [`domain`]: what an analysis is; explicit values, predicates, and their product;
//! - [`algorithm`]: what runs every domain: the abstract reachability graph, refinement and the loop of both;
//! - [`engine`]: other ways to a proof: templates, Horn clauses, thread views;
//! - [`reduction`]: which threads may wait (persistent sets), and which statements nothing depends on;
//! - [`solver`]: the solver facade and the models of memory;
//! - [`config`]: what can be chosen; [`mod@stages`]: what is tried, by what a program has ([`features`]);
//! - [`verdict`]: answers; [`progress`]: what is known before there is one.
//!
//! [`verify`] is the way in.

pub mod algorithm;
pub mod config;
pub mod domain;
pub mod engine;
pub mod features;
pub mod model;
pub mod progress;
pub mod reduction;
pub mod solver;
pub mod stages;
pub mod verdict;

// What other crates name most: the options of domains and algorithms, and the graph.
pub use crate::algorithm::{arg, cegar, graph, refine};
pub use crate::domain::{explicit, predicate};
pub use crate::model::control_flow;
pub use crate::solver::memory;

use std::time::{Duration, Instant};

use ravelin_base::{Budget, Deadline};
use ravelin_cfa::Program;
use ravelin_pointsto as pointsto;
use ravelin_por::Doubt;
use ravelin_smt::SolverFactory;
use ravelin_term::Term;

use crate::algorithm::cegar::{CegarStatistics, Patience, Search, Stuck};
use crate::config::{Config, Domain, Merge, Reduction, Statements, Strengthening};
use crate::domain::Context;
use crate::domain::explicit::targets::Style;
use crate::domain::explicit::valuation::ValuePlace;
use crate::domain::explicit::{Explicit, Scope};
use crate::domain::predicate::precision::Pieces;
use crate::domain::predicate::{AbstractionStatistics, BlockOperator, Predicates};
use crate::features::Features;
use crate::model::control_flow::{ControlFlowFacts, thread_counters};
pub use crate::model::renew_locals::renew_locals;
use crate::model::space::{MemoryRegions, Space};
use crate::model::step::{Control, Site, Steps};
use crate::progress::Progress;
use crate::reduction::Reducer;
use crate::solver::memory::Model;
use crate::solver::{MAX_TIME, SolverFacade, SolverStatistics};
use crate::stages::{How, Stage, stages};
use crate::verdict::{Judge, Proof, Reason, Verdict};

/// A verdict and what it cost.
#[derive(Clone, Debug)]
pub struct Report {
    pub verdict: Verdict,
    pub statistics: Statistics,
}

/// Counts and times.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    pub cegar: CegarStatistics,
    pub solver: SolverStatistics,
    pub abstraction: AbstractionStatistics,
    /// What stages took that neither abstract nor refine: templates and clauses.
    pub other_stages: Duration,
    /// What it took to explore concrete states, beside everything else.
    pub exploration: Duration,
    /// How long ago the run began.
    pub elapsed: Duration,
}

impl Statistics {
    /// Counts another run, too.
    fn add(&mut self, other: &Statistics) {
        // Runs side by side take no more time together.
        let Statistics { cegar, solver, abstraction, other_stages, exploration, elapsed: _ } =
            other;
        self.other_stages += *other_stages;
        self.exploration += *exploration;
        self.cegar.add(cegar);
        self.solver.calls += solver.calls;
        self.solver.remembered += solver.remembered;
        self.solver.evaluated += solver.evaluated;
        self.solver.time += solver.time;
        self.abstraction.abstractions += abstraction.abstractions;
        self.abstraction.predicates += abstraction.predicates;
        self.abstraction.calls += abstraction.calls;
    }
}

/// Whether an error of a program can be reached. The program has been through the passes that
/// [`config::Encoding::blocks`] of the configuration names. FALSE is said only of what the judge confirms;
/// others can see how far it is.
pub fn verify(
    program: &Program,
    config: &Config,
    budget: &mut Budget,
    deadline: Option<Instant>,
    solvers: SolverFactory,
    judge: Judge<'_>,
    progress: &Progress,
) -> Report {
    let verdict = match program.entry {
        None => Verdict::Unknown(Reason::NoEntry),
        Some(entry) => {
            let control_flow = ControlFlowFacts::new(program);
            let regions = MemoryRegions::new(program, config.memory.division);
            let mut space = Space::with(program, regions);
            space.forgets_memory = config.memory.model == Model::Havoc;
            space.strengthen_by(config.pointers.map(|by| match by.merge {
                Merge::Join => by.options,
                // States have maps of their own; where these say nothing, memory's division does.
                Merge::Sep => pointsto::Options::default(),
            }));
            let mut steps = Steps::new(program);
            let is_reduced =
                config.reduction != Reduction::None || config.statements != Statements::All;
            if is_reduced
                && program.is_concurrent()
                && let Some(points_to) = space.points_to()
            {
                steps.reduce(Reducer::new(program, points_to, config));
            }
            let mut solver = SolverFacade::new(solvers, deadline, &config.memory);
            let start = steps.initial(program, entry);
            let mut cx =
                Context { space: &mut space, steps: &mut steps, solver: &mut solver, budget };
            let mut stages =
                Stages { config, deadline, control_flow: &control_flow, start, judge, progress };
            match stages.run(&mut cx) {
                Verdict::True(proof) => without_doubt(&space, proof),
                answer @ (Verdict::False(_) | Verdict::Unknown(_)) => answer,
            }
        }
    };
    Report { verdict, statistics: progress.latest() }
}

/// TRUE, unless something bars a proof about the automaton from being one about the program.
fn without_doubt(space: &Space<'_>, proof: Proof) -> Verdict {
    let program = space.program;
    if !ravelin_por::may_doubt(program) {
        return Verdict::True(proof);
    }
    let Some(points_to) = space.points_to() else {
        return Verdict::Unknown(Reason::Timeout);
    };
    match ravelin_por::doubt(program, points_to) {
        None => Verdict::True(proof),
        Some(Doubt { what, pos }) => Verdict::Unknown(Reason::unsupported(program, what, pos)),
    }
}

/// How much longer a question may take in the last stage, where no limit of time says less.
const LONG_QUESTION: u32 = 60;

/// Predicates from templates are sought for so long at most.
const MINING: Duration = Duration::from_secs(5);

/// The stages of a configuration, and what they have in common.
struct Stages<'a> {
    config: &'a Config,
    deadline: Option<Instant>,
    control_flow: &'a ControlFlowFacts,
    start: Control,
    judge: Judge<'a>,
    progress: &'a Progress,
}

impl Stages<'_> {
    /// Runs one after the other until one has an answer.
    fn run(&mut self, cx: &mut Context<'_, '_>) -> Verdict {
        let mut reason = Reason::RefinementStuck;
        let features = Features::of(cx.space.program, self.control_flow);
        let is_concurrent = features.threads;
        let all = stages(self.config, &features);
        for (number, stage) in all.iter().enumerate() {
            let unrolls = stage.operator == BlockOperator::Never;
            let is_of_use = match &reason {
                // Unrolling helps where refinement is stuck, which has tried all ways then.
                Reason::RefinementStuck | Reason::Undefined { .. } | Reason::Diverged(_) => {
                    !stage.is_second_try
                }
                // Another encoding may ask an easier one, and unrolling has one to ask in the end.
                Reason::HardQuestion => true,
                // What is not modelled is reached whatever is tracked.
                Reason::Unsupported { .. } => !unrolls && !stage.is_second_try && !is_concurrent,
                // Time, another limit, or the solver: unrolling comes to the same end.
                _ => !unrolls,
            };
            if !is_of_use {
                continue;
            }
            let mut budget = cx.budget.clone();
            cx.solver.deadline = Deadline::at(self.deadline);
            // After the last one there is nothing to save time for.
            cx.solver.question_time = match number + 1 == all.len() {
                true => MAX_TIME * LONG_QUESTION,
                false => MAX_TIME,
            };
            if let Some(limit) = stage.limit(self.deadline) {
                cx.solver.deadline = cx.solver.deadline.sooner(limit);
                budget = budget.sooner(limit);
            }
            let mut cx = Context {
                space: &mut *cx.space,
                steps: &mut *cx.steps,
                solver: &mut *cx.solver,
                budget: &mut budget,
            };
            self.progress.stage_begins(stage);
            // Errors are sought by other paths where nothing else is left to try.
            let stuck = match number + 1 == all.len() {
                true => Stuck::GoesOn,
                false => Stuck::Ends,
            };
            let verdict = self.run_one(&mut cx, stage, stuck);
            self.progress.stage_ends(&verdict);
            match verdict {
                Verdict::Unknown(Reason::Interrupted) => {
                    return Verdict::Unknown(Reason::Interrupted);
                }
                // That unrolling does not come to an end says nothing new.
                Verdict::Unknown(new) if !unrolls => reason = new,
                Verdict::Unknown(_) => {}
                answer @ (Verdict::True(_) | Verdict::False(_)) => return answer,
            }
        }
        match cx.budget.check_now() {
            Ok(()) => Verdict::Unknown(reason),
            Err(_) => Verdict::Unknown(Reason::Timeout),
        }
    }

    /// Predicates from templates, if they are found soon: programs for which this helps are small.
    fn mine(&self, cx: &mut Context<'_, '_>) -> Vec<(Site, Term)> {
        let limit = match self.deadline {
            Some(deadline) => deadline.saturating_duration_since(Instant::now()) / 20,
            None => MINING,
        };
        let (limit, deadline) = (limit.min(MINING), cx.solver.deadline);
        cx.solver.deadline = deadline.sooner(limit);
        let mut budget = cx.budget.clone().sooner(limit);
        let mut mining = Context {
            space: &mut *cx.space,
            steps: &mut *cx.steps,
            solver: &mut *cx.solver,
            budget: &mut budget,
        };
        let begun = Instant::now();
        let found = engine::templates::mine(&mut mining, self.control_flow, self.start);
        self.progress.spend_elsewhere(begun.elapsed());
        cx.solver.deadline = deadline;
        found.unwrap_or_default()
    }

    fn run_one(&mut self, cx: &mut Context<'_, '_>, stage: &Stage, stuck: Stuck) -> Verdict {
        let Stages { config, control_flow, start, progress, .. } = *self;
        let program = cx.space.program;
        let (scope, counters) = match program.is_concurrent() {
            // Where one thread is says little about what matters there: others are elsewhere.
            true => (Scope::Global, thread_counters(program)),
            false => (config.scope, Vec::new()),
        };
        let mut seeds = Vec::new();
        match stage.how {
            How::Abstraction | How::ThreadViews => {}
            How::FromTemplates => {
                seeds = self.mine(cx);
                if seeds.is_empty() {
                    return Verdict::Unknown(Reason::RefinementStuck);
                }
            }
            How::Clauses => {
                let deadline = match cx.solver.deadline.left() {
                    Some(_) => cx.solver.deadline,
                    None => Deadline::default().sooner(MINING),
                };
                let mut solver = cx.solver.new_solver();
                let begun = Instant::now();
                let proof = engine::horn::prove(
                    program,
                    control_flow,
                    &mut *solver,
                    cx.solver.prover(),
                    cx.budget,
                    deadline,
                );
                progress.spend_elsewhere(begun.elapsed());
                return match proof {
                    Ok(Some(proof)) => Verdict::True(proof),
                    Ok(None) | Err(_) => Verdict::Unknown(Reason::RefinementStuck),
                };
            }
        }
        if stage.how == How::ThreadViews {
            let found =
                engine::thread_views::prove(cx, control_flow, config, progress, &mut *self.judge);
            return found.unwrap_or(Verdict::Unknown(Reason::RefinementStuck));
        }
        let (order, refinement) = (config.order, &stage.refinement);
        let mut explicit = Explicit::new(scope, config.max_enum, control_flow);
        if let Some(Strengthening { options, merge: Merge::Sep }) = config.pointers {
            explicit.map_pointers(match options.analysis {
                pointsto::Analysis::Andersen => Style::Inclusion,
                pointsto::Analysis::Steensgaard => Style::Unification,
                pointsto::Analysis::FlowSensitive => Style::Exact,
            });
        }
        for var in counters {
            explicit.precision.add(cx.space, cx.steps.site(start), ValuePlace::Var(var));
        }
        let mut predicates =
            Predicates::new(scope, config.abstracting, stage.operator, control_flow);
        for (site, term) in seeds {
            predicates.precision.add(cx.space, site, term, Pieces::Whole);
        }
        predicates.binding = config.binding;
        // The model that follows known pointers has states that know them.
        let binds = config.memory.model == Model::PointsTo;
        let mut patience = stage.patience().map(|length| Patience::begin(cx, length));
        if stage.domain == Domain::Explicit {
            explicit.precision.pointers = binds;
            // One thread has nobody to wait for, but statements on which nothing depends. Blocks of
            // predicates have all statements; values follow steps, and only here.
            if !program.is_concurrent()
                && config.statements != Statements::All
                && let Some(points_to) = cx.space.points_to()
            {
                let config = Config { reduction: Reduction::None, ..*config };
                cx.steps.reduce(Reducer::new(program, points_to, &config));
            }
            let (first, judge) = (patience.take(), &mut *self.judge);
            let search =
                Search::new(control_flow, order, refinement, first, progress, judge, Stuck::Ends);
            let verdict = search.run(&mut explicit, cx, start);
            if !program.is_concurrent() {
                cx.steps.stop_reducing();
            }
            let Verdict::Unknown(Reason::RefinementStuck) = verdict else {
                return verdict;
            };
            patience = stage.patience().map(|length| Patience::begin(cx, length));
        }
        let judge = &mut *self.judge;
        let search = Search::new(control_flow, order, refinement, patience, progress, judge, stuck);
        match stage.domain {
            // A path that values do not refute: few predicates may.
            Domain::Explicit => {
                explicit.max_values = Some(config.max_values);
                search.run(&mut (explicit, predicates), cx, start)
            }
            Domain::Predicate if !binds => search.run(&mut predicates, cx, start),
            Domain::Predicate | Domain::Product => {
                let mut analysis = (explicit, predicates);
                analysis.0.max_values = Some(config.max_values);
                analysis.0.precision.pointers = true;
                analysis.0.precision.is_fixed = stage.domain == Domain::Predicate;
                search.run(&mut analysis, cx, start)
            }
        }
    }
}
