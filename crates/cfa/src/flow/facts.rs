//! A persistent map from small numbers to small numbers, for facts about variables at locations.
//!
//! Neighbouring locations have nearly the same facts, so their maps share common parts: a change
//! copies one path of the tree, and a join visits only the differences. Without sharing, the cost
//! for procedures with thousands of locals would grow with locations × locals.

use std::rc::Rc;

/// Children of a node, and entries of a leaf.
const FANOUT: usize = 16;
const BITS: u32 = 4;
/// Marks an entry without a fact.
const ABSENT: u32 = u32::MAX;

/// Facts about the numbers below a bound.
#[derive(Clone, Debug)]
pub struct Facts {
    root: Option<Rc<Node>>,
    /// Levels above the leaves.
    height: u32,
}

#[derive(Clone, Debug)]
enum Node {
    Leaf([u32; FANOUT]),
    Inner([Option<Rc<Node>>; FANOUT]),
}

impl Facts {
    /// No facts, about numbers below `bound`.
    pub fn new(bound: usize) -> Self {
        let mut height = 0;
        while bound > FANOUT << (BITS * height) {
            height += 1;
        }
        Facts { root: None, height }
    }

    /// The fact about `key`.
    pub fn get(&self, key: usize) -> Option<u32> {
        let mut node = self.root.as_deref()?;
        let mut level = self.height;
        loop {
            let slot = slot(key, level);
            match node {
                Node::Leaf(values) => return Some(values[slot]).filter(|&value| value != ABSENT),
                Node::Inner(children) => node = children[slot].as_deref()?,
            }
            level -= 1;
        }
    }

    /// Whether there is a fact about `key`.
    pub fn contains(&self, key: usize) -> bool {
        self.get(key).is_some()
    }

    /// Sets the fact about `key`.
    pub fn insert(&mut self, key: usize, value: u32) {
        debug_assert_ne!(value, ABSENT, "the value is reserved");
        if self.get(key) != Some(value) {
            set(&mut self.root, self.height, key, value);
        }
    }

    /// Forgets the fact about `key`.
    pub fn remove(&mut self, key: usize) {
        if self.contains(key) {
            set(&mut self.root, self.height, key, ABSENT);
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.root = None;
    }

    /// Keeps the facts that `other` has with the same value; returns whether some were lost.
    pub fn meet(&mut self, other: &Facts) -> bool {
        let keep = |a: u32, b: u32| if a == b { a } else { ABSENT };
        merge(&mut self.root, &other.root, Absence::Wins, keep)
    }

    /// Adds the facts of `other` about keys without a fact; returns whether there were any.
    pub fn union(&mut self, other: &Facts) -> bool {
        let add = |a: u32, b: u32| if a == ABSENT { b } else { a };
        merge(&mut self.root, &other.root, Absence::Loses, add)
    }
}

fn is_same_node(a: &Option<Rc<Node>>, b: &Option<Rc<Node>>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => Rc::ptr_eq(a, b),
        (None, Some(_)) | (Some(_), None) => false,
    }
}

fn slot(key: usize, level: u32) -> usize {
    (key >> (BITS * level)) & (FANOUT - 1)
}

fn set(node: &mut Option<Rc<Node>>, level: u32, key: usize, value: u32) {
    let node = node.get_or_insert_with(|| {
        Rc::new(match level {
            0 => Node::Leaf([ABSENT; FANOUT]),
            _ => Node::Inner(Default::default()),
        })
    });
    match Rc::make_mut(node) {
        Node::Leaf(values) => values[slot(key, level)] = value,
        Node::Inner(children) => set(&mut children[slot(key, level)], level - 1, key, value),
    }
}

/// The fate of a subtree that the other map does not have.
#[derive(Clone, Copy)]
enum Absence {
    Wins,
    Loses,
}

/// Merges `b` into `a`, entry by entry where they differ; returns whether `a` changed.
fn merge(
    a: &mut Option<Rc<Node>>,
    b: &Option<Rc<Node>>,
    absence: Absence,
    combine: fn(u32, u32) -> u32,
) -> bool {
    let (Some(node_a), Some(node_b)) = (a.as_mut(), b.as_ref()) else {
        let replaced = match absence {
            Absence::Wins => a.is_some(),
            Absence::Loses => b.is_some() && a.is_none(),
        };
        if replaced {
            *a = b.clone();
        }
        return replaced;
    };
    if Rc::ptr_eq(node_a, node_b) {
        return false;
    }
    match (&**node_a, &**node_b) {
        (Node::Leaf(values), Node::Leaf(others)) => {
            let mut merged = *values;
            merged
                .iter_mut()
                .zip(others)
                .for_each(|(value, &other)| *value = combine(*value, other));
            if merged == *values {
                return false;
            }
            // Maps share nodes because an equal node of the other map replaces this one.
            *node_a =
                if merged == *others { Rc::clone(node_b) } else { Rc::new(Node::Leaf(merged)) };
            true
        }
        (Node::Inner(children), Node::Inner(others)) => {
            // Copies the node only when a child changed: most joins change nothing.
            let mut copy: Option<[Option<Rc<Node>>; FANOUT]> = None;
            for (index, (child, other)) in children.iter().zip(others).enumerate() {
                if !is_same_node(child, other) {
                    let mut child = child.clone();
                    if merge(&mut child, other, absence, combine) {
                        copy.get_or_insert_with(|| children.clone())[index] = child;
                    }
                }
            }
            let Some(copy) = copy else {
                return false;
            };
            let same = copy.iter().zip(others).all(|(child, other)| is_same_node(child, other));
            *node_a = if same { Rc::clone(node_b) } else { Rc::new(Node::Inner(copy)) };
            true
        }
        // Maps with the same bound have the same shape.
        (Node::Leaf(_), Node::Inner(_)) | (Node::Inner(_), Node::Leaf(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as usize % bound
        }
    }

    fn check_equal(facts: &Facts, model: &BTreeMap<usize, u32>, bound: usize) {
        for key in 0..bound {
            assert_eq!(facts.get(key), model.get(&key).copied());
        }
    }

    #[test]
    fn behaves_like_an_ordinary_map() {
        let mut random = Random(42);
        for bound in [1, 16, 17, 300, 5000] {
            let mut maps: Vec<(Facts, BTreeMap<usize, u32>)> =
                vec![(Facts::new(bound), BTreeMap::new()); 3];
            for _ in 0..2_000 {
                let (at, key) = (random.below(3), random.below(bound));
                match random.below(6) {
                    0..=2 => {
                        let value = random.below(3) as u32;
                        maps[at].0.insert(key, value);
                        maps[at].1.insert(key, value);
                    }
                    3 => {
                        maps[at].0.remove(key);
                        maps[at].1.remove(&key);
                    }
                    4 => maps[at] = maps[(at + 1) % 3].clone(),
                    _ => {
                        let (other, other_model) = maps[(at + 1) % 3].clone();
                        let (facts, model) = &mut maps[at];
                        let before = model.clone();
                        let changed = if random.below(2) == 0 {
                            model.retain(|key, value| other_model.get(key) == Some(value));
                            facts.meet(&other)
                        } else {
                            for (key, value) in other_model {
                                model.entry(key).or_insert(value);
                            }
                            facts.union(&other)
                        };
                        assert_eq!(changed, *model != before);
                    }
                }
                check_equal(&maps[at].0, &maps[at].1, bound.min(64));
            }
            maps.iter().for_each(|(facts, model)| check_equal(facts, model, bound));
        }
    }
}
