//! Solvers that read SMT-LIB 2 from a pipe: `z3 -in`, `cvc5 --incremental` and others.
//!
//! [`SmtLibSolver`] keeps what is asserted as terms and brings the process up to date with each
//! check. So a process that hangs, crashes or says what it should not is replaced, and the next
//! check tells the new one everything. An answer is believed only if the reply is exactly that
//! answer; all else is [`Answer::Unknown`] with the reason.
//!
//! [`Dumping`] puts the questions that go to any solver into files.

mod dump;
mod encode;
mod literal;
mod model;
mod prelude;
mod process;
mod sexpr;

pub use dump::Dumping;
pub use process::{end_all, running};

use std::ffi::OsString;
use std::fmt;
use std::time::{Duration, Instant};

use ravelin_term::{Term, TermPool};

use self::encode::{Encoder, assumption_name};
use self::process::{Failure, Process};
use self::sexpr::Sexpr;
use crate::{Answer, Check, Core, Model};

/// A solver in a process of its own, which ends with this value.
///
/// All calls must pass the same pool. The command should be the solver itself: of a script that
/// starts one without `exec`, only the script is ended.
#[derive(Debug)]
pub struct SmtLibSolver {
    command: Vec<OsString>,
    pointer_bits: u16,
    timeout: Option<Duration>,
    /// What is asserted, by scope, outermost first. There is always one.
    scopes: Vec<Vec<Term>>,
    /// `None` after the process had to go; the next check starts another.
    session: Option<Session>,
    last: Outcome,
}

/// A process and what it has been told.
#[derive(Debug)]
struct Session {
    process: Process,
    encoder: Encoder,
    /// How many assertions of each scope have been sent, for the scopes that are open in the process
    /// and here.
    sent: Vec<usize>,
    /// How many scopes are open in the process, innermost, but not here. They are closed with the next
    /// check only, so that the model and the core outlive the scope of the check.
    left: usize,
}

/// How the last check ended.
#[derive(Debug)]
enum Outcome {
    Unknown,
    Sat,
    /// With the assumptions.
    Unsat(Vec<Term>, Assumed),
    /// As before, and the core is known.
    Core(Vec<usize>),
}

/// How assumptions were put to the process.
#[derive(Clone, Debug)]
enum Assumed {
    AsLiterals,
    /// Asserted in the innermost scope, after these commands, which define what they need.
    InScope(String),
}

/// Why a solver could not be started.
#[derive(Debug)]
pub enum StartError {
    /// There is no program to start.
    EmptyCommand,
    /// The system could not start the program.
    Spawn(OsString, std::io::Error),
    /// The program runs, but does not answer as a solver does.
    NoSolver(OsString, String),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::EmptyCommand => f.write_str("the command of the solver is empty"),
            StartError::Spawn(program, error) => {
                write!(f, "cannot start the solver {}: {error}", program.display())
            }
            StartError::NoSolver(program, reason) => {
                write!(f, "{} does not answer as an SMT-LIB solver: {reason}", program.display())
            }
        }
    }
}

impl std::error::Error for StartError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            StartError::Spawn(_, error) => Some(error),
            StartError::EmptyCommand | StartError::NoSolver(..) => None,
        }
    }
}

/// A solver that takes longer to say that it is there is none.
const START_LIMIT: Duration = Duration::from_secs(30);

/// The longest that is spent on a core that takes another check.
const CORE_LIMIT: Duration = Duration::from_secs(2);

/// Models and cores on, and the logic that has everything: what else a logic's name switches off
/// differs from solver to solver.
const OPTIONS: &str = "\
(set-option :print-success false)
(set-option :produce-models true)
(set-option :produce-unsat-assumptions true)
(set-logic ALL)
";

impl SmtLibSolver {
    /// Starts a solver for terms whose pointers have `pointer_bits` bits, and waits for its first
    /// reply. The command is a program with its arguments.
    pub fn start(command: &[OsString], pointer_bits: u16) -> Result<Self, StartError> {
        let session = Session::start(command, pointer_bits, Instant::now() + START_LIMIT)?;
        Ok(SmtLibSolver {
            command: command.to_vec(),
            pointer_bits,
            timeout: None,
            scopes: vec![Vec::new()],
            session: Some(session),
            last: Outcome::Unknown,
        })
    }

    /// When an exchange that begins now must have ended.
    fn deadline(&self) -> Option<Instant> {
        // A limit beyond what the clock can express is none.
        self.timeout.and_then(|limit| Instant::now().checked_add(limit))
    }

    /// One exchange with the process, which a failure ends.
    fn ask(&mut self, script: String) -> Result<Vec<Sexpr>, Failure> {
        let deadline = self.deadline();
        let Some(session) = &mut self.session else {
            return Err(Failure::Crashed("no process".to_owned()));
        };
        session.process.ask(script, deadline).inspect_err(|_| self.session = None)
    }

    /// Checks with the process there is, or else a new one.
    fn try_check(
        &mut self,
        pool: &TermPool,
        assumptions: &[Term],
        deadline: Option<Instant>,
    ) -> Result<Answer, Failure> {
        let session = match &mut self.session {
            Some(session) => session,
            None => {
                let start_limit = Instant::now() + START_LIMIT;
                let start_limit = deadline.map_or(start_limit, |own| own.min(start_limit));
                let started = Session::start(&self.command, self.pointer_bits, start_limit);
                self.session.insert(started.map_err(|error| match deadline {
                    Some(deadline) if Instant::now() >= deadline => Failure::Timeout,
                    _ => Failure::Crashed(error.to_string()),
                })?)
            }
        };
        let mut script = String::new();
        session.catch_up(pool, &self.scopes, &mut script);
        let assumed = session.check_under(pool, assumptions, &mut script);
        let replies = session.process.ask(script, deadline)?;
        match replies.as_slice() {
            [Sexpr::Atom(answer)] => match answer.as_str() {
                "sat" => {
                    self.last = Outcome::Sat;
                    Ok(Answer::Sat)
                }
                "unsat" => {
                    self.last = Outcome::Unsat(assumptions.to_vec(), assumed);
                    Ok(Answer::Unsat)
                }
                "unknown" => Ok(Answer::Unknown(session.reason(deadline)?.into())),
                _ => Err(Failure::unexpected(&replies)),
            },
            _ => Err(Failure::unexpected(&replies)),
        }
    }

    /// The positions of the assumptions that the solver names.
    fn ask_for_core(&mut self, assumptions: &[Term], assumed: &Assumed) -> Option<Vec<usize>> {
        let mut deadline = self.deadline();
        let session = self.session.as_mut()?;
        let mut script = String::new();
        if let Assumed::InScope(definitions) = assumed {
            // The solver was not told what is an assumption, so it has to find the contradiction
            // again, the slow way; a smaller core is not worth waiting long.
            script.push_str("(pop 1)\n(push 1)\n");
            script.push_str(definitions);
            session.check_literals(assumptions, &mut script);
            let limit = Instant::now() + CORE_LIMIT;
            deadline = Some(deadline.map_or(limit, |own| own.min(limit)));
        }
        script.push_str("(get-unsat-assumptions)\n");
        let replies = session.process.ask(script, deadline).inspect_err(|_| self.session = None);
        let replies = replies.ok()?;
        let core = match (assumed, replies.as_slice()) {
            (Assumed::AsLiterals, [Sexpr::List(core)]) => core,
            (Assumed::InScope(_), [Sexpr::Atom(answer), Sexpr::List(core)])
                if answer == "unsat" =>
            {
                core
            }
            (Assumed::AsLiterals | Assumed::InScope(_), _) => return None,
        };
        let names: Vec<String> = assumptions.iter().copied().map(assumption_name).collect();
        let mut positions = Vec::with_capacity(core.len());
        for name in core {
            let name = name.as_atom()?;
            positions.push(names.iter().position(|known| known == name)?);
        }
        positions.sort_unstable();
        positions.dedup();
        Some(positions)
    }
}

impl Session {
    fn start(
        command: &[OsString],
        pointer_bits: u16,
        deadline: Instant,
    ) -> Result<Session, StartError> {
        let (program, arguments) = command.split_first().ok_or(StartError::EmptyCommand)?;
        let mut process = Process::start(program, arguments)
            .map_err(|error| StartError::Spawn(program.clone(), error))?;
        let script = format!("{OPTIONS}{}", prelude::text(pointer_bits));
        let no_solver =
            |failure: Failure| StartError::NoSolver(program.clone(), failure.to_string());
        let replies = process.ask(script, Some(deadline)).map_err(no_solver)?;
        // A solver without cores may say so; then every core is all assumptions.
        let is_harmless =
            |reply: &Sexpr| matches!(reply.as_atom(), Some("unsupported" | "success"));
        if !replies.iter().all(is_harmless) {
            return Err(no_solver(Failure::unexpected(&replies)));
        }
        Ok(Session { process, encoder: Encoder::new(pointer_bits), sent: vec![0], left: 0 })
    }

    /// Writes the commands that bring the process to the scopes and assertions there are.
    fn catch_up(&mut self, pool: &TermPool, scopes: &[Vec<Term>], script: &mut String) {
        for _ in 0..std::mem::take(&mut self.left) {
            self.encoder.pop(script);
        }
        for (depth, asserted) in scopes.iter().enumerate() {
            if depth == self.sent.len() {
                self.encoder.push(script);
                self.sent.push(0);
            }
            for &term in &asserted[self.sent[depth]..] {
                self.encoder.assert(pool, term, script);
            }
            self.sent[depth] = asserted.len();
        }
    }

    /// Writes the commands that check under assumptions.
    ///
    /// Simple assumptions become literals, which stay in the process: the same assumptions come again
    /// and again, and a check is four times as fast as with the other way. That is for all else, and
    /// asserts the assumptions in a scope of their own: solvers simplify with what is asserted, but
    /// not with what is assumed, and with multipliers, floats and memory that is the difference
    /// between milliseconds and minutes.
    fn check_under(
        &mut self,
        pool: &TermPool,
        assumptions: &[Term],
        script: &mut String,
    ) -> Assumed {
        let is_costly = |&term: &Term| self.encoder.has_costly_operations(pool, term);
        if assumptions.iter().any(is_costly) {
            self.encoder.push(script);
            self.left += 1;
            let mut definitions = String::new();
            for &term in assumptions {
                self.encoder.encode(pool, term, &mut definitions);
            }
            script.push_str(&definitions);
            for &term in assumptions {
                self.encoder.assert(pool, term, script);
            }
            script.push_str("(check-sat)\n");
            return Assumed::InScope(definitions);
        }
        for &term in assumptions {
            self.encoder.encode(pool, term, script);
        }
        self.check_literals(assumptions, script);
        Assumed::AsLiterals
    }

    /// Writes the command that checks under assumptions that the process knows, as literals.
    fn check_literals(&mut self, assumptions: &[Term], script: &mut String) {
        // The same assumption twice is one: some solvers want them distinct.
        let mut distinct = assumptions.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        if distinct.is_empty() {
            script.push_str("(check-sat)\n");
            return;
        }
        for &term in &distinct {
            self.encoder.assume(term, script);
        }
        let names: Vec<String> = distinct.into_iter().map(assumption_name).collect();
        script.push_str(&format!("(check-sat-assuming ({}))\n", names.join(" ")));
    }

    /// Why the solver does not know.
    fn reason(&mut self, deadline: Option<Instant>) -> Result<String, Failure> {
        let replies = self.process.ask("(get-info :reason-unknown)\n".to_owned(), deadline)?;
        Ok(match replies.as_slice() {
            [Sexpr::List(items)] => match items.as_slice() {
                [_, Sexpr::Atom(reason) | Sexpr::Text(reason)] => reason.clone(),
                _ => "unknown".to_owned(),
            },
            _ => "unknown".to_owned(),
        })
    }
}

impl Check for SmtLibSolver {
    fn assert(&mut self, _pool: &TermPool, term: Term) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(term);
        }
    }

    fn push(&mut self) {
        self.scopes.push(Vec::new());
    }

    /// # Panics
    /// When there is no scope to close.
    fn pop(&mut self) {
        assert!(self.scopes.len() > 1, "pop without push");
        self.scopes.pop();
        if let Some(session) = &mut self.session
            && session.sent.len() > self.scopes.len()
        {
            session.sent.pop();
            session.left += 1;
        }
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Answer {
        self.last = Outcome::Unknown;
        if pool.pointer_bits() != self.pointer_bits {
            let reason = "the solver was started for another pointer width".to_owned();
            return Answer::Unknown(reason.into());
        }
        let deadline = self.deadline();
        // What crashes a solver once may be its history; a new process has none.
        let mut may_retry = true;
        loop {
            match self.try_check(pool, assumptions, deadline) {
                Ok(answer) => return answer,
                Err(failure) => {
                    self.session = None;
                    if !matches!(failure, Failure::Crashed(_)) || !may_retry {
                        return Answer::Unknown(failure.to_string().into());
                    }
                    may_retry = false;
                }
            }
        }
    }

    fn set_timeout(&mut self, limit: Option<Duration>) {
        self.timeout = limit;
    }
}

impl Model for SmtLibSolver {
    fn value(&mut self, pool: &mut TermPool, term: Term) -> Option<Term> {
        match self.last {
            Outcome::Sat => model::value(self, pool, term),
            Outcome::Unknown | Outcome::Unsat(..) | Outcome::Core(_) => None,
        }
    }
}

impl Core for SmtLibSolver {
    fn core(&mut self) -> Vec<usize> {
        let core = match std::mem::replace(&mut self.last, Outcome::Unknown) {
            Outcome::Unsat(assumptions, assumed) => {
                let core = self.ask_for_core(&assumptions, &assumed);
                // All assumptions are a core too, for want of a smaller one.
                core.unwrap_or_else(|| (0..assumptions.len()).collect())
            }
            Outcome::Core(core) => core,
            other @ (Outcome::Unknown | Outcome::Sat) => {
                self.last = other;
                return Vec::new();
            }
        };
        self.last = Outcome::Core(core.clone());
        core
    }
}
