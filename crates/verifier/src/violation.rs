//! An execution to the error: recorded in the program as it stands in the source, and its traces.

use std::sync::Arc;

use ravelin_base::Budget;
use ravelin_cfa::{Program, Property};
use ravelin_evidence::step_trace::{Files, step_trace};
use ravelin_evidence::{Execution, Replayed, record_in_source, trace};
use ravelin_explore::Reduction;
use ravelin_por::ProgramFacts;
use ravelin_report::model::Trace;

use crate::explicit_state::{Explorer, Found, MAX_TOLD_STEPS};
use crate::front::SourceProgram;
use crate::input::Input;
use crate::limits::Limits;
use crate::obstacle::Met;
use crate::{Event, Listener};

/// An execution that violates the property, confirmed by the interpreter.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The property that it violates.
    pub property: Property,
    /// How it ends: the error, and its position.
    pub outcome: String,
    /// The lines of source that it passes, its inputs, and the variables that change; a column for each thread if there
    /// are several.
    pub trace: String,
    /// The execution in the program as it stands in the source; none if it was not found there, or is too long to be
    /// recorded.
    pub execution: Option<Arc<Execution>>,
}

/// The trace of an execution, step by step.
#[derive(Clone, Debug)]
pub struct StepTrace {
    /// The threads, and the places, values, pointers and locks of each step.
    pub trace: Trace,
    /// The source files; positions are indices into this list.
    pub files: Vec<String>,
}

impl Violation {
    /// The steps of the recorded execution, with the lines of source. None if there is no record.
    pub fn step_trace(&self, input: &Input) -> Option<StepTrace> {
        let execution = self.execution.as_ref()?;
        let (mut files, lines) = (Files::default(), input.source_lines());
        let mut trace = step_trace(execution, &mut files);
        let files = files.names;
        for step in &mut trace.steps {
            let line = step.at.and_then(|at| lines.line(&files[at.file], at.line));
            step.text = match line {
                Some(line) => line.trim().to_owned(),
                None => format!("in {}", step.function),
            };
        }
        Some(StepTrace { trace, files })
    }

    /// Records the execution of `program` that reached the error, in the program as it stands in the source: people
    /// know that one.
    pub(crate) fn record(
        (input, source): (&Input, &SourceProgram),
        program: &Program,
        replayed: Replayed,
        reductions: &[Reduction],
        budget: Budget,
        listener: &dyn Listener,
    ) -> Violation {
        let (lines, steps) = (input.source_lines(), replayed.run.steps);
        let text = |execution: &Execution| {
            let line = |file: &str, line: u32| lines.line(file, line);
            trace::render(execution, &line, listener.trace_width())
        };
        let outcome = replayed.run.outcome.display(program).to_string();
        let property = replayed.error.property();
        if steps > MAX_TOLD_STEPS {
            let trace = format!("  … {steps} steps …\n  {outcome}\n");
            return Violation { property, outcome, trace, execution: None };
        }
        match in_source(source, program, &replayed, reductions, budget, listener) {
            Ok((source, Replayed { run, error })) => {
                let execution = Execution::new(source, run);
                let outcome = execution.outcome.display(&execution.program).to_string();
                let (property, trace) = (error.property(), text(&execution));
                Violation { property, outcome, trace, execution: Some(Arc::new(execution)) }
            }
            Err(message) => {
                listener.hear(&Event::Warning(&message));
                let trace = text(&Execution::new(program.clone(), replayed.run));
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
    match record_in_source(&source, program, &replayed.run, budget.clone()) {
        Ok(replayed) => Ok((source, replayed)),
        // Another execution to the error serves as well. The source has threads, so the explorer's replay records every
        // access.
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
