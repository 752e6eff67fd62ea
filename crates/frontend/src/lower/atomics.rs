//! `__atomic_*`, `__sync_*` and their kind: an access and what surrounds it, in an atomic block.

use lang_c::span::Span;
use ravelin_cfa::{Op, Term};
use ravelin_term::{BinOp, UnOp};

use super::place::Place;
use super::{Lowerer, Result, Val};
use crate::library::{Atomic, AtomicAction, Operands, SwapResult, UpdateOp, UpdateResult};
use crate::types::{Qualifiers, Ty, TypeKind};

impl Lowerer<'_> {
    pub fn atomic(&mut self, atomic: Atomic, result: Ty, args: &[Val], span: Span) -> Result<Val> {
        let Some(&pointer) = args.first() else {
            return self.error(span, "the address of an object is needed");
        };
        let Some(ty) = self.accessed_type(atomic, pointer) else {
            let ty = self.spell(pointer.ty);
            return self
                .error(span, format!("a value of type '{ty}' cannot be accessed atomically"));
        };
        let qualified = self.types.qualify(ty, Qualifiers::ATOMIC);
        let object = Place::memory(pointer.term, qualified);
        // Operands are evaluated, and read through their pointers, before the access itself.
        let operand = |lowerer: &mut Self, index: usize| -> Result<Val> {
            let Some(&value) = args.get(index) else {
                return lowerer.error(span, "too few arguments");
            };
            let value = match atomic.operands {
                Operands::Values => value,
                Operands::Pointers => {
                    let place = Place::memory(value.term, ty);
                    lowerer.load(place)?
                }
            };
            let value = lowerer.convert(value, ty, span)?;
            Ok(lowerer.snapshot(value))
        };
        let value = match atomic.action {
            AtomicAction::Load => {
                let value = self.load(object)?;
                return self.give(atomic, value, args.get(1), ty, span);
            }
            AtomicAction::Store => {
                let value = operand(self, 1)?;
                self.store(object, value, false)?;
                return Ok(self.void_value());
            }
            AtomicAction::StoreZero => {
                let zero = self.zero_of(ty);
                self.store(object, zero, false)?;
                return Ok(self.void_value());
            }
            AtomicAction::Clear => {
                let byte = self.int_value(0, self.types.bool);
                self.store_scalar(pointer.term, byte.term, self.types.bool);
                return Ok(self.void_value());
            }
            AtomicAction::Exchange => {
                let new = operand(self, 1)?;
                self.emit(Op::AtomicBegin);
                let old = self.load(object)?;
                self.store(object, new, false)?;
                self.emit(Op::AtomicEnd);
                return self.give(atomic, old, args.get(2), ty, span);
            }
            AtomicAction::CompareExchange => {
                let desired = operand(self, 2)?;
                let Some(&expected) = args.get(1) else {
                    return self.error(span, "too few arguments");
                };
                let expected_place = Place::memory(expected.term, ty);
                let expected = self.load(expected_place)?;
                let (old, success) = self.compare_and_swap(object, expected, desired)?;
                // On failure the caller learns the value; the store to its own variable is no part
                // of the atomic access.
                let (fails, end) = (self.body.new_loc(), self.body.new_loc());
                self.emit_branch(success, end, fails);
                self.body.start_at(fails);
                self.store(expected_place, old, false)?;
                self.body.jump(end);
                self.body.start_at(end);
                self.bool_value(success)
            }
            AtomicAction::CompareSwap { result } => {
                let (expected, desired) = (operand(self, 1)?, operand(self, 2)?);
                let (old, success) = self.compare_and_swap(object, expected, desired)?;
                match result {
                    SwapResult::Old => old,
                    SwapResult::Success => self.bool_value(success),
                }
            }
            AtomicAction::Update { op, result } => {
                let operand = operand(self, 1)?;
                self.emit(Op::AtomicBegin);
                let old = self.load(object)?;
                let new = self.updated(op, old, operand);
                let new = self.snapshot(new);
                self.store(object, new, false)?;
                self.emit(Op::AtomicEnd);
                match result {
                    UpdateResult::Old => old,
                    UpdateResult::New => new,
                }
            }
            AtomicAction::TestAndSet => {
                let byte = Place::memory(pointer.term, self.types.bool);
                self.emit(Op::AtomicBegin);
                let old = self.load(byte)?;
                let one = self.int_value(1, self.types.bool);
                self.store(byte, one, false)?;
                self.emit(Op::AtomicEnd);
                let was_set = self.truth(old, span)?;
                self.bool_value(was_set)
            }
        };
        // The declaration's result type if there is one, else that of the object.
        let wanted = if self.types.is_scalar(result) && self.types.is_scalar(value.ty) {
            match atomic.action {
                AtomicAction::CompareExchange | AtomicAction::TestAndSet => self.types.bool,
                AtomicAction::CompareSwap { result: SwapResult::Success } => self.types.bool,
                _ => value.ty,
            }
        } else {
            return Ok(value);
        };
        Ok(self.convert_scalar(value, wanted))
    }

    /// The type of the object: what the pointer points to, or an unsigned integer of the width that
    /// the function's name tells.
    fn accessed_type(&mut self, atomic: Atomic, pointer: Val) -> Option<Ty> {
        let to = self.types.pointee(pointer.ty)?;
        let ty = self.types.unqualified(to);
        match atomic.width {
            Some(bytes) if self.types.size_of(ty) != Some(u64::from(bytes)) => {
                Some(self.unsigned_of_width(u16::from(bytes) * 8))
            }
            _ if self.types.is_void(ty) => Some(self.types.bool),
            _ => Some(ty),
        }
    }

    fn zero_of(&mut self, ty: Ty) -> Val {
        match self.types.sort(ty) {
            Some(sort) => Val { term: self.program.terms.zero(sort), ty },
            None => self.void_value(),
        }
    }

    /// The result of a load or exchange: the call's value, or stored through the last pointer.
    fn give(
        &mut self,
        atomic: Atomic,
        value: Val,
        to: Option<&Val>,
        ty: Ty,
        span: Span,
    ) -> Result<Val> {
        match (atomic.operands, to) {
            (Operands::Values, _) => Ok(value),
            (Operands::Pointers, Some(to)) => {
                self.store(Place::memory(to.term, ty), value, false)?;
                Ok(self.void_value())
            }
            (Operands::Pointers, None) => self.error(span, "too few arguments"),
        }
    }

    /// The old value, and whether it was the expected one and the desired one was stored.
    fn compare_and_swap(
        &mut self,
        object: Place,
        expected: Val,
        desired: Val,
    ) -> Result<(Val, Term)> {
        self.emit(Op::AtomicBegin);
        let old = self.load(object)?;
        let old = self.snapshot(old);
        // The representations are compared, so floats go by their bits.
        let equal = if self.types.is_float(old.ty) {
            let a = self.program.terms.unary(UnOp::FToBits, old.term);
            let b = self.program.terms.unary(UnOp::FToBits, expected.term);
            self.program.terms.eq(a, b)
        } else {
            self.program.terms.eq(old.term, expected.term)
        };
        let success = self.bool_value(equal);
        let success = self.snapshot(success);
        let success = self.truth(success, self.body.span)?;
        let (store, end) = (self.body.new_loc(), self.body.new_loc());
        self.emit_branch(success, store, end);
        self.body.start_at(store);
        self.store(object, desired, false)?;
        self.body.jump(end);
        self.body.start_at(end);
        self.emit(Op::AtomicEnd);
        Ok((old, success))
    }

    fn updated(&mut self, op: UpdateOp, old: Val, operand: Val) -> Val {
        // gcc does not scale: a pointer moves by bytes.
        if matches!(self.types.kind(old.ty), TypeKind::Pointer(_)) {
            let terms = &mut self.program.terms;
            let bytes = terms.unary(UnOp::PtrToInt, operand.term);
            let bytes = match op {
                UpdateOp::Add => bytes,
                _ => terms.unary(UnOp::BvNeg, bytes),
            };
            return Val { term: terms.ptr_add(old.term, bytes), ty: old.ty };
        }
        let terms = &mut self.program.terms;
        let binary = match op {
            UpdateOp::Add => BinOp::BvAdd,
            UpdateOp::Sub => BinOp::BvSub,
            UpdateOp::And | UpdateOp::Nand => BinOp::BvAnd,
            UpdateOp::Or => BinOp::BvOr,
            UpdateOp::Xor => BinOp::BvXor,
        };
        let mut term = terms.binary(binary, old.term, operand.term);
        if op == UpdateOp::Nand {
            term = terms.unary(UnOp::BvNot, term);
        }
        Val { term, ty: old.ty }
    }
}
