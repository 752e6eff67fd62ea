//! Which operations other threads may notice, or influence.
//!
//! The rest a thread does by itself: when, makes no difference to anybody. Whether memory can be
//! reached by another thread is what the points-to analysis says of its object.

use ravelin_base::SecondaryMap;
use ravelin_cfa::access::{Access, for_each_access};
use ravelin_cfa::sharing::{SharedReads, Sharing};
use ravelin_cfa::{Object, ObjectKind, Op, Program, Term};
use ravelin_pointsto::{ObjectName, PointsTo, Target};

/// What is shared in a program.
#[derive(Debug)]
pub(crate) struct Visibility<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    sharing: Sharing,
    escaped: SecondaryMap<Target, bool>,
    concurrent: bool,
}

impl<'a> Visibility<'a> {
    pub(crate) fn new(program: &'a Program, points_to: &'a PointsTo) -> Self {
        Visibility {
            program,
            points_to,
            sharing: Sharing::of(program),
            escaped: points_to.escaped(program),
            concurrent: program.is_concurrent(),
        }
    }

    /// Whether other threads may notice the operation or influence it. The ends of threads and of
    /// the program are not counted: the machine looks for them itself.
    pub(crate) fn is_visible(&self, op: &Op) -> bool {
        if !self.concurrent {
            return false;
        }
        let mut visible = matches!(op, Op::HavocMemory { .. } | Op::Exit { .. } | Op::Abort);
        // Another thread may end the program between an allocation and the deallocation.
        visible |= self.program.checks_leaks()
            && matches!(op, Op::Alloc { .. } | Op::Free { .. } | Op::Realloc { .. } | Op::Error(_));
        for_each_access(op, &mut |access| {
            visible |= match access {
                Access::Evaluate(term) => self.sharing.reads(term) != SharedReads::None,
                Access::Assign(var) => self.program.is_shared_var(var),
                Access::ReadMemory(address) => self.is_shared(address, true),
                Access::WriteMemory(address) | Access::FreeMemory(address) => {
                    self.is_shared(address, false)
                }
                // Output has no effect in the program.
                Access::ReachMemory(_) => false,
                Access::Lifetime(object) => self.is_shared_object(object),
                Access::Sync(..) | Access::Join(_) | Access::Start | Access::Atomic => true,
                Access::Enter(_) => false,
            };
        });
        visible
    }

    /// Whether another thread may get at what `address` points to.
    fn is_shared(&self, address: Term, read: bool) -> bool {
        let set = self.points_to.of_term(self.program, address);
        set.is_unknown()
            || set.targets().any(|target| {
                let constant = match self.points_to.name(target) {
                    ObjectName::Object(object) => {
                        self.program.objects[object].kind == ObjectKind::Constant
                    }
                    ObjectName::Allocated(_) | ObjectName::OfSize(_) => false,
                };
                self.escaped[target] && !(constant && read)
            })
    }

    /// Whether another thread may get at instances of this local object.
    pub(crate) fn is_shared_object(&self, object: Object) -> bool {
        if !self.concurrent {
            return false;
        }
        match self.points_to.target(ObjectName::Object(object)) {
            Some(target) => self.escaped[target],
            None => true,
        }
    }
}
