//! `cargo xtask published`: results of `cargo xtask bench` beside those that others published for the same tasks.
//!
//! Published are tables of BenchExec: XML files with a run for each task, which names the task's definition, and the columns
//! `status` and `category` in it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::bench::markdown::Table;
use crate::bench::outcome::Class;
use crate::bench::results::Results;

/// Compare results with those that others published for the same tasks
#[derive(Args, Debug)]
pub struct Options {
    /// The results of 'cargo xtask bench'
    #[arg(long, value_name = "RESULTS.csv")]
    results: PathBuf,
    /// A directory of BenchExec's tables, one XML file for each verifier; its name begins with that of the verifier
    #[arg(long, value_name = "DIR")]
    published: PathBuf,
    /// The verifiers that have a column of their own
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    tools: Vec<String>,
    /// Where to write the tables; standard output if not given
    #[arg(short, long, value_name = "OUT.md")]
    output: Option<PathBuf>,
}

/// The tasks that each verifier answered, by its name, and whether rightly.
type Published = BTreeMap<String, BTreeMap<String, bool>>;

/// A task of Ravelin's results.
struct Solved {
    stem: String,
    family: String,
    holds: bool,
    class: Class,
    /// Nothing was left to engines.
    is_static: bool,
    seconds: f64,
}

pub fn run(options: &Options) -> ExitCode {
    match tables(options) {
        Ok(text) => match &options.output {
            Some(path) => match fs::write(path, text) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => failed(&format!("{}: {error}", path.display())),
            },
            None => {
                print!("{text}");
                ExitCode::SUCCESS
            }
        },
        Err(message) => failed(&message),
    }
}

fn failed(message: &str) -> ExitCode {
    eprintln!("xtask: {message}");
    ExitCode::from(2)
}

fn tables(options: &Options) -> Result<String, String> {
    let published = read_published(&options.published)?;
    for tool in &options.tools {
        if !published.contains_key(tool) {
            let known: Vec<&str> = published.keys().map(String::as_str).collect();
            return Err(format!("no table of '{tool}'; there are {}", known.join(", ")));
        }
    }
    let solved = read_results(&options.results)?;
    let mut text = summary(&solved, &published);
    text += &by_family(&solved, &published, &options.tools);
    Ok(text)
}

fn read_results(path: &Path) -> Result<Vec<Solved>, String> {
    let results = Results::read(path)?;
    let mut solved: Vec<Solved> = results
        .rows()
        .map(|row| {
            let stem = stem(&row.key.task);
            Solved {
                family: family(&stem),
                stem,
                holds: row.expected.to_string() == "true",
                class: row.class(),
                is_static: row.stat("race_candidates") == Some(0.0),
                seconds: row.wall,
            }
        })
        .collect();
    // Families of few tasks say nothing by themselves.
    const FEW: usize = 5;
    let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
    solved.iter().for_each(|task| *sizes.entry(task.family.clone()).or_default() += 1);
    for task in &mut solved {
        if sizes[&task.family] < FEW {
            "others".clone_into(&mut task.family);
        }
    }
    Ok(solved)
}

/// The name of a task without directories and its last extension.
fn stem(task: &str) -> String {
    let file = task.rsplit('/').next().unwrap_or(task);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned()
}

/// What tasks of one origin have in common: the letters at the front of the name; those with a number there come from
/// regression suites.
fn family(stem: &str) -> String {
    let letters: String = stem.chars().take_while(char::is_ascii_alphabetic).collect();
    if letters.is_empty() { "NN-…, NN_…".to_owned() } else { letters }
}

fn read_published(directory: &Path) -> Result<Published, String> {
    let of = |error: std::io::Error| format!("{}: {error}", directory.display());
    let mut published = Published::new();
    for entry in fs::read_dir(directory).map_err(of)? {
        let path = entry.map_err(of)?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let Some(name) = name.filter(|name| name.ends_with(".xml")) else { continue };
        let tool = name.split('.').next().unwrap_or_default().to_owned();
        let text = fs::read_to_string(&path).map_err(of)?;
        let answers = answers(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        published.entry(tool).or_default().extend(answers);
    }
    match published.is_empty() {
        true => Err(format!("{}: no tables", directory.display())),
        false => Ok(published),
    }
}

/// The answered tasks of a table. Right answers whose witness was not confirmed count as right.
fn answers(text: &str) -> Result<BTreeMap<String, bool>, String> {
    let mut reader = Reader::from_str(text);
    let (mut found, mut task) = (BTreeMap::new(), None);
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(element) if element.name().as_ref() == b"run" => {
                task = attribute(&element, b"name")?.map(|name| stem(&name));
            }
            Event::Empty(element) | Event::Start(element)
                if element.name().as_ref() == b"column" =>
            {
                let is_category = attribute(&element, b"title")?.as_deref() == Some("category");
                let value = attribute(&element, b"value")?.filter(|_| is_category);
                if let Some((task, value)) = task.as_ref().zip(value) {
                    match value.as_str() {
                        "wrong" => {
                            found.insert(task.clone(), false);
                        }
                        _ if value.starts_with("correct") => {
                            found.insert(task.clone(), true);
                        }
                        _ => {}
                    }
                }
            }
            Event::End(element) if element.name().as_ref() == b"run" => task = None,
            Event::Eof => return Ok(found),
            _ => {}
        }
    }
}

fn attribute(element: &BytesStart<'_>, name: &[u8]) -> Result<Option<String>, String> {
    let found = element.try_get_attribute(name).map_err(|error| error.to_string())?;
    let text = found.map(|found| String::from_utf8_lossy(&found.value).into_owned());
    Ok(text)
}

fn is_right(class: Class) -> bool {
    matches!(class, Class::CorrectTrue | Class::CorrectFalse)
}

fn is_wrong(class: Class) -> bool {
    matches!(class, Class::WrongTrue | Class::WrongFalse)
}

fn summary(solved: &[Solved], published: &Published) -> String {
    let count = |keep: &dyn Fn(&Solved) -> bool| solved.iter().filter(|task| keep(task)).count();
    let wrong: Vec<&str> =
        solved.iter().filter(|task| is_wrong(task.class)).map(|task| &*task.stem).collect();
    let mut text = String::from("## Other than the label\n\n");
    // Writing to a string cannot fail, here and below.
    match wrong.as_slice() {
        [] => text += "None.\n",
        tasks => tasks.iter().for_each(|task| {
            let _ = writeln!(text, "- `{task}`");
        }),
    }
    let (trues, falses) = (count(&|it| it.holds), count(&|it| !it.holds));
    let _ = write!(
        text,
        "\n## Answers\n\nOf {} tasks {} are solved: {} of {trues} without a race and {} of {falses} with one.\n",
        solved.len(),
        count(&|it| is_right(it.class)),
        count(&|it| it.class == Class::CorrectTrue),
        count(&|it| it.class == Class::CorrectFalse),
    );
    let mut times: Vec<f64> = solved
        .iter()
        .filter(|it| it.class == Class::CorrectTrue && it.is_static)
        .map(|it| it.seconds)
        .collect();
    times.sort_by(f64::total_cmp);
    if let (Some(median), Some(most)) = (times.get(times.len() / 2), times.last()) {
        let _ = writeln!(
            text,
            "The static stage alone proves {}: in {median:.2} s (median), in {most:.2} s at most.",
            times.len()
        );
    }
    let solved_by_others: BTreeSet<&String> = published
        .values()
        .flat_map(|answers| answers.iter().filter(|(_, right)| **right).map(|(task, _)| task))
        .collect();
    let alone: Vec<&str> = solved
        .iter()
        .filter(|it| is_right(it.class) && !solved_by_others.contains(&it.stem))
        .map(|it| &*it.stem)
        .collect();
    let _ = writeln!(text, "Solved here and by none of the others: {}.", alone.len());
    if !alone.is_empty() {
        let _ = writeln!(text, "They are {}.", alone.join(", "));
    }
    text
}

fn by_family(solved: &[Solved], published: &Published, tools: &[String]) -> String {
    let mut columns = vec!["family", "#tasks", "#Ravelin", "#wrong"];
    let names: Vec<String> = tools.iter().map(|tool| format!("#{tool}")).collect();
    columns.extend(names.iter().map(String::as_str));
    let mut table = Table::new(&columns);
    let families: BTreeSet<&str> = solved.iter().map(|task| &*task.family).collect();
    let row = |name: &str, tasks: &[&Solved]| {
        let count = |keep: &dyn Fn(&Solved) -> bool| {
            tasks.iter().filter(|task| keep(task)).count().to_string()
        };
        let mut cells = vec![
            name.to_owned(),
            tasks.len().to_string(),
            count(&|it| is_right(it.class)),
            count(&|it| is_wrong(it.class)),
        ];
        for tool in tools {
            let answers = &published[tool];
            let right = count(&|it| answers.get(&it.stem) == Some(&true));
            let wrong = tasks.iter().filter(|it| answers.get(&it.stem) == Some(&false)).count();
            cells.push(if wrong > 0 { format!("{right} ({wrong} wrong)") } else { right });
        }
        cells
    };
    for family in families {
        let tasks: Vec<&Solved> = solved.iter().filter(|task| task.family == family).collect();
        table.row(row(family, &tasks));
    }
    table.row(row("all", &solved.iter().collect::<Vec<_>>()));
    format!("\n## By family, beside published results\n\n{}", table.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_a_table_are_read() {
        let text = r#"<result tool="T">
            <run name="../c/a/one.wvr.yml"><column title="status" value="true"/><column title="category" value="correct"/></run>
            <run name="../c/a/two.yml"><column title="category" value="wrong"/></run>
            <run name="../c/a/three.yml"><column title="category" value="error"/></run>
            <run name="../c/a/four.yml"><column title="category" value="correct-unconfirmed"/></run>
        </result>"#;
        let expected = [("one.wvr", true), ("two", false), ("four", true)];
        let expected = expected.map(|(task, right)| (task.to_owned(), right));
        assert_eq!(answers(text), Ok(BTreeMap::from(expected)));
    }

    #[test]
    fn families_are_what_names_begin_with() {
        assert_eq!(family(&stem("tests/x/mix005_power.oepc.i")), "mix");
        assert_eq!(family(&stem("28-race_reach.i")), family("01_inc"));
        assert_eq!(stem("a/popl20-x.wvr.c"), "popl20-x.wvr");
    }
}
