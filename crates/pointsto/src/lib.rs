//! Static points-to analyses: what may the pointers of a program point to?
//!
//! The answer holds for every execution: a pointer that an execution makes is in the set that the analysis
//! gives for it. A pointer is a place (an object by its name and a byte offset), null, uninitialised, or
//! unknown: then it may be anything.
//!
//! - [`analyse`], [`Options`]: the entry; [`PointsTo`], [`TargetSet`]: the answers; [`Regions`]: memory
//!   divided so that no access touches two parts; `escape`: what other threads get at;
//! - `constraint`, `value`: what the operations of the automaton say about pointers;
//! - `andersen` with `memory` and `cycles`, `steensgaard` with `blocks`, `flow`: the three analyses;
//! - `object`, `offset`, `flags`, `set`: what sets are made of; [`mod@print`], [`json`]: for readers.
//!
//! Assumed of all programs, beyond what the automaton says:
//! - nothing is accessed through a pointer that was never assigned (C11 6.2.4p6);
//! - a pointer that is moved step by step does not come around the address space (C11 6.5.6p8);
//! - no object is in the first or the last page of the address space;
//! - a function without body reaches what the program stored, not what such a function made up earlier.

mod andersen;
mod blocks;
mod constraint;
mod cycles;
mod escape;
mod flags;
mod flow;
pub mod json;
mod memory;
mod object;
mod offset;
pub mod print;
mod regions;
mod result;
mod set;
mod steensgaard;
mod value;

pub use flags::Flags;
pub use object::{ObjectName, Position, Target, for_each_label, for_each_label_on};
pub use offset::Offset;
pub use regions::{Cell, Division, Region, RegionData, Regions};
pub use result::{PointsTo, TargetSet};

use ravelin_base::{Budget, Exhausted};
use ravelin_cfa::Program;

/// Which analysis, and what it tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    pub analysis: Analysis,
    pub fields: Fields,
    pub structs: Structs,
    /// How many calls on the way to a procedure tell its variables apart: 0 to 2.
    pub context: usize,
    /// Whether the offset of an indexed element may wrap around. C11 6.5.6p8 leaves that undefined; executions do it.
    pub indices_wrap: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Analysis {
    /// Inclusion of sets.
    Andersen,
    /// Unification of sets: coarser and faster.
    Steensgaard,
    /// Andersen's, and within its bounds a state for every location.
    FlowSensitive,
}

/// Whether pointers at different offsets of an object are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fields {
    Sensitive,
    Insensitive,
}

/// Which structs are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Structs {
    /// Every variable and every allocation.
    ByVariable,
    /// Every type; since the automaton has none, every size.
    ByType,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            analysis: Analysis::Andersen,
            fields: Fields::Sensitive,
            structs: Structs::ByVariable,
            context: 0,
            indices_wrap: true,
        }
    }
}

/// Analyses a program.
pub fn analyse(
    program: &Program,
    options: &Options,
    budget: &mut Budget,
) -> Result<PointsTo, Exhausted> {
    let objects = object::Objects::new(program, options.structs, options.indices_wrap);
    let context = options.context.min(2);
    match options.analysis {
        Analysis::Andersen | Analysis::FlowSensitive => {
            let fields = options.fields;
            let solved = andersen::Andersen::solve(program, objects, fields, context, budget)?;
            let result = PointsTo::of_andersen(solved);
            if options.analysis == Analysis::Andersen {
                return Ok(result);
            }
            let states = flow::solve(program, &result, budget)?;
            Ok(result.with_states(states, program))
        }
        Analysis::Steensgaard => {
            let fields = options.fields;
            let solved =
                steensgaard::Steensgaard::solve(program, objects, fields, context, budget)?;
            Ok(solved.into_result())
        }
    }
}
