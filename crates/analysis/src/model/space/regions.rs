//! Memory in regions: what one access touches is in one of them.
//!
//! A static points-to analysis says which accesses may touch a common byte. Each region of memory is kept in
//! a variable of its own, so that what is written to one is known to leave the others as they are. The bytes
//! that a region has at addresses nobody accesses in it mean nothing.

use std::iter;
use std::rc::Rc;
use std::sync::Arc;

use ravelin_base::EntityRef;
use ravelin_cfa::{FreeKind, Op};
use ravelin_pointsto::{
    Division, ObjectName, Offset, PointsTo, Region, Regions, Target, TargetSet,
};
use ravelin_por::ProgramFacts;
use ravelin_term::{Object, Sort, Term, Var};
use rustc_hash::FxHashMap;

use super::{Space, StateMemory};
use crate::model::bulk::MAX_BYTES;

/// A region of memory that has a variable of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MemoryRegion {
    /// For accesses that touch nothing of the program's.
    Outside,
    /// A region of the points-to analysis; the first one is all memory where that is not divided.
    Of(Region),
    /// No bytes of objects, but facts about objects.
    State(StateMemory),
}

impl MemoryRegion {
    /// All memory, where it is not divided.
    fn whole() -> Self {
        MemoryRegion::Of(Region::new(0))
    }

    /// The region of the points-to analysis.
    fn region(self) -> Option<Region> {
        match self {
            MemoryRegion::Outside | MemoryRegion::State(_) => None,
            MemoryRegion::Of(region) => Some(region),
        }
    }

    /// Its place among the regions that have bytes of objects.
    fn index(self) -> usize {
        self.region().map_or(0, |region| region.index() + 1)
    }
}

/// Consecutive bytes of an object or of a larger range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByteRange {
    pub offset: u64,
    pub bytes: u16,
}

/// Memory in regions.
#[derive(Debug)]
pub struct MemoryRegions {
    /// None if there is only one region beside the first.
    divided: Option<Divided>,
    /// The regions of accesses, copies and fills, by address and length.
    of_access: FxHashMap<(Term, Option<u64>), MemoryRegion>,
    of_range: FxHashMap<(Term, Option<u64>), Vec<MemoryRegion>>,
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
    pub pieces: Option<Vec<ByteRange>>,
}

#[derive(Debug)]
struct Divided {
    points_to: Arc<PointsTo>,
    regions: Arc<Regions>,
}

/// Contents of freed objects are forgotten piece by piece up to so many.
const MAX_FREED: usize = 64;

/// Pieces of what is accessed in different ways are at most this long.
const LONGEST: u64 = 8;

impl MemoryRegions {
    /// As far as pointers allow. Memory is one region if the points-to analysis takes too long.
    pub fn new(facts: &ProgramFacts<'_>, division: Division) -> Self {
        let divided = facts.points_to().and_then(|points_to| {
            let regions = facts.regions(division)?;
            Ok(Divided { points_to: Arc::clone(points_to), regions })
        });
        MemoryRegions {
            divided: divided.ok(),
            of_access: FxHashMap::default(),
            of_range: FxHashMap::default(),
            reached: FxHashMap::default(),
            freed: FxHashMap::default(),
        }
    }

    /// Memory in one piece.
    pub fn undivided() -> Self {
        MemoryRegions {
            divided: None,
            of_access: FxHashMap::default(),
            of_range: FxHashMap::default(),
            reached: FxHashMap::default(),
            freed: FxHashMap::default(),
        }
    }

    /// All regions.
    pub fn all(&self) -> impl Iterator<Item = MemoryRegion> + use<> {
        let regions = self.divided.as_ref().map_or(1, |divided| divided.regions.len());
        iter::once(MemoryRegion::Outside)
            .chain((0..regions).map(|index| MemoryRegion::Of(Region::new(index))))
    }

    /// What is known of the program's pointers.
    pub fn points_to(&self) -> Option<&PointsTo> {
        self.divided.as_ref().map(|divided| &*divided.points_to)
    }

    /// Whether any two accesses to this region are to the same bytes or to none in common.
    pub fn is_uniform(&self, region: MemoryRegion) -> bool {
        matches!(region, MemoryRegion::State(_)) || self.cell_bytes(region).is_some()
    }

    /// How many bytes each access has, if they are all to the same bytes or to none in common.
    fn cell_bytes(&self, region: MemoryRegion) -> Option<u16> {
        let divided = self.divided.as_ref()?;
        let data = divided.regions.data(region.region()?);
        if !data.is_uniform {
            return None;
        }
        data.cells.first().and_then(|cell| u16::try_from(cell.bytes).ok())
    }

    /// The regions in which bytes of an object are.
    pub fn of_object(&self, object: Object) -> Vec<MemoryRegion> {
        let Some(divided) = &self.divided else {
            return vec![MemoryRegion::whole()];
        };
        let Some(target) = divided.points_to.target(ObjectName::Object(object)) else {
            return Vec::new();
        };
        let set = TargetSet::start_of(target);
        memory_regions(divided.regions.of_range(&set, None))
    }

    /// The bytes of an object of this size that a region has, in pieces as they are accessed.
    pub fn pieces_of_object(
        &self,
        object: Object,
        region: MemoryRegion,
        size: u64,
    ) -> Vec<ByteRange> {
        let set = self.divided.as_ref().and_then(|divided| {
            let target = divided.points_to.target(ObjectName::Object(object))?;
            Some(TargetSet::start_of(target))
        });
        self.pieces(&set.unwrap_or_default(), region, size)
    }

    /// The bytes of a range that a region has, in pieces as they are accessed; perhaps more.
    fn pieces(&self, start: &TargetSet, region: MemoryRegion, size: u64) -> Vec<ByteRange> {
        let (Some(divided), Some(bytes)) = (&self.divided, self.cell_bytes(region)) else {
            return byte_ranges(size, LONGEST).collect();
        };
        let mut found = Vec::new();
        for &(target, offset) in start.places() {
            for &(cell, of_cell) in divided.regions.of_target(target) {
                if region == MemoryRegion::Of(of_cell) {
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
fn positions(pattern: Offset, bytes: u16, size: u64, found: &mut Vec<ByteRange>) {
    let (first, step) = match pattern.as_exact() {
        Some(at) => (at, 0),
        None => (pattern.at(), pattern.stride()),
    };
    let Ok(mut offset) = u64::try_from(first) else { return };
    while offset.checked_add(bytes.into()).is_some_and(|end| end <= size) {
        found.push(ByteRange { offset, bytes });
        if step == 0 {
            break;
        }
        offset += step;
    }
}

/// A range in pieces of at most so many bytes.
pub fn byte_ranges(size: u64, longest: u64) -> impl Iterator<Item = ByteRange> {
    (0..size)
        .step_by(longest as usize)
        .map(move |offset| ByteRange { offset, bytes: (size - offset).min(longest) as u16 })
}

fn memory_regions(regions: Vec<Region>) -> Vec<MemoryRegion> {
    regions.into_iter().map(MemoryRegion::Of).collect()
}

/// Addresses here are terms of labels, not of what is known of them somewhere.
impl Space<'_> {
    /// The variable for the region of memory in which an access at this address is, or a copy to or from it;
    /// the length of a copy need not be known.
    pub fn memory_at(&mut self, address: Term, bytes: Option<u64>) -> Var {
        let region = match self.regions.of_access.get(&(address, bytes)) {
            Some(&region) => region,
            None => {
                let set = self.pointers(address);
                let region = match &self.regions.divided {
                    None => MemoryRegion::whole(),
                    Some(divided) => divided
                        .regions
                        .of_access(&set, bytes)
                        .map_or(MemoryRegion::Outside, MemoryRegion::Of),
                };
                self.regions.of_access.insert((address, bytes), region);
                region
            }
        };
        self.variables.memories[region.index()]
    }

    /// The variables for the regions of memory in which a range is.
    pub fn memories_in(&mut self, start: Term, bytes: Option<u64>) -> Vec<Var> {
        if !self.regions.of_range.contains_key(&(start, bytes)) {
            let set = self.pointers(start);
            let regions = match &self.regions.divided {
                None => vec![MemoryRegion::whole()],
                // A pointer that nobody assigned leads to an object of the environment.
                Some(_) if set.places().is_empty() && !set.is_unknown() => {
                    vec![MemoryRegion::Outside]
                }
                Some(divided) => memory_regions(divided.regions.of_range(&set, bytes)),
            };
            self.regions.of_range.insert((start, bytes), regions);
        }
        let regions = &self.regions.of_range[&(start, bytes)];
        regions.iter().map(|region| self.variables.memories[region.index()]).collect()
    }

    /// The variables for the regions of memory in which something is that can be reached through pointers of
    /// a label: who gets them may change it, and what is the environment's in any case.
    pub fn memories_reached(&mut self, pointers: &[Term]) -> Rc<[Var]> {
        if let Some(found) = self.regions.reached.get(pointers) {
            return Rc::clone(found);
        }
        let regions = self.regions_reached(pointers);
        let found: Rc<[Var]> = match regions {
            Some(regions) => {
                let regions = [MemoryRegion::Outside].into_iter().chain(memory_regions(regions));
                regions.map(|region| self.variables.memories[region.index()]).collect()
            }
            None => self.variables.memories.as_slice().into(),
        };
        self.regions.reached.insert(pointers.into(), Rc::clone(&found));
        found
    }

    /// The regions with bytes of objects that can be reached through pointers; none if that may be all.
    fn regions_reached(&self, pointers: &[Term]) -> Option<Vec<Region>> {
        let divided = self.regions.divided.as_ref()?;
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
                regions.extend(divided.regions.of_object(target));
                // Pointers that the program itself never looks at count, too.
                work.push(divided.points_to.of_cell(target, Offset::ANY));
            }
        }
        regions.sort_unstable();
        regions.dedup();
        Some(regions)
    }

    /// The variables for the regions of memory in which bytes of an object are.
    pub fn memories_of(&self, object: Object) -> Vec<Var> {
        let regions = self.regions.of_object(self.program_object(object));
        regions.into_iter().map(|region| self.variables.memories[region.index()]).collect()
    }

    /// The bytes of a range that a region of memory has, in pieces as they are accessed; perhaps more.
    pub fn pieces_in(&self, memory: Var, start: Term, size: u64) -> Vec<ByteRange> {
        match self.memory_region(memory) {
            Some(region) => self.regions.pieces(&self.pointers(start), region, size),
            None => Vec::new(),
        }
    }

    /// The size of the largest object into which a pointer of a label may lead, if all are known.
    pub fn largest_object(&self, pointer: Term) -> Option<u64> {
        let points_to = self.regions.points_to()?;
        let set = self.pointers(pointer);
        if set.is_open() {
            return None;
        }
        let sizes = set.targets().map(|target| points_to.size(target));
        sizes.collect::<Option<Vec<u64>>>()?.into_iter().max()
    }

    /// The bytes of an object that a region of memory has.
    pub fn pieces_of(&self, memory: Var, object: Object) -> Vec<ByteRange> {
        let object = self.program_object(object);
        let size = self.program.objects[object].size;
        match self.memory_region(memory) {
            Some(region) => self.regions.pieces_of_object(object, region, size),
            None => Vec::new(),
        }
    }

    /// What memories have of the objects that may be freed at this address: any, if nothing is known of it. Arrays to
    /// which no pointers are left are out of reach.
    pub fn freed(&mut self, address: Term, kind: FreeKind) -> Rc<[Freed]> {
        if let Some(freed) = self.regions.freed.get(&(address, kind)) {
            return freed.clone();
        }
        let set = self.pointers(address);
        let mut found = Vec::new();
        if let Some(divided) = &self.regions.divided {
            let is_freed = |target: Target| match (divided.points_to.name(target), kind) {
                (ObjectName::Object(_), _) => false,
                (ObjectName::Allocated(_) | ObjectName::OfSize(_), FreeKind::Heap) => true,
                (ObjectName::Allocated(_) | ObjectName::OfSize(_), FreeKind::Array) => {
                    self.lifetimes.dangling.arrays.contains(target)
                }
            };
            let heap: Vec<Target> = match set.is_unknown() {
                true => divided.points_to.targets().filter(|&target| is_freed(target)).collect(),
                false => set.targets().filter(|&target| is_freed(target)).collect(),
            };
            let mut regions: Vec<MemoryRegion> = heap
                .iter()
                .flat_map(|&target| memory_regions(divided.regions.of_object(target)))
                .collect();
            regions.sort_unstable();
            regions.dedup();
            for region in regions {
                let mut pieces = Some(Vec::new());
                for &target in &heap {
                    let size = divided.points_to.size(target).filter(|&size| size <= MAX_BYTES);
                    let more = size.map(|size| {
                        self.regions.pieces(&TargetSet::start_of(target), region, size)
                    });
                    pieces = pieces.zip(more).map(|(mut all, mut more): (Vec<ByteRange>, _)| {
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
                found.push(Freed { memory: self.variables.memories[region.index()], pieces });
            }
        } else {
            let all = self.variables.memories.iter().map(|&memory| Freed { memory, pieces: None });
            found.extend(all);
        }
        let found: Rc<[Freed]> = found.into();
        self.regions.freed.insert((address, kind), found.clone());
        found
    }

    /// The region of which a variable has the contents.
    pub fn region_of(&self, memory: Var) -> Option<Region> {
        self.memory_region(memory).and_then(MemoryRegion::region)
    }

    /// The regions in which pointers may be.
    pub fn regions_with_pointers(&self) -> Vec<Region> {
        let Some(divided) = &self.regions.divided else { return Vec::new() };
        let mut found = Vec::new();
        self.program.for_each_label(|_, label| {
            let set = |term: Term| divided.points_to.of_term(self.program, term);
            let bytes = self.program.bytes_of(Sort::Ptr);
            match &label.op {
                Op::Load { dst, addr, .. } if self.program.vars[*dst].sort == Sort::Ptr => {
                    found.extend(divided.regions.of_access(&set(*addr), bytes));
                }
                Op::Store { addr, value, .. } if self.program.terms.sort(*value) == Sort::Ptr => {
                    found.extend(divided.regions.of_access(&set(*addr), bytes));
                }
                // What is copied may be pointers.
                Op::Copy { dst, src, .. } => {
                    found.extend(divided.regions.of_range(&set(*dst), None));
                    found.extend(divided.regions.of_range(&set(*src), None));
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
        self.memory_region(memory).is_some_and(|region| self.regions.is_uniform(region))
    }
}
