//! Witnesses: what makes an answer checkable by others, and the answers of others checkable here.
//!
//! - [`model`]: what a witness says; [`yaml`] and [`graphml`]: how it is written;
//! - [`form`]: whether it keeps to the rules;
//! - [`violation`]: from an execution to a witness;
//! - [`instrument`]: from a witness to a program whose executions are those it speaks of.

pub mod form;
pub mod graphml;
pub mod instrument;
pub mod model;
mod target;
pub mod violation;
pub mod yaml;

pub use model::{Content, Invariant, Location, Task, Witness, WitnessError};
