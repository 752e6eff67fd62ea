//! An execution to the error, as it stands in the source: found there, and told.

use ravelin_base::Budget;
use ravelin_cfa::{Program, Property};
use ravelin_evidence::story::{self, Files};
use ravelin_evidence::{Replayed, replay_in_source, trace};
use ravelin_explore::Reduction;
use ravelin_interp::Run;
use ravelin_por::ProgramFacts;
use ravelin_report::model::Trace;

use crate::explicit_state::{Explorer, Found, MAX_TOLD_STEPS};
use crate::front::SourceProgram;
use crate::input::Input;
use crate::limits::Limits;
use crate::obstacle::Met;
use crate::{Event, Listener};

/// An execution that violates the property, seen in the interpreter.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What it violates.
    pub property: Property,
    /// How it ends: which error is reached where.
    pub outcome: String,
    /// The lines of source that it passes, what it takes from outside and what changes; a column for each thread
    /// if there are several.
    pub trace: String,
    /// The execution in the program as it stands in the source, and that program; none if it could not be found
    /// there, or is too long to be told.
    pub execution: Option<(Program, Run)>,
}

/// An execution step by step.
#[derive(Clone, Debug)]
pub struct Story {
    /// Threads, and what each step does: places, values, pointers and locks.
    pub trace: Trace,
    /// The source files; positions have their places in this list.
    pub files: Vec<String>,
}

impl Violation {
    /// The execution step by step, with the lines of source. None if there is none to tell.
    pub fn story(&self, input: &Input, budget: Budget) -> Option<Story> {
        let (program, run) = self.execution.as_ref()?;
        let (mut files, lines) = (Files::default(), input.source_lines());
        let mut trace = story::tell(program, &run.schedule, &mut files, budget);
        let files = files.names;
        for step in &mut trace.steps {
            let line = step.at.and_then(|at| lines.line(&files[at.file], at.line));
            step.text = match line {
                Some(line) => line.trim().to_owned(),
                None => format!("in {}", step.function),
            };
        }
        Some(Story { trace, files })
    }

    /// Tells the execution of `program` that reached the error. People know the program as it stands in the
    /// source, and there it is looked for.
    pub(crate) fn tell(
        (input, source): (&Input, &SourceProgram),
        program: &Program,
        replayed: &Replayed,
        reductions: &[Reduction],
        budget: Budget,
        listener: &dyn Listener,
    ) -> Violation {
        let (lines, steps) = (input.source_lines(), replayed.run.steps);
        let told = |program: &Program, run: &Run| {
            let line = |file: &str, line: u32| lines.line(file, line);
            trace::render(program, run, &line, listener.trace_width())
        };
        let outcome = replayed.run.outcome.display(program).to_string();
        let property = replayed.error.property();
        if steps > MAX_TOLD_STEPS {
            let trace = format!("  … {steps} steps …\n  {outcome}\n");
            return Violation { property, outcome, trace, execution: None };
        }
        match in_source(source, program, replayed, reductions, budget, listener) {
            Ok((source, Replayed { run, error })) => {
                let (property, outcome) =
                    (error.property(), run.outcome.display(&source).to_string());
                let trace = told(&source, &run);
                Violation { property, outcome, trace, execution: Some((source, run)) }
            }
            Err(message) => {
                listener.hear(&Event::Warning(&message));
                let trace = told(program, &replayed.run);
                Violation { property, outcome, trace, execution: None }
            }
        }
    }
}

/// States of the exploration for an execution in the source, with each reduction.
const SOURCE_STATES: usize = 20_000;

/// An execution to the error in the program as it stands in the source.
fn in_source(
    source: &SourceProgram,
    program: &Program,
    replayed: &Replayed,
    reductions: &[Reduction],
    budget: Budget,
    listener: &dyn Listener,
) -> Result<(Program, Replayed), String> {
    let source = source.with_steps().map_err(|error| error.to_string())?;
    match replay_in_source(&source, program, &replayed.run, budget.clone()) {
        Ok(replayed) => Ok((source, replayed)),
        // Another way to the error is as good.
        Err(diverged) if program.is_concurrent() => {
            let (limits, met) = (Limits::default(), &Met::default());
            let facts = &ProgramFacts::new(&source, budget.clone());
            let explorer = Explorer { facts, limits, listener, met };
            match explorer.first_look(SOURCE_STATES, reductions, &budget) {
                Some(Found::Error(replayed)) => Ok((source, replayed)),
                Some(Found::Nothing { .. }) | None => Err(diverged),
            }
        }
        Err(diverged) => Err(diverged),
    }
    .map_err(|diverged| format!("in the source, {diverged}"))
}
