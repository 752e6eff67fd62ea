//! Makes each step of a concurrent program touch at most one shared location.

use ravelin_base::{EntitySet, SecondaryMap, SrcPos};
use ravelin_term::{Object, Term, TermKind, TermPool, Var};
use rustc_hash::FxHashMap;

use super::with_procedure;
use crate::access::{Access, Part, for_each_access, for_each_part};
use crate::model::{
    Blocks, Edge, Init, Loc, ObjectData, ObjectKind, Proc, Procedure, Program, VarData, VarKind,
};
use crate::op::{Label, Op};
use crate::sections::Sections;
use crate::sharing::{SharedReads, Sharing};

/// Splits labels so that each reads or writes at most one shared location: reads of globals are
/// first assigned to locals, one by one from left to right, and a result for a global is first
/// assigned to a local. So `x = y + z` over globals is three steps, and `x++` two. Guards read only
/// locals, so that all branches of a location use the same values.
///
/// Sound and complete for C: the reads and writes of one full expression are unsequenced (C11
/// 6.5p2) and not atomic, so other threads may move between any two accesses; the order among the
/// reads is the implementation's choice, and left to right is one. Inside atomic sections
/// ([`Sections`]) labels stay as they are, since no other thread moves between their accesses; but
/// a call whose result is assigned to a global is split there, too: it begins and ends in different
/// steps.
///
/// Copies and fills of a known length up to 16 bytes are done word by word, from the first on; if
/// source and destination are both shared, through an object of the thread.
///
/// Programs without threads do not change.
pub fn split_shared_accesses(program: &mut Program) {
    if program.is_concurrent() {
        let sharing = Sharing::of(program);
        let sections = Sections::of(program);
        let procs: Vec<Proc> = program.procs.keys().collect();
        for proc in procs {
            with_procedure(program, proc, |program, procedure| {
                let temporaries = FxHashMap::default();
                let (sharing, inside) = (&sharing, sections.inside(proc));
                let mut splitter =
                    Splitter { program, sharing, inside, proc, temporaries, buffer: None };
                splitter.procedure(procedure);
            });
        }
    }
    program.blocks = Blocks::Single;
}

struct Splitter<'a> {
    program: &'a mut Program,
    sharing: &'a Sharing,
    /// The nesting depth of locations in atomic sections.
    inside: &'a SecondaryMap<Loc, u32>,
    proc: Proc,
    /// The local that stands for a global between the two steps of a split label. One per global
    /// suffices: it is never needed longer.
    temporaries: FxHashMap<Var, Var>,
    /// The object through which bytes are copied from one shared place to another.
    buffer: Option<Object>,
}

/// Longer copies and fills are one step.
const MAX_SPLIT_BYTES: u64 = 16;

impl Splitter<'_> {
    fn procedure(&mut self, procedure: &mut Procedure) {
        let locs: Vec<Loc> = procedure.locs.keys().collect();
        for loc in locs {
            let is_inside = self.inside[loc] > 0;
            match procedure.locs[loc].out.as_slice() {
                [] => {}
                // No other thread reads or changes anything here.
                &[edge] if is_inside && !self.is_call_to_shared(procedure, edge) => {}
                [_, _, ..] if is_inside => {}
                &[edge] => self.edge(procedure, loc, edge),
                _ => self.guards(procedure, loc),
            }
        }
        procedure.compact();
    }

    /// Whether an edge calls a procedure and assigns the result to a shared variable: a call begins
    /// and ends in different steps.
    fn is_call_to_shared(&self, procedure: &Procedure, edge: Edge) -> bool {
        procedure.edges[edge].labels.iter().any(|label| {
            matches!(label.op, Op::Call { dst: Some(dst), .. } if self.program.is_shared_var(dst))
        })
    }

    /// A location with one outgoing edge.
    fn edge(&mut self, procedure: &mut Procedure, loc: Loc, edge: Edge) {
        let Some(label) = procedure.edges[edge].labels.first() else {
            return;
        };
        if let Some(words) = self.words(&label.op) {
            return self.bulk(procedure, loc, edge, &words);
        }
        let is_assume = matches!(label.op, Op::Assume(_));
        let count = self.sharing.count_op(self.program, &label.op);
        if count <= usize::from(!is_assume) {
            return;
        }
        let mut reads = self.shared_vars(&label.op);
        let shared_dst = label.op.dst().filter(|&dst| self.program.is_shared_var(dst));
        // Whether anything except reads is shared: otherwise the last read may stay in place.
        let only_reads = shared_dst.is_none()
            && !self.sharing.is_visible(self.program, &label.op)
            && !reads_shared_memory(self.program, self.sharing, &label.op);
        if only_reads && !is_assume {
            reads.pop();
        }
        self.read_first(procedure, loc, &reads);
        // A plain write of a local value is the only access of its step.
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

    /// The words, as offset and length, of a short copy or fill of shared memory that has more than
    /// one.
    fn words(&self, op: &Op) -> Option<Vec<(u64, u64)>> {
        let (size, touched) = match op {
            Op::Copy { dst, src, size } => (*size, self.is_shared(*dst) || self.is_shared(*src)),
            Op::Fill { dst, size, .. } => (*size, self.is_shared(*dst)),
            _ => return None,
        };
        let size = self.program.terms.as_bv(size).and_then(|size| u64::try_from(size).ok())?;
        let longest = u64::from(self.program.terms.pointer_bits() / 8);
        let is_one = size.is_power_of_two() && size <= longest;
        let is_one = is_one && !self.goes_through_buffer(op);
        if !touched || is_one || !(1..=MAX_SPLIT_BYTES).contains(&size) {
            return None;
        }
        let (mut words, mut offset) = (Vec::new(), 0);
        while offset < size {
            let left = (size - offset).min(longest);
            let length = 1 << left.ilog2();
            words.push((offset, length));
            offset += length;
        }
        Some(words)
    }

    fn is_shared(&self, address: Term) -> bool {
        !self.sharing.is_private(self.program, address)
            && !self.sharing.is_constant(self.program, address)
    }

    fn goes_through_buffer(&self, op: &Op) -> bool {
        match op {
            Op::Copy { dst, src, .. } => self.is_shared(*dst) && self.is_shared(*src),
            _ => false,
        }
    }

    /// Copies or fills word by word.
    fn bulk(&mut self, procedure: &mut Procedure, loc: Loc, edge: Edge, words: &[(u64, u64)]) {
        let reads = self.shared_vars(&procedure.edges[edge].labels[0].op);
        self.read_first(procedure, loc, &reads);
        let mut label = procedure.edges[edge].labels[0].clone();
        self.replace_reads(&mut label.op, &reads);
        let width = self.program.terms.pointer_bits();
        let through = self.goes_through_buffer(&label.op);
        let buffer = through.then(|| self.buffer(label.pos));
        let terms = &mut self.program.terms;
        let mut ops = Vec::new();
        for &(offset, length) in words {
            let size = terms.bv(width, length.into());
            let mut at = |base: Term| terms.ptr_add_const(base, offset);
            ops.push(match label.op {
                Op::Copy { dst, src, .. } => Op::Copy { dst: at(dst), src: at(src), size },
                Op::Fill { dst, byte, .. } => Op::Fill { dst: at(dst), byte, size },
                _ => return,
            });
        }
        if let Some(buffer) = buffer {
            // All reads come before all writes, because the ranges may overlap.
            let start = terms.address(buffer);
            let (mut reads, mut writes) = (vec![Op::ScopeBegin(buffer)], Vec::new());
            for (op, &(offset, _)) in ops.into_iter().zip(words) {
                let Op::Copy { dst, src, size } = op else { return };
                let middle = terms.ptr_add_const(start, offset);
                reads.push(Op::Copy { dst: middle, src, size });
                writes.push(Op::Copy { dst, src: middle, size });
            }
            writes.push(Op::ScopeEnd(buffer));
            ops = reads.into_iter().chain(writes).collect();
        }
        let target = procedure.edges[edge].target;
        let pos = label.pos;
        let mut ops = ops.into_iter();
        let Some(first) = ops.next() else { return };
        procedure.edges[edge].labels[0] = Label::new(first, pos);
        let mut last = edge;
        for op in ops {
            let middle = procedure.add_loc();
            procedure.edges[last].target = middle;
            last = procedure.add_edge(middle, target, [Label::new(op, pos)]);
        }
    }

    fn buffer(&mut self, pos: SrcPos) -> Object {
        if let Some(buffer) = self.buffer {
            return buffer;
        }
        let name = self.program.names.intern("copy%");
        let buffer = self.program.add_object(ObjectData {
            name,
            size: MAX_SPLIT_BYTES,
            align: 8,
            is_record: false,
            kind: ObjectKind::Local(self.proc),
            init: Init::Indeterminate,
            pos,
        });
        self.buffer = Some(buffer);
        buffer
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
            // The leftmost operand must be popped from the stack first.
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
