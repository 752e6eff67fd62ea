//! In which order states have their turn.

use crate::Order;

/// The states that wait for their turn.
#[derive(Debug)]
pub(crate) struct Work {
    order: Order,
    /// By the number of preemptions, if that decides; else in the first.
    buckets: Vec<Vec<u32>>,
    /// No bucket before this has states.
    first: usize,
    /// With how many preemptions each state was reached first, by number, if that decides.
    preemptions: Vec<u16>,
}

impl Work {
    pub(crate) fn new(order: Order) -> Self {
        Work { order, buckets: vec![Vec::new()], first: 0, preemptions: Vec::new() }
    }

    /// Adds a state that was reached with so many preemptions.
    pub(crate) fn push(&mut self, state: u32, preemptions: u16) {
        let bucket = match self.order {
            Order::DepthFirst => 0,
            Order::FewPreemptions => {
                let index = state as usize;
                if self.preemptions.len() <= index {
                    self.preemptions.resize(index + 1, 0);
                }
                self.preemptions[index] = preemptions;
                usize::from(preemptions)
            }
        };
        if self.buckets.len() <= bucket {
            self.buckets.resize_with(bucket + 1, Vec::new);
        }
        self.buckets[bucket].push(state);
        self.first = self.first.min(bucket);
    }

    /// The state whose turn it is.
    pub(crate) fn pop(&mut self) -> Option<u32> {
        while let Some(bucket) = self.buckets.get_mut(self.first) {
            if let Some(state) = bucket.pop() {
                return Some(state);
            }
            self.first += 1;
        }
        None
    }

    /// With how many preemptions a state was reached first.
    pub(crate) fn preemptions(&self, state: u32) -> u16 {
        self.preemptions.get(state as usize).copied().unwrap_or(0)
    }

    pub(crate) fn reserved_bytes(&self) -> usize {
        let waiting: usize = self.buckets.iter().map(Vec::capacity).sum();
        4 * waiting + 2 * self.preemptions.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_comes_first_among_equals() {
        let mut work = Work::new(Order::FewPreemptions);
        for (state, preemptions) in [(0, 1), (1, 0), (2, 3), (3, 0), (4, 1)] {
            work.push(state, preemptions);
        }
        assert_eq!((work.pop(), work.pop(), work.pop()), (Some(3), Some(1), Some(4)));
        work.push(5, 0);
        assert_eq!([5, 0, 2].map(Some), [work.pop(), work.pop(), work.pop()]);
        assert_eq!(work.pop(), None);
        assert_eq!(work.preemptions(2), 3);
        let mut work = Work::new(Order::DepthFirst);
        work.push(0, 0);
        work.push(1, 7);
        assert_eq!([work.pop(), work.pop(), work.pop()], [Some(1), Some(0), None]);
    }
}
