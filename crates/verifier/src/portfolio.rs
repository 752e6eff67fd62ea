//! The analysis, in one configuration or in two side by side on two cores: who has an answer first, has it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use ravelin_analysis::Report;
use ravelin_analysis::config::Config;
use ravelin_analysis::progress::Progress;
use ravelin_analysis::verdict::{Counterexample, Verdict};
use ravelin_base::Budget;
use ravelin_cfa::Program;
use ravelin_evidence::Replayed;
use ravelin_smt::SolverFactory;

use crate::events::{Event, Listener};
use crate::limits::{Cancel, Limits};
use crate::panics::{self, Panicked};
use crate::solver::{self, SolverChoice};

/// What all runs of the analysis have in common.
#[derive(Clone, Copy, Debug)]
pub struct Portfolio<'a> {
    pub program: &'a Program,
    pub limits: Limits,
    pub cancel: &'a Cancel,
    pub solver: &'a SolverChoice,
    pub listener: &'a Arc<dyn Listener>,
}

/// What a run came to.
#[derive(Debug)]
pub struct Analysed {
    pub report: Report,
    /// The execution that was judged last.
    pub replayed: Option<Replayed>,
    /// What judging took.
    pub replays: Duration,
    /// How executions ended that should have led to the error. If there is an answer, it does not depend on them.
    pub failed: BTreeSet<String>,
}

/// The second configuration begins when the short looks of the first are over, in most cases: what these
/// answer needs no second core.
pub const SECOND_AFTER: Duration = Duration::from_secs(8);

impl Portfolio<'_> {
    /// The configurations that run: one, or two where a second core and a second solver can be had.
    pub fn of(&self, config: &Config) -> Vec<Config> {
        let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
        // Questions to a solver of the user's are asked one at a time, and written in their order.
        let is_plain = *self.solver == SolverChoice::default();
        match config.in_two(self.program.is_concurrent()).filter(|_| is_plain && cores > 1) {
            Some(two) => two.to_vec(),
            None => vec![*config],
        }
    }

    /// Runs a configuration, or the two that it is made of.
    pub fn run(
        &self,
        config: &Config,
        make_solver: SolverFactory,
        budget: &Budget,
        progress: &Progress,
    ) -> Result<Analysed, Panicked> {
        let configs = self.of(config);
        let [first, second] = configs.as_slice() else {
            return self.analyse(config, make_solver, budget.clone(), progress);
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
            let result = self.analyse(first, make_solver, for_first, progress);
            self.announce(&result, &first_answers);
            // Nobody waits for it if the second has begun.
            let _ = ended.send(has_answer(&result));
            // A panic is told by its hook; there is no answer then.
            (result, beside.join().ok().flatten())
        });
        match results {
            (first, Some(second)) if has_answer(&second) => {
                if has_answer(&first) {
                    assert!(agree(&first, &second), "two configurations give opposite answers");
                    return first;
                }
                second
            }
            (first, _) => first,
        }
    }

    /// Runs the second configuration, unless the first has an answer soon.
    fn second(
        &self,
        config: &Config,
        end_of_first: Receiver<bool>,
        budget: Budget,
        progress: &Progress,
    ) -> Option<Result<Analysed, Panicked>> {
        match end_of_first.recv_timeout(SECOND_AFTER) {
            Ok(true) => return None,
            Ok(false) | Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
        let pointer_bits = self.program.terms.pointer_bits();
        let make_solver = solver::maker(self.solver, pointer_bits, self.listener).ok()?;
        Some(self.analyse(config, make_solver, budget, progress))
    }

    /// Ends what runs beside a configuration that has an answer.
    fn announce(&self, result: &Result<Analysed, Panicked>, flag: &AtomicBool) {
        if has_answer(result) {
            flag.store(true, Ordering::Relaxed);
            self.cancel.interrupt_other_solvers();
        }
    }

    fn analyse(
        &self,
        config: &Config,
        make_solver: SolverFactory,
        mut budget: Budget,
        progress: &Progress,
    ) -> Result<Analysed, Panicked> {
        self.cancel.z3_works_here();
        let (mut replays, mut replayed, mut failed) = (Duration::ZERO, None, BTreeSet::new());
        let replay_budget = budget.clone();
        let mut judge = |claim: &Counterexample| {
            let begun = Instant::now();
            let run = ravelin_evidence::replay(self.program, claim, replay_budget.clone());
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
        // Z3 that is interrupted between two questions fails in ways its bindings do not expect.
        let report = panics::catch(|| {
            ravelin_analysis::verify(
                self.program,
                config,
                &mut budget,
                self.limits.deadline,
                make_solver,
                &mut judge,
                progress,
            )
        })?;
        Ok(Analysed { report, replayed, replays, failed })
    }
}

/// Whether a run knows that the property holds, or that it does not.
pub fn has_answer(analysed: &Result<Analysed, Panicked>) -> bool {
    analysed.as_ref().is_ok_and(is_answer)
}

/// The same of a run that came to its end.
pub fn is_answer(analysed: &Analysed) -> bool {
    match analysed.report.verdict {
        Verdict::True(_) | Verdict::False(_) => true,
        Verdict::Unknown(_) => false,
    }
}

fn agree(first: &Result<Analysed, Panicked>, second: &Result<Analysed, Panicked>) -> bool {
    let is_proof = |analysed: &Result<Analysed, Panicked>| {
        analysed.as_ref().is_ok_and(|analysed| matches!(analysed.report.verdict, Verdict::True(_)))
    };
    is_proof(first) == is_proof(second)
}
