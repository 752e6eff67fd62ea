//! Stored states, compressed by their parts (collapse compression; Holzmann: "State compression in
//! Spin", 1997): each distinct part is kept once, and a state is a short vector of their numbers.

use hashbrown::HashTable;

/// Distinct sequences of words, numbered as they come.
#[derive(Debug)]
pub(crate) struct Pool<W> {
    words: Vec<W>,
    /// Where each sequence begins; one more than there are sequences.
    starts: Vec<usize>,
    table: HashTable<u32>,
}

/// What sequences are made of.
pub(crate) trait Word: Copy + Eq {
    fn bits(self) -> u64;
}

impl Word for u64 {
    fn bits(self) -> u64 {
        self
    }
}

impl Word for u32 {
    fn bits(self) -> u64 {
        self.into()
    }
}

/// Mixes by a multiplication to 128 bits whose halves are folded.
#[inline]
fn hash<W: Word>(words: &[W]) -> u64 {
    let mut state = 0x9e37_79b9_7f4a_7c15 ^ words.len() as u64;
    for word in words {
        let product = u128::from(state ^ word.bits()) * 0xa076_1d64_78bd_642f_u128;
        // The rotation keeps words of zero from being fixed points.
        state = (product as u64 ^ (product >> 64) as u64).rotate_left(23).wrapping_add(0x2545_f491);
    }
    let product = u128::from(state) * 0xe703_7ed1_a0b4_28db_u128;
    product as u64 ^ (product >> 64) as u64
}

impl<W: Word> Default for Pool<W> {
    fn default() -> Self {
        Pool { words: Vec::new(), starts: vec![0], table: HashTable::new() }
    }
}

impl<W: Word> Pool<W> {
    #[inline]
    pub(crate) fn get(&self, number: u32) -> &[W] {
        let at = number as usize;
        &self.words[self.starts[at]..self.starts[at + 1]]
    }

    /// The number of a sequence, and whether it is new.
    #[inline]
    pub(crate) fn intern(&mut self, sequence: &[W]) -> (u32, bool) {
        let hash_of = hash(sequence);
        let Pool { words, starts, table } = self;
        let at = |number: u32| &words[starts[number as usize]..starts[number as usize + 1]];
        if let Some(&number) = table.find(hash_of, |&number| at(number) == sequence) {
            return (number, false);
        }
        let number = (starts.len() - 1) as u32;
        table.insert_unique(hash_of, number, |&number| hash(at(number)));
        words.extend_from_slice(sequence);
        starts.push(words.len());
        (number, true)
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.words.len() * size_of::<W>()
            + self.starts.len() * size_of::<usize>()
            + self.table.capacity() * 5
    }

    /// About how many bytes the process has for it: containers grow by doubling.
    pub(crate) fn reserved_bytes(&self) -> usize {
        self.words.capacity() * size_of::<W>()
            + self.starts.capacity() * size_of::<usize>()
            + self.table.capacity() * 5
    }
}

/// The parts of a stored state before its threads.
pub(crate) const GLOBALS: usize = 0;
pub(crate) const MEMORY: usize = 1;
pub(crate) const SYNC: usize = 2;
/// The thread in an atomic section and how deep: `thread << 8 | depth`, and 0 for none.
pub(crate) const ATOMIC: usize = 3;
pub(crate) const THREADS: usize = 4;

/// All states and their parts.
#[derive(Debug, Default)]
pub(crate) struct Store {
    pub(crate) globals: Pool<u64>,
    pub(crate) threads: Pool<u64>,
    pub(crate) contents: Pool<u64>,
    pub(crate) memories: Pool<u64>,
    pub(crate) syncs: Pool<u64>,
    pub(crate) states: Pool<u32>,
}

impl Store {
    pub(crate) fn bytes(&self) -> usize {
        self.globals.bytes()
            + self.threads.bytes()
            + self.contents.bytes()
            + self.memories.bytes()
            + self.syncs.bytes()
            + self.states.bytes()
    }

    pub(crate) fn reserved_bytes(&self) -> usize {
        self.globals.reserved_bytes()
            + self.threads.reserved_bytes()
            + self.contents.reserved_bytes()
            + self.memories.reserved_bytes()
            + self.syncs.reserved_bytes()
            + self.states.reserved_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sequences_have_one_number() {
        let mut pool = Pool::<u64>::default();
        for length in 0..50u64 {
            let zeros = vec![0; length as usize];
            assert_eq!(pool.intern(&zeros), (length as u32, true));
        }
        for length in 0..50u64 {
            let zeros = vec![0; length as usize];
            assert_eq!(pool.intern(&zeros), (length as u32, false));
            assert_eq!(pool.get(length as u32), zeros);
        }
        assert_eq!(pool.intern(&[7]), (50, true));
        assert_eq!(pool.intern(&[8]), (51, true));
    }
}
