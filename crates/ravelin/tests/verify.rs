//! `ravelin verify`: verdicts with their evidence, limits, signals and solvers.

#[path = "support/assertions.rs"]
mod assertions;
mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

use assertions::check_assert;
use expect_test::expect;
use rustix::process::{Pid, Signal, kill_process};
use support::{Ran, Workbench};

/// Few questions, as solvers that are shell scripts read them slowly.
const SQUARE: &str = "\
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n * n == 3)
        reach_error();
    return 0;
}
";

const EQUAL_STEPS: &str = include_str!("support/equal_steps.c");

const COUNTS_TO_NINE: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int steps;
int next(int x) {
    steps = steps - 1;
    return x + 1;
}
int main(void) {
    int unused = __VERIFIER_nondet_int();
    int n = __VERIFIER_nondet_int();
    int i = 0;
    if (n != 9)
        return 0;
    while (i < n)
        i = next(i);
    if (steps == -9)
        reach_error();
    return 0;
}
";

/// No invariant is simple, and the counterexamples are long.
const HARD: &str = include_str!("support/hard.c");

#[test]
fn true_comes_with_invariants() {
    let bench = Workbench::new();
    bench.file("equal.c", EQUAL_STEPS);
    // Without the looks that are short by the clock: which of them finds a proof depends on the machine.
    let ran = check_assert(
        &bench,
        &["equal.c", "-q", "--templates", "off", "--clauses", "off", "--encoding", "lbe"],
    );
    expect![[r#"
        Invariant equal.c:6:12 in main: i == j
        Verdict: TRUE
    "#]]
    .assert_eq(&(ran.stdout + &ran.stderr));
    assert_eq!(ran.code, Some(0));
}

#[test]
fn false_comes_with_a_trace() {
    let bench = Workbench::new();
    bench.file("nine.c", COUNTS_TO_NINE);
    let ran = check_assert(&bench, &["nine.c", "-q"]);
    expect![[r#"
        Counterexample:
          nine.c:9   int unused = __VERIFIER_nondet_int();  // __VERIFIER_nondet_int() = 0, unused = 0
          nine.c:10  int n = __VERIFIER_nondet_int();  // __VERIFIER_nondet_int() = 9, n = 9
          nine.c:11  int i = 0;  // i = 0
          nine.c:12  if (n != 9)
          nine.c:14  while (i < n)
          nine.c:15  i = next(i);
          nine.c:5     steps = steps - 1;  // steps = -1
          nine.c:6     return x + 1;
          nine.c:15  i = next(i);  // i = 1
          nine.c:14  while (i < n)
          nine.c:15  i = next(i);
          nine.c:5     steps = steps - 1;  // steps = -2
          nine.c:6     return x + 1;
          nine.c:15  i = next(i);  // i = 2
          … 6 more rounds …
          nine.c:14  while (i < n)
          nine.c:15  i = next(i);
          nine.c:5     steps = steps - 1;  // steps = -9
          nine.c:6     return x + 1;
          nine.c:15  i = next(i);  // i = 9
          nine.c:14  while (i < n)
          nine.c:16  if (steps == -9)
          nine.c:17  reach_error();
          error call reached at nine.c:17:9
        Replay: ravelin run nine.c --schedule '0x63;v=0,9'
        Verdict: FALSE(unreach-call)
    "#]]
    .assert_eq(&(ran.stdout + &ran.stderr));
    assert_eq!(ran.code, Some(1));
}

/// The command that a verdict FALSE prints, run.
fn replayed(bench: &Workbench, ran: &Ran) -> Ran {
    let line = ran.stdout.lines().find_map(|line| line.strip_prefix("Replay: ravelin "));
    let words = shlex::split(line.unwrap_or_else(|| panic!("no command: {ran:?}")));
    let words = words.expect("words for a shell");
    bench.run(&words.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn counterexamples_replay() {
    let bench = Workbench::new();
    // What nobody needs is not in the automaton that was analysed, but the replay meets it.
    let skipped = "\
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
static int read(int more) {
    int ignored = __VERIFIER_nondet_int();
    return more ? __VERIFIER_nondet_int() : ignored;
}
int main(void) {
    int noise[3] = {__VERIFIER_nondet_int(), 1, 2};
    unsigned char byte = __VERIFIER_nondet_uchar();
    int a = read(1), b = read(0);
    if (byte == 200 && a == -7 && b == 1234 + VALUE)
        reach_error();
    return 0;
}
";
    bench.file("nine.c", COUNTS_TO_NINE).file("skipped it.c", skipped);
    for args in [
        &["nine.c"][..],
        &["nine.c", "--domain", "predicate", "--encoding", "single"],
        &["nine.c", "--data-model", "LP64"],
        &["skipped it.c", "-D", "VALUE=5"],
    ] {
        let ran = check_assert(&bench, args);
        assert_eq!(ran.last_line(), "Verdict: FALSE(unreach-call)", "{args:?}: {ran:?}");
        let again = replayed(&bench, &ran);
        assert_eq!(again.code, Some(1), "{args:?}: {ran:?}\n{again:?}");
        assert!(again.stdout.starts_with("Outcome: error call reached at"), "{again:?}");
    }
}

#[test]
fn time_is_kept() {
    let bench = Workbench::new();
    bench.file("hard.c", HARD);
    let begun = Instant::now();
    let ran = check_assert(&bench, &["hard.c", "--timeout", "2", "--stats"]);
    let elapsed = begun.elapsed();
    assert_eq!((ran.last_line(), ran.code), ("Verdict: UNKNOWN(timeout)", Some(2)), "{ran:?}");
    // On a machine with other work to do, starting alone takes its time.
    assert!(elapsed < Duration::from_millis(2100) + Duration::from_secs(3), "{elapsed:?}");
    assert!(ran.stderr.contains("stat states "), "{ran:?}");
}

#[test]
fn memory_is_kept() {
    let bench = Workbench::new();
    bench.file("hard.c", HARD);
    let ran =
        check_assert(&bench, &["hard.c", "--memory-limit", "40", "--timeout", "60", "--stats"]);
    assert_eq!(
        (ran.last_line(), ran.code),
        ("Verdict: UNKNOWN(out of memory)", Some(2)),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("stat states "), "{ran:?}");
}

#[test]
fn signals_end_in_a_verdict() {
    let bench = Workbench::new();
    bench.file("hard.c", HARD);
    for signal in [Signal::INT, Signal::TERM] {
        let mut command = bench.command(&["hard.c", "--timeout", "60", "--stats"]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.expect("the binary runs");
        std::thread::sleep(Duration::from_millis(1500));
        let begun = Instant::now();
        kill_process(Pid::from_child(&child), signal).expect("it runs");
        let ran = Ran::from(child.wait_with_output().expect("it ends"));
        let seen = (ran.last_line(), ran.code);
        assert_eq!(seen, ("Verdict: UNKNOWN(interrupted)", Some(2)), "{signal:?}: {ran:?}");
        assert!(ran.stderr.contains("stat states "), "{signal:?}: {ran:?}");
        assert!(begun.elapsed() < Duration::from_secs(10), "{signal:?}: {:?}", begun.elapsed());
    }
}

/// A shell script that answers as a solver does until it is to check something.
fn write_solver(bench: &Workbench, name: &str, on_check: &str) {
    let script = format!(
        "#!/bin/sh\n\
         while read -r line; do\n    \
             case $line in\n    \
             '(echo \"'*) line=${{line#*\\\"}}; echo \"${{line%%\\\"*}}\" ;;\n    \
             '(check-sat'*) {on_check} ;;\n    \
             esac\n\
         done\n"
    );
    bench.file(name, script);
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(bench.path(name), mode).expect("writable");
}

#[test]
fn solvers_that_fail_are_named_in_the_verdict() {
    let bench = Workbench::new();
    bench.file("square.c", SQUARE);
    write_solver(&bench, "crash.sh", "echo out of luck >&2; exit 1");
    write_solver(&bench, "maybe.sh", "echo perhaps");
    for (solver, reason) in [
        ("./nowhere", "solver: cannot start the solver ./nowhere: "),
        ("true", "solver: true does not answer as an SMT-LIB solver: "),
        ("./crash.sh", "solver: solver crashed: out of luck"),
        ("./maybe.sh", "solver: unexpected reply of the solver: perhaps"),
    ] {
        let ran = check_assert(&bench, &["square.c", "--solver", solver, "--timeout", "60"]);
        assert_eq!(ran.code, Some(2), "{solver}: {ran:?}");
        let verdict = format!("Verdict: UNKNOWN({reason}");
        assert!(ran.last_line().starts_with(&verdict), "{solver}: {ran:?}");
    }
}

#[test]
fn solvers_do_not_outlive_the_program() {
    let bench = Workbench::new();
    bench.file("equal.c", EQUAL_STEPS);
    write_solver(&bench, "sleepy.sh", "echo $$ >> pids; exec sleep 1000");
    let begun = Instant::now();
    let ran = check_assert(&bench, &["equal.c", "--solver", "./sleepy.sh", "--timeout", "1"]);
    assert_eq!((ran.last_line(), ran.code), ("Verdict: UNKNOWN(timeout)", Some(2)), "{ran:?}");
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    let pids = fs::read_to_string(bench.path("pids")).expect("the solver was asked");
    for pid in pids.lines() {
        let command = fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        assert!(!command.starts_with("sleep"), "{pid} still runs: {command}");
    }
}

#[test]
fn questions_can_be_kept() {
    let bench = Workbench::new();
    bench.file("equal.c", EQUAL_STEPS);
    let ran = check_assert(&bench, &["equal.c", "--dump-smt2", "questions"]);
    assert_eq!(ran.last_line(), "Verdict: TRUE", "{ran:?}");
    let files = fs::read_dir(bench.path("questions")).expect("a directory");
    let mut count = 0;
    for file in files {
        let text = fs::read_to_string(file.expect("readable").path()).expect("readable");
        assert!(text.trim_end().ends_with("(check-sat)"), "{text}");
        count += 1;
    }
    assert!(count > 0);
    bench.file("file", "");
    let ran = check_assert(&bench, &["equal.c", "--dump-smt2", "file/inside"]);
    assert_eq!((ran.last_line(), ran.code), ("Verdict: UNKNOWN(output failed)", Some(74)));
}

#[test]
fn unsupported_operations_are_told_with_their_place() {
    let bench = Workbench::new();
    bench.file("fork.c", "extern int fork(void);\nint main(void) {\n    return fork();\n}\n");
    let ran = check_assert(&bench, &["fork.c"]);
    let verdict = "Verdict: UNKNOWN(unsupported: fork.c:3:12 fork: processes)";
    assert_eq!((ran.last_line(), ran.code), (verdict, Some(2)));
    // What is known to change is no obstacle to a proof, but no execution is shown past it.
    let text = "extern void reach_error(void);\nint main(void) {\n    int x = 1, y = 2;\n    \
        __asm__(\"rcll $1, %0\" : \"+r\"(x));\n    if (y != 2 || x == 3) reach_error();\n    return 0;\n}\n";
    bench.file("asm.c", text).file("proof.c", text.replace(" || x == 3", ""));
    let ran = check_assert(&bench, &["asm.c"]);
    let verdict = "Verdict: UNKNOWN(unsupported: asm.c:4:5 inline assembly)";
    assert_eq!((ran.last_line(), ran.code), (verdict, Some(2)));
    assert_eq!(check_assert(&bench, &["proof.c"]).last_line(), "Verdict: TRUE");
}

const HALF_DONE: &str = "\
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern void *memcpy(void *, const void *, unsigned);
extern void reach_error(void);
struct pair { int a, b, more[3]; } from = {1, 1}, to;
static void *copier(void *unused) {
    memcpy(&to, &from, sizeof to);
    return unused;
}
int main(void) {
    pthread_t thread;
    BEFORE
    pthread_create(&thread, 0, copier, 0);
    AFTER
    return 0;
}
";

/// The copy is one step of the automaton, but another thread can see it half done.
#[test]
fn copies_that_others_may_see_half_done_are_no_proof() {
    let bench = Workbench::new();
    let looks = "int b = to.b, a = to.a; if (b == 1 && a == 0) reach_error();";
    bench.file("half.c", HALF_DONE.replace("BEFORE", "").replace("AFTER", looks));
    let ran = check_assert(&bench, &["half.c"]);
    let reason = "unsupported: half.c:7:5 a copy that other threads may see half done";
    assert_eq!(ran.last_line(), format!("Verdict: UNKNOWN({reason})"));
    // What is done before there are others, nobody sees half done.
    let early = "memcpy(&to, &from, sizeof to);";
    let text = HALF_DONE.replace("memcpy(&to, &from, sizeof to);", "to.a = 2;");
    bench.file("early.c", text.replace("BEFORE", early).replace("AFTER", ""));
    assert_eq!(check_assert(&bench, &["early.c"]).last_line(), "Verdict: TRUE");
}
