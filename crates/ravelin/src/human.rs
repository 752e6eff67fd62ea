//! Output for people: progress during a run, colours, and the meaning of an answer.

use std::collections::BTreeSet;
use std::env;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use ravelin_analysis::progress::Progress;
use ravelin_evidence::trace::DEFAULT_WIDTH;
use ravelin_verifier::limits::used_megabytes;
use ravelin_verifier::{Event, Listener, Verdict};

use crate::args::VerifyArgs;

/// Prints the events of a run to standard error, as far as the user asked for them.
#[derive(Debug)]
pub struct Console {
    begun: Instant,
    is_quiet: bool,
    is_verbose: bool,
    explains_strategy: bool,
    shows_progress: bool,
    /// The current activity.
    now: Arc<Mutex<String>>,
    /// The warnings and the open checks so far: several configurations may have the same.
    told: Mutex<BTreeSet<String>>,
}

impl Console {
    pub fn new(args: &VerifyArgs) -> Console {
        Console {
            begun: Instant::now(),
            is_quiet: args.quiet,
            is_verbose: args.verbose,
            explains_strategy: args.analysis.explain_strategy || args.verbose,
            // Permanent lines and a progress line do not go together.
            shows_progress: !args.quiet && !args.verbose && io::stderr().is_terminal(),
            now: Arc::default(),
            told: Mutex::default(),
        }
    }

    /// Shows the progress of a run if standard error is a terminal.
    pub fn start_ticker(&self, progress: &Progress) -> Ticker {
        match self.shows_progress {
            true => Ticker::start(progress.clone(), Arc::clone(&self.now)),
            false => Ticker { is_over: Arc::default(), thread: None },
        }
    }
}

impl Listener for Console {
    fn hear(&self, event: &Event<'_>) {
        match event {
            Event::Diagnostics(lines) => crate::log(lines),
            Event::Warning(message) if !self.is_quiet => {
                if locked(&self.told).insert((*message).to_owned()) {
                    crate::log(&format!("ravelin: {message}\n"));
                }
            }
            Event::Warning(_) => {}
            Event::Strategy(text) if self.explains_strategy => crate::log(&text.to_string()),
            Event::Strategy(_) => {}
            Event::OpenChecks(lines) if self.is_verbose => {
                let lines = lines.to_string();
                let mut told = locked(&self.told);
                let new: Vec<&str> =
                    lines.lines().filter(|&line| told.insert(line.to_owned())).collect();
                new.iter().for_each(|line| crate::log(&format!("ravelin: {line}\n")));
            }
            Event::OpenChecks(_) => {}
            Event::Progress(what) => {
                *locked(&self.now) = (*what).to_owned();
                if self.is_verbose {
                    let seconds = self.begun.elapsed().as_secs_f64();
                    crate::log(&format!("ravelin: {seconds:7.2} s  {what}\n"));
                }
            }
        }
    }

    /// The width of the terminal. Without one it is constant, so that outputs can be compared.
    fn trace_width(&self) -> usize {
        match rustix::termios::tcgetwinsize(io::stdout()) {
            Ok(size) if size.ws_col > 0 => usize::from(size.ws_col).max(MIN_TRACE_WIDTH),
            Ok(_) | Err(_) => DEFAULT_WIDTH,
        }
    }
}

/// The minimum width for text in columns.
const MIN_TRACE_WIDTH: usize = 60;

/// A line on the terminal that shows the progress of a run. Dropping it removes the line.
#[derive(Debug)]
pub struct Ticker {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// How often the line changes.
const PERIOD: Duration = Duration::from_millis(200);

/// The line on the terminal. The process has one standard error, so every writer must remove the
/// line first.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Locks despite poisoning: the guarded value is always replaced as a whole.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes to standard error while the line is hidden.
pub fn above_progress(write: impl FnOnce()) {
    let shown = locked(&SHOWN).clone();
    match shown {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// Removes the line for good.
pub fn end_progress() {
    if let Some(bar) = locked(&SHOWN).take() {
        bar.finish_and_clear();
    }
}

impl Ticker {
    fn start(progress: Progress, now: Arc<Mutex<String>>) -> Ticker {
        let is_over = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_over);
        let bar = ProgressBar::new_spinner();
        // The template is a valid constant.
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}") {
            bar.set_style(style);
        }
        *locked(&SHOWN) = Some(bar.clone());
        let thread = thread::spawn(move || {
            while !flag.load(Ordering::Relaxed) && !bar.is_finished() {
                let cegar = progress.latest().cegar;
                let (memory, now) = (used_megabytes(), locked(&now).clone());
                bar.set_message(format!(
                    "{} refinements, {} states, {} tracked, {memory} MB; {now}",
                    cegar.refinements, cegar.states, cegar.precision
                ));
                bar.tick();
                thread::park_timeout(PERIOD);
            }
            end_progress();
        });
        Ticker { is_over, thread: Some(thread) }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A thread that failed shows nothing any more, as intended.
            let _ = thread.join();
        }
    }
}

/// The last line in the colour of its answer, if standard output is a terminal.
pub fn coloured(line: &str) -> String {
    let is_wanted =
        io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let colour = match line.split([' ', '(']).nth(1) {
        _ if !is_wanted => return line.to_owned(),
        Some("TRUE" | "confirmed") => "32",
        Some("FALSE" | "rejected") => "31",
        Some(_) | None => "33",
    };
    format!("\x1b[1;{colour}m{line}\x1b[0m")
}

/// A verdict in its colour, if standard output is a terminal.
pub fn coloured_verdict(verdict: &Verdict) -> String {
    // Only what follows the first word matters.
    let line = coloured(&format!("Verdict: {verdict}"));
    line.replacen("Verdict: ", "", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_coloured_off_a_terminal() {
        // Tests have no terminal; with one, the line would differ.
        if !io::stdout().is_terminal() {
            assert_eq!(coloured("Verdict: TRUE"), "Verdict: TRUE");
        }
    }
}
