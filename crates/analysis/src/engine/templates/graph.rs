//! The program as a graph of blocks between loop heads.

use std::rc::Rc;

use ravelin_base::SecondaryMap;
use ravelin_term::{Sort, Var};
use rustc_hash::FxHashSet;

use crate::algorithm::arg::{Arg, Found, Node, Order};
use crate::domain::explicit::Scope;
use crate::domain::predicate::{Abstracting, BlockOperator, Predicates};
use crate::domain::{Analysis, Context, Stop};
use crate::model::block::Block;
use crate::model::control_flow::ControlFlowFacts;
use crate::model::space::Role;
use crate::model::step::Control;

/// Larger graphs are not looked at.
const MAX_EDGES: usize = 200;
const MAX_STATES: u64 = 20_000;

/// Blocks from one loop head to another.
#[derive(Debug)]
pub struct Graph {
    pub edges: Vec<Edge>,
    /// The variables of bit-vectors whose value at a loop head may matter later.
    pub relevant: SecondaryMap<Control, Vec<Var>>,
}

/// A block between two places.
#[derive(Clone, Debug)]
pub struct Edge {
    /// `None` is the start of the program.
    pub from: Option<Control>,
    /// `None` is an error.
    pub to: Option<Control>,
    pub block: Rc<Block>,
}

impl Graph {
    /// The graph of a program; `None` if it is too large, or without end because of recursion.
    pub fn new(
        cx: &mut Context<'_, '_>,
        control_flow: &ControlFlowFacts,
        start: Control,
    ) -> Result<Option<Graph>, Stop> {
        // Predicate abstraction without predicates: every loop head is reached once, and covers itself.
        let operator = BlockOperator::Adjustable { calls: false, max_steps: None };
        let mut analysis =
            Predicates::new(Scope::Local, Abstracting::Cartesian, operator, control_flow);
        let mut arg = Arg::new(Order::BreadthFirst);
        while let Found::Target(target) = arg.explore(&mut analysis, cx, control_flow, start)? {
            arg.set_aside(target);
            if arg.states > MAX_STATES {
                return Ok(None);
            }
        }
        let mut edges = Vec::new();
        for (node, data) in arg.live_nodes() {
            if !analysis.ends_block(&data.state) {
                continue;
            }
            let from = beginning(&arg, &analysis, node).map(|node| arg.nodes[node].control);
            let to = data.target.is_none().then_some(data.control);
            let block = Rc::clone(&analysis.abstractions[data.state.abstraction].block);
            edges.push(Edge { from, to, block });
        }
        if edges.len() > MAX_EDGES {
            return Ok(None);
        }
        let relevant = relevant(cx, &edges);
        Ok(Some(Graph { edges, relevant }))
    }
}

/// The node where the block before a node begins; `None` is the start of the program.
fn beginning(arg: &Arg<Predicates<'_>>, analysis: &Predicates<'_>, node: Node) -> Option<Node> {
    let mut at = node;
    loop {
        // All ways through a block begin at the same node.
        at = arg.nodes[at].parents.first()?.0;
        if analysis.ends_block(&arg.nodes[at].state) {
            return Some(at);
        }
    }
}

/// For each loop head the variables on which it depends what happens later.
fn relevant(cx: &mut Context<'_, '_>, edges: &[Edge]) -> SecondaryMap<Control, Vec<Var>> {
    let mut known: SecondaryMap<Control, Vec<Var>> = SecondaryMap::new();
    let mut changed = true;
    while changed {
        changed = false;
        for edge in edges {
            let Some(from) = edge.from else { continue };
            let after = edge.to.map(|to| known[to].clone()).unwrap_or_default();
            let mut terms = edge.block.guards.clone();
            terms.extend(after.into_iter().map(|var| edge.block.value(cx.space, var)));
            let mut seen: FxHashSet<Var> = known[from].iter().copied().collect();
            for term in terms {
                for var in cx.space.terms.vars_of(term) {
                    let numeric = matches!(cx.space.sort(var), Sort::Bv(8..=64));
                    let program = matches!(cx.space.role(var), Role::Program { .. });
                    if numeric && program && seen.insert(var) {
                        known[from].push(var);
                        changed = true;
                    }
                }
            }
        }
    }
    known
}
