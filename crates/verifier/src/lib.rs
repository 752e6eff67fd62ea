//! Verifies C programs: text or files in, a verdict with its evidence out.
//!
//! ```
//! use ravelin_verifier::{Input, Verdict, Verifier};
//!
//! let text = r#"
//!     extern unsigned __VERIFIER_nondet_uint(void);
//!     extern void reach_error(void);
//!
//!     int main(void) {
//!         unsigned x = __VERIFIER_nondet_uint();
//!         if (x * x == 1225 && x > 35)
//!             reach_error();
//!         return 0;
//!     }
//! "#;
//! let input = Input::text("square.c", text);
//! let answer = Verifier::default().verify(&input)?;
//! let Verdict::False(violation) = answer.verdict else { panic!("squares wrap around") };
//! assert_eq!(violation.outcome, "error call reached at square.c:8:13");
//! // For people: the lines of source that are passed, with inputs and what changes.
//! assert!(violation.trace.contains("__VERIFIER_nondet_uint() = "));
//! // For programs: every step with its thread, place, reads and writes.
//! let steps = violation.step_trace(&input).expect("few enough steps to be recorded").trace.steps;
//! assert_eq!(steps.last().expect("the last one").text, "reach_error();");
//! # Ok::<(), ravelin_verifier::Failure>(())
//! ```
//!
//! The default is the best configuration known; [`Verifier`] has what can be chosen, limits among it. Nothing is
//! printed: a [`Listener`] hears what happens, and [`Run`] is for who wants to watch or end a run.
//!
//! - [`property`]: what is asked, from property files; [`questions`]: several questions about one program; [`input`],
//!   [`front`]: from text to an automaton;
//! - [`strategy`]: the table of engines, and the plan for one program;
//! - `decide`: the answer; [`explicit_state`]: the explorer of concrete states; `portfolio`: lanes of the analysis, side
//!   by side; `lane`: its stages, one after the other; [`solver`]: the backends that answer their questions;
//! - `violation`: executions to the error; `vacuity`: proofs that say less than they seem;
//! - [`obstacle`]: what stands in the way of an answer; [`statistics`]: what a run did;
//! - [`limits`], [`events`], `panics`: how a run ends, what it tells, and what happens where it fails.

mod decide;
pub mod events;
pub mod explicit_state;
pub mod front;
pub mod input;
mod lane;
pub mod limits;
pub mod obstacle;
pub mod panics;
mod portfolio;
pub mod property;
pub mod questions;
pub mod solver;
pub mod statistics;
pub mod strategy;
mod vacuity;
mod violation;

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use ravelin_analysis::progress::Progress;

pub use decide::{Answer, ExternalFunction, Failure, LoopInvariant, Proof, Run, Verdict};
pub use events::{Event, Listener, Silence};
pub use input::Input;
pub use property::Asked;
pub use questions::{Answered, leading};
pub use ravelin_analysis::config::Config;
pub use ravelin_base::{Budget, DataModel};
pub use ravelin_cfa::{Place, Properties, Property, Reason};
pub use ravelin_explore::Reduction;
pub use ravelin_frontend::{CountedEnd, ErrorCalls, External, Reading};
pub use statistics::Statistics;
pub use strategy::{Strategy, Symbolic};
pub use vacuity::{Vacuities, Vacuity};
pub use violation::{StepTrace, Violation};

use crate::limits::{Cancel, Limits};
use crate::solver::SolverChoice;

/// How programs are verified.
#[derive(Clone, Debug, Default)]
pub struct Verifier {
    /// The question. [`Verifier::verify_each`] asks several.
    pub asked: Asked,
    /// Which engines run.
    pub strategy: Strategy,
    pub solver: SolverChoice,
    /// The answer is UNKNOWN after this time.
    pub timeout: Option<Duration>,
    /// The answer is UNKNOWN when this process uses so much memory.
    pub memory_megabytes: Option<u64>,
}

/// How often it is looked whether a limit is reached.
const POLL: Duration = Duration::from_millis(20);

impl Verifier {
    /// Decides whether the program satisfies what is asked, within the limits.
    pub fn verify(&self, input: &Input) -> Result<Answer, Failure> {
        let limits = Limits::starting_now(self.timeout, self.memory_megabytes);
        let run = Run::new(limits, Progress::default(), Arc::new(Silence));
        match guarded(&run, || reached_limit(limits), || self.decide(input, &run)) {
            (Ok(Ok(answer)), Some(reason)) if matches!(answer.verdict, Verdict::Unknown(_)) => {
                Ok(Answer { verdict: Verdict::Unknown(run.met.explain(reason)), ..answer })
            }
            (Ok(result), _) => result,
            (Err(panics::Panicked), _) => Err(Failure::Internal),
        }
    }
}

/// Works on a run, and asks it to stop as soon as there is a reason to.
fn guarded<T>(
    run: &Run,
    reason_to_stop: impl Fn() -> Option<Reason> + Send,
    work: impl FnOnce() -> T,
) -> (Result<T, panics::Panicked>, Option<Reason>) {
    let (done, end) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let cancel = run.cancel.clone();
        let guard = scope.spawn(move || {
            let mut reached = None;
            while let Err(RecvTimeoutError::Timeout) = end.recv_timeout(POLL) {
                reached = reached.or_else(&reason_to_stop);
                if reached.is_some() {
                    Cancel::ask(&cancel);
                }
            }
            reached
        });
        let result = panics::catch(work);
        drop(done);
        (result, guard.join().ok().flatten())
    })
}

/// The reason of UNKNOWN, if a limit is reached.
fn reached_limit(limits: Limits) -> Option<Reason> {
    if limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        return Some(Reason::Timeout);
    }
    let is_full = limits.memory_megabytes.is_some_and(|limit| limits::used_megabytes() >= limit);
    is_full.then_some(Reason::OutOfMemory)
}
