//! Replacing subterms.

use ravelin_term::{Sort, Term, TermKind, TermPool};
use rustc_hash::FxHashMap;

/// `term` with every occurrence of `from` replaced by `to`, which has the same sort.
pub fn replace(terms: &mut TermPool, term: Term, from: Term, to: Term) -> Term {
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    done.insert(from, to);
    rebuild(terms, term, &mut done)
}

/// `term` with every subterm that is known replaced by what it is known as; then the rest is known, too.
pub fn rebuild(terms: &mut TermPool, term: Term, done: &mut FxHashMap<Term, Term>) -> Term {
    terms.rebuild(term, done, |_, leaf| leaf)
}

/// A conditional value in a term, one that has no other in its condition.
pub fn conditional_value(terms: &TermPool, term: Term) -> Option<(Term, Term, Term, Term)> {
    let mut found = None;
    terms.for_each_subterm(term, |subterm, kind| {
        if let TermKind::Ite(cond, a, b) = kind
            && terms.sort(subterm) != Sort::Bool
        {
            // The last one met is the deepest on its way.
            found = Some((subterm, cond, a, b));
        }
    });
    found
}

/// A condition that `formula` implies and that does not speak of what `is_gone` holds for: atoms that
/// do are taken to be whatever helps. Exact where each of them can be made true and false whatever the
/// others are, as with inputs that are compared once.
pub fn without(
    terms: &mut TermPool,
    formula: Term,
    is_gone: &dyn Fn(&TermPool, Term) -> bool,
) -> Term {
    Dropper { is_gone, done: FxHashMap::default(), splits: 0 }.visit(terms, formula, true, 0)
}

struct Dropper<'a> {
    is_gone: &'a dyn Fn(&TermPool, Term) -> bool,
    /// By subformula, and whether it is needed to be true or to be false.
    done: FxHashMap<(Term, bool), Term>,
    /// How many conditional values were taken apart.
    splits: usize,
}

/// Deeper formulas are given up as a whole: what is left out is true.
const MAX_DEPTH: usize = 2_000;

/// With each conditional value that is taken apart a formula may double: after so many, atoms with more are
/// given up.
const MAX_SPLITS: usize = 300;

impl Dropper<'_> {
    /// What follows if `term` has the value `wanted`.
    fn visit(&mut self, terms: &mut TermPool, term: Term, wanted: bool, depth: usize) -> Term {
        use ravelin_term::{BinOp, UnOp};
        if let Some(&done) = self.done.get(&(term, wanted)) {
            return done;
        }
        if depth > MAX_DEPTH {
            return terms.bool(true);
        }
        let next = depth + 1;
        let result = if !(self.is_gone)(terms, term) {
            if wanted { term } else { terms.not(term) }
        } else {
            match terms.kind(term) {
                TermKind::Unary(UnOp::Not, inner) => self.visit(terms, inner, !wanted, next),
                TermKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                    let (a, b) =
                        (self.visit(terms, a, wanted, next), self.visit(terms, b, wanted, next));
                    if (op == BinOp::And) == wanted { terms.and(a, b) } else { terms.or(a, b) }
                }
                TermKind::Binary(BinOp::Eq, a, b) if terms.sort(a) == Sort::Bool => {
                    self.either(terms, a, (b, wanted), (b, !wanted), next)
                }
                TermKind::Ite(cond, a, b) => {
                    self.either(terms, cond, (a, wanted), (b, wanted), next)
                }
                _ => match conditional_value(terms, term) {
                    Some((value, cond, a, b)) if self.splits < MAX_SPLITS => {
                        self.splits += 1;
                        let (a, b) =
                            (replace(terms, term, value, a), replace(terms, term, value, b));
                        self.either(terms, cond, (a, wanted), (b, wanted), next)
                    }
                    _ => terms.bool(true),
                },
            }
        };
        self.done.insert((term, wanted), result);
        result
    }

    /// One of two, as the condition is true or false.
    fn either(
        &mut self,
        terms: &mut TermPool,
        cond: Term,
        (a, wanted_a): (Term, bool),
        (b, wanted_b): (Term, bool),
        depth: usize,
    ) -> Term {
        let yes = self.visit(terms, cond, true, depth);
        let then = self.visit(terms, a, wanted_a, depth);
        let no = self.visit(terms, cond, false, depth);
        let otherwise = self.visit(terms, b, wanted_b, depth);
        let (first, second) = (terms.and(yes, then), terms.and(no, otherwise));
        terms.or(first, second)
    }
}
