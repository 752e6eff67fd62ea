//! Which threads have to move in a state, by what they are about to do and can still do.
//!
//! Both depend on the thread alone, so they are looked up by its number in the store.

use ravelin_cfa::{Edge, Loc};
use ravelin_por::{Dependence, Footprint, Futures, Tables, persistent_sets};
use rustc_hash::FxHashMap;

use crate::ahead::Next;
use crate::machine::{Machine, REACQUIRING, RUNNING, WAITING, WAITING_TIMED};
use crate::word::{object_of, offset_of};

/// What is known of a thread in some state of it.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The footprint of its next step.
    next: u32,
    /// The thread whose end it is about to wait for.
    joins: Option<u32>,
}

pub(crate) struct Reducer<'r> {
    tables: &'r Tables,
    /// By the number of a thread's part in the store.
    known: Vec<Option<Known>>,
    /// The footprint of all that a thread can still do while others hold a set of mutexes.
    futures: FxHashMap<(u32, u64), u32>,
    /// The tables for sets of mutexes.
    without: FxHashMap<u64, Futures>,
    footprints: Vec<Footprint>,
    numbers: FxHashMap<Footprint, u32>,
    /// Whether a next step conflicts with a future.
    conflicts: FxHashMap<(u32, u32), bool>,
    dependences: Vec<Dependence>,
}

impl<'r> Reducer<'r> {
    pub(crate) fn new(tables: &'r Tables) -> Self {
        Reducer {
            tables,
            known: Vec::new(),
            futures: FxHashMap::default(),
            without: FxHashMap::default(),
            footprints: Vec::new(),
            numbers: FxHashMap::default(),
            conflicts: FxHashMap::default(),
            dependences: Vec::new(),
        }
    }

    /// Sets of positions, each of which suffices if one of its threads can move; smallest first.
    pub(crate) fn sets(&mut self, machine: &mut Machine<'_, '_>, movers: u64) -> Vec<u64> {
        let count = machine.thread_count();
        self.dependences.clear();
        for position in 0..count {
            if movers >> position & 1 == 0 {
                self.dependences.push(Dependence::default());
                continue;
            }
            let here = self.known(machine, position);
            let held = self.held(machine, machine.head(position).0);
            let mut on = 0;
            for other in 0..count {
                if other == position || movers >> other & 1 == 0 {
                    continue;
                }
                let future = self.future(machine, other, held);
                let waits = here.joins.is_some_and(|tid| machine.head(other).0 == tid);
                if waits || self.conflict(here.next, future) {
                    on |= 1 << other;
                }
            }
            self.dependences.push(Dependence { on });
        }
        persistent_sets(movers, &self.dependences)
    }

    fn conflict(&mut self, next: u32, future: u32) -> bool {
        let footprints = &self.footprints;
        *self.conflicts.entry((next, future)).or_insert_with(|| {
            footprints[next as usize].conflicts_with(&footprints[future as usize])
        })
    }

    fn number(&mut self, footprint: Footprint) -> u32 {
        let next = self.footprints.len() as u32;
        let footprints = &mut self.footprints;
        *self.numbers.entry(footprint).or_insert_with_key(|footprint| {
            footprints.push(footprint.clone());
            next
        })
    }

    fn known(&mut self, machine: &mut Machine<'_, '_>, position: usize) -> Known {
        let id = machine.thread_id(position) as usize;
        if let Some(Some(known)) = self.known.get(id) {
            return *known;
        }
        let known = self.look(machine, position);
        if self.known.len() <= id {
            self.known.resize(id + 1, None);
        }
        self.known[id] = Some(known);
        known
    }

    fn look(&mut self, machine: &mut Machine<'_, '_>, position: usize) -> Known {
        let (next, joins) = match machine.next(position) {
            Next::Edge { proc, edge: Some(edge), joins } => {
                (self.tables.step(proc, Edge::from_u32(edge)).clone(), joins)
            }
            Next::Edge { proc, edge: None, joins } => (self.tables.leaving(proc).clone(), joins),
            Next::Private => (Footprint::default(), None),
            // It may be any step that is still to come.
            Next::Unknown => (self.tables.everything().clone(), None),
        };
        Known { next: self.number(next), joins }
    }

    /// The mutexes known by name that a thread holds.
    fn held(&self, machine: &Machine<'_, '_>, tid: u32) -> u64 {
        machine
            .sync
            .held_by(tid)
            .filter_map(|key| self.lock(machine, key))
            .fold(0, |set, lock| set | 1 << lock)
    }

    fn lock(&self, machine: &Machine<'_, '_>, key: u64) -> Option<usize> {
        let object = *machine.code.statics.get((object_of(key) as usize).checked_sub(1)?)?;
        self.tables.lock(object, i64::from(offset_of(key) as i32))
    }

    /// The footprint of what a thread can still do while others hold these mutexes.
    fn future(&mut self, machine: &mut Machine<'_, '_>, position: usize, held: u64) -> u32 {
        let id = machine.thread_id(position);
        if let Some(&future) = self.futures.get(&(id, held)) {
            return future;
        }
        let tables = self.tables;
        let program = machine.code.program;
        let futures = match held {
            0 => tables.futures(),
            _ => self.without.entry(held).or_insert_with(|| tables.futures_without(program, held)),
        };
        let is_held = |key: u64| {
            let object = (object_of(key) as usize).checked_sub(1);
            let object = object.and_then(|index| machine.code.statics.get(index));
            object
                .and_then(|&object| tables.lock(object, i64::from(offset_of(key) as i32)))
                .is_some_and(|lock| held >> lock & 1 == 1)
        };
        let mut future = Footprint::default();
        let (status, (a, b)) = (machine.head(position).1, machine.status_words(position));
        // What a thread is in the middle of, and whether it may get on.
        let stuck = match status {
            REACQUIRING if is_held(a) => true,
            WAITING | WAITING_TIMED => is_held(b),
            _ => false,
        };
        let places = machine.places(position);
        for (depth, &(proc, loc, edge)) in places.iter().enumerate() {
            let loc = Loc::from_u32(loc);
            if depth == 0 && status != RUNNING {
                if let Some(edge) = edge
                    && !(status == REACQUIRING && stuck)
                {
                    future.add(tables.step(proc, Edge::from_u32(edge)));
                }
                if stuck {
                    break;
                }
                // The edge it is on may be one that is not taken again.
                let target =
                    edge.map(|edge| program.procs[proc].edges[Edge::from_u32(edge)].target);
                let behind = target.unwrap_or(loc);
                future.add(futures.touched(proc, behind));
                if !futures.leaves(proc, behind) {
                    break;
                }
                continue;
            }
            future.add(futures.touched(proc, loc));
            if !futures.leaves(proc, loc) {
                break;
            }
        }
        let future = self.number(future);
        self.futures.insert((id, held), future);
        future
    }
}
