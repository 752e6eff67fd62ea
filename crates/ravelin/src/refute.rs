//! The text of a counterexample, with the command that replays it.

use ravelin_verifier::Violation;

use crate::args::InputArgs;
use crate::schedule;
use crate::words::ReplayCommand;

/// The trace, and the command that replays the execution, if it was found in the source.
pub fn text(input: &InputArgs, violation: &Violation) -> String {
    let trace = format!("Counterexample:\n{}", violation.trace);
    match &violation.execution {
        Some(execution) => {
            let command = ReplayCommand { input, schedule: &execution.schedule };
            format!("{trace}Replay: {command}\n")
        }
        None => trace,
    }
}

/// The contents of a file with the schedule, if the execution was found in the source.
pub fn schedule_file(input: &InputArgs, violation: &Violation) -> Option<String> {
    let execution = violation.execution.as_ref()?;
    Some(schedule::file_text(input, &execution.schedule, &violation.outcome))
}
