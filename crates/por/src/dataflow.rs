//! Which values can still decide anything: the data flow of a program with threads.
//!
//! A value is *observed* if it may flow, through assignments that threads can still make, into a
//! condition that a thread can still come to. What is not observed need not be computed. The flow is
//! restricted to what an abstraction tracks: through other variables, nothing is known to flow from
//! step to step. (Telbisz: "Abstract data-flow-based statement reduction"; there, reachability of
//! actions is decided by numbers of strongly connected components, here by a table that is exact.)
//!
//! Observers are conditions, what synchronisation waits for, what threads are given and return, and
//! the pointers, sizes and indices that decide where an access goes.

use std::cell::RefCell;
use std::rc::Rc;

use ravelin_base::{EntityRef, PrimaryMap, SecondaryMap};
use ravelin_cfa::sync::SyncArg;
use ravelin_cfa::{Callee, Edge, Label, Loc, Op, Proc, Program, Term, Var, ops};
use ravelin_pointsto::{Division, PointsTo, Position, Region, Regions, TargetSet};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::bits::Bits;
use crate::tables::until_stable;

/// What holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A variable of the program.
    Var(Var),
    /// Memory.
    Region(Region),
}

impl Place {
    /// Its number where there are so many variables: those of regions come after theirs.
    pub fn bit(self, variables: usize) -> usize {
        match self {
            Place::Var(var) => var.index(),
            Place::Region(region) => variables + region.index(),
        }
    }
}

/// The data flow of a program. Sets of places are bits.
#[derive(Debug)]
pub struct DataFlow {
    variables: usize,
    actions: Vec<Action>,
    numbers: PrimaryMap<Proc, SecondaryMap<Edge, usize>>,
    /// The actions that can be reached from a location: there, in the calls made and by the threads
    /// started on the way.
    reachable: PrimaryMap<Proc, SecondaryMap<Loc, Bits>>,
}

/// What happens along an edge, by the values that places have before it.
#[derive(Debug, Default)]
struct Action {
    /// They decide whether the edge is taken, or where its accesses go.
    observes: Bits,
    /// From these to that place.
    flows: Vec<(Bits, usize)>,
}

/// What can be observed while some places are tracked. Places are numbered among those.
#[derive(Debug)]
pub struct Observers {
    /// The places that are tracked, ascending.
    places: Vec<usize>,
    /// By place: those that are tracked together with it, in one predicate. What is known of one says
    /// something of the others.
    tied: Vec<Bits>,
    /// The actions that matter, with their numbers among all actions, ascending.
    actions: Vec<Action>,
    numbers: Vec<usize>,
    /// What threads may still do, where somebody asked.
    ahead: RefCell<FxHashMap<Ahead, Rc<Summary>>>,
}

/// What several actions do, put together.
#[derive(Debug, Default)]
struct Summary {
    observes: Bits,
    /// By place: those into which something flows from there.
    flows: Vec<Bits>,
}

/// What all threads may still do.
#[derive(Debug)]
pub struct Outlook {
    threads: SmallVec<[Rc<Summary>; 6]>,
}

/// What a thread may still do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ahead {
    /// Whatever can be reached from a location until the procedure is left: there, in the calls made and by the
    /// threads started on the way.
    From(Proc, Loc),
    /// What an edge does.
    Along(Proc, Edge),
}

impl DataFlow {
    pub fn new(program: &Program, points_to: &PointsTo, division: Division) -> DataFlow {
        let mut maker = Maker::new(program, points_to, division);
        let (mut actions, mut numbers) = (Vec::new(), PrimaryMap::new());
        for (proc, procedure) in program.procs.iter() {
            let mut of_edges = SecondaryMap::new();
            for edge in procedure.edges.keys() {
                of_edges[edge] = actions.len();
                actions.push(maker.action(proc, edge));
            }
            numbers.push(of_edges);
        }
        let reachable = reachable(program, &numbers, &maker.entered);
        DataFlow { variables: program.vars.len(), actions, numbers, reachable }
    }

    /// How many variables there are ([`Place::bit`]).
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// Prepares for an abstraction that tracks these places.
    pub fn observers(&self, tracked: &Bits, ties: Vec<Bits>) -> Observers {
        let places: Vec<usize> = tracked.iter().collect();
        let number = |place: usize| places.binary_search(&place).ok();
        let numbered = |bits: &Bits| -> Bits { bits.iter().filter_map(number).collect() };
        let (mut actions, mut numbers) = (Vec::new(), Vec::new());
        for (index, Action { observes, flows }) in self.actions.iter().enumerate() {
            let flows = flows
                .iter()
                .filter_map(|(from, to)| Some((numbered(from), number(*to)?)))
                .filter(|(from, _)| !from.is_empty());
            let action = Action { observes: numbered(observes), flows: flows.collect() };
            if !action.observes.is_empty() || !action.flows.is_empty() {
                actions.push(action);
                numbers.push(index);
            }
        }
        let mut tied = vec![Bits::default(); places.len()];
        for tie in ties.iter().map(numbered) {
            for place in tie.iter() {
                tied[place].unite(&tie);
            }
        }
        Observers { places, tied, actions, numbers, ahead: RefCell::default() }
    }

    /// Prepares for questions about what is observed if this is still to come.
    pub fn outlook(
        &self,
        observers: &Observers,
        still_to_come: impl IntoIterator<Item = Ahead>,
    ) -> Outlook {
        let mut known = observers.ahead.borrow_mut();
        let summary = |ahead| {
            let summary = known.entry(ahead);
            Rc::clone(summary.or_insert_with(|| Rc::new(self.summary(observers, ahead))))
        };
        Outlook { threads: still_to_come.into_iter().map(summary).collect() }
    }

    fn summary(&self, observers: &Observers, ahead: Ahead) -> Summary {
        let is_ahead = |number: usize| match ahead {
            Ahead::From(proc, loc) => self.reachable[proc][loc].contains(number),
            Ahead::Along(proc, edge) => self.numbers[proc][edge] == number,
        };
        let flows = vec![Bits::default(); observers.places.len()];
        let mut summary = Summary { flows, ..Summary::default() };
        for (action, &number) in observers.actions.iter().zip(&observers.numbers) {
            if is_ahead(number) {
                summary.observes.unite(&action.observes);
                for (from, to) in &action.flows {
                    for from in from.iter() {
                        summary.flows[from].insert(*to);
                    }
                }
            }
        }
        summary
    }
}

impl Observers {
    /// Whether a place is tracked and observed.
    pub fn is_observed(&self, outlook: &Outlook, place: usize) -> bool {
        self.places.binary_search(&place).is_ok_and(|number| self.decides(outlook, number))
    }

    /// Whether something flows from there into a condition. Of most places that are tracked, it is the next one.
    fn decides(&self, outlook: &Outlook, number: usize) -> bool {
        let is_condition =
            |number| outlook.threads.iter().any(|thread| thread.observes.contains(number));
        if is_condition(number) {
            return true;
        }
        let mut reached: Bits = [number].into_iter().collect();
        let mut waiting = reached.clone();
        while let Some(number) = waiting.pop() {
            if is_condition(number) {
                return true;
            }
            let flows = outlook.threads.iter().map(|thread| &thread.flows[number]);
            for next in flows.chain([&self.tied[number]]) {
                reached.unite_noting(next, &mut waiting);
            }
        }
        false
    }
}

/// The least tables in which a location reaches what its edges do, what they enter reaches, and what can
/// be reached behind them.
fn reachable(
    program: &Program,
    numbers: &PrimaryMap<Proc, SecondaryMap<Edge, usize>>,
    entered: &FxHashMap<(Proc, Edge), Vec<Proc>>,
) -> PrimaryMap<Proc, SecondaryMap<Loc, Bits>> {
    let mut tables: PrimaryMap<Proc, SecondaryMap<Loc, Bits>> =
        program.procs.keys().map(|_| SecondaryMap::new()).collect();
    until_stable(program, |proc, procedure, loc| {
        let mut changed = false;
        let mut here = std::mem::take(&mut tables[proc][loc]);
        for &edge in &procedure.locs[loc].out {
            changed |= here.insert(numbers[proc][edge]);
            let target = procedure.edges[edge].target;
            if target != loc {
                changed |= here.unite(&tables[proc][target]);
            }
            for &callee in entered.get(&(proc, edge)).into_iter().flatten() {
                let entry = program.procs[callee].entry;
                // A location that calls its own procedure from its entry adds itself.
                if (callee, entry) != (proc, loc) {
                    changed |= here.unite(&tables[callee][entry]);
                }
            }
        }
        tables[proc][loc] = here;
        changed
    });
    tables
}

struct Maker<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    regions: Regions,
    /// Where the values that procedures return go.
    results: SecondaryMap<Proc, Vec<Var>>,
    /// Whether threads begin there.
    is_routine: SecondaryMap<Proc, bool>,
    /// The procedures that edges call, and those that they start threads in.
    entered: FxHashMap<(Proc, Edge), Vec<Proc>>,
}

/// Where the values of places come from, in the middle of an edge.
#[derive(Clone, Debug, Default)]
struct Sources {
    /// Those that were assigned.
    vars: FxHashMap<Var, Bits>,
    /// Those that were written to, which may keep what they had.
    regions: FxHashMap<usize, Bits>,
}

impl<'a> Maker<'a> {
    fn new(program: &'a Program, points_to: &'a PointsTo, division: Division) -> Self {
        let mut maker = Maker {
            program,
            points_to,
            regions: Regions::new(program, points_to, division),
            results: SecondaryMap::new(),
            is_routine: SecondaryMap::new(),
            entered: FxHashMap::default(),
        };
        for (proc, procedure) in program.procs.iter() {
            for (edge, data) in procedure.edges.iter() {
                let mut number = 0;
                for label in &data.labels {
                    label.walk(&mut |label| {
                        let position = Position { proc, edge, label: number };
                        number += 1;
                        maker.enter(position, label);
                    });
                }
            }
        }
        maker
    }

    fn enter(&mut self, position: Position, label: &Label) {
        let (callee, dst, starts) = match &label.op {
            Op::Call { callee, dst, .. } => (callee, *dst, false),
            Op::Start { routine, .. } => (routine, None, true),
            _ => return,
        };
        let callees = match callee {
            Callee::Direct(proc) => vec![*proc],
            Callee::Pointer(_) => self.points_to.callees(position).to_vec(),
        };
        for &callee in &callees {
            self.is_routine[callee] |= starts;
            self.results[callee].extend(dst);
        }
        self.entered.entry((position.proc, position.edge)).or_default().extend(callees);
    }

    fn action(&mut self, proc: Proc, edge: Edge) -> Action {
        let mut sources = Sources::default();
        let mut action = Action::default();
        let data = &self.program.procs[proc].edges[edge];
        self.labels((proc, edge), &data.labels, &mut sources, &mut action);
        let mut flows: Vec<(Bits, usize)> =
            sources.vars.into_iter().map(|(var, from)| (from, var.index())).collect();
        let offset = self.program.vars.len();
        flows.extend(sources.regions.into_iter().map(|(region, from)| (from, offset + region)));
        flows.retain(|(from, _)| !from.is_empty());
        flows.sort_unstable_by_key(|(_, to)| *to);
        action.flows.extend(flows);
        action
    }

    fn labels(
        &self,
        at: (Proc, Edge),
        labels: &[Label],
        sources: &mut Sources,
        action: &mut Action,
    ) {
        for label in labels {
            self.label(at, label, sources, action);
        }
    }

    fn label(&self, at: (Proc, Edge), label: &Label, sources: &mut Sources, action: &mut Action) {
        let observe = |term: Term, sources: &Sources, action: &mut Action| {
            action.observes.unite(&self.read(term, sources));
        };
        match &label.op {
            ops!(section, scope, remark, end) | Op::Claim(_) | Op::Skip => {}
            Op::Assume(condition) => observe(*condition, sources, action),
            Op::Assign { dst, value } => {
                let from = self.read(*value, sources);
                sources.vars.insert(*dst, from);
            }
            Op::Havoc { dst, .. } | Op::ThreadSelf { dst } => {
                sources.vars.insert(*dst, Bits::default());
            }
            Op::Load { dst, addr, .. } => {
                observe(*addr, sources, action);
                let bytes = self.program.bytes_of(self.program.vars[*dst].sort);
                let from = self.contents(self.accessed(*addr, bytes), sources);
                sources.vars.insert(*dst, from);
            }
            Op::Store { addr, value, .. } => {
                observe(*addr, sources, action);
                let from = self.read(*value, sources);
                let bytes = self.program.bytes_of(self.program.terms.sort(*value));
                self.write(self.accessed(*addr, bytes), &from, sources, action);
            }
            Op::Copy { dst, src, size } => {
                for term in [*dst, *src, *size] {
                    observe(term, sources, action);
                }
                let from = self.contents(self.accessed(*src, None), sources);
                self.write(self.accessed(*dst, None), &from, sources, action);
            }
            Op::Fill { dst, byte, size } => {
                observe(*dst, sources, action);
                observe(*size, sources, action);
                let from = self.read(*byte, sources);
                self.write(self.accessed(*dst, None), &from, sources, action);
            }
            Op::HavocMemory { pointers } => {
                for &pointer in pointers {
                    observe(pointer, sources, action);
                }
            }
            Op::Alloc { dst, size, .. } => {
                observe(*size, sources, action);
                sources.vars.insert(*dst, Bits::default());
            }
            Op::Realloc { dst, addr, size } => {
                observe(*addr, sources, action);
                observe(*size, sources, action);
                sources.vars.insert(*dst, Bits::default());
            }
            Op::Free { addr, kind: _ } => observe(*addr, sources, action),
            Op::Inspect { dst, addr, fact: _ } => {
                observe(*addr, sources, action);
                sources.vars.insert(*dst, Bits::default());
            }
            Op::Call { callee, args, .. } => {
                if let Callee::Pointer(pointer) = callee {
                    observe(*pointer, sources, action);
                    // A function that is not the program's sees what it gets.
                    if self.points_to.of_term(self.program, *pointer).is_unknown() {
                        args.iter().for_each(|&arg| observe(arg, sources, action));
                    }
                }
                self.pass(at, args, sources);
            }
            Op::Start { dst, routine, args } => {
                if let Callee::Pointer(pointer) = routine {
                    observe(*pointer, sources, action);
                }
                for &arg in args {
                    observe(arg, sources, action);
                }
                self.pass(at, args, sources);
                sources.vars.insert(*dst, Bits::default());
            }
            Op::Return { value } => {
                let Some(value) = value else { return };
                if self.is_routine[at.0] {
                    observe(*value, sources, action);
                }
                let from = self.read(*value, sources);
                for &dst in &self.results[at.0] {
                    sources.vars.insert(dst, from.clone());
                }
            }
            Op::ThreadExit { value } => observe(*value, sources, action),
            Op::Join { handle, dst } => {
                observe(*handle, sources, action);
                sources.vars.extend(dst.map(|dst| (dst, Bits::default())));
            }
            Op::Sync { op, args, dst } => {
                for (&arg, kind) in args.iter().zip(op.info().args) {
                    observe(arg, sources, action);
                    if *kind == SyncArg::Object {
                        let word = self.contents(self.accessed(arg, Some(4)), sources);
                        action.observes.unite(&word);
                    }
                }
                sources.vars.extend(dst.map(|dst| (dst, Bits::default())));
            }
            Op::Choice(branches) => {
                let before = std::mem::take(sources);
                for branch in branches {
                    let mut inside = before.clone();
                    self.labels(at, branch, &mut inside, action);
                    sources.join(inside, &before);
                }
            }
        }
    }

    /// Arguments go to the parameters of what the edge enters.
    fn pass(&self, at: (Proc, Edge), args: &[Term], sources: &mut Sources) {
        let values: Vec<Bits> = args.iter().map(|&arg| self.read(arg, sources)).collect();
        for &callee in self.entered.get(&at).into_iter().flatten() {
            for (&param, from) in self.program.procs[callee].params.iter().zip(&values) {
                sources.vars.insert(param, from.clone());
            }
        }
    }

    fn read(&self, term: Term, sources: &Sources) -> Bits {
        let mut from = Bits::default();
        for var in self.program.terms.vars_of(term) {
            match sources.vars.get(&var) {
                Some(earlier) => {
                    from.unite(earlier);
                }
                None => {
                    from.insert(var.index());
                }
            }
        }
        from
    }

    /// The regions in which an access, or a range of unknown length, may be.
    fn accessed(&self, address: Term, bytes: Option<u64>) -> Vec<Region> {
        let set: TargetSet = self.points_to.of_term(self.program, address);
        match bytes {
            Some(bytes) => self.regions.of_access(&set, Some(bytes)).into_iter().collect(),
            None => self.regions.of_range(&set, None),
        }
    }

    fn write(&self, regions: Vec<Region>, from: &Bits, sources: &mut Sources, action: &mut Action) {
        // What goes to objects of the environment is not followed from there.
        if regions.is_empty() {
            action.observes.unite(from);
        }
        for region in regions {
            sources.regions.entry(region.index()).or_default().unite(from);
        }
    }

    fn contents(&self, regions: Vec<Region>, sources: &Sources) -> Bits {
        let mut from = Bits::default();
        for region in regions {
            from.insert(self.program.vars.len() + region.index());
            if let Some(earlier) = sources.regions.get(&region.index()) {
                from.unite(earlier);
            }
        }
        from
    }
}

impl Sources {
    /// Adds what came of another branch that began with `before`.
    fn join(&mut self, other: Sources, before: &Sources) {
        for (var, from) in other.vars {
            let is_first = !self.vars.contains_key(&var);
            let here = self.vars.entry(var).or_default();
            here.unite(&from);
            // A branch that leaves it alone leaves what it had.
            if is_first && !before.vars.contains_key(&var) {
                here.insert(var.index());
            }
        }
        for (region, from) in other.regions {
            self.regions.entry(region).or_default().unite(&from);
        }
    }
}
