//! Which objects other threads may get at.

use std::collections::BTreeSet;

use ravelin_base::SecondaryMap;
use ravelin_cfa::access::for_each_access;
use ravelin_cfa::{ObjectKind, Op, Program, Sort, Term, VarKind, ops};

use crate::object::{ObjectName, Target, for_each_label};
use crate::result::{PointsTo, TargetSet};

/// The objects that can be reached from global variables, from what threads are given and leave, and from
/// what functions without body are given; all objects if something is accessed through a pointer that may
/// be to anything.
pub(crate) fn escaped(program: &Program, points_to: &PointsTo) -> SecondaryMap<Target, bool> {
    let mut search = Search { points_to, found: SecondaryMap::new(), work: Vec::new() };
    for (target, data) in points_to.objects.iter() {
        match data.name {
            ObjectName::Object(object) => match program.objects[object].kind {
                ObjectKind::Global | ObjectKind::Constant | ObjectKind::Function(_) => {
                    search.reach(target);
                }
                ObjectKind::ThreadLocal | ObjectKind::Local(_) => {}
            },
            ObjectName::OfSize(_) => search.reach(target),
            ObjectName::Allocated(_) => {}
        }
    }
    for (var, data) in program.vars.iter() {
        match data.kind {
            VarKind::Global { .. } => search.reach_all(&points_to.of_var(var)),
            VarKind::ThreadLocal { .. } | VarKind::Local(_) => {}
        }
    }
    let mut routines = BTreeSet::new();
    for_each_label(program, &mut |position, label| {
        if let Op::Start { .. } = label.op {
            routines.extend(points_to.callees(position).iter().copied());
        }
    });
    for_each_label(program, &mut |position, label| {
        if !points_to.is_reached(position.proc) {
            return;
        }
        for_each_access(&label.op, &mut |access| {
            if let Some(at) = access.pointer()
                && program.terms.sort(at) == Sort::Ptr
                && points_to.of_term(program, at).is_unknown()
            {
                search.reach_everything();
            }
        });
        let terms: &[Term] = match &label.op {
            Op::Start { args, .. } => args,
            Op::HavocMemory { pointers } => pointers,
            Op::ThreadExit { value } => std::slice::from_ref(value),
            Op::Return { value: Some(value) } if routines.contains(&position.proc) => {
                std::slice::from_ref(value)
            }
            ops!(data, access, scope, object, procedure, section, remark, end)
            | Op::Claim(_)
            | Op::Join { .. }
            | Op::ThreadSelf { .. }
            | Op::Sync { .. }
            | Op::Choice(_) => &[],
        };
        for &term in terms {
            search.reach_all(&points_to.of_term(program, term));
        }
    });
    search.run();
    search.found
}

struct Search<'a> {
    points_to: &'a PointsTo,
    found: SecondaryMap<Target, bool>,
    work: Vec<Target>,
}

impl Search<'_> {
    fn reach(&mut self, target: Target) {
        if !self.found[target] {
            self.found[target] = true;
            self.work.push(target);
        }
    }

    fn reach_everything(&mut self) {
        let all: Vec<Target> = self.points_to.objects.iter().map(|(target, _)| target).collect();
        all.into_iter().for_each(|target| self.reach(target));
    }

    fn reach_all(&mut self, set: &TargetSet) {
        set.targets().for_each(|target| self.reach(target));
    }

    fn run(&mut self) {
        while let Some(target) = self.work.pop() {
            for (_, _, set) in self.points_to.cells_of(target) {
                set.targets().for_each(|target| self.reach(target));
            }
        }
    }
}
