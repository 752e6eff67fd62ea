//! The configurations of the papers, and values strengthened by every pointer analysis: against exhaustive
//! interpretation of generated programs, and against the fixtures.
//!
//! `RAVELIN_SEEDS=from..to` chooses the programs, `RAVELIN_MATRIX=full` tries every configuration on every
//! fixture, `RAVELIN_FIXTURES=text` those whose path contains the text.

use std::path::Path;
use std::time::Duration;

use ravelin_analysis::algorithm::arg::Order;
use ravelin_analysis::algorithm::refine::interpolate::Method;
use ravelin_analysis::algorithm::refine::refinable::Refinement;
use ravelin_analysis::config::{
    Alias, Config, Domain, Encoding, Merge, Reduction, Statements, Strengthening,
};
use ravelin_analysis::domain::predicate::Abstracting;
use ravelin_analysis::solver::memory::{self, Model};
use ravelin_base::DataModel;
use ravelin_cfa::Program;
use ravelin_pointsto::{Analysis, Fields, Options, Structs};
use ravelin_testkit::fixture::fixtures;
use ravelin_testkit::{concurrent, small};

use crate::generated::{self, seeds};
use crate::support::{Answer, build, build_text, decide, describe, on_all, prepare, seconds};
use crate::threads;

const ANALYSES: [Analysis; 3] =
    [Analysis::Andersen, Analysis::Steensgaard, Analysis::FlowSensitive];

/// What can strengthen values.
fn strengthenings() -> Vec<Option<Strengthening>> {
    let mut all = vec![None];
    for analysis in ANALYSES {
        let options = Options { analysis, ..Options::default() };
        let coarse = Options { fields: Fields::Insensitive, structs: Structs::ByType, ..options };
        let fine = Options { context: 2, ..options };
        let by_type = Options { structs: Structs::ByType, context: 1, ..options };
        all.push(Some(Strengthening { options, merge: Merge::Sep }));
        all.extend(
            [options, coarse, fine, by_type]
                .map(|options| Some(Strengthening { options, merge: Merge::Join })),
        );
    }
    all
}

/// What all of these have in common: refinement alone.
fn pure() -> Config {
    Config {
        unrolling: None,
        templates: false,
        clauses: false,
        thread_views: false,
        fallback_encoding: None,
        fallback_refinement: None,
        statements: Statements::All,
        ..Config::default()
    }
}

/// The configurations that the papers measure, as the presets have them.
fn papers() -> Vec<Config> {
    let spacer = Refinement { method: Method::Sequence, ..pure().refinement };
    let model = |model| memory::Options { model, ..memory::Options::default() };
    let values = Config { domain: Domain::Explicit, pointers: None, ..pure() };
    let predicates = Config { domain: Domain::Predicate, refinement: spacer, ..pure() };
    let coi = |config| Config {
        order: Order::DepthFirst,
        alias: Alias::Static,
        statements: Statements::Observed,
        ..config
    };
    let again = |config| Config { statements: Statements::ObservedThenReduced, ..config };
    let strengthened = Config { domain: Domain::Explicit, ..pure() };
    vec![
        Config { memory: model(Model::PointsTo), ..values },
        Config { alias: Alias::Smt, ..predicates },
        Config { alias: Alias::Smt, ..values },
        Config {
            memory: model(Model::Uf),
            abstracting: Abstracting::Boolean,
            encoding: Encoding::Adjustable { calls: false, max_steps: None },
            reduction: Reduction::None,
            ..predicates
        },
        coi(strengthened),
        again(coi(strengthened)),
        coi(predicates),
        again(coi(predicates)),
    ]
}

/// All configurations: those of the papers, and every strengthening of values, step by step and in large
/// blocks, alone and beside predicates.
fn configurations() -> Vec<Config> {
    let mut all = papers();
    for (number, pointers) in strengthenings().into_iter().enumerate() {
        let config = Config { pointers, ..pure() };
        let reduced = [Statements::All, Statements::Tracked, Statements::Observed][number % 3];
        all.push(Config { domain: Domain::Explicit, encoding: Encoding::Single, ..config });
        all.push(Config { domain: Domain::Explicit, statements: reduced, ..config });
        let domain = if number % 2 == 0 { Domain::Product } else { Domain::Predicate };
        let memory = memory::Options { model: Model::PointsTo, ..memory::Options::default() };
        all.push(Config { domain, memory, statements: reduced, ..config });
    }
    all
}

/// The answer under a configuration, and what is wrong with it.
fn judged(
    program: &Program,
    expected: bool,
    config: &Config,
    limit: Duration,
) -> (bool, Option<String>) {
    let answer = decide(&prepare(program, config), config, limit);
    let is_wrong = match answer {
        Answer::True => expected,
        Answer::False => !expected,
        Answer::Unknown(_) => false,
    };
    let pointers = config.pointers;
    let message = is_wrong.then(|| format!("{answer} under {} {pointers:?}", describe(config)));
    (!matches!(answer, Answer::Unknown(_)), message)
}

/// Tries some configurations on each program; each has to be answered now and then, and never wrongly.
fn check(
    all: &[u64],
    rounds: usize,
    text: fn(u64) -> String,
    reaches_error: fn(&Program, &Config) -> Option<bool>,
) {
    let configs = configurations();
    let results = on_all(all, |&seed| {
        let text = text(seed);
        let model = if seed.is_multiple_of(2) { DataModel::Ilp32 } else { DataModel::Lp64 };
        let program = build_text(&text, model);
        let Some(expected) = reaches_error(&program, &configs[0]) else { return Vec::new() };
        let number = |round: usize| (seed as usize * rounds + round) % configs.len();
        let try_one = |round: usize| {
            let config = &configs[number(round)];
            let (is_decided, wrong) = judged(&program, expected, config, seconds(0.3));
            (is_decided, wrong.map(|wrong| format!("seed {seed} ({model}): {wrong}\n{text}")))
        };
        (0..rounds).map(try_one).collect()
    });
    let runs: Vec<(bool, Option<String>)> = results.concat();
    let decided = runs.iter().filter(|(is_decided, _)| *is_decided).count();
    println!("{decided} of {} answered", runs.len());
    let wrong: Vec<&str> = runs.iter().filter_map(|(_, wrong)| wrong.as_deref()).collect();
    assert!(wrong.is_empty(), "WRONG VERDICTS\n{}", wrong.join("\n"));
    assert!(decided * 3 > runs.len(), "only {decided} of {} are answered", runs.len());
}

#[test]
fn generated_programs_agree() {
    let reaches = |program: &Program, _: &Config| generated::reaches_error(program).ok();
    check(&seeds(1000..1100), 2, small::small_program, reaches);
}

#[test]
fn generated_threads_agree() {
    let reaches =
        |program: &Program, config: &Config| threads::reaches_error(&prepare(program, config));
    check(&seeds(1000..1080), 2, concurrent::generate, reaches);
}

#[test]
fn fixtures_agree() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut found = fixtures(&dir).expect("the fixtures can be read");
    if let Ok(text) = std::env::var("RAVELIN_FIXTURES") {
        found.retain(|fixture| fixture.path.to_string_lossy().contains(&text));
    }
    let is_full = std::env::var("RAVELIN_MATRIX").is_ok_and(|it| it == "full");
    let configs = configurations();
    let numbered: Vec<_> = found.iter().enumerate().collect();
    let wrong: Vec<Vec<String>> = on_all(&numbered, |&(number, fixture)| {
        let Some(verdict) = &fixture.verdict else { return Vec::new() };
        if !is_full && !number.is_multiple_of(3) {
            return Vec::new();
        }
        let model = match &fixture.options[..] {
            [_, model] => model.parse().expect("a data model"),
            _ => DataModel::Lp64,
        };
        let mut files = vec![fixture.path.clone()];
        files.extend(fixture.parts.iter().cloned());
        let program = build(&files, model);
        let tried = match is_full {
            true => &configs[..],
            false => std::slice::from_ref(&configs[number / 3 % configs.len()]),
        };
        let wrong = tried.iter().filter_map(|config| {
            let (_, wrong) = judged(&program, verdict == "FALSE", config, seconds(0.3));
            wrong.map(|wrong| format!("{}: {wrong}", fixture.path.display()))
        });
        wrong.collect()
    });
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "WRONG VERDICTS\n{}", wrong.join("\n"));
}
