//! Terms that are deeper than a stack, and larger than any text when written out as trees.

use ravelin_smt::{Answer, Check, Model};
use ravelin_term::{BinOp, Sort, Term, TermPool};

use crate::{eq_const, new_pool, var, z3};

/// x and y, mixed in so that nothing folds: each step doubles the size as a tree.
fn shared(pool: &mut TermPool, x: Term, y: Term, depth: usize) -> Term {
    (0..depth).fold(x, |inner, step| {
        let op = if step % 2 == 0 { BinOp::BvXor } else { BinOp::BvOr };
        let left = pool.binary(BinOp::BvAdd, inner, y);
        pool.binary(op, left, inner)
    })
}

#[test]
fn a_term_with_two_to_the_200_leaves() {
    let (mut solver, pool) = (z3(), &mut new_pool());
    let (x, y) = (var(pool, 0, Sort::Bv(8)), var(pool, 1, Sort::Bv(8)));
    let term = shared(pool, x, y, 200);
    let (known_x, known_y) = (eq_const(pool, x, 3), eq_const(pool, y, 77));
    let [x, y] = [3, 77].map(|value| pool.bv(8, value));
    let folded = shared(pool, x, y, 200);
    let agrees = pool.eq(term, folded);
    let differs = pool.not(agrees);
    assert_eq!(solver.check(pool, &[known_x, known_y, agrees]), Answer::Sat);
    assert_eq!(solver.value(pool, term), Some(folded));
    assert_eq!(solver.check(pool, &[known_x, known_y, differs]), Answer::Unsat);
}

#[test]
fn a_term_nested_a_hundred_thousand_deep() {
    const DEPTH: usize = 100_000;
    let (mut solver, pool) = (z3(), &mut new_pool());
    let (x, y) = (var(pool, 0, Sort::Bv(1)), var(pool, 1, Sort::Bv(1)));
    // Alternating operators, so that nothing folds; bitwise ones, as depth is hard enough.
    let deep = (0..DEPTH).fold(x, |inner, step| {
        let op = if step % 2 == 0 { BinOp::BvXor } else { BinOp::BvOr };
        pool.binary(op, inner, y)
    });
    let claim = eq_const(pool, deep, 1);
    let [y_is_0, x_is_0] = [y, x].map(|term| eq_const(pool, term, 0));
    assert_eq!(solver.check(pool, &[claim, y_is_0]), Answer::Sat);
    assert_eq!(solver.value(pool, x), Some(pool.bv(1, 1)));
    assert_eq!(solver.check(pool, &[claim, y_is_0, x_is_0]), Answer::Unsat);
}

#[test]
fn a_hundred_thousand_writes() {
    const WRITES: usize = 100_000;
    let (mut solver, pool) = (z3(), &mut new_pool());
    let memory = var(pool, 0, Sort::Mem);
    let pointer = var(pool, 1, Sort::Ptr);
    let value = pool.bv(8, 1);
    let written = (0..WRITES).fold(memory, |memory, step| {
        let at = pool.ptr_add_const(pointer, step as u64);
        pool.write(memory, at, value)
    });
    let elsewhere = var(pool, 2, Sort::Ptr);
    let held = pool.read(written, elsewhere, Sort::Bv(8));
    let claim = eq_const(pool, held, 1);
    let claim = pool.not(claim);
    let same = pool.eq(elsewhere, pointer);
    solver.set_timeout(Some(std::time::Duration::from_secs(1)));
    // The answer may take longer than anyone waits; what counts is that there is one.
    let answer = solver.check(pool, &[claim, same]);
    assert_ne!(answer, Answer::Sat);
    solver.set_timeout(None);
    assert_eq!(solver.check(pool, &[]), Answer::Sat);
}
