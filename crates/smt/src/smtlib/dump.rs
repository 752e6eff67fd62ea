//! Keeping the questions to a solver as files.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ravelin_term::{Term, TermPool};

use super::encode::Encoder;
use super::{OPTIONS, prelude};
use crate::{Answer, Check, Core, Model};

/// A solver that writes each check into a directory, as a script that is complete in itself:
/// `000001.smt2` and so on, numbers that are taken left out. A file is there whole or not at all.
///
/// Writing never disturbs the answers. The first failure ends it; [`Dumping::error`] tells.
#[derive(Debug)]
pub struct Dumping<S> {
    inner: S,
    directory: PathBuf,
    /// The number of the last file.
    number: u64,
    /// What is asserted, by scope, outermost first. There is always one.
    scopes: Vec<Vec<Term>>,
    error: Option<io::Error>,
}

impl<S> Dumping<S> {
    /// Wraps a solver that nothing has been asserted in yet. Makes the directory if there is none.
    pub fn new(inner: S, directory: impl Into<PathBuf>) -> io::Result<Self> {
        let directory = directory.into();
        fs::create_dir_all(&directory)?;
        Ok(Dumping { inner, directory, number: 0, scopes: vec![Vec::new()], error: None })
    }

    /// Why no more files are written.
    pub fn error(&self) -> Option<&io::Error> {
        self.error.as_ref()
    }

    pub fn into_inner(self) -> S {
        self.inner
    }

    fn dump(&mut self, pool: &TermPool, assumptions: &[Term], answer: &Answer, time: Duration) {
        if self.error.is_some() {
            return;
        }
        let asserted = self.scopes.iter().flatten().chain(assumptions);
        let script = script(pool, asserted, answer, time);
        match write_numbered(&self.directory, self.number + 1, &script) {
            Ok(number) => self.number = number,
            Err(error) => self.error = Some(error),
        }
    }
}

/// A script that asks whether the terms hold together.
fn script<'a>(
    pool: &TermPool,
    terms: impl Iterator<Item = &'a Term>,
    answer: &Answer,
    time: Duration,
) -> String {
    let (status, comment) = match answer {
        Answer::Sat => ("sat", "sat".to_owned()),
        Answer::Unsat => ("unsat", "unsat".to_owned()),
        // A line break would end the comment.
        Answer::Unknown(reason) => {
            let reason = reason.to_string();
            let words: Vec<&str> = reason.split_whitespace().collect();
            ("unknown", format!("unknown ({})", words.join(" ")))
        }
    };
    let seconds = time.as_secs_f64();
    let mut script = format!(
        "; answer: {comment}\n; time: {seconds:.6} s\n{OPTIONS}(set-info :status {status})\n{}",
        prelude::text(pool.pointer_bits())
    );
    let mut encoder = Encoder::new(pool.pointer_bits());
    for &term in terms {
        encoder.assert(pool, term, &mut script);
    }
    script.push_str("(check-sat)\n");
    script
}

/// Writes a file with the first free number from `number` on, and gives that number.
fn write_numbered(directory: &Path, mut number: u64, text: &str) -> io::Result<u64> {
    // As readable as any other file; temporary files are private otherwise.
    let permissions = fs::Permissions::from_mode(0o666);
    let mut file = tempfile::Builder::new()
        .prefix(".dump-")
        .permissions(permissions)
        .tempfile_in(directory)?;
    file.write_all(text.as_bytes())?;
    loop {
        match file.persist_noclobber(directory.join(format!("{number:06}.smt2"))) {
            Ok(_) => return Ok(number),
            Err(taken) if taken.error.kind() == io::ErrorKind::AlreadyExists => {
                file = taken.file;
                number += 1;
            }
            Err(failed) => return Err(failed.error),
        }
    }
}

impl<S: Check> Check for Dumping<S> {
    fn assert(&mut self, pool: &TermPool, term: Term) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(term);
        }
        self.inner.assert(pool, term);
    }

    fn push(&mut self) {
        self.scopes.push(Vec::new());
        self.inner.push();
    }

    /// # Panics
    /// When there is no scope to close.
    fn pop(&mut self) {
        assert!(self.scopes.len() > 1, "pop without push");
        self.scopes.pop();
        self.inner.pop();
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Answer {
        let start = Instant::now();
        let answer = self.inner.check(pool, assumptions);
        self.dump(pool, assumptions, &answer, start.elapsed());
        answer
    }

    fn set_timeout(&mut self, limit: Option<Duration>) {
        self.inner.set_timeout(limit);
    }
}

impl<S: Model> Model for Dumping<S> {
    fn value(&mut self, pool: &mut TermPool, term: Term) -> Option<Term> {
        self.inner.value(pool, term)
    }
}

impl<S: Core> Core for Dumping<S> {
    fn core(&mut self) -> Vec<usize> {
        self.inner.core()
    }
}
