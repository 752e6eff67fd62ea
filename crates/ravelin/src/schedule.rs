//! Schedules in files: executions to repeat.
//!
//! ```text
//! # An execution of Ravelin: assertion failed at examples/lost_update.c:32:13
//! # …
//! 0x12,2,1x2,
//! 2x2,1,0x13
//! ;v=5,-1
//! ```
//!
//! Lines that begin with `#` are for people. The rest is a printed [`Schedule`]: moves, then after
//! `;v=` the values of the program's inputs. Lines may be broken after commas and before the
//! semicolon.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use ravelin_interp::Schedule;

use crate::args::InputArgs;
use crate::exit::Exit;
use crate::front::Failure;
use crate::words::Words;

/// The length at which lines are broken.
const MAX_LINE: usize = 90;

/// The text of a file with this schedule, which leads to this outcome.
pub fn file_text(input: &InputArgs, schedule: &Schedule, outcome: &str) -> String {
    // Names of files may contain line ends, which would end the comment.
    let one_line = |text: String| text.replace(['\n', '\r'], " ");
    let mut text = String::new();
    let command = one_line(format!("ravelin run{} --schedule @FILE", Words(input)));
    for line in [
        &one_line(format!("An execution for Ravelin to make again: {outcome}")),
        &command,
        "",
        "'0x12' is twelve steps of thread 0, which runs main; the others are numbered as they are",
        "started. '1t' is a wait of thread 1 that gives up, '1s' one that ends without a signal.",
        "After ';v=' are the inputs, in the order in which they are taken: the results of functions",
        "such as __VERIFIER_nondet_int, values without initialisation, and which of several threads",
        "a signal wakes. Lines that begin with '#' are comments.",
    ] {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", format!("# {line}").trim_end());
    }
    let mut line = String::new();
    for part in schedule.to_string().replace(';', "\n;").split_inclusive([',', '\n']) {
        if line.len() + part.len() > MAX_LINE {
            let _ = writeln!(text, "{line}");
            line.clear();
        }
        line += part.trim_end();
        if part.ends_with('\n') {
            let _ = writeln!(text, "{line}");
            line.clear();
        }
    }
    let _ = writeln!(text, "{line}");
    text
}

/// The schedule of an argument: '@' and the name of a file, a schedule, or else the name of a file.
pub fn read(argument: &str) -> Result<Schedule, Failure> {
    if let Some(path) = argument.strip_prefix('@') {
        return read_file(Path::new(path));
    }
    argument.trim().parse().or_else(|error| {
        let path = Path::new(argument);
        match path.is_file() {
            true => read_file(path),
            false => Err(Failure::new(Exit::Usage, format!("{error}, nor is there such a file"))),
        }
    })
}

fn read_file(path: &Path) -> Result<Schedule, Failure> {
    let reject =
        |why: String| Failure::new(Exit::Rejected, format!("schedule '{}': {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| reject(error.to_string()))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    lines.collect::<String>().parse().map_err(|error| reject(format!("{error}")))
}

#[cfg(test)]
mod tests {
    use ravelin_base::DataModel;
    use ravelin_verifier::Property;

    use super::*;
    use crate::args::ErrorArgs;
    use crate::macros::MacroArgs;
    use crate::model::ModelBy;

    fn input(file: &str) -> InputArgs {
        InputArgs {
            files: vec![file.into()],
            data_model: DataModel::default(),
            asked_data_model: None,
            model_by: ModelBy::Compiler,
            variables_in_memory: false,
            external: None,
            include_dirs: Vec::new(),
            macros: MacroArgs::default(),
            standard: None,
            compile_commands: None,
            errors: ErrorArgs::default(),
            checked: Property::UnreachCall.into(),
            texts: None,
        }
    }

    fn check(schedule: &str) {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("schedule");
        let schedule: Schedule = schedule.parse().expect("a schedule");
        let text = file_text(&input("a\n0x5.c"), &schedule, "error call reached at a\n1.c:2:3");
        assert!(text.lines().all(|line| line.len() <= 2 + MAX_LINE), "{text}");
        fs::write(&path, &text).expect("writable");
        let path = path.to_str().expect("a plain path");
        for argument in [path.to_owned(), format!("@{path}")] {
            let read = read(&argument).unwrap_or_else(|failure| panic!("{failure:?}\n{text}"));
            assert_eq!(read, schedule, "{text}");
        }
    }

    #[test]
    fn files_read_back() {
        check("");
        check("0");
        check("0x12,1,2t,0x3,1s;v=5,-1");
        check(";v=1");
        let moves: Vec<String> = (0..200).map(|n| format!("{}x{}", n % 3, 2 + n)).collect();
        let values: Vec<String> = (0..200).map(|n| (n * n * n).to_string()).collect();
        check(&format!("{};v={}", moves.join(","), values.join(",")));
    }

    #[test]
    fn what_is_neither_a_schedule_nor_a_file_is_refused() {
        let failure = read("no such file").expect_err("refused");
        assert_eq!(failure.exit, Exit::Usage);
        let failure = read("@no such file").expect_err("refused");
        assert_eq!(failure.exit, Exit::Rejected);
    }
}
