//! Operators on vectors of GNU C: on each element of one, or on each pair of elements of two.

use lang_c::ast::BinaryOperator;
use lang_c::span::Span;
use ravelin_cfa::Term;
use ravelin_term::{BinOp, UnOp};

use super::{Lowerer, Result, Val};
use crate::types::{IntKind, Parts, Shape, Ty};

impl Lowerer<'_> {
    /// GNU C: an operator on vectors is one on each pair of elements; a scalar stands for a vector of it.
    pub(super) fn binary_on_vectors(
        &mut self,
        op: &BinaryOperator,
        left: Val,
        right: Val,
        span: Span,
    ) -> Result<Val> {
        use BinaryOperator as B;
        let Some(parts) = self.types.parts(left.ty).or_else(|| self.types.parts(right.ty)) else {
            return self.operand_error(left.ty, right.ty, span);
        };
        let is_shift = matches!(op, B::ShiftLeft | B::ShiftRight);
        let (Some(a), Some(b)) = (self.elements(left, parts), self.elements(right, parts)) else {
            return self.operand_error(left.ty, right.ty, span);
        };
        let element = parts.element;
        let integers_only =
            is_shift || matches!(op, B::Modulo | B::BitwiseAnd | B::BitwiseXor | B::BitwiseOr);
        if integers_only && !self.types.is_integer(element) {
            return self.operand_error(left.ty, right.ty, span);
        }
        let compares = matches!(
            op,
            B::Less | B::Greater | B::LessOrEqual | B::GreaterOrEqual | B::Equals | B::NotEquals
        );
        let width = self.types.size_of(element).unwrap_or(4) as u16 * 8;
        let mut values = Vec::with_capacity(a.len());
        for (a, b) in a.into_iter().zip(b) {
            let value = if is_shift {
                self.shift_element(op, a, b, element)
            } else {
                self.on_element(op, a, b, element)
            };
            values.push(match compares {
                // Every bit of the result says whether it holds.
                true => {
                    let truth = self.program.terms.is_nonzero(value);
                    let bit = self.program.terms.bool_to_bv(truth, width);
                    self.program.terms.unary(UnOp::BvNeg, bit)
                }
                false => value,
            });
        }
        let ty = match compares {
            true => {
                let element = self.signed_of_width(width);
                self.types.vector(element, parts.count)
            }
            false => self.types.of_parts(parts),
        };
        Ok(self.of_parts(ty, &values))
    }

    fn shift_element(&mut self, op: &BinaryOperator, a: Term, b: Term, element: Ty) -> Term {
        let op = match op {
            BinaryOperator::ShiftLeft => BinOp::BvShl,
            _ if self.types.is_signed(element) => BinOp::BvAshr,
            _ => BinOp::BvLshr,
        };
        self.program.terms.binary(op, a, b)
    }

    /// The signed integer type of this width that elements of comparisons have.
    fn signed_of_width(&mut self, width: u16) -> Ty {
        let kind = IntKind::signed_of_width(width, self.types.data_model());
        self.types.integer(kind)
    }

    /// The elements of an operand of an operator on vectors of this kind.
    fn elements(&mut self, value: Val, wanted: Parts) -> Option<Vec<Term>> {
        match self.types.parts(value.ty) {
            Some(parts) => {
                let same_size =
                    self.types.size_of(parts.element) == self.types.size_of(wanted.element);
                let same_kind =
                    self.types.is_float(parts.element) == self.types.is_float(wanted.element);
                let fits = parts.shape == Shape::Vector
                    && parts.count == wanted.count
                    && same_size
                    && same_kind;
                fits.then(|| self.parts_of(value, parts))
            }
            None if self.types.is_arithmetic(value.ty) => {
                let term = self.convert_scalar(value, wanted.element).term;
                Some(vec![term; wanted.count as usize])
            }
            None => None,
        }
    }
}
