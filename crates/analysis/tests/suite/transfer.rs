//! Transfer, covering and blocks against the interpreter.
//!
//! The interpreter runs a program with random inputs and notes what it writes. The abstract successors
//! along the same edges, under a random precision, must have a state at every point that the concrete state
//! belongs to. What is checked is the values of variables: memory is seen through what is loaded from it.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use fastrand::Rng;
use ravelin_analysis::config::{Config, Encoding};
use ravelin_analysis::domain::explicit::valuation::ValuePlace;
use ravelin_analysis::domain::explicit::{Explicit, Scope};
use ravelin_analysis::domain::predicate::precision::Pieces;
use ravelin_analysis::domain::predicate::{Abstracting, BlockOperator, Predicates, start};
use ravelin_analysis::domain::{Analysis, Context, Stop};
use ravelin_analysis::model::block::Block;
use ravelin_analysis::model::control_flow::ControlFlowFacts;
use ravelin_analysis::model::space::{Role, Space};
use ravelin_analysis::model::statement::{Action, Update};
use ravelin_analysis::model::step::{Control, Site, Step, Steps, Target};
use ravelin_analysis::solver::SolverFacade;
use ravelin_base::{Budget, DataModel};
use ravelin_cfa::{Edge, Proc, Program, Sort};
use ravelin_interp::{Event, RandomChooser, RunConfig, Value, WriteTarget, run};
use ravelin_term::{BinOp, Term, Var};
use ravelin_testkit::small::small_program;

use crate::support::{ENCODINGS, build_text, on_all, prepare, solvers};

const PROGRAMS: u64 = 60;

/// The concrete values of variables, as far as the trace tells, as literals.
type Known = BTreeMap<Var, Term>;

/// An analysis whose states can be compared with concrete ones.
trait Checked: Analysis {
    /// Tracks something at random.
    fn add_random(
        &mut self,
        space: &mut Space<'_>,
        rng: &mut Rng,
        site: Site,
        values: &[(Var, Term)],
    );

    /// What contradicts that the state has these values.
    fn contradiction(
        &self,
        space: &mut Space<'_>,
        state: &Self::State,
        known: &Known,
    ) -> Option<String>;
}

impl Checked for Explicit<'_> {
    fn add_random(
        &mut self,
        space: &mut Space<'_>,
        rng: &mut Rng,
        site: Site,
        values: &[(Var, Term)],
    ) {
        for &(var, _) in values {
            if rng.bool() {
                self.precision.add(space, site, ValuePlace::Var(var));
            }
        }
        self.precision.add(space, site, ValuePlace::Var(space.next_object()));
        for object in space.program.objects.keys() {
            let size = space.program.objects[object].size;
            let bytes = [1, 2, 4, 8][rng.usize(0..4)];
            if size >= bytes {
                let offset = rng.u64(0..=(size - bytes) / bytes) * bytes;
                for memory in space.memories_of(object) {
                    let place =
                        ValuePlace::Cell { memory, object: object.as_u32() + 1, offset, bytes };
                    self.precision.add(space, site, place);
                }
            }
        }
    }

    fn contradiction(
        &self,
        space: &mut Space<'_>,
        state: &Self::State,
        known: &Known,
    ) -> Option<String> {
        let wrong = state.values.iter().find(|&(place, value)| match place {
            ValuePlace::Var(var) => known.get(&var).is_some_and(|&right| {
                space.terms.is_literal(value) && value != right && !is_float(space, value)
            }),
            ValuePlace::Cell { .. } => false,
        });
        wrong.map(|(place, value)| format!("{place:?} is {:?}", space.terms.kind(value)))
    }
}

fn is_float(space: &Space<'_>, term: Term) -> bool {
    matches!(space.terms.sort(term), Sort::Float(_))
}

impl Checked for Predicates<'_> {
    fn add_random(
        &mut self,
        space: &mut Space<'_>,
        rng: &mut Rng,
        site: Site,
        values: &[(Var, Term)],
    ) {
        for _ in 0..2 {
            let Some(&(var, value)) = rng.choice(values) else { return };
            let read = space.read_var(var);
            let others = values.iter().filter(|(other, _)| space.sort(*other) == space.sort(var));
            let other = rng
                .choice(others.collect::<Vec<_>>())
                .map_or(value, |(other, _)| space.read_var(*other));
            let right = if rng.bool() { value } else { other };
            let formula = match (space.sort(var), rng.u32(0..3)) {
                (Sort::Bv(_), 0) => space.terms.binary(BinOp::BvUlt, read, right),
                (Sort::Bv(_), 1) => space.terms.binary(BinOp::BvSle, right, read),
                (Sort::Bv(_) | Sort::Bool, _) => space.terms.eq(read, right),
                (Sort::Float(_) | Sort::Ptr | Sort::Mem, _) => continue,
            };
            self.precision.add(space, site, formula, Pieces::Atoms);
        }
    }

    fn contradiction(
        &self,
        space: &mut Space<'_>,
        state: &Self::State,
        known: &Known,
    ) -> Option<String> {
        if !self.ends_block(state) {
            return None;
        }
        let formula = self.formula(space, state.abstraction);
        let wrong = formula.into_iter().find(|&part| {
            let value = space.terms.substitute(part, |_, var| known.get(&var).copied());
            space.terms.as_bool(value) == Some(false)
        });
        wrong.map(|part| format!("{:?} holds", space.terms.kind(part)))
    }
}

impl Checked for (Explicit<'_>, Predicates<'_>) {
    fn add_random(
        &mut self,
        space: &mut Space<'_>,
        rng: &mut Rng,
        site: Site,
        values: &[(Var, Term)],
    ) {
        self.0.add_random(space, rng, site, values);
        self.1.add_random(space, rng, site, values);
    }

    fn contradiction(
        &self,
        space: &mut Space<'_>,
        state: &Self::State,
        known: &Known,
    ) -> Option<String> {
        let first = self.0.contradiction(space, &state.0, known);
        first.or_else(|| self.1.contradiction(space, &state.1, known))
    }
}

/// A step of a concrete run, and what is known after it.
struct Passed {
    from: Control,
    step: Rc<Step>,
    after: Known,
}

fn literal(space: &mut Space<'_>, value: Value) -> Option<Term> {
    match value {
        Value::Bool(value) => Some(space.terms.bool(value)),
        Value::Bv { width, bits } => Some(space.terms.bv(width, bits)),
        Value::Float(kind, bits) => Some(space.terms.float(kind, bits)),
        // Which object it is, the two sides say in different ways.
        Value::Ptr { .. } => None,
    }
}

/// The steps of a run and the values after each.
fn follow_run(cx: &mut Context<'_, '_>, start: Control, events: &[Event]) -> Vec<Passed> {
    let mut known = Known::new();
    for var in cx.space.program.vars.keys() {
        if let Some(value) =
            cx.space.initial_value(var).filter(|&value| cx.space.terms.is_literal(value))
        {
            known.insert(var, value);
        }
    }
    let mut control = start;
    let mut passed = Vec::new();
    for (number, event) in events.iter().enumerate() {
        let Site { proc, activation, .. } = cx.steps.site(control);
        assert_eq!(proc, event.proc, "the steps of the analysis are those of the run");
        let Some(step) =
            step_of(cx, control, event.edge, events.get(number + 1).map(|next| next.proc))
        else {
            break;
        };
        // The result of a call belongs to the caller's frame.
        let result = match step.statements.last().map(|statement| &statement.action) {
            Some(Action::Update(Update::Assign { dst, .. } | Update::Havoc { dst, .. }))
                if step.leaves =>
            {
                Some(*dst)
            }
            _ => None,
        };
        for (at, write) in event.writes.iter().enumerate() {
            let WriteTarget::Var(var) = write.target else { continue };
            let instance = match result {
                Some(dst) if at + 1 == event.writes.len() && cx.space.program_var(dst) == var => {
                    dst
                }
                _ => cx.space.instance(var, activation),
            };
            match literal(cx.space, write.value) {
                Some(value) => known.insert(instance, value),
                None => known.remove(&instance),
            };
        }
        for var in step.left.iter().chain(&step.uninitialised) {
            known.remove(var);
        }
        if step.enters {
            // The trace does not tell what the parameters get.
            let entered = activation.above();
            known.retain(
                |&var, _| !matches!(cx.space.role(var), Role::Program { of, .. } if of == entered),
            );
        }
        passed.push(Passed { from: control, step: Rc::clone(&step), after: known.clone() });
        match step.target {
            Target::Control(next) => control = next,
            Target::End | Target::Error(_) | Target::Unsupported(_) | Target::StartElsewhere => {
                break;
            }
        }
    }
    passed
}

/// The step along an edge; of several, the one into the procedure that the run enters.
fn step_of(
    cx: &mut Context<'_, '_>,
    control: Control,
    edge: Option<Edge>,
    next: Option<Proc>,
) -> Option<Rc<Step>> {
    let steps = cx.steps.out(cx.space, control);
    let mut fitting: Vec<Rc<Step>> =
        steps.iter().filter(|step| Some(step.edge) == edge).cloned().collect();
    if fitting.len() > 1 {
        fitting.retain(|step| match step.target {
            Target::Control(target) => Some(cx.steps.site(target).proc) == next,
            Target::End | Target::Error(_) | Target::Unsupported(_) | Target::StartElsewhere => {
                false
            }
        });
    }
    fitting.into_iter().next()
}

/// Follows a run abstractly; how many states were compared, or what is wrong.
fn check_along<A: Checked>(
    analysis: &mut A,
    cx: &mut Context<'_, '_>,
    rng: &mut Rng,
    start: Control,
    passed: &[Passed],
) -> Result<usize, String> {
    let values: Vec<(Var, Term)> = passed
        .iter()
        .flat_map(|passed| passed.after.iter().map(|(&var, &value)| (var, value)))
        .filter(|(var, _)| !matches!(cx.space.sort(*var), Sort::Float(_)))
        .collect();
    for passed in passed.iter().step_by(passed.len() / 7 + 1) {
        let site = cx.steps.site(passed.from);
        analysis.add_random(cx.space, rng, site, &values);
    }
    let mut states = vec![analysis.initial(cx, start)];
    let mut compared = 0;
    let mut met: BTreeMap<Control, Vec<A::State>> = BTreeMap::new();
    for (number, Passed { from, step, after }) in passed.iter().enumerate() {
        let site = match step.target {
            Target::Control(next) => cx.steps.site(next),
            Target::End => return Ok(compared),
            Target::Error(_) | Target::Unsupported(_) | Target::StartElsewhere => {
                cx.steps.site(*from)
            }
        };
        let mut next = Vec::new();
        let mut why = "there is no successor".to_owned();
        for state in &states {
            let in_time = cx.budget.check_now().map_err(Stop::from);
            let successors = in_time.and_then(|()| analysis.successors(cx, state, step, site));
            let Ok(successors) = successors else {
                // Out of time: what was compared until here counts.
                return Ok(compared);
            };
            for state in successors {
                match analysis.contradiction(cx.space, &state, after) {
                    Some(found) => why = found,
                    None => next.push(state),
                }
            }
        }
        if next.is_empty() {
            let actions: Vec<String> =
                step.statements.iter().map(|it| format!("{:?}", it.action)).collect();
            return Err(format!(
                "step {number} of {}, {}: {why}",
                passed.len(),
                actions.join("; ")
            ));
        }
        next.truncate(4);
        if let Target::Control(control) = step.target {
            let known = met.entry(control).or_default();
            for state in &next {
                if !analysis.ends_block(state) {
                    continue;
                }
                check_covers(analysis, cx, state, known, after)?;
                if known.len() < 6 {
                    known.push(state.clone());
                }
                compared += 1;
            }
        }
        states = next;
    }
    Ok(compared)
}

/// That covering is reflexive and transitive, and that what covers a state stands for what it stands for.
fn check_covers<A: Checked>(
    analysis: &mut A,
    cx: &mut Context<'_, '_>,
    state: &A::State,
    others: &[A::State],
    concrete: &Known,
) -> Result<(), String> {
    let mut covers = |analysis: &mut A, larger: &A::State, smaller: &A::State| {
        analysis.covers(cx, larger, smaller).map_err(|stop| stop.to_string())
    };
    if !covers(analysis, state, state)? {
        return Err("a state does not cover itself".to_owned());
    }
    let mut larger = Vec::new();
    for other in others {
        if covers(analysis, other, state)? {
            larger.push(other);
        }
    }
    for middle in &larger {
        for top in others {
            if covers(analysis, top, middle)? && !covers(analysis, top, state)? {
                return Err("covering is not transitive".to_owned());
            }
        }
    }
    for other in larger {
        if let Some(why) = analysis.contradiction(cx.space, other, concrete) {
            return Err(format!("what covers a state does not stand for it: {why}"));
        }
    }
    Ok(())
}

/// Runs `check` with all that an analysis needs.
fn with_context<T>(
    program: &Program,
    check: impl FnOnce(&mut Context<'_, '_>, &ControlFlowFacts, Control) -> T,
) -> T {
    let control_flow = ControlFlowFacts::new(program);
    let mut space = Space::new(program);
    let mut steps = Steps::new(program);
    let mut solver = SolverFacade::new(solvers(), None, &Default::default());
    let mut budget = Budget::unlimited().with_timeout(Duration::from_secs(1));
    let entry = program.entry.expect("the program has a main function");
    let start = steps.initial(program, entry);
    let mut cx =
        Context { space: &mut space, steps: &mut steps, solver: &mut solver, budget: &mut budget };
    check(&mut cx, &control_flow, start)
}

fn events_of(program: &Program, seed: u64) -> Vec<Event> {
    let budget = Budget::unlimited().with_steps(250);
    let config = RunConfig { budget, trace: true, ..RunConfig::default() };
    run(program, &mut RandomChooser::new(seed), &config).trace
}

fn random_operator(rng: &mut Rng, encoding: Encoding) -> BlockOperator {
    match encoding {
        Encoding::Single | Encoding::Large => BlockOperator::EveryStep,
        Encoding::Adjustable { .. } | Encoding::LargeAdjustable { .. } => {
            BlockOperator::Adjustable {
                calls: rng.bool(),
                max_steps: rng.bool().then(|| rng.u32(1..9)),
            }
        }
    }
}

/// Follows runs of generated programs with the analysis that `make` gives.
fn check_generated(
    check: impl Fn(
        &mut Context<'_, '_>,
        &ControlFlowFacts,
        &mut Rng,
        Encoding,
        Control,
        &[Passed],
    ) -> Result<usize, String>
    + Sync,
) {
    let seeds: Vec<u64> = (0..PROGRAMS).collect();
    let results = on_all(&seeds, |&seed| {
        let mut rng = Rng::with_seed(seed);
        let encoding = ENCODINGS[rng.usize(0..ENCODINGS.len())];
        let text = small_program(seed);
        let model = if rng.bool() { DataModel::Ilp32 } else { DataModel::Lp64 };
        let program = prepare(&build_text(&text, model), &Config { encoding, ..Config::default() });
        let mut compared = 0;
        for round in 0..2 {
            let events = events_of(&program, seed * 100 + round);
            let result = with_context(&program, |cx, control_flow, start| {
                let passed = follow_run(cx, start, &events);
                assert!(passed.len() + 1 >= events.len(), "the run is followed to its end");
                check(cx, control_flow, &mut rng, encoding, start, &passed)
            });
            match result {
                Ok(count) => compared += count,
                Err(message) => {
                    panic!("seed {seed}, round {round}, {encoding:?}: {message}\n{text}")
                }
            }
        }
        compared
    });
    let compared: usize = results.iter().sum();
    assert!(compared as u64 > PROGRAMS * 10, "only {compared} states were compared");
}

fn random_explicit<'g>(rng: &mut Rng, control_flow: &'g ControlFlowFacts) -> Explicit<'g> {
    let scope = if rng.bool() { Scope::Local } else { Scope::Global };
    Explicit::new(scope, rng.usize(0..4), control_flow)
}

fn random_predicates<'g>(
    rng: &mut Rng,
    control_flow: &'g ControlFlowFacts,
    encoding: Encoding,
) -> Predicates<'g> {
    let scope = if rng.bool() { Scope::Local } else { Scope::Global };
    let abstracting = if rng.bool() { Abstracting::Cartesian } else { Abstracting::Boolean };
    Predicates::new(scope, abstracting, random_operator(rng, encoding), control_flow)
}

#[test]
fn explicit_states_include_concrete_ones() {
    check_generated(|cx, control_flow, rng, _, start, passed| {
        check_along(&mut random_explicit(rng, control_flow), cx, rng, start, passed)
    });
}

#[test]
fn predicate_states_include_concrete_ones() {
    check_generated(|cx, control_flow, rng, encoding, start, passed| {
        check_along(&mut random_predicates(rng, control_flow, encoding), cx, rng, start, passed)
    });
}

#[test]
fn product_states_include_concrete_ones() {
    check_generated(|cx, control_flow, rng, encoding, start, passed| {
        let mut pair =
            (random_explicit(rng, control_flow), random_predicates(rng, control_flow, encoding));
        check_along(&mut pair, cx, rng, start, passed)
    });
}

/// Blocks made of the steps of a run, in one piece and put together of two, allow the values that the
/// run has.
#[test]
fn blocks_allow_what_runs_do() {
    check_generated(|cx, _, rng, _, _, passed| {
        let end = rng.usize(1..=passed.len().clamp(1, 120)).min(passed.len());
        let cut = rng.usize(0..=end);
        let first = start(cx);
        let (mut whole, mut before, mut after) = (first.clone(), first, Block::default());
        for (number, Passed { step, .. }) in passed[..end].iter().enumerate() {
            whole.take(cx.space, step);
            if number < cut { &mut before } else { &mut after }.take(cx.space, step);
        }
        let merged = merge_detours(cx, rng, &passed[..end]);
        let Some(last) = passed[..end].last() else { return Ok(0) };
        let composed = after.after(cx.space, &before);
        for (what, block) in
            [("in one piece", &whole), ("composed", &composed), ("merged", &merged)]
        {
            allows(cx, block, &last.after)
                .map_err(|why| format!("block of {end} steps {what}: {why}"))?;
        }
        Ok(20)
    });
}

/// Whether a block that starts with the program can end with these values.
fn allows(cx: &mut Context<'_, '_>, block: &Block, values: &Known) -> Result<(), String> {
    let mut question = block.guards.clone();
    for (&var, &value) in values {
        let end = block.value(cx.space, var);
        if !is_float(cx.space, value) {
            let equal = cx.space.terms.eq(end, value);
            if cx.space.terms.as_bool(equal) == Some(false) {
                return Err(format!("{:?} is {:?}", cx.space.role(var), cx.space.terms.kind(end)));
            }
            question.push(equal);
        }
    }
    match cx.solver.satisfiable(cx.space, &question) {
        Some(false) => Err("its guards and the values contradict each other".to_owned()),
        Some(true) | None => Ok(()),
    }
}

/// The block of a run merged, wherever possible, with that of a way that leaves the run at a branch and
/// comes back to it.
fn merge_detours(cx: &mut Context<'_, '_>, rng: &mut Rng, passed: &[Passed]) -> Block {
    let mut block = start(cx);
    let mut detours: BTreeMap<Control, Vec<Block>> = BTreeMap::new();
    for Passed { from, step, .. } in passed {
        // A detour that came round a loop would be another way than the one it is merged with.
        for detour in detours.remove(from).into_iter().flatten() {
            block = Block::merge(cx.space, &block, &detour);
        }
        detours.clear();
        let others = cx.steps.out(cx.space, *from);
        for other in
            others.iter().filter(|other| !Rc::ptr_eq(other, step) && other.edge != step.edge)
        {
            let mut way = block.clone();
            way.take(cx.space, other);
            let (mut at, mut length) = (other.target, 0);
            // A few steps without branches lead to where the run itself goes next, or nowhere.
            while let Target::Control(control) = at
                && Target::Control(control) != step.target
                && length < 3
            {
                let out = cx.steps.out(cx.space, control);
                let Some(next) = rng.choice(out.iter()) else { break };
                way.take(cx.space, next);
                at = next.target;
                length += 1;
            }
            if let Target::Control(control) = at
                && !way.is_blocked(cx.space)
            {
                detours.entry(control).or_default().push(way);
            }
        }
        block.take(cx.space, step);
    }
    block
}
