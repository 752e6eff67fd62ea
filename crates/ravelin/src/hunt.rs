//! The explorer of concrete states, in a thread beside the analysis: who has an answer first, has it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use ravelin_base::Budget;
use ravelin_cfa::Program;
use ravelin_evidence::Replayed;
use ravelin_explore::{Answer, Exploration, Options, Reduction, explore};
use ravelin_interp::{Interpreter, Outcome, Replay, RunConfig};

use crate::watchdog::{Cancel, Limits};

/// What the explorer found.
#[derive(Debug)]
pub enum Found {
    /// It has seen all states, so many, and in none of them is an error.
    Nothing { states: usize },
    /// An execution to the error, seen in the interpreter.
    Error(Replayed),
}

/// Without a limit of memory, states may take this many bytes.
const USUAL_BYTES: usize = 2 << 30;

/// A first look goes so far: small programs are answered by it, and always in the same way.
const FIRST_STATES: usize = 20_000;

/// With several reductions, each but the last goes so far. They go different ways, and what one does not
/// find soon, another may (`docs/benchmarks/concurrency.md`).
const SECOND_STATES: usize = 250_000;

/// What a first look finds, with one of the reductions after the other.
pub fn first_look(program: &Program, reductions: &[Reduction], budget: &Budget) -> Option<Found> {
    look(program, reductions, budget, FIRST_STATES)
}

/// What a longer look finds.
pub fn long_look(program: &Program, reductions: &[Reduction], budget: &Budget) -> Option<Found> {
    look(program, reductions, budget, SECOND_STATES)
}

fn look(
    program: &Program,
    reductions: &[Reduction],
    budget: &Budget,
    max_states: usize,
) -> Option<Found> {
    reductions.iter().find_map(|&reduction| {
        let options = Options { reduction, max_states, ..Options::default() };
        let exploration = explore(program, &options, &mut budget.clone());
        judged(program, exploration, budget.clone())
    })
}

/// Runs `analyse` with a budget that ends as soon as the explorer has an answer. What the explorer found
/// counts if it found something.
pub fn beside<T>(
    program: &Program,
    limits: Limits,
    reductions: &[Reduction],
    budget: &Budget,
    cancel: &Cancel,
    analyse: impl FnOnce(Budget) -> T,
    is_answer: impl Fn(&T) -> bool,
) -> (T, Option<Found>) {
    let analysis_over = Arc::new(AtomicBool::new(false));
    let explorer_answers = Arc::new(AtomicBool::new(false));
    let found = Mutex::new(None);
    let max_bytes = limits.memory_megabytes.map_or(USUAL_BYTES, |limit| {
        usize::try_from(limit).unwrap_or(usize::MAX).saturating_mul(1 << 19)
    });
    let result = thread::scope(|scope| {
        let explorer = scope.spawn(|| {
            let mut own = budget.clone().cancelled_by(Arc::clone(&analysis_over));
            let answer = reductions.iter().enumerate().find_map(|(number, &reduction)| {
                let is_last = number + 1 == reductions.len();
                let max_states = if is_last { usize::MAX } else { SECOND_STATES };
                let options = Options { reduction, max_states, max_bytes, ..Options::default() };
                let exploration = explore(program, &options, &mut own);
                judged(program, exploration, own.clone())
            });
            if answer.is_some() {
                *found.lock().unwrap_or_else(PoisonError::into_inner) = answer;
                explorer_answers.store(true, Ordering::Relaxed);
                cancel.interrupt_solver();
            }
        });
        let result = analyse(budget.clone().cancelled_by(Arc::clone(&explorer_answers)));
        // Without an answer of its own, the analysis waits for that of the explorer.
        if is_answer(&result) {
            analysis_over.store(true, Ordering::Relaxed);
        }
        // A panic there is told by its hook; there is no answer then.
        let _ = explorer.join();
        result
    });
    (result, found.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// What an exploration answers, if the interpreter agrees.
fn judged(program: &Program, exploration: Exploration, budget: Budget) -> Option<Found> {
    match exploration.answer {
        Answer::Complete => Some(Found::Nothing { states: exploration.states }),
        Answer::Incomplete(_) => None,
        Answer::Error { pos, schedule, .. } => {
            let config = RunConfig { budget, trace: true, ..RunConfig::default() };
            let run = Interpreter::new(program).run(&mut Replay::new(schedule), &config);
            match &run.outcome {
                Outcome::Error { pos: there, .. } if *there == pos => {
                    Some(Found::Error(Replayed { run }))
                }
                outcome => {
                    let outcome = outcome.display(program);
                    crate::log(&format!("ravelin: explorer: replay ends otherwise: {outcome}\n"));
                    None
                }
            }
        }
    }
}
