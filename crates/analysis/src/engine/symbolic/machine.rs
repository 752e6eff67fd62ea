//! What is needed to follow paths, and how terms are evaluated and conditions decided on them.

use std::rc::Rc;
use std::time::Duration;

use ravelin_base::{Budget, Exhausted, SrcPos};
use ravelin_cfa::effects::may_trap;
use ravelin_cfa::{ObjectKind, Proc, Program, Reason};
use ravelin_term::{BinOp, Object, Sort, Term, TermKind, TermPool, UnOp, Var};
use rustc_hash::{FxHashMap, FxHashSet};

use super::code::Code;
use super::memory::{Memory, MemoryObject};
use super::questions::{Found, Questions, Sorts, choice_in, with_choice};
use super::search::Random;
use super::state::{Goal, Slots, State, Taken};
use crate::model::traps::does_not_trap;
use crate::verdict::{Counterexample, InputOrigin, Judge};

/// Follows paths.
pub(super) struct Machine<'a, 'p> {
    pub(super) program: &'p Program,
    pub(super) terms: TermPool,
    pub(super) sorts: Sorts<'p>,
    pub(super) code: Rc<Code>,
    pub(super) slots: Slots,
    pub(super) questions: Questions<'a>,
    pub(super) budget: &'a mut Budget,
    pub(super) judge: Judge<'a>,
    /// The error that was found and confirmed.
    pub(super) found: Option<Counterexample>,
    /// Paths that wait to be followed, in the order in which they were left.
    pub(super) waiting: Vec<State>,
    /// Why not all paths were followed to their ends; the first reason counts.
    pub(super) left_out: Option<Reason>,
    pub(super) random: Random,
    /// Whether branches are first followed the way that was taken more often, which is mostly to stay in a loop.
    pub(super) goes_on: bool,
    pub(super) counts: Counts,
    pub(super) visits: Visits,
    /// Variables that functions without body may have set to pointers to objects of the program.
    pub(super) leading: FxHashSet<Var>,
    /// How often claims at a position were not confirmed.
    pub(super) unconfirmed: FxHashMap<SrcPos, u32>,
    /// Objects of the program that are there from the start.
    initial: FxHashMap<u32, Rc<MemoryObject>>,
    /// Instances of local objects: the n-th of each, on any path.
    instances: FxHashMap<(Object, u32), Object>,
    made_objects: u32,
    /// Whether terms divide.
    divides: FxHashMap<Term, bool>,
}

/// How much was done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Paths that were followed to an end of the program.
    pub paths: u64,
    /// Branches that could go both ways.
    pub forks: u64,
    pub steps: u64,
    /// Questions to the solver, and the time that they took.
    pub questions: u64,
    pub in_solver: Duration,
}

impl Counts {
    /// Counts another run, too.
    pub(crate) fn add(&mut self, other: &Counts) {
        let Counts { paths, forks, steps, questions, in_solver } = *other;
        self.paths += paths;
        self.forks += forks;
        self.steps += steps;
        self.questions += questions;
        self.in_solver += in_solver;
    }
}

/// How often each branch was taken, where its condition held and where not.
#[derive(Debug, Default)]
pub(super) struct Visits(FxHashMap<(Proc, u32), [u32; 2]>);

impl Visits {
    pub(super) fn note(&mut self, proc: Proc, pc: u32, holds: bool) {
        self.0.entry((proc, pc)).or_default()[usize::from(holds)] += 1;
    }

    /// The way that was taken more often, if one was.
    pub(super) fn more(&self, proc: Proc, pc: u32) -> Option<bool> {
        let [fails, holds] = *self.0.get(&(proc, pc))?;
        (fails != holds).then_some(holds > fails)
    }

    pub(super) fn of(&self, goal: Goal) -> u32 {
        self.0.get(&(goal.proc, goal.pc)).map_or(0, |counts| counts[usize::from(goal.holds)])
    }
}

/// Why a path is not followed any further.
#[derive(Clone, Debug)]
pub(super) enum Stop {
    /// It is at an end of the program, or no execution takes it.
    Ended,
    /// It is left out.
    LeftOut(Reason),
    /// The search is over.
    Exhausted(Exhausted),
    /// An error was found and confirmed.
    Error,
}

impl From<Exhausted> for Stop {
    fn from(exhausted: Exhausted) -> Stop {
        Stop::Exhausted(exhausted)
    }
}

pub(super) type Step<T> = Result<T, Stop>;

/// The number of values that are tried where one value is needed; paths with others are left out.
const MAX_TRIED: u32 = 64;

/// Where a pointer leads.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// To no object.
    Nothing,
    Object(u32),
}

impl<'a, 'p> Machine<'a, 'p> {
    pub(super) fn new(
        program: &'p Program,
        questions: Questions<'a>,
        budget: &'a mut Budget,
        judge: Judge<'a>,
    ) -> Self {
        Machine {
            program,
            terms: program.terms.clone(),
            sorts: Sorts { program, made: Vec::new() },
            code: Rc::new(Code::of(program)),
            slots: Slots::of(program),
            questions,
            budget,
            judge,
            found: None,
            waiting: Vec::new(),
            left_out: None,
            random: Random::default(),
            goes_on: false,
            counts: Counts::default(),
            visits: Visits::default(),
            leading: FxHashSet::default(),
            unconfirmed: FxHashMap::default(),
            initial: FxHashMap::default(),
            instances: FxHashMap::default(),
            made_objects: 0,
            divides: FxHashMap::default(),
        }
    }

    /// Notes that not all paths are followed to their ends.
    pub(super) fn leave_out(&mut self, reason: Reason) {
        self.left_out.get_or_insert(reason);
    }

    pub(super) fn unsupported<T>(&self, what: &str, pos: SrcPos) -> Step<T> {
        Err(Stop::LeftOut(Reason::unsupported(self.program, what, pos)))
    }

    pub(super) fn undefined<T>(&self, what: &str, pos: SrcPos) -> Step<T> {
        Err(Stop::LeftOut(Reason::undefined(self.program, what, pos)))
    }

    /// A new variable for a value that the program leaves open.
    pub(super) fn fresh(&mut self, sort: Sort) -> (Var, Term) {
        self.sorts.make(&mut self.terms, sort)
    }

    /// An input of the path. A foreign one leads to no object of the program, if it is a pointer.
    pub(super) fn input(
        &mut self,
        state: &mut State,
        origin: InputOrigin,
        sort: Sort,
        pos: SrcPos,
        is_foreign: bool,
    ) -> Term {
        let (var, value) = self.fresh(sort);
        if !is_foreign {
            self.leading.insert(var);
        } else if sort == Sort::Ptr {
            self.terms.mark_foreign(var);
        }
        state.inputs.push_back(Taken { origin, sort, pos, value });
        value
    }

    /// The value of a term of the program on a path, if evaluating it does not trap.
    pub(super) fn eval(&mut self, state: &mut State, term: Term, pos: SrcPos) -> Step<Term> {
        let terms = &self.program.terms;
        let divides = *self.divides.entry(term).or_insert_with(|| may_trap(terms, term));
        if divides {
            let safe = does_not_trap(&mut self.terms, term);
            let safe = self.substitute(state, safe, pos)?;
            if !self.decide(state, safe)? {
                return self.undefined("a division without result", pos);
            }
        }
        self.substitute(state, term, pos)
    }

    fn substitute(&mut self, state: &mut State, term: Term, pos: SrcPos) -> Step<Term> {
        let Machine { terms, slots, sorts, program, .. } = self;
        let mut is_out_of_scope = false;
        let value = terms.replace_leaves(term, |terms, leaf| match leaf {
            TermKind::Var(var) => {
                let slot = slots.of[var];
                Some(state.get(slot).unwrap_or_else(|| {
                    let (_, value) = sorts.make(terms, sorts.of(var));
                    state.set(slot, Some(value));
                    state.unset.push_back(value);
                    value
                }))
            }
            TermKind::Address(object) => match program.objects[object].kind {
                ObjectKind::Local(_) => {
                    let instance = state.top().objects.iter().find(|(of, _)| *of == object);
                    let instance = instance.map(|&(_, number)| Object::from_u32(number - 1));
                    is_out_of_scope |= instance.is_none();
                    instance.map(|instance| terms.address(instance))
                }
                ObjectKind::Global
                | ObjectKind::Constant
                | ObjectKind::ThreadLocal
                | ObjectKind::Function(_) => None,
            },
            _ => None,
        });
        match is_out_of_scope {
            true => self.undefined("the address of an object that is not alive", pos),
            false => Ok(self.simplified(state, value)),
        }
    }

    /// A term with the values of variables that can have only one on this path.
    pub(super) fn simplified(&mut self, state: &State, term: Term) -> Term {
        self.questions.simplified(&mut self.terms, &state.path, term)
    }

    /// Whether a condition holds on a path. If it may or may not, the path forks: a copy of it, which is at the same
    /// instruction, waits. So instructions decide first and change the state afterwards.
    pub(super) fn decide(&mut self, state: &mut State, condition: Term) -> Step<bool> {
        self.decide_first(state, condition, true)
    }

    /// The same at a branch of the program, where the search says which way is followed first.
    pub(super) fn branch(&mut self, state: &mut State, condition: Term) -> Step<bool> {
        let (proc, pc) = (state.top().proc, state.top().pc);
        let first = match self.visits.more(proc, pc) {
            Some(holds) if self.goes_on => holds,
            Some(_) | None => self.random.below(2) == 1,
        };
        self.decide_first(state, condition, first)
    }

    /// Decides a condition; where it may or may not hold, the path follows this way first.
    fn decide_first(&mut self, state: &mut State, condition: Term, first: bool) -> Step<bool> {
        if let Some(known) = state.path.says(&mut self.terms, condition) {
            return Ok(known);
        }
        let opposite = self.terms.not(condition);
        let under_model = state.path.value(&mut self.terms, &self.sorts, condition);
        let holds = match self.terms.as_bool(under_model) {
            Some(holds) => holds,
            // The model does not say, because addresses matter.
            None => match self.ask(state, condition) {
                Found::Never => {
                    state.path.assume(&self.terms, opposite);
                    return Ok(false);
                }
                Found::Holds(values) => {
                    state.path.model.extend(values.iter().copied());
                    true
                }
                Found::Open => true,
            },
        };
        let (this, other) = if holds { (condition, opposite) } else { (opposite, condition) };
        self.budget.check_now()?;
        let values = match self.ask(state, other) {
            Found::Never => None,
            Found::Holds(values) => Some(values),
            Found::Open => {
                self.leave_out(Reason::HardQuestion);
                None
            }
        };
        let Some(values) = values else {
            state.path.assume(&self.terms, this);
            return Ok(holds);
        };
        let mut fork = state.clone();
        let (with_this, with_other) =
            if holds == first { (&mut *state, &mut fork) } else { (&mut fork, &mut *state) };
        with_this.path.assume(&self.terms, this);
        with_other.path.model.extend(values.iter().copied());
        with_other.path.assume(&self.terms, other);
        let (proc, pc) = (fork.top().proc, fork.top().pc);
        fork.goal = Goal { proc, pc, holds: !first };
        self.waiting.push(fork);
        self.counts.forks += 1;
        Ok(first)
    }

    /// Goes on only where a condition holds.
    pub(super) fn require(&mut self, state: &mut State, condition: Term) -> Step<()> {
        match state.path.says(&mut self.terms, condition) {
            Some(true) => return Ok(()),
            Some(false) => return Err(Stop::Ended),
            None => {}
        }
        let under_model = state.path.value(&mut self.terms, &self.sorts, condition);
        if self.terms.as_bool(under_model) != Some(true) {
            self.budget.check_now()?;
            match self.ask(state, condition) {
                Found::Never => return Err(Stop::Ended),
                Found::Holds(values) => state.path.model.extend(values.iter().copied()),
                Found::Open => return Err(Stop::LeftOut(Reason::HardQuestion)),
            }
        }
        state.path.assume(&self.terms, condition);
        Ok(())
    }

    fn ask(&mut self, state: &State, condition: Term) -> Found {
        self.questions.ask(&mut self.terms, &mut self.sorts, &state.path, condition)
    }

    /// One value of a term; copies of the path with other values wait. Small values come first: sizes, numbers of
    /// rounds and indices matter less by their values than by being there.
    pub(super) fn concrete(&mut self, state: &mut State, term: Term, pos: SrcPos) -> Step<u128> {
        let mut term = self.simplified(state, term);
        loop {
            if let Some(value) = self.terms.as_bv(term) {
                return Ok(value);
            }
            if state.tried >= MAX_TRIED {
                return self.unsupported("many values of an index or a size", pos);
            }
            state.tried += 1;
            // A variable that has one value simplifies more than a term of it.
            let tried = stretched(&self.terms, term);
            let Some(value) = self.small_value(state, tried) else {
                return self.unsupported("the value of an address", pos);
            };
            let is_it = self.terms.eq(tried, value);
            if self.decide(state, is_it)? {
                match tried == term {
                    true => term = value,
                    false => term = self.simplified(state, term),
                }
                if self.terms.as_bv(term).is_none() {
                    return self.unsupported("the value of an address", pos);
                }
            }
        }
    }

    /// A value that a term can have on a path, below the least power of sixteen that is above any. The model of the path
    /// gets it.
    fn small_value(&mut self, state: &mut State, term: Term) -> Option<Term> {
        let width = self.terms.sort(term).width()?;
        let value = state.path.value(&mut self.terms, &self.sorts, term);
        let value = self.terms.as_bv(value)?;
        for bits in [1, 2, 4, 8, 12, 16] {
            let bound = 1u128 << bits;
            if bits >= width || value < bound {
                break;
            }
            let bound = self.terms.bv(width, bound);
            let is_small = self.terms.binary(BinOp::BvUlt, term, bound);
            if let Found::Holds(values) = self.ask(state, is_small) {
                state.path.model.extend(values.iter().copied());
                break;
            }
        }
        let value = state.path.value(&mut self.terms, &self.sorts, term);
        self.terms.as_bv(value).map(|_| value)
    }

    /// The object that a pointer leads to, and the pointer without choices between objects.
    pub(super) fn resolve(
        &mut self,
        state: &mut State,
        pointer: Term,
        pos: SrcPos,
    ) -> Step<(Target, Term)> {
        let mut pointer = pointer;
        loop {
            let number = self.terms.unary(UnOp::PtrObject, pointer);
            if let Some(number) = self.terms.as_bv(number) {
                return Ok(match number {
                    0 => (Target::Nothing, pointer),
                    _ => (Target::Object(number as u32), pointer),
                });
            }
            if let Some(cond) = choice_in(&self.terms, pointer) {
                let holds = self.decide(state, cond)?;
                let resolved = with_choice(&mut self.terms, pointer, cond, holds);
                if resolved != pointer {
                    pointer = resolved;
                    continue;
                }
            }
            let null = self.terms.null();
            let is_null = self.terms.eq(pointer, null);
            if self.decide(state, is_null)? {
                return Ok((Target::Nothing, null));
            }
            return self.unsupported("a pointer from outside", pos);
        }
    }

    /// An object, if the path has one of this number.
    pub(super) fn object(&mut self, state: &State, number: u32) -> Option<Rc<MemoryObject>> {
        if let Some(object) = state.memory.get(number) {
            return Some(Rc::clone(object));
        }
        let index = number.checked_sub(1)?;
        let object = Object::from_u32(index);
        if self.program.objects.get(object).is_none_or(|data| match data.kind {
            ObjectKind::Local(_) => true,
            ObjectKind::Global
            | ObjectKind::Constant
            | ObjectKind::ThreadLocal
            | ObjectKind::Function(_) => false,
        }) {
            return None;
        }
        let Machine { initial, terms, program, .. } = self;
        let made = initial
            .entry(number)
            .or_insert_with(|| Rc::new(MemoryObject::initial(program, terms, object)));
        Some(Rc::clone(made))
    }

    /// The object, to be changed.
    pub(super) fn object_mut<'s>(
        &mut self,
        state: &'s mut State,
        number: u32,
    ) -> Option<&'s mut MemoryObject> {
        if state.memory.get(number).is_none() {
            let object = self.object(state, number)?;
            state.memory.insert(number, object);
        }
        state.memory.get_mut(number)
    }

    /// The n-th instance of a local object on a path, as a number.
    pub(super) fn instance(&mut self, object: Object, nth: u32) -> u32 {
        let Machine { instances, made_objects, terms, program, .. } = self;
        let instance = *instances.entry((object, nth)).or_insert_with(|| {
            let instance = Object::from_u32(program.objects.len() as u32 + *made_objects);
            *made_objects += 1;
            terms.share_alignment(object, instance);
            instance
        });
        Memory::number_of(instance)
    }

    /// Whether `offset + length` is in an object of this size.
    pub(super) fn is_inside(&mut self, size: Term, offset: Term, length: Term) -> Term {
        let terms = &mut self.terms;
        let fits = terms.binary(BinOp::BvUle, length, size);
        let last = terms.binary(BinOp::BvSub, size, length);
        let is_before = terms.binary(BinOp::BvUle, offset, last);
        terms.and(fits, is_before)
    }
}

/// The variable of which a term is no more than a multiple at a distance; else the term itself.
fn stretched(terms: &TermPool, term: Term) -> Term {
    let mut inner = term;
    loop {
        inner = match terms.kind(inner) {
            TermKind::Unary(UnOp::ZeroExt(_) | UnOp::SignExt(_) | UnOp::BvNeg, a) => a,
            TermKind::Binary(BinOp::BvAdd | BinOp::BvSub | BinOp::BvMul | BinOp::BvShl, a, b) => {
                match (terms.as_bv(a), terms.as_bv(b)) {
                    (None, Some(_)) => a,
                    (Some(_), None) => b,
                    _ => return term,
                }
            }
            TermKind::Var(_) => return inner,
            _ => return term,
        };
    }
}
