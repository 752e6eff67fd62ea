//! The graph of abstract states as plain data, for whoever wants to look at it.

use ravelin_cfa::{Loc, Proc};
use rustc_hash::FxHashMap;

use crate::cpa::{Analysis, Context};
use crate::reach::{Arg, Node};
use crate::step::Target;

/// An abstract reachability graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateGraph {
    pub nodes: Vec<StateNode>,
}

/// An abstract state in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateNode {
    /// Where each thread is that has not ended, innermost call only.
    pub places: Vec<(Proc, Loc)>,
    /// The states before it.
    pub parents: Vec<usize>,
    /// Another state stands for it and all below.
    pub covered_by: Option<usize>,
    /// Whether the error is reached here.
    pub is_error: bool,
}

impl StateGraph {
    /// What is in a graph now.
    pub(crate) fn of<A: Analysis>(arg: &Arg<A>, cx: &Context<'_, '_>) -> StateGraph {
        let numbers: FxHashMap<Node, usize> =
            arg.live_nodes().enumerate().map(|(number, (node, _))| (node, number)).collect();
        let number = |node: Node| numbers.get(&node).copied();
        let nodes = arg.live_nodes().map(|(_, data)| StateNode {
            places: cx.steps.places(data.control),
            parents: data.parents.iter().filter_map(|(parent, _)| number(*parent)).collect(),
            covered_by: data.covered_by.and_then(number),
            is_error: matches!(data.target, Some(Target::Error(_))),
        });
        StateGraph { nodes: nodes.collect() }
    }
}
