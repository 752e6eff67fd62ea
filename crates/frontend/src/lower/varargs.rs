//! Variadic functions (C11 7.16).
//!
//! The caller puts the extra arguments into an object of its own, each in a slot of 16 bytes or a
//! multiple, and passes the object's address as a last, hidden parameter. A `va_list` is the
//! address of the next slot. So `va_arg` is a load and an addition, and the automaton needs no
//! operation for it.

use lang_c::ast::VaArgExpression;
use lang_c::span::{Node, Span};
use ravelin_cfa::{MemoryOrder, Op, Term};

use super::{Lowerer, Result, Val};
use crate::library::VarArgsFunction;
use crate::types::{Ty, TypeKind};

/// Aligned for every type, and not smaller than any scalar.
const SLOT: u64 = 16;

impl<'a> Lowerer<'a> {
    /// The object of the extra arguments of a call.
    pub fn pack_varargs(&mut self, args: &[Val]) -> Term {
        if args.is_empty() {
            return self.program.terms.null();
        }
        let sizes: Vec<u64> = args.iter().map(|arg| self.slot_size(arg.ty)).collect();
        let bytes = self.types.array(self.types.char, Some(sizes.iter().sum()));
        let name = self.intern("%arguments");
        let aligned =
            super::attribute::Attributes { align: Some(SLOT as u32), ..Default::default() };
        let object = self.new_local_object(name, bytes, &aligned);
        let base = self.program.terms.address(object);
        let mut offset = 0;
        for (arg, size) in args.iter().zip(sizes) {
            let addr = self.program.terms.ptr_add_const(base, offset);
            if self.types.is_scalar(arg.ty) {
                self.emit(Op::Store { addr, value: arg.term, order: MemoryOrder::Plain });
            } else {
                self.copy_aggregate(addr, arg.term, arg.ty);
            }
            offset += size;
        }
        base
    }

    fn slot_size(&self, ty: Ty) -> u64 {
        self.types.size_of(ty).unwrap_or(0).next_multiple_of(SLOT).max(SLOT)
    }

    /// Where a `va_list` keeps the address of the next slot. As a value, a `va_list` of x86-64 is
    /// the address of its struct, one of i386 the slot's address itself, so that one needs the
    /// lvalue.
    fn next_slot(
        &mut self,
        list: &'a Node<lang_c::ast::Expression>,
    ) -> Result<super::place::Place> {
        if self.types.va_list_is_array() {
            let pointer = self.rvalue(list)?;
            if !self.types.is_pointer(pointer.ty) {
                return self.error(list.span, "a va_list is needed");
            }
            let void_ptr = self.types.void_ptr;
            return Ok(super::place::Place::memory(pointer.term, void_ptr));
        }
        let place = self.place(list)?;
        if !self.types.is_pointer(place.ty) {
            return self.error(list.span, "a va_list is needed");
        }
        Ok(place)
    }

    pub fn va_arg(&mut self, node: &'a Node<VaArgExpression>) -> Result<Val> {
        let ty = self.type_name(&node.node.type_name)?;
        let list = self.next_slot(&node.node.va_list)?;
        self.at(node.span);
        let slot = self.load(list)?;
        let slot = self.snapshot(slot);
        let next = self.program.terms.ptr_add_const(slot.term, self.slot_size(ty));
        self.store(list, Val { term: next, ty: slot.ty }, false)?;
        if !self.types.is_complete(ty) || matches!(self.types.kind(ty), TypeKind::Vla(..)) {
            return self.error(node.span, "va_arg of an incomplete type");
        }
        let place = super::place::Place::memory(slot.term, ty);
        self.load(place)
    }

    /// `va_start`, `va_copy` and `va_end`.
    pub fn varargs_function(
        &mut self,
        function: VarArgsFunction,
        arguments: &'a [Node<lang_c::ast::Expression>],
        span: Span,
    ) -> Result<Val> {
        let void_ptr = self.types.void_ptr;
        match (function, arguments) {
            (VarArgsFunction::Start, [list, ..]) => {
                let Some(area) = self.body.varargs else {
                    return self.error(span, "va_start outside of a variadic function");
                };
                let list = self.next_slot(list)?;
                self.at(span);
                let term = self.program.read(area);
                self.store(list, Val { term, ty: void_ptr }, false)?;
            }
            (VarArgsFunction::Copy, [to, from]) => {
                let from = self.next_slot(from)?;
                let value = self.load(from)?;
                let to = self.next_slot(to)?;
                self.at(span);
                self.store(to, Val { term: value.term, ty: void_ptr }, false)?;
            }
            (VarArgsFunction::End, [_, ..]) => {}
            (_, _) => return self.error(span, "too few arguments"),
        }
        Ok(self.void_value())
    }
}
