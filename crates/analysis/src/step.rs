//! Control states and the steps between them.
//!
//! A control state says for each thread where it is and on which frames it stands. Steps are edges
//! of the automaton as a frame sees them: calls and returns are assignments between the instances of
//! two frames. What synchronisation objects hold is kept in their first bytes (`sync`).

use std::rc::Rc;

use ravelin_base::{EntityRef, PrimaryMap, SrcPos, Symbol, entity_impl};
use ravelin_cfa::{
    Callee, Edge, ErrorKind, HavocKind, Label, Loc, ObjectKind, Op, Proc, Program, SyncOp, VarKind,
};
use ravelin_term::{Object, Term, Var};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::reduction::{Reducer, Whereabouts};
use crate::space::{Activation, Space, Thread};
use crate::sync::Mutexes;

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

/// Makes the steps of a thread along an edge.
struct Maker<'a, 's, 'p> {
    steps: &'a mut Steps,
    space: &'s mut Space<'p>,
    control: Control,
    thread: Thread,
    frame: Frame,
    edge: Edge,
}

/// What a step does before it comes to its end.
#[derive(Default)]
struct Draft {
    labels: Vec<Label>,
    /// How much deeper in atomic blocks the thread is after it.
    deeper: i32,
}

impl Maker<'_, '_, '_> {
    fn make(&mut self, steps: &mut Vec<Step>) {
        let FrameData { proc, activation, .. } = self.steps.frames[self.frame];
        let program = self.space.program;
        let data = &program.procs[proc].edges[self.edge];
        let labels: Vec<Label> = data
            .labels
            .iter()
            .map(|label| self.space.instantiate_label(label, activation))
            .collect();
        let first_pos = data.labels.first().map(|label| label.pos).unwrap_or_default();
        // Who waits for a condition variable first releases the mutex, and that is all for now.
        if let Some((mutex, pos)) = waited_for(&labels) {
            let mut draft = Draft::default();
            self.sync(SyncOp::MutexUnlock, &[mutex], None, pos, &mut draft.labels);
            let position = Position { frame: self.frame, loc: data.source };
            let target = self.moved(Status::Waiting(position, self.edge), &draft);
            return steps.push(self.step(draft, target, pos));
        }
        for labels in self.joined(labels) {
            self.make_along(labels, first_pos, steps);
        }
    }

    /// Labels that begin by waiting for the end of a thread, once for each that has ended: with the
    /// condition that it is that one.
    fn joined(&mut self, mut labels: Vec<Label>) -> Vec<Vec<Label>> {
        let Some(Label { op: Op::Join { handle, dst }, pos }) = labels.first().cloned() else {
            return vec![labels];
        };
        let threads = self.steps.controls[self.control].threads.clone();
        let rest = labels.split_off(1);
        let mut found = Vec::new();
        for &(other, status) in &threads {
            if status != Status::Ended {
                continue;
            }
            let bits = self.space.terms.pointer_bits();
            let name = self.space.terms.bv(bits, other.handle());
            let is_it = self.space.terms.eq(handle, name);
            let mut labels = vec![Label::new(Op::Assume(is_it), pos)];
            if let Some(dst) = dst {
                let result = self.space.result(other);
                let value = self.space.read_var(result);
                labels.push(Label::new(Op::Assign { dst, value }, pos));
            }
            labels.extend(rest.iter().cloned());
            found.push(labels);
        }
        found
    }

    fn make_along(&mut self, mut labels: Vec<Label>, first_pos: SrcPos, steps: &mut Vec<Step>) {
        let FrameData { proc, activation, caller } = self.steps.frames[self.frame];
        let program = self.space.program;
        let last = labels.pop();
        let mut draft = self.draft(labels);
        let Some(Label { op, pos }) = last else {
            let target = self.go_on(&draft);
            return steps.push(self.step(draft, target, first_pos));
        };
        match op {
            Op::Call { callee, args, dst: _ } => {
                for (callee, condition) in self.callees(&callee) {
                    let mut draft = Draft { labels: draft.labels.clone(), ..draft };
                    draft.labels.extend(condition.map(|term| Label::new(Op::Assume(term), pos)));
                    let (frame, uninitialised) =
                        self.enter(activation.above(), callee, &args, pos, &mut draft.labels);
                    let loc = program.procs[callee].entry;
                    let target = self.moved(Status::At(Position { frame, loc }), &draft);
                    steps.push(Step {
                        uninitialised,
                        enters: true,
                        ..self.step(draft, target, pos)
                    });
                }
            }
            Op::Start { dst, routine, args } => {
                for (callee, condition) in self.callees(&routine) {
                    let mut draft = Draft { labels: draft.labels.clone(), ..draft };
                    draft.labels.extend(condition.map(|term| Label::new(Op::Assume(term), pos)));
                    steps.push(self.start(proc, callee, &args, dst, pos, draft));
                }
            }
            Op::Return { value } => {
                let Some((caller, call)) = caller else {
                    return steps.push(self.end_of_thread(value, pos, draft));
                };
                let left = self.space.locals_of(proc, activation).into();
                let FrameData { proc: caller_proc, activation: of_caller, .. } =
                    self.steps.frames[caller];
                let call = &program.procs[caller_proc].edges[call];
                let dst = call.labels.last().and_then(|label| label.op.dst());
                if let Some(dst) = dst {
                    let dst = self.space.instance(dst, of_caller);
                    let op = match value {
                        Some(value) if self.space.terms.sort(value) == self.space.sort(dst) => {
                            Op::Assign { dst, value }
                        }
                        // C11 6.9.1p12 and 6.5.2.2p9: the value of a call that returned none, or one of
                        // another type than the pointer's, is undefined.
                        _ => Op::Havoc { dst, kind: HavocKind::Unspecified },
                    };
                    draft.labels.push(Label::new(op, pos));
                }
                let position = Position { frame: caller, loc: call.target };
                let target = self.moved(Status::At(position), &draft);
                steps.push(Step { left, leaves: true, ..self.step(draft, target, pos) });
            }
            Op::ThreadExit { value } => steps.push(self.end_of_thread(Some(value), pos, draft)),
            Op::Error(kind) => steps.push(self.step(draft, Target::Error(kind), pos)),
            Op::Unsupported { what } => {
                steps.push(self.step(draft, Target::Unsupported(what), pos));
            }
            Op::Exit { .. } | Op::Abort => steps.push(self.step(draft, Target::End, pos)),
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
            | Op::Join { .. }
            | Op::ThreadSelf { .. }
            | Op::Sync { .. }
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Print { .. }
            | Op::Choice(_)) => {
                let last = self.draft(vec![Label::new(op, pos)]);
                draft.labels.extend(last.labels);
                draft.deeper += last.deeper;
                let target = self.go_on(&draft);
                steps.push(self.step(draft, target, first_pos));
            }
        }
    }

    /// The second half of waiting for a condition variable: signals may come without reason (POSIX), so
    /// nothing but the mutex has to be waited for.
    fn make_woken(&mut self, steps: &mut Vec<Step>) {
        let FrameData { proc, activation, .. } = self.steps.frames[self.frame];
        let data = &self.space.program.procs[proc].edges[self.edge];
        let labels: Vec<Label> = data
            .labels
            .iter()
            .map(|label| self.space.instantiate_label(label, activation))
            .collect();
        let Some((mutex, pos)) = waited_for(&labels) else { return };
        let mut draft = Draft::default();
        self.sync(SyncOp::MutexLock, &[mutex], None, pos, &mut draft.labels);
        if let Some(dst) = labels[0].op.dst() {
            // Whether it was in time is open.
            let op = Op::Havoc { dst, kind: HavocKind::Unspecified };
            draft.labels.push(Label::new(op, pos));
        }
        let rest = self.draft(labels[1..].to_vec());
        draft.labels.extend(rest.labels);
        draft.deeper = rest.deeper;
        let target = self.go_on(&draft);
        steps.push(self.step(draft, target, pos));
    }

    fn step(&self, draft: Draft, target: Target, pos: SrcPos) -> Step {
        Step {
            source: self.control,
            thread: self.thread,
            starts: None,
            edge: self.edge,
            labels: draft.labels.into(),
            left: Box::default(),
            uninitialised: Box::default(),
            enters: false,
            leaves: false,
            target,
            pos,
        }
    }

    /// Labels with synchronisation as what it does to memory.
    fn draft(&mut self, labels: Vec<Label>) -> Draft {
        let mut draft = Draft::default();
        for label in labels {
            match label.op {
                Op::AtomicBegin => draft.deeper += 1,
                Op::AtomicEnd => draft.deeper -= 1,
                Op::Sync { op, args, dst } => {
                    self.sync(op, &args, dst, label.pos, &mut draft.labels);
                }
                Op::ThreadSelf { dst } => {
                    let bits = self.space.terms.pointer_bits();
                    let value = self.space.terms.bv(bits, self.thread.handle());
                    draft.labels.push(Label::new(Op::Assign { dst, value }, label.pos));
                }
                Op::Choice(branches) => {
                    let branches: Vec<Draft> =
                        branches.into_iter().map(|branch| self.draft(branch)).collect();
                    // Where atomic blocks begin and end is the same on all ways.
                    draft.deeper += branches.first().map_or(0, |branch| branch.deeper);
                    let branches = branches.into_iter().map(|branch| branch.labels).collect();
                    draft.labels.push(Label::new(Op::Choice(branches), label.pos));
                }
                op => draft.labels.push(Label::new(op, label.pos)),
            }
        }
        draft
    }

    fn sync(
        &mut self,
        op: SyncOp,
        args: &[Term],
        dst: Option<Var>,
        pos: SrcPos,
        labels: &mut Vec<Label>,
    ) {
        let scratch = self.space.scratch(self.thread);
        let mutexes = self.steps.mutexes.get_or_insert_with(|| Mutexes::of(self.space)).clone();
        mutexes.lower(self.space, (op, args, dst), scratch, pos, labels);
    }

    /// The thread goes on behind its edge.
    fn go_on(&mut self, draft: &Draft) -> Target {
        let FrameData { proc, .. } = self.steps.frames[self.frame];
        let loc = self.space.program.procs[proc].edges[self.edge].target;
        self.moved(Status::At(Position { frame: self.frame, loc }), draft)
    }

    /// The control state in which this thread is somewhere else.
    fn moved(&mut self, status: Status, draft: &Draft) -> Target {
        let mut data = self.steps.controls[self.control].clone();
        for (thread, old) in &mut data.threads {
            if *thread == self.thread {
                *old = status;
            }
        }
        let depth = data.atomic.map_or(0, |(_, depth)| depth as i32) + draft.deeper;
        let is_over = status == Status::Ended || depth <= 0;
        data.atomic = (!is_over).then_some((self.thread, depth as u32));
        Target::Control(self.steps.control(data))
    }

    /// The thread is over, and with it the program, if it is main that returns or nobody is left.
    fn end_of_thread(&mut self, value: Option<Term>, pos: SrcPos, mut draft: Draft) -> Step {
        let FrameData { proc, activation, .. } = self.steps.frames[self.frame];
        let others = self.steps.controls[self.control].threads.iter();
        let is_last = !others
            .clone()
            .any(|(thread, status)| *thread != self.thread && *status != Status::Ended);
        let data = &self.space.program.procs[proc].edges[self.edge];
        let returns = matches!(data.labels.last().map(|label| &label.op), Some(Op::Return { .. }));
        if is_last || (self.thread == Thread::MAIN && returns) {
            return self.step(draft, Target::End, pos);
        }
        let dst = self.space.result(self.thread);
        let op = match value {
            Some(value) if self.space.terms.sort(value) == self.space.sort(dst) => {
                Op::Assign { dst, value }
            }
            _ => Op::Havoc { dst, kind: HavocKind::Unspecified },
        };
        draft.labels.push(Label::new(op, pos));
        let left = self.space.locals_of(proc, activation).into();
        let target = self.moved(Status::Ended, &draft);
        Step { left, leaves: true, ..self.step(draft, target, pos) }
    }

    fn start(
        &mut self,
        proc: Proc,
        callee: Proc,
        args: &[Term],
        dst: Var,
        pos: SrcPos,
        mut draft: Draft,
    ) -> Step {
        let existing = self.steps.controls[self.control].threads.clone();
        let occurrence = existing
            .iter()
            .filter(|(thread, _)| {
                let (parent, at, edge, number) = self.steps.threads[*thread];
                (parent, at, edge) == (self.thread, proc, self.edge) && number != u32::MAX
            })
            .count() as u32;
        let name = (self.thread, proc, self.edge, occurrence);
        let threads = &mut self.steps.threads;
        let started = *self.steps.thread_numbers.entry(name).or_insert_with(|| threads.push(name));
        let first = Activation { thread: started, depth: 0 };
        let (frame, uninitialised) = self.enter(first, callee, args, pos, &mut draft.labels);
        self.begin_thread_locals(first, pos, &mut draft.labels);
        let bits = self.space.terms.pointer_bits();
        let value = self.space.terms.bv(bits, started.handle());
        draft.labels.push(Label::new(Op::Assign { dst, value }, pos));
        let Target::Control(moved) = self.go_on(&draft) else {
            return self.step(draft, Target::End, pos);
        };
        let mut data = self.steps.controls[moved].clone();
        let loc = self.space.program.procs[callee].entry;
        data.threads.push((started, Status::At(Position { frame, loc })));
        data.threads.sort_unstable_by_key(|(thread, _)| *thread);
        let target = Target::Control(self.steps.control(data));
        Step { uninitialised, starts: Some(started), ..self.step(draft, target, pos) }
    }

    /// A new thread has its own thread-local variables, with their initial values.
    fn begin_thread_locals(&mut self, of: Activation, pos: SrcPos, labels: &mut Vec<Label>) {
        let program = self.space.program;
        for (var, data) in program.vars.iter() {
            let VarKind::ThreadLocal { init } = data.kind else { continue };
            let dst = self.space.instance(var, of);
            let op = match init {
                Some(value) => Op::Assign { dst, value },
                None => Op::Havoc { dst, kind: HavocKind::Unspecified },
            };
            labels.push(Label::new(op, pos));
        }
    }

    /// The procedures that a call may enter, each with the condition under which it does.
    fn callees(&mut self, callee: &Callee) -> Vec<(Proc, Option<Term>)> {
        let pointer = match callee {
            Callee::Direct(proc) => return vec![(*proc, None)],
            Callee::Pointer(pointer) => *pointer,
        };
        let mut found = Vec::new();
        for (proc, object) in self.steps.functions.clone() {
            if self.space.may_point_to(pointer, object) {
                let address = self.space.terms.address(object);
                found.push((proc, Some(self.space.terms.eq(pointer, address))));
            }
        }
        found
    }

    /// Adds what a call assigns to `labels`; gives the new frame, and what has no value there yet.
    fn enter(
        &mut self,
        activation: Activation,
        callee: Proc,
        args: &[Term],
        pos: SrcPos,
        labels: &mut Vec<Label>,
    ) -> (Frame, Box<[Var]>) {
        let program = self.space.program;
        for (number, &param) in program.procs[callee].params.iter().enumerate() {
            let dst = self.space.instance(param, activation);
            let op = match args.get(number) {
                Some(&value) if self.space.terms.sort(value) == program.vars[param].sort => {
                    Op::Assign { dst, value }
                }
                // C11 6.5.2.2p6 and p9: other arguments than the function takes are undefined. Any
                // value is among what may happen.
                _ => Op::Havoc { dst, kind: HavocKind::Unspecified },
            };
            labels.push(Label::new(op, pos));
        }
        let uninitialised = self.space.read_uninitialised(callee, activation).into();
        // A thread that begins has no caller.
        let caller = (activation.depth > 0).then_some((self.frame, self.edge));
        let frame = self.steps.frame(FrameData { proc: callee, activation, caller });
        (frame, uninitialised)
    }
}

/// The mutex of a wait for a condition variable, which is the first label of its edge: what may wait is.
fn waited_for(labels: &[Label]) -> Option<(Term, SrcPos)> {
    let Label { op, pos } = labels.first()?;
    match op {
        Op::Sync { op: SyncOp::CondWait | SyncOp::CondTimedWait, args, .. } => {
            Some((*args.get(1)?, *pos))
        }
        _ => None,
    }
}
