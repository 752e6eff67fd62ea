//! Small random programs with threads, for comparing explorations with each other.
//!
//! A program has two or three threads that read and write a few shared variables, some of them through
//! pointers, under locks, in atomic sections, or neither. All loops end. `main` starts the threads,
//! joins some of them, and checks a condition that holds on some runs only.

use std::fmt::Write;

use fastrand::Rng;

/// The text of the program with this seed.
pub fn generate(seed: u64) -> String {
    program(seed, Kind::Plain)
}

/// The text of a program with this seed, in which most of what threads do is in atomic sections: with
/// branches, loops, calls, pointers, locks, waits, thread starts and other sections inside; which errors,
/// ends of the program and assumptions cut; and which begin in one function and end in another.
pub fn generate_sections(seed: u64) -> String {
    program(seed, Kind::Sections)
}

/// The text of a program with this seed, whose threads meet at a barrier: as many as it waits for, fewer or more, once
/// or in a loop, with or without a look at which of them is the serial one.
pub fn generate_barriers(seed: u64) -> String {
    program(seed, Kind::Barriers)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    Sections,
    Barriers,
}

fn program(seed: u64, kind: Kind) -> String {
    let mut rng = Rng::with_seed(seed);
    let sections = kind == Kind::Sections;
    let threads = if sections { 2 } else { rng.usize(2..=3) };
    let length = if threads == 2 { 5 } else { 3 };
    let mut text = String::from(PRELUDE);
    match kind {
        Kind::Plain => {}
        Kind::Sections => text += SECTIONS,
        Kind::Barriers => text += BARRIERS,
    }
    for thread in 0..threads {
        let mut body = Body { rng: &mut rng, text: String::new(), depth: 1, locks: 0, loops: 0 };
        let most = if kind == Kind::Plain { length } else { 2 };
        let count = body.rng.usize(1..=most);
        for _ in 0..count {
            match sections && body.rng.u8(..4) > 0 {
                true => body.section(),
                false => body.statement(count),
            }
            if kind == Kind::Barriers && body.rng.u8(..3) > 0 {
                body.meeting();
            }
        }
        let body = body.text;
        let _ = write!(
            text,
            "\nvoid *thread{thread}(void *arg)\n{{\n    int t = *(int *)arg, u = 0;\n    (void)t; (void)u;\n{body}    \
             return (void *)(long)(t & 1);\n}}\n"
        );
    }
    text += "\nint main(void)\n{\n    pthread_t handles[3];\n    int args[3] = {1, 2, 3};\n    void *r = 0;\n    sem_init(&s, 0, 1);\n";
    if kind == Kind::Barriers {
        let _ = writeln!(text, "    pthread_barrier_init(&b, 0, {});", rng.u8(1..=3));
    }
    if rng.bool() {
        text += "    cells[1] = 1;\n";
    }
    if rng.u8(..3) == 0 {
        text += "    p = &cells[1];\n";
    }
    for thread in 0..threads {
        let _ = writeln!(
            text,
            "    pthread_create(&handles[{thread}], 0, thread{thread}, &args[{thread}]);"
        );
        if rng.u8(..4) == 0 {
            text += "    x = x + 1;\n";
        }
    }
    for thread in 0..threads {
        if rng.u8(..5) > 0 {
            let result = if rng.u8(..4) == 0 { "&r" } else { "0" };
            let join = format!("pthread_join(handles[{thread}], {result});");
            let _ = match sections && rng.u8(..6) == 0 {
                true => writeln!(
                    text,
                    "    __VERIFIER_atomic_begin();\n    y = 1;\n    {join}\n    x = y;\n    \
                     __VERIFIER_atomic_end();"
                ),
                false => writeln!(text, "    {join}"),
            };
        }
    }
    let (left, right) = (place(&mut rng), place(&mut rng));
    let (a, b) = (rng.u8(..4), rng.u8(..4));
    let _ = match kind != Kind::Plain && a > 0 {
        true => writeln!(text, "    if ({left} == {a}) reach_error();"),
        false => writeln!(text, "    if ({left} == {a} && {right} == {b}) reach_error();"),
    };
    let _ = writeln!(
        text,
        "    return ({} + ({} << 2) + (r != 0)) & 15;\n}}",
        place(&mut rng),
        place(&mut rng)
    );
    text
}

pub(crate) const PRELUDE: &str = "typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
typedef union { char size[48]; long align; } pthread_cond_t;
typedef union { char size[32]; long align; } sem_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
extern int pthread_cond_signal(pthread_cond_t *);
extern int pthread_cond_broadcast(pthread_cond_t *);
extern int sem_init(sem_t *, int, unsigned);
extern int sem_wait(sem_t *);
extern int sem_post(sem_t *);
extern void *malloc(__SIZE_TYPE__);
extern void free(void *);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
extern void abort(void);
int x, y;
_Atomic int n;
int cells[3];
int *p = &cells[0];
struct pair { int a, b; } pair;
pthread_mutex_t m0, m1;
pthread_cond_t c;
sem_t s;
int *heap, *local;
";

/// Functions with sections. Those that call themselves are not put in place of their calls.
const SECTIONS: &str = "
void *late(void *arg) { x = (x + 1) & 3; return arg; }
void __VERIFIER_atomic_add(int *where, int what) { *where = (*where + what) & 3; y = what & 1 ? x : y; }
void __VERIFIER_atomic_take(int d) {
    if (d > 0) { x = (x + 1) & 3; __VERIFIER_atomic_take(d - 1); return; }
    __VERIFIER_assume(y != 3);
    pair.a = (pair.b + y) & 3;
}
int sum(int d) { if (d <= 0) return x; y = (y + 1) & 3; return (sum(d - 1) + 1) & 3; }
void enter(int d) {
    if (d > 1) { enter(d - 1); return; }
    __VERIFIER_atomic_begin();
    y = (y + 1) & 3;
}
void leave(int d) {
    if (d > 1) { leave(d - 1); return; }
    pair.b = (x + y) & 3;
    __VERIFIER_atomic_end();
}
void reopen(int d) {
    if (d > 1) { reopen(d - 1); return; }
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
}
void closed(int d) { pair.a = d & 3; }
";

const BARRIERS: &str = "
typedef union { char size[32]; long align; } pthread_barrier_t;
extern int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned);
extern int pthread_barrier_wait(pthread_barrier_t *);
pthread_barrier_t b;
";

fn place(rng: &mut Rng) -> &'static str {
    ["x", "y", "n", "cells[0]", "cells[1]", "*p", "pair.a", "pair.b"][rng.usize(..8)]
}

struct Body<'r> {
    rng: &'r mut Rng,
    text: String,
    depth: usize,
    /// The locks that are held, as bits.
    locks: u8,
    loops: usize,
}

impl Body<'_> {
    fn line(&mut self, line: &str) {
        self.text += &"    ".repeat(self.depth);
        self.text += line;
        self.text.push('\n');
    }

    fn value(&mut self) -> String {
        match self.rng.u8(..6) {
            0 => self.rng.u8(..4).to_string(),
            1 => "t".to_owned(),
            2 => "u".to_owned(),
            3 => format!("{} + 1", place(self.rng)),
            4 => "(t & 3)".to_owned(),
            _ => place(self.rng).to_owned(),
        }
    }

    fn block(&mut self, head: &str, room: usize) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        self.statement(room / 2);
        self.depth -= 1;
        self.line("}");
    }

    /// An atomic section.
    fn section(&mut self) {
        let count = self.rng.usize(1..=3);
        match self.rng.u8(..12) {
            0 => {
                let place = place(self.rng);
                self.line(&format!("__VERIFIER_atomic_add((int *)&{place}, {count});"));
            }
            1 => self.line("__VERIFIER_atomic_take(1);"),
            2 => {
                self.line("enter(2);");
                self.inside(1);
                self.line("leave(1);");
            }
            _ => {
                self.line("__VERIFIER_atomic_begin();");
                for _ in 0..count {
                    self.inside(2);
                }
                self.line("__VERIFIER_atomic_end();");
            }
        }
    }

    /// A statement in an atomic section.
    fn inside(&mut self, room: usize) {
        let (to, from, other) = (place(self.rng), place(self.rng), place(self.rng));
        let value = self.value();
        let number = self.rng.u8(1..4);
        match self.rng.u8(..27) {
            0..=3 => self.line(&format!("{to} = ({value}) & 3;")),
            4..=6 => self.line(&format!("{to} = {from} == {number} ? ({value}) & 3 : {other};")),
            7 => self.line(&format!("t = {from} > t ? {from} : {other};")),
            8 => self.line("u = __VERIFIER_nondet_bool();"),
            9 => self.line(&format!("__VERIFIER_assume({from} != {number});")),
            10 => self.line(&format!("if ({from} == {number}) abort();")),
            11 => self.line(&format!("if ({from} == {number} && {to} == 1) reach_error();")),
            12 | 13 if room > 0 => {
                self.line(&format!("if ({from} < {number}) {{"));
                self.depth += 1;
                self.inside(room - 1);
                self.depth -= 1;
                self.line("} else {");
                self.depth += 1;
                self.inside(room - 1);
                self.depth -= 1;
                self.line("}");
            }
            14 if room > 0 && self.loops == 0 => {
                self.loops += 1;
                self.line("for (int i = 0; i < 2; i++) {");
                self.depth += 1;
                self.inside(room - 1);
                self.depth -= 1;
                self.line("}");
                self.loops -= 1;
            }
            15 if room > 0 => {
                self.line("__VERIFIER_atomic_begin();");
                self.inside(room - 1);
                self.line("__VERIFIER_atomic_end();");
            }
            16 => self.line(&format!("p = &cells[{}];", number - 1)),
            17 => self.line("*p = (*p + 1) & 3;"),
            18 => self.line(&format!("{to} = sum({});", number - 1)),
            19 => self.line("reopen(1);"),
            20 => self.line("{ void (*f)(int) = u ? reopen : closed; f(2); }"),
            21 => self.line("{ int *q = &cells[t & 1]; if (u) q = p; *q = x; }"),
            22 => self
                .line("if (pthread_mutex_trylock(&m1) == 0) { y = 2; pthread_mutex_unlock(&m1); }"),
            23 if self.locks == 0 => {
                self.line("pthread_mutex_lock(&m0);");
                self.line(&format!("{to} = ({from} + 1) & 3;"));
                self.line("pthread_mutex_unlock(&m0);");
            }
            24 if self.loops == 0 => {
                self.line("{ pthread_t h; pthread_create(&h, 0, late, 0); u = 1; }");
            }
            25 => self.line("if (t == 3) return 0;"),
            26 if self.locks == 0 => {
                self.line("pthread_mutex_lock(&m0);");
                self.line(&format!("if ({from} == 0) pthread_cond_wait(&c, &m0);"));
                self.line("pthread_mutex_unlock(&m0);");
            }
            _ => self.line(&format!("{to} = ({to} + 1) & 3;")),
        }
    }

    /// Waits at the barrier.
    fn meeting(&mut self) {
        match self.rng.u8(..7) {
            0 => self.line("pthread_barrier_wait(&b);"),
            6 => {
                self.line("__VERIFIER_atomic_begin();");
                self.line("y = (y + 1) & 3;");
                self.line("pthread_barrier_wait(&b);");
                self.line("__VERIFIER_atomic_end();");
            }
            1 => {
                let place = place(self.rng);
                self.line(&format!(
                    "if (pthread_barrier_wait(&b) == 0 && {place} == 1) reach_error();"
                ));
            }
            2 => self.line("if (pthread_barrier_wait(&b) == -1) y = (y + 1) & 3;"),
            3 => self.line("u = pthread_barrier_wait(&b) != 0;"),
            _ => {
                self.line("for (int i = 0; i < 2; i++) {");
                self.depth += 1;
                let place = place(self.rng);
                self.line(&format!("{place} = ({place} + 1) & 3;"));
                self.line("pthread_barrier_wait(&b);");
                self.depth -= 1;
                self.line("}");
            }
        }
    }

    /// Objects that come and go, and pointers to them that others see.
    fn objects(&mut self) {
        match self.rng.u8(..6) {
            0 => self.line("{ int *q = malloc(4); *q = t & 3; heap = q; }"),
            1 => self.line("if (heap) t = *heap;"),
            2 => self.line("if (heap) *heap = 1;"),
            3 => self.line("{ int *q = heap; heap = 0; free(q); }"),
            4 => self.line("{ int mine = u & 3; local = &mine; x = mine; local = 0; }"),
            _ => self.line("{ int *q = local; if (q) *q = 2; }"),
        }
    }

    /// Waits of all kinds, and what ends them.
    fn waiting(&mut self, room: usize) {
        match self.rng.u8(..5) {
            0 => {
                let place = place(self.rng);
                self.line("pthread_mutex_lock(&m0);");
                self.line(&format!("if ({place} == 0) pthread_cond_wait(&c, &m0);"));
                self.locks |= 1;
                self.statement(room / 2);
                self.locks &= !1;
                self.line("pthread_mutex_unlock(&m0);");
            }
            1 => {
                self.line("sem_wait(&s);");
                self.statement(room / 2);
                self.line("sem_post(&s);");
            }
            2 => {
                self.line("pthread_mutex_lock(&m0);");
                self.line("y = 1;");
                self.line("pthread_cond_signal(&c);");
                self.line("pthread_mutex_unlock(&m0);");
            }
            3 => self.line("pthread_cond_broadcast(&c);"),
            _ => self.line("pthread_cond_signal(&c);"),
        }
    }

    fn statement(&mut self, room: usize) {
        let value = self.value();
        match self.rng.u8(..18) {
            0..=3 => {
                let to = place(self.rng);
                self.line(&format!("{to} = ({value}) & 3;"));
            }
            4 | 5 => {
                let from = place(self.rng);
                self.line(&format!("t = {from};"));
            }
            6 => self.line(&format!("u = {value};")),
            7 => self.line("n++;"),
            8 => {
                let cell = self.rng.u8(..3);
                self.line(&format!("p = &cells[{cell}];"));
            }
            9 | 10 if self.locks != 3 && room > 0 => {
                let lock = if self.locks & 1 == 0 && self.rng.bool() { 0 } else { 1 };
                if self.locks >> lock & 1 == 0 {
                    self.locks |= 1 << lock;
                    if self.rng.u8(..4) == 0 {
                        self.line(&format!("if (pthread_mutex_trylock(&m{lock}) == 0) {{"));
                        self.depth += 1;
                        self.statement(room / 2);
                        self.line(&format!("pthread_mutex_unlock(&m{lock});"));
                        self.depth -= 1;
                        self.line("}");
                    } else {
                        self.line(&format!("pthread_mutex_lock(&m{lock});"));
                        self.statement(room / 2);
                        self.line(&format!("pthread_mutex_unlock(&m{lock});"));
                    }
                    self.locks &= !(1 << lock);
                }
            }
            11 if room > 0 => {
                self.line("__VERIFIER_atomic_begin();");
                self.line(&format!("x = ({value}) & 3;"));
                let (to, from) = (place(self.rng), place(self.rng));
                self.line(&format!("{to} = ({from} + 1) & 3;"));
                self.line("__VERIFIER_atomic_end();");
            }
            12 if room > 0 => {
                let place = place(self.rng);
                self.block(&format!("if ({place} > {})", value.len() % 3), room);
            }
            13 if room > 0 && self.loops == 0 => {
                self.loops += 1;
                self.block("for (int i = 0; i < 2; i++)", room);
                self.loops -= 1;
            }
            15 => self.objects(),
            16 if self.locks == 0 && room > 0 => self.waiting(room),
            14 => {
                let place = place(self.rng);
                match self.rng.u8(..6) {
                    0 => self.line(&format!("if ({place} == 3) abort();")),
                    1 => self.line(&format!("__VERIFIER_assume({place} != 2);")),
                    2 => self.line("t = __VERIFIER_nondet_bool();"),
                    3 => self.line(&format!("if ({place} == 2) reach_error();")),
                    4 => self.line("{ struct pair copy = pair; copy.a++; pair = copy; }"),
                    _ => self.line(&format!("*p = ({place} + t) & 3;")),
                }
            }
            _ => {
                let to = place(self.rng);
                self.line(&format!("{to} = ({to} + 1) & 3;"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_depend_on_the_seed_alone() {
        assert_eq!(generate(7), generate(7));
        assert_ne!(generate(7), generate(8));
        assert_eq!(generate_sections(7), generate_sections(7));
    }
}
