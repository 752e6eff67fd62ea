//! The fixtures about memory, compared with gcc's sanitizers: they find an error where the fixture has one.

use std::path::Path;
use std::process::Command;

use ravelin_base::DataModel;
use ravelin_cfa::Property;
use ravelin_testkit::fixture::fixtures;
use ravelin_testkit::gcc::Gcc;

/// The leak sanitizer finds no pointer just past the end of a block, and memory that is tracked it does not report.
const DECIDED_OTHERWISE: [&str; 2] = ["32-moved-good.c", "35-global-cleanup-bad.c"];

#[test]
fn sanitizers_agree() {
    if !Gcc::is_available(DataModel::Lp64) {
        return;
    }
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/memory");
    let scratch = tempfile::tempdir().expect("a directory");
    let (program, mut compared, mut failures) = (scratch.path().join("program"), 0, Vec::new());
    for fixture in fixtures(&dir).expect("the fixtures can be read") {
        let (Some(expected), Some(name)) = (&fixture.run, fixture.path.file_name()) else {
            continue;
        };
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
        if is_error != Property::named(expected).is_some() {
            failures.push(format!("{}: {expected}, but gcc reports {report:?}", name.display()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(compared >= 35, "only {compared} were compared");
}
