//! Every fixture of `tests/c`. With threads: how its runs end, under every reduction; and a way to every
//! error that the interpreter follows. With one thread: whether there is an error. In the quick tier a fixture meets both
//! data models and both pipelines, in the exhaustive one each of these with each of those.

mod common;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use ravelin_base::{Budget, DataModel};
use ravelin_cfa::{ErrorKind, Program, Property, passes};
use ravelin_explore::{Answer, Ending, Exploration, Options, Order, Reduction, explore};
use ravelin_frontend::source::with_deep_stack;
use ravelin_interp::{Replay, RunConfig};
use ravelin_testkit::fixture::{Fixture, fixtures};
use ravelin_testkit::tier;

use crate::common::SEARCHES;

const PIPELINES: &[&[&str]] = &[&["split-shared-accesses"], passes::DEFAULT];

fn build(fixture: &Fixture, data_model: DataModel) -> Program {
    let built = with_deep_stack(|| fixture.lower(data_model));
    built.expect("there is room for a stack").expect("fixtures are accepted")
}

/// An ending in the words of the fixtures' headers.
fn word(program: &Program, ending: &Ending) -> String {
    let violation = ending.violation(program.checked).map(ErrorKind::property);
    let stated = [
        Property::NoOverflow,
        Property::ValidArithmetic,
        Property::ValidBounds,
        Property::ValidArguments,
        Property::ValidInit,
    ];
    let is_stated = matches!(ending, Ending::Error(kind) if stated.contains(&kind.property()));
    match ending {
        _ if !is_stated && violation.is_some_and(|it| it != Property::UnreachCall) => {
            violation.map(|property| property.to_string()).unwrap_or_default()
        }
        Ending::Exit(status) => (status & 0xff).to_string(),
        Ending::Error(kind) if kind.property() == Property::UnreachCall => "error".to_owned(),
        Ending::Error(kind) => kind.name().to_owned(),
        Ending::Abort => "134".to_owned(),
        Ending::Deadlock => "deadlock".to_owned(),
        Ending::InvalidAccess | Ending::InvalidFree => "invalid-memory".to_owned(),
        Ending::DivisionByZero => "division-by-zero".to_owned(),
        Ending::DivisionOverflow | Ending::Undefined => "undefined".to_owned(),
    }
}

fn run(program: &Program, search: (Reduction, Order), all_endings: bool) -> Exploration {
    let (reduction, order) = search;
    let options = Options { reduction, order, all_endings, ..Options::default() };
    let mut budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
    explore(program, &options, &mut budget)
}

/// Whether the interpreter comes to the error that was found.
fn replays(program: &Program, exploration: &Exploration) -> Result<(), String> {
    let Answer::Error { kind, pos, schedule } = &exploration.answer else { return Ok(()) };
    let mut replay = Replay::new(schedule.clone());
    let run = ravelin_interp::run(program, &mut replay, &RunConfig::default());
    let is_error = run.outcome.violation(program.checked) == Some(*kind);
    match is_error && run.outcome.pos() == Some(*pos) && !replay.diverged() {
        true => Ok(()),
        false => Err(format!(
            "replay of {schedule} ends with {}{}",
            run.outcome.display(program),
            if replay.diverged() { ", diverged" } else { "" }
        )),
    }
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default)]
struct Checked {
    /// Whether it has an answer.
    has_answer: bool,
    /// How many states it visited for all endings.
    states: usize,
    /// How many until it found an error, if there is one.
    until_error: usize,
}

fn check(
    fixture: &Fixture,
    program: &Program,
    search: (Reduction, Order),
) -> Result<Checked, String> {
    let Some(expected) = &fixture.outcomes else { return Ok(Checked::default()) };
    let expected: BTreeSet<String> = expected.iter().cloned().collect();
    let all = run(program, search, true);
    replays(program, &all)?;
    let found: BTreeSet<String> = all.endings.iter().map(|ending| word(program, ending)).collect();
    let first = run(program, search, false);
    replays(program, &first)?;
    let has_error = expected.contains("error") || fixture.violated().is_some();
    let has_answer = match &first.answer {
        Answer::Error { .. } if has_error => true,
        Answer::Complete if !has_error => true,
        Answer::Incomplete(_) => false,
        other => return Err(format!("{other:?}, though the outcomes are {expected:?}")),
    };
    // Where something was left out, some ways may not have been found.
    let right = if all.left_out.is_some() { found.is_subset(&expected) } else { found == expected };
    if right {
        let is_error = matches!(first.answer, Answer::Error { .. });
        let until_error = if is_error { first.states } else { 0 };
        Ok(Checked { has_answer, states: all.states, until_error })
    } else {
        Err(format!("endings {found:?}, not {expected:?} ({:?})", all.answer))
    }
}

/// Every fixture that checks properties of memory and has one thread: whether one is violated, and which.
#[test]
fn violations_of_memory_properties() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c/memory");
    let (mut failures, mut proofs, mut violations) = (Vec::new(), 0, 0);
    for fixture in fixtures(&dir).expect("the fixtures can be read") {
        let Some(expected) = &fixture.run else { continue };
        for data_model in fixture.data_models() {
            for pipeline in PIPELINES {
                let mut program = build(&fixture, data_model);
                passes::run(&mut program, pipeline, &Default::default()).expect("passes run");
                let found = run(&program, SEARCHES[1], false);
                let answer = match &found.answer {
                    Answer::Error { kind, .. } => kind.property().to_string(),
                    Answer::Complete => {
                        proofs += 1;
                        "complete".to_owned()
                    }
                    Answer::Incomplete(reason) => reason.to_string(),
                };
                let right = match Property::named(expected) {
                    Some(property) => answer == property.name(),
                    None => !matches!(found.answer, Answer::Error { .. }),
                };
                violations += usize::from(right && answer == *expected);
                if let Err(message) = replays(&program, &found) {
                    failures.push(format!("{}: {message}", fixture.path.display()));
                }
                if !right {
                    failures.push(format!("{} {pipeline:?}: {answer}", fixture.path.display()));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(proofs >= 30 && violations >= 100, "{proofs} proofs, {violations} violations");
}

#[test]
fn endings_of_concurrent_fixtures() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut failures = Vec::new();
    let (mut checked, mut answered) = (0, 0);
    let (mut states, mut until_error) = ([0; SEARCHES.len()], [0; SEARCHES.len()]);
    let (mut smaller, mut smallest) = (0, 0);
    for (number, fixture) in
        fixtures(&dir).expect("the fixtures can be read").into_iter().enumerate()
    {
        let models = fixture.data_models();
        let has_both = models.len() == PIPELINES.len();
        for (at, data_model) in models.into_iter().enumerate() {
            if fixture.outcomes.is_none() {
                continue;
            }
            let source = build(&fixture, data_model);
            if !source.is_concurrent() {
                continue;
            }
            for (turn, pipeline) in PIPELINES.iter().enumerate() {
                if has_both && !tier::is_exhaustive() && (number + at + turn) % 2 == 1 {
                    continue;
                }
                let mut program = source.clone();
                passes::run(&mut program, pipeline, &Default::default()).expect("passes run");
                let mut sizes = [0; SEARCHES.len()];
                for (index, search) in SEARCHES.into_iter().enumerate() {
                    checked += 1;
                    match check(&fixture, &program, search) {
                        Ok(done) => {
                            answered += usize::from(done.has_answer);
                            sizes[index] = done.states;
                            states[index] += done.states;
                            until_error[index] += done.until_error;
                            if !done.has_answer && std::env::var_os("RAVELIN_VERBOSE").is_some() {
                                let answer = run(&program, search, false).answer;
                                eprintln!("{} {search:?} {answer:?}", fixture.path.display());
                            }
                        }
                        Err(message) => failures.push(format!(
                            "{} {data_model} {pipeline:?} {search:?}: {message}",
                            fixture.path.display()
                        )),
                    }
                }
                let [none, statically, dynamically, ..] = sizes;
                smaller += usize::from(statically < none);
                smallest += usize::from(dynamically < statically);
            }
        }
    }
    assert!(failures.is_empty(), "{} of {checked}:\n{}", failures.len(), failures.join("\n"));
    assert!(checked > 300, "only {checked} were checked");
    assert!(answered * 10 >= checked * 8, "only {answered} of {checked} have an answer");
    for (search, (states, until_error)) in SEARCHES.iter().zip(states.iter().zip(until_error)) {
        println!("{search:?}: {states} states for all endings, {until_error} until errors");
    }
    println!("static reduction helps {smaller} times, dynamic beyond that {smallest} times");
    let programs = checked / SEARCHES.len();
    assert!(smaller * 5 > programs * 2 && smallest * 12 > programs, "of {programs}");
    let [none, statically, dynamically, ..] = states;
    assert!(dynamically < statically && statically < none);
}

/// Whether a fixture has an error, if it says.
fn has_error(fixture: &Fixture) -> Option<bool> {
    let checked = fixture.checked.as_ref().and_then(|checked| checked.verdict.as_deref());
    let verdict = fixture.verdict.as_deref().or(checked);
    match (verdict, &fixture.outcomes, fixture.run.as_deref()) {
        (Some("TRUE"), ..) => Some(false),
        (Some("FALSE"), ..) => Some(true),
        (Some(_), ..) => None,
        (None, Some(outcomes), _) => Some(outcomes.iter().any(|outcome| outcome == "error")),
        (None, None, run) => run.map(|run| run == "error"),
    }
}

#[test]
fn answers_of_fixtures_with_one_thread() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let (mut failures, mut proofs, mut errors) = (Vec::new(), 0, 0);
    for fixture in fixtures(&dir).expect("the fixtures can be read") {
        if fixture.checked.is_some() {
            continue;
        }
        let Some(expected) = has_error(&fixture) else { continue };
        let data_model = fixture.data_models()[0];
        let source = build(&fixture, data_model);
        if source.is_concurrent() {
            continue;
        }
        for (pipeline, only_complete) in [(PIPELINES[0], false), (PIPELINES[1], true)] {
            let mut program = source.clone();
            passes::run(&mut program, pipeline, &Default::default()).expect("passes run");
            let options = Options {
                reduction: Reduction::None,
                max_states: 200,
                only_complete,
                ..Options::default()
            };
            let mut budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
            let found = explore(&program, &options, &mut budget);
            let replayed = replays(&program, &found);
            match (&found.answer, expected, replayed) {
                (Answer::Complete, false, _) => proofs += 1,
                (Answer::Error { .. }, true, Ok(())) => errors += 1,
                (Answer::Incomplete(_), ..) => {}
                (answer, _, replayed) => failures.push(format!(
                    "{} {pipeline:?}: {answer:?} {replayed:?}",
                    fixture.path.display()
                )),
            }
        }
    }
    assert!(failures.is_empty(), "{}:\n{}", failures.len(), failures.join("\n"));
    println!("{proofs} proofs, {errors} errors");
    assert!(proofs > 200 && errors > 50, "only {proofs} proofs and {errors} errors");
}
