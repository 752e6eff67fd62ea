//! What Ravelin's tests stand on: random C programs without undefined behaviour, their execution
//! by gcc, the comparison of the two, and the expectations that fixture programs carry.
//!
//! [`generate`] makes a [`program::Program`] from a seed, [`mod@print`] writes it as C text,
//! [`gcc`] compiles and runs it. [`differential`] puts these together and compares another way of
//! executing C with gcc's; where they disagree, [`shrink`] makes the program small.

pub mod arithmetic;
pub mod concurrent;
pub mod cost;
pub mod csmith;
pub mod differential;
pub mod effects;
mod families;
pub mod fixture;
pub mod gcc;
pub mod generate;
pub mod guarded;
pub mod interpreter;
pub mod layouts;
pub mod pointers;
pub mod print;
pub mod program;
pub mod racing;
pub mod shrink;
pub mod small;
pub mod tier;
pub mod types;
pub mod typing;
pub mod usage;
pub mod validate;
pub mod visit;
