//! Kinds of threads: main, and what each `pthread_create` of the program starts.

use ravelin_base::{EntitySet, SecondaryMap};
use ravelin_cfa::{Callee, Edge, Label, Loc, Op, Proc, Procedure, Program};
use ravelin_pointsto::{PointsTo, Position};
use rustc_hash::FxHashMap;

/// Kinds of threads by their numbers.
pub type Kinds = u128;

/// So many kinds are told apart; the last one stands for all further ones.
const MAX_KINDS: usize = 128;

/// The number of the main thread.
pub const MAIN: usize = 0;

/// What is known of one kind of threads.
#[derive(Clone, Debug, Default)]
pub struct Kind {
    pub routines: Vec<Proc>,
    /// At most one thread of an execution is of this kind.
    pub is_unique: bool,
    /// Which procedures such threads execute, those that they call included.
    pub procs: EntitySet<Proc>,
    /// The kinds that such threads start, and those that these start, and so on; with the kind itself.
    pub descendants: Kinds,
    /// The kinds whose threads start such threads.
    pub starters: Kinds,
    /// Such threads may end other than by returning from their routine.
    pub exits: bool,
}

/// The kinds of threads of a program.
#[derive(Debug)]
pub struct Threads {
    pub kinds: Vec<Kind>,
    of_start: FxHashMap<(Proc, Edge), usize>,
    once: EntitySet<Proc>,
    on_cycle: SecondaryMap<Proc, EntitySet<Loc>>,
}

impl Threads {
    pub fn of(program: &Program, points_to: &PointsTo) -> Threads {
        let mut threads = Threads {
            kinds: vec![Kind {
                routines: program.entry.into_iter().collect(),
                is_unique: true,
                ..Kind::default()
            }],
            of_start: FxHashMap::default(),
            once: EntitySet::new(),
            on_cycle: SecondaryMap::new(),
        };
        for (proc, procedure) in program.procs.iter() {
            threads.on_cycle[proc] = on_cycle(procedure);
        }
        threads.find_once(program, points_to);
        threads.find_kinds(program, points_to);
        threads.find_relations(program, points_to);
        threads
    }

    /// The kind of thread that is started on an edge.
    pub fn started_on(&self, proc: Proc, edge: Edge) -> Option<usize> {
        self.of_start.get(&(proc, edge)).copied()
    }

    /// Whether an execution takes an edge from this location at most once, in all its threads together.
    pub fn is_once(&self, proc: Proc, from: Loc) -> bool {
        self.once.contains(proc) && !self.on_cycle[proc].contains(from)
    }

    /// Whether threads of a kind come from those of another kind alone, directly or through others. Nobody starts main.
    pub fn is_only_started_by(&self, kind: usize, ancestor: usize) -> bool {
        kind != MAIN && self.kinds[kind].starters & !self.kinds[ancestor].descendants == 0
    }

    /// The procedures that are entered at most once: there is one call or start of them, which is executed at most once.
    fn find_once(&mut self, program: &Program, points_to: &PointsTo) {
        let mut sites: FxHashMap<Proc, Vec<(Proc, Loc)>> = FxHashMap::default();
        for (proc, procedure) in program.procs.iter() {
            for (edge, data) in procedure.edges.iter() {
                for_each_entered(points_to, proc, edge, &data.labels, &mut |entered, _| {
                    sites.entry(entered).or_default().push((proc, data.source));
                });
            }
        }
        let Some(entry) = program.entry else { return };
        if !sites.contains_key(&entry) {
            self.once.insert(entry);
        }
        loop {
            let mut has_changed = false;
            for proc in program.procs.keys() {
                if let Some([(caller, from)]) = sites.get(&proc).map(Vec::as_slice)
                    && self.is_once(*caller, *from)
                {
                    has_changed |= self.once.insert(proc);
                }
            }
            if !has_changed {
                return;
            }
        }
    }

    fn find_kinds(&mut self, program: &Program, points_to: &PointsTo) {
        for (proc, procedure) in program.procs.iter() {
            if !points_to.is_reached(proc) {
                continue;
            }
            for (edge, data) in procedure.edges.iter() {
                let mut routines = Vec::new();
                for_each_entered(points_to, proc, edge, &data.labels, &mut |entered, is_start| {
                    if is_start {
                        routines.push(entered);
                    }
                });
                if routines.is_empty() {
                    continue;
                }
                let is_full = self.kinds.len() == MAX_KINDS;
                if is_full {
                    let last = &mut self.kinds[MAX_KINDS - 1];
                    last.is_unique = false;
                    last.routines.extend(routines);
                } else {
                    let is_unique = self.is_once(proc, data.source);
                    self.kinds.push(Kind { routines, is_unique, ..Kind::default() });
                }
                self.of_start.insert((proc, edge), self.kinds.len() - 1);
            }
        }
    }

    fn find_relations(&mut self, program: &Program, points_to: &PointsTo) {
        for number in 0..self.kinds.len() {
            let (mut procs, mut exits, mut starts) = (EntitySet::new(), false, 0);
            let mut work = self.kinds[number].routines.clone();
            while let Some(proc) = work.pop() {
                if !procs.insert(proc) {
                    continue;
                }
                for (edge, data) in program.procs[proc].edges.iter() {
                    for_each_entered(points_to, proc, edge, &data.labels, &mut |entered, start| {
                        if !start {
                            work.push(entered);
                        }
                    });
                    if let Some(started) = self.started_on(proc, edge) {
                        starts |= 1 << started;
                    }
                    let ends =
                        |label: &Label| label.any(&mut |it| matches!(it.op, Op::ThreadExit { .. }));
                    exits |= data.labels.iter().any(ends);
                }
            }
            let kind = &mut self.kinds[number];
            (kind.procs, kind.exits, kind.descendants) = (procs, exits, starts | (1 << number));
            for started in members(starts) {
                self.kinds[started].starters |= 1 << number;
            }
        }
        loop {
            let mut has_changed = false;
            for number in 0..self.kinds.len() {
                let before = self.kinds[number].descendants;
                let after =
                    members(before).fold(before, |all, it| all | self.kinds[it].descendants);
                self.kinds[number].descendants = after;
                has_changed |= after != before;
            }
            if !has_changed {
                return;
            }
        }
    }
}

/// The numbers in a set.
pub fn members(kinds: Kinds) -> impl Iterator<Item = usize> {
    (0..MAX_KINDS).filter(move |number| kinds >> number & 1 != 0)
}

/// Calls `visit` on the procedures that labels call or start, and whether they start them.
pub fn for_each_entered(
    points_to: &PointsTo,
    proc: Proc,
    edge: Edge,
    labels: &[Label],
    visit: &mut dyn FnMut(Proc, bool),
) {
    let mut number = 0;
    for label in labels {
        label.walk(&mut |label| {
            let position = Position { proc, edge, label: number };
            number += 1;
            let (callee, is_start) = match &label.op {
                Op::Call { callee, .. } => (callee, false),
                Op::Start { routine, .. } => (routine, true),
                _ => return,
            };
            match callee {
                Callee::Direct(entered) => visit(*entered, is_start),
                Callee::Pointer(_) => {
                    points_to.callees(position).iter().for_each(|&it| visit(it, is_start));
                }
            }
        });
    }
}

/// The locations of a procedure that a path leads back to.
fn on_cycle(procedure: &Procedure) -> EntitySet<Loc> {
    // Locations are on a cycle if they are in a strongly connected component with an edge inside (Tarjan, without
    // recursion).
    let count = procedure.locs.len();
    let mut found = EntitySet::with_capacity(count);
    let (mut index, mut low): (SecondaryMap<Loc, u32>, SecondaryMap<Loc, u32>) =
        (SecondaryMap::with_capacity(count), SecondaryMap::with_capacity(count));
    let (mut next, mut open) = (1, Vec::new());
    let mut is_open: EntitySet<Loc> = EntitySet::with_capacity(count);
    for root in procedure.locs.keys() {
        if index[root] != 0 {
            continue;
        }
        let mut calls = vec![(root, 0)];
        while let Some(&(loc, edge)) = calls.last() {
            if edge == 0 {
                (index[loc], low[loc]) = (next, next);
                next += 1;
                open.push(loc);
                is_open.insert(loc);
            }
            if let Some(&out) = procedure.locs[loc].out.get(edge) {
                if let Some(last) = calls.last_mut() {
                    last.1 += 1;
                }
                let target = procedure.edges[out].target;
                if target == loc {
                    found.insert(loc);
                }
                if index[target] == 0 {
                    calls.push((target, 0));
                } else if is_open.contains(target) {
                    low[loc] = low[loc].min(index[target]);
                }
                continue;
            }
            calls.pop();
            if let Some(&(caller, _)) = calls.last() {
                low[caller] = low[caller].min(low[loc]);
            }
            if low[loc] == index[loc] {
                let start = open.iter().rposition(|&it| it == loc).unwrap_or(0);
                let component = open.split_off(start);
                for &member in &component {
                    is_open.remove(member);
                    if component.len() > 1 {
                        found.insert(member);
                    }
                }
            }
        }
    }
    found
}
