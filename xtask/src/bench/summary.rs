//! Results as a page of Markdown, wrong verdicts first.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::bench::markdown::{Table, code, config, sum};
use crate::bench::outcome::{Allowance, Class};
use crate::bench::results::Row;

/// What was measured, and the results of it.
#[derive(Debug)]
pub struct Study<'a> {
    /// The sets, in the order in which they are shown.
    pub sets: Vec<String>,
    /// The configurations, in the order in which they are shown.
    pub configs: Vec<String>,
    pub allowed: Allowance,
    /// The command that repeats the study.
    pub command: String,
    pub rows: Vec<&'a Row>,
}

impl Study<'_> {
    pub fn of_config(&self, config: &str) -> impl Iterator<Item = &Row> {
        self.rows.iter().copied().filter(move |row| row.key.config == config)
    }

    /// Rows of a set and a configuration, for all of both, in the order in which they are shown.
    fn groups(&self) -> impl Iterator<Item = (&str, &str, Vec<&Row>)> {
        self.sets.iter().flat_map(move |set| {
            self.configs.iter().map(move |config| {
                let rows = self.of_config(config).filter(|row| row.key.set == *set).collect();
                (set.as_str(), config.as_str(), rows)
            })
        })
    }
}

/// The page.
pub fn render(study: &Study<'_>) -> String {
    let mut text = String::from("# Benchmark results\n\n");
    write_wrong(&mut text, study);
    write_results(&mut text, study);
    write_phases(&mut text, study);
    write_side_by_side(&mut text, study);
    write_reasons(&mut text, study, "Reasons for UNKNOWN", Class::Unknown);
    write_reasons(&mut text, study, "Errors", Class::Error);
    text
}

fn write_wrong(text: &mut String, study: &Study<'_>) {
    let mut wrong = Table::new(&["set", "task", "configuration", "expected", "verdict"]);
    let mut count = 0;
    for (set, options, rows) in study.groups() {
        for row in rows.iter().filter(|row| row.class().is_wrong()) {
            count += 1;
            let verdict =
                row.outcome.verdict.map_or_else(String::new, |verdict| verdict.to_string());
            wrong.row([
                set.to_owned(),
                code(&row.key.name()),
                config(options),
                row.expected.to_string(),
                verdict,
            ]);
        }
    }
    // Writing to a string cannot fail, here and below.
    let _ = match count {
        0 => writeln!(text, "## Wrong verdicts: none"),
        _ => writeln!(text, "## Wrong verdicts: {count}\n\n{}", wrong.finish().trim_end()),
    };
}

fn write_results(text: &mut String, study: &Study<'_>) {
    let _ = writeln!(
        text,
        "\n## Results\n\nOne process per task, with {}.\n\n```\n{}\n```\n",
        study.allowed, study.command
    );
    let mut table = Table::new(&[
        "set",
        "configuration",
        "#tasks",
        "#solved",
        "#correct true",
        "#correct false",
        "#wrong",
        "#unknown",
        "#timeout",
        "#out of memory",
        "#error",
        "#CPU seconds on solved",
        "#median",
        "#score",
    ]);
    for (set, options, rows) in study.groups() {
        table.row(result_cells(set, options, &rows));
    }
    if study.sets.len() > 1 {
        for options in &study.configs {
            let rows: Vec<&Row> = study.of_config(options).collect();
            table.row(result_cells("**all**", options, &rows));
        }
    }
    text.push_str(&table.finish());
    text.push_str(
        "\nThe score is that of the software verification competition: 2 for a correct TRUE, 1 for a \
         correct FALSE,\n−32 for a wrong TRUE, −16 for a wrong FALSE.\n",
    );
}

fn result_cells(set: &str, options: &str, rows: &[&Row]) -> Vec<String> {
    let count = |class: Class| rows.iter().filter(|row| row.class() == class).count();
    let solved = || rows.iter().filter(|row| row.class().is_correct());
    vec![
        set.to_owned(),
        config(options),
        rows.len().to_string(),
        solved().count().to_string(),
        count(Class::CorrectTrue).to_string(),
        count(Class::CorrectFalse).to_string(),
        rows.iter().filter(|row| row.class().is_wrong()).count().to_string(),
        count(Class::Unknown).to_string(),
        count(Class::Timeout).to_string(),
        count(Class::OutOfMemory).to_string(),
        count(Class::Error).to_string(),
        sum(solved().map(|row| row.cpu), 1),
        median(solved().map(|row| row.cpu)),
        rows.iter().map(|row| row.class().score()).sum::<i64>().to_string(),
    ]
}

/// The figure in the middle: half of them are not larger.
fn median(figures: impl Iterator<Item = f64>) -> String {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    let middle = figures.get(figures.len().saturating_sub(1) / 2);
    middle.map_or_else(|| "–".to_owned(), |middle| format!("{middle:.2}"))
}

/// The prefix of statistics that are seconds of a phase.
const PHASE: &str = "time_";

fn write_phases(text: &mut String, study: &Study<'_>) {
    let mut phases: Vec<&str> = study
        .rows
        .iter()
        .flat_map(|row| row.outcome.stats.keys())
        .filter_map(|name| name.strip_prefix(PHASE))
        .collect();
    phases.sort_unstable();
    phases.dedup();
    let counts = ["states", "refinements", "solver_calls"];
    let has_counts =
        study.rows.iter().any(|row| counts.iter().any(|name| row.stat(name).is_some()));
    if phases.is_empty() && !has_counts {
        return;
    }
    text.push_str("\n## Effort on solved tasks\n\nSums; phases in seconds.\n\n");
    let mut columns = vec!["set".to_owned(), "configuration".to_owned()];
    columns.extend(counts.map(|name| format!("#{}", name.replace('_', " "))));
    columns.extend(phases.iter().map(|phase| format!("#{}", phase.replace('_', " "))));
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new(&columns);
    for (set, options, rows) in study.groups() {
        let solved = || rows.iter().filter(|row| row.class().is_correct());
        let total = |name: &str, digits| sum(solved().filter_map(|row| row.stat(name)), digits);
        let mut cells = vec![set.to_owned(), config(options)];
        cells.extend(counts.map(|name| total(name, 0)));
        cells.extend(phases.iter().map(|phase| total(&format!("{PHASE}{phase}"), 1)));
        table.row(cells);
    }
    text.push_str(&table.finish());
}

/// What configurations cost on the same tasks: those that all of them solve.
fn write_side_by_side(text: &mut String, study: &Study<'_>) {
    if study.configs.len() < 2 {
        return;
    }
    let mut solved: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for row in study.rows.iter().filter(|row| row.class().is_correct()) {
        *solved.entry((row.key.set.as_str(), row.key.name())).or_default() += 1;
    }
    let by_all = |row: &&&Row| {
        solved.get(&(row.key.set.as_str(), row.key.name())) == Some(&study.configs.len())
    };
    text.push_str(
        "\n## Side by side\n\nSums over the tasks that every configuration solves; of the statements, how many were \
         left out or\nopened on average.\n\n",
    );
    let mut table = Table::new(&[
        "set",
        "configuration",
        "#tasks",
        "#CPU seconds",
        "#states",
        "#successor seconds",
        "#statements simplified",
    ]);
    for (set, options, rows) in study.groups() {
        let common: Vec<&Row> = rows.iter().filter(by_all).copied().collect();
        let total =
            |name: &str, digits| sum(common.iter().filter_map(|row| row.stat(name)), digits);
        table.row([
            set.to_owned(),
            config(options),
            common.len().to_string(),
            sum(common.iter().map(|row| row.cpu), 1),
            total("states", 0),
            total("time_successors", 2),
            simplified(&common),
        ]);
    }
    text.push_str(&table.finish());
}

/// The part of the statements that was left out or opened: the mean over the tasks in which there are any.
fn simplified(rows: &[&Row]) -> String {
    let part = |row: &&Row| {
        let all = row.stat("statements").filter(|&all| all > 0.0)?;
        let simplified = row.stat("statements_left_out")? + row.stat("statements_opened")?;
        Some(simplified / all)
    };
    let parts: Vec<f64> = rows.iter().filter_map(part).collect();
    match parts.len() {
        0 => "–".to_owned(),
        count => format!("{:.1} %", 100.0 * parts.iter().sum::<f64>() / count as f64),
    }
}

/// Why tasks ended in a class, most frequent reasons first.
fn write_reasons(text: &mut String, study: &Study<'_>, heading: &str, class: Class) {
    let _ = writeln!(text, "\n## {heading}\n");
    let mut table = Table::new(&["set", "configuration", "reason", "#tasks", "for example"]);
    let mut any = false;
    for (set, options, rows) in study.groups() {
        let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.class() == class) {
            reasons.entry(&row.outcome.reason).or_default().push(&row.key.task);
        }
        let mut reasons: Vec<_> = reasons.into_iter().collect();
        reasons.sort_by_key(|(reason, tasks)| (std::cmp::Reverse(tasks.len()), *reason));
        for (reason, tasks) in reasons {
            any = true;
            table.row([
                set.to_owned(),
                config(options),
                reason.to_owned(),
                tasks.len().to_string(),
                code(tasks[0]),
            ]);
        }
    }
    text.push_str(if any { table.finish() } else { "None.\n".to_owned() }.as_str());
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::bench::results::tests::{row, with_reason, with_stats};

    fn check(rows: &[Row], sets: &[&str], configs: &[&str], expect: Expect) {
        let study = Study {
            sets: sets.iter().map(|&set| set.to_owned()).collect(),
            configs: configs.iter().map(|&config| config.to_owned()).collect(),
            allowed: Allowance { seconds: 60.0, megabytes: 4096 },
            command: "cargo xtask bench".to_owned(),
            rows: rows.iter().collect(),
        };
        expect.assert_eq(&render(&study));
    }

    #[test]
    fn all_is_well() {
        check(
            &[row("loops", "a.c", "", Class::CorrectTrue, 0.5)],
            &["loops"],
            &[""],
            expect![[r#"
                # Benchmark results

                ## Wrong verdicts: none

                ## Results

                One process per task, with 60 s of processor time and 4096 MB.

                ```
                cargo xtask bench
                ```

                | set | configuration | tasks | solved | correct true | correct false | wrong | unknown | timeout | out of memory | error | CPU seconds on solved | median | score |
                | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
                | loops | default | 1 | 1 | 1 | 0 | 0 | 0 | 0 | 0 | 0 | 0.5 | 0.50 | 2 |

                The score is that of the software verification competition: 2 for a correct TRUE, 1 for a correct FALSE,
                −32 for a wrong TRUE, −16 for a wrong FALSE.

                ## Reasons for UNKNOWN

                None.

                ## Errors

                None.
            "#]],
        );
    }

    #[test]
    fn wrong_verdicts_come_first() {
        let rows = [
            with_stats(
                row("loops", "a.c", "", Class::CorrectTrue, 0.5),
                &[
                    ("states", "10"),
                    ("time_refinement", "0.25"),
                    ("time_abstraction", "0.1"),
                    ("statements", "200"),
                    ("statements_left_out", "50"),
                    ("statements_opened", "10"),
                ],
            ),
            with_stats(row("loops", "b.c", "", Class::Timeout, 61.0), &[("states", "1000000")]),
            row("loops", "a.c", "--domain x|y", Class::CorrectTrue, 0.75),
            row("loops", "b.c", "--domain x|y", Class::WrongTrue, 1.0),
            with_reason(row("bits", "c.c", "", Class::Unknown, 0.1), "floating point"),
            with_reason(row("bits", "d.c", "", Class::Unknown, 0.1), "asm"),
            with_reason(row("bits", "e.c", "", Class::Unknown, 0.1), "floating point"),
            row("bits", "f.c", "", Class::OutOfMemory, 9.0),
            row("bits", "c.c", "--domain x|y", Class::CorrectFalse, 0.125),
            row("bits", "d.c", "--domain x|y", Class::WrongFalse, 0.1),
            with_reason(row("bits", "e.c", "--domain x|y", Class::Error, 0.1), "signal 11"),
        ];
        check(
            &rows,
            &["loops", "bits"],
            &["", "--domain x|y"],
            expect![[r#"
                # Benchmark results

                ## Wrong verdicts: 2

                | set | task | configuration | expected | verdict |
                | --- | --- | --- | --- | --- |
                | loops | `b.c` | `--domain x\|y` | false | TRUE |
                | bits | `d.c` | `--domain x\|y` | true | FALSE |

                ## Results

                One process per task, with 60 s of processor time and 4096 MB.

                ```
                cargo xtask bench
                ```

                | set | configuration | tasks | solved | correct true | correct false | wrong | unknown | timeout | out of memory | error | CPU seconds on solved | median | score |
                | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
                | loops | default | 2 | 1 | 1 | 0 | 0 | 0 | 1 | 0 | 0 | 0.5 | 0.50 | 2 |
                | loops | `--domain x\|y` | 2 | 1 | 1 | 0 | 1 | 0 | 0 | 0 | 0 | 0.8 | 0.75 | -30 |
                | bits | default | 4 | 0 | 0 | 0 | 0 | 3 | 0 | 1 | 0 | – | – | 0 |
                | bits | `--domain x\|y` | 3 | 1 | 0 | 1 | 1 | 0 | 0 | 0 | 1 | 0.1 | 0.12 | -15 |
                | **all** | default | 6 | 1 | 1 | 0 | 0 | 3 | 1 | 1 | 0 | 0.5 | 0.50 | 2 |
                | **all** | `--domain x\|y` | 5 | 2 | 1 | 1 | 2 | 0 | 0 | 0 | 1 | 0.9 | 0.12 | -45 |

                The score is that of the software verification competition: 2 for a correct TRUE, 1 for a correct FALSE,
                −32 for a wrong TRUE, −16 for a wrong FALSE.

                ## Effort on solved tasks

                Sums; phases in seconds.

                | set | configuration | states | refinements | solver calls | abstraction | refinement |
                | --- | --- | ---: | ---: | ---: | ---: | ---: |
                | loops | default | 10 | – | – | 0.1 | 0.2 |
                | loops | `--domain x\|y` | – | – | – | – | – |
                | bits | default | – | – | – | – | – |
                | bits | `--domain x\|y` | – | – | – | – | – |

                ## Side by side

                Sums over the tasks that every configuration solves; of the statements, how many were left out or
                opened on average.

                | set | configuration | tasks | CPU seconds | states | successor seconds | statements simplified |
                | --- | --- | ---: | ---: | ---: | ---: | ---: |
                | loops | default | 1 | 0.5 | 10 | – | 30.0 % |
                | loops | `--domain x\|y` | 1 | 0.8 | – | – | – |
                | bits | default | 0 | – | – | – | – |
                | bits | `--domain x\|y` | 0 | – | – | – | – |

                ## Reasons for UNKNOWN

                | set | configuration | reason | tasks | for example |
                | --- | --- | --- | ---: | --- |
                | bits | default | floating point | 2 | `c.c` |
                | bits | default | asm | 1 | `d.c` |

                ## Errors

                | set | configuration | reason | tasks | for example |
                | --- | --- | --- | ---: | --- |
                | bits | `--domain x\|y` | signal 11 | 1 | `e.c` |
            "#]],
        );
    }
}
