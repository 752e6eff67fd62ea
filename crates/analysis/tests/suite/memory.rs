//! Memory models on the examples of the papers they come from, and on what dividing memory must not lose.

use std::path::Path;

use ravelin_analysis::config::{Config, Domain};
use ravelin_analysis::memory::Model;
use ravelin_analysis::predicate::Binding;
use ravelin_base::DataModel;
use ravelin_testkit::fixture::fixtures;

use crate::support::{Answer, DOMAINS, build, build_text, decide, describe, prepare, seconds};

const MODELS: [Model; 5] = [Model::Havoc, Model::PointsTo, Model::Deref, Model::Uf, Model::Array];

/// Which of the fixtures a model must answer, by the number in their names.
fn is_answered(model: Model, domain: Domain, number: usize) -> bool {
    // Two pointers, of which nothing says where they lead but that it is not the same: only who compares
    // addresses knows.
    let compares = number <= 102;
    match (model, domain) {
        (Model::Havoc, _) => number == 107,
        (Model::PointsTo, Domain::Predicate) => !compares && number != 105,
        (Model::PointsTo, Domain::Explicit | Domain::Product) => !compares,
        (Model::Deref | Model::Uf | Model::Array, Domain::Explicit) => !compares,
        (Model::Deref | Model::Uf | Model::Array, Domain::Predicate | Domain::Product) => true,
    }
}

#[test]
fn models_answer_the_examples_of_the_papers() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/verify");
    let mut tried = 0;
    for fixture in fixtures(&dir).expect("the fixtures can be read") {
        let name = fixture.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let number: usize = name.split('-').next().and_then(|text| text.parse().ok()).unwrap_or(0);
        if !(100..=107).contains(&number) {
            continue;
        }
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let program = build(std::slice::from_ref(&fixture.path), model);
            for (memory, domain) in MODELS.iter().flat_map(|&m| DOMAINS.map(|d| (m, d))) {
                let mut config = Config { domain, unrolling: None, ..Config::default() };
                config.templates = false;
                config.memory.model = memory;
                let answer = decide(&prepare(&program, &config), &config, seconds(10.0));
                let expected = match fixture.verdict.as_deref() {
                    Some("TRUE") => Answer::True,
                    Some("FALSE") => Answer::False,
                    other => panic!("{name} has the verdict {other:?}"),
                };
                let is_answered = is_answered(memory, domain, number);
                let is_right = match &answer {
                    Answer::Unknown(_) => !is_answered,
                    answer => is_answered && *answer == expected,
                };
                assert!(is_right, "{name} is {answer} under {}", describe(&config));
                tried += 1;
            }
        }
    }
    assert_eq!(tried, 8 * 2 * MODELS.len() * DOMAINS.len());
}

/// Example 5 of 000: the pointer is bound in either way.
#[test]
fn known_pointers_are_bound_in_both_ways() {
    let text = "extern void reach_error(void);
        extern int __VERIFIER_nondet_int(void);
        int main(void) {
            int i = __VERIFIER_nondet_int();
            int *p = &i;
            if (i < 3) return 0;
            while (__VERIFIER_nondet_int()) { }
            if (*p < 3) reach_error();
            return 0;
        }";
    let program = crate::support::build_text(text, DataModel::Ilp32);
    for binding in [Binding::Substitution, Binding::Equality] {
        for model in [Model::PointsTo, Model::Deref] {
            let mut config = Config { domain: Domain::Product, binding, ..Config::default() };
            config.unrolling = None;
            config.templates = false;
            config.memory.model = model;
            let answer = decide(&prepare(&program, &config), &config, seconds(10.0));
            // An equation beside the question is nothing to a model that looks at pointers only.
            let is_known = binding == Binding::Substitution || model == Model::Deref;
            if is_known {
                assert_eq!(answer, Answer::True, "under {}", describe(&config));
            }
            assert_ne!(answer, Answer::False, "under {}", describe(&config));
        }
    }
}

/// A function from elsewhere may change what can be reached through the pointers it gets.
#[test]
fn what_is_given_away_may_change() {
    let text = |given: &str| {
        format!(
            "extern void reach_error(void); extern void take(void *);
             static int first = 1, second = 1;
             struct pair {{ int number; int *pointer; }};
             static struct pair pair = {{3, &first}};
             static int *other = &second;
             int main(void) {{
                 take({given});
                 if (first != 1 || *other != 1) reach_error();
                 return 0;
             }}"
        )
    };
    // The pointer in the struct is one that this program never looks at.
    for (given, may_change) in
        [("&pair", true), ("&first", true), ("&pair.number", true), ("0", false)]
    {
        for domain in DOMAINS {
            let program = build_text(&text(given), DataModel::Lp64);
            let config = Config { domain, ..Config::default() };
            let answer = decide(&prepare(&program, &config), &config, seconds(10.0));
            // The interpreter's function does nothing, so that no error is confirmed.
            assert_eq!(answer == Answer::True, !may_change, "{given} under {domain:?}: {answer}");
        }
    }
}
