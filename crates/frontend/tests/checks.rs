//! What is checked for the properties of arithmetic: the conditions in the automaton.

use expect_test::{Expect, expect};
use ravelin_base::DataModel;
use ravelin_base::diagnostic::render;
use ravelin_cfa::{Op, Program, Properties, Property};
use ravelin_frontend::source::{TextKind, parse_text};
use ravelin_frontend::{Reading, lower_units};

fn lowered(text: &str, properties: &[Property]) -> Program {
    let checked: Properties = properties.iter().copied().collect();
    let unit = parse_text("t.c", text, TextKind::Preprocessed).unwrap();
    let reading = Reading { checked, ..Reading::of(DataModel::Lp64) };
    let built =
        lower_units(&[unit], &reading).unwrap_or_else(|errors| panic!("{}", render(&errors)));
    ravelin_cfa::verify(&built.program).expect("the front end keeps the invariants");
    let printed = built.program.to_string();
    let read = ravelin_cfa::parse(&printed).unwrap_or_else(|error| panic!("{error}: {printed}"));
    assert_eq!(read.to_string(), printed);
    built.program
}

/// The conditions under which each expression, a function of parameters, violates a property.
fn check(properties: &[Property], params: &str, expressions: &[&str], expected: Expect) {
    let mut found = String::new();
    for expression in expressions {
        let text =
            format!("void f({params}) {{ {expression}; }}\nint main(void) {{ return 0; }}\n");
        let program = lowered(&text, properties);
        found += &format!("{expression}\n");
        let printed = program.to_string();
        let (_, function) = printed.split_once("\nproc f.").expect("the function");
        let lines: Vec<&str> = function.lines().take_while(|line| *line != "}").collect();
        for line in lines.iter().filter(|line| line.contains(": error ")) {
            let (edge, error) = line.trim().split_once(": ").unwrap();
            let from = edge.split(' ').next().unwrap();
            let into = format!("-> {from}: ");
            let assumed = lines.iter().find_map(|line| line.trim().split_once(&into));
            let condition = assumed.map_or("always", |(_, it)| it.split(" @ ").next().unwrap());
            found += &format!("    {}: {condition}\n", error.split(" @ ").next().unwrap());
        }
    }
    expected.assert_eq(&found);
}

const OVERFLOW: &[Property] = &[Property::NoOverflow];
const ARITHMETIC: &[Property] = &[Property::ValidArithmetic];
const BOTH: &[Property] = &[Property::NoOverflow, Property::ValidArithmetic];

#[test]
fn sums_with_constants_compare_the_operand() {
    check(
        OVERFLOW,
        "int i, long l, short s, __int128 x",
        &[
            "i + 1", "2 - i", "i - 7", "i + -7", "-i", "i++", "--i", "l += 5", "s + 1", "s++",
            "x + 1", "x - 1", "-x",
        ],
        expect![[r#"
            i + 1
                error signed_overflow: assume bvslt(2147483646:bv32, i.v0)
            2 - i
                error signed_overflow: assume bvslt(i.v0, 2147483651:bv32)
            i - 7
                error signed_overflow: assume bvslt(i.v0, 2147483655:bv32)
            i + -7
                error signed_overflow: assume bvslt(i.v0, 2147483655:bv32)
            -i
                error signed_overflow: assume bvslt(i.v0, 2147483649:bv32)
            i++
                error signed_overflow: assume bvslt(2147483646:bv32, i.v0)
            --i
                error signed_overflow: assume bvslt(i.v0, 2147483649:bv32)
            l += 5
                error signed_overflow: assume bvslt(9223372036854775802:bv64, l.v1)
            s + 1
            s++
            x + 1
                error signed_overflow: assume bvslt(170141183460469231731687303715884105726:bv128, x.v3)
            x - 1
                error signed_overflow: assume bvslt(x.v3, 170141183460469231731687303715884105729:bv128)
            -x
                error signed_overflow: assume bvslt(x.v3, 170141183460469231731687303715884105729:bv128)
        "#]],
    );
}

#[test]
fn sums_of_variables_are_compared_in_one_more_bit_or_by_what_is_left() {
    check(
        OVERFLOW,
        "int i, int j, long l, long m, short s, unsigned char b, __int128 x, __int128 y",
        &["i + j", "i - j", "l + m", "l - m", "l + b", "l - s", "i + s", "s + s", "b - s", "x + y"],
        expect![[r#"
            i + j
                error signed_overflow: assume not(and(bvsle(bvadd(sext[33](j.v1), sext[33](i.v0)), 2147483647:bv33), bvsle(6442450944:bv33, bvadd(sext[33](j.v1), sext[33](i.v0)))))
            i - j
                error signed_overflow: assume not(and(bvsle(bvsub(sext[33](i.v0), sext[33](j.v1)), 2147483647:bv33), bvsle(6442450944:bv33, bvsub(sext[33](i.v0), sext[33](j.v1)))))
            l + m
                error signed_overflow: assume not(ite(bvslt(m.v3, 0:bv64), bvsle(bvsub(9223372036854775808:bv64, m.v3), l.v2), bvsle(l.v2, bvsub(9223372036854775807:bv64, m.v3))))
            l - m
                error signed_overflow: assume not(ite(bvslt(m.v3, 0:bv64), bvsle(l.v2, bvadd(m.v3, 9223372036854775807:bv64)), bvsle(bvadd(m.v3, 9223372036854775808:bv64), l.v2)))
            l + b
                error signed_overflow: assume bvslt(bvsub(9223372036854775807:bv64, zext[64](b.v5)), l.v2)
            l - s
                error signed_overflow: assume not(ite(bvslt(s.v4, 0:bv16), bvsle(l.v2, bvadd(sext[64](s.v4), 9223372036854775807:bv64)), bvsle(bvadd(sext[64](s.v4), 9223372036854775808:bv64), l.v2)))
            i + s
                error signed_overflow: assume not(and(bvsle(6442450944:bv33, bvadd(sext[33](s.v4), sext[33](i.v0))), bvsle(bvadd(sext[33](s.v4), sext[33](i.v0)), 2147483647:bv33)))
            s + s
            b - s
            x + y
                error signed_overflow: assume not(ite(bvslt(y.v7, 0:bv128), bvsle(bvsub(170141183460469231731687303715884105728:bv128, y.v7), x.v6), bvsle(x.v6, bvsub(170141183460469231731687303715884105727:bv128, y.v7))))
        "#]],
    );
}

#[test]
fn products() {
    check(
        OVERFLOW,
        "int i, int j, long l, long m, short s, unsigned short h, __int128 x, __int128 y",
        &[
            "i * 3",
            "-3 * i",
            "i * -1",
            "i * 0",
            "i * j",
            "s * s",
            "h * h",
            "(long) i * j",
            "l * 10",
            "l * m",
            "x * 2",
        ],
        expect![[r#"
            i * 3
                error signed_overflow: assume not(and(bvsle(3579139414:bv32, i.v0), bvsle(i.v0, 715827882:bv32)))
            -3 * i
                error signed_overflow: assume not(and(bvsle(3579139414:bv32, i.v0), bvsle(i.v0, 715827882:bv32)))
            i * -1
                error signed_overflow: assume bvslt(i.v0, 2147483649:bv32)
            i * 0
            i * j
                error signed_overflow: assume not(and(bvsle(18446744071562067968:bv64, bvmul(sext[64](i.v0), sext[64](j.v1))), bvsle(bvmul(sext[64](i.v0), sext[64](j.v1)), 2147483647:bv64)))
            s * s
            h * h
                error signed_overflow: assume bvslt(2147483647:bv64, bvmul(zext[64](h.v5), zext[64](h.v5)))
            (long) i * j
            l * 10
                error signed_overflow: assume not(and(bvsle(l.v2, 922337203685477580:bv64), bvsle(17524406870024074036:bv64, l.v2)))
            l * m
                error signed_overflow: assume not(and(bvsle(bvmul(sext[128](m.v3), sext[128](l.v2)), 9223372036854775807:bv128), bvsle(340282366920938463454151235394913435648:bv128, bvmul(sext[128](m.v3), sext[128](l.v2)))))
            x * 2
                error signed_overflow: assume not(and(bvsle(255211775190703847597530955573826158592:bv128, x.v6), bvsle(x.v6, 85070591730234615865843651857942052863:bv128)))
        "#]],
    );
}

#[test]
fn quotients() {
    check(
        BOTH,
        "int i, int j, unsigned u, short s, long l",
        &[
            "i / j",
            "i % j",
            "i / 2",
            "i / -1",
            "i % -1",
            "1 / i",
            "i / 0",
            "u / u",
            "s / s",
            "l %= i",
            "i / (j | 1)",
        ],
        expect![[r#"
            i / j
                error division_by_zero: assume eq(j.v1, 0:bv32)
                error signed_overflow: assume not(or(not(eq(j.v1, -1:bv32)), not(eq(i.v0, 2147483648:bv32))))
            i % j
                error division_by_zero: assume eq(j.v1, 0:bv32)
                error signed_overflow: assume not(or(not(eq(j.v1, -1:bv32)), not(eq(i.v0, 2147483648:bv32))))
            i / 2
            i / -1
                error signed_overflow: assume eq(i.v0, 2147483648:bv32)
            i % -1
                error signed_overflow: assume eq(i.v0, 2147483648:bv32)
            1 / i
                error division_by_zero: assume eq(i.v0, 0:bv32)
            i / 0
                error division_by_zero: always
            u / u
                error division_by_zero: assume eq(u.v2, 0:bv32)
            s / s
                error division_by_zero: assume eq(s.v3, 0:bv16)
            l %= i
                error division_by_zero: assume eq(i.v0, 0:bv32)
                error signed_overflow: assume not(or(not(eq(l.v4, 9223372036854775808:bv64)), not(eq(i.v0, -1:bv32))))
            i / (j | 1)
                error division_by_zero: assume eq(bvor(j.v1, 1:bv32), 0:bv32)
                error signed_overflow: assume not(or(not(eq(bvor(j.v1, 1:bv32), -1:bv32)), not(eq(i.v0, 2147483648:bv32))))
        "#]],
    );
}

#[test]
fn shifts() {
    let params = "int i, int j, unsigned u, long l, unsigned char b";
    let shifts = [
        "i << j", "i << 3", "1 << u", "b << 8", "b << 24", "-1 << 0", "u << i", "l <<= i",
        "i >> j", "u >> u", "i << 40",
    ];
    check(
        BOTH,
        params,
        &shifts,
        expect![[r#"
        i << j
            error invalid_shift: assume not(and(bvsle(j.v1, 31:bv32), bvsle(0:bv32, j.v1)))
            error signed_overflow: assume not(and(bvsle(i.v0, bvlshr(2147483647:bv32, j.v1)), bvsle(0:bv32, i.v0)))
        i << 3
            error signed_overflow: assume not(and(bvsle(0:bv32, i.v0), bvsle(i.v0, 268435455:bv32)))
        1 << u
            error invalid_shift: assume bvult(31:bv32, u.v2)
            error signed_overflow: assume bvult(30:bv32, u.v2)
        b << 8
        b << 24
            error signed_overflow: assume bvult(127:bv8, b.v4)
        -1 << 0
            error signed_overflow: always
        u << i
            error invalid_shift: assume not(and(bvsle(i.v0, 31:bv32), bvsle(0:bv32, i.v0)))
        l <<= i
            error invalid_shift: assume not(and(bvsle(i.v0, 63:bv32), bvsle(0:bv32, i.v0)))
            error signed_overflow: assume not(and(bvsle(l.v3, bvlshr(9223372036854775807:bv64, sext[64](i.v0))), bvsle(0:bv64, l.v3)))
        i >> j
            error invalid_shift: assume not(and(bvsle(j.v1, 31:bv32), bvsle(0:bv32, j.v1)))
        u >> u
            error invalid_shift: assume bvult(31:bv32, u.v2)
        i << 40
            error invalid_shift: always
    "#]],
    );
    check(
        OVERFLOW,
        params,
        &shifts,
        expect![[r#"
        i << j
            error signed_overflow: assume not(or(and(bvsle(i.v0, bvlshr(2147483647:bv32, j.v1)), bvsle(0:bv32, i.v0)), not(and(bvsle(j.v1, 31:bv32), bvsle(0:bv32, j.v1)))))
        i << 3
            error signed_overflow: assume not(and(bvsle(0:bv32, i.v0), bvsle(i.v0, 268435455:bv32)))
        1 << u
            error signed_overflow: assume not(or(bvult(31:bv32, u.v2), bvule(u.v2, 30:bv32)))
        b << 8
        b << 24
            error signed_overflow: assume bvult(127:bv8, b.v4)
        -1 << 0
            error signed_overflow: always
        u << i
        l <<= i
            error signed_overflow: assume not(or(and(bvsle(l.v3, bvlshr(9223372036854775807:bv64, sext[64](i.v0))), bvsle(0:bv64, l.v3)), not(and(bvsle(i.v0, 63:bv32), bvsle(0:bv32, i.v0)))))
        i >> j
        u >> u
        i << 40
    "#]],
    );
    check(
        ARITHMETIC,
        params,
        &shifts,
        expect![[r#"
        i << j
            error invalid_shift: assume not(and(bvsle(j.v1, 31:bv32), bvsle(0:bv32, j.v1)))
        i << 3
        1 << u
            error invalid_shift: assume bvult(31:bv32, u.v2)
        b << 8
        b << 24
        -1 << 0
        u << i
            error invalid_shift: assume not(and(bvsle(i.v0, 31:bv32), bvsle(0:bv32, i.v0)))
        l <<= i
            error invalid_shift: assume not(and(bvsle(i.v0, 63:bv32), bvsle(0:bv32, i.v0)))
        i >> j
            error invalid_shift: assume not(and(bvsle(j.v1, 31:bv32), bvsle(0:bv32, j.v1)))
        u >> u
            error invalid_shift: assume bvult(31:bv32, u.v2)
        i << 40
            error invalid_shift: always
    "#]],
    );
}

#[test]
fn what_cannot_overflow_is_not_checked() {
    check(
        BOTH,
        "int i, unsigned u, char *p, char *q, double d, short s, _Bool t, _Atomic int a, int n[8]",
        &[
            "u + u",
            "u * u",
            "-u",
            "u--",
            "p - q",
            "p + i",
            "p++",
            "n[i]",
            "d + d",
            "-d",
            "s = i",
            "(char) i",
            "t + t",
            "a += i",
            "a++",
            "a - 1 == 2",
            "a *= 2",
            "sizeof(i + i)",
            "(i & 255) + 1",
            "i % 10 + 10",
            "(i & 7) << 4",
            "i > 0 && (i & 3) + 1",
            "__builtin_add_overflow(i, i, &i)",
        ],
        expect![[r#"
            u + u
            u * u
            -u
            u--
            p - q
            p + i
            p++
            n[i]
            d + d
            -d
            s = i
            (char) i
            t + t
            a += i
            a++
            a - 1 == 2
                error signed_overflow: assume bvslt(a.v7, 2147483649:bv32)
            a *= 2
                error signed_overflow: assume not(and(bvsle(%.v9, 1073741823:bv32), bvsle(3221225472:bv32, %.v9)))
            sizeof(i + i)
            (i & 255) + 1
            i % 10 + 10
            (i & 7) << 4
            i > 0 && (i & 3) + 1
            __builtin_add_overflow(i, i, &i)
        "#]],
    );
}

#[test]
fn constant_expressions_that_are_executed_are_checked() {
    check(
        BOTH,
        "int i",
        &[
            "i = 2147483647 + 1",
            "i = 1 << 31",
            "i = 0 ? 1 / 0 : 2",
            "if (0) i = 2147483647 * 2",
            "int n[1 + 1]; n[0] = 1",
            "static int n = 2147483647 + 1",
            "i = -(-2147483647 - 1)",
            "if (1 || 1 / 0) i = 1",
        ],
        expect![[r#"
            i = 2147483647 + 1
                error signed_overflow: always
            i = 1 << 31
                error signed_overflow: always
            i = 0 ? 1 / 0 : 2
            if (0) i = 2147483647 * 2
            int n[1 + 1]; n[0] = 1
            static int n = 2147483647 + 1
            i = -(-2147483647 - 1)
                error signed_overflow: always
            if (1 || 1 / 0) i = 1
        "#]],
    );
}

#[test]
fn functions_specified_by_operators_are_checked_where_they_are_called() {
    check(
        BOTH,
        "int i, long l",
        &[
            "int abs(int); abs(i)",
            "__builtin_labs(l)",
            "int strcmp(const char *, const char *); strcmp(\"a\", \"b\")",
        ],
        expect![[r#"
            int abs(int); abs(i)
                error signed_overflow: assume bvslt(i.v0, 2147483649:bv32)
            __builtin_labs(l)
                error signed_overflow: assume bvslt(l.v1, 9223372036854775809:bv64)
            int strcmp(const char *, const char *); strcmp("a", "b")
        "#]],
    );
}

#[test]
fn other_errors_end_an_execution_as_abort_does() {
    let text = "void reach_error(void); void __assert_fail(void);\n\
        int main(int c, char **v) { if (c == 1) reach_error(); if (c == 2) __assert_fail(); __VERIFIER_assert(c); return c + 1; }\n";
    let ends = |properties| {
        let mut ends = Vec::new();
        lowered(text, properties).for_each_label(|_, label| {
            if matches!(label.op, Op::Error(_) | Op::Abort) {
                ends.push(format!("{:?}", label.op));
            }
        });
        ends.sort();
        ends
    };
    let [assertion, call] = ["Error(AssertFailed)", "Error(ReachError)"];
    assert_eq!(ends(&[Property::UnreachCall]), [assertion, assertion, call]);
    assert_eq!(ends(OVERFLOW), ["Abort", "Abort", "Abort", "Error(SignedOverflow)"]);
}
