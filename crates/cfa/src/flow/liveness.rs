//! Live variables: the locals that are read later. An assignment to a dead local makes nothing
//! live, so the analysis finds whole chains of dead assignments at once.

use ravelin_base::{EntitySet, SecondaryMap};
use ravelin_term::TermKind;

use super::facts::Facts;
use super::locals::Locals;
use crate::access::{Access, for_each_access};
use crate::effects::may_trap;
use crate::model::{Loc, Proc, Procedure, Program};
use crate::op::{HavocKind, Label, Op};
use crate::ops;

/// The live locals at each location of a procedure that can be reached from its entry.
#[derive(Debug)]
pub struct Liveness {
    live: SecondaryMap<Loc, Option<Facts>>,
    bound: usize,
}

/// Analyses `procedure`, which may have been taken out of the program under the name `proc`.
pub fn liveness(program: &Program, locals: &Locals, proc: Proc, procedure: &Procedure) -> Liveness {
    let bound = locals.list(proc).len();
    let mut result = Liveness { live: SecondaryMap::with_capacity(procedure.locs.len()), bound };
    let order = procedure.reverse_postorder();
    let incoming = procedure.incoming();
    let mut pending = EntitySet::with_capacity(procedure.locs.len());
    // In postorder, because the analysis runs backwards: each round settles everything except
    // values carried around loops.
    order.iter().for_each(|&loc| {
        pending.insert(loc);
    });
    let mut changed = true;
    while changed {
        changed = false;
        for &loc in order.iter().rev() {
            if !pending.remove(loc) {
                continue;
            }
            let live = result.before(program, locals, procedure, loc);
            let grew = match &mut result.live[loc] {
                Some(old) => old.union(&live),
                slot @ None => {
                    *slot = Some(live);
                    true
                }
            };
            if grew {
                for &edge in &incoming[loc] {
                    pending.insert(procedure.edges[edge].source);
                }
                changed = true;
            }
        }
    }
    result
}

impl Liveness {
    /// The live locals at a location, by their numbers.
    pub fn at(&self, loc: Loc) -> Facts {
        self.live[loc].clone().unwrap_or_else(|| Facts::new(self.bound))
    }

    fn before(&self, program: &Program, locals: &Locals, procedure: &Procedure, loc: Loc) -> Facts {
        let mut all = Facts::new(self.bound);
        for &edge in &procedure.locs[loc].out {
            let edge = &procedure.edges[edge];
            let mut live = self.at(edge.target);
            for label in edge.labels.iter().rev() {
                step_back(program, locals, label, &mut live);
            }
            all.union(&live);
        }
        all
    }
}

/// Turns what is live after a label into what is live before it.
pub fn step_back(program: &Program, locals: &Locals, label: &Label, live: &mut Facts) {
    if let Op::Choice(branches) = &label.op {
        let after = live.clone();
        for (index, branch) in branches.iter().enumerate() {
            let mut before = after.clone();
            for label in branch.iter().rev() {
                step_back(program, locals, label, &mut before);
            }
            match index {
                0 => *live = before,
                _ => {
                    live.union(&before);
                }
            }
        }
        return;
    }
    if label.op.never_continues() {
        live.clear();
    }
    if is_dead(program, locals, &label.op, live) {
        return;
    }
    if let Some(number) = label.op.dst().and_then(|dst| locals.number(program, dst)) {
        live.remove(number);
    }
    for_each_access(&label.op, &mut |access| {
        if let Access::Evaluate(term) = access {
            program.terms.for_each_subterm(term, |_, kind| {
                if let TermKind::Var(var) = kind
                    && let Some(number) = locals.number(program, var)
                {
                    live.insert(number, 0);
                }
            });
        }
    });
}

/// Whether the operation only writes a local that is dead afterwards. Inputs are never dead,
/// because a replay counts them; nor are operations that may trap or end a concrete execution.
pub fn is_dead(program: &Program, locals: &Locals, op: &Op, live: &Facts) -> bool {
    let dst = match op {
        Op::Assign { dst, value } if !may_trap(&program.terms, *value) => dst,
        Op::Havoc { dst, kind } => match kind {
            HavocKind::Input(_) | HavocKind::NotModelled(_) => return false,
            HavocKind::Uninitialised | HavocKind::Extern(_) | HavocKind::Unspecified => dst,
        },
        Op::ThreadSelf { dst } => dst,
        ops!(access, scope, object, procedure, section, remark, end)
        | Op::Claim(_)
        | Op::Skip
        | Op::Assume(_)
        | Op::Assign { .. }
        | Op::HavocMemory { .. }
        | Op::Start { .. }
        | Op::Join { .. }
        | Op::ThreadExit { .. }
        | Op::Sync { .. }
        | Op::Choice(_) => return false,
    };
    locals.number(program, *dst).is_some_and(|number| !live.contains(number))
}
