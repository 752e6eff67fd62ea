//! The arena of terms and its hash table.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use ravelin_base::{EntityRef, EntitySet, PrimaryMap, SecondaryMap, entities};
use rustc_hash::FxBuildHasher;
use smallvec::{SmallVec, smallvec};

use crate::{BinOp, FloatKind, Object, Sort, TermKind, UnOp, Var, bin_ops, term_kinds};

entities! {
    /// A term of a [`TermPool`]; equal terms of one pool have equal indices.
    pub struct Term("t");
}

/// All terms of a program.
#[derive(Clone, Debug)]
pub struct TermPool {
    nodes: PrimaryMap<Term, Node>,
    table: HashTable<Term>,
    pointer_bits: u16,
    /// Variables that hold pointers to none of the program's objects.
    foreign: EntitySet<Var>,
    /// The alignment of objects where it is known: a power of two.
    alignments: SecondaryMap<Object, u32>,
    /// The alignment of objects that the execution allocates.
    made_alignment: u32,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    kind: TermKind,
    sort: Sort,
    /// Orders the operands of commutative operators. The order depends only on the structure, not
    /// on the history of the pool, so that a term built again in another pool looks the same.
    rank: u64,
    /// For memories: the nesting depth of choices, not counting writes between them.
    choices: u8,
}

impl TermPool {
    /// An empty pool for pointers of the given width.
    pub fn new(pointer_bits: u16) -> Self {
        TermPool {
            nodes: PrimaryMap::new(),
            table: HashTable::new(),
            pointer_bits,
            foreign: EntitySet::new(),
            alignments: SecondaryMap::new(),
            made_alignment: 1,
        }
    }

    /// Declares the address of this object a multiple of a power of two.
    pub fn set_alignment(&mut self, object: Object, alignment: u32) {
        self.alignments[object] = alignment;
    }

    /// Declares the alignment of all objects that the execution allocates.
    pub fn set_made_alignment(&mut self, alignment: u32) {
        self.made_alignment = alignment;
    }

    /// Declares for the second object the alignment that is known of the first.
    pub fn share_alignment(&mut self, object: Object, other: Object) {
        let alignment = self.alignments[object];
        self.alignments[other] = alignment;
    }

    /// The objects whose alignment is known to be more than a byte.
    pub fn alignments(&self) -> impl Iterator<Item = (Object, u32)> + '_ {
        let known = self.alignments.iter();
        known
            .filter(|&(_, &alignment)| alignment > 1)
            .map(|(object, &alignment)| (object, alignment))
    }

    pub(crate) fn alignment(&self, object: Object) -> u32 {
        self.alignments[object].max(1)
    }

    pub fn made_alignment(&self) -> u32 {
        self.made_alignment
    }

    /// Declares that the variable holds only pointers to no [`Object`] and to no object that the
    /// execution allocates: they point to nothing, or to an object with a number from
    /// [`FOREIGN_OBJECTS`](crate::FOREIGN_OBJECTS) on. Callers declare this before they build terms
    /// with the variable.
    pub fn mark_foreign(&mut self, var: Var) {
        self.foreign.insert(var);
    }

    pub(crate) fn is_foreign(&self, var: Var) -> bool {
        self.foreign.contains(var)
    }

    pub fn kind(&self, term: Term) -> TermKind {
        self.nodes[term].kind
    }

    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term].sort
    }

    /// The nesting depth of the choices in a memory.
    pub(crate) fn choices(&self, mem: Term) -> u8 {
        self.nodes[mem].choices
    }

    pub fn pointer_bits(&self) -> u16 {
        self.pointer_bits
    }

    /// The sort of addresses and offsets.
    pub fn address_sort(&self) -> Sort {
        Sort::Bv(self.pointer_bits)
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The term of this kind and sort; creates it if it is new.
    pub(crate) fn intern(&mut self, kind: TermKind, sort: Sort) -> Term {
        let hash = FxBuildHasher.hash_one((kind, sort));
        let nodes = &self.nodes;
        let is_it = |&term: &Term| nodes[term].kind == kind && nodes[term].sort == sort;
        if let Some(&term) = self.table.find(hash, is_it) {
            return term;
        }
        let rank = self.rank_of(kind, sort);
        let choices = match kind {
            TermKind::Write(mem, ..) => self.choices(mem),
            TermKind::Ite(_, a, b) if sort == Sort::Mem => {
                self.choices(a).max(self.choices(b)).saturating_add(1)
            }
            _ => 0,
        };
        let term = self.nodes.push(Node { kind, sort, rank, choices });
        let nodes = &self.nodes;
        self.table.insert_unique(hash, term, |&term| {
            FxBuildHasher.hash_one((nodes[term].kind, nodes[term].sort))
        });
        term
    }

    /// Variables by index, then objects by index, then all other terms by structure.
    fn rank_of(&self, kind: TermKind, sort: Sort) -> u64 {
        const ADDRESS: u64 = 1 << 32;
        const OTHER: u64 = 1 << 63;
        match kind {
            TermKind::Var(var) => u64::from(var.as_u32()),
            TermKind::Address(object) => ADDRESS | u64::from(object.as_u32()),
            TermKind::Bool(_) | TermKind::Bv(_) | TermKind::Float(_) | TermKind::Null => {
                OTHER | FxBuildHasher.hash_one((kind, sort))
            }
            TermKind::Unary(op, a) => OTHER | FxBuildHasher.hash_one((op, self.nodes[a].rank)),
            TermKind::Binary(op, a, b) => {
                OTHER | FxBuildHasher.hash_one((op, self.nodes[a].rank, self.nodes[b].rank))
            }
            TermKind::Ite(c, a, b) => {
                let [c, a, b] = [c, a, b].map(|term| self.nodes[term].rank);
                OTHER | FxBuildHasher.hash_one((c, a, b))
            }
            TermKind::Read(mem, pointer) => {
                let [mem, pointer] = [mem, pointer].map(|term| self.nodes[term].rank);
                OTHER | FxBuildHasher.hash_one((sort, mem, pointer))
            }
            TermKind::Write(mem, pointer, value) => {
                let ranks = [mem, pointer, value].map(|term| self.nodes[term].rank);
                OTHER | FxBuildHasher.hash_one((sort, ranks))
            }
        }
    }

    /// Whether `a` stands to the right of `b` under a commutative operator. Constants stand rightmost.
    pub(crate) fn comes_after(&self, a: Term, b: Term) -> bool {
        let key = |term: Term| (self.is_literal(term), self.nodes[term].rank, term);
        key(a) > key(b)
    }

    pub fn bool(&mut self, value: bool) -> Term {
        self.intern(TermKind::Bool(value), Sort::Bool)
    }

    /// The bit-vector constant `value` modulo 2^`width`.
    pub fn bv(&mut self, width: u16, value: u128) -> Term {
        self.intern(TermKind::Bv(crate::fold::truncate(value, width)), Sort::Bv(width))
    }

    /// The float constant with the given bits.
    pub fn float(&mut self, kind: FloatKind, bits: u128) -> Term {
        self.intern(TermKind::Float(crate::fold::truncate(bits, kind.bits())), Sort::Float(kind))
    }

    pub fn null(&mut self) -> Term {
        self.intern(TermKind::Null, Sort::Ptr)
    }

    pub fn var(&mut self, var: Var, sort: Sort) -> Term {
        self.intern(TermKind::Var(var), sort)
    }

    pub fn address(&mut self, object: Object) -> Term {
        self.intern(TermKind::Address(object), Sort::Ptr)
    }

    /// An offset or address constant.
    pub fn offset(&mut self, value: u64) -> Term {
        self.bv(self.pointer_bits, u128::from(value))
    }

    /// The zero of a sort: false, 0, +0.0 or NULL.
    ///
    /// # Panics
    /// If `sort` is a memory, which has infinitely many bytes.
    pub fn zero(&mut self, sort: Sort) -> Term {
        match sort {
            Sort::Bool => self.bool(false),
            Sort::Bv(width) => self.bv(width, 0),
            Sort::Float(kind) => self.float(kind, 0),
            Sort::Ptr => self.null(),
            Sort::Mem => panic!("memory has no zero"),
        }
    }

    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match self.kind(term) {
            TermKind::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a bit-vector constant, zero-extended.
    pub fn as_bv(&self, term: Term) -> Option<u128> {
        match self.kind(term) {
            TermKind::Bv(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a bit-vector constant, sign-extended.
    pub fn as_signed(&self, term: Term) -> Option<i128> {
        let width = self.sort(term).width()?;
        self.as_bv(term).map(|value| crate::fold::sign_extend(value, width))
    }

    /// Whether the term is a literal value. Address constants are not: they depend on the frame.
    pub fn is_literal(&self, term: Term) -> bool {
        matches!(
            self.kind(term),
            TermKind::Bool(_) | TermKind::Bv(_) | TermKind::Float(_) | TermKind::Null
        )
    }

    /// The sort of `op` applied to an operand of sort `arg`, or `None` where it does not apply.
    pub fn unary_sort(&self, op: UnOp, arg: Sort) -> Option<Sort> {
        use Sort::{Bool, Bv, Float, Ptr};
        Some(match (op, arg) {
            (UnOp::Not, Bool) => Bool,
            (UnOp::BvNot | UnOp::BvNeg, Bv(width)) => Bv(width),
            (UnOp::ZeroExt(to) | UnOp::SignExt(to), Bv(width))
                if width < to && to <= Sort::MAX_WIDTH =>
            {
                Bv(to)
            }
            (UnOp::Extract { hi, lo }, Bv(width)) if lo <= hi && hi < width => Bv(hi - lo + 1),
            (UnOp::FNeg | UnOp::FAbs | UnOp::FSqrt | UnOp::FRound(_), Float(kind)) => Float(kind),
            (UnOp::FIsNan | UnOp::FIsInf | UnOp::FIsNegative, Float(_)) => Bool,
            (UnOp::FToF(to), Float(_)) => Float(to),
            (UnOp::SToF(to) | UnOp::UToF(to), Bv(_)) => Float(to),
            (UnOp::FToS(width) | UnOp::FToU(width), Float(_))
                if (1..=Sort::MAX_WIDTH).contains(&width) =>
            {
                Bv(width)
            }
            (UnOp::FToBits, Float(kind)) => Bv(kind.bits()),
            (UnOp::BitsToF(kind), Bv(width)) if width == kind.bits() => Float(kind),
            (UnOp::PtrToInt | UnOp::PtrOffset, Ptr) => self.address_sort(),
            (UnOp::PtrObject, Ptr) => Sort::Bv(32),
            (UnOp::IntToPtr, sort) if sort == self.address_sort() => Ptr,
            _ => return None,
        })
    }

    /// The sort of `op` applied to operands of sorts `a` and `b`, or `None` where it does not apply.
    pub fn binary_sort(&self, op: BinOp, a: Sort, b: Sort) -> Option<Sort> {
        use Sort::{Bool, Bv, Float, Ptr};
        Some(match (op, a, b) {
            (BinOp::And | BinOp::Or, Bool, Bool) => Bool,
            (BinOp::Eq, a, b) if a == b && !matches!(a, Float(_)) => Bool,
            (bin_ops!(bv_arithmetic, bv_division), Bv(a), Bv(b)) if a == b => Bv(a),
            (BinOp::BvUlt | BinOp::BvUle | BinOp::BvSlt | BinOp::BvSle, Bv(a), Bv(b)) if a == b => {
                Bool
            }
            (BinOp::Concat, Bv(a), Bv(b)) if a + b <= Sort::MAX_WIDTH => Bv(a + b),
            (bin_ops!(float_arithmetic), Float(a), Float(b)) if a == b => Float(a),
            (BinOp::FEq | BinOp::FLt | BinOp::FLe, Float(a), Float(b)) if a == b => Bool,
            (BinOp::PtrAdd, Ptr, offset) if offset == self.address_sort() => Ptr,
            (BinOp::PtrDiff, Ptr, Ptr) => self.address_sort(),
            (BinOp::PtrLt | BinOp::PtrLe, Ptr, Ptr) => Bool,
            (BinOp::PtrMake, Bv(32), offset) if offset == self.address_sort() => Ptr,
            _ => return None,
        })
    }

    /// The size in bytes of a value of this sort in memory; `None` if it has none.
    pub fn bytes_of(&self, sort: Sort) -> Option<u16> {
        match sort {
            Sort::Bool | Sort::Mem => None,
            Sort::Bv(width) => width.is_multiple_of(8).then_some(width / 8),
            Sort::Float(kind) => Some(kind.bits() / 8),
            Sort::Ptr => Some(self.pointer_bits / 8),
        }
    }

    /// The direct subterms.
    pub fn children(&self, term: Term) -> impl Iterator<Item = Term> + use<> {
        let (a, b, c) = match self.kind(term) {
            term_kinds!(leaves) => (None, None, None),
            TermKind::Unary(_, a) => (Some(a), None, None),
            TermKind::Binary(_, a, b) => (Some(a), Some(b), None),
            TermKind::Ite(c, a, b) => (Some(c), Some(a), Some(b)),
            TermKind::Read(mem, pointer) => (Some(mem), Some(pointer), None),
            TermKind::Write(mem, pointer, value) => (Some(mem), Some(pointer), Some(value)),
        };
        [a, b, c].into_iter().flatten()
    }

    /// Calls `visit` on `term` and everything below it, each distinct subterm once, without
    /// recursion: terms of generated programs nest deeper than the stack allows.
    pub fn for_each_subterm(&self, term: Term, mut visit: impl FnMut(Term, TermKind)) {
        // Most terms of an automaton are leaves or nearly so; a linear scan of the few seen terms
        // is faster than hashing until the term gets big.
        const SMALL: usize = 16;
        let mut seen_small: SmallVec<[Term; SMALL]> = SmallVec::new();
        let mut seen_large: rustc_hash::FxHashSet<Term> = Default::default();
        let mut work: SmallVec<[Term; SMALL]> = smallvec![term];
        while let Some(term) = work.pop() {
            if seen_small.contains(&term) || seen_large.contains(&term) {
                continue;
            }
            if seen_small.len() < SMALL {
                seen_small.push(term);
            } else {
                seen_large.insert(term);
            }
            visit(term, self.kind(term));
            work.extend(self.children(term));
        }
    }

    /// Calls `visit` on each subterm of `term` that is not done, operands first, without recursion.
    /// Visiting a term must make it done, so that `is_done` returns true for it.
    pub fn for_each_operands_first<S>(
        &self,
        term: Term,
        state: &mut S,
        is_done: impl Fn(&S, Term) -> bool,
        mut visit: impl FnMut(&mut S, Term),
    ) {
        let mut work = vec![term];
        while let Some(&next) = work.last() {
            if is_done(state, next) {
                work.pop();
                continue;
            }
            let pending = work.len();
            work.extend(self.children(next).filter(|&child| !is_done(state, child)));
            if work.len() == pending {
                work.pop();
                visit(state, next);
            }
        }
    }

    /// The variables that occur in `term`, each once, in order of first visit.
    pub fn vars_of(&self, term: Term) -> Vec<Var> {
        let mut vars = Vec::new();
        self.for_each_subterm(term, |_, kind| {
            if let TermKind::Var(var) = kind {
                vars.push(var);
            }
        });
        vars
    }

    /// All terms, in order of creation.
    pub fn iter(&self) -> impl Iterator<Item = Term> + use<> {
        (0..self.nodes.len()).map(Term::new)
    }
}
