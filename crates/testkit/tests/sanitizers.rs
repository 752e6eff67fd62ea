//! The fixtures about memory, arguments and bounds, compared with gcc's sanitizers: they find an error where the fixture has one.

use std::path::Path;
use std::process::Command;

use ravelin_base::DataModel;
use ravelin_testkit::fixture::{Fixture, fixtures};
use ravelin_testkit::gcc::Gcc;

/// The leak sanitizer finds no pointer just past the end of a block, and memory that is tracked it does not report.
const DECIDED_OTHERWISE: [&str; 2] = ["32-moved-good.c", "35-global-cleanup-bad.c"];

const TOPICS: [&str; 3] = ["memory", "arguments", "bounds"];

fn of_topic(topic: &str) -> Vec<Fixture> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c").join(topic);
    fixtures(&dir).expect("the fixtures can be read")
}

#[test]
fn sanitizers_agree() {
    if !Gcc::is_available(DataModel::Lp64) {
        return;
    }
    let scratch = tempfile::tempdir().expect("a directory");
    let (program, mut compared, mut failures) = (scratch.path().join("program"), 0, Vec::new());
    for fixture in TOPICS.iter().flat_map(|topic| of_topic(topic)) {
        let (Some(expected), Some(name)) = (&fixture.run, fixture.path.file_name()) else {
            continue;
        };
        if fixture.options.iter().any(|option| option == "ILP32") || expected == "unfit_format" {
            continue;
        }
        if DECIDED_OTHERWISE.iter().any(|other| name == *other) {
            continue;
        }
        let mut gcc = Command::new("gcc");
        gcc.args(["-w", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]);
        let built = gcc.arg(&fixture.path).arg("-o").arg(&program).status();
        if !built.is_ok_and(|status| status.success()) {
            // The libraries of the sanitizers are not installed.
            return;
        }
        let options = ("ASAN_OPTIONS", "detect_stack_use_after_return=1");
        let run = Command::new(&program).env(options.0, options.1).output().expect("it runs");
        let report = String::from_utf8_lossy(&run.stderr);
        let is_error = report.contains("ERROR: ") || report.contains("runtime error: ");
        compared += 1;
        if is_error == expected.starts_with("exit") {
            failures.push(format!("{}: {expected}, but gcc reports {report:?}", name.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(compared >= 57, "only {compared} were compared");
}

/// gcc's warnings are about formats that do not fit.
#[test]
fn warnings_about_formats_agree() {
    if !Gcc::is_available(DataModel::Lp64) {
        return;
    }
    let mut compared = 0;
    for fixture in of_topic("arguments") {
        let text = fixture.text().expect("the fixture can be read");
        let is_about_formats = text.contains("<stdio.h>") || text.contains("sprintf");
        if !is_about_formats || fixture.options.iter().any(|option| option == "ILP32") {
            continue;
        }
        let mut gcc = Command::new("gcc");
        gcc.args(["-Werror=format", "-Wno-format-extra-args", "-Wno-builtin-declaration-mismatch"]);
        let built = gcc.args(["-fsyntax-only"]).arg(&fixture.path).output().expect("gcc runs");
        let has_error = match (&fixture.run, &fixture.outcomes) {
            (Some(run), _) => run == "unfit_format",
            // What is not reached is warned about as well.
            (None, _) => true,
        };
        let own = text.contains("defines the function");
        compared += 1;
        let report = String::from_utf8_lossy(&built.stderr);
        assert!(own || built.status.success() != has_error, "{}: {report}", fixture.path.display());
    }
    assert!(compared >= 12, "only {compared} were compared");
}
