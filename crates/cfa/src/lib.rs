//! Extended control-flow automata (XCFA): the representation of programs in all analyses.
//!
//! A [`Program`] has variables, memory objects and procedures; a procedure is a graph of locations
//! and edges, and an edge carries labels. An edge is one step of its thread: between the steps of
//! one thread, other threads may move.
//!
//! - [`model`]: the data structures; [`op`]: the operations on edges;
//! - [`mod@print`], [`mod@parse`]: the text format, which reads back what it writes; [`dot`], [`json`];
//! - [`mod@verify`]: the invariants, all listed there, checked after every pass;
//! - [`passes`]: the transformations, one file each, in one ordered list; [`flow`]: the analyses they
//!   share;
//! - [`access`], [`sharing`], [`effects`], [`sync`]: what operations touch, what other threads see
//!   of it, which operations may wait or stop; [`sections`]: locations inside atomic sections;
//!   [`mod@external`]: called functions without body; [`slots`]: the storage of variables and
//!   objects in an execution;
//! - [`property`]: the properties; [`reason`]: the reasons for UNKNOWN.

pub mod access;
pub mod dot;
pub mod effects;
pub mod external;
mod families;
pub mod flow;
pub mod json;
pub mod model;
pub mod op;
pub mod parse;
pub mod passes;
pub mod print;
pub mod property;
pub mod reason;
pub mod sections;
pub mod sharing;
pub mod slots;
pub mod sync;
pub mod verify;

pub use external::{ExternalFunction, external_functions, no_model};
pub use model::{
    Blocks, Edge, EdgeData, Init, Loc, LocData, ObjectData, ObjectKind, Proc, Procedure, Program,
    VarData, VarKind,
};
pub use op::{
    AllocKind, Assumed, Callee, ErrorKind, FreeKind, Gap, HavocKind, Label, Life, MemoryOrder,
    ObjectFact, Op, SyncOp,
};
pub use parse::{ParseError, parse};
pub use property::{Properties, Property};
pub use ravelin_term::{Object, Sort, Term, TermPool, Var};
pub use reason::{Place, Reason};
pub use verify::{Violation, verify};
