//! What edges touch, and what can still be touched from a location on.

use ravelin_base::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};
use ravelin_cfa::access::{Access, for_each_access};
use ravelin_cfa::{
    AllocKind, Callee, Edge, Label, Loc, Object, ObjectKind, Op, Proc, Procedure, Program, SyncOp,
    Term, Var, VarKind, ops,
};
use ravelin_pointsto::{
    Division, ObjectName, PointsTo, Position, Region, Regions, Target, TargetSet, for_each_label,
    for_each_label_on,
};

use crate::bits::Bits;
use crate::dataflow::Place;
use crate::footprint::{Footprint, Mask};

/// Sets of mutexes are words.
const MAX_LOCKS: usize = 64;

type PerEdge<T> = PrimaryMap<Proc, SecondaryMap<Edge, T>>;

/// The footprints of a program.
#[derive(Debug)]
pub struct Tables {
    steps: PerEdge<Footprint>,
    futures: Futures,
    leaving: PrimaryMap<Proc, Footprint>,
    everything: Footprint,
    /// What edges touch by themselves, and the procedures they call or start.
    edges: PerEdge<Footprint>,
    entered: PerEdge<Vec<Proc>>,
    /// Of edges with one access to shared memory through a pointer that may lead to several objects: it.
    ambiguous: PerEdge<Option<Term>>,
    /// The bits of shared variables, the variables by bit, and all bits that are of other things.
    globals: SecondaryMap<Var, Option<usize>>,
    shared: Vec<Var>,
    always: Bits,
    /// The bit of joining threads.
    joins: usize,
    /// The mutexes that are known by name, and the edges that lock them.
    locks: Vec<(Object, i64)>,
    locking: PerEdge<Option<usize>>,
}

/// What can still be touched from locations on.
#[derive(Debug)]
pub struct Futures {
    touched: PrimaryMap<Proc, SecondaryMap<Loc, Footprint>>,
    /// Whether the procedure can be left.
    leaves: PrimaryMap<Proc, SecondaryMap<Loc, bool>>,
}

impl Futures {
    /// What can be touched from a location on until the procedure is left: there, in the calls made and
    /// by the threads started on the way.
    pub fn touched(&self, proc: Proc, loc: Loc) -> &Footprint {
        &self.touched[proc][loc]
    }

    /// Whether the procedure can be left from a location on.
    pub fn leaves(&self, proc: Proc, loc: Loc) -> bool {
        self.leaves[proc][loc]
    }
}

impl Tables {
    /// Looks at every label of the procedures that are reached.
    pub fn new(program: &Program, points_to: &PointsTo) -> Tables {
        Tables::divided(program, points_to, Division::default())
    }

    /// The same with memory divided like this.
    pub fn divided(program: &Program, points_to: &PointsTo, division: Division) -> Tables {
        let maker = Maker::new(program, points_to, division);
        let mut edges = PrimaryMap::with_capacity(program.procs.len());
        let mut entered = PrimaryMap::with_capacity(program.procs.len());
        let mut called = PrimaryMap::with_capacity(program.procs.len());
        let mut leaving = PrimaryMap::with_capacity(program.procs.len());
        let mut ambiguous = PrimaryMap::with_capacity(program.procs.len());
        for (proc, procedure) in program.procs.iter() {
            let mut touched: SecondaryMap<Edge, Footprint> = SecondaryMap::new();
            let mut calls: SecondaryMap<Edge, Vec<Proc>> = SecondaryMap::new();
            let mut enters: SecondaryMap<Edge, Vec<Proc>> = SecondaryMap::new();
            let mut pointers: SecondaryMap<Edge, Option<Term>> = SecondaryMap::new();
            for (edge, data) in procedure.edges.iter() {
                pointers[edge] = maker.ambiguous(&data.labels);
                let made = maker.edge(proc, edge);
                touched[edge] = made.footprint;
                enters[edge] = made.calls.iter().chain(&made.starts).copied().collect();
                calls[edge] = made.calls;
            }
            edges.push(touched);
            entered.push(enters);
            called.push(calls);
            ambiguous.push(pointers);
            leaving.push(maker.leave(proc));
        }
        let (mut locks, mut locking) = (Vec::new(), PrimaryMap::with_capacity(program.procs.len()));
        for procedure in program.procs.values() {
            let mut table: SecondaryMap<Edge, Option<usize>> = SecondaryMap::new();
            for (edge, data) in procedure.edges.iter() {
                let Some(lock) = maker.locks_first(&data.labels) else { continue };
                let index = locks.iter().position(|&other| other == lock).unwrap_or_else(|| {
                    locks.push(lock);
                    locks.len() - 1
                });
                table[edge] = (index < MAX_LOCKS).then_some(index);
            }
            locking.push(table);
        }
        let mut tables = Tables {
            steps: edges.clone(),
            futures: Futures { touched: PrimaryMap::new(), leaves: PrimaryMap::new() },
            leaving,
            everything: maker.everything.clone(),
            edges,
            entered,
            ambiguous,
            always: (maker.first_life..=maker.outside).collect(),
            joins: maker.joins,
            shared: program.vars.keys().filter(|&var| maker.globals[var].is_some()).collect(),
            globals: maker.globals,
            locks,
            locking,
        };
        tables.futures = tables.futures_without(program, 0);
        tables.close_atomic_sections(program, &called);
        tables
    }

    /// What the step along an edge touches; if an atomic section begins there, what the section does.
    pub fn step(&self, proc: Proc, edge: Edge) -> &Footprint {
        &self.steps[proc][edge]
    }

    /// Whether the step along an edge may wait for the end of a thread, also inside an atomic section that
    /// begins there.
    pub fn waits_for_end(&self, proc: Proc, edge: Edge) -> bool {
        self.steps[proc][edge].writes(self.joins)
    }

    /// The pointer of the only access to shared memory along an edge, if it may lead to several objects: who
    /// knows where it leads, knows more than the tables.
    pub fn ambiguous(&self, proc: Proc, edge: Edge) -> Option<Term> {
        self.ambiguous[proc][edge]
    }

    /// What can still be touched, whatever the others do.
    pub fn futures(&self) -> &Futures {
        &self.futures
    }

    /// The number of the mutex at an offset of an object, if it is known by name: below 64.
    pub fn lock(&self, object: Object, offset: i64) -> Option<usize> {
        self.locks.iter().take(MAX_LOCKS).position(|&lock| lock == (object, offset))
    }

    /// Of variables and memory, only these are tracked; what else threads conflict on counts always: lives of
    /// objects, synchronisation, ends of threads.
    pub fn mask(
        &self,
        vars: impl IntoIterator<Item = Var>,
        regions: impl IntoIterator<Item = Region>,
    ) -> Mask {
        let mut named = self.always.clone();
        for var in vars {
            if let Some(bit) = self.globals[var] {
                named.insert(bit);
            }
        }
        Mask { named, regions: regions.into_iter().map(EntityRef::index).collect() }
    }

    /// What is left of a mask for conflicts with a footprint, where not all places matter.
    pub fn narrowed(
        &self,
        mask: &Mask,
        touched: &Footprint,
        matters: impl Fn(Place) -> bool,
    ) -> Mask {
        let (named, regions) = touched.within(mask);
        let matters_by_name = |bit: &usize| match self.shared.get(*bit) {
            Some(&var) => matters(Place::Var(var)),
            None => true,
        };
        let matters_in_memory = |region: &usize| matters(Place::Region(Region::new(*region)));
        Mask {
            named: named.iter().filter(matters_by_name).collect(),
            regions: regions.iter().filter(matters_in_memory).collect(),
        }
    }

    /// The number of the mutex that is locked along an edge, if it is known by name: below 64.
    pub fn locked_along(&self, proc: Proc, edge: Edge) -> Option<usize> {
        self.locking[proc][edge]
    }

    /// What leaving the procedure touches: its objects end.
    pub fn leaving(&self, proc: Proc) -> &Footprint {
        &self.leaving[proc]
    }

    /// All there is.
    pub fn everything(&self) -> &Footprint {
        &self.everything
    }

    /// What can still be touched while others hold the mutexes of this set: edges that lock one of them
    /// are not taken.
    pub fn futures_without(&self, program: &Program, held: u64) -> Futures {
        let mut touched: PrimaryMap<Proc, SecondaryMap<Loc, Footprint>> =
            program.procs.keys().map(|_| SecondaryMap::new()).collect();
        let mut leaves: PrimaryMap<Proc, SecondaryMap<Loc, bool>> =
            program.procs.keys().map(|_| SecondaryMap::new()).collect();
        // The least tables in which a location can do what its edges do, what they call and start does,
        // and what can be done behind them.
        until_stable(program, |proc, procedure, loc| {
            let mut future = std::mem::take(&mut touched[proc][loc]);
            let mut grew = false;
            let mut can_leave = loc == procedure.exit;
            for &edge in &procedure.locs[loc].out {
                if self.locking[proc][edge].is_some_and(|lock| held >> lock & 1 == 1) {
                    continue;
                }
                grew |= future.add(&self.edges[proc][edge]);
                let target = procedure.edges[edge].target;
                can_leave |= leaves[proc][target];
                if target != loc {
                    grew |= future.add(&touched[proc][target]);
                }
                for &callee in &self.entered[proc][edge] {
                    let entry = program.procs[callee].entry;
                    // A location that calls its own procedure from its entry adds itself.
                    if (callee, entry) != (proc, loc) {
                        grew |= future.add(&touched[callee][entry]);
                    }
                }
            }
            if can_leave {
                grew |= future.add(&self.leaving[proc]);
                grew |= !std::mem::replace(&mut leaves[proc][loc], true);
            }
            touched[proc][loc] = future;
            grew
        });
        Futures { touched, leaves }
    }

    /// A step that begins an atomic section is the whole section.
    fn close_atomic_sections(&mut self, program: &Program, called: &PerEdge<Vec<Proc>>) {
        for (proc, procedure) in program.procs.iter() {
            let begins: Vec<Edge> = procedure
                .edges
                .keys()
                .filter(|&edge| mentions(&procedure.edges[edge].labels, &Op::AtomicBegin))
                .collect();
            let mut closed = Vec::new();
            for edge in begins {
                closed.push((edge, self.section(program, called, proc, edge)));
            }
            for (edge, footprint) in closed {
                self.steps[proc][edge] = footprint;
            }
        }
    }

    fn section(
        &self,
        program: &Program,
        called: &PerEdge<Vec<Proc>>,
        proc: Proc,
        first: Edge,
    ) -> Footprint {
        let procedure = &program.procs[proc];
        let mut footprint = Footprint::default();
        let mut seen = EntitySet::new();
        let mut work = vec![first];
        while let Some(edge) = work.pop() {
            if !seen.insert(edge) {
                continue;
            }
            footprint.add(&self.steps[proc][edge]);
            for &callee in &called[proc][edge] {
                footprint.add(&self.futures.touched[callee][program.procs[callee].entry]);
            }
            let data = &procedure.edges[edge];
            // What nests ends later; what is left by a return goes on in a caller, which may be any.
            let nests = edge != first && mentions(&data.labels, &Op::AtomicBegin);
            if nests || data.target == procedure.exit && !ends_section(&data.labels) {
                return self.everything.clone();
            }
            if !ends_section(&data.labels) {
                work.extend(procedure.locs[data.target].out.iter().copied());
            }
        }
        footprint
    }
}

fn mentions(labels: &[Label], op: &Op) -> bool {
    labels.iter().any(|label| label.any(&mut |label| label.op == *op))
}

/// Whether an atomic section ends with these labels, or the program or thread does.
fn ends_section(labels: &[Label]) -> bool {
    match labels.last().map(|label| &label.op) {
        Some(ops!(end) | Op::AtomicEnd | Op::ThreadExit { .. }) => true,
        Some(_) | None => false,
    }
}

/// What an edge touches by itself, and the procedures it calls and starts.
#[derive(Default)]
struct Made {
    footprint: Footprint,
    calls: Vec<Proc>,
    starts: Vec<Proc>,
}

/// Whose end is that of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// A frame of this procedure.
    Frame(Proc),
    Thread,
}

struct Maker<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    regions: Regions,
    escaped: SecondaryMap<Target, bool>,
    /// The regions in each object.
    of_target: SecondaryMap<Target, Vec<usize>>,
    /// The bit of each shared variable.
    globals: SecondaryMap<Var, Option<usize>>,
    first_life: usize,
    first_sync: usize,
    /// Operations on many bytes touch more than what has a region.
    first_bulk: usize,
    joins: usize,
    /// What of the heap is left when the program ends, if that matters.
    heap: usize,
    /// Memory that is not the program's.
    outside: usize,
    everything: Footprint,
    /// The objects that end by themselves.
    owned: Vec<(Target, Owner)>,
}

impl<'a> Maker<'a> {
    fn new(program: &'a Program, points_to: &'a PointsTo, division: Division) -> Self {
        let regions = Regions::new(program, points_to, division);
        let mut globals = SecondaryMap::new();
        let mut count = 0;
        for (var, data) in program.vars.iter() {
            if let VarKind::Global { .. } = data.kind {
                globals[var] = Some(count);
                count += 1;
            }
        }
        let mut of_target: SecondaryMap<Target, Vec<usize>> = SecondaryMap::new();
        let mut targets = 0;
        for (region, data) in regions.iter() {
            for cell in &data.cells {
                let list = &mut of_target[cell.target];
                if !list.contains(&region.index()) {
                    list.push(region.index());
                }
                targets = targets.max(cell.target.index() + 1);
            }
        }
        let mut owned = Vec::new();
        for (object, data) in program.objects.iter() {
            if let Some(target) = points_to.target(ObjectName::Object(object)) {
                targets = targets.max(target.index() + 1);
                match data.kind {
                    ObjectKind::Local(proc) => owned.push((target, Owner::Frame(proc))),
                    ObjectKind::ThreadLocal => owned.push((target, Owner::Thread)),
                    ObjectKind::Global | ObjectKind::Constant | ObjectKind::Function(_) => {}
                }
            }
        }
        for_each_label(program, &mut |position, label| {
            if let Op::Alloc { kind: AllocKind::Stack, .. } = label.op
                && let Some(target) = points_to.target(ObjectName::Allocated(position))
            {
                targets = targets.max(target.index() + 1);
                owned.push((target, Owner::Frame(position.proc)));
            }
        });
        let escaped = points_to.escaped(program);
        let first_life = count;
        let region_count = regions.len();
        let mut maker = Maker {
            program,
            points_to,
            regions,
            escaped,
            of_target,
            globals,
            first_life,
            first_sync: 0,
            first_bulk: 0,
            joins: 0,
            heap: 0,
            outside: 0,
            everything: Footprint::default(),
            owned,
        };
        // Objects that are allocated have targets too; how many there are, their uses tell.
        program.for_each_label(|_, label| {
            for_each_access(&label.op, &mut |access| {
                let address = match access {
                    Access::ReadMemory(address)
                    | Access::WriteMemory(address)
                    | Access::FreeMemory(address)
                    | Access::Sync(_, address) => address,
                    _ => return,
                };
                for target in maker.points_to.of_term(program, address).targets() {
                    targets = targets.max(target.index() + 1);
                }
            });
        });
        maker.first_sync = first_life + targets;
        maker.first_bulk = maker.first_sync + targets;
        maker.joins = maker.first_bulk + targets;
        maker.heap = maker.joins + 1;
        maker.outside = maker.heap + 1;
        for bit in 0..=maker.outside {
            maker.everything.write(bit);
        }
        for region in 0..region_count {
            maker.everything.region(region, true);
        }
        for target in 0..targets {
            maker.everything.object(target, true);
        }
        maker
    }

    /// The mutex that these labels begin with locking, if it is one and known by name.
    fn locks_first(&self, labels: &[Label]) -> Option<(Object, i64)> {
        let Some(Op::Sync { op: SyncOp::MutexLock, args, .. }) = labels.first().map(|it| &it.op)
        else {
            return None;
        };
        let set = self.points_to.of_term(self.program, *args.first()?);
        let &[(target, offset)] = set.places() else { return None };
        let ObjectName::Object(object) = self.points_to.name(target) else { return None };
        // Of a global there is one instance; a pointer that is none at all locks nothing.
        let is_global = self.program.objects[object].kind == ObjectKind::Global;
        if set.is_unknown() || !is_global {
            return None;
        }
        Some((object, offset.as_exact()?))
    }

    /// The pointer of the only access to shared memory, if there is one that may lead to several objects
    /// and has its value before the edge is taken.
    fn ambiguous(&self, labels: &[Label]) -> Option<Term> {
        let mut found = None;
        let mut assigned: Vec<Var> = Vec::new();
        for Label { op, .. } in labels {
            match op {
                Op::Load { addr, .. } | Op::Store { addr, .. } => {
                    let set = self.points_to.of_term(self.program, *addr);
                    if set.is_unknown() {
                        return None;
                    }
                    if set.targets().any(|target| self.escaped[target]) {
                        let vars = self.program.terms.vars_of(*addr);
                        let is_known = vars.iter().all(|&var| {
                            !self.program.is_shared_var(var) && !assigned.contains(&var)
                        });
                        if !is_known || set.targets().count() < 2 || found.is_some() {
                            return None;
                        }
                        found = Some(*addr);
                    }
                }
                Op::Skip | Op::Assume(_) | Op::Assign { .. } | Op::Havoc { .. } => {}
                // These have footprints of their own.
                _ => return None,
            }
            assigned.extend(op.dst());
        }
        found
    }

    fn edge(&self, proc: Proc, edge: Edge) -> Made {
        let mut made = Made::default();
        for_each_label_on(self.program, proc, edge, &mut |position, label| {
            self.label(label, position, &mut made);
        });
        made
    }

    fn label(&self, label: &Label, position: Position, made: &mut Made) {
        let Made { footprint, calls, starts } = made;
        let enters =
            |callee: &Callee, procs: &mut Vec<Proc>, footprint: &mut Footprint| match callee {
                Callee::Direct(proc) => procs.push(*proc),
                Callee::Pointer(pointer) => {
                    if self.points_to.of_term(self.program, *pointer).is_unknown() {
                        footprint.add(&self.everything);
                    }
                    procs.extend(self.points_to.callees(position));
                }
            };
        match &label.op {
            Op::Call { callee, .. } => enters(callee, calls, footprint),
            Op::Start { routine, .. } => enters(routine, starts, footprint),
            Op::HavocMemory { .. } => {
                footprint.add(&self.everything);
            }
            Op::Return { .. } => {
                footprint.add(&self.leave(position.proc));
            }
            // It leaves every procedure that the thread is in.
            Op::ThreadExit { .. } => {
                for proc in self.program.procs.keys() {
                    footprint.add(&self.leave(proc));
                }
            }
            Op::Exit { .. } | Op::Abort | Op::Error(_) => self.ends_program(footprint),
            Op::Free { .. } | Op::Realloc { .. } if self.program.checks_leaks() => {
                footprint.write(self.heap);
            }
            _ => {}
        }
        let (program, op) = (self.program, &label.op);
        for_each_access(op, &mut |access| match access {
            Access::Evaluate(term) => {
                for var in program.terms.vars_of(term) {
                    if let Some(bit) = self.globals[var] {
                        footprint.read(bit);
                    }
                }
            }
            Access::Assign(var) => {
                if let Some(bit) = self.globals[var] {
                    footprint.write(bit);
                }
            }
            Access::ReadMemory(address) => self.memory(op, address, false, footprint),
            Access::WriteMemory(address) => self.memory(op, address, true, footprint),
            Access::FreeMemory(address) => {
                let set = self.points_to.of_term(program, address);
                self.ends(&set, footprint);
            }
            Access::Lifetime(object) => self.life_of(object, footprint),
            Access::Sync(_, address) => self.synchronises(address, footprint),
            Access::Join(_) => footprint.write(self.joins),
            // Nobody else can act on a thread before it is started; what it does is in the future of
            // who starts it. Output has no effect in the program.
            Access::Start | Access::ReachMemory(_) | Access::Atomic | Access::Enter(_) => {}
        });
    }

    /// An access that may be to anything, or to what other threads get at; otherwise it is nobody's
    /// business.
    fn shared(&self, set: &TargetSet, footprint: &mut Footprint) -> bool {
        if set.is_unknown() {
            footprint.add(&self.everything);
            return false;
        }
        set.targets().any(|target| self.escaped[target])
    }

    fn memory(&self, op: &Op, address: Term, write: bool, footprint: &mut Footprint) {
        let set = self.points_to.of_term(self.program, address);
        // A pointer that nobody assigned leads to an object of the environment, perhaps of all threads.
        if set.places().is_empty() && !set.is_unknown() {
            let bit = self.outside;
            if write { footprint.write(bit) } else { footprint.read(bit) }
        }
        if !self.shared(&set, footprint) {
            return;
        }
        let bytes = match op {
            Op::Load { dst, .. } => self.program.bytes_of(self.program.vars[*dst].sort),
            Op::Store { value, .. } => self.program.bytes_of(self.program.terms.sort(*value)),
            _ => None,
        };
        let regions = match bytes {
            Some(bytes) => self.regions.of_access(&set, Some(bytes)).into_iter().collect(),
            None => self.regions.of_range(&set, None),
        };
        for region in regions {
            footprint.region(region.index(), write);
        }
        for target in set.targets() {
            footprint.object(target.index(), write);
            footprint.read(self.first_life + target.index());
            if bytes.is_none() {
                let bit = self.first_bulk + target.index();
                if write { footprint.write(bit) } else { footprint.read(bit) }
            }
        }
    }

    /// The objects of a set end.
    fn ends(&self, set: &TargetSet, footprint: &mut Footprint) {
        if !self.shared(set, footprint) {
            return;
        }
        for target in set.targets() {
            self.end(target, footprint);
        }
    }

    fn end(&self, target: Target, footprint: &mut Footprint) {
        footprint.write(self.first_life + target.index());
        footprint.write(self.first_sync + target.index());
        footprint.write(self.first_bulk + target.index());
        self.contents(target, true, footprint);
    }

    /// All bytes of an object.
    fn contents(&self, target: Target, write: bool, footprint: &mut Footprint) {
        footprint.object(target.index(), write);
        for &region in &self.of_target[target] {
            footprint.region(region, write);
        }
    }

    fn life_of(&self, object: Object, footprint: &mut Footprint) {
        match self.points_to.target(ObjectName::Object(object)) {
            Some(target) if self.escaped[target] => self.end(target, footprint),
            Some(_) => {}
            None => {
                footprint.add(&self.everything);
            }
        }
    }

    /// What synchronises in an object is not told apart; its bytes are read for the kind of a mutex.
    fn synchronises(&self, address: Term, footprint: &mut Footprint) {
        let set = self.points_to.of_term(self.program, address);
        if set.is_unknown() {
            footprint.add(&self.everything);
            return;
        }
        for target in set.targets() {
            footprint.write(self.first_sync + target.index());
            footprint.read(self.first_life + target.index());
            footprint.read(self.first_bulk + target.index());
            self.contents(target, false, footprint);
        }
    }

    /// The program ends, with what is left of the heap.
    ///
    /// Deallocations conflict with it, and nothing else does. Allocations make more be left, assignments and ends of
    /// frames more be lost, and what is lost stays lost: what other threads do before the end takes no violation
    /// away. (A pointer that was moved out of its object and comes back is the exception. The explorer notes those.)
    fn ends_program(&self, footprint: &mut Footprint) {
        if self.program.checks_leaks() {
            footprint.read(self.heap);
        }
    }

    /// The objects of a frame end; and those that are a thread's, since it may be its last.
    fn leave(&self, proc: Proc) -> Footprint {
        let mut footprint = Footprint::default();
        if self.program.entry == Some(proc) {
            self.ends_program(&mut footprint);
        }
        for &(target, owner) in &self.owned {
            let ends = match owner {
                Owner::Frame(owner) => owner == proc,
                Owner::Thread => true,
            };
            if ends && self.escaped[target] {
                self.end(target, &mut footprint);
            }
        }
        footprint
    }
}

/// Visits the locations until no visit changes anything, the last ones of procedures first.
pub(crate) fn until_stable(
    program: &Program,
    mut changes: impl FnMut(Proc, &Procedure, Loc) -> bool,
) {
    let orders: PrimaryMap<Proc, Vec<Loc>> =
        program.procs.values().map(|procedure| procedure.reverse_postorder()).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (proc, procedure) in program.procs.iter() {
            for &loc in orders[proc].iter().rev() {
                changed |= changes(proc, procedure, loc);
            }
        }
    }
}
