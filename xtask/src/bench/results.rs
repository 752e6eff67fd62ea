//! Results as a CSV file that is of use at any moment: every row is on the disk when its task has
//! ended, and whoever reads the file back knows what is left to do.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::bench::outcome::{Allowance, Class, Outcome};
use crate::property::{Expected, TaskProperty};

/// What was run. There is one result for each.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub set: String,
    /// The options of the verifier, as they were given.
    pub config: String,
    pub task: String,
    pub property: TaskProperty,
}

impl Key {
    /// The task, with its property where it is not the reachability of errors.
    pub fn name(&self) -> String {
        match self.property == TaskProperty::default() {
            true => self.task.clone(),
            false => format!("{} {}", self.task, self.property),
        }
    }
}

/// One run of the verifier.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub key: Key,
    pub expected: Expected,
    pub outcome: Outcome,
    /// Processor time, in seconds.
    pub cpu: f64,
    /// Time on the clock, in seconds.
    pub wall: f64,
    pub peak_megabytes: f64,
    pub allowed: Allowance,
}

impl Row {
    pub fn class(&self) -> Class {
        self.outcome.class
    }

    /// A statistic of the verifier that is a number.
    pub fn stat(&self, name: &str) -> Option<f64> {
        self.outcome.stats.get(name)?.parse().ok().filter(|value: &f64| value.is_finite())
    }
}

/// The columns that every file has, in this order. The property follows, which older files do not have, and other
/// statistics with a prefix.
const COLUMNS: [&str; 15] = [
    "set",
    "task",
    "config",
    "expected",
    "verdict",
    "reason",
    "class",
    "cpu_seconds",
    "wall_seconds",
    "peak_mb",
    "states",
    "refinements",
    "solver_calls",
    "timeout_seconds",
    "memory_mb",
];

/// The statistics that have a column without the prefix.
const PLAIN_STATS: [&str; 3] = ["states", "refinements", "solver_calls"];

const PROPERTY_COLUMN: &str = "property";

const STAT_PREFIX: &str = "stat_";

/// Results, in the order of their keys, and the file they are in.
#[derive(Debug)]
pub struct Results {
    rows: BTreeMap<Key, Row>,
    /// The statistics that have a column with the prefix in the file.
    stats: BTreeSet<String>,
    file: Option<Appending>,
}

#[derive(Debug)]
struct Appending {
    path: PathBuf,
    file: File,
}

impl Results {
    /// No results, in no file.
    pub fn in_memory() -> Results {
        Results { rows: BTreeMap::new(), stats: BTreeSet::new(), file: None }
    }

    /// Reads what a file holds, or nothing if there is none.
    pub fn read(path: &Path) -> Result<Results, String> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        parse(&text).map_err(|message| format!("{}: {message}", path.display()))
    }

    /// Keeps these results in a file from now on, which they replace.
    pub fn keep_in(mut self, path: &Path) -> Result<Results, String> {
        self.write_anew(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(self)
    }

    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.values()
    }

    pub fn get(&self, key: &Key) -> Option<&Row> {
        self.rows.get(key)
    }

    /// Forgets a result; the file does so when it is next written as a whole.
    pub fn remove(&mut self, key: &Key) {
        self.rows.remove(key);
    }

    /// Adds a result; when this returns, the file has it.
    pub fn add(&mut self, row: Row) -> io::Result<()> {
        let is_new = |name: &&String| is_prefixed(name) && !self.stats.contains(*name);
        let news: Vec<String> = row.outcome.stats.keys().filter(is_new).cloned().collect();
        let line = to_line(&fields(&row, &self.stats))?;
        self.rows.insert(row.key.clone(), row);
        match &mut self.file {
            None => self.stats.extend(news),
            Some(appending) if news.is_empty() => {
                appending.file.write_all(&line)?;
                appending.file.flush()?;
            }
            Some(appending) => {
                // The header has to grow.
                let path = appending.path.clone();
                self.write_anew(&path)?;
            }
        }
        Ok(())
    }

    /// Puts the rows of the file in order, whatever the order in which they came.
    pub fn finish(&mut self) -> io::Result<()> {
        match &self.file {
            None => Ok(()),
            Some(appending) => {
                let path = appending.path.clone();
                self.write_anew(&path)
            }
        }
    }

    /// Writes all rows. At no moment is there a file with fewer rows than before.
    fn write_anew(&mut self, path: &Path) -> io::Result<()> {
        let names = self.rows.values().flat_map(|row| row.outcome.stats.keys());
        self.stats = names.filter(|name| is_prefixed(name)).cloned().collect();
        let prefixed = self.stats.iter().map(|name| format!("{STAT_PREFIX}{name}"));
        let header: Vec<String> = COLUMNS
            .iter()
            .chain(&[PROPERTY_COLUMN])
            .map(|&name| name.to_owned())
            .chain(prefixed)
            .collect();
        let mut text = to_line(&header)?;
        for row in self.rows.values() {
            text.extend(to_line(&fields(row, &self.stats))?);
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".new");
        let fresh = path.with_file_name(name);
        fs::write(&fresh, text)?;
        fs::rename(&fresh, path)?;
        let file = OpenOptions::new().append(true).open(path)?;
        self.file = Some(Appending { path: path.to_owned(), file });
        Ok(())
    }
}

fn is_prefixed(stat: &str) -> bool {
    !PLAIN_STATS.contains(&stat)
}

fn to_line<S: AsRef<[u8]>>(fields: &[S]) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(fields)?;
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

fn fields(row: &Row, stats: &BTreeSet<String>) -> Vec<String> {
    let Row { key, expected, outcome, cpu, wall, peak_megabytes, allowed } = row;
    let stat = |name: &str| outcome.stats.get(name).cloned().unwrap_or_default();
    let mut fields = vec![
        key.set.clone(),
        key.task.clone(),
        key.config.clone(),
        expected.to_string(),
        outcome.verdict.map_or_else(String::new, |verdict| verdict.to_string()),
        // A line break would make half a row look like a whole one.
        outcome.reason.replace(['\n', '\r'], " "),
        outcome.class.to_string(),
        format!("{cpu:.3}"),
        format!("{wall:.3}"),
        format!("{peak_megabytes:.1}"),
    ];
    fields.extend(PLAIN_STATS.map(stat));
    fields.extend([
        allowed.seconds.to_string(),
        allowed.megabytes.to_string(),
        key.property.to_string(),
    ]);
    fields.extend(stats.iter().map(|name| stat(name)));
    fields
}

fn parse(text: &str) -> Result<Results, String> {
    let mut results = Results::in_memory();
    // A row without an end was cut off when the machine stopped; its task has to run again.
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    if whole.is_empty() {
        return Ok(results);
    }
    let mut reader = csv::Reader::from_reader(whole.as_bytes());
    let header = reader.headers().map_err(|error| error.to_string())?.clone();
    if header.iter().take(COLUMNS.len()).ne(COLUMNS) {
        return Err("no results of 'cargo xtask bench': the columns are others".to_owned());
    }
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        let row =
            parse_row(&header, &record).map_err(|message| format!("line {line}: {message}"))?;
        let names = row.outcome.stats.keys();
        results.stats.extend(names.filter(|name| is_prefixed(name)).cloned());
        results.rows.insert(row.key.clone(), row);
    }
    Ok(results)
}

fn parse_row(header: &csv::StringRecord, record: &csv::StringRecord) -> Result<Row, String> {
    let cells: BTreeMap<&str, &str> = header.iter().zip(record).collect();
    let cell = |name: &str| cells.get(name).copied().unwrap_or_default();
    let stat_name = |column: &str| {
        let plain = PLAIN_STATS.contains(&column).then_some(column);
        plain.or(column.strip_prefix(STAT_PREFIX)).map(str::to_owned)
    };
    let stats = cells
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .filter_map(|(column, value)| Some((stat_name(column)?, (*value).to_owned())));
    let verdict = cell("verdict");
    Ok(Row {
        key: Key {
            set: cell("set").to_owned(),
            config: cell("config").to_owned(),
            task: cell("task").to_owned(),
            property: cell(PROPERTY_COLUMN).parse()?,
        },
        expected: cell("expected").parse()?,
        outcome: Outcome {
            verdict: if verdict.is_empty() { None } else { Some(verdict.parse()?) },
            reason: cell("reason").to_owned(),
            class: cell("class").parse()?,
            stats: stats.collect(),
        },
        cpu: number(cell("cpu_seconds"))?,
        wall: number(cell("wall_seconds"))?,
        peak_megabytes: number(cell("peak_mb"))?,
        allowed: Allowance {
            seconds: number(cell("timeout_seconds"))?,
            megabytes: number(cell("memory_mb"))?,
        },
    })
}

fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("'{text}' is no number"))
}

#[cfg(test)]
pub mod tests {
    use expect_test::expect;

    use super::*;
    use crate::bench::outcome::Verdict;
    use crate::sets::Answer;

    /// A row of a table like those that the verifier's runs give. The class says what the verdict
    /// and the expectation were.
    pub fn row(set: &str, task: &str, config: &str, class: Class, cpu: f64) -> Row {
        use Answer::{False, True};
        let (verdict, expected) = match class {
            Class::CorrectTrue => (Some(Verdict::Answer(True)), True),
            Class::CorrectFalse => (Some(Verdict::Answer(False)), False),
            Class::WrongTrue => (Some(Verdict::Answer(True)), False),
            Class::WrongFalse => (Some(Verdict::Answer(False)), True),
            Class::Unknown => (Some(Verdict::Unknown), True),
            Class::Timeout | Class::OutOfMemory | Class::Error => (None, True),
        };
        Row {
            key: Key {
                set: set.to_owned(),
                config: config.to_owned(),
                task: task.to_owned(),
                property: TaskProperty::default(),
            },
            expected: expected.into(),
            outcome: Outcome { verdict, reason: String::new(), class, stats: BTreeMap::new() },
            cpu,
            wall: cpu + 0.1,
            peak_megabytes: 20.0,
            allowed: Allowance { seconds: 60.0, megabytes: 4096 },
        }
    }

    pub fn with_stats(mut row: Row, stats: &[(&str, &str)]) -> Row {
        let pairs = stats.iter().map(|&(name, value)| (name.to_owned(), value.to_owned()));
        row.outcome.stats.extend(pairs);
        row
    }

    pub fn with_reason(mut row: Row, reason: &str) -> Row {
        row.outcome.reason = reason.to_owned();
        row
    }

    fn in_file(rows: &[Row]) -> (tempfile::TempDir, PathBuf, Results) {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("out.csv");
        let mut results = Results::in_memory().keep_in(&path).expect("a file");
        for row in rows {
            results.add(row.clone()).expect("the file can be written");
        }
        (directory, path, results)
    }

    fn samples() -> [Row; 3] {
        [
            with_stats(row("loops", "b.c", "-x", Class::CorrectTrue, 1.5), &[("states", "7")]),
            with_stats(
                with_reason(row("loops", "a,\"1\".c", "", Class::Unknown, 0.25), "no, \"why\"?"),
                &[("time_refinement", "0.2"), ("solver_calls", "3")],
            ),
            with_stats(row("bits", "c.c", "", Class::Timeout, 60.0), &[("arg_nodes", "9")]),
        ]
    }

    #[test]
    fn rows_are_in_the_file_at_once_and_in_order_at_the_end() {
        let (_directory, path, mut results) = in_file(&samples()[..2]);
        expect![[r#"
            set,task,config,expected,verdict,reason,class,cpu_seconds,wall_seconds,peak_mb,states,refinements,solver_calls,timeout_seconds,memory_mb,property,stat_time_refinement
            loops,"a,""1"".c",,true,UNKNOWN,"no, ""why""?",unknown,0.250,0.350,20.0,,,3,60,4096,unreach-call,0.2
            loops,b.c,-x,true,TRUE,,correct-true,1.500,1.600,20.0,7,,,60,4096,unreach-call,
        "#]]
        .assert_eq(&fs::read_to_string(&path).expect("a file"));
        results.add(row("bits", "d.c", "", Class::Error, 0.0)).expect("written");
        assert!(fs::read_to_string(&path).expect("a file").ends_with("60,4096,unreach-call,\n"));
        results.add(samples()[2].clone()).expect("written");
        results.finish().expect("written");
        expect![[r#"
            set,task,config,expected,verdict,reason,class,cpu_seconds,wall_seconds,peak_mb,states,refinements,solver_calls,timeout_seconds,memory_mb,property,stat_arg_nodes,stat_time_refinement
            bits,c.c,,true,,,timeout,60.000,60.100,20.0,,,,60,4096,unreach-call,9,
            bits,d.c,,true,,,error,0.000,0.100,20.0,,,,60,4096,unreach-call,,
            loops,"a,""1"".c",,true,UNKNOWN,"no, ""why""?",unknown,0.250,0.350,20.0,,,3,60,4096,unreach-call,,0.2
            loops,b.c,-x,true,TRUE,,correct-true,1.500,1.600,20.0,7,,,60,4096,unreach-call,,
        "#]]
        .assert_eq(&fs::read_to_string(&path).expect("a file"));
    }

    #[test]
    fn files_are_read_back() {
        let (_directory, path, results) = in_file(&samples());
        let read = Results::read(&path).expect("the file is whole");
        assert!(read.rows().eq(results.rows()));
        assert_eq!(read.stats, results.stats);
    }

    #[test]
    fn a_row_that_was_cut_off_is_dropped() {
        let (_directory, path, _) = in_file(&samples());
        let text = fs::read_to_string(&path).expect("a file");
        for missing in 1..20 {
            fs::write(&path, &text[..text.len() - missing]).expect("a file");
            assert_eq!(Results::read(&path).expect("the rest is whole").rows().count(), 2);
        }
    }

    #[test]
    fn foreign_files_are_refused() {
        let (_directory, path, _) = in_file(&[]);
        for text in ["task,expected,data_model\na.c,true,LP64\n", "# Notes\n"] {
            fs::write(&path, text).expect("a file");
            Results::read(&path).expect_err(text);
        }
    }
}
