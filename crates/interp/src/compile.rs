//! From procedures of the automaton to [`ProcCode`].

use std::cell::OnceCell;

use ravelin_base::{EntityRef, LiveSlots, PrimaryMap, SecondaryMap, SrcPos};
use ravelin_cfa::slots::{ObjectSlot, Place, Slots};
use ravelin_cfa::{
    Assumed, Blocks, Callee, Edge, Gap, HavocKind, Label, MemoryOrder, Object, Op, Proc, Procedure,
    Program, Property, Sort, Term, Var,
};

use crate::code::{
    CallInst, CalleeCode, Inst, InstInfo, Operand, ProcCode, RareInst, SyncInst, TermCode,
};
use crate::compile_term::TermCompiler;
use crate::liveness::liveness;
use crate::value::{self, ObjectRef};

/// A program and its code. Procedures are compiled when they are first called: of a large program,
/// a run sees a small part.
#[derive(Debug)]
pub(crate) struct Compiled<'p> {
    pub(crate) program: &'p Program,
    pub(crate) names: NameTable,
    /// Whether the automaton is about races, and has steps small enough to see them.
    pub(crate) watches_races: bool,
    code: PrimaryMap<Proc, OnceCell<ProcCode>>,
    liveness: PrimaryMap<Proc, OnceCell<LiveSlots>>,
}

/// Which place each variable and object has. A frame has its variables, then its objects.
#[derive(Debug)]
pub(crate) struct NameTable {
    pub(crate) slots: Slots,
}

impl<'p> Compiled<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        let unit = || program.procs.keys().map(|_| OnceCell::new()).collect();
        Compiled {
            program,
            names: NameTable::new(program),
            watches_races: program.checked.contains(Property::NoDataRace)
                && matches!(program.blocks, Blocks::Source | Blocks::Single),
            code: unit(),
            liveness: program.procs.keys().map(|_| OnceCell::new()).collect(),
        }
    }

    pub(crate) fn code(&self, proc: Proc) -> &ProcCode {
        self.code[proc].get_or_init(|| compile(self.program, &self.names, proc))
    }

    /// Which local variables matter where in `proc`.
    pub(crate) fn liveness(&self, proc: Proc) -> &LiveSlots {
        let vars = self.names.slots.frames[proc].vars.len();
        self.liveness[proc].get_or_init(|| liveness(self.code(proc), vars))
    }
}

impl NameTable {
    fn new(program: &Program) -> Self {
        NameTable { slots: Slots::new(program) }
    }

    pub(crate) fn place(&self, var: Var) -> Place {
        self.slots.places[var]
    }

    /// The variable in a place; `proc` is that of the frame.
    pub(crate) fn var(&self, place: Place, proc: Proc) -> Var {
        match place {
            Place::Local(slot) => self.slots.frames[proc].vars[slot as usize],
            Place::Global(index) => self.slots.globals[index as usize],
            Place::ThreadLocal(index) => self.slots.thread_locals[index as usize],
        }
    }

    /// The instance of an object that is there from the start.
    pub(crate) fn static_instance(&self, object: Object) -> Option<ObjectRef> {
        match self.slots.object_slots[object] {
            ObjectSlot::Static(index) => Some(ObjectRef::new(index, 0)),
            ObjectSlot::ThreadLocal(_) | ObjectSlot::Local(_) => None,
        }
    }

    /// The place in the frame of `proc` that points to one of its objects.
    fn local_slot(&self, proc: Proc, object: Object) -> Option<u32> {
        match self.slots.object_slots[object] {
            ObjectSlot::Local(index) => Some(self.slots.frames[proc].vars.len() as u32 + index),
            ObjectSlot::Static(_) | ObjectSlot::ThreadLocal(_) => None,
        }
    }

    /// How a term reads the address of an object, in code of `proc`: static ones are constants.
    pub(crate) fn address(
        &self,
        proc: Option<Proc>,
        object: Object,
        constant: impl FnOnce(u128) -> u32,
    ) -> Operand {
        match (self.slots.object_slots[object], proc) {
            (ObjectSlot::Static(index), _) => {
                Operand::Const(constant(value::pointer(ObjectRef::new(index, 0), 0)))
            }
            (ObjectSlot::ThreadLocal(index), _) => Operand::ThreadObject(index),
            (ObjectSlot::Local(index), Some(proc)) => {
                Operand::LocalObject(self.slots.frames[proc].vars.len() as u32 + index)
            }
            // A closed term names no local object: `verify` sees to it.
            (ObjectSlot::Local(_), None) => Operand::Const(constant(0)),
        }
    }
}

/// The code of one closed term: an initial value.
pub(crate) fn compile_closed(
    program: &Program,
    names: &NameTable,
    term: Term,
) -> (ProcCode, TermCode) {
    let mut code = empty_code();
    let mut terms = TermCompiler::new(program, names, None);
    let term = terms.compile(term, &mut code);
    (code, term)
}

fn empty_code() -> ProcCode {
    ProcCode {
        insts: Vec::new(),
        infos: Vec::new(),
        terms: Vec::new(),
        consts: Vec::new(),
        entry: 0,
    }
}

fn compile(program: &Program, names: &NameTable, proc: Proc) -> ProcCode {
    let procedure = &program.procs[proc];
    let mut compiler = Compiler {
        program,
        names,
        proc,
        terms: TermCompiler::new(program, names, Some(proc)),
        code: empty_code(),
        edge: None,
    };
    let mut starts = SecondaryMap::with_capacity(procedure.locs.len());
    for (loc, data) in procedure.locs.iter() {
        starts[loc] = compiler.code.insts.len() as u32;
        match data.out.as_slice() {
            [] if loc == procedure.exit => {
                compiler.edge = None;
                compiler.push(Inst::Return { value: None }, procedure.pos);
            }
            [] => {
                compiler.edge = None;
                compiler.push(Inst::Rare(RareInst::NoWayOn), procedure.pos);
            }
            [edge] => compiler.edge(procedure, *edge, None),
            edges => {
                for &edge in edges {
                    compiler.guarded_edge(procedure, edge);
                }
                let pos = procedure.edges[edges[0]].labels.first().map_or(procedure.pos, |l| l.pos);
                compiler.push(Inst::Rare(RareInst::NoWayOn), pos);
            }
        }
    }
    let mut code = compiler.code;
    for inst in &mut code.insts {
        if let Inst::EndEdge { target } = inst {
            *target = starts[ravelin_cfa::Loc::new(*target as usize)];
        }
    }
    code.entry = starts[procedure.entry];
    code
}

struct Compiler<'a> {
    program: &'a Program,
    names: &'a NameTable,
    proc: Proc,
    terms: TermCompiler<'a>,
    code: ProcCode,
    edge: Option<Edge>,
}

impl Compiler<'_> {
    fn push(&mut self, inst: Inst, pos: SrcPos) -> usize {
        self.code.insts.push(inst);
        self.code.infos.push(InstInfo { pos, edge: self.edge });
        self.code.insts.len() - 1
    }

    fn term(&mut self, term: Term) -> TermCode {
        self.terms.compile(term, &mut self.code)
    }

    fn sorted_term(&mut self, term: Term) -> (TermCode, Sort) {
        (self.term(term), self.program.terms.sort(term))
    }

    fn place(&self, var: Var) -> Place {
        self.names.place(var)
    }

    /// One of several edges of a location: its first assumption decides whether it is taken.
    fn guarded_edge(&mut self, procedure: &Procedure, edge: Edge) {
        self.edge = Some(edge);
        let guard = match procedure.edges[edge].labels.first() {
            Some(Label { op: Op::Assume(cond), pos }) => Some((*cond, *pos)),
            Some(_) | None => None,
        };
        let guard = guard.map(|(cond, pos)| {
            let cond = self.term(cond);
            self.push(Inst::Guard { cond, otherwise: 0 }, pos)
        });
        self.edge(procedure, edge, guard);
    }

    /// The labels of an edge after its guard, if it has one.
    fn edge(&mut self, procedure: &Procedure, edge: Edge, guard: Option<usize>) {
        self.edge = Some(edge);
        let data = &procedure.edges[edge];
        self.labels(&data.labels[usize::from(guard.is_some())..]);
        let pos = data.labels.last().map_or(procedure.pos, |label| label.pos);
        // The location stands in until all of them have a place.
        self.push(Inst::EndEdge { target: data.target.index() as u32 }, pos);
        if let Some(guard) = guard {
            self.set_otherwise(guard);
        }
    }

    /// Makes a guard that fails go on here.
    fn set_otherwise(&mut self, guard: usize) {
        let here = self.code.insts.len() as u32;
        if let Inst::Guard { otherwise, .. } = &mut self.code.insts[guard] {
            *otherwise = here;
        }
    }

    /// Label sequences nest through choices, which block encoding bounds, and by an explicit stack
    /// here nothing depends on that bound.
    fn labels(&mut self, labels: &[Label]) {
        enum Work<'l> {
            Labels(&'l [Label]),
            /// The next branch of a choice that stands at this position.
            Branches(&'l [Vec<Label>], SrcPos, Vec<usize>),
            /// The end of a branch: to the end of the choice, then the other branches.
            EndBranch(Option<usize>, &'l [Vec<Label>], SrcPos, Vec<usize>),
        }
        let mut work = vec![Work::Labels(labels)];
        while let Some(item) = work.pop() {
            match item {
                Work::Labels([]) => {}
                Work::Labels([first, rest @ ..]) => {
                    work.push(Work::Labels(rest));
                    match &first.op {
                        Op::Choice(branches) => {
                            work.push(Work::Branches(branches, first.pos, Vec::new()));
                        }
                        _ => self.label(first),
                    }
                }
                Work::Branches([], pos, jumps) => {
                    self.push(Inst::Rare(RareInst::NoWayOn), pos);
                    let here = self.code.insts.len() as u32;
                    for jump in jumps {
                        self.code.insts[jump] = Inst::Jump(here);
                    }
                }
                Work::Branches([branch, others @ ..], pos, jumps) => {
                    let (guard, rest) = match branch.as_slice() {
                        [Label { op: Op::Assume(cond), pos }, rest @ ..] => {
                            let cond = self.term(*cond);
                            (Some(self.push(Inst::Guard { cond, otherwise: 0 }, *pos)), rest)
                        }
                        labels => (None, labels),
                    };
                    work.push(Work::EndBranch(guard, others, pos, jumps));
                    work.push(Work::Labels(rest));
                }
                Work::EndBranch(guard, others, pos, mut jumps) => {
                    jumps.push(self.push(Inst::Jump(0), pos));
                    if let Some(guard) = guard {
                        self.set_otherwise(guard);
                    }
                    work.push(Work::Branches(others, pos, jumps));
                }
            }
        }
    }

    fn call(&mut self, callee: &Callee, args: &[Term], dst: Option<Var>) -> Box<CallInst> {
        let callee = match callee {
            Callee::Direct(proc) => CalleeCode::Direct(*proc),
            Callee::Pointer(term) => CalleeCode::Pointer(self.term(*term)),
        };
        let args = args.iter().map(|&arg| self.sorted_term(arg)).collect();
        let dst = dst.map(|var| (self.place(var), self.program.vars[var].sort));
        Box::new(CallInst { callee, args, dst })
    }

    fn label(&mut self, label: &Label) {
        let inst = match &label.op {
            Op::Skip => return,
            Op::Assume(cond) => Inst::Assume(self.term(*cond)),
            Op::Assign { dst, value } => {
                let (value, sort) = self.sorted_term(*value);
                Inst::Assign { dst: self.place(*dst), value, sort }
            }
            Op::Havoc { kind: HavocKind::NotModelled(what), .. } => {
                Inst::Rare(RareInst::Unsupported(Gap::NotModelled(*what)))
            }
            Op::Havoc { dst, kind } => {
                Inst::Rare(RareInst::Havoc { dst: self.place(*dst), var: *dst, kind: *kind })
            }
            Op::Load { dst, addr, order } => Inst::Load {
                dst: self.place(*dst),
                sort: self.program.vars[*dst].sort,
                addr: self.term(*addr),
                is_atomic: *order == MemoryOrder::Atomic,
            },
            Op::Store { addr, value, order } => {
                let addr = self.term(*addr);
                let (value, sort) = self.sorted_term(*value);
                Inst::Store { addr, value, sort, is_atomic: *order == MemoryOrder::Atomic }
            }
            Op::Copy { dst, src, size } => Inst::Rare(RareInst::Copy {
                dst: self.term(*dst),
                src: self.term(*src),
                size: self.term(*size),
            }),
            Op::Fill { dst, byte, size } => Inst::Rare(RareInst::Fill {
                dst: self.term(*dst),
                byte: self.term(*byte),
                size: self.term(*size),
            }),
            Op::HavocMemory { pointers } => Inst::Rare(RareInst::HavocMemory(
                pointers.iter().map(|&pointer| self.term(pointer)).collect(),
            )),
            Op::ScopeBegin(object) => match self.names.local_slot(self.proc, *object) {
                Some(slot) => Inst::Rare(RareInst::ScopeBegin { slot, object: *object }),
                None => return,
            },
            Op::ScopeEnd(object) => match self.names.local_slot(self.proc, *object) {
                Some(slot) => Inst::Rare(RareInst::ScopeEnd { slot }),
                None => return,
            },
            Op::Alloc { dst, size, kind } => Inst::Rare(RareInst::Alloc {
                dst: self.place(*dst),
                size: self.term(*size),
                kind: *kind,
            }),
            Op::Realloc { dst, addr, size } => Inst::Rare(RareInst::Realloc {
                dst: self.place(*dst),
                addr: self.term(*addr),
                size: self.term(*size),
            }),
            Op::Free { addr, kind } => {
                Inst::Rare(RareInst::Free { addr: self.term(*addr), kind: *kind })
            }
            Op::Call { dst, callee, args } => Inst::Call(self.call(callee, args, *dst)),
            Op::Return { value } => {
                Inst::Return { value: value.map(|value| self.sorted_term(value)) }
            }
            Op::Start { dst, routine, args } => {
                Inst::Rare(RareInst::Start(self.call(routine, args, Some(*dst))))
            }
            Op::Join { handle, dst } => {
                Inst::Join { handle: self.term(*handle), dst: dst.map(|dst| self.place(dst)) }
            }
            Op::ThreadExit { value } => Inst::ThreadExit { value: self.term(*value) },
            Op::ThreadSelf { dst } => Inst::Rare(RareInst::ThreadSelf { dst: self.place(*dst) }),
            Op::Inspect { dst, addr, fact } => Inst::Rare(RareInst::Inspect {
                dst: self.place(*dst),
                addr: self.term(*addr),
                fact: *fact,
            }),
            Op::Sync { op, args, dst } => Inst::Sync(Box::new(SyncInst {
                op: *op,
                args: args.iter().map(|&arg| self.term(arg)).collect(),
                dst: dst.map(|dst| self.place(dst)),
            })),
            Op::AtomicBegin => Inst::Rare(RareInst::AtomicBegin),
            Op::AtomicEnd => Inst::Rare(RareInst::AtomicEnd),
            Op::Print { args } => {
                Inst::Rare(RareInst::Print(args.iter().map(|&arg| self.sorted_term(arg)).collect()))
            }
            // What the function may have done is not known well enough to show it.
            Op::External { function, assumed: Assumed::NoModel, .. } => {
                Inst::Rare(RareInst::NoModel(*function))
            }
            Op::External { .. } | Op::Claim(_) => return,
            Op::Error(kind) => Inst::Rare(RareInst::Error(*kind)),
            Op::Exit { status } => Inst::Rare(RareInst::Exit { status: self.term(*status) }),
            Op::Abort => Inst::Rare(RareInst::Abort),
            Op::Unsupported(gap) => Inst::Rare(RareInst::Unsupported(*gap)),
            // `labels` takes choices apart before.
            Op::Choice(_) => return,
        };
        self.push(inst, label.pos);
    }
}
