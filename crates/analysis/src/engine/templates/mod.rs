//! Invariants of loops from templates: linear equations modulo powers of two, and inequalities.
//!
//! At each loop head the strongest invariant of this form is computed from below: a solver looks for a
//! state that reaches the loop head and breaks what is believed of it, and the belief is weakened by that
//! state, until there is none (Reps, Sagiv, Yorsh: "Symbolic implementation of the best transformer",
//! VMCAI 2004). What is found are predicates for a precision: whether they hold is for the analysis to say.

mod affine;
mod bounds;
mod graph;

use std::collections::BTreeMap;

use ravelin_base::SecondaryMap;
use ravelin_smt::Answer;
use ravelin_term::{BinOp, Term, TermKind, UnOp, Var};

use self::affine::{Equation, Hull};
use self::bounds::{Bound, Bounds, Side};
use self::graph::{Edge, Graph};
use crate::domain::{Context, Stop};
use crate::model::block::conjunction;
use crate::model::control_flow::ControlFlowFacts;
use crate::model::space::Space;
use crate::model::step::{Control, Site};

/// More variables at a loop head are too many to relate.
const MAX_VARS: usize = 16;

/// More constants of one width are too many to compare with.
const MAX_CONSTANTS: usize = 12;

/// How often the solver is asked, at most.
const MAX_QUESTIONS: usize = 2_000;

/// Variables of one width at a loop head, and what is believed of them.
#[derive(Clone, Debug)]
struct Group {
    width: u16,
    vars: Vec<Var>,
    belief: Option<(Hull, Bounds)>,
}

/// What is believed at a loop head: nothing reached it yet while a group has no belief.
type Head = Vec<Group>;

/// Predicates that are likely to hold whenever a site is reached.
pub fn mine(
    cx: &mut Context<'_, '_>,
    control_flow: &ControlFlowFacts,
    start: Control,
) -> Result<Vec<(Site, Term)>, Stop> {
    let Some(graph) = Graph::new(cx, control_flow, start)? else {
        return Ok(Vec::new());
    };
    let constants = constants(cx.space, &graph.edges);
    let mut miner = Miner { heads: SecondaryMap::new(), constants, questions: 0 };
    for edge in &graph.edges {
        if let Some(to) = edge.to
            && miner.heads[to].is_none()
        {
            miner.heads[to] = Some(groups(cx.space, &graph.relevant[to]));
        }
    }
    miner.settle(cx, &graph.edges)?;
    let mut found = Vec::new();
    for (control, head) in miner.heads.iter() {
        let site = cx.steps.site(control);
        for group in head.iter().flatten() {
            found.extend(group.terms(cx.space).into_iter().map(|term| (site, term)));
        }
    }
    Ok(found)
}

struct Miner {
    heads: SecondaryMap<Control, Option<Head>>,
    /// By width.
    constants: BTreeMap<u16, Vec<u64>>,
    questions: usize,
}

impl Miner {
    /// Weakens beliefs until no edge leads from what is believed to what is not.
    fn settle(&mut self, cx: &mut Context<'_, '_>, edges: &[Edge]) -> Result<(), Stop> {
        let mut pending: Vec<bool> = vec![true; edges.len()];
        while let Some(number) = pending.iter().position(|&pending| pending) {
            pending[number] = false;
            let edge = &edges[number];
            let Some(to) = edge.to else { continue };
            let mut changed = false;
            while self.weaken(cx, edge, to)? {
                changed = true;
            }
            if changed {
                for (other, edge) in edges.iter().enumerate() {
                    pending[other] |= edge.from == Some(to);
                }
            }
        }
        Ok(())
    }

    /// Weakens what is believed at the end of an edge by one state that comes there, if there is one.
    fn weaken(&mut self, cx: &mut Context<'_, '_>, edge: &Edge, to: Control) -> Result<bool, Stop> {
        cx.budget.check_now()?;
        let mut question = edge.block.guards.clone();
        if let Some(from) = edge.from {
            let Some(head) = &self.heads[from] else { return Ok(false) };
            for group in head {
                if group.belief.is_none() {
                    return Ok(false);
                }
                question.extend(group.terms(cx.space));
            }
        }
        let Some(head) = &self.heads[to] else { return Ok(false) };
        if head.iter().all(|group| group.belief.is_some()) {
            let mut beliefs = Vec::new();
            for group in head {
                beliefs.extend(group.terms(cx.space));
            }
            if beliefs.is_empty() {
                return Ok(false);
            }
            let all = conjunction(&mut cx.space.terms, &beliefs);
            let all = edge.block.before(cx.space, all);
            question.push(cx.space.terms.not(all));
        }
        self.questions += 1;
        if self.questions > MAX_QUESTIONS {
            self.heads.values_mut().for_each(|head| *head = None);
            return Ok(false);
        }
        match cx.solver.check(cx.space, &question) {
            Answer::Unsat => Ok(false),
            Answer::Unknown(_) => {
                // Nothing is believed here any more.
                self.heads[to] = Some(Vec::new());
                Ok(true)
            }
            Answer::Sat => {
                let mut points = Vec::new();
                for group in self.heads[to].iter().flatten() {
                    let Some(point) = group.point(cx, edge) else { return Ok(false) };
                    points.push(point);
                }
                let mut changed = false;
                for (group, point) in self.heads[to].iter_mut().flatten().zip(&points) {
                    changed |= group.add(point, &self.constants);
                }
                Ok(changed)
            }
        }
    }
}

impl Group {
    /// Where the last answer leads.
    fn point(&self, cx: &mut Context<'_, '_>, edge: &Edge) -> Option<Vec<u64>> {
        let mut point = Vec::with_capacity(self.vars.len());
        for &var in &self.vars {
            let value = edge.block.value(cx.space, var);
            let value = cx.solver.value(cx.space, value)?;
            point.push(cx.space.terms.as_bv(value)? as u64);
        }
        Some(point)
    }

    /// Weakens the belief so that it allows a point; says whether it did not before.
    fn add(&mut self, point: &[u64], constants: &BTreeMap<u16, Vec<u64>>) -> bool {
        match &mut self.belief {
            Some((hull, bounds)) => {
                let before = (hull.clone(), bounds.holding().len());
                hull.add(point);
                bounds.add(point);
                before.1 != bounds.holding().len() || before.0.equations() != hull.equations()
            }
            None => {
                let constants = constants.get(&self.width).map_or(&[][..], Vec::as_slice);
                let bounds = Bounds::new(self.width, point, constants);
                self.belief = Some((Hull::new(self.width, point.to_vec()), bounds));
                true
            }
        }
    }

    /// What is believed, without what follows from the rest.
    fn terms(&self, space: &mut Space<'_>) -> Vec<Term> {
        let Some((hull, bounds)) = &self.belief else { return Vec::new() };
        let mut terms: Vec<Term> =
            hull.equations().iter().map(|equation| self.equation(space, equation)).collect();
        terms.extend(bounds.essential().iter().map(|bound| self.bound(space, bound)));
        terms
    }

    fn equation(&self, space: &mut Space<'_>, equation: &Equation) -> Term {
        // Subtractions go to the other side, and what is left are small numbers in most cases.
        let half = 1u64 << (equation.bits - 1);
        let full = u128::from(half) * 2;
        let low = UnOp::Extract { hi: equation.bits - 1, lo: 0 };
        let mut sides: [Option<Term>; 2] = [None, None];
        for (&var, &coefficient) in self.vars.iter().zip(&equation.coefficients) {
            if coefficient == 0 {
                continue;
            }
            let negative = coefficient > half;
            let factor = if negative { full - u128::from(coefficient) } else { coefficient.into() };
            let mut product = space.read_var(var);
            if equation.bits < self.width {
                product = space.terms.unary(low, product);
            }
            if factor != 1 {
                let factor = space.terms.bv(equation.bits, factor);
                product = space.terms.binary(BinOp::BvMul, product, factor);
            }
            let side = &mut sides[usize::from(negative)];
            *side = Some(match *side {
                Some(sum) => space.terms.binary(BinOp::BvAdd, sum, product),
                None => product,
            });
        }
        let constant = space.terms.bv(equation.bits, equation.constant.into());
        let right = match sides[1] {
            Some(sum) if equation.constant == 0 => sum,
            Some(sum) => space.terms.binary(BinOp::BvAdd, sum, constant),
            None => constant,
        };
        let left = sides[0].unwrap_or_else(|| space.terms.bv(equation.bits, 0));
        space.terms.eq(left, right)
    }

    fn bound(&self, space: &mut Space<'_>, bound: &Bound) -> Term {
        let [small, large] = [bound.small, bound.large].map(|side| match side {
            Side::Coordinate(at) => space.read_var(self.vars[at]),
            Side::Constant(constant) => space.terms.bv(self.width, constant.into()),
        });
        let op = match (bound.signed, bound.strict) {
            (true, true) => BinOp::BvSlt,
            (true, false) => BinOp::BvSle,
            (false, true) => BinOp::BvUlt,
            (false, false) => BinOp::BvUle,
        };
        space.terms.binary(op, small, large)
    }
}

/// The variables of a loop head by width.
fn groups(space: &Space<'_>, vars: &[Var]) -> Vec<Group> {
    let mut by_width: BTreeMap<u16, Vec<Var>> = BTreeMap::new();
    for &var in vars.iter().take(MAX_VARS) {
        if let Some(width) = space.sort(var).width() {
            by_width.entry(width).or_default().push(var);
        }
    }
    by_width.into_iter().map(|(width, vars)| Group { width, vars, belief: None }).collect()
}

/// The constants of blocks, which bounds are likely to speak of.
fn constants(space: &Space<'_>, edges: &[Edge]) -> BTreeMap<u16, Vec<u64>> {
    let mut found: BTreeMap<u16, Vec<u64>> = BTreeMap::new();
    for edge in edges {
        let terms = edge.block.guards.iter().chain(edge.block.values.values());
        for &term in terms {
            space.terms.for_each_subterm(term, |subterm, kind| {
                if let TermKind::Bv(bits) = kind
                    && let Some(width @ 8..=64) = space.terms.sort(subterm).width()
                {
                    let list = found.entry(width).or_default();
                    if list.len() < MAX_CONSTANTS && !list.contains(&(bits as u64)) {
                        list.push(bits as u64);
                    }
                }
            });
        }
    }
    found
}
