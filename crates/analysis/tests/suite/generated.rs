//! Generated programs, of which the interpreter knows whether the error can be reached.
//!
//! `RAVELIN_SEEDS=from..to` chooses the programs, `RAVELIN_SECONDS` the time for each verdict.

use std::collections::BTreeMap;
use std::time::Duration;

use ravelin_base::{Budget, DataModel};
use ravelin_cfa::Program;
use ravelin_interp::{ExploreConfig, Outcome, ValueOrigin, ValueRequest, all_outcomes};
use ravelin_testkit::small::small_program;

use crate::support::{
    Answer, CORNERS, VARIANT_COUNT, build_text, configuration, decide, describe, on_all, prepare,
    seconds,
};

/// Programs of one run, unless the environment says otherwise.
const SEEDS: std::ops::Range<u64> = 0..160;

/// Whether the error can be reached; why that is not known, if the program does something undefined or
/// there is too much to search.
pub fn reaches_error(program: &Program) -> Result<bool, String> {
    let config = ExploreConfig {
        budget: Budget::unlimited().with_steps(2_000_000),
        max_states: 300_000,
        ..ExploreConfig::default()
    };
    // The only inputs are Booleans, which come as a byte of which nothing else is looked at.
    let domain = |request: &ValueRequest| match request.origin {
        ValueOrigin::Havoc(_) => Some(vec![0, 1]),
        ValueOrigin::Variable(_) | ValueOrigin::Memory => None,
    };
    let outcomes = all_outcomes(program, &config, &domain).map_err(|error| error.to_string())?;
    let mut found = false;
    for outcome in outcomes {
        match outcome {
            Outcome::Error { .. } => found = true,
            Outcome::Exit(_) | Outcome::Aborted { .. } | Outcome::AssumeViolated { .. } => {}
            Outcome::Deadlock(_)
            | Outcome::InvalidMemory { .. }
            | Outcome::Undefined { .. }
            | Outcome::Unsupported { .. }
            | Outcome::OutOfBudget(_) => return Err(outcome.display(program).to_string()),
        }
    }
    Ok(found)
}

/// The programs to try: these, unless the environment says otherwise.
pub fn seeds(usual: std::ops::Range<u64>) -> Vec<u64> {
    let Ok(text) = std::env::var("RAVELIN_SEEDS") else { return usual.collect() };
    let range = text.split_once("..").and_then(|(from, to)| {
        let (from, to): (u64, u64) = (from.parse().ok()?, to.parse().ok()?);
        Some(from..to)
    });
    range.expect("RAVELIN_SEEDS is of the form 0..300").collect()
}

#[test]
fn generated_programs_are_not_answered_wrongly() {
    let limit = seconds(0.3);
    let seeds = seeds(SEEDS);
    let results = on_all(&seeds, |&seed| try_seed(seed, limit));
    let (mut decided, mut unknown, mut skipped) = (BTreeMap::new(), BTreeMap::new(), 0);
    let mut wrong = Vec::new();
    for runs in &results {
        let (expected, runs) = match runs {
            Ok(runs) => runs,
            Err(reason) => {
                println!("skipped: {reason}");
                skipped += 1;
                continue;
            }
        };
        for (answer, message) in runs {
            match answer {
                Answer::Unknown(reason) => {
                    *unknown.entry(reason.split(' ').next().unwrap_or_default()).or_insert(0) += 1;
                }
                Answer::True | Answer::False => *decided.entry(expected).or_insert(0) += 1,
            }
            wrong.extend(message.clone());
        }
    }
    println!("decided {decided:?}, unknown {unknown:?}, skipped {skipped} of {}", seeds.len());
    assert!(wrong.is_empty(), "WRONG VERDICTS\n{}", wrong.join("\n"));
    let (decided, unknown): (usize, usize) = (decided.values().sum(), unknown.values().sum());
    assert!(skipped * 4 < seeds.len(), "{skipped} programs are not good for anything");
    assert!(unknown < decided, "{unknown} of {} without answer", unknown + decided);
}

/// What is right, and the answers, each with a message if it is wrong.
type Tried = (bool, Vec<(Answer, Option<String>)>);

fn try_seed(seed: u64, limit: Duration) -> Result<Tried, String> {
    let text = small_program(seed);
    let model = if seed.is_multiple_of(2) { DataModel::Ilp32 } else { DataModel::Lp64 };
    let program = build_text(&text, model);
    let expected = reaches_error(&program)?;
    let mut runs = Vec::new();
    for round in 0..2 {
        let mixed = (seed as usize).wrapping_mul(31) + round * 25;
        let config = configuration(mixed % CORNERS, (seed as usize + round) % VARIANT_COUNT);
        let answer = decide(&prepare(&program, &config), &config, limit);
        let is_wrong = match answer {
            Answer::True => expected,
            Answer::False => !expected,
            Answer::Unknown(_) => false,
        };
        let message = is_wrong.then(|| {
            format!("seed {seed} ({model}): {answer} under {}\n{text}", describe(&config))
        });
        runs.push((answer, message));
    }
    Ok((expected, runs))
}
