//! Proofs by Horn clauses: of fixtures and generated programs, and of none that has an error.

use std::time::Duration;

use ravelin_analysis::config::Config;
use ravelin_analysis::engine::horn::prove;
use ravelin_analysis::model::control_flow::ControlFlowFacts;
use ravelin_base::{Budget, DataModel, Deadline};
use ravelin_cfa::Program;
use ravelin_testkit::fixture::{Fixture, fixtures};
use ravelin_testkit::small::small_program;

use crate::generated::reaches_error;
use crate::support::{build_text, built, on_all, prepare, root, seconds, seeds, solvers};

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
    let mut found = fixtures(&root().join("tests/c")).expect("the fixtures can be read");
    found.retain(|fixture| fixture.verdict.is_some());
    let limit = seconds(0.2);
    let proved = on_all(&found, |fixture: &Fixture| {
        let (_, program) = built(fixture, DataModel::Lp64);
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
    let results = on_all(&seeds(0..100, 0..400), |&seed| {
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
