//! Proofs by Horn clauses: of fixtures and generated programs, and of none that has an error.

use std::time::Duration;

use ravelin_analysis::config::Config;
use ravelin_analysis::engine::horn::prove;
use ravelin_analysis::model::control_flow::ControlFlowFacts;
use ravelin_base::{Budget, DataModel, Deadline};
use ravelin_cfa::Program;
use ravelin_cfa::passes::{self, PassConfig};
use ravelin_por::ProgramFacts;
use ravelin_testkit::concurrent::generate;
use ravelin_testkit::fixture::{Fixture, fixtures};
use ravelin_testkit::guarded::generate_guarded;
use ravelin_testkit::small::small_program;

use crate::generated::reaches_error;
use crate::support::{build_text, built, on_all, prepare, root, seconds, seeds, solvers};

/// Whether there is a proof.
fn is_proved(program: &Program, limit: Duration) -> bool {
    let program = prepare(program, &Config::default());
    let (control_flow, mut solvers) = (ControlFlowFacts::new(&program), solvers());
    let mut solver = solvers.solver();
    let deadline = Deadline::default().sooner(limit);
    let facts = ProgramFacts::new(&program, Budget::unlimited());
    let found = prove(
        &facts,
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
    let proved =
        on_all(&found, |fixture: &Fixture| is_proved(&built(fixture, DataModel::Lp64).1, limit));
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

/// How many programs of a kind have a proof.
fn proofs_of_threads(seeds: &[u64], generate: fn(u64) -> String) -> usize {
    let limit = seconds(0.5);
    let results = on_all(seeds, |&seed| {
        let text = generate(seed);
        let program = build_text(&text, DataModel::Lp64);
        let mut single = program.clone();
        passes::run(&mut single, &["split-shared-accesses"], &PassConfig::default())
            .unwrap_or_else(|error| panic!("{error}"));
        let has_error = crate::threads::reaches_error(&single)?;
        let proved = is_proved(&program, limit);
        assert!(!(has_error && proved), "WRONG VERDICT: seed {seed}\n{text}");
        Some((has_error, proved))
    });
    let with_error = results.iter().flatten().filter(|(has_error, _)| *has_error).count();
    let proofs = results.iter().flatten().filter(|(_, proved)| *proved).count();
    println!("{proofs} of {} programs have a proof, {with_error} an error", results.len());
    proofs
}

#[test]
fn generated_programs_with_mutexes_and_errors_have_no_proof() {
    let seeds = seeds(0..150, 0..1500);
    let proofs = proofs_of_threads(&seeds, generate_guarded);
    assert!(proofs * 10 > seeds.len(), "only {proofs} of {} have a proof", seeds.len());
}

#[test]
fn generated_programs_with_threads_and_errors_have_no_proof() {
    assert!(proofs_of_threads(&seeds(0..60, 0..400), generate) > 0, "none has a proof");
}
