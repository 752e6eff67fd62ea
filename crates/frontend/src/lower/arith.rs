//! Binary operators on values (C11 6.5.5 - 6.5.12).

use lang_c::ast::BinaryOperator;
use lang_c::span::Span;
use ravelin_cfa::Term;
use ravelin_term::{BinOp, UnOp};

use super::checks::Operator;
use super::rounding::Inexact;
use super::{Lowerer, Result, Val};
use crate::types::Ty;

impl Lowerer<'_> {
    /// `left op right` for the arithmetic, bitwise and relational operators.
    pub fn arithmetic(
        &mut self,
        operator: Operator<'_>,
        left: Val,
        right: Val,
        span: Span,
    ) -> Result<Val> {
        use BinaryOperator as B;
        let op = operator.op;
        let pointers = (self.types.is_pointer(left.ty), self.types.is_pointer(right.ty));
        match op {
            B::Plus | B::Minus if pointers != (false, false) => {
                self.pointer_arithmetic(op, left, right, span)
            }
            B::Less
            | B::Greater
            | B::LessOrEqual
            | B::GreaterOrEqual
            | B::Equals
            | B::NotEquals
                if pointers != (false, false) =>
            {
                self.compare_pointers(op, left, right, span)
            }
            B::ShiftLeft | B::ShiftRight => self.shift(operator, left, right, span),
            _ => {
                let integers_only =
                    matches!(op, B::Modulo | B::BitwiseAnd | B::BitwiseXor | B::BitwiseOr);
                let allowed = |ty: Ty, lowerer: &Self| {
                    if integers_only {
                        lowerer.types.is_integer(ty)
                    } else {
                        lowerer.types.is_arithmetic(ty)
                    }
                };
                if !allowed(left.ty, self) || !allowed(right.ty, self) {
                    return self.operand_error(left.ty, right.ty, span);
                }
                let ty = self.types.usual_arithmetic(left.ty, right.ty);
                let left = self.convert_scalar(left, ty).term;
                let right = self.convert_scalar(right, ty).term;
                if self.types.is_float(ty) {
                    Ok(self.float_operation(op, left, right, ty))
                } else {
                    Ok(self.integer_operation(operator, left, right, ty))
                }
            }
        }
    }

    fn operand_error<T>(&mut self, left: Ty, right: Ty, span: Span) -> Result<T> {
        let message = format!(
            "the operands have types '{}' and '{}', which the operator does not take",
            self.spell(left),
            self.spell(right)
        );
        self.error(span, message)
    }

    fn integer_operation(&mut self, operator: Operator<'_>, a: Term, b: Term, ty: Ty) -> Val {
        use BinaryOperator as B;
        self.check_integers(operator, a, b, ty);
        let op = operator.op;
        let signed = self.types.is_signed(ty);
        let pick = |on_signed, on_unsigned| if signed { on_signed } else { on_unsigned };
        let arithmetic = match op {
            B::Multiply => Some(BinOp::BvMul),
            B::Divide => Some(pick(BinOp::BvSdiv, BinOp::BvUdiv)),
            B::Modulo => Some(pick(BinOp::BvSrem, BinOp::BvUrem)),
            B::Plus => Some(BinOp::BvAdd),
            B::Minus => Some(BinOp::BvSub),
            B::BitwiseAnd => Some(BinOp::BvAnd),
            B::BitwiseXor => Some(BinOp::BvXor),
            B::BitwiseOr => Some(BinOp::BvOr),
            _ => None,
        };
        if let Some(op) = arithmetic {
            let value = Val { term: self.program.terms.binary(op, a, b), ty };
            // Division by zero is undefined (C11 6.5.5p5), so its position matters: it gets a step
            // of its own unless it cannot fail.
            let divides =
                matches!(op, BinOp::BvSdiv | BinOp::BvUdiv | BinOp::BvSrem | BinOp::BvUrem);
            let is_safe = self.program.terms.is_literal(value.term)
                || self.program.terms.as_signed(b).is_some_and(|b| b != 0 && b != -1);
            return if divides && !is_safe { self.snapshot(value) } else { value };
        }
        let (lt, le) = (pick(BinOp::BvSlt, BinOp::BvUlt), pick(BinOp::BvSle, BinOp::BvUle));
        self.relation(op, a, b, lt, le)
    }

    fn float_operation(&mut self, op: &BinaryOperator, a: Term, b: Term, ty: Ty) -> Val {
        use BinaryOperator as B;
        let arithmetic = match op {
            B::Multiply => Some(BinOp::FMul),
            B::Divide => Some(BinOp::FDiv),
            B::Plus => Some(BinOp::FAdd),
            B::Minus => Some(BinOp::FSub),
            _ => None,
        };
        if let Some(op) = arithmetic {
            let value = Val { term: self.program.terms.binary(op, a, b), ty };
            let operation = match op {
                BinOp::FMul => Inexact::Multiply(a, b),
                BinOp::FDiv => Inexact::Divide(a, b),
                BinOp::FSub => Inexact::Add(a, self.program.terms.unary(UnOp::FNeg, b)),
                _ => Inexact::Add(a, b),
            };
            return self.follow_rounding(value, operation);
        }
        self.relation(op, a, b, BinOp::FLt, BinOp::FLe)
    }

    /// A relational or equality operator, by the order's `lt` and `le`.
    fn relation(&mut self, op: &BinaryOperator, a: Term, b: Term, lt: BinOp, le: BinOp) -> Val {
        use BinaryOperator as B;
        let terms = &mut self.program.terms;
        let condition = match op {
            B::Less => terms.binary(lt, a, b),
            B::Greater => terms.binary(lt, b, a),
            B::LessOrEqual => terms.binary(le, a, b),
            B::GreaterOrEqual => terms.binary(le, b, a),
            B::NotEquals => {
                let equal = terms.eq(a, b);
                terms.not(equal)
            }
            _ => terms.eq(a, b),
        };
        self.bool_value(condition)
    }

    /// C11 6.5.7: each operand is promoted on its own; the result has the left one's type.
    fn shift(&mut self, operator: Operator<'_>, left: Val, right: Val, span: Span) -> Result<Val> {
        if !self.types.is_integer(left.ty) || !self.types.is_integer(right.ty) {
            return self.operand_error(left.ty, right.ty, span);
        }
        let ty = self.types.promote(left.ty);
        let value = self.convert_scalar(left, ty);
        self.check_shift(operator, value, right);
        let left = value.term;
        let width = self.types.int_width(ty).unwrap_or(32);
        let signed_amount = self.types.is_signed(right.ty);
        // A narrower amount keeps its value. A wider one is truncated: amounts of the width and
        // more are undefined (C11 6.5.7p3), and truncation changes only those.
        let amount = self.program.terms.resize(right.term, width, signed_amount);
        let op = match operator.op {
            BinaryOperator::ShiftLeft => BinOp::BvShl,
            _ if self.types.is_signed(ty) => BinOp::BvAshr,
            _ => BinOp::BvLshr,
        };
        Ok(Val { term: self.program.terms.binary(op, left, amount), ty })
    }

    /// C11 6.5.6: pointer plus or minus integer, and the difference of two pointers.
    fn pointer_arithmetic(
        &mut self,
        op: &BinaryOperator,
        left: Val,
        right: Val,
        span: Span,
    ) -> Result<Val> {
        let minus = *op == BinaryOperator::Minus;
        match (self.types.pointee(left.ty), self.types.pointee(right.ty)) {
            (Some(element), Some(_)) if minus => {
                let difference = self.program.terms.binary(BinOp::PtrDiff, left.term, right.term);
                let size = self.size_term(element);
                let is_empty = self.program.terms.as_bv(size) == Some(0);
                let term = if is_empty {
                    difference
                } else {
                    self.program.terms.binary(BinOp::BvSdiv, difference, size)
                };
                Ok(Val { term, ty: self.types.ptrdiff })
            }
            (Some(element), None) if self.types.is_integer(right.ty) => {
                let index = if minus {
                    // Extend first: an unsigned int must not wrap around when negated.
                    let bits = self.program.terms.pointer_bits();
                    let signed = self.types.is_signed(right.ty);
                    let index = self.program.terms.resize(right.term, bits, signed);
                    let negated = self.program.terms.unary(UnOp::BvNeg, index);
                    Val { term: negated, ty: self.types.ptrdiff }
                } else {
                    right
                };
                let term = self.element_address(left.term, index, element, span)?;
                Ok(Val { term, ty: left.ty })
            }
            (None, Some(element)) if !minus && self.types.is_integer(left.ty) => {
                let term = self.element_address(right.term, left, element, span)?;
                Ok(Val { term, ty: right.ty })
            }
            _ => self.operand_error(left.ty, right.ty, span),
        }
    }

    fn compare_pointers(
        &mut self,
        op: &BinaryOperator,
        left: Val,
        right: Val,
        span: Span,
    ) -> Result<Val> {
        let comparable = |ty| self.types.is_pointer(ty) || self.types.is_integer(ty);
        if !comparable(left.ty) || !comparable(right.ty) {
            return self.operand_error(left.ty, right.ty, span);
        }
        let pointer = self.types.void_ptr;
        let left = self.convert_scalar(left, pointer).term;
        let right = self.convert_scalar(right, pointer).term;
        Ok(self.relation(op, left, right, BinOp::PtrLt, BinOp::PtrLe))
    }
}
