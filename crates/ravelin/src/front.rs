//! From the files on the command line to an automaton.

use ravelin_base::diagnostic::render;
use ravelin_cfa::passes::{PassConfig, PassError};
use ravelin_frontend::source::SourceOptions;
use ravelin_frontend::{Reading, Variables};
use ravelin_verifier::Input;
use ravelin_verifier::front::{self, Front, FrontError};
use ravelin_verifier::input::{Contents, Unit};
use ravelin_verifier::limits::Limits;
use ravelin_verifier::panics;

use crate::args::{InputArgs, LimitArgs};
use crate::compile_commands::CompileCommands;
use crate::exit::Exit;
use crate::macros::MacroArg;
use crate::watchdog::Watchdog;

/// Why a command has no result.
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

/// The linker's message for files that are separate programs.
const SECOND_MAIN: &str = "redefinition of 'main'";

impl InputArgs {
    /// Why there is no program, with a hint if the files are probably several programs.
    pub fn failure(&self, error: FrontError) -> Failure {
        let has_two = match &error {
            FrontError::Rejected(diagnostics) => {
                self.files.len() > 1 && diagnostics.iter().any(|it| it.message == SECOND_MAIN)
            }
            FrontError::NoStack(_) | FrontError::Pass(_) => false,
        };
        let mut failure = Failure::from(error);
        if has_two {
            failure.message += "ravelin: files that are named one by one are linked into one program; to verify \
                                each by itself, quote the pattern ('*.c') or name the directory\n";
        }
        failure
    }

    /// The program that the arguments name.
    pub fn input(&self) -> Result<Input, Failure> {
        let options = SourceOptions {
            include_dirs: self.include_dirs.clone(),
            directions: self.macros.0.iter().map(MacroArg::direction).collect(),
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
            reading: Reading {
                data_model: self.data_model,
                variables: match self.variables_in_memory {
                    true => Variables::InMemory,
                    false => Variables::Pure,
                },
                errors: self.errors.error_calls(),
                external: self.external.map(Into::into),
                checked: self.checked,
            },
        })
    }
}

/// Runs a command that prints what it computes, within its limits.
pub fn print(limits: &LimitArgs, work: impl FnOnce(&Watchdog) -> Result<(), Failure>) -> Exit {
    let watchdog = Watchdog::start(limits.starting_now(), |reached| {
        crate::log(&format!("ravelin: {}\n", reached.reason()));
        Exit::Unknown
    });
    match panics::catch(|| work(&watchdog)) {
        Ok(Ok(())) => Exit::Ok,
        Ok(Err(failure)) => {
            watchdog.claim_last_word();
            crate::log(&failure.message);
            failure.exit
        }
        Err(panics::Panicked) => Exit::Internal,
    }
}

/// Reads and links the files, lowers them, and runs the named passes. Prints warnings at once.
pub fn build(
    input: &InputArgs,
    pass_names: &[impl AsRef<str>],
    config: &PassConfig,
) -> Result<Front, Failure> {
    let built = front::build(&input.input()?, pass_names, config);
    let front = built.map_err(|error| input.failure(error))?;
    crate::log(&render(&front.warnings));
    Ok(front)
}

/// As [`build`], for files that were built before: prints no warnings again.
pub fn build_again(
    input: &InputArgs,
    pass_names: &[impl AsRef<str>],
    config: &PassConfig,
) -> Result<Front, Failure> {
    front::build(&input.input()?, pass_names, config).map_err(|error| input.failure(error))
}

impl LimitArgs {
    /// These limits, with the time starting now.
    pub fn starting_now(&self) -> Limits {
        Limits::starting_now(self.timeout, self.memory_limit)
    }
}
