//! What a thread knows of the variables that it shares.
//!
//! Before a program starts its first thread, it knows all. From then on it knows the variables that nobody writes any
//! more ([`Sharing::Constant`]), and of each mutex that it owns the variables that the mutex guards. A mutex that
//! nobody owns has an invariant of its variables and the constant ones: who takes it may assume the invariant, who
//! gives it up must have restored it, and so must the program before it starts its first thread. An open variable has an
//! invariant of its own, which every value that is written to it fulfils.

use std::collections::BTreeSet;

use ravelin_cfa::access::{Access, for_each_access};
use ravelin_cfa::{Callee, Label, Loc, Op, Proc};
use ravelin_por::{Lockset, Protection, Sharing};
use ravelin_smt::horn::Application;
use ravelin_term::{Term, TermKind, Var};

use super::encode::{Encoder, Values};
use super::system::Names;

/// Whether the program may have started a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Company {
    /// There is one thread.
    Alone,
    /// There may be others.
    Beside,
}

impl Company {
    pub(super) const ALL: [Company; 2] = [Company::Alone, Company::Beside];
}

impl Encoder<'_> {
    /// The company in which a call returns.
    pub(super) fn company_after(&self, company: Company, callee: Proc) -> Vec<Company> {
        let starts = self.protection.is_some_and(|it| it.starts_threads(callee));
        match company {
            Company::Alone if starts => Company::ALL.to_vec(),
            company => vec![company],
        }
    }

    /// The company in which each location of a procedure may be reached.
    pub(super) fn companies(&self, proc: Proc, company: Company) -> BTreeSet<(Company, Loc)> {
        let procedure = &self.program.procs[proc];
        let first = (company, procedure.entry);
        let mut found = BTreeSet::from([first]);
        let mut work = vec![first];
        while let Some((company, loc)) = work.pop() {
            for &edge in &procedure.locs[loc].out {
                let edge = &procedure.edges[edge];
                let after = match edge.labels.last().map(|label| &label.op) {
                    Some(Op::Start { .. }) => vec![Company::Beside],
                    Some(Op::Call { callee: Callee::Direct(callee), .. }) => {
                        self.company_after(company, *callee)
                    }
                    _ => vec![company],
                };
                for company in after {
                    if found.insert((company, edge.target)) {
                        work.push((company, edge.target));
                    }
                }
            }
        }
        found
    }

    pub(super) fn held_at(&self, proc: Proc, loc: Loc) -> Lockset {
        self.protection.map_or(0, |it| it.held_at(proc, loc))
    }

    pub(super) fn held_behind(&self, label: &Label, held: Lockset) -> Lockset {
        self.protection.map_or(0, |it| it.held_behind(label, held))
    }

    /// The global variables whose values a thread knows if it owns these mutexes.
    pub(super) fn known_globals(&self, company: Company, held: Lockset) -> Vec<Var> {
        let mut known = self.globals.clone();
        if let (Company::Beside, Some(protection)) = (company, self.protection) {
            known.retain(|&var| match protection.sharing(var) {
                Sharing::Own | Sharing::Constant => true,
                Sharing::Guarded(lock) => held >> lock & 1 == 1,
                Sharing::Open => false,
            });
        }
        known
    }

    /// The variables that share a way of protection.
    fn all_shared(&self, sharing: Sharing) -> Vec<Var> {
        let Some(protection) = self.protection else { return Vec::new() };
        self.globals.iter().copied().filter(|&var| protection.sharing(var) == sharing).collect()
    }

    /// The invariant of these variables, with the values that they have now.
    fn invariant(&mut self, values: &Values, name: Names, vars: &[Var]) -> Application {
        let constants = self.all_shared(Sharing::Constant);
        let all: Vec<Var> = vars.iter().copied().chain(constants).collect();
        let predicate = match self.invariants.get(&name) {
            Some(&predicate) => predicate,
            None => {
                let params = all.iter().map(|&var| self.fresh_like(var)).collect();
                let predicate = self.add(name, params);
                self.invariants.insert(name, predicate);
                predicate
            }
        };
        let args = all.into_iter().map(|var| self.current(values, var)).collect();
        Application { predicate, args }
    }

    /// The invariant of a mutex, if it guards anything that predicates speak of.
    fn invariant_of_mutex(&mut self, values: &Values, lock: u32) -> Option<Application> {
        let vars = self.all_shared(Sharing::Guarded(lock));
        (!vars.is_empty()).then(|| self.invariant(values, Names::Mutex(lock), &vars))
    }

    /// The thread owns these mutexes no longer, as far as it did.
    pub(super) fn give_up(&mut self, values: &mut Values, locks: Lockset) {
        let given = values.held & locks;
        if values.company == Company::Beside {
            self.restore(values, given);
        }
        values.held &= !locks;
    }

    /// The invariants of these mutexes must hold.
    fn restore(&mut self, values: &Values, locks: Lockset) {
        for lock in numbers(locks) {
            if let Some(restored) = self.invariant_of_mutex(values, lock) {
                self.clause(values.body.clone(), values.guard, Some(restored));
            }
        }
    }

    /// The thread owns these mutexes from now on. Those that it owned before it knows already.
    pub(super) fn acquire(&mut self, values: &mut Values, locks: Lockset) {
        let gained = locks & !values.held;
        values.held |= gained;
        if values.company == Company::Alone {
            return;
        }
        for lock in numbers(gained) {
            for var in self.all_shared(Sharing::Guarded(lock)) {
                let found = self.fresh_like(var);
                values.changed.insert(var, found);
            }
            let known = self.invariant_of_mutex(values, lock);
            values.body.extend(known);
        }
    }

    /// The thread takes and releases mutexes.
    pub(super) fn synchronise(&mut self, values: &mut Values, label: &Label) {
        let Some(protection) = self.protection else { return };
        let behind = protection.held_behind(label, values.held);
        let released = protection.released(label, values.held);
        self.give_up(values, released | !behind);
        self.acquire(values, behind);
    }

    /// What an operation reads of open variables: each of its terms sees some value that was written.
    pub(super) fn observe(&mut self, values: &mut Values, op: &Op) {
        if values.company == Company::Alone {
            return;
        }
        let Some(protection) = self.protection else { return };
        let mut seen: BTreeSet<Var> = BTreeSet::new();
        for_each_access(op, &mut |access| {
            let Access::Evaluate(term) = access else { return };
            self.program.terms.for_each_subterm(term, |_, kind| {
                if let TermKind::Var(var) = kind
                    && protection.sharing(var) == Sharing::Open
                {
                    seen.insert(var);
                }
            });
        });
        for var in seen {
            // Others are not numbers, and may be anything.
            if self.globals.contains(&var) {
                let found = self.fresh_like(var);
                values.changed.insert(var, found);
                let known = self.invariant(values, Names::Open(var), &[var]);
                values.body.push(known);
            }
        }
    }

    /// What an operation has written to open variables is seen by all. From now on the thread knows no more of them than
    /// others do.
    pub(super) fn publish(&mut self, values: &mut Values, op: &Op) {
        if values.company == Company::Alone {
            return;
        }
        let Some(protection) = self.protection else { return };
        let is_open = |var: Var| protection.sharing(var) == Sharing::Open;
        if let Some(dst) = op.dst()
            && is_open(dst)
            && self.globals.contains(&dst)
        {
            let written = self.invariant(values, Names::Open(dst), &[dst]);
            self.clause(values.body.clone(), values.guard, Some(written));
        }
        values.changed.retain(|&var, _| !is_open(var));
    }

    /// A thread is started.
    pub(super) fn start_thread(&mut self, values: &mut Values, routine: Proc, args: &[Term]) {
        let Some(protection) = self.protection else { return };
        let mut args = self.arguments(values, routine, args);
        if values.company == Company::Alone {
            self.restore(values, !values.held);
            for var in self.all_shared(Sharing::Open) {
                let begun = self.invariant(values, Names::Open(var), &[var]);
                self.clause(values.body.clone(), values.guard, Some(begun));
            }
            values.company = Company::Beside;
            values.changed.retain(|&var, _| protection.sharing(var) != Sharing::Open);
        }
        let begun = (routine, Company::Beside);
        self.reach(begun, None);
        let entry = self.program.procs[routine].entry;
        for var in self.known_globals(Company::Beside, self.held_at(routine, entry)) {
            args.push(match protection.sharing(var) {
                Sharing::Own => self.initial(var),
                _ => self.current(values, var),
            });
        }
        let head = Application { predicate: self.frames[&begun].entered, args };
        self.clause(values.body.clone(), values.guard, Some(head));
    }
}

/// Whether mutexes are taken and released only where the encoding looks for it: not within a choice.
pub(super) fn is_plain_about_mutexes(protection: &Protection<'_>, label: &Label) -> bool {
    let Op::Choice(branches) = &label.op else { return true };
    branches.iter().flatten().all(|label| {
        protection.released(label, Lockset::MAX) == 0
            && protection.held_behind(label, 0) == 0
            && is_plain_about_mutexes(protection, label)
    })
}

fn numbers(locks: Lockset) -> impl Iterator<Item = u32> {
    (0..Lockset::BITS).filter(move |lock| locks >> lock & 1 == 1)
}
