//! Executions of automata after all passes, recorded in those of the source.

use std::path::Path;

use ravelin_base::{Budget, DataModel};
use ravelin_cfa::{Program, passes};
use ravelin_evidence::record_in_source;
use ravelin_frontend::source::{SourceOptions, with_deep_stack};
use ravelin_interp::{Outcome, RandomChooser, Replay, Run, RunConfig};
use ravelin_testkit::concurrent::generate;
use ravelin_testkit::fixture::{Fixture, fixtures};

const SEEDS: u64 = 200;

fn build(fixture: &Fixture) -> Program {
    let data_model = match &fixture.options[..] {
        [option, model] if option == "--data-model" => model.parse().expect("a data model"),
        _ => DataModel::default(),
    };
    let options = SourceOptions { data_model, ..SourceOptions::default() };
    let mut files = vec![fixture.path.clone()];
    files.extend(fixture.parts.iter().cloned());
    let built = with_deep_stack(|| ravelin_frontend::build(&files, &options));
    built.expect("room for a stack").expect("fixtures are accepted").program
}

fn at_most(steps: u64) -> RunConfig {
    let budget = Budget::unlimited().with_steps(steps);
    RunConfig { budget, trace: true, ..RunConfig::default() }
}

/// Records a run in the source, and replays the record by its schedule.
fn follow(source: &Program, program: &Program, run: &Run) -> Result<(), String> {
    let replayed = record_in_source(source, program, run, Budget::unlimited())
        .map_err(|unconfirmed| unconfirmed.to_string())?;
    let schedule = &replayed.run.schedule;
    let choices = replayed.run.trace.iter().flat_map(|event| &event.choices);
    if !choices.map(|choice| choice.scheduled()).eq(schedule.values().iter().copied()) {
        return Err(format!("the events lack choices of {schedule}"));
    }
    let mut replay = Replay::new(schedule.clone());
    let again = ravelin_interp::run(source, &mut replay, &at_most(100_000));
    let place = |outcome: &Outcome, of: &Program| outcome.display(of).to_string();
    let (first, second) = (place(&run.outcome, program), place(&again.outcome, source));
    match first == second && !replay.diverged() && replay.is_finished() {
        true => Ok(()),
        false => Err(format!("{second} by {schedule}")),
    }
}

#[test]
fn random_executions_to_the_error() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let (mut programs, mut runs, mut failures) = (0, 0, Vec::new());
    for fixture in fixtures(&dir).expect("the fixtures can be read") {
        if fixture.verdict.as_deref() != Some("FALSE") {
            continue;
        }
        let mut source = build(&fixture);
        if !source.is_concurrent() {
            continue;
        }
        programs += 1;
        let mut program = source.clone();
        passes::run(&mut program, passes::DEFAULT, &Default::default()).expect("passes run");
        let split = &["split-shared-accesses"];
        passes::run(&mut source, split, &Default::default()).expect("passes run");
        for seed in 0..SEEDS {
            let run = ravelin_interp::run(&program, &mut RandomChooser::new(seed), &at_most(3_000));
            if !matches!(run.outcome, Outcome::Error { .. }) {
                continue;
            }
            runs += 1;
            if let Err(message) = follow(&source, &program, &run) {
                let name = fixture.path.file_name().unwrap_or_default().display();
                failures.push(format!("{name}, seed {seed}, {}: {message}", run.schedule));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {runs}:\n{}", failures.len(), failures.join("\n"));
    assert!(programs >= 20 && runs >= 1000, "only {runs} runs of {programs} programs");
}

/// How many generated programs are tried, and each with so many schedules.
const GENERATED: u64 = 150;
const SEEDS_OF_GENERATED: u64 = 20;

#[test]
fn random_executions_of_generated_programs() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (mut runs, mut failures) = (0, Vec::new());
    for number in 0..GENERATED {
        let path = dir.path().join(format!("{number}.i"));
        std::fs::write(&path, generate(number)).expect("writable");
        let mut source = build(&Fixture { path, ..Fixture::default() });
        let mut program = source.clone();
        passes::run(&mut program, passes::DEFAULT, &Default::default()).expect("passes run");
        let split = &["split-shared-accesses"];
        passes::run(&mut source, split, &Default::default()).expect("passes run");
        for seed in 0..SEEDS_OF_GENERATED {
            let run = ravelin_interp::run(&program, &mut RandomChooser::new(seed), &at_most(3_000));
            if matches!(run.outcome, Outcome::Error { .. }) {
                runs += 1;
                if let Err(message) = follow(&source, &program, &run) {
                    failures.push(format!("{number}, {}: {message}", run.schedule));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {runs}:\n{}", failures.len(), failures.join("\n"));
    assert!(runs >= 100, "only {runs} runs");
}
