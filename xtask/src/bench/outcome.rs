//! What a run of the verifier says, judged by what is known of the task.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::process::{Cause, Ended, How};
use crate::property::{Expected, TaskProperty};
use crate::sets::Answer;

/// The word after `Verdict:`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Answer(Answer),
    Unknown,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Answer(Answer::True) => "TRUE",
            Verdict::Answer(Answer::False) => "FALSE",
            Verdict::Unknown => "UNKNOWN",
        })
    }
}

impl FromStr for Verdict {
    type Err = String;

    fn from_str(text: &str) -> Result<Verdict, String> {
        match text {
            "TRUE" => Ok(Verdict::Answer(Answer::True)),
            "FALSE" => Ok(Verdict::Answer(Answer::False)),
            "UNKNOWN" => Ok(Verdict::Unknown),
            other => Err(format!("'{other}' is no verdict")),
        }
    }
}

/// How good a verdict is. A wrong answer is wrong even if it came too late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    CorrectTrue,
    CorrectFalse,
    /// TRUE was said of a program that violates its property.
    WrongTrue,
    /// FALSE was said of a program that satisfies its property, or names a part that is not the violated one.
    WrongFalse,
    Unknown,
    Timeout,
    OutOfMemory,
    /// The verifier crashed, rejected the task, or contradicts itself.
    Error,
}

impl Class {
    pub const ALL: [Class; 8] = [
        Class::CorrectTrue,
        Class::CorrectFalse,
        Class::WrongTrue,
        Class::WrongFalse,
        Class::Unknown,
        Class::Timeout,
        Class::OutOfMemory,
        Class::Error,
    ];

    pub fn is_correct(self) -> bool {
        match self {
            Class::CorrectTrue | Class::CorrectFalse => true,
            Class::WrongTrue
            | Class::WrongFalse
            | Class::Unknown
            | Class::Timeout
            | Class::OutOfMemory
            | Class::Error => false,
        }
    }

    pub fn is_wrong(self) -> bool {
        match self {
            Class::WrongTrue | Class::WrongFalse => true,
            Class::CorrectTrue
            | Class::CorrectFalse
            | Class::Unknown
            | Class::Timeout
            | Class::OutOfMemory
            | Class::Error => false,
        }
    }

    /// The points of the software verification competition.
    pub fn score(self) -> i64 {
        match self {
            Class::CorrectTrue => 2,
            Class::CorrectFalse => 1,
            Class::WrongTrue => -32,
            Class::WrongFalse => -16,
            Class::Unknown | Class::Timeout | Class::OutOfMemory | Class::Error => 0,
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Class::CorrectTrue => "correct-true",
            Class::CorrectFalse => "correct-false",
            Class::WrongTrue => "wrong-true",
            Class::WrongFalse => "wrong-false",
            Class::Unknown => "unknown",
            Class::Timeout => "timeout",
            Class::OutOfMemory => "out-of-memory",
            Class::Error => "error",
        })
    }
}

impl FromStr for Class {
    type Err = String;

    fn from_str(text: &str) -> Result<Class, String> {
        let found = Class::ALL.into_iter().find(|class| class.to_string() == text);
        found.ok_or_else(|| format!("'{text}' is no class"))
    }
}

/// What the verifier was allowed to spend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowance {
    /// Seconds of processor time.
    pub seconds: f64,
    pub megabytes: u64,
}

impl fmt::Display for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s of processor time and {} MB", self.seconds, self.megabytes)
    }
}

/// The judgement of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What the verifier said, if it said anything.
    pub verdict: Option<Verdict>,
    /// The words in parentheses after the verdict, or what went wrong.
    pub reason: String,
    pub class: Class,
    /// The lines `stat NAME VALUE` of standard error, and what the explorer tells in its proof.
    pub stats: BTreeMap<String, String>,
}

/// The exit codes of `ravelin verify` that are told apart here.
const EXIT_TRUE: i32 = 0;
const EXIT_FALSE: i32 = 1;
const EXIT_UNKNOWN: i32 = 2;
pub const EXIT_USAGE: i32 = 64;

/// One megabyte, as the verifier counts.
pub const MEGABYTE: u64 = 1 << 20;

/// Judges a run. Nothing that was interrupted can be judged.
pub fn judge(
    ended: &Ended,
    property: TaskProperty,
    expected: Expected,
    allowed: &Allowance,
) -> Outcome {
    let stated = parse_verdict(&ended.stdout);
    let (class, reason) = match (ended.how, &stated) {
        (How::Killed(Cause::Cpu), _) => (Class::Timeout, "killed: processor time".to_owned()),
        (How::Killed(Cause::Wall), _) => (Class::Timeout, "killed: time on the clock".to_owned()),
        (How::Killed(Cause::Memory), _) => (Class::OutOfMemory, "killed: memory".to_owned()),
        (How::Killed(Cause::Output), _) => (Class::Error, "killed: too much output".to_owned()),
        (How::Killed(Cause::Interrupt), _) => (Class::Error, "interrupted".to_owned()),
        (How::Signalled(signal), _) => (Class::Error, format!("ended by signal {signal}")),
        (How::Exited(code), None) => (Class::Error, format!("no verdict, exit code {code}")),
        (How::Exited(code), Some((verdict, reason))) => {
            let class = match (*verdict, code) {
                (Verdict::Answer(Answer::True), EXIT_TRUE) => match expected.answer {
                    Answer::True => Some(Class::CorrectTrue),
                    Answer::False => Some(Class::WrongTrue),
                },
                (Verdict::Answer(Answer::False), EXIT_FALSE) => {
                    // The competition counts a violation by another name as wrong.
                    let is_right = expected.answer == Answer::False
                        && match expected.violated {
                            Some(violated) => reason == violated.name(),
                            None => property.parts().iter().any(|part| reason == part.name()),
                        };
                    Some(if is_right { Class::CorrectFalse } else { Class::WrongFalse })
                }
                // What was met on the way may follow: `timeout; unsupported: …`.
                (Verdict::Unknown, EXIT_UNKNOWN) => Some(match reason.split(';').next() {
                    Some("timeout") => Class::Timeout,
                    Some("out of memory") => Class::OutOfMemory,
                    Some(_) | None => Class::Unknown,
                }),
                // The other codes say what went wrong, and so does the reason.
                (Verdict::Unknown, code) if code > EXIT_UNKNOWN => Some(Class::Error),
                (Verdict::Answer(_) | Verdict::Unknown, _) => None,
            };
            match class {
                Some(class) => too_late(class, ended, allowed)
                    .map_or_else(|| (class, reason.clone()), |(c, reason)| (c, reason.to_owned())),
                None => (Class::Error, format!("verdict {verdict} but exit code {code}")),
            }
        }
    };
    Outcome {
        verdict: stated.map(|(verdict, _)| verdict),
        reason,
        class,
        stats: parse_stats(&ended.stderr, &ended.stdout),
    }
}

/// Verdicts beyond the limits do not count; the verifier is killed only a little later, so that it
/// can give its statistics.
fn too_late(class: Class, ended: &Ended, allowed: &Allowance) -> Option<(Class, &'static str)> {
    if class.is_wrong() || class == Class::OutOfMemory || class == Class::Timeout {
        None
    } else if ended.cpu.as_secs_f64() > allowed.seconds {
        Some((Class::Timeout, "too late"))
    } else if ended.peak > allowed.megabytes * MEGABYTE {
        Some((Class::OutOfMemory, "too much memory"))
    } else {
        None
    }
}

/// The verdict in the last line, and what stands in parentheses after it.
fn parse_verdict(stdout: &str) -> Option<(Verdict, String)> {
    let last = stdout.lines().last()?.strip_prefix("Verdict: ")?;
    let (word, reason) = match last.split_once('(') {
        Some((word, rest)) => (word, rest.strip_suffix(')')?),
        None => (last, ""),
    };
    Some((word.parse().ok()?, reason.to_owned()))
}

fn parse_stats(stderr: &str, stdout: &str) -> BTreeMap<String, String> {
    let parse_line = |line: &str| {
        let (name, value) = line.strip_prefix("stat ")?.split_once(' ')?;
        Some((name.to_owned(), value.trim().to_owned()))
    };
    let explored = |line: &str| {
        let states = line.strip_prefix("Explored: all ")?.strip_suffix(" states")?;
        Some(("explored".to_owned(), states.to_owned()))
    };
    let proof = stdout.lines().filter_map(explored);
    stderr.lines().filter_map(parse_line).chain(proof).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use expect_test::{Expect, expect};

    use super::*;

    const ALLOWED: Allowance = Allowance { seconds: 10.0, megabytes: 100 };

    fn ended(how: How, stdout: &str) -> Ended {
        Ended {
            how,
            stdout: stdout.to_owned(),
            stderr: String::new(),
            cpu: Duration::from_secs(1),
            wall: Duration::from_secs(1),
            peak: MEGABYTE,
        }
    }

    fn check(how: How, stdout: &str, expect: Expect) {
        check_all(TaskProperty::default(), &["true", "false"], how, stdout, expect);
    }

    fn check_all(
        property: TaskProperty,
        expectations: &[&str],
        how: How,
        stdout: &str,
        expect: Expect,
    ) {
        let describe = |expected: &&str| {
            let known = expected.parse().expect("an expectation");
            let outcome = judge(&ended(how, stdout), property, known, &ALLOWED);
            let verdict = outcome.verdict.map_or("-".to_owned(), |verdict| verdict.to_string());
            format!("{expected}: {verdict} {} ({})\n", outcome.class, outcome.reason)
        };
        expect.assert_eq(&expectations.iter().map(describe).collect::<String>());
    }

    #[test]
    fn answers_are_compared_with_what_is_known() {
        check(
            How::Exited(0),
            "Invariants: 3\nVerdict: TRUE\n",
            expect![[r#"
                true: TRUE correct-true ()
                false: TRUE wrong-true ()
            "#]],
        );
        check(
            How::Exited(1),
            "Verdict: FALSE(unreach-call)\n",
            expect![[r#"
                true: FALSE wrong-false (unreach-call)
                false: FALSE correct-false (unreach-call)
            "#]],
        );
    }

    #[test]
    fn violations_name_the_part_that_is_violated() {
        check_all(
            TaskProperty::Memsafety,
            &["true", "false", "false(valid-deref)", "false(valid-memtrack)"],
            How::Exited(1),
            "Verdict: FALSE(valid-deref)\n",
            expect![[r#"
                true: FALSE wrong-false (valid-deref)
                false: FALSE correct-false (valid-deref)
                false(valid-deref): FALSE correct-false (valid-deref)
                false(valid-memtrack): FALSE wrong-false (valid-deref)
            "#]],
        );
        check(
            How::Exited(1),
            "Verdict: FALSE(no-overflow)\n",
            expect![[r#"
                true: FALSE wrong-false (no-overflow)
                false: FALSE wrong-false (no-overflow)
            "#]],
        );
    }

    #[test]
    fn no_answer_has_a_reason() {
        check(
            How::Exited(2),
            "Verdict: UNKNOWN(inline assembly (line 3))\n",
            expect![[r#"
                true: UNKNOWN unknown (inline assembly (line 3))
                false: UNKNOWN unknown (inline assembly (line 3))
            "#]],
        );
        check(
            How::Exited(2),
            "Verdict: UNKNOWN(timeout)\n",
            expect![[r#"
                true: UNKNOWN timeout (timeout)
                false: UNKNOWN timeout (timeout)
            "#]],
        );
        check(
            How::Exited(70),
            "Verdict: UNKNOWN(internal error)\n",
            expect![[r#"
                true: UNKNOWN error (internal error)
                false: UNKNOWN error (internal error)
            "#]],
        );
    }

    #[test]
    fn verdict_and_exit_code_must_agree() {
        check(
            How::Exited(0),
            "Verdict: FALSE(unreach-call)\n",
            expect![[r#"
                true: FALSE error (verdict FALSE but exit code 0)
                false: FALSE error (verdict FALSE but exit code 0)
            "#]],
        );
        check(
            How::Exited(0),
            "Verdict: UNKNOWN(timeout)\n",
            expect![[r#"
                true: UNKNOWN error (verdict UNKNOWN but exit code 0)
                false: UNKNOWN error (verdict UNKNOWN but exit code 0)
            "#]],
        );
        check(
            How::Exited(0),
            "Verdict: TRUE\none more line\n",
            expect![[r#"
                true: - error (no verdict, exit code 0)
                false: - error (no verdict, exit code 0)
            "#]],
        );
        check(
            How::Signalled(11),
            "Verdict: TRUE\n",
            expect![[r#"
                true: TRUE error (ended by signal 11)
                false: TRUE error (ended by signal 11)
            "#]],
        );
    }

    #[test]
    fn only_wrong_answers_count_beyond_the_limits() {
        let judge_late = |cpu, peak, expected: Answer| {
            let mut ended = ended(How::Exited(0), "Verdict: TRUE");
            (ended.cpu, ended.peak) = (Duration::from_secs(cpu), peak * MEGABYTE);
            judge(&ended, TaskProperty::default(), expected.into(), &ALLOWED).class
        };
        assert_eq!(judge_late(10, 100, Answer::True), Class::CorrectTrue);
        assert_eq!(judge_late(11, 100, Answer::True), Class::Timeout);
        assert_eq!(judge_late(10, 101, Answer::True), Class::OutOfMemory);
        assert_eq!(judge_late(11, 101, Answer::False), Class::WrongTrue);
    }

    #[test]
    fn statistics_are_single_lines() {
        let stderr = "warning: stat\nstat states 12\nstat\nstat x\nstat states 13\n";
        let stats = parse_stats(stderr, "Explored: nothing\nVerdict: TRUE\n");
        assert_eq!(stats, BTreeMap::from([("states".to_owned(), "13".to_owned())]));
    }

    #[test]
    fn states_of_the_explorer_are_in_its_proof() {
        let stats = parse_stats("stat states 0\n", "Explored: all 73 states\nVerdict: TRUE\n");
        assert_eq!(stats["explored"], "73");
        assert_eq!(stats["states"], "0");
    }

    #[test]
    fn classes_and_verdicts_parse_back() {
        for class in Class::ALL {
            assert_eq!(class.to_string().parse(), Ok(class));
        }
        for text in ["TRUE", "FALSE", "UNKNOWN"] {
            assert_eq!(text.parse::<Verdict>().map(|verdict| verdict.to_string()), Ok(text.into()));
        }
        "MAYBE".parse::<Verdict>().expect_err("no verdict");
    }
}
