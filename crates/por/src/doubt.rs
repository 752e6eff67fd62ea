//! What bars a proof.
//!
//! The automaton is not the whole program: a copy is one step in it, and functions from outside call nothing.
//! Where that could matter, a proof about the automaton is none about the program, whoever has it; executions to
//! an error stay what they are. This is the one place that says so: the analysis asks before it says TRUE, in
//! every stage, and so does the explorer before it calls a search complete.

use ravelin_base::SrcPos;
use ravelin_cfa::Program;
use ravelin_pointsto::PointsTo;

use crate::callbacks::kept_callback;
use crate::coarse::coarse_step;

/// Why a proof about an automaton is none about its program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    pub what: String,
    pub pos: SrcPos,
}

/// What bars a proof about this program, if anything does.
pub fn doubt(program: &Program, points_to: &PointsTo) -> Option<Doubt> {
    if let Some(kept) = kept_callback(program, points_to) {
        return Some(kept);
    }
    if !program.is_concurrent() {
        return None;
    }
    let pos = coarse_step(program, points_to)?;
    Some(Doubt { what: "a copy that other threads may see half done".to_owned(), pos })
}

/// Whether pointers have to be known to tell whether something bars a proof.
pub fn may_doubt(program: &Program) -> bool {
    program.is_concurrent() || crate::callbacks::hands_out(program)
}
