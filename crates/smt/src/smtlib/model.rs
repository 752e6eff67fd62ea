//! Values of terms in the model of a satisfiable check.
//!
//! A solver gives values only for what it knows, and learning more ends the model. So the solver is
//! asked about the subterms that it knows, and the rest is computed from their values.

use ravelin_term::{Sort, Term, TermKind, TermPool, term_kinds};
use rustc_hash::FxHashMap;

use super::SmtLibSolver;
use super::encode::Encoded;
use super::literal;
use super::sexpr::Sexpr;

/// The value of a term as a constant, if the solver and the computation lead to one.
pub(super) fn value(solver: &mut SmtLibSolver, pool: &mut TermPool, term: Term) -> Option<Term> {
    let order = unknown_subterms(solver, pool, term);
    let mut values = ask_for_known(solver, pool, &order)?;
    for &next in &order {
        if values.contains_key(&next) {
            continue;
        }
        let rebuilt = rebuild(pool, next, &values);
        let value = complete(solver, pool, rebuilt)?;
        values.insert(next, value);
    }
    values.get(&term).copied().filter(|&value| is_constant(pool, value))
}

/// The term and those below it, operands first, down to those that the solver gives values for.
fn unknown_subterms(solver: &SmtLibSolver, pool: &TermPool, term: Term) -> Vec<Term> {
    let mut order = Vec::new();
    // Whether a term's operands are in the order already.
    let mut seen: FxHashMap<Term, bool> = FxHashMap::default();
    let mut work = vec![term];
    while let Some(&next) = work.last() {
        match seen.get_mut(&next) {
            Some(true) => {
                work.pop();
            }
            Some(finished) => {
                *finished = true;
                order.push(next);
                work.pop();
            }
            None => {
                seen.insert(next, false);
                if !is_known(solver, pool, next) {
                    work.extend(pool.children(next).filter(|child| !seen.contains_key(child)));
                }
            }
        }
    }
    order
}

/// Whether the solver can say the term's value. Memories have none that is a term.
fn is_known(solver: &SmtLibSolver, pool: &TermPool, term: Term) -> bool {
    !is_constant(pool, term) && matches!(encoded(solver, term), Some(Encoded::Value(_)))
}

fn encoded(solver: &SmtLibSolver, term: Term) -> Option<&Encoded> {
    solver.session.as_ref()?.encoder.get(term)
}

fn is_constant(pool: &TermPool, term: Term) -> bool {
    pool.is_literal(term) || literal::pointer_value(pool, term).is_some()
}

fn ask_for_known(
    solver: &mut SmtLibSolver,
    pool: &mut TermPool,
    order: &[Term],
) -> Option<FxHashMap<Term, Term>> {
    let mut known = Vec::new();
    let mut texts = Vec::new();
    for &term in order {
        if let Some(Encoded::Value(text)) = encoded(solver, term)
            && !is_constant(pool, term)
        {
            known.push(term);
            texts.push(text.to_string());
        }
    }
    let sorts: Vec<Sort> = known.iter().map(|&term| pool.sort(term)).collect();
    let values = ask(solver, pool, &texts, &sorts)?;
    Some(known.into_iter().zip(values).collect())
}

/// The values of texts of the given sorts.
fn ask(
    solver: &mut SmtLibSolver,
    pool: &mut TermPool,
    texts: &[String],
    sorts: &[Sort],
) -> Option<Vec<Term>> {
    if texts.is_empty() {
        return Some(Vec::new());
    }
    let replies = solver.ask(format!("(get-value ({}))\n", texts.join(" "))).ok()?;
    let [Sexpr::List(pairs)] = replies.as_slice() else { return None };
    if pairs.len() != texts.len() {
        return None;
    }
    let read = |(pair, &sort): (&Sexpr, &Sort)| match pair.as_list()? {
        // Solvers print the term in their own way; the order tells which it is.
        [_, value] => literal::parse(pool, sort, value),
        _ => None,
    };
    pairs.iter().zip(sorts).map(read).collect()
}

/// The term with its operands replaced by their values, which folds it where it can be.
fn rebuild(pool: &mut TermPool, term: Term, values: &FxHashMap<Term, Term>) -> Term {
    match pool.kind(term) {
        term_kinds!(leaves) => term,
        TermKind::Unary(op, a) => pool.unary(op, values[&a]),
        TermKind::Binary(op, a, b) => pool.binary(op, values[&a], values[&b]),
        TermKind::Ite(cond, a, b) => pool.ite(values[&cond], values[&a], values[&b]),
        TermKind::Read(memory, pointer) => {
            let sort = pool.sort(term);
            pool.read(values[&memory], values[&pointer], sort)
        }
        TermKind::Write(memory, pointer, value) => {
            pool.write(values[&memory], values[&pointer], values[&value])
        }
    }
}

/// Replaces what the solver has to decide: a variable that it was never told of, which may have any
/// value, and what a memory that it knows holds at a constant pointer.
fn complete(solver: &mut SmtLibSolver, pool: &mut TermPool, term: Term) -> Option<Term> {
    let sort = pool.sort(term);
    match pool.kind(term) {
        TermKind::Var(_) if sort != Sort::Mem => Some(pool.zero(sort)),
        TermKind::Read(memory, pointer) => {
            let Some(pointer) = literal::pointer_value(pool, pointer) else { return Some(term) };
            let Some(session) = &solver.session else { return None };
            if session.encoder.get(memory).is_none() {
                // A memory variable that the solver was never told of holds any bytes, say zeros.
                let is_variable = matches!(pool.kind(memory), TermKind::Var(_));
                return Some(if is_variable { pool.zero(sort) } else { term });
            }
            let pointer = literal::bv(pointer_width(pool), pointer);
            let text = session.encoder.read(memory, &pointer, sort);
            ask(solver, pool, &[text], &[sort])?.pop()
        }
        term_kinds!(leaves)
        | TermKind::Unary(..)
        | TermKind::Binary(..)
        | TermKind::Ite(..)
        | TermKind::Write(..) => Some(term),
    }
}

fn pointer_width(pool: &TermPool) -> u16 {
    super::prelude::OBJECT_BITS + pool.pointer_bits()
}
