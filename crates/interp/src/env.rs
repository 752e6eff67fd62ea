//! What terms see when they are evaluated, and how open values get their bits.

use ravelin_cfa::Sort;
use ravelin_term::FloatKind;

use crate::chooser::{Chooser, ValueOrigin, ValueRequest, as_environment_pointer};
use crate::code::{Operand, Place};
use crate::compile::Compiled;
use crate::eval::Env;
use crate::layout::Layout;
use crate::log::{Action, EnvironmentChoice, Log};
use crate::machine::At;
use crate::memory::Memory;
use crate::shared::Shared;
use crate::state::State;
use crate::thread::{Thread, Values};
use crate::value::{self, Bits, Trap, Value, ones, to_signed};

/// Asks for a value, makes it one of its sort, and notes it in the schedule.
pub(crate) fn draw(
    chooser: &mut impl Chooser,
    log: &mut Log,
    memory: &mut Memory,
    layout: &mut Layout,
    request: &ValueRequest,
) -> Bits {
    let value = chooser.value(request);
    if request.sort == Sort::Ptr
        && let Some((number, offset)) = as_environment_pointer(value)
        && let Ok(object) = memory.environment(layout, number)
    {
        log.choose(EnvironmentChoice::Value { request: *request, value });
        return value::pointer(object, offset);
    }
    let width = match request.sort {
        Sort::Bool => 1,
        Sort::Bv(width) => width,
        Sort::Float(kind) => kind.bits(),
        // No variable of a verified automaton holds a memory.
        Sort::Ptr | Sort::Mem => 8 * memory.pointer_bytes() as u16,
    };
    let mut bits = value as Bits & ones(width);
    if request.sort == Sort::Float(FloatKind::F80) {
        // No operation makes a number whose integer bit contradicts its exponent.
        let normal = bits >> 64 & 0x7fff != 0;
        bits = bits & !(1 << 63) | u128::from(normal) << 63;
    }
    let value = if request.signed { to_signed(bits, width) } else { bits as i128 };
    log.choose(EnvironmentChoice::Value { request: *request, value });
    if request.sort == Sort::Ptr { memory.pointer_to(layout, bits as u64) } else { bits }
}

/// Evaluates in a frame; variables without value get one when they are read.
pub(crate) struct ThreadEnv<'a, 'p, C> {
    pub(crate) code: &'p Compiled<'p>,
    pub(crate) at: &'a At<'p>,
    pub(crate) thread: &'a mut Thread,
    pub(crate) globals: &'a mut Shared<Values>,
    pub(crate) memory: &'a mut Memory,
    pub(crate) layout: &'a mut Layout,
    pub(crate) chooser: &'a mut C,
    pub(crate) log: &'a mut Log,
}

impl<C: Chooser> ThreadEnv<'_, '_, C> {
    #[cold]
    fn draw(&mut self, place: Place) -> Bits {
        let var = self.code.names.var(place, self.at.proc);
        let data = &self.code.program.vars[var];
        let request = ValueRequest {
            sort: data.sort,
            signed: data.signed,
            origin: ValueOrigin::Variable(var),
            pos: self.at.pos(),
            thread: self.at.id,
        };
        let bits = draw(self.chooser, self.log, self.memory, self.layout, &request);
        match place {
            Place::Local(slot) => self.thread.locals.set(self.at.base + slot as usize, bits),
            Place::Global(index) => self.globals.get_mut().set(index as usize, bits),
            Place::ThreadLocal(index) => self.thread.thread_locals.set(index as usize, bits),
        }
        bits
    }

    #[cold]
    fn note_read(&mut self, place: Place, bits: Bits) {
        let var = self.code.names.var(place, self.at.proc);
        let value = Value::from_bits(self.code.program.vars[var].sort, bits);
        self.log.access(Action::ReadVar { var, value }, self.at.pos());
    }
}

impl<C: Chooser> Env for ThreadEnv<'_, '_, C> {
    #[inline]
    fn read(&mut self, operand: Operand) -> Result<Bits, Trap> {
        match operand {
            Operand::Place(place) => {
                let known = match place {
                    Place::Local(slot) => self.thread.locals.get(self.at.base + slot as usize),
                    Place::Global(index) => self.globals.get().get(index as usize),
                    Place::ThreadLocal(index) => self.thread.thread_locals.get(index as usize),
                };
                let bits = match known {
                    Some(bits) => bits,
                    None => self.draw(place),
                };
                if let Place::Global(_) = place
                    && self.log.notes_accesses
                {
                    self.note_read(place, bits);
                }
                Ok(bits)
            }
            Operand::LocalObject(slot) => {
                self.thread.locals.get(self.at.base + slot as usize).ok_or(Trap::NotInScope)
            }
            Operand::ThreadObject(index) => {
                Ok(value::pointer(self.thread.thread_objects[index as usize], 0))
            }
            Operand::Top | Operand::Const(_) => Err(Trap::Indeterminate),
        }
    }

    fn memory(&self) -> &Memory {
        self.memory
    }

    fn layout(&self) -> &Layout {
        self.layout
    }
}

/// Evaluates initial values, which read no variables.
pub(crate) struct ClosedEnv<'a> {
    pub(crate) memory: &'a Memory,
    pub(crate) layout: &'a Layout,
}

impl Env for ClosedEnv<'_> {
    fn read(&mut self, _: Operand) -> Result<Bits, Trap> {
        Err(Trap::Indeterminate)
    }

    fn memory(&self) -> &Memory {
        self.memory
    }

    fn layout(&self) -> &Layout {
        self.layout
    }
}

/// Evaluates without effect: values that would have to be drawn are none.
pub(crate) struct PeekEnv<'a> {
    pub(crate) state: &'a State,
    pub(crate) layout: &'a Layout,
    pub(crate) thread: &'a Thread,
    pub(crate) base: usize,
}

impl Env for PeekEnv<'_> {
    fn read(&mut self, operand: Operand) -> Result<Bits, Trap> {
        let bits = match operand {
            Operand::Place(Place::Local(slot)) => self.thread.locals.get(self.base + slot as usize),
            Operand::Place(Place::Global(index)) => self.state.globals.get().get(index as usize),
            Operand::Place(Place::ThreadLocal(index)) => {
                self.thread.thread_locals.get(index as usize)
            }
            Operand::LocalObject(slot) => self.thread.locals.get(self.base + slot as usize),
            Operand::ThreadObject(index) => {
                Some(value::pointer(self.thread.thread_objects[index as usize], 0))
            }
            Operand::Top | Operand::Const(_) => None,
        };
        bits.ok_or(Trap::Indeterminate)
    }

    fn memory(&self) -> &Memory {
        &self.state.memory
    }

    fn layout(&self) -> &Layout {
        self.layout
    }
}
