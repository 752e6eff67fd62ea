//! The accesses that other threads may observe, in a program with several threads.
//!
//! A location is shared if it is a global variable or memory that a pointer of another thread may
//! reach. A local or thread-local object is private as long as its address is used only for direct
//! accesses; constants never change, so reading them is private too. All other memory counts as
//! shared here; the points-to analysis is more precise.

use ravelin_base::{EntitySet, SecondaryMap};
use ravelin_term::{BinOp, Object, Term, TermKind, TermPool, Var, term_kinds};

use crate::access::{Access, for_each_access};
use crate::model::{ObjectKind, Program};
use crate::op::{AllocKind, FreeKind, Label, Op};

/// The shared variables that a term reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SharedReads {
    #[default]
    None,
    One(Var),
    Several,
}

impl SharedReads {
    fn join(self, other: SharedReads) -> SharedReads {
        match (self, other) {
            (SharedReads::None, reads) | (reads, SharedReads::None) => reads,
            (SharedReads::One(a), SharedReads::One(b)) if a == b => self,
            (SharedReads::One(_) | SharedReads::Several, _) => SharedReads::Several,
        }
    }
}

/// The shared locations of one program; valid as long as it does not change.
#[derive(Debug)]
pub struct Sharing {
    reads: SecondaryMap<Term, SharedReads>,
    private: EntitySet<Object>,
}

impl Sharing {
    /// Visits every term and every label once.
    pub fn of(program: &Program) -> Sharing {
        Sharing { reads: shared_reads(program), private: private_objects(program) }
    }

    /// The shared variables that `term` reads.
    pub fn reads(&self, term: Term) -> SharedReads {
        self.reads[term]
    }

    /// Whether only the running thread can reach what `address` points to.
    pub fn is_private(&self, program: &Program, address: Term) -> bool {
        match base_object(&program.terms, address) {
            Some(object) => self.private.contains(object),
            None => false,
        }
    }

    /// Whether the bytes at `address` never change.
    pub fn is_constant(&self, program: &Program, address: Term) -> bool {
        base_object(&program.terms, address)
            .is_some_and(|object| program.objects[object].kind == ObjectKind::Constant)
    }

    /// Whether another thread may observe that the operation happened, other than by the thread's
    /// or the program's end: it writes something shared, or acts on threads or their
    /// synchronisation.
    pub fn is_visible(&self, program: &Program, op: &Op) -> bool {
        if let Op::Choice(branches) = op {
            return branches.iter().flatten().any(|label| self.is_visible(program, &label.op));
        }
        let mut visible = is_left(program, op);
        for_each_access(op, &mut |access| {
            visible |= match access {
                Access::Evaluate(_) | Access::ReadMemory(_) | Access::Enter(_) => false,
                Access::Assign(var) => program.is_shared_var(var),
                Access::WriteMemory(address) | Access::FreeMemory(address) => {
                    !self.is_private(program, address)
                }
                Access::ReachMemory(pointer) => {
                    matches!(op, Op::HavocMemory { .. }) && !self.is_private(program, pointer)
                }
                Access::Lifetime(object) => !self.private.contains(object),
                // No other thread runs until the atomic section ends.
                Access::Atomic => !matches!(op, Op::AtomicBegin),
                Access::Sync(..) | Access::Join(_) | Access::Start => true,
            };
        });
        visible
    }

    /// How many shared locations these labels touch on the path that touches most; stops counting
    /// at two. A read and a write of one variable count as two: another thread may move in between.
    pub fn count(&self, program: &Program, labels: &[Label]) -> usize {
        labels.iter().map(|label| self.count_op(program, &label.op)).sum::<usize>().min(2)
    }

    /// As [`Sharing::count`], for one operation. Bulk operations on memory count once: their length
    /// is a term, so no pass can split them. Starting and joining threads counts as an access. A
    /// call whose result is assigned to a global counts as two.
    pub fn count_op(&self, program: &Program, op: &Op) -> usize {
        if let Op::Choice(branches) = op {
            let counts = branches.iter().map(|branch| self.count(program, branch));
            return counts.max().unwrap_or(0);
        }
        let (mut reads, mut others, mut memory) = (SharedReads::None, 0, false);
        for_each_access(op, &mut |access| match access {
            Access::Evaluate(term) => reads = reads.join(self.reads[term]),
            Access::Assign(var) => others += usize::from(program.is_shared_var(var)),
            Access::ReadMemory(address) => {
                memory |= !self.is_private(program, address) && !self.is_constant(program, address);
            }
            Access::WriteMemory(address) | Access::FreeMemory(address) => {
                memory |= !self.is_private(program, address);
            }
            Access::ReachMemory(pointer) => {
                // Output has no effect in the program; its reads do not matter.
                memory |=
                    matches!(op, Op::HavocMemory { .. }) && !self.is_private(program, pointer);
            }
            Access::Lifetime(object) => memory |= !self.private.contains(object),
            Access::Sync(..) | Access::Join(_) | Access::Start => memory = true,
            Access::Atomic | Access::Enter(_) => {}
        });
        // Another thread may end the program between an allocation and the deallocation.
        memory |= is_left(program, op) && others == 0;
        // The returning step reads the result, so it must not also write a global.
        if matches!(op, Op::Call { .. }) && others > 0 {
            return 2;
        }
        let reads = match reads {
            SharedReads::None => 0,
            SharedReads::One(_) => 1,
            SharedReads::Several => 2,
        };
        (reads + others + usize::from(memory)).min(2)
    }
}

/// Whether the operation decides what is left when another thread ends the program, and that matters.
fn is_left(program: &Program, op: &Op) -> bool {
    program.checks_leaks()
        && matches!(
            op,
            Op::Alloc { kind: AllocKind::Heap | AllocKind::HeapZeroed, .. }
                | Op::Free { kind: FreeKind::Heap, .. }
                | Op::Realloc { .. }
        )
}

/// The object of `address`, if the term shows it.
pub fn base_object(terms: &TermPool, mut address: Term) -> Option<Object> {
    loop {
        match terms.kind(address) {
            TermKind::Address(object) => return Some(object),
            TermKind::Binary(BinOp::PtrAdd, base, _) => address = base,
            term_kinds!(constants, inner) | TermKind::Var(_) => return None,
        }
    }
}

fn shared_reads(program: &Program) -> SecondaryMap<Term, SharedReads> {
    let terms = &program.terms;
    let mut reads = SecondaryMap::with_capacity(terms.len());
    // Subterms are older than their parents.
    for term in terms.iter() {
        let joined = match terms.kind(term) {
            TermKind::Var(var) if program.is_shared_var(var) => SharedReads::One(var),
            _ => terms.children(term).fold(SharedReads::None, |all, child| all.join(reads[child])),
        };
        if joined != SharedReads::None {
            reads[term] = joined;
        }
    }
    reads
}

fn private_objects(program: &Program) -> EntitySet<Object> {
    let mut private = EntitySet::with_capacity(program.objects.len());
    for (object, data) in program.objects.iter() {
        match data.kind {
            ObjectKind::Local(_) | ObjectKind::ThreadLocal => {
                private.insert(object);
            }
            ObjectKind::Global | ObjectKind::Constant | ObjectKind::Function(_) => {}
        }
    }
    if private.is_empty() {
        return private;
    }
    let mut escape =
        Escape { terms: &program.terms, seen: EntitySet::new(), work: Vec::new(), private };
    program.for_each_label(|_, label| match &label.op {
        Op::Load { dst: _, addr, order: _ } => escape.visit_address(*addr),
        Op::Store { addr, value, order: _ } => {
            escape.visit_address(*addr);
            escape.visit_value(*value);
        }
        Op::Copy { dst, src, size } => {
            escape.visit_address(*dst);
            escape.visit_address(*src);
            escape.visit_value(*size);
        }
        Op::Fill { dst, byte, size } => {
            escape.visit_address(*dst);
            escape.visit_value(*byte);
            escape.visit_value(*size);
        }
        op => for_each_access(op, &mut |access| {
            if let Access::Evaluate(term) = access {
                escape.visit_value(term);
            }
        }),
    });
    escape.private
}

struct Escape<'a> {
    terms: &'a TermPool,
    seen: EntitySet<Term>,
    work: Vec<Term>,
    private: EntitySet<Object>,
}

impl Escape<'_> {
    /// An address that is only accessed: its object stays private, but values in its offset escape.
    fn visit_address(&mut self, mut address: Term) {
        while let TermKind::Binary(BinOp::PtrAdd, base, offset) = self.terms.kind(address) {
            self.visit_value(offset);
            address = base;
        }
        if !matches!(self.terms.kind(address), TermKind::Address(_)) {
            self.visit_value(address);
        }
    }

    /// A value may go anywhere, so the objects it points to are no longer private.
    fn visit_value(&mut self, value: Term) {
        self.work.push(value);
        while let Some(term) = self.work.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            if let TermKind::Address(object) = self.terms.kind(term) {
                self.private.remove(object);
            }
            self.work.extend(self.terms.children(term));
        }
    }
}
