//! From the files on the command line to an automaton.

use ravelin_base::diagnostic::render;
use ravelin_cfa::passes::{PassConfig, PassError};
use ravelin_frontend::Variables;
use ravelin_frontend::source::SourceOptions;
use ravelin_verifier::Input;
use ravelin_verifier::front::{self, Front, FrontError};
use ravelin_verifier::input::{Contents, Unit};
use ravelin_verifier::limits::Limits;

use crate::args::{InputArgs, LimitArgs};
use crate::compile_commands::CompileCommands;
use crate::exit::Exit;

/// Why there is no result.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Complete lines for standard error.
    pub message: String,
    pub exit: Exit,
}

impl Failure {
    pub fn new(exit: Exit, message: impl AsRef<str>) -> Self {
        Failure { message: format!("ravelin: {}\n", message.as_ref()), exit }
    }
}

impl From<FrontError> for Failure {
    fn from(error: FrontError) -> Self {
        let exit = match &error {
            FrontError::Rejected(diagnostics) => {
                return Failure { message: render(diagnostics), exit: Exit::Rejected };
            }
            FrontError::NoStack(_) => Exit::Unknown,
            FrontError::Pass(PassError::Unknown(_) | PassError::WrongForm { .. }) => Exit::Usage,
            FrontError::Pass(PassError::BrokenInput(_) | PassError::Broken { .. }) => {
                Exit::Internal
            }
        };
        Failure::new(exit, error.to_string())
    }
}

impl InputArgs {
    /// The program that the arguments name.
    pub fn input(&self) -> Result<Input, Failure> {
        let options = SourceOptions {
            include_dirs: self.include_dirs.clone(),
            defines: self.defines.clone(),
            undefines: self.undefines.clone(),
            standard: self.standard.clone(),
            data_model: self.data_model,
            ..SourceOptions::default()
        };
        let commands = self.compile_commands.as_deref().map(CompileCommands::read).transpose()?;
        let units = self.files.iter().enumerate().map(|(number, file)| {
            let text = self.texts.as_ref().and_then(|texts| texts.get(number));
            Unit {
                name: file.clone(),
                contents: match text {
                    Some(text) => Contents::Preprocessed(text.clone()),
                    None => Contents::File,
                },
                options: match &commands {
                    Some(commands) => commands.options(file, &options),
                    None => options.clone(),
                },
            }
        });
        Ok(Input {
            units: units.collect(),
            data_model: self.data_model,
            variables: match self.variables_in_memory {
                true => Variables::InMemory,
                false => Variables::Pure,
            },
        })
    }
}

/// Reads and links the files, lowers them, and runs the named passes. Warnings are told at once.
pub fn build(
    input: &InputArgs,
    pass_names: &[impl AsRef<str>],
    config: &PassConfig,
) -> Result<Front, Failure> {
    let front = front::build(&input.input()?, pass_names, config)?;
    crate::log(&render(&front.warnings));
    Ok(front)
}

/// As [`build`], of files that were built before: nothing is told again.
pub fn build_again(
    input: &InputArgs,
    pass_names: &[impl AsRef<str>],
    config: &PassConfig,
) -> Result<Front, Failure> {
    Ok(front::build(&input.input()?, pass_names, config)?)
}

impl LimitArgs {
    /// These limits, the time counted from now.
    pub fn starting_now(&self) -> Limits {
        Limits::starting_now(self.timeout, self.memory_limit)
    }
}
