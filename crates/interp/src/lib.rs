//! The concrete interpreter of automata: Ravelin's oracle.
//!
//! It executes a [`Program`](ravelin_cfa::Program) with a scheduler and covers everything an
//! automaton can express. What the program leaves open (the next thread, inputs, values without
//! initialisation) a [`Chooser`] decides: at random, as a [`Schedule`] says, or in all ways one
//! after the other ([`all_outcomes`]).
//!
//! It shares no arithmetic with `ravelin-term`: what both agree on was computed twice.
//!
//! - [`run`], [`Interpreter`]: one run; [`explore`], [`all_outcomes`]: all runs of a small program;
//! - `compile`, `code`: procedures as flat lists of instructions; `eval`: terms;
//! - `value`, `float`: arithmetic; `decimal`, `print`: `printf`;
//! - `layout`, `memory`, `contents`: addresses, objects, bytes;
//! - `machine`, `calls`, `blocking`: the steps of threads; `sync`: synchronisation objects;
//! - `state`: what there is between two steps; [`Snapshot`]: its pointers, for tests of analyses;
//! - `leaks`, `races`: violations that no operation states.
//!
//! Deliberately absent: weak memory (steps are sequentially consistent, as the automaton is).

mod blocking;
mod calls;
mod chooser;
mod code;
mod compile;
mod compile_term;
mod contents;
mod decimal;
mod env;
mod eval;
mod explore;
mod fault;
mod float;
mod layout;
mod leaks;
mod liveness;
mod log;
mod machine;
mod memory;
mod observe;
mod outcome;
mod print;
mod races;
mod run;
mod schedule;
mod setup;
mod shared;
mod state;
mod thread;
mod value;

pub use chooser::{
    Chooser, NextAccess, Pick, RandomChooser, Replay, ValueOrigin, ValueRequest,
    environment_pointer,
};
pub use explore::{
    Exploration, ExploreConfig, ExploreError, InputDomain, all_outcomes, booleans, explore,
};
pub use fault::{AccessKind, AccessedObject, InvalidAccess};
pub use leaks::Leak;
pub use log::{
    Access, Action, Begins, Cell, EnvironmentChoice, Event, SyncAction, Write, WriteTarget,
};
pub use observe::{ObservedObject, ObservedPlace, ObservedPointer, PointerHolder, Snapshot};
pub use outcome::{Limit, MemoryFault, Outcome, Undefined, Waiting};
pub use races::{Race, RacingAccess};
pub use run::{Interpreter, Run, RunConfig, run};
pub use schedule::{Move, MoveKind, ParseScheduleError, Schedule};
pub use thread::ThreadId;
pub use value::{ObjectRef, Value};
