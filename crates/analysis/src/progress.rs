//! How far a run is, for threads that may have to end it.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::Statistics;
use crate::graph::StateGraph;
use crate::stages::Stage;
use crate::verdict::Verdict;

/// The statistics of a run, published after every round and at its end. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    latest: Arc<Mutex<Statistics>>,
    /// Of runs beside this one, which count, too.
    beside: Arc<Mutex<Vec<Progress>>>,
    /// The graph that an answer was found in, if somebody wants to see it.
    graph: Option<Arc<Mutex<StateGraph>>>,
    observer: Option<Observer>,
}

/// Hears of the stages of a run.
#[derive(Clone)]
struct Observer(Arc<dyn Fn(StageEvent<'_>) + Send + Sync>);

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

/// What happens to stages.
#[derive(Clone, Copy, Debug)]
pub enum StageEvent<'a> {
    Begins(&'a Stage),
    /// The one that began last in this thread, with what it found out.
    Ends(&'a Verdict),
}

impl Progress {
    /// One that keeps the graph, too.
    pub fn with_graph() -> Progress {
        Progress { graph: Some(Arc::default()), ..Progress::default() }
    }

    /// The same, and this is told of stages.
    pub fn observed_by(
        self,
        observer: impl Fn(StageEvent<'_>) + Send + Sync + 'static,
    ) -> Progress {
        Progress { observer: Some(Observer(Arc::new(observer))), ..self }
    }

    /// For another run of the same question beside this one.
    pub fn fork(&self) -> Progress {
        let (graph, observer) = (self.graph.clone(), self.observer.clone());
        let fork = Progress { graph, observer, ..Progress::default() };
        self.beside.lock().unwrap_or_else(PoisonError::into_inner).push(fork.clone());
        fork
    }

    /// The graph that an answer was found in, if there is one and it was wanted.
    pub fn graph(&self) -> Option<StateGraph> {
        let graph = self.graph.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        (!graph.nodes.is_empty()).then(|| graph.clone())
    }

    pub(crate) fn stage_begins(&self, stage: &Stage) {
        if let Some(Observer(tell)) = &self.observer {
            tell(StageEvent::Begins(stage));
        }
    }

    pub(crate) fn stage_ends(&self, verdict: &Verdict) {
        if let Some(Observer(tell)) = &self.observer {
            tell(StageEvent::Ends(verdict));
        }
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
