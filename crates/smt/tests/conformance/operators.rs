//! Operators, pointers and memory, as the suite checks them: by folding.

use ravelin_base::EntityRef;
use ravelin_smt::{Answer, Solver};
use ravelin_term::{
    BinOp, DYNAMIC_OBJECTS, FloatKind, Object, Rounding, Sort, Term, TermKind, TermPool, UnOp,
};

use crate::suite::{Vars, check_open, check_valid};

/// Numbers where something happens.
fn interesting(random: &mut fastrand::Rng, width: u16) -> u128 {
    let any = random.u128(..);
    match random.usize(..6) {
        0 => 0,
        1 => 1,
        2 => u128::MAX,
        3 => 1 << (width - 1),
        4 => random.u128(..16),
        _ => any,
    }
}

const BV_UNARY: [UnOp; 7] = [
    UnOp::BvNot,
    UnOp::BvNeg,
    UnOp::ZeroExt(128),
    UnOp::SignExt(128),
    UnOp::Extract { hi: 6, lo: 3 },
    UnOp::Extract { hi: 0, lo: 0 },
    UnOp::Extract { hi: 7, lo: 1 },
];

pub fn bit_vectors_compute_as_folding_does<S: Solver>(make: &impl Fn(u16) -> S) {
    let solver = &mut make(64);
    let mut pool = TermPool::new(64);
    let mut random = fastrand::Rng::with_seed(1);
    let mut vars = Vars(0);
    for width in [8, 32, 64, 128] {
        let (x, y) =
            (vars.fresh(&mut pool, Sort::Bv(width)), vars.fresh(&mut pool, Sort::Bv(width)));
        let mut terms: Vec<Term> = Vec::new();
        for op in BV_UNARY {
            if pool.unary_sort(op, Sort::Bv(width)).is_some() {
                terms.push(pool.unary(op, x));
            }
        }
        for op in BinOp::ALL {
            if pool.binary_sort(op, Sort::Bv(width), Sort::Bv(width)).is_some()
                && op != BinOp::PtrMake
            {
                terms.push(pool.binary(op, x, y));
            }
        }
        for term in terms {
            // Dividers are large circuits.
            for _ in 0..if width > 64 { 1 } else { 4 } {
                let given = [x, y].map(|var| (var, interesting(&mut random, width)));
                check_folds(solver, &mut pool, &given, term);
            }
        }
    }
    // SMT-LIB's meaning of division by zero, which folding leaves alone.
    let x = vars.fresh(&mut pool, Sort::Bv(8));
    let (zero, ones) = (pool.bv(8, 0), pool.bv(8, 0xff));
    let quotient = pool.binary(BinOp::BvUdiv, x, zero);
    let is_ones = pool.eq(quotient, ones);
    check_valid(solver, &mut pool, &[], is_ones);
    for op in [BinOp::BvUrem, BinOp::BvSrem] {
        let rest = pool.binary(op, x, zero);
        let same = pool.eq(rest, x);
        check_valid(solver, &mut pool, &[], same);
    }
}

/// With these values for the variables, the solver and folding agree on the term.
#[track_caller]
fn check_folds<S: Solver>(solver: &mut S, pool: &mut TermPool, given: &[(Term, u128)], term: Term) {
    let mut assumptions = Vec::new();
    let mut values = Vec::new();
    for &(var, value) in given {
        let width = pool.sort(var).width().expect("a bit-vector");
        let value = pool.bv(width, value);
        assumptions.push(pool.eq(var, value));
        let TermKind::Var(var) = pool.kind(var) else { panic!("a variable") };
        values.push((var, value));
    }
    let folded = pool.substitute(term, |_, var| {
        values.iter().find(|(other, _)| *other == var).map(|&(_, value)| value)
    });
    let claim = match pool.sort(folded) {
        Sort::Float(_) if pool.is_literal(folded) => {
            // Equal bits: IEEE's equality takes zeros for one.
            let (left, right) =
                (pool.unary(UnOp::FToBits, term), pool.unary(UnOp::FToBits, folded));
            let is_nan = pool.unary(UnOp::FIsNan, folded);
            if pool.as_bool(is_nan) == Some(true) {
                pool.unary(UnOp::FIsNan, term)
            } else {
                pool.eq(left, right)
            }
        }
        Sort::Float(_) => {
            let is_nan = pool.unary(UnOp::FIsNan, folded);
            if pool.as_bool(is_nan) != Some(true) {
                return;
            }
            pool.unary(UnOp::FIsNan, term)
        }
        _ if pool.is_literal(folded) => pool.eq(term, folded),
        // Division by zero, and what is out of range.
        _ => return,
    };
    check_valid(solver, pool, &assumptions, claim);
}

pub fn floats_compute_as_folding_does<S: Solver>(make: &impl Fn(u16) -> S) {
    let solver = &mut make(64);
    let mut pool = TermPool::new(64);
    let mut random = fastrand::Rng::with_seed(2);
    let mut vars = Vars(0);
    for kind in [FloatKind::F32, FloatKind::F64, FloatKind::F80, FloatKind::F128] {
        // Variables are the bits, so that signs of zeros can be given.
        let sort = Sort::Bv(kind.bits());
        let (bits_x, bits_y) = (vars.fresh(&mut pool, sort), vars.fresh(&mut pool, sort));
        let [x, y] = [bits_x, bits_y].map(|bits| pool.unary(UnOp::BitsToF(kind), bits));
        let mut terms: Vec<Term> = [
            UnOp::FNeg,
            UnOp::FAbs,
            UnOp::FRound(Rounding::Floor),
            UnOp::FRound(Rounding::Ceil),
            UnOp::FRound(Rounding::Trunc),
            UnOp::FRound(Rounding::NearestEven),
            UnOp::FRound(Rounding::NearestAway),
            UnOp::FIsNan,
            UnOp::FIsInf,
            UnOp::FToF(FloatKind::F32),
            UnOp::FToF(FloatKind::F64),
            UnOp::FToF(FloatKind::F80),
            UnOp::FToS(32),
            UnOp::FToS(64),
            UnOp::FToU(8),
            UnOp::FToU(64),
            UnOp::FToBits,
        ]
        .into_iter()
        .map(|op| pool.unary(op, x))
        .collect();
        for op in
            [BinOp::FAdd, BinOp::FSub, BinOp::FMul, BinOp::FDiv, BinOp::FEq, BinOp::FLt, BinOp::FLe]
        {
            terms.push(pool.binary(op, x, y));
        }
        if matches!(kind, FloatKind::F32 | FloatKind::F64) {
            terms.push(pool.unary(UnOp::FSqrt, x));
        }
        for term in terms {
            for _ in 0..3 {
                let given = [bits_x, bits_y].map(|var| (var, interesting_float(&mut random, kind)));
                check_folds(solver, &mut pool, &given, term);
            }
        }
        let integer = vars.fresh(&mut pool, Sort::Bv(64));
        for op in [UnOp::SToF(kind), UnOp::UToF(kind)] {
            let term = pool.unary(op, integer);
            for _ in 0..3 {
                let value = interesting(&mut random, 64) & u128::from(u64::MAX);
                check_folds(solver, &mut pool, &[(integer, value)], term);
            }
        }
        // The sign of a number is its sign bit; that of a NaN is open.
        let negative = pool.unary(UnOp::FIsNegative, x);
        let minus_zero = 1 << (kind.bits() - 1);
        check_folds(solver, &mut pool, &[(bits_x, minus_zero)], negative);
        check_folds(solver, &mut pool, &[(bits_x, 0)], negative);
        let is_nan = pool.unary(UnOp::FIsNan, x);
        let float = vars.fresh(&mut pool, Sort::Float(kind));
        let float_is_nan = pool.unary(UnOp::FIsNan, float);
        let sign = pool.unary(UnOp::FIsNegative, float);
        check_open(solver, &mut pool, &[is_nan, float_is_nan], sign);
    }
}

fn interesting_float(random: &mut fastrand::Rng, kind: FloatKind) -> u128 {
    let number = match random.usize(..7) {
        0 => 0.0,
        1 => -0.0,
        2 => f64::INFINITY,
        3 => f64::NAN,
        4 => random.i32(-20..20) as f64 + 0.5,
        5 => random.i64(..) as f64,
        _ => f64::from(f32::from_bits(random.u32(..))),
    };
    // Every format has these numbers or ones close by.
    let mut pool = TermPool::new(64);
    let double = pool.float(FloatKind::F64, u128::from(number.to_bits()));
    let converted = pool.unary(UnOp::FToF(kind), double);
    match pool.kind(converted) {
        TermKind::Float(bits) => bits,
        // NaNs are not folded.
        _ => match kind {
            FloatKind::F32 => 0x7fc0_0000,
            FloatKind::F64 => 0x7ff8 << 48,
            FloatKind::F80 => 0x7fff_c000 << 48,
            FloatKind::F128 => 0x7fff_8000 << 96,
        },
    }
}

pub fn pointers_are_pairs<S: Solver>(make: &impl Fn(u16) -> S) {
    for bits in [32, 64] {
        let solver = &mut make(bits);
        let mut pool = TermPool::new(bits);
        let mut vars = Vars(0);
        let (p, q) = (vars.fresh(&mut pool, Sort::Ptr), vars.fresh(&mut pool, Sort::Ptr));
        let offset = pool.address_sort();
        let (x, y) = (vars.fresh(&mut pool, offset), vars.fresh(&mut pool, offset));
        let (a, b) = (pool.address(Object::new(0)), pool.address(Object::new(1)));
        let null = pool.null();
        let [is_a, is_b, is_null] = [a, b, null].map(|known| pool.eq(p, known));
        for pair in [[is_a, is_b], [is_a, is_null], [is_b, is_null]] {
            assert_eq!(solver.check(&pool, &pair), Answer::Unsat);
        }
        // p + x == p + y exactly if x == y; q + x is in q's object.
        let (p_is_q, x_is_y) = (pool.eq(p, q), pool.eq(x, y));
        let (moved_p, moved_q) = (pool.ptr_add(p, x), pool.ptr_add(q, y));
        let same = pool.eq(moved_p, moved_q);
        let agree = pool.eq(same, x_is_y);
        check_valid(solver, &mut pool, &[p_is_q], agree);
        let q_is_b = pool.eq(q, b);
        let differ = pool.not(same);
        check_valid(solver, &mut pool, &[is_a, q_is_b], differ);
        // Order and difference within one object.
        let (less, apart) = (
            pool.binary(BinOp::PtrLt, moved_p, moved_q),
            pool.binary(BinOp::PtrDiff, moved_p, moved_q),
        );
        let (signed_less, difference) =
            (pool.binary(BinOp::BvSlt, x, y), pool.binary(BinOp::BvSub, x, y));
        let agree = pool.eq(less, signed_less);
        check_valid(solver, &mut pool, &[is_a, p_is_q], agree);
        let agree = pool.eq(apart, difference);
        check_valid(solver, &mut pool, &[p_is_q], agree);
        let (unsigned_less, le) =
            (pool.binary(BinOp::BvUle, x, y), pool.binary(BinOp::PtrLe, moved_p, moved_q));
        let agree = pool.eq(le, unsigned_less);
        check_valid(solver, &mut pool, &[is_null, p_is_q], agree);
        // Pairs are made and compared.
        let number = vars.fresh(&mut pool, Sort::Bv(32));
        let made = pool.binary(BinOp::PtrMake, number, x);
        let known = pool.bv(32, u128::from(DYNAMIC_OBJECTS) + 3);
        let other = pool.binary(BinOp::PtrMake, known, y);
        let same = pool.eq(made, other);
        let (is_known, x_is_y) = (pool.eq(number, known), pool.eq(x, y));
        let both = pool.and(is_known, x_is_y);
        let agree = pool.eq(same, both);
        check_valid(solver, &mut pool, &[], agree);
        let p_is_made = pool.eq(p, made);
        let not_a = pool.not(is_a);
        check_valid(solver, &mut pool, &[is_known, p_is_made], not_a);
    }
}

pub fn addresses_are_consistent<S: Solver>(make: &impl Fn(u16) -> S) {
    let solver = &mut make(64);
    let mut pool = TermPool::new(64);
    let mut vars = Vars(0);
    let p = vars.fresh(&mut pool, Sort::Ptr);
    let (x, y) = (vars.fresh(&mut pool, Sort::Bv(64)), vars.fresh(&mut pool, Sort::Bv(64)));
    let (a, null, zero) = (pool.address(Object::new(0)), pool.null(), pool.offset(0));
    let address = pool.unary(UnOp::PtrToInt, p);
    let (is_a, is_null, is_zero) = (pool.eq(p, a), pool.eq(p, null), pool.eq(address, zero));
    check_valid(solver, &mut pool, &[is_null], is_zero);
    let is_not_zero = pool.not(is_zero);
    check_valid(solver, &mut pool, &[is_a], is_not_zero);
    // The address of p + x is that of p, plus x.
    let moved = pool.ptr_add(p, x);
    let moved_address = pool.unary(UnOp::PtrToInt, moved);
    let sum = pool.binary(BinOp::BvAdd, address, x);
    let same = pool.eq(moved_address, sum);
    check_valid(solver, &mut pool, &[], same);
    // From an integer to a pointer and back; equal integers make equal pointers.
    let pointer = pool.unary(UnOp::IntToPtr, x);
    let p_is_it = pool.eq(p, pointer);
    let back = pool.eq(address, x);
    check_valid(solver, &mut pool, &[p_is_it], back);
    let other = pool.unary(UnOp::IntToPtr, y);
    let (x_is_y, same) = (pool.eq(x, y), pool.eq(pointer, other));
    check_valid(solver, &mut pool, &[x_is_y], same);
    let x_is_zero = pool.eq(x, zero);
    let made_null = pool.eq(pointer, null);
    check_valid(solver, &mut pool, &[x_is_zero], made_null);
    // Some integer is the address of an object, and some is not.
    let made_a = pool.eq(pointer, a);
    check_open(solver, &mut pool, &[], made_a);
}

/// Random chains of writes at variables, whose values are given only to the solver; and, with the
/// values put in, to the builders.
pub fn memory_holds_what_was_written<S: Solver>(make: &impl Fn(u16) -> S) {
    let mut random = fastrand::Rng::with_seed(4);
    for round in 0..12 {
        let bits = if round % 2 == 0 { 64 } else { 32 };
        let solver = &mut make(bits);
        let mut pool = TermPool::new(bits);
        let mut vars = Vars(0);
        let mut assumptions = Vec::new();
        let mut values: Vec<(Term, Term)> = Vec::new();
        let mut give = |pool: &mut TermPool, var: Term, value: Term| {
            assumptions.push(pool.eq(var, value));
            values.push((var, value));
        };
        let mut mem = vars.fresh(&mut pool, Sort::Mem);
        let pointer = |pool: &mut TermPool, random: &mut fastrand::Rng| {
            let base = pool.address(Object::new(random.usize(..2)));
            pool.ptr_add_const(base, random.u64(..6))
        };
        for _ in 0..5 {
            let width = [8, 16, 32][random.usize(..3)];
            let (at, value) =
                (vars.fresh(&mut pool, Sort::Ptr), vars.fresh(&mut pool, Sort::Bv(width)));
            let place = pointer(&mut pool, &mut random);
            give(&mut pool, at, place);
            let number = pool.bv(width, random.u128(..));
            give(&mut pool, value, number);
            mem = pool.write(mem, at, value);
        }
        for _ in 0..4 {
            let width = [8, 16, 32][random.usize(..3)];
            let at = vars.fresh(&mut pool, Sort::Ptr);
            let place = pointer(&mut pool, &mut random);
            let here = pool.eq(at, place);
            let read = pool.read(mem, at, Sort::Bv(width));
            let folded = pool.substitute(read, |pool, var| {
                let is_it = |term: Term| pool.kind(term) == TermKind::Var(var);
                if is_it(at) {
                    return Some(place);
                }
                values.iter().find(|&&(known, _)| is_it(known)).map(|&(_, value)| value)
            });
            let claim = pool.eq(read, folded);
            let given: Vec<Term> = assumptions.iter().copied().chain([here]).collect();
            check_valid(solver, &mut pool, &given, claim);
        }
    }
    // Equal memories hold equal values, and the choice of one is one of them.
    let solver = &mut make(64);
    let mut pool = TermPool::new(64);
    let mut vars = Vars(0);
    let (m, n) = (vars.fresh(&mut pool, Sort::Mem), vars.fresh(&mut pool, Sort::Mem));
    let (p, q) = (vars.fresh(&mut pool, Sort::Ptr), vars.fresh(&mut pool, Sort::Ptr));
    let cond = vars.fresh(&mut pool, Sort::Bool);
    let value = vars.fresh(&mut pool, Sort::Bv(32));
    let written = pool.write(m, p, value);
    let same = pool.eq(n, written);
    let (found, at) = (pool.read(n, q, Sort::Bv(32)), pool.eq(p, q));
    let is_value = pool.eq(found, value);
    check_valid(solver, &mut pool, &[same, at], is_value);
    check_open(solver, &mut pool, &[same], is_value);
    let chosen = pool.ite(cond, n, m);
    let found = pool.read(chosen, q, Sort::Bv(32));
    let is_value = pool.eq(found, value);
    check_valid(solver, &mut pool, &[same, at, cond], is_value);
    // Floats go through memory unchanged.
    let float = vars.fresh(&mut pool, Sort::Float(FloatKind::F64));
    let written = pool.write(m, p, float);
    let found = pool.read(written, q, Sort::Float(FloatKind::F64));
    let is_same = pool.eq(found, float);
    let is_nan = pool.unary(UnOp::FIsNan, float);
    let is_number = pool.not(is_nan);
    check_valid(solver, &mut pool, &[at, is_number], is_same);
}

pub fn pointers_survive_memory<S: Solver>(make: &impl Fn(u16) -> S) {
    let solver = &mut make(64);
    let mut pool = TermPool::new(64);
    let mut vars = Vars(0);
    let m = vars.fresh(&mut pool, Sort::Mem);
    let [p, q, stored] = [(); 3].map(|()| vars.fresh(&mut pool, Sort::Ptr));
    let at = pool.eq(p, q);
    let a = pool.address(Object::new(0));
    let a = pool.ptr_add_const(a, 4);
    let null = pool.null();
    let written = pool.write(m, p, stored);
    let found = pool.read(written, q, Sort::Ptr);
    let (is_a, is_null) = (pool.eq(stored, a), pool.eq(stored, null));
    let (found_a, found_null) = (pool.eq(found, a), pool.eq(found, null));
    check_valid(solver, &mut pool, &[at, is_null], found_null);
    assert_eq!(solver.check(&pool, &[at, is_a, found_a]), Answer::Sat);
    // Its bytes are its address.
    let bytes = pool.read(written, q, Sort::Bv(64));
    let address = pool.unary(UnOp::PtrToInt, stored);
    let same = pool.eq(bytes, address);
    check_valid(solver, &mut pool, &[at], same);
    // Zero bytes are NULL, whoever wrote them.
    let zero = pool.offset(0);
    let cleared = pool.write(written, q, zero);
    let found = pool.read(cleared, p, Sort::Ptr);
    let found_null = pool.eq(found, null);
    check_valid(solver, &mut pool, &[at], found_null);
    // What was written elsewhere is not there.
    let b = pool.address(Object::new(1));
    let (p_is_a, q_is_b) = (pool.eq(p, a), pool.eq(q, b));
    let found = pool.read(written, q, Sort::Ptr);
    let is_stored = pool.eq(found, stored);
    check_open(solver, &mut pool, &[p_is_a, q_is_b], is_stored);
}
