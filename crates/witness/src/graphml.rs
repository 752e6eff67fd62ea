//! Witnesses as automata in GraphML: format 1.0.

use std::collections::HashMap;
use std::fmt::Write as _;

use quick_xml::Reader;
use quick_xml::escape::escape;
use quick_xml::events::Event;
use ravelin_base::DataModel;

use crate::form::{is_hash, is_time};
use crate::model::{
    Content, Invariant, Location, PRODUCER, Segment, Task, Way, Waypoint, WaypointKind, Witness,
    WitnessError,
};
use crate::target::STARTS;

/// What nodes, edges and graphs say: the name, for what, and the type.
const KEYS: &[(&str, &str, &str)] = &[
    ("witness-type", "graph", "string"),
    ("sourcecodelang", "graph", "string"),
    ("producer", "graph", "string"),
    ("specification", "graph", "string"),
    ("programfile", "graph", "string"),
    ("programhash", "graph", "string"),
    ("architecture", "graph", "string"),
    ("creationtime", "graph", "string"),
    ("entry", "node", "boolean"),
    ("violation", "node", "boolean"),
    ("sink", "node", "boolean"),
    ("invariant", "node", "string"),
    ("invariant.scope", "node", "string"),
    ("originfile", "edge", "string"),
    ("startline", "edge", "int"),
    ("assumption", "edge", "string"),
    ("assumption.scope", "edge", "string"),
    ("assumption.resultfunction", "edge", "string"),
    ("control", "edge", "string"),
    ("enterFunction", "edge", "string"),
    ("enterLoopHead", "edge", "boolean"),
    ("threadId", "edge", "string"),
    ("createThread", "edge", "string"),
];

/// The text of a file with one witness, made at a time of ISO 8601.
pub fn write(witness: &Witness, created: &str) -> Result<String, WitnessError> {
    let mut out = Output::default();
    let Task { files, specification, data_model, note: _ } = &witness.task;
    let kind = match witness.content {
        Content::Violation(_) => "violation_witness",
        Content::Correctness(_) => "correctness_witness",
    };
    let (file, hash) = files.first().map_or(("", ""), |(file, hash)| (file, hash));
    let architecture = match data_model {
        DataModel::Ilp32 => "32bit",
        DataModel::Lp64 => "64bit",
    };
    out.begin();
    for (key, value) in [
        ("witness-type", kind),
        ("sourcecodelang", "C"),
        ("producer", &format!("{} {}", PRODUCER.0, PRODUCER.1)),
        ("specification", specification),
        ("programfile", file),
        ("programhash", hash),
        ("architecture", architecture),
        ("creationtime", created),
    ] {
        out.data(4, key, value);
    }
    match &witness.content {
        Content::Violation(segments) => write_path(&mut out, segments, file)?,
        Content::Correctness(invariants) => write_invariants(&mut out, invariants, file),
    }
    out.text += "  </graph>\n</graphml>\n";
    Ok(out.text)
}

#[derive(Default)]
struct Output {
    text: String,
}

impl Output {
    fn begin(&mut self) {
        self.text += "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
            <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" \
            xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n";
        for (name, of, kind) in KEYS {
            let default = if *kind == "boolean" { "<default>false</default>" } else { "" };
            // Writing to a string cannot fail, here and below.
            let _ = writeln!(
                self.text,
                "  <key id=\"{name}\" attr.name=\"{name}\" attr.type=\"{kind}\" for=\"{of}\">{default}</key>"
            );
        }
        self.text += "  <graph edgedefault=\"directed\">\n";
    }

    fn data(&mut self, indent: usize, key: &str, value: &str) {
        let _ = writeln!(self.text, "{:indent$}<data key=\"{key}\">{}</data>", "", escape(value));
    }

    fn node(&mut self, number: usize, data: &[(&str, &str)]) {
        let _ = writeln!(self.text, "    <node id=\"N{number}\">");
        for (key, value) in data {
            self.data(6, key, value);
        }
        self.text += "    </node>\n";
    }

    fn edge(&mut self, from: usize, to: usize, data: &[(&str, String)]) {
        let _ = writeln!(self.text, "    <edge source=\"N{from}\" target=\"N{to}\">");
        for (key, value) in data {
            self.data(6, key, value);
        }
        self.text += "    </edge>\n";
    }
}

/// The place of an edge. It has the file if that is not the program's.
fn place_data(location: &Location, file: &str) -> Vec<(&'static str, String)> {
    let mut data = Vec::new();
    if location.file != file {
        data.push(("originfile", location.file.clone()));
    }
    data.push(("startline", location.line.to_string()));
    data
}

fn write_path(out: &mut Output, segments: &[Segment], file: &str) -> Result<(), WitnessError> {
    let mut threads = 0;
    for number in 0..=segments.len() {
        let mut data = Vec::new();
        if number == 0 {
            data.push(("entry", "true"));
        }
        if number == segments.len() {
            data.push(("violation", "true"));
        }
        out.node(number, &data);
    }
    for (number, Segment { avoid, follow, .. }) in segments.iter().enumerate() {
        if !avoid.is_empty() {
            return Err(WitnessError::new("GraphML has no words for what is avoided"));
        }
        let Waypoint { kind, location, thread } = follow;
        let mut data = match kind {
            WaypointKind::AnyTarget => Vec::new(),
            _ => place_data(location, file),
        };
        if let Some(thread) = thread {
            data.push(("threadId", thread.to_string()));
        }
        let scope = location.function.clone();
        match kind {
            WaypointKind::Target | WaypointKind::AnyTarget => {}
            WaypointKind::Assumption(value) if value == "1" => {}
            WaypointKind::Assumption(value) | WaypointKind::Effect(value) => {
                data.push(("assumption", format!("{value};")));
                data.extend(scope.map(|scope| ("assumption.scope", scope)));
            }
            WaypointKind::Branching(Way::Condition(value)) => {
                data.push(("control", format!("condition-{value}")));
            }
            WaypointKind::Branching(Way::Case(_) | Way::Default) => {}
            WaypointKind::FunctionEnter(function) => {
                // Of functions without body, nobody sees the entry.
                let is_start = function.as_ref().is_some_and(|it| STARTS.contains(&it.as_str()));
                if is_start && thread.is_some() {
                    threads += 1;
                    data.push(("createThread", threads.to_string()));
                }
            }
            WaypointKind::FunctionReturn(function, value) => {
                if let (Some(function), Some(value)) = (function, value) {
                    data.push(("assumption", format!("{value};")));
                    data.extend(scope.map(|scope| ("assumption.scope", scope)));
                    data.push(("assumption.resultfunction", function.clone()));
                }
            }
        }
        out.edge(number, number + 1, &data);
    }
    Ok(())
}

/// A state for each place, which everything leads to that comes there.
fn write_invariants(out: &mut Output, invariants: &[Invariant], file: &str) {
    out.node(0, &[("entry", "true")]);
    for (number, invariant) in invariants.iter().enumerate() {
        let mut data = vec![("invariant", invariant.value.as_str())];
        if let Some(function) = &invariant.location.function {
            data.push(("invariant.scope", function));
        }
        out.node(number + 1, &data);
    }
    for from in 0..=invariants.len() {
        for (number, Invariant { is_of_loop, location, .. }) in invariants.iter().enumerate() {
            let mut data = place_data(location, file);
            if *is_of_loop {
                data.push(("enterLoopHead", "true".to_owned()));
            }
            out.edge(from, number + 1, &data);
        }
    }
}

/// Reads a file with one witness.
pub fn read(text: &str) -> Result<Witness, WitnessError> {
    let graph = Graph::parse(text)?;
    let data = |key: &str| graph.data.get(key).cloned().unwrap_or_default();
    let data_model = match data("architecture").as_str() {
        "64bit" => DataModel::Lp64,
        "32bit" | "" => DataModel::Ilp32,
        other => return Err(WitnessError::new(format!("unknown architecture '{other}'"))),
    };
    let file = data("programfile");
    let content = match data("witness-type").as_str() {
        "violation_witness" => Content::Violation(graph.segments(&file)?),
        "correctness_witness" => Content::Correctness(graph.invariants(&file)?),
        other => return Err(WitnessError::new(format!("unknown type of witness '{other}'"))),
    };
    let task = Task {
        files: vec![(file, data("programhash"))],
        specification: data("specification"),
        note: None,
        data_model,
    };
    Ok(Witness { task, content })
}

/// What is wrong with the form of a witness in this format.
pub(crate) fn problems(text: &str) -> Vec<String> {
    let graph = match Graph::parse(text) {
        Ok(graph) => graph,
        Err(error) => return vec![error.to_string()],
    };
    let mut problems = Vec::new();
    let known = |of: &str, key: &str| KEYS.iter().any(|it| (it.0, it.1) == (key, of));
    for (key, _, _) in KEYS.iter().filter(|(_, of, _)| *of == "graph") {
        match graph.data.get(*key) {
            None => problems.push(format!("'{key}' is missing")),
            Some(time) if *key == "creationtime" && !is_time(time) => {
                problems.push(format!("'{time}' is no time"));
            }
            Some(hash) if *key == "programhash" && !is_hash(hash) => {
                problems.push(format!("'{hash}' is no hash"));
            }
            Some(_) => {}
        }
    }
    let keys_of = |of: &'static str, data: &Data| -> Vec<String> {
        let unknown = data.keys().filter(|key| !known(of, key));
        unknown.map(|key| format!("'{key}' is not known of a {of}")).collect()
    };
    problems.extend(graph.nodes.iter().flat_map(|(_, data)| keys_of("node", data)));
    problems.extend(graph.edges.iter().flat_map(|edge| keys_of("edge", &edge.data)));
    let marked = |key: &str| graph.nodes.iter().filter(|(id, _)| graph.is_marked(id, key)).count();
    if marked("entry") != 1 {
        problems.push("there has to be one entry".to_owned());
    }
    let is_violation =
        graph.data.get("witness-type").is_some_and(|kind| kind == "violation_witness");
    if is_violation != (marked("violation") > 0) {
        problems.push("violations are for violation witnesses, and needed there".to_owned());
    }
    for edge in &graph.edges {
        for end in [&edge.source, &edge.target] {
            if !graph.nodes.iter().any(|(id, _)| id == end) {
                problems.push(format!("there is no node '{end}'"));
            }
        }
    }
    problems
}

type Data = HashMap<String, String>;

#[derive(Debug, Default)]
struct Graph {
    data: Data,
    nodes: Vec<(String, Data)>,
    edges: Vec<EdgeData>,
}

#[derive(Debug, Default)]
struct EdgeData {
    source: String,
    target: String,
    data: Data,
}

/// What data belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Graph,
    Node,
    Edge,
}

impl Graph {
    fn parse(text: &str) -> Result<Graph, WitnessError> {
        let malformed = |error: quick_xml::Error| WitnessError::new(format!("not XML: {error}"));
        let mut reader = Reader::from_str(text);
        let mut graph = Graph::default();
        let mut part = Part::Graph;
        let mut key: Option<(String, String)> = None;
        let mut depth = 0;
        loop {
            let event = reader.read_event().map_err(malformed)?;
            match &event {
                Event::Start(_) => depth += 1,
                Event::End(_) => depth -= 1,
                Event::Eof if depth > 0 => return Err(WitnessError::new("not XML: it breaks off")),
                _ => {}
            }
            match event {
                Event::Start(start) | Event::Empty(start) => {
                    let attribute = |name: &str| -> Result<String, WitnessError> {
                        let found = start
                            .try_get_attribute(name)
                            .map_err(|error| WitnessError::new(format!("not XML: {error}")))?;
                        let value = found.and_then(|it| it.unescape_value().ok());
                        Ok(value.unwrap_or_default().into_owned())
                    };
                    match start.local_name().as_ref() {
                        b"node" => {
                            graph.nodes.push((attribute("id")?, Data::new()));
                            part = Part::Node;
                        }
                        b"edge" => {
                            let (source, target) = (attribute("source")?, attribute("target")?);
                            graph.edges.push(EdgeData { source, target, data: Data::new() });
                            part = Part::Edge;
                        }
                        b"data" => key = Some((attribute("key")?, String::new())),
                        _ => {}
                    }
                }
                Event::Text(text) => {
                    if let Some((_, value)) = &mut key {
                        let text = text.decode().map_err(|error| malformed(error.into()))?;
                        *value += &text;
                    }
                }
                Event::GeneralRef(reference) => {
                    if let Some((_, value)) = &mut key {
                        value.push_str(&resolved(&reference)?);
                    }
                }
                Event::CData(text) => {
                    if let Some((_, value)) = &mut key {
                        value.push_str(&String::from_utf8_lossy(&text));
                    }
                }
                Event::End(end) => match end.local_name().as_ref() {
                    b"data" => {
                        if let Some((key, value)) = key.take() {
                            graph.data_of(part).insert(key, value.trim().to_owned());
                        }
                    }
                    b"node" | b"edge" => part = Part::Graph,
                    _ => {}
                },
                Event::Eof => break,
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
        if graph.nodes.is_empty() {
            return Err(WitnessError::new("there is no automaton in it"));
        }
        Ok(graph)
    }

    fn data_of(&mut self, part: Part) -> &mut Data {
        match part {
            Part::Graph => &mut self.data,
            // There is one, or this would not be the part.
            Part::Node => self.nodes.last_mut().map_or(&mut self.data, |(_, data)| data),
            Part::Edge => self.edges.last_mut().map_or(&mut self.data, |edge| &mut edge.data),
        }
    }

    fn is_marked(&self, id: &str, key: &str) -> bool {
        let node = self.nodes.iter().find(|(node, _)| node == id);
        node.is_some_and(|(_, data)| data.get(key).is_some_and(|value| value == "true"))
    }

    /// The only way from the entry to the violation.
    fn segments(&self, file: &str) -> Result<Vec<Segment>, WitnessError> {
        let mut out: HashMap<&str, Vec<&EdgeData>> = HashMap::new();
        for edge in &self.edges {
            if edge.source != edge.target && !self.is_marked(&edge.target, "sink") {
                out.entry(&edge.source).or_default().push(edge);
            }
        }
        let entry = self.nodes.iter().find(|(id, _)| self.is_marked(id, "entry"));
        let entry = entry.ok_or_else(|| WitnessError::new("there is no entry"))?;
        let mut at = &entry.0;
        let mut threads = Threads::default();
        let mut segments = Vec::new();
        let mut steps = 0;
        while !self.is_marked(at, "violation") {
            steps += 1;
            let edge = match out.get(at.as_str()).map(Vec::as_slice) {
                Some(&[edge]) if steps <= self.edges.len() => edge,
                Some([]) | None => {
                    return Err(WitnessError::new("the way to the violation breaks off"));
                }
                Some(_) => {
                    return Err(WitnessError::new("automata with several ways are not supported"));
                }
            };
            let is_last = self.is_marked(&edge.target, "violation");
            segments.extend(edge.segments(file, is_last, &mut threads)?);
            at = &edge.target;
        }
        Ok(segments)
    }

    /// Of the states that are entered with a loop or at a line. What is said of others cannot be looked at.
    fn invariants(&self, file: &str) -> Result<Vec<Invariant>, WitnessError> {
        let mut found: Vec<Invariant> = Vec::new();
        for (id, data) in &self.nodes {
            let Some(value) = data.get("invariant") else { continue };
            if matches!(value.trim_matches(['(', ')', ' ']), "1" | "true") {
                continue;
            }
            let nowhere = || {
                let why = format!("the invariant '{value}' is of no line");
                WitnessError::unsupported(why)
            };
            let mut entering = self.edges.iter().filter(|edge| edge.target == *id).peekable();
            if self.is_marked(id, "entry") || entering.peek().is_none() {
                return Err(nowhere());
            }
            for edge in entering {
                // Who stays there was there before.
                let is_staying = edge.source == edge.target;
                let Some(line) = edge.number("startline") else {
                    if is_staying {
                        continue;
                    }
                    return Err(nowhere());
                };
                let is_of_loop =
                    edge.data.get("enterLoopHead").is_some_and(|value| value == "true");
                if is_staying && !is_of_loop {
                    continue;
                }
                let location = Location {
                    file: edge.file(file),
                    line,
                    column: None,
                    function: data.get("invariant.scope").cloned(),
                };
                let invariant = Invariant { is_of_loop, location, value: value.clone() };
                if !found.contains(&invariant) {
                    found.push(invariant);
                }
            }
        }
        Ok(found)
    }
}

/// The names of the threads of a witness.
#[derive(Debug, Default)]
struct Threads<'a> {
    /// That of the thread that the witness names first.
    main: Option<&'a str>,
    /// In the order in which they are started.
    started: Vec<&'a str>,
}

impl<'a> Threads<'a> {
    fn number(&mut self, name: &'a str) -> Result<u32, WitnessError> {
        if let Some(index) = self.started.iter().rposition(|&it| it == name) {
            return Ok(index as u32 + 1);
        }
        match *self.main.get_or_insert(name) == name {
            true => Ok(0),
            false => Err(WitnessError::new(format!("the thread '{name}' was not created"))),
        }
    }
}

impl EdgeData {
    fn number(&self, key: &str) -> Option<u32> {
        self.data.get(key)?.parse().ok()
    }

    /// The file it is in: that of the program if it does not say.
    fn file(&self, program: &str) -> String {
        self.data.get("originfile").map_or(program, String::as_str).to_owned()
    }

    /// What an edge asks for: a thread that starts, a value, a branch, or that somebody comes there.
    fn segments<'a>(
        &'a self,
        file: &str,
        is_last: bool,
        threads: &mut Threads<'a>,
    ) -> Result<Vec<Segment>, WitnessError> {
        let text = |key: &str| self.data.get(key).map(String::as_str);
        let thread = text("threadId").map(|name| threads.number(name)).transpose()?;
        let created = text("createThread");
        threads.started.extend(created);
        let Some(line) = self.number("startline") else {
            if let Some(line) = text("startline") {
                return Err(WitnessError::new(format!("there is no line '{line}'")));
            }
            for key in ["assumption", "control", "createThread"] {
                if let Some(value) = text(key) {
                    let why = format!("'{key}' is '{value}', of no line");
                    return Err(WitnessError::unsupported(why));
                }
            }
            let (kind, location) = (WaypointKind::AnyTarget, Location::default());
            let target = Segment::to(Waypoint { kind, location, thread });
            return Ok(is_last.then_some(target).into_iter().collect());
        };
        let location = Location {
            file: self.file(file),
            line,
            column: None,
            function: text("assumption.scope").map(str::to_owned),
        };
        let mut segments = Vec::new();
        let mut ask = |kind: WaypointKind| {
            let follow = Waypoint { kind, location: location.clone(), thread };
            segments.push(Segment { is_strict: false, ..Segment::to(follow) });
        };
        if created.is_some() {
            ask(WaypointKind::FunctionEnter(Some("pthread_create".to_owned())));
        }
        match text("control") {
            Some("condition-true") => ask(WaypointKind::Branching(Way::Condition(true))),
            Some("condition-false") => ask(WaypointKind::Branching(Way::Condition(false))),
            Some(_) | None => {}
        }
        if let Some(assumption) = text("assumption") {
            let value = conjunction(assumption)?;
            match value.contains("\\result") {
                true => {
                    let function = text("assumption.resultfunction").map(str::to_owned);
                    ask(WaypointKind::FunctionReturn(function, Some(value)));
                }
                false => ask(WaypointKind::Effect(value)),
            }
        }
        if is_last {
            ask(WaypointKind::Target);
        } else if segments.is_empty() && thread.is_some() {
            let kind = WaypointKind::Assumption("1".to_owned());
            let follow = Waypoint { kind, location: location.clone(), thread };
            segments.push(Segment { is_strict: false, ..Segment::to(follow) });
        }
        Ok(segments)
    }
}

/// What all of these assumptions say, which semicolons end. Of a variable that is assigned a constant, as CBMC
/// writes it, this is said to be the value.
fn conjunction(assumptions: &str) -> Result<String, WitnessError> {
    let mut parts = Vec::new();
    for part in assumptions.split(';').map(str::trim).filter(|part| !part.is_empty()) {
        let mut depth = 0;
        for c in part.chars() {
            depth += i32::from(c == '(') - i32::from(c == ')');
            if depth < 0 {
                break;
            }
        }
        if depth != 0 {
            return Err(WitnessError::new(format!("'{part}' is not one C expression")));
        }
        parts.push(match part.split_once('=') {
            Some((name, value)) if is_name(name.trim()) && is_constant(value.trim()) => {
                format!("{} == {}", name.trim(), value.trim())
            }
            Some(_) | None => part.to_owned(),
        });
    }
    match parts.as_slice() {
        [] => Ok("1".to_owned()),
        [part] => Ok(part.clone()),
        _ => Ok(parts.iter().map(|part| format!("({part})")).collect::<Vec<_>>().join(" && ")),
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_constant(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '.')
}

/// The character that an entity stands for.
fn resolved(reference: &quick_xml::events::BytesRef<'_>) -> Result<String, WitnessError> {
    let malformed = || WitnessError::new("not XML: unknown entity");
    if let Some(character) = reference.resolve_char_ref().map_err(|_| malformed())? {
        return Ok(character.to_string());
    }
    let name = reference.decode().map_err(|_| malformed())?;
    let text = quick_xml::escape::resolve_predefined_entity(&name).ok_or_else(malformed)?;
    Ok(text.to_owned())
}
