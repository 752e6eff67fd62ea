//! A run as data, for pages and machines.

use std::env;
use std::fs;

use ravelin_analysis::graph::{Fact, Parent, StateGraph, StateNode, Tracked, TrackedWhat};
use ravelin_analysis::verdict;
use ravelin_base::SrcPos;
use ravelin_cfa::{Edge, Loc, Op, Proc, Procedure, Program, VarKind, print};
use ravelin_evidence::c_expr::{self, Terms};
use ravelin_evidence::memory::memory_error;
use ravelin_evidence::step_trace::Files;
use ravelin_evidence::weakness as cwe;
use ravelin_report::model::{
    self, EdgeKind, Figure, Graph, Invariant, Node, NodeKind, Phase, Position, PrecisionEntry,
    Report, SourceFile,
};
use ravelin_verifier::statistics::{self, Entry, Kind};
use ravelin_verifier::{Answer, Asked, Input, Place, Proof, Property, Statistics, Verdict};

use crate::args::VerifyArgs;
use crate::decided::names;
use crate::rests::{self, sentence};
use crate::summary::{self, hint};

/// Longer labels of automata are cut.
const MAX_LABEL: usize = 80;

/// Graphs up to this size show the facts of their states; larger pages would be too large.
const MAX_DETAILED_STATES: usize = 5000;

/// What there is to show of a run.
#[derive(Debug)]
pub struct Shown<'a> {
    pub asked: &'a Asked,
    pub input: &'a Input,
    pub answer: &'a Answer,
    /// The abstract states that the answer was found in.
    pub states: Option<StateGraph>,
    pub statistics: &'a Statistics,
}

/// Everything that a report shows of a run.
pub fn gather(shown: &Shown<'_>) -> Report {
    let Shown { answer, input, .. } = shown;
    let program = &answer.program;
    let mut files = Files::default();
    let (mut trace, mut memory, mut weakness) = (None, None, None);
    let mut loop_invariants = Vec::new();
    match &answer.verdict {
        Verdict::False(violation) => {
            trace = violation.step_trace(input).map(|steps| {
                files.names = steps.files;
                steps.trace
            });
            if let Some(execution) = &violation.execution {
                memory = memory_error(execution, &mut files);
                weakness = cwe::weakness(&execution.outcome, &execution.program);
            }
        }
        Verdict::True(Proof::Abstraction(proof)) => {
            loop_invariants = invariants(program, proof, &mut files);
        }
        Verdict::True(Proof::Explored { .. }) | Verdict::Unknown(_) => {}
    }
    let automata = automata(program, &mut files);
    // An answer by exploring all states has no abstraction.
    let (states, explored) = match answer.verdict {
        Verdict::True(Proof::Explored { states }) => (None, Some(states)),
        Verdict::True(Proof::Abstraction(_)) | Verdict::False(_) | Verdict::Unknown(_) => {
            (shown.states.as_ref(), None)
        }
    };
    let arg = states.map(|states| state_graph(program, states, &mut files));
    let precision = states.map(|states| precision(program, states, &mut files));
    let (phases, mut statistics, seconds) = figures(shown.statistics);
    if let Some(explored) = explored {
        statistics.insert(0, ("explored states".to_owned(), Figure::Count(explored as u64)));
    }
    let external: Vec<_> = answer.external_functions().iter().map(rests::told).collect();
    let place = place(&answer.verdict, &mut files);
    Report {
        verdict: answer.verdict.to_string(),
        summary: in_a_sentence(shown.asked, &answer.verdict) + &vacuity(shown),
        hint: match &answer.verdict {
            Verdict::Unknown(reason) => hint(reason).map(str::to_owned),
            Verdict::True(_) | Verdict::False(_) => None,
        },
        place,
        command: command(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        data_model: input.reading.data_model.to_string(),
        property: formulas(shown.asked),
        assumptions: assumptions(shown.asked)
            .into_iter()
            .chain(external.iter().map(sentence))
            .collect(),
        external_functions: external,
        trace,
        memory,
        weakness,
        arg,
        automata,
        precision: precision.unwrap_or_default(),
        invariants: loop_invariants,
        statistics,
        phases,
        seconds,
        // Last, when all files are known.
        files: files.names.into_iter().map(source_file).collect(),
    }
}

/// The report of a run that ended without an answer.
pub fn without_answer(
    args: &VerifyArgs,
    verdict: &Verdict,
    asked: &Asked,
    statistics: &Statistics,
) -> Report {
    let (phases, statistics, seconds) = figures(statistics);
    let names = args.input.files.iter().map(|file| file.to_string_lossy().into_owned());
    Report {
        verdict: verdict.to_string(),
        summary: NO_ANSWER.to_owned(),
        command: command(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        data_model: args.input.data_model.to_string(),
        property: formulas(asked),
        assumptions: assumptions(asked),
        statistics,
        phases,
        seconds,
        files: names.map(source_file).collect(),
        ..Report::default()
    }
}

/// What was asked, as property files write it.
fn formulas(asked: &Asked) -> String {
    let formulas: Vec<&str> = asked.properties.iter().map(Property::formula).collect();
    asked.other.clone().unwrap_or_else(|| formulas.join(", "))
}

const NO_ANSWER: &str = "There is no answer; the verdict says why.";

fn command() -> Vec<String> {
    ["ravelin".to_owned()].into_iter().chain(env::args().skip(1)).collect()
}

fn assumptions(asked: &Asked) -> Vec<String> {
    let assumptions = summary::assumptions(asked.properties);
    assumptions.iter().map(|assumption| assumption.text.to_owned()).collect()
}

fn source_file(name: String) -> SourceFile {
    let text = text_of(&name).unwrap_or_default();
    SourceFile { name, text }
}

fn text_of(file: &str) -> Option<String> {
    fs::read(file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// A sentence more where the answer says less than it seems.
fn vacuity(Shown { asked, answer, .. }: &Shown<'_>) -> String {
    let vacuity = answer.vacuities.of(asked.properties);
    vacuity.map(|vacuity| format!(" But {vacuity}.")).unwrap_or_default()
}

fn in_a_sentence(asked: &Asked, verdict: &Verdict) -> String {
    let does = match *asked == Asked::default() {
        true => "reaches the error".to_owned(),
        false => format!("violates {}", names(asked)),
    };
    match verdict {
        Verdict::True(Proof::Abstraction(_)) => format!("No execution {does}."),
        Verdict::True(Proof::Explored { states }) => {
            format!("No execution {does}: all {states} states were visited.")
        }
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
    let with_places = proof.invariants.iter().filter_map(|invariant| {
        let at = files.position(program, invariant.pos)?;
        let text = c_expr::invariant(terms, invariant);
        (!text.is_empty()).then_some(Invariant { at, text })
    });
    with_places.collect()
}

/// The place that an answer names.
fn place(verdict: &Verdict, files: &mut Files) -> Option<Position> {
    match verdict {
        Verdict::True(_) => None,
        Verdict::False(violation) => {
            let execution = violation.execution.as_ref()?;
            let pos = execution.outcome.pos()?;
            files.position(&execution.program, pos)
        }
        Verdict::Unknown(reason) => {
            let Place { file, line, column } = reason.place()?;
            let file = files.names.iter().position(|name| name == file)?;
            Some(Position { file, line: *line, column: *column })
        }
    }
}

/// What is tracked, with where that is.
fn precision(program: &Program, states: &StateGraph, files: &mut Files) -> Vec<PrecisionEntry> {
    let mut entries: Vec<PrecisionEntry> = states
        .precision
        .iter()
        .map(|Tracked { at, what }| {
            let of = at.map(|(proc, _)| proc);
            let what = match what {
                TrackedWhat::Value(fact) => fact_text(program, states, fact, of, Threads::Same),
                TrackedWhat::Predicate(fact) => {
                    fact_text(program, states, fact, of, Threads::Differ)
                }
                TrackedWhat::Pointers => "all pointers".to_owned(),
            };
            let Some((proc, loc)) = *at else {
                return PrecisionEntry { place: "everywhere".to_owned(), what, at: None };
            };
            let pos = line_of(program, proc, loc);
            let name = program.name(program.procs[proc].name);
            let place = match pos {
                Some(pos) => format!("{name}, line {}", pos.line),
                None => format!("{name}, {loc}"),
            };
            let at = pos.and_then(|pos| files.position(program, pos));
            PrecisionEntry { place, what, at }
        })
        .collect();
    entries.dedup();
    if states.nameless > 0 {
        let what = format!("{} more, of which the program has no name", states.nameless);
        entries.push(PrecisionEntry { place: String::new(), what, at: None });
    }
    entries
}

/// Whether what is said of one thread is said of all that run the same function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Threads {
    Same,
    Differ,
}

/// A fact in C, and whose locals it speaks of if they are not those of `here`.
fn fact_text(
    program: &Program,
    states: &StateGraph,
    fact: &Fact,
    here: Option<Proc>,
    threads: Threads,
) -> String {
    let Some(terms) = &states.terms else { return String::new() };
    let pool = &terms.pool;
    let text = c_expr::text(Terms { program, pool, memories: &terms.memories }, fact.term);
    let mut owners: Vec<&str> = Vec::new();
    for var in pool.vars_of(fact.term) {
        if let Some(VarKind::Local(proc)) = program.vars.get(var).map(|data| data.kind)
            && (Some(proc) != here || threads == Threads::Differ && program.is_concurrent())
            && !owners.contains(&program.name(program.procs[proc].name))
        {
            owners.push(program.name(program.procs[proc].name));
        }
    }
    if fact.locals_of.is_empty() || owners.is_empty() {
        return cut(text);
    }
    let mut whose = owners.join(", ");
    if threads == Threads::Differ && program.is_concurrent() {
        let mut numbers: Vec<u32> = fact.locals_of.iter().map(|(thread, _)| *thread).collect();
        numbers.dedup();
        let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
        whose += &format!(", thread {}", numbers.join(" and "));
    }
    format!("{} (in {whose})", cut(text))
}

/// Phases, everything else, and how long it took in all.
fn figures(statistics: &Statistics) -> (Vec<Phase>, Vec<(String, Figure)>, f64) {
    let (mut phases, mut others, mut total) = (Vec::new(), Vec::new(), 0.0);
    for Entry { name, figure, kind } in statistics.entries() {
        let name = name.replace('_', " ");
        let figure = match figure {
            statistics::Figure::Count(count) => Figure::Count(count),
            // Milliseconds are what is measured.
            statistics::Figure::Time(time) => {
                Figure::Seconds((time.as_secs_f64() * 1000.0).round() / 1000.0)
            }
        };
        match (kind, figure) {
            (Kind::Phase { part_of }, Figure::Seconds(seconds)) => {
                phases.push(Phase { name, seconds, part_of: part_of.map(str::to_owned) });
            }
            (Kind::Total, Figure::Seconds(seconds)) => total = seconds,
            (Kind::Plain | Kind::Phase { .. } | Kind::Total, figure) => {
                others.push((name, figure));
            }
        }
    }
    (phases, others, total)
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
    let is_detailed = states.nodes.len() <= MAX_DETAILED_STATES;
    let (mut nodes, mut edges) = (Vec::new(), Vec::new());
    for (number, state) in states.nodes.iter().enumerate() {
        let places: Vec<String> = state
            .places
            .iter()
            .map(|&(proc, loc)| {
                let name = program.name(program.procs[proc].name);
                match line_of(program, proc, loc) {
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
        let first = state.places.first().and_then(|&(proc, loc)| line_of(program, proc, loc));
        let at = first.and_then(|pos| files.position(program, pos));
        let label = match places.is_empty() {
            true => "end".to_owned(),
            false => places.join("  "),
        };
        let detail = match is_detailed {
            true => detail(program, states, number, state),
            false => format!("state {number}"),
        };
        nodes.push(Node { label, kind, detail, at });
        edges.extend(state.parents.iter().map(|&Parent { state: from, edge, .. }| {
            let label =
                edge.filter(|_| is_detailed).map(|(proc, edge)| operations(program, proc, edge));
            let label = label.unwrap_or_default();
            model::Edge { from, to: number, label, kind: EdgeKind::Plain }
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

/// What a state knows.
fn detail(program: &Program, states: &StateGraph, number: usize, state: &StateNode) -> String {
    let here = state.places.first().map(|&(proc, _)| proc);
    let known = match &state.facts {
        // Nothing was abstracted yet.
        _ if state.parents.is_empty() => "the beginning".to_owned(),
        None => "inside of a block: what is known is computed at its end".to_owned(),
        Some(facts) if facts.is_empty() => "nothing is known".to_owned(),
        Some(facts) => {
            let texts =
                facts.iter().map(|it| fact_text(program, states, it, here, Threads::Differ));
            texts.collect::<Vec<_>>().join("\n")
        }
    };
    format!("state {number}\n{known}")
}

/// The line that a location stands at, if it does in any.
fn line_of(program: &Program, proc: Proc, loc: Loc) -> Option<SrcPos> {
    let procedure = &program.procs[proc];
    let edge = procedure.locs[loc].out.first()?;
    let label = procedure.edges[*edge].labels.first()?;
    Some(label.pos).filter(|pos| !pos.is_none())
}

/// What is on an edge, in C as far as possible, and cut where it is too long.
fn operations(program: &Program, proc: Proc, edge: Edge) -> String {
    let terms = Terms { program, pool: &program.terms, memories: &[] };
    let labels = program.procs[proc].edges[edge].labels.iter();
    let texts = labels.map(|label| {
        if let Op::Assume(condition) = label.op {
            format!("[{}]", c_expr::text(terms, condition))
        } else if let Op::Assign { dst, value } = label.op {
            format!("{} = {}", program.name(program.vars[dst].name), c_expr::text(terms, value))
        } else {
            print::op(program, &label.op).to_string()
        }
    });
    cut(texts.collect::<Vec<_>>().join("; "))
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
