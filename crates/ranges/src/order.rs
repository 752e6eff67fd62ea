//! The order in which locations are visited: a weak topological order (Bourdoncle, "Efficient chaotic iteration
//! strategies with widenings"). The locations of a loop follow its head without others in between.

use ravelin_base::{EntitySet, SecondaryMap};
use ravelin_cfa::{Loc, Procedure};

/// The order of a procedure's reachable locations, and where it has loops.
#[derive(Debug, Default)]
pub(crate) struct Order {
    pub(crate) locs: Vec<Loc>,
    pub(crate) number: SecondaryMap<Loc, u32>,
    /// Every cycle passes one of these.
    pub(crate) heads: EntitySet<Loc>,
    /// How many locations the loops of heads have.
    sizes: SecondaryMap<Loc, u32>,
}

impl Order {
    pub(crate) fn of(procedure: &Procedure) -> Order {
        let mut order = Order::default();
        // What is left to be ordered, the next part last.
        let mut work = vec![Part::Graph(procedure.reverse_postorder())];
        let mut state = Search {
            part: SecondaryMap::with_capacity(procedure.locs.len()),
            index: SecondaryMap::with_capacity(procedure.locs.len()),
            low: SecondaryMap::with_capacity(procedure.locs.len()),
            parts: 0,
        };
        while let Some(part) = work.pop() {
            let locs = match part {
                Part::One(loc) => {
                    order.number[loc] = order.locs.len() as u32;
                    order.locs.push(loc);
                    continue;
                }
                Part::Graph(locs) => locs,
            };
            // Components come with those last that others lead to, so the stack yields them in order.
            for mut component in state.components(procedure, &locs) {
                let head = component[0];
                let is_loop = component.len() > 1
                    || procedure.locs[head].out.iter().any(|&e| procedure.edges[e].target == head);
                if is_loop {
                    order.heads.insert(head);
                    order.sizes[head] = component.len() as u32;
                }
                component.remove(0);
                if !component.is_empty() {
                    work.push(Part::Graph(component));
                }
                work.push(Part::One(head));
            }
        }
        order
    }

    /// The number behind those of the loop that begins at a location.
    pub(crate) fn end_of_loop(&self, head: Loc) -> Option<u32> {
        self.heads.contains(head).then(|| self.number[head] + self.sizes[head])
    }
}

enum Part {
    One(Loc),
    Graph(Vec<Loc>),
}

struct Search {
    /// The number of the part of the graph that a location belongs to.
    part: SecondaryMap<Loc, u32>,
    index: SecondaryMap<Loc, u32>,
    low: SecondaryMap<Loc, u32>,
    parts: u32,
}

impl Search {
    /// The strongly connected components of some locations, given in reverse postorder (Tarjan). Each begins with
    /// the location that comes first; a component comes before those that lead to it.
    fn components(&mut self, procedure: &Procedure, locs: &[Loc]) -> Vec<Vec<Loc>> {
        self.parts += 1;
        let own = self.parts;
        for &loc in locs {
            self.part[loc] = own;
            self.index[loc] = 0;
        }
        let mut components: Vec<Vec<Loc>> = Vec::new();
        let (mut stack, mut count) = (Vec::new(), 0);
        let mut done = 0u32;
        for &root in locs {
            if self.index[root] != 0 {
                continue;
            }
            let mut work = vec![(root, 0usize)];
            while let Some((loc, next)) = work.pop() {
                if next == 0 {
                    count += 1;
                    self.index[loc] = count;
                    self.low[loc] = count;
                    stack.push(loc);
                }
                if let Some(&edge) = procedure.locs[loc].out.get(next) {
                    work.push((loc, next + 1));
                    let target = procedure.edges[edge].target;
                    if self.part[target] != own {
                        continue;
                    }
                    if self.index[target] == 0 {
                        work.push((target, 0));
                    } else {
                        self.low[loc] = self.low[loc].min(self.index[target]);
                    }
                    continue;
                }
                let low = self.low[loc];
                if low == self.index[loc] {
                    let from = stack.iter().rposition(|&it| it == loc).unwrap_or(0);
                    let component: Vec<Loc> = stack.split_off(from);
                    // Not in this part any more: paths to it do not lead back.
                    component.iter().for_each(|&it| self.part[it] = 0);
                    components.push(component);
                    done += 1;
                }
                if let Some(&(before, _)) = work.last() {
                    self.low[before] = self.low[before].min(low);
                }
            }
        }
        debug_assert!(done as usize == components.len());
        components
    }
}
