//! Sums of quantities: what terms are as whole numbers, where no step of their computation wraps around.

use ravelin_cfa::{Sort, Term};
use ravelin_term::{BinOp, TermKind, UnOp, term_kinds};
use smallvec::SmallVec;

use crate::eval::Env;
use crate::num::{Num, mask, signed_max, signed_min, to_signed};
use crate::state::{Key, Quantity, State, Value};

/// The signed or the unsigned number of a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Node {
    pub(crate) key: Key,
    pub(crate) signed: bool,
}

/// A constant plus multiples of quantities, as a whole number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Linear {
    pub(crate) constant: i128,
    /// Ascending by quantity, none with the factor 0.
    pub(crate) terms: SmallVec<[(Node, i128); 3]>,
}

/// Longer sums are not kept.
const MAX_TERMS: usize = 4;

impl Linear {
    pub(crate) fn constant(constant: i128) -> Linear {
        Linear { constant, terms: SmallVec::new() }
    }

    pub(crate) fn node(node: Node) -> Linear {
        Linear { constant: 0, terms: [(node, 1)].into_iter().collect() }
    }

    /// `self + factor * other`, if the numbers are not too large.
    pub(crate) fn plus(&self, factor: i128, other: &Linear) -> Option<Linear> {
        let constant = self.constant.checked_add(factor.checked_mul(other.constant)?)?;
        let mut terms = self.terms.clone();
        for &(node, by) in &other.terms {
            let by = by.checked_mul(factor)?;
            match terms.binary_search_by_key(&node, |&(node, _)| node) {
                Ok(at) => {
                    terms[at].1 = terms[at].1.checked_add(by)?;
                    if terms[at].1 == 0 {
                        terms.remove(at);
                    }
                }
                Err(at) if by != 0 => terms.insert(at, (node, by)),
                Err(_) => {}
            }
        }
        (terms.len() <= MAX_TERMS).then_some(Linear { constant, terms })
    }

    pub(crate) fn offset(&self, by: i128) -> Option<Linear> {
        Some(Linear { constant: self.constant.checked_add(by)?, terms: self.terms.clone() })
    }

    pub(crate) fn negated(&self) -> Option<Linear> {
        Linear::constant(0).plus(-1, self)
    }

    pub(crate) fn factor(&self, of: Key) -> Option<i128> {
        self.terms.iter().find(|(node, _)| node.key == of).map(|&(_, by)| by)
    }
}

impl Env<'_> {
    /// The width of the numbers of a quantity.
    pub(crate) fn key_width(&self, key: Key) -> Option<u16> {
        match self.model.keys.quantity(key) {
            Quantity::Var(var) => match self.model.sort(var) {
                Sort::Bv(width) => Some(width),
                Sort::Ptr => Some(self.bits()),
                Sort::Bool | Sort::Float(_) | Sort::Mem => None,
            },
            Quantity::Cell(cell) => Some(8 * self.model.cells[cell as usize].bytes as u16),
            Quantity::SizeOf(_) | Quantity::SizeOfCell(_) => Some(self.bits()),
            Quantity::NoneEnded(_) | Quantity::NoneBegun(_) | Quantity::InScope(_) => None,
        }
    }

    /// The values of a quantity as numbers.
    pub(crate) fn key_num(&self, state: &State, key: Key) -> Option<Num> {
        let width = self.key_width(key)?;
        Some(match self.get(state, key) {
            Some(Value::Num(num)) if num.width == width => num,
            Some(Value::Ptr(ptr)) => ptr.offset(width),
            Some(Value::Num(_)) | None => Num::top(width),
        })
    }

    /// The quantity itself as a sum; `None` if it may change at any time.
    pub(crate) fn key_linear(&self, state: &State, key: Key, signed: bool) -> Option<Linear> {
        if self.model.is_shared(self.program, key) {
            return None;
        }
        let num = self.key_num(state, key)?;
        Some(match num.as_constant() {
            Some(value) => Linear::constant(self.number(value, num.width, signed)?),
            None => Linear::node(Node { key, signed: signed || num.is_natural() }),
        })
    }

    fn number(&self, value: u128, width: u16, signed: bool) -> Option<i128> {
        if signed { Some(to_signed(value, width)) } else { i128::try_from(value).ok() }
    }

    /// The bounds of a node, as far as they are whole numbers of moderate size.
    pub(crate) fn node_bounds(&self, state: &State, node: Node) -> (Option<i128>, Option<i128>) {
        let Some(num) = self.key_num(state, node.key) else { return (None, None) };
        match node.signed {
            true => (Some(num.smin), Some(num.smax)),
            false => (i128::try_from(num.lo).ok(), i128::try_from(num.hi).ok()),
        }
    }

    /// A term as a sum of quantities: its signed or its unsigned number.
    pub(crate) fn linear(&self, state: &State, term: Term, signed: bool) -> Option<Linear> {
        if !self.spend(1) {
            return None;
        }
        let terms = &self.program.terms;
        let Sort::Bv(width) = terms.sort(term) else { return None };
        match terms.kind(term) {
            TermKind::Bv(value) => Some(Linear::constant(self.number(value, width, signed)?)),
            TermKind::Var(var) => self.key_linear(state, self.model.keys.var(var), signed),
            TermKind::Unary(UnOp::ZeroExt(_), a) => self.linear(state, a, false),
            TermKind::Unary(UnOp::SignExt(_), a) => {
                let is_same = signed || self.num(state, a).is_natural();
                is_same.then(|| self.linear(state, a, true)).flatten()
            }
            TermKind::Unary(UnOp::Extract { hi: _, lo: 0 }, a) => {
                let sum = self.linear(state, a, signed)?;
                self.fitting(state, sum, width, signed)
            }
            TermKind::Unary(UnOp::BvNeg, a) => {
                let sum = self.linear(state, a, signed)?.negated()?;
                self.fitting(state, sum, width, signed)
            }
            TermKind::Binary(op @ (BinOp::BvAdd | BinOp::BvSub), a, b) => {
                let factor = if op == BinOp::BvAdd { 1 } else { -1 };
                let first = self.linear(state, a, signed)?;
                let found = self.linear(state, b, signed).and_then(|second| {
                    self.fitting(state, first.plus(factor, &second)?, width, signed)
                });
                // A constant that is subtracted is a large unsigned number.
                found.or_else(|| {
                    let by = terms.as_signed(b).filter(|_| !signed)?;
                    let sum = first.offset(by.checked_mul(factor)?)?;
                    self.fitting(state, sum, width, signed)
                })
            }
            TermKind::Binary(op @ (BinOp::BvMul | BinOp::BvShl), a, b) => {
                let by = terms.as_bv(b)?;
                let by = match op {
                    BinOp::BvMul => self.number(by, width, signed)?,
                    _ if by < 64 && by + 1 < u128::from(width) => 1 << by,
                    _ => return None,
                };
                let sum = Linear::constant(0).plus(by, &self.linear(state, a, signed)?)?;
                self.fitting(state, sum, width, signed)
            }
            TermKind::Bool(_)
            | TermKind::Float(_)
            | TermKind::Null
            | TermKind::Address(_)
            | term_kinds!(inner) => {
                let num = self.num(state, term);
                num.as_constant()
                    .and_then(|value| self.number(value, width, signed))
                    .map(Linear::constant)
            }
        }
    }

    /// The offset of a pointer term as a sum.
    pub(crate) fn linear_offset(&self, state: &State, term: Term) -> Option<Linear> {
        if !self.spend(1) {
            return None;
        }
        match self.program.terms.kind(term) {
            TermKind::Null | TermKind::Address(_) => Some(Linear::constant(0)),
            TermKind::Var(var) => self.key_linear(state, self.model.keys.var(var), true),
            TermKind::Binary(BinOp::PtrAdd, base, by) => {
                let base = self.linear_offset(state, base)?;
                let sum = base.plus(1, &self.linear(state, by, true)?)?;
                self.fitting(state, sum, self.bits(), true)
            }
            TermKind::Bool(_) | TermKind::Bv(_) | TermKind::Float(_) | term_kinds!(inner) => None,
        }
    }

    /// The sum, if it is a number of this width.
    fn fitting(&self, state: &State, sum: Linear, width: u16, signed: bool) -> Option<Linear> {
        let (least, most) = match signed {
            true => (signed_min(width), signed_max(width)),
            false => (0, i128::try_from(mask(width)).unwrap_or(i128::MAX)),
        };
        let is_below = self.at_most(state, &sum, most);
        let is_above = || self.at_most(state, &sum.negated()?, least.checked_neg()?).then_some(());
        (is_below && is_above().is_some()).then_some(sum)
    }

    fn at_most(&self, state: &State, sum: &Linear, bound: i128) -> bool {
        [0, 2].iter().any(|&depth| self.upper(state, sum, depth).is_some_and(|most| most <= bound))
    }

    /// The values of a sum or a difference, within what relations say of it.
    pub(crate) fn within_sum(&self, state: &State, term: Term, values: Num) -> Num {
        if values.as_constant().is_some() || !state.relations.is_relevant(self, term) {
            return values;
        }
        let mut values = values;
        for signed in [true, false] {
            let Some(sum) = self.linear(state, term, signed) else { continue };
            let most = self.upper(state, &sum, 2);
            let least = sum.negated().and_then(|sum| self.upper(state, &sum, 2));
            let least = least.and_then(|least| least.checked_neg());
            let bound = match signed {
                true => {
                    let (least, most) = (least.unwrap_or(i128::MIN), most.unwrap_or(i128::MAX));
                    Num::signed(values.width, least, most)
                }
                false => {
                    let least = u128::try_from(least.unwrap_or(0)).unwrap_or(0);
                    let most = most.and_then(|most| u128::try_from(most).ok());
                    Num::unsigned(values.width, least, most.unwrap_or(u128::MAX))
                }
            };
            values = bound.and_then(|bound| values.meet(&bound)).unwrap_or(values);
        }
        values
    }
}
