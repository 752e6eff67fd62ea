//! What a run may spend, and how it is asked to stop.

use std::fmt;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use ravelin_smt::smtlib;
use ravelin_smt::z3_backend::Interrupter;

/// The limits of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    pub deadline: Option<Instant>,
    pub memory_megabytes: Option<u64>,
}

impl Limits {
    /// The time counted from now.
    pub fn starting_now(timeout: Option<Duration>, memory_megabytes: Option<u64>) -> Limits {
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        Limits { deadline, memory_megabytes }
    }
}

/// How a run is asked to stop. Clones ask the same one.
#[derive(Clone, Default)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
    solvers: Arc<Mutex<Vec<(ThreadId, Interrupter)>>>,
}

impl fmt::Debug for Cancel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cancel").field("flag", &self.flag).finish_non_exhaustive()
    }
}

/// Set when Z3 was interrupted.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether Z3 was interrupted in this process: its bindings then panic where they do not expect it, and that is
/// no defect. It is caught, and hooks that report panics need not.
pub fn solver_was_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

impl Cancel {
    /// Asks by this flag, which the run looks at now and then.
    pub fn by(flag: Arc<AtomicBool>) -> Self {
        Cancel { flag, ..Cancel::default() }
    }

    /// From now on Z3 works in this thread, and must be interrupted, too.
    pub(crate) fn z3_works_here(&self) {
        let mut solvers = self.solvers.lock().unwrap_or_else(PoisonError::into_inner);
        solvers.push((thread::current().id(), Interrupter::for_this_thread()));
    }

    /// Whether the run was asked to stop.
    pub fn is_asked(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Asks the run to stop. Z3 forgets it as soon as it has answered one question: ask again until it does.
    pub fn ask(&self) {
        self.flag.store(true, Ordering::Relaxed);
        self.interrupt_other_solvers();
    }

    /// Ends the questions that Z3 works on in other threads, if it does.
    pub(crate) fn interrupt_other_solvers(&self) {
        let solvers = self.solvers.lock().unwrap_or_else(PoisonError::into_inner);
        for (_, solver) in solvers.iter().filter(|(owner, _)| *owner != thread::current().id()) {
            INTERRUPTED.store(true, Ordering::Relaxed);
            solver.interrupt();
        }
    }
}

/// The memory in use, that of solvers in processes of their own included.
pub fn used_megabytes() -> u64 {
    let solvers = smtlib::running().into_iter().map(|process| format!("/proc/{process}/statm"));
    let kilobytes: u64 =
        solvers.chain(["/proc/self/statm".to_owned()]).filter_map(resident_kilobytes).sum();
    kilobytes / 1024
}

/// The memory of a process that is in use, as Linux tells it.
fn resident_kilobytes(statm: String) -> Option<u64> {
    let text = fs::read_to_string(statm).ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * (rustix::param::page_size() as u64 / 1024))
}
