//! Checks as files.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use ravelin_smt::smtlib::Dumping;
use ravelin_smt::{Answer, Check, Core, Model};
use ravelin_term::{BinOp, Sort, Term, TermPool};
use tempfile::TempDir;

use crate::{eq_const, new_pool, var, z3, z3_program};

fn file_names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("the directory is there");
    let name = |entry: std::io::Result<fs::DirEntry>| {
        entry.expect("an entry").file_name().into_string().expect("a name")
    };
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}

/// What z3 says about a file.
fn answer_of(file: &Path) -> String {
    let output = Command::new(z3_program()).arg(file).output().expect("z3 runs");
    String::from_utf8(output.stdout).expect("text").trim().to_owned()
}

/// Terms of every sort, so that a file must have every declaration.
fn varied_terms(pool: &mut TermPool) -> [Term; 3] {
    let (memory, pointer) = (var(pool, 0, Sort::Mem), var(pool, 1, Sort::Ptr));
    let float = var(pool, 2, Sort::Float(ravelin_term::FloatKind::F80));
    let written = pool.write(memory, pointer, float);
    let next = pool.ptr_add_const(pointer, 4);
    let held = pool.read(written, next, Sort::Bv(32));
    let claim = eq_const(pool, held, 99);
    let order = pool.binary(BinOp::PtrLt, pointer, next);
    let is_positive = pool.zero(pool.sort(float));
    let is_positive = pool.binary(BinOp::FLt, is_positive, float);
    [claim, order, is_positive]
}

#[test]
fn files_say_what_the_solver_was_asked() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path().join("checks");
    let mut solver = Dumping::new(z3(), &directory).expect("the directory can be made");
    let pool = &mut new_pool();
    let x = var(pool, 9, Sort::Bv(8));
    let (is_1, is_2) = (eq_const(pool, x, 1), eq_const(pool, x, 2));
    solver.assert(pool, is_1);
    assert_eq!(solver.check(pool, &[]), Answer::Sat);
    solver.push();
    for term in varied_terms(pool) {
        solver.assert(pool, term);
    }
    let answer = solver.check(pool, &[]);
    solver.pop();
    assert_eq!(solver.check(pool, &[is_1, is_2]), Answer::Unsat);
    assert_eq!(solver.core(), [1]);
    assert_eq!(solver.check(pool, &[is_1]), Answer::Sat);
    assert_eq!(solver.value(pool, x), Some(pool.bv(8, 1)));
    assert!(solver.error().is_none());

    let expected = ["sat", if answer == Answer::Sat { "sat" } else { "unsat" }, "unsat", "sat"];
    let names = file_names(&directory);
    assert_eq!(names, ["000001.smt2", "000002.smt2", "000003.smt2", "000004.smt2"]);
    for (name, expected) in names.iter().zip(expected) {
        let file = directory.join(name);
        let text = fs::read_to_string(&file).expect("a file");
        assert!(text.starts_with(&format!("; answer: {expected}\n; time: ")), "{text}");
        assert_eq!(answer_of(&file), expected, "{text}");
    }
}

#[test]
fn files_of_earlier_runs_stay() {
    let directory = TempDir::new().expect("a directory");
    fs::write(directory.path().join("000002.smt2"), "old").expect("written");
    let mut solver = Dumping::new(z3(), directory.path()).expect("the directory is there");
    let pool = &new_pool();
    for _ in 0..2 {
        assert_eq!(solver.check(pool, &[]), Answer::Sat);
    }
    assert_eq!(file_names(directory.path()), ["000001.smt2", "000002.smt2", "000003.smt2"]);
    let old = fs::read_to_string(directory.path().join("000002.smt2")).expect("a file");
    assert_eq!(old, "old");
}

#[test]
fn an_unknown_answer_is_a_comment_of_one_line() {
    struct Unsure;
    impl Check for Unsure {
        fn assert(&mut self, _: &TermPool, _: Term) {}
        fn push(&mut self) {}
        fn pop(&mut self) {}
        fn check(&mut self, _: &TermPool, _: &[Term]) -> Answer {
            Answer::Unknown("no idea\n(exit)".to_owned().into())
        }
        fn set_timeout(&mut self, _: Option<Duration>) {}
    }
    let directory = TempDir::new().expect("a directory");
    let mut solver = Dumping::new(Unsure, directory.path()).expect("the directory is there");
    solver.check(&new_pool(), &[]);
    let file = directory.path().join("000001.smt2");
    let text = fs::read_to_string(&file).expect("a file");
    assert!(text.starts_with("; answer: unknown (no idea (exit))\n; time: "), "{text}");
    assert_eq!(answer_of(&file), "sat");
}

#[test]
fn a_directory_that_cannot_be_written_is_told_once_and_disturbs_nothing() {
    let parent = TempDir::new().expect("a directory");
    let directory = parent.path().join("checks");
    let mut solver = Dumping::new(z3(), &directory).expect("the directory can be made");
    fs::remove_dir(&directory).expect("the directory is empty");
    let pool = &mut new_pool();
    let no = pool.bool(false);
    assert_eq!(solver.check(pool, &[no]), Answer::Unsat);
    assert_eq!(solver.error().map(std::io::Error::kind), Some(std::io::ErrorKind::NotFound));
    // Not even when it could be written again: the files would not be all.
    fs::create_dir(&directory).expect("the directory can be made");
    assert_eq!(solver.check(pool, &[]), Answer::Sat);
    assert_eq!(file_names(&directory), [""; 0]);
    assert!(solver.error().is_some());
}
