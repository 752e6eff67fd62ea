//! Witnesses: what makes an answer checkable by others, and the answers of others checkable here.
//!
//! - [`model`]: what a witness says; [`yaml`] and [`graphml`]: how it is written;
//! - [`form`]: whether it keeps to the rules;
//! - [`violation`]: from a recorded execution to a witness;
//! - [`instrument`]: from a witness to a program whose executions are those it speaks of;
//! - [`columns`]: where things stand in the source, of which the parser sees what macros make of it.

pub mod columns;
pub mod form;
pub mod graphml;
pub mod instrument;
pub mod model;
mod places;
mod target;
pub mod violation;
pub mod yaml;

pub use model::{Content, Invariant, Location, Task, Witness, WitnessError};
