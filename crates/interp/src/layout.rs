//! Where objects and threads get their names and addresses.
//!
//! In a run, an object takes the next free addresses. They are not used again while there are
//! fewer than [`QUARANTINE_OBJECTS`] dead objects, so that a dangling pointer does not seem valid;
//! a longer memory would make long runs grow without end.
//!
//! In an exploration, names are canonical: the same thread, place and occurrence give the same
//! name, hence address, in whatever order the threads came there. Otherwise equal states of
//! different interleavings would differ.

use std::collections::VecDeque;

use ravelin_base::DataModel;
use rustc_hash::FxHashMap;

/// Dead objects are remembered at least until so many have died after them.
const QUARANTINE_OBJECTS: usize = 1 << 18;

/// Or until their addresses amount to so many bytes: an eighth of ILP32's.
const QUARANTINE_BYTES: u64 = 1 << 29;

/// The least distance between two objects, so that neither a pointer past the end of the one nor a
/// small overrun is in the other.
const GAP: u64 = 16;

/// The alignment of `max_align_t`, which `malloc` promises.
const ALIGN: u64 = 16;

/// The alignment of blocks on the heap: more than `malloc` promises, so that what programs usually ask
/// `aligned_alloc` for, a line of the cache, is there.
pub(crate) const HEAP_ALIGN: u64 = 64;

/// What makes two instances of different interleavings the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct InstanceName {
    pub(crate) thread: u32,
    /// The place in the program that made it.
    pub(crate) site: Site,
    /// How many frames of the thread are below it.
    pub(crate) depth: u32,
    pub(crate) size: u64,
    pub(crate) align: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Site {
    /// An allocation: procedure and index into its code.
    Code(u32, u32),
    /// A local or thread-local object.
    Object(u32),
    /// An object that the program has from its environment.
    Environment(u32),
}

/// A range of addresses, for one object at a time.
#[derive(Clone, Copy, Debug)]
struct Extent {
    base: u64,
    /// Including the gap behind it.
    size: u64,
    align: u64,
}

/// All extents in ascending order; an index here is that of an
/// [`ObjectRef`](crate::value::ObjectRef).
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    extents: Vec<Extent>,
    next: u64,
    limit: u64,
    /// Canonical names in explorations: the extents of the occurrences of a name.
    canonical: Option<FxHashMap<InstanceName, Vec<u32>>>,
    threads: FxHashMap<(u32, Site, u32), u32>,
    thread_count: u32,
    quarantine: VecDeque<u32>,
    quarantine_bytes: u64,
    /// Extents to use again, by size and alignment.
    reusable: FxHashMap<(u64, u64), Vec<u32>>,
}

/// Whether names are made to be equal in equal states or just to be new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    Fresh,
    Canonical,
}

impl Layout {
    pub(crate) fn new(data_model: DataModel, naming: Naming) -> Self {
        let (next, limit) = match data_model {
            DataModel::Ilp32 => (0x0804_8000, 0xffff_0000),
            DataModel::Lp64 => (0x5555_5555_4000, 0x7fff_ffff_0000),
        };
        Layout {
            // Index 0 is "no object".
            extents: vec![Extent { base: 0, size: 0, align: 1 }],
            next,
            limit,
            canonical: (naming == Naming::Canonical).then(FxHashMap::default),
            threads: FxHashMap::default(),
            thread_count: 1,
            quarantine: VecDeque::new(),
            quarantine_bytes: 0,
            reusable: FxHashMap::default(),
        }
    }

    pub(crate) fn naming(&self) -> Naming {
        if self.canonical.is_some() { Naming::Canonical } else { Naming::Fresh }
    }

    pub(crate) fn base(&self, index: usize) -> u64 {
        self.extents[index].base
    }

    /// The extent that holds `address`, if any.
    pub(crate) fn find(&self, address: u64) -> Option<usize> {
        let index = self.extents.partition_point(|extent| extent.base <= address) - 1;
        let extent = &self.extents[index];
        (index > 0 && address - extent.base < extent.size).then_some(index)
    }

    /// An extent for a new object; `None` when the addresses do not suffice.
    pub(crate) fn place(&mut self, size: u64, align: u64) -> Option<u32> {
        let align = align.max(ALIGN).next_power_of_two();
        let extent_size = extent_size(size)?;
        if let Some(free) = self.reusable.get_mut(&(extent_size, align))
            && let Some(index) = free.pop()
        {
            return Some(index);
        }
        let base = self.next.checked_next_multiple_of(align)?;
        let end = base.checked_add(extent_size).filter(|&end| end <= self.limit)?;
        self.next = end;
        let index = u32::try_from(self.extents.len()).ok()?;
        self.extents.push(Extent { base, size: extent_size, align });
        Some(index)
    }

    /// The extent of the first occurrence of `name` that `is_free`; `None` when the addresses do
    /// not suffice.
    pub(crate) fn place_named(
        &mut self,
        name: InstanceName,
        is_free: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let Some(canonical) = &mut self.canonical else {
            return self.place(name.size, name.align);
        };
        let occurrences = canonical.entry(name).or_default();
        if let Some(&index) = occurrences.iter().find(|&&index| is_free(index)) {
            return Some(index);
        }
        let index = self.place(name.size, name.align)?;
        if let Some(canonical) = &mut self.canonical {
            canonical.entry(name).or_default().push(index);
        }
        Some(index)
    }

    /// Notes that the object of this extent is dead.
    pub(crate) fn retire(&mut self, index: u32) {
        if self.canonical.is_some() {
            return;
        }
        self.quarantine.push_back(index);
        self.quarantine_bytes += self.extents[index as usize].size;
        while self.quarantine.len() > QUARANTINE_OBJECTS || self.quarantine_bytes > QUARANTINE_BYTES
        {
            let Some(oldest) = self.quarantine.pop_front() else { break };
            let extent = &self.extents[oldest as usize];
            self.quarantine_bytes -= extent.size;
            self.reusable.entry((extent.size, extent.align)).or_default().push(oldest);
        }
    }

    /// The number of the thread that `parent` starts at `site` for the given time.
    pub(crate) fn thread(&mut self, parent: u32, site: Site, occurrence: u32) -> u32 {
        *self.threads.entry((parent, site, occurrence)).or_insert_with(|| {
            self.thread_count += 1;
            self.thread_count - 1
        })
    }
}

fn extent_size(size: u64) -> Option<u64> {
    size.checked_add(GAP)?.checked_next_multiple_of(2 * ALIGN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_aligned_disjoint_and_apart() {
        let mut layout = Layout::new(DataModel::Ilp32, Naming::Fresh);
        let mut end = 0;
        for (size, align) in [(1, 1), (0, 1), (4, 64), (100, 4), (16, 4096), (17, 8)] {
            let index = layout.place(size, align).unwrap() as usize;
            let base = layout.base(index);
            assert_eq!(base % align.max(16), 0);
            assert!(base >= end + GAP || end == 0);
            end = base + size;
            assert_eq!(layout.find(base), Some(index));
            assert_eq!(layout.find(end), Some(index));
        }
        assert_eq!(layout.find(0), None);
        assert_eq!(layout.find(end + 4096), None);
        assert_eq!(layout.place(1 << 32, 1), None);
        assert_eq!(layout.place(u64::MAX, 1), None);
    }

    #[test]
    fn addresses_come_back_only_after_the_quarantine() {
        let mut layout = Layout::new(DataModel::Ilp32, Naming::Fresh);
        let first = layout.place(8, 8).unwrap();
        layout.retire(first);
        for _ in 0..QUARANTINE_OBJECTS {
            let next = layout.place(8, 8).unwrap();
            assert_ne!(next, first);
            layout.retire(next);
        }
        assert_eq!(layout.place(8, 8), Some(first));
    }

    #[test]
    fn equal_names_have_equal_addresses() {
        let mut layout = Layout::new(DataModel::Lp64, Naming::Canonical);
        let name = InstanceName { thread: 1, site: Site::Object(3), depth: 0, size: 4, align: 4 };
        let first = layout.place_named(name, |_| true).unwrap();
        let other = layout.place_named(InstanceName { thread: 2, ..name }, |_| true).unwrap();
        assert_ne!(first, other);
        assert_eq!(layout.place_named(name, |_| true), Some(first));
        let second = layout.place_named(name, |index| index != first).unwrap();
        assert_ne!(second, first);
        assert_eq!(layout.place_named(name, |index| index != first), Some(second));
    }
}
