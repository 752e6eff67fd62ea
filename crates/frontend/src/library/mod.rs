//! The meaning of functions that a program calls but does not define.
//!
//! [`lookup`] answers by name. There are two kinds of tables:
//!
//! - [`table`] lists the functions that code lowers ([`Model::Intrinsic`]), functions without
//!   effect, and functions that Ravelin does not model; [`atomics`] and [`floats`] do the same for
//!   families of functions;
//! - the files in `models` define functions in C. A model is a self-contained piece of C: it
//!   declares the functions it calls, and is linked like a translation unit of its own when a
//!   function that it defines is called. A definition in the program always takes precedence.
//!
//! A function that is not found has no model. [`standard`] knows which of these belong to the
//! system; if the program declares any other, a call returns any value. (Driver benchmarks rely on
//! that for the functions of the Linux kernel, so none of those is here.) Names that belong to
//! compilers and verifiers ([`is_reserved`]) are never such functions.

mod atomics;
mod directives;
mod floats;
mod inputs;
mod intrinsic;
mod models;
mod standard;
mod table;

pub use intrinsic::{
    Atomic, AtomicAction, BitOp, CType, CompilerFunction, FloatCompare, FloatFunction, FloatTest,
    Intrinsic, MemoryFunction, Operands, OverflowOp, PointerTest, Strength, SwapResult,
    ThreadFunction, UpdateOp, UpdateResult, VarArgsFunction,
};

pub(crate) use directives::{
    Direction, Directive, Meaningless, Pointee, Wanted, Width, directives,
};
pub(crate) use intrinsic::{CANCELLATION, ERRNO};

use std::collections::BTreeSet;

use crate::errors::{CountedEnd, ErrorRole};

pub use standard::{beyond_havoc, is_same_shape, standard_shape};

/// The library's knowledge of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// The name under which the function is modelled: `__builtin_strlen` is `strlen`. A C model
    /// defines this name, and so may the program.
    pub name: &'a str,
    pub model: Model,
    /// The type of the function, for programs that do not declare it. `None` for type-generic
    /// builtins, and for functions that return structs.
    pub signature: Option<Signature>,
}

/// How a library function is modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Lowered by code to operations of the automaton.
    Intrinsic(Intrinsic),
    /// Defined in C.
    C(CModel),
    /// Evaluates its arguments and does nothing.
    NoEffect(ResultIs),
    /// Reaching a call makes the answer UNKNOWN, for this reason.
    Unsupported(&'static str),
}

/// The result of a function without effect; without meaning if it returns `void`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultIs {
    Any,
    Zero,
    One,
    /// The argument of this number.
    Argument(u8),
}

/// A piece of C that defines one library function, or several that belong together.
///
/// Pieces with the same name are the same piece, and linked once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CModel {
    /// The first function that it defines.
    pub name: &'static str,
    pub text: &'static str,
    /// Its file in `models`, and the line of the file at which `text` begins.
    pub file: &'static str,
    pub line: u32,
}

pub(crate) use table::{ALWAYS_ERRORS, is_reserved, is_uninterpreted};

/// Every model in C, with the functions that it defines.
pub fn library_models() -> Vec<(Vec<&'static str>, CModel)> {
    let mut list = Vec::new();
    models::for_each(|functions, model| list.push((functions.split(' ').collect(), model)));
    list
}

/// Effects of models that only some programs need: the function that models call, and its
/// replacement in programs that mention a given name.
pub fn library_conditions() -> Vec<(&'static str, &'static str)> {
    table::conditions()
}

/// Aliases that glibc and gcc have for functions, with the usual names.
pub fn library_aliases() -> &'static [(&'static str, &'static str)] {
    table::ALIASES
}

/// The type of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    pub result: CType,
    pub params: &'static [CType],
    /// Whether more arguments may follow.
    pub variadic: bool,
}

/// The entry of the function of this name.
pub fn lookup(name: &str) -> Option<Entry<'_>> {
    if let Some(usual) = table::usual_name(name) {
        return lookup(usual);
    }
    let (model, signature) = match table::lookup(name)
        .or_else(|| models::lookup(name))
        .or_else(|| floats::lookup(name))
        .or_else(|| atomics::lookup(name).map(|model| (model, None)))
        .or_else(|| inputs::lookup(name))
        .or_else(|| shows_values(name).then_some((Model::NoEffect(ResultIs::Zero), None)))
    {
        Some(found) => found,
        // gcc offers nearly every function of the C library under such a name, but none of a
        // verifier's.
        None => {
            let usual = name.strip_prefix("__builtin_")?;
            let is_foreign = is_reserved(usual)
                || usual == "assert"
                || ALWAYS_ERRORS.contains(&usual)
                || inputs::lookup(usual).is_some();
            return if is_foreign { None } else { lookup(usual) };
        }
    };
    Some(Entry { name, model, signature })
}

/// Frama-C prints the arguments of functions whose names begin with this prefix.
fn shows_values(name: &str) -> bool {
    ["Frama_C_show_each", "Frama_C_dump_each"].iter().any(|prefix| name.starts_with(prefix))
}

/// Why calls of the function are errors, if these ends of an execution count.
pub(crate) fn error_role(name: &str, ends: &BTreeSet<CountedEnd>) -> Option<ErrorRole> {
    if ALWAYS_ERRORS.contains(&name) {
        return Some(ErrorRole::Always);
    }
    let counted = |end: CountedEnd| ends.contains(&end).then_some(ErrorRole::Undefined);
    let Model::Intrinsic(intrinsic) = lookup(name)?.model else { return None };
    match intrinsic {
        Intrinsic::ReachError | Intrinsic::AssertFail => Some(ErrorRole::Undefined),
        Intrinsic::Assert => Some(ErrorRole::Assertion),
        Intrinsic::Abort => counted(CountedEnd::Abort),
        Intrinsic::Trap => counted(CountedEnd::Trap),
        Intrinsic::Compiler(CompilerFunction::Unreachable) => counted(CountedEnd::Unreachable),
        Intrinsic::Compiler(CompilerFunction::AssumeHolds)
            if ends.contains(&CountedEnd::Unreachable) =>
        {
            Some(ErrorRole::Assertion)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
