//! Conversions between types (C11 6.3).

use lang_c::span::Span;
use ravelin_term::{FloatKind, UnOp};

use super::rounding::Inexact;
use super::{Lowerer, Result, Val};
use crate::types::{Ty, TypeKind};

impl Lowerer<'_> {
    /// Implicit conversion, as by assignment (C11 6.5.16.1), leniently: pointers of all kinds and
    /// integers convert to one another, as in old code and by gcc's default.
    pub fn convert(&mut self, value: Val, to: Ty, span: Span) -> Result<Val> {
        let same_record = self.types.as_record(to).is_some()
            && self.types.as_record(to) == self.types.as_record(value.ty);
        if same_record {
            return Ok(value);
        }
        if self.has_parts(value.ty) || self.has_parts(to) {
            return self.convert_parts(value, to, span);
        }
        let float_and_pointer = (self.types.is_float(value.ty) && self.types.is_pointer(to))
            || (self.types.is_pointer(value.ty) && self.types.is_float(to));
        if !self.types.is_scalar(value.ty) || !self.types.is_scalar(to) || float_and_pointer {
            let message = format!(
                "a value of type '{}' cannot be converted to '{}'",
                self.spell(value.ty),
                self.spell(to)
            );
            return self.error(span, message);
        }
        Ok(self.convert_scalar(value, to))
    }

    /// Explicit conversion (C11 6.5.4); GNU C lets a value be cast to a union that holds its type.
    pub fn cast(&mut self, value: Val, to: Ty, span: Span) -> Result<Val> {
        if let Some(record) = self.types.as_record(to)
            && self.types.as_record(value.ty) != Some(record)
            && self.types.records[record].is_union
        {
            let name = self.body.temp_name;
            let object = self.new_local_object(name, to, &Default::default());
            let address = self.program.terms.address(object);
            if self.types.is_scalar(value.ty) {
                self.store_scalar(address, value.term, value.ty);
            } else {
                self.copy_aggregate(address, value.term, value.ty);
            }
            return Ok(Val { term: address, ty: to });
        }
        self.convert(value, to, span)
    }

    /// Between scalar types.
    pub fn convert_scalar(&mut self, value: Val, to: Ty) -> Val {
        let to = self.types.unqualified(to);
        let (from, target) = (self.types.kind(value.ty).clone(), self.types.kind(to).clone());
        if from == target {
            return Val { term: value.term, ty: to };
        }
        let signed = self.types.is_signed(value.ty);
        let pointer_bits = self.program.terms.pointer_bits();
        let width = self.types.int_width(to);
        let terms = &mut self.program.terms;
        let term = match (from, target) {
            // C11 6.3.1.2: 0 or 1.
            (_, TypeKind::Bool) => {
                let truth = terms.is_nonzero(value.term);
                terms.bool_to_bv(truth, 8)
            }
            (TypeKind::Bool | TypeKind::Int(_), TypeKind::Int(_)) => {
                terms.resize(value.term, width.unwrap_or(32), signed)
            }
            (TypeKind::Bool | TypeKind::Int(_), TypeKind::Float(kind)) => {
                let op = if signed { UnOp::SToF(kind) } else { UnOp::UToF(kind) };
                let term = terms.unary(op, value.term);
                let bits = terms.sort(value.term).width().unwrap_or(0);
                if bits <= precision(kind) {
                    return Val { term, ty: to };
                }
                let operation = Inexact::FromInteger { signed, value: value.term };
                return self.follow_rounding(Val { term, ty: to }, operation);
            }
            (TypeKind::Bool | TypeKind::Int(_), TypeKind::Pointer(_)) => {
                let address = terms.resize(value.term, pointer_bits, signed);
                terms.unary(UnOp::IntToPtr, address)
            }
            (TypeKind::Float(from_kind), TypeKind::Int(kind)) => {
                let width = width.unwrap_or(32);
                match register_width(from_kind, kind.is_signed(), width) {
                    Some(register) => {
                        let wide = terms.unary(UnOp::FToS(register), value.term);
                        terms.resize(wide, width, true)
                    }
                    None if kind.is_signed() => terms.unary(UnOp::FToS(width), value.term),
                    None => terms.unary(UnOp::FToU(width), value.term),
                }
            }
            (TypeKind::Float(from), TypeKind::Float(kind)) => {
                let term = terms.unary(UnOp::FToF(kind), value.term);
                if precision(from) <= precision(kind) {
                    return Val { term, ty: to };
                }
                let operation = Inexact::Narrow(from, value.term);
                return self.follow_rounding(Val { term, ty: to }, operation);
            }
            (TypeKind::Pointer(_), TypeKind::Int(_)) => {
                let address = terms.unary(UnOp::PtrToInt, value.term);
                terms.resize(address, width.unwrap_or(32), false)
            }
            (TypeKind::Pointer(_), TypeKind::Pointer(_)) => value.term,
            // Callers have checked that both are scalars that convert.
            (_, _) => value.term,
        };
        Val { term, ty: to }
    }
}

/// The bits that a float of this kind keeps.
fn precision(kind: FloatKind) -> u16 {
    match kind {
        FloatKind::F32 => 24,
        FloatKind::F64 => 53,
        FloatKind::F80 => 64,
        FloatKind::F128 => 113,
    }
}

/// x86 has no conversions to integers narrower than a register: the value is converted to a signed
/// integer of this width and truncated. Conversions that C leaves undefined (C11 6.3.1.4p1) wrap
/// around or, beyond the register, give the low bits of the number that stands for all failures.
fn register_width(from: FloatKind, signed: bool, width: u16) -> Option<u16> {
    match (from, width) {
        (_, 32..) => None,
        // `fistp` stores 16 bits, too, but an unsigned short needs more.
        (FloatKind::F80, 8) => Some(16),
        (FloatKind::F80, _) if signed => Some(16),
        (_, _) => Some(32),
    }
}
