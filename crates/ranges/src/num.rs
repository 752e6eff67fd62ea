//! Sets of bit-vectors: a signed interval, an unsigned interval and a congruence, reduced against each other.

/// A non-empty set of bit-vectors of one width. Booleans are vectors of width 1.
///
/// A value is in the set if its unsigned number is in `lo..=hi` and leaves the remainder `rem` modulo `stride`,
/// and its signed number is in `smin..=smax`. A stride of 0 means the one value `rem`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Num {
    pub(crate) width: u16,
    pub(crate) lo: u128,
    pub(crate) hi: u128,
    pub(crate) smin: i128,
    pub(crate) smax: i128,
    pub(crate) stride: u128,
    pub(crate) rem: u128,
}

/// The largest unsigned number of a width.
pub(crate) fn mask(width: u16) -> u128 {
    u128::MAX >> (128 - u32::from(width.clamp(1, 128)))
}

pub(crate) fn to_signed(value: u128, width: u16) -> i128 {
    let unused = 128 - u32::from(width);
    ((value << unused) as i128) >> unused
}

pub(crate) fn signed_max(width: u16) -> i128 {
    (mask(width) >> 1) as i128
}

pub(crate) fn signed_min(width: u16) -> i128 {
    -signed_max(width) - 1
}

pub(crate) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The largest power of two that divides the number; 0 for 0.
pub(crate) fn power_of_two_part(value: u128) -> u128 {
    value & value.wrapping_neg()
}

impl Num {
    pub fn top(width: u16) -> Num {
        let (smin, smax) = (signed_min(width), signed_max(width));
        Num { width, lo: 0, hi: mask(width), smin, smax, stride: 1, rem: 0 }
    }

    pub fn constant(width: u16, value: u128) -> Num {
        let value = value & mask(width);
        let signed = to_signed(value, width);
        Num { width, lo: value, hi: value, smin: signed, smax: signed, stride: 0, rem: value }
    }

    /// All unsigned numbers between two, both inclusive.
    pub fn unsigned(width: u16, lo: u128, hi: u128) -> Option<Num> {
        Num { lo, hi: hi.min(mask(width)), ..Num::top(width) }.reduced()
    }

    /// All signed numbers between two, both inclusive.
    pub fn signed(width: u16, smin: i128, smax: i128) -> Option<Num> {
        let (smin, smax) = (smin.max(signed_min(width)), smax.min(signed_max(width)));
        Num { smin, smax, ..Num::top(width) }.reduced()
    }

    /// The numbers from `a` to `b` modulo the width.
    pub(crate) fn wrapped(width: u16, a: i128, b: i128) -> Num {
        let top = Num::top(width);
        let Some(span) = b.checked_sub(a) else { return top };
        if span < 0 || span as u128 >= mask(width) {
            return top;
        }
        let (first, last) = (a as u128 & mask(width), b as u128 & mask(width));
        let (sfirst, slast) = (to_signed(first, width), to_signed(last, width));
        let mut result = top;
        if first <= last {
            (result.lo, result.hi) = (first, last);
        }
        if sfirst <= slast {
            (result.smin, result.smax) = (sfirst, slast);
        }
        result.reduced().unwrap_or(top)
    }

    pub fn width(&self) -> u16 {
        self.width
    }

    /// The smallest and largest unsigned numbers.
    pub fn unsigned_bounds(&self) -> (u128, u128) {
        (self.lo, self.hi)
    }

    /// The smallest and largest signed numbers.
    pub fn signed_bounds(&self) -> (i128, i128) {
        (self.smin, self.smax)
    }

    pub fn is_top(&self) -> bool {
        self.stride == 1 && self.lo == 0 && self.hi == mask(self.width) && {
            self.smin == signed_min(self.width) && self.smax == signed_max(self.width)
        }
    }

    /// The value, if there is only one.
    pub fn as_constant(&self) -> Option<u128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// Whether the signed and the unsigned number of every value are the same.
    pub(crate) fn is_natural(&self) -> bool {
        self.smin >= 0
    }

    pub fn contains(&self, value: u128) -> bool {
        let signed = to_signed(value, self.width);
        let is_congruent = match self.stride {
            0 => value == self.rem,
            stride => value % stride == self.rem,
        };
        (self.lo..=self.hi).contains(&value)
            && (self.smin..=self.smax).contains(&signed)
            && is_congruent
    }

    /// With a congruence of the unsigned number that is known to hold.
    pub(crate) fn with_stride(mut self, stride: u128, rem: u128) -> Option<Num> {
        match stride {
            0 => return self.contains(rem).then(|| Num::constant(self.width, rem)),
            1 => return Some(self),
            _ => {}
        }
        let common = gcd(self.stride, stride);
        if self.rem % common != rem % common {
            return None;
        }
        if self.stride != 0 && stride > self.stride {
            (self.stride, self.rem) = (stride, rem % stride);
        }
        self.reduced()
    }

    /// With tighter bounds where one part of the description implies them; `None` if nothing is left.
    pub(crate) fn reduced(mut self) -> Option<Num> {
        let half = (mask(self.width) >> 1) + 1;
        for _ in 0..4 {
            let before = self;
            if self.lo > self.hi || self.smin > self.smax {
                return None;
            }
            if self.smin >= 0 {
                self.lo = self.lo.max(self.smin as u128);
                self.hi = self.hi.min(self.smax as u128);
            } else if self.smax < 0 {
                self.lo = self.lo.max(self.smin as u128 & mask(self.width));
                self.hi = self.hi.min(self.smax as u128 & mask(self.width));
            }
            if self.lo > self.hi {
                return None;
            }
            if self.hi < half || self.lo >= half {
                self.smin = self.smin.max(to_signed(self.lo, self.width));
                self.smax = self.smax.min(to_signed(self.hi, self.width));
            } else {
                // The values are those from `lo` to `smax`, and the negative ones up to `hi`.
                let least_negative = self.smin as u128 & mask(self.width);
                if self.smin < 0 && self.smax >= 0 {
                    if self.lo > self.smax as u128 {
                        self.lo = self.lo.max(least_negative);
                    }
                    if self.hi < least_negative {
                        self.hi = self.hi.min(self.smax as u128);
                    }
                }
            }
            self = self.aligned()?;
            if self.lo == self.hi {
                return self.contains(self.lo).then(|| Num::constant(self.width, self.lo));
            }
            if self == before {
                break;
            }
        }
        Some(self)
    }

    /// With bounds that satisfy the congruence.
    fn aligned(mut self) -> Option<Num> {
        if self.stride == 0 {
            return self.contains(self.rem).then(|| Num::constant(self.width, self.rem));
        }
        if self.stride == 1 || self.lo > self.hi {
            return Some(self);
        }
        let up = (self.rem + self.stride - self.lo % self.stride) % self.stride;
        let down = (self.hi % self.stride + self.stride - self.rem) % self.stride;
        self.lo = self.lo.checked_add(up).filter(|lo| *lo <= self.hi)?;
        self.hi = self.hi.checked_sub(down)?;
        if self.stride.is_power_of_two() && self.stride <= mask(self.width) >> 1 {
            let (stride, rem) = (self.stride as i128, self.rem as i128);
            let up = (rem - self.smin.rem_euclid(stride)).rem_euclid(stride);
            let down = (self.smax.rem_euclid(stride) - rem).rem_euclid(stride);
            self.smin = self.smin.checked_add(up)?;
            self.smax = self.smax.checked_sub(down)?;
        }
        Some(self)
    }

    /// The smallest description of the values of both.
    pub fn join(&self, other: &Num) -> Num {
        let distance = self.rem.abs_diff(other.rem);
        let stride = gcd(gcd(self.stride, other.stride), distance);
        let rem = if stride == 0 { self.rem } else { self.rem % stride };
        Num {
            width: self.width,
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
            smin: self.smin.min(other.smin),
            smax: self.smax.max(other.smax),
            stride,
            rem,
        }
    }

    /// The values in both.
    pub fn meet(&self, other: &Num) -> Option<Num> {
        let both = Num {
            lo: self.lo.max(other.lo),
            hi: self.hi.min(other.hi),
            smin: self.smin.max(other.smin),
            smax: self.smax.min(other.smax),
            ..*self
        };
        both.with_stride(other.stride, other.rem)?.reduced()
    }

    /// The join, with bounds of `newer` that exceed those of `self` moved to the next threshold.
    pub(crate) fn widen(&self, newer: &Num, thresholds: &[i128]) -> Num {
        let mut joined = self.join(newer);
        let width = self.width;
        let above = |value: i128, most: i128| {
            let at = thresholds.partition_point(|&threshold| threshold < value);
            thresholds.get(at).copied().filter(|&threshold| threshold <= most).unwrap_or(most)
        };
        let below = |value: i128, least: i128| {
            let at = thresholds.partition_point(|&threshold| threshold <= value);
            let found = at.checked_sub(1).map(|at| thresholds[at]);
            found.filter(|&threshold| threshold >= least).unwrap_or(least)
        };
        if joined.smin < self.smin {
            joined.smin = below(joined.smin, signed_min(width));
        }
        if joined.smax > self.smax {
            joined.smax = above(joined.smax, signed_max(width));
        }
        let most = mask(width);
        if joined.lo < self.lo {
            joined.lo = below(joined.lo.try_into().unwrap_or(i128::MAX), 0) as u128;
        }
        if joined.hi > self.hi {
            joined.hi = match (i128::try_from(joined.hi), i128::try_from(most)) {
                (Ok(hi), Ok(most)) => above(hi, most) as u128,
                (Ok(hi), Err(_)) => above(hi, i128::MAX) as u128,
                (Err(_), _) => most,
            };
        }
        // Reduction here could undo what was widened, so bounds meet the congruence only where they widened.
        joined
    }

    /// Whether all values of `other` are in here.
    pub fn covers(&self, other: &Num) -> bool {
        let is_coarser = match self.stride {
            0 => other.stride == 0 && other.rem == self.rem,
            stride => other.stride.is_multiple_of(stride) && other.rem % stride == self.rem,
        };
        self.lo <= other.lo
            && other.hi <= self.hi
            && self.smin <= other.smin
            && other.smax <= self.smax
            && is_coarser
    }
}
