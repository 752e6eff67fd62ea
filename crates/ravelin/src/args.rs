//! The command line.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::RangedU64ValueParser;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use ravelin_base::DataModel;

use crate::macros::MacroArgs;
use crate::presets;
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
Without a command, 'verify' is meant.

Exit codes of verify:
   0  TRUE: the property holds
   1  FALSE: the property is violated
   2  UNKNOWN
of every command:
   3  the input was rejected: it cannot be read, or is not C
  64  wrong usage
  70  internal error
  74  output could not be written";

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Decide whether a program satisfies a property
    ///
    /// The last line of standard output is the verdict: 'Verdict: TRUE', 'Verdict: FALSE(property)'
    /// or 'Verdict: UNKNOWN(reason)'.
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
    /// Of this command; of all, if there is none
    pub command: Option<String>,
}

/// The program, and how to read it.
#[derive(Clone, Debug, Args)]
pub struct InputArgs {
    /// C files, linked into one program; '.i' is taken as preprocessed. 'verify' also takes directories,
    /// patterns such as 'src/*.c' and task definitions ('.yml'): then each is a program of its own
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Sizes of the basic types
    #[arg(long, value_name = "ILP32|LP64", default_value = "ILP32")]
    pub data_model: DataModel,
    /// Whether the data model was chosen; otherwise others may.
    #[arg(skip)]
    pub has_data_model: bool,
    /// Keep every variable in memory, as if its address were taken: to measure what it saves not to
    #[arg(long, hide_short_help = true)]
    pub variables_in_memory: bool,
    /// Search this directory for included files
    #[arg(short = 'I', value_name = "DIR", help_heading = "Preprocessor")]
    pub include_dirs: Vec<PathBuf>,
    #[command(flatten)]
    pub macros: MacroArgs,
    /// Take include paths, macros, standard and data model of each file from this compilation database;
    /// what is given besides counts more
    #[arg(long, value_name = "compile_commands.json", help_heading = "Preprocessor")]
    pub compile_commands: Option<PathBuf>,
    /// The C standard that is passed to the preprocessor
    #[arg(long = "std", value_name = "STANDARD", help_heading = "Preprocessor")]
    pub standard: Option<String>,
    /// What is taken for the preprocessed contents of the files.
    #[arg(skip)]
    pub texts: Option<Vec<String>>,
}

/// What a command may spend.
#[derive(Clone, Debug, Args)]
pub struct LimitArgs {
    /// Give up after so many seconds
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    pub timeout: Option<Duration>,
    /// Give up when so many megabytes are in use
    #[arg(long, value_name = "MB")]
    pub memory_limit: Option<u64>,
}

#[derive(Clone, Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The property, as in the software verification competition; by default that no error call
    /// is reachable
    #[arg(long, value_name = "FILE.prp")]
    pub property: Option<PathBuf>,
    /// Print counts and times to standard error, as lines of the form 'stat NAME VALUE'
    #[arg(long)]
    pub stats: bool,
    /// Write the execution of a counterexample to this file, for 'ravelin run --schedule @FILE'. Of many
    /// programs, this and the next three name a directory that gets a file for each
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
    /// Write the answer as SARIF 2.1, for services that show findings beside the source; of many programs,
    /// all answers in one file
    #[arg(long, value_name = "FILE.sarif")]
    pub sarif: Option<PathBuf>,
    /// How to print the answer
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    pub format: AnswerFormat,
    /// Print the answer alone: no progress, and no summary
    #[arg(short, long)]
    pub quiet: bool,
    /// Tell on standard error what is tried, stage by stage, and every assumption
    #[arg(short, long, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Of many programs (directories, patterns, task definitions '.yml'): verify so many at a time
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AnswerFormat {
    /// For people; the last line is the verdict
    Text,
    /// One JSON document
    Json,
}

#[derive(Debug, Args)]
pub struct ReplayArgs {
    /// The witness, as YAML 2.x or GraphML 1.0; it says which data model to use
    pub witness: PathBuf,
    #[command(flatten)]
    pub input: InputArgs,
    /// Print counts and times to standard error, as lines of the form 'stat NAME VALUE'
    #[arg(long)]
    pub stats: bool,
    /// Tell on standard error what is tried, stage by stage
    #[arg(short, long)]
    pub verbose: bool,
    #[command(flatten)]
    pub analysis: AnalysisArgs,
    #[command(flatten)]
    pub solver: SolverArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Who answers the analysis's questions.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Solver")]
pub struct SolverArgs {
    /// Ask this program, which reads SMT-LIB 2 from its standard input ('z3 -in'), instead of the
    /// Z3 that is built in
    #[arg(long, value_name = "COMMAND", value_parser = SolverCommand::parse)]
    pub solver: Option<SolverCommand>,
    /// Write every question to the solver into this directory, as a file of its own
    #[arg(long, value_name = "DIR")]
    pub dump_smt2: Option<PathBuf>,
}

/// How the analysis works. The defaults are the best configuration known.
///
/// A preset is replaced by its options before these are read.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Analysis")]
pub struct AnalysisArgs {
    /// Take the options of this preset, but for those that are given
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// List the presets and exit
    #[arg(long, exclusive = true)]
    pub list_presets: bool,
    /// Tell on standard error what is done with this program, and why
    #[arg(long)]
    pub explain_strategy: bool,
    /// What abstract states know: values, predicates, or both
    #[arg(long, value_enum, default_value_t = DomainArg::Product)]
    pub domain: DomainArg,
    /// How interpolants are found
    #[arg(long, value_enum, default_value_t = RefinementArg::Auto)]
    pub refinement: RefinementArg,
    /// How much of the program is one block
    #[arg(long, value_enum, default_value_t = EncodingArg::Auto)]
    pub encoding: EncodingArg,
    /// With adjustable blocks: end a block at calls and returns, too
    #[arg(long)]
    pub block_at_calls: bool,
    /// With adjustable blocks: end a block after so many steps, too
    #[arg(long, value_name = "N")]
    pub block_steps: Option<u32>,
    /// How a block is reduced to predicates
    #[arg(long, value_enum, default_value_t = AbstractionArg::Cartesian)]
    pub abstraction: AbstractionArg,
    /// In which pieces predicates are taken from interpolants
    #[arg(long, value_enum, default_value_t = PiecesArg::Atoms)]
    pub predicates: PiecesArg,
    /// Where what is tracked is tracked
    #[arg(long, value_enum, default_value_t = ScopeArg::Local)]
    pub precision: ScopeArg,
    /// Which state is explored next
    #[arg(long, value_enum, default_value_t = OrderArg::Bfs)]
    pub order: OrderArg,
    /// How much is explored again after a refinement
    #[arg(long, value_enum, default_value_t = PruningArg::Lazy)]
    pub pruning: PruningArg,
    /// How memory is modelled
    #[arg(long, value_enum, default_value_t = MemoryArg::Deref)]
    pub memory: MemoryArg,
    /// Leave out an optimisation of memory models; may be given often
    #[arg(long, value_enum, value_name = "OPTIMISATION")]
    pub without: Vec<OptimisationArg>,
    /// How pointers that a state knows are told to the solver
    #[arg(long, value_enum, default_value_t = BindingArg::Substitution)]
    pub binding: BindingArg,
    /// Whether programs are also explored state by state, beside the analysis
    #[arg(long, value_enum, default_value_t = SwitchArg::On)]
    pub explore: SwitchArg,
    /// Which threads may wait for others
    #[arg(long, value_enum, default_value_t = PorArg::Auto)]
    pub por: PorArg,
    /// Where pointers of threads' next accesses lead, beyond what the static analysis says
    #[arg(long, value_enum, default_value_t = AliasArg::Exact)]
    pub alias: AliasArg,
    /// Which statements of programs with threads are left out, because nothing depends on them
    #[arg(long, value_enum, default_value_t = CoiArg::Skip)]
    pub coi: CoiArg,
    /// How many solutions of an open condition the explicit domain follows one by one
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub max_enum: usize,
    /// How many values of a variable the product domain follows in a loop without bound
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub max_values: usize,
    /// Unroll the program for so many seconds first, and again where refinement is stuck; 0 for never
    #[arg(long, value_name = "S", value_parser = parse_seconds, default_value = "2")]
    pub unroll: Duration,
    /// Whether loop invariants from templates are tried before refinement finds its own
    #[arg(long, value_enum, default_value_t = SwitchArg::On)]
    pub templates: SwitchArg,
    /// Whether loop invariants and summaries of functions are guessed from Horn clauses over integers
    #[arg(long, value_enum, default_value_t = SwitchArg::On)]
    pub clauses: SwitchArg,
    /// Whether programs that start threads in loops are proved for any number of them
    #[arg(long, value_enum, default_value_t = SwitchArg::On)]
    pub crowds: SwitchArg,
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
    /// What is read may be anything
    Havoc,
    /// Only pointers of which a state knows where they lead are followed
    PointsTo,
    /// Reads are resolved where they are asked for
    Deref,
    /// Each write makes a new version of memory
    Uf,
    /// Arrays of the solver
    Array,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PorArg {
    /// The best known: 'abstraction-aware' in the analysis; in the explorer of concrete states 'static',
    /// then 'dynamic'
    Auto,
    /// None: all orders of steps are explored
    None,
    /// Those whose steps, by what the program says, do not depend on those of others
    Static,
    /// The same, where only what is tracked counts
    AbstractionAware,
    /// In the analysis as 'abstraction-aware'; the explorer of concrete states finds the dependences as it
    /// goes
    Dynamic,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AliasArg {
    /// Nothing beyond it
    Static,
    /// By values of pointers that a state knows
    Exact,
    /// Also by asking the solver what a state says of them
    Smt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CoiArg {
    /// None: every statement is evaluated
    None,
    /// Those that write nothing that is tracked
    Skip,
    /// Also those whose results no condition can depend on any more
    Coi,
    /// The same; and threads wait for others by what is left
    PorCoi,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OptimisationArg {
    /// Separate memories for objects and fields that no access may confuse
    Fields,
    /// Separate memories for values of different types; objects and fields leave little of this to do
    Types,
    /// With 'uf': one version for several constants that are written one after the other
    Constants,
    /// With 'uf': versions say what they have only at addresses that are read
    Offsets,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BindingArg {
    /// In place of the pointer
    Substitution,
    /// As an equation beside the question
    Equality,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RefinementArg {
    /// Weakest preconditions, and where nothing more is learnt by them, Spacer
    Auto,
    /// Weakest preconditions along the unsatisfiable core
    Wp,
    /// Strongest postconditions along the core, on live variables
    Sp,
    /// Sequences of interpolants from Spacer
    Spacer,
    /// Interpolants from the last cut backwards
    Backward,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EncodingArg {
    /// Large blocks, and when these do not get far, adjustable blocks of large ones
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
    /// All combinations of predicates: more precise, and more questions to the solver
    Boolean,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PiecesArg {
    /// The comparisons they are made of
    Atoms,
    /// As they are
    Whole,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScopeArg {
    /// At the locations for which it was found
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
    /// What is below the first change
    Lazy,
    /// Everything
    Full,
}

#[derive(Debug, Args)]
pub struct CfaArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// How to print the automaton
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// The passes to run, with commas between; or 'default', or 'none'
    #[arg(long, value_name = "PASSES", default_value = "default")]
    pub passes: String,
    /// Unroll loops of at most so many rounds; effective with the pass 'unroll-loops'
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

#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// Draw schedule and nondeterministic values from this seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Replay this schedule, as an earlier run printed it; '@FILE' reads it from a file, such as
    /// 'verify --schedule-out' writes
    #[arg(long, value_name = "S", conflicts_with = "seed")]
    pub schedule: Option<String>,
    /// Stop after so many steps
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
    /// How the sets are found
    #[arg(long, value_enum, default_value_t = PointerAnalysisArg::Andersen)]
    pub analysis: PointerAnalysisArg,
    /// Tell the fields of objects apart
    #[arg(long, value_enum, default_value_t = SwitchArg::On)]
    pub fields: SwitchArg,
    /// Which structs are told apart
    #[arg(long, value_enum, default_value_t = StructsArg::Variable)]
    pub structs: StructsArg,
    /// Tell the calls of a function apart by so many calls that led there
    #[arg(long, value_name = "0|1|2", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=2))]
    pub context: u8,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PointerAnalysisArg {
    /// By inclusion of sets
    Andersen,
    /// By unification of sets: coarser and faster
    Steensgaard,
    /// As andersen, and for every location by itself
    FlowSensitive,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SwitchArg {
    On,
    Off,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StructsArg {
    /// Every variable
    Variable,
    /// Every type, as far as sizes tell types apart
    Type,
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

/// Parses a command line whose first word is the program's name.
pub fn parse(words: Vec<OsString>) -> Result<Cli, clap::Error> {
    let (mut command, matches) = matches_of(words)?;
    let mut cli = Cli::from_arg_matches(&matches)?;
    let Some((name, given)) = matches.subcommand() else { return Ok(cli) };
    if let Some(input) = cli.command.input_mut() {
        input.has_data_model = is_given(given, "data_model");
        if name != "verify" {
            refuse_definitions(&mut command, name, &input.files)?;
        }
    }
    Ok(cli)
}

/// What the parser finds on a command line, and the definition by which it does.
pub fn matches_of(mut words: Vec<OsString>) -> Result<(clap::Command, ArgMatches), clap::Error> {
    if words.get(1).is_some_and(|first| !names_command(first)) {
        words.insert(1, "verify".into());
    }
    let mut command = Cli::command();
    expand_preset(&mut command, &mut words)?;
    let matches = command.try_get_matches_from_mut(words)?;
    if let Some(("verify", given)) = matches.subcommand() {
        refuse_idle_options(&mut command, given)?;
    }
    Ok((command, matches))
}

impl Command {
    /// The program that the command is about.
    pub fn input_mut(&mut self) -> Option<&mut InputArgs> {
        match self {
            Command::Verify(args) => Some(&mut args.input),
            Command::Cfa(args) => Some(&mut args.input),
            Command::Run(args) => Some(&mut args.input),
            Command::PointsTo(args) => Some(&mut args.input),
            Command::Replay(args) => Some(&mut args.input),
            Command::Completions(_) | Command::Man(_) => None,
        }
    }
}

/// Whether an option is on the command line.
pub fn is_given(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// Only 'verify' asks a question to which a task has an answer.
fn refuse_definitions(
    command: &mut clap::Command,
    name: &str,
    files: &[PathBuf],
) -> Result<(), clap::Error> {
    let Some(file) = files.iter().find(|file| is_definition(file)) else { return Ok(()) };
    let file = file.display();
    let hint = if name == "replay" { "; the witness comes first" } else { "" };
    let message = format!("'{file}' is no C file: task definitions are for 'ravelin verify'{hint}");
    Err(command.error(ErrorKind::ValueValidation, message))
}

/// Whether a file is a task definition, by its name.
pub fn is_definition(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// Puts the options of a preset in its place.
fn expand_preset(
    command: &mut clap::Command,
    words: &mut Vec<OsString>,
) -> Result<(), clap::Error> {
    let Some((at, name, count)) = find_preset(words) else { return Ok(()) };
    if !["verify", "replay"].iter().any(|known| words[1] == *known) {
        let message = "presets are for 'ravelin verify' and 'ravelin replay'";
        return Err(command.error(ErrorKind::UnknownArgument, message));
    }
    let Some(preset) = presets::find(&name) else {
        let message = format!(
            "there is no preset '{name}'; 'ravelin verify --list-presets' tells which there are"
        );
        return Err(command.error(ErrorKind::InvalidValue, message));
    };
    words.drain(at..(at + count).min(words.len()));
    if let Some((_, other, _)) = find_preset(words) {
        let message = format!("there can be one preset only: '{name}' or '{other}'");
        return Err(command.error(ErrorKind::ArgumentConflict, message));
    }
    let options = preset.words(words);
    words.splice(at..at, options);
    Ok(())
}

/// The first preset among the words: where it is, its name, and how many words it takes.
fn find_preset(words: &[OsString]) -> Option<(usize, String, usize)> {
    // What comes after this are files.
    let options = words.iter().take_while(|word| *word != "--");
    options.enumerate().find_map(|(at, word)| {
        if word == "--preset" {
            let name = words.get(at + 1).map(|word| word.to_string_lossy().into_owned());
            return Some((at, name.unwrap_or_default(), 2));
        }
        let name = word.to_str()?.strip_prefix("--preset=")?;
        Some((at, name.to_owned(), 1))
    })
}

/// Options of the analysis that have an effect only with some values of another option.
const EFFECTIVE_WITH: &[(&str, &str, &[&str])] = &[
    ("block_at_calls", "encoding", &["abe", "lbe-abe"]),
    ("block_steps", "encoding", &["abe", "lbe-abe"]),
    ("refinement", "domain", &["predicate", "product"]),
    ("abstraction", "domain", &["predicate", "product"]),
    ("predicates", "domain", &["predicate", "product"]),
    ("max_enum", "domain", &["explicit", "product"]),
    ("max_values", "domain", &["product"]),
];

/// An option that does nothing is one that its user has misunderstood.
fn refuse_idle_options(command: &mut clap::Command, given: &ArgMatches) -> Result<(), clap::Error> {
    for &(option, other, values) in EFFECTIVE_WITH {
        let raw = given.get_raw(other).and_then(|mut raw| raw.next());
        let effective = raw.is_none_or(|value| values.iter().any(|allowed| value == *allowed));
        if is_given(given, option) && !effective {
            let option = option.replace('_', "-");
            let message = format!("'--{option}' needs '--{other} {}'", values.join("|"));
            return Err(command.error(ErrorKind::ArgumentConflict, message));
        }
    }
    Ok(())
}

/// Whether the first word after the program's name stands for itself; otherwise 'verify' is meant.
fn names_command(word: &OsString) -> bool {
    let is_command = Cli::command().find_subcommand(word).is_some();
    is_command || ["help", "-h", "--help", "-V", "--version"].iter().any(|known| word == known)
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "a number of seconds expected".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::macros::MacroArg;

    fn parse_line(line: &str) -> Result<Cli, clap::Error> {
        parse(line.split(' ').map(OsString::from).collect())
    }

    #[test]
    fn definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn verify_is_the_default() {
        for line in [
            "ravelin a.c b.c",
            "ravelin verify a.c b.c",
            "ravelin --data-model ILP32 a.c b.c",
            "ravelin a.c --timeout 10 b.c",
        ] {
            let Command::Verify(args) = parse_line(line).expect(line).command else {
                panic!("{line}: not 'verify'");
            };
            assert_eq!(args.input.files, [PathBuf::from("a.c"), PathBuf::from("b.c")], "{line}");
        }
    }

    #[test]
    fn preprocessor_options_come_through() {
        let line = "ravelin cfa -Iinclude -I other -U Y -DX=1 -D Y -UZ --std=gnu11 a.c";
        let Command::Cfa(args) = parse_line(line).expect(line).command else {
            panic!("not 'cfa'");
        };
        assert_eq!(args.input.include_dirs, [PathBuf::from("include"), PathBuf::from("other")]);
        let [define, undefine] =
            [MacroArg::Define, MacroArg::Undefine].map(|read| move |it: &str| read(it.to_owned()));
        assert_eq!(args.input.macros.0, [undefine("Y"), define("X=1"), define("Y"), undefine("Z")]);
        assert_eq!(args.input.standard.as_deref(), Some("gnu11"));
    }

    #[test]
    fn passes_are_listed_without_a_file() {
        parse_line("ravelin cfa --list-passes").expect("no file needed");
        parse_line("ravelin cfa").expect_err("a file needed");
    }

    #[test]
    fn limits_that_make_no_sense_are_refused() {
        for line in [
            "ravelin a.c --timeout -1",
            "ravelin a.c --timeout nan",
            "ravelin a.c --timeout soon",
            "ravelin a.c --memory-limit -5",
            "ravelin a.c --data-model LLP64",
            "ravelin run a.c --seed 1 --schedule 0",
            "ravelin a.c --jobs 0",
        ] {
            parse_line(line).expect_err(line);
        }
    }

    #[test]
    fn options_without_effect_are_refused() {
        for line in [
            "ravelin a.c --domain explicit --refinement sp",
            "ravelin a.c --domain explicit --max-values 3",
            "ravelin a.c --domain predicate --max-enum 3",
            "ravelin a.c --encoding lbe --block-steps 3",
            "ravelin a.c --encoding single --block-at-calls",
        ] {
            let error = parse_line(line).expect_err(line).to_string();
            assert!(error.contains("needs '--"), "{line}: {error}");
        }
        for line in [
            "ravelin a.c --encoding lbe-abe --block-at-calls --max-values 3 --max-enum 2 --refinement sp",
            "ravelin a.c --domain explicit --max-enum 3",
            "ravelin a.c --domain predicate --abstraction boolean",
        ] {
            parse_line(line).expect(line);
        }
    }

    #[test]
    fn presets_are_taken_once_and_where_they_mean_something() {
        for (line, why) in [
            ("ravelin a.c --preset errors --preset proof", "one preset only"),
            ("ravelin a.c --preset=proof --preset=proof", "one preset only"),
            ("ravelin cfa a.c --preset proof", "presets are for"),
            ("ravelin a.c --preset", "there is no preset"),
        ] {
            let error = parse_line(line).expect_err(line).to_string();
            assert!(error.contains(why), "{line}: {error}");
        }
        parse_line("ravelin replay w.yml a.c --preset proof").expect("well-formed");
        parse_line("ravelin -- --preset").expect("a file");
    }

    #[test]
    fn task_definitions_are_for_verify() {
        parse_line("ravelin verify task.yml").expect("well-formed");
        for line in ["ravelin run task.yml", "ravelin cfa a.c b.yaml", "ravelin replay a.c w.yml"] {
            let error = parse_line(line).expect_err(line).to_string();
            assert!(error.contains("task definitions are for 'ravelin verify'"), "{line}: {error}");
        }
    }

    #[test]
    fn every_dependency_names_options() {
        let command = Cli::command();
        let verify = command.find_subcommand("verify").expect("there is one");
        let exists = |id: &str| verify.get_arguments().any(|arg| arg.get_id() == id);
        for &(option, other, _) in EFFECTIVE_WITH {
            assert!(exists(option) && exists(other), "{option}, {other}");
        }
    }

    #[test]
    fn solvers_need_a_name() {
        parse_line("ravelin a.c --solver z3 --dump-smt2 out").expect("well-formed");
        parse(["ravelin", "a.c", "--solver", ""].map(OsString::from).to_vec()).expect_err("empty");
    }
}
