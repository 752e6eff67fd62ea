//! The values of options with a choice.

use std::fmt;

use clap::ValueEnum;
use ravelin_frontend::CountedEnd;
use ravelin_pointsto::{Fields, Structs};
use ravelin_verifier::{External, Properties, Property};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AnswerFormat {
    /// For people; the last line is the verdict
    Text,
    /// One JSON document
    Json,
}

/// What to check: for people, and below by the names of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckArg {
    /// Calls of error functions, and failed assertions
    Assert,
    /// Accesses to memory that is not there, and invalid deallocations
    Memory,
    /// Memory to which no pointer is left
    Leak,
    /// Overflow of signed arithmetic
    Overflow,
    /// Divisions by zero, and shifts by an invalid amount
    Arithmetic,
    /// Arguments that a library function forbids
    Arguments,
    /// Reads of local variables that have no value yet
    Init,
    /// Indices outside of an array that is part of a larger object
    Bounds,
    /// Data races (not decided yet)
    Race,
    /// Deadlocks (not decided yet)
    Deadlock,
    /// Executions that do not end (not decided yet)
    Termination,
    /// All of these
    All,
    #[value(hide = true)]
    UnreachCall,
    #[value(hide = true)]
    ValidDeref,
    #[value(hide = true)]
    ValidFree,
    #[value(hide = true)]
    ValidMemtrack,
    #[value(hide = true)]
    ValidMemcleanup,
    #[value(hide = true)]
    NoOverflow,
    #[value(hide = true)]
    ValidArithmetic,
    #[value(hide = true)]
    ValidArguments,
    #[value(hide = true)]
    ValidInit,
    #[value(hide = true)]
    ValidBounds,
    #[value(hide = true)]
    NoDataRace,
    #[value(hide = true)]
    NoDeadlock,
}

/// What 'verify' checks if nothing is asked: every program promises this, whatever it is for.
pub const DEFAULT_CHECKS: &[CheckArg] = &[
    CheckArg::Assert,
    CheckArg::Memory,
    CheckArg::Overflow,
    CheckArg::Arithmetic,
    CheckArg::Arguments,
    CheckArg::Init,
    CheckArg::Bounds,
];

impl CheckArg {
    fn properties(self) -> &'static [Property] {
        match self {
            CheckArg::Assert | CheckArg::UnreachCall => &[Property::UnreachCall],
            CheckArg::Memory => &[Property::ValidDeref, Property::ValidFree],
            // Memory that is reached until the end is no leak: valid-memcleanup is asked by its name only.
            CheckArg::Leak | CheckArg::ValidMemtrack => &[Property::ValidMemtrack],
            CheckArg::Overflow | CheckArg::NoOverflow => &[Property::NoOverflow],
            CheckArg::Arithmetic | CheckArg::ValidArithmetic => &[Property::ValidArithmetic],
            CheckArg::Arguments | CheckArg::ValidArguments => &[Property::ValidArguments],
            CheckArg::Init | CheckArg::ValidInit => &[Property::ValidInit],
            CheckArg::Bounds | CheckArg::ValidBounds => &[Property::ValidBounds],
            CheckArg::Race | CheckArg::NoDataRace => &[Property::NoDataRace],
            CheckArg::Deadlock | CheckArg::NoDeadlock => &[Property::NoDeadlock],
            CheckArg::Termination => &[Property::Termination],
            CheckArg::All => &[
                Property::UnreachCall,
                Property::ValidDeref,
                Property::ValidFree,
                Property::ValidMemtrack,
                Property::NoOverflow,
                Property::ValidArithmetic,
                Property::ValidArguments,
                Property::ValidInit,
                Property::ValidBounds,
                Property::NoDataRace,
                Property::NoDeadlock,
                Property::Termination,
            ],
            CheckArg::ValidDeref => &[Property::ValidDeref],
            CheckArg::ValidFree => &[Property::ValidFree],
            CheckArg::ValidMemcleanup => &[Property::ValidMemcleanup],
        }
    }

    /// The properties that several of them name.
    pub fn properties_of(checks: &[CheckArg]) -> Properties {
        checks.iter().flat_map(|check| check.properties()).copied().collect()
    }
}

/// Ends of an execution that may count as errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EndArg {
    /// abort()
    Abort,
    /// __builtin_trap()
    Trap,
    /// __builtin_unreachable()
    Unreachable,
}

impl EndArg {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            EndArg::Abort => "abort",
            EndArg::Trap => "trap",
            EndArg::Unreachable => "unreachable",
        }
    }
}

impl From<EndArg> for CountedEnd {
    fn from(end: EndArg) -> Self {
        match end {
            EndArg::Abort => CountedEnd::Abort,
            EndArg::Trap => CountedEnd::Trap,
            EndArg::Unreachable => CountedEnd::Unreachable,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DomainArg {
    /// Values of variables and of memory
    Explicit,
    /// Predicates over variables and memory
    Predicate,
    /// Both, values first
    Product,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MemoryArg {
    /// A read returns anything
    Havoc,
    /// Follow only pointers whose target a state knows
    PointsTo,
    /// Resolve reads in the writes before them
    Deref,
    /// Each write makes a new version of memory
    Uf,
    /// The solver's theory of arrays
    Array,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PorArg {
    /// The best known: 'abstraction-aware' in the analysis; in the explorer of concrete states 'static',
    /// then 'dynamic'
    Auto,
    /// None: explore all interleavings
    None,
    /// Persistent sets from static dependences between steps
    Static,
    /// The same, ignoring conflicts on what is not tracked
    AbstractionAware,
    /// In the analysis as 'abstraction-aware'; the explorer of concrete states finds dependences during
    /// the search
    Dynamic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AliasArg {
    /// By the static analysis alone
    Static,
    /// By values of pointers that a state knows
    Exact,
    /// Also by asking the solver
    Smt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CoiArg {
    /// None: evaluate every statement
    None,
    /// Those that write nothing tracked
    Skip,
    /// Also those on whose results no condition can depend any more
    Coi,
    /// The same, and partial-order reduction uses what is left
    PorCoi,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OptimisationArg {
    /// Separate memories for objects and fields of which no access touches two
    Fields,
    /// Separate memories for values of different types; little effect beside 'fields'
    Types,
    /// With 'uf': one version for several constants written one after the other
    Constants,
    /// With 'uf': versions describe only addresses that are read
    Offsets,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BindingArg {
    /// Substituted for the pointer
    Substitution,
    /// As an equation beside the query
    Equality,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RefinementArg {
    /// Weakest preconditions, and Spacer when these make no more progress
    Auto,
    /// Weakest preconditions along the unsatisfiable core
    Wp,
    /// Strongest postconditions along the core, on live variables
    Sp,
    /// Sequences of interpolants from Spacer
    Spacer,
    /// Interpolants from the last block backwards
    Backward,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EncodingArg {
    /// Large blocks, and adjustable blocks of large ones if these do not get far
    Auto,
    /// One operation
    Single,
    /// Large blocks, made before the analysis
    Lbe,
    /// Adjustable blocks of single operations
    Abe,
    /// Adjustable blocks of large ones
    LbeAbe,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AbstractionArg {
    /// Each predicate by itself
    Cartesian,
    /// All combinations of predicates: more precise, and more solver calls
    Boolean,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PiecesArg {
    /// The comparisons in them
    Atoms,
    /// Whole interpolants
    Whole,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScopeArg {
    /// At the locations for which refinement found it
    Local,
    /// Everywhere
    Global,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OrderArg {
    /// Breadth first
    Bfs,
    /// Depth first
    Dfs,
    /// Nearest to an error call first
    ErrorDistance,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PruningArg {
    /// Below the first change
    Lazy,
    /// Everything
    Full,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The text format, which can be read back
    Text,
    /// A graph for Graphviz
    Dot,
    /// JSON
    Json,
    /// Nothing: only build and check it
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BlockSize {
    /// One operation
    None,
    /// All that a thread does without a call; in programs with threads as 'thread-local'
    Sequential,
    /// At most one access that other threads may notice
    ThreadLocal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PointerAnalysisArg {
    /// By inclusion of sets
    Andersen,
    /// By unification of sets: coarser and faster
    Steensgaard,
    /// As andersen, and for every location by itself
    FlowSensitive,
}

/// The points-to analysis for pointers whose values are not tracked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StrengtheningArg {
    /// By inclusion of sets
    Andersen,
    /// By unification of sets: coarser and faster
    Steensgaard,
    /// As andersen, and for every location by itself
    FlowSensitive,
    /// None
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MergeArg {
    /// Join them, before the search
    Join,
    /// Keep them apart: every state of the search has the points-to map of its path
    Sep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SwitchArg {
    On,
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SymbolicArg {
    /// Between the other engines
    On,
    Off,
    /// And nothing else
    Only,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StructsArg {
    /// Every variable
    Variable,
    /// Every type; types of one size are the same
    Type,
}

impl From<SwitchArg> for Fields {
    fn from(fields: SwitchArg) -> Self {
        match fields {
            SwitchArg::On => Fields::Sensitive,
            SwitchArg::Off => Fields::Insensitive,
        }
    }
}

impl From<StructsArg> for Structs {
    fn from(structs: StructsArg) -> Self {
        match structs {
            StructsArg::Variable => Structs::ByVariable,
            StructsArg::Type => Structs::ByType,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PointsToFormat {
    /// Sets, alias pairs and equivalence sets, line by line
    Text,
    /// A graph for Graphviz
    Dot,
    /// JSON
    Json,
    /// Nothing: only analyse
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExternalArg {
    /// Return any result, and leave any contents in what their pointers reach
    Havoc,
    /// The same, and functions that they get pointers to may be called at any time: no proof if that matters
    Callbacks,
    /// Unsupported: UNKNOWN where an execution calls one
    Reject,
}

impl fmt::Display for ExternalArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ExternalArg::Havoc => "havoc",
            ExternalArg::Callbacks => "callbacks",
            ExternalArg::Reject => "reject",
        })
    }
}

impl From<ExternalArg> for External {
    fn from(arg: ExternalArg) -> Self {
        match arg {
            ExternalArg::Havoc => External::Havoc,
            ExternalArg::Callbacks => External::Callbacks,
            ExternalArg::Reject => External::Reject,
        }
    }
}
