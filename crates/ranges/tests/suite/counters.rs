//! Programs with loops over counters of all widths: counters that move together or against each other, wrap around, meet
//! in conditions, and are sums of each other; a pointer moves along.

use std::fmt::Write;

use fastrand::Rng;

const TYPES: &[&str] =
    &["int", "unsigned", "signed char", "unsigned char", "short", "long", "unsigned long"];

/// Among them those from which a few steps wrap around.
const STARTS: &[&str] = &[
    "0",
    "0",
    "0",
    "1",
    "5",
    "-3",
    "100",
    "126",
    "250",
    "32760",
    "2147483640",
    "-2147483640",
    "__VERIFIER_nondet_int()",
];

const COUNTERS: usize = 4;

struct Generator {
    random: Rng,
    text: String,
}

pub fn counter_program(seed: u64) -> String {
    let mut generator = Generator { random: Rng::with_seed(seed), text: String::new() };
    generator.program();
    generator.text
}

impl Generator {
    fn pick<'s>(&mut self, words: &[&'s str]) -> &'s str {
        words[self.random.usize(..words.len())]
    }

    fn counter(&mut self) -> String {
        format!("c{}", self.random.usize(..COUNTERS))
    }

    fn program(&mut self) {
        self.text += "extern int __VERIFIER_nondet_int(void);\nint g;\nint main(void) {\n";
        for index in 0..COUNTERS {
            let (of_type, start) = (self.pick(TYPES), self.pick(STARTS));
            let _ = writeln!(self.text, "{of_type} c{index} = {start};");
        }
        self.text += "char array[16]; char *p = array;\n";
        for _ in 0..2 {
            self.statement(3);
        }
        self.text += "return 0;\n}\n";
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.counter(), self.counter());
        let order = self.pick(&["<", "<=", ">", "!=", "=="]);
        let constant = self.random.i32(-2..20);
        match self.random.u32(..6) {
            0 => "__VERIFIER_nondet_int()".to_owned(),
            1 | 2 => format!("{a} {order} {constant}"),
            3 => format!("{a} {order} {b}"),
            4 => format!("{a} != {b} && {a} <= {b}"),
            _ => format!("{a} - {b} > 2 || {b} - {a} > 2"),
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.random.u32(..10) {
            0..=3 if depth > 0 => {
                let condition = self.condition();
                let word = if self.random.u32(..3) == 0 { "if" } else { "while" };
                let _ = writeln!(self.text, "{word} ({condition}) {{");
                for _ in 0..self.random.u32(1..4) {
                    self.statement(depth - 1);
                }
                self.text += "}\n";
            }
            4 => {
                let (a, b, c) = (self.counter(), self.counter(), self.counter());
                let op = self.pick(&["+", "-"]);
                let _ = writeln!(self.text, "{a} = {b} {op} {c};");
            }
            5 => {
                let (a, b) = (self.counter(), self.counter());
                let by = self.random.i32(-2..3);
                let _ = writeln!(self.text, "{a} = {b} + {by};");
            }
            6 => self.text += "if (p < array + 16) { *p = 1; p++; }\n",
            7 => {
                let a = self.counter();
                let _ = writeln!(self.text, "g = {a}; g++; {a} = g;");
            }
            _ => {
                let (a, b) = (self.counter(), self.counter());
                let (op, by) = (self.pick(&["+=", "-="]), self.random.i32(1..3));
                let _ = writeln!(self.text, "{a} {op} {by};");
                if self.random.bool() {
                    let op = self.pick(&["+=", "-="]);
                    let _ = writeln!(self.text, "{b} {op} {by};");
                }
            }
        }
    }
}
