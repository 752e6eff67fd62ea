//! Which solver answers: Z3 in this process, or any program that reads SMT-LIB.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ravelin_analysis::oracle::MakeSolver;
use ravelin_smt::smtlib::{Dumping, SmtLibSolver, StartError};
use ravelin_smt::z3_backend::Z3Solver;
use ravelin_smt::{Answer, Check, Core, Model, Solver};
use ravelin_term::{Term, TermPool};

use crate::args::SolverArgs;

/// Why there is no solver.
#[derive(Debug)]
pub enum Absent {
    Start(StartError),
    /// The directory for questions cannot be made.
    Dump(PathBuf, io::Error),
}

/// Makes solvers as the arguments ask. The first is started here: a command that is no solver should
/// be told at once.
pub fn maker(args: &SolverArgs, pointer_bits: u16) -> Result<MakeSolver, Absent> {
    let dump = args.dump_smt2.clone();
    if let Some(directory) = &dump {
        Dumping::new((), directory).map_err(|error| Absent::Dump(directory.clone(), error))?;
    }
    let Some(command) = args.solver.as_ref().map(|command| command.0.clone()) else {
        return Ok(Box::new(move || finish(Z3Solver::new(), dump.as_deref())));
    };
    SmtLibSolver::start(&command, pointer_bits).map_err(Absent::Start)?;
    Ok(Box::new(move || match SmtLibSolver::start(&command, pointer_bits) {
        Ok(solver) => finish(solver, dump.as_deref()),
        Err(error) => Box::new(Gone { reason: error.to_string() }),
    }))
}

fn finish<S: Solver + 'static>(solver: S, dump: Option<&Path>) -> Box<dyn Solver> {
    let Some(directory) = dump else {
        return Box::new(solver);
    };
    match Dumping::new(solver, directory) {
        Ok(dumping) => Box::new(Told { inner: dumping, told: false }),
        Err(error) => Box::new(Gone { reason: format!("{}: {error}", directory.display()) }),
    }
}

/// A command line that is given as one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverCommand(Vec<OsString>);

impl SolverCommand {
    /// Splits a command as a shell does, without expansions.
    pub fn parse(text: &str) -> Result<Self, String> {
        let words = shlex::split(text).ok_or("a quote is not closed")?;
        if words.is_empty() {
            return Err("the name of a program expected".to_owned());
        }
        Ok(SolverCommand(words.into_iter().map(OsString::from).collect()))
    }
}

/// Stands for a solver that could be started once, but not again.
struct Gone {
    reason: String,
}

impl Check for Gone {
    fn assert(&mut self, _: &TermPool, _: Term) {}

    fn push(&mut self) {}

    fn pop(&mut self) {}

    fn check(&mut self, _: &TermPool, _: &[Term]) -> Answer {
        Answer::Unknown(self.reason.clone())
    }

    fn set_timeout(&mut self, _: Option<Duration>) {}
}

impl Model for Gone {
    fn value(&mut self, _: &mut TermPool, _: Term) -> Option<Term> {
        None
    }
}

impl Core for Gone {
    fn core(&mut self) -> Vec<usize> {
        Vec::new()
    }
}

/// Tells the user, once, that questions are no longer written.
struct Told<S> {
    inner: Dumping<S>,
    told: bool,
}

impl<S: Check> Check for Told<S> {
    fn assert(&mut self, pool: &TermPool, term: Term) {
        self.inner.assert(pool, term);
    }

    fn push(&mut self) {
        self.inner.push();
    }

    fn pop(&mut self) {
        self.inner.pop();
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Answer {
        let answer = self.inner.check(pool, assumptions);
        if let Some(error) = self.inner.error()
            && !self.told
        {
            crate::log(&format!("ravelin: questions are no longer written: {error}\n"));
            self.told = true;
        }
        answer
    }

    fn set_timeout(&mut self, limit: Option<Duration>) {
        self.inner.set_timeout(limit);
    }
}

impl<S: Model> Model for Told<S> {
    fn value(&mut self, pool: &mut TermPool, term: Term) -> Option<Term> {
        self.inner.value(pool, term)
    }
}

impl<S: Core> Core for Told<S> {
    fn core(&mut self) -> Vec<usize> {
        self.inner.core()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        let words = |text: &str| {
            SolverCommand::parse(text).map(|command| {
                command.0.iter().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>()
            })
        };
        assert_eq!(words("z3 -in"), Ok(vec!["z3".to_owned(), "-in".to_owned()]));
        assert_eq!(words("'my solver' -x"), Ok(vec!["my solver".to_owned(), "-x".to_owned()]));
        assert!(words("").is_err());
        assert!(words("'z3").is_err());
    }

    #[test]
    fn a_solver_that_is_gone_knows_nothing() {
        let mut gone = Gone { reason: "moved".to_owned() };
        let mut pool = TermPool::new(32);
        let yes = pool.bool(true);
        assert_eq!(gone.check(&pool, &[yes]), Answer::Unknown("moved".to_owned()));
        assert_eq!(gone.value(&mut pool, yes), None);
    }
}
