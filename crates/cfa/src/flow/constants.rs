//! Conditional constant propagation: the locals with one known value at a location, along the edges
//! that can be taken.
//!
//! A constant is a closed term: a literal, or an address that is the same in every frame and
//! thread. The analysis tracks only locals, which other threads and callees do not change, and
//! globals that no operation writes.

use ravelin_base::{EntityRef, EntitySet, SecondaryMap};
use ravelin_term::{BinOp, Term, TermKind, TermPool, UnOp, Var, term_kinds};
use smallvec::{SmallVec, smallvec};

use super::facts::Facts;
use super::locals::Locals;
use crate::access::{Access, for_each_access};
use crate::model::{Edge, Loc, ObjectKind, Proc, Procedure, Program, VarKind};
use crate::op::{Label, Op};

/// The values of globals and thread-locals that no operation of the program writes.
#[derive(Debug)]
pub struct FixedGlobals {
    values: SecondaryMap<Var, Option<Term>>,
}

impl FixedGlobals {
    pub fn of(program: &Program) -> Self {
        let mut values = SecondaryMap::with_capacity(program.vars.len());
        for (var, data) in program.vars.iter() {
            values[var] = match data.kind {
                VarKind::Global { init, .. } | VarKind::ThreadLocal { init } => init,
                VarKind::Local(_) => None,
            };
        }
        program.for_each_label(|_, label| {
            for_each_access(&label.op, &mut |access| {
                if let Access::Assign(var) = access {
                    values[var] = None;
                }
            });
        });
        FixedGlobals { values }
    }
}

/// What the analysis of one procedure needs from the rest of the program.
#[derive(Debug)]
pub struct Context<'a> {
    pub locals: &'a Locals,
    pub globals: &'a FixedGlobals,
    pub proc: Proc,
}

/// The constants at each location; `None` if it is unreachable.
pub type Constants = SecondaryMap<Loc, Option<Facts>>;

/// Analyses `procedure`, which may have been taken out of `program` under the name `context.proc`.
/// It builds new terms in the program's pool and changes nothing else.
pub fn constants(program: &mut Program, context: &Context<'_>, procedure: &Procedure) -> Constants {
    let order = procedure.reverse_postorder();
    let mut states = Constants::with_capacity(procedure.locs.len());
    states[procedure.entry] = Some(context.nothing_known());
    spread(program, context, procedure, &order, &mut states, |_| true);
    states
}

/// Propagates the existing states over the locations of `order`, which is in reverse postorder,
/// along the edges that `follow` admits, until nothing changes.
pub fn spread(
    program: &mut Program,
    context: &Context<'_>,
    procedure: &Procedure,
    order: &[Loc],
    states: &mut Constants,
    follow: impl Fn(Edge) -> bool,
) {
    let mut pending = EntitySet::with_capacity(procedure.locs.len());
    for &loc in order {
        if states[loc].is_some() {
            pending.insert(loc);
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &loc in order {
            if !pending.remove(loc) {
                continue;
            }
            for &edge in &procedure.locs[loc].out {
                if !follow(edge) {
                    continue;
                }
                let Some(mut state) = states[loc].clone() else {
                    continue;
                };
                let data = &procedure.edges[edge];
                if !context.take(program, &data.labels, &mut state) {
                    continue;
                }
                let grew = match &mut states[data.target] {
                    Some(old) => old.meet(&state),
                    slot @ None => {
                        *slot = Some(state);
                        true
                    }
                };
                if grew {
                    pending.insert(data.target);
                    changed = true;
                }
            }
        }
    }
}

impl Context<'_> {
    /// The state at a procedure's entry: parameters may have any value, and other locals have none
    /// yet.
    pub fn nothing_known(&self) -> Facts {
        Facts::new(self.locals.list(self.proc).len())
    }

    /// The state after the labels of an edge; `false` if it cannot be taken.
    pub fn take(&self, program: &mut Program, labels: &[Label], state: &mut Facts) -> bool {
        labels.iter().all(|label| self.step(program, label, state))
    }

    fn step(&self, program: &mut Program, label: &Label, state: &mut Facts) -> bool {
        match &label.op {
            Op::Assume(cond) => {
                let cond = self.substitute(program, *cond, state);
                match program.terms.as_bool(cond) {
                    Some(holds) => holds,
                    None => {
                        self.learn(program, cond, state);
                        true
                    }
                }
            }
            Op::Assign { dst, value } => {
                let Some(number) = self.locals.number(program, *dst) else {
                    return true;
                };
                let value = self.substitute(program, *value, state);
                if is_closed(program, value) {
                    state.insert(number, value.as_u32());
                } else {
                    state.remove(number);
                }
                true
            }
            Op::Choice(branches) => self.choose(program, branches, state),
            op => {
                if let Some(number) = op.dst().and_then(|dst| self.locals.number(program, dst)) {
                    state.remove(number);
                }
                !op.never_continues()
            }
        }
    }

    fn choose(&self, program: &mut Program, branches: &[Vec<Label>], state: &mut Facts) -> bool {
        let mut joined: Option<Facts> = None;
        for branch in branches {
            let mut after = state.clone();
            if self.take(program, branch, &mut after) {
                match &mut joined {
                    Some(joined) => {
                        joined.meet(&after);
                    }
                    slot @ None => *slot = Some(after),
                }
            }
        }
        match joined {
            Some(joined) => {
                *state = joined;
                true
            }
            None => false,
        }
    }

    /// After `assume x == c`, x is c. This does not hold for addresses: a pointer past the end of
    /// one object may equal the address of the next, and still points into the first (C11 6.5.9p6).
    fn learn(&self, program: &mut Program, cond: Term, state: &mut Facts) {
        let terms = &mut program.terms;
        let (var, value) = match terms.kind(cond) {
            TermKind::Var(var) => (var, terms.bool(true)),
            TermKind::Unary(UnOp::Not, inner) => match terms.kind(inner) {
                TermKind::Var(var) => (var, terms.bool(false)),
                _ => return,
            },
            TermKind::Binary(BinOp::Eq, a, b) => match (terms.kind(a), terms.kind(b)) {
                (TermKind::Var(var), _) => (var, b),
                (_, TermKind::Var(var)) => (var, a),
                _ => return,
            },
            _ => return,
        };
        if let Some(number) = self.locals.number(program, var)
            && program.terms.is_literal(value)
        {
            state.insert(number, value.as_u32());
        }
    }

    /// `term` with known values substituted.
    pub fn substitute(&self, program: &mut Program, term: Term, state: &Facts) -> Term {
        if !self.mentions_known(program, term, state) {
            return term;
        }
        // The pool is borrowed separately from the data of the lookup.
        let mut terms = std::mem::replace(&mut program.terms, TermPool::new(0));
        let new = terms.substitute(term, |_, var| self.value(program, var, state));
        program.terms = terms;
        new
    }

    fn value(&self, program: &Program, var: Var, state: &Facts) -> Option<Term> {
        match self.locals.number(program, var) {
            Some(number) => state.get(number).map(|index| Term::new(index as usize)),
            None => self.globals.values[var],
        }
    }

    /// Whether substitution may change the term; true for large terms.
    fn mentions_known(&self, program: &Program, term: Term, state: &Facts) -> bool {
        const LARGE: usize = 200;
        let mut work: SmallVec<[Term; 16]> = smallvec![term];
        let mut visited = 0;
        while let Some(next) = work.pop() {
            visited += 1;
            if visited > LARGE {
                return true;
            }
            match program.terms.kind(next) {
                TermKind::Var(var) if self.value(program, var, state).is_some() => return true,
                _ => work.extend(program.terms.children(next)),
            }
        }
        false
    }
}

/// Whether the term has the same value in every state, frame and thread.
pub fn is_closed(program: &Program, term: Term) -> bool {
    let mut closed = true;
    program.terms.for_each_subterm(term, |_, kind| {
        closed &= match kind {
            TermKind::Var(_) => false,
            TermKind::Address(object) => match program.objects[object].kind {
                ObjectKind::Global | ObjectKind::Constant | ObjectKind::Function(_) => true,
                ObjectKind::ThreadLocal | ObjectKind::Local(_) => false,
            },
            term_kinds!(constants, inner) => true,
        };
    });
    closed
}
