//! `cargo xtask bench` with verifiers that behave well and badly.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// A directory with tasks, which are scripts that the verifier `bench/verifier.sh` runs.
struct Bench {
    directory: TempDir,
    set: String,
}

impl Bench {
    fn new() -> Bench {
        let directory = tempfile::tempdir().expect("a directory");
        Bench { directory, set: "task,expected,data_model\n".to_owned() }
    }

    fn task(mut self, name: &str, expected: &str, script: &str) -> Bench {
        fs::write(self.path(name), script).expect("a file");
        self.set += &format!("{name},{expected},ILP32\n");
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The command that measures everything, in its shortest form.
    fn command(&self, options: &[&str]) -> Command {
        fs::write(self.path("demo.csv"), &self.set).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command
            .current_dir(self.directory.path())
            .args(["bench", "--tasks", ".", "--set", "demo.csv", "-o", "out.csv"])
            .args(options);
        if !options.contains(&"--ravelin") {
            let verifier = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/verifier.sh");
            command.arg("--ravelin").arg(verifier);
        }
        command
    }

    fn run(&self, options: &[&str]) -> Output {
        self.command(options).output().expect("xtask can be run")
    }

    fn run_with_code(&self, code: i32, options: &[&str]) -> String {
        let output = self.run(options);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        stderr
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The results, without what differs from run to run.
    fn results(&self) -> String {
        let columns = ["task", "config", "expected", "verdict", "class", "reason"];
        let mut text = String::new();
        for row in self.rows() {
            text += &columns.map(|name| row[name].as_str()).join(" | ");
            text.push('\n');
        }
        text
    }

    fn rows(&self) -> Vec<std::collections::BTreeMap<String, String>> {
        let mut reader = csv::Reader::from_path(self.path("out.csv")).expect("results");
        let header = reader.headers().expect("a header").clone();
        let to_map = |record: csv::StringRecord| {
            let pairs = header.iter().zip(&record);
            pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
        };
        reader.records().map(|record| to_map(record.expect("a whole row"))).collect()
    }
}

fn check(bench: &Bench, code: i32, options: &[&str], expect: Expect) {
    bench.run_with_code(code, options);
    expect.assert_eq(&bench.results());
}

/// Whether the process whose number is in the file is gone or about to go.
fn is_gone(file: &Path) -> bool {
    let pid = fs::read_to_string(file).expect("the script wrote its number");
    let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    // A zombie waits for init to notice it.
    stat.map_or(true, |stat| stat.contains(") Z "))
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(10), "waited for {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn every_class() {
    let busy = "while :; do :; done";
    let hungry = "x=$(printf '%0.1000000d' 1); while :; do x=$x$x; done";
    let bench = Bench::new()
        .task("true-true", "true", "echo proof; echo Verdict: TRUE")
        .task("true-false", "true", "echo 'Verdict: FALSE(unreach-call)'; exit 1")
        .task("false-true", "false", "echo Verdict: TRUE")
        .task("false-false", "false", "echo 'Verdict: FALSE(unreach-call)'; exit 1")
        .task("unknown", "true", "echo 'Verdict: UNKNOWN(refinement stuck)'; exit 2")
        .task("own-timeout", "true", "echo 'Verdict: UNKNOWN(timeout)'; exit 2")
        .task("own-memory", "true", "echo 'Verdict: UNKNOWN(out of memory)'; exit 2")
        .task("rejected", "true", "echo 'Verdict: UNKNOWN(input rejected)'; exit 3")
        .task("disagrees", "true", "echo Verdict: TRUE; exit 1")
        .task("silent", "true", "exit 0")
        .task("crashes", "true", "kill -SEGV $$")
        .task("busy", "true", busy)
        .task("busy-child", "true", &format!("bash -c '{busy}'; echo Verdict: TRUE"))
        .task("hungry", "true", hungry);
    check(
        &bench,
        1,
        &["--timeout", "0.2", "--memory", "60", "--jobs", "2", "--patience", "30"],
        expect![[r#"
        busy |  | true |  | timeout | killed: processor time
        busy-child |  | true |  | timeout | killed: processor time
        crashes |  | true |  | error | ended by signal 11
        disagrees |  | true | TRUE | error | verdict TRUE but exit code 1
        false-false |  | false | FALSE | correct-false | unreach-call
        false-true |  | false | TRUE | wrong-true | 
        hungry |  | true |  | out-of-memory | killed: memory
        own-memory |  | true | UNKNOWN | out-of-memory | out of memory
        own-timeout |  | true | UNKNOWN | timeout | timeout
        rejected |  | true | UNKNOWN | error | input rejected
        silent |  | true |  | error | no verdict, exit code 0
        true-false |  | true | FALSE | wrong-false | unreach-call
        true-true |  | true | TRUE | correct-true | 
        unknown |  | true | UNKNOWN | unknown | refinement stuck
    "#]],
    );
    let rows = bench.rows();
    let of = |name: &str| rows.iter().find(|row| row["task"] == name).expect("a row");
    let number = |name: &str, column: &str| of(name)[column].parse::<f64>().expect("a number");
    assert!((0.7..2.0).contains(&number("busy", "cpu_seconds")));
    assert!((0.7..2.0).contains(&number("busy-child", "cpu_seconds")));
    assert!(number("hungry", "peak_mb") > 90.0);
    assert!(number("true-true", "wall_seconds") < 5.0);
}

#[test]
fn the_verifier_gets_its_options() {
    let echo = "echo \"Verdict: UNKNOWN($*)\"; exit 2";
    let bench = Bench::new().task("a", "true", echo);
    check(
        &bench,
        0,
        &["--config", "--domain  explicit", "--config", "", "--timeout", "2.5", "--memory", "99"],
        expect![[r#"
            a |  | true | UNKNOWN | unknown | --data-model ILP32 --timeout 2.5 --memory-limit 99 --stats --check assert
            a | --domain explicit | true | UNKNOWN | unknown | --data-model ILP32 --timeout 2.5 --memory-limit 99 --stats --domain explicit --check assert
        "#]],
    );
}

#[test]
fn statistics_become_columns() {
    let stat = |line: &str| format!("echo stat {line} >&2; echo Verdict: TRUE");
    let bench = Bench::new()
        .task("a", "true", &stat("states 5"))
        .task("b", "true", &stat("time_refinement 0.5"))
        .task("c", "true", &stat("edges 7"));
    bench.run_with_code(0, &[]);
    let columns = ["states", "solver_calls", "stat_edges", "stat_time_refinement"];
    let rows = bench.rows().into_iter().map(|row| columns.map(|name| row[name].clone()));
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [["5", "", "", ""], ["", "", "", "0.5"], ["", "", "7", ""]]
    );
}

#[test]
fn a_second_run_does_only_what_is_left() {
    let count = "echo . >> count; echo Verdict: TRUE";
    let mut bench = Bench::new().task("a", "true", count).task("b", "true", count);
    let runs = |bench: &Bench| bench.read("count").lines().count();
    bench.run_with_code(0, &[]);
    assert_eq!(runs(&bench), 2);
    let first = bench.read("out.csv");
    bench = bench.task("c", "true", count);
    bench.run_with_code(0, &[]);
    assert_eq!(runs(&bench), 3);
    assert!(bench.read("out.csv").starts_with(&first), "earlier rows are as they were");
    // A row that was cut off is measured again.
    let text = bench.read("out.csv");
    fs::write(bench.path("out.csv"), &text[..text.len() - 10]).expect("a file");
    bench.run_with_code(0, &[]);
    assert_eq!(runs(&bench), 4);
    bench.run_with_code(0, &["--config", "-x"]);
    assert_eq!(runs(&bench), 7);
    bench.run_with_code(0, &["--fresh"]);
    assert_eq!(runs(&bench), 10);
    assert_eq!(bench.rows().len(), 6, "results of the other configuration stay");
}

#[test]
fn results_under_other_limits_are_not_mixed() {
    let bench = Bench::new().task("a", "true", "echo Verdict: TRUE");
    bench.run_with_code(0, &["--timeout", "5"]);
    let stderr = bench.run_with_code(2, &["--timeout", "6"]);
    assert!(stderr.contains("has results with 5 s of processor time"), "{stderr}");
    bench.run_with_code(0, &["--timeout", "6", "--fresh"]);
}

#[test]
fn what_cannot_be_measured_is_no_result() {
    let bench = Bench::new().task("a", "true", "echo 'error: no such option' >&2; exit 64");
    let stderr = bench.run_with_code(2, &[]);
    assert!(stderr.contains("wrong usage") && stderr.contains("no such option"), "{stderr}");
    assert_eq!(bench.rows().len(), 0);
    let libraries = Bench::new().task("a", "true", "echo 'libz3.so: not found' >&2; exit 127");
    let stderr = libraries.run_with_code(2, &[]);
    assert!(stderr.contains("libz3.so: not found"), "{stderr}");
    assert_eq!(libraries.rows().len(), 0);
    let missing = Bench::new().task("a", "true", "echo Verdict: TRUE");
    missing.run_with_code(2, &["--ravelin", "/nonexistent/ravelin"]);
    fs::remove_file(bench.path("a")).expect("the task is there");
    let stderr = bench.run_with_code(2, &[]);
    assert!(stderr.contains("./a: No such file"), "{stderr}");
}

#[test]
fn samples_are_spread() {
    let mut bench = Bench::new();
    for name in ["a", "b", "c", "d", "e", "f"] {
        bench = bench.task(name, "true", "echo Verdict: TRUE");
    }
    bench.run_with_code(0, &["--sample", "3"]);
    let tasks: Vec<String> = bench.rows().iter().map(|row| row["task"].clone()).collect();
    assert_eq!(tasks, ["a", "c", "e"]);
}

/// Starts a measurement whose second task never ends, and interrupts it there.
fn interrupt(bench: &Bench, signal: Signal) -> Output {
    let xtask: Child = bench
        .command(&["--timeout", "50"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("xtask can be run");
    wait_until("the second task", || bench.path("child").exists());
    let pid = Pid::from_child(&xtask);
    kill_process(pid, signal).expect("xtask runs");
    xtask.wait_with_output().expect("xtask ends")
}

#[test]
fn nohup_outlives_the_terminal() {
    let slow = "touch started; sleep 0.5; echo Verdict: TRUE";
    let bench = Bench::new().task("a", "true", slow);
    let command = bench.command(&[]);
    let xtask = Command::new("bash")
        .args(["-c", "trap '' HUP; exec \"$@\"", "bash"])
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(bench.directory.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("bash can be run");
    wait_until("the task", || bench.path("started").exists());
    let pid = Pid::from_child(&xtask);
    kill_process(pid, Signal::HUP).expect("xtask runs");
    let output = xtask.wait_with_output().expect("xtask ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(bench.rows().len(), 1);
}

#[test]
fn interrupted_and_continued() {
    let endless = "if [ -e continued ]; then echo Verdict: TRUE; exit; fi
        echo $$ > self; sleep 100 & echo $! > child.new; mv child.new child; wait";
    let bench = Bench::new()
        .task("a", "true", "echo Verdict: TRUE")
        .task("b", "true", endless)
        .task("c", "true", "echo Verdict: TRUE");
    for (signal, code) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let output = interrupt(&bench, signal);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(stderr.contains("the same command continues"), "{stderr}");
        assert!(is_gone(&bench.path("self")) && is_gone(&bench.path("child")));
        let tasks: Vec<String> = bench.rows().iter().map(|row| row["task"].clone()).collect();
        assert_eq!(tasks, ["a"]);
        fs::remove_file(bench.path("child")).expect("it is there");
    }
    fs::write(bench.path("continued"), "").expect("a file");
    check(
        &bench,
        0,
        &["--timeout", "50"],
        expect![[r#"
        a |  | true | TRUE | correct-true | 
        b |  | true | TRUE | correct-true | 
        c |  | true | TRUE | correct-true | 
    "#]],
    );
}

/// A summary without processor times, in the results and side by side.
fn without_times(summary: &str) -> String {
    let blank = |line: &str| {
        let mut cells: Vec<&str> = line.split('|').collect();
        let times = match cells.len() {
            _ if cells.get(1) != Some(&" demo ") => 0..0,
            16 => 12..14,
            9 => 4..5,
            _ => 0..0,
        };
        cells[times].fill(" … ");
        cells.join("|") + "\n"
    };
    summary.lines().map(blank).collect()
}

#[test]
fn summary_and_plots() {
    let answer = "[[ $* == *--fast* ]] && echo Verdict: TRUE && exit
        echo 'Verdict: UNKNOWN(refinement stuck)'; exit 2";
    let bench = Bench::new().task("a", "true", answer).task("b", "true", "echo Verdict: TRUE");
    let options = ["--config", "", "--config", "--fast", "--summary", "s.md", "--plots", "plots"];
    bench.run_with_code(0, &options);
    expect![[r#"
        # Benchmark results

        ## Wrong verdicts: none

        ## Results

        One process per task, with 60 s of processor time and 4096 MB.

        ```
        cargo build --release && cargo xtask bench --tasks DIR --set SETS/demo.csv --config '' --config '--fast' --timeout 60 --memory 4096
        ```

        | set | configuration | tasks | solved | correct true | correct false | wrong | unknown | timeout | out of memory | error | CPU seconds on solved | median | score |
        | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
        | demo | default | 2 | 1 | 1 | 0 | 0 | 1 | 0 | 0 | 0 | … | … | 2 |
        | demo | `--fast` | 2 | 2 | 2 | 0 | 0 | 0 | 0 | 0 | 0 | … | … | 4 |

        The score is that of the software verification competition: 2 for a correct TRUE, 1 for a correct FALSE,
        −32 for a wrong TRUE, −16 for a wrong FALSE.

        ## Side by side

        Sums over the tasks that every configuration solves; of the statements, how many were left out or
        opened on average.

        | set | configuration | tasks | CPU seconds | states | successor seconds | statements simplified |
        | --- | --- | ---: | ---: | ---: | ---: | ---: |
        | demo | default | 1 | … | – | – | – |
        | demo | `--fast` | 1 | … | – | – | – |

        ## Reasons for UNKNOWN

        | set | configuration | reason | tasks | for example |
        | --- | --- | --- | ---: | --- |
        | demo | default | refinement stuck | 1 | `a` |

        ## Errors

        None.
    "#]].assert_eq(&without_times(&bench.read("s.md")));
    for name in ["plots/quantile.svg", "plots/scatter.svg"] {
        let svg = bench.read(name);
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{name}");
    }
}

#[test]
fn comparison_and_its_exit_codes() {
    let bench = Bench::new()
        .task("a", "true", "[[ $* == *--better* ]] && echo Verdict: TRUE && exit; exit 2")
        .task("b", "true", "echo Verdict: TRUE");
    bench.run_with_code(0, &[]);
    fs::rename(bench.path("out.csv"), bench.path("plain.csv")).expect("a file");
    bench.run_with_code(0, &["--config", "--better"]);
    let compare = |a: &str, b: &str, code: i32| {
        let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
            .current_dir(bench.directory.path())
            .args(["bench", "--compare", a, b, "--plots", "plots"])
            .output()
            .expect("xtask can be run");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let better = compare("plain.csv", "out.csv", 0);
    assert!(better.contains("## Newly solved: 1") && better.contains("## Lost: none"), "{better}");
    let worse = compare("out.csv", "plain.csv", 1);
    assert!(worse.contains("## Newly solved: none") && worse.contains("## Lost: 1"), "{worse}");
    assert!(bench.path("plots/scatter.svg").exists() && bench.path("plots/quantile.svg").exists());
    compare("out.csv", "missing.csv", 2);
}
