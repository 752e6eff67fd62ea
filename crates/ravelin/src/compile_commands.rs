//! Compilation databases: with which options each file of a project is compiled.

use std::fs;
use std::path::{Path, PathBuf};

use ravelin_frontend::source::SourceOptions;
use serde::Deserialize;

use crate::exit::Exit;
use crate::front::Failure;

/// What a `compile_commands.json` says.
#[derive(Debug)]
pub struct CompileCommands {
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

impl CompileCommands {
    pub fn read(path: &Path) -> Result<CompileCommands, Failure> {
        let reject = |why: String| {
            let name = path.display();
            Failure::new(Exit::Rejected, format!("compilation database '{name}': {why}"))
        };
        let text = fs::read_to_string(path).map_err(|error| reject(error.to_string()))?;
        let entries = serde_json::from_str(&text).map_err(|error| reject(error.to_string()))?;
        Ok(CompileCommands { entries })
    }

    /// The options of a file, added to those that all have.
    pub fn options(&self, file: &Path, all: &SourceOptions) -> SourceOptions {
        let mut options = all.clone();
        let wanted = file.canonicalize().ok();
        let is_it = |entry: &&Entry| {
            let path = entry.directory.join(&entry.file);
            wanted.is_some() && path.canonicalize().ok() == wanted
        };
        let Some(entry) = self.entries.iter().find(is_it) else { return options };
        let words = match &entry.command {
            Some(command) if entry.arguments.is_empty() => {
                shlex::split(command).unwrap_or_default()
            }
            _ => entry.arguments.clone(),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            // The value follows at once, or as a word of its own.
            let mut value = |rest: &str| match rest {
                "" => words.next().cloned().unwrap_or_default(),
                rest => rest.to_owned(),
            };
            if let Some(rest) = word.strip_prefix("-std=") {
                options.standard.get_or_insert(rest.to_owned());
            } else if let Some(rest) = word.strip_prefix("-isystem").or(word.strip_prefix("-I")) {
                options.include_dirs.push(entry.directory.join(value(rest)));
            } else if let Some(rest) = word.strip_prefix("-D") {
                options.defines.push(value(rest));
            } else if let Some(rest) = word.strip_prefix("-U") {
                options.undefines.push(value(rest));
            }
        }
        options
    }
}
