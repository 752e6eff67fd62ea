//! Terms as Z3 expressions.
//!
//! Sorts and operators are encoded as in [`crate::smtlib`]: bit-vectors and Booleans are the
//! logic's own; floats are IEEE floats, where all NaNs are one; a pointer is a bit-vector of the
//! object's number (32 bits, above) and the offset; a memory is a pair of arrays from pointers, one
//! to the bytes, one to the pointer last written there. Where the meaning depends on what the logic
//! does not have, such as the bits of a NaN or the addresses of objects, constants and functions
//! without definition stand in: every real value is among theirs.
//!
//! What must hold of such constants, whatever is asserted, is a *fact*; the solver asserts the facts
//! of all that it was given.

use std::ops::Range;

use ravelin_base::EntityRef;
use ravelin_term::{BinOp, Object, Sort, Term, TermKind, TermPool, UnOp, bin_ops, un_ops};
use rustc_hash::FxHashMap;
use z3::ast::{Array, Ast, BV, Bool, Dynamic, Float};
use z3::{FuncDecl, Sort as Z3Sort};

use super::float::FloatEncoder;

/// The bits of an object's number.
pub(super) const OBJECT_BITS: u32 = 32;

/// Up to so many objects whose alignment is known, solvers are told.
const MAX_ALIGNED: usize = 64;

/// A term's expression.
#[derive(Clone, Debug)]
pub(super) enum Encoded {
    Bool(Bool),
    /// Bit-vectors and pointers.
    Bv(BV),
    Float(Float),
    Memory {
        bytes: Array,
        pointers: Array,
    },
}

/// Makes expressions, each term's once.
#[derive(Debug)]
pub(super) struct Encoder {
    done: FxHashMap<Term, Encoded>,
    facts: Vec<Bool>,
    /// The terms that have facts, and which. They are few.
    facts_by_term: FxHashMap<Term, Range<usize>>,
    /// The terms with more than bit-vectors in them.
    theories: FxHashMap<Term, Theories>,
    floats: FloatEncoder,
    addresses: Option<Addresses>,
    /// How often the functions in `addresses` were used.
    addresses_used: usize,
}

/// What a term has beside bit-vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Theories {
    pub(super) floats: bool,
    /// Arrays, or functions without definition.
    pub(super) functions: bool,
}

impl Theories {
    pub(super) fn and(self, other: Theories) -> Theories {
        Theories {
            floats: self.floats || other.floats,
            functions: self.functions || other.functions,
        }
    }
}

/// The functions without definition that stand for the addresses of objects.
#[derive(Debug)]
struct Addresses {
    /// From an object's number to its address.
    base: FuncDecl,
    /// From an address to the number of the object there.
    resolve: FuncDecl,
}

/// The name of a variable in the logic.
pub(super) fn name_of(var: ravelin_term::Var) -> String {
    format!("v{}", var.as_u32())
}

impl Encoder {
    pub(super) fn new() -> Self {
        Encoder {
            done: FxHashMap::default(),
            facts: Vec::new(),
            facts_by_term: FxHashMap::default(),
            theories: FxHashMap::default(),
            floats: FloatEncoder::new(),
            addresses: None,
            addresses_used: 0,
        }
    }

    /// The expression of a Boolean term.
    ///
    /// # Panics
    /// When the term is not Boolean.
    pub(super) fn condition(&mut self, pool: &TermPool, term: Term) -> Bool {
        match self.encode(pool, term) {
            Encoded::Bool(expr) => expr,
            Encoded::Bv(_) | Encoded::Float(_) | Encoded::Memory { .. } => {
                panic!("a term of sort {} is no condition", pool.sort(term))
            }
        }
    }

    /// The expression of a term, made without recursion: terms nest deeper than a stack is.
    pub(super) fn encode(&mut self, pool: &TermPool, term: Term) -> Encoded {
        if let Some(done) = self.done.get(&term) {
            return done.clone();
        }
        let is_done = |this: &Self, term| this.done.contains_key(&term);
        pool.for_each_operands_first(term, self, is_done, |this, next| {
            let (before, addresses_used) = (this.facts.len(), this.addresses_used);
            let encoded = this.node(pool, next);
            if this.facts.len() > before {
                this.facts_by_term.insert(next, before..this.facts.len());
            }
            let own = Theories {
                floats: matches!(encoded, Encoded::Float(_)),
                functions: matches!(encoded, Encoded::Memory { .. })
                    || this.addresses_used > addresses_used,
            };
            let theories =
                pool.children(next).fold(own, |all, child| all.and(this.theories(child)));
            if theories != Theories::default() {
                this.theories.insert(next, theories);
            }
            this.done.insert(next, encoded);
        });
        self.done[&term].clone()
    }

    /// What holds of all that was made up for the term.
    pub(super) fn facts_of(&self, pool: &TermPool, term: Term) -> Vec<Bool> {
        let mut facts = Vec::new();
        if !self.facts_by_term.is_empty() {
            pool.for_each_subterm(term, |subterm, _| {
                if let Some(range) = self.facts_by_term.get(&subterm) {
                    facts.extend_from_slice(&self.facts[range.clone()]);
                }
            });
        }
        facts
    }

    /// What there is in the term, which was encoded.
    pub(super) fn theories(&self, term: Term) -> Theories {
        self.theories.get(&term).copied().unwrap_or_default()
    }

    /// The expression of a term whose subterms have theirs.
    fn node(&mut self, pool: &TermPool, term: Term) -> Encoded {
        let sort = pool.sort(term);
        match pool.kind(term) {
            TermKind::Bool(value) => Encoded::Bool(Bool::from_bool(value)),
            TermKind::Bv(value) => {
                Encoded::Bv(bv_literal(value, sort.width().unwrap_or(Sort::MAX_WIDTH)))
            }
            TermKind::Float(bits) => match sort {
                Sort::Float(kind) => Encoded::Float(self.floats.literal(kind, bits)),
                Sort::Bool | Sort::Bv(_) | Sort::Ptr | Sort::Mem => {
                    unreachable!("float literals have float sorts")
                }
            },
            TermKind::Null => Encoded::Bv(pointer_literal(0, pool)),
            TermKind::Address(object) => {
                Encoded::Bv(pointer_literal(object.index() as u64 + 1, pool))
            }
            TermKind::Var(var) => variable(&name_of(var), sort, pool.pointer_bits()),
            TermKind::Unary(op, a) => self.unary(pool, op, a),
            TermKind::Binary(op, a, b) => self.binary(pool, op, a, b),
            TermKind::Ite(cond, a, b) => {
                let cond = self.bool_of(cond);
                match (self.done[&a].clone(), self.done[&b].clone()) {
                    (Encoded::Bool(a), Encoded::Bool(b)) => Encoded::Bool(cond.ite(&a, &b)),
                    (Encoded::Bv(a), Encoded::Bv(b)) => Encoded::Bv(cond.ite(&a, &b)),
                    (Encoded::Float(a), Encoded::Float(b)) => Encoded::Float(cond.ite(&a, &b)),
                    (
                        Encoded::Memory { bytes: a, pointers: p },
                        Encoded::Memory { bytes: b, pointers: q },
                    ) => Encoded::Memory { bytes: cond.ite(&a, &b), pointers: cond.ite(&p, &q) },
                    _ => unreachable!("both branches have one sort"),
                }
            }
            TermKind::Read(mem, pointer) => self.read(pool, mem, pointer, sort),
            TermKind::Write(mem, pointer, value) => self.write(pool, mem, pointer, value),
        }
    }

    fn bool_of(&self, term: Term) -> Bool {
        match &self.done[&term] {
            Encoded::Bool(expr) => expr.clone(),
            Encoded::Bv(_) | Encoded::Float(_) | Encoded::Memory { .. } => {
                unreachable!("the builders check sorts")
            }
        }
    }

    fn bv_of(&self, term: Term) -> BV {
        match &self.done[&term] {
            Encoded::Bv(expr) => expr.clone(),
            Encoded::Bool(_) | Encoded::Float(_) | Encoded::Memory { .. } => {
                unreachable!("the builders check sorts")
            }
        }
    }

    fn float_of(&self, term: Term) -> Float {
        match &self.done[&term] {
            Encoded::Float(expr) => expr.clone(),
            Encoded::Bool(_) | Encoded::Bv(_) | Encoded::Memory { .. } => {
                unreachable!("the builders check sorts")
            }
        }
    }

    fn memory_of(&self, term: Term) -> (Array, Array) {
        match &self.done[&term] {
            Encoded::Memory { bytes, pointers } => (bytes.clone(), pointers.clone()),
            Encoded::Bool(_) | Encoded::Bv(_) | Encoded::Float(_) => {
                unreachable!("the builders check sorts")
            }
        }
    }

    fn unary(&mut self, pool: &TermPool, op: UnOp, a: Term) -> Encoded {
        let from = pool.sort(a);
        match op {
            UnOp::Not => Encoded::Bool(self.bool_of(a).not()),
            UnOp::BvNot => Encoded::Bv(self.bv_of(a).bvnot()),
            UnOp::BvNeg => Encoded::Bv(self.bv_of(a).bvneg()),
            UnOp::ZeroExt(to) => {
                let a = self.bv_of(a);
                Encoded::Bv(a.zero_ext(u32::from(to) - a.get_size()))
            }
            UnOp::SignExt(to) => {
                let a = self.bv_of(a);
                Encoded::Bv(a.sign_ext(u32::from(to) - a.get_size()))
            }
            UnOp::Extract { hi, lo } => Encoded::Bv(self.bv_of(a).extract(hi.into(), lo.into())),
            UnOp::PtrToInt => {
                let pointer = self.bv_of(a);
                let address = self.address(&pointer);
                self.align_base(pool, &pointer);
                Encoded::Bv(address)
            }
            UnOp::PtrObject => Encoded::Bv(object_of(&self.bv_of(a))),
            UnOp::PtrOffset => Encoded::Bv(offset_of(&self.bv_of(a))),
            UnOp::IntToPtr => {
                let address = self.bv_of(a);
                Encoded::Bv(self.pointer_at(&address))
            }
            UnOp::SToF(to) => Encoded::Float(self.floats.of_integer(&self.bv_of(a), true, to)),
            UnOp::UToF(to) => Encoded::Float(self.floats.of_integer(&self.bv_of(a), false, to)),
            UnOp::BitsToF(to) => Encoded::Float(self.floats.of_bits(&self.bv_of(a), to)),
            un_ops!(float, float_test, float_to_int) | UnOp::FToBits => {
                let Sort::Float(kind) = from else { unreachable!("the builders check sorts") };
                let a = self.float_of(a);
                self.floats.unary(op, kind, &a, &mut self.facts)
            }
        }
    }

    fn binary(&mut self, pool: &TermPool, op: BinOp, a: Term, b: Term) -> Encoded {
        let bv = |make: fn(&BV, BV) -> BV| Encoded::Bv(make(&self.bv_of(a), self.bv_of(b)));
        let order = |make: fn(&BV, BV) -> Bool| Encoded::Bool(make(&self.bv_of(a), self.bv_of(b)));
        match op {
            BinOp::And => Encoded::Bool(Bool::and(&[self.bool_of(a), self.bool_of(b)])),
            BinOp::Or => Encoded::Bool(Bool::or(&[self.bool_of(a), self.bool_of(b)])),
            BinOp::Eq => Encoded::Bool(match (&self.done[&a], &self.done[&b]) {
                (Encoded::Bool(a), Encoded::Bool(b)) => a.iff(b),
                (Encoded::Bv(a), Encoded::Bv(b)) => a.eq(b),
                (
                    Encoded::Memory { bytes: a, pointers: p },
                    Encoded::Memory { bytes: b, pointers: q },
                ) => Bool::and(&[a.eq(b), p.eq(q)]),
                _ => unreachable!("the builders check sorts"),
            }),
            BinOp::BvAdd => bv(BV::bvadd),
            BinOp::BvSub => bv(BV::bvsub),
            BinOp::BvMul => bv(BV::bvmul),
            BinOp::BvUdiv => bv(BV::bvudiv),
            BinOp::BvSdiv => bv(BV::bvsdiv),
            BinOp::BvUrem => bv(BV::bvurem),
            BinOp::BvSrem => bv(BV::bvsrem),
            BinOp::BvShl => bv(BV::bvshl),
            BinOp::BvLshr => bv(BV::bvlshr),
            BinOp::BvAshr => bv(BV::bvashr),
            BinOp::BvAnd => bv(BV::bvand),
            BinOp::BvOr => bv(BV::bvor),
            BinOp::BvXor => bv(BV::bvxor),
            BinOp::Concat | BinOp::PtrMake => bv(BV::concat),
            BinOp::BvUlt => order(BV::bvult),
            BinOp::BvUle => order(BV::bvule),
            BinOp::BvSlt => order(BV::bvslt),
            BinOp::BvSle => order(BV::bvsle),
            bin_ops!(float_arithmetic, float_order) => {
                let Sort::Float(kind) = pool.sort(a) else {
                    unreachable!("the builders check sorts")
                };
                let (a, b) = (self.float_of(a), self.float_of(b));
                self.floats.binary(op, kind, &a, &b)
            }
            BinOp::PtrAdd => {
                let (pointer, added) = (self.bv_of(a), self.bv_of(b));
                Encoded::Bv(object_of(&pointer).concat(offset_of(&pointer).bvadd(added)))
            }
            BinOp::PtrDiff => {
                let (a, b) = (self.bv_of(a), self.bv_of(b));
                let (within, across) =
                    (offset_of(&a).bvsub(offset_of(&b)), self.address(&a).bvsub(self.address(&b)));
                Encoded::Bv(object_of(&a).eq(object_of(&b)).ite(&within, &across))
            }
            BinOp::PtrLt | BinOp::PtrLe => {
                let (a, b) = (self.bv_of(a), self.bv_of(b));
                let (object_a, object_b) = (object_of(&a), object_of(&b));
                let (offset_a, offset_b) = (offset_of(&a), offset_of(&b));
                let (address_a, address_b) = (self.address(&a), self.address(&b));
                let (signed, unsigned) = match op {
                    BinOp::PtrLt => (offset_a.bvslt(offset_b), address_a.bvult(address_b)),
                    _ => (offset_a.bvsle(offset_b), address_a.bvule(address_b)),
                };
                let within = Bool::and(&[object_a.eq(&object_b), is_nonzero(&object_a)]);
                Encoded::Bool(within.ite(&signed, &unsigned))
            }
        }
    }

    /// The address of a pointer: its object's plus the offset.
    fn address(&mut self, pointer: &BV) -> BV {
        let (object, offset) = (object_of(pointer), offset_of(pointer));
        let base = self.base(&object, offset.get_size());
        is_nonzero(&object).ite(&base.bvadd(&offset), &offset)
    }

    /// The address of the object with this number, which is not null.
    fn base(&mut self, object: &BV, pointer_bits: u32) -> BV {
        let base = self.addresses(pointer_bits).base.apply(&[object]);
        let base = base.as_bv().unwrap_or_else(|| unreachable!("addresses are bit-vectors"));
        self.facts.push(is_nonzero(object).implies(is_nonzero(&base)));
        base
    }

    /// The address of the object of this pointer is a multiple of its alignment.
    fn align_base(&mut self, pool: &TermPool, pointer: &BV) {
        let aligned: Vec<(Object, u32)> = pool.alignments().take(MAX_ALIGNED + 1).collect();
        if aligned.len() > MAX_ALIGNED {
            return;
        }
        let (object, bits) = (object_of(pointer), pool.pointer_bits());
        let base = self.base(&object, bits.into());
        let rest = |alignment: u32| base.bvand(bv_literal(u128::from(alignment) - 1, bits));
        for (known, alignment) in aligned {
            let number = BV::from_u64(known.index() as u64 + 1, OBJECT_BITS);
            self.facts.push(object.eq(&number).implies(is_nonzero(&rest(alignment)).not()));
        }
    }

    /// The pointer with this address, in whatever object.
    fn pointer_at(&mut self, address: &BV) -> BV {
        let bits = address.get_size();
        let object = self.addresses(bits).resolve.apply(&[address]);
        let object = object.as_bv().unwrap_or_else(|| unreachable!("numbers are bit-vectors"));
        let base = self.base(&object, bits);
        let offset = is_nonzero(&object).ite(&address.bvsub(base), address);
        let found = object.concat(offset);
        let null = BV::from_u64(0, OBJECT_BITS + bits);
        is_nonzero(address).ite(&found, &null)
    }

    fn addresses(&mut self, pointer_bits: u32) -> &Addresses {
        self.addresses_used += 1;
        self.addresses.get_or_insert_with(|| {
            let (object, address) =
                (Z3Sort::bitvector(OBJECT_BITS), Z3Sort::bitvector(pointer_bits));
            Addresses {
                base: FuncDecl::new("base", &[&object], &address),
                resolve: FuncDecl::new("resolve", &[&address], &object),
            }
        })
    }

    fn read(&mut self, pool: &TermPool, mem: Term, pointer: Term, sort: Sort) -> Encoded {
        let (bytes, pointers) = self.memory_of(mem);
        let pointer = self.bv_of(pointer);
        let length =
            pool.bytes_of(sort).unwrap_or_else(|| unreachable!("the builders check sorts"));
        let byte = |index: u16| {
            let byte = bytes.select(&moved(&pointer, index)).as_bv();
            byte.unwrap_or_else(|| unreachable!("memories are of bytes"))
        };
        let bits = (1..length).fold(byte(0), |low, index| byte(index).concat(low));
        match sort {
            Sort::Bv(_) => Encoded::Bv(bits),
            Sort::Float(kind) => Encoded::Float(self.floats.of_bits(&bits, kind)),
            Sort::Ptr => {
                // The pointer that was written last, if these bytes are its address.
                let stored = pointers.select(&pointer).as_bv();
                let stored = stored.unwrap_or_else(|| unreachable!("these are pointers"));
                let (address, made) = (self.address(&stored), self.pointer_at(&bits));
                let null = BV::from_u64(0, stored.get_size());
                let known = address.eq(&bits).ite(&stored, &made);
                Encoded::Bv(is_nonzero(&bits).ite(&known, &null))
            }
            Sort::Bool | Sort::Mem => unreachable!("the builders check sorts"),
        }
    }

    fn write(&mut self, pool: &TermPool, mem: Term, pointer: Term, value: Term) -> Encoded {
        let (mut bytes, mut pointers) = self.memory_of(mem);
        let pointer = self.bv_of(pointer);
        let bits = match (pool.sort(value), self.done[&value].clone()) {
            (Sort::Ptr, Encoded::Bv(value)) => {
                pointers = pointers.store(&pointer, &value);
                self.address(&value)
            }
            (Sort::Float(kind), Encoded::Float(value)) => {
                self.floats.bits(kind, &value, &mut self.facts)
            }
            (_, Encoded::Bv(value)) => value,
            (_, Encoded::Bool(_) | Encoded::Float(_) | Encoded::Memory { .. }) => {
                unreachable!("the builders check sorts")
            }
        };
        for index in 0..(bits.get_size() / 8) as u16 {
            let low = 8 * u32::from(index);
            let byte = bits.extract(low + 7, low);
            bytes = bytes.store(&moved(&pointer, index), &byte);
        }
        Encoded::Memory { bytes, pointers }
    }
}

/// The constant or constants that a variable is.
pub(super) fn variable(name: &str, sort: Sort, pointer_bits: u16) -> Encoded {
    let pointer = OBJECT_BITS + u32::from(pointer_bits);
    match sort {
        Sort::Bool => Encoded::Bool(Bool::new_const(name)),
        Sort::Bv(width) => Encoded::Bv(BV::new_const(name, width.into())),
        Sort::Ptr => Encoded::Bv(BV::new_const(name, pointer)),
        Sort::Float(kind) => {
            let (exponent, significand) = super::float::format(kind);
            Encoded::Float(Float::new_const(name, exponent, significand))
        }
        Sort::Mem => {
            let (index, byte) = (Z3Sort::bitvector(pointer), Z3Sort::bitvector(8));
            Encoded::Memory {
                bytes: Array::new_const(format!("{name}.bytes"), &index, &byte),
                pointers: Array::new_const(format!("{name}.pointers"), &index, &index),
            }
        }
    }
}

impl Encoded {
    /// The expressions, one for all sorts but memory.
    pub(super) fn parts(&self) -> Vec<Dynamic> {
        match self {
            Encoded::Bool(expr) => vec![expr.into()],
            Encoded::Bv(expr) => vec![expr.into()],
            Encoded::Float(expr) => vec![expr.into()],
            Encoded::Memory { bytes, pointers } => vec![bytes.into(), pointers.into()],
        }
    }
}

pub(super) fn bv_literal(value: u128, width: u16) -> BV {
    match u64::try_from(value) {
        Ok(value) => BV::from_u64(value, width.into()),
        Err(_) => BV::from_u64((value >> 64) as u64, u32::from(width) - 64)
            .concat(BV::from_u64(value as u64, 64))
            .simplify(),
    }
}

fn pointer_literal(number: u64, pool: &TermPool) -> BV {
    bv_literal(u128::from(number) << pool.pointer_bits(), pool.pointer_bits() + OBJECT_BITS as u16)
}

pub(super) fn object_of(pointer: &BV) -> BV {
    let size = pointer.get_size();
    pointer.extract(size - 1, size - OBJECT_BITS)
}

pub(super) fn offset_of(pointer: &BV) -> BV {
    pointer.extract(pointer.get_size() - OBJECT_BITS - 1, 0)
}

/// The pointer so many bytes further.
fn moved(pointer: &BV, bytes: u16) -> BV {
    if bytes == 0 {
        return pointer.clone();
    }
    let offset = offset_of(pointer);
    let added = BV::from_u64(bytes.into(), offset.get_size());
    object_of(pointer).concat(offset.bvadd(added)).simplify()
}

fn is_nonzero(value: &BV) -> Bool {
    value.eq(BV::from_u64(0, value.get_size())).not()
}
