//! Programs with weaknesses that are common in C, by their number in the CWE, and the same programs without: every answer
//! is right, and none is UNKNOWN.

use std::path::Path;

use ravelin_testkit::fixture::{Fixture, fixtures};
use ravelin_testkit::tier;
use ravelin_verifier::{Asked, Input, Verifier};

fn check(kind: &str) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/weaknesses");
    let mut found = fixtures(&dir).expect("the fixtures can be read");
    found.retain(|fixture| fixture.path.to_string_lossy().ends_with(kind));
    assert!(found.len() >= 60, "only {} programs", found.len());
    tier::keep_chosen(&mut found);
    let failures: Vec<String> = found.iter().flat_map(problems).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What is wrong with the verdicts on a fixture.
fn problems(fixture: &Fixture) -> Vec<String> {
    let expected = match fixture.violated() {
        Some(property) => format!("FALSE({property})"),
        None => "TRUE".to_owned(),
    };
    let properties = fixture.checked.as_ref().expect("a check").properties;
    let verifier = Verifier {
        asked: Asked::from(properties),
        timeout: Some(tier::seconds(60.0)),
        ..Verifier::default()
    };
    let mut problems = Vec::new();
    for data_model in fixture.data_models() {
        let input = Input::files([&fixture.path]).with_data_model(data_model);
        let answer = verifier.verify(&input).expect("fixtures are accepted");
        let (verdict, path) = (answer.verdict.to_string(), fixture.path.display());
        if verdict != expected {
            problems.push(format!("{path} {data_model}: {verdict}, not {expected}"));
        }
    }
    problems
}

#[test]
fn weaknesses_are_found() {
    check("-bad.c");
}

#[test]
fn programs_without_them_are_proved() {
    check("-good.c");
}
