//! `--harness`: the file makes gcc's program fail as the counterexample says, every time.

mod support;

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, thread};

use ravelin_testkit::fixture::{Fixture, fixtures};
use support::Workbench;

/// Their errors need what memory or a variable holds before anything is written to it, or an object of the
/// environment: a compiled program has what it has.
const NEED_STALE_VALUES: &[&str] = &[
    "21-array-begun-again.c",
    "23-scalar-begun-again.c",
    "24-stale-local-of-a-call.c",
    "25-stale-object-of-a-call.c",
    "74-local-object-of-a-loop-escapes-not.c",
    "91-stale-array-that-is-tracked.c",
    "92-stale-local-of-a-recursion.c",
    "95-pointer-from-outside.c",
    "107-local-begun-again.c",
];

/// Not confirmed by an execution, so that there is none to be made again.
const WITHOUT_EXECUTION: &[&str] = &["65-copy-of-any-length.c", "99-pointer-defined-elsewhere.c"];

/// What gcc's thread sanitizer does not tell of: accesses to atomic structs.
const NOT_PUT_IN_ORDER: &[&str] = &["114-two-readings-of-an-atomic-struct.c"];

/// Runs of each program; `RAVELIN_RUNS` gives another number.
const RUNS: usize = 3;

const SIGABRT: i32 = 6;

/// Follows the commands at the top of the file.
fn compile(bench: &Workbench, harness: &str) {
    let text = fs::read_to_string(bench.path(harness)).expect("a harness");
    let commands = text.lines().map(str::trim).filter(|line| line.starts_with("gcc "));
    let mut count = 0;
    for command in commands {
        let command = format!("{command} -lm");
        let status = Command::new("sh")
            .args(["-c", &command])
            .current_dir(bench.path(""))
            .status()
            .expect("there is a shell");
        assert!(status.success(), "{command}");
        count += 1;
    }
    assert!(count > 0, "{text}");
}

fn check(fixture: &Fixture) {
    let name = fixture.path.file_name().and_then(|name| name.to_str()).expect("a plain name");
    let bench = Workbench::new();
    bench.file(name, fs::read(&fixture.path).expect("there is the file"));
    let args = [name, "--data-model", "LP64", "--timeout", "60", "--harness", "harness.c"];
    let ran = bench.run(&args);
    assert_eq!(ran.last_line(), "Verdict: FALSE(unreach-call)", "{name}: {}", ran.stderr);
    assert_eq!(ran.code, Some(1));
    compile(&bench, "harness.c");
    let runs = std::env::var("RAVELIN_RUNS").ok().and_then(|runs| runs.parse().ok());
    for run in 0..runs.unwrap_or(RUNS) {
        let output = Command::new(bench.path("failing"))
            .stdin(Stdio::null())
            .output()
            .expect("the program runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.signal(), Some(SIGABRT), "{name}, run {run}: {message}");
    }
}

#[test]
fn programs_fail_as_counterexamples_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut counts = Vec::new();
    for dir in ["verify", "concurrency"] {
        let all = fixtures(&root.join(dir)).expect("the fixtures can be read");
        let chosen: Vec<Fixture> = all
            .into_iter()
            .filter(|fixture| {
                let name = fixture.path.file_name().unwrap_or_default().to_string_lossy();
                fixture.verdict.as_deref() == Some("FALSE")
                    && fixture.options.is_empty()
                    && !NEED_STALE_VALUES.contains(&&*name)
                    && !WITHOUT_EXECUTION.contains(&&*name)
                    && !NOT_PUT_IN_ORDER.contains(&&*name)
            })
            .collect();
        counts.push(chosen.len());
        let workers = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            for worker in 0..workers {
                let mine = chosen.iter().skip(worker).step_by(workers);
                scope.spawn(move || mine.for_each(check));
            }
        });
    }
    assert!(counts.iter().all(|&count| count >= 15), "{counts:?}");
}

/// A program that is not the one of the counterexample does not fail in its place.
#[test]
fn another_program_is_noticed() {
    let bench = Workbench::new();
    let text = "\
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 3);
    if (x == 5) reach_error();
    return 0;
}
";
    bench.file("five.c", text);
    let args = ["five.c", "--data-model", "LP64", "--harness", "harness.c"];
    assert_eq!(bench.run(&args).last_line(), "Verdict: FALSE(unreach-call)");
    bench.file("five.c", text.replace("x > 3", "x > 7"));
    compile(&bench, "harness.c");
    let output = Command::new(bench.path("failing")).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(2));
}
