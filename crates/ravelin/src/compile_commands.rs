//! Compilation databases: the compiler options of each file of a project.

use std::fs;
use std::path::{Path, PathBuf};

use ravelin_base::DataModel;
use ravelin_frontend::source::{Direction, PathUse, SourceOptions};
use serde::Deserialize;

use crate::exit::Exit;
use crate::front::Failure;

/// The contents of a `compile_commands.json`.
#[derive(Debug)]
pub struct CompileCommands {
    name: String,
    entries: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    /// The same as one line for a shell.
    command: Option<String>,
}

/// The part of an entry that matters before compilation.
#[derive(Debug, Default)]
struct Said {
    include_dirs: Vec<PathBuf>,
    directions: Vec<Direction>,
    standard: Option<String>,
    data_model: Option<DataModel>,
    /// Options that change the meaning of C, and are not supported.
    ignored: Vec<String>,
}

/// Options with which gcc lays out or reads C differently from Ravelin.
const CHANGE_MEANING: &[&str] =
    &["-funsigned-char", "-fshort-enums", "-fpack-struct", "-fshort-wchar", "-mx32", "-nostdinc"];

impl CompileCommands {
    pub fn read(path: &Path) -> Result<CompileCommands, Failure> {
        let name = path.display().to_string();
        let reject = |why: String| {
            Failure::new(Exit::Rejected, format!("compilation database '{name}': {why}"))
        };
        let text = fs::read_to_string(path).map_err(|error| reject(error.to_string()))?;
        let mut entries: Vec<Entry> =
            serde_json::from_str(&text).map_err(|error| reject(error.to_string()))?;
        // A relative directory is relative to the database.
        let base = path.parent().unwrap_or(Path::new(""));
        for entry in &mut entries {
            entry.directory = base.join(&entry.directory);
        }
        Ok(CompileCommands { name, entries })
    }

    /// The options of a file. Options for all files take precedence: their directories are searched
    /// first, and their macros are defined last.
    pub fn options(&self, file: &Path, all: &SourceOptions) -> SourceOptions {
        let mut options = all.clone();
        let Some(said) = self.entry(file).map(Entry::read) else { return options };
        options.include_dirs.extend(said.include_dirs);
        options.directions = said.directions;
        options.directions.extend_from_slice(&all.directions);
        options.standard = options.standard.or(said.standard);
        options
    }

    fn entry(&self, file: &Path) -> Option<&Entry> {
        let wanted = file.canonicalize().ok()?;
        let is_it = |entry: &&Entry| {
            entry.directory.join(&entry.file).canonicalize().is_ok_and(|path| path == wanted)
        };
        self.entries.iter().find(is_it)
    }

    /// Messages about settings in the database that differ when these files are verified for this
    /// data model, as complete lines.
    pub fn notes(&self, files: &[PathBuf], model: DataModel) -> String {
        let mut text = String::new();
        for file in files {
            let (name, database) = (file.display(), &self.name);
            let Some(said) = self.entry(file).map(Entry::read) else {
                text += &format!(
                    "ravelin: '{name}' is not in the compilation database '{database}': no options of it\n"
                );
                continue;
            };
            if let Some(other) = said.data_model.filter(|other| *other != model) {
                text +=
                    &format!("ravelin: '{name}' is compiled for {other}, but read for {model}\n");
            }
            for option in said.ignored {
                text += &format!("ravelin: '{name}' is compiled with {option}, but read without\n");
            }
        }
        text
    }

    /// The data model for which all files are compiled, as far as the database says.
    pub fn data_model(&self, files: &[PathBuf]) -> Option<DataModel> {
        let mut models = files.iter().filter_map(|file| self.entry(file)?.read().data_model);
        let first = models.next()?;
        models.all(|model| model == first).then_some(first)
    }
}

impl Entry {
    fn read(&self) -> Said {
        let words = match &self.command {
            Some(command) if self.arguments.is_empty() => shlex::split(command).unwrap_or_default(),
            _ => self.arguments.clone(),
        };
        let mut said = Said::default();
        // The first is the compiler.
        let mut words = words.into_iter().skip(1);
        while let Some(word) = words.next() {
            // The value is in the same word, or in the next.
            let mut value = |rest: &str| match rest {
                "" => words.next().unwrap_or_default(),
                rest => rest.to_owned(),
            };
            let of_path = |what: PathUse| Some((what, word.strip_prefix(what.option())?));
            if let Some(standard) = word.strip_prefix("-std=").or(word.strip_prefix("--std=")) {
                said.standard = Some(standard.to_owned());
            } else if word == "-ansi" {
                said.standard = Some("c90".to_owned());
            } else if word == "-m32" {
                said.data_model = Some(DataModel::Ilp32);
            } else if word == "-m64" {
                said.data_model = Some(DataModel::Lp64);
            } else if ["-o", "-include-pch"].contains(&word.as_str()) {
                value("");
            } else if CHANGE_MEANING.iter().any(|option| word.starts_with(option)) {
                said.ignored.push(word);
            } else if let Some((what, rest)) = PathUse::ALL.into_iter().find_map(of_path) {
                let path = self.path(what, &value(rest));
                said.directions.push(Direction::Path(what, path));
            } else if let Some(rest) = word.strip_prefix("-I") {
                said.include_dirs.push(self.directory.join(value(rest)));
            } else if let Some(rest) = word.strip_prefix("-D") {
                said.directions.push(Direction::Define(value(rest)));
            } else if let Some(rest) = word.strip_prefix("-U") {
                said.directions.push(Direction::Undefine(value(rest)));
            }
        }
        said
    }

    /// A path relative to the current directory. Files to be included first may also be in the
    /// header directories.
    fn path(&self, what: PathUse, path: &str) -> PathBuf {
        let here = self.directory.join(path);
        match what {
            PathUse::Include | PathUse::Macros if !here.exists() => path.into(),
            PathUse::Include
            | PathUse::Macros
            | PathUse::Quoted
            | PathUse::System
            | PathUse::After => here,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(words: &[&str]) -> Entry {
        Entry {
            directory: "/build".into(),
            file: "a.c".into(),
            arguments: words.iter().map(|word| (*word).to_owned()).collect(),
            command: None,
        }
    }

    #[test]
    fn options_keep_their_order_and_meaning() {
        let said = entry(&[
            "cc",
            "-UA",
            "-DA=1",
            "-D",
            "B",
            "-isystem",
            "sys",
            "-iquotequote",
            "-I",
            "inc",
            "-Imore",
            "-idirafter",
            "/last",
            "-std=c99",
            "-std=gnu11",
            "-m64",
            "-o",
            "-DNOT",
            "-c",
            "a.c",
        ])
        .read();
        let path = |what, path: &str| Direction::Path(what, path.into());
        assert_eq!(
            said.directions,
            [
                Direction::Undefine("A".to_owned()),
                Direction::Define("A=1".to_owned()),
                Direction::Define("B".to_owned()),
                path(PathUse::System, "/build/sys"),
                path(PathUse::Quoted, "/build/quote"),
                path(PathUse::After, "/last"),
            ]
        );
        assert_eq!(said.include_dirs, [PathBuf::from("/build/inc"), "/build/more".into()]);
        // The last one counts, as in gcc.
        assert_eq!(said.standard.as_deref(), Some("gnu11"));
        assert_eq!(said.data_model, Some(DataModel::Lp64));
    }

    #[test]
    fn what_changes_the_language_is_noticed() {
        let said = entry(&["cc", "-funsigned-char", "-O2", "-fpack-struct=2"]).read();
        assert_eq!(said.ignored, ["-funsigned-char", "-fpack-struct=2"]);
    }
}
