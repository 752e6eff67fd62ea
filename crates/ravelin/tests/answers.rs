//! What comes with an answer: files, a summary, and what is told on the way.

mod support;

use std::fs;
use std::time::{Duration, Instant};

use expect_test::expect;
use support::Workbench;

const WRONG: &str = "\
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    if (__VERIFIER_nondet_int() == 5)
        reach_error();
    return 0;
}
";

const RIGHT: &str = "int main(void) { return 0; }\n";

/// Nothing simple proves it, and no execution is an error.
const HARD: &str = include_str!("support/hard.c");

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.file("wrong.c", WRONG).file("right.c", RIGHT).file("hard.c", HARD);
    bench
}

#[test]
fn a_summary_says_what_was_checked_and_relied_on() {
    let bench = bench();
    let ran = bench.run(&["right.c"]);
    expect![[r#"
        ravelin: checked whether an execution calls reach_error() or fails an assertion; accesses memory outside of live objects; frees what is no live heap object; overflows in signed arithmetic; divides by zero or shifts by an invalid amount; calls a library function with arguments that it forbids; reads a local variable before it has a value; indexes an array in an object out of its bounds: right.c (LP64, as cc compiles)
        ravelin: under assumptions A1, A3, A19, A25 and others (docs/assumptions.md; -v tells them); other properties were not checked
        ravelin: note: unreach-call: nothing was checked: no assertion and no error call is in the code that main calls (NDEBUG leaves assertions out)
    "#]]
    .assert_eq(&ran.stderr);
    assert_eq!(bench.run(&["right.c", "--quiet"]).stderr, "");
    let ran = bench.run(&["right.c", "--verbose", "--data-model", "LP64"]);
    for told in [
        "right.c (LP64, as asked)",
        "The program has one thread",
        "an engine runs only if something else bars the proof",
        "A3. malloc",
        "not checked: ",
    ] {
        assert!(ran.stderr.contains(told), "{told}: {}", ran.stderr);
    }
    assert_eq!(bench.run(&["right.c", "--verbose", "--quiet"]).code, Some(64));
}

#[test]
fn verbose_runs_show_the_checks_that_ranges_leave() {
    let bench = Workbench::new();
    let text = "extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 100)
        n = n - 1;
    return n + 1;
}
";
    bench.file("sum.c", text);
    let ran = bench.run(&["sum.c", "--verbose", "--check", "overflow", "--data-model", "LP64"]);
    let left: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("check left")).collect();
    // The sum is at most INT_MAX.
    assert_eq!(left, [] as [&str; 0], "{}", ran.stderr);
    bench.file("sum.c", text.replace("n > 100", "n < 100"));
    let ran = bench.run(&["sum.c", "--verbose", "--check", "overflow", "--data-model", "LP64"]);
    let left: Vec<&str> = ran.stderr.lines().filter(|line| line.contains("check left")).collect();
    let [first, second] = left[..] else { panic!("{}", ran.stderr) };
    assert!(first.starts_with("ravelin: check left: sum.c:5:15 signed_overflow in "), "{first}");
    assert!(second.starts_with("ravelin: check left: sum.c:6:14 signed_overflow in "), "{second}");
    let ran = bench.run(&["sum.c", "--check", "overflow", "--data-model", "LP64"]);
    assert!(!ran.stderr.contains("check left"), "{}", ran.stderr);
}

/// TRUE of a program in which nothing is checked, or that never ends, is right and says little.
#[test]
fn a_proof_that_says_less_than_it_seems_is_told() {
    let bench = Workbench::new();
    let head = "extern void reach_error(void), __VERIFIER_assume(int);\nextern int __VERIFIER_nondet_int(void);\n";
    let loops = "unsigned x = 0; while (1) { x = (x + 2) % 10; if (x == 5) reach_error(); }";
    let assumes = |then: &str| {
        format!(
            "int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 70 && x < 90); \
             __VERIFIER_assume(x {then}); if (x == 5) reach_error(); return 0;"
        )
    };
    let nothing = "nothing was checked";
    for (main, vacuity) in [
        ("int x = 1; assert(x == 2); return 0;".to_owned(), Some(nothing)),
        ("int x = 1; if (x == 2) reach_error(); return 0;".to_owned(), None),
        ("int x = 1; if (x != x) reach_error(); return 0;".to_owned(), None),
        (assumes("> 100"), Some("no execution gets past the assumptions")),
        (assumes("> 80"), None),
        (loops.to_owned(), Some("no execution comes to the end of main")),
    ] {
        let text =
            format!("#define NDEBUG\n#include <assert.h>\n{head}int main(void) {{ {main} }}\n");
        bench.file("p.c", &text);
        let ran = bench.run(&["p.c", "--timeout", "60", "--format", "json", "--sarif", "p.sarif"]);
        assert_eq!(ran.code, Some(0), "{main}: {}{}", ran.stdout, ran.stderr);
        let told = |text: &str| vacuity.is_none_or(|vacuity| text.contains(vacuity));
        let sarif = fs::read_to_string(bench.path("p.sarif")).expect("a file");
        assert!(told(&ran.stdout) && told(&ran.stderr) && told(&sarif), "{main}: {}", ran.stderr);
        assert_eq!(ran.stderr.contains("note: "), vacuity.is_some(), "{main}: {}", ran.stderr);
    }
}

/// What a run met before its time was over is the reason why there is no answer.
#[test]
fn a_limit_comes_with_what_was_met() {
    let bench = Workbench::new();
    let met = "    if (__VERIFIER_nondet_uint() == 7 && tan(1.0) > 2)\n        reach_error();\n";
    let text = HARD.replace("    while (i < n) {", &format!("{met}    while (i < n) {{"));
    bench.file("met.c", format!("extern double tan(double);\n{text}"));
    let ran = bench.run(&["met.c", "--timeout", "2"]);
    assert!(
        ran.last_line().starts_with("Verdict: UNKNOWN(timeout; unsupported: met.c:6:"),
        "{}{}",
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn unknown_says_what_to_do_next() {
    let bench = bench();
    let ran = bench.run(&["hard.c", "--timeout", "0.5"]);
    assert_eq!(ran.last_line(), "Verdict: UNKNOWN(timeout)");
    assert!(ran.stderr.contains("next (unreach-call): more time may help"), "{}", ran.stderr);
    let ran = bench.run(&["right.c", "--solver", "no-such-solver"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains(": the command after --solver"), "{}", ran.stderr);
}

#[test]
fn a_limit_leaves_report_and_sarif() {
    let bench = bench();
    fs::write(bench.path("out.html"), "of an older run, FALSE").expect("writable");
    let args = ["hard.c", "--timeout", "0.5", "--report", "out.html", "--sarif", "out.sarif"];
    let ran = bench.run(&args);
    assert_eq!(ran.last_line(), "Verdict: UNKNOWN(timeout)");
    let page = fs::read_to_string(bench.path("out.html")).expect("a page");
    assert!(page.contains("UNKNOWN(timeout)"), "the page is of this run");
    let sarif = fs::read_to_string(bench.path("out.sarif")).expect("a file");
    assert!(sarif.contains("No answer: timeout"), "{sarif}");
}

#[test]
fn places_that_cannot_be_written_are_told_before_the_work() {
    let bench = bench();
    let begun = Instant::now();
    let ran = bench.run(&["hard.c", "--timeout", "30", "--report", "nowhere/out.html"]);
    assert_eq!((ran.code, ran.last_line()), (Some(74), "Verdict: UNKNOWN(output failed)"));
    assert!(
        ran.stderr.contains("cannot write 'nowhere/out.html': there is no such directory"),
        "{}",
        ran.stderr
    );
    assert!(begun.elapsed() < Duration::from_secs(10));
}

#[test]
fn one_file_that_fails_does_not_lose_the_others() {
    let bench = bench();
    let ran = bench.run(&[
        "wrong.c",
        "--witness",
        "/dev/full",
        "--report",
        "out.html",
        "--format",
        "json",
    ]);
    assert_eq!(ran.code, Some(74));
    assert!(ran.stdout.contains("\"exit_code\": 74"), "{}", ran.stdout);
    assert!(fs::read_to_string(bench.path("out.html")).expect("a page").contains("FALSE"));
}

#[test]
fn no_output_replaces_the_program_or_another_output() {
    let bench = bench();
    for args in [
        &["wrong.c", "--harness", "wrong.c"][..],
        &["wrong.c", "--report", "./wrong.c"],
        &["wrong.c", "--witness", "out", "--sarif", "./out"],
    ] {
        let ran = bench.run(args);
        assert_eq!(ran.code, Some(64), "{args:?}: {ran:?}");
        assert_eq!(fs::read_to_string(bench.path("wrong.c")).expect("still there"), WRONG);
        assert!(!bench.path("out").exists());
    }
}
