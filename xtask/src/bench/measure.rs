//! Runs the verifier on what is left to run.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::bench::outcome::{Allowance, Class, EXIT_USAGE, MEGABYTE, judge};
use crate::bench::progress::Progress;
use crate::bench::results::{Key, Results, Row};
use crate::interrupt::Interrupt;
use crate::process::{self, Cause, How, Limits};
use crate::property::PropertyFiles;
use crate::sets::Task;

/// The dynamic linker ends so if a library is missing, shells if a program is.
const EXIT_NOT_RUN: i32 = 127;

/// A task under a configuration.
#[derive(Debug)]
pub struct Job {
    pub set: String,
    pub config: String,
    pub task: Task,
}

impl Job {
    pub fn key(&self) -> Key {
        Key {
            set: self.set.clone(),
            config: self.config.clone(),
            task: self.task.path.clone(),
            property: self.task.property,
        }
    }
}

/// The program that is measured, and on what.
#[derive(Debug)]
pub struct Verifier {
    pub program: PathBuf,
    /// The directory that the tasks' paths are relative to.
    pub tasks: PathBuf,
    pub allowed: Allowance,
    /// How many times longer a task may take by the clock.
    pub patience: f64,
    pub properties: PropertyFiles,
}

/// Options of a configuration that choose the property themselves.
const CHOOSE_PROPERTY: [&str; 2] = ["--property", "--check"];

enum Event {
    Started(usize),
    /// An error means that nothing can be measured.
    Finished(usize, Result<Row, String>),
}

/// Adds the results of the jobs that are left, of which at most `workers` run at a time, to those of the jobs that are
/// done. If a signal ends it early, the exit code for that.
pub fn complete(
    (done, left): (&[Job], &[Job]),
    verifier: &Verifier,
    workers: usize,
    results: &mut Results,
) -> Result<Option<u8>, String> {
    let interrupt = Interrupt::catch().map_err(|error| format!("signals: {error}"))?;
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    let known = done.iter().filter_map(|job| results.get(&job.key()));
    let mut progress = Progress::new(done.len() + left.len(), known);
    let workers = workers.clamp(1, cores);
    let measured = measure(left, verifier, workers, results, &mut progress, &interrupt);
    progress.end();
    let finished = results.finish().map_err(|error| format!("results: {error}"));
    measured.and(finished)?;
    let code = interrupt.exit_code();
    if code.is_some() {
        eprintln!("interrupted; the same command continues");
    }
    Ok(code)
}

/// Stops early if it is interrupted, or if the verifier cannot be run at all.
fn measure(
    jobs: &[Job],
    verifier: &Verifier,
    workers: usize,
    results: &mut Results,
    progress: &mut Progress,
    interrupt: &Interrupt,
) -> Result<(), String> {
    let next = AtomicUsize::new(0);
    let (sender, events) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || work(jobs, next, verifier, interrupt, &sender));
        }
        drop(sender);
        for event in events {
            match event {
                Event::Started(index) => progress.started(index, &jobs[index].task.path),
                Event::Finished(index, row) => {
                    let added = row.and_then(|row| {
                        progress.finished(index, &row);
                        results.add(row).map_err(|error| format!("results: {error}"))
                    });
                    if added.is_err() {
                        // Nobody takes another job; those that run come to their end.
                        next.store(jobs.len(), Ordering::Relaxed);
                        return added;
                    }
                }
            }
        }
        Ok(())
    })
}

fn work(
    jobs: &[Job],
    next: &AtomicUsize,
    verifier: &Verifier,
    interrupt: &Interrupt,
    sender: &mpsc::Sender<Event>,
) {
    while !interrupt.is_requested() {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(job) = jobs.get(index) else { return };
        // Nobody listens any more after an error, here and below.
        if sender.send(Event::Started(index)).is_err() {
            return;
        }
        let Some(row) = verifier.run(job, interrupt).transpose() else { return };
        if sender.send(Event::Finished(index, row)).is_err() {
            return;
        }
    }
}

/// What the verifier says is wrong with a program, without the place.
fn first_error(stderr: &str) -> Option<String> {
    let message = stderr.lines().find_map(|line| line.split_once(" error: "))?.1;
    Some(format!("rejected: {message}"))
}

impl Verifier {
    /// Runs and judges one job; nothing if it was interrupted.
    pub fn run(&self, job: &Job, interrupt: &Interrupt) -> Result<Option<Row>, String> {
        let of_program = |message: String| format!("{}: {message}", self.program.display());
        let Task { path, property, expected, data_model, program } = &job.task;
        let mut command = Command::new(&self.program);
        command.arg("verify");
        match program {
            Some(program) => command.args(&program.files).args(&program.arguments),
            None => command.arg(self.tasks.join(path)),
        };
        command
            .args(["--data-model", &data_model.to_string()])
            .args(["--timeout", &(self.allowed.seconds * self.patience).to_string()])
            .args(["--memory-limit", &self.allowed.megabytes.to_string()])
            .arg("--stats")
            .args(job.config.split_whitespace());
        if !CHOOSE_PROPERTY.iter().any(|option| job.config.contains(option)) {
            command.args(self.properties.options(*property));
        }
        let ended = process::run(&mut command, &self.outer_limits(), interrupt)
            .map_err(|error| of_program(error.to_string()))?;
        match ended.how {
            How::Killed(Cause::Interrupt) => return Ok(None),
            // It would say so of every task.
            How::Exited(EXIT_USAGE) => {
                let message = format!("wrong usage: {command:?}\n{}", ended.stderr.trim_end());
                return Err(of_program(message));
            }
            How::Exited(EXIT_NOT_RUN) => {
                return Err(of_program(ended.stderr.trim_end().to_owned()));
            }
            How::Exited(_) | How::Signalled(_) | How::Killed(_) => {}
        }
        let mut outcome = judge(&ended, *property, *expected, &self.allowed);
        // Where the tasks are is the business of this machine alone.
        if program.is_some() && outcome.class == Class::Error {
            outcome.reason = first_error(&ended.stderr).unwrap_or(outcome.reason);
        }
        let tasks = std::slice::from_ref(&self.tasks);
        for root in program.as_ref().map_or(tasks, |program| &program.roots) {
            outcome.reason = outcome.reason.replace(&format!("{}/", root.display()), "");
        }
        Ok(Some(Row {
            key: job.key(),
            expected: *expected,
            outcome,
            cpu: ended.cpu.as_secs_f64(),
            wall: ended.wall.as_secs_f64(),
            peak_megabytes: ended.peak as f64 / MEGABYTE as f64,
            allowed: self.allowed,
        }))
    }

    /// When it is killed. It knows its limits and may keep them by itself, with statistics: it has
    /// the first word. The clock is for those that sleep.
    fn outer_limits(&self) -> Limits {
        let Allowance { seconds, megabytes } = self.allowed;
        Limits {
            cpu: Some(Duration::from_secs_f64(seconds * 1.05 + 0.5)),
            wall: Some(Duration::from_secs_f64(seconds * self.patience * 1.5 + 5.0)),
            memory: Some((megabytes + megabytes / 20 + 32) * MEGABYTE),
        }
    }
}
