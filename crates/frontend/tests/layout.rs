//! Sizes, alignments and offsets of generated types, checked by gcc itself.
//!
//! The front end computes a table of `sizeof`, `_Alignof` and `offsetof` values as the initialiser
//! of a global array; gcc then gets the same types with one `_Static_assert` per value. Compiling
//! needs no 32-bit libraries, so both data models are always checked.

use std::fmt::Write as _;
use std::process::Command;

use ravelin_base::DataModel;
use ravelin_cfa::Init;

/// A small generator (xorshift), so that a failure is reproduced by its seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}

const SCALARS: &[&str] = &[
    "char",
    "signed char",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "_Bool",
    "float",
    "double",
    "long double",
    "void *",
    "int (*)(int)",
    "enum color",
];

const BIT_FIELD_TYPES: &[(&str, u64)] = &[
    ("int", 32),
    ("unsigned", 32),
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("long long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
    ("enum color", 32),
];

/// The declarations of `count` types `S0`, `S1`, … and the expressions to compare.
fn generate(seed: u64, count: usize) -> (String, Vec<String>) {
    let mut random = Random(seed | 1);
    let mut text = String::from("enum color { RED, GREEN = 5 };\n");
    let mut expressions = Vec::new();
    for index in 0..count {
        let keyword = if random.below(5) == 0 { "union" } else { "struct" };
        let name = format!("S{index}");
        writeln!(text, "typedef {keyword} {name} {{").unwrap();
        for member in 0..1 + random.below(7) {
            let field = format!("m{member}");
            match random.below(10) {
                0..4 => {
                    let ty = random.pick(SCALARS);
                    if ty.contains("(*)") {
                        writeln!(text, "  int (*{field})(int);").unwrap();
                    } else {
                        let align = match random.below(8) {
                            0 => " __attribute__((aligned(16)))",
                            1 => " __attribute__((packed))",
                            _ => "",
                        };
                        writeln!(text, "  {ty} {field}{align};").unwrap();
                    }
                    expressions.push(format!("__builtin_offsetof({name}, {field})"));
                }
                4..8 => {
                    let (ty, width) = random.pick(BIT_FIELD_TYPES);
                    let bits = random.below(width + 1);
                    if bits == 0 {
                        writeln!(text, "  {ty} : 0;").unwrap();
                    } else if random.below(6) == 0 {
                        writeln!(text, "  {ty} : {bits};").unwrap();
                    } else {
                        writeln!(text, "  {ty} {field} : {bits};").unwrap();
                    }
                }
                8 => {
                    let ty = random.pick(SCALARS);
                    if !ty.contains("(*)") {
                        let length = random.below(5);
                        writeln!(text, "  {ty} {field}[{length}];").unwrap();
                        expressions.push(format!("__builtin_offsetof({name}, {field})"));
                    }
                }
                _ if index > 0 => {
                    let inner = random.below(index as u64);
                    writeln!(text, "  S{inner} {field}[2];").unwrap();
                    expressions.push(format!("__builtin_offsetof({name}, {field})"));
                }
                _ => {}
            }
        }
        let attribute = match random.below(8) {
            0 => "__attribute__((packed))",
            1 => "__attribute__((aligned(32)))",
            2 => "__attribute__((packed, aligned(4)))",
            _ => "",
        };
        // The attribute stands where it applies to the type, not to the typedef.
        writeln!(text, "}} {attribute} {name};").unwrap();
        expressions.push(format!("sizeof({name})"));
        expressions.push(format!("_Alignof({name})"));
    }
    (text, expressions)
}

/// The values that the front end gives the expressions.
fn values(types: &str, expressions: &[String], data_model: DataModel) -> Vec<u64> {
    let table = expressions.join(",\n  ");
    let text = format!(
        "{types}unsigned long long table[] = {{\n  {table},\n  12345\n}};\n\
         int main(void) {{ return table[0] != 0; }}\n"
    );
    let built = ravelin_frontend::build_text("layout.c", &text, data_model)
        .unwrap_or_else(|errors| panic!("{}", ravelin_base::diagnostic::render(&errors)));
    let program = &built.program;
    let object = program
        .objects
        .values()
        .find(|object| program.name(object.name) == "table")
        .expect("the table is an object");
    let Init::Values(entries) = &object.init else { panic!("the table is not constant") };
    (0..expressions.len() as u64)
        .map(|index| {
            let entry = entries.iter().find(|(offset, _)| *offset == index * 8);
            entry.map_or(0, |&(_, term)| program.terms.as_bv(term).expect("a constant") as u64)
        })
        .collect()
}

fn check_with_gcc(types: &str, expressions: &[String], values: &[u64], flag: &str, seed: u64) {
    let mut text = types.to_owned();
    for (expression, value) in expressions.iter().zip(values) {
        let condition = format!("{expression} == {value}");
        writeln!(text, "_Static_assert({condition}, \"{condition}\");").unwrap();
    }
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("layout.c");
    std::fs::write(&file, text).expect("the temporary file can be written");
    let output = Command::new("gcc")
        .args([flag, "-w", "-fsyntax-only"])
        .arg(&file)
        .output()
        .expect("gcc runs: the test suite needs it");
    assert!(
        output.status.success(),
        "seed {seed}, {flag}: the layout differs from gcc's:\n{}\n{types}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn generated_records_are_laid_out_as_gcc_does() {
    for seed in 1..=24u64 {
        let (types, expressions) = generate(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), 25);
        for (data_model, flag) in [(DataModel::Ilp32, "-m32"), (DataModel::Lp64, "-m64")] {
            let values = values(&types, &expressions, data_model);
            check_with_gcc(&types, &expressions, &values, flag, seed);
        }
    }
}

#[test]
fn scalar_types_have_gcc_sizes() {
    let types = "enum color { RED, GREEN = 5 }; enum big { B = 0x1ffffffffLL };";
    let names = SCALARS.iter().chain(&[
        "short",
        "unsigned char",
        "unsigned long long",
        "int[3][4]",
        "enum big",
    ]);
    let mut expressions = Vec::new();
    for name in names {
        expressions.push(format!("sizeof({name})"));
        expressions.push(format!("_Alignof({name})"));
    }
    expressions.push("sizeof(__builtin_va_list)".to_owned());
    for (data_model, flag) in [(DataModel::Ilp32, "-m32"), (DataModel::Lp64, "-m64")] {
        let values = values(types, &expressions, data_model);
        check_with_gcc(types, &expressions, &values, flag, 0);
    }
}
