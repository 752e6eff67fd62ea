//! Small random programs with threads, about half of which have a data race.
//!
//! Shared data are globals, members of structs with a mutex beside them, cells of an array with an array of mutexes, blocks
//! of the heap, atomics, and locals of `main`. They are touched before the threads start, in them, between and after the
//! joins; with the right lock, another one, or none; through helpers, copies of pointers and indices; in atomic sections;
//! after `trylock`, under read-write locks, after a barrier, or after a flag says so.

use std::fmt::Write;

use fastrand::Rng;

use crate::concurrent::PRELUDE;

const DECLARATIONS: &str = "
typedef union { char size[56]; long align; } pthread_rwlock_t;
typedef union { char size[32]; long align; } pthread_barrier_t;
extern int pthread_rwlock_rdlock(pthread_rwlock_t *);
extern int pthread_rwlock_wrlock(pthread_rwlock_t *);
extern int pthread_rwlock_unlock(pthread_rwlock_t *);
extern int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned);
extern int pthread_barrier_wait(pthread_barrier_t *);
extern int pthread_mutex_init(pthread_mutex_t *, const void *);
extern int pthread_mutex_destroy(pthread_mutex_t *);
extern void *memcpy(void *, const void *, __SIZE_TYPE__);
extern void *memset(void *, int, __SIZE_TYPE__);
pthread_rwlock_t rw;
pthread_barrier_t meeting;
pthread_mutex_t locks[2];
struct account { int value; short low, high; unsigned a : 3, b : 5; pthread_mutex_t lock; };
struct account one, two, *made, *late;
int table[2];
volatile int seen;
__thread int own;
static void take(pthread_mutex_t *lock) { pthread_mutex_lock(lock); }
static void give(pthread_mutex_t *lock) { pthread_mutex_unlock(lock); }
static void add(struct account *it) { take(&it->lock); it->value++; give(&it->lock); }
static int deep(struct account *it, int d) { if (d > 0) return deep(it, d - 1); return it->value; }
static void set(int *cell) { *cell = 1; }
";

/// The text of the program with this seed.
pub fn generate_racing(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut text = format!("{PRELUDE}{DECLARATIONS}");
    let threads = rng.usize(1..=2);
    for thread in 0..threads {
        let count = rng.usize(1..=3);
        let body = body(&mut rng, count, "arg");
        let _ = write!(
            text,
            "\nvoid *thread{thread}(void *arg)\n{{\n    int t = 0, u = __VERIFIER_nondet_bool();\n    (void)t; (void)u;\n\
             {body}    return arg;\n}}\n"
        );
    }
    text += "\nint main(void)\n{\n    pthread_t h0, h[2];\n    int t = 0, u = __VERIFIER_nondet_bool();\n";
    text += "    struct account local;\n    struct account *arg = &local;\n    (void)arg; (void)t; (void)u;\n";
    text += "    local.value = 0;\n    pthread_mutex_init(&local.lock, 0);\n";
    text += "    made = malloc(sizeof *made);\n    made->value = 0;\n    made->a = 0;\n    made->b = 0;\n";
    text += "    pthread_mutex_init(&made->lock, 0);\n";
    let _ = writeln!(text, "    pthread_barrier_init(&meeting, 0, {});", rng.u8(1..=2));
    let argument = ["&local", "made", "&one", "&two"][rng.usize(..4)];
    if rng.bool() {
        let before = body(&mut rng, 1, "arg");
        text += &before;
    }
    for thread in 0..threads {
        let handle = if thread == 0 { "h0" } else { "h[1]" };
        let routine = if rng.u8(..4) == 0 { 0 } else { thread };
        let start = |with: &str| format!("pthread_create(&{handle}, 0, thread{routine}, {with});");
        if rng.u8(..3) == 0 {
            // A block of its own, which the starter keeps now and then.
            text += "    { struct account *g = malloc(sizeof *g); g->value = 0; pthread_mutex_init(&g->lock, 0); ";
            text += &start("g");
            text += ["", " g->value = 2;", " late = g;", " arg = g;"][rng.usize(..4)];
            text += " }\n";
        } else {
            let _ = writeln!(text, "    {}", start(argument));
        }
        if rng.u8(..4) == 0 {
            let between = body(&mut rng, 1, "arg");
            text += &between;
        }
        // The first has ended before the second starts.
        if thread == 0 && rng.u8(..4) == 0 {
            text += "    pthread_join(h0, 0);\n";
            text += "    late = malloc(sizeof *late);\n    late->value = 1;\n";
        }
    }
    // A loop of threads, joined in another one, or not all of them.
    let looped = threads == 1 && rng.u8(..3) == 0;
    if looped {
        text += "    for (int i = 0; i < 2; i++) pthread_create(&h[i], 0, thread0, arg);\n";
        if rng.bool() {
            let _ = writeln!(
                text,
                "    for (int i = {}; i < 2; i++) pthread_join(h[i], 0);",
                rng.u8(..2)
            );
        }
    }
    let count = rng.usize(0..=2);
    text += &body(&mut rng, count, "arg");
    for thread in 0..threads {
        let handle = if thread == 0 { "h0" } else { "h[1]" };
        if rng.u8(..3) > 0 {
            let _ = writeln!(text, "    if (!t) pthread_join({handle}, 0);");
        }
    }
    text += &body(&mut rng, 1, "arg");
    text += "    return 0;\n}\n";
    text
}

fn body(rng: &mut Rng, count: usize, arg: &str) -> String {
    let mut text = String::new();
    for _ in 0..count {
        let line = statement(rng, arg);
        let _ = writeln!(text, "    {line}");
    }
    text
}

/// A place that threads share.
fn cell(rng: &mut Rng, arg: &str) -> String {
    match rng.u8(..9) {
        0 => "x".to_owned(),
        1 => "y".to_owned(),
        2 => "one.value".to_owned(),
        3 => "made->value".to_owned(),
        4 => format!("((struct account *){arg})->value"),
        5 => "table[u]".to_owned(),
        6 => "table[1]".to_owned(),
        7 => "one.low".to_owned(),
        _ => "one.high".to_owned(),
    }
}

/// An access of a place.
fn access(rng: &mut Rng, arg: &str) -> String {
    let cell = cell(rng, arg);
    match rng.u8(..4) {
        0 => format!("{cell} = 1;"),
        1 => format!("{cell}++;"),
        _ => format!("t = {cell};"),
    }
}

fn statement(rng: &mut Rng, arg: &str) -> String {
    let it = format!("((struct account *){arg})");
    match rng.u8(..26) {
        0 => access(rng, arg),
        1..=4 => {
            let inside = access(rng, arg);
            format!("pthread_mutex_lock(&m0); {inside} pthread_mutex_unlock(&m0);")
        }
        5 => {
            let inside = access(rng, arg);
            format!("take(&m1); {inside} give(&m1);")
        }
        6 => format!("add({it});"),
        7 => "add(&one);".to_owned(),
        8 => format!("pthread_mutex_lock(&{it}->lock); {it}->value = 2; pthread_mutex_unlock(&{it}->lock);"),
        9 => "pthread_mutex_lock(&locks[u]); table[u]++; pthread_mutex_unlock(&locks[u]);".to_owned(),
        10 => "pthread_mutex_lock(&locks[1]); table[1] = 3; pthread_mutex_unlock(&locks[1]);".to_owned(),
        11 => {
            let inside = access(rng, arg);
            format!("if (pthread_mutex_trylock(&m0) == 0) {{ {inside} pthread_mutex_unlock(&m0); }}")
        }
        12 => {
            let inside = access(rng, arg);
            format!("__VERIFIER_atomic_begin(); {inside} __VERIFIER_atomic_end();")
        }
        13 => "pthread_rwlock_rdlock(&rw); t = x; pthread_rwlock_unlock(&rw);".to_owned(),
        14 => "pthread_rwlock_wrlock(&rw); x = 4; pthread_rwlock_unlock(&rw);".to_owned(),
        15 => "n = 1;".to_owned(),
        16 => "if (n == 1) { t = y; } else { y = 2; n = 1; }".to_owned(),
        17 => "__atomic_store_n(&seen, 1, 5);".to_owned(),
        18 => "if (__atomic_load_n(&seen, 5)) t = made->value;".to_owned(),
        19 => "t = seen;".to_owned(),
        20 => format!("{{ struct account *p = u ? &one : {it}; pthread_mutex_lock(&p->lock); p->value--; pthread_mutex_unlock(&p->lock); }}"),
        21 => "{ struct account *q = malloc(sizeof *q); q->value = 1; __VERIFIER_atomic_begin(); late = q; __VERIFIER_atomic_end(); }".to_owned(),
        22 => "{ struct account *q; __VERIFIER_atomic_begin(); q = late; __VERIFIER_atomic_end(); if (q) t = deep(q, 1); }".to_owned(),
        23 => ["one.a = 1;", "t = one.b;", "memset(&table, 0, sizeof table);", "two = one;", "set(&table[0]);", "own++;"][rng.usize(..6)].to_owned(),
        24 => "pthread_barrier_wait(&meeting);".to_owned(),
        _ => {
            let inside = access(rng, arg);
            format!("if (u) pthread_mutex_lock(&m0); if (u) {{ {inside} }} if (u) pthread_mutex_unlock(&m0);")
        }
    }
}
