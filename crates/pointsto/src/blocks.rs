//! Blocks of memory for Steensgaard's analysis: a union-find in which objects keep their distances.
//!
//! A block has objects at positions and cells at offsets. When two blocks become one, because a pointer
//! may be to either, the one is moved so that the two places fall together. When two different offsets of
//! one block have to be the same, offsets are from then on told apart only up to a multiple of their
//! difference: the modulus of the block.

use std::collections::{BTreeMap, BTreeSet};

use ravelin_base::{PrimaryMap, entities};

use crate::constraint::Node;
use crate::flags::Flags;
use crate::object::Target;
use crate::offset::{Offset, gcd};

entities! {
    /// A block, or one that became part of another.
    pub(crate) struct Block("b");
}

/// An offset in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Point {
    pub(crate) block: Block,
    pub(crate) at: i64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct BlockData {
    /// 0 if all offsets are told apart.
    modulus: u64,
    /// What holds the pointer at an offset.
    cells: BTreeMap<i64, Node>,
    /// Where pointers are read or written. Without fields, the cells do not say.
    accesses: BTreeSet<i64>,
    objects: Vec<(Target, i64)>,
    /// Where something else than a pointer is written, and how many bytes.
    numbers: BTreeSet<(i64, u64)>,
    /// Where ranges begin or end that are filled or copied.
    cuts: BTreeSet<i64>,
    /// What pointers in the block may be that nothing in particular wrote.
    flags: Flags,
}

#[derive(Debug)]
pub(crate) struct Blocks {
    parents: PrimaryMap<Block, Option<(Block, i64)>>,
    data: PrimaryMap<Block, BlockData>,
    has_fields: bool,
    /// Holders that have become the same and are still to be united.
    pub(crate) to_unite: Vec<(Node, Node)>,
    /// Whether anything changed since this was last set to false.
    pub(crate) has_changed: bool,
}

/// Offsets beyond this, or more cells than this, are not kept apart.
const MAX_CELLS: usize = 1024;

impl Point {
    pub(crate) fn plus(self, by: i64) -> Point {
        Point { at: self.at.wrapping_add(by), ..self }
    }
}

impl Blocks {
    pub(crate) fn new(has_fields: bool) -> Blocks {
        Blocks {
            parents: PrimaryMap::new(),
            data: PrimaryMap::new(),
            has_fields,
            to_unite: Vec::new(),
            has_changed: false,
        }
    }

    /// A block with nothing in it.
    pub(crate) fn add(&mut self) -> Point {
        self.parents.push(None);
        Point { block: self.data.push(BlockData::default()), at: 0 }
    }

    /// A block with an object at its start.
    pub(crate) fn add_object(&mut self, target: Target, background: Flags) -> Point {
        let point = self.add();
        let data = &mut self.data[point.block];
        data.objects.push((target, 0));
        data.flags = background;
        point
    }

    /// The point in the block that it is part of now.
    pub(crate) fn find(&mut self, point: Point) -> Point {
        let (mut root, mut shift) = (point.block, 0i64);
        while let Some((parent, by)) = self.parents[root] {
            (root, shift) = (parent, shift.wrapping_add(by));
        }
        // Every block on the way is put right below its root.
        let (mut block, mut left) = (point.block, shift);
        while let Some((parent, by)) = self.parents[block] {
            self.parents[block] = Some((root, left));
            (block, left) = (parent, left.wrapping_sub(by));
        }
        let at = fold(point.at.wrapping_add(shift), self.data[root].modulus);
        Point { block: root, at }
    }

    fn root_data(&mut self, point: Point) -> (&mut BlockData, i64) {
        let Point { block, at } = self.find(point);
        (&mut self.data[block], at)
    }

    /// Makes two points one.
    pub(crate) fn unify(&mut self, a: Point, b: Point) {
        let (a, b) = (self.find(a), self.find(b));
        if a.block == b.block {
            if a.at != b.at {
                self.reduce(a, a.at.abs_diff(b.at));
            }
            return;
        }
        self.has_changed = true;
        // The smaller goes into the larger.
        let weight = |data: &BlockData| {
            data.objects.len() + data.cells.len() + data.numbers.len() + data.accesses.len()
        };
        let is_larger = weight(&self.data[a.block]) >= weight(&self.data[b.block]);
        let (into, from) = if is_larger { (a, b) } else { (b, a) };
        let shift = into.at.wrapping_sub(from.at);
        self.parents[from.block] = Some((into.block, shift));
        let old = std::mem::take(&mut self.data[from.block]);
        let data = &mut self.data[into.block];
        let modulus = gcd(data.modulus, old.modulus);
        let is_coarser = modulus != data.modulus;
        data.flags |= old.flags;
        let moved = |at: i64| fold(at.wrapping_add(shift), data.modulus);
        data.objects.extend(old.objects.iter().map(|&(t, at)| (t, at.wrapping_add(shift))));
        data.accesses.extend(old.accesses.iter().map(|&at| moved(at)));
        data.numbers.extend(old.numbers.iter().map(|&(at, width)| (moved(at), width)));
        data.cuts.extend(old.cuts.iter().map(|&at| moved(at)));
        for (&at, &node) in &old.cells {
            let at = if self.has_fields { moved(at) } else { 0 };
            insert_cell(&mut data.cells, at, node, &mut self.to_unite);
        }
        if is_coarser {
            self.reduce(into, modulus);
        }
        self.limit(into);
    }

    /// Makes offsets the same that differ by a multiple of `by`.
    pub(crate) fn reduce(&mut self, point: Point, by: u64) {
        let has_fields = self.has_fields;
        let root = self.find(point).block;
        let data = &mut self.data[root];
        let modulus = gcd(data.modulus, by);
        let is_folded = data.cells.keys().all(|&at| fold(at, modulus) == at);
        if modulus == data.modulus && is_folded {
            return;
        }
        self.has_changed = true;
        data.modulus = modulus;
        data.accesses = data.accesses.iter().map(|&at| fold(at, modulus)).collect();
        data.numbers = data.numbers.iter().map(|&(at, width)| (fold(at, modulus), width)).collect();
        data.cuts = data.cuts.iter().map(|&at| fold(at, modulus)).collect();
        if has_fields {
            for (at, node) in std::mem::take(&mut data.cells) {
                insert_cell(&mut data.cells, fold(at, modulus), node, &mut self.to_unite);
            }
        }
    }

    /// Gives up the distinction of offsets where there are too many.
    fn limit(&mut self, point: Point) {
        let data = &self.data[self.parents_root(point.block)];
        if data.accesses.len().max(data.numbers.len()).max(data.cuts.len()) > MAX_CELLS {
            self.reduce(point, 1);
        }
    }

    fn parents_root(&self, mut block: Block) -> Block {
        while let Some((parent, _)) = self.parents[block] {
            block = parent;
        }
        block
    }

    /// What holds the pointer at a point, if there is something.
    pub(crate) fn cell(&mut self, point: Point) -> Option<Node> {
        let has_fields = self.has_fields;
        let (data, at) = self.root_data(point);
        data.cells.get(&if has_fields { at } else { 0 }).copied()
    }

    pub(crate) fn set_cell(&mut self, point: Point, node: Node) {
        let has_fields = self.has_fields;
        let (data, at) = self.root_data(point);
        data.cells.insert(if has_fields { at } else { 0 }, node);
        self.has_changed = true;
    }

    pub(crate) fn add_access(&mut self, point: Point) {
        self.note(point, |data, at| data.accesses.insert(at));
    }

    pub(crate) fn add_number(&mut self, point: Point, width: u64) {
        self.note(point, |data, at| data.numbers.insert((at, width)));
    }

    pub(crate) fn add_cut(&mut self, point: Point) {
        self.note(point, |data, at| data.cuts.insert(at));
    }

    fn note(&mut self, point: Point, add: impl FnOnce(&mut BlockData, i64) -> bool) {
        let (data, at) = self.root_data(point);
        let is_new = add(data, at);
        self.has_changed |= is_new;
        self.limit(point);
    }

    pub(crate) fn add_flags(&mut self, point: Point, flags: Flags) {
        let (data, _) = self.root_data(point);
        let is_new = !data.flags.contains(flags);
        data.flags |= flags;
        self.has_changed |= is_new;
    }

    /// The block of a point as it is now.
    pub(crate) fn data(&mut self, point: Point) -> &BlockData {
        self.root_data(point).0
    }

    /// The blocks that are not part of others.
    pub(crate) fn roots(&self) -> Vec<Block> {
        self.parents.iter().filter(|(_, parent)| parent.is_none()).map(|(block, _)| block).collect()
    }
}

impl BlockData {
    /// The objects with their positions.
    pub(crate) fn objects(&self) -> &[(Target, i64)] {
        &self.objects
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = (i64, Node)> + '_ {
        self.cells.iter().map(|(&at, &node)| (at, node))
    }

    pub(crate) fn accesses(&self) -> impl Iterator<Item = i64> + '_ {
        self.accesses.iter().copied()
    }

    pub(crate) fn numbers(&self) -> impl Iterator<Item = (i64, u64)> + '_ {
        self.numbers.iter().copied()
    }

    pub(crate) fn cuts(&self) -> impl Iterator<Item = i64> + '_ {
        self.cuts.iter().copied()
    }

    pub(crate) fn flags(&self) -> Flags {
        self.flags
    }

    pub(crate) fn modulus(&self) -> u64 {
        self.modulus
    }

    /// An offset of the block as one of an object at `position` in it.
    pub(crate) fn offset_from(&self, at: i64, position: i64) -> Offset {
        Offset::every(self.modulus, at.wrapping_sub(position))
    }

    /// Whether a pointer of so many bytes at this offset may be overwritten in part.
    pub(crate) fn is_mixed(&self, at: i64, bytes: u64) -> bool {
        let here = Offset::every(self.modulus, at);
        let there = |at: i64| Offset::every(self.modulus, at);
        if self.modulus != 0 && self.modulus < bytes {
            return true;
        }
        // Where nothing wraps around, only what is near can meet.
        let near = |at: i64| {
            if self.modulus == 0 {
                at.saturating_sub(64)..=at.saturating_add(64)
            } else {
                i64::MIN..=i64::MAX
            }
        };
        self.accesses.range(near(at)).any(|&other| here.meeting(bytes, there(other), bytes).partial)
            || self.cuts.range(near(at)).any(|&cut| here.meeting(bytes, there(cut), 1).partial)
            || self.numbers.range((*near(at).start(), 0)..=(*near(at).end(), u64::MAX)).any(
                |&(other, width)| {
                    let meeting = here.meeting(bytes, there(other), width);
                    meeting.same || meeting.partial
                },
            )
    }
}

fn fold(at: i64, modulus: u64) -> i64 {
    match i64::try_from(modulus) {
        Ok(0) | Err(_) => at,
        Ok(modulus) => at.rem_euclid(modulus),
    }
}

fn insert_cell(
    cells: &mut BTreeMap<i64, Node>,
    at: i64,
    node: Node,
    to_unite: &mut Vec<(Node, Node)>,
) {
    match cells.get(&at) {
        Some(&old) if old != node => to_unite.push((old, node)),
        Some(_) => {}
        None => {
            cells.insert(at, node);
        }
    }
}
