//! What keeps engines from an answer of their own: where there is none in the end, it is the real reason.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use ravelin_analysis::verdict::{Reason, Unconfirmed, Unseen};
use ravelin_base::SrcPos;
use ravelin_cfa::Program;
use ravelin_cfa::print::position;
use ravelin_explore as explore;

/// Something that an engine met and cannot follow, in words and with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// An operation that is not modelled.
    Unsupported(String),
    /// Behaviour that C or POSIX leaves undefined.
    Undefined(String),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::Unsupported(text) | Obstacle::Undefined(text) => f.write_str(text),
        }
    }
}

/// The obstacle that says most of those that a run met. Clones are of the same run.
#[derive(Clone, Debug, Default)]
pub struct Met(Arc<Mutex<Option<Obstacle>>>);

impl Met {
    pub fn get(&self) -> Option<Obstacle> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, obstacle: Obstacle) {
        let mut met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The first of its kind stays.
        let says_less = |met: &Obstacle| match (met, &obstacle) {
            (Obstacle::Undefined(_), Obstacle::Unsupported(_)) => true,
            (Obstacle::Unsupported(_), _) | (_, Obstacle::Undefined(_)) => false,
        };
        if met.as_ref().is_none_or(says_less) {
            *met = Some(obstacle);
        }
    }

    /// Notes why the explorer has not seen everything.
    pub(crate) fn note_exploration(&self, program: &Program, reason: &explore::Reason) {
        match reason {
            explore::Reason::Unsupported { what, pos } => {
                self.note(Obstacle::Unsupported(unsupported(program, what, *pos)));
            }
            explore::Reason::Doubt(doubt) => {
                self.note(Obstacle::Unsupported(unsupported(program, &doubt.what, doubt.pos)));
            }
            explore::Reason::Undefined(ending, pos) => {
                let text = format!("undefined behaviour: {ending} at {}", position(program, *pos));
                self.note(Obstacle::Undefined(text));
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

    /// Notes what the analysis cannot follow on a path that it sets aside.
    pub(crate) fn note_path(&self, program: &Program, reason: &Reason) {
        match reason {
            Reason::Unsupported { what, pos } => {
                self.note(Obstacle::Unsupported(unsupported(program, what, *pos)));
            }
            Reason::NotConfirmed(Unconfirmed { outcome, why }) => match why {
                Unseen::Undefined => {
                    self.note(Obstacle::Undefined(format!("undefined behaviour: {outcome}")));
                }
                // It says so itself.
                Unseen::NotModelled => self.note(Obstacle::Unsupported(outcome.clone())),
                Unseen::Diverged(_) => {}
            },
            Reason::Timeout
            | Reason::Interrupted
            | Reason::StepLimit
            | Reason::RefinementStuck
            | Reason::Solver(_)
            | Reason::HardQuestion
            | Reason::NoEntry => {}
        }
    }

    /// A reason that says nothing of the program, such as that time is over, with what was met.
    pub fn explain(&self, reason: &str) -> String {
        match self.get() {
            Some(obstacle) => format!("{reason}; {obstacle}"),
            None => reason.to_owned(),
        }
    }
}

fn unsupported(program: &Program, what: &str, pos: SrcPos) -> String {
    format!("unsupported: {} {what}", position(program, pos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_modelled_says_more_than_what_is_undefined() {
        let met = Met::default();
        assert_eq!(met.explain("timeout"), "timeout");
        met.note(Obstacle::Undefined("a null access".to_owned()));
        met.note(Obstacle::Unsupported("unsupported: a.c:1:2 strtod".to_owned()));
        met.note(Obstacle::Unsupported("unsupported: a.c:3:4 asm".to_owned()));
        met.note(Obstacle::Undefined("another".to_owned()));
        assert_eq!(met.explain("timeout"), "timeout; unsupported: a.c:1:2 strtod");
    }
}
