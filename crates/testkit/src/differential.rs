//! Comparing another way of executing C programs, the subject, with gcc's.

use crate::csmith;
use crate::gcc::{Execution, Failure, Gcc};
use crate::generate::generate;
use crate::print::print;
use crate::program::Program;
use crate::shrink::shrink;
use ravelin_base::DataModel;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A program for the subject to execute.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    pub path: &'a Path,
    pub model: DataModel,
    pub include_dirs: &'a [PathBuf],
}

/// Why the subject did not execute a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It gave up for lack of time or memory. This is not held against it.
    Exhausted(String),
    /// It rejected the program or stopped in the middle. That is a difference.
    Stopped(String),
}

/// What is compared with gcc.
pub type Subject<'a> = &'a (dyn Fn(Task<'_>) -> Result<Execution, Refusal> + Sync);

/// Which programs to compare, and how.
#[derive(Clone, Debug)]
pub struct Campaign {
    pub model: DataModel,
    pub seeds: Range<u64>,
    /// Programs compiled and run at the same time.
    pub jobs: usize,
    /// How long one difference may be shrunk.
    pub shrink_time: Duration,
    /// After so many differences no more programs are compared.
    pub stop_after: usize,
}

impl Campaign {
    pub fn new(model: DataModel, seeds: Range<u64>) -> Campaign {
        Campaign { model, seeds, jobs: 2, shrink_time: Duration::from_secs(60), stop_after: 3 }
    }
}

/// Where programs come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Generated,
    Csmith,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Origin::Generated => "generated",
            Origin::Csmith => "csmith",
        })
    }
}

/// A program on which the subject and gcc disagree.
#[derive(Clone, Debug)]
pub struct Difference {
    pub origin: Origin,
    pub seed: u64,
    pub model: DataModel,
    /// The program, as small as it could be made.
    pub source: String,
    pub expected: Result<Execution, Failure>,
    pub actual: Result<Execution, Refusal>,
}

impl Difference {
    /// Says what differs and how to see it again, and leaves the program in a file.
    pub fn report(&self) -> String {
        let Difference { origin, seed, model, .. } = self;
        let path = std::env::temp_dir().join(format!("ravelin-{origin}-{seed}-{model}.c"));
        let kept = match std::fs::write(&path, &self.source) {
            Ok(()) => path.display().to_string(),
            Err(error) => format!("could not be kept: {error}"),
        };
        let option = match origin {
            Origin::Generated => "--programs",
            Origin::Csmith => "--csmith",
        };
        format!(
            "{self}program: {kept}\n\
             reproduce: cargo xtask differential {option} 1 --seed {seed} --data-model {model}\n"
        )
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {} ({}): gcc and the subject disagree", self.seed, self.model)?;
        match &self.expected {
            Ok(run) => writeln!(f, "gcc: {}", Shown(run))?,
            Err(failure) => writeln!(f, "gcc: {failure:?}")?,
        }
        match &self.actual {
            Ok(run) => writeln!(f, "subject: {}", Shown(run)),
            Err(Refusal::Exhausted(reason) | Refusal::Stopped(reason)) => {
                writeln!(f, "subject: {reason}")
            }
        }
    }
}

struct Shown<'a>(&'a Execution);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(&self.0.stdout);
        write!(f, "exit {}, output {:?}", self.0.status, text)
    }
}

/// What came of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub programs: u64,
    pub compared: u64,
    /// Programs that say nothing, counted by reason.
    pub skipped: BTreeMap<String, u64>,
    /// In the order of their seeds.
    pub differences: Vec<Difference>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let skipped: u64 = self.skipped.values().sum();
        write!(f, "programs {} | compared {} | skipped {skipped}", self.programs, self.compared)?;
        for (reason, count) in &self.skipped {
            write!(f, " ({reason}: {count})")?;
        }
        write!(f, " | differences {}", self.differences.len())
    }
}

impl Summary {
    fn skip(&mut self, reason: &str) {
        *self.skipped.entry(reason.to_owned()).or_default() += 1;
    }

    fn add(&mut self, verdict: Comparison) {
        self.programs += 1;
        match verdict {
            Comparison::Same => self.compared += 1,
            Comparison::Skipped(reason) => self.skip(&reason),
            Comparison::Different(difference) => {
                self.compared += 1;
                self.differences.push(difference);
            }
        }
    }
}

enum Comparison {
    Same,
    Skipped(String),
    Different(Difference),
}

/// Programs that are compiled by one call of gcc.
const BATCH: u64 = 12;

/// Compares the subject with gcc on generated programs, and shrinks those they disagree on.
pub fn compare_generated(campaign: &Campaign, subject: Subject<'_>) -> Summary {
    let gcc = Gcc::new(campaign.model);
    in_batches(campaign, |seeds, summary| {
        let programs: Vec<_> = seeds.map(|seed| (seed, generate(seed, campaign.model))).collect();
        let sources: Vec<_> = programs.iter().map(|(_, program)| print(program)).collect();
        let expected = gcc.run_all(&sources);
        for (((seed, program), source), expected) in programs.into_iter().zip(sources).zip(expected)
        {
            let id = (Origin::Generated, seed);
            let mut comparison = compare(id, &gcc, source, expected, subject);
            if lock(summary).differences.len() >= campaign.stop_after {
                return;
            }
            if let Comparison::Different(difference) = &mut comparison {
                shrink_difference(program, difference, campaign, &gcc, subject);
            }
            add(summary, comparison);
        }
    })
}

/// Compares the subject with gcc on programs of csmith; an error if it is not installed.
pub fn compare_csmith(campaign: &Campaign, subject: Subject<'_>) -> Result<Summary, String> {
    let include_dir = csmith::include_dir()
        .ok_or("csmith is not installed (Debian packages csmith and libcsmith-dev)")?;
    // csmith does not bound the time its programs take, and interpreting takes longer.
    let gcc = &Gcc {
        include_dirs: vec![include_dir],
        time_limit: Duration::from_millis(300),
        ..Gcc::new(campaign.model)
    };
    Ok(in_batches(campaign, |seeds, summary| {
        for seed in seeds {
            let comparison = match csmith::generate(seed) {
                Ok(source) => {
                    let expected = gcc.run_all(std::slice::from_ref(&source)).pop();
                    match expected {
                        Some(expected) => {
                            compare((Origin::Csmith, seed), gcc, source, expected, subject)
                        }
                        None => Comparison::Skipped("gcc did not run".to_owned()),
                    }
                }
                Err(reason) => Comparison::Skipped(reason),
            };
            add(summary, comparison);
        }
    }))
}

fn add(summary: &Mutex<Summary>, comparison: Comparison) {
    lock(summary).add(comparison);
}

/// A thread that panicked has not been in the middle of a change.
fn lock(summary: &Mutex<Summary>) -> MutexGuard<'_, Summary> {
    summary.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hands out the seeds to as many threads as there are jobs.
fn in_batches(campaign: &Campaign, work: impl Fn(Range<u64>, &Mutex<Summary>) + Sync) -> Summary {
    let next = AtomicU64::new(campaign.seeds.start);
    let summary = Mutex::new(Summary::default());
    std::thread::scope(|scope| {
        for _ in 0..campaign.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let start = next.fetch_add(BATCH, Ordering::Relaxed);
                    let found = lock(&summary).differences.len();
                    if start >= campaign.seeds.end || found >= campaign.stop_after {
                        return;
                    }
                    work(start..(start + BATCH).min(campaign.seeds.end), &summary);
                }
            });
        }
    });
    let mut summary = summary.into_inner().unwrap_or_else(PoisonError::into_inner);
    summary.differences.sort_by_key(|difference| difference.seed);
    summary
}

fn compare(
    (origin, seed): (Origin, u64),
    gcc: &Gcc,
    source: String,
    expected: Result<Execution, Failure>,
    subject: Subject<'_>,
) -> Comparison {
    match &expected {
        Ok(_) => {}
        Err(Failure::Timeout) => return Comparison::Skipped("gcc's program timed out".to_owned()),
        Err(Failure::CompilerCrash(_)) => return Comparison::Skipped("gcc crashed".to_owned()),
        Err(Failure::System(reason)) => return Comparison::Skipped(reason.clone()),
        // The program is at fault, which must not go unnoticed.
        Err(Failure::Rejected(_) | Failure::Crash(_)) => {}
    }
    let actual = run_subject(&source, gcc, subject);
    match (&expected, &actual) {
        (Ok(expected), Ok(actual)) if expected == actual => Comparison::Same,
        (_, Err(Refusal::Exhausted(reason))) => Comparison::Skipped(reason.clone()),
        _ => {
            let model = gcc.model;
            Comparison::Different(Difference { origin, seed, model, source, expected, actual })
        }
    }
}

fn run_subject(source: &str, gcc: &Gcc, subject: Subject<'_>) -> Result<Execution, Refusal> {
    let system = |error: std::io::Error| Refusal::Exhausted(error.to_string());
    let dir = tempfile::tempdir().map_err(system)?;
    let path = dir.path().join("program.c");
    std::fs::write(&path, source).map_err(system)?;
    subject(Task { path: &path, model: gcc.model, include_dirs: &gcc.include_dirs })
}

fn shrink_difference(
    program: Program,
    difference: &mut Difference,
    campaign: &Campaign,
    gcc: &Gcc,
    subject: Subject<'_>,
) {
    if !matches!(difference.expected, Ok(_) | Err(Failure::Crash(_))) {
        return;
    }
    let kind = kind(&difference.expected, &difference.actual);
    let mut interesting = |candidate: &Program| {
        let source = print(candidate);
        let Some(expected) = gcc.run_all(std::slice::from_ref(&source)).pop() else {
            return false;
        };
        match compare((difference.origin, difference.seed), gcc, source, expected, subject) {
            Comparison::Different(smaller)
                if self::kind(&smaller.expected, &smaller.actual) == kind =>
            {
                *difference = smaller;
                true
            }
            Comparison::Different(_) | Comparison::Same | Comparison::Skipped(_) => false,
        }
    };
    shrink(program, Instant::now() + campaign.shrink_time, &mut interesting);
}

/// What a smaller program must have in common with the one it was made from, so that shrinking
/// does not wander from one defect to another: outputs that differ, or the same words of refusal.
fn kind(expected: &Result<Execution, Failure>, actual: &Result<Execution, Refusal>) -> String {
    match (expected, actual) {
        (Ok(_), Ok(_)) => "output".to_owned(),
        (Ok(_), Err(Refusal::Exhausted(words) | Refusal::Stopped(words))) => {
            let first = words.lines().next().unwrap_or_default();
            // Positions, names and values change with the program.
            let words: Vec<_> = first
                .split_whitespace()
                .filter(|word| word.chars().all(|c| c.is_alphabetic() || ",;:'".contains(c)))
                .collect();
            words.join(" ")
        }
        (Err(failure), _) => match failure {
            Failure::System(_) => "system",
            Failure::Rejected(_) => "rejected",
            Failure::CompilerCrash(_) => "compiler crash",
            Failure::Timeout => "timeout",
            Failure::Crash(_) => "crash",
        }
        .to_owned(),
    }
}
