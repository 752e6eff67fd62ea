//! The variables and objects that analyses speak of: *instances*.
//!
//! A local of a recursive procedure has an instance in every frame, and a predicate or a value
//! belongs to one of them; taking two for one would be unsound. The locals of the first frame and
//! the globals are their own instances, so a program without calls left needs no renaming at all.

mod contents;
mod dangling;
mod inspected;
mod parts;
mod strengthen;

use std::rc::Rc;

use ravelin_base::{EntityRef, EntitySet, PrimaryMap, SecondaryMap, SrcPos, entity_impl};
use ravelin_cfa::access::{self, for_each_part};
use ravelin_cfa::flow::liveness::{Liveness, liveness};
use ravelin_cfa::flow::locals::Locals;
use ravelin_cfa::{Callee, Label, Loc, ObjectKind, Op, Proc, Procedure, Program, VarKind};
use ravelin_pointsto::Division;
use ravelin_term::{BinOp, Object, Sort, Term, TermKind, TermPool, Var};
use rustc_hash::FxHashMap;

pub use contents::initial_read;
use dangling::Ending;
pub(crate) use dangling::{Dangling, exposed};
pub use parts::{Freed, Part, Parts, Piece, in_pieces};
use strengthen::Pointers;

/// Where a variable of the analysis comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The instance of a program variable in a frame.
    Program { var: Var, of: Activation },
    /// What a thread returned.
    Result(Thread),
    /// Holds what an operation of a thread reads on the way.
    Scratch(Thread),
    /// What a thread that waits at a barrier knows of it: see `sync`.
    Ticket(Thread),
    /// The n-th value that a piece of program takes from outside.
    Input(u32),
    /// The same, where it is a pointer that the program did not get from itself: it leads to none of the
    /// program's objects. (Provenance: nobody outside knows where they are.)
    Foreign(u32),
    /// The same, where it is all that a part of memory holds.
    Contents { part: Part, number: u32 },
    /// The contents of a part of memory before the program starts.
    Start(Part),
    /// A copy of another variable at a point of a trace.
    At { var: Var, point: u32 },
    /// The contents of a part of memory.
    Memory(Part),
    /// What a memory has at an address.
    Content { memory: Var, pointer: Term },
    /// What a version of memory has at an address.
    Version { memory: Term, pointer: Term },
    /// What a read may find that partly overlaps writes.
    Guess { memory: Term, pointer: Term },
    /// The number of the next dynamic object.
    NextObject,
}

impl Role {
    /// Whether it comes from outside of the program.
    pub fn is_input(self) -> bool {
        match self {
            Role::Input(_) | Role::Foreign(_) | Role::Contents { .. } | Role::Start(_) => true,
            Role::Program { .. }
            | Role::Result(_)
            | Role::Scratch(_)
            | Role::Ticket(_)
            | Role::At { .. }
            | Role::Memory(_)
            | Role::Content { .. }
            | Role::Version { .. }
            | Role::Guess { .. }
            | Role::NextObject => false,
        }
    }
}

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

#[derive(Clone, Debug)]
struct Variable {
    role: Role,
    sort: Sort,
}

/// The dynamic objects' numbers have this bit, those of named objects do not.
pub const DYNAMIC: u32 = 0x8000_0000;

/// Numbers from here on are those of objects that the program did not make but may be given a pointer to.
pub const ENVIRONMENT: u32 = ravelin_term::FOREIGN_OBJECTS;

/// A program with the terms and variables that analyses make.
#[derive(Debug)]
pub struct Space<'p> {
    pub program: &'p Program,
    /// Whether the program starts threads.
    pub has_threads: bool,
    pub terms: TermPool,
    vars: PrimaryMap<Var, Variable>,
    by_role: FxHashMap<(Role, Sort), Var>,
    /// The program's object behind each object of the analysis.
    objects: PrimaryMap<Object, Object>,
    object_instances: FxHashMap<(Object, Activation), Object>,
    /// The frames that objects are instances in, if not in the first.
    object_frames: FxHashMap<Object, Activation>,
    parts: Parts,
    /// What strengthens values.
    strengthened: Pointers,
    /// The program's terms behind what frames see of them.
    origins: FxHashMap<Term, Term>,
    /// The variables that hold the parts of memory.
    memories: Vec<Var>,
    next_object: Var,
    locals: Locals,
    liveness: FxHashMap<Proc, Rc<Liveness>>,
    initial_memory: FxHashMap<Part, Term>,
    initial_contents: FxHashMap<Object, Rc<[(u64, Term)]>>,
    /// Objects of the first frame whose lifetime begins at one place, outside of loops.
    begun_once: EntitySet<Object>,
    dangling: Dangling,
    /// Whether memory is taken for unwritten that holds something, perhaps pointers: after `realloc`,
    /// because initial contents are too large, or because they are given elsewhere.
    leaves_contents_open: bool,
    /// Whether nothing is known of memory: what is read may be anything.
    pub forgets_memory: bool,
}

impl<'p> Space<'p> {
    /// Memory is divided as far as pointers allow.
    pub fn new(program: &'p Program) -> Self {
        Space::with(program, Parts::new(program, Division::default()))
    }

    /// With memory divided like this.
    pub fn with(program: &'p Program, parts: Parts) -> Self {
        let mut vars = PrimaryMap::with_capacity(program.vars.len() + 2);
        for (var, data) in program.vars.iter() {
            let role = Role::Program { var, of: Activation::FIRST };
            vars.push(Variable { role, sort: data.sort });
        }
        let memories = parts
            .all()
            .map(|part| vars.push(Variable { role: Role::Memory(part), sort: Sort::Mem }))
            .collect();
        let next_object = vars.push(Variable { role: Role::NextObject, sort: Sort::Bv(32) });
        let locals = Locals::of(program);
        let dangling = Dangling::of(program, &locals, parts.points_to());
        Space {
            program,
            has_threads: program.is_concurrent(),
            terms: program.terms.clone(),
            vars,
            by_role: FxHashMap::default(),
            objects: program.objects.keys().collect(),
            object_instances: FxHashMap::default(),
            object_frames: FxHashMap::default(),
            parts,
            strengthened: Pointers::default(),
            origins: FxHashMap::default(),
            memories,
            next_object,
            locals,
            liveness: FxHashMap::default(),
            initial_memory: FxHashMap::default(),
            initial_contents: FxHashMap::default(),
            begun_once: begun_once(program),
            dangling,
            leaves_contents_open: contents::are_left_open(program),
            forgets_memory: false,
        }
    }

    pub fn role(&self, var: Var) -> Role {
        self.vars[var].role
    }

    /// The program's variable that this one is an instance of; itself where there is none.
    pub fn program_var(&self, var: Var) -> Var {
        match self.vars[var].role {
            Role::Program { var, .. } => var,
            Role::Result(_)
            | Role::Scratch(_)
            | Role::Ticket(_)
            | Role::Input(_)
            | Role::Foreign(_)
            | Role::Contents { .. }
            | Role::Start(_)
            | Role::At { .. }
            | Role::Memory(_)
            | Role::Content { .. }
            | Role::Version { .. }
            | Role::Guess { .. }
            | Role::NextObject => var,
        }
    }

    pub fn sort(&self, var: Var) -> Sort {
        self.vars[var].sort
    }

    /// The variables that hold the contents of memory, one for each part.
    pub fn memories(&self) -> &[Var] {
        &self.memories
    }

    /// The part of memory of which a variable has, or had, the contents.
    pub fn part_of(&self, memory: Var) -> Option<Part> {
        match self.vars[memory].role {
            Role::Memory(part) | Role::Start(part) | Role::Contents { part, .. } => Some(part),
            Role::At { var, .. } => self.part_of(var),
            Role::Program { .. }
            | Role::Result(_)
            | Role::Scratch(_)
            | Role::Ticket(_)
            | Role::Input(_)
            | Role::Foreign(_)
            | Role::Content { .. }
            | Role::Version { .. }
            | Role::Guess { .. }
            | Role::NextObject => None,
        }
    }

    /// The variable that numbers dynamic objects.
    pub fn next_object(&self) -> Var {
        self.next_object
    }

    /// The program's object that this one is an instance of.
    pub fn program_object(&self, object: Object) -> Object {
        self.objects[object]
    }

    /// The program's object of which the one with this number is an instance. Solvers also make up numbers
    /// of objects that do not exist.
    pub fn object_numbered(&self, number: u32) -> Option<Object> {
        let index = number.checked_sub(1).filter(|&index| (index as usize) < self.objects.len())?;
        Some(self.objects[Object::from_u32(index)])
    }

    pub fn read_var(&mut self, var: Var) -> Term {
        let sort = self.vars[var].sort;
        self.terms.var(var, sort)
    }

    /// The n-th input of this sort.
    pub fn input(&mut self, number: u32, sort: Sort) -> Var {
        self.variable(Role::Input(number), sort)
    }

    /// The n-th input, a pointer that leads to none of the program's objects.
    pub fn foreign(&mut self, number: u32) -> Var {
        let var = self.variable(Role::Foreign(number), Sort::Ptr);
        self.terms.mark_foreign(var);
        var
    }

    /// The n-th input, all that a part of memory holds.
    pub fn any_contents(&mut self, number: u32, part: Part) -> Var {
        self.variable(Role::Contents { part, number }, Sort::Mem)
    }

    /// The copy of a variable at a point of a trace.
    pub fn at(&mut self, var: Var, point: u32) -> Var {
        let sort = self.sort(var);
        self.variable(Role::At { var, point }, sort)
    }

    /// The contents of a memory at an address.
    pub fn content(&mut self, memory: Var, pointer: Term, sort: Sort) -> Var {
        let var = self.variable(Role::Content { memory, pointer }, sort);
        if sort == Sort::Ptr
            && matches!(self.role(memory), Role::Start(_))
            && !self.leaves_contents_open
        {
            self.terms.mark_foreign(var);
        }
        var
    }

    /// What a version of memory has at an address.
    pub fn version(&mut self, memory: Term, pointer: Term, sort: Sort) -> Var {
        self.variable(Role::Version { memory, pointer }, sort)
    }

    /// A value of which nothing is known, the same for the same read.
    pub fn guess(&mut self, memory: Term, pointer: Term, sort: Sort) -> Var {
        self.variable(Role::Guess { memory, pointer }, sort)
    }

    fn variable(&mut self, role: Role, sort: Sort) -> Var {
        let vars = &mut self.vars;
        *self.by_role.entry((role, sort)).or_insert_with(|| vars.push(Variable { role, sort }))
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

    fn object_instance(&mut self, object: Object, of: Activation) -> Object {
        let of = match self.program.objects[object].kind {
            ObjectKind::Global | ObjectKind::Constant | ObjectKind::Function(_) => return object,
            ObjectKind::ThreadLocal => Activation { depth: 0, ..of },
            ObjectKind::Local(_) => of,
        };
        if of == Activation::FIRST {
            return object;
        }
        let (objects, frames) = (&mut self.objects, &mut self.object_frames);
        let terms = &mut self.terms;
        *self.object_instances.entry((object, of)).or_insert_with(|| {
            let instance = objects.push(object);
            frames.insert(instance, of);
            terms.share_alignment(object, instance);
            instance
        })
    }

    /// The object of the program that this one is an instance of, and in which frame. None for globals and for
    /// what is allocated.
    pub fn frame_of(&self, object: Object) -> Option<(Object, Activation)> {
        if let Some(of) = self.object_frames.get(&object) {
            return Some((self.objects[object], *of));
        }
        match self.program.objects.get(object)?.kind {
            ObjectKind::Local(_) | ObjectKind::ThreadLocal => Some((object, Activation::FIRST)),
            ObjectKind::Global | ObjectKind::Constant | ObjectKind::Function(_) => None,
        }
    }

    /// What a thread returned: a pointer.
    pub fn result(&mut self, thread: Thread) -> Var {
        self.variable(Role::Result(thread), Sort::Ptr)
    }

    /// A variable for what an operation of a thread reads on the way.
    pub fn scratch(&mut self, thread: Thread) -> Var {
        self.variable(Role::Scratch(thread), Sort::Bv(32))
    }

    /// The variable that a thread keeps while it waits at a barrier.
    pub fn ticket(&mut self, thread: Thread) -> Var {
        self.variable(Role::Ticket(thread), Sort::Bv(32))
    }

    /// A variable for what an operation of a thread leaves open.
    pub fn coin(&mut self, thread: Thread) -> Var {
        self.variable(Role::Scratch(thread), Sort::Bv(8))
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
                Some(terms.var(instance, self.vars[instance].sort))
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
                TermKind::Var(var) => match self.vars[var].role {
                    Role::Program { var: of_program, of } => {
                        (!self.program.is_shared_var(of_program)).then_some(of.thread)
                    }
                    Role::Result(thread) | Role::Scratch(thread) => Some(thread),
                    _ => None,
                },
                TermKind::Address(object) => self.object_frames.get(&object).map(|of| of.thread),
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
                let renamed = match self.vars[var].role {
                    Role::Program { var, of } => {
                        self.instance(var, Activation { thread: name(of.thread), ..of })
                    }
                    Role::Result(thread) => self.result(name(thread)),
                    Role::Scratch(thread) => {
                        self.variable(Role::Scratch(name(thread)), self.vars[var].sort)
                    }
                    _ => var,
                };
                Some(terms.var(renamed, self.vars[renamed].sort))
            }
            TermKind::Address(object) => {
                let of = *self.object_frames.get(&object)?;
                let of = Activation { thread: name(of.thread), ..of };
                let instance = self.object_instance(self.objects[object], of);
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

    /// The instances of a procedure's locals in a frame.
    pub fn locals_of(&mut self, proc: Proc, of: Activation) -> Vec<Var> {
        let locals = self.locals.list(proc).to_vec();
        locals.into_iter().map(|var| self.instance(var, of)).collect()
    }

    /// The locals that a procedure may read before it writes them, in a frame.
    pub fn read_uninitialised(&mut self, proc: Proc, of: Activation) -> Vec<Var> {
        let procedure = &self.program.procs[proc];
        let mut found = self.live_locals(proc, procedure.entry, of);
        found.retain(|&var| !procedure.params.contains(&self.program_var(var)));
        found
    }

    /// Whether a variable is a local of a frame. (One of a thread is not: it is live for as long as the thread.)
    pub fn is_local(&self, var: Var) -> bool {
        let Role::Program { var, .. } = self.vars[var].role else { return false };
        matches!(self.program.vars[var].kind, VarKind::Local(_))
    }

    /// The locals of a frame that may be read before they are written, from a location of its procedure on.
    pub fn live_locals(&mut self, proc: Proc, at: Loc, of: Activation) -> Vec<Var> {
        let procedure = &self.program.procs[proc];
        let liveness = self
            .liveness
            .entry(proc)
            .or_insert_with(|| Rc::new(liveness(self.program, &self.locals, proc, procedure)));
        let live = liveness.at(at);
        let mut found: Vec<Var> = self.locals.list(proc).to_vec();
        found.retain(|var| {
            let number = self.locals.number(self.program, *var);
            number.is_some_and(|number| live.contains(number))
        });
        found.into_iter().map(|var| self.instance(var, of)).collect()
    }

    /// The value of a variable when the program starts; `None` if it may be any.
    pub fn initial_value(&mut self, var: Var) -> Option<Term> {
        if var == self.next_object {
            return Some(self.terms.bv(32, u128::from(DYNAMIC)));
        }
        match self.vars[var].role {
            Role::Program { var, .. } => match self.program.vars[var].kind {
                VarKind::Global { init, .. } | VarKind::ThreadLocal { init } => init,
                VarKind::Local(_) => None,
            },
            Role::Memory(part) => Some(self.initial_memory(part)),
            Role::Result(_)
            | Role::Scratch(_)
            | Role::Ticket(_)
            | Role::Input(_)
            | Role::Foreign(_)
            | Role::Contents { .. }
            | Role::Start(_)
            | Role::At { .. }
            | Role::Content { .. }
            | Role::Version { .. }
            | Role::Guess { .. }
            | Role::NextObject => None,
        }
    }

    /// Whether the lifetime of a local object begins at most once in a run.
    pub fn is_begun_once(&self, object: Object) -> bool {
        self.begun_once.contains(object)
    }

    /// Whether pointers to an object may be left when its block or thread ends.
    pub fn may_dangle(&self, object: Object) -> bool {
        self.dangling.objects.contains(self.program_object(object))
    }

    /// The ends of the objects of a frame to which pointers may be left.
    pub fn ends_of(&mut self, proc: Proc, of: Activation, pos: SrcPos) -> Vec<Label> {
        let endings = self.dangling.after_frame.get(&proc).cloned().unwrap_or_default();
        let end = |ending: Ending| {
            let op = match ending {
                Ending::Object(object) => Op::ScopeEnd(object),
                // How many there are is not known, but what points to the last one may point to each.
                Ending::Allocated(dst) => Op::HavocMemory { pointers: vec![self.read_var(dst)] },
            };
            self.instantiate_label(&Label::new(op, pos), of)
        };
        endings.into_iter().map(end).collect()
    }

    /// The ends of the objects of a thread to which pointers may be left.
    pub fn ends_of_thread(&mut self, thread: Thread, pos: SrcPos) -> Vec<Label> {
        let objects = self.dangling.after_thread.clone();
        let ends = objects.into_iter().map(|object| Label::new(Op::ScopeEnd(object), pos));
        ends.map(|label| self.instantiate_label(&label, Activation { thread, depth: 0 })).collect()
    }

    /// The object number and offset of a constant pointer.
    pub fn constant_pointer(&self, term: Term) -> Option<(u32, u64)> {
        constant_pointer(&self.terms, term)
    }

    /// The constant pointer to this offset of an object.
    pub fn pointer(&mut self, number: u32, offset: u64) -> Term {
        if number & DYNAMIC != 0 {
            let number = self.terms.bv(32, u128::from(number));
            let offset = self.terms.offset(offset);
            self.terms.binary(BinOp::PtrMake, number, offset)
        } else {
            let address = self.terms.address(Object::from_u32(number - 1));
            self.terms.ptr_add_const(address, offset)
        }
    }

    /// Whether a term is a value: a literal or a constant pointer.
    pub fn is_value(&self, term: Term) -> bool {
        self.terms.is_literal(term) || self.constant_pointer(term).is_some()
    }
}

fn begun_once(program: &Program) -> EntitySet<Object> {
    let mut once = EntitySet::new();
    let Some(entry) = program.entry else {
        return once;
    };
    let mut begins: SecondaryMap<Object, u32> = SecondaryMap::new();
    let procedure = &program.procs[entry];
    let cyclic = on_cycles(procedure);
    let is_recursive = is_called(program, entry);
    for edge in procedure.edges.values() {
        for label in &edge.labels {
            label.walk(&mut |label| {
                if let Op::ScopeBegin(object) = label.op {
                    begins[object] += if cyclic.contains(edge.source) { 2 } else { 1 };
                }
            });
        }
    }
    for object in program.objects.keys() {
        if begins[object] == 1 && !is_recursive {
            once.insert(object);
        }
    }
    once
}

/// Whether a procedure is called, by its name or by whoever has a pointer to it.
fn is_called(program: &Program, proc: Proc) -> bool {
    let mut is_called =
        program.objects.values().any(|data| data.kind == ObjectKind::Function(proc));
    program.for_each_label(|_, label| {
        is_called |= match &label.op {
            Op::Call { callee: Callee::Direct(callee), .. }
            | Op::Start { routine: Callee::Direct(callee), .. } => *callee == proc,
            _ => false,
        };
    });
    is_called
}

/// The locations that can be reached from themselves.
pub fn on_cycles(procedure: &Procedure) -> EntitySet<Loc> {
    // Locations of a strongly connected component with an edge inside (Tarjan, iterative).
    let count = procedure.locs.len();
    let mut index = vec![usize::MAX; count];
    let mut low = vec![0; count];
    let mut on_stack = vec![false; count];
    let (mut stack, mut next) = (Vec::new(), 0);
    let mut cyclic = EntitySet::with_capacity(count);
    let mut work: Vec<(Loc, usize)> = vec![(procedure.entry, 0)];
    while let Some((loc, child)) = work.pop() {
        let at = loc.index();
        if child == 0 {
            index[at] = next;
            low[at] = next;
            next += 1;
            stack.push(loc);
            on_stack[at] = true;
        }
        if let Some(&edge) = procedure.locs[loc].out.get(child) {
            work.push((loc, child + 1));
            let target = procedure.edges[edge].target;
            if index[target.index()] == usize::MAX {
                work.push((target, 0));
            } else if on_stack[target.index()] {
                low[at] = low[at].min(index[target.index()]);
            }
            continue;
        }
        if low[at] == index[at] {
            let start = stack.iter().rposition(|&other| other == loc).unwrap_or(0);
            let component = stack.split_off(start);
            let loops = |loc: &Loc| {
                let out = &procedure.locs[*loc].out;
                out.iter().any(|&edge| procedure.edges[edge].target == *loc)
            };
            if component.len() > 1 || component.iter().any(loops) {
                cyclic.extend(component.iter().copied());
            }
            for member in component {
                on_stack[member.index()] = false;
            }
        }
        if let Some(&(parent, _)) = work.last() {
            low[parent.index()] = low[parent.index()].min(low[at]);
        }
    }
    cyclic
}

/// The object number and offset of a constant pointer into an object.
pub fn constant_pointer(terms: &TermPool, term: Term) -> Option<(u32, u64)> {
    match terms.kind(term) {
        TermKind::Address(object) => Some((object.as_u32() + 1, 0)),
        TermKind::Binary(BinOp::PtrAdd, base, offset) => match terms.kind(base) {
            TermKind::Address(object) => Some((object.as_u32() + 1, terms.as_bv(offset)? as u64)),
            _ => None,
        },
        TermKind::Binary(BinOp::PtrMake, number, offset) => {
            Some((terms.as_bv(number)? as u32, terms.as_bv(offset)? as u64))
        }
        _ => None,
    }
}
