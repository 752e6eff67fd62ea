//! The interpolants of every method, on the infeasible paths met while fixtures are verified.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use ravelin_analysis::algorithm::arg::{Arg, Found, Order};
use ravelin_analysis::algorithm::refine::chain::{Chain, Feasibility, GuardOf};
use ravelin_analysis::algorithm::refine::interpolate::{Method, interpolate};
use ravelin_analysis::algorithm::refine::refinable::{Pruning, Refinable, Refinement, Refuted};
use ravelin_analysis::config::{Config, Encoding};
use ravelin_analysis::domain::explicit::Scope;
use ravelin_analysis::domain::predicate::precision::Pieces;
use ravelin_analysis::domain::predicate::{Abstracting, BlockOperator, Predicates};
use ravelin_analysis::domain::{Context, Stop};
use ravelin_analysis::model::block::{Block, place};
use ravelin_analysis::model::control_flow::ControlFlowFacts;
use ravelin_analysis::model::space::{Role, Space};
use ravelin_analysis::model::step::{Control, Steps};
use ravelin_analysis::solver::SolverFacade;
use ravelin_analysis::solver::memory::has_memory;
use ravelin_base::{Budget, DataModel};
use ravelin_cfa::Program;
use ravelin_term::{Term, Var};
use ravelin_testkit::fixture::fixtures;
use rustc_hash::FxHashMap;

use crate::support::{ENCODINGS, METHODS, build, on_all, prepare, solvers};

/// Paths looked at in each program.
const PATHS: usize = 6;

/// What came of the interpolants of a method.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    /// Cuts at which all was right.
    right: usize,
    /// The method had no answer for a path.
    failed: usize,
    /// Cuts at which inputs could not be eliminated, so that less is promised.
    excused: usize,
    /// The solver could not tell.
    open: usize,
}

type Table = BTreeMap<String, Counts>;

#[test]
fn interpolants_are_what_they_should_be() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut jobs = Vec::new();
    for topic in ["verify", "verifier", "control", "pointers"] {
        let found = fixtures(&dir.join(topic)).expect("the fixtures can be read");
        for (number, fixture) in found.into_iter().enumerate() {
            jobs.push((fixture, ENCODINGS[number % ENCODINGS.len()]));
        }
    }
    let tables = on_all(&jobs, |(fixture, encoding)| {
        let model = match &fixture.options[..] {
            [_, model] => model.parse().expect("a data model"),
            _ => DataModel::Lp64,
        };
        let config = Config { encoding: *encoding, ..Config::default() };
        let program = prepare(&build(std::slice::from_ref(&fixture.path), model), &config);
        let mut table = Table::new();
        let mut wrong = Vec::new();
        if !program.is_concurrent() {
            // Whatever ends the exploration early, what was seen until then counts.
            let _ = look_at_paths(&program, *encoding, &mut table, &mut wrong);
        }
        let name = fixture.path.file_name().unwrap_or_default().display().to_string();
        let wrong = wrong.into_iter().map(move |message| format!("{name} {encoding:?}: {message}"));
        (table, wrong.collect::<Vec<String>>())
    });
    let (mut total, mut wrong) = (Table::new(), Vec::new());
    for (table, messages) in tables {
        wrong.extend(messages);
        for (method, counts) in table {
            let sum = total.entry(method).or_default();
            sum.right += counts.right;
            sum.failed += counts.failed;
            sum.excused += counts.excused;
            sum.open += counts.open;
        }
    }
    for (method, counts) in &total {
        println!("{method}: {counts:?}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for method in METHODS {
        let Counts { right, excused, .. } = total[&format!("{method:?}")];
        assert!(right > 100 && excused < right, "{method:?}: {right} right, {excused} excused");
    }
}

/// Explores with refinement, and checks the interpolants of all methods on each infeasible path.
fn look_at_paths(
    program: &Program,
    encoding: Encoding,
    table: &mut Table,
    wrong: &mut Vec<String>,
) -> Result<(), Stop> {
    let Some(entry) = program.entry else { return Ok(()) };
    let control_flow = ControlFlowFacts::new(program);
    let mut space = Space::new(program);
    let mut steps = Steps::new(program);
    let mut solver = SolverFacade::new(solvers(), None, &Default::default());
    let mut budget = Budget::unlimited().with_timeout(Duration::from_secs(2));
    let start: Control = steps.initial(program, entry);
    let cx = &mut Context {
        space: &mut space,
        steps: &mut steps,
        solver: &mut solver,
        budget: &mut budget,
    };
    let operator = match encoding {
        Encoding::Single | Encoding::Large => BlockOperator::EveryStep,
        Encoding::Adjustable { calls, max_steps }
        | Encoding::LargeAdjustable { calls, max_steps } => {
            BlockOperator::Adjustable { calls, max_steps }
        }
    };
    let mut analysis =
        Predicates::new(Scope::Global, Abstracting::Cartesian, operator, &control_flow);
    let refinement = Refinement {
        method: Method::WeakestPrecondition,
        pieces: Pieces::Atoms,
        pruning: Pruning::Full,
    };
    let mut arg = Arg::new(Order::BreadthFirst);
    for _ in 0..PATHS {
        let Found::Target(target) = arg.explore(&mut analysis, cx, &control_flow, start)? else {
            return Ok(());
        };
        let trace = analysis.trace(cx, &arg, target);
        let Feasibility::Infeasible(core) = trace.chain.check(cx)? else {
            return Ok(());
        };
        for method in METHODS {
            let counts = table.entry(format!("{method:?}")).or_default();
            match interpolate(cx, &trace.chain, &core, method) {
                None => counts.failed += 1,
                Some(formulas) => {
                    check(cx, &trace.chain, &core, &formulas, method, counts, wrong)?;
                }
            }
        }
        let sites: Vec<_> =
            trace.nodes.iter().map(|&node| cx.steps.site(arg.nodes[node].control)).collect();
        let refuted = Refuted { trace: &trace, core: &core, sites: &sites };
        if analysis.refine(cx, &refuted, &refinement)?.is_none() {
            return Ok(());
        }
        arg.clear();
    }
    Ok(())
}

/// Whether all can hold together, if that is certain: where memory is involved, what the solver takes
/// for possible may be too much.
fn possible(cx: &mut Context<'_, '_>, terms: &[Term]) -> Option<bool> {
    let exact = !terms.iter().any(|&term| has_memory(&cx.space.terms, term));
    cx.solver.satisfiable(cx.space, terms).filter(|&possible| exact || !possible)
}

/// Checks the formula at each cut: vocabulary, implied by what is before, contradicts what is after.
fn check(
    cx: &mut Context<'_, '_>,
    chain: &Chain,
    core: &[GuardOf],
    formulas: &[Term],
    method: Method,
    counts: &mut Counts,
    wrong: &mut Vec<String>,
) -> Result<(), Stop> {
    if formulas.len() + 1 != chain.blocks.len() {
        wrong.push(format!(
            "{method:?}: {} formulas for {} blocks",
            formulas.len(),
            chain.blocks.len()
        ));
        return Ok(());
    }
    for (at, &formula) in formulas.iter().enumerate() {
        cx.budget.check_now()?;
        let cut = at + 1;
        let foreign = cx.space.terms.vars_of(formula).into_iter().find(|&var| {
            !matches!(cx.space.role(var), Role::Program { .. } | Role::Memory(_) | Role::NextObject)
        });
        if let Some(var) = foreign {
            wrong.push(format!("{method:?}: cut {cut} speaks of {:?}", cx.space.role(var)));
            continue;
        }
        let mut before = conditions(cx.space, &chain.blocks[..cut], core, 0);
        let end = before.state;
        let placed = cx.space.terms.substitute(formula, |_, var| end.get(&var).copied());
        before.guards.push(cx.space.terms.not(placed));
        let implied = possible(cx, &before.guards);
        let mut after = conditions(cx.space, &chain.blocks[cut..], core, cut).guards;
        after.push(formula);
        let contradicts = possible(cx, &after);
        // A weakest precondition without the inputs that are taken after the cut is weaker, and its
        // negation may say too much. Strongest postconditions say too little where inputs cannot be
        // eliminated, and nothing of memory and floats.
        let excuse_implied = method == Method::WeakestPrecondition
            && chain.blocks[cut..].iter().any(|block| block.inputs > 0);
        let excuse_contradicts = method == Method::StrongestPostcondition;
        match (implied, contradicts) {
            (Some(false), Some(false)) => counts.right += 1,
            (Some(true), _) if !excuse_implied => {
                wrong.push(format!("{method:?}: cut {cut} does not follow from what is before"));
            }
            (_, Some(true)) if !excuse_contradicts => {
                wrong.push(format!("{method:?}: cut {cut} does not contradict what is after"));
            }
            (Some(true), _) | (_, Some(true)) => counts.excused += 1,
            (None, _) | (_, None) => counts.open += 1,
        }
    }
    Ok(())
}

/// Blocks executed one after the other, from any state.
struct Executed {
    /// The guards of the core.
    guards: Vec<Term>,
    state: FxHashMap<Var, Term>,
}

/// Executes blocks whose first has this number in the chain.
fn conditions(
    space: &mut Space<'_>,
    blocks: &[std::rc::Rc<Block>],
    core: &[GuardOf],
    first: usize,
) -> Executed {
    let mut guards = Vec::new();
    let mut state: FxHashMap<Var, Term> = FxHashMap::default();
    let mut inputs = 0;
    for (number, block) in blocks.iter().enumerate() {
        let mut renamed = FxHashMap::default();
        for guard in core.iter().filter(|guard| guard.block == first + number) {
            guards.push(place(space, guard.guard, inputs, &mut renamed, |var| {
                state.get(&var).copied()
            }));
        }
        let values: Vec<(Var, Term)> = block
            .values
            .iter()
            .map(|(&var, &value)| {
                (var, place(space, value, inputs, &mut renamed, |var| state.get(&var).copied()))
            })
            .collect();
        state.extend(values);
        inputs += block.inputs;
    }
    Executed { guards, state }
}
