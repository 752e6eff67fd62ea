//! The cells of memory that Andersen's analysis knows: where something is written, where read.

use ravelin_base::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::constraint::{CopySize, Node};
use crate::flags::Flags;
use crate::object::{Objects, Target};
use crate::offset::Offset;

/// A range of bytes with contents that are no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Piece {
    pub(crate) offset: Offset,
    pub(crate) size: CopySize,
    pub(crate) flags: Flags,
}

/// A copy from one place to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Link {
    pub(crate) dst: (Target, Offset),
    pub(crate) src: (Target, Offset),
    pub(crate) size: CopySize,
}

impl CopySize {
    pub(crate) fn from_size(size: Option<u64>) -> CopySize {
        size.map_or(CopySize::Unknown, CopySize::Bytes)
    }
}

impl Piece {
    /// Unknown bytes from an offset on, as many as there may be.
    pub(crate) fn unknown_from(offset: Offset) -> Piece {
        Piece { offset, size: CopySize::Unknown, flags: Flags::UNKNOWN }
    }

    /// Whether any of the bytes may be in an object of this size.
    pub(crate) fn is_inside(&self, size: Option<u64>) -> bool {
        let (start, end) = self.bounds();
        let is_behind = start
            .zip(size)
            .is_some_and(|(start, size)| u64::try_from(start).is_ok_and(|start| start >= size));
        !is_behind && end.is_none_or(|end| end > 0)
    }

    /// The first byte and the one behind the last, as far as they are known.
    fn bounds(&self) -> (Option<i64>, Option<i64>) {
        match (self.offset.as_exact(), self.size) {
            (Some(at), CopySize::Bytes(size)) => {
                (Some(at), Some(at.saturating_add(i64::try_from(size).unwrap_or(i64::MAX))))
            }
            (at, CopySize::Bytes(_) | CopySize::Unknown | CopySize::All) => (at, None),
        }
    }

    /// What a pointer may be that is read at `from`, because of this.
    pub(crate) fn flags_at(&self, from: Offset, bytes: u64) -> Flags {
        let (start, end) = self.bounds();
        // Where both are single numbers it is plain.
        if let Some(read) = from.as_exact() {
            let after = read.saturating_add(i64::try_from(bytes).unwrap_or(i64::MAX));
            if start.is_some_and(|start| after <= start) || end.is_some_and(|end| read >= end) {
                return Flags::NONE;
            }
        }
        if self.size == CopySize::All {
            return self.flags;
        }
        // A boundary inside of the pointer makes a mixture of it.
        let is_cut = |boundary: Offset| from.meeting(bytes, boundary, 1).partial;
        let ends = match self.size {
            CopySize::Bytes(size) => {
                self.offset.plus(Offset::exact(i64::try_from(size).unwrap_or(i64::MAX)))
            }
            CopySize::Unknown | CopySize::All => Offset::ANY,
        };
        if is_cut(self.offset) || is_cut(ends) { Flags::UNKNOWN } else { self.flags }
    }
}

impl Link {
    /// Where a cell of the source comes to be.
    pub(crate) fn moved(&self, at: Offset) -> Offset {
        at.minus(self.src.1).plus(self.dst.1)
    }

    /// The first and the last byte that are copied, as far as they are known.
    fn bounds(&self) -> (Option<i64>, Option<i64>) {
        let start = self.src.1.as_exact();
        let end = match (start, self.size) {
            (Some(start), CopySize::Bytes(size)) => {
                Some(start.saturating_add(i64::try_from(size).unwrap_or(i64::MAX)))
            }
            (_, CopySize::Bytes(_) | CopySize::Unknown | CopySize::All) => None,
        };
        (start, end)
    }

    /// Whether some bytes of a cell of the source may be copied.
    pub(crate) fn may_take(&self, at: Offset, width: u64) -> bool {
        let Some(at) = at.as_exact() else { return true };
        let (start, end) = self.bounds();
        let after = at.saturating_add(i64::try_from(width).unwrap_or(i64::MAX));
        start.is_none_or(|start| after > start) && end.is_none_or(|end| at < end)
    }

    /// Whether all bytes of the cell are copied if any is.
    pub(crate) fn takes_whole(&self, at: Offset, width: u64) -> bool {
        if self.size == CopySize::All {
            return true;
        }
        let is_cut = |boundary: Offset| at.meeting(width, boundary, 1).partial;
        let end = match self.size {
            CopySize::Bytes(size) => {
                self.src.1.plus(Offset::exact(i64::try_from(size).unwrap_or(i64::MAX)))
            }
            CopySize::Unknown | CopySize::All => Offset::ANY,
        };
        !is_cut(self.src.1) && !is_cut(end)
    }
}

/// The cells of one object.
#[derive(Clone, Debug, Default)]
struct ObjectCells {
    reads: Vec<(Node, Offset)>,
    writes: Vec<(Node, Offset, u64)>,
    pieces: Vec<Piece>,
    /// The copies from this object.
    links: Vec<Link>,
    /// Where fields are not told apart: what any pointer in the object may be.
    whole: Option<Node>,
    /// Whether functions without body reach it.
    is_reached: bool,
}

#[derive(Debug)]
pub(crate) struct Cells {
    objects: SecondaryMap<Target, ObjectCells>,
    reads: FxHashMap<(Target, Offset), Node>,
    writes: FxHashMap<(Target, Offset, u64), Node>,
    seen_pieces: FxHashSet<(Target, Piece)>,
    seen_links: FxHashSet<Link>,
}

/// So many cells of an object are told apart; what comes after may be anywhere in it.
const MAX_CELLS: usize = 128;

impl Cells {
    pub(crate) fn new(count: usize) -> Cells {
        Cells {
            objects: SecondaryMap::with_capacity(count),
            reads: FxHashMap::default(),
            writes: FxHashMap::default(),
            seen_pieces: FxHashSet::default(),
            seen_links: FxHashSet::default(),
        }
    }

    /// The offset, or any offset if there are too many.
    pub(crate) fn bounded(&self, target: Target, offset: Offset) -> Offset {
        let cells = &self.objects[target];
        let is_full = cells.reads.len().max(cells.writes.len()) >= MAX_CELLS;
        if is_full { Offset::ANY } else { offset }
    }

    pub(crate) fn find_read(&self, target: Target, offset: Offset) -> Option<Node> {
        let offset = self.bounded_lookup(target, offset, |o| self.reads.contains_key(&(target, o)));
        self.reads.get(&(target, offset)).copied()
    }

    pub(crate) fn find_write(&self, target: Target, offset: Offset, width: u64) -> Option<Node> {
        let is_known = |o| self.writes.contains_key(&(target, o, width));
        let offset = self.bounded_lookup(target, offset, is_known);
        self.writes.get(&(target, offset, width)).copied()
    }

    fn bounded_lookup(
        &self,
        target: Target,
        offset: Offset,
        is_known: impl Fn(Offset) -> bool,
    ) -> Offset {
        if is_known(offset) { offset } else { self.bounded(target, offset) }
    }

    pub(crate) fn add_read(&mut self, target: Target, offset: Offset, node: Node) {
        self.reads.insert((target, offset), node);
        self.objects[target].reads.push((node, offset));
    }

    pub(crate) fn add_write(&mut self, target: Target, offset: Offset, width: u64, node: Node) {
        self.writes.insert((target, offset, width), node);
        self.objects[target].writes.push((node, offset, width));
    }

    pub(crate) fn reads(&self, target: Target) -> &[(Node, Offset)] {
        &self.objects[target].reads
    }

    pub(crate) fn writes(&self, target: Target) -> &[(Node, Offset, u64)] {
        &self.objects[target].writes
    }

    pub(crate) fn pieces(&self, target: Target) -> &[Piece] {
        &self.objects[target].pieces
    }

    pub(crate) fn links(&self, target: Target) -> &[Link] {
        &self.objects[target].links
    }

    /// Whether the piece is new.
    pub(crate) fn add_piece(&mut self, target: Target, piece: Piece) -> bool {
        let pieces = &mut self.objects[target].pieces;
        let piece = if pieces.len() < MAX_CELLS { piece } else { Piece::unknown_from(Offset::ANY) };
        let is_new = self.seen_pieces.insert((target, piece));
        if is_new {
            pieces.push(piece);
        }
        is_new
    }

    /// Whether the copy is new; if so, what its source holds where nothing was written.
    pub(crate) fn add_link(&mut self, link: &Link, objects: &Objects) -> Option<Flags> {
        if !self.seen_links.insert(*link) {
            return None;
        }
        let (src, _) = link.src;
        self.objects[src].links.push(*link);
        Some(objects.data(src).background)
    }

    pub(crate) fn whole(&self, target: Target) -> Option<Node> {
        self.objects[target].whole
    }

    pub(crate) fn set_whole(&mut self, target: Target, node: Node) {
        self.objects[target].whole = Some(node);
    }

    /// Notes that functions without body reach the object; whether that is new.
    pub(crate) fn reach(&mut self, target: Target) -> bool {
        !std::mem::replace(&mut self.objects[target].is_reached, true)
    }

    pub(crate) fn is_reached(&self, target: Target) -> bool {
        self.objects[target].is_reached
    }

    /// All cells that are read or written, in order: object, offset, the node that is read there.
    pub(crate) fn all_reads(&self) -> Vec<(Target, Offset, Node)> {
        let mut all: Vec<_> =
            self.reads.iter().map(|(&(target, offset), &node)| (target, offset, node)).collect();
        all.sort_unstable_by_key(|&(target, offset, _)| (target, offset));
        all
    }

    pub(crate) fn all_writes(&self) -> Vec<(Target, Offset, u64, Node)> {
        let writes = self.writes.iter();
        let mut all: Vec<_> =
            writes.map(|(&(target, offset, width), &node)| (target, offset, width, node)).collect();
        all.sort_unstable_by_key(|&(target, offset, width, _)| (target, offset, width));
        all
    }
}
