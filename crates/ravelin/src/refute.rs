//! An execution to the error: told, and written down to be made again.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;

use ravelin_base::Budget;
use ravelin_cfa::Program;
use ravelin_cfa::passes::PassConfig;
use ravelin_evidence::{Replayed, replay_in_source, trace};
use ravelin_explore::Reduction;
use ravelin_interp::Run;

use crate::args::InputArgs;
use crate::hunt::{self, Found};
use crate::words::ReplayCommand;
use crate::{front, run, schedule};

/// What is told of an execution.
#[derive(Clone, Debug)]
pub struct Told {
    /// The trace, and the command that makes it again.
    pub text: String,
    /// The contents of a file with its schedule, where it was found in the source.
    pub schedule_file: Option<String>,
    /// The execution, and the program it is one of.
    pub execution: Option<(Program, Run)>,
}

/// Tells the execution of `program` that reached the error. People know the program as it stands in the
/// source, and so does `ravelin run`: there it is looked for.
pub fn tell(
    input: &InputArgs,
    program: &Program,
    replayed: &Replayed,
    reductions: &[Reduction],
    budget: Budget,
) -> Told {
    let sources = Sources::default();
    let source_line = |file: &str, line: u32| sources.line(file, line);
    let told = |program: &Program, run: &Run| {
        format!("Counterexample:\n{}", trace::render(program, run, &source_line))
    };
    let steps = replayed.run.steps;
    if steps > hunt::MAX_TOLD_STEPS {
        let outcome = replayed.run.outcome.display(program);
        let text = format!("Counterexample:\n  … {steps} steps …\n  {outcome}\n");
        return Told { text, schedule_file: None, execution: None };
    }
    match in_source(input, program, replayed, reductions, budget) {
        Ok((source, Replayed { run })) => {
            let schedule = &run.schedule;
            let command = ReplayCommand { input, schedule };
            let outcome = run.outcome.display(&source).to_string();
            Told {
                text: format!("{}Replay: {command}\n", told(&source, &run)),
                schedule_file: Some(schedule::file_text(input, schedule, &outcome)),
                execution: Some((source, run)),
            }
        }
        Err(message) => {
            crate::log(&message);
            Told { text: told(program, &replayed.run), schedule_file: None, execution: None }
        }
    }
}

/// An execution to the error in the program as it stands in the source.
fn in_source(
    input: &InputArgs,
    program: &Program,
    replayed: &Replayed,
    reductions: &[Reduction],
    budget: Budget,
) -> Result<(Program, Replayed), String> {
    let source = front::build_again(input, run::PASSES, &PassConfig::default());
    let source = source.map_err(|failure| failure.message)?.program;
    match replay_in_source(&source, program, &replayed.run, budget.clone()) {
        Ok(replayed) => Ok((source, replayed)),
        // Another way to the error is as good.
        Err(diverged) if program.is_concurrent() => {
            match hunt::first_look(&source, reductions, &budget) {
                Some(Found::Error(replayed)) => Ok((source, replayed)),
                Some(Found::Nothing { .. }) | None => Err(diverged),
            }
        }
        Err(diverged) => Err(diverged),
    }
    .map_err(|diverged| format!("ravelin: in the source, {diverged}\n"))
}

/// The texts of source files, as far as they can be read.
#[derive(Debug, Default)]
pub struct Sources {
    files: RefCell<HashMap<String, Option<Vec<String>>>>,
}

impl Sources {
    pub fn line(&self, file: &str, line: u32) -> Option<String> {
        let mut files = self.files.borrow_mut();
        let lines = files.entry(file.to_owned()).or_insert_with(|| {
            let text = fs::read(file).ok()?;
            Some(String::from_utf8_lossy(&text).lines().map(str::to_owned).collect())
        });
        lines.as_ref()?.get((line as usize).checked_sub(1)?).cloned()
    }
}
