//! Runs processes, a limited number at a time, and ends them when this one is asked to end.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Read};
use std::process::{Child, Command};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// The result of a process.
#[derive(Debug)]
pub struct Finished {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    pub time: Duration,
}

/// Whether all processes ended by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Complete,
    /// A signal asked for the end: some may not have started.
    Interrupted,
}

/// The time for a process to end when it is asked to; it takes up to half a second to print its
/// last answer.
const GRACE: Duration = Duration::from_millis(1500);

enum Event {
    Finished(usize, io::Result<Finished>),
    Signal,
}

/// What the threads that wait for processes share.
#[derive(Default)]
struct Crew {
    waiting: VecDeque<(usize, Command)>,
    running: BTreeMap<usize, Pid>,
}

/// Runs commands, each with a number, and reports the result of each when it ends. Passes on
/// signals that ask for the end, and then starts no further command.
pub fn run_all(
    commands: Vec<(usize, Command)>,
    jobs: usize,
    mut hear: impl FnMut(usize, io::Result<Finished>),
) -> Ending {
    let (sender, events) = mpsc::channel();
    watch_signals(sender.clone());
    let mut left = commands.len();
    let crew = Arc::new(Mutex::new(Crew { waiting: commands.into(), ..Crew::default() }));
    for _ in 0..jobs.min(left) {
        let (crew, sender) = (Arc::clone(&crew), sender.clone());
        thread::spawn(move || work(&crew, &sender));
    }
    let mut end = None;
    while left > 0 {
        match next_event(&events, end) {
            Some(Event::Finished(number, finished)) => {
                left -= 1;
                hear(number, finished);
            }
            Some(Event::Signal) if end.is_none() => {
                let mut crew = lock(&crew);
                left -= crew.waiting.len();
                crew.waiting.clear();
                crew.send(Signal::TERM);
                end = Some(Instant::now() + GRACE);
            }
            // The second signal, or too late.
            Some(Event::Signal) | None => {
                lock(&crew).send(Signal::KILL);
                break;
            }
        }
    }
    match end {
        None => Ending::Complete,
        Some(_) => Ending::Interrupted,
    }
}

fn watch_signals(sender: Sender<Event>) {
    // Without the handlers a signal ends the process in the default way.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    thread::spawn(move || {
        // Without a receiver, there is nothing left to end.
        while signals.forever().next().is_some() && sender.send(Event::Signal).is_ok() {}
    });
}

/// `None` if it is too late.
fn next_event(events: &Receiver<Event>, end: Option<Instant>) -> Option<Event> {
    match end {
        None => events.recv().ok(),
        Some(end) => events.recv_timeout(end.saturating_duration_since(Instant::now())).ok(),
    }
}

/// A thread that failed leaves no inconsistent state here.
fn lock(crew: &Mutex<Crew>) -> MutexGuard<'_, Crew> {
    crew.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Crew {
    fn send(&self, signal: Signal) {
        for pid in self.running.values() {
            // A process that has ended needs no signal.
            let _ = kill_process(*pid, signal);
        }
    }

    /// Starts the next process. No signal is handled between the start and its entry in the list.
    fn start_next(&mut self) -> Option<(usize, io::Result<Child>)> {
        let (number, mut command) = self.waiting.pop_front()?;
        let child = command.spawn();
        if let Ok(child) = &child {
            self.running.insert(number, Pid::from_child(child));
        }
        Some((number, child))
    }
}

fn work(crew: &Mutex<Crew>, sender: &Sender<Event>) {
    loop {
        let begun = Instant::now();
        let Some((number, child)) = lock(crew).start_next() else { return };
        let finished = child.and_then(|child| finish(number, child, crew, begun));
        if sender.send(Event::Finished(number, finished)).is_err() {
            return;
        }
    }
}

fn finish(
    number: usize,
    mut child: Child,
    crew: &Mutex<Crew>,
    begun: Instant,
) -> io::Result<Finished> {
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    // Both pipes must be emptied at the same time, or the process may wait for ever.
    let errors = thread::spawn(move || read_all(stderr));
    let stdout = read_all(stdout);
    let stderr = errors.join().unwrap_or_default();
    // After the wait, another process may get its number.
    lock(crew).running.remove(&number);
    let status = child.wait()?;
    Ok(Finished { stdout, stderr, code: status.code(), time: begun.elapsed() })
}

/// Everything that can be read.
fn read_all(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        // Missing output shows in the result.
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}
