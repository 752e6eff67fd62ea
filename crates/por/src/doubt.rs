//! What bars a proof.
//!
//! The automaton is not the whole program: a copy is one step in it, and functions from outside call nothing.
//! Where that could matter, a proof about the automaton is none about the program, whoever has it; executions to
//! an error stay what they are. This is the one place that says so: the analysis asks before it says TRUE, in
//! every stage, and so does the explorer before it calls a search complete.

use ravelin_base::{EntitySet, SrcPos};
use ravelin_cfa::{Callee, ObjectKind, Op, Proc, Program, Property};
use ravelin_pointsto::{ObjectName, PointsTo};
use ravelin_term::{Sort, Term};

use crate::callbacks::kept_callback;
use crate::coarse::coarse_step;

/// Why a proof about an automaton is none about its program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    pub what: String,
    pub pos: SrcPos,
}

/// What bars a proof about this program, if anything does.
pub fn doubt(program: &Program, points_to: &PointsTo) -> Option<Doubt> {
    if let Some(kept) = kept_callback(program, points_to) {
        return Some(kept);
    }
    if let Some(unseen) = unseen_read(program, points_to).or_else(|| unseen_end(program)) {
        return Some(unseen);
    }
    // Who could see a copy half done would race with it.
    let is_about_races = program.checked == Property::NoDataRace.into();
    if !program.is_concurrent() || !has_errors(program) || is_about_races {
        return None;
    }
    let pos = coarse_step(program, points_to)?;
    Some(Doubt { what: "a copy that other threads may see half done".to_owned(), pos })
}

/// What is printed through pointers to anything but constants: where strings end is not checked.
fn unseen_read(program: &Program, points_to: &PointsTo) -> Option<Doubt> {
    if !program.checked.contains(Property::ValidDeref) {
        return None;
    }
    let is_constant = |pointer: Term| {
        let set = points_to.of_term(program, pointer);
        set.flags().is_empty()
            && set.targets().all(|target| match points_to.name(target) {
                ObjectName::Object(object) => program.objects[object].kind == ObjectKind::Constant,
                ObjectName::Allocated(_) | ObjectName::OfSize(_) => false,
            })
    };
    let mut found = None;
    program.for_each_label(|_, label| {
        let Op::Print { args } = &label.op else { return };
        let mut pointers = args.iter().filter(|&&arg| program.terms.sort(arg) == Sort::Ptr);
        if found.is_none() && !pointers.all(|&pointer| is_constant(pointer)) {
            found = Some(label.pos);
        }
    });
    found.map(|pos| Doubt { what: "the strings that are printed".to_owned(), pos })
}

/// Executions that do not end with main, because main ends its thread alone: where they end, the analysis does not look
/// for memory that is left.
fn unseen_end(program: &Program) -> Option<Doubt> {
    if !asks_for_leaks(program) {
        return None;
    }
    let main = called_from(program, program.entry?);
    let (mut allocates, mut exits) = (false, None);
    program.for_each_label(|proc, label| {
        allocates |= matches!(label.op, Op::Alloc { .. } | Op::Realloc { .. });
        if matches!(label.op, Op::ThreadExit { .. }) && main.contains(proc) {
            exits = exits.or(Some(label.pos));
        }
    });
    let pos = exits.filter(|_| allocates)?;
    Some(Doubt { what: "memory that is left when the last thread ends".to_owned(), pos })
}

/// The procedures that a thread which begins here may call.
fn called_from(program: &Program, entry: Proc) -> EntitySet<Proc> {
    let (mut found, mut work) = (EntitySet::new(), vec![entry]);
    while let Some(proc) = work.pop() {
        if !found.insert(proc) {
            continue;
        }
        for edge in program.procs[proc].edges.values() {
            for label in &edge.labels {
                match &label.op {
                    Op::Call { callee: Callee::Direct(callee), .. } => work.push(*callee),
                    Op::Call { callee: Callee::Pointer(_), .. } => {
                        work.extend(program.procs.keys())
                    }
                    _ => {}
                }
            }
        }
    }
    found
}

/// Whether anything in the program could be an error, in whatever order it happens.
fn has_errors(program: &Program) -> bool {
    let mut found = program.checked.contains(Property::ValidDeref)
        || program.checked.contains(Property::ValidFree)
        || asks_for_leaks(program);
    program.for_each_label(|_, label| {
        found |= matches!(label.op, Op::Error(_) | Op::Claim(_));
    });
    found
}

fn asks_for_leaks(program: &Program) -> bool {
    [Property::ValidMemtrack, Property::ValidMemcleanup]
        .iter()
        .any(|&property| program.checked.contains(property))
}

/// Whether pointers have to be known to tell whether something bars a proof.
pub fn may_doubt(program: &Program) -> bool {
    program.is_concurrent()
        || program.checked.contains(Property::ValidDeref)
        || asks_for_leaks(program)
        || crate::callbacks::hands_out(program)
}
