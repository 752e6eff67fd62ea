//! Which local variables a procedure may still read: a state keeps no others.

use ravelin_base::{LiveSlots, PrimaryMap, SlotEffect};
use ravelin_cfa::Program;
use ravelin_term::Var;

use crate::code::{CallInst, CalleeCode, Inst, Place, ProcCode, RareInst, Src};

/// Lists the live variables where a thread may be between two steps.
pub(crate) fn compute(
    code: &mut ProcCode,
    program: &Program,
    places: &PrimaryMap<Var, Place>,
    vars: &[Var],
) {
    let count = code.insts.len();
    let effects: Vec<SlotEffect> =
        (0..count).map(|pc| effect_of(&code.insts, pc as u32, program, places)).collect();
    let live = LiveSlots::new(&effects, code.vars as usize);
    let mut stops = vec![false; count];
    stops[code.entry as usize] = true;
    for (pc, inst) in code.insts.iter().enumerate() {
        match inst {
            Inst::EndEdge { target } => stops[*target as usize] = true,
            Inst::Sync(_) => stops[pc] = true,
            Inst::Call(_) => stops[pc + 1] = true,
            _ => {}
        }
    }
    // A variable of the source tracks memory until its frame ends, whether it is read or not.
    let stays = |slot: u32| program.tracks_memory() && !program.is_temporary(vars[slot as usize]);
    code.live = (0..count)
        .map(|pc| {
            if !stops[pc] {
                return Box::default();
            }
            // What the result of the call before will overwrite does not matter.
            let result = match pc.checked_sub(1).map(|pc| &code.insts[pc]) {
                Some(Inst::Call(call)) => match call.dst.map(|dst| dst.place) {
                    Some(Place::Local(slot)) => Some(slot),
                    Some(Place::Global(_) | Place::ThreadLocal(_)) | None => None,
                },
                _ => None,
            };
            (0..code.vars)
                .filter(|&slot| {
                    stays(slot) || live.is_live(pc as u32, slot) && Some(slot) != result
                })
                .collect()
        })
        .collect();
}

fn effect_of(
    insts: &[Inst],
    pc: u32,
    program: &Program,
    places: &PrimaryMap<Var, Place>,
) -> SlotEffect {
    let inst = &insts[pc as usize];
    let mut reads = Vec::new();
    let mut read = |src: &Src| {
        if let Src::Local(slot) = src {
            reads.push(*slot);
        }
    };
    let write = match inst {
        Inst::Begin(_) | Inst::MarkSet { .. } | Inst::Jump(_) | Inst::EndEdge { .. } => None,
        Inst::Unary { a: src, .. }
        | Inst::LowAddress { a: src, .. }
        | Inst::Guard { cond: src, .. }
        | Inst::Assume(src)
        | Inst::ThreadExit { value: src } => {
            read(src);
            None
        }
        Inst::Binary { a, b, .. } | Inst::Store { addr: a, value: b, .. } => {
            [a, b].into_iter().for_each(read);
            None
        }
        Inst::Select { cond, a, b, to: _ } => {
            [cond, a, b].into_iter().for_each(read);
            None
        }
        Inst::Slow { term, to: _ } => {
            for var in program.terms.vars_of(*term) {
                if let Place::Local(slot) = places[var] {
                    read(&Src::Local(slot));
                }
            }
            None
        }
        Inst::Assign { dst, value: src } | Inst::Load { dst, addr: src, sort: _ } => {
            read(src);
            Some(*dst)
        }
        Inst::Havoc { dst, .. } => Some(*dst),
        Inst::Call(call) => call_effect(call, read),
        Inst::Return { value } => {
            value.iter().for_each(|(value, _)| read(value));
            None
        }
        Inst::Join { handle, dst } => {
            read(handle);
            *dst
        }
        Inst::Sync(sync) => {
            sync.args.iter().for_each(read);
            sync.dst
        }
        Inst::Rare(inst) => rare_effect(inst, read),
    };
    let successors = match inst {
        Inst::Guard { otherwise, .. } => [Some(pc + 1), Some(*otherwise)],
        Inst::Jump(target) | Inst::EndEdge { target } => [Some(*target), None],
        Inst::Return { .. } | Inst::ThreadExit { .. } => [None, None],
        Inst::Rare(inst) if inst.ends_thread() => [None, None],
        _ => [Some(pc + 1), None],
    };
    let writes = match write {
        Some(Place::Local(slot)) => Some(slot),
        Some(Place::Global(_) | Place::ThreadLocal(_)) | None => None,
    };
    SlotEffect { reads, writes, successors }
}

fn call_effect(call: &CallInst, mut read: impl FnMut(&Src)) -> Option<Place> {
    if let CalleeCode::Pointer(callee) = &call.callee {
        read(callee);
    }
    call.args.iter().for_each(|(arg, _)| read(arg));
    call.dst.map(|dst| dst.place)
}

/// Reads what the instruction reads; gives where it writes.
fn rare_effect(inst: &RareInst, mut read: impl FnMut(&Src)) -> Option<Place> {
    match inst {
        RareInst::Copy { dst: a, src: b, size: c }
        | RareInst::Fill { dst: a, byte: b, size: c } => {
            [a, b, c].into_iter().for_each(read);
            None
        }
        RareInst::Alloc { dst, size: src, kind: _ }
        | RareInst::Inspect { dst, addr: src, fact: _ } => {
            read(src);
            Some(*dst)
        }
        RareInst::Realloc { dst, addr, size } => {
            [addr, size].into_iter().for_each(read);
            Some(*dst)
        }
        RareInst::Free { addr: src, kind: _ } | RareInst::Exit { status: src } => {
            read(src);
            None
        }
        RareInst::Start(call) => call_effect(call, read),
        RareInst::ThreadSelf { dst } => Some(*dst),
        RareInst::HavocMemory
        | RareInst::ScopeBegin { .. }
        | RareInst::ScopeEnd { .. }
        | RareInst::AtomicBegin
        | RareInst::AtomicEnd
        | RareInst::Error(_)
        | RareInst::Abort
        | RareInst::Unsupported(_)
        | RareInst::NoModel(_)
        | RareInst::Beyond(_)
        | RareInst::NoWayOn => None,
    }
}
