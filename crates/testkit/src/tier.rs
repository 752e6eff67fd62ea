//! The two tiers of tests. The quick one, `./test`, meets every pair of settings; the exhaustive one,
//! `./test --exhaustive`, the full matrix.
//!
//! The environment says more: `RAVELIN_SEEDS=17..18` chooses the generated programs, `RAVELIN_FIXTURES=text` the fixtures
//! whose path contains the text, `RAVELIN_SECONDS` the time for each verdict.

use std::env;
use std::ops::Range;
use std::time::Duration;

use crate::fixture::Fixture;

/// The tests are exhaustive if the environment has this variable, with any value but `0`.
pub const VARIABLE: &str = "RAVELIN_EXHAUSTIVE";

pub fn is_exhaustive() -> bool {
    env::var(VARIABLE).is_ok_and(|value| !value.is_empty() && value != "0")
}

/// The first in the quick tier, the second in the exhaustive one.
pub fn pick<T>(quick: T, exhaustive: T) -> T {
    if is_exhaustive() { exhaustive } else { quick }
}

/// The programs to generate: those of the tier, unless the environment chooses others.
pub fn seeds(quick: Range<u64>, exhaustive: Range<u64>) -> Vec<u64> {
    let Ok(text) = env::var("RAVELIN_SEEDS") else { return pick(quick, exhaustive).collect() };
    parse_range(&text).expect("RAVELIN_SEEDS is of the form 0..300").collect()
}

fn parse_range(text: &str) -> Option<Range<u64>> {
    let (from, to) = text.split_once("..")?;
    Some(from.parse().ok()?..to.parse().ok()?)
}

/// Keeps the fixtures that the environment chooses.
pub fn keep_chosen(fixtures: &mut Vec<Fixture>) {
    if let Ok(text) = env::var("RAVELIN_FIXTURES") {
        fixtures.retain(|fixture| fixture.path.to_string_lossy().contains(&text));
    }
}

/// The time for one verdict, unless the environment has another.
pub fn seconds(usual: f64) -> Duration {
    let asked = env::var("RAVELIN_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs_f64(asked.unwrap_or(usual))
}

/// A covering array of strength two: rows of choices, one of `0..size` for every factor, such that any two choices
/// of different factors stand in a row together. Mistakes that take two settings are met by rows that are as few as
/// the product of the two largest sizes, or a little more (Cohen et al., The AETG System, TSE 1997).
pub fn pairwise(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut missing = Missing::all(sizes);
    let mut rows = Vec::new();
    while let Some(((one, a), (other, b))) = missing.first() {
        let mut row = vec![None; sizes.len()];
        (row[one], row[other]) = (Some(a), Some(b));
        for factor in 0..sizes.len() {
            if row[factor].is_none() {
                // Where several are as good, the row's number decides, so that leftovers are spread evenly.
                let choices = (0..sizes[factor]).map(|it| (it + rows.len()) % sizes[factor]);
                let best = choices.rev().max_by_key(|&it| missing.gain(&row, (factor, it)));
                row[factor] = best;
            }
        }
        let row: Vec<usize> = row.into_iter().flatten().collect();
        missing.strike(&row);
        rows.push(row);
    }
    rows
}

/// A factor and its choice.
type Choice = (usize, usize);

/// The pairs of choices that no row has yet.
struct Missing(std::collections::BTreeSet<(Choice, Choice)>);

impl Missing {
    fn all(sizes: &[usize]) -> Missing {
        let mut pairs = std::collections::BTreeSet::new();
        for (one, &size) in sizes.iter().enumerate() {
            for (other, &other_size) in sizes.iter().enumerate().skip(one + 1) {
                for a in 0..size {
                    pairs.extend((0..other_size).map(|b| ((one, a), (other, b))));
                }
            }
        }
        Missing(pairs)
    }

    fn first(&self) -> Option<(Choice, Choice)> {
        self.0.first().copied()
    }

    /// How many missing pairs a choice makes with those that a row has.
    fn gain(&self, row: &[Option<usize>], new: Choice) -> usize {
        let chosen = row.iter().enumerate().filter_map(|(factor, it)| Some((factor, (*it)?)));
        chosen.filter(|&old| self.0.contains(&(old.min(new), old.max(new)))).count()
    }

    fn strike(&mut self, row: &[usize]) {
        let choices: Vec<Choice> = row.iter().copied().enumerate().collect();
        self.0.retain(|(a, b)| !(choices.contains(a) && choices.contains(b)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_stands_in_a_row() {
        for sizes in [&[2, 2, 2][..], &[3, 4, 4, 17], &[3, 10], &[3, 4, 10], &[1, 5], &[2; 10]] {
            let rows = pairwise(sizes);
            for one in 0..sizes.len() {
                for other in one + 1..sizes.len() {
                    for a in 0..sizes[one] {
                        for b in 0..sizes[other] {
                            let has = |row: &Vec<usize>| row[one] == a && row[other] == b;
                            assert!(
                                rows.iter().any(has),
                                "{sizes:?}: {a} of {one}, {b} of {other}"
                            );
                        }
                    }
                }
            }
            let mut largest = sizes.to_vec();
            largest.sort_unstable_by(|a, b| b.cmp(a));
            let least = largest[0] * largest[1];
            assert!(rows.len() <= least + least / 3 + 6, "{sizes:?}: {} rows", rows.len());
            assert_eq!(rows, pairwise(sizes), "the same every time");
        }
    }

    #[test]
    fn seeds_are_ranges() {
        assert_eq!(parse_range("17..19"), Some(17..19));
        assert_eq!(parse_range("17"), None);
        assert_eq!(parse_range("a..b"), None);
    }
}
