//! Replaces variables by their values where these are known.

use smallvec::SmallVec;

use super::with_procedure;
use crate::access::{Part, for_each_part};
use crate::flow::constants::{Constants, Context, FixedGlobals, constants};
use crate::flow::facts::Facts;
use crate::flow::locals::Locals;
use crate::model::{Edge, Loc, Proc, Procedure, Program};
use crate::op::{Label, Op};
use crate::verify::is_negation;

/// Substitutes the known values of locals, and of globals that nothing writes, in all terms; folds
/// constants; drops edges whose guard is false, and what only they lead to.
///
/// Sound with threads too: only its own frame sees a local, because its address is never taken, and
/// a global without writes has its initial value forever. A value is known at a location only if it
/// is the same along all edges that can be taken to it, and a local that is read before any
/// assignment has no known value.
pub fn propagate_constants(program: &mut Program) {
    let locals = Locals::of(program);
    let globals = FixedGlobals::of(program);
    let procs: Vec<Proc> = program.procs.keys().collect();
    for proc in procs {
        let context = Context { locals: &locals, globals: &globals, proc };
        with_procedure(program, proc, |program, procedure| {
            let states = constants(program, &context, procedure);
            rewrite(program, &context, procedure, &states);
        });
    }
}

fn rewrite(
    program: &mut Program,
    context: &Context<'_>,
    procedure: &mut Procedure,
    states: &Constants,
) {
    let mut dropped = false;
    let locs: Vec<Loc> = procedure.locs.keys().collect();
    for loc in locs {
        let Some(state) = &states[loc] else {
            dropped = true;
            continue;
        };
        let out = procedure.locs[loc].out.clone();
        keep_negation(program, procedure, &out, |program, label| {
            substitute(program, context, label, state);
        });
        let kept = feasible(program, procedure, &out);
        if kept.len() < out.len() || (kept.len() == 1 && out.len() == 1) {
            dropped |= kept.len() < out.len();
            settle(program, procedure, loc, &out, kept);
        }
    }
    if dropped {
        procedure.compact();
    }
}

/// Calls `change` on the first label of each edge. Of two guards that negate each other, the second
/// becomes the negation of the changed first one: how a term looks may depend on the way it was
/// built.
fn keep_negation(
    program: &mut Program,
    procedure: &mut Procedure,
    out: &[Edge],
    mut change: impl FnMut(&mut Program, &mut Label),
) {
    let guard = |procedure: &Procedure, edge: Edge| match procedure.edges[edge].labels.first() {
        Some(Label { op: Op::Assume(cond), .. }) => Some(*cond),
        _ => None,
    };
    let pair = match *out {
        [a, b] => guard(procedure, a).zip(guard(procedure, b)),
        _ => None,
    };
    let negated = pair.is_some_and(|(a, b)| is_negation(&program.terms, a, b));
    for (index, &edge) in out.iter().enumerate() {
        let first = (negated && index == 1).then(|| guard(procedure, out[0])).flatten();
        for label in &mut procedure.edges[edge].labels {
            match first {
                Some(first) => label.op = Op::Assume(program.terms.not(first)),
                None => change(program, label),
            }
        }
    }
}

fn substitute(program: &mut Program, context: &Context<'_>, label: &mut Label, state: &Facts) {
    for_each_part(&mut label.op, &mut |part| {
        if let Part::Term(term) = part {
            *term = context.substitute(program, *term, state);
        }
    });
}

fn feasible(program: &Program, procedure: &Procedure, out: &[Edge]) -> SmallVec<[Edge; 2]> {
    let is_false = |edge: Edge| match procedure.edges[edge].labels.first() {
        Some(Label { op: Op::Assume(cond), .. }) => program.terms.as_bool(*cond) == Some(false),
        _ => false,
    };
    out.iter().copied().filter(|&edge| !is_false(edge)).collect()
}

/// Keeps only the edges `kept` of those that leave `loc`.
fn settle(
    program: &Program,
    procedure: &mut Procedure,
    loc: Loc,
    out: &[Edge],
    mut kept: SmallVec<[Edge; 2]>,
) {
    match kept.as_slice() {
        // This assumption always fails: the execution ends here.
        [] => {
            kept.push(out[0]);
            procedure.edges[out[0]].target = procedure.exit;
        }
        &[edge] => {
            if let Some(label) = procedure.edges[edge].labels.first_mut()
                && let Op::Assume(cond) = label.op
                && program.terms.as_bool(cond) == Some(true)
            {
                label.op = Op::Skip;
            }
        }
        _ => {}
    }
    procedure.locs[loc].out = kept;
}
