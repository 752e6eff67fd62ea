//! Sets of literals over predicates, as bits.

use ravelin_base::{EntityRef, entity_impl};
use smallvec::SmallVec;

/// A predicate of the precision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Predicate(u32);
entity_impl!(Predicate, "q");

/// Literals that hold together: two bits for each predicate, true and false.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Literals {
    words: SmallVec<[u64; 2]>,
}

impl Literals {
    pub fn insert(&mut self, predicate: Predicate, holds: bool) {
        let bit = predicate.index() * 2 + usize::from(holds);
        if self.words.len() <= bit / 64 {
            self.words.resize(bit / 64 + 1, 0);
        }
        self.words[bit / 64] |= 1 << (bit % 64);
    }

    /// Whether a predicate holds or not, if that is known.
    pub fn get(&self, predicate: Predicate) -> Option<bool> {
        let has = |holds: bool| {
            let bit = predicate.index() * 2 + usize::from(holds);
            self.words.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
        };
        if has(true) {
            Some(true)
        } else if has(false) {
            Some(false)
        } else {
            None
        }
    }

    /// Whether every literal here is one of `other`.
    pub fn is_part_of(&self, other: &Literals) -> bool {
        self.words
            .iter()
            .enumerate()
            .all(|(at, word)| word & !other.words.get(at).copied().unwrap_or(0) == 0)
    }

    /// Both; `None` if they contradict each other.
    pub fn and(&self, other: &Literals) -> Option<Literals> {
        let (longer, shorter) =
            if self.words.len() < other.words.len() { (other, self) } else { (self, other) };
        let mut words = longer.words.clone();
        for (word, more) in words.iter_mut().zip(&shorter.words) {
            *word |= more;
        }
        const POSITIVE: u64 = 0xaaaa_aaaa_aaaa_aaaa;
        let contradict = words.iter().any(|word| (word & POSITIVE) >> 1 & word != 0);
        (!contradict).then_some(Literals { words })
    }

    /// The literals of some predicates.
    pub fn of(&self, mask: &Mask) -> Literals {
        let mut words: SmallVec<[u64; 2]> =
            self.words.iter().zip(&mask.words).map(|(word, mask)| word & mask).collect();
        // Equal sets are to have equal words.
        while words.last() == Some(&0) {
            words.pop();
        }
        Literals { words }
    }

    pub fn iter(&self) -> impl Iterator<Item = (Predicate, bool)> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| (Predicate::new((at * 64 + bit) / 2), bit % 2 == 1))
        })
    }
}

/// A set of predicates: both bits of each.
#[derive(Clone, Debug, Default)]
pub struct Mask {
    words: Vec<u64>,
}

impl FromIterator<Predicate> for Mask {
    fn from_iter<I: IntoIterator<Item = Predicate>>(predicates: I) -> Self {
        let mut words = Vec::new();
        for predicate in predicates {
            let bit = predicate.index() * 2;
            if words.len() <= bit / 64 {
                words.resize(bit / 64 + 1, 0);
            }
            words[bit / 64] |= 3 << (bit % 64);
        }
        Mask { words }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_come_back_in_order() {
        let mut literals = Literals::default();
        for (number, holds) in [(70, true), (0, false), (31, true), (32, false)] {
            literals.insert(Predicate::new(number), holds);
        }
        let listed: Vec<(usize, bool)> = literals.iter().map(|(p, b)| (p.index(), b)).collect();
        assert_eq!(listed, [(0, false), (31, true), (32, false), (70, true)]);
        assert_eq!(literals.get(Predicate::new(32)), Some(false));
        assert_eq!(literals.get(Predicate::new(33)), None);
    }

    #[test]
    fn parts_are_subsets() {
        let (mut small, mut large) = (Literals::default(), Literals::default());
        small.insert(Predicate::new(3), true);
        large.insert(Predicate::new(3), true);
        large.insert(Predicate::new(90), false);
        assert!(small.is_part_of(&large) && !large.is_part_of(&small));
        assert!(Literals::default().is_part_of(&small));
        let mut other = Literals::default();
        other.insert(Predicate::new(3), false);
        assert!(!other.is_part_of(&large));
    }

    #[test]
    fn masks_choose_predicates() {
        let mut literals = Literals::default();
        for (number, holds) in [(1, true), (2, false), (40, true)] {
            literals.insert(Predicate::new(number), holds);
        }
        let mask = [2, 3, 80].into_iter().map(Predicate::new).collect();
        let mut expected = Literals::default();
        expected.insert(Predicate::new(2), false);
        assert_eq!(literals.of(&mask), expected);
        assert_eq!(literals.of(&Mask::default()), Literals::default());
    }
}
