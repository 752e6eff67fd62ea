//! The programs that the arguments name: files, directories, patterns, and task definitions of
//! SV-COMP.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ravelin_base::DataModel;
use serde::Deserialize;
use serde_yaml_ng::Value;

use ravelin_verifier::Asked;
use ravelin_verifier::property::parse_property_file;

use crate::args::{VerifyArgs, is_definition};

/// A program to verify.
#[derive(Clone, Debug, Default)]
pub struct Task {
    /// Its name: the file, or the task definition.
    pub name: String,
    pub files: Vec<PathBuf>,
    /// The settings of its definition, if the command line has none.
    pub data_model: Option<DataModel>,
    pub property: Option<PathBuf>,
    /// The verdict that its definition expects.
    pub expected: Option<bool>,
    /// Why it cannot be verified.
    pub rejected: Option<String>,
}

impl Task {
    fn rejected(name: &Path, why: String) -> Task {
        Task { name: name.display().to_string(), rejected: Some(why), ..Task::default() }
    }
}

/// The settings of the command line, which take precedence over definitions.
#[derive(Clone, Copy, Debug, Default)]
struct Given {
    data_model: Option<DataModel>,
    has_property: bool,
}

/// Whether an argument is more than a file of a program.
pub fn is_many(file: &Path) -> bool {
    is_directory(file) || is_definition(file) || is_pattern(file)
}

/// A directory whose name does not look like a C file.
fn is_directory(file: &Path) -> bool {
    file.is_dir() && !is_c(file)
}

fn is_c(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "c" || extension == "i")
}

/// A name with wildcards that is not the name of a file.
fn is_pattern(file: &Path) -> bool {
    !file.exists() && file.to_string_lossy().contains(['*', '?', '['])
}

/// The programs that the arguments name, those of a directory sorted by name.
pub fn tasks_of(args: &VerifyArgs) -> Result<Vec<Task>, String> {
    let given =
        Given { data_model: args.input.asked_data_model, has_property: !args.asks_default() };
    find(&args.input.files, given)
}

fn find(arguments: &[PathBuf], given: Given) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    for argument in arguments {
        if is_directory(argument) {
            tasks.extend(in_directory(argument, given)?);
        } else if is_definition(argument) {
            tasks.push(match read_definition(argument) {
                Read::Task(definition) => definition.task(argument, given),
                Read::Malformed(why) | Read::Other(why) => Task::rejected(argument, why),
            });
        } else if is_pattern(argument) {
            let matching = matching(&argument.to_string_lossy())?;
            if matching.is_empty() {
                crate::log(&format!("ravelin: nothing matches '{}'\n", argument.display()));
            }
            tasks.extend(find(&matching, given)?);
        } else {
            tasks.push(program(argument));
        }
    }
    Ok(tasks)
}

fn matching(pattern: &str) -> Result<Vec<PathBuf>, String> {
    let paths = glob::glob(pattern).map_err(|error| format!("'{pattern}': {error}"))?;
    Ok(paths.flatten().collect())
}

fn program(file: &Path) -> Task {
    Task { name: file.display().to_string(), files: vec![file.to_owned()], ..Task::default() }
}

/// The task definitions in a directory, and the C files that none of them names.
fn in_directory(directory: &Path, given: Given) -> Result<Vec<Task>, String> {
    let (mut tasks, mut programs) = (Vec::new(), Vec::new());
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        let cannot = |error| format!("cannot read '{}': {error}", directory.display());
        for entry in fs::read_dir(&directory).map_err(cannot)?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                // A link may lead back, or to a file that is also found under its own name.
                if !path.is_symlink() {
                    pending.push(path);
                }
            } else if is_definition(&path) {
                match read_definition(&path) {
                    Read::Task(definition) => tasks.push(definition.task(&path, given)),
                    Read::Malformed(why) => tasks.push(Task::rejected(&path, why)),
                    // Not every YAML file is a task.
                    Read::Other(_) => {}
                }
            } else if is_c(&path) {
                programs.push(path);
            }
        }
    }
    let named = tasks.iter().flat_map(|task| &task.files);
    let named: BTreeSet<PathBuf> = named.filter_map(|file| file.canonicalize().ok()).collect();
    programs.retain(|file| file.canonicalize().ok().is_none_or(|file| !named.contains(&file)));
    tasks.extend(programs.iter().map(|file| program(file)));
    tasks.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(tasks)
}

/// The part of a task definition that is read.
#[derive(Debug, Deserialize)]
struct Definition {
    input_files: OneOrMany,
    #[serde(default)]
    properties: Vec<PropertyPart>,
    #[serde(default)]
    options: Options,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Debug, Deserialize)]
struct PropertyPart {
    property_file: String,
    expected_verdict: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
struct Options {
    data_model: Option<String>,
}

/// The kind of a YAML file.
enum Read {
    Task(Definition),
    /// A task, except for this problem.
    Malformed(String),
    /// Not a task, for this reason.
    Other(String),
}

fn read_definition(path: &Path) -> Read {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) => return Read::Malformed(error.to_string()),
    };
    let value: Value = match serde_yaml_ng::from_str(&text) {
        Ok(value) => value,
        Err(error) => return Read::Other(error.to_string()),
    };
    if value.get("input_files").is_none() {
        return Read::Other("no task definition: 'input_files' is missing".to_owned());
    }
    // From the text, to have positions.
    match serde_yaml_ng::from_str(&text) {
        Ok(definition) => Read::Task(definition),
        Err(error) => Read::Malformed(error.to_string()),
    }
}

impl Definition {
    fn task(&self, path: &Path, given: Given) -> Task {
        let directory = path.parent().unwrap_or(Path::new(""));
        let mut rejected = None;
        let chosen = match self.property(directory) {
            Ok(chosen) => chosen,
            Err(why) => {
                rejected = Some(why).filter(|_| !given.has_property);
                None
            }
        };
        let named = match &self.options.data_model {
            None => None,
            Some(name) => match name.parse::<DataModel>() {
                Ok(model) => Some(model),
                Err(why) => {
                    let why = format!("options.data_model: {why}");
                    rejected = rejected.or(Some(why)).filter(|_| given.data_model.is_none());
                    None
                }
            },
        };
        // The expected verdict holds for one data model.
        let is_same = given.data_model.is_none_or(|model| named.is_none_or(|it| it == model));
        let (property, expected) = chosen.unzip();
        Task {
            name: path.display().to_string(),
            files: self.files(directory),
            data_model: named.filter(|_| given.data_model.is_none()),
            property: property.filter(|_| !given.has_property),
            expected: expected.flatten().filter(|_| is_same),
            rejected,
        }
    }

    /// The files, of which names may be patterns.
    fn files(&self, directory: &Path) -> Vec<PathBuf> {
        let names = match &self.input_files {
            OneOrMany::One(file) => std::slice::from_ref(file),
            OneOrMany::Many(files) => files,
        };
        let mut files = Vec::new();
        for name in names {
            let file = directory.join(name);
            let found = match is_pattern(&file) {
                true => matching(&file.to_string_lossy()).unwrap_or_default(),
                false => Vec::new(),
            };
            match found.is_empty() {
                true => files.push(file),
                false => files.extend(found),
            }
        }
        files
    }

    /// The reachability of errors, or else the first property that engines decide, with its expected verdict; without
    /// one, any other, which will be answered as unsupported.
    fn property(&self, directory: &Path) -> Result<Option<(PathBuf, Option<bool>)>, String> {
        let (mut decided, mut other, mut problem) = (None, None, None);
        for part in &self.properties {
            let path = directory.join(&part.property_file);
            let read = fs::read_to_string(&path).map_err(|error| error.to_string());
            match read
                .and_then(|text| parse_property_file(&text).map_err(|error| error.to_string()))
            {
                Ok(asked) if asked == Asked::default() => {
                    return Ok(Some((path, part.expected_verdict)));
                }
                Ok(asked) if asked.is_decided() => {
                    decided.get_or_insert((path, part.expected_verdict));
                }
                Ok(_) => {
                    other.get_or_insert((path, None));
                }
                Err(why) => {
                    problem.get_or_insert(format!("property '{}': {why}", path.display()));
                }
            }
        }
        match (decided, problem) {
            (Some(decided), _) => Ok(Some(decided)),
            (None, Some(problem)) => Err(problem),
            (None, None) => Ok(other),
        }
    }
}
