//! Macros on the command line. The order of the two options for them matters, so they are parsed
//! together.

use clap::{ArgAction, ArgMatches, Args, FromArgMatches};
use ravelin_frontend::source::Direction;

/// Defined and undefined macros, in the order of the command line: the last option for a macro
/// counts.
#[derive(Clone, Debug, Default)]
pub struct MacroArgs(pub Vec<MacroArg>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MacroArg {
    /// `NAME` or `NAME=VALUE`.
    Define(String),
    Undefine(String),
}

/// The options, as the parser knows them.
pub const IDS: [&str; 2] = [DEFINE, UNDEFINE];
const DEFINE: &str = "define";
const UNDEFINE: &str = "undefine";

impl Args for MacroArgs {
    fn augment_args(command: clap::Command) -> clap::Command {
        let option = |id: &'static str, short: char| {
            let option = clap::Arg::new(id).short(short).action(ArgAction::Append);
            option.help_heading("Preprocessor")
        };
        command
            .arg(option(DEFINE, 'D').value_name("NAME[=VALUE]").help("Define a macro"))
            .arg(option(UNDEFINE, 'U').value_name("NAME").help("Undefine a macro"))
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for MacroArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |id: &str, read: fn(String) -> MacroArg| {
            let places = matches.indices_of(id).into_iter().flatten();
            let values = matches.get_many::<String>(id).into_iter().flatten();
            places.zip(values.map(move |value| read(value.clone()))).collect::<Vec<_>>()
        };
        let mut macros = given(DEFINE, MacroArg::Define);
        macros.extend(given(UNDEFINE, MacroArg::Undefine));
        macros.sort_by_key(|(place, _)| *place);
        Ok(MacroArgs(macros.into_iter().map(|(_, given)| given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl MacroArg {
    /// The options of the preprocessor.
    pub fn direction(&self) -> Direction {
        match self {
            MacroArg::Define(define) => Direction::Define(define.clone()),
            MacroArg::Undefine(name) => Direction::Undefine(name.clone()),
        }
    }
}
