//! The analysis, in one lane or in two side by side on two cores. The first answer counts.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use ravelin_analysis::Analysis;
use ravelin_analysis::config::Config;
use ravelin_analysis::control_flow::ControlFlowFacts;
use ravelin_analysis::progress::Progress;
use ravelin_analysis::verdict::{Counterexample, Verdict};
use ravelin_base::Budget;
use ravelin_evidence::Replayed;
use ravelin_por::ProgramFacts;
use ravelin_smt::SolverFactory;

use crate::events::{Event, Listener};
use crate::lane::{self, Ends};
use crate::limits::{Cancel, Limits};
use crate::panics::{self, Panicked};
use crate::solver::{self, SolverChoice};
use crate::strategy::{Plan, Stages};

/// What all lanes of the analysis have in common.
#[derive(Clone, Copy, Debug)]
pub struct Portfolio<'a> {
    pub facts: &'a ProgramFacts<'a>,
    pub control_flow: &'a ControlFlowFacts,
    pub config: &'a Config,
    pub limits: Limits,
    pub cancel: &'a Cancel,
    pub solver: &'a SolverChoice,
    pub listener: &'a Arc<dyn Listener>,
}

/// The result of a lane.
#[derive(Debug)]
pub struct Analysed {
    pub verdict: Verdict,
    /// The execution that was judged last.
    pub replayed: Option<Replayed>,
    /// The time that judging took.
    pub replays: Duration,
    /// How executions ended that should have led to the error. If there is an answer, it does not depend on them.
    pub failed: BTreeSet<String>,
}

/// Whether a second lane can run: there is a core for it, and a second solver. Questions to a solver of the user's are
/// asked one at a time, and written in their order.
pub fn has_second_core(solver: &SolverChoice) -> bool {
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    *solver == SolverChoice::default() && cores > 1
}

impl Portfolio<'_> {
    /// Runs the lanes of a plan.
    pub fn run(
        &self,
        plan: &Plan,
        make_solver: SolverFactory,
        budget: &Budget,
        progress: &Progress,
    ) -> Result<Analysed, Panicked> {
        let Some(second) = &plan.fallback else {
            return self.analyse(&plan.main, make_solver, budget.clone(), progress);
        };
        let [first_answers, second_answers] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        let (ended, end_of_first) = mpsc::channel();
        let fork = progress.fork();
        let results = thread::scope(|scope| {
            let for_second = budget.clone().cancelled_by(Arc::clone(&first_answers));
            let (fork, second_answers_too) = (&fork, &second_answers);
            let beside = scope.spawn(move || {
                let result = self.second(second, end_of_first, for_second, fork)?;
                self.announce(&result, second_answers_too);
                Some(result)
            });
            let for_first = budget.clone().cancelled_by(Arc::clone(&second_answers));
            let result = self.analyse(&plan.main, make_solver, for_first, progress);
            self.announce(&result, &first_answers);
            // Nobody waits for it if the second has begun.
            let _ = ended.send(has_answer(&result));
            // A panic is told by its hook; there is no answer then.
            (result, beside.join().ok().flatten())
        });
        match results {
            (first, Some(second)) if has_answer(&second) => {
                if has_answer(&first) {
                    assert!(agree(&first, &second), "two lanes give opposite answers");
                    return first;
                }
                second
            }
            (first, _) => first,
        }
    }

    /// Runs the second lane, unless the first has an answer soon.
    fn second(
        &self,
        lane: &Stages,
        end_of_first: Receiver<bool>,
        budget: Budget,
        progress: &Progress,
    ) -> Option<Result<Analysed, Panicked>> {
        match end_of_first.recv_timeout(lane.after) {
            Ok(true) => return None,
            Ok(false) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
        let pointer_bits = self.facts.program.terms.pointer_bits();
        let make_solver = solver::maker(self.solver, pointer_bits, self.listener).ok()?;
        Some(self.analyse(lane, make_solver, budget, progress))
    }

    /// Ends the other lane if this one has an answer.
    fn announce(&self, result: &Result<Analysed, Panicked>, flag: &AtomicBool) {
        if has_answer(result) {
            flag.store(true, Ordering::Relaxed);
            self.cancel.interrupt_other_solvers();
        }
    }

    fn analyse(
        &self,
        lane: &Stages,
        make_solver: SolverFactory,
        budget: Budget,
        progress: &Progress,
    ) -> Result<Analysed, Panicked> {
        self.cancel.z3_works_here();
        let (mut replays, mut replayed, mut failed) = (Duration::ZERO, None, BTreeSet::new());
        let replay_budget = budget.clone();
        let mut judge = |claim: &Counterexample| {
            let begun = Instant::now();
            let run = ravelin_evidence::replay(self.facts.program, claim, replay_budget.clone());
            replays += begun.elapsed();
            replayed = Some(run.inspect_err(|unconfirmed| {
                // Many paths may fail in the same way.
                let message = format!("replay of a counterexample failed: {unconfirmed}");
                if failed.insert(message.clone()) {
                    self.listener.hear(&Event::Progress(&message));
                }
            })?);
            Ok(())
        };
        let Portfolio { facts, control_flow, config, limits, listener, .. } = *self;
        let (deadline, listener) = (limits.deadline, &**listener);
        // Z3 that is interrupted between two questions fails in ways its bindings do not expect.
        let verdict = panics::catch(|| {
            let analysis = Analysis::new(facts, control_flow, config, deadline, make_solver);
            let ends = Ends { deadline, budget: &budget, progress, listener };
            lane::run(lane, analysis, facts.program.is_concurrent(), ends, &mut judge)
        })?;
        Ok(Analysed { verdict, replayed, replays, failed })
    }
}

/// Whether a lane knows that the property holds, or that it does not.
pub fn has_answer(analysed: &Result<Analysed, Panicked>) -> bool {
    analysed.as_ref().is_ok_and(is_answer)
}

/// The same of a lane that ended without panic.
pub fn is_answer(analysed: &Analysed) -> bool {
    match analysed.verdict {
        Verdict::True(_) | Verdict::False(_) => true,
        Verdict::Unknown(_) => false,
    }
}

fn agree(first: &Result<Analysed, Panicked>, second: &Result<Analysed, Panicked>) -> bool {
    let is_proof = |analysed: &Result<Analysed, Panicked>| {
        analysed.as_ref().is_ok_and(|analysed| matches!(analysed.verdict, Verdict::True(_)))
    };
    is_proof(first) == is_proof(second)
}
