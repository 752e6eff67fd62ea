//! How a run ends.

use std::cmp::Ordering;
use std::fmt;

use ravelin_base::{Exhausted, SrcPos, Symbol};
use ravelin_cfa::{ErrorKind, Program, Properties};
use ravelin_posix::Misuse;

use crate::fault::InvalidAccess;
use crate::leaks::Leak;
use crate::races::Race;
use crate::thread::ThreadId;

/// The end of a run. [`Outcome::display`] says it in words, with names and positions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// `main` returned or `exit` was called, with this status.
    Exit(i32),
    /// A violation of a property that the automaton states: an error call, a failed assertion, an overflow.
    Error { kind: ErrorKind, pos: SrcPos },
    /// `abort` was called.
    Aborted { pos: SrcPos },
    /// An assumption failed: what ran is no behaviour of the program.
    AssumeViolated { pos: SrcPos },
    /// No thread can move, and these wait.
    Deadlock(Vec<Waiting>),
    /// An access to memory that no C program may make.
    InvalidMemory { access: Box<InvalidAccess>, pos: SrcPos },
    /// The program ended, and memory is left in a way that violates a checked property.
    Leak { leak: Box<Leak>, pos: SrcPos },
    /// Two threads are about to make conflicting accesses, and the automaton is about that.
    Race(Box<Race>),
    /// Another behaviour that C or POSIX does not define.
    Undefined { what: Undefined, pos: SrcPos },
    /// An operation that Ravelin does not model.
    Unsupported { what: Box<str>, pos: SrcPos },
    /// A limit of the run was reached first.
    OutOfBudget(Limit),
}

/// A thread that cannot move.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Waiting {
    pub thread: ThreadId,
    /// What it waits for, in words.
    pub reason: Box<str>,
    pos: Pos,
}

/// A position with an order, for sets of outcomes: by file, line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pos(pub(crate) SrcPos);

impl Ord for Pos {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |pos: SrcPos| (pos.file, pos.line, pos.column);
        key(self.0).cmp(&key(other.0))
    }
}

impl PartialOrd for Pos {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What is wrong with an access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MemoryFault {
    Null,
    /// The address is in no object.
    NoObject,
    /// The access leaves the object.
    OutOfBounds {
        offset: i64,
        length: u64,
        size: u64,
    },
    /// A local object after its scope or its thread ended.
    ScopeEnded,
    Freed,
    /// A write to a string literal or the like.
    ReadOnly,
    /// A read or write of a function's bytes.
    Function,
    /// `free` of what `malloc` did not give.
    FreeOfNonHeap,
    /// `free` of a pointer into the middle of an object.
    FreeInside {
        offset: i64,
    },
    DoubleFree,
    /// A call through a pointer to no function.
    NotAFunction,
}

/// Behaviour that C or POSIX does not define.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Undefined {
    DivisionByZero,
    /// The smallest number divided by -1.
    DivisionOverflow,
    /// A local object is named where it is not alive.
    NotInScope,
    /// A call with arguments or a result the function does not take.
    CallMismatch,
    /// A handle of no thread, or of one that was joined before.
    InvalidJoin,
    /// What is done to a synchronisation object.
    Sync(Misuse),
    AtomicEndWithoutBegin,
    /// The arguments of `printf` do not fit its format.
    PrintArguments,
    /// The automaton leaves no edge to take.
    NoWayOn,
    /// The automaton says so, in these words.
    Stated(Symbol),
}

/// Which limit ended a run early.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Limit {
    Time,
    Steps,
    Cancelled,
    /// The depth of recursion.
    Stack,
    /// The memory of the program, or its addresses.
    Memory,
    /// What the program printed.
    Output,
}

impl From<Exhausted> for Limit {
    fn from(exhausted: Exhausted) -> Self {
        match exhausted {
            Exhausted::Time => Limit::Time,
            Exhausted::Steps => Limit::Steps,
            Exhausted::Cancelled => Limit::Cancelled,
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Time => "timeout",
            Limit::Steps => "step limit",
            Limit::Cancelled => "interrupted",
            Limit::Stack => "stack limit",
            Limit::Memory => "memory limit",
            Limit::Output => "output limit",
        })
    }
}

impl Undefined {
    /// What it is, in words.
    pub fn display<'a>(&'a self, program: &'a Program) -> impl fmt::Display + 'a {
        UndefinedDisplay { what: self, program }
    }
}

struct UndefinedDisplay<'a> {
    what: &'a Undefined,
    program: &'a Program,
}

impl fmt::Display for UndefinedDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.what {
            Undefined::DivisionByZero => "division by zero",
            Undefined::DivisionOverflow => "division overflow",
            Undefined::NotInScope => "object outside of its scope",
            Undefined::CallMismatch => "call of a function of another type",
            Undefined::InvalidJoin => "join with invalid thread",
            Undefined::Sync(misuse) => return misuse.fmt(f),
            Undefined::AtomicEndWithoutBegin => "end of an atomic block that did not begin",
            Undefined::PrintArguments => "printf arguments that do not fit the format",
            Undefined::NoWayOn => "no guard holds",
            Undefined::Stated(what) => self.program.name(*what),
        })
    }
}

impl Waiting {
    pub(crate) fn new(thread: ThreadId, reason: String, pos: SrcPos) -> Self {
        Waiting { thread, reason: reason.into(), pos: Pos(pos) }
    }

    /// Where the operation stands.
    pub fn pos(&self) -> SrcPos {
        self.pos.0
    }
}

impl Outcome {
    /// The outcome in words.
    pub fn display<'a>(&'a self, program: &'a Program) -> impl fmt::Display + 'a {
        OutcomeDisplay { outcome: self, program }
    }

    /// Where the run ended, if that is one place.
    pub fn pos(&self) -> Option<SrcPos> {
        match self {
            Outcome::Error { pos, .. }
            | Outcome::Aborted { pos }
            | Outcome::AssumeViolated { pos }
            | Outcome::InvalidMemory { pos, .. }
            | Outcome::Leak { pos, .. }
            | Outcome::Undefined { pos, .. }
            | Outcome::Unsupported { pos, .. } => Some(*pos),
            Outcome::Race(race) => Some(race.accesses[1].pos()),
            Outcome::Exit(_) | Outcome::Deadlock(_) | Outcome::OutOfBudget(_) => None,
        }
    }

    /// The violation that the run ends with, of one of the checked properties.
    ///
    /// Every judgement of whether a run came to *the error* is this one: an error of a property that is not checked
    /// ends a run as `abort` does.
    pub fn violation(&self, checked: Properties) -> Option<ErrorKind> {
        let kind = match self {
            Outcome::Error { kind, .. } => *kind,
            Outcome::InvalidMemory { access, .. } => access.error(),
            Outcome::Leak { leak, .. } => leak.error(),
            Outcome::Race(_) => ErrorKind::DataRace,
            Outcome::Undefined { what: Undefined::DivisionByZero, .. } => ErrorKind::DivisionByZero,
            Outcome::Undefined { what: Undefined::DivisionOverflow, .. } => {
                ErrorKind::SignedOverflow
            }
            Outcome::Exit(_)
            | Outcome::Aborted { .. }
            | Outcome::AssumeViolated { .. }
            | Outcome::Deadlock(_)
            | Outcome::Undefined { .. }
            | Outcome::Unsupported { .. }
            | Outcome::OutOfBudget(_) => return None,
        };
        checked.contains(kind.property()).then_some(kind)
    }

    fn rank(&self) -> (u8, i32) {
        match self {
            Outcome::Exit(status) => (0, *status),
            Outcome::Error { kind, .. } => (1, *kind as i32),
            Outcome::Aborted { .. } => (2, 0),
            Outcome::AssumeViolated { .. } => (3, 0),
            Outcome::Deadlock(_) => (4, 0),
            Outcome::InvalidMemory { .. } => (5, 0),
            Outcome::Undefined { .. } => (6, 0),
            Outcome::Unsupported { .. } => (7, 0),
            Outcome::OutOfBudget(_) => (8, 0),
            Outcome::Leak { .. } => (9, 0),
            Outcome::Race(_) => (10, 0),
        }
    }
}

impl Ord for Outcome {
    fn cmp(&self, other: &Self) -> Ordering {
        let pos = |outcome: &Outcome| outcome.pos().map(Pos);
        let by_place = (self.rank(), pos(self)).cmp(&(other.rank(), pos(other)));
        by_place.then_with(|| match (self, other) {
            (
                Outcome::InvalidMemory { access, .. },
                Outcome::InvalidMemory { access: other, .. },
            ) => access.cmp(other),
            (Outcome::Leak { leak, .. }, Outcome::Leak { leak: other, .. }) => leak.cmp(other),
            (Outcome::Race(race), Outcome::Race(other)) => race.cmp(other),
            (Outcome::Deadlock(waiting), Outcome::Deadlock(other)) => waiting.cmp(other),
            (Outcome::Undefined { what, .. }, Outcome::Undefined { what: other, .. }) => {
                what.cmp(other)
            }
            (Outcome::Unsupported { what, .. }, Outcome::Unsupported { what: other, .. }) => {
                what.cmp(other)
            }
            (Outcome::OutOfBudget(limit), Outcome::OutOfBudget(other)) => limit.cmp(other),
            // Of the same rank, the others have nothing more to tell them apart.
            _ => Ordering::Equal,
        })
    }
}

impl PartialOrd for Outcome {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

struct OutcomeDisplay<'a> {
    outcome: &'a Outcome,
    program: &'a Program,
}

impl fmt::Display for OutcomeDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |pos: SrcPos| DisplayPos { pos, program: self.program };
        match self.outcome {
            Outcome::Exit(status) => write!(f, "exit {status}"),
            Outcome::Error { kind, pos } => {
                let what = match kind {
                    ErrorKind::ReachError => "error call reached",
                    ErrorKind::AssertFailed => "assertion failed",
                    ErrorKind::Aborted => "abort called",
                    ErrorKind::Trapped => "trap executed",
                    ErrorKind::Unreachable => "code reached that is marked unreachable",
                    ErrorKind::SignedOverflow => "signed overflow",
                    ErrorKind::DivisionByZero => "division by zero",
                    ErrorKind::InvalidShift => "shift by an invalid amount",
                    ErrorKind::OverlappingCopy => "copy between overlapping memory",
                    ErrorKind::UnfitFormat => "format that does not fit its arguments",
                    ErrorKind::UninitialisedRead => "read of a variable without value",
                    ErrorKind::IndexOutOfBounds => {
                        "index out of the bounds of an array in an object"
                    }
                    ErrorKind::InvalidAccess => "invalid access to memory",
                    ErrorKind::InvalidFree => "invalid deallocation",
                    ErrorKind::LostMemory => "memory lost",
                    ErrorKind::DataRace => "data race",
                    ErrorKind::UnfreedMemory => "memory not freed",
                };
                write!(f, "{what}{}", at(*pos))
            }
            Outcome::Aborted { pos } => write!(f, "aborted{}", at(*pos)),
            Outcome::AssumeViolated { pos } => write!(f, "assumption failed{}", at(*pos)),
            Outcome::Deadlock(waiting) => {
                f.write_str("deadlock")?;
                for (index, thread) in waiting.iter().enumerate() {
                    let separator = if index == 0 { ":" } else { ";" };
                    let (id, reason) = (thread.thread, &thread.reason);
                    write!(f, "{separator} {id} waits for {reason}{}", at(thread.pos()))?;
                }
                Ok(())
            }
            Outcome::InvalidMemory { access, pos } => {
                f.write_str("invalid memory: ")?;
                access.head(f, self.program)?;
                write!(f, "{}", at(*pos))?;
                access.tail(f, self.program)
            }
            Outcome::Leak { leak, pos } => {
                leak.head(f)?;
                write!(f, " at the end of the program{}", at(*pos))?;
                leak.tail(f, self.program)
            }
            Outcome::Race(race) => write!(f, "data race: {}", race.display(self.program)),
            Outcome::Undefined { what, pos } => {
                write!(f, "undefined: {}{}", what.display(self.program), at(*pos))
            }
            Outcome::Unsupported { what, pos } => write!(f, "unsupported: {what}{}", at(*pos)),
            Outcome::OutOfBudget(limit) => write!(f, "out of budget: {limit}"),
        }
    }
}

pub(crate) struct DisplayPos<'a> {
    pub(crate) pos: SrcPos,
    pub(crate) program: &'a Program,
}

impl fmt::Display for DisplayPos<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pos.is_none() {
            return Ok(());
        }
        let SrcPos { file, line, column } = self.pos;
        write!(f, " at {}:{line}:{column}", self.program.name(file))
    }
}
