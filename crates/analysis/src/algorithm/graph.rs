//! The graph of abstract states as plain data, for whoever wants to look at it: where states are, what they know,
//! and what was tracked to know it.

use ravelin_base::{EntityRef, SrcPos};
use ravelin_cfa::{Edge, Loc, Proc, VarKind};
use ravelin_term::{BinOp, Term, TermKind, TermPool, Var};
use rustc_hash::FxHashMap;

use crate::algorithm::arg::{Arg, Node};
use crate::algorithm::refine::refinable::Refinable;
use crate::domain::Context;
use crate::model::space::{Activation, Role, Space};
use crate::model::step::Target;

/// An abstract reachability graph.
#[derive(Clone, Debug, Default)]
pub struct StateGraph {
    pub nodes: Vec<StateNode>,
    /// What was tracked where, in order.
    pub precision: Vec<Tracked>,
    /// So many things were tracked of which the program has no name.
    pub nameless: usize,
    /// The terms of facts and of what is tracked.
    pub terms: Option<Terms>,
}

/// Where the terms of a graph come from.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The variables and objects are those of the program, but for `memories` and what is allocated.
    pub pool: TermPool,
    /// They stand for the contents of memory, each for a part of it.
    pub memories: Vec<Var>,
}

/// An abstract state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateNode {
    /// Where each thread is that has not ended, innermost call only.
    pub places: Vec<(Proc, Loc)>,
    /// The states before it, and how it was reached from there.
    pub parents: Vec<Parent>,
    /// Another state stands for it and all below.
    pub covered_by: Option<usize>,
    /// Whether the error is reached here.
    pub is_error: bool,
    /// What is known here; of large graphs, and in the middle of a block, nothing is told.
    pub facts: Option<Vec<Fact>>,
}

/// A state before another one, and the step between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parent {
    pub state: usize,
    /// The step is one of this edge, unless its procedure is not known.
    pub edge: Option<(Proc, Edge)>,
    pub pos: SrcPos,
}

/// A term over the variables of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    pub term: Term,
    /// Whose locals it speaks of: a thread by its number, and how many of its calls are below. Without those of
    /// the place that the fact is about.
    pub locals_of: Vec<(u32, u32)>,
}

/// Something that was tracked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tracked {
    /// Where; everywhere if there is none.
    pub at: Option<(Proc, Loc)>,
    pub what: TrackedWhat,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrackedWhat {
    /// The value of a variable or of a cell of memory.
    Value(Fact),
    /// Whether this holds.
    Predicate(Fact),
    /// The values of all pointers.
    Pointers,
}

/// What an analysis tracks, in its own terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    pub(crate) at: Option<(Proc, Loc)>,
    pub(crate) what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Value(Term),
    Predicate(Term),
    Pointers,
}

/// What states know is told of graphs up to this size: nobody reads more, and pages stay small.
const MAX_TOLD_STATES: usize = 5000;

/// Of a state, so many facts are told.
const MAX_FACTS: usize = 60;

impl StateGraph {
    /// What is in a graph now.
    pub(crate) fn of<A: Refinable>(
        analysis: &A,
        arg: &Arg<A>,
        cx: &mut Context<'_, '_>,
    ) -> StateGraph {
        let numbers: FxHashMap<Node, usize> =
            arg.live_nodes().enumerate().map(|(number, (node, _))| (node, number)).collect();
        let number = |node: Node| numbers.get(&node).copied();
        let are_told = numbers.len() <= MAX_TOLD_STATES;
        let mut nodes = Vec::with_capacity(numbers.len());
        for (_, data) in arg.live_nodes() {
            let parents = data.parents.iter().filter_map(|(parent, step)| {
                let state = number(*parent)?;
                let edge = cx.steps.location_of(step).map(|(proc, _)| (proc, step.edge));
                Some(Parent { state, edge, pos: step.pos })
            });
            let parents = parents.collect();
            let is_known = are_told && !data.parents.is_empty() && analysis.ends_block(&data.state);
            let facts = is_known.then(|| {
                let here = cx.steps.site(data.control).activation;
                let facts = analysis.facts(cx, &data.state);
                told_all(cx.space, facts, here)
            });
            nodes.push(StateNode {
                places: cx.steps.locations(data.control),
                parents,
                covered_by: data.covered_by.and_then(number),
                is_error: matches!(data.target, Some(Target::Error(_))),
                facts,
            });
        }
        let (mut precision, mut nameless) = (Vec::new(), 0);
        for Listed { at, what } in analysis.listed(cx.space) {
            let what = match what {
                What::Value(term) => told(cx.space, term, None).map(TrackedWhat::Value),
                What::Predicate(term) => told(cx.space, term, None).map(TrackedWhat::Predicate),
                What::Pointers => Some(TrackedWhat::Pointers),
            };
            match what {
                Some(what) => precision.push(Tracked { at, what }),
                None => nameless += 1,
            }
        }
        precision.dedup();
        let memories = cx.space.memories().to_vec();
        let terms = Terms { pool: cx.space.terms.clone(), memories };
        StateGraph { nodes, precision, nameless, terms: Some(terms) }
    }
}

/// Facts one by one, in the words of the program; those it has no words for are left out.
fn told_all(space: &mut Space<'_>, facts: Vec<Term>, here: Activation) -> Vec<Fact> {
    let mut work = facts;
    work.reverse();
    let mut all = Vec::new();
    while let Some(fact) = work.pop() {
        match space.terms.kind(fact) {
            TermKind::Binary(BinOp::And, a, b) => work.extend([b, a]),
            TermKind::Bool(true) => {}
            _ if all.len() < MAX_FACTS => {
                let fact = told(space, fact, Some(here));
                all.extend(fact.filter(|fact| !all.contains(fact)));
            }
            _ => {}
        }
    }
    all
}

/// A term in variables and objects of the program, and whose they are. None if it speaks of something that the
/// program has no name for, or of the same local in several frames.
fn told(space: &mut Space<'_>, term: Term, here: Option<Activation>) -> Option<Fact> {
    let program = space.program;
    let mut vars: Vec<(Var, Var)> = Vec::new();
    let mut owners: Vec<Activation> = Vec::new();
    let mut own = |of: Activation| {
        if !owners.contains(&of) {
            owners.push(of);
        }
    };
    for var in space.terms.vars_of(term) {
        match space.role(var) {
            Role::Memory(_) => {}
            Role::Program { var: source, of } => {
                match program.vars[source].kind {
                    VarKind::Local(_) => own(of),
                    VarKind::ThreadLocal { .. } => own(Activation { depth: 0, ..of }),
                    VarKind::Global { .. } => {}
                }
                vars.push((var, source));
            }
            Role::NextObject
            | Role::Thread(..)
            | Role::Input(_)
            | Role::At { .. }
            | Role::Read(_) => return None,
        }
    }
    let mut objects = Vec::new();
    space.terms.for_each_subterm(term, |_, kind| {
        if let TermKind::Address(object) = kind
            && let Some((source, of)) = space.frame_of(object)
        {
            own(of);
            objects.push((object, source));
        }
    });
    let is_mixed = |sources: &mut Vec<usize>| {
        let count = sources.len();
        sources.sort_unstable();
        sources.dedup();
        sources.len() < count
    };
    objects.sort_unstable();
    objects.dedup();
    let mut var_sources: Vec<usize> = vars.iter().map(|(_, source)| source.index()).collect();
    let mut object_sources: Vec<usize> = objects.iter().map(|(_, it)| it.index()).collect();
    if is_mixed(&mut var_sources) || is_mixed(&mut object_sources) {
        return None;
    }
    let term = space.terms.replace_leaves(term, |terms, leaf| match leaf {
        TermKind::Var(var) => {
            let (_, source) = vars.iter().find(|(instance, _)| *instance == var)?;
            Some(terms.var(*source, program.vars[*source].sort))
        }
        TermKind::Address(object) => {
            let (_, source) = objects.iter().find(|(instance, _)| *instance == object)?;
            Some(terms.address(*source))
        }
        _ => None,
    });
    owners.retain(|&of| Some(of) != here);
    owners.sort_unstable();
    let locals_of = owners.iter().map(|of| (of.thread.index() as u32, of.depth)).collect();
    Some(Fact { term, locals_of })
}
