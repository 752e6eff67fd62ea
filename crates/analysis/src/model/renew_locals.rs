//! A local object that begins again is a new object, and pointers to the one before do not lead to it (C11 6.2.4).
//! In the analysis a local is the same object whenever its frame is at the same place. Where pointers may be left to
//! it, this pass allocates it on the stack instead, since each allocation gives another object.
//!
//! It changes no execution: `alloca` gives a new object of indeterminate contents, as the beginning of a block does,
//! and the array is ended where the block ends. An alignment beyond that of the stack is assumed of the new address.

use ravelin_base::{Budget, EntitySet, SecondaryMap, SrcPos};
use ravelin_cfa::access::{Part, for_each_part};
use ravelin_cfa::flow::locals::Locals;
use ravelin_cfa::{
    AllocKind, Callee, FreeKind, Label, Object, ObjectData, ObjectKind, Op, Proc, Procedure,
    Program, VarData, VarKind,
};
use ravelin_por::ProgramFacts;
use ravelin_term::{BinOp, Sort, TermKind, UnOp, Var};
use rustc_hash::FxHashMap;

use crate::model::control_flow::on_cycles;
use crate::model::space::{Dangling, exposed};

/// Allocates the local objects that begin more than once and to which pointers may be left. It wants one label per edge,
/// and runs before accesses are split: the end of such an object is an access.
pub fn renew_locals(program: &mut Program) {
    let again = begun_again(program);
    if again.is_empty() {
        return;
    }
    let facts = ProgramFacts::new(program, Budget::unlimited());
    let points_to = facts.points_to().ok().map(|points_to| &**points_to);
    let dangling = Dangling::of(program, &Locals::of(program), points_to);
    let mut of_proc: SecondaryMap<Proc, Vec<Object>> = SecondaryMap::new();
    for object in again.iter().filter(|&object| dangling.objects.contains(object)) {
        if let ObjectKind::Local(proc) = program.objects[object].kind {
            of_proc[proc].push(object);
        }
    }
    for proc in program.procs.keys() {
        if !of_proc[proc].is_empty() {
            allocate(program, proc, &of_proc[proc]);
        }
    }
    // Terms take all that is allocated for aligned alike, and locals promise less than `malloc` does.
    let renewed = of_proc.values().flatten().map(|&object| program.alignment(object));
    let least = renewed.chain([program.terms.made_alignment()]).min().unwrap_or(1);
    program.terms.set_made_alignment(least);
}

/// The local objects whose addresses are kept somewhere and that begin more than once in the same frame, or in a frame
/// at the same place.
fn begun_again(program: &Program) -> EntitySet<Object> {
    let exposed = exposed(program);
    let called = called(program);
    let mut again = EntitySet::new();
    for (proc, procedure) in program.procs.iter() {
        let begins = procedure.edges.values().any(|edge| {
            edge.labels.iter().any(|label| match label.op {
                Op::ScopeBegin(object) => exposed.contains(object),
                _ => false,
            })
        });
        if !begins {
            continue;
        }
        let cyclic = on_cycles(procedure);
        let mut begun = EntitySet::new();
        for edge in procedure.edges.values() {
            for label in &edge.labels {
                if let Op::ScopeBegin(object) = label.op
                    && exposed.contains(object)
                    && (called.contains(proc)
                        || cyclic.contains(edge.source)
                        || !begun.insert(object))
                {
                    again.insert(object);
                }
            }
        }
    }
    again
}

/// The procedures that have frames above others'. Those of the entry and of threads' routines are first in their threads.
fn called(program: &Program) -> EntitySet<Proc> {
    let mut called = EntitySet::new();
    program.for_each_label(|_, label| {
        if let Op::Call { callee, .. } = &label.op {
            match callee {
                Callee::Direct(proc) => {
                    called.insert(*proc);
                }
                Callee::Pointer(_) => {
                    called.extend(program.objects.values().filter_map(|data| match data.kind {
                        ObjectKind::Function(proc) => Some(proc),
                        _ => None,
                    }));
                }
            }
        }
    });
    called
}

/// Makes these objects of a procedure allocations. Their pointers are null outside of their blocks.
fn allocate(program: &mut Program, proc: Proc, objects: &[Object]) {
    let pointers: FxHashMap<Object, Var> = objects
        .iter()
        .map(|&object| {
            let ObjectData { name, pos, .. } = program.objects[object];
            let kind = VarKind::Local(proc);
            let data = VarData { name, sort: Sort::Ptr, signed: false, kind, pos };
            (object, program.vars.push(data))
        })
        .collect();
    let empty = Procedure::new(program.procs[proc].name, program.procs[proc].pos);
    let mut procedure = std::mem::replace(&mut program.procs[proc], empty);
    for object in objects {
        let entry = procedure.add_loc();
        let label = nowhere(program, pointers[object], program.objects[*object].pos);
        procedure.add_edge(entry, procedure.entry, [label]);
        procedure.entry = entry;
    }
    let edges: Vec<_> = procedure.edges.keys().collect();
    for edge in edges {
        let mut after = None;
        for label in &mut procedure.edges[edge].labels {
            let pointer = match label.op {
                Op::ScopeBegin(object) | Op::ScopeEnd(object) => pointers.get(&object).copied(),
                _ => None,
            };
            match (pointer, &mut label.op) {
                (Some(dst), Op::ScopeBegin(object)) => {
                    let (size, align) = (program.objects[*object].size, program.alignment(*object));
                    let size = program.terms.offset(size);
                    label.op = Op::Alloc { dst, size, kind: AllocKind::Stack };
                    after = (align > STACK_ALIGN).then(|| aligned(program, dst, align, label.pos));
                }
                (Some(pointer), _) => {
                    let addr = program.read(pointer);
                    label.op = Op::Free { addr, kind: FreeKind::Array };
                    after = Some(nowhere(program, pointer, label.pos));
                }
                (None, op) => for_each_part(op, &mut |part| {
                    if let Part::Term(term) = part {
                        *term = program.terms.replace_leaves(*term, |terms, leaf| match leaf {
                            TermKind::Address(object) => {
                                pointers.get(&object).map(|&var| terms.var(var, Sort::Ptr))
                            }
                            _ => None,
                        });
                    }
                }),
            }
        }
        if let Some(label) = after {
            let (target, between) = (procedure.edges[edge].target, procedure.add_loc());
            procedure.edges[edge].target = between;
            procedure.add_edge(between, target, [label]);
        }
    }
    program.procs[proc] = procedure;
}

/// Executions put what is allocated on the stack at multiples of this, as gcc does. What asks for more must be given it.
const STACK_ALIGN: u32 = 16;

/// The pointer is a multiple of this.
fn aligned(program: &mut Program, pointer: Var, align: u32, pos: SrcPos) -> Label {
    let pointer = program.read(pointer);
    let terms = &mut program.terms;
    let (address, mask) =
        (terms.unary(UnOp::PtrToInt, pointer), terms.offset(u64::from(align) - 1));
    let (rest, zero) = (terms.binary(BinOp::BvAnd, address, mask), terms.offset(0));
    Label::new(Op::Assume(terms.eq(rest, zero)), pos)
}

/// The pointer leads nowhere from here on.
fn nowhere(program: &mut Program, pointer: Var, pos: SrcPos) -> Label {
    Label::new(Op::Assign { dst: pointer, value: program.terms.null() }, pos)
}
