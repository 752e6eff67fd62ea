//! The explorer of concrete states, in a thread beside the analysis: who has an answer first, has it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ravelin_base::deadline::process_time;
use ravelin_base::{Budget, Exhausted};
use ravelin_cfa::{Program, Var};
use ravelin_evidence::Replayed;
use ravelin_explore::{Answer, Exploration, Options, Order, Reason, Reduction, explore};
use ravelin_interp::{Interpreter, Outcome, Replay, RunConfig};

use crate::events::{Event, Listener};
use crate::limits::{self, Cancel, Limits};
use crate::obstacle::Met;

/// What the explorer found.
#[derive(Debug)]
pub enum Found {
    /// It has seen all states, so many, and in none of them is an error.
    Nothing { states: usize },
    /// An execution to the error, seen in the interpreter.
    Error(Replayed),
}

/// How the explorer goes about a program beside the analysis.
#[derive(Clone, Copy, Debug)]
pub struct ExplicitSearch {
    /// One after the other.
    pub reductions: &'static [Reduction],
    /// Errors that need no more threads at a time than this are looked for first: of threads without end, depth
    /// first search starts as many as it can.
    few_threads: Option<usize>,
    /// The analysis has so much time for itself.
    pub after: Duration,
    /// Whether it ends as soon as it is seen that it can prove nothing.
    only_complete: bool,
    /// Programs with inputs have so many states that more time is seldom of use.
    with_inputs: Option<Duration>,
    /// Of every megabyte of the limit, states may take so many bytes.
    bytes_of_megabyte: usize,
}

impl ExplicitSearch {
    pub fn with_threads(reductions: &'static [Reduction]) -> Self {
        ExplicitSearch {
            reductions,
            few_threads: Some(5),
            after: Duration::ZERO,
            only_complete: false,
            with_inputs: None,
            bytes_of_megabyte: 3 << 18,
        }
    }

    /// Programs with one thread and next to no inputs are simply run; the analysis finds errors of others, and
    /// what it proves, it proves with invariants. So it comes first.
    pub const WITH_ONE_THREAD: ExplicitSearch = ExplicitSearch {
        reductions: &[Reduction::None],
        few_threads: None,
        after: Duration::from_secs(5),
        only_complete: true,
        with_inputs: Some(Duration::from_secs(2)),
        bytes_of_megabyte: 1 << 18,
    };

    /// What exploring with few threads finds, and then with one reduction after the other.
    fn answer(&self, explorer: Explorer<'_>, budget: &Budget) -> Option<Found> {
        let mut first = 0;
        if let Some(max_threads) = self.few_threads {
            let options = self.options(explorer.limits, 0);
            let options = Options { max_threads, max_states: SECOND_STATES, ..options };
            let exploration = explore(explorer.program, &options, &mut budget.clone());
            // Where there are never more threads, this was the first reduction.
            let is_first = !exploration.has_more_threads && self.reductions.len() > 1;
            first = usize::from(is_first);
            let found = explorer.judged(exploration, budget.clone());
            if found.is_some() {
                return found;
            }
        }
        (first..self.reductions.len()).find_map(|number| {
            let exploration = self.explore(explorer, number, budget);
            explorer.judged(exploration, budget.clone())
        })
    }

    /// Explores with the reduction of this number.
    fn explore(&self, explorer: Explorer<'_>, number: usize, budget: &Budget) -> Exploration {
        let (program, options) = (explorer.program, self.options(explorer.limits, number));
        let Some(limit) = self.with_inputs else {
            return explore(program, &options, &mut budget.clone());
        };
        let short = explore(program, &options, &mut budget.clone().sooner(limit));
        match short.answer {
            Answer::Incomplete(Reason::Exhausted(Exhausted::Time)) if !short.has_inputs => {
                explore(program, &options, &mut budget.clone())
            }
            Answer::Incomplete(_) | Answer::Complete | Answer::Error { .. } => short,
        }
    }

    fn options(&self, limits: Limits, number: usize) -> Options {
        let is_last = number + 1 == self.reductions.len();
        Options {
            reduction: self.reductions[number],
            max_states: if is_last { usize::MAX } else { SECOND_STATES },
            max_bytes: max_bytes(limits, self.bytes_of_megabyte),
            only_complete: self.only_complete,
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

/// A first look goes so far: small programs are answered by it, and always in the same way.
const FIRST_STATES: usize = 20_000;

/// With several reductions, each but the last goes so far. They go different ways, and what one does not
/// find soon, another may (`docs/benchmarks/concurrency.md`).
const SECOND_STATES: usize = 250_000;

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
    pub program: &'a Program,
    pub limits: Limits,
    pub listener: &'a dyn Listener,
    pub met: &'a Met,
}

impl Explorer<'_> {
    /// What a first look finds, with one of the reductions after the other.
    pub fn first_look(self, reductions: &[Reduction], budget: &Budget) -> Option<Found> {
        reductions.iter().find_map(|&reduction| {
            let options = Options { reduction, max_states: FIRST_STATES, ..Options::default() };
            let exploration = explore(self.program, &options, &mut budget.clone());
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
        let exploration = explore(self.program, &options, &mut budget.clone());
        self.judged(exploration, budget.clone())
    }

    /// Runs `analyse` with a budget that ends as soon as the explorer has an answer, or memory is short.
    pub fn beside<T>(
        self,
        search: &ExplicitSearch,
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
                    answer_within(&for_explorer, search.after) == Some(IsAnswer(true));
                // The clock is looked at now and then only, and the time may be over.
                if !is_answered && own.check_now().is_ok() {
                    self.listener.hear(&Event::Progress("the explorer begins beside the analysis"));
                    let begun = Instant::now();
                    let answer = search.answer(self, &own);
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
        let program = self.program;
        match exploration.answer {
            Answer::Complete => Some(Found::Nothing { states: exploration.states }),
            Answer::Incomplete(reason) => {
                self.met.note_exploration(program, &reason);
                None
            }
            Answer::Error { pos, schedule, .. } => {
                let interpreter = Interpreter::new(program);
                let run = |trace: bool| {
                    let config =
                        RunConfig { budget: budget.clone(), trace, ..RunConfig::default() };
                    interpreter.run(&mut Replay::new(schedule.clone()), &config)
                };
                let short = run(false);
                match &short.outcome {
                    Outcome::Error { kind, pos: there } if *there == pos => {
                        let (error, is_told) = (*kind, short.steps <= MAX_TOLD_STEPS);
                        let run = if is_told { run(true) } else { short };
                        Some(Found::Error(Replayed { run, error }))
                    }
                    outcome => {
                        let outcome = outcome.display(program);
                        let message = format!("explorer: replay ends otherwise: {outcome}");
                        self.listener.hear(&Event::Warning(&message));
                        None
                    }
                }
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
