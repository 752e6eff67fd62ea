//! Command lines that Ravelin prints for the user to repeat.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

use ravelin_interp::Schedule;
use ravelin_verifier::Property;

use crate::args::InputArgs;
use crate::macros::MacroArg;
use crate::model::ModelBy;

/// The command that replays a schedule of the program that `input` names.
pub struct ReplayCommand<'a> {
    pub input: &'a InputArgs,
    pub schedule: &'a Schedule,
}

/// The maximum length of an argument in Linux.
const MAX_ARGUMENT: usize = 100_000;

impl fmt::Display for ReplayCommand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let schedule = self.schedule.to_string();
        let how = if schedule.len() <= MAX_ARGUMENT { quote(&schedule) } else { "@FILE".into() };
        write!(f, "ravelin run{} --schedule {how}", Words(self.input))
    }
}

/// The arguments for the same program.
pub struct Words<'a>(pub &'a InputArgs);

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InputArgs {
            files,
            asked_data_model: _,
            data_model,
            model_by,
            variables_in_memory,
            external,
            include_dirs,
            macros,
            standard,
            compile_commands,
            errors,
            checked,
            texts: _,
        } = self.0;
        let path = |path: &Path| quote(&path.to_string_lossy()).into_owned();
        for file in files {
            write!(f, " {}", path(file))?;
        }
        match model_by {
            ModelBy::Asked | ModelBy::CompileCommands | ModelBy::Witness => {
                write!(f, " --data-model {data_model}")?;
            }
            // They say so again.
            ModelBy::Compiler | ModelBy::Preprocessed => {}
        }
        if *variables_in_memory {
            write!(f, " --variables-in-memory")?;
        }
        if let Some(external) = external {
            write!(f, " --external {external}")?;
        }
        if let Some(commands) = compile_commands {
            write!(f, " --compile-commands {}", path(commands))?;
        }
        for dir in include_dirs {
            write!(f, " -I {}", path(dir))?;
        }
        for given in &macros.0 {
            match given {
                MacroArg::Define(define) => write!(f, " -D {}", quote(define))?,
                MacroArg::Undefine(name) => write!(f, " -U {}", quote(name))?,
            }
        }
        if let Some(standard) = standard {
            write!(f, " --std {}", quote(standard))?;
        }
        for function in &errors.functions {
            write!(f, " --error-function {}", quote(function))?;
        }
        let ends: Vec<&str> = errors.ends.iter().map(|end| end.name()).collect();
        if !ends.is_empty() {
            write!(f, " --error-on {}", ends.join(","))?;
        }
        if *checked != Property::UnreachCall.into() {
            write!(f, " --check {checked}")?;
        }
        Ok(())
    }
}

/// A word quoted for a shell.
pub fn quote(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./,=+:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''")).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_keep_their_order() {
        let line = "ravelin run a.c -U A -D A=1 -D B -U B";
        let parsed = crate::args::parse(line.split(' ').map(Into::into).collect());
        let Ok(mut cli) = parsed else { panic!("not understood") };
        let input = cli.command.input_mut().expect("a program");
        assert_eq!(Words(input).to_string(), " a.c -U A -D A=1 -D B -U B");
    }

    #[test]
    fn error_calls_are_part_of_the_program() {
        let line = "ravelin run a.c --error-on trap,abort --error-function f --error-function g";
        let parsed = crate::args::parse(line.split(' ').map(Into::into).collect());
        let Ok(mut cli) = parsed else { panic!("not understood") };
        let input = cli.command.input_mut().expect("a program");
        let words = " a.c --error-function f --error-function g --error-on trap,abort";
        assert_eq!(Words(input).to_string(), words);
    }

    #[test]
    fn properties_are_part_of_the_automaton() {
        let line = "ravelin run a.c --check memory,overflow";
        let parsed = crate::args::parse(line.split(' ').map(Into::into).collect());
        let Ok(mut cli) = parsed else { panic!("not understood") };
        let input = cli.command.input_mut().expect("a program");
        assert_eq!(Words(input).to_string(), " a.c --check valid-deref,valid-free,no-overflow");
    }

    #[test]
    fn words_survive_the_shell() {
        assert_eq!(quote("dir/file-1.c"), "dir/file-1.c");
        assert_eq!(quote("0x12,1;v=5"), "'0x12,1;v=5'");
        assert_eq!(quote("it's"), r"'it'\''s'");
        assert_eq!(quote(""), "''");
    }
}
