//! From procedures of the automaton to [`ProcCode`].

use ravelin_base::{EntityRef, EntitySet, PrimaryMap, SecondaryMap, SrcPos};
use ravelin_cfa::access::{Access, for_each_access};
use ravelin_cfa::effects::may_trap;
use ravelin_cfa::{
    Assumed, Callee, Edge, Gap, HavocKind, Label, Loc, Object, Op, Proc, Procedure, Program, Sort,
    Term, Var,
};
use ravelin_term::{BinOp, FloatKind, TermKind, term_kinds};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::code::{
    Beyond, CallInst, CalleeCode, Compiled, Domain, Inst, Nature, ObjectSlot, Place, ProcCode,
    RareInst, ResultPlace, Slots, Src, SyncInst,
};
use crate::eval::low_address;
use crate::inputs::Inputs;
use crate::live;
use crate::unset;
use crate::visible::Visibility;
use crate::word;

/// Compiles a whole program.
pub(crate) fn compile<'p>(program: &'p Program, visibility: &Visibility<'_>) -> Compiled<'p> {
    let mut compiled = name(program);
    let inputs = Inputs::new(program);
    let procs: Vec<Proc> = program.procs.keys().collect();
    for var in program.vars.keys() {
        if compiled.unset_bits[var].is_some() {
            compiled.unset_domains[var] = compiled.domains.len() as u32;
            compiled.domains.push(inputs.domain(var));
        }
    }
    for proc in procs {
        let code = Compiler {
            program,
            names: &compiled,
            visibility,
            inputs: &inputs,
            proc,
            code: compiled.procs[proc].clone(),
            domains: Vec::new(),
            first_domain: compiled.domains.len(),
            start_sites: compiled.start_sites,
            temps: 0,
            next_temp: 0,
            memo: FxHashMap::default(),
            loc: 0,
            edge: None,
            pos: program.procs[proc].pos,
        }
        .procedure();
        let Compiler { mut code, domains, start_sites, temps, .. } = code;
        code.is_quiet = code.objects.iter().all(|&object| !visibility.is_shared_object(object));
        let vars = &compiled.slots.frames[proc].vars;
        live::compute(&mut code, program, &compiled.slots.places, vars);
        compiled.procs[proc] = code;
        compiled.domains.extend(domains);
        compiled.start_sites = start_sites;
        compiled.temps = compiled.temps.max(temps);
    }
    compiled
}

/// Gives every variable and object its place.
fn name(program: &Program) -> Compiled<'_> {
    let slots = Slots::new(program);
    let mut procs: PrimaryMap<Proc, ProcCode> = slots
        .frames
        .values()
        .map(|frame| ProcCode {
            vars: frame.vars.len() as u32,
            objects: frame.objects.clone(),
            ..ProcCode::default()
        })
        .collect();
    let mut unset_bits: PrimaryMap<Var, Option<u32>> = program.vars.keys().map(|_| None).collect();
    for (proc, code) in procs.iter_mut() {
        code.params = program.procs[proc]
            .params
            .iter()
            .map(|&param| match slots.places[param] {
                Place::Local(slot) => (slot, program.vars[param].sort),
                // Parameters are local variables: `verify` sees to it.
                Place::Global(_) | Place::ThreadLocal(_) => (0, program.vars[param].sort),
            })
            .collect();
        for (bit, var) in unset::read_before_set(program, proc).into_iter().enumerate() {
            if let Place::Local(slot) = slots.places[var] {
                unset_bits[var] = Some(bit as u32);
                code.unset.push(slot);
            }
        }
        code.masks = code.unset.len().div_ceil(64) as u32;
    }
    Compiled {
        program,
        procs,
        slots,
        domains: Vec::new(),
        start_sites: 0,
        temps: 0,
        unset_bits,
        unset_domains: program.vars.keys().map(|_| 0).collect(),
        open_global: unset::open_global(program),
    }
}

/// Whether a value of the sort does not fit into a word.
pub(crate) fn is_wide(sort: Sort) -> bool {
    match sort {
        Sort::Bool | Sort::Ptr => false,
        Sort::Bv(width) => width > 64,
        Sort::Float(FloatKind::F32 | FloatKind::F64) => false,
        Sort::Float(FloatKind::F80 | FloatKind::F128) | Sort::Mem => true,
    }
}

struct Compiler<'a> {
    program: &'a Program,
    names: &'a Compiled<'a>,
    visibility: &'a Visibility<'a>,
    inputs: &'a Inputs<'a>,
    proc: Proc,
    code: ProcCode,
    domains: Vec<Domain>,
    first_domain: usize,
    start_sites: u32,
    temps: u32,
    next_temp: u32,
    /// What the subterms of the label at hand were computed into.
    memo: FxHashMap<Term, Src>,
    loc: u32,
    edge: Option<u32>,
    pos: SrcPos,
}

impl<'a> Compiler<'a> {
    fn procedure(mut self) -> Self {
        let program = self.program;
        let procedure = &program.procs[self.proc];
        let mut starts: SecondaryMap<Loc, u32> = SecondaryMap::with_capacity(procedure.locs.len());
        for (loc, data) in procedure.locs.iter() {
            self.loc = loc.as_u32();
            starts[loc] = self.code.insts.len() as u32;
            self.pos = procedure.pos;
            self.edge = None;
            match data.out.as_slice() {
                [] if loc == procedure.exit => {
                    self.push(Inst::Begin(Nature { returns: true, ..Nature::default() }));
                    self.push(Inst::Return { value: None });
                }
                [] => {
                    self.push(Inst::Begin(Nature::default()));
                    self.push(Inst::from(RareInst::NoWayOn));
                }
                [edge] => self.edge(procedure, *edge, None),
                edges => {
                    for &edge in edges {
                        self.guarded_edge(procedure, edge);
                    }
                    self.push(Inst::from(RareInst::NoWayOn));
                }
            }
        }
        for inst in &mut self.code.insts {
            if let Inst::EndEdge { target } = inst {
                *target = starts[Loc::new(*target as usize)];
            }
        }
        self.code.entry = starts[procedure.entry];
        self
    }

    fn push(&mut self, inst: Inst) -> usize {
        self.code.insts.push(inst);
        self.code.infos.push(self.pos);
        self.code.locs.push(self.loc);
        self.code.edges.push(self.edge);
        self.code.insts.len() - 1
    }

    /// One of several edges of a location: its first assumption decides whether it is taken.
    fn guarded_edge(&mut self, procedure: &Procedure, edge: Edge) {
        let guard = match procedure.edges[edge].labels.first() {
            Some(Label { op: Op::Assume(cond), pos }) => Some((*cond, *pos)),
            Some(_) | None => None,
        };
        self.edge = Some(edge.as_u32());
        let guard = guard.map(|(cond, pos)| self.guard(cond, pos));
        self.edge(procedure, edge, guard);
    }

    fn guard(&mut self, cond: Term, pos: SrcPos) -> usize {
        self.pos = pos;
        self.begin_label();
        let cond = self.src(cond);
        self.push(Inst::Guard { cond, otherwise: 0 })
    }

    /// The labels of an edge after its guard, if it has one.
    fn edge(&mut self, procedure: &Procedure, edge: Edge, guard: Option<usize>) {
        let data = &procedure.edges[edge];
        self.edge = Some(edge.as_u32());
        let nature = self.nature(&data.labels);
        self.push(Inst::Begin(nature));
        self.labels(&data.labels[usize::from(guard.is_some())..]);
        // The location stands in until all of them have a place.
        self.push(Inst::EndEdge { target: data.target.index() as u32 });
        if let Some(guard) = guard {
            self.set_otherwise(guard);
        }
    }

    fn nature(&self, labels: &[Label]) -> Nature {
        let mut nature = Nature::default();
        for label in labels {
            label.walk(&mut |label| {
                nature.visible |= self.visibility.is_visible(&label.op);
                nature.draws |= matches!(label.op, Op::Havoc { .. });
                nature.returns |= matches!(label.op, Op::Return { .. });
                nature.exits |= matches!(label.op, Op::ThreadExit { .. });
            });
        }
        nature
    }

    /// Makes a guard that fails go on here.
    fn set_otherwise(&mut self, guard: usize) {
        let here = self.code.insts.len() as u32;
        if let Inst::Guard { otherwise, .. } = &mut self.code.insts[guard] {
            *otherwise = here;
        }
    }

    fn labels(&mut self, labels: &[Label]) {
        for label in labels {
            match &label.op {
                // Block encoding bounds how deep choices nest.
                Op::Choice(branches) => self.choice(branches, label.pos),
                _ => self.label(label),
            }
        }
    }

    fn choice(&mut self, branches: &[Vec<Label>], pos: SrcPos) {
        let mut jumps = Vec::new();
        for branch in branches {
            let (guard, rest) = match branch.as_slice() {
                [Label { op: Op::Assume(cond), pos }, rest @ ..] => {
                    (Some(self.guard(*cond, *pos)), rest)
                }
                labels => (None, labels),
            };
            self.labels(rest);
            jumps.push(self.push(Inst::Jump(0)));
            if let Some(guard) = guard {
                self.set_otherwise(guard);
            }
        }
        self.pos = pos;
        self.push(Inst::from(RareInst::NoWayOn));
        let here = self.code.insts.len() as u32;
        for jump in jumps {
            self.code.insts[jump] = Inst::Jump(here);
        }
    }

    /// Values of terms do not outlive the label that computes them.
    fn begin_label(&mut self) {
        self.memo.clear();
        self.next_temp = 0;
    }

    fn temp(&mut self) -> u32 {
        self.next_temp += 1;
        self.temps = self.temps.max(self.next_temp);
        self.next_temp - 1
    }

    fn place(&self, var: Var) -> Place {
        self.names.slots.places[var]
    }

    /// A term that needs no instruction.
    fn leaf(&self, term: Term) -> Option<Src> {
        match self.program.terms.kind(term) {
            TermKind::Bool(value) => Some(Src::Const(value.into())),
            TermKind::Bv(bits) | TermKind::Float(bits) => Some(Src::Const(bits as u64)),
            TermKind::Null => Some(Src::Const(0)),
            TermKind::Var(var) => Some(match self.place(var) {
                Place::Local(slot) => Src::Local(slot),
                Place::Global(index) => Src::Global(index),
                Place::ThreadLocal(index) => Src::ThreadLocal(index),
            }),
            TermKind::Address(object) => Some(self.address(object)),
            // Verified automata have no terms about memory.
            TermKind::Read(..) | TermKind::Write(..) => Some(Src::Const(0)),
            TermKind::Unary(..) | TermKind::Binary(..) | TermKind::Ite(..) => None,
        }
    }

    fn address(&self, object: Object) -> Src {
        match self.names.slots.object_slots[object] {
            ObjectSlot::Static(index) => Src::Const(word::pointer(index, 0)),
            ObjectSlot::ThreadLocal(index) => Src::ThreadObject(index),
            ObjectSlot::Local(index) => Src::LocalObject(self.code.first_object() as u32 + index),
        }
    }

    /// Whether the order of evaluation matters, or that something is not evaluated.
    fn needs_order(&self, term: Term) -> bool {
        let terms = &self.program.terms;
        let (mut unset, mut local_object, mut chooses) = (false, false, false);
        terms.for_each_subterm(term, |_, kind| match kind {
            TermKind::Var(var) => unset |= self.names.unset_bits[var].is_some(),
            TermKind::Address(object) => {
                local_object |=
                    matches!(self.names.slots.object_slots[object], ObjectSlot::Local(_));
            }
            TermKind::Ite(..)
            | TermKind::Binary(ravelin_term::BinOp::And | ravelin_term::BinOp::Or, ..) => {
                chooses = true;
            }
            term_kinds!(constants)
            | TermKind::Unary(..)
            | TermKind::Binary(..)
            | TermKind::Read(..)
            | TermKind::Write(..) => {}
        });
        unset || local_object && chooses || may_trap(terms, term)
    }

    /// Code for a term of the label at hand.
    fn src(&mut self, root: Term) -> Src {
        let terms = &self.program.terms;
        let mut wide = false;
        terms.for_each_subterm(root, |term, _| wide |= is_wide(terms.sort(term)));
        if wide {
            self.push(Inst::from(RareInst::Beyond(Beyond::WideValue)));
            return Src::Const(0);
        }
        if self.needs_order(root) {
            let to = self.temp();
            self.push(Inst::Slow { term: root, to });
            return Src::Temp(to);
        }
        if let Some(src) = self.leaf(root) {
            return src;
        }
        // Operands first, without recursion: terms may nest deeper than a stack is.
        let mut work = vec![root];
        while let Some(&term) = work.last() {
            if self.memo.contains_key(&term) {
                work.pop();
                continue;
            }
            let pending = work.len();
            let masked = match terms.kind(term) {
                TermKind::Binary(BinOp::BvAnd, a, b) => low_address(terms, a, b),
                _ => None,
            };
            // Of an address that is masked, no more is seen than that.
            let children: SmallVec<[Term; 3]> = match masked {
                Some((pointer, _)) => smallvec![pointer],
                None => terms.children(term).collect(),
            };
            for child in children {
                if self.leaf(child).is_none() && !self.memo.contains_key(&child) {
                    work.push(child);
                }
            }
            if work.len() > pending {
                continue;
            }
            work.pop();
            let to = self.temp();
            let get = |this: &Self, term: Term| {
                this.leaf(term).or_else(|| this.memo.get(&term).copied()).unwrap_or(Src::Const(0))
            };
            let inst = match terms.kind(term) {
                TermKind::Unary(op, a) => {
                    Inst::Unary { op, sort: terms.sort(a), a: get(self, a), to }
                }
                TermKind::Binary(BinOp::BvAnd, a, b) if low_address(terms, a, b).is_some() => {
                    let (pointer, mask) = low_address(terms, a, b).unwrap_or((a, 0));
                    Inst::LowAddress { a: get(self, pointer), mask, to }
                }
                TermKind::Binary(op, a, b) => Inst::Binary {
                    op,
                    sort: terms.sort(a),
                    sort_b: terms.sort(b),
                    a: get(self, a),
                    b: get(self, b),
                    to,
                },
                TermKind::Ite(cond, a, b) => {
                    Inst::Select { cond: get(self, cond), a: get(self, a), b: get(self, b), to }
                }
                term_kinds!(leaves) | TermKind::Read(..) | TermKind::Write(..) => continue,
            };
            self.push(inst);
            self.memo.insert(term, Src::Temp(to));
        }
        self.memo.get(&root).copied().unwrap_or(Src::Const(0))
    }

    fn sorted(&mut self, term: Term) -> (Src, Sort) {
        (self.src(term), self.program.terms.sort(term))
    }

    fn call(&mut self, callee: &Callee, args: &[Term], dst: Option<Var>) -> Box<CallInst> {
        let callee = match callee {
            Callee::Direct(proc) => CalleeCode::Direct(*proc),
            Callee::Pointer(term) => CalleeCode::Pointer(self.src(*term)),
        };
        let args = args.iter().map(|&arg| self.sorted(arg)).collect();
        let dst = dst.map(|var| ResultPlace {
            place: self.place(var),
            sort: self.program.vars[var].sort,
            bit: self.names.unset_bits[var],
        });
        Box::new(CallInst { callee, args, dst, site: 0 })
    }

    fn label(&mut self, label: &Label) {
        self.pos = label.pos;
        self.begin_label();
        if self.inputs.is_ignored(&label.op) {
            return;
        }
        let mut wide = label.op.dst().is_some_and(|dst| is_wide(self.program.vars[dst].sort));
        for_each_access(&label.op, &mut |access| {
            if let Access::Evaluate(term) = access {
                wide |= is_wide(self.program.terms.sort(term));
            }
        });
        if wide {
            self.push(Inst::from(RareInst::Beyond(Beyond::WideValue)));
            return;
        }
        let inst = match &label.op {
            Op::External { function, assumed: Assumed::NoModel, .. } => {
                Inst::from(RareInst::NoModel(*function))
            }
            // Output changes nothing that the program can see.
            Op::Skip | Op::Print { .. } | Op::External { .. } | Op::Claim(_) => return,
            Op::Assume(cond) => Inst::Assume(self.src(*cond)),
            Op::Assign { dst, value } => {
                let value = self.src(*value);
                Inst::Assign { dst: self.place(*dst), value }
            }
            Op::Havoc { kind: HavocKind::NotModelled(what), .. } => {
                Inst::from(RareInst::Unsupported(Gap::NotModelled(*what)))
            }
            Op::Havoc { dst, kind: _ } => {
                let domain = (self.first_domain + self.domains.len()) as u32;
                let sort = self.program.vars[*dst].sort;
                self.domains.push(self.inputs.domain(*dst));
                Inst::Havoc { dst: self.place(*dst), domain, sort }
            }
            Op::Load { dst, addr, order: _ } => Inst::Load {
                dst: self.place(*dst),
                sort: self.program.vars[*dst].sort,
                addr: self.src(*addr),
            },
            Op::Store { addr, value, order: _ } => {
                let addr = self.src(*addr);
                let (value, sort) = self.sorted(*value);
                Inst::Store { addr, value, sort }
            }
            Op::Copy { dst, src, size } => Inst::from(RareInst::Copy {
                dst: self.src(*dst),
                src: self.src(*src),
                size: self.src(*size),
            }),
            Op::Fill { dst, byte, size } => Inst::from(RareInst::Fill {
                dst: self.src(*dst),
                byte: self.src(*byte),
                size: self.src(*size),
            }),
            Op::HavocMemory { pointers: _ } => Inst::from(RareInst::HavocMemory),
            Op::ScopeBegin(object) => match self.local_slot(*object) {
                Some(slot) => Inst::from(RareInst::ScopeBegin { slot, object: *object }),
                None => return,
            },
            Op::ScopeEnd(object) => match self.local_slot(*object) {
                Some(slot) => Inst::from(RareInst::ScopeEnd { slot }),
                None => return,
            },
            Op::Alloc { dst, size, kind } => Inst::from(RareInst::Alloc {
                dst: self.place(*dst),
                size: self.src(*size),
                kind: *kind,
            }),
            Op::Realloc { dst, addr, size } => Inst::from(RareInst::Realloc {
                dst: self.place(*dst),
                addr: self.src(*addr),
                size: self.src(*size),
            }),
            Op::Free { addr, kind } => {
                Inst::from(RareInst::Free { addr: self.src(*addr), kind: *kind })
            }
            Op::Call { dst, callee, args } => {
                let call = self.call(callee, args, *dst);
                if call.dst.is_some_and(|dst| matches!(dst.place, Place::Global(_))) {
                    Inst::from(RareInst::Beyond(Beyond::GlobalResult))
                } else {
                    Inst::Call(call)
                }
            }
            Op::Return { value } => Inst::Return { value: value.map(|value| self.sorted(value)) },
            Op::Start { dst, routine, args } => {
                let mut call = self.call(routine, args, Some(*dst));
                call.site = self.start_sites;
                self.start_sites += 1;
                Inst::from(RareInst::Start(call))
            }
            Op::Join { handle, dst } => {
                Inst::Join { handle: self.src(*handle), dst: dst.map(|dst| self.place(dst)) }
            }
            Op::ThreadExit { value } => Inst::ThreadExit { value: self.src(*value) },
            Op::ThreadSelf { dst } => Inst::from(RareInst::ThreadSelf { dst: self.place(*dst) }),
            Op::Inspect { dst, addr, fact } => Inst::from(RareInst::Inspect {
                dst: self.place(*dst),
                addr: self.src(*addr),
                fact: *fact,
            }),
            Op::Sync { op, args, dst } => {
                let mut srcs = [Src::Const(0); 2];
                for (src, &arg) in srcs.iter_mut().zip(args) {
                    *src = self.src(arg);
                }
                let dst = dst.map(|dst| self.place(dst));
                Inst::Sync(Box::new(SyncInst { op: *op, args: srcs, dst }))
            }
            Op::AtomicBegin => Inst::from(RareInst::AtomicBegin),
            Op::AtomicEnd => Inst::from(RareInst::AtomicEnd),
            Op::Error(kind) => Inst::from(RareInst::Error(*kind)),
            Op::Exit { status } => Inst::from(RareInst::Exit { status: self.src(*status) }),
            Op::Abort => Inst::from(RareInst::Abort),
            Op::Unsupported(gap) => Inst::from(RareInst::Unsupported(*gap)),
            // `labels` takes choices apart before.
            Op::Choice(_) => return,
        };
        self.push(inst);
        let marked = label.op.dst().and_then(|dst| self.names.unset_bits[dst]);
        // The result of a call arrives later, and brings its mark along.
        if let Some(bit) = marked
            && !matches!(label.op, Op::Call { .. })
        {
            self.push(Inst::MarkSet { bit });
        }
    }

    fn local_slot(&self, object: Object) -> Option<u32> {
        match self.names.slots.object_slots[object] {
            ObjectSlot::Local(index) => Some(self.code.first_object() as u32 + index),
            ObjectSlot::Static(_) | ObjectSlot::ThreadLocal(_) => None,
        }
    }
}

/// The variables of a program as a set.
pub(crate) type VarSet = EntitySet<Var>;
