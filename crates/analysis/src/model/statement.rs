//! Statements: the alphabet of the steps that analyses take.
//!
//! A step contains no call, no return, no thread and no synchronisation any more: the maker of steps has turned them
//! into assignments, conditions and targets (`step::translate` is the one place that knows both alphabets). What
//! is left is a guarded command: conditions and choices between ways ([`Action`]), and updates of variables and memory
//! ([`Update`]). Domains match on these, without an arm for what cannot be in a step.

use ravelin_base::SrcPos;
use ravelin_cfa::{AllocKind, FreeKind, HavocKind};
use ravelin_term::{Object, Term, Var};

/// A statement of a step, and where it stands in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub action: Action,
    pub pos: SrcPos,
}

/// What a statement does. Terms read variables only.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Continues only where the condition holds.
    Assume(Term),
    /// One of several sequences. Each begins with a condition, and these are exclusive and exhaustive.
    Choice(Vec<Vec<Statement>>),
    Update(Update),
}

/// A change of variables or memory.
#[derive(Clone, Debug, PartialEq)]
pub enum Update {
    Assign {
        dst: Var,
        value: Term,
    },
    /// `dst` gets any value.
    Havoc {
        dst: Var,
        kind: HavocKind,
    },
    /// `dst` gets as many bytes at `addr` as its sort has.
    Load {
        dst: Var,
        addr: Term,
    },
    Store {
        addr: Term,
        value: Term,
    },
    /// Copies bytes; the ranges may overlap.
    Copy {
        dst: Term,
        src: Term,
        size: Term,
    },
    Fill {
        dst: Term,
        byte: Term,
        size: Term,
    },
    /// What is reachable through these pointers may have any contents.
    HavocMemory {
        pointers: Vec<Term>,
    },
    /// The lifetime of a local object begins.
    ScopeBegin(Object),
    ScopeEnd(Object),
    Alloc {
        dst: Var,
        size: Term,
        kind: AllocKind,
    },
    Realloc {
        dst: Var,
        addr: Term,
        size: Term,
    },
    Free {
        addr: Term,
        kind: FreeKind,
    },
    /// `dst` gets the fact about the object at `addr` that `memory` keeps, and any value where none is kept.
    Inspect {
        dst: Var,
        addr: Term,
        memory: Option<Var>,
    },
    /// The fact that `memory` keeps about the object at `addr` is this from here on.
    Mark {
        memory: Var,
        addr: Term,
        value: Term,
    },
}

impl Statement {
    pub fn new(action: impl Into<Action>, pos: SrcPos) -> Self {
        Statement { action: action.into(), pos }
    }

    /// `dst` gets a value of which nothing is known.
    pub fn any(dst: Var, pos: SrcPos) -> Self {
        Statement::new(Update::Havoc { dst, kind: HavocKind::Unspecified }, pos)
    }

    /// `dst` gets the value, or where there is none, any.
    pub fn assign(dst: Var, value: Option<Term>, pos: SrcPos) -> Self {
        match value {
            Some(value) => Statement::new(Update::Assign { dst, value }, pos),
            None => Statement::any(dst, pos),
        }
    }

    /// Calls `visit` on this statement, or on those inside if it is a choice.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Statement)) {
        match &self.action {
            Action::Choice(branches) => {
                branches.iter().flatten().for_each(|statement| statement.walk(visit));
            }
            Action::Assume(_) | Action::Update(_) => visit(self),
        }
    }

    /// Whether `test` holds for an update of this statement or inside it.
    pub fn any_update(&self, test: &mut dyn FnMut(&Update) -> bool) -> bool {
        match &self.action {
            Action::Assume(_) => false,
            Action::Choice(branches) => {
                branches.iter().flatten().any(|statement| statement.any_update(test))
            }
            Action::Update(update) => test(update),
        }
    }

    /// Calls `visit` on every term that is evaluated, addresses among them, inside choices too.
    pub fn for_each_term(&self, visit: &mut dyn FnMut(Term)) {
        match &self.action {
            Action::Assume(condition) => visit(*condition),
            Action::Choice(branches) => {
                branches.iter().flatten().for_each(|statement| statement.for_each_term(visit));
            }
            Action::Update(update) => update.for_each_term(visit),
        }
    }
}

/// The condition of a branch.
pub fn guard(branch: &[Statement]) -> Option<Term> {
    match branch.first()?.action {
        Action::Assume(condition) => Some(condition),
        Action::Choice(_) | Action::Update(_) => None,
    }
}

impl From<Update> for Action {
    fn from(update: Update) -> Action {
        Action::Update(update)
    }
}

impl Update {
    /// The variable that is written.
    pub fn dst(&self) -> Option<Var> {
        match *self {
            Update::Assign { dst, .. }
            | Update::Havoc { dst, .. }
            | Update::Load { dst, .. }
            | Update::Alloc { dst, .. }
            | Update::Realloc { dst, .. }
            | Update::Inspect { dst, .. } => Some(dst),
            Update::Store { .. }
            | Update::Copy { .. }
            | Update::Fill { .. }
            | Update::HavocMemory { .. }
            | Update::ScopeBegin(_)
            | Update::ScopeEnd(_)
            | Update::Free { .. }
            | Update::Mark { .. } => None,
        }
    }

    /// Calls `visit` on every term that is evaluated, addresses among them.
    pub fn for_each_term(&self, visit: &mut dyn FnMut(Term)) {
        match *self {
            Update::Havoc { .. } | Update::ScopeBegin(_) | Update::ScopeEnd(_) => {}
            Update::Assign { value, .. } => visit(value),
            Update::Load { addr, .. }
            | Update::Free { addr, .. }
            | Update::Inspect { addr, .. } => {
                visit(addr);
            }
            Update::Store { addr, value } | Update::Mark { memory: _, addr, value } => {
                [addr, value].into_iter().for_each(visit);
            }
            Update::Copy { dst, src, size } => [dst, src, size].into_iter().for_each(visit),
            Update::Fill { dst, byte, size } => [dst, byte, size].into_iter().for_each(visit),
            Update::HavocMemory { ref pointers } => pointers.iter().copied().for_each(visit),
            Update::Alloc { size, .. } => visit(size),
            Update::Realloc { addr, size, .. } => [addr, size].into_iter().for_each(visit),
        }
    }
}
