//! Parts of a state that states share until one of them writes, with a fingerprint kept along.
//!
//! An exploration has a million states that differ from their predecessors in one part; the others
//! cost a reference count to copy and nothing to hash again.

use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// A hash wide enough to stand for the state: with 2^128 values, a collision among the 2^30 states
/// that fit into memory has a probability of 2^-69.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fingerprint(u128);

impl Fingerprint {
    pub(crate) fn of(value: &impl Hash) -> Self {
        let mut hasher = WideHasher::default();
        value.hash(&mut hasher);
        hasher.fingerprint()
    }
}

/// Two 64-bit lanes, mixed by multiplications to 128 bits whose halves are folded.
#[derive(Debug)]
pub(crate) struct WideHasher {
    lanes: [u64; 2],
}

impl Default for WideHasher {
    fn default() -> Self {
        // Digits of pi: any constants without a pattern do.
        WideHasher { lanes: [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344] }
    }
}

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ (product >> 64) as u64
}

impl WideHasher {
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        let [a, b] = self.lanes;
        let high = fold(a ^ b.rotate_left(32), 0x9e37_79b9_7f4a_7c15);
        let low = fold(b ^ a.rotate_left(17), 0xc2b2_ae3d_27d4_eb4f);
        Fingerprint(u128::from(high) << 64 | u128::from(low))
    }
}

impl Hasher for WideHasher {
    fn write_u64(&mut self, word: u64) {
        let [a, b] = &mut self.lanes;
        // Adding the length-independent constant keeps runs of zero words from being fixed points.
        *a = fold(*a ^ word, 0xa076_1d64_78bd_642f).wrapping_add(0xe703_7ed1_a0b4_28db);
        *b = fold(b.rotate_left(23) ^ word, 0x8ebc_6af0_9c88_c6e3)
            .wrapping_add(0x589_9654_91cc_1b2d);
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(value.into());
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(value.into());
    }

    fn write_u128(&mut self, value: u128) {
        self.write_u64(value as u64);
        self.write_u64((value >> 64) as u64);
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }

    fn finish(&self) -> u64 {
        self.fingerprint().0 as u64
    }
}

/// A part of a state: copied on the first write after the state was copied.
#[derive(Debug)]
pub(crate) struct Shared<T>(Rc<Part<T>>);

#[derive(Clone, Debug)]
struct Part<T> {
    value: T,
    fingerprint: Cell<Option<Fingerprint>>,
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared(Rc::clone(&self.0))
    }
}

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Self {
        Shared(Rc::new(Part { value, fingerprint: Cell::new(None) }))
    }

    pub(crate) fn get(&self) -> &T {
        &self.0.value
    }
}

impl<T: Clone> Shared<T> {
    pub(crate) fn get_mut(&mut self) -> &mut T {
        let part = Rc::make_mut(&mut self.0);
        part.fingerprint.set(None);
        &mut part.value
    }
}

impl<T: Hash> Hash for Shared<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let part = &self.0;
        let fingerprint = part.fingerprint.get().unwrap_or_else(|| {
            let fingerprint = Fingerprint::of(&part.value);
            part.fingerprint.set(Some(fingerprint));
            fingerprint
        });
        state.write_u128(fingerprint.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustc_hash::FxHashSet;

    #[test]
    fn a_write_leaves_copies_alone_and_changes_the_fingerprint() {
        let original = Shared::new(vec![1u8, 2, 3]);
        let before = Fingerprint::of(&original);
        let mut copy = original.clone();
        copy.get_mut()[1] = 7;
        assert_eq!(original.get(), &[1, 2, 3]);
        assert_eq!(Fingerprint::of(&original), before);
        assert_ne!(Fingerprint::of(&copy), before);
        copy.get_mut()[1] = 2;
        assert_eq!(Fingerprint::of(&copy), before);
    }

    #[test]
    fn near_inputs_have_distinct_fingerprints() {
        let mut seen = FxHashSet::default();
        for length in 0..40usize {
            assert!(seen.insert(Fingerprint::of(&vec![0u64; length])));
        }
        // The sequence of length 1 is the pair (1, 0), so each kind has a set of its own.
        seen.clear();
        for a in 0..300u64 {
            for b in 0..300u64 {
                assert!(seen.insert(Fingerprint::of(&(a, b))));
            }
        }
    }
}
