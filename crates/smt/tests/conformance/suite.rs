//! What every backend must do, as one suite: [`check_all`] is called by the tests of each.
//!
//! The oracle is the constant folder of `ravelin-term`: a solver must say of an operation on
//! literals what folding says. Where the encoding is wider than the meaning (the bits of a NaN, the
//! addresses of objects), only what must hold of every such value is checked.

use std::time::Duration;

use ravelin_base::EntityRef;
use ravelin_term::text::Indices;
use ravelin_term::{BinOp, DYNAMIC_OBJECTS, FloatKind, Object, Sort, Term, TermPool, UnOp, Var};

use ravelin_smt::{Answer, Solver};

use crate::operators;

/// Runs the whole suite on solvers that `make` makes for a width of pointers, each for one pool.
pub fn check_all<S: Solver>(make: impl Fn(u16) -> S) {
    scopes_take_back_what_was_asserted(&make);
    assumptions_hold_for_one_check(&make);
    cores_suffice(&make);
    definitions_survive_scopes(&make);
    operators::bit_vectors_compute_as_folding_does(&make);
    operators::floats_compute_as_folding_does(&make);
    operators::pointers_are_pairs(&make);
    operators::addresses_are_consistent(&make);
    operators::memory_holds_what_was_written(&make);
    operators::pointers_survive_memory(&make);
    models_satisfy(&make);
    values_have_their_sorts(&make);
    time_limits_are_kept(&make);
    deep_terms_are_no_problem(&make);
}

pub fn text(pool: &TermPool, term: Term) -> String {
    let mut text = String::new();
    pool.print(&mut text, term, &Indices).expect("strings take all writes");
    text
}

/// Under the assumptions, the term holds for all values of its variables, and there are such.
#[track_caller]
pub fn check_valid<S: Solver>(solver: &mut S, pool: &mut TermPool, given: &[Term], term: Term) {
    let mut assumptions = given.to_vec();
    assumptions.push(term);
    let answer = solver.check(pool, &assumptions);
    assert_eq!(answer, Answer::Sat, "{} must be possible", text(pool, term));
    let negated = pool.not(term);
    assumptions.pop();
    assumptions.push(negated);
    let answer = solver.check(pool, &assumptions);
    assert_eq!(answer, Answer::Unsat, "{} must hold", text(pool, term));
}

/// Under the assumptions, the term may hold and may fail.
#[track_caller]
pub fn check_open<S: Solver>(solver: &mut S, pool: &mut TermPool, given: &[Term], term: Term) {
    let negated = pool.not(term);
    for case in [term, negated] {
        let assumptions: Vec<Term> = given.iter().copied().chain([case]).collect();
        let answer = solver.check(pool, &assumptions);
        assert_eq!(answer, Answer::Sat, "{} must be possible", text(pool, case));
    }
}

pub struct Vars(pub usize);

impl Vars {
    pub fn fresh(&mut self, pool: &mut TermPool, sort: Sort) -> Term {
        self.0 += 1;
        pool.var(Var::new(self.0), sort)
    }
}

fn scopes_take_back_what_was_asserted<S: Solver>(make: &impl Fn(u16) -> S) {
    let solver = &mut make(64);
    let mut pool = TermPool::new(64);
    let x = pool.var(Var::new(0), Sort::Bv(8));
    let (one, two) = (pool.bv(8, 1), pool.bv(8, 2));
    let (is_one, is_two) = (pool.eq(x, one), pool.eq(x, two));
    solver.push();
    solver.assert(&pool, is_one);
    solver.push();
    solver.assert(&pool, is_two);
    assert_eq!(solver.check(&pool, &[]), Answer::Unsat);
    solver.pop();
    assert_eq!(solver.check(&pool, &[]), Answer::Sat);
    assert_eq!(solver.check(&pool, &[is_two]), Answer::Unsat);
    solver.pop();
    assert_eq!(solver.check(&pool, &[is_two]), Answer::Sat);
}

fn assumptions_hold_for_one_check<S: Solver>(make: &impl Fn(u16) -> S) {
    let solver = &mut make(64);
    let mut pool = TermPool::new(64);
    let p = pool.var(Var::new(0), Sort::Bool);
    let not_p = pool.not(p);
    assert_eq!(solver.check(&pool, &[p]), Answer::Sat);
    assert_eq!(solver.check(&pool, &[not_p]), Answer::Sat);
    assert_eq!(solver.check(&pool, &[p, not_p]), Answer::Unsat);
    let (yes, no) = (pool.bool(true), pool.bool(false));
    assert_eq!(solver.check(&pool, &[yes]), Answer::Sat);
    assert_eq!(solver.check(&pool, &[p, no]), Answer::Unsat);
    assert!(solver.core().contains(&1), "false alone is the contradiction");
    assert_eq!(solver.check(&pool, &[]), Answer::Sat);
}

fn cores_suffice<S: Solver>(make: &impl Fn(u16) -> S) {
    let solver = &mut make(64);
    let mut pool = TermPool::new(64);
    let mut random = fastrand::Rng::with_seed(3);
    let vars: Vec<Term> = (0..4).map(|index| pool.var(Var::new(index), Sort::Bv(8))).collect();
    let mut unsat = 0;
    for _ in 0..40 {
        // Bounds and orders, many of which contradict each other.
        let assumptions: Vec<Term> = (0..8)
            .map(|_| {
                let (a, b) = (vars[random.usize(..4)], vars[random.usize(..4)]);
                let constant = pool.bv(8, random.u128(..256));
                match random.usize(..3) {
                    0 => pool.binary(BinOp::BvUlt, a, b),
                    1 => pool.binary(BinOp::BvSle, a, constant),
                    _ => pool.eq(a, constant),
                }
            })
            .collect();
        if solver.check(&pool, &assumptions) != Answer::Unsat {
            continue;
        }
        unsat += 1;
        let core = solver.core();
        assert!(core.is_sorted() && core.iter().all(|&at| at < assumptions.len()), "{core:?}");
        let core: Vec<Term> = core.iter().map(|&at| assumptions[at]).collect();
        assert_eq!(solver.check(&pool, &core), Answer::Unsat);
    }
    assert!(unsat > 5, "the assumptions must contradict each other now and then");

    // With floats and memory, which backends may treat in other ways.
    let f = pool.var(Var::new(10), Sort::Float(FloatKind::F64));
    let (m, p) = (pool.var(Var::new(11), Sort::Mem), pool.var(Var::new(12), Sort::Ptr));
    let one = pool.float(FloatKind::F64, u128::from(1f64.to_bits()));
    let (above, below) = (pool.binary(BinOp::FLt, one, f), pool.binary(BinOp::FLt, f, one));
    let read = pool.read(m, p, Sort::Bv(8));
    let (seven, eight) = (pool.bv(8, 7), pool.bv(8, 8));
    let (is_seven, is_eight) = (pool.eq(read, seven), pool.eq(read, eight));
    for (question, needed) in
        [([is_seven, above, below], [1, 2]), ([is_seven, above, is_eight], [0, 2])]
    {
        assert_eq!(solver.check(&pool, &question), Answer::Unsat);
        let core = solver.core();
        assert!(needed.iter().all(|at| core.contains(at)), "{core:?} is no core");
    }
}

/// What a scope made up for its own use is there in the next scope, too.
fn definitions_survive_scopes<S: Solver>(make: &impl Fn(u16) -> S) {
    let solver = &mut make(64);
    let mut pool = TermPool::new(64);
    let x = pool.var(Var::new(0), Sort::Float(FloatKind::F32));
    let bits = pool.unary(UnOp::FToBits, x);
    let one = pool.float(FloatKind::F32, u128::from(1f32.to_bits()));
    let is_one = pool.eq(x, one);
    let expected = pool.bv(32, u128::from(1f32.to_bits()));
    let same = pool.eq(bits, expected);
    for _ in 0..3 {
        solver.push();
        check_valid(solver, &mut pool, &[is_one], same);
        solver.pop();
    }
    check_valid(solver, &mut pool, &[is_one], same);
}

/// A random condition over bit-vector variables.
fn random_condition(pool: &mut TermPool, random: &mut fastrand::Rng, vars: &[Term]) -> Term {
    let mut number = |pool: &mut TermPool| {
        let mut term = vars[random.usize(..vars.len())];
        for _ in 0..random.usize(..3) {
            let other = if random.bool() {
                vars[random.usize(..vars.len())]
            } else {
                pool.bv(16, random.u128(..40))
            };
            let ops = [BinOp::BvAdd, BinOp::BvSub, BinOp::BvMul, BinOp::BvXor, BinOp::BvLshr];
            term = pool.binary(ops[random.usize(..ops.len())], term, other);
        }
        term
    };
    let (a, b) = (number(pool), number(pool));
    let ops = [BinOp::Eq, BinOp::BvUlt, BinOp::BvSle];
    pool.binary(ops[random.usize(..ops.len())], a, b)
}

fn models_satisfy<S: Solver>(make: &impl Fn(u16) -> S) {
    let solver = &mut make(64);
    let mut pool = TermPool::new(64);
    let mut random = fastrand::Rng::with_seed(5);
    let vars: Vec<Term> = (0..4).map(|index| pool.var(Var::new(index), Sort::Bv(16))).collect();
    let mut satisfied = 0;
    for _ in 0..30 {
        let conditions: Vec<Term> =
            (0..4).map(|_| random_condition(&mut pool, &mut random, &vars)).collect();
        if solver.check(&pool, &conditions) != Answer::Sat {
            continue;
        }
        satisfied += 1;
        let values: Vec<Term> = vars
            .iter()
            .map(|&var| solver.value(&mut pool, var).expect("a model has values"))
            .collect();
        for condition in conditions {
            let value = pool.substitute(condition, |_, var| Some(values[var.index()]));
            assert_eq!(pool.as_bool(value), Some(true), "{}", text(&pool, condition));
        }
    }
    assert!(satisfied > 5, "the conditions must hold together now and then");
}

fn values_have_their_sorts<S: Solver>(make: &impl Fn(u16) -> S) {
    let solver = &mut make(64);
    let mut pool = TermPool::new(64);
    let mut vars = Vars(0);
    let a = pool.address(Object::new(6));
    let a = pool.ptr_add_const(a, 12);
    let null = pool.null();
    let integer = pool.ptr_add_const(null, 99);
    let heap = {
        let number = pool.bv(32, u128::from(DYNAMIC_OBJECTS) + 1);
        let offset = pool.offset(8);
        pool.binary(BinOp::PtrMake, number, offset)
    };
    let literals = [
        pool.bool(true),
        pool.bv(7, 100),
        pool.bv(128, u128::MAX - 5),
        pool.float(FloatKind::F32, u128::from(1.5f32.to_bits())),
        pool.float(FloatKind::F64, u128::from((-0.0f64).to_bits())),
        pool.float(FloatKind::F80, 0x4000_c000 << 48),
        pool.float(FloatKind::F128, 0x4000_8000 << 96),
        null,
        a,
        integer,
        heap,
    ];
    for literal in literals {
        let sort = pool.sort(literal);
        let var = vars.fresh(&mut pool, sort);
        let equal = match pool.sort(literal) {
            // By the bits, as zeros have signs.
            Sort::Float(_) => {
                let (left, right) =
                    (pool.unary(UnOp::FToBits, var), pool.unary(UnOp::FToBits, literal));
                pool.eq(left, right)
            }
            _ => pool.eq(var, literal),
        };
        assert_eq!(solver.check(&pool, &[equal]), Answer::Sat);
        let value = solver.value(&mut pool, var).expect("a model has values");
        assert_eq!(value, literal, "{} is {}", text(&pool, literal), text(&pool, value));
    }
    // Variables that nothing was said about have values, too.
    assert_eq!(solver.check(&pool, &[]), Answer::Sat);
    let unknown = vars.fresh(&mut pool, Sort::Bv(32));
    let value = solver.value(&mut pool, unknown).expect("models are completed");
    assert!(pool.is_literal(value));
}

fn time_limits_are_kept<S: Solver>(make: &impl Fn(u16) -> S) {
    let solver = &mut make(64);
    let mut pool = TermPool::new(64);
    let mut vars = Vars(0);
    // Factoring the product of two primes of 31 bits each.
    let (x, y) = (vars.fresh(&mut pool, Sort::Bv(64)), vars.fresh(&mut pool, Sort::Bv(64)));
    let product = pool.bv(64, 2_147_483_629 * 2_147_483_647);
    let factors = pool.binary(BinOp::BvMul, x, y);
    let equal = pool.eq(factors, product);
    let limit = pool.bv(64, 1 << 32);
    let one = pool.bv(64, 1);
    let mut conditions = vec![equal];
    for factor in [x, y] {
        conditions.push(pool.binary(BinOp::BvUlt, factor, limit));
        conditions.push(pool.binary(BinOp::BvUlt, one, factor));
    }
    solver.set_timeout(Some(Duration::from_millis(60)));
    let start = std::time::Instant::now();
    let answer = solver.check(&pool, &conditions);
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    assert!(start.elapsed() < Duration::from_secs(10), "the limit is not kept");
    // The same with memory, which backends may treat in other ways.
    let (m, p) = (vars.fresh(&mut pool, Sort::Mem), vars.fresh(&mut pool, Sort::Ptr));
    let read = pool.read(m, p, Sort::Bv(64));
    conditions.push(pool.eq(read, x));
    let answer = solver.check(&pool, &conditions);
    assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    assert!(start.elapsed() < Duration::from_secs(20), "the limit is not kept");
    // The solver is usable afterwards.
    solver.set_timeout(None);
    let three = pool.bv(64, 3);
    let easy = pool.eq(x, three);
    assert_eq!(solver.check(&pool, &[easy]), Answer::Sat);
}

fn deep_terms_are_no_problem<S: Solver>(make: &impl Fn(u16) -> S) {
    let solver = &mut make(64);
    const DEPTH: usize = 5_000;
    let mut pool = TermPool::new(64);
    let x = pool.var(Var::new(0), Sort::Bv(8));
    let mut term = x;
    for index in 0..DEPTH {
        let constant = pool.bv(8, index as u128);
        term = pool.binary(BinOp::BvXor, term, x);
        term = pool.binary(BinOp::BvAdd, term, constant);
    }
    let five = pool.bv(8, 5);
    let claim = pool.eq(x, five);
    let folded = pool.substitute(term, |_, _| Some(five));
    let same = pool.eq(term, folded);
    assert_eq!(solver.check(&pool, &[claim, same]), Answer::Sat);
}
