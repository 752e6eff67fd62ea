//! Many programs at once: directories, patterns and task definitions of the competition ([`tasks`]).
//!
//! A process of its own verifies every program ([`children`]), with the same [`options`], so that
//! no program affects another by time, memory or a defect. Its files have their own names
//! ([`files`]); the answers are combined ([`outcomes`]).

mod children;
mod files;
mod options;
mod outcomes;
mod tasks;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use ravelin_verifier::{Reason, Verdict};
use serde_json::Value;
use tempfile::TempDir;

use crate::args::{AnswerFormat, VerifyArgs, is_definition};
use crate::compile_commands::CompileCommands;
use crate::exit::Exit;
use crate::model;
use crate::output::{Sink, write_to};
use children::{Ending, Finished};
use files::Destinations;
use outcomes::Outcome;
use tasks::{Task, is_many};

/// Whether the arguments may name several programs.
pub fn are_many(args: &VerifyArgs) -> bool {
    args.input.files.iter().any(|file| is_many(file))
}

/// Verifies every program that the arguments name.
pub fn verify(args: &VerifyArgs) -> Exit {
    verify_all(args).unwrap_or_else(|message| {
        crate::log(&format!("ravelin: {message}\n"));
        Exit::Output
    })
}

/// Options for all programs, which are not passed to the process of one.
const ABOUT_MANY: &[&str] = &["jobs", "junit", "format", "sarif", "quiet"];

/// The output failed.
fn verify_all(args: &VerifyArgs) -> Result<Exit, String> {
    let found = tasks::tasks_of(args).and_then(|tasks| match tasks.is_empty() {
        true => Err("there are no programs".to_owned()),
        false => Ok(tasks),
    });
    let tasks = match found {
        Ok(tasks) => tasks,
        Err(message) => {
            crate::log(&format!("ravelin: {message}\n"));
            // The verdict is printed; a closed output is not a further failure.
            let verdict = Verdict::Unknown(Reason::InputRejected);
            let _ = write_to(&Sink::Stdout, |output| writeln!(output, "Verdict: {verdict}"));
            return Ok(Exit::Rejected);
        }
    };
    note_compilation(args, &tasks);
    let findings = Findings::prepare(args)?;
    let commands = commands(args, &tasks, findings.as_ref())?;
    let jobs = args.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let (outcomes, ending) = run_all(args, &tasks, commands, jobs);
    let exit = outcomes::exit_of(&outcomes, ending);
    let text = match args.format {
        AnswerFormat::Text => outcomes::table(&outcomes),
        AnswerFormat::Json => outcomes::document(&outcomes),
    };
    let mut written = vec![print(text.as_bytes())];
    if let Some(path) = &args.junit {
        written.push(write_file(path, &outcomes::junit(&outcomes)));
    }
    if let (Some(path), Some(findings)) = (&args.sarif, findings) {
        written.push(write_file(path, &outcomes::sarif(&outcomes, &findings.read(&tasks), exit)));
    }
    written.into_iter().collect::<Result<(), String>>()?;
    let is_unwritten = |outcome: &Outcome| outcome.code == Some(Exit::Output.code().into());
    match outcomes.iter().any(is_unwritten) {
        true => Err("not every file was written".to_owned()),
        false => Ok(exit),
    }
}

/// The JUnit XML for one program with these answers, one for each question, and how long each took.
pub fn junit_of_one(args: &VerifyArgs, answers: Vec<(Value, Duration)>) -> String {
    let files: Vec<String> =
        args.input.files.iter().map(|file| file.display().to_string()).collect();
    let task = Task { name: files.join(" "), files: args.input.files.clone(), ..Task::default() };
    let outcomes = answers.into_iter();
    let outcomes = outcomes.map(|(answer, time)| Outcome::of_answer(&task, answer, time));
    outcomes::junit(&outcomes.collect::<Vec<_>>())
}

fn print(text: &[u8]) -> Result<(), String> {
    write_to(&Sink::Stdout, |output| output.write_all(text))
}

fn write_file(path: &Path, text: &str) -> Result<(), String> {
    write_to(&Sink::File(path.to_owned()), |output| output.write_all(text.as_bytes()))
}

/// Reports deviations from the compilation database, because the messages of the processes about
/// them are dropped.
fn note_compilation(args: &VerifyArgs, tasks: &[Task]) {
    let Some(Ok(commands)) = args.input.compile_commands.as_deref().map(CompileCommands::read)
    else {
        return;
    };
    for Task { files, data_model, .. } in tasks {
        let chosen = args.input.asked_data_model.or(*data_model);
        let chosen = chosen.or_else(|| commands.data_model(files));
        let chosen = chosen.unwrap_or_else(|| model::by_files(files).0);
        crate::log(&commands.notes(files, chosen));
    }
}

/// A directory for the results of the processes until they are combined.
struct Findings(TempDir);

impl Findings {
    fn prepare(args: &VerifyArgs) -> Result<Option<Findings>, String> {
        let cannot = |error: io::Error| format!("cannot make a temporary directory: {error}");
        args.sarif.as_ref().map(|_| tempfile::tempdir().map(Findings).map_err(cannot)).transpose()
    }

    fn path(&self, number: usize) -> PathBuf {
        self.0.path().join(format!("{number}.sarif"))
    }

    /// The file that each process has written, if any.
    fn read(&self, tasks: &[Task]) -> Vec<Option<Value>> {
        let read = |number| serde_json::from_slice(&fs::read(self.path(number)).ok()?).ok();
        (0..tasks.len()).map(read).collect()
    }
}

/// A process that verifies something.
fn process() -> Result<Command, String> {
    let program = env::current_exe().map_err(|error| format!("cannot find myself: {error}"))?;
    let mut command = Command::new(program);
    command.arg("verify").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Ok(command)
}

/// A command for each task that can be verified.
fn commands(
    args: &VerifyArgs,
    tasks: &[Task],
    findings: Option<&Findings>,
) -> Result<Vec<(usize, Command)>, String> {
    let destinations = Destinations::prepare(args)?;
    let left_out: Vec<&str> = ABOUT_MANY.iter().chain(files::OPTIONS).copied().collect();
    let given = options::given(env::args_os().collect(), &left_out);
    let names = files::names(tasks.iter().map(|task| task.name.as_str()));
    let mut commands = Vec::new();
    for (number, (task, name)) in tasks.iter().zip(names).enumerate() {
        if task.rejected.is_some() {
            continue;
        }
        let mut command = process()?;
        command.args(&given).args(["--format", "json"]).args(destinations.options(&name));
        if !args.verbose {
            command.arg("--quiet");
        }
        if let Some(findings) = findings {
            command.arg("--sarif").arg(findings.path(number));
        }
        if let Some(model) = &task.data_model {
            command.arg("--data-model").arg(model.to_string());
        }
        if let Some(property) = &task.property {
            let mut word = OsString::from("--property=");
            word.push(property);
            command.arg(word);
        }
        if args.input.external.is_none() && is_definition(Path::new(&task.name)) {
            command.args(["--external", "havoc"]);
        }
        command.arg("--").args(&task.files);
        commands.push((number, command));
    }
    Ok(commands)
}

/// Runs all commands; tasks without one are rejected, or were not begun.
fn run_all(
    args: &VerifyArgs,
    tasks: &[Task],
    commands: Vec<(usize, Command)>,
    jobs: usize,
) -> (Vec<Outcome>, Ending) {
    let bar = match args.quiet {
        true => ProgressBar::hidden(),
        false => ProgressBar::new(commands.len() as u64),
    };
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    bar.tick();
    let is_heard = args.stats || args.verbose || args.analysis.explain_strategy;
    let mut outcomes: Vec<Option<Outcome>> = vec![None; tasks.len()];
    let ending = children::run_all(commands, jobs, |number, finished| {
        let task = &tasks[number];
        bar.set_message(task.name.clone());
        outcomes[number] = Some(match finished {
            Ok(finished) => {
                let is_unwritten = finished.code == Some(Exit::Output.code().into());
                if is_heard || is_unwritten {
                    bar.suspend(|| crate::log(&prefixed(task, &finished)));
                }
                Outcome::of(task, &finished)
            }
            Err(error) => Outcome::failed(task, &error.to_string()),
        });
        bar.inc(1);
    });
    bar.finish_and_clear();
    let outcomes =
        tasks.iter().zip(outcomes).map(|(task, outcome)| match (outcome, &task.rejected) {
            (Some(outcome), _) => outcome,
            (None, Some(why)) => Outcome::rejected(task, why),
            (None, None) => Outcome::interrupted(task),
        });
    (outcomes.collect(), ending)
}

/// The messages of a process, each line with the name of its program.
fn prefixed(task: &Task, finished: &Finished) -> String {
    let said = String::from_utf8_lossy(&finished.stderr);
    said.lines().map(|line| format!("{}: {line}\n", task.name)).collect()
}
