//! Proofs of programs that start any number of replicated threads, by thread views.
//!
//! No exploration comes to an end where ever more threads are started. But threads that start at one place are
//! alike, and what one of them can do depends on few others. So only small *views* of states are kept: main, with
//! at most two replicas, of the others nothing (Abdulla, Haziza, Holík: "All for the price of few",
//! VMCAI 2013). A step of a thread in a view leads to views. A step of a thread that is not in a view is taken for
//! possible if each two of the three are in a view that is known. When there is nothing new, the views stand for all
//! states of all numbers of threads.
//!
//! What is kept of variables are predicates (`atoms`), the same of all replicas of a template. Refinement finds them:
//! of the program with two replicas of each template, and then three. The views decide whether they are enough for any
//! number (`views`); how they were found does not matter. `eligible` decides which programs this can treat.

mod atoms;
mod eligible;
mod views;

use std::time::Duration;

use ravelin_por::ProgramFacts;
use ravelin_term::Term;

use self::atoms::Atoms;
use self::views::{Knowing, Views};
use crate::algorithm::cegar::{Search, Stuck};
use crate::algorithm::graph::StateGraph;
use crate::config::Config;
use crate::domain::explicit::Scope;
use crate::domain::predicate::{BlockOperator, Predicates};
use crate::domain::{Context, Stop};
use crate::model::control_flow::ControlFlowFacts;
use crate::model::step::Steps;
use crate::model::step::replicated::ReplicatedThreads;
use crate::model::sync::SyncObjects;
use crate::progress::Progress;
use crate::reduction::Reducer;
use crate::verdict::{Judge, Proof, Reason, Verdict};

/// Replicas of one template that a control state has room for: those of a view, and one more.
const SLOTS: u32 = 3;

/// For so long, and no longer than a tenth of the time, errors are looked for with threads as they are: those of few
/// threads are found sooner there.
const FIRST_LOOK: Duration = Duration::from_secs(2);

/// Looks for a proof for any number of threads, or an error on the way.
pub fn prove(
    cx: &mut Context<'_, '_>,
    facts: &ProgramFacts<'_>,
    control_flow: &ControlFlowFacts,
    config: &Config,
    progress: &Progress,
    judge: Judge<'_>,
) -> Result<Verdict, Stop> {
    let program = cx.space.program;
    let stuck = Ok(Verdict::Unknown(Reason::RefinementStuck));
    let (Some(entry), Some(points_to)) = (program.entry, cx.space.points_to()) else {
        return stuck;
    };
    let Some(templates) = eligible::templates(program, points_to) else { return stuck };
    if SyncObjects::of(cx.space).name_threads() {
        return stuck;
    }
    let search = search_views(control_flow, config, progress, &mut *judge);
    match first_look(cx, control_flow, config, search) {
        Verdict::Unknown(Reason::Interrupted) => {
            return Ok(Verdict::Unknown(Reason::Interrupted));
        }
        Verdict::Unknown(_) => {}
        answer @ (Verdict::True(_) | Verdict::False(_)) => return Ok(answer),
    }
    let mut predicates =
        Predicates::new(Scope::Global, config.abstracting, BlockOperator::EveryStep, control_flow);
    // One for all rounds, so that a slot is the same thread in all of them.
    let mut steps = Steps::new(program);
    for limit in [2, SLOTS] {
        if let Some(reducer) = Reducer::new(facts, config) {
            steps.reduce(reducer);
        }
        steps.replicate(ReplicatedThreads { templates: templates.clone(), limit });
        let start = steps.initial(program, entry);
        let mut cx = Context {
            space: &mut *cx.space,
            steps: &mut steps,
            solver: &mut *cx.solver,
            budget: &mut *cx.budget,
        };
        let search = search_views(control_flow, config, progress, &mut *judge);
        match search.run(&mut predicates, &mut cx, start) {
            // A proof has the terms, and this was none yet.
            Verdict::True(proof) => {
                cx.space.terms = proof.terms;
                // Nor is its graph.
                progress.publish_graph(StateGraph::default);
            }
            answer @ (Verdict::False(_) | Verdict::Unknown(_)) => return Ok(answer),
        }
        cx.steps.stop_reducing();
        cx.steps.replicate(ReplicatedThreads { templates: templates.clone(), limit: SLOTS });
        let terms: Vec<Term> = predicates.precision.terms.values().copied().collect();
        for knowing in [Knowing::OfThose, Knowing::OfAll] {
            let mut own = Predicates::new(
                Scope::Global,
                config.abstracting,
                BlockOperator::EveryStep,
                control_flow,
            );
            let atoms = Atoms::new(&mut cx, &terms, &mut own);
            if Views::new(atoms, own, knowing).are_safe(&mut cx, start)? {
                return Ok(Verdict::True(Proof::without_invariants(&cx.space.terms)));
            }
        }
    }
    stuck
}

/// A search that ends where refinement is stuck.
fn search_views<'a>(
    control_flow: &'a ControlFlowFacts,
    config: &'a Config,
    progress: &'a Progress,
    judge: Judge<'a>,
) -> Search<'a> {
    let Config { order, refinement, .. } = config;
    Search::new(control_flow, *order, refinement, None, progress, judge, Stuck::Ends)
}

/// What refinement finds soon if every thread is followed.
fn first_look(
    cx: &mut Context<'_, '_>,
    control_flow: &ControlFlowFacts,
    config: &Config,
    search: Search<'_>,
) -> Verdict {
    let Some(entry) = cx.space.program.entry else { return Verdict::Unknown(Reason::NoEntry) };
    let mut predicates =
        Predicates::new(Scope::Global, config.abstracting, BlockOperator::EveryStep, control_flow);
    let deadline = cx.solver.deadline;
    let limit = deadline.left().map_or(FIRST_LOOK, |left| FIRST_LOOK.min(left / 10));
    cx.solver.deadline = deadline.sooner(limit);
    let mut budget = cx.budget.clone().sooner(limit);
    let start = cx.steps.initial(cx.space.program, entry);
    let mut looking = Context {
        space: &mut *cx.space,
        steps: &mut *cx.steps,
        solver: &mut *cx.solver,
        budget: &mut budget,
    };
    let found = search.run(&mut predicates, &mut looking, start);
    cx.solver.deadline = deadline;
    found
}
