//! Indices of arrays that are parts of larger objects: the rows of an array, the members of a struct (C11 6.5.6p8), as gcc's
//! `-fsanitize=bounds` checks them.
//!
//! An array that is an object by itself is not among them: whoever leaves it leaves the object, which is an invalid access. Nor
//! is the last member of a struct behind a pointer, which old code uses as an array of any length, nor an array of no known or
//! variable length. An address one past the end may be taken.

use lang_c::ast::{BinaryOperator, Expression, MemberExpression, MemberOperator, UnaryOperator};
use lang_c::span::{Node, Span};
use ravelin_cfa::{ErrorKind, Property};

use super::expr::is_place;
use super::{Lowerer, Result, Val};
use crate::library::CType;
use crate::types::TypeKind;

/// What becomes of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// It is accessed if it is no array, otherwise its address is taken.
    Value,
    Address,
    /// It is an array, and an element of it is used.
    Array,
}

/// The length of an array that is a part of a larger object, and what becomes of its element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InnerArray {
    length: u64,
    /// Whether the address one past the end may be used.
    may_end: bool,
}

impl<'a> Lowerer<'a> {
    /// Notes for the expression what becomes of it, if it is an element of an array.
    pub fn note_use(&mut self, node: &'a Node<Expression>, becomes: Use) {
        if let Some(element) = element_under(node) {
            self.use_of_element = Some((element.span, becomes));
        }
    }

    /// What becomes of the element at `span`: what was noted last, if it was about this one.
    fn use_of(&mut self, span: Span) -> Use {
        match self.use_of_element.take() {
            Some((noted, becomes)) if noted == span => becomes,
            Some(_) | None => Use::Value,
        }
    }

    /// The value of `array` in the expression `array[…]` at `span`, and what bounds the index.
    pub fn indexed(
        &mut self,
        array: &'a Node<Expression>,
        span: Span,
    ) -> Result<(Val, Option<InnerArray>)> {
        let becomes = self.use_of(span);
        let is_part = is_place(array) && !matches!(array.node, Expression::Identifier(_));
        if !is_part || !self.is_checked(Property::ValidBounds) {
            return Ok((self.rvalue(array)?, None));
        }
        if is_element(array) {
            self.note_use(array, Use::Array);
        }
        let place = self.place(array)?;
        let bound = match *self.types.kind(place.ty) {
            TypeKind::Array(element, Some(length)) if length > 0 => {
                let is_array = matches!(self.types.kind(element), TypeKind::Array(..));
                let may_end = becomes == Use::Address || is_array && becomes == Use::Value;
                Some(InnerArray { length, may_end })
            }
            _ => None,
        };
        let bound = match &array.node {
            Expression::Member(member) if bound.is_some() => {
                self.has_fixed_length(&member.node)?.then_some(bound).flatten()
            }
            _ => bound,
        };
        self.at(array.span);
        Ok((self.load(place)?, bound))
    }

    /// Whether a member that is an array has the length of its type: some member comes behind it, or the object is named.
    fn has_fixed_length(&mut self, member: &'a MemberExpression) -> Result<bool> {
        let mut member = member;
        loop {
            let base = self.type_of(&member.expression)?;
            let through_pointer = member.operator.node == MemberOperator::Indirect;
            let ty = if through_pointer { self.types.pointee(base) } else { Some(base) };
            let Some(record) = ty.and_then(|ty| self.types.as_record(ty)) else { return Ok(true) };
            let name = self.intern(&member.identifier.node.name);
            let path = self.types.find_field(record, name).unwrap_or_default();
            let is_followed = path.iter().any(|&(record, index)| {
                let fields = self.types.fields(record).map_or(0, |fields| fields.len());
                !self.types.records[record].is_union && index + 1 < fields
            });
            if is_followed {
                return Ok(true);
            }
            if through_pointer {
                return Ok(false);
            }
            match &member.expression.node {
                Expression::Member(inner) => member = &inner.node,
                other => return Ok(is_named(other)),
            }
        }
    }

    /// Checks an index.
    pub fn check_index(&mut self, array: InnerArray, index: Val, span: Span) {
        if !self.types.is_integer(index.ty) {
            return;
        }
        let signed = self.types.is_signed(index.ty);
        let width = self.types.int_width(index.ty).unwrap_or(64).max(64);
        let ty = match (width, signed) {
            (64, true) => self.c_type(CType::LongLong),
            (64, false) => self.c_type(CType::UnsignedLongLong),
            (_, true) => self.c_type(CType::Int128),
            (_, false) => self.c_type(CType::UnsignedInt128),
        };
        let index = Val { term: self.program.terms.resize(index.term, width, signed), ty };
        let most = i128::from(array.length) - i128::from(!array.may_end);
        let holds = self.is_in_range(index, 0, most);
        self.check_operator(holds, ErrorKind::IndexOutOfBounds, span);
    }
}

fn is_element(node: &Node<Expression>) -> bool {
    matches!(&node.node, Expression::BinaryOperator(binary)
        if binary.node.operator.node == BinaryOperator::Index)
}

/// The element of an array of which the expression is a part, or that it is.
fn element_under(node: &Node<Expression>) -> Option<&Node<Expression>> {
    match &node.node {
        Expression::Member(member) if member.node.operator.node == MemberOperator::Direct => {
            element_under(&member.node.expression)
        }
        _ => is_element(node).then_some(node),
    }
}

/// Whether an expression is an object of the program, and none behind a pointer.
fn is_named(expression: &Expression) -> bool {
    match expression {
        Expression::UnaryOperator(unary) => unary.node.operator.node != UnaryOperator::Indirection,
        // An index may be one of a pointer.
        Expression::BinaryOperator(_) => false,
        _ => true,
    }
}
