//! The locations at which a thread is definitely inside an atomic section.
//!
//! The depth of a location is a lower bound, over all paths from the entry of its procedure, of how
//! many more sections are open there than at the call of the procedure. Where it is at least one,
//! no other thread moves, whatever the caller is: sections that the caller opened come on top.
//!
//! - A location that paths of different depth reach has the least of them.
//! - A section that ends where none is known to be open ends the caller's: the bound stays zero,
//!   which always holds, and the procedure is not *closed*. After a call of such a procedure, no
//!   section is known to be open. The same holds for a procedure that calls one (also recursively),
//!   and for a call through a pointer that may lead to one.
//! - A procedure that returns inside a section that it began leaves more sections open than the
//!   bound says.
//! - A thread begins outside of sections, and a loop head has the least depth of all paths to it.

use ravelin_base::{EntitySet, PrimaryMap, SecondaryMap};

use crate::model::{Loc, ObjectKind, Proc, Procedure, Program};
use crate::op::{Callee, Label, Op};
use crate::ops;

/// Deeper nesting is not distinguished.
const MAX_DEPTH: u32 = 8;

/// The depths of all locations of a program; valid as long as its graphs do not change.
#[derive(Debug)]
pub struct Sections {
    depths: PrimaryMap<Proc, SecondaryMap<Loc, u32>>,
    calls: Calls,
}

/// Which calls may end a section of their caller.
#[derive(Debug)]
struct Calls {
    /// The procedures that may end one.
    open: EntitySet<Proc>,
    /// Whether a procedure whose address is known may end one.
    through_pointers: bool,
}

impl Sections {
    /// Analyses every edge, and again when a procedure turns out not to be closed.
    pub fn of(program: &Program) -> Sections {
        let mut calls = Calls { open: EntitySet::new(), through_pointers: false };
        loop {
            let mut depths = PrimaryMap::with_capacity(program.procs.len());
            let mut changed = false;
            for (proc, procedure) in program.procs.iter() {
                let (found, is_closed) = depths_of(procedure, &calls);
                changed |= !is_closed && calls.open.insert(proc);
                depths.push(found);
            }
            calls.through_pointers = program.objects.values().any(|data| match data.kind {
                ObjectKind::Function(proc) => calls.open.contains(proc),
                ObjectKind::Global
                | ObjectKind::Constant
                | ObjectKind::ThreadLocal
                | ObjectKind::Local(_) => false,
            });
            if !changed {
                return Sections { depths, calls };
            }
        }
    }

    /// The depths at the locations of a procedure.
    pub fn inside(&self, proc: Proc) -> &SecondaryMap<Loc, u32> {
        &self.depths[proc]
    }

    /// Calls `visit` on the labels of an edge that starts at a location, and passes whether the
    /// thread is definitely inside a section at the label.
    pub fn walk<'l>(
        &self,
        proc: Proc,
        from: Loc,
        labels: &'l [Label],
        mut visit: impl FnMut(&'l Label, bool),
    ) {
        let mut depth = self.depths[proc][from];
        for label in labels {
            visit(label, depth > 0);
            depth = self.calls.after(depth, label).unwrap_or(0);
        }
    }
}

impl Calls {
    /// The depth after a label; `None` if it may end a section that was open before the call of the
    /// procedure.
    fn after(&self, depth: u32, label: &Label) -> Option<u32> {
        match &label.op {
            Op::AtomicBegin => Some((depth + 1).min(MAX_DEPTH)),
            Op::AtomicEnd => depth.checked_sub(1),
            Op::Call { callee, .. } => {
                let ends = match callee {
                    Callee::Direct(proc) => self.open.contains(*proc),
                    Callee::Pointer(_) => self.through_pointers,
                };
                (!ends).then_some(depth)
            }
            // Sections neither begin nor end inside a choice: labels that close a block and labels
            // that may wait stand on the edge itself.
            Op::Choice(_) => Some(depth),
            ops!(data, access, scope, object, thread, remark, end)
            | Op::Claim(_)
            | Op::HavocMemory { .. }
            | Op::Return { .. }
            | Op::Sync { .. } => Some(depth),
        }
    }
}

/// The depths of the locations of a procedure, and whether the procedure ends no section of a
/// caller.
fn depths_of(procedure: &Procedure, calls: &Calls) -> (SecondaryMap<Loc, u32>, bool) {
    let mut found: SecondaryMap<Loc, Option<u32>> =
        SecondaryMap::with_capacity(procedure.locs.len());
    found[procedure.entry] = Some(0);
    let mut work = vec![procedure.entry];
    while let Some(loc) = work.pop() {
        let depth = found[loc].unwrap_or(0);
        for &edge in &procedure.locs[loc].out {
            let data = &procedure.edges[edge];
            let after = |depth, label| calls.after(depth, label).unwrap_or(0);
            let after = data.labels.iter().fold(depth, after);
            if found[data.target].is_none_or(|known| after < known) {
                found[data.target] = Some(after);
                work.push(data.target);
            }
        }
    }
    let is_closed = procedure.edges.values().all(|data| {
        // Unreachable edges end nothing.
        let Some(depth) = found[data.source] else { return true };
        data.labels.iter().try_fold(depth, |depth, label| calls.after(depth, label)).is_some()
    });
    let mut depths = SecondaryMap::with_capacity(procedure.locs.len());
    for loc in procedure.locs.keys() {
        depths[loc] = found[loc].unwrap_or(0);
    }
    (depths, is_closed)
}
