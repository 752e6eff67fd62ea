//! The data structures of an automaton.

use ravelin_base::{DataModel, EntityRef, Interner, PrimaryMap, SrcPos, Symbol, entities};
use ravelin_term::{Object, Sort, Term, TermPool, Var};
use smallvec::SmallVec;

use crate::op::{Label, Op};
use crate::property::{Properties, Property};

entities! {
    /// A procedure of a [`Program`].
    pub struct Proc("p");

    /// A location of a [`Procedure`].
    pub struct Loc("l");

    /// An edge of a [`Procedure`].
    pub struct Edge("e");
}

/// A whole program, linked.
#[derive(Clone, Debug)]
pub struct Program {
    pub data_model: DataModel,
    pub terms: TermPool,
    pub names: Interner,
    pub vars: PrimaryMap<Var, VarData>,
    pub objects: PrimaryMap<Object, ObjectData>,
    pub procs: PrimaryMap<Proc, Procedure>,
    /// The procedure that the main thread calls; its return ends the program with its result as
    /// status.
    pub entry: Option<Proc>,
    pub blocks: Blocks,
    /// The properties whose violations are errors of this automaton. Some are operations
    /// ([`Op::Error`]); the others are what concrete executions come to by themselves: invalid
    /// accesses and deallocations, and memory that is left.
    pub checked: Properties,
}

/// The size of edges; it determines which invariants of granularity [`crate::verify()`] checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blocks {
    /// The output of the front end: one label per edge; a term may read several globals.
    Source,
    /// One label per edge, and each outside of atomic sections touches at most one shared location.
    Single,
    /// Sequences and choices of labels; each edge outside of atomic sections touches at most one shared
    /// location.
    ThreadLocal,
    /// Sequences and choices of labels without limits on accesses: for programs with one thread.
    Sequential,
}

/// A scalar variable whose address is never taken.
#[derive(Clone, Debug, PartialEq)]
pub struct VarData {
    /// The name in the source; temporaries of the front end have names with a `%`.
    pub name: Symbol,
    pub sort: Sort,
    /// Whether values print and compare as signed, according to the C type.
    pub signed: bool,
    pub kind: VarKind,
    pub pos: SrcPos,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VarKind {
    /// One instance, shared by all threads, with this initial value: a closed term, or `None` for
    /// any value (an `extern` without definition).
    Global { init: Option<Term>, atomic: bool },
    /// One instance per thread, with this initial value.
    ThreadLocal { init: Option<Term> },
    /// One instance per frame, indeterminate until assigned.
    Local(Proc),
}

/// A piece of memory with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectData {
    pub name: Symbol,
    pub kind: ObjectKind,
    /// In bytes.
    pub size: u64,
    pub align: u32,
    /// Whether it is a struct or union: apart from the size, nothing else is known of its type.
    pub is_record: bool,
    pub init: Init,
    pub pos: SrcPos,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    /// Alive for the whole run, shared by all threads.
    Global,
    /// A global that must not be written, such as a string literal.
    Constant,
    /// One instance per thread.
    ThreadLocal,
    /// One instance per frame and [`Op::ScopeBegin`].
    Local(Proc),
    /// A function, as the target of function pointers; it has no bytes to access.
    Function(Proc),
}

/// The initial contents of an object.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// Any contents: locals, and an `extern` without definition.
    Indeterminate,
    Zero,
    /// These bytes.
    Bytes(Box<[u8]>),
    /// Closed terms at byte offsets, ascending and disjoint; the rest is zero.
    Values(Vec<(u64, Term)>),
}

/// A function as a graph.
#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: Symbol,
    /// Its local variables, in the order of the arguments.
    pub params: Vec<Var>,
    /// The sort of its result, unless `void`.
    pub result: Option<Sort>,
    pub locs: PrimaryMap<Loc, LocData>,
    pub edges: PrimaryMap<Edge, EdgeData>,
    pub entry: Loc,
    pub exit: Loc,
    pub pos: SrcPos,
    /// Its source holds an error call, perhaps one that no edge reaches.
    pub has_check: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocData {
    /// Outgoing edges, in source order: the then-branch first.
    pub out: SmallVec<[Edge; 2]>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct EdgeData {
    pub source: Loc,
    pub target: Loc,
    /// Executed in order as one step.
    pub labels: SmallVec<[Label; 1]>,
}

impl Program {
    pub fn new(data_model: DataModel) -> Self {
        Program {
            data_model,
            terms: TermPool::new(data_model.pointer_bits()),
            names: Interner::default(),
            vars: PrimaryMap::new(),
            objects: PrimaryMap::new(),
            procs: PrimaryMap::new(),
            entry: None,
            blocks: Blocks::Source,
            checked: Property::UnreachCall.into(),
        }
    }

    /// A new object. Terms know its alignment from now on.
    pub fn add_object(&mut self, data: ObjectData) -> Object {
        let object = self.objects.push(data);
        self.terms.set_alignment(object, self.alignment(object));
        object
    }

    /// A power of two that divides the address of an object.
    pub fn alignment(&self, object: Object) -> u32 {
        let ObjectData { kind, align, .. } = self.objects[object];
        match kind {
            // The compiler chooses it.
            ObjectKind::Function(_) => 1,
            // Arguments on the stack of 32-bit code are aligned to words, whatever their type.
            ObjectKind::Local(_) if self.data_model.pointer_bytes() == 4 && align == 8 => 4,
            ObjectKind::Local(_)
            | ObjectKind::Global
            | ObjectKind::Constant
            | ObjectKind::ThreadLocal => {
                if align.is_power_of_two() {
                    align
                } else {
                    1
                }
            }
        }
    }

    /// The term that reads `var`.
    pub fn read(&mut self, var: Var) -> Term {
        let sort = self.vars[var].sort;
        self.terms.var(var, sort)
    }

    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.resolve(symbol)
    }

    /// All labels of the program with their procedures, including those inside choices.
    pub fn for_each_label(&self, mut visit: impl FnMut(Proc, &Label)) {
        for (proc, procedure) in self.procs.iter() {
            for edge in procedure.edges.values() {
                for label in &edge.labels {
                    label.walk(&mut |label| visit(proc, label));
                }
            }
        }
    }

    /// Whether the front end generated the procedure: the one that calls `main`.
    pub fn is_made_up(&self, proc: Proc) -> bool {
        self.name(self.procs[proc].name).starts_with('%')
    }

    /// Whether what variables point to matters although nothing reads them: a pointer that is left tracks memory.
    pub fn tracks_memory(&self) -> bool {
        self.checked.contains(Property::ValidMemtrack)
    }

    /// Whether memory that is left when the program ends may be an error.
    pub fn checks_leaks(&self) -> bool {
        self.tracks_memory() || self.checked.contains(Property::ValidMemcleanup)
    }

    /// Whether a variable is one of the front end or of a pass, and none of the source.
    pub fn is_temporary(&self, var: Var) -> bool {
        self.name(self.vars[var].name).contains('%')
    }

    /// Whether the program starts threads: otherwise, no location is shared.
    pub fn is_concurrent(&self) -> bool {
        self.procs.values().any(|procedure| {
            procedure.edges.values().any(|edge| {
                edge.labels.iter().any(|label| label.any(&mut |l| matches!(l.op, Op::Start { .. })))
            })
        })
    }

    /// Whether other threads may see this variable.
    pub fn is_shared_var(&self, var: Var) -> bool {
        matches!(self.vars[var].kind, VarKind::Global { .. })
    }

    /// The size in bytes of a value of this sort in memory; `None` if it has none.
    pub fn bytes_of(&self, sort: Sort) -> Option<u64> {
        match sort {
            Sort::Bool | Sort::Mem => None,
            Sort::Bv(width) => width.is_multiple_of(8).then_some(u64::from(width / 8)),
            Sort::Float(kind) => Some(u64::from(kind.bits() / 8)),
            Sort::Ptr => Some(self.data_model.pointer_bytes()),
        }
    }
}

impl Procedure {
    /// A procedure with an entry and an exit location and no edges.
    pub fn new(name: Symbol, pos: SrcPos) -> Self {
        let mut locs = PrimaryMap::new();
        let entry = locs.push(LocData::default());
        let exit = locs.push(LocData::default());
        Procedure {
            name,
            params: Vec::new(),
            result: None,
            locs,
            edges: PrimaryMap::new(),
            entry,
            exit,
            pos,
            has_check: false,
        }
    }

    pub fn add_loc(&mut self) -> Loc {
        self.locs.push(LocData::default())
    }

    pub fn add_edge(
        &mut self,
        source: Loc,
        target: Loc,
        labels: impl IntoIterator<Item = Label>,
    ) -> Edge {
        let edge =
            self.edges.push(EdgeData { source, target, labels: labels.into_iter().collect() });
        self.locs[source].out.push(edge);
        edge
    }

    /// The edges that end in each location, in order of their indices.
    pub fn incoming(&self) -> ravelin_base::SecondaryMap<Loc, SmallVec<[Edge; 2]>> {
        let mut incoming = ravelin_base::SecondaryMap::with_capacity(self.locs.len());
        for (edge, data) in self.edges.iter() {
            let into: &mut SmallVec<[Edge; 2]> = &mut incoming[data.target];
            into.push(edge);
        }
        incoming
    }

    /// The locations reachable from the entry in reverse postorder.
    pub fn reverse_postorder(&self) -> Vec<Loc> {
        let mut order = Vec::with_capacity(self.locs.len());
        let mut visited = ravelin_base::EntitySet::with_capacity(self.locs.len());
        let mut stack = vec![(self.entry, 0)];
        visited.insert(self.entry);
        while let Some((loc, next)) = stack.pop() {
            match self.locs[loc].out.get(next) {
                Some(&edge) => {
                    stack.push((loc, next + 1));
                    let target = self.edges[edge].target;
                    if visited.insert(target) {
                        stack.push((target, 0));
                    }
                }
                None => order.push(loc),
            }
        }
        order.reverse();
        order
    }

    /// Drops unreachable locations, and numbers locations in reverse postorder and edges by their
    /// source. The exit location stays even if it is unreachable.
    pub fn compact(&mut self) {
        let mut order = self.reverse_postorder();
        if !order.contains(&self.exit) {
            order.push(self.exit);
        }
        let mut new_loc = ravelin_base::SecondaryMap::with_capacity(self.locs.len());
        for (index, &loc) in order.iter().enumerate() {
            new_loc[loc] = Some(Loc::new(index));
        }
        let mut old_edges = std::mem::take(&mut self.edges);
        let mut locs = PrimaryMap::with_capacity(order.len());
        let mut edges = PrimaryMap::with_capacity(old_edges.len());
        for &loc in &order {
            let source = Loc::new(locs.len());
            let mut out = SmallVec::new();
            for &edge in &self.locs[loc].out {
                let data = &mut old_edges[edge];
                if let Some(target) = new_loc[data.target] {
                    let labels = std::mem::take(&mut data.labels);
                    out.push(edges.push(EdgeData { source, target, labels }));
                }
            }
            locs.push(LocData { out });
        }
        let renumber = |loc: Loc| new_loc[loc].unwrap_or(loc);
        self.entry = renumber(self.entry);
        self.exit = renumber(self.exit);
        self.locs = locs;
        self.edges = edges;
    }
}

impl Label {
    pub fn new(op: Op, pos: SrcPos) -> Self {
        Label { op, pos }
    }

    /// Calls `visit` on this label, or on those inside if it is a choice.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Label)) {
        match &self.op {
            Op::Choice(branches) => {
                branches.iter().flatten().for_each(|label| label.walk(visit));
            }
            _ => visit(self),
        }
    }

    /// Whether `test` holds for this label or one inside it.
    pub fn any(&self, test: &mut dyn FnMut(&Label) -> bool) -> bool {
        match &self.op {
            Op::Choice(branches) => branches.iter().flatten().any(|label| label.any(test)),
            _ => test(self),
        }
    }
}
