//! The tests of CBMC and ESBMC: a directory with programs and a file `test.desc`, which has a line of tags, one of
//! files, one of options, and patterns of what the tool must print.

use std::path::{Path, PathBuf};

use ravelin_base::DataModel;

use super::tests::{Expectation, Test};
use crate::sets::Answer;

/// Options that change neither the program nor what is checked of it beyond assertions; also those that only turn
/// checks off that Ravelin does not make.
const NEUTRAL: &[&str] = &[
    "--64",
    "--add-symex-value-sets",
    "--all-properties",
    "--all-witnesses",
    "--arrays-uf-always",
    "--bitwuzla",
    "--boolector",
    "--bv",
    "--clang-c-irep2-adjust-only",
    "--compact-trace",
    "--cswitch-skip-readonly-globals",
    "--falsification",
    "--floatbv",
    "--force-malloc-success",
    "--force-realloc-success",
    "--full-slice",
    "--gcc-nested-functions",
    "--gcse",
    "--goto-unwind",
    "--incremental-bmc",
    "--interval-analysis",
    "--irep2-bodies",
    "--irep2-native-body",
    "--k-induction",
    "--little-endian",
    "--localize-faults",
    "--multi-property",
    "--no-abnormal-memory-leak",
    "--no-align-check",
    "--no-bounds-check",
    "--no-div-by-zero-check",
    "--no-inlining",
    "--no-malloc-may-fail",
    "--no-pointer-check",
    "--no-pointer-primitive-check",
    "--no-pointer-relation-check",
    "--no-por",
    "--no-propagation",
    "--no-reachable-memory-leak",
    "--no-return-value-opt",
    "--no-signed-overflow-check",
    "--no-simplify",
    "--no-slice",
    "--no-standard-checks",
    "--no-undefined-shift-check",
    "--no-vla-size-check",
    "--paths",
    "--quiet",
    "--reachability-slice",
    "--reachability-slice-fb",
    "--refine",
    "--refine-arrays",
    "--result-only",
    "--retain-trivial-checks",
    "--show-stacktrace",
    "--slice-formula",
    "--sleep-sets",
    "--smt-during-symex",
    "--smt-symex-guard",
    "--smt2",
    "--stack-trace",
    "--state-hashing",
    "--stop-on-fail",
    "--string-abstraction",
    "--sv-comp",
    "--trace",
    "--trace-hex",
    "--trace-show-code",
    "--trace-show-function-calls",
    "--unlimited-goto-unwind",
    "--unlimited-k-steps",
    "--unwinding-assertions",
    "--validate-goto-model",
    "--validate-ssa-equation",
    "--z3",
];

/// The same, with a value.
const NEUTRAL_WITH_VALUE: &[&str] = &[
    "--graphml-witness",
    "--k-step",
    "--max-inductive-step",
    "--max-k-step",
    "--max-witnesses",
    "--memlimit",
    "--object-bits",
    "--output",
    "--sarif-output",
    "--sat-solver",
    "--std",
    "--timeout",
    "--verbosity",
    "--witness-output",
    "--witness-output-graphml",
];

/// Options that check more, or let more happen, than Ravelin does: a failure may be another one.
const STRONGER: &[&str] = &[
    "--atomicity-check",
    "--bounds-check",
    "--conversion-check",
    "--data-races-check",
    "--dead-code-check",
    "--deadlock-check",
    "--div-by-zero-check",
    "--enum-range-check",
    "--excessive-alloc-check",
    "--float-div-by-zero-check",
    "--float-overflow-check",
    "--lock-order-check",
    "--malloc-fail-null",
    "--malloc-may-fail",
    "--memory-cleanup-check",
    "--memory-leak-check",
    "--nan-check",
    "--overflow",
    "--overflow-check",
    "--pointer-check",
    "--pointer-overflow-check",
    "--printf-check",
    "--restrict-check",
    "--signed-overflow-check",
    "--ub-shift-check",
    "--unchecked-return-value-check",
    "--undefined-shift-check",
    "--uninitialised-vars-check",
    "--unsigned-overflow-check",
];

/// What a failure is called that is none of an assertion.
const OTHER_FAILURES: &[&str] = &[
    "dereference failure",
    "bounds violated",
    "division by zero",
    "unwinding assertion",
    "recursion unwinding",
    "overflow",
    "forgotten memory",
    "memory leak",
    "deadlock",
    "data race",
    "NaN",
    "unreachable",
    "atomicity",
    "lock order",
    "stack limit",
    "invalid pointer",
    "alignment",
    "ninitiali",
    "NULL pointer",
    "null pointer",
    "free",
];

/// What the options of a test mean here.
#[derive(Debug, Default)]
struct Meaning {
    arguments: Vec<String>,
    files: Vec<String>,
    data_model: Option<DataModel>,
    /// An option that is not known to keep the meaning.
    foreign: Option<String>,
    is_stronger: bool,
    unwinds: bool,
    /// Loops that are not unwound completely are left out, or so are executions with many switches of threads.
    is_bounded: bool,
    hides_unwinding: bool,
}

/// Reads the test in a directory. None if it says nothing of a verdict, or is not of a C program.
pub fn read(directory: &Path, name: &str, text: &str) -> Option<Test> {
    let mut lines = text.lines();
    let (_tags, files, options) = (lines.next()?, lines.next()?, lines.next()?);
    let patterns: Vec<&str> = lines.take_while(|line| *line != "--").collect();
    let says = |word: &str| {
        let text = format!("VERIFICATION {word}");
        patterns.iter().any(|line| line.contains(&text))
    };
    let answer = match (says("SUCCESSFUL"), says("FAILED")) {
        (true, false) => Answer::True,
        (false, true) => Answer::False,
        _ => return None,
    };
    let mut meaning = meaning(directory, options);
    let mut all: Vec<String> = files.split_whitespace().map(str::to_owned).collect();
    all.append(&mut meaning.files);
    let is_c = |file: &String| file.ends_with(".c") || file.ends_with(".i");
    if all.is_empty() || !all.iter().all(is_c) {
        return None;
    }
    let files: Vec<PathBuf> = all.iter().map(|file| directory.join(file)).collect();
    Some(Test {
        name: name.to_owned(),
        files,
        data_model: meaning.data_model.unwrap_or(DataModel::Lp64),
        expected: expectation(answer, &meaning, &patterns),
        arguments: meaning.arguments,
    })
}

fn meaning(directory: &Path, options: &str) -> Meaning {
    let mut meaning = Meaning::default();
    let mut words = options.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let (name, has_value) = match word.split_once('=') {
            Some((name, _)) if name.starts_with("--") => (name, true),
            _ => (word, false),
        };
        let mut takes_value = false;
        match name {
            "--32" => meaning.data_model = Some(DataModel::Ilp32),
            "--unwind" | "--unwindset" | "--unwindsetname" => {
                meaning.unwinds = true;
                takes_value = true;
            }
            "--context-bound" => {
                meaning.is_bounded = true;
                takes_value = true;
            }
            "--no-unwinding-assertions" | "--no-unwinding-assertion" => {
                meaning.hides_unwinding = true;
            }
            "--stack-limit" | "--total-stack-limit" => {
                meaning.is_stronger = true;
                takes_value = true;
            }
            "-I" => {
                let path = words.next().unwrap_or(".");
                let path = directory.join(path).display().to_string();
                meaning.arguments.extend(["-I".to_owned(), path]);
            }
            _ if NEUTRAL.contains(&name) || name.starts_with("-W") => {}
            _ if NEUTRAL_WITH_VALUE.contains(&name) => takes_value = true,
            _ if STRONGER.contains(&name) => meaning.is_stronger = true,
            _ if name.starts_with("-D") && name.len() > 2 && !word.contains(['\'', '"']) => {
                meaning.arguments.push(word.to_owned());
            }
            _ if name.starts_with("-I") => {
                let path = directory.join(&name[2..]).display().to_string();
                meaning.arguments.extend(["-I".to_owned(), path]);
            }
            _ if !name.starts_with('-') && (name.ends_with(".c") || name.ends_with(".i")) => {
                meaning.files.push(name.to_owned());
            }
            _ => meaning.foreign = meaning.foreign.or(Some(word.to_owned())),
        }
        if takes_value && !has_value && words.peek().is_some_and(|next| !next.starts_with('-')) {
            words.next();
        }
    }
    meaning.is_bounded |= meaning.unwinds && meaning.hides_unwinding;
    meaning
}

fn expectation(answer: Answer, meaning: &Meaning, patterns: &[&str]) -> Expectation {
    let other = |why: String| Expectation::Other(why);
    if let Some(option) = &meaning.foreign {
        return other(format!("option {option}"));
    }
    if answer == Answer::True {
        return match meaning.is_bounded {
            true => other("a bounded search".to_owned()),
            false => Expectation::Answer(Answer::True),
        };
    }
    let failed: Vec<&str> = patterns.iter().filter_map(|line| failed_property(line)).collect();
    if failed.contains(&"assertion") {
        return Expectation::Answer(Answer::False);
    }
    if let Some(property) = failed.first() {
        return other(format!("fails {property}"));
    }
    let names = |word: &&&str| patterns.iter().any(|line| line.contains(**word));
    if let Some(word) = OTHER_FAILURES.iter().find(names) {
        return other(format!("fails {word}"));
    }
    match meaning.is_stronger || meaning.unwinds {
        true => other("may fail another check".to_owned()),
        false => Expectation::Answer(Answer::False),
    }
}

/// The kind of the property of CBMC that a pattern expects to fail: `assertion` of
/// `^\[main\.assertion\.1\] … FAILURE$`.
fn failed_property(pattern: &str) -> Option<&str> {
    if !pattern.contains("FAILURE") {
        return None;
    }
    let inside = pattern.split_once('[')?.1.split_once(']')?.0;
    let mut parts = inside.rsplit('.').map(|part| part.trim_matches('\\'));
    let number = parts.next()?;
    let kind = parts.next()?;
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    (is_number(number) || number.starts_with('\\') || number == "d+").then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(options: &str, patterns: &str, expected: Option<Expectation>) {
        let text = format!("CORE\nmain.c\n{options}\n{patterns}\n--\n^warning: ignoring\n");
        let found = read(Path::new("dir"), "name", &text).map(|test| test.expected);
        assert_eq!(found, expected, "{text}");
    }

    fn other(why: &str) -> Option<Expectation> {
        Some(Expectation::Other(why.to_owned()))
    }

    #[test]
    fn verdicts_are_read_where_options_keep_the_meaning() {
        let (holds, fails) = ("^EXIT=0$\n^VERIFICATION SUCCESSFUL$", "^VERIFICATION FAILED$");
        let answer = |answer| Some(Expectation::Answer(answer));
        check("", holds, answer(Answer::True));
        check("", fails, answer(Answer::False));
        check("--unwind 3 --overflow-check --32", holds, answer(Answer::True));
        check("--unwind 3 --no-unwinding-assertions", holds, other("a bounded search"));
        check("--context-bound 2", holds, other("a bounded search"));
        check("--context-bound 2", fails, answer(Answer::False));
        check("--unwind 3", fails, other("may fail another check"));
        check("--overflow-check", fails, other("may fail another check"));
        check("--function f", holds, other("option --function"));
        let named = "^\\[main\\.assertion\\.1\\] line 4 x: FAILURE$\n^VERIFICATION FAILED$";
        check("--unwind 3", named, answer(Answer::False));
        let pointer = "^\\[f.pointer_dereference.2\\] .*: FAILURE$\n^VERIFICATION FAILED$";
        check("", pointer, other("fails pointer_dereference"));
        check("", "dereference failure\nVERIFICATION FAILED", other("fails dereference failure"));
        check("--show-vcc", "^EXIT=0$", None);
    }

    #[test]
    fn programs_have_files_and_macros() {
        let text = "CORE\nmain.c other.c\n-DN=3 -I inc --32\n^VERIFICATION FAILED$\n";
        let test = read(Path::new("dir"), "name", text).expect("a test");
        assert_eq!(test.files, [Path::new("dir/main.c"), Path::new("dir/other.c")]);
        assert_eq!(test.arguments, ["-DN=3", "-I", "dir/inc"]);
        assert_eq!(test.data_model, DataModel::Ilp32);
        assert!(
            read(Path::new("dir"), "name", "CORE\nmain.cpp\n\nVERIFICATION FAILED\n").is_none()
        );
    }
}
