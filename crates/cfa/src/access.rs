//! The effects of operations: the one place that knows for every [`Op`] what it evaluates, reads
//! and writes. The verifier, the passes and partial-order reduction all use it.

use ravelin_term::{Object, Term, Var};

use crate::model::Proc;
use crate::op::{Callee, Label, ObjectFact, Op, SyncOp};
use crate::ops;

/// One thing that an operation touches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Access {
    /// Reads the variables of this term.
    Evaluate(Term),
    /// Writes this variable.
    Assign(Var),
    /// Reads memory from this address on.
    ReadMemory(Term),
    /// Writes memory from this address on.
    WriteMemory(Term),
    /// Reads or writes whatever is reachable from this pointer.
    ReachMemory(Term),
    /// Ends the lifetime of the heap object at this address.
    FreeMemory(Term),
    /// Begins or ends the lifetime of this local object.
    Lifetime(Object),
    /// Acts on the synchronisation object at this address.
    Sync(SyncOp, Term),
    /// Waits for the thread with this handle.
    Join(Term),
    /// Starts a thread.
    Start,
    /// Begins or ends an atomic section, in which no other thread moves.
    Atomic,
    /// Enters this procedure, or starts a thread in it.
    Enter(Proc),
}

impl Access {
    /// The pointer through which memory is touched.
    pub fn pointer(self) -> Option<Term> {
        match self {
            Access::ReadMemory(pointer)
            | Access::WriteMemory(pointer)
            | Access::ReachMemory(pointer)
            | Access::FreeMemory(pointer)
            | Access::Sync(_, pointer) => Some(pointer),
            Access::Evaluate(_)
            | Access::Assign(_)
            | Access::Lifetime(_)
            | Access::Join(_)
            | Access::Start
            | Access::Atomic
            | Access::Enter(_) => None,
        }
    }
}

/// Calls `visit` on everything that `op` touches, in the order in which it happens: terms
/// evaluated, then memory, then the variable written. For a choice: of all its branches.
///
/// A term that serves as an address is evaluated too, and is reported as [`Access::Evaluate`] before
/// the access through it.
pub fn for_each_access(op: &Op, visit: &mut dyn FnMut(Access)) {
    use Access::{Assign, Evaluate};
    match op {
        Op::Skip | Op::Abort => {}
        Op::Error(_) | Op::Claim(_) => {}
        Op::Unsupported(_) => {}
        Op::Assume(cond) => visit(Evaluate(*cond)),
        Op::Assign { dst, value } => {
            visit(Evaluate(*value));
            visit(Assign(*dst));
        }
        Op::Havoc { dst, kind: _ } => visit(Assign(*dst)),
        Op::Load { dst, addr, order: _ } => {
            visit(Evaluate(*addr));
            visit(Access::ReadMemory(*addr));
            visit(Assign(*dst));
        }
        Op::Store { addr, value, order: _ } => {
            visit(Evaluate(*addr));
            visit(Evaluate(*value));
            visit(Access::WriteMemory(*addr));
        }
        Op::Copy { dst, src, size } => {
            visit(Evaluate(*dst));
            visit(Evaluate(*src));
            visit(Evaluate(*size));
            visit(Access::ReadMemory(*src));
            visit(Access::WriteMemory(*dst));
        }
        Op::Fill { dst, byte, size } => {
            visit(Evaluate(*dst));
            visit(Evaluate(*byte));
            visit(Evaluate(*size));
            visit(Access::WriteMemory(*dst));
        }
        Op::HavocMemory { pointers } => {
            pointers.iter().for_each(|&pointer| visit(Evaluate(pointer)));
            pointers.iter().for_each(|&pointer| visit(Access::ReachMemory(pointer)));
        }
        Op::ScopeBegin(object) | Op::ScopeEnd(object) => visit(Access::Lifetime(*object)),
        Op::Alloc { dst, size, kind: _ } => {
            visit(Evaluate(*size));
            visit(Assign(*dst));
        }
        Op::Realloc { dst, addr, size } => {
            visit(Evaluate(*addr));
            visit(Evaluate(*size));
            visit(Access::ReadMemory(*addr));
            visit(Access::FreeMemory(*addr));
            visit(Assign(*dst));
        }
        Op::Free { addr, kind: _ } => {
            visit(Evaluate(*addr));
            visit(Access::FreeMemory(*addr));
        }
        Op::Call { dst, callee, args } => {
            visit_callee(callee, visit);
            args.iter().for_each(|&arg| visit(Evaluate(arg)));
            dst.iter().for_each(|&dst| visit(Assign(dst)));
        }
        Op::Return { value } => value.iter().for_each(|&value| visit(Evaluate(value))),
        Op::Start { dst, routine, args } => {
            visit_callee(routine, visit);
            args.iter().for_each(|&arg| visit(Evaluate(arg)));
            visit(Access::Start);
            visit(Assign(*dst));
        }
        Op::Join { handle, dst } => {
            visit(Evaluate(*handle));
            visit(Access::Join(*handle));
            dst.iter().for_each(|&dst| visit(Assign(dst)));
        }
        Op::ThreadExit { value } => visit(Evaluate(*value)),
        Op::ThreadSelf { dst } => visit(Assign(*dst)),
        Op::Inspect { dst, addr, fact } => {
            visit(Evaluate(*addr));
            match fact {
                // Freeing the object changes it.
                ObjectFact::Life => visit(Access::ReadMemory(*addr)),
                ObjectFact::Offset | ObjectFact::Size => {}
            }
            visit(Assign(*dst));
        }
        Op::Sync { op, args, dst } => {
            args.iter().for_each(|&arg| visit(Evaluate(arg)));
            for (&arg, kind) in args.iter().zip(op.info().args) {
                match kind {
                    crate::sync::SyncArg::Object => visit(Access::Sync(*op, arg)),
                    crate::sync::SyncArg::Number => {}
                }
            }
            dst.iter().for_each(|&dst| visit(Assign(dst)));
        }
        Op::AtomicBegin | Op::AtomicEnd => visit(Access::Atomic),
        Op::Print { args } => {
            args.iter().for_each(|&arg| visit(Evaluate(arg)));
            // It reads the format and the strings that the format prints.
            args.iter().for_each(|&arg| visit(Access::ReachMemory(arg)));
        }
        Op::External { function: _, assumed: _, args } => {
            args.iter().for_each(|&arg| visit(Evaluate(arg)));
        }
        Op::Exit { status } => visit(Evaluate(*status)),
        Op::Choice(branches) => {
            branches.iter().flatten().for_each(|label| for_each_access(&label.op, visit));
        }
    }
}

/// Calls `visit` on every term that `op` evaluates, addresses among them.
pub fn for_each_term(op: &Op, mut visit: impl FnMut(Term)) {
    for_each_access(op, &mut |access| {
        if let Access::Evaluate(term) = access {
            visit(term);
        }
    });
}

fn visit_callee(callee: &Callee, visit: &mut dyn FnMut(Access)) {
    match callee {
        Callee::Direct(proc) => visit(Access::Enter(*proc)),
        Callee::Pointer(pointer) => visit(Access::Evaluate(*pointer)),
    }
}

/// Something that an operation mentions, as a mutable reference.
#[derive(Debug)]
pub enum Part<'a> {
    Term(&'a mut Term),
    /// A variable that is written.
    Dst(&'a mut Var),
    Object(&'a mut Object),
    Proc(&'a mut Proc),
}

/// Calls `visit` on every term, variable, object and procedure in `op`, in order of evaluation,
/// including those in choices.
pub fn for_each_part(op: &mut Op, visit: &mut dyn FnMut(Part<'_>)) {
    use Part::{Dst, Term};
    match op {
        Op::Skip | Op::Abort | Op::AtomicBegin | Op::AtomicEnd => {}
        Op::Error(_) | Op::Claim(_) => {}
        Op::Unsupported(_) => {}
        Op::Assume(cond) => visit(Term(cond)),
        Op::Assign { dst, value } => {
            visit(Term(value));
            visit(Dst(dst));
        }
        Op::Havoc { dst, kind: _ } | Op::ThreadSelf { dst } => visit(Dst(dst)),
        Op::Load { dst, addr, order: _ } | Op::Inspect { dst, addr, fact: _ } => {
            visit(Term(addr));
            visit(Dst(dst));
        }
        Op::Store { addr, value, order: _ } => {
            visit(Term(addr));
            visit(Term(value));
        }
        Op::Copy { dst, src, size } => {
            visit(Term(dst));
            visit(Term(src));
            visit(Term(size));
        }
        Op::Fill { dst, byte, size } => {
            visit(Term(dst));
            visit(Term(byte));
            visit(Term(size));
        }
        Op::HavocMemory { pointers } => {
            pointers.iter_mut().for_each(|pointer| visit(Term(pointer)));
        }
        Op::ScopeBegin(object) | Op::ScopeEnd(object) => visit(Part::Object(object)),
        Op::Alloc { dst, size, kind: _ } => {
            visit(Term(size));
            visit(Dst(dst));
        }
        Op::Realloc { dst, addr, size } => {
            visit(Term(addr));
            visit(Term(size));
            visit(Dst(dst));
        }
        Op::Free { addr, kind: _ } => visit(Term(addr)),
        Op::Call { dst, callee, args } => {
            visit_callee_part(callee, visit);
            args.iter_mut().for_each(|arg| visit(Term(arg)));
            dst.iter_mut().for_each(|dst| visit(Dst(dst)));
        }
        Op::Return { value } => value.iter_mut().for_each(|value| visit(Term(value))),
        Op::Start { dst, routine, args } => {
            visit_callee_part(routine, visit);
            args.iter_mut().for_each(|arg| visit(Term(arg)));
            visit(Dst(dst));
        }
        Op::Join { handle, dst } => {
            visit(Term(handle));
            dst.iter_mut().for_each(|dst| visit(Dst(dst)));
        }
        Op::ThreadExit { value } => visit(Term(value)),
        Op::Sync { op: _, args, dst } => {
            args.iter_mut().for_each(|arg| visit(Term(arg)));
            dst.iter_mut().for_each(|dst| visit(Dst(dst)));
        }
        Op::Print { args } | Op::External { function: _, assumed: _, args } => {
            args.iter_mut().for_each(|arg| visit(Term(arg)));
        }
        Op::Exit { status } => visit(Term(status)),
        Op::Choice(branches) => {
            branches.iter_mut().flatten().for_each(|label| for_each_part(&mut label.op, visit));
        }
    }
}

fn visit_callee_part(callee: &mut Callee, visit: &mut dyn FnMut(Part<'_>)) {
    match callee {
        Callee::Direct(proc) => visit(Part::Proc(proc)),
        Callee::Pointer(pointer) => visit(Part::Term(pointer)),
    }
}

impl Op {
    /// Whether control cannot continue in the thread's procedure after this operation: the thread
    /// or the program ended, or the procedure returned.
    pub fn never_continues(&self) -> bool {
        match self {
            ops!(end) | Op::Return { .. } | Op::ThreadExit { .. } => true,
            ops!(data, access, scope, object, section, remark)
            | Op::Claim(_)
            | Op::HavocMemory { .. }
            | Op::Call { .. }
            | Op::Start { .. }
            | Op::Join { .. }
            | Op::ThreadSelf { .. }
            | Op::Sync { .. } => false,
            Op::Choice(branches) => branches.iter().all(|branch| sequence_never_continues(branch)),
        }
    }

    /// The variable that the operation writes; `None` for a choice, which may write several.
    pub fn dst(&self) -> Option<Var> {
        match self {
            Op::Assign { dst, .. }
            | Op::Havoc { dst, .. }
            | Op::Load { dst, .. }
            | Op::Alloc { dst, .. }
            | Op::Realloc { dst, .. }
            | Op::Start { dst, .. }
            | Op::Inspect { dst, .. }
            | Op::ThreadSelf { dst } => Some(*dst),
            Op::Call { dst, .. } | Op::Join { dst, .. } | Op::Sync { dst, .. } => *dst,
            ops!(scope, section, remark, end)
            | Op::Claim(_)
            | Op::Skip
            | Op::Assume(_)
            | Op::Store { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::HavocMemory { .. }
            | Op::Free { .. }
            | Op::Return { .. }
            | Op::ThreadExit { .. }
            | Op::Choice(_) => None,
        }
    }
}

/// Whether control never reaches the end of these labels.
pub fn sequence_never_continues(labels: &[Label]) -> bool {
    labels.last().is_some_and(|label| label.op.never_continues())
}
