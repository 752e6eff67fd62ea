//! Fewer and larger clauses: predicates that need not be there are replaced by what implies them.

use std::collections::hash_map::Entry;

use ravelin_smt::horn::{Application, Clause};
use ravelin_term::{Sort, Term, TermKind, Var};
use rustc_hash::FxHashMap;

use super::system::System;

impl System {
    /// Replaces predicates that do not need themselves, but for those that are kept, and as long as clauses do
    /// not become more. No clause speaks of the replaced ones any more.
    pub fn unfold(&mut self, is_kept: &dyn Fn(usize) -> bool) {
        for predicate in 0..self.predicates.len() {
            if is_kept(predicate) {
                continue;
            }
            let uses =
                |clause: &Clause| clause.body.iter().filter(|it| it.predicate == predicate).count();
            let defines = |clause: &Clause| {
                clause.head.as_ref().is_some_and(|head| head.predicate == predicate)
            };
            let definitions = self.clauses.iter().filter(|it| defines(it)).count();
            let used = self.clauses.iter().filter(|it| uses(it) > 0).count();
            // Where it is used, it is used once, of its own parameters.
            let is_simple = self.clauses.iter().all(|clause| {
                let is_plain = clause.body.iter().all(|it| {
                    it.predicate != predicate || it.args == self.predicates[predicate].params
                });
                is_plain && uses(clause) <= 1 && !(uses(clause) == 1 && defines(clause))
            });
            if !is_simple || definitions.min(used) > 1 {
                continue;
            }
            let (defining, rest): (Vec<Clause>, Vec<Clause>) =
                std::mem::take(&mut self.clauses).into_iter().partition(|it| defines(it));
            for clause in rest {
                if uses(&clause) == 0 {
                    self.clauses.push(clause);
                    continue;
                }
                for definition in &defining {
                    let unfolded = self.unfolded(&clause, predicate, definition);
                    self.clauses.push(unfolded);
                }
            }
        }
    }

    /// A clause with the definition of a predicate in place of its only use.
    fn unfolded(&mut self, clause: &Clause, predicate: usize, definition: &Clause) -> Clause {
        let Some(meant) = &definition.head else { return clause.clone() };
        let mut replaced: FxHashMap<Var, Term> = FxHashMap::default();
        for (&param, &arg) in self.predicates[predicate].params.iter().zip(&meant.args) {
            if let TermKind::Var(var) = self.terms.kind(param) {
                replaced.insert(var, arg);
            }
        }
        let mut body = definition.body.clone();
        for Application { predicate: other, args } in &clause.body {
            if *other != predicate {
                let args = args.iter().map(|&arg| self.moved(arg, &mut replaced)).collect();
                body.push(Application { predicate: *other, args });
            }
        }
        let constraint = self.moved(clause.constraint, &mut replaced);
        let constraint = self.terms.and(definition.constraint, constraint);
        let head = clause.head.as_ref().map(|Application { predicate, args }| {
            let args = args.iter().map(|&arg| self.moved(arg, &mut replaced)).collect();
            Application { predicate: *predicate, args }
        });
        Clause { body, constraint, head }
    }

    /// A term with its variables replaced; those that are not known become new ones: the definition may have
    /// variables of the same name.
    fn moved(&mut self, term: Term, replaced: &mut FxHashMap<Var, Term>) -> Term {
        let mut vars: Vec<(Var, Sort)> = Vec::new();
        self.terms.for_each_subterm(term, |subterm, kind| {
            if let TermKind::Var(var) = kind {
                vars.push((var, self.terms.sort(subterm)));
            }
        });
        for (var, sort) in vars {
            if let Entry::Vacant(entry) = replaced.entry(var) {
                entry.insert(self.fresh(sort, self.signed.contains(var)));
            }
        }
        self.terms.substitute(term, |_, var| replaced.get(&var).copied())
    }
}
