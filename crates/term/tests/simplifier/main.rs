//! The simplifier and the constant folder against a naive evaluator.
//!
//! The test evaluates random graphs of operations directly, and then as the terms that the builders
//! made of them: the values must agree.

mod eval;
mod graph;

use eval::{Assignment, Pointers, Value, evaluate_pool};
use graph::{Graph, Random, variables};
use ravelin_base::EntityRef;
use ravelin_term::text::Indices;
use ravelin_term::{Term, TermKind, TermPool, Var};

const SEEDS: u64 = 150;
const NODES: usize = 400;
const ASSIGNMENTS: usize = 6;

/// Both pointer widths, and graphs from many seeds.
fn for_each_graph(mut check: impl FnMut(&Graph, &mut TermPool, &[Term], &mut Random)) {
    for seed in 0..SEEDS {
        let mut random = Random::new(seed);
        let pointer_bits = if seed % 2 == 0 { 64 } else { 32 };
        let pointers = if seed % 3 == 0 { Pointers::Addresses } else { Pointers::Pairs };
        let graph = Graph::random(&mut random, pointer_bits, pointers, NODES);
        let mut pool = TermPool::new(pointer_bits);
        let terms = graph.build(&mut pool);
        check(&graph, &mut pool, &terms, &mut random);
    }
}

#[test]
fn what_is_built_has_the_value_of_what_was_meant() {
    for_each_graph(|graph, pool, terms, random| {
        for _ in 0..ASSIGNMENTS {
            let assignment = Assignment::random(random, graph.pointers);
            let meant = graph.evaluate(&assignment);
            let built = evaluate_pool(pool, &assignment);
            for (index, &term) in terms.iter().enumerate() {
                let value = built[term.index()];
                assert!(
                    meant[index].same(value),
                    "node {index}, {}: meant {:?}, built {value:?}",
                    graph.describe(index),
                    meant[index],
                );
            }
        }
    });
}

#[test]
fn terms_have_the_sorts_of_what_was_meant() {
    for_each_graph(|graph, pool, terms, _| {
        for (index, &term) in terms.iter().enumerate() {
            assert_eq!(pool.sort(term), graph.sort(index));
        }
    });
}

#[test]
fn what_is_built_is_in_normal_form() {
    for_each_graph(|_, pool, _, _| {
        let all: Vec<Term> = pool.iter().collect();
        for term in all {
            let again = match pool.kind(term) {
                TermKind::Unary(op, a) => pool.unary(op, a),
                TermKind::Binary(op, a, b) => pool.binary(op, a, b),
                TermKind::Ite(cond, a, b) => pool.ite(cond, a, b),
                TermKind::Read(mem, pointer) => pool.read(mem, pointer, pool.sort(term)),
                TermKind::Write(mem, pointer, value) => pool.write(mem, pointer, value),
                _ => term,
            };
            assert_eq!(again, term);
        }
    });
}

#[test]
fn the_look_of_a_term_does_not_depend_on_what_was_built_before() {
    for_each_graph(|graph, pool, terms, random| {
        let mut other = TermPool::new(pool.pointer_bits());
        // Another history: some part of the graph first, in another order.
        let skipped = random.below(NODES);
        graph.build_from(&mut other, skipped);
        let again = graph.build(&mut other);
        let text = |pool: &TermPool, term| {
            let mut text = String::new();
            pool.print(&mut text, term, &Indices).expect("strings take all writes");
            text
        };
        for _ in 0..30 {
            let at = random.below(terms.len());
            assert_eq!(text(pool, terms[at]), text(&other, again[at]));
        }
    });
}

#[test]
fn substitution_is_evaluation_under_other_values() {
    for_each_graph(|graph, pool, terms, random| {
        // A literal for some variables, and another term of the sort for others.
        let mut replaced: Vec<(Var, Term)> = Vec::new();
        for (var, sort) in variables() {
            let candidates: Vec<Term> =
                terms.iter().copied().filter(|&term| pool.sort(term) == sort).collect();
            if random.below(2) == 0 && !candidates.is_empty() {
                replaced.push((var, candidates[random.below(candidates.len())]));
            }
        }
        let targets: Vec<Term> = (0..20).map(|_| terms[random.below(terms.len())]).collect();
        let results: Vec<Term> = targets
            .iter()
            .map(|&term| {
                pool.substitute(term, |_, var| {
                    replaced.iter().find(|(from, _)| *from == var).map(|&(_, to)| to)
                })
            })
            .collect();
        for _ in 0..ASSIGNMENTS {
            let before = Assignment::random(random, graph.pointers);
            let values = evaluate_pool(pool, &before);
            let mut after = before.clone();
            for &(var, term) in &replaced {
                after.set(var, values[term.index()]);
            }
            let expected = evaluate_pool(pool, &after);
            for (target, result) in targets.iter().zip(&results) {
                let (expected, value) = (expected[target.index()], values[result.index()]);
                assert!(expected.same(value), "expected {expected:?}, got {value:?}");
            }
        }
    });
}

#[test]
fn closed_terms_of_integers_fold_to_literals() {
    for_each_graph(|graph, pool, terms, _| {
        for (index, &term) in terms.iter().enumerate() {
            if graph.is_closed_integer(index) {
                assert!(pool.is_literal(term), "{} stays", graph.describe(index));
            }
        }
    });
}

#[test]
fn known_values() {
    use ravelin_term::{BinOp, FloatKind, UnOp};
    let mut pool = TermPool::new(64);
    let mut bv = |op, width, a: u128, b: u128| {
        let (a, b) = (pool.bv(width, a), pool.bv(width, b));
        let term = pool.binary(op, a, b);
        pool.as_bv(term).expect("folds")
    };
    assert_eq!(bv(BinOp::BvUdiv, 8, 0xf9, 2), 0x7c);
    assert_eq!(bv(BinOp::BvSdiv, 8, 0xf9, 2), 0xfd);
    assert_eq!(bv(BinOp::BvSdiv, 8, 0xf9, 0xff), 7);
    assert_eq!(bv(BinOp::BvSrem, 8, 0xf9, 2), 0xff);
    assert_eq!(bv(BinOp::BvSrem, 8, 7, 0xfe), 1);
    assert_eq!(bv(BinOp::BvShl, 8, 1, 8), 0);
    assert_eq!(bv(BinOp::BvLshr, 128, 1 << 127, 127), 1);
    assert_eq!(bv(BinOp::BvAshr, 128, 1 << 127, 500), u128::MAX);
    assert_eq!(bv(BinOp::BvAshr, 8, 0x80, 7), 0xff);
    assert_eq!(bv(BinOp::BvMul, 128, u128::MAX, u128::MAX), 1);

    // Undefined divisions (C11 6.5.5p5-6) are not folded: an execution must detect them.
    for (op, a, b) in [
        (BinOp::BvUdiv, 7, 0),
        (BinOp::BvUrem, 7, 0),
        (BinOp::BvSdiv, 7, 0),
        (BinOp::BvSrem, 7, 0),
        (BinOp::BvSdiv, 0x80, 0xff),
        (BinOp::BvSrem, 0x80, 0xff),
    ] {
        let (a, b) = (pool.bv(8, a), pool.bv(8, b));
        let term = pool.binary(op, a, b);
        assert_eq!(pool.kind(term), TermKind::Binary(op, a, b));
    }

    let mut convert = |op, width, value: u128| {
        let term = pool.bv(width, value);
        let term = pool.unary(op, term);
        match pool.kind(term) {
            TermKind::Float(bits) => bits as u32,
            other => panic!("{other:?} is no float"),
        }
    };
    // 2^24 + 1 lies between two floats; 2^24 + 3 rounds up. By way of `double` nothing changes, but
    // 2^60 + 2^36 + 1 would round twice: to a tie first, and then down.
    let to_float = UnOp::UToF(FloatKind::F32);
    assert_eq!(convert(to_float, 32, (1 << 24) + 1), 16_777_216f32.to_bits());
    assert_eq!(convert(to_float, 32, (1 << 24) + 3), 16_777_220f32.to_bits());
    let twice = (1u128 << 60) + (1 << 36) + 1;
    assert_eq!(convert(to_float, 64, twice), (((1u64 << 23) + 1) as f32 * 2f32.powi(37)).to_bits());
    assert_eq!(convert(to_float, 128, u128::MAX), f32::INFINITY.to_bits());
    assert_eq!(convert(UnOp::SToF(FloatKind::F32), 8, 0x80), (-128f32).to_bits());
}

#[test]
fn deep_terms_need_no_deep_stack() {
    use ravelin_term::{BinOp, Sort};
    const DEPTH: usize = 100_000;
    let work = || {
        let mut pool = TermPool::new(64);
        let (x, y) = (Var::new(0), Var::new(1));
        let leaf = pool.var(x, Sort::Bv(32));
        let mut term = leaf;
        for _ in 0..DEPTH {
            term = pool.binary(BinOp::BvMul, term, leaf);
            term = pool.unary(ravelin_term::UnOp::BvNot, term);
        }
        let mut count = 0;
        pool.for_each_subterm(term, |_, _| count += 1);
        assert_eq!(count, 2 * DEPTH + 1);
        let changed =
            pool.substitute(term, |pool, var| (var == x).then(|| pool.var(y, Sort::Bv(32))));
        assert_eq!(pool.vars_of(changed), [y]);
        let folded = pool.substitute(term, |pool, _| Some(pool.bv(32, 3)));
        assert!(pool.is_literal(folded));
        let mut text = String::new();
        pool.print(&mut text, term, &Indices).expect("strings take all writes");
        assert_eq!(text.matches("bvmul(").count(), DEPTH);
    };
    let thread = std::thread::Builder::new().stack_size(128 << 10).spawn(work);
    thread.expect("a thread").join().expect("no stack overflow");
}

#[test]
fn constants_read_back() {
    for_each_graph(|_, pool, _, _| {
        let all: Vec<Term> = pool.iter().collect();
        for term in all {
            if let TermKind::Bv(_) | TermKind::Float(_) = pool.kind(term) {
                let mut text = String::new();
                pool.print(&mut text, term, &Indices).expect("strings take all writes");
                let (digits, _) = text.split_once(':').expect("digits and a sort");
                assert_eq!(pool.parse_constant(digits, pool.sort(term)), Some(term));
            }
        }
    });
}

#[test]
fn values_compare_as_the_test_needs_it() {
    // This shows that the comparison of the tests above can fail.
    assert!(!Value::Bv(1).same(Value::Bv(2)));
    assert!(!Value::F64(0.0f64.to_bits()).same(Value::F64((-0.0f64).to_bits())));
    assert!(Value::F32(f32::NAN.to_bits()).same(Value::F32((-f32::NAN).to_bits())));
}
