//! Steps without the statements whose results nothing depends on any more.
//!
//! Going backwards through a step, a statement is needed if a condition of the step depends on it, or if
//! what it writes may still decide something later ([`crate::reduction::Reducer::observed_of`]). One that is
//! not needed is left out, or where it writes something tracked, becomes any value: the state after it must
//! not say what was true before. Where data flow is not followed, all that is tracked is taken to decide
//! something later. What is left is more than the program does, and never less; refinement is given the step
//! as it is.

use ravelin_base::SrcPos;
use ravelin_pointsto::Region;
use ravelin_por::Place;
use ravelin_term::{Term, TermKind, Var};
use rustc_hash::FxHashSet;

use crate::model::space::{Role, Space, ThreadRole};
use crate::model::statement::{Action, Statement, Update};
use crate::reduction::Places;

/// How many statements there were, and what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatementCounts {
    pub all: u64,
    pub left_out: u64,
    /// Became any value.
    pub opened: u64,
}

impl StatementCounts {
    pub fn add(&mut self, other: StatementCounts) {
        self.all += other.all;
        self.left_out += other.left_out;
        self.opened += other.opened;
    }

    /// What came since it was this much.
    pub fn since(self, before: StatementCounts) -> StatementCounts {
        StatementCounts {
            all: self.all.saturating_sub(before.all),
            left_out: self.left_out.saturating_sub(before.left_out),
            opened: self.opened.saturating_sub(before.opened),
        }
    }
}

/// What later statements of the step need.
#[derive(Clone, Debug, Default)]
struct Needed {
    vars: FxHashSet<Var>,
    regions: FxHashSet<Region>,
}

impl Needed {
    fn read(&mut self, space: &Space<'_>, term: Term) {
        space.terms.for_each_subterm(term, |_, kind| {
            if let TermKind::Var(var) = kind {
                self.vars.insert(var);
            }
        });
    }
}

struct Simplifier<'a, 'p> {
    space: &'a mut Space<'p>,
    /// What may still decide something after the step, and what is tracked.
    observed: &'a Places,
    tracked: &'a Places,
    counts: StatementCounts,
}

/// The statements of a step that have to be evaluated.
pub fn simplify(
    space: &mut Space<'_>,
    statements: &[Statement],
    observed: &Places,
    tracked: &Places,
) -> (Vec<Statement>, StatementCounts) {
    let mut simplifier =
        Simplifier { space, observed, tracked, counts: StatementCounts::default() };
    let kept = simplifier.sequence(statements, &mut Needed::default());
    (kept, simplifier.counts)
}

/// What decides which statements of a step are left out: whether the places that it writes are observed, and
/// whether they are tracked. Two bits for each; none if there are too many places.
pub fn answers(written: &[Place], observed: &Places, tracked: &Places) -> Option<u64> {
    let bits = |place| u64::from(observed.has(place)) << 1 | u64::from(tracked.has(place));
    (written.len() <= 32)
        .then(|| written.iter().fold(0, |answers, &place| answers << 2 | bits(place)))
}

/// The places that statements write, of which [`simplify`] asks.
pub fn written(space: &mut Space<'_>, statements: &[Statement]) -> Vec<Place> {
    let mut places = Vec::new();
    for statement in statements {
        statement.walk(&mut |statement| add_written(space, statement, &mut places));
    }
    places
}

fn add_written(space: &mut Space<'_>, statement: &Statement, places: &mut Vec<Place>) {
    let Action::Update(update) = &statement.action else { return };
    match *update {
        Update::Assign { dst, .. } | Update::Havoc { dst, .. } | Update::Load { dst, .. } => {
            places.push(Place::Var(space.program_var(dst)));
        }
        _ => {
            let memories = memories_written(space, update);
            let regions = memories.into_iter().filter_map(|it| space.region_of(it));
            places.extend(regions.map(Place::Region));
        }
    }
}

/// The memory that an update which may be left out writes.
fn memories_written(space: &mut Space<'_>, update: &Update) -> Vec<Var> {
    match *update {
        Update::Store { addr, value } => {
            let bytes = space.terms.bytes_of(space.terms.sort(value));
            vec![space.memory_at(addr, bytes.map(u64::from))]
        }
        Update::Fill { dst, .. } | Update::Copy { dst, .. } => space.memories_in(dst, None),
        _ => Vec::new(),
    }
}

impl Simplifier<'_, '_> {
    fn sequence(&mut self, statements: &[Statement], needed: &mut Needed) -> Vec<Statement> {
        let mut kept: Vec<Statement> = Vec::with_capacity(statements.len());
        for statement in statements.iter().rev() {
            kept.extend(self.statement(statement, needed));
        }
        kept.reverse();
        kept
    }

    fn statement(&mut self, statement: &Statement, needed: &mut Needed) -> Option<Statement> {
        let pos = statement.pos;
        let update = match &statement.action {
            Action::Choice(branches) => {
                let (mut kept, mut all) = (Vec::with_capacity(branches.len()), Needed::default());
                for branch in branches {
                    let mut inside = needed.clone();
                    kept.push(self.sequence(branch, &mut inside));
                    all.vars.extend(inside.vars);
                    all.regions.extend(inside.regions);
                }
                *needed = all;
                return Some(Statement::new(Action::Choice(kept), pos));
            }
            Action::Assume(condition) => {
                self.counts.all += 1;
                needed.read(self.space, *condition);
                return Some(statement.clone());
            }
            Action::Update(update) => update,
        };
        self.counts.all += 1;
        match *update {
            Update::Assign { dst, .. } | Update::Havoc { dst, .. } | Update::Load { dst, .. } => {
                if !self.is_needed(dst, needed) {
                    return self.without(update, dst, pos);
                }
                needed.vars.remove(&dst);
                if let Update::Load { addr, .. } = *update {
                    let bytes = self.space.terms.bytes_of(self.space.sort(dst)).map(u64::from);
                    let memory = self.space.memory_at(addr, bytes);
                    needed.regions.extend(self.space.region_of(memory));
                }
            }
            Update::Store { .. } | Update::Fill { .. } | Update::Copy { .. } => {
                if !self.is_write_needed(update, needed) {
                    self.counts.left_out += 1;
                    return None;
                }
                if let Update::Copy { src, .. } = *update {
                    let sources = self.space.memories_in(src, None);
                    let regions = sources.into_iter().filter_map(|it| self.space.region_of(it));
                    needed.regions.extend(regions);
                }
            }
            Update::HavocMemory { .. }
            | Update::ScopeBegin(_)
            | Update::ScopeEnd(_)
            | Update::Alloc { .. }
            | Update::Realloc { .. }
            | Update::Free { .. }
            | Update::Inspect { .. }
            | Update::Mark { .. } => {}
        }
        update.for_each_term(&mut |term| needed.read(self.space, term));
        Some(statement.clone())
    }

    /// Whether the value that a variable has here is used in the step or later.
    fn is_needed(&self, var: Var, needed: &Needed) -> bool {
        needed.vars.contains(&var)
            || match self.space.role(var) {
                Role::Program { var, .. } => self.observed.has_var(var),
                Role::Thread(ThreadRole::Scratch, _) => false,
                // Of these the data flow knows nothing.
                Role::Thread(ThreadRole::Result | ThreadRole::Ticket, _)
                | Role::Memory(_)
                | Role::NextObject
                | Role::Input(_)
                | Role::At { .. }
                | Role::Read(_) => true,
            }
    }

    /// What becomes of a statement that assigns what is not needed.
    fn without(&mut self, update: &Update, dst: Var, pos: SrcPos) -> Option<Statement> {
        if !self.tracked.has_var(self.space.program_var(dst)) {
            self.counts.left_out += 1;
            return None;
        }
        self.counts.opened += u64::from(!matches!(update, Update::Havoc { .. }));
        Some(Statement::any(dst, pos))
    }

    /// Whether what an update writes to memory has to be: what is tracked must not stay as it was.
    fn is_write_needed(&mut self, update: &Update, needed: &Needed) -> bool {
        let memories = memories_written(self.space, update);
        // Nothing is known of who looks at objects of the environment.
        let mut regions = memories.iter().map(|&memory| self.space.region_of(memory));
        memories.is_empty()
            || regions.any(|region| match region {
                Some(it) => needed.regions.contains(&it) || self.tracked.has_region(it),
                None => true,
            })
    }
}
