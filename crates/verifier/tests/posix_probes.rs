//! Tiny programs that ask what a library function returns and leaves in `errno`, with the answers that glibc gives or
//! POSIX leaves open. Where the answer does not depend on the environment, gcc's program is asked, too.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use ravelin_verifier::{DataModel, Input, Verdict, Verifier};

#[path = "support/posix.rs"]
mod probes;

use probes::{Expected, PRELUDE, PROBES};

/// All probes after one another, with `@` as their numbers; `main` is the probe's name in gcc's program.
fn sources() -> Vec<String> {
    PROBES.iter().enumerate().map(|(at, (text, _))| text.replace('@', &at.to_string())).collect()
}

/// What the preprocessor makes of the prelude and of each probe: one run for all of them.
fn preprocessed(sources: &[String]) -> (String, Vec<String>) {
    const NEXT: &str = "probe_begins_here";
    let mut text = PRELUDE.to_owned();
    for source in sources {
        write!(text, "\n{NEXT}\n{source}\n").expect("a string");
    }
    let mut child = Command::new("cc")
        .args(["-E", "-P", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("cc");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("cc reads");
    let output = child.wait_with_output().expect("cc");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("ASCII");
    let mut parts = text.split(NEXT).map(str::to_owned);
    (parts.next().expect("the prelude"), parts.collect())
}

fn answer(program: String) -> String {
    let input = Input::text("probe.i", program).with_data_model(DataModel::Lp64);
    let verifier = Verifier { timeout: Some(Duration::from_secs(20)), ..Verifier::default() };
    match verifier.verify(&input).expect("a program").verdict {
        Verdict::True(_) => "TRUE".to_owned(),
        Verdict::False(_) => "FALSE".to_owned(),
        Verdict::Unknown(reason) => format!("UNKNOWN({reason})"),
    }
}

#[test]
fn results_and_error_numbers_are_those_of_glibc_and_posix() {
    let (prelude, programs) = preprocessed(&sources());
    let mut wrong = String::new();
    for (at, ((text, expected), program)) in PROBES.iter().zip(programs).enumerate() {
        let program = program.replace(&format!("probe_{at}("), "main(");
        let answer = answer(format!("{prelude}\n{program}"));
        let is_right = match expected {
            Expected::Holds | Expected::Proved => answer == "TRUE",
            Expected::Fails | Expected::Open => answer == "FALSE",
            Expected::Undefined => answer.starts_with("UNKNOWN(undefined behaviour"),
            Expected::NotModelled => answer.starts_with("UNKNOWN(unsupported"),
        };
        if !is_right {
            writeln!(wrong, "{at}: {expected:?}, but {answer}:\n{text}").expect("a string");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn gcc_gives_the_same_answers() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let mut text = PRELUDE.to_owned();
    for source in sources() {
        writeln!(text, "{source}").expect("a string");
    }
    text.push_str("int main(int argc, char **argv) {\nswitch (atoi(argv[1])) {\n");
    for at in 0..PROBES.len() {
        writeln!(text, "case {at}: return probe_{at}();").expect("a string");
    }
    text.push_str("}\n}\n");
    std::fs::write(dir.path().join("probes.c"), text).expect("write");
    let compile = Command::new("cc")
        .current_dir(dir.path())
        .args(["-w", "-pthread", "probes.c", "-o", "probes"])
        .status();
    assert!(compile.expect("cc").success());
    let mut wrong = String::new();
    for (at, (text, expected)) in PROBES.iter().enumerate() {
        let holds = match expected {
            Expected::Holds => true,
            Expected::Fails => false,
            _ => continue,
        };
        let mut run = Command::new(dir.path().join("probes"));
        run.arg(at.to_string()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if run.status().expect("a run").success() != holds {
            writeln!(wrong, "{at}: not {expected:?}:\n{text}").expect("a string");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
