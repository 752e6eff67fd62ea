//! The source layer through its public interface: positions, errors, limits, files.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use lang_c::ast::{BinaryOperator, BinaryOperatorExpression, Expression, Identifier};
use lang_c::span::{Node, Span as TreeSpan};
use lang_c::visit::{self, Visit};
use ravelin_base::DataModel;
use ravelin_base::diagnostic::render;
use ravelin_base::source::Span;
use ravelin_frontend::source::{
    Direction, MAX_DEPTH, MAX_NESTING, MAX_TEXT_BYTES, ParsedUnit, PathUse, SourceOptions,
    TextKind, load, original_name, parse_text, with_deep_stack,
};

fn parse(text: &str) -> ParsedUnit {
    parse_text("test.i", text, TextKind::Preprocessed)
        .unwrap_or_else(|errors| panic!("{}", render(&errors)))
}

/// Writes text to a file of the given name in a fresh directory.
fn file(name: &str, text: impl AsRef<[u8]>) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(name);
    std::fs::write(&path, text).unwrap();
    (directory, path)
}

/// The messages about a file, without its directory.
fn errors_of(path: &Path, options: &SourceOptions) -> String {
    let errors = load(path, options).expect_err("the file should be rejected");
    let directory = format!("{}/", path.parent().unwrap().display());
    render(&errors).replace(&directory, "")
}

fn check_error(text: impl AsRef<[u8]>, expected: Expect) {
    let (_directory, path) = file("test.i", text);
    expected.assert_eq(&errors_of(&path, &SourceOptions::default()));
}

/// Collects where the identifiers of a tree stand.
struct Places<'a> {
    unit: &'a ParsedUnit,
    text: String,
}

impl<'ast> Visit<'ast> for Places<'_> {
    fn visit_identifier(&mut self, identifier: &'ast Identifier, span: &'ast TreeSpan) {
        let position = self.unit.map.position(span.start as u32);
        let span = Span { start: span.start as u32, end: span.end as u32 };
        let source = self.unit.map.text(span);
        let name = original_name(&identifier.name);
        let (file, line, column) = (position.file, position.line, position.column);
        writeln!(self.text, "{name} {file}:{line}:{column} {source:?}").unwrap();
    }
}

fn check_places(text: &str, expected: Expect) {
    let unit = parse(text);
    let mut places = Places { unit: &unit, text: String::new() };
    places.visit_translation_unit(&unit.ast);
    expected.assert_eq(&places.text);
}

#[test]
fn positions_through_line_markers() {
    check_places(
        "int a;\n# 10 \"dir/h.h\" 1\n  int b;\n\nint c;\n# 2 \"test.c\" 2\nint d;\n#line 7\nint e;\n",
        expect![[r#"
            a test.i:1:5 "a"
            b dir/h.h:10:7 "b"
            c dir/h.h:12:5 "c"
            d test.c:2:5 "d"
            e test.c:7:5 "e"
        "#]],
    );
}

#[test]
fn positions_through_rewritings() {
    check_places(
        "/* c */ int a$b __attribute__((unused)),   x;\nf(void) {\n\tx = a$b ?: x; /* */ goto *&&l;\n  l: }\nint last;",
        expect![[r#"
            a$b test.i:1:13 "a$b"
            x test.i:1:44 "x"
            f test.i:2:1 "f"
            x test.i:3:2 "x"
            a$b test.i:3:6 "a$b"
            __ravelin_omitted test.i:3:10 "?"
            x test.i:3:13 "x"
            __ravelin_goto_computed test.i:3:22 "g"
            __ravelin_label_address test.i:3:28 "&"
            l test.i:3:30 "l"
            l test.i:4:3 "l"
            last test.i:5:5 "last"
        "#]],
    );
}

#[test]
fn positions_through_continued_lines() {
    check_places(
        "int a\\\nb,\\\n  c;\nint d;",
        expect![[r#"
            ab test.i:1:5 "a\\\nb"
            c test.i:3:3 "c"
            d test.i:4:5 "d"
        "#]],
    );
}

#[test]
fn attribute_arguments_keep_their_positions() {
    check_places(
        "enum { N = 8 };\nstruct s {\n  int x;\n} __attribute__((aligned(N)));\nint y;",
        expect![[r#"
            N test.i:1:8 "N"
            s test.i:2:8 "s"
            N test.i:4:26 "N"
            x test.i:3:7 "x"
            y test.i:5:5 "y"
        "#]],
    );
}

/// Collects the binary operators of a tree, and counts its casts.
#[derive(Default)]
struct Operators {
    binary: Vec<BinaryOperator>,
    casts: usize,
}

impl<'ast> Visit<'ast> for Operators {
    fn visit_binary_operator_expression(
        &mut self,
        expression: &'ast BinaryOperatorExpression,
        span: &'ast TreeSpan,
    ) {
        self.binary.push(expression.operator.node.clone());
        visit::visit_binary_operator_expression(self, expression, span);
    }

    fn visit_expression(&mut self, expression: &'ast Expression, span: &'ast TreeSpan) {
        self.casts += usize::from(matches!(expression, Expression::Cast(_)));
        visit::visit_expression(self, expression, span);
    }
}

#[test]
fn parameters_hide_types() {
    let count = |text: &str| {
        let unit = parse(text);
        let mut operators = Operators::default();
        operators.visit_translation_unit(&unit.ast);
        (operators.binary, operators.casts)
    };
    let hidden = count("typedef int T; int f(int T) { return (T) + 1; }");
    assert_eq!(hidden, (vec![BinaryOperator::Plus], 0));
    let visible = count("typedef int T; int f(int U) { return (T) + 1; }");
    assert_eq!(visible, (vec![], 1));
}

#[test]
fn syntax_errors() {
    check_error(
        "int main(void) {\n  int x = 5\n  int y = 6;\n}\n",
        expect![[r#"
            test.i:2:12: error: expected ';' after '5'
             2 |   int x = 5
               |            ^
        "#]],
    );
    check_error(
        "int main(void) {\n\tint x = ;\n}\n",
        expect![[r#"
            test.i:2:10: error: unexpected ';', expected an expression or '{'
             2 |  int x = ;
               |          ^
        "#]],
    );
    check_error(
        "void f(void) { foo(1 2); }",
        expect![[r#"
            test.i:1:22: error: unexpected '2', expected ')' or ','
             1 | void f(void) { foo(1 2); }
               |                      ^
        "#]],
    );
    check_error(
        "void f(void) { while (1) { else; } }",
        expect![[r#"
            test.i:1:28: error: unexpected 'else'
             1 | void f(void) { while (1) { else; } }
               |                            ^~~~
        "#]],
    );
    check_error(
        "void f(void) { goto 3; }",
        expect![[r#"
            test.i:1:21: error: unexpected '3', expected a name
             1 | void f(void) { goto 3; }
               |                     ^
        "#]],
    );
    check_error(
        "void f(void) { do ; while (1) }",
        expect![[r#"
            test.i:1:31: error: unexpected '}', expected ';'
             1 | void f(void) { do ; while (1) }
               |                               ^
        "#]],
    );
    check_error(
        "int x = 09abc;",
        expect![[r#"
            test.i:1:9: error: invalid number '09abc'
             1 | int x = 09abc;
               |         ^~~~~
        "#]],
    );
    check_error(
        "int x =",
        expect![[r#"
            test.i:1:8: error: unexpected end of file, expected an expression or '{'
             1 | int x =
               |        ^
        "#]],
    );
    check_error(
        "# 100 \"orig.c\"\nenum e { A B };",
        expect![[r#"
            orig.c:100:12: error: unexpected 'B', expected ',', '=' or '}'
             100 | enum e { A B };
                 |            ^
        "#]],
    );
}

#[test]
fn unknown_types() {
    for text in [
        "foo_t x;",
        "void f(void) { foo_t x; }",
        "void f(foo_t *x) { }",
        "void f(int a, foo_t) { }",
    ] {
        let errors = parse_text("test.i", text, TextKind::Preprocessed).unwrap_err();
        assert_eq!(errors[0].message, "unknown type name 'foo_t'", "{text}");
    }
}

#[test]
fn brackets() {
    check_error(
        "void f(void) {\n  if x > 3) ;\n}",
        expect![[r#"
            test.i:2:11: error: ')' without '('
             2 |   if x > 3) ;
               |           ^
        "#]],
    );
    check_error(
        "void f(void) {\n  if (x) {\n    g();\n",
        expect![[r#"
            test.i:2:10: error: '{' is never closed
             2 |   if (x) {
               |          ^
               = expected '}' before the end of the file 2 lines below
        "#]],
    );
    check_error(
        "int a[3 = { (1 };",
        expect![[r#"
            test.i:1:13: error: '(' is never closed
             1 | int a[3 = { (1 };
               |             ^
               = expected ')' before '}' on the same line
        "#]],
    );
}

#[test]
fn characters_that_do_not_belong() {
    check_error(
        "int x@;",
        expect![[r#"
            test.i:1:6: error: stray '@' in program
             1 | int x@;
               |      ^
        "#]],
    );
    check_error(
        "int x = \"\u{e9}\" \u{201c}y\u{201d};",
        expect![[r#"
            test.i:1:14: error: stray character '“' (U+201C) in program
             1 | int x = "é" “y”;
               |             ^
               = only comments, string literals and character constants may contain this
        "#]],
    );
    check_error(
        b"int caf\xe9;",
        expect![[r#"
            test.i:1:8: error: byte 0xe9 is not valid UTF-8
             1 | int caf�;
               |        ^
               = only comments, string literals and character constants may contain this
        "#]],
    );
    check_error(
        "char *s = \"abc;\nint x;",
        expect![[r#"
            test.i:1:11: error: unterminated string literal: closing " missing
             1 | char *s = "abc;
               |           ^~~~~
        "#]],
    );
    check_error(
        "int c = '';",
        expect![[r#"
            test.i:1:9: error: empty character constant
             1 | int c = '';
               |         ^~
        "#]],
    );
    check_error(
        "int x; /* no end",
        expect![[r#"
            test.i:1:8: error: comment is never closed
             1 | int x; /* no end
               |        ^~
        "#]],
    );
    check_error(
        b"\x7fELF\x02\x01\x01\0\0\0",
        expect![[r#"
            test.i:1:1: error: control character 0x7f: this is not a C source file
             1 | �ELF������
               | ^
        "#]],
    );
    check_error(
        b"int x\0;",
        expect![[r#"
            test.i:1:6: error: NUL byte: this is not a C source file
             1 | int x�;
               |      ^
        "#]],
    );
}

#[test]
fn meanings_that_depend_on_the_standard_or_the_target() {
    check_error(
        "void f(void) { auto x = 1.5; }",
        expect![[r#"
            test.i:1:16: error: 'auto' without a type: write the type
             1 | void f(void) { auto x = 1.5; }
               |                ^~~~
               = it means int before C23, and the type of the initialiser since
        "#]],
    );
    check_error(
        "#pragma scalar_storage_order big-endian\nint x;",
        expect![[r#"
            test.i:1:1: error: #pragma scalar_storage_order is not supported
             1 | #pragma scalar_storage_order big-endian
               | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
        "#]],
    );
}

#[test]
fn files_that_are_no_programs() {
    let options = SourceOptions::default();
    for (name, text) in [("a.i", ""), ("a.c", ""), ("b.i", " \n/* */ # 1 \"x\"\n")] {
        let (_directory, path) = file(name, text);
        assert!(load(&path, &options).is_ok(), "{name}");
    }
    let (directory, path) = file("x.c", "int x;");
    expect![[r#"
        missing.c: error: no such file
    "#]]
    .assert_eq(&errors_of(&directory.path().join("missing.c"), &options));
    let errors = load(path.parent().unwrap(), &options).unwrap_err();
    assert_eq!(errors[0].message, "is a directory, not a C file");
}

#[test]
fn large_files() {
    let (_directory, path) = file("large.c", "");
    let large = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    large.set_len(100 << 20).unwrap();
    let message = errors_of(&path, &SourceOptions::default());
    assert_eq!(
        message,
        format!("large.c: error: file too large: the limit is {} MB\n", MAX_TEXT_BYTES >> 20)
    );
}

fn body(statements: &str) -> String {
    format!("int x; int *p; int f(int a, int b) {{ {statements} }}")
}

/// What grows with its argument in all the ways that make the tree deep.
type Family = (&'static str, fn(usize) -> String);

const FAMILIES: &[Family] = &[
    ("parentheses", |n| body(&format!("a = {}1{};", "(".repeat(n), ")".repeat(n)))),
    ("blocks", |n| body(&format!("{}{}", "{".repeat(n), "}".repeat(n)))),
    ("subscripts", |n| body(&format!("a = {}1{};", "p[".repeat(n), "]".repeat(n)))),
    ("calls", |n| body(&format!("a = {}1{};", "f(".repeat(n), ")".repeat(n)))),
    ("casts in parentheses", |n| body(&format!("a = {}1{};", "(int)(".repeat(n), ")".repeat(n)))),
    ("initialisers", |n| format!("int y = {}1{};", "{".repeat(n), "}".repeat(n))),
    ("structs", |n| format!("{} int y; {}", "struct {".repeat(n), "} z;".repeat(n))),
    ("declarators", |n| format!("int {}y{};", "(".repeat(n), ")".repeat(n))),
    ("function types", |n| format!("void g({}int{});", "int (*)(".repeat(n), ")".repeat(n))),
    ("statement expressions", |n| body(&format!("a = {}1;{};", "({".repeat(n), "});".repeat(n)))),
    ("casts", |n| body(&format!("a = {}1;", "(int)".repeat(n)))),
    ("signs", |n| body(&format!("a = {}1;", "- ".repeat(n)))),
    ("negations", |n| body(&format!("a = {}1;", "!".repeat(n)))),
    ("stars", |n| body(&format!("a = {}p;", "*".repeat(n)))),
    ("sizes", |n| body(&format!("a = {}1;", "sizeof ".repeat(n)))),
    ("sums", |n| body(&format!("a = {}1;", "a + ".repeat(n)))),
    ("assignments", |n| body(&format!("{}1;", "a = ".repeat(n)))),
    ("conditionals", |n| body(&format!("a = {}1;", "a ? b : ".repeat(n)))),
    ("conditionals in the middle", |n| {
        body(&format!("a = {}1{};", "a ? ".repeat(n), " : b".repeat(n)))
    }),
    ("conditionals with commas", |n| body(&format!("a = {}1;", "a ? b, b : ".repeat(n)))),
    ("members", |n| body(&format!("a = p{};", "->q".repeat(n)))),
    ("subscript chains", |n| body(&format!("a = p{};", "[0]".repeat(n)))),
    ("call chains", |n| body(&format!("a = p{};", "()".repeat(n)))),
    ("increments", |n| body(&format!("a{};", "++".repeat(n)))),
    ("ifs", |n| body(&format!("{} ;", "if (a)".repeat(n)))),
    ("else ifs", |n| body(&format!("{} ;", "if (a) b; else ".repeat(n)))),
    ("else ifs with blocks", |n| body(&format!("{} ;", "if (a) { b; } else ".repeat(n)))),
    ("else loops", |n| body(&format!("{} ;", "if (a) b; else while (a) ".repeat(n)))),
    ("loops", |n| body(&format!("{} ;", "for (;;)".repeat(n)))),
    ("do loops", |n| body(&format!("{} ; {}", "do ".repeat(n), "while (a); ".repeat(n)))),
    ("cases", |n| body(&format!("switch (a) {{ {} ; }}", "case 1: ".repeat(n)))),
    ("labels", |n| body(&(0..n).map(|i| format!("l{i}: ")).collect::<String>())),
    ("pointers", |n| format!("int {}y;", "*".repeat(n))),
    ("arrays", |n| format!("int y{};", "[1]".repeat(n))),
    ("commas", |n| body(&format!("{}1;", "a, ".repeat(n)))),
    ("strings", |n| body(&format!("p = {};", "\"a\" ".repeat(n)))),
    ("sizes of types", |n| body(&format!("a = {}1{};", "sizeof(int[".repeat(n), "])".repeat(n)))),
    ("sizes of structs", |n| {
        let (open, close) = ("sizeof(struct { int y[", "]; })");
        body(&format!("a = {}1{};", open.repeat(n), close.repeat(n)))
    }),
    ("calls with arguments", |n| {
        body(&format!("a = {}1{};", "f(1, 2, 3, ".repeat(n), ")".repeat(n)))
    }),
    ("attributes", |n| format!("int {} y;", "__attribute__((aligned(4))) ".repeat(n))),
];

/// No shape of input overflows the stack, whether it is accepted or not.
#[test]
fn deep_inputs() {
    for (name, family) in FAMILIES {
        for size in [100, 900, 19_000, 100_000] {
            match parse_text("test.i", &family(size), TextKind::Preprocessed) {
                Ok(unit) => {
                    let mut operators = Operators::default();
                    with_deep_stack(|| operators.visit_translation_unit(&unit.ast)).unwrap();
                }
                Err(errors) => {
                    let message = &errors[0].message;
                    let is_limit = message.contains("nested") || message.contains("in a row");
                    assert!(is_limit, "{name} {size}: {message}");
                    let is_small = size < MAX_NESTING as usize / 2;
                    // These two cost the parser twice as much at each level.
                    let is_costly = name.starts_with("sizes of") || *name == "increments";
                    assert!(!is_small || is_costly, "{name} {size}: {message}");
                }
            }
        }
    }
}

#[test]
fn limits_are_explained() {
    let errors = |text: String| parse_text("test.i", &text, TextKind::Preprocessed).unwrap_err();
    let nested = errors(body(&format!("a = {}1{};", "(".repeat(100_000), ")".repeat(100_000))));
    assert_eq!(nested[0].message, format!("brackets are nested more than {MAX_NESTING} deep"));
    let deep = errors(body(&format!("a = {}1;", "a + ".repeat(100_000))));
    assert_eq!(deep[0].message, format!("code is nested more than {MAX_DEPTH} levels deep"));
}

#[test]
fn preprocesses_what_needs_it() {
    let text = "#include <limits.h>\n#include \"own.h\"\n#ifdef WIDE\nlong\n#endif\nint x = LONG_MAX + OWN;\n";
    let (directory, path) = file("unit.c", text);
    let include = directory.path().join("include");
    std::fs::create_dir(&include).unwrap();
    std::fs::write(include.join("own.h"), "#define OWN 1\n").unwrap();
    let options = SourceOptions {
        include_dirs: vec![include],
        directions: vec![Direction::Define("WIDE".to_owned())],
        standard: Some("gnu11".to_owned()),
        ..SourceOptions::default()
    };
    let long_max = |data_model| {
        let unit = load(&path, &SourceOptions { data_model, ..options.clone() }).unwrap();
        let last = unit.ast.0.last().unwrap();
        let Node { node, span } = last;
        assert!(format!("{node:?}").contains("Long"));
        assert_eq!(unit.map.position(span.start as u32).line, 4);
        unit.map.text(Span { start: span.start as u32, end: span.end as u32 }).into_owned()
    };
    assert!(long_max(DataModel::Ilp32).contains("0x7fffffffL + 1"));
    assert!(long_max(DataModel::Lp64).contains("0x7fffffffffffffffL + 1"));
}

/// The initial value of `x`, the last declaration of a unit.
fn initial_value(path: &Path, directions: Vec<Direction>) -> String {
    let options = SourceOptions { directions, ..SourceOptions::default() };
    let unit = load(path, &options).unwrap();
    let span = unit.ast.0.last().unwrap().span;
    let text = unit.map.text(Span { start: span.start as u32, end: span.end as u32 }).into_owned();
    // Macros of system headers come with lines that say so.
    let lines: String = text.lines().filter(|line| !line.starts_with('#')).collect();
    lines.trim_start_matches("int x =").trim_end_matches(';').trim().to_owned()
}

#[test]
fn macros_are_defined_and_undefined_in_order() {
    let (_directory, path) = file("unit.c", "#ifdef M\nint x = M;\n#else\nint x = 0;\n#endif\n");
    let define = |value: &str| Direction::Define(format!("M={value}"));
    let undefine = || Direction::Undefine("M".to_owned());
    assert_eq!(initial_value(&path, vec![undefine(), define("7")]), "7");
    assert_eq!(initial_value(&path, vec![define("7"), undefine()]), "0");
    assert_eq!(initial_value(&path, vec![define("3"), undefine(), define("5")]), "5");
}

#[test]
fn paths_have_their_own_meanings() {
    let (directory, path) = file("unit.c", "#include \"own.h\"\nint x = OWN;\n");
    let at = |name: &str| {
        let dir = directory.path().join(name);
        std::fs::create_dir_all(&dir).unwrap();
        dir
    };
    for (name, value) in [("quoted", 1), ("system", 2), ("after", 3)] {
        std::fs::write(at(name).join("own.h"), format!("#define OWN {value}\n")).unwrap();
    }
    let given = |what: PathUse, name: &str| Direction::Path(what, at(name));
    let quoted = || given(PathUse::Quoted, "quoted");
    let system = || given(PathUse::System, "system");
    let after = || given(PathUse::After, "after");
    assert_eq!(initial_value(&path, vec![after(), system(), quoted()]), "1");
    assert_eq!(initial_value(&path, vec![after(), system()]), "2");
    assert_eq!(initial_value(&path, vec![after()]), "3");
    // A file that is included without being named needs a preprocessor, too.
    let plain = directory.path().join("plain.c");
    std::fs::write(&plain, "int x = FORCED;\n").unwrap();
    let forced = directory.path().join("forced.h");
    std::fs::write(&forced, "#define FORCED 4\n").unwrap();
    for what in [PathUse::Include, PathUse::Macros] {
        assert_eq!(initial_value(&plain, vec![Direction::Path(what, forced.clone())]), "4");
    }
}

#[test]
fn plain_files_are_not_preprocessed() {
    let text = "# 3 \"orig.c\"\n#pragma once\nextern void f(void) __attribute__((__noreturn__));\nint main(void) { f(); }";
    let (_directory, path) = file("unit.c", text);
    let options = SourceOptions { compiler: "/nonexistent/cc".into(), ..SourceOptions::default() };
    load(&path, &options).unwrap();
    for text in
        ["int x = __INT_MAX__;", "int x = linux;", "#define A\nint x;", "_Pragma(\"x\") int x;"]
    {
        std::fs::write(&path, text).unwrap();
        load(&path, &options).unwrap_err();
        load(&path, &SourceOptions::default()).unwrap();
    }
}

#[test]
fn errors_of_the_preprocessor() {
    let (_directory, path) = file("unit.c", "int x;\n#include \"none.h\"\n");
    expect![[r#"
        unit.c:2:10: error: none.h: No such file or directory
         2 | #include "none.h"
           |          ^
    "#]]
    .assert_eq(&errors_of(&path, &SourceOptions::default()));

    let options = SourceOptions { compiler: "/nonexistent/cc".into(), ..SourceOptions::default() };
    expect![[r#"
        unit.c: error: cannot run the C preprocessor '/nonexistent/cc -E': No such file or directory (os error 2)
          = install gcc, or give a preprocessed file (.i)
    "#]]
    .assert_eq(&errors_of(&path, &options));

    let options = SourceOptions { compiler: "false".into(), ..SourceOptions::default() };
    expect![[r#"
        unit.c: error: the C preprocessor 'false -E' failed: exit status: 1
    "#]]
    .assert_eq(&errors_of(&path, &options));

    let (_directory, path) = file("unit.i", "int x;\n#include <stdio.h>\n");
    expect![[r#"
        unit.i:2:1: error: preprocessing directive in preprocessed text
         2 | #include <stdio.h>
           | ^~~~~~~~~~~~~~~~~~
           = give the file the extension .c to have it preprocessed
    "#]]
    .assert_eq(&errors_of(&path, &SourceOptions::default()));
}

#[cfg(unix)]
#[test]
fn a_killed_or_endless_preprocessor() {
    use std::os::unix::fs::PermissionsExt;
    let run = |script: &str| {
        let (directory, path) = file("unit.c", "#define X\nint x;\n");
        let compiler = directory.path().join("compiler");
        std::fs::write(&compiler, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&compiler, std::fs::Permissions::from_mode(0o755)).unwrap();
        let options = SourceOptions { compiler, ..SourceOptions::default() };
        errors_of(&path, &options)
    };
    expect![[r#"
        unit.c: error: the C preprocessor 'compiler -E' failed: signal: 9 (SIGKILL)
    "#]]
    .assert_eq(&run("kill -9 $$"));
    expect![[r#"
        unit.c: error: too large after preprocessing: the limit is 32 MB
    "#]]
    .assert_eq(&run("exec yes"));
    assert!(run("exec yes >&2 & sleep 0.2; kill $!; exit 1").contains("failed"));
}

#[test]
fn library_text_may_use_reserved_names() {
    let text = "int f(void) { return __ravelin_x(); }";
    let name_of = |kind| {
        let unit = parse_text("model.c", text, kind).unwrap();
        let mut places = Places { unit: &unit, text: String::new() };
        places.visit_translation_unit(&unit.ast);
        format!("{:?}", unit.ast).contains("__ravelin_id_")
    };
    assert!(!name_of(TextKind::Library));
    assert!(name_of(TextKind::Preprocessed));
}
