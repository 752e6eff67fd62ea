//! Functions that return inputs, by the type in their names, such as `__VERIFIER_nondet_uint`.

use super::intrinsic::{CType, Intrinsic};
use super::{Model, Signature};

const NONDET: Model = Model::Intrinsic(Intrinsic::Nondet);

/// Prefixes before the type: in SV-COMP, and in CBMC, ESBMC, SMACK and LLBMC.
const PREFIXES: &[&str] = &[
    "__VERIFIER_nondet_",
    "__CPROVER_nondet_",
    "__ESBMC_nondet_",
    "__SMACK_nondet_",
    "__llbmc_nondet_",
    "VERIFIER_nondet_",
    "__nondet_",
    "nondet_",
];

/// The names of types, without `unsigned_` and similar prefixes.
const TYPES: &[(&str, CType)] = &[
    ("_Bool", CType::Bool),
    ("bool", CType::Bool),
    ("char", CType::Char),
    ("schar", CType::SignedChar),
    ("signed_char", CType::SignedChar),
    ("uchar", CType::UnsignedChar),
    ("unsigned_char", CType::UnsignedChar),
    ("short", CType::Short),
    ("short_int", CType::Short),
    ("ushort", CType::UnsignedShort),
    ("unsigned_short", CType::UnsignedShort),
    ("unsigned_short_int", CType::UnsignedShort),
    ("int", CType::Int),
    ("signed", CType::Int),
    ("signed_int", CType::Int),
    ("uint", CType::Unsigned),
    ("unsigned", CType::Unsigned),
    ("unsigned_int", CType::Unsigned),
    ("long", CType::Long),
    ("long_int", CType::Long),
    ("ulong", CType::UnsignedLong),
    ("unsigned_long", CType::UnsignedLong),
    ("unsigned_long_int", CType::UnsignedLong),
    ("llong", CType::LongLong),
    ("longlong", CType::LongLong),
    ("long_long", CType::LongLong),
    ("long_long_int", CType::LongLong),
    ("ullong", CType::UnsignedLongLong),
    ("ulonglong", CType::UnsignedLongLong),
    ("unsigned_long_long", CType::UnsignedLongLong),
    ("unsigned_long_long_int", CType::UnsignedLongLong),
    ("int128", CType::Int128),
    ("uint128", CType::UnsignedInt128),
    ("float", CType::Float),
    ("double", CType::Double),
    ("long_double", CType::LongDouble),
    ("longdouble", CType::LongDouble),
    ("ldouble", CType::LongDouble),
    ("s8", CType::SignedChar),
    ("s16", CType::Short),
    ("s32", CType::Int),
    ("s64", CType::LongLong),
    ("u8", CType::UnsignedChar),
    ("u16", CType::UnsignedShort),
    ("u32", CType::Unsigned),
    ("u64", CType::UnsignedLongLong),
    ("int8_t", CType::SignedChar),
    ("int16_t", CType::Short),
    ("int32_t", CType::Int),
    ("int64_t", CType::LongLong),
    ("uint8_t", CType::UnsignedChar),
    ("uint16_t", CType::UnsignedShort),
    ("uint32_t", CType::Unsigned),
    ("uint64_t", CType::UnsignedLongLong),
    ("size", CType::Size),
    ("size_t", CType::Size),
    ("ssize_t", CType::Long),
    ("ptrdiff_t", CType::Long),
    ("intptr_t", CType::Long),
    ("uintptr_t", CType::Size),
    ("loff_t", CType::LongLong),
    ("sector_t", CType::UnsignedLong),
    ("pthread_t", CType::UnsignedLong),
    ("charp", CType::Pointer),
    ("pchar", CType::Pointer),
    ("const_char_pointer", CType::Pointer),
    ("pointer", CType::Pointer),
    ("ptr", CType::Pointer),
    ("voidp", CType::Pointer),
    ("void_ptr", CType::Pointer),
];

/// The input function of this name. If the name contains no type, the program has to declare it.
pub(super) fn lookup(name: &str) -> Option<(Model, Option<Signature>)> {
    // C90: a function called without declaration returns `int`.
    let ty = match name {
        "nondet" | "__SMACK_nondet" => Some(CType::Int),
        _ => {
            let ty = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix))?;
            // It fills memory, and is defined in C.
            if ty == "memory" {
                return None;
            }
            TYPES.iter().find(|(text, _)| *text == ty).map(|&(_, ty)| ty)
        }
    };
    let signature = ty.map(|result| Signature { result, params: &[], variadic: false });
    Some((NONDET, signature))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_listed_once() {
        for (index, (name, _)) in TYPES.iter().enumerate() {
            assert!(TYPES[..index].iter().all(|(other, _)| other != name), "{name}");
        }
    }

    #[test]
    fn names_tell_types() {
        let check = |name: &str, result: Option<CType>| {
            let found = lookup(name).unwrap_or_else(|| panic!("{name}"));
            assert_eq!(found.0, NONDET, "{name}");
            assert_eq!(found.1.map(|signature| signature.result), result, "{name}");
        };
        check("nondet", Some(CType::Int));
        check("nondet_uint", Some(CType::Unsigned));
        check("nondet_unsigned_long_long", Some(CType::UnsignedLongLong));
        check("__VERIFIER_nondet_bool", Some(CType::Bool));
        check("__VERIFIER_nondet_uint8_t", Some(CType::UnsignedChar));
        check("__VERIFIER_nondet_headerT", None);
        for name in
            ["nondeterministic", "my_nondet_int", "__VERIFIER_nondet_memory", "nondet_memory"]
        {
            assert_eq!(lookup(name), None, "{name}");
        }
    }
}
