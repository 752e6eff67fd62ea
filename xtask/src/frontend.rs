//! `cargo xtask frontend`: the front end over sets of tasks, as a table in Markdown.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use clap::Args;

use crate::interrupt::Interrupt;
use crate::process::{self, How, Limits};
use crate::sets::{self, Task};

/// Runs `ravelin cfa --format none --passes none --stats` on every task of the sets.
#[derive(Args, Debug)]
pub struct Options {
    #[command(flatten)]
    chosen: sets::Chosen,
    /// Where to write the table; standard output if not given.
    #[arg(long, short)]
    output: Option<PathBuf>,
}

/// What one task took.
#[derive(Debug, Default)]
struct Measured {
    name: String,
    accepted: bool,
    bytes: u64,
    /// From text to verified automaton, inside the process.
    front_end: Duration,
    /// From the start of the process to its end.
    process: Duration,
    /// What the process spent on a core, its start and end included. Unlike the time on the clock it
    /// does not depend on what else the machine does.
    cpu: Duration,
    peak_kilobytes: u64,
    unsupported: BTreeMap<String, u64>,
    edges: u64,
    message: String,
}

#[derive(Debug)]
struct Set {
    name: String,
    tasks: Vec<Measured>,
}

pub fn run(options: &Options) -> ExitCode {
    let mut sets = Vec::new();
    for path in &options.chosen.sets {
        match measure_set(path, options) {
            Ok(set) => {
                eprintln!("{}", summary(&set));
                sets.push(set);
            }
            Err(message) => {
                eprintln!("xtask: {message}");
                return ExitCode::FAILURE;
            }
        }
    }
    let text = report(&sets);
    let written = match &options.output {
        Some(path) => fs::write(path, text).map_err(|error| (path.clone(), error)),
        None => {
            print!("{text}");
            Ok(())
        }
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err((path, error)) => {
            eprintln!("xtask: {}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}

fn measure_set(path: &Path, options: &Options) -> Result<Set, String> {
    let set = sets::read_set(path)?;
    let tasks: Result<Vec<Measured>, String> =
        set.tasks.iter().map(|task| measure(task, options)).collect();
    Ok(Set { name: set.name, tasks: tasks? })
}

fn measure(task: &Task, options: &Options) -> Result<Measured, String> {
    let file = options.chosen.tasks.join(&task.path);
    let bytes = fs::metadata(&file).map_err(|error| format!("{}: {error}", file.display()))?.len();
    let mut command = Command::new(&options.chosen.ravelin);
    command
        .args(["cfa", "--format", "none", "--passes", "none", "--stats"])
        .args(["--data-model", &task.data_model.to_string()])
        .arg(&file);
    let ended = process::run(&mut command, &Limits::default(), &Interrupt::never())
        .map_err(|error| format!("{}: {error}", options.chosen.ravelin.display()))?;
    let mut measured = Measured {
        name: task.path.clone(),
        accepted: ended.how == How::Exited(0),
        bytes,
        process: ended.wall,
        cpu: ended.cpu,
        ..Measured::default()
    };
    let stderr = ended.stderr;
    if !measured.accepted {
        let error = stderr.lines().find(|line| line.contains("error")).unwrap_or("no message");
        measured.message = error.replace('|', "\\|");
        return Ok(measured);
    }
    for (key, value) in stderr.lines().filter_map(|line| line.split_once(": ")) {
        let number = value.split(' ').next().unwrap_or_default();
        if let Some(what) = key.strip_prefix("unsupported (").and_then(|key| key.strip_suffix(')'))
        {
            measured.unsupported.insert(what.to_owned(), number.parse().unwrap_or(0));
        } else if key.starts_with("time for ") {
            let milliseconds: f64 = number.parse().unwrap_or(0.0);
            measured.front_end += Duration::from_secs_f64(milliseconds / 1e3);
        } else if key == "peak memory" {
            measured.peak_kilobytes = number.parse().unwrap_or(0);
        } else if key == "edges" {
            measured.edges = number.parse().unwrap_or(0);
        }
    }
    Ok(measured)
}

fn summary(set: &Set) -> String {
    let accepted = set.tasks.iter().filter(|task| task.accepted).count();
    let (rate, cpu_rate) = (set.rate(), set.cpu_rate());
    let total = set.tasks.len();
    format!("{}: {accepted} of {total}, {rate:.2} MB/s, {cpu_rate:.2} MB/s (processor)", set.name)
}

impl Set {
    fn bytes(&self) -> u64 {
        self.tasks.iter().map(|task| task.bytes).sum()
    }

    /// Megabytes of text per second of the front end, on the clock.
    fn rate(&self) -> f64 {
        let time: Duration = self.tasks.iter().map(|task| task.front_end).sum();
        self.bytes() as f64 / 1e6 / time.as_secs_f64()
    }

    /// Megabytes of text per second of processor time.
    fn cpu_rate(&self) -> f64 {
        let time: Duration = self.tasks.iter().map(|task| task.cpu).sum();
        self.bytes() as f64 / 1e6 / time.as_secs_f64()
    }
}

fn report(sets: &[Set]) -> String {
    let mut text = String::from(
        "# The front end over the benchmark sets\n\n\
         From text to verified automaton, one process per task, one after the other. The tasks are \
         those of the public\nsv-benchmarks collection (state of October 2018); `DIR` is where they \
         are laid out, `SETS` the folder of the lists.\n\n```\ncargo build --release && cargo xtask \
         frontend --tasks DIR",
    );
    for set in sets {
        // Writing to a string cannot fail, here and below.
        let _ = write!(text, " --set SETS/{}.csv", set.name);
    }
    text.push_str(" -o docs/benchmarks/frontend.md\n```\n\n");
    text.push_str(
        "| set | tasks | accepted | MB | MB/s | MB/s (processor) | edges | slowest task | peak memory |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for set in sets {
        let slowest = set.tasks.iter().map(|task| task.process).max().unwrap_or_default();
        let peak = set.tasks.iter().map(|task| task.peak_kilobytes).max().unwrap_or_default();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {:.1} | {:.1} | {:.1} | {} | {} ms | {} MB |",
            set.name,
            set.tasks.len(),
            set.tasks.iter().filter(|task| task.accepted).count(),
            set.bytes() as f64 / 1e6,
            set.rate(),
            set.cpu_rate(),
            set.tasks.iter().map(|task| task.edges).sum::<u64>(),
            slowest.as_millis(),
            peak / 1000,
        );
    }
    text.push_str(
        "\n**MB/s** is text per second of the front end's own time (reading, rewriting, parsing, \
         lowering, verifying), on the clock;\n**MB/s (processor)** per second of processor time of the \
         whole processes, their start included, which dominates\nsmall tasks. The slowest task is by \
         the clock, from the start of the process to its end.\n",
    );
    write_largest(&mut text, sets);
    write_unsupported(&mut text, sets);
    write_rejected(&mut text, sets);
    text
}

fn write_largest(text: &mut String, sets: &[Set]) {
    let largest = sets.iter().flat_map(|set| &set.tasks).max_by_key(|task| task.bytes);
    if let Some(task) = largest {
        let _ = writeln!(
            text,
            "\nThe largest file ({:.2} MB, `{}`) takes {} ms of process time and {} MB.",
            task.bytes as f64 / 1e6,
            task.name,
            task.process.as_millis(),
            task.peak_kilobytes / 1000
        );
    }
}

fn write_unsupported(text: &mut String, sets: &[Set]) {
    text.push_str(
        "\n## Unsupported operations\n\nOperations in the automaton that make the answer UNKNOWN \
         when they are reached, over all tasks of the set; in\nbrackets the number of tasks that \
         have any.\n\n| operation |",
    );
    for set in sets {
        let _ = write!(text, " {} |", set.name);
    }
    text.push_str("\n|---|");
    text.push_str(&"---|".repeat(sets.len()));
    text.push('\n');
    let mut kinds: Vec<&String> =
        sets.iter().flat_map(|set| &set.tasks).flat_map(|task| task.unsupported.keys()).collect();
    kinds.sort();
    kinds.dedup();
    for kind in kinds {
        let _ = write!(text, "| {kind} |");
        for set in sets {
            let counts = set.tasks.iter().filter_map(|task| task.unsupported.get(kind));
            let (tasks, total) = counts.fold((0, 0), |(tasks, total), n| (tasks + 1, total + n));
            if total == 0 {
                text.push_str(" |");
            } else {
                let _ = write!(text, " {total} ({tasks}) |");
            }
        }
        text.push('\n');
    }
}

fn write_rejected(text: &mut String, sets: &[Set]) {
    let rejected: Vec<&Measured> =
        sets.iter().flat_map(|set| &set.tasks).filter(|task| !task.accepted).collect();
    text.push_str("\n## Rejected tasks\n\n");
    if rejected.is_empty() {
        text.push_str("None.\n");
        return;
    }
    text.push_str("| task | error |\n|---|---|\n");
    for task in rejected {
        let _ = writeln!(text, "| `{}` | {} |", task.name, task.message);
    }
}
