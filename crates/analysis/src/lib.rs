//! Analyses of automata: abstraction, refinement and the loop between them.
//!
//! - [`model`]: the program as analyses see it: instances of variables, memory regions, control states, steps, blocks;
//! - [`domain`]: what an analysis is; explicit values, predicates, and their product;
//! - [`algorithm`]: what runs every domain: the abstract reachability graph, refinement and the loop of both;
//! - [`engine`]: what can be run: abstraction refinement, bounded unrolling, templates, Horn clauses, thread views;
//! - [`reduction`]: which threads may wait (persistent sets), and which statements nothing depends on;
//! - [`solver`]: the solver facade and the models of memory;
//! - [`config`]: the options of one analysis; [`features`]: counts by which a caller chooses engines;
//! - [`verdict`]: answers; [`progress`]: statistics before there is one.
//!
//! [`Analysis`] is the way in: it prepares a program once and runs engines on it. Which engines, in which order and for
//! how long, is the caller's strategy (`ravelin-verifier`).

pub mod algorithm;
mod analysis;
pub mod config;
pub mod domain;
pub mod engine;
pub mod features;
pub mod model;
pub mod progress;
pub mod reduction;
pub mod solver;
pub mod verdict;

// What other crates name most: the options of domains and algorithms, and the graph.
pub use crate::algorithm::{arg, cegar, graph, refine};
pub use crate::domain::{explicit, predicate};
pub use crate::model::control_flow;
pub use crate::solver::memory;

pub use crate::analysis::Analysis;
pub use crate::model::check_races::{
    FoundRaces, RaceCandidate, RaceChecks, check_races, race_mark,
};
pub use crate::model::checks::{Checks, insert_checks};
pub use crate::model::discharge::{OpenCheck, open_checks};
pub use crate::model::renew_locals::renew_locals;

use std::time::Duration;

use crate::algorithm::cegar::CegarStatistics;
use crate::domain::predicate::AbstractionStatistics;
use crate::solver::SolverStatistics;

/// Counts and times.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    pub cegar: CegarStatistics,
    pub solver: SolverStatistics,
    pub abstraction: AbstractionStatistics,
    /// The time of engines that neither abstract nor refine: templates and Horn clauses.
    pub other_stages: Duration,
    /// What symbolic execution did.
    pub symbolic: engine::symbolic::Counts,
    /// The time of the explicit-state search, beside everything else.
    pub exploration: Duration,
    /// The time since the run began.
    pub elapsed: Duration,
}

impl Statistics {
    /// Counts another run, too.
    fn add(&mut self, other: &Statistics) {
        // Runs side by side take no more time together.
        let Statistics {
            cegar,
            solver,
            abstraction,
            other_stages,
            symbolic,
            exploration,
            elapsed: _,
        } = other;
        self.symbolic.add(symbolic);
        self.other_stages += *other_stages;
        self.exploration += *exploration;
        self.cegar.add(cegar);
        self.solver.calls += solver.calls;
        self.solver.remembered += solver.remembered;
        self.solver.evaluated += solver.evaluated;
        self.solver.time += solver.time;
        self.abstraction.abstractions += abstraction.abstractions;
        self.abstraction.predicates += abstraction.predicates;
        self.abstraction.calls += abstraction.calls;
    }
}
