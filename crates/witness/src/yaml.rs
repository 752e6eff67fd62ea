//! Witnesses as YAML: format 2.0, and 2.2 with threads.

use std::collections::BTreeMap;

use ravelin_base::DataModel;
use serde::{Deserialize, Serialize};
use serde_yaml_ng::Value;
use uuid::Uuid;

use crate::model::{
    Content, Invariant, Location, PRODUCER, Segment, Task, Way, Waypoint, WaypointKind, Witness,
    WitnessError,
};

/// The text of a file with one witness, made at a time of ISO 8601.
pub fn write(witness: &Witness, created: &str) -> Result<String, WitnessError> {
    let version = match has_threads(&witness.content) {
        true => Version::WithThreads,
        false => Version::Plain,
    };
    let (entry_type, content) = match &witness.content {
        Content::Violation(segments) => {
            // A segment that is not strict may be anywhere in its line. YAML cannot express that, except for targets.
            let is_expressible =
                |it: &&Segment| it.is_strict || matches!(it.follow.kind, WaypointKind::Target);
            let expressible = segments.iter().filter(is_expressible);
            let parts = expressible.map(|segment| part_of(segment, version));
            ("violation_sequence", Parts::Segments(parts.collect::<Result<_, _>>()?))
        }
        Content::Correctness(invariants) => {
            ("invariant_set", Parts::Invariants(invariants.iter().map(entry_of).collect()))
        }
    };
    let mut entry = Entry {
        entry_type: entry_type.to_owned(),
        metadata: metadata(witness, version, created),
        content,
    };
    // The same witness of the same program has the same name.
    let text = to_yaml(&entry)?;
    entry.metadata.uuid = Uuid::new_v5(&Uuid::NAMESPACE_OID, text.as_bytes()).to_string();
    to_yaml(&vec![entry])
}

fn to_yaml(value: &impl Serialize) -> Result<String, WitnessError> {
    serde_yaml_ng::to_string(value).map_err(|error| WitnessError::new(error.to_string()))
}

/// Reads a file with one witness.
pub fn read(text: &str) -> Result<Witness, WitnessError> {
    let malformed = |error: serde_yaml_ng::Error| WitnessError::new(error.to_string());
    let entries: Vec<Value> = serde_yaml_ng::from_str(text).map_err(malformed)?;
    let mut found = None;
    for entry in entries {
        let kind = entry.get("entry_type").and_then(Value::as_str).unwrap_or_default();
        if !matches!(kind, "violation_sequence" | "invariant_set") {
            return Err(WitnessError::new(format!("entries of type '{kind}' are not supported")));
        }
        refuse_unknown_parts(&entry)?;
        let entry: Entry = serde_yaml_ng::from_value(entry).map_err(malformed)?;
        if found.replace(entry).is_some() {
            return Err(WitnessError::new("there is more than one entry"));
        }
    }
    let Entry { entry_type, metadata, content } =
        found.ok_or_else(|| WitnessError::new("there is no entry"))?;
    let content = match (entry_type.as_str(), content) {
        (_, Parts::Segments(parts)) if entry_type == "violation_sequence" => {
            let segments: Result<_, _> = parts.into_iter().map(segment_of).collect();
            let segments: Vec<Segment> = segments?;
            match segments.last() {
                Some(Segment { follow: Waypoint { kind: WaypointKind::Target, .. }, .. }) => {}
                _ => return Err(WitnessError::new("the last segment has no target")),
            }
            Content::Violation(segments)
        }
        ("invariant_set", Parts::Invariants(entries)) => {
            let invariants: Result<_, _> = entries.into_iter().map(invariant_of).collect();
            Content::Correctness(invariants?)
        }
        // An empty list is a list of anything.
        ("invariant_set", Parts::Segments(parts)) if parts.is_empty() => {
            Content::Correctness(Vec::new())
        }
        _ => return Err(WitnessError::new("the content is not that of the entry's type")),
    };
    Ok(Witness { task: task_of(metadata.task)?, content })
}

/// Refuses what is known not to be supported: what the content is not read as tells less.
fn refuse_unknown_parts(entry: &Value) -> Result<(), WitnessError> {
    let parts = entry.get("content").and_then(Value::as_sequence);
    for part in parts.into_iter().flatten() {
        let kind = part.get("invariant").and_then(|it| it.get("type")).and_then(Value::as_str);
        if let Some(kind) = kind.filter(|kind| !INVARIANTS.contains(kind)) {
            return Err(WitnessError::new(format!(
                "invariants of type '{kind}' are not supported"
            )));
        }
    }
    let version = entry.get("metadata").and_then(|it| it.get("format_version"));
    let version = match version {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        Some(_) | None => String::new(),
    };
    match version.starts_with("2.") {
        true => Ok(()),
        false => Err(WitnessError::new(format!("version '{version}' of the format is not known"))),
    }
}

const INVARIANTS: [&str; 2] = ["loop_invariant", "location_invariant"];

/// Version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    Plain,
    WithThreads,
}

impl Version {
    fn number(self) -> &'static str {
        match self {
            Version::Plain => "2.0",
            Version::WithThreads => "2.2",
        }
    }

    /// The format of expressions with `\result`.
    fn of_results(self) -> &'static str {
        match self {
            Version::Plain => "acsl_expression",
            Version::WithThreads => "ext_c_expression",
        }
    }
}

fn has_threads(content: &Content) -> bool {
    match content {
        Content::Violation(segments) => {
            segments.iter().any(|segment| segment.follow.thread.is_some())
        }
        Content::Correctness(_) => false,
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    entry_type: String,
    metadata: Metadata,
    content: Parts,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Parts {
    Segments(Vec<SegmentPart>),
    Invariants(Vec<InvariantPart>),
}

#[derive(Debug, Serialize, Deserialize)]
struct Metadata {
    #[serde(deserialize_with = "text_or_number")]
    format_version: String,
    uuid: String,
    creation_time: String,
    producer: Producer,
    task: TaskPart,
}

#[derive(Debug, Serialize, Deserialize)]
struct Producer {
    name: String,
    #[serde(deserialize_with = "text_or_number")]
    version: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct TaskPart {
    input_files: Vec<String>,
    #[serde(default)]
    input_file_hashes: BTreeMap<String, String>,
    specification: String,
    data_model: String,
    language: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct SegmentPart {
    segment: Vec<WaypointPart>,
}

#[derive(Debug, Serialize, Deserialize)]
struct WaypointPart {
    waypoint: WaypointFields,
}

#[derive(Debug, Serialize, Deserialize)]
struct WaypointFields {
    #[serde(rename = "type")]
    kind: String,
    action: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread_id: Option<u32>,
    location: LocationFields,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<ConstraintFields>,
}

#[derive(Debug, Serialize, Deserialize)]
struct LocationFields {
    file_name: String,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct ConstraintFields {
    #[serde(deserialize_with = "text_or_number")]
    value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct InvariantPart {
    invariant: InvariantFields,
}

#[derive(Debug, Serialize, Deserialize)]
struct InvariantFields {
    #[serde(rename = "type")]
    kind: String,
    location: LocationFields,
    #[serde(deserialize_with = "text_or_number")]
    value: String,
    format: String,
}

/// Some write numbers and truth values without quotes.
fn text_or_number<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(value) => Ok(value.to_string()),
        _ => Err(serde::de::Error::custom("expected a text")),
    }
}

fn metadata(witness: &Witness, version: Version, created: &str) -> Metadata {
    let Task { files, specification, data_model, note } = &witness.task;
    Metadata {
        format_version: version.number().to_owned(),
        uuid: Uuid::nil().to_string(),
        creation_time: created.to_owned(),
        producer: Producer {
            name: PRODUCER.0.to_owned(),
            version: PRODUCER.1.to_owned(),
            description: note.clone(),
        },
        task: TaskPart {
            input_files: files.iter().map(|(name, _)| name.clone()).collect(),
            input_file_hashes: files.iter().cloned().collect(),
            specification: specification.clone(),
            data_model: data_model.to_string(),
            language: "C".to_owned(),
        },
    }
}

fn task_of(part: TaskPart) -> Result<Task, WitnessError> {
    let hash = |name: &String| part.input_file_hashes.get(name).cloned().unwrap_or_default();
    let unknown = || WitnessError::new(format!("unknown data model '{}'", part.data_model));
    let data_model: DataModel = part.data_model.parse().map_err(|_| unknown())?;
    Ok(Task {
        files: part.input_files.iter().map(|name| (name.clone(), hash(name))).collect(),
        specification: part.specification,
        data_model,
        note: None,
    })
}

fn part_of(segment: &Segment, version: Version) -> Result<SegmentPart, WitnessError> {
    let avoided = segment.avoid.iter().map(|waypoint| fields_of(waypoint, "avoid", version));
    let followed = fields_of(&segment.follow, "follow", version);
    let part = |fields: Result<_, _>| fields.map(|waypoint| WaypointPart { waypoint });
    let segment = avoided.chain([followed]).map(part).collect::<Result<_, WitnessError>>()?;
    Ok(SegmentPart { segment })
}

fn fields_of(
    waypoint: &Waypoint,
    action: &str,
    version: Version,
) -> Result<WaypointFields, WitnessError> {
    let c = |value: &String, format: &str| {
        Some(ConstraintFields { value: value.clone(), format: Some(format.to_owned()) })
    };
    let (kind, constraint) = match &waypoint.kind {
        WaypointKind::Assumption(value) => ("assumption", c(value, "c_expression")),
        WaypointKind::Branching(way) => {
            let value = match way {
                Way::Condition(value) => value.to_string(),
                Way::Case(value) => value.to_string(),
                Way::Default => "default".to_owned(),
            };
            ("branching", Some(ConstraintFields { value, format: None }))
        }
        WaypointKind::Effect(_) => {
            return Err(WitnessError::new("YAML has no words for what holds after a statement"));
        }
        WaypointKind::FunctionEnter(_) => ("function_enter", None),
        WaypointKind::FunctionReturn(_, None) => ("function_return", None),
        WaypointKind::FunctionReturn(_, Some(value)) => {
            ("function_return", c(value, version.of_results()))
        }
        WaypointKind::Target => ("target", None),
        WaypointKind::AnyTarget => {
            return Err(WitnessError::new("YAML has no words for a target without place"));
        }
    };
    Ok(WaypointFields {
        kind: kind.to_owned(),
        action: action.to_owned(),
        thread_id: waypoint.thread,
        location: location_fields(&waypoint.location),
        constraint,
    })
}

fn segment_of(part: SegmentPart) -> Result<Segment, WitnessError> {
    let (mut avoid, mut follow) = (Vec::new(), None);
    for WaypointPart { waypoint } in part.segment {
        let action = waypoint.action.clone();
        let waypoint = waypoint_of(waypoint)?;
        match action.as_str() {
            "avoid" => avoid.push(waypoint),
            "follow" if follow.is_none() => follow = Some(waypoint),
            "follow" => return Err(WitnessError::new("a segment follows two waypoints")),
            other => return Err(WitnessError::new(format!("unknown action '{other}'"))),
        }
    }
    let follow = follow.ok_or_else(|| WitnessError::new("a segment follows no waypoint"))?;
    Ok(Segment { avoid, follow, is_strict: true })
}

fn waypoint_of(fields: WaypointFields) -> Result<Waypoint, WitnessError> {
    let WaypointFields { kind, thread_id, location, constraint, action: _ } = fields;
    let value = constraint.map(|constraint| constraint.value);
    let needed =
        || value.clone().ok_or_else(|| WitnessError::new(format!("{kind} without constraint")));
    let kind = match kind.as_str() {
        "assumption" => WaypointKind::Assumption(needed()?),
        "branching" => WaypointKind::Branching(way_of(&needed()?)?),
        "function_enter" => WaypointKind::FunctionEnter(None),
        "function_return" => WaypointKind::FunctionReturn(None, value),
        "target" => WaypointKind::Target,
        other => return Err(WitnessError::new(format!("unknown waypoint '{other}'"))),
    };
    Ok(Waypoint { kind, location: location_of(location), thread: thread_id })
}

fn way_of(value: &str) -> Result<Way, WitnessError> {
    match value {
        "true" => Ok(Way::Condition(true)),
        "false" => Ok(Way::Condition(false)),
        "default" => Ok(Way::Default),
        number => match number.parse() {
            Ok(number) => Ok(Way::Case(number)),
            Err(_) => Err(WitnessError::new(format!("a branch to '{number}' is not supported"))),
        },
    }
}

fn location_fields(location: &Location) -> LocationFields {
    let Location { file, line, column, function } = location.clone();
    LocationFields { file_name: file, line, column, function }
}

fn location_of(fields: LocationFields) -> Location {
    let LocationFields { file_name, line, column, function } = fields;
    Location { file: file_name, line, column, function }
}

fn entry_of(invariant: &Invariant) -> InvariantPart {
    let kind = if invariant.is_of_loop { "loop_invariant" } else { "location_invariant" };
    InvariantPart {
        invariant: InvariantFields {
            kind: kind.to_owned(),
            location: location_fields(&invariant.location),
            value: invariant.value.clone(),
            format: "c_expression".to_owned(),
        },
    }
}

fn invariant_of(part: InvariantPart) -> Result<Invariant, WitnessError> {
    let InvariantFields { kind, location, value, format } = part.invariant;
    if !matches!(format.as_str(), "c_expression" | "ext_c_expression") {
        return Err(WitnessError::new(format!("invariants in '{format}' are not supported")));
    }
    let is_of_loop = match kind.as_str() {
        "loop_invariant" => true,
        "location_invariant" => false,
        other => return Err(WitnessError::new(format!("unknown invariant '{other}'"))),
    };
    Ok(Invariant { is_of_loop, location: location_of(location), value })
}
