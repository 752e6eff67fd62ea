//! Merges steps into larger ones.

use ravelin_base::SecondaryMap;
use smallvec::SmallVec;

use super::with_procedure;
use crate::effects::{closes_block, may_stop, may_trap, may_wait};
use crate::model::{Blocks, Edge, EdgeData, Loc, Proc, Procedure, Program};
use crate::op::{Label, Op};
use crate::sections::Sections;
use crate::sharing::Sharing;

/// The maximum size of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockEncoding {
    /// One label per edge, unchanged.
    None,
    /// Everything that a single thread does between calls. In a program with threads: as
    /// thread-local.
    Sequential { max_labels: usize },
    /// At most one access that other threads can observe, or one atomic section.
    ThreadLocal { max_labels: usize },
}

impl Default for BlockEncoding {
    fn default() -> Self {
        BlockEncoding::ThreadLocal { max_labels: 64 }
    }
}

/// Merges sequences of edges into one edge, and branches that join again into a choice, as large as
/// [`BlockEncoding`] allows: large-block encoding (Beyer, Cimatti, Griggio, Keremoglu, Sebastiani:
/// "Software model checking via large-block encoding", FMCAD 2009).
///
/// With one thread the new edge is the composition of the old ones. With several, the pass may
/// remove a location between two steps of a thread if no other thread can observe the difference:
/// at most one of the merged labels touches something shared. Three more rules preserve every
/// behaviour:
/// - A label that may wait stands first, so that an edge is enabled or not as a whole.
/// - No label that may stop the thread or the program follows a label whose effect others can see:
///   in `x = 1; abort();` another thread may run between the two and see the 1.
/// - Calls, thread starts and the end of an atomic section stand last: after each of them, others
///   may move. (Ends of procedures, threads and programs are last anyway.)
///
/// Inside an atomic section ([`Sections`]) no other thread moves, so merged labels there may touch
/// any number of shared locations, and stop anywhere. A section without loops, calls, waits and
/// errors is one step, whose footprint is the union of what its labels touch. In particular:
/// - *Stops inside*: a failed assumption, an error, an exit or an invalid access ends the execution
///   before another thread can see what the section did until then, in one step as in many. Effects
///   before the section stay visible: the section begins a step of its own. In `x = 1; atomic { y =
///   1; assume(0); }` others see the 1 in `x`, and then the section cannot be taken; none of them
///   ever sees the 1 in `y`.
/// - *Waits inside* (a lock, a join, a wait for a condition or at a barrier) stand first on their
///   edge and cut the section there. The thread stays in the section while it waits, so no other
///   thread can end the wait.
/// - *Loops inside* cut the section at their heads, as all locations with several incoming edges
///   do; *calls* and *thread starts* end a step, and a started thread moves only after the section.
/// - *Errors and ends of the program on a branch* never reach the join, so their branch is a step
///   of its own after the one that begins the section.
/// - *Nested sections*: inner borders cut the outer section and have no other effect.
/// - *Procedures* are analysed separately: in one that is called in a section, recursion and calls
///   through pointers included, steps are as small as outside; in the caller, a section counts as
///   open after a call only if no procedure that may be called ends it. A section that is open when
///   its procedure returns does not count in the caller. Each of these makes steps smaller, which
///   is always sound: a thread's state records how deep it is in sections, and between steps inside
///   a section no other thread moves.
pub fn encode_large_blocks(program: &mut Program, encoding: BlockEncoding) {
    let concurrent = program.is_concurrent();
    let (max_labels, blocks) = match encoding {
        BlockEncoding::None => return,
        BlockEncoding::Sequential { max_labels } if !concurrent => (max_labels, Blocks::Sequential),
        BlockEncoding::Sequential { max_labels } | BlockEncoding::ThreadLocal { max_labels } => {
            (max_labels, Blocks::ThreadLocal)
        }
    };
    // Edges out of unreachable locations would count as incoming edges.
    program.procs.values_mut().for_each(Procedure::compact);
    let sharing = concurrent.then(|| Sharing::of(program));
    let sections = Sections::of(program);
    let procs: Vec<Proc> = program.procs.keys().collect();
    for proc in procs {
        with_procedure(program, proc, |program, procedure| {
            let (sharing, inside) = (sharing.as_ref(), sections.inside(proc));
            Encoder::new(program, sharing, inside, procedure, max_labels).encode();
        });
    }
    program.blocks = blocks;
}

/// The properties that decide whether two sequences of labels may be merged.
#[derive(Clone, Copy, Debug, Default)]
struct Summary {
    /// Number of labels, including those in choices.
    size: usize,
    /// Number of shared locations touched.
    shared: usize,
    /// Whether others can observe the sequence.
    visible: bool,
    /// Whether the first label may wait.
    waits: bool,
    /// Whether the first label may stop the execution, and whether a later one may.
    first_stops: bool,
    rest_stops: bool,
    /// Whether nothing may follow the sequence.
    closed: bool,
}

impl Summary {
    fn then(self, next: Summary) -> Summary {
        if self.size == 0 {
            return next;
        }
        Summary {
            size: self.size + next.size,
            shared: self.shared + next.shared,
            visible: self.visible || next.visible,
            waits: self.waits,
            first_stops: self.first_stops,
            rest_stops: self.rest_stops || next.stops(),
            closed: self.closed || next.closed,
        }
    }

    fn stops(self) -> bool {
        self.first_stops || self.rest_stops
    }
}

struct Encoder<'a> {
    procedure: &'a mut Procedure,
    concurrent: bool,
    /// The nesting depth of locations in atomic sections.
    inside: &'a SecondaryMap<Loc, u32>,
    max_labels: usize,
    summaries: SecondaryMap<Edge, Summary>,
    /// Whether evaluating the guard of an edge may trap.
    guard_traps: SecondaryMap<Edge, bool>,
    incoming: SecondaryMap<Loc, SmallVec<[Edge; 2]>>,
}

impl<'a> Encoder<'a> {
    fn new(
        program: &Program,
        sharing: Option<&Sharing>,
        inside: &'a SecondaryMap<Loc, u32>,
        procedure: &'a mut Procedure,
        max_labels: usize,
    ) -> Self {
        for edge in procedure.edges.values_mut() {
            edge.labels.retain(|label| !matches!(label.op, Op::Skip));
        }
        let mut summaries = SecondaryMap::with_capacity(procedure.edges.len());
        let mut guard_traps = SecondaryMap::with_capacity(procedure.edges.len());
        for (edge, data) in procedure.edges.iter() {
            let all = data.labels.iter().map(|label| summary(program, sharing, label));
            summaries[edge] = all.fold(Summary::default(), Summary::then);
            guard_traps[edge] = match data.labels.first() {
                Some(Label { op: Op::Assume(cond), .. }) => may_trap(&program.terms, *cond),
                _ => false,
            };
        }
        let incoming = procedure.incoming();
        let concurrent = sharing.is_some();
        Encoder { procedure, concurrent, inside, max_labels, summaries, guard_traps, incoming }
    }

    fn encode(mut self) {
        let mut work = self.procedure.reverse_postorder();
        // The entry is popped from the stack first.
        work.reverse();
        while let Some(loc) = work.pop() {
            let mut changed = false;
            while self.absorb_successors(loc) || self.merge_parallel(loc) {
                changed = true;
            }
            // A location that became a single step may now be merged in turn.
            if changed && let [edge] = self.incoming[loc].as_slice() {
                work.push(self.procedure.edges[*edge].source);
            }
        }
        self.procedure.compact();
    }

    /// Extends each edge out of `loc` by the single edge that follows it; returns whether any was
    /// extended.
    fn absorb_successors(&mut self, loc: Loc) -> bool {
        let mut changed = false;
        for edge in self.procedure.locs[loc].out.clone() {
            while self.absorb(loc, edge) {
                changed = true;
            }
        }
        changed
    }

    fn absorb(&mut self, loc: Loc, edge: Edge) -> bool {
        let middle = self.procedure.edges[edge].target;
        let &[next] = self.procedure.locs[middle].out.as_slice() else {
            return false;
        };
        let only_way = self.incoming[middle].as_slice() == [edge];
        if !only_way || middle == loc || middle == self.procedure.entry {
            return false;
        }
        let (first, second) = (self.summaries[edge], self.summaries[next]);
        if !self.may_follow(first, second, self.inside[middle] > 0) {
            return false;
        }
        let EdgeData { target, labels, .. } = &mut self.procedure.edges[next];
        let (target, labels) = (*target, std::mem::take(labels));
        let data = &mut self.procedure.edges[edge];
        data.labels.extend(labels);
        data.target = target;
        self.summaries[edge] = first.then(second);
        self.procedure.locs[middle].out.clear();
        self.incoming[middle].clear();
        for into in &mut self.incoming[target] {
            if *into == next {
                *into = edge;
            }
        }
        true
    }

    /// `inside` says whether no other thread can move between the two.
    fn may_follow(&self, first: Summary, second: Summary, inside: bool) -> bool {
        if first.size == 0 || second.size == 0 {
            // An edge without labels can be merged anywhere, but a closed one stays last.
            return !first.closed;
        }
        let fits = first.size + second.size <= self.max_labels;
        let unseen = first.shared + second.shared <= 1 && !(first.visible && second.stops());
        fits && !first.closed && !second.waits && (!self.concurrent || inside || unseen)
    }

    /// Merges the edges out of `loc` into one choice if all have the same target; returns whether
    /// they have.
    fn merge_parallel(&mut self, loc: Loc) -> bool {
        let out = self.procedure.locs[loc].out.clone();
        let Some((&first, others)) = out.split_first() else {
            return false;
        };
        let target = self.procedure.edges[first].target;
        let meet = others.iter().all(|&edge| self.procedure.edges[edge].target == target);
        // A choice gains nothing at the exit, where each edge must end with its own return or stop.
        if others.is_empty() || !meet || target == loc || target == self.procedure.exit {
            return false;
        }
        let summaries = || out.iter().map(|&edge| self.summaries[edge]);
        let size: usize = summaries().map(|summary| summary.size).sum();
        if size > self.max_labels || summaries().any(|summary| summary.closed) {
            return false;
        }
        let merged = Summary {
            size,
            shared: summaries().map(|summary| summary.shared).max().unwrap_or(0),
            visible: summaries().any(|summary| summary.visible),
            waits: false,
            // The guards of the choice stop nothing: one of them holds.
            first_stops: summaries().any(|summary| summary.rest_stops)
                || out.iter().any(|&edge| self.guard_traps[edge]),
            rest_stops: false,
            closed: false,
        };
        let branches: Vec<Vec<Label>> = out
            .iter()
            .map(|&edge| std::mem::take(&mut self.procedure.edges[edge].labels).into_vec())
            .collect();
        let pos = branches[0].first().map(|label| label.pos).unwrap_or_default();
        self.procedure.edges[first].labels.push(Label::new(Op::Choice(branches), pos));
        self.summaries[first] = merged;
        self.guard_traps[first] = false;
        self.procedure.locs[loc].out.truncate(1);
        self.incoming[target].retain(|edge| !others.contains(edge));
        true
    }
}

fn summary(program: &Program, sharing: Option<&Sharing>, label: &Label) -> Summary {
    Summary {
        size: 1,
        shared: sharing.map_or(0, |sharing| sharing.count_op(program, &label.op)),
        visible: sharing.is_some_and(|sharing| sharing.is_visible(program, &label.op)),
        waits: may_wait(&label.op),
        first_stops: may_stop(&program.terms, &label.op),
        rest_stops: false,
        closed: closes_block(&label.op),
    }
}
