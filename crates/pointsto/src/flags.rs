//! What a pointer may be besides a place in an object.

use std::ops::{BitOr, BitOrAssign};

/// Kinds of values that name no place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Flags(u8);

impl Flags {
    pub const NONE: Flags = Flags(0);
    /// An integer that was computed without any address. As a pointer it may be to anything, but it keeps no
    /// object in reach.
    pub const INTEGER: Flags = Flags(1);
    /// Anything: a place in any object, or none.
    pub const UNKNOWN: Flags = Flags(1 | 16);
    /// The null pointer, or one close to it.
    pub const NULL: Flags = Flags(2);
    /// A value that nothing assigned. To access memory through one is undefined (C11 6.2.4p6, J.2), so
    /// it stands for no place.
    pub const UNINITIALISED: Flags = Flags(4);
    /// No object and some offset: the null pointer, moved far.
    pub const NUMBER: Flags = Flags(8);

    pub fn contains(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a pointer of these kinds may be to anything.
    pub fn is_unknown(self) -> bool {
        self.contains(Flags::INTEGER)
    }

    /// Those that are in both.
    pub(crate) fn both(self, other: Flags) -> Flags {
        Flags(self.0 & other.0)
    }

    /// Those of `self` that are not in `other`.
    pub(crate) fn without(self, other: Flags) -> Flags {
        Flags(self.0 & !other.0)
    }

    /// Whether everything that `other` says may be is covered here.
    pub fn covers(self, other: Flags) -> bool {
        self.is_unknown() || self.contains(other)
    }
}

impl BitOr for Flags {
    type Output = Flags;

    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

impl BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Flags) {
        self.0 |= other.0;
    }
}
