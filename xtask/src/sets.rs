//! Sets of tasks: CSV files with the columns `task`, `expected`, `data_model` and perhaps `property`, or directories
//! of fixtures.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;
use ravelin_base::DataModel;
use ravelin_testkit::fixture::{Fixture, fixtures};

use crate::property::{Expected, TaskProperty};

/// What a measurement runs, on the command line.
#[derive(Args, Debug)]
pub struct Chosen {
    /// The directory that the tasks' paths are relative to.
    #[arg(long)]
    pub tasks: PathBuf,
    /// A set: a CSV file with the columns task, expected verdict, data model. May be given often.
    #[arg(long = "set", required = true)]
    pub sets: Vec<PathBuf>,
    /// The verifier.
    #[arg(long, default_value = "target/release/ravelin")]
    pub ravelin: PathBuf,
}

/// A list of tasks with a name.
#[derive(Debug)]
pub struct TaskSet {
    /// The name of the file, without its extension.
    pub name: String,
    pub tasks: Vec<Task>,
}

/// A program, and what is known of it.
#[derive(Clone, Debug)]
pub struct Task {
    /// The file, relative to the directory of all tasks.
    pub path: String,
    pub property: TaskProperty,
    pub expected: Expected,
    pub data_model: DataModel,
    /// What is verified, if not the one file of that path.
    pub program: Option<Program>,
}

/// Files that are linked, and how they are compiled.
#[derive(Clone, Debug)]
pub struct Program {
    /// Directories that messages should not name.
    pub roots: Vec<PathBuf>,
    pub files: Vec<PathBuf>,
    /// Include paths and macros.
    pub arguments: Vec<String>,
}

/// Whether a program satisfies its property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    True,
    False,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Answer::True => "true",
            Answer::False => "false",
        })
    }
}

impl FromStr for Answer {
    type Err = String;

    fn from_str(text: &str) -> Result<Answer, String> {
        match text {
            "true" => Ok(Answer::True),
            "false" => Ok(Answer::False),
            other => Err(format!("'{other}' is neither 'true' nor 'false'")),
        }
    }
}

/// Reads a set. Errors name the file and the line.
pub fn read_set(path: &Path) -> Result<TaskSet, String> {
    let in_file = |message: String| format!("{}: {message}", path.display());
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_path(path)
        .map_err(|error| in_file(error.to_string()))?;
    let header = reader.headers().map_err(|error| in_file(error.to_string()))?.clone();
    let column = |name: &str| {
        let found = header.iter().position(|column| column == name);
        found.ok_or_else(|| in_file(format!("no column '{name}'")))
    };
    let (task, expected, data_model) =
        (column("task")?, column("expected")?, column("data_model")?);
    let property = header.iter().position(|column| column == "property");
    let mut tasks = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| in_file(error.to_string()))?;
        let line = record.position().map_or(0, csv::Position::line);
        let in_line = |message: String| in_file(format!("line {line}: {message}"));
        let property: TaskProperty =
            property.map_or("", |column| &record[column]).parse().map_err(in_line)?;
        let expected: Expected = record[expected].parse().map_err(in_line)?;
        if let Some(violated) = expected.violated.filter(|it| !property.parts().contains(*it)) {
            return Err(in_line(format!("{property} does not ask for {violated}")));
        }
        tasks.push(Task {
            path: record[task].to_owned(),
            property,
            expected,
            data_model: record[data_model]
                .parse()
                .map_err(|_| in_line(format!("no data model: '{}'", &record[data_model])))?,
            program: None,
        });
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(TaskSet { name, tasks })
}

/// The fixtures below a directory whose header lines say TRUE or FALSE, by their paths from where tasks are.
pub fn read_fixtures(path: &Path, tasks: &Path) -> Result<TaskSet, String> {
    let in_directory = |message: String| format!("{}: {message}", path.display());
    let found = fixtures(path).map_err(|error| in_directory(error.to_string()))?;
    let task = |fixture: Fixture| {
        let expected = match fixture.verdict.as_deref() {
            Some("TRUE") => Answer::True,
            Some("FALSE") => Answer::False,
            // A limitation that is known.
            Some(_) | None => return None,
        };
        let data_model = match fixture.options.as_slice() {
            [option, model] if option == "--data-model" => model.parse().ok()?,
            _ => DataModel::Lp64,
        };
        let short = fixture.path.strip_prefix(tasks).unwrap_or(&fixture.path);
        let short = short.to_string_lossy().into_owned();
        let mut files = vec![fixture.path];
        files.extend(fixture.parts);
        let program = Program { roots: vec![tasks.to_owned()], files, arguments: Vec::new() };
        Some(Task {
            path: short,
            property: TaskProperty::default(),
            expected: expected.into(),
            data_model,
            program: Some(program),
        })
    };
    let tasks: Vec<Task> = found.into_iter().filter_map(task).collect();
    if tasks.is_empty() {
        return Err(in_directory("no fixture says TRUE or FALSE in its header lines".to_owned()));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(TaskSet { name, tasks })
}

/// A part of the tasks that is the same every time: evenly spaced over the list, so that all its
/// families are met.
pub fn sample(tasks: &mut Vec<Task>, size: usize) {
    let all = tasks.len();
    if size >= all {
        return;
    }
    // Position i of the sample is position i * all / size of the list, rounded down.
    let mut taken = 0;
    let mut index = 0;
    tasks.retain(|_| {
        let wanted = taken < size && index == taken * all / size;
        taken += usize::from(wanted);
        index += 1;
        wanted
    });
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn read(text: &str) -> Result<TaskSet, String> {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("loops.csv");
        fs::write(&path, text).expect("a file");
        read_set(&path)
            .map_err(|message| message.replace(&directory.path().display().to_string(), "DIR"))
    }

    fn tasks(count: usize) -> Vec<Task> {
        let task = |index: usize| Task {
            path: index.to_string(),
            property: TaskProperty::default(),
            expected: Answer::True.into(),
            data_model: DataModel::Ilp32,
            program: None,
        };
        (0..count).map(task).collect()
    }

    #[test]
    fn columns_are_found_by_name() {
        let set = read("task,expected,data_model\n a.c , true,ILP32\n\nb.c,false,LP64\n");
        let set = set.expect("a set");
        assert_eq!(set.name, "loops");
        let paths: Vec<_> = set.tasks.iter().map(|task| task.path.as_str()).collect();
        assert_eq!(paths, ["a.c", "b.c"]);
        assert_eq!(set.tasks[1].expected, Answer::False.into());
        assert_eq!(set.tasks[1].data_model, DataModel::Lp64);
    }

    #[test]
    fn tasks_have_a_property_if_the_set_says() {
        let set = read(
            "task,expected,data_model,property\na.c,false(valid-free),LP64,valid-memsafety\n\
             b.c,false,LP64,no-overflow\nc.c,true,LP64,\n",
        );
        let describe = |task: &Task| format!("{} {}", task.property, task.expected);
        let shown: Vec<String> = set.expect("a set").tasks.iter().map(describe).collect();
        assert_eq!(
            shown,
            ["valid-memsafety false(valid-free)", "no-overflow false", "unreach-call true"]
        );
    }

    #[test]
    fn what_is_malformed_is_told_with_its_place() {
        for (text, message) in [
            ("task,data_model\n", "DIR/loops.csv: no column 'expected'"),
            (
                "task,expected,data_model\na.c,maybe,LP64\n",
                "DIR/loops.csv: line 2: 'maybe' is neither 'true' nor 'false'",
            ),
            (
                "task,expected,data_model\na.c,true,LLP64\n",
                "DIR/loops.csv: line 2: no data model: 'LLP64'",
            ),
        ] {
            assert_eq!(read(text).expect_err(text), message);
        }
        for (row, message) in [
            ("a.c,true,LP64,coverage", "DIR/loops.csv: line 2: 'coverage' is no property"),
            (
                "a.c,false(valid-free),LP64,no-overflow",
                "DIR/loops.csv: line 2: no-overflow does not ask for valid-free",
            ),
        ] {
            let text = format!("task,expected,data_model,property\n{row}\n");
            assert_eq!(read(&text).expect_err(row), message);
        }
        read("task,expected,data_model\na.c,true\n").expect_err("a column is missing");
    }

    #[test]
    fn fixtures_with_a_verdict_are_tasks() {
        let directory = tempfile::tempdir().expect("a directory");
        let write = |name: &str, text: &str| {
            fs::write(directory.path().join(name), text).expect("a file");
        };
        write("a.c", "// verdict: TRUE\n// options: --data-model ILP32\nint main(void) {}\n");
        write("a.part2.c", "int x;\n");
        write("b.c", "// verdict: FALSE\nint main(void) {}\n");
        write("c.c", "// verdict: UNKNOWN\nint main(void) {}\n");
        write("d.c", "// outcomes: 0\nint main(void) {}\n");
        let set = read_fixtures(directory.path(), directory.path()).expect("a set");
        let shown: Vec<String> = set
            .tasks
            .iter()
            .map(|Task { path, expected, data_model, program, .. }| {
                let files = program.as_ref().map_or(1, |program| program.files.len());
                format!("{path} {expected} {data_model} {files}")
            })
            .collect();
        assert_eq!(shown, ["a.c true ILP32 2", "b.c false LP64 1"]);
        let empty = tempfile::tempdir().expect("a directory");
        read_fixtures(empty.path(), empty.path()).expect_err("no fixture");
    }

    #[test]
    fn samples_are_spread_and_of_the_size_asked_for() {
        let spread = |count, size| {
            let mut tasks = tasks(count);
            sample(&mut tasks, size);
            tasks.iter().map(|task| task.path.clone()).collect::<Vec<_>>()
        };
        assert_eq!(spread(10, 4), ["0", "2", "5", "7"]);
        assert_eq!(spread(3, 3), ["0", "1", "2"]);
        assert_eq!(spread(3, 9), ["0", "1", "2"]);
        for size in 0..=139 {
            assert_eq!(spread(138, size).len(), size.min(138));
        }
    }
}
