//! Which threads have to move in a state, by what they are about to do and can still do.
//!
//! Both depend on the thread alone, so they are looked up by its number in the store.

use ravelin_cfa::{Edge, Loc, Proc, Program};
use ravelin_por::{Dependence, Footprint, Futures, Tables, persistent_sets};
use rustc_hash::FxHashMap;

use crate::ahead::{Joins, Next};
use crate::machine::{Machine, REACQUIRING, RUNNING, WAITING, WAITING_TIMED};
use crate::word::{object_of, offset_of};

/// What is known of a thread in some state of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// The footprint of its next step.
    pub(crate) next: u32,
    /// The mutex known by name without which there is no such step, as a set.
    pub(crate) takes: u64,
    /// Whose end it is about to wait for.
    pub(crate) joins: Joins,
    /// Where it is.
    pub(crate) control: u32,
}

/// Where a thread is: what decides what it can still do, as far as that can be told without the values of
/// its variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Control {
    status: u64,
    /// The mutex known by name that it needs before it gets on.
    lock: Option<usize>,
    places: Vec<(Proc, u32, Option<u32>)>,
}

pub(crate) struct Reducer<'r> {
    tables: &'r Tables,
    /// By the number of a thread's part in the store.
    known: Vec<Option<Known>>,
    controls: Vec<Control>,
    control_numbers: FxHashMap<Control, u32>,
    /// The footprint of all that a thread can still do from somewhere, while others hold a set of mutexes.
    futures: FxHashMap<(u32, u64), u32>,
    /// The tables for sets of mutexes.
    without: FxHashMap<u64, Futures>,
    footprints: Vec<Footprint>,
    numbers: FxHashMap<Footprint, u32>,
    unions: FxHashMap<(u32, u32), u32>,
    /// Whether a next step conflicts with something.
    conflicts: FxHashMap<(u32, u32), bool>,
    dependences: Vec<Dependence>,
}

impl<'r> Reducer<'r> {
    pub(crate) fn new(tables: &'r Tables) -> Self {
        Reducer {
            tables,
            known: Vec::new(),
            controls: Vec::new(),
            control_numbers: FxHashMap::default(),
            futures: FxHashMap::default(),
            without: FxHashMap::default(),
            footprints: Vec::new(),
            numbers: FxHashMap::default(),
            unions: FxHashMap::default(),
            conflicts: FxHashMap::default(),
            dependences: Vec::new(),
        }
    }

    /// Persistent sets of threads: to move one of them is enough if one in it can move; smallest first. The threads
    /// that may move are those at `candidates`, at most 64, and a set has their indices there.
    pub(crate) fn persistent_sets(
        &mut self,
        machine: &mut Machine<'_, '_>,
        candidates: &[usize],
    ) -> Vec<u64> {
        self.dependences.clear();
        for &position in candidates {
            let here = self.known(machine, position);
            let held = self.held(machine, machine.head(position).0);
            let mut on = 0;
            for (index, &other) in candidates.iter().enumerate() {
                if other == position {
                    continue;
                }
                let control = self.known(machine, other).control;
                let future = self.future(machine.code.program, control, held);
                let waits = match here.joins {
                    Joins::Nobody => false,
                    Joins::One(tid) => machine.head(other).0 == tid,
                    Joins::Somebody => true,
                };
                if waits || self.conflict(here.next, future) {
                    on |= 1 << index;
                }
            }
            self.dependences.push(Dependence { on });
        }
        let all = u64::MAX >> (64 - candidates.len().clamp(1, 64));
        persistent_sets(all, &self.dependences)
    }

    /// Whether two footprints conflict.
    pub(crate) fn conflict(&mut self, next: u32, future: u32) -> bool {
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

    /// The footprint of what either touches.
    pub(crate) fn union(&mut self, a: u32, b: u32) -> u32 {
        if a == b {
            return a;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&union) = self.unions.get(&key) {
            return union;
        }
        let mut both = self.footprints[a as usize].clone();
        both.add(&self.footprints[b as usize]);
        let union = self.number(both);
        self.unions.insert(key, union);
        union
    }

    /// What is known of the thread at a position of the working state.
    pub(crate) fn known(&mut self, machine: &mut Machine<'_, '_>, position: usize) -> Known {
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
        let (status, (a, b)) = (machine.head(position).1, machine.status_words(position));
        let lock = match status {
            REACQUIRING => self.lock(machine, a),
            WAITING | WAITING_TIMED => self.lock(machine, b),
            _ => None,
        };
        let control = Control { status, lock, places: machine.places(position) };
        let count = self.controls.len() as u32;
        let controls = &mut self.controls;
        let control = *self.control_numbers.entry(control).or_insert_with_key(|control| {
            controls.push(control.clone());
            count
        });
        let tables = self.tables;
        let mut takes = None;
        let (next, joins) = match machine.next(position) {
            Next::Edge { proc, edge: Some(edge), joins } => {
                let edge = Edge::from_u32(edge);
                takes = match status {
                    RUNNING => tables.locked_along(proc, edge),
                    REACQUIRING => lock,
                    _ => None,
                };
                (self.number(tables.step(proc, edge).clone()), joins)
            }
            Next::Edge { proc, edge: None, joins } => {
                (self.number(tables.leaving(proc).clone()), joins)
            }
            Next::Private => (self.number(Footprint::default()), Joins::Nobody),
            // It may be any step that is still to come. One that begins with steps of its own and then has
            // to wait for the end of a thread stops before that.
            Next::Unknown => (self.future(machine.code.program, control, 0), Joins::Nobody),
        };
        Known { next, takes: takes.map_or(0, |lock| 1 << lock), joins, control }
    }

    /// The mutexes known by name that a thread holds.
    pub(crate) fn held(&self, machine: &Machine<'_, '_>, tid: u32) -> u64 {
        machine
            .sync
            .held_by(tid)
            .filter_map(|key| self.lock(machine, key))
            .fold(0, |set, lock| set | 1 << lock)
    }

    fn lock(&self, machine: &Machine<'_, '_>, key: u64) -> Option<usize> {
        let object = *machine.code.slots.statics.get((object_of(key) as usize).checked_sub(1)?)?;
        self.tables.lock(object, i64::from(offset_of(key) as i32))
    }

    /// The footprint of what a thread can still do from somewhere while others hold these mutexes.
    pub(crate) fn future(&mut self, program: &Program, control: u32, held: u64) -> u32 {
        if let Some(&future) = self.futures.get(&(control, held)) {
            return future;
        }
        let tables = self.tables;
        let futures = match held {
            0 => tables.futures(),
            _ => self.without.entry(held).or_insert_with(|| tables.futures_without(program, held)),
        };
        let mut future = Footprint::default();
        // What a thread is in the middle of, and whether it may get on.
        let Control { status, lock, ref places } = self.controls[control as usize];
        let stuck = lock.is_some_and(|lock| held >> lock & 1 == 1);
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
        self.futures.insert((control, held), future);
        future
    }
}
