//! Which function a name with external linkage stands for.
//!
//! The program and the library link apart: where a model calls `memset` or `strtol`, it means the library's function,
//! also if the program defines one of that name. Otherwise a model would mean what the program's function happens to do.
//! Only the functions that allocate memory can be replaced for the library as well, as glibc allows: what `strdup`
//! returns goes to the program's `free`.

use ravelin_base::Symbol;
use rustc_hash::FxHashMap;

use super::Lowerer;
use super::global::{Func, NO_UNIT};
use crate::types::Ty;

/// Functions with external linkage, over all units.
#[derive(Debug, Default)]
pub(super) struct ExternalFunctions {
    /// Whether the unit being lowered is a library model.
    pub in_model: bool,
    of_program: FxHashMap<Symbol, Func>,
    of_models: FxHashMap<Symbol, Func>,
}

/// Functions of the program that take the place of the library's, for the library as well.
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

    /// Whether calls of this type may go to a function that another unit declared. If they pass other
    /// structs by value, gcc links them all the same, and what the callee finds is undefined.
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

    fn links_to_model(&self, name: Symbol) -> bool {
        let name = self.program.names.resolve(name);
        self.external_functions.in_model
            && !(REPLACEABLE.contains(&name) && self.facts.external_definitions.contains(name))
    }
}
