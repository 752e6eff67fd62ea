//! Uninterpreted functions (`__CPROVER_uninterpreted_f`).
//!
//! A function keeps its first answers: equal arguments get the same one again, others get any.
//! Beyond [`KEPT`] different arguments the answer is any value that no counterexample may use, so
//! that proofs stay sound and counterexamples real.

use ravelin_base::Symbol;
use ravelin_cfa::{HavocKind, Op, Sort, Var, VarData, VarKind};

use super::global::Func;
use super::{Lowerer, Val};

/// The maximum number of different arguments that are distinguished.
const KEPT: usize = 8;

/// Arguments that a function had, and the answer to them.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    /// Whether there is one.
    given: Var,
    args: Vec<Var>,
    result: Var,
}

impl Lowerer<'_> {
    /// Calls an uninterpreted function.
    pub(super) fn apply_uninterpreted(&mut self, func: Func, args: Vec<Val>) -> Val {
        let function = &self.functions[func];
        let (name, ty) = (function.name, self.result_type(function.ty));
        let sorts: Vec<_> = args.iter().map(|arg| self.types.sort(arg.ty)).collect();
        let is_integer = |sort: &Option<Sort>| matches!(sort, Some(Sort::Bv(_)));
        let is_kept = |sort: &Option<Sort>| is_integer(sort) || *sort == Some(Sort::Ptr);
        let not_modelled = HavocKind::NotModelled(name);
        let Some(sort) = self.types.sort(ty).filter(|&sort| is_integer(&Some(sort))) else {
            return self.any_value(ty, not_modelled);
        };
        if !sorts.iter().all(is_kept) {
            return self.any_value(ty, not_modelled);
        }
        let sorts: Vec<Sort> = sorts.into_iter().flatten().collect();
        let answers = self.answers(name, &sorts, sort);
        let fits = answers.iter().all(|answer| {
            let sort_of = |&var: &Var| self.program.vars[var].sort;
            answer.args.iter().map(sort_of).eq(sorts.iter().copied())
                && sort_of(&answer.result) == sort
        });
        if !fits {
            // Other declarations, or none: the same arguments look different.
            return self.any_value(ty, not_modelled);
        }
        let args: Vec<Val> = args.into_iter().map(|arg| self.snapshot(arg)).collect();
        let dst = self.temp(sort, self.types.is_signed(ty));
        let end = self.body.new_loc();
        self.emit(Op::AtomicBegin);
        for Answer { given, args: kept, result } in answers {
            let (old, new) = (self.body.new_loc(), self.body.new_loc());
            let (same, other) = (self.body.new_loc(), self.body.new_loc());
            let is_given = self.program.read(given);
            let is_given = self.program.terms.is_nonzero(is_given);
            self.emit_branch(is_given, old, new);
            self.body.start_at(new);
            let answer = self.any_value(ty, HavocKind::Unspecified);
            self.assign(result, answer.term);
            for (&var, arg) in kept.iter().zip(&args) {
                self.assign(var, arg.term);
            }
            let one = self.program.terms.bv(8, 1);
            self.assign(given, one);
            self.assign(dst, answer.term);
            self.body.jump(end);
            self.body.start_at(old);
            let mut is_same = self.program.terms.bool(true);
            for (&var, arg) in kept.iter().zip(&args) {
                let kept = self.program.read(var);
                let equal = self.program.terms.eq(kept, arg.term);
                is_same = self.program.terms.and(is_same, equal);
            }
            self.emit_branch(is_same, same, other);
            self.body.start_at(same);
            let answer = self.program.read(result);
            self.assign(dst, answer);
            self.body.jump(end);
            self.body.start_at(other);
        }
        let answer = self.any_value(ty, not_modelled);
        self.assign(dst, answer.term);
        self.body.jump(end);
        self.body.start_at(end);
        self.emit(Op::AtomicEnd);
        Val { term: self.program.read(dst), ty }
    }

    /// Where the function keeps its answers.
    fn answers(&mut self, name: Symbol, args: &[Sort], result: Sort) -> Vec<Answer> {
        if let Some(known) = self.uninterpreted.get(&name) {
            return known.clone();
        }
        let answers: Vec<Answer> = (0..KEPT)
            .map(|_| Answer {
                given: self.kept_var("%given", Sort::Bv(8)),
                args: args.iter().map(|&sort| self.kept_var("%argument", sort)).collect(),
                result: self.kept_var("%answer", result),
            })
            .collect();
        self.uninterpreted.insert(name, answers.clone());
        answers
    }

    fn kept_var(&mut self, name: &str, sort: Sort) -> Var {
        let name = self.intern(name);
        let kind = VarKind::Global { init: Some(self.program.terms.zero(sort)), atomic: false };
        let pos = self.position(self.body.span);
        self.program.vars.push(VarData { name, sort, signed: false, kind, pos })
    }
}
