//! From terms to [`TermInst`]s.
//!
//! Terms are graphs: a subterm that occurs twice is computed once, and only if it is needed.
//! Without that, `x := x + x` merged n times into one edge would cost 2^n.

use ravelin_cfa::{Proc, Program, Term};
use ravelin_term::{BinOp, TermKind, bin_ops, term_kinds};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{Operand, ProcCode, TermCode, TermInst};
use crate::compile::NameTable;

#[derive(Debug)]
pub(crate) struct TermCompiler<'a> {
    program: &'a Program,
    names: &'a NameTable,
    /// The procedure whose code it is; none for initial values.
    proc: Option<Proc>,
    consts: FxHashMap<u128, u32>,
    /// How often a subterm occurs in the term at hand; filled only for terms with several levels.
    uses: FxHashMap<Term, u32>,
    /// The subterms in which a division may fail.
    trapping: FxHashSet<Term>,
    /// The subterms that are computed apart, and their numbers.
    shared: FxHashMap<Term, u32>,
    shared_order: Vec<Term>,
    /// Where the labels are that jumps name until the term is complete; from its start.
    labels: Vec<u32>,
    start: usize,
}

enum Work {
    /// Push the value of the term.
    Value(Term),
    Emit(TermInst),
    /// The label is here.
    Land(u32),
}

impl<'a> TermCompiler<'a> {
    pub(crate) fn new(program: &'a Program, names: &'a NameTable, proc: Option<Proc>) -> Self {
        TermCompiler {
            program,
            names,
            proc,
            consts: FxHashMap::default(),
            uses: FxHashMap::default(),
            trapping: FxHashSet::default(),
            shared: FxHashMap::default(),
            shared_order: Vec::new(),
            labels: Vec::new(),
            start: 0,
        }
    }

    pub(crate) fn compile(&mut self, term: Term, code: &mut ProcCode) -> TermCode {
        if let Some(operand) = self.leaf(term, code) {
            return TermCode::Leaf(operand);
        }
        self.uses.clear();
        self.trapping.clear();
        self.shared.clear();
        self.shared_order.clear();
        self.labels.clear();
        self.count_uses(term);

        self.start = code.terms.len();
        self.emit(term, code);
        code.terms.push(TermInst::End);
        let mut bodies = Vec::new();
        while let Some(&term) = self.shared_order.get(bodies.len()) {
            let index = bodies.len() as u32;
            bodies.push(self.here(code));
            self.emit(term, code);
            code.terms.push(TermInst::EndShared { index });
        }
        for inst in &mut code.terms[self.start..] {
            match inst {
                TermInst::ShortCut { target, .. }
                | TermInst::JumpUnless { target, .. }
                | TermInst::Try { target }
                | TermInst::Jump(target) => *target = self.labels[*target as usize],
                TermInst::Shared { index, target } => *target = bodies[*index as usize],
                TermInst::Push(_)
                | TermInst::Unary { .. }
                | TermInst::Binary { .. }
                | TermInst::EndTry
                | TermInst::Rethrow { .. }
                | TermInst::EndShared { .. }
                | TermInst::End => {}
            }
        }
        TermCode::Body {
            start: self.start as u32,
            length: self.here(code),
            shared: bodies.len() as u32,
        }
    }

    fn here(&self, code: &ProcCode) -> u32 {
        (code.terms.len() - self.start) as u32
    }

    /// A term that needs no instruction.
    fn leaf(&mut self, term: Term, code: &mut ProcCode) -> Option<Operand> {
        let mut constant = |bits: u128| {
            *self.consts.entry(bits).or_insert_with(|| {
                code.consts.push(bits);
                code.consts.len() as u32 - 1
            })
        };
        match self.program.terms.kind(term) {
            TermKind::Bool(value) => Some(Operand::Const(constant(value.into()))),
            TermKind::Bv(bits) | TermKind::Float(bits) => Some(Operand::Const(constant(bits))),
            TermKind::Null => Some(Operand::Const(constant(0))),
            TermKind::Var(var) => Some(Operand::Place(self.names.place(var))),
            TermKind::Address(object) => Some(self.names.address(self.proc, object, constant)),
            // Verified automata have no terms about memory.
            TermKind::Read(..) | TermKind::Write(..) => Some(Operand::Const(constant(0))),
            TermKind::Unary(..) | TermKind::Binary(..) | TermKind::Ite(..) => None,
        }
    }

    fn is_leaf(&self, term: Term) -> bool {
        match self.program.terms.kind(term) {
            term_kinds!(leaves) | TermKind::Read(..) | TermKind::Write(..) => true,
            TermKind::Unary(..) | TermKind::Binary(..) | TermKind::Ite(..) => false,
        }
    }

    /// Counts how often each inner term occurs below `term`, and finds those that may trap.
    fn count_uses(&mut self, term: Term) {
        let terms = &self.program.terms;
        // A term without inner terms below it shares nothing, and most terms are such.
        if terms.children(term).all(|child| self.is_leaf(child)) {
            return;
        }
        let mut work = vec![term];
        let mut divides = false;
        while let Some(term) = work.pop() {
            divides |= self.divides(term);
            for child in terms.children(term) {
                if self.is_leaf(child) {
                    continue;
                }
                let uses = self.uses.entry(child).or_insert(0);
                *uses += 1;
                if *uses == 1 {
                    work.push(child);
                }
            }
        }
        if divides {
            // Operands are older than what is made of them.
            let mut inner: Vec<Term> = self.uses.keys().copied().collect();
            inner.sort_unstable();
            for term in inner {
                let mut children = terms.children(term);
                if self.divides(term) || children.any(|child| self.trapping.contains(&child)) {
                    self.trapping.insert(term);
                }
            }
        }
    }

    /// Whether the term is a division whose divisor may be one that traps.
    fn divides(&self, term: Term) -> bool {
        let TermKind::Binary(op, _, divisor) = self.program.terms.kind(term) else { return false };
        match op {
            BinOp::BvUdiv | BinOp::BvUrem => {
                self.program.terms.as_bv(divisor).is_none_or(|divisor| divisor == 0)
            }
            BinOp::BvSdiv | BinOp::BvSrem => {
                let divisor = self.program.terms.as_signed(divisor);
                divisor.is_none_or(|divisor| divisor == 0 || divisor == -1)
            }
            bin_ops!(
                logic,
                bv_arithmetic,
                bv_order,
                float_arithmetic,
                float_order,
                pointer_order
            )
            | BinOp::Eq
            | BinOp::Concat
            | BinOp::PtrAdd
            | BinOp::PtrDiff
            | BinOp::PtrMake => false,
        }
    }

    fn label(&mut self) -> u32 {
        self.labels.push(0);
        self.labels.len() as u32 - 1
    }

    fn shared_index(&mut self, term: Term) -> u32 {
        let order = &mut self.shared_order;
        *self.shared.entry(term).or_insert_with(|| {
            order.push(term);
            order.len() as u32 - 1
        })
    }

    /// Emits code that pushes the value of `root`, computing it here even if it is shared.
    fn emit(&mut self, root: Term, code: &mut ProcCode) {
        let mut work = Vec::new();
        self.expand(root, code, &mut work);
        while let Some(item) = work.pop() {
            match item {
                Work::Emit(inst) => code.terms.push(inst),
                Work::Land(label) => self.labels[label as usize] = self.here(code),
                Work::Value(term) => {
                    if let Some(operand) = self.leaf(term, code) {
                        code.terms.push(TermInst::Push(operand));
                    } else if self.uses.get(&term).is_some_and(|&uses| uses > 1) {
                        let index = self.shared_index(term);
                        code.terms.push(TermInst::Shared { index, target: 0 });
                    } else {
                        self.expand(term, code, &mut work);
                    }
                }
            }
        }
    }

    /// An operand, and the work that puts it on the stack if it is no leaf.
    fn operand(&mut self, term: Term, code: &mut ProcCode) -> (Operand, Option<Work>) {
        match self.leaf(term, code) {
            Some(operand) => (operand, None),
            None => (Operand::Top, Some(Work::Value(term))),
        }
    }

    /// Puts the pieces of an inner term on the list, the first on top.
    fn expand(&mut self, term: Term, code: &mut ProcCode, work: &mut Vec<Work>) {
        let sort_of = |term| self.program.terms.sort(term);
        match self.program.terms.kind(term) {
            term_kinds!(leaves) | TermKind::Read(..) | TermKind::Write(..) => {
                work.push(Work::Value(term))
            }
            TermKind::Unary(op, a) => {
                let sort = sort_of(a);
                let (a, value) = self.operand(a, code);
                work.push(Work::Emit(TermInst::Unary { op, sort, a }));
                work.extend(value);
            }
            TermKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) if self.trapping.contains(&a) => {
                let decides = op == BinOp::Or;
                let (handler, end) = (self.label(), self.label());
                // The second operand stands twice, so it is one of the shared terms.
                self.uses.entry(b).and_modify(|uses| *uses += 1);
                let short_cut = TermInst::ShortCut { a: Operand::Top, value: decides, target: end };
                work.push(Work::Land(end));
                work.push(Work::Emit(TermInst::Rethrow { unless: decides }));
                work.push(Work::Value(b));
                work.push(Work::Land(handler));
                work.push(Work::Emit(TermInst::Jump(end)));
                work.push(Work::Value(b));
                work.push(Work::Emit(short_cut));
                work.push(Work::Emit(TermInst::EndTry));
                work.push(Work::Value(a));
                work.push(Work::Emit(TermInst::Try { target: handler }));
            }
            TermKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                let (a, value) = self.operand(a, code);
                let end = self.label();
                work.push(Work::Land(end));
                work.push(Work::Value(b));
                let short_cut = TermInst::ShortCut { a, value: op == BinOp::Or, target: end };
                work.push(Work::Emit(short_cut));
                work.extend(value);
            }
            TermKind::Binary(op, a, b) => {
                let (sort, sort_b) = (sort_of(a), sort_of(b));
                let ((a, value_a), (b, value_b)) = (self.operand(a, code), self.operand(b, code));
                work.push(Work::Emit(TermInst::Binary { op, sort, sort_b, a, b }));
                work.extend(value_b);
                work.extend(value_a);
            }
            TermKind::Ite(cond, then, other) => {
                let (cond, value) = self.operand(cond, code);
                let (otherwise, end) = (self.label(), self.label());
                work.push(Work::Land(end));
                work.push(Work::Value(other));
                work.push(Work::Land(otherwise));
                work.push(Work::Emit(TermInst::Jump(end)));
                work.push(Work::Value(then));
                work.push(Work::Emit(TermInst::JumpUnless { cond, target: otherwise }));
                work.extend(value);
            }
        }
    }
}
