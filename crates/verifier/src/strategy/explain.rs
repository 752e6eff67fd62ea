//! Strategies for people: the plan for one program (`--explain-strategy`), and the tables for the book.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use ravelin_analysis::config::{Config, Domain, Encoding};
use ravelin_analysis::engine::{Abstraction, Engine};
use ravelin_analysis::features::Features;
use ravelin_analysis::refine::interpolate::Method;

use super::{
    Exploring, FALLBACK_AFTER, Lane, Needs, ONE_THREAD, Plan, Row, RowDomain, RowEngine, Stage,
    Strategy, THREADS, Yields,
};

impl Plan {
    /// What the program is like, and what runs: in order, and side by side where there are several lanes.
    pub fn explain(&self, features: &Features, deadline: Option<Instant>) -> String {
        let mut text = String::from("Strategy:\n");
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "  The program has {}.", described(features));
        if features.is_settled {
            text +=
                "  No error is left in it: an engine runs only if something else bars the proof.\n";
        }
        for (number, line) in self.lines(deadline).iter().enumerate() {
            let _ = writeln!(text, "  {}. {line}", number + 1);
        }
        for (engine, why) in &self.left_out {
            let what = describe_engine(*engine);
            let _ = writeln!(text, "  Not tried, because {why}: the analysis {what}.");
        }
        text
    }

    fn lines(&self, deadline: Option<Instant>) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(states) = self.first_look {
            lines.push(format!(
                "A first look at concrete states, {states} with each reduction: small programs end here."
            ));
        }
        lines.extend(self.explorer.map(|search| match search.after {
            Duration::ZERO => {
                "The explorer of concrete states continues beside what follows; the first answer counts."
                    .to_owned()
            }
            after => format!(
                "After {} s, the explorer of concrete states beside what follows, as long as it leaves nothing \
                 out; the first answer counts.",
                after.as_secs()
            ),
        }));
        for lane in self.lanes() {
            let beside = match lane.after {
                Duration::ZERO => String::new(),
                after => format!("Beside that, after {} s: ", after.as_secs()),
            };
            lines.extend(lane.stages.iter().map(|stage| {
                let (what, until) = (describe_stage(stage), until(stage, deadline));
                format!("{beside}The analysis {what}, {until}.")
            }));
        }
        lines
    }

    /// What runs, in a few words for a list: the engines in their order.
    pub fn summary(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        for lane in self.lanes() {
            for stage in &lane.stages {
                let what = describe_stage(stage);
                if !parts.contains(&what) {
                    parts.push(what);
                }
            }
        }
        let analysis = parts.join("; ");
        match self.explorer {
            Some(_) => format!("{analysis}; beside that, explores concrete states"),
            None => analysis,
        }
    }
}

/// What a stage does, after "the analysis".
pub fn describe_stage(stage: &Stage) -> String {
    let what = describe_engine(stage.engine);
    match stage.engine {
        Engine::AbstractionRefinement(Abstraction { method, .. }) if stage.is_second_try => {
            format!("{what}, with {}", describe_method(method))
        }
        Engine::AbstractionRefinement(_)
        | Engine::BoundedUnrolling
        | Engine::Templates
        | Engine::HornClauses
        | Engine::SymbolicExecution
        | Engine::ThreadViews => what,
    }
}

fn describe_method(method: Method) -> &'static str {
    match method {
        Method::WeakestPrecondition => "weakest preconditions",
        Method::StrongestPostcondition => "strongest postconditions",
        Method::Sequence => "interpolants from Spacer",
        Method::Backward => "interpolants computed backward",
    }
}

/// What an engine does, after "the analysis".
pub fn describe_engine(engine: Engine) -> String {
    match engine {
        Engine::HornClauses => "guesses invariants and summaries from Horn clauses".to_owned(),
        Engine::ThreadViews => {
            "looks at any number of threads that start in loops, two at a time".to_owned()
        }
        Engine::Templates => {
            "starts from loop invariants of templates, if there are any".to_owned()
        }
        Engine::BoundedUnrolling => "unrolls the program".to_owned(),
        Engine::SymbolicExecution => "executes the program symbolically, path by path".to_owned(),
        Engine::AbstractionRefinement(Abstraction { domain, encoding, .. }) => {
            let domain = match domain {
                Domain::Explicit => "values",
                Domain::Predicate => "predicates",
                Domain::Product => "values and predicates",
            };
            let blocks = match encoding {
                Encoding::Single => "step by step",
                Encoding::Large => "in large blocks",
                Encoding::Adjustable { .. } | Encoding::LargeAdjustable { .. } => {
                    "in adjustable blocks"
                }
            };
            format!("tracks {domain}, {blocks}")
        }
    }
}

/// When a stage yields to the next, if those before it took none of the time.
fn until(stage: &Stage, deadline: Option<Instant>) -> String {
    let effort = stage.effort(deadline);
    let limit = effort.limit.map(|limit| format!("{:.1} s", limit.as_secs_f64()));
    match (effort.patience, limit) {
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

/// The features of a program that it has.
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

/// The tables of the default strategy, in Markdown.
pub fn table() -> String {
    let mut text = String::new();
    for (title, rows) in
        [("Programs with one thread", ONE_THREAD), ("Programs with threads", THREADS)]
    {
        let _ = writeln!(text, "{title}:\n");
        text.push_str("| engine | where | runs if | yields |\n|---|---|---|---|\n");
        let mut unrolled = false;
        for row in rows {
            let is_first_unrolling = row.engine == RowEngine::Unrolling && !unrolled;
            unrolled |= is_first_unrolling;
            let yields = match Strategy::default().unrolling.filter(|_| is_first_unrolling) {
                Some(limit) => Yields::After(limit),
                None => row.yields,
            };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} |",
                row.described(),
                row.place(),
                row.runs_if(),
                match row.lane {
                    Lane::First => "when it has seen them".to_owned(),
                    Lane::Main | Lane::Fallback | Lane::Beside => yields.described(),
                }
            );
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

impl Row {
    fn described(&self) -> String {
        let chosen = Config::default().abstraction();
        match self.engine {
            RowEngine::Explorer(Exploring::FirstLook(states)) => {
                format!("explorer: a first look at {states} states with each reduction")
            }
            RowEngine::Explorer(Exploring::Search(search)) => match search.only_complete {
                true => "explorer, as long as it leaves nothing out".to_owned(),
                false => "explorer".to_owned(),
            },
            RowEngine::Refinement { domain, fallback_refinement } => {
                let domain = match domain {
                    RowDomain::Chosen => chosen.domain,
                    RowDomain::Predicates => Domain::Predicate,
                };
                let encoding = match self.lane {
                    Lane::Fallback => Strategy::default().fallback_encoding,
                    Lane::First | Lane::Main | Lane::Beside => None,
                };
                let encoding = encoding.unwrap_or(chosen.encoding);
                let method = Strategy::default().fallback_refinement;
                let method = method.filter(|_| fallback_refinement).unwrap_or(chosen.method);
                let what = Engine::AbstractionRefinement(Abstraction { domain, encoding, method });
                format!("{}, with {}", describe_engine(what), describe_method(method))
            }
            RowEngine::Unrolling => describe_engine(Engine::BoundedUnrolling),
            RowEngine::Templates => describe_engine(Engine::Templates),
            RowEngine::Clauses => describe_engine(Engine::HornClauses),
            RowEngine::ThreadViews => describe_engine(Engine::ThreadViews),
            RowEngine::Symbolic => describe_engine(Engine::SymbolicExecution),
        }
    }

    fn runs_if(&self) -> String {
        match (self.lane, self.needs) {
            (Lane::Fallback, Needs::Nothing) => "no `--encoding` is given".to_owned(),
            (Lane::Fallback, needs) => {
                format!("no `--encoding` is given, and {}", needs.described())
            }
            (Lane::First | Lane::Main | Lane::Beside, needs) => needs.described().to_owned(),
        }
    }

    fn place(&self) -> String {
        match (self.lane, self.engine) {
            (Lane::First, _) => "alone, first".to_owned(),
            (Lane::Main, _) => "analysis".to_owned(),
            (Lane::Fallback, _) => format!(
                "beside that, after {} s; with one core, in its place here",
                FALLBACK_AFTER.as_secs()
            ),
            (Lane::Beside, RowEngine::Explorer(Exploring::Search(search))) => match search.after {
                Duration::ZERO => "beside the analysis".to_owned(),
                after => format!("beside the analysis, after {} s", after.as_secs()),
            },
            (Lane::Beside, _) => "beside the analysis".to_owned(),
        }
    }
}

impl Needs {
    fn described(self) -> &'static str {
        match self {
            Needs::Nothing => "always",
            Needs::Explorer => "unless `--explore off`",
            Needs::Unrolling => "errors are left, unless `--unroll 0`",
            Needs::ShortLook => "there are loops or recursive functions, unless `--templates off`",
            Needs::Templates => "there are loops, unless `--templates off`",
            Needs::Clauses => "there are loops or recursive functions, unless `--clauses off`",
            Needs::ReplicatedThreads => "main starts threads in loops, unless `--crowds off`",
            Needs::Symbolic => "errors are left, unless `--symbolic off`",
            Needs::FallbackRefinement => "no `--refinement` is given",
            Needs::Product => "neither `--domain` nor `--refinement` is given",
        }
    }
}

impl Yields {
    fn described(self) -> String {
        let learnt =
            |patience: Duration| format!("has learnt nothing for {} s", patience.as_secs());
        let share = |part: u32| format!("1/{part} of the time left");
        match self {
            Yields::After(limit) => format!("after {} s", limit.as_secs()),
            Yields::NothingLearnt { patience, part } | Yields::ShortLook { patience, part } => {
                format!("{}, or after {}", learnt(patience), share(part))
            }
            Yields::Part(part) => format!("after {}", share(part)),
            Yields::Never => "never".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_features_that_a_program_has_are_printed() {
        let features = Features { loops: 1, inputs: 2, ..Features::default() };
        assert_eq!(described(&features), "one thread, 1 loop, 2 inputs");
    }
}
