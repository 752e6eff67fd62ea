//! Enforces the limits of time and memory, and handles signals, in a thread of its own, so that
//! they also hold in phases that spend no budget.
//!
//! The watchdog first asks a command that can stop by itself to do so ([`Watchdog::start_asking`]),
//! because it can print more. If it does not stop in time, the watchdog prints an answer and ends
//! the process.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use ravelin_smt::smtlib;
use ravelin_verifier::Reason;
use ravelin_verifier::limits::{Cancel, Limits, used_megabytes};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use crate::exit::Exit;

/// Why a command has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    Time,
    Memory,
    /// A signal that asks for the end.
    Signal,
}

impl Reached {
    /// The reason in `UNKNOWN(reason)`.
    pub fn reason(self) -> Reason {
        match self {
            Reached::Time => Reason::Timeout,
            Reached::Memory => Reason::OutOfMemory,
            Reached::Signal => Reason::Interrupted,
        }
    }
}

/// The time for a command to stop after it was asked to: a share of the time it had, within these
/// bounds. Limits are kept within 5 %.
const GRACE_SHARE: u32 = 25;
const MIN_GRACE: Duration = Duration::from_millis(60);
const MAX_GRACE: Duration = Duration::from_secs(2);

/// The time after a signal, or when memory is short.
const SHORT_GRACE: Duration = Duration::from_millis(500);

/// How often it is asked again.
const ASK_AGAIN: Duration = Duration::from_millis(10);

/// The longest sleep of the watchdog if it watches memory, and the shortest.
const MAX_POLL: Duration = Duration::from_millis(20);
const MIN_POLL: Duration = Duration::from_millis(1);

/// The maximum assumed growth of memory.
const MEGABYTES_PER_MILLISECOND: u64 = 4;

/// Ends the process when a limit is reached.
#[derive(Debug)]
pub struct Watchdog {
    last_word: Arc<OnceLock<Speaker>>,
    reached: Arc<OnceLock<Reached>>,
}

/// Which side gives the process's answer; once decided, the other stays silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaker {
    Command,
    Watchdog,
}

impl Watchdog {
    /// Starts watching. When a limit is reached, `say` prints the last answer, and the process ends
    /// as it says.
    pub fn start(limits: Limits, say: impl FnOnce(Reached) -> Exit + Send + 'static) -> Watchdog {
        let (_, events) = mpsc::channel();
        Self::spawn(limits, None, events, say)
    }

    /// As [`Watchdog::start`], but also handles signals that ask for an end, and first asks the
    /// command to stop by itself.
    pub fn start_asking(
        limits: Limits,
        cancel: Cancel,
        say: impl FnOnce(Reached) -> Exit + Send + 'static,
    ) -> Watchdog {
        let (signalled, events) = mpsc::channel();
        // Without the handlers a signal ends the process in the default way.
        if let Ok(signals) = Signals::new([SIGINT, SIGTERM]) {
            thread::spawn(move || forward(signals, &signalled));
        }
        Self::spawn(limits, Some(cancel), events, say)
    }

    fn spawn(
        limits: Limits,
        cancel: Option<Cancel>,
        signals: Receiver<()>,
        say: impl FnOnce(Reached) -> Exit + Send + 'static,
    ) -> Watchdog {
        let started = Instant::now();
        let watchdog = Watchdog { last_word: Arc::default(), reached: Arc::default() };
        let (last_word, shared) = (Arc::clone(&watchdog.last_word), Arc::clone(&watchdog.reached));
        thread::spawn(move || {
            let Some(reached) = wait(limits, &signals) else {
                return;
            };
            if let Some(cancel) = cancel {
                // No other code writes it.
                let _ = shared.set(reached);
                wait_further(&cancel, limits, started, reached, &signals);
            }
            if *last_word.get_or_init(|| Speaker::Watchdog) == Speaker::Watchdog {
                smtlib::end_all();
                let exit = say(reached);
                // Other threads still work, perhaps inside Z3, so nothing may be freed.
                low_level::exit(exit.code().into());
            }
        });
        watchdog
    }

    /// Why the command was asked to stop, if it was.
    pub fn reached(&self) -> Option<Reached> {
        self.reached.get().copied()
    }

    /// From now on the command answers, however long it takes. If the watchdog has already begun to
    /// answer, this never returns.
    pub fn claim_last_word(&self) {
        match self.last_word.get_or_init(|| Speaker::Command) {
            Speaker::Command => {}
            Speaker::Watchdog => loop {
                thread::park();
            },
        }
    }
}

fn forward(mut signals: Signals, to: &Sender<()>) {
    for _ in signals.forever() {
        // The watchdog ends only when there is nothing left to end.
        if to.send(()).is_err() {
            return;
        }
    }
}

/// Waits until a limit is reached; `None` if there is none.
fn wait(limits: Limits, signals: &Receiver<()>) -> Option<Reached> {
    let mut can_signal = true;
    loop {
        let left =
            limits.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            return Some(Reached::Time);
        }
        let mut pause = left;
        if let Some(limit) = limits.memory_megabytes {
            let used = used_megabytes();
            if used >= limit {
                return Some(Reached::Memory);
            }
            let poll = Duration::from_millis((limit - used) / MEGABYTES_PER_MILLISECOND);
            let poll = poll.clamp(MIN_POLL, MAX_POLL);
            pause = Some(left.map_or(poll, |left| left.min(poll)));
        }
        match (pause, can_signal) {
            (None, false) => return None,
            (Some(pause), false) => thread::sleep(pause),
            (None, true) => match signals.recv() {
                Ok(()) => return Some(Reached::Signal),
                Err(mpsc::RecvError) => can_signal = false,
            },
            (Some(pause), true) => match signals.recv_timeout(pause) {
                Ok(()) => return Some(Reached::Signal),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => can_signal = false,
            },
        }
    }
}

/// Asks a command to stop and waits for it; not after a second signal, nor while its memory grows.
fn wait_further(
    cancel: &Cancel,
    limits: Limits,
    started: Instant,
    reached: Reached,
    signals: &Receiver<()>,
) {
    let now = Instant::now();
    let grace = match reached {
        Reached::Time => ((now - started) / GRACE_SHARE).clamp(MIN_GRACE, MAX_GRACE),
        Reached::Memory | Reached::Signal => SHORT_GRACE,
    };
    let end = now + grace;
    let beyond = limits.memory_megabytes.map(|limit| limit + limit / u64::from(GRACE_SHARE));
    while Instant::now() < end {
        // Z3 forgets an interrupt after one query.
        cancel.ask();
        let deadline = Some(end.min(Instant::now() + ASK_AGAIN));
        match wait(Limits { deadline, memory_megabytes: beyond }, signals) {
            Some(Reached::Time) => {}
            Some(Reached::Memory | Reached::Signal) | None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_signals() -> Receiver<()> {
        mpsc::channel().1
    }

    #[test]
    fn a_passed_deadline_is_reached() {
        let limits = Limits { deadline: Some(Instant::now()), memory_megabytes: None };
        assert_eq!(wait(limits, &no_signals()), Some(Reached::Time));
        assert_eq!(wait(Limits::default(), &no_signals()), None);
    }

    #[test]
    fn memory_in_use_is_seen() {
        assert!((1..1 << 20).contains(&used_megabytes()));
        let limits = Limits { deadline: None, memory_megabytes: Some(1) };
        assert_eq!(wait(limits, &no_signals()), Some(Reached::Memory));
    }

    #[test]
    fn signals_come_before_limits() {
        let (signalled, signals) = mpsc::channel();
        signalled.send(()).expect("received");
        let deadline = Instant::now().checked_add(Duration::from_secs(3600));
        let limits = Limits { deadline, memory_megabytes: None };
        assert_eq!(wait(limits, &signals), Some(Reached::Signal));
        assert_eq!(wait(Limits::default(), &signals_with_one()), Some(Reached::Signal));
    }

    fn signals_with_one() -> Receiver<()> {
        let (signalled, signals) = mpsc::channel();
        signalled.send(()).expect("received");
        signals
    }

    #[test]
    fn a_command_that_does_not_stop_gets_little_time() {
        let (started, cancel, limits) = (Instant::now(), Cancel::default(), Limits::default());
        wait_further(&cancel, limits, started, Reached::Time, &no_signals());
        assert!(started.elapsed() >= MIN_GRACE && started.elapsed() < SHORT_GRACE);
        assert!(cancel.is_asked());
        // A second signal ends the wait.
        let again = Instant::now();
        wait_further(&cancel, limits, started, Reached::Signal, &signals_with_one());
        assert!(again.elapsed() < SHORT_GRACE);
    }
}
