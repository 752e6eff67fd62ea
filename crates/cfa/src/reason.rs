//! The reasons for UNKNOWN. Engines make reasons and printers display them; no code parses the
//! text.

use std::fmt;

use ravelin_base::SrcPos;

use crate::model::Program;
use crate::op::Gap;
use crate::print;

/// Why a property is neither proved nor refuted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    Timeout,
    OutOfMemory,
    /// A signal, or another engine's answer, ended the run.
    Interrupted,
    StepLimit,
    /// An execution may reach an operation that Ravelin does not model.
    Unsupported {
        what: String,
        at: Option<Place>,
    },
    /// An execution has undefined behaviour before its violation.
    Undefined {
        what: String,
        at: Option<Place>,
    },
    /// The replay of a violating execution of the analysis takes another path.
    Diverged(Option<Approximated>),
    /// The same path returns after every refinement.
    RefinementStuck,
    /// The solver gave up on a query, with its own reason.
    Solver(String),
    /// The solver exceeded its time limit for one query.
    HardQuestion,
    /// The chosen solver cannot be started.
    NoSolver(String),
    /// The program has no `main`.
    NoEntry,
    /// No engine decides the property.
    UnsupportedProperty,
    /// Ravelin cannot parse or translate the input.
    InputRejected,
    WrongUsage,
    OutputFailed,
    /// A defect of Ravelin.
    InternalError,
    /// An engine ended without an answer or a reason.
    NoAnswer,
    /// A reason that says nothing about the program, with what an engine could not follow in the
    /// program.
    Blocked {
        reason: Box<Reason>,
        by: Box<Reason>,
    },
}

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
}

/// An operation that the analysis over-approximates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Approximated {
    pub what: Coarse,
    pub at: Option<Place>,
}

/// The kinds of over-approximation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coarse {
    /// A function without body may change memory that its pointers reach.
    MemoryFromOutside,
    /// A copy or fill of many bytes, or of an unknown number.
    LongCopy,
    /// The contents of memory after `realloc`.
    Realloc,
    /// The size of an object, the offset of a pointer in it, or whether it is alive.
    ObjectState,
    /// Memory as a whole, depending on the memory model.
    Memory,
    /// An address as a number.
    Address,
}

impl Place {
    /// The place of a position; `None` for "nowhere".
    pub fn of(program: &Program, pos: SrcPos) -> Option<Place> {
        let SrcPos { file, line, column } = pos;
        (!pos.is_none()).then(|| Place { file: program.name(file).to_owned(), line, column })
    }
}

impl Reason {
    /// An operation that is not modelled, with its position.
    pub fn unsupported(program: &Program, what: impl Into<String>, pos: SrcPos) -> Reason {
        Reason::Unsupported { what: what.into(), at: Place::of(program, pos) }
    }

    /// Undefined behaviour, with its position.
    pub fn undefined(program: &Program, what: impl Into<String>, pos: SrcPos) -> Reason {
        Reason::Undefined { what: what.into(), at: Place::of(program, pos) }
    }

    /// Why an execution cannot be followed.
    pub fn of_gap(program: &Program, gap: Gap, pos: SrcPos) -> Reason {
        match gap {
            Gap::NotModelled(what) => Reason::unsupported(program, program.name(what), pos),
            Gap::Undefined(what) => Reason::undefined(program, program.name(what), pos),
        }
    }

    /// Whether it is about the run instead of the program.
    pub fn is_about_run(&self) -> bool {
        match self {
            Reason::Timeout
            | Reason::OutOfMemory
            | Reason::Interrupted
            | Reason::StepLimit
            | Reason::RefinementStuck
            | Reason::Solver(_)
            | Reason::HardQuestion
            | Reason::NoAnswer => true,
            Reason::Unsupported { .. }
            | Reason::Undefined { .. }
            | Reason::Diverged(_)
            | Reason::NoSolver(_)
            | Reason::NoEntry
            | Reason::UnsupportedProperty
            | Reason::InputRejected
            | Reason::WrongUsage
            | Reason::OutputFailed
            | Reason::InternalError
            | Reason::Blocked { .. } => false,
        }
    }

    /// Adds what an engine could not follow, if the reason alone says nothing about the program.
    pub fn blocked_by(self, obstacle: Option<Reason>) -> Reason {
        match obstacle {
            Some(by) if self.is_about_run() => {
                Reason::Blocked { reason: Box::new(self), by: Box::new(by) }
            }
            Some(_) | None => self,
        }
    }

    /// The place it names.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Reason::Unsupported { at, .. }
            | Reason::Undefined { at, .. }
            | Reason::Diverged(Some(Approximated { at, .. })) => at.as_ref(),
            Reason::Blocked { by, .. } => by.place(),
            Reason::Timeout
            | Reason::OutOfMemory
            | Reason::Interrupted
            | Reason::StepLimit
            | Reason::Diverged(None)
            | Reason::RefinementStuck
            | Reason::Solver(_)
            | Reason::HardQuestion
            | Reason::NoSolver(_)
            | Reason::NoEntry
            | Reason::UnsupportedProperty
            | Reason::InputRejected
            | Reason::WrongUsage
            | Reason::OutputFailed
            | Reason::InternalError
            | Reason::NoAnswer => None,
        }
    }
}

/// As in `UNKNOWN(reason)`.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Timeout => f.write_str("timeout"),
            Reason::OutOfMemory => f.write_str("out of memory"),
            Reason::Interrupted => f.write_str("interrupted"),
            Reason::StepLimit => f.write_str("step limit"),
            Reason::Unsupported { what, at: Some(at) } => write!(f, "unsupported: {at} {what}"),
            Reason::Unsupported { what, at: None } => write!(f, "unsupported: {what}"),
            Reason::Undefined { what, at: Some(at) } => {
                write!(f, "undefined behaviour: {what} at {at}")
            }
            Reason::Undefined { what, at: None } => write!(f, "undefined behaviour: {what}"),
            Reason::Diverged(None) => f.write_str("replay diverged"),
            Reason::Diverged(Some(Approximated { what, at: None })) => {
                write!(f, "replay diverged: {what}")
            }
            Reason::Diverged(Some(Approximated { what, at: Some(at) })) => {
                write!(f, "replay diverged: {at} {what}")
            }
            Reason::RefinementStuck => f.write_str("refinement stuck"),
            Reason::Solver(words) | Reason::NoSolver(words) => write!(f, "solver: {words}"),
            Reason::HardQuestion => f.write_str("solver: a question takes too long"),
            Reason::NoEntry => f.write_str("no main function"),
            Reason::UnsupportedProperty => f.write_str("property not supported yet"),
            Reason::InputRejected => f.write_str("input rejected"),
            Reason::WrongUsage => f.write_str("wrong usage"),
            Reason::OutputFailed => f.write_str("output failed"),
            Reason::InternalError => f.write_str("internal error"),
            Reason::NoAnswer => f.write_str("no answer"),
            Reason::Blocked { reason, by } => write!(f, "{reason}; {by}"),
        }
    }
}

/// As `file:line:column`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::write_file(f, &self.file)?;
        write!(f, ":{}:{}", self.line, self.column)
    }
}

impl fmt::Display for Coarse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Coarse::MemoryFromOutside => "memory that a function without body may change",
            Coarse::LongCopy => "a copy or fill of many bytes, or of an unknown number",
            Coarse::ObjectState => "the size, place or life of an object",
            Coarse::Realloc => "the contents of memory after realloc",
            Coarse::Memory => "the contents of memory, which the memory model leaves open",
            Coarse::Address => "the value of an address",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_about_the_run_names_what_stood_in_the_way() {
        let at = Place { file: "a.c".to_owned(), line: 1, column: 2 };
        let strtod = Reason::Unsupported { what: "strtod".to_owned(), at: Some(at.clone()) };
        let blocked = Reason::Timeout.blocked_by(Some(strtod.clone()));
        assert_eq!(blocked.to_string(), "timeout; unsupported: a.c:1:2 strtod");
        assert_eq!(blocked.place(), Some(&at));
        assert_eq!(Reason::NoEntry.blocked_by(Some(strtod)), Reason::NoEntry);
        assert_eq!(Reason::Timeout.blocked_by(None), Reason::Timeout);
    }
}
