//! Explicit-state search: the explorer of concrete states, in a thread beside the analysis. The first answer counts.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ravelin_base::deadline::process_time;
use ravelin_base::{Budget, Exhausted};
use ravelin_cfa::Var;
use ravelin_evidence::Replayed;
use ravelin_explore::{Answer, Exploration, Options, Order, Reason, Reduction, explore_with};
use ravelin_interp::{Interpreter, Replay, RunConfig};
use ravelin_por::ProgramFacts;

use crate::events::{Event, Listener};
use crate::limits::{self, Cancel, Limits};
use crate::obstacle::Met;
use crate::strategy::ExplicitSearch;

/// What the explorer found.
#[derive(Debug)]
pub enum Found {
    /// It has seen all states, so many, and in none of them is an error.
    Nothing { states: usize },
    /// An execution to the error, seen in the interpreter.
    Error(Replayed),
}

/// The explorer beside the analysis, with its reductions.
#[derive(Clone, Copy, Debug)]
pub struct Searching {
    pub search: ExplicitSearch,
    /// One after the other.
    pub reductions: &'static [Reduction],
}

impl Searching {
    /// What exploring with few threads finds, and then with one reduction after the other.
    fn answer(&self, explorer: Explorer<'_>, budget: &Budget) -> Option<Found> {
        let mut first = 0;
        for &max_threads in self.search.few_threads {
            let options = self.options(explorer.limits, 0);
            let options = Options { max_threads, max_states: self.search.states_each, ..options };
            let exploration = explore_with(explorer.facts, &options, &mut budget.clone());
            // Where there are never more threads, this was the first reduction.
            let is_first = !exploration.has_more_threads && self.reductions.len() > 1;
            first = usize::from(is_first);
            let found = explorer.judged(exploration, budget.clone());
            if found.is_some() {
                return found;
            }
            if first > 0 {
                break;
            }
        }
        (first..self.reductions.len()).find_map(|number| {
            let exploration = self.explore(explorer, number, budget);
            explorer.judged(exploration, budget.clone())
        })
    }

    /// Explores with the reduction of this number.
    fn explore(&self, explorer: Explorer<'_>, number: usize, budget: &Budget) -> Exploration {
        let (facts, options) = (explorer.facts, self.options(explorer.limits, number));
        let Some(limit) = self.search.with_inputs else {
            return explore_with(facts, &options, &mut budget.clone());
        };
        let short = explore_with(facts, &options, &mut budget.clone().sooner(limit));
        match short.answer {
            Answer::Incomplete(Reason::Exhausted(Exhausted::Time)) if !short.has_inputs => {
                explore_with(facts, &options, &mut budget.clone())
            }
            Answer::Incomplete(_) | Answer::Complete | Answer::Error { .. } => short,
        }
    }

    fn options(&self, limits: Limits, number: usize) -> Options {
        let is_last = number + 1 == self.reductions.len();
        Options {
            reduction: self.reductions[number],
            max_states: if is_last { usize::MAX } else { self.search.states_each },
            max_bytes: max_bytes(limits, self.search.bytes_of_megabyte),
            only_complete: self.search.only_complete,
            ..Options::default()
        }
    }
}

/// What states may take, if it is so many bytes of every megabyte of the limit.
fn max_bytes(limits: Limits, of_megabyte: usize) -> usize {
    limits.memory_megabytes.map_or(USUAL_BYTES, |limit| {
        usize::try_from(limit).unwrap_or(usize::MAX).saturating_mul(of_megabyte)
    })
}

/// Without a limit of memory, states may take this many bytes.
const USUAL_BYTES: usize = 2 << 30;

/// The steps of longer executions are not told one by one, as nobody would read them, and nothing could hold them.
pub const MAX_TOLD_STEPS: u64 = 4_000_000;

/// How often it is looked whether memory is short.
const MEMORY_POLL: Duration = Duration::from_millis(20);

/// A first look starts no more threads than this: with each, a state is larger and has more successors.
const FIRST_THREADS: usize = 20;

/// A guided look goes so far: who is on the right way gets there with far fewer.
const GUIDED_STATES: usize = 3_000_000;

/// What an analysis and the explorer beside it found. What the explorer found counts if it found something.
#[derive(Debug)]
pub struct Both<T> {
    pub analysed: T,
    pub found: Option<Found>,
    /// The analysis had to end because memory was short.
    pub made_room: bool,
    /// What the explorer took.
    pub explored: Duration,
}

/// The explorer of one program.
#[derive(Clone, Copy, Debug)]
pub struct Explorer<'a> {
    pub facts: &'a ProgramFacts<'a>,
    pub limits: Limits,
    pub listener: &'a dyn Listener,
    pub met: &'a Met,
}

impl Explorer<'_> {
    /// What a first look at few states finds, with one of the reductions after the other.
    pub fn first_look(
        self,
        max_states: usize,
        reductions: &[Reduction],
        budget: &Budget,
    ) -> Option<Found> {
        reductions.iter().find_map(|&reduction| {
            let max_threads = FIRST_THREADS;
            let options = Options { reduction, max_states, max_threads, ..Options::default() };
            let exploration = explore_with(self.facts, &options, &mut budget.clone());
            self.judged(exploration, budget.clone())
        })
    }

    /// What is found by going first where a global variable is large.
    pub fn guided_look(self, goal: Var, budget: &Budget) -> Option<Found> {
        let options = Options {
            order: Order::Furthest(goal),
            max_states: GUIDED_STATES,
            max_bytes: max_bytes(self.limits, 3 << 18),
            ..Options::default()
        };
        let exploration = explore_with(self.facts, &options, &mut budget.clone());
        self.judged(exploration, budget.clone())
    }

    /// Runs `analyse` with a budget that ends as soon as the explorer has an answer, or memory is short.
    pub fn beside<T>(
        self,
        searching: Searching,
        budget: &Budget,
        cancel: &Cancel,
        analyse: impl FnOnce(Budget) -> T,
        is_answer: impl Fn(&T) -> bool,
    ) -> Both<T> {
        let [analysis_answers, analysis_must_end, explorer_ended, made_room] =
            [(); 4].map(|()| Arc::new(AtomicBool::new(false)));
        let end_analysis = || {
            analysis_must_end.store(true, Ordering::Relaxed);
            cancel.interrupt_other_solvers();
        };
        let (found, explored) = (Mutex::new(None), Mutex::new(Duration::ZERO));
        let (to_explorer, for_explorer) = mpsc::channel();
        let (to_memory_watch, for_memory_watch) = mpsc::channel();
        let (end_analysis, explorer_ended) = (&end_analysis, &explorer_ended);
        let made_room = &made_room;
        let analysed = thread::scope(|scope| {
            if let Some(limit) = self.limits.memory_megabytes {
                scope.spawn(move || {
                    if memory_is_short(limit, &for_memory_watch, explorer_ended) {
                        made_room.store(true, Ordering::Relaxed);
                        end_analysis();
                    }
                });
            }
            let (found, analysis_answers_too) = (&found, Arc::clone(&analysis_answers));
            let explored = &explored;
            let explorer = scope.spawn(move || {
                let own = budget.clone().cancelled_by(analysis_answers_too);
                let is_answered =
                    answer_within(&for_explorer, searching.search.after) == Some(IsAnswer(true));
                // The clock is looked at now and then only, and the time may be over.
                if !is_answered && own.check_now().is_ok() {
                    self.listener.hear(&Event::Progress("the explorer begins beside the analysis"));
                    let begun = Instant::now();
                    let answer = searching.answer(self, &own);
                    *explored.lock().unwrap_or_else(PoisonError::into_inner) = begun.elapsed();
                    if answer.is_some() {
                        *found.lock().unwrap_or_else(PoisonError::into_inner) = answer;
                        end_analysis();
                    }
                }
                explorer_ended.store(true, Ordering::Relaxed);
            });
            let analysed = analyse(budget.clone().cancelled_by(Arc::clone(&analysis_must_end)));
            // Without an answer of its own, the analysis waits for that of the explorer.
            let is_answer = is_answer(&analysed);
            if is_answer {
                analysis_answers.store(true, Ordering::Relaxed);
            }
            // They need not wait for it any more: the explorer may have begun, and there may be no limit of memory.
            let _ = to_explorer.send(IsAnswer(is_answer));
            let _ = to_memory_watch.send(());
            // A panic there is told by its hook; there is no answer then.
            let _ = explorer.join();
            analysed
        });
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        let explored = explored.into_inner().unwrap_or_else(PoisonError::into_inner);
        Both { analysed, found, made_room: made_room.load(Ordering::Relaxed), explored }
    }

    /// What an exploration answers, if the interpreter agrees.
    fn judged(self, exploration: Exploration, budget: Budget) -> Option<Found> {
        let program = self.facts.program;
        match exploration.answer {
            Answer::Complete => Some(Found::Nothing { states: exploration.states }),
            Answer::Incomplete(reason) => {
                self.met.note_exploration(program, &reason);
                None
            }
            Answer::Error { kind, pos, schedule } => {
                let interpreter = Interpreter::new(program);
                let run = |trace: bool| {
                    let config =
                        RunConfig { budget: budget.clone(), trace, ..RunConfig::default() };
                    interpreter.run(&mut Replay::new(schedule.clone()), &config)
                };
                let short = run(false);
                let violation = short.outcome.violation(program.checked);
                if violation == Some(kind) && short.outcome.pos() == Some(pos) {
                    let is_told = short.steps <= MAX_TOLD_STEPS;
                    let run = if is_told { run(true) } else { short };
                    return Some(Found::Error(Replayed { run, error: kind }));
                }
                let outcome = short.outcome.display(program);
                let message = format!("explorer: replay ends otherwise: {outcome}");
                self.listener.hear(&Event::Warning(&message));
                None
            }
        }
    }
}

/// The analysis has ended, with an answer or without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct IsAnswer(bool);

/// What comes within so much processor time of this process, which a busy machine does not shorten.
fn answer_within(analysis: &Receiver<IsAnswer>, limit: Duration) -> Option<IsAnswer> {
    /// How much slower than on an idle machine the process is taken to be at the most.
    const SLOWEST: u32 = 4;
    let (spent, begun) = (process_time(), Instant::now());
    loop {
        let left = limit.saturating_sub(process_time().saturating_sub(spent));
        let left = left.min((SLOWEST * limit).saturating_sub(begun.elapsed()));
        match analysis.recv_timeout(left) {
            Ok(answer) => return Some(answer),
            Err(RecvTimeoutError::Timeout) if !left.is_zero() => {}
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
        }
    }
}

/// Whether two thirds of the memory are in use before analysis or explorer end: then the analysis ends, for the
/// explorer gets further with what is left.
fn memory_is_short(
    limit: u64,
    end_of_analysis: &Receiver<()>,
    explorer_ended: &AtomicBool,
) -> bool {
    while let Err(RecvTimeoutError::Timeout) = end_of_analysis.recv_timeout(MEMORY_POLL) {
        if explorer_ended.load(Ordering::Relaxed) {
            return false;
        }
        if limits::used_megabytes() > limit / 3 * 2 {
            return true;
        }
    }
    false
}
