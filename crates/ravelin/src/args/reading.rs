//! Parses the command line: replaces presets by their options, and rejects options without effect.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use super::idle::refuse_idle_options;
use super::{CheckArg, CheckArgs, Cli, Command, ExternalArg, InputArgs};
use crate::presets;

/// Parses a command line whose first word is the program's name.
pub fn parse(words: Vec<OsString>) -> Result<Cli, clap::Error> {
    let (mut command, matches) = matches_of(words)?;
    let mut cli = Cli::from_arg_matches(&matches)?;
    let Some((name, _)) = matches.subcommand() else { return Ok(cli) };
    if let Command::Verify(args) = &mut cli.command
        && args.property.is_some()
    {
        // A task of SV-COMP: its program describes its environment itself.
        args.input.external.get_or_insert(ExternalArg::Havoc);
    }
    match &mut cli.command {
        Command::Cfa(args) => check(&args.checks, &mut args.input),
        Command::Run(args) => check(&args.checks, &mut args.input),
        // Each question has properties of its own.
        Command::Verify(_)
        | Command::PointsTo(_)
        | Command::Replay(_)
        | Command::Completions(_)
        | Command::Man(_) => {}
    }
    if let Some(input) = cli.command.input_mut()
        && name != "verify"
    {
        refuse_definitions(&mut command, name, &input.files)?;
    }
    Ok(cli)
}

/// One automaton for all that is asked.
fn check(checks: &CheckArgs, input: &mut InputArgs) {
    if !checks.check.is_empty() {
        input.checked = CheckArg::properties_of(&checks.check);
    }
}

/// The matches of the parser, and its definition.
pub fn matches_of(mut words: Vec<OsString>) -> Result<(clap::Command, ArgMatches), clap::Error> {
    if words.get(1).is_some_and(|first| !names_command(first)) {
        words.insert(1, "verify".into());
    }
    let mut command = Cli::command();
    let chosen = expand_preset(&mut command, &mut words)?;
    let matches = command.try_get_matches_from_mut(words)?;
    if let Some(("verify" | "replay", given)) = matches.subcommand() {
        refuse_idle_options(&mut command, given, &chosen)?;
    }
    if let Some(("points-to", given)) = matches.subcommand() {
        refuse_idle_locations(&mut command, given)?;
    }
    Ok((command, matches))
}

impl Command {
    /// The program that the command is about.
    pub fn input_mut(&mut self) -> Option<&mut InputArgs> {
        match self {
            Command::Verify(args) => Some(&mut args.input),
            Command::Cfa(args) => Some(&mut args.input),
            Command::Run(args) => Some(&mut args.input),
            Command::PointsTo(args) => Some(&mut args.input),
            Command::Replay(args) => Some(&mut args.input),
            Command::Completions(_) | Command::Man(_) => None,
        }
    }
}

/// Whether an option is on the command line.
pub fn is_given(matches: &ArgMatches, id: &str) -> bool {
    matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// Only 'verify' decides a property, as tasks require.
fn refuse_definitions(
    command: &mut clap::Command,
    name: &str,
    files: &[PathBuf],
) -> Result<(), clap::Error> {
    let Some(file) = files.iter().find(|file| is_definition(file)) else { return Ok(()) };
    let file = file.display();
    let hint = if name == "replay" { "; the witness comes first" } else { "" };
    let message = format!("'{file}' is no C file: task definitions are for 'ravelin verify'{hint}");
    Err(command.error(ErrorKind::ValueValidation, message))
}

/// Whether a file is a task definition, by its name.
pub fn is_definition(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// Replaces a preset by its options; returns these.
fn expand_preset(
    command: &mut clap::Command,
    words: &mut Vec<OsString>,
) -> Result<Vec<String>, clap::Error> {
    let Some((at, name, count)) = find_preset(words) else { return Ok(Vec::new()) };
    if !["verify", "replay"].iter().any(|known| words[1] == *known) {
        let message = "presets are for 'ravelin verify' and 'ravelin replay'";
        return Err(command.error(ErrorKind::UnknownArgument, message));
    }
    let Some(preset) = presets::find(&name) else {
        let message = format!(
            "there is no preset '{name}'; 'ravelin verify --list-presets' tells which there are"
        );
        return Err(command.error(ErrorKind::InvalidValue, message));
    };
    words.drain(at..(at + count).min(words.len()));
    if let Some((_, other, _)) = find_preset(words) {
        let message = format!("there can be one preset only: '{name}' or '{other}'");
        return Err(command.error(ErrorKind::ArgumentConflict, message));
    }
    let options = preset.words(words);
    let chosen = options.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    words.splice(at..at, options);
    Ok(chosen)
}

/// The first preset among the words: where it is, its name, and how many words it takes.
fn find_preset(words: &[OsString]) -> Option<(usize, String, usize)> {
    // The words after this are files.
    let options = words.iter().take_while(|word| *word != "--");
    options.enumerate().find_map(|(at, word)| {
        if word == "--preset" {
            let name = words.get(at + 1).map(|word| word.to_string_lossy().into_owned());
            return Some((at, name.unwrap_or_default(), 2));
        }
        let name = word.to_str()?.strip_prefix("--preset=")?;
        Some((at, name.to_owned(), 1))
    })
}

/// Only one analysis distinguishes locations, and not every format lists sets.
fn refuse_idle_locations(
    command: &mut clap::Command,
    given: &ArgMatches,
) -> Result<(), clap::Error> {
    if !given.get_flag("per_location") {
        return Ok(());
    }
    let is = |id: &str, values: &[&str]| {
        let raw = given.get_raw(id).and_then(|mut raw| raw.next());
        raw.is_some_and(|value| values.iter().any(|allowed| value == *allowed))
    };
    let needed = match (is("analysis", &["flow-sensitive"]), is("format", &["text", "json"])) {
        (false, _) => "--analysis flow-sensitive",
        (true, false) => "--format text|json",
        (true, true) => return Ok(()),
    };
    let message = format!("'--per-location' has no effect here: it needs '{needed}'");
    Err(command.error(ErrorKind::ArgumentConflict, message))
}

/// Whether the first word after the program's name is a command; otherwise the command is 'verify'.
fn names_command(word: &OsString) -> bool {
    let is_command = Cli::command().find_subcommand(word).is_some();
    is_command || ["help", "-h", "--help", "-V", "--version"].iter().any(|known| word == known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::macros::MacroArg;

    fn parse_line(line: &str) -> Result<Cli, clap::Error> {
        parse(line.split(' ').map(OsString::from).collect())
    }

    #[test]
    fn definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn verify_is_the_default() {
        for line in [
            "ravelin a.c b.c",
            "ravelin verify a.c b.c",
            "ravelin --data-model ILP32 a.c b.c",
            "ravelin a.c --timeout 10 b.c",
        ] {
            let Command::Verify(args) = parse_line(line).expect(line).command else {
                panic!("{line}: not 'verify'");
            };
            assert_eq!(args.input.files, [PathBuf::from("a.c"), PathBuf::from("b.c")], "{line}");
        }
    }

    #[test]
    fn preprocessor_options_come_through() {
        let line = "ravelin cfa -Iinclude -I other -U Y -DX=1 -D Y -UZ --std=gnu11 a.c";
        let Command::Cfa(args) = parse_line(line).expect(line).command else {
            panic!("not 'cfa'");
        };
        assert_eq!(args.input.include_dirs, [PathBuf::from("include"), PathBuf::from("other")]);
        let [define, undefine] =
            [MacroArg::Define, MacroArg::Undefine].map(|read| move |it: &str| read(it.to_owned()));
        assert_eq!(args.input.macros.0, [undefine("Y"), define("X=1"), define("Y"), undefine("Z")]);
        assert_eq!(args.input.standard.as_deref(), Some("gnu11"));
    }

    #[test]
    fn passes_are_listed_without_a_file() {
        parse_line("ravelin cfa --list-passes").expect("no file needed");
        parse_line("ravelin cfa").expect_err("a file needed");
    }

    #[test]
    fn limits_that_make_no_sense_are_refused() {
        for line in [
            "ravelin a.c --timeout -1",
            "ravelin a.c --timeout nan",
            "ravelin a.c --timeout soon",
            "ravelin a.c --memory-limit -5",
            "ravelin a.c --data-model LLP64",
            "ravelin run a.c --seed 1 --schedule 0",
            "ravelin a.c --jobs 0",
        ] {
            parse_line(line).expect_err(line);
        }
    }

    #[test]
    fn options_without_effect_are_refused() {
        for line in [
            "ravelin a.c --domain explicit --refinement sp",
            "ravelin a.c --domain explicit --max-values 3",
            "ravelin a.c --domain predicate --max-enum 3",
            "ravelin a.c --encoding lbe --block-steps 3",
            "ravelin a.c --encoding single --block-at-calls",
        ] {
            let error = parse_line(line).expect_err(line).to_string();
            assert!(error.contains("it needs '--"), "{line}: {error}");
        }
        for line in [
            "ravelin a.c --encoding lbe-abe --block-at-calls --max-values 3 --max-enum 2 --refinement sp",
            "ravelin a.c --domain explicit --max-enum 3",
            "ravelin a.c --domain predicate --abstraction boolean",
        ] {
            parse_line(line).expect(line);
        }
    }

    #[test]
    fn presets_are_taken_once_and_where_they_mean_something() {
        for (line, why) in [
            ("ravelin a.c --preset errors --preset proof", "one preset only"),
            ("ravelin a.c --preset=proof --preset=proof", "one preset only"),
            ("ravelin cfa a.c --preset proof", "presets are for"),
            ("ravelin a.c --preset", "there is no preset"),
        ] {
            let error = parse_line(line).expect_err(line).to_string();
            assert!(error.contains(why), "{line}: {error}");
        }
        parse_line("ravelin replay w.yml a.c --preset proof").expect("well-formed");
        parse_line("ravelin -- --preset").expect("a file");
    }

    #[test]
    fn task_definitions_are_for_verify() {
        parse_line("ravelin verify task.yml").expect("well-formed");
        for line in ["ravelin run task.yml", "ravelin cfa a.c b.yaml", "ravelin replay a.c w.yml"] {
            let error = parse_line(line).expect_err(line).to_string();
            assert!(error.contains("task definitions are for 'ravelin verify'"), "{line}: {error}");
        }
    }

    #[test]
    fn solvers_need_a_name() {
        parse_line("ravelin a.c --solver z3 --dump-smt2 out").expect("well-formed");
        parse(["ravelin", "a.c", "--solver", ""].map(OsString::from).to_vec()).expect_err("empty");
    }
}
