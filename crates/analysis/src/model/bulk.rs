//! Copies and fills of memory in terms.
//!
//! Of a length that is known, they are so many writes. Of one that is not but has a bound, by its own term or by the size
//! of the objects, each piece of memory is what is written or what it was, as the length says. Beyond the bound, and without one, the
//! contents may be any.

use ravelin_term::{BinOp, Term, TermKind, TermPool, UnOp, Var};

use crate::model::block::Block;
use crate::model::space::{ByteRange, Space, byte_ranges};

/// Copies and fills of more bytes than this make the contents of memory unknown.
pub const MAX_BYTES: u64 = 4096;

/// And those in more pieces, where the length is not known.
const MAX_OPEN_PIECES: u64 = 128;

/// The length of a copy or fill.
#[derive(Clone, Copy, Debug)]
enum Length {
    Known(u64),
    /// A term, and what it is at most; whether it always is.
    Open {
        length: Term,
        most: u64,
        holds: bool,
    },
}

impl Block {
    /// Copies bytes; the destination is given as in the label, too.
    pub(crate) fn copy(
        &mut self,
        space: &mut Space<'_>,
        memory: Var,
        labels: (Term, Term),
        (dst, src): (Term, Term),
        size: Term,
    ) {
        let sizes = [labels.0, labels.1].map(|label| space.largest_object(label));
        let Some(length) = length_of(space, size, sizes.into_iter().flatten().min()) else {
            return self.forget_memory(space, &[memory]);
        };
        let pointer = u64::from(space.terms.pointer_bits() / 8);
        let (most, longest) = match length {
            // Pieces of the size of a pointer: aligned pointers are copied as such.
            Length::Known(size) => (size, pointer),
            // The length is a number of such pieces.
            Length::Open { length, most, .. } => (most, divisor(&space.terms, length).min(pointer)),
        };
        if !matches!(length, Length::Known(_)) && most.div_ceil(longest) > MAX_OPEN_PIECES {
            return self.forget_memory(space, &[memory]);
        }
        let before = self.value(space, memory);
        // All are read before the first is written, since the ranges may overlap.
        let mut values: Vec<(u64, Term)> = Vec::new();
        for ByteRange { offset, bytes } in byte_ranges(most, longest) {
            let sort = ravelin_term::Sort::Bv(bytes * 8);
            let from = space.terms.ptr_add_const(src, offset);
            let mut value = self.read(space, memory, from, sort);
            if let Length::Open { length, .. } = length {
                let to = space.terms.ptr_add_const(dst, offset);
                let old = self.read(space, memory, to, sort);
                let is_copied = reaches(&mut space.terms, length, offset + u64::from(bytes));
                value = space.terms.ite(is_copied, value, old);
            }
            values.push((offset, value));
        }
        for (offset, value) in values {
            let address = space.terms.ptr_add_const(dst, offset);
            self.write(space, memory, address, value);
        }
        self.limit(space, &[(memory, before)], length);
    }

    /// Fills a range, given as in the label and as a term over the start of the block.
    pub(crate) fn fill(
        &mut self,
        space: &mut Space<'_>,
        memories: &[Var],
        (start, dst): (Term, Term),
        byte: Term,
        size: Term,
    ) {
        let largest = space.largest_object(start);
        let Some(length) = length_of(space, size, largest) else {
            return self.forget_memory(space, memories);
        };
        let most = match length {
            Length::Known(size) => size,
            Length::Open { most, .. } => most,
        };
        let pieces: Vec<(Var, Vec<ByteRange>)> =
            memories.iter().map(|&memory| (memory, space.pieces_in(memory, start, most))).collect();
        let count: usize = pieces.iter().map(|(_, pieces)| pieces.len()).sum();
        if !matches!(length, Length::Known(_)) && count as u64 > MAX_OPEN_PIECES {
            return self.forget_memory(space, memories);
        }
        let before: Vec<(Var, Term)> =
            memories.iter().map(|&memory| (memory, self.value(space, memory))).collect();
        for (memory, pieces) in pieces {
            for ByteRange { offset, bytes } in pieces {
                let address = space.terms.ptr_add_const(dst, offset);
                let value = match length {
                    Length::Known(_) => repeated(&mut space.terms, byte, bytes),
                    Length::Open { length, .. } => {
                        let sort = ravelin_term::Sort::Bv(bytes * 8);
                        let old = self.read(space, memory, address, sort);
                        partly_filled(&mut space.terms, old, byte, (offset, bytes), length)
                    }
                };
                self.write(space, memory, address, value);
            }
        }
        self.limit(space, &before, length);
    }

    /// Where the length is beyond its bound, the contents of memories are any.
    fn limit(&mut self, space: &mut Space<'_>, before: &[(Var, Term)], length: Length) {
        let Length::Open { length, most, holds: false } = length else { return };
        let width = space.terms.pointer_bits();
        let bound = space.terms.bv(width, most.into());
        let is_inside = space.terms.binary(BinOp::BvUle, length, bound);
        for &(memory, _) in before {
            let exact = self.value(space, memory);
            self.forget_memory(space, &[memory]);
            let open = self.value(space, memory);
            let value = space.terms.ite(is_inside, exact, open);
            self.values.insert(memory, value);
        }
    }
}

/// The length that a term says, if there is a bound.
fn length_of(space: &Space<'_>, size: Term, largest_object: Option<u64>) -> Option<Length> {
    if let Some(size) = space.terms.as_bv(size) {
        let size = u64::try_from(size).ok().filter(|&size| size <= MAX_BYTES)?;
        return Some(Length::Known(size));
    }
    let own = at_most(&space.terms, size);
    let most = own.into_iter().chain(largest_object).min()?;
    let holds = own.is_some_and(|own| own <= most);
    (most <= MAX_BYTES).then_some(Length::Open { length: size, most, holds })
}

/// A value with each byte the same.
fn repeated(terms: &mut TermPool, byte: Term, bytes: u16) -> Term {
    let mut value = byte;
    for _ in 1..bytes {
        value = terms.binary(BinOp::Concat, value, byte);
    }
    value
}

/// The bytes at an offset, of which those inside the length are filled.
fn partly_filled(
    terms: &mut TermPool,
    old: Term,
    byte: Term,
    (offset, bytes): (u64, u16),
    length: Term,
) -> Term {
    let whole = repeated(terms, byte, bytes);
    let is_whole = reaches(terms, length, offset + u64::from(bytes));
    if bytes == 1 || divisor(terms, length) >= u64::from(bytes) && offset % u64::from(bytes) == 0 {
        return terms.ite(is_whole, whole, old);
    }
    let mut mixed = None;
    for at in 0..bytes {
        let was = terms.unary(UnOp::Extract { hi: at * 8 + 7, lo: at * 8 }, old);
        let is_filled = reaches(terms, length, offset + u64::from(at) + 1);
        let now = terms.ite(is_filled, byte, was);
        mixed = Some(match mixed {
            None => now,
            Some(low) => terms.binary(BinOp::Concat, now, low),
        });
    }
    mixed.unwrap_or(old)
}

/// That a length is at least so much.
fn reaches(terms: &mut TermPool, length: Term, least: u64) -> Term {
    let width = terms.pointer_bits();
    let least = terms.bv(width, least.into());
    terms.binary(BinOp::BvUle, least, length)
}

/// A power of two, at most 8, of which a number is a multiple.
fn divisor(terms: &TermPool, term: Term) -> u64 {
    if let Some(value) = terms.as_bv(term) {
        return 1 << value.trailing_zeros().min(3);
    }
    let divisor = match terms.kind(term) {
        TermKind::Unary(UnOp::ZeroExt(_) | UnOp::SignExt(_), a) => divisor(terms, a),
        TermKind::Binary(BinOp::BvMul, a, b) => divisor(terms, a) * divisor(terms, b),
        TermKind::Binary(BinOp::BvShl, a, b) => {
            let shift = terms.as_bv(b).unwrap_or(0).min(3);
            divisor(terms, a) << shift
        }
        TermKind::Binary(BinOp::BvAdd | BinOp::BvSub | BinOp::BvOr, a, b) => {
            divisor(terms, a).min(divisor(terms, b))
        }
        TermKind::Binary(BinOp::BvAnd, a, b) => divisor(terms, a).max(divisor(terms, b)),
        TermKind::Ite(_, a, b) => divisor(terms, a).min(divisor(terms, b)),
        // The low bits of what it is taken from.
        TermKind::Unary(UnOp::Extract { hi, lo: 0 }, a) => {
            divisor(terms, a).min(1 << (hi + 1).min(3))
        }
        TermKind::Binary(BinOp::Concat, _, low) => match terms.sort(low).width() {
            Some(width) if width >= 3 => divisor(terms, low),
            _ => 1,
        },
        _ => 1,
    };
    divisor.min(8)
}

/// What an unsigned number is at most, where its term says so and it is not much.
fn at_most(terms: &TermPool, term: Term) -> Option<u64> {
    const MUCH: u64 = 1 << 32;
    if let Some(value) = terms.as_bv(term) {
        return u64::try_from(value).ok();
    }
    let width = terms.sort(term).width()?;
    let own = (width <= 16).then(|| (1u64 << width) - 1);
    let known = match terms.kind(term) {
        TermKind::Unary(UnOp::ZeroExt(_), a) => at_most(terms, a),
        TermKind::Binary(BinOp::BvAnd, a, b) => {
            at_most(terms, a).into_iter().chain(at_most(terms, b)).min()
        }
        TermKind::Ite(_, a, b) => at_most(terms, a).zip(at_most(terms, b)).map(|(a, b)| a.max(b)),
        TermKind::Binary(BinOp::BvUrem, a, b) => match terms.as_bv(b) {
            Some(divisor) if divisor > 0 => u64::try_from(divisor - 1).ok(),
            _ => at_most(terms, a),
        },
        TermKind::Binary(BinOp::BvLshr, a, b) => {
            let shift = terms.as_bv(b).unwrap_or(0).min(63);
            at_most(terms, a).map(|a| a >> shift)
        }
        TermKind::Binary(BinOp::BvUdiv, a, b) => {
            // By zero, all bits are set.
            let divisor = terms.as_bv(b).filter(|&divisor| divisor > 0)?;
            at_most(terms, a).map(|a| (u128::from(a) / divisor) as u64)
        }
        TermKind::Binary(op @ (BinOp::BvAdd | BinOp::BvMul), a, b) => {
            let (a, b) = (at_most(terms, a)?, at_most(terms, b)?);
            let result = match op {
                BinOp::BvAdd => a.checked_add(b)?,
                _ => a.checked_mul(b)?,
            };
            // It must not come around.
            let fits = width >= 64 || result >> width == 0;
            fits.then_some(result)
        }
        TermKind::Binary(BinOp::Concat, high, low) => {
            let shift = terms.sort(low).width().filter(|&width| width < 32)?;
            let high = at_most(terms, high).filter(|&high| high < MUCH)?;
            let low = at_most(terms, low).unwrap_or((1 << shift) - 1);
            Some(high << shift | low)
        }
        _ => None,
    };
    known.into_iter().chain(own).min()
}

#[cfg(test)]
mod tests {
    use ravelin_base::DataModel;
    use ravelin_term::Sort;

    use super::*;

    #[test]
    fn bounds_and_divisors_hold_of_every_value() {
        let mut random = 0x2545_f491_4f6c_dd1du64;
        let mut below = |bound: u64| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random % bound
        };
        let mut terms = TermPool::new(DataModel::Lp64.pointer_bits());
        let vars = [Var::from_u32(0), Var::from_u32(1)];
        for _ in 0..2_000 {
            let byte = terms.var(vars[0], Sort::Bv(8));
            let word = terms.var(vars[1], Sort::Bv(32));
            let word = terms.unary(UnOp::ZeroExt(64), word);
            let mut pool = vec![terms.unary(UnOp::ZeroExt(64), byte), word];
            for _ in 0..4 {
                let (a, b) = (pool[below(pool.len() as u64) as usize], below(70).into());
                let other = match below(2) {
                    0 => terms.bv(64, b),
                    _ => pool[below(pool.len() as u64) as usize],
                };
                let next = match below(9) {
                    0 => terms.binary(BinOp::BvMul, a, other),
                    1 => terms.binary(BinOp::BvShl, a, other),
                    2 => terms.binary(BinOp::BvAdd, a, other),
                    3 => terms.binary(BinOp::BvAnd, a, other),
                    4 => terms.binary(BinOp::BvUrem, a, other),
                    5 => terms.binary(BinOp::BvLshr, a, other),
                    6 => terms.binary(BinOp::BvUdiv, a, other),
                    7 => terms.binary(BinOp::BvSub, a, other),
                    _ => {
                        let low = terms.unary(UnOp::Extract { hi: 5, lo: 0 }, a);
                        let high = terms.unary(UnOp::Extract { hi: 63, lo: 6 }, other);
                        terms.binary(BinOp::Concat, high, low)
                    }
                };
                pool.push(next);
            }
            let term = *pool.last().expect("there are some");
            let (most, divisor) = (at_most(&terms, term), divisor(&terms, term));
            for _ in 0..8 {
                let values = [u128::from(below(256)), u128::from(below(1 << 32))];
                let put = [terms.bv(8, values[0]), terms.bv(32, values[1])];
                let value = terms.substitute(term, |_, var| Some(put[var.as_u32() as usize]));
                // Divisions by zero have no value.
                let Some(value) = terms.as_bv(value) else { continue };
                assert!(most.is_none_or(|most| value <= most.into()), "{value} {most:?}");
                assert_eq!(value % u128::from(divisor), 0);
            }
        }
    }
}
