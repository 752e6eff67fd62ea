//! The machine: makes the steps of threads.

use ravelin_base::SrcPos;
use ravelin_cfa::{AllocKind, FreeKind, Gap, Object, Proc, Program, Sort, no_model};

use crate::blocking::Resumed;
use crate::chooser::{Chooser, ValueOrigin, ValueRequest};
use crate::code::{Inst, Place, ProcCode, RareInst, TermCode};
use crate::compile::Compiled;
use crate::env::{ThreadEnv, draw};
use crate::eval::{self, Scratch};
use crate::fault::When;
use crate::layout::{HEAP_ALIGN, Layout, Site};
use crate::leaks::End;
use crate::log::{Action, Cell, EnvironmentChoice, Log, Write, WriteTarget};
use crate::memory::{Fault, Origin};
use crate::observe::{ObservedObject, observed};
use crate::outcome::{Limit, Outcome, Undefined};
use crate::schedule::{Move, MoveKind};
use crate::state::State;
use crate::thread::{Status, Thread, ThreadId};
use crate::value::{self, Bits, ObjectRef, Trap, Value, offset_of, ones, to_signed};

/// The end of the run, in the middle of a step.
pub(crate) type Stop = Box<Outcome>;

/// What a thread may take; beyond, the run is out of budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quota {
    pub(crate) frames: usize,
    /// Places of local variables, over all frames of a thread.
    pub(crate) locals: usize,
    pub(crate) memory: u64,
    pub(crate) output: usize,
}

/// The files of library models have names that begin so.
const MODEL_PREFIX: char = '<';

/// Whether a thread moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    Moved,
    /// What it would do next has to wait.
    Blocked,
}

#[derive(Debug)]
pub(crate) struct Machine<'p, C> {
    pub(crate) code: &'p Compiled<'p>,
    pub(crate) state: State,
    pub(crate) layout: Layout,
    pub(crate) chooser: C,
    pub(crate) log: Log,
    pub(crate) scratch: Scratch,
    pub(crate) quota: Quota,
    /// Arguments on their way into a frame.
    pub(crate) args: Vec<(Bits, Sort)>,
}

/// Where a thread is in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<'p> {
    pub(crate) id: ThreadId,
    pub(crate) proc: Proc,
    pub(crate) code: &'p ProcCode,
    pub(crate) base: usize,
    pub(crate) pc: usize,
}

impl At<'_> {
    pub(crate) fn pos(&self) -> SrcPos {
        self.code.infos[self.pc].pos
    }

    /// The place and the thread.
    pub(crate) fn when(&self) -> When {
        When::new(self.pos(), self.id)
    }

    pub(crate) fn site(&self) -> Site {
        Site::Code(self.proc.as_u32(), self.pc as u32)
    }
}

impl<'p, C: Chooser> Machine<'p, C> {
    pub(crate) fn program(&self) -> &'p Program {
        self.code.program
    }

    /// Makes a move. A thread that cannot move stays as it is.
    pub(crate) fn step(&mut self, next: Move) -> Result<Progress, Stop> {
        let slot = self.state.threads.get_mut(next.thread.index());
        let Some(mut shared) = slot.and_then(Option::take) else { return Ok(Progress::Blocked) };
        let drawn = self.log.schedule.values().len();
        // A step that had to wait may have looked at something.
        self.log.clear_step();
        let mut result = self.step_thread(shared.get_mut(), next);
        if let Err(stop) = &mut result {
            self.blame_caller(shared.get(), stop);
        }
        if result == Ok(Progress::Blocked) && self.log.schedule.values().len() > drawn {
            // It drew the handle or the address of what it then had to wait for.
            result = Ok(Progress::Moved);
        }
        self.state.threads[next.thread.index()] = Some(shared);
        if result != Ok(Progress::Blocked) && self.log.is_tracing() {
            self.log.end_step(next);
        }
        if result == Ok(Progress::Moved) {
            self.look_for_races(next.thread)?;
        }
        result
    }

    /// The place of the top frame.
    pub(crate) fn at(&self, id: ThreadId, thread: &Thread) -> Option<At<'p>> {
        let frame = thread.frames.last()?;
        let code = self.code.code(frame.proc);
        Some(At { id, proc: frame.proc, code, base: frame.base as usize, pc: frame.pc as usize })
    }

    /// Moves an invalid access in the model of a library function to the call of the function.
    #[cold]
    fn blame_caller(&self, thread: &Thread, stop: &mut Outcome) {
        let Outcome::InvalidMemory { access, pos } = stop else { return };
        let is_model = |pos: &SrcPos| is_in_model(self.program(), pos);
        if !is_model(pos) {
            return;
        }
        for pair in thread.frames.windows(2).rev() {
            let [caller, callee] = pair else { return };
            let call = (caller.pc as usize).saturating_sub(1);
            let at_call = self.code.code(caller.proc).infos[call].pos;
            if !is_model(&at_call) {
                access.library = Some(self.program().procs[callee.proc].name);
                *pos = at_call;
                return;
            }
        }
    }

    fn step_thread(&mut self, thread: &mut Thread, next: Move) -> Result<Progress, Stop> {
        let Some(mut at) = self.at(next.thread, thread) else { return Ok(Progress::Blocked) };
        if thread.status != Status::Running {
            if self.log.is_tracing() {
                self.log.place = Some((at.proc, at.code.infos[at.pc].edge, at.pos()));
            }
            return match self.resume(thread, &mut at, next.kind)? {
                // To the end of the edge.
                Resumed::Done => self.execute(thread, at, MoveKind::Step, true),
                Resumed::Moved => Ok(Progress::Moved),
                Resumed::Blocked => Ok(Progress::Blocked),
            };
        }
        self.execute(thread, at, next.kind, false)
    }

    /// Executes from `at` to the end of the edge. `begun` says whether the step did something.
    fn execute(
        &mut self,
        thread: &mut Thread,
        mut at: At<'p>,
        kind: MoveKind,
        mut begun: bool,
    ) -> Result<Progress, Stop> {
        loop {
            let inst = &at.code.insts[at.pc];
            if self.log.is_tracing() && !begun {
                let info = at.code.infos[at.pc];
                self.log.place = Some((at.proc, info.edge, info.pos));
            }
            match inst {
                Inst::Guard { cond, otherwise } => {
                    if self.eval(thread, &at, *cond)? == 0 {
                        at.pc = *otherwise as usize;
                        continue;
                    }
                }
                Inst::Assume(cond) => {
                    if self.eval(thread, &at, *cond)? == 0 {
                        return Err(Box::new(Outcome::AssumeViolated { pos: at.pos() }));
                    }
                }
                Inst::Assign { dst, value, sort } => {
                    let bits = self.eval(thread, &at, *value)?;
                    self.assign(thread, &at, *dst, *sort, bits);
                }
                Inst::EndEdge { target } => {
                    set_pc(thread, *target);
                    return Ok(Progress::Moved);
                }
                Inst::Jump(target) => {
                    at.pc = *target as usize;
                    continue;
                }
                Inst::Load { dst, sort, addr, is_atomic: _ } => {
                    let pointer = self.eval(thread, &at, *addr)?;
                    let bits = self.load(&at, pointer, *sort)?;
                    self.assign(thread, &at, *dst, *sort, bits);
                }
                Inst::Store { addr, value, sort, is_atomic: _ } => {
                    let pointer = self.eval(thread, &at, *addr)?;
                    let bits = self.eval(thread, &at, *value)?;
                    self.store(&at, pointer, *sort, bits)?;
                }
                Inst::Call(call) => {
                    set_pc(thread, at.pc as u32 + 1);
                    self.call(thread, &at, call)?;
                    return Ok(Progress::Moved);
                }
                Inst::Return { value } => {
                    let value = match value {
                        Some((term, sort)) => Some((self.eval(thread, &at, *term)?, *sort)),
                        None => None,
                    };
                    self.pop_frame(thread, &at, value)?;
                    match self.at(at.id, thread) {
                        // To the end of the edge with the call.
                        Some(caller) => {
                            (at, begun) = (caller, true);
                            continue;
                        }
                        None => return Ok(Progress::Moved),
                    }
                }
                Inst::Join { .. } | Inst::Sync(_) => {
                    if !self.synchronise(thread, &at, inst, kind)? {
                        if thread.status != Status::Running || begun {
                            set_pc(thread, at.pc as u32);
                            return Ok(Progress::Moved);
                        }
                        return Ok(Progress::Blocked);
                    }
                }
                Inst::ThreadExit { value } => {
                    let value = self.eval(thread, &at, *value)?;
                    self.end_thread(thread, &at, value)?;
                    return Ok(Progress::Moved);
                }
                Inst::Rare(inst) => self.rare(thread, &at, inst)?,
            }
            begun = true;
            at.pc += 1;
        }
    }

    /// The instructions that do not matter for speed.
    fn rare(&mut self, thread: &mut Thread, at: &At<'p>, inst: &RareInst) -> Result<(), Stop> {
        let pos = at.pos();
        match inst {
            RareInst::Havoc { dst, var, kind } => {
                let data = &self.program().vars[*var];
                let bits = self.draw(at, data.sort, data.signed, ValueOrigin::Havoc(*kind));
                self.assign(thread, at, *dst, data.sort, bits);
            }
            RareInst::Copy { dst, src, size } => {
                let dst = self.eval(thread, at, *dst)?;
                let src = self.eval(thread, at, *src)?;
                let size = self.eval(thread, at, *size)? as u64;
                self.check_length(src, size)?;
                self.state.memory.copy(dst, src, size).map_err(|f| self.fault(f, pos))?;
                self.note_bytes(at, Some(src), Some(dst), size);
            }
            RareInst::Fill { dst, byte, size } => {
                let dst = self.eval(thread, at, *dst)?;
                let byte = self.eval(thread, at, *byte)? as u8;
                let size = self.eval(thread, at, *size)? as u64;
                self.check_length(dst, size)?;
                self.state.memory.fill(dst, size, byte).map_err(|f| self.fault(f, pos))?;
                self.note_bytes(at, None, Some(dst), size);
            }
            // That nothing changes is one of the behaviours it allows.
            RareInst::HavocMemory(pointers) => {
                if self.chooser.changes_memory() {
                    self.log.choose(EnvironmentChoice::ChangedMemory);
                    let mut roots = Vec::with_capacity(pointers.len());
                    for &pointer in pointers {
                        roots.push(self.eval(thread, at, pointer)?);
                    }
                    for (pointer, size) in self.state.memory.leave_open(&roots) {
                        self.note_bytes(at, None, Some(pointer), size);
                    }
                }
            }
            RareInst::ScopeBegin { slot, object } => {
                let at_slot = at.base + *slot as usize;
                self.end_local(thread, at_slot, at.when());
                let data = &self.program().objects[*object];
                let (site, depth) = (object_site(*object), thread.frames.len());
                let origin = Origin::Local(*object);
                let (size, align) = (data.size, data.align.into());
                let instance = self.create(at.id, site, depth, size, align, origin)?;
                thread.locals.set(at_slot, value::pointer(instance, 0));
                if self.log.notes_accesses {
                    self.log.begins().objects.push((*object, instance));
                }
            }
            RareInst::ScopeEnd { slot } => {
                let at_slot = at.base + *slot as usize;
                self.end_local(thread, at_slot, at.when());
                thread.locals.clear(at_slot);
            }
            RareInst::Alloc { dst, size, kind } => {
                let size = self.eval(thread, at, *size)? as u64;
                let pointer = self.allocate(thread, at, size, *kind)?;
                self.assign(thread, at, *dst, Sort::Ptr, pointer);
            }
            RareInst::Realloc { dst, addr, size } => {
                let old = self.eval(thread, at, *addr)?;
                let size = self.eval(thread, at, *size)? as u64;
                let new = self.allocate(thread, at, size, AllocKind::Heap)?;
                if old != 0 {
                    self.state.memory.check_free(old).map_err(|f| self.fault(f, pos))?;
                    let old_size = self.state.memory.size(value::object_of(old)).unwrap_or(0);
                    let length = size.min(old_size);
                    self.state.memory.copy(new, old, length).map_err(|f| self.fault(f, pos))?;
                    self.note_bytes(at, Some(old), None, length);
                    self.free(at, old)?;
                }
                self.assign(thread, at, *dst, Sort::Ptr, new);
            }
            RareInst::Free { addr, kind } => {
                let pointer = self.eval(thread, at, *addr)?;
                match kind {
                    FreeKind::Heap => self.free(at, pointer)?,
                    FreeKind::Array => {
                        let object = value::object_of(pointer);
                        thread.stack_objects.retain(|&other| other != object);
                        self.end_object(object, at.when());
                    }
                }
            }
            RareInst::Start(call) => self.start(thread, at, call)?,
            RareInst::ThreadSelf { dst } => {
                let sort = self.program().terms.address_sort();
                self.assign(thread, at, *dst, sort, at.id.handle());
            }
            RareInst::Inspect { dst, addr, fact } => {
                let pointer = self.eval(thread, at, *addr)?;
                let Some(value) = self.state.memory.inspect(pointer, *fact) else {
                    let what = "the size or life of an object of which nothing is known".into();
                    return Err(Box::new(Outcome::Unsupported { what, pos }));
                };
                let sort = self.program().terms.address_sort();
                self.assign(thread, at, *dst, sort, value.into());
            }
            RareInst::AtomicBegin => {
                let depth = self.state.atomic.map_or(0, |(_, depth)| depth);
                self.state.atomic = Some((at.id, depth + 1));
                self.note(at, |_| Action::AtomicBegin);
            }
            RareInst::AtomicEnd => {
                match self.state.atomic {
                    Some((owner, 1)) if owner == at.id => self.state.atomic = None,
                    Some((owner, depth)) if owner == at.id => {
                        self.state.atomic = Some((owner, depth - 1));
                    }
                    Some(_) | None => return Err(undefined(Undefined::AtomicEndWithoutBegin, pos)),
                }
                self.note(at, |_| Action::AtomicEnd);
            }
            RareInst::Print(args) => self.print(thread, at, args)?,
            RareInst::Error(kind) => {
                let error = Outcome::Error { kind: *kind, pos };
                return Err(match error.violation(self.program().checked) {
                    Some(_) => Box::new(error),
                    None => self.end_program(thread, at, End::Abort, error),
                });
            }
            RareInst::Exit { status } => {
                let status = self.eval(thread, at, *status)?;
                let exit = Outcome::Exit(to_signed(status, 32) as i32);
                return Err(self.end_program(thread, at, End::Regular, exit));
            }
            RareInst::Abort => {
                return Err(self.end_program(thread, at, End::Abort, Outcome::Aborted { pos }));
            }
            RareInst::Unsupported(Gap::NotModelled(what)) => {
                let what = self.program().name(*what).into();
                return Err(Box::new(Outcome::Unsupported { what, pos }));
            }
            RareInst::Unsupported(Gap::Undefined(what)) => {
                return Err(undefined(Undefined::Stated(*what), pos));
            }
            RareInst::NoModel(function) => {
                let what = no_model(self.program().name(*function)).into();
                return Err(Box::new(Outcome::Unsupported { what, pos }));
            }
            RareInst::NoWayOn => return Err(undefined(Undefined::NoWayOn, pos)),
        }
        Ok(())
    }

    /// Refuses to copy or fill more than the run may use, before the bytes are made.
    fn check_length(&self, pointer: Bits, length: u64) -> Result<(), Stop> {
        let fits = self.state.memory.check_readable(pointer, length).is_ok();
        if fits && length > self.quota.memory {
            return Err(Box::new(Outcome::OutOfBudget(Limit::Memory)));
        }
        Ok(())
    }

    fn allocate(
        &mut self,
        thread: &mut Thread,
        at: &At<'p>,
        size: u64,
        kind: AllocKind,
    ) -> Result<Bits, Stop> {
        let (origin, depth, align) = match kind {
            AllocKind::Heap | AllocKind::HeapZeroed => (Origin::Heap(at.pos()), 0, HEAP_ALIGN),
            AllocKind::Stack => (Origin::Stack(at.pos()), thread.frames.len(), 1),
        };
        let instance = self.create(at.id, at.site(), depth, size, align, origin)?;
        match kind {
            AllocKind::Heap => {}
            AllocKind::HeapZeroed => self.zero(instance),
            AllocKind::Stack => thread.stack_objects.push(instance),
        }
        Ok(value::pointer(instance, 0))
    }

    fn free(&mut self, at: &At<'p>, pointer: Bits) -> Result<(), Stop> {
        if pointer != 0 {
            let size = self.state.memory.size(value::object_of(pointer)).unwrap_or(0);
            self.note_bytes(at, None, Some(pointer), size);
        }
        let freed = self.state.memory.free(&mut self.layout, pointer, at.when());
        if let Some(object) = freed.map_err(|fault| self.fault(fault, at.pos()))? {
            self.state.sync.forget(|key| value::object_of(key) == object);
        }
        Ok(())
    }

    /// Ends the object in a place of a frame, if there is one.
    pub(crate) fn end_local(&mut self, thread: &Thread, slot: usize, when: When) {
        if let Some(pointer) = thread.locals.get(slot) {
            self.end_object(value::object_of(pointer), when);
        }
    }

    pub(crate) fn end_object(&mut self, object: ObjectRef, when: When) {
        self.state.memory.end_scope(&mut self.layout, object, when);
        self.state.sync.forget(|key| value::object_of(key) == object);
    }

    #[cold]
    pub(crate) fn fault(&self, fault: Fault, pos: SrcPos) -> Stop {
        Box::new(Outcome::InvalidMemory { access: fault, pos })
    }

    /// How many bytes a value takes in memory.
    pub(crate) fn bytes_of(&self, sort: Sort) -> u64 {
        match sort {
            Sort::Bool => 1,
            Sort::Bv(width) => u64::from(width.div_ceil(8)),
            Sort::Float(kind) => u64::from(kind.bits() / 8),
            Sort::Ptr => self.state.memory.pointer_bytes(),
            // No value of a verified automaton is a memory, here and below.
            Sort::Mem => 0,
        }
    }

    pub(crate) fn load(&mut self, at: &At<'p>, pointer: Bits, sort: Sort) -> Result<Bits, Stop> {
        let bits = self.read(at, pointer, sort)?;
        self.note(at, |machine| Action::ReadMemory {
            cell: machine.cell(pointer),
            length: machine.bytes_of(sort),
            value: Some(Value::from_bits(sort, bits)),
        });
        Ok(bits)
    }

    /// Notes what the step does, where that is recorded.
    #[inline]
    pub(crate) fn note(&mut self, at: &At<'p>, action: impl FnOnce(&Self) -> Action) {
        if self.log.notes_accesses {
            let action = action(self);
            self.log.access(action, at.pos());
        }
    }

    /// Notes that bytes are read, and others written.
    fn note_bytes(&mut self, at: &At<'p>, read: Option<Bits>, written: Option<Bits>, length: u64) {
        let value = None;
        if let Some(pointer) = read {
            self.note(at, |it| Action::ReadMemory { cell: it.cell(pointer), length, value });
        }
        if let Some(pointer) = written {
            self.note(at, |it| Action::WriteMemory { cell: it.cell(pointer), length, value });
        }
    }

    pub(crate) fn cell(&self, pointer: Bits) -> Cell {
        let instance = value::object_of(pointer);
        let object = self.state.memory.origin(instance).map(observed);
        Cell { instance, object, offset: offset_of(pointer) }
    }

    /// Notes that a variable or memory changed.
    fn write_down(&mut self, target: WriteTarget, value: Value, cell: Option<Cell>) {
        let object = self.target_of(value);
        self.log.write(Write { target, value, object, cell: cell.map(Box::new) });
    }

    /// What a pointer leads to.
    pub(crate) fn target_of(&self, value: Value) -> Option<ObservedObject> {
        match value {
            Value::Ptr { object, .. } => self.state.memory.origin(object).map(observed),
            Value::Bool(_) | Value::Bv { .. } | Value::Float(..) => None,
        }
    }

    fn read(&mut self, at: &At<'p>, pointer: Bits, sort: Sort) -> Result<Bits, Stop> {
        let pos = at.pos();
        let length = self.bytes_of(sort);
        if sort == Sort::Ptr
            && let Some(stored) =
                self.state.memory.read_pointer(pointer).map_err(|f| self.fault(f, pos))?
        {
            return Ok(stored);
        }
        let read = self.state.memory.read(pointer, length).map_err(|f| self.fault(f, pos))?;
        let bits = match read {
            Some(bits) => bits,
            None => {
                let memory = &self.state.memory;
                let settled = memory.is_settled(pointer, length).map_err(|f| self.fault(f, pos))?;
                let drawn = if settled {
                    0
                } else {
                    let bits = self.draw(at, sort, false, ValueOrigin::Memory);
                    if sort == Sort::Ptr { self.address(bits).into() } else { bits }
                };
                let memory = &mut self.state.memory;
                memory.settle(pointer, length, drawn).map_err(|f| self.fault(f, pos))?
            }
        };
        Ok(match sort {
            Sort::Bool => (bits != 0).into(),
            Sort::Bv(width) => bits & ones(width),
            Sort::Mem => 0,
            Sort::Float(kind) => bits & ones(kind.bits()),
            Sort::Ptr => self.state.memory.pointer_to(&self.layout, bits as u64),
        })
    }

    fn address(&self, pointer: Bits) -> u64 {
        self.state.memory.address(&self.layout, pointer)
    }

    pub(crate) fn store(
        &mut self,
        at: &At<'p>,
        pointer: Bits,
        sort: Sort,
        bits: Bits,
    ) -> Result<(), Stop> {
        let length = self.bytes_of(sort);
        let memory = &mut self.state.memory;
        let written = match sort {
            Sort::Ptr => memory.write_pointer(&self.layout, pointer, bits),
            Sort::Bool | Sort::Bv(_) | Sort::Float(_) | Sort::Mem => {
                memory.write(pointer, length, bits)
            }
        };
        let too_much = memory.footprint() > self.quota.memory;
        written.map_err(|fault| self.fault(fault, at.pos()))?;
        if too_much {
            return Err(Box::new(Outcome::OutOfBudget(Limit::Memory)));
        }
        if self.log.is_tracing() {
            let target = WriteTarget::Memory(self.state.describe(self.code, pointer).into());
            let cell = self.cell(pointer);
            self.write_down(target, Value::from_bits(sort, bits), Some(cell));
        }
        self.note(at, |machine| Action::WriteMemory {
            cell: machine.cell(pointer),
            length,
            value: Some(Value::from_bits(sort, bits)),
        });
        Ok(())
    }

    /// Gives a variable a value.
    #[inline]
    pub(crate) fn assign(
        &mut self,
        thread: &mut Thread,
        at: &At<'p>,
        dst: Place,
        sort: Sort,
        bits: Bits,
    ) {
        match dst {
            Place::Local(slot) => thread.locals.set(at.base + slot as usize, bits),
            Place::Global(index) => self.state.globals.get_mut().set(index as usize, bits),
            Place::ThreadLocal(index) => thread.thread_locals.set(index as usize, bits),
        }
        if self.log.is_tracing() {
            let var = self.code.names.var(dst, at.proc);
            let value = Value::from_bits(sort, bits);
            self.write_down(WriteTarget::Var(var), value, None);
            if let Place::Global(_) = dst
                && self.log.notes_accesses
            {
                self.log.access(Action::WriteVar { var, value }, at.pos());
            }
        }
    }

    #[inline]
    pub(crate) fn eval(
        &mut self,
        thread: &mut Thread,
        at: &At<'p>,
        term: TermCode,
    ) -> Result<Bits, Stop> {
        let mut env = ThreadEnv {
            code: self.code,
            at,
            thread,
            globals: &mut self.state.globals,
            memory: &mut self.state.memory,
            layout: &mut self.layout,
            chooser: &mut self.chooser,
            log: &mut self.log,
        };
        let result = eval::eval(at.code, term, &mut self.scratch, &mut env);
        result.map_err(|trap| trapped(trap, at.pos()))
    }

    /// Any value, from the chooser.
    pub(crate) fn draw(
        &mut self,
        at: &At<'p>,
        sort: Sort,
        signed: bool,
        origin: ValueOrigin,
    ) -> Bits {
        let request = ValueRequest { sort, signed, origin, pos: at.pos(), thread: at.id };
        let Machine { chooser, log, state, layout, .. } = self;
        draw(chooser, log, &mut state.memory, layout, &request)
    }
}

#[cold]
fn trapped(trap: Trap, pos: SrcPos) -> Stop {
    let what = match trap {
        Trap::DivisionByZero => Undefined::DivisionByZero,
        Trap::DivisionOverflow => Undefined::DivisionOverflow,
        Trap::NotInScope | Trap::Indeterminate => Undefined::NotInScope,
    };
    undefined(what, pos)
}

/// Whether a position is in the model of a library function.
fn is_in_model(program: &Program, pos: &SrcPos) -> bool {
    !pos.is_none() && program.name(pos.file).starts_with(MODEL_PREFIX)
}

impl Compiled<'_> {
    /// Where the program calls the library function in whose model a thread is, if it is in one.
    pub(crate) fn call_of_model(&self, thread: &Thread) -> Option<SrcPos> {
        let top = thread.frames.last()?;
        let here = self.code(top.proc).infos[top.pc as usize].pos;
        if !is_in_model(self.program, &here) {
            return None;
        }
        let callers = thread.frames.iter().rev().skip(1);
        let mut calls = callers.map(|frame| {
            let call = (frame.pc as usize).saturating_sub(1);
            self.code(frame.proc).infos[call].pos
        });
        calls.find(|pos| !is_in_model(self.program, pos))
    }
}

pub(crate) fn undefined(what: Undefined, pos: SrcPos) -> Stop {
    Box::new(Outcome::Undefined { what, pos })
}

pub(crate) fn object_site(object: Object) -> Site {
    Site::Object(object.as_u32())
}

pub(crate) fn set_pc(thread: &mut Thread, pc: u32) {
    if let Some(frame) = thread.frames.last_mut() {
        frame.pc = pc;
    }
}
