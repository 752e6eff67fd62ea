//! `__builtin_object_size` and `__builtin_dynamic_object_size`, as gcc computes them without
//! optimisation: known where the argument names its object, unknown for pointers that were stored.
//! With optimisation gcc finds more; code that asks must take both answers.

use lang_c::ast::{BinaryOperator, Expression, MemberOperator, UnaryOperator};
use lang_c::span::Node;
use ravelin_cfa::ObjectKind;
use ravelin_term::{BinOp, TermKind};

use super::{Lowerer, Result, Val};
use crate::types::{Ty, TypeKind};

/// How many bytes follow an address.
#[derive(Clone, Copy)]
struct Rest {
    /// In the whole object.
    object: u64,
    /// In the member or array that the expression names.
    closest: Option<u64>,
}

impl<'a> Lowerer<'a> {
    /// Bit 0 of `kind` asks for the closest surrounding subobject, bit 1 for the least size.
    pub fn object_size(&mut self, argument: &'a Node<Expression>, kind: i128) -> Result<Val> {
        let rest = self.rest_of_object(argument)?;
        let size = match rest {
            Some(rest) if kind & 1 == 0 => Some(rest.object),
            Some(rest) => rest.closest,
            None => None,
        };
        let unknown = if kind & 2 != 0 { 0 } else { -1 };
        Ok(self.int_value(size.map_or(unknown, i128::from), self.types.size))
    }

    fn rest_of_object(&mut self, argument: &'a Node<Expression>) -> Result<Option<Rest>> {
        // The argument is not evaluated, and one with side effects is not looked at.
        let (value, pure) = self.nowhere(|lowerer| lowerer.rvalue(argument));
        let mut at = value?.term;
        if !pure {
            return Ok(None);
        }
        let mut offset = 0i128;
        while let TermKind::Binary(BinOp::PtrAdd, base, by) = self.program.terms.kind(at) {
            let Some(by) = self.program.terms.as_bv(by) else { return Ok(None) };
            let shift = 128 - u32::from(self.program.terms.pointer_bits());
            offset += ((by << shift) as i128) >> shift;
            at = base;
        }
        let TermKind::Address(object) = self.program.terms.kind(at) else { return Ok(None) };
        if matches!(self.program.objects[object].kind, ObjectKind::Function(_)) {
            return Ok(None);
        }
        let Some(root) = root(argument) else { return Ok(None) };
        let ty = self.type_of(root)?;
        // An array that another file defines has no size here.
        if self.types.size_of(ty).is_none() && !matches!(root.node, Expression::StringLiteral(_)) {
            return Ok(None);
        }
        let size = i128::from(self.program.objects[object].size);
        let left = if offset < 0 { 0 } else { (size - offset).max(0) } as u64;
        let closest = self.closest(argument, left)?;
        Ok(Some(Rest { object: left, closest }))
    }

    /// What follows in the subobject that a pointer expression names.
    fn closest(&mut self, node: &'a Node<Expression>, left: u64) -> Result<Option<u64>> {
        match &node.node {
            Expression::Cast(cast) => self.closest(&cast.node.expression, left),
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Address =>
            {
                self.closest_of_place(&unary.node.operand, left)
            }
            Expression::BinaryOperator(binary)
                if binary.node.operator.node != BinaryOperator::Index =>
            {
                Ok(None)
            }
            _ => self.closest_of_place(node, left),
        }
    }

    fn closest_of_place(&mut self, node: &'a Node<Expression>, left: u64) -> Result<Option<u64>> {
        match &node.node {
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Indirection =>
            {
                self.closest(&unary.node.operand, left)
            }
            Expression::Member(_) => {
                let ty = self.type_of(node)?;
                // A flexible array goes on to the end of the object.
                Ok(Some(self.types.size_of(ty).map_or(left, |size| size.min(left))))
            }
            Expression::BinaryOperator(binary)
                if binary.node.operator.node == BinaryOperator::Index =>
            {
                let ty = self.type_of(&binary.node.lhs)?;
                let TypeKind::Array(element, Some(length)) = *self.types.kind(ty) else {
                    return Ok(None);
                };
                let index = self.constant_int(&binary.node.rhs)?;
                Ok(Some(self.elements_left(element, i128::from(length), index).min(left)))
            }
            _ => Ok(Some(left)),
        }
    }

    fn elements_left(&self, element: Ty, length: i128, index: i128) -> u64 {
        let count = if index < 0 { 0 } else { (length - index).max(0) };
        count as u64 * self.types.size_of(element).unwrap_or(0)
    }
}

/// The variable, literal or constant that an address expression begins with.
fn root(node: &Node<Expression>) -> Option<&Node<Expression>> {
    match &node.node {
        Expression::Identifier(_) | Expression::StringLiteral(_) => Some(node),
        Expression::Cast(cast) => root(&cast.node.expression),
        Expression::UnaryOperator(unary) => match unary.node.operator.node {
            UnaryOperator::Address | UnaryOperator::Indirection => root(&unary.node.operand),
            _ => None,
        },
        Expression::Member(member) => match member.node.operator.node {
            MemberOperator::Direct | MemberOperator::Indirect => root(&member.node.expression),
        },
        Expression::BinaryOperator(binary) => match binary.node.operator.node {
            BinaryOperator::Index | BinaryOperator::Plus | BinaryOperator::Minus => {
                root(&binary.node.lhs)
            }
            _ => None,
        },
        _ => None,
    }
}
