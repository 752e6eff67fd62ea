//! The variables whose values the search for races follows.

use ravelin_base::{EntitySet, SecondaryMap};
use ravelin_cfa::access::for_each_access;
use ravelin_cfa::{Label, Op, Program, VarKind};
use ravelin_term::{Term, TermKind, Var};

use super::locking::taking;

/// The globals that nobody writes while there are several threads.
pub fn settled_globals(program: &Program) -> EntitySet<Var> {
    let mut settled: EntitySet<Var> = EntitySet::new();
    for (var, data) in program.vars.iter() {
        if matches!(data.kind, VarKind::Global { .. }) {
            settled.insert(var);
        }
    }
    let mut write = |label: &Label| {
        if let Some(dst) = label.op.dst() {
            settled.remove(dst);
        }
    };
    for (proc, edge) in crate::parallel::while_others_run(program) {
        for label in &program.procs[proc].edges[edge].labels {
            label.walk(&mut write);
        }
    }
    // The result of what makes the second thread is written beside that thread.
    program.for_each_label(|_, label| {
        if matches!(label.op, Op::Call { .. } | Op::Start { .. }) {
            write(label);
        }
    });
    settled
}

/// The variables on which addresses, handles and conditions on results of locking depend.
pub fn followed(program: &Program) -> EntitySet<Var> {
    let mut found: EntitySet<Var> = EntitySet::new();
    let mut work: Vec<Var> = Vec::new();
    let mut sources: SecondaryMap<Var, Vec<Term>> = SecondaryMap::new();
    let mut roots: Vec<Term> = Vec::new();
    let mut tries = false;
    let mut conditions: Vec<Term> = Vec::new();
    program.for_each_label(|_, label| {
        for_each_access(&label.op, &mut |access| roots.extend(access.pointer()));
        match &label.op {
            Op::Assign { dst, value } => sources[*dst].push(*value),
            Op::Join { handle, .. } => roots.push(*handle),
            Op::Assume(cond) => conditions.push(*cond),
            Op::Store { value, .. } => {
                // Handles come to their places so.
                if let TermKind::Var(_) = program.terms.kind(*value) {
                    roots.push(*value);
                }
            }
            Op::Sync { op, .. } => tries |= taking(*op).is_some_and(|(_, is_sure)| !is_sure),
            _ => {}
        }
    });
    if tries {
        roots.extend(conditions);
    }
    loop {
        for term in std::mem::take(&mut roots) {
            program.terms.for_each_subterm(term, |_, kind| {
                if let TermKind::Var(var) = kind
                    && found.insert(var)
                {
                    work.push(var);
                }
            });
        }
        let Some(var) = work.pop() else { return found };
        roots.extend(sources[var].iter().copied());
    }
}
