//! Which solver answers: Z3 in this process, or any program that reads SMT-LIB.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ravelin_smt::smtlib::{Dumping, SmtLibSolver, StartError};
use ravelin_smt::z3_backend::{Z3Prover, Z3Solver};
use ravelin_smt::{Answer, Check, Core, Model, Solver, SolverFactory};
use ravelin_term::{Term, TermPool};

use crate::events::{Event, Listener};

/// Who answers the analysis's questions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SolverChoice {
    /// A program that reads SMT-LIB 2 from its standard input, with its arguments; Z3 in this process if there is
    /// none.
    pub command: Option<Vec<OsString>>,
    /// The directory that every question is written to, as a file of its own.
    pub dump: Option<PathBuf>,
}

/// Why there is no solver.
#[derive(Debug)]
pub enum Absent {
    Start(StartError),
    /// The directory for questions cannot be made.
    Dump(PathBuf, io::Error),
}

/// Makes solvers as the arguments ask. The first is started here: a command that is no solver should
/// be told at once.
pub fn maker(
    choice: &SolverChoice,
    pointer_bits: u16,
    listener: &Arc<dyn Listener>,
) -> Result<SolverFactory, Absent> {
    let (dump, listener) = (choice.dump.clone(), Arc::clone(listener));
    if let Some(directory) = &dump {
        Dumping::new((), directory).map_err(|error| Absent::Dump(directory.clone(), error))?;
    }
    let Some(command) = choice.command.clone() else {
        let make = move || finish(Z3Solver::new(), dump.as_deref(), &listener);
        return Ok(SolverFactory::new(make, Z3Prover));
    };
    SmtLibSolver::start(&command, pointer_bits).map_err(Absent::Start)?;
    let make = move || match SmtLibSolver::start(&command, pointer_bits) {
        Ok(solver) => finish(solver, dump.as_deref(), &listener),
        Err(error) => Box::new(Gone { reason: error.to_string() }) as Box<dyn Solver>,
    };
    // SMT-LIB has no commands for interpolants and Horn clauses.
    Ok(SolverFactory::new(make, Z3Prover))
}

fn finish<S: Solver + 'static>(
    solver: S,
    dump: Option<&Path>,
    listener: &Arc<dyn Listener>,
) -> Box<dyn Solver> {
    let Some(directory) = dump else {
        return Box::new(solver);
    };
    match Dumping::new(solver, directory) {
        Ok(dumping) => {
            Box::new(Told { inner: dumping, told: false, listener: Arc::clone(listener) })
        }
        Err(error) => Box::new(Gone { reason: format!("{}: {error}", directory.display()) }),
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
        Answer::Unknown(self.reason.clone().into())
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
    listener: Arc<dyn Listener>,
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
            let message = format!("questions are no longer written: {error}");
            self.listener.hear(&Event::Warning(&message));
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
    fn a_solver_that_is_gone_knows_nothing() {
        let mut gone = Gone { reason: "moved".to_owned() };
        let mut pool = TermPool::new(32);
        let yes = pool.bool(true);
        assert_eq!(gone.check(&pool, &[yes]), Answer::Unknown("moved".to_owned().into()));
        assert_eq!(gone.value(&mut pool, yes), None);
    }
}
