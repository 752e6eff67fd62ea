//! Lvalues: where a value is read from and written to (C11 6.3.2.1).

use lang_c::ast::{BinaryOperator, Expression, MemberOperator, UnaryOperator};
use lang_c::span::{Node, Span};
use ravelin_cfa::{MemoryOrder, Op, Sort, Term, Var};
use ravelin_term::{BinOp, FloatKind, UnOp};

use super::global::{Definition, Func, GlobalData};
use super::inner_bounds::Use;
use super::parts::part_of;
use super::scope::{Entity, Storage};
use super::{Lowerer, Result, Val};
use crate::families::expressions;
use crate::library;
use crate::types::{BitField, IntKind, Qualifiers, Ty, TypeKind};

/// An lvalue, or a function designator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub kind: PlaceKind,
    pub ty: Ty,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum PlaceKind {
    Var(Var),
    /// At this address.
    Memory(Term),
    /// Some bits of the unit at this address.
    Bits(Term, BitField),
    Function(Func),
}

impl Place {
    pub fn memory(address: Term, ty: Ty) -> Place {
        Place { kind: PlaceKind::Memory(address), ty }
    }
}

/// Structs with more scalar members than this are copied as a block of bytes.
const MAX_COPIED_MEMBERS: usize = 32;

impl<'a> Lowerer<'a> {
    pub fn place(&mut self, node: &'a Node<Expression>) -> Result<Place> {
        self.at(node.span);
        match &node.node {
            Expression::Identifier(name) => self.named_place(&name.node.name, node.span),
            Expression::StringLiteral(literal) => {
                let text = self.text(&literal.node, node.span)?;
                let object = self.string_object(&text);
                let length = text.units.len() as u64 + 1;
                let ty = self.types.array(text.element, Some(length));
                Ok(Place::memory(self.program.terms.address(object), ty))
            }
            Expression::Member(member) => {
                let base = &member.node.expression;
                let (address, ty, qualifiers) = match member.node.operator.node {
                    MemberOperator::Direct => {
                        let (address, ty) = self.aggregate(base)?;
                        (address, ty, self.types.qualifiers(ty))
                    }
                    MemberOperator::Indirect => {
                        let pointer = self.rvalue(base)?;
                        let Some(ty) = self.types.pointee(pointer.ty) else {
                            let ty = self.spell(pointer.ty);
                            return self.error(
                                node.span,
                                format!("'->' needs a pointer to a struct, not '{ty}'"),
                            );
                        };
                        (pointer.term, ty, self.types.qualifiers(ty))
                    }
                };
                let name = &member.node.identifier;
                let mut place = self.member_place(address, ty, &name.node.name, name.span)?;
                // C11 6.5.2.3p3: a member is as qualified as what it is a member of.
                let inherited = Qualifiers {
                    volatile: qualifiers.volatile,
                    constant: qualifiers.constant,
                    ..Qualifiers::NONE
                };
                place.ty = self.types.qualify(place.ty, inherited);
                Ok(place)
            }
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Indirection =>
            {
                self.dereference(&unary.node.operand, node.span)
            }
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::Index =>
            {
                self.index(&binary.node.lhs, &binary.node.rhs, node.span)
            }
            Expression::CompoundLiteral(literal) => self.compound_literal(literal),
            Expression::GenericSelection(selection) => {
                let chosen = self.generic_selection(selection)?;
                self.place(chosen)
            }
            Expression::Call(_)
            | Expression::Statement(_)
            | Expression::Conditional(_)
            | Expression::Comma(_)
            | Expression::BinaryOperator(_)
            | Expression::VaArg(_)
            | Expression::Cast(_) => {
                // Struct values have an address too, so that their members can be read.
                let value = self.rvalue(node)?;
                if self.types.as_record(value.ty).is_some() {
                    return Ok(Place::memory(value.term, value.ty));
                }
                self.error(node.span, "this expression is not an lvalue")
            }
            expressions!(numbers) | Expression::UnaryOperator(_) => {
                self.error(node.span, "this expression is not an lvalue")
            }
        }
    }

    fn named_place(&mut self, name: &str, span: Span) -> Result<Place> {
        let symbol = self.intern(name);
        match self.scopes.get(symbol) {
            Some(Entity::Local { storage, ty }) => Ok(self.stored(storage, ty)),
            Some(Entity::Global(global)) => {
                let GlobalData { storage, ty, state, weak, .. } = self.globals[global];
                // A verifier's own variable: its value, and the effect of a write to it, are
                // unknown. Those of library models are arbitrary.
                let is_unknown = state == Definition::Declared && library::is_reserved(name);
                if is_unknown && !self.external_functions.in_model {
                    self.unsupported(&format!("{name}: a variable of a compiler or verifier"));
                }
                let mut place = self.stored(storage, ty);
                if let (Some(flag), PlaceKind::Memory(address)) = (weak, place.kind) {
                    place.kind = PlaceKind::Memory(self.weak_address(flag, address));
                }
                Ok(place)
            }
            Some(Entity::Function(func)) => {
                Ok(Place { kind: PlaceKind::Function(func), ty: self.functions[func].ty })
            }
            Some(Entity::Constant { .. }) => {
                self.error(span, format!("the enumeration constant '{name}' is not an lvalue"))
            }
            Some(Entity::Typedef(_)) => {
                self.error(span, format!("'{name}' is a type, an expression is needed"))
            }
            None => match name {
                "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__" => Ok(self.function_name()),
                _ => match self.implicit_function(name, span) {
                    Some(func) => {
                        Ok(Place { kind: PlaceKind::Function(func), ty: self.functions[func].ty })
                    }
                    None if library::is_reserved(name) => {
                        self.at(span);
                        self.unsupported(&format!("{name}: a name that is not known"));
                        let var = self.temp(Sort::Bv(32), true);
                        Ok(Place { kind: PlaceKind::Var(var), ty: self.types.int })
                    }
                    None => self.error(span, format!("'{name}' was not declared")),
                },
            },
        }
    }

    /// The type of a bit-field that is not promoted: gcc has one for every width, which no other type
    /// equals.
    pub fn bit_field_type(&mut self, ty: Ty, bits: BitField) -> Ty {
        match self.types.kind(ty) {
            TypeKind::Int(kind) if self.types.int_width(ty) != Some(bits.width) => {
                let signed = kind.is_signed();
                self.types.integer(IntKind::Bits { width: bits.width as u8, signed })
            }
            _ => self.types.unqualified(ty),
        }
    }

    /// C11 6.4.2.2: the name of the function, as a constant array.
    pub fn function_name(&mut self) -> Place {
        let name = self.program.name(self.body.name).to_owned();
        self.text_place(&name)
    }

    /// A constant array of characters.
    pub fn text_place(&mut self, name: &str) -> Place {
        let text = super::literal::Text {
            units: name.bytes().map(u32::from).collect(),
            element: self.types.char,
        };
        let object = self.string_object(&text);
        let char = self.types.qualify(self.types.char, Qualifiers::CONST);
        let ty = self.types.array(char, Some(name.len() as u64 + 1));
        Place::memory(self.program.terms.address(object), ty)
    }

    pub fn stored(&mut self, storage: Storage, ty: Ty) -> Place {
        match storage {
            Storage::Var(var) => Place { kind: PlaceKind::Var(var), ty },
            Storage::Object(object) => Place::memory(self.program.terms.address(object), ty),
            Storage::At(var) => Place::memory(self.program.read(var), ty),
            // Reading it is not constant; where the label goes, nothing reaches.
            Storage::Prototype => Place::memory(self.program.terms.null(), ty),
        }
    }

    /// The address and type of a struct or union, of an lvalue or a value.
    fn aggregate(&mut self, node: &'a Node<Expression>) -> Result<(Term, Ty)> {
        let place = self.place(node)?;
        if self.types.as_record(place.ty).is_none() {
            let ty = self.spell(place.ty);
            return self.error(node.span, format!("'.' needs a struct or union, not '{ty}'"));
        }
        Ok((self.address(place, node.span)?, place.ty))
    }

    /// The member of this name of the struct or union at `address`.
    pub fn member_place(&mut self, address: Term, ty: Ty, name: &str, span: Span) -> Result<Place> {
        let symbol = self.intern(name);
        let Some(record) = self.types.as_record(ty) else {
            let ty = self.spell(ty);
            return self.error(span, format!("'{ty}' has no members"));
        };
        let Some(path) = self.types.find_field(record, symbol) else {
            let spelled = self.spell(ty);
            let message = if self.types.is_complete(ty) {
                format!("'{spelled}' has no member '{name}'")
            } else {
                format!("'{spelled}' is incomplete here")
            };
            return self.error(span, message);
        };
        let mut address = address;
        let mut place = None;
        for (record, index) in path {
            let Some(field) = self.types.fields(record).map(|fields| fields[index].clone()) else {
                break;
            };
            address = self.program.terms.ptr_add_const(address, field.offset);
            let kind = match field.bits {
                Some(bits) => PlaceKind::Bits(address, bits),
                None => PlaceKind::Memory(address),
            };
            place = Some(Place { kind, ty: field.ty });
        }
        match place {
            Some(place) => Ok(place),
            None => self.error(span, "no such member"),
        }
    }

    pub fn dereference(&mut self, operand: &'a Node<Expression>, span: Span) -> Result<Place> {
        if let Some((part, operand)) = part_of(operand) {
            return self.part_place(part, operand, span);
        }
        // `*f` of a function is the function itself, whatever the number of stars.
        if super::expr::is_place(operand) {
            self.note_use(operand, Use::Array);
            let place = self.place(operand)?;
            if let PlaceKind::Function(_) = place.kind {
                return Ok(place);
            }
            let pointer = self.load(place)?;
            return self.pointed_to(pointer, span);
        }
        let pointer = self.rvalue(operand)?;
        self.pointed_to(pointer, span)
    }

    pub fn pointed_to(&mut self, pointer: Val, span: Span) -> Result<Place> {
        match self.types.pointee(pointer.ty) {
            Some(ty) => Ok(Place::memory(pointer.term, ty)),
            None => {
                let ty = self.spell(pointer.ty);
                self.error(span, format!("a pointer is needed, not '{ty}'"))
            }
        }
    }

    pub fn index(
        &mut self,
        lhs: &'a Node<Expression>,
        rhs: &'a Node<Expression>,
        span: Span,
    ) -> Result<Place> {
        let (left, inner) = self.indexed(lhs, span)?;
        let left = if super::expr::may_call(rhs) { self.snapshot_if_global(left) } else { left };
        let right = self.rvalue(rhs)?;
        self.at(span);
        if let Some((element, _)) = self.types.as_vector(left.ty) {
            let address = self.element_address(left.term, right, element, span)?;
            return Ok(Place::memory(address, element));
        }
        // C11 6.5.2.1p2: a[i] is *(a + i), so i[a] is the same.
        let (pointer, index) =
            if self.types.is_pointer(left.ty) { (left, right) } else { (right, left) };
        let Some(element) = self.types.pointee(pointer.ty) else {
            let ty = self.spell(left.ty);
            return self.error(span, format!("a value of type '{ty}' cannot be indexed"));
        };
        if let Some(inner) = inner {
            self.check_index(inner, index, span);
        }
        let address = self.element_address(pointer.term, index, element, span)?;
        Ok(Place::memory(address, element))
    }

    /// `pointer + index` in elements.
    pub fn element_address(
        &mut self,
        pointer: Term,
        index: Val,
        element: Ty,
        span: Span,
    ) -> Result<Term> {
        if !self.types.is_integer(index.ty) {
            return self.error(span, "an index must be an integer");
        }
        let bits = self.program.terms.pointer_bits();
        let signed = self.types.is_signed(index.ty);
        let index = self.program.terms.resize(index.term, bits, signed);
        if !self.types.is_complete(element) {
            let ty = self.spell(element);
            return self.error(span, format!("arithmetic on a pointer to incomplete '{ty}'"));
        }
        let size = self.size_term(element);
        let offset = self.program.terms.binary(BinOp::BvMul, index, size);
        Ok(self.program.terms.ptr_add(pointer, offset))
    }

    pub fn address_of(&mut self, operand: &'a Node<Expression>, span: Span) -> Result<Val> {
        self.note_use(operand, Use::Address);
        let place = self.place(operand)?;
        self.at(span);
        let address = self.address(place, span)?;
        let ty = self.types.pointer(place.ty);
        Ok(Val { term: address, ty })
    }

    /// The address of a place that has one.
    pub fn address(&mut self, place: Place, span: Span) -> Result<Term> {
        match place.kind {
            PlaceKind::Memory(address) => Ok(address),
            PlaceKind::Function(func) => Ok(self.function_pointer(func)),
            PlaceKind::Bits(..) => self.error(span, "a bit-field has no address"),
            // The prescan puts everything under a `&` into memory.
            PlaceKind::Var(_) => self.error(span, "internal: the address of a scalar variable"),
        }
    }

    /// Keeps the address as it is now, if a call could change it.
    pub fn snapshot_place(&mut self, place: Place) -> Place {
        let address = |lowerer: &mut Self, term: Term| {
            let ty = lowerer.types.void_ptr;
            lowerer.snapshot_if_global(Val { term, ty }).term
        };
        let kind = match place.kind {
            PlaceKind::Memory(term) => PlaceKind::Memory(address(self, term)),
            PlaceKind::Bits(term, bits) => PlaceKind::Bits(address(self, term), bits),
            PlaceKind::Var(_) | PlaceKind::Function(_) => place.kind,
        };
        Place { kind, ty: place.ty }
    }

    fn order(&self, ty: Ty) -> MemoryOrder {
        let qualifiers = self.types.qualifiers(ty);
        if qualifiers.atomic {
            MemoryOrder::Atomic
        } else if qualifiers.volatile {
            MemoryOrder::Volatile
        } else {
            MemoryOrder::Plain
        }
    }

    /// The value of a place: lvalue conversion, array and function decay.
    pub fn load(&mut self, place: Place) -> Result<Val> {
        let ty = self.types.unqualified(place.ty);
        match place.kind {
            PlaceKind::Var(var) => {
                let value = Val { term: self.program.read(var), ty };
                // Each reading of a variable that other threads write is a step of its own: in
                // `x - x` the two may differ.
                let shared = self.facts.starts_threads && self.program.is_shared_var(var);
                Ok(if shared { self.snapshot(value) } else { value })
            }
            PlaceKind::Function(func) => {
                let ty = self.types.pointer(ty);
                Ok(Val { term: self.function_pointer(func), ty })
            }
            PlaceKind::Bits(address, bits) => Ok(self.load_bits(address, bits, place.ty)),
            PlaceKind::Memory(address) => match self.types.kind(ty) {
                TypeKind::Array(..) | TypeKind::Vla(..) | TypeKind::Function(_) => {
                    let ty = self.types.decayed(ty);
                    Ok(Val { term: address, ty })
                }
                // C11 6.2.6.1p9: all of it is read at once.
                TypeKind::Record(_) if self.types.qualifiers(place.ty).atomic => {
                    Ok(self.copy_of_record(Val { term: address, ty }, true))
                }
                TypeKind::Record(_) => Ok(Val { term: address, ty }),
                TypeKind::Void => Ok(self.void_value()),
                TypeKind::Bool | TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Pointer(_) => {
                    let term = self.load_scalar(address, place.ty);
                    Ok(Val { term, ty })
                }
            },
        }
    }

    pub fn load_scalar(&mut self, addr: Term, ty: Ty) -> Term {
        let Some(sort) = self.types.sort(ty) else { return self.program.terms.null() };
        let dst = self.temp(sort, self.types.is_signed(ty));
        let order = self.order(ty);
        self.emit(Op::Load { dst, addr, order });
        self.program.read(dst)
    }

    pub fn store_scalar(&mut self, addr: Term, value: Term, ty: Ty) {
        if self.types.as_record(ty).is_some() {
            // What is there of a struct's value is its address, which must not be taken for it.
            self.unsupported("a struct as a scalar");
            return;
        }
        let order = self.order(ty);
        self.emit(Op::Store { addr, value, order });
    }

    fn load_bits(&mut self, addr: Term, bits: BitField, ty: Ty) -> Val {
        let dst = self.temp(Sort::Bv(bits.unit), false);
        let order = self.order(ty);
        self.emit(Op::Load { dst, addr, order });
        let unit = self.program.read(dst);
        let term = self.extract_bits(unit, bits);
        self.bits_value(term, bits, ty)
    }

    /// A bit-field's bits as a value. C11 6.3.1.1p2: if `int` holds all its values it is an int;
    /// otherwise gcc gives it a type of just its width.
    fn bits_value(&mut self, term: Term, bits: BitField, ty: Ty) -> Val {
        let signed = self.types.is_signed(ty);
        let ty = match (self.types.kind(ty), bits.width) {
            (TypeKind::Bool, _) => self.types.bool,
            (_, ..32) => self.types.int,
            (_, 32) if signed => self.types.int,
            (_, 32) => self.types.uint,
            (_, width) if self.types.int_width(ty) == Some(width) => self.types.unqualified(ty),
            (_, width) => self.types.integer(IntKind::Bits { width: width as u8, signed }),
        };
        let width = self.types.int_width(ty).unwrap_or(32);
        Val { term: self.program.terms.resize(term, width, signed), ty }
    }

    /// The bits of the field, as wide as the field.
    fn extract_bits(&mut self, unit: Term, bits: BitField) -> Term {
        let op = UnOp::Extract { hi: bits.shift + bits.width - 1, lo: bits.shift };
        self.program.terms.unary(op, unit)
    }

    /// Writes a value of the place's type; gives the value of the assignment, if `wanted`.
    pub fn store(&mut self, place: Place, value: Val, wanted: bool) -> Result<Val> {
        let ty = self.types.unqualified(place.ty);
        match place.kind {
            PlaceKind::Var(dst) => {
                // The variable itself stands for the value: shorter terms, and no second reading of
                // what the value reads. A global may be changed by others, so there the value is.
                if self.program.is_shared_var(dst) {
                    let value = if wanted { self.snapshot_if_global(value) } else { value };
                    self.assign(dst, value.term);
                    return Ok(Val { term: value.term, ty });
                }
                self.assign(dst, value.term);
                Ok(Val { term: self.program.read(dst), ty })
            }
            PlaceKind::Memory(address) if self.types.as_record(ty).is_some() => {
                if self.types.as_record(value.ty) == self.types.as_record(ty) {
                    self.copy_aggregate(address, value.term, place.ty);
                } else {
                    self.unsupported("a value of another type as a struct");
                }
                Ok(Val { term: value.term, ty })
            }
            PlaceKind::Memory(address) => {
                let value = if wanted { self.snapshot_if_global(value) } else { value };
                self.store_scalar(address, value.term, place.ty);
                Ok(Val { term: value.term, ty })
            }
            PlaceKind::Bits(address, bits) => {
                let stored = self.store_bits(address, bits, value.term, place.ty);
                if !wanted {
                    return Ok(Val { term: value.term, ty });
                }
                Ok(self.bits_value(stored, bits, ty))
            }
            PlaceKind::Function(_) => {
                self.error(self.body.span, "a function cannot be assigned to")
            }
        }
    }

    /// Read, replace the bits, write: what the hardware does, in two steps. Gives the bits stored.
    pub fn store_bits(&mut self, addr: Term, bits: BitField, value: Term, ty: Ty) -> Term {
        let dst = self.temp(Sort::Bv(bits.unit), false);
        let order = self.order(ty);
        self.emit(Op::Load { dst, addr, order });
        let old = self.program.read(dst);
        let (new, field) = self.insert_bits(old, bits, value);
        self.emit(Op::Store { addr, value: new, order });
        field
    }

    /// The unit with the field replaced, and the field's bits.
    pub fn insert_bits(&mut self, unit: Term, bits: BitField, value: Term) -> (Term, Term) {
        let terms = &mut self.program.terms;
        let field = terms.resize(value, bits.width, false);
        let wide = terms.resize(field, bits.unit, false);
        let shift = terms.bv(bits.unit, u128::from(bits.shift));
        let placed = terms.binary(BinOp::BvShl, wide, shift);
        let ones = if bits.width >= 128 { u128::MAX } else { (1u128 << bits.width) - 1 };
        let mask = terms.bv(bits.unit, !(ones << bits.shift));
        let kept = terms.binary(BinOp::BvAnd, unit, mask);
        (terms.binary(BinOp::BvOr, kept, placed), field)
    }

    /// Copies a struct or union, member by member where there are few, so that memory keeps its
    /// types. Where the type is atomic, the destination is written at once (C11 6.2.6.1p9).
    pub fn copy_aggregate(&mut self, dst: Term, src: Term, ty: Ty) {
        if dst == src {
            return;
        }
        let mut leaves = Vec::new();
        let is_atomic = self.types.qualifiers(ty).atomic;
        if self.scalar_leaves(ty, 0, &mut leaves) {
            // Read everything first: the source may overlap the destination (C11 6.5.16.1p3).
            let values: Vec<Term> = leaves
                .iter()
                .map(|&(offset, sort)| {
                    let addr = self.program.terms.ptr_add_const(src, offset);
                    let dst = self.temp(sort, false);
                    self.emit(Op::Load { dst, addr, order: MemoryOrder::Plain });
                    self.program.read(dst)
                })
                .collect();
            if is_atomic {
                self.emit(Op::AtomicBegin);
            }
            for (&(offset, _), value) in leaves.iter().zip(values) {
                let addr = self.program.terms.ptr_add_const(dst, offset);
                self.emit(Op::Store { addr, value, order: MemoryOrder::Plain });
            }
            if is_atomic {
                self.emit(Op::AtomicEnd);
            }
            return;
        }
        let size = self.size_term(ty);
        self.emit(Op::Copy { dst, src, size });
    }

    /// A copy of a struct or union in an object of its own, which lives as long as the block. With
    /// `at_once`, no other thread moves while it is made.
    pub fn copy_of_record(&mut self, value: Val, at_once: bool) -> Val {
        let name = self.body.temp_name;
        let object = self.new_local_object(name, value.ty, &Default::default());
        let target = self.program.terms.address(object);
        if at_once {
            self.emit(Op::AtomicBegin);
        }
        self.copy_aggregate(target, value.term, value.ty);
        if at_once {
            self.emit(Op::AtomicEnd);
        }
        Val { term: target, ty: value.ty }
    }

    /// The scalar cells of a type that make up all of its bytes; `None` if there are too many, if
    /// unions overlay them, or if there is padding.
    pub fn dense_leaves(&self, ty: Ty) -> Option<Vec<(u64, Sort)>> {
        let mut leaves = Vec::new();
        if !self.scalar_leaves(ty, 0, &mut leaves) {
            return None;
        }
        let pointer_bits = self.program.terms.pointer_bits();
        let bytes = |sort: &Sort| match sort {
            Sort::Ptr => u64::from(pointer_bits / 8),
            // The x87 format leaves some of its bytes unused.
            Sort::Float(FloatKind::F80) => 0,
            Sort::Float(kind) => u64::from(kind.bits() / 8),
            other => u64::from(other.width().unwrap_or(0) / 8),
        };
        let covered: u64 = leaves.iter().map(|(_, sort)| bytes(sort)).sum();
        (Some(covered) == self.types.size_of(ty)).then_some(leaves)
    }

    /// The scalar cells of a type; false if there are too many, or unions overlay them.
    fn scalar_leaves(&self, ty: Ty, base: u64, leaves: &mut Vec<(u64, Sort)>) -> bool {
        if leaves.len() > MAX_COPIED_MEMBERS {
            return false;
        }
        match self.types.kind(ty) {
            TypeKind::Bool | TypeKind::Int(_) | TypeKind::Pointer(_) => {
                leaves.extend(self.types.sort(ty).map(|sort| (base, sort)));
                true
            }
            TypeKind::Float(kind) => {
                leaves.push((base, Sort::Float(*kind)));
                true
            }
            TypeKind::Array(element, Some(length)) => {
                let Some(size) = self.types.size_of(*element) else { return false };
                *length <= MAX_COPIED_MEMBERS as u64
                    && (0..*length)
                        .all(|index| self.scalar_leaves(*element, base + index * size, leaves))
            }
            TypeKind::Array(_, None) => true,
            TypeKind::Record(record) => {
                let data = &self.types.records[*record];
                let Some(layout) = &data.layout else { return false };
                if data.is_union {
                    return false;
                }
                let mut last_unit = None;
                layout.fields.iter().all(|field| match field.bits {
                    None => self.scalar_leaves(field.ty, base + field.offset, leaves),
                    Some(bits) => {
                        // Neighbours share their unit; units of packed structs may overlap.
                        let unit = (base + field.offset, bits.unit);
                        if last_unit != Some(unit) {
                            let overlaps = leaves.last().is_some_and(|&(offset, sort)| {
                                offset + u64::from(sort.width().unwrap_or(8) / 8) > unit.0
                            });
                            if overlaps {
                                return false;
                            }
                            leaves.push((unit.0, Sort::Bv(bits.unit)));
                            last_unit = Some(unit);
                        }
                        true
                    }
                })
            }
            TypeKind::Void | TypeKind::Vla(..) | TypeKind::Function(_) => false,
        }
    }
}
