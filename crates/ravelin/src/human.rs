//! What is only for people: progress while a run goes on, colours, and what to do about UNKNOWN.

use std::env;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::ProgressBar;
use ravelin_analysis::progress::Progress;

use crate::watchdog;

/// A line on the terminal that tells how far a run is. It goes when this does.
#[derive(Debug)]
pub struct Ticker {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// How often the line changes.
const PERIOD: Duration = Duration::from_millis(200);

impl Ticker {
    /// Begins to tell, if somebody watches.
    pub fn start(progress: Progress, is_quiet: bool) -> Ticker {
        let is_over = Arc::new(AtomicBool::new(is_quiet || !io::stderr().is_terminal()));
        if is_over.load(Ordering::Relaxed) {
            return Ticker { is_over, thread: None };
        }
        let flag = Arc::clone(&is_over);
        let thread = thread::spawn(move || {
            let bar = ProgressBar::new_spinner();
            while !flag.load(Ordering::Relaxed) {
                let cegar = progress.latest().cegar;
                let memory = watchdog::used_megabytes();
                bar.set_message(format!(
                    "{} refinements, {} states, {} tracked, {memory} MB",
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

/// What to do where there is no answer.
pub fn hint(reason: &str) -> Option<&'static str> {
    let hints: &[(&str, &str)] = &[
        ("timeout", "more time may help (--timeout); '--stats' shows where it goes"),
        (
            "out of memory",
            "more memory may help (--memory-limit), or '--domain predicate', which keeps fewer states",
        ),
        (
            "refinement stuck",
            "another way to refine may find what is missing: '--refinement spacer', '--memory array' or '--unroll 60'",
        ),
        (
            "unsupported",
            "what is at that place is not modelled, see LIMITATIONS.md; a stub for it, or leaving it out, may do",
        ),
        (
            "undefined behaviour",
            "an execution that leads to the error has undefined behaviour before: repair that first",
        ),
        (
            "replay diverged",
            "a path to the error was found but not confirmed: values that the analysis left open matter, see LIMITATIONS.md",
        ),
        ("solver", "the solver gave up on a question; '--dump-smt2 DIR' shows which"),
        ("property not supported", "only the reachability of error calls is known so far"),
    ];
    hints.iter().find(|(start, _)| reason.starts_with(start)).map(|(_, hint)| *hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_hints() {
        assert!(hint("timeout").is_some());
        assert!(hint("unsupported: a.c:3:5 inline assembly").is_some());
        assert_eq!(hint("interrupted"), None);
    }

    #[test]
    fn nothing_is_coloured_off_a_terminal() {
        // Tests have none, or this would be another line.
        if !io::stdout().is_terminal() {
            assert_eq!(coloured("Verdict: TRUE"), "Verdict: TRUE");
        }
    }
}
