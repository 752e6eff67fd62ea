//! The names of objects and threads, and the addresses of objects.
//!
//! A name is canonical: the same thread, place and occurrence give the same number, in whatever order
//! the threads came there. Otherwise equal states of different interleavings would differ. All that
//! does not change is kept here once and not in states.

use ravelin_base::DataModel;
use ravelin_cfa::{Object, Proc};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What an instance is an instance of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Global(Object),
    Constant(Object),
    Function(Proc),
    /// A local or thread-local object.
    Local(Object),
    Heap,
    /// What `alloca` gave to the frame at this depth.
    Stack,
}

/// The place in the program that made an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Site {
    /// Procedure and index into its code.
    Code(u32, u32),
    Object(u32),
}

/// What makes two instances of different interleavings the same one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Name {
    pub(crate) thread: u32,
    pub(crate) site: Site,
    /// How many frames of the thread are below it.
    pub(crate) depth: u32,
    pub(crate) size: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Info {
    pub(crate) kind: Kind,
    pub(crate) size: u64,
    pub(crate) base: u64,
    pub(crate) thread: u32,
    pub(crate) depth: u32,
    pub(crate) site: Site,
}

/// The least distance between two objects, so that neither a pointer past the end of the one nor a
/// small overrun is in the other.
const GAP: u64 = 16;
const ALIGN: u64 = 16;

/// All objects that any state has, by number from 1 on, and all threads.
#[derive(Debug)]
pub(crate) struct Objects {
    infos: Vec<Info>,
    named: FxHashMap<Name, SmallVec<[u32; 2]>>,
    next: u64,
    limit: u64,
    threads: FxHashMap<(u32, u32, u32), u32>,
}

impl Objects {
    pub(crate) fn new(data_model: DataModel) -> Self {
        let (next, limit) = match data_model {
            DataModel::Ilp32 => (0x0804_8000, 0xffff_0000),
            DataModel::Lp64 => (0x5555_5555_4000, 0x7fff_ffff_0000),
        };
        let site = Site::Object(0);
        let none = Info { kind: Kind::Heap, size: 0, base: 0, thread: 0, depth: 0, site };
        Objects {
            infos: vec![none],
            named: FxHashMap::default(),
            next,
            limit,
            threads: FxHashMap::default(),
        }
    }

    #[inline]
    pub(crate) fn info(&self, object: u32) -> &Info {
        &self.infos[object as usize]
    }

    /// A new object; `None` when the addresses do not suffice.
    pub(crate) fn place(&mut self, kind: Kind, name: Name, align: u64) -> Option<u32> {
        let align = align.max(ALIGN).next_power_of_two();
        let room = name.size.checked_add(GAP)?.checked_next_multiple_of(2 * ALIGN)?;
        let base = self.next.checked_next_multiple_of(align)?;
        let end = base.checked_add(room).filter(|&end| end <= self.limit)?;
        self.next = end;
        let number = u32::try_from(self.infos.len()).ok().filter(|&number| number < 1 << 31)?;
        let Name { thread, site, depth, size } = name;
        self.infos.push(Info { kind, size, base, thread, depth, site });
        Some(number)
    }

    /// The first occurrence of a name that `is_free`; `None` when the addresses do not suffice.
    pub(crate) fn instance(
        &mut self,
        kind: Kind,
        name: Name,
        align: u64,
        is_free: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        if let Some(numbers) = self.named.get(&name)
            && let Some(&number) = numbers.iter().find(|&&number| is_free(number))
        {
            return Some(number);
        }
        let number = self.place(kind, name, align)?;
        self.named.entry(name).or_default().push(number);
        Some(number)
    }

    /// The object in whose range an address is, its end included.
    pub(crate) fn find(&self, address: u64) -> Option<u32> {
        let index = self.infos.partition_point(|info| info.base <= address) - 1;
        let info = &self.infos[index];
        (index > 0 && address - info.base <= info.size).then_some(index as u32)
    }

    /// The number of the thread that `parent` starts at `site` for the given time; 0 is the first.
    pub(crate) fn thread(&mut self, parent: u32, site: u32, occurrence: u32) -> u32 {
        let next = self.threads.len() as u32 + 1;
        *self.threads.entry((parent, site, occurrence)).or_insert(next)
    }
}
