//! Many programs at once: directories, patterns and task definitions of the competition.
//!
//! Every program is verified by a process of its own, so that none takes time, memory or a defect to another.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use quick_xml::escape::escape;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::args::{AnswerFormat, VerifyArgs};
use crate::exit::Exit;
use crate::output::{Sink, write_to};

/// A program to verify.
#[derive(Clone, Debug, Default)]
struct Task {
    /// What it is called: the file, or the task definition.
    name: String,
    files: Vec<PathBuf>,
    data_model: Option<String>,
    property: Option<PathBuf>,
    /// The verdict that its definition expects.
    expected: Option<bool>,
}

/// What became of one.
#[derive(Clone, Debug)]
struct Outcome {
    task: Task,
    verdict: String,
    /// Why there is no answer, or what is wrong with the program.
    detail: String,
    time: Duration,
    answer: Value,
}

impl Outcome {
    /// Whether the definition says otherwise.
    fn is_wrong(&self) -> bool {
        match self.verdict.as_str() {
            "TRUE" => self.task.expected == Some(false),
            "FALSE" => self.task.expected == Some(true),
            _ => false,
        }
    }
}

/// Whether these arguments name more than the files of one program.
pub fn are_many(files: &[PathBuf]) -> bool {
    files.iter().any(|file| is_directory(file) || is_definition(file) || is_pattern(file))
}

/// A directory that nobody takes for a C file.
fn is_directory(file: &Path) -> bool {
    file.is_dir() && !is_c(file)
}

fn is_c(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "c" || extension == "i")
}

fn is_definition(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// A name with wildcards that no file has.
fn is_pattern(file: &Path) -> bool {
    !file.exists() && file.to_string_lossy().contains(['*', '?', '['])
}

/// Verifies every program that the arguments name.
pub fn verify(args: &VerifyArgs) -> Exit {
    let found = tasks_of(&args.input.files).and_then(|tasks| match tasks.is_empty() {
        true => Err("there are no programs".to_owned()),
        false => Ok(tasks),
    });
    let tasks = match found {
        Ok(tasks) => tasks,
        Err(message) => {
            crate::log(&format!("ravelin: {message}\n"));
            // Whoever asks gets a verdict; that it is gone is no further failure.
            let line = "Verdict: UNKNOWN(input rejected)\n";
            let _ = write_to(&Sink::Stdout, |output| output.write_all(line.as_bytes()));
            return Exit::Rejected;
        }
    };
    let jobs = args.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from));
    let outcomes = run_all(&tasks, jobs.max(1), &passed_on(args));
    let exit = exit_of(&outcomes);
    let text = match args.format {
        AnswerFormat::Text => table(&outcomes),
        AnswerFormat::Json => document(&outcomes),
    };
    let printed = write_to(&Sink::Stdout, |output| output.write_all(text.as_bytes()));
    let written = args.junit.as_ref().map_or(Ok(()), |path| {
        let text = junit(&outcomes);
        write_to(&Sink::File(path.clone()), |output| output.write_all(text.as_bytes()))
    });
    match printed.and(written) {
        Ok(()) => exit,
        Err(message) => {
            crate::log(&format!("ravelin: {message}\n"));
            Exit::Output
        }
    }
}

/// The options that each process gets, too: all words but the files and what is about many.
fn passed_on(args: &VerifyArgs) -> Vec<OsString> {
    let mut files: Vec<OsString> =
        args.input.files.iter().map(|file| file.clone().into_os_string()).collect();
    let mut words = std::env::args_os().skip(1).peekable();
    let mut passed = Vec::new();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy().into_owned();
        let is_option = |name: &str| text == name || text.starts_with(&format!("{name}="));
        if passed.is_empty() && text == "verify" || text == "--" {
            continue;
        }
        if let Some(name) =
            ["--jobs", "--junit", "--format"].into_iter().find(|name| is_option(name))
        {
            if text == name {
                words.next();
            }
            continue;
        }
        match files.iter().position(|file| *file == word) {
            Some(index) => {
                files.remove(index);
            }
            None => passed.push(word),
        }
    }
    passed
}

fn tasks_of(arguments: &[PathBuf]) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    for argument in arguments {
        if is_directory(argument) {
            tasks.extend(in_directory(argument)?);
        } else if is_definition(argument) {
            let task = definition(argument)
                .map_err(|why| format!("task '{}': {why}", argument.display()))?;
            tasks.extend(task);
        } else if is_pattern(argument) {
            let pattern = argument.to_string_lossy();
            let paths = glob::glob(&pattern).map_err(|error| format!("'{pattern}': {error}"))?;
            for path in paths.flatten() {
                tasks.extend(tasks_of(&[path])?);
            }
        } else {
            tasks.push(program(argument));
        }
    }
    Ok(tasks)
}

fn program(file: &Path) -> Task {
    Task { name: file.display().to_string(), files: vec![file.to_owned()], ..Task::default() }
}

/// The task definitions in a directory, and the C files that none of them names.
fn in_directory(directory: &Path) -> Result<Vec<Task>, String> {
    let (mut definitions, mut programs) = (Vec::new(), Vec::new());
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        let entries = fs::read_dir(&directory)
            .map_err(|error| format!("cannot read '{}': {error}", directory.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                pending.push(path);
            } else if is_definition(&path) {
                // Other YAML files are not meant.
                definitions.extend(definition(&path).ok().flatten());
            } else if is_c(&path) {
                programs.push(path);
            }
        }
    }
    let is_named = |file: &PathBuf| {
        let file = file.canonicalize().ok();
        let mut named = definitions.iter().flat_map(|task: &Task| &task.files);
        named.any(|other| other.canonicalize().ok() == file)
    };
    programs.retain(|file| !is_named(file));
    let mut tasks = definitions;
    tasks.extend(programs.iter().map(|file| program(file)));
    tasks.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(tasks)
}

/// The part of a task definition that is read.
#[derive(Debug, Deserialize)]
struct Definition {
    input_files: OneOrMany,
    #[serde(default)]
    properties: Vec<PropertyPart>,
    #[serde(default)]
    options: Options,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Debug, Deserialize)]
struct PropertyPart {
    property_file: String,
    expected_verdict: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
struct Options {
    data_model: Option<String>,
}

/// The task of a definition; none if nothing that is asked is about reachability.
fn definition(path: &Path) -> Result<Option<Task>, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let read: Definition = serde_yaml_ng::from_str(&text).map_err(|error| error.to_string())?;
    let directory = path.parent().unwrap_or(Path::new(""));
    let files = match read.input_files {
        OneOrMany::One(file) => vec![file],
        OneOrMany::Many(files) => files,
    };
    let property = read.properties.iter().find(|it| it.property_file.contains("unreach-call"));
    if property.is_none() && !read.properties.is_empty() {
        return Ok(None);
    }
    let property_file = property.map(|it| directory.join(&it.property_file));
    Ok(Some(Task {
        name: path.display().to_string(),
        files: files.iter().map(|file| directory.join(file)).collect(),
        data_model: read.options.data_model,
        property: property_file.filter(|file| file.exists()),
        expected: property.and_then(|it| it.expected_verdict),
    }))
}

fn run_all(tasks: &[Task], jobs: usize, passed: &[OsString]) -> Vec<Outcome> {
    let bar = ProgressBar::new(tasks.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}") {
        bar.set_style(style);
    }
    let queue: Mutex<VecDeque<(usize, &Task)>> = Mutex::new(tasks.iter().enumerate().collect());
    let outcomes: Mutex<Vec<(usize, Outcome)>> = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..jobs.min(tasks.len()) {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().ok().and_then(|mut queue| queue.pop_front());
                    let Some((number, task)) = next else { break };
                    bar.set_message(task.name.clone());
                    let outcome = run_one(task, passed);
                    if let Ok(mut outcomes) = outcomes.lock() {
                        outcomes.push((number, outcome));
                    }
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    let mut outcomes = outcomes.into_inner().unwrap_or_default();
    outcomes.sort_by_key(|(number, _)| *number);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

fn run_one(task: &Task, passed: &[OsString]) -> Outcome {
    let begun = Instant::now();
    let failed = |detail: String| Outcome {
        task: task.clone(),
        verdict: "UNKNOWN".to_owned(),
        detail,
        time: begun.elapsed(),
        answer: Value::Null,
    };
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return failed(error.to_string()),
    };
    let mut command = Command::new(program);
    command.arg("verify").args(passed).args(["--format", "json"]).stdin(Stdio::null());
    if let Some(model) = &task.data_model {
        command.args(["--data-model", model]);
    }
    if let Some(property) = &task.property {
        command.arg("--property").arg(property);
    }
    let output = match command.arg("--").args(&task.files).output() {
        Ok(output) => output,
        Err(error) => return failed(error.to_string()),
    };
    let Ok(answer) = serde_json::from_slice::<Value>(&output.stdout) else {
        let message = String::from_utf8_lossy(&output.stderr);
        return failed(message.lines().next().unwrap_or("no answer").to_owned());
    };
    let text = |field: &str| answer[field].as_str().unwrap_or_default().to_owned();
    let verdict = text("verdict");
    let detail = match verdict.as_str() {
        "FALSE" => text("summary"),
        "UNKNOWN" if text("reason") == "input rejected" => {
            let message = String::from_utf8_lossy(&output.stderr);
            message.lines().next().unwrap_or("input rejected").to_owned()
        }
        _ => text("reason"),
    };
    Outcome { task: task.clone(), verdict, detail, time: begun.elapsed(), answer }
}

/// One that is wrong makes all wrong, and one without an answer leaves it open.
fn exit_of(outcomes: &[Outcome]) -> Exit {
    let has = |verdict: &str| outcomes.iter().any(|outcome| outcome.verdict == verdict);
    let is_expected = |outcome: &Outcome| outcome.verdict == "FALSE" && !outcome.is_wrong();
    if outcomes.iter().any(Outcome::is_wrong) {
        return Exit::Violation;
    }
    // Where definitions say what is expected, that is what counts.
    let is_violated = outcomes.iter().any(|outcome| {
        outcome.verdict == "FALSE" && !(outcome.task.expected.is_some() && is_expected(outcome))
    });
    match (is_violated, has("UNKNOWN")) {
        (true, _) => Exit::Violation,
        (false, true) => Exit::Unknown,
        (false, false) => Exit::Ok,
    }
}

/// A line for each program, and the counts.
fn table(outcomes: &[Outcome]) -> String {
    let width = outcomes.iter().map(|outcome| outcome.task.name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for outcome in outcomes {
        let Outcome { task, verdict, detail, time, .. } = outcome;
        let wrong = if outcome.is_wrong() { "  not as expected" } else { "" };
        let line = format!(
            "{verdict:7}  {:width$}  {:6.1} s  {detail}{wrong}",
            task.name,
            time.as_secs_f64()
        );
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let count = |verdict: &str| outcomes.iter().filter(|it| it.verdict == verdict).count();
    let wrong = outcomes.iter().filter(|outcome| outcome.is_wrong()).count();
    let _ = write!(
        text,
        "Programs: {}, TRUE: {}, FALSE: {}, UNKNOWN: {}",
        outcomes.len(),
        count("TRUE"),
        count("FALSE"),
        count("UNKNOWN")
    );
    if outcomes.iter().any(|outcome| outcome.task.expected.is_some()) {
        let _ = write!(text, ", not as expected: {wrong}");
    }
    text.push('\n');
    text
}

fn document(outcomes: &[Outcome]) -> String {
    let results: Vec<Value> = outcomes
        .iter()
        .map(|outcome| {
            let Outcome { task, verdict, detail, time, answer } = outcome;
            json!({
                "program": task.name,
                "verdict": verdict,
                "detail": detail,
                "expected": task.expected,
                "seconds": time.as_secs_f64(),
                "answer": answer,
            })
        })
        .collect();
    let document = json!({"schema": "ravelin-results-1", "results": results});
    // Values of these types are always written.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

/// What services that count tests read: a case for each program.
fn junit(outcomes: &[Outcome]) -> String {
    let is_failure = |outcome: &Outcome| {
        outcome.is_wrong() || outcome.verdict == "FALSE" && outcome.task.expected.is_none()
    };
    let failures = outcomes.iter().filter(|outcome| is_failure(outcome)).count();
    let skipped = outcomes.iter().filter(|outcome| outcome.verdict == "UNKNOWN").count();
    let time: f64 = outcomes.iter().map(|outcome| outcome.time.as_secs_f64()).sum();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        text,
        "<testsuite name=\"ravelin\" tests=\"{}\" failures=\"{failures}\" errors=\"0\" \
         skipped=\"{skipped}\" time=\"{time:.3}\">",
        outcomes.len()
    );
    for outcome in outcomes {
        let Outcome { task, verdict, detail, time, .. } = outcome;
        let (name, detail) = (escape(&task.name), escape(detail.as_str()));
        let seconds = time.as_secs_f64();
        let _ = write!(
            text,
            "  <testcase classname=\"unreach-call\" name=\"{name}\" time=\"{seconds:.3}\">"
        );
        if is_failure(outcome) {
            let _ = write!(text, "<failure message=\"{verdict}: {detail}\"/>");
        } else if verdict == "UNKNOWN" {
            let _ = write!(text, "<skipped message=\"{detail}\"/>");
        }
        text += "</testcase>\n";
    }
    text += "</testsuite>\n";
    text
}
