//! Programs for tests, in a shorthand of the automaton's text format.
//!
//! Inside a procedure, a line is an operation that leads to the next line; `name:` names the place
//! before the next line, `goto name` goes there and `if term goto name` goes there if the term
//! holds. Everything else is the text format. Positions are the lines of the shorthand.

// Each test file uses a part of this.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::fmt::Write;

use ravelin_base::Budget;
use ravelin_cfa::{ErrorKind, Program};
use ravelin_interp::{
    ExploreConfig, Outcome, RandomChooser, Replay, Run, RunConfig, Undefined, explore, run,
};

pub fn program(text: &str) -> Program {
    let expanded = expand(text);
    let program = match ravelin_cfa::parse(&expanded) {
        Ok(program) => program,
        Err(error) => panic!("{error}\n{expanded}"),
    };
    if let Err(violations) = ravelin_cfa::verify(&program) {
        let messages: Vec<_> = violations.iter().map(|it| it.message.clone()).collect();
        panic!("{}\n{expanded}", messages.join("\n"));
    }
    program
}

struct Places {
    count: u32,
    names: BTreeMap<String, u32>,
}

impl Places {
    fn fresh(&mut self) -> u32 {
        self.count += 1;
        self.count - 1
    }

    fn named(&mut self, name: &str) -> u32 {
        if let Some(&place) = self.names.get(name) {
            return place;
        }
        let place = self.fresh();
        self.names.insert(name.to_owned(), place);
        place
    }
}

fn expand(text: &str) -> String {
    let mut out = String::new();
    let mut places = None;
    let mut here = 0;
    for (number, line) in text.lines().enumerate() {
        let (line, pos) = (line.trim(), format!("@ t.c:{}:1", number + 1));
        let Some(known) = &mut places else {
            if line.starts_with("proc ") {
                // Location 0 is the entry, 1 the exit.
                places = Some(Places { count: 2, names: BTreeMap::new() });
                here = 0;
                writeln!(out, "{} {pos} {{", line.trim_end_matches('{').trim_end()).unwrap();
            } else if line.starts_with("global") || line.starts_with("object") {
                writeln!(out, "{line} {pos}").unwrap();
            } else {
                writeln!(out, "{line}").unwrap();
            }
            continue;
        };
        if line == "}" {
            writeln!(out, "}}").unwrap();
            places = None;
        } else if line.is_empty() {
        } else if line.starts_with("local ") || line.starts_with("object ") {
            writeln!(out, "{line} {pos}").unwrap();
        } else {
            if known.names.insert("%begun".to_owned(), 0).is_none() {
                writeln!(out, "entry l0 exit l1").unwrap();
            }
            if let Some(name) = line.strip_suffix(':') {
                let place = known.named(name);
                writeln!(out, "l{here} -> l{place}: skip").unwrap();
                here = place;
            } else if let Some(name) = line.strip_prefix("goto ") {
                writeln!(out, "l{here} -> l{}: skip", known.named(name)).unwrap();
                here = known.fresh();
            } else if let Some((cond, name)) =
                line.strip_prefix("if ").and_then(|rest| rest.split_once(" goto "))
            {
                let (then, next) = (known.named(name), known.fresh());
                writeln!(out, "l{here} -> l{then}: assume {cond} {pos}").unwrap();
                writeln!(out, "l{here} -> l{next}: assume not({cond}) {pos}").unwrap();
                here = next;
            } else {
                let ends = ["return", "error", "exit", "abort", "thread_exit", "unsupported"];
                let end = ends.iter().any(|end| line.starts_with(end));
                let next = if end { 1 } else { known.fresh() };
                let line = line.replace("; ", &format!(" {pos}; "));
                writeln!(out, "l{here} -> l{next}: {line} {pos}").unwrap();
                here = if end { known.fresh() } else { next };
            }
        }
    }
    out
}

/// Runs with a seed and checks that the schedule replays exactly.
pub fn run_seed(program: &Program, seed: u64) -> Run {
    let config = RunConfig {
        budget: Budget::unlimited().with_steps(1_000_000),
        trace: true,
        ..RunConfig::default()
    };
    let first = run(program, &mut RandomChooser::new(seed), &config);
    let mut replay = Replay::new(first.schedule.to_string().parse().unwrap());
    let second = run(program, &mut replay, &config);
    assert!(!replay.diverged());
    assert_eq!(first.outcome, second.outcome);
    assert_eq!(first.output, second.output);
    assert_eq!(first.trace, second.trace);
    assert_eq!(first.schedule, second.schedule);
    assert_eq!(first.trace.len() as u64, first.steps);
    first
}

/// The outcome of a program without choices.
pub fn outcome(text: &str) -> Outcome {
    run_seed(&program(text), 1).outcome
}

/// The outcome in words.
pub fn outcome_text(text: &str) -> String {
    let program = program(text);
    run_seed(&program, 1).outcome.display(&program).to_string()
}

/// A sequential program over `main`'s locals; gives the status of its exit.
pub fn status(text: &str) -> i32 {
    match outcome(text) {
        Outcome::Exit(status) => status,
        other => panic!("{other:?}"),
    }
}

/// The outcomes of all runs, in one word each, and that random runs give no others.
pub fn outcomes(text: &str) -> Vec<String> {
    outcomes_with(text, &ExploreConfig::default())
}

pub fn outcomes_with(text: &str, config: &ExploreConfig) -> Vec<String> {
    let program = program(text);
    let all = explore(&program, config, &ravelin_interp::booleans).unwrap().outcomes;
    let mut words: Vec<String> = all.keys().map(word).collect();
    for (outcome, schedule) in &all {
        let mut replay = Replay::new(schedule.clone());
        let budget = Budget::unlimited().with_steps(1_000_000);
        let config = RunConfig { budget, ..RunConfig::default() };
        let run = run(&program, &mut replay, &config);
        assert!(!replay.diverged() && replay.is_finished(), "{schedule}");
        assert_eq!(word(&run.outcome), word(outcome), "{schedule}");
    }
    words.sort();
    words.dedup();
    if config.spurious_wakeups {
        for seed in 0..50 {
            let run = run_seed(&program, seed);
            if !matches!(run.outcome, Outcome::OutOfBudget(_)) {
                let word = word(&run.outcome);
                assert!(words.contains(&word), "{word} is not in {words:?}: {}", run.schedule);
            }
        }
    }
    words
}

fn word(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Exit(status) => status.to_string(),
        Outcome::Error { kind: ErrorKind::ReachError, .. } => "error".into(),
        Outcome::Error { kind: ErrorKind::AssertFailed, .. } => "assert".into(),
        Outcome::Error { kind, .. } => kind.name().into(),
        Outcome::Aborted { .. } => "abort".into(),
        Outcome::AssumeViolated { .. } => "assume".into(),
        Outcome::Deadlock(_) => "deadlock".into(),
        Outcome::InvalidMemory { .. } => "invalid-memory".into(),
        Outcome::Leak { .. } => "leak".into(),
        Outcome::Race(_) => "race".into(),
        Outcome::Undefined { what: Undefined::InvalidJoin, .. } => "invalid-join".into(),
        Outcome::Undefined { .. } => "undefined".into(),
        Outcome::Unsupported { .. } => "unsupported".into(),
        Outcome::OutOfBudget(_) => "out-of-budget".into(),
    }
}
