//! `--witness` and `ravelin replay`: what is written is confirmed, and what is wrong is rejected.

#[path = "support/assertions.rs"]
mod assertions;
mod support;

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::thread;

use assertions::check_assert;
use expect_test::expect;
use ravelin_testkit::fixture::{Fixture, fixtures};
use ravelin_testkit::tier;
use ravelin_witness::form;
use support::Workbench;

const LAST_LINES: [&str; 2] = ["Witness: confirmed", "Witness: rejected"];

/// Replays a witness of a program; whether it is confirmed.
fn is_confirmed(bench: &Workbench, witness: &str, files: &[&str]) -> bool {
    let args = [&["replay", witness, "--timeout", "60"], files].concat();
    let ran = bench.run(&args);
    let last = ran.last_line().to_owned();
    assert!(LAST_LINES.contains(&last.as_str()), "{last}\n{}{}", ran.stdout, ran.stderr);
    let confirmed = last == LAST_LINES[0];
    assert_eq!(ran.code, Some(if confirmed { 0 } else { 1 }));
    confirmed
}

/// Verifies a program, writes a witness and gives its text.
fn witness_of(bench: &Workbench, name: &str, files: &[&str], verdict: &str) -> String {
    let args = [&["--timeout", "60", "--witness", name], files].concat();
    let ran = check_assert(bench, &args);
    assert_eq!(ran.last_line(), verdict, "{files:?}: {}", ran.stderr);
    let text = fs::read_to_string(bench.path(name)).expect("a witness");
    let problems = form::problems(&text);
    assert!(problems.is_empty(), "{files:?}: {problems:?}\n{text}");
    text
}

/// A witness of a violation that `replay` confirms.
fn confirmed_violation(bench: &Workbench, name: &str, program: &str) -> String {
    let args = &[program, "--data-model", "LP64"];
    let text = witness_of(bench, name, args, "Verdict: FALSE(unreach-call)");
    assert!(is_confirmed(bench, name, &[program]), "{text}");
    text
}

/// Fixtures that are answered FALSE elsewhere, not here: without a confirmed execution there is no witness.
const WITHOUT_EXECUTION: &[&str] = &["99-pointer-defined-elsewhere.c"];

fn check_fixture(fixture: &Fixture, format: &str) {
    let path = fixture.path.canonicalize().expect("there is the file");
    let path = path.to_str().expect("a plain name");
    let bench = Workbench::new();
    let verdict = match fixture.verdict.as_deref() {
        Some("TRUE") => "Verdict: TRUE",
        _ => "Verdict: FALSE(unreach-call)",
    };
    let name = format!("witness.{format}");
    let text = witness_of(&bench, &name, &[path], verdict);
    assert!(is_confirmed(&bench, &name, &[path]), "{path}: rejected\n{text}");
}

/// Held by whoever uses all processors: what is proved within the time must not depend on who else does.
static PROCESSORS: Mutex<()> = Mutex::new(());

/// Fixtures of a verdict in these directories, on all processors.
fn check_fixtures(dirs: &[&str], verdict: &str, every: usize) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut chosen = Vec::new();
    for dir in dirs {
        let all = fixtures(&root.join(dir)).expect("the fixtures can be read");
        chosen.extend(all.into_iter().filter(|fixture| {
            let name = fixture.path.file_name().unwrap_or_default().to_string_lossy();
            fixture.verdict.as_deref() == Some(verdict)
                && fixture.options.is_empty()
                && !WITHOUT_EXECUTION.contains(&&*name)
        }));
    }
    let chosen: Vec<&Fixture> = chosen.iter().step_by(every).collect();
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let _alone = PROCESSORS.lock();
    thread::scope(|scope| {
        for worker in 0..workers {
            let mine = chosen.iter().enumerate().skip(worker).step_by(workers);
            scope.spawn(move || {
                for (number, fixture) in mine {
                    check_fixture(fixture, if number % 3 == 0 { "graphml" } else { "yml" });
                }
            });
        }
    });
    chosen.len()
}

#[test]
fn witnesses_of_violations_are_confirmed() {
    assert!(check_fixtures(&["verify", "concurrency"], "FALSE", tier::pick(4, 1)) > 15);
}

#[test]
fn witnesses_of_proofs_are_confirmed() {
    assert!(check_fixtures(&["verify"], "TRUE", tier::pick(7, 1)) > 7);
}

const TWO_INPUTS: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    if (x > 10) {
        if (x + y == 12 && y > -3)
            reach_error();
        if (y == 100)
            reach_error();
    }
    return 0;
}
";

#[test]
fn a_violation_in_yaml() {
    let bench = Workbench::new();
    bench.file("two.c", TWO_INPUTS.replace("> 10", "== 11").replace(" && y > -3", ""));
    let text = witness_of(&bench, "w.yml", &["two.c"], "Verdict: FALSE(unreach-call)");
    let content = text.split_once("  content:\n").map(|(_, content)| content);
    expect![[r#"
        - segment:
          - waypoint:
              type: function_return
              action: follow
              location:
                file_name: two.c
                line: 4
                column: 35
                function: main
              constraint:
                value: \result == 11
                format: acsl_expression
        - segment:
          - waypoint:
              type: function_return
              action: follow
              location:
                file_name: two.c
                line: 5
                column: 35
                function: main
              constraint:
                value: \result == 1
                format: acsl_expression
        - segment:
          - waypoint:
              type: target
              action: follow
              location:
                file_name: two.c
                line: 8
                column: 13
                function: main
    "#]]
    .assert_eq(&content.unwrap_or_default().replace("\n  ", "\n").replacen("  - ", "- ", 1));
}

/// Each change makes the witness speak of executions that are none.
#[test]
fn changed_witnesses_are_rejected() {
    let bench = Workbench::new();
    bench.file("two.c", TWO_INPUTS.replace("> 10", "== 11").replace(" && y > -3", ""));
    for name in ["w.yml", "w.graphml"] {
        let text = witness_of(&bench, name, &["two.c"], "Verdict: FALSE(unreach-call)");
        for (from, to) in [("== 11", "== 12"), ("== 1", "== 2"), ("== 11", "!= 11")] {
            bench.file(name, text.replacen(from, to, 1));
            assert!(!is_confirmed(&bench, name, &["two.c"]), "{name}: {from} -> {to}");
        }
        // The other error needs another input.
        let moved = text.replace("line: 8", "line: 10").replace(">8<", ">10<");
        assert_ne!(moved, text);
        bench.file(name, moved);
        assert!(!is_confirmed(&bench, name, &["two.c"]), "{name}: the other error");
    }
}

const LAST_WRITER: &str = include_str!("../../../docs/papers/writers.c");

/// The order of threads is part of what a witness says.
#[test]
fn threads_in_another_order_are_rejected() {
    let bench = Workbench::new();
    bench.file("last.c", LAST_WRITER);
    for name in ["w.yml", "w.graphml"] {
        let text = confirmed_violation(&bench, name, "last.c");
        let swapped = text
            .replace("thread_id: 1", "thread_id: 9")
            .replace("thread_id: 2", "thread_id: 1")
            .replace("thread_id: 9", "thread_id: 2")
            .replace("\"threadId\">1", "\"threadId\">9")
            .replace("\"threadId\">2", "\"threadId\">1")
            .replace("\"threadId\">9", "\"threadId\">2");
        assert_ne!(swapped, text);
        bench.file(name, swapped);
        assert!(!is_confirmed(&bench, name, &["last.c"]), "{name}");
        // Starting a thread is no error, even if one follows.
        let moved = text.replace("line: 14", "line: 10").replace(">14<", ">10<");
        assert_ne!(moved, text);
        bench.file(name, moved);
        assert!(!is_confirmed(&bench, name, &["last.c"]), "{name}");
    }
}

const CALLED_AGAIN: &str = "\
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern void reach_error(void);
int arrived, seen;
int current(int *from) {
    return *from;
}
void *worker(void *arg) {
    arrived++;
    seen = current(&arrived);
    if (seen == 2)
        reach_error();
    return arg;
}
int main(void) {
    pthread_t id;
    for (;;) pthread_create(&id, 0, worker, 0);
}
";

/// A thread comes to a statement before it comes to what is called there; and to the body of a loop as often as
/// it goes round, even if there is no condition to look at.
#[test]
fn arrivals_are_told_when_and_as_often_as_they_happen() {
    let bench = Workbench::new();
    bench.file("again.c", CALLED_AGAIN);
    let args = &["again.c", "--data-model", "LP64"];
    let text = witness_of(&bench, "w.yml", args, "Verdict: FALSE(unreach-call)");
    let lines: Vec<&str> =
        text.lines().filter_map(|line| line.trim().strip_prefix("line: ")).collect();
    let first = |wanted: &str| lines.iter().position(|line| *line == wanted);
    assert!(first("10") < first("6"), "{lines:?}");
    // Each start is told as an arrival and as a call.
    let started = lines.iter().filter(|line| **line == "17").count();
    assert_eq!(started, 2 * text.matches("type: function_enter").count(), "{text}");
    assert!(is_confirmed(&bench, "w.yml", &["again.c"]), "{text}");
}

/// Others write less, and more: conditions that are taken, what holds after an assignment, what is avoided.
#[test]
fn witnesses_of_others_are_understood() {
    let bench = Workbench::new();
    bench.file("two.c", TWO_INPUTS);
    let yaml = |segments: &str| {
        format!(
            "- entry_type: violation_sequence
  metadata:
    format_version: 2.0
    uuid: 5f0e3f6c-8c4e-4dd1-8e2b-000000000000
    creation_time: 2025-01-01T00:00:00+01:00
    producer: {{name: Somebody, version: 3}}
    task: {{input_files: [./dir/two.c], input_file_hashes: {{}}, specification: 'G ! call(reach_error())',
      data_model: ILP32, language: C}}
  content:
{segments}
  - segment:
    - waypoint: {{type: target, action: follow, location: {{file_name: two.c, line: 8}}}}
"
        )
    };
    let waypoint = |kind: &str, action: &str, line: u32, constraint: &str| {
        format!(
            "    - waypoint: {{type: {kind}, action: {action}, location: {{file_name: two.c, line: {line}}}, \
             constraint: {{value: {constraint}, format: c_expression}}}}\n"
        )
    };
    let branch = |line: u32, way: &str| waypoint("branching", "follow", line, way);
    let assumed = |line: u32, what: &str| waypoint("assumption", "follow", line, what);
    let cases: [(String, bool); 6] = [
        (format!("  - segment:\n{}", branch(6, "true")), true),
        (format!("  - segment:\n{}", branch(6, "false")), false),
        (format!("  - segment:\n{}", assumed(6, "x == 14 && y == -2")), true),
        (format!("  - segment:\n{}", assumed(6, "x == 15 && y == -3")), false),
        (
            format!(
                "  - segment:\n{}{}",
                waypoint("assumption", "avoid", 7, "x > 11"),
                branch(6, "true")
            ),
            true,
        ),
        (
            format!(
                "  - segment:\n{}  - segment:\n{}{}",
                branch(6, "true"),
                waypoint("assumption", "avoid", 7, "x < 1000"),
                branch(7, "true"),
            ),
            false,
        ),
    ];
    for (number, (segments, expected)) in cases.iter().enumerate() {
        bench.file("w.yml", yaml(segments));
        assert_eq!(is_confirmed(&bench, "w.yml", &["two.c"]), *expected, "{number}");
    }
    for (value, expected) in [("x == 14;", true), ("x == 3;", false)] {
        let graphml = format!(
            "<?xml version=\"1.0\"?><graphml><graph edgedefault=\"directed\">
             <data key=\"witness-type\">violation_witness</data><data key=\"programfile\">/a/two.c</data>
             <data key=\"architecture\">32bit</data>
             <node id=\"a\"><data key=\"entry\">true</data></node><node id=\"b\"/><node id=\"sink\">
             <data key=\"sink\">true</data></node><node id=\"e\"><data key=\"violation\">true</data></node>
             <edge source=\"a\" target=\"b\"><data key=\"startline\">4</data>
             <data key=\"assumption\">{value}</data></edge>
             <edge source=\"b\" target=\"sink\"><data key=\"startline\">6</data>
             <data key=\"control\">condition-false</data></edge>
             <edge source=\"b\" target=\"e\"><data key=\"startline\">8</data>
             <data key=\"enterFunction\">reach_error</data></edge></graph></graphml>"
        );
        bench.file("w.graphml", graphml);
        assert_eq!(is_confirmed(&bench, "w.graphml", &["two.c"]), expected, "{value}");
    }
}

/// Columns are those of the source, whatever macros stand before them, and what macros make can be told apart.
const MACROS: &str = "\
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define N __VERIFIER_nondet_int()
#define BOTH(x, y) x = N; y = N
atomic_int at;
int shared;
static void *f(void *p) { shared = 1; atomic_store(&at, 1); return NULL; }
static void *g(void *p) { shared = 2; return NULL; }
int main(void) {
    pthread_t t, u;
    int x = N, y = N, v, w;
    BOTH(v, w);
    if (x != 1 || y != 2 || v != 3 || w != 4) return 0;
    pthread_create(&t, NULL, f, NULL); pthread_create(&u, NULL, g, NULL);
    int seen = atomic_load(&at);
    if (seen == 1) assert(shared != 1);
    return 0;
}
";

#[test]
fn macros_do_not_hide_where_things_are() {
    let bench = Workbench::new();
    bench.file("macros.c", MACROS);
    for name in ["w.yml", "w.graphml"] {
        let text = confirmed_violation(&bench, name, "macros.c");
        let changed = text.replacen("result == 2", "result == 7", 1);
        assert_ne!(changed, text, "the second input is told: {text}");
        bench.file(name, changed);
        assert!(!is_confirmed(&bench, name, &["macros.c"]), "{text}");
        if name == "w.yml" {
            // The calls of `pthread_create` end with these columns.
            assert!(text.contains("line: 16\n          column: 37\n"), "{text}");
            assert!(text.contains("line: 16\n          column: 72\n"), "{text}");
        }
    }
}

#[test]
fn floats_are_what_they_were() {
    let bench = Workbench::new();
    let program = "\
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);
int main(void) {
    float f = __VERIFIER_nondet_float();
    double d = __VERIFIER_nondet_double();
    if (f == 0.1f && d == 1e20)
        reach_error();
    return 0;
}
";
    bench.file("floats.c", program);
    let text = witness_of(&bench, "w.yml", &["floats.c"], "Verdict: FALSE(unreach-call)");
    assert!(is_confirmed(&bench, "w.yml", &["floats.c"]), "{text}");
    bench.file("w.yml", text.replace("0.1f", "0.1"));
    assert!(!is_confirmed(&bench, "w.yml", &["floats.c"]), "no float is 0.1: {text}");
}

/// Loops in loops, where what holds at one head does not hold at the other.
const HEADS: [&str; 3] = [
    "\
extern void reach_error(void);
int main(void) {
    int x = 0, even = 1;
    for (;;) {
        do {
            x++;
            if (x > 3)
                x = 0;
        } while (0);
        even = !even;
        if (even != (x % 2 == 0))
            reach_error();
    }
}
",
    "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_int();
    unsigned y = x;
    do {
        if (x != y)
            reach_error();
        x = x + 2;
        y = y + 1;
    } while (x = x - 1, __VERIFIER_nondet_int());
    return 0;
}
",
    "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int s = 0;
    while (__VERIFIER_nondet_int()) {
        s = __VERIFIER_nondet_int();
        if (s < 10)
            break;
retry:
        if (s < 10)
            reach_error();
        if (__VERIFIER_nondet_int())
            goto retry;
        s = 0;
    }
    return 0;
}
",
];

#[test]
fn invariants_are_told_of_the_loops_they_hold_of() {
    let bench = Workbench::new();
    for program in HEADS {
        bench.file("heads.c", program);
        let args = &["heads.c", "--unroll", "0"];
        let text = witness_of(&bench, "w.yml", args, "Verdict: TRUE");
        assert!(is_confirmed(&bench, "w.yml", &["heads.c"]), "{program}\n{text}");
    }
}

/// Lines are those of the files that markers name, and of each file of several.
#[test]
fn places_in_other_files_are_found_again() {
    let bench = Workbench::new();
    let marked = "# 1 \"orig.c\"\nextern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
                  # 40 \"orig.c\"\nint main(void) {\n    int x = __VERIFIER_nondet_int();\n    if (x == 4)\n        \
                  reach_error();\n    return 0;\n}\n";
    let main = "extern int __VERIFIER_nondet_int(void);\nextern void check(int);\n\
                int main(void) {\n    check(__VERIFIER_nondet_int());\n    return 0;\n}\n";
    let part = "extern void reach_error(void);\n\n\n\n\n\n\nvoid check(int x) {\n    if (x == 4)\n        \
                reach_error();\n}\n";
    bench.file("marked.i", marked).file("main.c", main).file("part.c", part);
    for files in [&["marked.i"] as &[&str], &["main.c", "part.c"]] {
        for name in ["w.yml", "w.graphml"] {
            let text = witness_of(&bench, name, files, "Verdict: FALSE(unreach-call)");
            assert!(is_confirmed(&bench, name, files), "{files:?}: {text}");
            bench.file(name, text.replace("== 4", "== 5"));
            assert!(!is_confirmed(&bench, name, files), "{files:?}: {text}");
        }
    }
}

const CHECKS: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void check(int holds) {
    if (!holds)
        reach_error();
}
int half(int x) {
    return x / 2;
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    check(x / 2 <= x || x < 0);
    x = half(x);
    for (int i = 0; i < 2; i++) again: check(x != 7);
    if (x == 8) { x = 7; goto again; }
    return 0;
}
";

/// A target may be the error, or a statement that calls the function it is in, and no other.
#[test]
fn targets_are_where_the_error_happens() {
    let bench = Workbench::new();
    bench.file("checks.c", CHECKS);
    let text = witness_of(&bench, "w.yml", &["checks.c"], "Verdict: FALSE(unreach-call)");
    let last = text.rfind("line: 5\n").expect("the error is in line 5");
    let function = text.rfind("function: check").expect("and in this function");
    for (line, column, expected) in
        [(5, 9, true), (4, 5, true), (12, 5, false), (13, 5, false), (14, 33, true), (14, 40, true)]
    {
        let moved = format!("{}line: {line}\n        column: {column}\n", &text[..last]);
        let moved = moved + "        " + &text[function..];
        bench.file("w.yml", moved);
        assert_eq!(is_confirmed(&bench, "w.yml", &["checks.c"]), expected, "{line}:{column}");
    }
}

const STEPS: &str = include_str!("support/equal_steps.c");

#[test]
fn invariants_are_checked() {
    let bench = Workbench::new();
    bench.file("steps.c", STEPS);
    for name in ["w.yml", "w.graphml"] {
        let text = witness_of(&bench, name, &["steps.c"], "Verdict: TRUE");
        assert!(text.contains("i == j"), "{text}");
        assert!(is_confirmed(&bench, name, &["steps.c"]));
        bench.file(name, text.replace("i == j", "i != 5U"));
        assert!(!is_confirmed(&bench, name, &["steps.c"]), "{name}");
    }
    // A program that is wrong has no witness of being right.
    let text = fs::read_to_string(bench.path("w.yml")).expect("a witness").replace("i != 5U", "1");
    bench.file("w.yml", text).file("steps.c", STEPS.replace("i != j", "i == 3"));
    assert!(!is_confirmed(&bench, "w.yml", &["steps.c"]));
}

#[test]
fn what_is_no_witness_is_refused() {
    let bench = Workbench::new();
    bench.file("two.c", TWO_INPUTS);
    for (text, why) in [
        ("", "there is no entry"),
        ("<graphml><graph/></graphml>", "there is no automaton in it"),
        ("- entry_type: poem\n", "entries of type 'poem' are not supported"),
        ("{]", ""),
        ("<a", "not XML"),
    ] {
        bench.file("w", text);
        let ran = bench.run(&["replay", "w", "two.c"]);
        assert_eq!(ran.code, Some(3), "{text}: {}", ran.stderr);
        assert!(ran.stderr.starts_with("ravelin: witness 'w': "), "{}", ran.stderr);
        assert!(ran.stderr.contains(why), "{text}: {}", ran.stderr);
    }
    assert_eq!(bench.run(&["replay", "none", "two.c"]).code, Some(3));
    assert_eq!(bench.run(&["replay", "w"]).code, Some(64));
}
