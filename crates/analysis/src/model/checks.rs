//! What may violate a property by itself, made visible to the analysis: the passes in their order.

use ravelin_base::Budget;
use ravelin_cfa::{Program, Property};

use super::check_leaks::check_leaks;
use super::check_memory::check_memory;
use super::discharge::discharge_checks;

/// How many operations may violate a checked property by themselves, and what decides before any engine starts that they
/// do not. Those that the form of the operands decides are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    pub all: usize,
    pub by_pointers: usize,
    pub by_ranges: usize,
}

/// Puts a claim before what may violate a property that the program is about, except where pointers or ranges exclude the
/// violation. The reachability of error calls needs none of this. It wants one label per edge, and runs behind the passes
/// that simplify and before those that make steps; conditions that became constants are left to the former.
pub fn insert_checks(program: &mut Program, budget: &Budget) -> Checks {
    if program.checked == Property::UnreachCall.into() {
        return Checks::default();
    }
    let memory = check_memory(program);
    check_leaks(program);
    let ranges = discharge_checks(program, budget);
    Checks {
        all: memory.decided + ranges.all,
        by_pointers: memory.decided,
        by_ranges: ranges.never,
    }
}
