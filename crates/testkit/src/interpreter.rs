//! Ravelin's front end, passes and interpreter as the subject of a comparison.

use crate::differential::{Refusal, Task};
use crate::gcc::Execution;
use ravelin_base::Budget;
use ravelin_base::diagnostic::render;
use ravelin_cfa::Program;
use ravelin_cfa::passes::{self, PassConfig};
use ravelin_frontend::source::{SourceOptions, with_deep_stack};
use ravelin_interp::{Outcome, RandomChooser, RunConfig};
use std::any::Any;
use std::panic::catch_unwind;
use std::time::Duration;

/// What Ravelin does between the front end and the interpreter.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// The names of the passes to run.
    pub passes: Vec<&'static str>,
    /// How long the interpreter may take.
    pub time_limit: Duration,
}

impl Pipeline {
    /// The automaton as the front end makes it.
    pub fn plain() -> Pipeline {
        Pipeline { passes: Vec::new(), time_limit: Duration::from_secs(20) }
    }

    /// The automaton after the passes that run by default.
    pub fn with_default_passes() -> Pipeline {
        Pipeline { passes: passes::DEFAULT.to_vec(), ..Pipeline::plain() }
    }

    /// Executes a deterministic program.
    pub fn run(&self, task: Task<'_>) -> Result<Execution, Refusal> {
        // A panic is a defect to be reported with the program that shows it.
        with_deep_stack(|| catch_unwind(|| self.run_here(task)).unwrap_or_else(panicked))
            .unwrap_or_else(|error| Err(Refusal::Exhausted(error.to_string())))
    }

    /// Executes a deterministic program as the front end made it and after the default passes,
    /// which must not change what it does.
    pub fn run_with_and_without_passes(task: Task<'_>) -> Result<Execution, Refusal> {
        let plain = Pipeline::plain().run(task)?;
        match Pipeline::with_default_passes().run(task) {
            Ok(after) if after == plain => Ok(plain),
            Ok(after) => Err(Refusal::Stopped(format!(
                "the passes change the run: exit {}, output {:?}",
                after.status,
                String::from_utf8_lossy(&after.stdout)
            ))),
            Err(Refusal::Stopped(message)) => {
                Err(Refusal::Stopped(format!("after the passes: {message}")))
            }
            Err(exhausted) => Err(exhausted),
        }
    }

    fn run_here(&self, task: Task<'_>) -> Result<Execution, Refusal> {
        let options = SourceOptions {
            include_dirs: task.include_dirs.to_vec(),
            data_model: task.model,
            ..SourceOptions::default()
        };
        let mut program = ravelin_frontend::build(&[task.path.to_owned()], &options)
            .map_err(|diagnostics| Refusal::Stopped(render(&diagnostics)))?
            .program;
        passes::run(&mut program, &self.passes, &PassConfig::default())
            .map_err(|error| Refusal::Stopped(error.to_string()))?;
        self.interpret(&program)
    }

    fn interpret(&self, program: &Program) -> Result<Execution, Refusal> {
        let config = RunConfig {
            budget: Budget::unlimited().with_timeout(self.time_limit),
            ..RunConfig::default()
        };
        // The programs are sequential and read no input: every seed gives the same run.
        let run = ravelin_interp::run(program, &mut RandomChooser::new(0), &config);
        match run.outcome {
            // Only the low eight bits reach the parent process.
            Outcome::Exit(status) => Ok(Execution { stdout: run.output, status: status & 0xff }),
            Outcome::OutOfBudget(_) => {
                Err(Refusal::Exhausted(run.outcome.display(program).to_string()))
            }
            Outcome::Error { .. }
            | Outcome::Aborted { .. }
            | Outcome::AssumeViolated { .. }
            | Outcome::Deadlock(_)
            | Outcome::InvalidMemory { .. }
            | Outcome::Leak { .. }
            | Outcome::Race(_)
            | Outcome::Undefined { .. }
            | Outcome::Unsupported { .. } => {
                let mut message = run.outcome.display(program).to_string();
                if !run.output.is_empty() {
                    message.push_str("\nafter printing ");
                    message.push_str(&format!("{:?}", String::from_utf8_lossy(&run.output)));
                }
                Err(Refusal::Stopped(message))
            }
        }
    }
}

fn panicked(payload: Box<dyn Any + Send>) -> Result<Execution, Refusal> {
    let message = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("of an unknown kind");
    Err(Refusal::Stopped(format!("panic: {message}")))
}
