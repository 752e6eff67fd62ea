//! Inline assembly (GNU C). If every instruction and operand is known, it is lowered to its effects
//! ([`x86`]). Otherwise its operands determine what it may change.
//!
//! An instruction that does nothing under sequential consistency (a fence, a pause) is left out;
//! the operands of such a statement matter only to the compiler's optimisations, except for an
//! output that shares its register with an input. All other statements leave any value in their
//! outputs, and any contents in memory that they may reach: through pointers that they get, through
//! outputs in memory, and if they clobber memory, through inputs in memory. An execution that
//! passes one is never a counterexample ([`HavocKind::NotModelled`]).

mod operands;
mod template;
mod x86;

use lang_c::ast::{AsmStatement, GnuAsmOperand, GnuExtendedAsmStatement, StringLiteral};
use lang_c::span::{Node, Span};
use ravelin_cfa::{HavocKind, Op};

use super::place::{Place, PlaceKind};
use super::{Lowerer, Reported, Result, Val};
use crate::types::Ty;
use operands::{Halt, Machine, Step};
use template::Instruction;

/// Instructions and prefixes that change nothing that a program can see.
const WITHOUT_EFFECT: &[&str] = &[
    "nop",
    "pause",
    "rep",
    "mfence",
    "lfence",
    "sfence",
    "lock",
    "addl $0,0(%%esp)",
    "addl $0,0(%%rsp)",
    "addl $0, 0(%%esp)",
    "addl $0, 0(%%rsp)",
];

/// Prefixes of instructions.
const PREFIXES: &[&str] = &["lock", "rep", "repe", "repne", "repz", "repnz"];

/// The normaliser's replacement of `asm goto`.
const JUMP: &str = "goto";

impl<'a> Lowerer<'a> {
    pub fn assembly(&mut self, node: &'a Node<AsmStatement>) -> Result<()> {
        self.at(node.span);
        let (template, operands) = match &node.node {
            AsmStatement::GnuBasic(template) => (text_of(&template.node), None),
            AsmStatement::GnuExtended(statement) => {
                (text_of(&statement.template.node), Some(statement))
            }
        };
        if has_no_effect(&template) {
            return operands.map_or(Ok(()), |operands| self.leave_registers(operands));
        }
        if let Some(instructions) = template::parse(&template, operands.is_some())
            && self.executed(&instructions, operands)?
        {
            return Ok(());
        }
        // With several threads, the number of writes matters, too.
        if template == JUMP || self.facts.starts_threads || self.names_the_program(&template) {
            self.unsupported("inline assembly");
            return Ok(());
        }
        self.change_operands(operands, node.span)
    }

    /// Lowers instructions to their effects; returns whether all of them are known. If not, nothing
    /// is lowered.
    fn executed(
        &mut self,
        instructions: &[Instruction],
        statement: Option<&'a GnuExtendedAsmStatement>,
    ) -> Result<bool> {
        let span = self.body.span;
        // The first attempt is discarded, so that a statement is lowered as a whole or not at all.
        let (tried, _) = self.nowhere(|lowerer| lowerer.execute(instructions, statement));
        match tried {
            Err(Halt::NotUnderstood) => return Ok(false),
            Err(Halt::Reported) => return Err(Reported),
            Ok(()) => {}
        }
        self.at(span);
        match self.execute(instructions, statement) {
            Ok(()) => Ok(true),
            Err(Halt::Reported) => Err(Reported),
            Err(Halt::NotUnderstood) => {
                self.unsupported("inline assembly");
                Ok(true)
            }
        }
    }

    fn execute(
        &mut self,
        instructions: &[Instruction],
        statement: Option<&'a GnuExtendedAsmStatement>,
    ) -> Step<()> {
        let span = self.body.span;
        let mut machine = Machine::new(self, statement)?;
        self.at(span);
        for instruction in instructions {
            machine.execute(self, instruction)?;
        }
        machine.finish(self)
    }

    /// A template without instructions: an output gets the value of the input in the same register.
    fn leave_registers(&mut self, statement: &'a GnuExtendedAsmStatement) -> Result<()> {
        let mut results = Vec::new();
        for (number, output) in statement.outputs.iter().enumerate() {
            let output = &output.node;
            if text_of(&output.constraints.node).starts_with('+') {
                continue;
            }
            let same = statement.inputs.iter().find(|input| shares(input, number, output));
            let place = self.place(&output.variable_name)?;
            let value = match same {
                Some(input) => {
                    let span = input.span;
                    let value = self.rvalue(&input.node.variable_name)?;
                    self.convert(value, place.ty, span)?
                }
                None => self.not_modelled(place.ty),
            };
            results.push((place, self.snapshot(value)));
        }
        for (place, value) in results {
            self.store(place, value, false)?;
        }
        Ok(())
    }

    fn change_operands(
        &mut self,
        statement: Option<&'a GnuExtendedAsmStatement>,
        span: Span,
    ) -> Result<()> {
        let mut outputs = Vec::new();
        let mut reached: Vec<Val> = Vec::new();
        if let Some(statement) = statement {
            let clobbers_memory =
                statement.clobbers.iter().any(|clobber| text_of(&clobber.node) == "memory");
            for output in &statement.outputs {
                let place = self.place(&output.node.variable_name)?;
                reached.extend(self.address_in_memory(place));
                // A pointer in a register is read before it is written.
                if text_of(&output.node.constraints.node).starts_with('+')
                    && self.types.is_pointer(place.ty)
                {
                    let value = self.load(place)?;
                    reached.push(self.snapshot(value));
                }
                outputs.push(place);
            }
            for input in &statement.inputs {
                let constraints = text_of(&input.node.constraints.node);
                if matches!(constraints.trim_start_matches(['=', '&', '%']), "m" | "o" | "V") {
                    let place = self.place(&input.node.variable_name)?;
                    reached.extend(self.address_in_memory(place).filter(|_| clobbers_memory));
                } else {
                    let mut value = self.rvalue(&input.node.variable_name)?;
                    let bits = self.program.terms.pointer_bits();
                    if clobbers_memory && self.types.int_width(value.ty) == Some(bits) {
                        // It may be a pointer that was converted to a number.
                        value = self.convert_scalar(value, self.types.void_ptr);
                    }
                    if self.types.is_pointer(value.ty) {
                        reached.push(self.snapshot(value));
                    }
                }
            }
        }
        // A concrete execution ends at the first of these, before anything has changed.
        self.at(span);
        self.not_modelled(self.types.int);
        reached.retain(|pointer| self.may_be_written_through(pointer));
        if !reached.is_empty() {
            self.emit(Op::HavocMemory {
                pointers: reached.iter().map(|pointer| pointer.term).collect(),
            });
        }
        for place in outputs {
            if self.types.is_scalar(place.ty) {
                let value = self.not_modelled(place.ty);
                self.store(place, value, false)?;
            }
        }
        Ok(())
    }

    fn not_modelled(&mut self, ty: Ty) -> Val {
        let what = self.intern("inline assembly");
        let ty = self.types.unqualified(ty);
        self.any_value(ty, HavocKind::NotModelled(what))
    }

    /// The pointer that assembly gets for an operand in memory.
    fn address_in_memory(&mut self, place: Place) -> Option<Val> {
        let term = match place.kind {
            PlaceKind::Memory(address) | PlaceKind::Bits(address, _) => address,
            PlaceKind::Var(_) | PlaceKind::Function(_) => return None,
        };
        Some(Val { term, ty: self.types.pointer(place.ty) })
    }

    /// Whether an operand in the template is the name of a function or variable: then the assembly
    /// may do more than its operands in C show.
    fn names_the_program(&self, template: &str) -> bool {
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
        let template = lines_of(template);
        let mut words = instructions(&template).flat_map(|instruction| {
            let words = instruction.split(move |letter| !is_part(letter));
            let words = words.filter(|word| !word.is_empty());
            // The instruction may have the same name as the function that wraps it, such as `inb`.
            words.skip_while(|word| PREFIXES.contains(word)).skip(1)
        });
        words.any(|word| self.facts.is_at_file_scope(word))
    }
}

/// The text of adjacent literals, escapes left as they are.
fn text_of(literal: &StringLiteral) -> String {
    literal.iter().map(|part| part.trim_matches('"')).collect::<String>().trim().to_owned()
}

/// A template with its lines as the assembler sees them.
fn lines_of(template: &str) -> String {
    template.replace("\\n", "\n").replace("\\t", " ")
}

fn instructions(lines: &str) -> impl Iterator<Item = &str> {
    lines.split([';', '\n']).map(str::trim).filter(|text| !text.is_empty())
}

fn has_no_effect(template: &str) -> bool {
    instructions(&lines_of(template)).all(|instruction| WITHOUT_EFFECT.contains(&instruction))
}

/// Whether an input is in the register of an output, which it names by number or name.
fn shares(input: &Node<GnuAsmOperand>, number: usize, output: &GnuAsmOperand) -> bool {
    let constraints = text_of(&input.node.constraints.node);
    match constraints.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(name) => {
            output.symbolic_name.as_ref().is_some_and(|symbolic| symbolic.node.name == name)
        }
        None => constraints == number.to_string(),
    }
}
