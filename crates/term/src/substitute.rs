//! Replaces variables by terms. With literals as replacements this is partial evaluation, because
//! the builders fold constants.

use rustc_hash::FxHashMap;

use crate::{Term, TermKind, TermPool, Var, term_kinds};

impl TermPool {
    /// `term` with every variable for which `replacement` has a term replaced by it.
    ///
    /// # Panics
    /// If a replacement's sort is not the variable's.
    pub fn substitute(
        &mut self,
        term: Term,
        mut replacement: impl FnMut(&mut TermPool, Var) -> Option<Term>,
    ) -> Term {
        self.replace_leaves(term, |pool, kind| match kind {
            TermKind::Var(var) => replacement(pool, var),
            _ => None,
        })
    }

    /// `term` with every variable or address for which `replacement` has a term replaced by it.
    ///
    /// # Panics
    /// If a replacement has another sort than the term it replaces.
    pub fn replace_leaves(
        &mut self,
        term: Term,
        mut replacement: impl FnMut(&mut TermPool, TermKind) -> Option<Term>,
    ) -> Term {
        // The common cases need no table: a leaf, and an operator with leaves.
        let mut leaf = |pool: &mut TermPool, leaf: Term| pool.replace_leaf(leaf, &mut replacement);
        match self.kind(term) {
            TermKind::Unary(op, a) if self.is_leaf(a) => {
                let a = leaf(self, a);
                return self.unary(op, a);
            }
            TermKind::Binary(op, a, b) if self.is_leaf(a) && self.is_leaf(b) => {
                let (a, b) = (leaf(self, a), leaf(self, b));
                return self.binary(op, a, b);
            }
            term_kinds!(inner) => {}
            term_kinds!(leaves) => return leaf(self, term),
        }
        self.rebuild(term, &mut FxHashMap::default(), leaf)
    }

    /// The term in which every subterm that is in the table is what the table says, and every other leaf what `leaf` makes
    /// of it. The table gets the others.
    pub fn rebuild(
        &mut self,
        term: Term,
        done: &mut FxHashMap<Term, Term>,
        mut leaf: impl FnMut(&mut TermPool, Term) -> Term,
    ) -> Term {
        let mut work = vec![term];
        while let Some(&next) = work.last() {
            if done.contains_key(&next) {
                work.pop();
                continue;
            }
            let pending = work.len();
            work.extend(self.children(next).filter(|child| !done.contains_key(child)));
            if work.len() > pending {
                continue;
            }
            work.pop();
            let new = match self.kind(next) {
                term_kinds!(leaves) => leaf(self, next),
                TermKind::Unary(op, a) => self.unary(op, done[&a]),
                TermKind::Binary(op, a, b) => self.binary(op, done[&a], done[&b]),
                TermKind::Ite(c, a, b) => self.ite(done[&c], done[&a], done[&b]),
                TermKind::Read(mem, pointer) => {
                    self.read(done[&mem], done[&pointer], self.sort(next))
                }
                TermKind::Write(mem, pointer, value) => {
                    self.write(done[&mem], done[&pointer], done[&value])
                }
            };
            done.insert(next, new);
        }
        done[&term]
    }

    fn is_leaf(&self, term: Term) -> bool {
        self.children(term).next().is_none()
    }

    fn replace_leaf(
        &mut self,
        leaf: Term,
        replacement: &mut impl FnMut(&mut TermPool, TermKind) -> Option<Term>,
    ) -> Term {
        let kind = self.kind(leaf);
        let new = match kind {
            TermKind::Var(_) | TermKind::Address(_) => replacement(self, kind).unwrap_or(leaf),
            term_kinds!(constants, inner) => leaf,
        };
        assert_eq!(self.sort(new), self.sort(leaf), "replacing {kind:?} changes the sort");
        new
    }
}
