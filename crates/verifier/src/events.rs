//! What a run tells whoever listens, while it goes on.

use std::fmt;

use ravelin_evidence::trace::DEFAULT_WIDTH;

/// Hears what happens in a run. Called from several threads.
pub trait Listener: fmt::Debug + Send + Sync {
    fn hear(&self, event: &Event<'_>);

    /// How wide the trace of several threads may be, in characters.
    fn trace_width(&self) -> usize {
        DEFAULT_WIDTH
    }
}

/// Something worth telling. Texts are sentences without an end of line.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// What the front end warns of, as complete lines with places.
    Diagnostics(&'a str),
    /// Something went wrong that the answer does not depend on.
    Warning(&'a str),
    /// What the program is like and what is tried, as complete lines.
    Strategy(Explanation<'a>),
    /// The checks that neither pointers nor ranges decide, as complete lines.
    OpenChecks(Explanation<'a>),
    /// Something begins or ends that takes time.
    Progress(&'a str),
}

/// A text that is made where somebody reads it.
#[derive(Clone, Copy)]
pub struct Explanation<'a>(pub(crate) &'a dyn Fn() -> String);

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&(self.0)())
    }
}

impl fmt::Debug for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Explanation")
    }
}

/// Hears nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silence;

impl Listener for Silence {
    fn hear(&self, _: &Event<'_>) {}
}
