//! Every fixture of `tests/c` with threads: how its runs end, under every reduction; and a way to every
//! error that the interpreter follows.

use std::collections::BTreeSet;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use ravelin_base::{Budget, DataModel};
use ravelin_cfa::{Program, passes};
use ravelin_explore::{Answer, Ending, Exploration, Options, Reduction, explore};
use ravelin_frontend::source::{SourceOptions, with_deep_stack};
use ravelin_interp::{Outcome, Replay, RunConfig};
use ravelin_testkit::fixture::{Fixture, fixtures};

const REDUCTIONS: [Reduction; 2] = [Reduction::None, Reduction::Static];

const PIPELINES: &[&[&str]] = &[&["split-shared-accesses"], passes::DEFAULT];

fn data_models(fixture: &Fixture) -> Vec<DataModel> {
    match &fixture.options[..] {
        [] => vec![DataModel::Ilp32, DataModel::Lp64],
        [option, model] if option == "--data-model" => {
            vec![DataModel::from_str(model).expect("a data model")]
        }
        other => panic!("{}: unknown options {other:?}", fixture.path.display()),
    }
}

fn build(fixture: &Fixture, data_model: DataModel) -> Program {
    let options = SourceOptions { data_model, ..SourceOptions::default() };
    let mut files = vec![fixture.path.clone()];
    files.extend(fixture.parts.iter().cloned());
    let built = with_deep_stack(|| ravelin_frontend::build(&files, &options));
    built.expect("there is room for a stack").expect("fixtures are accepted").program
}

/// An ending in the words of the fixtures' headers.
fn word(ending: &Ending) -> String {
    match ending {
        Ending::Exit(status) => (status & 0xff).to_string(),
        Ending::ReachError | Ending::AssertFailed => "error".to_owned(),
        Ending::Abort => "134".to_owned(),
        Ending::Deadlock => "deadlock".to_owned(),
        Ending::InvalidMemory => "invalid-memory".to_owned(),
        Ending::DivisionByZero => "division-by-zero".to_owned(),
        Ending::Undefined => "undefined".to_owned(),
    }
}

fn run(program: &Program, reduction: Reduction, all_endings: bool) -> Exploration {
    let options = Options { reduction, all_endings, ..Options::default() };
    let mut budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
    explore(program, &options, &mut budget)
}

/// Whether the interpreter comes to the error that was found.
fn replays(program: &Program, exploration: &Exploration) -> Result<(), String> {
    let Answer::Error { pos, schedule, .. } = &exploration.answer else { return Ok(()) };
    let mut replay = Replay::new(schedule.clone());
    let run = ravelin_interp::run(program, &mut replay, &RunConfig::default());
    match run.outcome {
        Outcome::Error { pos: there, .. } if there == *pos && !replay.diverged() => Ok(()),
        other => Err(format!(
            "replay of {schedule} ends with {}{}",
            other.display(program),
            if replay.diverged() { ", diverged" } else { "" }
        )),
    }
}

fn check(fixture: &Fixture, program: &Program, reduction: Reduction) -> Result<bool, String> {
    let Some(expected) = &fixture.outcomes else { return Ok(false) };
    let expected: BTreeSet<String> = expected.iter().cloned().collect();
    let all = run(program, reduction, true);
    replays(program, &all)?;
    let found: BTreeSet<String> = all.endings.iter().map(word).collect();
    let first = run(program, reduction, false);
    replays(program, &first)?;
    let complete = match &first.answer {
        Answer::Error { .. } if expected.contains("error") => true,
        Answer::Complete if !expected.contains("error") => true,
        Answer::Incomplete(_) => false,
        other => return Err(format!("{other:?}, though the outcomes are {expected:?}")),
    };
    // Where something was left out, some ways may not have been found.
    let right = if all.left_out.is_some() { found.is_subset(&expected) } else { found == expected };
    if right {
        Ok(complete)
    } else {
        Err(format!("endings {found:?}, not {expected:?} ({:?})", all.answer))
    }
}

#[test]
fn endings_of_concurrent_fixtures() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut failures = Vec::new();
    let (mut checked, mut complete) = (0, 0);
    for fixture in fixtures(&dir).expect("the fixtures can be read") {
        for data_model in data_models(&fixture) {
            if fixture.outcomes.is_none() {
                continue;
            }
            let source = build(&fixture, data_model);
            if !source.is_concurrent() {
                continue;
            }
            for pipeline in PIPELINES {
                let mut program = source.clone();
                passes::run(&mut program, pipeline, &Default::default()).expect("passes run");
                for reduction in REDUCTIONS {
                    checked += 1;
                    match check(&fixture, &program, reduction) {
                        Ok(is_complete) => {
                            complete += usize::from(is_complete);
                            if !is_complete && std::env::var_os("SHOW_INCOMPLETE").is_some() {
                                let answer = run(&program, reduction, false).answer;
                                eprintln!("{} {reduction:?} {answer:?}", fixture.path.display());
                            }
                        }
                        Err(message) => failures.push(format!(
                            "{} {data_model} {pipeline:?} {reduction:?}: {message}",
                            fixture.path.display()
                        )),
                    }
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {checked}:\n{}", failures.len(), failures.join("\n"));
    assert!(checked > 300, "only {checked} were checked");
    assert!(complete * 10 >= checked * 8, "only {complete} of {checked} have an answer");
}
