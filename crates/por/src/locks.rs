//! Which mutexes a thread holds wherever it stands: locksets, as must-information.
//!
//! Two steps whose locksets share a mutex never happen at the same time. A mutex is known by name if it is at one place
//! of a global, and counts only while it is used as one: nobody unlocks it who does not hold it, initialises it, or
//! writes over it, once there are several threads. Locks that may fail to be taken (`trylock`) are not counted.

use ravelin_base::SecondaryMap;
use ravelin_cfa::access::{Access, for_each_access};
use ravelin_cfa::sync::SYNC_BYTES;
use ravelin_cfa::{Callee, Edge, Label, Loc, ObjectKind, Op, Proc, Program, SyncOp};
use ravelin_pointsto::{ObjectName, PointsTo, TargetSet};
use ravelin_term::Term;

use crate::coarse::{accessed_bytes, may_overlap};
use crate::parallel::called;

/// Mutexes by their numbers.
pub type Lockset = u64;

/// So many mutexes are told apart; further ones are not counted.
const MAX_LOCKS: usize = 64;

/// What a piece of code does to the set of mutexes that its thread holds, on all ways through it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Effect {
    /// Held afterwards, whatever was before.
    gained: Lockset,
    /// Perhaps not held any more.
    lost: Lockset,
}

impl Effect {
    /// First this, then the other.
    fn then(self, next: Effect) -> Effect {
        Effect {
            gained: (self.gained & !next.lost) | next.gained,
            lost: (self.lost & !next.gained) | next.lost,
        }
    }

    /// One of the two.
    fn or(self, other: Effect) -> Effect {
        Effect { gained: self.gained & other.gained, lost: self.lost | other.lost }
    }

    fn apply(self, held: Lockset) -> Lockset {
        (held & !self.lost) | self.gained
    }
}

/// Where each thread holds which mutexes.
#[derive(Debug)]
pub(crate) struct Locksets<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    /// The mutexes that are known by name: each is one place.
    locks: Vec<TargetSet>,
    /// What procedures do from their entry to each location; none for locations that nobody comes to.
    effects: SecondaryMap<Proc, SecondaryMap<Loc, Option<Effect>>>,
    /// What is held at the entry of a procedure, at least.
    entries: SecondaryMap<Proc, Option<Lockset>>,
    /// The mutexes that are used as such.
    trusted: Lockset,
}

impl<'a> Locksets<'a> {
    /// `concurrent` are the edges that may be taken while there are several threads.
    pub fn new(
        program: &'a Program,
        points_to: &'a PointsTo,
        concurrent: &[(Proc, Edge)],
    ) -> Locksets<'a> {
        let mut found = Locksets {
            program,
            points_to,
            locks: Vec::new(),
            effects: SecondaryMap::new(),
            entries: SecondaryMap::new(),
            trusted: 0,
        };
        found.find_locks();
        if !found.locks.is_empty() {
            found.find_effects();
            found.find_entries();
            found.find_trusted(concurrent);
        }
        found
    }

    /// Calls `visit` on the labels of an edge, those in choices too, with the mutexes that are held there. Nothing is
    /// said of labels that nobody comes to.
    pub fn for_each_label(&self, proc: Proc, edge: Edge, visit: &mut dyn FnMut(&Label, Lockset)) {
        if self.locks.is_empty() {
            let labels = &self.program.procs[proc].edges[edge].labels;
            labels.iter().for_each(|label| label.walk(&mut |label| visit(label, 0)));
            return;
        }
        self.follow(proc, edge, &mut |label, held| {
            label.walk(&mut |label| visit(label, held & self.trusted));
        });
    }

    /// What is held wherever a thread comes to a location; none if nobody does.
    pub fn held_at(&self, proc: Proc, loc: Loc) -> Option<Lockset> {
        let (effect, entry) = self.effects[proc][loc].zip(self.entries[proc])?;
        Some(effect.apply(entry) & self.trusted)
    }

    /// What is held behind a label; none if no thread gets there.
    pub fn held_behind(&self, label: &Label, held: Lockset) -> Option<Lockset> {
        Some(self.effect_of(label)?.apply(held) & self.trusted)
    }

    /// The mutexes that a label releases, perhaps, if it does so itself: for good, or to wait.
    pub fn released(&self, label: &Label) -> Lockset {
        self.mutex_to_release(label).map_or(0, |mutex| self.touched_at(mutex, Some(SYNC_BYTES)))
    }

    fn mutex_to_release(&self, label: &Label) -> Option<Term> {
        match &label.op {
            Op::Sync { op: SyncOp::MutexUnlock, args, .. } => Some(args[0]),
            Op::Sync { op: SyncOp::CondWait | SyncOp::CondTimedWait, args, .. } => Some(args[1]),
            _ => None,
        }
    }

    /// Calls `visit` on the labels of an edge with what is held on the way: within a choice, what is lost on any of its
    /// ways counts as lost on all.
    fn follow(&self, proc: Proc, edge: Edge, visit: &mut dyn FnMut(&Label, Lockset)) {
        let data = &self.program.procs[proc].edges[edge];
        let Some((effect, entry)) = self.effects[proc][data.source].zip(self.entries[proc]) else {
            return;
        };
        let mut held = effect.apply(entry);
        for label in &data.labels {
            let after = self.effect_of(label).map(|effect| effect.apply(held));
            let is_choice = matches!(label.op, Op::Choice(_));
            visit(label, if is_choice { held & after.unwrap_or(0) } else { held });
            let Some(after) = after else { return };
            held = after;
        }
    }

    /// The mutex that a term is the address of, if that is sure.
    fn lock_at(&self, pointer: Term) -> Option<TargetSet> {
        let set = self.points_to.of_term(self.program, pointer);
        let &[(target, offset)] = set.places() else { return None };
        let ObjectName::Object(object) = self.points_to.name(target) else { return None };
        // Of a global there is one instance.
        let is_global = self.program.objects[object].kind == ObjectKind::Global;
        let is_sure = is_global && set.flags().is_empty() && offset.as_exact().is_some();
        is_sure.then_some(set)
    }

    fn find_locks(&mut self) {
        let mut locks = Vec::new();
        self.program.for_each_label(|_, label| {
            if let Op::Sync { op: SyncOp::MutexLock, args, .. } = &label.op
                && let Some(lock) = self.lock_at(args[0])
                && !locks.contains(&lock)
                && locks.len() < MAX_LOCKS
            {
                locks.push(lock);
            }
        });
        self.locks = locks;
    }

    /// The mutexes that an access of so many bytes may touch, or of any number.
    fn touched_at(&self, pointer: Term, bytes: Option<u64>) -> Lockset {
        let set = self.points_to.of_term(self.program, pointer);
        let is_touched =
            |lock| may_overlap(self.points_to, (&set, bytes), (lock, Some(SYNC_BYTES)));
        numbers(self.locks.iter().map(is_touched))
    }

    /// What a label does; none if no thread gets past it.
    fn effect_of(&self, label: &Label) -> Option<Effect> {
        match &label.op {
            Op::Sync { op: SyncOp::MutexLock, args, .. } => {
                let lock = self.lock_at(args[0]);
                let gained = numbers(self.locks.iter().map(|other| Some(other) == lock.as_ref()));
                Some(Effect { gained, lost: 0 })
            }
            Op::Sync { op: SyncOp::MutexUnlock, args, .. } => {
                Some(Effect { gained: 0, lost: self.touched_at(args[0], Some(SYNC_BYTES)) })
            }
            Op::Choice(branches) => branches
                .iter()
                .filter_map(|labels| {
                    labels.iter().try_fold(Effect::default(), |effect, label| {
                        Some(effect.then(self.effect_of(label)?))
                    })
                })
                .reduce(Effect::or),
            Op::Call { callee, .. } => {
                // What a pointer leads to may be elsewhere.
                let elsewhere = matches!(callee, Callee::Pointer(_)).then(Effect::default);
                called(self.program, callee)
                    .filter_map(|callee| self.effects[callee][self.program.procs[callee].exit])
                    .chain(elsewhere)
                    .reduce(Effect::or)
            }
            _ => Some(Effect::default()),
        }
    }

    /// The greatest solution: nothing is reached before a way leads there.
    fn find_effects(&mut self) {
        loop {
            let mut has_changed = false;
            for (proc, procedure) in self.program.procs.iter() {
                let mut effects = SecondaryMap::new();
                effects[procedure.entry] = Some(Effect::default());
                let mut work = vec![procedure.entry];
                while let Some(loc) = work.pop() {
                    for &edge in &procedure.locs[loc].out {
                        let data = &procedure.edges[edge];
                        let after =
                            data.labels.iter().try_fold(
                                effects[loc].unwrap_or_default(),
                                |effect: Effect, label| Some(effect.then(self.effect_of(label)?)),
                            );
                        let known: Option<Effect> = effects[data.target];
                        let both = match (known, after) {
                            (Some(known), Some(after)) => Some(known.or(after)),
                            (known, after) => known.or(after),
                        };
                        if both != known {
                            effects[data.target] = both;
                            work.push(data.target);
                        }
                    }
                }
                if procedure.locs.keys().any(|loc| effects[loc] != self.effects[proc][loc]) {
                    self.effects[proc] = effects;
                    has_changed = true;
                }
            }
            if !has_changed {
                return;
            }
        }
    }

    fn find_entries(&mut self) {
        let program = self.program;
        let mut work: Vec<Proc> = Vec::new();
        // A procedure that nobody is seen to enter holds nothing when somebody does.
        let mut entered: SecondaryMap<Proc, bool> = SecondaryMap::new();
        program.for_each_label(|_, label| {
            if let Op::Call { callee, .. } = &label.op {
                called(program, callee).for_each(|callee| entered[callee] = true);
            }
        });
        program.for_each_label(|_, label| {
            if let Op::Start { routine, .. } = &label.op {
                called(program, routine).for_each(|callee| entered[callee] = false);
            }
        });
        for proc in program.procs.keys() {
            if !entered[proc] || program.entry == Some(proc) {
                self.entries[proc] = Some(0);
                work.push(proc);
            }
        }
        while let Some(proc) = work.pop() {
            for edge in program.procs[proc].edges.keys() {
                let mut calls = Vec::new();
                self.follow(proc, edge, &mut |label, held| calls.push((label.clone(), held)));
                for (label, held) in calls {
                    self.enter(&label, held, &mut work);
                }
            }
        }
    }

    /// Notes that procedures are called with these mutexes held.
    fn enter(&mut self, label: &Label, held: Lockset, work: &mut Vec<Proc>) {
        let program = self.program;
        label.walk(&mut |label| {
            let Op::Call { callee, .. } = &label.op else { return };
            for callee in called(program, callee) {
                let known = self.entries[callee];
                let both = known.map_or(held, |known| known & held);
                if known != Some(both) {
                    self.entries[callee] = Some(both);
                    work.push(callee);
                }
            }
        });
    }

    fn find_trusted(&mut self, concurrent: &[(Proc, Edge)]) {
        self.trusted = numbers(self.locks.iter().map(|_| true));
        let mut misused: Lockset = 0;
        for (proc, procedure) in self.program.procs.iter() {
            for edge in procedure.edges.keys() {
                self.for_each_label(proc, edge, &mut |label, held| {
                    misused |= self.released(label) & !held;
                    // A mutex that is set anew while there is one thread must be free.
                    misused |= self.overwritten(label) & held;
                });
            }
        }
        for &(proc, edge) in concurrent {
            for label in &self.program.procs[proc].edges[edge].labels {
                label.walk(&mut |label| misused |= self.overwritten(label));
            }
        }
        self.trusted &= !misused;
    }

    /// The mutexes that a label may set otherwise than by locking and unlocking.
    fn overwritten(&self, label: &Label) -> Lockset {
        let mut touched = 0;
        for_each_access(&label.op, &mut |access| {
            touched |= match access {
                Access::WriteMemory(pointer) => {
                    self.touched_at(pointer, accessed_bytes(self.program, &label.op))
                }
                Access::FreeMemory(pointer) => self.touched_at(pointer, None),
                // It only reads.
                Access::ReachMemory(_) if matches!(label.op, Op::Print { .. }) => 0,
                Access::ReachMemory(_) => Lockset::MAX,
                Access::Sync(SyncOp::MutexLock | SyncOp::MutexUnlock, _) => 0,
                // Both need that nobody holds it.
                Access::Sync(SyncOp::MutexTryLock | SyncOp::MutexTimedLock, _) => 0,
                // To destroy a mutex that is held is undefined, and so is what follows.
                Access::Sync(SyncOp::MutexDestroy, _) => 0,
                Access::Sync(SyncOp::CondWait | SyncOp::CondTimedWait, _) => 0,
                Access::Sync(_, pointer) => self.touched_at(pointer, Some(SYNC_BYTES)),
                Access::Evaluate(_)
                | Access::Assign(_)
                | Access::ReadMemory(_)
                | Access::Lifetime(_)
                | Access::Join(_)
                | Access::Start
                | Access::Atomic
                | Access::Enter(_) => 0,
            };
        });
        touched
    }
}

/// The numbers of those that are true.
fn numbers(is_in: impl Iterator<Item = bool>) -> Lockset {
    is_in.enumerate().fold(0, |set, (number, is_in)| set | (Lockset::from(is_in) << number))
}
