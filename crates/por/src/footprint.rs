//! Sets of what is read and what is written.

use crate::bits::Bits;

/// What is read and written: shared variables and the like, as bits of a universe that [`crate::Tables`]
/// lay out; and memory, by region and by object. What two accesses have in common is in one region and in
/// one object, so they conflict only if they meet in both.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Footprint {
    named: Touched,
    regions: Touched,
    objects: Touched,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Touched {
    reads: Bits,
    writes: Bits,
}

impl Touched {
    fn touch(&mut self, bit: usize, write: bool) {
        if write {
            self.writes.insert(bit)
        } else {
            self.reads.insert(bit)
        };
    }

    fn add(&mut self, other: &Touched) -> bool {
        let reads = self.reads.unite(&other.reads);
        self.writes.unite(&other.writes) || reads
    }

    fn conflicts_with(&self, other: &Touched) -> bool {
        self.writes.meets(&other.writes)
            || self.writes.meets(&other.reads)
            || self.reads.meets(&other.writes)
    }

    fn conflicts_within(&self, other: &Touched, within: &Bits) -> bool {
        self.writes.meets_within(&other.writes, within)
            || self.writes.meets_within(&other.reads, within)
            || self.reads.meets_within(&other.writes, within)
    }
}

/// Conflicts on what is not in here are none: it is not tracked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mask {
    pub(crate) named: Bits,
    pub(crate) regions: Bits,
}

impl Footprint {
    pub(crate) fn read(&mut self, bit: usize) {
        self.named.touch(bit, false);
    }

    pub(crate) fn write(&mut self, bit: usize) {
        self.named.touch(bit, true);
    }

    pub(crate) fn region(&mut self, region: usize, write: bool) {
        self.regions.touch(region, write);
    }

    pub(crate) fn object(&mut self, object: usize, write: bool) {
        self.objects.touch(object, write);
    }

    /// Adds what `other` touches; whether that is more.
    pub fn add(&mut self, other: &Footprint) -> bool {
        let named = self.named.add(&other.named);
        let regions = self.regions.add(&other.regions);
        self.objects.add(&other.objects) || named || regions
    }

    /// Whether both touch something that one of them writes.
    pub fn conflicts_with(&self, other: &Footprint) -> bool {
        self.named.conflicts_with(&other.named)
            || (self.regions.conflicts_with(&other.regions)
                && self.objects.conflicts_with(&other.objects))
    }

    /// Whether both touch something tracked that one of them writes.
    pub fn conflicts_within(&self, other: &Footprint, mask: &Mask) -> bool {
        self.named.conflicts_within(&other.named, &mask.named)
            || (self.regions.conflicts_within(&other.regions, &mask.regions)
                && self.objects.conflicts_with(&other.objects))
    }

    /// The same, if all memory that is touched is known to be in one of these objects.
    pub fn narrowed_to(&self, objects: &Bits) -> Footprint {
        let mut narrowed = self.clone();
        narrowed.objects.reads.intersect(objects);
        narrowed.objects.writes.intersect(objects);
        narrowed
    }

    /// What it touches of a mask: variables and the like, and regions.
    pub(crate) fn within(&self, mask: &Mask) -> (Bits, Bits) {
        let touched = |touched: &Touched, within: &Bits| {
            let mut all = touched.reads.clone();
            all.unite(&touched.writes);
            all.intersect(within);
            all
        };
        (touched(&self.named, &mask.named), touched(&self.regions, &mask.regions))
    }

    /// Whether this is written.
    pub(crate) fn writes(&self, bit: usize) -> bool {
        self.named.writes.contains(bit)
    }

    /// Whether nothing is touched.
    pub fn is_empty(&self) -> bool {
        self.named == Touched::default() && self.regions == Touched::default()
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

    #[test]
    fn memory_meets_in_regions_and_in_objects() {
        let access = |objects: &[usize], write: bool| {
            let mut footprint = Footprint::default();
            footprint.region(0, write);
            for &object in objects {
                footprint.object(object, write);
            }
            footprint
        };
        let (through, direct) = (access(&[1, 2], true), access(&[2], false));
        assert!(through.conflicts_with(&direct));
        assert!(!through.narrowed_to(&[1].into_iter().collect()).conflicts_with(&direct));
        assert!(through.narrowed_to(&[2].into_iter().collect()).conflicts_with(&direct));
        let mut mask = Mask::default();
        assert!(!through.conflicts_within(&direct, &mask));
        mask.regions.insert(0);
        assert!(through.conflicts_within(&direct, &mask));
    }
}
