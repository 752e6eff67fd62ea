//! Candidates for what makes Horn clauses true: Spacer solves them over integers.
//!
//! The clauses are about bit-vectors. Spacer is good at integers and slow at bit-vectors, and most programs
//! do with their numbers what they would do with integers. So what it finds is a guess: whoever asks has to
//! look whether it is right of the bit-vectors.

use std::time::Duration;

use ravelin_term::{Sort, Term, TermPool};
use z3::ast::{Ast, Bool, Dynamic, forall_const};
use z3::{FuncDecl, Params, Sort as Z3Sort};

use super::integers::{Equations, FromIntegers, ToIntegers, at_its_bound, conjuncts};
use super::interpolate::{horn_solver, model_of, no_model};
use crate::ProofError;
use crate::horn::{Application, HornClauses};

/// Candidates for each predicate: see [`crate::SolveHorn`].
pub(super) fn solve_horn(
    pool: &mut TermPool,
    horn: &HornClauses<'_>,
    timeout: Option<Duration>,
) -> Result<Vec<Vec<Term>>, ProofError> {
    let HornClauses { predicates, clauses, is_signed, overflow } = *horn;
    let declared: Vec<FuncDecl> = predicates
        .iter()
        .enumerate()
        .map(|(number, predicate)| {
            let sorts: Vec<Z3Sort> =
                predicate.params.iter().map(|&param| sort_of(pool.sort(param))).collect();
            let sorts: Vec<&Z3Sort> = sorts.iter().collect();
            FuncDecl::new(format!("p{number}"), &sorts, &Z3Sort::bool())
        })
        .collect();
    let apply = |number: usize, args: &[Dynamic]| {
        let args: Vec<&dyn Ast> = args.iter().map(|arg| arg as &dyn Ast).collect();
        let applied = declared[number].apply(&args).as_bool();
        applied.unwrap_or_else(|| unreachable!("predicates are Boolean"))
    };
    let solver = horn_solver(timeout)?;
    // Of predicates that Spacer puts in place of each other it would tell with quantifiers.
    let mut params = Params::new();
    for name in ["fp.xform.inline_eager", "fp.xform.inline_linear", "fp.xform.slice"] {
        params.set_bool(name, false);
    }
    solver.set_params(&params);
    for clause in clauses {
        let mut encoder = ToIntegers::new(is_signed, overflow);
        let mut body = vec![encoder.condition(pool, clause.constraint)];
        let mut applied = |Application { predicate, args }: &Application| {
            let params = predicates[*predicate].params.iter();
            let applied_to =
                params.zip(args).map(|(&param, &arg)| encoder.argument(pool, param, arg));
            apply(*predicate, &applied_to.collect::<Vec<_>>())
        };
        body.extend(clause.body.iter().map(&mut applied));
        let head = clause.head.as_ref().map_or_else(|| Bool::from_bool(false), applied);
        body.extend(encoder.ranges());
        let rule = Bool::and(&body).implies(head);
        let bound: Vec<&dyn Ast> = encoder.constants().iter().map(|it| it as &dyn Ast).collect();
        match bound.is_empty() {
            true => solver.assert(rule),
            false => solver.assert(forall_const(&bound, &[], &rule)),
        }
    }
    let model = model_of(&solver)?;
    let mut found = Vec::with_capacity(predicates.len());
    for (number, predicate) in predicates.iter().enumerate() {
        let mut encoder = ToIntegers::new(is_signed, overflow);
        let params: Vec<Dynamic> =
            predicate.params.iter().map(|&param| encoder.argument(pool, param, param)).collect();
        // Without completion: that would give values to the parameters.
        let holds = model.eval(&apply(number, &params), false).ok_or_else(no_model)?;
        let mut terms = Vec::new();
        let mut conditions = conjuncts(&holds.into());
        // Numbers that have an end keep equations more often than bounds.
        conditions.extend(conditions.clone().iter().filter_map(at_its_bound));
        for condition in conditions {
            for equations in [Equations::Exact, Equations::Modular] {
                let mut decoder = FromIntegers::new(pool, &predicate.params, is_signed, equations);
                // What no term stands for is left out: then less is believed.
                if let Some(term) = decoder.decode(&condition)
                    && !terms.contains(&term)
                {
                    terms.push(term);
                }
            }
        }
        found.push(terms);
    }
    Ok(found)
}

fn sort_of(sort: Sort) -> Z3Sort {
    match sort {
        Sort::Bool => Z3Sort::bool(),
        Sort::Bv(_) | Sort::Float(_) | Sort::Ptr | Sort::Mem => Z3Sort::int(),
    }
}
