//! The results of many programs: as a table, JSON, JUnit and SARIF, and as an exit code.

use std::fmt::Write as _;
use std::time::Duration;

use quick_xml::escape::escape;
use ravelin_verifier::{Property, Reason};
use serde_json::{Value, json};

use super::children::{Ending, Finished};
use super::tasks::Task;
use crate::exit::Exit;
use crate::formats;

/// The result of one program.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub task: Task,
    pub verdict: String,
    /// Why there is no answer.
    reason: String,
    /// The same for people, or the error in the program.
    detail: String,
    time: Duration,
    answer: Value,
    /// The exit code of its process.
    pub code: Option<i32>,
}

impl Outcome {
    fn unknown(task: &Task, reason: &str, detail: &str) -> Outcome {
        Outcome {
            task: task.clone(),
            verdict: "UNKNOWN".to_owned(),
            reason: reason.to_owned(),
            detail: detail.to_owned(),
            time: Duration::ZERO,
            answer: Value::Null,
            code: None,
        }
    }

    /// For a task that cannot be verified.
    pub fn rejected(task: &Task, why: &str) -> Outcome {
        Outcome::unknown(task, &Reason::InputRejected.to_string(), why)
    }

    /// For a task that was not started, or not completed.
    pub fn interrupted(task: &Task) -> Outcome {
        let reason = Reason::Interrupted.to_string();
        Outcome::unknown(task, &reason, &reason)
    }

    /// For a task whose process could not be started.
    pub fn failed(task: &Task, why: &str) -> Outcome {
        Outcome::unknown(task, why, why)
    }

    /// For a task whose process answered in JSON, or did not.
    pub fn of(task: &Task, finished: &Finished) -> Outcome {
        let outcome = match serde_json::from_slice::<Value>(&finished.stdout) {
            Ok(answer) => Outcome::of_answer(task, answer, finished.time),
            Err(_) => Outcome::failed(task, &Reason::NoAnswer.to_string()),
        };
        Outcome { time: finished.time, code: finished.code, ..outcome }
    }

    /// For a task with this answer, as `formats::document` writes it, after this time.
    pub fn of_answer(task: &Task, answer: Value, time: Duration) -> Outcome {
        let text = |field: &str| answer[field].as_str().unwrap_or_default().to_owned();
        let (verdict, reason) = (text("verdict"), text("reason"));
        let detail = match verdict.as_str() {
            "FALSE" => text("summary"),
            // The first error in the program.
            _ => match text("message").lines().next() {
                Some(first) => first.to_owned(),
                None => reason.clone(),
            },
        };
        Outcome { verdict, detail, time, answer, ..Outcome::unknown(task, &reason, "") }
    }

    /// An outcome for each question, if several were asked.
    fn cases(&self) -> Vec<Outcome> {
        let Some(answers) = self.answer["answers"].as_array() else { return vec![self.clone()] };
        let case = |answer: &Value| {
            let time = answer["seconds"].as_f64().unwrap_or_default();
            let time = Duration::try_from_secs_f64(time).unwrap_or_default();
            Outcome::of_answer(&self.task, answer.clone(), time)
        };
        answers.iter().map(case).collect()
    }

    /// The checked properties.
    fn property(&self) -> &str {
        self.answer["property"].as_str().unwrap_or("ravelin")
    }

    /// The functions without body that the answer depends on.
    fn rests_on(&self) -> String {
        let functions = self.answer["external_functions"].as_array();
        let told = functions.into_iter().flatten().map(|function| {
            let text = |field: &str| function[field].as_str().unwrap_or_default();
            format!("{} at {}: {}", text("name"), text("place"), text("assumed"))
        });
        told.collect::<Vec<_>>().join("; ")
    }

    /// Whether the answer contradicts the definition.
    fn is_wrong(&self) -> bool {
        match self.verdict.as_str() {
            "TRUE" => self.task.expected == Some(false),
            "FALSE" => self.task.expected == Some(true),
            _ => false,
        }
    }

    fn is_unknown(&self) -> bool {
        self.verdict == "UNKNOWN"
    }

    fn is_rejected(&self) -> bool {
        self.is_unknown() && self.reason == Reason::InputRejected.to_string()
    }

    /// If definitions give expected verdicts, those decide.
    fn is_failure(&self) -> bool {
        self.is_wrong() || self.verdict == "FALSE" && self.task.expected.is_none()
    }
}

/// The worst of all: one violation is a violation; one rejected program, or one without an answer,
/// leaves the rest open.
pub fn exit_of(outcomes: &[Outcome], ending: Ending) -> Exit {
    let any = |test: fn(&Outcome) -> bool| outcomes.iter().any(test);
    if ending == Ending::Interrupted {
        Exit::Unknown
    } else if any(Outcome::is_failure) {
        Exit::Violation
    } else if any(Outcome::is_rejected) {
        Exit::Rejected
    } else if any(Outcome::is_unknown) {
        Exit::Unknown
    } else {
        Exit::Ok
    }
}

/// A line for each program, and the counts.
pub fn table(outcomes: &[Outcome]) -> String {
    let width = outcomes.iter().map(|outcome| outcome.task.name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for outcome in outcomes {
        let Outcome { task, verdict, detail, time, .. } = outcome;
        let wrong = if outcome.is_wrong() { "  not as expected" } else { "" };
        let line = format!(
            "{verdict:7}  {:width$}  {:6.1} s  {detail}{wrong}",
            task.name,
            time.as_secs_f64()
        );
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", line.trim_end());
    }
    let count = |verdict: &str| outcomes.iter().filter(|it| it.verdict == verdict).count();
    let wrong = outcomes.iter().filter(|outcome| outcome.is_wrong()).count();
    let _ = write!(
        text,
        "Programs: {}, TRUE: {}, FALSE: {}, UNKNOWN: {}",
        outcomes.len(),
        count("TRUE"),
        count("FALSE"),
        count("UNKNOWN")
    );
    if outcomes.iter().any(|outcome| outcome.task.expected.is_some()) {
        let _ = write!(text, ", not as expected: {wrong}");
    }
    text.push('\n');
    text
}

/// All answers in one JSON document.
pub fn document(outcomes: &[Outcome]) -> String {
    let results: Vec<Value> = outcomes
        .iter()
        .map(|outcome| {
            let Outcome { task, verdict, reason, detail, time, answer, code: _ } = outcome;
            json!({
                "program": task.name,
                "verdict": verdict,
                "reason": Some(reason).filter(|_| outcome.is_unknown()),
                "detail": detail,
                "expected": task.expected,
                "seconds": time.as_secs_f64(),
                "answer": answer,
            })
        })
        .collect();
    pretty(&json!({"schema": "ravelin-results-1", "results": results}))
}

fn pretty(document: &Value) -> String {
    // Values of these types are always written.
    serde_json::to_string_pretty(document).unwrap_or_default() + "\n"
}

/// One run with the findings of all programs, of which `written` are the documents that their processes wrote,
/// and a note for each program without an answer.
pub fn sarif(outcomes: &[Outcome], written: &[Option<Value>], exit: Exit) -> String {
    let findings = written.iter().flatten().filter_map(|it| it["runs"][0]["results"].as_array());
    let findings: Vec<Value> = findings.flatten().cloned().collect();
    let unknown = outcomes.iter().filter(|outcome| outcome.is_unknown());
    let notes = unknown.map(|Outcome { task, reason, detail, .. }| {
        let more = if detail == reason { String::new() } else { format!(": {detail}") };
        let text = format!("{}: no answer: {reason}{more}", task.name);
        json!({"level": "warning", "message": {"text": text}})
    });
    let rests_on = outcomes.iter().filter(|it| !it.rests_on().is_empty()).map(|it| {
        let text = format!("{}: rests on functions without body: {}", it.task.name, it.rests_on());
        json!({"level": "note", "message": {"text": text}})
    });
    let notes: Vec<Value> = notes.chain(rests_on).collect();
    let names = outcomes.iter().flat_map(|outcome| outcome.property().split(','));
    formats::sarif_run(names.filter_map(Property::named).collect(), findings, notes, exit)
}

/// JUnit XML: a case for each program and question.
pub fn junit(outcomes: &[Outcome]) -> String {
    let cases: Vec<Outcome> = outcomes.iter().flat_map(Outcome::cases).collect();
    let outcomes = cases.as_slice();
    let count = |test: fn(&Outcome) -> bool| outcomes.iter().filter(|it| test(it)).count();
    let (failures, errors) = (count(Outcome::is_failure), count(Outcome::is_rejected));
    let skipped = count(Outcome::is_unknown) - errors;
    let time: f64 = outcomes.iter().map(|outcome| outcome.time.as_secs_f64()).sum();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        text,
        "<testsuite name=\"ravelin\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" \
         skipped=\"{skipped}\" time=\"{time:.3}\">",
        outcomes.len()
    );
    for outcome in outcomes {
        let Outcome { task, verdict, detail, time, .. } = outcome;
        let (name, detail) = (attribute(&task.name), attribute(detail));
        let class = attribute(outcome.property());
        let seconds = time.as_secs_f64();
        let _ = write!(
            text,
            "  <testcase classname=\"{class}\" name=\"{name}\" time=\"{seconds:.3}\">"
        );
        if outcome.is_failure() {
            let _ = write!(text, "<failure message=\"{verdict}: {detail}\"/>");
        } else if outcome.is_rejected() {
            let _ = write!(text, "<error message=\"{detail}\"/>");
        } else if outcome.is_unknown() {
            let _ = write!(text, "<skipped message=\"{detail}\"/>");
        }
        let rests_on = outcome.rests_on();
        if !rests_on.is_empty() {
            let _ = write!(text, "<system-out>{}</system-out>", attribute(&rests_on));
        }
        text += "</testcase>\n";
    }
    text += "</testsuite>\n";
    text
}

/// A text as the value of an attribute. XML has no control characters.
fn attribute(text: &str) -> String {
    let shown: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    escape(shown.as_str()).into_owned()
}
