//! Terms without memory, for solvers that are at their best with bit-vectors.
//!
//! A read becomes a choice among the values written before it, and, where none of these is read, a
//! variable of its own for each memory and address: equal addresses have equal contents. Where it
//! is not plain whether accesses overlap in part, the result is left open. A flattened question that
//! cannot be satisfied therefore settles the original one; one that can only does if it is
//! [`Flat::exact`].

use ravelin_term::{BinOp, Sort, Term, TermKind, TermPool, UnOp, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::space::Space;

/// Longer chains of writes, or more addresses of one memory, are left to a solver with arrays.
const MAX_WRITES: usize = 1_500;
const MAX_CELLS: usize = 120;

/// Flattened terms.
#[derive(Clone, Debug)]
pub struct Flat {
    /// For each of the terms asked for, the same without memory.
    pub terms: Vec<Term>,
    /// That equal addresses have equal contents.
    pub conditions: Vec<Term>,
    /// Whether the flattened terms have the same solutions.
    pub exact: bool,
}

/// Remembers what was flattened.
#[derive(Debug, Default)]
pub struct Flattener {
    done: FxHashMap<Term, Term>,
    /// The cells below each term that has any.
    cells: FxHashMap<Term, Vec<Cell>>,
    inexact: FxHashSet<Term>,
    /// Terms that are too large to be flattened.
    failed: FxHashSet<Term>,
}

/// The contents of a memory at an address, before anything was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Cell {
    memory: Var,
    pointer: Term,
    content: Var,
}

/// Whether a term speaks of memory.
pub fn has_memory(terms: &TermPool, term: Term) -> bool {
    let mut found = false;
    terms.for_each_subterm(term, |_, kind| {
        found |= matches!(kind, TermKind::Read(..) | TermKind::Write(..));
    });
    found
}

impl Flattener {
    /// The terms without memory, or `None` if that would be too much.
    pub fn flatten(&mut self, space: &mut Space<'_>, terms: &[Term]) -> Option<Flat> {
        let mut flat =
            Flat { terms: Vec::with_capacity(terms.len()), conditions: Vec::new(), exact: true };
        let mut cells: Vec<Cell> = Vec::new();
        for &term in terms {
            self.flatten_one(space, term);
            if self.failed.contains(&term) {
                return None;
            }
            flat.terms.push(self.done[&term]);
            flat.exact &= !self.inexact.contains(&term);
            cells.extend(self.cells.get(&term).into_iter().flatten().copied());
        }
        cells.sort_unstable();
        cells.dedup();
        if cells.len() > MAX_CELLS {
            return None;
        }
        for (number, a) in cells.iter().enumerate() {
            for b in cells[..number].iter().filter(|b| b.memory == a.memory) {
                self.relate(space, a, b, &mut flat);
            }
        }
        Some(flat)
    }

    /// The addresses and contents of unwritten memory that flattened terms speak of.
    pub fn contents(&self, space: &mut Space<'_>, terms: &[Term]) -> Vec<(Term, Term)> {
        let mut cells: Vec<Cell> =
            terms.iter().filter_map(|term| self.cells.get(term)).flatten().copied().collect();
        cells.sort_unstable();
        cells.dedup();
        cells.iter().map(|cell| (cell.pointer, space.read_var(cell.content))).collect()
    }

    /// Adds what holds of two cells of one memory: at one address there is one value. That cells which
    /// overlap in part have bytes in common is left out: it would take many conditions, and hardly ever
    /// matters of memory to which nothing was written.
    fn relate(&self, space: &mut Space<'_>, a: &Cell, b: &Cell, flat: &mut Flat) {
        let (sort_a, sort_b) = (space.sort(a.content), space.sort(b.content));
        let uniform = space.is_uniform(a.memory);
        match overlap(space, (a.pointer, sort_a), (b.pointer, sort_b), uniform) {
            Overlap::No => return,
            Overlap::Whole => {}
            Overlap::Part => flat.exact = false,
        }
        if sort_a != sort_b || matches!(sort_a, Sort::Float(_)) {
            flat.exact = false;
            return;
        }
        let same_address = space.terms.eq(a.pointer, b.pointer);
        let (x, y) = (space.read_var(a.content), space.read_var(b.content));
        let same_content = space.terms.eq(x, y);
        flat.conditions.push(space.terms.implies(same_address, same_content));
    }

    fn flatten_one(&mut self, space: &mut Space<'_>, term: Term) {
        if self.done.contains_key(&term) || self.failed.contains(&term) {
            return;
        }
        // Operands are older than what is made of them, so in order of age each comes after its own.
        let mut subterms = Vec::new();
        space.terms.for_each_subterm(term, |subterm, _| subterms.push(subterm));
        subterms.sort_unstable();
        for subterm in subterms {
            if self.done.contains_key(&subterm) {
                continue;
            }
            if space.terms.sort(subterm) == Sort::Mem {
                continue;
            }
            match self.rebuild(space, subterm) {
                Some(flat) => {
                    self.done.insert(subterm, flat);
                }
                None => {
                    self.failed.insert(term);
                    return;
                }
            }
        }
    }

    fn rebuild(&mut self, space: &mut Space<'_>, term: Term) -> Option<Term> {
        let children: Vec<Term> = space.terms.children(term).collect();
        let mut cells: Vec<Cell> = Vec::new();
        for child in &children {
            cells.extend(self.cells.get(child).into_iter().flatten().copied());
            if self.inexact.contains(child) {
                self.inexact.insert(term);
            }
        }
        let done = |child: Term| self.done.get(&child).copied();
        let flat = match space.terms.kind(term) {
            TermKind::Bool(_)
            | TermKind::Bv(_)
            | TermKind::Float(_)
            | TermKind::Null
            | TermKind::Var(_)
            | TermKind::Address(_) => term,
            TermKind::Unary(op, a) => {
                let a = done(a)?;
                space.terms.unary(op, a)
            }
            TermKind::Binary(op, a, b) => {
                let (a, b) = (done(a)?, done(b)?);
                space.terms.binary(op, a, b)
            }
            TermKind::Ite(c, a, b) => {
                let (c, a, b) = (done(c)?, done(a)?, done(b)?);
                space.terms.ite(c, a, b)
            }
            TermKind::Read(memory, pointer) => {
                let pointer = done(pointer)?;
                let sort = space.terms.sort(term);
                let mut reading = Reading {
                    pointer,
                    sort,
                    uniform: is_uniform(space, memory),
                    known: FxHashMap::default(),
                    cells: Vec::new(),
                    exact: true,
                    writes: 0,
                };
                let value = reading.read(self, space, memory)?;
                if !reading.exact {
                    self.inexact.insert(term);
                }
                cells.extend(reading.cells);
                value
            }
            TermKind::Write(..) => return None,
        };
        if !cells.is_empty() {
            cells.sort_unstable();
            cells.dedup();
            self.cells.insert(term, cells);
        }
        Some(flat)
    }
}

/// A read on its way through writes.
struct Reading {
    pointer: Term,
    sort: Sort,
    /// Whether accesses to the memory are to the same bytes or to none in common.
    uniform: bool,
    known: FxHashMap<Term, Term>,
    cells: Vec<Cell>,
    exact: bool,
    writes: usize,
}

impl Reading {
    /// Takes over what is known of flattened terms that the result is made of.
    fn depend_on<const N: usize>(&mut self, flattener: &Flattener, terms: [Term; N]) {
        for term in terms {
            self.cells.extend(flattener.cells.get(&term).into_iter().flatten());
            self.exact &= !flattener.inexact.contains(&term);
        }
    }

    fn read(&mut self, flattener: &Flattener, space: &mut Space<'_>, memory: Term) -> Option<Term> {
        // Writes on the way down, the latest first, with the condition under which each is read.
        let mut passed: Vec<(Term, Written)> = Vec::new();
        let mut at = memory;
        let mut value = loop {
            if let Some(&known) = self.known.get(&at) {
                break known;
            }
            match space.terms.kind(at) {
                TermKind::Write(below, pointer, written) => {
                    self.writes += 1;
                    if self.writes > MAX_WRITES {
                        return None;
                    }
                    self.depend_on(flattener, [pointer, written]);
                    let pointer = *flattener.done.get(&pointer)?;
                    let written = *flattener.done.get(&written)?;
                    let size = space.terms.sort(written);
                    at = below;
                    let overlap =
                        overlap(space, (self.pointer, self.sort), (pointer, size), self.uniform);
                    let whole = match overlap {
                        Overlap::No => continue,
                        Overlap::Whole | Overlap::Part => {
                            convert(&mut space.terms, written, self.sort)
                        }
                    };
                    if let Some(value) = whole {
                        let same = space.terms.eq(self.pointer, pointer);
                        passed.push((same, Written::All(value)));
                    }
                    if matches!(overlap, Overlap::Part) || whole.is_none() {
                        self.read_parts(space, (pointer, written), at, &mut passed);
                    }
                }
                TermKind::Ite(cond, a, b) => {
                    self.depend_on(flattener, [cond]);
                    let cond = *flattener.done.get(&cond)?;
                    let (a, b) = (self.read(flattener, space, a)?, self.read(flattener, space, b)?);
                    break space.terms.ite(cond, a, b);
                }
                TermKind::Var(memory) => {
                    let content = space.content(memory, self.pointer, self.sort);
                    self.cells.push(Cell { memory, pointer: self.pointer, content });
                    break space.read_var(content);
                }
                _ => return None,
            }
        };
        for (same, written) in passed.into_iter().rev() {
            let after = match written {
                Written::All(written) => written,
                Written::Part { bits, distance } => {
                    mix(&mut space.terms, value, bits, distance, self.sort)?
                }
            };
            value = space.terms.ite(same, after, value);
        }
        self.known.insert(memory, value);
        Some(value)
    }

    /// Adds in which ways a write may have changed some of the bytes that are read.
    fn read_parts(
        &mut self,
        space: &mut Space<'_>,
        (pointer, written): (Term, Term),
        below: Term,
        passed: &mut Vec<(Term, Written)>,
    ) {
        let sort = space.terms.sort(written);
        if let (Some(length), Some(bytes)) = (plain_bytes(self.sort), plain_bytes(sort))
            && let Some(bits) = convert(&mut space.terms, written, Sort::Bv(bytes * 8))
        {
            for distance in 1 - i64::from(length)..i64::from(bytes) {
                if distance == 0 && length == bytes {
                    continue;
                }
                let at = space.terms.ptr_add_const(pointer, distance as u64);
                let there = space.terms.eq(self.pointer, at);
                if space.terms.as_bool(there) != Some(false) {
                    passed.push((there, Written::Part { bits, distance }));
                }
            }
            return;
        }
        // What parts of pointers are, as numbers, is not told here: anybody's guess.
        self.exact = false;
        let guess = space.guess(below, self.pointer, self.sort);
        let any = space.guess(below, self.pointer, Sort::Bool);
        passed.push((space.read_var(any), Written::All(space.read_var(guess))));
    }
}

/// What a write left where it is read.
enum Written {
    All(Term),
    /// The bytes that are read begin this many behind those that were written.
    Part {
        bits: Term,
        distance: i64,
    },
}

/// How many bytes a value has, if they are those of a number.
fn plain_bytes(sort: Sort) -> Option<u16> {
    match sort {
        Sort::Bv(width) if width % 8 == 0 && width <= 64 => Some(width / 8),
        Sort::Float(kind) if kind.bits() <= 64 => Some(kind.bits() / 8),
        Sort::Bv(_) | Sort::Float(_) | Sort::Bool | Sort::Ptr | Sort::Mem => None,
    }
}

/// The value of a sort after some of its bytes were written; bytes are in little-endian order.
fn mix(terms: &mut TermPool, old: Term, written: Term, distance: i64, sort: Sort) -> Option<Term> {
    let length = plain_bytes(sort)?;
    let old = convert(terms, old, Sort::Bv(length * 8))?;
    let written_length = i64::from(plain_bytes(terms.sort(written))?);
    let mut value: Option<Term> = None;
    for byte in 0..length {
        let place = i64::from(byte) + distance;
        let (from, place) = match u16::try_from(place) {
            Ok(place) if i64::from(place) < written_length => (written, place),
            _ => (old, byte),
        };
        let part = terms.unary(UnOp::Extract { hi: place * 8 + 7, lo: place * 8 }, from);
        value = Some(match value {
            Some(lower) => terms.binary(BinOp::Concat, part, lower),
            None => part,
        });
    }
    convert(terms, value?, sort)
}

/// How two accesses may lie to each other.
enum Overlap {
    No,
    /// They are the same bytes, or none is in both.
    Whole,
    /// Perhaps some bytes are in both.
    Part,
}

/// Whether a term for the contents of memory is for a part of memory that is accessed in one way only.
fn is_uniform(space: &Space<'_>, mut memory: Term) -> bool {
    loop {
        match space.terms.kind(memory) {
            TermKind::Write(below, ..) => memory = below,
            // All that is merged is of the same part.
            TermKind::Ite(_, a, _) => memory = a,
            TermKind::Var(var) => return space.is_uniform(var),
            _ => return false,
        }
    }
}

fn overlap(space: &Space<'_>, a: (Term, Sort), b: (Term, Sort), uniform: bool) -> Overlap {
    let bytes = |sort: Sort| space.program.bytes_of(sort).unwrap_or(16) as u16;
    let (size_a, size_b) = (bytes(a.1), bytes(b.1));
    let same_size = size_a == size_b;
    let are_aligned =
        || space.terms.is_aligned(a.0, size_a.into()) && space.terms.is_aligned(b.0, size_b.into());
    match space.terms.overlap(a.0, size_a, b.0, size_b) {
        ravelin_term::Overlap::None => Overlap::No,
        ravelin_term::Overlap::At(0) | ravelin_term::Overlap::Aligned if same_size => {
            Overlap::Whole
        }
        ravelin_term::Overlap::Unknown if same_size && (uniform || are_aligned()) => Overlap::Whole,
        ravelin_term::Overlap::At(_) if same_size && uniform => Overlap::No,
        ravelin_term::Overlap::At(_)
        | ravelin_term::Overlap::Aligned
        | ravelin_term::Overlap::Unknown => Overlap::Part,
    }
}

/// A written value as a value of another sort of the same size.
fn convert(terms: &mut TermPool, value: Term, sort: Sort) -> Option<Term> {
    Some(match (terms.sort(value), sort) {
        (from, to) if from == to => value,
        (Sort::Ptr, Sort::Bv(width)) if width == terms.pointer_bits() => {
            terms.unary(UnOp::PtrToInt, value)
        }
        (Sort::Bv(width), Sort::Ptr) if width == terms.pointer_bits() => {
            terms.unary(UnOp::IntToPtr, value)
        }
        (Sort::Float(kind), Sort::Bv(width)) if kind.bits() == width => {
            terms.unary(UnOp::FToBits, value)
        }
        (Sort::Bv(width), Sort::Float(kind)) if kind.bits() == width => {
            terms.unary(UnOp::BitsToF(kind), value)
        }
        _ => return None,
    })
}
