//! The resource budget of a run. Every unbounded loop ticks its budget, so that time-outs, memory
//! limits and interrupts end in an answer instead of a killed process.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::deadline::Deadline;

/// Why a run stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    Time,
    Steps,
    Cancelled,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Exhausted::Time => "timeout",
            Exhausted::Steps => "step limit",
            Exhausted::Cancelled => "interrupted",
        })
    }
}

/// A deadline, a limit of steps and a flag that cancels the run.
#[derive(Clone, Debug)]
pub struct Budget {
    deadline: Deadline,
    steps_left: Option<u64>,
    cancelled: Arc<AtomicBool>,
    /// Flags that cancel this budget and its later clones only.
    cancelled_too: Vec<Arc<AtomicBool>>,
    ticks: u32,
}

/// The clock is read once per this many ticks, because a tick must be cheap.
const TICKS_PER_CLOCK_READ: u32 = 256;

impl Budget {
    pub fn unlimited() -> Self {
        Budget {
            deadline: Deadline::default(),
            steps_left: None,
            cancelled: Arc::new(AtomicBool::new(false)),
            cancelled_too: Vec::new(),
            ticks: 0,
        }
    }

    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.deadline = Deadline::at(Instant::now().checked_add(timeout));
        self
    }

    /// A budget that also ends when this thread has spent `limit` more processor time.
    pub fn sooner(mut self, limit: Duration) -> Self {
        self.deadline = self.deadline.sooner(limit);
        self
    }

    pub fn with_steps(mut self, steps: u64) -> Self {
        self.steps_left = Some(steps);
        self
    }

    /// A budget that also ends after `steps` more steps.
    pub fn shorter(mut self, steps: u64) -> Self {
        self.steps_left = Some(self.steps_left.map_or(steps, |left| left.min(steps)));
        self
    }

    /// A budget that `flag` also cancels. Clones made earlier are not affected.
    pub fn cancelled_by(mut self, flag: Arc<AtomicBool>) -> Self {
        self.cancelled_too.push(flag);
        self
    }

    /// The flag that cancels this budget and every clone of it.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancelled)
    }

    /// Spends one step.
    pub fn tick(&mut self) -> Result<(), Exhausted> {
        if let Some(left) = &mut self.steps_left {
            *left = left.checked_sub(1).ok_or(Exhausted::Steps)?;
        }
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(TICKS_PER_CLOCK_READ) {
            self.check_now()?;
        }
        Ok(())
    }

    /// Checks the clock and the cancel flag at once, for loops with long steps.
    pub fn check_now(&self) -> Result<(), Exhausted> {
        let is_set = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        if is_set(&self.cancelled) || self.cancelled_too.iter().any(is_set) {
            return Err(Exhausted::Cancelled);
        }
        match self.deadline.is_over() {
            true => Err(Exhausted::Time),
            false => Ok(()),
        }
    }
}
