//! Reading the expectations that fixture programs carry in their first lines.
//!
//! A fixture is a C file that begins with `//` lines. Those of the form `// key: value` with one
//! of the keys below are expectations; others are comments for the reader.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use ravelin_base::{DataModel, Diagnostic};
use ravelin_cfa::{ErrorKind, Program, Properties, Property};
use ravelin_frontend::source::{SourceOptions, load, with_deep_stack};
use ravelin_frontend::{Reading, lower_units};

use crate::tier;

/// A fixture program and what is expected of it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Fixture {
    pub path: PathBuf,
    /// Further files to be linked with it: `name.part2.c`, `name.part3.c`, ….
    pub parts: Vec<PathBuf>,
    /// `// options:` command line options.
    pub options: Vec<String>,
    /// `// run:` how every run ends.
    pub run: Option<String>,
    /// `// stdout:` the lines that every run prints, if the fixture says.
    pub stdout: Option<Vec<String>>,
    /// `// outcomes:` every way a run may end, over all schedules and inputs.
    pub outcomes: Option<Vec<String>>,
    /// `// verdict:` what a verifier must answer for reachability of the error. A fixture that checks
    /// other properties has none.
    pub verdict: Option<String>,
    /// `// check:` the properties that the fixture is about, if not reachability.
    pub checked: Option<Checked>,
}

/// What a fixture says of other properties than reachability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    pub properties: Properties,
    /// `// verdict:` what a verifier must answer for these properties.
    pub verdict: Option<String>,
}

impl Fixture {
    /// The data models that the expectation holds in.
    pub fn data_models(&self) -> Vec<DataModel> {
        match &self.options[..] {
            [] => vec![DataModel::Ilp32, DataModel::Lp64],
            [option, model] if option == "--data-model" => {
                vec![DataModel::from_str(model).expect("a data model")]
            }
            other => panic!("{}: unknown options {other:?}", self.path.display()),
        }
    }

    /// The automaton of the properties that the fixture is about. Call this with a deep stack.
    ///
    /// # Errors
    /// All errors in the source.
    pub fn lower(&self, data_model: DataModel) -> Result<Program, Vec<Diagnostic>> {
        let options = SourceOptions { data_model, ..SourceOptions::default() };
        let files = std::iter::once(&self.path).chain(&self.parts);
        let units = files.map(|file| load(file, &options)).collect::<Result<Vec<_>, _>>()?;
        let mut reading = Reading::of(data_model);
        if let Some(checked) = &self.checked {
            reading.checked = checked.properties;
        }
        Ok(lower_units(&units, &reading)?.program)
    }

    /// The property that runs violate, all or some of them.
    pub fn violated(&self) -> Option<Property> {
        self.run.iter().chain(self.outcomes.iter().flatten()).find_map(|word| {
            let error = ErrorKind::ALL.into_iter().find(|kind| kind.name() == word);
            error.map(ErrorKind::property).or_else(|| Property::named(word))
        })
    }

    /// The program in one piece: what it includes from the directory of fixtures stands in its place.
    pub fn text(&self) -> io::Result<String> {
        in_one_piece(&self.path)
    }
}

/// The text of a file with those that it includes by `"…"`, which C finds from the file's own directory.
fn in_one_piece(path: &Path) -> io::Result<String> {
    // A Latin-1 comment is legal C, so the text need not be UTF-8.
    let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
    let mut whole = String::new();
    for line in text.lines() {
        let name = line.strip_prefix("#include \"").and_then(|rest| rest.strip_suffix('"'));
        match name {
            Some(name) => whole.push_str(&in_one_piece(&path.with_file_name(name))?),
            None => whole.extend([line, "\n"]),
        }
    }
    Ok(whole)
}

/// All fixtures in a directory and those below it, in the order of their paths.
pub fn fixtures(dir: &Path) -> io::Result<Vec<Fixture>> {
    let mut found = Vec::new();
    let mut pending = vec![dir.to_owned()];
    while let Some(dir) = pending.pop() {
        for entry in fs::read_dir(&dir)? {
            let path = entry?.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c") {
                found.push(path);
            }
        }
    }
    found.sort();
    let (parts, mains): (Vec<_>, Vec<_>) = found.into_iter().partition(|path| is_part(path));
    mains
        .into_iter()
        .map(|path| {
            // A Latin-1 comment is legal C, so the text need not be UTF-8.
            let text = fs::read(&path)?;
            let mut fixture = parse_header(&String::from_utf8_lossy(&text));
            let stem = path.with_extension("");
            fixture.parts = parts
                .iter()
                .filter(|part| part.with_extension("").with_extension("") == stem)
                .cloned()
                .collect();
            fixture.path = path;
            Ok(fixture)
        })
        .collect()
}

/// Whether a file is `….partN.c`.
fn is_part(path: &Path) -> bool {
    path.file_stem()
        .and_then(|stem| Path::new(stem).extension())
        .and_then(|extension| extension.to_str())
        .and_then(|extension| extension.strip_prefix("part"))
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Reads the `//` lines at the beginning of a program.
fn parse_header(text: &str) -> Fixture {
    let mut fixture = Fixture::default();
    for line in text.lines() {
        let Some(line) = line.strip_prefix("//") else { break };
        let line = line.strip_prefix(' ').unwrap_or(line);
        let Some((key, value)) = line.split_once(':') else { continue };
        let words = || value.split_whitespace().map(str::to_owned).collect();
        match key {
            "options" => fixture.options = words(),
            "run" => fixture.run = Some(value.trim().to_owned()),
            // One blank separates; further ones are part of the output.
            "stdout" => fixture
                .stdout
                .get_or_insert_default()
                .push(value.strip_prefix(' ').unwrap_or(value).to_owned()),
            "outcomes" => fixture.outcomes = Some(words()),
            "verdict" => fixture.verdict = Some(value.trim().to_owned()),
            "check" => {
                let properties =
                    value.split([',', ' ']).filter(|name| !name.is_empty()).map(|name| {
                        Property::named(name).unwrap_or_else(|| panic!("'{name}' is no property"))
                    });
                let properties = properties.collect();
                fixture.checked = Some(Checked { properties, verdict: None });
            }
            _ => {}
        }
    }
    if let Some(checked) = &mut fixture.checked {
        checked.verdict = fixture.verdict.take();
    }
    fixture
}

/// Checks the programs of the fixtures in a data model, and fails with the first problems of each. In the quick tier a
/// fixture meets one data model, unless it is made for the other.
pub fn check_programs(
    data_model: DataModel,
    mut problems: impl FnMut(&Program) -> BTreeSet<String>,
) {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let found = fixtures(&dir).expect("the fixtures can be read");
    assert!(found.len() > 100);
    let mut failed = Vec::new();
    let turn = usize::from(data_model == DataModel::Lp64);
    for (number, fixture) in found.iter().enumerate() {
        let is_for_both = fixture.options.is_empty();
        if is_for_both && !tier::is_exhaustive() && number % 2 == turn {
            continue;
        }
        let mut paths = vec![fixture.path.clone()];
        paths.extend(fixture.parts.iter().cloned());
        let options = SourceOptions { data_model, ..SourceOptions::default() };
        let built = with_deep_stack(|| ravelin_frontend::build(&paths, &options));
        // Some are for one data model only.
        let Ok(Ok(built)) = built else { continue };
        let problems = problems(&built.program);
        if !problems.is_empty() {
            let first: Vec<String> = problems.into_iter().take(5).collect();
            failed.push(format!("{}:\n  {}", fixture.path.display(), first.join("\n  ")));
        }
    }
    assert!(failed.is_empty(), "{} fail\n{}", failed.len(), failed.join("\n"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_ends_at_the_first_other_line() {
        let fixture = parse_header(
            "// What it shows: a comment.\n// options: --data-model LP64\n// run: exit 3\n\
             // stdout: a  b\n// stdout:\n// stdout:  c\nint x;\n// verdict: TRUE\n",
        );
        assert_eq!(fixture.options, ["--data-model", "LP64"]);
        assert_eq!(fixture.run.as_deref(), Some("exit 3"));
        assert_eq!(fixture.stdout, Some(vec!["a  b".to_owned(), String::new(), " c".to_owned()]));
        assert_eq!(fixture.verdict, None);
        assert_eq!(fixture.outcomes, None);
        assert_eq!(fixture.checked, None);
    }

    #[test]
    fn a_verdict_is_that_of_the_checked_properties() {
        let fixture = parse_header("// verdict: FALSE\n// check: no-overflow valid-deref\n");
        let properties = [Property::NoOverflow, Property::ValidDeref].into_iter().collect();
        let verdict = Some("FALSE".to_owned());
        assert_eq!(fixture.checked, Some(Checked { properties, verdict }));
        assert_eq!(fixture.verdict, None);
    }

    #[test]
    fn a_text_holds_what_it_includes() {
        let dir = tempfile::tempdir().unwrap();
        let files = [
            ("01-safe.c", "// run: exit 0\n#define STEP 1\n#include \"02-unsafe.c\"\nint last;\n"),
            ("02-unsafe.c", "#include <stdio.h>\n#include \"step.h\"\n"),
            ("step.h", "int step = STEP;"),
        ];
        for (name, text) in files {
            fs::write(dir.path().join(name), text).unwrap();
        }
        let found = fixtures(dir.path()).unwrap();
        assert_eq!(
            found[0].text().unwrap(),
            "// run: exit 0\n#define STEP 1\n#include <stdio.h>\nint step = STEP;\nint last;\n"
        );
    }

    #[test]
    fn parts_belong_to_the_file_they_are_named_after() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["b/02-two.c", "b/02-two.part2.c", "b/02-two.part3.c", "a/01.part.c"] {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "// outcomes: 0 deadlock\nint x;\n").unwrap();
        }
        let found = fixtures(dir.path()).unwrap();
        let names: Vec<_> = found.iter().map(|f| f.path.file_name().unwrap()).collect();
        assert_eq!(names, ["01.part.c", "02-two.c"]);
        assert_eq!(found[0].parts.len(), 0);
        assert_eq!(found[1].parts.len(), 2);
        assert_eq!(found[1].outcomes, Some(vec!["0".to_owned(), "deadlock".to_owned()]));
    }
}
