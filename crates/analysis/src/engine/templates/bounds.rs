//! Inequalities between variables, and between variables and constants, that hold at all points seen.

/// One side of an inequality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The coordinate with this number.
    Coordinate(usize),
    Constant(u64),
}

/// That one side is not greater than the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bound {
    pub small: Side,
    pub large: Side,
    pub signed: bool,
    /// Nor equal.
    pub strict: bool,
}

/// The inequalities that hold at all points added so far.
#[derive(Clone, Debug)]
pub struct Bounds {
    width: u16,
    holding: Vec<Bound>,
}

impl Bounds {
    /// All inequalities between coordinates, and between them and the constants, that hold at a point.
    pub fn new(width: u16, point: &[u64], constants: &[u64]) -> Self {
        let coordinates = || (0..point.len()).map(Side::Coordinate);
        let constants = || constants.iter().copied().map(Side::Constant);
        let mut pairs: Vec<(Side, Side)> = Vec::new();
        for one in coordinates() {
            pairs.extend(coordinates().filter(|&other| other != one).map(|other| (one, other)));
            pairs.extend(constants().flat_map(|constant| [(one, constant), (constant, one)]));
        }
        let mut holding = Vec::new();
        for (small, large) in pairs {
            for signed in [true, false] {
                holding.extend([true, false].map(|strict| Bound { small, large, signed, strict }));
            }
        }
        let mut bounds = Bounds { width, holding };
        bounds.add(point);
        bounds
    }

    /// Adds a point.
    pub fn add(&mut self, point: &[u64]) {
        let width = self.width;
        self.holding.retain(|bound| bound.holds(width, point));
    }

    /// What holds at all points.
    pub fn holding(&self) -> &[Bound] {
        &self.holding
    }

    /// What holds at all points, without what follows from the rest.
    pub fn essential(&self) -> Vec<Bound> {
        self.holding
            .iter()
            .copied()
            .filter(|bound| {
                !self.holding.iter().any(|other| other != bound && self.implies(other, bound))
                    && !self.follows_in_two(bound)
            })
            .collect()
    }

    /// Whether one inequality alone makes another superfluous; of two that say the same, one does.
    fn implies(&self, one: &Bound, other: &Bound) -> bool {
        if one.signed != other.signed {
            return false;
        }
        let order = |side: Side| match side {
            Side::Constant(constant) if one.signed => Some(signed(self.width, constant)),
            Side::Constant(constant) => Some(i128::from(constant)),
            Side::Coordinate(_) => None,
        };
        // The least that is excluded above, and the greatest below.
        let limit = |bound: &Bound| match (order(bound.small), order(bound.large)) {
            (None, Some(large)) => Some((true, large + i128::from(!bound.strict))),
            (Some(small), None) => Some((false, -small + i128::from(!bound.strict))),
            (None, None) | (Some(_), Some(_)) => None,
        };
        match (limit(one), limit(other)) {
            (Some((above, tight)), Some((other_above, loose))) => {
                let same = if above { one.small == other.small } else { one.large == other.large };
                above == other_above && same && (tight, one) < (loose, other)
            }
            (None, None) => {
                (one.small, one.large) == (other.small, other.large) && one.strict && !other.strict
            }
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    /// Whether an inequality between coordinates follows from two others through a third coordinate.
    fn follows_in_two(&self, bound: &Bound) -> bool {
        let (Side::Coordinate(_), Side::Coordinate(_)) = (bound.small, bound.large) else {
            return false;
        };
        self.holding.iter().any(|first| {
            first.signed == bound.signed
                && first.small == bound.small
                && first.large != bound.large
                && matches!(first.large, Side::Coordinate(_))
                && self.holding.iter().any(|second| {
                    second.signed == bound.signed
                        && second.small == first.large
                        && second.large == bound.large
                        && (first.strict || second.strict || !bound.strict)
                        // Equal ones follow from each other: the first of them stays.
                        && self.is_strictly_between(bound, first.large)
                })
        })
    }

    fn is_strictly_between(&self, bound: &Bound, middle: Side) -> bool {
        let below = |small: Side, large: Side| {
            self.holding.iter().any(|other| {
                (other.small, other.large, other.signed) == (small, large, bound.signed)
            })
        };
        !below(middle, bound.small) && !below(bound.large, middle)
    }
}

impl Bound {
    fn holds(&self, width: u16, point: &[u64]) -> bool {
        let value = |side: Side| match side {
            Side::Coordinate(at) => point[at],
            Side::Constant(constant) => constant,
        };
        let (small, large) = (value(self.small), value(self.large));
        let order = if self.signed {
            signed(width, small).cmp(&signed(width, large))
        } else {
            small.cmp(&large)
        };
        if self.strict { order.is_lt() } else { order.is_le() }
    }
}

fn signed(width: u16, bits: u64) -> i128 {
    let shift = 64 - u32::from(width);
    i128::from((bits << shift) as i64 >> shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_holds_everywhere_stays() {
        let mut bounds = Bounds::new(32, &[0, 10], &[5, 0]);
        bounds.add(&[4, 10]);
        bounds.add(&[10, 10]);
        let (x, y) = (Side::Coordinate(0), Side::Coordinate(1));
        let has = |small, large, strict| {
            bounds.holding().contains(&Bound { small, large, signed: true, strict })
        };
        assert!(has(x, y, false));
        assert!(!has(x, y, true));
        assert!(!has(x, Side::Constant(5), false));
        assert!(has(Side::Constant(5), y, true));
        assert!(has(Side::Constant(0), x, false));
    }

    #[test]
    fn what_follows_is_left_out() {
        let bounds = Bounds::new(8, &[1, 2, 3], &[7]);
        let essential = bounds.essential();
        let between = |small: usize, large: usize| {
            essential.iter().any(|bound| {
                (bound.small, bound.large) == (Side::Coordinate(small), Side::Coordinate(large))
            })
        };
        assert!(between(0, 1) && between(1, 2));
        assert!(!between(0, 2));
        // Each is said once: strictly.
        assert!(essential.iter().all(|bound| bound.strict));
    }
}
