//! Invariants of a procedure's graph.

use ravelin_base::{EntityRef, EntitySet};
use ravelin_term::{BinOp, Term, TermKind, TermPool, UnOp};

use super::{Place, Report, Rule};
use crate::access::sequence_never_continues;
use crate::model::{EdgeData, Loc, Proc, Procedure, Program, VarKind};
use crate::op::{Label, Op};

pub(super) fn check_graph(
    program: &Program,
    proc: Proc,
    procedure: &Procedure,
    report: &mut Report,
) {
    check_params(program, proc, procedure, report);
    for (name, loc) in [("entry", procedure.entry), ("exit", procedure.exit)] {
        if !procedure.locs.is_valid(loc) {
            report.add(
                Rule::References,
                Place::Proc(proc),
                format!("the {name} {loc} does not exist"),
            );
        }
    }
    if !check_edges(proc, procedure, report) {
        return;
    }
    for (loc, data) in procedure.locs.iter() {
        let place = Place::Loc(proc, loc);
        if loc == procedure.exit {
            if !data.out.is_empty() {
                report.add(Rule::Graph, place, "the exit location has outgoing edges");
            }
            continue;
        }
        match data.out.as_slice() {
            [] => report.add(Rule::Graph, place, "no edge leaves the location"),
            [_] => {}
            edges => {
                let guards: Vec<_> =
                    edges.iter().map(|&edge| guard(&procedure.edges[edge].labels)).collect();
                check_guards(program, &guards, place, report);
            }
        }
    }
    for (edge, data) in procedure.edges.iter() {
        if data.target == procedure.exit && !may_enter_exit(program, data) {
            report.add(
                Rule::Ends,
                Place::Edge(proc, edge),
                "an edge to the exit does not end with a return or the like",
            );
        }
    }
}

fn check_params(program: &Program, proc: Proc, procedure: &Procedure, report: &mut Report) {
    for (index, &param) in procedure.params.iter().enumerate() {
        match program.vars.get(param).map(|data| data.kind) {
            None => report.add(
                Rule::References,
                Place::Proc(proc),
                format!("the parameter {param} does not exist"),
            ),
            Some(VarKind::Local(owner)) if owner == proc => {}
            Some(VarKind::Local(_) | VarKind::Global { .. } | VarKind::ThreadLocal { .. }) => {
                report.add(
                    Rule::Ownership,
                    Place::Proc(proc),
                    format!("the parameter {param} is no local of the procedure"),
                );
            }
        }
        if procedure.params[..index].contains(&param) {
            report.add(
                Rule::References,
                Place::Proc(proc),
                format!("the parameter {param} stands twice in the list"),
            );
        }
    }
}

/// Whether locations and edges refer to each other consistently.
fn check_edges(proc: Proc, procedure: &Procedure, report: &mut Report) -> bool {
    let before = report.violations.len();
    let mut listed = EntitySet::with_capacity(procedure.edges.len());
    for (loc, data) in procedure.locs.iter() {
        for &edge in &data.out {
            let source = procedure.edges.get(edge).map(|data| data.source);
            if source != Some(loc) || !listed.insert(edge) {
                report.add(
                    Rule::References,
                    Place::Loc(proc, loc),
                    format!("{edge} does not leave here, or is listed twice"),
                );
            }
        }
    }
    for (edge, data) in procedure.edges.iter() {
        let exists = |loc: Loc| loc.index() < procedure.locs.len();
        if !exists(data.source) || !exists(data.target) || !listed.contains(edge) {
            report.add(
                Rule::References,
                Place::Edge(proc, edge),
                "its source or target does not exist, or the source does not list it",
            );
        }
    }
    report.violations.len() == before
}

fn may_enter_exit(program: &Program, edge: &EdgeData) -> bool {
    sequence_never_continues(&edge.labels)
        || edge.labels.last().is_some_and(|label| {
            // Terms are checked elsewhere; a term that does not exist does not count as false.
            matches!(label.op, Op::Assume(cond) if cond.index() < program.terms.len()
                && program.terms.as_bool(cond) == Some(false))
        })
}

/// The first label of a sequence, if it is an assumption.
pub(super) fn guard(labels: &[Label]) -> Option<Term> {
    if let Op::Assume(cond) = labels.first()?.op { Some(cond) } else { None }
}

/// Checks the guards of several edges or branches.
pub(super) fn check_guards(
    program: &Program,
    guards: &[Option<Term>],
    place: Place,
    report: &mut Report,
) {
    if guards.iter().any(Option::is_none) {
        report.add(Rule::Graph, place, "one of several ways does not begin with an assumption");
        return;
    }
    if let &[Some(a), Some(b)] = guards {
        let exist = a.index() < program.terms.len() && b.index() < program.terms.len();
        if exist && !is_negation(&program.terms, a, b) {
            report.add(Rule::Graph, place, "of two guards, one is not the other's negation");
        }
    }
}

/// Whether one Boolean term is what [`TermPool::not`] makes of the other.
pub fn is_negation(terms: &TermPool, a: Term, b: Term) -> bool {
    let flipped = |op| match op {
        BinOp::BvUlt => Some(BinOp::BvUle),
        BinOp::BvUle => Some(BinOp::BvUlt),
        BinOp::BvSlt => Some(BinOp::BvSle),
        BinOp::BvSle => Some(BinOp::BvSlt),
        _ => None,
    };
    match (terms.kind(a), terms.kind(b)) {
        (TermKind::Bool(x), TermKind::Bool(y)) => x != y,
        (TermKind::Unary(UnOp::Not, inner), _) if inner == b => true,
        (_, TermKind::Unary(UnOp::Not, inner)) if inner == a => true,
        (TermKind::Binary(op, x, y), TermKind::Binary(other, z, w)) => {
            flipped(op) == Some(other) && (x, y) == (w, z)
        }
        _ => false,
    }
}
