//! Programs that were once, or could be, taken for safe: that all states were visited is a proof, so every
//! search has to find the error, or to say what keeps it from proving anything.

mod common;

use ravelin_base::Budget;
use ravelin_cfa::{Program, parse};
use ravelin_explore::{Answer, Ending, Options, Order, Reason, Reduction, explore};
use ravelin_interp::{Outcome, Replay, RunConfig};

use crate::common::{SEARCHES, simplified};

const HEAD: &str = "
    #include <alloca.h>
    #include <assert.h>
    #include <pthread.h>
    #include <string.h>
    extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
";

fn build(text: &str) -> Program {
    simplified(&format!("{HEAD}{text}"))
}

fn answer(program: &Program, (reduction, order): (Reduction, Order)) -> Answer {
    let options = Options { reduction, order, ..Options::default() };
    explore(program, &options, &mut Budget::unlimited()).answer
}

#[track_caller]
fn check_error(program: &Program) {
    for search in SEARCHES {
        let found = answer(program, search);
        let Answer::Error { pos, schedule, .. } = found else { panic!("{search:?}: {found:?}") };
        let mut replay = Replay::new(schedule);
        let run = ravelin_interp::run(program, &mut replay, &RunConfig::default());
        let arrived = matches!(run.outcome, Outcome::Error { pos: there, .. } if there == pos);
        assert!(arrived && !replay.diverged(), "{search:?}: {:?}", run.outcome);
    }
}

#[track_caller]
fn check_answer(program: &Program, is_right: impl Fn(&Answer) -> bool) {
    for search in SEARCHES {
        let found = answer(program, search);
        assert!(is_right(&found), "{search:?}: {found:?}");
    }
}

/// Between the end of a function and what it did before, another thread may look at what ends.
#[test]
fn objects_that_end_with_a_frame_are_seen_before() {
    let look = "
        void *run(void *a) { int *q = p; if (q && *q == 1) assert(0); return a; }
        int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); f(5, 1); return 0; }";
    let parameter = "int *p;
        void f(int n, int x) { if (n > 4) { f(n - 1, x); return; } p = &x; }";
    check_error(&build(&format!("{parameter}{look}")));
    let returned = "int *p;
        int f(int n, int x) { int y = x; if (n > 4) return f(n - 1, x); p = &y; return 0; }";
    check_error(&build(&format!("{returned}{look}")));
    let from_stack = "int *p;
        void f(int n, int x) {
            if (n > 4) { f(n - 1, x); return; }
            int *q = alloca(4);
            *q = x;
            p = q;
        }";
    check_error(&build(&format!("{from_stack}{look}")));
}

/// A thread that waits inside of an atomic section for ever stops all others; but they may be faster.
#[test]
fn who_gets_stuck_in_an_atomic_section_may_be_late() {
    check_error(&build(
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        int x;
        void *stuck(void *a) {
            __VERIFIER_atomic_begin();
            pthread_mutex_lock(&m);
            __VERIFIER_atomic_end();
            return a;
        }
        void *bad(void *a) { x = 1; assert(x == 0); return a; }
        int main(void) {
            pthread_t s, b;
            pthread_mutex_lock(&m);
            pthread_create(&s, 0, stuck, 0);
            pthread_create(&b, 0, bad, 0);
            pthread_join(b, 0);
            return 0;
        }",
    ));
}

/// Which thread is waited for cannot be told without the value of a variable that may have none; the thread
/// that it is touches nothing.
#[test]
fn a_wait_for_an_unseen_thread_may_be_for_one_that_does_nothing() {
    let text = "program LP64 single
        entry main.p0
        global x.v0: bv32 signed = 0:bv32 @ a.c:1:1
        proc main.p0() -> bv32 @ a.c:1:1 {
            local r.v1: bv64 @ a.c:1:1
            local h.v2: bv64 @ a.c:1:1
            local i.v3: bv32 signed @ a.c:1:1
            entry l0
            exit l8
            l0 -> l1: r.v1 := start reader.p1() @ a.c:1:1
            l1 -> l2: i.v3 := 0:bv32 @ a.c:1:1
            l2 -> l3: assume bvslt(i.v3, 1:bv32) @ a.c:1:1
            l2 -> l5: assume not(bvslt(i.v3, 1:bv32)) @ a.c:1:1
            l3 -> l4: h.v2 := start quick.p2() @ a.c:1:1
            l4 -> l2: i.v3 := bvadd(i.v3, 1:bv32) @ a.c:1:1
            l5 -> l6: join h.v2 @ a.c:2:1
            l6 -> l7: x.v0 := 1:bv32 @ a.c:3:1
            l7 -> l9: join r.v1 @ a.c:4:1
            l9 -> l8: return 0:bv32 @ a.c:5:1
        }
        proc reader.p1() @ a.c:1:1 {
            local t.v4: bv32 signed @ a.c:1:1
            entry l0
            exit l2
            l0 -> l1: t.v4 := x.v0 @ a.c:1:1
            l1 -> l3: assume eq(t.v4, 0:bv32) @ a.c:1:1
            l1 -> l4: assume not(eq(t.v4, 0:bv32)) @ a.c:1:1
            l3 -> l2: return @ a.c:1:1
            l4 -> l2: error reach_error @ a.c:9:1
        }
        proc quick.p2() @ a.c:1:1 {
            entry l0
            exit l1
            l0 -> l1: return @ a.c:1:1
        }";
    let program = parse(text).expect("it parses");
    ravelin_cfa::verify(&program).expect("it is right");
    check_error(&program);
}

/// The automaton copies in one step; the program does not.
#[test]
fn a_copy_that_may_be_seen_half_done_proves_nothing() {
    let program = |size: &str| {
        build(&format!(
            "struct five {{ int a, b, c, d, e; }} x, y = {{1, 1}};
            void *run(void *a) {{ memcpy(&x, &y, {size}); return a; }}
            int main(void) {{
                pthread_t t;
                pthread_create(&t, 0, run, 0);
                int b = x.b, a = x.a;
                assert(a == 1 || b == 0);
                return 0;
            }}"
        ))
    };
    check_answer(
        &program("sizeof x"),
        |answer| matches!(answer, Answer::Incomplete(Reason::Doubt(doubt)) if !doubt.pos.is_none()),
    );
}

/// A compiled program may go on after what C and POSIX leave undefined, whatever it is.
#[test]
fn a_run_that_ends_undefined_proves_nothing() {
    let main = "int main(void) {
        pthread_t t;
        pthread_create(&t, 0, run, 0);
        pthread_join(t, 0);
        assert(!x);
        return 0;
    }";
    let undefined = [
        (
            "pthread_mutex_t m; int x;
            void *run(void *a) { pthread_mutex_unlock(&m); x = 1; return a; }",
            Ending::Undefined,
        ),
        (
            "int x; int cells[2];
            void *run(void *a) { int i = 2; if (x == 0) i = 3; cells[i] = 0; x = 1; return a; }",
            Ending::InvalidAccess,
        ),
        (
            "int x; int *p;
            void *run(void *a) { *p = 1; x = 1; return a; }",
            Ending::InvalidAccess,
        ),
        (
            "int x; void (*f)(void);
            void *run(void *a) { f(); x = 1; return a; }",
            Ending::InvalidAccess,
        ),
        (
            "int x, zero;
            void *run(void *a) { int y = 1 / zero; x = 1; return a; }",
            Ending::DivisionByZero,
        ),
        (
            "int x, m = -1;
            void *run(void *a) { int y = (-2147483647 - 1) / m; x = 1; return a; }",
            Ending::DivisionOverflow,
        ),
        (
            "int x; pthread_t none;
            void *run(void *a) { pthread_join(none, 0); x = 1; return a; }",
            Ending::Undefined,
        ),
    ];
    for (text, ending) in undefined {
        check_answer(&build(&format!("{text}{main}")), |answer| {
            matches!(answer, Answer::Incomplete(Reason::Undefined(what, pos))
                if *what == ending && !pos.is_none())
        });
    }
}

/// What a thread that copies and one that reads do, and whether a mutex keeps them apart.
const COPIES: [(&str, &str, bool); 19] = [
    ("lock(&m); COPY unlock(&m);", "lock(&m); READ unlock(&m);", true),
    ("enter(); COPY leave();", "enter(); READ leave();", true),
    ("enter(); copy(); leave();", "lock(&m); READ unlock(&m);", true),
    (
        "lock(&s.m); memset(s.text, 1, sizeof s.text); unlock(&s.m);",
        "lock(&s.m); assert(s.text[0] == s.text[7]); unlock(&s.m);",
        true,
    ),
    (
        "lock(&m); if (to.a) { unlock(&m); return 0; } COPY unlock(&m);",
        "lock(&n); lock(&m); READ unlock(&m); unlock(&n);",
        true,
    ),
    (
        "lock(&m); COPY pthread_cond_signal(&c); unlock(&m);",
        "lock(&m); while (!to.a) pthread_cond_wait(&c, &m); READ unlock(&m);",
        true,
    ),
    // Another mutex, or none.
    ("lock(&m); COPY unlock(&m);", "READ", false),
    ("COPY", "lock(&m); READ unlock(&m);", false),
    ("lock(&m); COPY unlock(&m);", "lock(&n); READ unlock(&n);", false),
    ("lock(&m); unlock(&m); COPY", "lock(&m); READ unlock(&m);", false),
    ("lock(&m); COPY unlock(&m);", "lock(&m); unlock(&m); READ", false),
    ("lock(&m); COPY unlock(&m);", "enter(); READ leave(); READ", false),
    // Only on some ways.
    ("if (from.b) lock(&m); COPY if (from.b) unlock(&m);", "lock(&m); READ unlock(&m);", false),
    (
        "pthread_mutex_t *l = from.b ? &m : &n; lock(l); COPY unlock(l);",
        "lock(&m); READ unlock(&m);",
        false,
    ),
    ("pthread_mutex_trylock(&m); COPY unlock(&m);", "lock(&m); READ unlock(&m);", false),
    ("copy(); enter(); copy(); leave();", "lock(&m); READ unlock(&m);", false),
    // No mutex any more.
    ("lock(&m); COPY unlock(&m);", "unlock(&m); lock(&m); READ unlock(&m);", false),
    ("lock(&m); COPY unlock(&m);", "memset(&m, 0, sizeof m); lock(&m); READ unlock(&m);", false),
    ("lock(&m); COPY unlock(&m);", "pthread_mutex_init(&m, 0); lock(&m); READ unlock(&m);", false),
];

/// A copy is one step of the automaton. It is one of the program if a mutex keeps away all who would see it half done.
#[test]
fn copies_are_whole_under_a_mutex() {
    for (copier, reader, is_whole) in COPIES {
        let text = "
            #define lock pthread_mutex_lock
            #define unlock pthread_mutex_unlock
            #define COPY memcpy(&to, &from, sizeof to);
            #define READ { int b = to.b, a = to.a; assert(b == 0 || a == 1); }
            struct pair { int a, b, more[3]; } from = {1, 1}, to;
            struct { pthread_mutex_t m; char text[8], more[20]; } s;
            pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
            pthread_cond_t c = PTHREAD_COND_INITIALIZER;
            void enter(void) { lock(&m); }
            void leave(void) { unlock(&m); }
            void copy(void) { COPY }
            void *copies(void *unused) { COPIER return 0; }
            void *reads(void *unused) { READER return 0; }
            int main(void) { RUN_BOTH(copies, reads); return 0; }";
        let text = [include_str!("../../../tests/c/concurrency/threads.h"), text].concat();
        let program = build(&text.replace("COPIER", copier).replace("READER", reader));
        check_answer(&program, |found| match found {
            Answer::Complete => is_whole,
            Answer::Incomplete(Reason::Doubt(_) | Reason::Undefined(..)) => !is_whole,
            _ => false,
        });
    }
}
