//! The analyses as a whole, and their operators one by one, against what is known of programs.
//!
//! - `configurations`: what is tried, and how to ask for it; `support`: verdicts under configurations;
//! - `bulk`: copies and fills of open length;
//! - `checks`: properties of memory and arithmetic;
//! - `clauses`: proofs by Horn clauses;
//! - `symbolic`: symbolic execution;
//! - `thread_views`: programs that start threads without end;
//! - `fixtures`: every program of `tests/c` under many configurations;
//! - `generated`: random programs that the interpreter can search exhaustively;
//! - `interpolants`: of every method, on paths met while fixtures are verified;
//! - `lifetimes`: local objects that begin again;
//! - `memory`: the memory models on the examples of the papers;
//! - `models`: answers from models of earlier questions;
//! - `pointers`: the papers' configurations, and values strengthened by every pointer analysis;
//! - `refinement`: paths that are refuted by where pointers lead, and paths that cannot be refuted;
//! - `threads`: random programs with threads;
//! - `transfer`: abstract successors, covering and blocks along concrete runs;
//! - `undefined`: programs whose error lies behind undefined behaviour.

mod bulk;
mod checks;
mod clauses;
mod configurations;

mod fixtures;
mod generated;
mod interpolants;
mod lifetimes;
mod memory;
mod models;
mod outcomes;
mod pointers;
mod refinement;
mod support;
mod symbolic;
mod thread_views;
mod threads;
mod transfer;
mod undefined;
