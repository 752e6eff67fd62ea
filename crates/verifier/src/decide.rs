//! From a program to an answer: what is tried, side by side, and what comes of it.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use ravelin_analysis::control_flow::ControlFlowFacts;
use ravelin_analysis::features::Features;
use ravelin_analysis::progress::Progress;
use ravelin_analysis::renew_locals;
use ravelin_analysis::verdict;
use ravelin_base::diagnostic::render;
use ravelin_base::{Budget, SrcPos};
use ravelin_cfa::passes::{self, PassConfig};
use ravelin_cfa::{Assumed, Program, Reason};
use ravelin_evidence::Replayed;
use ravelin_evidence::c_expr::{self, Terms};
use ravelin_frontend::Reading;
use ravelin_por::ProgramFacts;
use ravelin_smt::smtlib::StartError;

use crate::events::Explanation;
use crate::explicit_state::{Explorer, Found, Searching};
use crate::front::{self, Front, FrontError, Parsed, Phases, SourceProgram};
use crate::limits::{Cancel, Limits};
use crate::obstacle::Met;
use crate::portfolio::{self, Portfolio};
use crate::solver::Absent;
use crate::strategy::Plan;
use crate::vacuity::{self, Vacuities, Vacuity};
use crate::{Event, Input, Listener, Verifier, Violation, panics, solver};

/// The answer to a question: whether an error of its automaton can be reached.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No execution reaches it.
    True(Proof),
    /// This execution reaches it; it was replayed in the interpreter.
    False(Box<Violation>),
    /// No answer, for this reason.
    Unknown(Reason),
}

/// As it stands after `Verdict: `.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::True(_) => f.write_str("TRUE"),
            Verdict::False(violation) => write!(f, "FALSE({})", violation.property),
            Verdict::Unknown(reason) => write!(f, "UNKNOWN({reason})"),
        }
    }
}

/// Why no execution reaches the error.
#[derive(Clone, Debug)]
pub enum Proof {
    /// All states were visited, so many, up to orders of steps that make no difference.
    Explored { states: usize },
    /// An abstraction of the program does not reach it. At loop heads this holds.
    Abstraction(Box<verdict::Proof>),
}

/// An answer and what it is about.
#[derive(Debug)]
pub struct Answer {
    pub verdict: Verdict,
    /// The automaton that was analysed.
    pub program: Program,
    /// How long it took to confirm executions, and to record the violation in the source.
    pub replays: Duration,
    /// Why TRUE says less than it seems, if it does.
    pub vacuities: Vacuities,
}

/// A function that an answer rests on, though it has neither body nor model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalFunction {
    pub name: String,
    /// Its first call, as `file:line:column`.
    pub place: String,
    pub assumed: Assumed,
    /// How many calls there are in the automaton.
    pub calls: usize,
}

/// What holds whenever a loop begins a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopInvariant {
    /// `file:line:column`; empty if the loop stands nowhere.
    pub place: String,
    pub function: String,
    /// As a C expression.
    pub formula: String,
}

impl Answer {
    /// The functions without body and model that the program may call: what is assumed of them, the answer rests on.
    pub fn external_functions(&self) -> Vec<ExternalFunction> {
        let program = &self.program;
        let told = ravelin_cfa::external_functions(program).into_iter().map(|function| {
            let ravelin_cfa::ExternalFunction { name, assumed, pos, calls } = function;
            let (name, place) = (program.name(name).to_owned(), position(program, pos));
            ExternalFunction { name, place, assumed, calls }
        });
        told.collect()
    }

    /// What was found out about loops, if the verdict is TRUE and an abstraction proved it.
    pub fn invariants(&self) -> Vec<LoopInvariant> {
        let Verdict::True(Proof::Abstraction(proof)) = &self.verdict else { return Vec::new() };
        let program = &self.program;
        let terms = Terms { program, pool: &proof.terms, memories: &proof.memories };
        let told = proof.invariants.iter().map(|invariant| LoopInvariant {
            place: position(program, invariant.pos),
            function: program.name(program.procs[invariant.proc].name).to_owned(),
            formula: c_expr::invariant(terms, invariant),
        });
        told.filter(|invariant| !invariant.formula.is_empty()).collect()
    }
}

/// Why there is not even a question.
#[derive(Debug)]
pub enum Failure {
    /// The program cannot be read, is not C, or cannot be made an automaton.
    Front(FrontError),
    /// The solver's questions cannot be written to this directory.
    Dump(PathBuf, io::Error),
    /// The solver that was asked for does not start.
    Solver(StartError),
    /// A defect of Ravelin; the hook of panics has been told.
    Internal,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Front(error) => write!(f, "{error}"),
            Failure::Dump(path, error) => {
                write!(f, "cannot write to '{}': {error}", path.display())
            }
            Failure::Solver(error) => write!(f, "solver: {error}"),
            Failure::Internal => f.write_str("internal error"),
        }
    }
}

impl std::error::Error for Failure {}

/// A run as others see it: they may end it, watch it, and listen. Clones are the same run.
#[derive(Clone, Debug)]
pub struct Run {
    pub limits: Limits,
    pub cancel: Cancel,
    budget: Budget,
    pub progress: Progress,
    pub listener: Arc<dyn Listener>,
    /// What the front end took, as soon as it is known.
    pub phases: Arc<OnceLock<Phases>>,
    /// What stands in the way of an answer.
    pub met: Met,
    /// Why no execution comes to an end, or that one does, as soon as it is known; runs about the same program share it.
    pub(crate) no_end: Arc<OnceLock<Option<Vacuity>>>,
    /// The part of the run that works on some of several questions now.
    pub(crate) current: Arc<Mutex<Option<CurrentPart>>>,
}

/// A part of a run.
#[derive(Clone, Debug)]
pub(crate) struct CurrentPart {
    /// The numbers of the questions that it is about.
    pub(crate) questions: Vec<usize>,
    pub(crate) begun: Instant,
    pub(crate) run: Run,
}

impl Run {
    /// A run that may spend this much.
    pub fn new(limits: Limits, progress: Progress, listener: Arc<dyn Listener>) -> Run {
        let budget = Budget::unlimited();
        let cancel = Cancel::by(budget.cancel_flag());
        let (phases, met, no_end) = (Arc::default(), Met::default(), Arc::default());
        let current = Arc::default();
        Run { limits, cancel, budget, progress, listener, phases, met, no_end, current }
    }

    /// A part of this run with limits of its own, about some of several questions; it is the current one from now on.
    pub(crate) fn part(&self, limits: Limits, questions: Vec<usize>) -> Run {
        let part = Run::new(limits, self.progress.fork_question(), Arc::clone(&self.listener));
        let part = Run { no_end: Arc::clone(&self.no_end), ..part };
        let current = CurrentPart { questions, begun: Instant::now(), run: part.clone() };
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(current);
        part
    }

    /// The part of the run that works on a question now, and how long it has worked on it; for who has to answer in its
    /// place.
    pub fn part_about(&self, question: usize) -> Option<(Run, Duration)> {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        let CurrentPart { questions, begun, run } = current;
        questions.contains(&question).then(|| (run, begun.elapsed()))
    }

    /// What is left of the time.
    pub fn budget(&self) -> Budget {
        match self.limits.deadline {
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                self.budget.clone().with_timeout(left)
            }
            None => self.budget.clone(),
        }
    }
}

impl Verifier {
    /// Decides whether the program satisfies what is asked. Who started the run keeps its limits of memory,
    /// and of time beyond what the analysis minds itself: see [`Verifier::verify`].
    pub fn decide(&self, input: &Input, run: &Run) -> Result<Answer, Failure> {
        let parsed = front::read(input).map_err(Failure::Front)?;
        let front = self.lower(&parsed, input)?;
        drop(parsed);
        run.listener.hear(&Event::Diagnostics(&render(&front.warnings)));
        self.answer(input, front, run)
    }

    /// The automaton of what is asked, as it stands in the source.
    pub(crate) fn lower(&self, parsed: &Parsed, input: &Input) -> Result<Front, Failure> {
        let reading = Reading { checked: self.asked.properties, ..input.reading.clone() };
        parsed.lower(&reading).map_err(Failure::Front)
    }

    /// As [`Verifier::decide`], of a program that was lowered for what is asked.
    pub(crate) fn answer(
        &self,
        input: &Input,
        mut front: Front,
        run: &Run,
    ) -> Result<Answer, Failure> {
        let blocks = self.strategy.config.encoding.blocks();
        let passes = PassConfig { blocks, ..PassConfig::default() };
        front.drop_idle_checks();
        let source = SourceProgram::of(&front.program);
        front.run(passes::SIMPLIFYING, &passes).map_err(Failure::Front)?;
        renew_locals(&mut front.program);
        front.insert_checks(&passes, run).map_err(Failure::Front)?;
        let open = || front.open_checks();
        run.listener.hear(&Event::OpenChecks(Explanation(&open)));
        front.run(passes::STEP_MAKING, &passes).map_err(Failure::Front)?;
        let Front { program, phases, .. } = front;
        // Nobody else writes it.
        let _ = run.phases.set(phases);
        let (begun, mut replays) = (Instant::now(), Duration::ZERO);
        let verdict = match self.asked.is_decided() {
            true => self.decide_automaton((input, &source), &program, run, &mut replays)?,
            false => Verdict::Unknown(Reason::UnsupportedProperty),
        };
        let vacuities = match &verdict {
            Verdict::True(proof) => {
                let bits = program.terms.pointer_bits();
                let solver = || solver::maker(&self.solver, bits, &run.listener).ok();
                vacuity::find(self, (&source, &program), (run, proof), solver, begun.elapsed())
            }
            Verdict::False(_) | Verdict::Unknown(_) => Vacuities::default(),
        };
        Ok(Answer { verdict, program, replays, vacuities })
    }

    fn decide_automaton(
        &self,
        (input, source): (&Input, &SourceProgram),
        program: &Program,
        run: &Run,
        replays: &mut Duration,
    ) -> Result<Verdict, Failure> {
        let Run { limits, cancel, listener, met, .. } = run;
        let (limits, budget) = (*limits, run.budget());
        let progress = &run.progress.clone().observed_by({
            let met = met.clone();
            move |reason| met.note(reason)
        });
        let pointer_bits = program.terms.pointer_bits();
        let make_solver =
            solver::maker(&self.solver, pointer_bits, listener).map_err(|absent| match absent {
                Absent::Start(error) => Failure::Solver(error),
                Absent::Dump(directory, error) => Failure::Dump(directory, error),
            })?;
        let facts = &ProgramFacts::new(program, budget.clone());
        let control_flow = &ControlFlowFacts::new(program);
        let features = Features::of(program, control_flow);
        let plan = Plan::of(&self.strategy, &features, portfolio::has_second_core(&self.solver));
        let (config, solver) = (&self.strategy.config, &self.solver);
        let portfolio = Portfolio { facts, control_flow, config, limits, cancel, solver, listener };
        let analyse = |budget: Budget| portfolio.run(&plan, make_solver, &budget, progress);
        let explorer = Explorer { facts, limits, listener: &**listener, met };
        let explain = || plan.explain(&features, limits.deadline);
        listener.hear(&Event::Strategy(Explanation(&explain)));
        if features.is_settled && matches!(facts.doubt(), Ok(None)) {
            let proof = verdict::Proof::without_invariants(&program.terms);
            return Ok(Verdict::True(Proof::Abstraction(Box::new(proof))));
        }
        let reductions = plan.reductions;
        let first = plan.first_look.and_then(|states| {
            listener.hear(&Event::Progress("a first look at concrete states"));
            let begun = Instant::now();
            let found = explorer.first_look(states, reductions, &budget);
            progress.spend_exploring(begun.elapsed());
            found
        });
        let mut made_room = false;
        let (analysed, found) = match (first, plan.explorer) {
            (Some(first), _) => (None, Some(first)),
            (None, Some(search)) => {
                let searching = Searching { search, reductions };
                let both =
                    explorer.beside(searching, &budget, cancel, analyse, portfolio::has_answer);
                made_room = both.made_room;
                progress.spend_exploring(both.explored);
                (Some(both.analysed), both.found)
            }
            (None, None) => (Some(analyse(budget.clone())), None),
        };
        let begun = Instant::now();
        let refuted = |replayed: Replayed| {
            let reductions = self.strategy.explorer.unwrap_or_default();
            let (budget, listener) = (budget.clone(), &**listener);
            let violation =
                Violation::record((input, source), program, replayed, reductions, budget, listener);
            if !self.asked.properties.contains(violation.property) {
                let property = violation.property;
                listener.hear(&Event::Warning(&format!("a violation of {property}, not asked")));
                return Verdict::Unknown(Reason::InternalError);
            }
            Verdict::False(Box::new(violation))
        };
        let verdict = match (found, analysed) {
            (Some(Found::Nothing { states }), _) => Verdict::True(Proof::Explored { states }),
            (Some(Found::Error(replayed)), _) => refuted(replayed),
            (None, Some(Err(panicked))) => panics::resume(panicked),
            (None, None) => Verdict::Unknown(Reason::NoAnswer),
            (None, Some(Ok(analysed))) => {
                *replays = analysed.replays;
                if !portfolio::is_answer(&analysed) {
                    for message in &analysed.failed {
                        listener.hear(&Event::Warning(message));
                    }
                }
                match (analysed.verdict, analysed.replayed) {
                    (verdict::Verdict::True(proof), _) => {
                        Verdict::True(Proof::Abstraction(Box::new(proof)))
                    }
                    (verdict::Verdict::False(_), Some(replayed)) => refuted(replayed),
                    // Nobody judged it: then it does not count.
                    (verdict::Verdict::False(_), None) => Verdict::Unknown(Reason::Diverged(None)),
                    (verdict::Verdict::Unknown(Reason::Interrupted), _) if made_room => {
                        Verdict::Unknown(met.explain(Reason::OutOfMemory))
                    }
                    (verdict::Verdict::Unknown(reason), _) => Verdict::Unknown(met.explain(reason)),
                }
            }
        };
        *replays += begun.elapsed();
        Ok(verdict)
    }
}

fn position(program: &Program, pos: SrcPos) -> String {
    if pos.is_none() {
        String::new()
    } else {
        ravelin_cfa::print::position(program, pos).to_string()
    }
}
