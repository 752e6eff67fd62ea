//! Whether TRUE says less than it seems: nothing was checked, or no execution comes to its end.
//!
//! It is said only where it is proved, and looked for only for a moment: some runs of the interpreter, and if none of
//! them ends, one more question, whether an end can be reached.

use std::collections::BTreeSet;
use std::fmt;
use std::time::{Duration, Instant};

use ravelin_analysis::control_flow::ControlFlowFacts;
use ravelin_analysis::features::Features;
use ravelin_analysis::progress::Progress;
use ravelin_analysis::{Analysis, verdict};
use ravelin_base::Budget;
use ravelin_cfa::access::{Access, for_each_access};
use ravelin_cfa::{ErrorKind, ObjectKind, Op, Proc, Program, Properties, Property, ops};
use ravelin_explore::{Answer, Options, Reduction, explore};
use ravelin_interp::{Interpreter, Outcome, RandomChooser, RunConfig};
use ravelin_por::ProgramFacts;
use ravelin_smt::SolverFactory;

use crate::decide::{Proof, Run};
use crate::events::Silence;
use crate::front::SourceProgram;
use crate::lane::{self, Ends};
use crate::strategy::Plan;
use crate::{Verifier, panics};

/// Why TRUE says less than it seems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vacuity {
    /// Nothing that could violate this property is in code that `main` may call.
    NothingToCheck(Property),
    /// No execution comes to the end of `main` or to `exit`, and some are cut off by an assumption.
    NoneAssumed,
    /// No execution comes to the end of `main` or to `exit`.
    NoEnd,
}

impl Vacuity {
    /// Whether it is that nothing could violate some other property than this one.
    pub fn is_of_other_than(self, property: Property) -> bool {
        matches!(self, Vacuity::NothingToCheck(it) if it != property)
    }
}

impl fmt::Display for Vacuity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Vacuity::NothingToCheck(property) => nothing_to_check(*property),
            Vacuity::NoneAssumed => {
                "no execution gets past the assumptions to the end of main: they may exclude everything"
            }
            Vacuity::NoEnd => "no execution comes to the end of main",
        })
    }
}

fn nothing_to_check(property: Property) -> &'static str {
    match property {
        Property::UnreachCall => {
            "nothing was checked: no assertion and no error call is in the code that main calls \
             (NDEBUG leaves assertions out)"
        }
        Property::ValidDeref | Property::ValidFree => {
            "nothing was checked: the code that main calls accesses and frees no memory objects"
        }
        Property::ValidMemtrack | Property::ValidMemcleanup => {
            "nothing was checked: the code that main calls allocates no memory"
        }
        Property::NoOverflow => {
            "nothing was checked: no signed arithmetic that may overflow is in the code that main calls"
        }
        Property::ValidArithmetic => {
            "nothing was checked: no division and no shift that may be invalid is in the code that main calls"
        }
        Property::ValidArguments => {
            "nothing was checked: no call with arguments that a library function may forbid is in the code that main calls"
        }
        Property::ValidInit => {
            "nothing was checked: no local variable that may be read without value is in the code that main calls"
        }
        Property::ValidBounds => {
            "nothing was checked: no index that may leave an array inside of its object is in the code that main calls"
        }
        Property::NoDataRace => "nothing was checked: the code that main calls starts no threads",
        Property::NoDeadlock | Property::Termination => "nothing was checked",
    }
}

/// So many runs are tried, of so many steps.
const RUNS: u64 = 12;
const STEPS: u64 = 20_000;

/// The question takes no longer, and no more than a part of what the answer took.
const MAX_TIME: Duration = Duration::from_secs(1);
const MIN_TIME: Duration = Duration::from_millis(100);
const PART: u32 = 4;

/// With less time left, nobody looks: the answer must not be lost.
const LEFT: Duration = Duration::from_secs(4);

/// Why a proof says less than it seems, for each of the properties that it is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vacuities {
    /// Nothing could violate these.
    idle: Properties,
    /// Of the program, whatever was checked.
    no_end: Option<Vacuity>,
}

impl Vacuities {
    /// Why a proof of these properties says less than it seems.
    pub fn of(self, asked: Properties) -> Option<Vacuity> {
        match self.idle.and(asked) == asked {
            true => asked.iter().next().map(Vacuity::NothingToCheck),
            false => self.no_end,
        }
    }
}

/// Looks for reasons why a proof says less than it seems. `took` is what the proof took.
pub(crate) fn find(
    verifier: &Verifier,
    (source, program): (&SourceProgram, &Program),
    (run, proof): (&Run, &Proof),
    make_solver: impl FnOnce() -> Option<SolverFactory>,
    took: Duration,
) -> Vacuities {
    let asked = verifier.asked.properties;
    let idle = idle(program, source, asked);
    let deadline = run.limits.deadline;
    let has_time = deadline.is_none_or(|deadline| deadline >= Instant::now() + LEFT);
    if idle == asked || !has_time {
        return Vacuities { idle, no_end: None };
    }
    // A proof is about all executions, so whether one ends does not depend on what is proved.
    let known = run.no_end.get().copied().or_else(|| {
        let found = no_end(verifier, program, (run, proof), make_solver, took)?;
        Some(*run.no_end.get_or_init(|| found))
    });
    Vacuities { idle, no_end: known.flatten() }
}

/// The properties that nothing could violate in the code that `main` may call.
fn idle(program: &Program, source: &SourceProgram, asked: Properties) -> Properties {
    let without = |checks: Properties| asked.iter().filter(|&it| !checks.contains(it)).collect();
    let idle: Properties = without(checks(program));
    if idle.is_empty() {
        return idle;
    }
    // Passes leave out what cannot be reached, checks that hold by what is constant among it.
    match source.with_steps() {
        Ok(source) => idle.and(without(checks(&source))),
        Err(_) => Properties::default(),
    }
}

/// Why no execution ends, or that one does, if that is found out.
fn no_end(
    verifier: &Verifier,
    program: &Program,
    (run, proof): (&Run, &Proof),
    make_solver: impl FnOnce() -> Option<SolverFactory>,
    took: Duration,
) -> Option<Option<Vacuity>> {
    let mut assumed = false;
    let all_runs = run.budget().sooner(MAX_TIME / 2);
    for seed in 0..RUNS {
        if all_runs.check_now().is_err() {
            break;
        }
        let config = RunConfig { budget: all_runs.clone().shorter(STEPS), ..RunConfig::default() };
        match Interpreter::new(program).run(&mut RandomChooser::new(seed), &config).outcome {
            Outcome::Exit(_) => return Some(None),
            Outcome::AssumeViolated { .. } => assumed = true,
            Outcome::Error { .. }
            | Outcome::Aborted { .. }
            | Outcome::Deadlock(_)
            | Outcome::InvalidMemory { .. }
            | Outcome::Leak { .. }
            | Outcome::Race(_)
            | Outcome::Undefined { .. }
            | Outcome::Unsupported { .. }
            | Outcome::OutOfBudget(_) => {}
        }
    }
    let limit = (took / PART).clamp(MIN_TIME, MAX_TIME);
    let budget = run.budget().sooner(limit);
    let ends = with_ends_as_errors(program);
    let has_none = match proof {
        // No end is left in the code that `main` may call.
        _ if !checks(&ends).contains(Property::UnreachCall) => true,
        Proof::Explored { states } => {
            let options = Options {
                reduction: Reduction::Static,
                // Ends come no later than the states that have been seen.
                max_states: states.saturating_mul(2),
                ..Options::default()
            };
            explore(&ends, &options, &mut budget.clone()).answer == Answer::Complete
        }
        Proof::Abstraction(_) => is_unreachable(verifier, &ends, make_solver()?, budget, limit),
    };
    match (has_none, assumed) {
        (false, _) => None,
        (true, true) => Some(Some(Vacuity::NoneAssumed)),
        (true, false) => Some(Some(Vacuity::NoEnd)),
    }
}

fn is_unreachable(
    verifier: &Verifier,
    program: &Program,
    make_solver: SolverFactory,
    budget: Budget,
    limit: Duration,
) -> bool {
    let deadline = Some(Instant::now() + limit);
    // An execution that comes there, or seems to, is reason enough to say nothing.
    let mut judge = |_: &verdict::Counterexample| Ok(());
    let verdict = panics::catch(|| {
        let (strategy, progress) = (&verifier.strategy, &Progress::default());
        let facts = ProgramFacts::new(program, budget.clone());
        let control_flow = ControlFlowFacts::new(program);
        let plan = Plan::of(strategy, &Features::of(program, &control_flow), false);
        let analysis =
            Analysis::new(&facts, &control_flow, &strategy.config, deadline, make_solver);
        let ends = Ends { deadline, budget: &budget, progress, listener: &Silence };
        lane::run(&plan.main, analysis, program.is_concurrent(), ends, &mut judge)
    });
    verdict.is_ok_and(|verdict| matches!(verdict, verdict::Verdict::True(_)))
}

/// The properties that an operation may violate.
fn violable(op: &Op) -> Properties {
    const ACCESS: &[Property] = &[Property::ValidDeref, Property::ValidFree];
    const LEAK: &[Property] = &[Property::ValidMemtrack, Property::ValidMemcleanup];
    const BOTH: &[Property] = &[ACCESS[0], ACCESS[1], LEAK[0], LEAK[1]];
    let properties: &[Property] = match op {
        Op::Error(kind) | Op::Claim(kind) => return kind.property().into(),
        ops!(access) | Op::Free { .. } | Op::Sync { .. } => ACCESS,
        Op::Realloc { .. } => BOTH,
        Op::Alloc { .. } => LEAK,
        Op::Start { .. } => &[Property::NoDataRace],
        ops!(data, scope, procedure, thread, section, remark)
        | Op::HavocMemory { .. }
        | Op::Inspect { .. }
        | Op::Exit { .. }
        | Op::Abort
        | Op::Unsupported(_)
        | Op::Choice(_) => &[],
    };
    properties.iter().copied().collect()
}

/// The properties that something may violate in a procedure that is called or started from `main`, or whose address is
/// taken.
fn checks(program: &Program) -> Properties {
    let mut checks = Properties::default();
    let mut seen: BTreeSet<Proc> = program.entry.into_iter().collect();
    let functions = program.objects.values().filter_map(|object| match object.kind {
        ObjectKind::Function(proc) => Some(proc),
        ObjectKind::Global
        | ObjectKind::Constant
        | ObjectKind::ThreadLocal
        | ObjectKind::Local(_) => None,
    });
    seen.extend(functions);
    let mut work: Vec<Proc> = seen.iter().copied().collect();
    while let Some(proc) = work.pop() {
        if program.procs[proc].has_check {
            checks.insert(Property::UnreachCall);
        }
        for edge in program.procs[proc].edges.values() {
            for label in &edge.labels {
                label.walk(&mut |label| {
                    violable(&label.op).iter().for_each(|property| checks.insert(property));
                });
                for_each_access(&label.op, &mut |access| {
                    if let Access::Enter(callee) = access
                        && seen.insert(callee)
                    {
                        work.push(callee);
                    }
                });
            }
        }
    }
    checks
}

/// The program in which an end of `main` and `exit` are errors, and errors are none. The end of a thread counts, too:
/// it may be that of the one that runs `main`.
fn with_ends_as_errors(program: &Program) -> Program {
    let mut program = program.clone();
    program.checked = Property::UnreachCall.into();
    let entry = program.entry;
    for (proc, procedure) in program.procs.iter_mut() {
        procedure.has_check = false;
        for edge in procedure.edges.values_mut() {
            for label in &mut edge.labels {
                if let Op::Claim(_) = label.op {
                    label.op = Op::Skip;
                }
            }
            let Some(last) = edge.labels.last_mut() else { continue };
            let ends = match &last.op {
                Op::Exit { .. } | Op::ThreadExit { .. } => true,
                Op::Return { .. } => entry == Some(proc),
                _ => false,
            };
            if ends {
                last.op = Op::Error(ErrorKind::ReachError);
            } else if let Op::Error(_) = last.op {
                last.op = Op::Abort;
            }
        }
    }
    program
}
