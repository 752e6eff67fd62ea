//! The contract of the command line: what is printed where, and the exit codes.

mod support;

use expect_test::expect;
use support::Workbench;

const GOOD: &str = "int main(void) {\n    int x = 1;\n    return x;\n}\n";
const ASSERTION: &str = "extern void reach_error(void);\n\
                         int main(void) {\n    reach_error();\n    return 0;\n}\n";
const REACHABILITY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

#[test]
fn verdict_is_the_last_line() {
    let bench = Workbench::new();
    bench.file("good.c", GOOD).file("reach.prp", REACHABILITY);
    for args in [
        &["good.c"][..],
        &["verify", "good.c"],
        &["--data-model", "LP64", "good.c"],
        &[
            "verify",
            "good.c",
            "--property",
            "reach.prp",
            "--timeout",
            "60",
            "--memory-limit",
            "4000",
        ],
    ] {
        let ran = bench.run(args);
        assert_eq!(ran.last_line(), "Verdict: UNKNOWN(no analysis yet)", "{args:?}: {ran:?}");
        assert_eq!(ran.code, Some(2), "{args:?}");
        assert_eq!(ran.stderr, "", "{args:?}");
    }
}

#[test]
fn other_properties_are_unknown() {
    let bench = Workbench::new();
    bench.file("good.c", GOOD).file("end.prp", "CHECK( init(main()), LTL(F end) )\n");
    let ran = bench.run(&["verify", "good.c", "--property", "end.prp"]);
    assert_eq!(ran.stdout, "Verdict: UNKNOWN(property not supported yet)\n");
    assert_eq!(ran.code, Some(2));
}

#[test]
fn limits_end_in_a_verdict() {
    let bench = Workbench::new();
    bench.file("good.c", GOOD);
    let ran = bench.run(&["good.c", "--timeout", "0"]);
    assert_eq!((ran.last_line(), ran.code), ("Verdict: UNKNOWN(timeout)", Some(2)), "{ran:?}");
}

#[test]
fn wrong_usage() {
    let bench = Workbench::new();
    bench.file("good.c", GOOD);
    for args in [
        &[][..],
        &["verify"],
        &["verify", "good.c", "--no-such-option"],
        &["good.c", "--data-model", "LLP64"],
        &["good.c", "--timeout", "never"],
        &["cfa", "good.c", "--format", "pdf"],
        &["cfa", "good.c", "--passes", "no_such_pass"],
        &["run", "good.c", "--schedule", "no schedule at all"],
    ] {
        let ran = bench.run(args);
        assert_eq!(ran.code, Some(64), "{args:?}: {ran:?}");
        assert_eq!(ran.stdout, "", "{args:?}");
        assert!(!ran.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn help_and_version() {
    let bench = Workbench::new();
    for args in [&["--help"][..], &["-h"], &["help"], &["help", "run"], &["verify", "--help"]] {
        let ran = bench.run(args);
        assert_eq!(ran.code, Some(0), "{args:?}");
        assert!(ran.stdout.contains("Usage: ravelin"), "{args:?}: {}", ran.stdout);
        assert_eq!(ran.stderr, "", "{args:?}");
    }
    let version = bench.run(&["--version"]);
    assert_eq!(version.stdout, format!("ravelin {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(version.code, Some(0));
}

#[test]
fn automaton_in_every_format() {
    let bench = Workbench::new();
    bench.file("good.c", GOOD);
    for (format, begin) in [("text", "program"), ("dot", "digraph"), ("json", "{"), ("none", "")] {
        let ran = bench.run(&["cfa", "good.c", "--format", format]);
        assert_eq!(ran.code, Some(0), "{format}: {ran:?}");
        assert!(ran.stdout.starts_with(begin), "{format}: {}", ran.stdout);
        assert_eq!(ran.stdout.is_empty(), format == "none");
        assert_eq!(ran.stderr, "", "{format}");
        let written = bench.run(&["cfa", "good.c", "--format", format, "-o", "out"]);
        assert_eq!((written.code, written.stdout.as_str()), (Some(0), ""));
        let contents = std::fs::read_to_string(bench.path("out")).expect("written");
        assert_eq!(contents, ran.stdout, "{format}");
    }
}

#[test]
fn statistics_go_to_standard_error() {
    let bench = Workbench::new();
    bench.file("asm.c", "int main(void) {\n    __asm__(\"nop\");\n    return 0;\n}\n");
    let ran = bench.run(&["cfa", "asm.c", "--format", "none", "--stats", "--passes", "none"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    for key in ["procedures: 1", "locations: ", "edges: ", "unsupported (inline assembly): 1"] {
        assert!(ran.stderr.lines().any(|line| line.starts_with(key)), "{key}: {}", ran.stderr);
    }
}

#[test]
fn runs_print_outcome_and_schedule() {
    let bench = Workbench::new();
    bench.file("good.c", GOOD).file("error.c", ASSERTION);
    let good = bench.run(&["run", "good.c"]);
    expect![[""]].assert_eq(&good.stdout);
    assert_eq!(good.code, Some(0));
    let error = bench.run(&["run", "error.c"]);
    expect![[""]].assert_eq(&error.stdout);
    assert_eq!(error.code, Some(1));
}
