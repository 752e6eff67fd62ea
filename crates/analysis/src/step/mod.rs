//! Control states and the steps between them.
//!
//! A control state says for each thread where it is and on which frames it stands. Steps are edges
//! of the automaton as a frame sees them: calls and returns are assignments between the instances of
//! two frames. What synchronisation objects hold is kept in their first bytes (`sync`).

mod maker;

use std::rc::Rc;

use ravelin_base::{EntityRef, PrimaryMap, SrcPos, Symbol, entity_impl};
use ravelin_cfa::{Edge, ErrorKind, Label, Loc, ObjectKind, Proc, Program};
use ravelin_term::{Object, Var};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::reduction::{Reducer, Whereabouts};
use crate::space::{Activation, Space, Thread};
use crate::sync::Mutexes;
use maker::Maker;

/// Where all threads are, interned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Control(u32);
entity_impl!(Control, "c");

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct ControlData {
    /// In the order of their names. Threads that ended stay: others may ask for their results.
    threads: SmallVec<[(Thread, Status); 2]>,
    /// The thread in an atomic block, and how deep.
    atomic: Option<(Thread, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Status {
    At(Position),
    /// On an edge that waits for a condition variable: the mutex is released, and is to be had again.
    Waiting(Position, Edge),
    Ended,
}

/// Who started a thread, where, and how many it had started there before.
type ThreadName = (Thread, Proc, Edge, u32);

/// A frame on the stack of a thread: the procedure, and where it returns to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Frame(u32);
entity_impl!(Frame, "f");

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct FrameData {
    proc: Proc,
    activation: Activation,
    /// The caller's frame and the edge that calls.
    caller: Option<(Frame, Edge)>,
}

/// Where a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Position {
    frame: Frame,
    loc: Loc,
}

/// A location of a procedure, whatever the frame: precisions are kept by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    pub proc: Proc,
    pub loc: Loc,
    pub activation: Activation,
}

/// What is at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The execution goes on here.
    Control(Control),
    /// The program or its last thread ended.
    End,
    /// The error that the property speaks of.
    Error(ErrorKind),
    /// Something that is not modelled.
    Unsupported(Symbol),
}

/// A step of a thread.
#[derive(Clone, Debug)]
pub struct Step {
    pub source: Control,
    pub thread: Thread,
    /// Whether it starts a thread, and which.
    pub starts: Option<Thread>,
    pub edge: Edge,
    /// In order; over the instances of the frames involved. No calls, returns or ends.
    pub labels: Box<[Label]>,
    /// Locals of the frame that the step leaves: their values are of no further use.
    pub left: Box<[Var]>,
    /// Locals of the frame that the step enters, which may be read before they are written.
    pub uninitialised: Box<[Var]>,
    /// Whether the step enters a procedure, and whether it leaves one.
    pub enters: bool,
    pub leaves: bool,
    pub target: Target,
    /// The position of what ends the step, or of its first label.
    pub pos: SrcPos,
}

/// The control states of a program and the steps between them, made as they are asked for.
#[derive(Debug)]
pub struct Steps {
    controls: PrimaryMap<Control, ControlData>,
    control_numbers: FxHashMap<ControlData, Control>,
    threads: PrimaryMap<Thread, ThreadName>,
    thread_numbers: FxHashMap<ThreadName, Thread>,
    frames: PrimaryMap<Frame, FrameData>,
    frame_numbers: FxHashMap<FrameData, Frame>,
    cache: FxHashMap<Control, Rc<[Rc<Step>]>>,
    /// The functions that a pointer can name, with the object that stands for each.
    functions: Vec<(Proc, Object)>,
    mutexes: Option<Mutexes>,
    /// Who has to move where; none if all do.
    reducer: Option<Reducer>,
}

impl Steps {
    pub fn new(program: &Program) -> Self {
        let functions = program
            .objects
            .iter()
            .filter_map(|(object, data)| match data.kind {
                ObjectKind::Function(proc) => Some((proc, object)),
                ObjectKind::Global
                | ObjectKind::Constant
                | ObjectKind::ThreadLocal
                | ObjectKind::Local(_) => None,
            })
            .collect();
        let mut threads = PrimaryMap::new();
        // Nobody started main; what stands here in place of a name is of no thread that is started.
        threads.push((Thread::MAIN, Proc::new(0), Edge::new(0), u32::MAX));
        Steps {
            controls: PrimaryMap::new(),
            control_numbers: FxHashMap::default(),
            threads,
            thread_numbers: FxHashMap::default(),
            frames: PrimaryMap::new(),
            frame_numbers: FxHashMap::default(),
            cache: FxHashMap::default(),
            functions,
            mutexes: None,
            reducer: None,
        }
    }

    /// From here on, threads that may wait for others do.
    pub fn reduce(&mut self, reducer: Reducer) {
        self.reducer = Some(reducer);
    }

    /// The control state in which `entry` begins.
    pub fn initial(&mut self, program: &Program, entry: Proc) -> Control {
        let first = FrameData { proc: entry, activation: Activation::FIRST, caller: None };
        let position = Position { frame: self.frame(first), loc: program.procs[entry].entry };
        let threads = [(Thread::MAIN, Status::At(position))].into_iter().collect();
        self.control(ControlData { threads, atomic: None })
    }

    fn frame(&mut self, data: FrameData) -> Frame {
        let frames = &mut self.frames;
        *self.frame_numbers.entry(data).or_insert_with(|| frames.push(data))
    }

    fn control(&mut self, data: ControlData) -> Control {
        if let Some(&control) = self.control_numbers.get(&data) {
            return control;
        }
        let control = self.controls.push(data.clone());
        self.control_numbers.insert(data, control);
        control
    }

    /// The location of the first thread that has not ended.
    pub fn site(&self, control: Control) -> Site {
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

    /// The steps out of a control state, by thread and in source order.
    pub fn out(&mut self, space: &mut Space<'_>, control: Control) -> Rc<[Rc<Step>]> {
        if let Some(steps) = self.cache.get(&control) {
            return Rc::clone(steps);
        }
        let program = space.program;
        let ControlData { threads, atomic } = self.controls[control].clone();
        let movers = match atomic {
            Some(_) => u64::MAX,
            None => self.movers(program, &threads),
        };
        let mut steps = Vec::new();
        for (position, &(thread, status)) in threads.iter().enumerate() {
            let waits = position < 64 && movers >> position & 1 == 0;
            if waits || atomic.is_some_and(|(owner, _)| owner != thread) {
                continue;
            }
            match status {
                Status::At(Position { frame, loc }) => {
                    let proc = self.frames[frame].proc;
                    for &edge in &program.procs[proc].locs[loc].out {
                        let mut maker = Maker { steps: self, space, control, thread, frame, edge };
                        maker.make(&mut steps);
                    }
                }
                Status::Waiting(Position { frame, .. }, edge) => {
                    let mut maker = Maker { steps: self, space, control, thread, frame, edge };
                    maker.make_woken(&mut steps);
                }
                Status::Ended => {}
            }
        }
        let steps: Rc<[Rc<Step>]> = steps.into_iter().map(Rc::new).collect();
        self.cache.insert(control, Rc::clone(&steps));
        steps
    }

    /// The threads that have to move, by position.
    fn movers(&mut self, program: &Program, threads: &[(Thread, Status)]) -> u64 {
        let Some(mut reducer) = self.reducer.take() else {
            return u64::MAX;
        };
        let whereabouts: Vec<Option<Whereabouts>> = threads
            .iter()
            .map(|&(thread, status)| self.whereabouts(program, thread, status))
            .collect();
        let movers = reducer.movers(program, &whereabouts);
        self.reducer = Some(reducer);
        movers
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
        let mut frames = vec![(proc, position.loc)];
        while let Some((frame, call)) = caller {
            let data = self.frames[frame];
            frames.push((data.proc, program.procs[data.proc].edges[call].target));
            caller = data.caller;
        }
        Some(Whereabouts { frames, waiting, ends_program: thread == Thread::MAIN })
    }
}
