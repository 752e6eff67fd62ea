//! Whether a witness keeps to the rules of its format, beyond what is needed to understand it.

use serde_yaml_ng::{Mapping, Value};

use crate::graphml;

/// What is wrong with the form of a witness; nothing if all is well.
pub fn problems(text: &str) -> Vec<String> {
    if text.trim_start().starts_with('<') {
        return graphml::problems(text);
    }
    let mut checker = Checker { problems: Vec::new(), has_threads: false };
    match serde_yaml_ng::from_str::<Value>(text) {
        Ok(Value::Sequence(entries)) if !entries.is_empty() => {
            for entry in &entries {
                checker.entry(entry);
            }
        }
        Ok(_) => checker.problems.push("not a list of entries".to_owned()),
        Err(error) => checker.problems.push(format!("not YAML: {error}")),
    }
    checker.problems
}

/// Whether a text is a date and time of ISO 8601, with a time zone.
pub(crate) fn is_time(text: &str) -> bool {
    text.parse::<jiff::Timestamp>().is_ok()
}

/// Whether a text is a SHA-256 hash.
pub(crate) fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

struct Checker {
    problems: Vec<String>,
    /// Whether the version of the format knows threads.
    has_threads: bool,
}

/// What is allowed to stand in a field.
type Check = fn(&Value) -> bool;

fn text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty())
}

fn counted(value: &Value) -> bool {
    value.as_u64().is_some_and(|number| number > 0)
}

fn number(value: &Value) -> bool {
    value.as_u64().is_some()
}

impl Checker {
    fn problem(&mut self, at: &str, what: &str) {
        self.problems.push(format!("{at}: {what}"));
    }

    /// The fields of a mapping: those that must be there and those that may.
    fn fields<'v>(
        &mut self,
        at: &str,
        value: Option<&'v Value>,
        needed: &[(&str, Check)],
        allowed: &[(&str, Check)],
    ) -> Option<&'v Mapping> {
        let Some(mapping) = value.and_then(Value::as_mapping) else {
            self.problem(at, "missing, or no mapping");
            return None;
        };
        for (name, _) in needed {
            if !mapping.contains_key(*name) {
                self.problem(at, &format!("'{name}' is missing"));
            }
        }
        for (name, value) in mapping {
            let name = name.as_str().unwrap_or_default();
            match needed.iter().chain(allowed).find(|(known, _)| *known == name) {
                Some((_, check)) if check(value) => {}
                Some(_) => self.problem(at, &format!("'{name}' has a wrong value")),
                None => self.problem(at, &format!("'{name}' is not known")),
            }
        }
        Some(mapping)
    }

    fn entry(&mut self, entry: &Value) {
        let is_kind: Check =
            |value| matches!(value.as_str(), Some("violation_sequence" | "invariant_set"));
        let needed: &[(&str, Check)] = &[
            ("entry_type", is_kind),
            ("metadata", Value::is_mapping),
            ("content", Value::is_sequence),
        ];
        let Some(fields) = self.fields("entry", Some(entry), needed, &[]) else { return };
        self.metadata(fields.get("metadata"));
        let content = fields.get("content").and_then(Value::as_sequence);
        let parts = content.into_iter().flatten();
        match fields.get("entry_type").and_then(Value::as_str) {
            Some("violation_sequence") => {
                let parts: Vec<&Value> = parts.collect();
                for (number, part) in parts.iter().enumerate() {
                    self.segment(part, number + 1 == parts.len());
                }
                if parts.is_empty() {
                    self.problem("content", "no segment");
                }
            }
            Some(_) | None => parts.for_each(|part| self.invariant(part)),
        }
    }

    fn metadata(&mut self, metadata: Option<&Value>) {
        let version: Check = |value| matches!(value.as_str(), Some("2.0" | "2.1" | "2.2"));
        let uuid: Check =
            |value| value.as_str().is_some_and(|it| uuid::Uuid::try_parse(it).is_ok());
        let time: Check = |value| value.as_str().is_some_and(is_time);
        let needed: &[(&str, Check)] = &[
            ("format_version", version),
            ("uuid", uuid),
            ("creation_time", time),
            ("producer", Value::is_mapping),
            ("task", Value::is_mapping),
        ];
        let Some(fields) = self.fields("metadata", metadata, needed, &[]) else { return };
        self.has_threads = fields.get("format_version").and_then(Value::as_str) == Some("2.2");
        let optional: &[(&str, Check)] =
            &[("configuration", text), ("description", text), ("command_line", text)];
        let producer: &[(&str, Check)] = &[("name", text), ("version", text)];
        self.fields("producer", fields.get("producer"), producer, optional);
        let files: Check = |value| {
            value.as_sequence().is_some_and(|files| !files.is_empty() && files.iter().all(text))
        };
        let hashes: Check = |value| {
            let is_hash = |value: &Value| value.as_str().is_some_and(is_hash);
            value.as_mapping().is_some_and(|hashes| hashes.values().all(is_hash))
        };
        let model: Check = |value| matches!(value.as_str(), Some("ILP32" | "LP64"));
        let language: Check = |value| value.as_str() == Some("C");
        let task: &[(&str, Check)] = &[
            ("input_files", files),
            ("input_file_hashes", hashes),
            ("specification", text),
            ("data_model", model),
            ("language", language),
        ];
        let Some(task) = self.fields("task", fields.get("task"), task, &[]) else { return };
        let names = task.get("input_files").and_then(Value::as_sequence).into_iter().flatten();
        let hashes = task.get("input_file_hashes").and_then(Value::as_mapping);
        for name in names {
            if hashes.is_none_or(|hashes| !hashes.contains_key(name)) {
                self.problem("task", "a file without hash");
            }
        }
    }

    fn segment(&mut self, part: &Value, is_last: bool) {
        let needed: &[(&str, Check)] = &[("segment", Value::is_sequence)];
        let Some(fields) = self.fields("content", Some(part), needed, &[]) else { return };
        let waypoints = fields.get("segment").and_then(Value::as_sequence).into_iter().flatten();
        let (mut followed, mut targets) = (0, 0);
        for part in waypoints {
            let needed: &[(&str, Check)] = &[("waypoint", Value::is_mapping)];
            let Some(fields) = self.fields("segment", Some(part), needed, &[]) else { continue };
            let (action, kind) = self.waypoint(fields.get("waypoint"));
            followed += usize::from(action == "follow");
            targets += usize::from(kind == "target");
        }
        if followed != 1 {
            self.problem("segment", "one waypoint has to be followed");
        }
        if targets != usize::from(is_last) {
            self.problem("segment", "the last segment, and no other, has a target");
        }
    }

    fn waypoint(&mut self, waypoint: Option<&Value>) -> (String, String) {
        let kind: Check = |value| {
            let kinds = ["assumption", "branching", "function_enter", "function_return", "target"];
            value.as_str().is_some_and(|kind| kinds.contains(&kind))
        };
        let action: Check = |value| matches!(value.as_str(), Some("follow" | "avoid"));
        let needed: &[(&str, Check)] =
            &[("type", kind), ("action", action), ("location", Value::is_mapping)];
        let allowed: &[(&str, Check)] = match self.has_threads {
            true => &[("constraint", Value::is_mapping), ("thread_id", number)],
            false => &[("constraint", Value::is_mapping)],
        };
        let Some(fields) = self.fields("waypoint", waypoint, needed, allowed) else {
            return Default::default();
        };
        self.location(fields.get("location"));
        let word =
            |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let (kind, constraint) = (word("type"), fields.get("constraint"));
        match (kind.as_str(), constraint) {
            ("assumption" | "branching", None) => self.problem(&kind, "without constraint"),
            ("function_enter" | "target", Some(_)) => self.problem(&kind, "with constraint"),
            (_, Some(_)) => {
                let format: Check = |value| {
                    let formats = ["c_expression", "ext_c_expression", "acsl_expression"];
                    value.as_str().is_some_and(|format| formats.contains(&format))
                };
                let needed: &[(&str, Check)] = match kind.as_str() {
                    "branching" => &[("value", text)],
                    _ => &[("value", text), ("format", format)],
                };
                self.fields("constraint", constraint, needed, &[]);
            }
            (_, None) => {}
        }
        (word("action"), kind)
    }

    fn location(&mut self, location: Option<&Value>) {
        let needed: &[(&str, Check)] = &[("file_name", text), ("line", counted)];
        let allowed: &[(&str, Check)] = &[("column", counted), ("function", text)];
        self.fields("location", location, needed, allowed);
    }

    fn invariant(&mut self, part: &Value) {
        let needed: &[(&str, Check)] = &[("invariant", Value::is_mapping)];
        let Some(fields) = self.fields("content", Some(part), needed, &[]) else { return };
        let kind: Check =
            |value| matches!(value.as_str(), Some("loop_invariant" | "location_invariant"));
        let format: Check = |value| matches!(value.as_str(), Some("c_expression"));
        let needed: &[(&str, Check)] =
            &[("type", kind), ("location", Value::is_mapping), ("value", text), ("format", format)];
        let Some(fields) = self.fields("invariant", fields.get("invariant"), needed, &[]) else {
            return;
        };
        self.location(fields.get("location"));
    }
}
