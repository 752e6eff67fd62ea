//! How far a run is, for threads that may have to end it.

use std::sync::{Arc, Mutex, PoisonError};

use crate::Statistics;

/// The statistics of a run, published after every round and at its end. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    latest: Arc<Mutex<Statistics>>,
}

impl Progress {
    /// What was published last.
    pub fn latest(&self) -> Statistics {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn publish(&self, statistics: Statistics) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = statistics;
    }
}
