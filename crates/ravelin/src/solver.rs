//! The solver for the arguments.

use std::ffi::OsString;

use ravelin_verifier::solver::SolverChoice;

use crate::args::SolverArgs;

impl SolverArgs {
    pub fn choice(&self) -> SolverChoice {
        SolverChoice {
            command: self.solver.as_ref().map(|command| command.0.clone()),
            dump: self.dump_smt2.clone(),
        }
    }
}

/// A command line given as one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverCommand(Vec<OsString>);

impl SolverCommand {
    /// Splits a command as a shell does, without expansions.
    pub fn parse(text: &str) -> Result<Self, String> {
        let words = shlex::split(text).ok_or("a quote is not closed")?;
        if words.is_empty() {
            return Err("the name of a program expected".to_owned());
        }
        Ok(SolverCommand(words.into_iter().map(OsString::from).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        let words = |text: &str| {
            SolverCommand::parse(text).map(|command| {
                command.0.iter().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>()
            })
        };
        assert_eq!(words("z3 -in"), Ok(vec!["z3".to_owned(), "-in".to_owned()]));
        assert_eq!(words("'my solver' -x"), Ok(vec!["my solver".to_owned(), "-x".to_owned()]));
        assert!(words("").is_err());
        assert!(words("'z3").is_err());
    }
}
