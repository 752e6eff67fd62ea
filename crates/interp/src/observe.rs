//! Looking at the pointers of a run, for comparison with what analyses say of them.

use ravelin_base::SrcPos;
use ravelin_cfa::{Edge, Object, Proc, Sort, Var};

use crate::compile::Compiled;
use crate::memory::Origin;
use crate::state::State;
use crate::thread::{Thread, ThreadId, Values};
use crate::value::{Bits, object_of, offset_of, to_signed};

/// An object of a run, by where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObservedObject {
    /// One of the program's objects, in some frame or thread.
    Object(Object),
    /// Made by an allocation at this position.
    Allocated(SrcPos),
    /// Given to the program from outside, with this number.
    Environment(u32),
}

/// A pointer of a run. Without an object, the offset is the number that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ObservedPointer {
    pub object: Option<ObservedObject>,
    pub offset: i64,
}

/// What holds a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PointerHolder {
    /// A global or thread-local variable.
    Var(Var),
    /// A variable of a frame; whether it is the one that its thread is in.
    Local { var: Var, is_top: bool },
    /// So many bytes behind the start of an object.
    Cell(ObservedObject, u64),
}

/// Where a thread is: before which edge of which procedure. At the end of a procedure there is no edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ObservedPlace {
    pub proc: Proc,
    pub edge: Option<Edge>,
}

/// The state of a run between two steps.
#[derive(Debug)]
pub struct Snapshot<'a, 'p> {
    state: &'a State,
    code: &'a Compiled<'p>,
    /// The thread that made the last step.
    moved: ThreadId,
}

impl<'a, 'p> Snapshot<'a, 'p> {
    pub(crate) fn new(state: &'a State, code: &'a Compiled<'p>, moved: ThreadId) -> Self {
        Snapshot { state, code, moved }
    }

    /// How many threads have not ended.
    pub fn thread_count(&self) -> usize {
        self.state.live.len()
    }

    /// Where the thread is that made the last step, unless it ended.
    pub fn place(&self) -> Option<ObservedPlace> {
        let frame = self.state.thread(self.moved)?.frames.last()?;
        let info = self.code.code(frame.proc).infos[frame.pc as usize];
        Some(ObservedPlace { proc: frame.proc, edge: info.edge })
    }

    /// Calls `visit` on every pointer in variables and in memory.
    pub fn for_each_pointer(&self, visit: &mut dyn FnMut(PointerHolder, ObservedPointer)) {
        let (state, names) = (self.state, &self.code.names);
        self.visit_values(state.globals.get(), 0, &names.slots.globals, visit, PointerHolder::Var);
        for &id in &state.live {
            let Some(thread) = state.thread(id) else { continue };
            let values = &thread.thread_locals;
            self.visit_values(values, 0, &names.slots.thread_locals, visit, PointerHolder::Var);
            self.visit_frames(thread, visit);
        }
        let mut found = Vec::new();
        state.memory.for_each_stored_pointer(&mut |origin, offset, bits| {
            found.push((PointerHolder::Cell(observed(origin), offset), bits));
        });
        for (holder, bits) in found {
            self.visit_bits(holder, bits, visit);
        }
    }

    /// Calls `visit` for every thread with the place that it is at and all variables there that have a value, as
    /// bits: of its current frame, of the thread, and of the program. Of a pointer, the bits are its offset.
    pub fn for_each_value(&self, visit: &mut dyn FnMut(ObservedPlace, Var, u128)) {
        let (state, names) = (self.state, &self.code.names);
        for &id in &state.live {
            let Some(thread) = state.thread(id) else { continue };
            let Some(frame) = thread.frames.last() else { continue };
            let edge = self.code.code(frame.proc).infos[frame.pc as usize].edge;
            let place = ObservedPlace { proc: frame.proc, edge };
            let vars = &names.slots.frames[frame.proc].vars;
            let of_frame = (&thread.locals, frame.base as usize, vars);
            let of_thread = (&thread.thread_locals, 0, &names.slots.thread_locals);
            let of_program = (state.globals.get(), 0, &names.slots.globals);
            for (values, base, vars) in [of_frame, of_thread, of_program] {
                for (index, &var) in vars.iter().enumerate() {
                    if base + index < values.len()
                        && let Some(bits) = values.get(base + index)
                    {
                        let is_pointer = self.code.program.vars[var].sort == Sort::Ptr;
                        visit(place, var, if is_pointer { offset_of(bits).into() } else { bits });
                    }
                }
            }
        }
    }

    fn visit_frames(&self, thread: &Thread, visit: &mut dyn FnMut(PointerHolder, ObservedPointer)) {
        for (index, frame) in thread.frames.iter().enumerate() {
            let is_top = index + 1 == thread.frames.len();
            let vars = &self.code.names.slots.frames[frame.proc].vars;
            let base = frame.base as usize;
            self.visit_values(&thread.locals, base, vars, visit, |var| PointerHolder::Local {
                var,
                is_top,
            });
        }
    }

    fn visit_values(
        &self,
        values: &Values,
        base: usize,
        vars: &[Var],
        visit: &mut dyn FnMut(PointerHolder, ObservedPointer),
        holder: impl Fn(Var) -> PointerHolder,
    ) {
        for (index, &var) in vars.iter().enumerate() {
            if base + index < values.len()
                && self.code.program.vars[var].sort == Sort::Ptr
                && let Some(bits) = values.get(base + index)
            {
                self.visit_bits(holder(var), bits, visit);
            }
        }
    }

    fn visit_bits(
        &self,
        holder: PointerHolder,
        bits: Bits,
        visit: &mut dyn FnMut(PointerHolder, ObservedPointer),
    ) {
        let memory = &self.state.memory;
        let width = (8 * memory.pointer_bytes()) as u16;
        let offset = to_signed(offset_of(bits).into(), width) as i64;
        match memory.origin(object_of(bits)) {
            Some(origin) => {
                visit(holder, ObservedPointer { object: Some(observed(origin)), offset });
            }
            None if object_of(bits) == crate::ObjectRef::NONE => {
                visit(holder, ObservedPointer { object: None, offset });
            }
            // Its object ended, and another one has its place: nothing says any more what it was.
            None => {}
        }
    }
}

pub(crate) fn observed(origin: Origin) -> ObservedObject {
    match origin {
        Origin::Global(object)
        | Origin::Constant(object)
        | Origin::Function(object)
        | Origin::Local(object) => ObservedObject::Object(object),
        Origin::Heap(pos) | Origin::Stack(pos) => ObservedObject::Allocated(pos),
        Origin::Environment(number) => ObservedObject::Environment(number),
    }
}
