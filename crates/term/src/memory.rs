//! Memory: a read passes the writes below it as long as their places are known.
//!
//! The rules, each exact:
//! - a write to bytes other than those read is skipped;
//! - a read of bytes from one write is the value, or bits of it;
//! - a read of bytes from several writes is composed of their values;
//! - a choice of memories or pointers becomes a choice of values.
//!
//! If a write may or may not overlap the bytes that are read, the read stays above that write.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::pointer::Place;
use crate::{BinOp, Overlap, Sort, Term, TermKind, TermPool, UnOp, term_kinds};

/// The maximum number of pointers in a choice into which reads are moved.
const MAX_POINTERS: usize = 8;

/// The maximum nesting of choices of memories into which reads are moved.
pub(crate) const MAX_CHOICES: u8 = 32;

/// How many writes down a write searches for one that it overwrites.
const VOID_WRITES_HORIZON: usize = 32;

/// A read that moves down through writes.
struct Reader {
    pointer: Term,
    place: Place,
    sort: Sort,
    /// By memory and piece. Memories share their lower parts.
    done: FxHashMap<(Term, Piece), Found>,
}

/// A range of the bytes that are read.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Piece {
    start: u16,
    length: u16,
}

#[derive(Clone, Copy)]
struct Found {
    /// Of the reader's sort if the piece is the whole value, else a bit-vector.
    value: Term,
    /// Whether it contains a read that could not pass a write.
    is_stuck: bool,
}

impl TermPool {
    /// The value of sort `sort` in `mem` at `pointer`, simplified.
    ///
    /// # Panics
    /// If `mem` is not a memory, `pointer` not a pointer, or a value of `sort` cannot be in memory.
    pub fn read(&mut self, mem: Term, pointer: Term, sort: Sort) -> Term {
        assert_eq!(self.sort(mem), Sort::Mem, "reads are from a memory");
        assert_eq!(self.sort(pointer), Sort::Ptr, "reads are at a pointer");
        let length = self.size_in_memory(sort);
        if let Some((cond, a, b)) = self.choice_of_pointers(pointer) {
            let (a, b) = (self.read(mem, a, sort), self.read(mem, b, sort));
            return self.ite(cond, a, b);
        }
        let place = self.place(pointer);
        let mut reader = Reader { pointer, place, sort, done: FxHashMap::default() };
        self.find(mem, &mut reader, Piece { start: 0, length }).value
    }

    /// `mem` with `value` at `pointer`, simplified.
    ///
    /// # Panics
    /// If `mem` is not a memory, `pointer` not a pointer, or `value` cannot be in memory.
    pub fn write(&mut self, mem: Term, pointer: Term, value: Term) -> Term {
        assert_eq!(self.sort(mem), Sort::Mem, "writes are to a memory");
        assert_eq!(self.sort(pointer), Sort::Ptr, "writes are at a pointer");
        let length = self.size_in_memory(self.sort(value));
        let is_bv = matches!(self.sort(value), Sort::Bv(_));
        let place = self.place(pointer);
        let mut passed: Vec<(Term, Term)> = Vec::new();
        let mut below = mem;
        for _ in 0..VOID_WRITES_HORIZON {
            // Writing back an unchanged value has no effect. (Exceptions: a pointer read from bytes
            // may be a different one with the same address, and the bits of NaNs vary.)
            if is_bv && self.kind(value) == TermKind::Read(below, pointer) {
                return mem;
            }
            let TermKind::Write(next, other, old) = self.kind(below) else { break };
            let old_length = self.size_in_memory(self.sort(old));
            match self.overlap_at(&place, length, other, old_length) {
                Overlap::None => {
                    passed.push((other, old));
                    below = next;
                }
                Overlap::At(0) if old == value => return mem,
                // The old value's bytes are all overwritten.
                Overlap::At(start)
                    if start >= 0 && start + i32::from(old_length) <= i32::from(length) =>
                {
                    let mut rebuilt = next;
                    for &(pointer, value) in passed.iter().rev() {
                        rebuilt = self.write(rebuilt, pointer, value);
                    }
                    return self.write(rebuilt, pointer, value);
                }
                Overlap::At(_) | Overlap::Aligned | Overlap::Unknown => break,
            }
        }
        self.intern(TermKind::Write(mem, pointer, value), Sort::Mem)
    }

    fn size_in_memory(&self, sort: Sort) -> u16 {
        self.bytes_of(sort).unwrap_or_else(|| panic!("no value of sort {sort} is in memory"))
    }

    /// The value of a piece in `mem`. The recursion depth is bounded by the nesting of choices of
    /// memories and the number of bytes read.
    fn find(&mut self, mem: Term, reader: &mut Reader, piece: Piece) -> Found {
        let mut below = mem;
        loop {
            match self.kind(below) {
                TermKind::Write(next, pointer, value) => {
                    let length = self.size_in_memory(self.sort(value));
                    match self.overlap_piece(reader, piece, pointer, length) {
                        Overlap::None => below = next,
                        Overlap::Aligned | Overlap::Unknown => {
                            return self.stop(below, reader, piece, true);
                        }
                        Overlap::At(start) => {
                            let (start, end) = (start, start + i32::from(length));
                            if start <= 0 && end >= i32::from(piece.length) {
                                let value = self.slice(value, -start, piece, reader);
                                return Found { value, is_stuck: false };
                            }
                            return self.assemble(below, start..end, reader, piece);
                        }
                    }
                }
                TermKind::Ite(cond, a, b) if self.choices(below) <= MAX_CHOICES => {
                    if let Some(&found) = reader.done.get(&(below, piece)) {
                        return found;
                    }
                    let (found_a, found_b) =
                        (self.find(a, reader, piece), self.find(b, reader, piece));
                    let is_stuck = found_a.is_stuck || found_b.is_stuck;
                    let found = if is_stuck && found_a.value != found_b.value {
                        self.stop(below, reader, piece, true)
                    } else {
                        Found { value: self.ite(cond, found_a.value, found_b.value), is_stuck }
                    };
                    reader.done.insert((below, piece), found);
                    return found;
                }
                TermKind::Ite(..) => return self.stop(below, reader, piece, true),
                term_kinds!(leaves)
                | TermKind::Unary(..)
                | TermKind::Binary(..)
                | TermKind::Read(..) => return self.stop(below, reader, piece, false),
            }
        }
    }

    /// A read of the piece from `mem`, not simplified.
    fn stop(&mut self, mem: Term, reader: &Reader, piece: Piece, is_stuck: bool) -> Found {
        let pointer = self.ptr_add_const(reader.pointer, u64::from(piece.start));
        let sort =
            if self.is_all(reader, piece) { reader.sort } else { Sort::Bv(8 * piece.length) };
        Found { value: self.intern(TermKind::Read(mem, pointer), sort), is_stuck }
    }

    fn is_all(&self, reader: &Reader, piece: Piece) -> bool {
        piece.length == self.size_in_memory(reader.sort)
    }

    /// The piece, if it starts at byte `start` of a written value and ends in it.
    fn slice(&mut self, value: Term, start: i32, piece: Piece, reader: &Reader) -> Term {
        let is_all = self.is_all(reader, piece);
        if is_all && self.sort(value) == reader.sort {
            return value;
        }
        let bits = self.stored_bits(value);
        let lo = 8 * start as u16;
        let bits = self.unary(UnOp::Extract { hi: lo + 8 * piece.length - 1, lo }, bits);
        if is_all { self.value_of_bits(bits, reader.sort) } else { bits }
    }

    /// The piece, if the write on top of `mem` wrote some of its bytes, those in `written`.
    fn assemble(
        &mut self,
        mem: Term,
        written: std::ops::Range<i32>,
        reader: &mut Reader,
        piece: Piece,
    ) -> Found {
        let TermKind::Write(below, _, value) = self.kind(mem) else {
            return self.stop(mem, reader, piece, true);
        };
        let (from, to) = (written.start.max(0) as u16, written.end.min(piece.length.into()) as u16);
        let part = |start: u16, end: u16| Piece { start: piece.start + start, length: end - start };
        let mut bits: Option<Term> = None;
        for (from, to, is_written) in
            [(0, from, false), (from, to, true), (to, piece.length, false)]
        {
            if from == to {
                continue;
            }
            let part = part(from, to);
            let found = if is_written {
                let start = i32::from(from) - written.start;
                Found { value: self.slice(value, start, part, reader), is_stuck: false }
            } else {
                self.find(below, reader, part)
            };
            if found.is_stuck {
                return self.stop(mem, reader, piece, true);
            }
            bits = Some(match bits {
                Some(low) => self.binary(BinOp::Concat, found.value, low),
                None => found.value,
            });
        }
        let Some(bits) = bits else { return self.stop(mem, reader, piece, true) };
        let is_all = self.is_all(reader, piece);
        let value = if is_all { self.value_of_bits(bits, reader.sort) } else { bits };
        Found { value, is_stuck: false }
    }

    /// The bits of a value in memory.
    fn stored_bits(&mut self, value: Term) -> Term {
        match self.sort(value) {
            Sort::Bool | Sort::Bv(_) | Sort::Mem => value,
            Sort::Float(_) => self.unary(UnOp::FToBits, value),
            Sort::Ptr => self.unary(UnOp::PtrToInt, value),
        }
    }

    fn value_of_bits(&mut self, bits: Term, sort: Sort) -> Term {
        match sort {
            Sort::Bool | Sort::Bv(_) | Sort::Mem => bits,
            Sort::Float(kind) => self.unary(UnOp::BitsToF(kind), bits),
            Sort::Ptr => self.unary(UnOp::IntToPtr, bits),
        }
    }

    /// Where `length` bytes at `pointer` lie relative to the piece.
    fn overlap_piece(&self, reader: &Reader, piece: Piece, pointer: Term, length: u16) -> Overlap {
        let all = self.size_in_memory(reader.sort);
        match self.overlap_at(&reader.place, all, pointer, length) {
            Overlap::At(start) => {
                let start = start - i32::from(piece.start);
                let apart = start >= i32::from(piece.length) || start + i32::from(length) <= 0;
                if apart { Overlap::None } else { Overlap::At(start) }
            }
            found @ (Overlap::None | Overlap::Aligned | Overlap::Unknown) => found,
        }
    }

    /// Where the bytes at `pointer` lie relative to those at `place`.
    fn overlap_at(&self, place: &Place, length: u16, pointer: Term, other_length: u16) -> Overlap {
        if let Some(choice) = self.small_choice(pointer) {
            // A write to one of several places is skipped if none of them overlaps.
            let is_apart = choice.into_iter().all(|pointer| {
                self.overlap_at(place, length, pointer, other_length) == Overlap::None
            });
            return if is_apart { Overlap::None } else { Overlap::Unknown };
        }
        place.overlap(length, &self.place(pointer), other_length, self.pointer_bits())
    }

    /// The pointers of a choice, if they are few and the choice has no offset.
    fn small_choice(&self, pointer: Term) -> Option<SmallVec<[Term; MAX_POINTERS]>> {
        let TermKind::Ite(..) = self.kind(pointer) else { return None };
        let mut pointers = SmallVec::new();
        let mut work: SmallVec<[Term; MAX_POINTERS]> = SmallVec::new();
        work.push(pointer);
        while let Some(next) = work.pop() {
            if let TermKind::Ite(_, a, b) = self.kind(next) {
                work.extend([b, a]);
            } else {
                pointers.push(next);
            }
            if pointers.len() + work.len() > MAX_POINTERS {
                return None;
            }
        }
        Some(pointers)
    }

    /// A pointer that is a choice of few, with or without an offset: the condition and the two
    /// cases.
    fn choice_of_pointers(&mut self, pointer: Term) -> Option<(Term, Term, Term)> {
        let mut root = pointer;
        while let TermKind::Binary(BinOp::PtrAdd, base, _) = self.kind(root) {
            root = base;
        }
        let TermKind::Ite(cond, a, b) = self.kind(root) else { return None };
        self.small_choice(root)?;
        let mut offsets = Vec::new();
        let mut at = pointer;
        while let TermKind::Binary(BinOp::PtrAdd, base, offset) = self.kind(at) {
            offsets.push(offset);
            at = base;
        }
        let [a, b] = [a, b].map(|start| {
            offsets.iter().rev().fold(start, |pointer, &offset| self.ptr_add(pointer, offset))
        });
        Some((cond, a, b))
    }
}
