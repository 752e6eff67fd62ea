//! How many states small families of programs have, with and without reduction; and that an exploration
//! can be another thread's work.

mod common;

use std::time::Duration;

use ravelin_base::Budget;
use ravelin_cfa::Program;
use ravelin_explore::{Answer, Options, Reason, Reduction, explore};

use crate::common::simplified;

fn states(program: &Program, reduction: Reduction) -> usize {
    let options = Options { reduction, ..Options::default() };
    let found = explore(program, &options, &mut Budget::unlimited());
    assert_eq!(found.answer, Answer::Complete);
    found.states
}

/// A program whose `threads` threads have this body; `main` joins all and then checks a condition.
fn family(threads: usize, body: &str, check: &str) -> Program {
    let mut text = String::from(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n\
         int cells[8], total;\npthread_mutex_t lock;\n",
    );
    for thread in 0..threads {
        let body = body.replace("cells[me]", &format!("own{thread}"));
        text +=
            &format!("int own{thread};\nvoid *run{thread}(void *arg) {{ {body} return arg; }}\n");
    }
    text += &format!("int main(void) {{ pthread_t t[{threads}];\n");
    for thread in 0..threads {
        text += &format!("pthread_create(&t[{thread}], 0, run{thread}, 0);\n");
    }
    for thread in 0..threads {
        text += &format!("pthread_join(t[{thread}], 0);\n");
    }
    text += &format!("assert({check}); return 0; }}\n");
    simplified(&text)
}

/// The states without, with static and with dynamic reduction, for two and three threads.
fn counts(body: &str, check: &str) -> [[usize; 3]; 2] {
    [2, 3].map(|threads| {
        let check = check.replace("THREADS", &threads.to_string());
        let program = family(threads, body, &check);
        [Reduction::None, Reduction::Static, Reduction::Dynamic]
            .map(|reduction| states(&program, reduction))
    })
}

#[test]
fn threads_that_touch_nothing_in_common_need_one_order() {
    let found = counts("cells[me] = 1; cells[me] = cells[me] + 1;", "own0 == 2");
    assert_eq!(found, [[27, 12, 12], [107, 17, 17]]);
}

#[test]
fn inside_of_a_lock_there_is_one_order() {
    let body = "pthread_mutex_lock(&lock); total = total + 1; cells[0] = total; \
                pthread_mutex_unlock(&lock);";
    assert_eq!(counts(body, "total == THREADS"), [[41, 30, 30], [133, 79, 79]]);
}

#[test]
fn own_work_before_the_shared_is_in_one_order() {
    let body = "cells[me] = 3; cells[me] = cells[me] + 1; \
                __atomic_fetch_add(&total, 1, __ATOMIC_SEQ_CST);";
    assert_eq!(counts(body, "total == THREADS"), [[38, 16, 16], [188, 28, 28]]);
}

#[test]
fn what_threads_could_do_but_do_not_is_no_conflict() {
    // By the static tables, each thread may write the variable of every other.
    let body = "int *p = &cells[me]; if (cells[me] > 5) p = &total; *p = *p + 1; \
                cells[me] = *p + 1;";
    assert_eq!(counts(body, "own0 == 2"), [[51, 32, 24], [303, 152, 106]]);
}

#[test]
fn threads_that_ended_do_not_count() {
    let program = simplified(
        "#include <pthread.h>\nint x;\nvoid *run(void *a) { x = 1; return a; }\n\
         int main(void) { for (int i = 0; i < 100; i++) {\n\
         pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); } return 0; }",
    );
    let all = [Reduction::None, Reduction::Static, Reduction::Dynamic];
    assert_eq!(all.map(|reduction| states(&program, reduction)), [301, 301, 301]);
}

#[test]
fn threads_without_end_keep_no_error_from_being_found() {
    let program = simplified(
        "#include <assert.h>\n#include <pthread.h>\nint x;\n\
         void *run(void *a) { x = x + 1; assert(x != 5); return a; }\n\
         int main(void) { for (;;) { pthread_t t; pthread_create(&t, 0, run, 0); } }",
    );
    let options = Options { reduction: Reduction::Dynamic, ..Options::default() };
    let found = explore(&program, &options, &mut Budget::unlimited());
    assert!(matches!(found.answer, Answer::Error { .. }), "{:?}", found.answer);
}

#[test]
fn limits_are_said() {
    let program = family(3, "total = total + 1; total = total + 1;", "total >= 0");
    let options = Options { max_states: 10, reduction: Reduction::None, ..Options::default() };
    let found = explore(&program, &options, &mut Budget::unlimited());
    assert_eq!(found.answer, Answer::Incomplete(Reason::TooManyStates(10)));
    for (max_threads, has_more) in [(3, true), (4, false)] {
        let options = Options { max_threads, ..Options::default() };
        let found = explore(&program, &options, &mut Budget::unlimited());
        let answer = match has_more {
            true => Answer::Incomplete(Reason::TooManyThreads(3)),
            false => Answer::Complete,
        };
        assert_eq!((found.answer, found.has_more_threads), (answer, has_more));
    }
    let options = Options { max_bytes: 1, ..Options::default() };
    let spin = simplified(
        "#include <pthread.h>\nint x;\nvoid *run(void *a) { for (;;) x++; return a; }\n\
         int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); pthread_join(t, 0); }",
    );
    let found = explore(&spin, &options, &mut Budget::unlimited());
    assert_eq!(found.answer, Answer::Incomplete(Reason::Memory));
    let mut budget = Budget::unlimited().with_timeout(Duration::from_millis(50));
    let found = explore(&spin, &Options::default(), &mut budget);
    assert!(matches!(found.answer, Answer::Incomplete(Reason::Exhausted(_))));
}

#[test]
fn another_thread_can_explore() {
    let program = family(2, "total = 1;", "total == 1");
    let answer = std::thread::scope(|scope| {
        let explorer =
            scope.spawn(|| explore(&program, &Options::default(), &mut Budget::unlimited()));
        explorer.join().expect("it does not panic").answer
    });
    assert_eq!(answer, Answer::Complete);
}
