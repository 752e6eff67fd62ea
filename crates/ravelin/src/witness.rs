//! Answers in files: witnesses of what was found.

use std::fs;
use std::path::Path;

use jiff::Timestamp;
use ravelin_analysis::verdict::Proof;
use ravelin_base::SrcPos;
use ravelin_cfa::Program;
use ravelin_cfa::passes::PassConfig;
use ravelin_evidence::Execution;
use ravelin_evidence::c_expr::{self, Terms};
use ravelin_frontend::ErrorCalls;
use ravelin_frontend::outline::{Item, Kind, Outline, outline};
use ravelin_frontend::source::{ParsedUnit, with_deep_stack};
use ravelin_witness::columns::{self, Positions};
use ravelin_witness::instrument::{Reading, UnitText, instrument};
use ravelin_witness::{
    Content, Invariant, Location, Task, Witness, WitnessError, graphml, violation, yaml,
};
use sha2::{Digest, Sha256};

use ravelin_verifier::front::SOURCE_PASSES;
use ravelin_verifier::input::SourceLines;
use ravelin_verifier::{Answer, Asked};

use crate::args::InputArgs;
use crate::{front, rests};

/// More candidates for invariants than this are not tried one by one.
const MAX_CANDIDATES: usize = 100;

/// A file that is to hold a witness.
#[derive(Clone, Copy, Debug)]
pub struct WitnessFile<'a> {
    pub input: &'a InputArgs,
    pub asked: &'a Asked,
    pub answer: &'a Answer,
    pub path: &'a Path,
}

/// The contents of a file with a witness of an execution of the program as it stands in the source.
pub fn of_violation(file: WitnessFile<'_>, execution: &Execution) -> Option<String> {
    let units = Units::parse(file.input)?;
    let content = Content::Violation(violation::segments(execution, &units.texts()));
    write(file, content)
}

/// The functions without body that an answer rests on, in a sentence.
fn note(answer: &Answer) -> Option<String> {
    let functions = answer.external_functions();
    let sentences: Vec<String> =
        functions.iter().map(|it| rests::sentence(&rests::told(it))).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// The contents of a file with a witness of a proof, as far as C can express it.
pub fn of_proof(file: WitnessFile<'_>, proof: Option<&Proof>) -> Option<String> {
    let units = Units::parse(file.input)?;
    let candidates = proof.map(|proof| candidates(&file.answer.program, proof, &units));
    let invariants = units.well_formed(file.input, candidates.unwrap_or_default());
    write(file, Content::Correctness(invariants))
}

/// What the proof says at loops, condition by condition. Names may mean something else in the source.
fn candidates(program: &Program, proof: &Proof, units: &Units) -> Vec<Invariant> {
    let terms = Terms { program, pool: &proof.terms, memories: &proof.memories };
    let positions: Vec<Positions> = units.texts().into_iter().map(Positions::of).collect();
    let mut found = Vec::new();
    for invariant in &proof.invariants {
        let procedure = program.name(program.procs[invariant.proc].name);
        let (file, SrcPos { line, column, .. }) = (program.name(invariant.pos.file), invariant.pos);
        let offsets = positions.iter().map(|it| it.tokens_at(file, line, column)).collect();
        let Some(location) = units.loop_at(offsets, procedure) else { continue };
        for value in c_expr::conditions(terms, invariant) {
            let location = location.clone();
            found.push(Invariant { is_of_loop: true, location, value });
        }
    }
    found
}

/// The files of a program: their texts, and what is in them.
#[derive(Debug)]
pub struct Units {
    list: Vec<UnitParts>,
    pub has_threads: bool,
    error_calls: ErrorCalls,
    /// Whether the program says itself what comes from outside.
    pub describes_environment: bool,
}

#[derive(Debug)]
struct UnitParts {
    name: String,
    text: Vec<u8>,
    outline: Outline,
}

impl Units {
    /// None if the files, which were read before, cannot be read any more.
    pub fn parse(input: &InputArgs) -> Option<Units> {
        let input = input.input().ok()?;
        let parse = || {
            let units = ravelin_verifier::front::parse(&input).ok()?;
            let sources = input.source_lines();
            let parts = units.iter().map(|unit| UnitParts::new(unit, &sources));
            let describes_environment = ravelin_frontend::describes_environment(&units);
            Some((parts.collect::<Vec<UnitParts>>(), describes_environment))
        };
        let (list, describes_environment) = with_deep_stack(parse).ok()??;
        let starts = |item: &Item| match &item.kind {
            Kind::Call { name: Some(name), .. } => {
                matches!(name.as_str(), "pthread_create" | "thrd_create")
            }
            Kind::Call { name: None, .. }
            | Kind::Statement { .. }
            | Kind::Declaration
            | Kind::Branch { .. } => false,
        };
        let is_mentioned = |unit: &UnitParts| {
            let mentioned = &unit.outline.mentioned;
            mentioned.contains("pthread_create") || mentioned.contains("thrd_create")
        };
        let has_threads =
            list.iter().any(|unit| unit.outline.items.iter().any(starts) || is_mentioned(unit));
        let error_calls = input.reading.errors;
        Some(Units { list, has_threads, error_calls, describes_environment })
    }

    /// The texts, changed as a witness says.
    pub fn instrumented(
        &self,
        witness: &Witness,
        reading: Reading,
    ) -> Result<Vec<String>, WitnessError> {
        instrument(&self.texts(), witness, self.has_threads, reading, &self.error_calls)
    }

    fn texts(&self) -> Vec<UnitText<'_>> {
        self.list.iter().map(UnitParts::as_text).collect()
    }

    /// The invariants that are C expressions at their places.
    fn well_formed(&self, input: &InputArgs, candidates: Vec<Invariant>) -> Vec<Invariant> {
        let is_taken = |invariants: &[Invariant]| {
            let content = Content::Correctness(invariants.to_vec());
            let witness = Witness { task: Task::default(), content };
            let Ok(texts) = self.instrumented(&witness, Reading::AsWritten) else { return false };
            let input = InputArgs { texts: Some(texts), ..input.clone() };
            front::build_again(&input, SOURCE_PASSES, &PassConfig::default()).is_ok()
        };
        if candidates.is_empty() || is_taken(&candidates) {
            return candidates;
        }
        if candidates.len() > MAX_CANDIDATES {
            return Vec::new();
        }
        let alone = |invariant: &Invariant| is_taken(std::slice::from_ref(invariant));
        candidates.into_iter().filter(alone).collect()
    }

    /// The loop of a function that has its head at a place in the text of some unit: where its condition is evaluated, or
    /// if it has none, where its body begins. None if the loop is not clear: an invariant of another loop, or of a label,
    /// need not hold there.
    fn loop_at(&self, offsets: Vec<Vec<usize>>, function: &str) -> Option<Location> {
        let mut found: Vec<&Item> = Vec::new();
        for (unit, offsets) in self.list.iter().zip(offsets) {
            for offset in offsets {
                found.extend(unit.loop_at(offset).filter(|item| item.function == function));
            }
        }
        let [item] = found.as_slice() else { return None };
        Some(Location {
            file: item.start.file.clone(),
            line: item.start.line,
            column: Some(item.start.told),
            function: Some(item.function.clone()),
        })
    }
}

impl UnitParts {
    fn new(unit: &ParsedUnit, sources: &SourceLines) -> UnitParts {
        let (name, text) = (unit.path.to_string_lossy().into_owned(), unit.map.original().to_vec());
        let mut outline = outline(unit);
        columns::set_columns(&mut outline, &name, &text, |file, line| sources.line(file, line));
        UnitParts { name, text, outline }
    }

    fn as_text(&self) -> UnitText<'_> {
        UnitText { name: &self.name, text: &self.text, outline: &self.outline }
    }

    /// The loop that has its head where something is.
    fn loop_at(&self, offset: usize) -> Option<&Item> {
        let items = &self.outline.items;
        let loops = items.iter().filter_map(|item| match &item.kind {
            Kind::Branch { condition, body: Some(body), .. } => Some((item, condition, body)),
            Kind::Branch { body: None, .. }
            | Kind::Statement { .. }
            | Kind::Declaration
            | Kind::Call { .. } => None,
        });
        let (item, condition, body) =
            loops.rev().find(|(item, ..)| item.range.contains(&offset))?;
        if condition.as_ref().is_some_and(|condition| condition.contains(&offset)) {
            return Some(item);
        }
        let is_endless = condition.as_ref().is_none_or(|condition| {
            condition.end <= body.start
                && self.text[condition.clone()].iter().all(u8::is_ascii_digit)
        });
        // In an endless loop, the first statement of the body is the head, unless a jump may lead there.
        let statements =
            || items.iter().filter(|it| it.is_statement() && it.range.contains(&offset));
        let first =
            statements().find(|it| body.start < it.range.start && it.range.end <= body.end)?;
        let is_first = self.text[body.start..first.range.start]
            .iter()
            .all(|byte| *byte == b'{' || byte.is_ascii_whitespace());
        let has_label = items.iter().any(|it| {
            first.encloses(it)
                && matches!(&it.kind, Kind::Statement { behind_labels, .. } if *behind_labels != it.range)
        });
        (is_endless && is_first && !has_label).then_some(item)
    }
}

fn write(file: WitnessFile<'_>, content: Content) -> Option<String> {
    let WitnessFile { input, asked, answer, path } = file;
    let files = input.files.iter().map(|file| {
        let hash = fs::read(file).map(|bytes| hash(&bytes)).unwrap_or_default();
        (file.to_string_lossy().into_owned(), hash)
    });
    let task = Task {
        files: files.collect(),
        specification: asked.specification(),
        data_model: input.data_model,
        note: note(answer),
    };
    let witness = Witness { task, content };
    let created = Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let written = match path.extension().is_some_and(|extension| extension == "graphml") {
        true => graphml::write(&witness, &created),
        false => yaml::write(&witness, &created),
    };
    written.inspect_err(|error| crate::log(&format!("ravelin: no witness: {error}\n"))).ok()
}

/// The SHA-256 hash of a file's contents.
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
