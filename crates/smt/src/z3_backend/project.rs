//! Elimination of existential quantifiers: on terms by solving equations, dropping what can always be
//! satisfied, combining bounds and splitting cases; and for the rest by projecting models until none
//! is left.

use std::time::{Duration, Instant};

use ravelin_term::{BinOp, Sort, Term, TermKind, TermPool, UnOp, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use z3::ast::{Ast, Bool, Dynamic};
use z3::quantifier_elimination::QuantifierElimination;
use z3::{Params, SatResult};

use super::decode::Decoder;
use super::encode::{Encoder, Theories};
use super::milliseconds;

/// More cases than this are no use to anybody.
const MAX_CASES: usize = 24;

/// Eliminates variables: see [`crate::Project`].
pub(super) fn eliminate(
    pool: &mut TermPool,
    formula: Term,
    vars: &[Var],
    timeout: Option<Duration>,
) -> Option<Term> {
    let deadline = timeout.and_then(|limit| Instant::now().checked_add(limit));
    let vars: FxHashSet<Var> = vars.iter().copied().collect();
    // Disjunctions are split into cases, of which these are left.
    let mut work = vec![(conjuncts_of(pool, formula), vars)];
    let mut result = pool.bool(false);
    let mut cases = 0;
    while let Some((mut conjuncts, mut vars)) = work.pop() {
        cases += 1;
        if cases > MAX_CASES {
            return None;
        }
        while solve_equation(pool, &mut conjuncts, &mut vars)
            || drop_satisfiable(pool, &mut conjuncts, &vars)
            || combine_bounds(pool, &mut conjuncts, &vars)
        {
            if deadline.is_some_and(|deadline| Instant::now() > deadline) {
                return None;
            }
        }
        // What has none of the variables needs no work.
        let has_var = |term: Term| pool.vars_of(term).into_iter().any(|var| vars.contains(&var));
        let (open, closed): (Vec<Term>, Vec<Term>) =
            conjuncts.iter().partition(|&&conjunct| has_var(conjunct));
        let is_or = |&term: &Term| matches!(pool.kind(term), TermKind::Binary(BinOp::Or, ..));
        if let Some(at) = open.iter().position(is_or)
            && let TermKind::Binary(_, a, b) = pool.kind(open[at])
        {
            conjuncts.retain(|&term| term != open[at]);
            for case in [b, a] {
                let mut conjuncts = conjuncts.clone();
                conjuncts.extend(conjuncts_of(pool, case));
                work.push((conjuncts, vars.clone()));
            }
            continue;
        }
        let closed = conjunction(pool, &closed);
        let open = conjunction(pool, &open);
        let case = match (pool.as_bool(closed), pool.as_bool(open)) {
            (Some(false), _) => continue,
            (_, Some(true)) => closed,
            _ => {
                let projected = project_models(pool, open, &vars, deadline)?;
                pool.and(closed, projected)
            }
        };
        result = pool.or(result, case);
    }
    Some(result)
}

fn conjunction(pool: &mut TermPool, terms: &[Term]) -> Term {
    let neutral = pool.bool(true);
    terms.iter().fold(neutral, |all, &term| pool.and(all, term))
}

fn conjuncts_of(pool: &TermPool, formula: Term) -> Vec<Term> {
    let mut found = Vec::new();
    let mut work = vec![formula];
    while let Some(term) = work.pop() {
        match pool.kind(term) {
            TermKind::Binary(BinOp::And, a, b) => work.extend([b, a]),
            _ if pool.as_bool(term) == Some(true) => {}
            _ => found.push(term),
        }
    }
    found
}

/// Finds a conjunct that says what one of the variables is, and puts that in its place.
fn solve_equation(
    pool: &mut TermPool,
    conjuncts: &mut Vec<Term>,
    vars: &mut FxHashSet<Var>,
) -> bool {
    for at in 0..conjuncts.len() {
        let Some((var, value)) = solution(pool, conjuncts[at], vars) else { continue };
        vars.remove(&var);
        let rest: Vec<Term> = conjuncts
            .iter()
            .enumerate()
            .filter(|&(index, _)| index != at)
            .map(|(_, &term)| term)
            .collect();
        conjuncts.clear();
        for term in rest {
            let replaced = pool.substitute(term, |_, other| (other == var).then_some(value));
            for part in conjuncts_of(pool, replaced) {
                if !conjuncts.contains(&part) {
                    conjuncts.push(part);
                }
            }
        }
        return true;
    }
    false
}

/// A variable that the condition determines, and its value.
fn solution(pool: &mut TermPool, condition: Term, vars: &FxHashSet<Var>) -> Option<(Var, Term)> {
    match pool.kind(condition) {
        TermKind::Var(var) if vars.contains(&var) => Some((var, pool.bool(true))),
        TermKind::Unary(UnOp::Not, inner) => match pool.kind(inner) {
            TermKind::Var(var) if vars.contains(&var) => Some((var, pool.bool(false))),
            _ => None,
        },
        TermKind::Binary(BinOp::Eq, a, b) => {
            solve_for_any(pool, a, b, vars).or_else(|| solve_for_any(pool, b, a, vars))
        }
        _ => None,
    }
}

/// Solves `side == other` for a variable in `side`, through operations that can be undone.
fn solve_for_any(
    pool: &mut TermPool,
    side: Term,
    other: Term,
    vars: &FxHashSet<Var>,
) -> Option<(Var, Term)> {
    let (var, path) = invertible_path(pool, side, vars)?;
    if pool.vars_of(other).contains(&var) {
        return None;
    }
    let mut value = other;
    for step in path {
        value = match step {
            Step::Unary(op) => pool.unary(op, value),
            // x op c == value
            Step::Binary(BinOp::BvAdd, c) => pool.binary(BinOp::BvSub, value, c),
            Step::Binary(BinOp::BvSub, c) => pool.binary(BinOp::BvAdd, value, c),
            Step::Binary(BinOp::BvXor, c) => pool.binary(BinOp::BvXor, value, c),
            Step::Binary(_, offset) => {
                let back = pool.unary(UnOp::BvNeg, offset);
                pool.ptr_add(value, back)
            }
            // c - x == value
            Step::Minus(c) => pool.binary(BinOp::BvSub, c, value),
        };
    }
    Some((var, value))
}

/// One operation on the way from a side of an equation to a variable.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// An operation that is its own inverse.
    Unary(UnOp),
    /// The variable is in the first operand.
    Binary(BinOp, Term),
    /// The variable is in the second operand of a difference.
    Minus(Term),
}

/// A variable that occurs once in `side`, below operations that can be undone, the outermost first.
fn invertible_path(pool: &TermPool, side: Term, vars: &FxHashSet<Var>) -> Option<(Var, Vec<Step>)> {
    const MAX_STEPS: usize = 16;
    let mut path = Vec::new();
    let mut at = side;
    let has_var = |term: Term| pool.vars_of(term).into_iter().any(|var| vars.contains(&var));
    for _ in 0..MAX_STEPS {
        match pool.kind(at) {
            TermKind::Var(var) => {
                let elsewhere = path.iter().any(|step| match *step {
                    Step::Binary(_, other) | Step::Minus(other) => {
                        pool.vars_of(other).contains(&var)
                    }
                    Step::Unary(_) => false,
                });
                return (vars.contains(&var) && !elsewhere).then_some((var, path));
            }
            TermKind::Unary(op @ (UnOp::BvNeg | UnOp::BvNot), inner) => {
                path.push(Step::Unary(op));
                at = inner;
            }
            TermKind::Binary(op @ (BinOp::BvAdd | BinOp::BvXor), a, b) => {
                let (next, other) = if has_var(a) { (a, b) } else { (b, a) };
                path.push(Step::Binary(op, other));
                at = next;
            }
            TermKind::Binary(BinOp::BvSub, a, b) if has_var(a) => {
                path.push(Step::Binary(BinOp::BvSub, b));
                at = a;
            }
            TermKind::Binary(BinOp::BvSub, a, b) => {
                path.push(Step::Minus(a));
                at = b;
            }
            TermKind::Binary(BinOp::PtrAdd, base, offset) if has_var(base) => {
                path.push(Step::Binary(BinOp::PtrAdd, offset));
                at = base;
            }
            _ => return None,
        }
    }
    None
}

/// Replaces a conjunct by what its only variable needs: some value of it satisfies `x + 3 < y`
/// unless y is 0. Sound only where the variable is nowhere else.
fn drop_satisfiable(pool: &mut TermPool, conjuncts: &mut Vec<Term>, vars: &FxHashSet<Var>) -> bool {
    let mut uses: FxHashMap<Var, usize> = FxHashMap::default();
    for &conjunct in conjuncts.iter() {
        for var in pool.vars_of(conjunct) {
            *uses.entry(var).or_default() += 1;
        }
    }
    let lonely: FxHashSet<Var> =
        vars.iter().copied().filter(|var| uses.get(var) == Some(&1)).collect();
    for conjunct in conjuncts.iter_mut() {
        if let Some(weaker) = without_lonely(pool, *conjunct, &lonely) {
            *conjunct = weaker;
            conjuncts.retain(|&term| pool.as_bool(term) != Some(true));
            return true;
        }
    }
    false
}

fn without_lonely(pool: &mut TermPool, condition: Term, lonely: &FxHashSet<Var>) -> Option<Term> {
    let (positive, negated) = match pool.kind(condition) {
        TermKind::Unary(UnOp::Not, inner) => (inner, true),
        _ => (condition, false),
    };
    let TermKind::Binary(op, a, b) = pool.kind(positive) else { return None };
    // The side takes every value, whatever the other is, and the other does not depend on it.
    let takes_all = |pool: &TermPool, side: Term, other: Term| {
        invertible_path(pool, side, lonely)
            .is_some_and(|(var, _)| !pool.vars_of(other).contains(&var))
    };
    let (left, right) = (takes_all(pool, a, b), takes_all(pool, b, a));
    if !left && !right {
        return None;
    }
    match op {
        // Pointers have more than one value, and so have bit-vectors and Booleans.
        BinOp::Eq => Some(pool.bool(true)),
        BinOp::BvUle | BinOp::BvSle if !negated => Some(pool.bool(true)),
        BinOp::BvUlt | BinOp::BvSlt if !negated => {
            // Something is below b unless b is the lowest value, and above a unless it is the highest.
            let width = pool.sort(a).width()?;
            let highest = if op == BinOp::BvUlt { u128::MAX } else { (1 << (width - 1)) - 1 };
            let lowest = if op == BinOp::BvUlt { 0 } else { 1 << (width - 1) };
            let (bound, end) = if left { (b, lowest) } else { (a, highest) };
            let end = pool.bv(width, end);
            let is_end = pool.eq(bound, end);
            Some(pool.not(is_end))
        }
        _ => None,
    }
}

/// The bounds of a variable, all in one order.
#[derive(Default)]
struct Bounds {
    /// With whether the bound itself is excluded.
    lower: Vec<(Term, bool)>,
    upper: Vec<(Term, bool)>,
    is_signed: Option<bool>,
}

/// Replaces conjuncts that are all bounds of one variable by what lets a value lie between them.
fn combine_bounds(pool: &mut TermPool, conjuncts: &mut Vec<Term>, vars: &FxHashSet<Var>) -> bool {
    let mut vars: Vec<Var> = vars.iter().copied().collect();
    vars.sort_unstable();
    for var in vars {
        let has_var = |term: &Term| pool.vars_of(*term).contains(&var);
        let (about, others): (Vec<Term>, Vec<Term>) =
            conjuncts.iter().partition(|term| has_var(term));
        if about.is_empty() {
            continue;
        }
        let Some(bounds) = bounds_of(pool, var, &about) else { continue };
        if bounds.lower.len() * bounds.upper.len() > 2 * MAX_CASES {
            continue;
        }
        *conjuncts = others;
        let between = room_between(pool, &bounds);
        conjuncts.extend(between.into_iter().filter(|&term| pool.as_bool(term) != Some(true)));
        return true;
    }
    false
}

/// The bounds that the conditions are, if they are nothing else.
fn bounds_of(pool: &TermPool, var: Var, conditions: &[Term]) -> Option<Bounds> {
    let mut bounds = Bounds::default();
    for &condition in conditions {
        let TermKind::Binary(op, a, b) = pool.kind(condition) else { return None };
        let (signed, strict) = match op {
            BinOp::BvUlt => (false, true),
            BinOp::BvUle => (false, false),
            BinOp::BvSlt => (true, true),
            BinOp::BvSle => (true, false),
            _ => return None,
        };
        if *bounds.is_signed.get_or_insert(signed) != signed {
            return None;
        }
        let is_var = |term: Term| pool.kind(term) == TermKind::Var(var);
        let (bound, list) = match (is_var(a), is_var(b)) {
            (true, false) => (b, &mut bounds.upper),
            (false, true) => (a, &mut bounds.lower),
            _ => return None,
        };
        if pool.vars_of(bound).contains(&var) {
            return None;
        }
        list.push((bound, strict));
    }
    Some(bounds)
}

/// What the bounds must satisfy for a value to lie between them: every lower one with every upper
/// one, as the highest and the lowest of them decide.
fn room_between(pool: &mut TermPool, bounds: &Bounds) -> Vec<Term> {
    let signed = bounds.is_signed == Some(true);
    let (less, at_most) =
        if signed { (BinOp::BvSlt, BinOp::BvSle) } else { (BinOp::BvUlt, BinOp::BvUle) };
    let mut conditions = Vec::new();
    for &(low, above) in &bounds.lower {
        for &(high, below) in &bounds.upper {
            conditions.push(pool.binary(if above || below { less } else { at_most }, low, high));
            if above && below {
                let one = pool.bv(pool.sort(low).width().unwrap_or(1), 1);
                let next = pool.binary(BinOp::BvAdd, low, one);
                let adjacent = pool.eq(next, high);
                conditions.push(pool.not(adjacent));
            }
        }
    }
    // Bounds on one side only: nothing is beyond the ends of the order.
    let ends = [(&bounds.lower, &bounds.upper, true), (&bounds.upper, &bounds.lower, false)];
    for (own, opposite, is_lower) in ends {
        if !opposite.is_empty() {
            continue;
        }
        for &(bound, _) in own.iter().filter(|&&(_, strict)| strict) {
            let width = pool.sort(bound).width().unwrap_or(1);
            let end = match (is_lower, signed) {
                (true, false) => u128::MAX,
                (true, true) => (1 << (width - 1)) - 1,
                (false, false) => 0,
                (false, true) => 1 << (width - 1),
            };
            let end = pool.bv(width, end);
            let is_end = pool.eq(bound, end);
            conditions.push(pool.not(is_end));
        }
    }
    conditions
}

/// The disjunction of what models leave when the variables are projected out, until every model is
/// covered.
fn project_models(
    pool: &mut TermPool,
    formula: Term,
    vars: &FxHashSet<Var>,
    deadline: Option<Instant>,
) -> Option<Term> {
    let mut encoder = Encoder::new();
    let condition = encoder.condition(pool, formula);
    if encoder.theories(formula) != Theories::default() {
        return None;
    }
    let mut terms: Vec<(Var, Term)> = Vec::new();
    pool.for_each_subterm(formula, |subterm, kind| {
        if let TermKind::Var(var) = kind
            && vars.contains(&var)
        {
            terms.push((var, subterm));
        }
    });
    terms.sort_unstable_by_key(|&(var, _)| var);
    if terms.iter().any(|&(_, term)| matches!(pool.sort(term), Sort::Mem | Sort::Float(_))) {
        return None;
    }
    let gone: Vec<Dynamic> =
        terms.iter().flat_map(|&(_, term)| encoder.encode(pool, term).parts()).collect();
    let gone: Vec<&dyn Ast> = gone.iter().map(|expr| expr as &dyn Ast).collect();

    let solver = z3::Solver::new_for_logic("QF_BV")?;
    solver.assert(&condition);
    let mut cases: Vec<Bool> = Vec::new();
    loop {
        let mut params = Params::new();
        let left = match deadline {
            Some(deadline) => Some(deadline.checked_duration_since(Instant::now())?),
            None => None,
        };
        params.set_u32("timeout", milliseconds(left));
        params.set_bool("ctrl_c", false);
        solver.set_params(&params);
        match solver.check() {
            SatResult::Unsat => break,
            SatResult::Unknown => return None,
            SatResult::Sat if cases.len() == MAX_CASES => return None,
            SatResult::Sat => {}
        }
        let case = QuantifierElimination::model_project(&solver.get_model()?, &gone, &condition);
        solver.assert(case.not());
        cases.push(case);
    }
    let mut decoder = Decoder::new(pool, &[formula]);
    let cases: Option<Vec<Term>> =
        cases.into_iter().map(|case| decoder.decode(&case.into()).ok()).collect();
    let cases = cases?;
    let nothing = pool.bool(false);
    let projected = cases.into_iter().fold(nothing, |all, case| pool.or(all, case));
    // Projection may give up on a variable and leave it.
    let is_clean = !pool.vars_of(projected).into_iter().any(|var| vars.contains(&var));
    is_clean.then_some(projected)
}
