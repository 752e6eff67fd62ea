//! What makes an answer checkable: executions replayed in the interpreter, and traces to read.
//!
//! - [`mod@replay`]: an execution that an analysis claims, in the interpreter, which shares no code
//!   with analyses;
//! - [`in_source`]: the same execution in the program as it stands in the source;
//! - [`trace`]: the same execution for people;
//! - [`story`]: the same execution for a report;
//! - [`harness`]: the same execution for gcc;
//! - [`c_expr`]: terms, and so invariants, as C expressions.

pub mod c_expr;
mod columns;
mod frames;
pub mod harness;
pub mod in_source;
pub mod replay;
mod rounds;
mod steps;
pub mod story;
pub mod trace;

pub use in_source::replay_in_source;
pub use replay::{Replayed, replay};
