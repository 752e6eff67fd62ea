//! Answers, and what comes with them.

use std::fmt;

use ravelin_base::SrcPos;
pub use ravelin_cfa::reason::{Approximated, Coarse, Reason};
use ravelin_cfa::{ErrorKind, HavocKind, Loc, Proc, Sort};
use ravelin_term::{Term, TermPool, Var};

/// The answer to whether an error can be reached.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No execution reaches it.
    True(Proof),
    /// This execution reaches it, as far as the analysis can tell.
    False(Counterexample),
    Unknown(Reason),
}

/// What holds at the loop heads in every execution.
#[derive(Clone, Debug)]
pub struct Proof {
    /// By procedure and location.
    pub invariants: Vec<Invariant>,
    /// The pool of the invariants' terms. Their variables and objects are those of the program, but
    /// for `memories`.
    pub terms: TermPool,
    /// They stand for the contents of memory, each for a part of it.
    pub memories: Vec<Var>,
}

impl Proof {
    /// A proof that tells nothing of loop heads.
    pub fn without_invariants(terms: &TermPool) -> Self {
        Proof { invariants: Vec::new(), terms: terms.clone(), memories: Vec::new() }
    }
}

/// What holds whenever a location is reached: everything in `always`, and everything in one of the
/// `cases`, unless there are none.
///
/// About a local variable or object it speaks in the frame that is at the location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    pub proc: Proc,
    pub loc: Loc,
    /// Where the location stands in the source.
    pub pos: SrcPos,
    pub always: Vec<Term>,
    pub cases: Vec<Vec<Term>>,
}

/// An execution that reaches an error, by the inputs that lead there.
#[derive(Clone, Debug)]
pub struct Counterexample {
    pub error: ErrorKind,
    pub pos: SrcPos,
    /// In the order in which the execution takes them.
    pub inputs: Vec<Input>,
    /// Which thread makes each step; threads are numbered in the order in which they are started.
    pub schedule: Vec<u32>,
    /// The first operation on the way of which the analysis takes more for possible than there is.
    pub approximated: Option<Approximated>,
}

/// A value that the program takes from outside.
#[derive(Clone, Debug)]
pub struct Input {
    pub origin: InputOrigin,
    pub sort: Sort,
    pub pos: SrcPos,
    pub value: InputValue,
}

/// Where an input comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputOrigin {
    /// An operation that gives any value.
    Havoc(HavocKind),
    /// Memory that is read before anything was written there.
    Memory,
}

/// The value of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputValue {
    /// The bits of a Boolean, bit-vector or float, or the address of a pointer into no object.
    Bits(u128),
    /// A pointer into an object of the program, whose address the analysis does not know.
    Pointer(Term),
    /// A pointer into an object of the program's environment.
    Environment { number: u32, offset: u64 },
}

/// Runs claimed executions, and says whether they lead to the error.
pub type Judge<'a> = &'a mut dyn FnMut(&Counterexample) -> Result<(), Unconfirmed>;

/// A claimed execution that did not lead to the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unconfirmed {
    /// How it ended instead, in words.
    pub outcome: String,
    /// What that means for the answer: undefined behaviour, something not modelled, or another way.
    pub reason: Reason,
}

impl fmt::Display for Unconfirmed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the execution ends otherwise: {}", self.outcome)
    }
}
