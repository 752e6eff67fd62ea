//! From inputs that make a chain feasible to the execution they stand for.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use ravelin_base::SrcPos;
use ravelin_cfa::{HavocKind, ObjectKind};
use ravelin_term::{Sort, Term, TermKind, TermPool, UnOp, Var};
use rustc_hash::FxHashMap;

use crate::algorithm::refine::chain::Inputs;
use crate::model::block::{Block, accessed, havoc_input, inputs_taken};
use crate::model::space::{ENVIRONMENT, Role, Space, ThreadRole};
use crate::model::statement::{Action, Statement, Update, guard};
use crate::model::step::Step;
use crate::verdict::{Input, InputOrigin, InputValue};

/// A step of a path with the number of the first input it takes.
pub type Numbered = (Rc<Step>, u32);

/// The inputs that an execution takes along a path, in order.
pub fn inputs_along(
    space: &mut Space<'_>,
    start: Block,
    path: &[Numbered],
    inputs: &Inputs,
) -> Vec<Input> {
    let mut walker = Walker {
        block: start,
        inputs,
        taken: Vec::new(),
        is_left_open: false,
        unset: BTreeSet::new(),
        inspected: BTreeSet::new(),
    };
    for (step, first_input) in path {
        walker.block.inputs = *first_input;
        walker.walk(space, &step.statements);
    }
    walker.leave_objects_out(space.terms.pointer_bits());
    number_environment(&mut walker.taken);
    walker.taken
}

/// Numbers the objects of the environment in the order in which the execution meets them.
fn number_environment(inputs: &mut [Input]) {
    let mut seen: Vec<u32> = Vec::new();
    for input in inputs {
        if let InputValue::Environment { number, .. } = &mut input.value {
            let place = seen.iter().position(|other| other == number).unwrap_or(seen.len());
            if place == seen.len() {
                seen.push(*number);
            }
            *number = place as u32;
        }
    }
}

struct Walker<'a> {
    /// The state so far, all of it constant but what memory was left open.
    block: Block,
    inputs: &'a Inputs,
    taken: Vec<Input>,
    /// Whether a function without body has left anything in memory.
    is_left_open: bool,
    /// Which of these are of variables and memory that the program makes and never gives a value.
    unset: BTreeSet<usize>,
    /// The objects of the environment whose size or life is asked. An execution does not know them.
    inspected: BTreeSet<u32>,
}

impl Walker<'_> {
    fn walk(&mut self, space: &mut Space<'_>, statements: &[Statement]) {
        for statement in statements {
            let pos = statement.pos;
            let after = self.block.inputs + inputs_taken(space, statement);
            match &statement.action {
                Action::Choice(branches) => {
                    let taken = branches.iter().position(|branch| self.is_taken(space, branch));
                    self.walk(space, &branches[taken.unwrap_or(0)]);
                }
                Action::Update(Update::Havoc { dst, kind }) => {
                    let sort = space.sort(*dst);
                    let input = havoc_input(space, self.block.inputs, *dst, *kind);
                    let value = self.inputs.get(space, input);
                    self.block.values.insert(*dst, value);
                    let value = input_value(space, value);
                    let origin = InputOrigin::Havoc(*kind);
                    if *kind == HavocKind::Uninitialised {
                        self.unset.insert(self.taken.len());
                    }
                    self.taken.push(Input { origin, sort, pos, value });
                }
                Action::Update(Update::Load { dst, addr }) => self.load(space, *dst, *addr, pos),
                Action::Update(Update::HavocMemory { pointers }) => {
                    self.is_left_open = true;
                    self.leave_open(space, pointers);
                }
                Action::Update(Update::Inspect { addr, .. }) => {
                    let address = self.block.before(space, *addr);
                    let address = self.inputs.evaluate(space, address);
                    if let Some((object @ ENVIRONMENT.., _)) = space.constant_pointer(address) {
                        self.inspected.insert(object - ENVIRONMENT);
                    }
                    self.execute(space, statement);
                }
                // Along a path that is taken they hold; what is left open must not block it.
                Action::Assume(_) => {}
                Action::Update(_) => self.execute(space, statement),
            }
            self.block.inputs = after;
        }
    }

    /// A pointer without value may lead to an object of the environment or to none. If the size or life of the object is
    /// asked, only the latter can be executed.
    fn leave_objects_out(&mut self, pointer_bits: u16) {
        let object = |input: &Input| match input.value {
            InputValue::Environment { number, .. } => Some(number),
            InputValue::Bits(_) | InputValue::Pointer(_) => None,
        };
        for (place, input) in self.taken.iter().enumerate() {
            if !self.unset.contains(&place)
                && let Some(number) = object(input)
            {
                self.inspected.remove(&number);
            }
        }
        for input in &mut self.taken {
            if let InputValue::Environment { number, offset } = input.value
                && let Some(place) = self.inspected.iter().position(|&it| it == number)
            {
                // As far apart as objects of the environment are long.
                let address = ((place as u128 + 1) << 16) + u128::from(offset);
                input.value = InputValue::Bits(address & (u128::MAX >> (128 - pointer_bits)));
            }
        }
    }

    fn execute(&mut self, space: &mut Space<'_>, statement: &Statement) {
        // The execution has memory, whatever the analysis makes of it.
        let forgets = std::mem::replace(&mut space.forgets_memory, false);
        self.block.execute(space, std::slice::from_ref(statement));
        space.forgets_memory = forgets;
        self.block.guards.clear();
    }

    /// Reads memory; what was never written is an input.
    fn load(&mut self, space: &mut Space<'_>, dst: Var, addr: Term, pos: SrcPos) {
        let sort = space.sort(dst);
        let memory = accessed(space, addr, sort);
        let address = self.block.before(space, addr);
        let address = self.inputs.evaluate(space, address);
        let read = self.block.read(space, memory, address, sort);
        let mut value = self.inputs.evaluate(space, read);
        if !space.is_value(read) {
            let contents = self.block.value(space, memory);
            if let Some(start) = unwritten(&space.terms, contents) {
                value = self.inputs.content(space, start, address, value);
            }
            let input = input_value(space, value);
            // What synchronisation objects hold, the execution knows by itself.
            if !matches!(space.role(dst), Role::Thread(ThreadRole::Scratch, _)) {
                if !self.is_left_open && is_made_by_program(space, address) {
                    self.unset.insert(self.taken.len());
                }
                self.taken.push(Input { origin: InputOrigin::Memory, sort, pos, value: input });
            }
            self.block.write(space, memory, address, value);
        }
        self.block.values.insert(dst, value);
    }

    /// A function without body may leave anything in what it reaches: what is read there is an input. Other objects
    /// in the same regions of memory keep what they have, as they do in the interpreter.
    fn leave_open(&mut self, space: &mut Space<'_>, pointers: &[Term]) {
        let memories = space.memories_reached(pointers);
        let mut kept = Vec::new();
        let mut stored: FxHashMap<u32, BTreeMap<u64, Term>> = FxHashMap::default();
        for &memory in memories.iter() {
            let mut contents = self.block.value(space, memory);
            let mut writes = Vec::new();
            while let TermKind::Write(before, address, value) = space.terms.kind(contents) {
                writes.push((address, value));
                contents = before;
            }
            for (address, value) in writes.into_iter().rev() {
                if let Some((object, offset)) = space.constant_pointer(address) {
                    stored.entry(object).or_default().insert(offset, value);
                    kept.push((memory, object, address, value));
                }
            }
        }
        let mut work = Vec::new();
        for &pointer in pointers {
            let pointer = self.block.before(space, pointer);
            let pointer = self.inputs.evaluate(space, pointer);
            work.extend(space.constant_pointer(pointer).map(|(object, _)| object));
        }
        work.extend(stored.keys().copied().filter(|&object| object >= ENVIRONMENT));
        let mut reached = BTreeSet::new();
        while let Some(object) = work.pop() {
            if !reached.insert(object) {
                continue;
            }
            for &value in stored.get(&object).into_iter().flat_map(BTreeMap::values) {
                let pointer = match space.terms.kind(value) {
                    TermKind::Unary(UnOp::PtrToInt, pointer) => pointer,
                    _ => value,
                };
                work.extend(space.constant_pointer(pointer).map(|(object, _)| object));
            }
        }
        reached.retain(|&number| {
            let object = space.object_numbered(number);
            object.is_none_or(|object| space.program.objects[object].kind != ObjectKind::Constant)
        });
        self.block.forget_memory(space, &memories);
        for (memory, object, address, value) in kept {
            if !reached.contains(&object) {
                self.block.write(space, memory, address, value);
            }
        }
    }

    fn is_taken(&self, space: &mut Space<'_>, branch: &[Statement]) -> bool {
        guard(branch).is_some_and(|cond| {
            let cond = self.block.before(space, cond);
            let cond = self.inputs.evaluate(space, cond);
            space.terms.as_bool(cond) == Some(true)
        })
    }
}

/// Whether the address is in a local variable or on the heap.
fn is_made_by_program(space: &Space<'_>, address: Term) -> bool {
    space.constant_pointer(address).is_some_and(|(number, _)| {
        number < ENVIRONMENT
            && space.object_numbered(number).is_none_or(|object| {
                matches!(space.program.objects[object].kind, ObjectKind::Local(_))
            })
    })
}

/// The memory that writes were made to.
fn unwritten(terms: &TermPool, mut memory: Term) -> Option<Var> {
    loop {
        match terms.kind(memory) {
            TermKind::Write(before, ..) => memory = before,
            TermKind::Var(var) => return Some(var),
            _ => return None,
        }
    }
}

fn input_value(space: &Space<'_>, value: Term) -> InputValue {
    if let Some((object @ ENVIRONMENT.., offset)) = space.constant_pointer(value) {
        return InputValue::Environment { number: object - ENVIRONMENT, offset };
    }
    match space.terms.kind(value) {
        TermKind::Bool(value) => InputValue::Bits(value.into()),
        TermKind::Bv(bits) | TermKind::Float(bits) => InputValue::Bits(bits),
        TermKind::Null => InputValue::Bits(0),
        TermKind::Unary(UnOp::IntToPtr, address) => match space.terms.as_bv(address) {
            Some(bits) => InputValue::Bits(bits),
            None => InputValue::Pointer(value),
        },
        _ if space.terms.sort(value) == Sort::Ptr => InputValue::Pointer(value),
        _ => InputValue::Bits(0),
    }
}
