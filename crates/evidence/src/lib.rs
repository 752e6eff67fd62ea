//! What makes an answer checkable: executions replayed in the interpreter, and traces to read.
//!
//! - [`mod@replay`]: an execution that an analysis claims, in the interpreter, which shares no code
//!   with analyses;
//! - [`trace`]: the same execution for people;
//! - [`c_expr`]: terms, and so invariants, as C expressions.

pub mod c_expr;
pub mod replay;
mod rounds;
pub mod trace;

pub use replay::{Replayed, replay, replay_in_source};
