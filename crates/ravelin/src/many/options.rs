//! The options of this process, for its child processes.

use std::ffi::{OsStr, OsString};

use clap::FromArgMatches;

use crate::args::{is_given, matches_of};
use crate::macros::{self, MacroArg, MacroArgs};

/// The options of a command line for 'verify', except those of `left_out`, as words that mean the
/// same in any context. Presets are replaced.
pub fn given(words: Vec<OsString>, left_out: &[&str]) -> Vec<OsString> {
    // It parsed before.
    let Ok((command, matches)) = matches_of(words) else { return Vec::new() };
    let (Some(verify), Some(("verify", found))) =
        (command.find_subcommand("verify"), matches.subcommand())
    else {
        return Vec::new();
    };
    let mut options = Vec::new();
    for option in verify.get_arguments().filter(|it| !it.is_positional()) {
        let id = option.get_id().as_str();
        // The order of macros matters.
        if macros::IDS.contains(&id) || left_out.contains(&id) || !is_given(found, id) {
            continue;
        }
        let name = match (option.get_long(), option.get_short()) {
            (Some(long), _) => format!("--{long}"),
            (None, Some(short)) => format!("-{short}"),
            (None, None) => continue,
        };
        if !option.get_action().takes_values() {
            options.push(name.into());
            continue;
        }
        for value in found.get_raw(id).into_iter().flatten() {
            options.push(joined(&name, value));
        }
    }
    let macros = MacroArgs::from_arg_matches(found).unwrap_or_default();
    options.extend(macros.0.iter().map(|given| match given {
        MacroArg::Define(define) => joined("-D", define.as_ref()),
        MacroArg::Undefine(name) => joined("-U", name.as_ref()),
    }));
    options
}

/// An option and its value as one word: a value may look like an option.
fn joined(option: &str, value: &OsStr) -> OsString {
    let mut word = OsString::from(option);
    word.push("=");
    word.push(value);
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Command, VerifyArgs, parse};

    #[test]
    fn given_options_mean_the_same_elsewhere() {
        let words = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
        let line =
            "ravelin -I sub --timeout 5 -UA -DB=1 -DA sub --jobs 2 --preset proof --explore=on -q";
        let told = given(words(line), &["jobs"]);
        let mut again = words("ravelin verify");
        again.extend(told.clone());
        again.extend(words("-- sub"));
        let [Command::Verify(once), Command::Verify(twice)] =
            [words(line), again].map(|line| parse(line).expect("well-formed").command)
        else {
            panic!("not 'verify'");
        };
        assert_eq!((once.jobs, twice.jobs), (Some(2), None));
        assert_eq!(format!("{:?}", VerifyArgs { jobs: None, ..once }), format!("{twice:?}"));
        assert!(told.contains(&"--refinement=spacer".into()), "{told:?}");
    }
}
