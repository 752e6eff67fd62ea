//! Instances: what a variable, an object, a term or a label of the program is in a frame.

use ravelin_base::{PrimaryMap, entity_impl};
use ravelin_cfa::access::{self, for_each_part};
use ravelin_cfa::{Label, ObjectKind, Program, VarKind};
use ravelin_term::{Object, Term, TermKind, TermPool, Var};
use rustc_hash::FxHashMap;

use super::{Role, Space, ThreadRole};

/// A thread, by its name: who started it, where, and as which of those. Main is the first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Thread(u32);
entity_impl!(Thread, "t");

impl Thread {
    pub const MAIN: Thread = Thread(0);

    /// The handle that the program sees, which is never zero.
    pub fn handle(self) -> u128 {
        u128::from(self.0) + 1
    }
}

/// A frame by its place: the thread, and how many of its frames are below.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Activation {
    pub thread: Thread,
    pub depth: u32,
}

impl Activation {
    /// The frame in which the program begins. Its instances are the variables themselves.
    pub const FIRST: Activation = Activation { thread: Thread::MAIN, depth: 0 };

    /// The frame of a procedure that this one calls.
    pub fn above(self) -> Activation {
        Activation { depth: self.depth + 1, ..self }
    }
}

/// Instances of objects.
#[derive(Debug)]
pub(super) struct ObjectInstances {
    /// The program's object behind each object of the analysis.
    pub(super) program_objects: PrimaryMap<Object, Object>,
    by_frame: FxHashMap<(Object, Activation), Object>,
    /// The frames that objects are instances in, if not in the first.
    frames: FxHashMap<Object, Activation>,
}

impl ObjectInstances {
    /// The program's objects keep their numbers.
    pub(super) fn of(program: &Program) -> Self {
        ObjectInstances {
            program_objects: program.objects.keys().collect(),
            by_frame: FxHashMap::default(),
            frames: FxHashMap::default(),
        }
    }

    fn in_frame(&mut self, terms: &mut TermPool, object: Object, of: Activation) -> Object {
        let (objects, frames) = (&mut self.program_objects, &mut self.frames);
        *self.by_frame.entry((object, of)).or_insert_with(|| {
            let instance = objects.push(object);
            frames.insert(instance, of);
            terms.share_alignment(object, instance);
            instance
        })
    }
}

impl Space<'_> {
    /// The program's object that this one is an instance of.
    pub fn program_object(&self, object: Object) -> Object {
        self.objects.program_objects[object]
    }

    /// The program's object of which the one with this number is an instance. Solvers also make up numbers
    /// of objects that do not exist.
    pub fn object_numbered(&self, number: u32) -> Option<Object> {
        let index = number
            .checked_sub(1)
            .filter(|&index| (index as usize) < self.objects.program_objects.len())?;
        Some(self.objects.program_objects[Object::from_u32(index)])
    }

    /// The instance of a variable in a frame.
    pub fn instance(&mut self, var: Var, of: Activation) -> Var {
        let data = &self.program.vars[var];
        let of = match data.kind {
            VarKind::Global { .. } => return var,
            // All frames of a thread share it.
            VarKind::ThreadLocal { .. } => Activation { depth: 0, ..of },
            VarKind::Local(_) => of,
        };
        if of == Activation::FIRST {
            return var;
        }
        self.variable(Role::Program { var, of }, data.sort)
    }

    pub(super) fn object_instance(&mut self, object: Object, of: Activation) -> Object {
        let of = match self.program.objects[object].kind {
            ObjectKind::Global | ObjectKind::Constant | ObjectKind::Function(_) => return object,
            ObjectKind::ThreadLocal => Activation { depth: 0, ..of },
            ObjectKind::Local(_) => of,
        };
        if of == Activation::FIRST {
            return object;
        }
        self.objects.in_frame(&mut self.terms, object, of)
    }

    /// The handle of a thread as a term.
    pub fn handle(&mut self, thread: Thread) -> Term {
        let bits = self.terms.pointer_bits();
        self.terms.bv(bits, thread.handle())
    }

    /// The object of the program that this one is an instance of, and in which frame. None for globals and for
    /// what is allocated.
    pub fn frame_of(&self, object: Object) -> Option<(Object, Activation)> {
        if let Some(of) = self.objects.frames.get(&object) {
            return Some((self.objects.program_objects[object], *of));
        }
        match self.program.objects.get(object)?.kind {
            ObjectKind::Local(_) | ObjectKind::ThreadLocal => Some((object, Activation::FIRST)),
            ObjectKind::Global | ObjectKind::Constant | ObjectKind::Function(_) => None,
        }
    }

    /// A term of the program as a frame sees it.
    pub fn instantiate(&mut self, term: Term, of: Activation) -> Term {
        if of == Activation::FIRST {
            return term;
        }
        let mut terms = std::mem::replace(&mut self.terms, TermPool::new(0));
        let result = terms.replace_leaves(term, |terms, leaf| match leaf {
            TermKind::Var(var) => {
                let instance = self.instance(var, of);
                Some(terms.var(instance, self.variables.vars[instance].sort))
            }
            TermKind::Address(object) => {
                let instance = self.object_instance(object, of);
                Some(terms.address(instance))
            }
            _ => None,
        });
        self.terms = terms;
        if result != term {
            self.origins.insert(result, term);
        }
        result
    }

    /// The threads of whose frames a term speaks, each once, in the order in which it does.
    pub fn threads_in(&self, term: Term) -> Vec<Thread> {
        let mut threads = Vec::new();
        self.terms.for_each_subterm(term, |_, kind| {
            let thread = match kind {
                TermKind::Var(var) => match self.variables.vars[var].role {
                    Role::Program { var: of_program, of } => {
                        (!self.program.is_shared_var(of_program)).then_some(of.thread)
                    }
                    Role::Thread(ThreadRole::Result | ThreadRole::Scratch, thread) => Some(thread),
                    _ => None,
                },
                TermKind::Address(object) => self.objects.frames.get(&object).map(|of| of.thread),
                _ => None,
            };
            if let Some(thread) = thread
                && !threads.contains(&thread)
            {
                threads.push(thread);
            }
        });
        threads
    }

    /// A term with other threads in the place of those of whose frames it speaks.
    pub fn with_threads(&mut self, term: Term, name: impl Fn(Thread) -> Thread) -> Term {
        let mut terms = std::mem::replace(&mut self.terms, TermPool::new(0));
        let result = terms.replace_leaves(term, |terms, leaf| match leaf {
            TermKind::Var(var) => {
                let renamed = match self.variables.vars[var].role {
                    Role::Program { var, of } => {
                        self.instance(var, Activation { thread: name(of.thread), ..of })
                    }
                    Role::Thread(role @ (ThreadRole::Result | ThreadRole::Scratch), thread) => {
                        let role = Role::Thread(role, name(thread));
                        self.variable(role, self.variables.vars[var].sort)
                    }
                    _ => var,
                };
                Some(terms.var(renamed, self.variables.vars[renamed].sort))
            }
            TermKind::Address(object) => {
                let of = *self.objects.frames.get(&object)?;
                let of = Activation { thread: name(of.thread), ..of };
                let instance = self.object_instance(self.objects.program_objects[object], of);
                Some(terms.address(instance))
            }
            _ => None,
        });
        self.terms = terms;
        result
    }

    /// A label of the program as a frame sees it.
    pub fn instantiate_label(&mut self, label: &Label, of: Activation) -> Label {
        let mut label = label.clone();
        if of != Activation::FIRST {
            for_each_part(&mut label.op, &mut |part| match part {
                access::Part::Term(term) => *term = self.instantiate(*term, of),
                access::Part::Dst(var) => *var = self.instance(*var, of),
                access::Part::Object(object) => *object = self.object_instance(*object, of),
                access::Part::Proc(_) => {}
            });
        }
        label
    }
}
