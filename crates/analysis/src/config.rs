//! What can be chosen.

use std::time::{Duration, Instant};

use ravelin_cfa::passes::BlockEncoding;

use crate::explicit::Scope;
use crate::memory;
use crate::predicate::precision::Pieces;
use crate::predicate::{Abstracting, Binding, BlockOperator};
use crate::reach::Order;
use crate::refine::interpolate::Method;
use crate::refine::refinable::{Pruning, Refinement};

/// What states know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    Explicit,
    Predicate,
    Product,
}

/// How much of the program is one step, and how many steps one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// A step is one operation, and so is a block.
    Single,
    /// A step is as large as large-block encoding makes it, and so is a block.
    Large,
    /// A step is one operation; blocks end as the operator says.
    Adjustable { calls: bool, max_steps: Option<u32> },
    /// A step is as large as can be, and blocks end as the operator says.
    LargeAdjustable { calls: bool, max_steps: Option<u32> },
}

impl Encoding {
    /// How the automaton must be encoded.
    pub fn blocks(self) -> BlockEncoding {
        match self {
            Encoding::Single | Encoding::Adjustable { .. } => BlockEncoding::None,
            Encoding::Large | Encoding::LargeAdjustable { .. } => {
                BlockEncoding::Sequential { max_labels: 200 }
            }
        }
    }

    pub(crate) fn operator(self) -> BlockOperator {
        match self {
            Encoding::Single | Encoding::Large => BlockOperator::EveryStep,
            Encoding::Adjustable { calls, max_steps }
            | Encoding::LargeAdjustable { calls, max_steps } => {
                BlockOperator::Adjustable { calls, max_steps }
            }
        }
    }
}

/// Whether threads wait for others where their order does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    None,
    /// By what the program says they can touch.
    Static,
    /// By what they can touch of what is tracked.
    AbstractionAware,
}

/// How it is decided whether two accesses of threads may meet, beyond what the static analysis says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alias {
    /// Not at all.
    Static,
    /// By pointers whose values a state knows.
    Exact,
    /// Also by asking the solver what a state says of a pointer.
    Smt,
}

/// Which statements of programs with threads are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statements {
    All,
    /// Those whose results a condition may still depend on.
    Observed,
    /// The same; and threads wait for others by what is left of them.
    ObservedThenReduced,
}

/// A configuration.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    pub domain: Domain,
    pub encoding: Encoding,
    /// The encoding to change to when some of the time is over, or refinement is stuck; the automaton
    /// must be the same for both.
    pub then: Option<Encoding>,
    pub abstracting: Abstracting,
    pub scope: Scope,
    pub order: Order,
    pub refinement: Refinement,
    /// How many solutions of an open condition the explicit domain follows one by one.
    pub max_enum: usize,
    /// How many values of a place the product domain follows in loops without bound.
    pub max_values: usize,
    pub memory: memory::Options,
    pub reduction: Reduction,
    pub alias: Alias,
    pub statements: Statements,
    pub binding: Binding,
    /// Whether the program is unrolled, first for so long, and again where refinement is stuck.
    pub unrolling: Option<Duration>,
    /// Whether invariants from templates are sought, and where there are any, predicate abstraction is
    /// tried with them.
    pub templates: bool,
    /// Whether invariants and summaries are guessed for the program as a whole, if that is soon done.
    pub clauses: bool,
    /// Whether programs that start threads in loops are first taken for ones that start any number of them.
    pub crowds: bool,
}

/// What a stage does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Abstraction and refinement.
    Abstraction,
    /// The same, with predicates from templates that are tracked from the start. Without any there is no stage.
    FromTemplates,
    /// Horn clauses.
    Clauses,
    /// Views of threads that are started again and again. Where there are none, there is no stage.
    Crowds,
}

/// A part of a configuration that runs on its own.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    pub domain: Domain,
    pub operator: BlockOperator,
    pub how: How,
    share: Share,
}

/// How much of the time a stage gets.
#[derive(Clone, Copy, Debug)]
enum Share {
    Only(Duration),
    /// Not all, for others come after it: one of so many parts of what is left.
    Part(u32),
    Rest,
}

impl Stage {
    /// How long the stage may run, if not to the end.
    pub fn limit(&self, deadline: Option<Instant>) -> Option<Duration> {
        match self.share {
            Share::Only(limit) => Some(limit),
            Share::Part(parts) => Some(match deadline {
                Some(deadline) => deadline.saturating_duration_since(Instant::now()) / parts,
                None => Duration::from_secs(60),
            }),
            Share::Rest => None,
        }
    }
}

impl Config {
    /// The configuration in two that can run side by side, if it changes its encoding: each then keeps its
    /// own, and all the time. The short looks are for the first.
    pub fn in_two(&self, is_concurrent: bool) -> Option<[Config; 2]> {
        let then = self.then.filter(|_| self.domain != Domain::Explicit && !is_concurrent)?;
        let first = Config { then: None, ..*self };
        let second = Config {
            encoding: then,
            then: None,
            unrolling: None,
            templates: false,
            clauses: false,
            ..*self
        };
        Some([first, second])
    }

    /// What runs, in order: a short look by unrolling, which sees to the end of what has no long loops;
    /// another by the analysis, one with predicates from templates, and one at Horn clauses; the analysis; and where
    /// that is stuck, unrolling for the rest of the time.
    ///
    /// Of programs with threads, steps are not put together to blocks: the ways in which threads take turns
    /// do not exclude each other, as merging blocks requires.
    pub fn stages(&self, is_concurrent: bool) -> Vec<Stage> {
        let domain = self.domain;
        if is_concurrent {
            let operator = BlockOperator::EveryStep;
            let analysis = Stage { domain, operator, how: How::Abstraction, share: Share::Rest };
            let crowds = Stage {
                domain: Domain::Predicate,
                how: How::Crowds,
                share: Share::Part(2),
                ..analysis
            };
            let with_crowds = self.crowds && domain != Domain::Explicit;
            return with_crowds.then_some(crowds).into_iter().chain([analysis]).collect();
        }
        let predicates = |operator, share| Stage {
            domain: Domain::Predicate,
            operator,
            how: How::Abstraction,
            share,
        };
        let unrolling = |share| predicates(BlockOperator::Never, share);
        let mut stages = Vec::new();
        stages.extend(self.unrolling.map(|limit| unrolling(Share::Only(limit))));
        let operator = self.encoding.operator();
        if self.templates && domain != Domain::Explicit {
            // Where refinement finds invariants soon, they speak of what matters and nothing else.
            let share = Share::Only(Duration::from_secs(1));
            stages.push(Stage { domain, operator, how: How::Abstraction, share });
            // The invariants are of loops: blocks end there, and nowhere else.
            let operator = BlockOperator::Adjustable { calls: false, max_steps: None };
            let stage = predicates(operator, Share::Part(10));
            stages.push(Stage { how: How::FromTemplates, ..stage });
        }
        if self.clauses && domain != Domain::Explicit {
            let stage = predicates(operator, Share::Part(10));
            stages.push(Stage { how: How::Clauses, ..stage });
        }
        // To the explicit domain, blocks are all the same.
        let then = self.then.filter(|_| domain != Domain::Explicit);
        let share = if then.is_some() { Share::Part(2) } else { Share::Rest };
        stages.push(Stage { domain, operator, how: How::Abstraction, share });
        if let Some(then) = then {
            let operator = then.operator();
            stages.push(Stage { domain, operator, how: How::Abstraction, share: Share::Rest });
        }
        stages.extend(self.unrolling.map(|_| unrolling(Share::Rest)));
        stages
    }
}

impl Default for Config {
    /// The best single configuration known: see `docs/benchmarks/sequential.md`.
    fn default() -> Self {
        Config {
            domain: Domain::Product,
            encoding: Encoding::Large,
            then: Some(Encoding::LargeAdjustable { calls: false, max_steps: None }),
            abstracting: Abstracting::Cartesian,
            scope: Scope::Local,
            order: Order::BreadthFirst,
            refinement: Refinement {
                method: Method::WeakestPrecondition,
                pieces: Pieces::Atoms,
                pruning: Pruning::Lazy,
            },
            max_enum: 1,
            max_values: 300,
            memory: memory::Options::default(),
            reduction: Reduction::Static,
            alias: Alias::Exact,
            statements: Statements::All,
            binding: Binding::Substitution,
            unrolling: Some(Duration::from_secs(2)),
            templates: true,
            clauses: true,
            crowds: true,
        }
    }
}
