//! Functions that have neither body nor model: which of them a program may call.

use std::collections::BTreeMap;

use ravelin_base::{EntitySet, SrcPos, Symbol};

use crate::model::{ObjectKind, Proc, Program};
use crate::op::{Assumed, Callee, Label, Op};

/// A function without body and model that is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExternalFunction {
    pub name: Symbol,
    pub assumed: Assumed,
    /// Its first call, in the order of the source.
    pub pos: SrcPos,
    /// The number of calls in the automaton.
    pub calls: usize,
}

/// Why an execution that reaches such a function cannot be followed.
pub fn no_model(function: &str) -> String {
    format!("no model of {function}")
}

/// The functions without body and model that procedures reachable from the entry call, ordered by
/// their first calls.
pub fn external_functions(program: &Program) -> Vec<ExternalFunction> {
    let mut found: BTreeMap<(&str, Assumed), ExternalFunction> = BTreeMap::new();
    let mut search = Search { program, reached: EntitySet::new(), work: Vec::new() };
    if let Some(entry) = program.entry {
        search.reach(entry);
    }
    while let Some(proc) = search.work.pop() {
        search.labels(proc, &mut |label| {
            let Op::External { function: name, assumed, .. } = label.op else { return };
            let first = ExternalFunction { name, assumed, pos: label.pos, calls: 0 };
            let entry = found.entry((program.name(name), assumed)).or_insert(first);
            entry.calls += 1;
            if place(program, label.pos) < place(program, entry.pos) {
                entry.pos = label.pos;
            }
        });
    }
    let mut found: Vec<ExternalFunction> = found.into_values().collect();
    // It is not known whether these pointers lead out of the program.
    found.retain(|it| it.assumed != Assumed::ThroughPointer);
    found.sort_by_key(|it| place(program, it.pos));
    found
}

fn place(program: &Program, pos: SrcPos) -> (&str, u32, u32) {
    (program.name(pos.file), pos.line, pos.column)
}

struct Search<'p> {
    program: &'p Program,
    reached: EntitySet<Proc>,
    work: Vec<Proc>,
}

impl Search<'_> {
    fn reach(&mut self, proc: Proc) {
        if self.reached.insert(proc) {
            self.work.push(proc);
        }
    }

    /// Visits the labels that may be executed in a procedure, and marks the procedures they call as
    /// reached.
    fn labels(&mut self, proc: Proc, visit: &mut dyn FnMut(&Label)) {
        let program = self.program;
        let procedure = &program.procs[proc];
        let mut seen = EntitySet::new();
        let mut locs = vec![procedure.entry];
        seen.insert(procedure.entry);
        while let Some(loc) = locs.pop() {
            for &edge in &procedure.locs[loc].out {
                let edge = &procedure.edges[edge];
                for label in &edge.labels {
                    label.walk(&mut |label| {
                        visit(label);
                        if let Op::Call { callee, .. } | Op::Start { routine: callee, .. } =
                            &label.op
                        {
                            self.enter(callee);
                        }
                    });
                }
                if seen.insert(edge.target) {
                    locs.push(edge.target);
                }
            }
        }
    }

    fn enter(&mut self, callee: &Callee) {
        match callee {
            Callee::Direct(proc) => self.reach(*proc),
            Callee::Pointer(_) => {
                for data in self.program.objects.values() {
                    if let ObjectKind::Function(proc) = data.kind {
                        self.reach(proc);
                    }
                }
            }
        }
    }
}
