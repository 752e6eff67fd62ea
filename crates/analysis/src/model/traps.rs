//! Conditions under which terms can be evaluated.

use ravelin_term::{BinOp, Term, TermKind, TermPool};
use rustc_hash::FxHashMap;

use super::block::conjunction;

/// That no division in `term` that is evaluated traps.
pub fn does_not_trap(terms: &mut TermPool, term: Term) -> Term {
    // Operands first; of a conditional only the arm that is taken.
    let mut safe: FxHashMap<Term, Term> = FxHashMap::default();
    let mut work = vec![term];
    while let Some(&next) = work.last() {
        let pending = work.len();
        work.extend(terms.children(next).filter(|child| !safe.contains_key(child)));
        if work.len() > pending {
            continue;
        }
        work.pop();
        let condition = match terms.kind(next) {
            TermKind::Ite(cond, a, b) => {
                let arms = terms.ite(cond, safe[&a], safe[&b]);
                terms.and(safe[&cond], arms)
            }
            TermKind::Binary(op, a, b) => {
                let operands = terms.and(safe[&a], safe[&b]);
                let own = match op {
                    BinOp::BvUdiv | BinOp::BvUrem => divides(terms, None, b),
                    BinOp::BvSdiv | BinOp::BvSrem => divides(terms, Some(a), b),
                    _ => terms.bool(true),
                };
                terms.and(operands, own)
            }
            _ => {
                let children: Vec<Term> = terms.children(next).map(|child| safe[&child]).collect();
                conjunction(terms, &children)
            }
        };
        safe.insert(next, condition);
    }
    safe[&term]
}

/// That a division, signed if the dividend is given, has a result.
fn divides(terms: &mut TermPool, signed_dividend: Option<Term>, divisor: Term) -> Term {
    let sort = terms.sort(divisor);
    let zero = terms.zero(sort);
    let mut traps = terms.eq(divisor, zero);
    if let (Some(dividend), Some(width)) = (signed_dividend, sort.width()) {
        let minus_one = terms.bv(width, u128::MAX);
        let smallest = terms.bv(width, 1 << (width - 1));
        let (a, b) = (terms.eq(divisor, minus_one), terms.eq(dividend, smallest));
        let overflows = terms.and(a, b);
        traps = terms.or(traps, overflows);
    }
    terms.not(traps)
}
