//! `--check` and property files: which properties are asked, and how several verdicts are told.

mod support;

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use support::{Ran, Workbench};

const CLEAN: &str = "\
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 10;
    int *p = malloc(sizeof *p);
    *p = (int)n;
    assert(*p + 1 <= 10);
    int q = 100 / (*p + 1);
    free(p);
    return q;
}
";

const NULL: &str = "int main(void) {\n    int *p = 0;\n    return *p;\n}\n";

const OVERFLOW: &str = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    return x + 1;
}
";

const DIVISION: &str = "\
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    return 10 % x;
}
";

/// Two properties are violated.
const TWICE: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x == 3)
        reach_error();
    return 10 / x;
}
";

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.file("clean.c", CLEAN).file("null.c", NULL).file("overflow.c", OVERFLOW);
    bench.file("division.c", DIVISION).file("twice.c", TWICE);
    bench
}

fn formula(text: &str) -> String {
    format!("CHECK( init(main()), LTL({text}) )\n")
}

/// The lines of questions, without their times.
fn verdicts(ran: &Ran) -> Vec<String> {
    let lines = ran.stdout.lines().filter(|line| line.ends_with(" s)"));
    lines.filter_map(|line| Some(line.rsplit_once(" (")?.0.to_owned())).collect()
}

const DEFAULT: [&str; 7] = [
    "unreach-call",
    "valid-deref, valid-free",
    "no-overflow",
    "valid-arithmetic",
    "valid-arguments",
    "valid-init",
    "valid-bounds",
];

/// What is violated of the questions that are asked by default.
const VIOLATED: &[(&str, &[&str])] = &[
    ("int main(void) { return 0; }", &[]),
    (NULL, &["valid-deref"]),
    (OVERFLOW, &["no-overflow"]),
    ("int main(void) { int *p = (int *)8; return *p; }", &["valid-deref"]),
    // Each is reached without the others.
    (
        "#include <assert.h>\n#include <stdlib.h>\n\
         extern int __VERIFIER_nondet_int(void);\n\
         int main(void) {\n\
         int x = __VERIFIER_nondet_int(), *p = malloc(sizeof *p);\n\
         switch (__VERIFIER_nondet_int()) {\n\
         case 1: x = 10 / x; break;\n\
         case 2: x++; break;\n\
         case 3: free(p + 1); break;\n\
         case 4: assert(x != 5); break;\n\
         }\n\
         return x;\n\
         }\n",
        &["unreach-call", "valid-free", "no-overflow", "valid-arithmetic"],
    ),
    // The division is behind an overflow, which ends the executions of its own property alone.
    (
        "extern int __VERIFIER_nondet_int(void);\n\
         int main(void) {\n\
         int x = __VERIFIER_nondet_int();\n\
         int y = x + 1;\n\
         if (x == 2147483647)\n\
         y = 3 / (y - y);\n\
         return y;\n\
         }\n",
        &["no-overflow", "valid-arithmetic"],
    ),
    // Copying over itself ends in the array, and the format is behind it.
    (
        "#include <stdio.h>\n#include <string.h>\n\
         int main(void) {\n\
         char text[8] = \"ab\";\n\
         memcpy(text + 1, text, 3);\n\
         if (text[1] == 'a') printf(\"%d %d\\n\", 1);\n\
         return 0;\n\
         }\n",
        &["valid-arguments"],
    ),
];

#[test]
fn memory_and_arithmetic_are_checked_by_default() {
    let bench = bench();
    for (program, violated) in VIOLATED {
        bench.file("p.c", program);
        let ran = bench.run(&["p.c", "--timeout", "60"]);
        let question = |property: &str| -> usize {
            DEFAULT.iter().position(|names| names.contains(property)).expect("a question")
        };
        let mut expected = DEFAULT.map(|names| format!("{names}: TRUE"));
        for property in *violated {
            let number = question(property);
            expected[number] = format!("{}: FALSE({property})", DEFAULT[number]);
        }
        assert_eq!(verdicts(&ran), expected, "{program}{ran:?}");
        let (last, code) = match violated.first() {
            Some(first) => (format!("Verdict: FALSE({first})"), 1),
            None => ("Verdict: TRUE".to_owned(), 0),
        };
        assert_eq!((ran.last_line(), ran.code), (last.as_str(), Some(code)), "{program}");
        // Each execution ends as the answer says, in the automaton that the command names.
        let replays: Vec<&str> =
            ran.stdout.lines().filter_map(|line| line.strip_prefix("Replay: ravelin ")).collect();
        assert_eq!(replays.len(), violated.len(), "{ran:?}");
        for replay in replays {
            let words = replay.split(' ').map(|word| word.trim_matches('\''));
            let again = bench.run(&words.collect::<Vec<_>>());
            assert_eq!(again.code, Some(1), "{replay}: {again:?}");
        }
    }
}

#[test]
fn questions_that_are_decided_together_show_their_proof_once() {
    let bench = Workbench::new();
    let program = "#include <stdlib.h>\n\
                   struct node { struct node *next; int value; };\n\
                   int main(void) {\n\
                   struct node *list = 0;\n\
                   for (int i = 1; i < 3; i++) {\n\
                   struct node *fresh = malloc(sizeof *fresh);\n\
                   fresh->next = list;\n\
                   fresh->value = i;\n\
                   list = fresh;\n\
                   }\n\
                   int sum = 0;\n\
                   for (; list; list = list->next) sum += 6 / list->value;\n\
                   return sum;\n\
                   }\n";
    bench.file("p.c", program);
    let options = ["--timeout", "60", "--unroll", "0", "--stats", "--check", "memory,arithmetic"];
    let ran = bench.run(&[&["p.c"][..], &options].concat());
    assert_eq!(ran.last_line(), "Verdict: TRUE", "{ran:?}");
    assert_eq!(verdicts(&ran).len(), 2, "{ran:?}");
    let proof: Vec<&str> =
        ran.stdout.lines().filter(|line| line.starts_with("Invariant ")).collect();
    let mut once = proof.clone();
    once.dedup();
    assert!(!proof.is_empty() && proof == once, "{ran:?}");
    assert!(!ran.stdout.contains("](v"), "sizes and lives of objects are no C: {ran:?}");
    let stats = ran.stderr.lines().filter(|line| line.starts_with("stat property "));
    assert_eq!(
        stats.collect::<Vec<_>>(),
        ["stat property valid-deref,valid-free,valid-arithmetic"],
        "{ran:?}"
    );
}

#[test]
fn what_is_not_proved_is_assumed_by_other_answers() {
    let bench = bench();
    let told = bench.run(&["clean.c"]).stderr;
    assert!(told.contains("under assumptions A1, A3, A19, "), "{told}");
    let told = bench.run(&["null.c"]).stderr;
    assert!(told.contains("under assumptions A1, A3, A13, A19, "), "{told}");
    // Nobody asked in particular whether there are divisions.
    assert!(!told.contains("note: valid-arithmetic"), "{told}");
    let told = bench.run(&["null.c", "--check", "arithmetic"]).stderr;
    assert!(told.contains("note: nothing was checked: no division"), "{told}");
}

#[test]
fn a_program_that_is_rejected_has_one_answer() {
    let bench = Workbench::new();
    bench.file("junk.c", "int main(");
    let ran = bench.run(&["junk.c", "--sarif", "out.sarif", "--junit", "out.xml"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("Verdict: UNKNOWN(input rejected)\n", Some(3)));
    let text = fs::read_to_string(bench.path("out.sarif")).expect("a file");
    assert_eq!(text.matches("No answer: input rejected").count(), 1, "{text}");
    let junit = fs::read_to_string(bench.path("out.xml")).expect("a file");
    assert_eq!(junit.matches("<testcase ").count(), 1, "{junit}");
}

#[test]
fn property_files_ask_exactly_their_property() {
    let bench = bench();
    let memory = formula("G valid-free") + &formula("G valid-deref") + &formula("G valid-memtrack");
    bench.file("memory.prp", memory).file("overflow.prp", formula("G ! overflow"));
    bench.file("arithmetic.prp", formula("G valid-arithmetic"));
    for (file, property, verdict, code) in [
        ("null.c", "memory.prp", "FALSE(valid-deref)", 1),
        ("null.c", "overflow.prp", "TRUE", 0),
        ("overflow.c", "overflow.prp", "FALSE(no-overflow)", 1),
        ("overflow.c", "arithmetic.prp", "TRUE", 0),
        ("division.c", "arithmetic.prp", "FALSE(valid-arithmetic)", 1),
        ("clean.c", "memory.prp", "TRUE", 0),
        ("clean.c", "arithmetic.prp", "TRUE", 0),
    ] {
        let ran = bench.run(&[file, "--property", property]);
        let told = (ran.last_line(), ran.code);
        assert_eq!(told, (format!("Verdict: {verdict}").as_str(), Some(code)), "{ran:?}");
        assert_eq!(verdicts(&ran), [""; 0], "one question needs no line of its own: {ran:?}");
    }
}

#[test]
fn each_property_has_its_verdict() {
    let bench = bench();
    let all = "assert,memory,overflow,arithmetic";
    let ran = bench.run(&["clean.c", "--check", all]);
    assert_eq!(
        verdicts(&ran),
        [
            "unreach-call: TRUE",
            "valid-deref, valid-free: TRUE",
            "no-overflow: TRUE",
            "valid-arithmetic: TRUE"
        ]
    );
    assert_eq!((ran.last_line(), ran.code), ("Verdict: TRUE", Some(0)), "{ran:?}");
    // The order is that of properties, not of the command line; names of properties are known, too.
    let ran = bench.run(&["twice.c", "--check", "valid-arithmetic", "--check=leak,assert"]);
    assert_eq!(
        verdicts(&ran),
        [
            "unreach-call: FALSE(unreach-call)",
            "valid-memtrack: TRUE",
            "valid-arithmetic: FALSE(valid-arithmetic)"
        ]
    );
    assert_eq!((ran.last_line(), ran.code), ("Verdict: FALSE(unreach-call)", Some(1)), "{ran:?}");
    // Counterexamples stand below their verdicts.
    let at = |text: &str| ran.stdout.find(text).unwrap_or_else(|| panic!("{text}: {ran:?}"));
    assert!(at("error call reached at twice.c:6:9") < at("valid-memtrack: "));
    assert!(at("valid-arithmetic: ") < at("division by zero at twice.c:7:15"));
    assert!(ran.stderr.contains("note: valid-memtrack: nothing was checked"), "{ran:?}");
}

#[test]
fn a_violation_counts_more_than_what_is_unknown() {
    let bench = bench();
    let ran = bench.run(&["null.c", "--check", "all"]);
    let told = verdicts(&ran);
    assert_eq!(told[1], "valid-deref, valid-free: FALSE(valid-deref)", "{ran:?}");
    assert_eq!(told[8], "no-data-race: TRUE", "{ran:?}");
    assert_eq!(told[9], "no-deadlock: UNKNOWN(property not supported yet)", "{ran:?}");
    assert_eq!((told.len(), ran.code), (11, Some(1)), "{ran:?}");
    assert_eq!(ran.last_line(), "Verdict: FALSE(valid-deref)", "{ran:?}");
    let ran = bench.run(&["clean.c", "--check", "deadlock,assert"]);
    let told = (ran.last_line(), ran.code);
    assert_eq!(told, ("Verdict: UNKNOWN(property not supported yet)", Some(2)), "{ran:?}");
    assert!(ran.stderr.contains("ravelin: next (no-deadlock): "), "{ran:?}");
    assert_eq!(bench.run(&["clean.c", "--check", "nothing"]).code, Some(64));
    bench.file("reach.prp", formula("G ! call(reach_error())"));
    let both = ["clean.c", "--check", "assert", "--property", "reach.prp"];
    assert_eq!(bench.run(&both).code, Some(64));
}

/// Whether there is an object at a pointer from outside, nobody knows; a pointer without value leads to none.
#[test]
fn pointers_from_outside_are_no_violations() {
    let bench = bench();
    let program = |declaration: &str, value: &str| {
        format!("{declaration}\nint main(void) {{ int *p; {value} if (p) return *p; return 0; }}\n")
    };
    bench.file("none.c", program("", ""));
    bench.file("result.c", program("extern int *outside(void);", "p = outside();"));
    bench.file("left.c", program("extern void outside(int **);", "outside(&p);"));
    bench.file(
        "input.c",
        program(
            "extern void *__VERIFIER_nondet_pointer(void);",
            "p = __VERIFIER_nondet_pointer();",
        ),
    );
    let verdict = |file: &str| bench.run(&[file, "--check", "memory"]).last_line().to_owned();
    assert_eq!(verdict("none.c"), "Verdict: FALSE(valid-deref)");
    for file in ["result.c", "left.c", "input.c"] {
        let told = verdict(file);
        assert!(told.starts_with("Verdict: UNKNOWN(unsupported: "), "{file}: {told}");
    }
}

#[test]
fn counterexamples_are_replayed_in_their_automaton() {
    let bench = bench();
    for (file, check) in [("overflow.c", "assert,overflow"), ("division.c", "assert,arithmetic")] {
        let ran = bench.run(&[file, "--check", check]);
        let replay = ran.stdout.lines().find_map(|line| line.strip_prefix("Replay: ravelin "));
        let words: Vec<&str> = replay.expect("a command").split(' ').collect();
        let words: Vec<&str> = words.iter().map(|word| word.trim_matches('\'')).collect();
        let again = bench.run(&words);
        assert_eq!(again.code, Some(1), "{words:?}: {again:?}");
    }
}

#[test]
fn files_have_all_verdicts() {
    let bench = bench();
    let options = ["twice.c", "--format", "json"];
    let files = ["--sarif", "out.sarif", "--junit", "out.xml", "--witness", "out.yml"];
    let ran = bench.run(&[&options[..], &files[..]].concat());
    let answer: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(answer["verdict"], "FALSE");
    assert_eq!(answer["violated"], "unreach-call");
    let all = "unreach-call,valid-deref,valid-free,no-overflow,valid-arithmetic,valid-arguments,valid-init,\
               valid-bounds";
    assert_eq!(answer["property"], all);
    let answers = answer["answers"].as_array().expect("a list");
    let told: Vec<[&Value; 3]> =
        answers.iter().map(|it| [&it["property"], &it["verdict"], &it["violated"]]).collect();
    assert_eq!(
        json!(told),
        json!([
            ["unreach-call", "FALSE", "unreach-call"],
            ["valid-deref,valid-free", "TRUE", null],
            ["no-overflow", "TRUE", null],
            ["valid-arithmetic", "FALSE", "valid-arithmetic"],
            ["valid-arguments", "TRUE", null],
            ["valid-init", "TRUE", null],
            ["valid-bounds", "TRUE", null],
        ])
    );
    assert_eq!(answers[3]["place"]["line"], 7);

    let text = fs::read_to_string(bench.path("out.sarif")).expect("a file");
    let sarif: Value = serde_json::from_str(&text).expect("JSON");
    let run = &sarif["runs"][0];
    let found = run["results"].as_array().expect("results").iter();
    let found: Vec<&Value> = found.map(|result| &result["ruleId"]).collect();
    assert_eq!(found, ["unreach-call", "valid-arithmetic"]);
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    assert_eq!(rules.len(), 8);
    let tags = rules[3]["properties"]["tags"].as_array().expect("tags");
    assert!(tags.contains(&json!("external/cwe/cwe-190")), "{tags:?}");

    let junit = fs::read_to_string(bench.path("out.xml")).expect("a file");
    assert_eq!(junit.matches("<testcase ").count(), 7, "{junit}");
    assert_eq!(junit.matches("<failure ").count(), 2, "{junit}");
    // The witness is of the verdict that stands for all.
    let witness = fs::read_to_string(bench.path("out.yml")).expect("a file");
    assert!(witness.contains("call(reach_error())"), "{witness}");
}

/// Programs that violate a property, and the number of the weakness.
const WEAKNESSES: &[(&str, &str, u16)] = &[
    ("int main(void) { int a[2] = {0}, i = 2; a[i] = 1; return 0; }", "memory", 121),
    ("int main(void) { int a[2] = {0}, i = 2; return a[i]; }", "memory", 126),
    ("int main(void) { int a[2] = {0}, i = -1; return a[i]; }", "memory", 127),
    ("int main(void) { int a[2] = {0}, i = -1; a[i] = 1; return 0; }", "memory", 124),
    ("#include <stdlib.h>\nint main(void) { char *p = malloc(2); p[2] = 1; }", "memory", 122),
    (
        "#include <stdlib.h>\nint main(void) { char *p = malloc(2); free(p); *p = 1; }",
        "memory",
        416,
    ),
    (
        "#include <stdlib.h>\nint main(void) { char *p = malloc(2); free(p); free(p); }",
        "memory",
        415,
    ),
    ("#include <stdlib.h>\nint main(void) { char *p = malloc(2); free(p + 1); }", "memory", 761),
    ("#include <stdlib.h>\nint main(void) { char a, *p = &a; free(p); }", "memory", 590),
    (NULL, "memory", 476),
    ("int main(void) { int *p; { int a = 1; p = &a; } return *p; }", "memory", 825),
    (OVERFLOW, "overflow", 190),
    ("int main(void) { int x; return x; }", "init", 457),
    (
        "struct s { int a[2], b; };\nint main(void) { struct s s; int i = 2; s.a[i] = 1; }",
        "bounds",
        129,
    ),
    ("#include <stdio.h>\nint main(void) { printf(\"%d\"); }", "arguments", 685),
    ("#include <string.h>\nint main(void) { char a[4] = {0}; strcpy(a, a); }", "arguments", 475),
];

#[test]
fn violations_have_their_numbers_in_the_cwe() {
    let bench = Workbench::new();
    for (program, check, number) in WEAKNESSES {
        bench.file("p.c", program);
        let files = ["--sarif", "out.sarif", "--report", "out.html", "--format", "json"];
        let ran = bench.run(&[&["p.c", "--check", check][..], &files].concat());
        let answer: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!(answer["weakness"], *number, "{program}{ran:?}");
        let text = fs::read_to_string(bench.path("out.sarif")).expect("a file");
        let sarif: Value = serde_json::from_str(&text).expect("JSON");
        let tag = format!("external/cwe/cwe-{number}");
        let run = &sarif["runs"][0];
        assert_eq!(run["results"][0]["properties"]["tags"], json!([tag]), "{program}");
        let rules = run["tool"]["driver"]["rules"].to_string();
        assert!(rules.contains(&format!("{tag}\"")), "{rules}");
        // What has an object is drawn.
        let page = fs::read_to_string(bench.path("out.html")).expect("a file");
        let is_drawn = *check == "memory" && *number != 476;
        assert_eq!(page.contains("\"memory\":{\"object\":"), is_drawn, "{program}");
        assert_eq!(answer["memory"].is_object(), is_drawn, "{program}");
    }
}

#[test]
fn many_programs_answer_the_same_questions() {
    let bench = bench();
    let options = ["[nt]*.c", "--check", "assert,memory,arithmetic", "--junit", "out.xml"];
    let ran = bench.run(&options);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(ran.last_line(), "Programs: 2, TRUE: 0, FALSE: 2, UNKNOWN: 0", "{ran:?}");
    let junit = fs::read_to_string(bench.path("out.xml")).expect("a file");
    assert!(junit.contains("tests=\"6\" failures=\"3\""), "{junit}");
}

/// Nothing simple proves that the error is not reached, and no execution reaches it.
const HARD: &str = include_str!("support/hard.c");

#[test]
fn a_hard_question_leaves_time_to_the_others() {
    let bench = bench();
    bench.file("hard.c", HARD);
    let ran = bench.run(&["hard.c", "--check", "assert,memory,arithmetic", "--timeout", "12"]);
    let told = verdicts(&ran);
    assert_eq!(told[0], "unreach-call: UNKNOWN(timeout)", "{ran:?}");
    assert_eq!(told[1..], ["valid-deref, valid-free: TRUE", "valid-arithmetic: TRUE"], "{ran:?}");
    assert_eq!((ran.last_line(), ran.code), ("Verdict: UNKNOWN(timeout)", Some(2)), "{ran:?}");
}

#[test]
fn an_interrupt_keeps_what_is_decided() {
    let bench = Workbench::new();
    bench.file("hard.c", HARD);
    let mut command = bench.command(&["hard.c", "--timeout", "60", "-v"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the binary runs");
    // The other questions are answered before the one that takes most of the time begins.
    let mut stderr = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut line = String::new();
    while !line.contains("the question is unreach-call") {
        line.clear();
        assert_ne!(stderr.read_line(&mut line).expect("text"), 0, "no such question");
    }
    thread::sleep(Duration::from_millis(500));
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    // Nobody may have to wait for a reader.
    let rest = thread::spawn(move || stderr.lines().count());
    let ran = Ran::from(child.wait_with_output().expect("it ends"));
    rest.join().expect("no panic");
    let mut expected = DEFAULT.map(|names| format!("{names}: TRUE"));
    expected[0] = "unreach-call: UNKNOWN(interrupted)".to_owned();
    assert_eq!(verdicts(&ran), expected, "{ran:?}");
    let told = (ran.last_line(), ran.code);
    assert_eq!(told, ("Verdict: UNKNOWN(interrupted)", Some(2)), "{ran:?}");
}
