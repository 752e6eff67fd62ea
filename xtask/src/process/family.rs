//! A process, its group and its descendants, as `/proc` shows them.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::thread;
use std::time::Duration;

use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// All processes that a leader of a process group answers for.
#[derive(Debug)]
pub struct Family {
    leader: Pid,
    /// All that were ever seen, with the time of their start: numbers are used again.
    known: BTreeSet<(i32, u64)>,
    peak_ticks: u64,
    peak_pages: u64,
}

/// The fields of `/proc/PID/stat` that matter here.
#[derive(Debug, PartialEq, Eq)]
struct Process {
    pid: i32,
    parent: i32,
    group: i32,
    /// Ended, but its parent has not asked for it.
    is_zombie: bool,
    /// Processor time, with that of children that were waited for.
    ticks: u64,
    start: u64,
    pages: u64,
}

impl Family {
    pub fn of(leader: Pid) -> Family {
        Family { leader, known: BTreeSet::new(), peak_ticks: 0, peak_pages: 0 }
    }

    /// Notes who is there and what they use.
    pub fn look(&mut self) -> io::Result<()> {
        let members = self.members()?;
        self.peak_ticks = self.peak_ticks.max(members.iter().map(|member| member.ticks).sum());
        self.peak_pages = self.peak_pages.max(members.iter().map(|member| member.pages).sum());
        Ok(())
    }

    /// The most processor time that was seen. It may be less than before when somebody ends for
    /// whom nobody waited, hence the most.
    pub fn peak_cpu(&self) -> Duration {
        Duration::from_secs_f64(self.peak_ticks as f64 / clock_ticks_per_second() as f64)
    }

    /// The most resident memory that was seen at a time, in bytes.
    pub fn peak_memory(&self) -> u64 {
        self.peak_pages * page_size() as u64
    }

    /// Kills everyone. The leader must not have been waited for.
    pub fn kill(&mut self) {
        // Whoever forks at this moment may be missed once, but not often; one that cannot die, for
        // it hangs in the kernel, must not hang us.
        for _ in 0..200 {
            // That a process is gone already is no failure, here and below.
            let _ = kill_process_group(self.leader, Signal::KILL);
            let Ok(members) = self.members() else { return };
            let alive = || members.iter().filter(|member| !member.is_zombie);
            for pid in alive().filter_map(|member| Pid::from_raw(member.pid)) {
                let _ = kill_process(pid, Signal::KILL);
            }
            if alive().next().is_none() {
                return;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn members(&mut self) -> io::Result<Vec<Process>> {
        let mut others = all_processes()?;
        let mut members: Vec<Process> = Vec::new();
        let mut pids = BTreeSet::from([self.leader.as_raw_nonzero().get()]);
        // Children may come before their parents in the list.
        loop {
            let belongs = |process: &mut Process| {
                process.group == self.leader.as_raw_nonzero().get()
                    || pids.contains(&process.parent)
                    || self.known.contains(&(process.pid, process.start))
            };
            let found: Vec<Process> = others.extract_if(.., belongs).collect();
            if found.is_empty() {
                return Ok(members);
            }
            pids.extend(found.iter().map(|process| process.pid));
            self.known.extend(found.iter().map(|process| (process.pid, process.start)));
            members.extend(found);
        }
    }
}

fn all_processes() -> io::Result<Vec<Process>> {
    let mut processes = Vec::new();
    for entry in fs::read_dir("/proc")? {
        let entry = entry?;
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else {
            continue;
        };
        // It may have ended since.
        if let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) {
            processes.extend(parse_stat(pid, &stat));
        }
    }
    Ok(processes)
}

/// See `proc_pid_stat(5)`, which counts the fields from 1.
fn parse_stat(pid: i32, stat: &str) -> Option<Process> {
    // The name, field 2, is in parentheses and may hold anything.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3).copied();
    let number = |index: usize| field(index)?.parse::<u64>().ok();
    Some(Process {
        pid,
        is_zombie: matches!(field(3)?, "Z" | "X"),
        parent: field(4)?.parse().ok()?,
        group: field(5)?.parse().ok()?,
        ticks: (14..=17).filter_map(number).sum(),
        start: number(22)?,
        pages: number(24)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_hold_anything() {
        let stat = "7 (a) R 1 2 3) S 5 6 6 0 -1 0 0 0 0 0 10 20 3 4 20 0 1 0 99 8192 50 0";
        let expected = Process {
            pid: 7,
            parent: 5,
            group: 6,
            is_zombie: false,
            ticks: 37,
            start: 99,
            pages: 50,
        };
        assert_eq!(parse_stat(7, stat), Some(expected));
        assert_eq!(parse_stat(7, "7 (cut off) S 5"), None);
    }
}
