//! Memory that is left when a program ends: valid-memcleanup and valid-memtrack.
//!
//! A block is *tracked* if a variable or an object that is no block holds a pointer into it or one past its end, or
//! if a tracked block does. The variables are global, thread-local, or local in a frame of any thread, in scope or not;
//! the end of `main` has ended its frame, `exit` and `abort` end none. Temporaries of the front end hold what C calls
//! the value of an expression, so they count only while they are live.
//!
//! A number counts as the pointer that it is the address of. So pointers kept in integers or unions, or with bits set
//! that leave them inside the block, track it.

use std::collections::BTreeSet;
use std::fmt;

use ravelin_base::SrcPos;
use ravelin_cfa::{ErrorKind, Program, Property};

use crate::chooser::Chooser;
use crate::fault::{AccessedObject, Bytes};
use crate::machine::{At, Machine, Stop};
use crate::outcome::Outcome;
use crate::thread::Thread;
use crate::value::Bits;

/// The blocks that are left when a program ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Leak {
    kind: LeakKind,
    pub blocks: usize,
    pub bytes: u64,
    /// One of them.
    pub first: AccessedObject,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum LeakKind {
    Lost,
    Unfreed,
}

impl Leak {
    pub fn error(&self) -> ErrorKind {
        match self.kind {
            LeakKind::Lost => ErrorKind::LostMemory,
            LeakKind::Unfreed => ErrorKind::UnfreedMemory,
        }
    }

    pub(crate) fn head(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.kind {
            LeakKind::Lost => "no pointer to allocated memory is left",
            LeakKind::Unfreed => "memory is not freed",
        })
    }

    pub(crate) fn tail(&self, f: &mut fmt::Formatter<'_>, program: &Program) -> fmt::Result {
        f.write_str(": ")?;
        self.first.describe(f, program)?;
        match self.blocks {
            0 | 1 => Ok(()),
            blocks => write!(f, ", and {} more, {} in all", blocks - 1, Bytes(self.bytes)),
        }
    }
}

/// How a program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// By a return from `main`, by `exit`, or with its last thread.
    Regular,
    /// By `abort`, a failed assertion, or an error of a property that is not checked. Memory that is left then is not
    /// unfreed; memory that was lost before is lost.
    Abort,
}

/// Library models allocate with positions in this file what the C library has for itself.
const OWN_MEMORY: &str = "<ravelin>/own.c";

impl<'p, C: Chooser> Machine<'p, C> {
    /// The end of the program, in a step of `thread`: `otherwise`, or the violation of a property of leaks.
    pub(crate) fn end_program(
        &mut self,
        thread: &Thread,
        at: &At<'p>,
        end: End,
        otherwise: Outcome,
    ) -> Stop {
        let checked = self.program().checked;
        let (lost, unfreed) = (
            checked.contains(Property::ValidMemtrack),
            checked.contains(Property::ValidMemcleanup) && end == End::Regular,
        );
        if !lost && !unfreed {
            return Box::new(otherwise);
        }
        let blocks: Vec<u32> = self.state.memory.heap_blocks(|pos| self.is_own(pos));
        let mut left: Vec<u32> = match lost {
            true => {
                let tracked = self.tracked(thread, at);
                blocks.iter().copied().filter(|block| !tracked.contains(block)).collect()
            }
            false => Vec::new(),
        };
        let mut kind = LeakKind::Lost;
        if left.is_empty() && unfreed {
            (left, kind) = (blocks, LeakKind::Unfreed);
        }
        let objects = left.iter().filter_map(|&block| self.state.memory.described(block));
        let bytes = objects.clone().map(|object| object.size).sum();
        match objects.min() {
            None => Box::new(otherwise),
            Some(first) => {
                let leak = Leak { kind, blocks: left.len(), bytes, first };
                Box::new(Outcome::Leak { leak: Box::new(leak), pos: at.pos() })
            }
        }
    }

    fn is_own(&self, pos: SrcPos) -> bool {
        !pos.is_none() && self.program().name(pos.file) == OWN_MEMORY
    }

    /// The blocks that are tracked, by index.
    fn tracked(&self, running: &Thread, at: &At<'p>) -> BTreeSet<u32> {
        let mut roots: Vec<Bits> = self.state.globals.get().all().collect();
        for thread in self.state.threads.iter().flatten() {
            self.add_roots(thread.get(), None, &mut roots);
        }
        self.add_roots(running, Some(at), &mut roots);
        self.state.memory.reached(&self.layout, &roots)
    }

    fn add_roots(&self, thread: &Thread, at: Option<&At<'p>>, roots: &mut Vec<Bits>) {
        let values = &thread.thread_locals;
        roots.extend((0..values.len()).filter_map(|index| values.get(index)));
        roots.extend(thread.result());
        for (depth, frame) in thread.frames.iter().enumerate() {
            let is_top = depth + 1 == thread.frames.len();
            let pc = at.filter(|_| is_top).map_or(frame.pc, |at| at.pc as u32);
            let vars = &self.code.names.slots.frames[frame.proc].vars;
            for (slot, &var) in vars.iter().enumerate() {
                let counts = !self.program().is_temporary(var)
                    || self.code.liveness(frame.proc).is_live(pc, slot as u32);
                if counts {
                    roots.extend(thread.locals.get(frame.base as usize + slot));
                }
            }
        }
    }
}
