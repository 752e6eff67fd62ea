//! File-scope declarations, linkage, and function definitions (C11 6.2.2, 6.9).

use lang_c::ast::{
    Declaration, DeclarationSpecifier, FunctionDefinition, FunctionSpecifier, Identifier,
    InitDeclarator, ParameterDeclaration, StorageClassSpecifier,
};
use lang_c::span::{Node, Span};
use ravelin_base::{DataModel, Symbol, entities};
use ravelin_cfa::{
    Gap, Init, Label, Object, ObjectData, ObjectKind, Op, Proc, Procedure, Var, VarData, VarKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::attribute::Attributes;
use super::body::{BlockEnd, Body, tidy};
use super::declare::{Param, Params, Specifiers};
use super::labels::Made;
use super::linkage::StartTarget;
use super::scope::{Entity, Storage};
use super::{Lowerer, Result, Val};
use crate::symbols::passes_arguments_on;
use crate::types::{FunctionType, Ty, TypeKind};

entities! {
    /// A function that was declared.
    pub(crate) struct Func("func");
}

#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub name: Symbol,
    pub ty: Ty,
    /// Its procedure, if it has a body or a model in C.
    pub proc: Option<Proc>,
    /// The target of function pointers to it, once there are any.
    pub object: Option<Object>,
    pub noreturn: bool,
    /// Whether a body was lowered.
    pub defined: bool,
    /// Whether a later definition replaces the lowered one.
    pub replaceable: bool,
    pub unsupported: Option<&'static str>,
    /// Whether the program calls it without declaring it.
    pub implicit: bool,
    pub declared_at: Span,
    /// Whether a header of the system declares it.
    pub is_system: bool,
    /// The unit that declared it last, whose type is kept.
    pub unit: u32,
    /// The unit whose body was lowered.
    pub defined_in: u32,
    /// Its index among the definitions of the program, once it was defined.
    pub place: Option<u32>,
    /// As [`Attributes::constructor`] and [`Attributes::destructor`], from any declaration.
    pub constructor: Option<u16>,
    pub destructor: Option<u16>,
    /// Whether some unit may do without a definition.
    pub weak: bool,
    /// The pointer to it, if a function selects it at the start.
    pub indirect: Option<Var>,
}

impl Function {
    /// A function that was declared, and nothing else.
    pub fn new(name: Symbol, ty: Ty, declared_at: Span) -> Function {
        Function {
            name,
            ty,
            proc: None,
            object: None,
            noreturn: false,
            defined: false,
            replaceable: false,
            unsupported: None,
            implicit: false,
            declared_at,
            is_system: false,
            unit: NO_UNIT,
            defined_in: NO_UNIT,
            place: None,
            constructor: None,
            destructor: None,
            weak: false,
            indirect: None,
        }
    }
}

/// The unit of functions that no unit has declared: the library's, before their models are read.
pub(crate) const NO_UNIT: u32 = u32::MAX;

entities! {
    /// A variable with static storage duration.
    pub(crate) struct Global("global");
}

#[derive(Clone, Debug)]
pub(crate) struct GlobalData {
    pub storage: Storage,
    /// As declared by the last unit that declared it.
    pub ty: Ty,
    pub state: Definition,
    pub unit: u32,
    /// For an undefined weak variable: whether it exists.
    pub weak: Option<Var>,
    /// Declared by a header of the system or by a model.
    pub is_system: bool,
}

/// How far a variable is defined (C11 6.9.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Definition {
    /// `extern int x;`
    Declared,
    /// `int x;`: zero, unless an initialiser follows.
    Tentative,
    Initialised,
}

/// The parameters of a definition, to be declared in its body's scope.
enum DefinedParams<'a> {
    Prototype(&'a [Node<ParameterDeclaration>]),
    OldStyle(Vec<Param>),
}

impl<'a> Lowerer<'a> {
    /// Names that gcc knows without declaration.
    pub fn declare_predefined_names(&mut self) {
        self.scopes.enter();
        let va_list = self.intern("__builtin_va_list");
        self.scopes.bind(va_list, Entity::Typedef(self.types.va_list));
    }

    pub fn file_scope_declaration(&mut self, node: &'a Node<Declaration>) -> Result<()> {
        self.at(node.span);
        let specifiers = self.declaration_specifiers(&node.node.specifiers, node.span)?;
        let mut result = Ok(());
        for declarator in &node.node.declarators {
            // Each declarator is a declaration of its own: continue after an error.
            let declared = self.file_scope_declarator(&specifiers, declarator);
            result = result.and(declared);
        }
        result
    }

    fn file_scope_declarator(
        &mut self,
        specifiers: &Specifiers,
        node: &'a Node<InitDeclarator>,
    ) -> Result<()> {
        self.at(node.span);
        let declared = self.declarator(&node.node.declarator, specifiers.ty)?;
        let mut attributes = specifiers.attributes.clone();
        attributes.merge(declared.attributes);
        let Some(name) = declared.name else {
            return self.error(node.span, "a declaration without a name");
        };
        let ty = match attributes.mode {
            Some(mode) => self.apply_mode(declared.ty, mode),
            None => declared.ty,
        };
        if specifiers.storage == Some(StorageClassSpecifier::Typedef) {
            self.bind_typedef(name, ty, &attributes);
            return Ok(());
        }
        if self.types.as_function(ty).is_some() {
            self.declare_function(name, ty, &specifiers.storage, &attributes, node.span)?;
            return Ok(());
        }
        if let Some(why) = attributes.unsupported {
            return self.error(node.span, format!("{why} are not supported"));
        }
        let global = self.declare_global(name, ty, specifiers, &attributes, node.span)?;
        let is_static = specifiers.storage == Some(StorageClassSpecifier::Static);
        let symbol = self.symbol_of(name, is_static);
        if self.loses(symbol) || attributes.alias {
            return Ok(());
        }
        match &node.node.initializer {
            Some(initializer) => {
                if self.globals[global].state == Definition::Initialised {
                    return self.error(node.span, "the variable was initialised before");
                }
                self.globals[global].state = Definition::Declared;
                self.size_by_definition(global, ty);
                self.globals[global].state = Definition::Initialised;
                self.initialise_global(global, initializer)
            }
            None => {
                if specifiers.storage != Some(StorageClassSpecifier::Extern) {
                    self.size_by_definition(global, ty);
                    let state = self.globals[global].state.max(Definition::Tentative);
                    self.globals[global].state = state;
                    if !self.types.is_complete(ty) {
                        self.incomplete_globals.push((global, node.span));
                    }
                }
                Ok(())
            }
        }
    }

    /// Declares a variable with linkage, or finds it if an earlier declaration did.
    pub fn declare_global(
        &mut self,
        name: Symbol,
        ty: Ty,
        specifiers: &Specifiers,
        attributes: &Attributes,
        span: Span,
    ) -> Result<Global> {
        let is_extern = specifiers.storage == Some(StorageClassSpecifier::Extern);
        // gcc accepts `extern void end;`: a name of which only the address is used.
        if self.types.is_void(ty) && !is_extern {
            return self.error(span, "a variable cannot have type void");
        }
        let is_static = specifiers.storage == Some(StorageClassSpecifier::Static);
        let symbol = self.symbol_of(name, is_static);
        // `extern` after `static` keeps the linkage of the earlier declaration (C11 6.2.2p4).
        let visible = match self.scopes.get_here(name) {
            None if is_extern => self.scopes.get(name),
            here => here,
        };
        let known = match visible {
            Some(Entity::Global(global)) => Some(global),
            Some(Entity::Typedef(_) | Entity::Constant { .. } | Entity::Function(_))
                if self.scopes.get_here(name).is_some() =>
            {
                let name = self.program.name(name).to_owned();
                return self.error(span, format!("'{name}' was declared as something else"));
            }
            _ => symbol.and_then(|symbol| self.external_globals.get(&symbol).copied()),
        };
        let global = match known {
            Some(global) => {
                self.refine_global(global, name, ty, span)?;
                global
            }
            None => {
                let text = symbol.map(|symbol| self.program.names.resolve(symbol));
                let is_renamed = text.is_some_and(|text| self.facts.symbols.is_renamed(text));
                let is_missing = text.is_some_and(|text| !self.facts.symbols.is_defined(text));
                let is_weak = is_missing && self.is_weak(name);
                let storage = match is_weak || is_renamed {
                    // Its address is used under another name.
                    true => self.global_object(name, ty, specifiers.thread_local, attributes),
                    false => self.global_storage(name, ty, specifiers.thread_local, attributes),
                };
                let weak = symbol.filter(|_| is_weak).map(|symbol| self.weak_flag(symbol));
                let state = Definition::Declared;
                let unit = self.unit;
                let is_system =
                    self.unit_index.is_none() || self.map.is_system(super::base_span(span).start);
                let data = GlobalData { storage, ty, state, unit, weak, is_system };
                let global = self.globals.push(data);
                if let Some(symbol) = symbol {
                    self.external_globals.insert(symbol, global);
                }
                global
            }
        };
        self.scopes.bind(name, Entity::Global(global));
        Ok(global)
    }

    /// A later declaration may complete an array's type; otherwise the types must agree.
    fn refine_global(&mut self, global: Global, name: Symbol, ty: Ty, span: Span) -> Result<()> {
        let known = self.globals[global].ty;
        if !self.types.compatible(known, ty) && self.types.sort(known) != self.types.sort(ty) {
            let message = format!(
                "'{}' is declared with type '{}' here and '{}' before",
                self.program.name(name),
                self.spell(ty),
                self.spell(known)
            );
            return self.error(span, message);
        }
        if self.types.size_of(known).is_none() && self.types.size_of(ty).is_some() {
            let defined = self.globals[global].state != Definition::Declared;
            match self.globals[global].storage {
                Storage::Object(object) if defined && self.program.objects[object].size > 0 => {
                    self.globals[global].ty = ty;
                }
                _ => self.complete_global(global, ty),
            }
        }
        if self.globals[global].unit != self.unit {
            // Every unit accesses it by its own declaration.
            self.globals[global].unit = self.unit;
            self.globals[global].ty = ty;
        }
        Ok(())
    }

    /// Units may disagree on the size of a variable: the definition decides, or the largest of
    /// several tentative definitions.
    fn size_by_definition(&mut self, global: Global, ty: Ty) {
        let Some(size) = self.types.size_of(ty) else { return };
        if let Storage::Object(object) = self.globals[global].storage {
            let known = &mut self.program.objects[object].size;
            *known = match self.globals[global].state {
                Definition::Declared => size,
                Definition::Tentative | Definition::Initialised => size.max(*known),
            };
        }
    }

    /// Sets the complete type of the variable.
    pub fn complete_global(&mut self, global: Global, ty: Ty) {
        self.globals[global].ty = ty;
        if let Storage::Object(object) = self.globals[global].storage {
            self.program.objects[object].size = self.types.size_of(ty).unwrap_or(0);
            let align = self.types.align_of(ty);
            let known = &mut self.program.objects[object].align;
            *known = (*known).max(align);
        }
    }

    /// Storage for a variable of static or thread storage duration, not initialised yet.
    pub fn global_storage(
        &mut self,
        name: Symbol,
        ty: Ty,
        thread_local: bool,
        attributes: &Attributes,
    ) -> Storage {
        let pos = self.position(self.body.span);
        let in_memory = self.facts.is_in_memory(self.program.names.resolve(name));
        if let Some(sort) = self.types.sort(ty)
            && !in_memory
        {
            let kind = if thread_local {
                VarKind::ThreadLocal { init: None }
            } else {
                VarKind::Global { init: None, atomic: self.types.qualifiers(ty).atomic }
            };
            let signed = self.types.is_signed(ty);
            return Storage::Var(self.program.vars.push(VarData { name, sort, signed, kind, pos }));
        }
        self.global_object(name, ty, thread_local, attributes)
    }

    /// As [`Self::global_storage`], in memory.
    fn global_object(
        &mut self,
        name: Symbol,
        ty: Ty,
        thread_local: bool,
        attributes: &Attributes,
    ) -> Storage {
        let pos = self.position(self.body.span);
        let kind = if thread_local { ObjectKind::ThreadLocal } else { ObjectKind::Global };
        let size = self.types.size_of(ty).unwrap_or(0);
        // The ABI of x86-64 demands it of static arrays, so that vector instructions can use them.
        let is_for_vectors = self.types.data_model() == DataModel::Lp64
            && self.types.element(ty).is_some()
            && size >= 16;
        let least = if is_for_vectors { 16 } else { 1 };
        Storage::Object(self.program.add_object(ObjectData {
            name,
            kind,
            size,
            align: self.types.align_of(ty).max(attributes.align.unwrap_or(1)).max(least),
            is_record: self.types.is_record(ty),
            init: Init::Indeterminate,
            pos,
        }))
    }

    /// Tentative definitions are zero; variables that no unit defines may hold anything.
    pub fn complete_globals(&mut self) {
        let tentative: Vec<GlobalData> = self
            .globals
            .values()
            .filter(|global| global.state == Definition::Tentative)
            .cloned()
            .collect();
        for global in tentative {
            match global.storage {
                Storage::Var(var) => {
                    let zero = self.program.terms.zero(self.program.vars[var].sort);
                    self.set_initial_value(var, zero);
                }
                Storage::Object(object) => {
                    self.program.objects[object].init = Init::Zero;
                    // C11 6.9.2p5: an array of unknown length ends up with one element.
                    if let TypeKind::Array(element, None) = *self.types.kind(global.ty)
                        && self.program.objects[object].size == 0
                    {
                        let size = self.types.size_of(element).unwrap_or(0);
                        self.program.objects[object].size = size;
                    }
                }
                Storage::At(_) | Storage::Prototype => {}
            }
        }
        self.mark_constants();
    }

    /// C11 6.7.3p6: objects defined as constants never change after the loader has initialised
    /// them.
    fn mark_constants(&mut self) {
        let stores = self.link_time.stores.iter();
        let filled_in: FxHashSet<Object> = stores
            .filter_map(|(target, _)| match *target {
                StartTarget::At(object, _) => Some(object),
                StartTarget::Var(_) => None,
            })
            .collect();
        for global in self.globals.values() {
            if let Storage::Object(object) = global.storage
                && self.types.is_constant(global.ty)
                && !filled_in.contains(&object)
            {
                let data = &mut self.program.objects[object];
                if data.kind == ObjectKind::Global && data.init != Init::Indeterminate {
                    data.kind = ObjectKind::Constant;
                }
            }
        }
    }

    /// A function may be called as one with external linkage and then be defined as a static one,
    /// or its definition may have an error: such a call has no body to run.
    pub fn complete_functions(&mut self) {
        let what = self.intern("call of a function whose definition is another one");
        let missing: Vec<Proc> = self
            .functions
            .values()
            .filter(|function| !function.defined)
            .filter_map(|function| function.proc)
            .filter(|&proc| self.program.procs[proc].edges.is_empty())
            .collect();
        for proc in missing {
            let procedure = &mut self.program.procs[proc];
            let (entry, exit, pos) = (procedure.entry, procedure.exit, procedure.pos);
            let middle = procedure.add_loc();
            procedure.add_edge(
                entry,
                middle,
                [Label::new(Op::Unsupported(Gap::NotModelled(what)), pos)],
            );
            procedure.add_edge(middle, exit, [Label::new(Op::Return { value: None }, pos)]);
        }
    }

    /// C11 6.9.2p3: a definition's type must be complete at the end of the unit; an array of unknown
    /// length then has one element.
    pub fn check_incomplete_globals(&mut self) {
        for (global, span) in std::mem::take(&mut self.incomplete_globals) {
            let ty = self.globals[global].ty;
            if !self.types.is_complete(ty) && self.types.element(ty).is_none() {
                let ty = self.spell(ty);
                // Reported; the later units are still processed.
                let _ = self.error::<()>(span, format!("'{ty}' is never completed"));
            } else if self.types.as_record(ty).is_some() {
                // The struct was defined after the variable was declared.
                self.complete_global(global, ty);
            }
        }
    }

    pub fn set_initial_value(&mut self, var: ravelin_cfa::Var, value: ravelin_cfa::Term) {
        match &mut self.program.vars[var].kind {
            VarKind::Global { init, .. } | VarKind::ThreadLocal { init } => *init = Some(value),
            VarKind::Local(_) => {}
        }
    }

    /// Declares a function, or finds it if an earlier declaration did.
    pub fn declare_function(
        &mut self,
        name: Symbol,
        ty: Ty,
        storage: &Option<StorageClassSpecifier>,
        attributes: &Attributes,
        span: Span,
    ) -> Result<Func> {
        let is_static = *storage == Some(StorageClassSpecifier::Static);
        let symbol = self.symbol_of(name, is_static);
        let known = match self.scopes.get(name) {
            Some(Entity::Function(func)) => Some(func),
            Some(_) if self.scopes.get_here(name).is_some() => {
                let name = self.program.name(name).to_owned();
                return self.error(span, format!("'{name}' was declared as something else"));
            }
            _ => symbol
                .and_then(|symbol| self.linked_function(symbol))
                .filter(|&func| self.may_link(func, ty)),
        };
        let func = match known {
            Some(func) => {
                self.refine_function(func, ty, span)?;
                func
            }
            None => {
                let function = Function {
                    unit: self.unit,
                    defined_in: self.unit,
                    ..Function::new(symbol.unwrap_or(name), ty, span)
                };
                let func = self.functions.push(function);
                let has_body = self.defined_here.contains(self.program.names.resolve(name))
                    || symbol.is_some_and(|symbol| self.program_defines(symbol));
                if has_body {
                    self.functions[func].proc = Some(self.new_proc(name));
                }
                if let Some(symbol) = symbol {
                    self.link_new_function(symbol, func);
                    if self.facts.symbols.is_indirect(self.program.names.resolve(symbol)) {
                        self.functions[func].indirect = Some(self.indirect_var(symbol));
                    }
                }
                func
            }
        };
        let is_system = self.map.is_system(super::base_span(span).start);
        let is_weak = self.is_weak(name);
        let function = &mut self.functions[func];
        function.is_system |= is_system;
        function.weak |= is_weak;
        function.noreturn |= attributes.noreturn;
        function.implicit = false;
        function.constructor = function.constructor.or(attributes.constructor);
        function.destructor = function.destructor.or(attributes.destructor);
        function.unsupported = function.unsupported.or(attributes.unsupported);
        self.scopes.bind(name, Entity::Function(func));
        Ok(func)
    }

    fn refine_function(&mut self, func: Func, ty: Ty, span: Span) -> Result<()> {
        let known = self.functions[func].ty;
        let (Some(old), Some(new)) = (self.types.as_function(known), self.types.as_function(ty))
        else {
            return Ok(());
        };
        if self.functions[func].unit != self.unit {
            // Calls convert arguments to the types that their own unit declares.
            self.functions[func].unit = self.unit;
            self.functions[func].ty = ty;
            return Ok(());
        }
        let results_differ = self.types.sort(old.result) != self.types.sort(new.result)
            || self.types.as_record(old.result) != self.types.as_record(new.result);
        if results_differ && self.functions[func].defined && new.prototyped {
            let message = format!(
                "'{}' is declared with type '{}' here and '{}' before",
                self.program.name(self.functions[func].name),
                self.spell(ty),
                self.spell(known)
            );
            return self.error(span, message);
        }
        // The more complete declaration wins; the definition's always does.
        if new.prototyped && !self.functions[func].defined {
            self.functions[func].ty = ty;
        }
        Ok(())
    }

    /// A procedure whose body comes later.
    pub fn new_proc(&mut self, name: Symbol) -> Proc {
        let pos = self.position(self.body.span);
        self.program.procs.push(Procedure::new(name, pos))
    }

    pub fn function_definition(&mut self, node: &'a Node<FunctionDefinition>) -> Result<()> {
        let definition = &node.node;
        let header = definition.declarator.span;
        self.at(header);
        let specifiers = self.declaration_specifiers(&definition.specifiers, header)?;
        let declared = self.declarator(&definition.declarator, specifiers.ty)?;
        let (Some(name), Some(function)) = (declared.name, self.types.as_function(declared.ty))
        else {
            return self.error(header, "this definition is not one of a function");
        };
        let result = function.result;
        let variadic = function.variadic;
        let mut ty = declared.ty;
        let old_style = match declared.params {
            Some(Params::Names(names)) => Some(self.old_style_params(names, definition)?),
            Some(Params::Prototype(_)) | None => None,
        };
        if let Some(params) = &old_style {
            // C11 6.9.1p7: a K&R definition is not a prototype, but Ravelin knows its parameters.
            let params = params.iter().map(|param| self.types.default_promote(param.ty)).collect();
            let function = FunctionType { result, params, variadic: false, prototyped: false };
            ty = self.types.function(function);
        }
        let mut attributes = specifiers.attributes.clone();
        attributes.merge(declared.attributes);
        let func = self.declare_function(name, ty, &specifiers.storage, &attributes, header)?;
        let is_inline = definition.specifiers.iter().any(|specifier| {
            matches!(&specifier.node, DeclarationSpecifier::Function(function)
                if function.node == FunctionSpecifier::Inline)
        });
        let is_static = specifiers.storage == Some(StorageClassSpecifier::Static);
        if passes_arguments_on(definition) {
            return Ok(());
        }
        let symbol = self.symbol_of(name, is_static);
        if self.loses(symbol) {
            return Ok(());
        }
        if self.functions[func].defined && !self.functions[func].replaceable {
            // C11 6.7.4p7: an inline definition is an alternative to the external one.
            if is_inline && !is_static && self.functions[func].defined_in != self.unit {
                return Ok(());
            }
            let name = self.program.name(name).to_owned();
            return self.error(header, format!("redefinition of '{name}'"));
        }
        self.functions[func].defined = true;
        self.functions[func].place = Some(self.definitions);
        self.definitions += 1;
        self.functions[func].defined_in = self.unit;
        // A GNU `extern inline` definition may be followed by the real one, and a header's inline
        // definition by those of other units.
        self.functions[func].replaceable = is_inline && !is_static;
        self.functions[func].ty = ty;
        let proc = match self.functions[func].proc {
            Some(proc) => proc,
            None => {
                let proc = self.new_proc(name);
                self.functions[func].proc = Some(proc);
                proc
            }
        };

        let pos = self.position(header);
        let mut body = Body::new(&mut self.program, proc, name, result, pos);
        body.noreturn = self.functions[func].noreturn;
        let outer = std::mem::replace(&mut self.body, body);
        self.at(header);
        self.scopes.enter();
        self.body.enter_block();
        let params = match (old_style, declared.params) {
            (Some(params), _) => DefinedParams::OldStyle(params),
            (None, Some(Params::Prototype(list))) => DefinedParams::Prototype(list),
            (None, _) => DefinedParams::Prototype(&[]),
        };
        let lowered = self.function_body(params, variadic, definition);
        self.scopes.leave();
        let mut body = std::mem::replace(&mut self.body, outer);
        tidy(&mut body.graph);
        self.program.procs[proc] = body.graph;
        lowered
    }

    /// The parameters of a K&R definition: names, and declarations that follow.
    fn old_style_params(
        &mut self,
        names: &'a [Node<Identifier>],
        definition: &'a FunctionDefinition,
    ) -> Result<Vec<Param>> {
        let mut types = FxHashMap::default();
        for declaration in &definition.declarations {
            let specifiers =
                self.declaration_specifiers(&declaration.node.specifiers, declaration.span)?;
            for declarator in &declaration.node.declarators {
                let declared = self.declarator(&declarator.node.declarator, specifiers.ty)?;
                if let Some(name) = declared.name {
                    types.insert(name, self.types.decayed(declared.ty));
                }
            }
        }
        let mut params = Vec::with_capacity(names.len());
        for name in names {
            let symbol = self.intern(&name.node.name);
            // An undeclared one is an int (C90).
            let ty = types.get(&symbol).copied().unwrap_or(self.types.int);
            params.push(Param { name: Some(symbol), ty, span: name.span });
        }
        Ok(params)
    }

    fn function_body(
        &mut self,
        params: DefinedParams<'a>,
        variadic: bool,
        definition: &'a FunctionDefinition,
    ) -> Result<()> {
        let result = self.body.result;
        if self.types.as_record(result).is_some() {
            let name = self.intern("%result");
            let var = self.local(name, ravelin_cfa::Sort::Ptr, false);
            self.body.graph.params.push(var);
            self.body.result_address = Some(var);
        } else if !self.types.is_void(result) {
            let Some(sort) = self.types.sort(result) else {
                return self
                    .error(definition.declarator.span, "a function cannot return this type");
            };
            self.body.graph.result = Some(sort);
        }
        let mut outcome = Ok(());
        match params {
            DefinedParams::OldStyle(params) => {
                for param in params {
                    let passed = self.types.default_promote(param.ty);
                    outcome = outcome.and(self.define_param(param, passed));
                }
            }
            DefinedParams::Prototype(list) => {
                for node in list {
                    self.at(node.span);
                    let Some(param) = self.parameter(node, list.len())? else { break };
                    outcome = outcome.and(self.define_param(param, param.ty));
                }
            }
        }
        if variadic {
            let name = self.intern("%varargs");
            let var = self.local(name, ravelin_cfa::Sort::Ptr, false);
            self.body.graph.params.push(var);
            self.body.varargs = Some(var);
        }
        outcome?;
        self.at(definition.declarator.span);
        if self.program.name(self.body.name).starts_with("__VERIFIER_atomic_") {
            self.body.atomic = true;
            self.emit(Op::AtomicBegin);
        }
        let lowered = self.compound_body(&definition.statement);
        // The end of the body, or of `main`, returns (C11 5.1.2.2.3p1: main returns 0).
        self.at(Span::span(
            definition.statement.span.end.saturating_sub(1),
            definition.statement.span.end,
        ));
        self.return_from_end();
        self.finish_jumps();
        self.check_labels();
        self.connect_gotos();
        lowered
    }

    /// Declares a parameter, which arrives as a value of type `passed`.
    fn define_param(&mut self, param: Param, passed: Ty) -> Result<()> {
        let Param { name, ty, span } = param;
        self.at(span);
        let unnamed = self.intern("%param");
        let shown = name.unwrap_or(unnamed);
        if self.types.as_record(ty).is_some() {
            // The caller passes the address of the struct; the parameter is a copy.
            if !self.types.is_complete(ty) {
                return self.error(span, "a parameter has an incomplete type");
            }
            let var = self.local(shown, ravelin_cfa::Sort::Ptr, false);
            self.body.graph.params.push(var);
            let source = self.program.read(var);
            let object = self.new_local_object(shown, ty, &Attributes::default());
            let target = self.program.terms.address(object);
            self.copy_aggregate(target, source, ty);
            if let Some(name) = name {
                let storage = Storage::Object(object);
                self.scopes.bind(name, Entity::Local { storage, ty });
            }
            return Ok(());
        }
        let Some(sort) = self.types.sort(ty) else {
            let ty = self.spell(ty);
            return self.error(span, format!("a parameter cannot have type '{ty}'"));
        };
        let var = self.local(shown, sort, self.types.is_signed(ty));
        if self.types.sort(passed).is_some_and(|passed| passed != sort) {
            // C11 6.9.1p10: old-style parameters arrive promoted and are converted back.
            let sort = self.types.sort(passed).unwrap_or(sort);
            let arriving = self.local(shown, sort, self.types.is_signed(passed));
            self.body.graph.params.push(arriving);
            let value = Val { term: self.program.read(arriving), ty: passed };
            let value = self.convert(value, ty, span)?;
            self.assign(var, value.term);
        } else {
            self.body.graph.params.push(var);
        }
        let Some(name) = name else { return Ok(()) };
        let storage = if self.facts.is_in_memory(self.program.names.resolve(name)) {
            let object = self.new_local_object(name, ty, &Attributes::default());
            let addr = self.program.terms.address(object);
            let value = self.program.read(var);
            self.store_scalar(addr, value, ty);
            Storage::Object(object)
        } else {
            Storage::Var(var)
        };
        self.scopes.bind(name, Entity::Local { storage, ty });
        Ok(())
    }

    /// An object of the current block whose lifetime begins here.
    pub fn new_local_object(&mut self, name: Symbol, ty: Ty, attributes: &Attributes) -> Object {
        let pos = self.position(self.body.span);
        let object = self.program.add_object(ObjectData {
            name,
            kind: ObjectKind::Local(self.body.proc),
            size: self.types.size_of(ty).unwrap_or(0),
            align: self.types.align_of(ty).max(attributes.align.unwrap_or(1)),
            is_record: self.types.is_record(ty),
            init: Init::Indeterminate,
            pos,
        });
        if let Some(block) = self.body.blocks.last_mut() {
            block.ends.push(BlockEnd::Object(object));
            block.made.push(Made::Object(object));
        }
        if self.types.is_constant(ty) {
            self.constant_locals.insert(object);
        }
        self.emit(Op::ScopeBegin(object));
        object
    }

    /// The object that pointers to a function point to. A function without body gets a procedure
    /// that does the same as a call of it.
    pub fn function_object(&mut self, func: Func) -> Object {
        if let Some(object) = self.functions[func].object {
            return object;
        }
        let Function { name, .. } = self.functions[func];
        let proc = self.proc_for_pointer(func);
        // A function has one address, whether the program or a model of the library takes it.
        if let Some(model) = self.model_function(name)
            && model != func
            && self.functions[model].proc == Some(proc)
        {
            return self.function_object(model);
        }
        let pos = self.position(self.body.span);
        let object = self.program.add_object(ObjectData {
            name,
            kind: ObjectKind::Function(proc),
            size: 1,
            align: 16,
            is_record: false,
            init: Init::Zero,
            pos,
        });
        self.functions[func].object = Some(object);
        object
    }
}
