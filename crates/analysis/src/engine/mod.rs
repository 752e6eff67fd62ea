//! Engines: the ways to an answer that [`crate::Analysis`] can run.
//!
//! - abstraction refinement ([`crate::algorithm::cegar`]), in any domain and encoding;
//! - bounded unrolling: the same with blocks that never end ([`crate::domain::predicate::BlockOperator::Never`]): one
//!   block for each path, and the solver decides;
//! - [`templates`]: invariants of fixed shapes, as predicates to begin with;
//! - [`horn`]: constrained Horn clauses of the whole program, for invariants and summaries;
//! - [`symbolic`]: symbolic execution, path by path;
//! - [`thread_views`]: proofs for any number of replicated threads.

pub mod horn;
pub mod symbolic;
pub mod templates;
pub mod thread_views;

use std::time::Duration;

use crate::algorithm::refine::interpolate::Method;
use crate::config::{Config, Domain, Encoding};

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    AbstractionRefinement(Abstraction),
    BoundedUnrolling,
    /// Predicate abstraction that starts from loop invariants of templates. It gives up if it finds none.
    Templates,
    HornClauses,
    /// It gives up if the program has threads.
    SymbolicExecution,
    /// It gives up if main starts no replicated threads.
    ThreadViews,
}

/// The settings of abstraction refinement that may differ from one run to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abstraction {
    pub domain: Domain,
    /// It must ask for the automaton that the analysis has ([`Encoding::blocks`]).
    pub encoding: Encoding,
    pub method: Method,
}

impl Config {
    /// The abstraction that the configuration describes.
    pub fn abstraction(&self) -> Abstraction {
        Abstraction { domain: self.domain, encoding: self.encoding, method: self.refinement.method }
    }
}

/// How hard an engine tries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// It ends after this time; without, with the budget.
    pub limit: Option<Duration>,
    /// It ends when its precision has not grown in kind for this long.
    pub patience: Option<Duration>,
    /// Nothing is tried afterwards: a question may take longer, and a path that nothing refutes is set aside, so that
    /// the search continues for errors on other paths.
    pub is_last: bool,
}
