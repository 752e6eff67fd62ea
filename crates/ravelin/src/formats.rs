//! Machine-readable answers: JSON, and SARIF 2.1 for services that show findings beside the source.
//!
//! `docs/formats.md` documents the fields.

use ravelin_report::model::{Position, Report, Step, Trace};
use ravelin_verifier::{Asked, Properties, Property, Reason, Vacuity, Verdict};
use serde_json::{Map, Value, json};

use crate::exit::Exit;
use crate::rests;

/// The version of the JSON schema. It changes with every field.
const SCHEMA: &str = "ravelin-result-1";

/// An answer, and the exit code.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    pub verdict: &'a Verdict,
    /// The message about a program that was rejected.
    pub message: Option<&'a str>,
    pub asked: &'a Asked,
    /// A restriction of the answer TRUE.
    pub vacuity: Option<Vacuity>,
    pub exit: Exit,
}

impl Answer<'_> {
    fn reason(&self) -> Option<&Reason> {
        match self.verdict {
            Verdict::Unknown(reason) => Some(reason),
            Verdict::True(_) | Verdict::False(_) => None,
        }
    }
}

/// One JSON document; without a report, it has only the answer.
pub fn json(answer: Answer<'_>, report: Option<&Report>) -> String {
    pretty(&document(answer, report))
}

/// The same as a value.
pub fn document(answer: Answer<'_>, report: Option<&Report>) -> Value {
    let mut fields = Map::new();
    let mut set = |name: &str, value: Value| {
        fields.insert(name.to_owned(), value);
    };
    set("schema", json!(SCHEMA));
    set("version", json!(env!("CARGO_PKG_VERSION")));
    set(
        "verdict",
        json!(match answer.verdict {
            Verdict::True(_) => "TRUE",
            Verdict::False(_) => "FALSE",
            Verdict::Unknown(_) => "UNKNOWN",
        }),
    );
    set("property", json!(answer.asked.to_string()));
    set("reason", json!(answer.reason().map(Reason::to_string)));
    set("message", json!(answer.message));
    set("vacuity", json!(answer.vacuity.map(|vacuity| vacuity.to_string())));
    set("exit_code", json!(answer.exit.code()));
    if let Some(report) = report {
        let names: Vec<&str> = report.files.iter().map(|file| file.name.as_str()).collect();
        let statistics: Map<String, Value> = report
            .statistics
            .iter()
            .map(|(name, figure)| (name.replace(' ', "_"), json!(figure)))
            .collect();
        set("summary", json!(report.summary));
        set("hint", json!(report.hint));
        set("place", json!(report.place));
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

/// One run of SARIF 2.1: a result if a property is violated, a note if there is no answer.
pub fn sarif(answer: Answer<'_>, report: Option<&Report>) -> String {
    let empty = Report::default();
    let report = report.unwrap_or(&empty);
    let results = match answer.verdict {
        Verdict::False(found) => vec![violation(found.property, report)],
        Verdict::True(_) | Verdict::Unknown(_) => Vec::new(),
    };
    let rests_on = report
        .external_functions
        .iter()
        .map(|it| json!({"level": "note", "message": {"text": rests::sentence(it)}}));
    let reason = answer.reason().map(|reason| {
        let why = answer.message.map(|message| format!(": {}", message.trim_end()));
        let text = format!("No answer: {reason}{}", why.unwrap_or_default());
        json!({"level": "warning", "message": {"text": text}})
    });
    let vacuity = answer.vacuity.map(|vacuity| {
        json!({"level": "note", "message": {"text": format!("The property holds, but {vacuity}")}})
    });
    let notes = reason.into_iter().chain(vacuity).chain(rests_on).collect();
    sarif_run(answer.asked.properties, results, notes, answer.exit)
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
        Property::NoDataRace => ("DataRace", "Conflicting accesses of threads are unordered"),
        Property::NoDeadlock => ("Deadlock", "A thread waits for ever"),
        Property::Termination => ("NonTermination", "An execution does not end"),
    };
    json!({
        "id": property.name(),
        "name": name,
        "shortDescription": {"text": text},
        "defaultConfiguration": {"level": "error"},
    })
}

fn violation(property: Property, report: &Report) -> Value {
    let last = report.trace.as_ref().and_then(|trace| trace.steps.last());
    let lines = Lines::of(report);
    let mut result = json!({
        "ruleId": property.name(),
        "level": "error",
        "message": {"text": report.summary},
    });
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
