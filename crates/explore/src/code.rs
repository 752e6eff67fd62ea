//! What the machine executes: procedures as flat lists of instructions over words.
//!
//! A value is a word: a Boolean is 0 or 1, a bit-vector or a float of up to 64 bits is zero-extended,
//! a pointer has its object in the upper half and its offset in the lower. Terms are computed into
//! temporaries, all operands at once: only what may trap or read a variable without a value is left
//! to [`Inst::Slow`], which evaluates as the interpreter does, in the same order.

use ravelin_base::{PrimaryMap, SrcPos, Symbol};
pub(crate) use ravelin_cfa::slots::{ObjectSlot, Place, Slots};
use ravelin_cfa::{AllocKind, ErrorKind, FreeKind, Gap, Object, ObjectFact, Proc, Program, SyncOp};
use ravelin_term::{BinOp, Sort, Term, UnOp, Var};

/// Where an operand comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Src {
    Local(u32),
    Temp(u32),
    Global(u32),
    ThreadLocal(u32),
    Const(u64),
    /// The address of the local object in this place of the frame.
    LocalObject(u32),
    /// The address of the thread-local object with this number.
    ThreadObject(u32),
}

/// What the search has to know of an edge before it is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Nature {
    /// Whether other threads may notice it or influence it.
    pub(crate) visible: bool,
    /// Whether it asks for a value that the program leaves open.
    pub(crate) draws: bool,
    /// Whether it leaves the procedure.
    pub(crate) returns: bool,
    /// Whether it ends the thread.
    pub(crate) exits: bool,
}

/// A call or the start of a thread.
#[derive(Clone, Debug)]
pub(crate) struct CallInst {
    pub(crate) callee: CalleeCode,
    pub(crate) args: Box<[(Src, Sort)]>,
    pub(crate) dst: Option<ResultPlace>,
    /// The number of this start among all of the program.
    pub(crate) site: u32,
}

/// Where the caller wants the result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResultPlace {
    pub(crate) place: Place,
    pub(crate) sort: Sort,
    /// Its bit in the masks of unset variables, if it has one.
    pub(crate) bit: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum CalleeCode {
    Direct(Proc),
    Pointer(Src),
}

#[derive(Clone, Debug)]
pub(crate) struct SyncInst {
    pub(crate) op: SyncOp,
    pub(crate) args: [Src; 2],
    pub(crate) dst: Option<Place>,
}

/// An instruction of a procedure.
#[derive(Clone, Debug)]
pub(crate) enum Inst {
    Unary {
        op: UnOp,
        sort: Sort,
        a: Src,
        to: u32,
    },
    /// Some of the low bits of a pointer's address.
    LowAddress {
        a: Src,
        mask: u64,
        to: u32,
    },
    Binary {
        op: BinOp,
        sort: Sort,
        sort_b: Sort,
        a: Src,
        b: Src,
        to: u32,
    },
    Select {
        cond: Src,
        a: Src,
        b: Src,
        to: u32,
    },
    /// Evaluates a term that may trap or read a variable without a value.
    Slow {
        term: Term,
        to: u32,
    },
    /// The guard of an edge: where it fails, the next edge is tried.
    Guard {
        cond: Src,
        otherwise: u32,
    },
    /// An edge begins.
    Begin(Nature),
    /// An assumption: where it fails, the run is no behaviour.
    Assume(Src),
    Assign {
        dst: Place,
        value: Src,
    },
    /// The variable in this place has a value from now on.
    MarkSet {
        bit: u32,
    },
    Havoc {
        dst: Place,
        domain: u32,
        sort: Sort,
    },
    Load {
        dst: Place,
        sort: Sort,
        addr: Src,
    },
    Store {
        addr: Src,
        value: Src,
        sort: Sort,
    },
    Call(Box<CallInst>),
    Return {
        value: Option<(Src, Sort)>,
    },
    Join {
        handle: Src,
        dst: Option<Place>,
    },
    ThreadExit {
        value: Src,
    },
    Sync(Box<SyncInst>),
    Jump(u32),
    /// Ends the step at a location.
    EndEdge {
        target: u32,
    },
    /// Behind a pointer, so that the others stay small.
    Rare(Box<RareInst>),
}

/// An instruction that does not matter for speed.
#[derive(Clone, Debug)]
pub(crate) enum RareInst {
    Copy {
        dst: Src,
        src: Src,
        size: Src,
    },
    Fill {
        dst: Src,
        byte: Src,
        size: Src,
    },
    HavocMemory,
    ScopeBegin {
        slot: u32,
        object: Object,
    },
    ScopeEnd {
        slot: u32,
    },
    Alloc {
        dst: Place,
        size: Src,
        kind: AllocKind,
    },
    Realloc {
        dst: Place,
        addr: Src,
        size: Src,
    },
    Free {
        addr: Src,
        kind: FreeKind,
    },
    Start(Box<CallInst>),
    ThreadSelf {
        dst: Place,
    },
    Inspect {
        dst: Place,
        addr: Src,
        fact: ObjectFact,
    },
    AtomicBegin,
    AtomicEnd,
    Error(ErrorKind),
    Exit {
        status: Src,
    },
    Abort,
    Unsupported(Gap),
    /// A standard function without model is called.
    NoModel(Symbol),
    /// Something the explorer cannot do, though the automaton can say it.
    Beyond(Beyond),
    /// No guard of the location or choice held, or there is no edge.
    NoWayOn,
}

impl From<RareInst> for Inst {
    fn from(inst: RareInst) -> Inst {
        Inst::Rare(Box::new(inst))
    }
}

impl RareInst {
    /// Whether the thread does not go on behind it.
    pub(crate) fn ends_thread(&self) -> bool {
        matches!(
            self,
            RareInst::Error(_)
                | RareInst::Exit { .. }
                | RareInst::Abort
                | RareInst::Unsupported(_)
                | RareInst::NoModel(_)
                | RareInst::Beyond(_)
                | RareInst::NoWayOn
        )
    }
}

/// What the words of the machine are too small for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// A value of more than 64 bits.
    WideValue,
    /// A call whose result goes to a global variable.
    GlobalResult,
}

/// A procedure.
#[derive(Clone, Debug, Default)]
pub(crate) struct ProcCode {
    pub(crate) insts: Vec<Inst>,
    pub(crate) infos: Vec<SrcPos>,
    pub(crate) entry: u32,
    /// The places of a frame: variables, then masks of variables without value, then objects.
    pub(crate) vars: u32,
    pub(crate) masks: u32,
    pub(crate) objects: Vec<Object>,
    /// The places of the variables that may be read before they have a value, by their bits in the
    /// masks.
    pub(crate) unset: Vec<u32>,
    pub(crate) params: Vec<(u32, Sort)>,
    /// Whether no other thread gets at the objects of its frames.
    pub(crate) is_quiet: bool,
    /// For each instruction, the variables that may still be read: those that a state keeps.
    pub(crate) live: Vec<Box<[u32]>>,
    /// The location that an instruction follows, and the edge it is on: for tables by these.
    pub(crate) locs: Vec<u32>,
    pub(crate) edges: Vec<Option<u32>>,
}

impl ProcCode {
    pub(crate) fn slots(&self) -> usize {
        (self.vars + self.masks) as usize + self.objects.len()
    }

    /// The place of the first object.
    pub(crate) fn first_object(&self) -> usize {
        (self.vars + self.masks) as usize
    }
}

/// The values to try where the program leaves one open.
#[derive(Clone, Debug)]
pub(crate) struct Domain {
    pub(crate) values: Box<[u64]>,
    /// Whether every other value behaves as one of these.
    pub(crate) complete: bool,
}

/// A program and its code.
#[derive(Debug)]
pub(crate) struct Compiled<'p> {
    pub(crate) program: &'p Program,
    pub(crate) procs: PrimaryMap<Proc, ProcCode>,
    pub(crate) slots: Slots,
    pub(crate) domains: Vec<Domain>,
    pub(crate) start_sites: u32,
    pub(crate) temps: u32,
    /// For each place of a variable in a frame, its bit in the masks of unset ones, if it has one.
    pub(crate) unset_bits: PrimaryMap<Var, Option<u32>>,
    /// The values of such a variable, as an index into `domains`.
    pub(crate) unset_domains: PrimaryMap<Var, u32>,
    /// A global variable without initial value that is read.
    pub(crate) open_global: Option<Var>,
}
