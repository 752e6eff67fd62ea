//! Operations: what a label on an edge does.

use ravelin_base::{SrcPos, Symbol};
use ravelin_term::{Object, Term, Var};

use crate::model::Proc;

/// An operation and where it stands in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    pub op: Op,
    pub pos: SrcPos,
}

/// One operation of a thread.
///
/// Terms read variables only; memory is touched by the operations that say so. A blocked operation
/// (a lock that is held, a join with a running thread) is not enabled: its edge cannot be taken.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// Does nothing.
    Skip,
    /// Continues only where the Boolean term holds; otherwise the edge cannot be taken.
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
    /// Reads as many bytes at `addr` as the sort of `dst` has (a bit-vector's width is a multiple of
    /// 8; an 80-bit float takes 10 bytes).
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
    /// What is reachable through these pointers may have any contents: a body-less function got them.
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
    /// object, which is freed; as `realloc` does with NULL too.
    Realloc {
        dst: Var,
        addr: Term,
        size: Term,
    },
    /// Ends an object that was allocated; nothing for NULL.
    Free {
        addr: Term,
        kind: FreeKind,
    },
    /// `dst` gets a fact about the object that `addr` leads to, a bit-vector of pointer width. A pointer to no
    /// object is allowed. Where a fact is not known, of an object of the environment say, a concrete execution
    /// ends and analyses go on with any value.
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
    /// Blocks until the thread ended; `dst` gets its return value, a pointer.
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
    /// Formatted output: `args[0]` is the format, the others as C's promotions left them. No effect
    /// but in the interpreter.
    Print {
        args: Vec<Term>,
    },
    /// A function is called here that has neither body nor model. It changes nothing itself: the labels
    /// after it do what the function is assumed to do. It says what an answer rests on, and what bars a
    /// proof.
    External {
        function: Symbol,
        assumed: Assumed,
        /// What the function gets that may lead to code, where that matters.
        args: Vec<Term>,
    },
    /// The error that the reachability property speaks of.
    Error(ErrorKind),
    /// Ends the program with this status, a 32-bit vector.
    Exit {
        status: Term,
    },
    /// `abort()`: ends the program abnormally.
    Abort,
    /// An execution cannot be followed beyond this; reaching it makes the answer UNKNOWN.
    Unsupported(Gap),
    /// One of several label sequences, made by large-block encoding. Each begins with an
    /// [`Op::Assume`], and these are exclusive and exhaustive.
    Choice(Vec<Vec<Label>>),
}

/// Why an execution cannot be followed, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Gap {
    /// Ravelin does not model it.
    NotModelled(Symbol),
    /// C or POSIX leaves it undefined.
    Undefined(Symbol),
}

/// What [`Op::Inspect`] asks about the object of a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ObjectFact {
    /// Where in the object the pointer leads, in bytes; of a pointer to no object its address.
    Offset,
    /// The size in bytes, after the object's life too; 0 of no object.
    Size,
    /// A [`Life`] as a number. It is the only fact that changes.
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

/// What may be done with the bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Life {
    /// Nothing: its life is over, it is a function, or there is none.
    None = 0,
    /// They can be read: string literals and the like.
    Constant = 1,
    /// They can be read and written.
    Named = 2,
    /// They can be freed, too.
    Heap = 3,
}

/// What is assumed of a function that has neither body nor model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Assumed {
    /// It gives any result and leaves any contents in what its pointers reach, and does nothing else.
    Havoc,
    /// The same; it may also call, at any time from now on, the functions that `args` lead to.
    Callbacks,
    /// As [`Assumed::Callbacks`], of what is called through the pointer `args[0]` if that leads out of
    /// the program.
    ThroughPointer,
    /// A standard function: analyses go on as with [`Assumed::Havoc`], a concrete execution ends here.
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

/// Where an arbitrary value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HavocKind {
    /// An input: the function of this name (`__VERIFIER_nondet_int`) gave it.
    Input(Symbol),
    /// A variable declared without initialiser (C11 6.7.9p10).
    Uninitialised,
    /// The result of a function of this name that has no body and no model.
    Extern(Symbol),
    /// The result of a library function whose model leaves it open.
    Unspecified,
    /// What something leaves of which is known only what it may change; the name says what. Analyses go
    /// on with any value, a concrete execution ends here.
    NotModelled(Symbol),
}

/// How an access to memory is ordered. All are sequentially consistent here; the distinction serves
/// the data-race property.
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
    /// `alloca` and variable-length arrays: ends with the frame at the latest.
    Stack,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FreeKind {
    /// `free`: of a heap object.
    Heap,
    /// Of a variable-length array, at the end of its block (C11 6.2.4p7).
    Array,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    Direct(Proc),
    /// Through a function pointer.
    Pointer(Term),
}

/// Which error call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorKind {
    /// A call of an error function: one of the competition's, or another that the user names.
    ReachError,
    /// A failed `assert`.
    AssertFailed,
    /// `abort()`, where the user counts it.
    Aborted,
    /// `__builtin_trap()`, where the user counts it.
    Trapped,
    /// `__builtin_unreachable()`, where the user counts it.
    Unreachable,
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
