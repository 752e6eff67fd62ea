//! What a thread is about to do, without doing it.

use ravelin_cfa::{Proc, Sort};
use ravelin_term::{BinOp, UnOp};

use crate::code::{Inst, Src};
use crate::machine::{FRAMES, Machine, RUNNING, STATUS, TOP, pc_of, proc_of};
use crate::word::object_of;

/// What a thread is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// To take this edge, or to leave the procedure; perhaps to wait for the end of a thread.
    Edge { proc: Proc, edge: Option<u32>, joins: Joins },
    /// Something that nobody else notices or influences.
    Private,
    /// Not to be seen without doing it.
    Unknown,
}

/// Whose end a step waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joins {
    Nobody,
    /// The thread with this number.
    One(u32),
    /// It cannot be seen.
    Somebody,
}

impl<'c> Machine<'c, '_> {
    /// What the thread at a position is about to do. It depends on nothing but the thread.
    pub(crate) fn next(&mut self, position: usize) -> Next {
        let mut words = self.take_words(position);
        let next = self.look_ahead(&mut words);
        self.put_thread(position, words);
        next
    }

    fn look_ahead(&mut self, words: &mut [u64]) -> Next {
        let mut at = self.top(words);
        if words[STATUS] != RUNNING {
            // It is in the middle of an edge.
            let edge = at.code.edges[at.pc];
            return Next::Edge { proc: at.proc, edge, joins: Joins::Nobody };
        }
        // What to say where no more can be seen.
        let mut unseen = Next::Unknown;
        let local = |src: Src| match src {
            Src::Local(_) | Src::Temp(_) | Src::Const(_) | Src::ThreadLocal(_) => true,
            Src::Global(_) | Src::LocalObject(_) | Src::ThreadObject(_) => false,
        };
        loop {
            let result = match &at.code.insts[at.pc] {
                Inst::Begin(nature) => {
                    let edge = at.code.edges[at.pc];
                    if !nature.visible && !self.ends_visibly(words, *nature) {
                        return if nature.draws { Next::Private } else { Next::Unknown };
                    }
                    // What is on the edge does not matter, unless it is a join.
                    let joins = at.code.insts[at.pc..]
                        .iter()
                        .take_while(|inst| !matches!(inst, Inst::EndEdge { .. }))
                        .any(|inst| matches!(inst, Inst::Join { .. }));
                    if !joins {
                        return Next::Edge { proc: at.proc, edge, joins: Joins::Nobody };
                    }
                    unseen = Next::Edge { proc: at.proc, edge, joins: Joins::Somebody };
                    Ok(())
                }
                Inst::Unary { op, sort, a, to }
                    if local(*a) && !matches!(op, UnOp::PtrToInt | UnOp::IntToPtr) =>
                {
                    self.read(words, &at, *a)
                        .and_then(|a| self.unary(at.pos(), *op, *sort, a))
                        .map(|value| self.temps[*to as usize] = value)
                }
                Inst::Binary { op, sort, sort_b, a, b, to }
                    if local(*a) && local(*b) && *sort != Sort::Ptr =>
                {
                    let sorts = (*sort, *sort_b);
                    self.read(words, &at, *a)
                        .and_then(|a| Ok((a, self.read(words, &at, *b)?)))
                        .and_then(|(a, b)| self.binary(at.pos(), *op, sorts, a, b))
                        .map(|value| self.temps[*to as usize] = value)
                }
                Inst::Binary { op: BinOp::Eq, a, b, to, .. }
                    if local(*a) && *b == Src::Const(0) || local(*b) && *a == Src::Const(0) =>
                {
                    // A pointer is compared with null; one that is no object may be anything.
                    match (self.read(words, &at, *a), self.read(words, &at, *b)) {
                        (Ok(a), Ok(b)) if a == b || object_of(a | b) != 0 => {
                            self.temps[*to as usize] = (a == b).into();
                            Ok(())
                        }
                        _ => return unseen,
                    }
                }
                Inst::Select { cond, a, b, to } if local(*cond) && local(*a) && local(*b) => self
                    .read(words, &at, *cond)
                    .and_then(|cond| self.read(words, &at, if cond != 0 { *a } else { *b }))
                    .map(|value| self.temps[*to as usize] = value),
                Inst::Guard { cond, otherwise } if local(*cond) => {
                    match self.read(words, &at, *cond) {
                        Ok(0) => {
                            at.pc = *otherwise as usize;
                            continue;
                        }
                        Ok(_) => Ok(()),
                        Err(stop) => Err(stop),
                    }
                }
                Inst::Join { handle, .. } => {
                    let tid = match self.read(words, &at, *handle) {
                        Ok(tid) if local(*handle) => tid,
                        Ok(_) | Err(_) => return unseen,
                    };
                    let joins = match tid.checked_sub(1).map(u32::try_from) {
                        Some(Ok(tid)) => Joins::One(tid),
                        // It is no thread, and the run ends here.
                        Some(Err(_)) | None => Joins::Nobody,
                    };
                    let edge = at.code.edges[at.pc];
                    return Next::Edge { proc: at.proc, edge, joins };
                }
                // What follows depends on more than the thread.
                _ => return unseen,
            };
            if result.is_err() {
                return unseen;
            }
            at.pc += 1;
        }
    }

    /// The locations of the frames of a thread, the top one first: where each goes on, and the edge it
    /// is on.
    pub(crate) fn places(&mut self, position: usize) -> Vec<(Proc, u32, Option<u32>)> {
        let words = self.take_words(position);
        let mut places = Vec::new();
        let mut start = words[TOP] as usize;
        for depth in 0..words[FRAMES] {
            let (proc, pc) = (proc_of(words[start]), pc_of(words[start]) as usize);
            let code = &self.code.procs[proc];
            let loc = match &code.insts[pc] {
                // Behind a call.
                Inst::EndEdge { target } if depth > 0 => code.locs[*target as usize],
                _ => code.locs[pc],
            };
            places.push((proc, loc, code.edges[pc]));
            start = words[start + 1] as usize;
        }
        self.put_thread(position, words);
        places
    }
}
