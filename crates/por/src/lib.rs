//! Partial-order reduction: which steps of threads depend on each other.
//!
//! [`Tables`] say for every edge what it touches, and for every location what a thread that is there can
//! still touch: itself, in what it calls, and through the threads it starts. What is touched are bits of a
//! [`Footprint`]; the universe is the shared variables, the regions of memory, and of every object its
//! life and what synchronises in it. The tables speak of no states: those who explore, concretely or
//! not, bring their own.
//!
//! [`ProgramFacts`] has all of this for one program, computed once, and [`ProgramFacts::doubt`]: what bars a proof about the automaton from being one about the program: a copy that other threads
//! could see half done (`coarse`), as no mutex keeps them away (`locks`), a function that is handed out (`callbacks`).
//!
//! While a thread holds a mutex, others get no further than to where they lock it: [`Tables::futures_without`].
//! [`Protection`] says which variables nobody touches who does not hold it.

mod bits;
mod callbacks;
mod coarse;
mod dataflow;
mod doubt;
mod facts;
mod footprint;
mod locks;
mod parallel;
mod persistent;
mod protection;
pub mod races;
mod tables;

pub use bits::Bits;
pub use coarse::{accessed_bytes, may_overlap};
pub use dataflow::{Ahead, DataFlow, Observers, Outlook, Place};
pub use doubt::Doubt;
pub use facts::ProgramFacts;
pub use footprint::{Footprint, Mask};
pub use locks::Lockset;
pub use persistent::{Dependence, persistent_sets};
pub use protection::{Protection, Sharing};
pub use tables::{Futures, Tables};
