//! Invalid accesses and deallocations, described as tools like AddressSanitizer do: what the program did, to which
//! object, and what became of the object before.

use std::fmt;

use ravelin_base::{SrcPos, Symbol};
use ravelin_cfa::{ErrorKind, Program};

use crate::observe::ObservedObject;
use crate::outcome::{DisplayPos, MemoryFault, Pos};
use crate::thread::ThreadId;

/// What the program did to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AccessKind {
    Read,
    Write,
    Call,
    Free,
}

/// An access that no C program may make.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InvalidAccess {
    pub fault: MemoryFault,
    pub kind: AccessKind,
    /// How many bytes it reads or writes.
    pub length: u64,
    /// From the start of the object; without one, the address.
    pub offset: i64,
    /// The object that the pointer was made from, if the run still knows it.
    pub object: Option<AccessedObject>,
    /// The function of the C library in whose model the access is.
    pub library: Option<Symbol>,
}

/// The object of an invalid access, and what happened to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AccessedObject {
    what: Subject,
    pub size: u64,
    /// The thread that allocated it or whose local it was.
    pub made_by: ThreadId,
    ended: Option<When>,
}

/// [`ObservedObject`], with an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Subject {
    Object(ravelin_cfa::Object),
    Heap(Pos),
    /// `alloca` or a variable-length array.
    Stack(Pos),
    Environment(u32),
}

/// A place and a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct When {
    pos: Pos,
    thread: ThreadId,
}

impl When {
    pub(crate) fn new(pos: SrcPos, thread: ThreadId) -> Self {
        When { pos: Pos(pos), thread }
    }
}

impl AccessedObject {
    pub(crate) fn new(
        origin: crate::memory::Origin,
        size: u64,
        made_by: ThreadId,
        ended: Option<When>,
    ) -> Self {
        use crate::memory::Origin;
        let what = match origin {
            Origin::Global(object)
            | Origin::Constant(object)
            | Origin::Function(object)
            | Origin::Local(object) => Subject::Object(object),
            Origin::Heap(pos) => Subject::Heap(Pos(pos)),
            Origin::Stack(pos) => Subject::Stack(Pos(pos)),
            Origin::Environment(number) => Subject::Environment(number),
        };
        AccessedObject { what, size, made_by, ended }
    }

    pub fn object(&self) -> ObservedObject {
        match self.what {
            Subject::Object(object) => ObservedObject::Object(object),
            Subject::Heap(pos) | Subject::Stack(pos) => ObservedObject::Allocated(pos.0),
            Subject::Environment(number) => ObservedObject::Environment(number),
        }
    }

    pub fn is_heap(&self) -> bool {
        matches!(self.what, Subject::Heap(_))
    }

    /// Where and by which thread it was freed, or its scope ended.
    pub fn ended(&self) -> Option<(SrcPos, ThreadId)> {
        self.ended.map(|when| (when.pos.0, when.thread))
    }

    /// Its description in messages.
    pub fn display<'a>(&'a self, program: &'a Program) -> impl fmt::Display + 'a {
        Written(move |f: &mut fmt::Formatter<'_>| self.describe(f, program))
    }

    /// The name of the object, or what it is, with its size and where it was made.
    pub(crate) fn describe(&self, f: &mut fmt::Formatter<'_>, program: &Program) -> fmt::Result {
        let at = |pos: Pos| DisplayPos { pos: pos.0, program };
        let AccessedObject { what, size, made_by, ended: _ } = self;
        let by = By { thread: *made_by, program };
        match what {
            Subject::Object(object) => {
                let data = &program.objects[*object];
                write!(f, "'{}' of {}", program.name(data.name), Bytes(*size))
            }
            Subject::Heap(pos) => {
                write!(f, "heap block of {} allocated{}{by}", Bytes(*size), at(*pos))
            }
            Subject::Stack(pos) => {
                write!(f, "stack object of {} made{}{by}", Bytes(*size), at(*pos))
            }
            Subject::Environment(number) => write!(f, "object {number} of the environment"),
        }
    }
}

/// What a function writes.
struct Written<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for Written<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0(f)
    }
}

/// Names the thread if the program has several.
struct By<'a> {
    thread: ThreadId,
    program: &'a Program,
}

impl fmt::Display for By<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.program.is_concurrent() {
            true => write!(f, " by {}", self.thread),
            false => Ok(()),
        }
    }
}

pub(crate) struct Bytes(pub(crate) u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.0 == 1 { "" } else { "s" };
        write!(f, "{} byte{plural}", self.0)
    }
}

impl InvalidAccess {
    /// The error that it is: a call or an access violates valid-deref, a deallocation valid-free.
    ///
    /// A write to a string literal violates valid-deref: the verdicts of SV-COMP's programs count it as an invalid
    /// access. So does a call through a pointer to no function.
    pub fn error(&self) -> ErrorKind {
        match self.fault {
            MemoryFault::Null
            | MemoryFault::NoObject
            | MemoryFault::OutOfBounds { .. }
            | MemoryFault::ScopeEnded
            | MemoryFault::Freed
            | MemoryFault::ReadOnly
            | MemoryFault::Function
            | MemoryFault::NotAFunction => ErrorKind::InvalidAccess,
            MemoryFault::FreeOfNonHeap
            | MemoryFault::FreeInside { .. }
            | MemoryFault::DoubleFree => ErrorKind::InvalidFree,
        }
    }

    /// What happened, without the position, and to which object.
    pub fn display<'a>(&'a self, program: &'a Program) -> impl fmt::Display + 'a {
        InvalidAccessDisplay { access: self, program }
    }

    /// What happened, without the object.
    pub fn what<'a>(&'a self, program: &'a Program) -> impl fmt::Display + 'a {
        Written(move |f: &mut fmt::Formatter<'_>| self.head(f, program))
    }

    /// What happened.
    pub(crate) fn head(&self, f: &mut fmt::Formatter<'_>, program: &Program) -> fmt::Result {
        match self.kind {
            AccessKind::Read => write!(f, "read of {}", Bytes(self.length))?,
            AccessKind::Write => write!(f, "write of {}", Bytes(self.length))?,
            AccessKind::Call => f.write_str("call")?,
            AccessKind::Free => f.write_str("free")?,
        }
        if let Some(function) = self.library {
            write!(f, " in {}", program.name(function))?;
        }
        f.write_str(match self.fault {
            MemoryFault::Null => " through a null pointer",
            MemoryFault::NoObject => " through a pointer to no object",
            MemoryFault::NotAFunction => " through a pointer to no function",
            MemoryFault::FreeOfNonHeap => " of memory that was not allocated",
            MemoryFault::DoubleFree => " of freed memory",
            MemoryFault::FreeInside { .. } => " of a pointer into an object",
            MemoryFault::OutOfBounds { .. } => " out of bounds",
            MemoryFault::ScopeEnded => " after the lifetime of the object",
            MemoryFault::Freed => " in freed memory",
            MemoryFault::ReadOnly => " in constant memory",
            MemoryFault::Function => " in a function",
        })
    }

    /// Where in which object.
    pub(crate) fn tail(&self, f: &mut fmt::Formatter<'_>, program: &Program) -> fmt::Result {
        let Some(object) = &self.object else { return Ok(()) };
        f.write_str(": ")?;
        if self.offset != 0 || self.fault != MemoryFault::DoubleFree {
            write!(f, "offset {} of ", self.offset)?;
        }
        object.describe(f, program)?;
        if let Some(When { pos, thread }) = object.ended {
            let ended = if object.is_heap() { "freed" } else { "its lifetime ended" };
            write!(f, ", {ended}{}{}", DisplayPos { pos: pos.0, program }, By { thread, program })?;
        }
        Ok(())
    }
}

struct InvalidAccessDisplay<'a> {
    access: &'a InvalidAccess,
    program: &'a Program,
}

impl fmt::Display for InvalidAccessDisplay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.access.head(f, self.program)?;
        self.access.tail(f, self.program)
    }
}
