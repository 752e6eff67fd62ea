//! `__atomic_*`, `__sync_*` and similar builtins: an access and its surroundings, in an atomic
//! block.

use lang_c::span::Span;
use ravelin_cfa::{HavocKind, MemoryOrder, Op, Sort, Term};
use ravelin_term::{BinOp, FloatKind, UnOp};

use super::place::Place;
use super::{Lowerer, Result, Val};
use crate::library::{
    Atomic, AtomicAction, Operands, Strength, SwapResult, UpdateOp, UpdateResult,
};
use crate::types::{Field, Qualifiers, Ty, TypeKind};

impl Lowerer<'_> {
    pub fn atomic(&mut self, atomic: Atomic, result: Ty, args: &[Val], span: Span) -> Result<Val> {
        let Some(&pointer) = args.first() else {
            return self.error(span, "the address of an object is needed");
        };
        let Some(object_ty) = self.accessed_type(atomic, pointer) else {
            let ty = self.spell(pointer.ty);
            return self
                .error(span, format!("a value of type '{ty}' cannot be accessed atomically"));
        };
        if self.types.as_record(object_ty).is_some() && !accesses_whole_objects(atomic.action) {
            let ty = self.spell(object_ty);
            return self.error(span, format!("a value of type '{ty}' cannot be computed with"));
        }
        let ty = self.integer_for(object_ty).unwrap_or(object_ty);
        let qualified = self.types.qualify(ty, Qualifiers::ATOMIC);
        let object = Place::memory(pointer.term, qualified);
        // Operands are evaluated, and read through their pointers, before the access itself.
        let operand = |lowerer: &mut Self, index: usize| -> Result<Val> {
            let Some(&value) = args.get(index) else {
                return lowerer.error(span, "too few arguments");
            };
            let is_address = match atomic.operands {
                // The value of a struct is an address, too.
                Operands::Values => lowerer.types.as_record(value.ty).is_some(),
                Operands::Pointers => true,
            };
            let value = match is_address {
                true => lowerer.load(Place::memory(value.term, ty))?,
                false => value,
            };
            let value = lowerer.convert(value, ty, span)?;
            Ok(lowerer.kept(value))
        };
        let value = match atomic.action {
            AtomicAction::Load => {
                let value = self.load(object)?;
                return self.give(atomic, value, args.get(1), object_ty, span);
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
                let flag = self.types.qualify(self.types.bool, Qualifiers::ATOMIC);
                self.store_scalar(pointer.term, byte.term, flag);
                return Ok(self.void_value());
            }
            AtomicAction::Exchange => {
                let new = operand(self, 1)?;
                self.emit(Op::AtomicBegin);
                let old = self.load(object)?;
                self.store(object, new, false)?;
                self.emit(Op::AtomicEnd);
                return self.give(atomic, old, args.get(2), object_ty, span);
            }
            AtomicAction::CompareExchange(strength) => {
                let desired = operand(self, 2)?;
                let Some(&expected) = args.get(1) else {
                    return self.error(span, "too few arguments");
                };
                let expected_place = Place::memory(expected.term, ty);
                let expected = self.load(expected_place)?;
                let expected = self.kept(expected);
                let fails = self.spurious_failure(strength, args, span)?;
                let (old, success) = self.compare_and_swap(object, expected, desired, fails)?;
                // On failure the caller gets the value; the store to the caller's variable is not
                // part of the atomic access.
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
                let never = self.program.terms.bool(false);
                let (old, success) = self.compare_and_swap(object, expected, desired, never)?;
                match result {
                    SwapResult::Old => old,
                    SwapResult::Success => self.bool_value(success),
                }
            }
            AtomicAction::Update { op, result } => {
                let operand = operand(self, 1)?;
                let is_extreme = matches!(
                    op,
                    UpdateOp::Max | UpdateOp::Min | UpdateOp::UnsignedMax | UpdateOp::UnsignedMin
                );
                if is_extreme && self.types.int_width(object.ty) != Some(32) {
                    self.unsupported("an atomic maximum or minimum of what is no int");
                }
                self.emit(Op::AtomicBegin);
                let old = self.load(object)?;
                let new = self.updated(op, old, operand);
                let new = self.snapshot(new);
                self.store(object, new, false)?;
                self.emit(Op::AtomicEnd);
                match result {
                    UpdateResult::Old
                        if matches!(op, UpdateOp::UnsignedMax | UpdateOp::UnsignedMin) =>
                    {
                        self.convert_scalar(old, self.types.uint)
                    }
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
                AtomicAction::CompareExchange(_) | AtomicAction::TestAndSet => self.types.bool,
                AtomicAction::CompareSwap { result: SwapResult::Success } => self.types.bool,
                _ => value.ty,
            }
        } else {
            return Ok(value);
        };
        Ok(self.convert_scalar(value, wanted))
    }

    /// The type of the object: the pointer's target, or an unsigned integer of the width in the
    /// function's name.
    fn accessed_type(&mut self, atomic: Atomic, pointer: Val) -> Option<Ty> {
        let to = self.types.pointee(pointer.ty)?;
        let ty = self.types.unqualified(to);
        match atomic.width {
            Some(bytes)
                if self.types.size_of(ty) != Some(u64::from(bytes))
                    || self.types.as_record(ty).is_some() =>
            {
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

    /// The integer type for accessing a record with unions or with very many members. Other records
    /// are accessed by their members, so that memory keeps its types, and so are those with
    /// padding, whose contents are unspecified (C11 6.2.6.1p6).
    fn integer_for(&mut self, ty: Ty) -> Option<Ty> {
        self.types.as_record(ty)?;
        if self.dense_leaves(ty).is_some() || !self.is_filled(ty) {
            return None;
        }
        match self.types.size_of(ty)? {
            size @ (1 | 2 | 4 | 8) => Some(self.unsigned_of_width(size as u16 * 8)),
            _ => None,
        }
    }

    /// Whether all bytes of the type belong to scalars; for a union, to those of one member.
    fn is_filled(&self, ty: Ty) -> bool {
        match self.types.kind(ty) {
            TypeKind::Bool | TypeKind::Int(_) | TypeKind::Pointer(_) => true,
            // The x87 format leaves some of its bytes unused.
            TypeKind::Float(kind) => *kind != FloatKind::F80,
            TypeKind::Array(element, Some(_)) => self.is_filled(*element),
            TypeKind::Record(record) => {
                let Some(fields) = self.types.fields(*record) else { return false };
                let size = self.types.size_of(ty);
                let fills = |field: &Field| field.bits.is_none() && self.is_filled(field.ty);
                if self.types.records[*record].is_union {
                    let whole = |field: &Field| self.types.size_of(field.ty) == size;
                    return fields.iter().any(|field| whole(field) && fills(field));
                }
                let sizes = fields.iter().map(|field| self.types.size_of(field.ty));
                fields.iter().all(fills) && sizes.sum::<Option<u64>>() == size
            }
            TypeKind::Array(_, None)
            | TypeKind::Void
            | TypeKind::Vla(..)
            | TypeKind::Function(_) => false,
        }
    }

    /// A copy of the current value. A struct's value is its address, so this copies the struct.
    fn kept(&mut self, value: Val) -> Val {
        match self.types.as_record(value.ty) {
            Some(_) => self.copy_of_record(value, false),
            None => self.snapshot(value),
        }
    }

    /// The result of a load or exchange: the call's value, or stored through the last pointer. An
    /// object of type `ty` may have been accessed as an integer.
    fn give(
        &mut self,
        atomic: Atomic,
        value: Val,
        to: Option<&Val>,
        ty: Ty,
        span: Span,
    ) -> Result<Val> {
        match (atomic.operands, to) {
            (Operands::Values, _) if self.types.as_record(ty) == self.types.as_record(value.ty) => {
                Ok(value)
            }
            (Operands::Values, _) => {
                let name = self.body.temp_name;
                let object = self.new_local_object(name, ty, &Default::default());
                let address = self.program.terms.address(object);
                self.store_scalar(address, value.term, value.ty);
                Ok(Val { term: address, ty })
            }
            (Operands::Pointers, Some(to)) => {
                self.store(Place::memory(to.term, value.ty), value, false)?;
                Ok(self.void_value())
            }
            (Operands::Pointers, None) => self.error(span, "too few arguments"),
        }
    }

    /// Whether a comparison fails spuriously: C11 7.17.7.4p4 lets weak ones do so.
    fn spurious_failure(&mut self, strength: Strength, args: &[Val], span: Span) -> Result<Term> {
        let is_weak = match strength {
            Strength::Strong => self.program.terms.bool(false),
            Strength::Weak => self.program.terms.bool(true),
            Strength::Argument(index) => match args.get(usize::from(index)) {
                Some(&weak) => self.truth(weak, span)?,
                None => return self.error(span, "too few arguments"),
            },
        };
        if self.program.terms.as_bool(is_weak) == Some(false) {
            return Ok(is_weak);
        }
        let coin = self.any_value(self.types.bool, HavocKind::Unspecified);
        let fails = self.truth(coin, span)?;
        Ok(self.program.terms.and(is_weak, fails))
    }

    /// The old value, and whether it was the expected one and the desired one was stored. If
    /// `fails` holds, it was not.
    fn compare_and_swap(
        &mut self,
        object: Place,
        expected: Val,
        desired: Val,
        fails: Term,
    ) -> Result<(Val, Term)> {
        self.emit(Op::AtomicBegin);
        let old = self.load(object)?;
        let old = self.kept(old);
        let equal = self.equal_contents(old, expected);
        let may = self.program.terms.not(fails);
        let equal = self.program.terms.and(equal, may);
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

    /// Whether two values of one type have the same representation.
    fn equal_contents(&mut self, a: Val, b: Val) -> Term {
        if self.types.as_record(a.ty).is_none() {
            return self.equal_representation(a.term, b.term);
        }
        let Some(leaves) = self.dense_leaves(a.ty) else {
            // The hardware compares padding, too.
            self.unsupported("an atomic comparison of padding, or of a large union");
            return self.program.terms.bool(false);
        };
        let mut equal = self.program.terms.bool(true);
        for (offset, sort) in leaves {
            let [a, b] = [a, b].map(|value| {
                let addr = self.program.terms.ptr_add_const(value.term, offset);
                let dst = self.temp(sort, false);
                self.emit(Op::Load { dst, addr, order: MemoryOrder::Plain });
                self.program.read(dst)
            });
            let same = self.equal_representation(a, b);
            equal = self.program.terms.and(equal, same);
        }
        equal
    }

    /// The representations are compared, so floats go by their bits.
    pub(super) fn equal_representation(&mut self, a: Term, b: Term) -> Term {
        let terms = &mut self.program.terms;
        if let Sort::Float(_) = terms.sort(a) {
            let (a, b) = (terms.unary(UnOp::FToBits, a), terms.unary(UnOp::FToBits, b));
            return terms.eq(a, b);
        }
        terms.eq(a, b)
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
        let signed = self.types.is_signed(old.ty);
        let terms = &mut self.program.terms;
        let binary = match op {
            UpdateOp::Max | UpdateOp::Min | UpdateOp::UnsignedMax | UpdateOp::UnsignedMin => {
                let unsigned = matches!(op, UpdateOp::UnsignedMax | UpdateOp::UnsignedMin);
                let less = if signed && !unsigned { BinOp::BvSlt } else { BinOp::BvUlt };
                let (a, b) = match op {
                    UpdateOp::Max | UpdateOp::UnsignedMax => (old.term, operand.term),
                    _ => (operand.term, old.term),
                };
                let moves = terms.binary(less, a, b);
                return Val { term: terms.ite(moves, operand.term, old.term), ty: old.ty };
            }
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

/// Whether the access moves and compares objects as they are, so that they may be structs.
fn accesses_whole_objects(action: AtomicAction) -> bool {
    match action {
        AtomicAction::Load
        | AtomicAction::Store
        | AtomicAction::Exchange
        | AtomicAction::CompareExchange(_)
        | AtomicAction::TestAndSet
        | AtomicAction::Clear => true,
        AtomicAction::StoreZero
        | AtomicAction::CompareSwap { .. }
        | AtomicAction::Update { .. } => false,
    }
}
