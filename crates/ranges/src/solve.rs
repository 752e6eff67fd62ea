//! The fixpoint: states at all locations of all procedures.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound::{Excluded, Unbounded};

use ravelin_base::{Budget, Exhausted, SecondaryMap};
use ravelin_cfa::{Edge, Loc, Proc, Program};
use ravelin_pointsto::{Position, Target};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::eval::{Env, Known};
use crate::map::Map;
use crate::model::Model;
use crate::num::Num;
use crate::order::Order;
use crate::state::{Key, Mode, State, Value, absorb};
use crate::transfer::{Effects, Exit};

/// A loop head changes this often before its bounds widen, and widens to thresholds this often.
const JOINS: u32 = 2;
const WIDENINGS: u32 = 12;

/// Quantities that change in a loop are related as often as its head changes at first.
const RELATED_ROUNDS: u32 = 3;

/// The entry and the exit of a procedure change this often before they widen: with and without recursion.
const RECURSIVE_JOINS: u32 = 3;
const CALL_JOINS: u32 = 60;

/// What is known of a procedure.
#[derive(Debug, Default)]
pub(crate) struct Solved {
    order: Order,
    incoming: SecondaryMap<Loc, SmallVec<[Edge; 2]>>,
    pub(crate) states: SecondaryMap<Loc, Option<State>>,
    entry: Option<State>,
    changes: SecondaryMap<Loc, u32>,
    entry_changes: u32,
    exit_changes: u32,
    /// The locations before calls of the procedure.
    callers: BTreeSet<(Proc, Loc)>,
    /// Whether threads start here, or the program.
    is_root: bool,
}

pub(crate) struct Solver<'a> {
    pub(crate) program: &'a Program,
    pub(crate) model: &'a Model,
    pub(crate) known: Known,
    pub(crate) procs: BTreeMap<Proc, Solved>,
    pub(crate) exits: SecondaryMap<Proc, Option<Exit>>,
    initial: State,
    /// By rank of the procedure and number of the location: callees first.
    work: BTreeSet<(u32, u32, Proc, Loc)>,
}

/// The effects of an edge, kept until the edge is done.
struct Kept<'e> {
    exits: &'e SecondaryMap<Proc, Option<Exit>>,
    entered: Vec<(Proc, State)>,
    /// The calls that wait for an exit or depend on it.
    called: Vec<Proc>,
    started: Vec<(Proc, Map<Value>)>,
    left: Vec<(Proc, Exit)>,
    shared: Vec<(Key, Option<Value>)>,
    allocated: Vec<(Target, Num)>,
}

impl<'e> Kept<'e> {
    fn new(exits: &'e SecondaryMap<Proc, Option<Exit>>) -> Self {
        Kept {
            exits,
            entered: Vec::new(),
            called: Vec::new(),
            started: Vec::new(),
            left: Vec::new(),
            shared: Vec::new(),
            allocated: Vec::new(),
        }
    }
}

impl Effects for Kept<'_> {
    fn exit(&self, proc: Proc) -> Option<&Exit> {
        self.exits[proc].as_ref()
    }

    fn enter(&mut self, callee: Proc, entry: State) {
        self.called.push(callee);
        self.entered.push((callee, entry));
    }

    fn start(&mut self, routine: Proc, params: Map<Value>) {
        self.started.push((routine, params));
    }

    fn leave(&mut self, proc: Proc, exit: Exit) {
        self.left.push((proc, exit));
    }

    fn write_shared(&mut self, key: Key, value: Option<Value>) {
        self.shared.push((key, value));
    }

    fn allocate(&mut self, target: Target, size: Num) {
        self.allocated.push((target, size));
    }
}

/// The effects of a whole round.
#[derive(Default)]
struct Round {
    entries: BTreeMap<Proc, State>,
    exits: BTreeMap<Proc, Exit>,
    shared: FxHashMap<Key, Option<Value>>,
    sizes: SecondaryMap<Target, Option<Num>>,
}

impl Round {
    fn write(&mut self, key: Key, value: Option<Value>) {
        let entry = self.shared.entry(key).or_insert(value);
        *entry = entry.zip(value).and_then(|(old, new)| old.join(&new));
    }

    fn known(self) -> Known {
        let shared = self.shared.into_iter().filter_map(|(key, value)| Some((key, value?)));
        Known { shared: shared.collect(), sizes: self.sizes }
    }
}

impl<'a> Solver<'a> {
    pub(crate) fn new(program: &'a Program, model: &'a Model, known: Known) -> Self {
        let exits = SecondaryMap::with_capacity(program.procs.len());
        let mut kept = Kept::new(&exits);
        let initial = Env::new(program, model, &known).initial(&mut kept);
        let (procs, work) = Default::default();
        Solver { program, model, known, procs, exits, initial, work }
    }

    fn solved(&mut self, proc: Proc) -> &mut Solved {
        let procedure = &self.program.procs[proc];
        self.procs.entry(proc).or_insert_with(|| Solved {
            order: Order::of(procedure),
            incoming: procedure.incoming(),
            ..Solved::default()
        })
    }

    /// Computes states that hold for all executions.
    pub(crate) fn ascend(&mut self, budget: &mut Budget) -> Result<(), Exhausted> {
        let roots: Vec<Proc> = match self.program.entry {
            Some(entry) => vec![entry],
            None => self.program.procs.keys().collect(),
        };
        for root in roots {
            let initial = self.initial.clone();
            self.solved(root).is_root = true;
            self.enter(root, initial);
        }
        while let Some((proc, loc)) = self.next() {
            budget.tick()?;
            self.visit(proc, loc);
        }
        Ok(())
    }

    /// Takes the next location. The head of a loop waits for what is left inside of the loop, so that all ways through the
    /// loop are taken before its head widens.
    fn next(&mut self) -> Option<(Proc, Loc)> {
        let mut item = *self.work.first()?;
        loop {
            let (rank, _, proc, loc) = item;
            let end = self.procs.get(&proc).and_then(|solved| solved.order.end_of_loop(loc));
            let following = self.work.range((Excluded(item), Unbounded)).next();
            match (following, end) {
                (Some(&inner), Some(end)) if inner.0 == rank && inner.1 < end => item = inner,
                _ => break,
            }
        }
        self.work.remove(&item);
        Some((item.2, item.3))
    }

    fn push(&mut self, proc: Proc, loc: Loc) {
        let rank = self.model.calls.rank[proc];
        let number = self.solved(proc).order.number[loc];
        self.work.insert((rank, number, proc, loc));
    }

    /// Calls of a procedure begin with this state.
    fn enter(&mut self, proc: Proc, state: State) {
        let (program, model) = (self.program, self.model);
        let recursive = model.calls.is_recursive(proc);
        let solved = self.solved(proc);
        let changed = match &mut solved.entry {
            None => {
                solved.entry = Some(state.clone());
                true
            }
            Some(old) => {
                let joins = if recursive { RECURSIVE_JOINS } else { CALL_JOINS };
                let mode = match solved.entry_changes < joins {
                    true => Mode::Join,
                    false => Mode::Widen(&[]),
                };
                let known = Known::default();
                let env = Env::new(program, model, &known);
                let related = env.absorb_relations(old, &state, mode);
                let local = absorb(&mut old.local, &state.local, mode);
                absorb(&mut old.global, &state.global, mode) | local | related
            }
        };
        if changed {
            solved.entry_changes += 1;
            let entry = program.procs[proc].entry;
            let state = solved.entry.clone().unwrap_or_default();
            self.arrive(proc, entry, state);
        }
    }

    fn visit(&mut self, proc: Proc, loc: Loc) {
        let program = self.program;
        let Some(state) = self.solved(proc).states[loc].clone() else { return };
        for &edge in &program.procs[proc].locs[loc].out {
            let mut kept = Kept::new(&self.exits);
            let after = self.after(state.clone(), proc, edge, &mut kept);
            let Kept { entered, called, started, left, .. } = kept;
            for callee in called {
                self.solved(callee).callers.insert((proc, loc));
            }
            for (callee, entry) in entered {
                self.enter(callee, entry);
            }
            for (routine, params) in started {
                self.solved(routine).is_root = true;
                let entry = State { local: params, ..self.initial.clone() };
                self.enter(routine, entry);
            }
            for (proc, exit) in left {
                self.left(proc, exit);
            }
            if let Some(after) = after {
                self.arrive(proc, program.procs[proc].edges[edge].target, after);
            }
        }
    }

    /// The state behind an edge, which also reports a procedure that ends without a return.
    fn after(
        &self,
        state: State,
        proc: Proc,
        edge: Edge,
        effects: &mut dyn Effects,
    ) -> Option<State> {
        let env = Env::new(self.program, self.model, &self.known);
        let data = &self.program.procs[proc].edges[edge];
        let position = Position { proc, edge, label: 0 };
        let after = env.edge(state, position, &data.labels, None, effects)?;
        if data.target == self.program.procs[proc].exit {
            env.leave(after.clone(), proc, None, None, effects);
        }
        Some(after)
    }

    fn left(&mut self, proc: Proc, exit: Exit) {
        let recursive = self.model.calls.is_recursive(proc);
        let changes = self.solved(proc).exit_changes;
        let changed = match &mut self.exits[proc] {
            Some(old) => {
                let joins = if recursive { RECURSIVE_JOINS } else { CALL_JOINS };
                let mode = if changes < joins { Mode::Join } else { Mode::Widen(&[]) };
                old.absorb(&exit, mode)
            }
            none @ None => {
                *none = Some(exit);
                true
            }
        };
        if changed {
            let solved = self.solved(proc);
            solved.exit_changes += 1;
            let callers = solved.callers.clone();
            callers.into_iter().for_each(|(proc, loc)| self.push(proc, loc));
        }
    }

    /// Executions arrive at a location with this state.
    fn arrive(&mut self, proc: Proc, loc: Loc, state: State) {
        let (program, model) = (self.program, self.model);
        let solved = self.solved(proc);
        let is_head = solved.order.heads.contains(loc);
        let is_entry = loc == program.procs[proc].entry;
        let is_joined = is_head || (solved.incoming[loc].len() + usize::from(is_entry) > 1);
        let Some(old) = &mut solved.states[loc] else {
            solved.states[loc] = Some(state);
            return self.push(proc, loc);
        };
        let changed = if is_joined {
            let changes = &mut solved.changes[loc];
            let mode = match *changes {
                _ if !is_head => Mode::Join,
                changes if changes < JOINS => Mode::Join,
                changes if changes < WIDENINGS => Mode::Widen(&model.thresholds[proc]),
                _ => Mode::Widen(&[]),
            };
            let known = Known::default();
            let env = Env::new(program, model, &known);
            if is_head && *changes < RELATED_ROUNDS {
                env.relate_counters(old, &state);
            }
            let related = env.absorb_relations(old, &state, mode);
            let local = absorb(&mut old.local, &state.local, mode);
            let changed = absorb(&mut old.global, &state.global, mode) | local | related;
            *changes += u32::from(changed);
            changed
        } else if old.is_same(&state) || *old == state {
            false
        } else {
            *old = state;
            true
        };
        if changed {
            self.push(proc, loc);
        }
    }

    /// Computes every state once more from its predecessors, callers first, which never loses an execution and
    /// recovers much of what widening gave away. Takes along what this shows of shared quantities and sizes.
    pub(crate) fn descend(&mut self, budget: &mut Budget) -> Result<Known, Exhausted> {
        let mut round = Round::default();
        let program = self.program;
        let mut procs: Vec<Proc> = self.procs.keys().copied().collect();
        procs.sort_unstable_by_key(|&proc| std::cmp::Reverse(self.model.calls.rank[proc]));
        let mut kept = Kept::new(&self.exits);
        let initial = Env::new(program, self.model, &self.known).initial(&mut kept);
        kept.shared.into_iter().for_each(|(key, value)| round.write(key, value));
        self.initial = initial;
        for proc in procs {
            let Some(mut solved) = self.procs.remove(&proc) else { continue };
            if !solved.is_root && !self.model.calls.is_recursive(proc) {
                solved.entry = round.entries.remove(&proc);
            }
            let result = self.descend_in(proc, &mut solved, &mut round, budget);
            self.procs.insert(proc, solved);
            result?;
        }
        for (proc, exit) in self.exits.iter_mut() {
            *exit = round.exits.remove(&proc);
        }
        Ok(round.known())
    }

    fn descend_in(
        &self,
        proc: Proc,
        solved: &mut Solved,
        round: &mut Round,
        budget: &mut Budget,
    ) -> Result<(), Exhausted> {
        let procedure = &self.program.procs[proc];
        let known = Known::default();
        let env = Env::new(self.program, self.model, &known);
        for &loc in &solved.order.locs {
            let mut joined = solved.entry.clone().filter(|_| loc == procedure.entry);
            for &edge in &solved.incoming[loc] {
                budget.tick()?;
                let data = &procedure.edges[edge];
                let Some(state) = solved.states[data.source].clone() else { continue };
                let mut kept = Kept::new(&self.exits);
                let after = self.after(state, proc, edge, &mut kept);
                self.take(kept, round);
                joined = match (joined, after) {
                    (Some(a), Some(b)) => Some(env.join(a, &b)),
                    (a, b) => a.or(b),
                };
            }
            solved.states[loc] = joined;
        }
        Ok(())
    }

    fn take(&self, kept: Kept<'_>, round: &mut Round) {
        let known = Known::default();
        let env = Env::new(self.program, self.model, &known);
        for (callee, entry) in kept.entered {
            let joined = match round.entries.remove(&callee) {
                Some(before) => env.join(before, &entry),
                None => entry,
            };
            round.entries.insert(callee, joined);
        }
        for (proc, exit) in kept.left {
            match round.exits.get_mut(&proc) {
                Some(before) => {
                    before.absorb(&exit, Mode::Join);
                }
                None => {
                    round.exits.insert(proc, exit);
                }
            }
        }
        kept.shared.into_iter().for_each(|(key, value)| round.write(key, value));
        for (target, size) in kept.allocated {
            let joined = round.sizes[target].map_or(size, |before| before.join(&size));
            round.sizes[target] = Some(joined);
        }
    }
}
