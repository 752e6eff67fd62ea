//! What a run leaves behind: its schedule, its output, and the events of its trace.

use ravelin_base::SrcPos;
use ravelin_cfa::{Edge, Proc, Var};

use crate::schedule::{Move, MoveKind, Schedule};
use crate::thread::ThreadId;
use crate::value::Value;

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub thread: ThreadId,
    pub kind: MoveKind,
    pub proc: Proc,
    /// The edge that was taken; none for the return from the end of a procedure.
    pub edge: Option<Edge>,
    pub pos: SrcPos,
    pub writes: Vec<Write>,
}

/// A change of a variable or of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    pub target: WriteTarget,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteTarget {
    Var(Var),
    /// The name of the object and the byte offset in it.
    Memory(Box<str>),
}

#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) schedule: Schedule,
    pub(crate) output: Vec<u8>,
    pub(crate) trace: Option<Vec<Event>>,
    /// The writes of the step that is being made.
    pub(crate) writes: Vec<Write>,
    /// Where the step that is being made began.
    pub(crate) place: Option<(Proc, Option<Edge>, SrcPos)>,
}

impl Log {
    pub(crate) fn is_tracing(&self) -> bool {
        self.trace.is_some()
    }

    pub(crate) fn write(&mut self, target: WriteTarget, value: Value) {
        self.writes.push(Write { target, value });
    }

    /// Ends the event of a step.
    pub(crate) fn end_step(&mut self, next: Move) {
        let writes = std::mem::take(&mut self.writes);
        if let (Some(trace), Some((proc, edge, pos))) = (&mut self.trace, self.place.take()) {
            trace.push(Event { thread: next.thread, kind: next.kind, proc, edge, pos, writes });
        }
    }
}
