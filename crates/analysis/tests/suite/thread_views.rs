//! Programs that start threads without end: proved for all of them, and never if some number of threads has an error.

use fastrand::Rng;
use ravelin_analysis::config::Config;
use ravelin_analysis::engine::Engine;
use ravelin_base::DataModel;
use ravelin_interp::{ExploreConfig, Outcome, ValueRequest, all_outcomes};

use crate::support::{Answer, build_text, decide_by, on_all, prepare, seconds, seeds};

const BEFORE: &str = "
    typedef unsigned long pthread_t;
    extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    extern int pthread_join(pthread_t, void **);
    extern void reach_error(void);
    extern void __VERIFIER_assume(int);
    extern void __VERIFIER_atomic_begin(void);
    extern void __VERIFIER_atomic_end(void);
    extern _Bool __VERIFIER_nondet_bool(void);
    static int m, a, b;
    static int *shared;
    static __thread int own;
    static void lock(void) {
        __VERIFIER_atomic_begin(); __VERIFIER_assume(m == 0); m = 1; __VERIFIER_atomic_end();
    }
    static void unlock(void) { m = 0; }
    static void count(int by) { __VERIFIER_atomic_begin(); a += by; __VERIFIER_atomic_end(); }
";

/// A program whose threads do this, and whose main starts so many; without end if that is none.
fn program(thread: &str, threads: Option<usize>) -> String {
    let start = "pthread_create(&t, 0, thread, 0);";
    let main = match threads {
        Some(number) => format!("{} while (1) ;", start.repeat(number)),
        None => format!("while (1) {{ {start} }}"),
    };
    format!(
        "{BEFORE}\n static void *thread(void *unused) {{ {thread} return 0; }}\n \
         int main(void) {{ pthread_t t; {main} }}"
    )
}

fn answer(text: &str, limit: f64) -> Answer {
    let config = Config::default();
    let ready = prepare(&build_text(text, DataModel::Lp64), &config);
    decide_by(Engine::ThreadViews, &ready, &config, seconds(limit))
}

#[test]
fn any_number_of_threads_is_proved() {
    for thread in [
        // Mutual exclusion by a lock without owner takes two threads to see.
        "lock(); a++; if (a != 1) reach_error(); a--; unlock();",
        // Threads come and go, and stay.
        "while (__VERIFIER_nondet_bool()) { lock(); b = 1; if (b != 1) reach_error(); unlock(); }",
        // What a thread has for itself, nobody else changes.
        "own = 3; a = own; if (own != 3) reach_error();",
        // A relation between a local and a global.
        "int mine; lock(); mine = a; if (a != mine) reach_error(); a = mine + 1; unlock();",
        // Steps of an atomic section are seen by nobody.
        "__VERIFIER_atomic_begin(); a = 1; if (b == 1) reach_error(); a = 0; __VERIFIER_atomic_end(); \
         if (a != 0) reach_error();",
    ] {
        let answer = answer(&program(thread, None), 10.0);
        assert_eq!(answer, Answer::True, "{thread}");
    }
}

#[test]
fn errors_of_many_threads_are_no_proof() {
    for thread in [
        // They take two, three, four and six threads.
        "if (b == 0) { count(1); if (a == 2) reach_error(); count(-1); }",
        "count(1); if (a == 3) reach_error(); count(-1);",
        "count(1); if (a == 4) reach_error(); count(-1);",
        "count(1); if (a == 6) reach_error(); count(-1);",
        // A chain: each thread waits for the one before.
        "int turn = a; if (turn < 5) { __VERIFIER_assume(b == turn); b = turn + 1; a = turn + 1; } \
         if (b == 5) reach_error();",
        // Threads that have ended leave what they did.
        "lock(); a++; unlock(); if (a > 4) reach_error();",
        // An object of a thread that another may get at.
        "int local = 0; shared = &local; *shared = 1; if (local == 0) reach_error();",
        // The lock is taken twice, by a thread that gave it back too early.
        "lock(); unlock(); lock(); a++; if (a == 2) reach_error(); unlock(); a--;",
        // Seen in the middle of what is not atomic.
        "a = 1; a = 0; if (a != 0) reach_error();",
    ] {
        let answer = answer(&program(thread, None), 2.0);
        assert_ne!(answer, Answer::True, "WRONG VERDICT: {thread}");
    }
}

#[test]
fn joined_threads_may_have_ended() {
    let text = format!(
        "{BEFORE}\n static void *thread(void *unused) {{ a = 1; return 0; }}\n \
         int main(void) {{ pthread_t t; while (__VERIFIER_nondet_bool()) pthread_create(&t, 0, thread, 0); \
         pthread_create(&t, 0, thread, 0); pthread_join(t, 0); if (a == 1) reach_error(); }}"
    );
    assert_ne!(answer(&text, 2.0), Answer::True, "WRONG VERDICT");
}

/// What the threads of a random program do.
fn random_thread(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let mut text = String::from("int x = 0;");
    for _ in 0..rng.usize(3..7) {
        let number = rng.u8(0..3);
        let (this, that) = if rng.bool() { ("a", "b") } else { ("b", "a") };
        let statement = match rng.u8(0..10) {
            0 => "lock();".to_owned(),
            1 => "unlock();".to_owned(),
            2 => format!("{this} = {number};"),
            3 => format!("x = {this};"),
            4 => format!("{this} = (x + 1) & 3;"),
            5 => format!("if ({this} == {number}) {{ {that} = {}; }}", rng.u8(0..3)),
            6 => format!("__VERIFIER_assume({this} == {number});"),
            7 => format!(
                "__VERIFIER_atomic_begin(); {this} = {that}; x = {this}; __VERIFIER_atomic_end();"
            ),
            8 => format!("if (x != {this}) {{ {this} = {number}; }}"),
            _ => format!("own = {this}; if (own == {number}) {{ x = 1; }}"),
        };
        text.push_str(&statement);
    }
    let (left, right) = (rng.u8(0..4), rng.u8(0..3));
    text.push_str(&format!("if (a == {left} && x == {right}) reach_error();"));
    text
}

#[test]
fn generated_replicated_threads_with_errors_are_not_proved() {
    let results = on_all(&seeds(0..60, 0..600), |&seed| {
        let thread = random_thread(seed);
        let config = Config::default();
        let few = prepare(&build_text(&program(&thread, Some(3)), DataModel::Lp64), &config);
        let explore = ExploreConfig { max_states: 60_000, ..ExploreConfig::default() };
        let booleans = |_: &ValueRequest| Some(vec![0, 1]);
        let outcomes = all_outcomes(&few, &explore, &booleans).ok()?;
        let has_error = outcomes.iter().any(|outcome| matches!(outcome, Outcome::Error { .. }));
        let many = prepare(&build_text(&program(&thread, None), DataModel::Lp64), &config);
        let answer = decide_by(Engine::ThreadViews, &many, &config, seconds(1.0));
        assert!(!(has_error && answer == Answer::True), "WRONG VERDICT: seed {seed}\n{thread}");
        Some((has_error, answer == Answer::True))
    });
    let count = |it: (bool, bool)| results.iter().filter(|result| **result == Some(it)).count();
    let (proved, errors) = (count((false, true)), count((true, false)));
    println!("{proved} are proved, {errors} have an error, of {}", results.len());
    assert!(proved > 5 && errors > 5, "{proved} are proved, {errors} have an error");
}
