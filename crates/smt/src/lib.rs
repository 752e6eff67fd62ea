//! Asking SMT solvers about terms.
//!
//! What a solver can do is split into small traits: [`Check`] (assert, scopes, satisfiability),
//! [`Model`] (values after a satisfiable check) and [`Core`] (assumptions that contradict each other
//! after an unsatisfiable one). A backend implements those it can, and every backend passes the same
//! conformance suite.
//!
//! - [`z3_backend`]: libz3, in this process; interpolation and quantifier elimination too;
//! - [`smtlib`]: any solver that reads SMT-LIB 2, through a pipe.
//!
//! Both encode terms in the same way, and wider than they mean where the logic lacks something: what
//! a solver calls unsatisfiable has no solution, and a model may be of no execution if it depends on
//! the address of an object, the bits of a NaN or C's `fmod`.
//!
//! Deliberately absent: simplification, which the constructors of terms do.

pub mod smtlib;
pub mod z3_backend;

use std::time::Duration;

use ravelin_term::{Term, TermPool};

/// What a solver says about satisfiability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Sat,
    Unsat,
    /// With the solver's reason: a time-out, an incomplete theory, a crash.
    Unknown(String),
}

/// Asserting and checking.
pub trait Check {
    /// Asserts a Boolean term in the current scope.
    fn assert(&mut self, pool: &TermPool, term: Term);

    /// Opens a scope: what is asserted from here on, the matching [`Check::pop`] takes back.
    fn push(&mut self);

    fn pop(&mut self);

    /// Whether the asserted terms and `assumptions`, which are any Boolean terms, hold together for
    /// some values.
    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Answer;

    /// The longest a single check may take from now on; `None` for as long as it likes.
    fn set_timeout(&mut self, limit: Option<Duration>);
}

/// After [`Answer::Sat`].
pub trait Model {
    /// The value of a term in the model of the last check, as a literal (for pointers: NULL, an
    /// address with a constant offset, or a constant pair); `None` where the solver gives none.
    fn value(&mut self, pool: &mut TermPool, term: Term) -> Option<Term>;
}

/// After [`Answer::Unsat`].
pub trait Core {
    /// The positions in the last check's assumptions of those that suffice for the contradiction, in
    /// ascending order.
    fn core(&mut self) -> Vec<usize>;
}

/// What analyses need of a solver.
pub trait Solver: Check + Model + Core {}

impl<S: Check + Model + Core> Solver for S {}
