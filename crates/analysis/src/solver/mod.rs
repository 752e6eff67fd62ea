//! The solver as analyses use it: questions about sets of terms, with memory.
//!
//! [`SolverFacade`] removes memory from questions as the memory model says ([`memory`]), answers what it remembers or
//! what a model of an earlier question satisfies (`models`), and leaves the rest to solvers from outside.

pub mod memory;
mod models;

use std::fmt;
use std::time::{Duration, Instant};

use ravelin_base::Deadline;
use ravelin_smt::{Answer, NoAnswer, Prover, Solver, SolverFactory};
use ravelin_term::{Sort, Term, TermKind, TermPool, Var};
use rustc_hash::FxHashMap;

use self::memory::{Translator, has_memory};
use self::models::Models;
use crate::model::space::{ReadRole, Role, Space};

/// The solver facade: answers questions, and remembers the answers.
pub struct SolverFacade {
    factory: SolverFactory,
    /// Asked about terms without memory.
    plain: Seat,
    /// Asked about memory, where the model leaves it to the solver or is not exact.
    memory: Seat,
    translator: Translator,
    known: FxHashMap<Box<[Term]>, bool>,
    models: Models,
    /// Who gave the last answer, and how many of its assumptions were the question's own.
    last: (Asked, usize),
    exact: bool,
    pub statistics: SolverStatistics,
    /// Why a question had no answer, the last time that happened.
    pub trouble: Option<String>,
    /// No question goes on for longer.
    pub deadline: Deadline,
    /// A single question may take this long.
    pub question_time: Duration,
}

/// A solver, if there is one yet.
#[derive(Default)]
struct Seat {
    solver: Option<Box<dyn Solver>>,
    /// Terms that were assumed in the present solver: it keeps their encodings for good.
    load: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Plain,
    Memory,
}

/// What an answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// Only whether the question can be satisfied, and "cannot tell" costs no more than precision.
    Truth,
    /// The model or core of this very question, too.
    Model,
}

/// How often, and for how long, the solver was asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolverStatistics {
    pub calls: u64,
    /// Answers that were remembered.
    pub remembered: u64,
    /// Answers from models of earlier questions.
    pub evaluated: u64,
    pub time: Duration,
}

impl fmt::Debug for SolverFacade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolverFacade").field("statistics", &self.statistics).finish_non_exhaustive()
    }
}

/// A solver that has seen this many terms makes way for a new one: old encodings slow it down.
const MAX_LOAD: usize = 4_000;

/// A single question may take this long, while there is something else to try.
pub const MAX_TIME: Duration = Duration::from_secs(20);

/// A question about memory may take this long with a solver for arrays: mostly such solvers answer soon
/// or not at all.
const MAX_MEMORY_TIME: Duration = Duration::from_secs(3);

/// And this long where only the precision of an abstraction is at stake.
const MAX_COARSE_TIME: Duration = Duration::from_millis(300);

impl SolverFacade {
    pub fn new(
        factory: SolverFactory,
        deadline: Option<Instant>,
        memory: &memory::Options,
    ) -> Self {
        SolverFacade {
            factory,
            plain: Seat::default(),
            memory: Seat::default(),
            translator: Translator::new(memory),
            known: FxHashMap::default(),
            models: Models::default(),
            last: (Asked::Plain, 0),
            exact: true,
            statistics: SolverStatistics::default(),
            trouble: None,
            deadline: Deadline::at(deadline),
            question_time: MAX_TIME,
        }
    }

    /// A solver for questions of one's own.
    pub fn new_solver(&self) -> Box<dyn Solver> {
        self.factory.solver()
    }

    /// Finds interpolants, projections and solutions of Horn clauses.
    pub fn prover(&mut self) -> &mut dyn Prover {
        self.factory.prover()
    }

    /// Whether all terms can hold together; `None` if the solver cannot tell.
    pub fn satisfiable(&mut self, space: &mut Space<'_>, assumptions: &[Term]) -> Option<bool> {
        let mut key: Vec<Term> = assumptions.to_vec();
        key.sort_unstable();
        key.dedup();
        let key = key.into_boxed_slice();
        if let Some(&answer) = self.known.get(&key) {
            self.statistics.remembered += 1;
            return Some(answer);
        }
        let answer = match self.ask(space, &key, Use::Truth) {
            Answer::Sat => true,
            Answer::Unsat => false,
            Answer::Unknown(_) => return None,
        };
        self.known.insert(key, answer);
        Some(answer)
    }

    /// Asks without looking at old answers: the model or core of this very question is wanted. That
    /// it can be satisfied may be wrong where memory is concerned, unless the answer
    /// [is exact](Self::is_exact).
    pub fn check(&mut self, space: &mut Space<'_>, assumptions: &[Term]) -> Answer {
        self.ask(space, assumptions, Use::Model)
    }

    /// As [`Self::check`], but with an exact answer, if there is one in reasonable time.
    pub fn check_exactly(&mut self, space: &mut Space<'_>, assumptions: &[Term]) -> Answer {
        self.exact = true;
        self.solve(Asked::Memory, space, assumptions, assumptions.len(), MAX_MEMORY_TIME)
    }

    /// Whether the last question was put to the solver as it is, so that its models are models.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    fn ask(&mut self, space: &mut Space<'_>, assumptions: &[Term], wanted: Use) -> Answer {
        self.exact = true;
        let own = assumptions.len();
        let Some(question) = self.without_memory(space, assumptions) else {
            let limit = match wanted {
                Use::Truth if !self.translator.leaves_memory() => MAX_COARSE_TIME,
                Use::Truth | Use::Model => self.question_time,
            };
            return self.solve(Asked::Memory, space, assumptions, own, limit);
        };
        if wanted == Use::Truth && self.models.satisfy(space, &question) {
            self.statistics.evaluated += 1;
            return Answer::Sat;
        }
        let answer = self.solve(Asked::Plain, space, &question, own, self.question_time);
        if wanted == Use::Truth && answer == Answer::Sat {
            self.keep_model(space, &question);
        }
        answer
    }

    /// The question without memory; `None` if memory is left to the solver.
    fn without_memory(&mut self, space: &mut Space<'_>, terms: &[Term]) -> Option<Vec<Term>> {
        if !terms.iter().any(|&term| has_memory(&space.terms, term)) {
            return Some(terms.to_vec());
        }
        if self.translator.leaves_memory() {
            return None;
        }
        let plain = self.translator.translate(space, terms)?;
        self.exact = plain.exact;
        Some(plain.terms.into_iter().chain(plain.conditions).collect())
    }

    fn keep_model(&mut self, space: &mut Space<'_>, question: &[Term]) {
        let Some(solver) = &mut self.plain.solver else { return };
        let mut values = Vec::new();
        for var in sorted_vars(&space.terms, question) {
            let read = space.read_var(var);
            values.extend(solver.value(&mut space.terms, read).map(|value| (var, value)));
        }
        self.models.add(values);
    }

    fn solve(
        &mut self,
        who: Asked,
        space: &Space<'_>,
        question: &[Term],
        own: usize,
        limit: Duration,
    ) -> Answer {
        let seat = match who {
            Asked::Plain => &mut self.plain,
            Asked::Memory => &mut self.memory,
        };
        if seat.load > MAX_LOAD {
            seat.solver = None;
            seat.load = 0;
        }
        let solver = seat.solver.get_or_insert_with(|| self.factory.solver());
        seat.load += question.len();
        let started = Instant::now();
        let limit = match self.deadline.left_by_clock() {
            // Whole seconds: setting a limit anew costs as much as a small question.
            Some(left) => Duration::from_secs(left.as_secs() + 1).min(limit),
            None => limit,
        };
        solver.set_timeout(Some(limit));
        let answer = solver.check(&space.terms, question);
        self.last = (who, own);
        self.statistics.calls += 1;
        self.statistics.time += started.elapsed();
        // Giving up a hard question is no failure of the solver.
        if let Answer::Unknown(NoAnswer::Failed(reason)) = &answer {
            self.trouble = Some(reason.clone());
        }
        answer
    }

    /// The value of a term in the model of the last [`Answer::Sat`].
    pub fn value(&mut self, space: &mut Space<'_>, term: Term) -> Option<Term> {
        match self.last.0 {
            Asked::Plain => {
                let term = *self.translator.translate(space, &[term])?.terms.first()?;
                self.plain.solver.as_mut()?.value(&mut space.terms, term)
            }
            Asked::Memory => self.memory.solver.as_mut()?.value(&mut space.terms, term),
        }
    }

    /// What memories hold before anything is written, in the model of the last [`Answer::Sat`], at the
    /// addresses that these terms read: memory, address and value.
    pub fn contents(&mut self, space: &mut Space<'_>, terms: &[Term]) -> Vec<(Var, Term, Term)> {
        let reads = self.unwritten(space, terms);
        let mut found = Vec::new();
        for (memory, pointer, content) in reads {
            if let (Some(pointer), Some(value)) =
                (self.value(space, pointer), self.value(space, content))
            {
                found.push((memory, pointer, value));
            }
        }
        found
    }

    /// Addresses and contents of unwritten memory of which the last question about these terms spoke.
    pub fn unwritten(&self, space: &mut Space<'_>, terms: &[Term]) -> Vec<(Var, Term, Term)> {
        match self.last.0 {
            Asked::Plain => self.translator.contents(space, terms),
            Asked::Memory => initial_reads(space, terms),
        }
    }

    /// The flags of translated terms that say whether the result of a read was left open.
    pub fn guesses(&mut self, space: &mut Space<'_>, terms: &[Term]) -> Vec<Term> {
        let Some(plain) = self.translator.translate(space, terms) else {
            return Vec::new();
        };
        let mut flags = Vec::new();
        for var in sorted_vars(&space.terms, &plain.terms) {
            if matches!(space.role(var), Role::Read(ReadRole::Guess { .. }))
                && space.sort(var) == Sort::Bool
            {
                flags.push(space.read_var(var));
            }
        }
        flags
    }

    /// Which assumptions of the last [`Answer::Unsat`] suffice.
    pub fn core(&mut self) -> Vec<usize> {
        let (who, own) = self.last;
        let seat = match who {
            Asked::Plain => &mut self.plain,
            Asked::Memory => &mut self.memory,
        };
        let mut core = seat.solver.as_mut().map_or_else(Vec::new, |solver| solver.core());
        // What the translation added holds anyway.
        core.retain(|&at| at < own);
        core
    }
}

/// The variables of terms, in order.
pub fn sorted_vars(pool: &TermPool, terms: &[Term]) -> Vec<Var> {
    let mut vars: Vec<Var> = terms.iter().flat_map(|&term| pool.vars_of(term)).collect();
    vars.sort_unstable();
    vars.dedup();
    vars
}

/// The reads of unwritten memory in terms, with their addresses.
fn initial_reads(space: &Space<'_>, terms: &[Term]) -> Vec<(Var, Term, Term)> {
    let mut reads = Vec::new();
    for &term in terms {
        space.terms.for_each_subterm(term, |subterm, kind| {
            if let TermKind::Read(memory, pointer) = kind
                && let TermKind::Var(memory) = space.terms.kind(memory)
            {
                reads.push((memory, pointer, subterm));
            }
        });
    }
    reads
}
