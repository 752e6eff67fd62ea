//! Proofs by Horn clauses: of fixtures and generated programs, and of none that has an error.

use std::path::Path;
use std::time::Duration;

use ravelin_analysis::config::Config;
use ravelin_analysis::engine::horn::prove;
use ravelin_analysis::model::control_flow::ControlFlowFacts;
use ravelin_base::{Budget, DataModel, Deadline};
use ravelin_cfa::Program;
use ravelin_testkit::fixture::{Fixture, fixtures};
use ravelin_testkit::small::small_program;

use crate::generated::{reaches_error, seeds};
use crate::support::{build, build_text, on_all, prepare, seconds, solvers};

/// Whether there is a proof.
fn is_proved(program: &Program, limit: Duration) -> bool {
    let program = prepare(program, &Config::default());
    let (control_flow, mut solvers) = (ControlFlowFacts::new(&program), solvers());
    let mut solver = solvers.solver();
    let deadline = Deadline::default().sooner(limit);
    let found = prove(
        &program,
        &control_flow,
        &mut *solver,
        solvers.prover(),
        &Budget::unlimited(),
        deadline,
    );
    found.is_ok_and(|proof| proof.is_some())
}

#[test]
fn fixtures_with_errors_have_no_proof() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut found = fixtures(&dir).expect("the fixtures can be read");
    found.retain(|fixture| fixture.verdict.is_some());
    let limit = seconds(0.2);
    let proved = on_all(&found, |fixture: &Fixture| {
        let model = match &fixture.options[..] {
            [_, model] => model.parse().expect("a data model"),
            _ => DataModel::Lp64,
        };
        let mut files = vec![fixture.path.clone()];
        files.extend(fixture.parts.iter().cloned());
        let program = build(&files, model);
        !program.is_concurrent() && is_proved(&program, limit)
    });
    let mut proofs = 0;
    for (fixture, proved) in found.iter().zip(proved) {
        let is_safe = fixture.verdict.as_deref() == Some("TRUE");
        assert!(is_safe || !proved, "WRONG VERDICT: {}", fixture.path.display());
        proofs += usize::from(proved);
    }
    println!("{proofs} of {} fixtures have a proof", found.len());
    assert!(proofs > 60, "only {proofs} of {} have a proof", found.len());
}

#[test]
fn generated_programs_with_errors_have_no_proof() {
    let limit = seconds(0.5);
    let results = on_all(&seeds(0..100), |&seed| {
        let text = small_program(seed);
        let program = build_text(&text, DataModel::Ilp32);
        let has_error = reaches_error(&program).ok()?;
        let proved = is_proved(&program, limit);
        assert!(!(has_error && proved), "WRONG VERDICT: seed {seed}\n{text}");
        Some(proved)
    });
    let proofs = results.iter().filter(|proved| **proved == Some(true)).count();
    println!("{proofs} of {} programs have a proof", results.len());
    assert!(proofs > 10, "only {proofs} of {} have a proof", results.len());
}
