//! Threads in crowds: started at one place again and again, without names, and any number of them.
//!
//! Of a crowd, few threads are looked at: its *members* in a control state. Which slots they are in, as
//! `Thread`s, says nothing: they can be taken out, and put in again elsewhere.

use ravelin_cfa::{Edge, Proc};
use ravelin_term::Var;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::control::{ControlData, Frame, FrameData, Position, Status};
use super::{Control, Steps};
use crate::model::space::{Activation, Space, Thread};

/// The crowds of a program.
#[derive(Clone, Debug)]
pub struct Crowds {
    /// Where main starts their threads.
    pub edges: Vec<(Proc, Edge)>,
    /// So many threads of each are looked at, and others never make a step.
    pub most: u32,
}

impl Crowds {
    pub(super) fn starts_at(&self, proc: Proc, edge: Edge) -> bool {
        self.edges.contains(&(proc, edge))
    }
}

/// A thread of a crowd: of which, and where it is. (As if it were in the first slot.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Member {
    crowd: u32,
    status: Status,
}

/// A thread and where it is: what its next steps do depends on nothing else, but for the threads that it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Whence(Thread, Status);

/// A control state with its members apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Gathering {
    /// Main and whoever else is no member.
    pub rest: Control,
    pub members: SmallVec<[Member; 3]>,
    /// The member in an atomic block, and how deep.
    pub inside: Option<(usize, u32)>,
}

impl Steps {
    /// From here on, threads that start here are of crowds, and so many of each are looked at.
    pub fn follow_crowds(&mut self, crowds: Crowds) {
        self.made.of_threads.clear();
        self.reduction.forget();
        self.crowds = Some(crowds);
    }

    /// The crowd of which a thread is.
    pub fn crowd_of(&self, thread: Thread) -> Option<usize> {
        let (parent, proc, edge, _) = self.states.threads[thread];
        let crowds = self.crowds.as_ref()?;
        let found = crowds.edges.iter().position(|&at| at == (proc, edge));
        found.filter(|_| thread != Thread::MAIN && parent == Thread::MAIN)
    }

    /// A slot for a thread of a crowd.
    pub fn slot(&mut self, crowd: usize, number: u32) -> Thread {
        let (proc, edge) = self.crowds.as_ref().map_or_else(
            || unreachable!("slots are asked for where there are crowds"),
            |crowds| crowds.edges[crowd],
        );
        let name = (Thread::MAIN, proc, edge, number);
        self.states.threads.intern(name)
    }

    /// Takes the members that have not ended out of a control state; each with the slot it was in.
    pub fn scatter(&mut self, control: Control) -> (Gathering, SmallVec<[Thread; 3]>) {
        let ControlData { threads, atomic } = self.states.controls[control].clone();
        let mut rest = ControlData { threads: SmallVec::new(), atomic };
        let (mut members, mut slots) = (SmallVec::new(), SmallVec::new());
        let mut inside = None;
        for (thread, status) in threads {
            let Some(crowd) = self.crowd_of(thread) else {
                rest.threads.push((thread, status));
                continue;
            };
            if let Some((owner, depth)) = atomic
                && owner == thread
            {
                rest.atomic = None;
                inside = (status != Status::Ended).then_some((members.len(), depth));
            }
            if status != Status::Ended {
                let first = self.slot(crowd, 0);
                members.push(Member { crowd: crowd as u32, status: self.status_of(status, first) });
                slots.push(thread);
            }
        }
        (Gathering { rest: self.states.controls.intern(rest), members, inside }, slots)
    }

    /// Puts members into a control state; gives the slot of each. Those of one crowd are in the slots from
    /// the first on, in their order.
    pub fn gather(&mut self, gathering: &Gathering) -> (Control, SmallVec<[Thread; 3]>) {
        let Gathering { rest, members, inside } = gathering;
        let mut data = self.states.controls[*rest].clone();
        let mut slots = SmallVec::new();
        for (at, member) in members.iter().enumerate() {
            let before = members[..at].iter().filter(|other| other.crowd == member.crowd).count();
            let slot = self.slot(member.crowd as usize, before as u32);
            let status = self.status_of(member.status, slot);
            data.threads.push((slot, status));
            slots.push(slot);
        }
        data.threads.sort_unstable_by_key(|(thread, _)| *thread);
        if let Some((owner, depth)) = *inside {
            data.atomic = Some((slots[owner], depth));
        }
        (self.states.controls.intern(data), slots)
    }

    /// Where the thread at a position makes its next step.
    pub fn whence(&self, control: Control, position: usize) -> Whence {
        let (thread, status) = self.states.controls[control].threads[position];
        Whence(thread, status)
    }

    /// Whether a thread is in an atomic block.
    pub fn is_atomic(&self, control: Control) -> bool {
        self.states.controls[control].atomic.is_some()
    }

    /// The threads of a control state, with their positions in it.
    pub fn threads_at(&self, control: Control) -> Vec<Thread> {
        self.states.controls[control].threads.iter().map(|(thread, _)| *thread).collect()
    }

    /// The locals whose values may still be read, in all frames of all threads.
    pub fn live_locals(&self, space: &mut Space<'_>, control: Control) -> FxHashSet<Var> {
        let mut found = FxHashSet::default();
        for &(_, status) in &self.states.controls[control].threads {
            let (Status::At(position) | Status::Waiting(position, _)) = status else { continue };
            let FrameData { proc, activation, mut caller } = self.states.frames[position.frame];
            found.extend(space.live_locals(proc, position.loc, activation));
            while let Some((frame, call)) = caller {
                let data = self.states.frames[frame];
                let after = space.program.procs[data.proc].edges[call].target;
                found.extend(space.live_locals(data.proc, after, data.activation));
                caller = data.caller;
            }
        }
        found
    }

    fn status_of(&mut self, status: Status, thread: Thread) -> Status {
        let mut moved = |position: Position| {
            let frame = self.frame_of(position.frame, thread);
            Position { frame, ..position }
        };
        match status {
            Status::At(position) => Status::At(moved(position)),
            Status::Waiting(position, edge) => Status::Waiting(moved(position), edge),
            Status::Ended => Status::Ended,
        }
    }

    /// The frame as it would be in another thread.
    fn frame_of(&mut self, frame: Frame, thread: Thread) -> Frame {
        let FrameData { proc, activation, caller } = self.states.frames[frame];
        let caller = caller.map(|(frame, edge)| (self.frame_of(frame, thread), edge));
        self.states.frames.intern(FrameData {
            proc,
            activation: Activation { thread, ..activation },
            caller,
        })
    }
}
