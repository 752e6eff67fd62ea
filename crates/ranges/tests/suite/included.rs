//! Every value of every execution is in the computed range, on all fixtures and on generated programs. Inspections of
//! all accesses are inserted, as a check of memory safety would.

use std::collections::BTreeSet;

use ravelin_base::{Budget, DataModel};
use ravelin_cfa::{EdgeData, Label, LocData, ObjectFact, Op, Program, VarData, VarKind};
use ravelin_frontend::source::{SourceOptions, with_deep_stack};
use ravelin_interp::{Interpreter, RandomChooser, RunConfig};
use ravelin_pointsto::{Options, analyse};
use ravelin_ranges::Ranges;
use ravelin_testkit::fixture::check_programs;
use ravelin_testkit::{concurrent, generate, pointers, print, small, tier};

use crate::counters::counter_program;

/// How many steps of a run are looked at.
const STEPS: u64 = 1000;

/// Inserts inspections of the address before every access of a program with one label per edge.
pub fn inspect_accesses(program: &mut Program) {
    let sort = program.terms.address_sort();
    for proc in program.procs.keys().collect::<Vec<_>>() {
        for edge in program.procs[proc].edges.keys().collect::<Vec<_>>() {
            let data = &program.procs[proc].edges[edge];
            let [Label { op: Op::Load { addr, .. } | Op::Store { addr, .. }, pos }] =
                data.labels.as_slice()
            else {
                continue;
            };
            let (addr, pos) = (*addr, *pos);
            for fact in ObjectFact::ALL {
                let name = program.names.intern(&format!("%{}", fact.name()));
                let kind = VarKind::Local(proc);
                let dst = program.vars.push(VarData { name, sort, signed: false, kind, pos });
                let procedure = &mut program.procs[proc];
                let middle = procedure.locs.push(LocData::default());
                let label = Label::new(Op::Inspect { dst, addr, fact }, pos);
                let source = procedure.edges[edge].source;
                let first = procedure.edges.push(EdgeData {
                    source,
                    target: middle,
                    labels: [label].into_iter().collect(),
                });
                let out = &mut procedure.locs[source].out;
                let at = out.iter().position(|&it| it == edge).expect("it leaves there");
                out[at] = first;
                procedure.edges[edge].source = middle;
                procedure.locs[middle].out.push(edge);
            }
        }
    }
}

/// What is wrong with the ranges of a program; how many values were seen, and how many have known ranges.
fn problems(program: &Program, seeds: u64) -> (BTreeSet<String>, u64, u64) {
    let mut problems = BTreeSet::new();
    let mut budget = Budget::unlimited();
    let points_to = analyse(program, &Options::default(), &mut budget).expect("no limit");
    let ranges = Ranges::of(program, &points_to, &mut budget).expect("no limit");
    let (mut values, mut known) = (0u64, 0u64);
    // What was looked at before.
    let mut seen = std::collections::HashSet::new();
    for seed in 0..seeds {
        let config = RunConfig {
            budget: Budget::unlimited().with_steps(STEPS),
            max_memory: 1 << 26,
            ..RunConfig::default()
        };
        let interpreter = Interpreter::new(program);
        let mut check = |snapshot: &ravelin_interp::Snapshot<'_, '_>| {
            if problems.len() > 5 {
                return;
            }
            snapshot.for_each_value(&mut |place, var, bits| {
                if !seen.insert((place.proc, place.edge, var, bits)) {
                    return;
                }
                let procedure = &program.procs[place.proc];
                let loc = place.edge.map_or(procedure.exit, |it| procedure.edges[it].source);
                let what = || {
                    let (proc, data) = (program.name(procedure.name), &program.vars[var]);
                    let line = place.edge.map(|edge| procedure.edges[edge].labels[0].pos.line);
                    format!(
                        "{proc}.{loc} line {line:?}: {}.{var} = {bits}",
                        program.name(data.name)
                    )
                };
                if !ranges.is_reachable(place.proc, loc) && place.edge.is_some() {
                    problems.insert(format!("{}, not reachable", what()));
                }
                values += 1;
                if let Some(range) = ranges.of_var(program, place.proc, loc, var) {
                    known += u64::from(!range.is_top());
                    let width = range.width();
                    let bits = bits & (u128::MAX >> (128 - width));
                    if !range.contains(bits) {
                        problems.insert(format!("{} not in {range:?}", what()));
                    }
                }
            });
        };
        let mut chooser = RandomChooser::new(seed);
        interpreter.run_observed(&mut chooser, &config, Some(&mut check));
    }
    (problems, values, known)
}

/// Checks a program as it is and with inspections.
fn check(program: &Program, seeds: u64, count: &mut (u64, u64)) -> BTreeSet<String> {
    let mut inspected = program.clone();
    inspect_accesses(&mut inspected);
    let mut found = BTreeSet::new();
    for program in [program, &inspected] {
        let (problems, values, known) = problems(program, seeds);
        found.extend(problems);
        *count = (count.0 + values, count.1 + known);
    }
    found
}

/// Ranges that have everything would pass.
fn assert_known((values, known): (u64, u64)) {
    println!("{known} of {values} values have known ranges");
    assert!(known * 3 > values, "{known} of {values} values have known ranges");
}

// One for each data model, to run side by side.
#[test]
fn fixtures_stay_in_their_ranges_ilp32() {
    check_fixtures(DataModel::Ilp32);
}

#[test]
fn fixtures_stay_in_their_ranges_lp64() {
    check_fixtures(DataModel::Lp64);
}

fn check_fixtures(data_model: DataModel) {
    let mut count = (0, 0);
    check_programs(data_model, |program| check(program, 2, &mut count));
    assert_known(count);
}

fn check_generated(kind: &str, seeds: Vec<u64>, text: impl Fn(u64, DataModel) -> String) {
    let (mut failed, mut count) = (Vec::new(), (0, 0));
    for seed in seeds {
        let model = if seed % 2 == 0 { DataModel::Ilp32 } else { DataModel::Lp64 };
        let text = text(seed, model);
        let file = format!("ravelin-ranges-{}-{kind}-{seed}.c", std::process::id());
        let path = std::env::temp_dir().join(file);
        std::fs::write(&path, text).expect("the file can be written");
        let options = SourceOptions { data_model: model, ..SourceOptions::default() };
        let paths = [path.clone()];
        let built = with_deep_stack(|| ravelin_frontend::build(&paths, &options));
        std::fs::remove_file(&path).expect("the file is there");
        let built = built.expect("there is room for a stack").expect("the program is C");
        let problems = check(&built.program, 2, &mut count);
        if !problems.is_empty() {
            let problems: Vec<String> = problems.into_iter().take(3).collect();
            failed.push(format!("seed {seed} {model}:\n  {}", problems.join("\n  ")));
        }
    }
    assert!(failed.is_empty(), "{} fail\n{}", failed.len(), failed.join("\n"));
    assert_known(count);
}

#[test]
fn programs_with_pointers_stay_in_their_ranges() {
    check_generated("pointers", tier::seeds(0..100, 0..1000), |seed, _| {
        pointers::pointer_program(seed)
    });
}

#[test]
fn programs_with_arithmetic_stay_in_their_ranges() {
    check_generated("arithmetic", tier::seeds(0..16, 0..300), |seed, model| {
        print::print(&generate::generate(seed, model))
    });
}

#[test]
fn small_programs_stay_in_their_ranges() {
    check_generated("small", tier::seeds(0..200, 0..2000), |seed, _| small::small_program(seed));
}

#[test]
fn programs_with_counters_stay_in_their_ranges() {
    check_generated("counters", tier::seeds(0..300, 0..3000), |seed, _| counter_program(seed));
}

#[test]
fn programs_with_threads_stay_in_their_ranges() {
    check_generated("threads", tier::seeds(0..100, 0..1000), |seed, _| concurrent::generate(seed));
}
