//! Random programs that do little but move pointers around, for pointer analyses.
//!
//! There are pointers to pointers, structs with pointers in them, arrays of pointers, pointers to
//! functions, blocks on the heap, copies of memory, unions, pointers as integers and moved pointers.
//! Everything has a value from the start, so that most runs get to the end; what a run does not survive
//! it does not show.

use std::fmt::Write;

use fastrand::Rng;

/// The C text of the program of a seed.
pub fn pointer_program(seed: u64) -> String {
    let mut maker = Maker { rng: Rng::with_seed(seed), text: String::new(), depth: 1, loops: 0 };
    maker.program();
    maker.text
}

/// The program of a seed with Booleans as its only inputs, and an error at its end that few or no runs reach:
/// it depends on where pointers led.
pub fn checked_pointer_program(seed: u64) -> String {
    const END: &str = "    return 0;\n}\n";
    let text = pointer_program(seed).replace(
        "unsigned k = __VERIFIER_nondet_int() & 3;",
        &format!("unsigned k = 2 * __VERIFIER_nondet_bool() + {};", seed % 2),
    );
    let mut rng = Rng::with_seed(!seed);
    let values = ["x", "y", "g0", "g1", "ga[2]", "n.value", "gn.value", "*p", "*q", "**pp"];
    let mut pick = || values[rng.usize(0..values.len())];
    let (a, b, c) = (pick(), pick(), pick());
    let sum = rng.u32(0..5);
    let body = text.strip_suffix(END).unwrap_or(&text);
    format!(
        "extern void reach_error(void);\n\
         {body}    if ({a} + {b} + {c} == {sum}) reach_error();\n{END}"
    )
}

struct Maker {
    rng: Rng,
    text: String,
    depth: usize,
    /// Loops made so far: each has its own counter.
    loops: usize,
}

const PRELUDE: &str = "\
typedef __typeof__(sizeof 0) size_t;
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void *realloc(void *, size_t);
extern void *memcpy(void *, const void *, size_t);
extern void *memset(void *, int, size_t);

struct node { int value; int *data; struct node *next; int *table[3]; };
union view { int *pointer; unsigned long bits; char bytes[sizeof(int *)]; };

static int g0, g1 = 1, ga[4];
static int *gp = &g0, *gt[3] = {&g1, ga, &ga[2]};
static int **gpp = &gp;
static struct node gn = {1, &g1, 0, {&g0, &g1, ga}}, gm = {2, ga, &gn, {ga, &ga[1], &g0}};
static struct node *gs = &gn;
static union view gu = {&g1};
static int *same(int *x) { return x; }
static int *other(int *x) { gp = x; return gt[1]; }
static int *(*gf)(int *) = same;
static int *(*const functions[2])(int *) = {same, other};

";

/// Expressions for an `int *`; `DEEP` stands for another such expression.
const POINTERS: &[&str] = &[
    "&g0",
    "&g1",
    "&x",
    "&y",
    "ga",
    "&ga[2]",
    "&la[1]",
    "gp",
    "p",
    "q",
    "*pp",
    "*gpp",
    "gs->data",
    "s->data",
    "n.data",
    "gt[0]",
    "gt[k % 3]",
    "gt[2]",
    "s->table[1]",
    "gs->table[k % 3]",
    "n.table[2]",
    "gu.pointer",
    "(int *)(unsigned long)DEEP",
    "(int *)(void *)(char *)DEEP",
    "gf(DEEP)",
    "functions[k % 2](DEEP)",
    "same(DEEP)",
    "other(DEEP)",
    "(k ? DEEP : DEEP)",
    "&s->value",
    "&gs->next->value",
    "pick(DEEP, DEEP)",
    "tail(s, k % 3)->data",
    "(int *)((char *)&s->value - 0)",
    "malloc(2 * sizeof(int))",
    "calloc(3, sizeof(int))",
];

/// Places for an `int *`.
const PLACES: &[&str] = &[
    "gp",
    "p",
    "q",
    "*pp",
    "*gpp",
    "gs->data",
    "s->data",
    "n.data",
    "gt[0]",
    "gt[k % 3]",
    "gt[1]",
    "s->table[0]",
    "gs->table[k % 3]",
    "n.table[1]",
    "gu.pointer",
    "lt[k % 2]",
    "lt[1]",
];

impl Maker {
    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.rng.usize(0..choices.len())]
    }

    fn line(&mut self, line: &str) {
        let indent = "    ".repeat(self.depth);
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{indent}{line}");
    }

    fn program(&mut self) {
        self.text.push_str(PRELUDE);
        self.text.push_str(
            "static int *pick(int *a, int *b) { return __VERIFIER_nondet_bool() ? a : b; }\n\
             static struct node *tail(struct node *s, int n) {\n    \
             return n > 0 && s->next ? tail(s->next, n - 1) : s;\n}\n\n",
        );
        for name in ["first", "second"] {
            let _ =
                writeln!(self.text, "static int *{name}(int *p, struct node *s, unsigned k) {{");
            self.locals();
            let count = self.rng.usize(1..4);
            self.block(count);
            let result = self.pointer(2);
            // A local's address would dangle; that is allowed, but nothing could be done with it.
            let result = if result.contains("&x") || result.contains("&y") || result.contains("la")
            {
                "p".to_owned()
            } else {
                result
            };
            self.line(&format!("return {result};"));
            self.text.push_str("}\n\n");
        }
        self.text.push_str("int main(void) {\n");
        self.line("int *p = &g0;");
        self.line("struct node *s = &gn;");
        self.line("unsigned k = __VERIFIER_nondet_int() & 3;");
        self.locals();
        let count = self.rng.usize(4..14);
        self.block(count);
        self.line("return 0;");
        self.text.push_str("}\n");
    }

    fn locals(&mut self) {
        self.line("int x = 0, y = 1, la[3] = {1, 2, 3};");
        self.line("int *q = &x, **pp = &q, *lt[2] = {&y, la};");
        self.line("struct node n = {1, &x, s, {&y, la, p}};");
        self.line("n.value = la[0] + *lt[0] + **pp;");
    }

    fn pointer(&mut self, depth: usize) -> String {
        let mut text = self.pick(POINTERS).to_owned();
        while text.contains("DEEP") {
            if depth == 0 {
                return "p".to_owned();
            }
            let inner = self.pointer(depth - 1);
            text = text.replacen("DEEP", &inner, 1);
        }
        text
    }

    fn block(&mut self, statements: usize) {
        for _ in 0..statements {
            self.statement();
        }
    }

    fn statement(&mut self) {
        let is_deep = self.depth > 3;
        match self.rng.u32(0..if is_deep { 80 } else { 100 }) {
            0..30 => {
                let (place, value) = (self.pick(PLACES), self.pointer(2));
                self.line(&format!("{place} = {value};"));
            }
            30..36 => {
                let target = self.pick(&["&p", "&q", "&gp", "&n.data", "&s->data", "&gt[1]", "gt"]);
                let place = self.pick(&["pp", "gpp"]);
                // A global must not keep the address of a local that ends.
                let target = if place == "gpp" { "&gt[k % 3]" } else { target };
                self.line(&format!("{place} = {target};"));
            }
            36..43 => {
                let (place, value) = (
                    self.pick(&["s", "gs", "n.next", "gm.next", "s->next"]),
                    self.pick(&["&gn", "&gm", "s", "gs", "tail(s, 2)", "gm.next ? gm.next : &gm"]),
                );
                self.line(&format!("{place} = {value};"));
            }
            43..50 => {
                self.line("s = malloc(sizeof(struct node));");
                let (data, entry) = (self.pointer(1), self.pointer(1));
                self.line(&format!("s->data = {data}; s->next = gs; s->value = k;"));
                self.line(&format!("s->table[0] = s->table[1] = s->table[2] = {entry};"));
            }
            50..55 => {
                let how = self.pick(&[
                    "memcpy(&gm, s, sizeof gm);",
                    "memcpy(gt, s->table, sizeof gt);",
                    "memcpy(&n, gs, sizeof n);",
                    "memcpy(&gp, &p, sizeof p);",
                    "gn = *s;",
                    "n = gm;",
                    "*s = n;",
                    "memset(&gm.table, 0, sizeof gm.table); gm.table[1] = p;",
                ]);
                self.line(how);
            }
            55..60 => {
                let callee = self.pick(&["same", "other", "functions[k % 2]"]);
                self.line(&format!("gf = {callee};"));
            }
            60..66 => {
                let (place, pointer) = (self.pick(PLACES), self.pointer(1));
                let node = self.pick(&["s", "gs", "&gm", "&gn"]);
                // The helpers come first, so only what is defined before them may be called.
                if self.text.contains("int main") {
                    let callee = self.pick(&["first", "second"]);
                    self.line(&format!("{place} = {callee}({pointer}, {node}, k);"));
                } else {
                    self.line(&format!("{place} = {pointer};"));
                }
            }
            66..70 => {
                let how = self.pick(&[
                    "gu.pointer = p;",
                    "gu.bits = (unsigned long)q;",
                    "p = (int *)gu.bits;",
                    "{ union view v; v.pointer = q; gu = v; }",
                    "{ unsigned long bits = (unsigned long)p; q = (int *)(bits ^ 1 ^ 1); }",
                    "{ char *c = (char *)&s->data; c -= __builtin_offsetof(struct node, data); gs = (struct node *)c; }",
                ]);
                self.line(how);
            }
            70..75 => {
                let how = self.pick(&[
                    "{ int *w = ga; while (w < ga + 3) w++; p = w; }",
                    "{ int *w = &ga[3]; w -= k; q = w; }",
                    "{ int **w = gt; w += k % 3; *w = p; }",
                    "{ struct node *w = calloc(2, sizeof *w); w[1].data = p; w[k & 1].next = w; s = w; s->data = q; }",
                    "{ struct node *w = malloc(sizeof *w); *w = n; w = realloc(w, 2 * sizeof *w); s = w; }",
                    "{ int **w = malloc(3 * sizeof *w); w[0] = p; w[1] = q; w[2] = gp; p = w[k % 3]; }",
                ]);
                self.line(how);
            }
            75..80 => {
                let place = self.pick(&["*p", "*q", "**pp", "s->value", "g0"]);
                self.line(&format!("if ({place} < 100) {place} += 1;"));
            }
            80..90 => {
                let condition =
                    self.pick(&["k > 1", "__VERIFIER_nondet_bool()", "p == q", "*p > 1"]);
                let statements = self.rng.usize(1..4);
                self.nested(&format!("if ({condition}) {{"), statements);
                if self.rng.bool() {
                    self.nested("else {", statements);
                }
            }
            _ => {
                let counter = format!("i{}", self.loops);
                self.loops += 1;
                let statements = self.rng.usize(1..4);
                let head =
                    format!("for (unsigned {counter} = 0; {counter} < 3; {counter}++, k++) {{");
                self.nested(&head, statements);
            }
        }
    }

    fn nested(&mut self, head: &str, statements: usize) {
        self.line(head);
        self.depth += 1;
        self.block(statements);
        self.depth -= 1;
        self.line("}");
    }
}
