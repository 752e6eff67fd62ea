//! Machine-readable answers: JSON, and SARIF 2.1 for services that show findings beside the source.
//!
//! `docs/formats.md` documents the fields.

use std::time::Duration;

use ravelin_cfa::ErrorKind;
use ravelin_evidence::weakness as cwe;
use ravelin_report::model::{Position, Report, Step, Trace};
use ravelin_verifier::{Properties, Property, Reason, Verdict};
use serde_json::{Map, Value, json};

use crate::decided::{Conclusion, Decided};
use crate::exit::Exit;
use crate::rests;

/// The version of the JSON schema. It changes with every field.
const SCHEMA: &str = "ravelin-result-1";

/// An answer, and the exit code.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    pub conclusion: &'a Conclusion,
    pub exit: Exit,
}

fn reason(part: &Decided) -> Option<&Reason> {
    match &part.verdict {
        Verdict::Unknown(reason) => Some(reason),
        Verdict::True(_) | Verdict::False(_) => None,
    }
}

/// One JSON document; without a report, it has only the answer.
pub fn json(answer: Answer<'_>) -> String {
    pretty(&document(answer))
}

/// The same as a value: that of the question whose verdict stands for all, and a list of all.
fn document(answer: Answer<'_>) -> Value {
    let Answer { conclusion, exit } = answer;
    let mut document = part(conclusion.leading(), conclusion.message.as_deref(), exit);
    if conclusion.parts.len() > 1 {
        let names: Vec<String> =
            conclusion.parts.iter().map(|part| part.asked.to_string()).collect();
        document["property"] = json!(names.join(","));
    }
    // If the command failed, there is nothing to be said of questions.
    if conclusion.parts.len() > 1 && conclusion.message.is_none() {
        let own = |part: &Decided| {
            let all = self::part(part, None, exit);
            let fields = OF_QUESTION.iter().map(|&name| (name.to_owned(), all[name].clone()));
            let mut fields: Map<String, Value> = fields.collect();
            fields.insert("seconds".to_owned(), json!(part.time.as_secs_f64()));
            Value::Object(fields)
        };
        document["answers"] = conclusion.parts.iter().map(own).collect();
    }
    document
}

/// The fields that are about one question of several.
const OF_QUESTION: [&str; 13] = [
    "verdict",
    "property",
    "violated",
    "reason",
    "vacuity",
    "summary",
    "hint",
    "place",
    "external_functions",
    "files",
    "trace",
    "invariants",
    "statistics",
];

/// The documents of the questions, each as if it were the only one; one if the command failed.
pub fn parts(answer: Answer<'_>) -> Vec<(Value, Duration)> {
    let Answer { conclusion, exit } = answer;
    if conclusion.message.is_some() {
        return vec![(document(answer), Duration::ZERO)];
    }
    let document = |part: &Decided| self::part(part, conclusion.message.as_deref(), exit);
    conclusion.parts.iter().map(|part| (document(part), part.time)).collect()
}

fn part(decided: &Decided, message: Option<&str>, exit: Exit) -> Value {
    let mut fields = Map::new();
    let mut set = |name: &str, value: Value| {
        fields.insert(name.to_owned(), value);
    };
    let (verdict, violated) = match &decided.verdict {
        Verdict::True(_) => ("TRUE", None),
        Verdict::False(violation) => ("FALSE", Some(violation.property.name())),
        Verdict::Unknown(_) => ("UNKNOWN", None),
    };
    set("schema", json!(SCHEMA));
    set("version", json!(env!("CARGO_PKG_VERSION")));
    set("verdict", json!(verdict));
    set("property", json!(decided.asked.to_string()));
    set("violated", json!(violated));
    set("reason", json!(reason(decided).map(Reason::to_string)));
    set("message", json!(message));
    set("vacuity", json!(decided.vacuity.map(|vacuity| vacuity.to_string())));
    set("exit_code", json!(exit.code()));
    if let Some(report) = &decided.report {
        let names: Vec<&str> = report.files.iter().map(|file| file.name.as_str()).collect();
        let statistics: Map<String, Value> = report
            .statistics
            .iter()
            .map(|(name, figure)| (name.replace(' ', "_"), json!(figure)))
            .collect();
        set("summary", json!(report.summary));
        set("hint", json!(report.hint));
        set("place", json!(report.place));
        set("weakness", json!(report.weakness));
        set("memory", json!(report.memory));
        set("command", json!(report.command));
        set("data_model", json!(report.data_model));
        set("assumptions", json!(report.assumptions));
        set("external_functions", json!(report.external_functions));
        set("files", json!(names));
        set("trace", json!(report.trace));
        set("invariants", json!(report.invariants));
        set("precision", json!(report.precision));
        set("seconds", json!(report.seconds));
        set("statistics", Value::Object(statistics));
        set("phases", json!(report.phases));
    }
    Value::Object(fields)
}

fn pretty(value: &Value) -> String {
    // Values of these types are always written.
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// One run of SARIF 2.1: a result for each violated property, a note for each question without an answer.
pub fn sarif(answer: Answer<'_>) -> String {
    let Answer { conclusion, exit } = answer;
    let empty = Report::default();
    let (mut results, mut notes) = (Vec::new(), Vec::new());
    let mut asked = Properties::default();
    if let Some(message) = &conclusion.message {
        // The command failed, and all questions with it.
        let reason = reason(conclusion.leading()).map(Reason::to_string).unwrap_or_default();
        let text = format!("No answer: {reason}: {}", message.trim_end());
        notes.push(json!({"level": "warning", "message": {"text": text}}));
    }
    for part in &conclusion.parts {
        part.asked.properties.iter().for_each(|property| asked.insert(property));
        let report = part.report.as_deref().unwrap_or(&empty);
        if let Verdict::False(found) = &part.verdict {
            results.push(violation(found.property, report));
        }
        let of = match conclusion.parts.len() {
            1 => String::new(),
            _ => format!("{}: ", part.names()),
        };
        if let Some(reason) = reason(part)
            && conclusion.message.is_none()
        {
            let text = format!("{of}No answer: {reason}");
            notes.push(json!({"level": "warning", "message": {"text": text}}));
        }
        if let Some(vacuity) = part.vacuity {
            let text = format!("{of}The property holds, but {vacuity}");
            notes.push(json!({"level": "note", "message": {"text": text}}));
        }
    }
    // Of those without an answer, too.
    let mut rests_on: Vec<String> = Vec::new();
    for report in conclusion.parts.iter().filter_map(|part| part.report.as_deref()) {
        for sentence in report.external_functions.iter().map(rests::sentence) {
            if !rests_on.contains(&sentence) {
                rests_on.push(sentence);
            }
        }
    }
    let rests_on = rests_on.iter().map(|it| json!({"level": "note", "message": {"text": it}}));
    notes.extend(rests_on);
    sarif_run(asked, results, notes, exit)
}

/// One run of SARIF 2.1 with these results and notes.
pub fn sarif_run(
    properties: Properties,
    results: Vec<Value>,
    notes: Vec<Value>,
    exit: Exit,
) -> String {
    pretty(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "Ravelin",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": properties.iter().map(rule).collect::<Vec<_>>(),
            }},
            "columnKind": "utf16CodeUnits",
            "invocations": [{
                "executionSuccessful": exit.code() <= 2,
                "exitCode": exit.code(),
                "toolExecutionNotifications": notes,
            }],
            "results": results,
        }],
    }))
}

/// The name that services show for a violation of a property.
fn rule(property: Property) -> Value {
    let (name, text) = match property {
        Property::UnreachCall => {
            ("ErrorReachable", "An error call or failing assertion is reachable")
        }
        Property::ValidDeref => ("InvalidAccess", "Memory is accessed outside of live objects"),
        Property::ValidFree => ("InvalidFree", "What is freed is not a live heap object"),
        Property::ValidMemtrack => ("MemoryLost", "The last pointer to a heap object is lost"),
        Property::ValidMemcleanup => ("MemoryLeak", "Heap memory is not freed at the end"),
        Property::NoOverflow => ("SignedOverflow", "Signed arithmetic overflows"),
        Property::ValidArithmetic => {
            ("InvalidArithmetic", "A division is by zero, or a shift by an invalid amount")
        }
        Property::ValidArguments => {
            ("InvalidArguments", "A library function is called with arguments that it forbids")
        }
        Property::ValidInit => {
            ("UninitialisedRead", "A local variable is read before it has a value")
        }
        Property::ValidBounds => {
            ("IndexOutOfBounds", "An index is outside of an array in a larger object")
        }
        Property::NoDataRace => ("DataRace", "Conflicting accesses of threads are unordered"),
        Property::NoDeadlock => ("Deadlock", "A thread waits for ever"),
        Property::Termination => ("NonTermination", "An execution does not end"),
    };
    let mut rule = json!({
        "id": property.name(),
        "name": name,
        "shortDescription": {"text": text},
        "defaultConfiguration": {"level": "error"},
    });
    let weaknesses = weaknesses(property);
    if !weaknesses.is_empty() {
        let tags = weaknesses.iter().map(|&number| tag(number));
        let tags: Vec<String> = ["security".to_owned()].into_iter().chain(tags).collect();
        rule["properties"] = json!({"tags": tags});
    }
    rule
}

/// A number in the Common Weakness Enumeration, as services expect it in tags.
fn tag(weakness: u16) -> String {
    format!("external/cwe/cwe-{weakness}")
}

/// The numbers of a property's violations in the Common Weakness Enumeration.
fn weaknesses(property: Property) -> Vec<u16> {
    let mut numbers = Vec::new();
    // Those that no error stands for yet.
    match property {
        Property::NoDataRace => numbers.push(362),
        Property::NoDeadlock => numbers.push(833),
        Property::Termination => numbers.push(835),
        Property::UnreachCall
        | Property::ValidDeref
        | Property::ValidFree
        | Property::ValidMemtrack
        | Property::ValidMemcleanup
        | Property::NoOverflow
        | Property::ValidArithmetic
        | Property::ValidArguments
        | Property::ValidInit
        | Property::ValidBounds => {}
    }
    let kinds = ErrorKind::ALL.into_iter().filter(|kind| kind.property() == property);
    for number in kinds.flat_map(cwe::weaknesses) {
        if !numbers.contains(number) {
            numbers.push(*number);
        }
    }
    numbers
}

fn violation(property: Property, report: &Report) -> Value {
    let last = report.trace.as_ref().and_then(|trace| trace.steps.last());
    let lines = Lines::of(report);
    let mut result = json!({
        "ruleId": property.name(),
        "level": "error",
        "message": {"text": report.summary},
    });
    if let Some(weakness) = report.weakness {
        result["properties"] = json!({"tags": [tag(weakness)]});
    }
    if let Some(at) = report.place.or(last.and_then(|step| step.at)) {
        result["locations"] = json!([{"physicalLocation": lines.physical(at)}]);
    }
    if let Some(trace) = &report.trace {
        result["codeFlows"] = json!([{"threadFlows": flows(&lines, trace)}]);
    }
    result
}

/// The steps of each thread; the order between threads is that of execution.
fn flows(lines: &Lines<'_>, trace: &Trace) -> Vec<Value> {
    let flow = |(index, thread): (usize, &ravelin_report::model::Thread)| {
        let steps = trace.steps.iter().enumerate().filter(|(_, step)| step.thread == index);
        let locations = steps.filter_map(|(order, step)| {
            let at = step.at?;
            Some(json!({
                "location": {
                    "physicalLocation": lines.physical(at),
                    "message": {"text": described(step)},
                },
                "executionOrder": order + 1,
            }))
        });
        json!({"id": thread.name, "locations": locations.collect::<Vec<_>>()})
    };
    let flows = trace.threads.iter().enumerate().map(flow);
    // A flow must have a location.
    flows.filter(|flow| flow["locations"].as_array().is_some_and(|list| !list.is_empty())).collect()
}

fn described(step: &Step) -> String {
    let mut parts = vec![step.text.clone()];
    parts.extend(step.notes.iter().cloned());
    parts.extend(step.inputs.iter().map(|(name, value)| format!("{name} = {value}")));
    parts.extend(
        step.reads
            .iter()
            .filter(|it| it.shared)
            .map(|read| format!("reads {} = {}", read.place, read.value)),
    );
    parts.extend(
        step.writes
            .iter()
            .filter_map(|write| Some(format!("{} = {}", write.place, write.value.as_ref()?))),
    );
    parts.join("; ")
}

/// The lines of the source files, for counting columns.
struct Lines<'a> {
    files: Vec<(&'a str, Vec<&'a str>)>,
}

impl<'a> Lines<'a> {
    fn of(report: &'a Report) -> Lines<'a> {
        let files = report.files.iter();
        Lines { files: files.map(|it| (it.name.as_str(), it.text.lines().collect())).collect() }
    }

    fn physical(&self, at: Position) -> Value {
        let (name, lines) = self.files.get(at.file).map_or(("", &[][..]), |it| (it.0, &it.1));
        let mut region = json!({"startLine": at.line});
        if at.column > 0 {
            let line = (at.line as usize).checked_sub(1).and_then(|line| lines.get(line));
            region["startColumn"] = json!(utf16_column(line.unwrap_or(&""), at.column));
        }
        json!({"artifactLocation": {"uri": uri(name)}, "region": region})
    }
}

/// A column in units of UTF-16, from one in bytes; both are counted from 1.
fn utf16_column(line: &str, column: u32) -> u32 {
    let before = column.saturating_sub(1) as usize;
    let wide: u32 = line
        .char_indices()
        .take_while(|(at, _)| *at < before)
        // The difference in bytes.
        .map(|(_, it)| (it.len_utf8() - it.len_utf16()) as u32)
        .sum();
    column.saturating_sub(wide).max(1)
}

/// The name of a file as a relative reference, or as a URI if it is absolute.
fn uri(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(byte.into());
            }
            _ => text += &format!("%{byte:02X}"),
        }
    }
    if text.starts_with('/') { format!("file://{text}") } else { text }
}
