//! Points-to maps of states: what pointers may be, whether or not their values are tracked.
//!
//! This is the pointer analysis of S. Weinzierl's thesis as a component of the states of the search, in which
//! states are never merged: each has the map of its own path. An entry lists all that a pointer may be; a
//! pointer without entry may be anything. Whatever writes a place removes its entry first
//! ([`Valuation::set`], [`Valuation::forget`]); the four kinds of pointer assignments then make new ones:
//! `p = &i` and `p = q` ([`Update::Assign`]), `p = *q` ([`Update::Load`]), `*p = q` ([`Update::Store`]). So what is not
//! followed here leaves a pointer open, and never with an old entry.

use imbl::OrdMap;
use ravelin_term::{BinOp, Sort, Term, TermKind};
use smallvec::SmallVec;

use super::cells::places;
use super::valuation::{Valuation, ValuePlace};
use crate::model::block::accessed;
use crate::model::space::Space;
use crate::model::statement::Update;

/// What becomes of an entry when its pointer is assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// It grows: what the pointer was stays in it.
    Inclusion,
    /// It grows, and what it lists is taken for one: what these hold, all of them may hold.
    Unification,
    /// It is replaced.
    Exact,
}

/// Values that a pointer may have, ascending.
pub type Targets = SmallVec<[Term; 2]>;

/// Longer lists say nothing.
const MAX_TARGETS: usize = 8;

/// Unification gives up after so many rounds, and forgets what it was about.
const MAX_ROUNDS: usize = 32;

/// A points-to map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointsToMap {
    pub style: Style,
    entries: OrdMap<ValuePlace, Targets>,
}

impl PointsToMap {
    pub fn new(style: Style) -> Self {
        PointsToMap { style, entries: OrdMap::new() }
    }

    pub fn get(&self, place: ValuePlace) -> Option<&Targets> {
        self.entries.get(&place)
    }

    pub fn remove(&mut self, place: ValuePlace) {
        self.entries.remove(&place);
    }

    pub fn insert(&mut self, place: ValuePlace, targets: Targets) {
        self.entries.insert(place, targets);
    }

    /// The places with entries between two, both included.
    pub fn between(&self, from: ValuePlace, to: ValuePlace) -> Vec<ValuePlace> {
        self.entries.range(from..=to).map(|(&place, _)| place).collect()
    }

    /// Whether all that this map allows is allowed by `other`.
    pub fn is_within(&self, other: &PointsToMap) -> bool {
        if self.entries.ptr_eq(&other.entries) {
            return true;
        }
        other.entries.iter().all(|(place, more)| {
            self.entries.get(place).is_some_and(|less| less.iter().all(|it| more.contains(it)))
        })
    }

    /// Takes all that is listed together for one: what one of them holds, all may hold.
    fn unify(&mut self, listed: &Targets, space: &Space<'_>) {
        let mut listed = listed.clone();
        for _ in 0..MAX_ROUNDS {
            let cells = self.cells_at(&listed, space);
            let mut held = Some(Targets::new());
            for cell in &cells {
                held = held.and_then(|held| united(held, &self.entries[cell]));
            }
            let Some(held) = held.filter(|held| !held.is_empty()) else {
                cells.iter().for_each(|&cell| self.remove(cell));
                return;
            };
            let is_done = cells.iter().all(|cell| self.entries[cell] == held);
            cells.iter().for_each(|&cell| self.insert(cell, held.clone()));
            if held.len() < 2 || is_done {
                return;
            }
            listed = held;
        }
        let cells = self.cells_at(&listed, space);
        cells.iter().for_each(|&cell| self.remove(cell));
    }

    /// The cells with entries to which pointers lead.
    fn cells_at(&self, pointers: &Targets, space: &Space<'_>) -> Vec<ValuePlace> {
        let at: Vec<(u32, u64)> =
            pointers.iter().filter_map(|&pointer| space.constant_pointer(pointer)).collect();
        let is_there = |place: &ValuePlace| match *place {
            ValuePlace::Cell { object, offset, .. } => at.contains(&(object, offset)),
            ValuePlace::Var(_) => false,
        };
        self.entries.keys().copied().filter(is_there).collect()
    }
}

/// Both lists in one; none if that is too long.
fn united(mut a: Targets, b: &Targets) -> Option<Targets> {
    a.extend_from_slice(b);
    a.sort_unstable();
    a.dedup();
    (a.len() <= MAX_TARGETS).then_some(a)
}

/// What a place may hold, if that is known.
fn held(values: &Valuation, place: ValuePlace) -> Option<Targets> {
    match values.get(place) {
        Some(value) => Some(SmallVec::from_slice(&[value])),
        None => values.map.as_ref()?.get(place).cloned(),
    }
}

/// What a pointer may be into which known values were put, if that is known.
pub fn possible(space: &mut Space<'_>, values: &Valuation, pointer: Term) -> Option<Targets> {
    if space.is_value(pointer) {
        return Some(SmallVec::from_slice(&[pointer]));
    }
    match space.terms.kind(pointer) {
        TermKind::Var(var) => held(values, ValuePlace::Var(var)),
        TermKind::Binary(BinOp::PtrAdd, base, offset) if space.terms.is_literal(offset) => {
            let mut moved = Targets::new();
            for base in possible(space, values, base)? {
                let pointer = space.terms.binary(BinOp::PtrAdd, base, offset);
                space.constant_pointer(pointer)?;
                moved.push(pointer);
            }
            moved.sort_unstable();
            moved.dedup();
            Some(moved)
        }
        TermKind::Ite(_, a, b) => {
            let (a, b) = (possible(space, values, a)?, possible(space, values, b)?);
            united(a, &b)
        }
        _ => None,
    }
}

/// The entries that an update makes, found before it is executed. They hold of what was not executed yet: what
/// it writes has no entry before [`apply`] makes these.
pub fn entries_after(
    space: &mut Space<'_>,
    values: &Valuation,
    update: &Update,
) -> Vec<(ValuePlace, Targets)> {
    let Some(map) = &values.map else { return Vec::new() };
    let grows = match map.style {
        Style::Inclusion | Style::Unification => true,
        Style::Exact => false,
    };
    // What an entry becomes that had something before.
    let grown = |place: ValuePlace, new: Targets| match map.get(place) {
        Some(old) if grows => united(new, old),
        Some(_) | None => Some(new),
    };
    let mut entries = Vec::new();
    match update {
        Update::Assign { dst, value } if space.sort(*dst) == Sort::Ptr => {
            let value = values.evaluate(space, *value);
            let new = possible(space, values, value);
            let place = ValuePlace::Var(*dst);
            entries.extend(new.and_then(|new| Some((place, grown(place, new)?))));
        }
        Update::Load { dst, addr } if space.sort(*dst) == Sort::Ptr => {
            let place = ValuePlace::Var(*dst);
            let new = loaded(space, values, *addr);
            entries.extend(new.and_then(|new| Some((place, grown(place, new)?))));
        }
        Update::Store { addr, value } if space.terms.sort(*value) == Sort::Ptr => {
            let value = values.evaluate(space, *value);
            let Some(new) = possible(space, values, value) else { return entries };
            let cells = cells_at(space, values, *addr, true).unwrap_or_default();
            for &cell in &cells {
                let after = match &cells[..] {
                    [_] => grown(cell, new.clone()),
                    _ if cells.iter().any(|&other| overlap(cell, other)) => None,
                    // Either this one or another was written.
                    _ => held(values, cell).and_then(|old| united(old, &new)),
                };
                entries.extend(after.map(|after| (cell, after)));
            }
        }
        _ => {}
    }
    entries
}

/// Makes entries, after the update that makes them was executed.
pub fn apply(
    space: &Space<'_>,
    values: &mut Valuation,
    update: &Update,
    mut entries: Vec<(ValuePlace, Targets)>,
) {
    if values.map.is_none() {
        return;
    }
    if let Update::Alloc { dst, .. } | Update::Realloc { dst, .. } = *update {
        // Which object it is was known if it is now.
        let place = ValuePlace::Var(dst);
        entries.extend(values.get(place).map(|value| (place, Targets::from_slice(&[value]))));
    }
    let Some(map) = &mut values.map else { return };
    for (place, targets) in entries {
        map.insert(place, targets.clone());
        if map.style == Style::Unification && targets.len() > 1 {
            map.unify(&targets, space);
        }
    }
}

/// What is read through a pointer that may lead to places of which all is known.
fn loaded(space: &mut Space<'_>, values: &Valuation, addr: Term) -> Option<Targets> {
    if space.forgets_memory {
        return None;
    }
    let mut all = Targets::new();
    for cell in cells_at(space, values, addr, false)? {
        all = united(all, &held(values, cell)?)?;
    }
    Some(all)
}

/// The cells with a pointer to which an address may lead.
fn cells_at(
    space: &mut Space<'_>,
    values: &Valuation,
    addr: Term,
    null: bool,
) -> Option<Vec<ValuePlace>> {
    let address = values.evaluate(space, addr);
    let memory = accessed(space, addr, Sort::Ptr);
    let bytes = space.program.bytes_of(Sort::Ptr)?;
    let places = places(space, values, addr, address, null)?;
    let cell = |(object, offset)| ValuePlace::Cell { memory, object, offset, bytes };
    Some(places.into_iter().map(cell).collect())
}

/// Whether two different cells have bytes in common.
fn overlap(a: ValuePlace, b: ValuePlace) -> bool {
    match (a, b) {
        (
            ValuePlace::Cell { object, offset, bytes, .. },
            ValuePlace::Cell { object: other, offset: at, .. },
        ) => a != b && object == other && offset.abs_diff(at) < bytes,
        (ValuePlace::Var(_), _) | (_, ValuePlace::Var(_)) => false,
    }
}
