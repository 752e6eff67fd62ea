//! What there is on a path: where it is, values of variables, memory, the conditions so far, and the inputs it took.

use std::rc::Rc;

use imbl::{HashMap, HashSet, Vector};
use ravelin_base::{SecondaryMap, SrcPos};
use ravelin_cfa::{Proc, Program, VarKind};
use ravelin_term::{Object, Sort, Term, Var};

use super::memory::Memory;
use super::questions::Path;
use crate::verdict::InputOrigin;

/// A path in the middle. Copies share what they have in common.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) frames: Vec<Rc<Frame>>,
    /// Globals and thread-local variables.
    pub(super) globals: Rc<Vec<Option<Term>>>,
    pub(super) memory: Memory,
    pub(super) path: Path,
    pub(super) inputs: Vector<Taken>,
    /// How many objects the path has allocated.
    pub(super) allocated: u32,
    /// How often the lifetime of each local object has begun.
    pub(super) begun: HashMap<Object, u32>,
    /// Variables for bytes without value that were copied, and of which none was read yet.
    pub(super) unread: HashSet<Var>,
    /// Variables of the program that were read before anything was assigned to them.
    pub(super) unset: Vector<Term>,
    /// How many values were tried for the present instruction.
    pub(super) tried: u32,
    /// The branch that it took when it was forked.
    pub(super) goal: Goal,
}

/// A branch and its direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    pub(super) proc: Proc,
    pub(super) pc: u32,
    pub(super) holds: bool,
}

/// A call that has not returned.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) proc: Proc,
    pub(super) pc: u32,
    pub(super) locals: Vec<Option<Term>>,
    /// The local objects that are alive, with their numbers.
    pub(super) objects: Vec<(Object, u32)>,
    /// What `alloca` and variable-length arrays made.
    pub(super) stack: Vec<u32>,
    /// Where the caller wants the result.
    pub(super) result: Option<Var>,
}

/// An input that the path took.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    pub(super) origin: InputOrigin,
    pub(super) sort: Sort,
    pub(super) pos: SrcPos,
    pub(super) value: Term,
}

/// Where the values of variables are kept.
#[derive(Debug)]
pub(super) struct Slots {
    pub(super) of: SecondaryMap<Var, Slot>,
    pub(super) globals: Vec<Var>,
    /// How many locals each procedure has.
    pub(super) locals: SecondaryMap<Proc, u32>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    Global(u32),
    Local(u32),
}

impl Default for Slot {
    fn default() -> Self {
        Slot::Global(0)
    }
}

impl Slots {
    pub(super) fn of(program: &Program) -> Slots {
        let mut slots = Slots {
            of: SecondaryMap::with_capacity(program.vars.len()),
            globals: Vec::new(),
            locals: SecondaryMap::with_capacity(program.procs.len()),
        };
        for (var, data) in program.vars.iter() {
            slots.of[var] = match data.kind {
                VarKind::Global { .. } | VarKind::ThreadLocal { .. } => {
                    slots.globals.push(var);
                    Slot::Global(slots.globals.len() as u32 - 1)
                }
                VarKind::Local(proc) => {
                    slots.locals[proc] += 1;
                    Slot::Local(slots.locals[proc] - 1)
                }
            };
        }
        slots
    }
}

impl State {
    /// The state in which a procedure begins, and nothing else is there.
    pub(super) fn start(program: &Program, slots: &Slots, entry: Proc, pc: u32) -> State {
        let initial = |&var: &Var| match program.vars[var].kind {
            VarKind::Global { init, .. } | VarKind::ThreadLocal { init } => init,
            VarKind::Local(_) => None,
        };
        State {
            frames: vec![Rc::new(Frame::new(slots, entry, pc, None))],
            globals: Rc::new(slots.globals.iter().map(initial).collect()),
            memory: Memory::default(),
            path: Path::default(),
            inputs: Vector::new(),
            allocated: 0,
            begun: HashMap::new(),
            unread: HashSet::new(),
            unset: Vector::new(),
            tried: 0,
            goal: Goal { proc: entry, pc, holds: true },
        }
    }

    pub(super) fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        Rc::make_mut(&mut self.frames[last])
    }

    pub(super) fn top(&self) -> &Frame {
        &self.frames[self.frames.len() - 1]
    }

    pub(super) fn get(&self, slot: Slot) -> Option<Term> {
        match slot {
            Slot::Global(index) => self.globals[index as usize],
            Slot::Local(index) => self.top().locals[index as usize],
        }
    }

    pub(super) fn set(&mut self, slot: Slot, value: Option<Term>) {
        match slot {
            Slot::Global(index) => Rc::make_mut(&mut self.globals)[index as usize] = value,
            Slot::Local(index) => self.frame().locals[index as usize] = value,
        }
    }
}

impl Frame {
    pub(super) fn new(slots: &Slots, proc: Proc, pc: u32, result: Option<Var>) -> Frame {
        Frame {
            proc,
            pc,
            locals: vec![None; slots.locals[proc] as usize],
            objects: Vec::new(),
            stack: Vec::new(),
            result,
        }
    }
}
