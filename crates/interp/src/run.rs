//! One run of a program.

use ravelin_base::Budget;
use ravelin_cfa::Program;

use crate::chooser::Chooser;
use crate::compile::Compiled;
use crate::layout::Naming;
use crate::log::Event;
use crate::machine::{Machine, Progress, Quota, Stop};
use crate::observe::Snapshot;
use crate::outcome::Outcome;
use crate::schedule::{Move, MoveKind, Schedule};

/// What a run may use and what it records.
#[derive(Clone, Debug)]
pub struct RunConfig {
    /// A step of a thread is a tick.
    pub budget: Budget,
    /// Whether to record the events of the run.
    pub trace: bool,
    /// Whether events say what steps do beyond their frames also if no other thread can notice.
    pub accesses: bool,
    /// Whether waits on condition variables may end without a signal (POSIX allows it).
    pub spurious_wakeups: bool,
    /// The deepest nesting of calls in a thread.
    pub max_frames: usize,
    /// About how many bytes the program's objects may take.
    pub max_memory: u64,
    /// How many bytes may be printed.
    pub max_output: usize,
}

impl Default for RunConfig {
    fn default() -> Self {
        RunConfig {
            budget: Budget::unlimited(),
            trace: false,
            accesses: false,
            spurious_wakeups: true,
            max_frames: 1 << 18,
            max_memory: 1 << 30,
            max_output: 1 << 26,
        }
    }
}

impl RunConfig {
    pub(crate) fn quota(&self) -> Quota {
        Quota {
            frames: self.max_frames,
            // 17 bytes each: a quarter of a gigabyte.
            locals: 1 << 24,
            memory: self.max_memory,
            output: self.max_output,
        }
    }
}

/// A run that ended.
#[derive(Clone, Debug)]
pub struct Run {
    pub outcome: Outcome,
    /// Replays the run: see [`Replay`](crate::Replay).
    pub schedule: Schedule,
    /// What the program printed.
    pub output: Vec<u8>,
    pub steps: u64,
    /// Empty unless asked for.
    pub trace: Vec<Event>,
}

/// A program made ready to run, any number of times.
#[derive(Debug)]
pub struct Interpreter<'p> {
    code: Compiled<'p>,
}

impl<'p> Interpreter<'p> {
    pub fn new(program: &'p Program) -> Self {
        Interpreter { code: Compiled::new(program) }
    }

    /// Runs the program from the start of `main` to its end.
    pub fn run(&self, chooser: &mut dyn Chooser, config: &RunConfig) -> Run {
        self.run_observed(chooser, config, None)
    }

    /// As [`Interpreter::run`]; shows the state after every step to `observer`.
    pub fn run_observed(
        &self,
        chooser: &mut dyn Chooser,
        config: &RunConfig,
        observer: Option<&mut dyn FnMut(&Snapshot<'_, '_>)>,
    ) -> Run {
        let mut machine = match Machine::new(&self.code, chooser, Naming::Fresh, config.quota()) {
            Ok(machine) => machine,
            Err(stop) => {
                let (schedule, output, trace) = Default::default();
                return Run { outcome: *stop, schedule, output, steps: 0, trace };
            }
        };
        machine.log.trace = config.trace.then(Vec::new);
        let is_noticed = config.accesses || self.code.program.is_concurrent();
        machine.log.notes_accesses = config.trace && is_noticed;
        let mut steps = 0;
        let outcome = run_machine(&mut machine, config, &mut steps, observer);
        let log = machine.log;
        Run {
            outcome,
            schedule: log.schedule,
            output: log.output,
            steps,
            trace: log.trace.unwrap_or_default(),
        }
    }
}

/// Runs a program once. To run it several times, make an [`Interpreter`].
pub fn run(program: &Program, chooser: &mut dyn Chooser, config: &RunConfig) -> Run {
    Interpreter::new(program).run(chooser, config)
}

fn run_machine(
    machine: &mut Machine<'_, &mut dyn Chooser>,
    config: &RunConfig,
    steps: &mut u64,
    mut observer: Option<&mut dyn FnMut(&Snapshot<'_, '_>)>,
) -> Outcome {
    let mut budget = config.budget.clone();
    let mut moves = Vec::new();
    loop {
        if let Err(exhausted) = budget.tick() {
            return Outcome::OutOfBudget(exhausted.into());
        }
        let result = match machine.state.live.as_slice() {
            [] => return Outcome::Exit(0),
            // A single thread has no alternative to its next step, unless it waits.
            &[only] => match make(machine, Move::step(only), steps) {
                Ok(Progress::Blocked) => choose(machine, config, &mut moves, steps),
                result => result,
            },
            _ => choose(machine, config, &mut moves, steps),
        };
        match result {
            Ok(Progress::Moved) => {
                if let Some(observer) = &mut observer
                    && let Some((last, _)) = machine.log.schedule.moves().last()
                {
                    observer(&Snapshot::new(&machine.state, machine.code, last.thread));
                }
            }
            Ok(Progress::Blocked) => return deadlock(machine),
            Err(stop) => return *stop,
        }
    }
}

fn deadlock<C: Chooser>(machine: &mut Machine<'_, C>) -> Outcome {
    let Machine { state, code, layout, scratch, .. } = machine;
    Outcome::Deadlock(state.waiting(code, layout, scratch))
}

/// Makes one of the possible moves; blocked if there is none.
fn choose(
    machine: &mut Machine<'_, &mut dyn Chooser>,
    config: &RunConfig,
    moves: &mut Vec<Move>,
    steps: &mut u64,
) -> Result<Progress, Stop> {
    let Machine { state, code, layout, scratch, .. } = machine;
    state.moves(code, layout, scratch, config.spurious_wakeups, moves);
    let next = match moves.as_slice() {
        [] => return Ok(Progress::Blocked),
        // They come last, so there is nothing else.
        wakeups @ [first, ..] if first.kind == MoveKind::Spurious => {
            match machine.chooser.wake_up(wakeups).and_then(|index| wakeups.get(index)) {
                Some(next) => *next,
                None => return Ok(Progress::Blocked),
            }
        }
        [only] => *only,
        all => all[machine.chooser.next(all).min(all.len() - 1)],
    };
    make(machine, next, steps)
}

/// Makes a move and notes it; one that is blocked did not happen.
fn make(
    machine: &mut Machine<'_, &mut dyn Chooser>,
    next: Move,
    steps: &mut u64,
) -> Result<Progress, Stop> {
    let result = machine.step(next);
    if result != Ok(Progress::Blocked) {
        *steps += 1;
        machine.log.schedule.push_move(next);
        machine.chooser.moved(next);
        if let Some(event) = machine.log.trace.as_ref().and_then(|trace| trace.last()) {
            machine.chooser.traced(event);
        }
    }
    result
}
