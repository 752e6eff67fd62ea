//! Reads as choices among the values that were written.

use ravelin_term::{Term, TermKind};

use super::access::Written;
use super::{MemoryModel, Reading};
use crate::model::space::Space;

/// The model of reads that are resolved where they are asked for.
pub struct Deref;

impl MemoryModel for Deref {
    fn read(&self, reading: &mut Reading<'_>, space: &mut Space<'_>, memory: Term) -> Option<Term> {
        resolve(self, reading, space, memory, |_, _, _| true)
    }
}

/// The value that is read from a memory, as a choice among those written. Where writes through a pointer are not
/// `followed`, what is read there and below may be anything.
pub(super) fn resolve(
    model: &impl MemoryModel,
    reading: &mut Reading<'_>,
    space: &mut Space<'_>,
    memory: Term,
    followed: impl Fn(&Reading<'_>, &Space<'_>, Term) -> bool,
) -> Option<Term> {
    // Writes on the way down, the latest first, with the condition under which each is read.
    let mut passed: Vec<(Term, Written)> = Vec::new();
    let mut at = memory;
    let mut value = loop {
        if let Some(&known) = reading.known.get(&at) {
            break known;
        }
        match space.terms.kind(at) {
            TermKind::Write(below, pointer, written) => {
                reading.pass_write()?;
                if !followed(reading, space, pointer) {
                    break reading.unknown(space, at);
                }
                reading.effect(space, (pointer, written), below, &mut passed)?;
                at = below;
            }
            TermKind::Ite(cond, a, b) => {
                let cond = reading.operand(cond)?;
                let (a, b) = (model.read(reading, space, a)?, model.read(reading, space, b)?);
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
