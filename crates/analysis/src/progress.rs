//! The progress of a run, for threads that may have to end it.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::Statistics;
use crate::algorithm::graph::StateGraph;
use crate::engine::symbolic::Counts;
use crate::solver::SolverStatistics;
use crate::verdict::Reason;

/// The statistics of a run, published after every round and at its end. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    latest: Arc<Mutex<Statistics>>,
    /// Those of searches that have ended.
    earlier: Arc<Mutex<Statistics>>,
    begun: Begun,
    /// Runs beside this one, which count, too.
    beside: Arc<Mutex<Vec<Progress>>>,
    /// The graph in which the answer was found, if the caller asked for it.
    graph: Option<Arc<Mutex<StateGraph>>>,
    observer: Option<Observer>,
}

/// When a run began.
#[derive(Clone, Copy, Debug)]
struct Begun(Instant);

impl Default for Begun {
    fn default() -> Self {
        Begun(Instant::now())
    }
}

/// Receives the reasons for which paths to the error are set aside.
#[derive(Clone)]
struct Observer(Arc<dyn Fn(&Reason) + Send + Sync>);

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

impl Progress {
    /// One that keeps the graph, too.
    pub fn with_graph() -> Progress {
        Progress { graph: Some(Arc::default()), ..Progress::default() }
    }

    /// The same, with an observer that receives the reason whenever a search sets a path to the error aside.
    pub fn observed_by(self, observer: impl Fn(&Reason) + Send + Sync + 'static) -> Progress {
        Progress { observer: Some(Observer(Arc::new(observer))), ..self }
    }

    /// For another run of the same question beside this one.
    pub fn fork(&self) -> Progress {
        let (graph, observer) = (self.graph.clone(), self.observer.clone());
        let fork = Progress { graph, observer, ..Progress::default() };
        self.beside.lock().unwrap_or_else(PoisonError::into_inner).push(fork.clone());
        fork
    }

    /// For one of several questions, with a graph of its own.
    pub fn fork_question(&self) -> Progress {
        let graph = self.graph.as_ref().map(|_| Arc::default());
        Progress { graph, ..self.fork() }
    }

    /// The graph that an answer was found in, if there is one and it was wanted.
    pub fn graph(&self) -> Option<StateGraph> {
        let graph = self.graph.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        (!graph.nodes.is_empty()).then(|| graph.clone())
    }

    pub(crate) fn sets_aside(&self, reason: &Reason) {
        if let Some(Observer(observe)) = &self.observer {
            observe(reason);
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
        all.elapsed = self.begun.0.elapsed();
        all
    }

    /// What a search counts, and the solver from the beginning.
    pub(crate) fn publish(&self, statistics: Statistics) {
        let earlier = *self.earlier.lock().unwrap_or_else(PoisonError::into_inner);
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let (other_stages, symbolic) = (latest.other_stages, latest.symbolic);
        let exploration = latest.exploration;
        let Statistics { solver, cegar, .. } = statistics;
        *latest = statistics;
        latest.add(&earlier);
        latest.cegar.precision = cegar.precision;
        *latest = Statistics { solver, other_stages, symbolic, exploration, ..*latest };
    }

    /// A search has ended: the next one counts from here on.
    pub(crate) fn settle(&self) {
        let latest = *self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        *self.earlier.lock().unwrap_or_else(PoisonError::into_inner) = latest;
    }

    /// Counts the time of a stage that neither abstracts nor refines.
    pub(crate) fn spend_elsewhere(&self, time: Duration) {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).other_stages += time;
    }

    /// Counts what symbolic execution did.
    pub(crate) fn count_paths(&self, counts: Counts, solver: SolverStatistics) {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let SolverStatistics { calls, time, .. } = solver;
        latest.symbolic.add(&Counts { questions: calls, in_solver: time, ..counts });
    }

    /// Counts the time that the exploration of concrete states took.
    pub fn spend_exploring(&self, time: Duration) {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).exploration += time;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_states(states: u64, precision: usize, solver_calls: u64) -> Statistics {
        let mut statistics = Statistics::default();
        statistics.cegar.states = states;
        statistics.cegar.precision = precision;
        statistics.solver.calls = solver_calls;
        statistics
    }

    #[test]
    fn searches_that_have_ended_count() {
        let progress = Progress::default();
        progress.publish(of_states(3, 2, 1));
        progress.publish(of_states(5, 2, 4));
        progress.settle();
        progress.spend_elsewhere(Duration::from_secs(2));
        progress.publish(of_states(7, 1, 9));
        let latest = progress.latest();
        assert_eq!((latest.cegar.states, latest.cegar.precision), (12, 1));
        // All searches have one solver, which counts from the beginning.
        assert_eq!(latest.solver.calls, 9);
        progress.settle();
        progress.publish(of_states(1, 1, 9));
        assert_eq!(progress.latest().cegar.states, 13);
        assert_eq!(progress.latest().other_stages, Duration::from_secs(2));
        // Runs beside it count, too.
        progress.fork().publish(of_states(100, 0, 1));
        assert_eq!(progress.latest().cegar.states, 113);
    }
}
