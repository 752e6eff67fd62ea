//! What the names of other verifiers, of compilers and of C libraries mean in programs that do not define them.

use std::time::Duration;

use ravelin_verifier::{CountedEnd, ErrorCalls, Input, Verdict, Verifier};

fn answer(text: &str, errors: ErrorCalls) -> String {
    let verifier = Verifier { timeout: Some(Duration::from_secs(60)), ..Verifier::default() };
    let input = Input::text("probe.c", text).with_errors(errors);
    match verifier.verify(&input) {
        Ok(answer) => match answer.verdict {
            Verdict::True(_) => "TRUE".to_owned(),
            Verdict::False(violation) => format!("FALSE({})", violation.outcome),
            Verdict::Unknown(why) => format!("UNKNOWN({why})"),
        },
        Err(failure) => panic!("{text}\n{failure:?}"),
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    check_with(text, ErrorCalls::default(), expected);
}

#[track_caller]
fn check_with(text: &str, errors: ErrorCalls, expected: &str) {
    let answer = answer(text, errors);
    assert!(answer.starts_with(expected), "{text}\nexpected {expected}, got {answer}");
}

/// The body of `main`, behind declarations.
fn main_with(declarations: &str, body: &str) -> String {
    format!("{declarations}\nint main(void) {{ {body} return 0; }}\n")
}

#[test]
fn assertions_are_checked() {
    for name in [
        "assert",
        "__VERIFIER_assert",
        "__CPROVER_assert",
        "__CPROVER_precondition",
        "__ESBMC_assert",
        "__goblint_check",
        "__goblint_assert",
        "klee_assert",
        "__FC_assert",
    ] {
        let failed = "FALSE(assertion failed at probe.c:2";
        check(&main_with("", &format!("int x = 1; {name}(x == 2, \"x\");")), failed);
        let declared = format!("extern void {name}(int condition, const char *text);");
        check(&main_with(&declared, &format!("int x = 1; {name}(x == 2, \"x\");")), failed);
        check(&main_with("", &format!("int x = 1; {name}(x == 1, \"x\");")), "TRUE");
        // The condition is any scalar, not an int.
        check(&main_with("", &format!("{name}(1ull << 32, \"\"); {name}(0.5, \"\");")), "TRUE");
    }
}

#[test]
fn failures_of_c_libraries_are_errors() {
    for call in [
        "__assert_fail(\"e\", \"f\", 1, \"g\")",
        "__assert_func(\"f\", 1, \"g\", \"e\")",
        "__assert13(\"f\", 1, \"g\", \"e\")",
        "__assert2(\"f\", 1, \"g\", \"e\")",
        "__assert_rtn(\"g\", \"f\", 1, \"e\")",
        "__assert_c99(\"e\", \"f\", 1, \"g\")",
        "__assert(\"e\", \"f\", 1)",
        "_assert(\"e\", \"f\", 1)",
        "_wassert(L\"e\", L\"f\", 1)",
        "__VERIFIER_assert_fail(\"e\", \"f\", 1)",
    ] {
        check(&main_with("", &format!("{call};")), "FALSE(assertion failed at probe.c:2");
    }
    let report = "klee_report_error(\"f\", 1, \"m\", \"s\");";
    check(&main_with("", report), "FALSE(error call reached at probe.c:2");
}

#[test]
fn assumptions_cut_executions_off() {
    for name in [
        "__VERIFIER_assume",
        "__CPROVER_assume",
        "__ESBMC_assume",
        "__goblint_assume",
        "klee_assume",
    ] {
        let body = format!("int x = __VERIFIER_nondet_int(); {name}(x > 3); assert(x != 3);");
        check(&main_with("", &body), "TRUE");
        check(&main_with("", &format!("{name}(1ull << 32); assert(0);")), "FALSE(");
    }
}

#[test]
fn inputs_have_the_type_of_their_names() {
    for (name, range) in [
        ("nondet_bool", "x == 0 || x == 1"),
        ("nondet_uchar", "0 <= x && x <= 255"),
        ("nondet_schar", "-128 <= x && x <= 127"),
        ("nondet_short", "-32768 <= x && x <= 32767"),
        ("nondet_uint16_t", "0 <= x && x <= 65535"),
        ("__VERIFIER_nondet_unsigned_int", "0 <= x && x <= 4294967295ll"),
        ("nondet_int", "-2147483648ll <= x && x <= 2147483647"),
        ("nondet", "-2147483648ll <= x && x <= 2147483647"),
    ] {
        check(&main_with("", &format!("long long x = {name}(); assert({range});")), "TRUE");
        check(&main_with("", &format!("long long x = {name}(); assert(x != 1);")), "FALSE(");
    }
    // A declared type says more than a name, and a name alone may say nothing.
    let declared = "unsigned char nondet_int(void); enum e { A, B } nondet_e(void);";
    check(&main_with(declared, "assert(nondet_int() < 256); nondet_e();"), "TRUE");
    check(&main_with("", "nondet_frob();"), "UNKNOWN(unsupported: probe.c:2:");
    // With arguments it is a function of the environment.
    check(&main_with("int nondet_of(int *p);", "int x = 0; nondet_of(&x); assert(x == 0);"), "");
}

#[test]
fn memory_is_filled_with_inputs() {
    let fills = |fill: &str| {
        let body = format!("int a[2] = {{0, 0}}; {fill}; assert(a[0] == 0 || a[1] != 77);");
        check(&main_with("", &body), "FALSE(assertion failed");
        let body = format!("int a[2] = {{0, 0}}; int b = 5; {fill}; assert(b == 5);");
        check(&main_with("", &body), "TRUE");
    };
    fills("klee_make_symbolic(a, sizeof a, \"a\")");
    fills("__CPROVER_havoc_slice(&a, sizeof a)");
    fills("__CPROVER_havoc_object(a + 1)");
    fills("__goblint_unknown(&a)");
    fills("Frama_C_make_unknown((char *)a, sizeof a)");
    let unknown = "int *p; void f(int **q); f(&p); __CPROVER_havoc_object(p); assert(p == p);";
    check(&main_with("", unknown), "UNKNOWN(unsupported");
}

#[test]
fn ranges_and_intervals_hold() {
    check(&main_with("", "int i = klee_range(2, 4, \"i\"); assert(i == 2 || i == 3);"), "TRUE");
    check(&main_with("", "assert(klee_range(2, 4, \"i\") == 2);"), "FALSE(");
    check(&main_with("", "assert(klee_int(\"i\") != 9);"), "FALSE(");
    check(&main_with("", "assert(klee_choose(3) < 3);"), "TRUE");
    check(&main_with("", "int i = Frama_C_interval(1, 2); assert(i == 1 || i == 2);"), "TRUE");
    check(&main_with("", "assert(Frama_C_interval(1, 2) == 2);"), "FALSE(");
    check(&main_with("", "Frama_C_show_each_x(1); __CPROVER_output(\"x\", 1); assert(1);"), "TRUE");
}

#[test]
fn questions_about_pointers_are_answered_where_the_object_is_known() {
    for (condition, holds) in [
        ("__CPROVER_r_ok(&x, sizeof x)", true),
        ("__CPROVER_r_ok(&x)", true),
        ("__CPROVER_r_ok(&x, 5)", false),
        ("__CPROVER_w_ok(a + 2, 4)", true),
        ("__CPROVER_w_ok(a + 2, 8)", false),
        ("__CPROVER_w_ok(\"abc\", 1)", false),
        ("__CPROVER_rw_ok(0, 1)", false),
        ("__CPROVER_OBJECT_SIZE(a + 1) == 12", true),
        ("__CPROVER_POINTER_OFFSET(a + 1) == 4", true),
        ("__CPROVER_same_object(a, a + 1)", true),
        ("__ESBMC_same_object(a, &x)", false),
    ] {
        let body = format!("int x = 1, a[3]; a[0] = x; assert({condition});");
        check(&main_with("", &body), if holds { "TRUE" } else { "FALSE(" });
    }
    for (condition, holds) in
        [("__CPROVER_OBJECT_SIZE(p) == n", true), ("__CPROVER_OBJECT_SIZE(p) != n", false)]
    {
        let size = "int n = nondet_int(); __CPROVER_assume(n > 1 && n < 5);";
        let body = format!("{size} char *p = malloc(n); assert({condition});");
        check(&main_with("", &body), if holds { "TRUE" } else { "FALSE(" });
    }
    let open = "char *p = malloc(4); free(p); assert(__CPROVER_r_ok(p, 1));";
    check(&main_with("", open), "FALSE(");
    let assumed = "int *p = malloc(4); __CPROVER_assume(__CPROVER_r_ok(p, 4)); assert(p);";
    check(&main_with("", assumed), "TRUE");
}

#[test]
fn unknown_names_of_compilers_and_verifiers_are_unsupported() {
    for name in [
        "__builtin_frobnicate",
        "__builtin_nondet_int",
        "__builtin_reach_error",
        "__sync_frobnicate",
        "__atomic_frobnicate",
        "__CPROVER_frobnicate",
        "__ESBMC_frobnicate",
        "__VERIFIER_frobnicate",
        "__goblint_frobnicate",
        "klee_frobnicate",
        "Frama_C_frobnicate",
        "frobnicate",
    ] {
        let expected = "UNKNOWN(unsupported: probe.c:";
        check(&main_with("", &format!("int x = 0; {name}(&x); assert(x == 0);")), expected);
        check(&main_with("", &format!("if (__VERIFIER_nondet_int() && 0) {name}();")), "TRUE");
        if name == "frobnicate" {
            continue;
        }
        let declared = format!("int {name}(int *p);");
        check(&main_with(&declared, &format!("int x = 0; {name}(&x); assert(x == 0);")), expected);
        let through = format!("int x = 0; int (*f)(int *) = {name}; f(&x); assert(x == 0);");
        check(&main_with(&declared, &through), expected);
    }
    check(&main_with("extern int __CPROVER_mode;", "__CPROVER_mode = 1; assert(1);"), "UNKNOWN(");
    check(&main_with("", "assert(__CPROVER_mode == 0);"), "UNKNOWN(unsupported: probe.c:2:");
    check(&main_with("", "int x = 1, *p = &x; __CPROVER_ASYNC_1: x++; assert(x);"), "UNKNOWN(");
}

#[test]
fn quantifiers_and_implications() {
    let array = "unsigned char a[3]; _Bool all(void)
        { return __CPROVER_forall { int i; (i >= 0 && i < 3) ==> a[i] == 0 }; }";
    check(&main_with(array, "__CPROVER_assert(all(), \"zero\");"), "TRUE");
    check(&main_with(array, "a[1] = 1; __CPROVER_assert(all(), \"zero\");"), "FALSE(");
    let exists = "__CPROVER_assume(__CPROVER_exists { int i; 0 <= i && i < 3 && a[i] == 7 });";
    check(&main_with(array, &format!("a[1] = 7; {exists} assert(0);")), "FALSE(");
    check(&main_with(array, &format!("{exists} assert(0);")), "TRUE");
    // Outside of its bounds, an implication holds and a conjunction does not.
    for (holds, quantifier) in [
        (true, "__CPROVER_exists { int i; (0 <= i && i < 3) ==> a[i] == 9 }"),
        (false, "__CPROVER_forall { int i; 0 <= i && i < 3 && a[i] == 0 }"),
        (true, "__CPROVER_forall { unsigned i; i <= 2 ==> a[i] == 0 }"),
        (
            true,
            "__CPROVER_forall { int i; 5 > i && i > -1 ==> __CPROVER_exists { int j; j >= i && j < 6 && j > i } }",
        ),
        (false, "__CPROVER_exists { int i; i >= 0 && i < 3 && a[i] != 0 }"),
        (true, "__CPROVER_forall { int i; i >= 3 && i < 3 ==> a[i] == 9 }"),
    ] {
        let not = if holds { "" } else { "!" };
        check(&main_with(array, &format!("assert({not}({quantifier}));")), "TRUE");
        check(&main_with(array, &format!("assert(!{not}({quantifier}));")), "FALSE(");
    }
    // Without bounds no value is found, and no counterexample.
    let unbounded = "__CPROVER_forall { int i; i < 3 ==> i < 2 }";
    check(&main_with("", &format!("assert({unbounded});")), "UNKNOWN(");
    let input = "int x = __VERIFIER_nondet_int();";
    check(&main_with("", &format!("{input} assert(x > 3 ==> x > 2 ==> x > 1);")), "TRUE");
    check(&main_with("", &format!("{input} _Bool b = x > 3 ==> x > 4; assert(b);")), "FALSE(");
    check(&main_with("", "int x = 1, y = 2; assert(!__CPROVER_overflow_plus(x, y));"), "TRUE");
    check(&main_with("", "assert(!__CPROVER_overflow_mult(65536, 65536));"), "FALSE(");
}

#[test]
fn threads_and_inputs_of_other_verifiers() {
    let thread = "int x; void *f(void *p) { x = 1; return p; }
        int __VERIFIER_thread_create(const void *, void *(*)(void *), void *);
        void *__VERIFIER_thread_join(int);";
    let body = "int t = __VERIFIER_thread_create(0, f, &x); assert(__VERIFIER_thread_join(t) == &x && x == 1);";
    check(&main_with(thread, body), "TRUE");
    check(&main_with(thread, "__VERIFIER_thread_create(0, f, 0); assert(x == 0);"), "FALSE(");
    let joined = "#include <pthread.h>\nvoid __goblint_assume_join(pthread_t);
        int x; void *f(void *p) { x = 1; return p; }";
    let body =
        "pthread_t t; pthread_create(&t, 0, f, 0); __goblint_assume_join(t); assert(x == 1);";
    check(&main_with(joined, body), "TRUE");
    check(&main_with("", "int x = 1; __ESBMC_init_object(&x); assert(x == 1);"), "FALSE(");
    let unknown = "int __CPROVER_uninterpreted_f(int);";
    let twice = "assert(__CPROVER_uninterpreted_f(1) == __CPROVER_uninterpreted_f(1));";
    check(&main_with(unknown, twice), "TRUE");
    check(&main_with(unknown, "assert(__CPROVER_uninterpreted_f(1) == 1);"), "FALSE(");
    check(
        &main_with("int __VERIFIER_opt_begin(void);", "assert(__VERIFIER_opt_begin());"),
        "FALSE(",
    );
}

#[test]
fn local_time_is_any_in_its_ranges() {
    let header = "#include <time.h>";
    let body = "time_t t = time(0); struct tm tm; if (t > 0 && t < 2000000000)
        { assert(localtime_r(&t, &tm) == &tm && tm.tm_mon < 12 && tm.tm_year >= 68); }";
    check(&main_with(header, body), "TRUE");
    let body = "time_t t = 0; assert(localtime(&t)->tm_hour == 0);";
    check(&main_with(header, body), "UNKNOWN(unsupported: ");
    check(&main_with("struct s { int a; int b : 3 } s;", "assert(s.a + s.b == 0);"), "TRUE");
}

#[test]
fn labels_start_threads() {
    let program = |body: &str| main_with("int x, y; void f(int *p) { *p = 1; }", body);
    let body = "__CPROVER_ASYNC_1: f(&x); __CPROVER_ASYNC_2: x = 2; y = x; assert(y != 2);";
    check(&program(body), "FALSE(assertion failed");
    let body = "__CPROVER_ASYNC_1: f(&x); y = x; __CPROVER_assume(x == 1); assert(y <= 1);";
    check(&program(body), "TRUE");
    // The thread has a copy of its function's locals.
    let body = "int n = 3; __CPROVER_ASYNC_1: x = n++, y = n; __CPROVER_assume(y); assert(x == 3 && n == 3);";
    check(&program(body), "TRUE");
    let body = "int n = 3; __CPROVER_ASYNC_1: x = n; __CPROVER_assume(x); assert(x != 3);";
    check(&program(body), "FALSE(assertion failed");
}

#[test]
fn library_functions_are_known_through_pointers() {
    let call = |pointer: &str, name: &str| format!("{pointer} = {name}; f(1 == 2);");
    for declared in ["", "void assert(int);", "void assert();"] {
        let text = main_with(declared, &call("void (*f)(int)", "assert"));
        let answer = answer(&text, ErrorCalls::default());
        assert!(!answer.starts_with("TRUE"), "{text}{answer}");
    }
    let declared = "void __CPROVER_assert(_Bool, const char *);";
    let text =
        main_with(declared, "void (*f)(_Bool, const char *) = __CPROVER_assert; f(0, \"\");");
    check(&text, "FALSE(assertion failed");
    check(&main_with("void reach_error();", "void (*f)() = reach_error; f();"), "FALSE(");
}

#[test]
fn users_name_error_functions() {
    let errors = || ErrorCalls {
        functions: ["oops", "panic"].into_iter().map(str::to_owned).collect(),
        ..ErrorCalls::default()
    };
    let text = "int n; void oops(int x) { n = x; }
        int main(void) { if (__VERIFIER_nondet_int() == 5) oops(1); return n; }";
    check(text, "TRUE");
    check_with(text, errors(), "FALSE(error call reached at probe.c:2:");
    let declared = "extern void panic(const char *format, ...) __attribute__((noreturn));";
    let text = main_with(declared, "panic(\"%d\", 1);");
    check(&text, "TRUE");
    check_with(&text, errors(), "FALSE(error call reached at probe.c:2:");
    let text = main_with(declared, "void (*f)(const char *, ...) = panic; f(\"\");");
    check_with(&text, errors(), "FALSE(");
    check_with(&main_with("", "oops();"), errors(), "FALSE(");
}

#[test]
fn ends_count_where_users_ask_for_it() {
    let counted =
        |end: CountedEnd| ErrorCalls { ends: [end].into_iter().collect(), ..ErrorCalls::default() };
    use CountedEnd::{Abort, Trap, Unreachable};
    let input = "if (__VERIFIER_nondet_int() == 5)";
    for (call, end, told) in [
        ("abort();", Abort, "FALSE(abort called at probe.c:2:"),
        ("__builtin_abort();", Abort, "FALSE(abort called at probe.c:2:"),
        ("__builtin_trap();", Trap, "FALSE(trap executed at probe.c:2:"),
        (
            "__builtin_unreachable();",
            Unreachable,
            "FALSE(code reached that is marked unreachable at probe.c:2:",
        ),
        (
            "__builtin_assume(0);",
            Unreachable,
            "FALSE(code reached that is marked unreachable at probe.c:2:",
        ),
    ] {
        let text = main_with("", &format!("{input} {call}"));
        for other in [Abort, Trap, Unreachable] {
            let expected = match (other == end, end) {
                (true, _) => told,
                (false, Unreachable) => "UNKNOWN(",
                (false, _) => "TRUE",
            };
            check_with(&text, counted(other), expected);
        }
    }
    let through = main_with("void abort(void);", "void (*f)(void) = abort; f();");
    check_with(&through, counted(Abort), "FALSE(abort called");
    // The program's own function of that name is another one.
    check_with(&main_with("void abort(void) {}", "abort();"), counted(Abort), "TRUE");
}
