//! Invariants of labels: the operands of each operation.

use ravelin_base::{EntityRef, SecondaryMap};
use ravelin_term::{Object, Sort, Term, Var};

use super::graph::{check_guards, guard};
use super::terms::{Owner, TermFacts};
use super::{Place, Report, Rule};
use crate::effects::{closes_block, may_wait};
use crate::model::{Blocks, EdgeData, ObjectKind, Proc, Procedure, Program, VarKind};
use crate::op::{Assumed, Callee, Label, Op};
use crate::ops;
use crate::sync::SyncArg;

pub(super) fn check_labels(
    program: &Program,
    proc: Proc,
    procedure: &Procedure,
    facts: &SecondaryMap<Term, TermFacts>,
    report: &mut Report,
) {
    let one_label = match program.blocks {
        Blocks::Source | Blocks::Single => true,
        Blocks::ThreadLocal | Blocks::Sequential => false,
    };
    for (edge, data) in procedure.edges.iter() {
        let place = Place::Edge(proc, edge);
        let mut checker =
            Checker { program, proc, procedure, facts, edge: data, place, report: &mut *report };
        if one_label && data.labels.len() > 1 {
            checker.wrong(Rule::Blocks, "more than one label on an edge");
        }
        checker.check_sequence(&data.labels, true, true, one_label);
    }
}

struct Checker<'a> {
    program: &'a Program,
    proc: Proc,
    procedure: &'a Procedure,
    facts: &'a SecondaryMap<Term, TermFacts>,
    edge: &'a EdgeData,
    place: Place,
    report: &'a mut Report,
}

impl<'a> Checker<'a> {
    fn wrong(&mut self, rule: Rule, message: impl Into<String>) {
        self.report.add(rule, self.place, message);
    }

    /// `first` and `last` say whether the sequence is at the start and at the end of the edge.
    fn check_sequence(&mut self, labels: &[Label], first: bool, last: bool, one_label: bool) {
        for (index, label) in labels.iter().enumerate() {
            let is_last = last && index + 1 == labels.len();
            if label.op.never_continues() && index + 1 != labels.len() {
                self.wrong(Rule::Ends, "something follows a label that never continues");
            } else if closes_block(&label.op) && !is_last {
                self.wrong(Rule::Blocks, "what closes a block is not last on its edge");
            }
            if matches!(label.op, Op::Return { .. })
                && !(is_last && self.edge.target == self.procedure.exit)
            {
                self.wrong(Rule::Ends, "a return is not the last label of an edge to the exit");
            }
            if may_wait(&label.op) && !(first && index == 0) {
                self.wrong(Rule::Blocks, "what may wait is not first on its edge");
            }
            match &label.op {
                Op::Skip => {}
                Op::Choice(branches) => {
                    self.check_choice(branches, one_label);
                    continue;
                }
                _ if label.pos.is_none() => self.wrong(Rule::Positions, "a label has no position"),
                _ => {}
            }
            self.check_op(&label.op);
        }
    }

    fn check_choice(&mut self, branches: &[Vec<Label>], one_label: bool) {
        if one_label {
            self.wrong(Rule::Blocks, "there is a choice, but no large blocks");
        }
        if branches.len() < 2 {
            self.wrong(Rule::Blocks, "a choice has fewer than two branches");
        }
        let guards: Vec<_> = branches.iter().map(|branch| guard(branch)).collect();
        check_guards(self.program, &guards, self.place, self.report);
        for branch in branches {
            self.check_sequence(branch, false, false, one_label);
        }
    }

    fn check_op(&mut self, op: &Op) {
        let pointer_bits = Sort::Bv(self.program.data_model.pointer_bits());
        match op {
            ops!(section) | Op::Skip | Op::Error(_) | Op::Claim(_) | Op::Abort => {}
            Op::Unsupported(_) => {}
            Op::Assume(cond) => self.expect("the assumption", *cond, Sort::Bool),
            Op::Assign { dst, value } => {
                if let Some(sort) = self.dst(*dst) {
                    self.expect("the value", *value, sort);
                }
            }
            Op::Havoc { dst, kind: _ } => {
                self.dst(*dst);
            }
            Op::Load { dst, addr, order: _ } => {
                self.expect("the address", *addr, Sort::Ptr);
                if let Some(sort) = self.dst(*dst) {
                    self.in_memory("loaded", sort);
                }
            }
            Op::Store { addr, value, order: _ } => {
                self.expect("the address", *addr, Sort::Ptr);
                if let Some(sort) = self.term(*value) {
                    self.in_memory("stored", sort);
                }
            }
            Op::Copy { dst, src, size } => {
                self.expect("the destination", *dst, Sort::Ptr);
                self.expect("the source", *src, Sort::Ptr);
                self.expect("the size", *size, pointer_bits);
            }
            Op::Fill { dst, byte, size } => {
                self.expect("the destination", *dst, Sort::Ptr);
                self.expect("the byte", *byte, Sort::Bv(8));
                self.expect("the size", *size, pointer_bits);
            }
            Op::HavocMemory { pointers } => {
                for &pointer in pointers {
                    self.expect("a pointer", pointer, Sort::Ptr);
                }
            }
            Op::ScopeBegin(object) | Op::ScopeEnd(object) => self.own_object(*object),
            Op::Alloc { dst, size, kind: _ } => {
                self.expect_dst(*dst, Sort::Ptr);
                self.expect("the size", *size, pointer_bits);
            }
            Op::Realloc { dst, addr, size } => {
                self.expect_dst(*dst, Sort::Ptr);
                self.expect("the address", *addr, Sort::Ptr);
                self.expect("the size", *size, pointer_bits);
            }
            Op::Free { addr, kind: _ } => self.expect("the address", *addr, Sort::Ptr),
            Op::Call { dst, callee, args } => {
                let callee = self.callee(callee, args);
                let dst = dst.and_then(|dst| self.dst(dst));
                if let (Some(sort), Some(callee)) = (dst, callee)
                    && callee.result != Some(sort)
                {
                    self.wrong(Rule::Sorts, "the call's result has another sort, or is none");
                }
            }
            Op::Return { value } => match (*value, self.procedure.result) {
                (Some(value), Some(sort)) => self.expect("the result", value, sort),
                (None, None) => {}
                (Some(_), None) => self.wrong(Rule::Sorts, "a void procedure returns a value"),
                (None, Some(_)) => self.wrong(Rule::Sorts, "a return without a value"),
            },
            Op::Start { dst, routine, args } => {
                self.callee(routine, args);
                self.expect_dst(*dst, pointer_bits);
            }
            Op::Join { handle, dst } => {
                self.expect("the handle", *handle, pointer_bits);
                if let Some(dst) = *dst {
                    self.expect_dst(dst, Sort::Ptr);
                }
            }
            Op::ThreadExit { value } => self.expect("the thread's value", *value, Sort::Ptr),
            Op::ThreadSelf { dst } => self.expect_dst(*dst, pointer_bits),
            Op::Inspect { dst, addr, fact: _ } => {
                self.expect("the address", *addr, Sort::Ptr);
                self.expect_dst(*dst, pointer_bits);
            }
            Op::Sync { op, args, dst } => {
                let info = op.info();
                if args.len() != info.args.len() {
                    let (name, count) = (info.name, info.args.len());
                    self.wrong(Rule::Sorts, format!("{name} takes {count} arguments"));
                }
                for (&arg, kind) in args.iter().zip(info.args) {
                    match kind {
                        SyncArg::Object => self.expect("the object", arg, Sort::Ptr),
                        SyncArg::Number => self.expect("the number", arg, Sort::Bv(32)),
                    }
                }
                if let Some(dst) = *dst {
                    self.expect_dst(dst, Sort::Bv(32));
                }
            }
            Op::Print { args } => {
                match args.first() {
                    Some(&format) => self.expect("the format", format, Sort::Ptr),
                    None => self.wrong(Rule::Sorts, "output without a format"),
                }
                for &arg in args {
                    self.term(arg);
                }
            }
            Op::External { function: _, assumed, args } => {
                for &arg in args {
                    self.term(arg);
                }
                if *assumed == Assumed::ThroughPointer && args.is_empty() {
                    self.wrong(Rule::Sorts, "a call through no pointer");
                }
            }
            Op::Exit { status } => self.expect("the status", *status, Sort::Bv(32)),
            Op::Choice(_) => {}
        }
    }

    /// The sort of a term, if it exists. Reports terms that mention locals of other procedures.
    fn term(&mut self, term: Term) -> Option<Sort> {
        if term.index() >= self.program.terms.len() {
            self.wrong(Rule::References, format!("{term} does not exist"));
            return None;
        }
        match self.facts[term].owner {
            Owner::None => {}
            Owner::One(proc) if proc == self.proc => {}
            Owner::One(_) | Owner::Mixed => {
                self.wrong(Rule::Ownership, format!("{term} mentions another procedure's locals"));
            }
        }
        Some(self.program.terms.sort(term))
    }

    fn expect(&mut self, what: &str, term: Term, expected: Sort) {
        if let Some(sort) = self.term(term)
            && sort != expected
        {
            self.wrong(Rule::Sorts, format!("{what} must be {expected}, but is {sort}"));
        }
    }

    /// The sort of a written variable, if it exists. Reports locals of other procedures.
    fn dst(&mut self, dst: Var) -> Option<Sort> {
        let Some(data) = self.program.vars.get(dst) else {
            self.wrong(Rule::References, format!("{dst} does not exist"));
            return None;
        };
        match data.kind {
            VarKind::Local(proc) if proc != self.proc => {
                self.wrong(Rule::Ownership, format!("{dst} is another procedure's local"));
            }
            VarKind::Local(_) | VarKind::Global { .. } | VarKind::ThreadLocal { .. } => {}
        }
        Some(data.sort)
    }

    fn expect_dst(&mut self, dst: Var, expected: Sort) {
        if let Some(sort) = self.dst(dst)
            && sort != expected
        {
            self.wrong(Rule::Sorts, format!("{dst} must be {expected}, but is {sort}"));
        }
    }

    fn in_memory(&mut self, what: &str, sort: Sort) {
        if self.program.bytes_of(sort).is_none() {
            self.wrong(Rule::Sorts, format!("a value of sort {sort} cannot be {what}"));
        }
    }

    fn own_object(&mut self, object: Object) {
        match self.program.objects.get(object).map(|data| data.kind) {
            None => self.wrong(Rule::References, format!("{object} does not exist")),
            Some(ObjectKind::Local(proc)) if proc == self.proc => {}
            Some(
                ObjectKind::Local(_)
                | ObjectKind::Global
                | ObjectKind::Constant
                | ObjectKind::ThreadLocal
                | ObjectKind::Function(_),
            ) => self.wrong(Rule::Ownership, format!("{object} is no local object of here")),
        }
    }

    /// Checks the arguments; returns the called procedure if it is known.
    fn callee(&mut self, callee: &Callee, args: &[Term]) -> Option<&'a Procedure> {
        match *callee {
            Callee::Pointer(pointer) => {
                self.expect("the callee", pointer, Sort::Ptr);
                args.iter().for_each(|&arg| {
                    self.term(arg);
                });
                None
            }
            Callee::Direct(proc) => {
                let program = self.program;
                let Some(procedure) = program.procs.get(proc) else {
                    self.wrong(Rule::References, format!("{proc} does not exist"));
                    return None;
                };
                if args.len() != procedure.params.len() {
                    let (want, have) = (procedure.params.len(), args.len());
                    self.wrong(Rule::Sorts, format!("{proc} takes {want} arguments, not {have}"));
                }
                for (&arg, &param) in args.iter().zip(&procedure.params) {
                    if let Some(data) = program.vars.get(param) {
                        self.expect("an argument", arg, data.sort);
                    }
                }
                Some(procedure)
            }
        }
    }
}
