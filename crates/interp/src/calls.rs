//! Calls, returns, and the beginning and end of threads.

use ravelin_base::SrcPos;
use ravelin_cfa::{ObjectKind, Proc, Sort};

use crate::chooser::Chooser;
use crate::code::{CallInst, CalleeCode, Place};
use crate::fault::{AccessKind, When};
use crate::leaks::End;
use crate::log::{Action, Write, WriteTarget};
use crate::machine::{At, Machine, Stop, undefined};
use crate::memory::Origin;
use crate::outcome::{Limit, MemoryFault, Outcome, Undefined};
use crate::thread::{Frame, Status, Thread, ThreadId};
use crate::value::{Bits, Value, object_of, offset_of, ones, to_signed};

impl<'p, C: Chooser> Machine<'p, C> {
    pub(crate) fn call(
        &mut self,
        thread: &mut Thread,
        at: &At<'p>,
        call: &CallInst,
    ) -> Result<(), Stop> {
        let callee = self.prepare(thread, at, call)?;
        self.push_frame(thread, callee, call.dst.map(|(place, _)| place))
    }

    pub(crate) fn start(
        &mut self,
        thread: &mut Thread,
        at: &At<'p>,
        call: &CallInst,
    ) -> Result<(), Stop> {
        let routine = self.prepare(thread, at, call)?;
        let site = at.site();
        let occurrence = thread.count_start(site);
        let id = ThreadId(self.layout.thread(at.id.0, site, occurrence));
        let mut started = self.new_thread(id)?;
        self.push_frame(&mut started, routine, None)?;
        self.add_thread(id, started);
        self.note(at, |_| Action::Start { thread: id, routine });
        if let Some((place, sort)) = call.dst {
            self.assign(thread, at, place, sort, id.handle());
        }
        Ok(())
    }

    /// Finds the callee and puts the arguments into `self.args`, as its parameters want them.
    fn prepare(&mut self, thread: &mut Thread, at: &At<'p>, call: &CallInst) -> Result<Proc, Stop> {
        let callee = match call.callee {
            CalleeCode::Direct(proc) => proc,
            CalleeCode::Pointer(term) => {
                let pointer = self.eval(thread, at, term)?;
                self.function_at(pointer, at.pos())?
            }
        };
        let mut args = std::mem::take(&mut self.args);
        args.clear();
        for &(term, sort) in &call.args {
            args.push((self.eval(thread, at, term)?, sort));
        }
        // C11 6.5.2.2p6: too many or too few arguments are undefined, but old-style declarations
        // make programs that pass more than is taken, and nothing happens to them.
        let params = &self.code.program.procs[callee].params;
        args.truncate(params.len());
        for (arg, &param) in args.iter_mut().zip(params) {
            let wanted = self.code.program.vars[param].sort;
            if arg.1 != wanted {
                let bits = self.coerce(arg.0, arg.1, wanted);
                *arg = (bits.ok_or_else(|| undefined(Undefined::CallMismatch, at.pos()))?, wanted);
            }
        }
        self.args = args;
        Ok(callee)
    }

    fn function_at(&self, pointer: Bits, pos: SrcPos) -> Result<Proc, Stop> {
        let origin = self.state.memory.origin(object_of(pointer));
        if let Some(Origin::Function(object)) = origin
            && offset_of(pointer) == 0
            && let ObjectKind::Function(proc) = self.code.program.objects[object].kind
        {
            return Ok(proc);
        }
        let fault = if pointer == 0 { MemoryFault::Null } else { MemoryFault::NotAFunction };
        Err(self.fault(self.state.memory.fault(fault, AccessKind::Call, pointer, 0), pos))
    }

    /// A value as one of another sort, as the registers of the calling convention would pass it.
    /// Integers and floats travel in different registers.
    fn coerce(&self, bits: Bits, from: Sort, to: Sort) -> Option<Bits> {
        let pointer_bits = self.code.program.data_model.pointer_bits();
        let integer = match from {
            Sort::Bool | Sort::Bv(_) => bits,
            Sort::Ptr => self.state.memory.address(&self.layout, bits).into(),
            Sort::Float(_) | Sort::Mem => return (from == to).then_some(bits),
        };
        match to {
            Sort::Bool => Some((integer != 0).into()),
            Sort::Bv(width) => Some(integer & ones(width)),
            Sort::Ptr => {
                let address = (integer & ones(pointer_bits)) as u64;
                Some(self.state.memory.pointer_to(&self.layout, address))
            }
            Sort::Float(_) | Sort::Mem => None,
        }
    }

    /// Enters a procedure with `self.args`; parameters without argument have no value.
    pub(crate) fn push_frame(
        &mut self,
        thread: &mut Thread,
        proc: Proc,
        result: Option<Place>,
    ) -> Result<(), Stop> {
        let (names, base) = (&self.code.names.slots.frames[proc], thread.locals.len());
        let end = base + names.count();
        if end > self.quota.locals || thread.frames.len() >= self.quota.frames {
            return Err(Box::new(Outcome::OutOfBudget(Limit::Stack)));
        }
        thread.locals.resize(end);
        for (&(bits, _), &param) in self.args.iter().zip(&self.code.program.procs[proc].params) {
            if let Place::Local(slot) = self.code.names.place(param) {
                thread.locals.set(base + slot as usize, bits);
            }
        }
        if self.log.notes_accesses {
            self.note_params(proc);
        }
        self.args.clear();
        thread.frames.push(Frame {
            proc,
            pc: self.code.code(proc).entry,
            base: base as u32,
            stack_objects: thread.stack_objects.len() as u32,
            result,
        });
        Ok(())
    }

    fn note_params(&mut self, proc: Proc) {
        for (&(bits, sort), &param) in self.args.iter().zip(&self.code.program.procs[proc].params) {
            let value = Value::from_bits(sort, bits);
            let (target, object) = (WriteTarget::Var(param), self.target_of(value));
            self.log.begins().params.push(Write { target, value, object, cell: None });
        }
    }

    /// Leaves a procedure. The end of `main` is that of the program, the end of another thread's
    /// routine is that of the thread.
    pub(crate) fn pop_frame(
        &mut self,
        thread: &mut Thread,
        at: &At<'p>,
        value: Option<(Bits, Sort)>,
    ) -> Result<(), Stop> {
        let Some(frame) = self.drop_frame(thread, at.when()) else { return Ok(()) };
        let Some(caller) = self.at(at.id, thread) else {
            if at.id == ThreadId::MAIN {
                // C11 5.1.2.2.3: the end of main without return is return 0.
                let status = match value {
                    Some((bits, Sort::Bv(width))) => to_signed(bits, width) as i32,
                    Some(_) | None => 0,
                };
                return Err(self.end_program(thread, at, End::Regular, Outcome::Exit(status)));
            }
            let value = match value {
                // The int of a C11 thread comes back from the pointer that join gives.
                Some((bits, Sort::Bv(width))) => {
                    let pointer_sort = self.code.program.terms.address_sort();
                    let wide = to_signed(bits, width) as Bits;
                    self.coerce(wide, pointer_sort, Sort::Ptr).unwrap_or(0)
                }
                Some((bits, Sort::Ptr)) => bits,
                Some((_, Sort::Bool | Sort::Float(_) | Sort::Mem)) | None => 0,
            };
            self.end_thread(thread, at, value)?;
            return Ok(());
        };
        let Some(place) = frame.result else { return Ok(()) };
        let var = self.code.names.var(place, caller.proc);
        let wanted = self.code.program.vars[var].sort;
        match value {
            Some((bits, sort)) => {
                let bits =
                    if sort == wanted { Some(bits) } else { self.coerce(bits, sort, wanted) };
                let bits = bits.ok_or_else(|| undefined(Undefined::CallMismatch, at.pos()))?;
                self.assign(thread, &caller, place, wanted, bits);
            }
            // C11 6.9.1p12: only using the value of a function that returned none is undefined.
            None => match place {
                Place::Local(slot) => thread.locals.clear(caller.base + slot as usize),
                Place::Global(index) => self.state.globals.get_mut().clear(index as usize),
                Place::ThreadLocal(index) => thread.thread_locals.clear(index as usize),
            },
        }
        Ok(())
    }

    /// Takes off the top frame and ends its objects.
    fn drop_frame(&mut self, thread: &mut Thread, when: When) -> Option<Frame> {
        let frame = thread.frames.pop()?;
        let names = &self.code.names.slots.frames[frame.proc];
        let base = frame.base as usize;
        for slot in base + names.vars.len()..base + names.count() {
            self.end_local(thread, slot, when);
        }
        while thread.stack_objects.len() > frame.stack_objects as usize {
            if let Some(object) = thread.stack_objects.pop() {
                self.end_object(object, when);
            }
        }
        thread.locals.resize(base);
        Some(frame)
    }

    /// Ends the thread, and the program with it if it is the last one.
    pub(crate) fn end_thread(
        &mut self,
        thread: &mut Thread,
        at: &At<'p>,
        value: Bits,
    ) -> Result<(), Stop> {
        let id = at.id;
        self.note(at, |_| Action::End);
        while self.drop_frame(thread, at.when()).is_some() {}
        for object in std::mem::take(&mut thread.thread_objects) {
            self.end_object(object, at.when());
        }
        thread.thread_locals.resize(0);
        thread.status = Status::Finished { value };
        self.state.live.retain(|&other| other != id);
        if self.state.atomic.is_some_and(|(owner, _)| owner == id) {
            self.state.atomic = None;
        }
        if self.state.live.is_empty() && self.code.program.checks_leaks() {
            return Err(self.end_program(thread, at, End::Regular, Outcome::Exit(0)));
        }
        Ok(())
    }
}
