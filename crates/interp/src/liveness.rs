//! Which local variables a procedure may still read.
//!
//! An exploration forgets the values of the others: states that differ only in them are equal. It
//! is a matter of names, not a reduction: no interleaving is left out.

use ravelin_base::{LiveSlots, SlotEffect};

use crate::code::{CalleeCode, Inst, Operand, Place, ProcCode, TermCode, TermInst};

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
    let (write, successors) = match &code.insts[pc as usize] {
        Inst::Guard { cond, otherwise } => {
            read(cond);
            (None, [Some(pc + 1), Some(*otherwise)])
        }
        Inst::Assume(cond) => {
            read(cond);
            (None, next)
        }
        Inst::Assign { dst, value, sort: _ } => {
            read(value);
            (Some(*dst), next)
        }
        Inst::Havoc { dst, .. } | Inst::ThreadSelf { dst } => (Some(*dst), next),
        Inst::Load { dst, addr, sort: _ } | Inst::Inspect { dst, addr, fact: _ } => {
            read(addr);
            (Some(*dst), next)
        }
        Inst::Store { addr, value, sort: _ } => {
            read(addr);
            read(value);
            (None, next)
        }
        Inst::Copy { dst: a, src: b, size: c } | Inst::Fill { dst: a, byte: b, size: c } => {
            read(a);
            read(b);
            read(c);
            (None, next)
        }
        Inst::HavocMemory(pointers) => {
            pointers.iter().for_each(read);
            (None, next)
        }
        Inst::ScopeBegin { .. } | Inst::ScopeEnd { .. } | Inst::AtomicBegin | Inst::AtomicEnd => {
            (None, next)
        }
        Inst::Alloc { dst, size, kind: _ } => {
            read(size);
            (Some(*dst), next)
        }
        Inst::Realloc { dst, addr, size } => {
            read(addr);
            read(size);
            (Some(*dst), next)
        }
        Inst::Free { addr, kind: _ } => {
            read(addr);
            (None, next)
        }
        Inst::Call(call) | Inst::Start(call) => {
            if let CalleeCode::Pointer(callee) = &call.callee {
                read(callee);
            }
            call.args.iter().for_each(|(arg, _)| read(arg));
            (call.dst.map(|(place, _)| place), next)
        }
        Inst::Return { value } => {
            if let Some((value, _)) = value {
                read(value);
            }
            (None, [None, None])
        }
        Inst::Join { handle, dst } => {
            read(handle);
            (*dst, next)
        }
        Inst::Sync(sync) => {
            sync.args.iter().for_each(read);
            (sync.dst, next)
        }
        Inst::Print(args) => {
            args.iter().for_each(|(arg, _)| read(arg));
            (None, next)
        }
        Inst::ThreadExit { value: term } | Inst::Exit { status: term } => {
            read(term);
            (None, [None, None])
        }
        Inst::Error(_) | Inst::Abort | Inst::Unsupported(_) | Inst::NoModel(_) | Inst::NoWayOn => {
            (None, [None, None])
        }
        Inst::Jump(target) | Inst::EndEdge { target } => (None, [Some(*target), None]),
    };
    let writes = match write {
        Some(Place::Local(slot)) => Some(slot),
        Some(Place::Global(_) | Place::ThreadLocal(_)) | None => None,
    };
    SlotEffect { reads, writes, successors }
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
