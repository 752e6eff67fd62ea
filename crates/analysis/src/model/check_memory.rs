//! Claims of an error before each access to memory, deallocation and call through a pointer that may be invalid.
//!
//! Concrete executions detect these errors by themselves, and go on behind a claim; the analysis goes on after an invalid
//! access as if it had read or written something. This pass makes a condition of what the access needs, over what `inspect`
//! says of the object: its size, its life, and the offset of the pointer. Points-to sets decide some conditions here.
//!
//! It changes no execution up to its first error.

use ravelin_base::{Budget, SrcPos};
use ravelin_cfa::flow::locals::Locals;
use ravelin_cfa::sync::SyncArg;
use ravelin_cfa::{
    Callee, Edge, ErrorKind, FreeKind, Label, Life, Object, ObjectFact, ObjectKind, Op, Proc,
    Program, Property, VarData, VarKind, ops,
};
use ravelin_pointsto::{ObjectName, Offset, PointsTo, Target, TargetSet};
use ravelin_por::ProgramFacts;
use ravelin_term::{BinOp, Sort, Term, TermKind};

use crate::model::space::{Dangling, Ends};

/// How many conditions there are, and how many of them points-to sets decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryChecks {
    pub all: usize,
    pub decided: usize,
}

/// Adds the claims for the properties that the program is about. It wants one label per edge, and runs before accesses
/// are split: what it inspects may be shared.
pub fn check_memory(program: &mut Program) -> MemoryChecks {
    let mut done = MemoryChecks::default();
    let memory = [Property::ValidDeref, Property::ValidFree];
    if !memory.iter().any(|&property| program.checked.contains(property)) {
        return done;
    }
    let mut found = Vec::new();
    {
        let facts = ProgramFacts::new(program, Budget::unlimited());
        let points_to = facts.points_to().ok().map(|points_to| &**points_to);
        let known = Known::of(program, points_to);
        for (proc, procedure) in program.procs.iter() {
            for (edge, data) in procedure.edges.iter() {
                for label in &data.labels {
                    for need in needs(program, &label.op) {
                        done.all += 1;
                        let is_decided = known.holds(need);
                        done.decided += usize::from(is_decided);
                        if !is_decided {
                            found.push(Open {
                                proc,
                                edge,
                                need,
                                life: known.life(need),
                                pos: label.pos,
                            });
                        }
                    }
                }
            }
        }
    }
    // Each is put directly before the operation, behind those that came before.
    for Open { proc, edge, need, life, pos } in found {
        let functions = program.objects.iter().filter_map(|(object, data)| match data.kind {
            ObjectKind::Function(_) => Some(object),
            _ => None,
        });
        let functions: Vec<Object> = functions.collect();
        let mut check = Check { program, proc, pos, before: Vec::new() };
        let holds = check.condition(need, life, &functions);
        let Check { before, .. } = check;
        for label in before {
            insert_before(program, (proc, edge), label);
        }
        branch(program, (proc, edge), holds, Label::new(Op::Claim(need.error()), pos));
    }
    done
}

/// A need of which points-to sets do not say that it holds.
struct Open {
    proc: Proc,
    edge: Edge,
    need: Need,
    /// The life of the object at the address, if there is one object and its life stays the same.
    life: Option<Life>,
    pos: SrcPos,
}

/// What an operation needs.
#[derive(Clone, Copy, Debug)]
enum Need {
    /// So many bytes at the address, to be read or written. None need not be there.
    Bytes { addr: Term, bytes: Length, writes: bool },
    /// A heap object that begins at the address, or null.
    Block { addr: Term },
    /// A function at the address.
    Function { addr: Term },
}

#[derive(Clone, Copy, Debug)]
enum Length {
    Constant(u64),
    /// Of pointer width.
    Term(Term),
}

impl Need {
    fn error(self) -> ErrorKind {
        match self {
            Need::Bytes { .. } | Need::Function { .. } => ErrorKind::InvalidAccess,
            Need::Block { .. } => ErrorKind::InvalidFree,
        }
    }
}

/// What an operation needs, as far as the program is about it.
fn needs(program: &Program, op: &Op) -> Vec<Need> {
    let length = |sort: Sort| Length::Constant(program.bytes_of(sort).unwrap_or(1));
    let mut needs = match *op {
        Op::Load { dst, addr, .. } => {
            vec![Need::Bytes { addr, bytes: length(program.vars[dst].sort), writes: false }]
        }
        Op::Store { addr, value, .. } => {
            vec![Need::Bytes { addr, bytes: length(program.terms.sort(value)), writes: true }]
        }
        Op::Sync { op, ref args, .. } => {
            let objects = args.iter().zip(op.info().args).filter(|(_, kind)| match kind {
                SyncArg::Object => true,
                SyncArg::Number => false,
            });
            let bytes = Length::Constant(1);
            objects.map(|(&addr, _)| Need::Bytes { addr, bytes, writes: true }).collect()
        }
        Op::Copy { dst, src, size } => vec![
            Need::Bytes { addr: src, bytes: Length::Term(size), writes: false },
            Need::Bytes { addr: dst, bytes: Length::Term(size), writes: true },
        ],
        Op::Fill { dst, size, .. } => {
            vec![Need::Bytes { addr: dst, bytes: Length::Term(size), writes: true }]
        }
        Op::Free { addr, kind: FreeKind::Heap } | Op::Realloc { addr, .. } => {
            vec![Need::Block { addr }]
        }
        Op::Call { callee: Callee::Pointer(addr), .. }
        | Op::Start { routine: Callee::Pointer(addr), .. } => vec![Need::Function { addr }],
        // What functions without body access, and what is printed, is another matter (`ravelin_por::doubt`).
        ops!(data, scope, thread, section, remark, end)
        | Op::Claim(_)
        | Op::HavocMemory { .. }
        | Op::Alloc { .. }
        | Op::Free { kind: FreeKind::Array, .. }
        | Op::Inspect { .. }
        | Op::Call { .. }
        | Op::Return { .. }
        | Op::Choice(_) => Vec::new(),
    };
    needs.retain(|need| program.checked.contains(need.error().property()));
    needs
}

/// What points-to sets say.
struct Known<'p> {
    program: &'p Program,
    points_to: Option<&'p PointsTo>,
    dangling: Dangling,
    ends: Ends,
}

impl<'p> Known<'p> {
    fn of(program: &'p Program, points_to: Option<&'p PointsTo>) -> Self {
        let dangling = Dangling::of(program, &Locals::of(program), points_to);
        Known { program, points_to, dangling, ends: Ends::of(program, points_to) }
    }

    /// The places that a pointer may be; `None` if it may be something else.
    fn places(&self, pointer: Term) -> Option<(TargetSet, &'p PointsTo)> {
        let points_to = self.points_to?;
        let set = points_to.of_term(self.program, pointer);
        (set.flags().is_empty() && !set.places().is_empty()).then_some((set, points_to))
    }

    /// Whether each operation that needs this has it.
    fn holds(&self, need: Need) -> bool {
        match need {
            Need::Bytes { addr, bytes, writes } => self.has_bytes(addr, bytes, writes),
            // A block that is freed may have been freed before.
            Need::Block { addr } => self.program.terms.kind(addr) == TermKind::Null,
            Need::Function { addr } => self.places(addr).is_some_and(|(set, points_to)| {
                set.places().iter().all(|&(target, offset)| {
                    offset == Offset::ZERO
                        && matches!(points_to.name(target), ObjectName::Object(object)
                            if matches!(self.program.objects[object].kind, ObjectKind::Function(_)))
                })
            }),
        }
    }

    /// The least life of the objects that accessed bytes may be in, if all stay as they are. That there may be no object
    /// is a matter of the size.
    fn life(&self, need: Need) -> Option<Life> {
        let Need::Bytes { addr, .. } = need else { return None };
        let points_to = self.points_to?;
        let set = points_to.of_term(self.program, addr);
        if set.is_open() || set.places().is_empty() {
            return None;
        }
        let lives = set.targets().map(|target| {
            let object = (target, points_to.name(target));
            self.ends.lasting_life(self.program, &self.dangling, object)
        });
        lives.min().flatten()
    }

    fn has_bytes(&self, addr: Term, bytes: Length, writes: bool) -> bool {
        let bytes = match bytes {
            Length::Constant(bytes) => Some(bytes),
            Length::Term(term) => {
                self.program.terms.as_bv(term).and_then(|bytes| u64::try_from(bytes).ok())
            }
        };
        let Some(bytes) = bytes else { return false };
        if bytes == 0 {
            return true;
        }
        self.places(addr).is_some_and(|(set, points_to)| {
            set.places().iter().all(|&(target, offset)| {
                let size = self.size(points_to, target);
                let at = offset.as_exact().and_then(|at| u64::try_from(at).ok());
                let is_inside = size
                    .zip(at)
                    .is_some_and(|(size, at)| at.checked_add(bytes).is_some_and(|end| end <= size));
                let object = (target, points_to.name(target));
                let life = self.ends.lasting_life(self.program, &self.dangling, object);
                let least = if writes { Life::Named } else { Life::Constant };
                is_inside && life.is_some_and(|life| life >= least)
            })
        })
    }

    fn size(&self, points_to: &PointsTo, target: Target) -> Option<u64> {
        match points_to.name(target) {
            ObjectName::Object(object) => Some(self.program.objects[object].size),
            ObjectName::Allocated(_) | ObjectName::OfSize(_) => points_to.size(target),
        }
    }
}

/// The condition of a need in the making.
struct Check<'a> {
    program: &'a mut Program,
    proc: Proc,
    pos: SrcPos,
    /// What is inspected for it.
    before: Vec<Label>,
}

impl Check<'_> {
    fn condition(&mut self, need: Need, life: Option<Life>, functions: &[Object]) -> Term {
        match need {
            Need::Bytes { addr, bytes, writes } => self.bytes(addr, bytes, writes, life),
            Need::Block { addr } => {
                let life = self.inspect(addr, ObjectFact::Life);
                let offset = self.inspect(addr, ObjectFact::Offset);
                let terms = &mut self.program.terms;
                let (heap, start, null) =
                    (terms.offset(Life::Heap as u64), terms.offset(0), terms.null());
                let (is_heap, is_start) = (terms.eq(life, heap), terms.eq(offset, start));
                let (is_block, is_null) = (terms.and(is_heap, is_start), terms.eq(addr, null));
                terms.or(is_null, is_block)
            }
            Need::Function { addr } => {
                let terms = &mut self.program.terms;
                let mut holds = terms.bool(false);
                for &function in functions {
                    let function = terms.address(function);
                    let is_it = terms.eq(addr, function);
                    holds = terms.or(holds, is_it);
                }
                holds
            }
        }
    }

    fn bytes(&mut self, addr: Term, bytes: Length, writes: bool, life: Option<Life>) -> Term {
        let size = self.inspect(addr, ObjectFact::Size);
        let offset = self.inspect(addr, ObjectFact::Offset);
        let life = match life {
            Some(life) => self.program.terms.offset(life as u64),
            None => self.inspect(addr, ObjectFact::Life),
        };
        let terms = &mut self.program.terms;
        let least = terms.offset(if writes { Life::Named } else { Life::Constant } as u64);
        let is_alive = terms.binary(BinOp::BvUle, least, life);
        let (length, may_be_none) = match bytes {
            Length::Constant(bytes) => (terms.offset(bytes), false),
            Length::Term(term) => (term, true),
        };
        let fits = terms.binary(BinOp::BvUle, length, size);
        let last = terms.binary(BinOp::BvSub, size, length);
        let is_inside = terms.binary(BinOp::BvUle, offset, last);
        let is_inside = terms.and(fits, is_inside);
        let holds = terms.and(is_alive, is_inside);
        if !may_be_none {
            return holds;
        }
        let none = terms.offset(0);
        let is_none = terms.eq(length, none);
        terms.or(is_none, holds)
    }

    /// A fact about the object of a pointer, in a variable of its own.
    fn inspect(&mut self, addr: Term, fact: ObjectFact) -> Term {
        let name = self.program.names.intern(&format!("%{}", fact.name()));
        let sort = Sort::Bv(self.program.terms.pointer_bits());
        let kind = VarKind::Local(self.proc);
        let data = VarData { name, sort, signed: false, kind, pos: self.pos };
        let dst = self.program.vars.push(data);
        self.before.push(Label::new(Op::Inspect { dst, addr, fact }, self.pos));
        self.program.read(dst)
    }
}

/// Puts a label before an edge.
pub(super) fn insert_before(program: &mut Program, (proc, edge): (Proc, Edge), label: Label) {
    let procedure = &mut program.procs[proc];
    let (source, between) = (procedure.edges[edge].source, procedure.add_loc());
    procedure.locs[source].out.retain(|out| *out != edge);
    procedure.add_edge(source, between, [label]);
    procedure.edges[edge].source = between;
    procedure.locs[between].out.push(edge);
}

/// Puts a branch before an edge: to a claim where the condition does not hold.
fn branch(program: &mut Program, (proc, edge): (Proc, Edge), holds: Term, claim: Label) {
    let (fails, pos) = (program.terms.not(holds), claim.pos);
    let from = program.procs[proc].edges[edge].source;
    insert_before(program, (proc, edge), Label::new(Op::Assume(holds), pos));
    let procedure = &mut program.procs[proc];
    let (good, bad) = (procedure.edges[edge].source, procedure.add_loc());
    procedure.add_edge(from, bad, [Label::new(Op::Assume(fails), pos)]);
    procedure.add_edge(bad, good, [claim]);
}
