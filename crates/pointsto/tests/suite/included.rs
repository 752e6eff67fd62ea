//! Exact ⊆ flow-sensitive ⊆ Andersen ⊆ Steensgaard, on all fixtures and on generated programs.

use std::collections::BTreeSet;

use ravelin_base::{Budget, DataModel};
use ravelin_cfa::{Program, Sort};
use ravelin_frontend::source::with_deep_stack;
use ravelin_pointsto::{Analysis, Fields, Options, PointsTo, Structs, analyse};
use ravelin_testkit::fixture::check_programs;
use ravelin_testkit::pointers::pointer_program;
use ravelin_testkit::tier;

use rustc_hash::FxHashSet;

use crate::observe::{Names, Seen, missed, pointers, run};

fn solve(program: &Program, options: Options) -> PointsTo {
    analyse(program, &options, &mut Budget::unlimited()).expect("the budget is unlimited")
}

/// The configurations that every program is tried with.
fn configurations() -> Vec<Options> {
    let plain = Options::default();
    vec![
        plain,
        Options { fields: Fields::Insensitive, ..plain },
        Options { structs: Structs::ByType, ..plain },
        Options { context: 1, ..plain },
        Options { context: 2, ..plain },
        Options { analysis: Analysis::Steensgaard, ..plain },
        Options { analysis: Analysis::Steensgaard, fields: Fields::Insensitive, ..plain },
        Options { analysis: Analysis::Steensgaard, structs: Structs::ByType, ..plain },
        Options { analysis: Analysis::FlowSensitive, ..plain },
    ]
}

/// Pairs of configurations, by their place above: what the first says includes what the second says.
const INCLUSIONS: &[(usize, usize)] =
    &[(1, 0), (5, 0), (6, 1), (6, 5), (7, 2), (0, 3), (3, 4), (0, 8)];

/// What is wrong with the analyses of a program.
fn problems(program: &Program, seeds: u64) -> BTreeSet<String> {
    let mut problems = BTreeSet::new();
    let names = Names::new(program);
    let results: Vec<(Options, PointsTo)> =
        configurations().into_iter().map(|options| (options, solve(program, options))).collect();
    for (coarse, fine) in INCLUSIONS {
        let (coarse, fine) = (&results[*coarse], &results[*fine]);
        for (var, data) in program.vars.iter() {
            let (large, small) = (coarse.1.of_var(var), fine.1.of_var(var));
            if !large.covers(&small) {
                let name = program.name(data.name);
                problems.insert(format!(
                    "{name} ({var}) is {small:?} under {:?} but {large:?} under {:?}",
                    fine.0, coarse.0
                ));
            }
        }
    }
    let mut known: FxHashSet<Seen> = FxHashSet::default();
    for seed in 0..seeds {
        run(program, seed, &mut |snapshot| {
            pointers(program, snapshot, &mut |seen| {
                if known.insert(seen) {
                    for (options, result) in &results {
                        let problem = missed(program, &names, result, seen);
                        problems.extend(problem.map(|text| format!("{options:?}: {text}")));
                    }
                }
            });
        });
    }
    problems
}

// One for each data model, to run side by side.
#[test]
fn fixtures_stay_in_their_sets_ilp32() {
    check_programs(DataModel::Ilp32, |program| problems(program, 2));
}

#[test]
fn fixtures_stay_in_their_sets_lp64() {
    check_programs(DataModel::Lp64, |program| problems(program, 2));
}

#[test]
fn generated_programs_stay_in_their_sets() {
    let mut failed = Vec::new();
    let (mut pointers, mut unknown) = (0, 0);
    for seed in tier::seeds(0..200, 0..2000) {
        let text = pointer_program(seed);
        let model = if seed % 2 == 0 { DataModel::Ilp32 } else { DataModel::Lp64 };
        let built = with_deep_stack(|| ravelin_frontend::build_text("generated.c", &text, model));
        let built = built.expect("there is room for a stack").expect("the program is C");
        let problems = problems(&built.program, 3);
        if !problems.is_empty() {
            let problems: Vec<String> = problems.into_iter().take(5).collect();
            failed.push(format!("seed {seed} {model}:\n  {}", problems.join("\n  ")));
        }
        let result = solve(&built.program, Options::default());
        for (var, data) in built.program.vars.iter().filter(|(_, data)| data.sort == Sort::Ptr) {
            let set = result.of_var(var);
            let is_named = !built.program.name(data.name).starts_with('%');
            pointers += usize::from(is_named && !set.is_empty());
            unknown += usize::from(is_named && set.is_unknown());
        }
    }
    // Sets that have everything would pass.
    println!("{unknown} of {pointers} pointers are unknown");
    assert!(unknown * 2 < pointers, "{unknown} of {pointers} pointers are unknown");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
