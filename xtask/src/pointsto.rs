//! `cargo xtask pointsto`: how long the points-to analyses take, as a table in Markdown and a plot.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Args;

use crate::bench::{markdown, plot};
use crate::interrupt::Interrupt;
use crate::process::{self, How, Limits};
use crate::sets::{self, Task};

/// Runs `ravelin points-to --format none --stats` on every task of the sets, with each analysis.
#[derive(Args, Debug)]
pub struct Options {
    #[command(flatten)]
    chosen: sets::Chosen,
    /// Where to write the page; a plot of the same name goes beside it.
    #[arg(long, short, default_value = "docs/benchmarks/points-to.md")]
    output: PathBuf,
}

/// The configurations that are measured, and how many seconds each may take on any file.
const CONFIGURATIONS: [(&str, &[&str], Option<f64>); 4] = [
    ("Andersen", &["--analysis", "andersen"], Some(2.0)),
    ("Andersen, context 1", &["--analysis", "andersen", "--context", "1"], None),
    ("Steensgaard", &["--analysis", "steensgaard"], Some(0.5)),
    ("flow-sensitive", &["--analysis", "flow-sensitive"], None),
];

/// What one analysis of one task took.
#[derive(Clone, Debug, Default)]
struct Measured {
    seconds: f64,
    edges: f64,
    /// Pointers that the program holds in variables, and those of them that may be anything.
    pointers: f64,
    unknown: f64,
}

pub fn run(options: &Options) -> ExitCode {
    match measure_all(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn measure_all(options: &Options) -> Result<(), String> {
    let mut tasks = Vec::new();
    let mut names = Vec::new();
    for path in &options.chosen.sets {
        let set = sets::read_set(path)?;
        names.push(set.name);
        tasks.extend(set.tasks);
    }
    let mut results: Vec<(&str, Vec<Option<Measured>>)> = Vec::new();
    for (name, args, _) in CONFIGURATIONS {
        let measured: Result<Vec<_>, String> =
            tasks.iter().map(|task| measure(task, args, options)).collect();
        results.push((name, measured?));
        eprintln!("{name}: done");
    }
    let plot_path = options.output.with_extension("svg");
    let lines: Vec<(&str, Vec<(f64, f64)>)> = results
        .iter()
        .map(|(name, rows)| {
            (*name, rows.iter().flatten().map(|row| (row.edges, row.seconds)).collect())
        })
        .collect();
    plot::growth(&plot_path, &lines)
        .map_err(|error| format!("{}: {error}", plot_path.display()))?;
    let text = report(&names, &tasks, &results, &plot_path);
    fs::write(&options.output, text)
        .map_err(|error| format!("{}: {error}", options.output.display()))
}

/// `None` where the program was rejected or a limit was reached.
fn measure(task: &Task, args: &[&str], options: &Options) -> Result<Option<Measured>, String> {
    let mut command = Command::new(&options.chosen.ravelin);
    command
        .args(["points-to", "--format", "none", "--stats", "--timeout", "60"])
        .args(args)
        .args(["--data-model", &task.data_model.to_string()])
        .arg(options.chosen.tasks.join(&task.path));
    let ended = process::run(&mut command, &Limits::default(), &Interrupt::never())
        .map_err(|error| format!("{}: {error}", options.chosen.ravelin.display()))?;
    if ended.how != How::Exited(0) {
        return Ok(None);
    }
    let mut measured = Measured::default();
    for line in ended.stderr.lines() {
        let Some((key, value)) = line.strip_prefix("stat ").and_then(|rest| rest.split_once(' '))
        else {
            continue;
        };
        let value: f64 = value.parse().unwrap_or(0.0);
        match key {
            "points-to.seconds" => measured.seconds = value,
            "points-to.edges" => measured.edges = value,
            "points-to.pointers" => measured.pointers = value,
            "points-to.unknown" => measured.unknown = value,
            _ => {}
        }
    }
    Ok(Some(measured))
}

fn report(
    sets: &[String],
    tasks: &[Task],
    results: &[(&str, Vec<Option<Measured>>)],
    plot: &Path,
) -> String {
    let mut text = String::from(
        "# The points-to analyses over the benchmark sets\n\n\
         The time of the analysis alone, in one process per task, one after the other; the front end \
         is not counted.\nThe tasks are those of the public sv-benchmarks collection.\n\n```\n\
         cargo build --release && cargo xtask pointsto --tasks DIR",
    );
    for set in sets {
        // Writing to a string cannot fail, here and below.
        let _ = write!(text, " --set SETS/{set}.csv");
    }
    text.push_str("\n```\n\n");
    let mut table = markdown::Table::new(&[
        "analysis",
        "#tasks",
        "#failed",
        "#median ms",
        "#slowest ms",
        "#allowed ms",
        "slowest task",
        "#pointers unknown",
    ]);
    for ((name, rows), (_, _, allowed)) in results.iter().zip(CONFIGURATIONS) {
        let mut times: Vec<f64> = rows.iter().flatten().map(|row| row.seconds).collect();
        times.sort_unstable_by(f64::total_cmp);
        let slowest = rows
            .iter()
            .zip(tasks)
            .filter_map(|(row, task)| Some((row.as_ref()?.seconds, task)))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let (pointers, unknown) = rows
            .iter()
            .flatten()
            .fold((0.0, 0.0), |(all, some), row| (all + row.pointers, some + row.unknown));
        table.row([
            (*name).to_owned(),
            tasks.len().to_string(),
            rows.iter().filter(|row| row.is_none()).count().to_string(),
            format!("{:.1}", 1e3 * times.get(times.len() / 2).copied().unwrap_or(0.0)),
            format!("{:.1}", 1e3 * slowest.map_or(0.0, |(seconds, _)| seconds)),
            allowed.map_or_else(|| "–".to_owned(), |seconds| format!("{:.0}", 1e3 * seconds)),
            slowest.map_or_else(String::new, |(_, task)| {
                let file = Path::new(&task.path).file_name().unwrap_or_default();
                markdown::code(&file.to_string_lossy())
            }),
            format!("{:.0} %", 100.0 * unknown / f64::max(pointers, 1.0)),
        ]);
    }
    text.push_str(&table.finish());
    let plot = plot.file_name().unwrap_or_default().to_string_lossy();
    let _ = write!(
        text,
        "\n**Pointers unknown**: of the pointer variables in procedures that are reached, those that \
         may be to anything,\nbecause a function without body gave them or something was stored \
         through such a pointer.\n\n![time against the size of the program]({plot})\n",
    );
    text
}
