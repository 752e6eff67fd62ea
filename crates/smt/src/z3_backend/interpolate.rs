//! Interpolation through Spacer, Z3's solver of Horn clauses.
//!
//! A sequence of formulas without common solution is a program that takes one step after the other
//! and never gets to its end; the invariants that prove this are interpolants.

use std::time::Duration;

use ravelin_term::{Sort, Term, TermKind, TermPool, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use z3::ast::{Ast, Bool, Dynamic, forall_const};
use z3::{FuncDecl, Model, Params, SatResult, Solver, Sort as Z3Sort};

use super::decode::{Decoder, NotATerm};
use super::encode::{Encoder, Theories};
use super::milliseconds;
use crate::ProofError;

impl From<NotATerm> for ProofError {
    fn from(NotATerm(text): NotATerm) -> Self {
        ProofError::NotExpressible(text)
    }
}

/// Interpolants: see [`crate::Interpolate`]. Floats, memory and addresses are not expressible.
pub(super) fn sequence_interpolants(
    pool: &mut TermPool,
    steps: &[Term],
    timeout: Option<Duration>,
) -> Result<Vec<Term>, ProofError> {
    if steps.len() < 2 {
        return Ok(Vec::new());
    }
    let mut encoder = Encoder::new();
    let mut conditions = Vec::with_capacity(steps.len());
    for &step in steps {
        conditions.push(encoder.condition(pool, step));
        if encoder.theories(step) != Theories::default() {
            return Err(ProofError::NotExpressible("floats, memory or addresses".into()));
        }
    }
    let vars: Vec<Vec<(Var, Term)>> = steps.iter().map(|&step| sorted_vars(pool, step)).collect();
    let borders = common_vars(&vars);

    let mut constant = |pool: &TermPool, term: Term| encoder.encode(pool, term).parts();
    let arguments: Vec<Vec<Dynamic>> = borders
        .iter()
        .map(|border| border.iter().flat_map(|&(_, term)| constant(pool, term)).collect())
        .collect();
    let predicates: Vec<FuncDecl> = arguments
        .iter()
        .enumerate()
        .map(|(index, arguments)| {
            let sorts: Vec<Z3Sort> = arguments.iter().map(Ast::get_sort).collect();
            let sorts: Vec<&Z3Sort> = sorts.iter().collect();
            FuncDecl::new(format!("border{index}"), &sorts, &Z3Sort::bool())
        })
        .collect();
    let holds = |index: usize| {
        let arguments: Vec<&dyn Ast> = arguments[index].iter().map(|arg| arg as &dyn Ast).collect();
        let applied = predicates[index].apply(&arguments).as_bool();
        applied.unwrap_or_else(|| unreachable!("predicates are Boolean"))
    };

    let solver = horn_solver(timeout)?;
    for (index, condition) in conditions.iter().enumerate() {
        let mut body = vec![condition.clone()];
        let mut bound: FxHashMap<Var, Term> = vars[index].iter().copied().collect();
        if index > 0 {
            body.push(holds(index - 1));
            bound.extend(borders[index - 1].iter().copied());
        }
        let head = match borders.get(index) {
            Some(border) => {
                bound.extend(border.iter().copied());
                holds(index)
            }
            None => Bool::from_bool(false),
        };
        let mut bound: Vec<(Var, Term)> = bound.into_iter().collect();
        bound.sort_unstable_by_key(|&(var, _)| var);
        let bound: Vec<Dynamic> =
            bound.iter().flat_map(|&(_, term)| encoder.encode(pool, term).parts()).collect();
        let bound: Vec<&dyn Ast> = bound.iter().map(|expr| expr as &dyn Ast).collect();
        solver.assert(forall_const(&bound, &[], &Bool::and(&body).implies(head)));
    }
    let model = model_of(&solver)?;
    let mut decoder = Decoder::new(pool, steps);
    let mut interpolants = Vec::with_capacity(predicates.len());
    for index in 0..predicates.len() {
        // Without completion: that would give values to the arguments.
        let invariant = model.eval(&holds(index), false).ok_or_else(no_model)?;
        interpolants.push(decoder.decode(&invariant.into())?);
    }
    Ok(interpolants)
}

/// A solution of the Horn clauses that were asserted.
pub(super) fn model_of(clauses: &Solver) -> Result<Model, ProofError> {
    match clauses.check() {
        SatResult::Sat => {}
        SatResult::Unsat => return Err(ProofError::Satisfiable),
        SatResult::Unknown => {
            let reason = clauses.get_reason_unknown().unwrap_or_default();
            return Err(ProofError::Unknown(reason));
        }
    }
    clauses.get_model().ok_or_else(no_model)
}

pub(super) fn no_model() -> ProofError {
    ProofError::Unknown("the solver has no model".to_owned())
}

pub(super) fn horn_solver(timeout: Option<Duration>) -> Result<Solver, ProofError> {
    let solver = Solver::new_for_logic("HORN")
        .ok_or_else(|| ProofError::Unknown("Z3 has no Horn solver".to_owned()))?;
    let mut params = Params::new();
    params.set_u32("timeout", milliseconds(timeout));
    params.set_bool("ctrl_c", false);
    solver.set_params(&params);
    Ok(solver)
}

/// The variables of a term, in their order.
fn sorted_vars(pool: &TermPool, term: Term) -> Vec<(Var, Term)> {
    let mut vars = Vec::new();
    pool.for_each_subterm(term, |subterm, kind| {
        if let TermKind::Var(var) = kind {
            debug_assert_ne!(pool.sort(subterm), Sort::Mem, "memory was refused");
            vars.push((var, subterm));
        }
    });
    vars.sort_unstable_by_key(|&(var, _)| var);
    vars
}

/// For each border, the variables that stand on both sides of it.
fn common_vars(vars: &[Vec<(Var, Term)>]) -> Vec<Vec<(Var, Term)>> {
    let mut after: Vec<FxHashSet<Var>> = vec![FxHashSet::default()];
    for step in vars.iter().skip(1).rev() {
        let mut all = after.last().cloned().unwrap_or_default();
        all.extend(step.iter().map(|&(var, _)| var));
        after.push(all);
    }
    after.reverse();
    let mut before: FxHashMap<Var, Term> = FxHashMap::default();
    let mut borders = Vec::new();
    for (step, after) in vars.iter().zip(&after).take(vars.len() - 1) {
        before.extend(step.iter().copied());
        let mut border: Vec<(Var, Term)> = before
            .iter()
            .filter(|(var, _)| after.contains(var))
            .map(|(&var, &term)| (var, term))
            .collect();
        border.sort_unstable_by_key(|&(var, _)| var);
        borders.push(border);
    }
    borders
}
