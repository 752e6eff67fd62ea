//! Runs a program under limits that are enforced from outside, and measures what it took.
//!
//! The program runs in a process group of its own. Its *family* is that group and all descendants
//! that were seen, so that a preprocessor or a solver that it starts counts, and dies, with it.

mod family;

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Resource, Rlimit, pidfd_open, prlimit};
use wait4::Wait4;

use crate::interrupt::Interrupt;
use family::Family;

/// What a program may spend before it is killed; nothing given is no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Processor time of the family.
    pub cpu: Option<Duration>,
    /// Time on the clock.
    pub wall: Option<Duration>,
    /// Resident memory of the family, in bytes.
    pub memory: Option<u64>,
}

/// A program that ended, and what it took.
#[derive(Debug)]
pub struct Ended {
    pub how: How,
    pub stdout: String,
    pub stderr: String,
    /// Processor time of the family.
    pub cpu: Duration,
    /// From start to end on the clock.
    pub wall: Duration,
    /// The most resident memory of the family, in bytes, as far as it was seen.
    pub peak: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By itself, with this code.
    Exited(i32),
    /// By a signal that others sent, or the system.
    Signalled(i32),
    /// It was killed for this.
    Killed(Cause),
}

/// Why a program was killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    Cpu,
    Wall,
    Memory,
    /// It wrote more than [`MAX_OUTPUT`].
    Output,
    /// This process was asked to stop.
    Interrupt,
}

/// How long the family is left alone at first, so that short runs are seen, too.
const FIRST_INTERVAL: Duration = Duration::from_millis(5);

/// How long the family is left alone at most. A fast program allocates some 100 MB meanwhile;
/// looking costs about a millisecond.
const INTERVAL: Duration = Duration::from_millis(50);

/// How many bytes a program may write before it is taken to be out of its mind.
const MAX_OUTPUT: u64 = 64 << 20;

/// How many bytes of its output are kept: the end, which holds the verdict.
const KEPT_OUTPUT: u64 = 4 << 20;

/// Runs the program to its end, without standard input. No process of its family survives.
///
/// An error means that it could not be run or watched.
pub fn run(command: &mut Command, limits: &Limits, interrupt: &Interrupt) -> io::Result<Ended> {
    // Files rather than pipes: nobody has to empty them, and a descendant that keeps them open
    // delays nothing.
    let (stdout, stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command
        .stdin(Stdio::null())
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?)
        .process_group(0);
    let begun = Instant::now();
    let child = command.spawn()?;
    // It runs the program by now, so that what this process allocates from here on is not taken for its own.
    let own_peak = own_peak_memory();
    let pid = Pid::from_child(&child);
    let mut family = Family::of(pid);
    let watched = limit_without_us(pid, limits)
        .and_then(|()| watch(pid, &mut family, begun, limits, interrupt, [&stdout, &stderr]));
    // The leader is not waited for before all others are gone: until then its number is taken, and
    // the group cannot be somebody else's.
    family.kill();
    let used = child.wait4()?;
    let wall = begun.elapsed();
    let how = match watched? {
        Some(cause) => How::Killed(cause),
        None => how_ended(used.status),
    };
    Ok(Ended {
        how,
        stdout: read_back(stdout)?,
        stderr: read_back(stderr)?,
        // What the system counted is exact but leaves out descendants that nobody waited for.
        cpu: (used.rusage.utime + used.rusage.stime).max(family.peak_cpu()),
        wall,
        peak: peak(used.rusage.maxrss, family.peak_memory(), own_peak),
    })
}

/// The most memory of a program for which the system counted so much, of which so much was seen.
///
/// A process is born as a copy of its parent, and Linux counts that as its own memory: a figure that is no larger
/// than ours is ours. Linux counts pages for each processor and adds them up from time to time, so that two
/// figures for the same memory differ by some megabytes.
fn peak(counted: u64, seen: u64, ours: u64) -> u64 {
    let is_ours = counted <= ours + ours / 8;
    if is_ours && seen > 0 { seen } else { counted.max(seen) }
}

/// The most memory that this process ever had, in bytes, as Linux tells it.
fn own_peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// A limit of each process that holds even if this process is killed: what is left running then
/// ends some time.
fn limit_without_us(pid: Pid, limits: &Limits) -> io::Result<()> {
    let Some(wall) = limits.wall.max(limits.cpu) else { return Ok(()) };
    let seconds = Some(wall.as_secs() + 2);
    match prlimit(Some(pid), Resource::Cpu, Rlimit { current: seconds, maximum: seconds }) {
        // A process that has ended needs none.
        Ok(_) | Err(rustix::io::Errno::SRCH) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Returns when the program has ended, or has to.
fn watch(
    pid: Pid,
    family: &mut Family,
    begun: Instant,
    limits: &Limits,
    interrupt: &Interrupt,
    outputs: [&File; 2],
) -> io::Result<Option<Cause>> {
    let descriptor = pidfd_open(pid, PidfdFlags::empty())?;
    let mut interval = FIRST_INTERVAL;
    loop {
        let mut events = [PollFd::new(&descriptor, PollFlags::IN)];
        let timeout = Timespec::try_from(interval).map_err(io::Error::other)?;
        interval = INTERVAL.min(2 * interval);
        match poll(&mut events, Some(&timeout)) {
            Ok(0) => {}
            Ok(_) => return Ok(None),
            // A signal; the interrupt below knows which.
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        family.look()?;
        let exceeds = |used: Duration, limit: Option<Duration>| limit.is_some_and(|l| used > l);
        let written = outputs[0].metadata()?.len() + outputs[1].metadata()?.len();
        let cause = if interrupt.is_requested() {
            Cause::Interrupt
        } else if exceeds(family.peak_cpu(), limits.cpu) {
            Cause::Cpu
        } else if limits.memory.is_some_and(|limit| family.peak_memory() > limit) {
            Cause::Memory
        } else if exceeds(begun.elapsed(), limits.wall) {
            Cause::Wall
        } else if written > MAX_OUTPUT {
            Cause::Output
        } else {
            continue;
        };
        return Ok(Some(cause));
    }
}

fn how_ended(status: ExitStatus) -> How {
    match (status.code(), status.signal()) {
        (Some(code), _) => How::Exited(code),
        (None, signal) => How::Signalled(signal.unwrap_or(0)),
    }
}

/// What was written, or the end of it.
fn read_back(mut file: File) -> io::Result<String> {
    let length = file.metadata()?.len();
    file.seek(io::SeekFrom::Start(length.saturating_sub(KEPT_OUTPUT)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::thread;

    use super::*;

    fn bash(script: &str, limits: &Limits) -> Ended {
        run(Command::new("bash").args(["-c", script]), limits, &Interrupt::never())
            .expect("bash can be run")
    }

    fn seconds(seconds: f64) -> Option<Duration> {
        Some(Duration::from_secs_f64(seconds))
    }

    /// Whether the process whose number is in the file is gone or about to go.
    fn is_gone(file: &Path) -> bool {
        let pid = fs::read_to_string(file).expect("the script wrote its number");
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        // A zombie waits for init to notice it.
        stat.map_or(true, |stat| stat.contains(") Z "))
    }

    #[test]
    fn what_ends_by_itself_is_measured() {
        let ended = bash("echo out; echo err >&2; exit 3", &Limits::default());
        assert_eq!(ended.how, How::Exited(3));
        assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), ("out\n", "err\n"));
        assert!(ended.peak > 500_000, "{ended:?}");
        assert!(ended.wall < Duration::from_secs(5), "{ended:?}");
        assert_eq!(bash("kill -SEGV $$", &Limits::default()).how, How::Signalled(11));
    }

    #[test]
    fn processor_time_of_waited_children_counts() {
        let script = "bash -c 'for ((i = 0; i < 200000; i++)); do :; done'; :";
        let ended = bash(script, &Limits::default());
        assert!(ended.cpu > Duration::from_millis(100), "{ended:?}");
    }

    #[test]
    fn limit_of_processor_time() {
        let limits = Limits { cpu: seconds(0.2), ..Limits::default() };
        // The work is done by two children, neither of which exceeds the limit alone.
        let ended = bash("while :; do :; done & while :; do :; done & wait", &limits);
        assert_eq!(ended.how, How::Killed(Cause::Cpu));
        assert!(ended.cpu < Duration::from_secs(2), "{ended:?}");
    }

    #[test]
    fn limit_on_the_clock() {
        let limits = Limits { wall: seconds(0.2), ..Limits::default() };
        let ended = bash("sleep 30", &limits);
        assert_eq!(ended.how, How::Killed(Cause::Wall));
        assert!(ended.wall < Duration::from_secs(5), "{ended:?}");
    }

    #[test]
    fn limit_of_memory() {
        let limits = Limits { memory: Some(50 << 20), wall: seconds(30.0), ..Limits::default() };
        let ended = bash("x=$(printf '%0.1000000d' 1); while :; do x=$x$x; done", &limits);
        assert_eq!(ended.how, How::Killed(Cause::Memory));
        assert!(ended.peak > 50 << 20, "{ended:?}");
    }

    #[test]
    fn our_own_memory_is_not_counted() {
        let ours = vec![1_u8; 200 << 20];
        let ended = bash("sleep 0.05", &Limits::default());
        assert!(ended.peak < 50 << 20, "{ended:?} of {}", ours.len());
    }

    #[test]
    fn figures_a_little_above_ours_are_ours() {
        assert_eq!(peak(213 << 20, 4 << 20, 205 << 20), 4 << 20);
        assert_eq!(peak(500 << 20, 4 << 20, 205 << 20), 500 << 20);
        // What ended before anybody looked has no other figure.
        assert_eq!(peak(100 << 20, 0, 205 << 20), 100 << 20);
    }

    #[test]
    fn limit_of_output() {
        let limits = Limits { wall: seconds(30.0), ..Limits::default() };
        let ended = bash("yes", &limits);
        assert_eq!(ended.how, How::Killed(Cause::Output));
    }

    #[test]
    fn children_die_with_a_killed_program() {
        let directory = tempfile::tempdir().expect("a directory");
        let [plain, session] = ["plain", "session"].map(|name| directory.path().join(name));
        let script = format!(
            "sleep 60 & echo $! > {}; setsid bash -c 'echo $$ > {}; sleep 60; :' & wait",
            plain.display(),
            session.display()
        );
        let limits = Limits { wall: seconds(0.4), ..Limits::default() };
        assert_eq!(bash(&script, &limits).how, How::Killed(Cause::Wall));
        assert!(is_gone(&plain));
        assert!(is_gone(&session), "a session of its own does not help");
    }

    #[test]
    fn children_die_with_a_program_that_ends() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("pid");
        let script = format!("sleep 60 & echo $! > {}", file.display());
        let ended = bash(&script, &Limits::default());
        assert_eq!(ended.how, How::Exited(0));
        assert!(ended.wall < Duration::from_secs(5), "{ended:?}");
        assert!(is_gone(&file));
    }

    #[test]
    fn programs_run_side_by_side_are_measured_apart() {
        let (busy, idle) = thread::scope(|scope| {
            let limits = Limits { cpu: seconds(0.3), ..Limits::default() };
            let busy = scope.spawn(move || bash("while :; do :; done", &limits));
            let idle = scope.spawn(move || bash("sleep 0.5", &limits));
            (busy.join().expect("no panic"), idle.join().expect("no panic"))
        });
        assert_eq!((busy.how, idle.how), (How::Killed(Cause::Cpu), How::Exited(0)));
        assert!(idle.cpu < Duration::from_millis(200), "{idle:?}");
    }

    #[test]
    fn what_cannot_be_started_is_an_error() {
        let mut command = Command::new("/nonexistent/verifier");
        run(&mut command, &Limits::default(), &Interrupt::never()).expect_err("no such program");
    }
}
