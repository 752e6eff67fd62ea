//! A count of heap objects, and claims of an error where the program may end with some left.
//!
//! Concrete executions know which objects are left, and whether pointers to them are. The analysis counts: a program whose
//! executions end with no object left loses none, because an object to which no pointer is left is never freed. A loop that
//! has no way out gets a claim at its entry. (That loops with a way out end is assumption A34.) That objects are left is
//! only a claim: for `valid-memtrack` the replay says whether they are lost.

use ravelin_base::{EntitySet, SrcPos};
use ravelin_cfa::{
    AllocKind, Edge, ErrorKind, FreeKind, Label, Loc, Op, Proc, Procedure, Program, Property,
    VarData, VarKind,
};
use ravelin_term::{BinOp, Sort, Term, Var};

use super::check_memory::insert_before;

/// Adds the count and the claims if the program is about objects that are left. It wants one label per edge.
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
    for &proc in &procs {
        claim_before_endless_loops(program, proc, count, error);
    }
    for proc in procs {
        let edges: Vec<Edge> = program.procs[proc].edges.keys().collect();
        for edge in edges {
            let [label] = &program.procs[proc].edges[edge].labels[..] else { continue };
            let (op, pos) = (label.op.clone(), label.pos);
            match op {
                Op::Alloc { kind: AllocKind::Heap | AllocKind::HeapZeroed, .. } => {
                    let more = changed(program, count, BinOp::BvAdd);
                    assign(program, (proc, edge), count, more, pos);
                }
                Op::Realloc { addr, .. } => {
                    let (same, more) = (program.read(count), changed(program, count, BinOp::BvAdd));
                    let more = if_null(program, addr, more, same);
                    assign(program, (proc, edge), count, more, pos);
                }
                Op::Free { addr, kind: FreeKind::Heap } => {
                    let (same, less) = (program.read(count), changed(program, count, BinOp::BvSub));
                    let less = if_null(program, addr, same, less);
                    assign(program, (proc, edge), count, less, pos);
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

/// Changes the count before an edge, in one step: threads share it.
fn assign(program: &mut Program, at: (Proc, Edge), count: Var, value: Term, pos: SrcPos) {
    let is_shared = program.is_concurrent();
    let mut insert = |op: Op| insert_before(program, at, Label::new(op, pos));
    if is_shared {
        insert(Op::AtomicBegin);
    }
    insert(Op::Assign { dst: count, value });
    if is_shared {
        insert(Op::AtomicEnd);
    }
}

/// Puts a claim where a procedure enters a loop that leads nowhere else: what is lost there is seen at no end. In a loop that
/// may allocate it is unconditional.
fn claim_before_endless_loops(program: &mut Program, proc: Proc, count: Var, error: ErrorKind) {
    let procedure = &program.procs[proc];
    let leaves = leads_to_exit(procedure);
    let entered = procedure.edges.iter().filter(|(_, edge)| {
        !leaves.contains(edge.target)
            && (leaves.contains(edge.source) || edge.source == procedure.entry)
    });
    let entered: Vec<Edge> = entered.map(|(edge, _)| edge).collect();
    let may_allocate = procedure.edges.values().any(|edge| {
        !leaves.contains(edge.source)
            && edge.labels.iter().any(|label| {
                matches!(
                    label.op,
                    Op::Alloc { .. } | Op::Realloc { .. } | Op::Call { .. } | Op::Start { .. }
                )
            })
    });
    let none_left = match may_allocate {
        true => program.terms.bool(false),
        false => {
            let (left, none) = (program.read(count), program.terms.bv(32, 0));
            program.terms.eq(left, none)
        }
    };
    let some_left = program.terms.not(none_left);
    for edge in entered {
        let procedure = &mut program.procs[proc];
        let pos = procedure.edges[edge].labels.first().map_or(procedure.pos, |label| label.pos);
        let target = procedure.edges[edge].target;
        let (before, claimed) = (procedure.add_loc(), procedure.add_loc());
        procedure.edges[edge].target = before;
        procedure.add_edge(before, target, [Label::new(Op::Assume(none_left), pos)]);
        procedure.add_edge(before, claimed, [Label::new(Op::Assume(some_left), pos)]);
        procedure.add_edge(claimed, target, [Label::new(Op::Claim(error), pos)]);
    }
}

/// The locations from which the exit can be reached.
fn leads_to_exit(procedure: &Procedure) -> EntitySet<Loc> {
    let incoming = procedure.incoming();
    let mut leaves = EntitySet::new();
    let mut work = vec![procedure.exit];
    while let Some(loc) = work.pop() {
        if leaves.insert(loc) {
            work.extend(incoming[loc].iter().map(|&edge| procedure.edges[edge].source));
        }
    }
    leaves
}

/// Puts a branch before an edge that ends the program: to a claim if objects are left, and then to the same end.
fn end(
    program: &mut Program,
    (proc, edge): (Proc, Edge),
    count: Var,
    error: ErrorKind,
    pos: SrcPos,
) {
    let (left, none) = (program.read(count), program.terms.bv(32, 0));
    let is_none = program.terms.eq(left, none);
    let is_left = program.terms.not(is_none);
    let from = program.procs[proc].edges[edge].source;
    insert_before(program, (proc, edge), Label::new(Op::Assume(is_none), pos));
    let procedure = &mut program.procs[proc];
    let (claimed, over) = (procedure.add_loc(), procedure.add_loc());
    procedure.add_edge(from, claimed, [Label::new(Op::Assume(is_left), pos)]);
    procedure.add_edge(claimed, over, [Label::new(Op::Claim(error), pos)]);
    let (target, labels) = (procedure.edges[edge].target, procedure.edges[edge].labels.clone());
    procedure.add_edge(over, target, labels);
}
