//! Control states and the steps between them.
//!
//! A control state says for each thread where it is and on which frames it stands. Steps are edges
//! of the automaton as a frame sees them: calls and returns are assignments between the instances of
//! two frames. What synchronisation objects hold is kept in their first bytes (`sync`).

mod body;
pub mod crowd;
mod maker;

use std::rc::Rc;
use std::time::{Duration, Instant};

use ravelin_base::{EntityRef, PrimaryMap, SrcPos, Symbol, entity_impl};
use ravelin_cfa::{Edge, ErrorKind, Label, Loc, ObjectKind, Proc, Program};
use ravelin_pointsto as pointsto;
use ravelin_por::Bits;
use ravelin_term::{Object, Term, Var};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::model::space::{Activation, Space, Thread};
use crate::model::sync::SyncObjects;
use crate::reduction::statements::StatementCounts;
use crate::reduction::{Places, Reducer, Tracked, Whereabouts};
use body::{Bodies, Body, Reduced};
use crowd::Crowds;
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Status {
    At(Position),
    /// On an edge that waits for a condition variable, with the mutex released and to be had again, or at a barrier.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    /// A thread of a function that is not the program's, which is not modelled.
    StartElsewhere,
}

/// A step of a thread.
#[derive(Clone, Debug)]
pub struct Step {
    pub source: Control,
    pub thread: Thread,
    /// Whether it starts a thread, and which.
    pub starts: Option<Thread>,
    pub edge: Edge,
    body: Body,
    /// In order; over the instances of the frames involved. No calls, returns or ends.
    pub labels: Rc<[Label]>,
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
    bodies: Bodies,
    /// The steps of the thread at a position.
    cache: FxHashMap<(Control, usize), Rc<[Rc<Step>]>>,
    /// The functions that a pointer can name, with the object that stands for each.
    functions: Vec<(Proc, Object)>,
    sync_objects: Option<SyncObjects>,
    /// Threads that are started without end, if they are to be followed as a crowd.
    crowds: Option<Crowds>,
    /// Who has to move where, and what has to be evaluated; none if everybody and everything.
    reducer: Option<Reducer>,
    /// What it said, for what is tracked now.
    movers: FxHashMap<(Control, Known), u64>,
    /// Where states may know more than the program says.
    ambiguous: FxHashMap<Control, Rc<[Ambiguous]>>,
    evaluated: FxHashMap<(Control, usize), Evaluated>,
    /// How often what is tracked has changed.
    changes: u32,
    /// How much was left out in all steps that were made.
    pub statements: StatementCounts,
    /// The time it took to find out what can be left out.
    pub time: Duration,
}

/// The pointer of a thread's next access, which may lead to several objects.
#[derive(Clone, Debug)]
pub struct Ambiguous {
    pub position: usize,
    /// As the thread's frame sees it.
    pub pointer: Term,
    /// The objects, each with the pointers into it that this one may be, if those are known.
    pub objects: Vec<(pointsto::Target, Option<Vec<Term>>)>,
}

/// The objects to which such pointers lead in a state: the threads by position, each with some.
pub type Known = Vec<(usize, Bits)>;

/// A step, and what of it has to be evaluated.
#[derive(Clone, Debug)]
pub struct Move {
    pub step: Rc<Step>,
    pub evaluated: Rc<Step>,
    pub statements: StatementCounts,
}

/// The steps of a thread, as they are to be evaluated after so many changes of what is tracked.
#[derive(Clone, Debug)]
struct Evaluated {
    moves: Rc<[Move]>,
    changes: u32,
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
            bodies: Bodies::default(),
            cache: FxHashMap::default(),
            functions,
            sync_objects: None,
            crowds: None,
            reducer: None,
            movers: FxHashMap::default(),
            ambiguous: FxHashMap::default(),
            evaluated: FxHashMap::default(),
            changes: 0,
            statements: StatementCounts::default(),
            time: Duration::ZERO,
        }
    }

    /// From here on, threads that may wait for others do.
    pub fn reduce(&mut self, reducer: Reducer) {
        self.reducer = Some(reducer);
    }

    /// From here on, all threads move and every statement is evaluated.
    pub fn reduce_no_more(&mut self) {
        self.reducer = None;
        self.forget_reduced();
    }

    /// Whether what is tracked makes a difference to steps.
    pub fn are_reduced(&self) -> bool {
        self.reducer.is_some()
    }

    /// From here on this is tracked; whether that makes a difference.
    pub fn track(&mut self, tracked: Tracked) -> bool {
        let changes = self.reducer.as_mut().is_some_and(|reducer| reducer.track(tracked));
        if changes {
            self.forget_reduced();
        }
        changes
    }

    /// From here on, every statement is evaluated; whether that makes a difference.
    pub fn evaluate_all(&mut self) -> bool {
        self.forget_reduced();
        self.reducer.as_mut().is_some_and(Reducer::evaluate_all)
    }

    /// What the reducer said held of what was tracked.
    fn forget_reduced(&mut self) {
        self.movers.clear();
        self.changes += 1;
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

    /// The location of a thread that has not ended.
    pub fn site_of(&self, control: Control, thread: Thread) -> Option<Site> {
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
    pub fn moves_alone(&self, control: Control) -> bool {
        let ControlData { threads, atomic } = &self.controls[control];
        atomic.is_some() || threads.len() == 1
    }

    /// The location in which a step begins.
    pub fn place_of(&self, step: &Step) -> Option<(Proc, Loc)> {
        let threads = &self.controls[step.source].threads;
        let (_, status) = threads.iter().find(|(thread, _)| *thread == step.thread)?;
        match status {
            Status::At(position) | Status::Waiting(position, _) => {
                Some((self.frames[position.frame].proc, position.loc))
            }
            Status::Ended => None,
        }
    }

    /// Where the threads are that have not ended.
    pub fn places(&self, control: Control) -> Vec<(Proc, Loc)> {
        let threads = self.controls[control].threads.iter();
        let place = |(_, status): &(Thread, Status)| match status {
            Status::At(position) | Status::Waiting(position, _) => {
                Some((self.frames[position.frame].proc, position.loc))
            }
            Status::Ended => None,
        };
        threads.filter_map(place).collect()
    }

    /// The steps of the threads that have to move in a control state, by thread and in source order.
    pub fn out(&mut self, space: &mut Space<'_>, control: Control) -> Vec<Rc<Step>> {
        let movers = self.movers(space.program, control, &Known::new());
        let mut steps = Vec::new();
        for position in self.positions(control, movers) {
            steps.extend(self.of_thread(space, control, position).iter().cloned());
        }
        steps
    }

    /// The positions of these threads in a control state.
    pub fn positions(&self, control: Control, movers: u64) -> Vec<usize> {
        let ControlData { threads, atomic } = &self.controls[control];
        let moves = |position: &usize| {
            let thread = threads[*position].0;
            let is_mover = *position >= 64 || movers >> position & 1 == 1;
            is_mover && atomic.is_none_or(|(owner, _)| owner == thread)
        };
        (0..threads.len()).filter(moves).collect()
    }

    /// The steps of a thread in a control state, and what of them has to be evaluated.
    pub fn moves(
        &mut self,
        space: &mut Space<'_>,
        control: Control,
        position: usize,
    ) -> Rc<[Move]> {
        if let Some(it) = self.evaluated.get(&(control, position))
            && it.changes == self.changes
        {
            return Rc::clone(&it.moves);
        }
        let steps = self.of_thread(space, control, position);
        let begun = Instant::now();
        let moves: Rc<[Move]> = steps.iter().map(|step| self.reduced(space, step)).collect();
        self.time += begun.elapsed();
        let evaluated = Evaluated { moves: Rc::clone(&moves), changes: self.changes };
        self.evaluated.insert((control, position), evaluated);
        moves
    }

    fn reduced(&mut self, space: &mut Space<'_>, step: &Rc<Step>) -> Move {
        let whole = || {
            let (evaluated, statements) = (Rc::clone(step), StatementCounts::default());
            Move { step: Rc::clone(step), evaluated, statements }
        };
        let observed = self.observed_after(space, step);
        let tracked = self.reducer.as_ref().and_then(Reducer::tracked);
        let (Some(observed), Some(tracked)) = (observed, tracked) else { return whole() };
        let Reduced { labels, statements } =
            self.bodies.reduced(space, step.body, &observed, tracked);
        let evaluated = match Rc::ptr_eq(&labels, &step.labels) {
            true => Rc::clone(step),
            false => Rc::new(Step { labels, ..(**step).clone() }),
        };
        Move { step: Rc::clone(step), evaluated, statements }
    }

    /// What a step writes that is taken to decide something after it; none if all is.
    fn observed_after(&mut self, space: &mut Space<'_>, step: &Step) -> Option<Places> {
        let reducer = self.reducer.as_ref()?;
        let tracked = reducer.tracked()?;
        // What is observed is tracked: it does not matter to a step that writes nothing of that.
        let written = self.bodies.written(space, step.body);
        if !written.iter().any(|&place| tracked.has(place)) {
            return Some(Places::default());
        }
        if !reducer.follows_values() {
            return Some(tracked.clone());
        }
        let threads = match step.target {
            Target::Control(control) => self.all_whereabouts(space.program, control, &Known::new()),
            // Nothing comes after it.
            Target::End | Target::Error(_) | Target::Unsupported(_) | Target::StartElsewhere => {
                Vec::new()
            }
        };
        reducer.observed_of(space.program, &threads, &written)
    }

    /// The steps of the thread at a position.
    pub fn of_thread(
        &mut self,
        space: &mut Space<'_>,
        control: Control,
        position: usize,
    ) -> Rc<[Rc<Step>]> {
        if let Some(steps) = self.cache.get(&(control, position)) {
            return Rc::clone(steps);
        }
        let program = space.program;
        let (thread, status) = self.controls[control].threads[position];
        let mut steps = Vec::new();
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
        let steps: Rc<[Rc<Step>]> = steps.into_iter().map(Rc::new).collect();
        self.cache.insert((control, position), Rc::clone(&steps));
        steps
    }

    /// The pointers of which states at a control state may know more than the program says.
    pub fn ambiguous(&mut self, space: &mut Space<'_>, control: Control) -> Rc<[Ambiguous]> {
        if let Some(found) = self.ambiguous.get(&control) {
            return Rc::clone(found);
        }
        let program = space.program;
        let threads = self.all_whereabouts(program, control, &Known::new());
        let pointers = match &self.reducer {
            Some(reducer) if self.controls[control].atomic.is_none() => {
                reducer.ambiguous(program, &threads)
            }
            Some(_) | None => Vec::new(),
        };
        let mut found = Vec::new();
        for (position, pointer) in pointers {
            let Status::At(Position { frame, .. }) = self.controls[control].threads[position].1
            else {
                continue;
            };
            let objects = space.objects_behind(pointer);
            let pointer = space.instantiate(pointer, self.frames[frame].activation);
            found.push(Ambiguous { position, pointer, objects });
        }
        let found: Rc<[Ambiguous]> = found.into();
        self.ambiguous.insert(control, Rc::clone(&found));
        found
    }

    /// Whether the solver is to be asked about such pointers.
    pub fn asks_solver(&self) -> bool {
        self.reducer.as_ref().is_some_and(Reducer::asks_solver)
    }

    /// The threads that have to move where this is known of pointers, by position.
    pub fn movers(&mut self, program: &Program, control: Control, known: &Known) -> u64 {
        let key = (control, known.clone());
        if let Some(&movers) = self.movers.get(&key) {
            return movers;
        }
        let threads = self.all_whereabouts(program, control, known);
        let movers = match &self.reducer {
            Some(reducer) if self.controls[control].atomic.is_none() => {
                reducer.movers(program, &threads)
            }
            Some(_) | None => u64::MAX,
        };
        self.movers.insert(key, movers);
        movers
    }

    /// Whether these threads, which had to move once, are all that have to now.
    pub fn suffice(
        &mut self,
        program: &Program,
        control: Control,
        known: &Known,
        movers: u64,
    ) -> bool {
        if movers == u64::MAX || self.movers.get(&(control, known.clone())) == Some(&movers) {
            return true;
        }
        let threads = self.all_whereabouts(program, control, known);
        self.reducer.as_ref().is_none_or(|reducer| reducer.suffices(program, &threads, movers))
    }

    fn all_whereabouts(
        &self,
        program: &Program,
        control: Control,
        known: &Known,
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
}
