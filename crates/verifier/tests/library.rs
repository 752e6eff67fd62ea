//! The verifier as other programs use it.

#[path = "../examples/verify_text.rs"]
mod example;

use std::sync::Arc;
use std::time::{Duration, Instant};

use ravelin_analysis::progress::Progress;
use ravelin_verifier::limits::Limits;

use ravelin_verifier::property::questions;
use ravelin_verifier::{
    DataModel, Failure, Input, Proof, Property, Reason, Run, Silence, Strategy, Verdict, Verifier,
    leading,
};

fn verify(input: &Input) -> Verdict {
    Verifier::default().verify(input).expect("a program").verdict
}

const LOST_UPDATE: &str = include_str!("../../../examples/lost_update.c");

#[test]
fn a_text_with_headers_is_preprocessed_and_its_lines_are_told() {
    let input = Input::text("lost \"update\".c", LOST_UPDATE);
    let Verdict::False(violation) = verify(&input) else { panic!("an update can be lost") };
    let place = "assertion failed at lost \"update\".c:32:";
    assert!(violation.outcome.starts_with(place), "{}", violation.outcome);
    assert!(violation.trace.contains("counter++;  R counter = 0"), "{}", violation.trace);
    let steps = violation.step_trace(&input).expect("few steps");
    let names: Vec<&str> = steps.trace.threads.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["main", "increment 1", "increment 2"]);
    assert_eq!(steps.files, ["lost \"update\".c"]);
    let last = steps.trace.steps.last().expect("steps");
    assert_eq!(last.text, "assert(counter == 2);");
}

#[test]
fn proofs_tell_how() {
    let locked = LOST_UPDATE.replace("counter++", "__sync_fetch_and_add(&counter, 1)");
    let verdict = verify(&Input::text("atomic.c", locked));
    assert!(matches!(verdict, Verdict::True(Proof::Explored { states }) if states > 0));

    let text = "extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void);\n\
                int main(void) { unsigned i = 0, j = 0, n = __VERIFIER_nondet_uint();\n\
                while (i < n) { i++; j++; } if (i != j) reach_error(); }\n";
    // The stages that need no clock.
    let strategy =
        Strategy { unrolling: None, templates: false, clauses: false, ..Strategy::default() };
    let verifier = Verifier { strategy, ..Verifier::default() };
    let answer = verifier.verify(&Input::text("equal.c", text)).expect("a program");
    assert!(matches!(answer.verdict, Verdict::True(Proof::Abstraction(_))));
    let invariants = answer.invariants();
    assert_eq!(invariants.len(), 1, "{invariants:?}");
    assert_eq!(
        (invariants[0].function.as_str(), invariants[0].formula.as_str()),
        ("main", "i == j")
    );
}

#[test]
fn data_models_decide() {
    let text = "extern void reach_error(void);\n\
                int main(void) { if (sizeof(long) == 8) reach_error(); }\n";
    let input = Input::text("long.c", text);
    assert!(matches!(verify(&input), Verdict::True(_)));
    assert!(matches!(verify(&input.with_data_model(DataModel::Lp64)), Verdict::False(_)));
}

#[test]
fn what_is_no_c_is_told_with_its_place() {
    let failure =
        Verifier::default().verify(&Input::text("broken.c", "int main(void) { return 1 + ; }\n"));
    let Err(failure @ Failure::Front(_)) = failure else { panic!("this is no C") };
    assert!(failure.to_string().starts_with("broken.c:1:"), "{failure}");
    let failure =
        Verifier::default().verify(&Input::files(["no/such/file.c"])).expect_err("no file");
    assert!(failure.to_string().contains("no such file"), "{failure}");
}

#[test]
fn limits_end_in_unknown() {
    let text = "extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);\n\
                int main(void) { unsigned n = __VERIFIER_nondet_uint(), s = 1, t = 2, i = 0;\n\
                while (i < n) { s = s * s + t; t = t * s + n; i++; }\n\
                if (s * t == 12345u && n > 1000u) reach_error(); }\n";
    let input = Input::text("hard.c", text);
    let begun = Instant::now();
    let timeout = Some(Duration::from_millis(500));
    let verifier = Verifier { timeout, ..Verifier::default() };
    let answer = verifier.verify(&input).expect("a program");
    assert!(matches!(answer.verdict, Verdict::Unknown(reason) if reason == Reason::Timeout));
    assert!(begun.elapsed() < Duration::from_secs(10));
    let verifier = Verifier { memory_megabytes: Some(1), ..Verifier::default() };
    let answer = verifier.verify(&input).expect("a program");
    assert!(matches!(answer.verdict, Verdict::Unknown(reason) if reason == Reason::OutOfMemory));
}

#[test]
fn each_question_has_an_answer() {
    let text = "extern unsigned __VERIFIER_nondet_uint(void); extern void reach_error(void);\n\
                int main(void) { unsigned x = __VERIFIER_nondet_uint();\n\
                if (x > 3 && x < 3) reach_error();\n\
                return 5 / x; }\n";
    let properties = [Property::UnreachCall, Property::NoOverflow, Property::ValidArithmetic];
    let questions = questions(properties.into_iter().collect());
    let input = Input::text("division.c", text);
    let answers = Verifier::default().verify_each(&questions, &input).expect("a program");
    let verdicts: Vec<Verdict> = answers.iter().map(|answered| answered.verdict()).collect();
    let told: Vec<String> = verdicts.iter().map(Verdict::to_string).collect();
    assert_eq!(told, ["TRUE", "TRUE", "FALSE(valid-arithmetic)"]);
    assert_eq!(leading(&verdicts), 2);
    // Without time, each is unknown.
    let verifier = Verifier { timeout: Some(Duration::ZERO), ..Verifier::default() };
    let answers = verifier.verify_each(&questions, &input).expect("a program");
    let told: Vec<String> = answers.iter().map(|it| it.verdict().to_string()).collect();
    assert_eq!(told, ["UNKNOWN(timeout)"; 3]);
}

/// What is not modelled may be an error, too, and so may be a thread of a function from elsewhere.
#[test]
fn a_program_without_errors_needs_no_engine() {
    let decide = |text: &str| {
        let input = Input::text("p.c", format!("#include <pthread.h>\n{text}"));
        let progress = Progress::default();
        let run = Run::new(Limits::default(), progress.clone(), Arc::new(Silence));
        let answer = Verifier::default().decide(&input, &run).expect("a program");
        (answer.verdict.to_string(), progress.latest().cegar.states)
    };
    let endless = "int main(void) { for (unsigned i = 0;; i += 2) ; }\n";
    assert_eq!(decide(endless), ("TRUE".to_owned(), 0));
    let (verdict, _) = decide("int main(void) { return __sync_something(1); }\n");
    assert!(verdict.starts_with("UNKNOWN(unsupported: p.c:2:"), "{verdict}");
    let elsewhere = "extern void *(*f)(void *);\n\
                     int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); }\n";
    let (verdict, _) = decide(elsewhere);
    assert!(verdict.starts_with("UNKNOWN("), "{verdict}");
}

/// The one that the book shows.
#[test]
fn the_example_runs() {
    example::main().expect("two programs");
}
