//! From inputs that make a chain feasible to the execution they stand for.

use std::rc::Rc;

use ravelin_base::SrcPos;
use ravelin_cfa::{Label, Op};
use ravelin_term::{Sort, Term, TermKind, Var};

use crate::block::{Block, accessed, havoc_input, inputs_taken};
use crate::refine::chain::Inputs;
use crate::space::{ENVIRONMENT, Role, Space};
use crate::step::Step;
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
    let mut walker = Walker { block: start, inputs, taken: Vec::new() };
    for (step, first_input) in path {
        walker.block.inputs = *first_input;
        walker.walk(space, &step.labels);
    }
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
}

impl Walker<'_> {
    fn walk(&mut self, space: &mut Space<'_>, labels: &[Label]) {
        for label in labels {
            let after = self.block.inputs + inputs_taken(space, std::slice::from_ref(label));
            match &label.op {
                Op::Choice(branches) => {
                    let taken = branches.iter().position(|branch| self.is_taken(space, branch));
                    self.walk(space, &branches[taken.unwrap_or(0)]);
                }
                Op::Havoc { dst, kind } => {
                    let sort = space.sort(*dst);
                    let input = havoc_input(space, self.block.inputs, *dst, *kind);
                    let value = self.inputs.get(space, input);
                    self.block.values.insert(*dst, value);
                    let value = input_value(space, value);
                    let origin = InputOrigin::Havoc(*kind);
                    self.taken.push(Input { origin, sort, pos: label.pos, value });
                }
                Op::Load { dst, addr, .. } => self.load(space, *dst, *addr, label.pos),
                // The interpreter changes nothing here, and neither does the script for it.
                Op::HavocMemory { .. } => {}
                // Along a path that is taken they hold; what is left open must not block it.
                Op::Assume(_) => {}
                _ => {
                    // The execution has memory, whatever the analysis makes of it.
                    let forgets = std::mem::replace(&mut space.forgets_memory, false);
                    self.block.execute(space, std::slice::from_ref(label));
                    space.forgets_memory = forgets;
                    self.block.guards.clear();
                }
            }
            self.block.inputs = after;
        }
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
            value = self.inputs.content(space, address, value);
            let input = input_value(space, value);
            // What synchronisation objects hold, the execution knows by itself.
            if !matches!(space.role(dst), Role::Scratch(_)) {
                self.taken.push(Input { origin: InputOrigin::Memory, sort, pos, value: input });
            }
            self.block.write(space, memory, address, value);
        }
        self.block.values.insert(dst, value);
    }

    fn is_taken(&self, space: &mut Space<'_>, branch: &[Label]) -> bool {
        match branch.first().map(|label| &label.op) {
            Some(Op::Assume(cond)) => {
                let cond = self.block.before(space, *cond);
                let cond = self.inputs.evaluate(space, cond);
                space.terms.as_bool(cond) == Some(true)
            }
            _ => false,
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
        TermKind::Unary(ravelin_term::UnOp::IntToPtr, address) => {
            match space.terms.as_bv(address) {
                Some(bits) => InputValue::Bits(bits),
                None => InputValue::Pointer(value),
            }
        }
        _ if space.terms.sort(value) == Sort::Ptr => InputValue::Pointer(value),
        _ => InputValue::Bits(0),
    }
}
