//! Dominators and natural loops.

use ravelin_base::{EntitySet, SecondaryMap};

use crate::model::{Edge, Loc, Procedure};

/// A natural loop: every path into it passes its head.
#[derive(Clone, Debug)]
pub struct Loop {
    pub head: Loc,
    /// All locations of the loop, the head first, then in reverse postorder.
    pub body: Vec<Loc>,
    /// The edges of the loop that go back to the head.
    pub back: Vec<Edge>,
}

/// The natural loops of a procedure, inner loops before outer ones. Loops with a common head are
/// merged. Cycles with several entries have no head and are left out.
pub fn natural_loops(procedure: &Procedure) -> Vec<Loop> {
    let order = procedure.reverse_postorder();
    let mut number = SecondaryMap::with_default(usize::MAX);
    for (index, &loc) in order.iter().enumerate() {
        number[loc] = index;
    }
    let incoming = procedure.incoming();
    let dominators = dominators(procedure, &order, &number);
    let mut loops = Vec::new();
    // A head later in reverse postorder never contains an earlier head.
    for &head in order.iter().rev() {
        let back: Vec<Edge> = incoming[head]
            .iter()
            .copied()
            .filter(|&edge| {
                let source = procedure.edges[edge].source;
                number[source] != usize::MAX && dominates(&dominators, &number, head, source)
            })
            .collect();
        if back.is_empty() {
            continue;
        }
        let mut inside = EntitySet::new();
        inside.insert(head);
        let mut body = vec![head];
        let mut work: Vec<Loc> = back.iter().map(|&edge| procedure.edges[edge].source).collect();
        while let Some(loc) = work.pop() {
            if inside.insert(loc) {
                body.push(loc);
                let sources = incoming[loc].iter().map(|&edge| procedure.edges[edge].source);
                work.extend(sources.filter(|&source| number[source] != usize::MAX));
            }
        }
        body.sort_by_key(|&loc| number[loc]);
        loops.push(Loop { head, body, back });
    }
    loops
}

/// The immediate dominators, by the numbers of reverse postorder (Cooper, Harvey, Kennedy: "A simple,
/// fast dominance algorithm"). The entry is its own.
fn dominators(
    procedure: &Procedure,
    order: &[Loc],
    number: &SecondaryMap<Loc, usize>,
) -> Vec<usize> {
    let incoming = procedure.incoming();
    let mut idom = vec![usize::MAX; order.len()];
    idom[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for (index, &loc) in order.iter().enumerate().skip(1) {
            let mut best = usize::MAX;
            for &edge in &incoming[loc] {
                let source = number[procedure.edges[edge].source];
                if source == usize::MAX || idom[source] == usize::MAX {
                    continue;
                }
                best = if best == usize::MAX { source } else { intersect(&idom, best, source) };
            }
            if idom[index] != best {
                idom[index] = best;
                changed = true;
            }
        }
    }
    idom
}

fn intersect(idom: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if a > b {
            a = idom[a];
        } else {
            b = idom[b];
        }
    }
    a
}

fn dominates(idom: &[usize], number: &SecondaryMap<Loc, usize>, head: Loc, loc: Loc) -> bool {
    let (head, mut loc) = (number[head], number[loc]);
    while loc > head {
        loc = idom[loc];
    }
    loc == head
}

#[cfg(test)]
mod tests {
    use ravelin_base::EntityRef;

    use super::*;

    fn loops_of(edges: &str) -> Vec<(usize, Vec<usize>, usize)> {
        let text = format!("program LP64 source proc f.p0() {{ entry l0 exit l1 {edges} }}");
        let program = crate::parse(&text).expect("parses");
        let procedure = program.procs.values().next().expect("one procedure");
        natural_loops(procedure)
            .iter()
            .map(|found| {
                let body = found.body.iter().map(|loc| loc.index()).collect();
                (found.head.index(), body, found.back.len())
            })
            .collect()
    }

    #[test]
    fn nested_loops_come_inside_out() {
        let loops = loops_of(
            "l0 -> l2: skip l2 -> l3: skip l3 -> l4: skip l4 -> l3: skip l4 -> l2: skip
             l2 -> l1: return",
        );
        assert_eq!(loops, [(3, vec![3, 4], 1), (2, vec![2, 3, 4], 1)]);
    }

    #[test]
    fn a_cycle_with_two_ways_in_is_no_natural_loop() {
        assert_eq!(
            loops_of(
                "l0 -> l2: skip l0 -> l3: skip l2 -> l3: skip l3 -> l2: skip l3 -> l1: return"
            ),
            []
        );
    }

    #[test]
    fn one_head_with_two_back_edges_is_one_loop() {
        assert_eq!(
            loops_of(
                "l0 -> l2: skip l2 -> l3: skip l2 -> l0: skip l3 -> l0: skip l3 -> l1: return"
            ),
            [(0, vec![0, 2, 3], 2)]
        );
    }
}
