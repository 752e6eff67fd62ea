//! What is right of a guess: candidates that some clause contradicts are dropped until none does (Flanagan,
//! Leino: "Houdini, an annotation assistant for ESC/Java", FME 2001). The clauses are those of bit-vectors.

use std::time::Duration;

use ravelin_base::{Budget, Deadline};
use ravelin_smt::horn::Application;
use ravelin_smt::{Answer, NoAnswer, Solver};
use ravelin_term::{Term, TermKind, TermPool};
use rustc_hash::FxHashMap;

use super::system::System;
use crate::domain::Stop;

/// A question may take this long.
const MAX_TIME: Duration = Duration::from_secs(2);

/// The candidates that hold wherever their predicates have to: for each predicate those that follow, clause by
/// clause, from what is kept of others.
pub fn part(
    system: &mut System,
    mut kept: Vec<Vec<Term>>,
    solver: &mut dyn Solver,
    budget: &Budget,
    deadline: Deadline,
) -> Result<Vec<Vec<Term>>, Stop> {
    let mut pending = vec![true; system.clauses.len()];
    while let Some(number) = pending.iter().position(|&pending| pending) {
        pending[number] = false;
        let clause = system.clauses[number].clone();
        let Some(head) = &clause.head else { continue };
        let before = kept[head.predicate].len();
        while !kept[head.predicate].is_empty() {
            budget.check_now()?;
            let claims: Vec<Term> = kept[head.predicate]
                .clone()
                .into_iter()
                .map(|term| instance(system, head, term))
                .collect();
            let mut question = premises(system, &kept, &clause.body, clause.constraint);
            let all = claims.iter().fold(None, |all: Option<Term>, &claim| {
                Some(all.map_or(claim, |all| system.terms.and(all, claim)))
            });
            question.extend(all.map(|all| system.terms.not(all)));
            match ask(solver, &system.terms, &question, deadline) {
                Answer::Unsat => break,
                Answer::Sat => {
                    let terms = &mut system.terms;
                    let mut holds = Vec::with_capacity(claims.len());
                    for &claim in &claims {
                        let value = solver.value(terms, claim);
                        holds.push(value.and_then(|value| terms.as_bool(value)) != Some(false));
                    }
                    // Without a value nobody is to blame, and so all are.
                    let is_known = holds.contains(&false);
                    let mut holds = holds.into_iter();
                    kept[head.predicate].retain(|_| holds.next() == Some(true) && is_known);
                }
                Answer::Unknown(_) => kept[head.predicate].clear(),
            }
        }
        if kept[head.predicate].len() < before {
            for (other, clause) in system.clauses.iter().enumerate() {
                pending[other] |= clause.body.iter().any(|it| it.predicate == head.predicate);
            }
        }
    }
    Ok(kept)
}

/// Whether no error can be reached where these hold.
pub fn excludes_errors(
    system: &mut System,
    kept: &[Vec<Term>],
    solver: &mut dyn Solver,
    deadline: Deadline,
) -> bool {
    let errors: Vec<_> = system.clauses.iter().filter(|it| it.head.is_none()).cloned().collect();
    errors.into_iter().all(|clause| {
        let question = premises(system, kept, &clause.body, clause.constraint);
        ask(solver, &system.terms, &question, deadline) == Answer::Unsat
    })
}

fn premises(
    system: &mut System,
    kept: &[Vec<Term>],
    body: &[Application],
    constraint: Term,
) -> Vec<Term> {
    let mut premises = vec![constraint];
    for application in body {
        for &term in &kept[application.predicate] {
            premises.push(instance(system, application, term));
        }
    }
    premises
}

/// What is said of the parameters of a predicate, said of the arguments.
fn instance(system: &mut System, application: &Application, term: Term) -> Term {
    let System { terms, predicates, .. } = system;
    let params = &predicates[application.predicate].params;
    let mut args = FxHashMap::default();
    for (&param, &arg) in params.iter().zip(&application.args) {
        if let TermKind::Var(var) = terms.kind(param) {
            args.insert(var, arg);
        }
    }
    terms.substitute(term, |_, var| args.get(&var).copied())
}

fn ask(solver: &mut dyn Solver, terms: &TermPool, question: &[Term], deadline: Deadline) -> Answer {
    if deadline.is_over() {
        return Answer::Unknown(NoAnswer::GaveUp("timeout".to_owned()));
    }
    solver.set_timeout(Some(deadline.left_by_clock().unwrap_or(MAX_TIME).min(MAX_TIME)));
    solver.check(terms, question)
}
