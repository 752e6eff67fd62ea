//! Interpolants, projections and guesses, checked by what they must satisfy.

use std::time::Duration;

use ravelin_base::EntityRef;
use ravelin_smt::horn::{Application, Clause, HornClauses, Overflow, Predicate};
use ravelin_smt::z3_backend::{Z3Prover, Z3Solver};
use ravelin_smt::{Answer, Check, Interpolate, Project, ProofError, SolveHorn};
use ravelin_term::text::Indices;
use ravelin_term::{BinOp, Object, Sort, Term, TermPool, UnOp, Var};

const LIMIT: Option<Duration> = Some(Duration::from_secs(20));

/// For questions that may be too hard.
const SHORT: Option<Duration> = Some(Duration::from_secs(1));

fn text(pool: &TermPool, term: Term) -> String {
    let mut text = String::new();
    pool.print(&mut text, term, &Indices).expect("strings take all writes");
    text
}

fn int(pool: &mut TermPool, index: usize) -> Term {
    pool.var(Var::new(index), Sort::Bv(32))
}

/// Each interpolant follows from the one before it and the step between them, the last contradicts
/// the last step, and each is about common variables only.
#[track_caller]
fn check_interpolants(pool: &mut TermPool, steps: &[Term]) -> Vec<Term> {
    let found = Z3Prover.sequence_interpolants(pool, steps, LIMIT).expect("interpolants");
    check_these(pool, steps, &found);
    found
}

#[track_caller]
fn check_these(pool: &mut TermPool, steps: &[Term], found: &[Term]) {
    assert_eq!(found.len(), steps.len() - 1);
    let mut solver = Z3Solver::new();
    let mut before = pool.bool(true);
    for (index, &interpolant) in found.iter().enumerate() {
        let wrong = pool.not(interpolant);
        let answer = solver.check(pool, &[before, steps[index], wrong]);
        assert_eq!(answer, Answer::Unsat, "{} does not follow", text(pool, interpolant));
        before = interpolant;
        let vars = |steps: &[Term]| -> Vec<Var> {
            steps.iter().flat_map(|&step| pool.vars_of(step)).collect()
        };
        let (left, right) = (vars(&steps[..=index]), vars(&steps[index + 1..]));
        for var in pool.vars_of(interpolant) {
            assert!(left.contains(&var) && right.contains(&var), "{var} is not common");
        }
    }
    assert_eq!(solver.check(pool, &[before, steps[steps.len() - 1]]), Answer::Unsat);
}

#[test]
fn a_loop_that_counts() {
    let mut pool = TermPool::new(64);
    // x0 = 0; x1 = x0 + 1; x2 = x1 + 1; x2 > 5
    let vars: Vec<Term> = (0..3).map(|index| int(&mut pool, index)).collect();
    let (zero, one, five) = (pool.bv(32, 0), pool.bv(32, 1), pool.bv(32, 5));
    let mut steps = vec![pool.eq(vars[0], zero)];
    for pair in vars.windows(2) {
        let next = pool.binary(BinOp::BvAdd, pair[0], one);
        steps.push(pool.eq(pair[1], next));
    }
    steps.push(pool.binary(BinOp::BvSlt, five, vars[2]));
    check_interpolants(&mut pool, &steps);
}

#[test]
fn a_relation_between_variables() {
    let mut pool = TermPool::new(64);
    // x = y & ~c; then x and y differ where c holds not.
    let [x, y, z] = [0, 1, 2].map(|index| int(&mut pool, index));
    let c = pool.var(Var::new(3), Sort::Bool);
    let same = pool.eq(x, y);
    let not_c = pool.not(c);
    let first = pool.and(same, not_c);
    let one = pool.bv(32, 1);
    let next = pool.binary(BinOp::BvAdd, y, one);
    let second = pool.eq(z, next);
    let is_z = pool.eq(x, z);
    let third = pool.or(is_z, c);
    check_interpolants(&mut pool, &[first, second, third]);
}

#[test]
fn pointers() {
    let mut pool = TermPool::new(64);
    let [p, q] = [0, 1].map(|index| pool.var(Var::new(index), Sort::Ptr));
    let a = pool.address(Object::new(0));
    let null = pool.null();
    let (p_is_a, q_is_p) = (pool.eq(p, a), pool.eq(q, p));
    let q_is_null = pool.eq(q, null);
    let found = check_interpolants(&mut pool, &[p_is_a, q_is_p, q_is_null]);
    assert_eq!(found.len(), 2);
}

#[test]
fn steps_that_have_a_solution_have_no_interpolants() {
    let mut pool = TermPool::new(64);
    let x = int(&mut pool, 0);
    let (one, two) = (pool.bv(32, 1), pool.bv(32, 2));
    let is_one = pool.eq(x, one);
    let less = pool.binary(BinOp::BvUlt, x, two);
    let found = Z3Prover.sequence_interpolants(&mut pool, &[is_one, less], LIMIT);
    assert_eq!(found, Err(ProofError::Satisfiable));
    // Floats are refused.
    let f = pool.var(Var::new(5), Sort::Float(ravelin_term::FloatKind::F64));
    let nan = pool.unary(UnOp::FIsNan, f);
    let not_nan = pool.not(nan);
    let found = Z3Prover.sequence_interpolants(&mut pool, &[nan, not_nan], LIMIT);
    assert!(matches!(found, Err(ProofError::NotExpressible(_))), "{found:?}");
}

#[test]
fn random_bounds() {
    let mut random = fastrand::Rng::with_seed(11);
    let mut pool = TermPool::new(64);
    let vars: Vec<Term> = (0..4).map(|index| pool.var(Var::new(index), Sort::Bv(8))).collect();
    let mut solver = Z3Solver::new();
    let mut found = 0;
    for _ in 0..12 {
        let steps: Vec<Term> = (0..3)
            .map(|step| {
                let mut all = pool.bool(true);
                for _ in 0..2 {
                    let (a, b) = (vars[step + random.usize(..2)], vars[step + random.usize(..2)]);
                    let constant = pool.bv(8, random.u128(..12));
                    let part = match random.usize(..3) {
                        0 => pool.binary(BinOp::BvUlt, a, b),
                        1 => pool.binary(BinOp::BvUlt, constant, a),
                        _ => pool.binary(BinOp::BvUle, b, constant),
                    };
                    all = pool.and(all, part);
                }
                all
            })
            .collect();
        if solver.check(&pool, &steps) == Answer::Unsat
            && let Ok(interpolants) = Z3Prover.sequence_interpolants(&mut pool, &steps, SHORT)
        {
            check_these(&mut pool, &steps, &interpolants);
            found += 1;
        }
    }
    assert!(found > 2, "some steps must contradict each other");
}

/// The result has the same solutions as the formula under the quantifier: it follows from the
/// formula, and each of its solutions on a few points extends to one of the formula.
#[track_caller]
fn check_projection(pool: &mut TermPool, formula: Term, vars: &[Var], expected: Option<&str>) {
    let result = Z3Prover.eliminate(pool, formula, vars, LIMIT).expect("a projection");
    if let Some(expected) = expected {
        assert_eq!(text(pool, result), expected);
    }
    for var in pool.vars_of(result) {
        assert!(!vars.contains(&var), "{var} is still there");
    }
    let mut solver = Z3Solver::new();
    let wrong = pool.not(result);
    assert_eq!(solver.check(pool, &[formula, wrong]), Answer::Unsat, "{}", text(pool, result));
    // Every point that the result allows.
    let others: Vec<Var> =
        pool.vars_of(formula).into_iter().filter(|var| !vars.contains(var)).collect();
    let mut random = fastrand::Rng::with_seed(5);
    for _ in 0..20 {
        let point: Vec<(Var, u128)> = others.iter().map(|&var| (var, random.u128(..20))).collect();
        let at = |pool: &mut TermPool, term: Term| {
            pool.substitute(term, |pool, var| {
                let &(_, value) = point.iter().find(|(other, _)| *other == var)?;
                Some(pool.bv(8, value))
            })
        };
        let allowed = at(pool, result);
        let left = at(pool, formula);
        let answer = solver.check(pool, &[left]);
        assert_eq!(pool.as_bool(allowed), Some(answer == Answer::Sat), "at {point:?}");
    }
}

#[test]
fn projections() {
    let mut pool = TermPool::new(64);
    let [x, y, z] = [0, 1, 2].map(|index| pool.var(Var::new(index), Sort::Bv(8)));
    let (gone, one) = ([Var::new(0)], pool.bv(8, 1));
    // An equation to solve: y = x + 1, x < z.
    let sum = pool.binary(BinOp::BvAdd, x, one);
    let (equation, less) = (pool.eq(y, sum), pool.binary(BinOp::BvUlt, x, z));
    let formula = pool.and(equation, less);
    check_projection(&mut pool, formula, &gone, Some("bvult(bvadd(v1, -1:bv8), v2)"));
    // Something that can always be satisfied, or nearly.
    check_projection(&mut pool, less, &gone, Some("not(eq(v2, 0:bv8))"));
    let different = pool.not(equation);
    check_projection(&mut pool, different, &gone, Some("true"));
    // Two bounds.
    let above = pool.binary(BinOp::BvUlt, y, x);
    let between = pool.and(above, less);
    check_projection(&mut pool, between, &gone, None);
    // A contradiction.
    let ten = pool.bv(8, 10);
    let is_ten = pool.eq(x, ten);
    let small = pool.binary(BinOp::BvUlt, x, one);
    let never = pool.and(is_ten, small);
    check_projection(&mut pool, never, &gone, Some("false"));
    // A choice of two equations.
    let is_y = pool.eq(x, y);
    let is_z = pool.eq(x, z);
    let either = pool.or(is_y, is_z);
    let formula = pool.and(either, small);
    check_projection(&mut pool, formula, &gone, None);
}

/// All values of variables of four bits, by folding alone.
#[test]
fn random_projections() {
    let mut random = fastrand::Rng::with_seed(13);
    let mut pool = TermPool::new(64);
    let vars: Vec<Term> = (0..3).map(|index| pool.var(Var::new(index), Sort::Bv(4))).collect();
    let mut projected = 0;
    for _ in 0..150 {
        let mut formula = pool.bool(true);
        for _ in 0..random.usize(1..5) {
            let mut number = |pool: &mut TermPool| {
                let var = vars[random.usize(..3)];
                let other = pool.bv(4, random.u128(..16));
                match random.usize(..5) {
                    0 => pool.binary(BinOp::BvAdd, var, other),
                    1 => pool.binary(BinOp::BvXor, var, vars[random.usize(..3)]),
                    2 => pool.binary(BinOp::BvSub, other, var),
                    3 => other,
                    _ => var,
                }
            };
            let (a, b) = (number(&mut pool), number(&mut pool));
            let ops = [BinOp::Eq, BinOp::BvUlt, BinOp::BvUle, BinOp::BvSlt, BinOp::BvSle];
            let mut part = pool.binary(ops[random.usize(..5)], a, b);
            if random.bool() {
                part = pool.not(part);
            }
            formula = if random.usize(..4) == 0 {
                pool.or(formula, part)
            } else {
                pool.and(formula, part)
            };
        }
        let gone = Var::new(0);
        let Some(result) = Z3Prover.eliminate(&mut pool, formula, &[gone], LIMIT) else { continue };
        projected += 1;
        assert!(!pool.vars_of(result).contains(&gone));
        for point in 0..256u128 {
            let at = |pool: &mut TermPool, term: Term, x: u128| {
                let values = [x, point & 15, point >> 4];
                let term = pool.substitute(term, |pool, var| Some(pool.bv(4, values[var.index()])));
                pool.as_bool(term).expect("a closed term folds")
            };
            let possible = (0..16).any(|x| at(&mut pool, formula, x));
            let (formula, result_text) = (text(&pool, formula), text(&pool, result));
            let result = at(&mut pool, result, 0);
            assert_eq!(possible, result, "{formula} gives {result_text}, wrong at {point}");
        }
    }
    assert!(projected > 100, "only {projected} were projected");
}

/// A procedure that moves one number to another, step by step: what it returns is their sum. `is_sum` is what
/// the caller believes.
fn moves_a_number(pool: &mut TermPool, is_sum: bool) -> (Vec<Predicate>, Vec<Clause>) {
    let [n, m, r] = [0, 1, 2].map(|index| int(pool, index));
    let (zero, one, yes) = (pool.bv(32, 0), pool.bv(32, 1), pool.bool(true));
    let summary = |args: [Term; 3]| Application { predicate: 0, args: args.to_vec() };
    let (less, more) = (pool.binary(BinOp::BvSub, n, one), pool.binary(BinOp::BvAdd, m, one));
    let is_zero = pool.eq(n, zero);
    let is_more = pool.not(is_zero);
    let sum = pool.binary(BinOp::BvAdd, n, m);
    let is_it = pool.eq(r, sum);
    let wrong = if is_sum { pool.not(is_it) } else { is_it };
    let clauses = vec![
        Clause { body: vec![], constraint: yes, head: Some(summary([zero, m, m])) },
        Clause {
            body: vec![summary([less, more, r])],
            constraint: is_more,
            head: Some(summary([n, m, r])),
        },
        Clause { body: vec![summary([n, m, r])], constraint: wrong, head: None },
    ];
    (vec![Predicate { params: vec![n, m, r] }], clauses)
}

#[test]
fn equations_are_guessed_that_hold_of_numbers_with_an_end() {
    let mut pool = TermPool::new(64);
    let (predicates, clauses) = moves_a_number(&mut pool, true);
    let found = solve(&mut pool, &predicates, &clauses);
    let [candidates] = found.expect("a guess").try_into().expect("there is one predicate");
    let [n, m, r] = [0, 1, 2].map(|index| int(&mut pool, index));
    let sum = pool.binary(BinOp::BvAdd, n, m);
    let is_it = pool.eq(r, sum);
    let is_guessed = candidates.iter().any(|&candidate| {
        let same = pool.eq(candidate, is_it);
        let other = pool.not(same);
        Z3Solver::new().check(&pool, &[other]) == Answer::Unsat
    });
    let texts: Vec<String> = candidates.iter().map(|&term| text(&pool, term)).collect();
    assert!(is_guessed, "{texts:?}");
}

fn solve(
    pool: &mut TermPool,
    predicates: &[Predicate],
    clauses: &[Clause],
) -> Result<Vec<Vec<Term>>, ProofError> {
    let is_signed = &|_| false;
    let clauses = HornClauses { predicates, clauses, is_signed, overflow: Overflow::Unbounded };
    Z3Prover.solve_horn(pool, &clauses, LIMIT)
}

#[test]
fn clauses_without_solution_have_no_guess() {
    let mut pool = TermPool::new(64);
    let (predicates, clauses) = moves_a_number(&mut pool, false);
    let found = solve(&mut pool, &predicates, &clauses);
    assert_eq!(found, Err(ProofError::Satisfiable));
}
