//! The strategy: which engines run on a program, in which order, side by side with what, and when each yields.
//!
//! The tables `ONE_THREAD` and `THREADS` are what runs. [`Plan::of`] takes the rows that the choices of the user
//! ([`Strategy`]) and the program ([`Features`]) leave; `portfolio` and [`crate::explicit_state`] run a plan.
//! `explain` prints plans, and the tables for the book.
//!
//! An engine continues as long as it learns something, and yields to the next when it does not: the clock alone says
//! little about a program. Learning is to track something new in kind: a refinement that counts up the rounds of a loop
//! tracks something new every time, and learns nothing.

mod explain;

use std::time::{Duration, Instant};

use ravelin_analysis::config::{Config, Domain, Encoding};
use ravelin_analysis::engine::{Abstraction, Effort, Engine};
use ravelin_analysis::features::Features;
use ravelin_analysis::refine::interpolate::Method;
use ravelin_explore::Reduction;

pub use explain::{describe_stage, table};

/// What the user chose: one analysis, and which other engines may run before, after and beside it.
#[derive(Clone, Copy, Debug)]
pub struct Strategy {
    pub config: Config,
    /// The encoding for when nothing more is learnt with the first. Both must ask for the same automaton.
    pub fallback_encoding: Option<Encoding>,
    /// The refinement for when nothing more is learnt with the first.
    pub fallback_refinement: Option<Method>,
    /// How long the program is unrolled first, if at all; it is unrolled again where refinement is stuck.
    pub unrolling: Option<Duration>,
    pub templates: bool,
    pub clauses: bool,
    pub thread_views: bool,
    pub symbolic: Symbolic,
    /// The reductions of the explicit-state search, one after the other, if there is one.
    pub explorer: Option<&'static [Reduction]>,
}

/// Whether symbolic execution runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbolic {
    Off,
    /// In its row.
    On,
    /// And nothing else.
    Only,
}

impl Default for Strategy {
    fn default() -> Self {
        Strategy {
            config: Config::default(),
            fallback_encoding: Some(Encoding::LargeAdjustable { calls: false, max_steps: None }),
            fallback_refinement: Some(Method::Sequence),
            unrolling: Some(Duration::from_secs(2)),
            templates: true,
            clauses: true,
            thread_views: true,
            symbolic: Symbolic::On,
            explorer: Some(&[Reduction::Static, Reduction::Dynamic]),
        }
    }
}

impl Strategy {
    /// One analysis and nothing beside it.
    pub fn only(config: Config) -> Self {
        Strategy {
            config,
            fallback_encoding: None,
            fallback_refinement: None,
            unrolling: None,
            templates: false,
            clauses: false,
            thread_views: false,
            symbolic: Symbolic::Off,
            explorer: None,
        }
    }

    /// The strategy with every choice that has no effect set to one value: two that do the same are then equal.
    pub fn effective(&self) -> Strategy {
        let mut it = *self;
        it.config = self.config.effective(self.unrolling.is_some());
        if it.config.domain == Domain::Explicit {
            (it.fallback_encoding, it.fallback_refinement) = (None, None);
            (it.templates, it.clauses, it.thread_views) = (false, false, false);
        }
        it
    }
}

/// A row of a table.
#[derive(Debug)]
struct Row {
    engine: RowEngine,
    needs: Needs,
    lane: Lane,
    yields: Yields,
}

/// The engine of a row: of abstraction refinement, how it differs from the user's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowEngine {
    Explorer(Exploring),
    Refinement { domain: RowDomain, fallback_refinement: bool },
    Unrolling,
    Templates,
    Clauses,
    ThreadViews,
    Symbolic,
}

/// What the explorer looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exploring {
    /// A first look at few states.
    FirstLook(usize),
    Search(ExplicitSearch),
}

/// How the explorer searches beside the analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplicitSearch {
    /// The analysis has this much time for itself.
    pub after: Duration,
    /// The search looks first for errors that need at most so many threads at a time, then so many: depth-first search
    /// of threads without end starts as many as it can.
    pub few_threads: &'static [usize],
    /// Each reduction but the last ends after this many states. They take different paths, and what one does not
    /// find soon, another may (`docs/benchmarks/concurrency.md`).
    pub states_each: usize,
    /// Whether it ends as soon as it cannot prove anything any more.
    pub only_complete: bool,
    /// Limit for programs with inputs: they have so many states that more time seldom helps.
    pub with_inputs: Option<Duration>,
    /// Bytes for states, of every megabyte of the memory limit.
    pub bytes_of_megabyte: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowDomain {
    Chosen,
    Predicates,
}

/// Where a row runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lane {
    /// Alone, before all others.
    First,
    /// The analysis, with the encoding of the user's choice.
    Main,
    /// The fallback encoding: beside the main lane, after [`FALLBACK_AFTER`], if there is a second core; otherwise
    /// at the end of it.
    Fallback,
    /// Beside the analysis.
    Beside,
}

/// When a row yields to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Yields {
    /// After this time.
    After(Duration),
    /// When it has learnt nothing for `patience`; at the latest after one of `part` parts of the time left, if there
    /// is a limit.
    NothingLearnt { patience: Duration, part: u32 },
    /// When it has learnt nothing for `patience`, or after one of `part` parts of the time left.
    ShortLook { patience: Duration, part: u32 },
    /// After one of so many parts of the time left.
    Part(u32),
    /// With the time.
    Never,
}

/// The choice and the property of the program that a row needs; without, the row is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    Nothing,
    Explorer,
    Unrolling,
    /// Other ways to invariants, before which refinement has a short look.
    ShortLook,
    Templates,
    Clauses,
    ReplicatedThreads,
    Symbolic,
    FallbackRefinement,
    /// Values and predicates, and no refinement of the user's own.
    Product,
}

const REFINEMENT: RowEngine =
    RowEngine::Refinement { domain: RowDomain::Chosen, fallback_refinement: false };

const FALLBACK_REFINEMENT: RowEngine =
    RowEngine::Refinement { domain: RowDomain::Chosen, fallback_refinement: true };

const ROW: Row =
    Row { engine: REFINEMENT, needs: Needs::Nothing, lane: Lane::Main, yields: Yields::Never };

const UNROLLING: Row = Row { engine: RowEngine::Unrolling, needs: Needs::Unrolling, ..ROW };

const fn nothing_learnt(seconds: u64, part: u32) -> Yields {
    Yields::NothingLearnt { patience: Duration::from_secs(seconds), part }
}

/// The lane of the fallback encoding begins when the short looks of the main lane are over, in most cases: what
/// these answer needs no second core.
pub const FALLBACK_AFTER: Duration = Duration::from_secs(8);

/// Programs with one thread. Unrolling decides programs without long loops. Where refinement finds invariants soon, they
/// are about what matters and nothing else; if it does not, templates and Horn clauses may have some. Symbolic execution
/// finds errors behind many branches and rounds of loops, which refinement excludes one by one. If one refinement
/// learns nothing, the other one runs, and then the fallback encoding; where refinement is stuck, the program is unrolled
/// for the rest of the time. The explorer runs programs with next to no inputs; the analysis finds errors of
/// others, and proves with invariants, so it comes first.
const ONE_THREAD: &[Row] = &[
    Row {
        engine: RowEngine::Explorer(Exploring::Search(ExplicitSearch {
            after: Duration::from_secs(5),
            few_threads: &[],
            states_each: usize::MAX,
            only_complete: true,
            with_inputs: Some(Duration::from_secs(2)),
            bytes_of_megabyte: 1 << 18,
        })),
        needs: Needs::Explorer,
        lane: Lane::Beside,
        ..ROW
    },
    UNROLLING,
    Row {
        needs: Needs::ShortLook,
        yields: Yields::ShortLook { patience: Duration::from_secs(1), part: 20 },
        ..ROW
    },
    Row { engine: RowEngine::Templates, needs: Needs::Templates, yields: Yields::Part(10), ..ROW },
    Row { engine: RowEngine::Clauses, needs: Needs::Clauses, yields: Yields::Part(10), ..ROW },
    Row { engine: RowEngine::Symbolic, needs: Needs::Symbolic, yields: Yields::Part(6), ..ROW },
    Row { yields: nothing_learnt(10, 2), ..ROW },
    Row {
        engine: FALLBACK_REFINEMENT,
        needs: Needs::FallbackRefinement,
        yields: nothing_learnt(5, 2),
        ..ROW
    },
    Row { lane: Lane::Fallback, yields: nothing_learnt(10, 2), ..ROW },
    Row {
        engine: FALLBACK_REFINEMENT,
        needs: Needs::FallbackRefinement,
        lane: Lane::Fallback,
        ..ROW
    },
    UNROLLING,
];

/// Programs with threads. Wherever other threads may move, a block ends, whatever the encoding: the ways in which
/// threads take turns do not exclude each other, as merging blocks requires. Invariants of mutexes come first: they need no
/// interleavings, and are found soon or not at all. Programs that start threads in loops are
/// then analysed for any number of them; then come values and predicates, and where these learn nothing, predicates
/// alone, which have fewer states. The explorer has a first look alone, always at the same number of states, so that
/// small programs have the same answer every time.
const THREADS: &[Row] = &[
    Row {
        engine: RowEngine::Explorer(Exploring::FirstLook(20_000)),
        needs: Needs::Explorer,
        lane: Lane::First,
        ..ROW
    },
    Row {
        engine: RowEngine::Explorer(Exploring::Search(ExplicitSearch {
            after: Duration::ZERO,
            few_threads: &[3, 5],
            states_each: 250_000,
            only_complete: false,
            with_inputs: None,
            bytes_of_megabyte: 3 << 18,
        })),
        needs: Needs::Explorer,
        lane: Lane::Beside,
        ..ROW
    },
    Row { engine: RowEngine::Clauses, needs: Needs::Clauses, yields: Yields::Part(8), ..ROW },
    Row {
        engine: RowEngine::ThreadViews,
        needs: Needs::ReplicatedThreads,
        yields: Yields::Part(2),
        ..ROW
    },
    Row { yields: nothing_learnt(20, 2), ..ROW },
    Row {
        engine: RowEngine::Refinement { domain: RowDomain::Predicates, fallback_refinement: false },
        needs: Needs::Product,
        ..ROW
    },
];

/// One engine of the analysis, and when it yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    pub engine: Engine,
    /// Whether only the refinement differs from that of an earlier stage: of no use where that one was stuck.
    pub is_second_try: bool,
    yields: Yields,
    /// Whether nothing follows in its lane.
    is_last: bool,
}

/// The time left where there is no limit.
const USUAL_TIME: Duration = Duration::from_secs(120);

impl Stage {
    /// How hard the stage tries if it begins now.
    pub fn effort(&self, deadline: Option<Instant>) -> Effort {
        let left = deadline.map(|it| it.saturating_duration_since(Instant::now()));
        let (limit, patience) = match self.yields {
            Yields::After(limit) => (Some(limit), None),
            Yields::Part(part) => (Some(left.unwrap_or(USUAL_TIME) / part), None),
            Yields::ShortLook { patience, part } => {
                (Some(left.unwrap_or(USUAL_TIME) / part), Some(patience))
            }
            // Without a limit, a stage that learns may continue.
            Yields::NothingLearnt { patience, part } => {
                (left.map(|left| left / part), Some(patience))
            }
            Yields::Never => (None, None),
        };
        Effort { limit, patience, is_last: self.is_last }
    }

    /// Whether the stage unrolls the program.
    pub fn unrolls(&self) -> bool {
        self.engine == Engine::BoundedUnrolling
    }

    /// Whether the stage follows single paths.
    pub fn follows_paths(&self) -> bool {
        self.engine == Engine::SymbolicExecution
    }
}

/// Stages of the analysis that run one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stages {
    /// They begin after this time.
    pub after: Duration,
    pub stages: Vec<Stage>,
}

/// What runs on one program.
#[derive(Clone, Debug)]
pub struct Plan {
    pub reductions: &'static [Reduction],
    /// The number of states of the explorer's first look, with each reduction.
    pub first_look: Option<usize>,
    /// The explorer beside the analysis.
    pub explorer: Option<ExplicitSearch>,
    /// The analysis: its main lane, and a second one beside it.
    pub main: Stages,
    pub fallback: Option<Stages>,
    /// Engines that the user's choices ask for and the program has no use for, and why.
    left_out: Vec<(Engine, &'static str)>,
}

impl Plan {
    /// The rows that the choices and the program leave. The fallback encoding has a lane of its own if there is a
    /// core for it.
    pub fn of(strategy: &Strategy, features: &Features, has_second_core: bool) -> Plan {
        let mut plan = Plan {
            reductions: match features.threads {
                true => strategy.explorer.unwrap_or_default(),
                false => &[Reduction::None],
            },
            first_look: None,
            explorer: None,
            main: Stages { after: Duration::ZERO, stages: Vec::new() },
            fallback: None,
            left_out: Vec::new(),
        };
        let mut fallback = Vec::new();
        for row in if features.threads { THREADS } else { ONE_THREAD } {
            if !row.is_wanted(strategy) {
                continue;
            }
            let engine = match row.engine {
                RowEngine::Explorer(exploring) => {
                    match exploring {
                        Exploring::FirstLook(states) => plan.first_look = Some(states),
                        Exploring::Search(search) => plan.explorer = Some(search),
                    }
                    continue;
                }
                RowEngine::Refinement { domain, fallback_refinement } => {
                    row.refinement(strategy, domain, fallback_refinement)
                }
                RowEngine::Unrolling => Engine::BoundedUnrolling,
                RowEngine::Templates => Engine::Templates,
                RowEngine::Clauses => Engine::HornClauses,
                RowEngine::ThreadViews => Engine::ThreadViews,
                RowEngine::Symbolic => Engine::SymbolicExecution,
            };
            if let Some(why) = row.needs.are_missing(features) {
                plan.left_out.push((engine, why));
                continue;
            }
            let stage = Stage {
                engine,
                is_second_try: row.engine == FALLBACK_REFINEMENT,
                yields: row.yields,
                is_last: false,
            };
            match row.lane {
                Lane::Fallback if has_second_core => fallback.push(stage),
                Lane::First | Lane::Main | Lane::Fallback | Lane::Beside => {
                    plan.main.stages.push(stage);
                }
            }
        }
        if let Some(limit) = strategy.unrolling
            && let Some(first) = plan.main.stages.first_mut().filter(|stage| stage.unrolls())
        {
            first.yields = Yields::After(limit);
        }
        if !fallback.is_empty() {
            plan.fallback = Some(Stages { after: FALLBACK_AFTER, stages: fallback });
        }
        for lane in plan.lanes_mut() {
            // Nothing follows for which the last refinement would have to yield.
            if let Some(last) = lane.stages.iter_mut().rfind(|stage| !stage.unrolls()) {
                last.yields = Yields::Never;
            }
            if let Some(last) = lane.stages.last_mut() {
                last.is_last = true;
            }
        }
        plan
    }

    /// The plan for a program that has all that engines need, on a machine with two cores.
    pub fn typical(strategy: &Strategy, threads: bool) -> Plan {
        let features =
            Features { threads, replicated_threads: true, loops: 1, ..Features::default() };
        Plan::of(strategy, &features, true)
    }

    fn lanes_mut(&mut self) -> impl Iterator<Item = &mut Stages> {
        std::iter::once(&mut self.main).chain(&mut self.fallback)
    }

    /// The lanes of the analysis.
    pub fn lanes(&self) -> impl Iterator<Item = &Stages> {
        std::iter::once(&self.main).chain(&self.fallback)
    }
}

impl Row {
    /// Whether the user's choices ask for it.
    fn is_wanted(&self, strategy: &Strategy) -> bool {
        // Blocks make no difference to the explicit domain, and it has one way to refine.
        let predicates = strategy.config.domain != Domain::Explicit;
        let has_encoding = match self.lane {
            Lane::Fallback => predicates && strategy.fallback_encoding.is_some(),
            Lane::First | Lane::Main | Lane::Beside => true,
        };
        let fallback = strategy.fallback_refinement.is_some();
        if strategy.symbolic == Symbolic::Only {
            return self.needs == Needs::Symbolic;
        }
        has_encoding
            && match self.needs {
                Needs::Nothing => true,
                Needs::Explorer => strategy.explorer.is_some(),
                Needs::Unrolling => strategy.unrolling.is_some(),
                Needs::ShortLook | Needs::Templates => predicates && strategy.templates,
                Needs::Clauses => predicates && strategy.clauses,
                Needs::ReplicatedThreads => predicates && strategy.thread_views,
                Needs::Symbolic => predicates && strategy.symbolic != Symbolic::Off,
                Needs::FallbackRefinement => predicates && fallback,
                Needs::Product => strategy.config.domain == Domain::Product && fallback,
            }
    }

    fn refinement(&self, strategy: &Strategy, domain: RowDomain, fallback: bool) -> Engine {
        let chosen = strategy.config.abstraction();
        let encoding = match self.lane {
            Lane::Fallback => strategy.fallback_encoding,
            Lane::First | Lane::Main | Lane::Beside => None,
        };
        let method = strategy.fallback_refinement.filter(|_| fallback);
        Engine::AbstractionRefinement(Abstraction {
            domain: match domain {
                RowDomain::Chosen => chosen.domain,
                RowDomain::Predicates => Domain::Predicate,
            },
            encoding: encoding.unwrap_or(chosen.encoding),
            method: method.unwrap_or(chosen.method),
        })
    }
}

impl Needs {
    /// What the program lacks for it, if anything.
    fn are_missing(self, features: &Features) -> Option<&'static str> {
        match self {
            // Only who looks for an error follows loops round by round.
            Needs::Unrolling | Needs::Symbolic if features.error_free => {
                Some("no error is left in the program")
            }
            Needs::Templates if features.loops == 0 => Some("there are no loops"),
            Needs::ShortLook | Needs::Clauses if !features.has_cycles() => {
                Some("there are neither loops nor recursive functions")
            }
            Needs::ReplicatedThreads if !features.replicated_threads => {
                Some("main starts no threads in loops")
            }
            Needs::Nothing
            | Needs::Explorer
            | Needs::Unrolling
            | Needs::ShortLook
            | Needs::Templates
            | Needs::Clauses
            | Needs::ReplicatedThreads
            | Needs::Symbolic
            | Needs::FallbackRefinement
            | Needs::Product => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WITH_LOOPS: Features = Features {
        threads: false,
        error_free: false,
        is_settled: false,
        replicated_threads: true,
        loops: 1,
        recursive: 0,
        memory_accesses: 0,
        allocations: 0,
        pointer_calls: 0,
        inputs: 0,
        floats: 0,
        products: 0,
    };

    fn main_lane(strategy: &Strategy, features: &Features) -> Vec<Stage> {
        Plan::of(strategy, features, false).main.stages
    }

    #[test]
    fn a_refinement_that_learns_nothing_yields_to_another() {
        let pure = Strategy::only(Config::default());
        let strategy = Strategy { fallback_refinement: Some(Method::Sequence), ..pure };
        let usual = Config::default().abstraction();
        let refinement = |method| Engine::AbstractionRefinement(Abstraction { method, ..usual });
        let engines = |strategy: &Strategy, threads| -> Vec<(Engine, bool)> {
            let features = Features { threads, ..WITH_LOOPS };
            let stages = main_lane(strategy, &features).into_iter();
            stages.map(|it| (it.engine, it.effort(None).patience.is_some())).collect()
        };
        let [first, second] = [Method::WeakestPrecondition, Method::Sequence].map(refinement);
        assert_eq!(engines(&strategy, false), [(first, true), (second, false)]);
        // Without a fallback, the refinement has all of the time.
        assert_eq!(engines(&pure, false), [(first, false)]);
        assert_eq!(engines(&pure, true), [(first, false)]);
    }

    #[test]
    fn the_first_unrolling_is_short_and_the_last_stages_have_no_end() {
        let stages = main_lane(&Strategy::default(), &WITH_LOOPS);
        assert!(stages[0].unrolls() && stages[stages.len() - 1].unrolls());
        let deadline = Some(Instant::now() + Duration::from_secs(60));
        for (deadline, last) in [(deadline, stages.len() - 3), (None, 4)] {
            let is_limited = |stage: &Stage| stage.effort(deadline).limit.is_some();
            assert_eq!(stages.iter().rposition(is_limited), Some(last));
        }
        let are_last: Vec<bool> = stages.iter().map(|it| it.effort(None).is_last).collect();
        assert_eq!(are_last.iter().position(|&it| it), Some(stages.len() - 1));
    }

    #[test]
    fn symbolic_execution_can_run_alone() {
        let strategy = Strategy { symbolic: Symbolic::Only, ..Strategy::default() };
        let plan = Plan::of(&strategy, &WITH_LOOPS, true);
        assert_eq!((plan.first_look, plan.explorer, plan.fallback), (None, None, None));
        let [stage] = &plan.main.stages[..] else { panic!("one stage") };
        assert!(stage.follows_paths() && stage.effort(None).limit.is_none());
        let threads = Features { threads: true, ..WITH_LOOPS };
        assert_eq!(main_lane(&strategy, &threads), []);
        // Whoever asks for values alone gets them first.
        let config = Config { domain: Domain::Explicit, ..Config::default() };
        let values = Strategy { config, ..Strategy::default() };
        assert!(!main_lane(&values, &WITH_LOOPS).iter().any(Stage::follows_paths));
        let without = Strategy { symbolic: Symbolic::Off, ..Strategy::default() };
        assert!(!main_lane(&without, &WITH_LOOPS).iter().any(Stage::follows_paths));
    }

    #[test]
    fn the_fallback_encoding_has_a_lane_if_there_is_a_core() {
        let strategy = Strategy::default();
        let in_one = Plan::of(&strategy, &WITH_LOOPS, false);
        assert_eq!(in_one.lanes().count(), 1);
        let in_two = Plan::of(&strategy, &WITH_LOOPS, true);
        let fallback = in_two.fallback.as_ref().expect("a second lane");
        assert_eq!(in_one.main.stages.len(), in_two.main.stages.len() + fallback.stages.len());
        let has_encoding = |stage: &Stage, wanted| match stage.engine {
            Engine::AbstractionRefinement(by) => by.encoding == wanted,
            Engine::BoundedUnrolling
            | Engine::Templates
            | Engine::HornClauses
            | Engine::SymbolicExecution
            | Engine::ThreadViews => true,
        };
        let second = strategy.fallback_encoding.expect("there is one");
        assert!(fallback.stages.iter().all(|stage| has_encoding(stage, second)));
        let first = strategy.config.encoding;
        assert!(in_two.main.stages.iter().all(|stage| has_encoding(stage, first)));
        // The last refinement of each lane has the rest of the time.
        for lane in in_two.lanes() {
            let last = lane.stages.iter().rfind(|stage| !stage.unrolls()).expect("refinement");
            assert_eq!(last.effort(None).patience, None);
        }
    }

    #[test]
    fn what_a_program_lacks_is_left_out() {
        let engines = |features: &Features| -> Vec<Engine> {
            let stages = main_lane(&Strategy::default(), features);
            stages.iter().map(|stage| stage.engine).collect()
        };
        let without = Features::default();
        let with = engines(&WITH_LOOPS);
        assert!(with.contains(&Engine::Templates) && with.contains(&Engine::HornClauses));
        let has_clauses = |features: &Features| engines(features).contains(&Engine::HornClauses);
        assert!(!has_clauses(&without) && !engines(&without).contains(&Engine::Templates));
        let left_out =
            |features: &Features| Plan::of(&Strategy::default(), features, false).left_out.len();
        // The short look before templates, templates, and clauses.
        assert_eq!((left_out(&without), left_out(&WITH_LOOPS)), (3, 0));
        let threads = Features { threads: true, ..without };
        assert!(!engines(&threads).contains(&Engine::ThreadViews));
        let replicated = Features { replicated_threads: true, ..threads };
        assert!(engines(&replicated).contains(&Engine::ThreadViews));
        let error_free = Features { error_free: true, ..WITH_LOOPS };
        assert!(!engines(&error_free).contains(&Engine::BoundedUnrolling));
        assert!(!engines(&error_free).contains(&Engine::SymbolicExecution));
        // Recursion is enough for clauses.
        assert!(has_clauses(&Features { recursive: 1, ..without }));
    }
}
