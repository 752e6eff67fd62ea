//! Operators on constants: the solver and the constructors of terms agree.

use ravelin_smt::{Answer, Check};
use ravelin_term::{BinOp, FloatKind, Rounding, Sort, Term, TermPool, UnOp, bin_ops};

use crate::{new_pool, var, z3};

pub(crate) fn bit_vector_ops() -> Vec<BinOp> {
    let all = BinOp::ALL.into_iter();
    all.filter(|op| matches!(op, bin_ops!(bv_arithmetic, bv_division))).collect()
}

#[test]
fn every_bit_vector_operator_agrees_with_folding() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut cases = Cases::default();
    let operators = bit_vector_ops();
    let comparisons = [BinOp::Eq, BinOp::BvUlt, BinOp::BvUle, BinOp::BvSlt, BinOp::BvSle];
    for width in [1, 7, 8, 32, 64, 128] {
        let mut operands = vec![0, 1, u128::MAX, 1 << (width - 1)];
        operands.extend([random.u128(..), random.u128(..)]);
        for &a in &operands {
            for op in [UnOp::BvNot, UnOp::BvNeg, UnOp::SToF(FloatKind::F32)] {
                cases.unary(op, Sort::Bv(width), a);
            }
            cases.unary(UnOp::Extract { hi: width - 1, lo: width / 2 }, Sort::Bv(width), a);
            if width < 128 {
                cases.unary(UnOp::ZeroExt(128), Sort::Bv(width), a);
                cases.unary(UnOp::SignExt(width + 1), Sort::Bv(width), a);
            }
            for &b in &operands {
                for &op in operators.iter().chain(&comparisons) {
                    cases.binary(op, Sort::Bv(width), a, b);
                }
                if width <= 64 {
                    cases.binary(BinOp::Concat, Sort::Bv(width), a, b);
                }
            }
        }
    }
    cases.check(3000);
}

#[test]
fn every_float_operator_agrees_with_folding() {
    let mut random = fastrand::Rng::with_seed(2);
    let mut cases = Cases::default();
    let single = |value: f32| u128::from(value.to_bits());
    let double = |value: f64| u128::from(value.to_bits());
    for (kind, mut operands) in [
        (
            FloatKind::F32,
            [0.0, -0.0, 1.0, 2.5, -0.5, 3e9, f32::INFINITY, 1e-45].map(single).to_vec(),
        ),
        (
            FloatKind::F64,
            [0.0, -0.0, 1.0, 2.5, -0.5, 3e9, f64::INFINITY, f64::NAN].map(double).to_vec(),
        ),
    ] {
        operands.extend([random.u128(..), random.u128(..)]);
        let sort = Sort::Float(kind);
        for &a in &operands {
            for rounding in [
                Rounding::Floor,
                Rounding::Ceil,
                Rounding::Trunc,
                Rounding::NearestEven,
                Rounding::NearestAway,
            ] {
                cases.unary(UnOp::FRound(rounding), sort, a);
            }
            for op in [
                UnOp::FNeg,
                UnOp::FAbs,
                UnOp::FSqrt,
                UnOp::FIsNan,
                UnOp::FIsInf,
                UnOp::FToF(FloatKind::F32),
                UnOp::FToF(FloatKind::F64),
                UnOp::FToS(32),
                UnOp::FToS(128),
                UnOp::FToU(8),
                UnOp::FToU(64),
                UnOp::FToBits,
            ] {
                // The bits of NaNs are left open.
                if op != UnOp::FToBits || !is_nan(kind, a) {
                    cases.unary(op, sort, a);
                }
            }
            for &b in &operands {
                for op in [
                    BinOp::FAdd,
                    BinOp::FSub,
                    BinOp::FMul,
                    BinOp::FDiv,
                    BinOp::FEq,
                    BinOp::FLt,
                    BinOp::FLe,
                ] {
                    cases.binary(op, sort, a, b);
                }
            }
        }
    }
    cases.check(1000);
}

fn is_nan(kind: FloatKind, bits: u128) -> bool {
    match kind {
        FloatKind::F32 => f32::from_bits(bits as u32).is_nan(),
        FloatKind::F64 => f64::from_bits(bits as u64).is_nan(),
        FloatKind::F80 | FloatKind::F128 => unreachable!("not used in these tests"),
    }
}

/// Applications of operators to constants, all asked in one check: that under `x == a` and `y == b`
/// the operator gives what folding gives.
struct Cases {
    pool: TermPool,
    operands: Vec<Term>,
    claims: Vec<(Term, String)>,
}

impl Default for Cases {
    fn default() -> Self {
        Cases { pool: new_pool(), operands: Vec::new(), claims: Vec::new() }
    }
}

impl Cases {
    /// A variable of the sort that the solver knows to be the constant, and the constant.
    fn operand(&mut self, sort: Sort, bits: u128) -> [Term; 2] {
        let pool = &mut self.pool;
        let index = self.operands.len();
        let width = match sort {
            Sort::Bv(width) => width,
            Sort::Float(kind) => kind.bits(),
            Sort::Bool | Sort::Ptr | Sort::Mem => unreachable!("no sort of operands here"),
        };
        let bits = pool.bv(width, bits);
        let unknown = var(pool, index, Sort::Bv(width));
        let known = pool.eq(unknown, bits);
        self.operands.push(known);
        match sort {
            Sort::Float(kind) => [unknown, bits].map(|bits| pool.unary(UnOp::BitsToF(kind), bits)),
            _ => [unknown, bits],
        }
    }

    fn unary(&mut self, op: UnOp, sort: Sort, a: u128) {
        let [unknown, known] = self.operand(sort, a);
        let (term, folded) = (self.pool.unary(op, unknown), self.pool.unary(op, known));
        self.claim(term, folded, format!("{op:?} {sort} {a:#x}"));
    }

    fn binary(&mut self, op: BinOp, sort: Sort, a: u128, b: u128) {
        let ([x, a_term], [y, b_term]) = (self.operand(sort, a), self.operand(sort, b));
        let (term, folded) = (self.pool.binary(op, x, y), self.pool.binary(op, a_term, b_term));
        self.claim(term, folded, format!("{op:?} {sort} {a:#x} {b:#x}"));
    }

    fn claim(&mut self, term: Term, folded: Term, what: String) {
        let pool = &mut self.pool;
        if !pool.is_literal(folded) {
            return;
        }
        let claim = match pool.sort(term) {
            Sort::Float(_) if pool.unary(UnOp::FIsNan, folded) == pool.bool(true) => {
                pool.unary(UnOp::FIsNan, term)
            }
            Sort::Float(_) => {
                let [a, b] = [term, folded].map(|float| pool.unary(UnOp::FToBits, float));
                pool.eq(a, b)
            }
            _ => pool.eq(term, folded),
        };
        self.claims.push((claim, what));
    }

    fn check(mut self, at_least: usize) {
        assert!(self.claims.len() >= at_least, "only {} cases", self.claims.len());
        let mut solver = z3();
        for &known in &self.operands {
            solver.assert(&self.pool, known);
        }
        assert_eq!(solver.check(&self.pool, &[]), Answer::Sat, "the operands contradict");
        let (yes, claims) = (self.pool.bool(true), self.claims.iter());
        let all = claims.fold(yes, |all, &(claim, _)| self.pool.and(all, claim));
        let not_all = self.pool.not(all);
        if solver.check(&self.pool, &[not_all]) != Answer::Unsat {
            for (claim, what) in &self.claims {
                let negated = self.pool.not(*claim);
                assert_eq!(solver.check(&self.pool, &[negated]), Answer::Unsat, "{what}");
            }
            panic!("the claims hold one by one, but not together");
        }
    }
}
