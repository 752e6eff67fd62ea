//! Makes each step of a concurrent program touch at most one shared location.

use ravelin_base::EntitySet;
use ravelin_term::{Term, TermKind, TermPool, Var};
use rustc_hash::FxHashMap;

use super::with_procedure;
use crate::access::{Access, Part, for_each_access, for_each_part};
use crate::model::{Blocks, Edge, Loc, Proc, Procedure, Program, VarData, VarKind};
use crate::op::{Label, Op};
use crate::sharing::{SharedReads, Sharing};

/// Splits labels so that each reads or writes at most one shared location: the globals that a label
/// reads go to locals first, one by one from left to right, and a result that goes to a global goes to
/// a local before. So `x = y + z` over globals is three steps, and `x++` two. Guards read locals only,
/// which makes the branches of a location agree on what was read.
///
/// Sound and complete for C: what one full expression reads and writes is unsequenced (C11 6.5p2) and
/// not atomic, so that other threads may move between any two accesses; the order among the reads is
/// the implementation's choice, and left to right is one. Atomic sections stay atomic: between their
/// ends no other thread moves, in however many steps.
///
/// A program without threads is left as it is.
pub fn split_shared_accesses(program: &mut Program) {
    if program.is_concurrent() {
        let sharing = Sharing::of(program);
        let procs: Vec<Proc> = program.procs.keys().collect();
        for proc in procs {
            with_procedure(program, proc, |program, procedure| {
                let temporaries = FxHashMap::default();
                Splitter { program, sharing: &sharing, proc, temporaries }.procedure(procedure);
            });
        }
    }
    program.blocks = Blocks::Single;
}

struct Splitter<'a> {
    program: &'a mut Program,
    sharing: &'a Sharing,
    proc: Proc,
    /// The local that stands for a global, between the two steps of a split label. One per global
    /// is enough: it is never needed for longer.
    temporaries: FxHashMap<Var, Var>,
}

impl Splitter<'_> {
    fn procedure(&mut self, procedure: &mut Procedure) {
        let locs: Vec<Loc> = procedure.locs.keys().collect();
        for loc in locs {
            match procedure.locs[loc].out.as_slice() {
                [] => {}
                &[edge] => self.edge(procedure, loc, edge),
                _ => self.guards(procedure, loc),
            }
        }
        procedure.compact();
    }

    /// A location with one outgoing edge.
    fn edge(&mut self, procedure: &mut Procedure, loc: Loc, edge: Edge) {
        let Some(label) = procedure.edges[edge].labels.first() else {
            return;
        };
        let is_assume = matches!(label.op, Op::Assume(_));
        let count = self.sharing.count_op(self.program, &label.op);
        if count <= usize::from(!is_assume) {
            return;
        }
        let mut reads = self.shared_vars(&label.op);
        let shared_dst = label.op.dst().filter(|&dst| self.program.is_shared_var(dst));
        // Whether anything but reads is shared: the last read may stay where it is otherwise.
        let only_reads = shared_dst.is_none()
            && !self.sharing.is_visible(self.program, &label.op)
            && !reads_shared_memory(self.program, self.sharing, &label.op);
        if only_reads && !is_assume {
            reads.pop();
        }
        self.read_first(procedure, loc, &reads);
        // A plain write of what is now local is the one access of its step.
        let mut result = None;
        let label = &mut procedure.edges[edge].labels[0];
        self.replace_reads(&mut label.op, &reads);
        if let Some(dst) = shared_dst
            && !matches!(label.op, Op::Assign { .. })
        {
            let temporary = self.temporary(dst);
            for_each_part(&mut label.op, &mut |part| {
                if let Part::Dst(part) = part {
                    *part = temporary;
                }
            });
            let value = self.program.read(temporary);
            result = Some(Label::new(Op::Assign { dst, value }, label.pos));
        }
        if let Some(write) = result {
            let target = procedure.edges[edge].target;
            let middle = procedure.add_loc();
            procedure.edges[edge].target = middle;
            procedure.add_edge(middle, target, [write]);
        }
    }

    /// A location with several guarded edges.
    fn guards(&mut self, procedure: &mut Procedure, loc: Loc) {
        let out = procedure.locs[loc].out.clone();
        let mut reads = Vec::new();
        for &edge in &out {
            for label in procedure.edges[edge].labels.iter().take(1) {
                for var in self.shared_vars(&label.op) {
                    if !reads.contains(&var) {
                        reads.push(var);
                    }
                }
            }
        }
        if reads.is_empty() {
            return;
        }
        self.read_first(procedure, loc, &reads);
        for edge in out {
            if let Some(label) = procedure.edges[edge].labels.first_mut() {
                self.replace_reads(&mut label.op, &reads);
            }
        }
    }

    /// Puts edges that read `vars` between `loc` and its outgoing edges.
    fn read_first(&mut self, procedure: &mut Procedure, loc: Loc, vars: &[Var]) {
        if vars.is_empty() {
            return;
        }
        let out = std::mem::take(&mut procedure.locs[loc].out);
        let pos = out
            .iter()
            .filter_map(|&edge| procedure.edges[edge].labels.first())
            .map(|label| label.pos)
            .find(|pos| !pos.is_none())
            .unwrap_or_default();
        let mut last = loc;
        for &var in vars {
            let dst = self.temporary(var);
            let value = self.program.read(var);
            let next = procedure.add_loc();
            procedure.add_edge(last, next, [Label::new(Op::Assign { dst, value }, pos)]);
            last = next;
        }
        for &edge in &out {
            procedure.edges[edge].source = last;
        }
        procedure.locs[last].out = out;
    }

    /// The shared variables that an operation reads, in order of evaluation.
    fn shared_vars(&self, op: &Op) -> Vec<Var> {
        let mut vars = Vec::new();
        for_each_access(op, &mut |access| {
            if let Access::Evaluate(term) = access {
                match self.sharing.reads(term) {
                    SharedReads::None => {}
                    SharedReads::One(var) if vars.contains(&var) => {}
                    SharedReads::One(var) => vars.push(var),
                    SharedReads::Several => self.collect_vars(term, &mut vars),
                }
            }
        });
        vars
    }

    fn collect_vars(&self, term: Term, vars: &mut Vec<Var>) {
        let terms: &TermPool = &self.program.terms;
        let mut seen = EntitySet::new();
        let mut work = vec![term];
        while let Some(next) = work.pop() {
            if self.sharing.reads(next) == SharedReads::None || !seen.insert(next) {
                continue;
            }
            if let TermKind::Var(var) = terms.kind(next) {
                if !vars.contains(&var) {
                    vars.push(var);
                }
                continue;
            }
            // The leftmost operand must come off the stack first.
            let children: smallvec::SmallVec<[Term; 3]> = terms.children(next).collect();
            work.extend(children.into_iter().rev());
        }
    }

    fn replace_reads(&mut self, op: &mut Op, vars: &[Var]) {
        if vars.is_empty() {
            return;
        }
        let replacements: Vec<(Var, Term)> = vars
            .iter()
            .map(|&var| {
                let temporary = self.temporary(var);
                (var, self.program.read(temporary))
            })
            .collect();
        let terms = &mut self.program.terms;
        for_each_part(op, &mut |part| {
            if let Part::Term(term) = part {
                *term = terms.substitute(*term, |_, var| {
                    replacements.iter().find(|(from, _)| *from == var).map(|&(_, to)| to)
                });
            }
        });
    }

    fn temporary(&mut self, global: Var) -> Var {
        if let Some(&temporary) = self.temporaries.get(&global) {
            return temporary;
        }
        let data = &self.program.vars[global];
        let name = format!("{}%", self.program.names.resolve(data.name));
        let data = VarData {
            name: self.program.names.intern(&name),
            kind: VarKind::Local(self.proc),
            ..data.clone()
        };
        let temporary = self.program.vars.push(data);
        self.temporaries.insert(global, temporary);
        temporary
    }
}

fn reads_shared_memory(program: &Program, sharing: &Sharing, op: &Op) -> bool {
    let mut found = false;
    for_each_access(op, &mut |access| {
        if let Access::ReadMemory(address) = access {
            found |= !sharing.is_private(program, address);
        }
    });
    found
}
