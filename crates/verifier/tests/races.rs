//! Data races of generated programs: what the static stage leaves out and what the instrumented automaton finds, compared
//! with the interpreter, which looks at all interleavings for two accesses that both come next.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ravelin_base::{Budget, DataModel};
use ravelin_cfa::passes::{self, PassConfig};
use ravelin_cfa::{Program, Property};
use ravelin_explore::{Answer, Options, Reduction, explore};
use ravelin_interp::{ExploreConfig, Outcome, ValueRequest, all_outcomes};
use ravelin_testkit::{concurrent, guarded, racing, tier};
use ravelin_verifier::front::{self, SOURCE_PASSES};
use ravelin_verifier::limits::Limits;
use ravelin_verifier::{Asked, Input, Properties, Run, Silence, Verifier};

/// The program as it stands in the source.
fn input(text: &str, data_model: DataModel) -> Input {
    let mut input = Input::text("program.i", text).with_data_model(data_model);
    input.reading.checked = Property::NoDataRace.into();
    input
}

/// Whether some interleaving has a race; `None` if there are too many.
fn has_race(program: &Program) -> Option<bool> {
    let config = ExploreConfig { max_states: 40_000, ..ExploreConfig::default() };
    let booleans = |_: &ValueRequest| Some(vec![0, 1]);
    let outcomes = all_outcomes(program, &config, &booleans).ok()?;
    Some(outcomes.iter().any(|outcome| matches!(outcome, Outcome::Race(_))))
}

#[derive(Default, Debug)]
struct Tried {
    racy: usize,
    free: usize,
    /// Free of races, as the static stage says alone.
    proved: usize,
}

fn try_all(generate: fn(u64) -> String, quick: u64, exhaustive: u64) -> Tried {
    let mut tried = Tried::default();
    for seed in tier::seeds(0..quick, 0..exhaustive) {
        let text = generate(seed);
        let data_model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
        let input = input(&text, data_model);
        let mut front = front::lower(&input).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut source = front.program.clone();
        passes::run(&mut source, SOURCE_PASSES, &PassConfig::default())
            .unwrap_or_else(|error| panic!("{error}"));
        let Some(expected) = has_race(&source) else { continue };
        let run = Run::new(Limits::default(), Default::default(), Arc::new(Silence));
        front.prepare(&PassConfig::default(), &run).unwrap_or_else(|error| panic!("{error}"));
        let candidates = front.phases.races.candidates;
        assert!(
            !expected || candidates > 0 || front.doubt.is_some(),
            "seed {seed}: the static stage misses a race\n{text}"
        );
        match expected {
            true => tried.racy += 1,
            false => tried.free += 1,
        }
        tried.proved += usize::from(candidates == 0 && front.doubt.is_none());
        for reduction in [Reduction::Static, Reduction::Dynamic] {
            let options = Options { reduction, ..Options::default() };
            let found = explore(&front.program, &options, &mut Budget::unlimited());
            let says = match found.answer {
                Answer::Error { .. } => true,
                Answer::Complete => false,
                _ => continue,
            };
            assert_eq!(says, expected, "seed {seed}, {reduction:?}\n{text}");
        }
    }
    tried
}

#[test]
fn generated_races_are_found_and_nothing_else() {
    let tried = try_all(racing::generate_racing, 300, 10_000);
    eprintln!("{tried:?}");
    assert!(tried.racy > 50 && tried.free > 50 && tried.proved > 20, "{tried:?}");
}

#[test]
fn races_of_other_generated_programs_are_found() {
    let generators: [fn(u64) -> String; 3] =
        [concurrent::generate, concurrent::generate_sections, guarded::generate_guarded];
    for generate in generators {
        let tried = try_all(generate, 60, 2_000);
        eprintln!("{tried:?}");
        assert!(tried.racy > 0, "{tried:?}");
    }
}

/// What a program of `tests/races` says of itself in its first lines.
fn header<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let lines = text.lines().take_while(|line| line.starts_with("//"));
    let mut values = lines.filter_map(|line| line.strip_prefix("// ")?.strip_prefix(key));
    values.next().map(str::trim)
}

/// Each has the verdict of its header; those that are open may be UNKNOWN.
#[test]
fn programs_with_and_without_races_are_told_apart() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/races");
    let files = std::fs::read_dir(&dir).expect("the programs").map(|entry| entry.expect("a file"));
    let mut paths: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    paths.sort();
    assert!(paths.len() >= 40, "only {} programs", paths.len());
    let mut problems = Vec::new();
    for path in &paths {
        let text = std::fs::read_to_string(path).expect("a text");
        let expected = header(&text, "verdict:").expect("a verdict");
        let verifier = Verifier {
            asked: Asked::from(Properties::from(Property::NoDataRace)),
            timeout: Some(tier::seconds(60.0)),
            ..Verifier::default()
        };
        let input = Input::files([path]).with_data_model(DataModel::Lp64);
        let verdict = verifier.verify(&input).expect("the program is accepted").verdict.to_string();
        let is_open = header(&text, "open:").is_some() && verdict.starts_with("UNKNOWN");
        let is_right = match expected {
            "TRUE" => verdict == "TRUE",
            _ => verdict == "FALSE(no-data-race)",
        };
        if !is_right && !is_open {
            problems.push(format!("{}: {verdict}, not {expected}", path.display()));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
