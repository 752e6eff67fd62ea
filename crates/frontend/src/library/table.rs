//! The library functions that are not defined in C, by topic.

mod builtins;
mod c_library;
mod threads;
mod verifier;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::intrinsic::Intrinsic;
use super::{Model, ResultIs, Signature};

/// A line of the tables: name, meaning, and the type for programs that do not declare it.
type Row = (&'static str, Model, Option<Signature>);

/// `sig!(Int(Pointer, ...))` is the signature of `int f(void *, ...)`.
macro_rules! sig {
    ($result:ident($($param:ident),*)) => {
        Some($crate::library::Signature {
            result: $crate::library::CType::$result,
            params: &[$($crate::library::CType::$param),*],
            variadic: false,
        })
    };
    ($result:ident($($param:ident,)* ...)) => {
        Some($crate::library::Signature {
            result: $crate::library::CType::$result,
            params: &[$($crate::library::CType::$param),*],
            variadic: true,
        })
    };
}
use sig;

const ANY: Model = Model::NoEffect(ResultIs::Any);
const ZERO: Model = Model::NoEffect(ResultIs::Zero);

const fn does(intrinsic: Intrinsic) -> Model {
    Model::Intrinsic(intrinsic)
}

const TABLES: &[&[Row]] = &[
    verifier::ERRORS,
    verifier::CONDITIONS,
    verifier::ATOMIC_BLOCKS,
    verifier::ANNOTATIONS,
    verifier::KLEE,
    verifier::CONTENTS,
    verifier::POINTERS,
    verifier::FOR_MODELS,
    verifier::IF_MENTIONED,
    c_library::TERMINATION,
    c_library::MEMORY,
    c_library::OUTPUT,
    c_library::INPUT,
    c_library::SYSTEM,
    c_library::FLOAT_ENVIRONMENT,
    threads::THREADS,
    threads::MUTEXES,
    threads::READ_WRITE_LOCKS,
    threads::CONDITIONS,
    threads::BARRIERS,
    threads::SEMAPHORES,
    builtins::HINTS,
    builtins::TYPES,
    builtins::BITS,
    builtins::OVERFLOW,
    builtins::VARIABLE_ARGUMENTS,
    builtins::REWRITTEN,
];

const fn print(format: u8) -> Model {
    Model::Intrinsic(Intrinsic::Print { format })
}

pub(crate) use verifier::{ALWAYS_ERRORS, is_reserved, is_uninterpreted};

/// Aliases that glibc and gcc have for functions, with the usual names.
pub(super) const ALIASES: &[(&str, &str)] = &[
    ("_IO_getc", "fgetc"),
    ("_IO_putc", "fputc"),
    ("__ESBMC_memset", "memset"),
    ("__isoc23_fscanf", "fscanf"),
    ("__isoc23_scanf", "scanf"),
    ("__isoc23_sscanf", "sscanf"),
    ("__isoc23_strtol", "strtol"),
    ("__isoc23_strtoll", "strtoll"),
    ("__isoc23_strtoul", "strtoul"),
    ("__isoc23_strtoull", "strtoull"),
    ("__isoc99_fscanf", "fscanf"),
    ("__isoc99_scanf", "scanf"),
    ("__isoc99_sscanf", "sscanf"),
    ("__isoc99_vfscanf", "vfscanf"),
    ("__isoc99_vscanf", "vscanf"),
    ("__isoc99_vsscanf", "vsscanf"),
    ("__libc_calloc", "calloc"),
    ("__libc_free", "free"),
    ("__libc_malloc", "malloc"),
    ("__mempcpy", "mempcpy"),
    ("__stpcpy", "stpcpy"),
    ("__strdup", "strdup"),
    ("__strndup", "strndup"),
    ("__strtok_r", "strtok_r"),
    ("bcmp", "memcmp"),
    ("clearerr_unlocked", "clearerr"),
    ("drem", "remainder"),
    ("dremf", "remainderf"),
    ("feof_unlocked", "feof"),
    ("ferror_unlocked", "ferror"),
    ("fflush_unlocked", "fflush"),
    ("fgetc_unlocked", "fgetc"),
    ("fgets_unlocked", "fgets"),
    ("fputc_unlocked", "fputc"),
    ("fputs_unlocked", "fputs"),
    ("fread_unlocked", "fread"),
    ("fwrite_unlocked", "fwrite"),
    ("getc", "fgetc"),
    ("getc_unlocked", "fgetc"),
    ("getchar_unlocked", "getchar"),
    ("index", "strchr"),
    ("putc", "fputc"),
    ("putc_unlocked", "fputc"),
    ("putchar_unlocked", "putchar"),
    ("rindex", "strrchr"),
];

static ROWS: LazyLock<FxHashMap<&'static str, &'static Row>> =
    LazyLock::new(|| TABLES.iter().copied().flatten().map(|row| (row.0, row)).collect());

/// The row for exactly this name.
pub(super) fn lookup(name: &str) -> Option<(Model, Option<Signature>)> {
    ROWS.get(name).map(|&&(_, model, signature)| (model, signature))
}

/// The functions that have replacements in some programs, and those replacements.
pub(super) fn conditions() -> Vec<(&'static str, &'static str)> {
    let rows = verifier::IF_MENTIONED.iter();
    rows.filter_map(|&(name, model, _)| match model {
        Model::Intrinsic(Intrinsic::IfMentioned { then, .. }) => Some((name, then)),
        _ => None,
    })
    .collect()
}

/// The usual name of a function that has several.
pub(super) fn usual_name(name: &str) -> Option<&'static str> {
    let index = ALIASES.binary_search_by_key(&name, |&(alias, _)| alias).ok()?;
    Some(ALIASES[index].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let rows = TABLES.iter().copied().flatten();
        let mut seen = FxHashMap::default();
        for &(name, model, _) in rows {
            if let Some(earlier) = seen.insert(name, model) {
                panic!("{name} is listed twice: {earlier:?} and {model:?}");
            }
        }
    }

    #[test]
    fn aliases_are_sorted_and_lead_to_functions() {
        assert!(ALIASES.is_sorted_by(|a, b| a.0 < b.0));
        for &(alias, name) in ALIASES {
            assert_eq!(crate::library::lookup(alias).map(|entry| entry.name), Some(name));
        }
    }

    #[test]
    fn operands_are_parameters() {
        for &(name, model, signature) in TABLES.iter().copied().flatten() {
            let Some(signature) = signature else { continue };
            let operands: &[u8] = match &model {
                Model::Intrinsic(Intrinsic::Sync { args, .. }) => args,
                Model::Intrinsic(Intrinsic::Print { format } | Intrinsic::Log { format }) => {
                    &[*format]
                }
                Model::Intrinsic(Intrinsic::Assert | Intrinsic::Assume) => &[0],
                Model::Intrinsic(Intrinsic::FillWithInputs { size: Some(size) }) => &[*size],
                Model::NoEffect(ResultIs::Argument(argument)) => &[*argument],
                Model::Intrinsic(_) | Model::NoEffect(_) | Model::Unsupported(_) => &[],
                Model::C(_) => panic!("{name} is defined in C"),
            };
            for &operand in operands {
                assert!(usize::from(operand) < signature.params.len(), "{name}: {operand}");
            }
        }
    }
}
