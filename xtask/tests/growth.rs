//! `cargo xtask growth` with verifiers that behave well and badly.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A directory with a verifier that is a script, and for what is written.
struct Growth {
    directory: TempDir,
}

/// Tells so many states for every thread and round, twice as many without reduction.
const GOOD: &str = r#"
    count="$threads * 100 + $rounds"
    case "$*" in *"--por none"*) count="($count) * 2";; esac
    case "$*" in
        *"--explore off"*) echo "stat states $((count))" >&2;;
        *) echo "Explored: all $((count)) states"; echo "stat states 5" >&2;;
    esac
    echo "Verdict: TRUE"
"#;

impl Growth {
    /// The script finds `threads` and `rounds` set.
    fn new(script: &str) -> Growth {
        let growth = Growth { directory: tempfile::tempdir().expect("a directory") };
        growth.write_verifier(script);
        growth
    }

    fn write_verifier(&self, script: &str) {
        let parse = r#"
            echo "$*" >> "$(dirname "$0")/runs"
            for word; do
                case $word in
                    THREADS=*) threads=${word#*=};;
                    ROUNDS=*) rounds=${word#*=};;
                esac
            done"#;
        let path = self.path("verifier");
        fs::write(&path, format!("#!/bin/bash\n{parse}\n{script}")).expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a mode");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// How often the verifier has run so far.
    fn runs(&self) -> usize {
        self.read("runs").lines().count()
    }

    /// Measures up to three threads and rounds; what it says, if it ends with this code.
    fn run(&self, code: i32, options: &[&str]) -> String {
        let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("growth");
        let Output { status, stderr, .. } = Command::new(env!("CARGO_BIN_EXE_xtask"))
            .current_dir(self.directory.path())
            .args(["growth", "--ravelin", "./verifier", "--out", ".", "--most", "3"])
            .arg("--programs")
            .arg(programs)
            .args(options)
            .output()
            .expect("xtask can be run");
        let stderr = String::from_utf8_lossy(&stderr).into_owned();
        assert_eq!(status.code(), Some(code), "{stderr}");
        stderr
    }
}

#[test]
fn tables_and_plots() {
    let growth = Growth::new(GOOD);
    growth.run(0, &[]);
    let page = growth.read("growth.md");
    assert!(page.contains("## Wrong verdicts: none"), "{page}");
    let row = page.lines().find(|line| line.starts_with("| 3 |")).expect("a row");
    let states: Vec<&str> =
        row.split(" | ").skip(1).map(|cell| cell.split_once(" / ").expect("a cell").0).collect();
    assert_eq!(states, ["602", "301", "301", "602", "301", "301"]);
    let row = page.lines().find(|line| line.contains("| pipeline | explorer, none |"));
    assert_eq!(row.map(|row| row.split(" | ").nth(2)), Some(Some("3")));
    for family in ["locked-counter", "racy-counter", "pipeline"] {
        for axis in ["threads", "rounds"] {
            let name = format!("growth-{family}-{axis}.svg");
            assert!(growth.read(&name).starts_with("<svg "), "{name}");
            assert!(page.contains(&name), "{name}");
        }
    }
    // Another run finds everything measured, but for the look at the six configurations.
    let (runs, table) = (growth.runs(), growth.read("growth.csv"));
    growth.run(0, &[]);
    assert_eq!(growth.runs(), runs + 6);
    assert_eq!(growth.read("growth.csv"), table);
    assert!(growth.run(2, &["--timeout", "7"]).contains("--fresh"));
}

#[test]
fn a_wrong_verdict_ends_everything() {
    let growth = Growth::new(&format!(
        "[ \"$threads $rounds\" != '3 1' ] || {{ echo 'Verdict: FALSE(unreach-call)'; exit 1; }}\n\
         {GOOD}"
    ));
    for _ in 0..2 {
        let said = growth.run(1, &[]);
        assert!(
            said.contains("WRONG VERDICT: wrong-false, expected true: ravelin verify"),
            "{said}"
        );
        assert!(said.contains("locked-counter.c") && said.contains("-D THREADS=3"), "{said}");
        assert!(!growth.path("growth.md").exists());
    }
    assert!(growth.read("growth.csv").contains("wrong-false"));
}

#[test]
fn a_series_ends_with_what_is_not_solved() {
    let growth = Growth::new(&format!(
        "[ $threads = 2 ] || {{ echo 'Verdict: UNKNOWN(timeout)'; exit 2; }}\n{GOOD}"
    ));
    growth.run(0, &[]);
    let page = growth.read("growth.md");
    assert!(page.lines().any(|line| line.starts_with("| 3 | timeout | timeout |")), "{page}");
    let row = page.lines().find(|line| line.starts_with("| pipeline | explorer, none |"));
    let row = row.expect("a row of growth");
    // Rounds are measured with three threads, none of which is solved: the smallest was all.
    assert!(row.starts_with("| pipeline | explorer, none | 2 | 404 |"), "{row}");
    assert!(row.ends_with("| – | – | – | – |"), "{row}");
    assert!(!growth.read("growth.csv").contains("pipeline,threads=3 rounds=3"));
}

#[test]
fn configurations_that_the_verifier_rejects_are_left_out() {
    let growth = Growth::new(&format!("case \"$*\" in *'--por dynamic'*) exit 64;; esac\n{GOOD}"));
    let said = growth.run(0, &[]);
    assert!(said.contains("left out") && said.contains("--por dynamic"), "{said}");
    let page = growth.read("growth.md");
    assert!(page.contains("Not measured, because the verifier rejects it: `"), "{page}");
    assert!(!page.contains("explorer, dynamic"), "{page}");
    growth.write_verifier("exit 64");
    assert!(growth.run(2, &["--fresh"]).contains("rejects its options"));
}

#[test]
fn a_crash_is_not_a_result() {
    let growth = Growth::new("echo 'Verdict: UNKNOWN(internal error)'; exit 70");
    assert!(growth.run(2, &[]).contains("internal error"));
    assert_eq!(growth.read("growth.csv").lines().count(), 1, "the header alone");
    growth.write_verifier(GOOD);
    growth.run(0, &[]);
}
