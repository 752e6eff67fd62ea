//! From a program to Horn clauses.
//!
//! Each location has a predicate of the values that the procedure was entered with and the values that there
//! are now; each procedure one of what it is entered with, and one of that, its result and what globals are
//! when it returns. What predicates do not speak of (pointers, floats, memory) may be anything at any time.
//!
//! Each thread has clauses as if it were alone, and what it knows of shared variables comes from `threads`.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

use ravelin_base::{EntityRef, EntitySet};
use ravelin_cfa::effects::may_trap;
use ravelin_cfa::flow::liveness::liveness;
use ravelin_cfa::flow::locals::Locals;
use ravelin_cfa::{Callee, Edge, Label, Loc, Op, Proc, Program, Sort, VarKind, ops};
use ravelin_por::{Lockset, Protection};
use ravelin_smt::horn::{Application, Clause, Predicate};
use ravelin_term::{Term, TermPool, Var};
use rustc_hash::FxHashMap;

use super::system::{Names, System, is_plain};
use super::threads::{Company, is_plain_about_mutexes};
use crate::model::rewrite;
use crate::model::traps::does_not_trap;

/// Larger programs are not looked at.
const MAX_PREDICATES: usize = 300;
const MAX_PARAMS: usize = 40;

impl System {
    /// The clauses of a program; `None` if it calls through pointers or is too large. If it has threads, it is said
    /// what protects the variables that they share.
    pub fn of(program: &Program, protection: Option<&Protection<'_>>) -> Option<System> {
        let entry = program.entry?;
        if !program.procs.values().all(is_plain) {
            return None;
        }
        if let Some(protection) = protection {
            let mut is_plain = true;
            for edge in program.procs.values().flat_map(|procedure| procedure.edges.values()) {
                let mut labels = edge.labels.iter();
                is_plain &= labels.all(|label| is_plain_about_mutexes(protection, label));
            }
            if !is_plain {
                return None;
            }
        }
        let mut encoder = Encoder::new(program, protection);
        encoder.reach((entry, Company::Alone), None);
        let mut next = 0;
        while let Some(&entered) = encoder.reached.get(next) {
            next += 1;
            encoder.procedure(entered);
            if encoder.predicates.len() > MAX_PREDICATES {
                return None;
            }
        }
        encoder.start(entry);
        if encoder.predicates.iter().any(|predicate| predicate.params.len() > MAX_PARAMS) {
            return None;
        }
        let Encoder { terms, predicates, names, clauses, signed, next_var, .. } = encoder;
        Some(System { terms, predicates, names, clauses, signed, next_var })
    }
}

/// A procedure, and in what company it is entered.
pub(super) type Entered = (Proc, Company);

/// The predicates of a procedure.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// What the parameters and the globals were on entry, in the order of `Encoder::passed`.
    on_entry: Vec<Term>,
    pub(super) entered: usize,
    returned: BTreeMap<Company, usize>,
    /// The predicates of locations.
    at: BTreeMap<(Company, Loc), At>,
}

#[derive(Clone, Debug)]
struct At {
    predicate: usize,
    /// The variables that it speaks of, behind those of the entry.
    live: Vec<Var>,
}

pub(super) struct Encoder<'p> {
    pub(super) program: &'p Program,
    pub(super) protection: Option<&'p Protection<'p>>,
    pub(super) terms: TermPool,
    next_var: usize,
    /// The global variables that predicates speak of.
    pub(super) globals: Vec<Var>,
    locals: Locals,
    pub(super) frames: BTreeMap<Entered, Frame>,
    reached: Vec<Entered>,
    /// The invariants of mutexes and of open variables.
    pub(super) invariants: BTreeMap<Names, usize>,
    predicates: Vec<Predicate>,
    names: Vec<Names>,
    clauses: Vec<Clause>,
    signed: EntitySet<Var>,
    /// What stands for values that are made of pointers or floats, since objects were made or ended last: from
    /// then on, the same address may be that of another.
    known: FxHashMap<Term, Term>,
}

/// The values of variables in the middle of a step, and when it comes there. What is not in it has the
/// value it had before the step.
#[derive(Clone, Debug)]
pub(super) struct Values {
    pub(super) changed: BTreeMap<Var, Term>,
    pub(super) guard: Term,
    /// What else is known: of the location before, and of what the step saw of others.
    pub(super) body: Vec<Application>,
    pub(super) company: Company,
    /// The mutexes that the thread owns.
    pub(super) held: Lockset,
}

fn is_number(sort: Sort) -> bool {
    matches!(sort, Sort::Bool | Sort::Bv(1..=64))
}

impl<'p> Encoder<'p> {
    fn new(program: &'p Program, protection: Option<&'p Protection<'p>>) -> Self {
        let mut signed = EntitySet::new();
        let mut globals = Vec::new();
        for (var, data) in program.vars.iter() {
            if data.signed {
                signed.insert(var);
            }
            let is_global = match data.kind {
                VarKind::Global { .. } | VarKind::ThreadLocal { .. } => true,
                VarKind::Local(_) => false,
            };
            if is_global && is_number(data.sort) {
                globals.push(var);
            }
        }
        Encoder {
            program,
            protection,
            terms: program.terms.clone(),
            next_var: program.vars.len(),
            globals,
            locals: Locals::of(program),
            frames: BTreeMap::new(),
            reached: Vec::new(),
            invariants: BTreeMap::new(),
            predicates: Vec::new(),
            names: Vec::new(),
            clauses: Vec::new(),
            signed,
            known: FxHashMap::default(),
        }
    }

    pub(super) fn fresh(&mut self, sort: Sort) -> Term {
        let var = Var::new(self.next_var);
        self.next_var += 1;
        self.terms.var(var, sort)
    }

    /// A new variable like one of the program.
    pub(super) fn fresh_like(&mut self, var: Var) -> Term {
        if self.program.vars[var].signed {
            self.signed.insert(Var::new(self.next_var));
        }
        self.fresh(self.program.vars[var].sort)
    }

    /// A new variable for a result that is put into `dst`.
    fn fresh_result(&mut self, sort: Sort, dst: Option<Var>) -> Term {
        // Most results are signed.
        if dst.is_none_or(|dst| self.program.vars[dst].signed) {
            self.signed.insert(Var::new(self.next_var));
        }
        self.fresh(sort)
    }

    pub(super) fn read(&mut self, var: Var) -> Term {
        let sort = self.program.vars[var].sort;
        self.terms.var(var, sort)
    }

    pub(super) fn add(&mut self, name: Names, params: Vec<Term>) -> usize {
        self.predicates.push(Predicate { params });
        self.names.push(name);
        self.predicates.len() - 1
    }

    /// The variables that a procedure is entered with: parameters, then globals.
    pub(super) fn passed(&self, (proc, company): Entered) -> Vec<Var> {
        let entry = self.program.procs[proc].entry;
        let params = self.program.procs[proc].params.iter().copied();
        let params = params.filter(|&param| is_number(self.program.vars[param].sort));
        params.chain(self.known_globals(company, self.held_at(proc, entry))).collect()
    }

    fn result_sort(&self, proc: Proc) -> Option<Sort> {
        self.program.procs[proc].result.filter(|&sort| is_number(sort))
    }

    /// Makes the predicates of a procedure whose result is put into `dst`.
    pub(super) fn reach(&mut self, entered_as: Entered, dst: Option<Var>) {
        if self.frames.contains_key(&entered_as) {
            return;
        }
        let (proc, company) = entered_as;
        let passed = self.passed(entered_as);
        let on_entry: Vec<Term> = passed.iter().map(|&var| self.fresh_like(var)).collect();
        let entered = self.add(Names::Entered(proc), on_entry.clone());
        let mut returned = BTreeMap::new();
        for after in self.company_after(company, proc) {
            let mut summary = on_entry.clone();
            if let Some(sort) = self.result_sort(proc) {
                summary.push(self.fresh_result(sort, dst));
            }
            let held = self.held_at(proc, self.program.procs[proc].exit);
            for var in self.known_globals(after, held) {
                summary.push(self.fresh_like(var));
            }
            returned.insert(after, self.add(Names::Returned(proc), summary));
        }
        let frame = Frame { on_entry, entered, returned, at: BTreeMap::new() };
        self.frames.insert(entered_as, frame);
        self.reached.push(entered_as);
    }

    /// The clauses of a procedure.
    fn procedure(&mut self, entered: Entered) {
        let (program, (proc, company)) = (self.program, entered);
        let procedure = &program.procs[proc];
        let live = liveness(program, &self.locals, proc, procedure);
        let order = procedure.reverse_postorder();
        let found = self.companies(proc, company);
        for &company in &Company::ALL {
            for &loc in &order {
                if loc == procedure.exit || !found.contains(&(company, loc)) {
                    continue;
                }
                let facts = live.at(loc);
                let mut vars: Vec<Var> = Vec::new();
                for (number, &var) in self.locals.list(proc).iter().enumerate() {
                    if facts.contains(number) && is_number(program.vars[var].sort) {
                        vars.push(var);
                    }
                }
                vars.extend(self.known_globals(company, self.held_at(proc, loc)));
                let mut params = self.frames[&entered].on_entry.clone();
                for &var in &vars {
                    params.push(self.read(var));
                }
                let predicate = self.add(Names::At(proc, loc), params);
                if let Some(frame) = self.frames.get_mut(&entered) {
                    frame.at.insert((company, loc), At { predicate, live: vars });
                }
            }
        }
        self.enter(entered);
        for &company in &Company::ALL {
            for &loc in &order {
                if found.contains(&(company, loc)) {
                    for &edge in &procedure.locs[loc].out {
                        self.edge(entered, company, edge);
                    }
                }
            }
        }
    }

    /// Who enters a procedure is at its first location.
    fn enter(&mut self, entered_as: Entered) {
        let (proc, company) = entered_as;
        let entry = self.program.procs[proc].entry;
        let passed = self.passed(entered_as);
        let Frame { on_entry, entered, .. } = self.frames[&entered_as].clone();
        let body = vec![Application { predicate: entered, args: on_entry.clone() }];
        let changed = passed.into_iter().zip(on_entry).collect();
        let (guard, held) = (self.terms.bool(true), self.held_at(proc, entry));
        let values = Values { changed, guard, body, company, held };
        self.arrive(entered_as, values, entry);
    }

    /// The program begins.
    fn start(&mut self, entry: Proc) {
        let entered = (entry, Company::Alone);
        let mut args = Vec::new();
        for var in self.passed(entered) {
            args.push(self.initial(var));
        }
        let head = Some(Application { predicate: self.frames[&entered].entered, args });
        let constraint = self.terms.bool(true);
        self.clause(Vec::new(), constraint, head);
    }

    /// The value that a global variable begins with.
    pub(super) fn initial(&mut self, var: Var) -> Term {
        let init = match self.program.vars[var].kind {
            VarKind::Global { init, .. } | VarKind::ThreadLocal { init } => init,
            VarKind::Local(_) => None,
        };
        match init {
            Some(init) => init,
            None => self.fresh_like(var),
        }
    }

    pub(super) fn clause(
        &mut self,
        body: Vec<Application>,
        constraint: Term,
        head: Option<Application>,
    ) {
        // Equal terms that are not about numbers are equal numbers in one clause.
        let mut known = FxHashMap::default();
        let constraint = self.plain(constraint, &mut known);
        let mut application = |this: &mut Self, Application { predicate, args }: Application| {
            let args = args.into_iter().map(|arg| this.plain(arg, &mut known)).collect();
            Application { predicate, args }
        };
        let body = body.into_iter().map(|it| application(self, it)).collect();
        let head = head.map(|it| application(self, it));
        if self.terms.as_bool(constraint) != Some(false) {
            self.clauses.push(Clause { body, constraint, head });
        }
    }

    /// A term with any number in place of what is made of something else.
    fn plain(&mut self, term: Term, known: &mut FxHashMap<Term, Term>) -> Term {
        let mut borders = Vec::new();
        self.terms.for_each_subterm(term, |subterm, _| {
            if matches!(self.terms.sort(subterm), Sort::Bool | Sort::Bv(_))
                && self
                    .terms
                    .children(subterm)
                    .any(|child| !matches!(self.terms.sort(child), Sort::Bool | Sort::Bv(_)))
            {
                borders.push(subterm);
            }
        });
        for border in borders {
            if let Entry::Vacant(entry) = known.entry(border) {
                entry.insert(self.fresh(self.terms.sort(border)));
            }
        }
        rewrite::rebuild(&mut self.terms, term, known)
    }

    /// The value of a term in the middle of a step. Where a division has no result, it is any (`Block::evaluate`).
    pub(super) fn value(&mut self, values: &Values, term: Term) -> Term {
        if may_trap(&self.terms, term) {
            let safe = does_not_trap(&mut self.terms, term);
            let safe = self.defined_value(values, safe);
            let value = self.defined_value(values, term);
            let any = self.fresh(self.terms.sort(value));
            return self.terms.ite(safe, value, any);
        }
        self.defined_value(values, term)
    }

    fn defined_value(&mut self, values: &Values, term: Term) -> Term {
        let term = self.terms.substitute(term, |_, var| values.changed.get(&var).copied());
        let mut known = std::mem::take(&mut self.known);
        let plain = self.plain(term, &mut known);
        self.known = known;
        plain
    }

    pub(super) fn current(&mut self, values: &Values, var: Var) -> Term {
        match values.changed.get(&var) {
            Some(&term) => term,
            None => self.read(var),
        }
    }

    /// Who comes to a location with these values.
    fn arrive(&mut self, entered: Entered, mut values: Values, target: Loc) {
        let Some(At { predicate, live }) = self.frames[&entered].at.get(&(values.company, target))
        else {
            return;
        };
        let (predicate, live) = (*predicate, live.clone());
        let mut args = self.frames[&entered].on_entry.clone();
        for var in live {
            args.push(self.current(&values, var));
        }
        self.give_up(&mut values, !self.held_at(entered.0, target));
        self.clause(values.body, values.guard, Some(Application { predicate, args }));
    }

    fn edge(&mut self, entered: Entered, company: Company, edge: Edge) {
        let proc = entered.0;
        let edge = &self.program.procs[proc].edges[edge];
        let (labels, target) = (&edge.labels, edge.target);
        let Some(At { predicate, .. }) = self.frames[&entered].at.get(&(company, edge.source))
        else {
            return;
        };
        let args = self.predicates[*predicate].params.clone();
        let here = Application { predicate: *predicate, args };
        self.known.clear();
        let mut values = Values {
            changed: BTreeMap::new(),
            guard: self.terms.bool(true),
            body: vec![here],
            company,
            held: self.held_at(proc, edge.source),
        };
        let (last, before) = match labels.split_last() {
            Some((last, before)) => (Some(last), before),
            None => (None, &labels[..]),
        };
        self.take(before, &mut values);
        let Some(last) = last else {
            self.arrive(entered, values, target);
            return;
        };
        match &last.op {
            Op::Call { dst, callee: Callee::Direct(callee), args } => {
                self.observe(&mut values, &last.op);
                self.call(entered, values, last, (*callee, args, *dst), target);
            }
            Op::Return { value } => {
                self.observe(&mut values, &last.op);
                let Frame { mut on_entry, returned, .. } = self.frames[&entered].clone();
                let Some(&returned) = returned.get(&values.company) else { return };
                if let Some(sort) = self.result_sort(proc) {
                    let result = match *value {
                        Some(value) if self.terms.sort(value) == sort => self.value(&values, value),
                        _ => self.fresh(sort),
                    };
                    on_entry.push(result);
                }
                let held = self.held_at(proc, self.program.procs[proc].exit);
                for var in self.known_globals(values.company, held) {
                    on_entry.push(self.current(&values, var));
                }
                self.give_up(&mut values, !held);
                let head = Application { predicate: returned, args: on_entry };
                self.clause(values.body, values.guard, Some(head));
            }
            Op::Start { dst, routine: Callee::Direct(routine), args } => {
                self.observe(&mut values, &last.op);
                self.start_thread(&mut values, *routine, args);
                let handle = self.fresh_like(*dst);
                values.changed.insert(*dst, handle);
                self.publish(&mut values, &last.op);
                self.arrive(entered, values, target);
            }
            // What is not modelled must not be reached, either.
            Op::Error(_) | Op::Claim(_) | Op::Unsupported { .. } => {
                self.clause(values.body, values.guard, None);
            }
            Op::Exit { .. } | Op::Abort | Op::ThreadExit { .. } => {}
            _ => {
                self.take(&labels[before.len()..], &mut values);
                self.arrive(entered, values, target);
            }
        }
    }

    fn call(
        &mut self,
        entered: Entered,
        mut values: Values,
        label: &Label,
        (callee, args, dst): (Proc, &[Term], Option<Var>),
        target: Loc,
    ) {
        let called = (callee, values.company);
        self.reach(called, dst);
        let procedure = &self.program.procs[callee];
        let mut passed = self.arguments(&values, callee, args);
        let held = self.held_at(callee, procedure.entry);
        for var in self.known_globals(values.company, held) {
            passed.push(self.current(&values, var));
        }
        // Others call it without: what it does not know to be owned is not.
        let behind = self.held_behind(label, values.held);
        self.give_up(&mut values, !held);
        let Frame { entered: at_entry, returned, .. } = self.frames[&called].clone();
        let head = Application { predicate: at_entry, args: passed.clone() };
        self.clause(values.body.clone(), values.guard, Some(head));
        for (company, returned) in returned {
            let mut values = Values { company, ..values.clone() };
            let result = self.result_sort(callee).map(|sort| self.fresh_result(sort, dst));
            let mut summary = passed.clone();
            summary.extend(result);
            values.held = self.held_at(callee, procedure.exit);
            for var in self.known_globals(company, values.held) {
                let after = self.fresh_like(var);
                summary.push(after);
                values.changed.insert(var, after);
            }
            values.body.push(Application { predicate: returned, args: summary });
            self.acquire(&mut values, behind);
            if let Some(dst) = dst {
                let value = match result {
                    Some(result) if self.terms.sort(result) == self.program.vars[dst].sort => {
                        result
                    }
                    _ => self.fresh_like(dst),
                };
                values.changed.insert(dst, value);
            }
            self.publish(&mut values, &label.op);
            self.arrive(entered, values, target);
        }
    }

    /// The values of the parameters that predicates speak of.
    pub(super) fn arguments(&mut self, values: &Values, callee: Proc, args: &[Term]) -> Vec<Term> {
        let params = self.program.procs[callee].params.clone();
        let mut passed = Vec::new();
        for (number, &param) in params.iter().enumerate() {
            let sort = self.program.vars[param].sort;
            if !is_number(sort) {
                continue;
            }
            passed.push(match args.get(number) {
                Some(&arg) if self.terms.sort(arg) == sort => self.value(values, arg),
                _ => self.fresh_like(param),
            });
        }
        passed
    }

    /// Takes labels of a step, none of which ends it.
    fn take(&mut self, labels: &[Label], values: &mut Values) {
        for label in labels {
            self.take_one(label, values);
        }
    }

    fn take_one(&mut self, label: &Label, values: &mut Values) {
        if !matches!(label.op, Op::Choice(_)) {
            self.observe(values, &label.op);
        }
        match &label.op {
            Op::Assume(condition) => {
                let condition = self.value(values, *condition);
                values.guard = self.terms.and(values.guard, condition);
            }
            Op::Assign { dst, value } => {
                let value = match self.program.vars[*dst].sort {
                    Sort::Bool | Sort::Bv(_) => self.value(values, *value),
                    Sort::Float(_) | Sort::Ptr | Sort::Mem => self.fresh_like(*dst),
                };
                values.changed.insert(*dst, value);
            }
            Op::Choice(branches) => {
                let taken: Vec<Values> = branches
                    .iter()
                    .map(|branch| {
                        let mut values = values.clone();
                        self.take(branch, &mut values);
                        values
                    })
                    .collect();
                *values = self.merged(values, &taken);
            }
            Op::Havoc { dst, .. }
            | Op::Load { dst, .. }
            | Op::Inspect { dst, .. }
            | Op::ThreadSelf { dst } => {
                let value = self.fresh_like(*dst);
                values.changed.insert(*dst, value);
            }
            Op::Alloc { dst, .. } | Op::Realloc { dst, .. } => {
                self.known.clear();
                let value = self.fresh_like(*dst);
                values.changed.insert(*dst, value);
            }
            ops!(scope) | Op::Free { .. } => self.known.clear(),
            Op::Sync { dst, .. } | Op::Join { dst, .. } => {
                self.synchronise(values, label);
                if let Some(dst) = *dst {
                    let value = self.fresh_like(dst);
                    values.changed.insert(dst, value);
                }
            }
            Op::Exit { .. } | Op::Abort | Op::ThreadExit { .. } => {
                values.guard = self.terms.bool(false);
            }
            // Memory is not known before, nor after. What leaves the procedure stands last on its edge.
            ops!(procedure, section, remark)
            | Op::Skip
            | Op::Store { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::HavocMemory { .. }
            | Op::Start { .. }
            | Op::Error(_)
            | Op::Claim(_)
            | Op::Unsupported { .. } => {}
        }
        if !matches!(label.op, Op::Choice(_)) {
            self.publish(values, &label.op);
        }
    }

    /// The values after one of several ways, which exclude each other.
    fn merged(&mut self, before: &Values, ways: &[Values]) -> Values {
        let mut guard = self.terms.bool(false);
        let mut changed: BTreeMap<Var, Term> = BTreeMap::new();
        let mut body = before.body.clone();
        for way in ways {
            // What was seen on one way holds of some value on the others, too.
            body.extend_from_slice(&way.body[before.body.len()..]);
            guard = self.terms.or(guard, way.guard);
            for &var in way.changed.keys() {
                changed.entry(var).or_insert(way.changed[&var]);
            }
        }
        for (&var, value) in &mut changed {
            let mut ways = ways.iter().rev();
            let Some(last) = ways.next() else { break };
            *value = self.after(before, last, var);
            for way in ways {
                let taken = self.after(before, way, var);
                *value = self.terms.ite(way.guard, taken, *value);
            }
        }
        Values { changed, guard, body, ..*before }
    }

    fn after(&mut self, before: &Values, way: &Values, var: Var) -> Term {
        match way.changed.get(&var) {
            Some(&value) => value,
            None => self.current(before, var),
        }
    }
}
