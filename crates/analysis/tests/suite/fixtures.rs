//! Every fixture of `tests/c` under many configurations.
//!
//! A fixture meets one row of a covering array, those that are made for verifiers two: every two settings meet on several
//! fixtures. In the exhaustive tier a fixture meets every corner (domain × refinement × encoding), each in one
//! variant of the other settings. With `RAVELIN_VERBOSE` in the environment, each answer is printed.

use ravelin_analysis::config::Config;
use ravelin_base::DataModel;
use ravelin_testkit::fixture::{Fixture, fixtures};
use ravelin_testkit::tier;

use crate::support::{
    Answer, CORNERS, built, command, configuration, contradicts, covering, data_model, decide,
    on_all, prepare, root, seconds,
};

/// Rows that a fixture for verifiers meets: some mistakes show under few configurations.
const VERIFY_ROWS: usize = 2;

/// What came of one fixture.
#[derive(Debug, Default)]
struct Tried {
    runs: usize,
    answered: usize,
    /// With the commands that repeat them.
    wrong: Vec<String>,
}

#[test]
fn no_fixture_is_answered_wrongly() {
    let mut found = fixtures(&root().join("tests/c")).expect("the fixtures can be read");
    tier::keep_chosen(&mut found);
    let covering = covering();
    let numbered: Vec<(usize, &Fixture)> = found.iter().enumerate().collect();
    let tried: Vec<Tried> =
        on_all(&numbered, |&(number, fixture)| try_fixture(number, fixture, &covering));
    let wrong: Vec<String> = tried.iter().flat_map(|tried| tried.wrong.clone()).collect();
    assert!(wrong.is_empty(), "WRONG VERDICTS\n{}", wrong.join("\n"));
    // How much is answered is measured by `cargo xtask bench`; without any answer, none can be wrong.
    let sum = |count: fn(&Tried) -> usize| tried.iter().map(count).sum::<usize>();
    let (answered, runs) = (sum(|tried| tried.answered), sum(|tried| tried.runs));
    println!("{answered} of {runs} answered");
    assert!(answered * 4 >= runs, "only {answered} of {runs} are answered");
}

/// The configurations of a fixture.
fn configurations(number: usize, is_for_verifiers: bool, covering: &[Config]) -> Vec<Config> {
    if tier::is_exhaustive() {
        return (0..CORNERS).map(|corner| configuration(corner, number + corner)).collect();
    }
    let rows = if is_for_verifiers { VERIFY_ROWS } else { 1 };
    (0..rows).map(|row| covering[(number * rows + row) % covering.len()]).collect()
}

fn try_fixture(number: usize, fixture: &Fixture, covering: &[Config]) -> Tried {
    // A row meets both data models, in turns.
    let is_even = (number + number / covering.len()).is_multiple_of(2);
    let usual = if is_even { DataModel::Ilp32 } else { DataModel::Lp64 };
    let model = data_model(fixture, usual);
    let (files, program) = built(fixture, usual);
    let is_for_verifiers = fixture.path.parent().is_some_and(|dir| dir.ends_with("verify"));
    let limit = seconds(tier::pick(0.3, 0.5));
    let mut tried = Tried::default();
    for config in configurations(number, is_for_verifiers, covering) {
        let ready = prepare(&program, &config);
        let answer = decide(&ready, &config, limit);
        if std::env::var_os("RAVELIN_VERBOSE").is_some() {
            println!("{answer} {}", command(&files, model, &config));
        }
        if let Some(verdict) = &fixture.verdict
            && contradicts(&answer, verdict)
        {
            let command = command(&files, model, &config);
            tried.wrong.push(format!("{answer}, not {verdict}:\n  {command}"));
        }
        tried.runs += 1;
        tried.answered += usize::from(!matches!(answer, Answer::Unknown(_)));
    }
    tried
}
