//! Guesses what makes Horn clauses true: Spacer solves them as if numbers had no end.
//!
//! The clauses are about bit-vectors. Spacer is good at integers and slow at bit-vectors, and most programs
//! do with their numbers what they would do with integers. So what it finds is a guess: whoever asks has to
//! look whether it is right of the bit-vectors.

use std::time::Duration;

use ravelin_term::{Sort, Term, TermPool, Var};
use z3::ast::{Ast, Bool, Dynamic, forall_const};
use z3::{FuncDecl, Params, SatResult, Sort as Z3Sort};

use super::horn::{InterpolationError, horn_solver};
use super::integers::{Equations, FromIntegers, ToIntegers, at_its_bound, conjuncts};

/// A predicate that is sought, of these variables: Booleans and bit-vectors.
#[derive(Clone, Debug)]
pub struct Predicate {
    pub params: Vec<Term>,
}

/// A predicate, by its number, of these terms.
#[derive(Clone, Debug)]
pub struct Application {
    pub predicate: usize,
    pub args: Vec<Term>,
}

/// Where the body and the constraint hold, the head does; without a head, they never do.
#[derive(Clone, Debug)]
pub struct Clause {
    pub body: Vec<Application>,
    pub constraint: Term,
    pub head: Option<Application>,
}

/// What becomes of numbers that are too large or too small for their types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// They have no end; but unsigned ones are not negative.
    None,
    /// There are none.
    Absent,
    /// They begin again at the other end, as they do in C. This costs most.
    Wrap,
}

/// For each predicate terms about its parameters, of which each may hold wherever the predicate has to.
///
/// # Errors
/// When the clauses cannot all be true of integers, or the solver finds no answer within `timeout`.
pub fn guess(
    pool: &mut TermPool,
    predicates: &[Predicate],
    clauses: &[Clause],
    is_signed: &dyn Fn(Var) -> bool,
    ends: Ends,
    timeout: Option<Duration>,
) -> Result<Vec<Vec<Term>>, InterpolationError> {
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
        let mut encoder = ToIntegers::new(is_signed, ends);
        let mut body = vec![encoder.condition(pool, clause.constraint)];
        let mut applied = |Application { predicate, args }: &Application| {
            let params = predicates[*predicate].params.iter();
            let given = params.zip(args).map(|(&param, &arg)| encoder.given_to(pool, param, arg));
            apply(*predicate, &given.collect::<Vec<_>>())
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
    match solver.check() {
        SatResult::Sat => {}
        SatResult::Unsat => return Err(InterpolationError::Satisfiable),
        SatResult::Unknown => {
            let reason = solver.get_reason_unknown().unwrap_or_default();
            return Err(InterpolationError::Unknown(reason));
        }
    }
    let no_model = || InterpolationError::Unknown("the solver has no model".to_owned());
    let model = solver.get_model().ok_or_else(no_model)?;
    let mut found = Vec::with_capacity(predicates.len());
    for (number, predicate) in predicates.iter().enumerate() {
        let mut encoder = ToIntegers::new(is_signed, ends);
        let params: Vec<Dynamic> =
            predicate.params.iter().map(|&param| encoder.given_to(pool, param, param)).collect();
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
