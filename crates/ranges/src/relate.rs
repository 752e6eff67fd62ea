//! What operations and conditions make of relations, and what relations prove.

use ravelin_cfa::{Sort, Term, Var};
use ravelin_term::{BinOp, TermKind};

use crate::eval::Env;
use crate::linear::{Linear, Node};
use crate::num::Num;
use crate::relations::{Bound, Fact, Relations, Side};
use crate::state::{Key, State, Value};

impl Env<'_> {
    /// The node of a state: signed, if the two numbers are the same.
    pub(crate) fn normal(&self, state: &State, node: Node) -> Node {
        let is_natural = self.key_num(state, node.key).is_some_and(|num| num.is_natural());
        Node { signed: node.signed || is_natural, ..node }
    }

    pub(crate) fn normal_sum(&self, state: &State, sum: &Linear) -> Option<Linear> {
        sum.terms.iter().try_fold(Linear::constant(sum.constant), |all, &(node, by)| {
            all.plus(by, &Linear::node(self.normal(state, node)))
        })
    }

    /// An upper bound of a sum of quantities, by intervals and by that many relations.
    pub(crate) fn upper(&self, state: &State, sum: &Linear, depth: u32) -> Option<i128> {
        let part = |node: Node, by: i128| {
            let (least, most) = self.node_bounds(state, node);
            (if by > 0 { most } else { least })?.checked_mul(by)
        };
        // The bound by intervals, with another bound of one of the quantities.
        let by_intervals = |instead: Option<(Node, i128)>| {
            let mut parts = sum.terms.iter().map(|&(node, by)| match instead {
                Some((own, bound)) if own == node => Some(bound),
                Some(_) | None => part(node, by),
            });
            parts.try_fold(sum.constant, |all, part| all.checked_add(part?))
        };
        let mut best = by_intervals(None);
        if depth == 0 || !self.spend(1) {
            return best;
        }
        let mut improve = |bound: Option<i128>| {
            if let Some(bound) = bound {
                best = Some(best.map_or(bound, |best| best.min(bound)));
            }
        };
        let replaced = |node: Node, by: i128, instead: &Linear| {
            let rest = sum.plus(-by, &Linear::node(node))?;
            let next = self.normal_sum(state, &rest.plus(by, instead)?)?;
            self.upper(state, &next, depth - 1)
        };
        for &(node, by) in &sum.terms {
            let Some(entry) = state.relations.entry(node.key) else { continue };
            let own = self.normal(state, node);
            let is_own = |signed: bool| self.normal(state, Node { signed, ..node }) == own;
            if let Some((signed, definition)) = &entry.definition
                && is_own(*signed)
            {
                improve(replaced(node, by, definition));
            }
            for bound in state.relations.bounds_with(node.key) {
                let Bound { own, other, bound } = bound;
                if own.is_negative != (by < 0) || !is_own(own.node.signed) {
                    continue;
                }
                // Chains of quantities are followed through differences.
                let is_difference = own.is_negative != other.is_negative;
                if sum.factor(other.node.key).is_some() || is_difference && depth > 1 {
                    // The factor times the quantity is at most the bound without the other one.
                    let rest =
                        Linear::constant(bound).plus(-other.factor(), &Linear::node(other.node));
                    let instead =
                        rest.and_then(|rest| Linear::constant(0).plus(own.factor(), &rest));
                    improve(instead.and_then(|instead| replaced(node, by, &instead)));
                } else {
                    let most =
                        part(other.node, -other.factor()).and_then(|it| it.checked_add(bound));
                    let most = most.and_then(|most| most.checked_mul(by.checked_abs()?));
                    improve(most.and_then(|most| by_intervals(Some((node, most)))));
                }
            }
        }
        best
    }

    pub(crate) fn is_at_most_zero(&self, state: &State, sum: &Linear) -> bool {
        let Some(sum) = self.normal_sum(state, sum) else { return false };
        [0, 1, 2, 4]
            .iter()
            .any(|&depth| self.upper(state, &sum, depth).is_some_and(|most| most <= 0))
    }

    /// Whether a comparison holds or not, by relations.
    pub(crate) fn compare_by_relations(
        &self,
        state: &State,
        op: BinOp,
        a: Term,
        b: Term,
    ) -> Option<bool> {
        let views: &[bool] = match op {
            BinOp::BvUlt | BinOp::BvUle => &[false],
            BinOp::BvSlt | BinOp::BvSle => &[true],
            _ => &[true, false],
        };
        let is_strict = matches!(op, BinOp::BvUlt | BinOp::BvSlt);
        for &signed in views {
            let Some(difference) = self.difference(state, a, b, signed) else { continue };
            let Some(reverse) = difference.negated() else { continue };
            let holds = |sum: &Linear, by: i128| {
                sum.offset(by).is_some_and(|sum| self.is_at_most_zero(state, &sum))
            };
            if op == BinOp::Eq {
                if holds(&difference, 0) && holds(&reverse, 0) {
                    return Some(true);
                }
                if holds(&difference, 1) || holds(&reverse, 1) {
                    return Some(false);
                }
                continue;
            }
            if holds(&difference, is_strict.into()) {
                return Some(true);
            }
            if holds(&reverse, (!is_strict).into()) {
                return Some(false);
            }
        }
        None
    }

    fn difference(&self, state: &State, a: Term, b: Term, signed: bool) -> Option<Linear> {
        self.linear(state, a, signed)?.plus(-1, &self.linear(state, b, signed)?)
    }

    /// The state if a sum is at most zero.
    fn assume_at_most_zero(&self, mut state: State, sum: &Linear) -> Option<State> {
        let Some(sum) = self.normal_sum(&state, sum) else { return Some(state) };
        if sum.terms.is_empty() {
            return (sum.constant <= 0).then_some(state);
        }
        for &(node, by) in &sum.terms {
            let rest = sum.plus(-by, &Linear::node(node)).and_then(|rest| rest.negated());
            let Some(most) = rest.and_then(|rest| self.upper(&state, &rest, 0)) else { continue };
            let bounds = match by.checked_neg() {
                _ if by > 0 => (None, Some(most.div_euclid(by))),
                Some(by) => (most.div_euclid(by).checked_neg(), None),
                None => continue,
            };
            state = self.restrict_node(state, node, bounds)?;
        }
        for (index, &(own, by)) in sum.terms.iter().enumerate() {
            for &(other, factor) in &sum.terms[index + 1..] {
                let Some(size) = by.checked_abs().filter(|&it| factor.checked_abs() == Some(it))
                else {
                    continue;
                };
                let rest = sum
                    .plus(-by, &Linear::node(own))
                    .and_then(|rest| rest.plus(-factor, &Linear::node(other)))
                    .and_then(|rest| rest.negated());
                if let Some(most) = rest.and_then(|rest| self.upper(&state, &rest, 0)) {
                    let bound = most.div_euclid(size);
                    let (own, other) = (Side::of(own, by), Side::of(other, factor));
                    self.add_bound(&mut state, Bound { own, other, bound });
                }
            }
        }
        Some(state)
    }

    /// Adds a bound. A bound of a sum has to say more than those of its parts.
    pub(crate) fn add_bound(&self, state: &mut State, new: Bound) {
        if new.own.is_negative == new.other.is_negative {
            let sum = self.bounded_sum(new.own, new.other);
            let known = sum.and_then(|sum| self.upper(state, &sum, 0));
            if known.is_some_and(|known| known <= new.bound) {
                return;
            }
        }
        state.relations.add_bound(new);
    }

    /// The state if a number is within bounds.
    fn restrict_node(
        &self,
        mut state: State,
        node: Node,
        (least, most): (Option<i128>, Option<i128>),
    ) -> Option<State> {
        let Some(old) = self.key_num(&state, node.key) else { return Some(state) };
        let bound = match node.signed {
            true => Num::signed(old.width, least.unwrap_or(i128::MIN), most.unwrap_or(i128::MAX)),
            false => {
                let most = most.map_or(Some(u128::MAX), |most| u128::try_from(most).ok())?;
                Num::unsigned(old.width, least.map_or(0, |least| least.max(0) as u128), most)
            }
        };
        let new = old.meet(&bound?)?;
        if new == old {
            return Some(state);
        }
        match self.get(&state, node.key) {
            // Offsets of pointers are refined by accesses.
            Some(Value::Ptr(_)) => return Some(state),
            Some(Value::Num(_)) => {}
            None if self.is_pointer(node.key) => return Some(state),
            None => {}
        }
        self.set(&mut state, node.key, Some(Value::Num(new)));
        self.restricted(state, node.key, &new)
    }

    fn is_pointer(&self, key: Key) -> bool {
        match self.model.keys.quantity(key) {
            crate::state::Quantity::Var(var) => self.model.sort(var) == Sort::Ptr,
            crate::state::Quantity::Cell(cell) => self.model.cells[cell as usize].is_pointer,
            crate::state::Quantity::SizeOf(_)
            | crate::state::Quantity::SizeOfCell(_)
            | crate::state::Quantity::NoneEnded(_)
            | crate::state::Quantity::NoneBegun(_)
            | crate::state::Quantity::InScope(_) => false,
        }
    }

    pub(crate) fn relate_order(&self, state: State, op: BinOp, a: Term, b: Term) -> Option<State> {
        let is_strict = matches!(op, BinOp::BvUlt | BinOp::BvSlt);
        let signed = !matches!(op, BinOp::BvUlt | BinOp::BvUle);
        let Some(sum) = self.difference(&state, a, b, signed) else { return Some(state) };
        let Some(strict) = sum.offset(is_strict.into()) else { return Some(state) };
        let state = self.assume_at_most_zero(state, &strict)?;
        match sum.negated() {
            Some(reverse) if op == BinOp::Eq => self.assume_at_most_zero(state, &reverse),
            Some(_) | None => Some(state),
        }
    }

    pub(crate) fn relate_different(&self, mut state: State, a: Term, b: Term) -> Option<State> {
        for signed in [true, false] {
            let Some(sum) = self.difference(&state, a, b, signed) else { continue };
            for sum in [sum.negated(), Some(sum)].into_iter().flatten() {
                if self.is_at_most_zero(&state, &sum)
                    && let Some(strict) = sum.offset(1)
                {
                    state = self.assume_at_most_zero(state, &strict)?;
                }
            }
        }
        Some(state)
    }

    /// An access of so many bytes is inside of the object.
    pub(crate) fn relate_access(&self, state: State, addr: Term, bytes: u64) -> Option<State> {
        let ptr = self.ptr(&state, addr);
        let TermKind::Var(root) = self.program.terms.kind(self.root(addr)) else {
            return Some(state);
        };
        if ptr.is_wild {
            return Some(state);
        }
        let size = self.key_linear(&state, self.model.keys.var(root).size(), false);
        let sum = self
            .linear_offset(&state, addr)
            .zip(size)
            .and_then(|(offset, size)| offset.plus(-1, &size)?.offset(bytes.into()));
        match sum {
            Some(sum) => self.assume_at_most_zero(state, &sum),
            None => Some(state),
        }
    }

    /// A quantity has fewer values than before.
    pub(crate) fn restricted(&self, mut state: State, key: Key, values: &Num) -> Option<State> {
        if !self.spend(4) {
            return Some(state);
        }
        let Some(entry) = state.relations.entry(key).cloned() else { return Some(state) };
        if let Some(meaning) = entry.meaning {
            state = self.restrict(state, meaning, values)?;
        }
        for fact in Relations::facts_of(key, &entry) {
            match fact {
                Fact::Bound(_) => {}
                Fact::Sum(own, sum) => {
                    let &[(other, by)] = sum.terms.as_slice() else { continue };
                    let (Some(least), Some(most)) = self.node_bounds(&state, own) else { continue };
                    let (Some(least), Some(most)) =
                        (least.checked_sub(sum.constant), most.checked_sub(sum.constant))
                    else {
                        continue;
                    };
                    if by > 0
                        && let Some(negative) = least.checked_neg()
                    {
                        let least = negative.div_euclid(by).checked_neg();
                        let bounds = (least, Some(most.div_euclid(by)));
                        state = self.restrict_node(state, other, bounds)?;
                    }
                }
            }
        }
        for Bound { own, other, bound } in state.relations.bounds_with(key) {
            let (least, most) = self.node_bounds(&state, own.node);
            let own_least = if own.is_negative { most.and_then(i128::checked_neg) } else { least };
            let Some(rest) = own_least.and_then(|least| bound.checked_sub(least)) else { continue };
            let bounds = match other.is_negative {
                true => (rest.checked_neg(), None),
                false => (None, Some(rest)),
            };
            state = self.restrict_node(state, other.node, bounds)?;
        }
        Some(state)
    }

    /// Forgets the relations of a quantity that changes.
    pub(crate) fn forget_relations(&self, state: &mut State, key: Key) {
        let mentions = |term: Term| {
            self.program.terms.vars_of(term).iter().any(|&var| self.model.keys.var(var) == key)
        };
        state.relations.forget(key, &mentions);
    }

    /// Forgets the relations of all quantities outside of frames that changed.
    pub(crate) fn forget_changed(&self, state: &mut State, is_changed: &dyn Fn(Key) -> bool) {
        let mut keys = Vec::new();
        state.relations.entries.for_each(&mut |key, _| {
            if !self.model.is_local(Key(key)) && is_changed(Key(key)) {
                keys.push(Key(key));
            }
        });
        keys.into_iter().for_each(|key| self.forget_relations(state, key));
    }

    /// The sums that an assigned term is, before the assignment: of the signed and of the unsigned number.
    pub(crate) fn sums(&self, state: &State, term: Term) -> Sums {
        let terms = &self.program.terms;
        match terms.sort(term) {
            Sort::Ptr => {
                let size = match terms.kind(self.root(term)) {
                    TermKind::Var(root) => {
                        self.key_linear(state, self.model.keys.var(root).size(), false)
                    }
                    _ => None,
                };
                Sums { signed: self.linear_offset(state, term), unsigned: None, size }
            }
            Sort::Bv(_) => {
                let signed = self.linear(state, term, true);
                let unsigned =
                    self.linear(state, term, false).filter(|it| Some(it) != signed.as_ref());
                Sums { signed, unsigned, size: None }
            }
            Sort::Bool | Sort::Float(_) | Sort::Mem => Sums::default(),
        }
    }

    /// Relates a quantity that got the value of a sum, which was computed before the assignment. `before` is the
    /// state then.
    pub(crate) fn relate_sum(&self, state: &mut State, before: &State, own: Node, sum: &Linear) {
        if self.model.is_shared(self.program, own.key) {
            return;
        }
        if let Some(by) = sum.factor(own.key) {
            if by == 1
                && sum.terms.len() == 1
                && sum.terms[0].0.signed == self.normal(before, own).signed
            {
                self.shift(state, before, own, sum.constant);
            }
            return;
        }
        if let &[(node, by)] = sum.terms.as_slice() {
            // Definitions lead to the first quantity at once.
            let inner = state.relations.entry(node.key).and_then(|entry| entry.definition.clone());
            let composed = inner.filter(|(signed, _)| {
                self.normal(state, Node { signed: *signed, ..node }) == self.normal(state, node)
            });
            let composed = composed
                .and_then(|(_, inner)| Linear::constant(sum.constant).plus(by, &inner))
                .filter(|composed| composed.factor(own.key).is_none());
            state.relations.define(own, composed.unwrap_or_else(|| sum.clone()));
        }
        for &(other, by) in sum.terms.iter().filter(|(_, by)| matches!(by, 1 | -1)) {
            let Some(rest) = sum.plus(-by, &Linear::node(other)) else { continue };
            // What is assigned less the other quantity is the rest.
            if let Some(bound) = self.upper(state, &rest, 0) {
                let (own, other) = (Side::plus(own), Side::of(other, -by));
                self.add_bound(state, Bound { own, other, bound });
            }
            if let Some(bound) = rest.negated().and_then(|rest| self.upper(state, &rest, 0)) {
                let (own, other) = (Side::minus(own), Side::of(other, by));
                self.add_bound(state, Bound { own, other, bound });
            }
        }
    }

    /// A quantity was moved by a constant, so its relations move along.
    fn shift(&self, state: &mut State, before: &State, own: Node, by: i128) {
        let signed = self.normal(before, own).signed;
        for bound in before.relations.bounds_with(own.key) {
            let is_own = self.normal(before, bound.own.node).signed == signed;
            let moved = bound.own.factor().checked_mul(by);
            if is_own && let Some(moved) = moved.and_then(|by| bound.bound.checked_add(by)) {
                let own = Side { node: own, ..bound.own };
                state.relations.add_bound(Bound { own, other: bound.other, bound: moved });
            }
        }
    }

    /// Keeps the term that a variable was assigned, if a condition on the variable says more about its parts.
    pub(crate) fn relate_meaning(&self, state: &mut State, dst: Var, term: Term) {
        let terms = &self.program.terms;
        let is_condition = match terms.kind(term) {
            TermKind::Ite(..) => true,
            TermKind::Unary(..) | TermKind::Binary(..) => terms.sort(term) == Sort::Bool,
            _ => false,
        };
        let key = self.model.keys.var(dst);
        if !is_condition || terms.sort(term) == Sort::Ptr || self.model.is_shared(self.program, key)
        {
            return;
        }
        // The address of a local object is another one when its scope begins again.
        let mut has_address = false;
        terms.for_each_subterm(term, |_, kind| {
            has_address |= matches!(kind, TermKind::Address(_));
        });
        let vars = terms.vars_of(term);
        let is_usable = |&var: &Var| {
            var != dst && !self.model.is_shared(self.program, self.model.keys.var(var))
        };
        if has_address || vars.len() > 6 || !vars.iter().all(is_usable) {
            return;
        }
        for var in vars {
            state.relations.use_by(self.model.keys.var(var), key);
        }
        state.relations.change(key, |entry| entry.meaning = Some(term));
    }
}

/// What a term is as a sum.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    pub(crate) signed: Option<Linear>,
    pub(crate) unsigned: Option<Linear>,
    /// The size of the object of a pointer.
    pub(crate) size: Option<Linear>,
}
