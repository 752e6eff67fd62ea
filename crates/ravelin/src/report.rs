//! A run as data: what pages and machines are told.

use std::env;
use std::fs;

use ravelin_analysis::graph::{StateGraph, StateNode};
use ravelin_analysis::verdict;
use ravelin_base::Budget;
use ravelin_cfa::{Edge, Loc, Op, Proc, Procedure, Program, print};
use ravelin_evidence::c_expr::{self, Terms};
use ravelin_evidence::story::Files;
use ravelin_report::model::{
    self, EdgeKind, Graph, Invariant, Node, NodeKind, Phase, Report, SourceFile,
};
use ravelin_verifier::{Answer, Input, Proof, Verdict};

use crate::args::VerifyArgs;
use crate::summary::ASSUMPTIONS;

/// Longer labels of automata are cut.
const MAX_LABEL: usize = 80;

/// What there is to show of a run.
#[derive(Debug)]
pub struct Shown<'a> {
    pub verdict: String,
    pub input: &'a Input,
    pub answer: &'a Answer,
    /// The abstract states that the answer was found in.
    pub states: Option<StateGraph>,
    /// Lines of the form `stat NAME VALUE`.
    pub statistics: &'a str,
}

/// Everything about a run that others are told.
pub fn gather(shown: &Shown<'_>, budget: Budget) -> Report {
    let Shown { answer, input, .. } = shown;
    let program = &answer.program;
    let mut files = Files::default();
    let mut trace = None;
    let mut told = Vec::new();
    match &answer.verdict {
        Verdict::False(violation) => {
            trace = violation.story(input, budget).map(|story| {
                files.names = story.files;
                story.trace
            });
        }
        Verdict::True(Proof::Abstraction(proof)) => told = invariants(program, proof, &mut files),
        Verdict::True(Proof::Explored { .. }) | Verdict::Unknown(_) => {}
    }
    let automata = automata(program, &mut files);
    let arg = shown.states.as_ref().map(|states| state_graph(program, states, &mut files));
    let (phases, statistics) = statistics(shown.statistics);
    Report {
        verdict: shown.verdict.clone(),
        summary: summary(&answer.verdict),
        command: command(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        data_model: input.data_model.to_string(),
        property: PROPERTY.to_owned(),
        assumptions: assumptions(),
        trace,
        arg,
        automata,
        precision: Vec::new(),
        invariants: told,
        statistics,
        phases,
        // Last, when all files are known.
        files: files.names.into_iter().map(source_file).collect(),
    }
}

/// What there is to tell of a run that ended before it could say anything.
pub fn without_answer(args: &VerifyArgs, verdict: String, lines: &str) -> Report {
    let (phases, statistics) = statistics(lines);
    let names = args.input.files.iter().map(|file| file.to_string_lossy().into_owned());
    Report {
        verdict,
        summary: NO_ANSWER.to_owned(),
        command: command(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        data_model: args.input.data_model.to_string(),
        property: PROPERTY.to_owned(),
        assumptions: assumptions(),
        statistics,
        phases,
        files: names.map(source_file).collect(),
        ..Report::default()
    }
}

const PROPERTY: &str = "G ! call(reach_error())";

const NO_ANSWER: &str = "There is no answer; the verdict says why.";

fn command() -> Vec<String> {
    ["ravelin".to_owned()].into_iter().chain(env::args().skip(1)).collect()
}

fn assumptions() -> Vec<String> {
    ASSUMPTIONS.iter().map(|assumption| assumption.text.to_owned()).collect()
}

fn source_file(name: String) -> SourceFile {
    let text = text_of(&name).unwrap_or_default();
    SourceFile { name, text }
}

fn text_of(file: &str) -> Option<String> {
    fs::read(file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

fn summary(verdict: &Verdict) -> String {
    match verdict {
        Verdict::True(_) => "No execution reaches the error.".to_owned(),
        Verdict::False(violation) if violation.execution.is_some() => violation.outcome.clone(),
        Verdict::False(_) => {
            "An execution reaches the error; it was found in the analysed automaton only."
                .to_owned()
        }
        Verdict::Unknown(_) => NO_ANSWER.to_owned(),
    }
}

fn invariants(program: &Program, proof: &verdict::Proof, files: &mut Files) -> Vec<Invariant> {
    let terms = Terms { program, pool: &proof.terms, memories: &proof.memories };
    let told = proof.invariants.iter().filter_map(|invariant| {
        let at = files.position(program, invariant.pos)?;
        Some(Invariant { at, text: c_expr::invariant(terms, invariant) })
    });
    told.collect()
}

/// Times, and everything else.
fn statistics(lines: &str) -> (Vec<Phase>, Vec<(String, String)>) {
    let (mut phases, mut others) = (Vec::new(), Vec::new());
    for line in lines.lines() {
        let mut words = line.split(' ').skip(1);
        let (Some(name), Some(value)) = (words.next(), words.next()) else { continue };
        match (name.strip_prefix("time_"), value.parse()) {
            (Some(phase), Ok(seconds)) => {
                phases.push(Phase { name: phase.to_owned(), seconds });
            }
            _ => others.push((name.replace('_', " "), value.to_owned())),
        }
    }
    (phases, others)
}

fn automata(program: &Program, files: &mut Files) -> Vec<Graph> {
    let graph = |procedure: &Procedure| {
        let nodes = procedure.locs.keys().map(|loc| node(program, procedure, loc, files)).collect();
        let edges = procedure.edges.values().map(|edge| {
            let labels = edge.labels.iter().map(|label| print::op(program, &label.op).to_string());
            let label = labels.collect::<Vec<_>>().join("; ");
            model::Edge {
                from: procedure_index(edge.source),
                to: procedure_index(edge.target),
                label: cut(label),
                kind: EdgeKind::Plain,
            }
        });
        Graph { name: program.name(procedure.name).to_owned(), edges: edges.collect(), nodes }
    };
    program.procs.values().map(graph).collect()
}

/// Each state by where its threads are.
fn state_graph(program: &Program, states: &StateGraph, files: &mut Files) -> Graph {
    let line = |proc: Proc, loc: Loc| {
        let procedure = &program.procs[proc];
        let edge = procedure.locs[loc].out.first()?;
        procedure.edges[*edge].labels.first().map(|label| label.pos)
    };
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    for (number, state) in states.nodes.iter().enumerate() {
        let places: Vec<String> = state
            .places
            .iter()
            .map(|&(proc, loc)| {
                let name = program.name(program.procs[proc].name);
                match line(proc, loc).filter(|pos| !pos.is_none()) {
                    Some(pos) => format!("{name}:{}", pos.line),
                    None => format!("{name} {loc}"),
                }
            })
            .collect();
        let kind = match state {
            _ if number == 0 => NodeKind::Entry,
            StateNode { is_error: true, .. } => NodeKind::Error,
            StateNode { covered_by: Some(_), .. } => NodeKind::Covered,
            StateNode { .. } => NodeKind::Plain,
        };
        let first = state.places.first().and_then(|&(proc, loc)| line(proc, loc));
        let at = first.and_then(|pos| files.position(program, pos));
        let label = match places.is_empty() {
            true => "end".to_owned(),
            false => places.join("  "),
        };
        nodes.push(Node { label, kind, detail: format!("state {number}"), at });
        edges.extend(state.parents.iter().map(|&from| model::Edge {
            from,
            to: number,
            label: String::new(),
            kind: EdgeKind::Plain,
        }));
        edges.extend(state.covered_by.map(|to| model::Edge {
            from: number,
            to,
            label: String::new(),
            kind: EdgeKind::Cover,
        }));
    }
    Graph { name: "states".to_owned(), nodes, edges }
}

fn procedure_index(loc: Loc) -> usize {
    ravelin_base::EntityRef::index(loc)
}

fn node(program: &Program, procedure: &Procedure, loc: Loc, files: &mut Files) -> Node {
    let out = &procedure.locs[loc].out;
    let labels = |edge: &Edge| &procedure.edges[*edge].labels;
    let first = out.first().and_then(|edge| labels(edge).first());
    let is_error =
        out.iter().any(|edge| labels(edge).iter().any(|label| matches!(label.op, Op::Error(_))));
    let kind = if loc == procedure.entry {
        NodeKind::Entry
    } else if loc == procedure.exit {
        NodeKind::Exit
    } else if is_error {
        NodeKind::Error
    } else {
        NodeKind::Plain
    };
    let at = first.and_then(|label| files.position(program, label.pos));
    let label = at.map_or_else(|| loc.to_string(), |at| format!("{loc} :{}", at.line));
    Node { label, kind, detail: String::new(), at }
}

fn cut(label: String) -> String {
    match label.char_indices().nth(MAX_LABEL) {
        Some((end, _)) => format!("{}…", &label[..end]),
        None => label,
    }
}
