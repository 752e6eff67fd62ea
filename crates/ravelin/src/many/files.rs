//! Output files for many programs: an option that names a file for one program names a directory
//! for many.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::args::VerifyArgs;

/// The options that name a file of one program, as the parser knows them.
pub const OPTIONS: &[&str] = &["schedule_out", "witness", "harness", "report", "dump_smt2"];

/// An option whose files go to a directory.
#[derive(Debug)]
struct Destination {
    option: &'static str,
    directory: PathBuf,
    /// The suffix after a program's name.
    ending: &'static str,
}

/// The directories for files of many programs.
#[derive(Debug)]
pub struct Destinations(Vec<Destination>);

impl Destinations {
    /// Makes the directories.
    pub fn prepare(args: &VerifyArgs) -> Result<Destinations, String> {
        let is_graph = |path: &Path| path.extension().is_some_and(|it| it == "graphml");
        let witness = args.witness.as_deref();
        let witness_ending = if witness.is_some_and(is_graph) { ".graphml" } else { ".yml" };
        let wanted = [
            ("--schedule-out", args.schedule_out.as_deref(), ".schedule"),
            ("--witness", witness, witness_ending),
            ("--harness", args.harness.as_deref(), ".harness.c"),
            ("--report", args.report.as_deref(), ".html"),
            ("--dump-smt2", args.solver.dump_smt2.as_deref(), ""),
        ];
        let mut destinations = Vec::new();
        for (option, directory, ending) in wanted {
            let Some(directory) = directory else { continue };
            fs::create_dir_all(directory).map_err(|error| {
                let name = directory.display();
                format!(
                    "'{option}' of many programs names a directory: cannot make '{name}': {error}"
                )
            })?;
            destinations.push(Destination { option, directory: directory.to_owned(), ending });
        }
        Ok(Destinations(destinations))
    }

    /// The options for a program whose files have this name.
    pub fn options(&self, name: &str) -> Vec<OsString> {
        let destinations = self.0.iter();
        destinations
            .flat_map(|Destination { option, directory, ending }| {
                let file = directory.join(format!("{name}{ending}"));
                let mut word = OsString::from(format!("{option}="));
                word.push(file);
                [word]
            })
            .collect()
    }
}

/// Distinct file names for programs: characters that are invalid in file names are replaced.
pub fn names<'a>(programs: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let mut names = Vec::new();
    for program in programs {
        let name = plain(program);
        let mut free = name.clone();
        let mut number = 2;
        while !taken.insert(free.clone()) {
            free = format!("{name}-{number}");
            number += 1;
        }
        names.push(free);
    }
    names
}

/// File systems allow 255 bytes; this leaves room for numbers and suffixes.
const LONGEST: usize = 200;

fn plain(program: &str) -> String {
    let parts = program.split('/').filter(|part| !part.is_empty() && *part != ".");
    let joined = parts.collect::<Vec<_>>().join("__");
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    let safe: String = joined.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    // The end of a path is more specific than its beginning.
    let from = safe.len().saturating_sub(LONGEST);
    // A name that begins with a dot is hidden, and one with a dash is an option.
    let name = safe[from..].trim_start_matches(['.', '-', '_']);
    if name.is_empty() { "program".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_different() {
        let long = format!("{}/a.c", "x".repeat(300));
        let names =
            names(["a.c", "./a.c", "dir/a.c", "../dir/a.c", "/dir__a.c", "ä b.c", "..", &long]);
        let [.., last] = &names[..] else { panic!("no names") };
        assert!(last.ends_with("x__a.c") && last.len() == LONGEST, "{last}");
        assert_eq!(
            names[..7],
            ["a.c", "a.c-2", "dir__a.c", "dir__a.c-2", "dir__a.c-3", "b.c", "program"]
        );
    }
}
