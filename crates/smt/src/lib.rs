//! Asking SMT solvers about terms.
//!
//! What a solver can do is split into small traits, its *capabilities*:
//!
//! - [`Check`]: assert, open scopes, decide satisfiability;
//! - [`Model`]: values after a satisfiable check; [`Core`]: contradicting assumptions after an unsatisfiable one;
//! - [`Interpolate`]: formulas between the steps of a contradiction; [`Project`]: eliminate quantifiers;
//! - [`SolveHorn`]: candidates for the predicates of Horn clauses ([`horn`]).
//!
//! A backend implements those it can, and every backend passes the same conformance suite. [`Solver`] and [`Prover`]
//! name the sets that analyses need, and a [`SolverFactory`] puts together who provides them: no analysis names a
//! backend.
//!
//! - [`z3_backend`]: libz3, in this process, with all capabilities;
//! - [`smtlib`]: any solver that reads SMT-LIB 2, through a pipe: checks, models and cores.
//!
//! Both encode terms in the same way, and wider than they mean where the logic lacks something: what
//! a solver calls unsatisfiable has no solution, and a model may be of no execution if it depends on
//! the address of an object, the bits of a NaN or C's `fmod`.
//!
//! Deliberately absent: simplification, which the constructors of terms do.

pub mod horn;
pub mod smtlib;
pub mod z3_backend;

use std::fmt;
use std::time::Duration;

use ravelin_term::{Term, TermPool, Var};

use horn::HornClauses;

/// What a solver says about satisfiability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Sat,
    Unsat,
    Unknown(NoAnswer),
}

/// Why a solver has no answer, in its own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// A limit of time ended the check, or an interruption.
    GaveUp(String),
    /// An incomplete theory, a refusal, a crash.
    Failed(String),
}

/// What a solver says. Solvers report limits and interruptions by words alone, each by its own.
impl From<String> for NoAnswer {
    fn from(words: String) -> Self {
        match words.contains("cancel") || words.contains("timeout") {
            true => NoAnswer::GaveUp(words),
            false => NoAnswer::Failed(words),
        }
    }
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (NoAnswer::GaveUp(words) | NoAnswer::Failed(words)) = self;
        f.write_str(words)
    }
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

/// Interpolants of contradictions.
pub trait Interpolate {
    /// Interpolants of `steps`, which have no common solution: as many as there are borders between
    /// steps. Each follows from the steps before it and contradicts those after it, and is about
    /// variables that both have.
    ///
    /// # Errors
    /// When the steps have a common solution, when the solver finds no answer within `timeout`, or when
    /// the steps are about what the solver cannot interpolate.
    fn sequence_interpolants(
        &mut self,
        pool: &mut TermPool,
        steps: &[Term],
        timeout: Option<Duration>,
    ) -> Result<Vec<Term>, ProofError>;
}

/// Elimination of existential quantifiers.
pub trait Project {
    /// What holds of the other variables exactly if some values of `vars` satisfy `formula`. `None` if
    /// that takes longer than `timeout`, or cannot be expressed.
    fn eliminate(
        &mut self,
        pool: &mut TermPool,
        formula: Term,
        vars: &[Var],
        timeout: Option<Duration>,
    ) -> Option<Term>;
}

/// Candidates for what makes Horn clauses true.
pub trait SolveHorn {
    /// For each predicate, terms about its parameters of which each may hold wherever the predicate has
    /// to. The solver may compute with other numbers than bit-vectors: callers check the candidates.
    ///
    /// # Errors
    /// When the solver finds that the clauses cannot all be true, or no answer within `timeout`.
    fn solve_horn(
        &mut self,
        pool: &mut TermPool,
        clauses: &HornClauses<'_>,
        timeout: Option<Duration>,
    ) -> Result<Vec<Vec<Term>>, ProofError>;
}

/// Why there are no interpolants, or no candidates for Horn clauses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofError {
    /// The steps have a common solution; the clauses have none.
    Satisfiable,
    /// The solver's reason: time, or a theory that it is incomplete for.
    Unknown(String),
    /// The steps, or the interpolants, are about what this method cannot express.
    NotExpressible(String),
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofError::Satisfiable => f.write_str("the steps have a common solution"),
            ProofError::Unknown(reason) => write!(f, "the solver gave up: {reason}"),
            ProofError::NotExpressible(what) => write!(f, "not expressible: {what}"),
        }
    }
}

impl std::error::Error for ProofError {}

/// What analyses need to ask questions.
pub trait Solver: Check + Model + Core {}

impl<S: Check + Model + Core> Solver for S {}

/// What analyses need to find invariants.
pub trait Prover: Interpolate + Project + SolveHorn {}

impl<P: Interpolate + Project + SolveHorn> Prover for P {}

/// Makes the solvers of an analysis. Few programs interpolate, so questions may go to one backend and the search for
/// invariants to another.
pub struct SolverFactory {
    make: Box<dyn Fn() -> Box<dyn Solver>>,
    prover: Box<dyn Prover>,
}

impl SolverFactory {
    pub fn new(
        make: impl Fn() -> Box<dyn Solver> + 'static,
        prover: impl Prover + 'static,
    ) -> Self {
        SolverFactory { make: Box::new(make), prover: Box::new(prover) }
    }

    /// A new solver: analyses need a fresh one now and then.
    pub fn solver(&self) -> Box<dyn Solver> {
        (self.make)()
    }

    pub fn prover(&mut self) -> &mut dyn Prover {
        &mut *self.prover
    }
}

impl fmt::Debug for SolverFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolverFactory").finish_non_exhaustive()
    }
}
