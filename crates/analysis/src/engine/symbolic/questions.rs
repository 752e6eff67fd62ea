//! Which conditions hold on a path: by models of its conditions, by what was asked before, and by the solver.
//!
//! A question takes only those conditions of the path that share variables with it, perhaps through others: the rest has a
//! solution of its own (constraint independence, as in KLEE). An answer "cannot hold" is exact; a model is a hint which way
//! to go, and what a path claims in the end, the interpreter confirms.

use std::rc::Rc;
use std::time::{Duration, Instant};

use imbl::{HashMap, HashSet, Vector};
use ravelin_base::Deadline;
use ravelin_smt::{Answer, Solver};
use ravelin_term::{BinOp, Sort, Term, TermKind, TermPool, UnOp, Var};
use rustc_hash::FxHashMap;

use super::small::{Known, Tables};
use crate::solver::{SolverFacade, SolverStatistics};

/// What an execution on a path satisfies.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    conditions: Vector<Term>,
    /// The same, to look them up.
    known: HashSet<Term>,
    /// Variables that can have one value only.
    fixed: HashMap<Var, Term>,
    /// For each variable, the conditions that depend on it, perhaps through others.
    groups: HashMap<Var, Rc<Group>>,
    /// Values of variables for which all conditions hold. The others may have any.
    pub(super) model: Model,
}

/// Conditions that share variables, and all of their variables.
#[derive(Debug, Default)]
struct Group {
    conditions: Vec<Term>,
    vars: Vec<Var>,
}

/// Values of variables.
pub(super) type Model = HashMap<Var, Term>;

/// Answers questions about paths.
pub(super) struct Questions<'a> {
    facade: &'a SolverFacade,
    solver: Option<Box<dyn Solver>>,
    /// Terms assumed in the present solver.
    load: usize,
    vars: FxHashMap<Term, Rc<[Var]>>,
    answered: FxHashMap<Box<[Term]>, Found>,
    tables: Tables,
    /// The variables of questions, by sort and place.
    names: FxHashMap<(Sort, u32), (Var, Term)>,
    pub(super) deadline: Deadline,
    pub(super) statistics: SolverStatistics,
}

/// A question in other variables, and the variables that these stand for.
struct Canonical {
    question: Box<[Term]>,
    vars: FxHashMap<Var, Var>,
}

/// Whether a condition can hold.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// With these values, and those that other conditions of the path have.
    Holds(Rc<[(Var, Term)]>),
    Never,
    /// The solver gave up.
    Open,
}

/// A solver that has seen this many terms makes way for a new one.
const MAX_LOAD: usize = 20_000;

/// So many answers are remembered.
const MAX_ANSWERS: usize = 100_000;

/// A question may take this long: other paths are waiting.
const MAX_TIME: Duration = Duration::from_secs(2);

impl Path {
    pub(super) fn conditions(&self) -> &Vector<Term> {
        &self.conditions
    }

    /// Adds a condition, which must hold together with the others for the values of the model.
    pub(super) fn assume(&mut self, terms: &TermPool, condition: Term) {
        let mut work = vec![condition];
        while let Some(next) = work.pop() {
            if let TermKind::Binary(BinOp::And, a, b) = terms.kind(next) {
                work.extend([b, a]);
            } else if terms.as_bool(next) != Some(true) && self.known.insert(next).is_none() {
                self.conditions.push_back(next);
                self.fixed.extend(fixed_by(terms, next));
                self.group(terms, next);
            }
        }
    }

    /// Puts a condition to those with which it shares variables.
    fn group(&mut self, terms: &TermPool, condition: Term) {
        let vars = terms.vars_of(condition);
        let mut together = Group::default();
        for group in self.groups_of(&vars) {
            let kept = group.conditions.iter().filter(|&&old| !is_tighter(terms, condition, old));
            together.conditions.extend(kept);
            together.vars.extend(&group.vars);
        }
        together.conditions.push(condition);
        let known = |var: &Var| self.groups.contains_key(var);
        together.vars.extend(vars.into_iter().filter(|var| !known(var)));
        let together = Rc::new(together);
        for &var in &together.vars {
            self.groups.insert(var, Rc::clone(&together));
        }
    }

    /// The groups of some variables, each once.
    fn groups_of(&self, vars: &[Var]) -> Vec<Rc<Group>> {
        let mut found: Vec<Rc<Group>> = Vec::new();
        for var in vars {
            if let Some(group) = self.groups.get(var)
                && !found.iter().any(|other| Rc::ptr_eq(other, group))
            {
                found.push(Rc::clone(group));
            }
        }
        found
    }

    /// Whether a variable has one value only.
    pub(super) fn fixes(&self, var: Var) -> bool {
        self.fixed.contains_key(&var)
    }

    /// Whether the conditions contain this one or its opposite.
    pub(super) fn says(&self, terms: &mut TermPool, condition: Term) -> Option<bool> {
        if let Some(value) = terms.as_bool(condition) {
            return Some(value);
        }
        if self.known.contains(&condition) {
            return Some(true);
        }
        let opposite = terms.not(condition);
        if self.known.contains(&opposite) {
            return Some(false);
        }
        if let TermKind::Binary(BinOp::And, a, b) = terms.kind(condition) {
            return match (self.says(terms, a), self.says(terms, b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
        }
        None
    }

    /// The value of a term for the values of the model.
    pub(super) fn value(&self, terms: &mut TermPool, sorts: &Sorts<'_>, term: Term) -> Term {
        if terms.is_literal(term) {
            return term;
        }
        terms.substitute(term, |terms, var| {
            Some(match self.model.get(&var) {
                Some(&value) => value,
                None => default_value(terms, sorts.of(var)),
            })
        })
    }
}

/// The variable to which a condition gives a value, and the value.
fn fixed_by(terms: &TermPool, condition: Term) -> Option<(Var, Term)> {
    let TermKind::Binary(BinOp::Eq, a, b) = terms.kind(condition) else { return None };
    let (term, value) = if terms.is_literal(a) { (b, a) } else { (a, b) };
    match terms.kind(term) {
        TermKind::Var(var) if terms.as_bv(value).is_some() => Some((var, value)),
        _ => None,
    }
}

/// Whether two conditions bound the same term on the same side, and the first at least as tightly: it implies the second.
/// Rounds of a loop leave such conditions.
fn is_tighter(terms: &TermPool, new: Term, old: Term) -> bool {
    let (TermKind::Binary(op, a, b), TermKind::Binary(old_op, old_a, old_b)) =
        (terms.kind(new), terms.kind(old))
    else {
        return false;
    };
    let is_signed = match op {
        BinOp::BvSlt | BinOp::BvSle => true,
        BinOp::BvUlt | BinOp::BvUle => false,
        _ => return false,
    };
    let at_most = |x: Term, y: Term| match is_signed {
        true => terms.as_signed(x).zip(terms.as_signed(y)).is_some_and(|(x, y)| x <= y),
        false => terms.as_bv(x).zip(terms.as_bv(y)).is_some_and(|(x, y)| x <= y),
    };
    op == old_op && (b == old_b && at_most(old_a, a) || a == old_a && at_most(b, old_b))
}

/// A value for a variable on which nothing depends.
fn default_value(terms: &mut TermPool, sort: Sort) -> Term {
    match sort {
        Sort::Bool => terms.bool(false),
        Sort::Bv(width) => terms.bv(width, 0),
        Sort::Float(kind) => terms.float(kind, 0),
        Sort::Ptr | Sort::Mem => terms.null(),
    }
}

/// The sorts of variables: those of the program, and those made on the way.
#[derive(Debug)]
pub(super) struct Sorts<'p> {
    pub(super) program: &'p ravelin_cfa::Program,
    pub(super) made: Vec<Sort>,
}

impl Sorts<'_> {
    pub(super) fn of(&self, var: Var) -> Sort {
        let index = var.as_u32() as usize;
        match index.checked_sub(self.program.vars.len()) {
            Some(made) => self.made[made],
            None => self.program.vars[var].sort,
        }
    }

    /// A new variable.
    pub(super) fn make(&mut self, terms: &mut TermPool, sort: Sort) -> (Var, Term) {
        let var = Var::from_u32((self.program.vars.len() + self.made.len()) as u32);
        self.made.push(sort);
        (var, terms.var(var, sort))
    }
}

impl<'a> Questions<'a> {
    pub(super) fn new(facade: &'a SolverFacade, deadline: Deadline) -> Self {
        Questions {
            facade,
            solver: None,
            load: 0,
            vars: FxHashMap::default(),
            answered: FxHashMap::default(),
            tables: Tables::default(),
            names: FxHashMap::default(),
            deadline,
            statistics: SolverStatistics::default(),
        }
    }

    /// Whether a condition can hold together with those of a path.
    pub(super) fn ask(
        &mut self,
        terms: &mut TermPool,
        sorts: &mut Sorts<'_>,
        path: &Path,
        condition: Term,
    ) -> Found {
        match path.says(terms, condition) {
            Some(true) => return Found::Holds([].into()),
            Some(false) => return Found::Never,
            None => {}
        }
        let mut question = Vec::new();
        for group in path.groups_of(&self.vars_of(terms, condition)) {
            question.extend(&group.conditions);
        }
        question.push(condition);
        let Canonical { question, vars } = self.canonical(terms, sorts, &question);
        let found = self.answer(terms, sorts, question);
        match found {
            Found::Holds(values) => Found::Holds(
                values
                    .iter()
                    .map(|&(var, value)| (vars.get(&var).copied().unwrap_or(var), value))
                    .collect(),
            ),
            Found::Never | Found::Open => found,
        }
    }

    /// A question in the variables that all questions of this form have: a program does the same with many inputs.
    fn canonical(
        &mut self,
        terms: &mut TermPool,
        sorts: &mut Sorts<'_>,
        question: &[Term],
    ) -> Canonical {
        let mut names: FxHashMap<Var, Term> = FxHashMap::default();
        let mut vars = FxHashMap::default();
        let mut renamed = Vec::with_capacity(question.len());
        for &term in question {
            for &var in self.vars_of(terms, term).iter() {
                let sort = sorts.of(var);
                // Which objects a pointer may lead to belongs to its variable.
                if sort == Sort::Ptr || names.contains_key(&var) {
                    continue;
                }
                let key = (sort, names.len() as u32);
                let (name, read) =
                    *self.names.entry(key).or_insert_with(|| sorts.make(terms, sort));
                names.insert(var, read);
                vars.insert(name, var);
            }
            renamed.push(terms.substitute(term, |_, var| names.get(&var).copied()));
        }
        Canonical { question: renamed.into_boxed_slice(), vars }
    }

    fn answer(&mut self, terms: &mut TermPool, sorts: &Sorts<'_>, question: Box<[Term]>) -> Found {
        if let Some(found) = self.answered.get(&question) {
            self.statistics.remembered += 1;
            return found.clone();
        }
        let found = match self.without_solver(terms, sorts, &question) {
            Some(found) => {
                self.statistics.evaluated += 1;
                found
            }
            None => self.solve(terms, sorts, &question),
        };
        if self.answered.len() > MAX_ANSWERS {
            self.answered.clear();
        }
        self.answered.insert(question, found.clone());
        found
    }

    /// A term with the values of variables that have one value only.
    pub(super) fn simplified(&mut self, terms: &mut TermPool, path: &Path, term: Term) -> Term {
        if path.fixed.is_empty() || terms.is_literal(term) {
            return term;
        }
        let vars = self.vars_of(terms, term);
        match vars.iter().any(|&var| path.fixes(var)) {
            true => terms.substitute(term, |_, var| path.fixed.get(&var).copied()),
            false => term,
        }
    }

    pub(super) fn vars_of(&mut self, terms: &TermPool, term: Term) -> Rc<[Var]> {
        Rc::clone(self.vars.entry(term).or_insert_with(|| terms.vars_of(term).into()))
    }

    /// The answer to a question about one variable, if that needs no solver.
    fn without_solver(
        &mut self,
        terms: &mut TermPool,
        sorts: &Sorts<'_>,
        question: &[Term],
    ) -> Option<Found> {
        let mut only = None;
        for &term in question {
            for &var in self.vars_of(terms, term).iter() {
                if *only.get_or_insert(var) != var {
                    return None;
                }
            }
        }
        let var = only?;
        match self.tables.answer(terms, (var, sorts.of(var)), question) {
            Known::Holds(value) => Some(Found::Holds([(var, value)].into())),
            Known::Never => Some(Found::Never),
            Known::Open => None,
        }
    }

    /// Asks the solver whether all terms can hold together.
    fn solve(&mut self, terms: &mut TermPool, sorts: &Sorts<'_>, question: &[Term]) -> Found {
        if self.load > MAX_LOAD {
            self.solver = None;
            self.load = 0;
        }
        self.load += question.len();
        let mut vars: Vec<Var> =
            question.iter().flat_map(|&term| self.vars_of(terms, term).to_vec()).collect();
        vars.sort_unstable();
        vars.dedup();
        let vars: Vec<(Var, Term)> =
            vars.into_iter().map(|var| (var, terms.var(var, sorts.of(var)))).collect();
        let solver = self.solver.get_or_insert_with(|| self.facade.new_solver());
        let begun = Instant::now();
        let limit = match self.deadline.left_by_clock() {
            Some(left) => Duration::from_secs(left.as_secs() + 1).min(MAX_TIME),
            None => MAX_TIME,
        };
        solver.set_timeout(Some(limit));
        let answer = solver.check(terms, question);
        let found = match answer {
            Answer::Unsat => Found::Never,
            Answer::Unknown(_) => Found::Open,
            Answer::Sat => {
                let mut values = Vec::with_capacity(vars.len());
                for (var, read) in vars {
                    values.extend(solver.value(terms, read).map(|value| (var, value)));
                }
                Found::Holds(values.into())
            }
        };
        self.statistics.calls += 1;
        self.statistics.time += begun.elapsed();
        found
    }

    /// The values for which all conditions of a path hold, asked at once.
    pub(super) fn model_of(
        &mut self,
        terms: &mut TermPool,
        sorts: &Sorts<'_>,
        path: &Path,
    ) -> Option<Model> {
        let conditions: Vec<Term> = path.conditions.iter().copied().collect();
        match self.solve(terms, sorts, &conditions) {
            Found::Holds(values) => {
                let mut model = path.model.clone();
                model.extend(values.iter().copied());
                Some(model)
            }
            Found::Never | Found::Open => None,
        }
    }
}

/// The first condition of a choice on which the term itself depends, if there is one.
pub(super) fn choice_in(terms: &TermPool, term: Term) -> Option<Term> {
    let mut found = None;
    let mut work = vec![term];
    while let Some(next) = work.pop() {
        match terms.kind(next) {
            TermKind::Ite(cond, ..) => {
                found = Some(cond);
                break;
            }
            TermKind::Binary(BinOp::PtrAdd | BinOp::PtrMake, base, _) => work.push(base),
            TermKind::Unary(
                UnOp::PtrObject | UnOp::IntToPtr | UnOp::PtrToInt | UnOp::Extract { .. },
                base,
            ) => work.push(base),
            _ => {}
        }
    }
    found
}

/// The term where a condition holds, or does not.
pub(super) fn with_choice(terms: &mut TermPool, term: Term, cond: Term, holds: bool) -> Term {
    let mut done = FxHashMap::default();
    let value = terms.bool(holds);
    done.insert(cond, value);
    terms.rebuild(term, &mut done, |_, leaf| leaf)
}
