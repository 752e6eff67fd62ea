//! Pointers: the known object and offset, and the rewrites that use them.
//!
//! A pointer is a pair of an object and an offset, and equal only to the same pair. The order and the
//! difference of two pointers into one object are those of their offsets.

use ravelin_base::EntityRef;
use smallvec::SmallVec;

use crate::{
    BinOp, DYNAMIC_OBJECTS, FOREIGN_OBJECTS, Object, Term, TermKind, TermPool, UnOp, fold,
    term_kinds,
};

/// The base of a pointer's offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    /// No object: NULL, and integers that are not the address of an object.
    Nothing,
    Object(Object),
    /// An object that the execution allocated, or a foreign one, by its number.
    Dynamic(u32),
    /// Another pointer, which does not point to an object of the program or its execution.
    Foreign(Term),
    /// The object whose number this term is.
    Numbered(Term),
    /// Another pointer.
    Pointer(Term),
}

impl Base {
    /// Whether the object is known.
    fn is_known(self) -> bool {
        match self {
            Base::Nothing | Base::Object(_) | Base::Dynamic(_) => true,
            Base::Numbered(_) | Base::Foreign(_) | Base::Pointer(_) => false,
        }
    }

    /// Whether it is definitely an object of the program or its execution.
    fn is_own(self) -> bool {
        match self {
            Base::Object(_) => true,
            Base::Dynamic(number) => number < FOREIGN_OBJECTS,
            Base::Nothing | Base::Numbered(_) | Base::Foreign(_) | Base::Pointer(_) => false,
        }
    }

    fn is_foreign(self) -> bool {
        matches!(self, Base::Foreign(_))
    }

    fn is_apart(self, other: Base) -> bool {
        (self.is_known() && other.is_known() && self != other)
            || (self.is_foreign() && other.is_own())
            || (self.is_own() && other.is_foreign())
    }
}

/// A sum of products modulo 2^n, where n is the width of pointers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Linear {
    /// By term, each once, with a factor other than 0.
    products: SmallVec<[(Term, u128); 2]>,
    constant: u128,
}

/// A pointer as base and offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    base: Base,
    offset: Linear,
}

/// The distance from one pointer to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Distance {
    /// They are in different objects.
    Apart,
    /// This many bytes, modulo 2^n, where n is the width of pointers.
    Bytes(u128),
    /// In one object, at a distance of `rest` plus a multiple of `step`, a power of two above one.
    Steps {
        step: u128,
        rest: u128,
    },
    Unknown,
}

/// How the bytes at one pointer overlap those at another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// They are disjoint.
    None,
    /// They overlap, and the first byte of the second has this index in the first.
    At(i32),
    /// If they overlap, then the pointers are equal.
    Aligned,
    Unknown,
}

impl Distance {
    /// How `second` bytes at the end of the distance overlap `first` bytes at its start.
    fn overlap(self, first: u16, second: u16, pointer_bits: u16) -> Overlap {
        let (length, other_length) = (u128::from(first), u128::from(second));
        match self {
            Distance::Apart => Overlap::None,
            Distance::Unknown => Overlap::Unknown,
            Distance::Bytes(bytes) => {
                let modulus = 1u128 << pointer_bits;
                if bytes < length {
                    Overlap::At(bytes as i32)
                } else if modulus - bytes < other_length {
                    Overlap::At(-((modulus - bytes) as i32))
                } else {
                    Overlap::None
                }
            }
            Distance::Steps { step, rest: 0 } if step >= length && step >= other_length => {
                Overlap::Aligned
            }
            Distance::Steps { step, rest } => {
                let is_apart = rest >= length && step - rest >= other_length;
                if is_apart { Overlap::None } else { Overlap::Unknown }
            }
        }
    }
}

impl Place {
    fn distance_to(&self, other: &Place, pointer_bits: u16) -> Distance {
        if self.base.is_apart(other.base) {
            return Distance::Apart;
        }
        if self.base != other.base {
            return Distance::Unknown;
        }
        let bytes = other.offset.constant.wrapping_sub(self.offset.constant);
        if self.offset.products == other.offset.products {
            return Distance::Bytes(fold::truncate(bytes, pointer_bits));
        }
        // The difference is a sum of products, each a multiple of this.
        let step = self.offset.step_to(&other.offset, pointer_bits);
        if step < 2 {
            return Distance::Unknown;
        }
        Distance::Steps { step, rest: bytes & (step - 1) }
    }

    /// How `other_length` bytes at `other` overlap `length` bytes here.
    pub(crate) fn overlap(
        &self,
        length: u16,
        other: &Place,
        other_length: u16,
        pointer_bits: u16,
    ) -> Overlap {
        self.distance_to(other, pointer_bits).overlap(length, other_length, pointer_bits)
    }
}

impl Linear {
    /// The largest power of two that divides all factors of the difference, not all of which are 0.
    fn step_to(&self, other: &Linear, pointer_bits: u16) -> u128 {
        let factor_in = |sum: &Linear, term: Term| {
            sum.products.iter().find(|(other, _)| *other == term).map_or(0, |&(_, factor)| factor)
        };
        let terms = self.products.iter().chain(&other.products).map(|&(term, _)| term);
        let zeros = terms.map(|term| {
            factor_in(other, term).wrapping_sub(factor_in(self, term)).trailing_zeros()
        });
        1 << zeros.min().unwrap_or(0).min(u32::from(pointer_bits) - 1)
    }
}

/// Where a chain of [`BinOp::PtrAdd`] starts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Root {
    Pointer(Term),
    /// In the object with this number.
    Number(Term),
}

/// The largest alignment that is considered, in bits.
const MAX_ALIGNED_BITS: u32 = 12;

impl TermPool {
    /// Whether the offset of a pointer in its object is definitely a multiple of `bytes`, a power
    /// of two.
    pub fn is_aligned(&self, pointer: Term, bytes: u64) -> bool {
        let Place { base, offset } = self.place(pointer);
        let is_multiple = |value: u128| value.is_multiple_of(u128::from(bytes.max(1)));
        let from_start = match base {
            Base::Nothing | Base::Object(_) | Base::Dynamic(_) | Base::Numbered(_) => true,
            Base::Foreign(_) | Base::Pointer(_) => false,
        };
        from_start
            && bytes.is_power_of_two()
            && is_multiple(offset.constant)
            && offset.products.iter().all(|&(_, factor)| is_multiple(factor))
    }

    /// A term with the same low `bits` bits that drops the addresses whose alignment makes these
    /// bits zero; `None` if there is no such address.
    pub(crate) fn without_address(&mut self, term: Term, bits: u32) -> Option<Term> {
        if bits == 0 || bits > MAX_ALIGNED_BITS {
            return None;
        }
        match self.kind(term) {
            TermKind::Unary(UnOp::PtrToInt, pointer) => {
                let (root, offset) = self.root_and_offset(pointer);
                let alignment = match root {
                    Root::Pointer(root) => match self.kind(root) {
                        TermKind::Address(object) => self.alignment(object),
                        _ => return None,
                    },
                    Root::Number(number) => match base_of_number(self.as_bv(number)? as u32) {
                        Base::Dynamic(number) if number < crate::FOREIGN_OBJECTS => {
                            self.made_alignment()
                        }
                        Base::Dynamic(_)
                        | Base::Nothing
                        | Base::Object(_)
                        | Base::Numbered(_)
                        | Base::Foreign(_)
                        | Base::Pointer(_) => return None,
                    },
                };
                (u64::from(alignment) >= 1 << bits).then_some(offset)
            }
            TermKind::Unary(op @ (UnOp::ZeroExt(_) | UnOp::SignExt(_)), a) => {
                let width = self.sort(a).width().filter(|&width| u32::from(width) >= bits)?;
                debug_assert!(width > 0);
                let a = self.without_address(a, bits)?;
                Some(self.unary(op, a))
            }
            TermKind::Unary(op @ UnOp::Extract { hi, lo: 0 }, a) if u32::from(hi) + 1 >= bits => {
                let a = self.without_address(a, bits)?;
                Some(self.unary(op, a))
            }
            TermKind::Binary(op @ (BinOp::BvAdd | BinOp::BvSub), a, b) => {
                let (x, y) = (self.without_address(a, bits), self.without_address(b, bits));
                // The other operand stays unchanged.
                match (x, y) {
                    (None, None) => None,
                    (x, y) => Some(self.binary(op, x.unwrap_or(a), y.unwrap_or(b))),
                }
            }
            _ => None,
        }
    }

    /// `pointer` as base and offset.
    pub(crate) fn place(&self, pointer: Term) -> Place {
        let mut sum = Sum::new(self);
        let mut root = pointer;
        let base = loop {
            match self.kind(root) {
                TermKind::Binary(BinOp::PtrAdd, base, offset) => {
                    sum.add(offset);
                    root = base;
                }
                TermKind::Binary(BinOp::PtrMake, number, offset) => {
                    sum.add(offset);
                    break match self.as_bv(number) {
                        Some(number) => base_of_number(number as u32),
                        None => Base::Numbered(number),
                    };
                }
                TermKind::Null => break Base::Nothing,
                TermKind::Address(object) => break Base::Object(object),
                TermKind::Var(var) if self.is_foreign(var) => break Base::Foreign(root),
                term_kinds!(inner)
                | TermKind::Bool(_)
                | TermKind::Bv(_)
                | TermKind::Float(_)
                | TermKind::Var(_) => break Base::Pointer(root),
            }
        };
        Place { base, offset: sum.finish() }
    }

    /// How `other_length` bytes at `other` overlap `length` bytes at `pointer`, as far as the terms
    /// show.
    pub fn overlap(&self, pointer: Term, length: u16, other: Term, other_length: u16) -> Overlap {
        self.place(pointer).overlap(length, &self.place(other), other_length, self.pointer_bits())
    }

    /// Whether the pointer is a known object and a constant offset: like a literal, except that the
    /// address of a local depends on the frame.
    pub fn is_constant_pointer(&self, pointer: Term) -> bool {
        let mut root = pointer;
        loop {
            match self.kind(root) {
                TermKind::Binary(BinOp::PtrAdd, base, offset) if self.is_literal(offset) => {
                    root = base;
                }
                TermKind::Binary(BinOp::PtrMake, number, offset) => {
                    return self.is_literal(number) && self.is_literal(offset);
                }
                TermKind::Null | TermKind::Address(_) => return true,
                _ => return false,
            }
        }
    }

    /// The object number as a term, if the pointer shows it.
    fn object_number(&mut self, root: Root) -> Option<Term> {
        match root {
            Root::Number(number) => Some(number),
            Root::Pointer(pointer) => match self.kind(pointer) {
                TermKind::Null => Some(self.bv(32, 0)),
                TermKind::Address(object) => Some(self.bv(32, object.index() as u128 + 1)),
                _ => None,
            },
        }
    }

    /// The start of a chain of additions, and the sum of the offsets.
    fn root_and_offset(&mut self, pointer: Term) -> (Root, Term) {
        let mut root = pointer;
        let mut sum = None;
        loop {
            let (next, offset) = match self.kind(root) {
                TermKind::Binary(BinOp::PtrAdd, base, offset) => (Root::Pointer(base), offset),
                TermKind::Binary(BinOp::PtrMake, number, offset) => (Root::Number(number), offset),
                _ => break,
            };
            let total = match sum {
                Some(sum) => self.binary(BinOp::BvAdd, offset, sum),
                None => offset,
            };
            sum = Some(total);
            match next {
                Root::Pointer(base) => root = base,
                Root::Number(_) => return (next, total),
            }
        }
        let sum = sum.unwrap_or_else(|| self.offset(0));
        (Root::Pointer(root), sum)
    }

    pub(crate) fn rewrite_ptr_make(&mut self, number: Term, offset: Term) -> Option<Term> {
        if let (TermKind::Unary(UnOp::PtrObject, a), TermKind::Unary(UnOp::PtrOffset, b)) =
            (self.kind(number), self.kind(offset))
            && a == b
        {
            return Some(a);
        }
        let base = match base_of_number(self.as_bv(number)? as u32) {
            Base::Nothing => self.null(),
            Base::Object(object) => self.address(object),
            Base::Dynamic(_) | Base::Numbered(_) | Base::Foreign(_) | Base::Pointer(_) => {
                return None;
            }
        };
        Some(self.ptr_add(base, offset))
    }

    pub(crate) fn rewrite_ptr_add(&mut self, pointer: Term, offset: Term) -> Option<Term> {
        if self.as_bv(offset) == Some(0) {
            return Some(pointer);
        }
        match self.kind(pointer) {
            TermKind::Binary(BinOp::PtrMake, number, inner) => {
                let sum = self.binary(BinOp::BvAdd, inner, offset);
                Some(self.binary(BinOp::PtrMake, number, sum))
            }
            // (p + x) + c has the constant outermost; (p + c1) + c2 adds up.
            TermKind::Binary(BinOp::PtrAdd, base, inner) if self.as_bv(inner).is_some() => {
                if self.as_bv(offset).is_some() {
                    let sum = self.binary(BinOp::BvAdd, inner, offset);
                    return Some(self.ptr_add(base, sum));
                }
                let moved = self.ptr_add(base, offset);
                Some(self.ptr_add(moved, inner))
            }
            _ => None,
        }
    }

    pub(crate) fn rewrite_ptr_diff(&mut self, a: Term, b: Term) -> Option<Term> {
        let ((root_a, offset_a), (root_b, offset_b)) =
            (self.root_and_offset(a), self.root_and_offset(b));
        (root_a == root_b).then(|| self.binary(BinOp::BvSub, offset_a, offset_b))
    }

    /// `op` is [`BinOp::PtrLt`] or [`BinOp::PtrLe`].
    pub(crate) fn rewrite_ptr_order(&mut self, op: BinOp, a: Term, b: Term) -> Option<Term> {
        let (place_a, place_b) = (self.place(a), self.place(b));
        if place_a.base != place_b.base {
            return None;
        }
        let strict = op == BinOp::PtrLt;
        let op = match place_a.base {
            // Offsets from no object are addresses.
            Base::Nothing => [BinOp::BvUle, BinOp::BvUlt][usize::from(strict)],
            // No object is larger than half of the address space (C11 7.20.3: PTRDIFF_MAX), and a
            // program may compute a pointer before an object's start as a step to a valid one.
            Base::Object(_) | Base::Dynamic(_) => [BinOp::BvSle, BinOp::BvSlt][usize::from(strict)],
            // The base may be at any offset, so sums may wrap around.
            Base::Numbered(_) | Base::Foreign(_) | Base::Pointer(_) => return None,
        };
        let ((_, offset_a), (_, offset_b)) = (self.root_and_offset(a), self.root_and_offset(b));
        Some(self.binary(op, offset_a, offset_b))
    }

    /// Equality of two pointers that are not one term.
    pub(crate) fn rewrite_ptr_eq(&mut self, a: Term, b: Term) -> Option<Term> {
        // C11 6.5.9p6: distinct objects have distinct addresses, none of them null.
        if self.place(a).base.is_apart(self.place(b).base) {
            return Some(self.bool(false));
        }
        let ((root_a, offset_a), (root_b, offset_b)) =
            (self.root_and_offset(a), self.root_and_offset(b));
        if root_a == root_b {
            return Some(self.eq(offset_a, offset_b));
        }
        if let (Some(number_a), Some(number_b)) =
            (self.object_number(root_a), self.object_number(root_b))
        {
            let same_object = self.eq(number_a, number_b);
            let same_offset = self.eq(offset_a, offset_b);
            return Some(self.and(same_object, same_offset));
        }
        // The whole distance moves to one side, so that comparing a pointer with many places of an
        // object builds few different terms.
        let unknown = |pool: &mut Self, root: Root| match root {
            Root::Pointer(pointer) if pool.object_number(root).is_none() => Some(pointer),
            Root::Pointer(_) | Root::Number(_) => None,
        };
        let (bare, offset, root, other_offset) =
            match (unknown(self, root_a), unknown(self, root_b)) {
                (Some(a), Some(b)) if b < a => (b, offset_b, root_a, offset_a),
                (Some(a), _) => (a, offset_a, root_b, offset_b),
                (None, Some(b)) => (b, offset_b, root_a, offset_a),
                (None, None) => return None,
            };
        if self.as_bv(offset)? == 0 {
            return None;
        }
        let distance = self.binary(BinOp::BvSub, other_offset, offset);
        let other = match root {
            Root::Pointer(pointer) => self.ptr_add(pointer, distance),
            Root::Number(number) => self.binary(BinOp::PtrMake, number, distance),
        };
        Some(self.eq(bare, other))
    }

    pub(crate) fn rewrite_ptr_to_int(&mut self, a: Term) -> Option<Term> {
        match self.kind(a) {
            TermKind::Unary(UnOp::IntToPtr, address) => Some(address),
            // The address of (0, n) is n: offsetof written by hand.
            TermKind::Binary(BinOp::PtrAdd, ..) => match self.root_and_offset(a) {
                (Root::Pointer(root), offset) if self.kind(root) == TermKind::Null => Some(offset),
                _ => None,
            },
            _ => None,
        }
    }

    fn shows_object(&mut self, pointer: Term) -> bool {
        let (root, _) = self.root_and_offset(pointer);
        self.object_number(root).is_some()
    }

    pub(crate) fn rewrite_ptr_object(&mut self, a: Term) -> Option<Term> {
        if let TermKind::Ite(cond, x, y) = self.kind(a)
            && (self.shows_object(x) || self.shows_object(y))
        {
            let (x, y) = (self.unary(UnOp::PtrObject, x), self.unary(UnOp::PtrObject, y));
            return Some(self.ite(cond, x, y));
        }
        match self.root_and_offset(a).0 {
            Root::Pointer(root) if root != a => Some(self.unary(UnOp::PtrObject, root)),
            root => self.object_number(root),
        }
    }

    pub(crate) fn rewrite_ptr_offset(&mut self, a: Term) -> Option<Term> {
        if let TermKind::Ite(cond, x, y) = self.kind(a)
            && (self.shows_object(x) || self.shows_object(y))
        {
            let (x, y) = (self.unary(UnOp::PtrOffset, x), self.unary(UnOp::PtrOffset, y));
            return Some(self.ite(cond, x, y));
        }
        let (root, offset) = self.root_and_offset(a);
        match root {
            Root::Pointer(root) if self.object_number(Root::Pointer(root)).is_none() => (root != a)
                .then(|| {
                    let before = self.unary(UnOp::PtrOffset, root);
                    self.binary(BinOp::BvAdd, before, offset)
                }),
            Root::Pointer(_) | Root::Number(_) => Some(offset),
        }
    }

    pub(crate) fn rewrite_int_to_ptr(&mut self, a: Term) -> Option<Term> {
        match self.kind(a) {
            TermKind::Unary(UnOp::PtrToInt, pointer) => Some(pointer),
            // (T *)((intptr_t)p + n) points into p's object again: provenance is kept where the
            // term shows it.
            TermKind::Binary(BinOp::BvAdd, x, y) => match (self.kind(x), self.kind(y)) {
                (TermKind::Unary(UnOp::PtrToInt, pointer), _) => Some(self.ptr_add(pointer, y)),
                (_, TermKind::Unary(UnOp::PtrToInt, pointer)) => Some(self.ptr_add(pointer, x)),
                _ => None,
            },
            _ => None,
        }
    }
}

fn base_of_number(number: u32) -> Base {
    match number {
        0 => Base::Nothing,
        1..DYNAMIC_OBJECTS => Base::Object(Object::new(number as usize - 1)),
        DYNAMIC_OBJECTS.. => Base::Dynamic(number),
    }
}

/// Collects the products of an offset.
struct Sum<'a> {
    pool: &'a TermPool,
    products: SmallVec<[(Term, u128); 2]>,
    constant: u128,
    /// How many more operators may be expanded: shared subterms make a sum longer than its graph.
    fuel: usize,
}

impl<'a> Sum<'a> {
    fn new(pool: &'a TermPool) -> Self {
        Sum { pool, products: SmallVec::new(), constant: 0, fuel: 32 }
    }

    fn add(&mut self, offset: Term) {
        let mut work: SmallVec<[(Term, u128); 4]> = SmallVec::new();
        work.push((offset, 1));
        while let Some((term, factor)) = work.pop() {
            if let Some(value) = self.pool.as_bv(term) {
                self.constant = self.constant.wrapping_add(value.wrapping_mul(factor));
                continue;
            }
            if self.fuel == 0 {
                self.products.push((term, factor));
                continue;
            }
            self.fuel -= 1;
            let width = u128::from(self.pool.pointer_bits());
            match self.pool.kind(term) {
                TermKind::Binary(BinOp::BvAdd, a, b) => work.extend([(a, factor), (b, factor)]),
                TermKind::Binary(BinOp::BvSub, a, b) => {
                    work.extend([(a, factor), (b, factor.wrapping_neg())]);
                }
                TermKind::Unary(UnOp::BvNeg, a) => work.push((a, factor.wrapping_neg())),
                TermKind::Binary(op @ (BinOp::BvMul | BinOp::BvShl), a, b) => {
                    match (op, self.pool.as_bv(b)) {
                        (BinOp::BvMul, Some(by)) => work.push((a, factor.wrapping_mul(by))),
                        (BinOp::BvShl, Some(by)) if by < width => work.push((a, factor << by)),
                        _ => self.products.push((term, factor)),
                    }
                }
                _ => self.products.push((term, factor)),
            }
        }
    }

    fn finish(mut self) -> Linear {
        let width = self.pool.pointer_bits();
        if self.products.len() > 1 {
            self.products.sort_unstable();
            self.products.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                if same {
                    kept.1 = kept.1.wrapping_add(next.1);
                }
                same
            });
        }
        self.products.iter_mut().for_each(|(_, factor)| *factor = fold::truncate(*factor, width));
        self.products.retain(|(_, factor)| *factor != 0);
        Linear { products: self.products, constant: fold::truncate(self.constant, width) }
    }
}
