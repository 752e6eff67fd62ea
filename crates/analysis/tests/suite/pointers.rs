//! The configurations of the papers, and values strengthened by every pointer analysis: against exhaustive
//! interpretation of generated programs, and against the fixtures.

use ravelin_analysis::config::Config;
use ravelin_base::DataModel;
use ravelin_cfa::Program;
use ravelin_testkit::fixture::fixtures;
use ravelin_testkit::{concurrent, small, tier};

use crate::configurations::with_pointers;
use crate::support::{
    Answer, Generated, build_text, built, command, contradicts, data_model, decide, on_all,
    prepare, root, seconds, seeds,
};
use crate::{generated, threads};

/// Every so many fixtures are tried in the quick tier.
const QUICK_STRIDE: usize = 4;

/// Tries two configurations on each program; they have to be answered now and then, and never wrongly.
fn check(all: &[u64], text: fn(u64) -> String, reaches_error: fn(&Program) -> Option<bool>) {
    let configs = with_pointers();
    let results = on_all(all, |&seed| {
        let text = text(seed);
        let data_model = if seed.is_multiple_of(2) { DataModel::Ilp32 } else { DataModel::Lp64 };
        let program = build_text(&text, data_model);
        let Some(has_error) = reaches_error(&program) else { return Vec::new() };
        let generated = Generated { seed, text: &text, data_model, program: &program, has_error };
        let numbers = (0..2).map(|round| (seed as usize * 2 + round) % configs.len());
        numbers.map(|number| generated.judge(&configs[number], seconds(0.3))).collect()
    });
    let runs: Vec<(Answer, Option<String>)> = results.concat();
    let is_decided = |(answer, _): &&(Answer, _)| !matches!(answer, Answer::Unknown(_));
    let decided = runs.iter().filter(is_decided).count();
    println!("{decided} of {} answered", runs.len());
    let wrong: Vec<&str> = runs.iter().filter_map(|(_, wrong)| wrong.as_deref()).collect();
    assert!(wrong.is_empty(), "WRONG VERDICTS\n{}", wrong.join("\n"));
    assert!(decided * 3 > runs.len(), "only {decided} of {} are answered", runs.len());
}

#[test]
fn generated_programs_agree() {
    let reaches = |program: &Program| generated::reaches_error(program).ok();
    check(&seeds(1000..1060, 1000..1400), small::small_program, reaches);
}

#[test]
fn generated_threads_agree() {
    let reaches = |program: &Program| threads::reaches_error(&prepare(program, &Config::default()));
    check(&seeds(1000..1060, 1000..1300), concurrent::generate, reaches);
}

/// A fixture meets one configuration, in the exhaustive tier all of them.
#[test]
fn fixtures_agree() {
    let mut found = fixtures(&root().join("tests/c")).expect("the fixtures can be read");
    tier::keep_chosen(&mut found);
    let configs = with_pointers();
    let numbered: Vec<_> = found.iter().enumerate().collect();
    let wrong: Vec<Vec<String>> = on_all(&numbered, |&(number, fixture)| {
        let Some(verdict) = &fixture.verdict else { return Vec::new() };
        if !tier::is_exhaustive() && !number.is_multiple_of(QUICK_STRIDE) {
            return Vec::new();
        }
        let (files, program) = built(fixture, DataModel::Lp64);
        let model = data_model(fixture, DataModel::Lp64);
        let tried = match tier::is_exhaustive() {
            true => &configs[..],
            false => std::slice::from_ref(&configs[number / QUICK_STRIDE % configs.len()]),
        };
        let wrong = tried.iter().filter_map(|config| {
            let answer = decide(&prepare(&program, config), config, seconds(0.3));
            let is_wrong = contradicts(&answer, verdict);
            is_wrong
                .then(|| format!("{answer}, not {verdict}:\n  {}", command(&files, model, config)))
        });
        wrong.collect()
    });
    let wrong = wrong.concat();
    assert!(wrong.is_empty(), "WRONG VERDICTS\n{}", wrong.join("\n"));
}
