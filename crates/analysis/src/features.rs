//! What a program has that decides what is tried with it.

use std::collections::BTreeSet;

use ravelin_cfa::access::for_each_term;
use ravelin_cfa::{Callee, Op, Program, Sort};
use ravelin_term::{BinOp, TermKind};

use crate::model::control_flow::ControlFlowFacts;
use crate::model::control_flow::on_cycles;

/// Counts of what makes a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    pub threads: bool,
    /// No error is left in the automaton.
    pub error_free: bool,
    /// Nor anything that an execution could reach and that is not modelled: no path is worth looking for.
    pub is_settled: bool,
    /// Whether main starts threads in a loop.
    pub replicated_threads: bool,
    pub loops: usize,
    /// Procedures that may call themselves, perhaps through others.
    pub recursive: usize,
    pub memory_accesses: usize,
    pub allocations: usize,
    pub pointer_calls: usize,
    pub inputs: usize,
    /// Variables of floating type.
    pub floats: usize,
    /// Multiplications and divisions.
    pub products: usize,
}

impl Features {
    pub fn of(program: &Program, control_flow: &ControlFlowFacts) -> Features {
        let mut features = Features {
            threads: program.is_concurrent(),
            error_free: true,
            is_settled: program.entry.is_some(),
            replicated_threads: starts_replicated_threads(program),
            recursive: program.procs.keys().filter(|&proc| control_flow.is_recursive(proc)).count(),
            ..Features::default()
        };
        for (proc, procedure) in program.procs.iter() {
            features.loops +=
                procedure.locs.keys().filter(|&loc| control_flow.is_loop_head(proc, loc)).count();
        }
        let mut terms = BTreeSet::new();
        program.for_each_label(|_, label| match &label.op {
            Op::Load { .. } | Op::Store { .. } | Op::Copy { .. } | Op::Fill { .. } => {
                features.memory_accesses += 1;
            }
            Op::Alloc { .. } | Op::Realloc { .. } => features.allocations += 1,
            Op::Call { callee: Callee::Pointer(_), .. } => features.pointer_calls += 1,
            Op::Havoc { .. } => features.inputs += 1,
            Op::Error(_) | Op::Claim(_) => {
                (features.error_free, features.is_settled) = (false, false);
            }
            // The started function may be one outside of the program.
            Op::Unsupported(_) | Op::Start { routine: Callee::Pointer(_), .. } => {
                features.is_settled = false;
            }
            _ => {}
        });
        program.for_each_label(|_, label| {
            for_each_term(&label.op, |term| {
                program.terms.for_each_subterm(term, |part, kind| {
                    if is_product(kind) {
                        terms.insert(part);
                    }
                });
            });
        });
        features.products = terms.len();
        features.floats =
            program.vars.values().filter(|var| matches!(var.sort, Sort::Float(_))).count();
        features
    }

    /// Whether the program can go on for ever: only then there is something to find invariants of.
    pub fn has_cycles(&self) -> bool {
        self.loops > 0 || self.recursive > 0
    }
}

/// Whether a term multiplies or divides: solvers find that hard.
fn is_product(kind: TermKind) -> bool {
    matches!(
        kind,
        TermKind::Binary(
            BinOp::BvMul | BinOp::BvUdiv | BinOp::BvSdiv | BinOp::BvUrem | BinOp::BvSrem,
            ..
        )
    )
}

fn starts_replicated_threads(program: &Program) -> bool {
    let Some(entry) = program.entry else { return false };
    let procedure = &program.procs[entry];
    let cyclic = on_cycles(procedure);
    let mut starts = false;
    for edge in procedure.edges.values().filter(|edge| cyclic.contains(edge.source)) {
        for label in &edge.labels {
            label.walk(&mut |label| starts |= matches!(label.op, Op::Start { .. }));
        }
    }
    starts
}
