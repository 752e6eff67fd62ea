//! The start of the program: `main` with its arguments (C11 5.1.2.2.1).

use ravelin_cfa::{
    AllocKind, Callee, HavocKind, Init, Label, MemoryOrder, ObjectData, ObjectKind, Op, Proc,
    Procedure, Sort, Term, Var, VarData, VarKind,
};
use ravelin_term::BinOp;

use super::Lowerer;
use super::global::Func;

/// As many pointers fill half of a 32-bit address space.
const MAX_ARGUMENTS: u128 = 1 << 29;

impl Lowerer<'_> {
    /// Makes `main` the entry; one that takes arguments gets a procedure that provides them.
    pub fn make_start(&mut self) {
        let name = self.intern("main");
        let Some(main) = self.linked_function(name) else { return };
        let Some(proc) = self.functions[main].proc.filter(|_| self.functions[main].defined) else {
            return;
        };
        let procs = |funcs: &[Func]| -> Vec<Proc> {
            funcs.iter().filter_map(|&func| self.functions[func].proc).collect()
        };
        let (constructors, destructors) = (procs(&self.constructors), procs(&self.destructors));
        let main_takes_nothing = self.program.procs[proc].params.is_empty();
        let is_plain = main_takes_nothing && self.jumps.is_none();
        if is_plain && constructors.is_empty() && destructors.is_empty() {
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
        // Destructors run in reverse order.
        for &destructor in destructors.iter().rev() {
            let callee = Callee::Direct(destructor);
            emit(&mut graph, Op::Call { dst: None, callee, args: Vec::new() });
        }
        if !destructors.is_empty() {
            self.forbid_exit();
        }
        let value = dst.map(|dst| self.program.read(dst));
        let exit = graph.exit;
        graph.add_edge(here, exit, [Label::new(Op::Return { value }, pos)]);
        graph.result = result;
        self.end_jumps(&mut graph);
        self.program.procs[start] = graph;
        self.program.entry = Some(start);
    }

    /// `exit` would have to run the destructors, too.
    fn forbid_exit(&mut self) {
        let what = self.intern("exit() in a program with destructor functions");
        for procedure in self.program.procs.values_mut() {
            for edge in procedure.edges.values_mut() {
                for label in &mut edge.labels {
                    if let Op::Exit { .. } = label.op {
                        label.op = Op::Unsupported { what };
                    }
                }
            }
        }
    }
}
