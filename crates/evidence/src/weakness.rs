//! Violations by their numbers in the Common Weakness Enumeration (CWE), as precisely as an execution shows them.

use ravelin_cfa::{ErrorKind, ObjectKind, Program};
use ravelin_interp::{
    AccessKind, AccessedObject, InvalidAccess, MemoryFault, ObservedObject, Outcome,
};

/// All numbers that violations of this kind may have, the most general first.
pub fn weaknesses(error: ErrorKind) -> &'static [u16] {
    match error {
        ErrorKind::ReachError
        | ErrorKind::AssertFailed
        | ErrorKind::Aborted
        | ErrorKind::Trapped
        | ErrorKind::Unreachable => &[617],
        // Overflow, and underflow, which the direction of a result is.
        ErrorKind::SignedOverflow => &[190, 191],
        ErrorKind::DivisionByZero => &[369],
        ErrorKind::InvalidShift => &[1335],
        ErrorKind::OverlappingCopy => &[475],
        // The number of arguments, and their types.
        ErrorKind::UnfitFormat => &[685, 686],
        ErrorKind::UninitialisedRead => &[457],
        ErrorKind::IndexOutOfBounds => &[129],
        ErrorKind::InvalidAccess => &[119, 121, 122, 124, 126, 127, 416, 476, 787, 822, 825],
        ErrorKind::InvalidFree => &[763, 415, 590, 761],
        ErrorKind::LostMemory | ErrorKind::UnfreedMemory => &[401],
        ErrorKind::DataRace => &[362],
    }
}

/// The number of the violation that an execution ends with.
pub fn weakness(outcome: &Outcome, program: &Program) -> Option<u16> {
    match outcome {
        Outcome::InvalidMemory { access, .. } => Some(of_access(access, program)),
        _ => {
            outcome.violation(program.checked).and_then(|error| weaknesses(error).first().copied())
        }
    }
}

fn of_access(access: &InvalidAccess, program: &Program) -> u16 {
    match access.fault {
        MemoryFault::Null => 476,
        MemoryFault::NoObject | MemoryFault::NotAFunction => 822,
        MemoryFault::OutOfBounds { .. } => out_of_bounds(access, program),
        MemoryFault::ScopeEnded => 825,
        MemoryFault::Freed => 416,
        MemoryFault::ReadOnly | MemoryFault::Function => 119,
        MemoryFault::FreeOfNonHeap => 590,
        MemoryFault::FreeInside { .. } => 761,
        MemoryFault::DoubleFree => 415,
    }
}

fn out_of_bounds(access: &InvalidAccess, program: &Program) -> u16 {
    let is_before = access.offset < 0;
    match access.kind {
        AccessKind::Write if is_before => 124,
        AccessKind::Write => match &access.object {
            Some(object) if object.is_heap() => 122,
            Some(object) if is_on_stack(object, program) => 121,
            Some(_) | None => 787,
        },
        AccessKind::Read if is_before => 127,
        AccessKind::Read => 126,
        AccessKind::Call | AccessKind::Free => 119,
    }
}

fn is_on_stack(object: &AccessedObject, program: &Program) -> bool {
    match object.object() {
        ObservedObject::Object(object) => {
            matches!(program.objects[object].kind, ObjectKind::Local(_))
        }
        ObservedObject::Allocated(_) => !object.is_heap(),
        ObservedObject::Environment(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_has_its_numbers_once() {
        for error in ErrorKind::ALL {
            let numbers = weaknesses(error);
            let distinct: BTreeSet<u16> = numbers.iter().copied().collect();
            assert!(!numbers.is_empty() && distinct.len() == numbers.len(), "{error:?}");
        }
    }
}
