//! What instructions do on a path.

use std::rc::Rc;

use ravelin_base::SrcPos;
use ravelin_cfa::{
    AllocKind, Assumed, Callee, ErrorKind, FreeKind, HavocKind, Life, ObjectFact, ObjectKind, Op,
    Proc, Reason, no_model, ops,
};
use ravelin_term::{BinOp, DYNAMIC_OBJECTS, Object, Sort, Term, UnOp, Var};

use super::code::{Do, Inst};
use super::machine::{Machine, Step, Stop, Target};
use super::memory::{Background, Contents, MemoryObject};
use super::state::{Frame, State};
use crate::verdict::InputOrigin;

/// Where a path goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    Next,
    At(u32),
    /// Where its frames say.
    Moved,
}

/// Calls in calls beyond this are left out.
const MAX_FRAMES: usize = 5_000;

impl Machine<'_, '_> {
    /// Executes an instruction. The state is as before if the path ends, or copies of it have to execute it, too.
    pub(super) fn step(&mut self, state: &mut State, inst: &Inst) -> Step<Flow> {
        let pos = inst.pos;
        match &inst.action {
            Do::Op(op) => self.operation(state, op, pos),
            Do::Guard { cond, otherwise } => {
                let cond = self.eval(state, *cond, pos)?;
                let holds = self.branch(state, cond)?;
                self.visits.note(state.top().proc, state.top().pc, holds);
                Ok(match holds {
                    true => Flow::Next,
                    false => Flow::At(*otherwise),
                })
            }
            Do::Jump(target) => Ok(Flow::At(*target)),
            Do::LeaveVoid => self.leave(state, None, pos),
            Do::NoWayOn => self.undefined("no guard holds", pos),
        }
    }

    fn operation(&mut self, state: &mut State, op: &Op, pos: SrcPos) -> Step<Flow> {
        match *op {
            Op::Skip => {}
            Op::Assume(cond) => {
                let cond = self.eval(state, cond, pos)?;
                self.require(state, cond)?;
            }
            Op::Assign { dst, value } => {
                let value = self.eval(state, value, pos)?;
                self.set(state, dst, value);
            }
            Op::Havoc { kind: HavocKind::NotModelled(what), .. } => {
                return self.unsupported(self.program.name(what), pos);
            }
            Op::Havoc { dst, kind } => {
                let sort = self.program.vars[dst].sort;
                let is_foreign = match kind {
                    HavocKind::Input(_) | HavocKind::Uninitialised => true,
                    // What a function without body returns may be what it was given.
                    HavocKind::Extern(_) | HavocKind::Unspecified | HavocKind::NotModelled(_) => {
                        false
                    }
                };
                let value = self.input(state, InputOrigin::Havoc(kind), sort, pos, is_foreign);
                self.set(state, dst, value);
            }
            Op::Load { dst, addr, order: _ } => {
                let sort = self.program.vars[dst].sort;
                let value = self.load(state, addr, sort, pos)?;
                self.set(state, dst, value);
            }
            Op::Store { addr, value, order: _ } => {
                let value = self.eval(state, value, pos)?;
                self.store(state, addr, value, pos)?;
            }
            Op::Copy { dst, src, size } => self.copy(state, dst, src, size, pos)?,
            Op::Fill { dst, byte, size } => self.fill(state, dst, byte, size, pos)?,
            Op::HavocMemory { ref pointers } => self.leave_open(state, pointers, pos)?,
            Op::ScopeBegin(object) => self.begin(state, object),
            Op::ScopeEnd(object) => {
                if let Some(number) = remove(&mut state.frame().objects, object) {
                    state.memory.end(number);
                }
            }
            Op::Alloc { dst, size, kind } => {
                let size = self.eval(state, size, pos)?;
                let number = self.allocate(state, size, kind);
                let pointer = self.pointer_to(number);
                self.set(state, dst, pointer);
            }
            Op::Realloc { dst, addr, size } => self.reallocate(state, dst, addr, size, pos)?,
            Op::Free { addr, kind } => self.free(state, addr, kind, pos)?,
            Op::Inspect { dst, addr, fact } => {
                let value = self.inspect(state, addr, fact, pos)?;
                self.set(state, dst, value);
            }
            Op::Call { dst, ref callee, ref args } => {
                return self.call(state, dst, callee, args, pos);
            }
            Op::Return { value } => {
                let value = match value {
                    Some(value) => Some(self.eval(state, value, pos)?),
                    None => None,
                };
                return self.leave(state, value, pos);
            }
            Op::ThreadSelf { dst } => {
                let width = self.terms.pointer_bits();
                let main = self.terms.bv(width, crate::model::space::Thread::MAIN.handle());
                self.set(state, dst, main);
            }
            Op::Start { .. } | Op::Join { .. } | Op::ThreadExit { .. } | Op::Sync { .. } => {
                return self.unsupported("threads on symbolic paths", pos);
            }
            ops!(section) | Op::Print { .. } => {}
            Op::External { function, assumed: Assumed::NoModel, .. } => {
                return self.unsupported(&no_model(self.program.name(function)), pos);
            }
            Op::External { .. } => {}
            Op::Error(kind) => {
                if !self.program.checked.contains(kind.property()) {
                    return self.end_of_path();
                }
                self.claim(state, kind, pos)?;
                return Err(Stop::Ended);
            }
            Op::Claim(kind) => self.claim(state, kind, pos)?,
            Op::Exit { status } => {
                self.eval(state, status, pos)?;
                return self.end_of_path();
            }
            Op::Abort => return self.end_of_path(),
            Op::Unsupported(gap) => {
                return Err(Stop::LeftOut(Reason::of_gap(self.program, gap, pos)));
            }
            Op::Choice(_) => unreachable!("choices are flattened"),
        }
        Ok(Flow::Next)
    }

    fn end_of_path(&mut self) -> Step<Flow> {
        self.counts.paths += 1;
        Err(Stop::Ended)
    }

    fn set(&mut self, state: &mut State, dst: Var, value: Term) {
        state.set(self.slots.of[dst], Some(value));
    }

    /// A claimed error on the path. It goes on behind the claim if the claim is not confirmed.
    fn claim(&mut self, state: &State, kind: ErrorKind, pos: SrcPos) -> Step<()> {
        match self.confirm(state, kind, pos) {
            Ok(()) => Err(Stop::Error),
            Err(reason) => {
                self.leave_out(reason);
                Ok(())
            }
        }
    }

    fn pointer_to(&mut self, number: u32) -> Term {
        match number.checked_sub(1) {
            Some(index) if number < DYNAMIC_OBJECTS => self.terms.address(Object::from_u32(index)),
            _ => {
                let (number, zero) = (self.terms.bv(32, number.into()), self.terms.offset(0));
                self.terms.binary(BinOp::PtrMake, number, zero)
            }
        }
    }

    /// A local object begins. One that is alive ends: it is a new object.
    fn begin(&mut self, state: &mut State, object: Object) {
        if let Some(number) = remove(&mut state.frame().objects, object) {
            state.memory.end(number);
        }
        let nth = state.begun.get(&object).copied().unwrap_or(0);
        state.begun.insert(object, nth + 1);
        let number = self.instance(object, nth);
        let made = MemoryObject::initial(self.program, &mut self.terms, object);
        // A local has no initial contents.
        let made = MemoryObject { contents: Contents::new(Background::Open), ..made };
        state.memory.insert(number, Rc::new(made));
        state.frame().objects.push((object, number));
    }

    fn allocate(&mut self, state: &mut State, size: Term, kind: AllocKind) -> u32 {
        let number = DYNAMIC_OBJECTS + state.allocated;
        state.allocated += 1;
        let (life, background) = match kind {
            AllocKind::Heap => (Life::Heap, Background::Open),
            AllocKind::HeapZeroed => (Life::Heap, Background::Zero),
            AllocKind::Stack => (Life::Named, Background::Open),
        };
        let contents = Contents::new(background);
        let made = MemoryObject { size, life, is_function: false, contents };
        state.memory.insert(number, Rc::new(made));
        if kind == AllocKind::Stack {
            state.frame().stack.push(number);
        }
        number
    }

    /// The heap object that begins at an address; none at null.
    fn block_at(&mut self, state: &mut State, addr: Term, pos: SrcPos) -> Step<Option<u32>> {
        let pointer = self.eval(state, addr, pos)?;
        let (target, pointer) = self.resolve(state, pointer, pos)?;
        let offset = self.terms.unary(UnOp::PtrOffset, pointer);
        let start = self.terms.offset(0);
        let is_start = self.terms.eq(offset, start);
        let is_start = self.decide(state, is_start)?;
        let invalid = "an invalid deallocation";
        match target {
            Target::Nothing if is_start => Ok(None),
            Target::Object(number) if is_start => match self.object(state, number) {
                Some(object) if object.life == Life::Heap => Ok(Some(number)),
                Some(_) => self.undefined(invalid, pos),
                None => self.unsupported("an object from outside", pos),
            },
            Target::Nothing | Target::Object(_) => self.undefined(invalid, pos),
        }
    }

    fn free(&mut self, state: &mut State, addr: Term, kind: FreeKind, pos: SrcPos) -> Step<()> {
        match kind {
            FreeKind::Heap => {
                if let Some(number) = self.block_at(state, addr, pos)? {
                    state.memory.end(number);
                }
            }
            FreeKind::Array => {
                let pointer = self.eval(state, addr, pos)?;
                if let (Target::Object(number), _) = self.resolve(state, pointer, pos)? {
                    state.memory.end(number);
                    state.frame().stack.retain(|&other| other != number);
                }
            }
        }
        Ok(())
    }

    fn reallocate(
        &mut self,
        state: &mut State,
        dst: Var,
        addr: Term,
        size: Term,
        pos: SrcPos,
    ) -> Step<()> {
        let size = self.eval(state, size, pos)?;
        let old = self.block_at(state, addr, pos)?;
        let mut kept = Vec::new();
        if let Some(old) = old
            && let Some(object) = self.object(state, old)
        {
            let new_size = self.concrete(state, size, pos)? as u64;
            let old_size = self.concrete(state, object.size, pos)? as u64;
            kept = self.take(state, old, 0, new_size.min(old_size), pos)?;
        }
        let new = self.allocate(state, size, AllocKind::Heap);
        if let Some(object) = state.memory.get_mut(new) {
            for (at, value) in kept {
                object.contents.write(&mut self.terms, at, value);
            }
        }
        if let Some(old) = old {
            state.memory.end(old);
        }
        let pointer = self.pointer_to(new);
        self.set(state, dst, pointer);
        Ok(())
    }

    fn inspect(
        &mut self,
        state: &mut State,
        addr: Term,
        fact: ObjectFact,
        pos: SrcPos,
    ) -> Step<Term> {
        let pointer = self.eval(state, addr, pos)?;
        let (target, pointer) = self.resolve(state, pointer, pos)?;
        if fact == ObjectFact::Offset {
            return Ok(self.terms.unary(UnOp::PtrOffset, pointer));
        }
        let Target::Object(number) = target else { return Ok(self.terms.offset(0)) };
        let Some(object) = self.object(state, number) else {
            return self.unsupported("the size or life of an object from outside", pos);
        };
        Ok(match fact {
            _ if object.is_function => self.terms.offset(0),
            ObjectFact::Size => self.simplified(state, object.size),
            ObjectFact::Life | ObjectFact::Offset => self.terms.offset(object.life as u64),
        })
    }

    fn call(
        &mut self,
        state: &mut State,
        dst: Option<Var>,
        callee: &Callee,
        args: &[Term],
        pos: SrcPos,
    ) -> Step<Flow> {
        let callee = match *callee {
            Callee::Direct(proc) => proc,
            Callee::Pointer(pointer) => self.function_at(state, pointer, pos)?,
        };
        if state.frames.len() >= MAX_FRAMES {
            return Err(Stop::LeftOut(Reason::OutOfMemory));
        }
        let mut frame = Frame::new(&self.slots, callee, self.code.of_proc(callee).entry, dst);
        let program = self.program;
        let params = &program.procs[callee].params;
        for (index, &arg) in args.iter().enumerate() {
            let value = self.eval(state, arg, pos)?;
            // Arguments that are not taken do nothing.
            let Some(&param) = params.get(index) else { continue };
            let value = self.coerce(value, program.vars[param].sort, pos)?;
            if let super::state::Slot::Local(slot) = self.slots.of[param] {
                frame.locals[slot as usize] = Some(value);
            }
        }
        state.frame().pc += 1;
        state.frames.push(Rc::new(frame));
        Ok(Flow::Moved)
    }

    fn function_at(&mut self, state: &mut State, pointer: Term, pos: SrcPos) -> Step<Proc> {
        let pointer = self.eval(state, pointer, pos)?;
        let (target, pointer) = self.resolve(state, pointer, pos)?;
        let offset = self.terms.unary(UnOp::PtrOffset, pointer);
        let start = self.terms.offset(0);
        let is_start = self.terms.eq(offset, start);
        if self.decide(state, is_start)?
            && let Target::Object(number) = target
            && let Some(data) = self.program.objects.get(Object::from_u32(number - 1))
            && let ObjectKind::Function(proc) = data.kind
        {
            return Ok(proc);
        }
        self.undefined("a call of what is no function", pos)
    }

    /// A value as one of another sort, as the registers of the calling convention would pass it.
    fn coerce(&mut self, value: Term, wanted: Sort, pos: SrcPos) -> Step<Term> {
        let terms = &mut self.terms;
        let sort = terms.sort(value);
        if sort == wanted {
            return Ok(value);
        }
        let (integer, width) = match sort {
            Sort::Bool => (terms.bool_to_bv(value, 8), 8),
            Sort::Bv(width) => (value, width),
            Sort::Ptr => (terms.unary(UnOp::PtrToInt, value), terms.pointer_bits()),
            Sort::Float(_) | Sort::Mem => return self.undefined("a call of another type", pos),
        };
        let resized = |terms: &mut ravelin_term::TermPool, to: u16| match to == width {
            true => integer,
            false => terms.resize(integer, to, false),
        };
        Ok(match wanted {
            Sort::Bool => terms.is_nonzero(integer),
            Sort::Bv(to) => resized(terms, to),
            Sort::Ptr => {
                let address = resized(terms, terms.pointer_bits());
                terms.unary(UnOp::IntToPtr, address)
            }
            Sort::Float(_) | Sort::Mem => return self.undefined("a call of another type", pos),
        })
    }

    fn leave(&mut self, state: &mut State, value: Option<Term>, pos: SrcPos) -> Step<Flow> {
        if state.frames.len() == 1 {
            return self.end_of_path();
        }
        let result = state.top().result;
        let value = match (result, value) {
            (Some(dst), Some(value)) => {
                Some(self.coerce(value, self.program.vars[dst].sort, pos)?)
            }
            (Some(_), None) | (None, _) => None,
        };
        if let Some(frame) = state.frames.pop() {
            for &(_, number) in &frame.objects {
                state.memory.end(number);
            }
            for &number in &frame.stack {
                state.memory.end(number);
            }
        }
        if let Some(dst) = result {
            // C11 6.9.1p12: only using the value of a function that returned none is undefined.
            state.set(self.slots.of[dst], value);
        }
        Ok(Flow::Moved)
    }
}

fn remove(objects: &mut Vec<(Object, u32)>, object: Object) -> Option<u32> {
    let at = objects.iter().position(|&(of, _)| of == object)?;
    Some(objects.swap_remove(at).1)
}
