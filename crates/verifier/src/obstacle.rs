//! What keeps engines from an answer of their own: where there is none in the end, it is the real reason.

use std::sync::{Arc, Mutex, PoisonError};

use ravelin_cfa::{Program, Reason};
use ravelin_explore as explore;

/// The obstacle that says most of those that the engines of a run met. Clones are of the same run.
#[derive(Clone, Debug, Default)]
pub struct Met(Arc<Mutex<Option<Reason>>>);

impl Met {
    pub fn get(&self) -> Option<Reason> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes what an engine cannot follow, if it is that. What is not modelled says more than what is undefined, and
    /// the first of its kind stays.
    pub(crate) fn note(&self, reason: &Reason) {
        let says_more = |met: &Option<Reason>| match reason {
            Reason::Unsupported { .. } => !matches!(met, Some(Reason::Unsupported { .. })),
            Reason::Undefined { .. } => met.is_none(),
            _ => false,
        };
        let mut met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if says_more(&met) {
            *met = Some(reason.clone());
        }
    }

    /// Notes why the explorer has not seen everything.
    pub(crate) fn note_exploration(&self, program: &Program, reason: &explore::Reason) {
        match reason {
            explore::Reason::Unsupported { what, pos } => {
                self.note(&Reason::unsupported(program, &**what, *pos));
            }
            explore::Reason::Doubt(doubt) => {
                self.note(&Reason::unsupported(program, &*doubt.what, doubt.pos));
            }
            explore::Reason::Undefined(ending, pos) => {
                self.note(&Reason::undefined(program, ending.to_string(), *pos));
            }
            explore::Reason::Stated { what, pos } => {
                self.note(&Reason::undefined(program, &**what, *pos));
            }
            explore::Reason::OpenValue(_)
            | explore::Reason::OpenMemory(_)
            | explore::Reason::Address(_)
            | explore::Reason::Beyond(..)
            | explore::Reason::TooManyStates(_)
            | explore::Reason::TooManyThreads(_)
            | explore::Reason::Memory
            | explore::Reason::Exhausted(_)
            | explore::Reason::PathLost => {}
        }
    }

    /// A reason, with what was met where it says nothing of the program.
    pub fn explain(&self, reason: Reason) -> Reason {
        reason.blocked_by(self.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_modelled_says_more_than_what_is_undefined() {
        let unsupported = |what: &str| Reason::Unsupported { what: what.to_owned(), at: None };
        let undefined = |what: &str| Reason::Undefined { what: what.to_owned(), at: None };
        let met = Met::default();
        assert_eq!(met.explain(Reason::Timeout), Reason::Timeout);
        met.note(&Reason::RefinementStuck);
        met.note(&undefined("a null access"));
        assert_eq!(met.get(), Some(undefined("a null access")));
        met.note(&unsupported("strtod"));
        met.note(&unsupported("asm"));
        met.note(&undefined("another"));
        assert_eq!(met.explain(Reason::Timeout).to_string(), "timeout; unsupported: strtod");
    }
}
