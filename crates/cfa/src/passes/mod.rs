//! The transformations of automata: one file each, and one ordered list.
//!
//! A pass preserves every behaviour that a property can observe, under all schedules; each file
//! gives the argument. [`run`] verifies the invariants after every pass: a pass that breaks one is
//! a bug of Ravelin, and the answer is an error, never a verdict.

mod drop_unused;
mod encode_large_blocks;
mod inline_calls;
mod propagate_constants;
mod remove_dead_code;
mod split_shared_accesses;
mod unroll_loops;

use std::fmt;

pub use drop_unused::drop_unused;
pub use encode_large_blocks::{BlockEncoding, encode_large_blocks};
pub use inline_calls::{InlineConfig, inline_calls};
pub use propagate_constants::propagate_constants;
pub use remove_dead_code::remove_dead_code;
pub use split_shared_accesses::split_shared_accesses;
pub use unroll_loops::{UnrollConfig, unroll_loops};

use crate::model::{Blocks, Proc, Procedure, Program};
use crate::verify::{Violation, verify};

/// A pass: its name on the command line, and its function.
#[derive(Clone, Copy, Debug)]
pub struct Pass {
    pub name: &'static str,
    pub about: &'static str,
    pub run: fn(&mut Program, &PassConfig),
    /// The block sizes that the pass accepts.
    pub takes: &'static [Blocks],
}

const ONE_LABEL: &[Blocks] = &[Blocks::Source, Blocks::Single];
const ALL_FORMS: &[Blocks] =
    &[Blocks::Source, Blocks::Single, Blocks::ThreadLocal, Blocks::Sequential];

/// All passes, in the order in which they run.
pub const PASSES: &[Pass] = &[
    // First: it is cheap, and most of a program (its headers, its library) is often unused.
    Pass {
        name: "drop-unused",
        about: "drop procedures, variables and objects that the entry cannot reach",
        run: |program, _| drop_unused(program),
        takes: ALL_FORMS,
    },
    // Early, so that the passes after it see through calls.
    Pass {
        name: "inline-calls",
        about: "replace calls of small or once-called procedures by their bodies",
        run: |program, config| inline_calls(program, &config.inline),
        takes: ONE_LABEL,
    },
    // After inlining, which turns constant arguments into constant locals.
    Pass {
        name: "propagate-constants",
        about: "replace variables by their values where these are known, drop edges never taken",
        run: |program, _| propagate_constants(program),
        takes: ONE_LABEL,
    },
    // After constants, which decide the guards of the loops that it looks for. Off by default: see
    // `DEFAULT`.
    Pass {
        name: "unroll-loops",
        about: "copy the bodies of loops whose number of rounds is known",
        run: |program, config| unroll_loops(program, &config.unroll),
        takes: ONE_LABEL,
    },
    // After all passes that leave unreachable locations, procedures without calls and unread
    // variables.
    Pass {
        name: "remove-dead-code",
        about: "drop what cannot be reached or is never read",
        run: |program, _| remove_dead_code(program),
        takes: ONE_LABEL,
    },
    // After dead code, to split no access in vain. It makes temporaries that must stay.
    Pass {
        name: "split-shared-accesses",
        about: "make each step of a concurrent program touch at most one shared location",
        run: |program, _| split_shared_accesses(program),
        takes: ONE_LABEL,
    },
    // Last: the others need one label per edge. After splitting: it counts shared accesses.
    Pass {
        name: "encode-large-blocks",
        about: "merge sequences and branches of steps into larger ones",
        run: |program, config| encode_large_blocks(program, config.blocks),
        takes: &[Blocks::Single],
    },
];

/// The names of the passes that run by default.
pub const DEFAULT: &[&str] = &[
    "drop-unused",
    "inline-calls",
    "propagate-constants",
    "remove-dead-code",
    "split-shared-accesses",
    "encode-large-blocks",
];

/// The default passes that only simplify, and those that determine the steps.
pub const SIMPLIFYING: &[&str] = DEFAULT.split_at(4).0;
pub const STEP_MAKING: &[&str] = DEFAULT.split_at(4).1;

/// The settings of all passes.
#[derive(Clone, Copy, Debug, Default)]
pub struct PassConfig {
    pub inline: InlineConfig,
    pub unroll: UnrollConfig,
    pub blocks: BlockEncoding,
}

/// Why passes did not complete.
#[derive(Clone, Debug)]
pub enum PassError {
    /// There is no pass of this name.
    Unknown(String),
    /// The pass does not accept a program with these blocks: another pass must run before or after
    /// it.
    WrongForm { pass: &'static str, blocks: Blocks },
    /// The program broke invariants before any pass.
    BrokenInput(Vec<Violation>),
    /// The pass broke invariants: a bug of Ravelin.
    Broken { pass: &'static str, violations: Vec<Violation> },
}

impl fmt::Display for PassError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, violations: &[Violation]| {
            violations.iter().try_for_each(|violation| write!(f, "\n  {violation}"))
        };
        match self {
            PassError::Unknown(name) => {
                write!(f, "unknown pass '{name}'; there are")?;
                PASSES.iter().try_for_each(|pass| write!(f, " {}", pass.name))
            }
            PassError::WrongForm { pass, blocks } => {
                write!(f, "the pass {pass} cannot run on blocks of the form '{}'", blocks.name())
            }
            PassError::BrokenInput(violations) => {
                f.write_str("internal error: the automaton breaks its invariants")?;
                list(f, violations)
            }
            PassError::Broken { pass, violations } => {
                write!(f, "internal error: the pass {pass} broke invariants")?;
                list(f, violations)
            }
        }
    }
}

impl std::error::Error for PassError {}

/// The pass of this name.
pub fn find(name: &str) -> Option<&'static Pass> {
    PASSES.iter().find(|pass| pass.name == name)
}

/// Runs the named passes in the order of [`PASSES`], whatever the order of the names, and verifies
/// the program before the first and after each.
pub fn run(
    program: &mut Program,
    names: &[impl AsRef<str>],
    config: &PassConfig,
) -> Result<(), PassError> {
    for name in names {
        if find(name.as_ref()).is_none() {
            return Err(PassError::Unknown(name.as_ref().to_owned()));
        }
    }
    verify(program).map_err(PassError::BrokenInput)?;
    for pass in PASSES.iter().filter(|pass| names.iter().any(|name| name.as_ref() == pass.name)) {
        if !pass.takes.contains(&program.blocks) {
            return Err(PassError::WrongForm { pass: pass.name, blocks: program.blocks });
        }
        (pass.run)(program, config);
        verify(program).map_err(|violations| PassError::Broken { pass: pass.name, violations })?;
    }
    Ok(())
}

/// Calls `change` on a procedure taken out of the program, so that both can be changed at once, and
/// puts it back.
fn with_procedure<T>(
    program: &mut Program,
    proc: Proc,
    change: impl FnOnce(&mut Program, &mut Procedure) -> T,
) -> T {
    let (name, pos) = (program.procs[proc].name, program.procs[proc].pos);
    let mut procedure = std::mem::replace(&mut program.procs[proc], Procedure::new(name, pos));
    let result = change(program, &mut procedure);
    program.procs[proc] = procedure;
    result
}
