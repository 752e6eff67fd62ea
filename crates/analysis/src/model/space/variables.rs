//! Variables of the analysis: instances of the program's, and those that analyses make.

use ravelin_base::PrimaryMap;
use ravelin_cfa::{Program, VarKind};
use ravelin_term::{Sort, Term, Var};
use rustc_hash::FxHashMap;

use super::regions::{MemoryRegion, MemoryRegions};
use super::{Activation, Space, Thread};

/// Where a variable of the analysis comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The instance of a program variable in a frame.
    Program { var: Var, of: Activation },
    /// The contents of a region of memory.
    Memory(MemoryRegion),
    /// The number of the next dynamic object.
    NextObject,
    /// What steps keep for a thread.
    Thread(ThreadRole, Thread),
    /// A value from outside of the program.
    Input(InputRole),
    /// A copy of another variable at a point of a trace.
    At { var: Var, point: u32 },
    /// Stands for what a read finds in memory.
    Read(ReadRole),
}

impl Role {
    /// Whether it comes from outside of the program.
    pub fn is_input(self) -> bool {
        matches!(self, Role::Input(_))
    }
}

/// What steps keep for a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ThreadRole {
    /// What the thread returned.
    Result,
    /// Holds what an operation of the thread reads on the way.
    Scratch,
    /// What the thread knows of the barrier at which it waits: see `sync`.
    Ticket,
}

/// Values from outside of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputRole {
    /// The n-th value that a piece of program takes.
    Value(u32),
    /// The same, where it is a pointer that the program did not get from itself: it leads to none of the
    /// program's objects. (Provenance: nobody outside knows where they are.)
    Foreign(u32),
    /// The same, where it is all that a region of memory holds.
    Contents { region: MemoryRegion, number: u32 },
    /// The contents of a region of memory before the program starts.
    Start(MemoryRegion),
}

/// What reads find in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReadRole {
    /// What a memory has at an address.
    Content { memory: Var, pointer: Term },
    /// What a version of memory has at an address.
    Version { memory: Term, pointer: Term },
    /// What a read may find that partly overlaps writes.
    Guess { memory: Term, pointer: Term },
}

#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) role: Role,
    pub(super) sort: Sort,
}

/// All variables, each known by its role.
#[derive(Debug)]
pub(super) struct Variables {
    pub(super) vars: PrimaryMap<Var, Variable>,
    by_role: FxHashMap<(Role, Sort), Var>,
    /// The variables that hold the regions of memory.
    pub(super) memories: Vec<Var>,
    pub(super) next_object: Var,
}

impl Variables {
    /// The program's variables keep their numbers.
    pub(super) fn of(program: &Program, regions: &MemoryRegions) -> Self {
        let mut vars = PrimaryMap::with_capacity(program.vars.len() + 2);
        for (var, data) in program.vars.iter() {
            let role = Role::Program { var, of: Activation::FIRST };
            vars.push(Variable { role, sort: data.sort });
        }
        let memories = regions
            .all()
            .map(|region| vars.push(Variable { role: Role::Memory(region), sort: Sort::Mem }))
            .collect();
        let next_object = vars.push(Variable { role: Role::NextObject, sort: Sort::Bv(32) });
        Variables { vars, by_role: FxHashMap::default(), memories, next_object }
    }

    /// The variable of this role and sort, made if there is none yet.
    fn of_role(&mut self, role: Role, sort: Sort) -> Var {
        let vars = &mut self.vars;
        *self.by_role.entry((role, sort)).or_insert_with(|| vars.push(Variable { role, sort }))
    }
}

impl Space<'_> {
    pub fn role(&self, var: Var) -> Role {
        self.variables.vars[var].role
    }

    pub fn sort(&self, var: Var) -> Sort {
        self.variables.vars[var].sort
    }

    /// The program's variable that this one is an instance of; itself where there is none.
    pub fn program_var(&self, var: Var) -> Var {
        match self.variables.vars[var].role {
            Role::Program { var, .. } => var,
            Role::Memory(_)
            | Role::NextObject
            | Role::Thread(..)
            | Role::Input(_)
            | Role::At { .. }
            | Role::Read(_) => var,
        }
    }

    /// The variables that hold the contents of memory, one for each region.
    pub fn memories(&self) -> &[Var] {
        &self.variables.memories
    }

    /// The region of memory of which a variable has, or had, the contents.
    pub fn memory_region(&self, memory: Var) -> Option<MemoryRegion> {
        match self.variables.vars[memory].role {
            Role::Memory(region)
            | Role::Input(InputRole::Start(region) | InputRole::Contents { region, .. }) => {
                Some(region)
            }
            Role::At { var, .. } => self.memory_region(var),
            Role::Input(InputRole::Value(_) | InputRole::Foreign(_))
            | Role::Program { .. }
            | Role::NextObject
            | Role::Thread(..)
            | Role::Read(_) => None,
        }
    }

    /// Whether a variable has the contents of a region of memory before the program starts.
    pub(super) fn is_start(&self, var: Var) -> bool {
        matches!(self.role(var), Role::Input(InputRole::Start(_)))
    }

    /// The variable that numbers dynamic objects.
    pub fn next_object(&self) -> Var {
        self.variables.next_object
    }

    pub fn read_var(&mut self, var: Var) -> Term {
        let sort = self.variables.vars[var].sort;
        self.terms.var(var, sort)
    }

    /// The n-th input of this sort.
    pub fn input(&mut self, number: u32, sort: Sort) -> Var {
        self.variable(Role::Input(InputRole::Value(number)), sort)
    }

    /// The n-th input, a pointer that leads to none of the program's objects.
    pub fn foreign(&mut self, number: u32) -> Var {
        let var = self.variable(Role::Input(InputRole::Foreign(number)), Sort::Ptr);
        self.terms.mark_foreign(var);
        var
    }

    /// The n-th input, all that a region of memory holds.
    pub fn any_contents(&mut self, number: u32, region: MemoryRegion) -> Var {
        self.variable(Role::Input(InputRole::Contents { region, number }), Sort::Mem)
    }

    /// The copy of a variable at a point of a trace.
    pub fn at(&mut self, var: Var, point: u32) -> Var {
        let sort = self.sort(var);
        self.variable(Role::At { var, point }, sort)
    }

    /// The contents of a memory at an address.
    pub fn content(&mut self, memory: Var, pointer: Term, sort: Sort) -> Var {
        let var = self.variable(Role::Read(ReadRole::Content { memory, pointer }), sort);
        if sort == Sort::Ptr && self.is_start(memory) && !self.initial.is_open {
            self.terms.mark_foreign(var);
        }
        var
    }

    /// What a version of memory has at an address.
    pub fn version(&mut self, memory: Term, pointer: Term, sort: Sort) -> Var {
        self.variable(Role::Read(ReadRole::Version { memory, pointer }), sort)
    }

    /// A value of which nothing is known, the same for the same read.
    pub fn guess(&mut self, memory: Term, pointer: Term, sort: Sort) -> Var {
        self.variable(Role::Read(ReadRole::Guess { memory, pointer }), sort)
    }

    /// What a thread returned: a pointer.
    pub fn result(&mut self, thread: Thread) -> Var {
        self.variable(Role::Thread(ThreadRole::Result, thread), Sort::Ptr)
    }

    /// A variable for what an operation of a thread reads on the way.
    pub fn scratch(&mut self, thread: Thread) -> Var {
        self.variable(Role::Thread(ThreadRole::Scratch, thread), Sort::Bv(32))
    }

    /// The variable that a thread keeps while it waits at a barrier.
    pub fn ticket(&mut self, thread: Thread) -> Var {
        self.variable(Role::Thread(ThreadRole::Ticket, thread), Sort::Bv(32))
    }

    /// A variable for what an operation of a thread leaves open.
    pub fn coin(&mut self, thread: Thread) -> Var {
        self.variable(Role::Thread(ThreadRole::Scratch, thread), Sort::Bv(8))
    }

    pub(super) fn variable(&mut self, role: Role, sort: Sort) -> Var {
        self.variables.of_role(role, sort)
    }

    /// Whether a variable is a local of a frame. (One of a thread is not: it is live for as long as the thread.)
    pub fn is_local(&self, var: Var) -> bool {
        let Role::Program { var, .. } = self.variables.vars[var].role else { return false };
        matches!(self.program.vars[var].kind, VarKind::Local(_))
    }
}
