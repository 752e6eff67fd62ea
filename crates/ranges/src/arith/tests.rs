//! Operations on sets against operations on their members.

use super::*;

/// All sets of a width that intervals with a stride make.
fn sets(width: u16) -> Vec<Num> {
    let most = mask(width);
    let mut sets: Vec<Num> = Vec::new();
    let mut add = |set: Option<Num>| {
        if let Some(set) = set
            && !sets.contains(&set)
        {
            sets.push(set);
        }
    };
    for lo in 0..=most {
        for hi in lo..=most {
            let unsigned = Num::unsigned(width, lo, hi);
            let (a, b) = (to_signed(lo, width), to_signed(hi, width));
            let signed = Num::signed(width, a.min(b), a.max(b));
            for set in [unsigned, signed].into_iter().flatten() {
                for stride in [1, 2, 3, 4, 6] {
                    for rem in 0..stride.min(2) {
                        add(set.with_stride(stride, rem));
                    }
                }
            }
        }
    }
    sets
}

fn members(set: &Num) -> Vec<u128> {
    (0..=mask(set.width)).filter(|&value| set.contains(value)).collect()
}

/// The result of an operation on two values, written apart from the domain.
fn exact(op: BinOp, width: u16, a: u128, b: u128) -> u128 {
    let all = mask(width);
    let (sa, sb) = (to_signed(a, width), to_signed(b, width));
    let shift = b >= u128::from(width);
    let result = match op {
        BinOp::BvAdd => a + b,
        BinOp::BvSub => a.wrapping_sub(b),
        BinOp::BvMul => a * b,
        BinOp::BvUdiv => a.checked_div(b).unwrap_or(all),
        BinOp::BvUrem => a.checked_rem(b).unwrap_or(a),
        BinOp::BvSdiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                all
            }
        }
        BinOp::BvSdiv => (sa / sb) as u128,
        BinOp::BvSrem if b == 0 => a,
        BinOp::BvSrem => (sa % sb) as u128,
        BinOp::BvShl => {
            if shift {
                0
            } else {
                a << b
            }
        }
        BinOp::BvLshr => {
            if shift {
                0
            } else {
                a >> b
            }
        }
        BinOp::BvAshr => (sa >> b.min(100)) as u128,
        BinOp::BvAnd => a & b,
        BinOp::BvOr => a | b,
        BinOp::BvXor => a ^ b,
        BinOp::Concat => return a << width | b,
        other => panic!("{other:?} is not tested"),
    };
    result & all
}

fn is_tested(op: BinOp) -> bool {
    matches!(op, BinOp::Concat | bin_ops!(bv_arithmetic, bv_division))
}

#[test]
fn descriptions_have_the_values_they_were_made_of() {
    for set in sets(4) {
        let members = members(&set);
        assert!(!members.is_empty(), "{set:?}");
        assert!(members.contains(&set.lo), "{set:?}");
    }
    assert_eq!(members(&Num::wrapped(4, -2, 3)), [0, 1, 2, 3, 14, 15]);
}

#[test]
fn lattice_operations_include_what_they_must() {
    let sets = sets(3);
    for a in &sets {
        for b in &sets {
            let (join, meet) = (a.join(b), a.meet(b));
            assert!(join.covers(a) && join.covers(b), "{a:?} {b:?}");
            let widened = a.widen(b, &[1, 5]);
            for value in 0..8 {
                let (in_a, in_b) = (a.contains(value), b.contains(value));
                assert!(join.contains(value) || !(in_a || in_b), "{a:?} {b:?} {join:?}");
                assert!(widened.contains(value) || !(in_a || in_b), "{a:?} {b:?}");
                let in_meet = meet.is_some_and(|meet| meet.contains(value));
                assert!(in_meet || !(in_a && in_b), "{a:?} {b:?} {meet:?}");
                if a.covers(b) {
                    assert!(in_a || !in_b, "{a:?} {b:?}");
                }
            }
        }
    }
}

#[test]
fn binary_operations_include_all_results() {
    for width in [3, 4] {
        // All values of every set with those of some sets.
        let sets = sets(width);
        let some: Vec<&Num> = sets.iter().step_by(if width == 3 { 2 } else { 41 }).collect();
        for op in BinOp::ALL.into_iter().filter(|&op| is_tested(op)) {
            for a in &sets {
                let of_a = members(a);
                for b in &some {
                    let result = binary(op, a, b).expect("the operation is on bit-vectors");
                    for &x in &of_a {
                        for y in members(b) {
                            let value = exact(op, width, x, y);
                            assert!(
                                result.contains(value),
                                "{op:?} of {x} in {a:?} and {y} in {b:?} is {value}, not in {result:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn unary_operations_include_all_results() {
    let width = 4;
    let mut operations = vec![UnOp::BvNot, UnOp::BvNeg, UnOp::ZeroExt(7), UnOp::SignExt(7)];
    for lo in 0..width {
        operations.extend((lo..width).map(|hi| UnOp::Extract { hi, lo }));
    }
    for set in sets(width) {
        for &op in &operations {
            let result = unary(op, &set).expect("the operation is on bit-vectors");
            for value in members(&set) {
                let exact = match op {
                    UnOp::BvNot => !value & 15,
                    UnOp::BvNeg => value.wrapping_neg() & 15,
                    UnOp::SignExt(to) => to_signed(value, width) as u128 & mask(to),
                    UnOp::Extract { hi, lo } => value >> lo & mask(hi - lo + 1),
                    _ => value,
                };
                assert!(result.contains(exact), "{op:?} of {value} in {set:?}: {result:?}");
            }
        }
    }
}

#[test]
fn comparisons_are_decided_and_restrict_as_they_may() {
    let sets = sets(3);
    let operations = [BinOp::Eq, BinOp::BvUlt, BinOp::BvUle, BinOp::BvSlt, BinOp::BvSle];
    for a in &sets {
        for b in &sets {
            for op in operations {
                let known = compare(op, a, b);
                let (first, second) = (restrict(op, a, b), restrict_second(op, a, b));
                for x in members(a) {
                    for y in members(b) {
                        let (sx, sy) = (to_signed(x, 3), to_signed(y, 3));
                        let holds = match op {
                            BinOp::Eq => x == y,
                            BinOp::BvUlt => x < y,
                            BinOp::BvUle => x <= y,
                            BinOp::BvSlt => sx < sy,
                            _ => sx <= sy,
                        };
                        assert!(known.is_none_or(|known| known == holds), "{op:?} {a:?} {b:?}");
                        let is_in = |set: Option<Num>, value: u128| {
                            set.is_some_and(|set| set.contains(value))
                        };
                        if holds {
                            assert!(is_in(first, x) && is_in(second, y), "{op:?} {a:?} {b:?}");
                        }
                    }
                }
            }
            for value in 0..8 {
                let rest = without(a, value);
                for x in members(a).into_iter().filter(|&x| x != value) {
                    assert!(rest.is_some_and(|rest| rest.contains(x)), "{a:?} {value}");
                }
            }
        }
    }
}

#[test]
fn results_are_exact_where_it_matters() {
    let range = |lo, hi| Num::signed(32, lo, hi).expect("the range is not empty");
    let constant = |value: i32| Num::constant(32, value as u32 as u128);
    let result = |op, a: Num, b: Num| binary(op, &a, &b).map(|num| num.signed_bounds());
    assert_eq!(result(BinOp::BvAdd, range(0, 9), constant(-1)), Some((-1, 8)));
    assert_eq!(result(BinOp::BvMul, range(-3, 9), constant(4)), Some((-12, 36)));
    assert_eq!(result(BinOp::BvSrem, range(-50, 9), constant(10)), Some((-9, 9)));
    assert_eq!(result(BinOp::BvAnd, Num::top(32), constant(7)), Some((0, 7)));
    assert_eq!(result(BinOp::BvSdiv, range(-50, 9), constant(2)), Some((-25, 4)));
    assert_eq!(result(BinOp::BvAshr, range(-50, 9), constant(1)), Some((-25, 4)));
    let four = unary(UnOp::ZeroExt(64), &Num::top(32)).expect("an operation on bit-vectors");
    let product = binary(BinOp::BvMul, &four, &Num::constant(64, 4)).expect("a product");
    assert_eq!(product.stride, 4);
}
