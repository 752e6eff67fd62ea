//! Counts and times of a run: one struct, of which lines, JSON and reports are views.

use std::fmt;
use std::time::Duration;

use crate::front::Phases;

/// What a run did and what it took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statistics {
    pub front_end: Phases,
    pub analysis: ravelin_analysis::Statistics,
    /// To judge executions, and to find the one that is shown in the source.
    pub replays: Duration,
}

/// A statistic under its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    pub name: &'static str,
    pub figure: Figure,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    Count(u64),
    Time(Duration),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A figure by itself.
    Plain,
    /// What a phase of the run took, perhaps as a part of another.
    Phase { part_of: Option<&'static str> },
    /// What the run took in all.
    Total,
}

/// Times in seconds.
impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Figure::Count(count) => write!(f, "{count}"),
            Figure::Time(time) => write!(f, "{:.3}", time.as_secs_f64()),
        }
    }
}

impl Statistics {
    /// All of them, in the order in which they are shown.
    pub fn entries(&self) -> Vec<Entry> {
        let Statistics { front_end, analysis, replays } = self;
        let ravelin_analysis::Statistics { cegar, solver, abstraction, symbolic, .. } = analysis;
        let plain = |name, figure| Entry { name, figure, kind: Kind::Plain };
        let count = |name, count| plain(name, Figure::Count(count));
        let phase = |name, time, part_of| {
            let (figure, kind) = (Figure::Time(time), Kind::Phase { part_of });
            Entry { name, figure, kind }
        };
        let checks = front_end.checks;
        vec![
            count("checks", checks.all as u64),
            count("checks_by_pointers", checks.by_pointers as u64),
            count("checks_by_ranges", checks.by_ranges as u64),
            count("race_conflicts", front_end.races.conflicts as u64),
            count("race_candidates", front_end.races.candidates as u64),
            count("states", cegar.states),
            count("merges", cegar.merges),
            count("refinements", cegar.refinements),
            count("precision", cegar.precision as u64),
            count("solver_calls", solver.calls),
            count("solver_remembered", solver.remembered),
            count("solver_evaluated", solver.evaluated),
            plain("solver_seconds", Figure::Time(solver.time)),
            count("abstractions", abstraction.abstractions),
            count("abstracted_predicates", abstraction.predicates),
            count("abstraction_calls", abstraction.calls),
            count("statements", cegar.statements.all),
            count("statements_left_out", cegar.statements.left_out),
            count("statements_opened", cegar.statements.opened),
            count("symbolic_paths", symbolic.paths),
            count("symbolic_forks", symbolic.forks),
            count("symbolic_steps", symbolic.steps),
            count("symbolic_solver_calls", symbolic.questions),
            plain("symbolic_solver_seconds", Figure::Time(symbolic.in_solver)),
            phase("frontend", front_end.parse + front_end.lower + front_end.passes, None),
            phase("abstraction", cegar.abstraction, None),
            phase("successors", cegar.successors, Some("abstraction")),
            phase("reduction", cegar.reduction, Some("abstraction")),
            phase("refinement", cegar.refinement, None),
            phase("other_stages", analysis.other_stages, None),
            phase("exploration", analysis.exploration, None),
            phase("replay", *replays, None),
            Entry { name: "seconds", figure: Figure::Time(analysis.elapsed), kind: Kind::Total },
        ]
    }
}

/// Lines of the form `stat NAME VALUE`.
impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Entry { name, figure, kind } in self.entries() {
            let prefix = match kind {
                Kind::Phase { .. } => "time_",
                Kind::Plain | Kind::Total => "",
            };
            writeln!(f, "stat {prefix}{name} {figure}")?;
        }
        Ok(())
    }
}
