//! Generated programs with threads, of which the interpreter knows whether the error can be reached.

use std::collections::BTreeMap;

use ravelin_analysis::config::{Alias, Config};
use ravelin_base::DataModel;
use ravelin_cfa::Program;
use ravelin_cfa::passes::{self, PassConfig};
use ravelin_interp::{ExploreConfig, Outcome, ValueRequest, all_outcomes};
use ravelin_testkit::concurrent::{generate, generate_barriers, generate_sections};
use ravelin_testkit::tier;

use crate::configurations::REDUCTIONS;
use crate::support::{
    Answer, DOMAINS, ENCODINGS, Generated, build_text, on_all, reducing, seconds, seeds,
};

/// Whether some schedule leads to the error; `None` if there are too many.
pub fn reaches_error(program: &Program) -> Option<bool> {
    let config = ExploreConfig { max_states: 30_000, ..ExploreConfig::default() };
    let booleans = |_: &ValueRequest| Some(vec![0, 1]);
    let outcomes = all_outcomes(program, &config, &booleans).ok()?;
    Some(outcomes.iter().any(|outcome| matches!(outcome, Outcome::Error { .. })))
}

/// The answers for a program, each with a message if it is wrong; nothing if the program is too large.
type Tried = Vec<(Config, Answer, Option<String>)>;

/// The answers under some configurations. What the interpreter says is of the program in single steps, as it is written.
fn try_seed(seed: u64, generate: fn(u64) -> String, configs: &[Config]) -> Tried {
    let text = generate(seed);
    let data_model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
    let program = build_text(&text, data_model);
    let mut single = program.clone();
    passes::run(&mut single, &["split-shared-accesses"], &PassConfig::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let Some(has_error) = reaches_error(&single) else { return Vec::new() };
    let generated = Generated { seed, text: &text, data_model, program: &program, has_error };
    let judge = |config: &Config| {
        let (answer, wrong) = generated.judge(config, seconds(0.3));
        (*config, answer, wrong)
    };
    configs.iter().map(judge).collect()
}

/// The configurations that a program meets: every combination of domain, encoding and reduction in the exhaustive tier;
/// else two rows of a covering array. How pointers of threads are compared changes from program to program.
fn configurations(seed: u64) -> Vec<Config> {
    let alias = [Alias::Exact, Alias::Smt, Alias::Static][seed as usize % 3];
    let config =
        |domain, encoding, reduction| Config { alias, ..reducing(domain, encoding, reduction) };
    if !tier::is_exhaustive() {
        let rows = tier::pairwise(&[DOMAINS.len(), ENCODINGS.len(), REDUCTIONS.len()]);
        let chosen = (0..2).map(|round| &rows[(2 * seed as usize + round) % rows.len()]);
        return chosen.map(|row| config(row[0], row[1], row[2])).collect();
    }
    let mut all = Vec::new();
    for domain in 0..DOMAINS.len() {
        for encoding in 0..ENCODINGS.len() {
            all.extend((0..REDUCTIONS.len()).map(|it| config(domain, encoding, it)));
        }
    }
    all
}

/// Tries programs of a kind.
fn try_all(seeds: &[u64], generate: fn(u64) -> String) -> Tried {
    on_all(seeds, |&seed| try_seed(seed, generate, &configurations(seed))).concat()
}

#[test]
fn programs_with_threads_are_not_answered_wrongly() {
    check(try_all(&seeds(0..120, 0..160), generate), 2);
}

#[test]
fn programs_with_atomic_sections_are_not_answered_wrongly() {
    check(try_all(&seeds(0..80, 0..120), generate_sections), 3);
}

#[test]
fn programs_with_barriers_are_not_answered_wrongly() {
    check(try_all(&seeds(0..40, 0..60), generate_barriers), 3);
}

/// No answer is wrong, and one of so many is more than UNKNOWN.
fn check(results: Tried, of: usize) {
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
