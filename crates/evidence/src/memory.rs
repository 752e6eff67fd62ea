//! The invalid access that an execution ends with, as reports draw it.

use ravelin_interp::{AccessKind, Outcome};
use ravelin_report::model::{MemoryError, MemoryState};

use crate::execution::Execution;
use crate::step_trace::Files;

/// The object of the invalid access, and the bytes that it touches; `None` if the execution ends in another way, or the
/// pointer was made from no object.
pub fn memory_error(execution: &Execution, files: &mut Files) -> Option<MemoryError> {
    let program = &execution.program;
    let Outcome::InvalidMemory { access, .. } = &execution.outcome else { return None };
    let object = access.object.as_ref()?;
    let (state, ended) = match object.ended() {
        Some((pos, _)) if object.is_heap() => (MemoryState::Freed, files.position(program, pos)),
        Some((pos, _)) => (MemoryState::Ended, files.position(program, pos)),
        None => (MemoryState::Alive, None),
    };
    let touches_bytes = matches!(access.kind, AccessKind::Read | AccessKind::Write);
    Some(MemoryError {
        object: object.display(program).to_string(),
        access: access.what(program).to_string(),
        size: object.size,
        offset: access.offset,
        length: if touches_bytes { access.length } else { 0 },
        state,
        ended,
    })
}
