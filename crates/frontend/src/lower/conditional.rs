//! `&&`, `||` and `?:` as values (C11 6.5.13 - 6.5.15).

use lang_c::ast::{BinaryOperator, BinaryOperatorExpression, ConditionalExpression, Expression};
use lang_c::span::{Node, Span};
use ravelin_term::BinOp;

use super::{Lowerer, Result, Val};
use crate::types::Ty;

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
        let ty = self.conditional_type(then, other, span)?;

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
        let ConditionalExpression { then_expression, else_expression, .. } = &node.node;
        let (chosen, dropped) = if value {
            (then_expression, else_expression)
        } else {
            (else_expression, then_expression)
        };
        let chosen_value = if value && omitted { tested } else { self.rvalue(chosen)? };
        // Of the other operand only the type matters, after its promotion if it is a bit-field.
        let dropped_ty = match is_omitted(dropped) {
            true => tested.ty,
            false => self.nowhere(|lowerer| lowerer.rvalue(dropped)).0?.ty,
        };
        let term = match self.types.is_integer(dropped_ty) {
            true => self.int_value(0, dropped_ty).term,
            false => self.program.terms.null(),
        };
        let dropped = Val { term, ty: dropped_ty };
        let ty = self.conditional_type(chosen_value, dropped, node.span)?;
        self.conditional_operand(chosen_value, ty, node.span)
    }

    fn conditional_operand(&mut self, value: Val, ty: Ty, span: Span) -> Result<Val> {
        if self.types.is_scalar(ty) { self.convert(value, ty, span) } else { Ok(value) }
    }

    /// C11 6.5.15p5f.
    fn conditional_type(&mut self, a: Val, b: Val, span: Span) -> Result<Ty> {
        if self.types.is_arithmetic(a.ty) && self.types.is_arithmetic(b.ty) {
            return Ok(self.types.usual_arithmetic(a.ty, b.ty));
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
            // A null pointer constant takes the other's type; `void *` wins over the rest.
            (Some(_), Some(to)) if self.is_null_constant(a) || self.types.is_void(to) => Ok(b.ty),
            (Some(_), _) => Ok(a.ty),
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

    fn is_null_constant(&self, value: Val) -> bool {
        self.program.terms.kind(value.term) == ravelin_term::TermKind::Null
            && self.types.pointee(value.ty).is_some_and(|to| self.types.is_void(to))
    }
}

/// The source layer's mark for the middle operand of `a ?: b`.
pub(crate) fn is_omitted(node: &Node<Expression>) -> bool {
    matches!(&node.node, Expression::Identifier(name) if name.node.name == "__ravelin_omitted")
}
