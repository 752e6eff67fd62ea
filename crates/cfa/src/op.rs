//! Operations: what a label on an edge does.

use ravelin_base::{SrcPos, Symbol};
use ravelin_term::{Object, Term, Var};

use crate::model::Proc;

/// An operation and its source position.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    pub op: Op,
    pub pos: SrcPos,
}

/// One operation of a thread.
///
/// Terms read only variables; operations that touch memory say so. A blocked operation (a lock that
/// is held, a join with a running thread) is not enabled: its edge cannot be taken.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// Does nothing.
    Skip,
    /// Continues only if the Boolean term holds; otherwise the edge cannot be taken.
    ///
    /// As a guard it stands first on its edge, and the guards of a location are exclusive and
    /// exhaustive. Alone at a location it is `__VERIFIER_assume`: the execution ends if it fails.
    Assume(Term),
    Assign {
        dst: Var,
        value: Term,
    },
    /// `dst` gets any value of its sort.
    Havoc {
        dst: Var,
        kind: HavocKind,
    },
    /// Reads from `addr` as many bytes as the sort of `dst` has (a bit-vector's width is a multiple
    /// of 8; an 80-bit float takes 10 bytes).
    Load {
        dst: Var,
        addr: Term,
        order: MemoryOrder,
    },
    /// Writes `value` at `addr`, as many bytes as its sort has.
    Store {
        addr: Term,
        value: Term,
        order: MemoryOrder,
    },
    /// Copies `size` bytes (a term of pointer width); the ranges may overlap.
    Copy {
        dst: Term,
        src: Term,
        size: Term,
    },
    /// Sets `size` bytes to `byte` (a bit-vector of 8 bits).
    Fill {
        dst: Term,
        byte: Term,
        size: Term,
    },
    /// Memory reachable through these pointers gets any contents: a function without body received
    /// them.
    HavocMemory {
        pointers: Vec<Term>,
    },
    /// A local object's lifetime begins; its contents are indeterminate (C11 6.2.4p6). Begun again
    /// while alive, it is a new object.
    ScopeBegin(Object),
    /// A local object's lifetime ends. All local objects of a frame end with it.
    ScopeEnd(Object),
    /// `dst` points to a new object of `size` bytes.
    Alloc {
        dst: Var,
        size: Term,
        kind: AllocKind,
    },
    /// `dst` points to a new heap object of `size` bytes that begins with the contents of `addr`'s
    /// object, which is freed. `addr` may be NULL, as for `realloc`.
    Realloc {
        dst: Var,
        addr: Term,
        size: Term,
    },
    /// Frees an allocated object; has no effect on NULL.
    Free {
        addr: Term,
        kind: FreeKind,
    },
    /// `dst` gets a fact about the object that `addr` points to, a bit-vector of pointer width. The
    /// pointer may point to no object. If the fact is unknown, for example for an object of the
    /// environment, a concrete execution ends and analyses continue with any value.
    Inspect {
        dst: Var,
        addr: Term,
        fact: ObjectFact,
    },
    /// Calls a procedure; the parameters get the arguments in order.
    Call {
        dst: Option<Var>,
        callee: Callee,
        args: Vec<Term>,
    },
    /// Leaves the procedure; stands on edges to its exit location only.
    Return {
        value: Option<Term>,
    },
    /// Starts a thread that calls `routine` with `arg`; `dst` gets its handle, a bit-vector of
    /// pointer width that is never zero.
    Start {
        dst: Var,
        routine: Callee,
        args: Vec<Term>,
    },
    /// Blocks until the thread has ended; `dst` gets its return value, a pointer.
    Join {
        handle: Term,
        dst: Option<Var>,
    },
    /// Ends the thread with this pointer as its value.
    ThreadExit {
        value: Term,
    },
    /// `dst` gets the handle of the running thread.
    ThreadSelf {
        dst: Var,
    },
    /// An operation on a synchronisation object, found through the pointer that is `args[0]`.
    /// `dst` gets its result, a 32-bit vector, where it has one.
    Sync {
        op: SyncOp,
        args: Vec<Term>,
        dst: Option<Var>,
    },
    /// From here to the matching end no other thread moves. Nests.
    AtomicBegin,
    AtomicEnd,
    /// Formatted output: `args[0]` is the format, the others have their promoted types. Only the
    /// interpreter gives it an effect.
    Print {
        args: Vec<Term>,
    },
    /// Marks a call of a function that has neither body nor model. It changes nothing itself: the
    /// labels after it have the effects that the function is assumed to have. The mark records the
    /// assumption of a verdict, or prevents a proof.
    External {
        function: Symbol,
        assumed: Assumed,
        /// The arguments that may lead to code, where that matters.
        args: Vec<Term>,
    },
    /// The execution violates the property of this error, and ends.
    Error(ErrorKind),
    /// The execution may violate the property of this error at its end: analyses take it for the error,
    /// concrete executions go on and know at their end.
    Claim(ErrorKind),
    /// Ends the program with this status, a 32-bit vector.
    Exit {
        status: Term,
    },
    /// `abort()`: ends the program abnormally.
    Abort,
    /// An execution cannot be followed beyond this operation; reaching it makes the answer UNKNOWN.
    Unsupported(Gap),
    /// One of several label sequences, made by large-block encoding. Each begins with an
    /// [`Op::Assume`], and these are exclusive and exhaustive.
    Choice(Vec<Vec<Label>>),
}

/// Why an execution cannot be followed, as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Gap {
    /// Ravelin does not model it.
    NotModelled(Symbol),
    /// C or POSIX leaves its behaviour undefined.
    Undefined(Symbol),
}

/// The facts about the object of a pointer that [`Op::Inspect`] gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ObjectFact {
    /// The offset of the pointer in its object in bytes; its address if it points to no object.
    Offset,
    /// The size in bytes, also after the object's lifetime; 0 if there is no object.
    Size,
    /// A [`Life`] as a number: the only fact that changes during an execution.
    Life,
}

impl ObjectFact {
    pub const ALL: [ObjectFact; 3] = [ObjectFact::Offset, ObjectFact::Size, ObjectFact::Life];

    /// The word in the text format.
    pub fn name(self) -> &'static str {
        match self {
            ObjectFact::Offset => "offset",
            ObjectFact::Size => "size",
            ObjectFact::Life => "life",
        }
    }
}

/// The permitted accesses to the bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Life {
    /// None: its lifetime ended, it is a function, or there is no object.
    None = 0,
    /// They can be read: string literals and other constants.
    Constant = 1,
    /// They can be read and written.
    Named = 2,
    /// They can also be freed.
    Heap = 3,
}

/// The assumed effects of a function that has neither body nor model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Assumed {
    /// It returns any result, leaves any contents in memory reachable from its pointers, and does
    /// nothing else.
    Havoc,
    /// The same; it may also call, at any time from now on, the functions reachable from `args`.
    Callbacks,
    /// As [`Assumed::Callbacks`], for a call through the pointer `args[0]` if it leads out of the
    /// program.
    ThroughPointer,
    /// A standard function: analyses continue as with [`Assumed::Havoc`], a concrete execution ends
    /// here.
    NoModel,
}

impl Assumed {
    pub const ALL: [Assumed; 4] =
        [Assumed::Havoc, Assumed::Callbacks, Assumed::ThroughPointer, Assumed::NoModel];

    /// The word in the text format.
    pub fn name(self) -> &'static str {
        match self {
            Assumed::Havoc => "havoc",
            Assumed::Callbacks => "callbacks",
            Assumed::ThroughPointer => "through_pointer",
            Assumed::NoModel => "no_model",
        }
    }
}

/// The source of an arbitrary value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HavocKind {
    /// An input: the result of the function with this name (`__VERIFIER_nondet_int`).
    Input(Symbol),
    /// A variable declared without initialiser (C11 6.7.9p10).
    Uninitialised,
    /// The result of a function of this name that has no body and no model.
    Extern(Symbol),
    /// The result of a library function whose model leaves it open.
    Unspecified,
    /// The contents left by an operation of which Ravelin knows only what it may change; the name
    /// says which one. Analyses continue with any value, a concrete execution ends here.
    NotModelled(Symbol),
}

/// The memory order of an access. All accesses are sequentially consistent here; the data-race
/// property uses the distinction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryOrder {
    Plain,
    Volatile,
    Atomic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AllocKind {
    /// `malloc`: indeterminate contents.
    Heap,
    /// `calloc`: zero contents.
    HeapZeroed,
    /// `alloca` and variable-length arrays: freed with the frame at the latest.
    Stack,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FreeKind {
    /// `free` of a heap object.
    Heap,
    /// The end of a variable-length array's block (C11 6.2.4p7).
    Array,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    Direct(Proc),
    /// Through a function pointer.
    Pointer(Term),
}

/// The ways in which an execution violates a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorKind {
    /// A call of an error function: one of the competition's, or one that the user names.
    ReachError,
    /// A failed `assert`.
    AssertFailed,
    /// `abort()`, if the user counts it as an error.
    Aborted,
    /// `__builtin_trap()`, if the user counts it as an error.
    Trapped,
    /// `__builtin_unreachable()`, if the user counts it as an error.
    Unreachable,
    /// A signed operation with a result that its type does not have.
    SignedOverflow,
    /// A division or remainder by zero.
    DivisionByZero,
    /// A shift by a negative amount, or by the width or more.
    InvalidShift,
    /// A library function that copies between overlapping memory.
    OverlappingCopy,
    /// A conversion of `printf` or `scanf` without an argument of its type.
    UnfitFormat,
    /// A read of a local variable that has no value yet.
    UninitialisedRead,
    /// An index outside of an array that is a part of a larger object.
    IndexOutOfBounds,
    /// An access to memory that is not inside a live object.
    InvalidAccess,
    /// A deallocation of anything but a live heap object by the pointer to its start.
    InvalidFree,
    /// A heap object to which no pointer is left.
    LostMemory,
    /// A heap object that is left when the program ends.
    UnfreedMemory,
    /// Two threads are about to make conflicting accesses.
    DataRace,
}

impl ErrorKind {
    pub const ALL: [ErrorKind; 17] = [
        ErrorKind::ReachError,
        ErrorKind::AssertFailed,
        ErrorKind::Aborted,
        ErrorKind::Trapped,
        ErrorKind::Unreachable,
        ErrorKind::SignedOverflow,
        ErrorKind::DivisionByZero,
        ErrorKind::InvalidShift,
        ErrorKind::OverlappingCopy,
        ErrorKind::UnfitFormat,
        ErrorKind::UninitialisedRead,
        ErrorKind::IndexOutOfBounds,
        ErrorKind::InvalidAccess,
        ErrorKind::InvalidFree,
        ErrorKind::LostMemory,
        ErrorKind::UnfreedMemory,
        ErrorKind::DataRace,
    ];
}

/// Operations on synchronisation objects: `args[0]` is the address of the object. The state of an
/// object is kept per address, beside its bytes; zero bytes mean "initialised statically".
///
/// Results are those of POSIX: 0 or an error number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SyncOp {
    /// `args[1]`: kind (0 normal, 1 recursive, 2 error-checking), 32 bits.
    MutexInit,
    MutexDestroy,
    MutexLock,
    /// 0 or EBUSY.
    MutexTryLock,
    /// As lock, but may also give up: 0 or ETIMEDOUT.
    MutexTimedLock,
    MutexUnlock,
    RwInit,
    RwDestroy,
    RwReadLock,
    RwTryReadLock,
    RwWriteLock,
    RwTryWriteLock,
    RwUnlock,
    CondInit,
    CondDestroy,
    /// `args[1]`: the mutex, released while waiting and acquired again before the return. May wake
    /// up spuriously.
    CondWait,
    /// As wait, but may also return ETIMEDOUT.
    CondTimedWait,
    CondSignal,
    CondBroadcast,
    /// `args[1]`: the number of threads to wait for, 32 bits.
    BarrierInit,
    BarrierDestroy,
    /// PTHREAD_BARRIER_SERIAL_THREAD (-1) for one of the threads, 0 for the others.
    BarrierWait,
    /// `args[1]`: the initial value, 32 bits.
    SemInit,
    SemDestroy,
    SemWait,
    /// 0 or -1.
    SemTryWait,
    SemPost,
    /// The value.
    SemGetValue,
}
