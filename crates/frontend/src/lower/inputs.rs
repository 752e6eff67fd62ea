//! Inputs of a program, and queries about pointers: functions of verifiers.

use lang_c::span::Span;
use ravelin_base::Symbol;
use ravelin_cfa::{Callee, HavocKind, Life, Object, ObjectFact, ObjectKind, Op, Term};
use ravelin_term::{BinOp, TermKind, UnOp};

use super::{Lowerer, Result, Val};
use crate::library::PointerTest;
use crate::types::Ty;

/// Up to this many elements of a scalar type are filled one by one, more of them byte by byte in a
/// loop.
const MAX_FILLED: u64 = 64;

/// The C model that fills memory byte by byte.
const FILL: &str = "__ravelin_fill_with_inputs";

impl Lowerer<'_> {
    /// Any value of a type, as an input from the function of this name.
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
                    let life = self.inspect(pointer, ObjectFact::Life);
                    let is_writable = self.is_at_least(life, Life::Named);
                    let (good, bad) = (self.body.new_loc(), self.body.new_loc());
                    self.emit_branch(is_writable, good, bad);
                    self.body.start_at(bad);
                    let name = self.program.name(name).to_owned();
                    self.unsupported(&format!("{name}: nothing that can be written"));
                    self.body.jump(good);
                    self.body.start_at(good);
                    (self.start_of(pointer), self.inspect(pointer, ObjectFact::Size))
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

    /// The object and offset of a pointer, if the term shows them.
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

    /// A query about a pointer, answered from its object.
    pub fn test_pointer(
        &mut self,
        test: PointerTest,
        pointer: Term,
        second: Option<Term>,
        name: Symbol,
        result: Ty,
    ) -> Val {
        if !self.types.is_scalar(result) {
            return self.any_value(result, HavocKind::NotModelled(name));
        }
        if let Some(value) = self.plain_answer(test, pointer, second) {
            let value = self.int_value(i128::from(value), self.types.size);
            return self.convert_scalar(value, result);
        }
        let term = match test {
            PointerTest::Readable => self.is_accessible(pointer, second, Life::Constant, name),
            PointerTest::Writable => self.is_accessible(pointer, second, Life::Named, name),
            PointerTest::SameObject => {
                let null = self.program.terms.null();
                let (a, b) = (self.start_of(pointer), self.start_of(second.unwrap_or(null)));
                let same = self.program.terms.eq(a, b);
                self.bool_value(same)
            }
            PointerTest::ObjectSize => {
                let size = self.inspect(pointer, ObjectFact::Size);
                Val { term: size, ty: self.types.size }
            }
            PointerTest::Offset => {
                let offset = self.inspect(pointer, ObjectFact::Offset);
                Val { term: offset, ty: self.types.size }
            }
            PointerTest::Rest => {
                let size = self.inspect(pointer, ObjectFact::Size);
                let offset = self.inspect(pointer, ObjectFact::Offset);
                let inside = self.program.terms.is_nonzero(offset);
                let at_start = self.program.terms.not(inside);
                self.if_said(at_start, Val { term: size, ty: self.types.size }, name)
            }
            // A number of its own for each object, and 0 for none.
            PointerTest::Object => {
                let start = self.start_of(pointer);
                let term = self.program.terms.unary(UnOp::PtrToInt, start);
                Val { term, ty: self.types.size }
            }
            PointerTest::IsAlive => {
                let life = self.inspect(pointer, ObjectFact::Life);
                let term = self.program.terms.is_nonzero(life);
                self.bool_value(term)
            }
            PointerTest::IsWritable => {
                let life = self.inspect(pointer, ObjectFact::Life);
                let term = self.is_at_least(life, Life::Named);
                self.bool_value(term)
            }
            // Whether an object was on the heap after its lifetime is left open.
            PointerTest::IsHeap => {
                let life = self.inspect(pointer, ObjectFact::Life);
                let is_heap = self.is_at_least(life, Life::Heap);
                let terms = &mut self.program.terms;
                let (null, is_alive) = (terms.null(), terms.is_nonzero(life));
                let is_null = terms.eq(pointer, null);
                let is_said = terms.or(is_alive, is_null);
                let value = self.bool_value(is_heap);
                self.if_said(is_said, value, name)
            }
        };
        self.convert_scalar(term, result)
    }

    /// A fact about the object of a pointer.
    pub fn inspect(&mut self, addr: Term, fact: ObjectFact) -> Term {
        let dst = self.temp(self.program.terms.address_sort(), false);
        self.emit(Op::Inspect { dst, addr, fact });
        self.program.read(dst)
    }

    /// The first byte of the object of a pointer; null if there is none.
    fn start_of(&mut self, pointer: Term) -> Term {
        let offset = self.inspect(pointer, ObjectFact::Offset);
        let back = self.program.terms.unary(UnOp::BvNeg, offset);
        self.program.terms.binary(BinOp::PtrAdd, pointer, back)
    }

    fn is_at_least(&mut self, life: Term, least: Life) -> Term {
        let least = self.program.terms.offset(least as u64);
        self.program.terms.binary(BinOp::BvUle, least, life)
    }

    /// Whether `size` bytes may be accessed. The answer is open for no bytes at a pointer to
    /// nothing.
    fn is_accessible(
        &mut self,
        pointer: Term,
        length: Option<Term>,
        least: Life,
        name: Symbol,
    ) -> Val {
        let life = self.inspect(pointer, ObjectFact::Life);
        let size = self.inspect(pointer, ObjectFact::Size);
        let offset = self.inspect(pointer, ObjectFact::Offset);
        let is_alive = self.is_at_least(life, least);
        let terms = &mut self.program.terms;
        let length = length.unwrap_or_else(|| terms.offset(1));
        let rest = terms.binary(BinOp::BvSub, size, offset);
        let inside = terms.binary(BinOp::BvUle, offset, size);
        let fits = terms.binary(BinOp::BvUle, length, rest);
        let within = terms.and(inside, fits);
        let holds = terms.and(is_alive, within);
        let (some, exists) = (terms.is_nonzero(length), terms.is_nonzero(life));
        let is_said = terms.or(some, exists);
        let value = self.bool_value(holds);
        self.if_said(is_said, value, name)
    }

    /// The value if the condition holds; otherwise any value, and no execution is a counterexample.
    fn if_said(&mut self, is_said: Term, value: Val, name: Symbol) -> Val {
        if self.program.terms.as_bool(is_said) == Some(true) {
            return value;
        }
        let dst = self.temp(self.program.terms.sort(value.term), true);
        let (said, open, end) = (self.body.new_loc(), self.body.new_loc(), self.body.new_loc());
        self.emit_branch(is_said, said, open);
        self.body.start_at(said);
        self.assign(dst, value.term);
        self.body.jump(end);
        self.body.start_at(open);
        self.emit(Op::Havoc { dst, kind: HavocKind::NotModelled(name) });
        self.body.jump(end);
        self.body.start_at(end);
        Val { term: self.program.read(dst), ty: value.ty }
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
            PointerTest::Rest => {
                let (object, offset) = self.place_in_object(pointer)?;
                (offset == 0).then_some(self.program.objects[object].size)
            }
            PointerTest::Object
            | PointerTest::IsAlive
            | PointerTest::IsWritable
            | PointerTest::IsHeap => None,
        }
    }
}
