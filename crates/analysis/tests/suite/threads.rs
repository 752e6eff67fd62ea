//! Generated programs with threads, of which the interpreter knows whether the error can be reached.
//!
//! `RAVELIN_SEEDS=from..to` chooses the programs, `RAVELIN_SECONDS` the time for each verdict.

use std::collections::BTreeMap;

use ravelin_analysis::config::{Alias, Config, Reduction, Statements};
use ravelin_base::DataModel;
use ravelin_cfa::Program;
use ravelin_cfa::passes::{self, PassConfig};
use ravelin_interp::{ExploreConfig, Outcome, ValueRequest, all_outcomes};
use ravelin_testkit::concurrent::{generate, generate_barriers, generate_sections};

use crate::generated::seeds;
use crate::support::{
    Answer, DOMAINS, ENCODINGS, build_text, decide, describe, on_all, prepare, seconds,
};

/// Programs of one run, unless the environment says otherwise.
const SEEDS: std::ops::Range<u64> = 0..160;

/// Programs with atomic sections of one run.
const SECTION_SEEDS: std::ops::Range<u64> = 0..120;

/// Programs with barriers of one run.
const BARRIER_SEEDS: std::ops::Range<u64> = 0..60;

/// Whether some schedule leads to the error; `None` if there are too many.
pub fn reaches_error(program: &Program) -> Option<bool> {
    let config = ExploreConfig { max_states: 30_000, ..ExploreConfig::default() };
    let booleans = |_: &ValueRequest| Some(vec![0, 1]);
    let outcomes = all_outcomes(program, &config, &booleans).ok()?;
    Some(outcomes.iter().any(|outcome| matches!(outcome, Outcome::Error { .. })))
}

const PLAIN: [(Reduction, Statements); 5] = [
    (Reduction::None, Statements::All),
    (Reduction::Static, Statements::All),
    (Reduction::None, Statements::Observed),
    (Reduction::Static, Statements::Observed),
    (Reduction::Static, Statements::Tracked),
];

const AWARE: [(Reduction, Statements); 5] = [
    (Reduction::AbstractionAware, Statements::All),
    (Reduction::AbstractionAware, Statements::Tracked),
    (Reduction::AbstractionAware, Statements::Observed),
    (Reduction::AbstractionAware, Statements::ObservedThenReduced),
    (Reduction::Static, Statements::ObservedThenReduced),
];

/// Every combination is tried on some of the programs: each program gets two, without and with
/// knowledge of what is tracked.
fn reductions(seed: u64) -> [(Reduction, Statements); 2] {
    [PLAIN[seed as usize / 3 % PLAIN.len()], AWARE[seed as usize / 15 % AWARE.len()]]
}

/// The answers for a program, each with whether it is wrong; nothing if the program is too large.
fn try_seed(seed: u64) -> Vec<(Config, Answer, Option<String>)> {
    let text = generate(seed);
    let data_model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
    let program = build_text(&text, data_model);
    let mut results = Vec::new();
    let mut expected = None;
    for (number, (reduction, statements)) in reductions(seed).into_iter().enumerate() {
        let domain = DOMAINS[(seed as usize + number) % DOMAINS.len()];
        let alias = [Alias::Exact, Alias::Smt, Alias::Static][seed as usize / 5 % 3];
        let config = Config { domain, reduction, statements, alias, ..Config::default() };
        let ready = prepare(&program, &config);
        if expected.is_none() {
            expected = reaches_error(&ready);
        }
        let Some(expected) = expected else { break };
        let answer = decide(&ready, &config, seconds(0.3));
        let is_wrong = match answer {
            Answer::True => expected,
            Answer::False => !expected,
            Answer::Unknown(_) => false,
        };
        let message = is_wrong
            .then(|| format!("seed {seed} is {answer} under {}\n{text}", describe(&config)));
        results.push((config, answer, message));
    }
    results
}

/// As [`try_seed`], under two of all combinations of domain, reduction, statements and encoding. What the interpreter says
/// is of the program in single steps, as it is written.
fn try_combinations(
    seed: u64,
    generate: fn(u64) -> String,
) -> Vec<(Config, Answer, Option<String>)> {
    let text = generate(seed);
    let program = build_text(&text, DataModel::Lp64);
    let mut single = program.clone();
    passes::run(&mut single, &["split-shared-accesses"], &PassConfig::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let Some(expected) = reaches_error(&single) else { return Vec::new() };
    let mut results = Vec::new();
    for config in combinations(seed) {
        let answer = decide(&prepare(&program, &config), &config, seconds(0.3));
        let is_wrong = match answer {
            Answer::True => expected,
            Answer::False => !expected,
            Answer::Unknown(_) => false,
        };
        let message = is_wrong
            .then(|| format!("seed {seed} is {answer} under {}\n{text}", describe(&config)));
        results.push((config, answer, message));
    }
    results
}

/// Two combinations. With `RAVELIN_TEST_MATRIX` in the environment, every domain with every reduction and encoding; which
/// statements are left out changes from seed to seed.
fn combinations(seed: u64) -> Vec<Config> {
    let config = |domain: usize, encoding: usize, (reduction, statements)| Config {
        domain: DOMAINS[domain],
        encoding: ENCODINGS[encoding],
        reduction,
        statements,
        thread_views: false,
        ..Config::default()
    };
    if std::env::var_os("RAVELIN_TEST_MATRIX").is_none() {
        let choices = [0, 1].map(|table| (seed as usize * 2 + table, [PLAIN, AWARE][table]));
        return choices
            .map(|(choice, table)| config(choice % 3, choice / 6 % 4, table[choice / 24 % 5]))
            .into();
    }
    let statements = AWARE[seed as usize % 4].1;
    let mut all = Vec::new();
    for domain in 0..DOMAINS.len() {
        for encoding in 0..ENCODINGS.len() {
            for reduction in [Reduction::None, Reduction::Static, Reduction::AbstractionAware] {
                let statements = match (reduction, statements) {
                    (Reduction::None, Statements::ObservedThenReduced) => Statements::Observed,
                    _ => statements,
                };
                all.push(config(domain, encoding, (reduction, statements)));
            }
        }
    }
    all
}

#[test]
fn programs_with_threads_are_not_answered_wrongly() {
    check(on_all(&seeds(SEEDS), |&seed| try_seed(seed)).concat(), 2);
}

#[test]
fn programs_with_atomic_sections_are_not_answered_wrongly() {
    check(
        on_all(&seeds(SECTION_SEEDS), |&seed| try_combinations(seed, generate_sections)).concat(),
        3,
    );
}

#[test]
fn programs_with_barriers_are_not_answered_wrongly() {
    check(
        on_all(&seeds(BARRIER_SEEDS), |&seed| try_combinations(seed, generate_barriers)).concat(),
        3,
    );
}

/// No answer is wrong, and one of so many is more than UNKNOWN.
fn check(results: Vec<(Config, Answer, Option<String>)>, of: usize) {
    let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (config, answer, message) in results {
        let key = format!(
            "{:?} {:?} {:?} {:?}",
            config.domain, config.encoding, config.reduction, config.statements
        );
        let counts = counts.entry(key).or_default();
        match answer {
            Answer::True => counts[0] += 1,
            Answer::False => counts[1] += 1,
            Answer::Unknown(_) => counts[2] += 1,
        }
        wrong.extend(message);
    }
    for (key, [is_true, is_false, unknown]) in &counts {
        println!("{key}: {is_true} TRUE, {is_false} FALSE, {unknown} UNKNOWN");
    }
    assert!(wrong.is_empty(), "WRONG VERDICTS\n{}", wrong.join("\n"));
    let sum = |number: usize| counts.values().map(|counts| counts[number]).sum::<usize>();
    let (decided, all) = (sum(0) + sum(1), sum(0) + sum(1) + sum(2));
    assert!(sum(1) * 20 > decided, "only {} of {decided} have an error", sum(1));
    assert!(decided * of > all, "only {decided} of {all} are answered");
}
