//! Hash-consed, typed terms over Booleans, bit-vectors, IEEE floats, pointers and memory.
//!
//! A [`TermPool`] owns all terms of a program; a [`Term`] is a `u32` into it, and equal terms have
//! equal indices. The builders ([`TermPool::unary`] and so on) simplify, so they return terms in
//! normal form: building the printed form of a term ([`text`]) again gives the same term.
//!
//! Loads and stores of an automaton are operations on its edges, so a term in an automaton depends
//! only on the values of variables. Terms of analyses may also read memory: only analyses use
//! [`TermKind::Read`], [`TermKind::Write`] and [`BinOp::PtrMake`].

mod build;
mod compare;
mod families;
mod fold;
mod memory;
mod pointer;
mod pool;
mod sort;
mod substitute;
pub mod text;
mod wide_float;

pub use pointer::Overlap;
pub use pool::{Term, TermPool};
pub use sort::{FloatKind, Sort};

use ravelin_base::entities;

entities! {
    /// A variable of the program: a global, a thread-local or a procedure's local scalar.
    pub struct Var("v");

    /// A named piece of memory of the program: a global, an address-taken local, a string literal or a
    /// function.
    pub struct Object("o");
}

/// The outermost operation of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TermKind {
    Bool(bool),
    /// A bit-vector constant; bits above the width of its sort are zero.
    Bv(u128),
    /// A float constant, as the bits of its interchange format (80 bits for [`FloatKind::F80`]).
    Float(u128),
    /// The pointer (0, 0).
    Null,
    Var(Var),
    /// The pointer to the first byte of an object. For a local object: of its instance in the
    /// current frame.
    Address(Object),
    Unary(UnOp, Term),
    Binary(BinOp, Term, Term),
    /// `if cond then a else b`; `a` and `b` have the same sort.
    Ite(Term, Term, Term),
    /// The value in memory at a pointer, of the term's sort: `Read(mem, ptr)`.
    Read(Term, Term),
    /// The memory `mem` with a value written at a pointer: `Write(mem, ptr, value)`. The value
    /// takes [`TermPool::bytes_of`] its sort bytes, the lowest first.
    Write(Term, Term, Term),
}

/// Operations with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnOp {
    /// Boolean negation.
    Not,
    BvNot,
    BvNeg,
    /// Zero extension to the given width, which exceeds the operand's.
    ZeroExt(u16),
    /// Sign extension to the given width, which exceeds the operand's.
    SignExt(u16),
    /// Bits `hi` down to `lo`, both inclusive.
    Extract {
        hi: u16,
        lo: u16,
    },
    FNeg,
    FAbs,
    FSqrt,
    /// Rounding to an integral value of the same float sort.
    FRound(Rounding),
    FIsNan,
    FIsInf,
    /// The sign bit, also of NaNs.
    FIsNegative,
    /// Float to float; rounds to nearest even.
    FToF(FloatKind),
    /// Signed bit-vector to float; rounds to nearest even.
    SToF(FloatKind),
    /// Unsigned bit-vector to float; rounds to nearest even.
    UToF(FloatKind),
    /// Float to signed bit-vector of the given width, towards zero. Out of range (C11 6.3.1.4p1:
    /// undefined) gives the smallest signed value, as x86 does for `int` and `long`.
    FToS(u16),
    /// Float to unsigned bit-vector of the given width, towards zero. Out of range is unspecified.
    FToU(u16),
    /// The bits of a float as a bit-vector of its storage width.
    FToBits,
    /// The float with the given bits.
    BitsToF(FloatKind),
    /// The address of a pointer as a bit-vector of pointer width.
    PtrToInt,
    /// The pointer with the given address: into the object whose range holds it, and otherwise (0,
    /// address).
    IntToPtr,
    /// The number of the object that a pointer points to, 0 if it points to none. Only analyses make
    /// this and the next: programs do not know the numbers of objects.
    PtrObject,
    /// The offset of a pointer in its object, the address if there is none.
    PtrOffset,
}

/// How [`UnOp::FRound`] rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    Floor,
    Ceil,
    Trunc,
    NearestEven,
    NearestAway,
}

/// Operations with two operands of one sort, except [`BinOp::Concat`], [`BinOp::PtrAdd`] and
/// [`BinOp::PtrMake`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinOp {
    And,
    Or,
    /// Equality of Booleans, bit-vectors or pointers; floats have [`BinOp::FEq`].
    Eq,
    BvAdd,
    BvSub,
    BvMul,
    /// As in SMT-LIB: `x / 0` is all ones.
    BvUdiv,
    /// As in SMT-LIB, truncating; `x / 0` is 1 or -1.
    BvSdiv,
    /// As in SMT-LIB: `x % 0` is `x`.
    BvUrem,
    /// As in SMT-LIB: sign of the dividend; `x % 0` is `x`.
    BvSrem,
    /// Shifting by the width or more gives 0.
    BvShl,
    /// Shifting by the width or more gives 0.
    BvLshr,
    /// Shifting by the width or more gives copies of the sign.
    BvAshr,
    BvAnd,
    BvOr,
    BvXor,
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    /// The first operand holds the more significant bits.
    Concat,
    FAdd,
    FSub,
    FMul,
    FDiv,
    /// C's `fmod`.
    FRem,
    FEq,
    FLt,
    FLe,
    /// Pointer plus a bit-vector of pointer width, in bytes.
    PtrAdd,
    /// Difference of two addresses in bytes, a bit-vector of pointer width.
    PtrDiff,
    /// Order of addresses, unsigned.
    PtrLt,
    PtrLe,
    /// The pointer with the given object number (32 bits) and offset (pointer width). The
    /// [`Object`] with index i has the number i + 1. Numbers from [`DYNAMIC_OBJECTS`] on are
    /// objects that the execution allocates. The number 0 is no object: NULL is (0, 0), and an
    /// integer that is not the address of an object is (0, integer).
    PtrMake,
}

/// The lowest object number without an [`Object`]: those of the heap.
pub const DYNAMIC_OBJECTS: u32 = 1 << 31;

/// Numbers from here on belong to objects that neither the program nor its execution makes. No
/// execution allocates so many objects that its numbers reach this bound.
pub const FOREIGN_OBJECTS: u32 = 3 << 30;
