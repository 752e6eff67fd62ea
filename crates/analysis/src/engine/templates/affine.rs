//! Affine hulls of points, in the arithmetic of machine words.
//!
//! The equations that all points of a hull satisfy are linear, modulo powers of two: `x + y == 7`, or
//! "`x - 3 * y` is even" (King, Søndergaard: "Automatic abstraction for congruences", VMCAI 2010).

/// The smallest affine set, modulo `2^width`, with all points added so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hull {
    width: u16,
    origin: Vec<u64>,
    /// Differences between points: no more than there are coordinates.
    directions: Vec<Vec<u64>>,
}

/// The low `bits` bits of the sum of the coordinates, each with its coefficient, are those of `constant`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equation {
    pub coefficients: Vec<u64>,
    pub constant: u64,
    pub bits: u16,
}

impl Hull {
    /// The hull of one point.
    pub fn new(width: u16, point: Vec<u64>) -> Self {
        debug_assert!((1..=64).contains(&width));
        Hull { width, origin: point, directions: Vec::new() }
    }

    /// Adds a point.
    pub fn add(&mut self, point: &[u64]) {
        let direction =
            point.iter().zip(&self.origin).map(|(a, b)| self.cut(a.wrapping_sub(*b))).collect();
        self.directions.push(direction);
        self.reduce();
    }

    fn cut(&self, number: u64) -> u64 {
        number & (u64::MAX >> (64 - self.width))
    }

    /// Which power of two a number is a multiple of; the width for zero.
    fn power(&self, number: u64) -> u32 {
        number.trailing_zeros().min(self.width.into())
    }

    /// `factor` such that `by * factor` is `number`, where the power in `by` is the smaller.
    fn quotient(&self, number: u64, by: u64) -> u64 {
        let shift = self.power(by);
        self.cut((number >> shift).wrapping_mul(inverse(by >> shift)))
    }

    /// Makes the directions as few as there are coordinates, with the same span.
    fn reduce(&mut self) {
        let mut done = 0;
        for column in 0..self.origin.len() {
            let pivot = (done..self.directions.len())
                .filter(|&row| self.directions[row][column] != 0)
                .min_by_key(|&row| self.power(self.directions[row][column]));
            let Some(pivot) = pivot else { continue };
            self.directions.swap(done, pivot);
            for row in done + 1..self.directions.len() {
                let factor =
                    self.quotient(self.directions[row][column], self.directions[done][column]);
                self.subtract_row(row, factor, done);
            }
            done += 1;
        }
        self.directions.truncate(done);
    }

    fn subtract_row(&mut self, row: usize, factor: u64, from: usize) {
        for column in 0..self.origin.len() {
            let part = factor.wrapping_mul(self.directions[from][column]);
            self.directions[row][column] =
                self.cut(self.directions[row][column].wrapping_sub(part));
        }
    }

    /// Equations that the points of the hull, and no others, satisfy.
    pub fn equations(&self) -> Vec<Equation> {
        // Rows and columns are combined until the matrix of directions is diagonal. Column operations are
        // changes of coordinates, `basis` says to which: a new coordinate is free where the diagonal is odd,
        // fixed where it is zero, and in between a multiple of the power on the diagonal.
        let count = self.origin.len();
        let mut hull = self.clone();
        let mut basis: Vec<Vec<u64>> = (0..count)
            .map(|column| (0..count).map(|row| u64::from(row == column)).collect())
            .collect();
        let mut powers = Vec::new();
        while let Some((row, column)) = hull.least(powers.len()) {
            let at = powers.len();
            hull.directions.swap(at, row);
            hull.directions.iter_mut().for_each(|direction| direction.swap(at, column));
            basis.swap(at, column);
            let pivot = hull.directions[at][at];
            for other in at + 1..hull.directions.len() {
                let factor = hull.quotient(hull.directions[other][at], pivot);
                hull.subtract_row(other, factor, at);
            }
            let chosen = basis[at].clone();
            for (other, vector) in basis.iter_mut().enumerate().skip(at + 1) {
                let factor = hull.quotient(hull.directions[at][other], pivot);
                hull.directions[at][other] = 0;
                for (entry, part) in vector.iter_mut().zip(&chosen) {
                    *entry = self.cut(entry.wrapping_sub(factor.wrapping_mul(*part)));
                }
            }
            powers.push(self.power(pivot) as u16);
        }
        let mut fixed = basis.split_off(powers.len());
        self.simplify(&mut fixed);
        let fixed = fixed.into_iter().map(|coefficients| (coefficients, self.width));
        basis
            .into_iter()
            .zip(powers)
            .chain(fixed)
            .filter(|(_, bits)| *bits > 0)
            .map(|(coefficients, bits)| {
                let low = |number: u64| number & (u64::MAX >> (64 - bits));
                let constant = coefficients
                    .iter()
                    .zip(&self.origin)
                    .fold(0u64, |sum, (a, b)| sum.wrapping_add(a.wrapping_mul(*b)));
                let coefficients = coefficients.into_iter().map(low).collect();
                Equation { coefficients, constant: low(constant), bits }
            })
            .collect()
    }

    /// The entry with the least power among rows and columns from `from` on, if one is not zero.
    fn least(&self, from: usize) -> Option<(usize, usize)> {
        (from..self.directions.len())
            .flat_map(|row| (from..self.origin.len()).map(move |column| (row, column)))
            .filter(|&(row, column)| self.directions[row][column] != 0)
            .min_by_key(|&(row, column)| self.power(self.directions[row][column]))
    }

    /// Replaces vectors by others with the same span and as many zeros as can be had at no cost.
    fn simplify(&self, vectors: &mut [Vec<u64>]) {
        let mut taken = vec![false; self.origin.len()];
        for at in 0..vectors.len() {
            // They are part of a basis, so each has an odd entry; the last makes the earlier variables
            // explain the later ones.
            let Some(column) = (0..self.origin.len())
                .rev()
                .find(|&column| !taken[column] && vectors[at][column] % 2 == 1)
            else {
                continue;
            };
            taken[column] = true;
            let factor = inverse(vectors[at][column]);
            for entry in &mut vectors[at] {
                *entry = self.cut(entry.wrapping_mul(factor));
            }
            let pivot = vectors[at].clone();
            for (other, vector) in vectors.iter_mut().enumerate() {
                let factor = vector[column];
                if other != at && factor != 0 {
                    for (entry, part) in vector.iter_mut().zip(&pivot) {
                        *entry = self.cut(entry.wrapping_sub(factor.wrapping_mul(*part)));
                    }
                }
            }
        }
    }
}

/// The inverse of an odd number modulo `2^64`, by Newton's iteration: each round doubles the bits that
/// are right, and three are to begin with.
fn inverse(odd: u64) -> u64 {
    let mut guess = odd;
    for _ in 0..5 {
        guess = guess.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(guess)));
    }
    guess
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hull(width: u16, points: &[&[i64]]) -> Hull {
        let point = |at: usize| {
            points[at]
                .iter()
                .map(|&x| x as u64)
                .map(|x| x & (u64::MAX >> (64 - width)))
                .collect::<Vec<_>>()
        };
        let mut hull = Hull::new(width, point(0));
        (1..points.len()).for_each(|at| hull.add(&point(at)));
        hull
    }

    fn holds(equation: &Equation, point: &[i64]) -> bool {
        let sum = equation
            .coefficients
            .iter()
            .zip(point)
            .fold(0u64, |sum, (a, b)| sum.wrapping_add(a.wrapping_mul(*b as u64)));
        (sum ^ equation.constant) & (u64::MAX >> (64 - equation.bits)) == 0
    }

    #[test]
    fn a_point_fixes_every_coordinate() {
        let equations = hull(32, &[&[3, -1]]).equations();
        assert_eq!(equations.len(), 2);
        assert!(equations.iter().all(|equation| holds(equation, &[3, -1])));
        assert!(!equations.iter().all(|equation| holds(equation, &[3, 0])));
    }

    #[test]
    fn lines_are_found() {
        let equations = hull(32, &[&[0, 5], &[1, 3], &[10, -15]]).equations();
        assert_eq!(equations.len(), 1);
        assert!(holds(&equations[0], &[100, -195]));
        assert!(!holds(&equations[0], &[100, -194]));
    }

    #[test]
    fn steps_of_two_keep_parity() {
        let equations = hull(32, &[&[1, 0], &[3, 0], &[1, 7]]).equations();
        assert_eq!(equations.len(), 1);
        assert_eq!(equations[0].bits, 1);
        assert!(holds(&equations[0], &[-5, 2]));
        assert!(!holds(&equations[0], &[-4, 2]));
    }

    #[test]
    fn all_points_and_their_combinations_satisfy_the_equations() {
        // A small generator of its own keeps the test the same everywhere.
        let mut state = 12345u64;
        let mut next = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as i64 % 16 - 8
        };
        for round in 0..500 {
            let count = 1 + round % 4;
            let points: Vec<Vec<i64>> = (0..1 + round % 5)
                .map(|_| (0..count).map(|_| next() * [1, 2, 4, 6][round % 4]).collect())
                .collect();
            let slices: Vec<&[i64]> = points.iter().map(Vec::as_slice).collect();
            let equations = hull(16, &slices).equations();
            let mut mixed = points[0].clone();
            for point in &points {
                let factor = next();
                for (at, coordinate) in mixed.iter_mut().enumerate() {
                    *coordinate += factor * (point[at] - points[0][at]);
                }
            }
            for equation in &equations {
                assert!(points.iter().chain([&mixed]).all(|point| holds(equation, point)));
            }
            // What is outside of a hull breaks an equation: adding it makes the hull another.
            let stranger: Vec<i64> = (0..count).map(|_| next()).collect();
            let mut larger: Vec<&[i64]> = slices.clone();
            larger.push(&stranger);
            let inside = equations.iter().all(|equation| holds(equation, &stranger));
            let same = hull(16, &larger)
                .equations()
                .iter()
                .map(|equation| u32::from(equation.bits))
                .sum::<u32>()
                == equations.iter().map(|equation| u32::from(equation.bits)).sum::<u32>();
            assert_eq!(inside, same, "{points:?} and {stranger:?}");
        }
    }
}
