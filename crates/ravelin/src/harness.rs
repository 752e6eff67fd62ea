//! `--harness`: a C file that makes gcc's program fail as in a counterexample.

use std::path::{Path, PathBuf};

use ravelin_evidence::Execution;
use ravelin_evidence::harness::{self, Call, SourceFile, Sources};
use ravelin_frontend::outline::{Kind, outline};
use ravelin_frontend::source::{Direction, SourceOptions, with_deep_stack};
use ravelin_verifier::input::Input;

use crate::args::InputArgs;
use crate::words::quote;

/// The contents of the file `path`. Logs the inputs that it cannot reproduce.
pub fn of_violation(input: &InputArgs, path: &Path, execution: &Execution) -> Option<String> {
    let input = input.input().ok()?;
    let files = input.units.iter().map(|unit| source_file(&unit.name, &unit.options)).collect();
    let calls = with_deep_stack(|| calls(&input)).ok()?;
    let (harness, library) = (shell(path), shell(&object_of(path)));
    let rendered = harness::render(execution, &Sources { files, harness, library, calls });
    for what in &rendered.left_out {
        crate::log(&format!("ravelin: the harness does not give the program {what}\n"));
    }
    Some(rendered.text)
}

fn source_file(path: &Path, options: &SourceOptions) -> SourceFile {
    let SourceOptions { include_dirs, directions, standard, .. } = options;
    let mut words: Vec<String> = standard.iter().map(|it| format!("-std={it}")).collect();
    words.extend(include_dirs.iter().map(|it| format!("-I{}", it.display())));
    for direction in directions {
        match direction {
            Direction::Define(it) => words.push(format!("-D{it}")),
            Direction::Undefine(it) => words.push(format!("-U{it}")),
            Direction::Path(use_of, path) => {
                words.extend([use_of.option().to_owned(), path.to_string_lossy().into_owned()]);
            }
        }
    }
    SourceFile {
        path: shell(path),
        object: shell(&object_of(path)),
        options: words.iter().map(|word| quote(word).into_owned()).collect(),
    }
}

fn object_of(path: &Path) -> PathBuf {
    let mut object = path.as_os_str().to_owned();
    object.push(".o");
    object.into()
}

/// A file name as a shell takes it. One that begins with a dash would be taken for an option.
fn shell(path: &Path) -> String {
    let is_option = path.as_os_str().as_encoded_bytes().starts_with(b"-");
    let path = if is_option { Path::new(".").join(path) } else { path.to_owned() };
    quote(&path.to_string_lossy()).into_owned()
}

/// The calls in the files; none if they cannot be read any more.
fn calls(input: &Input) -> Vec<Call> {
    let units = ravelin_verifier::front::parse(input).unwrap_or_default();
    let items = units.iter().flat_map(|unit| outline(unit).items);
    let call = |item: ravelin_frontend::outline::Item| match item.kind {
        Kind::Call { name: Some(name), .. } => {
            let (line, column) = (item.start.line, item.start.column);
            Some(Call { name, file: item.start.file, line, column })
        }
        Kind::Call { .. } | Kind::Statement { .. } | Kind::Declaration | Kind::Branch { .. } => {
            None
        }
    };
    items.filter_map(call).collect()
}
