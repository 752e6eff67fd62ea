//! The record of an execution. Traces, reports, witnesses and harnesses are views of it.

use ravelin_cfa::Program;
use ravelin_interp::{Event, Outcome, Run, Schedule, ThreadId};

/// An execution that the interpreter ran once, and recorded. No view of it runs the interpreter again.
///
/// [`record_in_source`](crate::record_in_source) records every access. The interpreter records them unasked in programs
/// that start threads; without them, an execution of one thread still has its text trace.
#[derive(Clone, Debug)]
pub struct Execution {
    pub program: Program,
    /// Makes the interpreter repeat the execution.
    pub schedule: Schedule,
    /// Every step: its thread, edge and position, what it reads and writes, how it synchronises, and what the
    /// environment chooses in it.
    pub events: Vec<Event>,
    /// How the execution ends.
    pub outcome: Outcome,
}

impl Execution {
    /// A run of `program` that recorded its trace.
    pub fn new(program: Program, run: Run) -> Execution {
        let Run { outcome, schedule, trace: events, output: _, steps: _ } = run;
        Execution { program, schedule, events, outcome }
    }

    /// Whether any thread but main moves.
    pub(crate) fn has_several_threads(&self) -> bool {
        self.events.iter().any(|event| event.thread != ThreadId::MAIN)
    }
}
