//! Every fixture of `tests/c`: how its runs end and what they print, as the automaton comes from the
//! front end and after the passes, in both data models. In the quick tier, a fixture meets half of the pipelines in each
//! data model; in the exhaustive one, all of them.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use ravelin_base::{Budget, DataModel, diagnostic::render};
use ravelin_cfa::{ErrorKind, Op, Program, Property, passes};
use ravelin_frontend::source::with_deep_stack;
use ravelin_interp::{
    ExploreConfig, Outcome, RandomChooser, Run, RunConfig, Undefined, ValueRequest, all_outcomes,
};
use ravelin_testkit::fixture::{Fixture, fixtures};
use ravelin_testkit::tier;

/// Which passes run before the interpreter. The outcome sets of concurrent programs speak of steps
/// that touch one shared location, so these are not computed for the automaton as it comes.
const PIPELINES: &[&[&str]] = &[
    &[],
    &["split-shared-accesses"],
    &["inline-calls", "propagate-constants", "unroll-loops", "remove-dead-code"],
    passes::DEFAULT,
];

/// Values to try for inputs of any kind.
const INPUTS: &[i128] = &[0, 1, -1, 2, 3, 7];

fn check_topic(topic: &str) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c").join(topic);
    let found = fixtures(&dir).expect("the fixtures can be read");
    assert!(!found.is_empty(), "no fixtures in {}", dir.display());
    let mut failures = Vec::new();
    for (number, fixture) in found.iter().enumerate() {
        let name = fixture.path.file_name().unwrap_or_default().display();
        let models = fixture.data_models();
        let takes_turns = models.len() > 1 && !tier::is_exhaustive();
        for (at, data_model) in models.into_iter().enumerate() {
            let built = with_deep_stack(|| build(fixture, data_model));
            let program = match built.expect("there is room for a stack") {
                Ok(program) => program,
                Err(message) => {
                    failures.push(format!("{topic}/{name} {data_model}: {message}"));
                    continue;
                }
            };
            for (turn, pipeline) in PIPELINES.iter().enumerate() {
                if takes_turns && (number + at + turn) % 2 == 1 {
                    continue;
                }
                if let Err(message) = check(fixture, program.clone(), pipeline) {
                    failures.push(format!("{topic}/{name} {data_model} {pipeline:?}: {message}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn build(fixture: &Fixture, data_model: DataModel) -> Result<Program, String> {
    fixture.lower(data_model).map_err(|errors| render(&errors))
}

fn check(fixture: &Fixture, mut program: Program, pipeline: &[&str]) -> Result<(), String> {
    passes::run(&mut program, pipeline, &Default::default()).map_err(|error| error.to_string())?;
    match (&fixture.run, &fixture.outcomes) {
        // Only a verifier gets to the end of it.
        (Some(expected), None) if expected == "long" => Ok(()),
        (Some(expected), None) => (0..3).try_for_each(|seed| {
            let run = random_run(&program, seed);
            check_run(&program, &run, expected, fixture)
        }),
        (None, Some(_)) if pipeline.is_empty() => Ok(()),
        (None, Some(expected)) => check_outcomes(&program, expected),
        (_, _) => Err("a fixture has either 'run' or 'outcomes'".to_owned()),
    }
}

fn random_run(program: &Program, seed: u64) -> Run {
    let budget = Budget::unlimited().with_steps(5_000_000);
    let config = RunConfig { budget, ..RunConfig::default() };
    ravelin_interp::run(program, &mut RandomChooser::new(seed), &config)
}

fn check_run(
    program: &Program,
    run: &Run,
    expected: &str,
    fixture: &Fixture,
) -> Result<(), String> {
    if describe(program, &run.outcome) != expected {
        return Err(format!("{}, not '{expected}'", run.outcome.display(program)));
    }
    let output = String::from_utf8_lossy(&run.output);
    let expected: String =
        fixture.stdout.iter().flatten().map(|line| format!("{line}\n")).collect();
    if fixture.stdout.is_some() && output != expected {
        return Err(format!("it prints {output:?}, not {expected:?}"));
    }
    Ok(())
}

/// All outcomes; where inputs were drawn from a sample, there may be more. So there may be where
/// memory gets any contents: the interpreter leaves it as it is.
fn check_outcomes(program: &Program, expected: &[String]) -> Result<(), String> {
    let mut havocs_memory = false;
    program.for_each_label(|_, label| {
        havocs_memory |= matches!(label.op, Op::HavocMemory { .. });
    });
    let sampled = Cell::new(havocs_memory);
    let domain = |_: &ValueRequest| {
        sampled.set(true);
        Some(INPUTS.to_vec())
    };
    let config = ExploreConfig {
        budget: Budget::unlimited().with_timeout(Duration::from_secs(60)),
        ..ExploreConfig::default()
    };
    let outcomes = all_outcomes(program, &config, &domain).map_err(|error| error.to_string())?;
    let found: BTreeSet<String> = outcomes
        .iter()
        .filter(|outcome| !matches!(outcome, Outcome::AssumeViolated { .. }))
        .map(|outcome| describe(program, outcome))
        .collect();
    let expected: BTreeSet<String> = expected
        .iter()
        .map(|word| match word.parse::<i32>() {
            Ok(status) => format!("exit {status}"),
            Err(_) => word.clone(),
        })
        .collect();
    let right = if sampled.get() { found.is_subset(&expected) } else { found == expected };
    if right { Ok(()) } else { Err(format!("outcomes {found:?}, not {expected:?}")) }
}

/// An outcome in the words of the fixtures' headers.
fn describe(program: &Program, outcome: &Outcome) -> String {
    let violation = outcome.violation(program.checked).map(ErrorKind::property);
    let is_stated = matches!(outcome, Outcome::Error { .. });
    match outcome {
        _ if !is_stated && violation.is_some_and(|it| it != Property::UnreachCall) => {
            violation.map(|property| property.to_string()).unwrap_or_default()
        }
        Outcome::Leak { .. } => "leak".to_owned(),
        Outcome::Race(_) => "race".to_owned(),
        Outcome::Exit(status) => format!("exit {}", status & 0xff),
        Outcome::Error { kind, .. } if kind.property() == Property::UnreachCall => {
            "error".to_owned()
        }
        Outcome::Error { kind, .. } => kind.name().to_owned(),
        Outcome::Aborted { .. } => "exit 134".to_owned(),
        Outcome::AssumeViolated { .. } => "assume".to_owned(),
        Outcome::Deadlock(_) => "deadlock".to_owned(),
        Outcome::InvalidMemory { .. } => "invalid-memory".to_owned(),
        Outcome::Undefined { what: Undefined::DivisionByZero, .. } => "division-by-zero".to_owned(),
        Outcome::Undefined { .. } => "undefined".to_owned(),
        Outcome::Unsupported { .. } => "unsupported".to_owned(),
        Outcome::OutOfBudget(_) => "budget".to_owned(),
    }
}

macro_rules! topics {
    ($($name:ident)*) => {
        $(#[test] fn $name() { check_topic(stringify!($name)); })*

        /// A new folder must not go untested.
        #[test]
        fn every_topic_is_tested() {
            let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
            let mut topics: Vec<String> = std::fs::read_dir(dir)
                .expect("the fixtures can be read")
                .map(|entry| entry.expect("a directory entry"))
                .filter(|entry| entry.path().is_dir())
                .map(|entry| entry.file_name().into_string().expect("a plain name"))
                .collect();
            topics.sort();
            let mut tested = vec![$(stringify!($name)),*];
            tested.sort();
            assert_eq!(topics, tested);
        }
    };
}

topics! {
    arguments arithmetic arrays bounds concurrency control environment floats functions gnu heap initialisation
    integers library linking memory pointers strings structs verifier verify weaknesses
}
