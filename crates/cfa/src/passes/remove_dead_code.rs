//! Drops unreachable code and values that are never read.

use ravelin_base::SecondaryMap;

use super::{drop_unused, with_procedure};
use crate::effects::may_trap;
use crate::flow::facts::Facts;
use crate::flow::liveness::{is_dead, liveness, step_back};
use crate::flow::locals::Locals;
use crate::model::{Loc, Proc, Procedure, Program};
use crate::op::{Label, Op};
use crate::property::Property;

/// Removes unreachable locations and procedures, assignments to locals that are not read
/// afterwards, steps that do nothing, branches without a difference, and then the variables,
/// objects and terms that nothing mentions.
///
/// The pass may remove a read of a global, so a check for data races must be inserted before. It
/// never removes what a property or a replay may observe: accesses to memory, allocations, inputs,
/// operations that may divide by zero, assignments to globals, calls and everything that acts on
/// threads.
///
/// Where the automaton checks that memory is tracked, a variable of the source tracks it although nothing reads the
/// variable: then only assignments to temporaries are removed.
///
/// Sound with threads too: no other thread sees a local, and a step that does nothing can be left
/// out of any schedule. A cycle of such steps keeps one of them, because a thread in the cycle
/// never ends.
pub fn remove_dead_code(program: &mut Program) {
    let procs: Vec<Proc> = program.procs.keys().collect();
    // Removing a branch also removes the read in its guard, and so perhaps the only use of an
    // assignment.
    const ROUNDS: usize = 3;
    let mut pending = procs;
    for _ in 0..ROUNDS {
        let locals = Locals::of(program);
        pending.retain(|&proc| {
            with_procedure(program, proc, |program, procedure| {
                retarget_ends(procedure);
                drop_dead_labels(program, &locals, proc, procedure);
                let forwarded = forward_empty_steps(program, procedure);
                procedure.compact();
                forwarded == Forwarded::Branches
            })
        });
    }
    drop_unused(program);
}

/// Redirects edges that never continue to the exit location.
fn retarget_ends(procedure: &mut Procedure) {
    let exit = procedure.exit;
    for edge in procedure.edges.values_mut() {
        if crate::access::sequence_never_continues(&edge.labels) {
            edge.target = exit;
        }
    }
}

/// Turns dead assignments into steps that do nothing.
fn drop_dead_labels(program: &Program, locals: &Locals, proc: Proc, procedure: &mut Procedure) {
    let liveness = liveness(program, locals, proc, procedure);
    for edge in procedure.edges.values_mut() {
        let mut live = liveness.at(edge.target);
        for label in edge.labels.iter_mut().rev() {
            drop_dead(program, locals, label, &live);
            step_back(program, locals, label, &mut live);
        }
    }
}

fn drop_dead(program: &Program, locals: &Locals, label: &mut Label, live: &Facts) {
    if program.tracks_memory() && label.op.dst().is_some_and(|dst| !program.is_temporary(dst)) {
        return;
    }
    if is_dead(program, locals, &label.op, live) {
        label.op = Op::Skip;
        return;
    }
    if let Op::Call { dst, .. } | Op::Join { dst, .. } | Op::Sync { dst, .. } = &mut label.op
        && let Some(number) = dst.and_then(|dst| locals.number(program, dst))
        && !live.contains(number)
    {
        *dst = None;
    }
}

/// The number of steps that [`forward_empty_steps`] removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forwarded {
    Nothing,
    Steps,
    /// Includes guards, which read something.
    Branches,
}

/// Redirects edges past steps that do nothing.
pub(super) fn forward_empty_steps(program: &Program, procedure: &mut Procedure) -> Forwarded {
    let mut forward: SecondaryMap<Loc, Option<Loc>> =
        SecondaryMap::with_capacity(procedure.locs.len());
    let mut forwarded = Forwarded::Nothing;
    // Targets first, so that following most chains takes one step.
    let order = procedure.reverse_postorder();
    for &loc in order.iter().rev() {
        if let Some(next) = empty_step(program, procedure, &forward, loc)
            && next != procedure.exit
            && next != loc
        {
            forward[loc] = Some(next);
            forwarded = match procedure.locs[loc].out.len() {
                1 if forwarded == Forwarded::Nothing => Forwarded::Steps,
                1 => forwarded,
                _ => Forwarded::Branches,
            };
        }
    }
    if forwarded == Forwarded::Nothing {
        return forwarded;
    }
    for edge in procedure.edges.values_mut() {
        edge.target = resolve(&forward, edge.target);
    }
    procedure.entry = resolve(&forward, procedure.entry);
    forwarded
}

/// The location that control reaches from `loc` without any effect.
fn empty_step(
    program: &Program,
    procedure: &Procedure,
    forward: &SecondaryMap<Loc, Option<Loc>>,
    loc: Loc,
) -> Option<Loc> {
    let out = &procedure.locs[loc].out;
    // What a guard reads may race.
    let is_access = |cond| {
        program.checked.contains(Property::NoDataRace)
            && program.terms.vars_of(cond).into_iter().any(|var| program.is_shared_var(var))
    };
    // One of several guards holds; a single assumption may fail.
    let holds = |cond| {
        program.terms.as_bool(cond) == Some(true)
            || (out.len() > 1 && !may_trap(&program.terms, cond) && !is_access(cond))
    };
    let nothing = |label: &Label| {
        matches!(label.op, Op::Skip) || matches!(label.op, Op::Assume(cond) if holds(cond))
    };
    let mut target = None;
    for &edge in out {
        let edge = &procedure.edges[edge];
        let next = resolve(forward, edge.target);
        if !edge.labels.iter().all(nothing) || target.is_some_and(|target| target != next) {
            return None;
        }
        target = Some(next);
    }
    target
}

/// Follows forwarded locations to the end. There are no cycles, because a location forwards to
/// another only after that one is resolved, and never to itself.
fn resolve(forward: &SecondaryMap<Loc, Option<Loc>>, mut loc: Loc) -> Loc {
    while let Some(next) = forward[loc] {
        loc = next;
    }
    loc
}
