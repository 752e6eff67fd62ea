//! Algorithms that run any domain.
//!
//! - [`arg`]: builds the abstract reachability graph; [`graph`]: the graph as plain data;
//! - [`cegar`]: counterexample-guided abstraction refinement: explore, check what is found, refine;
//! - [`refine`]: from an infeasible path to what excludes it;
//! - [`concretise`]: from a feasible path to the inputs of an execution, `approximated`: operations along it that the
//!   analysis follows only roughly;
//! - `invariants`: what a finished graph proves at loop heads.

mod approximated;
pub mod arg;
pub mod cegar;
pub mod concretise;
pub mod graph;
pub(crate) mod invariants;
pub mod refine;
