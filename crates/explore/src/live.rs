//! Which local variables a procedure may still read: a state keeps no others.

use ravelin_base::PrimaryMap;
use ravelin_cfa::Program;
use ravelin_term::Var;

use crate::code::{CalleeCode, Inst, Place, ProcCode, Src};

/// Lists the live variables where a thread may be between two steps.
pub(crate) fn compute(code: &mut ProcCode, program: &Program, places: &PrimaryMap<Var, Place>) {
    let count = code.insts.len();
    let words = (code.vars as usize).div_ceil(64);
    let mut rows = vec![0u64; words * count];
    let effects: Vec<Effect> =
        (0..count).map(|pc| Effect::of(&code.insts, pc as u32, program, places)).collect();
    let mut row = vec![0u64; words];
    // Backward until nothing changes; code is mostly in the order of execution, so a few rounds do.
    let mut changed = words > 0;
    while changed {
        changed = false;
        for (pc, effect) in effects.iter().enumerate().rev() {
            row.fill(0);
            for successor in effect.successors.into_iter().flatten() {
                let successor = successor as usize;
                if successor < count {
                    let live = &rows[successor * words..(successor + 1) * words];
                    row.iter_mut().zip(live).for_each(|(word, live)| *word |= live);
                }
            }
            if let Some(slot) = effect.writes {
                row[slot as usize / 64] &= !(1 << (slot % 64));
            }
            for &slot in &effect.reads {
                row[slot as usize / 64] |= 1 << (slot % 64);
            }
            let old = &mut rows[pc * words..(pc + 1) * words];
            if *old != *row {
                old.copy_from_slice(&row);
                changed = true;
            }
        }
    }
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
            let row = &rows[pc * words..(pc + 1) * words];
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
                    row[slot as usize / 64] >> (slot % 64) & 1 == 1 && Some(slot) != result
                })
                .collect()
        })
        .collect();
}

/// What an instruction does to local variables, and where it leads.
struct Effect {
    reads: Vec<u32>,
    writes: Option<u32>,
    successors: [Option<u32>; 2],
}

impl Effect {
    fn of(insts: &[Inst], pc: u32, program: &Program, places: &PrimaryMap<Var, Place>) -> Effect {
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
        Effect { reads, writes, successors }
    }
}
