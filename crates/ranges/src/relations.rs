//! Relations between quantities as they are stored: upper bounds of differences and sums (octagons: Miné, "The octagon
//! abstract domain"), definitions as sums, and the terms that variables were assigned. They are whole numbers: no relation
//! depends on arithmetic that wraps around.

use std::sync::Arc;

use ravelin_cfa::Term;
use smallvec::SmallVec;

use crate::eval::Env;
use crate::linear::{Linear, Node};
use crate::map::Map;
use crate::state::{Key, Mode, State};

/// A quantity or its negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) node: Node,
    pub(crate) is_negative: bool,
}

impl Side {
    pub(crate) fn plus(node: Node) -> Side {
        Side { node, is_negative: false }
    }

    pub(crate) fn minus(node: Node) -> Side {
        Side { node, is_negative: true }
    }

    pub(crate) fn of(node: Node, factor: i128) -> Side {
        Side { node, is_negative: factor < 0 }
    }

    pub(crate) fn factor(self) -> i128 {
        if self.is_negative { -1 } else { 1 }
    }
}

/// `own + other <= bound`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    pub(crate) own: Side,
    pub(crate) other: Side,
    pub(crate) bound: i128,
}

impl Bound {
    /// Seen from the other side.
    fn reversed(self) -> Bound {
        Bound { own: self.other, other: self.own, ..self }
    }

    fn is_difference(&self) -> bool {
        self.own.is_negative != self.other.is_negative
    }

    /// As it is stored: a difference with the quantity that is bounded, a sum with the first quantity.
    fn canonical(self) -> Bound {
        let is_reversed = match self.is_difference() {
            true => self.own.is_negative,
            false => self.other.node < self.own.node,
        };
        if is_reversed { self.reversed() } else { self }
    }

    fn is_about_same(&self, other: &Bound) -> bool {
        self.own == other.own && self.other == other.other
    }
}

/// What relates one quantity to others.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Entry {
    pub(crate) bounds: SmallVec<[Bound; 2]>,
    /// The signed or unsigned number of the quantity as a sum of one other.
    pub(crate) definition: Option<(bool, Linear)>,
    /// The term with the same value.
    pub(crate) meaning: Option<Term>,
    /// The quantities whose entries may mention this one.
    pub(crate) users: SmallVec<[Key; 2]>,
}

/// More differences and sums of one quantity are not kept.
const MAX_DIFFERENCES: usize = 8;
const MAX_SUMS: usize = 3;

/// What is known of pairs of quantities.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Relations {
    pub(crate) entries: Map<Arc<Entry>>,
}

impl Relations {
    pub(crate) fn is_same(&self, other: &Relations) -> bool {
        self.entries.is_same(&other.entries)
    }

    /// Whether a direct operand of the term has relations.
    pub(crate) fn is_relevant(&self, env: &Env<'_>, term: Term) -> bool {
        env.program.terms.children(term).any(|child| {
            env.program
                .terms
                .vars_of(child)
                .iter()
                .any(|&var| self.entry(env.model.keys.var(var)).is_some())
        })
    }

    pub(crate) fn entry(&self, key: Key) -> Option<&Entry> {
        self.entries.get(key.0).map(|entry| &**entry)
    }

    pub(crate) fn change(&mut self, key: Key, change: impl FnOnce(&mut Entry)) {
        let mut entry = self.entry(key).cloned().unwrap_or_default();
        change(&mut entry);
        match entry == Entry::default() {
            true => self.entries.remove(key.0),
            false => self.entries.insert(key.0, Arc::new(entry)),
        }
    }

    pub(crate) fn use_by(&mut self, key: Key, user: Key) {
        if !self.entry(key).is_some_and(|entry| entry.users.contains(&user)) {
            self.change(key, |entry| entry.users.push(user));
        }
    }

    pub(crate) fn add_bound(&mut self, new: Bound) {
        if new.own.node.key == new.other.node.key {
            return;
        }
        let new = new.canonical();
        let key = new.own.node.key;
        let bounds = self.entry(key).map_or(&[][..], |entry| &entry.bounds);
        if bounds.iter().any(|old| old.is_about_same(&new) && old.bound <= new.bound) {
            return;
        }
        self.change(key, |entry| {
            entry.bounds.retain(|old| !old.is_about_same(&new));
            let is_alike = |old: &Bound| old.is_difference() == new.is_difference();
            let limit = if new.is_difference() { MAX_DIFFERENCES } else { MAX_SUMS };
            if entry.bounds.iter().filter(|old| is_alike(old)).count() >= limit
                && let Some(oldest) = entry.bounds.iter().position(is_alike)
            {
                entry.bounds.remove(oldest);
            }
            entry.bounds.push(new);
        });
        self.use_by(new.other.node.key, key);
    }

    /// All bounds with a quantity, seen from its side.
    pub(crate) fn bounds_with(&self, key: Key) -> SmallVec<[Bound; 8]> {
        let Some(entry) = self.entry(key) else { return SmallVec::new() };
        let mut found: SmallVec<[Bound; 8]> = entry.bounds.iter().copied().collect();
        for &user in &entry.users {
            let Some(other) = self.entry(user) else { continue };
            let about = other.bounds.iter().filter(|bound| bound.other.node.key == key);
            found.extend(about.map(|bound| bound.reversed()));
        }
        found
    }

    /// Puts back the relations of a quantity that did not change after all, except for those with another one.
    pub(crate) fn restore(&mut self, before: &Relations, key: Key, except: Key) {
        let Some(entry) = before.entry(key) else { return };
        for bound in before.bounds_with(key) {
            if bound.other.node.key != except {
                self.add_bound(bound);
            }
        }
        if let Some((signed, sum)) = &entry.definition
            && sum.factor(except).is_none()
        {
            self.define(Node { key, signed: *signed }, sum.clone());
        }
    }

    pub(crate) fn define(&mut self, own: Node, sum: Linear) {
        for (node, _) in &sum.terms {
            self.use_by(node.key, own.key);
        }
        self.change(own.key, |entry| entry.definition = Some((own.signed, sum)));
    }

    /// Forgets all relations of a quantity; those that go through it stay between the others.
    pub(crate) fn forget(&mut self, key: Key, vars_of: &dyn Fn(Term) -> bool) {
        let Some(entry) = self.entry(key).cloned() else { return };
        let (below, above): (Vec<Bound>, Vec<Bound>) =
            self.bounds_with(key).into_iter().partition(|bound| bound.own.is_negative);
        self.entries.remove(key.0);
        for user in entry.users {
            self.change(user, |other| {
                other.bounds.retain(|bound| bound.other.node.key != key);
                if other.definition.as_ref().is_some_and(|(_, sum)| sum.factor(key).is_some()) {
                    other.definition = None;
                }
                if other.meaning.is_some_and(vars_of) {
                    other.meaning = None;
                }
            });
        }
        for below in &below {
            for above in above.iter().filter(|above| above.own.node == below.own.node) {
                if let Some(bound) = below.bound.checked_add(above.bound) {
                    self.add_bound(Bound { own: below.other, other: above.other, bound });
                }
            }
        }
    }

    /// All relations as sums that are at most zero, with those that are equal to zero.
    pub(crate) fn facts_of(key: Key, entry: &Entry) -> Vec<Fact> {
        let node = |signed: bool| Node { key, signed };
        let mut facts: Vec<Fact> = entry.bounds.iter().copied().map(Fact::Bound).collect();
        facts.extend(
            entry.definition.iter().map(|(signed, sum)| Fact::Sum(node(*signed), sum.clone())),
        );
        facts
    }
}

pub(crate) enum Fact {
    Bound(Bound),
    Sum(Node, Linear),
}

impl Env<'_> {
    /// Takes the relations of a newer state into an older one, before the values are; says whether some are lost.
    pub(crate) fn absorb_relations(&self, old: &mut State, newer: &State, mode: Mode<'_>) -> bool {
        let mut facts = Vec::new();
        old.relations.entries.diff(&newer.relations.entries, &mut |key, a, b| {
            facts.push((Key(key), [a, b].map(|entry| entry.cloned().unwrap_or_default())));
        });
        if facts.is_empty() {
            return false;
        }
        let mut changed = false;
        let mut result = old.relations.clone();
        for (key, [of_old, of_new]) in facts {
            let is_alike = of_old.bounds == of_new.bounds
                && of_old.definition == of_new.definition
                && of_old.meaning == of_new.meaning;
            if is_alike {
                continue;
            }
            let mut kept = Entry::default();
            let same_meaning = of_old.meaning == of_new.meaning;
            kept.meaning = of_old.meaning.filter(|_| same_meaning);
            changed |= kept.meaning != of_old.meaning;
            for fact in Relations::facts_of(key, &of_old) {
                changed |= !self.with_join_fuel(|| {
                    self.keep(&mut kept, newer, fact, matches!(mode, Mode::Join))
                });
            }
            result.change(key, |entry| {
                // Facts of other quantities that were added may use this one.
                let users = std::mem::take(&mut entry.users);
                *entry = Entry { users, ..kept };
            });
            // What the older state implies may be said as well. What is lost must not come back again and again: proofs are
            // incomplete, so the older state may imply what one of two newer ones does not.
            if matches!(mode, Mode::Widen([])) {
                continue;
            }
            for fact in Relations::facts_of(key, &of_new) {
                let mut found = Entry::default();
                self.with_join_fuel(|| {
                    self.keep(&mut found, old, fact, matches!(mode, Mode::Join))
                });
                for bound in found.bounds {
                    if !of_old.bounds.iter().any(|old| old.is_about_same(&bound)) {
                        result.add_bound(bound);
                    }
                }
                let has_one = result.entry(key).is_some_and(|it| it.definition.is_some());
                if let Some((signed, sum)) = found.definition.filter(|_| !has_one) {
                    result.define(Node { key, signed }, sum);
                }
            }
        }
        old.relations = result;
        changed
    }

    pub(crate) fn bounded_sum(&self, own: Side, other: Side) -> Option<Linear> {
        Linear::constant(0)
            .plus(own.factor(), &Linear::node(own.node))?
            .plus(other.factor(), &Linear::node(other.node))
    }

    /// Keeps a fact as far as it holds in a state as well; says whether it does as it is.
    fn keep(&self, kept: &mut Entry, state: &State, fact: Fact, may_weaken: bool) -> bool {
        match fact {
            Fact::Bound(fact) => {
                let is_said = |it: &Bound| it.is_about_same(&fact) && it.bound <= fact.bound;
                let entry = state.relations.entry(fact.own.node.key);
                if entry.is_some_and(|entry| entry.bounds.iter().any(is_said)) {
                    kept.bounds.push(fact);
                    return true;
                }
                let sum = self.bounded_sum(fact.own, fact.other);
                let sum = sum.and_then(|sum| self.normal_sum(state, &sum));
                let Some(most) = sum.and_then(|sum| {
                    let by_interval = self.upper(state, &sum, 0).filter(|most| *most <= fact.bound);
                    by_interval.or_else(|| self.upper(state, &sum, 1))
                }) else {
                    return false;
                };
                if most <= fact.bound || may_weaken {
                    kept.bounds.push(Bound { bound: most.max(fact.bound), ..fact });
                }
                most <= fact.bound
            }
            Fact::Sum(own, sum) => {
                let entry = state.relations.entry(own.key);
                let is_same = entry.is_some_and(|entry| {
                    entry.definition.as_ref() == Some(&(own.signed, sum.clone()))
                });
                let holds = || {
                    let difference = sum.plus(-1, &Linear::node(own))?;
                    let reverse = difference.negated()?;
                    let is_zero = |sum: &Linear| {
                        let most = self.normal_sum(state, sum);
                        let most = most.and_then(|sum| self.upper(state, &sum, 0));
                        most.is_some_and(|most| most <= 0)
                    };
                    (is_zero(&difference) && is_zero(&reverse)).then_some(())
                };
                let holds = is_same || holds().is_some();
                if holds {
                    kept.definition = Some((own.signed, sum));
                }
                holds
            }
        }
    }
}
