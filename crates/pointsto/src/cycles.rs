//! Cycles of inclusions: their members have one set, so one node can stand for all (cycle elimination).

use ravelin_base::{EntityRef, SecondaryMap};

use crate::constraint::Node;

/// Tarjan's numbers of a node.
#[derive(Clone, Copy, Default)]
struct Numbers {
    /// 0 for not visited.
    index: u32,
    low: u32,
    is_on_stack: bool,
}

/// The strongly connected components with more than one member, of the graph with these edges.
pub(crate) fn cycles(count: usize, edges: &dyn Fn(Node, usize) -> Option<Node>) -> Vec<Vec<Node>> {
    let mut numbers: SecondaryMap<Node, Numbers> = SecondaryMap::with_capacity(count);
    let (mut stack, mut found, mut next) = (Vec::new(), Vec::new(), 1);
    let mut path: Vec<(Node, usize)> = Vec::new();
    for start in 0..count {
        let start = Node::new(start);
        if numbers[start].index != 0 {
            continue;
        }
        path.push((start, 0));
        while let Some((node, edge)) = path.pop() {
            if edge == 0 {
                numbers[node] = Numbers { index: next, low: next, is_on_stack: true };
                next += 1;
                stack.push(node);
            }
            match edges(node, edge) {
                Some(to) => {
                    path.push((node, edge + 1));
                    if numbers[to].index == 0 {
                        path.push((to, 0));
                    } else if numbers[to].is_on_stack {
                        numbers[node].low = numbers[node].low.min(numbers[to].index);
                    }
                }
                None => {
                    if let Some(&(parent, _)) = path.last() {
                        numbers[parent].low = numbers[parent].low.min(numbers[node].low);
                    }
                    if numbers[node].low == numbers[node].index {
                        let at = stack.iter().rposition(|&other| other == node).unwrap_or(0);
                        let members = stack.split_off(at);
                        members.iter().for_each(|&member| numbers[member].is_on_stack = false);
                        if members.len() > 1 {
                            found.push(members);
                        }
                    }
                }
            }
        }
    }
    found
}
