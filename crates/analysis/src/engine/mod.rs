//! Engines beside abstraction refinement ([`crate::algorithm::cegar`]).
//!
//! - [`templates`]: invariants of fixed shapes, as predicates to begin with;
//! - [`horn`]: constrained Horn clauses of the whole program, for invariants and summaries;
//! - [`thread_views`]: proofs for any number of replicated threads.
//!
//! Bounded unrolling is abstraction refinement whose blocks never end
//! ([`crate::domain::predicate::BlockOperator::Never`]): one block for each path, and the solver decides.

pub mod horn;
pub mod templates;
pub mod thread_views;
