//! Predicate clusters: predicates that are connected by common variables, and which of them a step touches.
//!
//! Predicates of different clusters know nothing of each other, so a step that touches the variables of some clusters
//! leaves the literals of the others as they are. What it makes of those it touches comes again and again where
//! threads take turns, and is remembered.

use std::cell::RefCell;
use std::rc::Rc;

use ravelin_base::{EntityRef, SecondaryMap};
use ravelin_term::{TermPool, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::literals::{Literals, Mask, Predicate};
use super::precision::Precision;
use crate::model::block::Block;
use crate::model::step::Site;

/// So many literals are remembered at the most for each step.
const MAX_REMEMBERED: usize = 20_000;

/// A step between two sites. Predicates of a site only become more, so that their number tells which they are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Cause {
    /// Nothing where the program starts.
    pub(super) from: Option<(Site, usize)>,
    pub(super) to: (Site, usize),
    pub(super) block: Rc<Block>,
}

/// The clusters of all predicates, and what every step that was asked about touches of them.
#[derive(Debug, Default)]
pub(super) struct PredicateClusters {
    clusters: Clusters,
    known: FxHashMap<Cause, Rc<TouchedClusters>>,
}

impl PredicateClusters {
    pub(super) fn of(
        &mut self,
        precision: &Precision,
        terms: &TermPool,
        cause: Cause,
    ) -> Rc<TouchedClusters> {
        // A new predicate may have to do with several that had nothing to do with each other.
        if self.clusters.of.len() != precision.size() {
            self.clusters = Clusters::new(precision, terms);
            self.known.clear();
        }
        if let Some(found) = self.known.get(&cause) {
            return Rc::clone(found);
        }
        let found = Rc::new(TouchedClusters::new(precision, terms, &self.clusters, &cause));
        self.known.insert(cause, Rc::clone(&found));
        found
    }
}

/// Predicates that have common variables, over others if need be.
#[derive(Debug, Default)]
struct Clusters {
    of: Vec<Cluster>,
    by_var: FxHashMap<Var, Cluster>,
}

/// A cluster is named after one of its predicates.
type Cluster = Predicate;

impl Clusters {
    fn new(precision: &Precision, terms: &TermPool) -> Self {
        let mut parent: SecondaryMap<Predicate, Option<Predicate>> = SecondaryMap::new();
        let find = |parent: &SecondaryMap<Predicate, Option<Predicate>>, mut at: Predicate| {
            while let Some(up) = parent[at] {
                at = up;
            }
            at
        };
        let mut first: FxHashMap<Var, Predicate> = FxHashMap::default();
        for (predicate, &term) in precision.terms.iter() {
            for var in terms.vars_of(term) {
                let other = *first.entry(var).or_insert(predicate);
                let (a, b) = (find(&parent, predicate), find(&parent, other));
                if a != b {
                    parent[a] = Some(b);
                }
            }
        }
        let by_var = first.into_iter().map(|(var, one)| (var, find(&parent, one))).collect();
        let of = precision.terms.keys().map(|predicate| find(&parent, predicate)).collect();
        Clusters { of, by_var }
    }
}

/// The clusters that a step touches.
#[derive(Debug)]
pub(super) struct TouchedClusters {
    /// The predicates at its end that it may say something new about.
    pub(super) predicates: Vec<Predicate>,
    /// All predicates of their clusters: what is known of these matters.
    touched: Mask,
    /// The other predicates at its end: of these is known what was.
    others: Mask,
    remembered: RefCell<FxHashMap<Literals, Option<Literals>>>,
}

impl TouchedClusters {
    fn new(precision: &Precision, terms: &TermPool, clusters: &Clusters, cause: &Cause) -> Self {
        let Block { guards, values, .. } = &*cause.block;
        let mut vars: Vec<Var> = values.keys().copied().collect();
        for &term in guards.iter().chain(values.values()) {
            vars.extend(terms.vars_of(term));
        }
        let mut touched: FxHashSet<Cluster> =
            vars.iter().filter_map(|var| clusters.by_var.get(var).copied()).collect();
        // What was not tracked before may follow from what was.
        let (site, tracked) = cause.to;
        let after = &precision.at(site)[..tracked];
        let before = cause.from.map_or(&[][..], |(site, tracked)| &precision.at(site)[..tracked]);
        let is_new = |predicate: &&Predicate| !before.contains(predicate);
        touched.extend(after.iter().filter(is_new).map(|new| clusters.of[new.index()]));
        let is_touched = |predicate: &Predicate| touched.contains(&clusters.of[predicate.index()]);
        let (predicates, others): (Vec<_>, Vec<_>) = after.iter().copied().partition(is_touched);
        TouchedClusters {
            predicates,
            touched: precision.terms.keys().filter(is_touched).collect(),
            others: others.into_iter().collect(),
            remembered: RefCell::default(),
        }
    }

    /// The literals that matter, and those that stay as they are.
    pub(super) fn parts(&self, literals: &Literals) -> (Literals, Literals) {
        (literals.of(&self.touched), literals.of(&self.others))
    }

    /// What is known of the predicates afterwards if these literals hold before, if that was found out.
    pub(super) fn remembered(&self, before: &Literals) -> Option<Option<Literals>> {
        self.remembered.borrow().get(before).cloned()
    }

    /// Notes what is known afterwards, and gives it back.
    pub(super) fn remember(&self, before: Literals, after: Option<Literals>) -> Option<Literals> {
        let mut remembered = self.remembered.borrow_mut();
        if remembered.len() == MAX_REMEMBERED {
            remembered.clear();
        }
        remembered.insert(before, after.clone());
        after
    }
}
