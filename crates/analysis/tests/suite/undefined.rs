//! Programs whose error lies behind what C or POSIX leaves undefined: neither proved nor refuted.
//!
//! The abstraction follows executions past such places; a path of that kind bars a proof, and its replay ends at the
//! place.

use ravelin_analysis::config::Config;
use ravelin_analysis::engine::Engine;
use ravelin_base::DataModel;

use crate::support::{
    Answer, CORNERS, OTHER_ENGINES, VARIANT_COUNT, build_text, command_for_text, configuration,
    decide, decide_by, on_all, prepare, seconds,
};

const HEAD: &str = "
    extern int __VERIFIER_nondet_int(void);
    extern void reach_error(void);
    extern void *malloc(__SIZE_TYPE__), free(void *), *alloca(__SIZE_TYPE__);
    extern void *memcpy(void *, const void *, __SIZE_TYPE__), *memset(void *, int, __SIZE_TYPE__);
    extern __SIZE_TYPE__ strlen(const char *);
    typedef unsigned long pthread_t;
    typedef union { char size[40]; long align; } pthread_mutex_t;
    extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    extern int pthread_join(pthread_t, void **);
    extern void pthread_exit(void *);
    extern int pthread_mutex_lock(pthread_mutex_t *), pthread_mutex_unlock(pthread_mutex_t *);
";

/// What comes before `main`, and what is in it.
const SEQUENTIAL: &[(&str, &str)] = &[
    ("", "int *p = 0; int v = *p; reach_error(); return v;"),
    ("", "int *p = 0; *p; reach_error();"),
    ("", "int *p = 0; *p = 1; reach_error();"),
    ("struct s { int a, b; };", "struct s *p = 0; p->b = 1; reach_error();"),
    (
        "int g;",
        "int *p = __VERIFIER_nondet_int() ? &g : 0; int was = !p; *p = 1; if (was) reach_error();",
    ),
    ("int g = 1;", "int *p = __VERIFIER_nondet_int() ? &g : 0; if (*p != 1) reach_error();"),
    ("", "int **pp = 0; int *q = *pp; *q = 1; reach_error();"),
    ("", "int *p = (int *)4711; *p = 1; reach_error();"),
    ("", "void (*f)(void) = 0; f(); reach_error();"),
    ("", "void (*f)(void) = (void (*)(void))4711; f(); reach_error();"),
    ("int data;", "void (*f)(void) = (void (*)(void))&data; f(); reach_error();"),
    (
        "static void g(void) {}",
        "void (*f)(void) = __VERIFIER_nondet_int() ? g : 0; int was = !f; f(); if (was) reach_error();",
    ),
    ("struct o { void (*f)(void); };", "struct o *p = 0; p->f(); reach_error();"),
    (
        "int a[2];",
        "int i = __VERIFIER_nondet_int(); if (i != 2) return 0; int v = a[i]; reach_error(); return v;",
    ),
    (
        "int a[2];",
        "int i = __VERIFIER_nondet_int(); if (i < 0 || i > 2) return 0; if (a[i]) reach_error();",
    ),
    ("", "int *p = malloc(4); *p = 1; free(p); int v = *p; reach_error(); return v;"),
    ("", "int *p = malloc(4); free(p); free(p); reach_error();"),
    ("", "int *p = malloc(4); *p = 1; free(p); if (*p != 1) reach_error();"),
    (
        "extern void *realloc(void *, __SIZE_TYPE__);",
        "int *p = malloc(4); *p = 1; int *q = realloc(p, 8); if (*p != 1) reach_error(); return q == 0;",
    ),
    (
        "struct s { struct s *next; int v; };",
        "struct s *p = malloc(sizeof *p), *q = malloc(sizeof *q); p->next = q; p->v = q->v = 1; q->next = 0; \
         free(__VERIFIER_nondet_int() ? p : q); if (p->v + q->v != 2) reach_error();",
    ),
    (
        "int *q; static void f(void) { int x = 1; q = &x; }",
        "f(); int v = *q; reach_error(); return v;",
    ),
    ("int *q; static void f(void) { int x = 1; q = &x; }", "f(); if (*q != 1) reach_error();"),
    ("", "int *p; { int x = 1; p = &x; } if (*p != 1) reach_error();"),
    (
        "static int *f(int n) { int x = 1; if (n) return f(0); return &x; }",
        "int *p = f(__VERIFIER_nondet_int()); if (*p != 1) reach_error();",
    ),
    // A block or frame that begins again has new variables.
    (
        "",
        "int *old = 0; for (int i = 0; i < 3; i++) { int x = i; if (old && *old != i) reach_error(); old = &x; }",
    ),
    (
        "int *old; static void down(int n) { int x = n; if (n) { down(n - 1); return; } \
         if (old && *old != 0) reach_error(); old = &x; }",
        "down(2); down(2);",
    ),
    (
        "struct s { int *p; }; static void f(struct s *s, int n) { int x = n; if (s->p && *s->p != n) reach_error(); s->p = &x; }",
        "struct s s = {0}; for (int i = 0; i < 2; i++) f(&s, i);",
    ),
    // What is allocated on the stack ends with its function, and an array of variable length with its block.
    (
        "int *q; static void f(void) { int *x = alloca(4); *x = 1; q = x; }",
        "f(); if (*q != 1) reach_error();",
    ),
    (
        "static int *f(void) { int *x = alloca(4); *x = 1; return x; }",
        "int *q = f(); if (*q != 1) reach_error();",
    ),
    (
        "int *q; static void f(int n) { int x[n]; x[0] = 1; q = x; }",
        "f(3); if (*q != 1) reach_error();",
    ),
    (
        "",
        "int n = __VERIFIER_nondet_int(), *p; if (n < 1 || n > 3) return 0; \
         { int a[n]; a[0] = 1; p = a; } if (*p != 1) reach_error();",
    ),
    (
        "",
        "int *p = 0; for (int i = 1; i < 3; i++) { int a[i]; a[0] = 1; if (p && *p != 1) reach_error(); p = a; }",
    ),
    (
        "",
        "int *p = 0, k = 0; again:; if (p && *p != 1) reach_error(); int n = k + 1; int a[n]; a[0] = 1; p = a; \
         if (k++ < 1) goto again;",
    ),
    ("", "int n = 2, *p = ({ int a[n]; a[0] = 1; &a[0]; }); if (*p != 1) reach_error();"),
    // Pointers of which nothing is known free anything, and lead to any local whose address was used.
    (
        "extern int *any(void);",
        "int *p = malloc(4); *p = 1; free(any()); if (*p != 1) reach_error();",
    ),
    (
        "__SIZE_TYPE__ k; static void f(void) { int x = 1; k = (__SIZE_TYPE__)&x ^ 85; }",
        "f(); int *q = (int *)(k ^ 85); if (*q != 1) reach_error();",
    ),
    (
        "static __SIZE_TYPE__ f(void) { int x = 1; return (__SIZE_TYPE__)&x ^ 85; }",
        "int *q = (int *)(f() ^ 85); if (*q != 1) reach_error();",
    ),
    // A store that fits one of its objects and is too wide for the other.
    (
        "int x = 1; long long y;",
        "void *p = __VERIFIER_nondet_int() ? (void *)&x : (void *)&y; *(long long *)p = 7; if (x != 1) reach_error();",
    ),
    (
        "struct s { int a, b; } x = {1, 1}; struct t { int a, b, c; } y;",
        "struct t z = {5, 5, 5}; void *p = __VERIFIER_nondet_int() ? (void *)&x : (void *)&y; \
         memcpy(p, &z, sizeof z); if (x.b != 1) reach_error();",
    ),
    (
        "",
        "int *x = malloc(4); *x = 1; long long *y = malloc(8); \
         void *p = __VERIFIER_nondet_int() ? (void *)x : (void *)y; *(long long *)p = 0; if (*x != 1) reach_error();",
    ),
    ("", "char *s = \"abc\"; s[0] = 1; reach_error();"),
    ("", "int x; memcpy(0, &x, 4); reach_error();"),
    ("", "memset(0, 0, 4); reach_error();"),
    ("", "int n = strlen(0); reach_error(); return n;"),
    ("", "int x = 0; int y = 10 / x; reach_error(); return y;"),
    ("", "int x = __VERIFIER_nondet_int(), y = 10 / x; if (x == 0) reach_error(); return y;"),
    ("", "unsigned x = __VERIFIER_nondet_int(), y = 10 / x; if (y == 77) reach_error();"),
    ("", "int x = __VERIFIER_nondet_int(); if (10 % x > 20 || x == 0) reach_error();"),
    (
        "",
        "int x = __VERIFIER_nondet_int(), y = (-2147483647 - 1) / x; if (x == -1) reach_error(); return y;",
    ),
    (
        "",
        "int x = __VERIFIER_nondet_int(), y = 0; for (int i = 0; i < 3; i++) y += i / x; \
         if (x == 0) reach_error(); return y;",
    ),
];

/// What comes before the routine of a thread, what is in it, and what `main` does between its start and its join.
const CONCURRENT: &[(&str, &str, &str)] = &[
    ("int *p;", "int v = *p; reach_error();", ""),
    ("int done; int *p;", "*p = 1; done = 1;", "if (done) reach_error();"),
    ("void (*g)(void);", "g(); reach_error();", ""),
    ("pthread_mutex_t *m;", "pthread_mutex_lock(m); reach_error();", ""),
    ("pthread_mutex_t m;", "pthread_mutex_unlock(&m); reach_error();", ""),
    ("int d;", "int y = 1 / d; reach_error();", ""),
    ("", "", "pthread_join(4711, 0); reach_error();"),
    ("pthread_t none;", "", "pthread_join(none, 0); reach_error();"),
    ("", "", "pthread_join(t, 0); pthread_join(t, 0); reach_error();"),
    ("", "", "pthread_create(&t, 0, 0, 0); reach_error();"),
    (
        "__thread int l; int *q;",
        "l = 1; q = &l;",
        "pthread_join(t, 0); if (*q != 1) reach_error(); return 0;",
    ),
    (
        "__thread struct s { int a[2]; } l;",
        "l.a[1] = 1; return &l.a[1];",
        "void *r; pthread_join(t, &r); if (*(int *)r != 1) reach_error(); return 0;",
    ),
    (
        "int *q; static void g(void) { pthread_exit(0); } void (*h)(void) = g;",
        "int x = 1; q = &x; h();",
        "pthread_join(t, 0); if (*q != 1) reach_error(); return 0;",
    ),
];

fn programs() -> Vec<String> {
    let sequential = SEQUENTIAL
        .iter()
        .map(|(before, main)| format!("{HEAD}{before} int main(void) {{ {main} return 0; }}"));
    let concurrent = CONCURRENT.iter().map(|(before, routine, main)| {
        format!(
            "{HEAD}{before} void *run(void *a) {{ {routine} return a; }}
            int main(void) {{ pthread_t t; pthread_create(&t, 0, run, 0); {main} pthread_join(t, 0); return 0; }}"
        )
    });
    sequential.chain(concurrent).collect()
}

#[test]
fn an_error_behind_undefined_behaviour_is_neither_proved_nor_refuted() {
    let programs: Vec<(usize, String)> = programs().into_iter().enumerate().collect();
    let tried = on_all(&programs, |(number, text)| {
        let model = if number % 2 == 0 { DataModel::Ilp32 } else { DataModel::Lp64 };
        let program = build_text(text, model);
        // Each program meets some configurations, and each configuration some programs.
        let others = (0..3).map(|round| {
            configuration((7 * number + 17 * round) % CORNERS, (number + 6 * round) % VARIANT_COUNT)
        });
        for config in [Config::default()].into_iter().chain(others) {
            let answer = decide(&prepare(&program, &config), &config, seconds(5.0));
            if let Answer::True | Answer::False = answer {
                let name = format!("undefined-{number}");
                let command = command_for_text(&name, text, model, &config);
                return Err(format!("{answer}:\n  {command}\n{text}"));
            }
        }
        let config = Config::default();
        let ready = prepare(&program, &config);
        for engine in OTHER_ENGINES.into_iter().chain([Engine::ThreadViews]) {
            let answer = decide_by(engine, &ready, &config, seconds(2.0));
            if let Answer::True | Answer::False = answer {
                return Err(format!("{engine:?}: {answer}:\n{text}"));
            }
        }
        match decide(&ready, &config, seconds(30.0)) {
            Answer::Unknown(why) if why.contains("Undefined") => Ok(()),
            // A thread of no function has a reason of its own.
            Answer::Unknown(why) if why.contains("not in the program") => Ok(()),
            answer => Err(format!("{answer}:\n{text}")),
        }
    });
    let wrong: Vec<String> = tried.into_iter().filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Executions whose divisions have results are preferred: they are counterexamples.
#[test]
fn an_error_behind_a_division_that_may_fail_is_found() {
    let programs = [
        "int x = __VERIFIER_nondet_int(), y = 10 / x; reach_error(); return y;",
        "int x = __VERIFIER_nondet_int(), y = 10 / x; if (y == 5) reach_error(); return y;",
        "int x = __VERIFIER_nondet_int(), y = 0; while (__VERIFIER_nondet_int()) y += 100 % x; \
         if (y == 4) reach_error(); return y;",
    ];
    let tried = on_all(&programs, |main| {
        let program = build_text(&format!("{HEAD} int main(void) {{ {main} }}"), DataModel::Ilp32);
        let config = Config::default();
        (main.to_owned(), decide(&prepare(&program, &config), &config, seconds(10.0)))
    });
    for (main, answer) in tried {
        assert_eq!(answer, Answer::False, "{main}");
    }
}
