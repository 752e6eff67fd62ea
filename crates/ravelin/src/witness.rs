//! Answers in files: witnesses of what was found.

use std::fs;
use std::path::Path;

use jiff::Timestamp;
use ravelin_analysis::verdict::Proof;
use ravelin_base::SrcPos;
use ravelin_cfa::Program;
use ravelin_cfa::passes::PassConfig;
use ravelin_evidence::c_expr::{self, Terms};
use ravelin_frontend::outline::{Item, Kind, outline};
use ravelin_frontend::source::{ParsedUnit, with_deep_stack};
use ravelin_interp::Run;
use ravelin_witness::instrument::{Reading, UnitText, instrument};
use ravelin_witness::{
    Content, Invariant, Location, Task, Witness, WitnessError, graphml, violation, yaml,
};
use sha2::{Digest, Sha256};

use ravelin_verifier::front::SOURCE_PASSES;
use ravelin_verifier::input::SourceLines;

use crate::args::InputArgs;
use crate::front;

/// More candidates for invariants than this are not tried one by one.
const MAX_CANDIDATES: usize = 100;

/// The contents of a file with a witness of an execution of the program as it stands in the source.
pub fn of_violation(
    input: &InputArgs,
    path: &Path,
    program: &Program,
    run: &Run,
) -> Option<String> {
    let units = Units::parse(input)?;
    let items: Vec<Item> = units.list.iter().flat_map(|unit| unit.items.clone()).collect();
    let content = Content::Violation(violation::segments(program, run, &items));
    write(input, path, content)
}

/// The contents of a file with a witness of a proof, as far as C can tell it.
pub fn of_proof(
    input: &InputArgs,
    path: &Path,
    proof: Option<(&Program, &Proof)>,
) -> Option<String> {
    let units = Units::parse(input)?;
    let candidates = proof.map(|(program, proof)| candidates(program, proof, &units));
    let invariants = units.well_formed(input, candidates.unwrap_or_default());
    write(input, path, Content::Correctness(invariants))
}

/// What the proof says at loops, condition by condition. Names may mean something else in the source.
fn candidates(program: &Program, proof: &Proof, units: &Units) -> Vec<Invariant> {
    let terms = Terms { program, pool: &proof.terms, memories: &proof.memories };
    let mut found = Vec::new();
    for invariant in &proof.invariants {
        let procedure = program.name(program.procs[invariant.proc].name);
        let Some(location) = units.loop_at(program, invariant.pos, procedure) else { continue };
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
}

#[derive(Debug)]
struct UnitParts {
    name: String,
    text: Vec<u8>,
    items: Vec<Item>,
}

impl Units {
    /// None if they cannot be read any more: they could be before.
    pub fn parse(input: &InputArgs) -> Option<Units> {
        let input = input.input().ok()?;
        let parse = || {
            let units = ravelin_verifier::front::parse(&input).ok()?;
            let sources = input.source_lines();
            let parts = units.iter().map(|unit| UnitParts::new(unit, &sources));
            Some(parts.collect::<Vec<UnitParts>>())
        };
        let list = with_deep_stack(parse).ok()??;
        let starts = |item: &Item| match &item.kind {
            Kind::Call { name: Some(name), .. } => name == "pthread_create",
            Kind::Call { .. } | Kind::Statement | Kind::Declaration | Kind::Branch { .. } => false,
        };
        let has_threads = list.iter().any(|unit| unit.items.iter().any(starts));
        Some(Units { list, has_threads })
    }

    /// The texts, changed as a witness says.
    pub fn instrumented(
        &self,
        witness: &Witness,
        reading: Reading,
    ) -> Result<Vec<String>, WitnessError> {
        let texts: Vec<UnitText<'_>> = self.list.iter().map(UnitParts::as_text).collect();
        instrument(&texts, witness, self.has_threads, reading)
    }

    /// Those invariants that C takes at their places.
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

    /// The innermost loop of a function around a place.
    fn loop_at(&self, program: &Program, pos: SrcPos, function: &str) -> Option<Location> {
        let file = program.name(pos.file);
        let is_it = |item: &&Item| {
            matches!(item.kind, Kind::Branch { body: Some(_), .. })
                && item.function == function
                && item.contains(file, pos.line, pos.column)
        };
        let item = self.list.iter().flat_map(|unit| &unit.items).rfind(is_it)?;
        Some(Location {
            file: item.start.file.clone(),
            line: item.start.line,
            column: Some(item.start.column),
            function: Some(item.function.clone()),
        })
    }
}

impl UnitParts {
    fn new(unit: &ParsedUnit, sources: &SourceLines) -> UnitParts {
        let text = unit.map.original();
        let mut items = outline(unit);
        for item in &mut items {
            let first_line = text[item.range.clone()].split(|&byte| byte == b'\n').next();
            let written = String::from_utf8_lossy(first_line.unwrap_or_default());
            let start = &item.start;
            item.is_verbatim = sources.line(&start.file, start.line).is_some_and(|line| {
                let rest = line.get(start.column.saturating_sub(1) as usize..);
                rest.is_some_and(|rest| rest.starts_with(written.trim_end()))
            });
        }
        let name = unit.path.to_string_lossy().into_owned();
        UnitParts { name, text: text.to_vec(), items }
    }

    fn as_text(&self) -> UnitText<'_> {
        UnitText { name: &self.name, text: &self.text, items: &self.items }
    }
}

fn write(input: &InputArgs, path: &Path, content: Content) -> Option<String> {
    let files = input.files.iter().map(|file| {
        let hash = fs::read(file).map(|bytes| hash(&bytes)).unwrap_or_default();
        (file.to_string_lossy().into_owned(), hash)
    });
    let task = Task {
        files: files.collect(),
        specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".to_owned(),
        data_model: input.data_model,
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
