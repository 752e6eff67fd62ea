//! Where a thread is surely inside an atomic section.
//!
//! The depth of a location is a lower bound, over all ways from the entry of its procedure, of how many
//! more sections are open there than where the procedure was called. Where it is at least one, no other
//! thread moves, whoever called the procedure: whatever its caller has open is open on top of that.
//!
//! - A location that ways of different depth reach has the least of them.
//! - A section that ends where none is known to be open ends the caller's: the bound stays zero, which
//!   always holds, and the procedure is not *closed*. After a call of such a procedure, or of one that calls
//!   one, itself again included, or of one through a pointer that may be such a one, nothing is known to be open.
//! - A procedure that returns inside a section that it began leaves more open than is known here.
//! - A thread begins outside of sections, and a loop has the least depth of all ways to its head.

use ravelin_base::{EntitySet, PrimaryMap, SecondaryMap};

use crate::model::{Loc, ObjectKind, Proc, Procedure, Program};
use crate::op::{Callee, Label, Op};
use crate::ops;

/// Deeper nesting is not told apart.
const MAX_DEPTH: u32 = 8;

/// The depths of all locations of a program, for as long as its graphs do not change.
#[derive(Debug)]
pub struct Sections {
    depths: PrimaryMap<Proc, SecondaryMap<Loc, u32>>,
    calls: Calls,
}

/// Which calls may end a section of their caller.
#[derive(Debug)]
struct Calls {
    /// The procedures that may.
    open: EntitySet<Proc>,
    /// Whether a procedure whose address is known may.
    through_pointers: bool,
}

impl Sections {
    /// Looks at every edge, again where a procedure turns out not to be closed.
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

    /// How deep inside sections a thread surely is at the locations of a procedure.
    pub fn inside(&self, proc: Proc) -> &SecondaryMap<Loc, u32> {
        &self.depths[proc]
    }

    /// Calls `visit` on the labels of an edge that starts at a location, with whether the thread is surely
    /// inside a section when it comes to the label.
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
    /// The depth after a label; none if it may end a section that was open before the procedure was called.
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
            // Sections neither begin nor end inside a choice: what closes a block and what may wait stand on
            // the edge itself.
            Op::Choice(_) => Some(depth),
            ops!(data, access, scope, object, thread, remark, end)
            | Op::HavocMemory { .. }
            | Op::Return { .. }
            | Op::Sync { .. } => Some(depth),
        }
    }
}

/// The depths of the locations of a procedure, and whether no section of a caller ends in it.
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
        // What cannot be reached ends nothing.
        let Some(depth) = found[data.source] else { return true };
        data.labels.iter().try_fold(depth, |depth, label| calls.after(depth, label)).is_some()
    });
    let mut depths = SecondaryMap::with_capacity(procedure.locs.len());
    for loc in procedure.locs.keys() {
        depths[loc] = found[loc].unwrap_or(0);
    }
    (depths, is_closed)
}
