//! Small random programs with an error call, for verifiers.
//!
//! Their inputs are Booleans, their loops have small constant bounds and nothing in them is undefined,
//! so an exhaustive search decides whether the error can be reached. They are made to be hard in other
//! ways: pointers that may point to several things, bytes of larger cells, blocks on the heap, calls that
//! take the addresses of locals, recursion, branches that take different numbers of inputs.

use std::fmt::Write;

use fastrand::Rng;

/// The C text of the program of a seed.
pub fn small_program(seed: u64) -> String {
    let mut maker = Maker { rng: Rng::with_seed(seed), text: String::new(), depth: 1, counters: 0 };
    maker.program();
    maker.text
}

/// The integer variables that every function sees. All are unsigned: nothing overflows.
const GLOBALS: [&str; 3] = ["g0", "g1", "g2"];
const LOCALS: [&str; 3] = ["x", "y", "z"];

struct Maker {
    rng: Rng,
    text: String,
    /// How deep statements are nested.
    depth: usize,
    /// Loop counters made so far: each loop has its own.
    counters: usize,
}

impl Maker {
    fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(0..100) < percent
    }

    fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.rng.usize(0..choices.len())]
    }

    fn line(&mut self, line: &str) {
        let indent = "    ".repeat(self.depth);
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{indent}{line}");
    }

    fn program(&mut self) {
        self.text.push_str(
            "extern _Bool __VERIFIER_nondet_bool(void);\n\
             extern void *malloc(__SIZE_TYPE__);\n\
             extern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);\n\
             extern void *memcpy(void *, const void *, __SIZE_TYPE__);\n\
             extern void reach_error(void);\n\n\
             union cell { unsigned word; unsigned short half[2]; unsigned char byte[4]; };\n\
             struct pair { unsigned char a; unsigned b; unsigned *link; };\n\n",
        );
        let (first, second) = (self.rng.u32(0..4), self.rng.u32(0..4));
        let _ = writeln!(self.text, "static unsigned g0 = {first}, g1;");
        let _ = writeln!(self.text, "static unsigned char g2 = {second};");
        self.text.push_str(
            "static unsigned a[4] = {1, 2};\nstatic union cell u;\nstatic struct pair s = {1, 2, &g0};\n\
             static unsigned (*f)(unsigned, unsigned *);\n\n",
        );
        for name in ["first", "second"] {
            let _ = writeln!(self.text, "static unsigned {name}(unsigned x, unsigned *p) {{");
            self.line("unsigned y = x, z = 1;");
            self.line("unsigned short h = 3;");
            self.block(1);
            let result = self.expression(1);
            self.line(&format!("return {result};"));
            self.text.push_str("}\n\n");
        }
        self.text.push_str("static unsigned deep(unsigned n, unsigned *p) {\n");
        self.line("unsigned x = n, y = *p, z = 0;");
        self.line("unsigned short h = 1;");
        self.line("if (n == 0) return y;");
        self.block(1);
        let how = self.pick(&["&x", "p", "&z", "&a[1]"]);
        self.line(&format!("z = deep(n - 1, {how});"));
        let result = self.expression(1);
        self.line(&format!("return {result};"));
        self.text.push_str("}\n\n");
        self.text.push_str("int main(void) {\n");
        let (x, z) = (self.rng.u32(0..4), self.rng.u32(0..4));
        self.line(&format!("unsigned x = {x}, y = 0, z = {z}, *p = &g1;"));
        self.line("unsigned short h = 2;");
        self.line("f = first;");
        let count = self.rng.usize(2..7);
        self.block(count);
        let (left, right) = (self.expression(2), self.rng.u32(0..6));
        let relation = self.pick(&["==", "==", "!=", ">", "<"]);
        // As likely to be reached as not, roughly: a condition that follows from earlier ones is rare.
        let left = if self.chance(40) { format!("({left}) % 8") } else { left };
        self.line(&format!("if ({left} {relation} {right}) reach_error();"));
        self.line("return 0;");
        self.text.push_str("}\n");
    }

    fn block(&mut self, statements: usize) {
        for _ in 0..statements {
            self.statement();
        }
    }

    fn nested(&mut self, head: &str, statements: usize) {
        self.line(head);
        self.depth += 1;
        self.block(statements);
        self.depth -= 1;
    }

    fn statement(&mut self) {
        let is_deep = self.depth > 3;
        match self.rng.u32(0..if is_deep { 60 } else { 100 }) {
            0..22 => {
                let (place, value) = (self.place(), self.expression(2));
                let how = self.pick(&["=", "=", "=", "+=", "^=", "-=", "|="]);
                self.line(&format!("{place} {how} {value};"));
            }
            22..30 => {
                let target =
                    self.pick(&["&g0", "&g1", "&a[1]", "&a[3]", "&u.word", "&s.b", "a", "s.link"]);
                self.line(&format!("p = {target};"));
            }
            30..35 => self.line("p = __VERIFIER_nondet_bool() ? p : &a[2];"),
            35..41 => {
                let (argument, pointer) =
                    (self.expression(1), self.pick(&["&g1", "p", "&a[2]", "&u.word"]));
                // The helpers come first, so only what is defined before them may be called.
                if self.text.contains("int main") {
                    let callee = self.pick(&["first", "second", "f"]);
                    self.line(&format!("z = {callee}({argument}, {pointer});"));
                } else {
                    self.line(&format!("*p = {argument};"));
                }
            }
            41..44 if self.text.contains("int main") => {
                let pointer = self.pick(&["&x", "&g0", "p", "&y"]);
                let depth = self.rng.u32(0..4);
                self.line(&format!("y = deep({depth}, {pointer});"));
            }
            44..47 if self.text.contains("int main") => {
                let callee = self.pick(&["first", "second"]);
                self.line(&format!("if (__VERIFIER_nondet_bool()) f = {callee};"));
            }
            47..51 => {
                let how = self.pick(&["calloc(2, sizeof *p)", "malloc(2 * sizeof *p)"]);
                self.line(&format!("p = {how};"));
                let (value, other) = (self.expression(1), self.expression(1));
                self.line(&format!("p[0] = {value};"));
                self.line(&format!("p[1] = {other};"));
            }
            51..54 => self.line("memcpy(&u, &a[1], sizeof u);"),
            54..57 => self.line("s.link = p;"),
            57..60 => {
                let (place, value) = (self.place(), self.expression(1));
                self.line(&format!("*({place} % 2 ? p : &g1) = {value};"));
            }
            60..76 => {
                let cond = self.condition();
                let count = self.rng.usize(1..4);
                self.nested(&format!("if ({cond}) {{"), count);
                if self.chance(60) {
                    let count = self.rng.usize(1..3);
                    self.nested("} else {", count);
                }
                self.line("}");
            }
            76..88 => {
                let (counter, rounds) = (self.counters, self.rng.u32(1..5));
                self.counters += 1;
                let count = self.rng.usize(1..3);
                self.nested(
                    &format!("for (int i{counter} = 0; i{counter} < {rounds}; i{counter}++) {{"),
                    count,
                );
                match self.rng.u32(0..4) {
                    0 => self.line("    if (__VERIFIER_nondet_bool()) break;"),
                    1 => self.line(&format!("    a[i{counter} % 4] += 1;")),
                    2 => self.line(&format!(
                        "    unsigned t[2]; t[i{counter} % 2] = x; y += t[i{counter} % 2];"
                    )),
                    _ => {}
                }
                self.line("}");
            }
            88..95 => {
                let value = self.expression(1);
                self.line(&format!("switch (({value}) % 4) {{"));
                for case in ["case 0:", "case 2:", "default:"] {
                    self.nested(case, 1);
                    if self.chance(70) {
                        self.line("    break;");
                    }
                }
                self.line("}");
            }
            _ => {
                let cond = self.condition();
                let (value, other) = (self.rng.u32(0..9), self.expression(1));
                self.line(&format!("if ({cond} && ({other}) == {value}) reach_error();"));
            }
        }
    }

    fn place(&mut self) -> String {
        match self.rng.u32(0..12) {
            0..4 => self.pick(&LOCALS).to_owned(),
            4..6 => self.pick(&GLOBALS).to_owned(),
            6 => "h".to_owned(),
            7 => format!("a[{} % 4]", self.pick(&["x", "g0", "1", "3", "z"])),
            8 => "*p".to_owned(),
            9 => self
                .pick(&["u.word", "u.half[1]", "u.byte[1]", "u.byte[2]", "u.half[0]"])
                .to_owned(),
            10 => self.pick(&["s.a", "s.b", "*s.link"]).to_owned(),
            _ => format!(
                "((unsigned char *)&{})[{}]",
                self.pick(&["a[1]", "g0", "u"]),
                self.rng.u32(0..4)
            ),
        }
    }

    fn condition(&mut self) -> String {
        match self.rng.u32(0..5) {
            0 | 1 => "__VERIFIER_nondet_bool()".to_owned(),
            2 => {
                let (value, limit) = (self.expression(1), self.rng.u32(0..6));
                format!("({value}) % 8 < {limit}")
            }
            3 => {
                let (left, right) = (self.place(), self.place());
                format!("{left} {} {right}", self.pick(&["==", "!=", "<", ">="]))
            }
            _ => {
                let (left, right) = (self.place(), self.expression(1));
                // Signed comparison of what is stored unsigned.
                format!("(int){left} < (int)({right})")
            }
        }
    }

    /// An expression that is `depth` operators deep at most. Its operands have no side effects.
    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.chance(25) {
            return match self.rng.u32(0..4) {
                0 => format!("{}u", self.rng.u32(0..9)),
                1 if self.chance(10) => "0x80000000u".to_owned(),
                _ => self.place(),
            };
        }
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.rng.u32(0..9) {
            0 => format!("({right} ? {left} / {right} : {left})"),
            1 => format!("({left} % ({right} % 7 + 1))"),
            2 => format!("({left} << {right} % 8)"),
            3 => format!("({left} >> {right} % 8)"),
            4 => format!("(unsigned char)({left} + {right})"),
            5 => format!("({left} {} {right} ? 3u : {left})", self.pick(&["<", "==", ">"])),
            _ => format!("({left} {} {right})", self.pick(&["+", "-", "*", "&", "|", "^", "+"])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides_alone() {
        assert_eq!(small_program(7), small_program(7));
        assert_ne!(small_program(7), small_program(8));
    }
}
