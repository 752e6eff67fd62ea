//! Steps that other threads could see half done.
//!
//! The automaton copies and fills memory in one step, however long it is. Where another thread may look at
//! that memory at the same time, a proof about the automaton is none about the program. A word that goes from or to
//! memory of the thread's own, or of constants, is an access like others, in an atomic section nobody looks, and while a
//! mutex is held, nobody looks who needs it to.

use ravelin_base::{SecondaryMap, SrcPos};
use ravelin_cfa::access::{Access, for_each_access};
use ravelin_cfa::sections::Sections;
use ravelin_cfa::sync::SYNC_BYTES;
use ravelin_cfa::{Edge, Label, ObjectKind, Op, Proc, Program};
use ravelin_pointsto::{ObjectName, PointsTo, Target, TargetSet};
use ravelin_term::Term;

use crate::locks::{Lockset, Locksets};
use crate::parallel::while_others_run;

/// The position of such a step, if there is one: while other threads may run, on memory that they may reach, and
/// without a mutex that keeps them away.
pub fn coarse_step(program: &Program, points_to: &PointsTo) -> Option<SrcPos> {
    let escaped = points_to.escaped(program);
    let concurrent = while_others_run(program);
    let sections = Sections::of(program);
    let mut coarse: Vec<(Proc, Edge)> = Vec::new();
    for &(proc, edge) in &concurrent {
        let data = &program.procs[proc].edges[edge];
        sections.walk(proc, data.source, &data.labels, |label, is_inside| {
            // Nobody looks.
            if is_inside {
                return;
            }
            label.walk(&mut |label| {
                if is_coarse(program, points_to, &escaped, label)
                    && coarse.last() != Some(&(proc, edge))
                {
                    coarse.push((proc, edge));
                }
            });
        });
    }
    if coarse.is_empty() {
        return None;
    }
    let locks = Locksets::new(program, points_to, &concurrent);
    let mut found = None;
    for (proc, edge) in coarse {
        locks.for_each_label(proc, edge, &mut |label, held| {
            if found.is_none()
                && is_coarse(program, points_to, &escaped, label)
                && !is_kept_apart(program, points_to, (&locks, &concurrent), label, held)
            {
                found = Some(label.pos);
            }
        });
    }
    found
}

/// Whether a step touches memory that other threads may reach in more than one access.
fn is_coarse(
    program: &Program,
    points_to: &PointsTo,
    escaped: &SecondaryMap<Target, bool>,
    label: &Label,
) -> bool {
    let is_shared = |term: Term| is_shared(program, points_to, escaped, term);
    let is_word = |size: Term| {
        let size = program.terms.as_bv(size).filter(|size| size.is_power_of_two());
        size.is_some_and(|size| size <= u128::from(program.terms.pointer_bits() / 8))
    };
    match &label.op {
        Op::Copy { dst, src, size } => {
            let (to, from) = (is_shared(*dst), is_shared(*src));
            (to || from) && !(is_word(*size) && !(to && from))
        }
        Op::Fill { dst, size, .. } => is_shared(*dst) && !is_word(*size),
        // It copies the old contents.
        Op::Realloc { addr, .. } => is_shared(*addr),
        _ => false,
    }
}

/// Whether all who touch the same memory hold one of the mutexes that are held here.
fn is_kept_apart(
    program: &Program,
    points_to: &PointsTo,
    (locks, concurrent): (&Locksets<'_>, &[(Proc, Edge)]),
    step: &Label,
    held: Lockset,
) -> bool {
    if held == 0 {
        return false;
    }
    let touched: Vec<TargetSet> = accessed(program, points_to, step);
    let bytes = accessed_bytes(program, &step.op);
    let mut is_kept_apart = true;
    for &(proc, edge) in concurrent {
        locks.for_each_label(proc, edge, &mut |label, others| {
            // What is printed changes nothing.
            if others & held != 0 || matches!(label.op, Op::Print { .. }) {
                return;
            }
            let at = accessed_bytes(program, &label.op);
            is_kept_apart &= !accessed(program, points_to, label).iter().any(|set| {
                touched.iter().any(|mine| may_overlap(points_to, (mine, bytes), (set, at)))
            });
        });
    }
    is_kept_apart
}

/// The places at which a label touches memory.
fn accessed(program: &Program, points_to: &PointsTo, label: &Label) -> Vec<TargetSet> {
    let mut found = Vec::new();
    for_each_access(&label.op, &mut |access| {
        let Some(pointer) = access.pointer() else { return };
        let is_anywhere = matches!(access, Access::ReachMemory(_));
        found.push(if is_anywhere {
            TargetSet::unknown()
        } else {
            points_to.of_term(program, pointer)
        });
    });
    found
}

/// How many bytes an operation touches from each of its addresses on, if that is known.
pub fn accessed_bytes(program: &Program, op: &Op) -> Option<u64> {
    let bytes = |term: Term| program.terms.as_bv(term).and_then(|size| u64::try_from(size).ok());
    match op {
        Op::Load { dst, .. } => program.bytes_of(program.vars[*dst].sort),
        Op::Store { value, .. } => program.bytes_of(program.terms.sort(*value)),
        Op::Copy { size, .. } | Op::Fill { size, .. } => bytes(*size),
        Op::Sync { .. } => Some(SYNC_BYTES),
        _ => None,
    }
}

/// Whether two accesses of so many bytes, or of any number, may touch a common byte.
pub fn may_overlap(
    points_to: &PointsTo,
    (a, a_bytes): (&TargetSet, Option<u64>),
    (b, b_bytes): (&TargetSet, Option<u64>),
) -> bool {
    match (a_bytes, b_bytes) {
        (Some(a_bytes), Some(b_bytes)) => points_to.may_alias(a, a_bytes, b, b_bytes),
        _ if a.is_unknown() || b.is_unknown() => !a.is_empty() && !b.is_empty(),
        _ => a.targets().any(|target| b.targets().any(|other| other == target)),
    }
}

fn is_shared(
    program: &Program,
    points_to: &PointsTo,
    escaped: &SecondaryMap<Target, bool>,
    pointer: Term,
) -> bool {
    let set = points_to.of_term(program, pointer);
    // What never changes looks the same at any time.
    let may_change = |target: Target| match points_to.name(target) {
        ObjectName::Object(object) => program.objects[object].kind != ObjectKind::Constant,
        ObjectName::Allocated(_) | ObjectName::OfSize(_) => true,
    };
    set.is_unknown() || set.targets().any(|target| escaped[target] && may_change(target))
}
