//! What an exploration finds out.

use std::collections::BTreeSet;
use std::fmt;

use ravelin_base::{Exhausted, SrcPos};
use ravelin_cfa::{ErrorKind, Properties};
use ravelin_interp::Schedule;
use ravelin_por::Doubt;

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ending {
    /// `main` returned or `exit` was called, with this status.
    Exit(i32),
    /// The error call, a failed assertion, or another error that the program was read with.
    Error(ErrorKind),
    /// `abort` was called.
    Abort,
    /// No thread can move.
    Deadlock,
    /// An access to memory that no C program may make.
    InvalidAccess,
    /// A deallocation of what is no live heap object.
    InvalidFree,
    DivisionByZero,
    /// The smallest number divided by -1.
    DivisionOverflow,
    /// Another behaviour that C or POSIX does not define.
    Undefined,
}

impl Ending {
    /// The violation of one of the checked properties that it is, if it is one.
    pub fn violation(self, checked: Properties) -> Option<ErrorKind> {
        let kind = match self {
            Ending::Error(kind) => kind,
            Ending::InvalidAccess => ErrorKind::InvalidAccess,
            Ending::InvalidFree => ErrorKind::InvalidFree,
            Ending::DivisionByZero => ErrorKind::DivisionByZero,
            Ending::DivisionOverflow => ErrorKind::SignedOverflow,
            Ending::Exit(_) | Ending::Abort | Ending::Deadlock | Ending::Undefined => return None,
        };
        checked.contains(kind.property()).then_some(kind)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Exit(status) => write!(f, "exit with status {status}"),
            Ending::Error(_) => f.write_str("error"),
            Ending::Abort => f.write_str("abort"),
            Ending::Deadlock => f.write_str("deadlock"),
            Ending::InvalidAccess => f.write_str("invalid memory access"),
            Ending::InvalidFree => f.write_str("invalid deallocation"),
            Ending::DivisionByZero => f.write_str("division by zero"),
            Ending::DivisionOverflow => f.write_str("division overflow"),
            Ending::Undefined => f.write_str("an operation without meaning"),
        }
    }
}

/// Why an exploration is not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Only some values were tried here, and others might behave otherwise.
    OpenValue(SrcPos),
    /// Memory may have any contents here.
    OpenMemory(SrcPos),
    /// The value of an address matters here.
    Address(SrcPos),
    /// An operation that Ravelin does not model was reached.
    Unsupported {
        what: Box<str>,
        pos: SrcPos,
    },
    /// The explorer does not do this.
    Beyond(&'static str, SrcPos),
    /// What a run does here has no meaning in C or POSIX, and the program might go on.
    Undefined(Ending, SrcPos),
    /// The same, in the automaton's own words.
    Stated {
        what: Box<str>,
        pos: SrcPos,
    },
    /// A proof about the automaton would be none about the program.
    Doubt(Doubt),
    /// There are more states than were asked for.
    TooManyStates(usize),
    /// There are more threads at a time than were asked for.
    TooManyThreads(usize),
    /// The states take more memory than they may.
    Memory,
    Exhausted(Exhausted),
    /// The error found could not be followed again: a mistake of Ravelin's.
    PathLost,
}

impl Reason {
    /// Where it is, if it is one place.
    pub fn pos(&self) -> Option<SrcPos> {
        match self {
            Reason::OpenValue(pos)
            | Reason::OpenMemory(pos)
            | Reason::Address(pos)
            | Reason::Unsupported { pos, .. }
            | Reason::Stated { pos, .. }
            | Reason::Beyond(_, pos)
            | Reason::Undefined(_, pos)
            | Reason::Doubt(Doubt { pos, .. }) => Some(*pos),
            Reason::TooManyStates(_)
            | Reason::TooManyThreads(_)
            | Reason::Memory
            | Reason::Exhausted(_)
            | Reason::PathLost => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::OpenValue(_) => f.write_str("not all values of an input were tried")?,
            Reason::OpenMemory(_) => f.write_str("memory may have any contents")?,
            Reason::Address(_) => f.write_str("the value of an address matters")?,
            Reason::Unsupported { what, .. } => write!(f, "unsupported: {what}")?,
            Reason::Beyond(what, _) => write!(f, "the explorer does not do {what}")?,
            Reason::Stated { what, .. } => write!(f, "undefined behaviour: {what}")?,
            Reason::Undefined(ending, _) => write!(f, "undefined behaviour: {ending}")?,
            Reason::Doubt(Doubt { what, .. }) => f.write_str(what)?,
            Reason::TooManyStates(count) => write!(f, "more than {count} states")?,
            Reason::TooManyThreads(count) => write!(f, "more than {count} threads at a time")?,
            Reason::Memory => f.write_str("memory limit")?,
            Reason::Exhausted(exhausted) => exhausted.fmt(f)?,
            Reason::PathLost => f.write_str("the error found could not be followed again")?,
        }
        match self.pos() {
            Some(pos) if !pos.is_none() => write!(f, " at line {}", pos.line),
            Some(_) | None => Ok(()),
        }
    }
}

/// What an exploration answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// An error can be reached; the schedule leads there in the interpreter.
    Error { kind: ErrorKind, pos: SrcPos, schedule: Schedule },
    /// All states were visited, in none of them is an error, and no run came to what C leaves undefined.
    Complete,
    /// No error was found, but there may be one.
    Incomplete(Reason),
}

/// The result of an exploration.
#[derive(Clone, Debug)]
pub struct Exploration {
    pub answer: Answer,
    /// What was left out of the runs of the automaton, whatever the answer.
    pub left_out: Option<Reason>,
    /// How the runs end that were found. If all were asked for and nothing was left out, these are all
    /// there are.
    pub endings: BTreeSet<Ending>,
    /// How many states were stored.
    pub states: usize,
    /// How many steps were made.
    pub transitions: u64,
    /// How many bytes the stored states take.
    pub bytes: usize,
    /// Whether runs took values that the program leaves open.
    pub has_inputs: bool,
    /// Whether some would have had more threads at a time than were asked for.
    pub has_more_threads: bool,
}

impl Exploration {
    pub fn bytes_per_state(&self) -> f64 {
        self.bytes as f64 / self.states.max(1) as f64
    }
}
