//! Which predicates are tracked where.

use std::hash::{Hash, Hasher};
use std::mem;

use ravelin_base::PrimaryMap;
use ravelin_pointsto::Region;
use ravelin_term::{BinOp, Sort, Term, TermKind, TermPool, UnOp, Var};
use rustc_hash::{FxHashMap, FxHasher};

use super::literals::Predicate;
use crate::algorithm::graph::{Listed, What};
use crate::domain::explicit::Scope;
use crate::model::rewrite::{conditional_value, replace};
use crate::model::space::{Role, Space, ThreadRole};
use crate::model::step::Site;

/// In which pieces predicates are taken from interpolants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// Comparisons and Boolean variables.
    Atoms,
    /// The conjuncts of the formula.
    Whole,
}

/// The tracked predicates.
#[derive(Clone, Debug)]
pub struct Precision {
    pub terms: PrimaryMap<Predicate, Term>,
    numbers: FxHashMap<Term, Predicate>,
    scope: Scope,
    everywhere: Vec<Predicate>,
    at: FxHashMap<Site, Vec<Predicate>>,
    /// How many predicates that differ only in their numbers are tracked at a site, or everywhere.
    alike: FxHashMap<(Option<Site>, u64), u32>,
}

/// So many predicates that differ only in their numbers may each say something new; more of them count up.
const MAX_ALIKE: u32 = 3;

impl Precision {
    pub fn new(scope: Scope) -> Self {
        Precision {
            terms: PrimaryMap::new(),
            numbers: FxHashMap::default(),
            scope,
            everywhere: Vec::new(),
            at: FxHashMap::default(),
            alike: FxHashMap::default(),
        }
    }

    /// The predicates tracked at a site.
    pub fn at(&self, site: Site) -> &[Predicate] {
        match self.scope {
            Scope::Local => self.at.get(&site).map_or(&[], Vec::as_slice),
            Scope::Global => &self.everywhere,
        }
    }

    /// Tracks the pieces of a formula at a site; says whether any is new.
    pub fn add(
        &mut self,
        space: &mut Space<'_>,
        site: Site,
        formula: Term,
        pieces: Pieces,
    ) -> bool {
        let mut new = false;
        for piece in split(&mut space.terms, formula, pieces) {
            let over_program = space.terms.vars_of(piece).into_iter().all(|var| {
                matches!(
                    space.role(var),
                    Role::Program { .. }
                        | Role::Memory(_)
                        | Role::NextObject
                        | Role::Thread(ThreadRole::Result | ThreadRole::Ticket, _)
                )
            });
            if over_program {
                let is_new = self.add_one(site, piece);
                if is_new {
                    let site = (self.scope == Scope::Local).then_some(site);
                    *self.alike.entry((site, shape(&space.terms, piece))).or_default() += 1;
                }
                new |= is_new;
            }
        }
        new
    }

    /// How many predicates are tracked somewhere, counting few of those that differ only in their numbers.
    pub fn shapes(&self) -> usize {
        self.alike.values().map(|&count| count.min(MAX_ALIKE) as usize).sum()
    }

    /// The number of a predicate, which need not be tracked anywhere.
    pub fn number(&mut self, term: Term) -> Predicate {
        let terms = &mut self.terms;
        *self.numbers.entry(term).or_insert_with(|| terms.push(term))
    }

    fn add_one(&mut self, site: Site, term: Term) -> bool {
        let predicate = self.number(term);
        let list = match self.scope {
            Scope::Local => self.at.entry(site).or_default(),
            Scope::Global => &mut self.everywhere,
        };
        let new = !list.contains(&predicate);
        if new {
            list.push(predicate);
        }
        new
    }

    /// The variables of the program and the regions of memory that each predicate speaks of.
    pub fn tracked(&self, space: &Space<'_>) -> Vec<(Vec<Var>, Vec<Region>)> {
        let mut groups: Vec<_> = self
            .terms
            .values()
            .map(|&term| {
                let vars = space.terms.vars_of(term);
                let regions = vars.iter().filter_map(|&var| space.region_of(var)).collect();
                let of_program =
                    vars.iter().filter(|&&var| matches!(space.role(var), Role::Program { .. }));
                (of_program.map(|&var| space.program_var(var)).collect(), regions)
            })
            .collect();
        groups.sort_unstable();
        groups.dedup();
        groups
    }

    /// The predicates, and where they are tracked if not everywhere, in order.
    pub fn listed(&self) -> Vec<Listed> {
        let everywhere = self.everywhere.iter().map(|&predicate| (None, predicate));
        let here = self.at.iter().flat_map(|(site, predicates)| {
            predicates.iter().map(|&predicate| (Some((site.proc, site.loc)), predicate))
        });
        let mut all: Vec<_> = everywhere.chain(here).collect();
        all.sort_unstable();
        all.dedup();
        let listed = |(at, predicate)| Listed { at, what: What::Predicate(self.terms[predicate]) };
        all.into_iter().map(listed).collect()
    }

    /// How many predicates are tracked somewhere.
    pub fn size(&self) -> usize {
        self.terms.len()
    }
}

/// What a term is but for its numbers.
fn shape(terms: &TermPool, term: Term) -> u64 {
    let mut hasher = FxHasher::default();
    terms.for_each_subterm(term, |_, kind| match kind {
        TermKind::Var(var) => var.hash(&mut hasher),
        TermKind::Unary(op, _) => op.hash(&mut hasher),
        TermKind::Binary(op, ..) => op.hash(&mut hasher),
        // Kinds of numbers, and what is seldom in predicates.
        kind => mem::discriminant(&kind).hash(&mut hasher),
    });
    hasher.finish()
}

/// Conditional values are taken apart in formulas with fewer pieces than this.
const MAX_PIECES: usize = 200;

/// The positive pieces of a formula, without repetition.
pub fn split(terms: &mut TermPool, formula: Term, pieces: Pieces) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut work = vec![formula];
    while let Some(term) = work.pop() {
        if !seen.insert(term) {
            continue;
        }
        match (terms.kind(term), pieces) {
            (TermKind::Bool(_), _) => {}
            (TermKind::Unary(UnOp::Not, inner), Pieces::Atoms) => work.push(inner),
            // The conjuncts of what is denied are no conjuncts of the formula.
            (TermKind::Unary(UnOp::Not, inner), Pieces::Whole) => found.push(inner),
            (TermKind::Binary(BinOp::And, a, b), _) => work.extend([b, a]),
            (TermKind::Binary(BinOp::Or, a, b), Pieces::Atoms) => work.extend([b, a]),
            (TermKind::Binary(BinOp::Eq, a, b), Pieces::Atoms) if terms.sort(a) == Sort::Bool => {
                work.extend([b, a]);
            }
            (TermKind::Ite(cond, a, b), Pieces::Atoms) => work.extend([b, a, cond]),
            (_, Pieces::Atoms) if seen.len() < MAX_PIECES => match conditional_value(terms, term) {
                // A comparison of a conditional value is one of either value.
                Some((value, cond, a, b)) => {
                    let (first, second) =
                        (replace(terms, term, value, a), replace(terms, term, value, b));
                    work.extend([second, first, cond]);
                }
                None => found.push(term),
            },
            _ => found.push(term),
        }
    }
    found
}
