//! What is done with a program, told: `--explain-strategy`.

use std::fmt::Write as _;

use ravelin_analysis::config::{Config, Domain};
use ravelin_analysis::features::Features;
use ravelin_analysis::guide::Guide;
use ravelin_analysis::predicate::BlockOperator;
use ravelin_analysis::stages::{How, Stage, left_out, stages};
use ravelin_cfa::Program;

use crate::hunt::Hunt;
use crate::lanes::SECOND_AFTER;

/// What the program is like, and what is tried: in order, and side by side where there are several
/// configurations.
pub fn explain(program: &Program, configs: &[Config], hunt: Option<&Hunt>) -> String {
    let features = Features::of(program, &Guide::new(program));
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
        for stage in stages(config, &features) {
            let beside = match lane {
                0 => String::new(),
                _ => format!("Beside that, after {} s: ", SECOND_AFTER.as_secs()),
            };
            let (what, until) = (what(&stage), until(&stage));
            say(&format!("{beside}The analysis {what}, {until}."));
        }
    }
    for (stage, why) in
        configs.first().map(|config| left_out(config, &features)).into_iter().flatten()
    {
        let _ = writeln!(text, "  Not tried, because {why}: the analysis {}.", what(&stage));
    }
    text
}

/// What a stage does, after "the analysis".
pub(crate) fn what(stage: &Stage) -> String {
    let domain = match stage.domain {
        Domain::Explicit => "values",
        Domain::Predicate => "predicates",
        Domain::Product => "values and predicates",
    };
    let how = match (stage.how, stage.operator) {
        (How::Clauses, _) => "guesses invariants and summaries from Horn clauses".to_owned(),
        (How::Crowds, _) => {
            "looks at any number of threads that start in loops, two at a time".to_owned()
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
    match stage.is_second_try {
        true => format!("{how}, with interpolants from Spacer"),
        false => how,
    }
}

/// When a stage makes room for the next.
fn until(stage: &Stage) -> String {
    match (stage.patience(), stage.limit(None)) {
        (Some(patience), _) => {
            format!("until it has learnt nothing for {} s", patience.as_secs())
        }
        (None, Some(limit)) => format!("for {} s, or its part of the time", limit.as_secs()),
        (None, None) => "for the rest of the time".to_owned(),
    }
}
