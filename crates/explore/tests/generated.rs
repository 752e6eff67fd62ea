//! Random small programs with threads: every reduction finds what the interpreter finds without any.

use std::collections::BTreeSet;

use ravelin_base::{Budget, DataModel};
use ravelin_cfa::{Program, passes};
use ravelin_explore::{Answer, Ending, Exploration, Options, Reduction, explore};
use ravelin_frontend::source::{SourceOptions, with_deep_stack};
use ravelin_interp::{
    ExploreConfig, ExploreError, Outcome, Replay, RunConfig, Undefined, ValueRequest, all_outcomes,
};
use ravelin_testkit::concurrent::generate;

const PROGRAMS: u64 = 300;
const MAX_STATES: usize = 30_000;

fn build(text: &str, data_model: DataModel) -> Program {
    let options = SourceOptions { data_model, ..SourceOptions::default() };
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("program.i");
    std::fs::write(&path, text).expect("a file");
    let built = with_deep_stack(|| ravelin_frontend::build(&[path], &options))
        .expect("there is room for a stack");
    built.unwrap_or_else(|errors| panic!("{errors:?}\n{text}")).program
}

fn ending(outcome: &Outcome) -> Ending {
    match outcome {
        Outcome::Exit(status) => Ending::Exit(*status),
        Outcome::Error { .. } => Ending::ReachError,
        Outcome::Aborted { .. } => Ending::Abort,
        Outcome::Deadlock(_) => Ending::Deadlock,
        Outcome::InvalidMemory { .. } => Ending::InvalidMemory,
        Outcome::Undefined { what: Undefined::DivisionByZero, .. } => Ending::DivisionByZero,
        Outcome::Undefined { .. } => Ending::Undefined,
        other => panic!("{other:?}"),
    }
}

fn run(program: &Program, reduction: Reduction, all_endings: bool) -> Exploration {
    let options = Options { reduction, all_endings, ..Options::default() };
    explore(program, &options, &mut Budget::unlimited())
}

fn follow(program: &Program, exploration: &Exploration, text: &str) {
    let Answer::Error { pos, schedule, .. } = &exploration.answer else { return };
    let mut replay = Replay::new(schedule.clone());
    let run = ravelin_interp::run(program, &mut replay, &RunConfig::default());
    let arrived = matches!(run.outcome, Outcome::Error { pos: there, .. } if there == *pos);
    assert!(arrived && !replay.diverged(), "{schedule}: {:?}\n{text}", run.outcome);
}

/// Whether the program was small enough to be compared.
fn compare(seed: u64) -> bool {
    let text = generate(seed);
    let data_model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
    let mut program = build(&text, data_model);
    let pipeline: &[&str] =
        if seed.is_multiple_of(3) { &["split-shared-accesses"] } else { passes::DEFAULT };
    passes::run(&mut program, pipeline, &Default::default()).expect("passes run");
    let config = ExploreConfig { max_states: MAX_STATES, ..ExploreConfig::default() };
    let booleans = |_: &ValueRequest| Some(vec![0, 1]);
    let expected: BTreeSet<Ending> = match all_outcomes(&program, &config, &booleans) {
        Ok(outcomes) => outcomes.iter().map(ending).collect(),
        Err(ExploreError::TooManyStates(_)) => return false,
        Err(error) => panic!("{error}\n{text}"),
    };
    let has_error = expected.contains(&Ending::ReachError);
    let mut states = Vec::new();
    for reduction in [Reduction::None, Reduction::Static] {
        let all = run(&program, reduction, true);
        assert_eq!(all.left_out, None, "seed {seed}\n{text}");
        assert_eq!(all.endings, expected, "seed {seed} {reduction:?}\n{text}");
        follow(&program, &all, &text);
        let first = run(&program, reduction, false);
        assert_eq!(matches!(first.answer, Answer::Error { .. }), has_error, "{text}");
        follow(&program, &first, &text);
        states.push(all.states);
    }
    assert!(states[1] <= states[0], "seed {seed}: {states:?}\n{text}");
    true
}

#[test]
fn every_reduction_finds_what_the_interpreter_finds() {
    let first = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let count = std::env::var("COUNT").ok().and_then(|count| count.parse().ok());
    let count: u64 = count.unwrap_or(PROGRAMS);
    let (mut compared, mut seed) = (0, first);
    while compared < count {
        assert!(seed < first + 4 * count, "too many programs are too large");
        compared += u64::from(compare(seed));
        seed += 1;
    }
}
