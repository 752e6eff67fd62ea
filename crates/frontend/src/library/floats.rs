//! The names of functions on floats: one stem, and a suffix for the type.

use ravelin_term::{FloatKind, Rounding};

use super::intrinsic::{CType, FloatCompare, FloatFunction, FloatTest, Intrinsic};
use super::{Model, Signature};

/// C does not say how these round (C11 5.2.4.2.2p6), so their values are unknown; or they are
/// exact, but have C models for `double` and `float` only, if at all. They change only `errno`.
const OPEN: Model = Model::Intrinsic(Intrinsic::OpenResult);

const OPEN_STEMS: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "drem",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fma",
    "hypot",
    "j0",
    "j1",
    "jn",
    "ldexp",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "nextafter",
    "nexttoward",
    "pow",
    "pow10",
    "remainder",
    "scalb",
    "scalbln",
    "scalbn",
    "significand",
    "sin",
    "sinh",
    "tan",
    "tanh",
    "tgamma",
    "y0",
    "y1",
    "yn",
];

/// Those that also write to memory, or read it.
const UNSUPPORTED: Model = Model::Unsupported("a function of <math.h> without exact model");

const UNSUPPORTED_STEMS: &[&str] =
    &["frexp", "gamma", "ilogb", "lgamma", "nans", "remquo", "sincos"];

/// The meaning of the function on floats of this name, and its type if it is not type-generic.
pub(super) fn lookup(name: &str) -> Option<(Model, Option<Signature>)> {
    if let Some(found) = cprover(name) {
        return Some(found);
    }
    if let Some(function) = type_generic(name) {
        return Some((Model::Intrinsic(Intrinsic::Float { function, kind: None }), None));
    }
    stems(name).find_map(|(stem, kind)| {
        let open = match stem {
            _ if OPEN_STEMS.contains(&stem) => Some(OPEN),
            _ if UNSUPPORTED_STEMS.contains(&stem) => Some(UNSUPPORTED),
            _ => None,
        };
        if let Some(model) = open {
            let (result, params) = (signature(FloatFunction::Abs, kind).result, &[][..]);
            return Some((model, Some(Signature { result, params, variadic: true })));
        }
        let function = function(stem)?;
        let model = Model::Intrinsic(Intrinsic::Float { function, kind: Some(kind) });
        Some((model, Some(signature(function, kind))))
    })
}

/// CBMC's functions on floats, which have suffixes of their own.
fn cprover(name: &str) -> Option<(Model, Option<Signature>)> {
    let rest = name.strip_prefix("__CPROVER_")?;
    // It returns 1 for both infinities, as CBMC's tests do.
    let tests = [
        ("isnan", FloatTest::Nan),
        ("isinf", FloatTest::Infinite),
        ("isfinite", FloatTest::Finite),
        ("isnormal", FloatTest::Normal),
        ("sign", FloatTest::Negative),
    ];
    let kinds = [("f", FloatKind::F32), ("ld", FloatKind::F80), ("d", FloatKind::F64)];
    let (function, suffix) = tests
        .iter()
        .find_map(|&(stem, test)| Some((FloatFunction::Test(test), rest.strip_prefix(stem)?)))?;
    let &(_, kind) = kinds.iter().find(|(text, _)| *text == suffix)?;
    let model = Model::Intrinsic(Intrinsic::Float { function, kind: Some(kind) });
    Some((model, Some(signature(function, kind))))
}

/// Builtins that take any float, also under the names of the macros of `<math.h>`.
fn type_generic(name: &str) -> Option<FloatFunction> {
    // The macro is glibc's, which returns the sign; the builtin is gcc's, which need not.
    match name {
        "isinf" => return Some(FloatFunction::InfinitySign),
        "__builtin_isinf" => return Some(FloatFunction::Test(FloatTest::Infinite)),
        _ => {}
    }
    Some(match name.strip_prefix("__builtin_").unwrap_or(name) {
        "isnan" => FloatFunction::Test(FloatTest::Nan),
        "isfinite" => FloatFunction::Test(FloatTest::Finite),
        "isnormal" => FloatFunction::Test(FloatTest::Normal),
        "signbit" => FloatFunction::Test(FloatTest::Negative),
        "isinf_sign" => FloatFunction::InfinitySign,
        "fpclassify" => FloatFunction::Classify,
        "isgreater" => FloatFunction::Compare(FloatCompare::Greater),
        "isgreaterequal" => FloatFunction::Compare(FloatCompare::GreaterEqual),
        "isless" => FloatFunction::Compare(FloatCompare::Less),
        "islessequal" => FloatFunction::Compare(FloatCompare::LessEqual),
        "islessgreater" => FloatFunction::Compare(FloatCompare::LessGreater),
        "isunordered" => FloatFunction::Compare(FloatCompare::Unordered),
        _ => return None,
    })
}

fn function(stem: &str) -> Option<FloatFunction> {
    use Rounding::{Ceil, Floor, NearestAway, NearestEven, Trunc};
    Some(match stem {
        "fabs" => FloatFunction::Abs,
        "sqrt" => FloatFunction::Sqrt,
        "floor" => FloatFunction::Round(Floor),
        "ceil" => FloatFunction::Round(Ceil),
        "trunc" => FloatFunction::Round(Trunc),
        "round" => FloatFunction::Round(NearestAway),
        "roundeven" => FloatFunction::Round(NearestEven),
        "rint" | "nearbyint" => FloatFunction::RoundByMode,
        "lround" => FloatFunction::RoundTo(NearestAway, CType::Long),
        "llround" => FloatFunction::RoundTo(NearestAway, CType::LongLong),
        "lrint" => FloatFunction::RoundByModeTo(CType::Long),
        "llrint" => FloatFunction::RoundByModeTo(CType::LongLong),
        "fmod" => FloatFunction::Remainder,
        "copysign" => FloatFunction::CopySign,
        "nan" => FloatFunction::Nan,
        "__builtin_inf" | "__builtin_huge_val" => FloatFunction::Infinity,
        // glibc's functions behind the macros of <math.h>, and BSD's names.
        "__isnan" => FloatFunction::Test(FloatTest::Nan),
        "__isinf" => FloatFunction::InfinitySign,
        "__finite" | "finite" => FloatFunction::Test(FloatTest::Finite),
        "__signbit" => FloatFunction::Test(FloatTest::Negative),
        "__fpclassify" => FloatFunction::GlibcClassify,
        _ => return None,
    })
}

/// The ways to read a name as a stem and the suffix of a type: `sqrtf`, but also `erf`.
fn stems(name: &str) -> impl Iterator<Item = (&str, FloatKind)> {
    let suffixed = [("f", FloatKind::F32), ("l", FloatKind::F80), ("f128", FloatKind::F128)];
    std::iter::once((name, FloatKind::F64)).chain(
        suffixed.into_iter().filter_map(|(suffix, kind)| Some((name.strip_suffix(suffix)?, kind))),
    )
}

/// The type of a function whose operands have this kind.
fn signature(function: FloatFunction, kind: FloatKind) -> Signature {
    use CType::{Double, Float, Float128, LongDouble};
    let (ty, one, two): (CType, &[CType], &[CType]) = match kind {
        FloatKind::F32 => (Float, &[Float], &[Float, Float]),
        FloatKind::F64 => (Double, &[Double], &[Double, Double]),
        FloatKind::F80 => (LongDouble, &[LongDouble], &[LongDouble, LongDouble]),
        FloatKind::F128 => (Float128, &[Float128], &[Float128, Float128]),
    };
    let (result, params): (CType, &'static [CType]) = match function {
        FloatFunction::Abs
        | FloatFunction::Sqrt
        | FloatFunction::Round(_)
        | FloatFunction::RoundByMode => (ty, one),
        FloatFunction::RoundTo(_, result) | FloatFunction::RoundByModeTo(result) => (result, one),
        FloatFunction::Remainder | FloatFunction::CopySign => (ty, two),
        FloatFunction::Test(_)
        | FloatFunction::InfinitySign
        | FloatFunction::Classify
        | FloatFunction::GlibcClassify => (CType::Int, one),
        FloatFunction::Compare(_) => (CType::Int, two),
        FloatFunction::Infinity => (ty, &[]),
        FloatFunction::Nan => (ty, &[CType::Pointer]),
    };
    Signature { result, params, variadic: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, expected: FloatFunction, expected_kind: Option<FloatKind>) {
        let found = lookup(name).map(|(model, _)| model);
        let expected = Intrinsic::Float { function: expected, kind: expected_kind };
        assert_eq!(found, Some(Model::Intrinsic(expected)), "{name}");
    }

    #[test]
    fn suffixes_tell_the_type() {
        check("sqrt", FloatFunction::Sqrt, Some(FloatKind::F64));
        check("sqrtf", FloatFunction::Sqrt, Some(FloatKind::F32));
        check("sqrtl", FloatFunction::Sqrt, Some(FloatKind::F80));
        check("fabsf128", FloatFunction::Abs, Some(FloatKind::F128));
        check("ceil", FloatFunction::Round(Rounding::Ceil), Some(FloatKind::F64));
        check("ceill", FloatFunction::Round(Rounding::Ceil), Some(FloatKind::F80));
        let nan = FloatFunction::Test(FloatTest::Nan);
        check("__isnanf", nan, Some(FloatKind::F32));
        check("__builtin_huge_valf", FloatFunction::Infinity, Some(FloatKind::F32));
        check("__builtin_isnan", nan, None);
        check("isnan", nan, None);
    }

    #[test]
    fn functions_without_exact_model_are_open() {
        for name in ["sin", "sinf", "powl", "erf", "erff", "erfcf", "tgamma", "log2l"] {
            assert_eq!(lookup(name).map(|(model, _)| model), Some(OPEN), "{name}");
        }
        assert_eq!(lookup("remquo").map(|(model, _)| model), Some(UNSUPPORTED));
        assert_eq!(lookup("si"), None);
        assert_eq!(lookup("sqrtx"), None);
    }
}
