//! What accesses to memory do to known values: loads and stores, copies and fills, allocations and their ends.

use ravelin_cfa::FreeKind;
use ravelin_term::{BinOp, Sort, Term, TermKind, Var};

use super::targets;
use super::transfer::{Observer, define, sources};
use super::valuation::{Valuation, ValuePlace};
use crate::model::block::{accessed, read_constant};
use crate::model::space::{ByteRange, DYNAMIC, Freed, Space};

/// What a label does to memory behind a pointer.
#[derive(Clone, Copy, Debug)]
pub enum Write {
    /// Stores so many bytes to a region of memory.
    Store { memory: Var, pointer: Term, bytes: u64 },
    /// Copies or fills as many bytes as `size` says.
    Range { memory: Var, pointer: Term, size: Term },
    /// Frees the object.
    Free { pointer: Term, kind: FreeKind },
    /// Changes a fact about the object.
    Mark { memory: Var, pointer: Term },
}

impl Write {
    pub fn pointer(&self) -> Term {
        match *self {
            Write::Store { pointer, .. }
            | Write::Range { pointer, .. }
            | Write::Free { pointer, .. }
            | Write::Mark { pointer, .. } => pointer,
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
            Write::Mark { memory, pointer } => {
                let marked = object_of(space, address);
                return memory == part
                    && match marked {
                        Some(marked) => marked == object,
                        None => space.may_point_into(pointer, object),
                    };
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

pub(super) fn load(
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

/// What is kept about the object that a pointer leads to.
pub(super) fn inspect(
    space: &mut Space<'_>,
    values: &mut Valuation,
    dst: Var,
    addr: Term,
    memory: Var,
    observer: &mut impl Observer,
) {
    let address = values.evaluate(space, addr);
    let mut from = sources(space, values, addr);
    let sort = space.sort(dst);
    let found = match object_of(space, address) {
        Some(0) => Some(space.terms.zero(sort)),
        Some(object) => values.read(space, memory, (object, 0), sort).map(|(value, cells)| {
            from.extend(cells);
            value
        }),
        None => None,
    };
    match found {
        Some(value) => define(values, ValuePlace::Var(dst), value, &from, observer),
        None => values.forget(ValuePlace::Var(dst)),
    }
}

/// Changes what is kept about the object that a pointer leads to.
pub(super) fn mark(
    space: &mut Space<'_>,
    values: &mut Valuation,
    memory: Var,
    addr: Term,
    value: Term,
    observer: &mut impl Observer,
) {
    observer.writes(space, values, &Write::Mark { memory, pointer: addr });
    let mut from = sources(space, values, addr);
    from.extend(sources(space, values, value));
    let address = values.evaluate(space, addr);
    let value = values.evaluate(space, value);
    match object_of(space, address) {
        // Nothing is kept about no object.
        Some(0) => {}
        Some(object) => {
            values.forget_object(memory, object);
            if space.is_value(value)
                && let Some(bytes) = space.program.bytes_of(space.terms.sort(value))
            {
                let cell = ValuePlace::Cell { memory, object, offset: 0, bytes };
                define(values, cell, value, &from, observer);
            }
        }
        None => {
            for object in values.objects_in(memory) {
                if space.may_point_into(addr, object) {
                    values.forget_object(memory, object);
                }
            }
        }
    }
}

/// The number of the object that an address points into, 0 if it points into none.
fn object_of(space: &Space<'_>, address: Term) -> Option<u32> {
    match space.terms.kind(address) {
        TermKind::Null => Some(0),
        TermKind::Binary(BinOp::PtrAdd, base, _) => object_of(space, base),
        _ => base_object(space, address),
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
pub(super) struct Access {
    pub(super) memory: Var,
    /// The address as the label has it.
    pub(super) label: Term,
    /// What is known of it.
    pub(super) address: Term,
    pub(super) bytes: u64,
}

/// Stores a value, if it is known, where the pointer leads. Where that may be several places, each has
/// either the value it had or this one.
pub(super) fn store(
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
pub(super) fn free(
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

pub(super) fn copy(
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

pub(super) fn fill(
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

pub(super) fn constant(space: &Space<'_>, term: Term) -> Option<u64> {
    space.terms.as_bv(term).and_then(|value| u64::try_from(value).ok())
}

/// Some bytes of an object, in a region of memory.
pub(super) struct Range {
    pub(super) memory: Var,
    /// The pointer to it in the label.
    pub(super) start: Term,
    pub(super) object: u32,
    pub(super) offset: u64,
    pub(super) size: u64,
}

/// Sets bytes that have no value yet to the same one.
pub(super) fn set_bytes(
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
pub(super) fn allocate(
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
        ValuePlace::Cell { memory, object, .. } if space.region_of(memory).is_none() => {
            space.initial_state(memory, object)
        }
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
