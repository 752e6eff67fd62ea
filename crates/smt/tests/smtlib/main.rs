//! The backend that talks to a solver through a pipe, with z3 and with programs that misbehave.

mod dump;
mod misbehaviour;
mod operators;
mod questions;
mod size;

use std::ffi::OsString;
use std::path::Path;

use ravelin_base::EntityRef;
use ravelin_smt::smtlib::SmtLibSolver;
use ravelin_term::{Sort, Term, TermPool, Var};

const POINTER_BITS: u16 = 64;

/// The program that the setup of the test suite fetches, or else the system's.
fn z3_program() -> OsString {
    let fetched = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps/z3/bin/z3");
    if fetched.exists() { fetched.into() } else { "z3".into() }
}

fn z3() -> SmtLibSolver {
    SmtLibSolver::start(&[z3_program(), "-in".into()], POINTER_BITS)
        .unwrap_or_else(|error| panic!("{error}; ./test brings the program z3"))
}

fn new_pool() -> TermPool {
    TermPool::new(POINTER_BITS)
}

fn var(pool: &mut TermPool, index: usize, sort: Sort) -> Term {
    pool.var(Var::new(index), sort)
}

fn eq_const(pool: &mut TermPool, term: Term, value: u128) -> Term {
    let width = pool.sort(term).width().expect("a bit-vector");
    let value = pool.bv(width, value);
    pool.eq(term, value)
}
