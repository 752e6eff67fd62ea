//! The functions that generated programs lean on, written only when used.

use crate::types::{FloatKind, IntKind};
use ravelin_base::DataModel;
use std::collections::BTreeSet;
use std::fmt::Write as _;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Helper {
    Mix128,
    Sign,
    /// Division that yields the dividend where C defines no quotient.
    Divide(IntKind),
    /// Remainder that yields the dividend where C defines none.
    Remainder(IntKind),
    /// A floating value as an integer, 7 when out of range.
    Truncate(IntKind),
    /// The bits of a floating value; every NaN gives the same.
    Bits(FloatKind),
    /// The value itself, or one particular NaN.
    Canonical(FloatKind),
    Variadic,
}

impl Helper {
    pub(super) fn name(self) -> String {
        let float = |kind| match kind {
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long_double",
        };
        match self {
            Helper::Mix128 => "mix128".to_owned(),
            Helper::Sign => "sign".to_owned(),
            Helper::Divide(kind) => format!("div_{}", kind.tag()),
            Helper::Remainder(kind) => format!("rem_{}", kind.tag()),
            Helper::Truncate(kind) => format!("to_{}", kind.tag()),
            Helper::Bits(kind) => format!("bits_{}", float(kind)),
            Helper::Canonical(kind) => format!("canonical_{}", float(kind)),
            Helper::Variadic => "sum".to_owned(),
        }
    }
}

/// The beginning of a program: the library functions and the helpers used.
pub(super) fn text(helpers: &BTreeSet<Helper>, model: DataModel) -> String {
    let size = IntKind::size_type(model).c_name();
    let mut out = format!(
        "\
extern int printf(const char *, ...);
extern void *malloc({size});
extern void *calloc({size}, {size});
extern void *realloc(void *, {size});
extern void free(void *);
extern void *memset(void *, int, {size});
extern void *memcpy(void *, const void *, {size});
extern void *memmove(void *, const void *, {size});
extern int memcmp(const void *, const void *, {size});
extern {size} strlen(const char *);
extern int strcmp(const char *, const char *);
extern int strncmp(const char *, const char *, {size});
static unsigned long long checksum = 0xcbf29ce484222325ull;
static void mix(unsigned long long value) {{
    checksum = (checksum ^ value) * 0x100000001b3ull;
    checksum ^= checksum >> 29;
}}
"
    );
    for helper in helpers {
        let _ = writeln!(out, "{}", definition(*helper, model));
    }
    out
}

fn definition(helper: Helper, model: DataModel) -> String {
    let name = helper.name();
    match helper {
        Helper::Mix128 => "static void mix128(unsigned __int128 value) { \
             mix((unsigned long long)value); mix((unsigned long long)(value >> 64)); }"
            .to_owned(),
        Helper::Sign => "static int sign(int value) { return (value > 0) - (value < 0); }".into(),
        Helper::Divide(kind) => guarded_division(&name, kind, "/", model),
        Helper::Remainder(kind) => guarded_division(&name, kind, "%", model),
        Helper::Truncate(kind) => {
            let ty = kind.c_name();
            // The bounds are powers of two, hence exact. A value between -1 and 0 is truncated
            // to zero, but not every bound minus one is a double: be content with the bound.
            let bits = kind.bits(model);
            let (low, high) = if kind.is_signed() {
                (format!("-0x1p{}", bits - 1), format!("0x1p{}", bits - 1))
            } else {
                ("-1.0".to_owned(), format!("0x1p{bits}"))
            };
            let low_test = if kind.is_signed() { ">=" } else { ">" };
            format!(
                "static {ty} {name}(double x) \
                 {{ return x {low_test} {low} && x < {high} ? ({ty})x : ({ty})7; }}"
            )
        }
        Helper::Bits(FloatKind::Float) => format!(
            "static unsigned {name}(float x) {{ \
             union {{ float f; unsigned u; }} v = {{ x }}; return x != x ? 0x7fc00000u : v.u; }}"
        ),
        Helper::Bits(FloatKind::Double) => format!(
            "static unsigned long long {name}(double x) {{ \
             unsigned long long u; memcpy(&u, &x, sizeof u); \
             return x != x ? 0x7ff8000000000000ull : u; }}"
        ),
        // The representation has padding; the value to double precision says enough.
        Helper::Bits(FloatKind::LongDouble) => format!(
            "static unsigned long long {name}(long double x) {{ double d = (double)x; \
             unsigned long long u; memcpy(&u, &d, sizeof u); \
             return d != d ? 0x7ff8000000000000ull : u; }}"
        ),
        Helper::Canonical(kind) => {
            let ty = kind.c_name();
            format!("static {ty} {name}({ty} x) {{ return x != x ? ({ty})1.5 : x; }}")
        }
        Helper::Variadic => variadic(model),
    }
}

fn guarded_division(name: &str, kind: IntKind, operator: &str, model: DataModel) -> String {
    let ty = kind.c_name();
    let overflow = if kind.is_signed() {
        // The quotient of the least value and -1 is not representable, and traps on x86.
        let bits = kind.bits(model) - 1;
        format!(" || b == -1 && a == ({ty})(({})1 << {bits})", unsigned_name(kind))
    } else {
        String::new()
    };
    format!(
        "static {ty} {name}({ty} a, {ty} b) {{ return b == 0{overflow} ? a : a {operator} b; }}"
    )
}

fn unsigned_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::I128 => IntKind::U128.c_name(),
        IntKind::LLong => IntKind::ULLong.c_name(),
        IntKind::Long => IntKind::ULong.c_name(),
        _ => IntKind::UInt.c_name(),
    }
}

/// The letters `sum` knows, each with the promoted type it stands for.
const LETTERS: [(char, &str); 8] = [
    ('i', "int"),
    ('u', "unsigned int"),
    ('l', "long"),
    ('m', "unsigned long"),
    ('q', "long long"),
    ('r', "unsigned long long"),
    ('o', "__int128"),
    ('p', "unsigned __int128"),
];

/// The letter for an argument of the given promoted type.
pub(super) fn letter(kind: IntKind) -> char {
    match kind {
        IntKind::UInt => 'u',
        IntKind::Long => 'l',
        IntKind::ULong => 'm',
        IntKind::LLong => 'q',
        IntKind::ULLong => 'r',
        IntKind::I128 => 'o',
        IntKind::U128 => 'p',
        IntKind::Bool
        | IntKind::Char
        | IntKind::SChar
        | IntKind::UChar
        | IntKind::Short
        | IntKind::UShort
        | IntKind::Int => 'i',
    }
}

fn variadic(model: DataModel) -> String {
    let known = match model {
        DataModel::Ilp32 => &LETTERS[..6],
        DataModel::Lp64 => &LETTERS[..],
    };
    let mut cases = String::new();
    for (letter, ty) in known {
        let _ = writeln!(
            cases,
            "        case '{letter}': total = total * 31 + \
             (unsigned long long)__builtin_va_arg(list, {ty}); break;"
        );
    }
    format!(
        "\
static unsigned long long sum_list(const char *kinds, __builtin_va_list list) {{
    unsigned long long total = 0;
    for (; *kinds; kinds++)
        switch (*kinds) {{
{cases}        case 'd': {{
            double d = __builtin_va_arg(list, double);
            total = total * 31 + (d > 1.0) + 2 * (d < -1.0) + 4 * (d != d);
            break;
        }}
        case 'D': {{
            long double d = __builtin_va_arg(list, long double);
            total = total * 31 + (d > 1.0L) + 2 * (d < -1.0L) + 4 * (d != d);
            break;
        }}
        }}
    return total;
}}
static unsigned long long sum(const char *kinds, ...) {{
    __builtin_va_list list, again;
    __builtin_va_start(list, kinds);
    __builtin_va_copy(again, list);
    unsigned long long first = sum_list(kinds, list), second = sum_list(kinds, again);
    __builtin_va_end(again);
    __builtin_va_end(list);
    return first == second ? first : ~first;
}}"
    )
}
