//! What the operations of the automaton make of a state.

use ravelin_base::EntityRef;
use ravelin_cfa::{Label, Object, ObjectFact, ObjectKind, Op, Proc, Sort, Term, Var, VarKind, ops};
use ravelin_pointsto::{Flags, Position, Target};

use crate::eval::Env;
use crate::linear::Node;
use crate::map::Map;
use crate::num::Num;
use crate::relate::Sums;
use crate::state::{Key, Mode, Ptr, Quantity, State, Value, absorb};

/// What is known when a procedure returns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exit {
    pub(crate) global: Map<Value>,
    /// The result, and the size of the object that it points to.
    pub(crate) result: Option<Value>,
    pub(crate) size: Option<Value>,
}

impl Exit {
    /// Takes a newer exit into an older one; says whether that changed.
    pub(crate) fn absorb(&mut self, newer: &Exit, mode: Mode<'_>) -> bool {
        let mut values = [Map::default(), Map::default()];
        for (map, exit) in values.iter_mut().zip([&*self, newer]) {
            for (key, value) in [(0, exit.result), (1, exit.size)] {
                if let Some(value) = value {
                    map.insert(key, value);
                }
            }
        }
        let [mut old, new] = values;
        let changed = absorb(&mut old, &new, mode);
        (self.result, self.size) = (old.get(0).copied(), old.get(1).copied());
        absorb(&mut self.global, &newer.global, mode) | changed
    }
}

/// What operations do beyond the state of their own procedure.
pub(crate) trait Effects {
    /// What is known when a procedure returns; `None` if no return is reached yet.
    fn exit(&self, proc: Proc) -> Option<&Exit>;
    /// A procedure is called with this state at its entry.
    fn enter(&mut self, callee: Proc, entry: State);
    /// A thread starts with these parameters.
    fn start(&mut self, routine: Proc, params: Map<Value>);
    /// The procedure returns.
    fn leave(&mut self, proc: Proc, exit: Exit);
    /// A quantity that threads share gets a value, or any.
    fn write_shared(&mut self, key: Key, value: Option<Value>);
    /// An object of this name is allocated.
    fn allocate(&mut self, target: Target, size: Num);
}

impl Env<'_> {
    /// The state after the labels of an edge, from one on and before another; `None` if it is not reached.
    pub(crate) fn edge(
        &self,
        mut state: State,
        position: Position,
        labels: &[Label],
        before: Option<u32>,
        effects: &mut dyn Effects,
    ) -> Option<State> {
        let mut at = position;
        for label in labels {
            if before.is_some_and(|before| before <= at.label) {
                return Some(state);
            }
            state = self.label(state, &mut at, label, before, effects)?;
        }
        Some(state)
    }

    /// Executes one label, and advances the position behind it.
    fn label(
        &self,
        state: State,
        at: &mut Position,
        label: &Label,
        before: Option<u32>,
        effects: &mut dyn Effects,
    ) -> Option<State> {
        let Op::Choice(branches) = &label.op else {
            let result = self.op(state, *at, &label.op, effects);
            at.label += 1;
            return result;
        };
        let mut joined: Option<State> = None;
        for branch in branches {
            let start = *at;
            let end = start.label + count(branch);
            at.label = end;
            let is_inside = before.is_some_and(|before| (start.label..end).contains(&before));
            if before.is_some() && !is_inside {
                // Positions in later branches are not reached through this one.
                if before.is_some_and(|before| before < end) {
                    continue;
                }
            }
            let after = self.edge(state.clone(), start, branch, before, effects);
            if is_inside {
                return after;
            }
            joined = match (joined, after) {
                (Some(a), Some(b)) => Some(self.join(a, &b)),
                (a, b) => a.or(b),
            };
        }
        joined
    }

    fn op(
        &self,
        mut state: State,
        position: Position,
        op: &Op,
        effects: &mut dyn Effects,
    ) -> Option<State> {
        self.refill();
        let program = self.program;
        match op {
            Op::Skip | Op::Claim(_) | ops!(section, remark) => Some(state),
            Op::Assume(cond) => self.assume(state, *cond, true),
            Op::Assign { dst, value } => {
                self.assign_term(&mut state, *dst, *value, effects);
                Some(state)
            }
            Op::Havoc { dst, kind: _ } | Op::ThreadSelf { dst } => {
                self.assign(&mut state, *dst, (None, None), effects);
                Some(state)
            }
            Op::Join { handle: _, dst } | Op::Sync { op: _, args: _, dst } => {
                if let Some(dst) = dst {
                    self.assign(&mut state, *dst, (None, None), effects);
                }
                Some(state)
            }
            Op::Load { dst, addr, order: _ } => {
                let sort = program.vars[*dst].sort;
                let mut state = self.accessed(state, *addr, program.bytes_of(sort)?)?;
                self.refill();
                let flags = self.model.loaded.get(dst).copied().unwrap_or(Flags::UNKNOWN);
                let found = self.load(&state, *addr, sort, flags);
                self.assign(&mut state, *dst, found, effects);
                Some(state)
            }
            Op::Store { addr, value, order: _ } => {
                let sort = program.terms.sort(*value);
                let mut state = self.accessed(state, *addr, program.bytes_of(sort)?)?;
                self.refill();
                let stored = self.value_and_size(&state, *value);
                self.store(&mut state, *addr, stored, sort, effects);
                Some(state)
            }
            Op::Copy { dst, src: _, size } => {
                let length = self.length(&state, *size);
                self.clobber(&mut state, *dst, length, effects);
                Some(state)
            }
            Op::Fill { dst, byte, size } => {
                let length = self.length(&state, *size);
                let byte = self.num(&state, *byte).as_constant();
                self.fill(&mut state, *dst, byte, length, effects);
                Some(state)
            }
            Op::HavocMemory { pointers: _ } => {
                self.forget_memory(&mut state, effects);
                Some(state)
            }
            Op::ScopeBegin(object) => {
                self.begin(&mut state, *object, effects);
                Some(state)
            }
            Op::ScopeEnd(object) => {
                self.set(&mut state, self.model.keys.in_scope(*object), None);
                if let Some(target) = self.model.of_object[*object] {
                    self.set(&mut state, self.model.keys.none_ended(target), None);
                    self.forget_object(&mut state, target, effects);
                }
                Some(state)
            }
            Op::Alloc { dst, size, kind: _ } => {
                let sums = Sums { size: self.linear(&state, *size, false), ..Sums::default() };
                let size = self.num(&state, *size);
                let before = state.clone();
                self.allocated(&mut state, position, *dst, size, effects);
                self.relate_sums(&mut state, &before, *dst, &sums);
                Some(state)
            }
            Op::Realloc { dst, addr, size } => {
                let size = self.num(&state, *size);
                self.ended(&mut state, *addr);
                self.allocated(&mut state, position, *dst, size, effects);
                Some(state)
            }
            Op::Free { addr, kind: _ } => {
                self.ended(&mut state, *addr);
                Some(state)
            }
            Op::Inspect { dst, addr, fact } => {
                let value = match fact {
                    ObjectFact::Offset => self.ptr(&state, *addr).offset(self.bits()),
                    ObjectFact::Size => self.inspected_size(&state, *addr),
                    ObjectFact::Life => self.inspected_life(&state, *addr),
                };
                let sums = self.inspected_sums(&state, *addr, *fact);
                let before = state.clone();
                self.assign(&mut state, *dst, (Some(Value::Num(value)), None), effects);
                self.relate_sums(&mut state, &before, *dst, &sums);
                Some(state)
            }
            Op::Call { dst, callee: _, args } => self.call(state, position, *dst, args, effects),
            Op::Start { dst, routine: _, args } => {
                let (procs, _) = self.model.calls.callees(position);
                for &proc in procs {
                    let params = self.params(&state, proc, args);
                    effects.start(proc, params);
                }
                self.assign(&mut state, *dst, (None, None), effects);
                Some(state)
            }
            Op::Return { value } => {
                let (result, size) = match value {
                    Some(value) => self.value_and_size(&state, *value),
                    None => (None, None),
                };
                self.leave(state, position.proc, result, size, effects);
                None
            }
            Op::ThreadExit { .. } | ops!(end) => None,
            // `label` takes choices apart.
            Op::Choice(_) => Some(State::default()),
        }
    }

    /// What an inspection gives as a sum.
    fn inspected_sums(&self, state: &State, addr: Term, fact: ObjectFact) -> Sums {
        match fact {
            ObjectFact::Offset => {
                Sums { signed: self.linear_offset(state, addr), ..Sums::default() }
            }
            ObjectFact::Size => {
                let ptr = self.ptr(state, addr);
                let is_object = ptr.none.is_none() && !ptr.is_wild;
                let size = self.sums(state, addr).size.filter(|_| is_object);
                Sums { unsigned: size, ..Sums::default() }
            }
            ObjectFact::Life => Sums::default(),
        }
    }

    fn length(&self, state: &State, size: Term) -> Option<u64> {
        self.num(state, size).as_constant().and_then(|size| u64::try_from(size).ok())
    }

    pub(crate) fn value_and_size(
        &self,
        state: &State,
        term: Term,
    ) -> (Option<Value>, Option<Value>) {
        let value = self.value(state, term);
        let size = (self.program.terms.sort(term) == Sort::Ptr)
            .then(|| self.object_size(state, term))
            .filter(|size| !size.is_top());
        (value, size.map(Value::Num))
    }

    fn assign_term(&self, state: &mut State, dst: Var, term: Term, effects: &mut dyn Effects) {
        let found = self.value_and_size(state, term);
        self.refill();
        let sums = self.sums(state, term);
        let before = state.clone();
        self.assign(state, dst, found, effects);
        self.relate_sums(state, &before, dst, &sums);
        self.relate_meaning(state, dst, term);
    }

    /// Relates a variable that was assigned what these sums are.
    fn relate_sums(&self, state: &mut State, before: &State, dst: Var, sums: &Sums) {
        self.refill();
        let key = self.model.keys.var(dst);
        for (signed, sum) in [(true, &sums.signed), (false, &sums.unsigned)] {
            if let Some(sum) = sum {
                self.relate_sum(state, before, Node { key, signed }, sum);
            }
        }
        if let Some(sum) = &sums.size {
            let own = Node { key: key.size(), signed: false };
            // A pointer that moves within its object.
            if sum.factor(own.key).is_some() {
                let entry = before.relations.clone();
                state.relations.restore(&entry, own.key, key);
            } else {
                self.relate_sum(state, before, own, sum);
            }
        }
    }

    /// Assigns a value, and for a pointer the size of its object.
    fn assign(
        &self,
        state: &mut State,
        dst: Var,
        (value, size): (Option<Value>, Option<Value>),
        effects: &mut dyn Effects,
    ) {
        let key = self.model.keys.var(dst);
        if self.model.is_shared(self.program, key) {
            effects.write_shared(key, value);
            return;
        }
        self.overwrite(state, key, value.filter(|value| self.fits(dst, value)));
        if self.model.sort(dst) == Sort::Ptr {
            self.overwrite(state, key.size(), size);
        }
    }

    /// Whether a value is of the sort of a variable.
    fn fits(&self, dst: Var, value: &Value) -> bool {
        match (self.model.sort(dst), value) {
            (Sort::Bool, Value::Num(num)) => num.width == 1,
            (Sort::Bv(width), Value::Num(num)) => num.width == width,
            (Sort::Ptr, Value::Ptr(_)) => true,
            (Sort::Bool | Sort::Bv(_) | Sort::Ptr | Sort::Float(_) | Sort::Mem, _) => false,
        }
    }

    fn begin(&self, state: &mut State, object: Object, effects: &mut dyn Effects) {
        let keys = self.model.keys;
        let set = Some(Value::Num(Num::constant(1, 1)));
        self.set(state, keys.in_scope(object), set);
        let Some(target) = self.model.of_object[object] else { return };
        self.forget_object(state, target, effects);
        if self.flag(state, keys.none_begun(target)) {
            self.set(state, keys.none_begun(target), None);
        } else {
            // An earlier object of the name has ended by now.
            self.set(state, keys.none_ended(target), None);
        }
    }

    fn allocated(
        &self,
        state: &mut State,
        position: Position,
        dst: Var,
        size: Num,
        effects: &mut dyn Effects,
    ) {
        if let Some(&target) = self.model.allocated.get(&position) {
            effects.allocate(target, size);
        }
        let value = Some(Value::Ptr(Ptr::start(self.bits())));
        let size = (!size.is_top()).then_some(Value::Num(size));
        self.assign(state, dst, (value, size), effects);
    }

    /// The object of a pointer ends.
    fn ended(&self, state: &mut State, addr: Term) {
        match self.model.places(addr) {
            Some(set) => set.targets().for_each(|target| {
                self.set(state, self.model.keys.none_ended(target), None);
            }),
            None => (0..self.model.target_count).for_each(|target| {
                self.set(state, self.model.keys.none_ended(Target::new(target)), None);
            }),
        }
    }

    /// The parameters of a procedure that is called with these arguments.
    fn params(&self, state: &State, callee: Proc, args: &[Term]) -> Map<Value> {
        let mut params = Map::default();
        for (&param, &arg) in self.program.procs[callee].params.iter().zip(args) {
            self.refill();
            let (value, size) = self.value_and_size(state, arg);
            let key = self.model.keys.var(param);
            if let Some(value) = value.filter(|value| self.fits(param, value)) {
                params.insert(key.0, value);
                if let Some(size) = size {
                    params.insert(key.size().0, size);
                }
            }
        }
        params
    }

    fn call(
        &self,
        state: State,
        position: Position,
        dst: Option<Var>,
        args: &[Term],
        effects: &mut dyn Effects,
    ) -> Option<State> {
        let (procs, is_open) = self.model.calls.callees(position);
        let mut joined: Option<State> = None;
        for &proc in procs {
            let local = self.params(&state, proc, args);
            let entry = State { local, global: state.global.clone(), ..State::default() };
            effects.enter(proc, entry);
            let Some(exit) = effects.exit(proc).cloned() else { continue };
            let after = self.returned(state.clone(), proc, dst, &exit, effects);
            joined = Some(match joined {
                Some(before) => self.join(before, &after),
                None => after,
            });
        }
        if is_open {
            let mut after = state;
            let mut keys = Vec::new();
            after.global.for_each(&mut |key, _| keys.push(Key(key)));
            keys.into_iter().for_each(|key| self.overwrite(&mut after, key, None));
            self.forget_changed(&mut after, &|_| true);
            self.forget_memory(&mut after, effects);
            for (var, _) in self.program.vars.iter() {
                let key = self.model.keys.var(var);
                if self.model.is_shared(self.program, key) {
                    effects.write_shared(key, None);
                }
            }
            if let Some(dst) = dst {
                self.assign(&mut after, dst, (None, None), effects);
            }
            joined = Some(match joined {
                Some(before) => self.join(before, &after),
                None => after,
            });
        }
        joined
    }

    /// The state of a caller after a procedure returned.
    fn returned(
        &self,
        mut state: State,
        callee: Proc,
        dst: Option<Var>,
        exit: &Exit,
        effects: &mut dyn Effects,
    ) -> State {
        let changes = self.model.calls.changes(callee);
        let is_changed = |key: Key| match self.model.keys.quantity(key) {
            Quantity::Var(var) | Quantity::SizeOf(var) => changes.var(var),
            Quantity::Cell(cell) | Quantity::SizeOfCell(cell) => {
                changes.memory(self.model.cells[cell as usize].target)
            }
            Quantity::NoneEnded(target) | Quantity::NoneBegun(target) => changes.life(target),
            Quantity::InScope(_) => false,
        };
        let mut updates = Vec::new();
        state.global.diff(&exit.global, &mut |key, _, after| {
            if is_changed(Key(key)) {
                updates.push((Key(key), after.copied()));
            }
        });
        self.forget_changed(&mut state, &is_changed);
        for (key, value) in updates {
            self.set(&mut state, key, value);
        }
        if let Some(dst) = dst {
            self.assign(&mut state, dst, (exit.result, exit.size), effects);
        }
        state
    }

    /// The procedure returns: with its frame, its objects end.
    pub(crate) fn leave(
        &self,
        mut state: State,
        proc: Proc,
        result: Option<Value>,
        size: Option<Value>,
        effects: &mut dyn Effects,
    ) {
        for &object in &self.model.frame_objects[proc] {
            if let Some(target) = self.model.of_object[object] {
                self.set(&mut state, self.model.keys.none_ended(target), None);
                self.forget_object(&mut state, target, effects);
            }
        }
        effects.leave(proc, Exit { global: state.global, result, size });
    }

    /// What is known before the first step.
    pub(crate) fn initial(&self, effects: &mut dyn Effects) -> State {
        let mut state = State::default();
        let program = self.program;
        let mut put = |key: Key, value: Option<Value>| {
            if self.model.is_shared(program, key) {
                effects.write_shared(key, value);
            } else {
                self.set(&mut state, key, value);
            }
        };
        for (var, data) in program.vars.iter() {
            let init = match data.kind {
                VarKind::Global { init, .. } | VarKind::ThreadLocal { init } => init,
                VarKind::Local(_) => continue,
            };
            self.refill();
            let (value, size) = match init {
                Some(init) => self.value_and_size(&State::default(), init),
                None => (None, None),
            };
            let key = self.model.keys.var(var);
            put(key, value);
            if self.model.sort(var) == Sort::Ptr {
                put(key.size(), size);
            }
        }
        for (object, data) in program.objects.iter() {
            let Some(target) = self.model.of_object[object] else { continue };
            match data.kind {
                ObjectKind::Global | ObjectKind::Constant | ObjectKind::ThreadLocal => {}
                ObjectKind::Local(_) | ObjectKind::Function(_) => continue,
            }
            for &number in &self.model.targets[target].cells {
                let cell = &self.model.cells[number as usize];
                let (value, size) = self.initial_contents(cell, object);
                let key = self.model.keys.cell(number);
                put(key, value);
                put(key.size(), size);
            }
        }
        let set = Some(Value::Num(Num::constant(1, 1)));
        for index in 0..self.model.target_count {
            let target = Target::new(index);
            let info = &self.model.targets[target];
            if info.may_end && !info.is_on_stack {
                self.set(&mut state, self.model.keys.none_ended(target), set);
                self.set(&mut state, self.model.keys.none_begun(target), set);
            }
        }
        state
    }
}

/// How many labels a sequence has, those in choices included.
fn count(labels: &[Label]) -> u32 {
    let mut count = 0;
    labels.iter().for_each(|label| label.walk(&mut |_| count += 1));
    count
}
