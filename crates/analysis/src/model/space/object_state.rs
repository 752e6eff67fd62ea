//! The size and the life of objects, kept in memories of their own.
//!
//! Beside its bytes, an object has a size and a life. Where the points-to analysis does not say what an `inspect` finds
//! ([`Space::fact_about`]), allocations, deallocations and the borders of scopes write these facts to memory
//! ([`Update::Mark`]), at the start of the object, and `inspect` reads them. Objects that one
//! pointer may lead to are in one *class*; each class has a memory for sizes and one for lives.

use ravelin_base::SecondaryMap;
use ravelin_cfa::{AllocKind, Life, ObjectFact, ObjectKind, Op};
use ravelin_pointsto::{ObjectName, Target, TargetSet, for_each_label};
use ravelin_term::{BinOp, Object, Sort, Term, UnOp, Var};

use super::regions::MemoryRegion;
use super::variables::Variable;
use super::{Role, Space};
use crate::model::control_flow::on_cycles;
use crate::model::statement::Update;

/// The memory of a fact about the objects of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateMemory {
    class: u32,
    fact: ObjectFact,
}

/// The classes of objects.
#[derive(Debug, Default)]
pub(super) struct ObjectStates {
    /// By target; unions lead to the representative of a class.
    parents: SecondaryMap<Target, Option<Target>>,
    /// All objects are in one class: a pointer leads anywhere, or nothing is known of pointers.
    is_one: bool,
    classes: Vec<Class>,
}

#[derive(Clone, Debug)]
struct Class {
    /// None if it has all objects.
    representative: Option<Target>,
    size: Option<Var>,
    life: Option<Var>,
}

impl ObjectStates {
    fn root(&self, mut target: Target) -> Target {
        while let Some(parent) = self.parents[target] {
            target = parent;
        }
        target
    }

    fn unite(&mut self, set: &TargetSet) {
        let mut targets = set.targets();
        let Some(first) = targets.next() else { return };
        for other in targets {
            let (a, b) = (self.root(first), self.root(other));
            if a != b {
                self.parents[b] = Some(a);
            }
        }
    }

    fn class_of(&self, set: &TargetSet) -> Option<&Class> {
        if self.is_one {
            return self.classes.first();
        }
        let root = self.root(set.targets().next()?);
        self.classes.iter().find(|class| class.representative == Some(root))
    }
}

impl Class {
    fn memory(&self, fact: ObjectFact) -> Option<Var> {
        match fact {
            ObjectFact::Size => self.size,
            ObjectFact::Life => self.life,
            ObjectFact::Offset => None,
        }
    }
}

impl Space<'_> {
    /// Makes the memories for the facts that the program asks for.
    pub(super) fn keep_object_states(&mut self) {
        let program = self.program;
        let (mut asked, mut touched) = (Vec::new(), Vec::new());
        program.for_each_label(|_, label| match label.op {
            Op::Inspect { addr, fact: fact @ (ObjectFact::Size | ObjectFact::Life), .. } => {
                asked.push((addr, fact));
            }
            Op::Alloc { dst, .. } => touched.push(dst.into()),
            Op::Realloc { dst, addr, .. } => touched.extend([dst.into(), Pointer::Term(addr)]),
            Op::Free { addr, .. } => touched.push(Pointer::Term(addr)),
            _ => {}
        });
        asked.retain(|&(addr, fact)| self.fact_about(addr, fact).is_none());
        if asked.is_empty() {
            return;
        }
        let mut states = ObjectStates::default();
        let pointers = asked.iter().map(|&(addr, _)| Pointer::Term(addr)).chain(touched);
        for pointer in pointers {
            let set = self.set_of(pointer);
            states.is_one |= set.is_unknown();
            states.unite(&set);
        }
        // How many objects such an allocation made is not known, so that nobody marks all their ends.
        let uncounted: Vec<Target> =
            self.uncounted_arrays().into_iter().map(|target| states.root(target)).collect();
        for (addr, fact) in asked {
            let set = self.pointers(addr);
            // A pointer to no object at all is a class for itself, in which nothing is known.
            let representative = match states.is_one {
                true => None,
                false => match set.targets().next() {
                    Some(target) => Some(states.root(target)),
                    None => continue,
                },
            };
            let is_uncounted = match representative {
                Some(root) => uncounted.contains(&root),
                None => !uncounted.is_empty(),
            };
            if fact == ObjectFact::Life && is_uncounted {
                continue;
            }
            let found = states.classes.iter().position(|it| it.representative == representative);
            let number = found.unwrap_or_else(|| {
                states.classes.push(Class { representative, size: None, life: None });
                states.classes.len() - 1
            });
            let class = &mut states.classes[number];
            let memory = match fact {
                ObjectFact::Size => &mut class.size,
                ObjectFact::Life => &mut class.life,
                ObjectFact::Offset => continue,
            };
            memory.get_or_insert_with(|| {
                let state = StateMemory { class: number as u32, fact };
                let role = Role::Memory(MemoryRegion::State(state));
                self.variables.vars.push(Variable { role, sort: Sort::Mem })
            });
        }
        self.object_states = states;
    }

    /// What is allocated on the stack in loops and ends with the frame, while pointers to it are left.
    fn uncounted_arrays(&self) -> Vec<Target> {
        let Some(points_to) = self.points_to() else { return Vec::new() };
        let mut found = Vec::new();
        for_each_label(self.program, &mut |position, label| {
            let Op::Alloc { kind: AllocKind::Stack, .. } = label.op else { return };
            let procedure = &self.program.procs[position.proc];
            let source = procedure.edges[position.edge].source;
            let target = points_to.target(ObjectName::Allocated(position));
            found.extend(target.filter(|&target| {
                self.lifetimes.dangling.arrays.contains(target)
                    && !self.ends.frees(target)
                    && on_cycles(procedure).contains(source)
            }));
        });
        found
    }

    /// The memories that keep states of objects.
    pub fn state_memories(&self) -> impl Iterator<Item = Var> + '_ {
        self.object_states.classes.iter().flat_map(|class| class.size.into_iter().chain(class.life))
    }

    /// The memory that keeps a fact about the objects that a pointer of a label may lead to.
    pub fn state_memory(&self, pointer: Term, fact: ObjectFact) -> Option<Var> {
        self.object_states.class_of(&self.pointers(pointer))?.memory(fact)
    }

    /// The pointer to the start of the object that a pointer leads to.
    pub fn object_start(&mut self, pointer: Term) -> Term {
        let number = self.terms.unary(UnOp::PtrObject, pointer);
        let zero = self.terms.offset(0);
        self.terms.binary(BinOp::PtrMake, number, zero)
    }

    /// What is written down where an object of `size` bytes is made and `dst` points to it.
    pub fn made(&mut self, dst: Var, size: Term, life: Life) -> Vec<Update> {
        let addr = self.read_var(dst);
        let mut marks = self.marks(addr, addr, ObjectFact::Life, life as u64);
        // A size that is said by means of `dst` has changed by now, and stays open.
        if let Some(memory) = self.state_memory(addr, ObjectFact::Size)
            && !self.terms.vars_of(size).contains(&dst)
        {
            marks.push(Update::Mark { memory, addr, value: size });
        }
        marks
    }

    /// What is written down where the object that `addr` points to ends.
    pub fn ended(&mut self, addr: Term) -> Vec<Update> {
        self.marks(addr, addr, ObjectFact::Life, Life::None as u64)
    }

    /// What is written down where the lifetime of a local object begins.
    pub fn begun(&mut self, object: Object) -> Vec<Update> {
        let (label, addr) = self.addresses(object);
        let size = self.program.objects[self.program_object(object)].size;
        let mut marks = self.marks(label, addr, ObjectFact::Life, Life::Named as u64);
        marks.append(&mut self.marks(label, addr, ObjectFact::Size, size));
        marks
    }

    /// What is written down where the lifetime of a local object ends.
    pub fn over(&mut self, object: Object) -> Vec<Update> {
        let (label, addr) = self.addresses(object);
        self.marks(label, addr, ObjectFact::Life, Life::None as u64)
    }

    /// The address of an object as the program has it, and that of its instance.
    fn addresses(&mut self, object: Object) -> (Term, Term) {
        let of_program = self.program_object(object);
        (self.terms.address(of_program), self.terms.address(object))
    }

    fn marks(&mut self, label: Term, addr: Term, fact: ObjectFact, value: u64) -> Vec<Update> {
        match self.state_memory(label, fact) {
            Some(memory) => {
                vec![Update::Mark { memory, addr, value: self.terms.offset(value) }]
            }
            None => Vec::new(),
        }
    }

    /// What a memory of states holds when the program starts: facts about the objects that there are then, and that
    /// nothing is no object.
    pub(super) fn initial_states(&mut self, state: StateMemory, start: Term) -> Term {
        let (null, none) = (self.terms.null(), self.terms.offset(0));
        let mut memory = self.terms.write(start, null, none);
        for object in self.program.objects.keys() {
            let address = self.terms.address(object);
            let var = self.state_memory(address, state.fact);
            if var.is_some_and(|var| self.role(var) == Role::Memory(MemoryRegion::State(state)))
                && let Some(fact) = self.fact_at_start(object, state.fact)
            {
                let value = self.terms.offset(fact);
                memory = self.terms.write(memory, address, value);
            }
        }
        memory
    }

    /// What a memory of states holds about the object of a number when the program starts.
    pub fn initial_state(&mut self, memory: Var, number: u32) -> Option<Term> {
        let Some(MemoryRegion::State(state)) = self.memory_region(memory) else { return None };
        // An instance that is no object of the program itself begins later.
        let object = Object::from_u32(number.checked_sub(1)?);
        if object != self.object_numbered(number)? {
            return None;
        }
        let fact = self.fact_at_start(object, state.fact)?;
        Some(self.terms.offset(fact))
    }

    fn fact_at_start(&self, object: Object, fact: ObjectFact) -> Option<u64> {
        let data = &self.program.objects[object];
        match (fact, data.kind) {
            (_, ObjectKind::Function(_)) => Some(0),
            // What another file defines has a size of its own.
            (ObjectFact::Size, _) => Some(data.size).filter(|&size| size > 0),
            (_, ObjectKind::Global | ObjectKind::ThreadLocal) => Some(Life::Named as u64),
            (_, ObjectKind::Constant) => Some(Life::Constant as u64),
            (_, ObjectKind::Local(_)) => None,
        }
    }

    fn set_of(&mut self, pointer: Pointer) -> TargetSet {
        match pointer {
            Pointer::Term(term) => self.pointers(term),
            Pointer::Var(var) => {
                let term = self.read_var(var);
                self.pointers(term)
            }
        }
    }
}

/// A pointer that the program computes.
enum Pointer {
    Term(Term),
    Var(Var),
}

impl From<Var> for Pointer {
    fn from(var: Var) -> Pointer {
        Pointer::Var(var)
    }
}

/// The life of what is allocated.
pub fn life_of(kind: AllocKind) -> Life {
    match kind {
        AllocKind::Heap | AllocKind::HeapZeroed => Life::Heap,
        AllocKind::Stack => Life::Named,
    }
}
