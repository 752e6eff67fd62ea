//! Programs that hang, crash, complain or talk nonsense: none of that is ever an answer.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ravelin_smt::smtlib::{SmtLibSolver, StartError};
use ravelin_smt::{Answer, Check, Core, Model};
use ravelin_term::{BinOp, Sort};
use tempfile::TempDir;

use crate::{POINTER_BITS, eq_const, new_pool, var, z3};

/// A shell script that repeats the marks as a solver does, and else does what it is told on checks.
/// `$dir` is a directory that outlives it.
struct Fake {
    directory: TempDir,
}

impl Fake {
    /// `on_check` is run for every check, `on_other` for every other command.
    fn new(on_check: &str, on_other: &str) -> Fake {
        let directory = TempDir::new().expect("a directory");
        let script = format!(
            r#"
dir={}
echo $$ >>$dir/pids
while read -r line; do
    case $line in
    "(echo "*)
        line=${{line#"(echo \""}}
        echo "${{line%"\")"}}"
        ;;
    "(check-sat"*)
        {on_check}
        ;;
    *)
        {on_other}
        ;;
    esac
done
"#,
            directory.path().display()
        );
        fs::write(directory.path().join("solver"), script).expect("written");
        Fake { directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn try_start(&self) -> Result<SmtLibSolver, StartError> {
        SmtLibSolver::start(&["sh".into(), self.path("solver").into()], POINTER_BITS)
    }

    fn start(&self) -> SmtLibSolver {
        self.try_start().unwrap_or_else(|error| panic!("{error}"))
    }

    /// The processes that were started.
    fn pids(&self) -> Vec<String> {
        let pids = fs::read_to_string(self.path("pids")).expect("the script ran");
        pids.lines().map(str::to_owned).collect()
    }
}

#[track_caller]
fn assert_gone(pid: &str) {
    // A zombie would still have its directory.
    assert!(!Path::new("/proc").join(pid).exists(), "process {pid} is still there");
}

#[track_caller]
fn check_unknown(on_check: &str, reason: &str) {
    let fake = Fake::new(on_check, ":");
    let (mut solver, pool) = (fake.start(), &mut new_pool());
    solver.set_timeout(Some(Duration::from_secs(20)));
    let x = var(pool, 0, Sort::Bool);
    solver.assert(pool, x);
    for _ in 0..2 {
        assert_eq!(solver.check(pool, &[x]), Answer::Unknown(reason.to_owned().into()));
        assert_eq!(solver.value(pool, x), None);
        assert_eq!(solver.core(), [0usize; 0]);
    }
    drop(solver);
    for pid in fake.pids() {
        assert_gone(&pid);
    }
}

#[test]
fn errors_are_no_answers() {
    check_unknown(
        r#"echo '(error "line 1: no such thing")'"#,
        "solver error: line 1: no such thing",
    );
    check_unknown("echo '(error)'", "solver error: (error)");
    check_unknown("echo '(error 1 2)'; echo sat", "solver error: (error 1 2)");
}

#[test]
fn an_error_before_the_answer_is_no_answer() {
    let on_other = r#"case $line in "(assert "*) echo '(error "too hard")' ;; esac"#;
    let fake = Fake::new("echo unsat", on_other);
    let (mut solver, pool) = (fake.start(), &mut new_pool());
    let x = var(pool, 0, Sort::Bool);
    assert_eq!(solver.check(pool, &[]), Answer::Unsat);
    solver.assert(pool, x);
    assert_eq!(
        solver.check(pool, &[]),
        Answer::Unknown("solver error: too hard".to_owned().into())
    );
}

#[test]
fn junk_is_no_answer() {
    let junk = |what: &str| format!("unexpected reply of the solver: {what}");
    check_unknown("echo satisfiable", &junk("satisfiable"));
    check_unknown("echo", &junk("nothing"));
    check_unknown("echo sat sat", &junk("sat sat"));
    check_unknown("echo sat unsat", &junk("sat unsat"));
    check_unknown("echo '(sat)'", &junk("(sat)"));
    check_unknown("echo '\"sat\"'", &junk("\"sat\""));
    check_unknown("echo 'sat)'", &junk("unbalanced parenthesis"));
    check_unknown("echo SAT '; perhaps'", &junk("SAT"));
    check_unknown("head -c 100000 /dev/zero | tr '\\0' '('", &junk("expression nested too deep"));
    check_unknown("yes | head -n 100000", &junk("y y y y"));
}

#[test]
fn crashes_are_no_answers_and_tried_twice() {
    check_unknown("echo out of luck >&2; exit 3", "solver crashed: out of luck");
    check_unknown("exit 3", "solver crashed: exit status: 3");
    check_unknown("kill -KILL $$", "solver crashed: signal: 9 (SIGKILL)");
    // An answer without the mark may be that of a process that did not read everything.
    check_unknown("echo unsat; echo bye >&2; exit", "solver crashed: bye");
    let fake = Fake::new("exit", ":");
    fake.start().check(&new_pool(), &[]);
    assert_eq!(fake.pids().len(), 2);
}

#[test]
fn after_one_crash_everything_is_told_again() {
    let on_check = "if [ -e $dir/crashed ]; then echo sat; else touch $dir/crashed; exit 1; fi";
    let fake = Fake::new(on_check, r#"echo "$line" >>$dir/log"#);
    let (mut solver, pool) = (fake.start(), &mut new_pool());
    let terms: Vec<_> = (0..3).map(|index| var(pool, index, Sort::Bool)).collect();
    solver.assert(pool, terms[0]);
    solver.push();
    solver.assert(pool, terms[1]);
    assert_eq!(solver.check(pool, &[terms[2]]), Answer::Sat);
    let log = fs::read_to_string(fake.path("log")).expect("a log");
    let told = |command: &str| log.lines().filter(|&line| line == command).count();
    for command in ["(assert v0.bool)", "(push 1)", "(assert v1.bool)", "(set-logic ALL)"] {
        assert_eq!(told(command), 2, "{command} in\n{log}");
    }
}

#[test]
fn a_check_that_hangs_ends_in_time() {
    let fake = Fake::new("exec sleep 1000", ":");
    let (mut solver, pool) = (fake.start(), &new_pool());
    for _ in 0..2 {
        let limit = Duration::from_millis(300);
        solver.set_timeout(Some(limit));
        let start = Instant::now();
        assert_eq!(solver.check(pool, &[]), Answer::Unknown("timeout".to_owned().into()));
        let elapsed = start.elapsed();
        assert!(elapsed >= limit && elapsed < 10 * limit, "{elapsed:?}");
    }
    for pid in fake.pids() {
        assert_gone(&pid);
    }
}

#[test]
fn a_solver_that_no_longer_reads_ends_in_time() {
    let fake = Fake::new(":", r#"case $line in "(declare-const v0"*) exec sleep 1000 ;; esac"#);
    let (mut solver, pool) = (fake.start(), &mut new_pool());
    // More than fits into a pipe.
    for index in 0..20_000 {
        let x = var(pool, index, Sort::Bool);
        solver.assert(pool, x);
    }
    solver.set_timeout(Some(Duration::from_millis(500)));
    let start = Instant::now();
    assert_eq!(solver.check(pool, &[]), Answer::Unknown("timeout".to_owned().into()));
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn dropping_ends_a_process_that_ignores_its_input() {
    let fake = Fake::new("echo sat; echo ravelin-2; exec sleep 1000", ":");
    let mut solver = fake.start();
    assert_eq!(solver.check(&new_pool(), &[]), Answer::Sat);
    let pids = fake.pids();
    assert!(Path::new("/proc").join(&pids[0]).exists());
    drop(solver);
    assert_gone(&pids[0]);
}

#[test]
fn a_broken_model_is_no_model_and_a_broken_core_is_all() {
    for reply in [
        "echo '((x #x01) (y #x02))'",
        "echo '((x foo))'",
        "echo '(x #x01)'",
        "echo '()'",
        "echo '((x #x0001))'",
        "echo '(error \"no model\")'",
        "exit",
        ":",
    ] {
        let on_other = format!(r#"case $line in "(get-value"*) {reply} ;; esac"#);
        let fake = Fake::new("echo sat", &on_other);
        let (mut solver, pool) = (fake.start(), &mut new_pool());
        let x = var(pool, 0, Sort::Bv(8));
        let claim = eq_const(pool, x, 1);
        solver.assert(pool, claim);
        assert_eq!(solver.check(pool, &[]), Answer::Sat);
        assert_eq!(solver.value(pool, x), None, "{reply}");
    }
    for reply in ["echo '(a0 b)'", "echo '((not a0))'", "echo a0", "echo unsupported", "exit"] {
        let on_other = format!(r#"case $line in "(get-unsat"*) {reply} ;; esac"#);
        let fake = Fake::new("echo unsat", &on_other);
        let (mut solver, pool) = (fake.start(), &mut new_pool());
        let assumptions = [0, 1].map(|index| var(pool, index, Sort::Bool));
        assert_eq!(solver.check(pool, &assumptions), Answer::Unsat);
        assert_eq!(solver.core(), [0, 1], "{reply}");
    }
}

#[test]
fn the_reason_of_an_unknown_answer_is_passed_on() {
    let on_other = r#"case $line in "(get-info"*) echo '(:reason-unknown "too hard")' ;; esac"#;
    let fake = Fake::new("echo unknown", on_other);
    let mut solver = fake.start();
    for _ in 0..2 {
        assert_eq!(solver.check(&new_pool(), &[]), Answer::Unknown("too hard".to_owned().into()));
    }
    assert_eq!(fake.pids().len(), 1);
}

#[test]
fn what_is_no_solver_does_not_start() {
    let start = |command: &[&str]| {
        let command: Vec<OsString> = command.iter().map(OsString::from).collect();
        SmtLibSolver::start(&command, POINTER_BITS).map(|_| ())
    };
    assert!(matches!(start(&[]), Err(StartError::EmptyCommand)));
    assert!(matches!(start(&["no-such-solver-anywhere"]), Err(StartError::Spawn(..))));
    let message = start(&["false"]).expect_err("not a solver").to_string();
    assert_eq!(
        message,
        "false does not answer as an SMT-LIB solver: solver crashed: exit status: 1"
    );
    // It repeats everything, the marks among it.
    assert!(matches!(start(&["cat"]), Err(StartError::NoSolver(..))));
    let fake = Fake::new(":", "echo '(error \"unknown command\")'");
    let message = fake.try_start().map(|_| ()).expect_err("it refuses everything").to_string();
    assert_eq!(message, "sh does not answer as an SMT-LIB solver: solver error: unknown command");
    for pid in fake.pids() {
        assert_gone(&pid);
    }
}

#[test]
fn options_that_are_unsupported_do_not_matter() {
    let on_other = r#"case $line in "(set-option"*) echo unsupported ;; esac"#;
    let fake = Fake::new("echo sat", on_other);
    assert_eq!(fake.start().check(&new_pool(), &[]), Answer::Sat);
}

#[test]
fn another_pointer_width_is_refused() {
    let (mut solver, pool) = (z3(), &ravelin_term::TermPool::new(32));
    assert!(matches!(solver.check(pool, &[]), Answer::Unknown(_)));
}

#[test]
fn after_a_timeout_everything_is_still_asserted() {
    let (mut solver, pool) = (z3(), &mut new_pool());
    let (x, y) = (var(pool, 0, Sort::Bv(128)), var(pool, 1, Sort::Bv(128)));
    let x_is_3 = eq_const(pool, x, 3);
    let y_is_5 = eq_const(pool, y, 5);
    solver.assert(pool, x_is_3);
    solver.push();
    solver.assert(pool, y_is_5);
    assert_eq!(solver.check(pool, &[]), Answer::Sat);

    // Factors of a prime, which there are none of: to see that takes longer than anyone waits.
    let (p, q) = (var(pool, 2, Sort::Bv(64)), var(pool, 3, Sort::Bv(64)));
    let wide = [p, q].map(|factor| pool.resize(factor, 128, false));
    let product = pool.binary(BinOp::BvMul, wide[0], wide[1]);
    let mut hard = vec![eq_const(pool, product, (1 << 127) - 1)];
    let one = pool.bv(64, 1);
    hard.extend([p, q].map(|factor| pool.binary(BinOp::BvUlt, one, factor)));
    let limit = Duration::from_millis(300);
    solver.set_timeout(Some(limit));
    let start = Instant::now();
    assert_eq!(solver.check(pool, &hard), Answer::Unknown("timeout".to_owned().into()));
    assert!(start.elapsed() < 10 * limit, "{:?}", start.elapsed());

    solver.set_timeout(None);
    assert_eq!(solver.check(pool, &[]), Answer::Sat);
    assert_eq!(solver.value(pool, x), Some(pool.bv(128, 3)));
    let [x_is_4, y_is_6] = [(x, 4), (y, 6)].map(|(term, value)| eq_const(pool, term, value));
    assert_eq!(solver.check(pool, &[x_is_4]), Answer::Unsat);
    assert_eq!(solver.check(pool, &[y_is_6]), Answer::Unsat);
    solver.pop();
    assert_eq!(solver.check(pool, &[y_is_6]), Answer::Sat);
}
