//! Sets of what is read and what is written.

/// What is read and written, as bits of a universe that [`crate::Tables`] lay out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Footprint {
    reads: Vec<u64>,
    writes: Vec<u64>,
}

fn set(words: &mut Vec<u64>, bit: usize) {
    if words.len() <= bit / 64 {
        words.resize(bit / 64 + 1, 0);
    }
    words[bit / 64] |= 1 << (bit % 64);
}

fn unite(to: &mut Vec<u64>, from: &[u64]) -> bool {
    if to.len() < from.len() {
        to.resize(from.len(), 0);
    }
    let mut grew = false;
    for (to, from) in to.iter_mut().zip(from) {
        grew |= *from & !*to != 0;
        *to |= *from;
    }
    grew
}

fn meet(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

impl Footprint {
    pub(crate) fn read(&mut self, bit: usize) {
        set(&mut self.reads, bit);
    }

    pub(crate) fn write(&mut self, bit: usize) {
        set(&mut self.writes, bit);
    }

    /// Adds what `other` touches; whether that is more.
    pub fn add(&mut self, other: &Footprint) -> bool {
        let reads = unite(&mut self.reads, &other.reads);
        unite(&mut self.writes, &other.writes) || reads
    }

    /// Whether both touch something that one of them writes.
    pub fn conflicts_with(&self, other: &Footprint) -> bool {
        meet(&self.writes, &other.writes)
            || meet(&self.writes, &other.reads)
            || meet(&self.reads, &other.writes)
    }

    /// Whether nothing is touched.
    pub fn is_empty(&self) -> bool {
        self.reads.iter().chain(&self.writes).all(|&word| word == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_commute_and_writes_do_not() {
        let (mut a, mut b) = (Footprint::default(), Footprint::default());
        a.read(3);
        b.read(3);
        assert!(!a.conflicts_with(&b));
        b.write(200);
        assert!(!a.conflicts_with(&b) && !b.conflicts_with(&a));
        a.read(200);
        assert!(a.conflicts_with(&b) && b.conflicts_with(&a));
        assert!(!a.add(&a.clone()));
        assert!(a.add(&b));
        assert!(a.conflicts_with(&a.clone()));
    }
}
