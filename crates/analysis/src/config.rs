//! The options of one analysis.

use ravelin_cfa::passes::BlockEncoding;
use ravelin_pointsto as pointsto;

use crate::algorithm::arg::Order;
use crate::algorithm::refine::interpolate::Method;
use crate::algorithm::refine::refinable::{Pruning, Refinement};
use crate::domain::explicit::Scope;
use crate::domain::predicate::precision::Pieces;
use crate::domain::predicate::{Abstracting, Binding, BlockOperator};
use crate::solver::memory::{self, Model};

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

/// When the states of the pointer analysis that strengthens values are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// As soon as they meet: the joined state is a fixed point that is found before the search.
    Join,
    /// Never: each state of the search has the points-to map of its own path.
    Sep,
}

/// The pointer analysis that strengthens values: it says where a pointer leads whose value is not tracked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strengthening {
    /// With [`Merge::Sep`] maps have fields, objects and calls apart, whatever is said here.
    pub options: pointsto::Options,
    pub merge: Merge,
}

/// Which statements are evaluated: of programs with threads, and where values alone are tracked of others, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statements {
    All,
    /// Those that write something tracked, or on which a condition of their step depends.
    Tracked,
    /// Of those, the ones whose results a condition may still depend on; the others write anything.
    Observed,
    /// The same; and threads wait for others by what is left of them.
    ObservedThenReduced,
}

/// A configuration.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    pub domain: Domain,
    pub encoding: Encoding,
    pub abstracting: Abstracting,
    pub scope: Scope,
    pub order: Order,
    pub refinement: Refinement,
    /// How many solutions of an open condition the explicit domain follows one by one.
    pub max_enum: usize,
    /// How many values of a place the product domain follows in loops without bound.
    pub max_values: usize,
    pub memory: memory::Options,
    /// What strengthens values where they do not say where a pointer leads.
    pub pointers: Option<Strengthening>,
    pub reduction: Reduction,
    pub alias: Alias,
    pub statements: Statements,
    pub binding: Binding,
}

impl Config {
    /// The configuration with every setting that has no effect set to its default: two configurations that do the same
    /// are then equal. Settings whose effect depends on the program stay as they are. Some have an effect only if the
    /// program is unrolled as well.
    pub fn effective(&self, unrolls: bool) -> Config {
        let usual = Config::default();
        let mut it = *self;
        let predicates = it.domain != Domain::Explicit;
        // This model has states that know pointers in every domain, and where the program is unrolled.
        let binds = it.memory.model == Model::PointsTo && (predicates || unrolls);
        let values = it.domain != Domain::Predicate || binds;
        if !predicates {
            (it.abstracting, it.refinement.pieces) = (usual.abstracting, usual.refinement.pieces);
            it.refinement.method = usual.refinement.method;
            it.encoding = match it.encoding {
                Encoding::Single | Encoding::Adjustable { .. } => Encoding::Single,
                Encoding::Large | Encoding::LargeAdjustable { .. } => Encoding::Large,
            };
        }
        if it.domain != Domain::Product && !binds {
            (it.binding, it.max_values) = (usual.binding, usual.max_values);
        }
        if !values {
            it.max_enum = usual.max_enum;
        }
        // Where nothing is read from memory, it does not matter where pointers lead.
        if !values || it.memory.model == Model::Havoc {
            it.pointers = usual.pointers;
        }
        if let Some(by) = &mut it.pointers
            && by.merge == Merge::Sep
        {
            by.options = pointsto::Options { analysis: by.options.analysis, ..Default::default() };
        }
        if it.memory.division.fields {
            it.memory.division.types = usual.memory.division.types;
        }
        if it.memory.model != Model::Uf {
            (it.memory.bulk, it.memory.used) = (usual.memory.bulk, usual.memory.used);
        }
        if it.reduction == Reduction::None {
            it.alias = usual.alias;
            if it.statements == Statements::ObservedThenReduced {
                it.statements = Statements::Observed;
            }
        }
        it
    }
}

impl Default for Config {
    /// The best single configuration known: see `docs/benchmarks/sequential.md`.
    fn default() -> Self {
        Config {
            domain: Domain::Product,
            encoding: Encoding::Large,
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
            pointers: Some(Strengthening {
                options: pointsto::Options::default(),
                merge: Merge::Join,
            }),
            reduction: Reduction::AbstractionAware,
            alias: Alias::Exact,
            statements: Statements::Tracked,
            binding: Binding::Substitution,
        }
    }
}
