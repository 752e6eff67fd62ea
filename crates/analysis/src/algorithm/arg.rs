//! The algorithm that runs analyses, and the graph it builds.
//!
//! The abstract reachability graph (ARG) has a node per abstract state, edges for steps, and covering
//! relations between states of the same control. After a refinement, the part below a node is cut
//! off and built again; what is kept stays valid.

use std::collections::BinaryHeap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use ravelin_base::{PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::domain::{Analysis, Context, Stop};
use crate::model::control_flow::ControlFlowFacts;
use crate::model::step::{Control, Move, Step, Target};
use crate::reduction::alias::known_objects;

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(u32);
entity_impl!(Node, "n");

/// An abstract state in its place.
#[derive(Clone, Debug)]
pub struct NodeData<S> {
    pub control: Control,
    pub state: S,
    /// The steps that lead here; several where states were merged. None for the root.
    pub parents: SmallVec<[(Node, Rc<Step>); 1]>,
    pub children: Vec<Node>,
    /// Another node stands for this one and all below it.
    pub covered_by: Option<Node>,
    covers: Vec<Node>,
    expanded: bool,
    /// The threads that moved when it was expanded, by position.
    persistent_set: u64,
    removed: bool,
    /// Whether a target below it was set aside: what it covers may lead to the same error by a path that can be
    /// taken.
    is_doubtful: bool,
    /// What the last step ended in, if not in a control state.
    pub target: Option<Target>,
    /// The number of the block the node is in: blocks are explored as the order says, and nodes of one
    /// block along the control flow.
    block: u64,
    /// The number of the block that the steps from here are in.
    inner_block: u64,
}

/// Which node is expanded next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    BreadthFirst,
    DepthFirst,
    /// Nearest to an error location first.
    ErrorDistance,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Every state was explored, and none is a target.
    Nothing,
    Target(Node),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    /// The largest comes first.
    rank: (i64, i64, i64),
    node: Node,
}

/// Nodes of one control state by shape, then by the hash of what the shape has.
type Bucket<S> = Vec<(S, FxHashMap<u64, Vec<Node>>)>;

/// No more shapes than this are tried to cover a state: the others cost more than they give.
const MAX_SHAPES: usize = 24;

/// The graph with the nodes that wait to be expanded.
#[derive(Debug)]
pub struct Arg<A: Analysis> {
    pub nodes: PrimaryMap<Node, NodeData<A::State>>,
    reached: FxHashMap<Control, Bucket<A::Shape>>,
    /// Nodes in the middle of a block, which may be merged with others.
    mergeable: FxHashMap<Control, Vec<Node>>,
    waiting: BinaryHeap<Waiting>,
    order: Order,
    root: Option<Node>,
    sequence: i64,
    blocks: u64,
    /// Whether nodes below which a target was set aside cover no others.
    uncovers: bool,
    /// States made so far, those since removed too.
    pub states: u64,
    pub merges: u64,
    /// The time it took to make successors of states.
    pub making: Duration,
}

impl<A: Analysis> Arg<A> {
    pub fn new(order: Order) -> Self {
        Arg {
            nodes: PrimaryMap::new(),
            reached: FxHashMap::default(),
            mergeable: FxHashMap::default(),
            waiting: BinaryHeap::new(),
            order,
            root: None,
            sequence: 0,
            blocks: 0,
            uncovers: false,
            states: 0,
            merges: 0,
            making: Duration::ZERO,
        }
    }

    /// How many nodes the graph has now.
    pub fn size(&self) -> usize {
        self.nodes.values().filter(|node| !node.removed).count()
    }

    /// The nodes that are there, in order of their making.
    pub fn live_nodes(&self) -> impl Iterator<Item = (Node, &NodeData<A::State>)> {
        self.nodes.iter().filter(|(_, data)| !data.removed)
    }

    /// Explores from where it stopped until a target is found or nothing is left.
    pub fn explore(
        &mut self,
        analysis: &mut A,
        cx: &mut Context<'_, '_>,
        control_flow: &ControlFlowFacts,
        start: Control,
    ) -> Result<Found, Stop> {
        if self.root.is_none() {
            let state = analysis.initial(cx, start);
            let root = self.add(start, state, None, None, 0);
            self.root = Some(root);
            self.enqueue(root, cx, control_flow);
        }
        while let Some(Waiting { node, .. }) = self.waiting.pop() {
            let data = &self.nodes[node];
            if data.removed || data.expanded || data.covered_by.is_some() {
                continue;
            }
            cx.budget.tick()?;
            // A node may take many questions to the solver: the clock is read for each.
            cx.budget.check_now()?;
            if data.target.is_some() {
                self.enqueue(node, cx, control_flow);
                return Ok(Found::Target(node));
            }
            if analysis.ends_block(&self.nodes[node].state) && self.cover(analysis, cx, node)? {
                continue;
            }
            if let Some(target) = self.expand(analysis, cx, control_flow, node)? {
                return Ok(Found::Target(target));
            }
        }
        Ok(Found::Nothing)
    }

    fn expand(
        &mut self,
        analysis: &mut A,
        cx: &mut Context<'_, '_>,
        control_flow: &ControlFlowFacts,
        node: Node,
    ) -> Result<Option<Node>, Stop> {
        let control = self.nodes[node].control;
        let known = known_objects(analysis, cx, &self.nodes[node].state, control);
        let persistent_set = cx.steps.persistent_set(cx.space.program, control, &known);
        self.nodes[node].expanded = true;
        self.nodes[node].persistent_set = persistent_set;
        let mut moves = Vec::new();
        for position in cx.steps.positions(control, persistent_set) {
            moves.extend(cx.steps.moves(cx.space, control, position).iter().cloned());
        }
        let mut found = None;
        if analysis.ends_block(&self.nodes[node].state) {
            self.blocks += 1;
            self.nodes[node].inner_block = self.blocks;
        } else {
            self.nodes[node].inner_block = self.nodes[node].block;
        }
        for Move { step, evaluated, statements, .. } in &moves {
            cx.steps.statements.add(*statements);
            let (place, target) = match step.target {
                Target::Control(next) => (next, None),
                Target::End => continue,
                target @ (Target::Error(_) | Target::Unsupported(_) | Target::StartElsewhere) => {
                    (control, Some(target))
                }
            };
            let site = cx.steps.site(place);
            let begun = Instant::now();
            let state = self.nodes[node].state.clone();
            let successors = analysis.successors(cx, &state, evaluated, site);
            self.making += begun.elapsed();
            for next in successors? {
                let ends = analysis.ends_block(&next);
                if target.is_none()
                    && !ends
                    && self.merge_into(analysis, cx, control_flow, place, &next, node, step)
                {
                    continue;
                }
                // A round of a loop that is unrolled comes after what is left of the rounds before.
                let begins_round = !ends && control_flow.is_loop_head(site.proc, site.loc);
                let block = self.nodes[node].inner_block + u64::from(begins_round);
                let parent = Some((node, Rc::clone(step)));
                let child = self.add(place, next, parent, target, block);
                self.nodes[node].children.push(child);
                if target.is_some() {
                    found = found.or(Some(child));
                }
                if !ends && target.is_none() {
                    self.mergeable.entry(place).or_default().push(child);
                }
                self.enqueue(child, cx, control_flow);
            }
        }
        Ok(found)
    }

    fn add(
        &mut self,
        control: Control,
        state: A::State,
        parent: Option<(Node, Rc<Step>)>,
        target: Option<Target>,
        block: u64,
    ) -> Node {
        self.states += 1;
        self.nodes.push(NodeData {
            control,
            state,
            parents: parent.into_iter().collect(),
            children: Vec::new(),
            covered_by: None,
            covers: Vec::new(),
            expanded: false,
            persistent_set: 0,
            removed: false,
            is_doubtful: false,
            target,
            block,
            inner_block: block,
        })
    }

    fn enqueue(&mut self, node: Node, cx: &mut Context<'_, '_>, control_flow: &ControlFlowFacts) {
        self.sequence += 1;
        let data = &self.nodes[node];
        let (distance, progress) = control_flow.rank(cx.steps.site(data.control));
        let block = data.block as i64;
        let rank = match self.order {
            Order::BreadthFirst => (-block, -progress, -self.sequence),
            Order::DepthFirst => (block, -progress, self.sequence),
            Order::ErrorDistance => (-distance, -block, -progress),
        };
        self.waiting.push(Waiting { rank, node });
    }

    /// Merges a state in the middle of a block into one that is there; says whether it could.
    #[expect(clippy::too_many_arguments, reason = "they are all there is to know of a step")]
    fn merge_into(
        &mut self,
        analysis: &mut A,
        cx: &mut Context<'_, '_>,
        control_flow: &ControlFlowFacts,
        place: Control,
        state: &A::State,
        parent: Node,
        step: &Rc<Step>,
    ) -> bool {
        let Some(candidates) = self.mergeable.get_mut(&place) else {
            return false;
        };
        let nodes = &self.nodes;
        candidates.retain(|&node| !nodes[node].removed);
        for node in candidates.clone() {
            // What was expanded stays as it is: its successors would have to be made again.
            if self.nodes[node].expanded {
                continue;
            }
            let Some(merged) = analysis.merge(cx, state, &self.nodes[node].state) else {
                continue;
            };
            self.merges += 1;
            let data = &mut self.nodes[node];
            data.state = merged;
            data.parents.push((parent, Rc::clone(step)));
            self.nodes[parent].children.push(node);
            self.enqueue(node, cx, control_flow);
            return true;
        }
        false
    }

    /// Looks for a node that covers this one, and otherwise makes it one that may cover others.
    fn cover(
        &mut self,
        analysis: &mut A,
        cx: &mut Context<'_, '_>,
        node: Node,
    ) -> Result<bool, Stop> {
        let control = self.nodes[node].control;
        let shape = analysis.shape(&self.nodes[node].state);
        let bucket = self.reached.entry(control).or_default();
        let mut candidates: SmallVec<[Node; 8]> = smallvec![];
        let own = bucket.iter().position(|(other, _)| *other == shape);
        let groups = own
            .into_iter()
            .chain((0..bucket.len()).filter(|&group| Some(group) != own).take(MAX_SHAPES));
        for group in groups {
            let (shape, members) = &mut bucket[group];
            let Some(key) = analysis.projection(&self.nodes[node].state, shape) else {
                continue;
            };
            if let Some(members) = members.get_mut(&key) {
                let nodes = &self.nodes;
                members.retain(|&member| !nodes[member].removed);
                candidates.extend(members.iter().copied());
            }
        }
        for candidate in candidates {
            // Only a node that stands for itself may stand for another: else two could cover each
            // other, and neither would be explored.
            let NodeData { covered_by, is_doubtful, .. } = self.nodes[candidate];
            if candidate == node || covered_by.is_some() || (is_doubtful && self.uncovers) {
                continue;
            }
            let (larger, smaller) = (&self.nodes[candidate].state, &self.nodes[node].state);
            if analysis.covers(cx, larger, smaller)? {
                self.nodes[node].covered_by = Some(candidate);
                self.nodes[candidate].covers.push(node);
                return Ok(true);
            }
        }
        let Some(key) = analysis.projection(&self.nodes[node].state, &shape) else {
            return Ok(false);
        };
        let bucket = self.reached.entry(control).or_default();
        let group = match bucket.iter().position(|(other, _)| *other == shape) {
            Some(group) => group,
            None => {
                bucket.push((shape, FxHashMap::default()));
                bucket.len() - 1
            }
        };
        let members = bucket[group].1.entry(key).or_default();
        if !members.contains(&node) {
            members.push(node);
        }
        Ok(false)
    }

    /// Cuts off everything below a node that ends a block; it waits to be expanded again.
    ///
    /// Nodes with several parents are inside a block, and all of them are below the node that the
    /// block begins with: none is cut off by halves.
    pub fn prune_below(
        &mut self,
        node: Node,
        cx: &mut Context<'_, '_>,
        control_flow: &ControlFlowFacts,
    ) {
        let mut uncovered = Vec::new();
        let mut work = std::mem::take(&mut self.nodes[node].children);
        while let Some(next) = work.pop() {
            let data = &mut self.nodes[next];
            if data.removed {
                continue;
            }
            data.removed = true;
            work.append(&mut data.children);
            uncovered.append(&mut data.covers);
            if let Some(coverer) = data.covered_by.take() {
                self.nodes[coverer].covers.retain(|&covered| covered != next);
            }
        }
        // What it covers stays covered: its state is as it was.
        self.nodes[node].expanded = false;
        self.nodes[node].is_doubtful = false;
        self.enqueue(node, cx, control_flow);
        for covered in uncovered {
            if !self.nodes[covered].removed {
                self.nodes[covered].covered_by = None;
                self.enqueue(covered, cx, control_flow);
            }
        }
    }

    /// Whether the threads that moved in a node are all that have to.
    fn is_still_persistent(&self, analysis: &A, cx: &mut Context<'_, '_>, node: Node) -> bool {
        let NodeData { control, persistent_set, state, .. } = &self.nodes[node];
        let known = known_objects(analysis, cx, state, *control);
        cx.steps.is_persistent(cx.space.program, *control, &known, *persistent_set)
    }

    /// Cuts off everything below nodes in which more threads have to move than did, since more is tracked
    /// now.
    pub fn reconsider(
        &mut self,
        analysis: &A,
        cx: &mut Context<'_, '_>,
        control_flow: &ControlFlowFacts,
    ) {
        for node in self.nodes.keys().collect::<Vec<_>>() {
            let NodeData { removed, expanded, .. } = self.nodes[node];
            if !removed && expanded && !self.is_still_persistent(analysis, cx, node) {
                self.prune_below(node, cx, control_flow);
            }
        }
    }

    /// Whether every node was expanded as far as it has to be or is covered, in the end by one that was, and
    /// no target is left: what a proof rests on.
    pub fn is_complete(&self, analysis: &A, cx: &mut Context<'_, '_>) -> bool {
        self.live_nodes().all(|(node, data)| {
            let (mut at, mut coverer) = (node, data.covered_by);
            // A chain of coverers is no longer than there are nodes, unless it is a circle.
            for _ in 0..self.nodes.len() {
                let Some(next) = coverer else {
                    let is_expanded = self.nodes[at].expanded && data.target.is_none();
                    return is_expanded && self.is_still_persistent(analysis, cx, at);
                };
                if self.nodes[next].removed {
                    return false;
                }
                (at, coverer) = (next, self.nodes[next].covered_by);
            }
            false
        })
    }

    /// Leaves a target alone from now on. The graph will never be a proof.
    pub fn set_aside(&mut self, target: Node) {
        self.nodes[target].expanded = true;
        let (above, _) = self.path_to(target);
        for node in above {
            self.nodes[node].is_doubtful = true;
        }
    }

    /// Explores what nodes cover below which a target was set aside, and covers nothing by such nodes from now on;
    /// says whether there is any.
    pub fn uncover_doubtful(
        &mut self,
        cx: &mut Context<'_, '_>,
        control_flow: &ControlFlowFacts,
    ) -> bool {
        self.uncovers = true;
        let doubtful = |(node, data): (Node, &NodeData<_>)| data.is_doubtful.then_some(node);
        let mut found = false;
        for node in self.live_nodes().filter_map(doubtful).collect::<Vec<_>>() {
            for covered in std::mem::take(&mut self.nodes[node].covers) {
                self.nodes[covered].covered_by = None;
                self.enqueue(covered, cx, control_flow);
                found = true;
            }
        }
        found
    }

    /// Starts anew.
    pub fn clear(&mut self) {
        let Arg { order, states, merges, making, uncovers, .. } = *self;
        *self = Arg { states, merges, making, uncovers, ..Arg::new(order) };
    }

    /// The way from the root to a node, along first parents.
    pub fn path_to(&self, node: Node) -> (Vec<Node>, Vec<Rc<Step>>) {
        let (mut nodes, mut steps) = (vec![node], Vec::new());
        let mut at = node;
        while let Some((parent, step)) = self.nodes[at].parents.first() {
            steps.push(Rc::clone(step));
            at = *parent;
            nodes.push(at);
        }
        nodes.reverse();
        steps.reverse();
        (nodes, steps)
    }
}
