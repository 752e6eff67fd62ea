//! Properties of memory and arithmetic: fixtures, and random programs that the interpreter can search exhaustively.

use std::fmt::Write;

use ravelin_analysis::config::Config;
use ravelin_analysis::engine::Engine;
use ravelin_analysis::{insert_checks, renew_locals};
use ravelin_base::Budget;
use ravelin_cfa::passes::{self, PassConfig};
use ravelin_cfa::{ErrorKind, HavocKind, Program, Properties, Property};
use ravelin_frontend::source::with_deep_stack;
use ravelin_interp::{ExploreConfig, ExploreError, ValueOrigin, ValueRequest, all_outcomes};
use ravelin_testkit::fixture::{Fixture, fixtures};
use ravelin_testkit::tier;

use crate::support::{
    Answer, build_text, contradicts, covering, decide, decide_by, on_all, root, seconds, seeds,
};

/// The automaton with its checks, as a configuration wants it.
fn prepare(program: &Program, config: &Config) -> Program {
    let mut program = program.clone();
    let passes = PassConfig { blocks: config.encoding.blocks(), ..PassConfig::default() };
    let run = |program: &mut Program, names: &[&str]| {
        passes::run(program, names, &passes).unwrap_or_else(|error| panic!("{error}"));
    };
    run(&mut program, passes::SIMPLIFYING);
    renew_locals(&mut program);
    insert_checks(&mut program, &Budget::unlimited());
    run(&mut program, &["propagate-constants", "remove-dead-code"]);
    run(&mut program, passes::STEP_MAKING);
    program
}

/// The answers of refinement in this configuration, and of engines for programs with one thread: unrolling and symbolic
/// execution.
fn answers(program: &Program, config: &Config) -> Vec<Answer> {
    let limit = seconds(tier::pick(0.3, 1.0));
    let ready = prepare(program, config);
    let mut answers = vec![decide(&ready, config, limit)];
    if !ready.is_concurrent() {
        for engine in [Engine::BoundedUnrolling, Engine::SymbolicExecution] {
            answers.push(decide_by(engine, &ready, config, limit));
        }
    }
    answers
}

/// What a fixture says of the properties that it checks.
fn verdict(fixture: &Fixture) -> Option<&str> {
    let checked = fixture.checked.as_ref()?;
    if let Some(verdict) = &checked.verdict {
        return Some(verdict);
    }
    Some(if fixture.violated().is_some() { "FALSE" } else { "TRUE" })
}

#[test]
fn no_fixture_with_checks_is_answered_wrongly() {
    let mut found = fixtures(&root().join("tests/c")).expect("the fixtures can be read");
    tier::keep_chosen(&mut found);
    found.retain(|fixture| fixture.checked.is_some());
    let covering = covering();
    let numbered: Vec<(usize, &Fixture)> = found.iter().enumerate().collect();
    let tried = on_all(&numbered, |&(number, fixture)| {
        let models = fixture.data_models();
        let model = models[number % models.len()];
        let program = with_deep_stack(|| fixture.lower(model)).expect("there is room for a stack");
        let program = program.expect("fixtures are accepted");
        let expected = verdict(fixture).expect("it has checks");
        let mut wrong = Vec::new();
        let mut answered = 0;
        for config in [Config::default(), covering[number % covering.len()]] {
            for answer in answers(&program, &config) {
                answered += usize::from(!matches!(answer, Answer::Unknown(_)));
                if contradicts(&answer, expected) {
                    wrong.push(format!("{} {config:?}: {answer}", fixture.path.display()));
                }
            }
        }
        (wrong, answered)
    });
    let wrong: Vec<&String> = tried.iter().flat_map(|(wrong, _)| wrong).collect();
    assert!(wrong.is_empty(), "WRONG VERDICTS\n{wrong:#?}");
    let answered: usize = tried.iter().map(|(_, answered)| answered).sum();
    assert!(answered * 3 >= tried.len() * 4, "{answered} answers to {} fixtures", tried.len());
}

/// Statements over two pointers to pointers, an array and a number.
const ACTIONS: [&str; 18] = [
    "p = malloc(8);",
    "q = malloc(16);",
    "free(p);",
    "free(q);",
    "p = q;",
    "q = p;",
    "p = 0;",
    "if (p) *p = 0;",
    "if (q) q[1] = 0;",
    "p = realloc(p, 16);",
    "a[n] = 1;",
    "if (n < 3) a[n] = 2;",
    "n = n + 1;",
    "n = nondet();",
    "p = (void **)&l;",
    "if (p) { void **inner = malloc(8); *p = inner; }",
    "g = q;",
    "if (p == q) q = 0;",
];

/// A program with one thread, whose input is 0, 1 or 2.
fn generate(seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut text = String::from(
        "typedef unsigned long size_t; void *malloc(size_t); void *realloc(void *, size_t);\n\
         void free(void *); int __VERIFIER_nondet_int(void); void *g;\n\
         static int nondet(void) {\n\
         \tint x = __VERIFIER_nondet_int();\n\
         \treturn x == 0 ? 0 : x == 1 ? 1 : 2;\n}\n\
         int main(void) {\n\tvoid **p = 0, **q = 0; void *l = 0; int a[3] = {0}; int n = 0;\n",
    );
    for _ in 0..random.usize(2..7) {
        let action = ACTIONS[random.usize(0..ACTIONS.len())];
        let _ = match random.u8(0..6) {
            0 => writeln!(text, "\tif (nondet() == 1) {{ {action} }}"),
            1 => writeln!(text, "\tfor (int i = 0; i < 2; i++) {{ {action} }}"),
            _ => writeln!(text, "\t{action}"),
        };
    }
    if random.bool() {
        text.push_str("\tfree(p); if (q != p) free(q);\n");
    }
    text.push_str("\treturn a[0];\n}\n");
    text
}

const CHECKED: [&[Property]; 3] = [
    &[Property::ValidDeref, Property::ValidFree],
    &[Property::ValidDeref, Property::ValidFree, Property::ValidMemtrack],
    &[Property::ValidMemcleanup],
];

#[test]
fn generated_programs_with_checks_are_not_answered_wrongly() {
    let covering = covering();
    let numbers = seeds(0..150, 0..2000);
    let tried = on_all(&numbers, |&seed| {
        let text = generate(seed);
        let mut program = build_text(&text, ravelin_base::DataModel::Lp64);
        let checked: Properties = CHECKED[(seed % 3) as usize].iter().copied().collect();
        program.checked = checked;
        let mut plain = program.clone();
        passes::run(&mut plain, &["split-shared-accesses"], &PassConfig::default())
            .unwrap_or_else(|error| panic!("{error}"));
        let values = |request: &ValueRequest| match request.origin {
            ValueOrigin::Havoc(HavocKind::Input(_)) => Some(vec![0, 1, 2]),
            _ => Some(vec![0]),
        };
        let config = ExploreConfig { max_states: 20_000, ..ExploreConfig::default() };
        let violations: Vec<ErrorKind> = match all_outcomes(&plain, &config, &values) {
            Ok(outcomes) => outcomes.iter().filter_map(|it| it.violation(checked)).collect(),
            Err(ExploreError::TooManyStates(_)) => return None,
            Err(error) => panic!("{error}\n{text}"),
        };
        let expected = if violations.is_empty() { "TRUE" } else { "FALSE" };
        let config = covering[seed as usize % covering.len()];
        let mut answered = 0;
        for config in [Config::default(), config] {
            for answer in answers(&program, &config) {
                let is_wrong = contradicts(&answer, expected);
                assert!(
                    !is_wrong,
                    "seed {seed} {config:?} is {answer}, not {violations:?}\n{text}"
                );
                answered += usize::from(!matches!(answer, Answer::Unknown(_)));
            }
        }
        Some((expected, answered))
    });
    let tried: Vec<_> = tried.into_iter().flatten().collect();
    for verdict in ["TRUE", "FALSE"] {
        let of_verdict = tried.iter().filter(|(expected, _)| *expected == verdict);
        let answered: usize = of_verdict.map(|(_, answered)| answered).sum();
        assert!(answered > 0, "no program that is {verdict} has an answer");
    }
}
