//! Compares what an analysis says with what happens in runs.

use ravelin_base::{Budget, SrcPos};
use ravelin_cfa::{Loc, Op, Proc, Program};
use ravelin_interp::{
    Interpreter, ObservedObject, ObservedPointer, PointerHolder, RandomChooser, RunConfig, Snapshot,
};
use ravelin_pointsto::{Flags, ObjectName, Offset, PointsTo, Position, Target, TargetSet};
use rustc_hash::FxHashMap;

/// How many steps of a run are looked at.
const STEPS: u64 = 3000;

/// What the objects of runs are called by an analysis.
pub struct Names {
    allocated: FxHashMap<SrcPos, Vec<Position>>,
}

impl Names {
    pub fn new(program: &Program) -> Names {
        let mut allocated: FxHashMap<SrcPos, Vec<Position>> = FxHashMap::default();
        for (proc, procedure) in program.procs.iter() {
            for (edge, data) in procedure.edges.iter() {
                let mut index = 0;
                for outer in &data.labels {
                    outer.walk(&mut |label| {
                        if matches!(label.op, Op::Alloc { .. } | Op::Realloc { .. }) {
                            let position = Position { proc, edge, label: index };
                            allocated.entry(label.pos).or_default().push(position);
                        }
                        index += 1;
                    });
                }
            }
        }
        Names { allocated }
    }

    /// The abstract objects that an object of a run may be.
    fn targets(&self, result: &PointsTo, object: ObservedObject) -> Vec<Target> {
        match object {
            ObservedObject::Object(object) => {
                result.target(ObjectName::Object(object)).into_iter().collect()
            }
            ObservedObject::Allocated(pos) => self.allocated[&pos]
                .iter()
                .filter_map(|&position| result.target(ObjectName::Allocated(position)))
                .collect(),
            ObservedObject::Environment(_) => Vec::new(),
        }
    }

    /// Whether the set has the pointer.
    fn covers(&self, result: &PointsTo, set: &TargetSet, pointer: ObservedPointer) -> bool {
        let flags = set.flags();
        let offset = Offset::exact(pointer.offset);
        match pointer.object {
            _ if flags.is_unknown() => true,
            None if pointer.offset == 0 => {
                flags.contains(Flags::NULL) || flags.contains(Flags::UNINITIALISED)
            }
            None if pointer.offset.abs() < 4096 => {
                flags.contains(Flags::NULL) || flags.contains(Flags::UNINITIALISED)
            }
            None => flags.contains(Flags::NUMBER) || flags.contains(Flags::UNINITIALISED),
            Some(object) => {
                self.targets(result, object).iter().any(|&target| set.contains(target, offset))
            }
        }
    }
}

/// Runs a program with this seed; calls `check` on the state after every step.
pub fn run(program: &Program, seed: u64, check: &mut dyn FnMut(&Snapshot<'_, '_>)) {
    let config = RunConfig {
        budget: Budget::unlimited().with_steps(STEPS),
        max_memory: 1 << 26,
        ..RunConfig::default()
    };
    Interpreter::new(program).run_observed(&mut RandomChooser::new(seed), &config, Some(check));
}

/// A pointer that a run shows, and where the run was.
pub type Seen = (PointerHolder, ObservedPointer, Option<(Proc, Loc)>);

/// All pointers of a state.
pub fn pointers(program: &Program, snapshot: &Snapshot<'_, '_>, visit: &mut dyn FnMut(Seen)) {
    let here = location(program, snapshot);
    snapshot.for_each_pointer(&mut |holder, pointer| visit((holder, pointer, here)));
}

/// What is wrong, if the result does not have the pointer.
pub fn missed(program: &Program, names: &Names, result: &PointsTo, seen: Seen) -> Option<String> {
    let (holder, pointer, here) = seen;
    let set = match holder {
        PointerHolder::Local { var, is_top: false } => result.of_var(var),
        PointerHolder::Var(var) | PointerHolder::Local { var, is_top: true } => match here {
            Some((proc, loc)) => result.of_var_at(var, proc, loc),
            None => result.of_var(var),
        },
        PointerHolder::Cell(object, offset) => {
            let at = Offset::exact(offset as i64);
            let targets = names.targets(result, object);
            let of_cell = |&target: &Target| match here {
                Some((proc, loc)) => result.of_cell_at(target, at, proc, loc),
                None => result.of_cell(target, at),
            };
            let sets: Vec<TargetSet> = targets.iter().map(of_cell).collect();
            if targets.is_empty() || sets.iter().any(|set| names.covers(result, set, pointer)) {
                return None;
            }
            sets.into_iter().next().unwrap_or_default()
        }
    };
    if names.covers(result, &set, pointer) {
        return None;
    }
    let what = match holder {
        PointerHolder::Var(var) | PointerHolder::Local { var, .. } => {
            program.name(program.vars[var].name).to_owned()
        }
        PointerHolder::Cell(object, offset) => format!("{object:?}+{offset}"),
    };
    Some(format!("{what} ({holder:?}) is {pointer:?}, not in {set:?}"))
}

/// Where the only thread is; of several, nothing is said about where the others are.
fn location(program: &Program, snapshot: &Snapshot<'_, '_>) -> Option<(Proc, Loc)> {
    let place = snapshot.place().filter(|_| snapshot.thread_count() == 1)?;
    let procedure = &program.procs[place.proc];
    let loc = place.edge.map_or(procedure.exit, |edge| procedure.edges[edge].source);
    Some((place.proc, loc))
}
