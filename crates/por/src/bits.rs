//! Sets of small numbers.

/// A set of small numbers, as bits.
#[derive(Clone, Debug, Default)]
pub struct Bits {
    words: Vec<u64>,
}

impl PartialEq for Bits {
    fn eq(&self, other: &Self) -> bool {
        self.trimmed() == other.trimmed()
    }
}

impl Eq for Bits {}

impl std::hash::Hash for Bits {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.trimmed().hash(state);
    }
}

impl Bits {
    /// The words up to the last that is not zero: how many zeros follow says nothing.
    fn trimmed(&self) -> &[u64] {
        let used = self.words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        &self.words[..used]
    }

    /// Adds a number; whether it is new.
    pub fn insert(&mut self, bit: usize) -> bool {
        if self.words.len() <= bit / 64 {
            self.words.resize(bit / 64 + 1, 0);
        }
        let is_new = !self.contains(bit);
        self.words[bit / 64] |= 1 << (bit % 64);
        is_new
    }

    pub fn contains(&self, bit: usize) -> bool {
        self.words.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }

    /// Adds all of another set; whether any is new.
    pub fn unite(&mut self, other: &Bits) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut grew = false;
        for (to, from) in self.words.iter_mut().zip(&other.words) {
            grew |= *from & !*to != 0;
            *to |= *from;
        }
        grew
    }

    /// Adds all of another set, and what of it is new to a third.
    pub fn unite_noting(&mut self, other: &Bits, new: &mut Bits) {
        let needed = other.trimmed().len();
        for set in [&mut *self, &mut *new] {
            if set.words.len() < needed {
                set.words.resize(needed, 0);
            }
        }
        let words = self.words.iter_mut().zip(&mut new.words).zip(&other.words);
        for ((to, new), from) in words {
            *new |= from & !*to;
            *to |= from;
        }
    }

    /// Takes the largest number out.
    pub fn pop(&mut self) -> Option<usize> {
        let index = self.words.iter().rposition(|&word| word != 0)?;
        let bit = self.words[index].ilog2() as usize;
        self.words[index] &= !(1 << bit);
        Some(index * 64 + bit)
    }

    /// Keeps what is in the other set, too.
    pub fn intersect(&mut self, other: &Bits) {
        self.words.truncate(other.words.len());
        for (to, from) in self.words.iter_mut().zip(&other.words) {
            *to &= *from;
        }
    }

    /// Whether both have a number in common.
    pub fn meets(&self, other: &Bits) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// Whether all three have a number in common.
    pub fn meets_within(&self, other: &Bits, within: &Bits) -> bool {
        let words = self.words.iter().zip(&other.words).zip(&within.words);
        words.into_iter().any(|((a, b), c)| a & b & c != 0)
    }

    pub fn is_empty(&self) -> bool {
        self.trimmed().is_empty()
    }

    /// The numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(index * 64 + bit)
            })
        })
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<I: IntoIterator<Item = usize>>(bits: I) -> Self {
        let mut set = Bits::default();
        for bit in bits {
            set.insert(bit);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_equal_by_what_is_in_them() {
        let mut long: Bits = [3, 200].into_iter().collect();
        let short: Bits = [3].into_iter().collect();
        assert_ne!(long, short);
        long.intersect(&[3, 5].into_iter().collect());
        assert_eq!(long, short);
        assert!(long.insert(130) && !long.insert(130));
        assert_eq!(long.iter().collect::<Vec<_>>(), [3, 130]);
        assert!(long.meets(&short) && !short.meets(&Bits::default()));
        assert!(!long.meets_within(&short, &[130].into_iter().collect()));
        assert!(!long.unite(&short) && !long.is_empty());
    }

    #[test]
    fn what_is_new_is_noted_and_taken_out() {
        let mut all: Bits = [3].into_iter().collect();
        let mut new = Bits::default();
        all.unite_noting(&[3, 64, 70].into_iter().collect(), &mut new);
        assert_eq!(all.iter().collect::<Vec<_>>(), [3, 64, 70]);
        assert_eq!([new.pop(), new.pop(), new.pop()], [Some(70), Some(64), None]);
    }
}
