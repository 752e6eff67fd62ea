//! `cargo xtask bench`: the verifier over sets of tasks, under limits, in several configurations.
//!
//! - [`outcome`]: what a run says; [`results`]: the CSV file;
//! - [`measure`]: runs what is left to run; [`progress`]: tells how far it is;
//! - [`summary`], [`compare`], [`plot`]: what follows from the results; [`markdown`]: tables.

mod compare;
pub mod markdown;
pub mod measure;
pub mod outcome;
pub mod plot;
pub mod progress;
pub mod results;
mod summary;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use crate::property::PropertyFiles;
use crate::sets::{self, TaskSet};
use measure::{Job, Verifier};
use outcome::Allowance;
use results::{Results, Row};
use summary::Study;

/// Measure the verifier on sets of tasks, compare with an earlier measurement, or compare two
///
/// Runs 'ravelin verify' once for every task and configuration. Results go to a CSV file row by
/// row; the same command continues where an earlier one was interrupted.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 no verdict is wrong, 1 some verdict is wrong (with --compare: or one is lost, or effort grew beyond \
--max-growth), 2 the measurement could not be made, 130 interrupted.")]
pub struct Options {
    /// The directory that the tasks' paths are relative to
    #[arg(long, value_name = "DIR", required_unless_present = "compare")]
    tasks: Option<PathBuf>,
    /// A set: a CSV file with the columns task, expected, data_model and perhaps property, or a directory of
    /// fixtures whose header lines have a verdict; may be given often. Without property, it is unreach-call
    #[arg(long = "set", value_name = "S.csv|DIR", required_unless_present = "compare")]
    sets: Vec<PathBuf>,
    /// Options of the verifier, with spaces between; may be given often
    #[arg(long = "config", value_name = "OPTIONS", allow_hyphen_values = true)]
    configs: Vec<String>,
    /// Seconds of processor time for each task
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = parse_seconds)]
    timeout: f64,
    /// Megabytes for each task
    #[arg(long, value_name = "MB", default_value_t = 4096)]
    memory: u64,
    /// How many tasks run at a time; at most as many as there are cores
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// How many times longer than its processor time a task may take by the clock; the verifier is told
    /// this longer time. For measurements beside other work, of configurations that do not plan with time
    #[arg(long, value_name = "FACTOR", default_value_t = 1)]
    patience: u32,
    /// Take only so many tasks of each set, evenly spaced, the same every time
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// The verifier
    #[arg(long, value_name = "PATH", default_value = "target/release/ravelin")]
    ravelin: PathBuf,
    /// Where the results are kept
    #[arg(short, long, value_name = "OUT.csv")]
    output: Option<PathBuf>,
    /// Measure again what the file of results has already
    #[arg(long, requires = "output")]
    fresh: bool,
    /// Where to write the summary or the comparison; standard output if not given
    #[arg(long, value_name = "OUT.md")]
    summary: Option<PathBuf>,
    /// Where to write plots
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Report what the measurement does better or worse than this earlier one; with two files, measure
    /// nothing and compare them
    #[arg(long, num_args = 1..=2, value_names = ["BASELINE.csv", "OTHER.csv"])]
    compare: Vec<PathBuf>,
    /// With --compare: exit with 1 where a task of which both have the same verdict takes more than so many times the
    /// states or solver calls of the baseline. They do not depend on the machine with '--config "--explore off …"'
    #[arg(long, value_name = "FACTOR", requires = "compare", value_parser = parse_factor)]
    max_growth: Option<f64>,
}

/// A time limit of the command line.
pub fn parse_seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds expected".to_owned())?;
    // More than a year is a mistake.
    if seconds > 0.0 && seconds < 4e7 { Ok(seconds) } else { Err("out of range".to_owned()) }
}

/// A factor of the command line by which effort may grow.
fn parse_factor(text: &str) -> Result<f64, String> {
    let factor: f64 = text.parse().map_err(|_| "a number expected".to_owned())?;
    if factor >= 1.0 && factor.is_finite() { Ok(factor) } else { Err("at least 1".to_owned()) }
}

/// How a command ended that could do its work.
enum End {
    Good,
    Bad,
    Interrupted(u8),
}

pub fn run(options: &Options) -> ExitCode {
    let end = match options.compare.as_slice() {
        [a, b] => compare_files(a, b, options),
        _ => bench(options, options.compare.first().map(PathBuf::as_path)),
    };
    match end {
        Ok(End::Good) => ExitCode::SUCCESS,
        Ok(End::Bad) => ExitCode::FAILURE,
        Ok(End::Interrupted(code)) => ExitCode::from(code),
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::from(2)
        }
    }
}

fn bench(options: &Options, baseline: Option<&Path>) -> Result<End, String> {
    let Some(tasks) = options.tasks.clone().filter(|_| !options.sets.is_empty()) else {
        return Err("a comparison with one file measures: it needs --tasks and --set".to_owned());
    };
    let baseline =
        baseline.map(|path| Ok::<_, String>((path, read_existing(path)?))).transpose()?;
    let configs = configs(&options.configs);
    let sets = read_sets(options, &tasks)?;
    let jobs = plan(&sets, &configs);
    let allowed = Allowance { seconds: options.timeout, megabytes: options.memory };
    let mut results = prior_results(options, &jobs, allowed)?;
    let is_done = |job: &Job| results.get(&job.key()).is_some();
    let total = jobs.len();
    let (done, left): (Vec<Job>, Vec<Job>) = jobs.into_iter().partition(is_done);
    if !done.is_empty() {
        eprintln!("{} of {total} results are there already", done.len());
    }

    let verifier = Verifier {
        program: options.ravelin.clone(),
        tasks,
        allowed,
        patience: options.patience.max(1).into(),
        properties: PropertyFiles::write().map_err(|error| format!("property files: {error}"))?,
    };
    let jobs = (&done[..], &left[..]);
    if let Some(code) = measure::complete(jobs, &verifier, options.jobs, &mut results)? {
        return Ok(End::Interrupted(code));
    }

    let study = Study {
        command: command(options, &sets, &configs),
        sets: sets.into_iter().map(|set| set.name).collect(),
        configs,
        allowed,
        rows: done.iter().chain(&left).filter_map(|job| results.get(&job.key())).collect(),
    };
    if let Some(directory) = &options.plots {
        plot_study(&study, directory)?;
    }
    if let Some((path, baseline)) = &baseline {
        let comparison = compare::pair(baseline.rows(), study.rows.iter().copied())?;
        let growth = options.max_growth;
        publish(
            &comparison.render(&file_name(path), "this measurement", growth),
            options.summary.as_deref(),
        )?;
        return Ok(if comparison.is_acceptable(growth) { End::Good } else { End::Bad });
    }
    publish(&summary::render(&study), options.summary.as_deref())?;
    let is_wrong = study.rows.iter().any(|row| row.class().is_wrong());
    Ok(if is_wrong { End::Bad } else { End::Good })
}

/// The configurations without duplicates, with single spaces; without any, the one without options.
fn configs(given: &[String]) -> Vec<String> {
    let mut configs: Vec<String> = Vec::new();
    for options in given {
        let config = options.split_whitespace().collect::<Vec<_>>().join(" ");
        if !configs.contains(&config) {
            configs.push(config);
        }
    }
    if configs.is_empty() { vec![String::new()] } else { configs }
}

fn read_sets(options: &Options, directory: &Path) -> Result<Vec<TaskSet>, String> {
    let mut names = BTreeSet::new();
    let mut sets = Vec::new();
    for path in &options.sets {
        let mut set = match path.is_dir() {
            true => sets::read_fixtures(path, directory)?,
            false => sets::read_set(path)?,
        };
        if !names.insert(set.name.clone()) {
            return Err(format!("there are two sets named '{}'", set.name));
        }
        if let Some(size) = options.sample {
            sets::sample(&mut set.tasks, size);
        }
        // A task that is not there must not look like one that cannot be solved.
        for task in &set.tasks {
            let file = directory.join(&task.path);
            fs::metadata(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        }
        sets.push(set);
    }
    Ok(sets)
}

/// All configurations of a task come before the next task, so that what was measured so far can be
/// compared at any time.
fn plan(sets: &[TaskSet], configs: &[String]) -> Vec<Job> {
    let mut jobs = Vec::new();
    for set in sets {
        for task in &set.tasks {
            for config in configs {
                let (set, config) = (set.name.clone(), config.clone());
                jobs.push(Job { set, config, task: task.clone() });
            }
        }
    }
    jobs
}

/// What the file of results has; with `--fresh` without what is to be measured again.
fn prior_results(options: &Options, jobs: &[Job], allowed: Allowance) -> Result<Results, String> {
    let Some(path) = &options.output else { return Ok(Results::in_memory()) };
    let mut results = Results::read(path)?;
    for job in jobs {
        let key = job.key();
        let Some(row) = results.get(&key) else { continue };
        if options.fresh {
            results.remove(&key);
        } else if row.allowed != allowed {
            return Err(format!(
                "{}: has results with {}, not {allowed}; give another file or --fresh",
                path.display(),
                row.allowed
            ));
        } else if row.expected != job.task.expected {
            return Err(format!(
                "{}: '{}' was expected to be {}, not {}; give another file or --fresh",
                path.display(),
                key.task,
                row.expected,
                job.task.expected
            ));
        }
    }
    results.keep_in(path)
}

/// The command that repeats a measurement on any machine: `DIR` is where its tasks are laid out,
/// `SETS` the folder of the lists.
fn command(options: &Options, sets: &[TaskSet], configs: &[String]) -> String {
    let mut command = String::from("cargo build --release && cargo xtask bench --tasks DIR");
    // Writing to a string cannot fail, here and below.
    for set in sets {
        let _ = write!(command, " --set SETS/{}.csv", set.name);
    }
    if configs.iter().any(|config| !config.is_empty()) {
        for config in configs {
            let _ = write!(command, " --config '{config}'");
        }
    }
    let _ = write!(command, " --timeout {} --memory {}", options.timeout, options.memory);
    if let Some(size) = options.sample {
        let _ = write!(command, " --sample {size}");
    }
    if options.jobs > 1 {
        let _ = write!(command, " --jobs {}", options.jobs);
    }
    if options.patience > 1 {
        let _ = write!(command, " --patience {}", options.patience);
    }
    command
}

pub fn publish(text: &str, path: Option<&Path>) -> Result<(), String> {
    match path {
        Some(path) => fs::write(path, text).map_err(|error| format!("{}: {error}", path.display())),
        None => {
            print!("{text}");
            Ok(())
        }
    }
}

fn plot_study(study: &Study<'_>, directory: &Path) -> Result<(), String> {
    let shown = |config: &str| if config.is_empty() { "default" } else { config }.to_owned();
    let lines = |is_in: &dyn Fn(&Row) -> bool| -> Vec<(String, Vec<&Row>)> {
        let line = |config: &String| {
            (shown(config), study.of_config(config).filter(|row| is_in(row)).collect())
        };
        study.configs.iter().map(line).collect()
    };
    let limit = study.allowed.seconds;
    let canvas = Canvas::in_directory(directory)?;
    canvas.draw("quantile.svg", |path| {
        plot::quantiles(path, &study.sets.join(", "), limit, &lines(&|_| true))
    })?;
    if study.sets.len() > 1 {
        for set in &study.sets {
            canvas.draw(&format!("quantile-{set}.svg"), |path| {
                plot::quantiles(path, set, limit, &lines(&|row| row.key.set == *set))
            })?;
        }
    }
    let Some((first, others)) = study.configs.split_first() else { return Ok(()) };
    for (index, other) in others.iter().enumerate() {
        let pairs: Vec<(&Row, &Row)> = study
            .of_config(first)
            .filter_map(|a| {
                let same = |b: &&Row| b.key.set == a.key.set && b.key.name() == a.key.name();
                Some((a, study.of_config(other).find(same)?))
            })
            .collect();
        let name = if others.len() == 1 {
            "scatter.svg".to_owned()
        } else {
            format!("scatter-{}.svg", index + 1)
        };
        canvas.draw(&name, |path| {
            plot::scatter(path, [&shown(first), &shown(other)], limit, &pairs)
        })?;
    }
    Ok(())
}

/// A directory of plots.
struct Canvas<'a> {
    directory: &'a Path,
}

impl Canvas<'_> {
    fn in_directory(directory: &Path) -> Result<Canvas<'_>, String> {
        fs::create_dir_all(directory)
            .map_err(|error| format!("{}: {error}", directory.display()))?;
        Ok(Canvas { directory })
    }

    fn draw(
        &self,
        name: &str,
        draw: impl FnOnce(&Path) -> Result<(), plot::PlotError>,
    ) -> Result<(), String> {
        let path = self.directory.join(name);
        draw(&path).map_err(|error| format!("{}: {error}", path.display()))
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Unlike a measurement, a comparison needs its files.
fn read_existing(path: &Path) -> Result<Results, String> {
    fs::metadata(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Results::read(path)
}

fn compare_files(path_a: &Path, path_b: &Path, options: &Options) -> Result<End, String> {
    let asks_to_measure = options.tasks.is_some()
        || !options.sets.is_empty()
        || !options.configs.is_empty()
        || options.output.is_some();
    if asks_to_measure {
        return Err("a comparison of two files measures nothing: \
                    it takes no --tasks, --set, --config or --output"
            .to_owned());
    }
    let (a, b) = (read_existing(path_a)?, read_existing(path_b)?);
    let (name_a, name_b) = (file_name(path_a), file_name(path_b));
    let comparison = compare::pair(a.rows(), b.rows())?;
    let growth = options.max_growth;
    publish(&comparison.render(&name_a, &name_b, growth), options.summary.as_deref())?;
    if let Some(directory) = &options.plots {
        let limit = a.rows().chain(b.rows()).map(|row| row.allowed.seconds).fold(0.0, f64::max);
        let canvas = Canvas::in_directory(directory)?;
        let pairs: Vec<(&Row, &Row)> =
            comparison.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
        let (rows_a, rows_b) = pairs.iter().copied().unzip();
        let lines = [(name_a.clone(), rows_a), (name_b.clone(), rows_b)];
        canvas
            .draw("quantile.svg", |path| plot::quantiles(path, "tasks in both", limit, &lines))?;
        canvas
            .draw("scatter.svg", |path| plot::scatter(path, [&name_a, &name_b], limit, &pairs))?;
    }
    Ok(if comparison.is_acceptable(growth) { End::Good } else { End::Bad })
}
