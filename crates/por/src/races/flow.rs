//! The states of all locations, procedure by procedure, and what each kind of thread brings to a procedure.

use ravelin_base::{EntitySet, SecondaryMap};
use ravelin_cfa::access::for_each_access;
use ravelin_cfa::flow::liveness::liveness;
use ravelin_cfa::flow::locals::Locals;
use ravelin_cfa::sections::Sections;
use ravelin_cfa::sync::SYNC_BYTES;
use ravelin_cfa::{
    AllocKind, Edge, Label, Loc, ObjectKind, Op, Proc, Program, SyncOp, VarKind, ops,
};
use ravelin_pointsto::{Flags, ObjectName, PointsTo, Target, TargetSet};
use ravelin_term::{BinOp, Term, TermKind, TermPool, Var};
use rustc_hash::FxHashMap;

use super::locking::{released, released_by, taken, taking, zero_variable};
use super::state::{Effect, Entry, Held, Lock, MAX_LOCKS, Mode, State};
use super::threads::{Kinds, MAIN, Threads, for_each_entered};
use super::variables::{followed, settled_globals};
use crate::coarse::{accessed_bytes, may_overlap};

/// What a call of a procedure may do to what its caller knows.
#[derive(Clone, Debug, Default)]
struct Summary {
    /// None if it does not return.
    effect: Option<Effect>,
    /// The addresses of the locks that it may release.
    unlocks: Vec<TargetSet>,
    /// Whether it writes memory.
    writes: bool,
}

pub struct Flow<'a> {
    pub program: &'a Program,
    pub points_to: &'a PointsTo,
    pub threads: Threads,
    pub sections: Sections,
    /// The terms of the program, and more.
    pub terms: TermPool,
    /// Globals that nobody writes while there are several threads.
    settled: EntitySet<Var>,
    /// Variables on which addresses and lock results depend.
    followed: EntitySet<Var>,
    places: Vec<(Target, i64)>,
    handles: FxHashMap<Var, usize>,
    /// The cells that are written once, with such a handle.
    handle_cells: FxHashMap<(Target, i64), Var>,
    /// The kinds of threads that may write an object.
    writers: SecondaryMap<Target, Kinds>,
    /// The kinds of threads that may execute a procedure.
    executors: SecondaryMap<Proc, Kinds>,
    states: SecondaryMap<Proc, SecondaryMap<Loc, Option<State>>>,
    summaries: SecondaryMap<Proc, Summary>,
    entries: FxHashMap<(usize, Proc), Entry>,
    /// Which threads have surely ended when a thread of a kind has.
    ended_with: Vec<Kinds>,
    /// Parameters of routines that get objects to which nobody else keeps a pointer.
    given: EntitySet<Var>,
}

impl<'a> Flow<'a> {
    pub fn of(program: &'a Program, points_to: &'a PointsTo) -> Flow<'a> {
        let threads = Threads::of(program, points_to);
        let mut flow = Flow {
            program,
            points_to,
            sections: Sections::of(program),
            terms: program.terms.clone(),
            settled: settled_globals(program),
            followed: followed(program),
            places: Vec::new(),
            handles: FxHashMap::default(),
            handle_cells: FxHashMap::default(),
            writers: SecondaryMap::new(),
            executors: SecondaryMap::new(),
            states: SecondaryMap::new(),
            summaries: SecondaryMap::new(),
            entries: FxHashMap::default(),
            ended_with: (0..threads.kinds.len()).map(|kind| 1 << kind).collect(),
            given: EntitySet::new(),
            threads,
        };
        flow.find_places();
        flow.find_handles();
        flow.find_writers();
        flow.find_reach();
        // What has ended, and what is given away, is at least what was known in the last round.
        for _ in 0..3 {
            flow.find_states();
            flow.find_entries();
            let (more_ended, more_given) = (flow.find_ended(), flow.find_given());
            if !more_ended && !more_given {
                break;
            }
        }
        flow
    }

    /// The locks that are one place each, by their numbers.
    pub fn lock_places(&self) -> impl Iterator<Item = TargetSet> {
        self.places.iter().map(|&(target, at)| TargetSet::place(target, at))
    }

    /// Where all locks may be.
    pub fn lock_sets(&self) -> Vec<TargetSet> {
        let mut found = Vec::new();
        self.program.for_each_label(|_, label| {
            if let Some((pointer, _)) = taken(&label.op) {
                let set = self.points_to.of_term(self.program, pointer);
                if !found.contains(&set) {
                    found.push(set);
                }
            }
        });
        found
    }

    pub fn state(&self, proc: Proc, loc: Loc) -> Option<&State> {
        self.states[proc][loc].as_ref()
    }

    /// The kinds of threads that execute a procedure, with what they know at its entry.
    pub fn entries(&self, proc: Proc) -> impl Iterator<Item = (usize, Entry)> {
        (0..self.threads.kinds.len())
            .filter_map(move |kind| Some((kind, *self.entries.get(&(kind, proc))?)))
    }

    /// Whether there may be other threads while a thread that knows this moves.
    pub fn may_be_parallel(&self, kind: usize, entry: Entry) -> bool {
        kind != MAIN || entry.started & !entry.joined != 0
    }

    /// Whether threads of two kinds may both be where they know this.
    pub fn may_happen_together(
        &self,
        (a, known): (usize, Entry),
        (b, there): (usize, Entry),
    ) -> bool {
        if a == b {
            return !self.threads.kinds[a].is_unique;
        }
        let is_before = |kind: usize, entry: Entry, other: usize| {
            self.threads.kinds[kind].is_unique
                && entry.started >> other & 1 == 0
                && self.threads.is_only_started_by(other, kind)
        };
        known.joined >> b & 1 == 0
            && there.joined >> a & 1 == 0
            && !is_before(a, known, b)
            && !is_before(b, there, a)
    }

    /// A term over what variables are equal to; none if it depends on what others may change.
    pub fn resolve(&mut self, state: &State, term: Term) -> Option<Term> {
        let mut is_stable = true;
        let (program, settled) = (self.program, &self.settled);
        self.terms.for_each_subterm(term, |_, kind| {
            if let TermKind::Var(var) = kind {
                is_stable &= match program.vars[var].kind {
                    VarKind::Local(_) => true,
                    VarKind::Global { .. } => settled.contains(var),
                    VarKind::ThreadLocal { .. } => false,
                };
            }
        });
        is_stable.then(|| self.terms.substitute(term, |_, var| state.values.get(&var).copied()))
    }

    /// Whether a pointer is to an object that nobody else has seen.
    pub fn is_fresh(&mut self, state: &State, pointer: Term) -> bool {
        if state.fresh.is_empty() {
            return false;
        }
        let Some(mut base) = self.resolve(state, pointer) else { return false };
        while let TermKind::Binary(BinOp::PtrAdd, pointer, _) = self.terms.kind(base) {
            base = pointer;
        }
        matches!(self.terms.kind(base), TermKind::Var(var) if state.fresh.contains(&var))
    }

    /// The one place that a pointer is, if there is one instance of its object.
    fn place(&self, pointer: Term) -> Option<(Target, i64)> {
        let set = self.points_to.of_term(self.program, pointer);
        let &[(target, offset)] = set.places() else { return None };
        // What is accessed through a null pointer, or one that was never assigned, is nothing.
        let is_known = !set.is_unknown() && !set.flags().contains(Flags::NUMBER);
        (is_known && self.is_single(target)).then_some(target).zip(offset.as_exact())
    }

    fn is_single(&self, target: Target) -> bool {
        match self.points_to.name(target) {
            ObjectName::Object(object) => match self.program.objects[object].kind {
                ObjectKind::Global | ObjectKind::Constant => true,
                ObjectKind::Local(proc) => {
                    let procedure = &self.program.procs[proc];
                    let begins = |label: &Label| label.op == Op::ScopeBegin(object);
                    self.threads.is_once(proc, procedure.entry)
                        && procedure.edges.values().all(|edge| {
                            !edge.labels.iter().any(|label| label.any(&mut |it| begins(it)))
                                || self.threads.is_once(proc, edge.source)
                        })
                }
                ObjectKind::ThreadLocal | ObjectKind::Function(_) => false,
            },
            ObjectName::Allocated(position) => {
                let from = self.program.procs[position.proc].edges[position.edge].source;
                self.threads.is_once(position.proc, from)
            }
            ObjectName::OfSize(_) => false,
        }
    }

    fn find_places(&mut self) {
        let mut places = Vec::new();
        self.program.for_each_label(|_, label| {
            if let Some((pointer, _)) = taken(&label.op)
                && let Some(place) = self.place(pointer)
                && !places.contains(&place)
                && places.len() < MAX_LOCKS
            {
                places.push(place);
            }
        });
        self.places = places;
    }

    /// The variables that get the handle of a thread of which there is one.
    fn find_handles(&mut self) {
        for (proc, procedure) in self.program.procs.iter() {
            for (edge, data) in procedure.edges.iter() {
                if let [Label { op: Op::Start { dst, .. }, .. }] = data.labels.as_slice()
                    && let Some(kind) = self.threads.started_on(proc, edge)
                    && self.threads.kinds[kind].is_unique
                {
                    self.handles.insert(*dst, kind);
                }
            }
        }
    }

    /// Who writes which object, and which cells have the handle of one thread.
    fn find_writers(&mut self) {
        for (number, kind) in self.threads.kinds.iter().enumerate() {
            for proc in kind.procs.iter() {
                self.executors[proc] |= 1 << number;
            }
        }
        let mut writes: Vec<(TargetSet, Option<u64>, Option<Var>)> = Vec::new();
        self.program.for_each_label(|proc, label| {
            for_each_access(&label.op, &mut |access| {
                use ravelin_cfa::access::Access::{FreeMemory, ReachMemory, WriteMemory};
                let set = match access {
                    WriteMemory(pointer) | FreeMemory(pointer) => {
                        self.points_to.of_term(self.program, pointer)
                    }
                    ReachMemory(_) if !matches!(label.op, Op::Print { .. }) => TargetSet::unknown(),
                    _ => return,
                };
                match set.is_unknown() {
                    true => {
                        let all: Vec<Target> = self.points_to.targets().collect();
                        all.into_iter()
                            .for_each(|target| self.writers[target] |= self.executors[proc]);
                    }
                    false => {
                        set.targets()
                            .for_each(|target| self.writers[target] |= self.executors[proc]);
                    }
                }
                // The write of a handle that comes before its thread leaves what is there.
                if matches!(label.op, Op::Copy { dst, src, .. } if dst == src) {
                    return;
                }
                let handle = match label.op {
                    Op::Store { value, .. } => match self.program.terms.kind(value) {
                        TermKind::Var(var) if self.handles.contains_key(&var) => Some(var),
                        _ => None,
                    },
                    _ => None,
                };
                writes.push((set, accessed_bytes(self.program, &label.op), handle));
            });
        });
        let bytes = self.program.data_model.pointer_bytes();
        for (set, _, handle) in &writes {
            let &[(target, at)] = set.places() else { continue };
            let Some((handle, at)) = handle.zip(at.as_exact()) else { continue };
            let cell = TargetSet::place(target, at);
            let touches = |(set, length, _): &&(TargetSet, Option<u64>, Option<Var>)| {
                may_overlap(self.points_to, (set, *length), (&cell, Some(bytes)))
            };
            if self.is_single(target) && writes.iter().filter(touches).count() == 1 {
                self.handle_cells.insert((target, at), handle);
            }
        }
    }

    /// Whether only the one thread that executes a procedure writes an object.
    fn is_own(&self, proc: Proc, target: Target) -> bool {
        let executors = self.executors[proc];
        executors.count_ones() == 1
            && self.writers[target] & !executors == 0
            && self.threads.kinds[executors.trailing_zeros() as usize].is_unique
    }

    /// What procedures unlock and whether they write, in what they call as well.
    fn find_reach(&mut self) {
        let mut called: SecondaryMap<Proc, Vec<Proc>> = SecondaryMap::new();
        for (proc, procedure) in self.program.procs.iter() {
            let summary = &mut self.summaries[proc];
            for (edge, data) in procedure.edges.iter() {
                for_each_entered(
                    self.points_to,
                    proc,
                    edge,
                    &data.labels,
                    &mut |entered, start| {
                        if !start {
                            called[proc].push(entered);
                        }
                    },
                );
                for label in &data.labels {
                    label.walk(&mut |label| {
                        if let Some(pointer) = released(&label.op) {
                            summary.unlocks.push(self.points_to.of_term(self.program, pointer));
                        }
                        for_each_access(&label.op, &mut |access| {
                            use ravelin_cfa::access::Access::{
                                FreeMemory, ReachMemory, WriteMemory,
                            };
                            summary.writes |=
                                matches!(access, WriteMemory(_) | FreeMemory(_) | ReachMemory(_));
                        });
                    });
                }
            }
        }
        loop {
            let mut has_changed = false;
            for proc in self.program.procs.keys() {
                for &callee in &called[proc] {
                    let Summary { unlocks, writes, .. } = self.summaries[callee].clone();
                    let mine = &mut self.summaries[proc];
                    has_changed |= writes && !mine.writes;
                    mine.writes |= writes;
                    for set in unlocks {
                        if !mine.unlocks.contains(&set) {
                            mine.unlocks.push(set);
                            has_changed = true;
                        }
                    }
                }
            }
            if !has_changed {
                return;
            }
        }
    }

    /// The greatest solution: nothing is reached before a way leads there.
    fn find_states(&mut self) {
        for summary in self.summaries.values_mut() {
            summary.effect = None;
        }
        self.states = SecondaryMap::new();
        loop {
            let mut has_changed = false;
            for proc in self.program.procs.keys() {
                let states = self.states_of(proc);
                let exit = states[self.program.procs[proc].exit].as_ref();
                let effect = exit.map(|state| state.effect);
                has_changed |= effect != self.summaries[proc].effect;
                self.summaries[proc].effect = effect;
                self.states[proc] = states;
            }
            if !has_changed {
                return;
            }
        }
    }

    fn states_of(&mut self, proc: Proc) -> SecondaryMap<Loc, Option<State>> {
        let program = self.program;
        let procedure = &program.procs[proc];
        let order = procedure.reverse_postorder();
        let mut rank: SecondaryMap<Loc, usize> = SecondaryMap::with_capacity(procedure.locs.len());
        order.iter().enumerate().for_each(|(number, &loc)| rank[loc] = number);
        let mut states: SecondaryMap<Loc, Option<State>> =
            SecondaryMap::with_capacity(procedure.locs.len());
        let given = procedure.params.iter().copied().filter(|&param| self.given.contains(param));
        states[procedure.entry] = Some(State { fresh: given.collect(), ..State::default() });
        let mut work = std::collections::BTreeSet::from([rank[procedure.entry]]);
        while let Some(next) = work.pop_first() {
            let loc = order[next];
            for &edge in &procedure.locs[loc].out {
                let data = &procedure.edges[edge];
                let Some(mut state) = states[loc].clone() else { continue };
                let goes_on =
                    data.labels.iter().all(|label| self.step(&mut state, (proc, edge), label));
                // The exit is where callers go on; an end of the thread or of the program leads there, too.
                if !goes_on {
                    continue;
                }
                match &mut states[data.target] {
                    Some(known) => {
                        let before = known.clone();
                        known.join(&self.terms, &state);
                        if *known != before {
                            work.insert(rank[data.target]);
                        }
                    }
                    none => {
                        *none = Some(state);
                        work.insert(rank[data.target]);
                    }
                }
            }
        }
        states
    }

    /// What a label does to what is known; false if the thread does not get past it.
    fn step(&mut self, state: &mut State, (proc, edge): (Proc, Edge), label: &Label) -> bool {
        match &label.op {
            Op::Assume(cond) => {
                if let Some(cond) = self.resolve(state, *cond)
                    && let Some(var) = zero_variable(&self.terms, cond)
                    && let Some((lock, held)) = state.pending.remove(&var)
                {
                    gain(state, lock, held);
                }
                return self.terms.as_bool(*cond) != Some(false);
            }
            Op::Assign { dst, value } => {
                let resolved = self.resolve(state, *value).filter(|_| self.is_followed(*dst));
                if resolved.is_none() {
                    self.publish(state, *value);
                }
                self.assign(state, *dst, resolved);
            }
            Op::Load { dst, addr, .. } => {
                let sort = self.program.vars[*dst].sort;
                let bytes = self.program.bytes_of(sort).unwrap_or(0);
                let cell = self.place(*addr).map(|(target, at)| (target, at, bytes));
                let value = cell.and_then(|cell| state.cells.get(&cell).copied());
                let of_thread = self.handle_in(*addr).map(|handle| self.terms.var(handle, sort));
                let value = value.or(of_thread).filter(|&it| self.terms.sort(it) == sort);
                self.assign(state, *dst, value);
            }
            Op::Store { addr, value, .. } => {
                let resolved = self.resolve(state, *value);
                self.publish(state, *value);
                let bytes = self.program.bytes_of(self.terms.sort(*value)).unwrap_or(0);
                self.overwrite(state, *addr, Some(bytes));
                if let (Some((target, at)), Some(value)) = (self.place(*addr), resolved)
                    && self.is_own(proc, target)
                {
                    state.cells.insert((target, at, bytes), value);
                }
            }
            Op::Copy { dst, .. } | Op::Fill { dst, .. } => {
                self.overwrite(state, *dst, accessed_bytes(self.program, &label.op));
            }
            Op::HavocMemory { pointers } => {
                state.cells.clear();
                pointers.iter().for_each(|&it| self.publish(state, it));
            }
            Op::Alloc { dst, kind, .. } => {
                state.forget(&self.terms, *dst);
                let is_local = matches!(self.program.vars[*dst].kind, VarKind::Local(_));
                if is_local && matches!(kind, AllocKind::Heap | AllocKind::HeapZeroed) {
                    state.fresh.insert(*dst);
                }
            }
            Op::Realloc { dst, addr, .. } => {
                self.publish(state, *addr);
                state.cells.clear();
                state.forget(&self.terms, *dst);
            }
            Op::Free { .. } => {}
            Op::Call { dst, args, .. } => {
                args.iter().for_each(|&arg| self.publish(state, arg));
                if !self.call(state, (proc, edge), label) {
                    return false;
                }
                if let Some(dst) = dst {
                    state.forget(&self.terms, *dst);
                }
            }
            Op::Return { value } => {
                if let Some(value) = value {
                    self.publish(state, *value);
                }
            }
            Op::Start { dst, args, .. } => {
                args.iter().for_each(|&arg| self.publish(state, arg));
                state.forget(&self.terms, *dst);
                if let Some(kind) = self.threads.started_on(proc, edge) {
                    state.effect.started |= self.threads.kinds[kind].descendants;
                }
            }
            Op::Join { handle, dst } => {
                if let Some(handle) = self.resolve(state, *handle)
                    && let TermKind::Var(var) = self.terms.kind(handle)
                    && let Some(&kind) = self.handles.get(&var)
                {
                    state.effect.joined |= self.ended_with[kind];
                }
                if let Some(dst) = dst {
                    state.forget(&self.terms, *dst);
                }
            }
            Op::Sync { op, args, dst } => self.synchronise(state, *op, args, *dst),
            Op::External { args, .. } | Op::Print { args } => {
                args.iter().for_each(|&arg| self.publish(state, arg));
            }
            // No edge has choices before large blocks are made.
            Op::Choice(_) => return false,
            Op::ThreadExit { .. } => return false,
            Op::Havoc { dst, .. } | Op::ThreadSelf { dst } | Op::Inspect { dst, .. } => {
                state.forget(&self.terms, *dst);
            }
            ops!(end) => return false,
            Op::Skip
            | Op::Claim(_)
            | Op::ScopeBegin(_)
            | Op::ScopeEnd(_)
            | Op::AtomicBegin
            | Op::AtomicEnd => {}
        }
        true
    }

    fn is_followed(&self, var: Var) -> bool {
        matches!(self.program.vars[var].kind, VarKind::Local(_)) && self.followed.contains(var)
    }

    fn assign(&mut self, state: &mut State, dst: Var, value: Option<Term>) {
        let value = value.filter(|_| self.is_followed(dst));
        // The old value may be in the new one: `p = p + 1`.
        let (own, value) = match value {
            Some(value) if self.terms.vars_of(value).contains(&dst) => (Some(value), None),
            value => (None, value),
        };
        if let Some(own) = own {
            state.publish(&self.terms, own);
        }
        state.forget(&self.terms, dst);
        if let Some(value) = value {
            state.values.insert(dst, value);
        }
    }

    /// The variable with the handle that is at an address, whenever it is read, if it is that of one thread.
    fn handle_in(&self, pointer: Term) -> Option<Var> {
        self.handle_cells.get(&self.place(pointer)?).copied()
    }

    fn publish(&mut self, state: &mut State, term: Term) {
        if state.fresh.is_empty() {
            return;
        }
        let values = &state.values;
        let resolved = self.terms.substitute(term, |_, var| values.get(&var).copied());
        state.publish(&self.terms, resolved);
    }

    fn overwrite(&mut self, state: &mut State, pointer: Term, bytes: Option<u64>) {
        if state.cells.is_empty() {
            return;
        }
        let set = self.points_to.of_term(self.program, pointer);
        let points_to = self.points_to;
        state.cells.retain(|&(target, at, length), _| {
            let cell = TargetSet::place(target, at);
            !may_overlap(points_to, (&set, bytes), (&cell, Some(length)))
        });
    }

    fn call(&mut self, state: &mut State, (proc, edge): (Proc, Edge), label: &Label) -> bool {
        let mut effect: Option<Effect> = None;
        let mut is_known = false;
        let labels = std::slice::from_ref(label);
        let mut callees = Vec::new();
        for_each_entered(self.points_to, proc, edge, labels, &mut |it, _| callees.push(it));
        for callee in callees {
            is_known = true;
            let Summary { effect: there, unlocks, writes } = &self.summaries[callee];
            effect = match (effect, *there) {
                (Some(known), Some(there)) => Some(known.or(there)),
                (known, there) => known.or(there),
            };
            if *writes {
                state.cells.clear();
            }
            if !unlocks.is_empty() {
                state.pending.clear();
            }
            let (program, points_to) = (self.program, self.points_to);
            state.held.retain(|_, held| {
                let mine = points_to.of_term(program, held.given);
                !unlocks.iter().any(|set| {
                    may_overlap(points_to, (set, Some(SYNC_BYTES)), (&mine, Some(SYNC_BYTES)))
                })
            });
        }
        // While there is one thread, what is called may write globals.
        state.forget_globals(self.program, &self.terms);
        if !is_known {
            // It leads out of the program, or nowhere.
            state.cells.clear();
            return true;
        }
        match effect {
            Some(effect) => state.effect = state.effect.then(effect),
            None => return false,
        }
        true
    }

    fn synchronise(&mut self, state: &mut State, op: SyncOp, args: &[Term], dst: Option<Var>) {
        let lock = self.lock(state, args[0]);
        if let Some(pointer) = released_by(op, args) {
            self.release(state, pointer, lock);
        }
        if let Some(dst) = dst {
            state.forget(&self.terms, dst);
        }
        let Some((lock, (mode, is_sure))) = lock.zip(taking(op)) else { return };
        let held = Held { mode, given: args[0] };
        match (is_sure, dst) {
            (true, _) => gain(state, lock, held),
            (false, Some(dst)) if !self.names(lock, dst) => {
                state.pending.insert(dst, (lock, held));
            }
            (false, _) => {}
        }
    }

    fn names(&self, lock: Lock, var: Var) -> bool {
        match lock {
            Lock::Place(_) => false,
            Lock::Address(term) => self.terms.vars_of(term).contains(&var),
        }
    }

    fn lock(&mut self, state: &State, pointer: Term) -> Option<Lock> {
        if let Some(place) = self.place(pointer)
            && let Some(number) = self.places.iter().position(|&it| it == place)
        {
            return Some(Lock::Place(number));
        }
        self.resolve(state, pointer).map(Lock::Address)
    }

    /// A lock that is held by the very name by which it is released is the one that is released; otherwise it may be any
    /// that is at the same place.
    fn release(&mut self, state: &mut State, pointer: Term, lock: Option<Lock>) {
        // It may be one of which nobody has looked yet whether it was taken.
        state.pending.clear();
        match lock {
            Some(Lock::Address(term)) if state.held.remove(&term).is_some() => return,
            _ => {}
        }
        let set = self.points_to.of_term(self.program, pointer);
        let (program, points_to) = (self.program, self.points_to);
        let is_touched = |other: &TargetSet| {
            may_overlap(points_to, (&set, Some(SYNC_BYTES)), (other, Some(SYNC_BYTES)))
        };
        let mut lost = 0;
        for (number, &(target, at)) in self.places.iter().enumerate() {
            if is_touched(&TargetSet::place(target, at)) {
                lost |= 1 << number;
            }
        }
        state.effect = state.effect.then(Effect { lost, ..Effect::default() });
        state.held.retain(|_, held| !is_touched(&points_to.of_term(program, held.given)));
    }

    fn find_entries(&mut self) {
        self.entries.clear();
        let mut work = Vec::new();
        for &routine in &self.threads.kinds[MAIN].routines {
            self.entries.insert((MAIN, routine), Entry::FIRST);
            work.push((MAIN, routine));
        }
        while let Some((kind, proc)) = work.pop() {
            let Some(&entry) = self.entries.get(&(kind, proc)) else { continue };
            let mut entered = Vec::new();
            for (edge, data) in self.program.procs[proc].edges.iter() {
                let Some(state) = self.state(proc, data.source) else { continue };
                let is_inside = self.sections.inside(proc)[data.source] > 0;
                let known = entry.after(state.effect, is_inside);
                for_each_entered(self.points_to, proc, edge, &data.labels, &mut |callee, start| {
                    entered.push(match (start, self.threads.started_on(proc, edge)) {
                        // Nothing is held by a new thread, and what it starts is not started yet.
                        (true, Some(started)) => {
                            let first = Entry { joined: known.joined, ..Entry::FIRST };
                            (started, callee, first)
                        }
                        (_, _) => (kind, callee, known),
                    });
                });
            }
            for (kind, callee, known) in entered {
                let before = self.entries.get(&(kind, callee)).copied();
                let both = before.map_or(known, |before| before.or(known));
                if before != Some(both) {
                    self.entries.insert((kind, callee), both);
                    work.push((kind, callee));
                }
            }
        }
    }

    /// Whether more parameters of routines are known to get objects of their own: each start of the routine hands over a
    /// new object that nobody else has seen, and does not keep it.
    fn find_given(&mut self) -> bool {
        let program = self.program;
        let locals = Locals::of(program);
        let (mut given, mut kept): (EntitySet<Var>, EntitySet<Var>) = Default::default();
        for (proc, procedure) in program.procs.iter() {
            let mut live = None;
            for (edge, data) in procedure.edges.iter() {
                let mut entered = Vec::new();
                for_each_entered(self.points_to, proc, edge, &data.labels, &mut |callee, start| {
                    entered.push((callee, start));
                });
                for (callee, is_start) in entered {
                    let args: &[Term] = match data.labels.as_slice() {
                        [Label { op: Op::Start { args, .. }, .. }] if is_start => args,
                        _ => &[],
                    };
                    for (index, &param) in program.procs[callee].params.iter().enumerate() {
                        let live =
                            live.get_or_insert_with(|| liveness(program, &locals, proc, procedure));
                        let is_live = |var: Var| {
                            let number = locals.number(program, var);
                            number.is_none_or(|number| live.at(data.target).contains(number))
                        };
                        match args.get(index) {
                            Some(&arg) if self.gives_away(proc, data.source, arg, &is_live) => {
                                given.insert(param);
                            }
                            _ => {
                                kept.insert(param);
                            }
                        }
                    }
                }
            }
        }
        let mut has_changed = false;
        for param in given.iter().filter(|&param| !kept.contains(param)) {
            has_changed |= self.given.insert(param);
        }
        has_changed
    }

    /// Whether a term is a pointer to a new object that nobody else has seen, and no variable that is read afterwards
    /// leads to it.
    fn gives_away(
        &mut self,
        proc: Proc,
        at: Loc,
        arg: Term,
        is_live: &dyn Fn(Var) -> bool,
    ) -> bool {
        // Nobody comes to a location without state.
        let Some(state) = self.states[proc][at].clone() else { return true };
        let Some(resolved) = self.resolve(&state, arg) else { return false };
        let TermKind::Var(object) = self.terms.kind(resolved) else { return false };
        let leads_there = |term: Term| self.terms.vars_of(term).contains(&object);
        state.fresh.contains(&object)
            && !is_live(object)
            && !state.values.iter().any(|(&var, &term)| leads_there(term) && is_live(var))
            && !state.cells.values().any(|&term| leads_there(term))
    }

    /// Whether more is known now of what has ended with a thread.
    fn find_ended(&mut self) -> bool {
        let mut has_changed = false;
        for (number, kind) in self.threads.kinds.iter().enumerate() {
            if !kind.is_unique {
                continue;
            }
            let at_end = kind.routines.iter().map(|&routine| {
                let entry = self.entries.get(&(number, routine)).map_or(0, |it| it.joined);
                let within = self.summaries[routine].effect.map_or(0, |it| it.joined);
                if kind.exits { entry } else { entry | within }
            });
            let ended = at_end.reduce(|a, b| a & b).unwrap_or(0) | 1 << number;
            has_changed |= ended != self.ended_with[number];
            self.ended_with[number] = ended;
        }
        has_changed
    }
}

fn gain(state: &mut State, lock: Lock, held: Held) {
    match lock {
        Lock::Place(number) => {
            let (exclusive, shared) = match held.mode {
                Mode::Exclusive => (1 << number, 0),
                Mode::Shared => (0, 1 << number),
            };
            let gained = Effect { exclusive, shared, ..Effect::default() };
            state.effect = state.effect.then(gained);
        }
        Lock::Address(term) => {
            state.held.insert(term, held);
        }
    }
}
