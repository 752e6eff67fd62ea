//! Objects and what they hold: terms in pieces that do not overlap.

use std::rc::Rc;

use imbl::{HashMap, OrdMap};
use ravelin_cfa::{Init, Life, ObjectKind, Program};
use ravelin_term::{BinOp, Object, Sort, Term, TermPool, UnOp, Var};

/// The objects of a state, by their numbers in pointers. Copies of a state share what they have in common.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    objects: HashMap<u32, Rc<MemoryObject>>,
}

#[derive(Clone, Debug)]
pub(super) struct MemoryObject {
    /// A term of pointer width.
    pub(super) size: Term,
    /// The accesses that its bytes allow.
    pub(super) life: Life,
    /// Whether it is a function, which has no bytes.
    pub(super) is_function: bool,
    pub(super) contents: Contents,
}

/// The bytes of an object.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    /// Values by offset; none overlaps another.
    pieces: OrdMap<u64, Term>,
    /// What all other bytes hold.
    background: Background,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Background {
    Zero,
    /// The initial bytes of an object of the program.
    Bytes(Object),
    /// No value until one is asked for.
    Open,
    /// The same, after a function without body may have written anything: pointers to objects of the program, too.
    Left,
}

impl Background {
    /// Whether bytes have no value until one is asked for.
    pub(super) fn is_open(self) -> bool {
        matches!(self, Background::Open | Background::Left)
    }
}

/// A range of the bytes that a read covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// These bytes of a piece.
    Of { piece: Term, first: u64, bytes: u64 },
    /// Bytes of the background from this offset on.
    Missing { at: u64, bytes: u64 },
}

impl Memory {
    /// The number of an object of the program that is there from the start.
    pub(super) fn number_of(object: Object) -> u32 {
        object.as_u32() + 1
    }

    pub(super) fn get(&self, number: u32) -> Option<&Rc<MemoryObject>> {
        self.objects.get(&number)
    }

    pub(super) fn insert(&mut self, number: u32, object: Rc<MemoryObject>) {
        self.objects.insert(number, object);
    }

    pub(super) fn get_mut(&mut self, number: u32) -> Option<&mut MemoryObject> {
        self.objects.get_mut(&number).map(Rc::make_mut)
    }

    /// Ends the life of an object. Its size is kept.
    pub(super) fn end(&mut self, number: u32) {
        if let Some(object) = self.get_mut(number) {
            object.life = Life::None;
            object.contents = Contents::new(Background::Zero);
        }
    }
}

impl MemoryObject {
    /// An object of the program as it is at the start.
    pub(super) fn initial(program: &Program, terms: &mut TermPool, object: Object) -> MemoryObject {
        let data = &program.objects[object];
        let (life, is_function) = match data.kind {
            ObjectKind::Constant => (Life::Constant, false),
            ObjectKind::Global | ObjectKind::ThreadLocal | ObjectKind::Local(_) => {
                (Life::Named, false)
            }
            ObjectKind::Function(_) => (Life::None, true),
        };
        let mut contents = Contents::new(match &data.init {
            // Another file may have put pointers to objects of the program there.
            Init::Indeterminate => Background::Left,
            Init::Zero | Init::Values(_) => Background::Zero,
            Init::Bytes(_) => Background::Bytes(object),
        });
        if let Init::Values(values) = &data.init {
            contents.pieces = values.iter().copied().collect();
        }
        MemoryObject { size: terms.offset(data.size), life, is_function, contents }
    }
}

impl Contents {
    pub(super) fn new(background: Background) -> Contents {
        Contents { pieces: OrdMap::new(), background }
    }

    pub(super) fn background(&self) -> Background {
        self.background
    }

    /// The values of all pieces.
    pub(super) fn values(&self) -> impl Iterator<Item = Term> {
        self.pieces.values().copied()
    }

    /// The parts of a range, in order.
    pub(super) fn parts(&self, terms: &TermPool, at: u64, bytes: u64) -> Vec<Part> {
        let end = at + bytes;
        let mut parts = Vec::new();
        let mut next = at;
        if let Some((&start, &piece)) = self.pieces.get_prev(&at) {
            let stop = start + length(terms, piece);
            if stop > at {
                let bytes = stop.min(end) - at;
                parts.push(Part::Of { piece, first: at - start, bytes });
                next = at + bytes;
            }
        }
        for (&start, &piece) in self.pieces.range(at + 1..end.max(at + 1)) {
            if start < next {
                continue;
            }
            if start > next {
                parts.push(Part::Missing { at: next, bytes: start - next });
            }
            let bytes = length(terms, piece).min(end - start);
            parts.push(Part::Of { piece, first: 0, bytes });
            next = start + bytes;
        }
        if next < end {
            parts.push(Part::Missing { at: next, bytes: end - next });
        }
        parts
    }

    /// The value of a background that has one, as a bit-vector.
    pub(super) fn background_bits(
        &self,
        program: &Program,
        terms: &mut TermPool,
        at: u64,
        bytes: u64,
    ) -> Option<Term> {
        let value = match self.background {
            Background::Open | Background::Left => return None,
            Background::Zero => 0,
            Background::Bytes(object) => {
                let Init::Bytes(all) = &program.objects[object].init else { return None };
                let byte = |at: u64| all.get(at as usize).copied().unwrap_or(0);
                (at..at + bytes).rev().fold(0, |value: u128, at| value << 8 | u128::from(byte(at)))
            }
        };
        Some(terms.bv(bytes as u16 * 8, value))
    }

    /// The value at an offset, if it is there as it is wanted.
    pub(super) fn whole(&self, terms: &TermPool, at: u64, sort: Sort) -> Option<Term> {
        self.pieces.get(&at).copied().filter(|&piece| terms.sort(piece) == sort)
    }

    /// Writes a value that takes whole bytes.
    pub(super) fn write(&mut self, terms: &mut TermPool, at: u64, value: Term) {
        let bytes = length(terms, value);
        if self.pieces.get(&at).is_none_or(|&old| length(terms, old) != bytes) {
            self.clear(terms, at, bytes);
        }
        self.pieces.insert(at, value);
    }

    /// Leaves no piece in a range.
    fn clear(&mut self, terms: &mut TermPool, at: u64, bytes: u64) {
        let end = at + bytes;
        let mut over = Vec::new();
        if let Some((&start, &piece)) = self.pieces.get_prev(&at) {
            over.push((start, piece));
        }
        let first = over.first().map(|&(start, _)| start);
        over.extend(
            self.pieces
                .range(at..end)
                .map(|(&start, &piece)| (start, piece))
                .filter(|&(start, _)| Some(start) != first),
        );
        for (start, piece) in over {
            let stop = start + length(terms, piece);
            if stop <= at {
                continue;
            }
            self.pieces.remove(&start);
            if start < at {
                let left = slice(terms, piece, 0, at - start);
                self.pieces.insert(start, left);
            }
            if stop > end {
                let right = slice(terms, piece, end - start, stop - end);
                self.pieces.insert(end, right);
            }
        }
    }
}

/// How many bytes a value takes.
pub(super) fn length(terms: &TermPool, value: Term) -> u64 {
    terms.bytes_of(terms.sort(value)).map_or(1, u64::from)
}

/// Bytes of a value, the lowest first.
pub(super) fn slice(terms: &mut TermPool, value: Term, first: u64, bytes: u64) -> Term {
    let bits = bits_of(terms, value);
    let lo = first as u16 * 8;
    terms.unary(UnOp::Extract { hi: lo + bytes as u16 * 8 - 1, lo }, bits)
}

/// A value as memory has it.
pub(super) fn bits_of(terms: &mut TermPool, value: Term) -> Term {
    match terms.sort(value) {
        Sort::Bool | Sort::Bv(_) | Sort::Mem => value,
        Sort::Float(_) => terms.unary(UnOp::FToBits, value),
        Sort::Ptr => terms.unary(UnOp::PtrToInt, value),
    }
}

/// The value of a sort with these bits.
pub(super) fn value_of(terms: &mut TermPool, bits: Term, sort: Sort) -> Term {
    match sort {
        Sort::Bool | Sort::Bv(_) | Sort::Mem => bits,
        Sort::Float(kind) => terms.unary(UnOp::BitsToF(kind), bits),
        Sort::Ptr => terms.unary(UnOp::IntToPtr, bits),
    }
}

/// Bit-vectors one behind the other, the lowest first.
pub(super) fn joined(terms: &mut TermPool, parts: &[Term]) -> Option<Term> {
    let mut parts = parts.iter().copied();
    let mut all = parts.next()?;
    for part in parts {
        all = terms.binary(BinOp::Concat, part, all);
    }
    Some(all)
}

/// The variables of a value, if it is small enough to look.
pub(super) fn vars_in(terms: &TermPool, value: Term) -> Vec<Var> {
    terms.vars_of(value)
}
