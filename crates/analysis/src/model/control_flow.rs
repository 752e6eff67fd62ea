//! Control-flow facts: how far the error is from a location, what comes first, where loops begin, what calls itself.

use std::collections::VecDeque;

use ravelin_base::{EntityRef, EntitySet, SecondaryMap};
use ravelin_cfa::flow::loops::natural_loops;
use ravelin_cfa::{Callee, Label, Loc, ObjectKind, Op, Proc, Procedure, Program};
use ravelin_term::{Term, Var};

use crate::model::step::Site;

/// Facts about the locations of all procedures, for the order of searches and for what begins and ends blocks.
#[derive(Debug)]
pub struct ControlFlowFacts {
    procs: SecondaryMap<Proc, ProcedureFacts>,
}

#[derive(Clone, Debug, Default)]
struct ProcedureFacts {
    /// Steps to an error, into called procedures too.
    distance: Vec<u32>,
    /// The place in reverse postorder.
    progress: Vec<u32>,
    loop_heads: EntitySet<Loc>,
    /// Whether the procedure may call itself, through others too.
    recursive: bool,
}

/// The variables on which it depends how often loops go round that start threads or wait for their ends.
/// Without their values there would be no end of threads.
pub fn thread_counters(program: &Program) -> Vec<Var> {
    let mut found: EntitySet<Var> = EntitySet::new();
    for procedure in program.procs.values() {
        let cyclic = on_cycles(procedure);
        let mut labels: Vec<&Label> = Vec::new();
        for edge in procedure.edges.values() {
            if cyclic.contains(edge.source) {
                edge.labels.iter().for_each(|label| label.walk(&mut |label| labels.push(label)));
            }
        }
        let is_of_threads = |label: &&Label| {
            matches!(label.op, Op::Start { .. } | Op::Join { .. } | Op::Call { .. })
        };
        if !labels.iter().any(is_of_threads) {
            continue;
        }
        let mut work: Vec<Term> = Vec::new();
        for label in &labels {
            if let Op::Assume(condition) = label.op {
                work.push(condition);
            }
        }
        while let Some(term) = work.pop() {
            for var in program.terms.vars_of(term) {
                if found.insert(var) {
                    work.extend(labels.iter().filter_map(|label| match label.op {
                        Op::Assign { dst, value } if dst == var => Some(value),
                        _ => None,
                    }));
                }
            }
        }
    }
    found.iter().collect()
}

/// The distance where no error can be reached inside the procedure and those it calls.
const FAR: u32 = 1 << 24;

impl ControlFlowFacts {
    pub fn new(program: &Program) -> Self {
        let mut procs: SecondaryMap<Proc, ProcedureFacts> =
            SecondaryMap::with_capacity(program.procs.len());
        for (proc, procedure) in program.procs.iter() {
            let facts = &mut procs[proc];
            facts.distance = vec![FAR; procedure.locs.len()];
            facts.progress = vec![u32::MAX; procedure.locs.len()];
            for (place, loc) in procedure.reverse_postorder().into_iter().enumerate() {
                facts.progress[loc.as_u32() as usize] = place as u32;
            }
            facts.loop_heads = loop_heads(procedure);
        }
        for proc in program.procs.keys() {
            procs[proc].recursive = calls_itself(program, proc);
        }
        let mut facts = ControlFlowFacts { procs };
        facts.measure(program);
        facts
    }

    /// Distances, from the errors backwards. A call is as far as the callee's entry; distances only
    /// order the search, so what is behind a return is not counted.
    fn measure(&mut self, program: &Program) {
        let mut work: VecDeque<(Proc, Loc)> = VecDeque::new();
        let mut callers: SecondaryMap<Proc, Vec<(Proc, Loc)>> =
            SecondaryMap::with_capacity(program.procs.len());
        let incoming: SecondaryMap<Proc, Vec<Vec<Loc>>> = {
            let mut all: SecondaryMap<Proc, Vec<Vec<Loc>>> =
                SecondaryMap::with_capacity(program.procs.len());
            for (proc, procedure) in program.procs.iter() {
                let mut sources = vec![Vec::new(); procedure.locs.len()];
                for edge in procedure.edges.values() {
                    sources[edge.target.as_u32() as usize].push(edge.source);
                    match edge.labels.last().map(|label| &label.op) {
                        Some(Op::Error(_) | Op::Claim(_)) => {
                            self.procs[proc].distance[edge.source.as_u32() as usize] = 0;
                            work.push_back((proc, edge.source));
                        }
                        Some(Op::Call { callee: Callee::Direct(callee), .. }) => {
                            callers[*callee].push((proc, edge.source));
                        }
                        _ => {}
                    }
                }
                all[proc] = sources;
            }
            all
        };
        while let Some((proc, loc)) = work.pop_front() {
            let next = self.procs[proc].distance[loc.as_u32() as usize] + 1;
            let mut reach = |proc: Proc, loc: Loc, work: &mut VecDeque<(Proc, Loc)>| {
                let known = &mut self.procs[proc].distance[loc.as_u32() as usize];
                if next < *known {
                    *known = next;
                    work.push_back((proc, loc));
                }
            };
            for &source in &incoming[proc][loc.as_u32() as usize] {
                reach(proc, source, &mut work);
            }
            if loc == program.procs[proc].entry {
                for &(caller, source) in &callers[proc] {
                    reach(caller, source, &mut work);
                }
            }
        }
    }

    /// How far the error is, and how far along the control flow the location.
    pub fn rank(&self, site: Site) -> (i64, i64) {
        let facts = &self.procs[site.proc];
        let at = site.loc.as_u32() as usize;
        (facts.distance[at].into(), facts.progress[at].into())
    }

    pub fn is_recursive(&self, proc: Proc) -> bool {
        self.procs[proc].recursive
    }

    /// Whether a loop begins at the location: every cycle of a procedure has such a location.
    pub fn is_loop_head(&self, proc: Proc, loc: Loc) -> bool {
        self.procs[proc].loop_heads.contains(loc)
    }
}

fn calls_itself(program: &Program, proc: Proc) -> bool {
    let mut seen = EntitySet::new();
    let mut work = vec![proc];
    while let Some(next) = work.pop() {
        for edge in program.procs[next].edges.values() {
            match edge.labels.last().map(|label| &label.op) {
                Some(Op::Call { callee: Callee::Direct(callee), .. }) => {
                    if *callee == proc {
                        return true;
                    }
                    if seen.insert(*callee) {
                        work.push(*callee);
                    }
                }
                // Anything may be behind a pointer.
                Some(Op::Call { callee: Callee::Pointer(_), .. }) => return true,
                _ => {}
            }
        }
    }
    false
}

/// The heads of natural loops; where cycles have several ways in, all targets of edges that go back
/// in reverse postorder.
fn loop_heads(procedure: &Procedure) -> EntitySet<Loc> {
    let mut heads: EntitySet<Loc> = EntitySet::new();
    for found in natural_loops(procedure) {
        heads.insert(found.head);
    }
    let mut place = SecondaryMap::with_default(usize::MAX);
    for (index, loc) in procedure.reverse_postorder().into_iter().enumerate() {
        place[loc] = index;
    }
    let cyclic = on_cycles(procedure);
    for edge in procedure.edges.values() {
        let goes_back =
            place[edge.source] != usize::MAX && place[edge.source] >= place[edge.target];
        if goes_back && cyclic.contains(edge.target) {
            heads.insert(edge.target);
        }
    }
    heads
}

/// The locations that can be reached from themselves.
pub fn on_cycles(procedure: &Procedure) -> EntitySet<Loc> {
    // Locations of a strongly connected component with an edge inside (Tarjan, iterative).
    let count = procedure.locs.len();
    let mut index = vec![usize::MAX; count];
    let mut low = vec![0; count];
    let mut on_stack = vec![false; count];
    let (mut stack, mut next) = (Vec::new(), 0);
    let mut cyclic = EntitySet::with_capacity(count);
    let mut work: Vec<(Loc, usize)> = vec![(procedure.entry, 0)];
    while let Some((loc, child)) = work.pop() {
        let at = loc.index();
        if child == 0 {
            index[at] = next;
            low[at] = next;
            next += 1;
            stack.push(loc);
            on_stack[at] = true;
        }
        if let Some(&edge) = procedure.locs[loc].out.get(child) {
            work.push((loc, child + 1));
            let target = procedure.edges[edge].target;
            if index[target.index()] == usize::MAX {
                work.push((target, 0));
            } else if on_stack[target.index()] {
                low[at] = low[at].min(index[target.index()]);
            }
            continue;
        }
        if low[at] == index[at] {
            let start = stack.iter().rposition(|&other| other == loc).unwrap_or(0);
            let component = stack.split_off(start);
            let loops = |loc: &Loc| {
                let out = &procedure.locs[*loc].out;
                out.iter().any(|&edge| procedure.edges[edge].target == *loc)
            };
            if component.len() > 1 || component.iter().any(loops) {
                cyclic.extend(component.iter().copied());
            }
            for member in component {
                on_stack[member.index()] = false;
            }
        }
        if let Some(&(parent, _)) = work.last() {
            low[parent.index()] = low[parent.index()].min(low[at]);
        }
    }
    cyclic
}

/// Whether a procedure is called, by its name or by whoever has a pointer to it.
pub(crate) fn is_called(program: &Program, proc: Proc) -> bool {
    let mut is_called =
        program.objects.values().any(|data| data.kind == ObjectKind::Function(proc));
    program.for_each_label(|_, label| {
        is_called |= match &label.op {
            Op::Call { callee: Callee::Direct(callee), .. }
            | Op::Start { routine: Callee::Direct(callee), .. } => *callee == proc,
            _ => false,
        };
    });
    is_called
}
