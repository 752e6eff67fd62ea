//! What is done with a program, told: `--explain-strategy`.

use std::fmt::Write as _;
use std::time::Instant;

use ravelin_analysis::config::{Config, Domain};
use ravelin_analysis::control_flow::ControlFlowFacts;
use ravelin_analysis::features::Features;
use ravelin_analysis::predicate::BlockOperator;
use ravelin_analysis::stages::{How, Stage, left_out, stages};
use ravelin_cfa::Program;

use crate::explicit_state::ExplicitSearch;
use crate::portfolio::SECOND_AFTER;

/// What the program is like, and what is tried: in order, and side by side where there are several
/// configurations.
pub fn explain(
    program: &Program,
    configs: &[Config],
    search: Option<&ExplicitSearch>,
    deadline: Option<Instant>,
) -> String {
    let features = Features::of(program, &ControlFlowFacts::new(program));
    let threads = features.threads;
    let mut text = String::from("Strategy:\n");
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(text, "  The program has {}.", described(&features));
    let mut number = 0;
    let mut say = |what: &str| {
        number += 1;
        let _ = writeln!(text, "  {number}. {what}");
    };
    match search {
        Some(_) if threads => {
            say(
                "A first look at concrete states, 20000 with each reduction: small programs end here.",
            );
            say(
                "The explorer of concrete states goes on beside what follows; the first answer counts.",
            );
        }
        Some(search) => say(&format!(
            "After {} s, the explorer of concrete states beside what follows, as long as it leaves nothing out; \
             the first answer counts.",
            search.after.as_secs()
        )),
        None => {}
    }
    for (number, config) in configs.iter().enumerate() {
        for stage in stages(config, &features) {
            let beside = match number {
                0 => String::new(),
                _ => format!("Beside that, after {} s: ", SECOND_AFTER.as_secs()),
            };
            let (what, until) = (what(&stage), until(&stage, deadline));
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
        (How::ThreadViews, _) => {
            "looks at any number of threads that start in loops, two at a time".to_owned()
        }
        (How::FromTemplates, _) => {
            "starts from loop invariants of templates, if there are any".to_owned()
        }
        (How::Abstraction, BlockOperator::Never) => "unrolls the program".to_owned(),
        (How::Abstraction, BlockOperator::EveryStep) if stage.in_large_steps => {
            format!("tracks {domain}, in large blocks")
        }
        (How::Abstraction, BlockOperator::EveryStep) => {
            format!("tracks {domain}, step by step")
        }
        (How::Abstraction, BlockOperator::Adjustable { .. }) => {
            format!("tracks {domain}, in adjustable blocks")
        }
    };
    match stage.is_second_try {
        true => format!("{how}, with interpolants from Spacer"),
        false => how,
    }
}

/// When a stage makes room for the next, if all before it have none of the time.
fn until(stage: &Stage, deadline: Option<Instant>) -> String {
    let limit = stage.limit(deadline).map(|limit| format!("{:.1} s", limit.as_secs_f64()));
    match (stage.patience(), limit) {
        (Some(patience), Some(limit)) => {
            format!("until it has learnt nothing for {} s, {limit} at most", patience.as_secs())
        }
        (Some(patience), None) => {
            format!("until it has learnt nothing for {} s", patience.as_secs())
        }
        (None, Some(limit)) => format!("for {limit} at most"),
        (None, None) => "for the rest of the time".to_owned(),
    }
}

/// What of all this a program has.
fn described(features: &Features) -> String {
    let Features { threads, replicated_threads, loops, recursive, memory_accesses, .. } = *features;
    let Features { allocations, pointer_calls, inputs, floats, products, .. } = *features;
    let threads = match (threads, replicated_threads) {
        (true, true) => "threads that main starts in loops",
        (true, false) => "threads",
        (false, _) => "one thread",
    };
    let counts = [
        (loops, "loop", "loops"),
        (recursive, "recursive function", "recursive functions"),
        (memory_accesses, "access to memory", "accesses to memory"),
        (allocations, "allocation", "allocations"),
        (pointer_calls, "call through a pointer", "calls through pointers"),
        (inputs, "input", "inputs"),
        (floats, "variable of floating type", "variables of floating type"),
        (products, "product or quotient", "products or quotients"),
    ];
    let mut parts = vec![threads.to_owned()];
    for (count, one, several) in counts {
        match count {
            0 => {}
            1 => parts.push(format!("1 {one}")),
            _ => parts.push(format!("{count} {several}")),
        }
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_there_is_is_told() {
        let features = Features { loops: 1, inputs: 2, ..Features::default() };
        assert_eq!(described(&features), "one thread, 1 loop, 2 inputs");
    }
}
