//! Enforces the limits of time and memory from a thread of its own, so that they hold in phases
//! that spend no budget, too.

use std::fs;
use std::process;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use crate::exit::Exit;

/// The limits of a command.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    pub deadline: Option<Instant>,
    pub memory_megabytes: Option<u64>,
}

/// A limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    Time,
    Memory,
}

impl Reached {
    /// The reason in `UNKNOWN(reason)`.
    pub fn reason(self) -> &'static str {
        match self {
            Reached::Time => "timeout",
            Reached::Memory => "out of memory",
        }
    }
}

/// How long the watchdog sleeps at most, if it has memory to watch: a fast program allocates some
/// 100 MB meanwhile.
const MEMORY_POLL: Duration = Duration::from_millis(20);

/// Ends the process when a limit is reached.
#[derive(Debug)]
pub struct Watchdog {
    last_word: Arc<OnceLock<Speaker>>,
}

/// Who gives the process's answer; once decided, the other is silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Speaker {
    Command,
    Watchdog,
}

impl Watchdog {
    /// Watches from now on. When a limit is reached, `say` gives the last words, and the process
    /// ends as [`Exit::Unknown`].
    pub fn start(limits: Limits, say: impl FnOnce(Reached) + Send + 'static) -> Watchdog {
        let last_word = Arc::new(OnceLock::new());
        if limits.deadline.is_some() || limits.memory_megabytes.is_some() {
            let last_word = Arc::clone(&last_word);
            thread::spawn(move || {
                let reached = wait(limits);
                if *last_word.get_or_init(|| Speaker::Watchdog) == Speaker::Watchdog {
                    say(reached);
                    process::exit(Exit::Unknown.code().into());
                }
            });
        }
        Watchdog { last_word }
    }

    /// From now on the command answers, however long it takes. If the watchdog has begun to, this
    /// never returns.
    pub fn claim_last_word(&self) {
        match self.last_word.get_or_init(|| Speaker::Command) {
            Speaker::Command => {}
            Speaker::Watchdog => loop {
                thread::park();
            },
        }
    }
}

fn wait(limits: Limits) -> Reached {
    loop {
        let left =
            limits.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            return Reached::Time;
        }
        if let Some(limit) = limits.memory_megabytes
            && resident_megabytes().is_some_and(|used| used >= limit)
        {
            return Reached::Memory;
        }
        thread::sleep(match (left, limits.memory_megabytes) {
            (Some(left), None) => left,
            (Some(left), Some(_)) => left.min(MEMORY_POLL),
            (None, _) => MEMORY_POLL,
        });
    }
}

/// The memory of this process that is in use, as Linux tells it.
fn resident_megabytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = kilobytes.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passed_deadline_is_reached() {
        let limits = Limits { deadline: Some(Instant::now()), memory_megabytes: None };
        assert_eq!(wait(limits), Reached::Time);
    }

    #[test]
    fn memory_in_use_is_seen() {
        assert!(resident_megabytes().is_some_and(|used| used > 0 && used < 1 << 20));
        assert_eq!(wait(Limits { deadline: None, memory_megabytes: Some(1) }), Reached::Memory);
    }
}
