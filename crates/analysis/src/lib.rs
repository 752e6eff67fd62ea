//! Analyses of automata: abstraction, refinement and the loop between them.
//!
//! - [`space`], [`step`]: what analyses speak of: instances of variables, control states, steps;
//! - [`block`]: pieces of program as terms;
//! - [`cpa`]: what an analysis is; [`explicit`], [`predicate`]: two of them, and pairs are a third;
//! - [`reach`]: the algorithm that runs analyses; [`guide`]: what it prefers;
//! - [`refine`]: why a path is infeasible; [`cegar`]: the loop; [`concretise`]: from a feasible path
//!   to an execution;
//! - [`verdict`]: answers; [`progress`]: what there is before; [`config`]: what can be chosen.
//!
//! [`verify`] is the way in.

pub mod block;
pub mod cegar;
pub mod concretise;
pub mod config;
pub mod cpa;
pub mod explicit;
pub mod flatten;
pub mod guide;
mod invariants;
pub mod oracle;
pub mod predicate;
pub mod progress;
pub mod reach;
pub mod refine;
pub mod rewrite;
pub mod space;
pub mod step;
pub mod verdict;

use std::time::Instant;

use ravelin_base::Budget;
use ravelin_cfa::Program;

use crate::cegar::CegarStatistics;
use crate::config::{Config, Domain, Stage};
use crate::cpa::Context;
use crate::explicit::Explicit;
use crate::guide::Guide;
use crate::oracle::{MakeSolver, Oracle, OracleStatistics};
use crate::predicate::{AbstractionStatistics, BlockOperator, Predicates};
use crate::progress::Progress;
use crate::space::Space;
use crate::step::{Control, Steps};
use crate::verdict::{Reason, Verdict};

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
    pub solver: OracleStatistics,
    pub abstraction: AbstractionStatistics,
}

/// Whether an error of a program can be reached. The program has been through the passes that
/// [`config::Encoding::blocks`] of the configuration names.
pub fn verify(
    program: &Program,
    config: &Config,
    budget: &mut Budget,
    deadline: Option<Instant>,
    make_solver: MakeSolver,
) -> Report {
    verify_watched(program, config, budget, deadline, make_solver, &Progress::default())
}

/// As [`verify`]; others can see how far it is.
pub fn verify_watched(
    program: &Program,
    config: &Config,
    budget: &mut Budget,
    deadline: Option<Instant>,
    make_solver: MakeSolver,
    progress: &Progress,
) -> Report {
    let verdict = match program.entry {
        None => Verdict::Unknown(Reason::NoEntry),
        Some(_) if program.is_concurrent() => Verdict::Unknown(Reason::Threads),
        Some(entry) => {
            let guide = Guide::new(program);
            let mut space = Space::new(program);
            let mut steps = Steps::new(program);
            let mut oracle = Oracle::new(make_solver, deadline);
            let start = steps.initial(program, entry);
            let mut cx =
                Context { space: &mut space, steps: &mut steps, oracle: &mut oracle, budget };
            run_stages(&mut cx, config, deadline, &guide, start, progress)
        }
    };
    Report { verdict, statistics: progress.latest() }
}

/// Runs the stages of a configuration one after the other until one has an answer.
fn run_stages(
    cx: &mut Context<'_, '_>,
    config: &Config,
    deadline: Option<Instant>,
    guide: &Guide,
    start: Control,
    progress: &Progress,
) -> Verdict {
    let mut reason = Reason::RefinementStuck;
    for stage in config.stages() {
        // Unrolling helps where refinement is stuck, but not where the solver fails.
        if stage.operator == BlockOperator::Never && reason != Reason::RefinementStuck {
            continue;
        }
        let mut budget = match stage.limit(deadline) {
            Some(limit) => cx.budget.clone().sooner(limit),
            None => cx.budget.clone(),
        };
        let mut cx = Context {
            space: &mut *cx.space,
            steps: &mut *cx.steps,
            oracle: &mut *cx.oracle,
            budget: &mut budget,
        };
        match run_stage(&mut cx, config, &stage, guide, start, progress) {
            Verdict::Unknown(Reason::Interrupted) => return Verdict::Unknown(Reason::Interrupted),
            // That unrolling does not come to an end says nothing new.
            Verdict::Unknown(new) if stage.operator != BlockOperator::Never => reason = new,
            Verdict::Unknown(_) => {}
            answer @ (Verdict::True(_) | Verdict::False(_)) => return answer,
        }
    }
    match cx.budget.check_now() {
        Ok(()) => Verdict::Unknown(reason),
        Err(_) => Verdict::Unknown(Reason::Timeout),
    }
}

fn run_stage(
    cx: &mut Context<'_, '_>,
    config: &Config,
    stage: &Stage,
    guide: &Guide,
    start: Control,
    progress: &Progress,
) -> Verdict {
    let (order, refinement) = (config.order, &config.refinement);
    let explicit = || Explicit::new(config.scope, config.max_enum, guide);
    let predicates = || Predicates::new(config.scope, config.abstracting, stage.operator, guide);
    match stage.domain {
        Domain::Explicit => {
            let mut analysis = explicit();
            cegar::run(&mut analysis, cx, guide, order, refinement, start, progress)
        }
        Domain::Predicate => {
            let mut analysis = predicates();
            cegar::run(&mut analysis, cx, guide, order, refinement, start, progress)
        }
        Domain::Product => {
            let mut analysis = (explicit(), predicates());
            analysis.0.max_values = Some(config.max_values);
            analysis.0.precision.pointers = true;
            cegar::run(&mut analysis, cx, guide, order, refinement, start, progress)
        }
    }
}
