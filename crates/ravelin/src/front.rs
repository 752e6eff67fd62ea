//! From the files on the command line to an automaton.

use std::time::{Duration, Instant};

use ravelin_base::Diagnostic;
use ravelin_base::diagnostic::render;
use ravelin_cfa::Program;
use ravelin_cfa::passes::{self, PassConfig, PassError};
use ravelin_frontend::source::{self, ParsedUnit, SourceOptions, TextKind};
use ravelin_frontend::{Built, Variables};

use crate::args::{InputArgs, LimitArgs};
use crate::compile_commands::CompileCommands;
use crate::exit::Exit;
use crate::watchdog::Limits;

/// An automaton and what it took to make it.
#[derive(Debug)]
pub struct Front {
    pub program: Program,
    pub phases: Phases,
}

/// How long each phase took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phases {
    /// From files to syntax trees.
    pub parse: Duration,
    /// From syntax trees to an automaton.
    pub lower: Duration,
    /// The passes, and the checks of the automaton before and between them.
    pub passes: Duration,
}

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

/// Reads and links the files, lowers them, and runs the named passes. Warnings are told at once.
pub fn build(
    input: &InputArgs,
    pass_names: &[impl AsRef<str>],
    config: &PassConfig,
) -> Result<Front, Failure> {
    build_telling(input, pass_names, config, crate::log)
}

/// As [`build`], of files that were built before: nothing is told again.
pub fn build_again(
    input: &InputArgs,
    pass_names: &[impl AsRef<str>],
    config: &PassConfig,
) -> Result<Front, Failure> {
    build_telling(input, pass_names, config, |_| ())
}

fn build_telling(
    input: &InputArgs,
    pass_names: &[impl AsRef<str>],
    config: &PassConfig,
    tell: impl FnOnce(&str),
) -> Result<Front, Failure> {
    let mut phases = Phases::default();
    let built = source::with_deep_stack(|| read_and_lower(input, &mut phases))
        .map_err(|error| Failure::new(Exit::Unknown, format!("no room for a stack: {error}")))??;
    tell(&render(&built.warnings));
    let mut program = built.program;
    let begun = Instant::now();
    passes::run(&mut program, pass_names, config).map_err(explain_pass_error)?;
    phases.passes = begun.elapsed();
    Ok(Front { program, phases })
}

fn read_and_lower(input: &InputArgs, phases: &mut Phases) -> Result<Built, Failure> {
    let begun = Instant::now();
    let units = parse(input)?;
    phases.parse = begun.elapsed();
    let variables = match input.variables_in_memory {
        true => Variables::InMemory,
        false => Variables::Pure,
    };
    let begun = Instant::now();
    let built = ravelin_frontend::lower_units(&units, input.data_model, variables)
        .map_err(|errors| reject(&errors))?;
    phases.lower = begun.elapsed();
    Ok(built)
}

fn reject(diagnostics: &[Diagnostic]) -> Failure {
    Failure { message: render(diagnostics), exit: Exit::Rejected }
}

/// Reads the files into syntax trees. Call it where the stack is deep.
pub fn parse(input: &InputArgs) -> Result<Vec<ParsedUnit>, Failure> {
    let options = SourceOptions {
        include_dirs: input.include_dirs.clone(),
        defines: input.defines.clone(),
        undefines: input.undefines.clone(),
        standard: input.standard.clone(),
        data_model: input.data_model,
        ..SourceOptions::default()
    };
    let commands = input.compile_commands.as_deref().map(CompileCommands::read).transpose()?;
    let (mut units, mut errors) = (Vec::new(), Vec::new());
    for (number, file) in input.files.iter().enumerate() {
        let options = match &commands {
            Some(commands) => commands.options(file, &options),
            None => options.clone(),
        };
        let text = input.texts.as_ref().and_then(|texts| texts.get(number));
        let loaded = match text {
            Some(text) => source::parse_text(&file.to_string_lossy(), text, TextKind::Preprocessed),
            None => source::load(file, &options),
        };
        match loaded {
            Ok(unit) => units.push(unit),
            Err(diagnostics) => errors.extend(diagnostics),
        }
    }
    if errors.is_empty() { Ok(units) } else { Err(reject(&errors)) }
}

fn explain_pass_error(error: PassError) -> Failure {
    let exit = match error {
        PassError::Unknown(_) | PassError::WrongForm { .. } => Exit::Usage,
        PassError::BrokenInput(_) | PassError::Broken { .. } => Exit::Internal,
    };
    Failure::new(exit, error.to_string())
}

impl LimitArgs {
    /// These limits, the time counted from now.
    pub fn starting_now(&self) -> Limits {
        Limits {
            deadline: self.timeout.and_then(|timeout| Instant::now().checked_add(timeout)),
            memory_megabytes: self.memory_limit,
        }
    }
}
