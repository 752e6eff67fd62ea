//! Interned strings: names are compared and copied as a `u32`.

use cranelift_entity::entity_impl;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// A string of an [`Interner`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);
entity_impl!(Symbol, "sym");

/// Strings in order of first appearance, so that symbols are the same from run to run.
#[derive(Clone, Debug)]
pub struct Interner {
    strings: IndexSet<Box<str>, FxBuildHasher>,
}

impl Default for Interner {
    fn default() -> Self {
        let mut interner = Interner { strings: IndexSet::default() };
        interner.intern("");
        interner
    }
}

impl Interner {
    /// The empty string, which every interner holds.
    pub const EMPTY: Symbol = Symbol(0);

    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(index) = self.strings.get_index_of(text) {
            return Symbol(index as u32);
        }
        let (index, _) = self.strings.insert_full(text.into());
        Symbol(u32::try_from(index).expect("fewer than 2^32 distinct names"))
    }

    /// The symbol of `text` if it was interned before.
    pub fn get(&self, text: &str) -> Option<Symbol> {
        self.strings.get_index_of(text).map(|index| Symbol(index as u32))
    }

    pub fn resolve(&self, symbol: Symbol) -> &str {
        &self.strings[symbol.0 as usize]
    }
}
