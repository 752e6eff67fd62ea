//! From a program with one thread to Horn clauses.
//!
//! Each location has a predicate of the values that the procedure was entered with and the values that there
//! are now; each procedure one of what it is entered with, and one of that, its result and what globals are
//! when it returns. What predicates do not speak of (pointers, floats, memory) may be anything at any time.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

use ravelin_base::{EntityRef, EntitySet, SecondaryMap};
use ravelin_cfa::effects::may_trap;
use ravelin_cfa::flow::liveness::liveness;
use ravelin_cfa::flow::locals::Locals;
use ravelin_cfa::{Callee, Label, Loc, Op, Proc, Program, Sort, VarKind, ops};
use ravelin_smt::horn::{Application, Clause, Predicate};
use ravelin_term::{Term, TermPool, Var};
use rustc_hash::FxHashMap;

use super::system::{Names, System, is_plain};
use crate::model::rewrite;
use crate::model::traps::does_not_trap;

/// Larger programs are not looked at.
const MAX_PREDICATES: usize = 300;
const MAX_PARAMS: usize = 40;

impl System {
    /// The clauses of a program; `None` if it has threads, calls through pointers, or is too large.
    pub fn of(program: &Program) -> Option<System> {
        let entry = program.entry?;
        if !program.procs.values().all(is_plain) {
            return None;
        }
        let mut encoder = Encoder::new(program);
        encoder.reach(entry, None);
        let mut next = 0;
        while let Some(&proc) = encoder.reached.get(next) {
            next += 1;
            encoder.procedure(proc);
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

/// The predicates of a procedure.
#[derive(Clone, Debug)]
struct Frame {
    /// What the parameters and the globals were on entry, in the order of `Encoder::passed`.
    on_entry: Vec<Term>,
    entered: usize,
    returned: usize,
    /// The predicates of locations.
    at: SecondaryMap<Loc, Option<usize>>,
    /// The variables that the predicates of locations speak of, behind those of the entry.
    live: SecondaryMap<Loc, Vec<Var>>,
}

struct Encoder<'p> {
    program: &'p Program,
    terms: TermPool,
    next_var: usize,
    /// The global variables that predicates speak of.
    globals: Vec<Var>,
    locals: Locals,
    frames: BTreeMap<Proc, Frame>,
    reached: Vec<Proc>,
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
struct Values {
    changed: BTreeMap<Var, Term>,
    guard: Term,
}

fn is_number(sort: Sort) -> bool {
    matches!(sort, Sort::Bool | Sort::Bv(1..=64))
}

impl<'p> Encoder<'p> {
    fn new(program: &'p Program) -> Self {
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
            terms: program.terms.clone(),
            next_var: program.vars.len(),
            globals,
            locals: Locals::of(program),
            frames: BTreeMap::new(),
            reached: Vec::new(),
            predicates: Vec::new(),
            names: Vec::new(),
            clauses: Vec::new(),
            signed,
            known: FxHashMap::default(),
        }
    }

    fn fresh(&mut self, sort: Sort) -> Term {
        let var = Var::new(self.next_var);
        self.next_var += 1;
        self.terms.var(var, sort)
    }

    /// A new variable like one of the program.
    fn fresh_like(&mut self, var: Var) -> Term {
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

    fn read(&mut self, var: Var) -> Term {
        let sort = self.program.vars[var].sort;
        self.terms.var(var, sort)
    }

    fn add(&mut self, name: Names, params: Vec<Term>) -> usize {
        self.predicates.push(Predicate { params });
        self.names.push(name);
        self.predicates.len() - 1
    }

    /// The variables that a procedure is entered with: parameters, then globals.
    fn passed(&self, proc: Proc) -> Vec<Var> {
        let params = self.program.procs[proc].params.iter().copied();
        let params = params.filter(|&param| is_number(self.program.vars[param].sort));
        params.chain(self.globals.iter().copied()).collect()
    }

    fn result_sort(&self, proc: Proc) -> Option<Sort> {
        self.program.procs[proc].result.filter(|&sort| is_number(sort))
    }

    /// Makes the predicates of a procedure whose result is put into `dst`.
    fn reach(&mut self, proc: Proc, dst: Option<Var>) {
        if self.frames.contains_key(&proc) {
            return;
        }
        let passed = self.passed(proc);
        let on_entry: Vec<Term> = passed.iter().map(|&var| self.fresh_like(var)).collect();
        let entered = self.add(Names::Entered(proc), on_entry.clone());
        let mut summary = on_entry.clone();
        if let Some(sort) = self.result_sort(proc) {
            summary.push(self.fresh_result(sort, dst));
        }
        for var in self.globals.clone() {
            summary.push(self.fresh_like(var));
        }
        let returned = self.add(Names::Returned(proc), summary);
        let frame = Frame {
            on_entry,
            entered,
            returned,
            at: SecondaryMap::new(),
            live: SecondaryMap::new(),
        };
        self.frames.insert(proc, frame);
        self.reached.push(proc);
    }

    /// The clauses of a procedure.
    fn procedure(&mut self, proc: Proc) {
        let program = self.program;
        let procedure = &program.procs[proc];
        let live = liveness(program, &self.locals, proc, procedure);
        let order = procedure.reverse_postorder();
        for &loc in &order {
            if loc == procedure.exit {
                continue;
            }
            let facts = live.at(loc);
            let mut vars: Vec<Var> = Vec::new();
            for (number, &var) in self.locals.list(proc).iter().enumerate() {
                if facts.contains(number) && is_number(program.vars[var].sort) {
                    vars.push(var);
                }
            }
            vars.extend(&self.globals);
            let mut params = self.frames[&proc].on_entry.clone();
            for &var in &vars {
                params.push(self.read(var));
            }
            let predicate = self.add(Names::At(proc, loc), params);
            if let Some(frame) = self.frames.get_mut(&proc) {
                frame.at[loc] = Some(predicate);
                frame.live[loc] = vars;
            }
        }
        self.enter(proc);
        for &loc in &order {
            for &edge in &procedure.locs[loc].out {
                let edge = &procedure.edges[edge];
                self.edge(proc, loc, edge.target, &edge.labels);
            }
        }
    }

    /// Who enters a procedure is at its first location.
    fn enter(&mut self, proc: Proc) {
        let entry = self.program.procs[proc].entry;
        let passed = self.passed(proc);
        let Frame { on_entry, entered, .. } = self.frames[&proc].clone();
        let body = vec![Application { predicate: entered, args: on_entry.clone() }];
        let changed = passed.into_iter().zip(on_entry).collect();
        let values = Values { changed, guard: self.terms.bool(true) };
        self.arrive(proc, body, &values, entry);
    }

    /// The program begins.
    fn start(&mut self, entry: Proc) {
        let mut args = Vec::new();
        for var in self.passed(entry) {
            let init = match self.program.vars[var].kind {
                VarKind::Global { init, .. } | VarKind::ThreadLocal { init } => init,
                VarKind::Local(_) => None,
            };
            args.push(match init {
                Some(init) => init,
                None => self.fresh_like(var),
            });
        }
        let head = Some(Application { predicate: self.frames[&entry].entered, args });
        let constraint = self.terms.bool(true);
        self.clause(Vec::new(), constraint, head);
    }

    fn clause(&mut self, body: Vec<Application>, constraint: Term, head: Option<Application>) {
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
    fn value(&mut self, values: &Values, term: Term) -> Term {
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

    fn current(&mut self, values: &Values, var: Var) -> Term {
        match values.changed.get(&var) {
            Some(&term) => term,
            None => self.read(var),
        }
    }

    /// What the predicates of a location say before a step.
    fn here(&mut self, proc: Proc, loc: Loc) -> Option<Application> {
        let predicate = self.frames[&proc].at[loc]?;
        Some(Application { predicate, args: self.predicates[predicate].params.clone() })
    }

    /// Who comes to a location with these values.
    fn arrive(&mut self, proc: Proc, body: Vec<Application>, values: &Values, target: Loc) {
        let frame = &self.frames[&proc];
        let Some(predicate) = frame.at[target] else { return };
        let (mut args, live) = (frame.on_entry.clone(), frame.live[target].clone());
        for var in live {
            args.push(self.current(values, var));
        }
        self.clause(body, values.guard, Some(Application { predicate, args }));
    }

    fn edge(&mut self, proc: Proc, source: Loc, target: Loc, labels: &[Label]) {
        let Some(here) = self.here(proc, source) else { return };
        self.known.clear();
        let mut values = Values { changed: BTreeMap::new(), guard: self.terms.bool(true) };
        let (last, before) = match labels.split_last() {
            Some((last, before)) => (Some(&last.op), before),
            None => (None, labels),
        };
        self.take(before, &mut values);
        match last {
            Some(Op::Call { dst, callee: Callee::Direct(callee), args }) => {
                self.call(proc, here, values, (*callee, args, *dst), target);
            }
            Some(Op::Return { value }) => {
                let Frame { mut on_entry, returned, .. } = self.frames[&proc].clone();
                if let Some(sort) = self.result_sort(proc) {
                    let result = match *value {
                        Some(value) if self.terms.sort(value) == sort => self.value(&values, value),
                        _ => self.fresh(sort),
                    };
                    on_entry.push(result);
                }
                for var in self.globals.clone() {
                    on_entry.push(self.current(&values, var));
                }
                let head = Application { predicate: returned, args: on_entry };
                self.clause(vec![here], values.guard, Some(head));
            }
            // What is not modelled must not be reached, either.
            Some(Op::Error(_) | Op::Claim(_) | Op::Unsupported { .. }) => {
                self.clause(vec![here], values.guard, None);
            }
            Some(Op::Exit { .. } | Op::Abort | Op::ThreadExit { .. }) => {}
            Some(_) => {
                self.take(&labels[before.len()..], &mut values);
                self.arrive(proc, vec![here], &values, target);
            }
            None => self.arrive(proc, vec![here], &values, target),
        }
    }

    fn call(
        &mut self,
        proc: Proc,
        here: Application,
        mut values: Values,
        (callee, args, dst): (Proc, &[Term], Option<Var>),
        target: Loc,
    ) {
        self.reach(callee, dst);
        let params = self.program.procs[callee].params.clone();
        let mut passed = Vec::new();
        for (number, &param) in params.iter().enumerate() {
            let sort = self.program.vars[param].sort;
            if !is_number(sort) {
                continue;
            }
            passed.push(match args.get(number) {
                Some(&arg) if self.terms.sort(arg) == sort => self.value(&values, arg),
                _ => self.fresh_like(param),
            });
        }
        for var in self.globals.clone() {
            passed.push(self.current(&values, var));
        }
        let Frame { entered, returned, .. } = self.frames[&callee];
        let head = Application { predicate: entered, args: passed.clone() };
        self.clause(vec![here.clone()], values.guard, Some(head));
        let result = self.result_sort(callee).map(|sort| self.fresh_result(sort, dst));
        let mut summary = passed;
        summary.extend(result);
        if let Some(dst) = dst {
            let value = match result {
                Some(result) if self.terms.sort(result) == self.program.vars[dst].sort => result,
                _ => self.fresh_like(dst),
            };
            values.changed.insert(dst, value);
        }
        for var in self.globals.clone() {
            let after = self.fresh_like(var);
            summary.push(after);
            // The result may be put into a global.
            if dst != Some(var) {
                values.changed.insert(var, after);
            }
        }
        let done = Application { predicate: returned, args: summary };
        self.arrive(proc, vec![here, done], &values, target);
    }

    /// Takes labels of a step, none of which ends it.
    fn take(&mut self, labels: &[Label], values: &mut Values) {
        for label in labels {
            self.take_one(label, values);
        }
    }

    fn take_one(&mut self, label: &Label, values: &mut Values) {
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
            Op::Sync { dst, .. } => {
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
            | Op::Join { .. }
            | Op::Error(_)
            | Op::Claim(_)
            | Op::Unsupported { .. } => {}
        }
    }

    /// The values after one of several ways, which exclude each other.
    fn merged(&mut self, before: &Values, ways: &[Values]) -> Values {
        let mut guard = self.terms.bool(false);
        let mut changed: BTreeMap<Var, Term> = BTreeMap::new();
        for way in ways {
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
        Values { changed, guard }
    }

    fn after(&mut self, before: &Values, way: &Values, var: Var) -> Term {
        match way.changed.get(&var) {
            Some(&value) => value,
            None => self.current(before, var),
        }
    }
}
