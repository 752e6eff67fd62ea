//! `&&`, `||` and `?:` as values (C11 6.5.13 - 6.5.15).

use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, ConditionalExpression, Constant, Expression,
    UnaryOperator,
};
use lang_c::span::{Node, Span};
use ravelin_term::BinOp;

use super::scope::Entity;
use super::{Lowerer, Result, Val};
use crate::families::operators;
use crate::types::{Qualifiers, Ty};

impl<'a> Lowerer<'a> {
    /// `a && b` or `a || b` as a value: a term if `b` does nothing, control flow otherwise.
    pub fn logical(&mut self, node: &'a Node<BinaryOperatorExpression>) -> Result<Val> {
        let is_and = node.node.operator.node == BinaryOperator::LogicalAnd;
        let left = self.condition(&node.node.lhs)?;
        let before = self.body.here;
        let start = self.body.new_loc();
        self.body.start_at(start);
        let right = self.condition(&node.node.rhs)?;
        if self.body.here == start {
            self.body.start_at(before);
            let op = if is_and { BinOp::And } else { BinOp::Or };
            let both = self.program.terms.binary(op, left, right);
            return Ok(self.bool_value(both));
        }
        let dst = self.temp(ravelin_cfa::Sort::Bv(32), true);
        self.at(node.span);
        let right = self.bool_value(right);
        self.assign(dst, right.term);
        let end = self.body.new_loc();
        self.body.jump(end);
        let short = self.body.new_loc();
        self.body.start_at(before);
        match is_and {
            true => self.emit_branch(left, start, short),
            false => self.emit_branch(left, short, start),
        }
        self.body.start_at(short);
        let value = self.int_value(i128::from(!is_and), self.types.int);
        self.assign(dst, value.term);
        self.body.jump(end);
        self.body.start_at(end);
        Ok(Val { term: self.program.read(dst), ty: self.types.int })
    }

    pub fn conditional(
        &mut self,
        node: &'a Node<ConditionalExpression>,
        span: Span,
    ) -> Result<Val> {
        let ConditionalExpression { condition, then_expression, else_expression } = &node.node;
        let tested = self.rvalue(condition)?;
        let omitted = is_omitted(then_expression);
        // GNU `a ?: b` evaluates `a` once.
        let tested = if omitted { self.snapshot(tested) } else { tested };
        let test = self.truth(tested, condition.span)?;
        // A constant condition chooses at once, so that constant expressions stay constant.
        if let Some(value) = self.program.terms.as_bool(test) {
            return self.decided_conditional(node, value, tested, omitted);
        }
        let before = self.body.here;
        let yes = self.body.new_loc();
        self.body.start_at(yes);
        let then = if omitted { tested } else { self.rvalue(then_expression)? };
        let yes_end = self.body.here;
        let no = self.body.new_loc();
        self.body.start_at(no);
        let other = self.rvalue(else_expression)?;
        let no_end = self.body.here;
        let then_node = if omitted { condition } else { then_expression };
        let ty = self.conditional_type((then, then_node), (other, else_expression), span)?;

        self.body.start_at(yes_end);
        let then = self.conditional_operand(then, ty, span)?;
        let yes_end = self.body.here;
        self.body.start_at(no_end);
        let other = self.conditional_operand(other, ty, span)?;
        let no_end = self.body.here;
        if yes_end == yes && no_end == no {
            self.body.start_at(before);
            if self.types.is_void(ty) {
                return Ok(self.void_value());
            }
            return Ok(Val { term: self.program.terms.ite(test, then.term, other.term), ty });
        }
        let end = self.body.new_loc();
        self.at(span);
        let sort = self.program.terms.sort(then.term);
        let dst = self.temp(sort, self.types.is_signed(ty));
        let is_void = self.types.is_void(ty);
        for (at, value) in [(yes_end, then), (no_end, other)] {
            self.body.start_at(at);
            if !is_void {
                self.assign(dst, value.term);
            }
            self.body.jump(end);
        }
        self.body.start_at(before);
        self.emit_branch(test, yes, no);
        self.body.start_at(end);
        if is_void {
            return Ok(self.void_value());
        }
        Ok(Val { term: self.program.read(dst), ty })
    }

    fn decided_conditional(
        &mut self,
        node: &'a Node<ConditionalExpression>,
        value: bool,
        tested: Val,
        omitted: bool,
    ) -> Result<Val> {
        let ConditionalExpression { condition, then_expression, else_expression } = &node.node;
        let (chosen, dropped) = if value {
            (&**then_expression, &**else_expression)
        } else {
            (&**else_expression, &**then_expression)
        };
        let chosen_value = if value && omitted { tested } else { self.rvalue(chosen)? };
        // Only the type of the other operand matters, after its promotion if it is a bit-field.
        let dropped_ty = match is_omitted(dropped) {
            true => tested.ty,
            false => self.nowhere(|lowerer| lowerer.rvalue(dropped)).0?.ty,
        };
        let dropped_value = Val { term: self.program.terms.null(), ty: dropped_ty };
        let named = |operand| if is_omitted(operand) { condition } else { operand };
        let chosen = (chosen_value, named(chosen));
        let ty = self.conditional_type(chosen, (dropped_value, named(dropped)), node.span)?;
        self.conditional_operand(chosen_value, ty, node.span)
    }

    fn conditional_operand(&mut self, value: Val, ty: Ty, span: Span) -> Result<Val> {
        let converts = self.types.is_scalar(ty) || self.has_parts(ty);
        if converts { self.convert(value, ty, span) } else { Ok(value) }
    }

    /// C11 6.5.15p5f: the type of the operator, from its operands and how they are written.
    fn conditional_type(
        &mut self,
        (a, a_node): (Val, &'a Node<Expression>),
        (b, b_node): (Val, &'a Node<Expression>),
        span: Span,
    ) -> Result<Ty> {
        if self.types.is_arithmetic(a.ty) && self.types.is_arithmetic(b.ty) {
            return Ok(self.types.usual_arithmetic(a.ty, b.ty));
        }
        if let Some(ty) = self.common_complex(a.ty, b.ty) {
            return Ok(ty);
        }
        if self.types.is_void(a.ty) || self.types.is_void(b.ty) {
            return Ok(self.types.void);
        }
        if let (Some(x), Some(y)) = (self.types.as_record(a.ty), self.types.as_record(b.ty))
            && x == y
        {
            return Ok(a.ty);
        }
        match (self.types.pointee(a.ty), self.types.pointee(b.ty)) {
            (Some(x), Some(y)) => {
                let of_both = {
                    let (x, y) = (self.types.qualifiers(x), self.types.qualifiers(y));
                    Qualifiers {
                        volatile: x.volatile || y.volatile,
                        constant: x.constant || y.constant,
                        ..Qualifiers::NONE
                    }
                };
                let pointee = if self.types.compatible(x, y) {
                    self.types.composite(x, y)
                } else if self.is_null_constant(a_node)? {
                    return Ok(b.ty);
                } else if self.is_null_constant(b_node)? {
                    return Ok(a.ty);
                } else {
                    // `void *` wins over the rest, and gcc takes it where the types do not fit.
                    self.types.void
                };
                let pointee = self.types.qualify(pointee, of_both);
                Ok(self.types.pointer(pointee))
            }
            (Some(_), None) if self.types.is_integer(b.ty) => Ok(a.ty),
            (None, Some(_)) if self.types.is_integer(a.ty) => Ok(b.ty),
            _ => {
                let message = format!(
                    "the operands have types '{}' and '{}'",
                    self.spell(a.ty),
                    self.spell(b.ty)
                );
                self.error(span, message)
            }
        }
    }

    /// C11 6.3.2.3p3: an integer constant expression with the value 0, or one cast to `void *`. The
    /// syntax decides, not the value: `(void *)(x * 0)` is not one.
    fn is_null_constant(&mut self, node: &'a Node<Expression>) -> Result<bool> {
        if let Expression::Cast(cast) = &node.node {
            let (ty, _) = self.nowhere(|lowerer| lowerer.type_name(&cast.node.type_name));
            if ty? == self.types.void_ptr {
                return self.is_zero_constant(&cast.node.expression);
            }
        }
        self.is_zero_constant(node)
    }

    fn is_zero_constant(&mut self, node: &'a Node<Expression>) -> Result<bool> {
        Ok(self.is_integer_constant(node)? && self.try_constant_int(node)? == Some(0))
    }

    /// C11 6.6p6: whether this is an integer constant expression in gcc's sense.
    fn is_integer_constant(&mut self, node: &'a Node<Expression>) -> Result<bool> {
        Ok(match &node.node {
            Expression::Identifier(name) => {
                let symbol = self.intern(&name.node.name);
                matches!(self.scopes.get(symbol), Some(Entity::Constant { .. }))
            }
            Expression::Constant(constant) => !matches!(constant.node, Constant::Float(_)),
            Expression::SizeOfTy(_) | Expression::SizeOfVal(_) => {
                self.try_constant_int(node)?.is_some()
            }
            Expression::AlignOf(_) | Expression::OffsetOf(_) => true,
            Expression::UnaryOperator(unary) => match unary.node.operator.node {
                UnaryOperator::Plus
                | UnaryOperator::Minus
                | UnaryOperator::Complement
                | UnaryOperator::Negate => self.is_integer_constant(&unary.node.operand)?,
                _ => false,
            },
            Expression::BinaryOperator(binary) => {
                let BinaryOperatorExpression { operator, lhs, rhs } = &binary.node;
                let decided_by = match &operator.node {
                    // gcc: the other operand does not matter then.
                    BinaryOperator::LogicalAnd => Some(false),
                    BinaryOperator::LogicalOr => Some(true),
                    operator if is_arithmetic(operator) => None,
                    _ => return Ok(false),
                };
                if !self.is_integer_constant(lhs)? {
                    return Ok(false);
                }
                if let Some(decisive) = decided_by
                    && self.try_constant_int(lhs)?.is_some_and(|value| (value != 0) == decisive)
                {
                    return Ok(true);
                }
                self.is_integer_constant(rhs)?
            }
            Expression::Conditional(conditional) => {
                let ConditionalExpression { condition, then_expression, else_expression } =
                    &conditional.node;
                if !self.is_integer_constant(condition)? {
                    return Ok(false);
                }
                match self.try_constant_int(condition)? {
                    Some(0) => self.is_integer_constant(else_expression)?,
                    Some(_) if is_omitted(then_expression) => true,
                    Some(_) => self.is_integer_constant(then_expression)?,
                    None => false,
                }
            }
            Expression::Cast(cast) => {
                let (ty, _) = self.nowhere(|lowerer| lowerer.type_name(&cast.node.type_name));
                let operand = &cast.node.expression;
                let ty = ty?;
                self.types.is_integer(ty)
                    && (matches!(&operand.node, Expression::Constant(_))
                        || self.is_integer_constant(operand)?)
            }
            Expression::GenericSelection(selection) => {
                let chosen = self.generic_selection(selection)?;
                self.is_integer_constant(chosen)?
            }
            Expression::Call(call) => {
                let Expression::Identifier(name) = &call.node.callee.node else {
                    return Ok(false);
                };
                match (&*name.node.name, &call.node.arguments[..]) {
                    (
                        "__builtin_constant_p" | "__ravelin_types_compatible" | "__ravelin_alignof",
                        _,
                    ) => true,
                    ("__builtin_choose_expr", [condition, a, b]) => {
                        let chosen = if self.constant_int(condition)? != 0 { a } else { b };
                        self.is_integer_constant(chosen)?
                    }
                    _ => false,
                }
            }
            Expression::StringLiteral(_)
            | Expression::Member(_)
            | Expression::CompoundLiteral(_)
            | Expression::Comma(_)
            | Expression::VaArg(_)
            | Expression::Statement(_) => false,
        })
    }
}

/// Whether the operator computes a value from two others, without other effects.
fn is_arithmetic(operator: &BinaryOperator) -> bool {
    matches!(operator, operators!(division, arithmetic, relations))
}

/// The source layer's mark for the middle operand of `a ?: b`.
pub(crate) fn is_omitted(node: &Node<Expression>) -> bool {
    matches!(&node.node, Expression::Identifier(name) if name.node.name == "__ravelin_omitted")
}
