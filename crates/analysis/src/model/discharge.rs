//! Checks that cannot fail, by ranges.
//!
//! The front end and the passes before this one branch to an error where a property may be violated. Most of these
//! branches are never taken, and an interval analysis knows that: this pass makes their conditions constants, before any
//! engine starts. What holds until the first violation may be assumed by every check (ARCHITECTURE.md), and so it is here.

use std::time::Duration;

use ravelin_base::{Budget, SecondaryMap};
use ravelin_cfa::{Edge, Label, Loc, Op, Proc, Procedure, Program};
use ravelin_pointsto::Position;
use ravelin_por::ProgramFacts;
use ravelin_ranges::Ranges;

/// How many branches to errors there are, and how many of them are never taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Discharged {
    pub all: usize,
    pub never: usize,
}

/// The analysis of ranges may take this long.
const RANGES: Duration = Duration::from_secs(10);

/// Makes the conditions of branches to errors constants if ranges exclude the errors. It wants one label per edge.
pub fn discharge_checks(program: &mut Program, budget: &Budget) -> Discharged {
    let mut done = Discharged::default();
    let branches = error_branches(program);
    done.all = branches.len();
    if branches.is_empty() {
        return done;
    }
    let facts = ProgramFacts::new(program, budget.clone());
    let ranges = facts
        .points_to()
        .and_then(|points_to| Ranges::of(program, points_to, &mut budget.clone().sooner(RANGES)));
    let Ok(ranges) = ranges else { return done };
    let never: Vec<Branch> = branches
        .into_iter()
        .filter(|branch| {
            let Branch { proc, good, .. } = *branch;
            let position = Position { proc, edge: good, label: 0 };
            guard(&program.procs[proc], good)
                .is_some_and(|holds| ranges.holds(program, position, holds))
        })
        .collect();
    done.never = never.len();
    let (yes, no) = (program.terms.bool(true), program.terms.bool(false));
    for Branch { proc, good, bad } in never {
        let edges = &mut program.procs[proc].edges;
        for (edge, condition) in [(good, yes), (bad, no)] {
            if let Some(label) = edges[edge].labels.first_mut() {
                label.op = Op::Assume(condition);
            }
        }
    }
    done
}

/// A branch of which one way is an error and nothing else.
struct Branch {
    proc: Proc,
    good: Edge,
    bad: Edge,
}

fn error_branches(program: &Program) -> Vec<Branch> {
    let mut found = Vec::new();
    for (proc, procedure) in program.procs.iter() {
        let mut is_error: SecondaryMap<Loc, bool> =
            SecondaryMap::with_capacity(procedure.locs.len());
        for (loc, data) in procedure.locs.iter() {
            let [edge] = data.out[..] else { continue };
            is_error[loc] = matches!(
                procedure.edges[edge].labels[..],
                [Label { op: Op::Error(_) | Op::Claim(_), .. }]
            );
        }
        for data in procedure.locs.values() {
            let [a, b] = data.out[..] else { continue };
            let leads = |edge: Edge| is_error[procedure.edges[edge].target];
            match (leads(a), leads(b)) {
                (false, true) => found.push(Branch { proc, good: a, bad: b }),
                (true, false) => found.push(Branch { proc, good: b, bad: a }),
                (false, false) | (true, true) => {}
            }
        }
    }
    found
}

/// The condition of an edge.
fn guard(procedure: &Procedure, edge: Edge) -> Option<ravelin_term::Term> {
    match procedure.edges[edge].labels[..] {
        [Label { op: Op::Assume(condition), .. }] => Some(condition),
        _ => None,
    }
}
