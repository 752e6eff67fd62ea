//! Sizes and alignments of scalar types, checked by gcc itself. Generated records are compared in
//! the test kit.
//!
//! The front end computes a table of `sizeof`, `_Alignof` and `offsetof` values as the initialiser
//! of a global array; gcc then gets the same types with one `_Static_assert` per value. Compiling
//! needs no 32-bit libraries, so both data models are always checked.

use std::fmt::Write as _;
use std::process::Command;

use ravelin_base::DataModel;
use ravelin_cfa::Init;

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

fn check_with_gcc(types: &str, expressions: &[String], values: &[u64], flag: &str) {
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
        "{flag}: the layout differs from gcc's:\n{}\n{types}",
        String::from_utf8_lossy(&output.stderr)
    );
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
        check_with_gcc(types, &expressions, &values, flag);
    }
}
