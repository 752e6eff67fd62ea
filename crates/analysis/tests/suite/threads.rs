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

/// Rows of the covering array that a program meets, without and with an error: a proof of one that has an error is the
/// mistake to look for, while a counterexample is replayed before anything is said.
const ROWS: [usize; 2] = [1, 6];

/// What came of a program.
#[derive(Debug, Default)]
struct Tried {
    has_error: bool,
    /// The answers, each with a message if it is wrong; none if the program is too large.
    answers: Vec<(Config, Answer, Option<String>)>,
}

/// What the interpreter says is of the program in single steps, as it is written.
fn try_seed(seed: u64, generate: fn(u64) -> String) -> Tried {
    let text = generate(seed);
    let data_model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
    let program = build_text(&text, data_model);
    let mut single = program.clone();
    passes::run(&mut single, &["split-shared-accesses"], &PassConfig::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let Some(has_error) = reaches_error(&single) else { return Tried::default() };
    let generated = Generated { seed, text: &text, data_model, program: &program, has_error };
    let judge = |config: &Config| {
        let (answer, wrong) = generated.judge(config, seconds(0.3));
        (*config, answer, wrong)
    };
    Tried { has_error, answers: configurations(seed, has_error).iter().map(judge).collect() }
}

/// The configurations that a program meets: every combination of domain, encoding and reduction in the exhaustive tier;
/// else rows of a covering array. How pointers of threads are compared, and in the exhaustive tier which statements a
/// reduction leaves out, changes from program to program.
fn configurations(seed: u64, has_error: bool) -> Vec<Config> {
    let alias = [Alias::Exact, Alias::Smt, Alias::Static][seed as usize % 3];
    let config =
        |domain, encoding, reduction| Config { alias, ..reducing(domain, encoding, reduction) };
    if !tier::is_exhaustive() {
        let rows = tier::pairwise(&[DOMAINS.len(), ENCODINGS.len(), REDUCTIONS.len()]);
        let count = ROWS[usize::from(has_error)];
        // Another step than the length of the array has as divisor, so that programs begin everywhere.
        let chosen = (0..count).map(|round| &rows[(7 * seed as usize + round) % rows.len()]);
        return chosen.map(|row| config(row[0], row[1], row[2])).collect();
    }
    let mut all = Vec::new();
    for domain in 0..DOMAINS.len() {
        for encoding in 0..ENCODINGS.len() {
            for same in REDUCTIONS.chunk_by(|a, b| a.0 == b.0) {
                let chosen = same[seed as usize % same.len()];
                let number = REDUCTIONS.iter().position(|&it| it == chosen).unwrap_or(0);
                all.push(config(domain, encoding, number));
            }
        }
    }
    all
}

/// Tries programs of a kind.
fn try_all(seeds: &[u64], generate: fn(u64) -> String) -> Vec<Tried> {
    on_all(seeds, |&seed| try_seed(seed, generate))
}

#[test]
fn programs_with_threads_are_not_answered_wrongly() {
    check(try_all(&seeds(0..120, 0..160), generate));
}

#[test]
fn programs_with_atomic_sections_are_not_answered_wrongly() {
    check(try_all(&seeds(0..80, 0..120), generate_sections));
}

#[test]
fn programs_with_barriers_are_not_answered_wrongly() {
    check(try_all(&seeds(0..40, 0..60), generate_barriers));
}

/// No answer is wrong. Some programs have an error, and some are answered: else none could be wrong.
fn check(results: Vec<Tried>) {
    let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let with_error = results.iter().filter(|tried| tried.has_error).count();
    let programs = results.iter().filter(|tried| !tried.answers.is_empty()).count();
    let mut wrong = Vec::new();
    for (config, answer, message) in results.into_iter().flat_map(|tried| tried.answers) {
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
    let sum = |number: usize| counts.values().map(|counts| counts[number]).sum::<usize>();
    let (decided, all) = (sum(0) + sum(1), sum(0) + sum(1) + sum(2));
    println!("{with_error} of {programs} programs have an error, {decided} of {all} are answered");
    assert!(wrong.is_empty(), "WRONG VERDICTS\n{}", wrong.join("\n"));
    assert!(with_error * 30 > programs, "only {with_error} of {programs} have an error");
    assert!(decided * 6 > all, "only {decided} of {all} are answered");
}
