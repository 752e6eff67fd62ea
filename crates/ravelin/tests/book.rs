//! The commands in the book, executed: a newcomer who types them sees what it says.
//!
//! In blocks marked `console`, a line that begins with `$ ` is a command, and the lines below are what it
//! prints on standard output; `...` alone stands for any lines.

#[path = "support/times.rs"]
mod times;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use times::without_times;

struct Example {
    line: usize,
    command: String,
    output: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn examples(text: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut is_inside = false;
    for (index, line) in text.lines().enumerate() {
        if line.starts_with("```") {
            is_inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| is_inside) {
            let command = command.to_owned();
            found.push(Example { line: index + 1, command, output: Vec::new() });
        } else if let Some(last) = found.last_mut().filter(|_| is_inside) {
            last.output.push(line.to_owned());
        }
    }
    found
}

/// Whether lines are those of a pattern, in which `...` stands for any.
fn fits(pattern: &[String], lines: &[String]) -> bool {
    match pattern.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "..." => {
            (0..=lines.len()).any(|skipped| fits(rest, &lines[skipped..]))
        }
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, lines)| line == first && fits(rest, lines))
        }
    }
}

/// Runs the commands of a page in order, in the repository; what they write goes to a directory of its own.
fn check(page: &str) -> usize {
    let text = fs::read_to_string(root().join(page)).expect("there is the page");
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let scratch = scratch.path().to_str().expect("a plain name");
    let binary = Path::new(env!("CARGO_BIN_EXE_ravelin"));
    let search = std::env::var("PATH").unwrap_or_default();
    let directory = binary.parent().expect("a directory").display();
    let examples = examples(&text);
    for Example { line, command, output } in &examples {
        let ran = Command::new("sh")
            .args(["-c", &command.replace("/tmp/", &format!("{scratch}/"))])
            .env("PATH", format!("{directory}:{search}"))
            .current_dir(root())
            .output()
            .expect("there is a shell");
        let printed = String::from_utf8_lossy(&ran.stdout).replace(&format!("{scratch}/"), "/tmp/");
        let lines = |text: &str| -> Vec<String> {
            without_times(text).lines().map(str::to_owned).collect()
        };
        let output: Vec<String> =
            output.iter().flat_map(|line| lines(&format!("{line}\n"))).collect();
        assert!(fits(&output, &lines(&printed)), "{page}:{line}: {command}\nprinted:\n{printed}");
    }
    examples.len()
}

/// The book's tables are generated; `RAVELIN_BLESS=1` writes them.
#[test]
fn the_tables_of_engines_are_those_that_run() {
    const FIRST: &str = "Programs with one thread:\n";
    const AFTER: &str = "\n### Abstract domain";
    let path = root().join("docs/options.md");
    let page = fs::read_to_string(&path).expect("there is the page");
    let begin = page.find(FIRST).expect("the page has the tables");
    let end = begin + page[begin..].find(AFTER).expect("a section follows");
    let table = ravelin_verifier::strategy::table();
    if std::env::var_os("RAVELIN_BLESS").is_some() {
        fs::write(&path, format!("{}{table}{}", &page[..begin], &page[end..])).expect("written");
    } else {
        assert_eq!(page[begin..end], table, "RAVELIN_BLESS=1 writes the tables");
    }
}

#[test]
fn the_tutorial_can_be_followed() {
    assert!(check("docs/tutorial.md") > 25);
}

#[test]
fn the_pages_on_how_it_works_tell_what_happens() {
    let pages = [
        "clauses",
        "points-to-graphs",
        "deref",
        "points-to-analysis",
        "memory-versions",
        "statement-reduction",
        "refinement-loop",
        "explorer",
        "reductions",
    ];
    let counts = pages.map(|page| check(&format!("docs/how-it-works/{page}.md")));
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

/// Every row of the tables of papers has a command whose output has the text that the row says.
#[test]
fn every_item_of_the_papers_can_be_tried() {
    let text = fs::read_to_string(root().join("docs/papers.md")).expect("there is the page");
    let binary = Path::new(env!("CARGO_BIN_EXE_ravelin"));
    let search = std::env::var("PATH").unwrap_or_default();
    let directory = binary.parent().expect("a directory").display();
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| item"));
    let mut count = 0;
    for row in rows {
        let (_, last) = row.rsplit_once(" | ").expect("several cells");
        let (command, printed) = last
            .strip_suffix("` |")
            .and_then(|cell| cell.strip_prefix('`')?.split_once("` → `"))
            .unwrap_or_else(|| panic!("no command with its output: {row}"));
        let ran = Command::new("sh")
            .args(["-c", command])
            .env("PATH", format!("{directory}:{search}"))
            .current_dir(root())
            .output()
            .expect("there is a shell");
        let output = String::from_utf8_lossy(&ran.stdout);
        let errors = String::from_utf8_lossy(&ran.stderr);
        assert!(output.contains(printed), "{command}\nprinted:\n{output}{errors}");
        count += 1;
    }
    assert!(count > 50, "{count}");
}

/// The files that the page on papers names exist.
#[test]
fn the_files_of_the_papers_are_there() {
    let text = fs::read_to_string(root().join("docs/papers.md")).expect("there is the page");
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| item"));
    for row in rows {
        let cell = row.replace("\\|", "").split(" | ").nth(2).expect("several cells").to_owned();
        for file in cell.split('`').filter(|word| word.contains("/src")) {
            assert!(root().join("crates").join(file).exists(), "{file}: {row}");
        }
    }
}

#[test]
fn patterns_leave_out_what_they_say() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(fits(&lines("a\n...\nc"), &lines("a\nb\nb\nc")));
    assert!(fits(&lines("a\n..."), &lines("a")));
    assert!(!fits(&lines("a\n...\nc"), &lines("a\nb")));
    assert!(!fits(&lines("a"), &lines("a\nb")));
}
