//! What a configuration tries, in order: a table, and when each of its rows ends.
//!
//! A stage goes on as long as it learns something, and makes room for the next when it does not: the clock
//! alone says little of a program. Learning is to track what is new in kind ([`crate::algorithm::refine::refinable::Refinable::learnt`]):
//! who counts up the rounds of a loop tracks something new every time, and learns nothing.

use std::time::{Duration, Instant};

use ravelin_cfa::passes::BlockEncoding;

use crate::algorithm::refine::refinable::Refinement;
use crate::config::{Config, Domain};
use crate::domain::predicate::BlockOperator;
use crate::features::Features;

/// What a stage does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Abstraction and refinement.
    Abstraction,
    /// The same, with predicates from templates that are tracked from the start. Without any there is no stage.
    FromTemplates,
    /// Horn clauses.
    Clauses,
    /// Views of threads that are started again and again. Where there are none, there is no stage.
    ThreadViews,
}

/// A part of a configuration that runs on its own.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    pub domain: Domain,
    pub operator: BlockOperator,
    pub refinement: Refinement,
    pub how: How,
    /// Whether a step is as large as can be, and not a single operation or one that other threads may see.
    pub in_large_steps: bool,
    /// Whether only refinement is another than before: of no use where that came to an end.
    pub is_second_try: bool,
    end: End,
}

/// When a stage makes room for the next.
#[derive(Clone, Copy, Debug)]
enum End {
    /// After this time.
    After(Duration),
    /// When it has learnt nothing for so long; at the latest after one of so many parts of the time left, if there
    /// is a limit.
    NothingLearnt { patience: Duration, part: u32 },
    /// When it has learnt nothing for so long, or after one of so many parts of the time left.
    ShortLook { patience: Duration, part: u32 },
    /// After one of so many parts of the time left.
    Part(u32),
    /// With the time.
    Never,
}

/// The time left, where nobody set a limit.
const USUAL_TIME: Duration = Duration::from_secs(120);

impl Stage {
    /// How long the stage may run at the most, if not to the end.
    pub fn limit(&self, deadline: Option<Instant>) -> Option<Duration> {
        let left = deadline.map(|it| it.saturating_duration_since(Instant::now()));
        match self.end {
            End::After(limit) => Some(limit),
            End::Part(part) | End::ShortLook { part, .. } => {
                Some(left.unwrap_or(USUAL_TIME) / part)
            }
            // Who learns may go on as long as nobody sets a limit.
            End::NothingLearnt { part, .. } => left.map(|left| left / part),
            End::Never => None,
        }
    }

    /// How long it may go on without learning anything.
    pub fn patience(&self) -> Option<Duration> {
        match self.end {
            End::NothingLearnt { patience, .. } | End::ShortLook { patience, .. } => Some(patience),
            End::After(_) | End::Part(_) | End::Never => None,
        }
    }
}

/// What a row needs of the configuration, and of the program; without, it is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    Nothing,
    Unrolling,
    /// Other ways to invariants, before which refinement has a short look.
    ShortLook,
    Templates,
    Clauses,
    ReplicatedThreads,
    /// A second encoding.
    FallbackEncoding,
    /// A second way to refine.
    FallbackRefinement,
    /// Both.
    BothFallbacks,
    /// Values and predicates.
    Product,
}

impl Needs {
    /// Whether the configuration asks for it.
    fn are_wanted(self, config: &Config) -> bool {
        let predicates = config.domain != Domain::Explicit;
        // To the explicit domain, blocks are all the same, and it has one way to refine.
        let (then, otherwise) =
            (config.fallback_encoding.is_some(), config.fallback_refinement.is_some());
        match self {
            Needs::Nothing => true,
            Needs::Unrolling => config.unrolling.is_some(),
            Needs::ShortLook | Needs::Templates => predicates && config.templates,
            Needs::Clauses => predicates && config.clauses,
            Needs::ReplicatedThreads => predicates && config.thread_views,
            Needs::FallbackEncoding => predicates && then,
            Needs::FallbackRefinement => predicates && otherwise,
            Needs::BothFallbacks => predicates && then && otherwise,
            Needs::Product => config.domain == Domain::Product && otherwise,
        }
    }

    /// What the program lacks for it, if it does.
    fn are_missing(self, features: &Features) -> Option<&'static str> {
        match self {
            Needs::Templates if features.loops == 0 => Some("there are no loops"),
            Needs::ShortLook | Needs::Clauses if !features.has_cycles() => {
                Some("there are neither loops nor recursive functions")
            }
            Needs::ReplicatedThreads if !features.replicated_threads => {
                Some("main starts no threads in loops")
            }
            Needs::Nothing
            | Needs::Unrolling
            | Needs::ShortLook
            | Needs::Templates
            | Needs::Clauses
            | Needs::ReplicatedThreads
            | Needs::FallbackEncoding
            | Needs::FallbackRefinement
            | Needs::BothFallbacks
            | Needs::Product => None,
        }
    }
}

/// Where blocks end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Blocks {
    /// As the encoding says.
    Encoded,
    /// As the second encoding says, if there is one.
    LastEncoded,
    /// At loops, of which invariants speak.
    Loops,
    /// Nowhere: the program is unrolled.
    Nowhere,
    /// After every step: thread views are of single steps.
    Steps,
}

/// A row of the table.
struct Row {
    needs: Needs,
    how: How,
    /// That of the configuration, if none is named.
    domain: Option<Domain>,
    blocks: Blocks,
    /// Whether refinement goes the second way.
    fallback_refinement: bool,
    end: End,
}

const ROW: Row = Row {
    needs: Needs::Nothing,
    how: How::Abstraction,
    domain: None,
    blocks: Blocks::Encoded,
    fallback_refinement: false,
    end: End::Never,
};

/// How the program is unrolled, first for as long as the configuration says.
const UNROLLING: Row =
    Row { needs: Needs::Unrolling, domain: PREDICATES, blocks: Blocks::Nowhere, ..ROW };

const PREDICATES: Option<Domain> = Some(Domain::Predicate);

const fn nothing_learnt(seconds: u64, part: u32) -> End {
    End::NothingLearnt { patience: Duration::from_secs(seconds), part }
}

/// Programs with one thread. Unrolling sees to the end of what has no long loops. Where refinement finds
/// invariants soon, they speak of what matters and nothing else; if it does not, templates and Horn clauses
/// may have some. Who learns nothing with one refinement tries the other, and then the other encoding; where
/// refinement is stuck, the program is unrolled for the rest of the time.
const ONE_THREAD: &[Row] = &[
    UNROLLING,
    Row {
        needs: Needs::ShortLook,
        end: End::ShortLook { patience: Duration::from_secs(1), part: 20 },
        ..ROW
    },
    Row {
        needs: Needs::Templates,
        how: How::FromTemplates,
        domain: PREDICATES,
        blocks: Blocks::Loops,
        end: End::Part(10),
        ..ROW
    },
    Row { needs: Needs::Clauses, how: How::Clauses, domain: PREDICATES, end: End::Part(10), ..ROW },
    Row { end: nothing_learnt(10, 2), ..ROW },
    Row {
        needs: Needs::BothFallbacks,
        fallback_refinement: true,
        end: nothing_learnt(5, 2),
        ..ROW
    },
    Row {
        needs: Needs::FallbackEncoding,
        blocks: Blocks::LastEncoded,
        end: nothing_learnt(10, 2),
        ..ROW
    },
    Row {
        needs: Needs::FallbackRefinement,
        blocks: Blocks::LastEncoded,
        fallback_refinement: true,
        ..ROW
    },
    UNROLLING,
];

/// Programs with threads. Wherever other threads may move, a block ends, whatever the encoding: the ways in which
/// threads take turns do not exclude each other, as merging blocks requires. Programs that start threads in loops are
/// first analysed for any number of them; then come values and predicates, and where these learn nothing, predicates
/// alone, which have fewer states.
const THREADS: &[Row] = &[
    Row {
        needs: Needs::ReplicatedThreads,
        how: How::ThreadViews,
        domain: PREDICATES,
        blocks: Blocks::Steps,
        end: End::Part(2),
        ..ROW
    },
    Row { end: nothing_learnt(20, 2), ..ROW },
    Row { needs: Needs::Product, domain: PREDICATES, ..ROW },
];

/// The rows that a configuration asks for, and what the program lacks for each.
fn rows<'a>(
    config: &'a Config,
    features: &'a Features,
) -> impl Iterator<Item = (&'static Row, Option<&'static str>)> {
    let table = if features.threads { THREADS } else { ONE_THREAD };
    let wanted = table.iter().filter(|row| row.needs.are_wanted(config));
    wanted.map(|row| (row, row.needs.are_missing(features)))
}

/// What a configuration would try if the program had more: the stages that are left out, and why.
pub fn left_out(config: &Config, features: &Features) -> Vec<(Stage, &'static str)> {
    rows(config, features).filter_map(|(row, why)| Some((row.stage(config), why?))).collect()
}

/// What a configuration tries with a program.
pub fn stages(config: &Config, features: &Features) -> Vec<Stage> {
    let tried = rows(config, features).filter(|(_, missing)| missing.is_none());
    let mut stages: Vec<Stage> = tried.map(|(row, _)| row.stage(config)).collect();
    let unrolls = |stage: &Stage| stage.operator == BlockOperator::Never;
    if let Some(first) = stages.first_mut().filter(|stage| unrolls(stage))
        && let Some(limit) = config.unrolling
    {
        first.end = End::After(limit);
    }
    // After the last one there is nothing to make room for.
    if let Some(last) = stages.iter_mut().rfind(|stage| !unrolls(stage)) {
        last.end = End::Never;
    }
    stages
}

impl Row {
    fn stage(&self, config: &Config) -> Stage {
        let method = config.fallback_refinement.filter(|_| self.fallback_refinement);
        let operator = match self.blocks {
            Blocks::Encoded => config.encoding.operator(),
            Blocks::LastEncoded => config.fallback_encoding.unwrap_or(config.encoding).operator(),
            Blocks::Loops => BlockOperator::Adjustable { calls: false, max_steps: None },
            Blocks::Nowhere => BlockOperator::Never,
            Blocks::Steps => BlockOperator::EveryStep,
        };
        Stage {
            domain: self.domain.unwrap_or(config.domain),
            operator,
            refinement: Refinement {
                method: method.unwrap_or(config.refinement.method),
                ..config.refinement
            },
            how: self.how,
            in_large_steps: self.blocks != Blocks::Steps
                && config.encoding.blocks() != BlockEncoding::None,
            is_second_try: self.fallback_refinement,
            end: self.end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::refine::interpolate::Method;

    const WITH_LOOPS: Features = Features {
        threads: false,
        replicated_threads: true,
        loops: 1,
        recursive: 0,
        memory_accesses: 0,
        allocations: 0,
        pointer_calls: 0,
        inputs: 0,
        floats: 0,
        products: 0,
    };

    fn shapes(config: &Config, threads: bool) -> Vec<(How, Domain, Method, bool)> {
        let features = Features { threads, ..WITH_LOOPS };
        let stages = stages(config, &features).into_iter();
        let shape = |it: Stage| (it.how, it.domain, it.refinement.method, it.patience().is_some());
        stages.map(shape).collect()
    }

    #[test]
    fn who_learns_nothing_makes_room_for_another_refinement() {
        let (wp, sequence) = (Method::WeakestPrecondition, Method::Sequence);
        let config = Config {
            fallback_encoding: None,
            unrolling: None,
            templates: false,
            clauses: false,
            ..Config::default()
        };
        let product = (How::Abstraction, Domain::Product);
        let tried = [(product.0, product.1, wp, true), (product.0, product.1, sequence, false)];
        assert_eq!(shapes(&config, false), tried);
        // Who names one way to refine gets that, for all of the time.
        let config = Config { fallback_refinement: None, ..config };
        assert_eq!(shapes(&config, false), [(product.0, product.1, wp, false)]);
        assert_eq!(shapes(&config, true)[1..], [(product.0, product.1, wp, false)]);
    }

    #[test]
    fn the_first_unrolling_is_short_and_the_last_stages_have_no_end() {
        let stages = stages(&Config::default(), &WITH_LOOPS);
        let unrolls = |stage: &Stage| stage.operator == BlockOperator::Never;
        assert!(unrolls(&stages[0]) && unrolls(&stages[stages.len() - 1]));
        let deadline = Some(Instant::now() + Duration::from_secs(60));
        for (deadline, last) in [(deadline, stages.len() - 3), (None, 3)] {
            let is_limited = |stage: &Stage| stage.limit(deadline).is_some();
            assert_eq!(stages.iter().rposition(is_limited), Some(last));
        }
    }

    #[test]
    fn what_a_program_lacks_is_left_out() {
        let how = |features: &Features| -> Vec<How> {
            stages(&Config::default(), features).iter().map(|stage| stage.how).collect()
        };
        let without = Features::default();
        let with = how(&WITH_LOOPS);
        assert!(with.contains(&How::FromTemplates) && with.contains(&How::Clauses));
        assert!(how(&without).iter().all(|&how| how == How::Abstraction));
        // The short look before templates, templates, and clauses.
        assert_eq!(left_out(&Config::default(), &without).len(), 3);
        assert_eq!(left_out(&Config::default(), &WITH_LOOPS).len(), 0);
        let threads = Features { threads: true, ..without };
        assert!(!how(&threads).contains(&How::ThreadViews));
        assert!(how(&Features { replicated_threads: true, ..threads }).contains(&How::ThreadViews));
        // Recursion is enough for clauses.
        assert!(how(&Features { recursive: 1, ..without }).contains(&How::Clauses));
    }
}
