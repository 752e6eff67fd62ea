//! Which threads have to move in a control state, so that the others may wait.
//!
//! A set of threads suffices if nothing that the others do before one of them moves depends on its next
//! step (persistent sets), and if one of its threads can move for sure. The second is more than that an
//! abstract state has a successor: an assumption that may hold may also fail, and then what the others do
//! must not be lost. Cycles pass a loop head, and before a thread gets there, everybody moves.

use ravelin_cfa::access::{Part, for_each_part};
use ravelin_cfa::effects::{may_trap, may_wait};
use ravelin_cfa::{Edge, Label, Loc, Op, Proc, Program};
use ravelin_pointsto::PointsTo;
use ravelin_por::{Dependence, Footprint, Tables, persistent_sets};
use rustc_hash::FxHashMap;

use crate::guide::Guide;

/// Where a thread is, for what it may do next and later.
#[derive(Clone, Debug)]
pub struct Whereabouts {
    /// The location and those to which calls return, the innermost first.
    pub frames: Vec<(Proc, Loc)>,
    /// The edge it is on, if it waits there.
    pub waiting: Option<Edge>,
    /// Whether the program ends when the last frame is left.
    pub ends_program: bool,
}

/// What edges and locations say of threads.
#[derive(Debug)]
pub struct Reducer {
    tables: Tables,
    guide: Guide,
    sure: FxHashMap<(Proc, Loc), bool>,
}

impl Reducer {
    pub fn new(program: &Program, points_to: &PointsTo) -> Self {
        Reducer {
            tables: Tables::new(program, points_to),
            guide: Guide::new(program),
            sure: FxHashMap::default(),
        }
    }

    /// The threads that suffice, by position; all of them if no fewer do.
    pub fn movers(&mut self, program: &Program, threads: &[Option<Whereabouts>]) -> u64 {
        let live = bits(threads.iter().map(Option::is_some));
        if threads.len() > 64 || live.count_ones() < 2 {
            return u64::MAX;
        }
        let mut dependences = Vec::with_capacity(threads.len());
        let futures: Vec<Footprint> = threads
            .iter()
            .map(|thread| {
                thread.as_ref().map_or_else(Footprint::default, |it| self.future(program, it))
            })
            .collect();
        let (mut sure, mut full) = (0u64, 0u64);
        for (position, thread) in threads.iter().enumerate() {
            let Some(thread) = thread else {
                dependences.push(Dependence::default());
                continue;
            };
            let next = self.next(program, thread);
            let waits = self.waits_for_end(program, thread);
            let others = futures.iter().enumerate().filter(|(other, _)| *other != position);
            let on = bits_at(others.filter(|(_, future)| waits || next.conflicts_with(future)));
            dependences.push(Dependence { on });
            sure |= u64::from(self.moves_surely(program, thread)) << position;
            full |= u64::from(self.comes_to_loop(program, thread)) << position;
        }
        let suffices = |set: &u64| set & sure != 0 && set & full == 0;
        persistent_sets(live, &dependences).into_iter().find(suffices).unwrap_or(u64::MAX)
    }

    /// What the next step of a thread may touch.
    fn next(&self, program: &Program, thread: &Whereabouts) -> Footprint {
        let mut next = Footprint::default();
        let Some(&(proc, loc)) = thread.frames.first() else { return next };
        for edge in next_edges(program, thread, proc, loc) {
            next.add(self.tables.step(proc, edge));
            match program.procs[proc].edges[edge].labels.last().map(|label| &label.op) {
                Some(Op::Return { .. } | Op::ThreadExit { .. }) => {
                    next.add(self.tables.leaving(proc));
                }
                Some(Op::Exit { .. } | Op::Abort) => {
                    next.add(self.tables.everything());
                }
                _ => {}
            }
        }
        next
    }

    /// What a thread may still touch.
    fn future(&self, program: &Program, thread: &Whereabouts) -> Footprint {
        let mut future = Footprint::default();
        for (depth, &(proc, loc)) in thread.frames.iter().enumerate() {
            let futures = self.tables.futures();
            let loc = match thread.waiting {
                Some(edge) if depth == 0 => {
                    future.add(self.tables.step(proc, edge));
                    program.procs[proc].edges[edge].target
                }
                _ => loc,
            };
            future.add(futures.touched(proc, loc));
            if !futures.leaves(proc, loc) {
                break;
            }
        }
        future
    }

    /// Whether the next step may wait for the end of another thread.
    fn waits_for_end(&self, program: &Program, thread: &Whereabouts) -> bool {
        let Some(&(proc, loc)) = thread.frames.first() else { return false };
        next_edges(program, thread, proc, loc).iter().any(|&edge| {
            let labels = &program.procs[proc].edges[edge].labels;
            labels.iter().any(|label| label.any(&mut |label| matches!(label.op, Op::Join { .. })))
        })
    }

    /// Whether a thread can make its next step whatever the values are, and others go on after it.
    fn moves_surely(&mut self, program: &Program, thread: &Whereabouts) -> bool {
        let Some(&(proc, loc)) = thread.frames.first() else { return false };
        if thread.waiting.is_some() {
            return false;
        }
        if thread.ends_program && thread.frames.len() == 1 {
            let mut edges = program.procs[proc].locs[loc].out.iter();
            let returns = |edge: &Edge| {
                let labels = &program.procs[proc].edges[*edge].labels;
                labels.iter().any(|label| matches!(label.op, Op::Return { .. }))
            };
            if edges.any(returns) {
                return false;
            }
        }
        *self.sure.entry((proc, loc)).or_insert_with(|| {
            let procedure = &program.procs[proc];
            let out = &procedure.locs[loc].out;
            !out.is_empty()
                && out
                    .iter()
                    .all(|&edge| is_sure(program, &procedure.edges[edge].labels, out.len() > 1))
        })
    }

    /// Whether the next step may come to the head of a loop.
    fn comes_to_loop(&self, program: &Program, thread: &Whereabouts) -> bool {
        let Some(&(proc, loc)) = thread.frames.first() else { return false };
        let leads_to_loop = |edge: Edge| {
            let data = &program.procs[proc].edges[edge];
            let returns = matches!(
                data.labels.last().map(|label| &label.op),
                Some(Op::Return { .. } | Op::Call { .. })
            );
            // Where a call goes and where it returns to may be such places, too.
            self.guide.is_loop_head(proc, data.target)
                || (returns && self.may_enter_loop(program, thread, edge, proc))
        };
        next_edges(program, thread, proc, loc).into_iter().any(leads_to_loop)
    }

    fn may_enter_loop(
        &self,
        program: &Program,
        thread: &Whereabouts,
        edge: Edge,
        proc: Proc,
    ) -> bool {
        let labels = &program.procs[proc].edges[edge].labels;
        match labels.last().map(|label| &label.op) {
            Some(Op::Return { .. }) => thread
                .frames
                .get(1)
                .is_some_and(|&(caller, loc)| self.guide.is_loop_head(caller, loc)),
            Some(Op::Call { callee: ravelin_cfa::Callee::Direct(callee), .. }) => {
                self.guide.is_loop_head(*callee, program.procs[*callee].entry)
            }
            _ => true,
        }
    }
}

fn bits(flags: impl Iterator<Item = bool>) -> u64 {
    flags.take(64).enumerate().fold(0, |set, (position, flag)| set | u64::from(flag) << position)
}

fn bits_at<'f>(positions: impl Iterator<Item = (usize, &'f Footprint)>) -> u64 {
    positions.fold(0, |set, (position, _)| set | 1 << position)
}

fn next_edges(program: &Program, thread: &Whereabouts, proc: Proc, loc: Loc) -> Vec<Edge> {
    match thread.waiting {
        Some(edge) => vec![edge],
        None => program.procs[proc].locs[loc].out.to_vec(),
    }
}

/// Whether labels can be executed whatever the values are. An assumption that begins a branch is one of
/// several, of which one holds.
fn is_sure(program: &Program, labels: &[Label], is_branch: bool) -> bool {
    labels.iter().enumerate().all(|(number, label)| {
        let mut traps = false;
        for_each_part(&mut label.op.clone(), &mut |part| {
            if let Part::Term(term) = part {
                traps |= may_trap(&program.terms, *term);
            }
        });
        if traps {
            return false;
        }
        match &label.op {
            Op::Assume(_) => is_branch && number == 0,
            Op::Choice(branches) => branches.iter().all(|branch| is_sure(program, branch, true)),
            Op::Exit { .. } | Op::Abort | Op::Unsupported { .. } => false,
            op @ (Op::Sync { .. } | Op::Join { .. } | Op::AtomicBegin) => !may_wait(op),
            Op::Skip
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::HavocMemory { .. }
            | Op::ScopeBegin(_)
            | Op::ScopeEnd(_)
            | Op::Alloc { .. }
            | Op::Realloc { .. }
            | Op::Free { .. }
            | Op::Call { .. }
            | Op::Return { .. }
            | Op::Start { .. }
            | Op::ThreadExit { .. }
            | Op::ThreadSelf { .. }
            | Op::AtomicEnd
            | Op::Print { .. }
            | Op::Error(_) => true,
        }
    })
}
