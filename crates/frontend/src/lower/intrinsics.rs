//! Library functions that become operations of the automaton or terms.

use lang_c::ast::{Expression, MemberExpression};
use lang_c::span::{Node, Span};
use ravelin_cfa::{
    AllocKind, Callee, ErrorKind, FreeKind, HavocKind, Init, ObjectKind, Op, Property, Sort,
    SyncOp, Term, VarData, VarKind,
};
use ravelin_term::{BinOp, TermKind, UnOp};

use super::call::Target;
use super::global::{Func, Function};
use super::place::PlaceKind;
use super::scope::Entity;
use super::{Lowerer, Result, Val};
use crate::errors::CountedEnd;
use crate::library::{
    CANCELLATION, CompilerFunction, ERRNO, Intrinsic, MemoryFunction, Model, PointerTest,
    ThreadFunction,
};
use crate::types::{Ty, TypeKind};

/// Linux's error number for insufficient memory.
const ENOMEM: i128 = 12;

/// Functions whose results depend on the sizes of objects.
const ASK_FOR_SIZES: &[&str] = &[
    "__CPROVER_r_ok",
    "__CPROVER_w_ok",
    "__CPROVER_rw_ok",
    "__CPROVER_OBJECT_SIZE",
    "__CPROVER_buffer_size",
    "__ESBMC_r_ok",
    "__ESBMC_w_ok",
    "__ESBMC_rw_ok",
    "__ESBMC_get_object_size",
];

/// The alignment of glibc's `malloc`, in both data models.
const MALLOC_ALIGNMENT: u64 = 16;

impl<'a> Lowerer<'a> {
    /// Calls that need their arguments unevaluated, or as lvalues.
    pub fn syntactic_call(
        &mut self,
        func: Func,
        arguments: &'a [Node<Expression>],
        span: Span,
    ) -> Result<Option<Val>> {
        let Target::Library(Model::Intrinsic(intrinsic)) = self.target(func) else {
            return Ok(None);
        };
        match intrinsic {
            Intrinsic::Compiler(function) => {
                self.compiler_function(function, arguments, span).map(Some)
            }
            Intrinsic::VarArgs(function) => {
                self.varargs_function(function, arguments, span).map(Some)
            }
            Intrinsic::WouldOverflow(op) => {
                let (a, b, ty) = match arguments {
                    [a, b, ty] => (a, b, self.type_of(ty)?),
                    // CBMC's have the type of the operands.
                    [a, b] => {
                        let (one, other) = (self.type_of(a)?, self.type_of(b)?);
                        (a, b, self.types.usual_arithmetic(one, other))
                    }
                    _ => return self.error(span, "three arguments are needed"),
                };
                let (a, b) = (self.rvalue(a)?, self.rvalue(b)?);
                let (_, overflows) = self.overflow(op, a, b, ty, span)?;
                Ok(Some(self.bool_value(overflows)))
            }
            // CBMC's operands have one type, and are not promoted.
            Intrinsic::Saturating(_) | Intrinsic::SameRepresentation => {
                let [a, b] = arguments else {
                    return self.error(span, "two arguments are needed");
                };
                let [one, other] = [self.type_of(a)?, self.type_of(b)?];
                let [one, other] = [one, other].map(|ty| self.types.unqualified(ty));
                let (a, b) = (self.rvalue(a)?, self.rvalue(b)?);
                let is_integer = self.types.int_width(one).is_some();
                match intrinsic {
                    Intrinsic::Saturating(op) if one == other && is_integer => {
                        self.saturating(op, a, b, one, span).map(Some)
                    }
                    Intrinsic::SameRepresentation if one == other && self.types.is_scalar(one) => {
                        let same = self.equal_representation(a.term, b.term);
                        Ok(Some(self.bool_value(same)))
                    }
                    _ => Ok(Some(self.unsupported_value("operands of different types", one))),
                }
            }
            Intrinsic::FileNumber => {
                let [stream] = arguments else {
                    return self.error(span, "a stream is needed");
                };
                self.file_number(stream, span).map(Some)
            }
            // The type of the pointer's target determines the inputs.
            Intrinsic::FillWithInputs { size } => {
                let args = self.arguments_as_they_are(arguments)?;
                self.at(span);
                let Some(&pointer) = args.first() else {
                    return self.error(span, "a pointer is needed");
                };
                let pointee = self.types.pointee(pointer.ty);
                let pointer = self.argument(&args, 0, self.types.void_ptr, span)?;
                let size = match size {
                    Some(index) => {
                        Some(self.argument(&args, usize::from(index), self.types.size, span)?)
                    }
                    None => None,
                };
                let name = self.functions[func].name;
                self.fill_with_inputs(pointer, pointee, size, name, span)?;
                Ok(Some(self.void_value()))
            }
            Intrinsic::TestPointer(test @ (PointerTest::Readable | PointerTest::Writable))
                if arguments.len() == 1 =>
            {
                let args = self.arguments_as_they_are(arguments)?;
                self.at(span);
                let pointee = args.first().and_then(|arg| self.types.pointee(arg.ty));
                let size = pointee.and_then(|ty| self.types.size_of(ty)).unwrap_or(1);
                let pointer = self.argument(&args, 0, self.types.void_ptr, span)?;
                let size = self.program.terms.offset(size);
                let Function { name, ty, .. } = self.functions[func];
                let result = self.result_type(ty);
                Ok(Some(self.test_pointer(test, pointer, Some(size), name, result)))
            }
            // Type-generic: a float is not promoted, which would make subnormal numbers normal.
            Intrinsic::Float { kind: None, .. } if !self.is_prototyped(func) => {
                let args = self.arguments_as_they_are(arguments)?;
                self.at(span);
                self.intrinsic(intrinsic, func, args, span).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn compiler_function(
        &mut self,
        function: CompilerFunction,
        arguments: &'a [Node<Expression>],
        span: Span,
    ) -> Result<Val> {
        match (function, arguments) {
            (CompilerFunction::IsConstant, [argument]) => {
                let constant = self.is_constant(argument)?;
                Ok(self.int_value(i128::from(constant), self.types.int))
            }
            (CompilerFunction::ChooseExpression, [condition, a, b]) => {
                let condition = self.constant_int(condition)?;
                self.rvalue(if condition != 0 { a } else { b })
            }
            (CompilerFunction::Complex, [real, imaginary]) => {
                let imaginary = self.rvalue(imaginary)?;
                let real = self.rvalue(real)?;
                self.complex_of(real, imaginary, span)
            }
            (CompilerFunction::TypesCompatible, [a, b]) => {
                let (a, b) = (self.type_operand(a)?, self.type_operand(b)?);
                let (a, b) = (self.types.unqualified(a), self.types.unqualified(b));
                let compatible = self.types.compatible(a, b);
                Ok(self.int_value(i128::from(compatible), self.types.int))
            }
            // A second argument is the value for mispredicted paths.
            (CompilerFunction::Same, [value, ..]) => self.rvalue(value),
            (CompilerFunction::ClassifyType, [argument]) => {
                let ty = self.type_of(argument)?;
                let ty = self.types.decayed(ty);
                let class = match self.types.kind(ty) {
                    TypeKind::Void => 0,
                    TypeKind::Bool | TypeKind::Int(_) => 1,
                    TypeKind::Pointer(_) => 5,
                    TypeKind::Float(_) => 8,
                    TypeKind::Record(record) if self.types.records[*record].is_union => 13,
                    TypeKind::Record(_) => 12,
                    // They decay to pointers.
                    TypeKind::Array(..) | TypeKind::Vla(..) | TypeKind::Function(_) => 5,
                };
                Ok(self.int_value(class, self.types.int))
            }
            (CompilerFunction::Line, []) => {
                let line = self.position(span).line;
                Ok(self.int_value(i128::from(line), self.types.int))
            }
            (CompilerFunction::FunctionName, []) => {
                let place = self.function_name();
                self.load(place)
            }
            (CompilerFunction::FileName, []) => {
                let file = self.position(span).file;
                let name = self.program.name(file).to_owned();
                let place = self.text_place(&name);
                self.load(place)
            }
            (CompilerFunction::Unreachable, _) => {
                self.unreachable("__builtin_unreachable is reached");
                Ok(self.void_value())
            }
            (CompilerFunction::AssumeHolds, [condition]) => {
                let value = self.rvalue(condition)?;
                let holds = self.truth(value, span)?;
                self.at(span);
                let (good, bad) = (self.body.new_loc(), self.body.new_loc());
                self.emit_branch(holds, good, bad);
                self.body.start_at(bad);
                self.unreachable("an assumption of the compiler fails");
                self.body.jump(good);
                self.body.start_at(good);
                Ok(self.void_value())
            }
            (CompilerFunction::ObjectSize, [argument, kind]) => {
                let kind = self.constant_int(kind)?;
                self.object_size(argument, kind)
            }
            (_, _) => self.error(span, "the number of arguments is wrong"),
        }
    }

    /// POSIX: the three streams that every program has are numbered.
    fn file_number(&mut self, stream: &'a Node<Expression>, span: Span) -> Result<Val> {
        if let Expression::Identifier(name) = &stream.node {
            let symbol = self.intern(&name.node.name);
            let number = match self.program.name(symbol) {
                "stdin" => Some(0),
                "stdout" => Some(1),
                "stderr" => Some(2),
                _ => None,
            };
            if let (Some(number), Some(Entity::Global(_))) = (number, self.scopes.get(symbol)) {
                return Ok(self.int_value(number, self.types.int));
            }
        }
        self.effect(stream)?;
        self.at(span);
        Ok(self.unsupported_value("fileno: numbers of streams", self.types.int))
    }

    fn is_constant(&mut self, argument: &'a Node<Expression>) -> Result<bool> {
        let (value, pure) = self.nowhere(|lowerer| lowerer.rvalue(argument));
        let value = value?;
        // A string literal is one, by gcc's definition.
        let is_text = matches!(self.program.terms.kind(value.term), TermKind::Address(object)
            if self.program.objects[object].kind == ObjectKind::Constant
                && self.program.name(self.program.objects[object].name) == "%string");
        Ok(pure && (is_text || self.program.terms.is_literal(value.term)))
    }

    /// GNU `__alignof__`, which the source layer writes as `__ravelin_alignof(sizeof(operand))`: of an
    /// object its own alignment, of a type the one that the target prefers.
    pub fn gnu_alignof(&mut self, arguments: &'a [Node<Expression>], span: Span) -> Result<Val> {
        let [operand] = arguments else {
            return self.error(span, "one operand is needed");
        };
        let ty = self.type_operand(operand)?;
        let mut align = self.types.preferred_align_of(ty);
        if let Expression::SizeOfVal(inner) = &operand.node {
            match &inner.node.0.node {
                Expression::Identifier(_) => {
                    let (place, _) = self.nowhere(|lowerer| lowerer.place(&inner.node.0));
                    if let PlaceKind::Memory(address) = place?.kind
                        && let TermKind::Address(object) = self.program.terms.kind(address)
                    {
                        align = align.max(self.program.objects[object].align);
                    }
                }
                Expression::Member(member) => {
                    align = self.member_align(&member.node)?.unwrap_or(align);
                }
                _ => {}
            }
        }
        Ok(self.int_value(i128::from(align), self.types.size))
    }

    fn member_align(&mut self, member: &'a MemberExpression) -> Result<Option<u32>> {
        let base = self.type_of(&member.expression)?;
        let ty = self.types.pointee(base).unwrap_or(base);
        let name = self.intern(&member.identifier.node.name);
        let path = self.types.as_record(ty).and_then(|record| self.types.find_field(record, name));
        Ok(path.and_then(|path| {
            let &(record, index) = path.last()?;
            Some(self.types.fields(record)?[index].align)
        }))
    }

    /// The type in `sizeof(type)`, or of `sizeof(expression)`.
    fn type_operand(&mut self, node: &'a Node<Expression>) -> Result<Ty> {
        match &node.node {
            Expression::SizeOfTy(inner) => self.type_name(&inner.node.0),
            Expression::SizeOfVal(inner) => self.type_of(&inner.node.0),
            _ => self.error(node.span, "a type is needed"),
        }
    }

    /// A call of a library function with evaluated arguments.
    pub fn intrinsic(
        &mut self,
        intrinsic: Intrinsic,
        func: Func,
        args: Vec<Val>,
        span: Span,
    ) -> Result<Val> {
        let name = self.functions[func].name;
        let result = self.result_type(self.functions[func].ty);
        match intrinsic {
            Intrinsic::ReachError => self.end(self.violation(ErrorKind::ReachError)),
            Intrinsic::AssertFail => self.end(self.violation(ErrorKind::AssertFailed)),
            Intrinsic::Assert => {
                let holds = self.first_as_condition(&args, span)?;
                self.check(holds, ErrorKind::AssertFailed);
                Ok(self.void_value())
            }
            Intrinsic::Stop => self.end(Op::Abort),
            Intrinsic::Abort => {
                if self.program.name(name) == "abort" {
                    let handlers = ["signal", "sigaction"];
                    self.call_if_mentioned(&handlers, "__ravelin_raise_abort", vec![], span)?;
                }
                self.end(self.end_of(CountedEnd::Abort))
            }
            Intrinsic::Trap => self.end(self.end_of(CountedEnd::Trap)),
            Intrinsic::Exit => {
                let status = self.argument(&args, 0, self.types.int, span)?;
                self.end(Op::Exit { status })
            }
            Intrinsic::Assume => {
                let condition = self.first_as_condition(&args, span)?;
                if self.program.terms.as_bool(condition) != Some(true) {
                    self.emit(Op::Assume(condition));
                }
                Ok(self.void_value())
            }
            Intrinsic::Nondet => self.input(result, name, span),
            Intrinsic::FillWithInputs { size } => {
                let pointer = self.argument(&args, 0, self.types.void_ptr, span)?;
                let size = match size {
                    Some(index) => {
                        Some(self.argument(&args, usize::from(index), self.types.size, span)?)
                    }
                    None => None,
                };
                self.fill_with_inputs(pointer, None, size, name, span)?;
                Ok(self.void_value())
            }
            Intrinsic::NotModelled(what) => {
                let what = self.intern(what);
                Ok(self.any_value(result, HavocKind::NotModelled(what)))
            }
            Intrinsic::OpenResult => {
                self.havoc_errno(name);
                let what = format!("{}: a function without exact model", self.program.name(name));
                let what = self.intern(&what);
                Ok(self.any_value(result, HavocKind::NotModelled(what)))
            }
            Intrinsic::TestPointer(test) => {
                let pointer = self.argument(&args, 0, self.types.void_ptr, span)?;
                let second = match (test, args.get(1)) {
                    (_, None) => None,
                    (PointerTest::SameObject, _) => {
                        Some(self.argument(&args, 1, self.types.void_ptr, span)?)
                    }
                    _ => Some(self.argument(&args, 1, self.types.size, span)?),
                };
                Ok(self.test_pointer(test, pointer, second, name, result))
            }
            Intrinsic::AtomicBegin => {
                self.emit(Op::AtomicBegin);
                Ok(self.void_value())
            }
            Intrinsic::AtomicEnd => {
                self.emit(Op::AtomicEnd);
                Ok(self.void_value())
            }
            Intrinsic::Unsupported => {
                let why = args.first().and_then(|arg| self.literal_text(arg.term));
                self.unsupported(why.as_deref().unwrap_or("a library function"));
                Ok(self.any_value(result, HavocKind::Unspecified))
            }
            Intrinsic::Undefined => {
                let what = args.first().and_then(|arg| self.literal_text(arg.term));
                let what = what.as_deref().unwrap_or("a call of a library function");
                self.undefined(what);
                Ok(self.void_value())
            }
            Intrinsic::IfMentioned { names, then } => {
                match self.call_if_mentioned(names, then, args, span)? {
                    Some(value) => Ok(value),
                    None => Ok(self.zero_value(result)),
                }
            }
            Intrinsic::PushCleanup => self.push_cleanup(span),
            Intrinsic::PopCleanup => self.call_library("__ravelin_cleanup_pop", vec![], span),
            Intrinsic::Memory(function) => self.memory_function(function, &args, span),
            Intrinsic::CopyMemory => {
                let dst = self.argument(&args, 0, self.types.void_ptr, span)?;
                let src = self.argument(&args, 1, self.types.void_ptr, span)?;
                let size = self.argument(&args, 2, self.types.size, span)?;
                self.emit(Op::Copy { dst, src, size });
                Ok(Val { term: dst, ty: self.types.void_ptr })
            }
            Intrinsic::FillMemory => {
                let dst = self.argument(&args, 0, self.types.void_ptr, span)?;
                let byte = self.argument(&args, 1, self.types.int, span)?;
                let size = self.argument(&args, 2, self.types.size, span)?;
                let byte = self.program.terms.resize(byte, 8, false);
                self.emit(Op::Fill { dst, byte, size });
                Ok(Val { term: dst, ty: self.types.void_ptr })
            }
            Intrinsic::Log { format } => {
                self.check_count(&args, format);
                Ok(self.void_value())
            }
            Intrinsic::Print { format } => {
                self.call_if_mentioned(CANCELLATION, "__ravelin_may_cancel", vec![], span)?;
                self.check_count(&args, format);
                let mut printed = Vec::new();
                for arg in args.get(usize::from(format)..).unwrap_or_default() {
                    if !self.types.is_scalar(arg.ty) {
                        return self.error(span, "a struct cannot be printed");
                    }
                    let ty = self.types.default_promote(arg.ty);
                    printed.push(self.convert_scalar(*arg, ty).term);
                }
                if printed.is_empty() {
                    return self.error(span, "a format is needed");
                }
                if !args.first().is_some_and(|&stream| format > 0 && self.is_stderr(stream)) {
                    self.emit(Op::Print { args: printed });
                }
                let text = args.get(usize::from(format));
                let text = text.and_then(|text| self.literal_text(text.term));
                let count = self.any_value(result, HavocKind::Unspecified);
                self.printed(text.as_deref(), count, span)
            }
            Intrinsic::Thread(function) => self.thread_function(function, result, &args, span),
            Intrinsic::Sync { op, args: chosen } => {
                self.sync_function(op, chosen, result, &args, span)
            }
            Intrinsic::Atomic(atomic) => self.atomic(atomic, result, &args, span),
            Intrinsic::SetJump => self.set_jump(&args, span),
            Intrinsic::LongJump => self.long_jump(&args, span),
            Intrinsic::GetRounding => Ok(self.get_rounding()),
            Intrinsic::SetRounding => self.set_rounding(&args, span),
            Intrinsic::Float { function, kind } => self.float_function(function, kind, &args, span),
            Intrinsic::Bits { op, operand } => {
                let ty = self.c_type(operand);
                let value = self.argument(&args, 0, ty, span)?;
                let term = self.count_bits(op, value);
                Ok(Val { term, ty: self.types.int })
            }
            Intrinsic::SwapBytes { bits } => {
                let ty = self.unsigned_of_width(u16::from(bits));
                let value = self.argument(&args, 0, ty, span)?;
                Ok(Val { term: self.swap_bytes(value), ty })
            }
            Intrinsic::Overflow { op, operand } => {
                let operand = operand.map(|operand| self.c_type(operand));
                self.overflow_function(op, operand, &args, span)
            }
            Intrinsic::WouldOverflow(_)
            | Intrinsic::Saturating(_)
            | Intrinsic::SameRepresentation
            | Intrinsic::Compiler(_)
            | Intrinsic::VarArgs(_)
            | Intrinsic::FileNumber => {
                // Reached through a pointer only, which gcc mostly does not allow either.
                Ok(self.unsupported_value("a builtin through a pointer", result))
            }
        }
    }

    /// The end of an execution: an error if the user asked for that.
    fn end_of(&self, end: CountedEnd) -> Op {
        match self.errors.ends.contains(&end) {
            true => self.violation(end.error()),
            false => Op::Abort,
        }
    }

    /// Code that the compiler considers unreachable is reached.
    fn unreachable(&mut self, why: &str) {
        match self.errors.ends.contains(&CountedEnd::Unreachable) {
            true => self.emit_end(self.violation(CountedEnd::Unreachable.error())),
            false => self.undefined(why),
        }
    }

    /// The first argument, as a condition.
    fn first_as_condition(&mut self, args: &[Val], span: Span) -> Result<Term> {
        match args.first() {
            Some(&condition) => self.truth(condition, span),
            None => self.error(span, "a condition is needed"),
        }
    }

    fn end(&mut self, op: Op) -> Result<Val> {
        self.emit_end(op);
        Ok(self.void_value())
    }

    /// An argument converted to a type.
    pub fn argument(&mut self, args: &[Val], index: usize, ty: Ty, span: Span) -> Result<Term> {
        match args.get(index) {
            Some(&value) => Ok(self.convert(value, ty, span)?.term),
            None => self.error(span, "too few arguments"),
        }
    }

    /// The text of a string literal that a pointer points to.
    fn literal_text(&self, term: Term) -> Option<String> {
        Some(String::from_utf8_lossy(self.literal_bytes(term)?).into_owned())
    }

    /// The bytes of a string literal that a pointer points to, up to the first zero.
    pub fn literal_bytes(&self, term: Term) -> Option<&[u8]> {
        let TermKind::Address(object) = self.program.terms.kind(term) else { return None };
        let data = &self.program.objects[object];
        match (&data.init, data.kind) {
            (Init::Bytes(bytes), ObjectKind::Constant) => bytes.split(|&byte| byte == 0).next(),
            _ => None,
        }
    }

    /// The conversion `%n` writes to memory, which is not modelled. Where the format is not known, it
    /// may have one if there is an argument for it (C11 7.21.6.1p8: a pointer to a signed integer).
    fn check_count(&mut self, args: &[Val], format: u8) {
        let format = usize::from(format);
        let text = args.get(format).and_then(|arg| self.literal_text(arg.term));
        let counts = match text {
            Some(text) => has_count(&text),
            None => args.iter().skip(format + 1).any(|arg| {
                let Some(to) = self.types.pointee(arg.ty) else { return false };
                self.types.is_integer(to)
                    && self.types.unqualified(to) != self.types.char
                    && !self.types.qualifiers(to).constant
            }),
        };
        if counts {
            self.unsupported("%n of printf");
        }
    }

    /// Output to standard error is not the program's output.
    fn is_stderr(&self, stream: Val) -> bool {
        match self.program.terms.kind(stream.term) {
            TermKind::Var(var) => self.program.name(self.program.vars[var].name) == "stderr",
            _ => false,
        }
    }

    fn memory_function(
        &mut self,
        function: MemoryFunction,
        args: &[Val],
        span: Span,
    ) -> Result<Val> {
        let size_ty = self.types.size;
        let ty = self.types.void_ptr;
        match function {
            MemoryFunction::Allocate => {
                let size = self.argument(args, 0, size_ty, span)?;
                if self.exceeds_objects(size) {
                    return self.no_memory(span);
                }
                Ok(self.allocate(size, AllocKind::Heap))
            }
            MemoryFunction::AllocateAligned => {
                let alignment = self.argument(args, 0, size_ty, span)?;
                let size = self.argument(args, 1, size_ty, span)?;
                Ok(self.allocate_aligned(alignment, size))
            }
            MemoryFunction::AllocateOnStack => {
                let size = self.argument(args, 0, size_ty, span)?;
                Ok(self.allocate(size, AllocKind::Stack))
            }
            MemoryFunction::AllocateZeroed => {
                let count = self.argument(args, 0, size_ty, span)?;
                let size = self.argument(args, 1, size_ty, span)?;
                self.allocate_zeroed(count, size, span)
            }
            MemoryFunction::Reallocate => {
                let addr = self.argument(args, 0, ty, span)?;
                let size = self.argument(args, 1, size_ty, span)?;
                if self.exceeds_objects(size) {
                    return self.no_memory(span);
                }
                Ok(self.reallocate(addr, size))
            }
            MemoryFunction::Free => {
                let addr = self.argument(args, 0, ty, span)?;
                self.emit(Op::Free { addr, kind: FreeKind::Heap });
                Ok(self.void_value())
            }
        }
    }

    /// `realloc`: of size 0 it frees the block, and gives NULL if there was one (glibc).
    fn reallocate(&mut self, addr: Term, size: Term) -> Val {
        let dst = self.temp(Sort::Ptr, false);
        let terms = &mut self.program.terms;
        let (null, some) = (terms.null(), terms.is_nonzero(size));
        let is_empty = terms.not(some);
        let is_null = terms.eq(addr, null);
        let is_block = terms.not(is_null);
        let frees = terms.and(is_empty, is_block);
        let (free, resize) = (self.body.new_loc(), self.body.new_loc());
        let end = self.body.new_loc();
        self.emit_branch(frees, free, resize);
        self.body.start_at(free);
        self.emit(Op::Free { addr, kind: FreeKind::Heap });
        self.assign(dst, null);
        self.body.jump(end);
        self.body.start_at(resize);
        self.emit(Op::Realloc { dst, addr, size });
        self.body.jump(end);
        self.body.start_at(end);
        Val { term: self.program.read(dst), ty: self.types.void_ptr }
    }

    /// Whether a size is a constant above `PTRDIFF_MAX`, which glibc refuses and gcc warns of. What is computed is taken
    /// to fit (assumption A3).
    fn exceeds_objects(&self, size: Term) -> bool {
        let largest = (1 << (self.program.terms.pointer_bits() - 1)) - 1;
        self.program.terms.as_bv(size).is_some_and(|size| size > largest)
    }

    /// An allocation that cannot succeed: NULL, and `ENOMEM`.
    fn no_memory(&mut self, span: Span) -> Result<Val> {
        let error = self.int_value(ENOMEM, self.types.int);
        self.call_if_mentioned(ERRNO, "__ravelin_store_errno", vec![error], span)?;
        Ok(Val { term: self.program.terms.null(), ty: self.types.void_ptr })
    }

    fn allocate(&mut self, size: Term, kind: AllocKind) -> Val {
        let size = self.kept_size(size);
        let dst = self.temp(Sort::Ptr, false);
        self.emit(Op::Alloc { dst, size, kind });
        Val { term: self.program.read(dst), ty: self.types.void_ptr }
    }

    /// The size of a new object, in a variable of its own if the program queries sizes: analyses
    /// find it there.
    fn kept_size(&mut self, size: Term) -> Term {
        if self.program.terms.is_literal(size) || !self.facts.mentions(ASK_FOR_SIZES) {
            return size;
        }
        let (sort, name) = (self.program.terms.sort(size), self.intern("%size"));
        let kind = VarKind::Global { init: Some(self.program.terms.zero(sort)), atomic: false };
        let pos = self.position(self.body.span);
        let var = self.program.vars.push(VarData { name, sort, signed: false, kind, pos });
        self.assign(var, size);
        self.program.read(var)
    }

    /// `aligned_alloc`: more than what `malloc` promises anyway is an assumption about the address. A
    /// number that is no alignment is undefined in C, and libraries differ (C11 7.22.3.1p2).
    fn allocate_aligned(&mut self, alignment: Term, size: Term) -> Val {
        let block = self.allocate(size, AllocKind::Heap);
        let (above, power) = (self.body.new_loc(), self.body.new_loc());
        let (other, end) = (self.body.new_loc(), self.body.new_loc());
        let terms = &mut self.program.terms;
        let (usual, one) = (terms.offset(MALLOC_ALIGNMENT), terms.offset(1));
        let below = terms.binary(BinOp::BvSub, alignment, one);
        let promised = terms.binary(BinOp::BvUle, alignment, usual);
        let common = terms.binary(BinOp::BvAnd, alignment, below);
        let is_odd = terms.is_nonzero(common);
        let address = terms.unary(UnOp::PtrToInt, block.term);
        let low = terms.binary(BinOp::BvAnd, address, below);
        let is_off = terms.is_nonzero(low);
        let is_aligned = terms.not(is_off);
        self.emit_branch(is_odd, other, power);
        self.body.start_at(other);
        self.unsupported("an alignment that is no power of two");
        self.body.jump(end);
        self.body.start_at(power);
        self.emit_branch(promised, end, above);
        self.body.start_at(above);
        self.emit(Op::Assume(is_aligned));
        self.body.jump(end);
        self.body.start_at(end);
        block
    }

    /// `calloc`: NULL when the product of count and size does not fit.
    fn allocate_zeroed(&mut self, count: Term, size: Term, span: Span) -> Result<Val> {
        let bits = self.program.terms.pointer_bits();
        let wide_count = self.program.terms.resize(count, bits * 2, false);
        let wide_size = self.program.terms.resize(size, bits * 2, false);
        let wide = self.program.terms.binary(BinOp::BvMul, wide_count, wide_size);
        let high = self.program.terms.unary(UnOp::Extract { hi: bits * 2 - 1, lo: bits }, wide);
        let overflows = self.program.terms.is_nonzero(high);
        let total = self.program.terms.binary(BinOp::BvMul, count, size);
        if self.exceeds_objects(total) {
            return self.no_memory(span);
        }
        if self.program.terms.as_bool(overflows) == Some(false) {
            return Ok(self.allocate(total, AllocKind::HeapZeroed));
        }
        let dst = self.temp(Sort::Ptr, false);
        let (fails, fits) = (self.body.new_loc(), self.body.new_loc());
        let end = self.body.new_loc();
        self.emit_branch(overflows, fails, fits);
        self.body.start_at(fails);
        let null = self.no_memory(span)?;
        self.assign(dst, null.term);
        self.body.jump(end);
        self.body.start_at(fits);
        self.emit(Op::Alloc { dst, size: total, kind: AllocKind::HeapZeroed });
        self.body.jump(end);
        self.body.start_at(end);
        Ok(Val { term: self.program.read(dst), ty: self.types.void_ptr })
    }

    fn thread_function(
        &mut self,
        function: ThreadFunction,
        result: Ty,
        args: &[Val],
        span: Span,
    ) -> Result<Val> {
        let void_ptr = self.types.void_ptr;
        let address_sort = self.program.terms.address_sort();
        let handle_ty = self.types.size;
        match function {
            ThreadFunction::Create { routine: routine_at, arg } => {
                let routine = routine_at;
                let routine = self.argument(args, usize::from(routine), void_ptr, span)?;
                let arg = self.argument(args, usize::from(arg), void_ptr, span)?;
                let Some(&handle) = args.first() else {
                    return self.error(span, "too few arguments");
                };
                let place = self.pointed_to(handle, span)?;
                let dst = self.temp(address_sort, false);
                if self.is_checked(Property::NoDataRace) {
                    // The handle is stored by a plain write, which only the new thread comes after.
                    let handle = self.convert(handle, void_ptr, span)?.term;
                    let scalar =
                        self.types.size_of(place.ty).filter(|_| self.types.is_scalar(place.ty));
                    let size = scalar.unwrap_or(self.program.data_model.pointer_bytes());
                    let size = self.program.terms.offset(size);
                    self.emit(Op::Copy { dst: handle, src: handle, size });
                }
                // The new thread may read its handle at once: it is stored before the thread moves.
                self.emit(Op::AtomicBegin);
                let routine = self.callee(routine);
                self.emit(Op::Start { dst, routine, args: vec![arg] });
                let value = Val { term: self.program.read(dst), ty: handle_ty };
                if self.types.is_scalar(place.ty) {
                    let value = self.convert(value, place.ty, span)?;
                    self.store(place, value, false)?;
                } else {
                    // An opaque struct, or void: its first bytes.
                    let address = self.address(place, span)?;
                    self.store_scalar(address, value.term, handle_ty);
                }
                if let (2, Some(&attributes)) = (routine_at, args.get(1)) {
                    let attributes = self.convert(attributes, void_ptr, span)?;
                    let args = vec![attributes, value];
                    let detach = ["pthread_attr_setdetachstate"];
                    self.call_if_mentioned(&detach, "__ravelin_created", args, span)?;
                }
                self.emit(Op::AtomicEnd);
                Ok(self.int_value(0, self.types.int))
            }
            ThreadFunction::Join => {
                let handle = self.argument(args, 0, handle_ty, span)?;
                let dst = self.temp(Sort::Ptr, false);
                self.emit(Op::Join { handle, dst: Some(dst) });
                Ok(Val { term: self.program.read(dst), ty: void_ptr })
            }
            ThreadFunction::Exit => {
                let value = self.argument(args, 0, void_ptr, span)?;
                self.want_models_of_ends();
                self.end(Op::ThreadExit { value })
            }
            ThreadFunction::Current => {
                let dst = self.temp(address_sort, false);
                self.emit(Op::ThreadSelf { dst });
                let value = Val { term: self.program.read(dst), ty: handle_ty };
                if self.types.is_scalar(result) {
                    return Ok(self.convert_scalar(value, result));
                }
                Ok(value)
            }
        }
    }

    /// A function by the pointer to it: by name where it is one.
    pub fn callee(&mut self, pointer: Term) -> Callee {
        if let TermKind::Address(object) = self.program.terms.kind(pointer)
            && let ObjectKind::Function(proc) = self.program.objects[object].kind
        {
            return Callee::Direct(proc);
        }
        Callee::Pointer(pointer)
    }

    fn sync_function(
        &mut self,
        op: SyncOp,
        chosen: &[u8],
        result: Ty,
        args: &[Val],
        span: Span,
    ) -> Result<Val> {
        let void_ptr = self.types.void_ptr;
        if let Some(value) = self.cancellable(op, args, span)? {
            return Ok(value);
        }
        let mut operands = Vec::with_capacity(chosen.len());
        for (position, &index) in chosen.iter().enumerate() {
            // The object's address, and a condition variable's mutex; other operands are numbers.
            let is_address =
                position == 0 || matches!(op, SyncOp::CondWait | SyncOp::CondTimedWait);
            let ty = if is_address { void_ptr } else { self.types.int };
            operands.push(self.argument(args, usize::from(index), ty, span)?);
        }
        let dst = self.temp(Sort::Bv(32), true);
        self.emit(Op::Sync { op, args: operands, dst: Some(dst) });
        let value = Val { term: self.program.read(dst), ty: self.types.int };
        self.store_errno_of(op, value, span)?;
        Ok(if self.types.is_scalar(result) { self.convert_scalar(value, result) } else { value })
    }

    pub fn unsigned_of_width(&mut self, width: u16) -> Ty {
        use crate::types::IntKind;
        let pointer = self.types.data_model().pointer_bits();
        let kind = match width {
            8 => IntKind::UChar,
            16 => IntKind::UShort,
            32 => IntKind::UInt,
            64 if pointer == 64 => IntKind::ULong,
            64 => IntKind::ULongLong,
            _ => IntKind::UInt128,
        };
        self.types.integer(kind)
    }
}

/// Whether a format of `printf` has a conversion `%n`.
fn has_count(format: &str) -> bool {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        // Flags, width, precision, length, and what is GNU's or a number of an argument.
        let conversion =
            rest[at + 1..].trim_start_matches(|c: char| "-+ #0123456789.*$'IhlqjztL".contains(c));
        let mut letters = conversion.chars();
        if letters.next() == Some('n') {
            return true;
        }
        rest = letters.as_str();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_count;

    #[test]
    fn conversions_that_count_are_found() {
        for format in ["%n", "abc%n", "%d%n", "%%%n", "%hhn", "%lln", "%5$n", "% n", "%*n"] {
            assert!(has_count(format), "{format}");
        }
        for format in ["", "n", "%dn", "%%n", "%sn", "%5d n", "100%", "%c\n", "%lun"] {
            assert!(!has_count(format), "{format}");
        }
    }
}
