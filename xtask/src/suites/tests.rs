//! Tests of other verifiers' suites: programs, and what their suites say of them.

use std::fs;
use std::path::{Path, PathBuf};

use ravelin_base::DataModel;

use super::{aws, desc, goblint};
use crate::sets::Answer;

/// A program, and what its suite expects of it.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its path in the suite.
    pub name: String,
    pub files: Vec<PathBuf>,
    /// Include paths and macros.
    pub arguments: Vec<String>,
    pub data_model: DataModel,
    pub expected: Expectation,
}

/// What a suite expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// Whether all assertions hold.
    Answer(Answer),
    /// Something that is no answer to that, for this reason.
    Other(String),
}

/// A suite that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suite {
    pub name: &'static str,
    pub tool: Tool,
    /// The directory in the tool's repository.
    pub directory: &'static str,
    /// One test in so many is taken.
    pub every: usize,
}

/// Whose suite it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    Cbmc,
    Esbmc,
    Genmc,
    Goblint,
    Aws,
}

impl Tool {
    /// What of the repository is needed.
    pub fn directories(self) -> &'static [&'static str] {
        match self {
            Tool::Cbmc => &["regression/cbmc", "regression/cbmc-concurrency"],
            Tool::Esbmc => &["regression/esbmc", "regression/esbmc-unix", "regression/esbmc-unix2"],
            Tool::Genmc => &["tests/correct", "include"],
            Tool::Goblint => &["tests/regression", "lib/goblint/runtime"],
            Tool::Aws => &["include", "source", "verification"],
        }
    }
}

pub const SUITES: &[Suite] = &[
    Suite { name: "cbmc", tool: Tool::Cbmc, directory: "regression/cbmc", every: 1 },
    Suite {
        name: "cbmc-concurrency",
        tool: Tool::Cbmc,
        directory: "regression/cbmc-concurrency",
        every: 1,
    },
    Suite { name: "esbmc", tool: Tool::Esbmc, directory: "regression/esbmc", every: 3 },
    Suite { name: "esbmc-unix", tool: Tool::Esbmc, directory: "regression/esbmc-unix", every: 1 },
    Suite { name: "esbmc-unix2", tool: Tool::Esbmc, directory: "regression/esbmc-unix2", every: 1 },
    Suite { name: "genmc", tool: Tool::Genmc, directory: "tests/correct", every: 1 },
    Suite { name: "goblint", tool: Tool::Goblint, directory: "tests/regression", every: 1 },
    Suite {
        name: "aws-c-common",
        tool: Tool::Aws,
        directory: "verification/cbmc/proofs",
        every: 3,
    },
];

impl Suite {
    /// The tests of the suite in a tool's repository, in order. `scratch` is for files that tests need beside.
    pub fn tests(&self, root: &Path, scratch: &Path) -> Result<Vec<Test>, String> {
        let directory = root.join(self.directory);
        let files = files_below(&directory)?;
        let found: Vec<Test> = match self.tool {
            Tool::Cbmc | Tool::Esbmc => {
                let descriptions: Vec<&PathBuf> =
                    files.iter().filter(|file| file.ends_with("test.desc")).collect();
                let mut tests = Vec::new();
                for file in descriptions.into_iter().step_by(self.every) {
                    let place = file.parent().unwrap_or(&directory);
                    let test = desc::read(place, &name_in(&directory, place), &read(file)?);
                    // A file that another tool makes first is not there.
                    let test = test.filter(|test| test.files.iter().all(|file| file.exists()));
                    tests.extend(test.map(about_assertions).transpose()?);
                }
                tests
            }
            Tool::Genmc => {
                let headers = scratch.join("genmc");
                lay_out_headers(&root.join("include"), &headers)?;
                let is_variant = |file: &&PathBuf| {
                    is_c(file) && file.parent().is_some_and(|it| it.ends_with("variants"))
                };
                let mut tests = Vec::new();
                for file in files.iter().filter(is_variant) {
                    let mut arguments = vec!["-I".to_owned(), headers.display().to_string()];
                    arguments.extend(genmc_arguments(&directory, file)?);
                    tests.push(Test {
                        name: name_in(&directory, file),
                        files: vec![file.clone()],
                        arguments,
                        data_model: DataModel::Lp64,
                        expected: Expectation::Answer(Answer::True),
                    });
                }
                tests
            }
            Tool::Goblint => {
                let include = root.join("lib/goblint/runtime/include").display().to_string();
                let mut tests = Vec::new();
                for file in files.iter().filter(|file| is_c(file)) {
                    let Some(expected) = goblint::expectation(&read(file)?) else { continue };
                    tests.push(Test {
                        name: name_in(&directory, file),
                        files: vec![file.clone()],
                        arguments: vec!["-I".to_owned(), include.clone()],
                        data_model: DataModel::Lp64,
                        expected,
                    });
                }
                tests
            }
            Tool::Aws => {
                let makefiles = files.iter().filter(|file| file.ends_with("Makefile"));
                let mut tests = Vec::new();
                for file in makefiles.step_by(self.every) {
                    let place = file.parent().unwrap_or(&directory);
                    tests.push(aws::read(root, place, &name_in(&directory, place), scratch)?);
                }
                tests
            }
        };
        Ok(found)
    }
}

/// The test, if it is one about assertions: it has a `main`, and something that may fail.
fn about_assertions(mut test: Test) -> Result<Test, String> {
    let mut text = String::new();
    for file in &test.files {
        text += &code_of(&read(file)?);
    }
    let mentions = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if !mentions(&["main"]) {
        test.expected = Expectation::Other("no 'main'".to_owned());
    } else if test.expected == Expectation::Answer(Answer::False)
        && !mentions(&["assert", "ASSERT", "reach_error", "__VERIFIER_error"])
    {
        test.expected = Expectation::Other("no assertion".to_owned());
    }
    Ok(test)
}

/// A program without its comments and its includes of `<assert.h>`.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(['/', '"']) {
        let (before, from) = rest.split_at(start);
        code += before;
        let length = if from.starts_with("//") {
            from.find('\n').unwrap_or(from.len())
        } else if from.starts_with("/*") {
            from.find("*/").map_or(from.len(), |end| end + 2)
        } else {
            // A string, up to its end, or one character of something else.
            let is_string = from.starts_with('"');
            let length = if is_string { string_length(from) } else { 1 };
            code += &from[..length];
            length
        };
        rest = &from[length..];
    }
    code += rest;
    code.replace("<assert.h>", "")
}

/// How long the string literal is that a text begins with.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (position, char) in text.char_indices().skip(1) {
        match char {
            '"' | '\n' if !escaped => return position + 1,
            _ => escaped = char == '\\' && !escaped,
        }
    }
    text.len()
}

fn is_c(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "c")
}

fn name_in(directory: &Path, file: &Path) -> String {
    file.strip_prefix(directory).unwrap_or(file).display().to_string()
}

/// The text of a file; some are not in UTF-8.
pub fn read(file: &Path) -> Result<String, String> {
    let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// All files below a directory, in order.
fn files_below(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let mut left = vec![directory.to_owned()];
    while let Some(directory) = left.pop() {
        let entries = fs::read_dir(&directory)
            .map_err(|error| format!("{}: {error}", directory.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| error.to_string())?.path();
            match path.is_dir() {
                true => left.push(path),
                false => files.push(path),
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The macros and include paths of the smallest run of a test of GenMC: each line of `args.sc.mo.in`, or of another such file,
/// beside its variants is a run, and behind a bar it has options of the compiler.
fn genmc_arguments(suite: &Path, variant: &Path) -> Result<Vec<String>, String> {
    let place = variant.parent().and_then(Path::parent).unwrap_or(variant);
    let is_list = |file: &&PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        file.parent() == Some(place) && name.starts_with("args.") && name.ends_with(".in")
    };
    let files = files_below(place)?;
    let sequential = place.join("args.sc.mo.in");
    let list = files.iter().find(|file| **file == sequential);
    let Some(file) = list.or_else(|| files.iter().find(is_list)) else { return Ok(Vec::new()) };
    let text = read(file)?;
    let line = text.lines().next().unwrap_or_default();
    let options = line.split_once('|').map_or(line, |(_, options)| options);
    let mut arguments: Vec<String> = Vec::new();
    for option in options.split_whitespace() {
        if option.starts_with("-D") {
            arguments.push(option.to_owned());
        } else if let Some((_, path)) = option.split_once("tests/correct/") {
            // `-I…`, relative to where the tool is run.
            arguments.extend(["-I".to_owned(), suite.join(path).display().to_string()]);
        }
    }
    Ok(arguments)
}

/// GenMC's own headers, without those that stand in for the system's: these hide how POSIX threads and atomics are
/// called.
fn lay_out_headers(from: &Path, to: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", to.display());
    fs::create_dir_all(to).map_err(failed)?;
    for name in ["genmc.h", "genmc_internal.h", "lkmm.h"] {
        let text = read(&from.join(name))?;
        // The tool's build says how large a file of its own file system is, which no test asks for.
        let text = format!(
            "#ifndef __CONFIG_GENMC_INODE_DATA_SIZE\n#define __CONFIG_GENMC_INODE_DATA_SIZE 64\n#endif\n{text}"
        );
        fs::write(to.join(name), text).map_err(failed)?;
    }
    // The tests are compiled by clang, whose header includes another one.
    let text = "#include <stdint.h>\n#include_next <stdatomic.h>\n";
    fs::write(to.join("stdatomic.h"), text).map_err(failed)
}

#[cfg(test)]
mod selection {
    use super::*;

    #[test]
    fn comments_assert_nothing() {
        let text = "#include <assert.h>\n/* assert(0); */ int a = 4 / 2; // assert\nchar *s = \"// \\\"x\";\n";
        assert_eq!(code_of(text), "#include \n int a = 4 / 2; \nchar *s = \"// \\\"x\";\n");
    }

    #[test]
    fn every_third_test_is_taken_in_order() {
        let root = tempfile::tempdir().expect("a directory");
        for number in 0..7 {
            let place = root.path().join(format!("regression/esbmc/t{number}"));
            fs::create_dir_all(&place).expect("a directory");
            let text = "CORE\nmain.c\n\n^VERIFICATION FAILED$\n";
            fs::write(place.join("test.desc"), text).expect("a file");
            let text = match number {
                6 => "int main(void) { return 0; }",
                _ => "int main(void) { assert(0); }",
            };
            fs::write(place.join("main.c"), text).expect("a file");
        }
        let suite = SUITES.iter().find(|suite| suite.name == "esbmc").expect("a suite");
        let tests = suite.tests(root.path(), root.path()).expect("tests");
        let names: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
        assert_eq!(names, ["t0", "t3", "t6"]);
        assert_eq!(tests[0].expected, Expectation::Answer(Answer::False));
        assert_eq!(tests[2].expected, Expectation::Other("no assertion".to_owned()));
    }
}
