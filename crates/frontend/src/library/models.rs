//! The models that are written in C.
//!
//! A file holds many models. Each begins with a line `//: name name ...`, which lists the functions
//! it defines, and extends to the next such line. Lines `//= word -> words, ...` right below it
//! derive further models from the same text by replacing words: `double fmax` is also `float
//! fmaxf`.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::{CModel, CType, Model, Signature};

/// The files, by name.
pub(super) const FILES: &[(&str, &str)] = &[
    ("calendar.c", include_str!("models/calendar.c")),
    ("cancel.c", include_str!("models/cancel.c")),
    ("complex.c", include_str!("models/complex.c")),
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
    ("own.c", include_str!("models/own.c")),
    ("options.c", include_str!("models/options.c")),
    ("overlap.c", include_str!("models/overlap.c")),
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

const VARIANT: &str = "//= ";

/// All models, each with the functions that it defines.
static LIST: LazyLock<Vec<(&'static str, CModel)>> = LazyLock::new(|| {
    let mut list = Vec::new();
    for &(file, text) in FILES {
        read_file(file, text, &mut |functions, model| list.push((functions, model)));
    }
    list
});

static MODELS: LazyLock<FxHashMap<&'static str, (CModel, Option<Signature>)>> =
    LazyLock::new(|| {
        let mut models = FxHashMap::default();
        for &(functions, model) in &*LIST {
            for function in functions.split(' ') {
                models.insert(function, (model, signature(model.text, function)));
            }
        }
        models
    });

/// The model that defines the function of this name, and the function's type.
pub(super) fn lookup(name: &str) -> Option<(Model, Option<Signature>)> {
    MODELS.get(name).map(|&(model, signature)| (Model::C(model), signature))
}

/// Calls `visit` with each model and the functions that it defines.
pub(super) fn for_each(mut visit: impl FnMut(&'static str, CModel)) {
    LIST.iter().for_each(|&(functions, model)| visit(functions, model));
}

/// The models of a file; the text before the first heading is a comment.
fn read_file(file: &'static str, text: &'static str, visit: &mut impl FnMut(&'static str, CModel)) {
    let mut headings = Vec::new();
    let mut offset = 0;
    for (line, content) in (1..).zip(text.split_inclusive('\n')) {
        if content.starts_with(HEADING) {
            headings.push((line, offset));
        }
        offset += content.len();
    }
    let ends = headings.iter().skip(1).map(|&(_, start)| start).chain([text.len()]);
    for (&(heading, start), end) in headings.iter().zip(ends) {
        let section = &text[start + HEADING.len()..end];
        let (functions, mut body) = section.split_once('\n').unwrap_or((section, ""));
        let mut line = heading + 1;
        let mut variants = Vec::new();
        while let Some((variant, rest)) =
            body.strip_prefix(VARIANT).and_then(|body| body.split_once('\n'))
        {
            variants.push(variant);
            (body, line) = (rest, line + 1);
        }
        let mut add = |functions: &'static str, text: &'static str| {
            let name = functions.split(' ').next().unwrap_or(functions);
            visit(functions, CModel { name, text, file, line });
        };
        add(functions, body);
        for variant in variants {
            // They are never dropped, like the list.
            add(with_words(functions, variant).leak(), with_words(body, variant).leak());
        }
    }
}

/// The text with words replaced as a line `word -> words, word -> words` says.
fn with_words(text: &str, variant: &str) -> String {
    let replaced: Vec<(&str, &str)> =
        variant.split(',').filter_map(|pair| pair.trim().split_once(" -> ")).collect();
    let mut result = String::with_capacity(text.len());
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = is_word(first);
        let end = rest.find(|c| is_word(c) != kind).unwrap_or(rest.len());
        let piece;
        (piece, rest) = rest.split_at(end);
        let other = replaced.iter().find(|(word, _)| *word == piece);
        result.push_str(other.map_or(piece, |&(_, words)| words));
    }
    result
}

/// The type in a function's definition: programs may call it without declaring it, and the model's
/// text is parsed only later.
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
    // Never dropped, like the table.
    Some(Signature { result: type_of(result)?, params: types.leak(), variadic })
}

/// The text before the name and between the parentheses of a function's definition. Definitions
/// begin at the start of a line and have their brace on the line of the last parameter.
fn definition<'t>(text: &'t str, function: &str) -> Option<(&'t str, &'t str)> {
    text.match_indices(function).find_map(|(at, _)| {
        let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let result = &text[start..at];
        let params = text[at + function.len()..].strip_prefix('(')?;
        let end = params.find(") {")?;
        let begins_line = result.starts_with(|c: char| c.is_ascii_alphabetic());
        let is_whole_name = result.ends_with([' ', '*']);
        // A declaration has a semicolon before the next brace.
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

/// The type of a declaration, with or without a name. `None` for structs and complex numbers.
fn type_of(declaration: &str) -> Option<CType> {
    if declaration.contains(['*', '(']) || declaration.contains("__builtin_va_list") {
        return Some(CType::Pointer);
    }
    let count = |word: &str| declaration.split(' ').filter(|&other| other == word).count();
    let unsigned = count("unsigned") > 0;
    let pick = |signed_type, unsigned_type| if unsigned { unsigned_type } else { signed_type };
    Some(match count("long") {
        _ if count("struct") > 0 || count("_Complex") > 0 => return None,
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
    fn variants_replace_whole_words() {
        let text = "double fmax(double x) { return max_fmax; }";
        let variant = "fmax -> fmaxl, double -> long double";
        let expected = "long double fmaxl(long double x) { return max_fmax; }";
        assert_eq!(with_words(text, variant), expected);
    }

    #[test]
    fn text_begins_at_its_line() {
        for_each(|functions, model| {
            let (_, file) = FILES.iter().find(|(file, _)| *file == model.file).expect("a file");
            let lines: Vec<&str> = file.lines().collect();
            let at = model.line as usize - 1;
            let heading = lines[..at].iter().rposition(|line| line.starts_with(HEADING));
            let heading = heading.unwrap_or_else(|| panic!("{functions} has no heading"));
            let variants = lines[heading + 1..at].iter().map(|line| {
                line.strip_prefix(VARIANT).unwrap_or_else(|| panic!("{functions}: {line}"))
            });
            let matches = variants.chain([""]).any(|variant| {
                with_words(&lines[heading][HEADING.len()..], variant) == functions
                    && Some(&*with_words(lines[at], variant)) == model.text.lines().next()
            });
            assert!(matches, "{functions}");
        });
    }
}
