//! The command line. [`choices`] defines the values of options, [`reading`] parses them.

mod choices;
mod idle;
mod reading;

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::RangedU64ValueParser;
use clap::{Args, Parser, Subcommand};
use ravelin_base::DataModel;
use ravelin_frontend::ErrorCalls;
use ravelin_verifier::{Properties, Property};

pub use choices::*;
pub use reading::{is_definition, is_given, matches_of, parse};

use crate::macros::MacroArgs;
use crate::model::ModelBy;
use crate::solver::SolverCommand;

/// A software model checker for C programs with pointers, heap and threads.
#[derive(Debug, Parser)]
#[command(
    name = "ravelin",
    version,
    about,
    override_usage = "ravelin [COMMAND] [OPTIONS] FILE...",
    max_term_width = 100,
    after_help = EXIT_CODES
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
The default command is 'verify'.

Exit codes of verify:
   0  TRUE: all properties hold
   1  FALSE: a property is violated
   2  UNKNOWN: none is known to be violated, and not all are proved
of every command:
   3  the input was rejected: it cannot be read, or is not C
  64  wrong usage
  70  internal error
  74  output could not be written";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Decide whether a program satisfies properties
    ///
    /// The last line of standard output is the verdict: 'Verdict: TRUE', 'Verdict: FALSE(property)'
    /// or 'Verdict: UNKNOWN(reason)'. If several properties are asked, as by default, each has a line of its own before
    /// it, and the last one is the first violation.
    Verify(VerifyArgs),
    /// Print the control-flow automaton of a program
    #[command(after_help = "Exit code 2: a limit was reached; others as in 'ravelin --help'.")]
    Cfa(CfaArgs),
    /// Execute a program once, with a random or a given schedule
    #[command(after_help = "\
Exit codes: 0 the program ran to its end (with whatever status), 1 it called the error function or \
an assertion failed, 2 any other outcome (invalid memory access, deadlock, abort, limit, …); others \
as in 'ravelin --help'.")]
    Run(RunArgs),
    /// Print what the pointers of a program may point to
    #[command(after_help = "Exit code 2: a limit was reached; others as in 'ravelin --help'.")]
    PointsTo(PointsToArgs),
    /// Check a witness: whether an execution violates the property as it says, or its invariants hold
    #[command(after_help = "\
The last line of standard output is 'Witness: confirmed', 'Witness: rejected' or 'Witness: \
unknown(reason)'. Exit codes: 0 confirmed, 1 rejected, 2 unknown; others as in 'ravelin --help'.")]
    Replay(ReplayArgs),
    /// Print a script with which a shell completes command lines
    Completions(CompletionsArgs),
    /// Print a page for 'man'
    Man(ManArgs),
}

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub struct ManArgs {
    /// The command to describe; all commands by default
    pub command: Option<String>,
}

/// The program, and how to read it.
#[derive(Clone, Debug, Args)]
pub struct InputArgs {
    /// C files, linked into one program; '.i' files are preprocessed already. 'verify' also takes directories,
    /// patterns such as 'src/*.c' and task definitions ('.yml'): then each is a program of its own
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Sizes of the basic types. By default those of a compilation database or of the C compiler 'cc'; programs of
    /// '.i' files alone are ILP32
    #[arg(long = "data-model", id = "data_model", value_name = "ILP32|LP64")]
    pub asked_data_model: Option<DataModel>,
    /// The data model in use, and its origin.
    #[arg(skip)]
    pub data_model: DataModel,
    #[arg(skip)]
    pub model_by: ModelBy,
    /// Keep every variable in memory, as if its address were taken; for measuring the cost
    #[arg(long, hide_short_help = true)]
    pub variables_in_memory: bool,
    /// What functions do that the program declares and nothing defines (except those of the standard library); by
    /// default 'havoc' if the program describes its environment as in the verification competition, else 'callbacks'
    #[arg(long, value_enum)]
    pub external: Option<ExternalArg>,
    /// Search this directory for included files
    #[arg(short = 'I', value_name = "DIR", help_heading = "Preprocessor")]
    pub include_dirs: Vec<PathBuf>,
    #[command(flatten)]
    pub macros: MacroArgs,
    /// Take include paths, macros, standard and data model of each file from this compilation database;
    /// options on the command line take precedence
    #[arg(long, value_name = "compile_commands.json", help_heading = "Preprocessor")]
    pub compile_commands: Option<PathBuf>,
    /// The C standard that is passed to the preprocessor
    #[arg(long = "std", value_name = "STANDARD", help_heading = "Preprocessor")]
    pub standard: Option<String>,
    #[command(flatten)]
    pub errors: ErrorArgs,
    /// The properties whose violations are errors of the automaton.
    #[arg(skip = Properties::from(Property::UnreachCall))]
    pub checked: Properties,
    /// Given contents of files, used in place of preprocessing.
    #[arg(skip)]
    pub texts: Option<Vec<String>>,
}

/// What counts as an error, besides calls of the known error functions and failed assertions.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Property")]
pub struct ErrorArgs {
    /// A call of this function is an error, too, whatever body the program gives it; repeatable
    #[arg(long = "error-function", value_name = "NAME")]
    pub functions: Vec<String>,
    /// These ends of an execution are errors, too: 'abort()', '__builtin_trap()', '__builtin_unreachable()'
    #[arg(
        long = "error-on",
        value_name = "abort,trap,unreachable",
        value_enum,
        value_delimiter = ','
    )]
    pub ends: Vec<EndArg>,
}

impl ErrorArgs {
    pub fn error_calls(&self) -> ErrorCalls {
        ErrorCalls {
            functions: self.functions.iter().cloned().collect(),
            ends: self.ends.iter().map(|&end| end.into()).collect(),
        }
    }
}

/// The properties in question.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Property")]
pub struct CheckArgs {
    /// What to check, with commas between; the names of properties ('no-overflow') are accepted, too. 'verify' gives
    /// each property its own verdict; by default it checks 'assert,memory,overflow,arithmetic'
    #[arg(long = "check", value_name = "LIST", value_enum, value_delimiter = ',')]
    pub check: Vec<CheckArg>,
}

/// The resource limits of a command.
#[derive(Clone, Debug, Args)]
pub struct LimitArgs {
    /// Give up after S seconds
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    pub timeout: Option<Duration>,
    /// Give up when MB megabytes are in use
    #[arg(long, value_name = "MB")]
    pub memory_limit: Option<u64>,
}

#[derive(Clone, Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub checks: CheckArgs,
    /// Check exactly the property in this file, as the software verification competition writes it
    #[arg(long, value_name = "FILE.prp", conflicts_with = "check", help_heading = "Property")]
    pub property: Option<PathBuf>,
    /// Print counts and times to standard error, as lines of the form 'stat NAME VALUE'
    #[arg(long)]
    pub stats: bool,
    /// Write the execution of a counterexample to this file, for 'ravelin run --schedule @FILE'. With many
    /// programs, this option and the next three name a directory that gets a file for each program
    #[arg(long, value_name = "FILE")]
    pub schedule_out: Option<PathBuf>,
    /// Write a witness of the verdict to this file, for other verifiers to check: as GraphML 1.0 if its name
    /// ends in '.graphml', else as YAML 2.0 (2.2 with threads)
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// Write a C file that makes the program fail as in the counterexample; its first lines say how to compile
    /// it
    #[arg(long, value_name = "FILE.c")]
    pub harness: Option<PathBuf>,
    /// Write a page about the run to this file: the trace to step through, pointers, automata, statistics
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Write the answer as SARIF 2.1, for services that show findings beside the source; with many programs,
    /// all answers in one file
    #[arg(long, value_name = "FILE.sarif")]
    pub sarif: Option<PathBuf>,
    /// How to print the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
    /// Print the answer alone: no progress, and no summary
    #[arg(short, long)]
    pub quiet: bool,
    /// Print to standard error each stage and every assumption
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
    /// With many programs (directories, patterns, task definitions '.yml'): verify N at a time
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub jobs: Option<usize>,
    /// Write the answers as JUnit XML, a case for each program
    #[arg(long, value_name = "FILE.xml")]
    pub junit: Option<PathBuf>,
    #[command(flatten)]
    pub analysis: AnalysisArgs,
    #[command(flatten)]
    pub solver: SolverArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

impl VerifyArgs {
    /// Whether nobody said what to check.
    pub fn asks_default(&self) -> bool {
        self.property.is_none() && self.checks.check.is_empty()
    }
}

#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// The witness, as YAML 2.x or GraphML 1.0; it determines the data model
    pub witness: PathBuf,
    #[command(flatten)]
    pub input: InputArgs,
    /// Print counts and times to standard error, as lines of the form 'stat NAME VALUE'
    #[arg(long)]
    pub stats: bool,
    /// Print each stage to standard error
    #[arg(short, long)]
    pub verbose: bool,
    #[command(flatten)]
    pub analysis: AnalysisArgs,
    #[command(flatten)]
    pub solver: SolverArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// The solver of the analysis.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Solver")]
pub struct SolverArgs {
    /// Use this program, which reads SMT-LIB 2 from its standard input ('z3 -in'), instead of the
    /// built-in Z3
    #[arg(long, value_name = "COMMAND", value_parser = SolverCommand::parse)]
    pub solver: Option<SolverCommand>,
    /// Write every solver query to a file of its own in this directory
    #[arg(long, value_name = "DIR")]
    pub dump_smt2: Option<PathBuf>,
}

/// The settings of the analysis. The defaults are the best known configuration.
///
/// A preset is replaced by its options before these are read.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Analysis")]
pub struct AnalysisArgs {
    /// Use the options of this preset, except those given on the command line
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// List the presets and exit
    #[arg(long, exclusive = true)]
    pub list_presets: bool,
    /// Print to standard error which engines run on this program, and why
    #[arg(long)]
    pub explain_strategy: bool,
    /// The abstract domain: values, predicates, or both
    #[arg(long, value_enum, default_value_t = DomainArg::Product)]
    pub domain: DomainArg,
    /// How to compute interpolants
    #[arg(long, value_enum, default_value_t = RefinementArg::Auto)]
    pub refinement: RefinementArg,
    /// How much of the program is one block
    #[arg(long, value_enum, default_value_t = EncodingArg::Auto)]
    pub encoding: EncodingArg,
    /// With adjustable blocks: end a block at calls and returns, too
    #[arg(long)]
    pub block_at_calls: bool,
    /// With adjustable blocks: end a block after N steps, too
    #[arg(long, value_name = "N")]
    pub block_steps: Option<u32>,
    /// How to abstract a block to predicates
    #[arg(long, value_enum, default_value_t = AbstractionArg::Cartesian)]
    pub abstraction: AbstractionArg,
    /// Which parts of interpolants become predicates
    #[arg(long, value_enum, default_value_t = PiecesArg::Atoms)]
    pub predicates: PiecesArg,
    /// Where to track a variable or predicate that refinement found
    #[arg(long, value_enum, default_value_t = ScopeArg::Local)]
    pub precision: ScopeArg,
    /// Which state to expand next
    #[arg(long, value_enum, default_value_t = OrderArg::Bfs)]
    pub order: OrderArg,
    /// How much of the graph to rebuild after a refinement
    #[arg(long, value_enum, default_value_t = PruningArg::Lazy)]
    pub pruning: PruningArg,
    /// The memory model
    #[arg(long, value_enum, default_value_t = MemoryArg::Deref)]
    pub memory: MemoryArg,
    /// Switch off an optimisation of the memory models; repeatable
    #[arg(long, value_enum, value_name = "OPTIMISATION")]
    pub without: Vec<OptimisationArg>,
    /// The points-to analysis for pointers whose values are not tracked
    #[arg(long, value_enum, default_value_t = StrengtheningArg::Andersen)]
    pub pointers: StrengtheningArg,
    /// In that analysis: field sensitivity
    #[arg(long, value_enum, default_value_t = SwitchArg::On)]
    pub pointer_fields: SwitchArg,
    /// In that analysis: which structs to distinguish
    #[arg(long, value_enum, default_value_t = StructsArg::Variable)]
    pub pointer_structs: StructsArg,
    /// In that analysis: context sensitivity, how many callers distinguish the calls of a function
    #[arg(long, value_name = "0|1|2", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=2))]
    pub pointer_context: u8,
    /// In that analysis: whether to join the results of different paths
    #[arg(long, value_enum, default_value_t = MergeArg::Join)]
    pub pointer_merge: MergeArg,
    /// How pointers that a state knows enter solver queries
    #[arg(long, value_enum, default_value_t = BindingArg::Substitution)]
    pub binding: BindingArg,
    /// Whether to explore concrete states, beside the analysis
    #[arg(long, value_enum, default_value_t = SwitchArg::On)]
    pub explore: SwitchArg,
    /// Partial-order reduction: which interleavings to leave out
    #[arg(long, value_enum, default_value_t = PorArg::Auto)]
    pub por: PorArg,
    /// How partial-order reduction resolves pointers, beyond the static analysis
    #[arg(long, value_enum, default_value_t = AliasArg::Exact)]
    pub alias: AliasArg,
    /// Statement reduction: which statements to leave out, because nothing depends on them
    #[arg(long, value_enum, default_value_t = CoiArg::Skip)]
    pub coi: CoiArg,
    /// How many solutions of an undecided condition the explicit domain enumerates
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub max_enum: usize,
    /// How many values of a variable the product domain follows in a loop without bound
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub max_values: usize,
    /// Unroll loops for S seconds first, and again where refinement is stuck; 0 for never
    #[arg(long, value_name = "S", value_parser = parse_seconds, default_value = "2")]
    pub unroll: Duration,
    /// Whether to try loop invariants from templates before refinement finds its own
    #[arg(long, value_enum, default_value_t = SwitchArg::On)]
    pub templates: SwitchArg,
    /// Whether to guess loop invariants and function summaries from Horn clauses over integers
    #[arg(long, value_enum, default_value_t = SwitchArg::On)]
    pub clauses: SwitchArg,
    /// Whether to prove programs that start threads in loops for any number of threads
    #[arg(long, value_enum, default_value_t = SwitchArg::On)]
    pub crowds: SwitchArg,
    /// Whether to execute the program symbolically, path by path; programs with threads are not
    #[arg(long, value_enum, default_value_t = SymbolicArg::On)]
    pub symbolic: SymbolicArg,
}

#[derive(Debug, Args)]
pub struct CfaArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub checks: CheckArgs,
    /// How to print the automaton
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// The passes to run, with commas between; or 'default', or 'none'
    #[arg(long, value_name = "PASSES", default_value = "default")]
    pub passes: String,
    /// Unroll loops of at most N iterations; effective with the pass 'unroll-loops'
    #[arg(long, value_name = "N")]
    pub unroll_bound: Option<usize>,
    /// How large a step may be; effective with the pass 'encode-large-blocks'
    #[arg(long, value_enum)]
    pub blocks: Option<BlockSize>,
    /// List the passes and exit
    #[arg(long, exclusive = true)]
    pub list_passes: bool,
    /// Print counts, unsupported operations and times to standard error
    #[arg(long)]
    pub stats: bool,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub checks: CheckArgs,
    /// Draw schedule and nondeterministic values from this seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Replay this schedule, as an earlier run printed it; '@FILE' reads it from a file that
    /// 'verify --schedule-out' wrote
    #[arg(long, value_name = "S", conflicts_with = "seed")]
    pub schedule: Option<String>,
    /// Stop after N steps
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub max_steps: u64,
    /// Print every step to standard error
    #[arg(long)]
    pub trace: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Debug, Args)]
pub struct PointsToArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// How to compute the sets
    #[arg(long, value_enum, default_value_t = PointerAnalysisArg::Andersen)]
    pub analysis: PointerAnalysisArg,
    /// Field sensitivity
    #[arg(long, value_enum, default_value_t = SwitchArg::On)]
    pub fields: SwitchArg,
    /// Which structs to distinguish
    #[arg(long, value_enum, default_value_t = StructsArg::Variable)]
    pub structs: StructsArg,
    /// Context sensitivity: how many callers distinguish the calls of a function
    #[arg(long, value_name = "0|1|2", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=2))]
    pub context: u8,
    /// Print the sets for every location of the program, too; effective with '--analysis flow-sensitive' and a
    /// format that lists sets
    #[arg(long)]
    pub per_location: bool,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = PointsToFormat::Text)]
    pub format: PointsToFormat,
    /// Print the time of the analysis and counts to standard error
    #[arg(long)]
    pub stats: bool,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "a number of seconds expected".to_owned())
}
