//! Inputs of a program, and questions about pointers: functions of verifiers.

use lang_c::span::Span;
use ravelin_base::Symbol;
use ravelin_cfa::{Callee, HavocKind, Object, ObjectKind, Op, Term};
use ravelin_term::{BinOp, TermKind};

use super::{Lowerer, Result, Val};
use crate::library::PointerTest;
use crate::types::Ty;

/// More elements of a scalar type than these are filled byte by byte, in a loop.
const MAX_FILLED: u64 = 64;

/// The C model that fills memory byte by byte.
const FILL: &str = "__ravelin_fill_with_inputs";

impl Lowerer<'_> {
    /// Any value of a type, as an input that the function of this name gives.
    pub fn input(&mut self, ty: Ty, name: Symbol, span: Span) -> Result<Val> {
        if self.types.as_record(ty).is_none() || !self.types.is_complete(ty) {
            return Ok(self.any_value(ty, HavocKind::Input(name)));
        }
        let temp = self.body.temp_name;
        let object = self.new_local_object(temp, ty, &Default::default());
        let term = self.program.terms.address(object);
        self.fill_with_inputs(term, Some(ty), None, name, span)?;
        Ok(Val { term, ty })
    }

    /// Fills memory with inputs: `size` bytes, or without a size the object that the pointer points into.
    /// `pointee` is the type that the pointer has in the source.
    pub fn fill_with_inputs(
        &mut self,
        pointer: Term,
        pointee: Option<Ty>,
        size: Option<Term>,
        name: Symbol,
        span: Span,
    ) -> Result<()> {
        let mut element = pointee;
        while let Some(inner) = element.and_then(|ty| self.types.element(ty)) {
            element = Some(inner);
        }
        let (pointer, size) = match size {
            Some(size) => (pointer, size),
            None => match self.place_in_object(pointer) {
                Some((object, _)) => {
                    let size = self.program.objects[object].size;
                    let terms = &mut self.program.terms;
                    (terms.address(object), terms.offset(size))
                }
                None => {
                    let name = self.program.name(name).to_owned();
                    self.unsupported(&format!("{name}: an object of unknown size"));
                    return Ok(());
                }
            },
        };
        let bytes = self.program.terms.as_bv(size).and_then(|bytes| u64::try_from(bytes).ok());
        let scalar = element.filter(|&ty| self.types.is_scalar(ty));
        match (scalar, bytes) {
            (Some(ty), Some(bytes)) => {
                let width = self.types.size_of(ty).unwrap_or(1).max(1);
                if bytes % width != 0 || bytes / width > MAX_FILLED {
                    return self.fill_bytes(pointer, size, span);
                }
                let ty = self.types.unqualified(ty);
                for index in 0..bytes / width {
                    let offset = self.program.terms.offset(index * width);
                    let addr = self.program.terms.binary(BinOp::PtrAdd, pointer, offset);
                    let value = self.any_value(ty, HavocKind::Input(name));
                    self.store_scalar(addr, value.term, ty);
                }
                Ok(())
            }
            _ => self.fill_bytes(pointer, size, span),
        }
    }

    fn fill_bytes(&mut self, pointer: Term, size: Term, span: Span) -> Result<()> {
        let Some(proc) = self.model_of(FILL) else {
            return self.error(span, "memory cannot be filled");
        };
        // `unsigned long` is as wide as a pointer, and so are sizes.
        let args = vec![pointer, size];
        self.emit(Op::Call { dst: None, callee: Callee::Direct(proc), args });
        Ok(())
    }

    /// The object and offset that a pointer consists of, if that is plain.
    fn place_in_object(&self, pointer: Term) -> Option<(Object, u64)> {
        match self.program.terms.kind(pointer) {
            // An array that another file defines has a size that is not known here.
            TermKind::Address(object) if self.program.objects[object].size > 0 => Some((object, 0)),
            TermKind::Binary(BinOp::PtrAdd, base, offset) => {
                let (object, start) = self.place_in_object(base)?;
                let offset = u64::try_from(self.program.terms.as_bv(offset)?).ok()?;
                Some((object, start.checked_add(offset)?))
            }
            _ => None,
        }
    }

    /// A question about a pointer. Where the answer is not plain it may be any, and no execution that asks is a
    /// counterexample.
    pub fn test_pointer(
        &mut self,
        test: PointerTest,
        pointer: Term,
        second: Option<Term>,
        name: Symbol,
        result: Ty,
    ) -> Val {
        let answer = self.plain_answer(test, pointer, second);
        match answer.filter(|_| self.types.is_integer(result)) {
            Some(value) => self.int_value(i128::from(value), result),
            None => self.any_value(result, HavocKind::NotModelled(name)),
        }
    }

    fn plain_answer(&self, test: PointerTest, pointer: Term, second: Option<Term>) -> Option<u64> {
        let is_null = |term| matches!(self.program.terms.kind(term), TermKind::Null);
        match test {
            PointerTest::Readable | PointerTest::Writable => {
                let size = u64::try_from(self.program.terms.as_bv(second?)?).ok()?;
                if is_null(pointer) {
                    return (size > 0).then_some(0);
                }
                let (object, offset) = self.place_in_object(pointer)?;
                let data = &self.program.objects[object];
                let is_data = match data.kind {
                    ObjectKind::Global | ObjectKind::ThreadLocal => true,
                    // It is named, so its lifetime has begun.
                    ObjectKind::Local(_) => true,
                    ObjectKind::Constant => test == PointerTest::Readable,
                    ObjectKind::Function(_) => return None,
                };
                let fits = offset.checked_add(size).is_some_and(|end| end <= data.size);
                Some(u64::from(is_data && fits))
            }
            PointerTest::SameObject => {
                let (a, b) = (self.place_in_object(pointer)?.0, self.place_in_object(second?)?.0);
                Some(u64::from(a == b))
            }
            PointerTest::ObjectSize => {
                let (object, _) = self.place_in_object(pointer)?;
                Some(self.program.objects[object].size)
            }
            PointerTest::Offset => self.place_in_object(pointer).map(|(_, offset)| offset),
        }
    }
}
