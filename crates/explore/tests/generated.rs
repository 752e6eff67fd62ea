//! Random small programs with threads: every reduction finds what the interpreter finds without any.

mod common;

use std::collections::BTreeSet;

use ravelin_base::{Budget, DataModel};
use ravelin_cfa::{ErrorKind, Program, passes};
use ravelin_explore::{Answer, Ending, Exploration, Options, Order, Reduction, explore};
use ravelin_interp::{
    ExploreConfig, ExploreError, Outcome, Replay, RunConfig, Undefined, ValueRequest, all_outcomes,
};
use ravelin_testkit::concurrent::generate;
use ravelin_testkit::tier;

use crate::common::{SEARCHES, build};

const MAX_STATES: usize = 30_000;

fn ending(outcome: &Outcome) -> Ending {
    match outcome {
        Outcome::Exit(status) => Ending::Exit(*status),
        Outcome::Error { kind, .. } => Ending::Error(*kind),
        Outcome::Aborted { .. } => Ending::Abort,
        Outcome::Deadlock(_) => Ending::Deadlock,
        Outcome::Leak { leak, .. } => Ending::Error(leak.error()),
        Outcome::InvalidMemory { access, .. } => match access.error() {
            ErrorKind::InvalidFree => Ending::InvalidFree,
            _ => Ending::InvalidAccess,
        },
        Outcome::Undefined { what: Undefined::DivisionByZero, .. } => Ending::DivisionByZero,
        Outcome::Undefined { what: Undefined::DivisionOverflow, .. } => Ending::DivisionOverflow,
        Outcome::Undefined { .. } => Ending::Undefined,
        other => panic!("{other:?}"),
    }
}

fn run(program: &Program, search: (Reduction, Order), all_endings: bool) -> Exploration {
    let (reduction, order) = search;
    let options = Options { reduction, order, all_endings, ..Options::default() };
    explore(program, &options, &mut Budget::unlimited())
}

fn follow(program: &Program, exploration: &Exploration, text: &str) {
    let Answer::Error { kind, pos, schedule } = &exploration.answer else { return };
    let mut replay = Replay::new(schedule.clone());
    let run = ravelin_interp::run(program, &mut replay, &RunConfig::default());
    let arrived =
        run.outcome.violation(program.checked) == Some(*kind) && run.outcome.pos() == Some(*pos);
    assert!(arrived && !replay.diverged(), "{schedule}: {:?}\n{text}", run.outcome);
}

/// How many states there are without, with static and with dynamic reduction, if the program was small
/// enough to be compared.
fn compare(seed: u64, text: &str) -> Option<[usize; 3]> {
    let data_model = if seed.is_multiple_of(2) { DataModel::Lp64 } else { DataModel::Ilp32 };
    let mut program = build("program.i", text, data_model);
    let pipeline: &[&str] =
        if seed.is_multiple_of(3) { &["split-shared-accesses"] } else { passes::DEFAULT };
    passes::run(&mut program, pipeline, &Default::default()).expect("passes run");
    let config = ExploreConfig { max_states: MAX_STATES, ..ExploreConfig::default() };
    let booleans = |_: &ValueRequest| Some(vec![0, 1]);
    let expected: BTreeSet<Ending> = match all_outcomes(&program, &config, &booleans) {
        Ok(outcomes) => outcomes.iter().map(ending).collect(),
        Err(ExploreError::TooManyStates(_)) => return None,
        Err(error) => panic!("{error}\n{text}"),
    };
    let has_error = expected.iter().any(|ending| ending.violation(program.checked).is_some());
    let mut states = Vec::new();
    for search in SEARCHES {
        let all = run(&program, search, true);
        assert_eq!(all.left_out, None, "seed {seed}\n{text}");
        assert_eq!(all.endings, expected, "seed {seed} {search:?}\n{text}");
        follow(&program, &all, text);
        let first = run(&program, search, false);
        assert_eq!(matches!(first.answer, Answer::Error { .. }), has_error, "{text}");
        follow(&program, &first, text);
        states.push(all.states);
    }
    assert!(states[1] <= states[0], "seed {seed}: {states:?}\n{text}");
    assert!(states[2] <= states[0], "seed {seed}: {states:?}\n{text}");
    Some([states[0], states[1], states[2]])
}

/// The program with loops in its threads that may go on for ever: some wait at their beginning until a
/// variable changes, some do again what they did until one has a value.
fn with_endless_loops(text: &str, seed: u64) -> String {
    let variables = ["x", "y", "cells[0]", "pair.a"];
    let begins = "    (void)t; (void)u;\n";
    let ends = "    return (void *)(long)(t & 1);\n";
    let mut looping = String::new();
    for (thread, part) in text.split_inclusive(ends).enumerate() {
        let kind = seed >> (4 * thread);
        let variable = variables[(kind >> 2 & 3) as usize];
        let value = kind & 1;
        let looped = match kind & 3 {
            0 => part.replace(begins, &format!("{begins}    while ({variable} == {value}) ;\n")),
            1 | 2 => part
                .replace(begins, &format!("{begins}    do {{\n"))
                .replace(ends, &format!("    }} while ({variable} != {value});\n{ends}")),
            _ => part.to_owned(),
        };
        looping += &looped;
    }
    looping
}

/// Compares the programs that are small enough; how many states they have with each reduction.
fn compare_all(seeds: &[u64], make: impl Fn(u64) -> String) -> [usize; 3] {
    let (mut compared, mut all) = (0, [0; 3]);
    for &seed in seeds {
        if let Some(states) = compare(seed, &make(seed)) {
            compared += 1;
            for (sum, states) in all.iter_mut().zip(states) {
                *sum += states;
            }
        }
    }
    assert!(compared * 4 > seeds.len(), "only {compared} of {} programs are small", seeds.len());
    let [none, statically, dynamically] = all;
    println!(
        "{compared} programs, states: {none} without reduction, {statically} static, \
         {dynamically} dynamic"
    );
    all
}

#[test]
fn every_reduction_finds_what_the_interpreter_finds() {
    let [none, statically, dynamically] = compare_all(&tier::seeds(0..200, 0..1200), generate);
    assert!(dynamically < statically && statically < none);
}

#[test]
fn every_reduction_finds_what_the_interpreter_finds_in_endless_loops() {
    let make = |seed| with_endless_loops(&generate(seed), fastrand::Rng::with_seed(seed).u64(..));
    let [none, statically, dynamically] = compare_all(&tier::seeds(0..120, 0..600), make);
    assert!(dynamically < none && statically < none);
}
