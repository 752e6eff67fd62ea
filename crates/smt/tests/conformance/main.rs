//! Every backend passes the same suite.

mod operators;
mod suite;

use std::ffi::OsString;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use ravelin_base::EntityRef;
use ravelin_smt::smtlib::SmtLibSolver;
use ravelin_smt::z3_backend::{Interrupter, Z3Solver};
use ravelin_smt::{Answer, Check};
use ravelin_term::{BinOp, Sort, TermPool, Var};

#[test]
fn z3_as_a_library() {
    suite::check_all(|_| Z3Solver::new());
}

#[test]
fn z3_through_a_pipe() {
    // The program that the setup of the test suite fetches, or else the system's.
    let fetched = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.deps/z3/bin/z3");
    let program: OsString = if fetched.exists() { fetched.into() } else { "z3".into() };
    suite::check_all(|pointer_bits| {
        SmtLibSolver::start(&[program.clone(), "-in".into()], pointer_bits)
            .unwrap_or_else(|error| panic!("{error}; ./test brings the program z3"))
    });
}

#[test]
fn another_thread_stops_a_check() {
    let (send, receive) = mpsc::channel();
    let worker = std::thread::spawn(move || {
        let mut pool = TermPool::new(64);
        let [x, y] = [0, 1].map(|index| pool.var(Var::new(index), Sort::Bv(64)));
        // Factoring takes hours.
        let product = pool.bv(64, 2_147_483_629 * 2_147_483_647);
        let factors = pool.binary(BinOp::BvMul, x, y);
        let limit = pool.bv(64, 1 << 32);
        let question = [
            pool.eq(factors, product),
            pool.binary(BinOp::BvUlt, x, limit),
            pool.binary(BinOp::BvUlt, y, limit),
        ];
        send.send(Interrupter::for_this_thread()).expect("the test waits for it");
        Z3Solver::new().check(&pool, &question)
    });
    let interrupter = receive.recv().expect("the thread sends one");
    while !worker.is_finished() {
        std::thread::sleep(Duration::from_millis(50));
        interrupter.interrupt();
    }
    let answer = worker.join().expect("the thread ends");
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
}
