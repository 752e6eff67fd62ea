//! Bounds on the values of terms, by their form alone: what promotions, masks and remainders leave.

use ravelin_cfa::Term;
use ravelin_term::{BinOp, TermKind, TermPool, UnOp, bin_ops, term_kinds};

/// How deep terms are looked into.
const DEPTH: u32 = 8;

/// The least and the greatest value of a term, read as a signed number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub least: i128,
    pub most: i128,
}

impl Bounds {
    /// All numbers of this width.
    pub fn of_width(width: u16) -> Bounds {
        let most = i128::MAX >> (128 - width.clamp(1, 128));
        Bounds { least: -most - 1, most }
    }

    fn constant(value: i128) -> Bounds {
        Bounds { least: value, most: value }
    }

    pub fn contains(self, value: i128) -> bool {
        (self.least..=self.most).contains(&value)
    }

    pub fn is_inside(self, outer: Bounds) -> bool {
        outer.least <= self.least && self.most <= outer.most
    }

    fn join(self, other: Bounds) -> Bounds {
        Bounds { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// The results of an operation that has its extremes at the bounds of its operands. `None` if a
    /// result is beyond all widths.
    fn at_corners(
        self,
        other: Bounds,
        operation: impl Fn(i128, i128) -> Option<i128>,
    ) -> Option<Bounds> {
        let first = Bounds::constant(operation(self.least, other.least)?);
        let rest = [(self.least, other.most), (self.most, other.least), (self.most, other.most)];
        rest.into_iter()
            .try_fold(first, |bounds, (a, b)| Some(bounds.join(Bounds::constant(operation(a, b)?))))
    }

    /// The exact sums.
    pub fn add(self, other: Bounds) -> Option<Bounds> {
        self.at_corners(other, i128::checked_add)
    }

    /// The exact differences.
    pub fn sub(self, other: Bounds) -> Option<Bounds> {
        self.at_corners(other, i128::checked_sub)
    }

    /// The exact products.
    pub fn mul(self, other: Bounds) -> Option<Bounds> {
        self.at_corners(other, i128::checked_mul)
    }

    /// The bounds of the numbers that have as many bits as these, which are not negative.
    fn of_bits(self) -> Bounds {
        let unused = self.most.leading_zeros();
        Bounds { least: 0, most: i128::MAX.checked_shr(unused.saturating_sub(1)).unwrap_or(0) }
    }
}

/// The bounds of a bit-vector.
pub(super) fn bounds(terms: &TermPool, term: Term) -> Bounds {
    bounds_to_depth(terms, term, DEPTH)
}

fn bounds_to_depth(terms: &TermPool, term: Term, depth: u32) -> Bounds {
    let width = terms.sort(term).width().unwrap_or(128);
    let all = Bounds::of_width(width);
    if let Some(value) = terms.as_signed(term) {
        return Bounds::constant(value);
    }
    let Some(depth) = depth.checked_sub(1) else { return all };
    let of = |term| bounds_to_depth(terms, term, depth);
    let found = match terms.kind(term) {
        TermKind::Unary(UnOp::SignExt(_), inner) => Some(of(inner)),
        TermKind::Unary(UnOp::ZeroExt(_), inner) => {
            let narrow = of(inner);
            let bits = terms.sort(inner).width().unwrap_or(128);
            let unsigned = Bounds { least: 0, most: Bounds::of_width(bits + 1).most };
            Some(if narrow.least >= 0 { narrow } else { unsigned })
        }
        TermKind::Ite(_, a, b) => Some(of(a).join(of(b))),
        TermKind::Binary(op, a, b) => of_binary(op, of(a), of(b), width),
        term_kinds!(leaves) | TermKind::Unary(..) | TermKind::Read(..) | TermKind::Write(..) => {
            None
        }
    };
    found.filter(|found| found.is_inside(all)).unwrap_or(all)
}

/// The bounds of an operation's result, unless it may wrap around; `None` if nothing is known.
fn of_binary(op: BinOp, a: Bounds, b: Bounds, width: u16) -> Option<Bounds> {
    let constant = (b.least == b.most).then_some(b.least);
    match op {
        BinOp::BvAdd => a.add(b),
        BinOp::BvSub => a.sub(b),
        BinOp::BvMul => a.mul(b),
        // A conjunction has no bit that an operand does not have.
        BinOp::BvAnd => match (a.least >= 0, b.least >= 0) {
            (true, true) => Some(Bounds { least: 0, most: a.most.min(b.most) }),
            (true, false) => Some(Bounds { least: 0, most: a.most }),
            (false, true) => Some(Bounds { least: 0, most: b.most }),
            (false, false) => None,
        },
        BinOp::BvOr | BinOp::BvXor if a.least >= 0 && b.least >= 0 => Some(a.join(b).of_bits()),
        BinOp::BvAshr => {
            let by = constant.filter(|by| (0..i128::from(width)).contains(by))?;
            Some(Bounds { least: a.least >> by, most: a.most >> by })
        }
        BinOp::BvLshr => {
            let by = constant.filter(|by| (1..i128::from(width)).contains(by))?;
            let most = if a.least >= 0 { a.most } else { Bounds::of_width(width).most };
            // The sign bit becomes the highest bit of the result.
            let by = if a.least >= 0 { by } else { by - 1 };
            Some(Bounds { least: 0, most: most >> by })
        }
        BinOp::BvSdiv => {
            let by = constant.filter(|&by| by > 0)?;
            Some(Bounds { least: a.least / by, most: a.most / by })
        }
        BinOp::BvUdiv if a.least >= 0 => {
            let by = constant.filter(|&by| by > 0)?;
            Some(Bounds { least: a.least / by, most: a.most / by })
        }
        BinOp::BvUrem => {
            let by = constant.filter(|&by| by > 0)?;
            Some(Bounds { least: 0, most: by - 1 })
        }
        // The remainder has the sign of the dividend (C11 6.5.5p6).
        BinOp::BvSrem => {
            let by = constant.filter(|&by| by > 0)?;
            Some(Bounds { least: a.least.clamp(1 - by, 0), most: a.most.clamp(0, by - 1) })
        }
        bin_ops!(bv_arithmetic, bv_division, logic)
        | bin_ops!(bv_order, float_arithmetic, float_order, pointer_order)
        | BinOp::Eq
        | BinOp::Concat
        | BinOp::PtrAdd
        | BinOp::PtrDiff
        | BinOp::PtrMake => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use ravelin_base::EntityRef;
    use ravelin_cfa::{Sort, Var};

    const OPERATIONS: &[BinOp] = &[
        BinOp::BvAdd,
        BinOp::BvSub,
        BinOp::BvMul,
        BinOp::BvAnd,
        BinOp::BvOr,
        BinOp::BvXor,
        BinOp::BvShl,
        BinOp::BvLshr,
        BinOp::BvAshr,
        BinOp::BvUdiv,
        BinOp::BvSdiv,
        BinOp::BvUrem,
        BinOp::BvSrem,
    ];

    /// A term of 16 bits over two variables of 8.
    fn term(terms: &mut TermPool, rng: &mut Rng, depth: u32) -> Term {
        if depth == 0 || rng.u32(..4) == 0 {
            let var = terms.var(Var::new(rng.usize(..2)), Sort::Bv(8));
            return match rng.u32(..4) {
                0 => terms.resize(var, 16, true),
                1 => terms.resize(var, 16, false),
                2 => terms.bv(16, u128::from(rng.u16(..))),
                _ => terms.bv(16, u128::from(rng.u16(..20))),
            };
        }
        let [a, b] = [(); 2].map(|()| term(terms, rng, depth - 1));
        match rng.u32(..8) {
            0 => {
                let cond = terms.binary(BinOp::BvSlt, a, b);
                terms.ite(cond, a, b)
            }
            1 => {
                let narrow = terms.unary(UnOp::Extract { hi: 7, lo: 0 }, a);
                terms.resize(narrow, 16, rng.bool())
            }
            _ => {
                let op = OPERATIONS[rng.usize(..OPERATIONS.len())];
                let small = terms.bv(16, u128::from(rng.u16(..20)));
                let b = if rng.bool() { small } else { b };
                terms.binary(op, a, b)
            }
        }
    }

    #[test]
    fn every_value_is_within_the_bounds() {
        let (mut informed, mut evaluated) = (0, 0);
        for seed in 0..3_000 {
            let mut terms = TermPool::new(64);
            let mut rng = Rng::with_seed(seed);
            let term = term(&mut terms, &mut rng, 3);
            let found = bounds(&terms, term);
            informed += u32::from(found != Bounds::of_width(16));
            for _ in 0..30 {
                let values = [(); 2].map(|()| terms.bv(8, u128::from(rng.u8(..))));
                let value = terms.substitute(term, |_, var| Some(values[var.index()]));
                // A division by zero does not fold.
                let Some(value) = terms.as_signed(value) else { continue };
                evaluated += 1;
                assert!(found.contains(value), "seed {seed}: {value} is not in {found:?}");
            }
        }
        assert!(informed > 1_000 && evaluated > 50_000, "{informed} {evaluated}");
    }

    #[test]
    fn bounds_of_widths() {
        assert_eq!(Bounds::of_width(8), Bounds { least: -128, most: 127 });
        assert_eq!(Bounds::of_width(128), Bounds { least: i128::MIN, most: i128::MAX });
        assert_eq!(Bounds::of_width(128).add(Bounds::constant(1)), None);
    }
}
