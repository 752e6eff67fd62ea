//! Confirms a claimed execution: runs it in the automaton that was analysed, and judges how it ends.

use ravelin_analysis::verdict::{Counterexample, Input, InputOrigin, InputValue, Unconfirmed};
use ravelin_base::Budget;
use ravelin_cfa::{ErrorKind, Program, Reason};
use ravelin_interp::{
    Chooser, Interpreter, Move, MoveKind, Outcome, Pick, Run, RunConfig, ThreadId, ValueOrigin,
    ValueRequest, environment_pointer,
};

/// A claimed execution that reached the error.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// With its trace.
    pub run: Run,
    pub error: ErrorKind,
}

/// Runs `program` with the inputs and the schedule of a counterexample of it.
pub fn replay(
    program: &Program,
    counterexample: &Counterexample,
    budget: Budget,
) -> Result<Replayed, Unconfirmed> {
    let mut chooser = Scripted {
        inputs: counterexample.inputs.iter(),
        off_script: false,
        schedule: &counterexample.schedule,
        is_concurrent: program.is_concurrent(),
    };
    let budget = match program.is_concurrent() {
        // Before each step, a thread may have to wake up.
        true => budget.shorter(2 * counterexample.schedule.len() as u64 + GRACE),
        false => budget,
    };
    run(program, &mut chooser, budget)
}

/// The error must happen within this many steps after the end of the schedule: threads that start threads without end
/// would go on, ever slower.
const GRACE: u64 = 1_000;

fn run(
    program: &Program,
    chooser: &mut dyn Chooser,
    budget: Budget,
) -> Result<Replayed, Unconfirmed> {
    let spurious_wakeups = program.is_concurrent();
    let config = RunConfig { budget, trace: true, spurious_wakeups, ..RunConfig::default() };
    judged(program, Interpreter::new(program).run(chooser, &config))
}

/// A run, if it ended with the error.
pub(crate) fn judged(program: &Program, run: Run) -> Result<Replayed, Unconfirmed> {
    if let Some(error) = run.outcome.violation(program.checked) {
        return Ok(Replayed { run, error });
    }
    let reason = match &run.outcome {
        Outcome::InvalidMemory { access, pos } => {
            Reason::undefined(program, format!("invalid memory: {}", access.display(program)), *pos)
        }
        Outcome::Undefined { what, pos } => {
            Reason::undefined(program, what.display(program).to_string(), *pos)
        }
        Outcome::Unsupported { what, pos } => Reason::unsupported(program, &**what, *pos),
        // An error of a property that is not checked ends an execution as 'abort' does.
        Outcome::Exit(_)
        | Outcome::Error { .. }
        | Outcome::Leak { .. }
        | Outcome::Race(_)
        | Outcome::Aborted { .. }
        | Outcome::AssumeViolated { .. }
        | Outcome::Deadlock(_)
        | Outcome::OutOfBudget(_) => Reason::Diverged(None),
    };
    Err(Unconfirmed { outcome: run.outcome.display(program).to_string(), reason })
}

fn bits(value: InputValue) -> i128 {
    match value {
        InputValue::Bits(bits) => bits as i128,
        // Only the interpreter knows the addresses of objects. Most programs only compare such a pointer with NULL:
        // an address in no object, the same for the same pointer, suffices.
        InputValue::Environment { number, offset } => environment_pointer(number, offset),
        InputValue::Pointer(pointer) => 16 * (1 + i128::from(pointer.as_u32() % 4_000)),
    }
}

/// The origin that a request asks for, if counterexamples have inputs of that origin.
fn origin_of(request: &ValueRequest) -> Option<InputOrigin> {
    match request.origin {
        ValueOrigin::Havoc(kind) => Some(InputOrigin::Havoc(kind)),
        ValueOrigin::Memory => Some(InputOrigin::Memory),
        ValueOrigin::Variable(_) => None,
    }
}

/// Gives the inputs of a counterexample in order, and zero for everything else.
struct Scripted<'a> {
    inputs: std::slice::Iter<'a, Input>,
    /// Whether the program asked for something else than the next input: from there on, all inputs are zero.
    off_script: bool,
    /// The threads that make the next steps.
    schedule: &'a [u32],
    is_concurrent: bool,
}

impl Scripted<'_> {
    /// The move of the thread whose turn it is. It may have to wake up first.
    fn turn(&self, moves: &[Move]) -> Option<usize> {
        let thread = ThreadId(*self.schedule.first()?);
        moves.iter().position(|next| next.thread == thread)
    }
}

impl Chooser for Scripted<'_> {
    fn next(&mut self, moves: &[Move]) -> usize {
        self.turn(moves).unwrap_or(0)
    }

    fn wake_up(&mut self, wakeups: &[Move]) -> Option<usize> {
        self.turn(wakeups)
    }

    fn moved(&mut self, next: Move) {
        // A wake-up without a signal is not a step of its own.
        if self.is_concurrent && next.kind != MoveKind::Spurious {
            self.schedule = self.schedule.get(1..).unwrap_or_default();
        }
    }

    fn value(&mut self, request: &ValueRequest) -> i128 {
        let Some(origin) = origin_of(request) else {
            return 0;
        };
        if self.off_script {
            return 0;
        }
        match self.inputs.next() {
            Some(input) if input.origin == origin && input.sort == request.sort => {
                bits(input.value)
            }
            _ => {
                self.off_script = true;
                0
            }
        }
    }

    fn pick(&mut self, _: Pick, _: usize) -> usize {
        0
    }

    fn changes_memory(&mut self) -> bool {
        // The inputs have the values that are read there afterwards.
        true
    }
}
