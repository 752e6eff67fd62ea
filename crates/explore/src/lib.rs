//! Explores all interleavings of a program at full precision, on concrete states.
//!
//! It finds reachable errors, with a schedule that the interpreter replays; it proves that there are
//! none where the whole state space was visited and nothing was left out; and otherwise it says why
//! not. The steps of threads are those of `ravelin-interp`, which it is compared with; the code is its
//! own, made for speed.
//!
//! - [`explore`], [`explore_with`]: the entries; [`Exploration`]: the answer;
//! - `compile`, `code`, `live`, `unset`, `visible`: procedures as flat code over words;
//! - `inputs`: which values to try where the program leaves one open;
//! - `machine`, with its `threads`, `heap`, `contents`, `objects` and `sync`: the state at hand;
//! - `step`, `calls`, `blocking`, `access`, `eval`: the steps of threads; `ahead`: what they will be;
//! - `leaks`: memory that is left when a program ends;
//! - `store`: states kept by their parts; `search`, `order`, `reduce`, and `dynamic` with `summary`: which
//!   are visited; `path`: the way to an error.
//!
//! Deliberately absent: weak memory, and values of more than 64 bits.

mod access;
mod ahead;
mod blocking;
mod calls;
mod code;
mod compile;
mod contents;
mod dynamic;
mod eval;
mod float;
mod heap;
mod inputs;
mod leaks;
mod live;
mod machine;
mod objects;
mod order;
mod path;
mod reduce;
mod result;
mod search;
mod step;
mod store;
mod summary;
mod sync;
mod threads;
mod unset;
mod visible;
mod word;

pub use result::{Answer, Ending, Exploration, Reason};

use std::collections::BTreeSet;

use ravelin_base::{Budget, SrcPos};
use ravelin_cfa::{Blocks, Program, Var};
use ravelin_pointsto::Division;
use ravelin_por::ProgramFacts;

/// Which interleavings are left out because others stand for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// None.
    None,
    /// Those that differ in the order of independent steps, by what threads can still do.
    Static,
    /// The same, by what threads were found to do. The search goes depth first then, whatever its order, and
    /// turns back where there are more than 64 threads at a time.
    Dynamic,
}

/// In which order states are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// The state that was found last comes first.
    DepthFirst,
    /// Those that can be reached with few preemptions come first: switches away from a thread that could
    /// have gone on. Most errors need few (Musuvathi, Qadeer: "Iterative context bounding for systematic
    /// testing of multithreaded programs", 2007).
    FewPreemptions,
    /// Those in which this global variable is large come first: it counts what was passed on the way to a goal.
    /// Of those, the ones with few preemptions.
    Furthest(Var),
}

/// What an exploration does and may use.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub reduction: Reduction,
    pub order: Order,
    pub max_states: usize,
    /// Runs end where more threads than this would be there at a time.
    pub max_threads: usize,
    /// About how many bytes the states may take.
    pub max_bytes: usize,
    /// Whether waits on condition variables may end without a signal (POSIX allows it).
    pub spurious: bool,
    /// Whether to go on after an error, for all ways in which runs end.
    pub all_endings: bool,
    /// Whether to end as soon as something is left out: then nothing can be proved.
    pub only_complete: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            reduction: Reduction::Static,
            order: Order::DepthFirst,
            max_states: usize::MAX,
            max_threads: usize::MAX,
            max_bytes: 2 << 30,
            spurious: true,
            all_endings: false,
            only_complete: false,
        }
    }
}

/// Explores a program, which must be one in which an edge touches at most one shared location.
pub fn explore(program: &Program, options: &Options, budget: &mut Budget) -> Exploration {
    explore_with(&ProgramFacts::new(program, budget.clone()), options, budget)
}

/// The same with facts about the program that other engines use, too.
pub fn explore_with(
    facts: &ProgramFacts<'_>,
    options: &Options,
    budget: &mut Budget,
) -> Exploration {
    explored(facts, options, budget).unwrap_or_else(|reason| Exploration {
        answer: Answer::Incomplete(reason.clone()),
        left_out: Some(reason),
        endings: BTreeSet::new(),
        states: 0,
        transitions: 0,
        bytes: 0,
        has_inputs: false,
        has_more_threads: false,
    })
}

fn explored(
    facts: &ProgramFacts<'_>,
    options: &Options,
    budget: &mut Budget,
) -> Result<Exploration, Reason> {
    let program = facts.program;
    let split = match program.blocks {
        Blocks::Single | Blocks::ThreadLocal => true,
        Blocks::Source | Blocks::Sequential => !program.is_concurrent(),
    };
    if !split {
        return Err(Reason::Beyond("steps with several shared accesses", SrcPos::NONE));
    }
    let points_to = facts.points_to().map_err(Reason::Exhausted)?;
    let visibility = visible::Visibility::new(program, points_to);
    let code = compile::compile(program, &visibility);
    let (mut machine, initial) = machine::Machine::new(&code)?;
    machine.max_threads = options.max_threads;
    if let Some(doubt) = facts.doubt().map_err(Reason::Exhausted)? {
        machine.doubt(Reason::Doubt(doubt.clone()));
    }
    let tables = match options.reduction {
        Reduction::None => None,
        Reduction::Static | Reduction::Dynamic => {
            Some(facts.tables(Division::default()).map_err(Reason::Exhausted)?)
        }
    };
    let reducer = tables.as_deref().map(reduce::Reducer::new);
    Ok(search::Search::new(machine, options, reducer).run(initial, budget))
}
