//! One lane of a plan: its stages run one after the other, until one has an answer.

use std::time::Instant;

use ravelin_analysis::Analysis;
use ravelin_analysis::cegar::CegarStatistics;
use ravelin_analysis::progress::Progress;
use ravelin_analysis::verdict::{Judge, Verdict};
use ravelin_base::Budget;
use ravelin_cfa::Reason;

use crate::events::{Event, Listener};
use crate::strategy::{Stage, Stages, describe_stage};

/// Who may end a lane, and who hears of it.
#[derive(Clone, Copy, Debug)]
pub struct Ends<'a> {
    pub deadline: Option<Instant>,
    pub budget: &'a Budget,
    pub progress: &'a Progress,
    pub listener: &'a dyn Listener,
}

/// Runs the stages of a lane.
pub fn run(
    lane: &Stages,
    mut analysis: Option<Analysis<'_>>,
    is_concurrent: bool,
    ends: Ends<'_>,
    judge: Judge<'_>,
) -> Verdict {
    let Some(analysis) = &mut analysis else { return Verdict::Unknown(Reason::NoEntry) };
    let Ends { deadline, budget, progress, listener } = ends;
    let mut reason = match lane.stages.is_empty() {
        true => Reason::NoAnswer,
        false => Reason::RefinementStuck,
    };
    for stage in &lane.stages {
        if !is_of_use(stage, &reason, is_concurrent) {
            continue;
        }
        let what = describe_stage(stage);
        listener.hear(&Event::Progress(&format!("the analysis {what}")));
        let verdict =
            analysis.run(stage.engine, stage.effort(deadline), budget, &mut *judge, progress);
        listener.hear(&Event::Progress(&result(&verdict, progress)));
        match verdict {
            Verdict::Unknown(Reason::Interrupted) => {
                return Verdict::Unknown(Reason::Interrupted);
            }
            Verdict::Unknown(new) if analysis.is_barred() => return Verdict::Unknown(new),
            // That unrolling does not come to an end says nothing new.
            Verdict::Unknown(_) if stage.unrolls() => {}
            // What its paths could not follow, other engines may.
            Verdict::Unknown(_) if stage.follows_paths() && lane.stages.len() > 1 => {}
            Verdict::Unknown(new) => reason = new,
            answer @ (Verdict::True(_) | Verdict::False(_)) => return answer,
        }
    }
    match budget.clone().check_now() {
        Ok(()) => Verdict::Unknown(reason),
        Err(_) => Verdict::Unknown(Reason::Timeout),
    }
}

/// Whether a stage may have an answer after another one ended for a reason.
fn is_of_use(stage: &Stage, reason: &Reason, is_concurrent: bool) -> bool {
    match reason {
        // Unrolling helps where refinement is stuck, which has tried all ways then.
        Reason::RefinementStuck | Reason::Undefined { .. } | Reason::Diverged(_) => {
            !stage.is_second_try
        }
        // Another encoding may ask an easier question, and unrolling asks one in the end.
        Reason::HardQuestion => true,
        // Every engine reaches an operation that is not modelled, whatever it tracks.
        Reason::Unsupported { .. } => !stage.unrolls() && !stage.is_second_try && !is_concurrent,
        // Time, another limit, or the solver: unrolling ends in the same way.
        _ => !stage.unrolls(),
    }
}

/// The end of a stage, for people.
fn result(verdict: &Verdict, progress: &Progress) -> String {
    let answer = match verdict {
        Verdict::True(_) => "a proof",
        Verdict::False(_) => "a counterexample",
        Verdict::Unknown(Reason::Timeout) => "no answer, its time is over",
        Verdict::Unknown(Reason::RefinementStuck) => "no answer, it is stuck",
        Verdict::Unknown(_) => "no answer",
    };
    let CegarStatistics { refinements, states, precision, .. } = progress.latest().cegar;
    format!("{answer}; {refinements} refinements, {states} states, {precision} tracked so far")
}
