//! The ends of threads: clean-up handlers, destructors of thread-specific data, and with the last
//! thread the end of the program.
//!
//! A program that needs one of the latter two gets, for each start routine of threads, a procedure
//! that calls the routine and then performs these actions; `pthread_exit` performs them, too. The
//! models define them (`models/cancel.c`, `pthread.c` and `exit.c`).

use ravelin_cfa::{
    Callee, EdgeData, Gap, Label, ObjectKind, Op, Proc, Procedure, Sort, Term, VarData, VarKind,
};
use ravelin_term::TermKind;
use rustc_hash::FxHashMap;

use super::Lowerer;
use super::reconcile::replace_edge;

/// The procedures to call, in this order.
struct Ends {
    /// Only where a thread leaves by `pthread_exit`: a routine that returns has popped its handlers.
    cleanups: Option<Proc>,
    values: Option<Proc>,
    /// Where threads start and end, if the program ends with the last of them.
    counted: Option<(Proc, Proc)>,
}

impl Lowerer<'_> {
    /// `pthread_exit` may end main: then the last thread ends the program, which matters if the
    /// program has functions to call at its end.
    pub fn want_models_of_ends(&mut self) {
        if !self.facts.mentions(&["atexit", "on_exit", "destructor"]) {
            return;
        }
        for name in ["__ravelin_thread_starts", "__ravelin_thread_ends"] {
            self.model_of(name);
        }
    }

    /// Makes threads perform the actions at their end. `finish` ends the program, if there is more
    /// to do than that.
    pub fn end_threads(&mut self, finish: Option<Proc>) {
        let values = match (
            self.defined_library("pthread_key_create"),
            self.defined_library("__ravelin_destroy_values"),
        ) {
            (Some(make), Some(destroy)) if self.may_have_destructors(make) => Some(destroy),
            (_, _) => None,
        };
        let counted = match (
            self.defined_library("__ravelin_thread_starts"),
            self.defined_library("__ravelin_thread_ends"),
        ) {
            (Some(starts), Some(ends)) if finish.is_some() => Some((starts, ends)),
            (_, _) => None,
        };
        let cleanups = self.defined_library("__ravelin_run_cleanups");
        let ends = Ends { cleanups, values, counted };
        if ends.cleanups.is_none() && ends.values.is_none() && ends.counted.is_none() {
            return;
        }
        let is_wrapped = ends.values.is_some() || ends.counted.is_some();
        let mut wrappers: FxHashMap<Proc, Proc> = FxHashMap::default();
        let procs: Vec<Proc> = self.program.procs.keys().collect();
        for proc in procs {
            let edges: Vec<_> = self.program.procs[proc].edges.keys().collect();
            for edge in edges {
                let EdgeData { labels, .. } = &self.program.procs[proc].edges[edge];
                let [Label { op, pos }] = &labels[..] else { continue };
                let pos = *pos;
                let ops = match op.clone() {
                    Op::Start { dst, routine: Callee::Direct(routine), args } if is_wrapped => {
                        let wrapper = *wrappers
                            .entry(routine)
                            .or_insert_with(|| self.with_ends(routine, &ends));
                        let starts = ends.counted.map(|(starts, _)| call(None, starts, Vec::new()));
                        let start = Op::Start { dst, routine: Callee::Direct(wrapper), args };
                        starts.into_iter().chain([start]).collect()
                    }
                    Op::Start { routine: Callee::Pointer(_), .. } if is_wrapped => {
                        let what = "a thread started through a pointer, in a program with functions to call where \
                                    threads end";
                        vec![Op::Unsupported(Gap::NotModelled(self.intern(what)))]
                    }
                    Op::ThreadExit { value } => {
                        // What it is must not depend on what is called.
                        let name = self.intern("%");
                        let kind = VarKind::Local(proc);
                        let var = VarData { name, sort: Sort::Ptr, signed: false, kind, pos };
                        let dst = self.program.vars.push(var);
                        let kept = self.program.read(dst);
                        let last = ends.counted.map(|(_, last)| last);
                        let called = [ends.cleanups, ends.values, last].into_iter().flatten();
                        [Op::Assign { dst, value }]
                            .into_iter()
                            .chain(called.map(|callee| call(None, callee, Vec::new())))
                            .chain([Op::ThreadExit { value: kept }])
                            .collect()
                    }
                    _ => continue,
                };
                replace_edge(&mut self.program, proc, edge, ops, pos);
            }
        }
    }

    /// The procedure of a library function that has a body.
    pub fn defined_library(&mut self, name: &str) -> Option<Proc> {
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

    /// A procedure that calls a routine, and then performs the actions at the end.
    fn with_ends(&mut self, routine: Proc, ends: &Ends) -> Proc {
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
        let last = ends.counted.map(|(_, last)| last);
        let after = [ends.values, last].into_iter().flatten();
        let mut here = graph.entry;
        for op in [call(dst, routine, args)]
            .into_iter()
            .chain(after.map(|callee| call(None, callee, Vec::new())))
        {
            let next = graph.add_loc();
            graph.add_edge(here, next, [Label::new(op, pos)]);
            here = next;
        }
        let exit = graph.exit;
        graph.add_edge(here, exit, [Label::new(Op::Return { value }, pos)]);
        graph.result = result;
        self.program.procs[wrapper] = graph;
        wrapper
    }
}

fn call(dst: Option<ravelin_cfa::Var>, callee: Proc, args: Vec<Term>) -> Op {
    Op::Call { dst, callee: Callee::Direct(callee), args }
}
