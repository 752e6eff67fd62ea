//! Tells whoever waits how far the measurement is.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::bench::results::Row;

/// A bar on a terminal, a line per result elsewhere.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    /// What runs, by the number of its job.
    running: BTreeMap<usize, String>,
    counts: Counts,
}

#[derive(Debug)]
struct Counts {
    total: usize,
    correct: usize,
    wrong: usize,
    other: usize,
}

impl Progress {
    /// Of a measurement of this many jobs, some of whose results are there already.
    pub fn new<'a>(total: usize, done: impl Iterator<Item = &'a Row>) -> Progress {
        let mut counts = Counts { total, correct: 0, wrong: 0, other: 0 };
        done.for_each(|row| counts.count(row));
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(total as u64);
            let template = "{wide_bar} {pos}/{len} {elapsed_precise} (left: {eta_precise})\n{msg}";
            // The template is constant; the plain bar would do, too.
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
            bar.set_position(counts.done() as u64);
            bar.reset_eta();
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        });
        Progress { bar, running: BTreeMap::new(), counts }
    }

    pub fn started(&mut self, job: usize, task: &str) {
        self.running.insert(job, short_name(task).to_owned());
        self.show();
    }

    pub fn finished(&mut self, job: usize, row: &Row) {
        self.running.remove(&job);
        self.counts.count(row);
        let line = describe(row, &self.counts);
        match &self.bar {
            Some(bar) => {
                bar.inc(1);
                // What must not be missed stays above the bar.
                if row.class().is_wrong() {
                    bar.println(line);
                }
            }
            None => eprintln!("{line}"),
        }
        self.show();
    }

    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        eprintln!("{}", self.counts.describe());
    }

    fn show(&self) {
        if let Some(bar) = &self.bar {
            let mut message = self.counts.describe();
            for task in self.running.values() {
                message.push_str(" | ");
                message.push_str(task);
            }
            bar.set_message(message);
        }
    }
}

impl Counts {
    fn count(&mut self, row: &Row) {
        if row.class().is_correct() {
            self.correct += 1;
        } else if row.class().is_wrong() {
            self.wrong += 1;
        } else {
            self.other += 1;
        }
    }

    fn done(&self) -> usize {
        self.correct + self.wrong + self.other
    }

    fn describe(&self) -> String {
        let left = self.total.saturating_sub(self.done());
        let Counts { correct, wrong, other, .. } = self;
        format!("{correct} correct, {wrong} wrong, {other} unknown, {left} left")
    }
}

fn describe(row: &Row, counts: &Counts) -> String {
    let mut line = format!(
        "[{}/{}] {:<13} {:>7.2} s {:>6.0} MB  {} {}",
        counts.done(),
        counts.total,
        row.class(),
        row.cpu,
        row.peak_megabytes,
        row.key.set,
        short_name(&row.key.task)
    );
    if !row.key.config.is_empty() {
        line.push_str(&format!(" [{}]", row.key.config));
    }
    if !row.outcome.reason.is_empty() && !row.class().is_correct() {
        line.push_str(&format!(": {}", row.outcome.reason));
    }
    if row.class().is_wrong() {
        line.insert_str(0, "WRONG ");
    }
    line
}

/// The last part of a path; the directories would push everything else off the line.
fn short_name(task: &str) -> &str {
    task.rsplit('/').next().unwrap_or(task)
}
