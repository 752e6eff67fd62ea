//! Functions that are handed out to functions without body: each probe says which answers are right.

use std::time::Duration;

use ravelin_verifier::{DataModel, External, Input, Verdict, Verifier};

/// What an answer must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Right {
    /// It cannot be known: the callback may be called or not.
    Unknown,
    /// The error is reached whatever the callback does.
    False,
    /// Nothing that is handed out matters; less than TRUE would be a loss.
    True,
    /// The standard says that the callback is called: a model finds it, and without one there is no answer.
    Called,
    /// Only TRUE would be wrong.
    NotTrue,
}
use Right::{Called, False, NotTrue, True};

const PRELUDE: &str = "typedef unsigned long size_t;
    extern void reach_error(void);
    typedef void (*callback)(void);
    struct ops { int id; callback run; };
    int state;
    static void fails(void) { reach_error(); }
    static void changes(void) { state = 1; }
    static void idle(void) { }
    static void fails_with(void *p) { if (p == 0) reach_error(); }
    static int compares(const void *a, const void *b) { return *(int *)a - *(int *)b; }
    static int fails_to_compare(const void *a, const void *b) { reach_error(); return a == b; }
    int array[3] = {3, 1, 2};
";

/// What stands before `main`, what `main` does, and the right answer.
type Probe = (&'static str, &'static str, Right);

/// The program's own missing functions.
const OWN: &[Probe] = &[
    ("void reg(callback);", "reg(fails);", Right::Unknown),
    ("void reg(callback);", "reg(&fails); reg(idle);", Right::Unknown),
    ("void reg(void *);", "reg((void *)fails);", Right::Unknown),
    ("void reg(size_t);", "reg((size_t)fails);", Right::Unknown),
    ("void reg(int, ...);", "reg(2, idle, fails);", Right::Unknown),
    ("void reg();", "reg(1, fails);", Right::Unknown),
    ("void reg(struct ops *);", "struct ops o = {1, fails}; reg(&o);", Right::Unknown),
    ("void reg(struct ops);", "struct ops o = {1, fails}; reg(o);", Right::Unknown),
    (
        "void reg(struct ops *); struct ops table[2];",
        "table[1].run = fails; reg(table);",
        Right::Unknown,
    ),
    (
        "void reg(const struct ops *); static const struct ops o = {1, fails};",
        "reg(&o);",
        Right::Unknown,
    ),
    (
        "struct outer { int n; const struct ops *o; }; void reg(struct outer *);
         static struct ops o = {1, fails}; static struct outer u = {1, &o};",
        "reg(&u);",
        Right::Unknown,
    ),
    ("void reg(callback *); callback all[2] = {idle, fails};", "reg(all);", Right::Unknown),
    // Kept before there is anything to call.
    ("void keep(struct ops *); struct ops o;", "keep(&o); o.run = fails;", Right::Unknown),
    (
        "void keep(struct ops *); void *malloc(size_t);",
        "struct ops *o = malloc(sizeof *o); o->run = fails; keep(o);",
        Right::Unknown,
    ),
    (
        "void *memcpy(void *, const void *, size_t); void keep(struct ops *); struct ops a, b;",
        "a.run = fails; memcpy(&b, &a, sizeof a); keep(&b);",
        Right::Unknown,
    ),
    ("extern callback hook; void poll(void);", "hook = fails; poll();", Right::Unknown),
    ("extern struct ops shared; void poll(void);", "shared.run = fails; poll();", Right::Unknown),
    (
        "void reg(callback); static callback pick(void) { return fails; }",
        "reg(pick());",
        Right::Unknown,
    ),
    ("void reg(callback); int which(void);", "reg(which() ? idle : fails);", Right::Unknown),
    (
        "void reg(callback); static void mine(callback f) { reg(f); }",
        "mine(fails);",
        Right::Unknown,
    ),
    // Through a pointer that another file made.
    (
        "struct bus { void (*reg)(callback); }; struct bus *find(void);",
        "find()->reg(fails);",
        Right::Unknown,
    ),
    (
        "struct bus { callback poll; }; struct bus *find(void); extern callback hook;",
        "hook = fails; find()->poll();",
        Right::Unknown,
    ),
    // Others may call what changes something.
    ("void reg(callback);", "reg(changes); if (state != 0) reach_error();", Right::Unknown),
    (
        "void reg(callback); void wait_for(void);",
        "reg(changes); wait_for(); wait_for(); if (state > 1) reach_error();",
        Right::Unknown,
    ),
    (
        "void reg(callback, int *);",
        "int done = 0; reg(changes, &done); if (done) reach_error();",
        NotTrue,
    ),
    (
        "void sort(void *, size_t, size_t, int (*)(const void *, const void *));",
        "sort(array, 3, 4, fails_to_compare);",
        Right::Unknown,
    ),
    // Tasks, timers, threads, interrupts and events of other libraries.
    (
        "int xTaskCreate(void (*)(void *), const char *, unsigned short, void *, unsigned, void *);",
        "xTaskCreate(fails_with, \"t\", 128, 0, 1, 0);",
        Right::Unknown,
    ),
    (
        "void timer_start(unsigned, void (*)(void *), void *);",
        "timer_start(10, fails_with, array);",
        Right::Unknown,
    ),
    (
        "int uv_thread_create(size_t *, void (*)(void *), void *);",
        "size_t t; uv_thread_create(&t, fails_with, 0);",
        Right::Unknown,
    ),
    (
        "int request_irq(unsigned, void (*)(int), size_t, const char *, void *);
      static void on_irq(int irq) { state += irq; }",
        "request_irq(3, on_irq, 0, \"x\", 0); if (state) reach_error();",
        Right::Unknown,
    ),
    (
        "typedef struct { int type; union { callback f; int n; } u; } event; int post(event *);",
        "event e = {1, {fails}}; post(&e);",
        Right::Unknown,
    ),
    // What does not matter stays what it is.
    ("void reg(callback);", "reg(fails); state = 2; reach_error();", False),
    ("void reg(callback);", "reg(idle); if (state) reach_error();", True),
    (
        "void sort(void *, size_t, size_t, int (*)(const void *, const void *));",
        "sort(array, 3, 4, compares); if (state) reach_error();",
        True,
    ),
    (
        "void reg(callback); static void looks(void) { int n = state; n++; }",
        "reg(looks); if (state) reach_error();",
        True,
    ),
    ("void reg(callback);", "if (state) reg(fails);", True),
    (
        "void *list(void (*)(void *)); void free(void *);",
        "list(free); if (state) reach_error();",
        True,
    ),
    ("int get(void);", "callback f = state ? fails : idle; f(); get();", True),
];

/// Standard functions, in programs that declare them by hand.
const STANDARD: &[Probe] = &[
    ("void qsort(void *, size_t, size_t, int (*)(const void *, const void *));",
     "qsort(array, 3, 4, fails_to_compare);", Called),
    ("void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));",
     "bsearch(array, array, 3, 4, fails_to_compare);", Called),
    ("static int third(const void *a, const void *b, void *c) { reach_error(); return 0; }
      void qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);",
     "qsort_r(array, 3, 4, third, 0);", Called),
    ("void *lfind(const void *, const void *, size_t *, size_t, int (*)(const void *, const void *));",
     "size_t n = 3; lfind(array, array, &n, 4, fails_to_compare);", Called),
    ("void *tsearch(const void *, void **, int (*)(const void *, const void *));",
     "void *root = 0; tsearch(array, &root, compares); tsearch(array + 1, &root, fails_to_compare);", Called),
    ("static int on_file(const char *f, const void *s, int flag) { reach_error(); return 0; }
      int ftw(const char *, int (*)(const char *, const void *, int), int);",
     "ftw(\"/\", on_file, 3);", NotTrue),
    ("int atexit(callback);", "atexit(fails);", Called),
    ("static void at_end(int status, void *p) { reach_error(); }
      int on_exit(void (*)(int, void *), void *);", "on_exit(at_end, 0);", NotTrue),
    ("int pthread_atfork(callback, callback, callback);", "pthread_atfork(fails, 0, 0);", NotTrue),
    ("static void on_signal(int s) { reach_error(); } void (*signal(int, void (*)(int)))(int); int raise(int);",
     "signal(10, on_signal); raise(10);", Called),
    ("int scandir(const char *, void ***, int (*)(const void *), int (*)(const void **, const void **));
      static int filter(const void *d) { reach_error(); return 0; }",
     "void **list; scandir(\"/\", &list, filter, 0);", NotTrue),
    ("struct sigevent { void *value; int signo, notify; void (*function)(void *); };
      int timer_create(int, struct sigevent *, void *);",
     "void *t; struct sigevent e = {0, 0, 2, fails_with}; timer_create(0, &e, &t);", NotTrue),
];

fn probe((before, body, _): &Probe, environment: &str) -> Input {
    let text = format!("{PRELUDE}{environment}{before}\nint main(void) {{ {body} return 0; }}\n");
    Input::text("probe.c", text).with_data_model(DataModel::Lp64)
}

fn answer(input: &Input) -> Verdict {
    let verifier = Verifier { timeout: Some(Duration::from_secs(20)), ..Verifier::default() };
    verifier.verify(input).unwrap_or_else(|failure| panic!("{failure}: {input:?}")).verdict
}

fn check(probe: &Probe, verdict: &Verdict) -> Result<(), String> {
    let is_right = match (probe.2, verdict) {
        (Right::Unknown | NotTrue, Verdict::Unknown(why)) => {
            // Who gets which function, and where.
            let why = why.to_string();
            let is_told = why.contains("at any time") || why.contains("no model of");
            probe.2 == NotTrue || (why.contains("probe.c:") && is_told)
        }
        (Called, Verdict::False(_) | Verdict::Unknown(_)) => true,
        (NotTrue | False, Verdict::False(_)) | (True, Verdict::True(_)) => true,
        _ => false,
    };
    let told = match verdict {
        Verdict::True(_) => "TRUE".to_owned(),
        Verdict::False(violation) => format!("FALSE: {}", violation.outcome),
        Verdict::Unknown(why) => format!("UNKNOWN({why})"),
    };
    if is_right { Ok(()) } else { Err(format!("{probe:?}\n  is answered {told}")) }
}

fn check_all(probes: &[Probe], environment: &str) {
    let wrong: Vec<String> =
        probes.iter().filter_map(|it| check(it, &answer(&probe(it, environment))).err()).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), probes.len(), wrong.join("\n"));
}

#[test]
fn what_is_handed_out_may_be_called() {
    check_all(OWN, "");
}

#[test]
fn callbacks_of_standard_functions_are_never_left_out() {
    check_all(STANDARD, "");
    // Not even where a program describes its environment.
    check_all(STANDARD, "extern int __VERIFIER_nondet_int(void);\n");
}

#[test]
fn options_decide_what_missing_functions_do() {
    let handed: Probe = ("void reg(callback);", "reg(fails);", Right::Unknown);
    let with = |external| {
        let mut input = probe(&handed, "");
        input.reading.external = Some(external);
        answer(&input)
    };
    assert!(matches!(with(External::Havoc), Verdict::True(_)));
    assert!(matches!(with(External::Callbacks), Verdict::Unknown(_)));
    match with(External::Reject) {
        Verdict::Unknown(why) => {
            assert!(why.to_string().contains("reg has no body"), "{why}");
        }
        other => panic!("{other:?}"),
    }
    // A program of the competition describes its environment itself.
    let input = probe(&handed, "extern void __VERIFIER_assume(int);\n");
    assert!(matches!(answer(&input), Verdict::True(_)));
}

#[test]
fn answers_list_the_functions_they_rest_on() {
    let text = "extern int sensor(void); extern void led(int); extern int unused(void);
        extern void reach_error(void);
        int never(void) { return unused(); }
        int main(void) {
            int n = sensor();
            if (n > sensor()) led(n);
            return 0;
        }";
    let input = Input::text("rests.c", text);
    let answer = Verifier::default().verify(&input).expect("a program");
    assert!(matches!(answer.verdict, Verdict::True(_)));
    let told: Vec<(String, String, usize)> =
        answer.external_functions().into_iter().map(|it| (it.name, it.place, it.calls)).collect();
    let wanted = [("sensor", "rests.c:5:21", 2), ("led", "rests.c:6:31", 1)]
        .map(|(name, place, calls)| (name.to_owned(), place.to_owned(), calls));
    assert_eq!(told, wanted);
}
