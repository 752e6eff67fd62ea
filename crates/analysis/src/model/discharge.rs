//! Checks that cannot fail, by ranges.
//!
//! The front end and the passes before this one branch to an error where a property may be violated. Most of these
//! branches are never taken, and an interval analysis knows that: this pass makes their conditions constants, before any
//! engine starts. What holds until the first violation may be assumed by every check (ARCHITECTURE.md), and so it is here.

use std::fmt;
use std::time::Duration;

use ravelin_base::{Budget, SecondaryMap, SrcPos};
use ravelin_cfa::{Edge, ErrorKind, Label, Loc, Op, Place, Proc, Procedure, Program};
use ravelin_pointsto::Position;
use ravelin_por::ProgramFacts;
use ravelin_ranges::Ranges;
use ravelin_term::Term;

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
            let (proc, good) = (branch.proc, branch.good);
            let position = Position { proc, edge: good, label: 0 };
            guard(&program.procs[proc], good)
                .is_some_and(|holds| ranges.holds(program, position, holds))
        })
        .collect();
    done.never = never.len();
    let (yes, no) = (program.terms.bool(true), program.terms.bool(false));
    for Branch { proc, good, bad, .. } in never {
        let edges = &mut program.procs[proc].edges;
        for (edge, condition) in [(good, yes), (bad, no)] {
            if let Some(label) = edges[edge].labels.first_mut() {
                label.op = Op::Assume(condition);
            }
        }
    }
    done
}

/// A check that engines have to decide.
#[derive(Clone, Debug)]
pub struct OpenCheck<'p> {
    program: &'p Program,
    proc: Proc,
    kind: ErrorKind,
    pos: SrcPos,
    /// What must hold.
    condition: Term,
}

impl OpenCheck<'_> {
    /// The error that is left.
    pub fn error(&self) -> ErrorKind {
        self.kind
    }
}

/// The checks of the program that are no constants, in order of their places.
pub fn open_checks(program: &Program) -> Vec<OpenCheck<'_>> {
    let mut open: Vec<OpenCheck<'_>> = error_branches(program)
        .into_iter()
        .filter_map(|Branch { proc, good, kind, pos, .. }| {
            let condition = guard(&program.procs[proc], good)?;
            let is_open = program.terms.as_bool(condition).is_none();
            is_open.then_some(OpenCheck { program, proc, kind, pos, condition })
        })
        .collect();
    open.sort_by_key(|check| (program.name(check.pos.file), check.pos.line, check.pos.column));
    open
}

/// The place, the violation, the function, and what must hold there.
impl fmt::Display for OpenCheck<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OpenCheck { program, proc, kind, pos, condition } = *self;
        match Place::of(program, pos) {
            Some(Place { file, line, column }) => write!(f, "{file}:{line}:{column}")?,
            None => f.write_str("no place")?,
        }
        let function = program.name(program.procs[proc].name);
        let condition = ravelin_cfa::print::term(program, condition);
        write!(f, " {} in {function} unless {condition}", kind.name())
    }
}

/// A branch of which one way is an error and nothing else.
struct Branch {
    proc: Proc,
    good: Edge,
    bad: Edge,
    kind: ErrorKind,
    pos: SrcPos,
}

fn error_branches(program: &Program) -> Vec<Branch> {
    let mut found = Vec::new();
    for (proc, procedure) in program.procs.iter() {
        let mut errors: SecondaryMap<Loc, Option<(ErrorKind, SrcPos)>> =
            SecondaryMap::with_capacity(procedure.locs.len());
        for (loc, data) in procedure.locs.iter() {
            let [edge] = data.out[..] else { continue };
            errors[loc] = match procedure.edges[edge].labels[..] {
                [Label { op: Op::Error(kind) | Op::Claim(kind), pos }] => Some((kind, pos)),
                _ => None,
            };
        }
        for data in procedure.locs.values() {
            let [a, b] = data.out[..] else { continue };
            let leads = |edge: Edge| errors[procedure.edges[edge].target];
            match (leads(a), leads(b)) {
                (None, Some((kind, pos))) => {
                    found.push(Branch { proc, good: a, bad: b, kind, pos });
                }
                (Some((kind, pos)), None) => {
                    found.push(Branch { proc, good: b, bad: a, kind, pos });
                }
                (None, None) | (Some(_), Some(_)) => {}
            }
        }
    }
    found
}

/// The condition of an edge.
fn guard(procedure: &Procedure, edge: Edge) -> Option<Term> {
    match procedure.edges[edge].labels[..] {
        [Label { op: Op::Assume(condition), .. }] => Some(condition),
        _ => None,
    }
}
