//! Persistent maps from small numbers: big-endian Patricia trees (Okasaki and Gill, "Fast Mergeable Integer
//! Maps"). Copies share their nodes, and comparing two maps visits only what they do not share.

use std::sync::Arc;

#[derive(Debug)]
enum Node<V> {
    Leaf(u32, V),
    /// The keys that have `bit` clear are left, the others right; `prefix` is what all have above the bit.
    Branch {
        prefix: u32,
        bit: u32,
        left: Arc<Node<V>>,
        right: Arc<Node<V>>,
    },
}

type Link<V> = Arc<Node<V>>;

/// A map whose copies are cheap.
#[derive(Debug)]
pub(crate) struct Map<V> {
    root: Option<Link<V>>,
}

impl<V> Clone for Map<V> {
    fn clone(&self) -> Self {
        Map { root: self.root.clone() }
    }
}

impl<V> Default for Map<V> {
    fn default() -> Self {
        Map { root: None }
    }
}

fn prefix_of(key: u32, bit: u32) -> u32 {
    key & !(bit | (bit - 1))
}

impl<V: PartialEq> PartialEq for Map<V> {
    fn eq(&self, other: &Self) -> bool {
        let mut is_equal = true;
        self.diff(other, &mut |_, a, b| is_equal &= a == b);
        is_equal
    }
}

impl<V> Map<V> {
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (&self.root, &other.root) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    pub(crate) fn get(&self, key: u32) -> Option<&V> {
        let mut node = self.root.as_deref()?;
        loop {
            match node {
                Node::Leaf(own, value) => return (*own == key).then_some(value),
                Node::Branch { bit, left, right, .. } => {
                    node = if key & bit == 0 { left } else { right };
                }
            }
        }
    }

    /// Calls `visit` on all entries, in order of their keys.
    pub(crate) fn for_each<'a>(&'a self, visit: &mut dyn FnMut(u32, &'a V)) {
        if let Some(root) = self.root.as_deref() {
            each(root, visit);
        }
    }

    /// Calls `visit` on the keys of both maps, in order, except for parts that they share.
    pub(crate) fn diff<'a>(
        &'a self,
        other: &'a Self,
        visit: &mut dyn FnMut(u32, Option<&'a V>, Option<&'a V>),
    ) {
        match (&self.root, &other.root) {
            (None, None) => {}
            (Some(a), None) => each(a, &mut |key, value| visit(key, Some(value), None)),
            (None, Some(b)) => each(b, &mut |key, value| visit(key, None, Some(value))),
            (Some(a), Some(b)) => diff(a, b, visit),
        }
    }
}

impl<V: Clone> Map<V> {
    pub(crate) fn insert(&mut self, key: u32, value: V) {
        self.root = Some(match self.root.take() {
            None => Arc::new(Node::Leaf(key, value)),
            Some(root) => insert(root, key, value),
        });
    }

    pub(crate) fn remove(&mut self, key: u32) {
        if self.get(key).is_some() {
            self.root = self.root.take().and_then(|root| remove(&root, key));
        }
    }
}

fn each<'a, V>(node: &'a Node<V>, visit: &mut dyn FnMut(u32, &'a V)) {
    match node {
        Node::Leaf(key, value) => visit(*key, value),
        Node::Branch { left, right, .. } => {
            each(left, visit);
            each(right, visit);
        }
    }
}

fn key_of<V>(node: &Node<V>) -> u32 {
    match node {
        Node::Leaf(key, _) => *key,
        Node::Branch { prefix, .. } => *prefix,
    }
}

/// A branch over two subtrees whose keys differ.
fn branch<V>(a: Link<V>, b: Link<V>) -> Link<V> {
    let (a_key, b_key) = (key_of(&a), key_of(&b));
    let bit = 1 << (31 - (a_key ^ b_key).leading_zeros());
    let (left, right) = if a_key & bit == 0 { (a, b) } else { (b, a) };
    Arc::new(Node::Branch { prefix: prefix_of(a_key, bit), bit, left, right })
}

fn insert<V: Clone>(node: Link<V>, key: u32, value: V) -> Link<V> {
    match &*node {
        Node::Leaf(own, _) if *own == key => Arc::new(Node::Leaf(key, value)),
        Node::Leaf(..) => branch(node, Arc::new(Node::Leaf(key, value))),
        Node::Branch { prefix, bit, left, right } => {
            if prefix_of(key, *bit) != *prefix {
                return branch(node, Arc::new(Node::Leaf(key, value)));
            }
            let (mut left, mut right) = (left.clone(), right.clone());
            if key & bit == 0 {
                left = insert(left, key, value);
            } else {
                right = insert(right, key, value);
            }
            Arc::new(Node::Branch { prefix: *prefix, bit: *bit, left, right })
        }
    }
}

/// Without a key that is there.
fn remove<V: Clone>(node: &Link<V>, key: u32) -> Option<Link<V>> {
    match &**node {
        Node::Leaf(..) => None,
        Node::Branch { prefix, bit, left, right } => {
            let (mut left, mut right) = (left.clone(), right.clone());
            if key & bit == 0 {
                match remove(&left, key) {
                    None => return Some(right),
                    Some(rest) => left = rest,
                }
            } else {
                match remove(&right, key) {
                    None => return Some(left),
                    Some(rest) => right = rest,
                }
            }
            Some(Arc::new(Node::Branch { prefix: *prefix, bit: *bit, left, right }))
        }
    }
}

fn diff<'a, V>(
    a: &'a Link<V>,
    b: &'a Link<V>,
    visit: &mut dyn FnMut(u32, Option<&'a V>, Option<&'a V>),
) {
    if Arc::ptr_eq(a, b) {
        return;
    }
    // A branch is looked into by the position of the other tree's keys.
    match (&**a, &**b) {
        (Node::Leaf(a_key, a_value), Node::Leaf(b_key, b_value)) if a_key == b_key => {
            visit(*a_key, Some(a_value), Some(b_value));
        }
        (
            Node::Branch { prefix, bit, left, right },
            Node::Branch { prefix: other, bit: other_bit, left: other_left, right: other_right },
        ) if prefix == other && bit == other_bit => {
            diff(left, other_left, visit);
            diff(right, other_right, visit);
        }
        (Node::Branch { prefix, bit, left, right }, inner)
            if prefix_of(key_of(inner), *bit) == *prefix && *bit > bit_of(inner) =>
        {
            if key_of(inner) & bit == 0 {
                diff(left, b, visit);
                each(right, &mut |key, value| visit(key, Some(value), None));
            } else {
                each(left, &mut |key, value| visit(key, Some(value), None));
                diff(right, b, visit);
            }
        }
        (inner, Node::Branch { prefix, bit, left, right })
            if prefix_of(key_of(inner), *bit) == *prefix && *bit > bit_of(inner) =>
        {
            if key_of(inner) & bit == 0 {
                diff(a, left, visit);
                each(right, &mut |key, value| visit(key, None, Some(value)));
            } else {
                each(left, &mut |key, value| visit(key, None, Some(value)));
                diff(a, right, visit);
            }
        }
        _ => {
            let only_a = |visit: &mut dyn FnMut(u32, Option<&'a V>, Option<&'a V>)| {
                each(a, &mut |key, value| visit(key, Some(value), None));
            };
            let only_b = |visit: &mut dyn FnMut(u32, Option<&'a V>, Option<&'a V>)| {
                each(b, &mut |key, value| visit(key, None, Some(value)));
            };
            if key_of(a) < key_of(b) {
                only_a(visit);
                only_b(visit);
            } else {
                only_b(visit);
                only_a(visit);
            }
        }
    }
}

fn bit_of<V>(node: &Node<V>) -> u32 {
    match node {
        Node::Leaf(..) => 0,
        Node::Branch { bit, .. } => *bit,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn maps_behave_like_ordinary_ones() {
        let mut seed = 1u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 8
        };
        let (mut map, mut plain) = (Map::default(), BTreeMap::new());
        for _ in 0..20 {
            let (old, old_plain) = (map.clone(), plain.clone());
            for _ in 0..40 {
                let (key, value) = (next() % 300, next() % 3);
                if next() % 3 == 0 {
                    map.remove(key);
                    plain.remove(&key);
                } else {
                    map.insert(key, value);
                    plain.insert(key, value);
                }
            }
            let mut all = Vec::new();
            map.for_each(&mut |key, value| all.push((key, *value)));
            assert_eq!(all, plain.iter().map(|(&key, &value)| (key, value)).collect::<Vec<_>>());
            let mut found = BTreeMap::new();
            let mut last = None;
            old.diff(&map, &mut |key, a, b| {
                assert!(last.replace(key) < Some(key));
                if a != b {
                    found.insert(key, (a.copied(), b.copied()));
                }
            });
            let expected: BTreeMap<_, _> = (0..300)
                .map(|key| (key, (old_plain.get(&key).copied(), plain.get(&key).copied())))
                .filter(|(_, (a, b))| a != b)
                .collect();
            assert_eq!(found, expected);
            for key in 0..300 {
                assert_eq!(map.get(key), plain.get(&key));
            }
        }
    }
}
