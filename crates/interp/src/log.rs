//! What a run leaves behind: its schedule, its output, and the events of its trace.

use ravelin_base::SrcPos;
use ravelin_cfa::{Edge, Object, Proc, SyncOp, Var};

use crate::chooser::{CHANGED_MEMORY, ValueRequest};
use crate::observe::ObservedObject;
use crate::schedule::{Move, MoveKind, Schedule};
use crate::thread::ThreadId;
use crate::value::{ObjectRef, Value};

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub thread: ThreadId,
    pub kind: MoveKind,
    pub proc: Proc,
    /// The edge that was taken; none for the return from the end of a procedure.
    pub edge: Option<Edge>,
    pub pos: SrcPos,
    pub writes: Box<[Write]>,
    /// What the environment chose in the step, in the order of the schedule's values.
    pub choices: Box<[EnvironmentChoice]>,
    /// What the step did to things beyond its frame, in order; of programs that start threads, or if asked for.
    pub accesses: Box<[Access]>,
    /// What begins with the step, if anything does; recorded where accesses are.
    pub begins: Option<Box<Begins>>,
}

/// A choice of the environment: what a schedule has beside the moves of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnvironmentChoice {
    /// A value that the program leaves open.
    Value { request: ValueRequest, value: i128 },
    /// Which of several threads a signal wakes or a barrier prefers, by its index.
    Pick(usize),
    /// A function without body changed the memory that it can reach.
    ChangedMemory,
}

impl EnvironmentChoice {
    /// The value that schedules have for it.
    pub fn scheduled(self) -> i128 {
        match self {
            EnvironmentChoice::Value { value, .. } => value,
            EnvironmentChoice::Pick(index) => index as i128,
            EnvironmentChoice::ChangedMemory => CHANGED_MEMORY,
        }
    }
}

/// What begins with a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Begins {
    /// The parameters of the frame that the step makes, its own or that of a thread that it starts.
    pub params: Vec<Write>,
    /// The local objects.
    pub objects: Vec<(Object, ObjectRef)>,
}

/// An action of a step that other threads may notice, or that depends on what they did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    pub action: Action,
    pub pos: SrcPos,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    ReadVar {
        var: Var,
        value: Value,
    },
    WriteVar {
        var: Var,
        value: Value,
    },
    /// Without a value where bytes are copied, set or freed by the dozen.
    ReadMemory {
        cell: Cell,
        length: u64,
        value: Option<Value>,
    },
    WriteMemory {
        cell: Cell,
        length: u64,
        value: Option<Value>,
    },
    Start {
        thread: ThreadId,
        routine: Proc,
    },
    Join {
        thread: ThreadId,
    },
    /// The thread came to its end.
    End,
    AtomicBegin,
    AtomicEnd,
    Sync(SyncAction),
}

/// An operation on a synchronisation object. A wait on a condition variable is three: an unlock of the
/// mutex, the wait, and when it is over, a lock of the mutex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncAction {
    pub op: SyncOp,
    pub object: Cell,
    /// What it returns; nothing if the thread waits now.
    pub result: Option<i32>,
    /// Who holds the lock after it.
    pub holders: Vec<ThreadId>,
    /// Whose waits it ended.
    pub woken: Vec<ThreadId>,
}

/// Where in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// Tells instances of the same origin apart.
    pub instance: ObjectRef,
    /// Nothing where the pointer leads to no object.
    pub object: Option<ObservedObject>,
    pub offset: u64,
}

/// A choice between threads, and where the schedule has it.
#[derive(Clone, Debug)]
pub(crate) struct Picked {
    /// The index into the values of the schedule.
    pub(crate) at: usize,
    pub(crate) among: Vec<ThreadId>,
}

/// A change of a variable or of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    pub target: WriteTarget,
    pub value: Value,
    /// What a pointer leads to.
    pub object: Option<ObservedObject>,
    /// Where in memory it is, if it is there.
    pub cell: Option<Box<Cell>>,
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
    pub(crate) accesses: Vec<Access>,
    pub(crate) choices: Vec<EnvironmentChoice>,
    pub(crate) begins: Option<Box<Begins>>,
    /// Whether accesses are recorded.
    pub(crate) notes_accesses: bool,
    /// The choices between threads of the step that is being made.
    pub(crate) picks: Vec<Picked>,
    /// Where the step that is being made began.
    pub(crate) place: Option<(Proc, Option<Edge>, SrcPos)>,
}

impl Log {
    pub(crate) fn is_tracing(&self) -> bool {
        self.trace.is_some()
    }

    pub(crate) fn write(&mut self, write: Write) {
        self.writes.push(write);
    }

    /// Notes a choice in the schedule, and for the event of the step. A step that drew a value counts as made, so none
    /// of its choices is left for another step.
    pub(crate) fn choose(&mut self, choice: EnvironmentChoice) {
        self.schedule.push_value(choice.scheduled());
        if self.is_tracing() {
            self.choices.push(choice);
        }
    }

    /// Notes what the step does. A term may read a variable many times, but does so once.
    pub(crate) fn access(&mut self, action: Action, pos: SrcPos) {
        let access = Access { action, pos };
        if self.accesses.last() != Some(&access) {
            self.accesses.push(access);
        }
    }

    /// What begins with the step that is being made.
    pub(crate) fn begins(&mut self) -> &mut Begins {
        self.begins.get_or_insert_default()
    }

    /// Forgets what a step did that did not happen after all.
    pub(crate) fn clear_step(&mut self) {
        self.accesses.clear();
        self.begins = None;
    }

    /// Ends the event of a step.
    pub(crate) fn end_step(&mut self, next: Move) {
        // The buffers stay: events take no more memory than what they hold.
        let writes = self.writes.drain(..).collect();
        let accesses = self.accesses.drain(..).collect();
        let choices = self.choices.drain(..).collect();
        let begins = self.begins.take();
        if let (Some(trace), Some((proc, edge, pos))) = (&mut self.trace, self.place.take()) {
            let Move { thread, kind } = next;
            trace.push(Event { thread, kind, proc, edge, pos, writes, choices, accesses, begins });
        }
    }
}
