//! Which calls count as errors.
//!
//! The library table lists the error functions and assertions of C libraries and verifiers. A user
//! may name further functions, and may declare other ends of an execution to be errors.

use std::collections::BTreeSet;

use ravelin_cfa::ErrorKind;

/// The error calls that the user declares, in addition to those of the library table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorCalls {
    /// Functions whose calls are errors, whatever body the program gives them.
    pub functions: BTreeSet<String>,
    /// Ends of an execution that count as errors.
    pub ends: BTreeSet<CountedEnd>,
}

/// An end of an execution that is an error if the user declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CountedEnd {
    /// `abort()`.
    Abort,
    /// `__builtin_trap()`.
    Trap,
    /// `__builtin_unreachable()`.
    Unreachable,
}

impl CountedEnd {
    pub(crate) fn error(self) -> ErrorKind {
        match self {
            CountedEnd::Abort => ErrorKind::Aborted,
            CountedEnd::Trap => ErrorKind::Trapped,
            CountedEnd::Unreachable => ErrorKind::Unreachable,
        }
    }
}

/// When a call of a function is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorRole {
    /// Every call, whatever body the program gives the function.
    Always,
    /// Every call, unless the program defines the function.
    Undefined,
    /// A call whose first argument is zero, unless the program defines the function.
    Assertion,
}

impl ErrorCalls {
    /// The role of the function of this name, if it has one.
    pub fn role(&self, name: &str) -> Option<ErrorRole> {
        match self.functions.contains(name) {
            true => Some(ErrorRole::Always),
            false => crate::library::error_role(name, &self.ends),
        }
    }
}
