//! Symbolic execution: programs with one thread, path by path.
//!
//! A path has values of variables and memory as terms over its inputs, and the conditions under which an execution takes it.
//! Objects have numbers of their own, so that a pointer leads to one object; where a term leaves a choice between objects or
//! offsets, the path forks. At a branch that may go both ways, the path forks as well. A path that comes to an error claims
//! an execution, with inputs from a model of its conditions, and the judge confirms it. The engine has a proof if it has
//! followed every path to its end.
//!
//! It follows the automaton as the interpreter does, which is what judges its claims: what has no value is an input when it
//! is read, and what C leaves undefined ends a path. Such a path, and any other that is left out, bars a proof.
//!
//! - `code`: procedures as flat instructions; `state`: a path; `memory`: objects and their pieces;
//! - `machine`: terms and conditions on a path; `step`: instructions; `access`: accesses to memory;
//! - `questions`: what can hold on a path (models of earlier questions, independent conditions, the solver); `small`:
//!   questions about one variable;
//! - `search`: which path comes next; `confirm`: claims.
//!
//! Cadar, Dunbar, Engler: *KLEE* (OSDI 2008).

mod access;
mod code;
mod confirm;
mod machine;
mod memory;
mod questions;
mod search;
mod small;
mod state;
mod step;

use std::time::Instant;

use ravelin_base::{Budget, Exhausted};
use ravelin_cfa::Program;

use crate::progress::Progress;
use crate::solver::SolverFacade;
use crate::verdict::{Judge, Proof, Reason, Verdict};
use machine::Machine;
use questions::Questions;

pub use machine::Counts;

/// Follows the paths of a program. There is no verdict if the program has threads or no entry.
pub fn execute(
    program: &Program,
    solver: &SolverFacade,
    budget: &mut Budget,
    judge: Judge<'_>,
    progress: &Progress,
) -> Option<Verdict> {
    let entry = program.entry.filter(|_| !program.is_concurrent())?;
    let begun = Instant::now();
    let questions = Questions::new(solver, solver.deadline);
    let mut machine = Machine::new(program, questions, budget, judge);
    let ended = machine.search(entry);
    progress.spend_elsewhere(begun.elapsed());
    progress.count_paths(machine.counts, machine.questions.statistics);
    let Machine { found, left_out, .. } = machine;
    Some(match (found, ended, left_out) {
        (Some(counterexample), ..) => Verdict::False(counterexample),
        (None, Ok(()), None) => Verdict::True(Proof::without_invariants(&program.terms)),
        (None, Ok(()), Some(reason)) => Verdict::Unknown(reason),
        (None, Err(exhausted), _) => Verdict::Unknown(match exhausted {
            Exhausted::Time => Reason::Timeout,
            Exhausted::Cancelled => Reason::Interrupted,
            Exhausted::Steps => Reason::StepLimit,
        }),
    })
}
