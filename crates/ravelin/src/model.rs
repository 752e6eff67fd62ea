//! The data model of a program, and its origin.

use std::env::consts::ARCH;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ravelin_base::DataModel;

use crate::args::InputArgs;
use crate::compile_commands::CompileCommands;

/// The origin of the data model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelBy {
    /// The command line, or the task definition in its place.
    Asked,
    CompileCommands,
    /// The C compiler, which would compile the program.
    #[default]
    Compiler,
    /// The default: preprocessed text is that of competition tasks unless a task definition says
    /// otherwise.
    Preprocessed,
    Witness,
}

impl fmt::Display for ModelBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ModelBy::Asked => "as asked",
            ModelBy::CompileCommands => "by the compilation database",
            ModelBy::Compiler => "as cc compiles",
            ModelBy::Preprocessed => "the default for '.i' files",
            ModelBy::Witness => "by the witness",
        })
    }
}

/// Chooses the data model by the command line, the compilation database or the files, in this
/// order; reports deviations from the database.
pub fn settle(input: &mut InputArgs) {
    // Building the program reports why it cannot be read.
    let commands = input.compile_commands.as_deref();
    let commands = commands.and_then(|path| CompileCommands::read(path).ok());
    let said = commands.as_ref().and_then(|commands| commands.data_model(&input.files));
    (input.data_model, input.model_by) = match (input.asked_data_model, said) {
        (Some(model), _) => (model, ModelBy::Asked),
        (None, Some(model)) => (model, ModelBy::CompileCommands),
        (None, None) => by_files(&input.files),
    };
    if let Some(commands) = commands {
        crate::log(&commands.notes(&input.files, input.data_model));
    }
}

/// The default data model of files. One file that has to be compiled decides for the others.
pub fn by_files(files: &[PathBuf]) -> (DataModel, ModelBy) {
    let is_preprocessed =
        |file: &PathBuf| Path::new(file).extension().is_some_and(|extension| extension == "i");
    match files.iter().all(is_preprocessed) {
        true => (DataModel::Ilp32, ModelBy::Preprocessed),
        false => (of_compiler(), ModelBy::Compiler),
    }
}

/// The data model that `cc` compiles for; that of this machine if `cc` cannot be run.
fn of_compiler() -> DataModel {
    let asked = Command::new("cc").arg("-dumpmachine").stdin(Stdio::null()).output();
    let said = asked.ok().filter(|said| said.status.success());
    let machine = said.map(|said| String::from_utf8_lossy(&said.stdout).into_owned());
    of_machine(machine.as_deref().unwrap_or(ARCH))
}

/// The data model of a machine, as gcc names it: `x86_64-linux-gnu`. Other 64-bit machines count as
/// that.
fn of_machine(name: &str) -> DataModel {
    let architecture = name.trim().split('-').next().unwrap_or_default();
    // Pointers of 32 bits on a processor of 64 (x32, n32) are nearer to the narrow model.
    let is_narrow = name.contains("x32") || name.contains("n32");
    match architecture.contains("64") || architecture == "s390x" {
        true if !is_narrow => DataModel::Lp64,
        _ => DataModel::Ilp32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_have_data_models() {
        for (name, model) in [
            ("x86_64-linux-gnu\n", DataModel::Lp64),
            ("x86_64-pc-linux-gnux32", DataModel::Ilp32),
            ("i686-linux-gnu", DataModel::Ilp32),
            ("aarch64-linux-gnu", DataModel::Lp64),
            ("arm-linux-gnueabihf", DataModel::Ilp32),
            ("x86_64", DataModel::Lp64),
        ] {
            assert_eq!(of_machine(name), model, "{name}");
        }
    }

    #[test]
    fn a_file_to_be_compiled_decides() {
        let by = |files: &[&str]| by_files(&files.iter().map(PathBuf::from).collect::<Vec<_>>()).1;
        assert_eq!(by(&["a.i", "b.i"]), ModelBy::Preprocessed);
        assert_eq!(by(&["a.i", "b.c"]), ModelBy::Compiler);
    }
}
