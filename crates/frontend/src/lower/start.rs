//! The start of the program: constructors and `main` with its arguments (C11 5.1.2.2.1); and its end.

use ravelin_base::{SrcPos, Symbol};
use ravelin_cfa::access::for_each_term;
use ravelin_cfa::{
    AllocKind, Callee, HavocKind, Init, Label, Loc, MemoryOrder, ObjectData, ObjectKind, Op, Proc,
    Procedure, Sort, Term, Var, VarData, VarKind,
};
use ravelin_term::{BinOp, TermKind};
use rustc_hash::FxHashSet;

use super::Lowerer;
use super::body::tidy;
use super::global::{Definition, Function};
use super::linkage::StartTarget;
use super::reconcile::replace_edge;
use super::scope::Storage;
use crate::types::TypeKind;

/// As many pointers fill half of a 32-bit address space.
const MAX_ARGUMENTS: u128 = 1 << 29;

/// Linux passes no longer strings, the zero included (`MAX_ARG_STRLEN`).
const MAX_ARGUMENT_BYTES: u128 = 1 << 17;

/// Numbers that libc defines, in programs that declare them by hand.
const VARIABLES_OF_SYSTEM: &[&str] = &[
    "__daylight",
    "__timezone",
    "daylight",
    "errno",
    "getdate_err",
    "h_errno",
    "loc1",
    "optarg",
    "opterr",
    "optind",
    "optopt",
    "optreset",
    "signgam",
    "svc_fdset",
    "sys_nerr",
    "timezone",
];

/// Arguments up to this number are made one by one, if no others are used.
const FEW: u128 = 8;

/// Which elements of an array are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Elements {
    None,
    /// Those up to this index.
    UpTo(u128),
    All,
}

/// The procedure that calls `main`, in the making.
struct Start {
    proc: Proc,
    graph: Procedure,
    here: Loc,
    pos: SrcPos,
}

impl Start {
    fn emit(&mut self, op: Op) {
        let next = self.graph.add_loc();
        self.graph.add_edge(self.here, next, [Label::new(op, self.pos)]);
        self.here = next;
    }

    /// Goes on at the first location where the condition holds, and at the second otherwise.
    fn branch(&mut self, program: &mut ravelin_cfa::Program, condition: Term) -> (Loc, Loc) {
        let negation = program.terms.not(condition);
        let (yes, no) = (self.graph.add_loc(), self.graph.add_loc());
        self.graph.add_edge(self.here, yes, [Label::new(Op::Assume(condition), self.pos)]);
        self.graph.add_edge(self.here, no, [Label::new(Op::Assume(negation), self.pos)]);
        (yes, no)
    }
}

impl Lowerer<'_> {
    /// Makes `main` the entry; one that takes arguments gets a procedure that provides them.
    pub fn make_start(&mut self, finish: Option<Proc>) {
        let name = self.intern("main");
        let Some(main) = self.linked_function(name) else { return };
        let Some(proc) = self.functions[main].proc.filter(|_| self.functions[main].defined) else {
            return;
        };
        let constructors = self.in_order(|function| function.constructor);
        let undefined = self.undefined_variables();
        let main_takes_nothing = self.program.procs[proc].params.is_empty();
        let nothing_to_link =
            self.link_time.resolvers.is_empty() && self.link_time.stores.is_empty();
        if main_takes_nothing
            && constructors.is_empty()
            && finish.is_none()
            && self.jumps.is_none()
            && nothing_to_link
            && undefined.is_empty()
        {
            self.program.entry = Some(proc);
            return;
        }
        let pos = self.program.procs[proc].pos;
        let start_name = self.intern("%start");
        let graph = Procedure::new(start_name, pos);
        let here = graph.entry;
        let id = self.program.procs.push(Procedure::new(start_name, pos));
        let mut start = Start { proc: id, graph, here, pos };
        for (dst, is_bool) in undefined {
            start.emit(Op::Havoc { dst, kind: HavocKind::Uninitialised });
            if is_bool {
                let any = self.program.read(dst);
                let value = self.low_bit(any);
                start.emit(Op::Assign { dst, value });
            }
        }
        self.fix_link_time(&mut start);
        for constructor in constructors {
            let callee = Callee::Direct(constructor);
            start.emit(Op::Call { dst: None, callee, args: Vec::new() });
        }
        let args = self.arguments_of_main(proc, &mut start);
        let result = self.program.procs[proc].result;
        let dst = result.map(|sort| self.start_var(&start, "%", sort));
        start.emit(Op::Call { dst, callee: Callee::Direct(proc), args });
        if let Some(finish) = finish {
            let zero = self.program.terms.bv(32, 0);
            let status = dst.map_or(zero, |dst| self.program.read(dst));
            let status = match self.program.terms.sort(status) {
                Sort::Bv(_) => self.program.terms.resize(status, 32, true),
                _ => zero,
            };
            let callee = Callee::Direct(finish);
            start.emit(Op::Call { dst: None, callee, args: vec![status] });
        }
        let value = dst.map(|dst| self.program.read(dst));
        let Start { proc: id, mut graph, here, .. } = start;
        let exit = graph.exit;
        graph.add_edge(here, exit, [Label::new(Op::Return { value }, pos)]);
        graph.result = result;
        self.end_jumps(&mut graph);
        tidy(&mut graph);
        self.program.procs[id] = graph;
        self.program.entry = Some(id);
    }

    /// The variables that the program reads and declares but does not define, with whether they are
    /// `_Bool`. They hold anything at the start. Variables of the system have unknown values, and
    /// no counterexample depends on them.
    fn undefined_variables(&self) -> Vec<(Var, bool)> {
        let mut undefined: Vec<(Var, bool)> = Vec::new();
        for global in self.globals.values() {
            let Storage::Var(var) = global.storage else { continue };
            let VarData { name, sort, ref kind, .. } = self.program.vars[var];
            let is_number = matches!(sort, Sort::Bv(_) | Sort::Float(_));
            let is_open = matches!(kind, VarKind::Global { init: None, .. });
            if global.state == Definition::Declared
                && !global.is_system
                && is_number
                && is_open
                && !VARIABLES_OF_SYSTEM.contains(&self.program.name(name))
            {
                undefined.push((var, self.types.kind(global.ty) == &TypeKind::Bool));
            }
        }
        if undefined.is_empty() {
            return undefined;
        }
        let mut read: FxHashSet<Var> = FxHashSet::default();
        for procedure in self.program.procs.values() {
            for label in procedure.edges.values().flat_map(|edge| &edge.labels) {
                label.walk(&mut |label| {
                    for_each_term(&label.op, |term| read.extend(self.program.terms.vars_of(term)));
                });
            }
        }
        undefined.retain(|(var, _)| read.contains(var));
        undefined
    }

    /// The work of the loader: it runs the functions that select functions, and stores the values
    /// that the linker left open.
    fn fix_link_time(&mut self, start: &mut Start) {
        for (var, resolver) in std::mem::take(&mut self.link_time.resolvers) {
            let Some(proc) = self.functions[resolver].proc else { continue };
            if self.program.procs[proc].result != Some(Sort::Ptr) {
                continue;
            }
            let dst = self.start_var(start, "%", Sort::Ptr);
            start.emit(Op::Call { dst: Some(dst), callee: Callee::Direct(proc), args: Vec::new() });
            let value = self.program.read(dst);
            start.emit(Op::Assign { dst: var, value });
        }
        for (target, value) in std::mem::take(&mut self.link_time.stores) {
            match target {
                StartTarget::Var(dst) => start.emit(Op::Assign { dst, value }),
                StartTarget::At(object, offset) => {
                    let base = self.program.terms.address(object);
                    let addr = self.program.terms.ptr_add_const(base, offset);
                    let order = MemoryOrder::Plain;
                    start.emit(Op::Store { addr, value, order });
                }
            }
        }
    }

    fn start_var(&mut self, start: &Start, name: &str, sort: Sort) -> Var {
        let name = self.program.names.intern(name);
        self.named_start_var(start, name, sort, true)
    }

    fn named_start_var(&mut self, start: &Start, name: Symbol, sort: Sort, signed: bool) -> Var {
        let kind = VarKind::Local(start.proc);
        self.program.vars.push(VarData { name, sort, signed, kind, pos: start.pos })
    }

    /// C11 5.1.2.2.1p2: a number, and as many strings with a null pointer behind them. Linux adds the
    /// environment.
    fn arguments_of_main(&mut self, main: Proc, start: &mut Start) -> Vec<Term> {
        let mut args: Vec<Term> = Vec::new();
        let bits = self.program.terms.pointer_bits();
        let mut count = self.program.terms.bv(bits, 1);
        for (index, param) in self.program.procs[main].params.clone().into_iter().enumerate() {
            let VarData { name, sort, signed, .. } = self.program.vars[param];
            let var = match sort {
                // The array is none of the program's variables; `main` has one of its own for it.
                Sort::Ptr => self.start_var(start, "%strings", sort),
                _ => self.named_start_var(start, name, sort, signed),
            };
            let value = self.program.read(var);
            let used = self.elements_used(main, param);
            match (index, sort) {
                (0, Sort::Bv(width)) => {
                    self.bounded_input(start, var, 1, MAX_ARGUMENTS);
                    count = match width < bits {
                        true => self.program.terms.resize(value, bits, true),
                        false => self.program.terms.resize(value, bits, false),
                    };
                }
                (1, Sort::Ptr) => self.strings(start, var, count, true, used),
                (2, Sort::Ptr) if used != Elements::None => {
                    let number = self.start_var(start, "%environment", Sort::Bv(bits));
                    self.bounded_input(start, number, 0, MAX_ARGUMENTS);
                    let number = self.program.read(number);
                    self.strings(start, var, number, false, used);
                }
                // Further arguments of the implementation: anything.
                (_, _) => start.emit(Op::Havoc { dst: var, kind: HavocKind::Input(name) }),
            }
            args.push(value);
        }
        args
    }

    /// Which elements of the array that its parameter points to the procedure uses.
    fn elements_used(&self, proc: Proc, param: Var) -> Elements {
        let program = &self.program;
        let size = u128::from(program.terms.pointer_bits() / 8);
        let index_of = |address: Term| match program.terms.kind(address) {
            TermKind::Var(var) if var == param => Some(0),
            TermKind::Binary(BinOp::PtrAdd, base, offset)
                if program.terms.kind(base) == TermKind::Var(param) =>
            {
                let offset = program.terms.as_bv(offset)?;
                (offset % size == 0).then_some(offset / size).filter(|&index| index <= FEW)
            }
            _ => None,
        };
        let mut used = Elements::None;
        for edge in program.procs[proc].edges.values() {
            for label in &edge.labels {
                label.walk(&mut |label| {
                    let loaded = match label.op {
                        Op::Load { addr, .. } => index_of(addr),
                        _ => None,
                    };
                    let mut mentioned = false;
                    for_each_term(&label.op, |term| {
                        program.terms.for_each_subterm(term, |_, kind| {
                            mentioned |= kind == TermKind::Var(param);
                        });
                    });
                    if mentioned {
                        used = used.max(loaded.map_or(Elements::All, Elements::UpTo));
                    }
                });
            }
        }
        used
    }

    /// Any number from `least` to `most`. Numbers outside the range become `least`, so that no
    /// execution ends here.
    fn bounded_input(&mut self, start: &mut Start, dst: Var, least: u128, most: u128) {
        let VarData { name, sort, .. } = self.program.vars[dst];
        start.emit(Op::Havoc { dst, kind: HavocKind::Input(name) });
        let value = self.program.read(dst);
        let width = sort.width().unwrap_or(32);
        let (least, most) =
            (self.program.terms.bv(width, least), self.program.terms.bv(width, most));
        let above = self.program.terms.binary(BinOp::BvSle, least, value);
        let below = self.program.terms.binary(BinOp::BvSle, value, most);
        let fits = self.program.terms.and(above, below);
        let (kept, replaced) = start.branch(&mut self.program, fits);
        start.here = replaced;
        start.emit(Op::Assign { dst, value: least });
        start.graph.add_edge(start.here, kept, []);
        start.here = kept;
    }

    /// An array of `count` strings and a null pointer. `named`: the first is the name of the
    /// program. Unused strings are omitted.
    fn strings(&mut self, start: &mut Start, array: Var, count: Term, named: bool, used: Elements) {
        let order = MemoryOrder::Plain;
        let bits = self.program.terms.pointer_bits();
        let size = self.program.terms.bv(bits, u128::from(bits / 8));
        let end = self.program.terms.binary(BinOp::BvMul, count, size);
        let total = self.program.terms.binary(BinOp::BvAdd, end, size);
        start.emit(Op::Alloc { dst: array, size: total, kind: AllocKind::Stack });
        let base = self.program.read(array);
        if named {
            let name = self.intern("%string");
            let object = self.program.add_object(ObjectData {
                name,
                kind: ObjectKind::Constant,
                size: 8,
                align: 1,
                is_record: false,
                init: Init::Bytes(b"program\0".to_vec().into()),
                pos: start.pos,
            });
            let value = self.program.terms.address(object);
            start.emit(Op::Store { addr: base, value, order });
        }
        let addr = self.program.terms.ptr_add(base, end);
        let null = self.program.terms.null();
        start.emit(Op::Store { addr, value: null, order });
        let first = u128::from(named);
        match used {
            Elements::None => {}
            Elements::UpTo(last) => {
                for index in first..=last {
                    let at = self.program.terms.bv(bits, index);
                    let there = self.program.terms.binary(BinOp::BvSlt, at, count);
                    let (made, after) = start.branch(&mut self.program, there);
                    start.here = made;
                    self.string(start, base, at);
                    start.graph.add_edge(start.here, after, []);
                    start.here = after;
                }
            }
            Elements::All => {
                let index = self.start_var(start, "%index", Sort::Bv(bits));
                let value = self.program.terms.bv(bits, first);
                start.emit(Op::Assign { dst: index, value });
                let head = start.here;
                let at = self.program.read(index);
                let more = self.program.terms.binary(BinOp::BvSlt, at, count);
                let (body, after) = start.branch(&mut self.program, more);
                start.here = body;
                self.string(start, base, at);
                let one = self.program.terms.bv(bits, 1);
                let value = self.program.terms.binary(BinOp::BvAdd, at, one);
                start.emit(Op::Assign { dst: index, value });
                start.graph.add_edge(start.here, head, []);
                start.here = after;
            }
        }
    }

    /// A string of any length and contents, to which the element `at` of the array points.
    fn string(&mut self, start: &mut Start, array: Term, at: Term) {
        let order = MemoryOrder::Plain;
        let bits = self.program.terms.pointer_bits();
        let length = self.start_var(start, "%length", Sort::Bv(bits));
        self.bounded_input(start, length, 1, MAX_ARGUMENT_BYTES);
        let bytes = self.program.read(length);
        let string = self.start_var(start, "%argument", Sort::Ptr);
        start.emit(Op::Alloc { dst: string, size: bytes, kind: AllocKind::Stack });
        let value = self.program.read(string);
        let one = self.program.terms.bv(bits, 1);
        let last = self.program.terms.binary(BinOp::BvSub, bytes, one);
        let addr = self.program.terms.ptr_add(value, last);
        let zero = self.program.terms.bv(8, 0);
        start.emit(Op::Store { addr, value: zero, order });
        let size = self.program.terms.bv(bits, u128::from(bits / 8));
        let offset = self.program.terms.binary(BinOp::BvMul, at, size);
        let addr = self.program.terms.ptr_add(array, offset);
        start.emit(Op::Store { addr, value, order });
    }

    /// The defined functions that have a priority, lower ones first and otherwise in the order of their
    /// definitions, over all units: so the linker sorts them.
    fn in_order(&self, priority: impl Fn(&Function) -> Option<u16>) -> Vec<Proc> {
        let mut chosen: Vec<(u16, u32, Proc)> = self
            .functions
            .values()
            .filter_map(|function| Some((priority(function)?, function.place?, function.proc?)))
            .collect();
        chosen.sort();
        chosen.into_iter().map(|(.., proc)| proc).collect()
    }

    /// The actions before the program ends by `exit` or the end of `main` (C11 7.22.4.4): functions
    /// registered by `atexit`, then destructor functions in reverse order. `None` if there are
    /// none; otherwise `exit` calls it, too.
    pub fn make_finish(&mut self) -> Option<Proc> {
        let registered = self.defined_library("__ravelin_run_exit_functions");
        let mut destructors = self.in_order(|function| function.destructor);
        destructors.reverse();
        if registered.is_none() && destructors.is_empty() {
            return None;
        }
        let main = self.intern("main");
        let main = self.linked_function(main).and_then(|main| self.functions[main].proc);
        let pos = main.map_or(SrcPos::NONE, |main| self.program.procs[main].pos);
        let name = self.intern("%finish");
        let mut graph = Procedure::new(name, pos);
        let finish = self.program.procs.push(Procedure::new(name, pos));
        let kind = VarKind::Local(finish);
        let sort = Sort::Bv(32);
        let status = self.program.vars.push(VarData { name, sort, signed: true, kind, pos });
        graph.params.push(status);
        let status = self.program.read(status);
        let registered = registered.map(|proc| (proc, vec![status]));
        let mut here = graph.entry;
        for (callee, args) in
            registered.into_iter().chain(destructors.into_iter().map(|proc| (proc, Vec::new())))
        {
            let next = graph.add_loc();
            let op = Op::Call { dst: None, callee: Callee::Direct(callee), args };
            graph.add_edge(here, next, [Label::new(op, pos)]);
            here = next;
        }
        let exit = graph.exit;
        graph.add_edge(here, exit, [Label::new(Op::Return { value: None }, pos)]);
        self.end_jumps(&mut graph);
        self.program.procs[finish] = graph;
        self.finish_before_exit(finish);
        Some(finish)
    }

    /// `exit` first runs these actions; `_exit` and `_Exit` do not.
    fn finish_before_exit(&mut self, finish: Proc) {
        let at_once = ["_exit", "_Exit"].map(|name| self.defined_library(name));
        let procs: Vec<Proc> = self.program.procs.keys().collect();
        for proc in procs {
            if at_once.contains(&Some(proc)) {
                continue;
            }
            let edges: Vec<_> = self.program.procs[proc].edges.keys().collect();
            for edge in edges {
                let [Label { op: Op::Exit { status }, pos }] =
                    &self.program.procs[proc].edges[edge].labels[..]
                else {
                    continue;
                };
                let (status, pos) = (*status, *pos);
                // The status is what it was before.
                let name = self.intern("%");
                let kind = VarKind::Local(proc);
                let var = VarData { name, sort: Sort::Bv(32), signed: true, kind, pos };
                let dst = self.program.vars.push(var);
                let kept = self.program.read(dst);
                let callee = Callee::Direct(finish);
                let ops = vec![
                    Op::Assign { dst, value: status },
                    Op::Call { dst: None, callee, args: vec![kept] },
                    Op::Exit { status: kept },
                ];
                replace_edge(&mut self.program, proc, edge, ops, pos);
            }
        }
    }
}
