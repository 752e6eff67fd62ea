//! Replicated threads: started at one place again and again, without names, and any number of them.
//!
//! The place at which they start is their *template*. Few replicas of each are looked at: the *members* of a view.
//! Which slots they are in, as `Thread`s, says nothing: they can be taken out, and put in again elsewhere.

use ravelin_cfa::{Edge, Proc};
use ravelin_term::Var;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::control::{ControlData, Frame, FrameData, Position, Status};
use super::{Control, Steps};
use crate::model::space::{Activation, Space, Thread};

/// The replicated threads of a program, and how many of them to follow.
#[derive(Clone, Debug)]
pub struct ReplicatedThreads {
    /// Their templates: where main starts them.
    pub templates: Vec<(Proc, Edge)>,
    /// At most this many replicas of each template are followed; others never make a step.
    pub limit: u32,
}

impl ReplicatedThreads {
    pub(super) fn starts_at(&self, proc: Proc, edge: Edge) -> bool {
        self.templates.contains(&(proc, edge))
    }
}

/// A replica: of which template, and where it is. (As if it were in the first slot.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Member {
    template: u32,
    status: Status,
}

/// A thread and where it is: what its next steps do depends on nothing else, but for the threads that it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Whence(Thread, Status);

/// The control state of a view, with its members apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ViewControl {
    /// Main and whoever else is no member.
    pub rest: Control,
    pub members: SmallVec<[Member; 3]>,
    /// The member in an atomic block, and how deep.
    pub inside: Option<(usize, u32)>,
}

impl Steps {
    /// From here on, these threads are replicas without names.
    pub fn replicate(&mut self, threads: ReplicatedThreads) {
        self.made.of_threads.clear();
        self.reduction.forget();
        self.replicated = Some(threads);
    }

    /// The template of which a thread is a replica.
    pub fn template_of(&self, thread: Thread) -> Option<usize> {
        let (parent, proc, edge, _) = self.states.threads[thread];
        let replicated = self.replicated.as_ref()?;
        let found = replicated.templates.iter().position(|&at| at == (proc, edge));
        found.filter(|_| thread != Thread::MAIN && parent == Thread::MAIN)
    }

    /// A slot for a replica.
    pub fn slot(&mut self, template: usize, number: u32) -> Thread {
        let (proc, edge) = self.replicated.as_ref().map_or_else(
            || unreachable!("slots are asked for where there are replicas"),
            |replicated| replicated.templates[template],
        );
        let name = (Thread::MAIN, proc, edge, number);
        self.states.threads.intern(name)
    }

    /// Takes the members that have not ended out of a control state; each with the slot it was in.
    pub fn view_of(&mut self, control: Control) -> (ViewControl, SmallVec<[Thread; 3]>) {
        let ControlData { threads, atomic } = self.states.controls[control].clone();
        let mut rest = ControlData { threads: SmallVec::new(), atomic };
        let (mut members, mut slots) = (SmallVec::new(), SmallVec::new());
        let mut inside = None;
        for (thread, status) in threads {
            let Some(template) = self.template_of(thread) else {
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
                let first = self.slot(template, 0);
                members.push(Member {
                    template: template as u32,
                    status: self.status_of(status, first),
                });
                slots.push(thread);
            }
        }
        (ViewControl { rest: self.states.controls.intern(rest), members, inside }, slots)
    }

    /// Puts the members of a view into a control state; gives the slot of each. Replicas of one template are in the
    /// slots from the first on, in their order.
    pub fn control_of(&mut self, view: &ViewControl) -> (Control, SmallVec<[Thread; 3]>) {
        let ViewControl { rest, members, inside } = view;
        let mut data = self.states.controls[*rest].clone();
        let mut slots = SmallVec::new();
        for (at, member) in members.iter().enumerate() {
            let before =
                members[..at].iter().filter(|other| other.template == member.template).count();
            let slot = self.slot(member.template as usize, before as u32);
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
