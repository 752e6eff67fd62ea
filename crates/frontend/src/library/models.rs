//! The models that are written in C.
//!
//! A file holds many models. Each begins with a line `//: name name ...`, which lists the functions
//! it defines, and extends to the next such line.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::{CModel, CType, Model, Signature};

/// The files, by name.
pub(super) const FILES: &[(&str, &str)] = &[
    ("calendar.c", include_str!("models/calendar.c")),
    ("cancel.c", include_str!("models/cancel.c")),
    ("ctype.c", include_str!("models/ctype.c")),
    ("environment.c", include_str!("models/environment.c")),
    ("errno.c", include_str!("models/errno.c")),
    ("exit.c", include_str!("models/exit.c")),
    ("fenv.c", include_str!("models/fenv.c")),
    ("float.c", include_str!("models/float.c")),
    ("format.c", include_str!("models/format.c")),
    ("inet.c", include_str!("models/inet.c")),
    ("math.c", include_str!("models/math.c")),
    ("memory_stream.c", include_str!("models/memory_stream.c")),
    ("options.c", include_str!("models/options.c")),
    ("pthread.c", include_str!("models/pthread.c")),
    ("pthread_attr.c", include_str!("models/pthread_attr.c")),
    ("scan.c", include_str!("models/scan.c")),
    ("search.c", include_str!("models/search.c")),
    ("signal.c", include_str!("models/signal.c")),
    ("stdio.c", include_str!("models/stdio.c")),
    ("stdlib.c", include_str!("models/stdlib.c")),
    ("string.c", include_str!("models/string.c")),
    ("text.c", include_str!("models/text.c")),
    ("threads.c", include_str!("models/threads.c")),
    ("time.c", include_str!("models/time.c")),
    ("unistd.c", include_str!("models/unistd.c")),
    ("verifier.c", include_str!("models/verifier.c")),
    ("wchar.c", include_str!("models/wchar.c")),
    ("wctype.c", include_str!("models/wctype.c")),
];

const HEADING: &str = "//: ";

static MODELS: LazyLock<FxHashMap<&'static str, (CModel, Option<Signature>)>> =
    LazyLock::new(|| {
        let mut models = FxHashMap::default();
        for_each(|functions, model| {
            for function in functions.split(' ') {
                models.insert(function, (model, signature(model.text, function)));
            }
        });
        models
    });

/// The model that defines the function of this name, and the function's type.
pub(super) fn lookup(name: &str) -> Option<(Model, Option<Signature>)> {
    MODELS.get(name).map(|&(model, signature)| (Model::C(model), signature))
}

/// Calls `visit` with each model and the functions that its heading lists.
pub(super) fn for_each(mut visit: impl FnMut(&'static str, CModel)) {
    for &(file, text) in FILES {
        // What has been opened by a heading: its functions, and the line and offset of its text.
        let mut open: Option<(&str, u32, usize)> = None;
        let mut close = |open: Option<(&'static str, u32, usize)>, end: usize| {
            if let Some((functions, line, start)) = open {
                let name = functions.split(' ').next().unwrap_or(functions);
                visit(functions, CModel { name, text: &text[start..end], file, line });
            }
        };
        let mut offset = 0;
        for (line, content) in (1..).zip(text.split_inclusive('\n')) {
            if let Some(functions) = content.strip_prefix(HEADING) {
                close(open, offset);
                open = Some((functions.trim_end(), line + 1, offset + content.len()));
            }
            offset += content.len();
        }
        close(open, offset);
    }
}

/// The type that a function is defined with: programs may call it without declaring it, and the
/// model's text is read only later.
fn signature(text: &str, function: &str) -> Option<Signature> {
    let (result, params) = definition(text, function)?;
    signature_of(result, params)
}

/// The type of a function with this result and these parameters; `None` if there are structs.
pub(super) fn signature_of(result: &str, params: &str) -> Option<Signature> {
    let variadic = params.ends_with("...");
    let mut types = Vec::new();
    for param in parameters(params).filter(|&param| param != "..." && param != "void") {
        types.push(type_of(param)?);
    }
    // Lives as long as the table, which is never dropped.
    Some(Signature { result: type_of(result)?, params: types.leak(), variadic })
}

/// What stands before the name and between the parentheses where a function is defined. Definitions
/// begin at the start of a line and have their brace on the line of the last parameter.
fn definition<'t>(text: &'t str, function: &str) -> Option<(&'t str, &'t str)> {
    text.match_indices(function).find_map(|(at, _)| {
        let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let result = &text[start..at];
        let params = text[at + function.len()..].strip_prefix('(')?;
        let end = params.find(") {")?;
        let begins_line = result.starts_with(|c: char| c.is_ascii_alphabetic());
        let is_whole_name = result.ends_with([' ', '*']);
        // A semicolon would end a mere declaration before the brace of something else.
        let is_definition = !params[..end].contains(';');
        (begins_line && is_whole_name && is_definition).then_some((result, &params[..end]))
    })
}

/// Splits a parameter list at the commas outside of parentheses.
fn parameters(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    list.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    })
    .map(str::trim)
}

/// The type of a declaration, which may or may not have a name. `None` for structs.
fn type_of(declaration: &str) -> Option<CType> {
    if declaration.contains(['*', '(']) || declaration.contains("__builtin_va_list") {
        return Some(CType::Pointer);
    }
    let count = |word: &str| declaration.split(' ').filter(|&other| other == word).count();
    let unsigned = count("unsigned") > 0;
    let pick = |signed_type, unsigned_type| if unsigned { unsigned_type } else { signed_type };
    Some(match count("long") {
        _ if count("struct") > 0 => return None,
        0 if count("void") > 0 => CType::Void,
        0 if count("_Bool") > 0 => CType::Bool,
        0 if count("char") > 0 => pick(CType::Char, CType::UnsignedChar),
        0 if count("short") > 0 => pick(CType::Short, CType::UnsignedShort),
        0 if count("float") > 0 => CType::Float,
        0 if count("double") > 0 => CType::Double,
        0 => pick(CType::Int, CType::Unsigned),
        1 if count("double") > 0 => CType::LongDouble,
        1 => pick(CType::Long, CType::UnsignedLong),
        _ => pick(CType::LongLong, CType::UnsignedLongLong),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_function_is_defined_once() {
        let mut seen = FxHashMap::default();
        for_each(|functions, model| {
            for function in functions.split(' ') {
                assert!(definition(model.text, function).is_some(), "{function}");
                assert_eq!(seen.insert(function, model.file), None, "{function}");
            }
        });
        assert!(!seen.is_empty());
    }

    fn check(function: &str, result: CType, params: &'static [CType], variadic: bool) {
        let found = lookup(function).and_then(|(_, signature)| signature);
        assert_eq!(found, Some(Signature { result, params, variadic }), "{function}");
    }

    #[test]
    fn types_are_read_from_definitions() {
        use CType::{
            Double, Int, LongDouble, Pointer, Unsigned, UnsignedLong, UnsignedShort, Void,
        };
        check("strlen", UnsignedLong, &[Pointer], false);
        check("strncpy", Pointer, &[Pointer, Pointer, UnsignedLong], false);
        check("qsort", Void, &[Pointer, UnsignedLong, UnsignedLong, Pointer], false);
        check("rand", Int, &[], false);
        check("snprintf", Int, &[Pointer, UnsignedLong, Pointer], true);
        check("vsnprintf", Int, &[Pointer, UnsignedLong, Pointer, Pointer], false);
        check("drand48", Double, &[], false);
        check("fmaxl", LongDouble, &[LongDouble, LongDouble], false);
        check("tss_set", Int, &[Unsigned, Pointer], false);
        check("__ctype_b_loc", Pointer, &[], false);
        check("htons", UnsignedShort, &[UnsignedShort], false);
        check("tsearch", Pointer, &[Pointer, Pointer, Pointer], false);
        assert!(lookup("div").is_some_and(|(_, signature)| signature.is_none()));
    }

    #[test]
    fn text_begins_at_its_line() {
        for_each(|functions, model| {
            let (_, file) = FILES.iter().find(|(file, _)| *file == model.file).expect("a file");
            let heading = file.lines().nth(model.line as usize - 2);
            assert_eq!(heading.and_then(|line| line.strip_prefix(HEADING)), Some(functions));
            assert_eq!(file.lines().nth(model.line as usize - 1), model.text.lines().next());
        });
    }
}
