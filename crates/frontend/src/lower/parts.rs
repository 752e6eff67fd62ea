//! Values of several parts: complex numbers (C11 6.3.1.6 - 6.3.1.8, annex G) and GNU C's vectors, whose
//! operators are in [`super::vectors`]. Such a value is, like a
//! struct's, the address of its bytes; its parts are loaded to compute with them.

use lang_c::ast::{BinaryOperator, Expression, UnaryOperator};
use lang_c::span::{Node, Span};
use ravelin_cfa::{Callee, Init, MemoryOrder, ObjectData, ObjectKind, Op, Term};
use ravelin_term::{BinOp, FloatKind, UnOp};

use super::checks::Operator;
use super::declare::is_type_of_mark;
use super::place::Place;
use super::{Lowerer, Result, Val};
use crate::library::{self, Model};
use crate::types::{FunctionType, Parts, Shape, Ty, TypeKind};

/// A part of a complex number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Real,
    Imaginary,
}

/// The operand of `__real__` or `__imag__`, of which the source layer makes a cast under a `*`.
pub(super) fn part_of(node: &Node<Expression>) -> Option<(Part, &Node<Expression>)> {
    let Expression::Cast(cast) = &node.node else { return None };
    let name = &cast.node.type_name.node;
    let part = if is_type_of_mark(name, "__ravelin_real") {
        Part::Real
    } else if is_type_of_mark(name, "__ravelin_imag") {
        Part::Imaginary
    } else {
        return None;
    };
    Some((part, &cast.node.expression))
}

impl<'a> Lowerer<'a> {
    /// `__real__ e` and `__imag__ e`: lvalues if `e` is one.
    pub(super) fn part_place(
        &mut self,
        part: Part,
        operand: &'a Node<Expression>,
        span: Span,
    ) -> Result<Place> {
        let place = match super::expr::is_place(operand) {
            true => self.place(operand)?,
            false => {
                let value = self.rvalue(operand)?;
                match self.types.as_complex(value.ty) {
                    Some(_) => Place::memory(value.term, value.ty),
                    None => return self.part_of_real(part, value, span),
                }
            }
        };
        let Some(element) = self.types.as_complex(place.ty) else {
            if part == Part::Real && self.types.is_arithmetic(place.ty) {
                return Ok(place);
            }
            let value = self.load(place)?;
            return self.part_of_real(part, value, span);
        };
        let qualifiers = self.types.qualifiers(place.ty);
        if qualifiers.atomic {
            return self.error(span, "a part of an atomic complex number");
        }
        let address = self.address(place, span)?;
        let address = match part {
            Part::Real => address,
            Part::Imaginary => self.part_address(address, element, 1),
        };
        let element = self.types.qualify(element, qualifiers);
        Ok(Place::memory(address, element))
    }

    /// A part of a number that is not complex, as an object of its own.
    fn part_of_real(&mut self, part: Part, value: Val, span: Span) -> Result<Place> {
        if !self.types.is_arithmetic(value.ty) {
            let ty = self.spell(value.ty);
            return self.error(span, format!("a value of type '{ty}' has no real part"));
        }
        let zero = self.zero_value(value.ty);
        let value = if part == Part::Real { value } else { zero };
        let address = self.object_for(value.ty);
        self.store_scalar(address, value.term, value.ty);
        Ok(Place::memory(address, value.ty))
    }

    /// The address of a new object.
    fn object_for(&mut self, ty: Ty) -> Term {
        let name = self.body.temp_name;
        let object = self.new_local_object(name, ty, &Default::default());
        self.program.terms.address(object)
    }

    fn part_address(&mut self, address: Term, element: Ty, index: u64) -> Term {
        let size = self.types.size_of(element).unwrap_or(1);
        self.program.terms.ptr_add_const(address, index * size)
    }

    /// The parts of a complex number or vector.
    pub(super) fn parts_of(&mut self, value: Val, parts: Parts) -> Vec<Term> {
        if let Some(known) = self.known_parts.get(&(value.term, parts)) {
            return known.to_vec();
        }
        (0..parts.count)
            .map(|index| {
                let address = self.part_address(value.term, parts.element, index);
                self.load_scalar(address, parts.element)
            })
            .collect()
    }

    /// A value of these parts.
    pub(super) fn of_parts(&mut self, ty: Ty, values: &[Term]) -> Val {
        let ty = self.types.unqualified(ty);
        let Some(parts) = self.types.parts(ty) else { return self.void_value() };
        let constant = values.iter().all(|&value| self.program.terms.is_literal(value));
        if constant {
            return self.constant_of_parts(ty, parts, values);
        }
        let element = parts.element;
        let values: Vec<Term> =
            values.iter().map(|&term| self.snapshot(Val { term, ty: element }).term).collect();
        let address = self.object_for(ty);
        for (index, &value) in (0..).zip(&values) {
            let addr = self.part_address(address, element, index);
            self.emit(Op::Store { addr, value, order: MemoryOrder::Plain });
        }
        self.known_parts.insert((address, parts), values.into());
        Val { term: address, ty }
    }

    /// A constant: it can initialise variables of static storage duration.
    fn constant_of_parts(&mut self, ty: Ty, parts: Parts, values: &[Term]) -> Val {
        let key = (parts, Box::from(values));
        if let Some(&address) = self.constants_of_parts.get(&key) {
            return Val { term: address, ty };
        }
        let size = self.types.size_of(parts.element).unwrap_or(1);
        let places = (0..).step_by(size as usize).zip(values.iter().copied()).collect();
        let name = self.intern("%constant");
        let pos = self.position(self.body.span);
        let object = self.program.add_object(ObjectData {
            name,
            kind: ObjectKind::Constant,
            size: self.types.size_of(ty).unwrap_or(0),
            align: self.types.align_of(ty),
            is_record: true,
            init: Init::Values(places),
            pos,
        });
        let address = self.program.terms.address(object);
        self.constants_of_parts.insert(key, address);
        self.known_parts.insert((address, parts), values.into());
        Val { term: address, ty }
    }

    /// Whether operators on values of the type are those on complex numbers or vectors.
    pub fn has_parts(&self, ty: Ty) -> bool {
        self.types.parts(ty).is_some()
    }

    /// An imaginary constant: GNU C's suffix `i`.
    pub fn imaginary(&mut self, value: Val) -> Val {
        let zero = self.zero_value(value.ty);
        let ty = self.types.complex(value.ty);
        self.of_parts(ty, &[zero.term, value.term])
    }

    /// The complex number with these parts, which have one floating type.
    pub fn complex_of(&mut self, real: Val, imaginary: Val, span: Span) -> Result<Val> {
        if !self.types.is_float(real.ty) || !self.types.is_float(imaginary.ty) {
            return self.error(span, "the parts of a complex number must be floating");
        }
        let element = self.types.usual_arithmetic(real.ty, imaginary.ty);
        let real = self.convert_scalar(real, element);
        let imaginary = self.convert_scalar(imaginary, element);
        let ty = self.types.complex(element);
        Ok(self.of_parts(ty, &[real.term, imaginary.term]))
    }

    /// As it is now: the object that a value is in may change.
    pub fn snapshot_parts(&mut self, value: Val) -> Val {
        match self.types.parts(value.ty) {
            Some(parts) if !self.known_parts.contains_key(&(value.term, parts)) => {
                let values = self.parts_of(value, parts);
                self.of_parts(value.ty, &values)
            }
            _ => value,
        }
    }

    /// Whether a complex number differs from zero.
    pub fn complex_truth(&mut self, value: Val) -> Term {
        let Some(parts) = self.types.parts(value.ty) else {
            return self.program.terms.is_nonzero(value.term);
        };
        let values = self.parts_of(value, parts);
        let mut truth = self.program.terms.bool(false);
        for value in values {
            let differs = self.program.terms.is_nonzero(value);
            truth = self.program.terms.binary(BinOp::Or, truth, differs);
        }
        truth
    }

    /// Conversions from and to complex numbers (C11 6.3.1.6, 6.3.1.7) and between vectors of one size.
    pub fn convert_parts(&mut self, value: Val, to: Ty, span: Span) -> Result<Val> {
        let to = self.types.unqualified(to);
        match (self.types.parts(value.ty), self.types.parts(to)) {
            (Some(from), Some(target)) if from == target => Ok(Val { ty: to, ..value }),
            (
                Some(from @ Parts { shape: Shape::Complex, .. }),
                Some(target @ Parts { shape: Shape::Complex, .. }),
            ) => {
                let values = self.parts_of(value, from);
                let values = self.convert_all(&values, from.element, target.element);
                Ok(self.of_parts(to, &values))
            }
            (None, Some(target @ Parts { shape: Shape::Complex, .. }))
                if self.types.is_arithmetic(value.ty) =>
            {
                let real = self.convert_scalar(value, target.element);
                let zero = self.zero_value(target.element);
                Ok(self.of_parts(to, &[real.term, zero.term]))
            }
            (Some(from @ Parts { shape: Shape::Complex, .. }), None)
                if self.types.is_arithmetic(to) =>
            {
                if self.types.kind(to) == &TypeKind::Bool {
                    let truth = self.complex_truth(value);
                    let term = self.program.terms.bool_to_bv(truth, 8);
                    return Ok(Val { term, ty: to });
                }
                let real = self.parts_of(value, from)[0];
                Ok(self.convert_scalar(Val { term: real, ty: from.element }, to))
            }
            // The bytes stay as they are.
            (
                Some(Parts { shape: Shape::Vector, .. }),
                Some(Parts { shape: Shape::Vector, .. }),
            ) if self.types.size_of(value.ty) == self.types.size_of(to) => {
                Ok(Val { ty: to, ..value })
            }
            // A vector in a register of its size.
            (Some(Parts { shape: Shape::Vector, .. }), None)
                if self.types.is_scalar(to)
                    && self.types.size_of(value.ty) == self.types.size_of(to) =>
            {
                let term = self.load_scalar(value.term, to);
                Ok(Val { term, ty: to })
            }
            (None, Some(Parts { shape: Shape::Vector, .. }))
                if self.types.is_scalar(value.ty)
                    && self.types.size_of(value.ty) == self.types.size_of(to) =>
            {
                let address = self.object_for(to);
                self.store_scalar(address, value.term, value.ty);
                Ok(Val { term: address, ty: to })
            }
            // Builtins of the compiler, which nothing declares, make vectors in its headers.
            (None, Some(Parts { shape: Shape::Vector, .. })) if self.types.is_integer(value.ty) => {
                self.unsupported("a builtin that makes a vector");
                let address = self.object_for(to);
                Ok(Val { term: address, ty: to })
            }
            (_, _) => {
                let message = format!(
                    "a value of type '{}' cannot be converted to '{}'",
                    self.spell(value.ty),
                    self.spell(to)
                );
                self.error(span, message)
            }
        }
    }

    fn convert_all(&mut self, values: &[Term], from: Ty, to: Ty) -> Vec<Term> {
        let convert = |&term: &Term| self.convert_scalar(Val { term, ty: from }, to).term;
        values.iter().map(convert).collect()
    }

    /// `+`, `-` and `~` on a complex number, where `~` is its conjugate, or on a vector.
    pub fn unary_on_parts(
        &mut self,
        operator: &UnaryOperator,
        value: Val,
        span: Span,
    ) -> Result<Val> {
        let Some(parts) = self.types.parts(value.ty) else { return Ok(value) };
        let is_float = self.types.is_float(parts.element);
        let negation = if is_float { UnOp::FNeg } else { UnOp::BvNeg };
        let mut values = self.parts_of(value, parts);
        let (op, first) = match (operator, parts.shape) {
            (UnaryOperator::Minus, _) => (negation, 0),
            (UnaryOperator::Complement, Shape::Complex) => (negation, 1),
            (UnaryOperator::Complement, Shape::Vector) if !is_float => (UnOp::BvNot, 0),
            (UnaryOperator::Plus, _) => return Ok(value),
            (_, _) => return self.error(span, "this operator does not take such an operand"),
        };
        for value in &mut values[first..] {
            *value = self.program.terms.unary(op, *value);
        }
        Ok(self.of_parts(value.ty, &values))
    }

    /// `++` and `--`: on the real part of a complex number, on each element of a vector.
    pub fn step_of_parts(
        &mut self,
        operator: &UnaryOperator,
        place: Place,
        span: Span,
    ) -> Result<Val> {
        let op = match operator {
            UnaryOperator::PostIncrement | UnaryOperator::PreIncrement => BinaryOperator::Plus,
            _ => BinaryOperator::Minus,
        };
        if self.types.qualifiers(place.ty).atomic {
            return self.error(span, "a step of an atomic complex number is not supported");
        }
        let old = self.load(place)?;
        let old = self.snapshot_parts(old);
        let one = self.int_value(1, self.types.int);
        let new = self.binary_on_parts(&op, old, one, span)?;
        let new = self.convert(new, place.ty, span)?;
        let new = self.store(place, new, true)?;
        let post = matches!(operator, UnaryOperator::PostIncrement | UnaryOperator::PostDecrement);
        Ok(if post { old } else { new })
    }

    /// The common type of two operands of `?:` of which one is complex.
    pub fn common_complex(&mut self, a: Ty, b: Ty) -> Option<Ty> {
        if self.types.as_complex(a).is_none() && self.types.as_complex(b).is_none() {
            return None;
        }
        let element = self.common_element(a, b)?;
        Some(self.types.complex(element))
    }

    fn common_element(&mut self, a: Ty, b: Ty) -> Option<Ty> {
        let of = |lowerer: &Self, ty: Ty| match lowerer.types.as_complex(ty) {
            Some(element) => Some(element),
            None if lowerer.types.is_arithmetic(ty) => Some(lowerer.types.promote(ty)),
            None => None,
        };
        let (a, b) = (of(self, a)?, of(self, b)?);
        Some(self.types.usual_arithmetic_of_parts(a, b))
    }

    /// A binary operator of which at least one operand is complex or a vector.
    pub fn binary_on_parts(
        &mut self,
        op: &BinaryOperator,
        left: Val,
        right: Val,
        span: Span,
    ) -> Result<Val> {
        if self.types.as_vector(left.ty).is_some() || self.types.as_vector(right.ty).is_some() {
            return self.binary_on_vectors(op, left, right, span);
        }
        let Some(element) = self.common_element(left.ty, right.ty) else {
            return self.operand_error(left.ty, right.ty, span);
        };
        let operands = Operands {
            left: self.complex_operand(left, element),
            right: self.complex_operand(right, element),
            element,
        };
        if matches!(op, BinaryOperator::Equals | BinaryOperator::NotEquals) {
            let equal = self.equal_parts(&operands);
            let negated = self.program.terms.not(equal);
            let is_equality = *op == BinaryOperator::Equals;
            return Ok(self.bool_value(if is_equality { equal } else { negated }));
        }
        let ty = self.types.complex(element);
        let values = match op {
            BinaryOperator::Plus | BinaryOperator::Minus => self.add_complex(op, &operands),
            BinaryOperator::Multiply => match self.multiply_complex(&operands) {
                Some(values) => values,
                None => return Ok(self.complex_by_model("multiply", &operands, ty)),
            },
            BinaryOperator::Divide => match self.divide_complex(&operands) {
                Some(values) => values,
                None => return Ok(self.complex_by_model("divide", &operands, ty)),
            },
            _ => return self.operand_error(left.ty, right.ty, span),
        };
        Ok(self.of_parts(ty, &values))
    }

    fn complex_operand(&mut self, value: Val, element: Ty) -> Operand {
        match self.types.parts(value.ty) {
            Some(parts) => {
                let values = self.parts_of(value, parts);
                let values = self.convert_all(&values, parts.element, element);
                Operand { real: values[0], imaginary: Some(values[1]) }
            }
            None => Operand { real: self.convert_scalar(value, element).term, imaginary: None },
        }
    }

    fn equal_parts(&mut self, operands: &Operands) -> Term {
        let Operands { left, right, element } = *operands;
        let zero = self.zero_value(element).term;
        let terms = &mut self.program.terms;
        let real = terms.eq(left.real, right.real);
        let (a, b) = (left.imaginary.unwrap_or(zero), right.imaginary.unwrap_or(zero));
        let imaginary = terms.eq(a, b);
        terms.binary(BinOp::And, real, imaginary)
    }

    pub(super) fn on_element(
        &mut self,
        op: &BinaryOperator,
        a: Term,
        b: Term,
        element: Ty,
    ) -> Term {
        match self.types.is_float(element) {
            true => self.float_operation(op, a, b, element).term,
            false => {
                let operator = Operator::new(op, self.body.span);
                self.integer_operation(operator, a, b, element).term
            }
        }
    }

    /// Where one operand is real, gcc does not make it complex, so that zeros keep their signs.
    fn add_complex(&mut self, op: &BinaryOperator, operands: &Operands) -> [Term; 2] {
        let Operands { left, right, element } = *operands;
        let real = self.on_element(op, left.real, right.real, element);
        let imaginary = match (left.imaginary, right.imaginary) {
            (Some(a), Some(b)) => self.on_element(op, a, b, element),
            (Some(a), None) => a,
            (None, Some(b)) if *op == BinaryOperator::Plus => b,
            (None, Some(b)) => {
                let is_float = self.types.is_float(element);
                let negation = if is_float { UnOp::FNeg } else { UnOp::BvNeg };
                self.program.terms.unary(negation, b)
            }
            (None, None) => self.zero_value(element).term,
        };
        [real, imaginary]
    }

    /// `None` where infinite and undefined parts may need the rules of annex G.
    fn multiply_complex(&mut self, operands: &Operands) -> Option<[Term; 2]> {
        use BinaryOperator::{Minus, Multiply, Plus};
        let Operands { left, right, element } = *operands;
        let (a, b, c, d) = match (left.imaginary, right.imaginary) {
            (Some(b), Some(d)) => (left.real, b, right.real, d),
            (Some(part), None) | (None, Some(part)) => {
                let real = self.on_element(&Multiply, left.real, right.real, element);
                let other = if left.imaginary.is_some() { right.real } else { left.real };
                return Some([real, self.on_element(&Multiply, part, other, element)]);
            }
            (None, None) => return None,
        };
        let is_constant = [a, b, c, d].iter().all(|&term| self.program.terms.is_literal(term));
        if self.types.is_float(element) && !is_constant {
            return None;
        }
        let (ac, bd) =
            (self.on_element(&Multiply, a, c, element), self.on_element(&Multiply, b, d, element));
        let (ad, bc) =
            (self.on_element(&Multiply, a, d, element), self.on_element(&Multiply, b, c, element));
        let values =
            [self.on_element(&Minus, ac, bd, element), self.on_element(&Plus, ad, bc, element)];
        (!self.types.is_float(element) || values.iter().any(|&term| self.is_number(term)))
            .then_some(values)
    }

    /// Whether a term is a constant and not NaN.
    fn is_number(&mut self, term: Term) -> bool {
        let equal = self.program.terms.eq(term, term);
        self.program.terms.as_bool(equal) == Some(true)
    }

    /// gcc divides integers as it would floats, by the larger part of the divisor.
    fn divide_complex(&mut self, operands: &Operands) -> Option<[Term; 2]> {
        use BinaryOperator::{Divide, Minus, Multiply, Plus};
        let Operands { left, right, element } = *operands;
        if self.types.is_float(element) {
            return match (left.imaginary, right.imaginary) {
                (Some(b), None) => Some([
                    self.on_element(&Divide, left.real, right.real, element),
                    self.on_element(&Divide, b, right.real, element),
                ]),
                (_, _) => None,
            };
        }
        let zero = self.zero_value(element).term;
        let (a, b) = (left.real, left.imaginary.unwrap_or(zero));
        let (c, d) = (right.real, right.imaginary.unwrap_or(zero));
        let (size_c, size_d) = (self.absolute(c, element), self.absolute(d, element));
        let less = self.program.terms.binary(BinOp::BvUlt, size_c, size_d);
        let mut choose = |yes, no| self.program.terms.ite(less, yes, no);
        let (small, large) = (choose(c, d), choose(d, c));
        let (by_ratio, plain) = (choose(a, b), choose(b, a));
        let ratio = self.on_element(&Divide, small, large, element);
        let scaled = self.on_element(&Multiply, small, ratio, element);
        let divisor = self.on_element(&Plus, scaled, large, element);
        let product = self.on_element(&Multiply, by_ratio, ratio, element);
        let real = self.on_element(&Plus, product, plain, element);
        let (b_ratio, a_ratio) = (
            self.on_element(&Multiply, b, ratio, element),
            self.on_element(&Multiply, a, ratio, element),
        );
        let first = self.on_element(&Minus, b_ratio, a, element);
        let second = self.on_element(&Minus, b, a_ratio, element);
        let imaginary = self.program.terms.ite(less, first, second);
        Some([
            self.on_element(&Divide, real, divisor, element),
            self.on_element(&Divide, imaginary, divisor, element),
        ])
    }

    fn absolute(&mut self, value: Term, ty: Ty) -> Term {
        if !self.types.is_signed(ty) {
            return value;
        }
        let zero = self.zero_value(ty).term;
        let terms = &mut self.program.terms;
        let negative = terms.binary(BinOp::BvSlt, value, zero);
        let negated = terms.unary(UnOp::BvNeg, value);
        terms.ite(negative, negated, value)
    }

    /// A product or quotient of floating parts, by a model of libgcc's function.
    fn complex_by_model(&mut self, operation: &str, operands: &Operands, ty: Ty) -> Val {
        let Operands { left, right, element } = *operands;
        let suffix = match self.types.kind(element) {
            TypeKind::Float(FloatKind::F32) => "float",
            TypeKind::Float(FloatKind::F64) => "double",
            TypeKind::Float(FloatKind::F80) => "long_double",
            _ => "",
        };
        let name = format!("__ravelin_{operation}_{suffix}");
        let model = library::lookup(&name).map(|entry| (entry.name, entry.model));
        let proc = match model {
            Some((name, Model::C(model))) => self.model_proc(name, model),
            _ => None,
        };
        let Some(proc) = proc else {
            self.unsupported("arithmetic on complex numbers of this type");
            let address = self.object_for(ty);
            return Val { term: address, ty };
        };
        let function = FunctionType {
            result: ty,
            params: vec![element; 4],
            variadic: false,
            prototyped: true,
        };
        let function = self.types.function(function);
        let zero = self.zero_value(element).term;
        let terms = [
            left.real,
            left.imaginary.unwrap_or(zero),
            right.real,
            right.imaginary.unwrap_or(zero),
        ];
        let args = terms.map(|term| Val { term, ty: element }).to_vec();
        self.emit_call(Callee::Direct(proc), function, args)
    }
}

/// A complex number, or a real one.
#[derive(Clone, Copy, Debug)]
struct Operand {
    real: Term,
    /// `None`: the operand is real.
    imaginary: Option<Term>,
}

/// The operands of an operator, converted to parts of one type.
#[derive(Clone, Copy, Debug)]
struct Operands {
    left: Operand,
    right: Operand,
    element: Ty,
}
