//! The storage of variables and objects in an execution: numbers within the globals, within the
//! thread-locals, and within the frame of a procedure.

use ravelin_base::PrimaryMap;
use ravelin_term::{Object, Var};

use crate::model::{ObjectKind, Proc, Program, VarKind};

/// The slot of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    Local(u32),
    Global(u32),
    ThreadLocal(u32),
}

/// The slot of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectSlot {
    /// The number of the object, starting at 1.
    Static(u32),
    ThreadLocal(u32),
    /// Counted from the first object of the frame.
    Local(u32),
}

/// The slot of each variable and object.
#[derive(Clone, Debug)]
pub struct Slots {
    pub places: PrimaryMap<Var, Place>,
    pub globals: Vec<Var>,
    pub thread_locals: Vec<Var>,
    pub object_slots: PrimaryMap<Object, ObjectSlot>,
    /// Objects that exist from the start, in the order of their numbers.
    pub statics: Vec<Object>,
    pub thread_objects: Vec<Object>,
    pub frames: PrimaryMap<Proc, FrameSlots>,
}

/// The slots of a frame.
#[derive(Clone, Debug, Default)]
pub struct FrameSlots {
    pub vars: Vec<Var>,
    pub objects: Vec<Object>,
}

impl FrameSlots {
    pub fn count(&self) -> usize {
        self.vars.len() + self.objects.len()
    }
}

impl Slots {
    pub fn new(program: &Program) -> Slots {
        let mut frames: PrimaryMap<Proc, FrameSlots> =
            program.procs.keys().map(|_| FrameSlots::default()).collect();
        let (mut globals, mut thread_locals) = (Vec::new(), Vec::new());
        let mut places = PrimaryMap::with_capacity(program.vars.len());
        for (var, data) in program.vars.iter() {
            places.push(match data.kind {
                VarKind::Global { .. } => Place::Global(append(&mut globals, var)),
                VarKind::ThreadLocal { .. } => Place::ThreadLocal(append(&mut thread_locals, var)),
                VarKind::Local(proc) => Place::Local(append(&mut frames[proc].vars, var)),
            });
        }
        let (mut statics, mut thread_objects) = (Vec::new(), Vec::new());
        let mut object_slots = PrimaryMap::with_capacity(program.objects.len());
        for (object, data) in program.objects.iter() {
            object_slots.push(match data.kind {
                ObjectKind::Global | ObjectKind::Constant | ObjectKind::Function(_) => {
                    ObjectSlot::Static(append(&mut statics, object) + 1)
                }
                ObjectKind::ThreadLocal => {
                    ObjectSlot::ThreadLocal(append(&mut thread_objects, object))
                }
                ObjectKind::Local(proc) => {
                    ObjectSlot::Local(append(&mut frames[proc].objects, object))
                }
            });
        }
        Slots { places, globals, thread_locals, object_slots, statics, thread_objects, frames }
    }
}

/// Appends an item and returns its index.
fn append<T>(items: &mut Vec<T>, item: T) -> u32 {
    items.push(item);
    items.len() as u32 - 1
}
