//! `cargo xtask witnesses`: are witnesses of real programs well formed and confirmed, and wrong ones not?

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use clap::Args;
use ravelin_witness::form;

use crate::bench::markdown;
use crate::interrupt::Interrupt;
use crate::process::{self, How, Limits};
use crate::property::PropertyFiles;
use crate::sets::{self, Task};

/// Verifies every task of the sets, and for each answer writes a witness, as YAML and as GraphML in turn, looks
/// at its form, replays it, and replays it once more with something changed.
#[derive(Args, Debug)]
pub struct Options {
    #[command(flatten)]
    chosen: sets::Chosen,
    /// Seconds of processor time for each answer and each replay.
    #[arg(long, default_value_t = 20)]
    timeout: u64,
    /// Replay witnesses of so many proofs of each set; of violations, all.
    #[arg(long, default_value_t = 60)]
    proofs: usize,
    /// Where to write the page.
    #[arg(long, short, default_value = "docs/benchmarks/witnesses.md")]
    output: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Violation,
    Proof,
}

/// What became of the witnesses of one kind of answers to a set.
#[derive(Clone, Debug, Default)]
struct Counts {
    answers: usize,
    well_formed: usize,
    confirmed: usize,
    /// Witnesses in which there is something to change, and those of them that are rejected then.
    changed: usize,
    rejected: usize,
    /// What went wrong, with the task.
    problems: Vec<String>,
}

/// How a replay ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Replayed {
    Confirmed,
    Rejected,
    /// There is no answer.
    Unknown,
}

pub fn run(options: &Options) -> ExitCode {
    match check_all(options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::from(2)
        }
    }
}

/// Whether all witnesses are what they should be.
fn check_all(options: &Options) -> Result<bool, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let properties = PropertyFiles::write().map_err(|error| error.to_string())?;
    let mut rows = Vec::new();
    for path in &options.chosen.sets {
        let set = sets::read_set(path)?;
        let (mut violations, mut proofs) = (Counts::default(), Counts::default());
        for (number, task) in set.tasks.iter().enumerate() {
            let extension = if number % 2 == 0 { "yml" } else { "graphml" };
            let witness = directory.path().join(format!("witness.{extension}"));
            let Some(kind) = verify(task, &witness, &properties, options)? else { continue };
            let counts = match kind {
                Kind::Violation => &mut violations,
                Kind::Proof if proofs.answers < options.proofs => &mut proofs,
                Kind::Proof => continue,
            };
            check(task, kind, &witness, counts, options)?;
            eprintln!("{} {}: {kind:?}", set.name, task.path);
        }
        rows.push((set.name.clone(), Kind::Violation, violations));
        rows.push((set.name, Kind::Proof, proofs));
    }
    fs::write(&options.output, report(options, &rows))
        .map_err(|error| format!("{}: {error}", options.output.display()))?;
    Ok(rows.iter().all(|(_, _, counts)| counts.problems.is_empty()))
}

/// Asks for an answer with a witness; `None` where there is none.
fn verify(
    task: &Task,
    witness: &Path,
    properties: &PropertyFiles,
    options: &Options,
) -> Result<Option<Kind>, String> {
    let mut command = Command::new(&options.chosen.ravelin);
    command.arg("verify").args(properties.options(task.property));
    command.arg("--witness").arg(witness);
    Ok(match ravelin(&mut command, task, options)? {
        How::Exited(0) => Some(Kind::Proof),
        How::Exited(1) => Some(Kind::Violation),
        How::Exited(2) | How::Signalled(_) | How::Killed(_) => None,
        // Were it taken for no answer, a verifier that cannot run would have no faults.
        How::Exited(code) => {
            return Err(format!("{}: the verifier ends with exit code {code}", task.path));
        }
    })
}

fn replay(task: &Task, witness: &Path, options: &Options) -> Result<Replayed, String> {
    let mut command = Command::new(&options.chosen.ravelin);
    command.arg("replay").arg(witness);
    Ok(match ravelin(&mut command, task, options)? {
        How::Exited(0) => Replayed::Confirmed,
        How::Exited(1) => Replayed::Rejected,
        How::Exited(_) | How::Signalled(_) | How::Killed(_) => Replayed::Unknown,
    })
}

fn ravelin(command: &mut Command, task: &Task, options: &Options) -> Result<How, String> {
    let cpu = Duration::from_secs(options.timeout);
    let limits = Limits { cpu: Some(cpu), wall: Some(4 * cpu), memory: Some(4 << 30) };
    // The verifier is told more than it has on the clock: other work may run beside it.
    command
        .args(["--timeout", &(3 * options.timeout).to_string(), "--memory-limit", "4096"])
        .args(["--data-model", &task.data_model.to_string()])
        .arg(options.chosen.tasks.join(&task.path));
    process::run(command, &limits, &Interrupt::never())
        .map(|ended| ended.how)
        .map_err(|error| format!("{}: {error}", options.chosen.ravelin.display()))
}

fn check(
    task: &Task,
    kind: Kind,
    witness: &Path,
    counts: &mut Counts,
    options: &Options,
) -> Result<(), String> {
    counts.answers += 1;
    let Ok(text) = fs::read_to_string(witness) else {
        counts.problems.push(format!("{}: no witness", task.path));
        return Ok(());
    };
    match form::problems(&text).first() {
        None => counts.well_formed += 1,
        Some(problem) => counts.problems.push(format!("{}: {problem}", task.path)),
    }
    match replay(task, witness, options)? {
        Replayed::Confirmed => counts.confirmed += 1,
        other @ (Replayed::Rejected | Replayed::Unknown) => {
            counts.problems.push(format!("{}: {other:?}", task.path));
        }
    }
    if let Some(changed) = change(&text, kind) {
        counts.changed += 1;
        fs::write(witness, changed).map_err(|error| error.to_string())?;
        match replay(task, witness, options)? {
            Replayed::Rejected => counts.rejected += 1,
            other @ (Replayed::Confirmed | Replayed::Unknown) => {
                counts.problems.push(format!("{}: changed, and {other:?}", task.path));
            }
        }
    }
    // A witness that the next answer does not write must not be taken for its own.
    fs::remove_file(witness).map_err(|error| error.to_string())
}

/// The witness with something in it that is wrong: what holds on the way to the violation, or else an invariant,
/// never does; or where nothing has to hold on the way, the violation is where the witness begins. `None` where there
/// is only one place, or no invariant.
fn change(text: &str, kind: Kind) -> Option<String> {
    let is_yaml = !text.trim_start().starts_with('<');
    match (kind, is_yaml) {
        (Kind::Violation, true) => replace_first(text, "value: ", "\n", "'0'").or_else(|| {
            let changed = last_as_first(text, "line: ", "\n")?;
            last_as_first(&changed, "column: ", "\n").or(Some(changed))
        }),
        (Kind::Violation, false) => replace_first(text, "<data key=\"assumption\">", "<", "0;")
            .or_else(|| last_as_first(text, "<data key=\"startline\">", "<")),
        (Kind::Proof, true) => replace_last(text, "value: ", "\n", "'0'"),
        (Kind::Proof, false) => replace_last(text, "<data key=\"invariant\">", "<", "0"),
    }
}

/// The text with its last value of a key as the first is; `None` if it is so.
fn last_as_first(text: &str, key: &str, end: &str) -> Option<String> {
    let (_, rest) = text.split_once(key)?;
    let (first, _) = rest.split_once(end)?;
    replace_last(text, key, end, first).filter(|changed| changed != text)
}

fn replace_first(text: &str, key: &str, end: &str, new: &str) -> Option<String> {
    replace_at(text, text.find(key)? + key.len(), end, new)
}

fn replace_last(text: &str, key: &str, end: &str, new: &str) -> Option<String> {
    replace_at(text, text.rfind(key)? + key.len(), end, new)
}

fn replace_at(text: &str, begin: usize, end: &str, new: &str) -> Option<String> {
    let length = text[begin..].find(end)?;
    Some(format!("{}{new}{}", &text[..begin], &text[begin + length..]))
}

fn report(options: &Options, rows: &[(String, Kind, Counts)]) -> String {
    let mut text = String::from(
        "# Witnesses of the benchmark sets\n\nEvery answer with a witness, as YAML and as GraphML in turn; its \
         form is looked at, it is replayed, and replayed\nonce more with something changed: what holds on the \
         way to a violation, or its place, or the last invariant of a proof.\n\n```\ncargo build --release && cargo xtask witnesses \
         --tasks DIR",
    );
    for path in &options.chosen.sets {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Writing to a string cannot fail, here and below.
        let _ = write!(text, " --set SETS/{name}");
    }
    let _ = write!(text, " --timeout {} --proofs {}\n```\n\n", options.timeout, options.proofs);
    let mut table = markdown::Table::new(&[
        "set",
        "answers",
        "#witnesses",
        "#well formed",
        "#confirmed",
        "#changed",
        "#rejected then",
    ]);
    for (set, kind, counts) in rows {
        let kind = match kind {
            Kind::Violation => "FALSE",
            Kind::Proof => "TRUE",
        };
        let Counts { answers, well_formed, confirmed, changed, rejected, .. } = counts;
        let numbers = [answers, well_formed, confirmed, changed, rejected].map(usize::to_string);
        table.row([set.clone(), kind.to_owned()].into_iter().chain(numbers));
    }
    text.push_str(&table.finish());
    text.push_str("\n## Not as they should be\n\n");
    let mut problems = rows.iter().flat_map(|(_, _, counts)| &counts.problems).peekable();
    if problems.peek().is_none() {
        text.push_str("None.\n");
    }
    for problem in problems {
        let _ = writeln!(text, "- {}", markdown::code(problem));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn something_is_changed_in_each_format() {
        let yaml = "- segment:\n    line: 3\n    value: x == 1\n    line: 4\n";
        assert_eq!(
            change(yaml, Kind::Violation),
            Some("- segment:\n    line: 3\n    value: '0'\n    line: 4\n".to_owned())
        );
        let yaml = "- segment:\n    line: 3\n    column: 1\n    line: 4\n    column: 2\n";
        let changed = change(yaml, Kind::Violation).expect("there are lines");
        assert_eq!(changed, yaml.replace("line: 4\n    column: 2", "line: 3\n    column: 1"));
        assert_eq!(change("    line: 3\n", Kind::Violation), None);
        assert_eq!(change("content: []\n", Kind::Proof), None);
        let graph = "<graphml><data key=\"invariant\">x == 1</data></graphml>";
        let changed = change(graph, Kind::Proof).expect("there is an invariant");
        assert!(changed.contains(">0</data>"));
    }
}
