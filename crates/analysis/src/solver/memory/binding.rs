//! Reads through pointers that are known; what other pointers read may be anything.
//!
//! The pointers of a state are put into a question before it is asked, so a pointer is known here exactly
//! if the state's points-to graph has one edge for it.

use ravelin_term::{Term, TermKind};

use super::access::Written;
use super::{MemoryModel, Reading};
use crate::model::space::Space;

/// The model that follows only pointers whose object and offset are constants.
pub struct Binding;

impl MemoryModel for Binding {
    fn read(&self, reading: &mut Reading<'_>, space: &mut Space<'_>, memory: Term) -> Option<Term> {
        if space.constant_pointer(reading.pointer).is_none() {
            return Some(reading.unknown(space, memory));
        }
        let mut passed: Vec<(Term, Written)> = Vec::new();
        let mut at = memory;
        let mut value = loop {
            if let Some(&known) = reading.known.get(&at) {
                break known;
            }
            match space.terms.kind(at) {
                TermKind::Write(below, pointer, written) => {
                    reading.pass_write()?;
                    let known = reading.translator.done.get(&pointer).copied();
                    if known.and_then(|pointer| space.constant_pointer(pointer)).is_none() {
                        break reading.unknown(space, at);
                    }
                    reading.effect(space, (pointer, written), below, &mut passed)?;
                    at = below;
                }
                TermKind::Ite(cond, a, b) => {
                    let cond = reading.operand(cond)?;
                    let (a, b) = (self.read(reading, space, a)?, self.read(reading, space, b)?);
                    break space.terms.ite(cond, a, b);
                }
                TermKind::Var(memory) => break reading.content(space, memory),
                _ => return None,
            }
        };
        for (condition, written) in passed.into_iter().rev() {
            value = reading.after(space, condition, written, value)?;
        }
        reading.known.insert(memory, value);
        Some(value)
    }
}
