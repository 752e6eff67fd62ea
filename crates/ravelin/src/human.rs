//! What is only for people: progress while a run goes on, colours, and what an answer means.

use std::env;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use ravelin_analysis::progress::Progress;
use ravelin_evidence::trace::DEFAULT_WIDTH;
use ravelin_verifier::limits::used_megabytes;
use ravelin_verifier::{Event, Listener};

use crate::args::VerifyArgs;

/// Tells on standard error what happens in a run, as far as somebody wants to know.
#[derive(Debug)]
pub struct Console {
    begun: Instant,
    is_verbose: bool,
    explains_strategy: bool,
    shows_progress: bool,
    /// What goes on at the moment.
    now: Arc<Mutex<String>>,
}

impl Console {
    pub fn new(args: &VerifyArgs) -> Console {
        Console {
            begun: Instant::now(),
            is_verbose: args.verbose,
            explains_strategy: args.analysis.explain_strategy || args.verbose,
            // Lines that stay and one that changes do not go together.
            shows_progress: !args.quiet && !args.verbose && io::stderr().is_terminal(),
            now: Arc::default(),
        }
    }

    /// Begins to show how far a run is, if somebody watches.
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
            Event::Warning(message) => crate::log(&format!("ravelin: {message}\n")),
            Event::Strategy(text) if self.explains_strategy => crate::log(&text.to_string()),
            Event::Strategy(_) => {}
            Event::Progress(what) => {
                *self.now.lock().unwrap_or_else(PoisonError::into_inner) = (*what).to_owned();
                if self.is_verbose {
                    let seconds = self.begun.elapsed().as_secs_f64();
                    crate::log(&format!("ravelin: {seconds:7.2} s  {what}\n"));
                }
            }
        }
    }

    /// That of the terminal. Where there is none, it is always the same: others compare what they get.
    fn trace_width(&self) -> usize {
        match rustix::termios::tcgetwinsize(io::stdout()) {
            Ok(size) if size.ws_col > 0 => usize::from(size.ws_col).max(MIN_TRACE_WIDTH),
            Ok(_) | Err(_) => DEFAULT_WIDTH,
        }
    }
}

/// Nothing can be read in columns of narrower terminals.
const MIN_TRACE_WIDTH: usize = 60;

/// A line on the terminal that tells how far a run is. It goes when this does.
#[derive(Debug)]
pub struct Ticker {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// How often the line changes.
const PERIOD: Duration = Duration::from_millis(200);

impl Ticker {
    fn start(progress: Progress, now: Arc<Mutex<String>>) -> Ticker {
        let is_over = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_over);
        let thread = thread::spawn(move || {
            let bar = ProgressBar::new_spinner();
            while !flag.load(Ordering::Relaxed) {
                let cegar = progress.latest().cegar;
                let memory = used_megabytes();
                let now = now.lock().unwrap_or_else(PoisonError::into_inner).clone();
                bar.set_message(format!(
                    "{} refinements, {} states, {} tracked, {memory} MB; {now}",
                    cegar.refinements, cegar.states, cegar.precision
                ));
                bar.tick();
                thread::park_timeout(PERIOD);
            }
            bar.finish_and_clear();
        });
        Ticker { is_over, thread: Some(thread) }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A thread that failed shows nothing any more, which is all that is wanted.
            let _ = thread.join();
        }
    }
}

/// The last line in the colour of its answer, if it goes to a terminal.
pub fn coloured(line: &str) -> String {
    let is_wanted = io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none();
    let colour = match line.split([' ', '(']).nth(1) {
        _ if !is_wanted => return line.to_owned(),
        Some("TRUE" | "confirmed") => "32",
        Some("FALSE" | "rejected") => "31",
        Some(_) | None => "33",
    };
    format!("\x1b[1;{colour}m{line}\x1b[0m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_coloured_off_a_terminal() {
        // Tests have none, or this would be another line.
        if !io::stdout().is_terminal() {
            assert_eq!(coloured("Verdict: TRUE"), "Verdict: TRUE");
        }
    }
}
