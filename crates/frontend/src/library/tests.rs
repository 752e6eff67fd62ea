//! Tests of the C models as C.

use std::collections::BTreeMap;
use std::process::{Command, Output};
use std::{fs, io};

use lang_c::ast::{DeclarationSpecifier, ExternalDeclaration, StorageClassSpecifier};
use lang_c::driver::{Config, parse_preprocessed};

use super::{CType, Intrinsic, Model, ResultIs, Signature, lookup, models};

#[test]
fn builtins_are_the_functions_they_stand_for() {
    for (name, usual) in [
        ("__builtin_memcpy", "memcpy"),
        ("__builtin___memcpy_chk", "__memcpy_chk"),
        ("__builtin_strlen", "strlen"),
        ("__builtin_fabsf", "fabsf"),
        ("__builtin_index", "strchr"),
        ("__builtin_expect", "__builtin_expect"),
        ("__builtin_huge_val", "__builtin_huge_val"),
    ] {
        let found = lookup(name).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(found.name, usual);
        assert_eq!(found.model, lookup(usual).unwrap_or_else(|| panic!("{usual}")).model);
    }
}

#[test]
fn kinds_of_models() {
    let model = |name: &str| lookup(name).map(|entry| entry.model);
    assert_eq!(model("abort"), Some(Model::Intrinsic(Intrinsic::Abort)));
    assert_eq!(model("__VERIFIER_nondet_int"), Some(Model::Intrinsic(Intrinsic::Nondet)));
    assert_eq!(model("sched_yield"), Some(Model::NoEffect(ResultIs::Zero)));
    assert!(matches!(model("strcmp"), Some(Model::C(_))));
    assert!(matches!(model("swapcontext"), Some(Model::Unsupported(_))));
    for name in ["printk", "kmalloc", "mutex_lock", "spin_lock", "main", "f", "", "__builtin_"] {
        assert_eq!(model(name), None, "{name}");
    }
}

fn without_comments(text: &str) -> String {
    let mut result = String::new();
    for (index, part) in text.split("/*").enumerate() {
        result.push_str(if index == 0 { part } else { part.split_once("*/").expect("an end").1 });
    }
    let lines = result.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn each_model_stands_by_itself_and_defines_what_it_lists() {
    models::for_each(|functions, model| {
        let unit = match parse_preprocessed(&Config::with_gcc(), without_comments(model.text)) {
            Ok(parse) => parse.unit,
            Err(error) => panic!("{functions}: {error}"),
        };
        let is_external = |specifier: &DeclarationSpecifier| match specifier {
            DeclarationSpecifier::StorageClass(class) => {
                class.node != StorageClassSpecifier::Static
            }
            _ => true,
        };
        let definitions = unit.0.iter().filter(|declaration| match &declaration.node {
            ExternalDeclaration::FunctionDefinition(definition) => {
                definition.node.specifiers.iter().all(|specifier| is_external(&specifier.node))
            }
            ExternalDeclaration::Declaration(_) | ExternalDeclaration::StaticAssert(_) => false,
        });
        assert_eq!(definitions.count(), functions.split(' ').count(), "{functions}");
    });
}

/// Models declare the functions they call with the types in the tables.
#[test]
fn models_call_what_is_modelled() {
    let mut calls = 0;
    models::for_each(|functions, model| {
        for declaration in without_comments(model.text).split_inclusive([';', '{', '}']) {
            let declaration = declaration.trim();
            let Some((head, params)) = declaration.split_once('(') else { continue };
            let Some(params) = params.strip_suffix(");") else { continue };
            let Some(at) = head.rfind([' ', '*']) else { continue };
            let (result, name) = head.split_at(at + 1);
            // Calls are in bodies, and never follow a type.
            if !["void", "int", "unsigned", "long", "float", "double", "char"]
                .iter()
                .any(|ty| result.starts_with(ty))
                || result.contains('=')
            {
                continue;
            }
            calls += 1;
            let expected = lookup(name).unwrap_or_else(|| panic!("{functions}: {name}")).signature;
            let declared = models::signature_of(result, params);
            assert_eq!(declared.map(widths), expected.map(widths), "{functions}: {name}");
        }
    });
    assert!(calls > 50, "{calls}");
}

/// A signature by the widths of its types: `size_t` is as wide as `unsigned long`.
fn widths(signature: Signature) -> (CType, Vec<CType>, bool) {
    let width = |ty: CType| if ty == CType::Size { CType::UnsignedLong } else { ty };
    let params = signature.params.iter().map(|&param| width(param)).collect();
    (width(signature.result), params, signature.variadic)
}

/// Compiles the models with all modelled functions renamed, links them with `against_libc.c` and
/// runs it. Without a C compiler for the machine mode (`-m32` needs its own libraries), there is
/// nothing to compare with.
fn check_against_libc(mode: &[&str]) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let write = |name: &str, text: &str| fs::write(dir.path().join(name), text).expect("write");
    let run = |program: &str, args: &[&str]| {
        Command::new(program).current_dir(dir.path()).args(args).output()
    };
    let cc = |args: &[&str]| run("cc", &[mode, args].concat());
    let succeed = |what: &str, output: io::Result<Output>| {
        let output = output.expect(what);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{what} with {mode:?}: {errors}");
    };

    write("probe.c", "#include <math.h>\nint main(void) { return 0; }\n");
    if !cc(&["probe.c", "-o", "probe"]).is_ok_and(|output| output.status.success()) {
        return eprintln!("skipped: no C compiler with {mode:?}");
    }
    let mut renames = String::new();
    let mut files: BTreeMap<&str, String> = BTreeMap::new();
    models::for_each(|functions, model| {
        for function in functions.split(' ') {
            renames.push_str(&format!("#define {function} model_{function}\n"));
        }
        files.entry(model.file).or_default().push_str(model.text);
    });
    write("renames.h", &renames);
    for (&name, text) in &files {
        write(name, text);
        let warnings = ["-Wall", "-Wno-unused-parameter", "-Werror"];
        let options = ["-c", "-O1", "-fno-builtin", "-include", "renames.h", name];
        succeed(name, cc(&[&warnings[..], &options].concat()));
    }
    let objects: Vec<String> = files.keys().map(|name| name.replace(".c", ".o")).collect();
    let archive: Vec<&str> =
        ["rcs", "libmodels.a"].into_iter().chain(objects.iter().map(String::as_str)).collect();
    succeed("ar", run("ar", &archive));
    // Effects that models have only in some programs are off here.
    let mut rest = "unsigned __ravelin_process, __ravelin_user, __ravelin_effective_user;\n\
                    unsigned __ravelin_group, __ravelin_effective_group;\n"
        .to_owned();
    for (name, _) in super::library_conditions() {
        rest.push_str(&format!("int {name}() {{ return 0; }}\n"));
    }
    write("rest.c", &rest);
    let comparison = concat!(env!("CARGO_MANIFEST_DIR"), "/src/library/against_libc.c");
    let options = [
        "-O1",
        "-fno-builtin",
        "-w",
        comparison,
        "rest.c",
        "-L.",
        "-lmodels",
        "-lm",
        "-o",
        "check",
    ];
    succeed("the comparison", cc(&options));
    succeed("its run", run("./check", &[]));
}

#[test]
fn models_agree_with_libc_lp64() {
    check_against_libc(&["-m64"]);
}

#[test]
fn models_agree_with_libc_ilp32() {
    // Floats are evaluated in their own precision, as in the automaton.
    check_against_libc(&["-m32", "-msse2", "-mfpmath=sse"]);
}
