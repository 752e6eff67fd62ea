//! Unrolls loops with a known number of iterations.

use ravelin_base::{EntitySet, SecondaryMap};
use smallvec::SmallVec;

use super::{propagate_constants, with_procedure};
use crate::flow::constants::{Constants, Context, FixedGlobals, constants, spread};
use crate::flow::facts::Facts;
use crate::flow::locals::Locals;
use crate::flow::loops::{Loop, natural_loops};
use crate::model::{Edge, EdgeData, Loc, Proc, Procedure, Program};
use crate::op::{Label, Op};

/// Which loops are unrolled.
#[derive(Clone, Copy, Debug)]
pub struct UnrollConfig {
    /// The largest number of iterations.
    pub bound: usize,
    /// The maximum number of edges of a procedure.
    pub max_edges: usize,
    /// Only loops that start or join threads.
    pub only_of_threads: bool,
}

impl Default for UnrollConfig {
    fn default() -> Self {
        UnrollConfig { bound: 16, max_edges: 20_000, only_of_threads: false }
    }
}

/// Copies the body of a loop for each of its iterations, if constant propagation through the copies
/// shows that there are at most [`UnrollConfig::bound`] of them; then propagates constants. Other
/// loops do not change. Inner loops come first; an outer loop, and an inner one whose iterations
/// depend on the outer one's, follow when they can be decided.
///
/// The copies perform the same operations in the same order as the iterations did, and the omitted
/// edges can never be taken; so this is sound under any schedule of other threads.
pub fn unroll_loops(program: &mut Program, config: &UnrollConfig) {
    // Deeper nests of loops are unrolled in part.
    const MAX_NESTING: usize = 4;
    let locals = Locals::of(program);
    let globals = FixedGlobals::of(program);
    let procs: Vec<Proc> = program.procs.keys().collect();
    let mut changed = false;
    for proc in procs {
        let context = Context { locals: &locals, globals: &globals, proc };
        for _ in 0..MAX_NESTING {
            let unrolled = with_procedure(program, proc, |program, procedure| {
                unroll_procedure(program, &context, procedure, config)
            });
            if !unrolled {
                break;
            }
            changed = true;
        }
    }
    if changed {
        propagate_constants(program);
    }
}

fn unroll_procedure(
    program: &mut Program,
    context: &Context<'_>,
    procedure: &mut Procedure,
    config: &UnrollConfig,
) -> bool {
    let loops = natural_loops(procedure);
    if loops.is_empty() {
        return false;
    }
    let states = constants(program, context, procedure);
    let incoming = procedure.incoming();
    let mut touched: EntitySet<Loc> = EntitySet::with_capacity(procedure.locs.len());
    let mut unrolled = false;
    for found in &loops {
        // Code that was copied has changed since the analysis. At a procedure's entry nothing is
        // known, so a loop there cannot be decided.
        let at_entry = found.head == procedure.entry;
        if at_entry || found.body.iter().any(|&loc| touched.contains(loc)) {
            continue;
        }
        if config.only_of_threads && !handles_threads(procedure, found) {
            continue;
        }
        let body = Body::of(procedure, found);
        let limit = config.max_edges.saturating_sub(procedure.edges.len());
        let entries =
            incoming[found.head].iter().copied().filter(|edge| !found.back.contains(edge));
        let entries: Vec<Edge> = entries.collect();
        let Some(state) = entry_state(program, context, procedure, &states, &entries) else {
            continue;
        };
        if let Some(rounds) = decide_rounds(program, context, &body, state, config.bound, limit) {
            emit(program, procedure, &body, &rounds, &entries);
            found.body.iter().for_each(|&loc| {
                touched.insert(loc);
            });
            unrolled = true;
        }
    }
    if unrolled {
        procedure.compact();
    }
    unrolled
}

/// Whether a loop starts or joins threads itself.
fn handles_threads(procedure: &Procedure, found: &Loop) -> bool {
    let of_threads = |label: &Label| matches!(label.op, Op::Start { .. } | Op::Join { .. });
    found.body.iter().any(|&loc| {
        procedure.locs[loc]
            .out
            .iter()
            .any(|&edge| procedure.edges[edge].labels.iter().any(of_threads))
    })
}

/// A loop's body as a procedure of its own: its entry is the head, its exit is the start of the
/// next iteration, and one more location stands for everything outside.
struct Body {
    graph: Procedure,
    outside: Loc,
    /// The edges of the procedure for those of the body.
    edges: SecondaryMap<Edge, Option<Edge>>,
}

impl Body {
    fn of(procedure: &Procedure, found: &Loop) -> Body {
        let mut graph = Procedure::new(procedure.name, procedure.pos);
        let outside = graph.add_loc();
        let mut inner = rustc_hash::FxHashMap::default();
        for &loc in &found.body {
            let copy = if loc == found.head { graph.entry } else { graph.add_loc() };
            inner.insert(loc, copy);
        }
        let mut edges = SecondaryMap::new();
        for &loc in &found.body {
            for &edge in &procedure.locs[loc].out {
                let data = &procedure.edges[edge];
                let target = match inner.get(&data.target) {
                    _ if data.target == found.head => graph.exit,
                    Some(&target) => target,
                    None => outside,
                };
                let copy = graph.add_edge(inner[&loc], target, data.labels.iter().cloned());
                edges[copy] = Some(edge);
            }
        }
        Body { graph, outside, edges }
    }
}

/// The constants when control enters the loop from outside; `None` if it never does.
fn entry_state(
    program: &mut Program,
    context: &Context<'_>,
    procedure: &Procedure,
    states: &Constants,
    entries: &[Edge],
) -> Option<Facts> {
    let mut joined: Option<Facts> = None;
    let mut join = |state: Facts| match &mut joined {
        Some(joined) => {
            joined.meet(&state);
        }
        slot @ None => *slot = Some(state),
    };
    for &edge in entries {
        let EdgeData { source, labels, .. } = &procedure.edges[edge];
        if let Some(mut state) = states[*source].clone()
            && context.take(program, labels, &mut state)
        {
            join(state);
        }
    }
    joined
}

/// The edges of the body that can be taken, iteration by iteration, if there are at most `bound`
/// iterations (and the check that ends the last).
fn decide_rounds(
    program: &mut Program,
    context: &Context<'_>,
    body: &Body,
    mut state: Facts,
    bound: usize,
    max_edges: usize,
) -> Option<Vec<EntitySet<Edge>>> {
    let order = body.graph.reverse_postorder();
    let mut rounds = Vec::new();
    let mut size = 0;
    while rounds.len() <= bound {
        let mut states = Constants::new();
        states[body.graph.entry] = Some(state.clone());
        spread(program, context, &body.graph, &order, &mut states, |_| true);
        let mut taken = EntitySet::new();
        for (edge, data) in body.graph.edges.iter() {
            if let Some(mut state) = states[data.source].clone() {
                // Edges that end threads have no state after them, but can be taken.
                let ends = data.labels.iter().any(|label| label.op.never_continues());
                if context.take(program, &data.labels, &mut state) || ends {
                    taken.insert(edge);
                    size += 1;
                }
            }
        }
        rounds.push(taken);
        match states[body.graph.exit].take() {
            None => return Some(rounds),
            // A state that an iteration does not change will never change.
            Some(next) if same_facts(&state, &next) || size > max_edges => return None,
            Some(next) => state = next,
        }
    }
    None
}

fn same_facts(a: &Facts, b: &Facts) -> bool {
    !a.clone().meet(b) && !b.clone().meet(a)
}

/// Adds a copy of the body for each iteration, and redirects the loop's entries to the first.
fn emit(
    program: &mut Program,
    procedure: &mut Procedure,
    body: &Body,
    rounds: &[EntitySet<Edge>],
    entries: &[Edge],
) {
    let mut head = procedure.add_loc();
    for &edge in entries {
        procedure.edges[edge].target = head;
    }
    for taken in rounds {
        let next_head = procedure.add_loc();
        let mut copies: SecondaryMap<Loc, Option<Loc>> = SecondaryMap::new();
        copies[body.graph.entry] = Some(head);
        copies[body.graph.exit] = Some(next_head);
        for loc in body.graph.locs.keys() {
            if copies[loc].is_none() && loc != body.outside {
                copies[loc] = Some(procedure.add_loc());
            }
        }
        for (loc, data) in body.graph.locs.iter() {
            let Some(source) = copies[loc] else {
                continue;
            };
            let kept: SmallVec<[Edge; 2]> =
                data.out.iter().copied().filter(|&edge| taken.contains(edge)).collect();
            for &edge in &kept {
                let EdgeData { target, labels, .. } = &body.graph.edges[edge];
                let target = match copies[*target] {
                    Some(target) => target,
                    None => match body.edges[edge] {
                        Some(original) => procedure.edges[original].target,
                        None => continue,
                    },
                };
                let mut labels = labels.clone();
                if kept.len() == 1 && data.out.len() > 1 {
                    drop_guard(&mut labels);
                }
                procedure.add_edge(source, target, labels);
            }
            if kept.is_empty()
                && let Some(&first) = data.out.first()
            {
                let pos = body.graph.edges[first].labels.first().map(|label| label.pos);
                let never = Op::Assume(program.terms.bool(false));
                let exit = procedure.exit;
                procedure.add_edge(source, exit, [Label::new(never, pos.unwrap_or_default())]);
            }
        }
        head = next_head;
    }
}

/// If only one of the exhaustive guards can hold, it does.
fn drop_guard(labels: &mut [Label]) {
    if let Some(label) = labels.first_mut()
        && matches!(label.op, Op::Assume(_))
    {
        label.op = Op::Skip;
    }
}
