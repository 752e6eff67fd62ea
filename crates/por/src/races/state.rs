//! What a thread knows at a location: the locks that it holds, the values of its variables as terms over others, the
//! objects that nobody else has seen yet, and the threads that have been started and have ended.

use std::collections::{BTreeMap, BTreeSet};

use ravelin_cfa::Program;
use ravelin_pointsto::Target;
use ravelin_term::{Term, TermKind, TermPool, Var};

use super::threads::Kinds;

/// Locks that are one place of one object, by their numbers.
pub type Locks = u128;

/// So many are told apart; further ones are known by their addresses alone.
pub const MAX_LOCKS: usize = 128;

/// Whether a lock keeps everybody away, or writers only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    Shared,
    Exclusive,
}

/// A lock that an operation names: as the place that it surely is, or by its address, a term over variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lock {
    Place(usize),
    Address(Term),
}

/// What the code between the entry of a procedure and a location does to what its caller knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    pub exclusive: Locks,
    pub shared: Locks,
    /// Perhaps released.
    pub lost: Locks,
    /// These threads have surely ended.
    pub joined: Kinds,
    /// These threads have perhaps been started.
    pub started: Kinds,
}

impl Effect {
    /// First this, then the other.
    pub fn then(self, next: Effect) -> Effect {
        Effect {
            exclusive: (self.exclusive & !next.lost) | next.exclusive,
            shared: (self.shared & !next.lost) | next.shared,
            lost: (self.lost & !(next.exclusive | next.shared)) | next.lost,
            joined: self.joined | next.joined,
            started: self.started | next.started,
        }
    }

    /// One of the two.
    pub fn or(self, other: Effect) -> Effect {
        Effect {
            exclusive: self.exclusive & other.exclusive,
            shared: self.shared & other.shared,
            lost: self.lost | other.lost,
            joined: self.joined & other.joined,
            started: self.started | other.started,
        }
    }
}

/// What a kind of thread knows wherever it enters a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub exclusive: Locks,
    pub shared: Locks,
    pub joined: Kinds,
    pub started: Kinds,
    /// Whether it is inside an atomic section.
    pub is_inside: bool,
}

impl Entry {
    pub const FIRST: Entry =
        Entry { exclusive: 0, shared: 0, joined: 0, started: 0, is_inside: false };

    /// What is known behind code with this effect.
    pub fn after(self, effect: Effect, is_inside: bool) -> Entry {
        Entry {
            exclusive: (self.exclusive & !effect.lost) | effect.exclusive,
            shared: (self.shared & !effect.lost) | effect.shared,
            joined: self.joined | effect.joined,
            started: self.started | effect.started,
            is_inside: self.is_inside || is_inside,
        }
    }

    pub fn or(self, other: Entry) -> Entry {
        Entry {
            exclusive: self.exclusive & other.exclusive,
            shared: self.shared & other.shared,
            joined: self.joined & other.joined,
            started: self.started | other.started,
            is_inside: self.is_inside && other.is_inside,
        }
    }
}

/// A lock held by its address, and the address as the operation gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    pub mode: Mode,
    /// A term of the program, for what it may point to.
    pub given: Term,
}

/// What is known at a location of a procedure, whoever called it. Terms are over the values that variables have now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    pub effect: Effect,
    /// What locals are equal to.
    pub values: BTreeMap<Var, Term>,
    /// What is in cells of objects of which there is one instance: by object, offset and length in bytes.
    pub cells: BTreeMap<(Target, i64, u64), Term>,
    pub held: BTreeMap<Term, Held>,
    /// Locks that are held if the variable is zero.
    pub pending: BTreeMap<Var, (Lock, Held)>,
    /// Variables that were given a new object to which only this frame has pointers.
    pub fresh: BTreeSet<Var>,
}

impl State {
    /// A variable gets a new value.
    pub fn forget(&mut self, terms: &TermPool, var: Var) {
        self.values.remove(&var);
        self.pending.remove(&var);
        self.fresh.remove(&var);
        let mentions = |term: Term| mentions(terms, term, var);
        let stale: Vec<Var> =
            self.values.iter().filter(|(_, term)| mentions(**term)).map(|(&it, _)| it).collect();
        for it in stale {
            if let Some(term) = self.values.remove(&it) {
                self.publish(terms, term);
            }
        }
        self.cells.retain(|_, term| !mentions(*term));
        self.held.retain(|term, _| !mentions(*term));
        self.pending.retain(|_, (lock, _)| match lock {
            Lock::Address(term) => !mentions(*term),
            Lock::Place(_) => true,
        });
    }

    /// Globals may have new values.
    pub fn forget_globals(&mut self, program: &Program, terms: &TermPool) {
        let mut globals: BTreeSet<Var> = BTreeSet::new();
        let held = self.held.keys().chain(self.values.values()).chain(self.cells.values());
        let pending = self.pending.values().filter_map(|(lock, _)| match lock {
            Lock::Address(term) => Some(term),
            Lock::Place(_) => None,
        });
        for &term in held.chain(pending) {
            let vars = terms.vars_of(term);
            globals.extend(vars.into_iter().filter(|&var| program.is_shared_var(var)));
        }
        globals.into_iter().for_each(|var| self.forget(terms, var));
    }

    /// The objects that a term leads to are perhaps seen by others from now on, or no longer followed.
    pub fn publish(&mut self, terms: &TermPool, term: Term) {
        if self.fresh.is_empty() {
            return;
        }
        terms.for_each_subterm(term, |_, kind| {
            if let TermKind::Var(var) = kind {
                self.fresh.remove(&var);
            }
        });
    }

    /// The least that holds in both.
    pub fn join(&mut self, terms: &TermPool, other: &State) {
        self.effect = self.effect.or(other.effect);
        let keeps = |mine: &BTreeMap<Var, Term>, theirs: &BTreeMap<Var, Term>| {
            let lost = mine.iter().filter(|(var, term)| theirs.get(var) != Some(term));
            lost.map(|(&var, &term)| (var, term)).collect::<Vec<_>>()
        };
        // What a variable no longer surely is, it may still be.
        let lost = keeps(&self.values, &other.values);
        let unseen = keeps(&other.values, &self.values);
        for &(var, term) in lost.iter().chain(&unseen) {
            self.values.remove(&var);
            self.publish(terms, term);
        }
        self.cells.retain(|cell, term| other.cells.get(cell) == Some(term));
        self.held.retain(|term, held| match other.held.get(term) {
            Some(there) => {
                held.mode = held.mode.min(there.mode);
                true
            }
            None => false,
        });
        self.pending.retain(|var, lock| other.pending.get(var) == Some(lock));
        self.fresh.retain(|var| other.fresh.contains(var));
    }
}

fn mentions(terms: &TermPool, term: Term, var: Var) -> bool {
    let mut found = false;
    terms.for_each_subterm(term, |_, kind| found |= kind == TermKind::Var(var));
    found
}
