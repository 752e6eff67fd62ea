//! Constrained Horn clauses over bit-vectors, as data.

use std::fmt;

use ravelin_term::{Term, Var};

/// A predicate that is sought, of these variables: Booleans and bit-vectors.
#[derive(Clone, Debug)]
pub struct Predicate {
    pub params: Vec<Term>,
}

/// A predicate, by its number, of these terms.
#[derive(Clone, Debug)]
pub struct Application {
    pub predicate: usize,
    pub args: Vec<Term>,
}

/// Where the body and the constraint hold, the head does; without a head, they never do.
#[derive(Clone, Debug)]
pub struct Clause {
    pub body: Vec<Application>,
    pub constraint: Term,
    pub head: Option<Application>,
}

/// What a solver assumes of numbers that are too large or too small for their types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// Numbers have no bounds, but unsigned ones are not negative.
    Unbounded,
    /// No number leaves its type.
    Excluded,
    /// Numbers wrap around, as they do in C. This costs most.
    Wraps,
}

/// Clauses with what a solver needs to know of their numbers.
#[derive(Clone, Copy)]
pub struct HornClauses<'a> {
    pub predicates: &'a [Predicate],
    pub clauses: &'a [Clause],
    /// Whether a variable is a signed number.
    pub is_signed: &'a dyn Fn(Var) -> bool,
    pub overflow: Overflow,
}

impl fmt::Debug for HornClauses<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HornClauses")
            .field("predicates", &self.predicates)
            .field("clauses", &self.clauses)
            .field("overflow", &self.overflow)
            .finish_non_exhaustive()
    }
}
