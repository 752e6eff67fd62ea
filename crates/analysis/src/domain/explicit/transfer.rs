//! What labels do to known values.

use std::collections::hash_map::Entry;

use ravelin_cfa::access::for_each_term;
use ravelin_cfa::{AllocKind, FreeKind, Label, Op};
use ravelin_term::{BinOp, Sort, Term, TermKind, UnOp, Var};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::targets;
use super::valuation::{Valuation, ValuePlace};
use crate::model::block::{accessed, read_constant};
use crate::model::space::{ByteRange, DYNAMIC, Freed, Space};

/// The branches taken at the choices of a step, in order. Where ways to the same values were made one in a program with
/// threads, from the first choice in which they differ on, it is one of them: [`EITHER`] is added there. With one
/// thread it is the first of them: to refute one way after the other takes fewer refinements there.
pub type Way = SmallVec<[u16; 8]>;

/// Of a branch: another may have been taken just as well.
pub const EITHER: u16 = 1 << 15;

/// With more ways than this through a step of a program with threads, what no later label reads and nobody tracks is
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

/// What a label does to memory behind a pointer.
#[derive(Clone, Copy, Debug)]
pub enum Write {
    /// Stores so many bytes to a part of memory.
    Store { memory: Var, pointer: Term, bytes: u64 },
    /// Copies or fills as many bytes as `size` says.
    Range { memory: Var, pointer: Term, size: Term },
    /// Frees the object.
    Free { pointer: Term, kind: FreeKind },
}

impl Write {
    pub fn pointer(&self) -> Term {
        match *self {
            Write::Store { pointer, .. }
            | Write::Range { pointer, .. }
            | Write::Free { pointer, .. } => pointer,
        }
    }

    /// Whether it may change a cell if of all that it depends on only this is known: its address.
    pub fn may_change(&self, space: &mut Space<'_>, address: Term, cell: ValuePlace) -> bool {
        let ValuePlace::Cell { memory: part, object, offset, bytes: length } = cell else {
            return false;
        };
        let overlaps = |(to, at): (u32, u64), bytes: u64| {
            let (end, cell_end) = (at.saturating_add(bytes), offset.saturating_add(length));
            to == object && at < cell_end && offset < end
        };
        let (memory, pointer, bytes) = match *self {
            Write::Free { pointer, kind } => {
                let freed = space.constant_pointer(address).map(|(object, _)| object);
                return object & DYNAMIC != 0
                    && freed.is_none_or(|freed| freed == object)
                    && space.freed(pointer, kind).iter().any(|freed| freed.memory == part);
            }
            Write::Store { memory, pointer, bytes } => {
                if memory == part
                    && let Some(places) =
                        places(space, &Valuation::default(), pointer, address, true)
                {
                    return places.into_iter().any(|at| overlaps(at, bytes));
                }
                (memory, pointer, bytes)
            }
            Write::Range { memory, pointer, size } => {
                let bytes = constant(space, size).filter(|&size| size <= MAX_BYTES);
                (memory, pointer, bytes.unwrap_or(ANY_SIZE))
            }
        };
        memory == part
            && match (space.constant_pointer(address), base_object(space, address)) {
                (Some(at), _) => overlaps(at, bytes),
                (None, Some(base)) => base == object,
                (None, None) => space.may_point_into(pointer, object),
            }
    }
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
    labels: &[Label],
    open: &mut dyn OpenGuard,
    is_tracked: &dyn Fn(&Space<'_>, Var) -> bool,
) -> Vec<Outcome> {
    let mut outcomes = vec![start];
    let mut last_reads: Option<FxHashMap<Var, usize>> = None;
    let has_threads = space.has_threads;
    for (number, label) in labels.iter().enumerate() {
        let executed = outcomes
            .into_iter()
            .flat_map(|outcome| execute(space, outcome, std::slice::from_ref(label), open));
        outcomes = executed.collect();
        if has_threads && outcomes.len() > FEW_WAYS {
            let last_reads = last_reads.get_or_insert_with(|| last_reads_of(space, labels));
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

/// The last of some labels that reads each variable.
fn last_reads_of(space: &Space<'_>, labels: &[Label]) -> FxHashMap<Var, usize> {
    let mut last = FxHashMap::default();
    for (number, label) in labels.iter().enumerate() {
        label.walk(&mut |label| {
            for_each_term(&label.op, |term| {
                last.extend(space.terms.vars_of(term).into_iter().map(|var| (var, number)));
            });
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

/// Executes labels in all ways that known values allow; ways to the same values are one.
fn execute(
    space: &mut Space<'_>,
    start: Outcome,
    labels: &[Label],
    open: &mut dyn OpenGuard,
) -> Vec<Outcome> {
    let mut outcomes = vec![start];
    for label in labels {
        let mut next: Vec<Outcome> = Vec::with_capacity(outcomes.len());
        for mut outcome in outcomes {
            match &label.op {
                Op::Choice(branches) => {
                    for (number, branch) in branches.iter().enumerate() {
                        let mut start = outcome.clone();
                        start.way.push(number as u16);
                        next.extend(execute(space, start, branch, open));
                    }
                }
                Op::Assume(cond) => {
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
                _ => {
                    execute_one(space, &mut outcome.values, label, &mut Unobserved);
                    next.push(outcome);
                }
            }
        }
        merge_equal(&mut next, space.has_threads);
        outcomes = next;
    }
    outcomes
}

/// Executes labels along the way taken; says whether it could be followed to its end. Where it does not
/// matter which branch was taken, values decide.
pub fn follow(
    space: &mut Space<'_>,
    values: &mut Valuation,
    labels: &[Label],
    way: &mut dyn Iterator<Item = u16>,
    open: &mut dyn OpenGuard,
    observer: &mut impl Observer,
) -> bool {
    labels.iter().all(|label| match &label.op {
        Op::Choice(branches) => match way.next() {
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
        Op::Assume(cond) => assume(space, values, *cond, open, observer),
        _ => {
            execute_one(space, values, label, observer);
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

/// Takes what is said of the choices in these labels.
fn pass(labels: &[Label], way: &mut dyn Iterator<Item = u16>) {
    for label in labels {
        if let Op::Choice(branches) = &label.op
            && let Some(taken) = way.next()
        {
            pass(&branches[usize::from(taken & !EITHER)], way);
        }
    }
}

/// The branch that values take, or else the first that they do not exclude.
fn by_values(space: &mut Space<'_>, values: &Valuation, branches: &[Vec<Label>]) -> usize {
    let guards = branches.iter().map(|branch| match branch.first().map(|label| &label.op) {
        Some(Op::Assume(cond)) => {
            let guard = values.evaluate(space, *cond);
            space.terms.as_bool(guard)
        }
        _ => None,
    });
    let guards: SmallVec<[Option<bool>; 4]> = guards.collect();
    let taken = guards.iter().position(|guard| *guard == Some(true));
    taken.or_else(|| guards.iter().position(Option::is_none)).unwrap_or(0)
}

/// Executes a label that is neither a choice nor a condition.
pub fn execute_one(
    space: &mut Space<'_>,
    values: &mut Valuation,
    label: &Label,
    observer: &mut impl Observer,
) {
    let entries = targets::entries_after(space, values, label);
    execute_values(space, values, label, observer);
    targets::apply(space, values, label, entries);
    if let Some(dst) = label.op.dst() {
        space.note_written(dst);
    }
}

/// What a label does to values; where it writes, the map of pointers has no entry afterwards.
fn execute_values(
    space: &mut Space<'_>,
    values: &mut Valuation,
    label: &Label,
    observer: &mut impl Observer,
) {
    match &label.op {
        Op::Skip | Op::Print { .. } | Op::External { .. } | Op::AtomicBegin | Op::AtomicEnd => {}
        Op::Free { addr, kind } => free(space, values, *addr, *kind, observer),
        Op::Assign { dst, value } => {
            let result = values.evaluate(space, *value);
            if space.is_value(result) {
                let from = sources(space, values, *value);
                define(values, ValuePlace::Var(*dst), result, &from, observer);
            } else {
                values.forget(ValuePlace::Var(*dst));
            }
        }
        Op::Havoc { dst, kind: _ }
        | Op::ThreadSelf { dst }
        | Op::Inspect { dst, .. }
        | Op::Start { dst, .. } => {
            values.forget(ValuePlace::Var(*dst));
        }
        Op::Sync { dst, .. } | Op::Join { dst, .. } => {
            if let Some(dst) = dst {
                values.forget(ValuePlace::Var(*dst));
            }
        }
        Op::Load { dst, addr, order: _ } => load(space, values, *dst, *addr, observer),
        Op::Store { addr, value, order: _ } => {
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
        Op::Copy { dst, src, size } => copy(space, values, (*dst, *src, *size), observer),
        Op::Fill { dst, byte, size } => fill(space, values, (*dst, *byte, *size), observer),
        Op::HavocMemory { pointers } => {
            for &memory in space.memories_reached(pointers).iter() {
                values.forget_memory(memory);
            }
        }
        Op::ScopeEnd(object) if !space.may_dangle(*object) => {}
        Op::ScopeBegin(object) | Op::ScopeEnd(object) => {
            for memory in space.memories_of(*object) {
                values.forget_object(memory, object.as_u32() + 1);
            }
        }
        Op::Alloc { dst, size, kind } => {
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
        Op::Realloc { dst, addr, .. } => {
            free(space, values, *addr, FreeKind::Heap, observer);
            allocate(space, values, *dst, observer);
        }
        Op::Choice(_)
        | Op::Assume(_)
        | Op::Call { .. }
        | Op::Return { .. }
        | Op::ThreadExit { .. }
        | Op::Error(_)
        | Op::Exit { .. }
        | Op::Abort
        | Op::Unsupported { .. } => {
            unreachable!(
                "choices and conditions are followed before, and ends are targets of steps"
            )
        }
    }
}

/// The known variables of a term.
pub fn sources(space: &Space<'_>, values: &Valuation, term: Term) -> Vec<ValuePlace> {
    let vars = space.terms.vars_of(term);
    vars.into_iter().map(ValuePlace::Var).filter(|&place| values.get(place).is_some()).collect()
}

fn define(
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

fn load(
    space: &mut Space<'_>,
    values: &mut Valuation,
    dst: Var,
    addr: Term,
    observer: &mut impl Observer,
) {
    let address = values.evaluate(space, addr);
    let sort = space.sort(dst);
    let memory = accessed(space, addr, sort);
    let mut from = sources(space, values, addr);
    let found = if space.forgets_memory {
        None
    } else if let Some(value) = read_constant(space, address, sort) {
        Some(value)
    } else {
        let places = places(space, values, addr, address, false).unwrap_or_default();
        let mut reads = places.into_iter().map(|at| values.read(space, memory, at, sort));
        // Of several places, all must have the same value.
        let first = reads.next().flatten();
        first.and_then(|(value, cells)| {
            from.extend(cells);
            reads
                .all(|read| {
                    read.is_some_and(|(other, cells)| {
                        from.extend(cells);
                        other == value
                    })
                })
                .then_some(value)
        })
    };
    match found {
        Some(value) => define(values, ValuePlace::Var(dst), value, &from, observer),
        None => values.forget(ValuePlace::Var(dst)),
    }
}

/// The places that an address may be: the one that is known, those that the map of the state allows, or those
/// that the pointer analysis allows; `null` says whether it may also be null.
pub(super) fn places(
    space: &mut Space<'_>,
    values: &Valuation,
    label: Term,
    address: Term,
    null: bool,
) -> Option<Vec<(u32, u64)>> {
    if let Some(at) = space.constant_pointer(address) {
        return Some(vec![at]);
    }
    let mapped = values.map.as_ref().and_then(|_| mapped_places(space, values, address, null));
    mapped.or_else(|| space.places_of(label, null))
}

/// The places that the map of a state allows for an address.
fn mapped_places(
    space: &mut Space<'_>,
    values: &Valuation,
    address: Term,
    null: bool,
) -> Option<Vec<(u32, u64)>> {
    let mut found = Vec::new();
    for pointer in targets::possible(space, values, address)? {
        match (space.constant_pointer(pointer), space.terms.kind(pointer)) {
            (Some(at), _) => found.push(at),
            (None, TermKind::Null) if null => {}
            (None, _) => return None,
        }
    }
    (!found.is_empty()).then_some(found)
}

/// An access to memory.
struct Access {
    memory: Var,
    /// The address as the label has it.
    label: Term,
    /// What is known of it.
    address: Term,
    bytes: u64,
}

/// Stores a value, if it is known, where the pointer leads. Where that may be several places, each has
/// either the value it had or this one.
fn store(
    space: &mut Space<'_>,
    values: &mut Valuation,
    access: &Access,
    value: Term,
    sources: &[ValuePlace],
    observer: &mut impl Observer,
) {
    let &Access { memory, label, address, bytes } = access;
    observer.writes(space, values, &Write::Store { memory, pointer: label, bytes });
    let Some(places) = places(space, values, label, address, true) else {
        return forget_bytes(space, values, access);
    };
    let is_known = space.is_value(value);
    let is_one = places.len() == 1;
    for (object, offset) in places {
        let cell = ValuePlace::Cell { memory, object, offset, bytes };
        let unchanged = !is_one && is_known && values.get(cell) == Some(value);
        values.forget_overlapping(memory, object, offset, bytes);
        if unchanged {
            let sources: Vec<ValuePlace> = sources.iter().copied().chain([cell]).collect();
            define(values, cell, value, &sources, observer);
        } else if is_one && is_known {
            define(values, cell, value, sources, observer);
        }
    }
}

/// Forgets the cells of what is freed: who reads them afterwards may read anything.
fn free(
    space: &mut Space<'_>,
    values: &mut Valuation,
    addr: Term,
    kind: FreeKind,
    observer: &mut impl Observer,
) {
    observer.writes(space, values, &Write::Free { pointer: addr, kind });
    let address = values.evaluate(space, addr);
    let freed = space.constant_pointer(address).map(|(object, _)| object);
    for Freed { memory, .. } in space.freed(addr, kind).iter() {
        for object in values.objects_in(*memory) {
            if object & DYNAMIC != 0 && freed.is_none_or(|freed| freed == object) {
                values.forget_object(*memory, object);
            }
        }
    }
}

/// Forgets the cells that a write to this address may change.
fn forget_bytes(space: &Space<'_>, values: &mut Valuation, access: &Access) {
    let &Access { memory, label, address, bytes } = access;
    match (space.constant_pointer(address), base_object(space, address)) {
        (Some((object, offset)), _) => {
            values.forget_overlapping(memory, object, offset, bytes);
        }
        (None, Some(object)) => values.forget_object(memory, object),
        (None, None) => {
            for object in values.objects_in(memory) {
                if space.may_point_into(label, object) {
                    values.forget_object(memory, object);
                }
            }
        }
    }
}

/// The object that an address with open offset points into, if that is plain.
fn base_object(space: &Space<'_>, address: Term) -> Option<u32> {
    match space.terms.kind(address) {
        TermKind::Address(object) => Some(object.as_u32() + 1),
        TermKind::Binary(BinOp::PtrAdd, base, _) => base_object(space, base),
        TermKind::Binary(BinOp::PtrMake, number, _) => {
            space.terms.as_bv(number).map(|number| number as u32)
        }
        _ => None,
    }
}

/// Copies and fills longer than this forget what they overwrite instead.
const MAX_BYTES: u64 = 1 << 16;

/// The size of what may be of any size.
const ANY_SIZE: u64 = u64::MAX / 2;

fn copy(
    space: &mut Space<'_>,
    values: &mut Valuation,
    (dst, src, size): (Term, Term, Term),
    observer: &mut impl Observer,
) {
    let static_size = constant(space, size);
    let (memory, label) = (space.memory_at(dst, static_size), dst);
    observer.writes(space, values, &Write::Range { memory, pointer: dst, size });
    let addresses: Vec<ValuePlace> =
        [dst, src, size].iter().flat_map(|&term| sources(space, values, term)).collect();
    let [dst, src, size] = [dst, src, size].map(|term| values.evaluate(space, term));
    let size = space.terms.as_bv(size).map(|size| size as u64).filter(|&size| size <= MAX_BYTES);
    let from = space.constant_pointer(src);
    let copied = match (from, size) {
        (Some((object, offset)), Some(size)) => values.overlapping(memory, object, offset, size),
        _ => Vec::new(),
    };
    let bytes = size.unwrap_or(ANY_SIZE);
    forget_bytes(space, values, &Access { memory, label, address: dst, bytes });
    let (Some((_, src)), Some((to, dst)), Some(size)) = (from, space.constant_pointer(dst), size)
    else {
        return;
    };
    for (place, value) in copied {
        if let ValuePlace::Cell { offset, bytes, .. } = place
            && offset >= src
            && offset.saturating_add(bytes) <= src.saturating_add(size)
        {
            let offset = (offset - src).wrapping_add(dst);
            let copy = ValuePlace::Cell { memory, object: to, offset, bytes };
            let from: Vec<ValuePlace> = addresses.iter().copied().chain([place]).collect();
            define(values, copy, value, &from, observer);
        }
    }
}

fn fill(
    space: &mut Space<'_>,
    values: &mut Valuation,
    (dst, byte, size): (Term, Term, Term),
    observer: &mut impl Observer,
) {
    let start = dst;
    let static_size = constant(space, size);
    let memories = space.memories_in(start, static_size);
    for &memory in &memories {
        observer.writes(space, values, &Write::Range { memory, pointer: dst, size });
    }
    let from: Vec<ValuePlace> =
        [dst, byte, size].iter().flat_map(|&term| sources(space, values, term)).collect();
    let [dst, byte, size] = [dst, byte, size].map(|term| values.evaluate(space, term));
    let size = constant(space, size).filter(|&size| size <= MAX_BYTES);
    for memory in memories {
        let bytes = size.unwrap_or(ANY_SIZE);
        forget_bytes(space, values, &Access { memory, label: start, address: dst, bytes });
        if let (Some((object, offset)), Some(size)) = (space.constant_pointer(dst), size)
            && space.terms.is_literal(byte)
        {
            let range = Range { memory, start, object, offset, size };
            set_bytes(space, values, &range, byte, &from, observer);
        }
    }
}

fn constant(space: &Space<'_>, term: Term) -> Option<u64> {
    space.terms.as_bv(term).and_then(|value| u64::try_from(value).ok())
}

/// Some bytes of an object, in a part of memory.
struct Range {
    memory: Var,
    /// The pointer to it in the label.
    start: Term,
    object: u32,
    offset: u64,
    size: u64,
}

/// Sets bytes that have no value yet to the same one.
fn set_bytes(
    space: &mut Space<'_>,
    values: &mut Valuation,
    range: &Range,
    byte: Term,
    sources: &[ValuePlace],
    observer: &mut impl Observer,
) {
    let &Range { memory, start, object, offset, size } = range;
    if size > MAX_BYTES || offset.checked_add(size).is_none() {
        return;
    }
    let byte = space.terms.as_bv(byte).unwrap_or(0);
    for ByteRange { offset: at, bytes } in space.pieces_in(memory, start, size) {
        let value = (0..bytes).fold(0u128, |value, _| value << 8 | byte);
        let value = space.terms.bv(bytes * 8, value);
        let place = ValuePlace::Cell { memory, object, offset: offset + at, bytes: bytes.into() };
        // Pieces may overlap where it is not known which of several objects this is.
        if values.overlapping(memory, object, offset + at, bytes.into()).is_empty() {
            define(values, place, value, sources, observer);
        }
    }
}

/// `dst` points to a new object; where the count is known, to which.
fn allocate(
    space: &mut Space<'_>,
    values: &mut Valuation,
    dst: Var,
    observer: &mut impl Observer,
) -> Option<(u32, u64)> {
    let next = ValuePlace::Var(space.next_object());
    let Some(number) = values.get(next).and_then(|number| space.terms.as_bv(number)) else {
        values.forget(ValuePlace::Var(dst));
        return None;
    };
    let number = number as u32;
    let pointer = space.pointer(number | DYNAMIC, 0);
    define(values, ValuePlace::Var(dst), pointer, &[next], observer);
    let following = space.terms.bv(32, u128::from(number) + 1);
    define(values, next, following, &[next], observer);
    Some((number | DYNAMIC, 0))
}

/// The value of a place when the program starts.
pub fn initial(space: &mut Space<'_>, place: ValuePlace) -> Option<Term> {
    match place {
        ValuePlace::Var(var) if space.sort(var) == Sort::Mem => None,
        ValuePlace::Var(var) => space.initial_value(var),
        ValuePlace::Cell { object, offset, bytes, .. } => {
            let object = space.object_numbered(object)?;
            // A cell that holds a pointer at the start holds it as one.
            if bytes * 8 == u64::from(space.terms.pointer_bits())
                && let Some(&(_, value)) =
                    space.initial_contents(object).iter().find(|(at, _)| *at == offset)
                && space.terms.sort(value) == Sort::Ptr
            {
                return Some(value);
            }
            crate::model::space::initial_read(space, object, offset, Sort::Bv(bytes as u16 * 8))
        }
    }
}
