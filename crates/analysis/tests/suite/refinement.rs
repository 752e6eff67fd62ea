//! Paths that are refuted by where pointers lead, in every domain and encoding; and what becomes of a search
//! when a path cannot be refuted.

use ravelin_analysis::config::{Config, Domain, Encoding};
use ravelin_analysis::solver::memory::Model;
use ravelin_base::DataModel;
use ravelin_testkit::pointers::checked_pointer_program;

use crate::generated::reaches_error;
use crate::support::{
    Answer, CORNERS, DOMAINS, ENCODINGS, Generated, build_text, configuration, decide, describe,
    on_all, prepare, seconds, seeds,
};

/// A domain and an encoding, and nothing that would answer before the abstraction does.
fn alone(domain: Domain, encoding: Encoding) -> Config {
    Config { domain, encoding, ..configuration(0, 0) }
}

/// Statements of main after which `error` cannot hold. In each, a cell keeps its value because of where a write
/// goes.
const SPARED: &[(&str, &str)] = &[
    ("int j, *q; j = 1; q = &j; *q = 2; int k = 42; q = &k; *q = 7;", "j != 2"),
    ("int a[3], i; a[0] = 1; i = 1; a[i] = 5; i = 2; a[i] = 6;", "a[0] != 1 || a[1] != 5"),
    ("int j = 3, k = 4, *q = &j, **r = &q; *r = &k; **r = 5;", "j != 3 || k != 5"),
    (
        "struct pair a = {1, 2}, b = {3, 4}, *p = &a; *p = b; p = &b; p->y = 9;",
        "a.x != 3 || a.y != 4 || b.y != 9",
    ),
    (
        "char a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, *p = b; memcpy(p, a, 2); p = b + 2; memset(p, 0, 2);",
        "a[0] != 1 || b[1] != 2 || b[2] != 0",
    ),
    (
        "int *p = malloc(4), *q = malloc(4); if (!p || !q) return 0; *p = 1; *q = 2; free(q);",
        "*p != 1",
    ),
    ("int j = 1, *q = &j; void (*f)(int *) = two; f(q); int k = 0; f = one; f(&k);", "j != 2"),
    ("int j = 5, i = any(); if (i != j) return 0; int a[8]; a[5] = 1; a[i] = 7;", "a[5] != 7"),
];

fn spared_program(body: &str, error: &str) -> String {
    format!(
        "extern void reach_error(void); extern int any(void);
         typedef __typeof__(sizeof 0) size_t;
         extern void *malloc(size_t); extern void free(void *);
         extern void *memcpy(void *, const void *, size_t); extern void *memset(void *, int, size_t);
         struct pair {{ int x, y; }};
         static void one(int *p) {{ *p = 1; }}
         static void two(int *p) {{ *p = 2; }}
         int main(void) {{ {body} if ({error}) reach_error(); return 0; }}"
    )
}

#[test]
fn cells_survive_writes_that_lead_elsewhere() {
    for (number, (body, error)) in SPARED.iter().enumerate() {
        let program = build_text(&spared_program(body, error), DataModel::Lp64);
        for (domain, encoding) in DOMAINS.iter().flat_map(|&d| ENCODINGS.map(|e| (d, e))) {
            let config = alone(domain, encoding);
            let answer = decide(&prepare(&program, &config), &config, seconds(10.0));
            assert_eq!(answer, Answer::True, "{number} under {}", describe(&config));
        }
    }
}

/// Locks, handles and arguments that threads find through pointers.
#[test]
fn threads_are_refuted_by_where_pointers_lead() {
    let text = |error: &str| {
        format!(
            "typedef unsigned long pthread_t; typedef union {{ int word[10]; }} pthread_mutex_t;
             extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
             extern int pthread_join(pthread_t, void **);
             extern int pthread_mutex_lock(pthread_mutex_t *);
             extern int pthread_mutex_unlock(pthread_mutex_t *);
             extern void reach_error(void);
             struct box {{ pthread_mutex_t lock; int value; int old; }};
             static struct box boxes[2];
             static void *add(void *arg) {{
                 struct box *box = arg;
                 pthread_mutex_lock(&box->lock);
                 int seen = box->value;
                 box->value = seen + 1;
                 pthread_mutex_unlock(&box->lock);
                 return 0;
             }}
             int main(void) {{
                 pthread_t handles[2];
                 struct box *box = &boxes[0];
                 for (int i = 0; i < 2; i++) pthread_create(&handles[i], 0, add, box);
                 for (int i = 0; i < 2; i++) pthread_join(handles[i], 0);
                 int *other = &boxes[1].value;
                 *other = 7;
                 if ({error}) reach_error();
                 return 0;
             }}"
        )
    };
    for (error, expected) in [("box->value != 2", Answer::True), ("box->value == 2", Answer::False)]
    {
        let program = build_text(&text(error), DataModel::Lp64);
        for domain in [Domain::Explicit, Domain::Product] {
            let config = alone(domain, Encoding::Single);
            let answer = decide(&prepare(&program, &config), &config, seconds(20.0));
            assert_eq!(answer, expected, "{error} under {}", describe(&config));
        }
    }
}

/// A relation that no values have: the explicit domain borrows predicates for it.
#[test]
fn what_values_do_not_refute_few_predicates_do() {
    let text = "extern void reach_error(void); extern int any(void);
        int main(void) {
            int x = any(), y = x, steps = 0;
            while (steps < 3) steps++;
            if (x != y) reach_error();
            return 0;
        }";
    let program = build_text(text, DataModel::Lp64);
    for encoding in ENCODINGS {
        let config = alone(Domain::Explicit, encoding);
        let answer = decide(&prepare(&program, &config), &config, seconds(10.0));
        assert_eq!(answer, Answer::True, "under {}", describe(&config));
    }
}

/// A path that cannot be decided hides neither another error, nor that there is no proof; and where the two meet
/// in states of which one covers the other, the error is found all the same.
#[test]
fn a_path_that_is_set_aside_bars_a_proof_and_hides_no_error() {
    let text = |other: &str| {
        format!(
            "extern void reach_error(void); extern _Bool any(void);
             static int word = 1; static int *volatile where = &word;
             static void check(int wrong) {{ if (wrong) reach_error(); }}
             int main(void) {{
                 if (any()) {{ int *p = where; check(*p != 1); }}
                 else {{ check({other}); }}
                 return 0;
             }}"
        )
    };
    for (other, expected) in [("any()", true), ("0", false)] {
        let program = build_text(&text(other), DataModel::Lp64);
        for domain in DOMAINS {
            // This memory model knows no contents of memory.
            let mut config = alone(domain, Encoding::Single);
            config.memory.model = Model::Havoc;
            let answer = decide(&prepare(&program, &config), &config, seconds(10.0));
            assert_ne!(answer, Answer::True, "under {}", describe(&config));
            assert_eq!(answer == Answer::False, expected, "{answer} under {}", describe(&config));
        }
    }
}

/// Generated programs that move pointers around, in the explicit domain.
#[test]
fn pointer_programs_are_not_answered_wrongly() {
    let limit = seconds(0.5);
    let seeds = seeds(0..50, 0..400);
    let results = on_all(&seeds, |&seed| {
        let text = checked_pointer_program(seed);
        let program = build_text(&text, DataModel::Lp64);
        let Ok(has_error) = reaches_error(&program) else { return None };
        let data_model = DataModel::Lp64;
        let generated = Generated { seed, text: &text, data_model, program: &program, has_error };
        let corner = (seed as usize * 7) % CORNERS;
        let config = Config { domain: Domain::Explicit, ..configuration(corner, 0) };
        let (answer, wrong) = generated.judge(&config, limit);
        assert_eq!(wrong, None, "WRONG VERDICT");
        Some((has_error, answer))
    });
    let tried: Vec<_> = results.iter().flatten().collect();
    let decided = |which: bool| {
        let is_it = |(expected, answer): &&&(bool, Answer)| {
            *expected == which && !matches!(answer, Answer::Unknown(_))
        };
        tried.iter().filter(is_it).count()
    };
    let (right, wrong) = (decided(false), decided(true));
    println!("{} programs, {right} proved, {wrong} with errors", tried.len());
    assert!(tried.len() * 3 > seeds.len(), "few programs can be searched");
    assert!((right + wrong) * 2 > tried.len() && right > 0 && wrong > 0);
}
