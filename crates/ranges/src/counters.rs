//! Bounds between quantities that change together in a loop, such as `i - p <= 0` for a counter and an offset that both
//! begin with constants: no assignment and no condition relates them. Where the states of a first and of a next round
//! meet at the head of a loop, what holds in both is a candidate; later rounds keep it or drop it.

use crate::eval::Env;
use crate::linear::{Linear, Node};
use crate::map::Map;
use crate::relations::{Bound, Side};
use crate::state::{Key, Quantity, State, Value};

/// More quantities that change are not related.
const MAX_COUNTERS: usize = 8;

impl Env<'_> {
    /// Relates quantities that differ between an older and a newer state at the head of a loop, in the older state.
    pub(crate) fn relate_counters(&self, old: &mut State, newer: &State) {
        let mut nodes: Vec<Node> = Vec::new();
        for (a, b) in [(&old.local, &newer.local), (&old.global, &newer.global)] {
            self.find_counters(a, b, &mut nodes);
        }
        nodes.truncate(MAX_COUNTERS);
        for (index, &first) in nodes.iter().enumerate() {
            for &second in &nodes[index + 1..] {
                for (x, y) in [(false, true), (true, false), (false, false), (true, true)] {
                    let own = Side { node: first, is_negative: x };
                    let other = Side { node: second, is_negative: y };
                    if let Some(bound) = self.common_bound(old, newer, own, other) {
                        old.relations.add_bound(Bound { own, other, bound });
                    }
                }
            }
        }
    }

    fn find_counters(&self, old: &Map<Value>, newer: &Map<Value>, found: &mut Vec<Node>) {
        old.diff(newer, &mut |key, a, b| {
            let key = Key(key);
            if let (Some(a), Some(b)) = (a, b)
                && a != b
                && !is_wild(a)
                && !is_wild(b)
                && self.key_width(key).is_some()
                && !self.model.is_shared(self.program, key)
            {
                let signed = match self.model.keys.quantity(key) {
                    Quantity::Var(var) => self.model.is_signed(var),
                    Quantity::SizeOf(_) | Quantity::SizeOfCell(_) => false,
                    Quantity::Cell(_)
                    | Quantity::NoneEnded(_)
                    | Quantity::NoneBegun(_)
                    | Quantity::InScope(_) => true,
                };
                found.push(Node { key, signed });
            }
        });
    }

    /// An upper bound of two sides in both states, if their intervals in the state of either do not give it.
    fn common_bound(&self, a: &State, b: &State, own: Side, other: Side) -> Option<i128> {
        self.refill();
        let sum = self.bounded_sum(own, other)?;
        let most = |sum: &Linear, depth: u32| {
            let bound = |state| self.upper(state, &self.normal_sum(state, sum)?, depth);
            Some(bound(a)?.max(bound(b)?))
        };
        let bound = most(&sum, 1)?;
        let single = |side: Side| {
            most(&Linear::constant(0).plus(side.factor(), &Linear::node(side.node))?, 0)
        };
        let apart = single(own)?.checked_add(single(other)?)?;
        (bound < apart).then_some(bound)
    }
}

fn is_wild(value: &Value) -> bool {
    match value {
        Value::Ptr(ptr) => ptr.is_wild,
        Value::Num(_) => false,
    }
}
