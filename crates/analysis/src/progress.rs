//! How far a run is, for threads that may have to end it.

use std::sync::{Arc, Mutex, PoisonError};

use crate::Statistics;
use crate::graph::StateGraph;

/// The statistics of a run, published after every round and at its end. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    latest: Arc<Mutex<Statistics>>,
    /// Of runs beside this one, which count, too.
    beside: Arc<Mutex<Vec<Progress>>>,
    /// The graph that an answer was found in, if somebody wants to see it.
    graph: Option<Arc<Mutex<StateGraph>>>,
}

impl Progress {
    /// One that keeps the graph, too.
    pub fn with_graph() -> Progress {
        Progress { graph: Some(Arc::default()), ..Progress::default() }
    }

    /// For another run of the same question beside this one.
    pub fn fork(&self) -> Progress {
        let fork = Progress { graph: self.graph.clone(), ..Progress::default() };
        self.beside.lock().unwrap_or_else(PoisonError::into_inner).push(fork.clone());
        fork
    }

    /// The graph that an answer was found in, if there is one and it was wanted.
    pub fn graph(&self) -> Option<StateGraph> {
        let graph = self.graph.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        (!graph.nodes.is_empty()).then(|| graph.clone())
    }

    pub(crate) fn publish_graph(&self, graph: impl FnOnce() -> StateGraph) {
        if let Some(slot) = &self.graph {
            *slot.lock().unwrap_or_else(PoisonError::into_inner) = graph();
        }
    }

    /// What was published last, of all runs together.
    pub fn latest(&self) -> Statistics {
        let mut all = *self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        for fork in self.beside.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            all.add(&fork.latest());
        }
        all
    }

    pub(crate) fn publish(&self, statistics: Statistics) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = statistics;
    }
}
