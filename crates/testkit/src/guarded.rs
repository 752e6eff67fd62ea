//! Small random programs with threads whose shared variables are mostly guarded by mutexes.
//!
//! `x` and `y` belong to one mutex and `z` to another, `k` is set before the first thread starts, `n` is open. Invariants
//! such as `x + y == 2` hold, or are broken by some program now and then: by an access without the mutex, a branch that
//! keeps it or releases it early, a wait in between, the wrong mutex, or a thread that ends with it.

use std::fmt::Write;

use fastrand::Rng;

use crate::concurrent::PRELUDE;

/// Functions that are called with and without mutexes. The recursive ones are not put in place of their calls.
const FUNCTIONS: &str = "
int z, k;
int move(int d) { if (d > 1) return move(d - 1); if (x > 0) { x--; y++; } return x; }
int look(int d) { if (d > 1) return look(d - 1); return y; }
void take(int d) { if (d > 1) { take(d - 1); return; } pthread_mutex_lock(&m0); }
void give(int d) { if (d > 1) { give(d - 1); return; } pthread_mutex_unlock(&m0); }
void whole(int d) { if (d > 1) { whole(d - 1); return; } pthread_mutex_lock(&m0); x = 2; y = 0; pthread_mutex_unlock(&m0); }
int local_only(int d) { return d > 1 ? local_only(d - 1) : d; }
";

const MEMBERS: &str = "
struct box { char tag; int a, b; } box;
#define x box.a
#define y box.b
";

const THROUGH_POINTER: &str = "
struct box { char tag; int a, b; } box, *at = &box;
#define x (at->a)
#define y (at->b)
";

/// The text of the program with this seed.
pub fn generate_guarded(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    // As variables, as members of a structure, or of one that is known through a pointer.
    let places = ["", MEMBERS, THROUGH_POINTER][rng.usize(..3)];
    let mut text = format!("{PRELUDE}{places}{FUNCTIONS}");
    let routines = rng.usize(1..=2);
    for routine in 0..routines {
        let mut body = Body { rng: &mut rng, text: String::new(), depth: 1 };
        for _ in 0..body.rng.usize(1..=2) {
            body.section();
        }
        let body = body.text;
        let _ = write!(
            text,
            "\nvoid *thread{routine}(void *arg)\n{{\n    int t = 1, u = __VERIFIER_nondet_bool();\n    (void)t; (void)u;\n\
             {body}    return arg;\n}}\n"
        );
    }
    text += "\nint main(void)\n{\n    pthread_t h;\n    int t = 0, u = __VERIFIER_nondet_bool();\n    (void)t; (void)u;\n";
    text += "    k = u ? 2 : 1;\n    x = k;\n    y = 2 - k;\n";
    let holds = rng.u8(..6) == 0;
    if holds {
        text += "    pthread_mutex_lock(&m0);\n";
    }
    let threads = rng.usize(1..=2);
    let again = rng.u8(..6) == 0;
    for thread in 0..threads {
        if again && thread > 0 {
            text += "    k = 1;\n";
        }
        let _ = writeln!(text, "    pthread_create(&h, 0, thread{}, 0);", rng.usize(..routines));
    }
    let mut body = Body { rng: &mut rng, text: String::new(), depth: 1 };
    if holds {
        body.inside(1);
        body.line("pthread_mutex_unlock(&m0);");
    }
    for _ in 0..body.rng.usize(1..=2) {
        body.section();
    }
    text += &body.text;
    text += "    return 0;\n}\n";
    text
}

struct Body<'r> {
    rng: &'r mut Rng,
    text: String,
    depth: usize,
}

impl Body<'_> {
    fn line(&mut self, line: &str) {
        self.text += &"    ".repeat(self.depth);
        self.text += line;
        self.text.push('\n');
    }

    fn block(&mut self, head: &str, inside: impl FnOnce(&mut Self)) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        self.line("}");
    }

    /// What a thread does between two sections, and the section.
    fn section(&mut self) {
        match self.rng.u8(..24) {
            0 => self.line("whole(2);"),
            1 => {
                self.line("take(2);");
                self.inside(1);
                self.line("give(1);");
            }
            2 => self.line("n = (n + 1) & 3;"),
            3 => self.line("if (n == 3) reach_error();"),
            4 => self.line("t = z;"),
            5 => self.line("x = 1;"),
            6 => self.block("if (pthread_mutex_trylock(&m0) == 0)", |body| {
                body.inside(1);
                body.line("pthread_mutex_unlock(&m0);");
            }),
            7 => {
                self.line("if (u) pthread_mutex_lock(&m0);");
                self.line("t = t + 1;");
                self.line("if (u) { x = 2; y = 0; pthread_mutex_unlock(&m0); }");
            }
            8 => {
                self.line("pthread_mutex_lock(&m1);");
                self.line("z = (z + 2) & 3;");
                self.line("if (z == 1) reach_error();");
                self.line("pthread_mutex_unlock(&m1);");
            }
            9 => {
                self.line("{ pthread_mutex_t *m = u ? &m0 : &m1;");
                self.line("pthread_mutex_lock(m);");
                self.inside(0);
                self.line("pthread_mutex_unlock(m); }");
            }
            10 => self.block("for (int i = 0; i < 2; i++)", Self::plain_section),
            11 => self.line("__VERIFIER_assume(n != 2);"),
            _ => self.plain_section(),
        }
    }

    fn plain_section(&mut self) {
        self.line("pthread_mutex_lock(&m0);");
        for _ in 0..self.rng.usize(1..=3) {
            self.inside(1);
        }
        // Some forget.
        if self.rng.u8(..20) > 0 {
            self.line("pthread_mutex_unlock(&m0);");
        }
    }

    /// A statement with the mutex of `x` and `y`.
    fn inside(&mut self, room: usize) {
        let number = self.rng.u8(..3);
        match self.rng.u8(..22) {
            0..=2 => self.line("if (x > 0) { x--; y++; }"),
            3 | 4 => self.line("if (y > 0) { y--; x++; }"),
            5 | 6 => self.line("if (x + y != 2) reach_error();"),
            7 => self.line(&format!("if (x < 0 || y < 0 || k < {number}) reach_error();")),
            8 => self.line(&format!("x = {number}; y = 2 - x;")),
            9 => self.line("move(2);"),
            10 => self.line("t = look(2);"),
            11 => self.line("if (y == 0) pthread_cond_wait(&c, &m0);"),
            12 => self.line("x = y; y = 2 - x;"),
            13 => self.line("t = x; u = y;"),
            14 => self.line("n = x & 3;"),
            15 => {
                self.line(&format!("if (x == {number}) {{ pthread_mutex_unlock(&m0); return 0; }}"))
            }
            16 => self.line("{ pthread_mutex_unlock(&m0); t = 2; pthread_mutex_lock(&m0); }"),
            17 if room > 0 => {
                self.line("pthread_mutex_lock(&m1);");
                self.inside(0);
                self.line("z = x == 1 ? 2 : 0;");
                self.line("pthread_mutex_unlock(&m1);");
            }
            18 if room > 0 => self.block(&format!("if (x < {number})"), |body| body.inside(0)),
            19 => self.line("t = local_only(2);"),
            20 if self.rng.bool() => self.line("{ int *q = u ? &y : &x; *q = 1; }"),
            20 => self.line("y = y + 1;"),
            21 => self.line("if (t > x + y) abort();"),
            _ => self.line("u = x == y;"),
        }
    }
}
