//! The locations at which a thread may be inside an atomic section: upper bounds of depths, where
//! [`ravelin_cfa::sections`] has lower ones.

use ravelin_base::SecondaryMap;
use ravelin_cfa::{Label, Loc, Op, Proc, Program};
use ravelin_pointsto::PointsTo;

use super::threads::for_each_entered;

/// Deeper nesting is not told apart.
const MAX_DEPTH: u32 = 4;

/// How many sections may be open.
#[derive(Debug)]
pub struct MayBeInside {
    /// At a location, more than at the entry of the procedure.
    within: SecondaryMap<Proc, SecondaryMap<Loc, Option<u32>>>,
    entries: SecondaryMap<Proc, u32>,
}

impl MayBeInside {
    pub fn of(program: &Program, points_to: &PointsTo) -> MayBeInside {
        let mut found = MayBeInside { within: SecondaryMap::new(), entries: SecondaryMap::new() };
        loop {
            let mut has_changed = false;
            for proc in program.procs.keys() {
                let within = found.depths(program, points_to, proc);
                let old = &found.within[proc];
                has_changed |= program.procs[proc].locs.keys().any(|loc| within[loc] != old[loc]);
                found.within[proc] = within;
            }
            if !has_changed {
                break;
            }
        }
        loop {
            let mut has_changed = false;
            for (proc, procedure) in program.procs.iter() {
                for (edge, data) in procedure.edges.iter() {
                    let depth = found.depth(proc, data.source);
                    for_each_entered(points_to, proc, edge, &data.labels, &mut |callee, start| {
                        if !start && found.entries[callee] < depth {
                            found.entries[callee] = depth;
                            has_changed = true;
                        }
                    });
                }
            }
            if !has_changed {
                return found;
            }
        }
    }

    pub fn contains(&self, proc: Proc, loc: Loc) -> bool {
        self.depth(proc, loc) > 0
    }

    fn depth(&self, proc: Proc, loc: Loc) -> u32 {
        (self.entries[proc] + self.within[proc][loc].unwrap_or(0)).min(MAX_DEPTH)
    }

    fn depths(
        &self,
        program: &Program,
        points_to: &PointsTo,
        proc: Proc,
    ) -> SecondaryMap<Loc, Option<u32>> {
        let procedure = &program.procs[proc];
        let mut depths: SecondaryMap<Loc, Option<u32>> = SecondaryMap::new();
        depths[procedure.entry] = Some(0);
        let mut work = vec![procedure.entry];
        while let Some(loc) = work.pop() {
            for &edge in &procedure.locs[loc].out {
                let data = &procedure.edges[edge];
                let mut depth = depths[loc].unwrap_or(0);
                for label in &data.labels {
                    depth = match &label.op {
                        Op::AtomicBegin => (depth + 1).min(MAX_DEPTH),
                        // Of the deepest it is not known how many there are.
                        Op::AtomicEnd if depth < MAX_DEPTH => depth.saturating_sub(1),
                        _ => depth,
                    };
                    let label: &[Label] = std::slice::from_ref(label);
                    let mut more = 0;
                    for_each_entered(points_to, proc, edge, label, &mut |callee, start| {
                        let exit = self.within[callee][program.procs[callee].exit];
                        more = more.max(if start { 0 } else { exit.unwrap_or(0) });
                    });
                    depth = (depth + more).min(MAX_DEPTH);
                }
                if depths[data.target].is_none_or(|known| known < depth) {
                    depths[data.target] = Some(depth);
                    work.push(data.target);
                }
            }
        }
        depths
    }
}
