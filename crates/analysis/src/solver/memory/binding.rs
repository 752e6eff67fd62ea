//! Reads through pointers that are known; what other pointers read may be anything.
//!
//! The pointers of a state are put into a question before it is asked, so a pointer is known here exactly
//! if the state's points-to graph has one edge for it.

use ravelin_term::Term;

use super::deref::resolve;
use super::{MemoryModel, Reading};
use crate::model::space::Space;

/// The model that follows only pointers whose object and offset are constants.
pub struct Binding;

impl MemoryModel for Binding {
    fn read(&self, reading: &mut Reading<'_>, space: &mut Space<'_>, memory: Term) -> Option<Term> {
        if space.constant_pointer(reading.pointer).is_none() {
            return Some(reading.unknown(space, memory));
        }
        resolve(self, reading, space, memory, |reading, space, pointer| {
            let known = reading.translator.done.get(&pointer).copied();
            known.is_some_and(|pointer| space.constant_pointer(pointer).is_some())
        })
    }
}
