//! A counterexample, told, with the command that makes it again.

use ravelin_verifier::Violation;

use crate::args::InputArgs;
use crate::schedule;
use crate::words::ReplayCommand;

/// The trace, and if the execution was found in the source, the command that makes it again.
pub fn text(input: &InputArgs, violation: &Violation) -> String {
    let trace = format!("Counterexample:\n{}", violation.trace);
    match &violation.execution {
        Some((_, run)) => {
            let command = ReplayCommand { input, schedule: &run.schedule };
            format!("{trace}Replay: {command}\n")
        }
        None => trace,
    }
}

/// The contents of a file with the schedule, if the execution was found in the source.
pub fn schedule_file(input: &InputArgs, violation: &Violation) -> Option<String> {
    let (_, run) = violation.execution.as_ref()?;
    Some(schedule::file_text(input, &run.schedule, &violation.outcome))
}
