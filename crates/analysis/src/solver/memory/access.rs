//! How accesses lie to each other, and what a write leaves of what was there before.

use ravelin_term::{BinOp, Sort, Term, TermKind, TermPool, UnOp};

use super::Reading;
use crate::model::space::Space;

impl Reading<'_> {
    /// Adds in which cases a write, to what is below it, changed what is read.
    pub(super) fn effect(
        &mut self,
        space: &mut Space<'_>,
        (pointer, written): (Term, Term),
        below: Term,
        passed: &mut Vec<(Term, Written)>,
    ) -> Option<()> {
        let pointer = self.operand(pointer)?;
        let written = self.operand(written)?;
        let sort = space.terms.sort(written);
        let overlap = overlap(space, (self.pointer, self.sort), (pointer, sort), self.uniform);
        let whole = match overlap {
            Overlap::No => return Some(()),
            Overlap::Whole | Overlap::Part => convert(&mut space.terms, written, self.sort),
        };
        if let Some(value) = whole {
            let same = space.terms.eq(self.pointer, pointer);
            passed.push((same, Written::All(value)));
        }
        if matches!(overlap, Overlap::Part) || whole.is_none() {
            self.read_parts(space, (pointer, written), below, passed);
        }
        Some(())
    }

    /// What is read after a write that is read under a condition, given what was there before.
    pub(super) fn after(
        &self,
        space: &mut Space<'_>,
        condition: Term,
        written: Written,
        before: Term,
    ) -> Option<Term> {
        let after = match written {
            Written::All(written) => written,
            Written::Part { bits, distance } => {
                mix(&mut space.terms, before, bits, distance, self.sort)?
            }
        };
        Some(space.terms.ite(condition, after, before))
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
pub(super) enum Written {
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
pub(super) enum Overlap {
    No,
    /// They are the same bytes, or none is in both.
    Whole,
    /// Perhaps some bytes are in both.
    Part,
}

/// Whether a term for the contents of memory is for a region of memory that is accessed in one way only.
pub(super) fn is_uniform(space: &Space<'_>, mut memory: Term) -> bool {
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

pub(super) fn overlap(
    space: &Space<'_>,
    a: (Term, Sort),
    b: (Term, Sort),
    uniform: bool,
) -> Overlap {
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
