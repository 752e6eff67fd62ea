//! `--harness`: the file makes gcc's program fail as the counterexample says, every time.

#[path = "support/assertions.rs"]
mod assertions;
mod support;

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, thread};

use assertions::check_assert;
use ravelin_testkit::fixture::{Fixture, fixtures};
use ravelin_testkit::tier;
use serde_json::Value;
use support::Workbench;

/// Their errors need what memory or a variable holds before anything is written to it: a compiled program has what
/// it has.
const NEED_STALE_VALUES: &[&str] = &[
    "21-array-begun-again.c",
    "23-scalar-begun-again.c",
    "24-stale-local-of-a-call.c",
    "25-stale-object-of-a-call.c",
    "74-local-object-of-a-loop-escapes-not.c",
    "91-stale-array-that-is-tracked.c",
    "92-stale-local-of-a-recursion.c",
    "107-local-begun-again.c",
];

/// Not confirmed by an execution, so that there is none to be made again.
const WITHOUT_EXECUTION: &[&str] = &["99-pointer-defined-elsewhere.c"];

/// Their executions have what a compiled program cannot be given: what functions without body leave in memory, and a
/// copy that is seen half done, or a thread that comes between the accesses of one instruction.
const BEYOND_A_HARNESS: &[&str] = &[
    "410-function-fills-memory.c",
    "411-increment-without-lock.c",
    "412-short-copy-seen-half-done.c",
];

/// Runs of each program in the quick tier, and in the exhaustive one.
const RUNS: [usize; 2] = [2, 100];

const SIGABRT: i32 = 6;

/// Follows the commands at the top of the file, which leave nothing but the program behind.
fn compile(bench: &Workbench, harness: &str) {
    let files = || fs::read_dir(bench.path("")).expect("a directory").count();
    // Programs are compiled again and again into the same file.
    let before = files() - usize::from(bench.path("failing").exists());
    let text = fs::read_to_string(bench.path(harness)).expect("a harness");
    let is_command = |line: &&str| line.starts_with("gcc ") || line.starts_with("rm ");
    let commands = text.lines().map(str::trim).filter(is_command);
    let mut count = 0;
    for command in commands {
        let status = Command::new("sh")
            .args(["-c", command])
            .current_dir(bench.path(""))
            .status()
            .expect("there is a shell");
        assert!(status.success(), "{command}");
        count += 1;
    }
    assert!(count > 0, "{text}");
    assert_eq!(files(), before + 1, "{text}");
}

fn check(fixture: &Fixture) {
    let name = fixture.path.file_name().and_then(|name| name.to_str()).expect("a plain name");
    let bench = Workbench::new();
    bench.file(name, fixture.text().expect("there is the file"));
    let args = [name, "--data-model", "LP64", "--timeout", "60", "--harness", "harness.c"];
    let ran = check_assert(&bench, &args);
    assert_eq!(ran.last_line(), "Verdict: FALSE(unreach-call)", "{name}: {}", ran.stderr);
    assert_eq!(ran.code, Some(1));
    compile(&bench, "harness.c");
    run_to_failure(&bench, name);
}

/// Runs the compiled program several times: it must fail every time.
fn run_to_failure(bench: &Workbench, name: &str) {
    for run in 0..tier::pick(RUNS[0], RUNS[1]) {
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
                    && !BEYOND_A_HARNESS.contains(&&*name)
            })
            .step_by(tier::pick(2, 1))
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
    assert!(counts.iter().all(|&count| count >= 12), "{counts:?}");
}

/// What gcc's sanitizers do not report, or without a line: who called address 0, the least number for `abs`, what gcc
/// folds, and overflow of a bit-field that gcc computes in its own width.
const UNSEEN: &[&str] = &[
    "29-not-a-function-bad.c",
    "16-abs-of-least.c",
    "20-bit-field-of-31-bits.c",
    "21-constant-expression.c",
];

/// Whether gcc's sanitizers are installed.
fn has_sanitizers(bench: &Workbench) -> bool {
    bench.file("probe.c", "int main(void) { return 0; }\n");
    let probe = ["-fsanitize=address,undefined", "probe.c", "-o", "probe"];
    let built = Command::new("gcc").args(probe).current_dir(bench.path("")).output();
    built.is_ok_and(|built| built.status.success())
}

/// The line of the program that a report of a sanitizer names first.
fn reported(report: &str, name: &str) -> Option<u32> {
    report.lines().find_map(|line| {
        let is_place = line.contains("runtime error: ") || line.trim_start().starts_with('#');
        let (_, rest) = line.split_once(&format!("{name}:")).filter(|_| is_place)?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    })
}

/// Whether the sanitizers report the error of a fixture at its line, in the program that the harness makes fail.
fn check_undefined(fixture: &Fixture) -> Result<bool, String> {
    let Some(checked) = &fixture.checked else { return Ok(false) };
    let name = fixture.path.file_name().and_then(|name| name.to_str()).expect("a plain name");
    if UNSEEN.contains(&name) {
        return Ok(false);
    }
    let bench = Workbench::new();
    bench.file(name, fixture.text().expect("there is the file"));
    let properties = checked.properties.to_string();
    let args = [name, "--check", &properties, "--data-model", "LP64", "--timeout", "60"];
    let ran = bench.run(&[&args[..], &["--format", "json", "--harness", "harness.c"]].concat());
    let answer: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    // gcc has no check for memory that is left, and none of addresses beside the order of threads.
    let is_seen = !ran.stderr.contains("the harness does not give the program a check of ");
    if answer["verdict"] != "FALSE" || !is_seen {
        return Ok(false);
    }
    compile(&bench, "harness.c");
    let output = Command::new(bench.path("failing")).stdin(Stdio::null()).output();
    let output = output.expect("the program runs");
    let report = String::from_utf8_lossy(&output.stderr);
    let (line, told) = (answer["place"]["line"].as_u64(), reported(&report, name));
    match told.map(u64::from) == line && line.is_some() {
        true => Ok(true),
        false => Err(format!("{name}: {}\n{told:?} in {report}", answer["summary"])),
    }
}

#[test]
fn sanitizers_report_the_same_error_at_the_same_line() {
    if !has_sanitizers(&Workbench::new()) {
        println!("left out: gcc has no sanitizers for addresses and undefined behaviour here");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    for (dir, least) in [("memory", 12), ("arithmetic", 12)] {
        let all = fixtures(&root.join(dir)).expect("the fixtures can be read");
        let workers = thread::available_parallelism().map_or(1, usize::from);
        let results = thread::scope(|scope| {
            let work = |worker: usize| {
                let mine = all.iter().skip(worker).step_by(workers);
                scope.spawn(move || mine.map(check_undefined).collect::<Vec<_>>())
            };
            let all: Vec<_> = (0..workers).map(work).collect();
            all.into_iter().flat_map(|one| one.join().expect("no panic")).collect::<Vec<_>>()
        });
        let failures: Vec<String> = results.iter().filter_map(|it| it.clone().err()).collect();
        assert!(failures.is_empty(), "{}", failures.join("\n"));
        let count = results.iter().filter(|result| **result == Ok(true)).count();
        assert!(count >= least, "{dir}: only {count} were compared");
    }
}

/// Threads are put in order beside the sanitizer for arithmetic.
#[test]
fn an_overflow_that_needs_two_threads_is_reported() {
    let bench = Workbench::new();
    if !has_sanitizers(&bench) {
        println!("left out: gcc has no sanitizer for undefined behaviour here");
        return;
    }
    let bench = Workbench::new();
    let program = "#include <limits.h>\n#include <pthread.h>\nint x = INT_MAX - 1;\n\
                   void *f(void *a) {\n    if (x < INT_MAX)\n        x = x + 1;\n    return a;\n}\n\
                   int main(void) {\n    pthread_t s, t;\n    pthread_create(&s, 0, f, 0);\n\
                   pthread_create(&t, 0, f, 0);\n    pthread_join(s, 0);\n    pthread_join(t, 0);\n}\n";
    bench.file("limit.c", program);
    let args = ["limit.c", "--check", "overflow", "--data-model", "LP64", "--timeout", "60"];
    let ran = bench.run(&[&args[..], &["--harness", "harness.c"]].concat());
    assert_eq!(ran.last_line(), "Verdict: FALSE(no-overflow)", "{ran:?}");
    compile(&bench, "harness.c");
    for run in 0..tier::pick(RUNS[0], RUNS[1]) {
        let output = Command::new(bench.path("failing")).stdin(Stdio::null()).output();
        let output = output.expect("the program runs");
        let report = String::from_utf8_lossy(&output.stderr);
        assert_eq!(reported(&report, "limit.c"), Some(6), "run {run}: {report}");
    }
}

/// Library functions that threads meet in have the types of the data model.
#[test]
fn programs_with_threads_fail_in_ilp32() {
    let bench = Workbench::new();
    bench.file("probe.c", "int main(void) { return 0; }\n");
    let probe = Command::new("gcc")
        .args(["-m32", "probe.c", "-o", "probe"])
        .current_dir(bench.path(""))
        .output()
        .expect("there is gcc");
    if !probe.status.success() {
        eprintln!("skipped: gcc has no libraries for -m32 here");
        return;
    }
    let text = "#include <pthread.h>
#include <string.h>
extern void reach_error(void);
int x;
char text[8];
void *add(void *arg) {
    x++;
    return arg;
}
int main(void) {
    pthread_t a;
    memset(text, 1, 4);
    memmove(text + 1, text, 3);
    pthread_create(&a, 0, add, 0);
    x++;
    pthread_join(a, 0);
    memcpy(text, text + 4, 2);
    if (x == text[2]) reach_error();
    return 0;
}
";
    bench.file("lost.c", text);
    let args = ["lost.c", "--data-model", "ILP32", "--timeout", "60", "--harness", "harness.c"];
    let ran = check_assert(&bench, &args);
    assert_eq!(ran.last_line(), "Verdict: FALSE(unreach-call)", "{}", ran.stderr);
    compile(&bench, "harness.c");
    run_to_failure(&bench, "lost.c");
}

/// Verifies files with a harness, compiles and runs it.
fn check_files(files: &[(&str, &str)], options: &[&str]) {
    let bench = Workbench::new();
    for (name, text) in files {
        bench.file(name, text);
    }
    let mut args: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    args.extend(["--data-model", "LP64", "--harness", "the harness.c"]);
    args.extend(options);
    let ran = check_assert(&bench, &args);
    assert_eq!(ran.last_line(), "Verdict: FALSE(unreach-call)", "{args:?}: {}", ran.stderr);
    assert!(!ran.stderr.contains("does not give"), "{args:?}: {}", ran.stderr);
    compile(&bench, "the harness.c");
    run_to_failure(&bench, files[0].0);
}

#[test]
fn library_functions_and_main_get_what_they_got() {
    let text = r#"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
extern void ignored(int);
static void reach_error(void) { exit(0); }
int main(int argc, char **argv) {
    char line[8];
    int number = 0;
    if (argc != 3) return 0;
    if (rand() % 7 != 3) return 0;
    if (getchar() != 'q' || getc(stdin) != 'r') return 0;
    if (scanf("%d", &number) != 1 || number != 12) return 0;
    if (!fgets(line, sizeof line, stdin) || line[0] != 'x' || line[1] != 'y') return 0;
    if (time(0) != 5 || clock() != 9) return 0;
    ignored(number);
    reach_error();
    return 0;
}
"#;
    check_files(&[("library.c", text)], &[]);
}

#[test]
fn values_of_every_type_are_given() {
    let text = "
struct pair { int first; long long second; };
struct point { double x; float y; };
struct list { int value; struct list *next; };
extern struct pair get_pair(void);
extern struct point get_point(void);
extern void *__VERIFIER_nondet_pointer(void);
extern long double __VERIFIER_nondet_long_double(void);
extern __int128 __VERIFIER_nondet_int128(void);
extern int defined_nowhere;
void reach_error(void) {}
int main(void) {
    struct pair pair = get_pair();
    if (pair.first != 5 || pair.second != -9) return 0;
    struct point point = get_point();
    if (point.x != 2.5 || point.y != 1.5f) return 0;
    if (__VERIFIER_nondet_long_double() != 2.5L) return 0;
    if (__VERIFIER_nondet_int128() >> 100 != 3) return 0;
    struct list *list = __VERIFIER_nondet_pointer();
    if (!list || list->value != 9 || defined_nowhere) return 0;
    reach_error();
    return 0;
}
";
    check_files(&[("values.c", text)], &[]);
}

#[test]
fn threads_meet_in_library_functions() {
    let text = r#"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int begun, sorted[3], count;
static char text[24];
static void begin(void) { begun++; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void *work(void *arg) {
    pthread_once(&once, begin);
    if (arg) {
        sorted[0] = 3, sorted[1] = 1, sorted[2] = 2;
        qsort(sorted, 3, sizeof *sorted, compare);
        strcpy(text, "longer than that");
    }
    count += 1;
    return 0;
}
int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, work, &one);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    if (begun == 1 && sorted[0] == 1 && strlen(text) == 16 && count == 1) reach_error();
    return 0;
}
"#;
    check_files(&[("threads.c", text)], &[]);
}

#[test]
fn threads_of_c11_are_put_in_order() {
    let text = "
#include <threads.h>
#include <semaphore.h>
extern void reach_error(void);
static mtx_t lock;
static sem_t free_places;
static int count, seen;
static int work(void *arg) {
    mtx_lock(&lock);
    int old = count;
    mtx_unlock(&lock);
    mtx_lock(&lock);
    count = old + 1;
    mtx_unlock(&lock);
    sem_post(&free_places);
    return 5;
}
int main(void) {
    thrd_t one, other;
    int result, value;
    mtx_init(&lock, mtx_plain);
    sem_init(&free_places, 0, 1);
    thrd_create(&one, work, 0);
    thrd_create(&other, work, 0);
    sem_getvalue(&free_places, &value);
    thrd_join(one, &result);
    thrd_join(other, 0);
    if (count == 1 && result == 5 && value == 2) reach_error();
    return 0;
}
";
    check_files(&[("c11.c", text)], &[]);
}

#[test]
fn variables_of_one_name_are_told_apart() {
    let text = "
#include <pthread.h>
extern void reach_error(void);
extern void *work(void *);
extern int others(void);
static int n;
static int one(void) { static int calls = 4; return ++calls; }
static int two(void) { static int calls = 7; return ++calls; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    n++;
    int sum = one() + two() + others();
    pthread_join(thread, 0);
    if (sum == 13 && n == 1 && others() == 1) reach_error();
    return 0;
}
";
    let other = "
static int n;
int others(void) { return n; }
void *work(void *arg) { n++; return 0; }
";
    check_files(&[("names.c", text), ("others.c", other)], &[]);
}

/// gcc accesses more bytes than the program names.
#[test]
fn bit_fields_and_long_doubles_are_put_in_order() {
    let text = "
#include <pthread.h>
extern void reach_error(void);
static struct { unsigned low : 3; unsigned high : 5; } bits;
static long double number;
static void *work(void *arg) {
    bits.high = 7;
    number = 2.5L;
    return 0;
}
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int before = bits.high;
    long double first = number;
    int after = bits.high;
    long double second = number;
    pthread_join(thread, 0);
    if (before == 0 && after == 7 && first == 0 && second == 2.5L) reach_error();
    return 0;
}
";
    check_files(&[("bits.c", text)], &[]);
}

#[test]
fn what_the_program_is_compiled_with_is_repeated() {
    let text = "
#include <five.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    for (int i = 0; i < 1; i++)
        if (__VERIFIER_nondet_int() == FIVE + SIX) reach_error();
    return 0;
}
";
    let bench = Workbench::new();
    fs::create_dir(bench.path("more headers")).expect("a new directory");
    bench.file("more headers/five.h", "#define FIVE 5\n").file("it's a.c", text);
    let args = ["it's a.c", "-Imore headers", "-DSIX=(3 + 3)", "--std=c99"];
    let more = ["--data-model", "LP64", "--harness", "harness.c"];
    assert_eq!(
        check_assert(&bench, &[args, more].concat()).last_line(),
        "Verdict: FALSE(unreach-call)"
    );
    compile(&bench, "harness.c");
    run_to_failure(&bench, "it's a.c");
}

#[test]
fn what_cannot_be_given_is_told() {
    let bench = Workbench::new();
    let text = "
extern void reach_error(void);
int main(void) {
    int stale;
    if (stale == 77) reach_error();
    return 0;
}
";
    bench.file("stale.c", text);
    let ran = check_assert(&bench, &["stale.c", "--data-model", "LP64", "--harness", "harness.c"]);
    assert_eq!(ran.last_line(), "Verdict: FALSE(unreach-call)");
    let what = "what 'stale' holds before anything is assigned to it (stale.c:5:9)";
    assert!(ran.stderr.contains(&format!("does not give the program {what}")), "{}", ran.stderr);
    let harness = fs::read_to_string(bench.path("harness.c")).expect("a harness");
    assert!(harness.contains(what), "{harness}");
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
    assert_eq!(check_assert(&bench, &args).last_line(), "Verdict: FALSE(unreach-call)");
    bench.file("five.c", text.replace("x > 3", "x > 7"));
    compile(&bench, "harness.c");
    let exit_code = || {
        let output = Command::new(bench.path("failing")).output().expect("the program runs");
        output.status.code()
    };
    assert_eq!(exit_code(), Some(2));
    // Nor does one that comes to its end, however it does.
    for end in ["return 0", "_Exit(0)", "abort()"] {
        let other = text.replace("x == 5", "x == 6").replace("return 0", end);
        bench.file("five.c", other);
        compile(&bench, "harness.c");
        assert_eq!(exit_code(), Some(2), "{end}");
    }
}
