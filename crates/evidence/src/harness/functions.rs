//! Definitions of the functions, variables and objects that the program does not define, with their environment inputs.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write as _;

use ravelin_base::SrcPos;
use ravelin_cfa::{HavocKind, Init, ObjectKind, Op, Program, Sort, VarKind};
use ravelin_term::FloatKind;

use super::Call;
use super::environment_inputs::{
    self, Bits, COUNT_OF_ARGUMENTS, Contents, EnvironmentInputs, FunctionResult,
};

/// The bytes behind the part of an object of the environment that is read.
const ROOM: u64 = 256;

/// Variables of the C library, which it defines.
const OF_THE_LIBRARY: &[&str] = &[
    "stdin",
    "stdout",
    "stderr",
    "environ",
    "__environ",
    "optarg",
    "optind",
    "opterr",
    "optopt",
    "timezone",
    "daylight",
    "tzname",
    "signgam",
    "program_invocation_name",
    "program_invocation_short_name",
    "sys_errlist",
    "sys_nerr",
    "_ctype_",
];

/// Functions that `assets` defines.
const IN_ASSETS: &[&str] = &[
    "reach_error",
    "__VERIFIER_error",
    "__VERIFIER_assume",
    "__VERIFIER_assert",
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
    "__VERIFIER_nondet_memory",
    "__assert_rtn",
    "_assert",
    "_exit",
    "_Exit",
    "quick_exit",
    "abort",
    "exit",
];

/// Defines memory that the program does not define, with its contents.
pub(super) fn memory(text: &mut String, program: &Program, inputs: &EnvironmentInputs) {
    let mut pointers = String::new();
    // They may point to each other.
    for number in inputs.environment.keys() {
        let _ = writeln!(text, "static char ravelin_environment_{number}[];");
    }
    for (number, contents) in &inputs.environment {
        let name = format!("ravelin_environment_{number}");
        let last = |offset: Option<&u64>| offset.map_or(0, |offset| offset + 16);
        let end = last(contents.bytes.keys().last()).max(last(contents.pointers.keys().last()));
        let _ = write!(
            text,
            "static char ravelin_environment_{number}[{}] __attribute__((aligned(16)))",
            end + ROOM
        );
        initial(text, &mut pointers, contents, &name);
    }
    let mut count = 0;
    let mut define = |name: &str, size: u64, contents: &Contents| {
        if OF_THE_LIBRARY.contains(&name) || name.contains('%') {
            return;
        }
        let local = format!("ravelin_global_{count}");
        count += 1;
        let _ = write!(
            text,
            "char {local}[{size}] __asm__(\"{name}\") __attribute__((weak, aligned(16)))"
        );
        initial(text, &mut pointers, contents, &local);
    };
    for (var, data) in program.vars.iter() {
        if let VarKind::Global { init: None, .. } = data.kind {
            let size = program.bytes_of(data.sort).unwrap_or(1);
            let value = inputs.variables.get(&var).copied().unwrap_or_default();
            let mut contents = Contents::default();
            match value.environment {
                Some(_) => {
                    contents.pointers.insert(0, value);
                }
                None => {
                    let byte = |at: u64| (at, (value.bits >> (8 * at.min(15))) as u8);
                    contents.bytes.extend((0..size).map(byte));
                }
            }
            define(program.name(data.name), size, &contents);
        }
    }
    for (object, data) in program.objects.iter() {
        if data.kind == ObjectKind::Global && data.init == Init::Indeterminate {
            let contents = inputs.objects.get(&object).cloned().unwrap_or_default();
            define(program.name(data.name), data.size.max(1), &contents);
        }
    }
    if !pointers.is_empty() {
        let _ = write!(
            text,
            "__attribute__((constructor(101))) static void ravelin_point(void) {{\n{pointers}}}\n"
        );
    }
}

/// The bytes of an object, and statements that put pointers into it.
fn initial(text: &mut String, pointers: &mut String, contents: &Contents, name: &str) {
    *text += " = {";
    for (at, byte) in contents.bytes.iter().filter(|(_, byte)| **byte != 0) {
        let _ = write!(text, "[{at}] = {}, ", *byte as i8);
    }
    *text += "};\n";
    for (at, Bits { bits, environment }) in &contents.pointers {
        let Some(number) = environment else { continue };
        let _ = writeln!(
            pointers,
            "    *(char **)({name} + {at}) = ravelin_environment_{number} + {bits};"
        );
    }
}

/// The results of undefined functions, by thread.
pub(super) fn inputs(text: &mut String, inputs: &EnvironmentInputs) {
    *text += "static const struct { int thread; const char *function; unsigned long long low, high; \
              char *base; } ravelin_inputs[] = {\n";
    for FunctionResult { thread, function, bits: Bits { bits, environment } } in &inputs.results {
        let base = match environment {
            Some(number) => format!("ravelin_environment_{number}"),
            None => "0".to_owned(),
        };
        let (low, high) = (*bits as u64, (*bits >> 64) as u64);
        let _ = writeln!(text, "    {{{thread}, \"{function}\", {low}ULL, {high}ULL, {base}}},");
    }
    *text += "    {0, 0, 0, 0, 0},\n};\n";
    if inputs.has_arguments {
        let _ = writeln!(text, "#define RAVELIN_ARGUMENTS \"{COUNT_OF_ARGUMENTS}\"");
    }
}

/// Defines the undefined functions that the program calls.
pub(super) fn render(
    text: &mut String,
    program: &Program,
    inputs: &EnvironmentInputs,
    calls: &[Call],
) {
    let mut found: BTreeMap<&str, Definition> = BTreeMap::new();
    let mut read = HashSet::new();
    program.for_each_label(|_, label| {
        ravelin_cfa::access::for_each_term(&label.op, |term| {
            read.extend(program.terms.vars_of(term));
        });
    });
    // Places with operations: a call there is one of a library function that is modelled.
    let mut busy: HashSet<(&str, u32, u32)> = HashSet::new();
    let place = |pos: SrcPos| (program.name(pos.file), pos.line, pos.column);
    program.for_each_label(|proc, label| {
        let Op::Havoc { dst, kind } = label.op else {
            if !matches!(label.op, Op::HavocMemory { .. } | Op::External { .. } | Op::Skip) {
                busy.insert(place(label.pos));
            }
            return;
        };
        let name = match kind {
            // Arguments of main.
            HavocKind::Input(_) if Some(proc) == program.entry && is_start(program) => return,
            HavocKind::Input(name) | HavocKind::Extern(name) => program.name(name),
            HavocKind::Unspecified if read.contains(&dst) => {
                match environment_inputs::name_of_call(program, calls, label.pos) {
                    Some(name) => name,
                    None => return,
                }
            }
            HavocKind::Unspecified | HavocKind::Uninitialised | HavocKind::NotModelled(_) => {
                busy.insert(place(label.pos));
                return;
            }
        };
        found.entry(name).or_insert(Definition::Scalar(program.vars[dst].sort));
    });
    let results = environment_inputs::struct_results(program, calls);
    for (object, name) in &results {
        found.entry(name).or_insert(Definition::Struct(program.objects[*object].size));
    }
    let defined: BTreeSet<&str> =
        program.procs.values().map(|procedure| program.name(procedure.name)).collect();
    for call in calls {
        let name = &*call.name;
        let is_builtin = ["__builtin_", "__sync_", "__atomic_", "__c11_"];
        if !defined.contains(name)
            && !found.contains_key(name)
            && !IN_ASSETS.contains(&name)
            && !is_builtin.iter().any(|prefix| name.starts_with(prefix))
            && !busy.contains(&(&*call.file, call.line, call.column))
        {
            found.insert(name, Definition::Nothing);
        }
    }
    *text += "\n";
    for (index, (name, definition)) in found.iter().enumerate() {
        define(text, inputs, index, name, *definition);
    }
    *text += "\n";
}

fn is_start(program: &Program) -> bool {
    program.entry.is_some_and(|entry| program.name(program.procs[entry].name).contains('%'))
}

/// The result of an undefined function.
#[derive(Clone, Copy, Debug)]
enum Definition {
    Scalar(Sort),
    /// A struct of this many bytes.
    Struct(u64),
    /// No result that matters. If the C library has the function, the library's is called.
    Nothing,
}

fn define(
    text: &mut String,
    inputs: &EnvironmentInputs,
    index: usize,
    name: &str,
    definition: Definition,
) {
    let (ty, body) = match definition {
        Definition::Scalar(sort) => {
            let (ty, give) = match sort {
                Sort::Float(FloatKind::F32) => ("float", "ravelin_float"),
                Sort::Float(FloatKind::F64) => ("double", "ravelin_double"),
                Sort::Float(FloatKind::F80) => ("long double", "ravelin_long_double"),
                Sort::Float(FloatKind::F128) => ("_Float128", "ravelin_float128"),
                Sort::Bv(width) if width > 64 => ("unsigned __int128", "ravelin_wide"),
                Sort::Bool | Sort::Bv(_) | Sort::Ptr | Sort::Mem => {
                    ("unsigned long long", "ravelin_input")
                }
            };
            (ty.to_owned(), format!("return {give}(\"{name}\");"))
        }
        Definition::Struct(size) => {
            let ty = format!("struct ravelin_result_{index}");
            let members = members(inputs, name, size);
            let _ = writeln!(text, "{ty} {{ {members} }} __attribute__((packed));");
            let body = format!(
                "{ty} result; ravelin_bytes(\"{name}\", (char *)&result, {size}); return result;"
            );
            (ty, body)
        }
        Definition::Nothing => {
            let body = format!(
                "void *real = dlsym(RTLD_NEXT, \"{name}\"); if (!real) return 0; \
                 __builtin_return(__builtin_apply((void (*)())real, __builtin_apply_args(), 256));"
            );
            ("void *".to_owned(), body)
        }
    };
    let _ = writeln!(
        text,
        "{ty} ravelin_function_{index}() __asm__(\"{name}\");\n\
         RAVELIN_WEAK {ty} ravelin_function_{index}() {{ {body} }}"
    );
}

/// Members for a struct of `size` bytes, so that the ABI returns it in the same registers.
fn members(inputs: &EnvironmentInputs, name: &str, size: u64) -> String {
    let mut members = String::new();
    for chunk in 0..size.div_ceil(8) {
        let bytes = (size - 8 * chunk).min(8);
        let is_float = inputs.floats.contains(&(name.to_owned(), chunk));
        let _ = match (is_float, bytes) {
            (true, 8) => write!(members, "double part{chunk}; "),
            (true, 4) => write!(members, "float part{chunk}; "),
            (_, bytes) => write!(members, "char part{chunk}[{bytes}]; "),
        };
    }
    members
}
