//! Deadlines by the clock and by the processor time of a thread.
//!
//! The clock limits a run as a whole. Processor time limits its stages, so that they get as far on
//! a busy machine as on an idle one.

use std::cell::Cell;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// A moment of the clock and a share of a thread's processor time. Without either, there is no
/// deadline.
#[derive(Clone, Copy, Debug, Default)]
pub struct Deadline {
    clock: Option<Instant>,
    share: Option<Share>,
}

/// A share of a thread's processor time, counted from a given moment.
#[derive(Clone, Copy, Debug)]
struct Share {
    thread: ThreadId,
    /// The processor time and the clock when the share began.
    spent: Duration,
    begun: Instant,
    limit: Duration,
}

/// The largest assumed slowdown of a thread compared with an idle machine.
const SLOWEST: u32 = 8;

thread_local! {
    static WAITED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// The processor time of this thread, plus the time it waited for other processes that worked for
/// it.
pub fn thread_time() -> Duration {
    time_of(ClockId::ThreadCPUTime) + WAITED.get()
}

/// The processor time of all threads of this process.
pub fn process_time() -> Duration {
    time_of(ClockId::ProcessCPUTime)
}

fn time_of(clock: ClockId) -> Duration {
    let now = clock_gettime(clock);
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// Waits for work that another process does for this thread. The time counts as the thread's own.
pub fn wait<T>(doing: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let done = doing();
    WAITED.set(WAITED.get() + begun.elapsed());
    done
}

impl Deadline {
    pub fn at(clock: Option<Instant>) -> Self {
        Deadline { clock, share: None }
    }

    /// A deadline that also ends when this thread has spent `limit` more processor time.
    pub fn sooner(self, limit: Duration) -> Self {
        let own = Share {
            thread: thread::current().id(),
            spent: thread_time(),
            begun: Instant::now(),
            limit,
        };
        match self.share {
            Some(share) if share.left() < limit => self,
            Some(_) | None => Deadline { share: Some(own), ..self },
        }
    }

    /// The time that is left; `None` without a deadline.
    pub fn left(&self) -> Option<Duration> {
        let by_clock = self.clock.map(|clock| clock.saturating_duration_since(Instant::now()));
        let by_share = self.share.map(|share| share.left());
        [by_clock, by_share].into_iter().flatten().min()
    }

    /// The time by the clock until the deadline, if the machine stays as busy as it was until now.
    /// It serves as the limit where only the clock can be limited.
    pub fn left_by_clock(&self) -> Option<Duration> {
        let by_clock = self.clock.map(|clock| clock.saturating_duration_since(Instant::now()));
        let by_share = self.share.map(|share| share.left_by_clock());
        [by_clock, by_share].into_iter().flatten().min()
    }

    pub fn is_over(&self) -> bool {
        self.clock.is_some_and(|clock| Instant::now() >= clock)
            || self.share.is_some_and(|share| share.left().is_zero())
    }
}

impl Share {
    fn spent(&self) -> Duration {
        match self.thread == thread::current().id() {
            true => thread_time().saturating_sub(self.spent),
            // The operating system does not give the processor time of another thread.
            false => self.begun.elapsed(),
        }
    }

    fn left(&self) -> Duration {
        self.limit.saturating_sub(self.spent())
    }

    fn left_by_clock(&self) -> Duration {
        let (spent, elapsed) = (self.spent(), self.begun.elapsed());
        let slowness = elapsed.as_secs_f64() / spent.as_secs_f64().max(1e-3);
        self.left().mul_f64(slowness.clamp(1.0, SLOWEST.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spend(time: Duration) {
        let end = thread_time() + time;
        while thread_time() < end {}
    }

    #[test]
    fn a_share_ends_with_the_time_of_its_thread() {
        let deadline = Deadline::default().sooner(Duration::from_millis(40));
        thread::sleep(Duration::from_millis(60));
        assert!(!deadline.is_over(), "a thread that sleeps spends nothing");
        assert!(deadline.left_by_clock() >= deadline.left());
        spend(Duration::from_millis(41));
        assert!(deadline.is_over());
        assert_eq!(deadline.left(), Some(Duration::ZERO));
    }

    #[test]
    fn who_waits_for_another_process_spends_its_time() {
        let deadline = Deadline::default().sooner(Duration::from_millis(20));
        wait(|| thread::sleep(Duration::from_millis(30)));
        assert!(deadline.is_over());
    }

    #[test]
    fn the_sooner_of_two_ends_counts() {
        let soon = Deadline::default().sooner(Duration::from_millis(1));
        let never = soon.sooner(Duration::from_secs(60));
        spend(Duration::from_millis(2));
        assert!(never.is_over());
        let later = Deadline::at(Some(Instant::now())).sooner(Duration::from_secs(60));
        assert!(later.is_over());
        assert!(Deadline::default().left().is_none() && !Deadline::default().is_over());
    }

    #[test]
    fn other_threads_count_by_the_clock() {
        let deadline = Deadline::default().sooner(Duration::from_millis(20));
        thread::sleep(Duration::from_millis(30));
        let seen = thread::spawn(move || deadline.is_over()).join();
        assert!(seen.is_ok_and(|is_over| is_over));
        assert!(!deadline.is_over());
    }
}
