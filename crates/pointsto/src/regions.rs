//! Memory in parts, such that every load, store and copy touches one part only.
//!
//! Two accesses that may touch a common byte are in one region, and so are all places that one access may
//! be. What is in different regions can be kept in different memories. Only filling a range with one byte
//! may touch several regions: it is done in each of them.

use ravelin_base::{PrimaryMap, SecondaryMap, entities};
use ravelin_cfa::sync::SyncArg;
use ravelin_cfa::{Op, Program, Term, ops};
use ravelin_term::Sort;
use rustc_hash::FxHashMap;

use crate::object::{Target, for_each_label};
use crate::offset::Offset;
use crate::result::{PointsTo, TargetSet};

entities! {
    /// A part of memory.
    pub struct Region("r");
}

/// By what memory is divided. Both are checked: what some access may touch together stays together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Division {
    /// Objects, and fields of objects, are apart from each other.
    pub fields: bool,
    /// Values of different sorts are apart from each other. (Objects and fields do not leave much of this
    /// to do.)
    pub types: bool,
}

impl Default for Division {
    fn default() -> Self {
        Division { fields: true, types: true }
    }
}

/// So many bytes at an offset of an object that some operation touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell {
    pub target: Target,
    pub offset: Offset,
    pub bytes: u64,
}

/// What is known of a region.
#[derive(Clone, Debug, Default)]
pub struct RegionData {
    /// The cells in it, ascending.
    pub cells: Vec<Cell>,
    /// Whether any two accesses to it are to the same bytes or to none in common: it can be kept as cells
    /// of one size, and needs no bytes.
    pub is_uniform: bool,
}

/// Memory in parts.
#[derive(Debug)]
pub struct Regions {
    regions: PrimaryMap<Region, RegionData>,
    of_target: SecondaryMap<Target, Vec<(Cell, Region)>>,
    sizes: SecondaryMap<Target, Option<u64>>,
    /// Whether some load or store may be anywhere: then there is one region.
    has_unknown: bool,
}

impl Regions {
    /// The finest division that all operations of the procedures that are reached allow.
    pub fn new(program: &Program, points_to: &PointsTo, division: Division) -> Regions {
        let mut maker = Maker::default();
        for_each_label(program, &mut |position, label| {
            if !points_to.is_reached(position.proc) {
                return;
            }
            let edge = &program.procs[position.proc].edges[position.edge];
            // In a block of several labels the first may change what the others see.
            let is_alone = edge.labels.len() == 1 && !matches!(edge.labels[0].op, Op::Choice(_));
            let set = |term: Term| match is_alone {
                true => points_to.of_term_at(program, term, position.proc, edge.source),
                false => points_to.of_term(program, term),
            };
            match &label.op {
                Op::Load { dst, addr, order: _ } => {
                    let sort = program.vars[*dst].sort;
                    let bytes = program.bytes_of(sort);
                    maker.access(points_to, &set(*addr), (bytes, Way::Reads), Some(sort));
                }
                Op::Store { addr, value, order: _ } => {
                    let sort = program.terms.sort(*value);
                    let bytes = program.bytes_of(sort);
                    maker.access(points_to, &set(*addr), (bytes, Way::Writes), Some(sort));
                }
                Op::Copy { dst, src, size } => {
                    let size = constant(program, *size);
                    let to = maker.access(points_to, &set(*dst), (size, Way::Writes), None);
                    let from = maker.access(points_to, &set(*src), (size, Way::Reads), None);
                    if let (Some(to), Some(from)) = (to, from) {
                        maker.unite(to, from);
                    }
                }
                Op::Fill { dst, byte: _, size } => {
                    maker.ranges.push((set(*dst), constant(program, *size)));
                }
                // What a synchronisation object holds can be kept in its first bytes.
                Op::Sync { op, args, .. } => {
                    for (&arg, kind) in args.iter().zip(op.info().args) {
                        if *kind == SyncArg::Object {
                            let word = Sort::Bv(32);
                            maker.access(points_to, &set(arg), (Some(4), Way::Writes), Some(word));
                        }
                    }
                }
                // What else touches memory takes or changes whole objects.
                ops!(data, scope, object, procedure, thread, section, remark, end)
                | Op::Claim(_)
                | Op::HavocMemory { .. }
                | Op::Choice(_) => {}
            }
        });
        maker.divide(division);
        maker.finish(points_to)
    }

    /// The region of a load or store of so many bytes, or of a copy of perhaps unknown length; none if it
    /// can touch nothing.
    pub fn of_access(&self, set: &TargetSet, bytes: Option<u64>) -> Option<Region> {
        if self.has_unknown || set.is_unknown() {
            return self.regions.keys().next();
        }
        touched(set, bytes, Way::Reads, |target| self.sizes[target]).find_map(|(target, offset)| {
            let (offset, bytes) = extent(offset, bytes);
            let met = self.of_target[target].iter().find(|(cell, _)| {
                let meeting = cell.offset.meeting(cell.bytes, offset, bytes);
                meeting.same || meeting.partial
            });
            met.map(|&(_, region)| region)
        })
    }

    /// The regions that an operation on so many bytes, or on any number of bytes, may touch. Ascending.
    pub fn of_range(&self, set: &TargetSet, bytes: Option<u64>) -> Vec<Region> {
        if self.has_unknown || set.is_unknown() {
            return self.regions.keys().collect();
        }
        let mut found: Vec<Region> = Vec::new();
        for &(target, offset) in set.places() {
            for &(cell, region) in &self.of_target[target] {
                if touches(cell, offset, bytes) {
                    found.push(region);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The regions in which bytes of an object are.
    pub fn of_object(&self, target: Target) -> Vec<Region> {
        if self.has_unknown {
            return self.regions.keys().collect();
        }
        self.of_target[target].iter().map(|&(_, region)| region).collect()
    }

    /// The cells of an object that are accessed as such, and the regions they are in.
    pub fn of_target(&self, target: Target) -> &[(Cell, Region)] {
        &self.of_target[target]
    }

    pub fn len(&self) -> usize {
        self.regions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.regions.is_empty()
    }

    /// All regions.
    pub fn iter(&self) -> impl Iterator<Item = (Region, &RegionData)> {
        self.regions.iter()
    }

    pub fn data(&self, region: Region) -> &RegionData {
        &self.regions[region]
    }
}

fn constant(program: &Program, term: Term) -> Option<u64> {
    program.terms.as_bv(term).and_then(|value| u64::try_from(value).ok())
}

/// Where an operation of perhaps unknown length may be: then, at any byte.
fn extent(offset: Offset, bytes: Option<u64>) -> (Offset, u64) {
    match bytes {
        Some(bytes) => (offset, bytes),
        None => (Offset::ANY, 1),
    }
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Reads,
    Writes,
}

/// The places that an access touches: those that it fits into, and all that it overlaps if it fits nowhere or changes
/// them. An access that does not fit is undefined; what it overlaps does not keep its contents, so that no proof follows
/// from it.
fn touched(
    set: &TargetSet,
    bytes: Option<u64>,
    way: Way,
    size: impl Fn(Target) -> Option<u64>,
) -> impl Iterator<Item = (Target, Offset)> {
    let fits = |target: Target, offset: Offset| {
        let (offset, bytes) = extent(offset, bytes);
        offset.fits(bytes, size(target))
    };
    let fits_somewhere = set.places().iter().any(|&(target, offset)| fits(target, offset));
    set.places().iter().copied().filter(move |&(target, offset)| {
        let (from, bytes) = extent(offset, bytes);
        match fits_somewhere && way == Way::Reads {
            true => from.fits(bytes, size(target)),
            false => from.overlaps(bytes, size(target)),
        }
    })
}

/// Whether an operation on a range may touch a cell.
fn touches(cell: Cell, start: Offset, bytes: Option<u64>) -> bool {
    let (Some(start), Some(at)) = (start.as_exact(), cell.offset.as_exact()) else { return true };
    let behind = at.saturating_add(i64::try_from(cell.bytes).unwrap_or(i64::MAX)) <= start;
    let before = bytes
        .is_some_and(|bytes| start.saturating_add(i64::try_from(bytes).unwrap_or(i64::MAX)) <= at);
    !behind && !before
}

#[derive(Default)]
struct Maker {
    cells: Vec<Cell>,
    numbers: FxHashMap<Cell, usize>,
    parents: Vec<usize>,
    by_target: SecondaryMap<Target, Vec<usize>>,
    is_mixed: Vec<bool>,
    /// As what each cell is accessed; none if as more than one sort of value, or by copies.
    sorts: Vec<Option<Sort>>,
    /// Ranges that are filled.
    ranges: Vec<(TargetSet, Option<u64>)>,
    has_unknown: bool,
}

impl Maker {
    fn find(&mut self, mut at: usize) -> usize {
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        let (low, high) = (a.min(b), a.max(b));
        self.parents[high] = low;
        self.is_mixed[low] |= self.is_mixed[high];
    }

    /// Adds the places of an access, all in one region; one of them, if there are any.
    fn access(
        &mut self,
        points_to: &PointsTo,
        set: &TargetSet,
        (bytes, way): (Option<u64>, Way),
        sort: Option<Sort>,
    ) -> Option<usize> {
        if set.is_unknown() {
            self.has_unknown = true;
        }
        let mut first = None;
        for (target, offset) in touched(set, bytes, way, |target| points_to.size(target)) {
            let (offset, bytes) = extent(offset, bytes);
            let number = self.cell(Cell { target, offset, bytes }, sort);
            match first {
                None => first = Some(number),
                Some(first) => self.unite(first, number),
            }
        }
        first
    }

    /// Puts together what is not to be told apart.
    fn divide(&mut self, division: Division) {
        if division.fields {
            return;
        }
        let mut of_sort: FxHashMap<Option<Sort>, usize> = FxHashMap::default();
        for number in 0..self.cells.len() {
            let sort = self.sorts[number].filter(|_| division.types);
            let first = *of_sort.entry(sort).or_insert(number);
            self.unite(first, number);
        }
    }

    fn cell(&mut self, cell: Cell, sort: Option<Sort>) -> usize {
        if let Some(&number) = self.numbers.get(&cell) {
            if self.sorts[number] != sort {
                self.sorts[number] = None;
            }
            return number;
        }
        let number = self.cells.len();
        self.cells.push(cell);
        self.parents.push(number);
        // What is copied is so as bytes, whatever it is. And neighbours in a pattern may overlap.
        let overlaps = cell.offset.stride() != 0 && cell.offset.stride() < cell.bytes;
        self.is_mixed.push(sort.is_none() || overlaps);
        self.sorts.push(sort);
        self.numbers.insert(cell, number);
        for other in self.by_target[cell.target].clone() {
            let there = self.cells[other];
            let meeting = cell.offset.meeting(cell.bytes, there.offset, there.bytes);
            if meeting.same || meeting.partial {
                self.unite(number, other);
                if meeting.partial || cell.bytes != there.bytes {
                    let root = self.find(number);
                    self.is_mixed[root] = true;
                }
            }
        }
        self.by_target[cell.target].push(number);
        number
    }

    fn finish(mut self, points_to: &PointsTo) -> Regions {
        if self.has_unknown {
            for number in 1..self.cells.len() {
                self.unite(0, number);
            }
            self.is_mixed.iter_mut().for_each(|is_mixed| *is_mixed = true);
        }
        // A range that ends inside of a cell changes a part of it.
        for (set, bytes) in std::mem::take(&mut self.ranges) {
            for (number, cell) in self.cells.clone().into_iter().enumerate() {
                if set.is_unknown() || set.places().iter().any(|&at| cuts(cell, at, bytes)) {
                    let root = self.find(number);
                    self.is_mixed[root] = true;
                }
            }
        }
        let mut regions: PrimaryMap<Region, RegionData> = PrimaryMap::new();
        let mut of_root: FxHashMap<usize, Region> = FxHashMap::default();
        let mut of_target: SecondaryMap<Target, Vec<(Cell, Region)>> = SecondaryMap::new();
        for number in 0..self.cells.len() {
            let root = self.find(number);
            let cell = self.cells[number];
            let region =
                *of_root.entry(root).or_insert_with(|| regions.push(RegionData::default()));
            regions[region].cells.push(cell);
            of_target[cell.target].push((cell, region));
        }
        for (&root, &region) in &of_root {
            let data = &mut regions[region];
            data.cells.sort_unstable();
            let bytes = data.cells.first().map(|cell| cell.bytes);
            let is_even = data.cells.iter().all(|cell| Some(cell.bytes) == bytes);
            data.is_uniform = is_even && !self.is_mixed[root];
        }
        let mut sizes = SecondaryMap::new();
        for (target, data) in points_to.objects.iter() {
            sizes[target] = data.size;
        }
        if regions.is_empty() && self.has_unknown {
            regions.push(RegionData::default());
        }
        Regions { regions, of_target, sizes, has_unknown: self.has_unknown }
    }
}

/// Whether a range may begin or end inside of a cell.
fn cuts(cell: Cell, (target, start): (Target, Offset), bytes: Option<u64>) -> bool {
    if target != cell.target || !touches(cell, start, bytes) {
        return false;
    }
    let is_inside = |boundary: Offset| cell.offset.meeting(cell.bytes, boundary, 1).partial;
    let end = match bytes.and_then(|bytes| i64::try_from(bytes).ok()) {
        Some(bytes) => start.plus(Offset::exact(bytes)),
        None => Offset::ANY,
    };
    is_inside(start) || is_inside(end)
}
