//! `cargo xtask growth`: how states and time grow with the numbers of threads and of rounds.
//!
//! - [`families`]: what is measured; [`page`]: what follows from the results.
//!
//! The programs are in `xtask/growth`. A series is a family along one axis under one configuration;
//! it ends at the first member that is not solved within the limits.

mod families;
mod page;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use clap::Args;
use ravelin_base::DataModel;

use crate::bench::measure::{Job, Verifier};
use crate::bench::outcome::{Allowance, Class, EXIT_USAGE};
use crate::bench::results::{Key, Results, Row};
use crate::bench::{parse_seconds, plot};
use crate::interrupt::Interrupt;
use crate::process::{self, Cause, How, Limits};
use crate::property::{PropertyFiles, TaskProperty};
use crate::sets::Task;
use families::{Axis, CONFIGURATIONS, Configuration, FAMILIES, Family, Member};
use page::{Series, Study};

/// Measure how cost grows with threads and rounds, on families of programs
///
/// Runs 'ravelin verify' on ever larger members of every family until one is not solved within the
/// limits. The results go to growth.csv row by row, and the same command continues where an earlier
/// one was interrupted; growth.md and plots are written at the end. What stands in growth.md before
/// the first heading is kept.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes: 0 no verdict is wrong, 1 some verdict is wrong, 2 the measurement could not be made, \
130 interrupted.")]
pub struct Options {
    /// The verifier
    #[arg(long, value_name = "BIN", default_value = "target/release/ravelin")]
    ravelin: PathBuf,
    /// Seconds of processor time for each program
    #[arg(long, value_name = "S", default_value_t = 20.0, value_parser = parse_seconds)]
    timeout: f64,
    /// Megabytes for each program
    #[arg(long, value_name = "MB", default_value_t = 4096)]
    memory: u64,
    /// How many times longer than its processor time a program may take by the clock
    #[arg(long, value_name = "FACTOR", default_value_t = 1)]
    patience: u32,
    /// No more threads or rounds than this
    #[arg(long, value_name = "N")]
    most: Option<u32>,
    /// The directory of the programs
    #[arg(long, value_name = "DIR", default_value = "xtask/growth")]
    programs: PathBuf,
    /// Where growth.csv, growth.md and the plots are written
    #[arg(long, value_name = "DIR", default_value = "docs/benchmarks")]
    out: PathBuf,
    /// Measure again what growth.csv has already
    #[arg(long)]
    fresh: bool,
}

/// Why there is no page.
enum Failure {
    /// What was said of which program, and how to see it again.
    WrongVerdict(String),
    NotMeasured(String),
    Interrupted(u8),
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::NotMeasured(message)
    }
}

pub fn run(options: &Options) -> ExitCode {
    match measure_all(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::WrongVerdict(message)) => {
            eprintln!("xtask: WRONG VERDICT: {message}");
            ExitCode::FAILURE
        }
        Err(Failure::NotMeasured(message)) => {
            eprintln!("xtask: {message}");
            ExitCode::from(2)
        }
        Err(Failure::Interrupted(code)) => {
            eprintln!("interrupted; the same command continues");
            ExitCode::from(code)
        }
    }
}

fn measure_all(options: &Options) -> Result<(), Failure> {
    let in_file =
        |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    fs::create_dir_all(&options.out).map_err(|error| in_file(&options.out, &error))?;
    let interrupt = Interrupt::catch().map_err(|error| format!("signals: {error}"))?;
    let verifier = Verifier {
        program: options.ravelin.clone(),
        tasks: options.programs.clone(),
        allowed: Allowance { seconds: options.timeout, megabytes: options.memory },
        patience: options.patience.max(1).into(),
        properties: PropertyFiles::write().map_err(|error| format!("property files: {error}"))?,
    };
    let (accepted, rejected): (Vec<_>, Vec<_>) = CONFIGURATIONS
        .iter()
        .map(|configuration| Ok((configuration, accepts(&verifier, configuration, &interrupt)?)))
        .collect::<Result<Vec<_>, Failure>>()?
        .into_iter()
        .partition(|&(_, accepted)| accepted);
    if accepted.is_empty() {
        return Err(format!("{} rejects its options", options.ravelin.display()).into());
    }
    for (configuration, _) in &rejected {
        eprintln!("left out, because the verifier rejects it: {}", configuration.options());
    }

    let table = options.out.join("growth.csv");
    let mut results = if options.fresh { Results::in_memory() } else { Results::read(&table)? }
        .keep_in(&table)?;
    let mut series = Vec::new();
    for family in &FAMILIES {
        for axis in Axis::ALL {
            for &(configuration, _) in &accepted {
                let points = measure_series(
                    &Place { family, axis, configuration },
                    options.most,
                    &verifier,
                    &mut results,
                    &interrupt,
                )?;
                eprintln!("{}, {}, {}: done", family.name, axis.name(), configuration.name());
                series.push(Series { family, axis, configuration, points });
            }
        }
    }
    results.finish().map_err(|error| in_file(&table, &error))?;

    let study = Study {
        command: command(options),
        allowed: verifier.allowed,
        configurations: accepted.iter().map(|&(configuration, _)| configuration).collect(),
        rejected: rejected.iter().map(|&(configuration, _)| configuration).collect(),
        series,
    };
    for family in &FAMILIES {
        for axis in Axis::ALL {
            let path = options.out.join(page::plot_name(family, axis));
            let names: Vec<String> =
                study.configurations.iter().map(|configuration| configuration.name()).collect();
            plot::panels(&path, axis.name(), &names, &study.panels(family, axis))
                .map_err(|error| in_file(&path, &error))?;
        }
    }
    let path = options.out.join("growth.md");
    let before = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(in_file(&path, &error).into()),
    };
    fs::write(&path, study.render(&before)).map_err(|error| in_file(&path, &error).into())
}

/// Whether the verifier knows the options of a configuration.
fn accepts(
    verifier: &Verifier,
    configuration: &Configuration,
    interrupt: &Interrupt,
) -> Result<bool, Failure> {
    let family = &FAMILIES[0];
    let member = Member { threads: 2, rounds: 1 };
    let mut command = Command::new(&verifier.program);
    command
        .arg("verify")
        .arg(verifier.tasks.join(family.file()))
        .args(configuration.options().split_whitespace())
        .args(verifier.properties.options(TaskProperty::default()))
        .args(member.defines().split_whitespace());
    // The answer does not matter; a limit does in case there is none.
    let limits = Limits { wall: Some(Duration::from_secs(60)), ..Limits::default() };
    let ended = process::run(&mut command, &limits, interrupt)
        .map_err(|error| format!("{}: {error}", verifier.program.display()))?;
    match ended.how {
        How::Killed(Cause::Interrupt) => Err(interrupted(interrupt)),
        how => Ok(how != How::Exited(EXIT_USAGE)),
    }
}

/// What a series is of.
struct Place<'a> {
    family: &'a Family,
    axis: Axis,
    configuration: &'a Configuration,
}

/// The members up to the first that is not solved, which is the last one here.
fn measure_series(
    place: &Place<'_>,
    most: Option<u32>,
    verifier: &Verifier,
    results: &mut Results,
    interrupt: &Interrupt,
) -> Result<Vec<(Member, Row)>, Failure> {
    let Place { family, axis, configuration } = place;
    let mut points = Vec::new();
    for member in family.series(*axis) {
        if most.is_some_and(|most| member.size(*axis) > most) {
            break;
        }
        let key = Key {
            set: family.name.to_owned(),
            config: configuration.options(),
            task: member.to_string(),
            property: TaskProperty::default(),
        };
        let job = Job {
            set: key.set.clone(),
            config: format!("{} {}", key.config, member.defines()),
            task: Task {
                path: family.file(),
                property: TaskProperty::default(),
                expected: family.expected.into(),
                data_model: DataModel::default(),
                program: None,
            },
        };
        let command = format!("ravelin verify {} {}", family.file(), job.config);
        let row = match results.get(&key) {
            Some(row) if row.allowed != verifier.allowed => {
                return Err(format!(
                    "growth.csv has results with {}, not {}; give another directory or --fresh",
                    row.allowed, verifier.allowed
                )
                .into());
            }
            Some(row) => row.clone(),
            None => {
                let row = verifier.run(&job, interrupt)?.ok_or_else(|| interrupted(interrupt))?;
                // What went wrong is not kept, so that it is tried again.
                if row.class() == Class::Error {
                    return Err(format!("{}: {command}", row.outcome.reason).into());
                }
                let row = Row { key, ..row };
                results.add(row.clone()).map_err(|error| format!("growth.csv: {error}"))?;
                row
            }
        };
        let class = row.class();
        if class.is_wrong() {
            let message = format!("{class}, expected {}: {command}", family.expected);
            return Err(Failure::WrongVerdict(message));
        }
        points.push((member, row));
        if !class.is_correct() {
            break;
        }
    }
    Ok(points)
}

fn interrupted(interrupt: &Interrupt) -> Failure {
    Failure::Interrupted(interrupt.exit_code().unwrap_or(1))
}

/// The command that repeats the measurement on any machine.
fn command(options: &Options) -> String {
    let mut command = format!(
        "cargo build --release && cargo xtask growth --timeout {} --memory {}",
        options.timeout, options.memory
    );
    if options.patience > 1 {
        command += &format!(" --patience {}", options.patience);
    }
    if let Some(most) = options.most {
        command += &format!(" --most {most}");
    }
    command
}
