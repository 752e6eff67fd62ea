//! Control states and the steps between them.
//!
//! A control state says for each thread where it is and on which frames it stands (`control`). Steps are edges
//! of the automaton as a frame sees them (`maker`, `translate`, `body`): calls and returns are assignments between the
//! instances of two frames. What synchronisation objects hold is kept in their first bytes (`sync`). Which threads move, and what of
//! their steps is evaluated, depends on what is tracked (`reduced`). Threads that are started again and again can be
//! followed as replicas without names ([`replicated`]).

mod body;
mod control;
mod maker;
mod reduced;
pub mod replicated;
mod translate;

use std::rc::Rc;

use ravelin_base::SrcPos;
use ravelin_cfa::{Edge, ErrorKind, Gap, Loc, ObjectKind, Proc, Program};
use ravelin_term::{Object, Var};
use rustc_hash::FxHashMap;

use crate::model::space::{Space, Thread};
use crate::model::statement::Statement;
use crate::model::sync::SyncObjects;
use crate::reduction::statements::StatementCounts;
use body::{Bodies, Body};
use control::{ControlStates, Position, Status};
use maker::Maker;
use reduced::ReducedSteps;
use replicated::ReplicatedThreads;

pub use control::{Control, Site};
pub use reduced::{Ambiguous, KnownObjects, Move};

/// What is at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The execution goes on here.
    Control(Control),
    /// The program or its last thread ended.
    End,
    /// The error that the property speaks of.
    Error(ErrorKind),
    /// Something that cannot be followed.
    Unsupported(Gap),
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
    /// In order; over the instances of the frames involved.
    pub statements: Rc<[Statement]>,
    /// Locals of the frame that the step leaves: their values are of no further use.
    pub left: Box<[Var]>,
    /// Locals of the frame that the step enters, which may be read before they are written.
    pub uninitialised: Box<[Var]>,
    /// Whether the step enters a procedure, and whether it leaves one.
    pub enters: bool,
    pub leaves: bool,
    pub target: Target,
    /// The position of what ends the step, or of its first label on the edge.
    pub pos: SrcPos,
}

/// The control states of a program and the steps between them, made as they are asked for.
#[derive(Debug)]
pub struct Steps {
    states: ControlStates,
    made: MadeSteps,
    reduction: ReducedSteps,
    /// Threads that are followed as replicas, if any are.
    replicated: Option<ReplicatedThreads>,
    /// How much was left out in all steps that were made.
    pub statements: StatementCounts,
}

/// The steps made so far, and what it takes to make them.
#[derive(Debug)]
struct MadeSteps {
    /// The steps of the thread at a position.
    of_threads: FxHashMap<(Control, usize), Rc<[Rc<Step>]>>,
    bodies: Bodies,
    /// The functions that a pointer can name, with the object that stands for each.
    functions: Vec<(Proc, Object)>,
    sync_objects: Option<SyncObjects>,
}

impl MadeSteps {
    fn new(program: &Program) -> Self {
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
        MadeSteps {
            of_threads: FxHashMap::default(),
            bodies: Bodies::default(),
            functions,
            sync_objects: None,
        }
    }
}

impl Steps {
    pub fn new(program: &Program) -> Self {
        Steps {
            states: ControlStates::new(),
            made: MadeSteps::new(program),
            reduction: ReducedSteps::default(),
            replicated: None,
            statements: StatementCounts::default(),
        }
    }

    /// The control state in which `entry` begins.
    pub fn initial(&mut self, program: &Program, entry: Proc) -> Control {
        self.states.initial(program, entry)
    }

    /// The location of the first thread that has not ended.
    pub fn site(&self, control: Control) -> Site {
        self.states.site(control)
    }

    /// The location of a thread that has not ended.
    pub fn site_of(&self, control: Control, thread: Thread) -> Option<Site> {
        self.states.site_of(control, thread)
    }

    /// Whether only one thread can move: it is in an atomic section, or there is no other.
    pub fn moves_alone(&self, control: Control) -> bool {
        self.states.moves_alone(control)
    }

    /// The location in which a step begins.
    pub fn location_of(&self, step: &Step) -> Option<(Proc, Loc)> {
        self.states.location(step.source, step.thread)
    }

    /// Where the threads are that have not ended.
    pub fn locations(&self, control: Control) -> Vec<(Proc, Loc)> {
        self.states.locations(control)
    }

    /// The positions of these threads in a control state.
    pub fn positions(&self, control: Control, set: u64) -> Vec<usize> {
        self.states.positions(control, set)
    }

    /// The steps of the threads that have to move in a control state, by thread and in source order.
    pub fn out(&mut self, space: &mut Space<'_>, control: Control) -> Vec<Rc<Step>> {
        let set = self.persistent_set(space.program, control, &KnownObjects::new());
        let mut steps = Vec::new();
        for position in self.positions(control, set) {
            steps.extend(self.of_thread(space, control, position).iter().cloned());
        }
        steps
    }

    /// The steps of the thread at a position.
    pub fn of_thread(
        &mut self,
        space: &mut Space<'_>,
        control: Control,
        position: usize,
    ) -> Rc<[Rc<Step>]> {
        if let Some(steps) = self.made.of_threads.get(&(control, position)) {
            return Rc::clone(steps);
        }
        let program = space.program;
        let (thread, status) = self.states.controls[control].threads[position];
        let mut steps = Vec::new();
        match status {
            Status::At(Position { frame, loc }) => {
                let proc = self.states.frames[frame].proc;
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
        self.made.of_threads.insert((control, position), Rc::clone(&steps));
        steps
    }
}
