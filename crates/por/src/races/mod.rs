//! Which accesses of different threads may race: two of them to a common byte, one of which writes, not both atomic, that
//! two threads may be about to do at the same time.
//!
//! With sequentially consistent executions, a program has a race in the sense of C11 (5.1.2.4p25) if and only if some
//! execution comes to a state in which two threads are about to make conflicting accesses (Boehm and Adve, PLDI 2008). So
//! what cannot be about to happen at the same time cannot race. [`Races::of`] leaves out the pairs
//!
//! - that touch nothing in common, by points-to sets, or objects that no other thread has seen yet (`state`);
//! - of threads that do not run at the same time: before a thread is started and after it was joined (`threads`);
//! - whose threads hold a common lock, a lock at the same distance from what they access, or an atomic section (`flow`).
//!
//! What is left are candidates: engines decide them.
//!
//! Unlocking what the thread has not locked, and initialising or destroying what is in use, is undefined (POSIX), and ends
//! an execution: it is not taken for a way past a lock.

mod access;
mod flow;
mod inside;
mod locking;
mod state;
mod threads;
mod variables;

use ravelin_base::EntityRef;
use ravelin_cfa::access::{Access, for_each_access};
use ravelin_cfa::sync::SYNC_BYTES;
use ravelin_cfa::{ObjectKind, Op, Program};
use ravelin_pointsto::{ObjectName, PointsTo, Target, TargetSet};
use ravelin_term::{BinOp, Term, TermKind, TermPool, UnOp, Var};
use rustc_hash::{FxHashMap, FxHashSet};

pub use access::{Length, SharedAccess, Touched, for_each_touched};

use crate::coarse::{accessed_bytes, may_overlap};
use crate::parallel::while_others_run;
use access::shared_set;
use flow::Flow;
use inside::MayBeInside;
use state::{Entry, Held, Locks, Mode, State};

/// The accesses that may race.
#[derive(Debug, Default)]
pub struct Races {
    pub accesses: Vec<SharedAccess>,
    /// Pairs of them, by their numbers; the first is not greater than the second.
    pub candidates: Vec<(usize, usize)>,
    /// How many pairs touch something in common and are not both reads or both atomic.
    pub conflicts: usize,
}

/// What a thread knows at an access.
struct Known {
    /// By kind of thread.
    entries: Vec<(usize, Entry)>,
    /// Locks by their addresses, in relation to the address of the access.
    relative: Vec<(Relation, Mode)>,
    is_fresh: bool,
}

/// A lock as a function of the accessed address: both as terms over one unknown, which has a fixed name. Where two
/// accesses have the same relation and touch the same address, the unknown is the same, and so is the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Relation {
    access: Term,
    lock: Term,
}

impl Races {
    /// It wants one label per edge, and each outside of atomic sections touching at most one shared location.
    pub fn of(program: &Program, points_to: &PointsTo) -> Races {
        if !program.is_concurrent() {
            return Races::default();
        }
        let flow = Flow::of(program, points_to);
        let mut search = Search {
            flow,
            accesses: Vec::new(),
            known: Vec::new(),
            overwritten: Vec::new(),
            trusted: Locks::MAX,
        };
        search.find_overwritten();
        search.find_accesses();
        search.pairs()
    }

    /// Whether two accesses that touch a common byte surely begin at the same one and are equally long.
    pub fn begin_together(&self, points_to: &PointsTo, a: usize, b: usize) -> bool {
        let (a, b) = (&self.accesses[a], &self.accesses[b]);
        let is_part = |access: &SharedAccess| matches!(access.touched, Touched::Bytes { .. });
        let lengths = a.bytes.zip(b.bytes).filter(|(a, b)| a == b);
        is_part(a)
            && is_part(b)
            && lengths
                .is_some_and(|(bytes, _)| points_to.meet_at_start(&a.set, bytes, &b.set, bytes))
    }
}

struct Search<'a> {
    flow: Flow<'a>,
    accesses: Vec<SharedAccess>,
    known: Vec<Known>,
    /// What plain writes change while there are several threads, if it may be a lock.
    overwritten: Vec<(TargetSet, Option<u64>)>,
    /// The locks that are nowhere overwritten.
    trusted: Locks,
}

impl Search<'_> {
    fn find_accesses(&mut self) {
        let (program, points_to) = (self.flow.program, self.flow.points_to);
        let escaped = points_to.escaped(program);
        let inside = MayBeInside::of(program, points_to);
        let is_shared = |target: Target| escaped[target] && may_change(program, points_to, target);
        for (proc, procedure) in program.procs.iter() {
            let entries: Vec<(usize, Entry)> = self.flow.entries(proc).collect();
            if entries.is_empty() {
                continue;
            }
            for (edge, data) in procedure.edges.iter() {
                let Some(state) = self.flow.state(proc, data.source).cloned() else { continue };
                let depth = self.flow.sections.inside(proc)[data.source];
                let entries: Vec<(usize, Entry)> = entries
                    .iter()
                    .map(|&(kind, entry)| (kind, entry.after(state.effect, depth > 0)))
                    .filter(|&(kind, entry)| self.flow.may_be_parallel(kind, entry))
                    .collect();
                if entries.is_empty() {
                    continue;
                }
                for label in &data.labels {
                    let mut found = Vec::new();
                    for_each_touched(program, label, &mut |touched, writes, is_atomic| {
                        let set = shared_set(program, points_to, &is_shared, touched);
                        if let Some((set, bytes)) = set {
                            found.push(SharedAccess {
                                proc,
                                edge,
                                pos: label.pos,
                                touched,
                                writes,
                                is_atomic,
                                is_inside: depth > 0,
                                may_be_inside: inside.contains(proc, data.source),
                                set,
                                bytes,
                            });
                        }
                    });
                    for access in found {
                        let pointer = pointer_of(&access);
                        let is_fresh =
                            pointer.is_some_and(|pointer| self.flow.is_fresh(&state, pointer));
                        let relative = match pointer {
                            Some(pointer) => self.relations(&state, pointer),
                            None => Vec::new(),
                        };
                        let entries = entries.clone();
                        self.accesses.push(access);
                        self.known.push(Known { entries, relative, is_fresh });
                    }
                }
            }
        }
    }

    /// The locks that are held by their addresses, in relation to an accessed address.
    fn relations(&mut self, state: &State, pointer: Term) -> Vec<(Relation, Mode)> {
        if state.held.is_empty() {
            return Vec::new();
        }
        let Some(access) = self.flow.resolve(state, pointer) else { return Vec::new() };
        let held: Vec<(Term, Held)> = state.held.iter().map(|(&it, &held)| (it, held)).collect();
        let mut found = Vec::new();
        for (lock, held) in held {
            if let Some(relation) = relation(self.flow.program, &mut self.flow.terms, access, lock)
            {
                found.push((relation, held.mode, held.given));
            }
        }
        // A lock over which others may write is none.
        let trusted = found.into_iter().filter(|&(_, _, given)| self.is_trusted(given));
        trusted.map(|(relation, mode, _)| (relation, mode)).collect()
    }

    fn is_trusted(&self, lock: Term) -> bool {
        self.is_never_overwritten(&self.flow.points_to.of_term(self.flow.program, lock))
    }

    fn is_never_overwritten(&self, lock: &TargetSet) -> bool {
        let bytes = Some(SYNC_BYTES);
        !self.overwritten.iter().any(|(other, length)| {
            may_overlap(self.flow.points_to, (lock, bytes), (other, *length))
        })
    }

    fn find_overwritten(&mut self) {
        let (program, points_to) = (self.flow.program, self.flow.points_to);
        let locks = self.flow.lock_sets();
        for (proc, edge) in while_others_run(program) {
            let data = &program.procs[proc].edges[edge];
            let Some(state) = self.flow.state(proc, data.source).cloned() else { continue };
            for label in &data.labels {
                let bytes = accessed_bytes(program, &label.op);
                let mut written = Vec::new();
                for_each_access(&label.op, &mut |access| match access {
                    Access::WriteMemory(pointer) | Access::FreeMemory(pointer) => {
                        written.push((pointer, points_to.of_term(program, pointer)));
                    }
                    Access::ReachMemory(pointer) if !matches!(label.op, Op::Print { .. }) => {
                        written.push((pointer, TargetSet::unknown()));
                    }
                    _ => {}
                });
                for (pointer, set) in written {
                    let is_lock = locks.iter().any(|lock| {
                        may_overlap(points_to, (lock, Some(SYNC_BYTES)), (&set, bytes))
                    });
                    if is_lock && !self.flow.is_fresh(&state, pointer) {
                        self.overwritten.push((set, bytes));
                    }
                }
            }
        }
        for (number, place) in self.flow.lock_places().enumerate() {
            if !self.is_never_overwritten(&place) {
                self.trusted &= !(1 << number);
            }
        }
    }

    fn pairs(self) -> Races {
        let mut by_var: FxHashMap<Var, Vec<usize>> = FxHashMap::default();
        let mut by_target: FxHashMap<Target, Vec<usize>> = FxHashMap::default();
        let mut anywhere: Vec<usize> = Vec::new();
        for (number, access) in self.accesses.iter().enumerate() {
            match access.var() {
                Some(var) => by_var.entry(var).or_default().push(number),
                None if is_anywhere(access) => anywhere.push(number),
                None => {
                    for target in access.set.targets() {
                        by_target.entry(target).or_default().push(number);
                    }
                }
            }
        }
        let mut races = Races::default();
        let mut seen: FxHashSet<(usize, usize)> = FxHashSet::default();
        let mut try_pair = |a: usize, b: usize| {
            let pair = (a.min(b), a.max(b));
            if self.conflict(pair.0, pair.1) && seen.insert(pair) {
                races.conflicts += 1;
                if self.may_race(pair.0, pair.1) {
                    races.candidates.push(pair);
                }
            }
        };
        for group in by_var.values().chain(by_target.values()) {
            for (index, &a) in group.iter().enumerate() {
                group[index..].iter().for_each(|&b| try_pair(a, b));
            }
        }
        for &a in &anywhere {
            for b in 0..self.accesses.len() {
                if self.accesses[b].var().is_none() {
                    try_pair(a, b);
                }
            }
        }
        races.candidates.sort_unstable();
        races.accesses = self.accesses;
        races
    }

    /// Whether two accesses may touch the same, one writes, and not both synchronise.
    fn conflict(&self, a: usize, b: usize) -> bool {
        let (first, second) = (&self.accesses[a], &self.accesses[b]);
        let is_inside = |number: usize| {
            self.accesses[number].is_atomic
                || self.known[number].entries.iter().all(|(_, it)| it.is_inside)
        };
        if !(first.writes || second.writes) || (is_inside(a) && is_inside(b)) {
            return false;
        }
        match (first.var(), second.var()) {
            (Some(a), Some(b)) => a == b,
            (None, None) => {
                // What a pointer leads to leads on.
                let reaches =
                    |access: &SharedAccess| matches!(access.touched, Touched::Reach { .. });
                let writes_far = |access: &SharedAccess| reaches(access) && access.writes;
                writes_far(first)
                    || writes_far(second)
                    || may_overlap(
                        self.flow.points_to,
                        (&first.set, first.bytes),
                        (&second.set, second.bytes),
                    )
            }
            _ => false,
        }
    }

    fn may_race(&self, a: usize, b: usize) -> bool {
        let (first, second) = (&self.known[a], &self.known[b]);
        if first.is_fresh || second.is_fresh || self.have_related_lock(a, b) {
            return false;
        }
        first.entries.iter().any(|&(kind, known)| {
            second.entries.iter().any(|&(other, there)| {
                let common = known.exclusive & (there.exclusive | there.shared)
                    | known.shared & there.exclusive;
                let is_locked = common & self.trusted != 0;
                !is_locked && self.flow.may_happen_together((kind, known), (other, there))
            })
        })
    }

    fn have_related_lock(&self, a: usize, b: usize) -> bool {
        let (first, second) = (&self.accesses[a], &self.accesses[b]);
        let Some((bytes, others)) = first.bytes.zip(second.bytes) else { return false };
        let points_to = self.flow.points_to;
        points_to.meet_at_start(&first.set, bytes, &second.set, others)
            && self.known[a].relative.iter().any(|(relation, mode)| {
                self.known[b].relative.iter().any(|(other, there)| {
                    relation == other && (*mode == Mode::Exclusive || *there == Mode::Exclusive)
                })
            })
    }
}

fn is_anywhere(access: &SharedAccess) -> bool {
    access.set.is_unknown()
        || access.set.flags().contains(ravelin_pointsto::Flags::NUMBER)
        || (matches!(access.touched, Touched::Reach { .. }) && access.writes)
}

fn pointer_of(access: &SharedAccess) -> Option<Term> {
    match access.touched {
        Touched::Var(_) => None,
        Touched::Bytes { addr, .. } | Touched::Object { addr } => Some(addr),
        Touched::Reach { pointer } => Some(pointer),
    }
}

fn may_change(program: &Program, points_to: &PointsTo, target: Target) -> bool {
    match points_to.name(target) {
        ObjectName::Object(object) => {
            !matches!(program.objects[object].kind, ObjectKind::Constant | ObjectKind::Function(_))
        }
        ObjectName::Allocated(_) | ObjectName::OfSize(_) => true,
    }
}

/// The relation of a lock to an accessed address: both depend on the same unknown and nothing else, which the address
/// determines.
fn relation(program: &Program, terms: &mut TermPool, access: Term, lock: Term) -> Option<Relation> {
    let vars = terms.vars_of(access);
    let &[var] = vars.as_slice() else { return None };
    if terms.vars_of(lock) != vars || !determines(terms, access, var) {
        return None;
    }
    let (mut sort, mut is_global) = (None, true);
    terms.for_each_subterm(lock, |term, kind| match kind {
        TermKind::Var(_) => sort = Some(terms.sort(term)),
        // Frames and threads have objects of their own.
        TermKind::Address(object) => {
            is_global &= program.objects[object].kind == ObjectKind::Global;
        }
        _ => {}
    });
    let sort = sort.filter(|_| is_global)?;
    let unknown = terms.var(unknown(), sort);
    let mut rename = |term: Term| terms.substitute(term, |_, _| Some(unknown));
    Some(Relation { access: rename(access), lock: rename(lock) })
}

/// The name of unknowns: no variable of a program has this number.
fn unknown() -> Var {
    Var::new(u32::MAX as usize - 1)
}

/// Whether an address is the same only where the variable is: it occurs once, under sums with constants, products with
/// constants, and extensions.
fn determines(terms: &TermPool, address: Term, var: Var) -> bool {
    let mut next = address;
    loop {
        let has = |term: Term| terms.vars_of(term).contains(&var);
        next = match terms.kind(next) {
            TermKind::Var(_) => return true,
            TermKind::Binary(BinOp::PtrAdd | BinOp::BvAdd | BinOp::BvSub, a, b) => {
                match (has(a), has(b)) {
                    (true, false) => a,
                    (false, true) => b,
                    _ => return false,
                }
            }
            // Offsets inside of an object do not wrap around (C11 6.5.6p8); other products may.
            TermKind::Binary(BinOp::BvMul, a, b)
                if terms.sort(next).width() == Some(terms.pointer_bits()) =>
            {
                match (has(a), has(b)) {
                    (true, false) if terms.as_bv(b).is_some_and(|factor| factor != 0) => a,
                    (false, true) if terms.as_bv(a).is_some_and(|factor| factor != 0) => b,
                    _ => return false,
                }
            }
            TermKind::Unary(UnOp::ZeroExt(_) | UnOp::SignExt(_), a) => a,
            _ => return false,
        };
    }
}
