//! Symbolic execution: what it has to answer, and random programs over bytes, pointers and copies that the interpreter can
//! search exhaustively.

use std::fmt::Write;

use ravelin_analysis::config::Config;
use ravelin_analysis::engine::Engine;
use ravelin_base::DataModel;
use ravelin_cfa::{HavocKind, Program};
use ravelin_interp::{ExploreConfig, Outcome, ValueOrigin, ValueRequest, all_outcomes};

use crate::support::{Answer, Generated, build_text, decide_by, on_all, prepare, seconds, seeds};

const HEAD: &str = "typedef unsigned long size_t; void *malloc(size_t); void *calloc(size_t, size_t);\n\
     void *realloc(void *, size_t); void free(void *); void *memcpy(void *, const void *, size_t);\n\
     void *memset(void *, int, size_t); void reach_error(void); void abort(void);\n\
     int __VERIFIER_nondet_int(void); char __VERIFIER_nondet_char(void); unsigned nondet(void);\n\
     void *__VERIFIER_nondet_pointer(void); double __VERIFIER_nondet_double(void);\n\
     int outside(int *);\n";

/// Definitions, the body of main, and how the answer begins.
const EXAMPLES: &[(&str, &str, &str)] = &[
    // Every path comes to an end.
    ("", "int x = __VERIFIER_nondet_int(); if (x > 5 && x < 3) reach_error();", "TRUE"),
    (
        "",
        "unsigned n = __VERIFIER_nondet_int() & 7, s = 0;
         for (unsigned i = 0; i < n; i++) s += i; if (s > 21) reach_error();",
        "TRUE",
    ),
    // An error behind one way of many.
    (
        "",
        "int n = __VERIFIER_nondet_int(); if (n < 1 || n > 12) return 0; char *a = malloc(n);
         for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_char();
         int same = 0; for (int i = 0; i < n; i++) if (a[i] == 'a' + i) same++;
         if (same == 9) reach_error();",
        "FALSE",
    ),
    // Strings in an array of pointers, whose number is an input.
    (
        "int is_word(const char *s) { return s[0] == '-' && s[1] == 'n' && s[2] == 0; }",
        "int n = __VERIFIER_nondet_int(); if (n < 1 || n > 1000) return 0;
         char **words = malloc((n + 1ul) * sizeof(char *)); words[n] = 0;
         for (int i = 0; i < n; i++) { words[i] = malloc(4); words[i][3] = 0;
             for (int j = 0; j < 3; j++) words[i][j] = __VERIFIER_nondet_char(); }
         int i = 1; while (words[i] && is_word(words[i])) i++; if (i == 3 && words[i]) reach_error();",
        "FALSE",
    ),
    // A pointer that leads to one of two objects, and an index that is open.
    (
        "int a[4], b[4];",
        "int *p = __VERIFIER_nondet_int() ? a : b; unsigned i = __VERIFIER_nondet_int() & 3;
         p[i] = 7; if (a[i] + b[i] != 7) reach_error(); if (a[0] + a[1] + a[2] + a[3] > 7) reach_error();",
        "TRUE",
    ),
    (
        "int a[4], b[4];",
        "int *p = __VERIFIER_nondet_int() ? a : b; unsigned i = __VERIFIER_nondet_int() & 3;
         p[i] = 7; if (b[2] == 7) reach_error();",
        "FALSE",
    ),
    // Bytes without value are inputs when they are read, and copies of them have the same value.
    (
        "",
        "unsigned char a[4], b[4]; memcpy(b, a, 4); if (a[1] != b[1]) reach_error();
         if (b[2] != a[2]) reach_error();",
        "TRUE",
    ),
    ("", "unsigned char a[4], b[4]; memcpy(b, a, 4); if (b[3] == 77 && a[3] == 77) reach_error();", "FALSE"),
    ("", "int *p = malloc(8); if (p[1] == 1234567) reach_error();", "FALSE"),
    ("", "int *p = calloc(2, 4); if (p[1]) reach_error();", "TRUE"),
    (
        "",
        "int *p = malloc(8); p[0] = 3; p[1] = 4; p = realloc(p, 12); if (p[0] + p[1] != 7) reach_error();",
        "TRUE",
    ),
    ("", "int *p = malloc(4); *p = 1; p = realloc(p, 8); if (p[1] == 5) reach_error();", "FALSE"),
    // Parts of values, and values made of parts.
    (
        "",
        "union { unsigned u; unsigned char c[4]; } x; x.u = __VERIFIER_nondet_int();
         if (x.c[0] == 1 && x.c[3] == 2 && (x.u >> 24 != 2 || (x.u & 255) != 1)) reach_error();",
        "TRUE",
    ),
    (
        "",
        "union { unsigned u; unsigned char c[4]; } x; x.u = 0; x.c[__VERIFIER_nondet_int() & 3] = 9;
         if (x.u == 0x90000) reach_error();",
        "FALSE",
    ),
    ("", "unsigned char a[8]; memset(a, 3, 8); if (*(unsigned *)(a + 2) != 0x03030303u) reach_error();", "TRUE"),
    // Calls through pointers, recursion, and locals that a call has for itself.
    (
        "int one(int x) { return x + 1; } int two(int x) { return x + 2; }",
        "int (*f)(int) = __VERIFIER_nondet_int() ? one : two; if (f(1) > 3) reach_error();",
        "TRUE",
    ),
    (
        "int sum(unsigned n) { int own[1]; own[0] = n; if (n == 0) return 0; int r = sum(n - 1); return r + own[0]; }",
        "unsigned n = __VERIFIER_nondet_int() & 7; if (sum(n) == 21) reach_error();",
        "FALSE",
    ),
    (
        "int sum(unsigned n) { int own[1]; own[0] = n; if (n == 0) return 0; int r = sum(n - 1); return r + own[0]; }",
        "unsigned n = __VERIFIER_nondet_int() & 7; if (sum(n) == 20) reach_error();",
        "TRUE",
    ),
    // Pointers from outside lead to no object of the program.
    ("int g;", "int *p = __VERIFIER_nondet_pointer(); if (p == &g) reach_error();", "TRUE"),
    ("", "void *p = __VERIFIER_nondet_pointer(); if (p) reach_error();", "FALSE"),
    // A function without body may change what it gets a pointer to, and what it had may come back.
    ("", "int x = 0; outside(&x); if (x == 9) reach_error();", "FALSE"),
    ("", "int x = 0, y = 0; outside(&x); if (y) reach_error();", "TRUE"),
    (
        "int *leave(int **); int *second(int *);",
        "int x = 0, *p = &x; int *q = leave(&p); x = 0; second(q); if (x == 3) reach_error();",
        "Unknown",
    ),
    (
        "void both(int **, int *); void again(int **);",
        "int x = 0, y = 0, *p = &x; both(&p, &y); y = 0; again(&p); if (y == 3) reach_error();",
        "Unknown",
    ),
    ("", "int x = 0; outside(&x); outside(&x); if (x == 9) reach_error();", "FALSE"),
    // What is left out bars a proof.
    ("", "int x = __VERIFIER_nondet_int(), a[2] = {0}; a[x] = 1; if (a[0] > 1) reach_error();", "Unknown"),
    ("", "int x = __VERIFIER_nondet_int(); if (10 / x == 11) reach_error();", "Unknown"),
    ("", "int *p = malloc(4); *p = 1; free(p); if (*p == 2) reach_error();", "Unknown"),
    ("", "int *p; { int l = 1; p = &l; } if (*p == 2) reach_error();", "Unknown"),
    ("", "int *p = __VERIFIER_nondet_pointer(); if (p && *p == 3) reach_error();", "Unknown"),
    ("", "unsigned n = 0; while (__VERIFIER_nondet_int()) n++; if (n == 1u << 31) reach_error();", "Unknown"),
    (
        "",
        "unsigned n = __VERIFIER_nondet_int() & 4095; char *a = malloc(n + 1ul); char *b = malloc(4096);
         memset(a, 0, n + 1ul); memcpy(b, a, n + 1ul); if (b[n]) reach_error();",
        "Unknown",
    ),
    // Floats.
    (
        "",
        "double x = __VERIFIER_nondet_double(); if (x > 1.0 && x < 1.5 && x * 2 == 2.5) reach_error();",
        "FALSE",
    ),
];

fn execute(program: &Program, limit: f64) -> Answer {
    let config = Config::default();
    let ready = prepare(program, &config);
    decide_by(Engine::SymbolicExecution, &ready, &config, seconds(limit))
}

#[test]
fn examples_are_answered() {
    let tried = on_all(EXAMPLES, |(before, main, expected)| {
        let text = format!("{HEAD}{before} int main(void) {{ {main} return 0; }}");
        let answer = execute(&build_text(&text, DataModel::Lp64), 10.0);
        let words = match &answer {
            Answer::True => "TRUE",
            Answer::False => "FALSE",
            Answer::Unknown(_) => "Unknown",
        };
        (words != *expected).then(|| format!("{answer}, not {expected}:\n{main}"))
    });
    let wrong: Vec<String> = tried.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Statements over two arrays of bytes, a pointer into one of them, a word and a number; `N` is a small input.
const ACTIONS: [&str; 20] = [
    "a[N] = s;",
    "b[N + 1] = a[N];",
    "p = N ? a : b;",
    "p = a + N;",
    "*p = s + 1;",
    "p[N] = a[s & 3];",
    "memcpy(a, b, N);",
    "memcpy(b + N, a, 3);",
    "memset(a + N, s, N);",
    "w.half[N] = s;",
    "w.byte[N + 1] = a[N];",
    "w.word = w.word + N;",
    "s = s + w.byte[N];",
    "s = s + *p;",
    "s = s + a[N] + b[N];",
    "s = s * 3 + N;",
    "h = calloc(1, 3); h[N] = s; s = s + h[N]; free(h);",
    "for (unsigned i = 0; i < N; i++) s = s + a[i];",
    "if (a[N] > b[N]) s++; else p = b;",
    "q = N ? &p : &r; **q = s; r = *q;",
];

fn generate(seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut text = String::from(HEAD);
    text.push_str(
        "static unsigned in(void) { unsigned x = __VERIFIER_nondet_int(); return x == 0 ? 0 : x == 1 ? 1 : 2; }\n\
         int main(void) {\n\tunsigned char a[4] = {1, 2, 3, 4}, b[6] = {0}, *p = a, *r = b + 1, **q, *h;\n\
         \tunion { unsigned word; unsigned short half[3]; unsigned char byte[4]; } w; w.word = 5; w.half[2] = 0;\n\
         \tunsigned s = 0;\n",
    );
    for _ in 0..random.usize(3..7) {
        let action = ACTIONS[random.usize(0..ACTIONS.len())];
        let mut text_of = String::new();
        // Each input of a statement is an input of its own, or one that is known.
        for part in action.split_inclusive('N') {
            match part.strip_suffix('N') {
                Some(before) => {
                    let input =
                        if random.bool() { "in()".to_owned() } else { random.u8(0..3).to_string() };
                    let _ = write!(text_of, "{before}{input}");
                }
                None => text_of.push_str(part),
            }
        }
        let _ = match random.u8(0..5) {
            0 => writeln!(text, "\tif (in() == 1) {{ {text_of} }}"),
            _ => writeln!(text, "\t{text_of}"),
        };
    }
    let (modulus, rest) = (random.u32(5..40), random.u32(0..5));
    let _ = writeln!(
        text,
        "\ts = s + a[0] + 3 * a[1] + 5 * a[2] + 7 * b[1] + 9 * b[2] + *p + w.word;\n\
         \tif (s % {modulus} == {rest}) reach_error();\n\treturn 0;\n}}"
    );
    text
}

/// Whether the error can be reached; nothing if an execution does something undefined, or there are too many.
fn reaches_error(program: &Program) -> Option<bool> {
    let values = |request: &ValueRequest| match request.origin {
        ValueOrigin::Havoc(HavocKind::Input(_)) => Some(vec![0, 1, 2]),
        ValueOrigin::Havoc(HavocKind::Uninitialised) => Some(vec![0]),
        _ => None,
    };
    let config = ExploreConfig { max_states: 50_000, ..ExploreConfig::default() };
    let outcomes = all_outcomes(program, &config, &values).ok()?;
    let is_defined =
        |outcome: &Outcome| matches!(outcome, Outcome::Exit(_) | Outcome::Error { .. });
    let has_error = outcomes.iter().any(|it| matches!(it, Outcome::Error { .. }));
    outcomes.iter().all(is_defined).then_some(has_error)
}

#[test]
fn generated_programs_over_bytes_are_not_answered_wrongly() {
    let numbers = seeds(0..150, 0..2000);
    let tried = on_all(&numbers, |&seed| {
        let text = generate(seed);
        let data_model = if seed % 2 == 0 { DataModel::Lp64 } else { DataModel::Ilp32 };
        let program = build_text(&text, data_model);
        let has_error = reaches_error(&program)?;
        let generated = Generated { seed, text: &text, data_model, program: &program, has_error };
        let judged =
            generated.judge_by(Engine::SymbolicExecution, &Config::default(), seconds(2.0));
        Some((has_error, judged))
    });
    let tried: Vec<_> = tried.into_iter().flatten().collect();
    let wrong: Vec<&String> =
        tried.iter().filter_map(|(_, (_, message))| message.as_ref()).collect();
    assert!(wrong.is_empty(), "WRONG VERDICTS\n{wrong:#?}");
    for expected in [true, false] {
        let of_kind = || tried.iter().filter(|(has_error, _)| *has_error == expected);
        for (_, (answer, _)) in of_kind() {
            if let Answer::Unknown(reason) = answer {
                println!("{reason}");
            }
        }
        let answered =
            of_kind().filter(|(_, (answer, _))| !matches!(answer, Answer::Unknown(_))).count();
        println!("error {expected}: {answered} of {} answered", of_kind().count());
        assert!(answered * 2 > of_kind().count(), "error {expected}: only {answered}");
    }
}
