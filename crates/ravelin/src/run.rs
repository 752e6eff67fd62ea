//! `ravelin run`: executes the program once.

use std::fmt::{self, Write as _};
use std::io::{self, Write};
use std::time::{Duration, Instant};

use ravelin_base::Budget;
use ravelin_cfa::passes::PassConfig;
use ravelin_cfa::{Program, print};
use ravelin_interp::{
    Event, Interpreter, MoveKind, Outcome, RandomChooser, Replay, Run, RunConfig, Schedule,
    WriteTarget,
};
use ravelin_verifier::front::SOURCE_PASSES;
use ravelin_verifier::limits::Limits;
use ravelin_verifier::panics;

use crate::args::RunArgs;
use crate::exit::Exit;
use crate::front::{self, Failure};
use crate::output::{Sink, write_to};
use crate::schedule;
use crate::watchdog::Watchdog;
use crate::words::ReplayCommand;

/// The interpreter checks the time itself and then prints how far it got; the watchdog must leave
/// it the time to do so.
const GRACE: Duration = Duration::from_secs(1);

pub fn run(args: &RunArgs) -> Exit {
    let limits = args.limits.starting_now();
    let late = Limits { deadline: limits.deadline.map(|deadline| deadline + GRACE), ..limits };
    let watchdog = Watchdog::start(late, |reached| {
        let line = format!("Outcome: out of budget: {}\n", reached.reason());
        // The process ends here; a failure has no further consequence.
        let _ = write_to(&Sink::Stdout, |output| output.write_all(line.as_bytes()));
        Exit::Unknown
    });
    match panics::catch(|| run_and_print(args, limits, &watchdog)) {
        Ok(Ok(exit)) => exit,
        Ok(Err(failure)) => {
            watchdog.claim_last_word();
            crate::log(&failure.message);
            failure.exit
        }
        Err(panics::Panicked) => Exit::Internal,
    }
}

fn run_and_print(args: &RunArgs, limits: Limits, watchdog: &Watchdog) -> Result<Exit, Failure> {
    let schedule = args.schedule.as_deref().map(schedule::read).transpose()?;
    let program = front::build(&args.input, SOURCE_PASSES, &PassConfig::default())?.program;
    let run = execute(&program, args, limits, schedule)?;
    watchdog.claim_last_word();
    if args.trace {
        crate::log(&render_trace(&program, &run.trace));
    }
    write_to(&Sink::Stdout, |output| print_run(output, args, &program, &run))
        .map_err(|message| Failure::new(Exit::Output, message))?;
    Ok(exit_of(&program, &run.outcome))
}

fn execute(
    program: &Program,
    args: &RunArgs,
    limits: Limits,
    schedule: Option<Schedule>,
) -> Result<Run, Failure> {
    let mut budget = Budget::unlimited().with_steps(args.max_steps);
    if let Some(deadline) = limits.deadline {
        budget = budget.with_timeout(deadline.saturating_duration_since(Instant::now()));
    }
    let mut config = RunConfig { budget, trace: args.trace, ..RunConfig::default() };
    if let Some(megabytes) = limits.memory_megabytes {
        config.max_memory = config.max_memory.min(megabytes.saturating_mul(1 << 20));
    }
    let interpreter = Interpreter::new(program);
    let Some(schedule) = schedule else {
        return Ok(interpreter.run(&mut RandomChooser::new(args.seed), &config));
    };
    let mut replay = Replay::new(schedule);
    let run = interpreter.run(&mut replay, &config);
    let cut_short = matches!(run.outcome, Outcome::OutOfBudget(_));
    if replay.diverged() || !replay.is_finished() && !cut_short {
        let message = "the program cannot follow this schedule, which is that of another program, \
                       of another version of it, or of other options";
        return Err(Failure::new(Exit::Rejected, message));
    }
    Ok(run)
}

fn exit_of(program: &Program, outcome: &Outcome) -> Exit {
    if outcome.violation(program.checked).is_some() {
        return Exit::Violation;
    }
    match outcome {
        Outcome::Exit(_) => Exit::Ok,
        Outcome::Error { .. }
        | Outcome::Aborted { .. }
        | Outcome::AssumeViolated { .. }
        | Outcome::Deadlock(_)
        | Outcome::InvalidMemory { .. }
        | Outcome::Leak { .. }
        | Outcome::Race(_)
        | Outcome::Undefined { .. }
        | Outcome::Unsupported { .. }
        | Outcome::OutOfBudget(_) => Exit::Unknown,
    }
}

/// The output of the program, then lines that begin with a key.
fn print_run(
    output: &mut dyn Write,
    args: &RunArgs,
    program: &Program,
    run: &Run,
) -> io::Result<()> {
    output.write_all(&run.output)?;
    if run.output.last().is_some_and(|&last| last != b'\n') {
        writeln!(output)?;
    }
    writeln!(output, "Outcome: {}", run.outcome.display(program))?;
    writeln!(output, "Steps: {}", run.steps)?;
    writeln!(output, "Schedule: {}", run.schedule)?;
    let (input, schedule) = (&args.input, &run.schedule);
    writeln!(output, "Replay: {}", ReplayCommand { input, schedule })
}

/// A line per step: thread, position, procedure, operations, and written values.
fn render_trace(program: &Program, events: &[Event]) -> String {
    let mut out = String::new();
    for event in events {
        // Writing to a string cannot fail.
        let _ = write_event(&mut out, program, event);
    }
    out
}

fn write_event(out: &mut String, program: &Program, event: &Event) -> fmt::Result {
    let procedure = &program.procs[event.proc];
    write!(out, "{} ", event.thread)?;
    if !event.pos.is_none() {
        write!(out, "{} ", print::position(program, event.pos))?;
    }
    write!(out, "{}:", program.name(procedure.name))?;
    match event.kind {
        MoveKind::Step => {}
        MoveKind::Timeout => write!(out, " timeout of")?,
        MoveKind::Spurious => write!(out, " spurious wake-up of")?,
    }
    match event.edge {
        Some(edge) => {
            for label in &procedure.edges[edge].labels {
                write!(out, " {}", print::op(program, &label.op))?;
            }
        }
        None => write!(out, " end")?,
    }
    for (index, write) in event.writes.iter().enumerate() {
        let separator = if index == 0 { " // " } else { ", " };
        match &write.target {
            WriteTarget::Var(var) => {
                let name = program.name(program.vars[*var].name);
                write!(out, "{separator}{name} = {}", write.value)?;
            }
            WriteTarget::Memory(place) => write!(out, "{separator}{place} = {}", write.value)?,
        }
    }
    writeln!(out)
}
