//! The bytes of an object, as words.
//!
//! The first word has the life of the object and which of the optional parts there are. Then come the
//! bytes, then a bit per byte without a value, then for each four bytes the object that a pointer
//! beginning there points to. Of such a pointer the bytes hold the offset alone. Parts in which
//! nothing is set are left out, so that equal contents are equal words.

use crate::word::{object_of, offset_of, pointer};

pub(crate) const ALIVE: u64 = 0;
pub(crate) const SCOPE_ENDED: u64 = 1;
pub(crate) const FREED: u64 = 2;
const LIFE: u64 = 3;
const HAS_UNSET: u64 = 4;
const HAS_POINTERS: u64 = 8;

/// Why an access cannot be made as words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Misaligned;

pub(crate) fn life(words: &[u64]) -> u64 {
    words[0] & LIFE
}

/// A dead object has no bytes.
pub(crate) fn dead(words: &mut Vec<u64>, life: u64) {
    words.clear();
    words.push(life);
}

/// New contents: zero, or without a value.
pub(crate) fn create(words: &mut Vec<u64>, size: u64, zero: bool) {
    words.clear();
    words.push(if zero || size == 0 { 0 } else { HAS_UNSET });
    words.resize(1 + byte_words(size), 0);
    if !zero {
        for word in 0..unset_words(size) {
            let left = size - 64 * word as u64;
            words.push(if left >= 64 { u64::MAX } else { (1 << left) - 1 });
        }
    }
}

fn byte_words(size: u64) -> usize {
    size.div_ceil(8) as usize
}

fn unset_words(size: u64) -> usize {
    size.div_ceil(64) as usize
}

fn unset_start(size: u64) -> usize {
    1 + byte_words(size)
}

fn pointer_start(words: &[u64], size: u64) -> usize {
    unset_start(size) + if words[0] & HAS_UNSET != 0 { unset_words(size) } else { 0 }
}

/// Up to 8 bytes.
#[inline]
pub(crate) fn read(words: &[u64], at: u64, length: u64) -> u64 {
    let (word, shift) = ((at / 8) as usize + 1, 8 * (at % 8));
    let mut bits = words[word] >> shift;
    if shift + 8 * length > 64 {
        bits |= words[word + 1] << (64 - shift);
    }
    if length < 8 { bits & ((1 << (8 * length)) - 1) } else { bits }
}

#[inline]
fn write_bits(words: &mut [u64], at: u64, length: u64, bits: u64) {
    let (word, shift) = ((at / 8) as usize + 1, 8 * (at % 8));
    let mask = if length < 8 { (1 << (8 * length)) - 1 } else { u64::MAX };
    words[word] = words[word] & !(mask << shift) | (bits & mask) << shift;
    if shift + 8 * length > 64 {
        let back = 64 - shift;
        words[word + 1] = words[word + 1] & !(mask >> back) | (bits & mask) >> back;
    }
}

pub(crate) fn has_unset(words: &[u64]) -> bool {
    words[0] & HAS_UNSET != 0
}

pub(crate) fn has_pointers(words: &[u64]) -> bool {
    words[0] & HAS_POINTERS != 0
}

/// Whether a byte has no value.
pub(crate) fn is_unset(words: &[u64], size: u64, at: u64) -> bool {
    has_unset(words) && words[unset_start(size) + (at / 64) as usize] >> (at % 64) & 1 == 1
}

/// Whether one of these bytes has no value.
pub(crate) fn any_unset(words: &[u64], size: u64, at: u64, length: u64) -> bool {
    has_unset(words) && (at..at + length).any(|at| is_unset(words, size, at))
}

fn mark_set(words: &mut Vec<u64>, size: u64, at: u64, length: u64) {
    if !has_unset(words) {
        return;
    }
    let start = unset_start(size);
    for at in at..at + length {
        words[start + (at / 64) as usize] &= !(1 << (at % 64));
    }
    let end = start + unset_words(size);
    if words[start..end].iter().all(|&word| word == 0) {
        words.drain(start..end);
        words[0] &= !HAS_UNSET;
    }
}

/// Takes the value from a byte.
pub(crate) fn mark_unset(words: &mut Vec<u64>, size: u64, at: u64) {
    let start = unset_start(size);
    if !has_unset(words) {
        words.splice(start..start, std::iter::repeat_n(0, unset_words(size)));
        words[0] |= HAS_UNSET;
    }
    words[start + (at / 64) as usize] |= 1 << (at % 64);
    write_bits(words, at, 1, 0);
}

/// The object of the pointer that begins at four times `slot`; 0 for none.
fn tag(words: &[u64], size: u64, slot: u64) -> u32 {
    if !has_pointers(words) || 4 * slot >= size {
        return 0;
    }
    let word = words[pointer_start(words, size) + (slot / 2) as usize];
    (word >> (32 * (slot % 2))) as u32
}

fn set_tag(words: &mut Vec<u64>, size: u64, slot: u64, object: u32) {
    let start = pointer_start(words, size);
    if !has_pointers(words) {
        if object == 0 {
            return;
        }
        words.resize(start + byte_words(size), 0);
        words[0] |= HAS_POINTERS;
    }
    let (word, shift) = (start + (slot / 2) as usize, 32 * (slot % 2));
    words[word] = words[word] & !(0xffff_ffff << shift) | u64::from(object) << shift;
    if object == 0 && words[start..].iter().all(|&word| word == 0) {
        words.truncate(start);
        words[0] &= !HAS_POINTERS;
    }
}

/// The pointers of `bytes` bytes that overlap a range: where they begin, and their objects.
pub(crate) fn pointers_in(
    words: &[u64],
    size: u64,
    at: u64,
    length: u64,
    bytes: u64,
    found: &mut Vec<(u64, u32)>,
) {
    found.clear();
    if !has_pointers(words) || length == 0 {
        return;
    }
    let first = at.saturating_sub(bytes - 1).div_ceil(4);
    let last = (at + length - 1) / 4;
    for slot in first..=last {
        let object = tag(words, size, slot);
        if object != 0 {
            found.push((4 * slot, object));
        }
    }
}

/// All objects that pointers in here point to.
pub(crate) fn targets(words: &[u64], size: u64) -> impl Iterator<Item = u32> + '_ {
    let start = if has_pointers(words) { pointer_start(words, size) } else { words.len() };
    words[start..]
        .iter()
        .flat_map(|&word| [word as u32, (word >> 32) as u32])
        .filter(|&object| object != 0)
}

/// The pointer of `bytes` bytes that was stored whole at `at`.
pub(crate) fn read_pointer(words: &[u64], size: u64, at: u64, bytes: u64) -> Option<u64> {
    if !at.is_multiple_of(4) {
        return None;
    }
    let object = tag(words, size, at / 4);
    (object != 0).then(|| pointer(object, read(words, at, bytes) as u32))
}

/// Forgets that a pointer begins here; its bytes stay.
pub(crate) fn forget_pointer(words: &mut Vec<u64>, size: u64, at: u64) {
    set_tag(words, size, at / 4, 0);
}

/// Writes up to 8 bytes where no pointer is.
#[inline]
pub(crate) fn write(words: &mut Vec<u64>, size: u64, at: u64, length: u64, bits: u64) {
    write_bits(words, at, length, bits);
    mark_set(words, size, at, length);
}

/// Writes a pointer of `bytes` bytes, to an object or to none, where no pointer is.
pub(crate) fn write_pointer(
    words: &mut Vec<u64>,
    size: u64,
    at: u64,
    bytes: u64,
    stored: u64,
) -> Result<(), Misaligned> {
    let object = object_of(stored);
    if object != 0 && !at.is_multiple_of(4) {
        return Err(Misaligned);
    }
    // Offsets are signed.
    let offset = i64::from(offset_of(stored) as i32) as u64;
    write(words, size, at, bytes, offset);
    if object != 0 {
        set_tag(words, size, at / 4, object);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_across_words() {
        let mut words = Vec::new();
        create(&mut words, 20, true);
        for at in 0..12 {
            for length in [1, 2, 4, 8] {
                let bits = 0x0123_4567_89ab_cdef_u64 & (u64::MAX >> (64 - 8 * length));
                let before: Vec<u64> = (0..20).map(|at| read(&words, at, 1)).collect();
                write(&mut words, 20, at, length, bits);
                assert_eq!(read(&words, at, length), bits);
                for other in (0..20).filter(|other| !(at..at + length).contains(other)) {
                    assert_eq!(read(&words, other, 1), before[other as usize]);
                }
            }
        }
    }

    #[test]
    fn what_was_written_everywhere_is_as_if_made_so() {
        let (mut written, mut made) = (Vec::new(), Vec::new());
        create(&mut written, 70, false);
        assert!(any_unset(&written, 70, 69, 1));
        for at in 0..70 {
            assert!(is_unset(&written, 70, at));
            write(&mut written, 70, at, 1, 0);
        }
        create(&mut made, 70, true);
        assert_eq!(written, made);
        mark_unset(&mut written, 70, 68);
        assert!(is_unset(&written, 70, 68) && !is_unset(&written, 70, 67));
    }

    #[test]
    fn pointers_keep_their_objects() {
        let mut words = Vec::new();
        create(&mut words, 24, false);
        let stored = pointer(9, -4i32 as u32);
        write_pointer(&mut words, 24, 8, 8, stored).unwrap();
        assert_eq!(read_pointer(&words, 24, 8, 8), Some(stored));
        let mut found = Vec::new();
        pointers_in(&words, 24, 12, 2, 8, &mut found);
        assert_eq!(found, [(8, 9)]);
        pointers_in(&words, 24, 16, 4, 8, &mut found);
        assert!(found.is_empty());
        assert_eq!(targets(&words, 24).collect::<Vec<_>>(), [9]);
        forget_pointer(&mut words, 24, 8);
        assert_eq!(read_pointer(&words, 24, 8, 8), None);
        assert!(!has_pointers(&words));
    }
}
