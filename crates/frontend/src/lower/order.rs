//! The order of evaluation, where C leaves it open (C11 6.5p3) and calls make a difference.
//!
//! gcc goes from left to right, but not always. It puts a variable behind what it is added to or
//! compared with, so that in `x + f()` the call comes first, though not in `x - f()` nor in
//! `a[0] + f()`. And it evaluates the right side of an assignment before the address on the left,
//! unless it is nothing but a call.
//!
//! The order may depend on types that are known only when both operands have been lowered. So each
//! is lowered separately, [detached](Lowerer::detached) from the code before, and attached in
//! order.

use lang_c::ast::{BinaryOperator, BlockItem, Expression, Initializer, Statement, UnaryOperator};
use lang_c::span::Node;
use ravelin_cfa::Loc;

use super::expr::may_call;
use super::place::Place;
use super::{Lowerer, Result, Val};
use crate::types::Ty;

/// Code that nothing leads to yet.
struct Detached {
    start: Loc,
    end: Loc,
}

impl<'a> Lowerer<'a> {
    /// The operands of a binary operator.
    pub fn operands(
        &mut self,
        operator: &BinaryOperator,
        lhs: &'a Node<Expression>,
        rhs: &'a Node<Expression>,
    ) -> Result<(Val, Val)> {
        if !may_call(rhs) {
            return Ok((self.rvalue(lhs)?, self.rvalue(rhs)?));
        }
        let variable = match may_be_swapped(operator, rhs) {
            true => self.variable_type(lhs)?,
            false => None,
        };
        let Some(variable) = variable else {
            let left = self.rvalue(lhs)?;
            let left = self.snapshot_if_global(left);
            return Ok((left, self.rvalue(rhs)?));
        };
        let (right, calls) = self.detached(|lowerer| lowerer.rvalue(rhs))?;
        if self.is_variable_for(operator, variable, right.ty) {
            self.attach(calls);
            return Ok((self.rvalue(lhs)?, right));
        }
        let left = self.rvalue(lhs)?;
        let left = self.snapshot_if_global(left);
        self.attach(calls);
        Ok((left, right))
    }

    /// The target of an assignment, and the value.
    pub fn assigned(
        &mut self,
        lhs: &'a Node<Expression>,
        rhs: &'a Node<Expression>,
    ) -> Result<(Place, Val)> {
        // Where a name lies does not depend on what is called.
        if !may_call(rhs) || matches!(lhs.node, Expression::Identifier(_)) {
            return Ok((self.place(lhs)?, self.rvalue(rhs)?));
        }
        let (place, address) = self.detached(|lowerer| lowerer.place(lhs))?;
        let (value, calls) = self.detached(|lowerer| lowerer.rvalue(rhs))?;
        let is_call = self.is_call(rhs)
            && self.types.unqualified(value.ty) == self.types.unqualified(place.ty);
        if is_call {
            self.attach(address);
            let place = self.snapshot_place(place);
            self.attach(calls);
            return Ok((place, value));
        }
        self.attach(calls);
        let value = if may_call(lhs) { self.snapshot_if_global(value) } else { value };
        self.attach(address);
        Ok((place, value))
    }

    fn detached<T>(&mut self, lower: impl FnOnce(&mut Self) -> Result<T>) -> Result<(T, Detached)> {
        let here = self.body.here;
        let start = self.body.new_loc();
        self.body.start_at(start);
        let lowered = lower(self);
        let end = self.body.here;
        self.body.start_at(here);
        Ok((lowered?, Detached { start, end }))
    }

    fn attach(&mut self, code: Detached) {
        self.body.jump(code.start);
        self.body.start_at(code.end);
    }

    /// The type of an expression that is a variable to gcc: by its name, or under conversions that
    /// change nothing but the type.
    fn variable_type(&mut self, node: &'a Node<Expression>) -> Result<Option<Ty>> {
        match &node.node {
            Expression::Identifier(_) => {
                let ty = self.type_of(node)?;
                let is_atomic = self.types.qualifiers(ty).atomic;
                Ok((self.types.is_scalar(ty) && !is_atomic).then_some(ty))
            }
            Expression::Cast(cast) => {
                let Some(from) = self.variable_type(&cast.node.expression)? else {
                    return Ok(None);
                };
                let to = self.type_name(&cast.node.type_name)?;
                Ok(self.is_same_mode(from, to).then_some(to))
            }
            Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Plus => {
                let Some(from) = self.variable_type(&unary.node.operand)? else {
                    return Ok(None);
                };
                if !self.types.is_arithmetic(from) {
                    return Ok(None);
                }
                let to = self.types.promote(from);
                Ok(self.is_same_mode(from, to).then_some(to))
            }
            _ => Ok(None),
        }
    }

    /// Whether a variable of type `left` still is one after the conversions of the operator.
    fn is_variable_for(&mut self, operator: &BinaryOperator, left: Ty, right: Ty) -> bool {
        if self.types.is_arithmetic(left) && self.types.is_arithmetic(right) {
            let common = self.types.usual_arithmetic(left, right);
            return self.is_same_mode(left, common);
        }
        // The sum of a pointer and an integer begins with the pointer.
        *operator != BinaryOperator::Plus
    }

    /// Whether a conversion leaves all bits as they are.
    fn is_same_mode(&self, a: Ty, b: Ty) -> bool {
        self.types.is_scalar(a)
            && self.types.is_scalar(b)
            && self.types.is_float(a) == self.types.is_float(b)
            && self.types.size_of(a) == self.types.size_of(b)
    }

    /// Whether an expression is nothing but a call: also as the value of a statement expression (as gcc has it), or of
    /// the variable in which the replay of witnesses keeps it to look at (`ravelin-witness::instrument`).
    fn is_call(&mut self, node: &Node<Expression>) -> bool {
        let block = match &node.node {
            Expression::Call(_) => return true,
            Expression::Statement(statement) => match &statement.node {
                Statement::Compound(items) => items,
                _ => return false,
            },
            _ => return false,
        };
        let Some(BlockItem::Statement(last)) = block.last().map(|item| &item.node) else {
            return false;
        };
        let Statement::Expression(Some(value)) = &last.node else { return false };
        match &value.node {
            Expression::Identifier(name) => {
                let symbol = self.intern(&name.node.name);
                if self.program.name(symbol) != "__ravelin_value" {
                    return false;
                }
                let Some(BlockItem::Declaration(kept)) = block.first().map(|item| &item.node)
                else {
                    return false;
                };
                let first = kept.node.declarators.first();
                match first.and_then(|first| first.node.initializer.as_ref()).map(|it| &it.node) {
                    Some(Initializer::Expression(kept)) => self.is_call(kept),
                    _ => false,
                }
            }
            _ => self.is_call(value),
        }
    }
}

/// Whether gcc may evaluate the right operand first: if the operator is commutative. The sum with a
/// negated operand is a difference.
fn may_be_swapped(operator: &BinaryOperator, rhs: &Node<Expression>) -> bool {
    match operator {
        BinaryOperator::Plus => !matches!(
            &rhs.node,
            Expression::UnaryOperator(unary) if unary.node.operator.node == UnaryOperator::Minus
        ),
        BinaryOperator::Multiply
        | BinaryOperator::BitwiseAnd
        | BinaryOperator::BitwiseXor
        | BinaryOperator::BitwiseOr
        | BinaryOperator::Equals
        | BinaryOperator::NotEquals
        | BinaryOperator::Less
        | BinaryOperator::Greater
        | BinaryOperator::LessOrEqual
        | BinaryOperator::GreaterOrEqual => true,
        _ => false,
    }
}
