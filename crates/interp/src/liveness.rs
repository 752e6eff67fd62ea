//! Which local variables a procedure may still read.
//!
//! An exploration forgets the values of the others: states that differ only in them are equal. It
//! is a matter of names, not a reduction: no interleaving is left out.

use ravelin_base::{LiveSlots, SlotEffect};

use crate::code::{
    CallInst, CalleeCode, Inst, Operand, Place, ProcCode, RareInst, TermCode, TermInst,
};

/// Which variables are live before the instructions of a procedure.
pub(crate) fn liveness(code: &ProcCode, vars: usize) -> LiveSlots {
    let effects: Vec<SlotEffect> =
        (0..code.insts.len() as u32).map(|pc| effect_of(code, pc)).collect();
    LiveSlots::new(&effects, vars)
}

fn effect_of(code: &ProcCode, pc: u32) -> SlotEffect {
    let next = [Some(pc + 1), None];
    let mut reads = Vec::new();
    let mut read = |term: &TermCode| reads_of(code, *term, &mut reads);
    let end = [None, None];
    let (write, successors) = match &code.insts[pc as usize] {
        Inst::Guard { cond, otherwise } => {
            read(cond);
            (None, [Some(pc + 1), Some(*otherwise)])
        }
        Inst::Assume(cond) => {
            read(cond);
            (None, next)
        }
        Inst::Assign { dst, value: term, sort: _ } | Inst::Load { dst, addr: term, .. } => {
            read(term);
            (Some(*dst), next)
        }
        Inst::Store { addr, value, .. } => {
            [addr, value].into_iter().for_each(read);
            (None, next)
        }
        Inst::Call(call) => (call_effect(call, read), next),
        Inst::Return { value } => {
            value.iter().for_each(|(value, _)| read(value));
            (None, end)
        }
        Inst::Join { handle, dst } => {
            read(handle);
            (*dst, next)
        }
        Inst::Sync(sync) => {
            sync.args.iter().for_each(read);
            (sync.dst, next)
        }
        Inst::ThreadExit { value } => {
            read(value);
            (None, end)
        }
        Inst::Jump(target) | Inst::EndEdge { target } => (None, [Some(*target), None]),
        Inst::Rare(inst) => match inst {
            RareInst::Havoc { dst, .. } | RareInst::ThreadSelf { dst } => (Some(*dst), next),
            RareInst::Copy { dst: a, src: b, size: c }
            | RareInst::Fill { dst: a, byte: b, size: c } => {
                [a, b, c].into_iter().for_each(read);
                (None, next)
            }
            RareInst::HavocMemory(pointers) => {
                pointers.iter().for_each(read);
                (None, next)
            }
            RareInst::Alloc { dst, size: term, kind: _ }
            | RareInst::Inspect { dst, addr: term, fact: _ } => {
                read(term);
                (Some(*dst), next)
            }
            RareInst::Realloc { dst, addr, size } => {
                [addr, size].into_iter().for_each(read);
                (Some(*dst), next)
            }
            RareInst::Free { addr, kind: _ } => {
                read(addr);
                (None, next)
            }
            RareInst::Start(call) => (call_effect(call, read), next),
            RareInst::Print(args) => {
                args.iter().for_each(|(arg, _)| read(arg));
                (None, next)
            }
            RareInst::Exit { status } => {
                read(status);
                (None, end)
            }
            RareInst::ScopeBegin { .. }
            | RareInst::ScopeEnd { .. }
            | RareInst::AtomicBegin
            | RareInst::AtomicEnd => (None, next),
            RareInst::Error(_)
            | RareInst::Abort
            | RareInst::Unsupported(_)
            | RareInst::NoModel(_)
            | RareInst::NoWayOn => (None, end),
        },
    };
    let writes = match write {
        Some(Place::Local(slot)) => Some(slot),
        Some(Place::Global(_) | Place::ThreadLocal(_)) | None => None,
    };
    SlotEffect { reads, writes, successors }
}

fn call_effect(call: &CallInst, mut read: impl FnMut(&TermCode)) -> Option<Place> {
    if let CalleeCode::Pointer(callee) = &call.callee {
        read(callee);
    }
    call.args.iter().for_each(|(arg, _)| read(arg));
    call.dst.map(|(place, _)| place)
}

fn reads_of(code: &ProcCode, term: TermCode, reads: &mut Vec<u32>) {
    let mut read = |operand: Operand| match operand {
        Operand::Place(Place::Local(slot)) => reads.push(slot),
        Operand::Place(Place::Global(_) | Place::ThreadLocal(_))
        | Operand::Top
        | Operand::Const(_)
        | Operand::LocalObject(_)
        | Operand::ThreadObject(_) => {}
    };
    match term {
        TermCode::Leaf(operand) => read(operand),
        TermCode::Body { start, length, shared: _ } => {
            for inst in &code.terms[start as usize..(start + length) as usize] {
                match *inst {
                    TermInst::Push(a)
                    | TermInst::Unary { a, .. }
                    | TermInst::ShortCut { a, .. }
                    | TermInst::JumpUnless { cond: a, .. } => read(a),
                    TermInst::Binary { a, b, .. } => {
                        read(a);
                        read(b);
                    }
                    TermInst::Jump(_)
                    | TermInst::Try { .. }
                    | TermInst::EndTry
                    | TermInst::Rethrow { .. }
                    | TermInst::Shared { .. }
                    | TermInst::EndShared { .. }
                    | TermInst::End => {}
                }
            }
        }
    }
}
