//! What may happen while there are several threads.

use ravelin_base::EntitySet;
use ravelin_cfa::{Callee, Edge, Label, ObjectKind, Op, Proc, Program};

/// The edges that may be taken while there are several threads: all that started threads do, and what comes
/// after a thread was started.
pub(crate) fn while_others_run(program: &Program) -> Vec<(Proc, Edge)> {
    let starters = starters(program);
    let mut entered: EntitySet<Proc> = EntitySet::new();
    let mut edges = Vec::new();
    let mut work: Vec<Proc> = Vec::new();
    let mut enter = |proc: Proc, work: &mut Vec<Proc>| {
        if entered.insert(proc) {
            work.push(proc);
        }
    };
    for (proc, procedure) in program.procs.iter() {
        // What can be reached from behind an edge that starts a thread, itself or in what it calls.
        let mut behind: EntitySet<_> = EntitySet::new();
        let mut locs = Vec::new();
        for edge in procedure.edges.values() {
            let mut starts = false;
            for callee in callees(program, &edge.labels) {
                match callee {
                    Entered::Started(callee) => {
                        enter(callee, &mut work);
                        starts = true;
                    }
                    Entered::Called(callee) => starts |= starters.contains(callee),
                }
            }
            if starts && behind.insert(edge.target) {
                locs.push(edge.target);
            }
        }
        while let Some(loc) = locs.pop() {
            for &edge in &procedure.locs[loc].out {
                edges.push((proc, edge));
                for callee in callees(program, &procedure.edges[edge].labels) {
                    let (Entered::Called(callee) | Entered::Started(callee)) = callee;
                    enter(callee, &mut work);
                }
                let target = procedure.edges[edge].target;
                if behind.insert(target) {
                    locs.push(target);
                }
            }
        }
    }
    while let Some(proc) = work.pop() {
        for (edge, data) in program.procs[proc].edges.iter() {
            edges.push((proc, edge));
            for callee in callees(program, &data.labels) {
                let (Entered::Called(callee) | Entered::Started(callee)) = callee;
                enter(callee, &mut work);
            }
        }
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The procedures that may start threads, themselves or in what they call. What follows a call of one of
/// them in its caller, and in its callers, runs beside the thread.
pub(crate) fn starters(program: &Program) -> EntitySet<Proc> {
    let mut found: EntitySet<Proc> = EntitySet::new();
    loop {
        let before = found.iter().count();
        for (proc, procedure) in program.procs.iter() {
            let starts = procedure.edges.values().any(|edge| {
                callees(program, &edge.labels).iter().any(|callee| match callee {
                    Entered::Started(_) => true,
                    Entered::Called(callee) => found.contains(*callee),
                })
            });
            if starts {
                found.insert(proc);
            }
        }
        if found.iter().count() == before {
            return found;
        }
    }
}

enum Entered {
    Called(Proc),
    Started(Proc),
}

/// The procedures that labels call or start.
fn callees(program: &Program, labels: &[Label]) -> Vec<Entered> {
    let mut found = Vec::new();
    for label in labels {
        label.walk(&mut |label| match &label.op {
            Op::Call { callee, .. } => found.extend(called(program, callee).map(Entered::Called)),
            Op::Start { routine, .. } => {
                found.extend(called(program, routine).map(Entered::Started));
            }
            _ => {}
        });
    }
    found
}

/// The procedures that are called or started; through a pointer, it may be any whose address is known.
pub(crate) fn called(program: &Program, callee: &Callee) -> impl Iterator<Item = Proc> {
    let (direct, is_pointer) = match callee {
        Callee::Direct(proc) => (Some(*proc), false),
        Callee::Pointer(_) => (None, true),
    };
    let known = program.objects.values().filter(move |_| is_pointer);
    direct.into_iter().chain(known.filter_map(|data| match data.kind {
        ObjectKind::Function(proc) => Some(proc),
        _ => None,
    }))
}
