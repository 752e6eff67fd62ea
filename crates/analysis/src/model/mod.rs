//! The program as analyses see it.
//!
//! - [`space`]: instances of variables and objects, and memory divided into regions;
//! - [`statement`]: the alphabet of steps; [`step`]: control states of all threads, and the steps between them; `sync`: synchronisation as what it does to
//!   memory;
//! - [`block`]: sequences of steps as terms, `bulk`: copies and fills in them, `traps`: when terms can be evaluated,
//!   [`rewrite`]: replacement of subterms;
//! - [`control_flow`]: facts about locations: distances to the error, loop heads, recursion;
//! - `renew_locals`, `check_memory`, `check_leaks`, `discharge`: passes over automata that need points-to sets.

pub mod block;
pub(crate) mod bulk;
pub(crate) mod check_leaks;
pub(crate) mod check_memory;
pub mod control_flow;
pub(crate) mod discharge;
pub(crate) mod renew_locals;
pub mod rewrite;
pub mod space;
pub mod statement;
pub mod step;
pub(crate) mod sync;
pub(crate) mod traps;
