//! Processes, so many at a time, which end when this one is asked to.

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

/// What a process left.
#[derive(Debug)]
pub struct Finished {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// None if a signal ended it.
    pub code: Option<i32>,
    pub time: Duration,
}

/// Whether all processes came to an end of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Complete,
    /// A signal asked for the end: some may not even have begun.
    Interrupted,
}

/// How long a process that is asked to end may take; it takes half a second itself to find its last words.
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

/// Runs commands, each known by a number, and tells what became of each when it ends. A signal that asks for the
/// end is passed on, and nothing is begun any more.
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
            // Asked twice, or too late.
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
    // Without the handlers a signal ends the process as it ends any other.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    thread::spawn(move || {
        // When nobody listens any more, there is nothing left to end.
        while signals.forever().next().is_some() && sender.send(Event::Signal).is_ok() {}
    });
}

/// None when it is too late.
fn next_event(events: &Receiver<Event>, end: Option<Instant>) -> Option<Event> {
    match end {
        None => events.recv().ok(),
        Some(end) => events.recv_timeout(end.saturating_duration_since(Instant::now())).ok(),
    }
}

/// A thread that failed leaves nothing half done here.
fn lock(crew: &Mutex<Crew>) -> MutexGuard<'_, Crew> {
    crew.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Crew {
    fn send(&self, signal: Signal) {
        for pid in self.running.values() {
            // One that is gone needs none.
            let _ = kill_process(*pid, signal);
        }
    }

    /// Begins the next one. Nobody can ask for the end between the start and its entry in the list.
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
    // Once it is waited for, its number may be that of another process.
    lock(crew).running.remove(&number);
    let status = child.wait()?;
    Ok(Finished { stdout, stderr, code: status.code(), time: begun.elapsed() })
}

/// As much as can be read.
fn read_all(pipe: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe {
        // What is missing shows in what is read.
        let _ = pipe.read_to_end(&mut bytes);
    }
    bytes
}
