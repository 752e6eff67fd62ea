//! Evidence for answers: executions that the interpreter confirms and records, and their views.
//!
//! - [`mod@replay`]: confirms an execution that an analysis claims, in the interpreter, which shares no code
//!   with analyses;
//! - [`in_source`]: finds the same execution in the program as it stands in the source, and records it;
//! - [`execution`]: the record, of which the following are views;
//! - [`trace`]: text for people;
//! - [`step_trace`]: the steps of a report;
//! - [`memory`]: the object and the bytes of an invalid access, to be drawn; [`weakness`]: its number in the CWE;
//! - [`harness`]: a C file for gcc;
//! - [`c_expr`]: terms, and so invariants, as C expressions.

pub mod c_expr;
mod columns;
pub mod execution;
mod frames;
pub mod harness;
pub mod in_source;
pub mod memory;
pub mod replay;
mod rounds;
pub mod step_trace;
mod steps;
pub mod trace;
pub mod weakness;

pub use execution::Execution;
pub use in_source::record_in_source;
pub use replay::{Replayed, replay};
