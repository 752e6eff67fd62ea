//! Which local variables a procedure may still read.
//!
//! An exploration forgets the values of the others: states that differ only in them are equal. It
//! is a matter of names, not a reduction: no interleaving is left out.

use crate::code::{CalleeCode, Inst, Operand, Place, ProcCode, TermCode, TermInst};

/// For each instruction, a bit per variable: whether it is live before the instruction.
#[derive(Clone, Debug)]
pub(crate) struct Liveness {
    words: usize,
    live: Vec<u64>,
}

impl Liveness {
    pub(crate) fn new(code: &ProcCode, vars: usize) -> Self {
        let words = vars.div_ceil(64);
        let count = code.insts.len();
        let mut result = Liveness { words, live: vec![0; words * count] };
        if words == 0 {
            return result;
        }
        let effects: Vec<Effect> = (0..count as u32).map(|pc| Effect::of(code, pc)).collect();
        // Backward until nothing changes; code is mostly in the order of execution, so a few rounds
        // do.
        let mut changed = true;
        let mut row = vec![0; words];
        while changed {
            changed = false;
            for (pc, effect) in effects.iter().enumerate().rev() {
                row.fill(0);
                for successor in effect.successors.into_iter().flatten() {
                    let successor = successor as usize;
                    if successor < count {
                        for (word, live) in row.iter_mut().zip(result.row(successor)) {
                            *word |= live;
                        }
                    }
                }
                if let Some(slot) = effect.writes {
                    row[slot as usize / 64] &= !(1 << (slot % 64));
                }
                for &slot in &effect.reads {
                    row[slot as usize / 64] |= 1 << (slot % 64);
                }
                let old = &mut result.live[pc * words..(pc + 1) * words];
                if *old != *row {
                    old.copy_from_slice(&row);
                    changed = true;
                }
            }
        }
        result
    }

    fn row(&self, pc: usize) -> &[u64] {
        &self.live[pc * self.words..(pc + 1) * self.words]
    }

    /// Whether the variable in `slot` is live before the instruction at `pc`.
    pub(crate) fn is_live(&self, pc: u32, slot: usize) -> bool {
        self.row(pc as usize)[slot / 64] >> (slot % 64) & 1 == 1
    }
}

/// What an instruction does to local variables, and where it leads.
struct Effect {
    reads: Vec<u32>,
    writes: Option<u32>,
    successors: [Option<u32>; 2],
}

impl Effect {
    fn of(code: &ProcCode, pc: u32) -> Effect {
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
            Inst::ScopeBegin { .. }
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
            Inst::Error(_)
            | Inst::Abort
            | Inst::Unsupported(_)
            | Inst::NoModel(_)
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
