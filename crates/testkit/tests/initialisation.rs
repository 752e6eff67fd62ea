//! Reads of variables without value in generated programs: the interpreter ends where a small evaluator ends, which knows of each
//! variable whether it has a value.

use std::fmt::Write;

use fastrand::Rng;
use ravelin_base::DataModel;
use ravelin_cfa::{ErrorKind, Property, passes};
use ravelin_frontend::source::{TextKind, parse_text};
use ravelin_frontend::{Reading, lower_units};
use ravelin_interp::{Outcome, RandomChooser, RunConfig};

/// Values are from 0 to 7. Nothing here becomes simpler by leaving out a variable.
enum Expr {
    Constant(u32),
    Var(usize),
    Sum(Box<Expr>, Box<Expr>),
    /// The condition, a variable, and a constant.
    Choice(Box<Expr>, usize, u32),
}

enum Stmt {
    Assign(usize, Expr),
    If(Expr, Vec<Line>, Vec<Line>),
    /// The body, so many times.
    Repeat(u32, Vec<Line>),
    /// A block with a variable of its own.
    Block(usize, Vec<Line>),
}

struct Line {
    number: u32,
    stmt: Stmt,
}

/// How a program ends: a status, or the line that reads a variable without value.
#[derive(Debug, PartialEq)]
enum End {
    Exit(u32),
    Reads(u32),
}

struct Generator {
    rng: Rng,
    text: String,
    number: u32,
}

impl Generator {
    fn line(&mut self, text: &str) -> u32 {
        self.number += 1;
        writeln!(self.text, "{text}").expect("a string takes everything");
        self.number
    }

    fn expr(&mut self, vars: usize, depth: u32) -> Expr {
        match self.rng.u32(0..if depth == 0 { 2 } else { 4 }) {
            0 => Expr::Constant(self.rng.u32(0..8)),
            1 => Expr::Var(self.rng.usize(0..vars)),
            2 => {
                let (a, b) = (self.expr(vars, depth - 1), self.expr(vars, depth - 1));
                Expr::Sum(Box::new(a), Box::new(b))
            }
            _ => {
                let condition = self.expr(vars, depth - 1);
                let (var, other) = (self.rng.usize(0..vars), self.rng.u32(0..8));
                Expr::Choice(Box::new(condition), var, other)
            }
        }
    }

    fn body(&mut self, vars: usize, depth: u32) -> Vec<Line> {
        (0..self.rng.u32(1..4)).map(|_| self.stmt(vars, depth)).collect()
    }

    fn stmt(&mut self, vars: usize, depth: u32) -> Line {
        match self.rng.u32(0..if depth == 0 { 3 } else { 7 }) {
            0..3 => {
                let (var, mut expr) = (self.rng.usize(0..vars), self.expr(vars, 2));
                // To assign a variable to itself does nothing.
                if let Expr::Var(read) | Expr::Choice(_, read, _) = &mut expr
                    && *read == var
                {
                    *read = (var + 1) % vars;
                }
                let number = self.line(&format!("v{var} = {};", c_text(&expr)));
                Line { number, stmt: Stmt::Assign(var, expr) }
            }
            3 | 4 => {
                let condition = self.expr(vars, 1);
                let number = self.line(&format!("if ({}) {{", c_text(&condition)));
                let then = self.body(vars, depth - 1);
                self.line("} else {");
                let otherwise = self.body(vars, depth - 1);
                self.line("}");
                Line { number, stmt: Stmt::If(condition, then, otherwise) }
            }
            5 => {
                let (count, name) = (self.rng.u32(0..4), self.number);
                let number =
                    self.line(&format!("for (int i{name} = 0; i{name} < {count}; i{name}++) {{"));
                let body = self.body(vars, depth - 1);
                self.line("}");
                Line { number, stmt: Stmt::Repeat(count, body) }
            }
            _ => {
                let number = self.line(&format!("{{ int v{vars};"));
                let body = self.body(vars + 1, depth - 1);
                self.line("}");
                Line { number, stmt: Stmt::Block(vars, body) }
            }
        }
    }
}

fn c_text(expr: &Expr) -> String {
    match expr {
        Expr::Constant(value) => value.to_string(),
        Expr::Var(var) => format!("v{var}"),
        Expr::Sum(a, b) => format!("(({} + {}) & 7)", c_text(a), c_text(b)),
        Expr::Choice(condition, var, other) => {
            format!("({} ? v{var} : {other})", c_text(condition))
        }
    }
}

fn value(expr: &Expr, vars: &[Option<u32>]) -> Option<u32> {
    match expr {
        Expr::Constant(value) => Some(*value),
        Expr::Var(var) => vars[*var],
        Expr::Sum(a, b) => Some((value(a, vars)? + value(b, vars)?) & 7),
        Expr::Choice(condition, var, other) => match value(condition, vars)? {
            0 => Some(*other),
            _ => vars[*var],
        },
    }
}

/// Runs the lines; the number of the line that reads a variable without value.
fn run(lines: &[Line], vars: &mut Vec<Option<u32>>) -> Result<(), u32> {
    for Line { number, stmt } in lines {
        match stmt {
            Stmt::Assign(var, expr) => vars[*var] = Some(value(expr, vars).ok_or(*number)?),
            Stmt::If(condition, then, otherwise) => match value(condition, vars).ok_or(*number)? {
                0 => run(otherwise, vars)?,
                _ => run(then, vars)?,
            },
            Stmt::Repeat(count, body) => {
                for _ in 0..*count {
                    run(body, vars)?;
                }
            }
            Stmt::Block(var, body) => {
                vars.truncate(*var);
                vars.push(None);
                run(body, vars)?;
                vars.truncate(*var);
            }
        }
    }
    Ok(())
}

const VARS: usize = 3;

/// A program, and its end.
fn program(seed: u64) -> (String, End) {
    let mut generator = Generator { rng: Rng::with_seed(seed), text: String::new(), number: 0 };
    generator.line("int main(void) {");
    generator.line("int v0, v1, v2;");
    let lines: Vec<Line> = (0..5).map(|_| generator.stmt(VARS, 3)).collect();
    let last = generator.line("return v0;");
    generator.line("}");
    let mut vars = vec![None; VARS];
    let end = match run(&lines, &mut vars) {
        Err(number) => End::Reads(number),
        Ok(()) => vars[0].map_or(End::Reads(last), End::Exit),
    };
    (generator.text, end)
}

/// How the interpreter ends it, before and after the passes.
fn ends(text: &str) -> Vec<End> {
    let unit = parse_text("t.c", text, TextKind::Preprocessed).expect("C");
    let checked = Property::ValidInit.into();
    let reading = Reading { checked, ..Reading::of(DataModel::Lp64) };
    let Ok(built) = lower_units(&[unit], &reading) else { panic!("not lowered:\n{text}") };
    ravelin_cfa::verify(&built.program).expect("the front end keeps the invariants");
    let mut optimised = built.program.clone();
    passes::run(&mut optimised, passes::DEFAULT, &Default::default()).expect("passes run");
    let end = |program| {
        let config = RunConfig::default();
        match ravelin_interp::run(program, &mut RandomChooser::new(0), &config).outcome {
            Outcome::Exit(status) => End::Exit(u32::try_from(status).expect("a small status")),
            Outcome::Error { kind: ErrorKind::UninitialisedRead, pos } => End::Reads(pos.line),
            other => panic!("{}:\n{text}", other.display(program)),
        }
    };
    vec![end(&built.program), end(&optimised)]
}

#[test]
fn reads_without_value_are_found_where_they_are() {
    let (mut errors, count) = (0, 400);
    for seed in 0..count {
        let (text, expected) = program(seed);
        errors += u64::from(matches!(expected, End::Reads(_)));
        for end in ends(&text) {
            assert_eq!(end, expected, "seed {seed}:\n{text}");
        }
    }
    assert!(errors > count / 4 && errors < count, "{errors} of {count} have an error");
}
