//! What is to be verified: the files or texts of a program, and how they are compiled.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ravelin_base::DataModel;
use ravelin_frontend::source::SourceOptions;
use ravelin_frontend::{ErrorCalls, Reading};

/// A program: its units are linked.
#[derive(Clone, Debug)]
pub struct Input {
    pub units: Vec<Unit>,
    /// How the units are read, beside their texts.
    pub reading: Reading,
}

/// A file of a program.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its path; of a text, what it is called.
    pub name: PathBuf,
    pub contents: Contents,
    pub options: SourceOptions,
}

/// Where the text of a unit is.
#[derive(Clone, Debug)]
pub enum Contents {
    /// In the file of its name.
    File,
    /// Here, to be preprocessed if it needs to be.
    Source(String),
    /// Here, preprocessed.
    Preprocessed(String),
}

impl Input {
    /// A program that is given as C text. `name` is what positions call it.
    pub fn text(name: impl Into<PathBuf>, text: impl Into<String>) -> Input {
        Input::of(vec![(name.into(), Contents::Source(text.into()))])
    }

    /// A program in files, which are preprocessed if they need to be.
    pub fn files(files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Input {
        Input::of(files.into_iter().map(|file| (file.into(), Contents::File)).collect())
    }

    fn of(units: Vec<(PathBuf, Contents)>) -> Input {
        let unit = |(name, contents)| Unit { name, contents, options: SourceOptions::default() };
        Input { units: units.into_iter().map(unit).collect(), reading: Reading::default() }
    }

    /// The same, compiled for this data model.
    pub fn with_data_model(mut self, data_model: DataModel) -> Input {
        self.reading.data_model = data_model;
        for unit in &mut self.units {
            unit.options.data_model = data_model;
        }
        self
    }

    /// The same, where these calls are errors, too.
    pub fn with_errors(mut self, errors: ErrorCalls) -> Input {
        self.reading.errors = errors;
        self
    }

    /// The lines of its texts, and of the files that positions name.
    pub fn source_lines(&self) -> SourceLines {
        let texts = self.units.iter().filter_map(|unit| match &unit.contents {
            Contents::Source(text) => {
                Some((unit.name.to_string_lossy().into_owned(), Some(lines_of(text))))
            }
            // Positions in it are of other files.
            Contents::Preprocessed(_) | Contents::File => None,
        });
        SourceLines { files: Mutex::new(texts.collect()) }
    }
}

/// The texts of source files, as far as they can be read.
#[derive(Debug, Default)]
pub struct SourceLines {
    files: Mutex<HashMap<String, Option<Vec<String>>>>,
}

impl SourceLines {
    /// A line, counted from 1.
    pub fn line(&self, file: &str, line: u32) -> Option<String> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = files.entry(file.to_owned()).or_insert_with(|| read(Path::new(file)));
        lines.as_ref()?.get((line as usize).checked_sub(1)?).cloned()
    }
}

fn read(file: &Path) -> Option<Vec<String>> {
    fs::read(file).ok().map(|text| lines_of(&String::from_utf8_lossy(&text)))
}

fn lines_of(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}
