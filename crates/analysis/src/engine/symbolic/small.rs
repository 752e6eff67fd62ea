//! Questions about one variable, which need no solver: what a program does with a byte, or with one number that it compares
//! with constants.
//!
//! The conditions on a byte are sets of its values: tables of 256 bits, which answer exactly. Of a wider variable, the
//! constants in the conditions are tried.

use ravelin_term::{Sort, Term, TermKind, TermPool, Var};
use rustc_hash::FxHashMap;

/// For which values of its only variable a condition holds, if the variable is small.
#[derive(Debug, Default)]
pub(super) struct Tables(FxHashMap<Term, Option<Table>>);

type Table = [u64; 4];

/// So many values of a wider variable are tried.
const MAX_CANDIDATES: usize = 24;

/// What is known without a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// All conditions hold for this value.
    Holds(Term),
    Never,
    Open,
}

impl Tables {
    /// Whether conditions about one variable can hold together.
    pub(super) fn answer(
        &mut self,
        terms: &mut TermPool,
        (var, sort): (Var, Sort),
        conditions: &[Term],
    ) -> Known {
        let count = match sort {
            Sort::Bool => 2,
            Sort::Bv(width @ 1..=8) => 1u32 << width,
            Sort::Bv(width) => return try_constants(terms, (var, width), conditions),
            Sort::Float(_) | Sort::Ptr | Sort::Mem => return Known::Open,
        };
        let mut all = [u64::MAX; 4];
        for &condition in conditions {
            let table = self
                .0
                .entry(condition)
                .or_insert_with(|| table(terms, (var, sort), condition, count));
            let Some(table) = table else { return Known::Open };
            all.iter_mut().zip(table).for_each(|(all, part)| *all &= *part);
        }
        let first = (0..count).find(|&value| all[value as usize / 64] >> (value % 64) & 1 == 1);
        match first {
            Some(value) => Known::Holds(literal(terms, sort, value.into())),
            None => Known::Never,
        }
    }
}

fn literal(terms: &mut TermPool, sort: Sort, value: u128) -> Term {
    match sort {
        Sort::Bv(width) => terms.bv(width, value),
        Sort::Bool | Sort::Float(_) | Sort::Ptr | Sort::Mem => terms.bool(value != 0),
    }
}

fn table(
    terms: &mut TermPool,
    (var, sort): (Var, Sort),
    condition: Term,
    count: u32,
) -> Option<Table> {
    let mut table = [0; 4];
    for value in 0..count {
        let literal = literal(terms, sort, value.into());
        if holds(terms, condition, var, literal)? {
            table[value as usize / 64] |= 1 << (value % 64);
        }
    }
    Some(table)
}

/// Whether a condition holds for a value of its only variable; nothing if addresses matter.
fn holds(terms: &mut TermPool, condition: Term, var: Var, value: Term) -> Option<bool> {
    let result = terms.substitute(condition, |_, other| (other == var).then_some(value));
    terms.as_bool(result)
}

fn try_constants(terms: &mut TermPool, (var, width): (Var, u16), conditions: &[Term]) -> Known {
    let mut candidates: Vec<Term> = Vec::new();
    let mut constants = vec![0, u128::MAX, 1 << (width - 1)];
    // The last conditions say most.
    for &condition in conditions.iter().rev() {
        if constants.len() > MAX_CANDIDATES {
            break;
        }
        terms.for_each_subterm(condition, |_, kind| {
            if let TermKind::Bv(value) = kind {
                constants.push(value);
            }
        });
    }
    for constant in constants {
        let negative = constant.wrapping_neg();
        for value in [
            constant,
            constant.wrapping_add(1),
            constant.wrapping_sub(1),
            negative,
            negative.wrapping_add(1),
            negative.wrapping_sub(1),
        ] {
            let candidate = terms.bv(width, value);
            if !candidates.contains(&candidate) {
                candidates.push(candidate);
            }
        }
    }
    let found = candidates.into_iter().take(6 * MAX_CANDIDATES).find(|&value| {
        conditions.iter().rev().all(|&condition| holds(terms, condition, var, value) == Some(true))
    });
    found.map_or(Known::Open, Known::Holds)
}
