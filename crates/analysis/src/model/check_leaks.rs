//! A count of heap objects, and branches to an error where the program may end with some left.
//!
//! Concrete executions know which objects are left, and whether pointers to them are. The analysis counts: a program whose
//! executions end with no object left loses none, because an object to which no pointer is left is never freed. (Of
//! executions that do not end, `ravelin_por::doubt` speaks.) That objects are left is only a claim: for `valid-memtrack`
//! the replay says whether they are lost.

use ravelin_base::SrcPos;
use ravelin_cfa::{
    AllocKind, Edge, ErrorKind, FreeKind, Label, Op, Proc, Program, Property, VarData, VarKind,
};
use ravelin_term::{BinOp, Sort, Term, Var};

use super::check_memory::{branch, insert_before};

/// Adds the count and the branches if the program is about objects that are left. It wants one label per edge.
pub fn check_leaks(program: &mut Program) {
    let error = if program.checked.contains(Property::ValidMemcleanup) {
        ErrorKind::UnfreedMemory
    } else if program.checked.contains(Property::ValidMemtrack) {
        ErrorKind::LostMemory
    } else {
        return;
    };
    let mut allocates = false;
    program.for_each_label(|_, label| {
        allocates |= matches!(
            label.op,
            Op::Alloc { kind: AllocKind::Heap | AllocKind::HeapZeroed, .. } | Op::Realloc { .. }
        );
    });
    let Some(entry) = program.entry.filter(|_| allocates) else { return };
    let count = counter(program);
    let procs: Vec<Proc> = program.procs.keys().collect();
    for proc in procs {
        let edges: Vec<Edge> = program.procs[proc].edges.keys().collect();
        for edge in edges {
            let [label] = &program.procs[proc].edges[edge].labels[..] else { continue };
            let (op, pos) = (label.op.clone(), label.pos);
            match op {
                Op::Alloc { kind: AllocKind::Heap | AllocKind::HeapZeroed, .. } => {
                    let more = changed(program, count, BinOp::BvAdd);
                    insert_before(program, (proc, edge), assign(count, more, pos));
                }
                Op::Realloc { addr, .. } => {
                    let (same, more) =
                        (program.read(count), changed(program, count, BinOp::BvAdd));
                    let more = if_null(program, addr, more, same);
                    insert_before(program, (proc, edge), assign(count, more, pos));
                }
                Op::Free { addr, kind: FreeKind::Heap } => {
                    let (same, less) =
                        (program.read(count), changed(program, count, BinOp::BvSub));
                    let less = if_null(program, addr, same, less);
                    insert_before(program, (proc, edge), assign(count, less, pos));
                }
                Op::Exit { .. } | Op::Abort => end(program, (proc, edge), count, error, pos),
                Op::Return { .. } if proc == entry => {
                    end(program, (proc, edge), count, error, pos);
                }
                _ => {}
            }
        }
    }
}

/// The variable that counts.
fn counter(program: &mut Program) -> Var {
    let name = program.names.intern("%heap");
    let init = Some(program.terms.bv(32, 0));
    let kind = VarKind::Global { init, atomic: false };
    program.vars.push(VarData { name, sort: Sort::Bv(32), signed: false, kind, pos: SrcPos::NONE })
}

fn changed(program: &mut Program, count: Var, op: BinOp) -> Term {
    let (before, one) = (program.read(count), program.terms.bv(32, 1));
    program.terms.binary(op, before, one)
}

fn if_null(program: &mut Program, addr: Term, then: Term, otherwise: Term) -> Term {
    let null = program.terms.null();
    let is_null = program.terms.eq(addr, null);
    program.terms.ite(is_null, then, otherwise)
}

fn assign(count: Var, value: Term, pos: SrcPos) -> Label {
    Label::new(Op::Assign { dst: count, value }, pos)
}

/// Puts a branch before an edge: to an error if objects are left.
fn end(
    program: &mut Program,
    (proc, edge): (Proc, Edge),
    count: Var,
    error: ErrorKind,
    pos: SrcPos,
) {
    let (left, none) = (program.read(count), program.terms.bv(32, 0));
    let is_none = program.terms.eq(left, none);
    branch(program, (proc, edge), is_none, Label::new(Op::Error(error), pos));
}
