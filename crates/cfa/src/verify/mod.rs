//! The invariants of a [`Program`], checked after the front end and after every pass.
//!
//! **References.** Every variable, object, procedure, location, edge and term that is mentioned
//! exists. The entry procedure exists. A parameter is a local of its procedure and stands in one
//! parameter list once. An edge stands in the `out` list of its source, once, and in no other.
//!
//! **Ownership.** Labels of a procedure mention no locals and no local objects of another one; nor
//! does a single term mix those of two procedures.
//!
//! **Terms.** Each term has the sort that its operation gives it. A term that reads a variable has
//! the variable's sort. Initial values are closed (they read no variable and name no local or
//! thread-local object) and have the sort of what they initialise; those of an object are ascending,
//! disjoint and within its size.
//!
//! **Sorts of operations.** Assumptions are Boolean, and an assigned value has the sort of its
//! variable. Addresses, callees, formats and the values of threads are pointers; sizes and thread
//! handles are bit-vectors of pointer width; the byte of a fill has 8 bits; statuses and the results of
//! synchronisation have 32. What is loaded, stored or stands in an object has a size in bytes: no
//! Boolean, and no bit-vector of a width that 8 does not divide. A direct call or thread start has the
//! arguments that the parameters ask for, and its result, if it is used, the sort that the procedure
//! returns; a return has a value just if the procedure has a result. Synchronisation operations take
//! what their row in [`crate::sync`] says. Lifetimes begin and end for local objects only.
//!
//! **Graph.** The exit location has no outgoing edges; every other location has one. A location
//! with several has an [`Op::Assume`] first on each of them; if there are two, one guard is the
//! negation of the other. (The verifier does not check that three or more are exclusive and
//! exhaustive: that would need a solver.)
//!
//! **Ends.** A `return` stands last on its edge, which goes to the exit location. So does every
//! operation that never continues (error, exit, abort, thread exit, unsupported), except that its
//! target may be any location, because control never arrives there. An edge to the exit location
//! ends with one of these, or with an assumption that is false: control never falls off the end of
//! a procedure.
//!
//! **Positions.** Every label but `skip` and a choice has a source position.
//!
//! **Blocks.** In [`Blocks::Source`] and [`Blocks::Single`] an edge has at most one label and there
//! are no choices. In [`Blocks::Single`] and [`Blocks::ThreadLocal`], if the program starts
//! threads, each edge outside of atomic sections ([`crate::sections`]) touches at most one shared
//! location, and nothing that may stop the execution ([`crate::effects::may_stop`]) follows
//! something on it that another thread may notice. [`Blocks::Sequential`] is for programs that
//! start no threads. Branches of a choice begin with an assumption; there are two of them or more,
//! and of two the one's guard negates the other's. A label that may wait for another thread is
//! first on its edge: an edge is one step, which is enabled or not. A label that closes a block
//! ([`crate::effects::closes_block`]) is last on its edge, and in no choice.

mod graph;
mod labels;
mod terms;

use std::fmt;

pub use graph::is_negation;

use ravelin_term::{Object, Term, Var};

use crate::effects::may_stop;
use crate::model::{Blocks, Edge, Loc, Proc, Program};
use crate::op::{Label, Op};
use crate::sections::Sections;
use crate::sharing::Sharing;

/// Checks all invariants; returns the broken ones, at most [`MAX_VIOLATIONS`].
pub fn verify(program: &Program) -> Result<(), Vec<Violation>> {
    let mut report = Report { violations: Vec::new() };
    let facts = terms::check_terms(program, &mut report);
    terms::check_declarations(program, &facts, &mut report);
    for (proc, procedure) in program.procs.iter() {
        graph::check_graph(program, proc, procedure, &mut report);
        labels::check_labels(program, proc, procedure, &facts, &mut report);
    }
    // The later checks index without bounds checks of their own.
    if report.violations.is_empty() {
        check_granularity(program, &mut report);
    }
    if report.violations.is_empty() { Ok(()) } else { Err(report.violations) }
}

/// The maximum number of messages: more do not help with a program that is broken everywhere.
pub const MAX_VIOLATIONS: usize = 100;

/// A broken invariant.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    pub rule: Rule,
    pub place: Place,
    pub message: String,
}

/// The groups of invariants in the module's comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    References,
    Ownership,
    Terms,
    Sorts,
    Graph,
    Ends,
    Positions,
    Blocks,
}

/// The place of a broken invariant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Program,
    Term(Term),
    Var(Var),
    Object(Object),
    Proc(Proc),
    Loc(Proc, Loc),
    Edge(Proc, Edge),
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::Program => f.write_str("program")?,
            Place::Term(term) => write!(f, "term {term}")?,
            Place::Var(var) => write!(f, "variable {var}")?,
            Place::Object(object) => write!(f, "object {object}")?,
            Place::Proc(proc) => write!(f, "procedure {proc}")?,
            Place::Loc(proc, loc) => write!(f, "procedure {proc}, location {loc}")?,
            Place::Edge(proc, edge) => write!(f, "procedure {proc}, edge {edge}")?,
        }
        write!(f, ": {} [{:?}]", self.message, self.rule)
    }
}

struct Report {
    violations: Vec<Violation>,
}

impl Report {
    fn add(&mut self, rule: Rule, place: Place, message: impl Into<String>) {
        if self.violations.len() < MAX_VIOLATIONS {
            self.violations.push(Violation { rule, place, message: message.into() });
        }
    }
}

fn check_granularity(program: &Program, report: &mut Report) {
    match program.blocks {
        Blocks::Source => return,
        Blocks::Sequential => {
            if program.is_concurrent() {
                report.add(Rule::Blocks, Place::Program, "sequential blocks, but several threads");
            }
            return;
        }
        Blocks::Single | Blocks::ThreadLocal if !program.is_concurrent() => return,
        Blocks::Single | Blocks::ThreadLocal => {}
    }
    let (sharing, sections) = (Sharing::of(program), Sections::of(program));
    for (proc, procedure) in program.procs.iter() {
        for (edge, data) in procedure.edges.iter() {
            let place = Place::Edge(proc, edge);
            // A label that may wait is first and a label that closes a block is last: an edge is in
            // a section as a whole, or not at all.
            let begins = matches!(data.labels.first(), Some(Label { op: Op::AtomicBegin, .. }));
            if begins || sections.inside(proc)[data.source] > 0 {
                continue;
            }
            if sharing.count(program, &data.labels) > 1 {
                report.add(Rule::Blocks, place, "the edge touches more than one shared location");
            }
            if stops_after_visible(program, &sharing, &data.labels) {
                report.add(Rule::Blocks, place, "it may stop after what others can see");
            }
        }
    }
}

fn stops_after_visible(program: &Program, sharing: &Sharing, labels: &[Label]) -> bool {
    let mut visible = false;
    labels.iter().any(|label| {
        if visible && may_stop(&program.terms, &label.op) {
            return true;
        }
        visible |= sharing.is_visible(program, &label.op);
        match &label.op {
            Op::Choice(branches) => {
                branches.iter().any(|branch| stops_after_visible(program, sharing, branch))
            }
            _ => false,
        }
    })
}
