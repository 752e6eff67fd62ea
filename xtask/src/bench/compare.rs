//! `cargo xtask bench --compare`: what B does better or worse than A.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::bench::markdown::{Table, code, config, sum};
use crate::bench::outcome::Verdict;
use crate::bench::results::{Key, Row};

/// Effort of a task that grew by more than this factor is reported.
const NOTABLE_GROWTH: f64 = 1.5;

/// Figures below this are taken for this when growth is judged: from 1 to 5 is nothing to look at.
const LEAST_EFFORT: f64 = 20.0;

/// Figures that do not depend on the machine.
const EFFORTS: [(&str, &str); 2] = [("solver calls", "solver_calls"), ("states", "states")];

/// Two tables of results side by side.
#[derive(Debug)]
pub struct Comparison<'a> {
    /// The runs that both have.
    pub pairs: Vec<Pair<'a>>,
    only_in_a: usize,
    only_in_b: Vec<&'a Row>,
}

/// The same task in both tables.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    pub a: &'a Row,
    pub b: &'a Row,
}

impl Pair<'_> {
    fn is_solved_by_both(&self) -> bool {
        self.a.class().is_correct() && self.b.class().is_correct()
    }

    fn is_lost(&self) -> bool {
        self.a.class().is_correct() && !self.b.class().is_correct()
    }

    fn is_gained(&self) -> bool {
        !self.a.class().is_correct() && self.b.class().is_correct()
    }

    /// By which factor a figure grew, where both solve the task.
    fn growth(&self, stat: &str) -> Option<f64> {
        let [a, b] = [self.a, self.b].map(|row| row.stat(stat));
        self.is_solved_by_both().then(|| Some(b?.max(LEAST_EFFORT) / a?.max(LEAST_EFFORT)))?
    }

    /// One says TRUE, the other says FALSE.
    fn is_contradiction(&self) -> bool {
        match (self.a.outcome.verdict, self.b.outcome.verdict) {
            (Some(Verdict::Answer(a)), Some(Verdict::Answer(b))) => a != b,
            (None | Some(Verdict::Unknown), _) | (_, None | Some(Verdict::Unknown)) => false,
        }
    }
}

/// Pairs the rows of two tables: by set, task and configuration, or, if each has a single
/// configuration, by set and task alone.
pub fn pair<'a>(
    a: impl Iterator<Item = &'a Row>,
    b: impl Iterator<Item = &'a Row>,
) -> Result<Comparison<'a>, String> {
    let [a, b] = [a.collect::<Vec<&Row>>(), b.collect()];
    let (configs_a, configs_b) = (configs(&a), configs(&b));
    let by_key: BTreeMap<&Key, &Row> = b.iter().map(|row| (&row.key, *row)).collect();
    let partner_config: Box<dyn Fn(&str) -> String> =
        match (configs_a.iter().next(), configs_b.iter().next()) {
            (Some(_), Some(&only)) if configs_a.len() == 1 && configs_b.len() == 1 => {
                Box::new(move |_| only.to_owned())
            }
            _ => Box::new(str::to_owned),
        };
    let mut pairs = Vec::new();
    let mut only_in_a = 0;
    let mut paired = BTreeSet::new();
    for row in a {
        let key = Key { config: partner_config(&row.key.config), ..row.key.clone() };
        match by_key.get(&key) {
            Some(&partner) => {
                paired.insert(&partner.key);
                pairs.push(Pair { a: row, b: partner });
            }
            None => only_in_a += 1,
        }
    }
    if pairs.is_empty() {
        return Err("the two have no task under a common configuration".to_owned());
    }
    let only_in_b = b.iter().copied().filter(|row| !paired.contains(&row.key)).collect();
    Ok(Comparison { pairs, only_in_a, only_in_b })
}

fn configs<'a>(rows: &[&'a Row]) -> BTreeSet<&'a str> {
    rows.iter().map(|row| row.key.config.as_str()).collect()
}

impl Comparison<'_> {
    /// Whether B may replace A: it says nothing wrong, solves what A solves, and no task takes it more than
    /// `max_growth` times the effort.
    pub fn is_acceptable(&self, max_growth: Option<f64>) -> bool {
        let mut all_in_b =
            self.pairs.iter().map(|pair| pair.b).chain(self.only_in_b.iter().copied());
        let is_slow = |pair: &Pair<'_>| {
            let is_beyond = |growth: f64| max_growth.is_some_and(|most| growth > most);
            EFFORTS.iter().any(|(_, stat)| pair.growth(stat).is_some_and(is_beyond))
        };
        !all_in_b.any(|row| row.class().is_wrong())
            && !self.pairs.iter().any(|pair| pair.is_lost() || is_slow(pair))
    }

    /// The comparison as a page of Markdown.
    pub fn render(&self, name_a: &str, name_b: &str, max_growth: Option<f64>) -> String {
        let mut text = format!("# {name_b} compared with {name_a}\n\n");
        self.write_wrong(&mut text);
        let pairs = || self.pairs.iter();
        write_pairs(&mut text, "Changed verdicts", pairs().filter(|pair| pair.is_contradiction()));
        write_pairs(&mut text, "Lost", pairs().filter(|pair| pair.is_lost()));
        write_pairs(&mut text, "Newly solved", pairs().filter(|pair| pair.is_gained()));
        self.write_growth(&mut text, max_growth);
        self.write_ratios(&mut text);
        self.write_scope(&mut text);
        text
    }

    fn write_wrong(&self, text: &mut String) {
        let mut table = Table::new(&["set", "task", "configuration", "expected", "A", "B"]);
        let mut count = 0;
        let pairs = self.pairs.iter().map(|pair| (Some(pair.a), pair.b));
        let alone = self.only_in_b.iter().map(|&row| (None, row));
        for (a, b) in pairs.chain(alone).filter(|(_, b)| b.class().is_wrong()) {
            count += 1;
            table.row([
                b.key.set.clone(),
                code(&b.key.name()),
                config(&b.key.config),
                b.expected.to_string(),
                a.map_or_else(String::new, |a| a.class().to_string()),
                b.class().to_string(),
            ]);
        }
        // Writing to a string cannot fail, here and below.
        let _ = match count {
            0 => writeln!(text, "## Wrong verdicts of B: none"),
            _ => writeln!(text, "## Wrong verdicts of B: {count}\n\n{}", table.finish().trim_end()),
        };
    }

    /// The tasks that take B notably more effort, the worst first.
    fn write_growth(&self, text: &mut String, max_growth: Option<f64>) {
        let notable = max_growth.unwrap_or(NOTABLE_GROWTH).min(NOTABLE_GROWTH);
        let mut grown = Vec::new();
        for pair in &self.pairs {
            for (name, stat) in EFFORTS {
                let Some(growth) = pair.growth(stat) else { continue };
                if growth > notable {
                    grown.push((growth, pair, name, stat));
                }
            }
        }
        grown.sort_by(|(one, ..), (other, ..)| other.total_cmp(one));
        let heading = format!("Effort that grew by more than {notable} times");
        if grown.is_empty() {
            let _ = writeln!(text, "\n## {heading}: none");
            return;
        }
        let _ = writeln!(text, "\n## {heading}: {}\n", grown.len());
        let mut table =
            Table::new(&["set", "task", "configuration", "figure", "#A", "#B", "#ratio"]);
        for (growth, Pair { a, b }, name, stat) in grown {
            let shown = |row: &Row| row.outcome.stats.get(stat).cloned().unwrap_or_default();
            table.row([
                b.key.set.clone(),
                code(&b.key.name()),
                config(&b.key.config),
                name.to_owned(),
                shown(a),
                shown(b),
                format!("{growth:.1}"),
            ]);
        }
        text.push_str(&table.finish());
        if let Some(most) = max_growth {
            let _ = writeln!(text, "\nMore than {most} times is too much.");
        }
    }

    fn write_ratios(&self, text: &mut String) {
        let both: Vec<&Pair<'_>> =
            self.pairs.iter().filter(|pair| pair.is_solved_by_both()).collect();
        let _ = writeln!(
            text,
            "\n## Effort on the {} tasks that both solve\n\nThe ratio is the geometric mean of B / A \
             over the tasks of which both tell the figure.\n",
            both.len()
        );
        let mut table = Table::new(&["figure", "#tasks", "#sum of A", "#sum of B", "#ratio"]);
        // Times below a hundredth of a second are noise.
        let mut row = |name: &str, least: f64, digits: usize, get: &dyn Fn(&Row) -> Option<f64>| {
            let figures: Vec<(f64, f64)> =
                both.iter().filter_map(|pair| Some((get(pair.a)?, get(pair.b)?))).collect();
            table.row([
                name.to_owned(),
                figures.len().to_string(),
                sum(figures.iter().map(|&(a, _)| a), digits),
                sum(figures.iter().map(|&(_, b)| b), digits),
                geometric_mean_of_ratios(&figures, least)
                    .map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.3}")),
            ]);
        };
        row("CPU seconds", 0.01, 2, &|row| Some(row.cpu));
        row("peak memory (MB)", 1.0, 0, &|row| Some(row.peak_megabytes));
        row("states", 1.0, 0, &|row| row.stat("states"));
        row("refinements", 1.0, 0, &|row| row.stat("refinements"));
        row("solver calls", 1.0, 0, &|row| row.stat("solver_calls"));
        text.push_str(&table.finish());
    }

    fn write_scope(&self, text: &mut String) {
        let solved = |pick: for<'p> fn(&'p Pair<'_>) -> &'p Row| {
            self.pairs.iter().filter(|pair| pick(pair).class().is_correct()).count()
        };
        let _ = writeln!(
            text,
            "\nOf {} tasks in both, A solves {} and B {}. Only in A: {}; only in B: {}.",
            self.pairs.len(),
            solved(|pair| pair.a),
            solved(|pair| pair.b),
            self.only_in_a,
            self.only_in_b.len()
        );
        let differing = self.pairs.iter().find(|pair| pair.a.allowed != pair.b.allowed);
        if let Some(Pair { a, b }) = differing {
            let _ = writeln!(
                text,
                "\nThe limits differ: A has {} per task, B {}.",
                a.allowed, b.allowed
            );
        }
    }
}

fn write_pairs<'a>(text: &mut String, heading: &str, pairs: impl Iterator<Item = &'a Pair<'a>>) {
    let pairs: Vec<&Pair<'_>> = pairs.collect();
    if pairs.is_empty() {
        let _ = writeln!(text, "\n## {heading}: none");
        return;
    }
    let _ = writeln!(text, "\n## {heading}: {}\n", pairs.len());
    let mut table =
        Table::new(&["set", "task", "configuration", "A", "B", "#CPU seconds of A", "#of B"]);
    let describe = |row: &Row| match row.outcome.reason.as_str() {
        "" => row.class().to_string(),
        reason => format!("{} ({reason})", row.class()),
    };
    for Pair { a, b } in pairs {
        let configs = if a.key.config == b.key.config {
            config(&a.key.config)
        } else {
            format!("{} → {}", config(&a.key.config), config(&b.key.config))
        };
        table.row([
            a.key.set.clone(),
            code(&a.key.name()),
            configs,
            describe(a),
            describe(b),
            format!("{:.2}", a.cpu),
            format!("{:.2}", b.cpu),
        ]);
    }
    text.push_str(&table.finish());
}

/// Figures below the least are taken as the least: their ratio means nothing.
fn geometric_mean_of_ratios(figures: &[(f64, f64)], least: f64) -> Option<f64> {
    if figures.is_empty() {
        return None;
    }
    let logarithms = figures.iter().map(|&(a, b)| (b.max(least) / a.max(least)).ln());
    Some((logarithms.sum::<f64>() / figures.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::bench::outcome::Class;
    use crate::bench::results::Results;
    use crate::bench::results::tests::{row, with_reason, with_stats};

    fn results(rows: &[Row]) -> Results {
        let mut results = Results::in_memory();
        for row in rows {
            results.add(row.clone()).expect("in memory");
        }
        results
    }

    fn check(a: &[Row], b: &[Row], is_acceptable: bool, expect: Expect) {
        let (a, b) = (results(a), results(b));
        let comparison = pair(a.rows(), b.rows()).expect("they have something in common");
        expect.assert_eq(&comparison.render("a.csv", "b.csv", None));
        assert_eq!(comparison.is_acceptable(None), is_acceptable);
    }

    #[test]
    fn better() {
        let a = [
            with_stats(row("loops", "a.c", "", Class::CorrectTrue, 4.0), &[("states", "100")]),
            with_stats(row("loops", "b.c", "", Class::CorrectTrue, 1.0), &[("states", "100")]),
            with_reason(row("loops", "c.c", "", Class::Unknown, 1.0), "refinement stuck"),
            row("loops", "d.c", "", Class::WrongFalse, 1.0),
        ];
        let b = [
            with_stats(row("loops", "a.c", "-O", Class::CorrectTrue, 1.0), &[("states", "10")]),
            with_stats(row("loops", "b.c", "-O", Class::CorrectTrue, 1.0), &[("states", "100")]),
            row("loops", "c.c", "-O", Class::CorrectTrue, 2.0),
            row("loops", "d.c", "-O", Class::CorrectTrue, 2.0),
        ];
        check(
            &a,
            &b,
            true,
            expect![[r#"
                # b.csv compared with a.csv

                ## Wrong verdicts of B: none

                ## Changed verdicts: 1

                | set | task | configuration | A | B | CPU seconds of A | of B |
                | --- | --- | --- | --- | --- | ---: | ---: |
                | loops | `d.c` | default → `-O` | wrong-false | correct-true | 1.00 | 2.00 |

                ## Lost: none

                ## Newly solved: 2

                | set | task | configuration | A | B | CPU seconds of A | of B |
                | --- | --- | --- | --- | --- | ---: | ---: |
                | loops | `c.c` | default → `-O` | unknown (refinement stuck) | correct-true | 1.00 | 2.00 |
                | loops | `d.c` | default → `-O` | wrong-false | correct-true | 1.00 | 2.00 |

                ## Effort that grew by more than 1.5 times: none

                ## Effort on the 2 tasks that both solve

                The ratio is the geometric mean of B / A over the tasks of which both tell the figure.

                | figure | tasks | sum of A | sum of B | ratio |
                | --- | ---: | ---: | ---: | ---: |
                | CPU seconds | 2 | 5.00 | 2.00 | 0.500 |
                | peak memory (MB) | 2 | 40 | 40 | 1.000 |
                | states | 2 | 200 | 110 | 0.316 |
                | refinements | 0 | – | – | – |
                | solver calls | 0 | – | – | – |

                Of 4 tasks in both, A solves 2 and B 4. Only in A: 0; only in B: 0.
            "#]],
        );
    }

    #[test]
    fn worse() {
        let a = [
            row("loops", "a.c", "", Class::CorrectTrue, 4.0),
            row("loops", "b.c", "", Class::CorrectTrue, 1.0),
            row("loops", "c.c", "-x", Class::CorrectTrue, 1.0),
        ];
        let mut b = [
            row("loops", "a.c", "", Class::Timeout, 60.5),
            row("loops", "b.c", "", Class::WrongFalse, 1.0),
            row("loops", "d.c", "", Class::WrongTrue, 2.0),
        ];
        b[0].allowed.seconds = 10.0;
        check(
            &a,
            &b,
            false,
            expect![[r#"
                # b.csv compared with a.csv

                ## Wrong verdicts of B: 2

                | set | task | configuration | expected | A | B |
                | --- | --- | --- | --- | --- | --- |
                | loops | `b.c` | default | true | correct-true | wrong-false |
                | loops | `d.c` | default | false |  | wrong-true |

                ## Changed verdicts: 1

                | set | task | configuration | A | B | CPU seconds of A | of B |
                | --- | --- | --- | --- | --- | ---: | ---: |
                | loops | `b.c` | default | correct-true | wrong-false | 1.00 | 1.00 |

                ## Lost: 2

                | set | task | configuration | A | B | CPU seconds of A | of B |
                | --- | --- | --- | --- | --- | ---: | ---: |
                | loops | `a.c` | default | correct-true | timeout | 4.00 | 60.50 |
                | loops | `b.c` | default | correct-true | wrong-false | 1.00 | 1.00 |

                ## Newly solved: none

                ## Effort that grew by more than 1.5 times: none

                ## Effort on the 0 tasks that both solve

                The ratio is the geometric mean of B / A over the tasks of which both tell the figure.

                | figure | tasks | sum of A | sum of B | ratio |
                | --- | ---: | ---: | ---: | ---: |
                | CPU seconds | 0 | – | – | – |
                | peak memory (MB) | 0 | – | – | – |
                | states | 0 | – | – | – |
                | refinements | 0 | – | – | – |
                | solver calls | 0 | – | – | – |

                Of 2 tasks in both, A solves 2 and B 0. Only in A: 1; only in B: 1.

                The limits differ: A has 60 s of processor time and 4096 MB per task, B 10 s of processor time and 4096 MB.
            "#]],
        );
    }

    #[test]
    fn a_lost_or_a_wrong_one_is_enough() {
        let good = [row("s", "a.c", "", Class::CorrectTrue, 1.0)];
        let lost = [row("s", "a.c", "", Class::Unknown, 1.0)];
        let wrong_elsewhere = [good[0].clone(), row("s", "z.c", "", Class::WrongTrue, 1.0)];
        let accepts = |a: &[Row], b: &[Row]| {
            let (a, b) = (results(a), results(b));
            pair(a.rows(), b.rows()).expect("pairs").is_acceptable(None)
        };
        assert!(accepts(&good, &good));
        assert!(accepts(&lost, &good));
        assert!(!accepts(&good, &lost));
        assert!(!accepts(&good, &wrong_elsewhere));
        assert!(accepts(&wrong_elsewhere, &good));
    }

    #[test]
    fn nothing_in_common_is_an_error() {
        let a =
            [row("s", "a.c", "-x", Class::Unknown, 1.0), row("s", "a.c", "", Class::Unknown, 1.0)];
        let b = [row("s", "a.c", "-y", Class::Unknown, 1.0)];
        let (a, b) = (results(&a), results(&b));
        pair(a.rows(), b.rows()).expect_err("no common configuration");
    }

    #[test]
    fn effort_that_grows_is_shown_and_may_be_too_much() {
        let with = |task, class, calls| {
            with_stats(row("s", task, "", class, 1.0), &[("solver_calls", calls), ("states", "9")])
        };
        let correct = Class::CorrectTrue;
        let a = results(&[
            with("a.c", correct, "40"),
            with("few.c", correct, "1"),
            with("more.c", correct, "100"),
            with("unknown.c", Class::Unknown, "1"),
        ]);
        let b = results(&[
            with("a.c", correct, "120"),
            with("few.c", correct, "19"),
            with("more.c", correct, "160"),
            with("unknown.c", Class::Unknown, "1000"),
        ]);
        let comparison = pair(a.rows(), b.rows()).expect("pairs");
        let text = comparison.render("a.csv", "b.csv", Some(3.0));
        let section = text.split("\n## ").find(|section| section.starts_with("Effort that grew"));
        expect![[r#"
            Effort that grew by more than 1.5 times: 2

            | set | task | configuration | figure | A | B | ratio |
            | --- | --- | --- | --- | ---: | ---: | ---: |
            | s | `a.c` | default | solver calls | 40 | 120 | 3.0 |
            | s | `more.c` | default | solver calls | 100 | 160 | 1.6 |

            More than 3 times is too much.
        "#]]
        .assert_eq(section.expect("a section"));
        assert!(comparison.is_acceptable(None));
        assert!(comparison.is_acceptable(Some(3.0)));
        assert!(!comparison.is_acceptable(Some(2.9)));
    }

    #[test]
    fn means_are_geometric() {
        let close = |figures: &[(f64, f64)], mean: f64| {
            (geometric_mean_of_ratios(figures, 0.01).expect("a mean") - mean).abs() < 1e-9
        };
        assert!(close(&[(1.0, 4.0), (4.0, 1.0)], 1.0));
        assert!(close(&[(1.0, 2.0)], 2.0));
        assert!(close(&[(0.0, 0.001)], 1.0));
        assert_eq!(geometric_mean_of_ratios(&[], 0.01), None);
    }
}
