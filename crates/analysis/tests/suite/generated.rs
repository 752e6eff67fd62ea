//! Generated programs, of which the interpreter knows whether the error can be reached.
//! Each meets two configurations of a covering array.

use std::collections::BTreeMap;
use std::time::Duration;

use ravelin_analysis::config::Config;
use ravelin_base::{Budget, DataModel};
use ravelin_cfa::Program;
use ravelin_interp::{ExploreConfig, Outcome, ValueOrigin, ValueRequest, all_outcomes};
use ravelin_testkit::small::small_program;
use ravelin_testkit::tier;

use crate::support::{
    Answer, Generated, OTHER_ENGINES, build_text, covering, on_all, seconds, seeds,
};

/// Programs of one run in each tier.
const SEEDS: std::ops::Range<u64> = 0..100;
const ALL_SEEDS: std::ops::Range<u64> = 0..1000;

/// Whether the error can be reached; why that is not known, if the program does something undefined or
/// there is too much to search.
pub fn reaches_error(program: &Program) -> Result<bool, String> {
    let config = ExploreConfig {
        budget: Budget::unlimited().with_steps(tier::pick(200_000, 2_000_000)),
        max_states: tier::pick(30_000, 300_000),
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
            | Outcome::Leak { .. }
            | Outcome::Race(_)
            | Outcome::Undefined { .. }
            | Outcome::Unsupported { .. }
            | Outcome::OutOfBudget(_) => return Err(outcome.display(program).to_string()),
        }
    }
    Ok(found)
}

#[test]
fn generated_programs_are_not_answered_wrongly() {
    let limit = seconds(0.3);
    let seeds = seeds(SEEDS, ALL_SEEDS);
    let configs = covering();
    let results = on_all(&seeds, |&seed| try_seed(seed, &configs, limit));
    let (mut decided, mut unknown, mut skipped) = (BTreeMap::new(), BTreeMap::new(), 0);
    let (mut wrong, mut by_others) = (Vec::new(), 0);
    for runs in &results {
        let (expected, runs, by_other) = match runs {
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
        by_others += usize::from(!matches!(by_other.0, Answer::Unknown(_)));
        wrong.extend(by_other.1.clone());
    }
    println!("decided by engines beside refinement: {by_others}");
    println!("decided {decided:?}, unknown {unknown:?}, skipped {skipped} of {}", seeds.len());
    assert!(wrong.is_empty(), "WRONG VERDICTS\n{}", wrong.join("\n"));
    let (decided, unknown): (usize, usize) = (decided.values().sum(), unknown.values().sum());
    assert!(skipped * 4 < seeds.len(), "{skipped} programs are not good for anything");
    assert!(unknown < decided, "{unknown} of {} without answer", unknown + decided);
    // Horn clauses refute nothing, and templates are for loops alone.
    assert!(by_others * 5 > seeds.len() - skipped, "{by_others} are answered by other engines");
}

/// An answer, with a message if it is wrong.
type Judged = (Answer, Option<String>);

/// The right answer, those of refinement, and that of another engine.
type Tried = (bool, Vec<Judged>, Judged);

fn try_seed(seed: u64, configs: &[Config], limit: Duration) -> Result<Tried, String> {
    let text = small_program(seed);
    let first = 2 * seed as usize;
    // A row meets both data models, in turns.
    let is_even = (seed as usize + first / configs.len()).is_multiple_of(2);
    let data_model = if is_even { DataModel::Ilp32 } else { DataModel::Lp64 };
    let program = build_text(&text, data_model);
    let has_error = reaches_error(&program)?;
    let generated = Generated { seed, text: &text, data_model, program: &program, has_error };
    let rounds = (0..2).map(|round| &configs[(first + round) % configs.len()]);
    let engine = OTHER_ENGINES[seed as usize % OTHER_ENGINES.len()];
    let by_other = generated.judge_by(engine, &Config::default(), limit);
    Ok((has_error, rounds.map(|config| generated.judge(config, limit)).collect(), by_other))
}
