//! Destructors of thread-specific data: they run where a thread ends.
//!
//! A program that makes keys with destructors gets, for each routine that threads start with, a procedure that calls the routine and
//! then the destructors; and before `pthread_exit` they are called, too. What calling them means is said by the
//! model (`models/pthread.c`).

use ravelin_cfa::{
    Callee, EdgeData, Label, ObjectKind, Op, Proc, Procedure, Sort, Term, VarData, VarKind,
};
use ravelin_term::TermKind;
use rustc_hash::FxHashMap;

use super::Lowerer;
use super::reconcile::replace_edge;

impl Lowerer<'_> {
    /// Lets threads call the destructors of their values, if there may be any.
    pub fn call_destructors_of_values(&mut self) {
        let (make, destroy) = ("pthread_key_create", "__ravelin_destroy_values");
        let (Some(make), Some(destroy)) = (self.defined(make), self.defined(destroy)) else {
            return;
        };
        if !self.may_have_destructors(make) {
            return;
        }
        let mut wrappers: FxHashMap<Proc, Proc> = FxHashMap::default();
        let procs: Vec<Proc> = self.program.procs.keys().collect();
        for proc in procs {
            let edges: Vec<_> = self.program.procs[proc].edges.keys().collect();
            for edge in edges {
                let EdgeData { labels, .. } = &self.program.procs[proc].edges[edge];
                let [Label { op, pos }] = &labels[..] else { continue };
                let pos = *pos;
                let ops = match op.clone() {
                    Op::Start { dst, routine: Callee::Direct(routine), args } => {
                        let wrapper = *wrappers
                            .entry(routine)
                            .or_insert_with(|| self.with_destructors(routine, destroy));
                        vec![Op::Start { dst, routine: Callee::Direct(wrapper), args }]
                    }
                    Op::Start { routine: Callee::Pointer(_), .. } => {
                        let what = "a thread started through a pointer, in a program with destructors of keys";
                        vec![Op::Unsupported { what: self.intern(what) }]
                    }
                    Op::ThreadExit { value } => {
                        // What it is must not depend on the destructors.
                        let name = self.intern("%");
                        let kind = VarKind::Local(proc);
                        let var = VarData { name, sort: Sort::Ptr, signed: false, kind, pos };
                        let dst = self.program.vars.push(var);
                        let callee = Callee::Direct(destroy);
                        let kept = self.program.read(dst);
                        vec![
                            Op::Assign { dst, value },
                            Op::Call { dst: None, callee, args: Vec::new() },
                            Op::ThreadExit { value: kept },
                        ]
                    }
                    _ => continue,
                };
                replace_edge(&mut self.program, proc, edge, ops, pos);
            }
        }
    }

    fn defined(&mut self, name: &str) -> Option<Proc> {
        let name = self.intern(name);
        let function = &self.functions[self.model_function(name)?];
        function.proc.filter(|_| function.defined)
    }

    /// Whether a call of the function that makes keys may give one a destructor.
    fn may_have_destructors(&self, make: Proc) -> bool {
        let program = &self.program;
        let mut found =
            program.objects.values().any(|object| object.kind == ObjectKind::Function(make));
        program.for_each_label(|_, label| {
            if let Op::Call { callee: Callee::Direct(callee), args, .. } = &label.op {
                let is_null = |&arg: &Term| program.terms.kind(arg) == TermKind::Null;
                found |= *callee == make && !args.get(1).is_some_and(is_null);
            }
        });
        found
    }

    /// A procedure that does what a routine does, and then calls the destructors.
    fn with_destructors(&mut self, routine: Proc, destroy: Proc) -> Proc {
        let Procedure { name, pos, result, ref params, .. } = self.program.procs[routine];
        let params = params.clone();
        let mut graph = Procedure::new(name, pos);
        let wrapper = self.program.procs.push(Procedure::new(name, pos));
        let kind = VarKind::Local(wrapper);
        for param in params {
            let var = VarData { kind, ..self.program.vars[param].clone() };
            graph.params.push(self.program.vars.push(var));
        }
        let args = graph.params.iter().map(|&param| self.program.read(param)).collect();
        let dst = result.map(|sort| {
            let name = self.intern("%");
            self.program.vars.push(VarData { name, sort, signed: false, kind, pos })
        });
        let value = dst.map(|dst| self.program.read(dst));
        let (called, destroyed) = (graph.add_loc(), graph.add_loc());
        let call = |dst, callee, args| Op::Call { dst, callee: Callee::Direct(callee), args };
        let (entry, exit) = (graph.entry, graph.exit);
        for (from, to, op) in [
            (entry, called, call(dst, routine, args)),
            (called, destroyed, call(None, destroy, Vec::new())),
            (destroyed, exit, Op::Return { value }),
        ] {
            graph.add_edge(from, to, [Label::new(op, pos)]);
        }
        graph.result = result;
        self.program.procs[wrapper] = graph;
        wrapper
    }
}
