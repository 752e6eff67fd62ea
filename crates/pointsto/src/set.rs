//! Sets of small numbers, as sorted words of bits.

use std::marker::PhantomData;

use ravelin_base::EntityRef;
use smallvec::SmallVec;

/// A set of indices. Neighbouring ones share a word, so that sets of related indices are small, and
/// unions go word by word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct IndexSet<T> {
    /// By the number of the word; no word is zero.
    words: SmallVec<[(u32, u64); 2]>,
    of: PhantomData<T>,
}

impl<T> Default for IndexSet<T> {
    fn default() -> Self {
        IndexSet { words: SmallVec::new(), of: PhantomData }
    }
}

impl<T: EntityRef> IndexSet<T> {
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    fn split(item: T) -> (u32, u64) {
        ((item.index() / 64) as u32, 1 << (item.index() % 64))
    }

    /// Whether the item is new.
    pub(crate) fn insert(&mut self, item: T) -> bool {
        let (word, bit) = Self::split(item);
        match self.words.binary_search_by_key(&word, |&(word, _)| word) {
            Ok(at) => {
                let is_new = self.words[at].1 & bit == 0;
                self.words[at].1 |= bit;
                is_new
            }
            Err(at) => {
                self.words.insert(at, (word, bit));
                true
            }
        }
    }

    /// Adds all items of `other`; those that are new go into `new`, too. Says whether there are any.
    pub(crate) fn insert_all(&mut self, other: &Self, new: &mut Self) -> bool {
        let mut added: SmallVec<[(u32, u64); 2]> = SmallVec::new();
        let mut at = 0;
        for &(word, bits) in &other.words {
            while at < self.words.len() && self.words[at].0 < word {
                at += 1;
            }
            let have = match self.words.get(at) {
                Some(&(here, have)) if here == word => have,
                Some(_) | None => 0,
            };
            if bits & !have != 0 {
                added.push((word, bits & !have));
            }
        }
        if added.is_empty() {
            return false;
        }
        self.unite(&added);
        new.unite(&added);
        true
    }

    fn unite(&mut self, other: &[(u32, u64)]) {
        if self.words.is_empty() {
            self.words.extend_from_slice(other);
            return;
        }
        let old = std::mem::take(&mut self.words);
        let (mut a, mut b) = (old.iter().copied().peekable(), other.iter().copied().peekable());
        loop {
            match (a.peek().copied(), b.peek().copied()) {
                (Some(x), Some(y)) if x.0 == y.0 => {
                    self.words.push((x.0, x.1 | y.1));
                    a.next();
                    b.next();
                }
                (Some(x), Some(y)) if x.0 < y.0 => {
                    self.words.push(x);
                    a.next();
                }
                (_, Some(y)) => {
                    self.words.push(y);
                    b.next();
                }
                (Some(x), None) => {
                    self.words.push(x);
                    a.next();
                }
                (None, None) => break,
            }
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.words.iter().flat_map(|&(word, bits)| {
            let mut bits = bits;
            std::iter::from_fn(move || {
                if bits == 0 {
                    return None;
                }
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                Some(T::new(word as usize * 64 + bit as usize))
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::object::Loc;

    #[test]
    fn unions_are_those_of_ordinary_sets() {
        let numbers = |seed: u32, count: u32| {
            (0..count).map(move |n| n.wrapping_mul(seed).wrapping_mul(2_654_435_761) % 700)
        };
        for (seed, count) in [(1, 0), (3, 1), (5, 40), (7, 300)] {
            let (mut a, mut b, mut new) =
                (IndexSet::default(), IndexSet::default(), IndexSet::default());
            let (mut plain_a, mut plain_b) = (BTreeSet::new(), BTreeSet::new());
            for n in numbers(seed, count) {
                assert_eq!(a.insert(Loc::from_u32(n)), plain_a.insert(n));
            }
            for n in numbers(seed + 10, 60) {
                b.insert(Loc::from_u32(n));
                plain_b.insert(n);
            }
            let expected: Vec<u32> = plain_b.difference(&plain_a).copied().collect();
            assert_eq!(a.insert_all(&b, &mut new), !expected.is_empty());
            assert_eq!(new.iter().map(Loc::as_u32).collect::<Vec<_>>(), expected);
            plain_a.append(&mut plain_b);
            assert_eq!(a.iter().map(Loc::as_u32).collect::<BTreeSet<_>>(), plain_a);
        }
    }
}
