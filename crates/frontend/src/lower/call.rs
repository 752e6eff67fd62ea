//! Calls (C11 6.5.2.2): of functions with bodies, through pointers, of library functions, and of
//! unknown functions.

use lang_c::ast::{CallExpression, Expression};
use lang_c::span::{Node, Span};
use ravelin_base::SrcPos;
use ravelin_cfa::{Callee, HavocKind, Op, Proc, Sort, Term};

use super::body::{Body, tidy};
use super::expr::may_call;
use super::global::{Func, Function};
use super::place::PlaceKind;
use super::scope::Entity;
use super::{Lowerer, Result, Val};
use crate::errors::ErrorRole;
use crate::library::{self, CModel, CType, Intrinsic, Model, ResultIs, Signature};
use crate::types::{FunctionType, IntKind, Ty, TypeKind};

/// The meaning of a called name.
pub(crate) enum Target {
    /// It has a body, in C.
    Direct(Proc),
    Library(Model),
    /// Only its type is known.
    Unknown,
}

impl<'a> Lowerer<'a> {
    pub fn call(&mut self, node: &'a Node<CallExpression>) -> Result<Val> {
        let span = node.span;
        let callee = &node.node.callee;
        let arguments = &node.node.arguments;
        if let Expression::Identifier(name) = &callee.node {
            if name.node.name == "__ravelin_label_address" {
                return self.label_address(arguments, span);
            }
            if name.node.name == "__ravelin_goto_computed" {
                return self.computed_goto(arguments, span);
            }
            if name.node.name == "__ravelin_alignof" {
                return self.gnu_alignof(arguments, span);
            }
            if Self::is_jump_of_cleanup(&name.node.name, arguments) {
                return Ok(self.int_value(0, self.types.int));
            }
            let func = match self.named_function(&name.node.name) {
                Some(func) => Some(func),
                None if self.is_undeclared(&name.node.name) => {
                    Some(self.declare_implicitly(&name.node.name, span))
                }
                None => None,
            };
            if let Some(func) = func {
                if let Some(value) = self.syntactic_call(func, arguments, span)? {
                    return Ok(value);
                }
                let args = self.arguments(self.functions[func].ty, arguments, span)?;
                self.at(span);
                return self.call_function(func, args, span);
            }
        }
        let place = match super::expr::is_place(callee) {
            true => Some(self.place(callee)?),
            false => None,
        };
        if let Some(PlaceKind::Function(func)) = place.map(|place| place.kind) {
            let args = self.arguments(self.functions[func].ty, arguments, span)?;
            self.at(span);
            return self.call_function(func, args, span);
        }
        let pointer = match place {
            Some(place) => self.load(place)?,
            None => self.rvalue(callee)?,
        };
        let ty = self.types.pointee(pointer.ty).unwrap_or(pointer.ty);
        if self.types.as_function(ty).is_none() {
            let ty = self.spell(pointer.ty);
            return self.error(callee.span, format!("a value of type '{ty}' cannot be called"));
        }
        let keep = arguments.iter().any(may_call);
        let pointer = if keep { self.snapshot_if_global(pointer) } else { pointer };
        let args = self.arguments(ty, arguments, span)?;
        self.at(span);
        let (pointer, args) = self.call_may_leave(pointer, args, callee.span);
        Ok(self.emit_call(Callee::Pointer(pointer.term), ty, args))
    }

    pub fn call_for_effect(&mut self, node: &'a Node<CallExpression>) -> Result<()> {
        self.call(node).map(|_| ())
    }

    fn named_function(&mut self, name: &str) -> Option<Func> {
        let symbol = self.intern(name);
        match self.scopes.get(symbol)? {
            Entity::Function(func) => Some(func),
            Entity::Typedef(_)
            | Entity::Constant { .. }
            | Entity::Local { .. }
            | Entity::Global(_) => None,
        }
    }

    /// Whether the program itself declares the parameters.
    pub fn is_prototyped(&self, func: Func) -> bool {
        let ty = self.functions[func].ty;
        self.types.as_function(ty).is_some_and(|function| function.prototyped)
    }

    fn is_undeclared(&mut self, name: &str) -> bool {
        let symbol = self.intern(name);
        self.scopes.get(symbol).is_none()
    }

    /// A library function that is named without being declared: gcc knows its type.
    pub fn implicit_function(&mut self, name: &str, span: Span) -> Option<Func> {
        library::lookup(name)?;
        Some(self.declare_implicitly(name, span))
    }

    /// C90: calling an undeclared function declares it as `int f()`.
    fn declare_implicitly(&mut self, name: &str, span: Span) -> Func {
        let symbol = self.intern(name);
        let entry = library::lookup(name);
        let ty = match entry.and_then(|entry| entry.signature) {
            Some(signature) => self.signature_type(&signature),
            None => {
                let function = FunctionType::without_prototype(self.types.int);
                self.types.function(function)
            }
        };
        if entry.is_none() {
            self.warn(span, format!("'{name}' is called without a declaration"));
        }
        let func = match self.linked_function(symbol) {
            Some(func) => func,
            None => {
                let has_body = self.defined_here.contains(name) || self.program_defines(symbol);
                let proc = has_body.then(|| self.new_proc(symbol));
                let function = Function {
                    proc,
                    implicit: true,
                    unit: self.unit,
                    defined_in: self.unit,
                    ..Function::new(symbol, ty, span)
                };
                let func = self.functions.push(function);
                self.link_function(symbol, func);
                func
            }
        };
        self.scopes.bind(symbol, Entity::Function(func));
        func
    }

    pub fn signature_type(&mut self, signature: &Signature) -> Ty {
        let function = FunctionType {
            result: self.c_type(signature.result),
            params: signature.params.iter().map(|&param| self.c_type(param)).collect(),
            variadic: signature.variadic,
            prototyped: true,
        };
        self.types.function(function)
    }

    /// The type in the library table.
    pub fn c_type(&mut self, ty: CType) -> Ty {
        use ravelin_term::FloatKind;
        let kind = match ty {
            CType::Void => TypeKind::Void,
            CType::Bool => TypeKind::Bool,
            CType::Char => TypeKind::Int(IntKind::Char),
            CType::SignedChar => TypeKind::Int(IntKind::SChar),
            CType::UnsignedChar => TypeKind::Int(IntKind::UChar),
            CType::Short => TypeKind::Int(IntKind::Short),
            CType::UnsignedShort => TypeKind::Int(IntKind::UShort),
            CType::Int => TypeKind::Int(IntKind::Int),
            CType::Unsigned => TypeKind::Int(IntKind::UInt),
            CType::Long => TypeKind::Int(IntKind::Long),
            CType::UnsignedLong => TypeKind::Int(IntKind::ULong),
            CType::LongLong => TypeKind::Int(IntKind::LongLong),
            CType::UnsignedLongLong => TypeKind::Int(IntKind::ULongLong),
            CType::Int128 => TypeKind::Int(IntKind::Int128),
            CType::UnsignedInt128 => TypeKind::Int(IntKind::UInt128),
            CType::Size => return self.types.size,
            CType::Float => TypeKind::Float(FloatKind::F32),
            CType::Double => TypeKind::Float(FloatKind::F64),
            CType::LongDouble => TypeKind::Float(FloatKind::F80),
            CType::Float128 => TypeKind::Float(FloatKind::F128),
            CType::Pointer => return self.types.void_ptr,
        };
        self.types.intern(kind)
    }

    /// The meaning of a call of the function.
    pub fn target(&mut self, func: Func) -> Target {
        let Function { name, proc, .. } = self.functions[func];
        let text = self.program.name(name).to_owned();
        // The error of the reachability property, whatever body the program gives it.
        if self.errors.role(&text) == Some(ErrorRole::Always) {
            return Target::Library(Model::Intrinsic(Intrinsic::ReachError));
        }
        if let Some(proc) = proc {
            return Target::Direct(proc);
        }
        let Some(entry) = library::lookup(&text) else { return Target::Unknown };
        if entry.model == Model::Intrinsic(Intrinsic::Nondet)
            && !self.is_input(func, entry.signature)
        {
            return Target::Unknown;
        }
        // `__builtin_strlen` is `strlen`, which the program may define.
        if entry.name != text
            && let usual = self.intern(entry.name)
            && self.program_defines(usual)
            && let Some(proc) = self.external_proc(entry.name)
        {
            return Target::Direct(proc);
        }
        match entry.model {
            Model::C(model) => match self.model_proc(entry.name, model) {
                Some(proc) => Target::Direct(proc),
                None => Target::Unknown,
            },
            model => Target::Library(model),
        }
    }

    /// Whether a function with the name of an input is one: it has a result, and takes no more
    /// arguments than the table says.
    fn is_input(&self, func: Func, signature: Option<Signature>) -> bool {
        let Function { ty, implicit, .. } = self.functions[func];
        let taken = self.types.as_function(ty).map_or(0, |function| function.params.len());
        let expected = signature.map_or(0, |signature| signature.params.len());
        taken <= expected && (!implicit || signature.is_some())
    }

    fn external_proc(&mut self, name: &str) -> Option<Proc> {
        let symbol = self.intern(name);
        if let Some(func) = self.linked_function(symbol) {
            return self.functions[func].proc;
        }
        let func = self.declare_implicitly(name, self.body.span);
        self.functions[func].proc
    }

    /// The procedure of the library function of this name, if a C model defines it.
    pub fn model_of(&mut self, name: &str) -> Option<Proc> {
        match library::lookup(name)?.model {
            Model::C(model) => self.model_proc(name, model),
            Model::Intrinsic(_) | Model::NoEffect(_) | Model::Unsupported(_) => None,
        }
    }

    /// The procedure of a function that a C model defines; the model is lowered later.
    pub fn model_proc(&mut self, name: &str, model: CModel) -> Option<Proc> {
        if self.known_models.insert(model.name) {
            self.wanted_models.push(model);
        }
        let symbol = self.intern(name);
        let func = match self.model_function(symbol) {
            Some(func) => func,
            None => {
                let function = FunctionType::without_prototype(self.types.int);
                let ty = self.types.function(function);
                let func = self.functions.push(Function::new(symbol, ty, self.body.span));
                self.link_model_function(symbol, func);
                func
            }
        };
        if self.functions[func].proc.is_none() {
            self.functions[func].proc = Some(self.new_proc(symbol));
        }
        self.functions[func].proc
    }

    /// Evaluates arguments, from the last to the first as gcc does, and converts them.
    fn arguments(&mut self, ty: Ty, nodes: &'a [Node<Expression>], span: Span) -> Result<Vec<Val>> {
        let function = self.types.as_function(ty).cloned();
        let params = match &function {
            Some(function) if function.prototyped => {
                let wanted = function.params.len();
                if nodes.len() < wanted || (nodes.len() > wanted && !function.variadic) {
                    let count = |n| format!("{n} argument{}", if n == 1 { "" } else { "s" });
                    let message = format!(
                        "the function takes {}, the call has {}",
                        count(wanted),
                        nodes.len()
                    );
                    return self.error(span, message);
                }
                function.params.clone()
            }
            _ => Vec::new(),
        };
        self.evaluate_arguments(nodes, |lowerer, index, value| match params.get(index) {
            Some(&param) => lowerer.convert_argument(value, param, nodes[index].span),
            None if lowerer.types.is_scalar(value.ty) => {
                let ty = lowerer.types.default_promote(value.ty);
                Ok(lowerer.convert_scalar(value, ty))
            }
            None => Ok(value),
        })
    }

    /// The arguments of a builtin that uses their types, neither converted nor promoted.
    pub fn arguments_as_they_are(&mut self, nodes: &'a [Node<Expression>]) -> Result<Vec<Val>> {
        self.evaluate_arguments(nodes, |_, _, value| Ok(value))
    }

    fn evaluate_arguments(
        &mut self,
        nodes: &'a [Node<Expression>],
        convert: impl Fn(&mut Self, usize, Val) -> Result<Val>,
    ) -> Result<Vec<Val>> {
        let mut args = Vec::with_capacity(nodes.len());
        for (index, node) in nodes.iter().enumerate().rev() {
            let value = self.rvalue(node)?;
            if self.types.is_void(value.ty) {
                return self.error(node.span, "a void value cannot be an argument");
            }
            let value = convert(self, index, value)?;
            let others_call = nodes[..index].iter().any(may_call);
            args.push(if others_call { self.snapshot_if_global(value) } else { value });
        }
        args.reverse();
        Ok(args)
    }

    fn convert_argument(&mut self, value: Val, param: Ty, span: Span) -> Result<Val> {
        // GNU transparent unions (wait, pthread_setspecific of old headers) take any member's type.
        if let Some(record) = self.types.as_record(param)
            && self.types.records[record].is_union
            && self.types.as_record(value.ty) != Some(record)
        {
            return self.cast(value, param, span);
        }
        self.convert(value, param, span)
    }

    /// Calls a function by name with evaluated arguments.
    pub fn call_function(&mut self, func: Func, args: Vec<Val>, span: Span) -> Result<Val> {
        let ty = self.functions[func].ty;
        if self.is_linked_late(func) {
            let pointer = self.function_pointer(func);
            return Ok(self.emit_call(Callee::Pointer(pointer), ty, args));
        }
        self.call_target(func, args, span)
    }

    /// Calls the function according to its meaning.
    fn call_target(&mut self, func: Func, mut args: Vec<Val>, span: Span) -> Result<Val> {
        let ty = self.functions[func].ty;
        if let Some(why) = self.functions[func].unsupported {
            self.unsupported(why);
        }
        self.check_arguments(func, &mut args, span);
        self.read_arguments(func, &args);
        if let Some(value) = self.print_by_parts(func, &args) {
            return Ok(value);
        }
        self.check_call(func, &args, span)?;
        match self.target(func) {
            Target::Direct(proc) => Ok(self.emit_call(Callee::Direct(proc), ty, args)),
            Target::Library(Model::Intrinsic(intrinsic)) => {
                self.intrinsic(intrinsic, func, args, span)
            }
            Target::Library(Model::NoEffect(result)) => {
                let result_ty = self.result_type(ty);
                match result {
                    ResultIs::Any => Ok(self.any_value(result_ty, HavocKind::Unspecified)),
                    ResultIs::Zero => Ok(self.zero_value(result_ty)),
                    ResultIs::One => {
                        let one = self.int_value(1, self.types.int);
                        match self.types.is_scalar(result_ty) {
                            true => Ok(self.convert_scalar(one, result_ty)),
                            false => Ok(self.void_value()),
                        }
                    }
                    ResultIs::Argument(index) => match args.get(usize::from(index)) {
                        Some(&value) if self.types.is_scalar(result_ty) => {
                            self.convert(value, result_ty, span)
                        }
                        Some(&value) if !self.types.is_void(result_ty) => Ok(value),
                        _ => Ok(self.void_value()),
                    },
                }
            }
            Target::Library(Model::Unsupported(why)) => {
                let result_ty = self.result_type(ty);
                let name = self.program.name(self.functions[func].name).to_owned();
                Ok(self.unsupported_value(&format!("{name}: {why}"), result_ty))
            }
            Target::Library(Model::C(_)) | Target::Unknown => {
                let name = self.functions[func].name;
                if library::is_uninterpreted(self.program.name(name)) {
                    return Ok(self.apply_uninterpreted(func, args));
                }
                if let Some(why) = self.why_not_external(func) {
                    let result_ty = self.result_type(ty);
                    return Ok(self.unsupported_value(&why, result_ty));
                }
                Ok(self.call_unknown(func, args))
            }
        }
    }

    /// Why a function without body or model cannot be part of the program's environment, which may
    /// do anything that its type allows: it is not declared, or its name belongs to a compiler or a
    /// verifier.
    fn why_not_external(&self, func: Func) -> Option<String> {
        let Function { name, implicit, .. } = self.functions[func];
        let name = self.program.name(name);
        if library::is_reserved(name) {
            return Some(format!("{name}: a function of a compiler or verifier that is not known"));
        }
        // It may be an assertion of a library whose header is missing.
        implicit.then(|| format!("{name}: a function that is neither declared nor defined"))
    }

    pub fn result_type(&self, ty: Ty) -> Ty {
        self.types.as_function(ty).map_or(self.types.int, |function| function.result)
    }

    pub fn zero_value(&mut self, ty: Ty) -> Val {
        match self.types.sort(ty) {
            Some(sort) => Val { term: self.program.terms.zero(sort), ty },
            None => self.void_value(),
        }
    }

    /// Emits a call with the arguments converted; returns its result.
    pub fn emit_call(&mut self, callee: Callee, ty: Ty, args: Vec<Val>) -> Val {
        let Some(function) = self.types.as_function(ty).cloned() else {
            return self.void_value();
        };
        let mut terms = Vec::with_capacity(args.len() + 2);
        let mut result_address = None;
        if self.types.as_record(function.result).is_some() {
            let name = self.body.temp_name;
            let object = self.new_local_object(name, function.result, &Default::default());
            let address = self.program.terms.address(object);
            result_address = Some(address);
            terms.push(address);
        }
        let named = if function.variadic { function.params.len() } else { args.len() };
        let (named, extra) = args.split_at(named.min(args.len()));
        terms.extend(named.iter().map(|arg| arg.term));
        if function.variadic {
            terms.push(self.pack_varargs(extra));
        }
        let sort = self.types.sort(function.result);
        let dst = match (result_address, sort) {
            (None, Some(sort)) => Some(self.temp(sort, self.types.is_signed(function.result))),
            _ => None,
        };
        self.emit(Op::Call { dst, callee, args: terms });
        self.check_jump();
        match (result_address, dst) {
            (Some(address), _) => Val { term: address, ty: function.result },
            (None, Some(dst)) => Val { term: self.program.read(dst), ty: function.result },
            (None, None) => self.void_value(),
        }
    }

    /// The procedure for calls through pointers to the function. Without a body it gets one that
    /// does the same as a call by name.
    pub fn proc_for_pointer(&mut self, func: Func) -> Proc {
        match self.target(func) {
            Target::Direct(proc) => proc,
            Target::Library(_) | Target::Unknown => self.wrapper(func),
        }
    }

    /// The type for calls through pointers to a function without body: the table knows the
    /// parameters of a library function that is declared as `f()`.
    fn type_for_pointer(&mut self, func: Func) -> Ty {
        let Function { name, ty, .. } = self.functions[func];
        let signature = library::lookup(self.program.name(name)).and_then(|entry| entry.signature);
        match signature {
            Some(signature) if !self.is_prototyped(func) => {
                let result = self.result_type(ty);
                let known = self.signature_type(&signature);
                let params = self.types.as_function(known).cloned();
                match params {
                    Some(function) => self.types.function(FunctionType { result, ..function }),
                    None => ty,
                }
            }
            _ => ty,
        }
    }

    fn wrapper(&mut self, func: Func) -> Proc {
        let Function { name, declared_at, .. } = self.functions[func];
        let ty = self.type_for_pointer(func);
        let function = self.types.as_function(ty).cloned();
        let result = function.as_ref().map_or(self.types.int, |function| function.result);
        let proc = self.new_proc(name);
        let pos = if declared_at.is_none() { SrcPos::NONE } else { self.position(self.body.span) };
        let span = self.body.span;
        let body = Body::new(&mut self.program, proc, name, result, pos);
        let outer = std::mem::replace(&mut self.body, body);
        self.at(span);
        self.body.enter_block();
        let mut args = Vec::new();
        if self.types.as_record(result).is_some() {
            let var = self.local(name, Sort::Ptr, false);
            self.body.graph.params.push(var);
            self.body.result_address = Some(var);
        } else {
            self.body.graph.result = self.types.sort(result);
        }
        if let Some(function) = &function {
            for &param in &function.params {
                let sort = self.types.sort(param).unwrap_or(Sort::Ptr);
                let var = self.local(name, sort, self.types.is_signed(param));
                self.body.graph.params.push(var);
                args.push(Val { term: self.program.read(var), ty: param });
            }
            if function.variadic {
                let var = self.local(name, Sort::Ptr, false);
                self.body.graph.params.push(var);
            }
        }
        if let Target::Library(Model::Intrinsic(
            Intrinsic::Print { format } | Intrinsic::Log { format },
        )) = self.target(func)
            && let Some(format) = args.get(usize::from(format))
        {
            self.check_format(format.term);
        }
        let value = self.call_target(func, args, span).unwrap_or_else(|_| self.void_value());
        if let Some(address) = self.body.result_address {
            let target = self.program.read(address);
            self.copy_aggregate(target, value.term, result);
            self.emit_end(Op::Return { value: None });
        } else if self.types.sort(result).is_some() && self.types.is_scalar(value.ty) {
            let value = self.convert_scalar(value, result);
            self.emit_end(Op::Return { value: Some(value.term) });
        } else if self.types.sort(result).is_some() {
            let value = self.any_value(result, HavocKind::Unspecified);
            self.emit_end(Op::Return { value: Some(value.term) });
        } else {
            self.emit_end(Op::Return { value: None });
        }
        self.finish_jumps();
        let mut body = std::mem::replace(&mut self.body, outer);
        tidy(&mut body.graph);
        self.program.procs[proc] = body.graph;
        proc
    }
    /// Output through a pointer to `printf`: the arguments are not available, so the model of
    /// `vprintf` looks for conversions that write.
    fn check_format(&mut self, format: Term) {
        if let Some(proc) = self.model_of("__ravelin_check_format") {
            self.emit(Op::Call { dst: None, callee: Callee::Direct(proc), args: vec![format] });
        }
    }
}
