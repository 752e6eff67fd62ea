//! Control states: where all threads are, and on which frames they stand.

use std::hash::Hash;
use std::ops::Index;

use ravelin_base::{EntityRef, PrimaryMap, entity_impl};
use ravelin_cfa::{Edge, Loc, Proc, Program};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::KnownObjects;
use crate::model::space::{Activation, Thread};
use crate::reduction::Whereabouts;

/// Where all threads are, interned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Control(u32);
entity_impl!(Control, "c");

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct ControlData {
    /// In the order of their names. Threads that ended stay: others may ask for their results.
    pub(super) threads: SmallVec<[(Thread, Status); 2]>,
    /// The thread in an atomic block, and how deep.
    pub(super) atomic: Option<(Thread, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Status {
    At(Position),
    /// On an edge that waits for a condition variable, with the mutex released and to be had again, or at a barrier.
    Waiting(Position, Edge),
    Ended,
}

/// Who started a thread, where, and how many it had started there before.
pub(super) type ThreadName = (Thread, Proc, Edge, u32);

/// A frame on the stack of a thread: the procedure, and where it returns to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Frame(u32);
entity_impl!(Frame, "f");

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FrameData {
    pub(super) proc: Proc,
    pub(super) activation: Activation,
    /// The caller's frame and the edge that calls.
    pub(super) caller: Option<(Frame, Edge)>,
}

/// Where a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Position {
    pub(super) frame: Frame,
    pub(super) loc: Loc,
}

/// A location of a procedure, whatever the frame: precisions are kept by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    pub proc: Proc,
    pub loc: Loc,
    pub activation: Activation,
}

/// Values by number: equal values have the same.
#[derive(Clone, Debug)]
pub(super) struct Interned<K: EntityRef, V> {
    values: PrimaryMap<K, V>,
    numbers: FxHashMap<V, K>,
}

impl<K: EntityRef, V: Clone + Eq + Hash> Interned<K, V> {
    fn new() -> Self {
        Interned { values: PrimaryMap::new(), numbers: FxHashMap::default() }
    }

    pub(super) fn intern(&mut self, value: V) -> K {
        if let Some(&known) = self.numbers.get(&value) {
            return known;
        }
        let number = self.values.push(value.clone());
        self.numbers.insert(value, number);
        number
    }
}

impl<K: EntityRef, V> Index<K> for Interned<K, V> {
    type Output = V;

    fn index(&self, number: K) -> &V {
        &self.values[number]
    }
}

/// The control states met so far, and the threads and frames of which they speak.
#[derive(Debug)]
pub(super) struct ControlStates {
    pub(super) controls: Interned<Control, ControlData>,
    pub(super) threads: Interned<Thread, ThreadName>,
    pub(super) frames: Interned<Frame, FrameData>,
}

impl ControlStates {
    pub(super) fn new() -> Self {
        let mut threads = Interned::new();
        // Nobody started main; what stands here in place of a name is of no thread that is started.
        threads.intern((Thread::MAIN, Proc::new(0), Edge::new(0), u32::MAX));
        ControlStates { controls: Interned::new(), threads, frames: Interned::new() }
    }

    /// The control state in which `entry` begins.
    pub(super) fn initial(&mut self, program: &Program, entry: Proc) -> Control {
        let first = FrameData { proc: entry, activation: Activation::FIRST, caller: None };
        let frame = self.frames.intern(first);
        let position = Position { frame, loc: program.procs[entry].entry };
        let threads = [(Thread::MAIN, Status::At(position))].into_iter().collect();
        self.controls.intern(ControlData { threads, atomic: None })
    }

    /// The location of the first thread that has not ended.
    pub(super) fn site(&self, control: Control) -> Site {
        let threads = &self.controls[control].threads;
        let position = threads.iter().find_map(|(_, status)| match status {
            Status::At(position) | Status::Waiting(position, _) => Some(*position),
            Status::Ended => None,
        });
        let Position { frame, loc } =
            position.unwrap_or(Position { frame: Frame::new(0), loc: Loc::new(0) });
        let FrameData { proc, activation, .. } = self.frames[frame];
        Site { proc, loc, activation }
    }

    /// The location of a thread that has not ended.
    pub(super) fn site_of(&self, control: Control, thread: Thread) -> Option<Site> {
        let threads = &self.controls[control].threads;
        let (_, status) = threads.iter().find(|(other, _)| *other == thread)?;
        match status {
            Status::At(Position { frame, loc }) | Status::Waiting(Position { frame, loc }, _) => {
                let FrameData { proc, activation, .. } = self.frames[*frame];
                Some(Site { proc, loc: *loc, activation })
            }
            Status::Ended => None,
        }
    }

    /// Whether only one thread can move: it is in an atomic section, or there is no other.
    pub(super) fn moves_alone(&self, control: Control) -> bool {
        let ControlData { threads, atomic } = &self.controls[control];
        atomic.is_some() || threads.len() == 1
    }

    /// Where the threads are that have not ended.
    pub(super) fn locations(&self, control: Control) -> Vec<(Proc, Loc)> {
        let threads = self.controls[control].threads.iter();
        let place = |(_, status): &(Thread, Status)| match status {
            Status::At(position) | Status::Waiting(position, _) => {
                Some((self.frames[position.frame].proc, position.loc))
            }
            Status::Ended => None,
        };
        threads.filter_map(place).collect()
    }

    /// The positions of these threads in a control state.
    pub(super) fn positions(&self, control: Control, set: u64) -> Vec<usize> {
        let ControlData { threads, atomic } = &self.controls[control];
        let moves = |position: &usize| {
            let thread = threads[*position].0;
            let is_in = *position >= 64 || set >> position & 1 == 1;
            is_in && atomic.is_none_or(|(owner, _)| owner == thread)
        };
        (0..threads.len()).filter(moves).collect()
    }

    pub(super) fn all_whereabouts(
        &self,
        program: &Program,
        control: Control,
        known: &KnownObjects,
    ) -> Vec<Option<Whereabouts>> {
        let threads = self.controls[control].threads.iter();
        let mut found: Vec<Option<Whereabouts>> =
            threads.map(|&(thread, status)| self.whereabouts(program, thread, status)).collect();
        for (position, objects) in known {
            if let Some(thread) = &mut found[*position] {
                thread.next_objects = Some(objects.clone());
            }
        }
        found
    }

    fn whereabouts(
        &self,
        program: &Program,
        thread: Thread,
        status: Status,
    ) -> Option<Whereabouts> {
        let (position, waiting) = match status {
            Status::At(position) => (position, None),
            Status::Waiting(position, edge) => (position, Some(edge)),
            Status::Ended => return None,
        };
        let FrameData { proc, mut caller, .. } = self.frames[position.frame];
        let mut frames = smallvec![(proc, position.loc)];
        while let Some((frame, call)) = caller {
            let data = self.frames[frame];
            frames.push((data.proc, program.procs[data.proc].edges[call].target));
            caller = data.caller;
        }
        Some(Whereabouts {
            frames,
            waiting,
            ends_program: thread == Thread::MAIN,
            next_objects: None,
        })
    }

    /// The location of a thread that has not ended.
    pub(super) fn location(&self, control: Control, thread: Thread) -> Option<(Proc, Loc)> {
        self.site_of(control, thread).map(|site| (site.proc, site.loc))
    }
}
