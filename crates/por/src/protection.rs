//! Which mutex protects which shared variable.
//!
//! While a thread holds a mutex, nobody else touches the variables that are touched only by those who hold it. So what
//! is true of these variables whenever the mutex is free is all that a thread knows of them when it has taken it, and
//! all that it owes when it releases it: an invariant of the mutex (O'Hearn: "Resources, concurrency and local
//! reasoning", CONCUR 2004). Before there is a second thread, nothing needs protection.
//!
//! A thread *owns* a mutex where it holds it whatever way it took there ([`Protection::held_at`]). Ownership is given up
//! with the mutex, and also where ways meet of which one does not hold it.

use ravelin_base::{EntitySet, SecondaryMap};
use ravelin_cfa::access::{Access, for_each_access};
use ravelin_cfa::{Callee, Edge, Label, Loc, Op, Proc, Program, VarKind};
use ravelin_pointsto::PointsTo;
use ravelin_term::{TermKind, Var};

use crate::locks::{Lockset, Locksets};
use crate::parallel::{called, starters, while_others_run};

/// Who may see the values of a variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// Only the thread that has it.
    #[default]
    Own,
    /// All threads, and nobody writes it any more when there are several.
    Constant,
    /// While there are several threads, those who hold the mutex of this number.
    Guarded(u32),
    /// All threads at any time.
    Open,
}

/// The mutexes of a program and what they protect.
#[derive(Debug)]
pub struct Protection<'a> {
    locks: Locksets<'a>,
    sharing: SecondaryMap<Var, Sharing>,
    starters: EntitySet<Proc>,
}

impl<'a> Protection<'a> {
    pub fn of(program: &'a Program, points_to: &'a PointsTo) -> Protection<'a> {
        let starters = starters(program);
        let concurrent = while_others_run(program);
        let locks = Locksets::new(program, points_to, &concurrent);
        let mut found = Protection { locks, sharing: SecondaryMap::new(), starters };
        found.find_sharing(program, &concurrent);
        found
    }

    pub fn sharing(&self, var: Var) -> Sharing {
        self.sharing[var]
    }

    /// Whether a procedure may start threads, itself or in what it calls.
    pub fn starts_threads(&self, proc: Proc) -> bool {
        self.starters.contains(proc)
    }

    /// The mutexes that a thread holds wherever it comes to a location.
    pub fn held_at(&self, proc: Proc, loc: Loc) -> Lockset {
        self.locks.held_at(proc, loc).unwrap_or(0)
    }

    /// The mutexes that a thread holds behind a label; none are named if it does not get there.
    pub fn held_behind(&self, label: &Label, held: Lockset) -> Lockset {
        self.locks.held_behind(label, held).unwrap_or(0)
    }

    /// The mutexes of these that a label releases, for good or to wait.
    pub fn released(&self, label: &Label, held: Lockset) -> Lockset {
        self.locks.released(label) & held
    }

    fn find_sharing(&mut self, program: &Program, concurrent: &[(Proc, Edge)]) {
        for (var, data) in program.vars.iter() {
            if matches!(data.kind, VarKind::Global { .. }) {
                self.sharing[var] = Sharing::Constant;
            }
        }
        // What is held at every access, and whether one of them writes.
        let mut guards: SecondaryMap<Var, Option<Lockset>> = SecondaryMap::new();
        let mut written: EntitySet<Var> = EntitySet::new();
        let mut edges = concurrent.to_vec();
        // Behind a call or a start that makes the second thread, its result is written beside that thread.
        for (proc, procedure) in program.procs.iter() {
            for (edge, data) in procedure.edges.iter() {
                if data.labels.iter().any(|label| self.makes_threads(program, label)) {
                    edges.push((proc, edge));
                }
            }
        }
        for (proc, edge) in edges {
            let data = &program.procs[proc].edges[edge];
            let mut held = self.held_at(proc, data.source);
            for label in &data.labels {
                let behind = self.held_behind(label, held);
                // Within a choice and in a call, no more is held than on both sides.
                let throughout = held & behind;
                for_each_access(&label.op, &mut |access| match access {
                    Access::Evaluate(term) => program.terms.for_each_subterm(term, |_, kind| {
                        if let TermKind::Var(var) = kind {
                            guards[var] = Some(guards[var].unwrap_or(Lockset::MAX) & throughout);
                        }
                    }),
                    Access::Assign(var) => {
                        guards[var] = Some(guards[var].unwrap_or(Lockset::MAX) & throughout);
                        written.insert(var);
                    }
                    _ => {}
                });
                held = behind;
            }
        }
        for var in program.vars.keys() {
            if self.sharing[var] == Sharing::Constant && written.contains(var) {
                self.sharing[var] = match guards[var] {
                    Some(held) if held != 0 => Sharing::Guarded(held.trailing_zeros()),
                    _ => Sharing::Open,
                };
            }
        }
    }

    /// Whether there may be a second thread behind a label that was not there before.
    fn makes_threads(&self, program: &Program, label: &Label) -> bool {
        let mut makes = false;
        label.walk(&mut |label| {
            makes |= match &label.op {
                Op::Start { .. } => true,
                Op::Call { callee: callee @ (Callee::Direct(_) | Callee::Pointer(_)), .. } => {
                    called(program, callee).any(|callee| self.starts_threads(callee))
                }
                _ => false,
            };
        });
        makes
    }
}
