//! Operands of inline assembly: which are in memory, which in registers, and their values.

use lang_c::ast::{GnuAsmOperand, GnuExtendedAsmStatement};
use lang_c::span::Node;
use ravelin_cfa::{HavocKind, Sort, Term};
use ravelin_term::{BinOp, FloatKind, UnOp};

use super::super::place::{Place, PlaceKind};
use super::super::{Lowerer, Reported, Val};
use super::template::{Argument, Register};
use super::text_of;
use crate::types::{Ty, TypeKind};

/// Why a statement is not lowered to its effects.
#[derive(Clone, Copy, Debug)]
pub enum Halt {
    Reported,
    NotUnderstood,
}

impl From<Reported> for Halt {
    fn from(_: Reported) -> Self {
        Halt::Reported
    }
}

pub type Step<T> = Result<T, Halt>;

pub fn understood<T>(value: Option<T>) -> Step<T> {
    value.ok_or(Halt::NotUnderstood)
}

/// An operand of the statement.
#[derive(Clone, Debug)]
pub struct OperandData {
    name: Option<String>,
    pub ty: Ty,
    /// In bits; `None` for structs.
    pub width: Option<u16>,
    pub kind: OperandKind,
    /// Where the result is stored, if it is in a register.
    output: Option<Place>,
}

#[derive(Clone, Copy, Debug)]
pub enum OperandKind {
    Memory(Place),
    /// A register, by the number of its slot.
    Slot(usize),
    /// A 64-bit value in `edx:eax`.
    Pair,
    Immediate(Term),
    /// A flag after the instructions.
    Flag(Condition),
}

/// The value of a register.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// The low bits, as far as they are known: a bit-vector or a pointer.
    value: Option<Term>,
    is_input: bool,
    is_output: bool,
    /// An output that may be written before all inputs are read (`&`), or a clobbered register.
    is_apart: bool,
}

/// The flags of the processor, if they are known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flags {
    pub zero: Option<Term>,
    pub carry: Option<Term>,
    pub sign: Option<Term>,
    pub overflow: Option<Term>,
}

/// A condition over flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    kind: ConditionKind,
    negated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConditionKind {
    Zero,
    Carry,
    Sign,
    Overflow,
    /// Unsigned at most.
    BelowOrEqual,
    /// Signed less.
    Less,
    LessOrEqual,
}

impl Condition {
    /// The condition of this suffix, as in `setz`.
    pub fn named(name: &str) -> Option<Condition> {
        let kind = |name: &str| match name {
            "z" | "e" => Some(ConditionKind::Zero),
            "c" | "b" | "nae" => Some(ConditionKind::Carry),
            "s" => Some(ConditionKind::Sign),
            "o" => Some(ConditionKind::Overflow),
            "be" | "na" => Some(ConditionKind::BelowOrEqual),
            "l" | "nge" => Some(ConditionKind::Less),
            "le" | "ng" => Some(ConditionKind::LessOrEqual),
            _ => None,
        };
        if let Some(kind) = kind(name) {
            return Some(Condition { kind, negated: false });
        }
        let positive = match name {
            "a" => "be",
            "ae" => "b",
            "g" => "le",
            "ge" => "l",
            _ => name.strip_prefix('n')?,
        };
        Some(Condition { kind: kind(positive)?, negated: true })
    }
}

/// The registers, flags and operands while a statement is lowered.
#[derive(Debug)]
pub struct Machine {
    pub operands: Vec<OperandData>,
    slots: Vec<Slot>,
    pub flags: Flags,
    /// Whether an output was written that may be in the register of an input.
    inputs_are_gone: bool,
    native: u16,
}

impl Machine {
    pub fn new<'a>(
        lowerer: &mut Lowerer<'a>,
        statement: Option<&'a GnuExtendedAsmStatement>,
    ) -> Step<Machine> {
        let mut machine = Machine {
            operands: Vec::new(),
            slots: vec![Slot::default(); Register::COUNT],
            flags: Flags::default(),
            inputs_are_gone: false,
            native: lowerer.program.terms.pointer_bits(),
        };
        let Some(statement) = statement else { return Ok(machine) };
        for clobber in &statement.clobbers {
            let name = text_of(&clobber.node);
            let name = name.trim_start_matches('%');
            if let Some((register, _)) = Register::named(name) {
                let slot = &mut machine.slots[register.0];
                (slot.is_output, slot.is_apart) = (true, true);
            }
        }
        for output in &statement.outputs {
            machine.add_output(lowerer, &output.node)?;
        }
        for input in &statement.inputs {
            machine.add_input(lowerer, input)?;
        }
        Ok(machine)
    }

    fn add_output<'a>(&mut self, l: &mut Lowerer<'a>, operand: &'a GnuAsmOperand) -> Step<()> {
        let constraint = text_of(&operand.constraints.node);
        let is_read = constraint.starts_with('+');
        let place = l.place(&operand.variable_name)?;
        let place = snapshot_address(l, place);
        let name = operand.symbolic_name.as_ref().map(|name| name.node.name.clone());
        let mut data = OperandData {
            name,
            ty: l.types.unqualified(place.ty),
            width: width_of(l, place.ty),
            kind: OperandKind::Memory(place),
            output: Some(place),
        };
        if let Some(flag) = constraint.strip_prefix("=@cc") {
            data.kind = OperandKind::Flag(understood(Condition::named(flag))?);
            self.operands.push(data);
            return Ok(());
        }
        let is_apart = constraint.contains('&');
        match understood(Where::of(&constraint))? {
            Where::Memory => data.output = None,
            Where::Immediate => return Err(Halt::NotUnderstood),
            Where::Pair => {
                if self.native != 32 || data.width != Some(64) {
                    return Err(Halt::NotUnderstood);
                }
                for register in [Register::A, Register::D] {
                    self.claim_output(register.0, is_apart)?;
                }
                data.kind = OperandKind::Pair;
                if is_read {
                    let value = self.machine_value(l, place)?;
                    self.set_pair(l, value);
                }
            }
            place_in @ (Where::Register(_) | Where::AnyRegister) => {
                understood(data.width.filter(|&width| width <= self.native))?;
                let slot = self.slot_for(place_in);
                self.claim_output(slot, is_apart)?;
                data.kind = OperandKind::Slot(slot);
                if is_read {
                    self.slots[slot].value = Some(self.machine_value(l, place)?);
                }
            }
        }
        self.operands.push(data);
        Ok(())
    }

    fn add_input<'a>(&mut self, l: &mut Lowerer<'a>, node: &'a Node<GnuAsmOperand>) -> Step<()> {
        let operand = &node.node;
        let constraint = text_of(&operand.constraints.node);
        let name = operand.symbolic_name.as_ref().map(|name| name.node.name.clone());
        let tied = match constraint.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(name) => Some(understood(self.find(&Argument::Name(name.to_owned())))?),
            None if constraint.starts_with(|letter: char| letter.is_ascii_digit()) => {
                let number = understood(constraint.parse().ok())?;
                Some(understood(self.find(&Argument::Number(number)))?)
            }
            None => None,
        };
        let place_in = match tied {
            Some(_) => Where::AnyRegister,
            None => understood(Where::of(&constraint))?,
        };
        if place_in == Where::Memory {
            let place = l.place(&operand.variable_name)?;
            let place = snapshot_address(l, place);
            let (ty, width) = (l.types.unqualified(place.ty), width_of(l, place.ty));
            let kind = OperandKind::Memory(place);
            self.operands.push(OperandData { name, ty, width, kind, output: None });
            return Ok(());
        }
        let value = l.rvalue(&operand.variable_name)?;
        let value = l.snapshot(value);
        let (ty, width) = (value.ty, width_of(l, value.ty));
        let term = understood(to_machine(l, value))?;
        let kind = match (place_in, tied) {
            (Where::Immediate, _) => OperandKind::Immediate(term),
            (Where::Pair, _) if self.native == 32 && width == Some(64) => {
                for register in [Register::A, Register::D] {
                    self.claim_input(register.0)?;
                }
                self.set_pair(l, term);
                OperandKind::Pair
            }
            (Where::Pair, _) => return Err(Halt::NotUnderstood),
            (_, Some(output)) => match self.operands[output].kind {
                OperandKind::Slot(slot) => {
                    understood(width.filter(|&width| width <= self.native))?;
                    self.claim_input(slot)?;
                    self.slots[slot].value = Some(term);
                    OperandKind::Slot(slot)
                }
                OperandKind::Pair if width == Some(64) => {
                    self.set_pair(l, term);
                    OperandKind::Pair
                }
                OperandKind::Pair
                | OperandKind::Memory(_)
                | OperandKind::Immediate(_)
                | OperandKind::Flag(_) => return Err(Halt::NotUnderstood),
            },
            (place_in, None) => {
                understood(width.filter(|&width| width <= self.native))?;
                let slot = self.slot_for(place_in);
                self.claim_input(slot)?;
                self.slots[slot].value = Some(term);
                OperandKind::Slot(slot)
            }
        };
        self.operands.push(OperandData { name, ty, width, kind, output: None });
        Ok(())
    }

    fn slot_for(&mut self, place_in: Where) -> usize {
        match place_in {
            Where::Register(register) => register.0,
            Where::AnyRegister | Where::Pair | Where::Memory | Where::Immediate => {
                self.slots.push(Slot::default());
                self.slots.len() - 1
            }
        }
    }

    /// Two operands of one kind are never in one register.
    fn claim_output(&mut self, slot: usize, is_apart: bool) -> Step<()> {
        let slot = &mut self.slots[slot];
        if slot.is_output {
            return Err(Halt::NotUnderstood);
        }
        (slot.is_output, slot.is_apart) = (true, is_apart);
        Ok(())
    }

    fn claim_input(&mut self, slot: usize) -> Step<()> {
        let slot = &mut self.slots[slot];
        if slot.is_input || slot.value.is_some() {
            return Err(Halt::NotUnderstood);
        }
        slot.is_input = true;
        Ok(())
    }

    fn set_pair(&mut self, l: &mut Lowerer<'_>, value: Term) {
        let terms = &mut l.program.terms;
        let low = terms.unary(UnOp::Extract { hi: 31, lo: 0 }, value);
        let high = terms.unary(UnOp::Extract { hi: 63, lo: 32 }, value);
        self.slots[Register::A.0].value = Some(low);
        self.slots[Register::D.0].value = Some(high);
    }

    fn machine_value(&mut self, l: &mut Lowerer<'_>, place: Place) -> Step<Term> {
        let value = l.load(place)?;
        let value = l.snapshot(value);
        understood(to_machine(l, value))
    }

    /// The number of an operand.
    pub fn find(&self, argument: &Argument) -> Option<usize> {
        match argument {
            Argument::Number(number) => (*number < self.operands.len()).then_some(*number),
            Argument::Name(name) => {
                self.operands.iter().position(|operand| operand.name.as_ref() == Some(name))
            }
        }
    }

    pub fn native(&self) -> u16 {
        self.native
    }

    /// Called before memory is accessed through an operand: reads the registers of its address.
    pub fn use_address(&self) -> Step<()> {
        if self.inputs_are_gone { Err(Halt::NotUnderstood) } else { Ok(()) }
    }

    /// The low bits of a register.
    pub fn read(&mut self, l: &mut Lowerer<'_>, slot: usize, width: u16) -> Step<Term> {
        let data = self.slots[slot];
        if self.inputs_are_gone && data.is_input && !data.is_output {
            return Err(Halt::NotUnderstood);
        }
        let value = match data.value {
            Some(value) => value,
            None => {
                // Its value is unknown, but stays the same.
                let ty = l.unsigned_of_width(self.native);
                let value = l.any_value(ty, HavocKind::Unspecified).term;
                self.slots[slot].value = Some(value);
                value
            }
        };
        understood(low_bits(l, value, width))
    }

    /// Whether the statement mentions a register, as an operand or as a clobber.
    pub fn is_declared(&self, register: Register) -> bool {
        let slot = &self.slots[register.0];
        (slot.is_input || slot.is_output) && !register.is_reserved()
    }

    /// Whether a register holds a pointer.
    pub fn holds_pointer(&self, l: &Lowerer<'_>, slot: usize) -> bool {
        self.slots[slot].value.is_some_and(|value| l.program.terms.sort(value) == Sort::Ptr)
    }

    /// Sets the low bits of a register. In 64-bit mode, 32 bits clear those above.
    pub fn write(&mut self, l: &mut Lowerer<'_>, slot: usize, value: Term) -> Step<()> {
        let native = self.native;
        let data = &mut self.slots[slot];
        if !data.is_output {
            return Err(Halt::NotUnderstood);
        }
        self.inputs_are_gone |= !data.is_apart;
        let width = bits_in(l, value);
        let old = data.value;
        let terms = &mut l.program.terms;
        let new = match old {
            _ if width == native => value,
            _ if width == 32 => terms.resize(value, native, false),
            Some(old) => {
                let known = match terms.sort(old) {
                    Sort::Ptr => native,
                    sort => sort.width().unwrap_or(width),
                };
                if known <= width {
                    value
                } else {
                    let old = as_bits(l, old);
                    let terms = &mut l.program.terms;
                    let upper = terms.unary(UnOp::Extract { hi: known - 1, lo: width }, old);
                    terms.binary(BinOp::Concat, upper, value)
                }
            }
            None => value,
        };
        self.slots[slot].value = Some(new);
        Ok(())
    }

    /// Sets the known part of a register to these bits.
    pub fn set_known(&mut self, l: &mut Lowerer<'_>, slot: usize, value: Term) -> Step<()> {
        self.write(l, slot, value)?;
        self.slots[slot].value = Some(value);
        Ok(())
    }

    /// Whether a condition holds.
    pub fn condition(&self, l: &mut Lowerer<'_>, condition: Condition) -> Step<Term> {
        let Flags { zero, carry, sign, overflow } = self.flags;
        let terms = &mut l.program.terms;
        let differ = |terms: &mut ravelin_term::TermPool, a: Term, b: Term| {
            let same = terms.eq(a, b);
            terms.not(same)
        };
        let holds = match condition.kind {
            ConditionKind::Zero => zero,
            ConditionKind::Carry => carry,
            ConditionKind::Sign => sign,
            ConditionKind::Overflow => overflow,
            ConditionKind::BelowOrEqual => zero.zip(carry).map(|(a, b)| terms.or(a, b)),
            ConditionKind::Less => sign.zip(overflow).map(|(a, b)| differ(terms, a, b)),
            ConditionKind::LessOrEqual => sign.zip(overflow).zip(zero).map(|((a, b), zero)| {
                let less = differ(terms, a, b);
                terms.or(less, zero)
            }),
        };
        let holds = understood(holds)?;
        Ok(if condition.negated { l.program.terms.not(holds) } else { holds })
    }

    /// Stores the results that are in registers and flags.
    pub fn finish(&mut self, l: &mut Lowerer<'_>) -> Step<()> {
        let mut results = Vec::new();
        for index in 0..self.operands.len() {
            let OperandData { ty, width, kind, output, .. } = self.operands[index].clone();
            let Some(place) = output else { continue };
            let value = match kind {
                OperandKind::Flag(condition) => {
                    let holds = self.condition(l, condition)?;
                    l.program.terms.bool_to_bv(holds, understood(width)?)
                }
                OperandKind::Pair => {
                    let low = self.result(l, Register::A.0, 32)?;
                    let high = self.result(l, Register::D.0, 32)?;
                    l.program.terms.binary(BinOp::Concat, high, low)
                }
                OperandKind::Slot(slot) => self.result(l, slot, understood(width)?)?,
                OperandKind::Memory(_) | OperandKind::Immediate(_) => continue,
            };
            let term = understood(from_machine(l, value, ty))?;
            results.push((place, l.snapshot(Val { term, ty })));
        }
        for (place, value) in results {
            l.store(place, value, false)?;
        }
        Ok(())
    }

    /// The value of a register at the end; bits that were never set are arbitrary.
    fn result(&mut self, l: &mut Lowerer<'_>, slot: usize, width: u16) -> Step<Term> {
        if let Some(value) = self.slots[slot].value
            && bits_in(l, value) < width
        {
            let ty = l.unsigned_of_width(width);
            let any = l.any_value(ty, HavocKind::Unspecified).term;
            let known = bits_in(l, value);
            let terms = &mut l.program.terms;
            let upper = terms.unary(UnOp::Extract { hi: width - 1, lo: known }, any);
            return Ok(terms.binary(BinOp::Concat, upper, value));
        }
        self.read(l, slot, width)
    }
}

/// The place that a constraint requires for its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    Memory,
    Register(Register),
    AnyRegister,
    /// `edx:eax`.
    Pair,
    Immediate,
}

impl Where {
    /// gcc's choice for a constraint with one alternative: a register if the constraint allows one.
    fn of(constraint: &str) -> Option<Where> {
        let (mut register, mut any, mut memory, mut immediate) = (None, false, false, false);
        for letter in constraint.chars() {
            let named = match letter {
                '=' | '+' | '&' | '%' | ' ' => continue,
                'a' => Register::A,
                'b' => Register::B,
                'c' => Register::C,
                'd' => Register::D,
                'S' => Register::SOURCE,
                'D' => Register::DESTINATION,
                'A' => {
                    return (constraint.trim_matches(['=', '+', '&']) == "A")
                        .then_some(Where::Pair);
                }
                'r' | 'q' | 'Q' | 'R' | 'l' | 'g' => {
                    any = true;
                    continue;
                }
                'm' | 'o' | 'V' => {
                    memory = true;
                    continue;
                }
                'i' | 'n' | 'e' | 'Z' | 'I' | 'J' | 'K' | 'L' | 'M' | 'N' | 'O' => {
                    immediate = true;
                    continue;
                }
                _ => return None,
            };
            if register.is_some() {
                return None;
            }
            register = Some(named);
        }
        match register {
            _ if any => Some(Where::AnyRegister),
            Some(register) => Some(Where::Register(register)),
            None if memory => (!immediate).then_some(Where::Memory),
            None => immediate.then_some(Where::Immediate),
        }
    }
}

/// The place with an address that later assignments do not change.
fn snapshot_address(l: &mut Lowerer<'_>, place: Place) -> Place {
    match place.kind {
        PlaceKind::Memory(term) => {
            let ty = l.types.void_ptr;
            let kind = PlaceKind::Memory(l.snapshot(Val { term, ty }).term);
            Place { kind, ty: place.ty }
        }
        PlaceKind::Bits(..) | PlaceKind::Var(_) | PlaceKind::Function(_) => place,
    }
}

fn width_of(l: &Lowerer<'_>, ty: Ty) -> Option<u16> {
    if !l.types.is_scalar(ty) {
        return None;
    }
    match l.types.size_of(ty)? {
        size @ (1 | 2 | 4 | 8) => Some(size as u16 * 8),
        _ => None,
    }
}

/// A value as a register holds it: pointers stay pointers, all others become bits.
pub fn to_machine(l: &mut Lowerer<'_>, value: Val) -> Option<Term> {
    match l.types.kind(value.ty) {
        TypeKind::Bool | TypeKind::Int(_) | TypeKind::Pointer(_) => Some(value.term),
        TypeKind::Float(FloatKind::F32 | FloatKind::F64) => {
            Some(l.program.terms.unary(UnOp::FToBits, value.term))
        }
        TypeKind::Float(_)
        | TypeKind::Void
        | TypeKind::Array(..)
        | TypeKind::Vla(..)
        | TypeKind::Record(_)
        | TypeKind::Function(_) => None,
    }
}

/// A value of this type and width from the value of a register.
pub fn from_machine(l: &mut Lowerer<'_>, value: Term, ty: Ty) -> Option<Term> {
    match *l.types.kind(ty) {
        TypeKind::Pointer(_) => Some(as_pointer(l, value)),
        TypeKind::Int(_) => Some(as_bits(l, value)),
        TypeKind::Bool => {
            let terms = &mut l.program.terms;
            let truth = terms.is_nonzero(value);
            Some(terms.bool_to_bv(truth, 8))
        }
        TypeKind::Float(kind @ (FloatKind::F32 | FloatKind::F64)) => {
            let bits = as_bits(l, value);
            Some(l.program.terms.unary(UnOp::BitsToF(kind), bits))
        }
        TypeKind::Float(_)
        | TypeKind::Void
        | TypeKind::Array(..)
        | TypeKind::Vla(..)
        | TypeKind::Record(_)
        | TypeKind::Function(_) => None,
    }
}

pub fn as_bits(l: &mut Lowerer<'_>, value: Term) -> Term {
    match l.program.terms.sort(value) {
        Sort::Ptr => l.program.terms.unary(UnOp::PtrToInt, value),
        Sort::Bool | Sort::Bv(_) | Sort::Float(_) | Sort::Mem => value,
    }
}

pub fn as_pointer(l: &mut Lowerer<'_>, value: Term) -> Term {
    match l.program.terms.sort(value) {
        Sort::Ptr => value,
        Sort::Bool | Sort::Bv(_) | Sort::Float(_) | Sort::Mem => {
            l.program.terms.unary(UnOp::IntToPtr, value)
        }
    }
}

pub fn bits_in(l: &Lowerer<'_>, value: Term) -> u16 {
    match l.program.terms.sort(value) {
        Sort::Bv(width) => width,
        Sort::Ptr => l.program.terms.pointer_bits(),
        Sort::Bool | Sort::Float(_) | Sort::Mem => 0,
    }
}

/// The low bits of a value, if it has that many. All bits of a pointer are the pointer.
fn low_bits(l: &mut Lowerer<'_>, value: Term, width: u16) -> Option<Term> {
    let known = bits_in(l, value);
    if known == width {
        return Some(value);
    }
    if known < width {
        return None;
    }
    let value = as_bits(l, value);
    Some(l.program.terms.unary(UnOp::Extract { hi: width - 1, lo: 0 }, value))
}
