//! The function of a name with external linkage.
//!
//! The program and the library link separately: a model that calls `memset` or `strtol` calls the
//! library's function, even if the program defines one of that name. Otherwise the program's
//! function would change the model. As in glibc, the program can replace only the functions that
//! allocate memory for the library as well: the program passes the result of `strdup` to its own
//! `free`.
//!
//! `symbols` resolves names as a linker does; this module handles the values that the linker and
//! the loader determine: whether undefined weak symbols are null, and which functions `ifunc`
//! selects.

use ravelin_base::Symbol;
use ravelin_cfa::{Object, Sort, Term, Var, VarData, VarKind};
use ravelin_term::TermKind;
use rustc_hash::FxHashMap;

use super::Lowerer;
use super::global::{Func, NO_UNIT};
use super::scope::Entity;
use crate::library;
use crate::types::Ty;

/// Functions with external linkage, over all units.
#[derive(Debug, Default)]
pub(super) struct ExternalFunctions {
    /// Whether the unit being lowered is a library model.
    pub in_model: bool,
    of_program: FxHashMap<Symbol, Func>,
    of_models: FxHashMap<Symbol, Func>,
}

/// Values that are fixed when the program is linked or loaded, not when it is compiled.
#[derive(Debug, Default)]
pub(super) struct LinkTime {
    /// Whether an undefined weak symbol has a definition elsewhere: zero if not.
    weak: FxHashMap<Symbol, Var>,
    /// Pointers to functions that a function selects at the start (GNU `ifunc`).
    pub resolvers: Vec<(Var, Func)>,
    indirect: Vec<Var>,
    /// Parts of initialisers with such values, until their object is known: offsets and values.
    pub parts: Vec<(u64, Term)>,
    /// The stores at the start: addresses or variables, and values.
    pub stores: Vec<(StartTarget, Term)>,
}

/// Where a value goes at the start of the program.
#[derive(Clone, Copy, Debug)]
pub(super) enum StartTarget {
    Var(Var),
    At(Object, u64),
}

/// Functions of the program that replace the library's, for the library as well.
const REPLACEABLE: &[&str] = &[
    "aligned_alloc",
    "calloc",
    "free",
    "malloc",
    "memalign",
    "posix_memalign",
    "pvalloc",
    "realloc",
    "valloc",
];

impl Lowerer<'_> {
    /// The function that this name was linked to before, as the unit being lowered links it.
    pub(super) fn linked_function(&self, name: Symbol) -> Option<Func> {
        match self.links_to_model(name) {
            true => self.model_function(name),
            false => self.external_functions.of_program.get(&name).copied(),
        }
    }

    /// Links a name to a function, for units that link as the one being lowered.
    pub(super) fn link_function(&mut self, name: Symbol, func: Func) {
        match self.links_to_model(name) {
            true => self.link_model_function(name, func),
            false => _ = self.external_functions.of_program.insert(name, func),
        }
    }

    /// Whether calls of this type may go to a function that another unit declared. If they pass
    /// other structs by value, gcc links them anyway, and the behaviour is undefined.
    pub(super) fn may_link(&self, func: Func, ty: Ty) -> bool {
        let function = &self.functions[func];
        [self.unit, NO_UNIT].contains(&function.unit)
            || self.types.passes_same_records(function.ty, ty)
    }

    /// Links a name to a function that was not known, or not with its type: then calls of the unit
    /// with the definition reach it, and those of others nothing that could be run.
    pub(super) fn link_new_function(&mut self, name: Symbol, func: Func) {
        let is_defined_here = self.defined_here.contains(self.program.names.resolve(name));
        if is_defined_here || self.linked_function(name).is_none() {
            self.link_function(name, func);
        }
    }

    /// The function of the library.
    pub(super) fn model_function(&self, name: Symbol) -> Option<Func> {
        self.external_functions.of_models.get(&name).copied()
    }

    pub(super) fn link_model_function(&mut self, name: Symbol, func: Func) {
        self.external_functions.of_models.insert(name, func);
    }

    /// Whether the name means a function that some unit of the program defines.
    pub(super) fn program_defines(&self, name: Symbol) -> bool {
        !self.links_to_model(name)
            && self.facts.external_definitions.contains(self.program.names.resolve(name))
    }

    /// The symbol of a name as this unit means it; `None` if it has internal linkage.
    pub(super) fn symbol_of(&mut self, name: Symbol, internal: bool) -> Option<Symbol> {
        let text = self.program.names.resolve(name);
        let symbol = self.facts.symbols.symbol(self.unit_index, text, internal)?;
        if symbol == text {
            return Some(name);
        }
        let symbol = symbol.to_owned();
        // The headers of glibc rename functions that come in several kinds. Where the library table does not know the
        // kind, it knows the function.
        let text = text.to_owned();
        let is_kind = symbol.starts_with("__") || symbol.ends_with("64");
        if is_kind && library::lookup(&symbol).is_none() && library::lookup(&text).is_some() {
            return Some(name);
        }
        Some(self.program.names.intern(&symbol))
    }

    /// Whether a definition elsewhere replaces this unit's.
    pub(super) fn loses(&self, symbol: Option<Symbol>) -> bool {
        symbol.is_some_and(|symbol| {
            self.facts.symbols.loses(self.unit_index, self.program.names.resolve(symbol))
        })
    }

    /// Whether this unit may do without a definition of the name.
    pub(super) fn is_weak(&self, name: Symbol) -> bool {
        self.facts.symbols.is_weak(self.unit_index, self.program.names.resolve(name))
    }

    /// A variable for whether an undefined weak symbol has a definition elsewhere: it may or may
    /// not.
    pub(super) fn weak_flag(&mut self, symbol: Symbol) -> Var {
        if let Some(&var) = self.link_time.weak.get(&symbol) {
            return var;
        }
        let name = format!("%defined:{}", self.program.name(symbol));
        let var = self.link_time_var(&name, Sort::Bv(8));
        self.link_time.weak.insert(symbol, var);
        var
    }

    /// The pointer to a function that another one selects.
    pub(super) fn indirect_var(&mut self, symbol: Symbol) -> Var {
        let name = format!("%ifunc:{}", self.program.name(symbol));
        let var = self.link_time_var(&name, Sort::Ptr);
        let null = self.program.terms.null();
        self.set_initial_value(var, null);
        self.link_time.indirect.push(var);
        var
    }

    fn link_time_var(&mut self, name: &str, sort: Sort) -> Var {
        let name = self.program.names.intern(name);
        let kind = VarKind::Global { init: None, atomic: false };
        let pos = self.position(self.body.span);
        self.program.vars.push(VarData { name, sort, signed: false, kind, pos })
    }

    /// The address if the symbol is defined, and null otherwise.
    pub(super) fn weak_address(&mut self, flag: Var, address: Term) -> Term {
        let flag = self.program.read(flag);
        let defined = self.program.terms.is_nonzero(flag);
        let null = self.program.terms.null();
        self.program.terms.ite(defined, address, null)
    }

    /// The value of a pointer to the function.
    pub(super) fn function_pointer(&mut self, func: Func) -> Term {
        if let Some(var) = self.functions[func].indirect {
            return self.program.read(var);
        }
        let object = self.function_object(func);
        let address = self.program.terms.address(object);
        match self.is_undefined_weak(func) {
            true => {
                let flag = self.weak_flag(self.functions[func].name);
                self.weak_address(flag, address)
            }
            false => address,
        }
    }

    /// Whether calls of the function go through a pointer that the linker or loader sets.
    pub(super) fn is_linked_late(&self, func: Func) -> bool {
        self.functions[func].indirect.is_some() || self.is_undefined_weak(func)
    }

    fn is_undefined_weak(&self, func: Func) -> bool {
        let function = &self.functions[func];
        let name = self.program.name(function.name);
        function.weak
            && function.proc.is_none()
            && !self.facts.symbols.is_defined(name)
            && library::lookup(name).is_none()
            && self.errors.role(name).is_none()
    }

    /// Whether the term depends on what the linker decides, and on no other variable.
    pub(super) fn is_link_time(&self, term: Term) -> bool {
        let (mut some, mut others) = (false, false);
        self.program.terms.for_each_subterm(term, |_, kind| {
            if let TermKind::Var(var) = kind {
                let is_known = self.link_time.weak.values().any(|&known| known == var)
                    || self.link_time.indirect.contains(&var);
                some |= is_known;
                others |= !is_known;
            }
        });
        some && !others
    }

    /// The parts of an initialiser that are known at the start only belong to this object.
    pub(super) fn store_at_start(&mut self, object: Object) {
        for (offset, value) in std::mem::take(&mut self.link_time.parts) {
            self.link_time.stores.push((StartTarget::At(object, offset), value));
        }
    }

    /// GNU `ifunc`: finds the selecting functions, at the end of their unit.
    pub(super) fn find_resolvers(&mut self) {
        for (name, resolver) in self.facts.symbols.resolvers(self.unit_index) {
            let (name, resolver) = (self.intern(&name), self.intern(&resolver));
            if let Some(Entity::Function(func)) = self.scopes.get(name)
                && let Some(Entity::Function(resolver)) = self.scopes.get(resolver)
                && let Some(var) = self.functions[func].indirect
            {
                self.link_time.resolvers.push((var, resolver));
            }
        }
    }

    fn links_to_model(&self, name: Symbol) -> bool {
        let name = self.program.names.resolve(name);
        self.external_functions.in_model
            && !(REPLACEABLE.contains(&name) && self.facts.external_definitions.contains(name))
    }
}
