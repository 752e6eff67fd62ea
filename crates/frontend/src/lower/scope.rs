//! Names in scope: ordinary identifiers and tags, which have name spaces of their own (C11 6.2.3).

use ravelin_base::Symbol;
use ravelin_cfa::{Object, Var};
use rustc_hash::FxHashMap;

use super::global::{Func, Global};
use crate::types::{Record, Ty};

/// The meaning of an ordinary identifier.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entity {
    Typedef(Ty),
    /// An enumeration constant.
    Constant {
        value: i128,
        ty: Ty,
    },
    /// A local variable or parameter.
    Local {
        storage: Storage,
        ty: Ty,
    },
    Global(Global),
    Function(Func),
}

/// The storage of a variable.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Storage {
    Var(Var),
    Object(Object),
    /// In memory at the address that the variable holds: variable-length arrays.
    At(Var),
    /// A parameter of a prototype: there is no value.
    Prototype,
}

/// The meaning of a tag.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tag {
    Record(Record, Ty),
    Enum(Ty),
}

/// A name space with nested scopes: the innermost binding of a name is found by one look-up, and
/// leaving a scope undoes its bindings.
#[derive(Debug)]
struct NameSpace<T> {
    bindings: FxHashMap<Symbol, Vec<(u32, T)>>,
    undo: Vec<Vec<Symbol>>,
}

impl<T> Default for NameSpace<T> {
    fn default() -> Self {
        NameSpace { bindings: FxHashMap::default(), undo: Vec::new() }
    }
}

impl<T: Copy> NameSpace<T> {
    fn enter(&mut self) {
        self.undo.push(Vec::new());
    }

    fn leave(&mut self) {
        for name in self.undo.pop().unwrap_or_default() {
            if let Some(stack) = self.bindings.get_mut(&name) {
                stack.pop();
            }
        }
    }

    fn depth(&self) -> u32 {
        self.undo.len() as u32
    }

    fn bind(&mut self, name: Symbol, value: T) {
        let depth = self.depth();
        let stack = self.bindings.entry(name).or_default();
        match stack.last_mut() {
            Some((bound_at, old)) if *bound_at == depth => *old = value,
            _ => {
                stack.push((depth, value));
                if let Some(undo) = self.undo.last_mut() {
                    undo.push(name);
                }
            }
        }
    }

    fn get(&self, name: Symbol) -> Option<T> {
        self.bindings.get(&name)?.last().map(|(_, value)| *value)
    }

    fn get_here(&self, name: Symbol) -> Option<T> {
        self.bindings
            .get(&name)?
            .last()
            .filter(|(depth, _)| *depth == self.depth())
            .map(|(_, value)| *value)
    }
}

/// The scopes around the place being lowered.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    ordinary: NameSpace<Entity>,
    tags: NameSpace<Tag>,
    /// How many parameter lists of prototypes are around.
    prototypes: u32,
}

impl Scopes {
    pub fn enter(&mut self) {
        self.ordinary.enter();
        self.tags.enter();
    }

    pub fn leave(&mut self) {
        self.ordinary.leave();
        self.tags.leave();
    }

    pub fn enter_prototype(&mut self) {
        self.enter();
        self.prototypes += 1;
    }

    pub fn leave_prototype(&mut self) {
        self.prototypes -= 1;
        self.leave();
    }

    pub fn in_prototype(&self) -> bool {
        self.prototypes > 0
    }

    /// Binds in the innermost scope; a binding there is replaced.
    pub fn bind(&mut self, name: Symbol, entity: Entity) {
        self.ordinary.bind(name, entity);
    }

    pub fn get(&self, name: Symbol) -> Option<Entity> {
        self.ordinary.get(name)
    }

    /// The binding of the innermost scope only.
    pub fn get_here(&self, name: Symbol) -> Option<Entity> {
        self.ordinary.get_here(name)
    }

    pub fn bind_tag(&mut self, name: Symbol, tag: Tag) {
        self.tags.bind(name, tag);
    }

    pub fn tag(&self, name: Symbol) -> Option<Tag> {
        self.tags.get(name)
    }

    pub fn tag_here(&self, name: Symbol) -> Option<Tag> {
        self.tags.get_here(name)
    }

    /// Whether names are bound at file scope: predefined names have the scope outside it.
    pub fn at_file_scope(&self) -> bool {
        self.ordinary.depth() <= 2
    }
}
