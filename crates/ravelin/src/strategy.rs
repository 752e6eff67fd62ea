//! What is done with a program, told: `--explain-strategy`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use ravelin_analysis::config::{Config, Domain};
use ravelin_analysis::guide::Guide;
use ravelin_analysis::predicate::BlockOperator;
use ravelin_analysis::stages::{How, Stage, stages};
use ravelin_base::SecondaryMap;
use ravelin_cfa::{Callee, Op, Proc, Program, Sort};
use ravelin_term::{BinOp, TermKind};

use crate::hunt::Hunt;
use crate::lanes::SECOND_AFTER;

/// What a program has that makes a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Features {
    threads: bool,
    loops: usize,
    /// Procedures that may call themselves, perhaps through others.
    recursive: usize,
    memory_accesses: usize,
    allocations: usize,
    pointer_calls: usize,
    inputs: usize,
    floats: usize,
    /// Multiplications and divisions.
    products: usize,
}

impl Features {
    fn of(program: &Program) -> Features {
        let guide = Guide::new(program);
        let mut features = Features { threads: program.is_concurrent(), ..Features::default() };
        for (proc, procedure) in program.procs.iter() {
            features.loops +=
                procedure.locs.keys().filter(|&loc| guide.is_loop_head(proc, loc)).count();
        }
        features.recursive = recursive(program);
        program.for_each_label(|_, label| match &label.op {
            Op::Load { .. } | Op::Store { .. } | Op::Copy { .. } | Op::Fill { .. } => {
                features.memory_accesses += 1;
            }
            Op::Alloc { .. } | Op::Realloc { .. } => features.allocations += 1,
            Op::Call { callee: Callee::Pointer(_), .. } => features.pointer_calls += 1,
            Op::Havoc { .. } => features.inputs += 1,
            _ => {}
        });
        features.floats =
            program.vars.values().filter(|var| matches!(var.sort, Sort::Float(_))).count();
        let is_product = |kind: TermKind| {
            matches!(
                kind,
                TermKind::Binary(
                    BinOp::BvMul | BinOp::BvUdiv | BinOp::BvSdiv | BinOp::BvUrem | BinOp::BvSrem,
                    ..
                )
            )
        };
        program.for_each_label(|_, label| {
            if let Op::Assign { value, .. } = label.op {
                features.products += usize::from(is_product(program.terms.kind(value)));
            }
        });
        features
    }
}

/// How many procedures may come back to themselves by calls.
fn recursive(program: &Program) -> usize {
    let mut callees: SecondaryMap<Proc, Vec<Proc>> = SecondaryMap::new();
    program.for_each_label(|proc, label| {
        if let Op::Call { callee: Callee::Direct(callee), .. } = label.op {
            callees[proc].push(callee);
        }
    });
    let calls_itself = |&start: &Proc| {
        let (mut work, mut seen) = (callees[start].clone(), BTreeSet::new());
        while let Some(proc) = work.pop() {
            if seen.insert(proc) {
                work.extend(&callees[proc]);
            }
        }
        seen.contains(&start)
    };
    program.procs.keys().filter(calls_itself).count()
}

/// What the program is like, and what is tried: in order, and side by side where there are several
/// configurations.
pub fn explain(program: &Program, configs: &[Config], hunt: Option<&Hunt>) -> String {
    let features = Features::of(program);
    let Features { threads, loops, recursive, memory_accesses, allocations, .. } = features;
    let mut text = String::from("Strategy:\n");
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        text,
        "  The program has {}, {loops} loops, {recursive} recursive functions, {memory_accesses} accesses to memory, {allocations} allocations, \
         {} calls through pointers, {} inputs, {} variables of floating type and {} products.",
        if threads { "threads" } else { "one thread" },
        features.pointer_calls,
        features.inputs,
        features.floats,
        features.products
    );
    let mut number = 0;
    let mut say = |what: &str| {
        number += 1;
        let _ = writeln!(text, "  {number}. {what}");
    };
    match hunt {
        Some(_) if threads => {
            say(
                "A first look at concrete states, 20000 with each reduction: small programs end here.",
            );
            say(
                "The explorer of concrete states goes on beside what follows; the first answer counts.",
            );
        }
        Some(hunt) => say(&format!(
            "After {} s, the explorer of concrete states beside what follows, as long as it leaves nothing out; \
             the first answer counts.",
            hunt.after.as_secs()
        )),
        None => {}
    }
    for (lane, config) in configs.iter().enumerate() {
        for stage in stages(config, threads) {
            let beside = match lane {
                0 => String::new(),
                _ => format!("Beside that, after {} s: ", SECOND_AFTER.as_secs()),
            };
            say(&format!("{beside}{}", describe(&stage)));
        }
    }
    text
}

fn describe(stage: &Stage) -> String {
    let domain = match stage.domain {
        Domain::Explicit => "values",
        Domain::Predicate => "predicates",
        Domain::Product => "values and predicates",
    };
    let how = match (stage.how, stage.operator) {
        (How::Clauses, _) => "guesses invariants and summaries from Horn clauses".to_owned(),
        (How::Crowds, _) => {
            "looks at any number of threads that start in loops, two at a time, if there are such"
                .to_owned()
        }
        (How::FromTemplates, _) => {
            "starts from loop invariants of templates, if there are any".to_owned()
        }
        (How::Abstraction, BlockOperator::Never) => "unrolls the program".to_owned(),
        (How::Abstraction, BlockOperator::EveryStep) => {
            format!("tracks {domain}, step by step")
        }
        (How::Abstraction, BlockOperator::Adjustable { .. }) => {
            format!("tracks {domain}, in blocks that end at loops")
        }
    };
    let refinement = match stage.is_second_try {
        true => ", with interpolants from Spacer",
        false => "",
    };
    let time = match (stage.patience(), stage.limit(None)) {
        (Some(patience), _) => {
            format!("until it has learnt nothing for {} s", patience.as_secs())
        }
        (None, Some(limit)) => format!("for {} s, or its part of the time", limit.as_secs()),
        (None, None) => "for the rest of the time".to_owned(),
    };
    format!("The analysis {how}{refinement}, {time}.")
}
