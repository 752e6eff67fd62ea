//! Which local variables a procedure may still read: a state keeps no others.

use ravelin_base::{LiveSlots, PrimaryMap, SlotEffect};
use ravelin_cfa::Program;
use ravelin_term::Var;

use crate::code::{CalleeCode, Inst, Place, ProcCode, Src};

/// Lists the live variables where a thread may be between two steps.
pub(crate) fn compute(code: &mut ProcCode, program: &Program, places: &PrimaryMap<Var, Place>) {
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
                .filter(|&slot| live.is_live(pc as u32, slot) && Some(slot) != result)
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
    let next = [Some(pc + 1), None];
    let mut reads = Vec::new();
    let mut read = |src: &Src| {
        if let Src::Local(slot) = src {
            reads.push(*slot);
        }
    };
    let (write, successors) = match &insts[pc as usize] {
        Inst::Unary { a, .. } | Inst::LowAddress { a, .. } => {
            read(a);
            (None, next)
        }
        Inst::Binary { a, b, .. } => {
            read(a);
            read(b);
            (None, next)
        }
        Inst::Select { cond, a, b, to: _ } => {
            read(cond);
            read(a);
            read(b);
            (None, next)
        }
        Inst::Slow { term, to: _ } => {
            for var in program.terms.vars_of(*term) {
                if let Place::Local(slot) = places[var] {
                    read(&Src::Local(slot));
                }
            }
            (None, next)
        }
        Inst::Guard { cond, otherwise } => {
            read(cond);
            (None, [Some(pc + 1), Some(*otherwise)])
        }
        Inst::Assume(cond) => {
            read(cond);
            (None, next)
        }
        Inst::Assign { dst, value } => {
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
        Inst::Begin(_)
        | Inst::MarkSet { .. }
        | Inst::HavocMemory
        | Inst::ScopeBegin { .. }
        | Inst::ScopeEnd { .. }
        | Inst::AtomicBegin
        | Inst::AtomicEnd => (None, next),
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
            (call.dst.map(|dst| dst.place), next)
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
            sync.args.iter().for_each(&mut read);
            (sync.dst, next)
        }
        Inst::ThreadExit { value: src } | Inst::Exit { status: src } => {
            read(src);
            (None, [None, None])
        }
        Inst::Error(_)
        | Inst::Abort
        | Inst::Unsupported(_)
        | Inst::NoModel(_)
        | Inst::Beyond(_)
        | Inst::NoWayOn => (None, [None, None]),
        Inst::Jump(target) | Inst::EndEdge { target } => (None, [Some(*target), None]),
    };
    let writes = match write {
        Some(Place::Local(slot)) => Some(slot),
        Some(Place::Global(_) | Place::ThreadLocal(_)) | None => None,
    };
    SlotEffect { reads, writes, successors }
}
