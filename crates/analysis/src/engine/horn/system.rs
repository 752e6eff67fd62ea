//! A system of Horn clauses, and which procedures have one.

use ravelin_base::{EntityRef, EntitySet};
use ravelin_cfa::{Callee, Loc, Op, Proc, Procedure, Sort, ops};
use ravelin_smt::horn::{Clause, Predicate};
use ravelin_term::{Term, TermPool, Var};

/// What a predicate is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Names {
    /// The procedure is entered.
    Entered(Proc),
    /// The location is reached.
    At(Proc, Loc),
    /// The procedure returns.
    Returned(Proc),
    /// Nobody owns the mutex of this number.
    Mutex(u32),
    /// The variable, which all threads may see, has this value.
    Open(Var),
}

/// The clauses of a program.
#[derive(Debug)]
pub struct System {
    pub terms: TermPool,
    pub predicates: Vec<Predicate>,
    /// What each predicate is about.
    pub names: Vec<Names>,
    pub clauses: Vec<Clause>,
    pub signed: EntitySet<Var>,
    pub(super) next_var: usize,
}

impl System {
    /// A variable that is not in any clause yet.
    pub fn fresh(&mut self, sort: Sort, is_signed: bool) -> Term {
        let var = Var::new(self.next_var);
        self.next_var += 1;
        if is_signed {
            self.signed.insert(var);
        }
        self.terms.var(var, sort)
    }
}

/// Whether a procedure calls and starts nobody through pointers. Where a step leaves the procedure or
/// the program otherwise than by an end, that is the last it does.
pub(super) fn is_plain(procedure: &Procedure) -> bool {
    procedure.edges.values().all(|edge| {
        let Some((last, before)) = edge.labels.split_last() else {
            return edge.target != procedure.exit;
        };
        let leaves = |op: &Op| match op {
            ops!(procedure)
            | Op::Start { .. }
            | Op::Error(_)
            | Op::Claim(_)
            | Op::Unsupported { .. } => true,
            ops!(data, access, scope, object, section, remark)
            | Op::HavocMemory { .. }
            | Op::ThreadExit { .. }
            | Op::ThreadSelf { .. }
            | Op::Join { .. }
            | Op::Sync { .. }
            | Op::Exit { .. }
            | Op::Abort
            | Op::Choice(_) => false,
        };
        let ends = |op: &Op| matches!(op, Op::Exit { .. } | Op::Abort | Op::ThreadExit { .. });
        let is_known_end = match &last.op {
            Op::Call { callee: Callee::Direct(_), .. }
            | Op::Start { routine: Callee::Direct(_), .. } => edge.target != procedure.exit,
            Op::Return { .. } | Op::Error(_) | Op::Claim(_) | Op::Unsupported { .. } => true,
            op => {
                (edge.target != procedure.exit || ends(op)) && !last.any(&mut |it| leaves(&it.op))
            }
        };
        is_known_end && !before.iter().any(|label| label.any(&mut |it| leaves(&it.op)))
    })
}
