//! `cargo xtask suites`: Ravelin over the regression suites of other verifiers.
//!
//! - [`tests`]: the suites and their tests; [`desc`], [`goblint`], [`aws`]: what they expect;
//! - [`explained`]: why an answer may differ from what a suite expects; [`page`]: what comes of it.
//!
//! Running, judging and keeping results are those of `cargo xtask bench`.

mod aws;
mod desc;
mod explained;
mod goblint;
mod page;
mod tests;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::Args;
use tempfile::TempDir;

use crate::bench::measure::{self, Job, Verifier};
use crate::bench::outcome::{Allowance, Class};
use crate::bench::results::{Results, Row};
use crate::bench::{parse_seconds, publish};
use crate::property::{PropertyFiles, TaskProperty};
use crate::sets::{Answer, Program, Task};
use explained::Explanations;
use tests::{Expectation, SUITES, Suite, Test, Tool};

/// Run the verifier on the regression suites of CBMC, ESBMC, GenMC, Goblint and aws-c-common
///
/// Compares each answer with what the suite expects, where that speaks of assertions. A repository is given as
/// a directory that it is laid out in, or as its git directory.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 every answer that differs from a suite is explained and none is Ravelin's fault, 1 otherwise, \
2 the measurement could not be made, 130 interrupted.")]
pub struct Options {
    /// The repository of CBMC
    #[arg(long, value_name = "DIR")]
    cbmc: Option<PathBuf>,
    /// The repository of ESBMC
    #[arg(long, value_name = "DIR")]
    esbmc: Option<PathBuf>,
    /// The repository of GenMC
    #[arg(long, value_name = "DIR")]
    genmc: Option<PathBuf>,
    /// The repository of Goblint
    #[arg(long, value_name = "DIR")]
    goblint: Option<PathBuf>,
    /// The repository of aws-c-common
    #[arg(long, value_name = "DIR")]
    aws: Option<PathBuf>,
    /// Seconds of processor time for each test
    #[arg(long, value_name = "S", default_value_t = 10.0, value_parser = parse_seconds)]
    timeout: f64,
    /// Megabytes for each test
    #[arg(long, value_name = "MB", default_value_t = 4096)]
    memory: u64,
    /// How many tests run at a time; at most as many as there are cores
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// How many times longer than its processor time a test may take by the clock
    #[arg(long, value_name = "FACTOR", default_value_t = 1)]
    patience: u32,
    /// Take one test in so many of each suite, the same every time
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// The verifier
    #[arg(long, value_name = "PATH", default_value = "target/release/ravelin")]
    ravelin: PathBuf,
    /// Where the results are kept; the same command continues where an earlier one was interrupted
    #[arg(
        short,
        long,
        value_name = "OUT.csv",
        default_value = "docs/benchmarks/regression-suites.csv"
    )]
    output: PathBuf,
    /// Measure again what the file of results has already
    #[arg(long)]
    fresh: bool,
    /// Of the results in the file, measure only those again that are no answer; the others keep their limits
    #[arg(long, conflicts_with = "fresh")]
    undecided: bool,
    /// Of these, leave out tests that reached the limit of time or memory
    #[arg(long, requires = "undecided")]
    in_time: bool,
    /// Where to write the page; standard output if not given
    #[arg(long, value_name = "OUT.md")]
    summary: Option<PathBuf>,
    /// Why answers differ from what suites expect: a CSV file with the columns suite, test, verdict, cause, why
    #[arg(
        long,
        value_name = "FILE.csv",
        default_value = "docs/benchmarks/regression-suites-explained.csv"
    )]
    explained: PathBuf,
}

pub fn run(options: &Options) -> ExitCode {
    match run_suites(options) {
        Ok(code) => ExitCode::from(code),
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::from(2)
        }
    }
}

/// What is appended to a suite's name where a test expects something that is no answer. The column `expected` of the
/// results means nothing there.
const OTHER: &str = "/other";

fn run_suites(options: &Options) -> Result<u8, String> {
    let explanations = Explanations::read(&options.explained)?;
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut roots: Vec<Folder> = Vec::new();
    let (mut jobs, mut suites) = (Vec::new(), Vec::new());
    for suite in SUITES {
        let Some(given) = options.root(suite.tool) else { continue };
        if !roots.iter().any(|folder| folder.given == given) {
            roots.push(Folder::of(given, suite.tool)?);
        }
        let Some(folder) = roots.iter().find(|folder| folder.given == given) else { continue };
        let tests = suite.tests(folder.path(), scratch.path())?;
        suites.push(*suite);
        let taken = tests.into_iter().step_by(options.every.max(1));
        jobs.extend(taken.map(|test| job(suite, test, [folder.path(), scratch.path()])));
    }
    if jobs.is_empty() {
        return Err("no suite is given".to_owned());
    }
    let allowed = Allowance { seconds: options.timeout, megabytes: options.memory };
    let mut results = Results::read(&options.output)?;
    for job in &jobs {
        let key = job.key();
        let is_old = results
            .get(&key)
            .is_some_and(|row| row.allowed != allowed && options.measures_again(row));
        if options.fresh || is_old {
            results.remove(&key);
        }
    }
    let mut results = results.keep_in(&options.output)?;
    let is_done = |job: &Job| results.get(&job.key()).is_some();
    let (done, left): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(is_done);

    let verifier = Verifier {
        program: options.ravelin.clone(),
        tasks: PathBuf::new(),
        allowed,
        patience: options.patience.max(1).into(),
        properties: PropertyFiles::write().map_err(|error| format!("property files: {error}"))?,
    };
    let jobs = (&done[..], &left[..]);
    if let Some(code) = measure::complete(jobs, &verifier, options.jobs, &mut results)? {
        return Ok(code);
    }

    let rows: Vec<&Row> =
        done.iter().chain(&left).filter_map(|job| results.get(&job.key())).collect();
    let study = page::Study { command: command(options), suites, allowed, rows, explanations };
    publish(&study.render(), options.summary.as_deref())?;
    Ok(u8::from(!study.is_clean()))
}

impl Options {
    /// Whether a result with other limits is replaced.
    fn measures_again(&self, row: &Row) -> bool {
        match row.class() {
            Class::CorrectTrue | Class::CorrectFalse | Class::WrongTrue | Class::WrongFalse => {
                !self.undecided
            }
            Class::Timeout | Class::OutOfMemory => !self.in_time,
            Class::Unknown | Class::Error => true,
        }
    }

    fn root(&self, tool: Tool) -> Option<&Path> {
        match tool {
            Tool::Cbmc => self.cbmc.as_deref(),
            Tool::Esbmc => self.esbmc.as_deref(),
            Tool::Genmc => self.genmc.as_deref(),
            Tool::Goblint => self.goblint.as_deref(),
            Tool::Aws => self.aws.as_deref(),
        }
    }
}

fn job(suite: &Suite, test: Test, roots: [&Path; 2]) -> Job {
    let Test { name, files, arguments, data_model, expected } = test;
    let (set, expected) = match expected {
        Expectation::Answer(answer) => (suite.name.to_owned(), answer),
        Expectation::Other(_) => (format!("{}{OTHER}", suite.name), Answer::True),
    };
    let program = Program { roots: roots.map(Path::to_owned).to_vec(), files, arguments };
    let task = Task {
        path: name,
        property: TaskProperty::default(),
        expected: expected.into(),
        data_model,
        program: Some(program),
    };
    Job { set, config: String::new(), task }
}

/// A repository on the disk.
struct Folder {
    given: PathBuf,
    /// Where its git directory was laid out.
    laid_out: Option<TempDir>,
}

impl Folder {
    fn of(given: &Path, tool: Tool) -> Result<Folder, String> {
        let is_git = given.join("HEAD").is_file() && given.join("objects").is_dir();
        let laid_out = match is_git {
            true => Some(lay_out(given, tool)?),
            false => None,
        };
        Ok(Folder { given: given.to_owned(), laid_out })
    }

    fn path(&self) -> &Path {
        self.laid_out.as_ref().map_or(&self.given, TempDir::path)
    }
}

/// Lays out what is needed of a git directory.
fn lay_out(git: &Path, tool: Tool) -> Result<TempDir, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", git.display());
    let directory = tempfile::tempdir().map_err(failed)?;
    let mut archive = Command::new("git")
        .arg("--git-dir")
        .arg(git)
        .args(["archive", "HEAD"])
        .args(tool.directories())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let Some(output) = archive.stdout.take() else { return Err("git writes nothing".to_owned()) };
    let unpacked =
        Command::new("tar").arg("x").arg("-C").arg(directory.path()).stdin(output).status();
    let archived = archive.wait().map_err(failed)?;
    match archived.success() && unpacked.map_err(failed)?.success() {
        true => Ok(directory),
        false => Err(format!("{}: cannot be laid out", git.display())),
    }
}

/// The command that repeats a measurement on any machine: `DIR` is where the repositories are.
fn command(options: &Options) -> String {
    let mut command = String::from("cargo build --release && cargo xtask suites");
    // Writing to a string cannot fail, here and below.
    for (tool, name) in [
        (Tool::Cbmc, "cbmc"),
        (Tool::Esbmc, "esbmc"),
        (Tool::Genmc, "genmc"),
        (Tool::Goblint, "goblint"),
        (Tool::Aws, "aws"),
    ] {
        if options.root(tool).is_some() {
            let _ = write!(command, " --{name} DIR/{name}");
        }
    }
    let _ = write!(command, " --timeout {} --memory {}", options.timeout, options.memory);
    if options.every > 1 {
        let _ = write!(command, " --every {}", options.every);
    }
    if options.undecided {
        command += " --undecided";
    }
    if options.in_time {
        command += " --in-time";
    }
    if options.patience > 1 {
        let _ = write!(command, " --patience {}", options.patience);
    }
    command
}
