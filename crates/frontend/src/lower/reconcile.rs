//! Calls whose declaration differs from the definition that was linked: old code calls functions
//! without prototypes, and units may disagree. Arguments are converted if the machine would pass
//! them in the same place; other calls are unsupported when reached.

use ravelin_base::SrcPos;
use ravelin_cfa::{
    Callee, EdgeData, Gap, HavocKind, Label, Op, Proc, Program, Sort, Term, VarData, VarKind,
};
use ravelin_term::UnOp;

/// Makes every direct call and thread start agree with the procedure called.
pub(crate) fn reconcile_calls(program: &mut Program) {
    let procs: Vec<Proc> = program.procs.keys().collect();
    for proc in procs {
        let edges: Vec<_> = program.procs[proc].edges.keys().collect();
        for edge in edges {
            let EdgeData { labels, .. } = &program.procs[proc].edges[edge];
            let [label] = &labels[..] else { continue };
            let (callee, args, dst) = match &label.op {
                Op::Call { dst, callee: Callee::Direct(callee), args } => (*callee, args, *dst),
                Op::Start { routine: Callee::Direct(callee), args, .. } => (*callee, args, None),
                _ => continue,
            };
            let is_call = matches!(label.op, Op::Call { .. });
            let wanted: Vec<Sort> =
                program.procs[callee].params.iter().map(|&var| program.vars[var].sort).collect();
            let given: Vec<Sort> = args.iter().map(|&arg| program.terms.sort(arg)).collect();
            let result = program.procs[callee].result;
            let dst_sort = dst.map(|dst| program.vars[dst].sort);
            let agrees = wanted == given && (dst_sort.is_none() || dst_sort == result);
            if agrees {
                continue;
            }
            let (args, label_pos) = (args.clone(), label.pos);
            let mut fix = Fix { program: &mut *program, proc, pos: label_pos, before: Vec::new() };
            let converted: Option<Vec<Term>> = wanted
                .iter()
                .enumerate()
                .map(|(index, &sort)| match args.get(index) {
                    Some(&arg) => fix.coerce(arg, sort),
                    // C11 6.5.2.2p6: too few arguments are undefined; the callee finds anything.
                    None => Some(fix.anything(sort)),
                })
                .collect();
            let mut after = Vec::new();
            let converted_dst = match (dst, dst_sort, result) {
                (Some(dst), Some(wanted), Some(sort)) if wanted != sort => {
                    let temp = fix.temp(sort);
                    let value = fix.program.read(temp);
                    match fix.coerce(value, wanted) {
                        Some(value) => after.push(Op::Assign { dst, value }),
                        None => after.push(Op::Havoc { dst, kind: HavocKind::Unspecified }),
                    }
                    Some(temp)
                }
                (Some(dst), _, None) => {
                    after.push(Op::Havoc { dst, kind: HavocKind::Unspecified });
                    None
                }
                (dst, ..) => dst,
            };
            let before = std::mem::take(&mut fix.before);
            let ops = match converted {
                Some(args) => {
                    let mut ops = before;
                    let mut label = program.procs[proc].edges[edge].labels[0].op.clone();
                    match &mut label {
                        Op::Call { dst, args: old, .. } => {
                            *old = args;
                            if is_call {
                                *dst = converted_dst;
                            }
                        }
                        Op::Start { args: old, .. } => *old = args,
                        _ => {}
                    }
                    ops.push(label);
                    ops.extend(after);
                    ops
                }
                None => {
                    let what =
                        program.names.intern("call with arguments that do not fit the function");
                    vec![Op::Unsupported(Gap::NotModelled(what))]
                }
            };
            replace_edge(program, proc, edge, ops, label_pos);
        }
    }
}

struct Fix<'p> {
    program: &'p mut Program,
    proc: Proc,
    pos: SrcPos,
    /// The operations before the call.
    before: Vec<Op>,
}

impl Fix<'_> {
    fn temp(&mut self, sort: Sort) -> ravelin_cfa::Var {
        let name = self.program.names.intern("%");
        let kind = VarKind::Local(self.proc);
        self.program.vars.push(VarData { name, sort, signed: false, kind, pos: self.pos })
    }

    fn anything(&mut self, sort: Sort) -> Term {
        let dst = self.temp(sort);
        self.before.push(Op::Havoc { dst, kind: HavocKind::Unspecified });
        self.program.read(dst)
    }

    /// The term as a value of another sort that is passed in the same register or stack slot.
    fn coerce(&mut self, term: Term, to: Sort) -> Option<Term> {
        let terms = &mut self.program.terms;
        match (terms.sort(term), to) {
            (from, to) if from == to => Some(term),
            (Sort::Bv(_), Sort::Bv(width)) => Some(terms.resize(term, width, true)),
            (Sort::Ptr, Sort::Bv(width)) => {
                let address = terms.unary(UnOp::PtrToInt, term);
                Some(terms.resize(address, width, false))
            }
            (Sort::Bv(_), Sort::Ptr) => {
                let bits = terms.pointer_bits();
                let address = terms.resize(term, bits, true);
                Some(terms.unary(UnOp::IntToPtr, address))
            }
            (_, _) => None,
        }
    }
}

/// Puts a sequence of operations in the place of an edge's one.
pub(super) fn replace_edge(
    program: &mut Program,
    proc: Proc,
    edge: ravelin_cfa::Edge,
    ops: Vec<Op>,
    pos: SrcPos,
) {
    let procedure = &mut program.procs[proc];
    let target = procedure.edges[edge].target;
    let mut labels = ops.into_iter().map(|op| Label::new(op, pos));
    let Some(first) = labels.next() else { return };
    procedure.edges[edge].labels = [first].into_iter().collect();
    let mut rest: Vec<Label> = labels.collect();
    let Some(last) = rest.pop() else { return };
    let mut from = procedure.add_loc();
    procedure.edges[edge].target = from;
    for label in rest {
        let next = procedure.add_loc();
        procedure.add_edge(from, next, [label]);
        from = next;
    }
    procedure.add_edge(from, target, [last]);
}
