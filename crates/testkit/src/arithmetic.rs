//! Programs whose arithmetic may be undefined, compared with gcc's sanitizer: which error comes first,
//! and in which line.
//!
//! A program is text: variables of many types with values near the limits, and statements of one line
//! each. Expressions have no side effects, so C leaves no order open that matters, except which of
//! two errors in one line comes first.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use fastrand::Rng;
use ravelin_base::DataModel;
use ravelin_base::diagnostic::render;
use ravelin_cfa::{ErrorKind, Properties, Property};
use ravelin_frontend::source::{SourceOptions, load, with_deep_stack};
use ravelin_frontend::{Reading, lower_units};
use ravelin_interp::{Outcome, RandomChooser, RunConfig};

/// How a program ends: with this error in this line, or without any.
pub type End = Option<(ErrorKind, u32)>;

/// A variable: its name, how it is declared, and the width and signedness of its values.
type Variable = (&'static str, &'static str, u32, bool);

const VARIABLES: &[Variable] = &[
    ("i", "int i", 32, true),
    ("j", "int j", 32, true),
    ("k", "int k", 32, true),
    ("l", "long l", 64, true),
    ("m", "long m", 64, true),
    ("q", "long long q", 64, true),
    ("u", "unsigned u", 32, false),
    ("w", "unsigned long w", 64, false),
    ("s", "short s", 16, true),
    ("h", "unsigned short h", 16, false),
    ("c", "signed char c", 8, true),
    ("b", "unsigned char b", 8, false),
    ("t", "_Bool t", 1, false),
    ("e", "enum signed_enum e", 32, true),
    ("f", "enum unsigned_enum f", 32, false),
    ("a", "_Atomic int a", 32, true),
    ("x", "__int128 x", 64, true),
    ("y", "__int128 y", 128, true),
    ("z.n", "", 5, true),
    ("z.m", "", 31, false),
    ("z.o", "", 32, true),
    ("g", "", 32, true),
    ("p[1]", "", 32, true),
];

const BINARY: &[&str] =
    &["+", "+", "+", "-", "-", "-", "*", "*", "/", "%", "<<", "<<", ">>", "&", "|", "^", "<", "=="];

/// The names at file scope, which differ between programs in one file.
const NAMES: &[&str] = &[
    "main",
    "first",
    "second",
    "g",
    "signed_enum",
    "unsigned_enum",
    "NEGATIVE",
    "ZERO",
    "ONE",
    "TWO",
];

/// A program by its seed, for LP64.
pub fn program(seed: u64) -> String {
    let mut generator = Generator { rng: Rng::with_seed(seed) };
    let mut text = String::from(
        "int abs(int);\nlong labs(long);\n\
         enum signed_enum { NEGATIVE = -1, ZERO };\n\
         enum unsigned_enum { ONE = 1, TWO };\n\
         static int g;\n",
    );
    let rng = &mut generator.rng;
    let types = ["int", "long", "short", "unsigned", "signed char"];
    for name in ["first", "second"] {
        let [one, other] = [(); 2].map(|()| types[rng.usize(..types.len())]);
        let op = BINARY[rng.usize(..BINARY.len())];
        let _ =
            writeln!(text, "static long {name}({one} y, {other} v) {{\n    return y {op} v;\n}}");
    }
    text += "int main(void) {\n";
    for &(_, declaration, width, signed) in VARIABLES {
        if !declaration.is_empty() {
            let value = generator.value(width, signed);
            let _ = writeln!(text, "    {declaration} = {value};");
        }
    }
    text += "    struct { int n : 5; unsigned m : 31; int o; } z = { 0 };\n    int p[2] = { 0 };\n";
    for _ in 0..12 {
        let statement = generator.statement();
        let _ = writeln!(text, "    {statement}");
    }
    text += "    return 0;\n}\n";
    text
}

struct Generator {
    rng: Rng,
}

impl Generator {
    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.rng.usize(..of.len())]
    }

    /// A number of the given range, often near its limits or small.
    fn value(&mut self, width: u32, signed: bool) -> String {
        if width > 64 {
            let high = self.value(64, signed);
            let low = self.value(64, false);
            return format!("((__int128) (((unsigned __int128) {high} << 64) | {low}))");
        }
        let most = (1_i128 << (width - u32::from(signed))) - 1;
        let least = if signed { -most - 1 } else { 0 };
        let value = match self.rng.u32(..10) {
            0 => least + i128::from(self.rng.u32(..3)),
            1 => most - i128::from(self.rng.u32(..3)),
            2 => most / 2 + i128::from(self.rng.u32(..2)),
            3 => 1 << self.rng.u32(..width),
            4 => i128::from(self.rng.u64(..)) >> self.rng.u32(..64),
            _ => i128::from(self.rng.i32(-3..9)),
        };
        literal(value.clamp(least, most))
    }

    fn variable(&mut self) -> &'static str {
        self.pick(VARIABLES).0
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.rng.u32(..5) == 0 {
            return match self.rng.u32(..5) {
                0 => self.value(32, true),
                1 => self.value(8, true),
                _ => self.variable().to_owned(),
            };
        }
        let inner = depth - 1;
        match self.rng.u32(..14) {
            0 => format!("(-{})", self.operand(inner)),
            1 => format!("(~{})", self.operand(inner)),
            2 => {
                let ty = self.pick(&["int", "long", "short", "unsigned char", "unsigned"]);
                format!("(({ty}) {})", self.variable())
            }
            3 => {
                let (a, [b, c]) = (self.condition(inner), [(); 2].map(|()| self.operand(inner)));
                format!("({a} ? {b} : {c})")
            }
            4 => {
                let op = self.pick(&["&&", "||"]);
                let [a, b] = [(); 2].map(|()| self.condition(inner));
                format!("({a} {op} {b})")
            }
            5 => {
                let function = self.pick(&["abs", "labs"]);
                format!("{function}({})", self.variable())
            }
            _ => {
                if self.rng.u32(..8) == 0 {
                    let op = self.pick(&["<", "==", ">=", "!="]);
                    return format!("({} {op} {})", self.variable(), self.variable());
                }
                let op = self.pick(BINARY);
                // gcc folds operations on constants, and reports nothing then.
                let left = self.variable();
                let left = if inner > 0 { self.expression(inner) } else { left.to_owned() };
                let left = if is_constant(&left) { self.variable().to_owned() } else { left };
                let right = match op {
                    "<<" | ">>" if self.rng.u32(..4) > 0 => self.rng.u32(..34).to_string(),
                    "/" | "%" if self.rng.u32(..3) == 0 => "-1".to_owned(),
                    _ => self.operand(inner),
                };
                format!("({left} {op} {right})")
            }
        }
    }

    /// An expression that is no constant.
    fn operand(&mut self, depth: u32) -> String {
        let text = self.expression(depth);
        if is_constant(&text) { self.variable().to_owned() } else { text }
    }

    /// gcc finds the truth of `-x`, `x - y` and `x - y < x` without computing a difference.
    fn condition(&mut self, depth: u32) -> String {
        let text = self.operand(depth);
        let is_folded = text.starts_with("(-") || text.contains("abs(");
        let text = if is_folded { self.variable() } else { &text };
        format!("({text} < {})", self.value(8, true))
    }

    /// An assignment. Its value has a variable of its own first, because gcc converts the operands in
    /// place of a result that becomes narrower, and overflow is gone.
    fn assigned(&mut self, target: &str, depth: u32) -> String {
        let value = self.expression(depth);
        match VARIABLES.iter().any(|(name, ..)| *name == value) {
            true => format!("{target} = {value};"),
            false => format!("{{ __auto_type value = {value}; {target} = value; }}"),
        }
    }

    fn statement(&mut self) -> String {
        let target = self.variable();
        match self.rng.u32(..17) {
            0..=5 => self.assigned(target, 2),
            6..=9 => {
                // gcc computes a narrower result without overflow, too: no narrow targets here.
                let target = self.pick(&["i", "j", "g", "p[1]", "l", "m", "q", "x", "y", "u", "w"]);
                let op = self.pick(&["+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "^="]);
                format!(
                    "{{ __auto_type value = +{}; {target} {op} (int) value; }}",
                    self.operand(1)
                )
            }
            10 => self
                .pick(&["++i;", "j++;", "--l;", "m--;", "s++;", "--c;", "a++;", "z.n++;"])
                .to_owned(),
            11 => self
                .pick(&["g++;", "--g;", "k--;", "++q;", "x++;", "++p[1];", "--z.o;", "e++;"])
                .to_owned(),
            12 => format!("if ({}) {}", self.condition(2), self.assigned(target, 2)),
            13 => {
                let (start, step) = (self.value(32, true), self.rng.i32(1..4));
                format!("k = {start}; for (int r = 0; r < 4; r++) k += {step};")
            }
            14 => {
                let (start, limit) = (self.value(32, true), self.value(8, true));
                format!("for (int r = {start}, o = 0; r > {limit} && o < 3; r++) o++;")
            }
            15 => {
                let function = self.pick(&["first", "second"]);
                format!("{target} = {function}({}, {});", self.variable(), self.variable())
            }
            _ => {
                format!("while ({}) {{ {} break; }}", self.condition(1), self.assigned(target, 1))
            }
        }
    }
}

fn is_constant(text: &str) -> bool {
    !text.contains(|c: char| c.is_ascii_lowercase())
}

/// A number as C has it: the least one of `long` is no literal.
fn literal(value: i128) -> String {
    let wide = i32::try_from(value).is_err() && u32::try_from(value).is_err();
    match value {
        _ if value == i128::from(i64::MIN) => "(-9223372036854775807L - 1)".to_owned(),
        _ if value == i128::from(i32::MIN) => "(-2147483647 - 1)".to_owned(),
        _ if value > i128::from(i64::MAX) => format!("{value}U"),
        ..0 if wide => format!("({value}L)"),
        ..0 => format!("({value})"),
        _ if wide => format!("{value}L"),
        _ => value.to_string(),
    }
}

/// How the programs end when gcc's sanitizer watches. They become one file, which saves most of the time.
///
/// # Errors
/// What keeps them from being compiled, or one from being run.
pub fn ends_of_gcc(sources: &[String]) -> Result<Vec<Result<End, String>>, String> {
    let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (file, executable) = (dir.path().join("programs.c"), dir.path().join("programs"));
    let mut text = String::new();
    let mut cases = String::new();
    for (number, source) in sources.iter().enumerate() {
        for name in NAMES {
            let _ = writeln!(text, "#undef {name}\n#define {name} {name}_{number}");
        }
        let _ = writeln!(text, "#line 1 \"program.c\"\n{source}");
        let _ = writeln!(cases, "    case {number}: return main_{number}();");
    }
    text += "#undef main\nint atoi(const char *);\nint main(int argc, char **argv) {\n";
    let _ = writeln!(text, "    switch (atoi(argv[1])) {{\n{cases}    }}\n    return 1;\n}}");
    std::fs::write(&file, text).map_err(|error| error.to_string())?;
    let compiled = Command::new("gcc")
        .args(["-w", "-pipe", "-O0"])
        .args(["-fsanitize=signed-integer-overflow,integer-divide-by-zero,shift"])
        .args(["-fno-sanitize-recover=all", "-o"])
        .args([&executable, &file])
        .output()
        .map_err(|error| error.to_string())?;
    if !compiled.status.success() {
        return Err(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    Ok((0..sources.len()).map(|number| end_of_gcc(&executable, number)).collect())
}

fn end_of_gcc(executable: &Path, number: usize) -> Result<End, String> {
    let output = Command::new(executable)
        .arg(number.to_string())
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(None);
    }
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    reported(&message).map(Some).ok_or(message)
}

/// The error and the line of a sanitizer's message.
fn reported(message: &str) -> Option<(ErrorKind, u32)> {
    let (place, what) = message.split_once(": runtime error: ")?;
    let line = place.lines().last()?.split(':').nth(1)?.parse().ok()?;
    let kind = match what {
        _ if what.starts_with("division by zero") => ErrorKind::DivisionByZero,
        _ if what.starts_with("shift exponent") => ErrorKind::InvalidShift,
        _ => ErrorKind::SignedOverflow,
    };
    Some((kind, line))
}

/// How a program ends in the interpreter.
///
/// # Errors
/// What keeps it from being lowered or run.
pub fn end_of_automaton(path: &Path) -> Result<End, String> {
    let run = || {
        let options = SourceOptions { data_model: DataModel::Lp64, ..SourceOptions::default() };
        let checked = [Property::NoOverflow, Property::ValidArithmetic];
        let checked: Properties = checked.into_iter().collect();
        let unit = load(path, &options).map_err(|errors| render(&errors))?;
        let reading = Reading { checked, ..Reading::of(DataModel::Lp64) };
        let program = lower_units(&[unit], &reading).map_err(|errors| render(&errors))?.program;
        ravelin_cfa::verify(&program).map_err(|found| format!("{found:?}"))?;
        let run = ravelin_interp::run(&program, &mut RandomChooser::new(0), &RunConfig::default());
        match run.outcome {
            Outcome::Exit(_) => Ok(None),
            Outcome::Error { kind, pos } => Ok(Some((kind, pos.line))),
            other => Err(other.display(&program).to_string()),
        }
    };
    with_deep_stack(run).map_err(|error| error.to_string())?
}
