//! The program as analyses see it.
//!
//! - [`space`]: instances of variables and objects, and memory divided into regions;
//! - [`statement`]: the alphabet of steps; [`step`]: control states of all threads, and the steps between them; `sync`: synchronisation as what it does to
//!   memory;
//! - [`block`]: sequences of steps as terms, `bulk`: copies and fills in them, `traps`: when terms can be evaluated,
//!   [`rewrite`]: replacement of subterms;
//! - [`control_flow`]: facts about locations: distances to the error, loop heads, recursion;
//! - `renew_locals`: a pass over automata that needs points-to sets; `checks`: those that make violations of properties
//!   visible, in `check_memory` and `check_leaks`, and leave out what cannot happen, in `discharge`; `check_races`: the one
//!   for data races, which runs once accesses are split.

pub mod block;
pub(crate) mod bulk;
mod check_leaks;
mod check_memory;
pub(crate) mod check_races;
pub(crate) mod checks;
pub mod control_flow;
pub(crate) mod discharge;
pub(crate) mod renew_locals;
pub mod rewrite;
pub mod space;
pub mod statement;
pub mod step;
pub(crate) mod sync;
pub(crate) mod traps;
