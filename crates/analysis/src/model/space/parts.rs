//! Memory in parts: what one access touches is in one of them.
//!
//! A static points-to analysis says which accesses may touch a common byte. Each part of memory is kept in
//! a variable of its own, so that what is written to one is known to leave the others as they are. The bytes
//! that a part has at addresses nobody accesses in it mean nothing.

use std::rc::Rc;
use std::time::Duration;

use ravelin_base::{Budget, EntityRef, entity_impl};
use ravelin_cfa::{FreeKind, ObjectKind, Op, Program};
use ravelin_pointsto::{
    Division, ObjectName, Offset, Options, PointsTo, Region, Regions, Target, TargetSet, analyse,
};
use ravelin_term::{Object, Sort, Term, Var};
use rustc_hash::FxHashMap;

use super::{Space, initial_read};
use crate::model::bulk::MAX_BYTES;

/// A part of memory. The first is for what accesses touch that touch nothing of the program's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Part(u32);
entity_impl!(Part, "part");

/// Some bytes of an object or range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Piece {
    pub offset: u64,
    pub bytes: u16,
}

/// Memory in parts.
#[derive(Debug)]
pub struct Parts {
    /// None if there is only one part beside the first.
    known: Option<Known>,
    /// The parts of accesses, copies and fills, by address and length.
    of_access: FxHashMap<(Term, Option<u64>), Part>,
    of_range: FxHashMap<(Term, Option<u64>), Vec<Part>>,
    /// The memories that can be reached through pointers.
    reached: FxHashMap<Box<[Term]>, Rc<[Var]>>,
    /// What is freed, by address.
    freed: FxHashMap<(Term, FreeKind), Rc<[Freed]>>,
}

/// What a memory has of objects that are freed.
#[derive(Debug)]
pub struct Freed {
    pub memory: Var,
    /// None if they are not known or too many.
    pub pieces: Option<Vec<Piece>>,
}

#[derive(Debug)]
struct Known {
    points_to: PointsTo,
    regions: Regions,
}

/// Dividing memory may take this long.
const TIME: Duration = Duration::from_secs(5);

/// Contents of freed objects are forgotten piece by piece up to so many.
const MAX_FREED: usize = 64;

/// Pieces of what is accessed in different ways are at most this long.
const LONGEST: u64 = 8;

impl Parts {
    /// As far as pointers allow. If that cannot be found out in reasonable time, memory is one.
    pub fn new(program: &Program, division: Division) -> Self {
        let mut budget = Budget::unlimited().sooner(TIME);
        let points_to = analyse(program, &Options::default(), &mut budget).ok();
        Parts {
            known: points_to.map(|points_to| {
                let regions = Regions::new(program, &points_to, division);
                Known { points_to, regions }
            }),
            of_access: FxHashMap::default(),
            of_range: FxHashMap::default(),
            reached: FxHashMap::default(),
            freed: FxHashMap::default(),
        }
    }

    /// Memory in one piece.
    pub fn undivided() -> Self {
        Parts {
            known: None,
            of_access: FxHashMap::default(),
            of_range: FxHashMap::default(),
            reached: FxHashMap::default(),
            freed: FxHashMap::default(),
        }
    }

    /// All parts.
    pub fn all(&self) -> impl Iterator<Item = Part> + use<> {
        let regions = self.known.as_ref().map_or(1, |known| known.regions.len());
        (0..=regions).map(Part::new)
    }

    /// What is known of the program's pointers.
    pub fn points_to(&self) -> Option<&PointsTo> {
        self.known.as_ref().map(|known| &known.points_to)
    }

    /// Whether any two accesses to this part are to the same bytes or to none in common.
    pub fn is_uniform(&self, part: Part) -> bool {
        self.cell_bytes(part).is_some()
    }

    /// How many bytes each access has, if they are all to the same bytes or to none in common.
    fn cell_bytes(&self, part: Part) -> Option<u16> {
        let known = self.known.as_ref()?;
        let data = known.regions.data(region_of(part)?);
        if !data.is_uniform {
            return None;
        }
        data.cells.first().and_then(|cell| u16::try_from(cell.bytes).ok())
    }

    /// The parts in which bytes of an object are.
    pub fn of_object(&self, object: Object) -> Vec<Part> {
        let Some(known) = &self.known else {
            return vec![Part(1)];
        };
        let Some(target) = known.points_to.target(ObjectName::Object(object)) else {
            return Vec::new();
        };
        let set = TargetSet::start_of(target);
        parts_of(known.regions.of_range(&set, None))
    }

    /// The bytes of an object of this size that a part has, in pieces as they are accessed.
    pub fn pieces_of_object(&self, object: Object, part: Part, size: u64) -> Vec<Piece> {
        let set = self.known.as_ref().and_then(|known| {
            let target = known.points_to.target(ObjectName::Object(object))?;
            Some(TargetSet::start_of(target))
        });
        self.pieces(&set.unwrap_or_default(), part, size)
    }

    /// The bytes of a range that a part has, in pieces as they are accessed; perhaps more.
    fn pieces(&self, start: &TargetSet, part: Part, size: u64) -> Vec<Piece> {
        let (Some(known), Some(bytes)) = (&self.known, self.cell_bytes(part)) else {
            return in_pieces(size, LONGEST).collect();
        };
        let mut found = Vec::new();
        for &(target, offset) in start.places() {
            for &(cell, region) in known.regions.of_target(target) {
                if Some(region) == region_of(part) {
                    positions(cell.offset.minus(offset), bytes, size, &mut found);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The offsets of a pattern inside a range, as pieces.
fn positions(pattern: Offset, bytes: u16, size: u64, found: &mut Vec<Piece>) {
    let (first, step) = match pattern.as_exact() {
        Some(at) => (at, 0),
        None => (pattern.at(), pattern.stride()),
    };
    let Ok(mut offset) = u64::try_from(first) else { return };
    while offset.checked_add(bytes.into()).is_some_and(|end| end <= size) {
        found.push(Piece { offset, bytes });
        if step == 0 {
            break;
        }
        offset += step;
    }
}

/// A range in pieces of at most so many bytes.
pub fn in_pieces(size: u64, longest: u64) -> impl Iterator<Item = Piece> {
    (0..size)
        .step_by(longest as usize)
        .map(move |offset| Piece { offset, bytes: (size - offset).min(longest) as u16 })
}

fn region_of(part: Part) -> Option<Region> {
    part.index().checked_sub(1).map(Region::new)
}

fn parts_of(regions: Vec<Region>) -> Vec<Part> {
    regions.into_iter().map(|region| Part::new(region.index() + 1)).collect()
}

/// Addresses here are terms of labels, not of what is known of them somewhere.
impl Space<'_> {
    /// The variable for the part of memory in which an access at this address is, or a copy to or from it;
    /// the length of a copy need not be known.
    pub fn memory_at(&mut self, address: Term, bytes: Option<u64>) -> Var {
        let part = match self.parts.of_access.get(&(address, bytes)) {
            Some(&part) => part,
            None => {
                let set = self.pointers(address);
                let part = match &self.parts.known {
                    None => Part(1),
                    Some(known) => known
                        .regions
                        .of_access(&set, bytes)
                        .map_or(Part(0), |region| Part::new(region.index() + 1)),
                };
                self.parts.of_access.insert((address, bytes), part);
                part
            }
        };
        self.memories[part.index()]
    }

    /// The variables for the parts of memory in which a range is.
    pub fn memories_in(&mut self, start: Term, bytes: Option<u64>) -> Vec<Var> {
        if !self.parts.of_range.contains_key(&(start, bytes)) {
            let set = self.pointers(start);
            let parts = match &self.parts.known {
                None => vec![Part(1)],
                // A pointer that nobody assigned leads to an object of the environment.
                Some(_) if set.places().is_empty() && !set.is_unknown() => vec![Part(0)],
                Some(known) => parts_of(known.regions.of_range(&set, bytes)),
            };
            self.parts.of_range.insert((start, bytes), parts);
        }
        let parts = &self.parts.of_range[&(start, bytes)];
        parts.iter().map(|part| self.memories[part.index()]).collect()
    }

    /// The variables for the parts of memory in which something is that can be reached through pointers of
    /// a label: who gets them may change it, and what is the environment's in any case.
    pub fn memories_reached(&mut self, pointers: &[Term]) -> Rc<[Var]> {
        if let Some(found) = self.parts.reached.get(pointers) {
            return Rc::clone(found);
        }
        let regions = self.regions_reached(pointers);
        let found: Rc<[Var]> = match regions {
            Some(regions) => {
                let parts = [Part(0)].into_iter().chain(parts_of(regions));
                parts.map(|part| self.memories[part.index()]).collect()
            }
            None => self.memories.as_slice().into(),
        };
        self.parts.reached.insert(pointers.into(), Rc::clone(&found));
        found
    }

    /// The regions with bytes of objects that can be reached through pointers; none if that may be all.
    fn regions_reached(&self, pointers: &[Term]) -> Option<Vec<Region>> {
        let known = self.parts.known.as_ref()?;
        let mut work: Vec<TargetSet> = pointers.iter().map(|&term| self.pointers(term)).collect();
        let (mut targets, mut regions) = (Vec::new(), Vec::new());
        while let Some(set) = work.pop() {
            if set.is_unknown() {
                return None;
            }
            for target in set.targets() {
                if targets.contains(&target) {
                    continue;
                }
                targets.push(target);
                regions.extend(known.regions.of_object(target));
                // Pointers that the program itself never looks at count, too.
                work.push(known.points_to.of_cell(target, Offset::ANY));
            }
        }
        regions.sort_unstable();
        regions.dedup();
        Some(regions)
    }

    /// The variables for the parts of memory in which bytes of an object are.
    pub fn memories_of(&self, object: Object) -> Vec<Var> {
        let parts = self.parts.of_object(self.program_object(object));
        parts.into_iter().map(|part| self.memories[part.index()]).collect()
    }

    /// The bytes of a range that a part of memory has, in pieces as they are accessed; perhaps more.
    pub fn pieces_in(&self, memory: Var, start: Term, size: u64) -> Vec<Piece> {
        match self.part_of(memory) {
            Some(part) => self.parts.pieces(&self.pointers(start), part, size),
            None => Vec::new(),
        }
    }

    /// The size of the largest object into which a pointer of a label may lead, if all are known.
    pub fn largest_object(&self, pointer: Term) -> Option<u64> {
        let points_to = self.parts.points_to()?;
        let set = self.pointers(pointer);
        if set.is_open() {
            return None;
        }
        let sizes = set.targets().map(|target| points_to.size(target));
        sizes.collect::<Option<Vec<u64>>>()?.into_iter().max()
    }

    /// The bytes of an object that a part of memory has.
    pub fn pieces_of(&self, memory: Var, object: Object) -> Vec<Piece> {
        let object = self.program_object(object);
        let size = self.program.objects[object].size;
        match self.part_of(memory) {
            Some(part) => self.parts.pieces_of_object(object, part, size),
            None => Vec::new(),
        }
    }

    /// What memories have of the objects that may be freed at this address: any, if nothing is known of it. Arrays to
    /// which no pointers are left are out of reach.
    pub fn freed(&mut self, address: Term, kind: FreeKind) -> Rc<[Freed]> {
        if let Some(freed) = self.parts.freed.get(&(address, kind)) {
            return freed.clone();
        }
        let set = self.pointers(address);
        let mut found = Vec::new();
        if let Some(known) = &self.parts.known {
            let is_freed = |target: Target| match (known.points_to.name(target), kind) {
                (ObjectName::Object(_), _) => false,
                (ObjectName::Allocated(_) | ObjectName::OfSize(_), FreeKind::Heap) => true,
                (ObjectName::Allocated(_) | ObjectName::OfSize(_), FreeKind::Array) => {
                    self.dangling.arrays.contains(target)
                }
            };
            let heap: Vec<Target> = match set.is_unknown() {
                true => known.points_to.targets().filter(|&target| is_freed(target)).collect(),
                false => set.targets().filter(|&target| is_freed(target)).collect(),
            };
            let mut parts: Vec<Part> =
                heap.iter().flat_map(|&target| parts_of(known.regions.of_object(target))).collect();
            parts.sort_unstable();
            parts.dedup();
            for part in parts {
                let mut pieces = Some(Vec::new());
                for &target in &heap {
                    let size = known.points_to.size(target).filter(|&size| size <= MAX_BYTES);
                    let more = size
                        .map(|size| self.parts.pieces(&TargetSet::start_of(target), part, size));
                    pieces = pieces.zip(more).map(|(mut all, mut more): (Vec<Piece>, _)| {
                        all.append(&mut more);
                        all
                    });
                }
                let pieces = pieces.map(|mut pieces| {
                    pieces.sort_unstable();
                    pieces.dedup();
                    pieces
                });
                let pieces = pieces.filter(|pieces| pieces.len() <= MAX_FREED);
                found.push(Freed { memory: self.memories[part.index()], pieces });
            }
        } else {
            let all = self.memories.iter().map(|&memory| Freed { memory, pieces: None });
            found.extend(all);
        }
        let found: Rc<[Freed]> = found.into();
        self.parts.freed.insert((address, kind), found.clone());
        found
    }

    /// The region of which a variable has the contents.
    pub fn region_of(&self, memory: Var) -> Option<Region> {
        self.part_of(memory).and_then(region_of)
    }

    /// The regions in which pointers may be.
    pub fn regions_with_pointers(&self) -> Vec<Region> {
        let Some(known) = &self.parts.known else { return Vec::new() };
        let mut found = Vec::new();
        self.program.for_each_label(|_, label| {
            let set = |term: Term| known.points_to.of_term(self.program, term);
            let bytes = self.program.bytes_of(Sort::Ptr);
            match &label.op {
                Op::Load { dst, addr, .. } if self.program.vars[*dst].sort == Sort::Ptr => {
                    found.extend(known.regions.of_access(&set(*addr), bytes));
                }
                Op::Store { addr, value, .. } if self.program.terms.sort(*value) == Sort::Ptr => {
                    found.extend(known.regions.of_access(&set(*addr), bytes));
                }
                // What is copied may be pointers.
                Op::Copy { dst, src, .. } => {
                    found.extend(known.regions.of_range(&set(*dst), None));
                    found.extend(known.regions.of_range(&set(*src), None));
                }
                _ => {}
            }
        });
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Whether accesses to a memory are to the same bytes or to none in common.
    pub fn is_uniform(&self, memory: Var) -> bool {
        self.part_of(memory).is_some_and(|part| self.parts.is_uniform(part))
    }

    /// What is known of the program's pointers.
    pub fn points_to(&self) -> Option<&PointsTo> {
        self.parts.points_to()
    }

    /// The objects to which a pointer of the program may lead, each with the pointers that it may then be, if
    /// there is one such object and the offsets are known.
    pub fn objects_behind(&mut self, pointer: Term) -> Vec<(Target, Option<Vec<Term>>)> {
        let set = self.pointers(pointer);
        let mut found: Vec<(Target, Option<Vec<Term>>)> = Vec::new();
        for &(target, offset) in set.places() {
            let name = self.parts.points_to().map(|points_to| points_to.name(target));
            let offset = offset.as_exact().and_then(|offset| u64::try_from(offset).ok());
            let place = match (name, offset) {
                (Some(ObjectName::Object(object)), Some(offset))
                    if self.program.objects[object].kind == ObjectKind::Global =>
                {
                    let address = self.terms.address(object);
                    Some(self.terms.ptr_add_const(address, offset))
                }
                _ => None,
            };
            match found.iter_mut().find(|(other, _)| *other == target) {
                Some((_, places)) => match (places.as_mut(), place) {
                    (Some(places), Some(place)) => places.push(place),
                    _ => *places = None,
                },
                None => found.push((target, place.map(|place| vec![place]))),
            }
        }
        found
    }

    /// The object to which a value that is a pointer leads, in the words of the points-to analysis.
    pub fn object_behind(&self, value: Term) -> Option<Target> {
        let (number, _) = self.constant_pointer(value)?;
        let object = self.object_numbered(number)?;
        self.parts.points_to()?.target(ObjectName::Object(object))
    }

    /// Whether the word so many bytes behind a pointer of a label is surely zero when the program starts, or
    /// belongs to nothing that there is then.
    pub fn is_zero_at_start(&mut self, pointer: Term, behind: u64) -> bool {
        let set = self.pointers(pointer);
        let Some(points_to) = self.parts.points_to().filter(|_| !set.is_unknown()) else {
            return false;
        };
        let places: Vec<(ObjectName, Offset)> =
            set.places().iter().map(|&(target, at)| (points_to.name(target), at)).collect();
        places.into_iter().all(|(name, offset)| {
            let ObjectName::Object(object) = name else {
                return true;
            };
            let (size, kind) =
                (self.program.objects[object].size, self.program.objects[object].kind);
            let zero = self.terms.bv(32, 0);
            let mut is_zero = |at: u64| {
                at + 4 > size || initial_read(self, object, at, Sort::Bv(32)) == Some(zero)
            };
            match (kind, offset.as_exact()) {
                (ObjectKind::Local(_), _) => true,
                (_, Some(at)) => u64::try_from(at).is_ok_and(|at| is_zero(at + behind)),
                (_, None) => (0..size).step_by(4).all(is_zero),
            }
        })
    }

    /// Whether so many bytes at a pointer of a label, or any number from there on, may have one in common
    /// with the word so far behind another pointer of a label.
    pub fn may_overlap(&self, to: Term, bytes: Option<u64>, word: Term, behind: u64) -> bool {
        let (to, word) = (self.pointers(to), self.pointers(word));
        if to.is_unknown() || word.is_unknown() {
            return true;
        }
        let meet = |from_word: Offset| {
            let Some(bytes) = bytes.and_then(|bytes| i64::try_from(bytes).ok()) else {
                return true;
            };
            let mut overlapping = 1 - bytes..4;
            match from_word.as_exact() {
                Some(at) => overlapping.contains(&at),
                None => overlapping.any(|at| from_word.covers(Offset::exact(at))),
            }
        };
        to.places().iter().any(|&(target, offset)| {
            word.places().iter().any(|&(other, at)| {
                let at = at.plus(Offset::exact(behind as i64));
                target == other && meet(offset.minus(at))
            })
        })
    }

    /// Whether a pointer of a label may lead to a function that is not the program's.
    pub fn may_point_elsewhere(&self, pointer: Term) -> bool {
        let Some(points_to) = self.parts.points_to() else { return true };
        let is_function = |&(target, offset): &(Target, Offset)| {
            offset == Offset::ZERO
                && matches!(points_to.name(target), ObjectName::Object(object)
                    if matches!(self.program.objects[object].kind, ObjectKind::Function(_)))
        };
        let set = self.pointers(pointer);
        !set.flags().is_empty() || set.places().is_empty() || !set.places().iter().all(is_function)
    }

    /// Whether a pointer of a label may lead to the start of this object of the program.
    pub fn may_point_to(&self, pointer: Term, object: Object) -> bool {
        let target = self.parts.points_to().map(|it| it.target(ObjectName::Object(object)));
        match target {
            Some(Some(target)) => self.pointers(pointer).contains(target, Offset::ZERO),
            // An object that nobody points to.
            Some(None) => false,
            None => true,
        }
    }

    /// What a pointer may be, whenever.
    pub(super) fn pointers(&self, term: Term) -> TargetSet {
        let Some(points_to) = self.parts.points_to() else {
            return TargetSet::unknown();
        };
        self.said_of(points_to, term, None)
    }
}
