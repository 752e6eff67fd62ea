//! What ends the objects of a program, and which objects stay.

use ravelin_base::EntitySet;
use ravelin_cfa::{AllocKind, Life, ObjectKind, Op, Program};
use ravelin_pointsto::{ObjectName, PointsTo, Target, for_each_label};

use super::dangling::Dangling;

/// What deallocations of a program may end.
#[derive(Debug, Default)]
pub(crate) struct Ends {
    freed: EntitySet<Target>,
    /// Whether they may end anything.
    any: bool,
    /// What is allocated on the stack.
    stack: EntitySet<Target>,
}

impl Ends {
    pub(crate) fn of(program: &Program, points_to: Option<&PointsTo>) -> Self {
        let mut ends = Ends::default();
        for_each_label(program, &mut |position, label| match label.op {
            Op::Free { addr, .. } | Op::Realloc { addr, .. } => {
                match points_to.map(|points_to| points_to.of_term(program, addr)) {
                    Some(set) if !set.is_unknown() => ends.freed.extend(set.targets()),
                    Some(_) | None => ends.any = true,
                }
            }
            Op::Alloc { kind: AllocKind::Stack, .. } => {
                let name = ObjectName::Allocated(position);
                ends.stack.extend(points_to.and_then(|points_to| points_to.target(name)));
            }
            _ => {}
        });
        ends
    }

    /// Whether a deallocation may end what is allocated there.
    pub(super) fn frees(&self, target: Target) -> bool {
        self.any || self.freed.contains(target)
    }

    /// The life of an object that a pointer leads to, if it is the same as long as there are pointers to the object.
    pub(crate) fn lasting_life(
        &self,
        program: &Program,
        dangling: &Dangling,
        (target, name): (Target, ObjectName),
    ) -> Option<Life> {
        match name {
            ObjectName::Object(object) => match program.objects[object].kind {
                ObjectKind::Global => Some(Life::Named),
                ObjectKind::Constant => Some(Life::Constant),
                ObjectKind::Function(_) => Some(Life::None),
                ObjectKind::ThreadLocal | ObjectKind::Local(_) => {
                    (!dangling.objects.contains(object)).then_some(Life::Named)
                }
            },
            ObjectName::Allocated(_) => {
                let life = match self.stack.contains(target) {
                    true => Life::Named,
                    false => Life::Heap,
                };
                let ends =
                    self.any || self.freed.contains(target) || dangling.arrays.contains(target);
                (!ends).then_some(life)
            }
            ObjectName::OfSize(_) => None,
        }
    }
}
