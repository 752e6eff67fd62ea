//! What statements do to known values.

use std::collections::hash_map::Entry;

use ravelin_cfa::{AllocKind, FreeKind};
use ravelin_term::{BinOp, Term, TermKind, UnOp, Var};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::cells::{
    Access, Range, Write, allocate, copy, fill, free, inspect, load, mark, set_bytes, store,
};
use super::targets;
use super::valuation::{Valuation, ValuePlace};
use crate::model::block::accessed;
use crate::model::space::Space;
use crate::model::statement::{Action, Statement, Update, guard};

/// The branches taken at the choices of a step, in order. Where ways to the same values were made one in a program with
/// threads, from the first choice in which they differ on, it is one of them: [`EITHER`] is added there. With one
/// thread it is the first of them: to refute one way after the other takes fewer refinements there.
pub type Way = SmallVec<[u16; 8]>;

/// Of a branch: another may have been taken just as well.
pub const EITHER: u16 = 1 << 15;

/// With more ways than this through a step of a program with threads, what no later statement reads and nobody tracks is
/// forgotten in between, so that ways that no longer differ are one.
const FEW_WAYS: usize = 4;

/// Values, and how a step got there.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub values: Valuation,
    pub way: Way,
    /// Whether a condition on the way stayed open.
    pub open: bool,
}

/// Sees what an execution does: for refinement, which asks where values come from.
pub trait Observer {
    /// `place` got its value from these.
    fn defined(&mut self, place: ValuePlace, sources: &[ValuePlace]);

    /// Memory is about to be written: cells that this leaves alone may owe that to known pointers.
    fn writes(&mut self, space: &mut Space<'_>, values: &Valuation, write: &Write);

    /// A condition over these was found to be false.
    fn refuted(&mut self, sources: &[ValuePlace]);
}

/// Observes nothing.
#[derive(Clone, Copy, Debug)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn defined(&mut self, _: ValuePlace, _: &[ValuePlace]) {}

    fn writes(&mut self, _: &mut Space<'_>, _: &Valuation, _: &Write) {}

    fn refuted(&mut self, _: &[ValuePlace]) {}
}

/// Solutions of a condition, each with the values of its variables. Empty if they are too many, or not
/// known.
pub type Solutions = Vec<Vec<(Var, Term)>>;

/// What a condition that stays open says beyond that it may hold; `None` if it cannot.
pub trait OpenGuard {
    fn solutions(&mut self, space: &mut Space<'_>, guard: Term) -> Option<Solutions>;
}

/// Executes a step in all ways that known values allow; ways to the same values are one. `is_tracked` says
/// of which variables the values are kept after it.
pub fn execute_step(
    space: &mut Space<'_>,
    start: Outcome,
    statements: &[Statement],
    open: &mut dyn OpenGuard,
    is_tracked: &dyn Fn(&Space<'_>, Var) -> bool,
) -> Vec<Outcome> {
    let mut outcomes = vec![start];
    let mut last_reads: Option<FxHashMap<Var, usize>> = None;
    let has_threads = space.has_threads;
    for (number, statement) in statements.iter().enumerate() {
        let executed = outcomes
            .into_iter()
            .flat_map(|outcome| execute(space, outcome, std::slice::from_ref(statement), open));
        outcomes = executed.collect();
        if has_threads && outcomes.len() > FEW_WAYS {
            let last_reads = last_reads.get_or_insert_with(|| last_reads_of(space, statements));
            for outcome in &mut outcomes {
                let space = &*space;
                outcome.values.retain_vars(|var| {
                    last_reads.get(&var).is_some_and(|&last| last > number)
                        || var == space.next_object()
                        || is_tracked(space, var)
                });
            }
        }
        merge_equal(&mut outcomes, has_threads);
    }
    outcomes
}

/// The last of some statements that reads each variable.
fn last_reads_of(space: &Space<'_>, statements: &[Statement]) -> FxHashMap<Var, usize> {
    let mut last = FxHashMap::default();
    for (number, statement) in statements.iter().enumerate() {
        statement.for_each_term(&mut |term| {
            last.extend(space.terms.vars_of(term).into_iter().map(|var| (var, number)));
        });
    }
    last
}

/// Makes one of the ways that led to the same values.
fn merge_equal(outcomes: &mut Vec<Outcome>, has_threads: bool) {
    if outcomes.len() < 2 {
        return;
    }
    let mut first: FxHashMap<Valuation, usize> = FxHashMap::default();
    let mut merged: Vec<Outcome> = Vec::with_capacity(outcomes.len());
    for outcome in outcomes.drain(..) {
        match first.entry(outcome.values.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(merged.len());
                merged.push(outcome);
            }
            Entry::Occupied(entry) => {
                let known = &mut merged[*entry.get()];
                known.open |= outcome.open;
                if !has_threads {
                    continue;
                }
                let differ = known.way.iter().zip(&outcome.way).position(|(a, b)| a != b);
                let from = differ.unwrap_or(known.way.len().min(outcome.way.len()));
                known.way[from..].iter_mut().for_each(|branch| *branch |= EITHER);
            }
        }
    }
    *outcomes = merged;
}

/// Executes statements in all ways that known values allow; ways to the same values are one.
fn execute(
    space: &mut Space<'_>,
    start: Outcome,
    statements: &[Statement],
    open: &mut dyn OpenGuard,
) -> Vec<Outcome> {
    let mut outcomes = vec![start];
    for statement in statements {
        let mut next: Vec<Outcome> = Vec::with_capacity(outcomes.len());
        for mut outcome in outcomes {
            match &statement.action {
                Action::Choice(branches) => {
                    for (number, branch) in branches.iter().enumerate() {
                        let mut start = outcome.clone();
                        start.way.push(number as u16);
                        next.extend(execute(space, start, branch, open));
                    }
                }
                Action::Assume(cond) => {
                    let guard = outcome.values.evaluate(space, *cond);
                    match space.terms.as_bool(guard) {
                        Some(true) => next.push(outcome),
                        Some(false) => {}
                        None => {
                            let Some(solutions) = open.solutions(space, guard) else {
                                continue;
                            };
                            outcome.open = true;
                            learn(space, &mut outcome.values, guard, &[], &mut Unobserved);
                            if solutions.is_empty() {
                                next.push(outcome.clone());
                            }
                            for solution in solutions {
                                let mut outcome = outcome.clone();
                                for (var, value) in solution {
                                    outcome.values.set(ValuePlace::Var(var), value);
                                }
                                next.push(outcome);
                            }
                        }
                    }
                }
                Action::Update(update) => {
                    execute_update(space, &mut outcome.values, update, &mut Unobserved);
                    next.push(outcome);
                }
            }
        }
        merge_equal(&mut next, space.has_threads);
        outcomes = next;
    }
    outcomes
}

/// Executes statements along the way taken; says whether it could be followed to its end. Where it does not
/// matter which branch was taken, values decide.
pub fn follow(
    space: &mut Space<'_>,
    values: &mut Valuation,
    statements: &[Statement],
    way: &mut dyn Iterator<Item = u16>,
    open: &mut dyn OpenGuard,
    observer: &mut impl Observer,
) -> bool {
    statements.iter().all(|statement| match &statement.action {
        Action::Choice(branches) => match way.next() {
            Some(taken) if taken & EITHER == 0 => {
                follow(space, values, &branches[usize::from(taken)], way, open, observer)
            }
            taken => {
                if let Some(taken) = taken {
                    pass(&branches[usize::from(taken & !EITHER)], way);
                }
                let branch = by_values(space, values, branches);
                follow(space, values, &branches[branch], &mut std::iter::empty(), open, observer)
            }
        },
        Action::Assume(cond) => assume(space, values, *cond, open, observer),
        Action::Update(update) => {
            execute_update(space, values, update, observer);
            true
        }
    })
}

/// Goes on where a condition holds, with what it says; `false` if it cannot hold.
fn assume(
    space: &mut Space<'_>,
    values: &mut Valuation,
    cond: Term,
    open: &mut dyn OpenGuard,
    observer: &mut impl Observer,
) -> bool {
    let guard = values.evaluate(space, cond);
    let from = sources(space, values, cond);
    let solutions = match space.terms.as_bool(guard) {
        Some(true) => return true,
        Some(false) => None,
        None => open.solutions(space, guard),
    };
    let Some(solutions) = solutions else {
        observer.refuted(&from);
        return false;
    };
    learn(space, values, guard, &from, observer);
    // Of several, the path does not say which.
    if let [solution] = &solutions[..] {
        for &(var, value) in solution {
            define(values, ValuePlace::Var(var), value, &from, observer);
        }
    }
    true
}

/// Takes what is said of the choices in these statements.
fn pass(statements: &[Statement], way: &mut dyn Iterator<Item = u16>) {
    for statement in statements {
        if let Action::Choice(branches) = &statement.action
            && let Some(taken) = way.next()
        {
            pass(&branches[usize::from(taken & !EITHER)], way);
        }
    }
}

/// The branch that values take, or else the first that they do not exclude.
fn by_values(space: &mut Space<'_>, values: &Valuation, branches: &[Vec<Statement>]) -> usize {
    let guards = branches.iter().map(|branch| {
        let guard = values.evaluate(space, guard(branch)?);
        space.terms.as_bool(guard)
    });
    let guards: SmallVec<[Option<bool>; 4]> = guards.collect();
    let taken = guards.iter().position(|guard| *guard == Some(true));
    taken.or_else(|| guards.iter().position(Option::is_none)).unwrap_or(0)
}

fn execute_update(
    space: &mut Space<'_>,
    values: &mut Valuation,
    update: &Update,
    observer: &mut impl Observer,
) {
    let entries = targets::entries_after(space, values, update);
    execute_values(space, values, update, observer);
    targets::apply(space, values, update, entries);
    if let Some(dst) = update.dst() {
        space.note_written(dst);
    }
}

/// What an update does to values; where it writes, the map of pointers has no entry afterwards.
fn execute_values(
    space: &mut Space<'_>,
    values: &mut Valuation,
    update: &Update,
    observer: &mut impl Observer,
) {
    match update {
        Update::Free { addr, kind } => free(space, values, *addr, *kind, observer),
        Update::Assign { dst, value } => {
            let result = values.evaluate(space, *value);
            if space.is_value(result) {
                let from = sources(space, values, *value);
                define(values, ValuePlace::Var(*dst), result, &from, observer);
            } else {
                values.forget(ValuePlace::Var(*dst));
            }
        }
        Update::Havoc { dst, .. } | Update::Inspect { dst, memory: None, .. } => {
            values.forget(ValuePlace::Var(*dst))
        }
        &Update::Inspect { dst, addr, memory: Some(memory) } => {
            inspect(space, values, dst, addr, memory, observer);
        }
        &Update::Mark { memory, addr, value } => mark(space, values, memory, addr, value, observer),
        Update::Load { dst, addr } => load(space, values, *dst, *addr, observer),
        Update::Store { addr, value } => {
            let mut from = sources(space, values, *addr);
            let address = values.evaluate(space, *addr);
            let result = values.evaluate(space, *value);
            from.extend(sources(space, values, *value));
            let sort = space.terms.sort(result);
            let memory = accessed(space, *addr, sort);
            let Some(bytes) = space.program.bytes_of(sort) else {
                return values.forget_memory(memory);
            };
            let access = Access { memory, label: *addr, address, bytes };
            store(space, values, &access, result, &from, observer);
        }
        Update::Copy { dst, src, size } => copy(space, values, (*dst, *src, *size), observer),
        Update::Fill { dst, byte, size } => fill(space, values, (*dst, *byte, *size), observer),
        Update::HavocMemory { pointers } => {
            for &memory in space.memories_reached(pointers).iter() {
                values.forget_memory(memory);
            }
        }
        Update::ScopeEnd(object) if !space.may_dangle(*object) => {}
        Update::ScopeBegin(object) | Update::ScopeEnd(object) => {
            for memory in space.memories_of(*object) {
                values.forget_object(memory, object.as_u32() + 1);
            }
        }
        Update::Alloc { dst, size, kind } => {
            let from = sources(space, values, *size);
            let size = values.evaluate(space, *size);
            let pointer = allocate(space, values, *dst, observer);
            if *kind == AllocKind::HeapZeroed
                && let Some((object, 0)) = pointer
                && let Some(size) = space.terms.as_bv(size)
            {
                let zero = space.terms.bv(8, 0);
                let next = ValuePlace::Var(space.next_object());
                let from: Vec<ValuePlace> = from.into_iter().chain([next]).collect();
                let start = space.read_var(*dst);
                let size = u64::try_from(size).unwrap_or(u64::MAX);
                for memory in space.memories_in(start, Some(size)) {
                    let range = Range { memory, start, object, offset: 0, size };
                    set_bytes(space, values, &range, zero, &from, observer);
                }
            }
        }
        Update::Realloc { dst, addr, .. } => {
            free(space, values, *addr, FreeKind::Heap, observer);
            allocate(space, values, *dst, observer);
        }
    }
}

/// The known variables of a term.
pub fn sources(space: &Space<'_>, values: &Valuation, term: Term) -> Vec<ValuePlace> {
    let vars = space.terms.vars_of(term);
    vars.into_iter().map(ValuePlace::Var).filter(|&place| values.get(place).is_some()).collect()
}

pub(super) fn define(
    values: &mut Valuation,
    place: ValuePlace,
    value: Term,
    sources: &[ValuePlace],
    observer: &mut impl Observer,
) {
    values.set(place, value);
    observer.defined(place, sources);
}

/// Takes values from a condition that holds but did not follow.
fn learn(
    space: &mut Space<'_>,
    values: &mut Valuation,
    guard: Term,
    sources: &[ValuePlace],
    observer: &mut impl Observer,
) {
    let (var, value) = match space.terms.kind(guard) {
        TermKind::Binary(BinOp::And, a, b) => {
            learn(space, values, a, sources, observer);
            return learn(space, values, b, sources, observer);
        }
        TermKind::Binary(BinOp::Eq, a, b) => match (space.terms.kind(a), space.terms.kind(b)) {
            (TermKind::Var(var), _) if space.is_value(b) => (var, b),
            (_, TermKind::Var(var)) if space.is_value(a) => (var, a),
            _ => return,
        },
        TermKind::Var(var) => (var, space.terms.bool(true)),
        TermKind::Unary(UnOp::Not, inner) => match space.terms.kind(inner) {
            TermKind::Var(var) => (var, space.terms.bool(false)),
            _ => return,
        },
        _ => return,
    };
    define(values, ValuePlace::Var(var), value, sources, observer);
}
