//! What solvers are for: answers, cores and models.

use ravelin_base::EntityRef;
use ravelin_smt::smtlib::SmtLibSolver;
use ravelin_smt::{Answer, Check, Core, Model};
use ravelin_term::{BinOp, FloatKind, Object, Sort, Term, TermKind, TermPool};

use crate::operators::bit_vector_ops;
use crate::{eq_const, new_pool, var, z3};

/// The term in the model, computed from the values of its variables alone.
fn evaluate(solver: &mut SmtLibSolver, pool: &mut TermPool, term: Term) -> Term {
    let mut values = Vec::new();
    pool.for_each_subterm(term, |subterm, kind| {
        if let TermKind::Var(var) = kind {
            values.push((var, subterm));
        }
    });
    for (_, term) in &mut values {
        *term = solver.value(pool, *term).expect("variables have values");
    }
    pool.substitute(term, |_, var| {
        values.iter().find(|(known, _)| *known == var).map(|&(_, value)| value)
    })
}

#[test]
fn assertions_scopes_and_assumptions() {
    let (mut solver, pool) = (z3(), &mut new_pool());
    let x = var(pool, 0, Sort::Bv(32));
    let (is_3, is_4) = (eq_const(pool, x, 3), eq_const(pool, x, 4));
    assert_eq!(solver.check(pool, &[]), Answer::Sat);
    solver.assert(pool, is_3);
    assert_eq!(solver.check(pool, &[]), Answer::Sat);
    assert_eq!(solver.check(pool, &[is_4]), Answer::Unsat);
    solver.push();
    solver.assert(pool, is_4);
    assert_eq!(solver.check(pool, &[]), Answer::Unsat);
    solver.pop();
    assert_eq!(solver.check(pool, &[is_3, is_3]), Answer::Sat);
    // Scopes that no check saw.
    solver.push();
    solver.assert(pool, is_4);
    solver.push();
    solver.pop();
    solver.pop();
    assert_eq!(solver.check(pool, &[]), Answer::Sat);
}

#[test]
fn what_a_scope_declared_is_declared_again_after_it() {
    let (mut solver, pool) = (z3(), &mut new_pool());
    let (x, y) = (var(pool, 0, Sort::Bv(32)), var(pool, 1, Sort::Bv(32)));
    // Long enough to be a definition.
    let product = (0..5).fold(x, |product, step| {
        let sum = pool.binary(BinOp::BvAdd, product, if step % 2 == 0 { y } else { x });
        pool.binary(BinOp::BvMul, sum, product)
    });
    let odd = eq_const(pool, product, 12345);
    for _ in 0..3 {
        solver.push();
        solver.assert(pool, odd);
        let (no_x, no_y) = (eq_const(pool, x, 0), eq_const(pool, y, 0));
        assert_eq!(solver.check(pool, &[no_x, no_y]), Answer::Unsat);
        solver.pop();
    }
    let (no_x, no_y) = (eq_const(pool, x, 0), eq_const(pool, y, 0));
    assert_eq!(solver.check(pool, &[no_x, no_y]), Answer::Sat);
}

#[test]
fn a_scope_closed_and_opened_between_checks_is_another_one() {
    let (mut solver, pool) = (z3(), &mut new_pool());
    let x = var(pool, 0, Sort::Bv(8));
    let (is_1, is_2) = (eq_const(pool, x, 1), eq_const(pool, x, 2));
    solver.push();
    solver.assert(pool, is_1);
    assert_eq!(solver.check(pool, &[]), Answer::Sat);
    solver.pop();
    solver.push();
    solver.assert(pool, is_2);
    assert_eq!(solver.check(pool, &[]), Answer::Sat);
    assert_eq!(solver.check(pool, &[is_1]), Answer::Unsat);
}

#[test]
fn cores_contradict() {
    let (mut solver, pool) = (z3(), &mut new_pool());
    let vars: Vec<Term> = (0..6).map(|index| var(pool, index, Sort::Bv(16))).collect();
    // x0 < x1 < ... < x5 < x2, with the first two steps not needed.
    let mut steps: Vec<Term> =
        vars.windows(2).map(|pair| pool.binary(BinOp::BvUlt, pair[0], pair[1])).collect();
    steps.push(pool.binary(BinOp::BvUlt, vars[5], vars[2]));
    assert_eq!(solver.check(pool, &steps), Answer::Unsat);
    let core = solver.core();
    // A core need not be the smallest, but must have what every one has.
    assert!([2, 3, 4, 5].iter().all(|position| core.contains(position)), "{core:?}");
    assert!(core.is_sorted() && core.iter().all(|&position| position < steps.len()), "{core:?}");
    let in_core: Vec<Term> = core.iter().map(|&position| steps[position]).collect();
    assert_eq!(solver.check(pool, &in_core), Answer::Unsat);
    // Positions are those of the first of equal assumptions, and none is needed where the
    // assertions contradict each other.
    let (no, yes) = (pool.bool(false), pool.bool(true));
    assert_eq!(solver.check(pool, &[yes, no, no]), Answer::Unsat);
    assert_eq!(solver.core(), [1]);
    solver.assert(pool, no);
    assert_eq!(solver.check(pool, &[yes]), Answer::Unsat);
    assert_eq!(solver.core(), [0usize; 0]);
}

#[test]
fn assumptions_about_memory_have_cores_too() {
    let (mut solver, pool) = (z3(), &mut new_pool());
    let memory = var(pool, 0, Sort::Mem);
    let [p, q] = [1, 2].map(|index| var(pool, index, Sort::Ptr));
    let x = var(pool, 3, Sort::Bv(32));
    let written = pool.write(memory, p, x);
    let held = pool.read(written, q, Sort::Bv(32));
    let same_place = pool.eq(p, q);
    let same_value = pool.eq(held, x);
    let other_value = pool.not(same_value);
    let x_is_7 = eq_const(pool, x, 7);
    let assumptions = [x_is_7, same_place, other_value];
    for _ in 0..2 {
        assert_eq!(solver.check(pool, &assumptions), Answer::Unsat);
        let core = solver.core();
        assert!(core.contains(&1) && core.contains(&2), "{core:?}");
        assert_eq!(solver.core(), core);
        // What was assumed is not asserted.
        assert_eq!(solver.check(pool, &[x_is_7, other_value]), Answer::Sat);
        assert_eq!(solver.value(pool, x), Some(pool.bv(32, 7)));
    }
}

#[test]
fn models_satisfy_what_was_asked() {
    let pool = &mut new_pool();
    let mut random = fastrand::Rng::with_seed(7);
    let mut satisfiable = 0;
    for _ in 0..60 {
        let mut solver = z3();
        let formulas: Vec<Term> = (0..4).map(|_| formula(pool, &mut random)).collect();
        for &formula in &formulas[..2] {
            solver.assert(pool, formula);
        }
        if solver.check(pool, &formulas[2..]) != Answer::Sat {
            continue;
        }
        satisfiable += 1;
        for formula in formulas {
            let value = evaluate(&mut solver, pool, formula);
            assert_eq!(pool.as_bool(value), Some(true), "{formula}");
            let value = solver.value(pool, formula);
            assert_eq!(value.and_then(|value| pool.as_bool(value)), Some(true));
        }
    }
    assert!(satisfiable > 10, "only {satisfiable} formulas of 60 are satisfiable");
}

/// A comparison of random arithmetic over four variables.
fn formula(pool: &mut TermPool, random: &mut fastrand::Rng) -> Term {
    let mut terms: Vec<Term> = (0..4).map(|index| var(pool, index, Sort::Bv(16))).collect();
    for _ in 0..6 {
        let op = random.choice(bit_vector_ops()).expect("operators");
        let (a, b) = (random.usize(..terms.len()), random.usize(..terms.len()));
        // Division by zero is not folded, so models of it could not be evaluated.
        if !matches!(op, BinOp::BvUdiv | BinOp::BvSdiv | BinOp::BvUrem | BinOp::BvSrem) {
            terms.push(pool.binary(op, terms[a], terms[b]));
        }
    }
    let last = terms[terms.len() - 1];
    let other = terms[random.usize(..terms.len())];
    if random.bool() {
        eq_const(pool, last, random.u128(..64))
    } else {
        pool.binary(BinOp::BvSlt, last, other)
    }
}

#[test]
fn values_of_terms_that_the_solver_never_saw() {
    let (mut solver, pool) = (z3(), &mut new_pool());
    let (x, unknown) = (var(pool, 0, Sort::Bv(32)), var(pool, 1, Sort::Bv(32)));
    let is_5 = eq_const(pool, x, 5);
    solver.push();
    solver.assert(pool, is_5);
    assert_eq!(solver.check(pool, &[]), Answer::Sat);
    // The model outlives the scope of the check.
    solver.pop();
    let square = pool.binary(BinOp::BvMul, x, x);
    let sum = pool.binary(BinOp::BvAdd, square, unknown);
    let value = solver.value(pool, unknown).and_then(|value| pool.as_bv(value)).expect("any value");
    let sum = solver.value(pool, sum).and_then(|value| pool.as_bv(value));
    assert_eq!(sum, Some(25 + value));
    assert_eq!(solver.check(pool, &[]), Answer::Sat);
}

#[test]
fn models_of_floats_pointers_and_memory() {
    let (mut solver, pool) = (z3(), &mut new_pool());
    let float = var(pool, 0, Sort::Float(FloatKind::F64));
    let pointer = var(pool, 1, Sort::Ptr);
    let memory = var(pool, 2, Sort::Mem);
    let half = pool.float(FloatKind::F64, u128::from(0.5f64.to_bits()));
    let is_half = pool.eq(float, half);
    let target = pool.address(Object::new(3));
    let target = pool.ptr_add_const(target, 8);
    let at_target = pool.eq(pointer, target);
    let held = pool.read(memory, pointer, Sort::Bv(32));
    let holds = eq_const(pool, held, 0xdead_beef);
    for term in [is_half, at_target, holds] {
        solver.assert(pool, term);
    }
    assert_eq!(solver.check(pool, &[]), Answer::Sat);
    assert_eq!(solver.value(pool, float), Some(half));
    assert_eq!(solver.value(pool, pointer), Some(target));
    assert_eq!(solver.value(pool, held), Some(pool.bv(32, 0xdead_beef)));
    // Parts of what is known, at pointers and of sizes that the solver never saw.
    let next = pool.ptr_add_const(target, 1);
    let inside = pool.read(memory, next, Sort::Bv(16));
    assert_eq!(solver.value(pool, inside), Some(pool.bv(16, 0xadbe)));
    let zero = pool.bv(8, 0);
    let written = pool.write(memory, next, zero);
    let behind = pool.read(written, next, Sort::Bv(8));
    assert_eq!(solver.value(pool, behind), Some(zero));
}
