//! Calls of functions that have neither body nor model.
//!
//! A standard function ([`library::standard_shape`], or one that a system header declares) computes
//! an unknown result: analyses continue with any result, and no counterexample passes it.
//! [`External`] says what other missing functions do.

use ravelin_base::Symbol;
use ravelin_cfa::{Assumed, Callee, HavocKind, MemoryOrder, Op, Term};
use ravelin_term::{TermKind, UnOp};

use super::global::{Func, Function};
use super::{Lowerer, Val, base_span};
use crate::External;
use crate::library;
use crate::types::{Ty, TypeKind};

impl Lowerer<'_> {
    /// Calls a function without body or model.
    pub fn call_unknown(&mut self, func: Func, args: Vec<Val>) -> Val {
        let Function { name, ty, noreturn, .. } = self.functions[func];
        let result = self.result_type(ty);
        if self.is_standard(func) {
            if let Some(why) = self.beyond_havoc(func, &args) {
                let what = ravelin_cfa::no_model(self.program.name(name));
                self.unsupported(&format!("{what}: {why}"));
                return self.any_result(result, name);
            }
            let args = self.copies_of_records(args);
            self.emit(Op::External { function: name, assumed: Assumed::NoModel, args: Vec::new() });
            self.havoc_reached(&args);
            self.havoc_errno(name);
            return self.any_result(result, name);
        }
        let args = match self.external {
            External::Reject => {
                let what = format!("{} has no body (--external reject)", self.program.name(name));
                self.unsupported(&what);
                return self.any_result(result, name);
            }
            External::Havoc => {
                let assumed = Assumed::Havoc;
                self.emit(Op::External { function: name, assumed, args: Vec::new() });
                self.copies_of_records(args)
            }
            External::Callbacks => {
                let args = self.snapshots(args);
                let args = self.copies_of_records(args);
                let assumed = Assumed::Callbacks;
                let leading = self.leading_to_code(&args);
                self.emit(Op::External { function: name, assumed, args: leading });
                args
            }
        };
        self.havoc_reached(&args);
        if noreturn {
            self.emit_end(Op::Abort);
            return self.void_value();
        }
        self.any_result(result, name)
    }

    /// A call through a pointer may lead to a function of another file, which may call back its
    /// arguments. Returns the pointer and the arguments for the call.
    pub fn call_may_leave(
        &mut self,
        pointer: Val,
        args: Vec<Val>,
        callee: lang_c::span::Span,
    ) -> (Val, Vec<Val>) {
        if self.external != External::Callbacks {
            return (pointer, args);
        }
        let pointer = self.snapshot_if_global(pointer);
        let args = self.snapshots(args);
        let text = self.map.text(base_span(callee)).into_owned();
        let function = self.program.names.intern(&text);
        let mut leading = vec![pointer.term];
        leading.extend(self.leading_to_code(&args));
        self.emit(Op::External { function, assumed: Assumed::ThroughPointer, args: leading });
        (pointer, args)
    }

    /// A function without body gets copies of structs and the pointers in them, but not the
    /// originals or what surrounds those.
    fn copies_of_records(&mut self, args: Vec<Val>) -> Vec<Val> {
        let copy = |arg: Val| match self.types.as_record(arg.ty) {
            Some(_) => self.copy_of_record(arg, false),
            None => arg,
        };
        args.into_iter().map(copy).collect()
    }

    /// Values that are read once and used several times: other threads might change them in between.
    fn snapshots(&mut self, args: Vec<Val>) -> Vec<Val> {
        args.into_iter().map(|arg| self.snapshot_if_global(arg)).collect()
    }

    /// Whether a function belongs to the system. A program that declares it with other types may
    /// have its own function of that name.
    fn is_standard(&self, func: Func) -> bool {
        let Function { name, ty, is_system, .. } = self.functions[func];
        if is_system {
            return true;
        }
        let Some(shape) = library::standard_shape(self.program.name(name)) else { return false };
        match self.types.as_function(ty) {
            Some(function) if function.prototyped => {
                let mut declared = String::from(self.letter(function.result));
                declared.extend(function.params.iter().map(|&param| self.letter(param)));
                if function.variadic {
                    declared.push('.');
                }
                library::is_same_shape(shape, &declared)
            }
            Some(_) | None => true,
        }
    }

    fn letter(&self, ty: Ty) -> char {
        match self.types.kind(ty) {
            TypeKind::Void => 'v',
            TypeKind::Bool | TypeKind::Int(_) => 'i',
            TypeKind::Float(_) => 'f',
            TypeKind::Pointer(_)
            | TypeKind::Array(..)
            | TypeKind::Vla(..)
            | TypeKind::Function(_) => 'p',
            TypeKind::Record(_) => 's',
        }
    }

    /// Why a call of a standard function does more than leave any values behind.
    fn beyond_havoc(&self, func: Func, args: &[Val]) -> Option<&'static str> {
        let Function { name, ty, noreturn, .. } = self.functions[func];
        let name = self.program.name(name);
        if let Some(why) = library::beyond_havoc(name) {
            return Some(why);
        }
        if noreturn {
            return Some("the end of the program");
        }
        let params = self.types.as_function(ty).map_or(&[][..], |function| &function.params);
        let types = || params.iter().copied().chain(args.iter().map(|arg| arg.ty));
        if types().any(|ty| self.leads_to_functions(ty)) {
            return Some("it may call functions that it gets");
        }
        // Of libraries beyond libc, only the headers are known.
        let is_listed = name.starts_with('_') || library::standard_shape(name).is_some();
        let gets_memory = types()
            .any(|ty| matches!(self.types.kind(ty), TypeKind::Pointer(_) | TypeKind::Record(_)));
        (!is_listed && gets_memory).then_some("it may keep pointers that it gets")
    }

    /// Whether a value of this type is a pointer to a function, or a struct with one, or points to
    /// such a struct.
    fn leads_to_functions(&self, ty: Ty) -> bool {
        match self.types.pointee(ty) {
            Some(to) => self.types.as_function(to).is_some() || self.holds_functions(to),
            None => self.holds_functions(ty),
        }
    }

    /// Whether an object of this type contains pointers to functions.
    fn holds_functions(&self, ty: Ty) -> bool {
        if let Some(element) = self.types.element(ty) {
            return self.holds_functions(element);
        }
        let Some(record) = self.types.as_record(ty) else {
            return self.types.pointee(ty).is_some_and(|to| self.types.as_function(to).is_some());
        };
        let layout = self.types.records[record].layout.as_ref();
        layout.is_some_and(|it| it.fields.iter().any(|field| self.holds_functions(field.ty)))
    }

    /// Havocs the memory that these values reach.
    fn havoc_reached(&mut self, args: &[Val]) {
        let mut pointers = Vec::new();
        for arg in args {
            if self.may_be_written_through(arg) {
                pointers.push(arg.term);
            }
            pointers.extend(self.pointers_in_number(arg));
        }
        if !pointers.is_empty() {
            self.emit(Op::HavocMemory { pointers });
        }
    }

    /// The values that may be addresses of functions, or of memory that holds such addresses.
    fn leading_to_code(&self, args: &[Val]) -> Vec<Term> {
        let mut leading = Vec::new();
        for arg in args {
            let is_address =
                self.types.as_record(arg.ty).is_some() || self.types.pointee(arg.ty).is_some();
            if is_address && self.program.terms.kind(arg.term) != TermKind::Null {
                leading.push(arg.term);
            }
            leading.extend(self.pointers_in_number(arg));
        }
        leading
    }

    /// Havocs `errno` if the program reads it.
    pub fn havoc_errno(&mut self, function: Symbol) {
        if self.facts.reads_errno
            && let Some(proc) = self.model_of("__errno_location")
        {
            let int = self.types.int;
            let dst = self.temp(ravelin_cfa::Sort::Ptr, false);
            self.emit(Op::Call { dst: Some(dst), callee: Callee::Direct(proc), args: Vec::new() });
            let value = self.any_value(int, HavocKind::Extern(function)).term;
            let addr = self.program.read(dst);
            self.emit(Op::Store { addr, value, order: MemoryOrder::Plain });
        }
    }

    /// Any value of a type, including structs.
    fn any_result(&mut self, result: Ty, function: Symbol) -> Val {
        if self.types.as_record(result).is_some() && self.types.is_complete(result) {
            let temp = self.body.temp_name;
            let object = self.new_local_object(temp, result, &Default::default());
            let term = self.program.terms.address(object);
            // Any contents, including pointers that the function was given.
            self.emit(Op::HavocMemory { pointers: vec![term] });
            return Val { term, ty: result };
        }
        self.any_value(result, HavocKind::Extern(function))
    }

    /// Whether code that gets this value may write to memory with it, or return it as a pointer.
    pub fn may_be_written_through(&self, arg: &Val) -> bool {
        if self.types.as_record(arg.ty).is_some() {
            // A struct passed by value may hold pointers.
            return true;
        }
        if self.types.pointee(arg.ty).is_none() {
            return false;
        }
        match self.program.terms.kind(arg.term) {
            TermKind::Null => false,
            TermKind::Address(object) => {
                self.program.objects[object].kind != ravelin_cfa::ObjectKind::Constant
                    && !self.constant_locals.contains(&object)
            }
            _ => true,
        }
    }

    /// The pointers from which an integer was made, in the expression itself, if it can be
    /// converted back.
    fn pointers_in_number(&self, arg: &Val) -> Vec<Term> {
        let mut pointers = Vec::new();
        let bits = self.program.terms.pointer_bits();
        if self.types.int_width(arg.ty).is_some_and(|width| width >= bits) {
            self.program.terms.for_each_subterm(arg.term, |_, kind| {
                if let TermKind::Unary(UnOp::PtrToInt, pointer) = kind {
                    pointers.push(pointer);
                }
            });
        }
        let ty = self.types.void_ptr;
        pointers.retain(|&term| self.may_be_written_through(&Val { term, ty }));
        pointers
    }
}
