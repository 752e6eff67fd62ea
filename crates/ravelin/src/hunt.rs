//! The explorer of concrete states, in a thread beside the analysis: who has an answer first, has it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use ravelin_base::Budget;
use ravelin_cfa::Program;
use ravelin_evidence::Replayed;
use ravelin_explore::{Answer, Exploration, Options, Reduction, explore};
use ravelin_interp::{Interpreter, Outcome, Replay, RunConfig};

use crate::watchdog::{self, Cancel, Limits};

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

/// Of every megabyte of the limit, states may take three quarters.
const EXPLORER_BYTES_OF_MEGABYTE: usize = 3 << 18;

/// How often it is looked whether memory is short.
const MEMORY_POLL: Duration = Duration::from_millis(20);

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

/// Runs `analyse` with a budget that ends as soon as the explorer has an answer, or memory is short. What the
/// explorer found counts if it found something.
pub fn beside<T>(
    program: &Program,
    limits: Limits,
    reductions: &[Reduction],
    budget: &Budget,
    cancel: &Cancel,
    analyse: impl FnOnce(Budget) -> T,
    is_answer: impl Fn(&T) -> bool,
) -> (T, Option<Found>) {
    let analysis_answers = Arc::new(AtomicBool::new(false));
    let analysis_must_end = Arc::new(AtomicBool::new(false));
    let end_analysis = || {
        analysis_must_end.store(true, Ordering::Relaxed);
        cancel.interrupt_other_solvers();
    };
    let found = Mutex::new(None);
    let max_bytes = limits.memory_megabytes.map_or(USUAL_BYTES, |limit| {
        usize::try_from(limit).unwrap_or(usize::MAX).saturating_mul(EXPLORER_BYTES_OF_MEGABYTE)
    });
    let (analysis_ends, end_of_analysis) = mpsc::channel();
    let result = thread::scope(|scope| {
        if let Some(limit) = limits.memory_megabytes {
            let end_analysis = &end_analysis;
            scope.spawn(move || {
                if memory_is_short(limit, &end_of_analysis) {
                    end_analysis();
                }
            });
        }
        let explorer = scope.spawn(|| {
            let mut own = budget.clone().cancelled_by(Arc::clone(&analysis_answers));
            let answer = reductions.iter().enumerate().find_map(|(number, &reduction)| {
                let is_last = number + 1 == reductions.len();
                let max_states = if is_last { usize::MAX } else { SECOND_STATES };
                let options = Options { reduction, max_states, max_bytes, ..Options::default() };
                let exploration = explore(program, &options, &mut own);
                judged(program, exploration, own.clone())
            });
            if answer.is_some() {
                *found.lock().unwrap_or_else(PoisonError::into_inner) = answer;
                end_analysis();
            }
        });
        let result = analyse(budget.clone().cancelled_by(Arc::clone(&analysis_must_end)));
        // Nobody waits for it where there is no limit of memory.
        let _ = analysis_ends.send(());
        // Without an answer of its own, the analysis waits for that of the explorer.
        if is_answer(&result) {
            analysis_answers.store(true, Ordering::Relaxed);
        }
        // A panic there is told by its hook; there is no answer then.
        let _ = explorer.join();
        result
    });
    (result, found.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Whether two thirds of the memory are in use before the analysis ends: then it ends, for the explorer gets
/// further with what is left.
fn memory_is_short(limit: u64, end_of_analysis: &Receiver<()>) -> bool {
    while let Err(RecvTimeoutError::Timeout) = end_of_analysis.recv_timeout(MEMORY_POLL) {
        if watchdog::used_megabytes() > limit / 3 * 2 {
            return true;
        }
    }
    false
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
