//! Control states and the steps between them.
//!
//! A control state says for each thread where it is and on which frames it stands. Steps are edges
//! of the automaton as a frame sees them: calls and returns are assignments between the instances of
//! two frames.

use std::rc::Rc;

use ravelin_base::{EntityRef, PrimaryMap, SrcPos, Symbol, entity_impl};
use ravelin_cfa::{Callee, Edge, ErrorKind, HavocKind, Label, Loc, ObjectKind, Op, Proc, Program};
use ravelin_term::{Object, Term, Var};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::space::{Depth, Space};

/// Where all threads are: an interned list of positions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Control(u32);
entity_impl!(Control, "c");

/// A frame on the stack of a thread: the procedure, and where it returns to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Frame(u32);
entity_impl!(Frame, "f");

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct FrameData {
    proc: Proc,
    depth: Depth,
    /// The caller's frame and the edge that calls.
    caller: Option<(Frame, Edge)>,
}

/// Where a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub frame: Frame,
    pub loc: Loc,
}

/// A location of a procedure, whatever the frame: precisions are kept by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    pub proc: Proc,
    pub loc: Loc,
    pub depth: Depth,
}

/// What is at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The execution goes on here.
    Control(Control),
    /// The program or its only thread ended.
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
    controls: PrimaryMap<Control, SmallVec<[Position; 1]>>,
    control_numbers: FxHashMap<SmallVec<[Position; 1]>, Control>,
    frames: PrimaryMap<Frame, FrameData>,
    frame_numbers: FxHashMap<FrameData, Frame>,
    cache: FxHashMap<Control, Rc<[Rc<Step>]>>,
    /// The functions that a pointer can name, with the object that stands for each.
    functions: Vec<(Proc, Object)>,
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
        Steps {
            controls: PrimaryMap::new(),
            control_numbers: FxHashMap::default(),
            frames: PrimaryMap::new(),
            frame_numbers: FxHashMap::default(),
            cache: FxHashMap::default(),
            functions,
        }
    }

    /// The control state in which `entry` begins.
    pub fn initial(&mut self, program: &Program, entry: Proc) -> Control {
        let frame = self.frame(FrameData { proc: entry, depth: Depth::new(0), caller: None });
        self.control(Position { frame, loc: program.procs[entry].entry })
    }

    fn frame(&mut self, data: FrameData) -> Frame {
        let frames = &mut self.frames;
        *self.frame_numbers.entry(data).or_insert_with(|| frames.push(data))
    }

    fn control(&mut self, position: Position) -> Control {
        let positions: SmallVec<[Position; 1]> = smallvec![position];
        if let Some(&control) = self.control_numbers.get(&positions) {
            return control;
        }
        let control = self.controls.push(positions.clone());
        self.control_numbers.insert(positions, control);
        control
    }

    pub fn position(&self, control: Control) -> Position {
        self.controls[control][0]
    }

    pub fn site(&self, control: Control) -> Site {
        let Position { frame, loc } = self.position(control);
        let FrameData { proc, depth, .. } = self.frames[frame];
        Site { proc, loc, depth }
    }

    /// The steps out of a control state, in source order.
    pub fn out(&mut self, space: &mut Space<'_>, control: Control) -> Rc<[Rc<Step>]> {
        if let Some(steps) = self.cache.get(&control) {
            return Rc::clone(steps);
        }
        let Position { frame, loc } = self.position(control);
        let proc = self.frames[frame].proc;
        let program = space.program;
        let mut steps = Vec::new();
        for &edge in &program.procs[proc].locs[loc].out {
            self.make(space, control, edge, &mut steps);
        }
        let steps: Rc<[Rc<Step>]> = steps.into();
        self.cache.insert(control, Rc::clone(&steps));
        steps
    }

    fn make(
        &mut self,
        space: &mut Space<'_>,
        source: Control,
        edge: Edge,
        steps: &mut Vec<Rc<Step>>,
    ) {
        let Position { frame, .. } = self.position(source);
        let FrameData { proc, depth, caller } = self.frames[frame];
        let program = space.program;
        let data = &program.procs[proc].edges[edge];
        let mut labels: Vec<Label> =
            data.labels.iter().map(|label| space.instantiate_label(label, depth)).collect();
        let first_pos = data.labels.first().map(|label| label.pos).unwrap_or_default();
        let step = |labels: Vec<Label>, target, pos| {
            let (left, uninitialised, enters, leaves) = Default::default();
            let labels = labels.into();
            Step { source, edge, labels, left, uninitialised, enters, leaves, target, pos }
        };
        let mut push = |step: Step| steps.push(Rc::new(step));
        let Some(Label { op, pos }) = labels.pop() else {
            let target = Target::Control(self.control(Position { frame, loc: data.target }));
            return push(step(labels, target, first_pos));
        };
        match op {
            Op::Call { callee: Callee::Direct(callee), args, dst: _ } => {
                let (target, uninitialised) =
                    self.call(space, (frame, edge), callee, &args, pos, &mut labels);
                push(Step { uninitialised, enters: true, ..step(labels, target, pos) });
            }
            Op::Call { callee: Callee::Pointer(pointer), args, dst: _ } => {
                for (callee, object) in self.functions.clone() {
                    if !space.may_point_to(pointer, object) {
                        continue;
                    }
                    let address = space.terms.address(object);
                    let is_it = space.terms.eq(pointer, address);
                    let mut labels = labels.clone();
                    labels.push(Label::new(Op::Assume(is_it), pos));
                    let (target, uninitialised) =
                        self.call(space, (frame, edge), callee, &args, pos, &mut labels);
                    push(Step { uninitialised, enters: true, ..step(labels, target, pos) });
                }
            }
            Op::Return { value } => {
                let Some((caller, call)) = caller else {
                    return push(step(labels, Target::End, pos));
                };
                let left = space.locals_of(proc, depth).into();
                let FrameData { proc: caller_proc, depth: caller_depth, .. } = self.frames[caller];
                let call = &program.procs[caller_proc].edges[call];
                let dst = call.labels.last().and_then(|label| label.op.dst());
                if let Some(dst) = dst {
                    let dst = space.instance(dst, caller_depth);
                    let op = match value {
                        Some(value) if space.terms.sort(value) == space.sort(dst) => {
                            Op::Assign { dst, value }
                        }
                        // C11 6.9.1p12 and 6.5.2.2p9: the value of a call that returned none, or one of
                        // another type than the pointer's, is undefined.
                        _ => Op::Havoc { dst, kind: HavocKind::Unspecified },
                    };
                    labels.push(Label::new(op, pos));
                }
                let position = Position { frame: caller, loc: call.target };
                let target = Target::Control(self.control(position));
                push(Step { left, leaves: true, ..step(labels, target, pos) });
            }
            Op::Error(kind) => push(step(labels, Target::Error(kind), pos)),
            Op::Unsupported { what } => push(step(labels, Target::Unsupported(what), pos)),
            Op::Exit { .. } | Op::Abort | Op::ThreadExit { .. } => {
                push(step(labels, Target::End, pos));
            }
            op @ (Op::Skip
            | Op::Assume(_)
            | Op::Assign { .. }
            | Op::Havoc { .. }
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::HavocMemory { .. }
            | Op::ScopeBegin(_)
            | Op::ScopeEnd(_)
            | Op::Alloc { .. }
            | Op::Realloc { .. }
            | Op::Free { .. }
            | Op::Start { .. }
            | Op::Join { .. }
            | Op::ThreadSelf { .. }
            | Op::Sync { .. }
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Print { .. }
            | Op::Choice(_)) => {
                labels.push(Label::new(op, pos));
                let target = Target::Control(self.control(Position { frame, loc: data.target }));
                push(step(labels, target, first_pos));
            }
        }
    }

    /// Adds what a call assigns to `labels`; says where it goes and what has no value there yet.
    fn call(
        &mut self,
        space: &mut Space<'_>,
        (frame, edge): (Frame, Edge),
        callee: Proc,
        args: &[Term],
        pos: SrcPos,
        labels: &mut Vec<Label>,
    ) -> (Target, Box<[Var]>) {
        let depth = Depth::new(self.frames[frame].depth.index() + 1);
        let program = space.program;
        let procedure = &program.procs[callee];
        for (number, &param) in procedure.params.iter().enumerate() {
            let dst = space.instance(param, depth);
            let op = match args.get(number) {
                Some(&value) if space.terms.sort(value) == program.vars[param].sort => {
                    Op::Assign { dst, value }
                }
                // C11 6.5.2.2p6 and p9: other arguments than the function takes are undefined. Any
                // value is among what may happen.
                _ => Op::Havoc { dst, kind: HavocKind::Unspecified },
            };
            labels.push(Label::new(op, pos));
        }
        let uninitialised = space.read_uninitialised(callee, depth).into();
        let frame = self.frame(FrameData { proc: callee, depth, caller: Some((frame, edge)) });
        (Target::Control(self.control(Position { frame, loc: procedure.entry })), uninitialised)
    }
}
