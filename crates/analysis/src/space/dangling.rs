//! Local objects to which pointers may be left when their life ends.
//!
//! Who reads through such a pointer may read anything, so the contents of these objects are forgotten. The others are
//! out of reach, and what they held does not matter.

use ravelin_base::{EntitySet, SecondaryMap};
use ravelin_cfa::flow::liveness::{liveness, step_back};
use ravelin_cfa::flow::locals::Locals;
use ravelin_cfa::{Callee, ObjectKind, Op, Proc, Program, VarKind};
use ravelin_pointsto::{ObjectName, PointsTo, TargetSet};
use ravelin_term::{Object, Var};
use rustc_hash::FxHashMap;

/// Local objects that are pointed to after their life.
#[derive(Debug, Default)]
pub(super) struct Dangling {
    /// After their block.
    pub after_block: EntitySet<Object>,
    /// After their procedure.
    pub after_frame: FxHashMap<Proc, Vec<Object>>,
}

impl Dangling {
    pub fn of(program: &Program, locals: &Locals, points_to: &PointsTo) -> Dangling {
        let mut found = Finder { program, points_to, kept: EntitySet::new() };
        let calls = reached_by_calls(program);
        // In memory, a pointer is taken to stay; what a procedure has in a variable stays beyond the procedures it calls.
        for (target, _, set) in points_to.cells() {
            let holder = match points_to.name(*target) {
                ObjectName::Object(object) => Some(object),
                ObjectName::Allocated(_) | ObjectName::OfSize(_) => None,
            };
            found.keep(set, |object, _| Some(object) != holder);
        }
        let mut held: SecondaryMap<Proc, Vec<Var>> = SecondaryMap::new();
        for (var, data) in program.vars.iter() {
            let set = points_to.of_var(var);
            match data.kind {
                VarKind::Global { .. } | VarKind::ThreadLocal { .. } => {
                    found.keep(&set, |_, _| true);
                }
                VarKind::Local(proc) => {
                    found.keep(&set, |_, owner| calls[proc].contains(owner));
                    held[proc].push(var);
                }
            }
        }
        let mut after_frame: FxHashMap<Proc, Vec<Object>> = FxHashMap::default();
        for object in found.kept.iter() {
            if let ObjectKind::Local(proc) = program.objects[object].kind {
                after_frame.entry(proc).or_default().push(object);
            }
        }
        // Within a procedure, a pointer stays while its variable lives.
        for (proc, procedure) in program.procs.iter() {
            let ends = procedure.edges.values().any(|edge| {
                edge.labels.iter().any(|label| label.any(&mut |l| matches!(l.op, Op::ScopeEnd(_))))
            });
            if !ends {
                continue;
            }
            let liveness = liveness(program, locals, proc, procedure);
            for edge in procedure.edges.values() {
                let mut live = liveness.at(edge.target);
                for label in edge.labels.iter().rev() {
                    // Within a choice all variables are taken to live.
                    let is_choice = matches!(label.op, Op::Choice(_));
                    label.walk(&mut |label| {
                        let Op::ScopeEnd(ended) = label.op else { return };
                        for &var in &held[proc] {
                            let number = locals.number(program, var);
                            if is_choice || number.is_some_and(|number| live.contains(number)) {
                                let set = points_to.of_var(var);
                                found.keep(&set, |object, _| object == ended);
                            }
                        }
                    });
                    step_back(program, locals, label, &mut live);
                }
            }
        }
        Dangling { after_block: found.kept, after_frame }
    }
}

struct Finder<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    kept: EntitySet<Object>,
}

impl Finder<'_> {
    /// Keeps the local objects of a set that pass, by themselves and by whose they are.
    fn keep(&mut self, set: &TargetSet, passes: impl Fn(Object, Proc) -> bool) {
        for target in set.targets() {
            if let ObjectName::Object(object) = self.points_to.name(target)
                && let ObjectKind::Local(owner) = self.program.objects[object].kind
                && passes(object, owner)
            {
                self.kept.insert(object);
            }
        }
    }
}

/// The procedures that each may call, itself or in what it calls. Threads have frames of their own.
fn reached_by_calls(program: &Program) -> SecondaryMap<Proc, EntitySet<Proc>> {
    let mut reached: SecondaryMap<Proc, EntitySet<Proc>> = SecondaryMap::new();
    let mut direct: SecondaryMap<Proc, Vec<Proc>> = SecondaryMap::new();
    program.for_each_label(|proc, label| {
        let (Op::Call { callee, .. } | Op::Start { routine: callee, .. }) = &label.op else {
            return;
        };
        match callee {
            Callee::Direct(callee) => direct[proc].push(*callee),
            Callee::Pointer(_) => {
                direct[proc].extend(program.objects.values().filter_map(|data| match data.kind {
                    ObjectKind::Function(callee) => Some(callee),
                    _ => None,
                }));
            }
        }
    });
    for proc in program.procs.keys() {
        let mut work = direct[proc].clone();
        while let Some(callee) = work.pop() {
            if reached[proc].insert(callee) {
                work.extend(&direct[callee]);
            }
        }
    }
    reached
}
