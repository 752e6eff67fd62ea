//! Offsets in objects: one byte, or every so many bytes.
//!
//! Assumed of all programs: a pointer that is moved again and again does not come around the address
//! space into its object again. C11 6.5.6p8 leaves that undefined. A single product that wraps around
//! is accounted for.

use ravelin_term::{BinOp, Term, TermKind, TermPool, UnOp, term_kinds};

/// The offsets `at + k * stride` for every integer k; with stride 0, `at` alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Offset {
    at: i64,
    stride: u64,
}

/// How two accesses may lie to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meeting {
    /// They may begin at the same byte.
    pub(crate) same: bool,
    /// They may have some bytes in common but begin at different ones.
    pub(crate) partial: bool,
}

/// Offsets farther from the start of an object than this are not told apart.
const FARTHEST: i64 = 1 << 40;

impl Offset {
    /// The start of an object.
    pub const ZERO: Offset = Offset { at: 0, stride: 0 };
    /// Every offset.
    pub const ANY: Offset = Offset { at: 0, stride: 1 };

    pub fn exact(at: i64) -> Offset {
        Offset { at, stride: 0 }.bounded()
    }

    /// `at` and all that differ from it by a multiple of `stride`.
    pub fn every(stride: u64, at: i64) -> Offset {
        Offset { at, stride }.bounded()
    }

    fn bounded(self) -> Offset {
        if self.stride > FARTHEST as u64 || self.at.unsigned_abs() > FARTHEST as u64 {
            return Offset::ANY;
        }
        match self.stride {
            0 => self,
            stride => Offset { at: self.at.rem_euclid(stride as i64), stride },
        }
    }

    /// The one offset, if it is one.
    pub fn as_exact(self) -> Option<i64> {
        (self.stride == 0).then_some(self.at)
    }

    /// The smallest offset that is not negative, for those with a stride.
    pub fn at(self) -> i64 {
        self.at
    }

    /// The distance of neighbours; 0 for a single offset.
    pub fn stride(self) -> u64 {
        self.stride
    }

    /// The sums of offsets of both.
    pub fn plus(self, other: Offset) -> Offset {
        Offset { at: self.at.wrapping_add(other.at), stride: gcd(self.stride, other.stride) }
            .bounded()
    }

    /// The differences.
    pub fn minus(self, other: Offset) -> Offset {
        self.plus(Offset { at: -other.at, stride: other.stride })
    }

    /// An offset pattern that has the offsets of both.
    pub(crate) fn join(self, other: Offset) -> Offset {
        let stride = gcd(gcd(self.stride, other.stride), self.at.abs_diff(other.at));
        Offset { at: self.at, stride }.bounded()
    }

    /// Whether every offset of `other` is one of these.
    pub fn covers(self, other: Offset) -> bool {
        match self.stride {
            0 => self == other,
            stride => {
                other.stride.is_multiple_of(stride)
                    && self.at.abs_diff(other.at).is_multiple_of(stride)
            }
        }
    }

    /// How `width` bytes here may lie to `other_width` bytes there, in one object.
    pub(crate) fn meeting(self, width: u64, other: Offset, other_width: u64) -> Meeting {
        let stride = gcd(self.stride, other.stride);
        // From here to there.
        let distance = i128::from(other.at) - i128::from(self.at);
        if stride == 0 {
            let same = distance == 0;
            let partial =
                !same && distance < i128::from(width) && -distance < i128::from(other_width);
            return Meeting { same, partial };
        }
        let ahead = distance.rem_euclid(i128::from(stride)) as u64;
        let behind = stride - ahead;
        if ahead == 0 {
            let partial = stride < width || stride < other_width;
            return Meeting { same: true, partial };
        }
        Meeting { same: false, partial: ahead < width || behind < other_width }
    }

    /// Whether an access of `width` bytes may be inside an object of this size.
    pub(crate) fn fits(self, width: u64, size: Option<u64>) -> bool {
        let Some(room) = size.map_or(Some(i64::MAX as u64), |size| size.checked_sub(width)) else {
            return false;
        };
        self.at >= 0 && self.at as u64 <= room
    }

    /// Whether an access of `width` bytes may touch an object of this size, though perhaps not inside of it.
    pub(crate) fn overlaps(self, width: u64, size: Option<u64>) -> bool {
        let end = i128::from(self.at) + i128::from(width);
        let is_before = size.is_none_or(|size| i128::from(self.at) < i128::from(size));
        self.stride != 0 || (is_before && end > 0)
    }

    /// Whether pointers with this offset may be to the object of this size or just past it, and
    /// surely are.
    pub(crate) fn is_inside(self, size: Option<u64>) -> bool {
        self.stride == 0 && self.at >= 0 && size.is_some_and(|size| self.at as u64 <= size)
    }

    /// The values of a bit-vector of pointer width as offsets.
    pub fn of_term(terms: &TermPool, term: Term) -> Offset {
        Offset::of_index(terms, term, true)
    }

    /// As [`Offset::of_term`], of what moves a pointer: it may not wrap around, if that is assumed.
    pub(crate) fn of_index(terms: &TermPool, term: Term, wraps: bool) -> Offset {
        let width = u32::from(terms.pointer_bits());
        linear(terms, term, (width, wraps), MAX_DEPTH).offset
    }
}

pub(crate) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// How deep into a sum it is looked.
const MAX_DEPTH: u32 = 32;

/// Numbers of a pattern, all below `2^bits` in absolute value.
#[derive(Clone, Copy)]
struct Linear {
    offset: Offset,
    bits: u32,
}

impl Linear {
    fn exact(value: i64) -> Linear {
        let bits = 64 - value.unsigned_abs().leading_zeros();
        Linear { offset: Offset::exact(value), bits }
    }

    /// Makes up for results that did not fit into `width` bits and wrapped around.
    fn wrapped(self, width: u32) -> Linear {
        if self.bits < width || self.offset.stride == 0 {
            return self;
        }
        let power = 1 << self.offset.stride.trailing_zeros();
        Linear { offset: Offset::every(power, self.offset.at), bits: width }
    }
}

/// `width` is that of the whole sum, whose products may wrap around or not.
fn linear(terms: &TermPool, term: Term, (width, wraps): (u32, bool), depth: u32) -> Linear {
    let unknown = |bits: u32| Linear { offset: Offset::ANY, bits };
    let own_width = terms.sort(term).width().map_or(width, u32::from);
    if depth == 0 {
        return unknown(own_width);
    }
    let inner = |term: Term| linear(terms, term, (width, wraps), depth - 1);
    let result = match terms.kind(term) {
        TermKind::Bv(_) => {
            match terms.as_signed(term).and_then(|value| i64::try_from(value).ok()) {
                Some(value) => Linear::exact(value),
                None => unknown(own_width),
            }
        }
        TermKind::Binary(BinOp::BvAdd, a, b) => {
            let (a, b) = (inner(a), inner(b));
            Linear { offset: a.offset.plus(b.offset), bits: a.bits.max(b.bits) + 1 }
        }
        TermKind::Binary(BinOp::BvSub, a, b) => {
            let (a, b) = (inner(a), inner(b));
            Linear { offset: a.offset.minus(b.offset), bits: a.bits.max(b.bits) + 1 }
        }
        TermKind::Unary(UnOp::BvNeg, a) => {
            let a = inner(a);
            Linear { offset: Offset::ZERO.minus(a.offset), bits: a.bits }
        }
        TermKind::Binary(op @ (BinOp::BvMul | BinOp::BvShl), a, b) => {
            let factor = match (op, terms.as_signed(b)) {
                (BinOp::BvMul, Some(by)) => i64::try_from(by).ok(),
                (BinOp::BvShl, Some(by @ 0..=40)) => Some(1 << by),
                _ => None,
            };
            match factor {
                Some(factor) => times(inner(a), factor),
                None => unknown(own_width),
            }
        }
        TermKind::Binary(BinOp::BvAnd, _, mask) => match terms.as_bv(mask) {
            Some(mask) if mask != 0 => {
                let step = 1 << mask.trailing_zeros().min(32);
                let bits = 128 - mask.leading_zeros();
                Linear { offset: Offset::every(step, 0), bits }
            }
            Some(_) | None => unknown(own_width),
        },
        TermKind::Ite(_, a, b) => {
            let (a, b) = (inner(a), inner(b));
            Linear { offset: a.offset.join(b.offset), bits: a.bits.max(b.bits) }
        }
        // What is extended may have wrapped around in its own width, and did so exactly.
        TermKind::Unary(UnOp::ZeroExt(_) | UnOp::SignExt(_), a) => {
            let narrow = terms.sort(a).width().map_or(width, u32::from);
            let extended = linear(terms, a, (narrow, true), depth - 1);
            let is_signed = matches!(terms.kind(term), TermKind::Unary(UnOp::SignExt(_), _));
            match extended.offset.as_exact() {
                Some(_) if is_signed && extended.bits < narrow => extended,
                _ => unknown(narrow),
            }
        }
        TermKind::Bool(_)
        | TermKind::Float(_)
        | TermKind::Null
        | TermKind::Var(_)
        | TermKind::Address(_)
        | term_kinds!(operators, memory) => unknown(own_width),
    };
    if wraps { result.wrapped(own_width) } else { result }
}

fn times(a: Linear, factor: i64) -> Linear {
    let by = factor.unsigned_abs();
    let bits = a.bits + 64 - by.leading_zeros();
    let product = a.offset.at.checked_mul(factor).zip(a.offset.stride.checked_mul(by));
    match product {
        Some((at, stride)) if factor != 0 => {
            Linear { offset: Offset { at, stride }.bounded(), bits }
        }
        Some(_) => Linear::exact(0),
        None => Linear { offset: Offset::ANY, bits },
    }
}

#[cfg(test)]
mod tests {
    use ravelin_term::{Sort, Var};

    use super::*;

    fn meets(a: Offset, width: u64, b: Offset, other: u64) -> (bool, bool) {
        let Meeting { same, partial } = a.meeting(width, b, other);
        (same, partial)
    }

    #[test]
    fn exact_offsets_meet_where_their_bytes_do() {
        let at = Offset::exact;
        assert_eq!(meets(at(4), 4, at(4), 4), (true, false));
        assert_eq!(meets(at(4), 4, at(8), 4), (false, false));
        assert_eq!(meets(at(4), 8, at(8), 4), (false, true));
        assert_eq!(meets(at(7), 1, at(4), 4), (false, true));
        assert_eq!(meets(at(8), 1, at(4), 4), (false, false));
    }

    #[test]
    fn strided_offsets_meet_in_their_residues() {
        let of = Offset::every;
        assert_eq!(meets(of(8, 0), 4, of(8, 4), 4), (false, false));
        assert_eq!(meets(of(8, 0), 4, Offset::exact(16), 4), (true, false));
        assert_eq!(meets(of(8, 0), 8, of(8, 4), 4), (false, true));
        assert_eq!(meets(of(2, 0), 4, of(8, 0), 4), (true, true));
        assert_eq!(meets(Offset::ANY, 1, of(8, 4), 4), (true, true));
    }

    /// The meeting of two patterns against that of all pairs of their offsets in a small object.
    #[test]
    fn meetings_are_those_of_single_offsets() {
        let patterns: Vec<Offset> = (0..6)
            .flat_map(|at| [0, 1, 2, 3, 4, 6, 8].map(|stride| Offset::every(stride, at)))
            .collect();
        let members = |offset: Offset| {
            (-48..48).filter(move |&at| offset.covers(Offset::exact(at))).collect::<Vec<i64>>()
        };
        for &a in &patterns {
            for &b in &patterns {
                for (width, other) in [(1, 4), (4, 4), (8, 2)] {
                    let (mut same, mut partial) = (false, false);
                    for x in members(a) {
                        for y in members(b) {
                            same |= x == y;
                            partial |= x != y && x < y + other && y < x + width;
                        }
                    }
                    let found = a.meeting(width as u64, b, other as u64);
                    assert!(found.same || !same, "{a:?} {b:?}");
                    assert!(found.partial || !partial, "{a:?} {b:?} {width} {other}");
                }
                assert!(a.join(b).covers(a) && a.join(b).covers(b));
            }
        }
    }

    #[test]
    fn products_that_wrap_around_keep_their_power_of_two_only() {
        let mut terms = TermPool::new(64);
        let narrow = terms.var(Var::from_u32(0), Sort::Bv(32));
        let index = terms.unary(UnOp::SignExt(64), narrow);
        let wide = terms.var(Var::from_u32(1), Sort::Bv(64));
        let twelve = terms.bv(64, 12);
        let eight = terms.bv(64, 8);
        let fits = terms.binary(BinOp::BvMul, index, twelve);
        let wraps = terms.binary(BinOp::BvMul, wide, twelve);
        let sum = terms.binary(BinOp::BvAdd, fits, eight);
        assert_eq!(Offset::of_term(&terms, fits), Offset::every(12, 0));
        assert_eq!(Offset::of_term(&terms, wraps), Offset::every(4, 0));
        assert_eq!(Offset::of_term(&terms, sum), Offset::every(12, 8));
    }
}
