//! The flow-sensitive analysis: a state for every location, within the bounds of Andersen's result.
//!
//! A state says what variables and cells of memory hold when the location is reached. What it does not
//! mention may be whatever Andersen's analysis says of it at any time; so every state is at least as
//! precise, and forgetting is always sound. An assignment replaces what a variable held; a store does so
//! for a cell if it can only be that cell of a single object, and otherwise adds to the cells it may be.
//!
//! Where several threads run, others may change globals and memory between any two steps: states then are
//! about local variables only.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use imbl::OrdMap;
use ravelin_base::{Budget, Exhausted, SecondaryMap};
use ravelin_cfa::{
    Callee, Edge, Init, Loc, ObjectKind, Op, Proc, Program, Term, Var, VarKind, ops,
};

use crate::flags::Flags;
use crate::object::{ObjectName, Position, Target, for_each_label_in};
use crate::offset::Offset;
use crate::result::{PointsTo, TargetSet};
use crate::value::{havoc_flags, is_followed, number_flags, value_as_pointer, value_of};

/// What a state speaks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Var(Var),
    Cell(Target, i64),
    /// The value that the procedure returns.
    Result,
}

/// What holds at a location.
pub(crate) type State = OrdMap<Key, Arc<TargetSet>>;

/// The states of all locations that are reached.
#[derive(Debug, Default)]
pub(crate) struct States {
    pub(crate) at: BTreeMap<(Proc, Loc), State>,
}

struct Solver<'a> {
    program: &'a Program,
    base: &'a PointsTo,
    is_concurrent: bool,
    /// The objects of which there is never more than one.
    single: SecondaryMap<Target, bool>,
    states: States,
    work: BTreeSet<(Proc, Loc)>,
    /// The edges that call a procedure.
    callers: BTreeMap<Proc, BTreeSet<(Proc, Edge)>>,
}

/// A pointer that may be at more places of one object than this is taken as Andersen's analysis has it.
const MAX_PLACES: usize = 8;

/// Finds the states; `base` is Andersen's result.
pub(crate) fn solve(
    program: &Program,
    base: &PointsTo,
    budget: &mut Budget,
) -> Result<States, Exhausted> {
    let is_concurrent = program.is_concurrent();
    let mut solver = Solver {
        program,
        base,
        is_concurrent,
        single: single_objects(program, base),
        states: States::default(),
        work: BTreeSet::new(),
        callers: BTreeMap::new(),
    };
    let initial = solver.initial();
    let entries: Vec<Proc> = match program.entry {
        Some(entry) => vec![entry],
        None => program.procs.keys().collect(),
    };
    for entry in entries {
        let params = program.procs[entry].params.iter().map(|&param| (param, TargetSet::unknown()));
        let state = solver.entered(&initial, entry, params.collect());
        solver.reach(entry, program.procs[entry].entry, state);
    }
    while let Some((proc, loc)) = solver.work.pop_first() {
        budget.tick()?;
        solver.leave(proc, loc);
    }
    Ok(solver.states)
}

/// Objects that are one at any time: globals, and locals of procedures that are never active twice.
fn single_objects(program: &Program, base: &PointsTo) -> SecondaryMap<Target, bool> {
    let mut calls: SecondaryMap<Proc, BTreeSet<Proc>> = SecondaryMap::new();
    for proc in program.procs.keys() {
        for_each_label_in(program, proc, &mut |position, _| {
            calls[proc].extend(base.callees(position).iter().copied());
        });
    }
    let is_recursive = |proc: Proc| {
        let mut seen = BTreeSet::new();
        let mut work: Vec<Proc> = calls[proc].iter().copied().collect();
        while let Some(next) = work.pop() {
            if next == proc {
                return true;
            }
            if seen.insert(next) {
                work.extend(calls[next].iter().copied());
            }
        }
        false
    };
    let recursive: SecondaryMap<Proc, bool> = {
        let mut map = SecondaryMap::new();
        program.procs.keys().for_each(|proc| map[proc] = is_recursive(proc));
        map
    };
    let mut single = SecondaryMap::new();
    for (target, data) in base.objects.iter() {
        single[target] = match data.name {
            ObjectName::Object(object) => match program.objects[object].kind {
                ObjectKind::Local(proc) => !recursive[proc],
                ObjectKind::Global | ObjectKind::Constant | ObjectKind::ThreadLocal => true,
                ObjectKind::Function(_) => false,
            },
            ObjectName::Allocated(_) | ObjectName::OfSize(_) => false,
        };
    }
    single
}

impl Solver<'_> {
    /// What holds before the first step.
    fn initial(&self) -> State {
        let mut state = State::new();
        if self.is_concurrent {
            return state;
        }
        for (var, data) in self.program.vars.iter() {
            let init = match data.kind {
                VarKind::Global { init, .. } | VarKind::ThreadLocal { init } => init,
                VarKind::Local(_) => continue,
            };
            if let Some(init) = init
                && is_followed(self.program, data.sort)
            {
                let value = self.value(&state, init);
                self.set_var(&mut state, var, value);
            }
        }
        for &(target, offset, _) in self.base.cells() {
            let (Some(at), ObjectName::Object(object)) =
                (offset.as_exact(), self.base.name(target))
            else {
                continue;
            };
            let data = &self.program.objects[object];
            let is_static = !matches!(data.kind, ObjectKind::Local(_));
            let value = match &data.init {
                Init::Zero => TargetSet::of_flags(Flags::NULL),
                Init::Values(values) => {
                    let bytes = self.program.data_model.pointer_bytes();
                    let found = values.iter().find(|(start, _)| i64::try_from(*start) == Ok(at));
                    let is_apart = |&(start, term): &(u64, Term)| {
                        let width = self.program.bytes_of(self.program.terms.sort(term));
                        let there = Offset::exact(i64::try_from(start).unwrap_or(i64::MAX));
                        let meeting = offset.meeting(bytes, there, width.unwrap_or(1));
                        !meeting.same && !meeting.partial
                    };
                    match found {
                        Some(&(_, term))
                            if self.program.bytes_of(self.program.terms.sort(term))
                                == Some(bytes) =>
                        {
                            self.pointer_value(&state, term)
                        }
                        None if values.iter().all(is_apart) => TargetSet::of_flags(Flags::NULL),
                        Some(_) | None => continue,
                    }
                }
                Init::Indeterminate | Init::Bytes(_) => continue,
            };
            if is_static && self.single[target] {
                state.insert(Key::Cell(target, at), Arc::new(value));
            }
        }
        state
    }

    /// The state in which a procedure begins: its own variables have no values yet but for the
    /// parameters.
    fn entered(&self, from: &State, proc: Proc, args: Vec<(Var, TargetSet)>) -> State {
        let mut state = self.without_locals(from);
        for (var, data) in self.program.vars.iter() {
            if data.kind == VarKind::Local(proc) && is_followed(self.program, data.sort) {
                self.set_var(&mut state, var, TargetSet::of_flags(Flags::UNINITIALISED));
            }
        }
        for (param, value) in args {
            if is_followed(self.program, self.program.vars[param].sort) {
                self.set_var(&mut state, param, value);
            }
        }
        state
    }

    fn without_locals(&self, state: &State) -> State {
        if self.is_concurrent {
            return State::new();
        }
        let is_kept = |key: &Key| match key {
            Key::Var(var) => !matches!(self.program.vars[*var].kind, VarKind::Local(_)),
            Key::Cell(..) => true,
            Key::Result => false,
        };
        state.iter().filter(|(key, _)| is_kept(key)).map(|(k, v)| (*k, Arc::clone(v))).collect()
    }

    /// Joins a state to that of a location.
    fn reach(&mut self, proc: Proc, loc: Loc, state: State) {
        let joined = match self.states.at.get(&(proc, loc)) {
            None => state,
            Some(old) => {
                let joined = self.join(old, &state);
                if joined == *old {
                    return;
                }
                joined
            }
        };
        self.states.at.insert((proc, loc), joined);
        self.work.insert((proc, loc));
    }

    /// What holds if one of two states does.
    fn join(&self, a: &State, b: &State) -> State {
        if a.ptr_eq(b) {
            return a.clone();
        }
        let both = a.iter().filter_map(|(key, set)| {
            let other = b.get(key)?;
            if Arc::ptr_eq(set, other) || set == other || set.covers(other) {
                return Some((*key, Arc::clone(set)));
            }
            let mut joined = TargetSet::clone(set);
            joined.unite(other);
            Some((*key, Arc::new(self.bounded(*key, joined))))
        });
        both.collect()
    }

    /// A set within what Andersen's analysis says of the key.
    fn bounded(&self, key: Key, set: TargetSet) -> TargetSet {
        match key {
            Key::Var(var) => match &self.base.vars[var] {
                Some(bound) => set.within(bound, MAX_PLACES),
                // It never has a value.
                None => TargetSet::default(),
            },
            Key::Cell(target, at) => {
                set.within(&self.base.of_cell(target, Offset::exact(at)), MAX_PLACES)
            }
            Key::Result => set.limited(MAX_PLACES),
        }
    }

    fn set_var(&self, state: &mut State, var: Var, value: TargetSet) {
        let is_local = matches!(self.program.vars[var].kind, VarKind::Local(_));
        if is_followed(self.program, self.program.vars[var].sort)
            && (is_local || !self.is_concurrent)
        {
            let value = self.bounded(Key::Var(var), value);
            state.insert(Key::Var(var), Arc::new(value));
        }
    }

    fn value(&self, state: &State, term: Term) -> TargetSet {
        self.base.evaluate(value_of(self.program, &self.base.objects, term, &mut |var| var), state)
    }

    fn pointer_value(&self, state: &State, term: Term) -> TargetSet {
        let value = value_as_pointer(self.program, &self.base.objects, term, &mut |var| var);
        self.base.evaluate(value, state)
    }

    /// Follows the edges out of a location.
    fn leave(&mut self, proc: Proc, loc: Loc) {
        let procedure = &self.program.procs[proc];
        let Some(state) = self.states.at.get(&(proc, loc)).cloned() else { return };
        if loc == procedure.exit {
            let callers: Vec<(Proc, Edge)> =
                self.callers.get(&proc).into_iter().flatten().copied().collect();
            for (caller, edge) in callers {
                self.return_to(caller, edge, proc, &state);
            }
            return;
        }
        for &edge in &procedure.locs[loc].out {
            self.follow(proc, edge, state.clone());
        }
    }

    fn follow(&mut self, proc: Proc, edge: Edge, mut state: State) {
        let data = &self.program.procs[proc].edges[edge];
        let mut index = 0;
        for (place, label) in data.labels.iter().enumerate() {
            if let Op::Call { callee: _, args, dst: _ } = &label.op
                && place + 1 == data.labels.len()
            {
                let position = Position { proc, edge, label: index };
                let callees = self.base.callees(position).to_vec();
                for callee in callees {
                    self.call(&state, callee, args);
                    self.callers.entry(callee).or_default().insert((proc, edge));
                    let exit = self.program.procs[callee].exit;
                    if let Some(exit) = self.states.at.get(&(callee, exit)).cloned() {
                        self.return_to(proc, edge, callee, &exit);
                    }
                }
                if let Some(after) = self.call_outside(&state, &label.op) {
                    self.reach(proc, data.target, after);
                }
                return;
            }
            let Some(next) = self.label(proc, edge, &mut index, &label.op, state) else { return };
            state = next;
        }
        self.reach(proc, data.target, state);
    }

    /// The state after a call of a function that may be none of the program's.
    fn call_outside(&self, state: &State, op: &Op) -> Option<State> {
        let Op::Call { callee: Callee::Pointer(pointer), dst, args: _ } = op else { return None };
        // Andersen's analysis says whether it may: a call is linked before states are known.
        if !self.base.of_term(self.program, *pointer).is_unknown() {
            return None;
        }
        let mut after = state.clone();
        self.forget(&mut after, &TargetSet::unknown());
        if let Some(dst) = dst {
            self.set_var(&mut after, *dst, TargetSet::unknown());
        }
        Some(after)
    }

    fn call(&mut self, state: &State, callee: Proc, args: &[Term]) {
        let params = &self.program.procs[callee].params;
        let values = params.iter().enumerate().map(|(index, &param)| {
            let value = match args.get(index) {
                Some(&arg) => self.pointer_value(state, arg),
                None => TargetSet::of_flags(Flags::UNINITIALISED),
            };
            (param, value)
        });
        let entered = self.entered(state, callee, values.collect());
        self.reach(callee, self.program.procs[callee].entry, entered);
    }

    /// A call comes back: globals and memory are as the callee left them, the locals as they were.
    fn return_to(&mut self, proc: Proc, edge: Edge, callee: Proc, exit: &State) {
        let data = &self.program.procs[proc].edges[edge];
        let Some(before) = self.states.at.get(&(proc, data.source)).cloned() else { return };
        let Some(last) = data.labels.last() else { return };
        let Op::Call { dst, .. } = &last.op else { return };
        // What stands before the call on its edge happened to the locals.
        let mut index = 0;
        let mut locals = before;
        for label in &data.labels[..data.labels.len() - 1] {
            match self.label(proc, edge, &mut index, &label.op, locals) {
                Some(next) => locals = next,
                None => return,
            }
        }
        let mut state = self.without_locals(exit);
        for (key, value) in &locals {
            if let Key::Var(var) = key
                && matches!(self.program.vars[*var].kind, VarKind::Local(_))
            {
                state.insert(*key, Arc::clone(value));
            }
        }
        if let Some(dst) = dst {
            match exit.get(&Key::Result) {
                Some(value) => self.set_var(&mut state, *dst, TargetSet::clone(value)),
                None if self.program.procs[callee].result.is_some() => {
                    state.remove(&Key::Var(*dst));
                }
                None => {
                    self.set_var(&mut state, *dst, TargetSet::of_flags(Flags::UNINITIALISED));
                }
            }
        }
        self.reach(proc, data.target, state);
    }

    /// The state after an operation, unless it is the last.
    fn label(
        &mut self,
        proc: Proc,
        edge: Edge,
        index: &mut u32,
        op: &Op,
        mut state: State,
    ) -> Option<State> {
        let position = Position { proc, edge, label: *index };
        if let Op::Choice(branches) = op {
            let mut joined: Option<State> = None;
            for branch in branches {
                let mut after = Some(state.clone());
                for label in branch {
                    // The labels are counted whether they are reached or not.
                    let from = after.clone().unwrap_or_default();
                    let next = self.label(proc, edge, index, &label.op, from);
                    after = after.and(next);
                }
                joined = match (joined, after) {
                    (Some(a), Some(b)) => Some(self.join(&a, &b)),
                    (a, b) => a.or(b),
                };
            }
            return joined;
        }
        *index += 1;
        match op {
            Op::Assign { dst, value } => {
                let value = self.value(&state, *value);
                self.set_var(&mut state, *dst, value);
            }
            Op::Havoc { dst, kind } => {
                let flags = havoc_flags(self.program, *dst, kind);
                self.set_var(&mut state, *dst, TargetSet::of_flags(flags));
            }
            Op::Load { dst, addr, order: _ } => {
                match self.loaded(&state, *dst, *addr) {
                    Some(value) => self.set_var(&mut state, *dst, value),
                    None => {
                        state.remove(&Key::Var(*dst));
                    }
                };
            }
            Op::Store { addr, value, order: _ } => {
                let at = self.value(&state, *addr);
                let width = self.program.bytes_of(self.program.terms.sort(*value)).unwrap_or(1);
                let value = self.pointer_value(&state, *value);
                self.store(&mut state, &at, width, value);
            }
            Op::Copy { dst, src: _, size: _ } | Op::Fill { dst, byte: _, size: _ } => {
                let at = self.value(&state, *dst);
                self.forget(&mut state, &at);
            }
            Op::HavocMemory { pointers: _ } => self.forget(&mut state, &TargetSet::unknown()),
            Op::ScopeBegin(object) => self.begin(&mut state, ObjectName::Object(*object)),
            Op::ScopeEnd(object) => {
                if let Some(target) = self.base.target(ObjectName::Object(*object)) {
                    let at = TargetSet::new(Flags::NONE, vec![(target, Offset::ANY)]);
                    self.forget(&mut state, &at);
                }
            }
            Op::Alloc { dst, .. } | Op::Realloc { dst, .. } => {
                let target = self.base.target(ObjectName::Allocated(position));
                let places = target.map(|target| (target, Offset::ZERO)).into_iter().collect();
                self.set_var(&mut state, *dst, TargetSet::new(Flags::NONE, places));
            }
            // Not the last on its edge: what it does to globals and memory is left open.
            Op::Call { dst, callee: _, args } => {
                for callee in self.base.callees(position).to_vec() {
                    self.call(&state, callee, args);
                }
                let keys: Vec<Key> = state.keys().copied().collect();
                for key in keys {
                    let is_local = match key {
                        Key::Var(var) => {
                            matches!(self.program.vars[var].kind, VarKind::Local(_))
                        }
                        Key::Cell(..) | Key::Result => false,
                    };
                    if !is_local || *dst == key.as_var() && dst.is_some() {
                        state.remove(&key);
                    }
                }
            }
            Op::Start { dst, routine, args } => {
                let callees = match routine {
                    Callee::Direct(proc) => vec![*proc],
                    Callee::Pointer(_) => self.base.callees(position).to_vec(),
                };
                for callee in callees {
                    self.call(&state, callee, args);
                }
                let handle = TargetSet::of_flags(number_flags(self.program, *dst));
                self.set_var(&mut state, *dst, handle);
            }
            Op::Return { value } => {
                let value = match value {
                    Some(value) => self.pointer_value(&state, *value),
                    None => TargetSet::of_flags(Flags::UNINITIALISED),
                };
                state.insert(Key::Result, Arc::new(self.bounded(Key::Result, value)));
            }
            Op::Join { handle: _, dst: Some(dst) } => {
                state.remove(&Key::Var(*dst));
            }
            Op::ThreadSelf { dst }
            | Op::Inspect { dst, .. }
            | Op::Sync { op: _, args: _, dst: Some(dst) } => {
                let number = TargetSet::of_flags(number_flags(self.program, *dst));
                self.set_var(&mut state, *dst, number);
            }
            ops!(end) | Op::ThreadExit { .. } => return None,
            ops!(section, remark)
            | Op::Claim(_)
            | Op::Skip
            | Op::Assume(_)
            | Op::Free { .. }
            | Op::Join { handle: _, dst: None }
            | Op::Sync { op: _, args: _, dst: None }
            | Op::Choice(_) => {}
        }
        Some(state)
    }

    /// What a load reads, if the state knows.
    fn loaded(&self, state: &State, dst: Var, addr: Term) -> Option<TargetSet> {
        let sort = self.program.vars[dst].sort;
        if self.program.bytes_of(sort) != Some(self.program.data_model.pointer_bytes()) {
            return None;
        }
        let at = self.value(state, addr);
        if at.is_unknown() {
            return None;
        }
        let mut value = TargetSet::default();
        for &(target, offset) in at.places() {
            let cell = state.get(&Key::Cell(target, offset.as_exact()?))?;
            value.unite(cell);
        }
        Some(value)
    }

    fn store(&self, state: &mut State, at: &TargetSet, width: u64, value: TargetSet) {
        if self.is_concurrent {
            return;
        }
        let bytes = self.program.data_model.pointer_bytes();
        if at.is_unknown() {
            return self.forget(state, at);
        }
        if let [(target, offset)] = *at.places()
            && let Some(exact) = offset.as_exact()
            && self.single[target]
        {
            // There is no other place it can be.
            self.forget_bytes(state, target, offset, width);
            if width == bytes && offset.fits(width, self.base.size(target)) {
                let key = Key::Cell(target, exact);
                let value = self.bounded(key, value);
                state.insert(key, Arc::new(value));
            }
            return;
        }
        for &(target, offset) in at.places() {
            for (key, there) in cells_of(state, target) {
                let meeting = offset.meeting(width, Offset::exact(there), bytes);
                if meeting.partial || (meeting.same && width != bytes) {
                    state.remove(&key);
                } else if meeting.same
                    && let Some(old) = state.get(&key)
                {
                    let mut joined = TargetSet::clone(old);
                    joined.unite(&value);
                    let joined = self.bounded(key, joined);
                    state.insert(key, Arc::new(joined));
                }
            }
        }
    }

    /// Forgets the cells of an object that so many bytes at an offset touch.
    fn forget_bytes(&self, state: &mut State, target: Target, offset: Offset, width: u64) {
        let bytes = self.program.data_model.pointer_bytes();
        for (key, there) in cells_of(state, target) {
            let meeting = offset.meeting(width, Offset::exact(there), bytes);
            if meeting.same || meeting.partial {
                state.remove(&key);
            }
        }
    }

    /// Forgets all cells of the objects that a pointer may be to.
    fn forget(&self, state: &mut State, at: &TargetSet) {
        let keys: Vec<Key> = state
            .keys()
            .filter(|key| match key {
                Key::Cell(target, _) => {
                    at.is_unknown() || at.places().iter().any(|(other, _)| other == target)
                }
                Key::Var(_) | Key::Result => false,
            })
            .copied()
            .collect();
        for key in keys {
            state.remove(&key);
        }
    }

    /// A local object begins: what is in it was never assigned.
    fn begin(&self, state: &mut State, name: ObjectName) {
        let Some(target) = self.base.target(name) else { return };
        if self.is_concurrent || !self.single[target] {
            return;
        }
        for &(_, offset, _) in self.base.cells_of(target) {
            if let Some(at) = offset.as_exact() {
                let fresh = TargetSet::of_flags(Flags::UNINITIALISED);
                state.insert(Key::Cell(target, at), Arc::new(fresh));
            }
        }
    }
}

impl Key {
    fn as_var(self) -> Option<Var> {
        match self {
            Key::Var(var) => Some(var),
            Key::Cell(..) | Key::Result => None,
        }
    }
}

/// The cells of an object that a state mentions.
fn cells_of(state: &State, target: Target) -> Vec<(Key, i64)> {
    let range = Key::Cell(target, i64::MIN)..=Key::Cell(target, i64::MAX);
    let cells = state.range(range).filter_map(|(key, _)| match key {
        Key::Cell(_, at) => Some((*key, *at)),
        Key::Var(_) | Key::Result => None,
    });
    cells.collect()
}
