//! Memory in parts, such that every load and store touches one part only.
//!
//! Two accesses that may touch a common byte are in one region, and so are all places that one access may
//! be. What is in different regions can be kept in different memories. An operation on many bytes may
//! touch several regions.

use ravelin_base::{PrimaryMap, SecondaryMap, entity_impl};
use ravelin_cfa::{Op, Program, Term};
use rustc_hash::FxHashMap;

use crate::object::{Target, for_each_label};
use crate::offset::Offset;
use crate::result::{PointsTo, TargetSet};

/// A part of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Region(u32);
entity_impl!(Region, "r");

/// So many bytes at an offset of an object that some load or store touches.
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
    /// The finest division that all loads and stores of the procedures that are reached allow.
    pub fn new(program: &Program, points_to: &PointsTo) -> Regions {
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
                    let bytes = program.bytes_of(program.vars[*dst].sort).unwrap_or(1);
                    maker.access(points_to, &set(*addr), bytes);
                }
                Op::Store { addr, value, order: _ } => {
                    let bytes = program.bytes_of(program.terms.sort(*value)).unwrap_or(1);
                    maker.access(points_to, &set(*addr), bytes);
                }
                Op::Copy { dst, src, size } => {
                    let size = constant(program, *size);
                    maker.ranges.extend([(set(*dst), size), (set(*src), size)]);
                }
                Op::Fill { dst, byte: _, size } => {
                    maker.ranges.push((set(*dst), constant(program, *size)));
                }
                // What else touches memory takes or changes whole objects.
                Op::Skip
                | Op::Assume(_)
                | Op::Assign { .. }
                | Op::Havoc { .. }
                | Op::HavocMemory { .. }
                | Op::ScopeBegin(_)
                | Op::ScopeEnd(_)
                | Op::Alloc { .. }
                | Op::Realloc { .. }
                | Op::Free { .. }
                | Op::Call { .. }
                | Op::Return { .. }
                | Op::Start { .. }
                | Op::Join { .. }
                | Op::ThreadExit { .. }
                | Op::ThreadSelf { .. }
                | Op::Sync { .. }
                | Op::AtomicBegin
                | Op::AtomicEnd
                | Op::Print { .. }
                | Op::Error(_)
                | Op::Exit { .. }
                | Op::Abort
                | Op::Unsupported { .. }
                | Op::Choice(_) => {}
            }
        });
        maker.finish(points_to)
    }

    /// The region of a load or store of so many bytes; none if it can touch nothing.
    pub fn of_access(&self, set: &TargetSet, bytes: u64) -> Option<Region> {
        if self.has_unknown || set.is_unknown() {
            return self.regions.keys().next();
        }
        set.places().iter().find_map(|&(target, offset)| {
            if !offset.fits(bytes, self.sizes[target]) {
                return None;
            }
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

    fn access(&mut self, points_to: &PointsTo, set: &TargetSet, bytes: u64) {
        if set.is_unknown() {
            self.has_unknown = true;
        }
        let mut first = None;
        for &(target, offset) in set.places() {
            if !offset.fits(bytes, points_to.size(target)) {
                continue;
            }
            let number = self.cell(Cell { target, offset, bytes });
            match first {
                None => first = Some(number),
                Some(first) => self.unite(first, number),
            }
        }
    }

    fn cell(&mut self, cell: Cell) -> usize {
        if let Some(&number) = self.numbers.get(&cell) {
            return number;
        }
        let number = self.cells.len();
        self.cells.push(cell);
        self.parents.push(number);
        self.is_mixed.push(false);
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
