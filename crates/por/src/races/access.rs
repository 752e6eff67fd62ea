//! The accesses of a program that others may notice.

use ravelin_base::SrcPos;
use ravelin_cfa::access::{Access, for_each_access};
use ravelin_cfa::sync::SYNC_BYTES;
use ravelin_cfa::{Edge, Label, MemoryOrder, Op, Proc, Program, VarKind};
use ravelin_pointsto::{Flags, PointsTo, Target, TargetSet};
use ravelin_term::{Term, TermKind, Var};

/// What an access touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touched {
    /// A global variable.
    Var(Var),
    /// So many bytes of memory.
    Bytes { addr: Term, length: Length },
    /// All bytes of the object at an address.
    Object { addr: Term },
    /// Whatever is reachable from a pointer, or a string of unknown length: there is no check for this.
    Reach { pointer: Term },
}

/// How many bytes an access touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    Constant(u64),
    /// A term of pointer width.
    Term(Term),
}

/// One access.
#[derive(Clone, Debug)]
pub struct SharedAccess {
    pub proc: Proc,
    pub edge: Edge,
    pub pos: SrcPos,
    pub touched: Touched,
    pub writes: bool,
    /// It is atomic, or an operation on a synchronisation object.
    pub is_atomic: bool,
    /// It stands in an atomic section of its procedure.
    pub is_inside: bool,
    /// Its thread may be in an atomic section then, perhaps one of a caller.
    pub may_be_inside: bool,
    /// Where it may be; for a variable, nothing.
    pub(crate) set: TargetSet,
    pub(crate) bytes: Option<u64>,
}

impl SharedAccess {
    pub fn var(&self) -> Option<Var> {
        match self.touched {
            Touched::Var(var) => Some(var),
            Touched::Bytes { .. } | Touched::Object { .. } | Touched::Reach { .. } => None,
        }
    }
}

/// Calls `visit` on what a label touches of globals and memory: what, whether it writes, and whether it is atomic.
pub fn for_each_touched(
    program: &Program,
    label: &Label,
    visit: &mut dyn FnMut(Touched, bool, bool),
) {
    let is_atomic_var = |var: Var| match program.vars[var].kind {
        VarKind::Global { atomic, .. } => Some(atomic),
        VarKind::ThreadLocal { .. } | VarKind::Local(_) => None,
    };
    let length = match &label.op {
        Op::Load { dst, .. } => program.bytes_of(program.vars[*dst].sort).map(Length::Constant),
        Op::Store { value, .. } => {
            program.bytes_of(program.terms.sort(*value)).map(Length::Constant)
        }
        Op::Copy { size, .. } | Op::Fill { size, .. } => Some(constant(program, *size)),
        _ => None,
    };
    let order = match label.op {
        Op::Load { order, .. } | Op::Store { order, .. } => order == MemoryOrder::Atomic,
        _ => false,
    };
    let bytes = |addr: Term| match length {
        Some(length) => Touched::Bytes { addr, length },
        None => Touched::Object { addr },
    };
    for_each_access(&label.op, &mut |access| match access {
        Access::Evaluate(term) => program.terms.for_each_subterm(term, |_, kind| {
            if let TermKind::Var(var) = kind
                && let Some(atomic) = is_atomic_var(var)
            {
                visit(Touched::Var(var), false, atomic);
            }
        }),
        Access::Assign(var) => {
            if let Some(atomic) = is_atomic_var(var) {
                visit(Touched::Var(var), true, atomic);
            }
        }
        // What `inspect` says is no access of the program.
        Access::ReadMemory(_) if matches!(label.op, Op::Inspect { .. }) => {}
        Access::ReadMemory(addr) => visit(bytes(addr), false, order),
        Access::WriteMemory(addr) => visit(bytes(addr), true, order),
        Access::FreeMemory(addr) => visit(Touched::Object { addr }, true, false),
        // The address is that of a variable, or of a string that is printed.
        Access::ReachMemory(pointer) if program.terms.sort(pointer) != ravelin_term::Sort::Ptr => {}
        Access::ReachMemory(pointer) => {
            let writes = matches!(label.op, Op::HavocMemory { .. });
            visit(Touched::Reach { pointer }, writes, false);
        }
        Access::Sync(op, addr) => {
            let length = Length::Constant(SYNC_BYTES);
            visit(Touched::Bytes { addr, length }, op.is_setup(), !op.is_setup());
        }
        // A new object, or one that has ended, is a matter of memory safety.
        Access::Lifetime(_) | Access::Join(_) | Access::Start | Access::Atomic => {}
        Access::Enter(_) => {}
    });
}

fn constant(program: &Program, size: Term) -> Length {
    match program.terms.as_bv(size).and_then(|size| u64::try_from(size).ok()) {
        Some(size) => Length::Constant(size),
        None => Length::Term(size),
    }
}

/// What an access may touch, as points-to sets say; none if nobody else gets at it.
pub(crate) fn shared_set(
    program: &Program,
    points_to: &PointsTo,
    is_shared: &dyn Fn(Target) -> bool,
    touched: Touched,
) -> Option<(TargetSet, Option<u64>)> {
    let (pointer, bytes) = match touched {
        Touched::Var(_) => return Some((TargetSet::default(), None)),
        Touched::Bytes { addr, length: Length::Constant(bytes) } => (addr, Some(bytes)),
        Touched::Bytes { addr, length: Length::Term(_) } | Touched::Object { addr } => (addr, None),
        Touched::Reach { pointer } => (pointer, None),
    };
    let set = points_to.of_term(program, pointer);
    // Nothing is accessed through the null pointer.
    let may_be_anything = set.is_unknown() || set.flags().contains(Flags::NUMBER);
    (may_be_anything || set.targets().any(is_shared)).then_some((set, bytes))
}
