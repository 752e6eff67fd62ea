//! Data races of generated programs: what the static stage leaves out and what the instrumented automaton finds, compared
//! with the interpreter, which looks at all interleavings for two accesses that both come next.

use std::sync::Arc;

use ravelin_base::{Budget, DataModel};
use ravelin_cfa::passes::{self, PassConfig};
use ravelin_cfa::{Program, Property};
use ravelin_explore::{Answer, Options, Reduction, explore};
use ravelin_interp::{ExploreConfig, Outcome, ValueRequest, all_outcomes};
use ravelin_testkit::{concurrent, guarded, racing, tier};
use ravelin_verifier::front::{self, SOURCE_PASSES};
use ravelin_verifier::limits::Limits;
use ravelin_verifier::{Input, Run, Silence};

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
