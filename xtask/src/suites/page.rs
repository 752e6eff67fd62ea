//! The page about the suites: answers that differ first, then figures and reasons.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::OTHER;
use super::explained::{Cause, Explanation, Explanations};
use super::tests::Suite;
use crate::bench::markdown::{Table, code};
use crate::bench::outcome::{Allowance, Class};
use crate::bench::results::Row;

/// What was measured.
pub struct Study<'a> {
    pub command: String,
    pub suites: Vec<Suite>,
    pub allowed: Allowance,
    pub rows: Vec<&'a Row>,
    pub explanations: Explanations,
}

/// How many reasons are listed of each kind.
const REASONS: usize = 40;

/// What became of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Right,
    Differs,
    Unknown,
    /// Also a crash of the verifier.
    Rejected,
}

impl Fate {
    fn of(class: Class) -> Fate {
        match class {
            Class::CorrectTrue | Class::CorrectFalse => Fate::Right,
            Class::WrongTrue | Class::WrongFalse => Fate::Differs,
            Class::Unknown | Class::Timeout | Class::OutOfMemory => Fate::Unknown,
            Class::Error => Fate::Rejected,
        }
    }
}

impl Study<'_> {
    /// Whether every difference is explained, and none is a fault of Ravelin.
    pub fn is_clean(&self) -> bool {
        self.differences().all(|(_, explanation)| {
            explanation.is_some_and(|explanation| explanation.cause != Cause::Ours)
        })
    }

    fn compared(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().copied().filter(|row| !row.key.set.ends_with(OTHER))
    }

    fn differences(&self) -> impl Iterator<Item = (&Row, Option<&Explanation>)> {
        self.compared().filter(|row| row.class().is_wrong()).map(|row| (row, self.explanation(row)))
    }

    fn explanation(&self, row: &Row) -> Option<&Explanation> {
        self.explanations.of(&row.key.set, &row.key.task, &verdict(row))
    }

    pub fn render(&self) -> String {
        let mut text = String::from(
            "# Regression suites of other verifiers\n\n\
             Each test is run as it stands. Its suite says whether the assertions of the program hold; where it says \
             something else (another property, a bounded search, another entry), the test is run, but nothing is \
             compared.\n\n",
        );
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "With {}:\n\n```sh\n{}\n```\n", self.allowed, self.command);
        let others = self.rows.iter().filter(|row| row.allowed != self.allowed).count();
        if others > 0 {
            let _ = writeln!(
                text,
                "These are the limits of {} of {} tests; {others} were measured before, with those in the columns \
                 `timeout_seconds` and `memory_mb` of the CSV file.\n",
                self.rows.len() - others,
                self.rows.len(),
            );
        }
        text += &self.different();
        text += &self.figures();
        text += &self.reasons(Fate::Unknown, "Unknown, by reason");
        text += &self.reasons(Fate::Rejected, "Rejected, by reason");
        text
    }

    fn different(&self) -> String {
        let mut text = String::from("## Answers that differ\n\n");
        let mut all: Vec<(&Row, Option<&Explanation>)> = self.differences().collect();
        if all.is_empty() {
            return text + "None.\n\n";
        }
        // Those without an explanation first, then Ravelin's faults.
        all.sort_by_key(|(_, explanation)| explanation.map(|explanation| explanation.cause));
        let mut table = Table::new(&["suite", "test", "expected", "answer", "cause", "why"]);
        for (row, explanation) in all {
            table.row([
                row.key.set.clone(),
                code(&row.key.task),
                row.expected.to_string().to_uppercase(),
                verdict(row),
                explanation.map_or("**not explained**".to_owned(), |it| it.cause.to_string()),
                explanation.map_or(String::new(), |it| it.why.clone()),
            ]);
        }
        text += &table.finish();
        text.push('\n');
        text
    }

    fn figures(&self) -> String {
        let mut text = String::from("## Figures\n\n");
        let columns = [
            "suite",
            "#tests",
            "#right",
            "#differ",
            "#of these ours",
            "#unknown",
            "#rejected",
            "#not compared",
            "#unknown there",
            "#rejected there",
        ];
        let mut table = Table::new(&columns);
        let mut sums = [0; 9];
        for suite in &self.suites {
            let other = format!("{}{OTHER}", suite.name);
            let count = |set: &str, fate: Fate| {
                let is_it = |row: &&&Row| row.key.set == set && Fate::of(row.class()) == fate;
                self.rows.iter().filter(is_it).count()
            };
            let ours = self.differences().filter(|(row, explanation)| {
                row.key.set == suite.name
                    && explanation.is_none_or(|explanation| explanation.cause == Cause::Ours)
            });
            let in_set = |set: &str| self.rows.iter().filter(|row| row.key.set == set).count();
            let figures = [
                in_set(suite.name),
                count(suite.name, Fate::Right),
                count(suite.name, Fate::Differs),
                ours.count(),
                count(suite.name, Fate::Unknown),
                count(suite.name, Fate::Rejected),
                in_set(&other),
                count(&other, Fate::Unknown),
                count(&other, Fate::Rejected),
            ];
            for (sum, figure) in sums.iter_mut().zip(figures) {
                *sum += figure;
            }
            table.row(
                std::iter::once(suite.name.to_owned()).chain(figures.map(|it| it.to_string())),
            );
        }
        table.row(std::iter::once("all".to_owned()).chain(sums.map(|it| it.to_string())));
        text += &table.finish();
        text.push('\n');
        text
    }

    fn reasons(&self, fate: Fate, title: &str) -> String {
        let mut counts: BTreeMap<String, (usize, &str)> = BTreeMap::new();
        for row in self.compared().filter(|row| Fate::of(row.class()) == fate) {
            let entry = counts.entry(general(&row.outcome.reason)).or_insert((0, &row.key.task));
            entry.0 += 1;
        }
        let mut list: Vec<(String, (usize, &str))> = counts.into_iter().collect();
        list.sort_by(|a, b| b.1.0.cmp(&a.1.0).then_with(|| a.0.cmp(&b.0)));
        let mut text = format!("## {title}\n\n");
        let mut table = Table::new(&["reason", "#tests", "for example"]);
        let rest = list.len().saturating_sub(REASONS);
        for (reason, (count, example)) in list.into_iter().take(REASONS) {
            table.row([reason, count.to_string(), code(example)]);
        }
        text += &table.finish();
        if rest > 0 {
            let _ = writeln!(text, "\n{rest} more reasons are in the CSV file.");
        }
        text.push('\n');
        text
    }
}

fn verdict(row: &Row) -> String {
    row.outcome.verdict.map_or_else(String::new, |verdict| verdict.to_string())
}

/// A reason without what is of one program: positions, and names in quotation marks.
fn general(reason: &str) -> String {
    let words = reason.split(' ').map(|word| {
        let is_position = word.split(':').filter(|part| part.parse::<u32>().is_ok()).count() >= 2;
        if is_position { "…" } else { word }
    });
    let text = words.collect::<Vec<_>>().join(" ");
    let mut parts = text.split('\'').enumerate();
    let mut general = String::new();
    for (number, part) in parts.by_ref() {
        general += match number % 2 {
            0 => part,
            _ => "'…'",
        };
    }
    general
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::bench::results::tests::{row, with_reason};
    use crate::suites::tests::SUITES;

    #[test]
    fn reasons_lose_what_is_of_one_program() {
        assert_eq!(
            general("unsupported: a/main.c:3:4: f: a builtin"),
            "unsupported: … f: a builtin"
        );
        assert_eq!(general("rejected: unknown type name 'foo'"), "rejected: unknown type name '…'");
    }

    #[test]
    fn differences_come_first() {
        let rows = [
            row("cbmc", "a", "", Class::WrongTrue, 1.0),
            row("cbmc", "b", "", Class::CorrectTrue, 1.0),
            with_reason(row("cbmc", "c", "", Class::Unknown, 1.0), "unsupported: c.c:1:2: f"),
            row("cbmc/other", "d", "", Class::WrongTrue, 1.0),
        ];
        let study = Study {
            command: "cargo xtask suites".to_owned(),
            suites: vec![SUITES[0]],
            allowed: Allowance { seconds: 10.0, megabytes: 100 },
            rows: rows.iter().collect(),
            explanations: Explanations::default(),
        };
        assert!(!study.is_clean());
        let text = study.render();
        let body = text.split_once("## Answers").map_or("", |(_, body)| body);
        expect![[r#"
             that differ

            | suite | test | expected | answer | cause | why |
            | --- | --- | --- | --- | --- | --- |
            | cbmc | `a` | FALSE | TRUE | **not explained** |  |

            ## Figures

            | suite | tests | right | differ | of these ours | unknown | rejected | not compared | unknown there | rejected there |
            | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
            | cbmc | 3 | 1 | 1 | 1 | 1 | 0 | 1 | 0 | 0 |
            | all | 3 | 1 | 1 | 1 | 1 | 0 | 1 | 0 | 0 |

            ## Unknown, by reason

            | reason | tests | for example |
            | --- | ---: | --- |
            | unsupported: … f | 1 | `c` |

            ## Rejected, by reason

            | reason | tests | for example |
            | --- | ---: | --- |

        "#]]
        .assert_eq(body);
    }
}
