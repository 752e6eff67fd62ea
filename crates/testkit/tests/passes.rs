//! Passes keep the outcomes of concurrent programs: all of them, under all schedules and inputs, and
//! no others. The programs are random and small, so that they can be explored exhaustively.

use std::collections::BTreeSet;
use std::fmt::Write;

use fastrand::Rng;
use ravelin_base::DataModel;
use ravelin_cfa::passes::{self, PassConfig};
use ravelin_cfa::{HavocKind, Program};
use ravelin_frontend::source::with_deep_stack;
use ravelin_interp::{
    ExploreConfig, ExploreError, Outcome, ValueOrigin, ValueRequest, all_outcomes,
};
use ravelin_testkit::concurrent::generate_sections;

const PROGRAMS: u64 = 120;
/// Programs with more states are left out.
const MAX_STATES: usize = 20_000;

/// What the others are compared with: C's granularity, and nothing else changed.
const REFERENCE: &[&str] = &["split-shared-accesses"];
const PIPELINES: &[&[&str]] = &[
    &["inline-calls", "split-shared-accesses"],
    &["propagate-constants", "unroll-loops", "split-shared-accesses"],
    &["remove-dead-code", "split-shared-accesses"],
    &["split-shared-accesses", "encode-large-blocks"],
    passes::DEFAULT,
];

#[test]
fn passes_keep_the_outcomes_of_concurrent_programs() {
    check(PROGRAMS, PIPELINES, |seed| Generator::new(seed).program());
}

#[test]
fn passes_keep_the_outcomes_of_atomic_sections() {
    let pipelines: &[&[&str]] = &[PIPELINES[0], PIPELINES[3], PIPELINES[4]];
    check(100, pipelines, generate_sections);
}

fn check(programs: u64, pipelines: &[&[&str]], text: impl Fn(u64) -> String) {
    let mut compared = 0;
    for seed in 0..programs {
        let text = text(seed);
        let built = with_deep_stack(|| {
            ravelin_frontend::build_text("random.c", &text, DataModel::Lp64)
                .unwrap_or_else(|errors| panic!("seed {seed}: {errors:?}\n{text}"))
        });
        let program = built.expect("there is room for a stack").program;
        let Some(expected) = outcomes(&program, REFERENCE) else {
            continue;
        };
        for pipeline in pipelines {
            if let Some(found) = outcomes(&program, pipeline) {
                assert_eq!(found, expected, "seed {seed}, {pipeline:?}\n{text}");
            }
        }
        compared += 1;
    }
    assert!(compared > programs / 2, "only {compared} programs were small enough");
}

/// The outcomes after these passes, unless there are too many states.
fn outcomes(program: &Program, names: &[&str]) -> Option<BTreeSet<String>> {
    let mut program = program.clone();
    passes::run(&mut program, names, &PassConfig::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let config = ExploreConfig { max_states: MAX_STATES, ..ExploreConfig::default() };
    let found = match all_outcomes(&program, &config, &inputs) {
        Ok(found) => found,
        Err(ExploreError::TooManyStates(_)) => return None,
        Err(error) => panic!("{error}"),
    };
    // Where exactly the threads wait in a deadlock is a matter of how large the steps are.
    let describe = |outcome: &Outcome| match outcome {
        Outcome::Deadlock(_) => "deadlock".to_owned(),
        outcome => outcome.display(&program).to_string(),
    };
    Some(found.iter().map(describe).collect())
}

fn inputs(request: &ValueRequest) -> Option<Vec<i128>> {
    match request.origin {
        ValueOrigin::Havoc(HavocKind::Input(_)) => Some(vec![0, 1]),
        _ => Some(vec![0]),
    }
}

/// Declarations that every program begins with.
const PRELUDE: &str = "
typedef unsigned long pthread_t;
typedef union { char bytes[40]; long align; } pthread_mutex_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void reach_error(void), abort(void), exit(int), __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void *malloc(unsigned long), free(void *);
int x, y, z, cells[2];
int *where = &x;
const int two = 2;
struct pair { int first, second; } pair;
_Thread_local int own;
pthread_mutex_t m, n;
int clamp(int a) { int r = a; if (r > 1) r = r - 1; return r; }
int pick(int a) { int local[2]; local[0] = a; local[1] = x; return local[a & 1]; }
void add(int a) { y = y + a; if (a == 3) abort(); }
int twice(int a) { int sum, i; sum = 0; for (i = 0; i < 2; i++) sum = sum + a; return sum & 3; }
";

struct Generator {
    random: Rng,
    text: String,
    indent: usize,
}

impl Generator {
    fn new(seed: u64) -> Self {
        Generator { random: Rng::with_seed(seed), text: PRELUDE.to_owned(), indent: 0 }
    }

    fn program(mut self) -> String {
        let threads = 1 + self.random.usize(..2);
        for thread in 0..threads {
            self.line(&format!("void *thread{thread}(void *unused) {{"));
            self.body(2..4);
            self.line("  return 0;");
            self.line("}");
        }
        self.line("int main(void) {");
        self.line("  pthread_t handles[2];");
        for thread in 0..threads {
            self.line(&format!("  pthread_create(&handles[{thread}], 0, thread{thread}, 0);"));
        }
        self.body(1..3);
        if self.random.u8(..3) > 0 {
            for thread in 0..threads {
                self.line(&format!("  pthread_join(handles[{thread}], 0);"));
            }
        }
        self.line("  return (x & 3) + 4 * (y & 3) + 16 * (z & 3);");
        self.line("}");
        self.text
    }

    fn line(&mut self, text: &str) {
        let indent = 2 * self.indent;
        writeln!(self.text, "{:indent$}{text}", "").expect("strings take all writes");
    }

    fn choose(&mut self, options: &[&str]) -> String {
        options[self.random.usize(..options.len())].to_owned()
    }

    fn body(&mut self, statements: std::ops::Range<usize>) {
        self.indent += 1;
        self.line("int a = 0, b = 1;");
        for _ in 0..self.random.usize(statements) {
            self.statement(2);
        }
        self.indent -= 1;
    }

    fn block(&mut self, depth: usize) {
        self.indent += 1;
        for _ in 0..self.random.usize(1..3) {
            self.statement(depth);
        }
        self.indent -= 1;
    }

    fn bracketed(&mut self, before: &str, after: &str) {
        self.line(before);
        self.block(0);
        self.line(after);
    }

    fn statement(&mut self, depth: usize) {
        let global = self.choose(&["x", "y", "z"]);
        let local = self.choose(&["a", "b"]);
        match self.random.u8(..20) {
            0..5 => {
                let value = self.expression(2);
                self.line(&format!("{global} = ({value}) & 3;"));
            }
            5..7 => {
                let value = self.expression(2);
                self.line(&format!("{local} = ({value}) & 3;"));
            }
            7 => {
                let update = self.choose(&["++;", "--;", " += 2;", " ^= 1;"]);
                self.line(&format!("{global}{update}"));
            }
            8..11 if depth > 0 => {
                let condition = self.expression(1);
                self.line(&format!("if ({condition}) {{"));
                self.block(depth - 1);
                if self.random.bool() {
                    self.line("} else {");
                    self.block(depth - 1);
                }
                self.line("}");
            }
            11 => {
                let condition = self.expression(1);
                self.line(&format!("if (({condition}) == 1) reach_error();"));
            }
            12 => {
                let condition = self.expression(1);
                self.line(&format!("__VERIFIER_assume({condition});"));
            }
            13 if depth > 0 => {
                let rounds = self.random.u8(1..3);
                self.bracketed(&format!("for (int i = 0; i < {rounds}; i++) {{"), "}");
            }
            14 => {
                let mutex = self.choose(&["m", "n"]);
                let lock = format!("pthread_mutex_lock(&{mutex});");
                let unlock = format!("pthread_mutex_unlock(&{mutex});");
                match self.random.u8(..3) {
                    0 => {
                        let condition = format!("pthread_mutex_trylock(&{mutex}) == 0");
                        self.line(&format!("if ({condition}) {{ {global} = 1; {unlock} }}"));
                    }
                    _ => self.bracketed(&lock, &unlock),
                }
            }
            15 => self.bracketed("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
            16 => {
                let statement = self.choose(&[
                    "cells[a & 1] = x;",
                    "*where = 1;",
                    "where = &y;",
                    "pair.first = x;",
                    "pair.second = pair.first + 1;",
                    "own = own + x;",
                    "{ int *p = malloc(sizeof(int)); *p = x; z = *p; free(p); }",
                    "{ int local[2]; local[0] = b; local[1] = x; y = local[a & 1]; }",
                    "{ struct pair copy = pair; copy.first = copy.second; pair = copy; }",
                ]);
                self.line(&statement);
            }
            17 => {
                let argument = self.expression(0);
                let call = self.choose(&["add", "x = clamp", "a = twice", "b = pick"]);
                self.line(&format!("{call}({argument});"));
            }
            18 => self.line(&format!("if (__VERIFIER_nondet_bool()) {local} = 2;")),
            19 => {
                let end = self.choose(&["exit(3);", "return 0;", "abort();"]);
                self.line(&format!("if ({global} == 3) {end}"));
            }
            _ => self.line("a = b + 1; b = a & 1;"),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        match self.random.u8(..9) {
            3..6 if depth > 0 => {
                let op = self.choose(&["+", "-", "&", "|", "^", "*"]);
                format!("({} {op} {})", self.expression(depth - 1), self.expression(depth - 1))
            }
            6 if depth > 0 => {
                let op = self.choose(&["==", "!=", "<", ">="]);
                format!("({} {op} {})", self.expression(depth - 1), self.expression(depth - 1))
            }
            7 if depth > 0 => self.choose(&["cells[b & 1]", "*where", "pair.second", "own"]),
            8 if depth > 0 => {
                let function = self.choose(&["clamp", "pick", "twice"]);
                format!("{function}({})", self.expression(0))
            }
            _ => self.choose(&["x", "y", "z", "a", "b", "0", "1", "two"]),
        }
    }
}
