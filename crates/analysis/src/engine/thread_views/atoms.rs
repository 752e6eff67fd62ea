//! Predicates over replicated threads, whichever slots these are in.

use std::collections::BTreeMap;
use std::rc::Rc;

use ravelin_term::{BinOp, Term, TermKind, UnOp, Var, term_kinds};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::SLOTS;
use crate::domain::Context;
use crate::domain::predicate::Predicates;
use crate::domain::predicate::literals::{Literals, Predicate};
use crate::model::space::{Role, Thread};
use crate::model::step::Control;

/// A predicate that speaks of more members than this is of no use: no two views say the same of them.
const MAX_SPOKEN_OF: usize = 2;

/// The members that a predicate speaks of.
type Spoken = SmallVec<[Thread; MAX_SPOKEN_OF]>;

/// Predicates, each for all members that it may speak of.
#[derive(Debug, Default)]
pub(super) struct Atoms {
    /// Of which one a predicate is an instance, and for which members.
    origins: FxHashMap<Predicate, (usize, Spoken)>,
    instances: FxHashMap<(usize, Spoken), Predicate>,
    /// The locals of threads that a predicate speaks of.
    locals: FxHashMap<Predicate, Box<[Var]>>,
    /// The predicates that speak of nobody but these, where all threads are.
    of: FxHashMap<Where, Rc<[Group]>>,
}

/// Where all threads are, and the members that count.
type Where = (Control, SmallVec<[Thread; 3]>);

/// Predicates that speak of the same members.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) spoken: Spoken,
    pub(super) predicates: Vec<Predicate>,
}

impl Atoms {
    /// Takes over terms as predicates.
    pub(super) fn new(cx: &mut Context<'_, '_>, terms: &[Term], own: &mut Predicates<'_>) -> Self {
        let mut atoms = Atoms::default();
        for (number, &term) in terms.iter().enumerate() {
            let spoken: Vec<(Thread, usize)> = cx
                .space
                .threads_in(term)
                .into_iter()
                .filter_map(|thread| Some((thread, cx.steps.template_of(thread)?)))
                .collect();
            if spoken.len() > MAX_SPOKEN_OF || !is_of_any_thread(cx, term) {
                continue;
            }
            for slots in arrangements(cx, &spoken) {
                let name = |thread| {
                    let at = spoken.iter().position(|(other, _)| *other == thread);
                    at.map_or(thread, |at| slots[at])
                };
                let instance = cx.space.with_threads(term, name);
                let predicate = own.precision.number(instance);
                let mut locals = cx.space.terms.vars_of(instance);
                locals.retain(|&var| cx.space.is_local(var));
                atoms.locals.insert(predicate, locals.into());
                atoms.origins.entry(predicate).or_insert_with(|| (number, slots.clone()));
                atoms.instances.insert((number, slots), predicate);
            }
        }
        atoms
    }

    /// The predicates that speak of nobody but these members, and of no local that is written before it is read
    /// from where its thread is. The first group speaks of no member.
    pub(super) fn of(
        &mut self,
        cx: &mut Context<'_, '_>,
        at: Control,
        members: &[Thread],
    ) -> Rc<[Group]> {
        let key = (at, SmallVec::from_slice(members));
        if let Some(found) = self.of.get(&key) {
            return Rc::clone(found);
        }
        let live = cx.steps.live_locals(cx.space, at);
        let mut groups: BTreeMap<Spoken, Vec<Predicate>> = BTreeMap::new();
        groups.insert(Spoken::new(), Vec::new());
        for (&predicate, (_, spoken)) in &self.origins {
            if spoken.iter().all(|thread| members.contains(thread))
                && self.locals[&predicate].iter().all(|var| live.contains(var))
            {
                let mut spoken = spoken.clone();
                spoken.sort_unstable();
                groups.entry(spoken).or_default().push(predicate);
            }
        }
        let groups: Rc<[Group]> = groups
            .into_iter()
            .map(|(spoken, mut predicates)| {
                predicates.sort_unstable();
                Group { spoken, predicates }
            })
            .collect();
        self.of.insert(key, Rc::clone(&groups));
        groups
    }

    /// The literals that speak of nobody but a thread and some members.
    pub(super) fn about(&self, literals: &Literals, thread: Thread, others: &[Thread]) -> Literals {
        let mut about = Literals::default();
        for (predicate, holds) in literals.iter() {
            let Some((_, spoken)) = self.origins.get(&predicate) else { continue };
            if spoken.iter().all(|it| *it == thread || others.contains(it)) {
                about.insert(predicate, holds);
            }
        }
        about
    }

    /// The literals with members in other slots; those that speak of others are left out.
    pub(super) fn moved(&self, literals: &Literals, moves: &[(Thread, Thread)]) -> Literals {
        let mut moved = Literals::default();
        for (predicate, holds) in literals.iter() {
            let Some((number, spoken)) = self.origins.get(&predicate) else { continue };
            let to =
                |thread: &Thread| moves.iter().find(|(from, _)| from == thread).map(|&(_, to)| to);
            let Some(slots) = spoken.iter().map(to).collect::<Option<Spoken>>() else { continue };
            if let Some(&instance) = self.instances.get(&(*number, slots)) {
                moved.insert(instance, holds);
            }
        }
        moved
    }
}

/// Whether what a term says depends on names of threads and objects in no way but through variables and objects
/// of their frames. What it says of results of threads is of those that have ended.
fn is_of_any_thread(cx: &Context<'_, '_>, term: Term) -> bool {
    let mut found = true;
    cx.space.terms.for_each_subterm(term, |_, kind| {
        found &= match kind {
            TermKind::Var(var) => matches!(
                cx.space.role(var),
                Role::Program { .. } | Role::Memory(_)
            ),
            TermKind::Unary(UnOp::PtrToInt | UnOp::IntToPtr, _)
            | TermKind::Binary(
                BinOp::PtrLt | BinOp::PtrLe | BinOp::PtrDiff | BinOp::PtrMake,
                ..,
            ) => false,
            term_kinds!(constants, inner) | TermKind::Address(_) => true,
        };
    });
    found
}

/// All ways to put members into different slots of their templates.
fn arrangements(cx: &mut Context<'_, '_>, members: &[(Thread, usize)]) -> Vec<Spoken> {
    let mut found = vec![Spoken::new()];
    for &(_, template) in members {
        let slots: Vec<Thread> = (0..SLOTS).map(|number| cx.steps.slot(template, number)).collect();
        found = found
            .iter()
            .flat_map(|before| {
                let free = slots.iter().filter(|slot| !before.contains(slot));
                free.map(|&slot| before.iter().copied().chain([slot]).collect())
            })
            .collect();
    }
    found
}
