//! The bytes of an object: which have a value, and which belong to a stored pointer.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::value::{Bits, ObjectRef};

/// Up to this size an object is one block; beyond it is made of pages that appear when written.
const BLOCK_LIMIT: u64 = 1 << 16;
const PAGE: u64 = 1 << 12;

/// A byte without a value yet: where the indeterminate byte first was. Copies of it have the same
/// value, whichever is read first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct UnknownByte {
    pub(crate) object: ObjectRef,
    pub(crate) offset: u64,
    /// How often the object had lost its values before.
    round: u32,
}

/// What bytes hold that nothing wrote to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Background {
    Zero,
    Indeterminate,
}

#[derive(Clone, Debug)]
pub(crate) struct Contents {
    store: Store,
    /// Pointers that were stored whole, by offset. Their bytes are the address; this is the object
    /// they came from.
    pointers: BTreeMap<u64, Bits>,
    /// Bytes without a value that were copied from elsewhere.
    aliases: BTreeMap<u64, UnknownByte>,
    /// Whether bytes without a value were copied to elsewhere.
    pub(crate) lends_unknowns: bool,
    /// How often all bytes lost their values.
    round: u32,
}

#[derive(Clone, Debug)]
enum Store {
    Block(Block),
    Pages(Pages),
}

/// Pages that appear when they are written.
#[derive(Clone, Debug)]
struct Pages {
    pages: BTreeMap<u64, Rc<Block>>,
    background: Background,
    /// How many were made for one place: a fill shares one page among many.
    owned: u64,
}

#[derive(Clone, Debug)]
struct Block {
    bytes: Box<[u8]>,
    /// A bit per byte without a value; empty if all have one.
    unset: Box<[u64]>,
    unset_count: u32,
}

/// A range of bytes on its way from one object to another.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    bytes: Vec<u8>,
    /// Which of the bytes have no value, and whence they come.
    unknowns: Vec<(u64, UnknownByte)>,
    pointers: Vec<(u64, Bits)>,
}

impl Block {
    fn new(size: u64, background: Background) -> Self {
        let size = size as usize;
        let (unset, unset_count) = match background {
            Background::Zero => (Box::default(), 0),
            Background::Indeterminate => {
                (vec![u64::MAX; size.div_ceil(64)].into_boxed_slice(), size as u32)
            }
        };
        Block { bytes: vec![0; size].into_boxed_slice(), unset, unset_count }
    }

    fn is_unset(&self, offset: usize) -> bool {
        self.unset_count > 0 && self.unset[offset / 64] >> (offset % 64) & 1 == 1
    }

    fn all_set(&self, offset: usize, length: usize) -> bool {
        self.unset_count == 0 || (offset..offset + length).all(|at| !self.is_unset(at))
    }

    fn mark_set(&mut self, offset: usize, length: usize) {
        if self.unset_count == 0 {
            return;
        }
        for at in offset..offset + length {
            let bit = 1 << (at % 64);
            if self.unset[at / 64] & bit != 0 {
                self.unset[at / 64] &= !bit;
                self.unset_count -= 1;
            }
        }
        if self.unset_count == 0 {
            self.unset = Box::default();
        }
    }

    fn mark_unset(&mut self, offset: usize) {
        if self.unset.is_empty() {
            self.unset = vec![0; self.bytes.len().div_ceil(64)].into_boxed_slice();
        }
        let bit = 1 << (offset % 64);
        if self.unset[offset / 64] & bit == 0 {
            self.unset[offset / 64] |= bit;
            self.unset_count += 1;
        }
        self.bytes[offset] = 0;
    }

    fn write(&mut self, offset: usize, bytes: &[u8]) {
        self.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        self.mark_set(offset, bytes.len());
    }
}

impl Pages {
    /// The page with this index, to be changed.
    fn page(&mut self, index: u64) -> &mut Block {
        let Pages { pages, background, owned } = self;
        let page = pages.entry(index).or_insert_with(|| {
            *owned += 1;
            Rc::new(Block::new(PAGE, *background))
        });
        if Rc::strong_count(page) > 1 {
            *owned += 1;
        }
        Rc::make_mut(page)
    }
}

impl Contents {
    /// The caller checks all offsets against the size.
    pub(crate) fn new(size: u64, background: Background) -> Self {
        let store = if size <= BLOCK_LIMIT {
            Store::Block(Block::new(size, background))
        } else {
            Store::Pages(Pages { pages: BTreeMap::new(), background, owned: 0 })
        };
        Contents {
            store,
            pointers: BTreeMap::new(),
            aliases: BTreeMap::new(),
            lends_unknowns: false,
            round: 0,
        }
    }

    /// Whether no byte of these has a value, or ever had one.
    pub(crate) fn is_open(&self, size: u64) -> bool {
        let is_unset = match &self.store {
            Store::Block(block) => u64::from(block.unset_count) == size,
            Store::Pages(pages) => {
                pages.pages.is_empty() && pages.background == Background::Indeterminate
            }
        };
        is_unset && self.aliases.is_empty() && !self.lends_unknowns
    }

    /// From here on, no byte has a value. Copies of bytes without value stay what they are.
    pub(crate) fn open(&mut self, size: u64) {
        let round = self.round + 1;
        *self = Contents { round, ..Contents::new(size, Background::Indeterminate) };
    }

    /// About how many bytes the interpreter needs for this.
    pub(crate) fn footprint(&self) -> u64 {
        match &self.store {
            Store::Block(block) => block.bytes.len() as u64,
            // Entries of the table are some 32 bytes each.
            Store::Pages(Pages { pages, owned, .. }) => owned * PAGE + pages.len() as u64 * 32,
        }
    }

    /// The value of up to 16 bytes; `None` if one of them has none.
    pub(crate) fn read(&self, offset: u64, length: u64) -> Option<Bits> {
        let mut buffer = [0; 16];
        match &self.store {
            Store::Block(block) => {
                let (at, length) = (offset as usize, length as usize);
                if !block.all_set(at, length) {
                    return None;
                }
                buffer[..length].copy_from_slice(&block.bytes[at..at + length]);
            }
            Store::Pages(_) => {
                for (index, byte) in buffer[..length as usize].iter_mut().enumerate() {
                    *byte = self.byte(offset + index as u64)?;
                }
            }
        }
        Some(u128::from_le_bytes(buffer))
    }

    /// The value of one byte, if it has one.
    pub(crate) fn byte(&self, offset: u64) -> Option<u8> {
        match &self.store {
            Store::Block(block) => {
                let at = offset as usize;
                (!block.is_unset(at)).then(|| block.bytes[at])
            }
            Store::Pages(Pages { pages, background, .. }) => match pages.get(&(offset / PAGE)) {
                Some(page) => {
                    let at = (offset % PAGE) as usize;
                    (!page.is_unset(at)).then(|| page.bytes[at])
                }
                None => match background {
                    Background::Zero => Some(0),
                    Background::Indeterminate => None,
                },
            },
        }
    }

    /// The pointer that was stored whole at `offset` and not overwritten since.
    pub(crate) fn pointer(&self, offset: u64) -> Option<Bits> {
        if self.pointers.is_empty() { None } else { self.pointers.get(&offset).copied() }
    }

    /// Where the byte without value at `offset` of `object`, whose contents these are, came from.
    pub(crate) fn unknown(&self, object: ObjectRef, offset: u64) -> UnknownByte {
        self.aliases.get(&offset).copied().unwrap_or(UnknownByte {
            object,
            offset,
            round: self.round,
        })
    }

    pub(crate) fn has_aliases(&self) -> bool {
        !self.aliases.is_empty()
    }

    /// Writes the low `length` bytes, at most 16, of `bits`.
    pub(crate) fn write(&mut self, offset: u64, length: u64, bits: Bits, pointer_bytes: u64) {
        self.forget(offset, length, pointer_bytes);
        self.write_bytes(offset, &bits.to_le_bytes()[..length as usize]);
    }

    /// Writes the address of a pointer and remembers the pointer.
    pub(crate) fn write_pointer(
        &mut self,
        offset: u64,
        address: u64,
        pointer: Bits,
        pointer_bytes: u64,
    ) {
        self.write(offset, pointer_bytes, address.into(), pointer_bytes);
        self.pointers.insert(offset, pointer);
    }

    /// Sets bytes; the caller keeps pointers and aliases in order.
    pub(crate) fn write_bytes(&mut self, offset: u64, bytes: &[u8]) {
        match &mut self.store {
            Store::Block(block) => block.write(offset as usize, bytes),
            Store::Pages(pages) => {
                let (mut offset, mut rest) = (offset, bytes);
                while !rest.is_empty() {
                    let at = offset % PAGE;
                    let (now, later) = rest.split_at(rest.len().min((PAGE - at) as usize));
                    pages.page(offset / PAGE).write(at as usize, now);
                    offset += now.len() as u64;
                    rest = later;
                }
            }
        }
    }

    /// Sets `length` bytes to one value. Whole pages share one block.
    pub(crate) fn fill(&mut self, offset: u64, length: u64, byte: u8, pointer_bytes: u64) {
        self.forget(offset, length, pointer_bytes);
        match &mut self.store {
            Store::Block(block) => {
                let at = offset as usize;
                block.bytes[at..at + length as usize].fill(byte);
                block.mark_set(at, length as usize);
            }
            Store::Pages(pages) => {
                let mut whole = None;
                let (mut offset, end) = (offset, offset + length);
                while offset < end {
                    let (index, at) = (offset / PAGE, offset % PAGE);
                    let now = (PAGE - at).min(end - offset);
                    if now == PAGE {
                        let page = whole.get_or_insert_with(|| {
                            let mut page = Block::new(PAGE, Background::Zero);
                            page.bytes.fill(byte);
                            Rc::new(page)
                        });
                        pages.pages.insert(index, Rc::clone(page));
                    } else {
                        let page = pages.page(index);
                        page.bytes[at as usize..(at + now) as usize].fill(byte);
                        page.mark_set(at as usize, now as usize);
                    }
                    offset += now;
                }
            }
        }
    }

    /// Forgets the pointers and aliases that overlap a range that is about to be overwritten.
    fn forget(&mut self, offset: u64, length: u64, pointer_bytes: u64) {
        if !self.pointers.is_empty() {
            let first = offset.saturating_sub(pointer_bytes - 1);
            while let Some((&at, _)) = self.pointers.range(first..offset + length).next() {
                self.pointers.remove(&at);
            }
        }
        if !self.aliases.is_empty() {
            while let Some((&at, _)) = self.aliases.range(offset..offset + length).next() {
                self.aliases.remove(&at);
            }
        }
    }

    /// A copy of a range, as it is: pointers with their objects, bytes without value without.
    pub(crate) fn copy_out(
        &self,
        object: ObjectRef,
        offset: u64,
        length: u64,
        pointer_bytes: u64,
    ) -> Piece {
        let (mut bytes, mut unknowns) = (Vec::with_capacity(length as usize), Vec::new());
        let whole = match &self.store {
            Store::Block(block) => block.all_set(offset as usize, length as usize).then_some(block),
            Store::Pages(_) => None,
        };
        if let Some(block) = whole {
            bytes.extend_from_slice(&block.bytes[offset as usize..(offset + length) as usize]);
        } else {
            for at in offset..offset + length {
                let byte = self.byte(at);
                if byte.is_none() {
                    unknowns.push((at - offset, self.unknown(object, at)));
                }
                bytes.push(byte.unwrap_or(0));
            }
        }
        let pointers = self
            .pointers
            .range(offset..offset + length)
            .filter(|&(&at, _)| at + pointer_bytes <= offset + length)
            .map(|(&at, &pointer)| (at - offset, pointer))
            .collect();
        Piece { bytes, unknowns, pointers }
    }

    /// Writes a range that was copied out.
    pub(crate) fn copy_in(&mut self, offset: u64, piece: &Piece, pointer_bytes: u64) {
        self.forget(offset, piece.bytes.len() as u64, pointer_bytes);
        self.write_bytes(offset, &piece.bytes);
        for &(at, origin) in &piece.unknowns {
            self.write_unknown(offset + at, origin);
        }
        self.pointers.extend(piece.pointers.iter().map(|&(at, pointer)| (at + offset, pointer)));
    }

    fn write_unknown(&mut self, offset: u64, origin: UnknownByte) {
        match &mut self.store {
            Store::Block(block) => block.mark_unset(offset as usize),
            Store::Pages(pages) => {
                pages.page(offset / PAGE).mark_unset((offset % PAGE) as usize);
            }
        }
        self.aliases.insert(offset, origin);
    }

    /// The pointers that were stored whole, by offset.
    pub(crate) fn stored_pointers(&self) -> impl Iterator<Item = (u64, Bits)> + '_ {
        self.pointers.iter().map(|(&offset, &pointer)| (offset, pointer))
    }

    /// All stored pointers.
    pub(crate) fn pointers(&self) -> impl Iterator<Item = Bits> + '_ {
        self.pointers.values().copied()
    }

    /// The objects whose bytes without value were copied here.
    pub(crate) fn alias_objects(&self) -> impl Iterator<Item = ObjectRef> + '_ {
        self.aliases.values().map(|origin| origin.object)
    }
}

impl Piece {
    pub(crate) fn has_unknowns(&self) -> bool {
        !self.unknowns.is_empty()
    }
}

impl Hash for Block {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bytes.hash(state);
        self.unset_count.hash(state);
        if self.unset_count > 0 {
            // Bits beyond the end depend on how the block came to be.
            for at in (0..self.bytes.len()).filter(|&at| self.is_unset(at)) {
                at.hash(state);
            }
        }
    }
}

impl Hash for Contents {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.store {
            Store::Block(block) => block.hash(state),
            Store::Pages(Pages { pages, background, owned: _ }) => {
                background.hash(state);
                pages.hash(state);
            }
        }
        self.pointers.hash(state);
        self.aliases.hash(state);
        self.lends_unknowns.hash(state);
        self.round.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value;

    const SIZES: [u64; 2] = [64, 1 << 28];

    #[test]
    fn bytes_are_little_endian_and_remember_whether_they_were_written() {
        for size in SIZES {
            let mut contents = Contents::new(size, Background::Indeterminate);
            assert_eq!(contents.read(8, 4), None);
            contents.write(8, 4, 0x0102_0304, 8);
            assert_eq!(contents.read(8, 4), Some(0x0102_0304));
            assert_eq!(contents.read(9, 1), Some(3));
            assert_eq!(contents.read(9, 4), None);
            assert_eq!(contents.byte(12), None);
        }
    }

    #[test]
    fn large_objects_cost_only_what_is_written() {
        let mut contents = Contents::new(1 << 40, Background::Zero);
        contents.write((1 << 39) - 2, 4, 0xaabb_ccdd, 8);
        assert_eq!(contents.read((1 << 39) - 2, 4), Some(0xaabb_ccdd));
        assert_eq!(contents.read(1 << 20, 16), Some(0));
        contents.fill(4000, 1 << 20, 0x55, 8);
        assert_eq!(contents.read(3999, 2), Some(0x5500));
        assert_eq!(contents.read(4000 + (1 << 20) - 1, 2), Some(0x0055));
        assert_eq!(contents.read(500_000, 2), Some(0x5555));
        contents.write(500_000, 1, 0, 8);
        assert_eq!(contents.read(499_999, 3), Some(0x55_0055));
        assert_eq!(contents.read(500_000 + PAGE, 1), Some(0x55));
    }

    #[test]
    fn a_stored_pointer_lasts_until_one_of_its_bytes_is_overwritten() {
        for size in SIZES {
            let mut contents = Contents::new(size, Background::Zero);
            let pointer = value::pointer(ObjectRef::new(7, 0), 4);
            contents.write_pointer(16, 0x1234, pointer, 8);
            assert_eq!(contents.pointer(16), Some(pointer));
            assert_eq!(contents.pointer(17), None);
            contents.write(24, 1, 1, 8);
            contents.write(15, 1, 1, 8);
            assert_eq!(contents.pointer(16), Some(pointer));
            contents.write(23, 1, 0, 8);
            assert_eq!(contents.pointer(16), None);
            assert_eq!(contents.read(16, 8), Some(0x1234));
        }
    }

    #[test]
    fn copies_keep_pointers_and_unknown_bytes() {
        let (from, pointer) = (ObjectRef::new(3, 0), value::pointer(ObjectRef::new(7, 0), 0));
        let mut source = Contents::new(32, Background::Indeterminate);
        source.write_pointer(8, 0x1234, pointer, 8);
        let piece = source.copy_out(from, 6, 12, 8);
        assert!(piece.has_unknowns());
        let mut target = Contents::new(32, Background::Zero);
        target.copy_in(0, &piece, 8);
        assert_eq!(target.pointer(2), Some(pointer));
        assert_eq!(target.byte(0), None);
        let here = ObjectRef::new(4, 0);
        assert_eq!(target.unknown(here, 0), UnknownByte { object: from, offset: 6, round: 0 });
        // Half a pointer is no pointer.
        let half = source.copy_out(from, 8, 4, 8);
        target.copy_in(16, &half, 8);
        assert_eq!(target.pointer(16), None);
        assert_eq!(target.read(16, 4), Some(0x1234));
    }
}
