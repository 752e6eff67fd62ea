//! The page: tables of all series, and how fast they grow.

use std::fmt::Write as _;

use crate::bench::markdown::{self, Table};
use crate::bench::outcome::Allowance;
use crate::bench::plot::Panel;
use crate::bench::results::Row;
use crate::growth::families::{Axis, Configuration, Engine, FAMILIES, Family, Member};

/// A family along an axis under one configuration.
#[derive(Debug)]
pub struct Series<'a> {
    pub family: &'a Family,
    pub axis: Axis,
    pub configuration: &'a Configuration,
    /// The members that were run, the smallest first. None but the last may be unsolved.
    pub points: Vec<(Member, Row)>,
}

/// All that was measured. No verdict in it is wrong.
#[derive(Debug)]
pub struct Study<'a> {
    /// The command that repeats the measurement.
    pub command: String,
    pub allowed: Allowance,
    pub configurations: Vec<&'a Configuration>,
    /// What the verifier does not know.
    pub rejected: Vec<&'a Configuration>,
    pub series: Vec<Series<'a>>,
}

/// Where what is written by hand ends.
const FIRST_HEADING: &str = "## Wrong verdicts";

const TITLE: &str = "# How cost grows\n\n";

/// Times and states below are drawn as these.
const LEAST_SECONDS: f64 = 0.01;
const LEAST_STATES: f64 = 10.0;

pub fn plot_name(family: &Family, axis: Axis) -> String {
    format!("growth-{}-{}.svg", family.name, axis.name())
}

/// What a solved member cost.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cost {
    size: u32,
    states: f64,
    seconds: f64,
}

impl Series<'_> {
    /// The members that the engine of this configuration solved.
    fn costs(&self) -> Vec<Cost> {
        let cost = |(member, row): &(Member, Row)| {
            let states = states(row, self.configuration.engine)?;
            Some(Cost { size: member.size(self.axis), states, seconds: row.cpu })
        };
        self.points.iter().filter_map(cost).collect()
    }

    fn cell(&self, size: u32) -> String {
        let point = self.points.iter().find(|(member, _)| member.size(self.axis) == size);
        let Some((_, row)) = point else { return String::new() };
        if !row.class().is_correct() {
            return row.class().to_string();
        }
        match states(row, self.configuration.engine) {
            Some(states) => format!("{states} / {:.2}", row.cpu),
            None => format!("– / {:.2}", row.cpu),
        }
    }
}

/// The states of a solved member; nothing if the answer is that of another engine.
fn states(row: &Row, engine: Engine) -> Option<f64> {
    let explored = row.stat("explored");
    let states = match engine {
        Engine::Explorer => explored,
        Engine::Analysis => row.stat("states").filter(|_| explored.is_none()),
    };
    states.filter(|_| row.class().is_correct())
}

impl<'a> Study<'a> {
    fn along(&self, family: &Family, axis: Axis) -> Vec<&Series<'a>> {
        let is_there =
            |series: &&Series<'a>| series.family.name == family.name && series.axis == axis;
        self.series.iter().filter(is_there).collect()
    }

    /// States and time of a family along an axis, a line for each configuration.
    pub fn panels(&self, family: &Family, axis: Axis) -> [Panel<'static>; 2] {
        let lines = |of: &dyn Fn(&Cost) -> f64| {
            let line = |series: &&Series<'a>| {
                series.costs().iter().map(|cost| (cost.size, of(cost))).collect()
            };
            self.along(family, axis).iter().map(line).collect()
        };
        [
            Panel { y: "states", least: LEAST_STATES, lines: lines(&|cost| cost.states) },
            Panel { y: "CPU seconds", least: LEAST_SECONDS, lines: lines(&|cost| cost.seconds) },
        ]
    }

    /// The page in Markdown; `before` is the page that it replaces, whose introduction it keeps.
    pub fn render(&self, before: &str) -> String {
        let introduction =
            before.find(FIRST_HEADING).map_or(TITLE, |first_heading| &before[..first_heading]);
        let mut text = format!("{introduction}{FIRST_HEADING}: none\n\n## Measurement\n\n");
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            text,
            "One process per program, with {}.\nA series ends at the first program that is not \
             solved, or at the largest program that there is.\n\n```\n{}\n```\n\n",
            self.allowed, self.command
        );
        let mut table = Table::new(&["configuration", "options"]);
        for configuration in &self.configurations {
            table.row([configuration.name(), markdown::code(&configuration.options())]);
        }
        text += &table.finish();
        text += "\nA member of a family is chosen by `-D THREADS=N -D ROUNDS=N`. The explorer always \
                 works beside an analysis;\nwith these options, that gives up at once. States of \
                 the explorer are those that it stored, states of the\nanalysis those that it made, \
                 over all refinements.\n";
        for configuration in &self.rejected {
            let options = markdown::code(&configuration.options());
            let _ = write!(text, "\nNot measured, because the verifier rejects it: {options}.\n");
        }
        text += "\n## Growth\n\n";
        text += &self.growth();
        text += "\nThe largest programs that were solved, and how fast the number of states grows at \
                 the end of the series: by which\nfactor for one more thread, and with which power \
                 of the number of rounds.\n";
        for family in &FAMILIES {
            let _ = write!(text, "\n## {}\n\n{}\n", family.name, family.about);
            for axis in Axis::ALL {
                text += &self.section(family, axis);
            }
        }
        text
    }

    fn growth(&self) -> String {
        let mut table = Table::new(&[
            "family",
            "configuration",
            "#threads",
            "#states",
            "#CPU seconds",
            "#factor per thread",
            "#rounds",
            "#states",
            "#CPU seconds",
            "#power of rounds",
        ]);
        for family in &FAMILIES {
            let of_axes = Axis::ALL.map(|axis| self.along(family, axis));
            for (index, configuration) in self.configurations.iter().enumerate() {
                let mut cells = vec![family.name.to_owned(), configuration.name()];
                for (axis, series) in Axis::ALL.into_iter().zip(&of_axes) {
                    let costs = series.get(index).map(|series| series.costs()).unwrap_or_default();
                    cells.extend(largest(axis, &costs));
                }
                table.row(cells);
            }
        }
        table.finish()
    }

    fn section(&self, family: &Family, axis: Axis) -> String {
        let fixed = match axis {
            Axis::Threads => format!("{} for each thread", count(family.rounds, "round")),
            Axis::Rounds => count(family.threads, "thread"),
        };
        let mut text = format!(
            "\n### Against the number of {name}, with {fixed}\n\n\
             ![states and time against the number of {name}]({plot})\n\n",
            name = axis.name(),
            plot = plot_name(family, axis),
        );
        let series = self.along(family, axis);
        let mut columns = vec![format!("#{}", axis.name())];
        columns.extend(series.iter().map(|series| format!("#{}", series.configuration.name())));
        let mut table = Table::new(&columns.iter().map(String::as_str).collect::<Vec<_>>());
        for member in family.series(axis) {
            let size = member.size(axis);
            let cells: Vec<String> = series.iter().map(|series| series.cell(size)).collect();
            if cells.iter().any(|cell| !cell.is_empty()) {
                table.row([size.to_string()].into_iter().chain(cells));
            }
        }
        text += &table.finish();
        text += "\nStates and seconds of processor time.\n";
        text
    }
}

fn count(number: u32, what: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {what}{ending}")
}

/// The largest solved member, what it cost, and how fast states grow there.
fn largest(axis: Axis, costs: &[Cost]) -> [String; 4] {
    let dash = || "–".to_owned();
    let Some(last) = costs.last() else { return [dash(), dash(), dash(), dash()] };
    let rate = costs.len().checked_sub(2).map(|index| &costs[index]).and_then(|previous| {
        let (states, sizes) = (last.states / previous.states, [last.size, previous.size]);
        let rate = match axis {
            // Series of threads have no gaps.
            Axis::Threads => states,
            Axis::Rounds => states.ln() / (f64::from(sizes[0]) / f64::from(sizes[1])).ln(),
        };
        rate.is_finite().then(|| format!("{rate:.1}"))
    });
    [
        last.size.to_string(),
        last.states.to_string(),
        format!("{:.2}", last.seconds),
        rate.unwrap_or_else(dash),
    ]
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::bench::outcome::Class;
    use crate::bench::results::tests::row;
    use crate::growth::families::CONFIGURATIONS;

    /// The results of one family, of threads only: the explorer solves two members and the analysis
    /// none, except that one was the other's answer.
    fn study() -> Study<'static> {
        let [explorer, analysis] = [&CONFIGURATIONS[0], &CONFIGURATIONS[3]];
        let family = &FAMILIES[0];
        let member = |threads| Member { threads, rounds: family.rounds };
        let point = |threads: u32, class, stat: &str, value: u32| {
            let mut row = row(family.name, "", "", class, f64::from(value) / 100.0);
            row.outcome.stats.insert(stat.to_owned(), value.to_string());
            (member(threads), row)
        };
        let series =
            |configuration, points| Series { family, axis: Axis::Threads, configuration, points };
        Study {
            command: "the command".to_owned(),
            allowed: Allowance { seconds: 20.0, megabytes: 4096 },
            configurations: vec![explorer, analysis],
            rejected: vec![&CONFIGURATIONS[2]],
            series: vec![
                series(
                    explorer,
                    vec![
                        point(2, Class::CorrectTrue, "explored", 50),
                        point(3, Class::CorrectTrue, "explored", 200),
                        point(4, Class::CorrectTrue, "states", 7),
                        point(5, Class::Timeout, "states", 7),
                    ],
                ),
                series(analysis, vec![point(2, Class::OutOfMemory, "states", 7)]),
            ],
        }
    }

    #[test]
    fn tables_of_a_study() {
        let text = study().render("");
        let from = text.find("## locked-counter").expect("a section");
        let to = text.find("### Against the number of rounds").expect("a section");
        expect![[r#"
            ## locked-counter

            The threads add to one counter under one mutex; the sum is known.

            ### Against the number of threads, with 1 round for each thread

            ![states and time against the number of threads](growth-locked-counter-threads.svg)

            | threads | explorer, none | analysis, none |
            | ---: | ---: | ---: |
            | 2 | 50 / 0.50 | out-of-memory |
            | 3 | 200 / 2.00 |  |
            | 4 | – / 0.07 |  |
            | 5 | timeout |  |

            States and seconds of processor time.

        "#]]
        .assert_eq(&text[from..to]);
        let growth: Vec<&str> =
            text.lines().filter(|line| line.starts_with("| locked-counter")).collect();
        expect![[r#"
            | locked-counter | explorer, none | 3 | 200 | 2.00 | 4.0 | – | – | – | – |
            | locked-counter | analysis, none | – | – | – | – | – | – | – | – |"#]]
        .assert_eq(&growth.join("\n"));
        assert!(text.contains("rejects it: `--domain explicit") && text.contains("the command"));
    }

    #[test]
    fn what_is_written_by_hand_is_kept() {
        let first = study().render("");
        assert!(first.starts_with("# How cost grows\n\n## Wrong verdicts: none\n"));
        let edited = first.replacen("\n\n", "\n\nSeen by eye.\n\n", 1);
        assert_eq!(study().render(&edited), edited);
    }

    #[test]
    fn only_answers_of_the_engine_are_drawn() {
        let [states, seconds] = study().panels(&FAMILIES[0], Axis::Threads);
        assert_eq!(states.lines, [vec![(2, 50.0), (3, 200.0)], vec![]]);
        assert_eq!(seconds.lines, [vec![(2, 0.5), (3, 2.0)], vec![]]);
    }

    #[test]
    fn rates_of_growth() {
        let cost = |size, states| Cost { size, states, seconds: 1.0 };
        let rate = |axis, costs: &[Cost]| largest(axis, costs)[3].clone();
        let costs = [cost(2, 10.0), cost(4, 20.0), cost(8, 160.0)];
        assert_eq!(rate(Axis::Threads, &costs), "8.0");
        assert_eq!(rate(Axis::Rounds, &costs), "3.0");
        assert_eq!(rate(Axis::Rounds, &costs[..1]), "–");
        assert_eq!(rate(Axis::Threads, &[cost(2, 0.0), cost(3, 5.0)]), "–");
    }
}
