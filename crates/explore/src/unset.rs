//! Which variables may be read before they have a value.
//!
//! Most are not, and the machine then keeps no record of whether they have one.

use ravelin_base::{EntitySet, SecondaryMap};
use ravelin_cfa::access::{Access, for_each_access};
use ravelin_cfa::{Label, Loc, Op, Proc, Program, Var, VarKind};
use ravelin_term::TermKind;

use crate::compile::VarSet;

/// The local variables of a procedure that some path reads before it assigns them, ascending.
pub(crate) fn read_before_set(program: &Program, proc: Proc) -> Vec<Var> {
    let procedure = &program.procs[proc];
    let mut entry = VarSet::new();
    for (var, data) in program.vars.iter() {
        if data.kind == VarKind::Local(proc) && !procedure.params.contains(&var) {
            entry.insert(var);
        }
    }
    let mut found = VarSet::new();
    let mut before: SecondaryMap<Loc, Option<VarSet>> =
        SecondaryMap::with_capacity(procedure.locs.len());
    before[procedure.entry] = Some(entry);
    let mut work = vec![procedure.entry];
    while let Some(loc) = work.pop() {
        let Some(here) = before[loc].clone() else { continue };
        for &edge in &procedure.locs[loc].out {
            let mut unset = here.clone();
            pass(program, &procedure.edges[edge].labels, &mut unset, &mut found);
            let target = procedure.edges[edge].target;
            let grew = match &mut before[target] {
                Some(old) => {
                    let mut grew = false;
                    for var in unset.iter() {
                        grew |= old.insert(var);
                    }
                    grew
                }
                slot @ None => {
                    *slot = Some(unset);
                    true
                }
            };
            if grew {
                work.push(target);
            }
        }
    }
    let mut list: Vec<Var> = found.iter().collect();
    list.sort_unstable();
    list
}

fn pass(program: &Program, labels: &[Label], unset: &mut VarSet, found: &mut VarSet) {
    for label in labels {
        if let Op::Choice(branches) = &label.op {
            let mut joined = VarSet::new();
            for branch in branches {
                let mut inside = unset.clone();
                pass(program, branch, &mut inside, found);
                for var in inside.iter() {
                    joined.insert(var);
                }
            }
            *unset = joined;
            continue;
        }
        for_each_access(&label.op, &mut |access| {
            if let Access::Evaluate(term) = access {
                program.terms.for_each_subterm(term, |_, kind| {
                    if let TermKind::Var(var) = kind
                        && unset.contains(var)
                    {
                        found.insert(var);
                    }
                });
            }
        });
        if let Some(dst) = label.op.dst() {
            unset.remove(dst);
        }
    }
}

/// A variable with static lifetime that has no initial value and is read: some other program defines
/// it, and may have put anything there.
pub(crate) fn open_global(program: &Program) -> Option<Var> {
    let mut open = EntitySet::new();
    for (var, data) in program.vars.iter() {
        match data.kind {
            VarKind::Global { init: None, .. } | VarKind::ThreadLocal { init: None } => {
                open.insert(var);
            }
            VarKind::Global { init: Some(_), .. }
            | VarKind::ThreadLocal { init: Some(_) }
            | VarKind::Local(_) => {}
        }
    }
    if open.is_empty() {
        return None;
    }
    let mut read = None;
    program.for_each_label(|_, label| {
        for_each_access(&label.op, &mut |access| {
            if let Access::Evaluate(term) = access {
                for var in program.terms.vars_of(term) {
                    if open.contains(var) {
                        read = read.or(Some(var));
                    }
                }
            }
        });
    });
    read
}
