//! Refinement: from a path that is infeasible to a precision that excludes it.

pub mod chain;
pub mod interpolate;
pub mod refinable;

use ravelin_term::{BinOp, Term, TermKind, TermPool};

/// The conjuncts of a formula.
pub fn conjuncts(terms: &TermPool, formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut work = vec![formula];
    while let Some(term) = work.pop() {
        match terms.kind(term) {
            TermKind::Binary(BinOp::And, a, b) => work.extend([b, a]),
            _ => found.push(term),
        }
    }
    found
}
