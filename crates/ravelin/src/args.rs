//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use ravelin_base::DataModel;

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
}

/// The program, and how to read it.
#[derive(Debug, Args)]
pub struct InputArgs {
    /// C files, linked into one program; '.i' is taken as preprocessed
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Sizes of the basic types
    #[arg(long, value_name = "ILP32|LP64", default_value = "ILP32")]
    pub data_model: DataModel,
    /// Search this directory for included files
    #[arg(short = 'I', value_name = "DIR", help_heading = "Preprocessor")]
    pub include_dirs: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Preprocessor")]
    pub defines: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", help_heading = "Preprocessor")]
    pub undefines: Vec<String>,
    /// The C standard that is passed to the preprocessor
    #[arg(long = "std", value_name = "STANDARD", help_heading = "Preprocessor")]
    pub standard: Option<String>,
}

/// What a command may spend.
#[derive(Debug, Args)]
pub struct LimitArgs {
    /// Give up after so many seconds
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    pub timeout: Option<Duration>,
    /// Give up when so many megabytes are in use
    #[arg(long, value_name = "MB")]
    pub memory_limit: Option<u64>,
}

#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    pub input: InputArgs,
    /// The property, as in the software verification competition; by default that no error call
    /// is reachable
    #[arg(long, value_name = "FILE.prp")]
    pub property: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
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
    /// Replay this schedule, as an earlier run printed it; '@FILE' reads it from a file
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

/// Parses a command line whose first word is the program's name.
pub fn parse(mut words: Vec<OsString>) -> Result<Cli, clap::Error> {
    if words.get(1).is_some_and(|first| !names_command(first)) {
        words.insert(1, "verify".into());
    }
    Cli::try_parse_from(words)
}

/// Whether the first word after the program's name stands for itself; otherwise 'verify' is meant.
fn names_command(word: &OsString) -> bool {
    ["verify", "cfa", "run", "help", "-h", "--help", "-V", "--version"]
        .iter()
        .any(|known| word == known)
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "a number of seconds expected".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

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
        let line = "ravelin cfa -Iinclude -I other -DX=1 -D Y -UZ --std=gnu11 a.c";
        let Command::Cfa(args) = parse_line(line).expect(line).command else {
            panic!("not 'cfa'");
        };
        assert_eq!(args.input.include_dirs, [PathBuf::from("include"), PathBuf::from("other")]);
        assert_eq!(args.input.defines, ["X=1", "Y"]);
        assert_eq!(args.input.undefines, ["Z"]);
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
        ] {
            parse_line(line).expect_err(line);
        }
    }
}
