//! Counterexamples of programs with threads: told, written to files, and made again from these.

#[path = "support/assertions.rs"]
mod assertions;
mod support;

use std::fs;
use std::path::Path;

use assertions::check_assert;
use ravelin_testkit::fixture::fixtures;
use support::{Ran, Workbench};

const LOST_UPDATE: &str = "\
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int counter;
static void *increment(void *unused) {
    counter++;
    return unused;
}
int main(void) {
    pthread_t one, two;
    int first = __VERIFIER_nondet_int();
    if (first != 40)
        return 0;
    counter = first;
    pthread_create(&one, 0, increment, 0);
    pthread_create(&two, 0, increment, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    if (counter WRONG 42)
        reach_error();
    return 0;
}
";

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.file("lost.c", LOST_UPDATE.replace("WRONG", "!="));
    bench.file("fine.c", LOST_UPDATE.replace("WRONG", ">"));
    bench
}

/// Objects are told by the lines that allocate them, with one thread as with several.
#[test]
fn allocated_objects_have_names() {
    let bench = Workbench::new();
    bench.file(
        "list.c",
        "#include <stdlib.h>
extern void reach_error(void);
struct node { int value; struct node *next; };
int main(void) {
    struct node *head = 0;
    for (int i = 1; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->next = head;
        head = n;
    }
    if (head->next->value == 1)
        reach_error();
    return 0;
}
",
    );
    let ran = check_assert(&bench, &["list.c"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for told in ["// n = &heap:7#2", "// heap:7#2 = 2", "// heap:7#2+8 = &heap:7\n"] {
        assert!(ran.stdout.contains(told), "{told} is not in:\n{}", ran.stdout);
    }
    assert!(!ran.stdout.contains("object"), "{}", ran.stdout);
}

/// The command that a verdict FALSE prints, run.
fn replayed(bench: &Workbench, ran: &Ran) -> Ran {
    let line = ran.stdout.lines().find_map(|line| line.strip_prefix("Replay: ravelin "));
    let words = shlex::split(line.unwrap_or_else(|| panic!("no command: {ran:?}")));
    let words = words.expect("words for a shell");
    bench.run(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

fn check_error(ran: &Ran) {
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let outcome = ran.stdout.lines().find(|line| line.starts_with("Outcome: "));
    assert_eq!(outcome, Some("Outcome: error call reached at lost.c:22:9"), "{ran:?}");
}

#[test]
fn threads_have_columns_and_the_command_replays() {
    let bench = bench();
    for args in [&[][..], &["--explore", "off"], &["--por", "none"]] {
        let ran = check_assert(&bench, &[&["lost.c", "--quiet"], args].concat());
        assert_eq!((ran.last_line(), ran.code), ("Verdict: FALSE(unreach-call)", Some(1)));
        let header = ran.stdout.lines().find(|line| line.trim_start().starts_with("line "));
        let names: Vec<&str> = header.expect("a header").split('│').map(str::trim).collect();
        assert_eq!(names.len(), 3, "{args:?}: {ran:?}");
        assert!(names[0].ends_with("main"), "{names:?}");
        assert_eq!(names[1..], ["increment 1", "increment 2"]);
        for told in ["nondet_int() = 40", "R counter = 40", "W counter = 41"] {
            assert!(ran.stdout.contains(told), "{args:?}: {told}: {ran:?}");
        }
        assert_eq!(ran.stderr, "");
        check_error(&replayed(&bench, &ran));
    }
}

#[test]
fn schedules_in_files_replay() {
    let bench = bench();
    let ran = check_assert(&bench, &["lost.c", "--schedule-out", "way"]);
    assert_eq!(ran.last_line(), "Verdict: FALSE(unreach-call)", "{ran:?}");
    let text = fs::read_to_string(bench.path("way")).expect("a file");
    assert!(text.starts_with("# An execution"), "{text}");
    assert!(text.contains("ravelin run lost.c --schedule @FILE"), "{text}");
    check_error(&bench.run(&["run", "lost.c", "--schedule", "@way"]));
    check_error(&bench.run(&["run", "--schedule", "way", "lost.c"]));
    // Of another program it is refused, and so is what is no schedule.
    bench.file("other.c", "int main(void) { return 0; }");
    let ran = bench.run(&["run", "other.c", "--schedule", "@way"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    bench.file("spoilt", text + "what?\n");
    let ran = bench.run(&["run", "lost.c", "--schedule", "spoilt"]);
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("schedule 'spoilt'"), "{ran:?}");
    let ran = bench.run(&["run", "lost.c", "--schedule", "nowhere"]);
    assert_eq!(ran.code, Some(64), "{ran:?}");
}

#[test]
fn files_are_written_for_counterexamples_only() {
    let bench = bench();
    bench.file("way", "old");
    let ran = check_assert(&bench, &["fine.c", "--schedule-out", "way"]);
    assert_eq!(ran.last_line(), "Verdict: TRUE", "{ran:?}");
    assert_eq!(fs::read_to_string(bench.path("way")).expect("readable"), "old");
    // The verdict stands, even if the file cannot be written.
    let ran = check_assert(&bench, &["lost.c", "--schedule-out", "/dev/full"]);
    assert_eq!((ran.last_line(), ran.code), ("Verdict: FALSE(unreach-call)", Some(74)));
    assert!(ran.stderr.contains("cannot write '/dev/full'"), "{ran:?}");
}

#[test]
fn a_program_without_threads_has_a_file_too() {
    let bench = Workbench::new();
    let text = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    if (__VERIFIER_nondet_int() == 1234)
        reach_error();
    return 0;
}
";
    bench.file("one.c", text);
    let ran = check_assert(&bench, &["one.c", "--schedule-out", "way"]);
    assert!(!ran.stdout.contains('│'), "{ran:?}");
    assert_eq!(bench.run(&["run", "one.c", "--schedule", "@way"]).code, Some(1));
}

/// Every fixture with threads that has an error: verified, and made again from the file.
#[test]
fn counterexamples_of_fixtures_replay() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let bench = Workbench::new();
    let (mut checked, mut failures) = (0, Vec::new());
    for fixture in fixtures(&dir).expect("the fixtures can be read") {
        let text = fixture.text().expect("readable");
        let starts_threads = ["pthread_create", "thrd_create"].iter().any(|it| text.contains(it));
        // Where the error depends on what another file does, there is no execution to be shown.
        let is_elsewhere = fixture.path.components().any(|part| part.as_os_str() == "environment");
        if fixture.verdict.as_deref() != Some("FALSE") || !starts_threads || is_elsewhere {
            continue;
        }
        let mut program = vec![fixture.path.to_str().expect("a plain path")];
        program.extend(fixture.parts.iter().map(|part| part.to_str().expect("a plain path")));
        program.extend(fixture.options.iter().map(String::as_str));
        let verify = [&program[..], &["--timeout", "120", "--schedule-out", "way"]].concat();
        let verified = check_assert(&bench, &verify);
        let run = [&["run"][..], &program, &["--schedule", "@way"]].concat();
        let ran = bench.run(&run);
        checked += 1;
        if verified.last_line() != "Verdict: FALSE(unreach-call)" || ran.code != Some(1) {
            failures.push(format!("{}:\n{verified:?}\n{ran:?}", fixture.path.display()));
        }
        // It may not be there; and must not stay for the next.
        let _ = fs::remove_file(bench.path("way"));
    }
    assert!(failures.is_empty(), "{} of {checked}:\n{}", failures.len(), failures.join("\n"));
    assert!(checked >= 20, "only {checked} programs");
}
