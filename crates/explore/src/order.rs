//! In which order states have their turn.

use std::collections::BTreeMap;

use crate::Order;

/// The states that wait for their turn.
#[derive(Debug)]
pub(crate) struct Work {
    order: Order,
    /// By what decides; the last of the first have their turn.
    buckets: BTreeMap<Rank, Vec<u32>>,
    /// With how many preemptions each state was reached first, by number, if that decides.
    preemptions: Vec<u16>,
}

/// What is missing to the goal, and the number of preemptions; zero where they do not decide.
type Rank = (u16, u16);

impl Work {
    pub(crate) fn new(order: Order) -> Self {
        Work { order, buckets: BTreeMap::new(), preemptions: Vec::new() }
    }

    /// Adds a state that was reached with so many preemptions, and has come so far.
    pub(crate) fn push(&mut self, state: u32, preemptions: u16, progress: u16) {
        let rank = match self.order {
            Order::DepthFirst => (0, 0),
            Order::FewPreemptions => (0, preemptions),
            Order::Furthest(_) => (u16::MAX - progress, preemptions),
        };
        if self.order != Order::DepthFirst {
            let index = state as usize;
            if self.preemptions.len() <= index {
                self.preemptions.resize(index + 1, 0);
            }
            self.preemptions[index] = preemptions;
        }
        self.buckets.entry(rank).or_default().push(state);
    }

    /// The state whose turn it is.
    pub(crate) fn pop(&mut self) -> Option<u32> {
        while let Some(mut bucket) = self.buckets.first_entry() {
            if let Some(state) = bucket.get_mut().pop() {
                return Some(state);
            }
            bucket.remove();
        }
        None
    }

    /// With how many preemptions a state was reached first.
    pub(crate) fn preemptions(&self, state: u32) -> u16 {
        self.preemptions.get(state as usize).copied().unwrap_or(0)
    }

    pub(crate) fn reserved_bytes(&self) -> usize {
        let waiting: usize = self.buckets.values().map(Vec::capacity).sum();
        4 * waiting + 2 * self.preemptions.capacity()
    }
}

#[cfg(test)]
mod tests {
    use ravelin_base::EntityRef;
    use ravelin_cfa::Var;

    use super::*;

    #[test]
    fn the_last_comes_first_among_equals() {
        let mut work = Work::new(Order::FewPreemptions);
        for (state, preemptions) in [(0, 1), (1, 0), (2, 3), (3, 0), (4, 1)] {
            work.push(state, preemptions, 0);
        }
        assert_eq!((work.pop(), work.pop(), work.pop()), (Some(3), Some(1), Some(4)));
        work.push(5, 0, 0);
        assert_eq!([5, 0, 2].map(Some), [work.pop(), work.pop(), work.pop()]);
        assert_eq!(work.pop(), None);
        assert_eq!(work.preemptions(2), 3);
        let mut work = Work::new(Order::DepthFirst);
        work.push(0, 0, 0);
        work.push(1, 7, 9);
        assert_eq!([work.pop(), work.pop(), work.pop()], [Some(1), Some(0), None]);
    }

    #[test]
    fn the_furthest_come_first_and_few_preemptions_among_them() {
        let mut work = Work::new(Order::Furthest(Var::new(0)));
        for (state, preemptions, progress) in [(0, 0, 1), (1, 4, 2), (2, 0, 0), (3, 5, 2)] {
            work.push(state, preemptions, progress);
        }
        assert_eq!([1, 3, 0, 2].map(Some), [(); 4].map(|()| work.pop()));
    }
}
