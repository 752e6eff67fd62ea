//! Procedures as flat lists of instructions, so that a path is at one index whatever choices it is inside of.

use ravelin_base::{EntityRef, SecondaryMap, SrcPos};
use ravelin_cfa::{Label, Loc, Op, Proc, Procedure, Program};
use ravelin_term::Term;

/// An instruction, and where it stands in the source.
#[derive(Clone, Debug)]
pub(super) struct Inst {
    pub(super) action: Do,
    pub(super) pos: SrcPos,
}

#[derive(Clone, Debug)]
pub(super) enum Do {
    /// An operation that is no choice.
    Op(Op),
    /// Goes on behind if the condition holds, else at `otherwise`.
    Guard {
        cond: Term,
        otherwise: u32,
    },
    Jump(u32),
    /// The end of a procedure without `return`.
    LeaveVoid,
    /// No guard holds.
    NoWayOn,
}

/// The code of a program.
#[derive(Debug)]
pub(super) struct Code {
    procs: SecondaryMap<Proc, ProcCode>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct ProcCode {
    pub(super) insts: Vec<Inst>,
    pub(super) entry: u32,
}

impl Code {
    pub(super) fn of(program: &Program) -> Code {
        let mut procs = SecondaryMap::with_capacity(program.procs.len());
        for (proc, procedure) in program.procs.iter() {
            procs[proc] = flatten(procedure);
        }
        Code { procs }
    }

    pub(super) fn of_proc(&self, proc: Proc) -> &ProcCode {
        &self.procs[proc]
    }
}

fn flatten(procedure: &Procedure) -> ProcCode {
    let mut flat = Flattener { insts: Vec::new() };
    let mut starts: SecondaryMap<Loc, u32> = SecondaryMap::with_capacity(procedure.locs.len());
    let mut ends = Vec::new();
    for (loc, data) in procedure.locs.iter() {
        starts[loc] = flat.here();
        let is_branch = data.out.len() > 1;
        for &edge in &data.out {
            let data = &procedure.edges[edge];
            let pos = data.labels.last().map_or(procedure.pos, |label| label.pos);
            let (guard, rest) =
                if is_branch { flat.guard(&data.labels) } else { (None, &data.labels[..]) };
            flat.labels(rest);
            ends.push((flat.push(Do::Jump(0), pos), data.target));
            flat.end_guard(guard);
        }
        match data.out.first() {
            None if loc == procedure.exit => {
                flat.push(Do::LeaveVoid, procedure.pos);
            }
            None => {
                flat.push(Do::NoWayOn, procedure.pos);
            }
            Some(&first) if is_branch => {
                let labels = &procedure.edges[first].labels;
                flat.push(Do::NoWayOn, labels.first().map_or(procedure.pos, |label| label.pos));
            }
            Some(_) => {}
        }
    }
    for (jump, target) in ends {
        flat.insts[jump].action = Do::Jump(starts[target]);
    }
    debug_assert!(procedure.entry.index() < procedure.locs.len());
    ProcCode { insts: flat.insts, entry: starts[procedure.entry] }
}

struct Flattener {
    insts: Vec<Inst>,
}

impl Flattener {
    fn here(&self) -> u32 {
        self.insts.len() as u32
    }

    fn push(&mut self, action: Do, pos: SrcPos) -> usize {
        self.insts.push(Inst { action, pos });
        self.insts.len() - 1
    }

    /// The condition of a branch, if it has one, and the labels behind.
    fn guard<'l>(&mut self, labels: &'l [Label]) -> (Option<usize>, &'l [Label]) {
        match labels {
            [Label { op: Op::Assume(cond), pos }, rest @ ..] => {
                (Some(self.push(Do::Guard { cond: *cond, otherwise: 0 }, *pos)), rest)
            }
            labels => (None, labels),
        }
    }

    /// Makes a guard that fails go on here.
    fn end_guard(&mut self, guard: Option<usize>) {
        let here = self.here();
        if let Some(guard) = guard
            && let Do::Guard { otherwise, .. } = &mut self.insts[guard].action
        {
            *otherwise = here;
        }
    }

    /// Block encoding bounds how deep choices nest.
    fn labels(&mut self, labels: &[Label]) {
        for label in labels {
            match &label.op {
                Op::Skip => {}
                Op::Choice(branches) => {
                    let mut jumps = Vec::new();
                    for branch in branches {
                        let (guard, rest) = self.guard(branch);
                        self.labels(rest);
                        jumps.push(self.push(Do::Jump(0), label.pos));
                        self.end_guard(guard);
                    }
                    self.push(Do::NoWayOn, label.pos);
                    let end = self.here();
                    for jump in jumps {
                        self.insts[jump].action = Do::Jump(end);
                    }
                }
                op => {
                    self.push(Do::Op(op.clone()), label.pos);
                }
            }
        }
    }
}
