//! What the machine executes: procedures as flat lists of instructions.
//!
//! A location of the automaton is an index into the list. The edges that leave it follow: a guard
//! jumps to the next edge when it fails, and the last instruction of an edge jumps to its target
//! and ends the step. Terms are lists of their own, in which every operand is a variable, a
//! constant or the top of a stack.

use ravelin_base::{SrcPos, Symbol};
pub(crate) use ravelin_cfa::slots::Place;
use ravelin_cfa::{
    AllocKind, Edge, ErrorKind, FreeKind, Gap, HavocKind, Object, ObjectFact, Proc, SyncOp,
};
use ravelin_term::{BinOp, Sort, UnOp, Var};

/// Where an operand comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// The top of the stack, which is popped.
    Top,
    Place(Place),
    /// An entry of the constants of the procedure.
    Const(u32),
    /// The address of the local object in this place of the frame.
    LocalObject(u32),
    /// The address of the thread-local object with this number.
    ThreadObject(u32),
}

/// An instruction of a term.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TermInst {
    Push(Operand),
    /// The sort is the operand's.
    Unary {
        op: UnOp,
        sort: Sort,
        a: Operand,
    },
    /// The sorts are the operands'. If both are on the stack, `b` is on top.
    Binary {
        op: BinOp,
        sort: Sort,
        sort_b: Sort,
        a: Operand,
        b: Operand,
    },
    /// If the operand is `value`, pushes it and jumps; the short cut of `And` and `Or`.
    ShortCut {
        a: Operand,
        value: bool,
        target: u32,
    },
    JumpUnless {
        cond: Operand,
        target: u32,
    },
    Jump(u32),
    /// From here to the matching end, a trap goes to the target.
    Try {
        target: u32,
    },
    EndTry,
    /// Where a trap went: it did not happen if the top of the stack is `unless`.
    Rethrow {
        unless: bool,
    },
    /// Pushes the value of a subterm that occurs several times; computed at the first time.
    Shared {
        index: u32,
        target: u32,
    },
    /// Ends the computation of a shared subterm, whose value is on top of the stack.
    EndShared {
        index: u32,
    },
    /// The value of the whole term is on top of the stack.
    End,
}

/// A term: an operand, or instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TermCode {
    Leaf(Operand),
    /// `length` instructions from `start` on, with so many shared subterms.
    Body {
        start: u32,
        length: u32,
        shared: u32,
    },
}

/// A call or the start of a thread.
#[derive(Clone, Debug)]
pub(crate) struct CallInst {
    pub(crate) callee: CalleeCode,
    pub(crate) args: Box<[(TermCode, Sort)]>,
    pub(crate) dst: Option<(Place, Sort)>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum CalleeCode {
    Direct(Proc),
    Pointer(TermCode),
}

#[derive(Clone, Debug)]
pub(crate) struct SyncInst {
    pub(crate) op: SyncOp,
    pub(crate) args: Box<[TermCode]>,
    pub(crate) dst: Option<Place>,
}

/// An instruction of a procedure.
#[derive(Clone, Debug)]
pub(crate) enum Inst {
    /// The guard of an edge: where it fails, the next edge is tried.
    Guard {
        cond: TermCode,
        otherwise: u32,
    },
    /// An assumption: where it fails, the run is no behaviour.
    Assume(TermCode),
    Assign {
        dst: Place,
        value: TermCode,
        sort: Sort,
    },
    Load {
        dst: Place,
        sort: Sort,
        addr: TermCode,
        is_atomic: bool,
    },
    Store {
        addr: TermCode,
        value: TermCode,
        sort: Sort,
        is_atomic: bool,
    },
    Call(Box<CallInst>),
    Return {
        value: Option<(TermCode, Sort)>,
    },
    Join {
        handle: TermCode,
        dst: Option<Place>,
    },
    ThreadExit {
        value: TermCode,
    },
    Sync(Box<SyncInst>),
    Jump(u32),
    /// Ends the step at a location.
    EndEdge {
        target: u32,
    },
    Rare(RareInst),
}

/// An instruction that does not matter for speed.
#[derive(Clone, Debug)]
pub(crate) enum RareInst {
    Havoc {
        dst: Place,
        var: Var,
        kind: HavocKind,
    },
    Copy {
        dst: TermCode,
        src: TermCode,
        size: TermCode,
    },
    Fill {
        dst: TermCode,
        byte: TermCode,
        size: TermCode,
    },
    /// What these pointers lead to may change.
    HavocMemory(Box<[TermCode]>),
    ScopeBegin {
        slot: u32,
        object: Object,
    },
    ScopeEnd {
        slot: u32,
    },
    Alloc {
        dst: Place,
        size: TermCode,
        kind: AllocKind,
    },
    Realloc {
        dst: Place,
        addr: TermCode,
        size: TermCode,
    },
    Free {
        addr: TermCode,
        kind: FreeKind,
    },
    Start(Box<CallInst>),
    ThreadSelf {
        dst: Place,
    },
    Inspect {
        dst: Place,
        addr: TermCode,
        fact: ObjectFact,
    },
    AtomicBegin,
    AtomicEnd,
    Print(Box<[(TermCode, Sort)]>),
    Error(ErrorKind),
    Exit {
        status: TermCode,
    },
    Abort,
    Unsupported(Gap),
    /// A standard function without model is called.
    NoModel(Symbol),
    /// No guard of the location or choice held, or there is no edge.
    NoWayOn,
}

/// What is known of an instruction besides what it does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InstInfo {
    pub(crate) pos: SrcPos,
    /// The edge it stands on; the exit location has none.
    pub(crate) edge: Option<Edge>,
}

/// A procedure.
#[derive(Clone, Debug)]
pub(crate) struct ProcCode {
    pub(crate) insts: Vec<Inst>,
    pub(crate) infos: Vec<InstInfo>,
    pub(crate) terms: Vec<TermInst>,
    pub(crate) consts: Vec<u128>,
    pub(crate) entry: u32,
}
