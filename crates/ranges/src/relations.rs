//! Relations between quantities as they are stored: upper bounds of differences, definitions as sums, and the terms
//! that variables were assigned. They are whole numbers: no relation depends on arithmetic that wraps around.

use std::sync::Arc;

use ravelin_cfa::Term;
use smallvec::SmallVec;

use crate::eval::Env;
use crate::linear::{Linear, Node};
use crate::map::Map;
use crate::state::{Key, Mode, State};

/// `own - other <= bound`, where `own` is the quantity with the relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Upper {
    pub(crate) signed: bool,
    pub(crate) other: Node,
    pub(crate) bound: i128,
}

/// What relates one quantity to others.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Entry {
    pub(crate) uppers: SmallVec<[Upper; 2]>,
    /// The signed or unsigned number of the quantity as a sum of one other.
    pub(crate) definition: Option<(bool, Linear)>,
    /// The term with the same value.
    pub(crate) meaning: Option<Term>,
    /// The quantities whose entries may mention this one.
    pub(crate) users: SmallVec<[Key; 2]>,
}

/// More bounds of one quantity are not kept.
const MAX_UPPERS: usize = 8;

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

    /// Adds `own - other <= bound`.
    pub(crate) fn add_upper(&mut self, own: Node, other: Node, bound: i128) {
        if own.key == other.key {
            return;
        }
        let is_alike = |upper: &Upper| upper.signed == own.signed && upper.other == other;
        let old = self.entry(own.key).and_then(|entry| entry.uppers.iter().find(|it| is_alike(it)));
        if old.is_some_and(|old| old.bound <= bound) {
            return;
        }
        let is_full = self.entry(own.key).is_some_and(|entry| entry.uppers.len() >= MAX_UPPERS);
        self.change(own.key, |entry| {
            entry.uppers.retain(|upper| !is_alike(upper));
            if is_full && entry.uppers.len() >= MAX_UPPERS {
                entry.uppers.remove(0);
            }
            entry.uppers.push(Upper { signed: own.signed, other, bound });
        });
        self.use_by(other.key, own.key);
    }

    /// Puts back the relations of a quantity that did not change after all, except for those with another one.
    pub(crate) fn restore(&mut self, before: &Relations, key: Key, except: Key) {
        let Some(entry) = before.entry(key) else { return };
        for upper in entry.uppers.iter().filter(|upper| upper.other.key != except) {
            self.add_upper(Node { key, signed: upper.signed }, upper.other, upper.bound);
        }
        if let Some((signed, sum)) = &entry.definition
            && sum.factor(except).is_none()
        {
            self.define(Node { key, signed: *signed }, sum.clone());
        }
        for &user in entry.users.iter().filter(|&&user| user != except) {
            let Some(other) = before.entry(user) else { continue };
            for upper in other.uppers.iter().filter(|upper| upper.other.key == key) {
                self.add_upper(Node { key: user, signed: upper.signed }, upper.other, upper.bound);
            }
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
        self.entries.remove(key.0);
        for user in entry.users {
            let Some(other) = self.entry(user).cloned() else { continue };
            for below in other.uppers.iter().filter(|upper| upper.other.key == key) {
                for above in entry.uppers.iter().filter(|upper| upper.signed == below.other.signed)
                {
                    if let Some(bound) = below.bound.checked_add(above.bound) {
                        let own = Node { key: user, signed: below.signed };
                        self.add_upper(own, above.other, bound);
                    }
                }
            }
            self.change(user, |other| {
                other.uppers.retain(|upper| upper.other.key != key);
                if other.definition.as_ref().is_some_and(|(_, sum)| sum.factor(key).is_some()) {
                    other.definition = None;
                }
                if other.meaning.is_some_and(vars_of) {
                    other.meaning = None;
                }
            });
        }
    }

    /// All relations as sums that are at most zero, with those that are equal to zero.
    pub(crate) fn facts_of(key: Key, entry: &Entry) -> Vec<Fact> {
        let node = |signed: bool| Node { key, signed };
        let mut facts: Vec<Fact> = entry
            .uppers
            .iter()
            .map(|it| Fact::Upper(node(it.signed), it.other, it.bound))
            .collect();
        facts.extend(
            entry.definition.iter().map(|(signed, sum)| Fact::Sum(node(*signed), sum.clone())),
        );
        facts
    }
}

pub(crate) enum Fact {
    Upper(Node, Node, i128),
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
            let is_alike = of_old.uppers == of_new.uppers
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
            // What the older state implies may be said as well. It cannot come back once it is lost.
            for fact in Relations::facts_of(key, &of_new) {
                let mut found = Entry::default();
                self.with_join_fuel(|| {
                    self.keep(&mut found, old, fact, matches!(mode, Mode::Join))
                });
                for upper in found.uppers {
                    let own = Node { key, signed: upper.signed };
                    let is_alike =
                        |it: &Upper| it.other == upper.other && it.signed == upper.signed;
                    if !of_old.uppers.iter().any(is_alike) {
                        result.add_upper(own, upper.other, upper.bound);
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

    /// Keeps a fact as far as it holds in a state as well; says whether it does as it is.
    fn keep(&self, kept: &mut Entry, state: &State, fact: Fact, may_weaken: bool) -> bool {
        match fact {
            Fact::Upper(own, other, bound) => {
                let is_said = |upper: &Upper| {
                    upper.signed == own.signed && upper.other == other && upper.bound <= bound
                };
                let entry = state.relations.entry(own.key);
                if entry.is_some_and(|entry| entry.uppers.iter().any(is_said)) {
                    kept.uppers.push(Upper { signed: own.signed, other, bound });
                    return true;
                }
                let sum = Linear::node(own).plus(-1, &Linear::node(other));
                let sum = sum.and_then(|sum| self.normal_sum(state, &sum));
                let Some(most) = sum.and_then(|sum| {
                    let by_interval = self.upper(state, &sum, 0).filter(|most| *most <= bound);
                    by_interval.or_else(|| self.upper(state, &sum, 1))
                }) else {
                    return false;
                };
                if most <= bound || may_weaken {
                    let bound = most.max(bound);
                    kept.uppers.push(Upper { signed: own.signed, other, bound });
                }
                most <= bound
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
