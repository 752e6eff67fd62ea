//! Formulas at the cuts of an infeasible chain that tell why it is infeasible.
//!
//! All methods work on the core: the guards that contradict each other, and the values these depend
//! on. The formula at a cut is implied by what is before it, contradicts what is after it, and speaks
//! of the variables at the cut only.

use std::time::Duration;

use ravelin_smt::Prover;
use ravelin_term::{Sort, Term, TermPool, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::chain::{Chain, GuardOf};
use crate::domain::Context;
use crate::model::block::{conjunction, place};
use crate::model::rewrite::without;
use crate::model::space::Space;

/// How interpolants are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Weakest preconditions along the core, backwards.
    WeakestPrecondition,
    /// Strongest postconditions along the core, reduced to the variables that matter later.
    StrongestPostcondition,
    /// A sequence of interpolants, all at once.
    Sequence,
    /// From the last cut backwards, one interpolant at a time.
    Backward,
}

/// The formulas at the cuts, that is before each block but the first. `None` if the method fails.
pub fn interpolate(
    cx: &mut Context<'_, '_>,
    chain: &Chain,
    core: &[GuardOf],
    method: Method,
) -> Option<Vec<Term>> {
    let weakest = weakest_preconditions(cx.space, chain, core);
    match method {
        Method::WeakestPrecondition => {
            let mut formulas = Vec::with_capacity(weakest.len());
            let limit = Some(MAX_PROJECTION / weakest.len() as u32);
            for cut in weakest.into_iter().skip(1) {
                let projected = project_inputs(cx.solver.prover(), cx.space, cut, limit);
                let reaches = conjunction(&mut cx.space.terms, &projected);
                formulas.push(cx.space.terms.not(reaches));
            }
            Some(formulas)
        }
        Method::StrongestPostcondition => Some(strongest_postconditions(cx, chain, core, &weakest)),
        Method::Sequence => {
            let sliced = Sliced::new(cx.space, chain, core);
            let found = cx
                .solver
                .prover()
                .sequence_interpolants(&mut cx.space.terms, &sliced.steps, TIME)
                .ok()?;
            Some(sliced.at_cuts(cx.space, &found))
        }
        Method::Backward => {
            let sliced = Sliced::new(cx.space, chain, core);
            let mut found = Vec::new();
            // What follows the cut under work, given the interpolant found there.
            let mut rest = *sliced.steps.last()?;
            for cut in (1..sliced.steps.len()).rev() {
                let before = conjunction(&mut cx.space.terms, &sliced.steps[..cut]);
                let one = cx
                    .solver
                    .prover()
                    .sequence_interpolants(&mut cx.space.terms, &[before, rest], TIME)
                    .ok()?;
                let formula = *one.first()?;
                found.push(formula);
                let negation = cx.space.terms.not(formula);
                rest = cx.space.terms.and(sliced.steps[cut - 1], negation);
                cx.budget.check_now().ok()?;
            }
            found.reverse();
            Some(sliced.at_cuts(cx.space, &found))
        }
    }
}

/// Eliminating inputs at all cuts of a chain may take this long.
const MAX_PROJECTION: Duration = Duration::from_secs(2);

/// A question for interpolants may take this long.
const TIME: Option<Duration> = Some(Duration::from_secs(5));

/// The conditions before each block under which the core is passed: conjuncts over variables at that
/// point and inputs of later blocks, which may be any.
fn weakest_preconditions(space: &mut Space<'_>, chain: &Chain, core: &[GuardOf]) -> Vec<Vec<Term>> {
    let count = chain.blocks.len();
    let first_inputs = chain.first_inputs();
    let mut conditions = vec![Vec::new(); count];
    let mut now: Vec<Term> = Vec::new();
    for number in (0..count).rev() {
        let block = &chain.blocks[number];
        // The inputs of each block get numbers of their own.
        let mut renamed = FxHashMap::default();
        let mut values: FxHashMap<Var, Term> = FxHashMap::default();
        let mut next: Vec<Term> = Vec::new();
        for &condition in &now {
            for var in space.terms.vars_of(condition) {
                if let Some(&value) = block.values.get(&var)
                    && !values.contains_key(&var)
                {
                    let value = place(space, value, first_inputs[number], &mut renamed, |_| None);
                    values.insert(var, value);
                }
            }
            let before = space.terms.substitute(condition, |_, var| values.get(&var).copied());
            push_conjunct(space, &mut next, before);
        }
        for guard in core.iter().filter(|guard| guard.block == number) {
            let guard = place(space, guard.guard, first_inputs[number], &mut renamed, |_| None);
            push_conjunct(space, &mut next, guard);
        }
        now = next.clone();
        conditions[number] = next;
    }
    conditions
}

fn push_conjunct(space: &Space<'_>, conditions: &mut Vec<Term>, condition: Term) {
    for part in super::conjuncts(&space.terms, condition) {
        if space.terms.as_bool(part) != Some(true) && !conditions.contains(&part) {
            conditions.push(part);
        }
    }
}

/// What follows from the conditions for the variables alone, whatever the inputs are.
fn project_inputs(
    prover: &mut dyn Prover,
    space: &mut Space<'_>,
    conditions: Vec<Term>,
    limit: Option<Duration>,
) -> Vec<Term> {
    let inputs: FxHashSet<Var> = conditions
        .iter()
        .flat_map(|&condition| space.terms.vars_of(condition))
        .filter(|&var| space.role(var).is_input())
        .collect();
    if inputs.is_empty() {
        return conditions;
    }
    let is_gone = |terms: &TermPool, term: Term| {
        terms.vars_of(term).into_iter().any(|var| inputs.contains(&var))
    };
    let (open, mut kept): (Vec<Term>, Vec<Term>) =
        conditions.iter().partition(|&&condition| is_gone(&space.terms, condition));
    let formula = conjunction(&mut space.terms, &open);
    let mut vars: Vec<Var> = inputs.iter().copied().collect();
    vars.sort_unstable();
    if let Some(exact) = prover.eliminate(&mut space.terms, formula, &vars, limit) {
        push_conjunct(space, &mut kept, exact);
        return kept;
    }
    let mut kept = Vec::new();
    for condition in conditions {
        let condition = without(&mut space.terms, condition, &is_gone);
        push_conjunct(space, &mut kept, condition);
    }
    kept
}

/// What is known at each cut of the variables that matter after it.
fn strongest_postconditions(
    cx: &mut Context<'_, '_>,
    chain: &Chain,
    core: &[GuardOf],
    weakest: &[Vec<Term>],
) -> Vec<Term> {
    let mut state: FxHashMap<Var, Term> = FxHashMap::default();
    let mut path: Vec<Term> = Vec::new();
    let mut inputs = 0;
    let mut formulas = Vec::new();
    for (number, block) in chain.blocks.iter().enumerate() {
        if number > 0 {
            let matter: Vec<Var> = vars_of(cx.space, &weakest[number]);
            formulas.push(post_condition(cx, &state, &path, &matter));
        }
        let mut renamed = FxHashMap::default();
        for guard in core.iter().filter(|guard| guard.block == number) {
            let placed =
                place(cx.space, guard.guard, inputs, &mut renamed, |var| state.get(&var).copied());
            path.push(placed);
        }
        let values: Vec<(Var, Term)> = block
            .values
            .iter()
            .map(|(&var, &value)| {
                let placed =
                    place(cx.space, value, inputs, &mut renamed, |var| state.get(&var).copied());
                (var, placed)
            })
            .collect();
        state.extend(values);
        inputs += block.inputs;
    }
    formulas
}

fn post_condition(
    cx: &mut Context<'_, '_>,
    state: &FxHashMap<Var, Term>,
    path: &[Term],
    matter: &[Var],
) -> Term {
    let mut parts = Vec::new();
    let mut open: Vec<Term> = path.to_vec();
    for &var in matter {
        let Some(&value) = state.get(&var) else { continue };
        if matches!(cx.space.sort(var), Sort::Mem | Sort::Float(_)) {
            continue;
        }
        let read = cx.space.read_var(var);
        let equal = cx.space.terms.eq(read, value);
        if cx.space.is_value(value) {
            parts.push(equal);
        } else {
            open.push(equal);
        }
    }
    let formula = conjunction(&mut cx.space.terms, &open);
    let mut inputs = cx.space.terms.vars_of(formula);
    inputs.retain(|&var| cx.space.role(var).is_input());
    let limit = Some(Duration::from_millis(500));
    if let Some(projected) =
        cx.solver.prover().eliminate(&mut cx.space.terms, formula, &inputs, limit)
    {
        parts.push(projected);
    }
    conjunction(&mut cx.space.terms, &parts)
}

fn vars_of(space: &Space<'_>, conditions: &[Term]) -> Vec<Var> {
    let mut vars = Vec::new();
    for &condition in conditions {
        for var in space.terms.vars_of(condition) {
            if !vars.contains(&var) {
                vars.push(var);
            }
        }
    }
    vars
}

/// The core of a chain as a formula for each block, with a copy of a variable for each value it has.
struct Sliced {
    steps: Vec<Term>,
    /// The variables behind the copies.
    originals: FxHashMap<Var, Var>,
}

impl Sliced {
    fn new(space: &mut Space<'_>, chain: &Chain, core: &[GuardOf]) -> Self {
        let needed = needed_vars(space, chain, core);
        let mut version: FxHashMap<Var, u32> = FxHashMap::default();
        let mut originals = FxHashMap::default();
        let mut steps = Vec::new();
        let mut inputs = 0;
        for (number, block) in chain.blocks.iter().enumerate() {
            let mut renamed = FxHashMap::default();
            let mut parts = Vec::new();
            let mut rename = |space: &mut Space<'_>, term: Term, version: &FxHashMap<Var, u32>| {
                let mut copies = FxHashMap::default();
                for var in space.terms.vars_of(term) {
                    if !space.role(var).is_input() {
                        let copy = space.at(var, version.get(&var).copied().unwrap_or(0));
                        originals.insert(copy, var);
                        let read = space.read_var(copy);
                        copies.insert(var, read);
                    }
                }
                place(space, term, inputs, &mut renamed, |var| copies.get(&var).copied())
            };
            for guard in core.iter().filter(|guard| guard.block == number) {
                parts.push(rename(space, guard.guard, &version));
            }
            let mut changed = Vec::new();
            for &var in &needed[number] {
                if let Some(&value) = block.values.get(&var) {
                    changed.push((var, rename(space, value, &version)));
                }
            }
            for &(var, value) in &changed {
                let next = version.get(&var).copied().unwrap_or(0) + 1;
                version.insert(var, next);
                let copy = space.at(var, next);
                originals.insert(copy, var);
                let read = space.read_var(copy);
                parts.push(space.terms.eq(read, value));
            }
            steps.push(conjunction(&mut space.terms, &parts));
            inputs += block.inputs;
        }
        Sliced { steps, originals }
    }

    /// Formulas over copies as formulas over the variables.
    fn at_cuts(&self, space: &mut Space<'_>, formulas: &[Term]) -> Vec<Term> {
        let mut result = Vec::with_capacity(formulas.len());
        for &formula in formulas {
            let mut reads = FxHashMap::default();
            for var in space.terms.vars_of(formula) {
                if let Some(&original) = self.originals.get(&var) {
                    reads.insert(var, space.read_var(original));
                }
            }
            result.push(space.terms.substitute(formula, |_, var| reads.get(&var).copied()));
        }
        result
    }
}

/// The variables after each block on which the core depends.
fn needed_vars(space: &Space<'_>, chain: &Chain, core: &[GuardOf]) -> Vec<Vec<Var>> {
    let mut needed: FxHashSet<Var> = FxHashSet::default();
    let mut after = vec![Vec::new(); chain.blocks.len()];
    for (number, block) in chain.blocks.iter().enumerate().rev() {
        let mut sorted: Vec<Var> = needed.iter().copied().collect();
        sorted.sort_unstable();
        let mut before: FxHashSet<Var> = FxHashSet::default();
        for &var in &sorted {
            match block.values.get(&var) {
                Some(&value) => before.extend(space.terms.vars_of(value)),
                None => {
                    before.insert(var);
                }
            }
        }
        for guard in core.iter().filter(|guard| guard.block == number) {
            before.extend(space.terms.vars_of(guard.guard));
        }
        before.retain(|&var| !space.role(var).is_input());
        after[number] = sorted;
        needed = before;
    }
    after
}

/// The variables at each cut on which the core depends, for analyses that track variables.
pub fn core_variables(space: &Space<'_>, chain: &Chain, core: &[GuardOf]) -> Vec<Vec<Var>> {
    let mut after = needed_vars(space, chain, core);
    after.pop();
    after
}
