//! Which programs have replicated threads that views can follow.

use ravelin_cfa::access::for_each_term;
use ravelin_cfa::{Callee, Edge, ObjectKind, Op, Proc, Program};
use ravelin_pointsto::{ObjectName, PointsTo};
use ravelin_term::{BinOp, TermKind, UnOp};

use crate::model::control_flow::on_cycles;

/// Where main starts threads again and again, if it does, and if it does not matter which of them is which:
///
/// - only main starts threads, and it is nobody's callee: whoever starts in a loop of it is one of many;
/// - objects of their frames are known to nobody else: one that a pointer leads to could be that of a thread
///   that nobody looks at;
/// - no addresses are compared or turned into numbers: they would tell threads apart;
/// - nothing is allocated: dynamic objects are numbered in the order of their making.
pub(super) fn templates(program: &Program, points_to: &PointsTo) -> Option<Vec<(Proc, Edge)>> {
    let entry = program.entry?;
    let mut is_eligible = true;
    let mut terms = Vec::new();
    for (proc, procedure) in program.procs.iter() {
        for edge in procedure.edges.values() {
            for label in &edge.labels {
                label.walk(&mut |label| {
                    is_eligible &= match &label.op {
                        Op::Start { routine, .. } => {
                            proc == entry && !matches!(routine, Callee::Direct(it) if *it == entry)
                        }
                        Op::Call { callee: Callee::Direct(callee), .. } => *callee != entry,
                        Op::Alloc { .. } | Op::Realloc { .. } | Op::Free { .. } => false,
                        _ => true,
                    };
                    for_each_term(&label.op, |term| terms.push(term));
                });
            }
        }
    }
    let escaped = points_to.escaped(program);
    for (object, data) in program.objects.iter() {
        is_eligible &= match data.kind {
            ObjectKind::Function(proc) => proc != entry,
            ObjectKind::Local(proc) if proc == entry => true,
            ObjectKind::Local(_) | ObjectKind::ThreadLocal => {
                let target = points_to.target(ObjectName::Object(object));
                target.is_none_or(|target| !escaped[target])
            }
            ObjectKind::Global | ObjectKind::Constant => true,
        };
    }
    terms.sort_unstable();
    terms.dedup();
    for term in terms {
        program.terms.for_each_subterm(term, |_, kind| {
            is_eligible &= !matches!(
                kind,
                TermKind::Unary(UnOp::PtrToInt | UnOp::IntToPtr, _)
                    | TermKind::Binary(
                        BinOp::PtrLt | BinOp::PtrLe | BinOp::PtrDiff | BinOp::PtrMake,
                        ..
                    )
            );
        });
    }
    let procedure = &program.procs[entry];
    let cyclic = on_cycles(procedure);
    let mut found = Vec::new();
    for (edge, data) in procedure.edges.iter() {
        let mut starts = false;
        for label in &data.labels {
            label.walk(&mut |label| starts |= matches!(label.op, Op::Start { .. }));
        }
        if starts && cyclic.contains(data.source) {
            found.push((entry, edge));
        }
    }
    (is_eligible && !found.is_empty()).then_some(found)
}
