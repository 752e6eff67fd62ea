//! Every fixture of `tests/c` under many configurations.
//!
//! A fixture meets a few of the configurations, which ones its name decides, so that each
//! configuration meets many fixtures. With `RAVELIN_MATRIX=full` in the environment every fixture
//! meets every corner (domain × refinement × encoding), each in one variant of the other settings; with
//! `RAVELIN_MATRIX=N` every N-th corner. `RAVELIN_FIXTURES=text` restricts the run to fixtures whose path
//! contains the text, `RAVELIN_SECONDS` sets the time for each verdict, and with `RAVELIN_VERBOSE` each is
//! printed.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::{Duration, Instant};

use ravelin_analysis::config::{Config, Domain};
use ravelin_analysis::solver::memory;
use ravelin_base::DataModel;
use ravelin_testkit::fixture::{Fixture, fixtures};

use crate::support::{
    Answer, CORNERS, build, configuration, decide, describe, on_all, prepare, seconds,
};

/// A fixture meets every so many corners, unless the environment says otherwise. No divisor of the number
/// of domains, methods or encodings: each fixture meets several of each.
const STRIDE: usize = 61;

/// The same for the fixtures that are made for verifiers: some mistakes show under few configurations.
const VERIFY_STRIDE: usize = 19;

/// How many of a hundred fixtures each domain answers at least, in half a second. To be raised when the
/// analyses get better, and never lowered.
const SOLVED: [(Domain, usize); 3] =
    [(Domain::Explicit, 60), (Domain::Predicate, 55), (Domain::Product, 72)];

/// What came of one fixture.
struct Tried {
    name: String,
    expected: Option<String>,
    is_concurrent: bool,
    runs: Vec<(Config, Answer, Duration)>,
}

#[test]
fn no_fixture_is_answered_wrongly() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c");
    let mut found = fixtures(&dir).expect("the fixtures can be read");
    if let Ok(text) = std::env::var("RAVELIN_FIXTURES") {
        found.retain(|fixture| fixture.path.to_string_lossy().contains(&text));
    }
    let stride = match std::env::var("RAVELIN_MATRIX").as_deref() {
        Ok("full") => Some(1),
        Ok(number) => Some(number.parse().expect("RAVELIN_MATRIX is 'full' or a number")),
        Err(_) => None,
    };
    let tried: Vec<Tried> = on_all(&found, |fixture| try_fixture(fixture, stride));
    let mut wrong = Vec::new();
    let mut solved: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut time: BTreeMap<String, Duration> = BTreeMap::new();
    for Tried { name, expected, is_concurrent, runs } in &tried {
        for (config, answer, took) in runs {
            let Some(expected) = expected else { continue };
            let is_wrong = match answer {
                Answer::True => expected != "TRUE",
                Answer::False => expected != "FALSE",
                Answer::Unknown(_) => false,
            };
            if is_wrong {
                wrong.push(format!("{name}: {answer}, not {expected}, under {}", describe(config)));
            }
            // What is answered of programs with threads, or with other models of memory, is counted for
            // itself.
            if *is_concurrent || config.memory != memory::Options::default() {
                let key = match is_concurrent {
                    true => format!("concurrent {:?}", config.domain),
                    false => format!("{:?}", config.memory.model),
                };
                let counts = solved.entry(key).or_default();
                counts.0 += usize::from(!matches!(answer, Answer::Unknown(_)));
                counts.1 += 1;
                continue;
            }
            for key in [
                format!("{:?}", config.domain),
                format!("{:?} {:?}", config.domain, config.encoding),
                format!("{:?} {:?}", config.domain, config.refinement.method),
            ] {
                let counts = solved.entry(key.clone()).or_default();
                counts.0 += usize::from(!matches!(answer, Answer::Unknown(_)));
                counts.1 += 1;
                *time.entry(key).or_default() += *took;
            }
        }
    }
    for (key, (solved, of)) in &solved {
        let seconds = time.get(key).map_or(0.0, Duration::as_secs_f64);
        println!("{solved:5} of {of:5} {seconds:6.1} s  {key}");
    }
    assert!(wrong.is_empty(), "WRONG VERDICTS\n{}", wrong.join("\n"));
    for (domain, at_least) in SOLVED {
        let (solved, of) = solved[&format!("{domain:?}")];
        assert!(solved * 100 >= of * at_least, "{domain:?} answers only {solved} of {of}");
    }
}

fn try_fixture(fixture: &Fixture, stride: Option<usize>) -> Tried {
    let name =
        fixture.path.components().rev().take(2).map(|part| part.as_os_str().to_string_lossy());
    let name: Vec<_> = name.collect();
    let name = format!("{}/{}", name[1], name[0]);
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    let number = hasher.finish() as usize;
    let model = match &fixture.options[..] {
        [_, model] => model.parse().expect("a data model"),
        _ if number.is_multiple_of(2) => DataModel::Ilp32,
        _ => DataModel::Lp64,
    };
    let mut files = vec![fixture.path.clone()];
    files.extend(fixture.parts.iter().cloned());
    let program = build(&files, model);
    let is_concurrent = program.is_concurrent();
    let usual = if name.starts_with("verify/") { VERIFY_STRIDE } else { STRIDE };
    let stride = stride.unwrap_or(usual);
    let limit = seconds(0.5);
    let mut runs = Vec::new();
    for (round, corner) in (number % stride..CORNERS).step_by(stride).enumerate() {
        let config = configuration(corner, number / CORNERS + round);
        let ready = prepare(&program, &config);
        let started = Instant::now();
        let answer = decide(&ready, &config, limit);
        let took = started.elapsed();
        if std::env::var_os("RAVELIN_VERBOSE").is_some() {
            println!("{name} {answer} {:.2} {}", took.as_secs_f64(), describe(&config));
        }
        runs.push((config, answer, took));
    }
    Tried { name, expected: fixture.verdict.clone(), is_concurrent, runs }
}
