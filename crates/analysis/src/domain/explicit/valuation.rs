//! What is known of variables and memory cells: values.

use std::hash::{BuildHasher, Hash};
use std::rc::Rc;

use imbl::OrdMap;
use ravelin_term::{BinOp, Sort, Term, UnOp, Var};
use rustc_hash::FxBuildHasher;

use super::targets::PointsToMap;
use crate::model::space::Space;

/// Something that has a value: a variable, or some bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ValuePlace {
    Var(Var),
    /// Bytes of the object with this number, in this region of memory.
    Cell {
        memory: Var,
        object: u32,
        offset: u64,
        bytes: u64,
    },
}

impl ValuePlace {
    /// The place as a term of this sort.
    pub fn read(self, space: &mut Space<'_>, sort: Sort) -> Term {
        match self {
            ValuePlace::Var(var) => space.read_var(var),
            ValuePlace::Cell { memory, object, offset, .. } => {
                let memory = space.read_var(memory);
                let pointer = space.pointer(object, offset);
                space.terms.read(memory, pointer, sort)
            }
        }
    }
}

/// Known values; what is not there may have any.
///
/// Variables are few, and a copied list of them is smaller than any tree; cells may be thousands, and
/// states that differ in one share the others.
#[derive(Clone, Debug, Default)]
pub struct Valuation {
    /// In ascending order.
    vars: Rc<Vec<(Var, Term)>>,
    /// Never overlapping; none where there are no cells, for an empty tree takes room too.
    cells: Option<OrdMap<ValuePlace, Term>>,
    /// The exclusive or of the facts' hashes, so that a change costs the same whatever the size.
    hash: u64,
    /// The same of the places alone.
    shape: u64,
    /// What pointers may be of which no value is known, if states have such a map. It is no part of the hash.
    pub map: Option<PointsToMap>,
}

impl PartialEq for Valuation {
    fn eq(&self, other: &Self) -> bool {
        let same_cells = || match (&self.cells, &other.cells) {
            (None, None) => true,
            (Some(a), Some(b)) => a.ptr_eq(b) || a == b,
            (None, Some(cells)) | (Some(cells), None) => cells.is_empty(),
        };
        self.hash == other.hash && self.vars == other.vars && same_cells() && self.map == other.map
    }
}

impl Eq for Valuation {}

impl Hash for Valuation {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Valuation {
    pub fn get(&self, place: ValuePlace) -> Option<Term> {
        match place {
            ValuePlace::Var(var) => {
                let at = self.vars.binary_search_by_key(&var, |&(var, _)| var).ok()?;
                Some(self.vars[at].1)
            }
            ValuePlace::Cell { .. } => self.cells.as_ref()?.get(&place).copied(),
        }
    }

    pub fn len(&self) -> usize {
        self.vars.len() + self.cells.as_ref().map_or(0, OrdMap::len)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All facts, variables first.
    pub fn iter(&self) -> impl Iterator<Item = (ValuePlace, Term)> + '_ {
        let vars = self.vars.iter().map(|&(var, value)| (ValuePlace::Var(var), value));
        let cells = self.cells.iter().flatten().map(|(&place, &value)| (place, value));
        vars.chain(cells)
    }

    /// A hash of the facts.
    pub fn hash_value(&self) -> u64 {
        self.hash
    }

    /// A hash of the places that have a value.
    pub fn shape(&self) -> u64 {
        self.shape
    }

    pub fn set(&mut self, place: ValuePlace, value: Term) {
        self.forget_entry(place);
        let old = match place {
            ValuePlace::Var(var) => match self.vars.binary_search_by_key(&var, |&(var, _)| var) {
                Ok(at) if self.vars[at].1 == value => return,
                Ok(at) => {
                    let old = &mut Rc::make_mut(&mut self.vars)[at].1;
                    Some(std::mem::replace(old, value))
                }
                Err(at) => {
                    Rc::make_mut(&mut self.vars).insert(at, (var, value));
                    None
                }
            },
            ValuePlace::Cell { .. } => self.cells.get_or_insert_default().insert(place, value),
        };
        match old {
            Some(old) => self.hash ^= hash_fact(place, old),
            None => self.shape ^= FxBuildHasher.hash_one(place),
        }
        self.hash ^= hash_fact(place, value);
    }

    pub fn forget(&mut self, place: ValuePlace) {
        self.forget_entry(place);
        self.untrack(place);
    }

    fn forget_entry(&mut self, place: ValuePlace) {
        if let Some(map) = &mut self.map {
            map.remove(place);
        }
    }

    /// Forgets the value of a place, which is as it was: what the map says of it still holds.
    pub fn untrack(&mut self, place: ValuePlace) {
        let old = match place {
            ValuePlace::Var(var) => match self.vars.binary_search_by_key(&var, |&(var, _)| var) {
                Ok(at) => Some(Rc::make_mut(&mut self.vars).remove(at).1),
                Err(_) => None,
            },
            ValuePlace::Cell { .. } => self.cells.as_mut().and_then(|cells| cells.remove(&place)),
        };
        if let Some(old) = old {
            self.hash ^= hash_fact(place, old);
            self.shape ^= FxBuildHasher.hash_one(place);
        }
    }

    /// Keeps the variables for which `keep` holds, and all cells.
    pub fn retain_vars(&mut self, keep: impl Fn(Var) -> bool) {
        if self.vars.iter().all(|&(var, _)| keep(var)) {
            return;
        }
        let (hash, shape) = (&mut self.hash, &mut self.shape);
        Rc::make_mut(&mut self.vars).retain(|&(var, value)| {
            let kept = keep(var);
            if !kept {
                *hash ^= hash_fact(ValuePlace::Var(var), value);
                *shape ^= FxBuildHasher.hash_one(ValuePlace::Var(var));
            }
            kept
        });
    }

    /// Whether every fact here is one of `other`, and the map here allows all that the other does.
    pub fn is_part_of(&self, other: &Valuation) -> bool {
        let allows = match (&self.map, &other.map) {
            (Some(more), Some(less)) => less.is_within(more),
            (Some(_), None) => false,
            (None, _) => true,
        };
        allows
            && self.len() <= other.len()
            && self.iter().all(|(place, value)| other.get(place) == Some(value))
    }

    /// A term with what is known put in.
    pub fn evaluate(&self, space: &mut Space<'_>, term: Term) -> Term {
        if self.vars.is_empty() {
            return term;
        }
        space.terms.substitute(term, |_, var| self.get(ValuePlace::Var(var)))
    }

    /// The cells that overlap these bytes of an object.
    pub fn overlapping(
        &self,
        memory: Var,
        object: u32,
        offset: u64,
        bytes: u64,
    ) -> Vec<(ValuePlace, Term)> {
        // No cell is longer than 16 bytes.
        let from = ValuePlace::Cell { memory, object, offset: offset.saturating_sub(15), bytes: 0 };
        let to =
            ValuePlace::Cell { memory, object, offset: offset.saturating_add(bytes), bytes: 0 };
        let Some(cells) = &self.cells else {
            return Vec::new();
        };
        cells
            .range(from..to)
            .filter(|(place, _)| match place {
                ValuePlace::Cell { offset: at, bytes, .. } => at.saturating_add(*bytes) > offset,
                ValuePlace::Var(_) => false,
            })
            .map(|(&place, &value)| (place, value))
            .collect()
    }

    /// Forgets the cells that overlap these bytes of an object.
    pub fn forget_overlapping(&mut self, memory: Var, object: u32, offset: u64, bytes: u64) {
        for (place, _) in self.overlapping(memory, object, offset, bytes) {
            self.forget(place);
        }
        let Some(map) = &mut self.map else { return };
        let from = ValuePlace::Cell { memory, object, offset: offset.saturating_sub(15), bytes: 0 };
        let to =
            ValuePlace::Cell { memory, object, offset: offset.saturating_add(bytes), bytes: 0 };
        for place in map.between(from, to) {
            if let ValuePlace::Cell { offset: at, bytes, .. } = place
                && at.saturating_add(bytes) > offset
            {
                map.remove(place);
            }
        }
    }

    /// Forgets the cells of an object.
    pub fn forget_object(&mut self, memory: Var, object: u32) {
        self.forget_between(memory, object, object);
    }

    /// The objects of which something is known in a region of memory, ascending.
    pub fn objects_in(&self, memory: Var) -> Vec<u32> {
        let from = ValuePlace::Cell { memory, object: 0, offset: 0, bytes: 0 };
        let to = ValuePlace::Cell { memory, object: u32::MAX, offset: u64::MAX, bytes: u64::MAX };
        let cells = self.cells.iter().flat_map(|cells| cells.range(from..=to));
        let cells = cells.map(|(&place, _)| place);
        let entries = self.map.iter().flat_map(|map| map.between(from, to));
        let mut objects: Vec<u32> = cells
            .chain(entries)
            .filter_map(|place| match place {
                ValuePlace::Cell { object, .. } => Some(object),
                ValuePlace::Var(_) => None,
            })
            .collect();
        objects.sort_unstable();
        objects.dedup();
        objects
    }

    /// Forgets a region of memory.
    pub fn forget_memory(&mut self, memory: Var) {
        self.forget_between(memory, 0, u32::MAX);
    }

    fn forget_between(&mut self, memory: Var, first: u32, last: u32) {
        let from = ValuePlace::Cell { memory, object: first, offset: 0, bytes: 0 };
        let to = ValuePlace::Cell { memory, object: last, offset: u64::MAX, bytes: u64::MAX };
        let cells = self.cells.iter().flat_map(|cells| cells.range(from..=to));
        let places: Vec<ValuePlace> = cells.map(|(&place, _)| place).collect();
        for place in places {
            self.forget(place);
        }
        if let Some(map) = &mut self.map {
            map.between(from, to).into_iter().for_each(|place| map.remove(place));
        }
    }

    /// The value at these bytes, where they are known, and the cells it was taken from.
    pub fn read(
        &self,
        space: &mut Space<'_>,
        memory: Var,
        (object, offset): (u32, u64),
        sort: Sort,
    ) -> Option<(Term, Vec<ValuePlace>)> {
        let bytes = space.program.bytes_of(sort)?;
        // Offsets before the start of an object are large numbers.
        offset.checked_add(bytes)?;
        let cells = self.overlapping(memory, object, offset, bytes);
        if let [(ValuePlace::Cell { offset: at, bytes: length, .. }, value)] = cells[..]
            && at == offset
            && length == bytes
        {
            return Some((convert(space, value, sort)?, vec![cells[0].0]));
        }
        // Several cells, or parts of them: their bits one after the other.
        let mut bits: Option<Term> = None;
        let mut at = offset;
        for &(place, value) in &cells {
            let ValuePlace::Cell { offset: start, bytes: length, .. } = place else {
                return None;
            };
            if start > at {
                return None;
            }
            let end = (start + length).min(offset + bytes);
            let value = convert(space, value, Sort::Bv(length as u16 * 8))?;
            let (lo, hi) = ((at - start) as u16 * 8, (end - start) as u16 * 8 - 1);
            let piece = space.terms.unary(UnOp::Extract { hi, lo }, value);
            bits = Some(match bits {
                None => piece,
                Some(low) => space.terms.binary(BinOp::Concat, piece, low),
            });
            at = end;
        }
        if at != offset + bytes {
            return None;
        }
        let value = convert(space, bits?, sort)?;
        Some((value, cells.iter().map(|&(place, _)| place).collect()))
    }
}

/// The part of a fact in a valuation's hash.
pub fn hash_fact(place: ValuePlace, value: Term) -> u64 {
    FxBuildHasher.hash_one((place, value))
}

/// A value's bytes as a value of another sort of the same size.
fn convert(space: &mut Space<'_>, value: Term, sort: Sort) -> Option<Term> {
    let from = space.terms.sort(value);
    let result = match (from, sort) {
        (from, to) if from == to => value,
        (Sort::Float(_), Sort::Bv(_)) => space.terms.unary(UnOp::FToBits, value),
        (Sort::Bv(_), Sort::Float(kind)) => space.terms.unary(UnOp::BitsToF(kind), value),
        (Sort::Ptr, Sort::Bv(_)) => space.terms.unary(UnOp::PtrToInt, value),
        (Sort::Bv(_), Sort::Ptr) => space.terms.unary(UnOp::IntToPtr, value),
        (Sort::Float(_), Sort::Ptr) => {
            let bits = space.terms.unary(UnOp::FToBits, value);
            space.terms.unary(UnOp::IntToPtr, bits)
        }
        (Sort::Ptr, Sort::Float(kind)) => {
            let bits = space.terms.unary(UnOp::PtrToInt, value);
            space.terms.unary(UnOp::BitsToF(kind), bits)
        }
        (Sort::Float(_), Sort::Float(_)) | (Sort::Bv(_), Sort::Bv(_)) | (Sort::Ptr, Sort::Ptr) => {
            return None;
        }
        (Sort::Bool | Sort::Mem, _) | (_, Sort::Bool | Sort::Mem) => return None,
    };
    space.is_value(result).then_some(result)
}
