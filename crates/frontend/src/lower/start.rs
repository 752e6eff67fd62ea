//! The start of the program: `main` with its arguments (C11 5.1.2.2.1), and its end.

use ravelin_base::SrcPos;
use ravelin_cfa::{
    AllocKind, Callee, HavocKind, Init, Label, MemoryOrder, ObjectData, ObjectKind, Op, Proc,
    Procedure, Sort, Term, Var, VarData, VarKind,
};
use ravelin_term::BinOp;

use super::Lowerer;
use super::global::Func;
use super::reconcile::replace_edge;

/// As many pointers fill half of a 32-bit address space.
const MAX_ARGUMENTS: u128 = 1 << 29;

impl Lowerer<'_> {
    /// Makes `main` the entry; one that takes arguments gets a procedure that provides them.
    pub fn make_start(&mut self, finish: Option<Proc>) {
        let name = self.intern("main");
        let Some(main) = self.linked_function(name) else { return };
        let Some(proc) = self.functions[main].proc.filter(|_| self.functions[main].defined) else {
            return;
        };
        let procs = |funcs: &[Func]| -> Vec<Proc> {
            funcs.iter().filter_map(|&func| self.functions[func].proc).collect()
        };
        let constructors = procs(&self.constructors);
        let main_takes_nothing = self.program.procs[proc].params.is_empty();
        let is_plain = main_takes_nothing && self.jumps.is_none();
        if is_plain && constructors.is_empty() && finish.is_none() {
            self.program.entry = Some(proc);
            return;
        }
        let pos = self.program.procs[proc].pos;
        let start_name = self.intern("%start");
        let mut graph = Procedure::new(start_name, pos);
        let start = self.program.procs.push(Procedure::new(start_name, pos));
        let mut here = graph.entry;
        let mut emit = |graph: &mut Procedure, op: Op| {
            let next = graph.add_loc();
            graph.add_edge(here, next, [Label::new(op, pos)]);
            here = next;
        };
        for constructor in constructors {
            let callee = Callee::Direct(constructor);
            emit(&mut graph, Op::Call { dst: None, callee, args: Vec::new() });
        }
        let params = self.program.procs[proc].params.clone();
        let mut args: Vec<Term> = Vec::new();
        let mut count: Option<Term> = None;
        for (index, param) in params.into_iter().enumerate() {
            let VarData { name, sort, signed, .. } = self.program.vars[param];
            let kind = VarKind::Local(start);
            let var: Var = self.program.vars.push(VarData { name, sort, signed, kind, pos });
            let value = self.program.read(var);
            match (index, sort) {
                (0, Sort::Bv(width)) => {
                    // Any number of arguments that memory has room for, the program's name among
                    // them.
                    let input = HavocKind::Input(name);
                    emit(&mut graph, Op::Havoc { dst: var, kind: input });
                    let one = self.program.terms.bv(width, 1);
                    let most = self.program.terms.bv(width, MAX_ARGUMENTS);
                    let some = self.program.terms.binary(BinOp::BvSle, one, value);
                    let fit = self.program.terms.binary(BinOp::BvSle, value, most);
                    let possible = self.program.terms.and(some, fit);
                    emit(&mut graph, Op::Assume(possible));
                    count = Some(value);
                }
                (1, Sort::Ptr) => {
                    // The strings are unknown, but for the first, and a null pointer ends them.
                    let bits = self.program.terms.pointer_bits();
                    let bytes = u128::from(bits / 8);
                    let one = self.program.terms.bv(bits, 1);
                    let count = match count {
                        Some(count) => self.program.terms.resize(count, bits, true),
                        None => one,
                    };
                    let size = self.program.terms.bv(bits, bytes);
                    let end = self.program.terms.binary(BinOp::BvMul, count, size);
                    let total = self.program.terms.binary(BinOp::BvAdd, end, size);
                    emit(&mut graph, Op::Alloc { dst: var, size: total, kind: AllocKind::Stack });
                    let string = self.intern("%string");
                    let object = self.program.add_object(ObjectData {
                        name: string,
                        kind: ObjectKind::Constant,
                        size: 8,
                        align: 1,
                        init: Init::Bytes(b"program\0".to_vec().into()),
                        pos,
                    });
                    let first = self.program.terms.address(object);
                    let order = MemoryOrder::Plain;
                    emit(&mut graph, Op::Store { addr: value, value: first, order });
                    let addr = self.program.terms.ptr_add(value, end);
                    let null = self.program.terms.null();
                    emit(&mut graph, Op::Store { addr, value: null, order });
                }
                // `envp` and what else an implementation passes: anything.
                (_, _) => {
                    let kind = HavocKind::Input(name);
                    emit(&mut graph, Op::Havoc { dst: var, kind });
                }
            }
            args.push(value);
        }
        let result = self.program.procs[proc].result;
        let dst = result.map(|sort| {
            let name = self.program.names.intern("%");
            let kind = VarKind::Local(start);
            self.program.vars.push(VarData { name, sort, signed: true, kind, pos })
        });
        emit(&mut graph, Op::Call { dst, callee: Callee::Direct(proc), args });
        if let Some(finish) = finish {
            let zero = self.program.terms.bv(32, 0);
            let status = dst.map_or(zero, |dst| self.program.read(dst));
            let status = match self.program.terms.sort(status) {
                Sort::Bv(_) => self.program.terms.resize(status, 32, true),
                _ => zero,
            };
            emit(
                &mut graph,
                Op::Call { dst: None, callee: Callee::Direct(finish), args: vec![status] },
            );
        }
        let value = dst.map(|dst| self.program.read(dst));
        let exit = graph.exit;
        graph.add_edge(here, exit, [Label::new(Op::Return { value }, pos)]);
        graph.result = result;
        self.end_jumps(&mut graph);
        self.program.procs[start] = graph;
        self.program.entry = Some(start);
    }

    /// What happens before the program ends by `exit` or the end of `main` (C11 7.22.4.4): functions registered by
    /// `atexit`, then destructor functions in reverse order. `None` if there are none; otherwise `exit` calls it, too.
    pub fn make_finish(&mut self) -> Option<Proc> {
        let registered = self.defined_library("__ravelin_run_exit_functions");
        let functions = self.destructors.iter().rev();
        let destructors: Vec<Proc> =
            functions.filter_map(|&func| self.functions[func].proc).collect();
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

    /// `exit` first does what is to be done; `_exit` and `_Exit` do not.
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
