//! What is said about programs that are not C, or not C that Ravelin takes: all errors of a program
//! in one go, each with its place.

use expect_test::{Expect, expect};
use ravelin_base::DataModel;
use ravelin_base::diagnostic::render;

fn check(text: &str, expected: Expect) {
    let message = match ravelin_frontend::build_text("input.c", text, DataModel::Lp64) {
        Ok(built) => format!("accepted\n{}", render(&built.warnings)),
        Err(errors) => render(&errors),
    };
    expected.assert_eq(&message);
}

#[test]
fn several_type_errors_are_reported_in_one_run() {
    check(
        "struct point { int x, y; };\n\
         int f(int a, int b);\n\
         int main(void) {\n\
             struct point p;\n\
             int i = p;\n\
             p.z = 1;\n\
             undeclared = 2;\n\
             f(1);\n\
             *i = 3;\n\
             i();\n\
             return p + 1;\n\
         }\n",
        expect![[r#"
            input.c:5:9: error: a value of type 'struct point' cannot be converted to 'int'
             5 | int i = p;
               |         ^
            input.c:6:3: error: 'struct point' has no member 'z'
             6 | p.z = 1;
               |   ^
            input.c:7:1: error: 'undeclared' was not declared
             7 | undeclared = 2;
               | ^~~~~~~~~~~
            input.c:8:1: error: the function takes 2 arguments, the call has 1
             8 | f(1);
               | ^~~~
            input.c:9:1: error: a pointer is needed, not 'int'
             9 | *i = 3;
               | ^~~
            input.c:10:1: error: a value of type 'int' cannot be called
             10 | i();
                | ^
            input.c:11:8: error: the operands have types 'struct point' and 'int', which the operator does not take
             11 | return p + 1;
                |        ^~~~~
        "#]],
    );
}

#[test]
fn statements_out_of_place() {
    check(
        "int main(void) {\n\
             break;\n\
             continue;\n\
             case 1: ;\n\
             goto nowhere;\n\
             switch (1) { case 1: case 1: default: default: ; }\n\
             here: here: ;\n\
         }\n",
        expect![[r#"
            input.c:2:1: error: break outside of a loop or switch
             2 | break;
               | ^~~~~~
            input.c:3:1: error: continue outside of a loop
             3 | continue;
               | ^~~~~~~~~
            input.c:4:1: error: case outside of a switch
             4 | case 1: ;
               | ^~~~~~
            input.c:6:22: error: duplicate case value
             6 | switch (1) { case 1: case 1: default: default: ; }
               |                      ^~~~~~
            input.c:7:7: error: duplicate label 'here'
             7 | here: here: ;
               |       ^~~~
            input.c:5:6: error: no label 'nowhere' in this function
             5 | goto nowhere;
               |      ^~~~~~~
        "#]],
    );
}

#[test]
fn lvalues_and_addresses() {
    check(
        "struct bits { int b : 3; } s;\n\
         enum { A };\n\
         int f(void);\n\
         int main(void) {\n\
             1 = 2;\n\
             A = 3;\n\
             f() = 4;\n\
             int *p = &s.b;\n\
             ++5;\n\
             f = 0;\n\
             return 0;\n\
         }\n",
        expect![[r#"
            input.c:5:1: error: this expression is not an lvalue
             5 | 1 = 2;
               | ^~
            input.c:6:1: error: the enumeration constant 'A' is not an lvalue
             6 | A = 3;
               | ^~
            input.c:7:1: error: this expression is not an lvalue
             7 | f() = 4;
               | ^~~
            input.c:8:10: error: a bit-field has no address
             8 | int *p = &s.b;
               |          ^~~~
            input.c:9:3: error: this expression is not an lvalue
             9 | ++5;
               |   ^
            input.c:10:1: error: a value of type 'int' cannot be converted to 'int (void)'
             10 | f = 0;
                | ^~~~~
        "#]],
    );
}

#[test]
fn declarations() {
    check(
        "int x;\n\
         double x;\n\
         struct s { int a; };\n\
         struct s { int b; };\n\
         struct incomplete y;\n\
         int a[-1];\n\
         struct bits { int wide : 40; };\n\
         int f(void) { return 0; }\n\
         int f(void) { return 1; }\n\
         void v;\n\
         int g = f();\n\
         _Static_assert(sizeof(int) == 8, \"int is wide\");\n\
         int main(void) { return 0; }\n",
        expect![[r#"
            input.c:2:8: error: 'x' is declared with type 'double' here and 'int' before
             2 | double x;
               |        ^
            input.c:4:1: error: redefinition of a struct or union
             4 | struct s { int b; };
               | ^~~~~~~~~~~~~~~~~~~
            input.c:6:7: error: the size of this array is negative
             6 | int a[-1];
               |       ^~
            input.c:7:26: error: the width of this bit-field exceeds its type
             7 | struct bits { int wide : 40; };
               |                          ^~
            input.c:9:5: error: redefinition of 'f'
             9 | int f(void) { return 1; }
               |     ^~~~~~~
            input.c:10:6: error: a variable cannot have type void
             10 | void v;
                |      ^
            input.c:11:7: error: an initialiser of a global must be constant
             11 | int g = f();
                |       ^~~~~
            input.c:12:1: error: static assertion failed: "int is wide"
             12 | _Static_assert(sizeof(int) == 8, "int is wide");
                | ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
            input.c:5:19: error: 'struct incomplete' is never completed
             5 | struct incomplete y;
               |                   ^
        "#]],
    );
}

/// Complex numbers are no operands of these operators.
#[test]
fn operators_on_complex_numbers() {
    check(
        "int main(void) {
    double _Complex z = 1.0i;
    return z < 2.0i || z % 2 || &z + z;
}
",
        expect![[r#"
            input.c:3:12: error: the operands have types '_Complex double' and '_Complex double', which the operator does not take
             3 |     return z < 2.0i || z % 2 || &z + z;
               |            ^~~~~~~~~
        "#]],
    );
}

#[test]
fn calls() {
    check(
        "void nothing(void);\n\
         int two(int a, int b);\n\
         int main(void) {\n\
             int x = nothing();\n\
             two(1, 2, 3);\n\
             two(nothing(), 1);\n\
             3(4);\n\
             return x;\n\
         }\n",
        expect![[r#"
            input.c:4:9: error: a value of type 'void' cannot be converted to 'int'
             4 | int x = nothing();
               |         ^~~~~~~~~
            input.c:5:1: error: the function takes 2 arguments, the call has 3
             5 | two(1, 2, 3);
               | ^~~~~~~~~~~~
            input.c:6:5: error: a void value cannot be an argument
             6 | two(nothing(), 1);
               |     ^~~~~~~~~
            input.c:7:1: error: a value of type 'int' cannot be called
             7 | 3(4);
               | ^
        "#]],
    );
}

#[test]
fn initialisers() {
    check(
        "struct s { int a; int b[2]; };\n\
         int n;\n\
         int g = n;\n\
         struct s t = { .c = 1 };\n\
         int a[2] = { [5] = 1 };\n\
         int m[2] = 3;\n\
         void f(void) { int local = 1; static int *p = &local; *p = 2; }\n\
         int main(void) { struct s u = { 1, { 2, 3 }, 4 }; return u.a; }\n",
        expect![[r#"
            input.c:3:7: error: an initialiser of a global must be constant
             3 | int g = n;
               |       ^~~
            input.c:4:16: error: 'struct s' has no member 'c'
             4 | struct s t = { .c = 1 };
               |                ^~
            input.c:5:14: error: this designator is outside of the object
             5 | int a[2] = { [5] = 1 };
               |              ^~~
            input.c:6:12: error: an array needs a list as initialiser
             6 | int m[2] = 3;
               |            ^
            input.c:7:45: error: an initialiser of a global must be constant
             7 | void f(void) { int local = 1; static int *p = &local; *p = 2; }
               |                                             ^~~~~~~~
            input.c:8:46: warning: excess elements in an initialiser
             8 | int main(void) { struct s u = { 1, { 2, 3 }, 4 }; return u.a; }
               |                                              ^
        "#]],
    );
}

#[test]
fn positions_follow_line_markers() {
    check(
        "# 100 \"shown.h\"\n\
         int main(void) {\n\
         \treturn missing;\n\
         }\n",
        expect![[r#"
            shown.h:101:9: error: 'missing' was not declared
             101 |  return missing;
                 |         ^~~~~~~
        "#]],
    );
}

#[test]
fn a_program_needs_main() {
    check(
        "int f(void) { return 0; }\n",
        expect![[r#"
        input.c: error: the program has no function 'main'
    "#]],
    );
}

#[test]
fn syntax_errors_say_what_was_expected() {
    check(
        "int main(void) { return 1 +; }\n",
        expect![[r#"
        input.c:1:28: error: unexpected ';', expected an expression
         1 | int main(void) { return 1 +; }
           |                            ^
    "#]],
    );
    check(
        "int main(void) { int x = 1 int y; }\n",
        expect![[r#"
        input.c:1:28: error: unexpected 'int', expected ',' or ';'
         1 | int main(void) { int x = 1 int y; }
           |                            ^~~
    "#]],
    );
    check(
        "int main(void) { return -- -- -- -- -- -- -- -- -- -- -- if; }\n",
        expect![[r#"
            input.c:1:49: error: too many '++' and '--' in a row
             1 | int main(void) { return -- -- -- -- -- -- -- -- -- -- -- if; }
               |                                                 ^~
        "#]],
    );
    check(
        "int main(void) { if (1 { } }\n",
        expect![[r#"
        input.c:1:21: error: '(' is never closed
         1 | int main(void) { if (1 { } }
           |                     ^
           = expected ')' before '}' on the same line
    "#]],
    );
}
