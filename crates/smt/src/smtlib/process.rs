//! The child process that a solver runs in.
//!
//! Threads write its commands and read its replies, so that nothing the process does or fails to do
//! blocks the caller: who waits for a reply waits at a channel, with a deadline.
//!
//! All processes are known to a registry, so that a thread that is about to end this program can end
//! them, too: [`end_all`].

use std::ffi::OsString;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use ravelin_base::deadline::wait;

use super::sexpr::{Malformed, Reader, Sexpr};

/// Why there is no usable reply. After any of these the process is in no known state and must go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    Timeout,
    /// The process ended or closed its output; with its last words.
    Crashed(String),
    /// The solver says that it cannot do what it was told.
    Refused(String),
    /// The replies are not those that the commands ask for.
    Junk(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Timeout => f.write_str("timeout"),
            Failure::Crashed(words) => write!(f, "solver crashed: {words}"),
            Failure::Refused(message) => write!(f, "solver error: {message}"),
            Failure::Junk(what) => write!(f, "unexpected reply of the solver: {what}"),
        }
    }
}

impl Failure {
    /// For a reply that is well-formed but not of the expected form.
    pub(super) fn unexpected(replies: &[Sexpr]) -> Failure {
        let text: Vec<String> = replies.iter().map(Sexpr::to_string).collect();
        Failure::Junk(if text.is_empty() { "nothing".to_owned() } else { shorten(&text.join(" ")) })
    }
}

/// Enough of a solver's message for a reader.
fn shorten(text: &str) -> String {
    const LONGEST: usize = 300;
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &words[..end]),
        None => words,
    }
}

/// A running solver. Dropping it ends it.
#[derive(Debug)]
pub(super) struct Process {
    child: Arc<Mutex<Child>>,
    commands: Sender<Vec<u8>>,
    replies: Receiver<Result<Sexpr, Malformed>>,
    last_words: LastWords,
    /// How many questions there were.
    questions: u64,
}

impl Process {
    /// Starts the program that is the first word of the command.
    pub(super) fn start(program: &OsString, arguments: &[OsString]) -> io::Result<Process> {
        let child = spawn(program, arguments)?;
        let connection = connect(&mut lock(&child));
        let (commands, replies, last_words) = connection.inspect_err(|_| end(&child))?;
        Ok(Process { child, commands, replies, last_words, questions: 0 })
    }

    /// Sends commands and collects all that the solver has to say about them.
    pub(super) fn ask(
        &mut self,
        mut script: String,
        deadline: Option<Instant>,
    ) -> Result<Vec<Sexpr>, Failure> {
        self.questions += 1;
        // The solver repeats the mark after its replies, so it is known where they end, and a reply
        // too many or too few cannot pass for that to a later question.
        let mark = format!("ravelin-{}", self.questions);
        script.push_str(&format!("(echo \"{mark}\")\n"));
        // Where the process is gone, the missing reply tells.
        let _ = self.commands.send(script.into_bytes());
        let mut replies = Vec::new();
        loop {
            let reply = match self.receive(deadline)? {
                Ok(reply) => reply,
                Err(malformed) => return Err(Failure::Junk(malformed.to_string())),
            };
            match &reply {
                Sexpr::Atom(text) | Sexpr::Text(text) if *text == mark => return Ok(replies),
                Sexpr::List(items) if items.first().and_then(Sexpr::as_atom) == Some("error") => {
                    return Err(Failure::Refused(message(items)));
                }
                // A program that repeats its input is no solver, and would never give the mark alone.
                Sexpr::List(items) if items.contains(&Sexpr::Text(mark.clone())) => {
                    return Err(Failure::unexpected(&[reply]));
                }
                Sexpr::Atom(_) | Sexpr::Text(_) | Sexpr::List(_) => replies.push(reply),
            }
            if replies.len() > MAX_REPLIES {
                return Err(Failure::unexpected(&replies[..4]));
            }
        }
    }

    fn receive(&mut self, deadline: Option<Instant>) -> Result<Result<Sexpr, Malformed>, Failure> {
        let Some(deadline) = deadline else {
            return wait(|| self.replies.recv()).map_err(|_| self.crash());
        };
        let left = deadline.saturating_duration_since(Instant::now());
        wait(|| self.replies.recv_timeout(left)).map_err(|error| match error {
            RecvTimeoutError::Timeout => Failure::Timeout,
            RecvTimeoutError::Disconnected => self.crash(),
        })
    }

    /// What is known about a process whose output ended.
    fn crash(&mut self) -> Failure {
        let until = Instant::now() + MOMENT;
        let words = self.last_words.wait(until);
        Failure::Crashed(if words.is_empty() { self.status(until) } else { shorten(&words) })
    }

    /// How the process ended. Its output ends a little before it does, so this waits, but not long: a
    /// process may close its output and go on.
    fn status(&mut self, until: Instant) -> String {
        loop {
            let ended = lock(&self.child).try_wait();
            match ended {
                Ok(Some(status)) => return status.to_string(),
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(1)),
                Ok(None) | Err(_) => return "it closed its output".to_owned(),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        end(&self.child);
    }
}

/// Leaves neither a running process nor a zombie.
fn end(child: &Arc<Mutex<Child>>) {
    registry().running.retain(|other| !Arc::ptr_eq(other, child));
    let mut child = lock(child);
    // Killing fails only for a process that has ended, which then is waited for all the same.
    let _ = child.kill();
    let _ = child.wait();
}

/// All solvers that run.
struct Registry {
    running: Vec<Arc<Mutex<Child>>>,
    closed: bool,
}

static REGISTRY: Mutex<Registry> = Mutex::new(Registry { running: Vec::new(), closed: false });

fn registry() -> MutexGuard<'static, Registry> {
    lock(&REGISTRY)
}

/// What a thread left behind that panicked is a list or a process all the same.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a process that [`end_all`] knows of from its beginning.
fn spawn(program: &OsString, arguments: &[OsString]) -> io::Result<Arc<Mutex<Child>>> {
    let mut registry = registry();
    if registry.closed {
        return Err(io::Error::other("solvers are being ended"));
    }
    let child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let child = Arc::new(Mutex::new(child));
    registry.running.push(Arc::clone(&child));
    Ok(child)
}

/// Ends all solvers that run in processes of their own, for good: none is started any more. For a
/// program that is about to end while other threads may still wait for replies.
pub fn end_all() {
    let mut registry = registry();
    registry.closed = true;
    for child in registry.running.drain(..) {
        let mut child = lock(&child);
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// The numbers of the processes that solvers run in.
pub fn running() -> Vec<u32> {
    registry().running.iter().map(|child| lock(child).id()).collect()
}

/// What a process whose output ended has to end in, if it does.
const MOMENT: Duration = Duration::from_millis(500);

/// More replies than this to the commands before a mark are no replies.
const MAX_REPLIES: usize = 1000;

/// The text of an error reply.
fn message(items: &[Sexpr]) -> String {
    match items {
        [_, Sexpr::Text(text)] => shorten(text),
        _ => shorten(&Sexpr::List(items.to_vec()).to_string()),
    }
}

type Connection = (Sender<Vec<u8>>, Receiver<Result<Sexpr, Malformed>>, LastWords);

/// Starts the threads between the process and the channels. They end when the pipes do, at the
/// latest when the process ends.
fn connect(child: &mut Child) -> io::Result<Connection> {
    let missing = || io::Error::other("a pipe to the solver is missing");
    let stdin = child.stdin.take().ok_or_else(missing)?;
    let stdout = child.stdout.take().ok_or_else(missing)?;
    let stderr = child.stderr.take().ok_or_else(missing)?;
    let (commands, to_write) = mpsc::channel();
    let (read, replies) = mpsc::channel();
    let name = |what: &str| thread::Builder::new().name(format!("solver-{what}"));
    name("commands").spawn(move || write_commands(stdin, &to_write))?;
    name("replies").spawn(move || read_replies(stdout, &read))?;
    let line = Arc::new(Mutex::new(String::new()));
    let (open, closed) = mpsc::channel();
    let shared = Arc::clone(&line);
    name("messages").spawn(move || keep_last_line(stderr, &shared, open))?;
    Ok((commands, replies, LastWords { line, closed }))
}

fn write_commands(mut stdin: ChildStdin, commands: &Receiver<Vec<u8>>) {
    for command in commands {
        // A process that no longer reads has ended or is about to.
        if stdin.write_all(&command).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_replies(mut stdout: ChildStdout, replies: &Sender<Result<Sexpr, Malformed>>) {
    let mut reader = Reader::default();
    let mut whole = Vec::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        let read = match stdout.read(&mut chunk) {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        let fed = match read {
            0 => reader.finish(&mut whole),
            _ => reader.feed(&chunk[..read], &mut whole),
        };
        for reply in whole.drain(..) {
            if replies.send(Ok(reply)).is_err() {
                return;
            }
        }
        if let Err(malformed) = fed {
            // The receiver may be gone, which is as good.
            let _ = replies.send(Err(malformed));
            return;
        }
        if read == 0 {
            return;
        }
    }
}

/// Reads messages until there are no more; `_open` tells by its end.
fn keep_last_line(stderr: ChildStderr, line: &Mutex<String>, _open: Sender<()>) {
    let mut stderr = BufReader::new(stderr);
    let mut bytes = Vec::new();
    // A line without end would fill the memory; what is cut off is no last line worth having.
    const LONGEST: u64 = 1 << 16;
    loop {
        bytes.clear();
        match stderr.by_ref().take(LONGEST).read_until(b'\n', &mut bytes) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return,
        }
        let text = String::from_utf8_lossy(&bytes);
        if !text.trim().is_empty() {
            *line.lock().unwrap_or_else(PoisonError::into_inner) = text.trim().to_owned();
        }
    }
}

/// The last line that a process wrote to its standard error.
#[derive(Debug)]
struct LastWords {
    line: Arc<Mutex<String>>,
    /// Disconnected as soon as there can be no further line.
    closed: Receiver<()>,
}

impl LastWords {
    /// The line, as soon as there can be no other or the time has come.
    fn wait(&self, until: Instant) -> String {
        // Nothing is ever sent: this waits for the end of the stream.
        let _ = self.closed.recv_timeout(until.saturating_duration_since(Instant::now()));
        self.line.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
