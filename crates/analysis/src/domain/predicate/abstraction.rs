//! Reducing a block to what it says about predicates.

use std::rc::Rc;

use ravelin_base::EntitySet;
use ravelin_term::{Term, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::clusters::Cause;
use super::literals::{Literals, Predicate};
use super::{
    Abstracting, Abstraction, AbstractionData, Binding, BlockOperator, PredicateState, Predicates,
};
use crate::domain::explicit::valuation::{Valuation, ValuePlace};
use crate::domain::{Context, Stop};
use crate::model::block::{Block, conjunction};
use crate::model::space::Space;
use crate::model::step::Site;

/// More combinations than this are not listed: the abstraction is Cartesian there.
const MAX_CUBES: usize = 200;

/// What is known after a block: literals, and which combinations of others are possible if all were asked for;
/// `None` if the block cannot be passed.
type Found = Option<(Literals, Option<Term>)>;

/// How it is found out which predicates hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deciding {
    /// Each is asked about on its own, in questions that come again and again.
    Each,
    /// Questions hardly ever come again, but what a model shows to be possible need not be asked.
    ByModels,
}

impl Predicates<'_> {
    /// What is known at a site after a block; `None` if the block cannot be passed.
    pub(super) fn abstract_block(
        &mut self,
        cx: &mut Context<'_, '_>,
        state: &PredicateState,
        site: Site,
    ) -> Result<Found, Stop> {
        let tracked = self.precision.at(site).len();
        self.statistics.abstractions += 1;
        self.statistics.predicates += tracked as u64;
        // Blocks of several steps hardly ever come again, and neither do values beside them.
        let is_step = match self.operator {
            BlockOperator::EveryStep => true,
            BlockOperator::Adjustable { .. } => state.steps == 1,
            BlockOperator::Never => false,
        };
        let comes_again = self.abstracting == Abstracting::Cartesian
            && is_step
            && state.entry.is_empty()
            && state.now.is_empty();
        if !comes_again {
            let predicates: Vec<Predicate> = self.precision.at(site).to_vec();
            let before = self.formula(cx.space, state.abstraction);
            return self.find(cx, &before, state, &predicates, Deciding::Each);
        }
        let data = &self.abstractions[state.abstraction];
        let literals = data.literals.clone();
        let cause =
            Cause { from: data.tracked, to: (site, tracked), block: Rc::clone(&state.block) };
        let clusters = self.clusters.of(&self.precision, &cx.space.terms, cause);
        let (touched, others) = clusters.parts(&literals);
        let after = match clusters.remembered(&touched) {
            Some(after) => after,
            None => {
                let before = self.conjuncts(cx.space, &touched);
                let found = self.find(cx, &before, state, &clusters.predicates, Deciding::Each)?;
                clusters.remember(touched, found.map(|(after, _)| after))
            }
        };
        // What the block does not touch cannot contradict it either.
        Ok(after.and_then(|after| after.and(&others)).map(|literals| (literals, None)))
    }

    /// Which of these predicates are known to hold or not after a block, if the literals hold before it; `None` if
    /// it cannot be passed.
    pub fn literals_after(
        &mut self,
        cx: &mut Context<'_, '_>,
        before: &Literals,
        block: &Block,
        predicates: &[Predicate],
    ) -> Result<Option<Literals>, Stop> {
        if block.is_blocked(cx.space) {
            return Ok(None);
        }
        let (mut kept, mut asked) = (Literals::default(), Vec::new());
        for &predicate in predicates {
            let term = self.precision.terms[predicate];
            // What nothing was written to is as it was.
            match before.get(predicate).filter(|_| block.before(cx.space, term) == term) {
                Some(holds) => kept.insert(predicate, holds),
                None => asked.push(predicate),
            }
        }
        let before = self.conjuncts(cx.space, before);
        self.statistics.predicates += asked.len() as u64;
        let state = PredicateState::within(block.clone());
        let found = self.find(cx, &before, &state, &asked, Deciding::ByModels)?;
        Ok(found.and_then(|(literals, _)| literals.and(&kept)))
    }

    fn find(
        &mut self,
        cx: &mut Context<'_, '_>,
        before: &[Term],
        state: &PredicateState,
        predicates: &[Predicate],
        deciding: Deciding,
    ) -> Result<Found, Stop> {
        let entry = Entry::new(cx.space, &state.entry, self.binding);
        let mut facts: Vec<Term> = entry.equations.clone();
        for &fact in before.iter().chain(&state.block.guards) {
            let fact = entry.apply(cx.space, fact);
            match cx.space.terms.as_bool(fact) {
                Some(true) => {}
                Some(false) => return Ok(None),
                None => facts.push(fact),
            }
        }
        // The values after the step tell which of its ways was taken.
        for (place, value) in state.now.iter() {
            let ValuePlace::Var(var) = place else { break };
            let Some(&after) = state.block.values.get(&var) else { continue };
            let after = entry.apply(cx.space, after);
            let is_it = same(cx.space, after, value);
            match cx.space.terms.as_bool(is_it) {
                Some(true) => {}
                Some(false) => return Ok(None),
                None => facts.push(is_it),
            }
        }
        let asked = Asked::new(cx.space, facts);
        if !asked.possible(cx)? {
            return Ok(None);
        }
        let mut open = Vec::new();
        let mut literals = Literals::default();
        for &predicate in predicates {
            let term = state.block.before(cx.space, self.precision.terms[predicate]);
            let term = entry.apply(cx.space, term);
            match cx.space.terms.as_bool(term) {
                Some(holds) => literals.insert(predicate, holds),
                None => open.push((predicate, term)),
            }
        }
        let calls_before = cx.solver.statistics.calls;
        let cubes = match self.abstracting {
            Abstracting::Cartesian => None,
            Abstracting::Boolean => asked.combinations(cx, &open)?,
        };
        if cubes.is_none() {
            match deciding {
                Deciding::Each => asked.decide(cx, &open, &mut literals)?,
                Deciding::ByModels => asked.decide_by_models(cx, &open, &mut literals)?,
            }
        }
        self.statistics.calls += cx.solver.statistics.calls - calls_before;
        if let Some(cubes) = cubes {
            return Ok(Some(self.of_cubes(cx, literals, &open, &cubes)));
        }
        Ok(Some((literals, None)))
    }

    /// All that is known at an abstraction point, over the program's variables.
    pub fn formula(&self, space: &mut Space<'_>, abstraction: Abstraction) -> Vec<Term> {
        let AbstractionData { literals, cubes, .. } = &self.abstractions[abstraction];
        let mut formula = self.conjuncts(space, literals);
        formula.extend(*cubes);
        formula
    }

    fn conjuncts(&self, space: &mut Space<'_>, literals: &Literals) -> Vec<Term> {
        literals.iter().map(|(predicate, holds)| self.literal(space, predicate, holds)).collect()
    }

    fn literal(&self, space: &mut Space<'_>, predicate: Predicate, holds: bool) -> Term {
        let term = self.precision.terms[predicate];
        if holds { term } else { space.terms.not(term) }
    }

    fn of_cubes(
        &self,
        cx: &mut Context<'_, '_>,
        mut literals: Literals,
        open: &[(Predicate, Term)],
        cubes: &[Vec<bool>],
    ) -> (Literals, Option<Term>) {
        for (at, &(predicate, _)) in open.iter().enumerate() {
            if let Some(first) = cubes.first().map(|cube| cube[at])
                && cubes.iter().all(|cube| cube[at] == first)
            {
                literals.insert(predicate, first);
            }
        }
        let mut any = cx.space.terms.bool(false);
        for cube in cubes {
            let parts: Vec<Term> = open
                .iter()
                .zip(cube)
                .filter(|((predicate, _), _)| literals.get(*predicate).is_none())
                .map(|(&(predicate, _), &holds)| self.literal(cx.space, predicate, holds))
                .collect();
            let cube = conjunction(&mut cx.space.terms, &parts);
            any = cx.space.terms.or(any, cube);
        }
        let says_nothing = cx.space.terms.as_bool(any) == Some(true);
        (literals, (!says_nothing).then_some(any))
    }
}

/// Known values where a block starts, as replacements of variables.
struct Entry {
    values: FxHashMap<Var, Term>,
    /// The same as equations, where they replace nothing.
    equations: Vec<Term>,
}

impl Entry {
    fn new(space: &mut Space<'_>, known: &Valuation, binding: Binding) -> Self {
        let (mut values, mut equations) = (FxHashMap::default(), Vec::new());
        if binding == Binding::Equality {
            for (place, value) in known.iter() {
                let read = place.read(space, space.terms.sort(value));
                equations.push(same(space, read, value));
            }
            return Entry { values, equations };
        }
        for (place, value) in known.iter() {
            match place {
                ValuePlace::Var(var) => {
                    values.insert(var, value);
                }
                ValuePlace::Cell { memory, object, offset, .. } => {
                    let pointer = space.pointer(object, offset);
                    let before =
                        values.get(&memory).copied().unwrap_or_else(|| space.read_var(memory));
                    values.insert(memory, space.terms.write(before, pointer, value));
                }
            }
        }
        Entry { values, equations }
    }

    fn apply(&self, space: &mut Space<'_>, term: Term) -> Term {
        if self.values.is_empty() {
            return term;
        }
        space.terms.substitute(term, |_, var| self.values.get(&var).copied())
    }
}

fn is_var(space: &Space<'_>, term: Term) -> bool {
    matches!(space.terms.kind(term), ravelin_term::TermKind::Var(_))
}

/// Equality of values, of floats by their bits.
fn same(space: &mut Space<'_>, a: Term, b: Term) -> Term {
    if a == b {
        return space.terms.bool(true);
    }
    match space.terms.sort(a) {
        // NaNs have many bit patterns; equality would lose states, so nothing is said.
        ravelin_term::Sort::Float(_) => space.terms.bool(true),
        _ => space.terms.eq(a, b),
    }
}

/// Facts that hold together, and questions about them.
struct Asked {
    facts: Vec<Term>,
    vars: Vec<SmallVec<[Var; 4]>>,
    by_var: FxHashMap<Var, Vec<usize>>,
}

impl Asked {
    fn new(space: &Space<'_>, mut facts: Vec<Term>) -> Self {
        facts.sort_unstable();
        facts.dedup();
        let vars: Vec<SmallVec<[Var; 4]>> =
            facts.iter().map(|&fact| space.terms.vars_of(fact).into()).collect();
        let mut by_var: FxHashMap<Var, Vec<usize>> = FxHashMap::default();
        for (number, vars) in vars.iter().enumerate() {
            for &var in vars {
                by_var.entry(var).or_default().push(number);
            }
        }
        Asked { facts, vars, by_var }
    }

    /// Whether the facts can hold together. Facts without common variables cannot contradict each
    /// other, so each group is asked about on its own, and most questions come again and again.
    fn possible(&self, cx: &mut Context<'_, '_>) -> Result<bool, Stop> {
        let mut done: FxHashSet<usize> = FxHashSet::default();
        for start in 0..self.facts.len() {
            if done.contains(&start) {
                continue;
            }
            let group = self.connected(&self.vars[start]);
            let terms: Vec<Term> = group.iter().map(|&number| self.facts[number]).collect();
            done.extend(group);
            done.insert(start);
            let terms = if terms.is_empty() { vec![self.facts[start]] } else { terms };
            // What the solver cannot tell is possible.
            if cx.solver.satisfiable(cx.space, &terms) == Some(false) {
                return Ok(false);
            }
            cx.budget.check_now()?;
        }
        Ok(true)
    }

    /// The facts that have to do with these variables, through others if need be.
    fn connected(&self, vars: &[Var]) -> Vec<usize> {
        let mut group: FxHashSet<usize> = FxHashSet::default();
        let mut seen: EntitySet<Var> = EntitySet::new();
        let mut work: Vec<Var> = vars.to_vec();
        while let Some(var) = work.pop() {
            if !seen.insert(var) {
                continue;
            }
            for &number in self.by_var.get(&var).into_iter().flatten() {
                if group.insert(number) {
                    work.extend(self.vars[number].iter().copied());
                }
            }
        }
        let mut group: Vec<usize> = group.into_iter().collect();
        group.sort_unstable();
        group
    }

    /// Which of the predicates hold, and which do not, each on its own.
    fn decide(
        &self,
        cx: &mut Context<'_, '_>,
        open: &[(Predicate, Term)],
        literals: &mut Literals,
    ) -> Result<(), Stop> {
        for &(predicate, term) in open {
            cx.budget.check_now()?;
            let vars = cx.space.terms.vars_of(term);
            let related: Vec<Term> =
                self.connected(&vars).into_iter().map(|number| self.facts[number]).collect();
            let negation = cx.space.terms.not(term);
            // Nothing is known about it, or it is known itself.
            if related.contains(&term) {
                literals.insert(predicate, true);
                continue;
            }
            if related.contains(&negation) {
                literals.insert(predicate, false);
                continue;
            }
            if related.is_empty() && is_contingent(cx.space, term) {
                continue;
            }
            let mut question = related;
            question.push(negation);
            if cx.solver.satisfiable(cx.space, &question) == Some(false) {
                literals.insert(predicate, true);
                continue;
            }
            question.pop();
            question.push(term);
            if cx.solver.satisfiable(cx.space, &question) == Some(false) {
                literals.insert(predicate, false);
            }
        }
        Ok(())
    }

    /// As [`Self::decide`]. What is true in one model of the facts and false in another is not known.
    fn decide_by_models(
        &self,
        cx: &mut Context<'_, '_>,
        open: &[(Predicate, Term)],
        literals: &mut Literals,
    ) -> Result<(), Stop> {
        let mut seen = vec![[false; 2]; open.len()];
        let look = |cx: &mut Context<'_, '_>, seen: &mut [[bool; 2]]| {
            for (&(_, term), seen) in open.iter().zip(seen) {
                let value = cx.solver.value(cx.space, term);
                if let Some(holds) = value.and_then(|value| cx.space.terms.as_bool(value)) {
                    seen[usize::from(holds)] = true;
                }
            }
        };
        for at in 0..open.len() {
            cx.budget.check_now()?;
            let (predicate, term) = open[at];
            let related: Vec<Term> = self
                .connected(&cx.space.terms.vars_of(term))
                .into_iter()
                .map(|number| self.facts[number])
                .collect();
            for holds in [true, false] {
                if seen[at] == [true; 2] || literals.get(predicate).is_some() {
                    break;
                }
                if seen[at][usize::from(holds)] {
                    continue;
                }
                let mut question = related.clone();
                question.push(if holds { term } else { cx.space.terms.not(term) });
                match cx.solver.check(cx.space, &question) {
                    ravelin_smt::Answer::Sat => {
                        look(cx, &mut seen);
                        seen[at][usize::from(holds)] = true;
                    }
                    ravelin_smt::Answer::Unsat => literals.insert(predicate, !holds),
                    // What the solver cannot tell is possible.
                    ravelin_smt::Answer::Unknown(_) => seen[at][usize::from(holds)] = true,
                }
            }
        }
        Ok(())
    }

    /// All combinations of the predicates that are possible; `None` if there are too many or the
    /// solver cannot tell.
    fn combinations(
        &self,
        cx: &mut Context<'_, '_>,
        open: &[(Predicate, Term)],
    ) -> Result<Option<Vec<Vec<bool>>>, Stop> {
        let mut cubes = Vec::new();
        let mut question = self.facts.clone();
        loop {
            cx.budget.check_now()?;
            match cx.solver.check(cx.space, &question) {
                ravelin_smt::Answer::Unsat => return Ok(Some(cubes)),
                ravelin_smt::Answer::Unknown(_) => return Ok(None),
                ravelin_smt::Answer::Sat if cubes.len() == MAX_CUBES => return Ok(None),
                ravelin_smt::Answer::Sat => {}
            }
            let mut cube = Vec::with_capacity(open.len());
            let mut parts = Vec::with_capacity(open.len());
            for &(_, term) in open {
                let value = cx.solver.value(cx.space, term);
                let Some(holds) = value.and_then(|value| cx.space.terms.as_bool(value)) else {
                    return Ok(None);
                };
                cube.push(holds);
                parts.push(if holds { term } else { cx.space.terms.not(term) });
            }
            cubes.push(cube);
            if open.is_empty() {
                return Ok(Some(cubes));
            }
            let all = conjunction(&mut cx.space.terms, &parts);
            question.push(cx.space.terms.not(all));
        }
    }
}

/// Whether a term is a comparison of a variable with a constant, which can be both true and false.
fn is_contingent(space: &Space<'_>, term: Term) -> bool {
    use ravelin_term::{BinOp, TermKind};
    match space.terms.kind(term) {
        TermKind::Var(_) => true,
        TermKind::Binary(BinOp::Eq, a, b) => {
            is_var(space, a) && (is_var(space, b) || space.is_value(b))
        }
        _ => false,
    }
}
