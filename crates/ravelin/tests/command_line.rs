//! The contract of the command line: what is printed where, and the exit codes.

mod support;
#[path = "support/times.rs"]
mod times;

use expect_test::expect;
use support::{Ran, Workbench};
use times::without_times;

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
        let ran = bench.run(&[args, &["--quiet"]].concat());
        assert_eq!(ran.last_line(), "Verdict: TRUE", "{args:?}: {ran:?}");
        assert_eq!(ran.code, Some(0), "{args:?}");
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
        &["good.c", "--solver", ""],
        &["good.c", "--domain", "explicit", "--refinement", "sp"],
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

const POINTERS: &str = "\
struct pair { int *first; int *second; } s;
int *same(int *x) { return x; }
int main(void) {
    int i = 0, j = 1, *p, *q, *(*call)(int *) = same;
    s.first = &i;
    s.second = &j;
    p = s.first;
    q = call(&j);
    return *p + *q;
}
";

#[test]
fn points_to_sets_alias_pairs_and_equivalence_sets() {
    let bench = Workbench::new();
    bench.file("p.c", POINTERS);
    let ran = bench.run(&["points-to", "p.c", "--data-model", "ILP32"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    expect![[r#"
        points-to sets
          same::x -> {main::j}
          main::p -> {main::i, NULL, (uninitialised)}
          main::q -> {main::j, (uninitialised)}
          main::call -> {same}
          s -> {main::i, NULL}
          s+4 -> {main::j, NULL}
        calls through pointers
          main:8:9 -> {same}
        alias pairs
          (*same::x, main::j)
          (*same::x, *main::q)
          (*same::x, *s+4)
          (*main::p, main::i)
          (*main::p, *s)
          (*main::q, main::j)
          (*main::q, *s+4)
          (*main::call, same)
          (*s, main::i)
          (*s+4, main::j)
        equivalence sets
          {*main::call, same}
          {*main::p, *s, main::i}
          {*same::x, *main::q, *s+4, main::j}
    "#]]
    .assert_eq(&ran.stdout);
}

#[test]
fn points_to_with_every_analysis_and_format() {
    let bench = Workbench::new();
    bench.file("p.c", POINTERS);
    for analysis in ["andersen", "steensgaard", "flow-sensitive"] {
        for (format, begin) in
            [("text", "points-to sets"), ("dot", "digraph"), ("json", "{"), ("none", "")]
        {
            let ran = bench.run(&["points-to", "p.c", "--analysis", analysis, "--format", format]);
            assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{format}: {ran:?}");
            assert!(ran.stdout.starts_with(begin), "{format}: {}", ran.stdout);
            assert_eq!(ran.stdout.is_empty(), format == "none");
        }
    }
    let line = |args: &[&str], name: &str| {
        let ran = bench.run(&[&["points-to", "p.c"], args].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let line = ran.stdout.lines().find(|line| line.trim_start().starts_with(name));
        line.unwrap_or_default().trim().to_owned()
    };
    assert_eq!(
        line(&["--fields", "off"], "main::p"),
        "main::p -> {main::i, main::j, NULL, (uninitialised)}"
    );
    assert_eq!(line(&["--data-model", "LP64"], "s+8"), "s+8 -> {main::j, NULL}");
    let by_type = line(&["--structs", "type", "--context", "2"], "main::q");
    assert_eq!(by_type, "main::q -> {main::j, (uninitialised)}");
    let wrong = bench.run(&["points-to", "p.c", "--context", "3"]);
    assert_eq!(wrong.code, Some(64), "{wrong:?}");
    let stats = bench.run(&["points-to", "p.c", "--stats", "--format", "none", "-o", "out"]);
    assert!(stats.stderr.contains("stat points-to.pointers "), "{stats:?}");
}

#[test]
fn statistics_go_to_standard_error() {
    let bench = Workbench::new();
    bench.file("asm.c", "int main(void) {\n    __asm__(\"hlt\");\n    return fork();\n}\n");
    let ran = bench.run(&["cfa", "asm.c", "--format", "none", "--stats", "--passes", "none"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    for key in [
        "procedures: 1",
        "locations: ",
        "edges: ",
        "unsupported: 1",
        "not modelled (inline assembly): 1",
    ] {
        assert!(ran.stderr.lines().any(|line| line.starts_with(key)), "{key}: {}", ran.stderr);
    }
}

#[test]
fn runs_print_outcome_and_schedule() {
    let bench = Workbench::new();
    bench.file("good.c", GOOD).file("error.c", ASSERTION);
    let good = bench.run(&["run", "good.c"]);
    expect![[r#"
        Outcome: exit 1
        Steps: 2
        Schedule: 0x2
        Replay: ravelin run good.c --schedule 0x2
    "#]]
    .assert_eq(&good.stdout);
    assert_eq!(good.code, Some(0));
    let error = bench.run(&["run", "error.c"]);
    expect![[r#"
        Outcome: error call reached at error.c:3:5
        Steps: 1
        Schedule: 0
        Replay: ravelin run error.c --schedule 0
    "#]]
    .assert_eq(&error.stdout);
    assert_eq!(error.code, Some(1));
}

const LOST_UPDATE: &str = "\
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int printf(const char *, ...);
extern int __VERIFIER_nondet_int(void);
int counter;
void *add(void *unused) { counter++; return 0; }
int main(void) {
    pthread_t one, two;
    printf(\"%d\\n\", __VERIFIER_nondet_int());
    pthread_create(&one, 0, add, 0);
    pthread_create(&two, 0, add, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    printf(\"%d\\n\", counter);
    return counter;
}
";

#[test]
fn schedules_replay() {
    let bench = Workbench::new();
    bench.file("race.c", LOST_UPDATE);
    let mut outputs = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let ran = bench.run(&["run", "race.c", "--seed", &seed.to_string()]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let schedule = ran.stdout.lines().find_map(|line| line.strip_prefix("Schedule: "));
        let schedule = schedule.expect("a schedule is printed");
        let again = bench.run(&["run", "race.c", "--schedule", schedule]);
        assert_eq!(again.stdout, ran.stdout, "seed {seed}");
        bench.file("schedule.txt", format!("{schedule}\n"));
        let from_file = bench.run(&["run", "race.c", "--schedule", "@schedule.txt"]);
        assert_eq!(from_file.stdout, ran.stdout, "seed {seed}");
        outputs.insert(ran.stdout.lines().nth(1).map(str::to_owned));
    }
    let both = [Some("1".to_owned()), Some("2".to_owned())];
    assert_eq!(outputs, both.into(), "the lost update is among the runs, and so is the right one");
}

#[test]
fn schedules_of_other_programs_are_refused() {
    let bench = Workbench::new();
    bench.file("race.c", LOST_UPDATE);
    for schedule in ["0,7x3,0x100", "@nowhere.txt"] {
        let ran = bench.run(&["run", "race.c", "--schedule", schedule]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(3), ""), "{schedule}: {ran:?}");
        assert!(ran.stderr.contains("schedule"), "{schedule}: {}", ran.stderr);
    }
}

#[test]
fn endless_programs_are_stopped() {
    let bench = Workbench::new();
    bench.file("loop.c", "int main(void) {\n    for (;;)\n        ;\n}\n");
    let ever = u64::MAX.to_string();
    for (options, limit) in [
        (["--max-steps", "9", "--timeout", "60"], "step limit"),
        (["--max-steps", &ever, "--timeout", "0.1"], "timeout"),
    ] {
        let ran = bench.run(&[&["run", "loop.c"][..], &options].concat());
        assert_eq!(ran.code, Some(2), "{options:?}: {ran:?}");
        let outcome = format!("Outcome: out of budget: {limit}");
        assert!(ran.stdout.starts_with(&outcome), "{options:?}: {}", ran.stdout);
    }
}

#[test]
fn traces_go_to_standard_error() {
    let bench = Workbench::new();
    bench.file("good.c", GOOD);
    let ran = bench.run(&["run", "good.c", "--trace"]);
    expect![[r#"
        main thread good.c:2:11 main: x.v0 := 1:bv32 // x = 1
        main thread good.c:3:5 main: return x.v0
    "#]]
    .assert_eq(&ran.stderr);
}

#[test]
fn files_are_linked() {
    let bench = Workbench::new();
    bench
        .file("main.c", "extern int f(int);\nint main(void) {\n    return f(VALUE);\n}\n")
        .file("f.c", "#include <f.h>\nint f(int x) {\n    return x + F;\n}\n");
    std::fs::create_dir(bench.path("inc")).expect("writable");
    bench.file("inc/f.h", "#define F 40\n");
    let ran =
        bench.run(&["run", "main.c", "f.c", "-I", "inc", "-DVALUE=2", "--data-model", "LP64"]);
    expect![[r#"
        Outcome: exit 42
        Steps: 3
        Schedule: 0x3
        Replay: ravelin run main.c f.c --data-model LP64 -I inc -D VALUE=2 --schedule 0x3
    "#]]
    .assert_eq(&(ran.stdout + &ran.stderr));
    let alone = bench.run(&["cfa", "main.c", "-D", "VALUE=2"]);
    assert_eq!(alone.code, Some(0), "a function without a body is no error: {alone:?}");
}

#[test]
fn passes_can_be_chosen() {
    let bench = Workbench::new();
    bench.file("race.c", LOST_UPDATE);
    let form = |args: &[&str]| {
        let ran = bench.run(&[&["cfa", "race.c", "--data-model", "ILP32"], args].concat());
        assert_eq!(ran.code, Some(0), "{args:?}: {ran:?}");
        ran.stdout.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(form(&["--passes", "none"]), "program ILP32 source");
    assert_eq!(form(&["--passes", "split-shared-accesses"]), "program ILP32 single");
    assert_eq!(form(&[]), "program ILP32 thread_local");
    assert_eq!(form(&["--blocks", "none"]), "program ILP32 single");
    let ran = bench.run(&["cfa", "race.c", "--passes", "encode-large-blocks"]);
    assert_eq!(ran.code, Some(64), "it needs split accesses: {ran:?}");
    let listed = bench.run(&["cfa", "--list-passes"]);
    assert_eq!((listed.code, listed.stderr.as_str()), (Some(0), ""));
    assert!(listed.stdout.contains("unroll-loops"), "{}", listed.stdout);
}

/// The sessions that the README shows: a command line after `$ ./ravelin`, then its output, where a
/// line `…` stands for any lines.
#[test]
fn readme_shows_real_output() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let readme = std::fs::read_to_string(format!("{root}/README.md")).expect("readable");
    let mut sessions = 0;
    for block in readme.split("```console\n$ ./ravelin ").skip(1) {
        let session = block.split("```").next().unwrap_or_default();
        let (line, shown) = session.split_once('\n').expect("output after the command line");
        let args: Vec<&str> = line.split(' ').collect();
        let output = Workbench::new().command(&args).current_dir(root).output();
        let stdout = without_times(&Ran::from(output.expect("the binary runs")).stdout);
        let shown = without_times(shown);
        let mut rest = stdout.as_str();
        for part in shown.split("…\n") {
            let at = rest.find(part).unwrap_or_else(|| panic!("{line}: not shown:\n{stdout}"));
            rest = &rest[at + part.len()..];
        }
        if !shown.contains("…\n") {
            assert_eq!(stdout, shown, "{line}");
        }
        sessions += 1;
    }
    assert!(sessions >= 4, "only {sessions} sessions found");
}

#[test]
fn presets_are_listed_taken_and_explained() {
    let bench = Workbench::new();
    bench.file("a.c", "extern void reach_error(void); int main(void) { return 0; }");
    let ran = bench.run(&["--list-presets"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(ran.stdout.contains("predicates\n") && ran.stdout.contains("--domain predicate"));
    let ran = bench.run(&["a.c", "--preset", "nonsense"]);
    assert_eq!(ran.code, Some(64));
    assert!(ran.stderr.contains("there is no preset 'nonsense'"), "{}", ran.stderr);
    // What is given counts more than the preset; what does nothing beside it is refused.
    assert_eq!(bench.run(&["a.c", "--preset=values", "--domain", "product"]).code, Some(0));
    assert_eq!(bench.run(&["a.c", "--preset", "values", "--refinement", "sp"]).code, Some(64));
    let ran = bench.run(&["a.c", "--preset", "predicates", "--explain-strategy"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stderr.contains("one thread"), "{}", ran.stderr);
    assert!(ran.stderr.contains("tracks predicates"), "{}", ran.stderr);
}
