//! Which threads have to move in a control state, so that the others may wait; and which statements
//! have to be evaluated.
//!
//! It is enough to let a set of threads move if nothing that the others do before one of them moves depends on its next
//! step (persistent sets), and if one of its threads can move for sure. The second is more than that an
//! abstract state has a successor: an assumption that may hold may also fail, and then what the others do
//! must not be lost. Cycles pass a loop head, and before a thread gets there, everybody moves.
//!
//! *Abstraction-aware* reduction ignores conflicts on what is not tracked. Why that is sound: take the
//! program in which, before every step, all that is not tracked gets any value that the points-to analysis
//! allows. It can do all that the program can, its steps are independent where they share nothing tracked,
//! and abstract states, which say nothing of the rest, stand for its states, too: each step is abstracted on
//! its own. What is proved of it holds of the program. When more is tracked, sets that were large enough may
//! be too small; [`Reducer::is_persistent`] tells.
//!
//! Values that no condition depends on any more (`ravelin_por::DataFlow`) need not be computed. With
//! them left out, conflicts on them are none either, for the same reason: control never depends on them
//! again, whatever they are.

pub(crate) mod alias;
pub mod statements;

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

use ravelin_cfa::access::for_each_term;
use ravelin_cfa::effects::{may_trap, may_wait};
use ravelin_cfa::{Edge, Label, Loc, Op, Proc, Program, ops};
use ravelin_pointsto::Region;
use ravelin_por::{
    Ahead, Bits, DataFlow, Dependence, Footprint, Mask, Observers, Outlook, Place, ProgramFacts,
    Tables, persistent_sets,
};
use ravelin_term::{Term, Var};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::config::{Alias, Config, Reduction, Statements};
use crate::model::control_flow::ControlFlowFacts;

/// Where a thread is, for what it may do next and later.
#[derive(Clone, Debug)]
pub struct Whereabouts {
    /// The location and those to which calls return, the innermost first.
    pub frames: SmallVec<[(Proc, Loc); 2]>,
    /// The edge it is on, if it waits there.
    pub waiting: Option<Edge>,
    /// Whether the program ends when the last frame is left.
    pub ends_program: bool,
    /// The objects that its next step may touch, if more is known of them than that.
    pub next_objects: Option<Bits>,
}

/// What an analysis tracks: variables of the program and regions of memory, those of one predicate
/// together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrackedPlaces {
    pub groups: Vec<(Vec<Var>, Vec<Region>)>,
}

/// What is tracked, in the words of the tables.
#[derive(Debug)]
struct Precision {
    tracked: TrackedPlaces,
    places: Places,
    mask: Mask,
    observers: Option<Observers>,
}

/// What edges and locations say of threads.
#[derive(Debug)]
pub struct Reducer {
    reduction: Reduction,
    alias: Alias,
    statements: Statements,
    tables: Arc<Tables>,
    flow: DataFlow,
    control_flow: ControlFlowFacts,
    /// Where threads can move for sure, as far as somebody asked.
    sure: RefCell<FxHashMap<(Proc, Loc), bool>>,
    precision: Option<Precision>,
}

impl Reducer {
    /// There is none without points-to analysis.
    pub fn new(facts: &ProgramFacts<'_>, config: &Config) -> Option<Self> {
        let (program, division) = (facts.program, config.memory.division);
        let points_to = facts.points_to().ok()?;
        Some(Reducer {
            reduction: config.reduction,
            alias: config.alias,
            statements: config.statements,
            tables: facts.tables(division).ok()?,
            flow: DataFlow::new(program, points_to, division),
            control_flow: ControlFlowFacts::new(program),
            sure: RefCell::default(),
            precision: None,
        })
    }

    /// From here on this is tracked; whether that changes anything.
    pub fn track(&mut self, tracked: TrackedPlaces) -> bool {
        if self.precision.as_ref().is_some_and(|precision| precision.tracked == tracked) {
            return false;
        }
        let vars = tracked.groups.iter().flat_map(|(vars, _)| vars.iter().copied());
        let regions = tracked.groups.iter().flat_map(|(_, regions)| regions.iter().copied());
        let mask = self.tables.mask(vars, regions);
        let ties: Vec<Bits> = tracked
            .groups
            .iter()
            .map(|(vars, regions)| {
                let vars = vars.iter().map(|&var| Place::Var(var));
                let regions = regions.iter().map(|&region| Place::Region(region));
                vars.chain(regions).map(|place| place.bit(self.flow.variables())).collect()
            })
            .collect();
        let mut places = Bits::default();
        for tie in &ties {
            places.unite(tie);
        }
        let observers = self.follows_values().then(|| self.flow.observers(&places, ties));
        let places = Places { bits: places, variables: self.flow.variables() };
        self.precision = Some(Precision { tracked, places, mask, observers });
        true
    }

    /// From here on, every statement is evaluated; whether that makes a difference.
    pub fn evaluate_all(&mut self) -> bool {
        self.precision = None;
        std::mem::replace(&mut self.statements, Statements::All) != Statements::All
    }

    /// Those of some places whose values may still decide anything, if threads are here; none if all are taken to.
    pub fn observed_of(
        &self,
        program: &Program,
        threads: &[Option<Whereabouts>],
        places: &[Place],
    ) -> Option<Places> {
        let (observers, outlook) = self.outlook(program, threads)?;
        let variables = self.flow.variables();
        let places = places.iter().map(|place| place.bit(variables));
        let bits = places.filter(|&place| observers.is_observed(&outlook, place)).collect();
        Some(Places { bits, variables })
    }

    fn outlook(
        &self,
        program: &Program,
        threads: &[Option<Whereabouts>],
    ) -> Option<(&Observers, Outlook)> {
        let observers = self.precision.as_ref()?.observers.as_ref()?;
        let mut ahead: SmallVec<[Ahead; 8]> = SmallVec::new();
        for thread in threads.iter().flatten() {
            for (depth, &(proc, loc)) in thread.frames.iter().enumerate() {
                let loc = match thread.waiting {
                    Some(edge) if depth == 0 => {
                        ahead.push(Ahead::Along(proc, edge));
                        program.procs[proc].edges[edge].target
                    }
                    _ => loc,
                };
                ahead.push(Ahead::From(proc, loc));
                if !self.tables.futures().leaves(proc, loc) {
                    break;
                }
            }
        }
        Some((observers, self.flow.outlook(observers, ahead)))
    }

    /// All places that are tracked, if statements are left out.
    pub fn tracked(&self) -> Option<&Places> {
        let precision = self.precision.as_ref().filter(|_| self.statements != Statements::All)?;
        Some(&precision.places)
    }

    /// Whether it matters where values flow, beyond what is tracked.
    pub fn follows_values(&self) -> bool {
        matches!(self.statements, Statements::Observed | Statements::ObservedThenReduced)
    }

    /// The pointers that a state may know more of: of which threads, by position, and what they are in the
    /// program.
    pub fn ambiguous(
        &self,
        program: &Program,
        threads: &[Option<Whereabouts>],
    ) -> Vec<(usize, Term)> {
        let is_needed = self.alias != Alias::Static && self.reduction != Reduction::None;
        let others = threads.iter().flatten().count() > 1;
        let pointer = |thread: &Whereabouts| {
            let &(proc, loc) = thread.frames.first()?;
            match (thread.waiting, program.procs[proc].locs[loc].out.as_slice()) {
                (None, &[edge]) => self.tables.ambiguous(proc, edge),
                _ => None,
            }
        };
        let threads = threads.iter().enumerate().filter(|_| is_needed && others);
        let found = threads.filter_map(|(position, thread)| {
            pointer(thread.as_ref()?).map(|pointer| (position, pointer))
        });
        found.collect()
    }

    /// Whether the solver is to be asked about them.
    pub fn asks_solver(&self) -> bool {
        self.alias == Alias::Smt
    }

    /// A small persistent set of threads, by position; all of them if there is none.
    pub fn persistent_set(&self, program: &Program, threads: &[Option<Whereabouts>]) -> u64 {
        let live = bits(threads.iter().map(Option::is_some));
        if threads.len() > 64 || live.count_ones() < 2 || self.reduction == Reduction::None {
            return u64::MAX;
        }
        let Needs { dependences, sure, full } = self.needs(program, threads);
        let is_enough = |set: &u64| set & sure != 0 && set & full == 0;
        persistent_sets(live, &dependences).into_iter().find(is_enough).unwrap_or(u64::MAX)
    }

    /// Whether a set of threads that was persistent once still is.
    pub fn is_persistent(
        &self,
        program: &Program,
        threads: &[Option<Whereabouts>],
        set: u64,
    ) -> bool {
        let live = bits(threads.iter().map(Option::is_some));
        if live & !set == 0 {
            return true;
        }
        let Needs { dependences, sure, full } = self.needs(program, threads);
        let is_closed = dependences
            .iter()
            .enumerate()
            .all(|(position, it)| set >> position & 1 == 0 || it.on & live & !set == 0);
        is_closed && set & sure != 0 && set & full == 0
    }

    /// On whom threads depend, who moves surely, and after whom everybody has to move.
    fn needs(&self, program: &Program, threads: &[Option<Whereabouts>]) -> Needs {
        let futures: Vec<Footprint> = threads
            .iter()
            .map(|thread| {
                thread.as_ref().map_or_else(Footprint::default, |it| self.future(program, it))
            })
            .collect();
        let next = |thread: &Whereabouts| {
            let next = self.next(program, thread);
            match &thread.next_objects {
                Some(objects) => next.narrowed_to(objects),
                None => next,
            }
        };
        let next: Vec<Footprint> =
            threads.iter().map(|it| it.as_ref().map(next).unwrap_or_default()).collect();
        let mask = self.mask(program, threads, &next);
        let conflict = |next: &Footprint, future: &Footprint| match &mask {
            Some(mask) => next.conflicts_within(future, mask),
            None => next.conflicts_with(future),
        };
        let mut needs = Needs::default();
        for (position, thread) in threads.iter().enumerate() {
            let Some(thread) = thread else {
                needs.dependences.push(Dependence::default());
                continue;
            };
            let waits = self.waits_for_end(program, thread);
            let others = futures.iter().enumerate().filter(|(other, _)| *other != position);
            let conflicts = |future| waits || conflict(&next[position], future);
            let on = bits_at(others.filter(|(_, future)| conflicts(future)));
            needs.dependences.push(Dependence { on });
            needs.sure |= u64::from(self.moves_surely(program, thread)) << position;
            needs.full |= u64::from(self.comes_to_loop(program, thread)) << position;
        }
        needs
    }

    /// What conflicts of these next steps count on; none if all do.
    fn mask(
        &self,
        program: &Program,
        threads: &[Option<Whereabouts>],
        next: &[Footprint],
    ) -> Option<Cow<'_, Mask>> {
        let tracked = || Some(&self.precision.as_ref()?.mask);
        match (self.statements, self.reduction) {
            (Statements::ObservedThenReduced, _) => {
                let (observers, outlook) = self.outlook(program, threads)?;
                let mut touched = Footprint::default();
                next.iter().for_each(|next| _ = touched.add(next));
                let matters = |place: Place| {
                    observers.is_observed(&outlook, place.bit(self.flow.variables()))
                };
                Some(Cow::Owned(self.tables.narrowed(tracked()?, &touched, matters)))
            }
            (_, Reduction::AbstractionAware) => Some(Cow::Borrowed(tracked()?)),
            (_, Reduction::None | Reduction::Static) => None,
        }
    }

    /// What the next step of a thread may touch.
    fn next(&self, program: &Program, thread: &Whereabouts) -> Footprint {
        let mut next = Footprint::default();
        let Some(&(proc, loc)) = thread.frames.first() else { return next };
        for edge in next_edges(program, thread, proc, loc) {
            next.add(self.tables.step(proc, edge));
            match program.procs[proc].edges[edge].labels.last().map(|label| &label.op) {
                Some(Op::Return { .. } | Op::ThreadExit { .. }) => {
                    next.add(self.tables.leaving(proc));
                }
                Some(Op::Exit { .. } | Op::Abort) => {
                    next.add(self.tables.everything());
                }
                _ => {}
            }
        }
        next
    }

    /// What a thread may still touch.
    fn future(&self, program: &Program, thread: &Whereabouts) -> Footprint {
        let mut future = Footprint::default();
        for (depth, &(proc, loc)) in thread.frames.iter().enumerate() {
            let futures = self.tables.futures();
            let loc = match thread.waiting {
                Some(edge) if depth == 0 => {
                    future.add(self.tables.step(proc, edge));
                    program.procs[proc].edges[edge].target
                }
                _ => loc,
            };
            future.add(futures.touched(proc, loc));
            if !futures.leaves(proc, loc) {
                break;
            }
        }
        future
    }

    /// Whether the next step may wait for the end of another thread.
    fn waits_for_end(&self, program: &Program, thread: &Whereabouts) -> bool {
        let Some(&(proc, loc)) = thread.frames.first() else { return false };
        let edges = next_edges(program, thread, proc, loc);
        edges.iter().any(|&edge| self.tables.waits_for_end(proc, edge))
    }

    /// Whether a thread can make its next step whatever the values are, and others go on after it.
    fn moves_surely(&self, program: &Program, thread: &Whereabouts) -> bool {
        let Some(&(proc, loc)) = thread.frames.first() else { return false };
        if thread.waiting.is_some() {
            return false;
        }
        if thread.ends_program && thread.frames.len() == 1 {
            let mut edges = program.procs[proc].locs[loc].out.iter();
            let returns = |edge: &Edge| {
                let labels = &program.procs[proc].edges[*edge].labels;
                labels.iter().any(|label| matches!(label.op, Op::Return { .. }))
            };
            if edges.any(returns) {
                return false;
            }
        }
        *self.sure.borrow_mut().entry((proc, loc)).or_insert_with(|| {
            let procedure = &program.procs[proc];
            let out = &procedure.locs[loc].out;
            !out.is_empty()
                && out
                    .iter()
                    .all(|&edge| is_sure(program, &procedure.edges[edge].labels, out.len() > 1))
        })
    }

    /// Whether the next step may come to the head of a loop.
    fn comes_to_loop(&self, program: &Program, thread: &Whereabouts) -> bool {
        let Some(&(proc, loc)) = thread.frames.first() else { return false };
        let leads_to_loop = |edge: Edge| {
            let data = &program.procs[proc].edges[edge];
            let returns = matches!(
                data.labels.last().map(|label| &label.op),
                Some(Op::Return { .. } | Op::Call { .. })
            );
            // Where a call goes and where it returns to may be such places, too.
            self.control_flow.is_loop_head(proc, data.target)
                || (returns && self.may_enter_loop(program, thread, edge, proc))
        };
        next_edges(program, thread, proc, loc).into_iter().any(leads_to_loop)
    }

    fn may_enter_loop(
        &self,
        program: &Program,
        thread: &Whereabouts,
        edge: Edge,
        proc: Proc,
    ) -> bool {
        let labels = &program.procs[proc].edges[edge].labels;
        match labels.last().map(|label| &label.op) {
            Some(Op::Return { .. }) => thread
                .frames
                .get(1)
                .is_some_and(|&(caller, loc)| self.control_flow.is_loop_head(caller, loc)),
            Some(Op::Call { callee: ravelin_cfa::Callee::Direct(callee), .. }) => {
                self.control_flow.is_loop_head(*callee, program.procs[*callee].entry)
            }
            _ => true,
        }
    }
}

/// What the threads of a control state need.
#[derive(Debug, Default)]
struct Needs {
    dependences: Vec<Dependence>,
    sure: u64,
    full: u64,
}

/// Variables of the program and regions of memory.
#[derive(Clone, Debug, Default)]
pub struct Places {
    bits: Bits,
    /// Variables come first, then regions.
    variables: usize,
}

impl Places {
    pub fn has(&self, place: Place) -> bool {
        self.bits.contains(place.bit(self.variables))
    }

    pub fn has_var(&self, var: Var) -> bool {
        self.has(Place::Var(var))
    }

    pub fn has_region(&self, region: Region) -> bool {
        self.has(Place::Region(region))
    }
}

fn bits(flags: impl Iterator<Item = bool>) -> u64 {
    flags.take(64).enumerate().fold(0, |set, (position, flag)| set | u64::from(flag) << position)
}

fn bits_at<'f>(positions: impl Iterator<Item = (usize, &'f Footprint)>) -> u64 {
    positions.fold(0, |set, (position, _)| set | 1 << position)
}

fn next_edges(program: &Program, thread: &Whereabouts, proc: Proc, loc: Loc) -> Vec<Edge> {
    match thread.waiting {
        Some(edge) => vec![edge],
        None => program.procs[proc].locs[loc].out.to_vec(),
    }
}

/// Whether labels can be executed whatever the values are. An assumption that begins a branch is one of
/// several, of which one holds.
fn is_sure(program: &Program, labels: &[Label], is_branch: bool) -> bool {
    labels.iter().enumerate().all(|(number, label)| {
        let mut traps = false;
        for_each_term(&label.op, |term| traps |= may_trap(&program.terms, term));
        if traps {
            return false;
        }
        match &label.op {
            Op::Assume(_) => is_branch && number == 0,
            Op::Choice(branches) => branches.iter().all(|branch| is_sure(program, branch, true)),
            Op::Exit { .. } | Op::Abort | Op::Unsupported { .. } => false,
            // Nobody else is in a section when a thread enters one. A section that goes on behind the edge may
            // stop there.
            Op::AtomicBegin => {
                number == 0 && matches!(labels.last(), Some(Label { op: Op::AtomicEnd, .. }))
            }
            op @ (Op::Sync { .. } | Op::Join { .. }) => !may_wait(op),
            ops!(access, scope, object, procedure, remark)
            | Op::Skip
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::HavocMemory { .. }
            | Op::Start { .. }
            | Op::ThreadExit { .. }
            | Op::ThreadSelf { .. }
            | Op::AtomicEnd
            | Op::Error(_)
            | Op::Claim(_) => true,
        }
    })
}
